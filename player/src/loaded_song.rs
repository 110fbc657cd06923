use std::sync::Arc;

use engine::{Bank, Controller, LentBank};
use importer::HeldMemory;
use song::module::SampleSource;
use tracker::replay::Score;

use crate::Error;
use crate::session::{self, DecodedSong};

/// A tracker's song with all its recordings, ready to be replayed.
pub struct LoadedSong {
    /// Its module.
    pub score: Arc<Score>,
    bank: Arc<Bank>,
    /// The memory of its recordings.
    _held: HeldMemory,
}

impl LoadedSong {
    /// Takes the decoded recordings of a module, all of them.
    ///
    /// # Errors
    /// [`ErrorKind::Song`](crate::ErrorKind::Song) if one is too long to be played.
    pub fn new(decoded: DecodedSong) -> Result<Self, Error> {
        let DecodedSong { song, held, .. } = decoded;
        let (score, song) = Score::prepare(song);
        Ok(Self { score: Arc::new(score), bank: session::bank(song)?, _held: held })
    }

    /// Returns which of its samples cannot be heard, and why; none if all can.
    #[must_use]
    pub fn silent_samples(&self) -> Option<String> {
        let samples = self.score.module().samples.iter();
        let count = samples.filter(|sample| matches!(sample.source, SampleSource::Synthesised(_))).count();
        match count {
            0 => None,
            1 => Some("a sample for an OPL synthesiser, which is not imitated, is silent".to_owned()),
            _ => Some(format!("{count} samples for an OPL synthesiser, which is not imitated, are silent")),
        }
    }

    /// Lends its recordings to a controller.
    pub fn lend(&self, controller: &mut Controller) -> LentBank {
        controller.lend(Arc::clone(&self.bank))
    }
}
