//! `usampler extract`: the sounds of packages as files, `DIR/<package>/<Group.Name>.<ext>`; those of a tracker module
//! in a package in a folder of their own, `DIR/<package>/<Group.Name>/<Name>.wav`; those of games in the folders of
//! the game.

mod banks;
mod modules;
mod plan;

use std::collections::HashSet;
use std::error::Error;
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use exporter::wav::{self, WavError};
use importer::{DecodedSound, Format, Sound, SoundFile};
use serde::Serialize;
use song::Sample;

use crate::args::{Extract, ExtractFormat};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::interrupt;
use crate::memory;
use crate::select::SoundFilter;
use crate::view::{json, text};
use exporter::disk_space::TIMES;
use exporter::output_file::OutputFile;
use plan::{ExtractPlan, Outputs};

/// Extracts the sounds of each file, working on several at once.
///
/// # Errors
/// If the filter makes no sense, a file is in the way, or something cannot be written.
pub fn run(args: &Extract, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = SoundFilter::new(&args.filter)?;
    if args.output.as_ref().is_some_and(|output| output.as_os_str() == "-") {
        let failure = Failure::new(Exit::Usage, "extract writes a folder of files, not standard output");
        return Err(failure.hint("`render FILE SOUND -o -` writes one sound there; a folder called - is ./-"));
    }
    if args.sfz && args.format != ExtractFormat::Wav {
        return Err(Failure::new(Exit::Usage, "--sfz refers to WAV files; leave out --format original"));
    }
    let (outputs, found) = (Mutex::new(Outputs::new(args)), AtomicUsize::new(0));
    let exit = super::for_each(&args.inputs.files, threads, console, |file, console| {
        let input = Input::open(file, &args.inputs.reading)?;
        interrupt::watch()?;
        let package = input.package()?;
        let opened = input.report(&package, console);
        let sounds = chosen(args, &package, |sound| filter.passes(sound));
        // What a package's files are called depends on those before it, and so does whether it may be begun at all: one
        // whose files are in the way of something ends the whole.
        let (plan, bytes) = console.in_order(|| {
            let mut outputs = outputs.lock().unwrap_or_else(PoisonError::into_inner);
            let mut plan = outputs.plan(file, &input, &package, &sounds);
            input.prefix().clone_into(&mut plan.label);
            plan.skip_existing(args);
            plan.is_free()?;
            let of_modules = modules::check(args, &package, &mut plan, &filter)?;
            let bytes = plan.bytes(args).saturating_add(of_modules);
            if !args.dry_run {
                outputs.reserve(&plan, &input, bytes)?;
            }
            Ok::<_, Failure>((plan, bytes))
        })?;
        let count = sounds.len() + plan.modules.len();
        if count == 0 && args.filter.is_active() {
            return Ok(opened);
        }
        found.fetch_add(count, Relaxed);
        if bytes > input.stored_len().saturating_mul(TIMES) {
            let (bytes, stored) = (text::size(bytes), text::size(input.stored_len()));
            console
                .warn(format_args!("{}: {stored} become {bytes} of sound, much of it the same", plan.label));
        }
        let own = write(args, &package, &plan, console)?;
        let inner = modules::write(args, &package, &input, &plan, &filter, console)?;
        let all = [opened, own, inner];
        Ok(all.into_iter().find(|exit| *exit != Exit::Done).unwrap_or(Exit::Done))
    })?;
    outputs.into_inner().unwrap_or_else(PoisonError::into_inner).batch.finish()?;
    filter.check_found(found.into_inner())?;
    Ok(exit)
}

/// Returns the sounds that pass, and if they go into instrument files those that they play.
fn chosen<'p>(args: &Extract, package: &'p SoundFile, passes: impl Fn(&Sound) -> bool) -> Vec<&'p Sound> {
    let passing = || package.sounds().iter().filter(|sound| passes(sound));
    let played: HashSet<usize> =
        if args.sfz || args.sf2 { passing().flat_map(Sound::plays).collect() } else { HashSet::new() };
    let sounds = package.sounds().iter();
    sounds.filter(|sound| passes(sound) || played.contains(&sound.number)).collect()
}

