//! Voices that are driven by commands, as those of a song are: changed at the frames that commands name, however blocks
//! are cut, and without the allocator.

use std::sync::Arc;
use std::time::Duration;

use engine::{
    Bank, Config, Controller, DrivenVoice, LentBank, NoteId, Processor, StripIndex, VoiceChange, VoiceFilter,
    VoiceParams,
};
use fixtures::allocator::{self, Counting};
use fixtures::songs::{looped, mono_float, of};
use song::{Frames, Hz, LoopMode, LowPass, SampleIndex};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const RATE: u32 = 48_000;

fn at(frame: u64) -> Option<Frames> {
    Some(Frames::new(frame))
}

fn params(gain: f32) -> VoiceParams {
    VoiceParams { hz: RATE.into(), left: gain, right: gain, filter: None }
}

fn voice(sample: usize) -> DrivenVoice {
    DrivenVoice {
        sample: SampleIndex::new(sample),
        from: Frames::ZERO,
        is_released: false,
        params: params(1.0),
        strip: StripIndex::new(0),
    }
}

/// Returns an engine with two looped recordings, of ones and of halves.
fn engine() -> (Controller, Processor, LentBank) {
    let (mut controller, mut processor) = engine::split(Config::default()).unwrap();
    processor.set_rate(Hz::new(RATE).unwrap());
    let ones = looped(mono_float([1.0; 1000]), 0, 1000, LoopMode::Forward);
    let halves = looped(mono_float([0.5; 1000]), 0, 1000, LoopMode::Forward);
    let bank = controller.lend(Arc::new(Bank::prepare(&of(vec![ones, halves])).unwrap()));
    (controller, processor, bank)
}

fn started(controller: &mut Controller, bank: &LentBank) -> NoteId {
    controller.start_voice(bank, &voice(0), at(10)).unwrap()
}

/// Returns the left side, in blocks of so many frames.
fn heard(processor: &mut Processor, frames: usize, block: usize) -> Vec<f32> {
    let mut out = vec![9.0; frames * 2];
    for block in out.chunks_mut(block * 2) {
        processor.process(block, 2);
    }
    out.into_iter().step_by(2).collect()
}

#[test]
fn a_voice_goes_on_with_another_recording_where_its_loop_turns() {
    let (mut controller, mut processor, bank) = engine();
    let note = started(&mut controller, &bank);
    let change = VoiceChange::SwapAtLoopEnd { sample: Some(SampleIndex::new(1)), from: Frames::ZERO };
    controller.change_voice(&bank, note, change, at(100)).unwrap();
    let heard = heard(&mut processor, 3000, 64);
    // Resampling rings for a few frames about the seam.
    assert!(heard[100..990].iter().all(|value| (value - 1.0).abs() < 1e-3), "before the loop turns");
    assert!(heard[1030..].iter().all(|value| (value - 0.5).abs() < 1e-3), "and after it");
}

#[test]
fn it_ends_there_if_no_recording_follows() {
    let (mut controller, mut processor, bank) = engine();
    let note = started(&mut controller, &bank);
    let change = VoiceChange::SwapAtLoopEnd { sample: None, from: Frames::ZERO };
    controller.change_voice(&bank, note, change, at(100)).unwrap();
    let heard = heard(&mut processor, 3000, 64);
    assert!((heard[900] - 1.0).abs() < 1e-3);
    assert!(heard[1200..].iter().all(|value| *value == 0.0));
}

/// Changes of every kind, some in the same cell of the grid.
fn changes(controller: &mut Controller, bank: &LentBank) {
    let note = started(controller, bank);
    let other = controller.start_voice(bank, &voice(1), at(33)).unwrap();
    let filtered = VoiceParams {
        filter: Some(VoiceFilter::new(LowPass { cutoff: 60.0, resonance: 90.0 })),
        ..params(0.25)
    };
    let slower = VoiceParams { hz: 31_111.0, left: -0.5, right: 0.125, filter: None };
    for (note, change, frame) in [
        (note, VoiceChange::Params { params: filtered, glide: Duration::ZERO }, 70),
        (note, VoiceChange::Params { params: slower, glide: Duration::ZERO }, 1031),
        (other, VoiceChange::Params { params: params(0.0), glide: Duration::ZERO }, 1040),
        (other, VoiceChange::LeaveSustain, 1500),
        (note, VoiceChange::SwapAtLoopEnd { sample: Some(SampleIndex::new(1)), from: Frames::new(17) }, 1501),
        (other, VoiceChange::Params { params: slower, glide: Duration::ZERO }, 1999),
        (other, VoiceChange::Stop, 3333),
        (note, VoiceChange::Stop, 3900),
    ] {
        controller.change_voice(bank, note, change, at(frame)).unwrap();
    }
}

