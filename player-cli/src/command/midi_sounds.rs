//! What `play` and `render` need for a MIDI file: its messages, and the sounds that they play.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use importer::SoundFile;

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::import::{report, report_adjusted, show, undecoded_reason};
use player::adjusted::AdjustedSounds;
use player::midi::file::{MAX_BYTES, MidiSequence};
use player::midi::file_player::MidiFilePlayer;
use player::midi::sounds::{MIDI_FILE_VOICES, MidiSounds};

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

/// Decodes the sounds of a package that a MIDI file plays. Those that cannot be played are reported.
///
/// # Errors
/// [`Exit::Unreadable`] if there are none at all, [`Exit::Partly`] if none can be played.
pub(super) fn load(
    package: &SoundFile,
    sequence: &MidiSequence,
    adjusted: &AdjustedSounds,
    label: &str,
    console: &mut Console<'_>,
) -> Result<MidiSounds, Failure> {
    if package.sounds().is_empty() {
        return Err(Failure::new(Exit::Unreadable, format!("no sounds in {label}")));
    }
    let decoded =
        MidiSounds::decode(package, sequence, adjusted, &mut |progress| show(package, progress, console));
    console.end_progress();
    let sounds = decoded?;
    report_adjusted(adjusted.problem(), sounds.adjusted(), "", console);
    report(&sounds.report, console);
    let reasons = sounds.report.reasons();
    for sound in sounds.silent(package) {
        if sound.is_playable() {
            let reason = undecoded_reason(sound, &reasons);
            console.warn(format_args!("#{} {}: {reason}", sound.number, sound.path()));
        } else {
            console.warn(super::not_playable(sound).message);
        }
    }
    if sounds.is_silent() {
        let problem = format!("none of the sounds it asks for in {label} can be played");
        return Err(Failure::new(Exit::Partly, problem));
    }
    Ok(sounds)
}

/// Prints what of a MIDI file could not be played; how the command ends.
pub(super) fn conclude(is_whole: bool, player: &MidiFilePlayer<'_>, console: &mut Console<'_>) -> Exit {
    if let cut_short @ 1.. = player.cut_short() {
        console.say(format_args!("{cut_short} voices were cut short: {MIDI_FILE_VOICES} sound at once"));
    }
    let mut exit = if is_whole { Exit::Done } else { Exit::Partly };
    for warning in player.warnings() {
        console.warn(warning);
        exit = Exit::Partly;
    }
    exit
}
