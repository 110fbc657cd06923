use std::time::Duration;

use engine::{Bank, Config, Note, offline};
use fixtures::songs::{articulated, looped, mono, mono_float, of};
use song::{
    Articulation, Cents, Envelope, FrameRange, Instrument, LoopMode, Pan, SamplerArticulation,
    SegmentEnvelope, Velocity, Zone,
};

use super::*;
use crate::session;
use crate::voicing::EngineVoicing as _;

fn decibels(decibels: f32) -> Decibels {
    Decibels::new(decibels).unwrap()
}

fn range(start: u64, end: u64) -> Option<FrameRange> {
    Some(FrameRange { start: Frames::new(start), end: Frames::new(end) })
}

fn loops(sample: &Sample) -> Vec<(u64, u64)> {
    sample.loops().iter().map(|range| (range.start().get(), range.end().get())).collect()
}

#[test]
fn gain_is_applied_to_the_frames_and_what_is_too_loud_is_clipped_and_counted() {
    let louder = Voicing { gain: Decibels::from_gain(2.0).unwrap(), ..Voicing::default() };
    let AdjustedSample { sample, clipped } = AdjustedSample::of(&mono([100, -3, 20_000, -20_000]), &louder);
    let Recording::I16(planes) = sample.recording() else { panic!("16 bits became another width") };
    assert_eq!((planes.left(), clipped), (&[200, -6, i16::MAX, i16::MIN][..], 2));
    let AdjustedSample { sample, clipped } = AdjustedSample::of(&mono_float([0.75, -0.25]), &louder);
    let Recording::F32(planes) = sample.recording() else { panic!("floats became another width") };
    assert_eq!((planes.left(), clipped), (&[1.5, -0.5][..], 0), "a float holds more than full scale");
}

#[test]
fn a_recording_that_is_not_adjusted_is_itself() {
    let sample = looped(mono([1, 2, 3, 4]), 1, 3, LoopMode::PingPong);
    assert_eq!(AdjustedSample::of(&sample, &Voicing::default()), AdjustedSample { sample, clipped: 0 });
}

#[test]
fn root_tune_and_loop_are_those_of_the_recording() {
    let sample = looped(mono([0; 9]), 1, 3, LoopMode::PingPong).with_root(Key::C4, Cents::new(20.0).unwrap());
    let voicing = Voicing {
        root_shift: 2,
        tune: Cents::new(-30.0).unwrap(),
        loop_range: range(2, 9),
        ..Voicing::default()
    };
    let sample = AdjustedSample::of(&sample, &voicing).sample;
    // A lower note is one of a recording that is as much higher.
    assert_eq!((sample.root(), sample.tuning().get()), (Key::C4.shifted(2), 50.0));
    assert_eq!((loops(&sample), sample.loops()[0].mode()), (vec![(2, 9)], LoopMode::Forward));
    let off = Voicing { looping: Some(false), ..voicing };
    assert_eq!(loops(&AdjustedSample::of(&sample, &off).sample), []);
    let on = Voicing { looping: Some(true), ..Voicing::default() };
    assert_eq!(loops(&AdjustedSample::of(&mono([0; 9]), &on).sample), [(0, 9)]);
    let beyond = Voicing { loop_range: range(2, 10), ..Voicing::default() };
    assert_eq!(loops(&AdjustedSample::of(&sample, &beyond).sample), [(2, 9)], "its own");
}

