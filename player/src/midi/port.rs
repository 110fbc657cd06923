//! MIDI ports, plugged in and out while the program runs.
//!
//! ```text
//! a thread looks at the ports each second ── connects ──► Wire ── messages ──┐
//!          └──────────── plugged, unplugged ─────────────────────────────────┴─► one bounded channel
//! ```
//!
//! The system calls a wire with bytes on a thread of its own. It never waits there: what finds no room is counted, and
//! [`MidiInput`](super::input::MidiInput) makes up for it.

use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::interpreter::MidiSource;
use super::message::Message;
use super::parse::Parser;

#[cfg(feature = "device")]
mod system;
#[cfg(feature = "device")]
pub use system::{list, listen};

/// Messages that may wait to be played; a second of the fastest cable.
const WAITING: usize = 1024;

/// A port that is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The system's own name of it while it is there.
    pub id: String,
    /// What to call it.
    pub name: String,
}

/// What came through the ports, or became of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortEvent {
    /// A message.
    Message(MidiSource, Message),
    /// A port of this name is listened to from here on.
    Plugged(String),
    /// A source is no more; the name of its port.
    Unplugged(MidiSource, String),
    /// A port cannot be listened to.
    Problem(String),
}

/// Which ports are listened to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PortSelector {
    /// All of them, also those that are plugged in later.
    #[default]
    All,
    /// None.
    Nothing,
    /// The one of this number, counted from 1 as they are listed when there are so many.
    Number(usize),
    /// All whose names have this in them, case apart.
    Named(String),
}

impl FromStr for PortSelector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("all", _) => Ok(Self::All),
            ("none", _) => Ok(Self::Nothing),
            ("", _) | (_, Ok(0)) => {
                Err("a port is a part of its name, its number from 1, all or none".to_owned())
            }
            (_, Ok(number)) => Ok(Self::Number(number)),
            (name, Err(_)) => Ok(Self::Named(name.to_lowercase())),
        }
    }
}

/// The ports that are listened to, as long as it lives.
#[derive(Debug)]
pub struct Ports {
    events: Receiver<PortEvent>,
    /// So that the channel is never closed while somebody may wait for it.
    outlet: Outlet,
    /// Dropped, it ends the thread.
    _alive: Option<Sender<Infallible>>,
}

impl Ports {
    /// None, for ever.
    #[must_use]
    pub fn none() -> Self {
        channel(None).1
    }

    /// Returns what comes through them.
    #[must_use]
    pub const fn events(&self) -> &Receiver<PortEvent> {
        &self.events
    }

    /// Returns the number of messages lost so far because too many were waiting.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.outlet.lost.load(Ordering::Acquire)
    }
}

/// Returns both ends of the channel; the first is for the one who looks at the ports.
#[must_use]
pub fn channel(alive: Option<Sender<Infallible>>) -> (Outlet, Ports) {
    let (sender, events) = bounded(WAITING);
    let outlet = Outlet { sender, lost: Arc::default() };
    (outlet.clone(), Ports { events, outlet, _alive: alive })
}

/// Where ports send what they report.
#[derive(Clone, Debug)]
pub struct Outlet {
    sender: Sender<PortEvent>,
    lost: Arc<AtomicU64>,
}

impl Outlet {
    /// For the bytes of a source.
    #[must_use]
    pub fn wire(&self, source: MidiSource) -> Wire {
        Wire { source, parser: Parser::default(), outlet: self.clone() }
    }
}

/// One port's bytes on their way.
#[derive(Debug)]
pub struct Wire {
    source: MidiSource,
    parser: Parser,
    outlet: Outlet,
}

impl Wire {
    /// Takes bytes. Does not wait.
    pub fn carry(&mut self, bytes: &[u8]) {
        for message in self.parser.messages(bytes) {
            if self.outlet.sender.try_send(PortEvent::Message(self.source, message)).is_err() {
                self.outlet.lost.fetch_add(1, Ordering::Release);
            }
        }
    }
}

/// What knows the ports of this machine.
pub trait System {
    /// A port that is listened to; dropped, it is no more, and its wire is used no more.
    type Connection;

    /// Returns the ports that are there.
    ///
    /// # Errors
    /// If there is no MIDI on this system.
    fn ports(&mut self) -> Result<Vec<Port>, String>;

