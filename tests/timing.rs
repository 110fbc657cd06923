//! A note sounds from the very frame it names, however many there are and however a device cuts its blocks.

use std::sync::Arc;

use engine::{Bank, Config, Note};
use fixtures::signal::Noise;
use fixtures::songs::{mono_float, of};
use song::{Frames, InstrumentIndex, Key, Velocity};

/// Orders that one cell of the grid takes.
const PER_CELL: usize = song::Instrument::MAX_TOGETHER;

/// Returns random frames for so many notes, but no more in a cell than it takes.
fn frames(notes: usize, seed: u64) -> Vec<u64> {
    let cell = engine::CONTROL_GRID.get();
    let mut noise = Noise::new(seed);
    let within =
        |index: usize, noise: &mut Noise| (index / PER_CELL) as u64 * cell + u64::from(noise.bits()) % cell;
    (0..notes).map(|index| within(index, &mut noise)).collect()
}

/// A single frame of full scale, then silence for as long as notes begin: all voices sound together in the end.
fn is_exact(voices: usize, block: usize) {
    let at = frames(voices, voices as u64);
    let length = at.iter().max().unwrap() + 100;
    let config = Config { polyphony: voices, command_queue: voices, ..Config::default() };
    let (mut controller, mut processor) = engine::split(config).unwrap();
    let mut values = vec![0.0; length as usize];
    values[0] = 1.0;
    controller.load(Arc::new(Bank::prepare(&of(vec![mono_float(values)])).unwrap()));
    let mut expected = vec![0.0_f32; length as usize];
    for &frame in &at {
        let note = Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST);
        controller.note_on(note.at(Frames::new(frame))).unwrap();
        expected[frame as usize] += 1.0;
    }
    let mut heard = vec![9.0; length as usize];
    for block in heard.chunks_mut(block) {
        processor.process(block, 1);
    }
    let wrong = heard.iter().zip(&expected).position(|(heard, expected)| heard != expected);
    assert_eq!(wrong, None, "the first wrong frame: {voices} voices, blocks of {block}");
    assert_eq!(controller.refused(), 0);
}

#[test]
fn a_note_sounds_from_the_frame_it_names_in_every_length_of_block() {
    for voices in [1, 2, 127, 1000] {
        for block in [1, 2, 63, 64, 65, 256, 257, 512, 1000, 4096] {
            is_exact(voices, block);
        }
    }
}

#[test]
fn thousands_of_notes_sound_from_the_frames_they_name() {
    for voices in [4096, 10_000] {
        for block in [47, 256] {
            is_exact(voices, block);
        }
    }
}

#[test]
fn a_note_that_names_a_frame_within_a_block_is_not_heard_from_the_blocks_beginning() {
    let (mut controller, mut processor) = engine::split(Config::default()).unwrap();
    controller.load(Arc::new(Bank::prepare(&of(vec![mono_float([1.0])])).unwrap()));
    let note = Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST);
    controller.note_on(note.at(Frames::new(100))).unwrap();
    let mut heard = [9.0; 256];
    processor.process(&mut heard, 1);
    assert_eq!(heard.iter().position(|&value| value != 0.0), Some(100));
}
