//! `usampler list`: the sounds of packages.

use std::cmp::Ordering;
use std::num::NonZeroUsize;

use importer::Sound;

use crate::args::{List, Sort};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::select::Filter;
use crate::view::json::{self, SoundRow};
use crate::view::{printable, text};

/// Lists each file's sounds, working on several at once.
///
/// # Errors
/// If the filter makes no sense or the output cannot be written.
pub fn run(args: &List, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = Filter::new(args.filter.as_deref())?;
    if args.tsv {
        json::print_values(console.out(), &SoundRow::COLUMNS.map(str::to_owned))?;
    }
    super::for_each(&args.inputs.files, threads, console, |file, console| {
        let input = Input::open(file, args.inputs.reading)?;
        let package = input.package()?;
        let mut sounds: Vec<&Sound> = package.sounds().iter().filter(|sound| filter.passes(sound)).collect();
        sounds.sort_by(|a, b| order(args.sort, a, b));
        if args.json || args.tsv {
            for sound in sounds {
                let row = SoundRow::new(&input.label, sound);
                if args.json {
                    json::print(console.out(), &row)?;
                } else {
                    json::print_values(console.out(), &row.values())?;
                }
            }
            return Ok(Exit::Done);
        }
        print_table(args, &input.label, package.sounds().len(), &sounds, console)?;
        Ok(Exit::Done)
    })
}

fn print_table(
    args: &List,
    file: &str,
    all: usize,
    sounds: &[&Sound],
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let colored = console.is_colored();
    let count = if sounds.len() == all {
        text::counted(all)
    } else {
        format!("{} of {}", sounds.len(), text::counted(all))
    };
    writeln!(console.out(), "{}  {count}", printable(file))?;
    if !sounds.is_empty() {
        text::sounds(console.out(), sounds, colored)?;
    }
    for music in sounds.iter().filter(|sound| sound.is_module()) {
        let number = music.number;
        console.detail(format_args!("#{number} is a tracker module; --music {number} lists what is in it"));
    }
    if args.inputs.files.len() > 1 || args.inputs.files.iter().any(|file| file.is_dir()) {
        writeln!(console.out())?;
    }
    Ok(())
}

/// Sounds of which the key is not known come last; equal ones keep the order of their numbers.
fn order(sort: Sort, a: &Sound, b: &Sound) -> Ordering {
    let rate = |sound: &Sound| sound.audio.as_ref().map(|audio| audio.rate.get());
    let length = |sound: &Sound| {
        let audio = sound.audio.as_ref()?;
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
