//! Audio outputs and MIDI inputs as lines of JSON, and as tables.

use engine::device::DeviceInfo;
use serde::Serialize;

use crate::midi::port::{self, Port};
use crate::text_table::{Flush, TextTable};
use crate::{Error, ErrorKind, session};

/// An audio output as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Id, which selects it.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Whether it is the system's own.
    pub default: bool,
    /// Frames per second of its own choice.
    pub rate: Option<u32>,
    /// Rates it can play, lowest and highest of each range.
    pub rates: Vec<[u32; 2]>,
    /// Numbers of channels it can play.
    pub channels: Vec<u16>,
    /// Frames per block that it accepts, least and most.
    pub buffer: Option<[u64; 2]>,
    /// Reason why nothing can be said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl From<DeviceInfo> for DeviceRow {
    fn from(device: DeviceInfo) -> Self {
        Self {
            schema: "usampler.device/1",
            id: device.id,
            name: device.name,
            default: device.is_default,
            rate: device.default_rate.map(song::Hz::get),
            rates: device.rates.iter().map(|range| [range.start().get(), range.end().get()]).collect(),
            channels: device.channels,
            buffer: device.block.map(|range| [range.start().get(), range.end().get()]),
            problem: device.problem,
        }
    }
}

/// A MIDI input as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct PortRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Number by which it is selected, from 1.
    pub number: usize,
    /// Id, which selects it.
    pub id: String,
    /// Name for people.
    pub name: String,
}

/// Returns the audio outputs of the system. Asking them takes a while.
///
/// # Errors
/// [`ErrorKind::Device`] if the system has no sound at all.
pub fn outputs() -> Result<Vec<DeviceRow>, Error> {
    Ok(session::devices()?.into_iter().map(DeviceRow::from).collect())
}

/// Returns the MIDI inputs of the system.
///
/// # Errors
/// [`ErrorKind::Device`] if there is no MIDI on this system.
pub fn midi_inputs() -> Result<Vec<PortRow>, Error> {
    let ports = port::list().map_err(|problem| Error::new(ErrorKind::Device, problem))?;
    let row = |(index, port): (usize, Port)| PortRow {
        schema: "usampler.midi/1",
        number: index + 1,
        id: port.id,
        name: port.name,
    };
    Ok(ports.into_iter().enumerate().map(row).collect())
}

/// Returns a table of audio outputs for people.
#[must_use]
pub fn table(rows: &[DeviceRow]) -> TextTable<7> {
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
    table
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
