use std::sync::Arc;

use engine::{Bank, Config, Processor, offline, split};
use fixtures::songs::{looped, mono_float, of};
use song::{Frames, Key, LoopMode, Velocity};

use super::*;
use crate::midi::interpreter::MidiSource;
use crate::midi::message::{ChannelMessage, Message};
use crate::midi::port;

const KEYS: MidiSource = MidiSource(0);

/// A sound that is held until it is released, and whoever plays it.
struct Bench {
    live: MidiInput,
    controller: Controller,
    processor: Processor,
}

fn warning(what: &str) -> Option<Notice> {
    Some(Notice::Warning(what.to_owned()))
}

fn bench(config: Config) -> Bench {
    let (mut controller, processor) = split(config).unwrap();
    let song = of(vec![looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward)]);
    controller.load(Arc::new(Bank::prepare(&song).unwrap()));
    let (_, ports) = port::channel(None);
    Bench { live: MidiInput::new(ports, 1), controller, processor }
}

impl Bench {
    fn play(&mut self, event: PortEvent) -> Option<Notice> {
        self.live.play(&mut self.controller, event, 0, None)
    }

    fn send(&mut self, status: u8, data: [u8; 2]) -> Option<Notice> {
        self.play(PortEvent::Message(KEYS, Message::of(status, data).unwrap()))
    }

    /// Returns the loudest of some frames.
    fn hear(&mut self, frames: u64) -> f32 {
        let heard = offline::render(&mut self.processor, Frames::new(frames));
        while let Some(event) = self.controller.poll() {
            self.live.handle_event(&event);
        }
        heard.iter().copied().fold(0.0, f32::max)
    }
}

#[test]
fn a_note_sounds_while_its_key_is_down() {
    let mut bench = bench(Config::default());
    bench.send(0x90, [60, 127]);
    assert_eq!(bench.hear(100_000), 0.5);
    bench.send(0x80, [60, 0]);
    bench.hear(2400);
    assert_eq!(bench.hear(1000), 0.0);
}

#[test]
fn a_note_that_no_device_can_play_is_reported_and_does_not_sound_later() {
    let mut bench = bench(Config::default());
    let message = Message::of(0x90, [60, 127]).unwrap();
    let event = PortEvent::Message(KEYS, message);
    let notice = bench.live.play(&mut bench.controller, event, 0, Some("no audio device"));
    assert_eq!(notice, warning("no audio device"));
    assert_eq!(bench.hear(1000), 0.0);
    assert_eq!(bench.send(0x80, [60, 0]), None);
}

#[test]
fn a_port_that_is_unplugged_leaves_no_note_sounding() {
    let mut bench = bench(Config::default());
    bench.send(0xB0, [64, 127]);
    bench.send(0x90, [60, 127]);
    bench.hear(1000);
    let notice = bench.play(PortEvent::Unplugged(KEYS, "Keys".to_owned()));
    assert_eq!(notice, Some(Notice::Info("MIDI: Keys is gone".to_owned())));
    bench.hear(2400);
    assert_eq!(bench.hear(1000), 0.0);
}

#[test]
fn where_messages_were_lost_nothing_is_held() {
    let mut bench = bench(Config::default());
    let (outlet, ports) = port::channel(None);
    bench.live = MidiInput::new(ports, 1);
    let note_on =
        Message::To(MidiChannel::KIT, ChannelMessage::NoteOn(Key::new(36).unwrap(), Velocity::HIGHEST));
    let mut wire = outlet.wire(KEYS);
    bench.play(PortEvent::Message(KEYS, note_on));
    bench.hear(1000);
    // Its end is lost among others, as are those of notes that still wait.
    while bench.live.ports.lost() == 0 {
        wire.carry(&[0x90, 60, 127]);
    }
    let notice = bench.live.poll(&mut bench.controller);
    assert_eq!(notice, warning("MIDI: 1 messages were lost"));
    bench.hear(2400);
    assert_eq!(bench.hear(1000), 0.0);
    assert!(bench.live.events().is_empty());
}

