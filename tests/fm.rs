//! Voices of the FM synthesiser: pitch, level, release and end, however blocks are cut, and without the allocator.

use std::sync::Arc;
use std::time::Duration;

use engine::{
    Bank, Config, Controller, Event, FmVoice, LentBank, NoteId, Processor, StripIndex, VoiceChange,
    VoiceParams,
};
use fixtures::allocator::{self, Counting};
use fixtures::songs::{mono_float, of};
use song::{FmPatch, Frames, Hz};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const RATE: u32 = 48_000;

/// A sine: the modulator is as quiet as it can be, the carrier begins at once and is held; it is released slowly.
const SINE: [u8; 12] = [0x21, 0x21, 63, 0, 0xF0, 0xF0, 0x06, 0x06, 0, 0, 0, 0];

fn at(frame: u64) -> Option<Frames> {
    Some(Frames::new(frame))
}

fn params(hz: f64, gain: f32) -> VoiceParams {
    VoiceParams { hz, left: gain, right: gain, filter: None }
}

fn engine() -> (Controller, Processor, LentBank) {
    let (mut controller, mut processor) = engine::split(Config::default()).unwrap();
    processor.set_rate(Hz::new(RATE).unwrap());
    let bank = controller.lend(Arc::new(Bank::prepare(&of(vec![mono_float([1.0; 10])])).unwrap()));
    (controller, processor, bank)
}

fn start(controller: &mut Controller, patch: [u8; 12], hz: f64, frame: u64) -> NoteId {
    let voice = FmVoice { patch: FmPatch::new(patch), params: params(hz, 1.0), strip: StripIndex::default() };
    controller.start_fm(&voice, at(frame)).unwrap()
}

/// Returns the left side, in blocks of so many frames.
fn heard(processor: &mut Processor, frames: usize, block: usize) -> Vec<f32> {
    let mut out = vec![9.0; frames * 2];
    for block in out.chunks_mut(block * 2) {
        processor.process(block, 2);
    }
    out.into_iter().step_by(2).collect()
}

fn peak(frames: &[f32]) -> f32 {
    frames.iter().fold(0.0, |peak, value| value.abs().max(peak))
}

/// Returns how often the sign changes from minus to plus.
fn cycles(frames: &[f32]) -> usize {
    frames.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
}

#[test]
fn it_sounds_at_its_pitch_and_full_scale_and_follows_changes_of_both() {
    let (mut controller, mut processor, bank) = engine();
    let note = start(&mut controller, SINE, 440.0, 100);
    let change = VoiceChange::Params { params: params(1760.0, 0.25), glide: Duration::ZERO };
    controller.change_voice(&bank, note, change, at(48_100)).unwrap();
    let heard = heard(&mut processor, 96_200, 512);
    assert_eq!(peak(&heard[..100]), 0.0);
    assert!(cycles(&heard[100..48_100]).abs_diff(440) <= 2, "{}", cycles(&heard[100..48_100]));
    assert!((peak(&heard[1000..40_000]) - 1.0).abs() < 0.02, "{}", peak(&heard[1000..40_000]));
    assert!(cycles(&heard[48_100..96_100]).abs_diff(1760) <= 4, "{}", cycles(&heard[48_100..96_100]));
    assert!((peak(&heard[50_000..]) - 0.25).abs() < 0.01, "{}", peak(&heard[50_000..]));
}

#[test]
fn pitches_beyond_those_of_the_chip_are_its_lowest_and_its_highest() {
    for (hz, least, most) in [(0.0, 0, 1), (1e9, 6000, 6500)] {
        let (mut controller, mut processor, _bank) = engine();
        start(&mut controller, SINE, hz, 0);
        let cycles = cycles(&heard(&mut processor, RATE as usize, 512));
        assert!((least..=most).contains(&cycles), "{hz}: {cycles}");
    }
}

#[test]
fn a_released_voice_rings_out_and_ends_and_a_stopped_one_ends_at_once() {
    let ends = |change| {
        let (mut controller, mut processor, bank) = engine();
        let note = start(&mut controller, SINE, 440.0, 0);
        controller.change_voice(&bank, note, change, at(1000)).unwrap();
        let heard = heard(&mut processor, 96_000, 512);
        let mut end = None;
        while let Some(event) = controller.poll() {
            if let Event::Ended { note: ended, at } = event {
                assert_eq!(ended, note);
                end = Some(at.get() as usize);
            }
        }
        assert!(processor.is_idle());
        let end = end.unwrap();
        assert!(peak(&heard[..1000]) > 0.9 && peak(&heard[end..]) == 0.0);
        end
    };
    assert!((20_000..90_000).contains(&ends(VoiceChange::LeaveSustain)));
    assert_eq!(ends(VoiceChange::Stop), 1048);
}

#[test]
fn more_voices_than_there_are_chips_are_refused() {
    let (mut controller, mut processor, _bank) = engine();
    let notes: Vec<NoteId> = (0..33).map(|_| start(&mut controller, SINE, 440.0, 0)).collect();
    heard(&mut processor, 64, 64);
    let mut refused = Vec::new();
    while let Some(event) = controller.poll() {
        if let Event::Refused { note, .. } = event {
            refused.push(note);
        }
    }
    assert_eq!(refused, notes[32..]);
}

#[test]
fn blocks_of_any_length_make_the_same_frames_without_the_allocator() {
    let rendered = |block: usize| {
        let (mut controller, mut processor, bank) = engine();
        let note = start(&mut controller, SINE, 440.0, 17);
        start(&mut controller, [0x62, 0xA1, 20, 5, 0xA4, 0x73, 0x35, 0x28, 1, 2, 9, 0], 123.4, 70);
        let glide = VoiceChange::Params { params: params(300.0, 0.1), glide: Duration::from_millis(9) };
        controller.change_voice(&bank, note, glide, at(1031)).unwrap();
        controller.change_voice(&bank, note, VoiceChange::LeaveSustain, at(2000)).unwrap();
        let (frames, counts) = allocator::during(|| {
            let mut out = [0.0; 8000];
            out.chunks_mut(block * 2).for_each(|block| processor.process(block, 2));
            out
        });
        assert_eq!((counts.allocations, counts.frees), (0, 0));
        frames
    };
    let expected = rendered(4000);
    assert!(peak(&expected) > 0.5);
    for block in [1, 63, 64, 100] {
        assert!(rendered(block) == expected, "in blocks of {block}");
    }
}
