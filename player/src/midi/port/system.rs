//! MIDI ports through the library midir; nothing else in this workspace knows it.

use std::io;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use midir::{Ignore, MidiInput, MidiInputConnection};

use super::{Port, PortSelector, PortWatch, Ports, System, Wire, channel};

/// What other programs see this one as.
const CLIENT: &str = "usampler";
/// How often the ports are looked at.
const PERIOD: Duration = Duration::from_secs(1);

/// Returns the ports of this machine.
///
/// # Errors
/// If there is no MIDI on this system.
pub fn list() -> Result<Vec<Port>, String> {
    // On a thread of its own, since silence ends only with the thread.
    let asked = thread::Builder::new().name("MIDI".into()).spawn(|| {
        silence();
        Machine::default().ports()
    });
    let asked = asked.map_err(|error| error.to_string())?;
    asked.join().unwrap_or_else(|_| Err("the system's MIDI failed".to_owned()))
}

/// Listens to the wanted ports, whenever they come, as long as the answer lives.
///
/// # Errors
/// If no thread can be had.
pub fn listen(selector: PortSelector) -> io::Result<Ports> {
    if selector == PortSelector::Nothing {
        return Ok(Ports::none());
    }
    let (alive, end) = bounded(0);
    let (outlet, ports) = channel(Some(alive));
    thread::Builder::new().name("MIDI".into()).spawn(move || {
        silence();
        let mut watch = PortWatch::new(Machine::default(), selector, outlet);
        while watch.look().is_ok() && end.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {}
    })?;
    Ok(ports)
}

/// From here on ALSA's library prints nothing on this thread.
#[cfg(target_os = "linux")]
fn silence() {
    // There is no way to take it back but the thread's end. Where it fails, there is noise.
    let _ = alsa::Output::local_error_handler();
}

#[cfg(not(target_os = "linux"))]
const fn silence() {}

#[derive(Default)]
struct Machine {
    /// Kept open to look at ports.
    input: Option<MidiInput>,
}

impl System for Machine {
    type Connection = MidiInputConnection<Carrier>;

    fn ports(&mut self) -> Result<Vec<Port>, String> {
        if self.input.is_none() {
            self.input = Some(input()?);
        }
        let Some(input) = &self.input else { return Ok(Vec::new()) };
        let named = |port: midir::MidiInputPort| {
            // One without a name went away just now.
            input.port_name(&port).ok().map(|name| Port { id: port.id(), name })
        };
        Ok(input.ports().into_iter().filter_map(named).collect())
    }

    fn connect(&mut self, port: &Port, wire: Wire) -> Result<Self::Connection, String> {
        let mut input = input()?;
        // Never listened to; and the library would hold dumps whole, however long they are.
        input.ignore(Ignore::All);
        let found = input.find_port_by_id(&port.id).ok_or("it was disconnected")?;
        let carrier = Carrier { wire, is_silent: false };
        let heard = |_, bytes: &[u8], carrier: &mut Carrier| carrier.carry(bytes);
        input.connect(&found, CLIENT, heard, carrier).map_err(|error| error.to_string())
    }
}

fn input() -> Result<MidiInput, String> {
    MidiInput::new(CLIENT).map_err(|_| {
        let hint = if cfg!(target_os = "linux") { ": /dev/snd/seq is missing or not allowed" } else { "" };
        format!("no MIDI on this system{hint}")
    })
}

/// A wire on the thread that the library made for it.
struct Carrier {
    wire: Wire,
    is_silent: bool,
}

impl Carrier {
    fn carry(&mut self, bytes: &[u8]) {
        if !std::mem::replace(&mut self.is_silent, true) {
            silence();
        }
        self.wire.carry(bytes);
    }
}
