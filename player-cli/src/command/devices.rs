//! `usampler devices`: what sound can be played on.

use crate::args::Devices;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::json;
use player::devices;
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
        let colored = console.is_colored();
        devices::table(&rows).print(console.out(), colored)?;
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
