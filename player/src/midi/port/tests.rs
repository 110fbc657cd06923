use std::cell::RefCell;
use std::rc::Rc;

use song::{Key, Velocity};

use super::*;
use crate::midi::message::{ChannelMessage, MidiChannel};

/// Ports that a test plugs in and out, and their wires while they are connected.
#[derive(Clone, Default)]
struct Bench {
    there: Rc<RefCell<Vec<Port>>>,
    wires: Rc<RefCell<Vec<(String, Wire)>>>,
    broken: Rc<RefCell<Vec<String>>>,
}

/// Unplugs its wire when it is dropped.
struct Plug(Bench, String);

impl Drop for Plug {
    fn drop(&mut self) {
        self.0.wires.borrow_mut().retain(|(id, _)| *id != self.1);
    }
}

impl System for Bench {
    type Connection = Plug;

    fn ports(&mut self) -> Result<Vec<Port>, String> {
        Ok(self.there.borrow().clone())
    }

    fn connect(&mut self, port: &Port, wire: Wire) -> Result<Plug, String> {
        if self.broken.borrow().contains(&port.id) {
            return Err("in use".to_owned());
        }
        self.wires.borrow_mut().push((port.id.clone(), wire));
        Ok(Plug(self.clone(), port.id.clone()))
    }
}

impl Bench {
    fn plug(&self, id: &str, name: &str) {
        self.there.borrow_mut().push(Port { id: id.to_owned(), name: name.to_owned() });
    }

    fn unplug(&self, id: &str) {
        self.there.borrow_mut().retain(|port| port.id != id);
    }

    fn send(&self, id: &str, bytes: &[u8]) {
        let mut wires = self.wires.borrow_mut();
        wires.iter_mut().find(|(other, _)| other == id).unwrap().1.carry(bytes);
    }

    fn connected(&self) -> Vec<String> {
        self.wires.borrow().iter().map(|(id, _)| id.clone()).collect()
    }
}

fn watch(bench: &Bench, selector: &str) -> (PortWatch<Bench>, Ports) {
    let (outlet, ports) = channel(None);
    (PortWatch::new(bench.clone(), selector.parse().unwrap(), outlet), ports)
}

fn polled(ports: &Ports) -> Vec<PortEvent> {
    ports.events().try_iter().collect()
}

#[test]
fn ports_are_listened_to_while_they_are_plugged_in() {
    let bench = Bench::default();
    let (mut watch, ports) = watch(&bench, "all");
    watch.look().unwrap();
    assert_eq!(polled(&ports), []);
    bench.plug("20:0", "Keys");
    watch.look().unwrap();
    watch.look().unwrap();
    assert_eq!(polled(&ports), [PortEvent::Plugged("Keys".to_owned())]);
    bench.send("20:0", &[0x90, 60, 1]);
    let note = ChannelMessage::NoteOn(Key::C4, Velocity::new(1).unwrap());
    let message = Message::To(MidiChannel::of_status(0), note);
    assert_eq!(polled(&ports), [PortEvent::Message(MidiSource(0), message)]);
    bench.unplug("20:0");
    watch.look().unwrap();
    assert_eq!(polled(&ports), [PortEvent::Unplugged(MidiSource(0), "Keys".to_owned())]);
    assert_eq!(bench.connected(), [""; 0]);
}

#[test]
fn a_port_that_comes_back_is_another_source_and_begins_with_a_status_byte() {
    let bench = Bench::default();
    let (mut watch, ports) = watch(&bench, "all");
    for _ in 0..2 {
        bench.plug("20:0", "Keys");
        watch.look().unwrap();
        bench.send("20:0", &[60, 1, 0x90]);
        bench.unplug("20:0");
        watch.look().unwrap();
    }
    let gone = |source| PortEvent::Unplugged(MidiSource(source), "Keys".to_owned());
    let plugged = PortEvent::Plugged("Keys".to_owned());
    assert_eq!(polled(&ports), [plugged.clone(), gone(0), plugged, gone(1)]);
}

#[test]
fn a_part_of_the_name_is_enough_and_case_does_not_matter() {
    let bench = Bench::default();
    bench.plug("14:0", "Midi Through");
    bench.plug("20:0", "Keystation 49");
    let (mut watch, _ports) = watch(&bench, "keyST");
    watch.look().unwrap();
    assert_eq!(bench.connected(), ["20:0"]);
}

#[test]
fn a_number_is_of_the_first_list_and_means_that_port_from_then_on() {
    let bench = Bench::default();
    bench.plug("14:0", "Midi Through:Port 14:0");
    let (mut watch, _ports) = watch(&bench, "2");
    watch.look().unwrap();
    assert_eq!(bench.connected(), [""; 0]);
    bench.plug("20:0", "Keys:Keys MIDI 1 20:0");
    watch.look().unwrap();
    assert_eq!(bench.connected(), ["20:0"]);
    // Others come before it, and Linux numbers it anew.
    bench.unplug("20:0");
    bench.plug("16:0", "Pads:Pads MIDI 1 16:0");
    bench.plug("21:0", "Keys:Keys MIDI 1 21:0");
    watch.look().unwrap();
    assert_eq!(bench.connected(), ["21:0"]);
}

#[test]
fn a_port_that_cannot_be_opened_is_reported_once_and_tried_again_when_it_was_gone() {
    let bench = Bench::default();
    bench.plug("20:0", "Keys");
    bench.broken.borrow_mut().push("20:0".to_owned());
    let (mut watch, ports) = watch(&bench, "all");
    watch.look().unwrap();
    watch.look().unwrap();
    assert_eq!(polled(&ports), [PortEvent::Problem("Keys: in use".to_owned())]);
    bench.broken.borrow_mut().clear();
    bench.unplug("20:0");
    watch.look().unwrap();
    bench.plug("20:0", "Keys");
    watch.look().unwrap();
    assert_eq!(polled(&ports), [PortEvent::Plugged("Keys".to_owned())]);
}

#[test]
fn messages_that_nobody_reads_are_counted_and_do_not_wait() {
    let bench = Bench::default();
    bench.plug("20:0", "Keys");
    let (mut watch, ports) = watch(&bench, "all");
    watch.look().unwrap();
    assert_eq!(polled(&ports).len(), 1);
    for _ in 0..WAITING + 5 {
        bench.send("20:0", &[0x90, 60, 1]);
    }
    assert_eq!((ports.lost(), polled(&ports).len()), (5, WAITING));
}

#[test]
fn whoever_looks_at_ports_learns_that_nobody_listens() {
    let bench = Bench::default();
    let (mut watch, ports) = watch(&bench, "all");
    drop(ports);
    bench.plug("20:0", "Keys");
    assert_eq!(watch.look(), Err(NobodyListens));
}

#[test]
fn a_wish_is_a_name_a_number_all_or_none() {
    let selector = |text: &str| text.parse::<PortSelector>();
    assert_eq!([selector("all"), selector("none")], [Ok(PortSelector::All), Ok(PortSelector::Nothing)]);
    assert_eq!(
        [selector("3"), selector("MPK3")],
        [Ok(PortSelector::Number(3)), Ok(PortSelector::Named("mpk3".to_owned()))]
    );
    assert!(selector("").is_err() && selector("0").is_err());
}
