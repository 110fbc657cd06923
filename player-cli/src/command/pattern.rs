//! `usampler pattern`: the patterns of a tracker module, as trackers show them.

use importer::{Budget, SoundFile};
use modkit::report::pattern::{PatternRow, SameOrders, width};
use song::module::{Module, Order};

use crate::args::PatternArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::InputFile;
use crate::view::json;
use crate::view::pattern::{self, View};
use crate::{interrupt, select};

/// Shows the pattern of an order, or each pattern once with its orders.
///
/// # Errors
/// If there is no module, or no such order, or the output cannot be written.
pub fn run(args: &PatternArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let input = InputFile::open(&args.input.file, &args.input.reading)?;
    let sounds = input.package()?;
    let module = module(&sounds, &input)?;
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
    let view =
        View { colored: console.is_colored(), channels: args.channels.clone(), width: console.width() };
    interrupt::watch()?;
    let shown = match args.order.and_then(|index| Some((index, *module.orders.get(index)?))) {
        Some((index, order)) => vec![SameOrders { order, indexes: vec![index] }],
        None => SameOrders::of(module.orders.get(..length).unwrap_or(&module.orders)),
    };
    if args.json {
        let row = |index: usize| {
            let order = module.orders.get(index)?;
            let first = *shown.iter().find(|same| same.order == *order)?.indexes.first()?;
            let same_as = Some(first).filter(|first| *first < index && matches!(order, Order::Pattern(_)));
            Some(PatternRow::new(&input.label, &module, index, *order, same_as))
        };
        for row in wanted.filter_map(row) {
            interrupt::check()?;
            json::print(console.out(), &row)?;
        }
    } else {
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
        _ => Exit::Done,
    })
}

/// Returns the module of a file, or the only one in a package.
fn module(sounds: &SoundFile, input: &InputFile) -> Result<Module, Failure> {
    match sounds.module() {
        Some(module) => module.raw.to_song(Budget::CELLS).map_err(|error| input.unreadable(&error.into())),
        None => module(&input.music(sounds, select::module(sounds, &input.label)?)?, input),
    }
}
