//! Instruments as a player shapes them: envelopes, filters and their tone, mono and legato, choke groups.

use std::f64::consts::TAU;
use std::time::Duration;

use engine::{ChannelStrip, Event, Note, NoteId, StripIndex};
use fixtures::signal::sine;
use fixtures::songs::{looped, mono_float, of, with_shapes};
use song::{
    Cents, Decibels, EnvelopeCurve, FilterKind, FilterShape, LoopMode, ModulationDepths, ModulationLfo,
    Sample, Shape, VoiceMode,
};

use super::rig::{Rig, frame};

const CELL: usize = 64;

fn constant() -> Sample {
    looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward)
}

/// Returns a sine of so many hertz, held.
fn tone(hz: f64) -> Sample {
    let frames: Vec<f32> = sine(hz / 48_000.0, 0.5).take(48_000).map(|value| value as f32).collect();
    looped(mono_float(frames), 0, 48_000, LoopMode::Forward)
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn cents(cents: f64) -> Cents {
    Cents::new(cents).unwrap()
}

/// Returns the decibels of what is heard of a sine against the whole of it.
fn level(frames: &[f32]) -> f64 {
    let power: f64 = frames.iter().map(|value| f64::from(*value).powi(2)).sum();
    10.0 * (power / frames.len() as f64 / 0.125).log10()
}

/// Returns upward zero crossings.
fn turns(frames: &[f32]) -> usize {
    frames.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
}

/// Returns the largest step in what is heard, in decibels of the sine's peak: what no slow movement explains. A step is
/// twice as high in the third differences, and a sine of 200 Hz 94 dB lower.
fn step(frames: &[f32]) -> f64 {
    let bends = frames.windows(4).map(|four| four[3] - 3.0 * four[2] + 3.0 * four[1] - four[0]);
    20.0 * (0.5 * f64::from(bends.map(f32::abs).fold(0.0, f32::max)) / 0.5).log10()
}

#[test]
fn an_adsr_is_where_it_should_be_within_a_cell() {
    for (_, curve) in EnvelopeCurve::ALL {
        let shape = Shape { decay: ms(200), sustain: 0.25, curve, ..Shape::default() };
        let mut song = with_shapes(vec![(constant(), shape)]);
        let attack = song::Envelope { attack: ms(100), release: ms(300) };
        let plain = of(vec![constant()]);
        let mut made = Vec::new();
        let instrument = shape.instrument(&plain.instruments()[0], attack, &[], (0, &mut made));
        song = song::Song::new(song::SongParts {
            samples: song.samples().to_vec(),
            instruments: vec![instrument],
            articulations: made,
            ..song::SongParts::default()
        })
        .unwrap();
        let mut rig = Rig::new(&song);
        let note = rig.play(0, 0);
        rig.controller.note_off(note, frame(24_000)).unwrap();
        let heard = rig.left(48_000);
        let first = |wanted: &dyn Fn(f32) -> bool, from: usize| {
            from + heard[from..].iter().position(|value| wanted(*value / 0.5)).unwrap()
        };
        let near = |found: usize, wanted: usize| {
            assert!(found.abs_diff(wanted) <= CELL, "{curve:?}: {found} for {wanted}");
        };
        near(first(&|value| value > 0.999, 0), 4800);
        near(first(&|value| value < 0.2501, 4800 + CELL), 4800 + 9600);
        assert!((heard[20_000] / 0.5 - 0.25).abs() < 1e-4);
        let silent = first(&|value| value == 0.0, 24_000);
        let fall = if curve == EnvelopeCurve::Exponential { (100.0 - 12.04) / 100.0 } else { 1.0 };
        near(silent, 24_000 + (14_400.0 * fall) as usize);
    }
}

#[test]
fn filters_are_the_analog_ones_within_half_a_decibel_at_five_frequencies() {
    let (cutoff, q) = (1000.0, f64::from(FilterShape::FLAT_Q) * 2.0);
    let kinds = [FilterKind::LowPass2, FilterKind::HighPass2, FilterKind::BandPass2, FilterKind::LowPass4];
    for kind in kinds {
        for hz in [125.0, 500.0, 1000.0, 2000.0, 8000.0] {
            let filter = FilterShape {
                kind: Some(kind),
                cutoff: cutoff as f32,
                resonance: Decibels::new(6.0206).unwrap(),
                ..FilterShape::default()
            };
            let shape = Shape { filter, ..Shape::default() };
            let mut rig = Rig::new(&with_shapes(vec![(tone(hz), shape)]));
            rig.play(0, 0);
            let found = level(&rig.left(48_000)[24_000..]);
            let w = (TAU / 2.0 * hz / 48_000.0).tan() / (TAU / 2.0 * cutoff / 48_000.0).tan();
            let two = |q: f64| 1.0 / ((1.0 - w * w).powi(2) + (w / q).powi(2)).sqrt();
            let wanted = 20.0
                * match kind {
                    FilterKind::LowPass2 => two(q),
                    FilterKind::HighPass2 => w * w * two(q),
                    FilterKind::BandPass2 => w / q * two(q),
                    _ => two(q.sqrt()).powi(2),
                }
                .log10();
            assert!((found - wanted).abs() < 0.5, "{kind:?} at {hz}: {found} for {wanted}");
        }
    }
}

#[test]
fn a_strip_darkens_notes_without_a_filter_as_a_low_pass_and_moves_that_of_others() {
    let filter = FilterShape { kind: Some(FilterKind::LowPass2), cutoff: 4000.0, ..FilterShape::default() };
    let shapes = [(Shape::default(), 20_000.0), (Shape { filter, ..Shape::default() }, 4000.0)];
    for (shape, open) in shapes {
        let mut rig = Rig::new(&with_shapes(vec![(tone(2000.0), shape)]));
        let strip = ChannelStrip { cutoff: cents(-2400.0), ..ChannelStrip::default() };
        rig.controller.set_strip(StripIndex::new(0), strip, None).unwrap();
        rig.play(0, 0);
        let found = level(&rig.left(24_000)[12_000..]);
        let w = (TAU / 2.0 * 2000.0 / 48_000.0_f64).tan() / (TAU / 2.0 * open / 4.0 / 48_000.0).tan();
        let wanted = -10.0 * (1.0 + w.powi(4)).log10();
        assert!((found - wanted).abs() < 0.1, "{open}: {found} for {wanted}");
    }
}

#[test]
fn nothing_that_is_turned_while_a_note_sounds_makes_a_step() {
    let filter = FilterShape { kind: Some(FilterKind::LowPass2), cutoff: 1000.0, ..FilterShape::default() };
    let band = FilterShape { kind: Some(FilterKind::BandPass2), ..filter };
    let steady = {
        let mut rig = Rig::new(&of(vec![tone(200.0)]));
        rig.play(0, 0);
        step(&rig.left(9600)[100..])
    };
    assert!(steady < -80.0, "{steady}");
    for filter in [FilterShape::default(), filter, band] {
        for is_strip in [true, false] {
            let shape = Shape { filter, ..Shape::default() };
            let mut rig = Rig::new(&with_shapes(vec![(tone(200.0), shape)]));
            let note = rig.play(0, 0);
            let mut heard = rig.left(9777);
            // From open to shut, up again with resonance, and back.
            for (cutoff, resonance) in [(-4800.0, 0.0), (-1200.0, 24.0), (1200.0, 0.0), (0.0, 0.0)] {
                let (cutoff, resonance) = (cents(cutoff), Decibels::new(resonance).unwrap());
                if is_strip {
                    let strip = ChannelStrip { cutoff, resonance, ..ChannelStrip::default() };
                    rig.controller.set_strip(StripIndex::new(0), strip, None).unwrap();
                } else {
                    rig.controller.set_tone(note, cutoff, resonance, None).unwrap();
                }
                heard.extend(rig.left(4777));
            }
            let step = step(&heard[4800..]);
            assert!(step < -60.0, "{step} dB, {:?}, {is_strip}", filter.kind);
        }
    }
}

#[test]
fn an_lfo_moves_pitch_and_gain() {
    let lfo = Shape::default().lfo;
    let of = |depths| Shape { lfo: ModulationLfo { depths, ..lfo }, ..Shape::default() };
    let gain = of(ModulationDepths { gain: 6.0, ..ModulationDepths::default() });
    let mut rig = Rig::new(&with_shapes(vec![(constant(), gain)]));
    rig.play(0, 0);
    let heard = rig.left(48_000);
    let (low, high) =
        heard.iter().fold((1.0_f32, 0.0_f32), |(low, high), value| (low.min(*value), high.max(*value)));
    assert!((20.0 * (high / 0.5).log10() - 6.0).abs() < 0.05, "{high}");
    assert!((20.0 * (low / 0.5).log10() + 6.0).abs() < 0.05, "{low}");
    let pitch = of(ModulationDepths { pitch: 1200.0, ..ModulationDepths::default() });
    let mut rig = Rig::new(&with_shapes(vec![(tone(1000.0), pitch)]));
    rig.play(0, 0);
    let heard = rig.left(9600);
    // A quarter of the cycle of 5 Hz is the highest, three quarters the lowest.
    let hz = |middle: usize| turns(&heard[middle - 240..middle + 240]) as f64 * 100.0;
    assert!(
        (hz(2400) - 2000.0).abs() <= 100.0 && (hz(7200) - 500.0).abs() <= 100.0,
        "{} {}",
        hz(2400),
        hz(7200)
    );
}

fn mode(voice_mode: VoiceMode, glide: Duration) -> Shape {
    Shape { voice_mode: Some(voice_mode), glide: Some(glide), ..Shape::default() }
}

/// Returns the ends that were reported of each note, in order.
fn ends(rig: &mut Rig) -> Vec<NoteId> {
    let ended = |event| match event {
        Event::Ended { note, .. } => Some(note),
        _ => None,
    };
    rig.said().into_iter().filter_map(ended).collect()
}

#[test]
fn of_mono_and_legato_notes_the_latest_that_is_held_sounds() {
    for voice_mode in [VoiceMode::Mono, VoiceMode::Legato] {
        let mut rig = Rig::new(&with_shapes(vec![(tone(480.0), mode(voice_mode, Duration::ZERO))]));
        let hz = |rig: &mut Rig| {
            rig.left(600);
            // To the nearest of 480.
            (turns(&rig.left(4800)) + 24) / 48 * 480
        };
        let low = rig.play(0, 0);
        assert_eq!(hz(&mut rig), 480, "{voice_mode:?}");
        let high = rig.play(0, 12);
        assert_eq!(hz(&mut rig), 960, "{voice_mode:?}");
        let higher = rig.play(0, 24);
        assert_eq!(hz(&mut rig), 1920, "{voice_mode:?}");
        assert_eq!(ends(&mut rig), [], "all are held");
        // One that is silent is released, then the one that sounds: the first is left.
        rig.controller.note_off(high, None).unwrap();
        assert_eq!(hz(&mut rig), 1920, "{voice_mode:?}");
        rig.controller.note_off(higher, None).unwrap();
        assert_eq!(hz(&mut rig), 480, "{voice_mode:?}");
        assert_eq!(ends(&mut rig), [high, higher], "{voice_mode:?}");
        rig.controller.note_off(low, None).unwrap();
        rig.left(9600);
        assert_eq!(ends(&mut rig), [low], "{voice_mode:?}");
        assert!(rig.processor.is_idle());
    }
}

#[test]
fn a_legato_note_goes_on_in_the_same_voice_and_glides() {
    let shape = mode(VoiceMode::Legato, ms(100));
    let mut rig = Rig::new(&with_shapes(vec![(tone(200.0), shape)]));
    let first = rig.controller.begin(Rig::note(0, 0)).unwrap();
    let mut heard = rig.left(4801);
    let second = rig.controller.begin(Rig::note(0, 12)).unwrap();
    assert_eq!((first.voices, second.voices), (1, 1));
    assert!((second.hz / first.hz - 2.0).abs() < 1e-6);
    let glide = rig.left(4800);
    // Halfway in cents at half of the time.
    assert!((turns(&glide) as i64 - 28).abs() <= 1, "{}", turns(&glide));
    heard.extend(glide);
    heard.extend(rig.left(4800));
    assert!(step(&heard[100..]) < -60.0, "{}", step(&heard[100..]));
    assert_eq!(turns(&heard[heard.len() - 2400..]), 20);
    rig.controller.all_notes_off(None).unwrap();
    rig.left(9600);
    assert_eq!(ends(&mut rig), [first.note, second.note]);
}

#[test]
fn a_mono_note_glides_from_the_last_one_also_when_that_was_released() {
    let shape = mode(VoiceMode::Mono, ms(100));
    let mut rig = Rig::new(&with_shapes(vec![(tone(200.0), shape)]));
    let first = rig.play(0, 12);
    rig.left(4800);
    rig.controller.note_off(first, None).unwrap();
    rig.left(9600);
    rig.play(0, 0);
    let glide = rig.left(4800);
    assert!((turns(&glide) as i64 - 28).abs() <= 1, "{}", turns(&glide));
    assert_eq!(turns(&rig.left(4800)), 20);
}

#[test]
fn panic_and_all_notes_off_leave_no_mono_note_behind() {
    for is_panic in [true, false] {
        let mut rig = Rig::new(&with_shapes(vec![(tone(200.0), mode(VoiceMode::Mono, Duration::ZERO))]));
        let mut notes = vec![rig.play(0, 0), rig.play(0, 3), rig.play(0, 7)];
        rig.left(4800);
        if is_panic {
            rig.controller.all_sound_off();
        } else {
            rig.controller.all_notes_off(None).unwrap();
        }
        rig.left(9600);
        let mut ended = ends(&mut rig);
        ended.sort_unstable();
        notes.sort_unstable();
        assert_eq!(ended, notes);
        assert!(rig.processor.is_idle());
    }
}

#[test]
fn a_mono_voice_that_is_over_ends_its_note_and_not_those_that_are_held() {
    let short = mono_float([0.5; 4800]);
    let mut rig = Rig::new(&with_shapes(vec![(short, mode(VoiceMode::Legato, Duration::ZERO))]));
    let (first, second) = (rig.play(0, 0), rig.play(0, 1));
    rig.left(9600);
    assert_eq!(ends(&mut rig), [second]);
    let third = rig.play(0, 2);
    rig.left(9600);
    assert_eq!(ends(&mut rig), [third], "it has begun anew");
    rig.controller.note_off(first, None).unwrap();
    assert_eq!(ends(&mut rig), [first]);
}

#[test]
fn a_choke_group_is_shared_by_all_instruments_and_strips() {
    let choked = Shape { choke: 2, ..Shape::default() };
    let other = Shape { choke: 3, ..Shape::default() };
    let song = with_shapes(vec![(constant(), choked), (constant(), choked), (constant(), other)]);
    let mut rig = Rig::new(&song);
    let first = rig.play(0, 0);
    rig.play(2, 0);
    rig.left(480);
    let strip = StripIndex::new(3);
    rig.controller.note_on(Note { strip, ..Rig::note(1, 0) }).unwrap();
    rig.left(480);
    assert_eq!(ends(&mut rig), [first]);
}

#[test]
fn a_one_shot_plays_to_its_end_though_its_key_is_up() {
    let shape = Shape { is_one_shot: true, ..Shape::default() };
    let mut rig = Rig::new(&with_shapes(vec![(mono_float([0.5; 4800]), shape)]));
    let note = rig.play(0, 0);
    rig.controller.note_off(note, frame(100)).unwrap();
    let heard = rig.left(9600);
    assert!(heard[..4800].iter().all(|value| *value == 0.5));
}
