//! The sounds of a package that a MIDI file plays.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use engine::Bank;
use importer::{HeldMemory, ImportProgress, Report, Sound, SoundFile};
use song::{Hz, Instrument, Song, Voicing};

use super::file::MidiSequence;
use super::file_player::{FilePlayerOptions, OwnInstruments, played};
use crate::Error;
use crate::adjusted::AdjustedSounds;
use crate::room::{Room, RoomOptions};
use crate::session::{self, DecodedSong};
use crate::single_note::NoteOptions;

/// Voices of an engine for a MIDI file: it may have all notes of all channels sound at once.
pub const MIDI_FILE_VOICES: usize = 1024;

/// The sounds of a package that a MIDI file plays.
pub struct MidiSounds {
    /// The decoded ones.
    song: Song,
    /// What was skipped or repaired.
    pub report: Report,
    /// What they take of the memory for decoded audio.
    _held: HeldMemory,
    /// Number of sounds of the package, decoded or not.
    sounds: usize,
    /// Index of the sound of channels without a program change: the first that can be played.
    selected: usize,
    /// Indices of the sounds that the file plays.
    played: BTreeSet<usize>,
    /// How those are adjusted, by their index.
    voicings: BTreeMap<usize, Voicing>,
    /// As they are before.
    own: Arc<OwnInstruments>,
    /// Indexes of those that cannot be heard.
    silent: Vec<usize>,
}

impl MidiSounds {
    /// Decodes them, as they are adjusted. `watch` is called as each recording is decoded.
    ///
    /// # Errors
    /// [`ErrorKind::Song`](crate::ErrorKind::Song) if they make no song.
    pub fn decode(
        package: &SoundFile,
        sequence: &MidiSequence,
        adjusted: &AdjustedSounds,
        watch: &mut dyn FnMut(ImportProgress<'_>),
    ) -> Result<Self, Error> {
        let sounds = package.sounds();
        let selected = sounds.iter().position(Sound::is_playable).unwrap_or(0);
        let played = played(sequence, sounds.len(), selected);
        let decoded = session::import(package, |sound| played.contains(&(sound.number - 1)), watch)?;
        let DecodedSong { song, report, held } = decoded;
        let is_silent = |index: &usize| song.instruments().get(*index).is_none_or(Instrument::is_silent);
        let silent: Vec<usize> = played.iter().copied().filter(is_silent).collect();
        let voicings = adjusted.of_sounds(played.iter().copied());
        let sounds = sounds.len();
        let own = OwnInstruments {
            instruments: song.instruments().to_vec(),
            articulations: song.articulations().into(),
        };
        let own = Arc::new(own);
        Ok(Self { song, report, _held: held, sounds, selected, played, voicings, own, silent })
    }

    /// Returns them made ready for the audio thread; their recordings are taken.
    ///
    /// # Errors
    /// As [`session::bank`].
    pub fn take_bank(&mut self) -> Result<Arc<Bank>, Error> {
        let voicings = self.voicings.iter().map(|(sound, voicing)| (*sound, voicing));
        session::adjusted_bank(std::mem::take(&mut self.song), voicings)
    }

    /// Returns how many are adjusted.
    #[must_use]
    pub fn adjusted(&self) -> usize {
        self.voicings.len()
    }

    /// Lets all sounds that the file plays send as a room is asked for. Returns that room, if it is heard; `warn` gets
    /// the reason if a kept one cannot be read, and `as_stored` leaves that out.
    pub fn set_room(
        &mut self,
        options: &RoomOptions,
        as_stored: bool,
        warn: &mut dyn FnMut(&str),
    ) -> Option<Room> {
        for sound in &self.played {
            let voicing = options.sent(self.voicings.get(sound).copied().unwrap_or_default());
            if voicing != Voicing::default() {
                self.voicings.insert(*sound, voicing);
            }
        }
        let sends = self.played.iter().map(|sound| self.own.sends(*sound, self.voicings.get(sound)));
        options.heard(as_stored, sends, warn)
    }

    /// Returns those of the file's sounds that cannot be heard.
    pub fn silent<'p>(&self, package: &'p SoundFile) -> impl Iterator<Item = &'p Sound> {
        self.silent.iter().filter_map(|index| package.sounds().get(*index))
    }

    /// Returns whether all that the file plays can be heard.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.silent.is_empty()
    }

    /// Returns whether nothing that the file plays can be heard.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.silent.len() == self.played.len()
    }

    /// Returns how the file is played, with the gain and pan of `note`.
    #[must_use]
    pub fn options(&self, note: NoteOptions, tail: Duration, rate: Hz) -> FilePlayerOptions {
        let (sounds, selected) = (self.sounds, self.selected);
        let (voicings, NoteOptions { gain, pan, room, .. }) = (self.voicings.clone(), note);
        let own = Arc::clone(&self.own);
        FilePlayerOptions { sounds, selected, voicings, own, gain, pan, tail, rate, room }
    }
}
