//! `usampler list`: the sounds of packages.

use std::cmp::Ordering;
use std::num::NonZeroUsize;

use importer::{Sound, SoundFile};

use crate::args::{ListArgs, Sort};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::select::SoundFilter;
use crate::view::json::{self, SoundRow};
use crate::view::{printable, text};

/// Lists each file's sounds, working on several at once.
///
/// # Errors
/// If the filter makes no sense or the output cannot be written.
pub fn run(args: &ListArgs, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = SoundFilter::new(args.filter.as_deref())?;
    if args.tsv {
        json::print_values(console.out(), &SoundRow::COLUMNS.map(str::to_owned))?;
    }
    super::for_each(&args.inputs.files, threads, console, |file, console| {
        let input = Input::open(file, args.inputs.reading)?;
        let package = input.package()?;
        if args.json || args.tsv {
            for sound in chosen(args, &package, &filter) {
                let row = SoundRow::new(&input.label, sound);
                if args.json {
                    json::print(console.out(), &row)?;
                } else {
                    json::print_values(console.out(), &row.values())?;
                }
            }
            return Ok(Exit::Done);
        }
        print_tables(args, &input, &package, &filter, console)?;
        if args.inputs.files.len() > 1 || args.inputs.files.iter().any(|file| file.is_dir()) {
            writeln!(console.out())?;
        }
        Ok(Exit::Done)
    })
}

/// Returns the sounds that pass, in the order that is wanted.
fn chosen<'p>(args: &ListArgs, package: &'p SoundFile<'_>, filter: &SoundFilter) -> Vec<&'p Sound> {
    let mut sounds: Vec<&Sound> = package.sounds().iter().filter(|sound| filter.passes(sound)).collect();
    sounds.sort_by(|a, b| order(args.sort, a, b));
    sounds
}

/// Returns the sounds of a package, and those of the tracker module in it that is all there is to play.
fn print_tables(
    args: &ListArgs,
    input: &Input,
    package: &SoundFile<'_>,
    filter: &SoundFilter,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    print_table(args, &input.label, package, filter, console)?;
    let modules: Vec<&Sound> = package.modules().map(|(sound, _)| sound).collect();
    match modules.as_slice() {
        [module] if package.is_music() => {
            let heading = format!("#{} {}", module.number, printable(&module.path()));
            print_table(args, &heading, &input.music(package, module.number)?, filter, console)
        }
        several => {
            for sound in several.iter().filter(|sound| filter.passes(sound)) {
                let (number, path) = (sound.number, sound.path());
                console.say(format_args!("--music {number} lists what is in #{number} {path}"));
            }
            Ok(())
        }
    }
}

fn print_table(
    args: &ListArgs,
    heading: &str,
    package: &SoundFile<'_>,
    filter: &SoundFilter,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let sounds = chosen(args, package, filter);
    let (colored, all) = (console.is_colored(), package.sounds().len());
    let count = if sounds.len() == all {
        text::counted(all)
    } else {
        format!("{} of {}", sounds.len(), text::counted(all))
    };
    writeln!(console.out(), "{}  {count}", printable(heading))?;
    if !sounds.is_empty() {
        text::sounds(console.out(), &sounds, colored)?;
    }
    Ok(())
}

/// Sounds of which the key is not known come last; equal ones keep the order of their numbers.
fn order(sort: Sort, a: &Sound, b: &Sound) -> Ordering {
    let rate = |sound: &Sound| sound.audio().map(|audio| audio.rate.get());
    let length = |sound: &Sound| {
        let audio = sound.audio()?;
        Some(audio.frames? as f64 / f64::from(audio.rate.get()))
    };
    match sort {
        Sort::Index => Ordering::Equal,
        Sort::Name => a.path().to_lowercase().cmp(&b.path().to_lowercase()),
        Sort::Rate => none_last(rate(a), rate(b), Ord::cmp),
        Sort::Length => none_last(length(a), length(b), f64::total_cmp),
    }
}

fn none_last<T>(a: Option<T>, b: Option<T>, compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(&a, &b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}
