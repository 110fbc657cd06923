//! `usampler extract`: the sounds of packages as files, `DIR/<package>/<Group.Name>.<ext>`; those of a tracker module
//! in a package in a folder of their own, `DIR/<package>/<Group.Name>/<Name>.wav`.

mod banks;
mod modules;

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use exporter::wav::{self, WavError};
use importer::{DecodedSound, Format, Sound, SoundFile, Status};
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
use exporter::UniqueNames;
use exporter::filename::safe;
use exporter::output_file::{self, OutputFile};

/// Extracts the sounds of each file, working on several at once.
///
/// # Errors
/// If the filter makes no sense, a file is in the way, or something cannot be written.
pub fn run(args: &Extract, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = SoundFilter::new(&args.filter)?;
    if args.output.as_os_str() == "-" {
        let failure = Failure::new(Exit::Usage, "extract writes a folder of files, not standard output");
        return Err(failure.hint("`render FILE SOUND -o -` writes one sound there; a folder called - is ./-"));
    }
    if args.sfz && args.format != ExtractFormat::Wav {
        return Err(Failure::new(Exit::Usage, "--sfz refers to WAV files; leave out --format original"));
    }
    let (names, found) = (Mutex::new(GivenNames::new()), AtomicUsize::new(0));
    let exit = super::for_each(&args.inputs.files, threads, console, |file, console| {
        let input = Input::open(file, &args.inputs.reading)?;
        interrupt::watch()?;
        let package = input.package()?;
        let opened = input.report(&package, console);
        let sounds = chosen(args, &package, |sound| filter.passes(sound));
        // What a package's files are called depends on those before it, and so does whether it may be begun at all: one
        // whose files are in the way of something ends the whole.
        let plan = console.in_order(|| {
            let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
            let mut plan = names.plan(args, &package, &sounds);
            input.prefix().clone_into(&mut plan.label);
            plan.skip_existing(args);
            plan.is_free(args, &input)?;
            modules::check(args, &package, &input, &mut plan, &filter).map(|()| plan)
        })?;
        let count = sounds.len() + plan.modules.len();
        if count == 0 && args.filter.is_active() {
            return Ok(opened);
        }
        found.fetch_add(count, Relaxed);
        if let Some(bytes) = plan.much_from(args, &input) {
            let (bytes, stored) = (text::size(bytes), text::size(input.stored_len()));
            console
                .warn(format_args!("{}: {stored} become {bytes} of sound, much of it the same", plan.label));
        }
        let own = write(args, &package, &plan, console)?;
        let inner = modules::write(args, &package, &input, &plan, &filter, console)?;
        let all = [opened, own, inner];
        Ok(all.into_iter().find(|exit| *exit != Exit::Done).unwrap_or(Exit::Done))
    })?;
    filter.check_found(found.into_inner())?;
    Ok(exit)
}

/// Returns the sounds that pass, and if they go into instrument files those that they play.
fn chosen<'p>(args: &Extract, package: &'p SoundFile<'_>, passes: impl Fn(&Sound) -> bool) -> Vec<&'p Sound> {
    let passing = || package.sounds().iter().filter(|sound| passes(sound));
    let played: HashSet<usize> =
        if args.sfz || args.sf2 { passing().flat_map(Sound::plays).collect() } else { HashSet::new() };
    let sounds = package.sounds().iter();
    sounds.filter(|sound| passes(sound) || played.contains(&sound.number)).collect()
}

/// Names that were given, of all packages together.
struct GivenNames {
    folders: UniqueNames,
    flat: UniqueNames,
    flat_banks: UniqueNames,
}

impl GivenNames {
    fn new() -> Self {
        let [folders, flat, flat_banks] = [(); 3].map(|()| UniqueNames::of_files());
        Self { folders, flat, flat_banks }
    }