    /// Listens to a port.
    ///
    /// # Errors
    /// Why that cannot be done.
    fn connect(&mut self, port: &Port, wire: Wire) -> Result<Self::Connection, String>;
}

struct Connected<C> {
    port: Port,
    source: MidiSource,
    /// Only to be dropped.
    connection: C,
}

/// Keeps the wanted ports connected.
pub struct PortWatch<S: System> {
    system: S,
    selector: PortSelector,
    outlet: Outlet,
    connected: Vec<Connected<S::Connection>>,
    /// Ids of ports that could not be connected: tried again once they were gone.
    refused: Vec<String>,
    next: MidiSource,
}

impl<S: System> PortWatch<S> {
    /// Of the ports of a system, those that are wanted.
    pub fn new(system: S, selector: PortSelector, outlet: Outlet) -> Self {
        let (connected, refused) = (Vec::new(), Vec::new());
        Self { system, selector, outlet, connected, refused, next: MidiSource(0) }
    }

    /// Looks which ports are there now, and reports what has changed. May wait for whoever reads it.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub fn look(&mut self) -> Result<(), NobodyListens> {
        // A system that has no MIDI may have it later, when a driver is loaded.
        let ports = self.system.ports().unwrap_or_default();
        let is_there = |id: &str| ports.iter().any(|port| port.id == id);
        let (stay, gone): (Vec<_>, Vec<_>) =
            self.connected.drain(..).partition(|connected| is_there(&connected.port.id));
        self.connected = stay;
        for Connected { port, source, connection } in gone {
            // Nothing comes through it after it was reported that it is gone.
            drop(connection);
            self.tell(PortEvent::Unplugged(source, port.name))?;
        }
        self.refused.retain(|id| is_there(id));
        self.settle_on(&ports);
        for port in ports {
            if self.is_wished(&port) && !self.knows(&port.id) {
                self.plug(port)?;
            }
        }
        Ok(())
    }

    /// Numbers move when ports come and go; so the first that has the wanted one is meant by its name from then on.
    fn settle_on(&mut self, ports: &[Port]) {
        if let PortSelector::Number(number) = self.selector
            && let Some(port) = number.checked_sub(1).and_then(|index| ports.get(index))
        {
            self.selector = PortSelector::Named(stem(&port.name).to_lowercase());
        }
    }

    fn is_wished(&self, port: &Port) -> bool {
        match &self.selector {
            PortSelector::All => true,
            PortSelector::Nothing | PortSelector::Number(_) => false,
            PortSelector::Named(part) => port.name.to_lowercase().contains(part),
        }
    }

    fn knows(&self, id: &str) -> bool {
        self.refused.iter().any(|refused| refused == id)
            || self.connected.iter().any(|connected| connected.port.id == id)
    }

    fn plug(&mut self, port: Port) -> Result<(), NobodyListens> {
        let source = self.next;
        self.next = MidiSource(source.0.wrapping_add(1));
        let wire = self.outlet.wire(source);
        match self.system.connect(&port, wire) {
            Ok(connection) => {
                self.tell(PortEvent::Plugged(port.name.clone()))?;
                self.connected.push(Connected { port, source, connection });
                Ok(())
            }
            Err(problem) => {
                self.refused.push(port.id);
                self.tell(PortEvent::Problem(format!("{}: {problem}", port.name)))
            }
        }
    }

    fn tell(&self, event: PortEvent) -> Result<(), NobodyListens> {
        self.outlet.sender.send(event).map_err(|_| NobodyListens)
    }
}

/// Whoever wanted to hear of ports is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NobodyListens;

/// Returns a name without the numbers that Linux gives anew each time: `Keys:Keys MIDI 1 24:0`.
fn stem(name: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match name.rsplit_once(' ') {
        Some((stem, last)) if last.split_once(':').is_some_and(|(a, b)| is_number(a) && is_number(b)) => stem,
        _ => name,
    }
}

/// Returns the ports of this machine.
///
/// # Errors
/// Always: this build knows none.
#[cfg(not(feature = "device"))]
pub fn list() -> Result<Vec<Port>, String> {
    Err("this build has no MIDI support".to_owned())
}

/// Listens to the wanted ports.
///
/// # Errors
/// Never: there are none.
#[cfg(not(feature = "device"))]
pub fn listen(_: PortSelector) -> std::io::Result<Ports> {
    Ok(Ports::none())
}

#[cfg(test)]
mod tests;
