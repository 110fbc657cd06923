//! `usampler replace`: sounds of a game, or of a package, with other recordings.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use exporter::{OutputFile, Overwrite};
use importer::{SoundFile, read_regular_file, read_regular_text};
use modkit::replace::bank::{BankError, BankMod, BankRecording, are_of_banks, replace_in_game};
use modkit::replace::{
    EncodedRecording, LooseMod, Mod, PackageReplacement, RecordingError, ReplaceOptions, Replacement,
    SoundError, WavFile, has_extension, read_table, replace, replace_in_package,
};
use unreal::containers::mount::Mount;
use unreal::ue4to6::class::sound_wave::ReplaceError;

use super::asset;
use crate::args::{Replace, ReplaceCodec};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::input::InputFile;
use crate::interrupt;
use crate::select;
use crate::view::{printable, text};

/// Bytes of a table of sounds and recordings.
const MAX_TABLE: u64 = 64 << 20;
/// Bytes of a recording; no WAV file has more.
const MAX_RECORDING: u64 = u32::MAX as u64 + 8;

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
    let input = InputFile::open(&args.input.file, &args.input.reading)?;
    let package = input.package()?;
    let exit = input.report(&package, console);
    let recordings = pairs.iter().map(|(_, recording)| recording.clone()).chain(args.table.clone());
    let overwrite = input.kept(Overwrite::forced(args.force).keeping(recordings.collect()));
    let count = super::counted(pairs.len(), "sound");
    let request = ReplaceRequest { args, pairs: &pairs, overwrite: &overwrite };
    let written = match input.mount() {
        Some(mount) => in_game(request, &input, mount, &package, threads, console)?,
        None if BankMod::takes(&package, &args.input.file) => in_banks(request, &package, console)?,
        None => in_package(request, &input, &package, console)?,
    };
    if let Some((output, bytes)) = written {
        let what = format!("{count} replaced, {}", text::size(bytes));
        if has_extension(&output, &["pak", "utoc"]) {
            asset::say_packed(&what, &output, Some(&args.input.file), console);
        } else {
            console.say(format_args!("{what} in {}", output.display()));
        }
    }
    Ok(exit)
}

/// What is to be done.
#[derive(Clone, Copy)]
struct ReplaceRequest<'r> {
    args: &'r Replace,
    /// Which sounds take which recordings.
    pairs: &'r [(String, PathBuf)],
    overwrite: &'r Overwrite,
}

