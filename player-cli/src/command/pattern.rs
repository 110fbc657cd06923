//! `usampler pattern`: the patterns of a tracker module, as trackers show them, or the one made for the sounds of
//! anything else.

use std::num::NonZeroUsize;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use importer::{Budget, Sound, SoundFile};
use modkit::report::pattern::{PatternRow, SameOrders, width};
use song::module::{Module, Order, Pattern};

use crate::args::PatternArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::InputFile;
use crate::view::json;
use crate::{interrupt, select};
use modkit::report::pattern_text::{self as pattern, View};

/// Shows the patterns of a file, or of each file below a folder, which is named then.
///
/// # Errors
/// If there is no such order, or the output cannot be written.
pub fn run(args: &PatternArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let typed = &args.input.file;
    let is_first = AtomicBool::new(true);
    super::for_each(slice::from_ref(typed), NonZeroUsize::MIN, console, |file, console| {
        let input = InputFile::open(file, &args.input.reading)?;
        let sounds = input.package()?;
        if file != typed && !args.json {
            let between = if is_first.swap(false, Relaxed) { "" } else { "\n" };
            writeln!(console.out(), "{between}{}", input.label)?;
        }
        show(args, &input, &sounds, console)
    })
}

/// Shows the pattern of an order, or each pattern once with its orders.
fn show(
    args: &PatternArgs,
    input: &InputFile,
    sounds: &SoundFile,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let opened = input.report(sounds, console);
    let generated = (args.sounds || is_generated(sounds)).then(|| sounds.sounds().len());
    let module = match generated {
        Some(_) => sounds.generated_module(),
        None => module(sounds, input)?,
    };
    let length = module.order_count();
    let wanted = match args.order {
        Some(order) if order < length => order..=order,
        Some(order) => {
            let failure = Failure::new(Exit::Unreadable, format!("no order {order} in {}", input.label));
            return Err(failure.hint(format!("it has {length}, counted from 0")));
        }
        None if length == 0 => return Ok(Exit::Done),
        None => 0..=length - 1,
    };
    let there = width(&module);
    if args.channels.as_ref().is_some_and(|wanted| *wanted.end() > there) {
        let failure = Failure::new(Exit::Unreadable, format!("no such channels in {}", input.label));
        return Err(failure.hint(format!("it has {there}, counted from 1")));
    }
    let instruments = generated.map(|sounds| sounds.min(Pattern::MAX_INSTRUMENTS));
    let (colored, channels, width) = (console.is_colored(), args.channels.clone(), console.width());
    let view = View { colored, channels, width, instruments };
    if let Some(beyond @ 1..) = generated.map(|sounds| sounds.saturating_sub(Pattern::MAX_INSTRUMENTS)) {
        console.say(format_args!("{}: sounds beyond what a pattern can refer to: {beyond}", input.label));
    }
    interrupt::watch()?;
    if args.json {
        for row in PatternRow::all(&input.label, &module, wanted, generated.is_some()) {
            interrupt::check()?;
            json::print(console.out(), &row)?;
        }
    } else {
        let shown = match args.order.and_then(|index| Some((index, *module.orders.get(index)?))) {
            Some((index, order)) => vec![SameOrders { order, indexes: vec![index] }],
            None => SameOrders::of(module.orders.get(..length).unwrap_or(&module.orders)),
        };
        for (number, orders) in shown.iter().enumerate() {
            interrupt::check()?;
            if number > 0 {
                writeln!(console.out())?;
            }
            pattern::print(console.out(), &module, orders, &view)?;
        }
    }
    // What was asked for by number has to be there.
    let is_missing = |order: Order| match order {
        Order::Pattern(number) => module.patterns.get(usize::from(number)).is_none(),
        Order::Skip | Order::End => false,
    };
    Ok(match args.order.and_then(|place| module.orders.get(place)) {
        Some(order) if is_missing(*order) => Exit::Partly,
        _ => opened,
    })
}

/// Returns whether there is no tracker module, and so the pattern is one made for sounds.
fn is_generated(sounds: &SoundFile) -> bool {
    sounds.module().is_none() && !sounds.sounds().iter().any(Sound::is_module)
}

/// Returns the module of a file, or the only one in a package.
fn module(sounds: &SoundFile, input: &InputFile) -> Result<Module, Failure> {
    match sounds.module() {
        Some(module) => module.raw.to_song(Budget::CELLS).map_err(|error| input.unreadable(&error.into())),
        None => module(&input.music(sounds, select::module(sounds, &input.label)?)?, input),
    }
}
