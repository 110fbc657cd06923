//! What it costs to send the audio thread a command, and to get its event; beside bare rings and vectors for scale.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use benches::stage::noise;
use benches::time;
use engine::{Bank, Config, Event, Note};
use fixtures::songs::{looped, mono, of};
use ringbuf::HeapRb;
use ringbuf::traits::{Consumer, Producer, Split};
use song::{InstrumentIndex, Key, LoopMode, Velocity};

const COMMANDS: usize = 1000;
const BUDGET: Duration = Duration::from_millis(300);

fn main() {
    println!("{:<48} {:>8} {:>8}", "ns each", "least", "median");
    let row = |name: &str, units: usize, round: &mut dyn FnMut()| {
        let time = time(BUDGET, units as f64, round);
        println!("{name:<48} {:>8.1} {:>8.1}", time.least, time.median);
    };

    let config = Config { command_queue: COMMANDS, event_queue: 4 * COMMANDS, ..Config::default() };
    let (mut controller, mut processor) = engine::split(config).expect("within limits");
    let sample = looped(mono(noise(1000)), 0, 1000, LoopMode::Forward);
    let one_frame = mono([1]);
    controller.load(Arc::new(Bank::prepare(&of(vec![sample, one_frame])).expect("short samples")));
    let note = |index| Note::new(InstrumentIndex::new(index), Key::C4, Velocity::HIGHEST);
    let long_over = controller.note_on(note(0)).expect("room");
    let mut block = [0.0; 2 * 64];
    processor.process(&mut block, 2);

    row("note-off sent, read and carried out", COMMANDS, &mut || {
        for _ in 0..COMMANDS {
            controller.note_off(long_over, None).expect("room");
        }
        // A grid cell carries out a bounded number.
        for _ in 0..COMMANDS.div_ceil(128) {
            processor.process(&mut block, 2);
        }
        while let Some(event) = controller.poll() {
            black_box(event);
        }
    });
    processor.process(&mut [0.0; 2 * 48_000], 2);
    while controller.poll().is_some() {}
    assert!(processor.is_idle(), "all was carried out");

    row("note-on sent, one frame heard, both events read", 1, &mut || {
        let sent = controller.note_on(note(1)).expect("room");
        processor.process(&mut block[..2], 2);
        let events = std::iter::from_fn(|| controller.poll());
        assert!(events.into_iter().any(|event| matches!(event, Event::Ended { note, .. } if note == sent)));
    });

    let (mut into, mut out) = HeapRb::<[u64; 8]>::new(COMMANDS).split();
    row("64 bytes through a bare ring", COMMANDS, &mut || {
        for i in 0..COMMANDS as u64 {
            into.try_push(black_box([i; 8])).expect("room");
        }
        while let Some(command) = out.try_pop() {
            black_box(command);
        }
    });

    let mut vector = Vec::with_capacity(COMMANDS);
    row("64 bytes through a vector", COMMANDS, &mut || {
        for i in 0..COMMANDS as u64 {
            vector.push(black_box([i; 8]));
        }
        for command in vector.drain(..) {
            black_box(command);
        }
    });
}
