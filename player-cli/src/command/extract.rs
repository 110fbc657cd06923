//! `usampler extract`: the sounds of packages as files, `DIR/<package>/<Group.Name>.<ext>`.

mod banks;

use std::fmt::Display;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use importer::{Opened, Sound, Status};

use crate::args::{Extract, ExtractFormat};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::filename::{Taken, safe};
use crate::input::Input;
use crate::interrupt;
use crate::output::{self, Output};
use crate::select::Filter;

/// Extracts the sounds of each file.
///
/// # Errors
/// If the filter makes no sense, a file is in the way, or something cannot be written.
pub fn run(args: &Extract, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = Filter::new(args.filter.as_deref())?;
    if args.sfz && args.format != ExtractFormat::Wav {
        return Err(Failure::new(Exit::Usage, "--sfz refers to WAV files; leave out --format original"));
    }
    let mut folders = Taken::default();
    let (mut flat, mut flat_banks) = (Taken::default(), Taken::default());
    super::for_each(&args.inputs.files, console, |file, console| {
        let input = Input::open(file, args.inputs.reading)?;
        interrupt::watch()?;
        let package = input.package()?;
        let (folder, mut own) = if args.flat {
            (args.output.clone(), None)
        } else {
            (args.output.join(folders.unique(&safe(package.name()))), Some(Taken::default()))
        };
        let taken = own.as_mut().unwrap_or(&mut flat);
        let sounds: Vec<&Sound> = package.sounds().iter().filter(|sound| filter.passes(sound)).collect();
        let mut plan = plan(args.format, &sounds, &folder, taken);
        // Other packages write there only if all are flat; sounds never have the extension of a bank.
        let name = safe(package.name());
        let stem = if args.flat { flat_banks.unique(&name) } else { name };
        plan.banks = banks::plan(args, &stem, &folder);
        write(args, &input, &package, &plan, &folder, console)
    })
}

/// Which sound goes to which file, and which cannot.
struct Plan<'p> {
    files: Vec<(&'p Sound, PathBuf)>,
    left_out: Vec<(&'p Sound, String)>,
    /// Groups and cues: they have no audio of their own.
    arranged: Vec<&'p Sound>,
    banks: Vec<banks::Bank>,
}

impl Plan<'_> {
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().map(|(_, path)| path).chain(self.banks.iter().map(|bank| &bank.path))
    }
}

fn plan<'p>(format: ExtractFormat, sounds: &[&'p Sound], folder: &Path, taken: &mut Taken) -> Plan<'p> {
    let mut plan = Plan { files: Vec::new(), left_out: Vec::new(), arranged: Vec::new(), banks: Vec::new() };
    for sound in sounds {
        if sound.part.is_some() {
            plan.arranged.push(sound);
            continue;
        }
        let extension = match (format, &sound.status) {
            (ExtractFormat::Wav, Status::Ok) => "wav",
            (ExtractFormat::Original, _) if sound.payload.is_some() => {
                sound.format.map_or("bin", importer::Format::name)
            }
            (_, status) => {
                plan.left_out.push((sound, status.reason().unwrap_or("it has no bytes").to_owned()));
                continue;
            }
        };
        // Unique without the extension: `Fire.wav` and `Fire.xm` of one package would be taken for one another.
        let stem = taken.unique(&safe(&sound.path()));
        plan.files.push((sound, folder.join(format!("{stem}.{extension}"))));
    }
    plan
}

fn write(
    args: &Extract,
    input: &Input,
    package: &Opened<'_>,
    plan: &Plan<'_>,
    folder: &Path,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    for path in plan.paths() {
        input.spare(path)?;
        if !args.force {
            output::free(path).map_err(|failure| failure.hint("nothing of this package was written"))?;
        }
    }
    let mut failed = 0;
    let mut left_out = |sound: &Sound, reason: &dyn Display, console: &mut Console<'_>| {
        failed += 1;
        console.warn(format_args!("#{} {}: not extracted: {reason}", sound.number, sound.path()));
    };
    for (sound, reason) in &plan.left_out {
        left_out(sound, reason, console);
    }
    if !args.dry_run && !plan.files.is_empty() {
        fs::create_dir_all(folder).map_err(|e| Failure::of_output(&folder.display().to_string(), &e))?;
    }
    for (done, (sound, path)) in plan.files.iter().enumerate() {
        interrupt::check()?;
        if !args.dry_run {
            console.progress(format_args!("{done}/{} sounds of {}", plan.files.len(), package.name()));
            match bytes(args.format, package, sound) {
                Ok(bytes) => put(path, &bytes, args.force, console)?,
                Err(error) => {
                    left_out(sound, &error, console);
                    continue;
                }
            }
        }
        console.print_line(path.display())?;
    }
    console.end_progress();
    let failed_banks = banks::write(args, package, plan, console)?;
    let all = plan.files.len() + plan.left_out.len();
    let verb = if args.dry_run { "would be written" } else { "written" };
    console.say(format_args!("{}: {} of {all} sounds {verb}", package.name(), all - failed));
    if !plan.arranged.is_empty() && plan.banks.is_empty() {
        let count = plan.arranged.len();
        let advice = "they play the others; --sfz or --sf2 keeps that";
        console.say(format_args!("{}: {count} groups and cues left out: {advice}", package.name()));
    }
    Ok(if failed + failed_banks == 0 { Exit::Done } else { Exit::Partly })
}

fn bytes(
    format: ExtractFormat,
    package: &Opened<'_>,
    sound: &Sound,
) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    match format {
        ExtractFormat::Original => Ok(package.payload(sound.number)?),
        ExtractFormat::Wav => Ok(engine::offline::wav::of_sample(&package.sample(sound.number)?)?),
    }
}

/// Writes a file whole or not at all: a cut-off one would look like a sound.
fn put(path: &Path, bytes: &[u8], force: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    let mut output = Output::create(path, force)?;
    output.write_all(bytes).map_err(|error| Failure::of_output(output.label(), &error))?;
    output.publish(console.out())
}