#[test]
fn a_trim_cuts_the_recording_and_moves_its_loops() {
    let root = (Key::C4.shifted(3).unwrap(), Cents::new(20.0).unwrap());
    let own = looped(mono([1, 2, 3, 4, 5, 6]), 2, 4, LoopMode::PingPong).with_root(root.0, root.1);
    let cut = |voicing: Voicing| {
        let AdjustedSample { sample, .. } = AdjustedSample::of(&own, &voicing);
        let Recording::I16(planes) = sample.recording() else { panic!("16 bits became another width") };
        assert_eq!((sample.root(), sample.tuning()), (Some(root.0), root.1));
        (planes.left().to_vec(), loops(&sample))
    };
    let trimmed = |start, end| Voicing { trim: range(start, end), ..Voicing::default() };
    assert_eq!(cut(trimmed(1, 5)), (vec![2, 3, 4, 5], vec![(1, 3)]));
    assert_eq!(cut(trimmed(3, 5)), (vec![4, 5], vec![]), "the loop is not wholly within");
    assert_eq!(cut(trimmed(1, 7)), (vec![1, 2, 3, 4, 5, 6], vec![(2, 4)]), "it is not that long");
    let on = Voicing { looping: Some(true), ..trimmed(3, 5) };
    assert_eq!(cut(on), (vec![4, 5], vec![]), "it has a loop");
    let within = Voicing { loop_range: range(4, 5), ..trimmed(3, 5) };
    assert_eq!(cut(within), (vec![4, 5], vec![(1, 2)]));
    let louder = Voicing { gain: Decibels::from_gain(2.0).unwrap(), ..trimmed(4, 6) };
    assert_eq!(cut(louder).0, [10, 12]);
    let on = Voicing { looping: Some(true), ..trimmed(1, 3) };
    assert_eq!(loops(&AdjustedSample::of(&mono([0; 9]), &on).sample), [(0, 2)]);
}

/// Two recordings, and an instrument that plays both.
fn song() -> Song {
    let ramp = |step: i16| mono((0..400_i16).map(|frame| frame * step));
    let song = of(vec![looped(ramp(20), 100, 300, LoopMode::Forward), ramp(-30)]);
    let zone = |sample| Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO);
    let mut instruments = song.instruments().to_vec();
    let tree = song::ZoneTree::layered([zone(0), zone(1).loop_whole()]);
    instruments.push(Instrument { tree, ..Instrument::default() });
    Song::new(SongParts { instruments, samples: song.samples().to_vec(), ..SongParts::default() }).unwrap()
}

fn rendered(bank: Arc<Bank>, note: Note) -> Vec<f32> {
    let (mut controller, mut processor) = engine::split(Config::default()).unwrap();
    controller.load(bank);
    let begun = controller.begin(note).unwrap();
    controller.note_off(begun.note, Some(Frames::new(2000))).unwrap();
    offline::render(&mut processor, Frames::new(4000))
}

/// Returns a note of an adjusted instrument as it is heard live, and of a file that it is written to.
fn live_and_written(song: &Song, instrument: usize, voicing: Voicing) -> [Vec<f32>; 2] {
    let note = Note::new(InstrumentIndex::new(instrument), Key::C4, Velocity::HIGHEST);
    let live = session::adjusted_bank(song.clone(), [(instrument, &voicing)]).unwrap();
    let written = AdjustedSounds::new([(instrument, voicing)]).song(song, &HashMap::new()).unwrap().song;
    [rendered(live, voicing.alone(note)), rendered(session::bank(written).unwrap(), note)]
}

#[test]
fn the_notes_of_an_adjusted_song_are_those_that_are_heard_live() {
    let all = Voicing {
        gain: decibels(-6.0),
        pan: Pan::new(-0.5).unwrap(),
        tune: Cents::new(40.0).unwrap(),
        root_shift: 3,
        loop_range: range(50, 200),
        envelope: Some(Envelope { attack: Duration::from_millis(5), release: Duration::from_millis(10) }),
        ..Voicing::default()
    };
    let with = |looping| Voicing { looping: Some(looping), loop_range: None, ..all };
    let voicings = [Voicing::default(), all, with(true), with(false), Voicing { root_shift: 127, ..all }];
    for (instrument, voicing) in (0..3).flat_map(|instrument| voicings.map(|voicing| (instrument, voicing))) {
        let [heard, played] = live_and_written(&song(), instrument, voicing);
        let farthest = heard.iter().zip(&played).map(|(heard, played)| (heard - played).abs());
        let farthest = farthest.fold(0.0, f32::max);
        assert!(
            farthest < 1e-5 && heard.iter().any(|value| *value != 0.0),
            "{instrument} {voicing:?} {farthest}"
        );
    }
}

