use std::sync::Arc;

use engine::{Bank, Controller};
use importer::{HeldMemory, SoundFile};
use song::Frames;
use tracker::replay::{Replay, Score};

use crate::session::{self, DecodedSong};
use crate::song_player::inverted_loops::InvertedLoops;
use crate::song_player::{SongOptions, SongPlayer};
use crate::{Error, ErrorKind};

/// A tracker's song with all its recordings, ready to be replayed.
pub struct LoadedSong {
    /// Its module.
    pub score: Arc<Score>,
    bank: Arc<Bank>,
    /// Where its cells change recordings.
    inverted_loops: Option<InvertedLoops>,
    /// The memory of its recordings.
    _held: HeldMemory,
}

impl LoadedSong {
    /// Takes the decoded recordings of a module, all of them.
    ///
    /// # Errors
    /// [`ErrorKind::Song`] if one is too long to be played.
    pub fn new(decoded: DecodedSong) -> Result<Self, Error> {
        let DecodedSong { song, held, .. } = decoded;
        let (score, song) = Score::prepare(song);
        let inverted_loops = if score.inverts_loops() { InvertedLoops::new(&song) } else { None };
        let bank = match &inverted_loops {
            Some(loops) => loops.bank(),
            None => session::bank(song)?,
        };
        Ok(Self { score: Arc::new(score), bank, inverted_loops, _held: held })
    }

    /// Decodes the module that a file is.
    ///
    /// # Errors
    /// [`ErrorKind::Song`] if it is none, or cannot be played.
    pub fn of_file(file: &SoundFile) -> Result<Self, Error> {
        if file.module().is_none() {
            return Err(Error::new(ErrorKind::Song, format!("no song in {}", file.name())));
        }
        Self::new(session::import(file, |_| true, &mut |_| {})?)
    }

    /// Returns what plays the song from a frame on; its recordings are lent to the controller.
    pub fn player<'w>(
        &self,
        controller: &mut Controller,
        replay: Replay,
        options: SongOptions,
        start: Frames,
    ) -> SongPlayer<'w> {
        let bank = controller.lend(Arc::clone(&self.bank));
        SongPlayer::new(replay, bank, self.inverted_loops.clone(), options, start)
    }
}
