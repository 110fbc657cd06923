//! What Scream Tracker 3 does in which tick of a row, and with which sample.

use song::FmPatch;
use song::module::{Cell, CellNote, EffectCommand, Level, Module, Program, SampleSource, SampleTuning};
use tracker::replay::{Replay, ReplayOptions, VoiceCommand};

use crate::{S3M, effect, note, played, rates, rows, score, song, volumes, with, writer};

/// Returns the volume in 64ths, or another thing, of the voice in each of the first ticks; −1 if there is none.
fn heard(module: Module, ticks: usize, of: impl Fn(&tracker::replay::VoiceState) -> i32) -> Vec<i32> {
    let played = played(module).into_iter().take(ticks);
    played.map(|(_, voices)| voices.first().map_or(-1, &of)).collect()
}

fn volume(voice: &tracker::replay::VoiceState) -> i32 {
    (voice.sound.volume * 64.0).round() as i32
}

/// Returns a song of two samples: the second has half the volume and four times the rate.
fn song_of_two(cells: &[Cell]) -> Module {
    let mut module = song(S3M, cells);
    module.samples[0].tuning = SampleTuning::Rate(8363);
    let second = song::module::Sample {
        volume: Level::from_64(32),
        tuning: SampleTuning::Rate(33_452),
        ..module.samples[0].clone()
    };
    module.samples.push(second);
    Module { writer: writer(Program::ScreamTracker3, [3, 0x20, 0, 0]), ..module }
}

/// Returns the commands of each tick of a song of one FM instrument, whose carrier is attenuated by 3 steps.
fn synthesised(cells: &[Cell]) -> Vec<Vec<VoiceCommand>> {
    let mut module = song_of_two(cells);
    module.samples[0].source =
        SampleSource::Synthesised(FmPatch::new([0x21, 0x21, 63, 3, 0xF0, 0xF0, 0x0F, 0x0F, 0, 0, 0, 0]));
    let mut replay = Replay::new(score(module), ReplayOptions { loops: Some(0), ..ReplayOptions::default() });
    std::iter::from_fn(|| replay.tick().map(|tick| tick.commands.to_vec())).take(24).collect()
}

#[test]
fn an_fm_note_has_its_pitch_in_cycles_and_divides_what_is_left_of_its_attenuation() {
    let heard = |volume| {
        let volume = Some(song::module::VolumeCommand::Volume(volume));
        match synthesised(&[Cell { volume, ..note(60) }])[0][..] {
            [VoiceCommand::StartFm { sound, .. }] => (sound.hz, 20.0 * sound.volume.log10()),
            ref other => panic!("{other:?}"),
        }
    };
    let close = |one: f32, other: f32| (one - other).abs() < 0.01;
    assert!((heard(64).0 - 261.63).abs() < 0.1, "{}", heard(64).0);
    assert!(close(heard(64).1, 0.0) && close(heard(32).1, -22.5) && close(heard(0).1, -45.0));
}

#[test]
fn a_note_off_releases_an_fm_note_and_a_retrigger_lets_it_go_on() {
    let ticks = synthesised(&[note(60), Cell { note: CellNote::Cut, ..Cell::default() }]);
    assert!(matches!(ticks[6][..], [VoiceCommand::LeaveSustain { .. }]), "{:?}", ticks[6]);
    let ticks = synthesised(&[note(60), effect(EffectCommand::Retrigger, 1)]);
    assert!(ticks[1..].iter().all(Vec::is_empty), "{ticks:?}");
    // Another note begins anew.
    let ticks = synthesised(&[note(60), note(64)]);
    assert!(matches!(ticks[6][..], [VoiceCommand::Stop { .. }, VoiceCommand::StartFm { .. }]));
}

