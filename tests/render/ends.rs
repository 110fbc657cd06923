//! Recordings that play out: to the bit up to their last frame, and no click after it.

use std::time::Duration;

use engine::{Config, Event, Interpolation, Quality};
use fixtures::signal::{Noise, sharpest_bend};
use fixtures::songs::{mono, mono_float, of, stereo_float, with_envelope};
use song::{Envelope, Frames, Sample, Velocity};

use super::rig::{Rig, frame};

/// 5 ms at 48 kHz.
const FADE: usize = 240;

/// A ramp over the shortest fade bends this much at its ends, rounding included.
const RAMPED: f32 = 0.5 / FADE as f32 + 1e-6;

/// As loud as everything here is, up to its last frame.
fn constant(frames: usize) -> Sample {
    mono_float(vec![0.5; frames])
}

/// Ends in so many frames of silence, which no kernel looks beyond.
fn pulse(frames: usize, silence: usize) -> Sample {
    mono_float([vec![0.5; frames], vec![0.0; silence]].concat())
}

fn monophonic(how: Interpolation, samples: Vec<Sample>) -> Rig {
    Rig::with(Config { polyphony: 1, interpolation: how, ..Config::default() }, &of(samples))
}

#[test]
fn a_recording_that_ends_at_a_level_fades_from_it() {
    for how in Interpolation::ALL {
        let mut rig = Rig::interpolating(how, &of(vec![constant(1000)]));
        rig.play(0, 0);
        let heard = rig.left(1300);
        assert_eq!(heard[..1000], [0.5; 1000], "{how}: what was recorded is untouched");
        let falling = |left: usize| 0.5 * left as f32 / FADE as f32;
        for (i, &value) in heard[1000..].iter().enumerate() {
            let expected = falling(FADE.saturating_sub(i));
            assert!((value - expected).abs() < 1e-6, "{how}: {value} and not {expected}, {i} after the end");
        }
        assert!(rig.processor.is_idle());
    }
}

#[test]
fn no_end_clicks_in_any_quality_at_any_pitch() {
    let value = 16_384;
    let samples =
        || vec![constant(3000), mono(vec![value; 3000]), stereo_float(vec![0.5; 3000], vec![-0.5; 3000])];
    for how in Interpolation::ALL {
        for semitones in [-30, -7, 0, 3, 7, 19] {
            for index in 0..3 {
                let mut rig = Rig::interpolating(how, &of(samples()));
                rig.play(index, semitones);
                let [left, right] = rig.render(20_000);
                for side in [left, right] {
                    // The first frames are those of a beginning.
                    let bend = sharpest_bend(&side[400..]);
                    assert!(bend <= RAMPED, "{how}, {semitones:+}, instrument {index}: bends by {bend}");
                    assert!((side[400].abs() - 0.5).abs() < 1e-6, "it sounds");
                }
                assert!(rig.processor.is_idle());
            }
        }
    }
}

#[test]
fn what_a_filter_has_left_is_heard_and_nothing_of_what_is_silent_already() {
    let mut noise = Noise::new(1);
    let values: Vec<f32> = (0..500).map(|_| noise.flat() as f32).chain([0.0]).collect();
    let end = |semitones: i32| (501.0 / (f64::from(semitones) / 12.0).exp2()).ceil() as usize;
    for (quality, semitones, is_heard) in [
        (Quality::Max, -7, true),
        (Quality::Good, 5, true),
        (Quality::Max, 0, false),
        (Quality::Draft, -7, false),
        (Quality::Normal, -7, false),
    ] {
        let mut rig = Rig::interpolating(quality, &of(vec![mono_float(values.clone())]));
        rig.play(0, semitones);
        rig.render(end(semitones) as u64);
        assert_eq!(rig.processor.is_idle(), !is_heard, "{quality} at {semitones:+}");
        let heard = rig.left(1000);
        assert_eq!(heard.iter().any(|&value| value != 0.0), is_heard, "{quality} at {semitones:+}");
        assert!(rig.processor.is_idle());
    }
}

#[test]
fn an_end_is_reported_once_and_with_the_first_frame_after_the_recording() {
    for (semitones, end) in [(0, 1000), (12, 500), (-12, 2000), (-24, 4000)] {
        let mut rig = Rig::new(&of(vec![constant(1000)]));
        rig.play_at(0, 7);
        rig.play(0, semitones);
        rig.render(8000);
        let mut expected = [end, 1007];
        expected.sort_unstable();
        assert_eq!(rig.ends(), expected);
    }
}

#[test]
fn an_end_makes_room_at_once() {
    let mut rig = monophonic(Interpolation::Linear, vec![constant(100)]);
    let notes = [0, 99, 199].map(|frame| rig.play_at(0, frame));
    rig.render(1000);
    let at = Frames::new;
    let said = rig.said();
    assert_eq!(
        said,
        [
            Event::Started { note: notes[0], at: at(0) },
            Event::Stolen { note: notes[0], at: at(99) },
            Event::Started { note: notes[1], at: at(99) },
            // It was stolen in its last frame.
            Event::Ended { note: notes[0], at: at(100) },
            Event::Ended { note: notes[1], at: at(199) },
            // Both slots fade.
            Event::Refused { note: notes[2], at: at(199) },
        ]
    );

    let mut rig = monophonic(Interpolation::Linear, vec![constant(100)]);
    rig.play_at(0, 0);
    rig.play_at(0, 100);
    let heard = rig.left(400);
    assert_eq!(heard[100], 1.0, "the one fades and the other begins");
    assert!(!rig.said().iter().any(|event| matches!(event, Event::Stolen { .. } | Event::Refused { .. })));
}

