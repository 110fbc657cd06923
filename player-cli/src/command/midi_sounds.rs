//! What `play` and `render` need for a MIDI file: its messages, and the sounds that they play.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use importer::{HeldMemory, Sound, SoundFile};
use song::{Instrument, Song};

use crate::args::NoteArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::import::{import, undecoded_reason};
use player::midi::file::{MAX_BYTES, MidiSequence};
use player::midi::file_player::{self, MidiFilePlayer};
use player::session::DecodedSong;

/// Voices of a song: a MIDI file may have all notes of all channels sound at once.
pub(super) const VOICES: usize = 1024;

/// Reads a MIDI file that has notes in it.
///
/// # Errors
/// [`Exit::Unreadable`] says why it is none.
pub(super) fn read(path: &Path) -> Result<MidiSequence, Failure> {
    let unreadable =
        |problem: String| Failure::new(Exit::Unreadable, format!("{}: {problem}", path.display()));
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|error| unreadable(reason(&error)))?;
    if bytes.len() > MAX_BYTES {
        return Err(unreadable(format!("it has more than {MAX_BYTES} bytes")));
    }
    let sequence = MidiSequence::read(&bytes).map_err(|error| unreadable(error.to_string()))?;
    if sequence.notes() == 0 {
        return Err(unreadable("no notes in it".to_owned()));
    }
    Ok(sequence)
}

/// The sounds of a package that a MIDI file plays.
pub(super) struct MidiSounds {
    /// The decoded ones.
    pub(super) song: Song,
    /// What they take of the memory for decoded audio.
    _held: HeldMemory,
    /// How many there are, decoded or not.
    pub(super) sounds: usize,
    /// Index of the sound of channels without a program change: the first that can be played.
    pub(super) selected: usize,
    /// Whether all that it plays can be played.
    pub(super) is_whole: bool,
}

impl MidiSounds {
    /// Decodes them. Those that cannot be played are reported.
    ///
    /// # Errors
    /// [`Exit::Unreadable`] if there are none at all, [`Exit::Partly`] if none can be played.
    pub(super) fn of(
        package: &SoundFile,
        sequence: &MidiSequence,
        label: &str,
        console: &mut Console<'_>,
    ) -> Result<Self, Failure> {
        let sounds = package.sounds();
        if sounds.is_empty() {
            return Err(Failure::new(Exit::Unreadable, format!("no sounds in {label}")));
        }
        let selected = sounds.iter().position(Sound::is_playable).unwrap_or(0);
        let played = file_player::played(sequence, sounds.len(), selected);
        let DecodedSong { song, report, held } =
            import(package, |sound| played.contains(&(sound.number - 1)), console)?;
        let is_silent = |index: &usize| song.instruments().get(*index).is_none_or(Instrument::is_silent);
        let silent: Vec<usize> = played.iter().copied().filter(is_silent).collect();
        let reasons = report.reasons();
        for index in &silent {
            let sound = &sounds[*index];
            if sound.is_playable() {
                let reason = undecoded_reason(sound, &reasons);
                console.warn(format_args!("#{} {}: {reason}", index + 1, sound.path()));
            } else {
                console.warn(super::not_playable(sound).message);
            }
        }
        if silent.len() == played.len() {
            let problem = format!("none of the sounds it asks for in {label} can be played");
            return Err(Failure::new(Exit::Partly, problem));
        }
        Ok(Self { song, _held: held, sounds: sounds.len(), selected, is_whole: silent.is_empty() })
    }

    /// Returns how it is to be played.
    pub(super) const fn options(
        &self,
        note: &NoteArgs,
        tail: std::time::Duration,
        rate: song::Hz,
    ) -> file_player::FilePlayerOptions {
        let (sounds, selected) = (self.sounds, self.selected);
        file_player::FilePlayerOptions { sounds, selected, gain: note.gain, pan: note.pan, tail, rate }
    }
}

/// Prints what of a MIDI file could not be played; how the command ends.
pub(super) fn conclude(is_whole: bool, player: &MidiFilePlayer<'_>, console: &mut Console<'_>) -> Exit {
    if let cut_short @ 1.. = player.cut_short() {
        console.say(format_args!("{cut_short} voices were cut short: {VOICES} sound at once"));
    }
    let mut exit = if is_whole { Exit::Done } else { Exit::Partly };
    for warning in player.warnings() {
        console.warn(warning);
        exit = Exit::Partly;
    }
    exit
}
