//! What notes of Impulse Tracker take over from an instrument that comes while they sound.

use song::Pan;
use song::module::{
    BreakpointEnvelope, Cell, CellNote, EffectCommand, Instrument, KeyMap, Level, Module, NoteMapping, Point,
    SampleTuning, VolumeCommand,
};

use crate::{IT, at_row_ends, effect, note, plain, played, song, volumes, with};

/// Returns a song of two samples of 64 and of 32, and of an instrument for each.
fn song_of_two(cells: &[Cell], second: Instrument) -> Module {
    let mut module = song(IT, cells);
    let quiet = song::module::Sample { volume: Level::from_64(32), ..module.samples[0].clone() };
    module.samples.push(quiet);
    module.globals.compat.has_instruments = true;
    module.instruments = vec![plain(), second];
    module
}

fn second() -> Instrument {
    Instrument::plain(KeyMap::new([NoteMapping { transpose: 0, sample: Some(1) }; KeyMap::KEYS]))
}

/// Slides to a note of the second instrument.
fn slide() -> Cell {
    with(Cell { instrument: Some(2), ..note(72) }, EffectCommand::TonePortamento, 0x10)
}

/// Returns an envelope of the volume that falls from 64 to 0 in 64 ticks.
fn falling() -> Option<BreakpointEnvelope> {
    BreakpointEnvelope::new(vec![Point { tick: 0, value: 64 }, Point { tick: 64, value: 0 }], None, None).ok()
}

#[test]
fn a_slide_to_another_instrument_takes_its_volume_and_its_pan() {
    let instrument = Instrument { default_pan: Pan::new(-1.0).ok(), ..second() };
    let ticks = played(song_of_two(&[note(60), slide(), note(60)], instrument));
    assert_eq!(at_row_ends(&ticks, |voice| (voice.sound.volume * 64.0) as i32), [64, 32, 64, 64]);
    // The pan of the channel is back with an instrument that has none.
    assert_eq!(at_row_ends(&ticks, |voice| voice.sound.pan as i32), [0, -1, 0, 0]);
}

#[test]
fn a_slide_to_another_instrument_goes_on_in_its_envelope() {
    let mut module = song_of_two(&[note(60), slide()], Instrument { volume: falling(), ..second() });
    module.instruments[0].volume = falling();
    // Six ticks in the first, six more in the second, which has half the volume.
    assert_eq!(volumes(module)[..2], [59, 27]);
}

#[test]
fn a_compatible_slide_keeps_the_sample_and_its_volume() {
    let instrument = Instrument { default_pan: Pan::new(-1.0).ok(), ..second() };
    let mut module = song_of_two(&[note(60), slide()], instrument);
    module.samples[1].tuning = SampleTuning::Rate(44_100);
    module.globals.compat.compatible_tone_slides = true;
    let ticks = played(module);
    assert_eq!(at_row_ends(&ticks, |voice| (voice.sound.volume * 64.0) as i32)[1], 64);
    assert_eq!(at_row_ends(&ticks, |voice| voice.sample as i32)[1], 0);
    assert_eq!(at_row_ends(&ticks, |voice| voice.sound.pan as i32)[1], -1);
}

#[test]
fn a_tremor_counts_only_while_something_sounds() {
    let heard = |before: usize| {
        let mut cells = vec![effect(EffectCommand::Tremor, 0x23); before];
        cells.push(with(note(60), EffectCommand::Tremor, 0x23));
        let ticks = played(song(IT, &cells)).into_iter().filter(|((_, row), _)| *row == before);
        ticks.map(|(_, voices)| u8::from(voices[0].sound.volume > 0.0)).collect::<Vec<_>>()
    };
    for before in 0..3 {
        assert_eq!(heard(before), [1, 1, 0, 0, 0, 1], "after {before} rows");
    }
}

#[test]
fn an_instrument_beside_a_cut_gives_its_volume_to_the_next_note() {
    let soft = Cell { volume: Some(VolumeCommand::Volume(16)), ..note(60) };
    let cut = Cell { note: CellNote::Cut, instrument: Some(1), ..Cell::default() };
    let next = Cell { instrument: None, ..note(60) };
    assert_eq!(volumes(song_of_two(&[soft, cut, next], second()))[..3], [16, -1, 64]);
}

#[test]
fn the_first_note_of_a_channel_has_the_volume_of_the_instrument_that_was_named_before() {
    let never = with(note(60), EffectCommand::Extended, 0xD7);
    let first = Cell { instrument: None, ..note(60) };
    assert_eq!(volumes(song_of_two(&[never, first], second()))[..2], [-1, 64]);
}

#[test]
fn a_note_off_beside_another_instrument_takes_its_volume_and_leaves_its_gain() {
    let off = Cell { note: CellNote::Off, instrument: Some(2), ..Cell::default() };
    let quiet = Instrument { global_volume: Level::from_128(64), volume: falling(), ..second() };
    let mut module = song_of_two(&[note(60), off], quiet);
    module.instruments[0].volume = falling();
    module.globals.compat.old_effects = true;
    // Half of 64 by the sample, and six ticks of the envelope, which begins anew.
    assert_eq!(volumes(module)[1], 30);
}

#[test]
fn a_slide_to_a_note_after_one_that_has_ended_stays_released_without_an_instrument() {
    let of = |instrument| {
        let off = Cell { note: CellNote::Off, ..Cell::default() };
        let slide = with(Cell { instrument, ..note(72) }, EffectCommand::TonePortamento, 1);
        let instrument = Instrument { fadeout: 4096, ..plain() };
        let mut module = song_of_two(&[note(60), off, slide], second());
        module.instruments[0] = instrument;
        module.samples[0].loop_range = None;
        // The second tick of the third row.
        played(module)[13].1.first().map_or(-1, |voice| (voice.sound.volume * 64.0).round() as i32)
    };
    assert_eq!(of(Some(1)), 64);
    assert!((1..64).contains(&of(None)), "{}", of(None));
}