#[test]
fn a_trimmed_sound_is_written_as_it_is_heard_live() {
    let trimmed = |start, end| Voicing { trim: range(start, end), ..Voicing::default() };
    let with = |looping, voicing| Voicing { looping: Some(looping), ..voicing };
    let voicings = [
        trimmed(0, 350),
        trimmed(50, 350),
        trimmed(50, 250),
        trimmed(50, 500),
        with(true, trimmed(50, 350)),
        with(false, trimmed(50, 350)),
        with(true, trimmed(150, 250)),
        Voicing { loop_range: range(60, 200), ..trimmed(50, 350) },
        Voicing { loop_range: range(60, 200), ..trimmed(80, 350) },
    ];
    for (instrument, voicing) in (0..3).flat_map(|instrument| voicings.map(|voicing| (instrument, voicing))) {
        let [heard, played] = live_and_written(&song(), instrument, voicing);
        // Live, interpolation sees the frames before the first one for as long as a kernel reaches back.
        let farthest = heard.iter().zip(&played).skip(2 * 80).map(|(heard, played)| (heard - played).abs());
        let farthest = farthest.fold(0.0, f32::max);
        assert!(farthest < 1e-5, "{instrument} {voicing:?} {farthest}");
        assert!(heard[..600].iter().any(|value| *value != 0.0));
    }
}

#[test]
fn what_begins_later_by_itself_does_so_in_a_cut_file_as_well() {
    let still = SegmentEnvelope::new(1.0, Vec::new(), None).unwrap();
    let later = SamplerArticulation { offset: Frames::new(150), ..SamplerArticulation::plain(still) };
    let sample = mono((0..400_i16).map(|frame| frame * 20));
    let song = articulated(vec![(sample, later)]);
    for (start, end, offset) in [(50, 400, 100), (150, 400, 0), (200, 400, 0)] {
        let voicing = Voicing { trim: range(start, end), ..Voicing::default() };
        let written = AdjustedSounds::new([(0, voicing)]).song(&song, &HashMap::new()).unwrap().song;
        let zone = written.instruments()[0].zones()[0].clone();
        let own = &written.articulations()[zone.articulation().unwrap().get()];
        assert!(matches!(own, Articulation::Sampler(own) if own.offset == Frames::new(offset)), "{start}");
        let [heard, played] = live_and_written(&song, 0, voicing);
        let far = heard.iter().zip(&played).skip(2 * 80).any(|(heard, played)| (heard - played).abs() > 1e-5);
        assert!(!far && heard[200..].iter().any(|value| *value != 0.0), "{start}");
    }
}

#[test]
fn a_sound_that_plays_an_adjusted_one_does_not_change() {
    let voicing = Voicing { gain: decibels(6.0), looping: Some(false), root_shift: 5, ..Voicing::default() };
    let AdjustedSong { song: written, sources } =
        AdjustedSounds::new([(0, voicing)]).song(&song(), &HashMap::new()).unwrap();
    assert_eq!(written.instruments()[1..], song().instruments()[1..]);
    assert_eq!(written.samples()[..2], song().samples()[..]);
    let (sample, looped_by) = (SampleIndex::new(0), Some(InstrumentIndex::new(0)));
    assert_eq!(sources[2..], [SampleSource { sample, looped_by }]);
    let zone = written.instruments()[0].zones()[0].clone();
    assert_eq!((zone.sample().get(), zone.gain(), zone.root().get()), (2, decibels(6.0), 65));
}

#[test]
fn a_gain_that_is_in_the_file_is_applied_to_no_zone_twice() {
    let voicing = Voicing { gain: decibels(6.0), ..Voicing::default() };
    let in_files = HashMap::from([(SampleIndex::new(0), decibels(6.0))]);
    let written = AdjustedSounds::new([(0, voicing)]).song(&song(), &in_files).unwrap().song;
    let gains = |sound: usize| -> Vec<f32> {
        written.instruments()[sound].zones().iter().map(|zone| zone.gain().get()).collect()
    };
    assert_eq!([gains(0), gains(1), gains(2)], [vec![0.0], vec![0.0], vec![-6.0, 0.0]]);
}
