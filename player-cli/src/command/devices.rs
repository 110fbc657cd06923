//! `usampler devices`: what sound can be played on.

use crate::args::Devices;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::json;
use player::devices::{self, DeviceRow};
use player::session::{self, DeviceOptions, EngineOptions};
use player::text_table::{Flush, TextTable};

/// Lists the devices, or the MIDI ports. The system's own device is tried: it is one only if it plays.
///
/// # Errors
/// [`Exit::NoDevice`] if it does not, after the list was printed; or if there is no MIDI on this system.
pub fn run(args: &Devices, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if args.midi {
        return midi_ports(args.json, console);
    }
    let rows = devices::outputs()?;
    if args.json {
        rows.iter().try_for_each(|row| json::print(console.out(), row))?;
    } else {
        print(&rows, console)?;
    }
    answers()?;
    Ok(Exit::Done)
}

fn midi_ports(as_json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let rows = devices::midi_inputs()?;
    if as_json {
        rows.iter().try_for_each(|row| json::print(console.out(), row))?;
    } else if rows.is_empty() {
        console.say("no MIDI input is connected");
    } else {
        let mut table = TextTable::new([("#", Flush::Right), ("id", Flush::Left), ("name", Flush::Left)]);
        for row in rows {
            table.push([row.number.to_string(), row.id, row.name], false);
        }
        let colored = console.is_colored();
        table.print(console.out(), colored)?;
    }
    Ok(Exit::Done)
}

/// Checks that the system's device plays.
fn answers() -> Result<(), Failure> {
    let (_controller, processor) = session::engine(EngineOptions::default(), 1, false)?;
    session::start(processor, &DeviceOptions::default())
        .map(drop)
        .map_err(|error| Failure::from(error).hint("`--device null` runs silently"))
}

fn print(rows: &[DeviceRow], console: &mut Console<'_>) -> Result<(), Failure> {
    let mut table = TextTable::new([
        ("", Flush::Left),
        ("id", Flush::Left),
        ("rate", Flush::Right),
        ("rates", Flush::Right),
        ("ch", Flush::Right),
        ("buffer", Flush::Right),
        ("name", Flush::Left),
    ]);
    for row in rows {
        let cells = [
            if row.default { "*" } else { "" }.to_owned(),
            row.id.clone(),
            row.rate.map_or_else(dash, |rate| rate.to_string()),
            joined(row.rates.iter().map(range)),
            runs(&row.channels),
            row.buffer.as_ref().map_or_else(dash, range),
            row.problem.as_ref().unwrap_or(&row.name).clone(),
        ];
        table.push(cells, row.problem.is_some());
    }
    let colored = console.is_colored();
    table.print(console.out(), colored)?;
    Ok(())
}

fn dash() -> String {
    "-".to_owned()
}

fn range<T: ToString + PartialEq>([low, high]: &[T; 2]) -> String {
    if low == high { low.to_string() } else { format!("{}-{}", low.to_string(), high.to_string()) }
}

/// Returns the numbers, those that follow one another as a range: a sound server takes any up to 32 channels.
fn runs(numbers: &[u16]) -> String {
    let runs = numbers.chunk_by(|one, next| one.checked_add(1) == Some(*next));
    joined(runs.filter_map(|run| Some(range(&[*run.first()?, *run.last()?]))))
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { dash() } else { parts.join(",") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_one_another_are_a_range() {
        let all: Vec<u16> = (1..=32).collect();
        assert_eq!([runs(&all), runs(&[2]), runs(&[1, 2, 6, 8]), runs(&[])], ["1-32", "2", "1-2,6,8", "-"]);
    }
}
