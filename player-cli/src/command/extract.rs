//! `usampler extract`: the sounds of packages as files, as [`player::extract`] names and writes them.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use exporter::disk_space::TIMES;
use importer::Sound;
use player::extract::{ExtractError, ExtractEvent, ExtractOutputs, ExtractPlan, ExtractSource, ExtractedRow};

use crate::args::Extract;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::import;
use crate::input::InputFile;
use crate::interrupt;
use crate::memory;
use crate::select;
use crate::view::{json, text};

/// Extracts the sounds of each file, working on several at once.
///
/// # Errors
/// If the filter makes no sense, a file is in the way, or something cannot be written.
pub fn run(args: &Extract, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = select::filter(&args.filter)?;
    let passes = |sound: &Sound| filter.passes(sound);
    if args.output.as_ref().is_some_and(|output| output.as_os_str() == "-") {
        let failure = Failure::new(Exit::Usage, "extract writes a folder of files, not standard output");
        return Err(failure.hint("`render FILE SOUND -o -` writes one sound there; a folder called - is ./-"));
    }
    let options = args.options();
    options.check()?;
    let (outputs, found) = (Mutex::new(ExtractOutputs::new(&options)), AtomicUsize::new(0));
    let exit = super::for_each(&args.inputs.files, threads, console, |file, console| {
        let input = InputFile::open(file, &args.inputs.reading)?;
        interrupt::watch()?;
        let package = input.package()?;
        let opened = input.report(&package, console);
        let sounds = options.chosen(&package, passes);
        let source = ExtractSource {
            file,
            name: input.name(),
            label: input.prefix(),
            stored_len: input.stored_len(),
            is_one_package: input.is_one_package(),
            key: input.content_key(args.as_stored),
            keep: &|overwrite| input.kept(overwrite),
        };
        // One whose files are in the way of something ends the whole.
        let plan = console.in_order(|| {
            let mut outputs = outputs.lock().unwrap_or_else(PoisonError::into_inner);
            Ok::<_, Failure>(outputs.plan(&source, &package, &sounds, &passes)?)
        })?;
        let count = sounds.len() + plan.modules().len();
        if count == 0 && args.filter.is_active() {
            return Ok(opened);
        }
        found.fetch_add(count, Relaxed);
        if plan.bytes() > source.stored_len.saturating_mul(TIMES) {
            let (bytes, stored) = (text::size(plan.bytes()), text::size(source.stored_len));
            console.warn(format_args!(
                "{}: {stored} expand to {bytes} of sound; much of it is repeated data",
                plan.label()
            ));
        }
        // Several files are extracted at once, the sounds of one too if it is the only one.
        let threads = if args.inputs.files == [file] { threads } else { NonZeroUsize::MIN };
        let mut all = vec![opened, write(args, &plan, threads, console)?];
        for module in plan.modules() {
            let music = input.music(&package, module.0.number)?;
            let inner = plan.of_module(&music, module, &passes);
            all.push(match write(args, &inner, NonZeroUsize::MIN, console)? {
                Exit::Done => Exit::Done,
                _ => Exit::Partly,
            });
        }
        Ok(all.into_iter().find(|exit| *exit != Exit::Done).unwrap_or(Exit::Done))
    })?;
    outputs.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
    select::check_found(&args.filter, found.into_inner())?;
    Ok(exit)
}

fn write(
    args: &Extract,
    plan: &ExtractPlan<'_>,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    import::report_adjusted(
        plan.adjustment_problem(),
        plan.adjusted(),
        &format!("{}: ", plan.label()),
        console,
    );
    let extracted = plan.write(threads, &mut |event| watch(args, plan, &event, console))?;
    extracted.summary(plan).into_iter().for_each(|line| console.say(line));
    let exit = if extracted.is_whole() { Exit::Done } else { Exit::Partly };
    if plan.is_whole() {
        return Ok(exit);
    }
    let playing = plan.arranged().iter().filter(|sound| sound.zones().is_some()).count();
    if playing > 0 && !plan.has_instrument_files() {
        let what = if plan.package().module().is_some() { "instruments" } else { "groups and cues" };
        let advice = "they play other sounds; --sfz or --sf2 keeps them";
        console.say(format_args!("{}: {what} left out: {playing}; {advice}", plan.label()));
    }
    for sound in plan.arranged().iter().filter(|sound| sound.zones().is_none()) {
        let reason = sound.status.reason().unwrap_or_else(|| "it plays nothing".to_owned());
        console.detail(format_args!("#{} {}: {reason}", sound.number, sound.path()));
    }
    Ok(exit)
}