#[test]
fn an_fm_note_is_heard_on_one_side_or_on_both() {
    let pan = |parameter| match synthesised(&[with(note(60), EffectCommand::SetPanning, parameter)])[0][..] {
        [VoiceCommand::StartFm { sound, .. }] => sound.pan,
        ref other => panic!("{other:?}"),
    };
    assert_eq!([0x00, 0x2A, 0x2B, 0x55, 0x56, 0x80].map(pan), [-1.0, -1.0, 0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn a_fine_slide_of_the_volume_happens_once() {
    for (parameter, after) in [(0xF4, [60; 6]), (0x4F, [64; 6])] {
        let cells = [with(note(60), EffectCommand::VolumeSlide, parameter)];
        assert_eq!(heard(song(S3M, &cells), 6, volume), after);
    }
    let up = with(
        Cell { volume: Some(song::module::VolumeCommand::Volume(32)), ..note(60) },
        EffectCommand::VolumeSlide,
        0x4F,
    );
    assert_eq!(heard(song(S3M, &[up]), 6, volume), [36; 6]);
}

#[test]
fn a_delayed_note_begins_with_its_tick_and_one_by_none_never() {
    let delayed =
        |by: u8| heard(song_of_two(&[with(note(60), EffectCommand::Extended, 0xD0 + by)]), 6, |_| 1);
    assert_eq!(delayed(2), [-1, -1, 1, 1, 1, 1]);
    assert_eq!(delayed(0), [-1; 6]);
    assert_eq!(delayed(7), [-1; 6]);
}

#[test]
fn a_slide_goes_on_from_the_lowest_note_of_the_slowest_sample() {
    let low = with(note(0), EffectCommand::Arpeggio, 0x11);
    for program in [Program::ScreamTracker3, Program::ImpulseTracker] {
        let mut module = song(S3M, &[low, effect(EffectCommand::PortamentoDown, 0x7F)]);
        module.writer.program = program;
        module.samples[0].tuning = SampleTuning::Rate(1);
        assert!(!played(module).is_empty(), "{program:?}");
    }
}

#[test]
fn a_vibrato_begins_at_rest() {
    let pitch = |wave: u8| {
        let cells =
            [effect(EffectCommand::Extended, 0x30 + wave), with(note(60), EffectCommand::Vibrato, 0x88)];
        let hz = heard(song_of_two(&cells), 12, |voice| voice.sound.hz.round() as i32);
        hz[6..].iter().map(|hz| (hz - 8363).signum()).collect::<Vec<_>>()
    };
    // Sine: down from the third tick on. Ramp: up, as its period falls.
    assert_eq!(pitch(0), [0, 0, -1, -1, -1, 0]);
    assert_eq!(pitch(1), [0, 0, 1, 1, 1, -1]);
}

#[test]
fn retriggers_are_counted_through_the_first_ticks_of_rows() {
    let begins = |cells: &[Cell]| {
        let frames = heard(song_of_two(cells), 18, |voice| voice.position as i32);
        frames.iter().enumerate().filter(|(_, frame)| **frame == 0).map(|(tick, _)| tick).collect::<Vec<_>>()
    };
    let again = effect(EffectCommand::Retrigger, 0x04);
    assert_eq!(begins(&[with(note(60), EffectCommand::Retrigger, 0x04), again, again]), [0, 4, 8, 12, 16]);
}

#[test]
fn a_slide_goes_on_with_the_sample_that_sounds() {
    let slide = with(Cell { instrument: Some(2), ..note(60) }, EffectCommand::TonePortamento, 1);
    let later = Cell { instrument: None, ..note(60) };
    let module = song_of_two(&[note(60), slide, later]);
    assert_eq!(volumes(module.clone())[..3], [64, 32, 32]);
    assert_eq!(heard(module.clone(), 18, |voice| voice.sample as i32), [0; 18]);
    // At the rate of the other, whose period is 428.
    assert_eq!(rates(module)[2], 14_317_056 / 428);
}

#[test]
fn a_cut_leaves_no_volume_to_a_note_without_an_instrument() {
    let cut = Cell { note: CellNote::Cut, ..Cell::default() };
    let next = Cell { instrument: None, ..note(60) };
    assert_eq!(volumes(song_of_two(&[note(60), cut, next, note(60)])), [64, -1, 0, 64]);
    let by_effect = with(note(60), EffectCommand::Extended, 0xC2);
    assert_eq!(volumes(song_of_two(&[by_effect, next]))[..2], [-1, 64]);
}

#[test]
fn all_channels_have_one_loop_but_in_imago_orpheus() {
    let cells =
        [effect(EffectCommand::Extended, 0xB0), Cell::default(), effect(EffectCommand::Extended, 0xB1)];
    let played_rows = |program| {
        let mut module = Module { writer: writer(program, [0; 4]), ..song(S3M, &cells) };
        let empty = Cell::default();
        // The second channel closes the loop that the first opens.
        let rows = [[cells[0], empty], [empty; 2], [empty, cells[2]], [empty; 2]].concat();
        let late = [[empty; 2], [cells[0], empty], [empty, cells[2]], [empty; 2]].concat();
        module.channels.push(module.channels[0]);
        [rows, late].map(|cells| {
            let pattern = song::module::Pattern::new(4, 2, cells).unwrap();
            self::rows(Module { patterns: vec![pattern], ..module.clone() })
        })
    };
    for shared in [Program::ScreamTracker3, Program::Other] {
        assert_eq!(played_rows(shared), [vec![0, 1, 2, 0, 1, 2, 3], vec![0, 1, 2, 1, 2, 3]], "{shared:?}");
    }
    assert_eq!(played_rows(Program::ImagoOrpheus), [vec![0, 1, 2, 0, 1, 2, 3], vec![0, 1, 2, 0, 1, 2, 3]]);
}

#[test]
fn a_slide_begins_a_sample_that_has_ended_at_the_pitch_that_was_but_only_beside_an_instrument() {
    let of = |instrument| {
        let slide = with(Cell { instrument, ..note(72) }, EffectCommand::TonePortamento, 1);
        let mut module = song_of_two(&[note(60), slide]);
        // It lasts as long as a row.
        module.samples[0].loop_range = None;
        rates(module)[1]
    };
    assert!((8363..9000).contains(&of(Some(1))), "{}", of(Some(1)));
    assert_eq!(of(None), -1);
}

#[test]
fn what_was_cut_is_not_retriggered() {
    let cut = Cell { note: CellNote::Cut, ..Cell::default() };
    let again = effect(EffectCommand::Retrigger, 2);
    assert_eq!(volumes(song_of_two(&[note(60), cut, again]))[1..3], [-1, -1]);
}