fn write(
    args: &Extract,
    package: &SoundFile,
    plan: &ExtractPlan<'_>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let mut failed = 0;
    let mut left_out = |sound: &Sound, reason: &str, is_over_limit: bool, console: &mut Console<'_>| {
        failed += 1;
        let reason = memory::with_hint(reason, is_over_limit);
        console.warn(format_args!("#{} {}: not extracted: {reason}", sound.number, sound.path()));
    };
    for (sound, reason) in &plan.left_out {
        left_out(sound, reason, false, console);
    }
    if let Some(path) = &plan.whole {
        return write_whole(args, package, plan, path, console);
    }
    for (done, (sound, path)) in plan.files.iter().enumerate() {
        interrupt::check()?;
        if plan.existing.contains(&sound.number) {
            continue;
        }
        if !args.dry_run {
            let (done, total) = (done as f64, Some(plan.files.len() as f64));
            console.progress(done, total, "sounds", format_args!("of {}", package.name()));
            // No file is begun for what cannot be decoded.
            let written = match FileContents::of(format_of(args, sound), package, sound) {
                Ok(contents) => put(plan, path, |output| contents.write(output))?,
                Err(reason) => Err(reason.into()),
            };
            if let Err(reason) = written {
                let error = reason.downcast_ref::<importer::Error>();
                let is_over_limit = error.is_some_and(importer::Error::is_over_limit);
                left_out(sound, &reason.to_string(), is_over_limit, console);
                continue;
            }
        }
        report(args, plan, Some(sound), path, console)?;
    }
    console.end_progress();
    let failed_banks = banks::write(args, package, plan, console)?;
    let all = plan.files.len() + plan.left_out.len();
    let verb = if args.dry_run { "would be written" } else { "written" };
    if all > 0 || plan.modules.is_empty() {
        let existing = plan.existing.len();
        let written = match all - failed - existing {
            written if written + existing == all => text::counted(written),
            written => format!("{written} of {}", text::counted(all)),
        };
        let existing = match existing {
            0 => String::new(),
            existing => format!(", {existing} already there"),
        };
        let to = match all {
            0 => String::new(),
            _ => format!(" to {}", plan.folder.display()),
        };
        console.say(format_args!("{}: {written} {verb}{to}{existing}", plan.label));
    }
    let playing = plan.arranged.iter().filter(|sound| sound.zones().is_some()).count();
    if playing > 0 && plan.banks.is_empty() {
        let what = if package.module().is_some() { "instruments" } else { "groups and cues" };
        let advice = "they play other sounds; --sfz or --sf2 keeps them";
        console.say(format_args!("{}: {what} left out: {playing}; {advice}", plan.label));
    }
    for sound in plan.arranged.iter().filter(|sound| sound.zones().is_none()) {
        let reason = sound.status.reason().unwrap_or_else(|| "it plays nothing".to_owned());
        console.detail(format_args!("#{} {}: {reason}", sound.number, sound.path()));
    }
    Ok(if failed + failed_banks == 0 { Exit::Done } else { Exit::Partly })
}

/// Returns the format in which a sound is written: notes are no audio, and stay what they are.
fn format_of(args: &Extract, sound: &Sound) -> ExtractFormat {
    if sound.format() == Some(Format::Midi) { ExtractFormat::Original } else { args.format }
}

/// Prints the path of a file, unless the user wants to see nothing but problems.
fn report(
    args: &Extract,
    plan: &ExtractPlan<'_>,
    sound: Option<&Sound>,
    path: &Path,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    if args.json {
        let row = FileRow {
            schema: "usampler.extracted/1",
            file: &plan.label,
            index: sound.map(|sound| sound.number),
            name: sound.map(Sound::path),
            path: path.display().to_string(),
        };
        json::print(console.out(), &row)?;
    } else if !console.is_quiet() {
        writeln!(console.out(), "{}", path.display())?;
    }
    Ok(())
}

/// An extracted file, as JSON.
#[derive(Serialize)]
struct FileRow<'a> {
    schema: &'static str,
    file: &'a str,
    index: Option<usize>,
    name: Option<String>,
    path: String,
}

/// Writes a tracker module as it is stored.
fn write_whole(
    args: &Extract,
    package: &SoundFile,
    plan: &ExtractPlan<'_>,
    path: &Path,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if !args.dry_run {
        let written = put(plan, path, |output| {
            let bytes = package.bytes().map_err(ExtractError::contents)?;
            output.write_all(&bytes).map_err(ExtractError::Output)
        })?;
        if let Err(reason) = written {
            console.warn(format_args!("{}: not extracted: {reason}", plan.label));
            return Ok(Exit::Partly);
        }
    }
    report(args, plan, None, path, console)?;
    let verb = if args.dry_run { "would be written" } else { "written" };
    console.say(format_args!("{}: the module {verb}", plan.label));
    Ok(Exit::Done)
}

/// What is written to a sound's file.
enum FileContents {
    Original(Vec<u8>),
    Wav(DecodedSound),
}

impl FileContents {
    fn of(format: ExtractFormat, package: &SoundFile, sound: &Sound) -> Result<Self, importer::Error> {
        Ok(match format {
            ExtractFormat::Original => Self::Original(package.payload(sound.number)?),
            ExtractFormat::Wav => Self::Wav(package.sample(sound.number)?),
        })
    }

    fn write(&self, output: &mut OutputFile) -> Result<(), ExtractError> {
        match self {
            Self::Original(bytes) => output.write_all(bytes).map_err(ExtractError::Output),
            Self::Wav(sample) => write_sample(output, sample),
        }
    }
}

fn write_sample(output: &mut OutputFile, sample: &Sample) -> Result<(), ExtractError> {
    wav::write_sample(output, sample).map_err(|error| match error {
        WavError::Io(error) => ExtractError::Output(error),
        other => ExtractError::contents(other),
    })
}

/// Why a file could not be written.
enum ExtractError {
    /// Nothing can be written there, and so nothing else either.
    Output(io::Error),
    /// There is nothing to be written.
    Contents(Box<dyn Error>),
}

impl ExtractError {
    fn contents(error: impl Error + 'static) -> Self {
        Self::Contents(Box::new(error))
    }
}

/// Writes a file whole or not at all: a cut-off one would look like a sound. Its folder is made. What is wrong with its
/// contents is given back.
fn put(
    plan: &ExtractPlan<'_>,
    path: &Path,
    write: impl FnOnce(&mut OutputFile) -> Result<(), ExtractError>,
) -> Result<Result<(), Box<dyn Error>>, Failure> {
    if let Some(folder) = path.parent() {
        plan.to.batch.make_folder(&plan.to.root, folder, plan.to.overwrite.is_forced())?;
    }
    let mut output = OutputFile::create(path, &plan.to.overwrite)?;
    match write(&mut output) {
        Ok(()) => Ok(Ok(output.publish_in(&plan.to.batch)?)),
        Err(ExtractError::Output(error)) => Err(Failure::of_output(output.label(), &error)),
        Err(ExtractError::Contents(reason)) => Ok(Err(reason)),
    }
}
