//! What the programs that write one format do differently.

use song::module::{
    Cell, CellNote, EffectCommand, Instrument, Module, ModuleWriter, Order, Pattern, Program, SampleTuning,
    Version, VolumeCommand,
};
use tracker::replay::{PanLaw, Replay, ReplayOptions};

use crate::{
    IT, MOD, S3M, XM, amiga_note, at_row_ends, effect, impulse_tracker, instrumented, note, plain, played,
    rates, rows, score, song, volumes, with, writer,
};

/// Returns a song of one instrument, and the program that is said to have written it.
fn written_by(program: &str, cells: &[Cell], instrument: Instrument) -> Module {
    let mut module = instrumented(song(XM, cells), instrument);
    module.samples[0].tuning = SampleTuning::Relative { semitones: 0, finetune: 0 };
    module.writer = named(program);
    module
}

/// Returns the writer of an XM of this name.
fn named(name: &str) -> ModuleWriter {
    let version = name.strip_prefix("OpenMPT ").map(|version| Version::parse(version).unwrap());
    let program = match name {
        "FastTracker v2.00" => Program::FastTracker2,
        "Fasttracker II clone" => Program::FastTracker2Clone,
        "MOD Plugin packed" => Program::ModPlugTracker,
        _ if version.is_some() => Program::OpenMpt,
        _ => Program::Other,
    };
    ModuleWriter { program, version: version.unwrap_or_default(), ..ModuleWriter::default() }
}

fn off() -> Cell {
    Cell { note: CellNote::Off, ..Cell::default() }
}

#[test]
fn early_schism_slides_whole_periods_at_least_one() {
    let cells = [note(108), effect(EffectCommand::PortamentoUp, 0xF1)];
    let rate = |writer| {
        let mut module = Module { writer, ..song(IT, &cells) };
        module.samples[0].tuning = SampleTuning::Rate(8363);
        *rates(module).get(1).unwrap()
    };
    // The period of that key is 107, and the next 106.
    let early = writer(Program::SchismTracker, [0, 0x50, 0, 0]);
    let late = writer(Program::SchismTracker, [8, 0x30, 0, 0]);
    let writers = [early, late, impulse_tracker(2, 0x14)];
    assert_eq!(writers.map(rate), [8363 * 1712 / 106, 134_292, 134_292]);
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
    assert_eq!(heard("FastTracker v2.00"), [0, 64, 32, 64]);
    assert_eq!(heard("OpenMPT 1.20.01.10"), [0, 64, 32, 64]);
}

#[test]
fn tremors_count_on_from_note_to_note_up_to_a_version_of_openmpt() {
    let cell = with(note(60), EffectCommand::Tremor, 0x10);
    let silent = |program| {
        let module = written_by(program, &[cell, cell], plain());
        let volumes = played(module).into_iter().take(12).map(|(_, voices)| voices[0].sound.volume == 0.0);
        volumes.map(u8::from).collect::<Vec<_>>()
    };
    // Two ticks in three are heard; the first of a row looks at the count before.
    assert_eq!(silent("OpenMPT 1.20.01.10"), [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0]);
    assert_eq!(silent("OpenMPT 1.20.01.11"), [0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0]);
}

#[test]
fn swings_that_a_row_leaves_end_with_it_in_openmpt() {
    let column = |byte| Cell { volume: Some(VolumeCommand::from_byte(XM, byte)), ..Cell::default() };
    let half = Cell { volume: column(0x30).volume, ..note(60) };
    let heard = |program| {
        volumes(written_by(program, &[half, effect(EffectCommand::Tremolo, 0x4F), Cell::default()], plain()))
    };
    assert!(heard("OpenMPT 1.31.06.00")[1] > 32);
    assert_eq!(heard("OpenMPT 1.31.06.00")[2], 32);
    assert_eq!(heard("FastTracker v2.00")[2], heard("FastTracker v2.00")[1]);
    let cells = [Cell { volume: column(0xA4).volume, ..note(60) }, column(0xBF), Cell::default()];
    let pitch = |program| rates(written_by(program, &cells, plain()));
    assert_ne!(pitch("OpenMPT 1.31.06.00")[1], 8363);
    assert_eq!(pitch("OpenMPT 1.31.06.00")[2], 8363);
    assert_eq!(pitch("FastTracker v2.00")[2], pitch("FastTracker v2.00")[1]);
}

