use fixtures::signal::Noise;
use fixtures::songs::{hz, looped, mono, mono_float, of, stereo_float};
use song::{InstrumentIndex, Key, LoopMode, Velocity};

use super::*;
use crate::remote::RemoteLink;
use crate::{Controller, Note, PreparedRecording, split};

struct Pair {
    controller: Controller,
    link: RemoteLink,
    processor: RemoteProcessor,
}

impl Pair {
    fn new(config: Config, tap: bool) -> Self {
        let (controller, processor) = split(config).unwrap();
        let link = RemoteLink::new(processor);
        Self { controller, link, processor: RemoteProcessor::new(config, hz(48_000), tap).unwrap() }
    }

    /// Sends all there is; returns how many bytes that were.
    fn send(&mut self) -> usize {
        let mut sent = 0;
        loop {
            let bytes = self.link.send();
            if bytes.is_empty() {
                return sent;
            }
            sent += bytes.len();
            self.processor.receive(&bytes).unwrap();
        }
    }

    fn render(&mut self, frames: usize) -> Vec<f32> {
        let mut out = vec![0.0; 2 * frames];
        self.processor.process(&mut out, 2);
        self.link.receive(&self.processor.report()).unwrap();
        out
    }

    fn play(&mut self) -> crate::NoteId {
        self.controller.note_on(Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST)).unwrap()
    }

    fn events(&mut self) -> Vec<Event> {
        let events = std::iter::from_fn(|| self.controller.poll());
        events.filter(|event| !matches!(event, Event::Meter { .. })).collect()
    }
}

fn noise(length: usize) -> Vec<f32> {
    let mut noise = Noise::new(3);
    (0..length).map(|_| noise.flat() as f32).collect()
}

fn bank(sample: song::Sample) -> Arc<Bank> {
    Arc::new(Bank::prepare(&of(vec![sample])).unwrap())
}

#[test]
fn time_events_and_voices_come_back() {
    let mut pair = Pair::new(Config::default(), false);
    pair.controller.load(bank(mono([16_384; 2000])));
    let note = pair.play();
    pair.send();
    assert!(pair.render(1024).iter().any(|value| *value != 0.0));
    assert_eq!(pair.controller.now(), Frames::new(1024));
    assert_eq!(pair.events(), [Event::Started { note, at: Frames::ZERO }]);
    let voices: Vec<_> = pair.controller.positions().collect();
    assert_eq!(voices.len(), 1, "{voices:?}");
    pair.render(2048);
    assert_eq!(pair.events(), [Event::Ended { note, at: Frames::new(2000) }]);
    assert_eq!(pair.controller.positions().count(), 0);
}

#[test]
fn recordings_that_banks_share_are_sent_once_and_freed_with_the_last_of_them() {
    let mut pair = Pair::new(Config::default(), false);
    let recording =
        PreparedRecording::new(&looped(mono_float(noise(100_000)), 10, 90_000, LoopMode::Forward));
    let recording = recording.unwrap();
    let song = of(vec![mono([0; 10])]);
    let bank = || {
        let instrument = song.instruments()[0].clone();
        Arc::new(Bank::of_recordings(vec![recording.clone()], vec![instrument], [].into()))
    };
    pair.controller.load(bank());
    let first = pair.play();
    assert!(pair.send() > 400_000);
    pair.controller.load(bank());
    pair.play();
    assert!(pair.send() < 1000, "its planes are there");
    // Its voice still plays from the first.
    assert_eq!((pair.processor.banks.len(), pair.processor.freed.len()), (1, 1));
    pair.controller.note_off(first, None).unwrap();
    pair.controller.all_sound_off();
    pair.send();
    pair.render(48_000);
    // What was lent is found to be back.
    pair.controller.load(Arc::new(Bank::default()));
    pair.send();
    pair.render(64);
    assert_eq!(pair.processor.banks.len() + pair.processor.freed.len(), 0);
    assert_eq!(pair.processor.planes.len(), 2, "somebody has the recording");
    drop(recording);
    pair.send();
    assert_eq!(pair.processor.planes.len(), 0);
}

