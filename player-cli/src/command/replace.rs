//! `usampler replace`: sounds of a game, or of a package, with other recordings.

use std::fs::{self, File};
use std::io::{self, BufReader, Read as _, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use exporter::OutputFile;
use importer::SoundFile;
use modkit::replace::{
    PackageReplacement, Recording, RecordingError, ReplaceOptions, Replacement, SoundError, WavFile, replace,
    replace_in_package,
};
use unreal::class::sound_wave::ReplaceError;
use unreal::container::mount::Mount;

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
    if args.codec == ReplaceCodec::Vorbis {
        return Err(no_encoder("there is no encoder for Vorbis"));
    }
    let pairs = pairs(args)?;
    let input = Input::open(&args.input.file, &args.input.reading)?;
    let package = input.package()?;
    let exit = input.report(&package, console);
    let count = if pairs.len() == 1 { "1 sound".to_owned() } else { format!("{} sounds", pairs.len()) };
    let written = match input.mount() {
        Some(mount) => in_game(args, &input, mount, &package, &pairs, threads, console)?,
        None => Some(in_package(args, &input, &package, &pairs, console)?),
    };
    if let Some((output, bytes)) = written {
        console.say(format_args!("{count} replaced in {}, {}", output.display(), text::size(bytes)));
    }
    Ok(exit)
}

/// Writes a mod for a game; returns where, unless that was ended, and the bytes that it holds.
fn in_game(
    args: &Replace,
    input: &Input,
    mount: &Mount,
    package: &SoundFile<'_>,
    pairs: &[(String, PathBuf)],
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Option<(PathBuf, u64)>, Failure> {
    let mut replacements = Vec::with_capacity(pairs.len());
    for (sound, file) in pairs {
        interrupt::check()?;
        let sound = select::one(package, &input.label, Some(sound))?;
        let recording = Recording::read(BufReader::new(open(file)?));
        let recording = match args.codec {
            ReplaceCodec::Opus => recording.and_then(Recording::into_opus),
            ReplaceCodec::Pcm | ReplaceCodec::Vorbis => recording,
        };
        let recording = recording.map_err(|error| unfit(file, &error))?;
        replacements.push(Replacement { sound: sound.path(), recording });
    }
    let (version, mappings) = input.known();
    let made = replace(mount, &replacements, ReplaceOptions { version, mappings });
    let made = made.map_err(|(place, error)| {
        let sound = replacements.get(place).map_or("", |replacement| &replacement.sound);
        let failure = Failure::new(Exit::Unreadable, format!("{sound}: {error}"));
        match error {
            SoundError::Replace(ReplaceError::NoSchema) => {
                failure.hint("--usmap FILE has the schemas of the game")
            }
            _ => failure,
        }
    })?;
    let output = asset::mod_output(&args.output, made.kind)?;
    let bytes = made.files.iter().map(|file| file.size).fold(0, u64::saturating_add);
    let is_whole = asset::pack_mod(made, &output, mount, args.force, threads, console)?;
    Ok(is_whole.then_some((output, bytes)))
}

/// Writes a package of Unreal Engine 1 to 3; returns where, and its bytes.
fn in_package(
    args: &Replace,
    input: &Input,
    package: &SoundFile<'_>,
    pairs: &[(String, PathBuf)],
    console: &mut Console<'_>,
) -> Result<(PathBuf, u64), Failure> {
    if package.module().is_some() {
        let message = format!("{} is a tracker module; only packages are written", input.label);
        return Err(Failure::new(Exit::Unreadable, message));
    }
    if args.codec == ReplaceCodec::Opus {
        return Err(no_encoder("packages of Unreal Engine 1 to 3 have no Opus"));
    }
    input.spare(&args.output)?;
    let mut replacements = Vec::with_capacity(pairs.len());
    for (sound, file) in pairs {
        interrupt::check()?;
        let sound = select::one(package, &input.label, Some(sound))?;
        let mut bytes = Vec::new();
        open(file)?.read_to_end(&mut bytes).map_err(|error| unread(file, &error))?;
        let wav = WavFile::new(bytes).map_err(|error| unfit(file, &error))?;
        replacements.push(PackageReplacement { sound: sound.object.clone(), wav });
    }
    let (source, options) = input.source();
    let bytes = replace_in_package(source, options, &replacements).map_err(|(place, error)| {
        let sound = replacements.get(place).map(|replacement| replacement.sound.to_string());
        Failure::new(Exit::Unreadable, format!("{}: {error}", sound.unwrap_or_default()))
    })?;
    let mut output = OutputFile::create_with_folders(&args.output, args.force)?;
    let label = args.output.display().to_string();
    output.write_all(&bytes).map_err(|error| Failure::of_output(&label, &error))?;
    output.publish(console.out())?;
    Ok((args.output.clone(), bytes.len() as u64))
}

fn no_encoder(message: &str) -> Failure {
    Failure::new(Exit::Usage, message).hint("--codec pcm stores the recording as it is")
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

fn open(file: &Path) -> Result<File, Failure> {
    File::open(file).map_err(|error| unread(file, &error))
}

fn unread(file: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::Unreadable, format!("cannot read {}: {}", file.display(), reason(error)))
}

fn unfit(file: &Path, error: &RecordingError) -> Failure {
    Failure::new(Exit::Unreadable, format!("{}: {error}", file.display()))
}