/// Writes a mod for a game; returns where, unless that was ended, and the bytes that it holds.
fn in_game(
    request: ReplaceRequest<'_>,
    input: &InputFile,
    mount: &Mount,
    package: &SoundFile,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Option<(PathBuf, u64)>, Failure> {
    let ReplaceRequest { args, pairs, .. } = request;
    let (version, mappings) = input.known();
    let options = ReplaceOptions { version, mappings };
    if are_of_banks(package, pairs.iter().map(|(sound, _)| sound.as_str())).map_err(of_bank)? {
        let made = replace_in_game(package, mount, bank_recordings(request, console)?, options);
        let (made, warnings) = made.map_err(of_bank)?;
        warnings.iter().for_each(|warning| console.warn(warning));
        return packed(request, made, mount, threads, console);
    }
    let mut replacements = Vec::with_capacity(pairs.len());
    for (sound, file) in pairs {
        interrupt::check()?;
        let sound = select::one(package, &input.label, Some(sound))?;
        let bytes = read(file)?;
        let recording = match args.codec {
            _ if args.keep => EncodedRecording::kept(bytes),
            ReplaceCodec::Opus => EncodedRecording::of_file(bytes).and_then(EncodedRecording::into_opus),
            ReplaceCodec::Pcm | ReplaceCodec::Vorbis => EncodedRecording::of_file(bytes),
        };
        let recording = recording.map_err(|error| unfit(file, &error))?;
        say_conversion(args, &sound.path(), file, recording.conversion(), console)?;
        replacements.push(Replacement { sound: sound.path(), recording });
    }
    let made = replace(mount, &replacements, options);
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
    for ((_, file), replacement) in pairs.iter().zip(&replacements) {
        if let Some(remark) = made.loop_remark(&replacement.recording) {
            console.say(format_args!("{}: {remark}", file.display()));
        }
    }
    if made.has_editor_packages || LooseMod::is_package(&args.output) {
        return loose(args, &made, request.overwrite, console);
    }
    packed(request, made, mount, threads, console)
}

/// Writes the container of a mod.
fn packed(
    ReplaceRequest { args, overwrite, .. }: ReplaceRequest<'_>,
    made: Mod,
    mount: &Mount,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Option<(PathBuf, u64)>, Failure> {
    let output = asset::mod_output(&args.output, made.kind)?;
    if args.dry_run {
        let files = made.kind.extensions().iter();
        return would_write(files.map(|extension| output.with_extension(extension)), console);
    }
    let bytes = made.files.iter().map(|file| file.size).fold(0, u64::saturating_add);
    let is_whole = asset::pack_mod(made, &output, mount, overwrite, threads, console)?;
    Ok(is_whole.then_some((output, bytes)))
}

/// Writes the changed packages as files: one under the name of the output, several below the folder that it is.
fn loose(
    args: &Replace,
    made: &Mod,
    overwrite: &Overwrite,
    console: &mut Console<'_>,
) -> Result<Option<(PathBuf, u64)>, Failure> {
    let files = LooseMod::plan(made, &args.output)
        .map_err(|error| Failure::new(Exit::Usage, error.to_string()).hint(error.hint()))?;
    if args.dry_run {
        return would_write(files.paths(), console);
    }
    let bytes = files.write(overwrite, console.out())?;
    Ok(Some((args.output.clone(), bytes)))
}

/// Prints the files that would be written.
fn would_write<T>(
    files: impl Iterator<Item = PathBuf>,
    console: &mut Console<'_>,
) -> Result<Option<T>, Failure> {
    let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
    writeln!(console.out(), "would write {}", printable(&files.join(", ")))?;
    Ok(None)
}

/// Says which file takes the place of a sound if nothing is written, and what is converted.
fn say_conversion(
    args: &Replace,
    sound: &str,
    file: &Path,
    conversion: Option<&str>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let file = file.display();
    match conversion {
        conversion if args.dry_run => {
            let line = format!("{sound}: {file}, {}", conversion.unwrap_or("as it is"));
            writeln!(console.out(), "{}", printable(&line))?;
        }
        Some(conversion) => console.say(format_args!("{file}: {conversion}")),
        None => {}
    }
    Ok(())
}

/// Writes a package of Unreal Engine 1 to 3; returns where, and its bytes.
fn in_package(
    request: ReplaceRequest<'_>,
    input: &InputFile,
    package: &SoundFile,
    console: &mut Console<'_>,
) -> Result<Option<(PathBuf, u64)>, Failure> {
    let ReplaceRequest { args, pairs, overwrite } = request;
    if package.module().is_some() {
        let message = format!("{} is a tracker module; only packages are written", input.label);
        return Err(Failure::new(Exit::Unreadable, message));
    }
    if args.codec == ReplaceCodec::Opus {
        return Err(no_encoder("packages of Unreal Engine 1 to 3 have no Opus"));
    }
    let mut replacements = Vec::with_capacity(pairs.len());
    for (sound, file) in pairs {
        interrupt::check()?;
        let sound = select::one(package, &input.label, Some(sound))?;
        let bytes = read(file)?;
        let wav = if args.keep { WavFile::kept(bytes) } else { WavFile::new(bytes) };
        let wav = wav.map_err(|error| unfit(file, &error))?;
        say_conversion(args, &sound.path(), file, wav.conversion(), console)?;
        replacements.push(PackageReplacement { sound: sound.object.clone(), wav });
    }
    let (source, options) = input.source();
    let bytes = replace_in_package(source, options, &replacements).map_err(|(place, error)| {
        let sound = replacements.get(place).map(|replacement| replacement.sound.to_string());
        Failure::new(Exit::Unreadable, format!("{}: {error}", sound.unwrap_or_default()))
    })?;
    if args.dry_run {
        return would_write([args.output.clone()].into_iter(), console);
    }
    let mut output = OutputFile::create_with_folders(&args.output, overwrite)?;
    let label = args.output.display().to_string();
    output.write_all(&bytes).map_err(|error| Failure::of_output(&label, &error))?;
    output.publish(console.out())?;
    Ok(Some((args.output.clone(), bytes.len() as u64)))
}

/// Writes the files of sound banks that change; returns where, and their bytes.
fn in_banks(
    request: ReplaceRequest<'_>,
    package: &SoundFile,
    console: &mut Console<'_>,
) -> Result<Option<(PathBuf, u64)>, Failure> {
    let ReplaceRequest { args, overwrite, .. } = request;
    let made = BankMod::plan(package, bank_recordings(request, console)?, &args.output).map_err(of_bank)?;
    made.warnings().iter().for_each(|warning| console.warn(warning));
    if args.dry_run {
        return would_write(made.paths(&args.output), console);
    }
    let bytes = made.write(&args.output, overwrite, console.out()).map_err(of_bank)?;
    Ok(Some((args.output.clone(), bytes)))
}

/// Reads the recordings for sound banks.
fn bank_recordings<'r>(
    ReplaceRequest { args, pairs, .. }: ReplaceRequest<'r>,
    console: &mut Console<'_>,
) -> Result<Vec<(&'r str, BankRecording)>, Failure> {
    if args.codec == ReplaceCodec::Opus {
        return Err(no_encoder("sound banks get PCM, or the bytes of a .wem file"));
    }
    let mut recordings = Vec::with_capacity(pairs.len());
    for (sound, file) in pairs {
        interrupt::check()?;
        let recording = BankRecording::of_file(read(file)?).map_err(|error| unfit(file, &error))?;
        say_conversion(args, sound, file, recording.conversion(), console)?;
        recordings.push((sound.as_str(), recording));
    }
    Ok(recordings)
}

fn of_bank(error: BankError) -> Failure {
    let exit = if error.is_usage() { Exit::Usage } else { Exit::Unreadable };
    match error {
        BankError::Write(error) => error.into(),
        error => error.hints().into_iter().fold(Failure::new(exit, error.to_string()), Failure::hint),
    }
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
    let text = read_regular_text(table, MAX_TABLE).map_err(|error| {
        Failure::new(Exit::Unreadable, format!("cannot read {label}: {}", reason(&error)))
    })?;
    let pairs = read_table(&text, table.parent().unwrap_or(Path::new("")));
    pairs.map_err(|error| Failure::new(Exit::Usage, format!("{label}: {error}")))
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    read_regular_file(file, MAX_RECORDING).map_err(|error| {
        Failure::new(Exit::Unreadable, format!("cannot read {}: {}", file.display(), reason(&error)))
    })
}

fn unfit(file: &Path, error: &RecordingError) -> Failure {
    let message = format!("{}: {error}", file.display());
    match error {
        RecordingError::KeepWav(_) => {
            Failure::new(Exit::Usage, message).hint("without --keep it is converted")
        }
        _ => Failure::new(Exit::Unreadable, message),
    }
}
