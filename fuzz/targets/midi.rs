//! Any bytes down a MIDI cable into an engine: once keys, pedals and wheels are released, there is silence. And the
//! same bytes as a MIDI file.
#![no_main]

use std::sync::{Arc, LazyLock};

use engine::{Bank, Config, Controller, Processor, offline, split};
use fixtures::songs::{looped, mono_float, of};
use libfuzzer_sys::fuzz_target;
use player::midi::file::MidiSequence;
use player::midi::interpreter::{MidiInterpreter, MidiSource};
use player::midi::note_allocator::NoteAllocator;
use player::midi::parse::Parser;
use song::{Frames, LoopMode};

const PORT: MidiSource = MidiSource(0);
/// Longer than a release, and than the sound that a kit plays to its end.
const TAIL: Frames = Frames::new(8192);

static BANK: LazyLock<Arc<Bank>> = LazyLock::new(|| {
    let held = |value| looped(mono_float([value; 64]), 0, 64, LoopMode::Forward);
    let song = of(vec![held(0.5), held(0.25), mono_float([0.125; 3000])]);
    Arc::new(Bank::prepare(&song).expect("short sounds"))
});

struct Synth {
    parser: Parser,
    interpreter: MidiInterpreter,
    allocator: NoteAllocator,
    controller: Controller,
    processor: Processor,
}

impl Synth {
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let Some(message) = self.parser.feed(*byte) else { continue };
            for action in self.interpreter.handle(PORT, message) {
                // Whether there is such a sound or room for its voice does not matter: what began has to end.
                let _ = self.allocator.execute(&mut self.controller, action, None);
            }
            // Room in the queues for the next.
            self.render(Frames::new(64));
        }
    }

    fn render(&mut self, frames: Frames) -> Vec<f32> {
        let heard = offline::render(&mut self.processor, frames);
        while let Some(event) = self.controller.poll() {
            self.allocator.handle_event(&event);
        }
        heard
    }
}

fuzz_target!(|bytes: &[u8]| {
    let _ = MidiSequence::read(bytes);

    let config = Config { polyphony: 32, ..Config::default() };
    let (mut controller, processor) = split(config).expect("a small engine");
    controller.load(Arc::clone(&BANK));
    let (parser, interpreter, allocator) =
        (Parser::default(), MidiInterpreter::new(3, 0), NoteAllocator::default());
    let mut synth = Synth { parser, interpreter, allocator, controller, processor };
    synth.feed(bytes);
    for channel in 0..16 {
        // The wheel as well: a drum that is bent down by octaves lasts as much longer.
        synth.feed(&[0xB0 | channel, 123, 0, 64, 0, 66, 0, 0xE0 | channel, 0, 64]);
    }
    assert_eq!(synth.interpreter.held(), 0);
    synth.render(TAIL);
    assert!(synth.render(Frames::new(1024)).iter().all(|value| *value == 0.0), "a note hangs");
});
