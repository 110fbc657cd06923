//! What the programs that write one format do differently.

use song::module::{Cell, EffectCommand, Instrument, Module, Note, SampleTuning, VolumeCommand};

use crate::{IT, XM, effect, instrumented, note, plain, played, rates, song, volumes, with};

/// Returns a song of one instrument, and the program that is said to have written it.
fn written_by(program: &str, cells: &[Cell], instrument: Instrument) -> Module {
    let mut module = instrumented(song(XM, cells), instrument);
    module.samples[0].tuning = SampleTuning::Relative { semitones: 0, finetune: 0 };
    program.clone_into(&mut module.tracker.name);
    module
}

fn off() -> Cell {
    Cell { note: Note::Off, ..Cell::default() }
}

#[test]
fn early_schism_slides_whole_periods_at_least_one() {
    let cells = [note(108), effect(EffectCommand::PortamentoUp, 0xF1)];
    let rate = |created_with| {
        let mut module = song(IT, &cells);
        module.samples[0].tuning = SampleTuning::Rate(8363);
        module.tracker.created_with = created_with;
        *rates(module).get(1).unwrap()
    };
    // The period of that key is 107, and the next 106.
    assert_eq!([0x1050, 0x0214].map(rate), [8363 * 1712 / 106, 134_292]);
}

#[test]
fn a_note_without_an_envelope_fades_from_a_version_of_openmpt_on() {
    let louder = effect(EffectCommand::VolumeSlide, 0xF0);
    let cells = [note(60), Cell { effect: louder.effect, ..off() }, louder];
    let faded = |program| {
        let instrument = Instrument { fadeout: 32_767, ..plain() };
        volumes(written_by(program, &cells, instrument))[1..3].to_vec()
    };
    for program in ["FastTracker v2.00", "OpenMPT 1.27.00.49", "OpenMPT 1.31.06.00"] {
        assert_eq!(faded(program), [0, 0], "{program}");
    }
    for program in ["OpenMPT 1.27.00.48", "OpenMPT 1.20.00.39"] {
        assert_eq!(faded(program), [64, 64], "{program}");
    }
}

#[test]
fn what_a_tremor_silences_stays_so_until_the_next_instrument_in_openmpt() {
    let volume =
        |value: u8| Cell { volume: Some(VolumeCommand::from_byte(XM, 0x10 + value)), ..Cell::default() };
    let again = Cell { instrument: Some(1), ..Cell::default() };
    let cells = [with(note(60), EffectCommand::Tremor, 0x30), volume(64), volume(32), again];
    let heard = |program| volumes(written_by(program, &cells, plain()));
    for program in ["OpenMPT 1.20.01.11", "OpenMPT 1.31.06.00"] {
        assert_eq!(heard(program), [0, 0, 0, 64], "{program}");
    }
    for program in ["FastTracker v2.00", "OpenMPT 1.20.01.10"] {
        assert_eq!(heard(program), [0, 64, 32, 64], "{program}");
    }
}

#[test]
fn all_of_a_finetune_tells_up_to_a_version_of_openmpt() {
    let rate = |program| {
        let mut module = written_by(program, &[note(60)], plain());
        module.samples[0].tuning = SampleTuning::Relative { semitones: 0, finetune: 7 };
        rates(module)[0]
    };
    assert_eq!(["FastTracker v2.00", "OpenMPT 1.22.07.19"].map(rate), [8363, 8363]);
    // Seven 128ths of a semitone, in 64ths.
    let fine = (8363.0 * (3.0_f64 / 768.0).exp2()).round() as i32;
    assert_eq!(["OpenMPT 1.22.07.18", "MOD Plugin packed"].map(rate), [fine, fine]);
}

#[test]
fn the_note_below_the_lowest_has_a_period_in_openmpt() {
    let rate = |program| {
        let mut module = written_by(program, &[note(12)], plain());
        module.samples[0].tuning = SampleTuning::Relative { semitones: -1, finetune: 0 };
        rates(module)[0]
    };
    assert_eq!(rate("OpenMPT 1.20.02.00"), (8363.0 * (-49.0_f64 / 12.0).exp2()).round() as i32);
    assert_eq!(rate("FastTracker v2.00"), 0);
}

#[test]
fn notes_beyond_the_highest_sound_up_to_a_version_of_openmpt() {
    let sounds = |program| {
        let mut module = written_by(program, &[note(107)], plain());
        module.samples[0].tuning = SampleTuning::Relative { semitones: 30, finetune: 0 };
        played(module).iter().any(|(_, voices)| !voices.is_empty())
    };
    assert!(sounds("OpenMPT 1.20.00.61"));
    assert!(!sounds("OpenMPT 1.20.00.62") && !sounds("FastTracker v2.00"));
}
