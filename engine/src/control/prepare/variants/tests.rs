use fixtures::songs::{articulated, looped, mono, of, stereo_float};
use song::{
    Frames, InstrumentIndex, Key, LoopCount, LoopMode, LoopRange, Sample, SampleIndex, SamplerArticulation,
    Velocity,
};

use super::*;
use crate::bank::LoopOverride;
use crate::{Config, Controller, Note, Processor, Quality, offline, split};

fn one() -> InstrumentIndex {
    InstrumentIndex::new(0)
}

fn trim(start: u64, end: u64) -> SampleOverride {
    SampleOverride { trim: Some((Frames::new(start), Frames::new(end))), looping: None }
}

fn bank(sample: Sample, how: impl Into<SampleOverride>) -> Bank {
    Bank::prepare(&of(vec![sample])).unwrap().with_override(one(), how)
}

fn begun(bank: Bank, semitones: i8) -> (Controller, Processor) {
    let config = Config { interpolation: Quality::Good.into(), ..Config::default() };
    let (mut controller, processor) = split(config).unwrap();
    controller.load(Arc::new(bank));
    let note = Note::new(one(), Key::C4.shifted(semitones.into()).unwrap_or(Key::C4), Velocity::HIGHEST);
    controller.begin(note).unwrap();
    (controller, processor)
}

/// Returns the left channel of a note held for so many frames, at its own pitch and rate or some semitones away.
fn heard(bank: Bank, semitones: i8, frames: u64) -> Vec<f32> {
    let (_controller, mut processor) = begun(bank, semitones);
    let rendered = offline::render(&mut processor, Frames::new(frames));
    rendered.chunks(2).map(|frame| frame[0]).collect()
}

/// A ramp at the engine's own rate.
fn ramp(frames: i16) -> Sample {
    let values = |range: std::ops::Range<i16>| range.map(|frame| f32::from(frame) / 4096.0).collect();
    let sample = stereo_float(values(1..frames + 1), values(1..frames + 1));
    Sample::new(sample.origin().clone(), sample.recording().clone(), sample.width(), Processor::DEFAULT_RATE)
}

#[test]
fn a_trimmed_voice_renders_the_frames_of_the_untrimmed_one() {
    let whole = heard(bank(ramp(1000), SampleOverride::default()), 0, 1000);
    assert!(whole.iter().all(|value| *value > 0.0));
    for (start, end) in [(0, 1000), (0, 600), (300, 1000), (300, 600), (300, 340), (999, 1000), (0, 1)] {
        let trimmed = heard(bank(ramp(1000), trim(start, end)), 0, 2000);
        let (start, end) = (Frames::new(start).index(), Frames::new(end).index());
        assert_eq!(trimmed[..end - start], whole[start..end], "{start}..{end}");
        // The last value fades.
        assert!(trimmed[end - start..].iter().all(|value| *value <= whole[end - 1]), "{start}..{end}");
        assert_eq!(trimmed.last(), Some(&0.0));
    }
}

#[test]
fn a_trim_moves_no_note_that_begins_later_by_itself() {
    let still = song::SegmentEnvelope::new(1.0, Vec::new(), None).unwrap();
    let offset = SamplerArticulation { offset: Frames::new(400), ..SamplerArticulation::plain(still) };
    let bank = |how: SampleOverride| {
        Bank::prepare(&articulated(vec![(ramp(1000), offset.clone())])).unwrap().with_override(one(), how)
    };
    let whole = heard(bank(SampleOverride::default()), 0, 600);
    assert_eq!(heard(bank(trim(300, 1000)), 0, 600), whole);
    assert_eq!(heard(bank(trim(500, 1000)), 0, 200)[150..], whole[250..300], "it begins with the trim");
}

#[test]
fn a_trimmed_end_is_that_of_a_recording_of_this_length() {
    let values = |frames: usize| -> Vec<f32> {
        (0..frames)
            .map(|frame| (frame as f32 / 9.0).sin() * if frame % 400 < 200 { 1.0 } else { 0.0 })
            .collect()
    };
    // Ends in sound, in silence, and near the first frame.
    for end in [500, 350, 201, 40, 3] {
        for semitones in [-7, 0, 5] {
            let cut = stereo_float(values(end), values(end));
            let whole = stereo_float(values(900), values(900));
            let expected = heard(bank(cut, SampleOverride::default()), semitones, 4000);
            let trimmed = heard(bank(whole, trim(0, end as u64)), semitones, 4000);
            let farthest = trimmed.iter().zip(&expected).map(|(one, other)| (one - other).abs());
            let farthest = farthest.fold(0.0, f32::max);
            assert!(farthest < 1e-6, "{end} {semitones} {farthest}");
        }
    }
}