#[test]
fn silence_reaches_what_sounds_and_what_waits() {
    let mut pair = Pair::new(Config::default(), false);
    pair.controller.load(bank(looped(mono([9000; 100]), 0, 100, LoopMode::Forward)));
    pair.play();
    let later = Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST).at(Frames::new(60_000));
    pair.controller.note_on(later).unwrap();
    pair.send();
    pair.render(100);
    pair.controller.all_sound_off();
    pair.send();
    pair.render(1000);
    assert!(pair.render(100_000).iter().all(|value| *value == 0.0));
    let ended = pair.events().into_iter().filter(|event| matches!(event, Event::Ended { .. }));
    assert_eq!(ended.count(), 2);
}

#[test]
fn a_full_queue_is_full_for_the_controller_until_the_processor_has_read_it() {
    let mut pair = Pair::new(Config { command_queue: 4, ..Config::default() }, false);
    pair.controller.load(bank(mono([1; 10])));
    let strike = |pair: &mut Pair| {
        let note = Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST).at(Frames::new(1 << 40));
        pair.controller.note_on(note).is_ok()
    };
    // Four are on their way, and as many wait in the ring.
    for _ in 0..3 {
        let begun = (0..4).filter(|_| strike(&mut pair)).count();
        pair.send();
        assert!(begun <= 4);
    }
    assert!(!strike(&mut pair), "eight, and nothing was rendered");
    pair.render(64);
    pair.send();
    assert!(strike(&mut pair));
}

#[test]
fn a_tap_gets_what_is_rendered_elsewhere() {
    let (mut controller, mut processor) = split(Config::default()).unwrap();
    let mut tap = processor.tap(4096);
    let mut link = RemoteLink::new(processor);
    let mut elsewhere = RemoteProcessor::new(Config::default(), hz(48_000), true).unwrap();
    controller.load(bank(stereo_float(noise(500), noise(500))));
    controller.note_on(Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST)).unwrap();
    let mut rendered = vec![0.0; 1000];
    loop {
        let bytes = link.send();
        if bytes.is_empty() {
            break;
        }
        elsewhere.receive(&bytes).unwrap();
    }
    elsewhere.process(&mut rendered, 2);
    link.receive(&elsewhere.report()).unwrap();
    let mut tapped = Vec::new();
    tap.read(|frame| tapped.extend(frame));
    assert_eq!(tapped, rendered);
}

#[test]
fn a_report_of_a_processor_that_was_replaced_is_an_error_and_the_new_one_plays() {
    let mut before = Pair::new(Config::default(), false);
    before.controller.load(bank(mono([16_384; 2000])));
    before.play();
    before.send();
    before.processor.process(&mut [0.0; 128], 2);
    let report = before.processor.report();

    let mut pair = Pair::new(Config::default(), false);
    assert_eq!(pair.link.receive(&report), Err(WireError));
    pair.controller.load(bank(mono([16_384; 2000])));
    pair.play();
    assert!(pair.send() > 0);
    assert!(pair.render(64).iter().any(|value| *value != 0.0));
}

#[test]
fn bytes_of_another_build_are_an_error_on_both_sides() {
    let mut pair = Pair::new(Config::default(), false);
    let mut noise = Noise::new(7);
    for length in 0..200 {
        let mut bytes: Vec<u8> = (0..length).map(|_| noise.bits() as u8).collect();
        // None of them is to ask for gigabytes, as a program of this build never does.
        bytes.iter_mut().for_each(|byte| *byte &= 0x7f);
        let _ = pair.processor.receive(&bytes);
        let _ = pair.link.receive(&bytes);
    }
    assert_eq!(pair.processor.receive(&[0xff]), Err(WireError));
    assert_eq!(pair.link.receive(&[0xff]), Err(WireError));
}
