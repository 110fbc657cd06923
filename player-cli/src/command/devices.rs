//! `usampler devices`: what sound can be played on.

use engine::Quality;
use serde::Serialize;

use crate::args::{DeviceArgs, Devices, EngineArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session;
use crate::view::json;
use crate::view::table::{Flush, Table};

/// One device.
#[derive(Debug, Default, Serialize)]
struct DeviceRow {
    schema: &'static str,
    id: String,
    name: String,
    /// Whether it is the system's own.
    default: bool,
    /// Frames per second of its own choice.
    rate: Option<u32>,
    /// The rates it can play, lowest and highest of each range.
    rates: Vec<[u32; 2]>,
    channels: Vec<u16>,
    /// Frames per block that it accepts, least and most.
    buffer: Option<[u64; 2]>,
    /// Why nothing can be said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
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
    let found = engine::device::cpal::list()
        .map_err(|error| Failure::new(Exit::NoDevice, format!("the devices cannot be listed: {error}")))?;
    let row = |device: engine::device::cpal::DeviceInfo| DeviceRow {
        schema: SCHEMA,
        id: device.id,
        name: device.name,
        default: device.is_default,
        rate: device.default_rate.map(song::Hz::get),
        rates: device.rates.iter().map(|range| [range.start().get(), range.end().get()]).collect(),
        channels: device.channels,
        buffer: device.block.map(|range| [range.start().get(), range.end().get()]),
        problem: device.problem,
    };
    Ok(found.into_iter().map(row).collect())
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
        ..DeviceRow::default()
    }
}

/// Whether the system's device plays.
fn answers() -> Result<(), Failure> {
    let (_controller, processor) = session::engine(&EngineArgs { quality: Quality::default(), seed: 0 }, 1)?;
    let own = DeviceArgs { device: None, rate: None, buffer: None };
    session::start(processor, &own).map(drop).map_err(|failure| failure.hint("`--device null` runs silently"))
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
    for row in rows {
        let cells = [
            if row.default { "*" } else { "" }.to_owned(),
            row.id.clone(),
            row.rate.map_or_else(dash, |rate| rate.to_string()),
            joined(row.rates.iter().map(range)),
            joined(row.channels.iter().map(u16::to_string)),
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

fn joined(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { dash() } else { parts.join(",") }
}
