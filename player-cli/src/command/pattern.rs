//! `usampler pattern`: the patterns of a tracker module, as trackers show them.

use importer::Opened;
use song::module::{Module, Order};

use crate::args::Pattern;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::interrupt;
use crate::view::json;
use crate::view::pattern::{self, PatternRow};

/// The most bytes that the cells of a module may take.
const CELLS: u64 = 64 << 20;

/// Shows the pattern of an order, or of each.
///
/// # Errors
/// If there is no module, or no such order, or the output cannot be written.
pub fn run(args: &Pattern, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let input = Input::open(&args.input.file, args.input.reading)?;
    let opened = input.package()?;
    let module = module(&opened, &input.label)?;
    let length = module.length();
    let wanted = match args.order {
        Some(order) if order < length => order..=order,
        Some(order) => {
            let failure = Failure::new(Exit::Unreadable, format!("no order {order} in {}", input.label));
            return Err(failure.hint(format!("it has {length}, counted from 0")));
        }
        None if length == 0 => return Ok(Exit::Done),
        None => 0..=length - 1,
    };
    interrupt::watch()?;
    let places = module.orders.iter().enumerate().take(*wanted.end() + 1).skip(*wanted.start());
    for (place, order) in places {
        interrupt::check()?;
        if args.json {
            json::print(console.out(), &PatternRow::new(&input.label, &module, place, *order))?;
        } else {
            if place > *wanted.start() {
                writeln!(console.out())?;
            }
            let colored = console.is_colored();
            pattern::print(console.out(), &module, place, *order, colored)?;
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

/// The module of a file, or the only one in a package.
fn module(opened: &Opened<'_>, label: &str) -> Result<Module, Failure> {
    let unreadable = |error: String| Failure::new(Exit::Unreadable, format!("{label}: {error}"));
    if let Some(module) = opened.module() {
        return module.raw.to_song(CELLS).map_err(|error| unreadable(error.to_string()));
    }
    let modules: Vec<usize> =
        opened.sounds().iter().filter(|sound| sound.is_module()).map(|sound| sound.number).collect();
    let music = match modules.as_slice() {
        [] => return Err(unreadable("no music data in it".to_owned())),
        [number] => opened.music(*number).map_err(|error| unreadable(error.to_string()))?,
        several => {
            let which = format!("which of the {} modules in {label}?", several.len());
            return Err(Failure::new(Exit::Usage, which).hint("give its number as --music N"));
        }
    };
    module(&music, label)
}
