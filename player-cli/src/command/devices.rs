//! `usampler devices`: what sound can be played on.

use serde::Serialize;

use crate::args::{DeviceArgs, Devices, EngineArgs, Quality};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session;
use crate::view::json;
use crate::view::table::{Flush, Table};

/// One device.
#[derive(Debug, Serialize)]
struct DeviceRow {
    schema: &'static str,
    id: String,
    name: String,
    default: bool,
    rate: Option<u32>,
    rates: Option<[u32; 2]>,
    channels: Option<u16>,
    buffer: Option<[u32; 2]>,
}

const SCHEMA: &str = "usampler.device/1";

/// Lists the devices. The system's own is tried: it is a device only if it plays.
///
/// # Errors
/// [`Exit::NoDevice`] if it does not, after the list was printed.
pub fn run(args: &Devices, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut rows = real()?;
    rows.push(null());
    if args.json {
        rows.iter().try_for_each(|row| json::print(console.out(), row))?;
    } else {
        print(&rows, console)?;
    }
    answers()?;
    Ok(Exit::Done)
}

#[cfg(feature = "device")]
fn real() -> Result<Vec<DeviceRow>, Failure> {
    todo!()
}

#[cfg(not(feature = "device"))]
fn real() -> Result<Vec<DeviceRow>, Failure> {
    Ok(Vec::new())
}

fn null() -> DeviceRow {
    DeviceRow {
        schema: SCHEMA,
        id: "null".to_owned(),
        name: "silence, at the pace of a sound card".to_owned(),
        default: false,
        rate: None,
        rates: None,
        channels: None,
        buffer: None,
    }
}

/// Whether the system's device plays.
fn answers() -> Result<(), Failure> {
    let (_controller, processor) = session::engine(&EngineArgs { quality: Quality::Normal }, 1)?;
    let own = DeviceArgs { device: None, rate: None, buffer: None };
    session::start(processor, &own).map(drop)
}

fn print(rows: &[DeviceRow], console: &mut Console<'_>) -> Result<(), Failure> {
    let mut table = Table::new([
        ("", Flush::Left),
        ("id", Flush::Left),
        ("rate", Flush::Right),
        ("rates", Flush::Right),
        ("ch", Flush::Right),
        ("buffer", Flush::Right),
        ("name", Flush::Left),
    ]);
    let number = |number: Option<u32>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let range = |range: Option<[u32; 2]>| match range {
        Some([low, high]) if low == high => low.to_string(),
        Some([low, high]) => format!("{low}-{high}"),
        None => "-".to_owned(),
    };
    for row in rows {
        let cells = [
            if row.default { "*" } else { "" }.to_owned(),
            row.id.clone(),
            number(row.rate),
            range(row.rates),
            number(row.channels.map(u32::from)),
            range(row.buffer),
            row.name.clone(),
        ];
        table.push(cells, false);
    }
    let colored = console.is_colored();
    table.print(console.out(), colored)?;
    Ok(())
}