    fn plan<'p>(
        &mut self,
        args: &Extract,
        package: &'p SoundFile<'_>,
        sounds: &[&'p Sound],
    ) -> ExtractPlan<'p> {
        let name = safe(package.name());
        // Other packages write there only if all are flat; sounds never have the extension of a bank.
        if args.flat {
            let stem = self.flat_banks.unique(&name);
            return ExtractPlan::new(args, package, &args.output, &stem, sounds, &mut self.flat);
        }
        let folder = args.output.join(self.folders.unique(&name));
        ExtractPlan::new(args, package, &folder, &name, sounds, &mut UniqueNames::of_files())
    }
}

/// Which sound goes to which file, and which cannot.
struct ExtractPlan<'p> {
    /// What to call the package in messages: packages of one name are distinguished by where they are.
    label: String,
    folder: PathBuf,
    /// Where the bytes of the whole file go: a tracker module stores none of its sounds apart.
    whole: Option<PathBuf>,
    files: Vec<(&'p Sound, PathBuf)>,
    left_out: Vec<(&'p Sound, String)>,
    /// Sounds whose files are there already and stay as they are.
    existing: HashSet<usize>,
    /// Tracker modules in a package, and the folders that their samples go to.
    modules: Vec<(&'p Sound, PathBuf)>,
    /// Groups and cues: they have no audio of their own.
    arranged: Vec<&'p Sound>,
    banks: Vec<banks::BankFile>,
    /// By sound: files with the loop written out, for players that cannot play it as it is.
    loops: Vec<(usize, PathBuf)>,
}

impl<'p> ExtractPlan<'p> {
    fn new(
        args: &Extract,
        package: &'p SoundFile<'_>,
        folder: &Path,
        stem: &str,
        sounds: &[&'p Sound],
        taken: &mut UniqueNames,
    ) -> Self {
        let module = package.module().filter(|_| args.format == ExtractFormat::Original);
        let format = module.map(|module| Format::from(module.raw.format()).name());
        let whole = format.map(|format| folder.join(format!("{stem}.{format}")));
        let sounds = if whole.is_some() { &[] } else { sounds };
        let mut plan = Self {
            label: package.name().to_owned(),
            folder: folder.to_owned(),
            whole,
            files: Vec::new(),
            left_out: Vec::new(),
            existing: HashSet::new(),
            modules: Vec::new(),
            arranged: Vec::new(),
            banks: banks::plan(args, stem, folder),
            loops: Vec::new(),
        };
        // The paths of a game begin at its root.
        let root = if package.is_game() { "/" } else { "" };
        let file_name = |sound: &Sound| {
            let path = sound.path();
            safe(path.strip_prefix(root).unwrap_or(&path))
        };
        for sound in sounds {
            let is_opened = sound.module().is_some() && args.format == ExtractFormat::Wav;
            if sound.is_vacant() || is_opened {
                continue;
            }
            if !sound.is_recording() {
                plan.arranged.push(sound);
                continue;
            }
            let extension = match (format_of(args, sound), &sound.status) {
                (ExtractFormat::Wav, Status::Ok) => "wav",
                (ExtractFormat::Original, _) if sound.payload().is_some() => {
                    sound.format().map_or("bin", Format::name)
                }
                (_, status) => {
                    plan.left_out
                        .push((sound, status.reason().unwrap_or_else(|| "it has no bytes".to_owned())));
                    continue;
                }
            };
            // Unique without the extension: `Fire.wav` and `Fire.xm` of one package would be taken for one another.
            let stem = taken.unique(&file_name(sound));
            plan.files.push((sound, plan.folder.join(format!("{stem}.{extension}"))));
        }
        if args.format == ExtractFormat::Wav {
            let mut folder = |sound: &Sound| folder.join(taken.unique(&file_name(sound)));
            plan.modules = package.modules().map(|(sound, _)| (sound, folder(sound))).collect();
        }
        plan.loops = banks::plan_loops(&plan);
        plan
    }

    /// Returns how many bytes of sound are written, if they are many times those of the file: its sounds share them.
    fn much_from(&self, args: &Extract, input: &Input) -> Option<u64> {
        /// How much more is worth a word.
        const TIMES: u64 = 100;
        let stored = |sound: &Sound| match (args.format, sound.audio()) {
            (ExtractFormat::Wav, Some(audio)) => {
                let value = u64::from(audio.bits.unwrap_or(16)).div_ceil(8);
                audio.frames.unwrap_or(0).saturating_mul(value.saturating_mul(audio.channels.min(2).into()))
            }
            (ExtractFormat::Wav, None) => 0,
            (ExtractFormat::Original, _) => sound.payload().map_or(0, |payload| payload.uncompressed_len()),
        };
        let bytes = self.files.iter().map(|(sound, _)| stored(sound)).fold(0, u64::saturating_add);
        (bytes > input.stored_len().saturating_mul(TIMES)).then_some(bytes)
    }

    /// Leaves out the files that are there, if the user wants that.
    fn skip_existing(&mut self, args: &Extract) {
        if args.skip_existing {
            let is_there = |path: &Path| output_file::check_free(path).is_err();
            let existing = self.files.iter().filter(|(_, path)| is_there(path));
            self.existing = existing.map(|(sound, _)| sound.number).collect();
            self.whole.take_if(|path| is_there(path));
            self.banks.retain(|bank| !is_there(&bank.path));
            self.loops.retain(|(_, path)| !is_there(path));
        }
    }

    /// # Errors
    /// If writing would destroy the input, or anything else that the user has not given up.
    fn is_free(&self, args: &Extract, input: &Input) -> Result<(), Failure> {
        let banks = self.banks.iter().map(|bank| &bank.path);
        let loops = self.loops.iter().map(|(_, path)| path);
        let files = self.files.iter().filter(|(sound, _)| !self.existing.contains(&sound.number));
        for path in files.map(|(_, path)| path).chain(banks).chain(loops).chain(&self.whole) {
            input.spare(path)?;
            if !args.force {
                output_file::check_free(path)
                    .map_err(|error| Failure::from(error).hint("nothing of this package was written"))?;
            }
        }
        Ok(())
    }
}

fn write(
    args: &Extract,
    package: &SoundFile<'_>,
    plan: &ExtractPlan<'_>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let mut failed = 0;
    let mut left_out = |sound: &Sound, reason: &dyn Display, console: &mut Console<'_>| {
        failed += 1;
        let reason = memory::with_hint(&reason.to_string());
        console.warn(format_args!("#{} {}: not extracted: {reason}", sound.number, sound.path()));
    };
    for (sound, reason) in &plan.left_out {
        left_out(sound, reason, console);
    }
    if !args.dry_run && (!plan.files.is_empty() || plan.whole.is_some()) {
        output_file::make_folder(&args.output, &plan.folder, args.force)?;
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
                Ok(contents) => put(path, args.force, console, |output| contents.write(output))?,
                Err(reason) => Err(reason.into()),
            };
            if let Err(reason) = written {
                left_out(sound, &reason, console);
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
    package: &SoundFile<'_>,
    plan: &ExtractPlan<'_>,
    path: &Path,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if !args.dry_run {
        let written = put(path, args.force, console, |output| {
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
    fn of(format: ExtractFormat, package: &SoundFile<'_>, sound: &Sound) -> Result<Self, importer::Error> {
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

/// Writes a file whole or not at all: a cut-off one would look like a sound. What is wrong with its contents is given
/// back.
fn put(
    path: &Path,
    force: bool,
    console: &mut Console<'_>,
    write: impl FnOnce(&mut OutputFile) -> Result<(), ExtractError>,
) -> Result<Result<(), Box<dyn Error>>, Failure> {
    let mut output = OutputFile::create(path, force)?;
    match write(&mut output) {
        Ok(()) => Ok(Ok(output.publish(console.out())?)),
        Err(ExtractError::Output(error)) => Err(Failure::of_output(output.label(), &error)),
        Err(ExtractError::Contents(reason)) => Ok(Err(reason)),
    }
}
