//! What ITs and XMs of `ModPlug` Tracker and early `OpenMPT` do otherwise. Expected numbers are what libopenmpt 0.6
//! plays of such modules.

use song::module::{
    BreakpointEnvelope, Cell, CellNote, Dialect, EffectCommand, InitialFilter, Instrument, Module,
    ModuleWriter, Order, Pattern, Point, Program, SampleTuning, VolumeCommand,
};

use crate::{
    IT, XM, effect, impulse_tracker, instrumented, note, plain, played, rates, rows, song, volumes, with,
    writer,
};

fn modplug() -> ModuleWriter {
    writer(Program::ModPlugTracker, [1, 0x16, 0, 0])
}

fn openmpt(minor: u8) -> ModuleWriter {
    writer(Program::OpenMpt, [1, minor, 0, 0])
}

/// Returns a song whose sample has 8363 frames per second at C4.
fn at_8363(dialect: Dialect, writer: ModuleWriter, cells: &[Cell]) -> Module {
    let mut module = Module { writer, ..song(dialect, cells) };
    module.samples[0].tuning = match dialect {
        XM => SampleTuning::Relative { semitones: 0, finetune: 0 },
        _ => SampleTuning::Rate(8363),
    };
    if dialect == XM { instrumented(module, plain()) } else { module }
}

/// Returns a song of eight rows and several channels, with an effect in some cells.
fn in_channels(
    dialect: Dialect,
    writer: ModuleWriter,
    effects: &[(usize, usize, EffectCommand, u8)],
) -> Module {
    let mut cells = vec![Cell::default(); 8 * 3];
    for (row, channel, command, parameter) in effects {
        cells[row * 3 + channel] = effect(*command, *parameter);
    }
    let module = at_8363(dialect, writer, &[]);
    let channel = module.channels[0];
    Module {
        channels: vec![channel; 3],
        patterns: vec![Pattern::new(8, 3, cells).unwrap()],
        orders: vec![Order::Pattern(0)],
        ..module
    }
}

#[test]
fn notes_of_an_it_are_scream_trackers_until_openmpt_1_24() {
    let of = |writer| rates(at_8363(IT, writer, &[note(64)]))[0];
    // Periods of C and E by Scream Tracker's table.
    let uneven = 8363 * 1712 / 1356 + 1;
    let even = 10_536;
    for writer in [modplug(), openmpt(0x17), openmpt(0x23), writer(Program::OpenMptExport, [1, 0x23, 0, 0])] {
        assert_eq!(of(writer.clone()), uneven, "{writer:?}");
    }
    for writer in [openmpt(0x24), writer(Program::OpenMptExport, [1, 0x24, 0, 0]), impulse_tracker(2, 0x14)] {
        assert_eq!(of(writer.clone()), even, "{writer:?}");
    }
}

#[test]
fn notes_and_slides_of_an_it_are_whole_frames_per_second() {
    let down = effect(EffectCommand::PortamentoDown, 1);
    assert_eq!(rates(at_8363(IT, impulse_tracker(2, 0x14), &[note(41), down]))[..2], [2790, 2740]);
}

#[test]
fn an_instrument_alone_plays_a_note_that_was_cut_again() {
    let cut = Cell { note: CellNote::Cut, ..Cell::default() };
    let alone = Cell { instrument: Some(1), ..Cell::default() };
    let sounds = |writer| {
        let module = instrumented(at_8363(IT, writer, &[note(60), cut, alone]), plain());
        rates(module)[2] == 8363
    };
    assert!(sounds(modplug()) && sounds(openmpt(0x25)) && !sounds(impulse_tracker(2, 0x14)));
}

#[test]
fn an_arpeggio_plays_the_notes_above_in_their_order() {
    let second = |dialect, writer| {
        let command = EffectCommand::Arpeggio;
        let ticks = played(at_8363(dialect, writer, &[with(note(60), command, 0x47)]));
        ticks[1].1[0].sound.hz.round() as i32
    };
    assert_eq!(second(IT, modplug()), 8363 * 1712 / 1356 + 1);
    // FastTracker 2 counts backwards.
    let [fourth, seventh] = [4.0, 7.0].map(|above: f64| (8363.0 * (above / 12.0).exp2()).round() as i32);
    assert_eq!([second(XM, modplug()), second(XM, openmpt(0x17))], [fourth; 2]);
    assert_eq!([second(XM, openmpt(0x18)), second(XM, writer(Program::FastTracker2, [0; 4]))], [seventh; 2]);
}

