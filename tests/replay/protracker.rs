//! Periods of `ProTracker`: its tables of the finetunes, and where they end.
//!
//! All figures are those of sines in made modules, as libopenmpt 0.6 plays them.

use song::module::{Cell, EffectCommand, SampleTuning};

use crate::{MOD, amiga_note, effect, on_amiga, played, song, with};

/// Returns the period of each tick, in quarters.
fn quarters(finetune: i8, cells: &[Cell]) -> Vec<i32> {
    let mut module = on_amiga(song(MOD, cells));
    module.samples[0].tuning = SampleTuning::Finetune(finetune);
    let quarter = |hz: f64| if hz > 0.0 { (4.0 * 3_546_894.6 / hz).round() as i32 } else { 0 };
    played(module).iter().map(|(_, voices)| quarter(voices[0].sound.hz)).collect()
}

#[test]
fn a_note_with_a_finetune_has_the_period_of_the_lowest_octave_halved_with_its_fraction() {
    let plays = |finetune, period| quarters(finetune, &[amiga_note(period, 1)])[0];
    assert_eq!(
        [856, 428, 160, 113].map(|period| plays(0, period)),
        [856, 428, 160, 113].map(|whole| 4 * whole)
    );
    assert_eq!([678, 339, 160, 113].map(|period| plays(-2, period)), [2756, 1378, 651, 460]);
    // One finetune down is the note below: the table has 762 for it, and no computed 763.
    assert_eq!([856, 720, 428].map(|period| plays(-8, period)), [4 * 907, 4 * 762, 1814]);
}

#[test]
fn periods_stay_between_those_of_the_first_and_the_last_note_of_a_finetune() {
    let slides = |finetune, period, command, parameter| {
        *quarters(finetune, &[with(amiga_note(period, 1), command, parameter)]).last().unwrap()
    };
    let highest = |finetune| slides(finetune, 120, EffectCommand::PortamentoUp, 0xFF);
    let lowest = |finetune| slides(finetune, 808, EffectCommand::PortamentoDown, 0xFF);
    assert_eq!([-8, -1, 0].map(highest), [480, 457, 452]);
    assert_eq!([-8, -1, 0, 7].map(lowest), [4 * 907, 4 * 862, 4 * 856, 4 * 814]);
    // None is shorter than 113, however a note is tuned.
    assert_eq!(highest(7), 452);
    assert_eq!(quarters(3, &[amiga_note(113, 1)])[0], 452);
}

#[test]
fn an_arpeggio_beyond_the_last_note_is_silent_and_begins_again_above_that() {
    let plays = |finetune| {
        quarters(finetune, &[with(amiga_note(113, 1), EffectCommand::Arpeggio, 0x12)])[..3].to_vec()
    };
    assert_eq!(plays(0), [452, 0, 4 * 856]);
    assert_eq!(plays(7), [452, 0, 4 * 814]);
}

#[test]
fn a_vibrato_moves_by_quarters_of_a_period() {
    let cells = [with(amiga_note(428, 1), EffectCommand::Vibrato, 0x43), effect(EffectCommand::Vibrato, 0)];
    assert_eq!(
        quarters(0, &cells)[..12],
        [1712, 1712, 1721, 1728, 1733, 1735, 1712, 1733, 1728, 1721, 1712, 1703]
    );
}
