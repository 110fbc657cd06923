//! `usampler list`: the sounds of packages.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use importer::{Sound, SoundFile};
use modkit::report::sounds::SoundRow;
use player::sound_order::SoundOrder;

use crate::args::ListArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::InputFile;
use crate::select;
use crate::view::{json, printable, text};
use player::filter::SoundFilter;

/// Lists each file's sounds, working on several at once; those of several files as one list where they are sorted.
///
/// # Errors
/// If the filter makes no sense, nothing passes it or the output cannot be written.
pub fn run(args: &ListArgs, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = select::filter(&args.filter)?;
    if args.tsv {
        json::print_values(console.out(), &SoundRow::COLUMNS.map(str::to_owned))?;
    }
    let files = &args.inputs.files;
    let is_many = files.len() > 1 || files.iter().any(|file| file.is_dir());
    let is_one_list = is_many && args.sort != SoundOrder::Index;
    let (found, listed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let exit = super::for_each(files, threads, console, |file, console| {
        let input = InputFile::open(file, &args.inputs.reading)?;
        let package = input.package()?;
        let exit = input.report(&package, console);
        if is_one_list {
            let passing = package.sounds().iter().filter(|sound| filter.passes(sound));
            let mut listed = listed.lock().unwrap_or_else(PoisonError::into_inner);
            listed.extend(passing.map(|sound| (input.label.clone(), sound.clone())));
            return Ok(exit);
        }
        if args.json || args.tsv {
            let sounds = chosen(args, &package, &filter);
            found.fetch_add(sounds.len(), Relaxed);
            sounds.into_iter().try_for_each(|sound| print_row(args, &input.label, sound, console))?;
            return Ok(exit);
        }
        let printed = print_tables(args, &input, &package, &filter, is_many, console)?;
        found.fetch_add(printed, Relaxed);
        Ok(exit)
    })?;
    let mut listed = listed.into_inner().unwrap_or_else(PoisonError::into_inner);
    // In the order of the files first, whichever was read sooner.
    listed.sort_by(|(file, a), (other, b)| file.cmp(other).then(a.number.cmp(&b.number)));
    listed.sort_by(|(_, a), (_, b)| args.sort.compare(a, b));
    if args.json || args.tsv {
        listed.iter().try_for_each(|(file, sound)| print_row(args, file, sound, console))?;
    } else if !listed.is_empty() {
        let rows: Vec<(&str, &Sound)> = listed.iter().map(|(file, sound)| (file.as_str(), sound)).collect();
        let (colored, width) = (console.is_colored(), console.width());
        text::sounds_of_files(console.out(), &rows, colored, width)?;
    }
    select::check_found(&args.filter, found.into_inner() + listed.len())?;
    Ok(exit)
}

fn print_row(args: &ListArgs, file: &str, sound: &Sound, console: &mut Console<'_>) -> Result<(), Failure> {
    let row = SoundRow::new(file, sound);
    if args.json {
        json::print(console.out(), &row)?;
    } else {
        json::print_values(console.out(), &row.values())?;
    }
    Ok(())
}

/// Returns the sounds that pass, in the order that is wanted.
fn chosen<'p>(args: &ListArgs, package: &'p SoundFile, filter: &SoundFilter) -> Vec<&'p Sound> {
    let mut sounds: Vec<&Sound> = package.sounds().iter().filter(|sound| filter.passes(sound)).collect();
    sounds.sort_by(|a, b| args.sort.compare(a, b));
    sounds
}

/// Prints the sounds of a package, and those of the tracker module in it that is all there is to play; returns how many
/// these were. Of many packages those in which nothing was found are left out.
fn print_tables(
    args: &ListArgs,
    input: &InputFile,
    package: &SoundFile,
    filter: &SoundFilter,
    is_many: bool,
    console: &mut Console<'_>,
) -> Result<usize, Failure> {
    let modules: Vec<&Sound> = package.modules().map(|(sound, _)| sound).collect();
    let music = match modules.as_slice() {
        [module] if package.is_music() => Some((*module, input.music(package, module.number)?)),
        _ => None,
    };
    let mut sounds = chosen(args, package, filter);
    // Nobody looks for events that only stop or set something.
    sounds.retain(|sound| sound.bank.is_none() || !sound.is_vacant());
    let inner = music.as_ref().map(|(_, music)| chosen(args, music, filter)).unwrap_or_default();
    let found = sounds.len() + inner.len();
    if found == 0 && (args.filter.is_active() || is_many && console.verbosity() == 0) {
        return Ok(0);
    }
    let copies = package.banks().map(|banks| banks.fold_copies(&mut sounds)).unwrap_or_default();
    print_table(&input.label, &sounds, (package.sounds().len(), &copies), console)?;
    if let Some((module, music)) = &music {
        let heading = format!("#{} {}", module.number, printable(&module.path()));
        print_table(&heading, &inner, (music.sounds().len(), &Default::default()), console)?;
    } else {
        for sound in modules.iter().filter(|sound| filter.passes(sound)) {
            let (number, path) = (sound.number, sound.path());
            console.say(format_args!("--music {number} lists what is in #{number} {path}"));
        }
    }
    if is_many {
        writeln!(console.out())?;
    }
    Ok(found)
}

fn print_table(
    heading: &str,
    sounds: &[&Sound],
    (all, copies): (usize, &std::collections::BTreeMap<usize, usize>),
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let listed = sounds.iter().map(|sound| copies.get(&sound.number).unwrap_or(&1)).sum();
    let vacant = match sounds.iter().filter(|sound| sound.is_vacant()).count() {
        0 => String::new(),
        slots => format!(", {slots} empty"),
    };
    writeln!(console.out(), "{}  {}{vacant}", printable(heading), player::text::counted_of(listed, all))?;
    if !sounds.is_empty() {
        let (colored, width) = (console.is_colored(), console.width());
        text::sounds(console.out(), sounds, copies, colored, width)?;
    }
    Ok(())
}