#[test]
fn slides_up_and_down_remember_one_parameter_up_to_a_version_of_openmpt() {
    let cells = [with(note(60), EffectCommand::PortamentoUp, 0x10), effect(EffectCommand::PortamentoDown, 0)];
    let rate = |program| rates(written_by(program, &cells, plain()))[1];
    assert_eq!(rate("OpenMPT 1.27.00.48"), 8363);
    assert!(rate("OpenMPT 1.27.00.49") > 8363 && rate("FastTracker v2.00") > 8363);
}

#[test]
fn the_fourth_wave_is_random_in_openmpt_and_a_square_in_fast_tracker() {
    let tremolo = effect(EffectCommand::Tremolo, 0x4F);
    let cells = [with(
        Cell { volume: Some(VolumeCommand::from_byte(XM, 0x30)), ..note(60) },
        EffectCommand::Extended,
        0x73,
    )];
    let heard = |program| {
        let ticks = played(written_by(program, &[cells[0], tremolo], plain()));
        let volumes = ticks.iter().skip(7).take(5).map(|(_, voices)| (voices[0].sound.volume * 64.0).round());
        volumes.map(|volume| volume as i32).collect::<Vec<_>>()
    };
    assert_eq!(heard("FastTracker v2.00"), [64; 5]);
    // 98, 102, 125, −70, 17 of 128 in steps of four, twice the depth.
    assert_eq!(heard("OpenMPT 1.31.06.00"), [64, 64, 64, 0, 39]);
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

#[test]
fn a_break_of_noisetracker_goes_to_the_first_row() {
    let to_row_2 = with(amiga_note(428, 1), EffectCommand::PatternBreak, 0x02);
    let played_rows = |program| {
        let mut module = Module { writer: writer(program, [0; 4]), ..song(MOD, &[to_row_2]) };
        module.orders = vec![Order::Pattern(0); 2];
        rows(module)
    };
    assert_eq!(played_rows(Program::NoiseTracker), [0, 0]);
    assert_eq!(played_rows(Program::Other), [0, 2, 3]);
}

#[test]
fn a_break_goes_to_the_last_row_and_from_beyond_to_the_first() {
    for dialect in [MOD, S3M] {
        let played_rows = |row: u8| {
            let mut module = song(dialect, &[]);
            let mut cells = vec![Cell::default(); 64];
            cells[0] = effect(EffectCommand::PatternBreak, row);
            module.patterns = vec![Pattern::new(64, 1, cells).unwrap()];
            module.orders = vec![Order::Pattern(0); 2];
            rows(module)
        };
        assert_eq!((played_rows(0x63), played_rows(0x64)), (vec![0, 63], vec![0, 0]), "{dialect:?}");
    }
}

#[test]
fn the_law_of_the_pan_is_that_of_the_program() {
    let law = |program| {
        let module = written_by(program, &[note(60)], plain());
        Replay::new(score(module), ReplayOptions::default()).pan_law()
    };
    for program in ["FastTracker v2.00", "Fasttracker II clone", "OpenMPT 1.22.07.19", "OpenMPT 1.31.06.00"] {
        assert_eq!(law(program), PanLaw::SquareRoot, "{program}");
    }
    for program in ["MilkyTracker", "MOD Plugin packed", "OpenMPT 1.22.07.18"] {
        assert_eq!(law(program), PanLaw::Linear, "{program}");
    }
}

/// Returns a song of XM by a program, at 8363 frames per second.
fn by(writer: ModuleWriter, cells: &[Cell]) -> Module {
    let mut module = instrumented(Module { writer, ..song(XM, cells) }, plain());
    module.samples[0].tuning = SampleTuning::Relative { semitones: 0, finetune: 0 };
    module
}

fn fast_tracker() -> ModuleWriter {
    writer(Program::FastTracker2, [0; 4])
}

#[test]
fn slides_of_the_volume_column_set_the_memory_of_the_others_but_in_fast_tracker() {
    let column = |volume| Cell { volume: Some(volume), ..Cell::default() };
    let slides = |writer| {
        let again = effect(EffectCommand::VolumeSlide, 0);
        volumes(by(writer, &[note(60), column(VolumeCommand::Down(2)), again]))[1..3].to_vec()
    };
    assert_eq!(slides(fast_tracker()), [54, 54]);
    assert_eq!(slides(ModuleWriter::default()), [54, 44]);
    assert_eq!(slides(writer(Program::OpenMpt, [1, 0x28, 0, 0])), [54, 44]);

    let slides = |writer| {
        let down = effect(EffectCommand::VolumeSlide, 4);
        volumes(by(writer, &[note(60), down, column(VolumeCommand::Down(0))]))[1..3].to_vec()
    };
    assert_eq!(slides(writer(Program::OpenMpt, [1, 0x18, 0, 0])), [44, 24]);
    assert_eq!(slides(writer(Program::OpenMpt, [1, 0x20, 0, 0])), [44, 44]);
}

#[test]
fn an_instrument_alone_begins_a_vibrato_anew_in_fast_tracker_alone() {
    let vibrato = |instrument| with(Cell { instrument, ..Cell::default() }, EffectCommand::Vibrato, 0xA4);
    let of = |writer, instrument| rates(by(writer, &[note(60), vibrato(None), vibrato(instrument)]))[2];
    assert_ne!(of(fast_tracker(), Some(1)), of(fast_tracker(), None));
    assert_eq!(of(ModuleWriter::default(), Some(1)), of(ModuleWriter::default(), None));
}

#[test]
fn a_macro_moves_the_filter_of_a_channel_until_a_note_after_it_was_opened() {
    let cells =
        [with(note(60), EffectCommand::Macro, 0x40), note(60), effect(EffectCommand::Macro, 0x7F), note(60)];
    let ticks = played(by(writer(Program::OpenMpt, [1, 0x31, 0, 0]), &cells));
    let cutoffs = at_row_ends(&ticks, |voice| voice.sound.filter.map_or(-1, |filter| filter.cutoff as i32));
    assert_eq!(cutoffs, [64, 64, 127, -1]);
}

#[test]
fn a_retrigger_counts_the_first_tick_beside_a_volume_or_a_pan_of_nothing() {
    let starts = |volume| {
        let first = with(Cell { volume: Some(volume), ..note(60) }, EffectCommand::Retrigger, 4);
        let ticks = played(by(fast_tracker(), &[first]));
        let positions: Vec<u64> = ticks[..6].iter().map(|(_, voices)| voices[0].position).collect();
        positions.iter().rposition(|position| *position == 0).unwrap()
    };
    assert_eq!([VolumeCommand::Volume(0), VolumeCommand::Pan(0)].map(starts), [3, 3]);
    assert_eq!([VolumeCommand::Volume(64), VolumeCommand::Pan(8)].map(starts), [4, 4]);
}

#[test]
fn arpeggios_of_five_octaves_and_vibratos_of_the_first_tick_are_of_those_who_are_not_protracker() {
    let plays = |cells: &[Cell], tick: usize| {
        let mut module = song(MOD, cells);
        module.samples[0].tuning = SampleTuning::Finetune(0);
        (3_546_894.6 / played(module)[tick].1[0].sound.hz).round() as u16
    };
    let octave = with(amiga_note(85, 1), EffectCommand::Arpeggio, 0x0C);
    assert_eq!([0, 1, 2].map(|tick| plays(&[octave], tick)), [85, 85, 42]);

    let cells = [amiga_note(214, 1), effect(EffectCommand::Vibrato, 0x88), effect(EffectCommand::Vibrato, 0)];
    // The first tick of a row has what the next one has.
    assert_eq!(plays(&cells, 12), plays(&cells, 13));
    assert_ne!(plays(&cells, 12), 214);
}

#[test]
fn a_vibrato_acts_in_the_first_tick_of_an_xm_but_in_fast_tracker() {
    let vibrato = effect(EffectCommand::Vibrato, 0xA4);
    let acts = |writer| {
        let ticks = played(by(writer, &[note(60), vibrato, vibrato]));
        let [before, first, second] = [11, 12, 13].map(|tick| ticks[tick].1[0].sound.hz);
        assert_ne!(before, second);
        (first == second, first == before)
    };
    assert_eq!(acts(fast_tracker()), (false, true));
    for writer in [ModuleWriter::default(), writer(Program::OpenMpt, [1, 0x20, 0, 0])] {
        assert_eq!(acts(writer.clone()), (true, false), "{writer:?}");
    }
}

#[test]
fn the_volume_columns_vibrato_gives_way_to_the_effects_until_openmpt_1_26() {
    let gives_way = |minor| {
        let of = |volume| {
            let vibrato = with(Cell { volume, ..Cell::default() }, EffectCommand::Vibrato, 0xA4);
            rates(by(writer(Program::OpenMpt, [1, minor, 0, 0]), &[note(60), vibrato]))[1]
        };
        of(Some(VolumeCommand::Vibrato(4))) == of(None)
    };
    assert_eq!([0x17, 0x26, 0x27].map(gives_way), [true, true, false]);
}
