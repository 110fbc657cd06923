//! Beginnings and ends without clicks.
//!
//! A constant is the harshest judge: whatever cuts it short makes a step as high as itself, and nothing hides it.

use std::time::Duration;

use engine::{Config, Event};
use fixtures::signal::sharpest_bend;
use fixtures::songs::{looped, mono_float, of, with_envelope};
use song::{Decibels, Envelope, LoopMode, Sample};

use super::rig::{Rig, frame};

/// 5 ms at 48 kHz.
const FADE: usize = 240;

/// A ramp over the shortest fade bends this much at its ends, a little rounding included.
const RAMPED: f32 = 0.5 / FADE as f32 + 1e-6;

fn constant() -> Sample {
    looped(mono_float([0.5; 1000]), 0, 1000, LoopMode::Forward)
}

fn silent() -> Sample {
    looped(mono_float([0.0; 1000]), 0, 1000, LoopMode::Forward)
}

/// Returns a held constant, after its own beginning.
fn sounding(config: Config) -> Rig {
    let mut rig = Rig::with(config, &of(vec![constant(), silent()]));
    rig.play(0, 0);
    assert_eq!(rig.left(300)[299], 0.5);
    rig
}

fn is_ramped_to_silence(heard: &[f32]) {
    assert_eq!(heard[0], 0.5, "it begins where it was");
    assert_eq!(heard[heard.len() - 1], 0.0, "it ends");
    let bend = sharpest_bend(heard);
    assert!(bend <= RAMPED, "bends by {bend}");
}

#[test]
fn the_measure_finds_a_cut_that_is_not_ramped() {
    let mut cut = vec![0.5; 100];
    cut.resize(200, 0.0);
    assert!(sharpest_bend(&cut) > 100.0 * RAMPED);
}

#[test]
fn a_note_off_is_a_fade_however_short_the_release() {
    for release in [0, 1, 50] {
        let envelope = Envelope { release: Duration::from_millis(release), ..Envelope::default() };
        let mut rig = Rig::new(&with_envelope(vec![constant()], envelope));
        let note = rig.play(0, 0);
        rig.render(300);
        rig.controller.note_off(note, None).unwrap();
        is_ramped_to_silence(&rig.left(5000));
    }
}

#[test]
fn a_stolen_voice_fades() {
    let mut rig = sounding(Config { polyphony: 1, ..Config::default() });
    rig.play(1, 0);
    let heard = rig.left(1000);
    is_ramped_to_silence(&heard);
    assert!(heard[FADE - 1] > 0.0 && heard[FADE] == 0.0);
}

#[test]
fn silence_fades_everything_and_forgets_what_was_to_come() {
    let mut rig = sounding(Config::default());
    rig.play_at(0, 350);
    rig.controller.all_sound_off();
    let heard = rig.left(1000);
    is_ramped_to_silence(&heard);
    assert_eq!(heard[FADE..], [0.0; 1000 - FADE]);
    assert!(rig.processor.is_idle());
}

#[test]
fn a_change_of_the_master_gain_is_a_ramp_from_the_frame_it_names() {
    let mut rig = sounding(Config::default());
    rig.controller.set_gain(Decibels::new(-300.0).unwrap(), frame(400)).unwrap();
    rig.controller.set_gain(Decibels::UNITY, frame(2000)).unwrap();
    let heard = rig.left(3000);
    let from = |frame: usize| frame - 300;
    assert_eq!(heard[..=from(400)], [0.5; 101], "untouched up to its frame");
    is_ramped_to_silence(&heard[..from(2000)]);
    assert!(heard[from(400 + FADE - 1)] > 0.0 && heard[from(400 + FADE)] == 0.0);
    assert!(heard[from(2001)] > 0.0 && heard[from(2000 + FADE)] == 0.5, "and as loud as before");
    assert!(sharpest_bend(&heard) <= RAMPED);
}