#[test]
fn a_voice_is_refused_aloud_when_ends_that_are_heard_have_every_slot() {
    let mut rig = monophonic(Interpolation::Sinc16, vec![constant(10)]);
    for frame in [0, 10, 20, 249, 250] {
        rig.play_at(0, frame);
    }
    rig.render(1000);
    let refused: Vec<u64> = rig
        .said()
        .iter()
        .filter_map(|event| if let Event::Refused { at, .. } = event { Some(at.get()) } else { None })
        .collect();
    assert_eq!(refused, [20, 249]);
    assert_eq!(rig.controller.refused(), 2);
}

#[test]
fn no_voice_is_refused_because_of_an_end_that_is_silence() {
    for how in Interpolation::ALL {
        let sinc = matches!(how, Interpolation::Sinc8 | Interpolation::Sinc16 | Interpolation::Sinc32);
        // At the own pitch nothing is filtered.
        for (semitones, silence) in [(0, 1), (2, if sinc { 64 } else { 1 })] {
            let mut rig = monophonic(how, vec![pulse(10, silence)]);
            for frame in (0..8000).step_by(10 + silence) {
                let note = Rig::note(0, semitones).at(Frames::new(frame));
                rig.controller.note_on(note).unwrap();
            }
            rig.render(9000);
            assert_eq!(rig.controller.refused(), 0, "{how}, {semitones:+}");
            let said = rig.said();
            assert!(!said.iter().any(|event| matches!(event, Event::Stolen { .. })), "{how}, {semitones:+}");
        }
        let mut rig = monophonic(how, vec![constant(10)]);
        for frame in (0..8000).step_by(10) {
            let note = engine::Note { velocity: Velocity::LOWEST, ..Rig::note(0, 2) };
            rig.controller.note_on(note.at(Frames::new(frame))).unwrap();
        }
        rig.render(9000);
        assert_eq!(rig.controller.refused(), 0, "{how}: what is played at no velocity is silent");
    }
}

#[test]
fn a_stolen_voice_whose_recording_ends_fades_on() {
    let mut rig = monophonic(Interpolation::Cubic, vec![constant(1000), mono_float([0.0; 2000])]);
    let first = rig.play(0, 0);
    rig.play_at(1, 900);
    let heard = rig.left(2000);
    assert!(sharpest_bend(&heard) <= RAMPED);
    assert!(heard[900 + FADE - 1] > 0.0 && heard[900 + FADE] == 0.0, "as long as any theft");
    assert!(rig.said().contains(&Event::Ended { note: first, at: Frames::new(1000) }));
}

#[test]
fn a_voice_whose_recording_ends_in_its_release_or_its_attack_fades_from_where_it_is() {
    let (attack, release) = (Duration::from_millis(50), Duration::from_secs(1));
    for (envelope, end) in [
        (Envelope { release, ..Envelope::default() }, 2000),
        (Envelope { attack, ..Envelope::default() }, 2000),
        // Would be over soon anyway.
        (Envelope { release: Duration::from_millis(6), ..Envelope::default() }, 2000),
    ] {
        let mut rig = Rig::new(&with_envelope(vec![constant(2000)], envelope));
        let note = rig.play(0, 0);
        rig.controller.note_off(note, frame(1800)).unwrap();
        let heard = rig.left(5000);
        assert!(sharpest_bend(&heard) <= RAMPED, "bends by {}", sharpest_bend(&heard));
        assert!(heard[1999] > 0.0 && heard[2000 + FADE] == 0.0);
        assert_eq!(rig.ends(), [end]);
        assert!(rig.processor.is_idle());
    }
}

#[test]
fn silence_and_note_off_after_the_end_change_nothing() {
    let heard = |disturb: bool| {
        let mut rig = Rig::new(&of(vec![constant(1000)]));
        let note = rig.play(0, 0);
        let mut heard = rig.left(1100);
        if disturb {
            rig.controller.note_off(note, None).unwrap();
            rig.controller.all_sound_off();
        }
        heard.extend(rig.left(1000));
        (heard, rig.ends())
    };
    assert_eq!(heard(true), heard(false));
}

#[test]
fn the_output_may_change_its_rate_while_an_end_fades() {
    let mut rig = Rig::interpolating(Quality::Max, &of(vec![constant(1000)]));
    rig.play(0, 0);
    let mut heard = rig.left(1100);
    rig.processor.set_rate(fixtures::songs::hz(44_100));
    heard.extend(rig.left(1000));
    assert!(sharpest_bend(&heard) <= RAMPED);
    assert_eq!(heard[1000 + FADE..].iter().position(|&value| value != 0.0), None);
}
