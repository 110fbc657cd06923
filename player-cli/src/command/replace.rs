//! `usampler replace`: sounds of a game, or of a package, with other recordings.

use std::fs::{self, File};
use std::io::BufReader;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use modkit::replace::{Mod, ModKind, Recording, ReplaceOptions, Replacement, SoundError, replace};
use unreal::class::sound_wave::ReplaceError;

use super::asset;
use crate::args::{Replace, ReplaceCodec};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::input::Input;
use crate::interrupt;
use crate::select;
use crate::view::text;

/// Replaces sounds; nothing is written unless all can be.
///
/// # Errors
/// If a sound or a recording is not there, cannot be read or does not fit, or the output cannot be written.
pub fn run(args: &Replace, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    interrupt::watch()?;
    if args.codec != ReplaceCodec::Pcm {
        let name = if args.codec == ReplaceCodec::Opus { "Opus" } else { "Vorbis" };
        let failure = Failure::new(Exit::Usage, format!("there is no encoder for {name}"));
        return Err(failure.hint("--codec pcm stores the recording as it is"));
    }
    let pairs = pairs(args)?;
    let input = Input::open(&args.input.file, &args.input.reading)?;
    let package = input.package()?;
    let exit = input.report(&package, console);
    let mut replacements = Vec::with_capacity(pairs.len());
    for (sound, file) in &pairs {
        interrupt::check()?;
        let sound = select::one(&package, &input.label, Some(sound))?;
        replacements.push(Replacement { sound: sound.path(), recording: recording(file)? });
    }
    let Some(mount) = input.mount() else {
        return Err(Failure::new(Exit::Unreadable, format!("{} is no game", input.label)));
    };
    let (version, mappings) = input.known();
    let options = ReplaceOptions { version, mappings };
    let made = replace(mount, &replacements, options).map_err(|(place, error)| {
        let sound = replacements.get(place).map_or("", |replacement| &replacement.sound);
        failure(sound, &error)
    })?;
    let (output, bytes) = write(args, made, mount, threads, console)?;
    let count = if pairs.len() == 1 { "1 sound".to_owned() } else { format!("{} sounds", pairs.len()) };
    if let Some(output) = output {
        console.say(format_args!("{count} replaced in {}, {}", output.display(), text::size(bytes)));
    }
    Ok(exit)
}

/// Returns which sounds take which recordings.
fn pairs(args: &Replace) -> Result<Vec<(String, PathBuf)>, Failure> {
    let Some(table) = &args.table else {
        let pair = args.sound.clone().zip(args.recording.clone());
        return Ok(pair.into_iter().collect());
    };
    let label = table.display();
    let text = fs::read_to_string(table).map_err(|error| {
        Failure::new(Exit::Unreadable, format!("cannot read {label}: {}", reason(&error)))
    })?;
    let folder = table.parent().unwrap_or(Path::new(""));
    let mut pairs = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let (sound, file) = line.split_once('\t').ok_or_else(|| {
            let message = format!("{label}: line {number} is not SOUND, a tab, and a WAV file");
            Failure::new(Exit::Usage, message)
        })?;
        pairs.push((sound.trim().to_owned(), folder.join(file.trim())));
    }
    if pairs.is_empty() {
        return Err(Failure::new(Exit::Usage, format!("{label} names no sounds")));
    }
    Ok(pairs)
}

fn recording(file: &Path) -> Result<Recording, Failure> {
    let label = file.display();
    let opened = File::open(file).map_err(|error| {
        Failure::new(Exit::Unreadable, format!("cannot read {label}: {}", reason(&error)))
    })?;
    Recording::read(BufReader::new(opened))
        .map_err(|error| Failure::new(Exit::Unreadable, format!("{label}: {error}")))
}

fn failure(sound: &str, error: &SoundError) -> Failure {
    let failure = Failure::new(Exit::Unreadable, format!("{sound}: {error}"));
    match error {
        SoundError::Replace(ReplaceError::NoSchema) => {
            failure.hint("--usmap FILE has the schemas of the game")
        }
        _ => failure,
    }
}

/// Writes the container of a mod; returns where, unless that was ended, and the bytes that it holds.
fn write(
    args: &Replace,
    made: Mod,
    mount: &unreal::container::mount::Mount,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<(Option<PathBuf>, u64), Failure> {
    let wanted = match made.kind {
        ModKind::Pak(_) => "pak",
        ModKind::IoStore(_) => "utoc",
    };
    let output = match args.output.extension() {
        None => args.output.with_extension(wanted),
        Some(extension) if extension.eq_ignore_ascii_case(wanted) => args.output.clone(),
        Some(_) => {
            let message = format!("this game takes a .{wanted}, not {}", args.output.display());
            return Err(Failure::new(Exit::Usage, message));
        }
    };
    let bytes = made.files.iter().map(|file| file.size).fold(0, u64::saturating_add);
    let is_whole = asset::pack_mod(made, &output, mount, args.force, threads, console)?;
    Ok((is_whole.then_some(output), bytes))
}