#[test]
fn the_master_gain_outlives_silence_and_the_end_of_all_notes() {
    let mut rig = sounding(Config::default());
    let half = 20.0 * 0.5_f32.log10();
    rig.controller.set_gain(Decibels::new(half).unwrap(), frame(800)).unwrap();
    rig.controller.all_notes_off(None).unwrap();
    rig.controller.all_sound_off();
    rig.render(1000);
    rig.play(0, 0);
    assert!((rig.left(100)[0] - 0.25).abs() < 1e-6);
}

#[test]
fn a_note_after_silence_is_heard() {
    let mut rig = sounding(Config::default());
    rig.controller.all_sound_off();
    rig.play(0, 0);
    assert_eq!(rig.left(1000)[999], 0.5);
}

#[test]
fn releasing_all_fades_everything_and_forgets_what_was_to_come() {
    let mut rig = sounding(Config::default());
    rig.play_at(0, 5000);
    rig.controller.all_notes_off(frame(400)).unwrap();
    is_ramped_to_silence(&rig.left(8000));
}

#[test]
fn a_release_cut_short_by_a_theft_does_not_click() {
    let envelope = Envelope { release: Duration::from_secs(1), ..Envelope::default() };
    let song = with_envelope(vec![constant(), silent()], envelope);
    let mut rig = Rig::with(Config { polyphony: 1, ..Config::default() }, &song);
    let note = rig.play(0, 0);
    rig.render(300);
    rig.controller.note_off(note, None).unwrap();
    rig.controller.note_on(Rig::note(1, 0).at(song::Frames::new(1300))).unwrap();
    is_ramped_to_silence(&rig.left(3000));
}

#[test]
fn an_attack_is_a_ramp_from_silence_and_without_one_the_first_frame_is_untouched() {
    let envelope = Envelope { attack: Duration::from_millis(5), ..Envelope::default() };
    let mut rig = Rig::new(&with_envelope(vec![constant()], envelope));
    rig.play(0, 0);
    let heard = rig.left(1000);
    assert_eq!((heard[0], heard[FADE]), (0.0, 0.5));
    assert!(sharpest_bend(&heard) <= RAMPED);

    let mut rig = Rig::new(&of(vec![constant()]));
    rig.play(0, 0);
    assert_eq!(rig.left(1)[0], 0.5);
}

#[test]
fn a_note_released_before_it_begins_never_does() {
    let mut rig = Rig::new(&of(vec![constant()]));
    let note = rig.play_at(0, 500);
    rig.controller.note_off(note, frame(100)).unwrap();
    assert_eq!(rig.left(1000), [0.0; 1000]);
    assert!(matches!(rig.said()[..], [Event::Ended { note: ended, .. }] if ended == note));
}

#[test]
fn a_note_withdrawn_before_it_begins_never_does_even_if_its_end_was_already_set() {
    let mut rig = Rig::new(&of(vec![constant()]));
    let note = rig.play_at(0, 500);
    rig.controller.note_off(note, frame(600)).unwrap();
    rig.controller.note_off(note, None).unwrap();
    assert_eq!(rig.left(1000), [0.0; 1000]);
}

#[test]
fn commands_that_come_too_late_are_carried_out_as_they_were_sent() {
    let mut rig = sounding(Config::default());
    rig.controller.all_sound_off();
    rig.render(1000);
    let note = rig.play_at(0, 500);
    rig.controller.note_off(note, frame(400)).unwrap();
    assert_eq!(rig.left(5000)[4999], 0.0, "the note hangs");
}

#[test]
fn a_note_off_ends_its_own_note_and_no_other() {
    let mut rig = Rig::new(&of(vec![constant()]));
    let first = rig.play(0, 0);
    rig.play(0, 0);
    rig.controller.note_off(first, None).unwrap();
    let heard = rig.left(4000);
    assert_eq!((heard[0], heard[3999]), (1.0, 0.5));
}
