//! Audio outputs and MIDI inputs as lines of JSON.

use engine::device::DeviceInfo;
use serde::Serialize;

use crate::midi::port::{self, Port};
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