#[test]
fn one_channel_at_a_time_has_a_pattern_loop() {
    let loops = |dialect, writer, starts: [u8; 2]| {
        let command = EffectCommand::Extended;
        let [start, end] = starts;
        let effects =
            [(1, 1, command, start), (2, 2, command, start), (4, 2, command, end), (6, 1, command, end)];
        rows(in_channels(dialect, writer, &effects))
    };
    let alone = [0, 1, 2, 3, 4, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7];
    let together = [0, 1, 2, 3, 4, 2, 3, 4, 5, 6, 1, 2, 3, 4, 2, 3, 4, 5, 6, 7];
    assert_eq!(loops(IT, modplug(), [0xB0, 0xB1]), alone);
    assert_eq!(loops(XM, modplug(), [0x60, 0x61]), alone);
    assert_eq!(loops(IT, impulse_tracker(2, 0x14), [0xB0, 0xB1]), together);
    assert_eq!(loops(XM, writer(Program::FastTracker2, [0; 4]), [0x60, 0x61]), together);
}

#[test]
fn a_pattern_loop_of_an_xm_turns_whatever_a_jump_says() {
    let turns = |writer| {
        let effects = [
            (2, 1, EffectCommand::Extended, 0x60),
            (4, 1, EffectCommand::Extended, 0x61),
            (4, 2, EffectCommand::PositionJump, 0),
        ];
        rows(in_channels(XM, writer, &effects))
    };
    assert_eq!(turns(modplug()), [0, 1, 2, 3, 4, 2, 3, 4]);
    assert_eq!(turns(writer(Program::FastTracker2, [0; 4]))[..6], [0, 1, 2, 3, 4, 0]);
}

#[test]
fn a_delay_of_an_xm_without_a_note_plays_none() {
    let again = |writer| {
        let ticks = played(at_8363(XM, writer, &[note(60), effect(EffectCommand::Extended, 0xD3)]));
        let positions: Vec<u64> = ticks.iter().map(|(_, voices)| voices[0].position).collect();
        positions[9] < positions[8]
    };
    assert!(!again(modplug()) && !again(openmpt(0x17)) && again(openmpt(0x18)));
}

#[test]
fn pan_slides_of_an_xm_go_four_times_as_far() {
    let slide = Cell { volume: Some(VolumeCommand::PanRight(2)), ..Cell::default() };
    let pan = |writer| {
        let ticks = played(at_8363(XM, writer, &[note(60), slide]));
        (ticks[11].1[0].sound.pan * 128.0).round() as i32
    };
    // Two in each of five ticks.
    assert_eq!([pan(modplug()), pan(openmpt(0x17)), pan(openmpt(0x18))], [40, 40, 10]);
}

#[test]
fn a_filter_is_damped_twice_as_much() {
    let resonance = |writer| {
        let filter = InitialFilter { cutoff: Some(60), resonance: Some(0) };
        let module = instrumented(at_8363(IT, writer, &[note(60)]), Instrument { filter, ..plain() });
        played(module)[0].1[0].sound.filter.unwrap().resonance
    };
    // Twice the damping: 10^(−resonance × 24 / 2560) = 2.
    let twice = -(2.0_f32.log10() * 2560.0 / 24.0);
    for writer in [modplug(), openmpt(0x25), writer(Program::OpenMptExport, [1, 0x19, 0, 0])] {
        assert!((resonance(writer) - twice).abs() < 1e-3);
    }
    for writer in [openmpt(0x26), writer(Program::OpenMptExport, [1, 0x20, 0, 0]), impulse_tracker(2, 0x14)] {
        assert!(resonance(writer).abs() < 1e-6);
    }
}

#[test]
fn an_envelope_that_is_turned_off_stands_still_in_impulse_tracker() {
    let points = vec![Point { tick: 0, value: 64 }, Point { tick: 32, value: 0 }];
    let volume = BreakpointEnvelope::new(points, None, None).ok();
    let heard = |writer| {
        let cells = [note(60), effect(EffectCommand::Extended, 0x77)];
        volumes(instrumented(at_8363(IT, writer, &cells), Instrument { volume: volume.clone(), ..plain() }))
    };
    // Five ticks after the first, each two less.
    assert_eq!(heard(impulse_tracker(2, 0x14))[..3], [54, 54, 54]);
    assert_eq!(heard(modplug())[..3], [54, 64, 64]);
}

#[test]
fn random_pans_go_a_quarter_as_far() {
    let widest = |writer: ModuleWriter| {
        let cells = vec![note(60); 32];
        let module = instrumented(at_8363(IT, writer, &cells), Instrument { pan_swing: 64, ..plain() });
        let pans = played(module).into_iter().map(|(_, voices)| voices[0].sound.pan.abs());
        pans.fold(0.0, f32::max)
    };
    assert!(widest(modplug()) <= 0.5 && widest(impulse_tracker(2, 0x14)) > 0.5);
}