#[test]
fn a_trim_that_is_not_within_the_recording_changes_nothing() {
    for (start, end) in [(0, 10), (3, 11), (5, 5), (6, 5), (0, u64::MAX)] {
        let bank = bank(mono([1; 10]), trim(start, end));
        assert_eq!(bank.tracks.len(), 1, "{start}..{end}");
    }
}

#[test]
fn a_loop_repeats_if_it_is_wholly_within_the_trim() {
    let sample = || looped(ramp(1000), 400, 700, LoopMode::Forward);
    let whole = heard(bank(sample(), SampleOverride::default()), 0, 3000);
    for (start, end) in [(100, 900), (400, 700), (0, 700), (400, 1000)] {
        let trimmed = bank(sample(), trim(start, end));
        assert!(trimmed.is_looped(one()));
        assert_eq!(heard(trimmed, 0, 2000), whole[Frames::new(start).index()..][..2000], "{start}..{end}");
    }
    for (start, end) in [(401, 900), (0, 699), (0, 400), (700, 1000)] {
        let trimmed = bank(sample(), trim(start, end));
        assert!(!trimmed.is_looped(one()), "{start}..{end}");
        assert_eq!(trimmed.waveform(one(), SampleIndex::new(0), 9).unwrap().looping, None);
    }
}

#[test]
fn a_range_and_the_whole_repeat_within_the_trim() {
    let with = |looping, start, end| SampleOverride { looping: Some(looping), ..trim(start, end) };
    let region =
        |bank: &Bank| bank.tracks.last().unwrap().loop_region.map(|region| (region.start, region.end));
    let range = |start, end| LoopOverride::Range(Frames::new(start), Frames::new(end));
    assert_eq!(region(&bank(ramp(100), with(LoopOverride::On, 20, 60))), Some((20, 60)));
    assert_eq!(region(&bank(ramp(100), with(range(30, 60), 20, 60))), Some((30, 60)));
    assert_eq!(region(&bank(ramp(100), with(range(10, 60), 20, 60))), None);
    let own = || looped(ramp(100), 30, 40, LoopMode::Forward);
    assert_eq!(region(&bank(own(), with(LoopOverride::Off, 20, 60))), None);
    assert_eq!(region(&bank(own(), with(LoopOverride::On, 20, 60))), Some((30, 40)));
}

#[test]
fn what_follows_a_sustain_loop_is_trimmed_as_well() {
    let length = Frames::new(100);
    let range = |start, end| {
        let (start, end) = (Frames::new(start), Frames::new(end));
        LoopRange::new(start, end, length, LoopMode::Forward, LoopCount::Forever).unwrap()
    };
    let after = |loops: Vec<LoopRange>, start, end| {
        let bank = bank(ramp(100).with_loops(loops).unwrap(), trim(start, end));
        let played = bank.track(bank.track_of(one(), bank.instruments[0].zones()[0]).unwrap()).unwrap();
        let after = played.release_track.map(|number| bank.track(number).unwrap());
        after.map(|after| (after.first, after.length, after.loop_region.map(|region| region.start)))
    };
    let sustain = || range(30, 40).sustaining();
    assert_eq!(after(vec![sustain()], 20, 60), Some((20, 60, None)));
    assert_eq!(after(vec![sustain(), range(45, 55)], 20, 60), Some((20, 60, Some(45))));
    assert_eq!(after(vec![sustain(), range(45, 65)], 20, 60), Some((20, 60, None)));
    assert_eq!(after(vec![sustain()], 35, 60), None, "it does not repeat");
    assert_eq!(after(vec![range(30, 40)], 20, 60), None);
}

#[test]
fn a_trim_shares_the_recording_and_the_waveform_shows_all_of_it() {
    let bank = bank(ramp(1000), trim(300, 600));
    let [whole, trimmed] = [0, 1].map(|number| match &bank.tracks[number].planes {
        Padded::F32(crate::bank::Channels::Stereo(left, _)) => left.main.as_ptr(),
        _ => panic!("two channels of floats"),
    });
    assert_eq!(whole, trimmed);
    let waveform = bank.waveform(one(), SampleIndex::new(0), 10).unwrap();
    assert_eq!((waveform.length, waveform.channels[0].len()), (Frames::new(1000), 10));
    assert_eq!(waveform.channels[0][9][1], 1000.0 / 4096.0);
    let back = bank.with_override(one(), SampleOverride::default());
    assert_eq!(back.track_of(one(), back.instruments[0].zones()[0]), Some(0));
}

#[test]
fn positions_of_a_trimmed_voice_are_frames_of_the_whole_recording() {
    let (controller, mut processor) = begun(bank(ramp(20_000), trim(10_000, 19_000)), 0);
    let _heard = offline::render(&mut processor, Frames::new(4000));
    let positions: Vec<_> = controller.positions().map(|(_, sample, frame)| (sample, frame.get())).collect();
    assert!(
        matches!(positions[..], [(sample, 10_001..=14_000)] if sample == SampleIndex::new(0)),
        "{positions:?}"
    );
}