#[test]
fn a_wheel_that_found_no_room_is_reported_later() {
    let mut bench = bench(Config { command_queue: 2, ..Config::default() });
    bench.send(0x90, [60, 127]);
    bench.hear(1000);
    while bench.controller.set_gain(song::Decibels::UNITY, None).is_ok() {}
    bench.send(0xB0, [7, 0]);
    bench.hear(1000);
    assert_eq!(bench.hear(1000), 0.5, "there was no room for it");
    bench.live.poll(&mut bench.controller);
    bench.hear(1000);
    assert_eq!(bench.hear(1000), 0.0);
}

#[test]
fn a_release_that_finds_no_room_silences_everything() {
    let mut bench = bench(Config { command_queue: 2, ..Config::default() });
    bench.send(0x90, [60, 127]);
    bench.hear(1000);
    while bench.controller.set_gain(song::Decibels::UNITY, None).is_ok() {}
    bench.send(0x80, [60, 0]);
    bench.hear(1000);
    assert_eq!(bench.hear(1000), 0.0);
}

#[test]
fn a_note_that_finds_no_room_is_reported() {
    let mut bench = bench(Config { command_queue: 2, ..Config::default() });
    while bench.controller.set_gain(song::Decibels::UNITY, None).is_ok() {}
    assert_eq!(bench.send(0x90, [60, 127]), warning("too many notes at once"));
}

#[test]
fn a_held_note_is_released_however_long_it_was_held() {
    let mut bench = bench(Config::default());
    bench.send(0x90, [60, 127]);
    for _ in 0..10 {
        bench.hear(100_000);
    }
    bench.send(0x80, [60, 0]);
    bench.hear(2400);
    assert_eq!(bench.hear(1000), 0.0);
}

#[test]
fn a_note_honours_what_was_changed_about_its_sound_beside_its_channel() {
    let mut bench = bench(Config::default());
    let half = song::Decibels::from_gain(0.5).unwrap();
    bench.live.voice(&mut bench.controller, 0, Voicing { gain: half, ..Voicing::default() });
    bench.send(0x90, [60, 127]);
    assert!((bench.hear(1000) - 0.25).abs() < 1e-6);
    bench.send(0xB0, [7, 0]);
    bench.hear(1000);
    assert_eq!(bench.hear(1000), 0.0, "the channel's volume counts too");
}

#[test]
fn the_keys_that_are_held_and_the_sound_of_a_note_are_known() {
    let mut bench = bench(Config::default());
    bench.send(0xB0, [64, 127]);
    bench.send(0x90, [60, 127]);
    bench.send(0x90, [64, 127]);
    bench.send(0x80, [64, 0]);
    assert_eq!(bench.live.keys().map(Key::get).collect::<Vec<_>>(), [60, 64], "a pedal holds one");
    bench.hear(2000);
    let (note, ..) = bench.controller.positions().next().unwrap();
    assert_eq!(bench.live.sound(note), Some(0));
    bench.send(0xB0, [64, 0]);
    assert_eq!(bench.live.keys().count(), 1);
}

#[test]
fn a_note_waits_for_its_sound_and_lasts_as_long_as_its_key_was_held() {
    let mut bench = bench(Config::default());
    let bank = Arc::clone(bench.controller.bank().unwrap());
    bench.controller.load(Arc::new(Bank::default()));
    assert_eq!(bench.send(0x90, [60, 127]), None);
    assert_eq!(bench.live.wanted().collect::<Vec<_>>(), [0]);
    assert_eq!(bench.hear(1000), 0.0);
    bench.send(0x80, [60, 0]);
    bench.send(0x90, [64, 127]);
    bench.hear(5000);
    bench.controller.load_instrument(song::InstrumentIndex::new(0), bank);
    assert_eq!(bench.live.play_waiting(&mut bench.controller, 0), None);
    assert_eq!(bench.live.wanted().count(), 0);
    assert!(bench.hear(1000) > 0.9, "both");
    bench.hear(5000);
    assert!((0.4..0.6).contains(&bench.hear(1000)), "the one that is held");
    // A sound that cannot be had is waited for no longer, nor what was silenced.
    bench.controller.unload_instrument(song::InstrumentIndex::new(0));
    bench.send(0x90, [67, 127]);
    bench.live.forget_waiting(0);
    assert_eq!(bench.live.wanted().count(), 0);
    bench.send(0x90, [67, 127]);
    bench.send(0xB0, [120, 0]);
    assert_eq!(bench.live.wanted().count(), 0);
}