#[test]
fn blocks_of_any_length_make_the_same_frames() {
    let rendered = |block| {
        let (mut controller, mut processor, bank) = engine();
        changes(&mut controller, &bank);
        heard(&mut processor, 4200, block)
    };
    let expected = rendered(4200);
    assert!(
        expected[20..3900].iter().any(|value| *value != 0.0)
            && expected[4000..].iter().all(|value| *value == 0.0)
    );
    for block in [1, 7, 63, 64, 65, 256, 1000] {
        let first = rendered(block).iter().zip(&expected).position(|(one, other)| one != other);
        assert_eq!(first, None, "the first frame that differs, in blocks of {block}");
    }
}

#[test]
fn changes_neither_allocate_nor_free_where_they_are_rendered() {
    let (mut controller, mut processor, bank) = engine();
    changes(&mut controller, &bank);
    let mut out = vec![0.0; 4200 * 2];
    let ((), counts) =
        allocator::during(|| out.chunks_mut(128).for_each(|block| processor.process(block, 2)));
    assert_eq!((counts.allocations, counts.frees), (0, 0));
    assert!(out.iter().any(|value| *value != 0.0));
}

#[test]
fn a_gain_glides_as_long_as_it_is_told_to_and_a_millisecond_at_least() {
    let (mut controller, mut processor, bank) = engine();
    let note = started(&mut controller, &bank);
    let params = |gain: f32| VoiceParams { left: gain, ..params(0.0) };
    let glide =
        |gain, millis| VoiceChange::Params { params: params(gain), glide: Duration::from_millis(millis) };
    controller.change_voice(&bank, note, glide(0.0, 20), at(1000)).unwrap();
    controller.change_voice(&bank, note, glide(1.0, 0), at(3000)).unwrap();
    let heard = heard(&mut processor, 4000, 512);
    let near = |frame: usize, wanted: f32| (heard[frame] - wanted).abs() < 1e-3;
    assert!(near(1000, 1.0) && near(1480, 0.5) && near(1960, 0.0), "{} {}", heard[1480], heard[1960]);
    assert!(near(3000, 0.0) && near(3024, 0.5) && near(3048, 1.0), "{} {}", heard[3024], heard[3048]);
}

#[test]
fn a_silent_voice_goes_on_and_is_where_it_would_be() {
    let rise: Vec<f32> = (0..1000).map(|frame| frame as f32 / 1000.0).collect();
    let (mut controller, mut processor) = engine::split(Config::default()).unwrap();
    processor.set_rate(Hz::new(RATE).unwrap());
    let bank = controller.lend(Arc::new(Bank::prepare(&of(vec![mono_float(rise)])).unwrap()));
    let note = controller.start_voice(&bank, &voice(0), at(0)).unwrap();
    let gain = |gain| VoiceChange::Params { params: params(gain), glide: Duration::ZERO };
    controller.change_voice(&bank, note, gain(0.0), at(100)).unwrap();
    controller.change_voice(&bank, note, gain(1.0), at(500)).unwrap();
    let heard = heard(&mut processor, 700, 64);
    assert_eq!(heard[300], 0.0);
    assert!((heard[600] - 0.6).abs() < 1e-3, "{}", heard[600]);
}

#[test]
fn notes_that_are_released_all_at_once_leave_driven_voices_alone() {
    let (mut controller, mut processor, bank) = engine();
    started(&mut controller, &bank);
    controller.all_notes_off(at(100)).unwrap();
    assert_eq!(heard(&mut processor, 20_000, 512).last(), Some(&1.0));
}

#[test]
fn a_voice_goes_on_in_a_copy_of_what_it_plays_where_it_stands() {
    let rise = |from: usize| {
        let values = (0..1000).map(|frame| if frame < from { frame as f32 / 1000.0 } else { -0.5 });
        looped(mono_float(values.collect::<Vec<_>>()), 0, 1000, LoopMode::Forward)
    };
    let (mut controller, mut processor) = engine::split(Config::default()).unwrap();
    processor.set_rate(Hz::new(RATE).unwrap());
    let other = looped(mono_float([0.25; 999]), 0, 999, LoopMode::Forward);
    let lend = |controller: &mut Controller, from| {
        controller.lend(Arc::new(Bank::prepare(&of(vec![rise(from), other.clone()])).unwrap()))
    };
    let bank = lend(&mut controller, 1000);
    let note = controller.start_voice(&bank, &voice(0), at(0)).unwrap();
    let copy = lend(&mut controller, 700);
    controller.replace_recording(&copy, note, SampleIndex::new(0), at(400)).unwrap();
    // Another sample is no copy.
    controller.replace_recording(&copy, note, SampleIndex::new(1), at(500)).unwrap();
    assert!(controller.replace_recording(&copy, note, SampleIndex::new(2), at(500)).is_err());
    let heard = heard(&mut processor, 900, 128);
    let near = |frame: usize, wanted: f32| (heard[frame] - wanted).abs() < 2e-3;
    assert!(near(399, 0.399) && near(401, 0.401) && near(650, 0.65), "{}", heard[401]);
    assert!(near(750, -0.5), "{}", heard[750]);
}