/// Prints what happens to a package, until the user interrupts.
fn watch(
    args: &Extract,
    plan: &ExtractPlan<'_>,
    event: &ExtractEvent<'_>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    match *event {
        ExtractEvent::Next { done, total } => {
            interrupt::check()?;
            if !args.dry_run {
                console.progress(
                    done as f64,
                    Some(total as f64),
                    "sounds",
                    format_args!("of {}", plan.package().name()),
                );
            }
        }
        ExtractEvent::Decoding(progress) => import::show(plan.package(), progress, console),
        ExtractEvent::Decoded(report) => {
            console.end_progress();
            import::report(report, console);
        }
        ExtractEvent::SoundsDone => console.end_progress(),
        ExtractEvent::Written { sound, path } => print(args, plan, sound, path, console)?,
        ExtractEvent::Clipped { sound, values } => {
            let clipped = "values beyond full scale were clipped; a lower gain in jam avoids that";
            console.warn(format_args!("#{} {}: {values} {clipped}", sound.number, sound.path()));
        }
        ExtractEvent::LeftOut { sound, reason, is_over_limit } => {
            let reason = memory::with_hint(reason, is_over_limit);
            console.warn(format_args!("#{} {}: not extracted: {reason}", sound.number, sound.path()));
        }
        ExtractEvent::ModuleLeftOut { reason } => {
            console.warn(format_args!("{}: not extracted: {reason}", plan.label()));
        }
        ExtractEvent::InstrumentFileLeftOut { path, reason } => {
            console.warn(format_args!("{}: not written: {reason}", path.display()));
        }
        ExtractEvent::LeftOutOfModule { path, sound, reason } => {
            let (number, name) = (sound.number, sound.path());
            console.warn(format_args!("{}: #{number} {name} left out: {reason}", path.display()));
        }
        ExtractEvent::Changed { path, change, sounds } => {
            console.say(format_args!("{}: {change}: {sounds}", path.display()));
        }
        ExtractEvent::Simplified { path, instruments } => {
            let what = "instruments that vary or choose between sounds; a SoundFont keeps one of them";
            console.say(format_args!("{}: {what}: {instruments}", path.display()));
        }
        ExtractEvent::Lost { path, loss, instruments } => {
            console.say(format_args!("{}: {loss}: {instruments}", path.display()));
        }
        _ => {}
    }
    Ok(())
}

/// Prints the path of a file, unless the user wants to see nothing but problems.
fn print(
    args: &Extract,
    plan: &ExtractPlan<'_>,
    sound: Option<&Sound>,
    path: &Path,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    if args.json {
        json::print(console.out(), &ExtractedRow::new(plan.label(), sound, path))?;
    } else if !console.is_quiet() {
        writeln!(console.out(), "{}", path.display())?;
    }
    Ok(())
}

impl From<ExtractError> for Failure {
    fn from(error: ExtractError) -> Self {
        match error {
            ExtractError::Blocked(error) => Self::from(error).hint("nothing of this package was written"),
            ExtractError::Output(error) => error.into(),
            ExtractError::Space { label, error } => Self::of_space(&label, &error),
            ExtractError::Song(error) => error.into(),
            ExtractError::Options => {
                let why = "--sfz, --sf2, --it and --xm need decoded sounds; leave out --format original";
                Self::new(Exit::Usage, why)
            }
            error => Self::new(Exit::NotWritable, error.to_string()),
        }
    }
}
