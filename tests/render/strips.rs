//! Strips act on what sounds on them, and on nothing else.

use engine::{ChannelStrip, Config, NoteError, StripError, StripIndex};
use fixtures::signal::sine;
use fixtures::songs::{looped, mono_float, of};
use song::{Cents, Decibels, Frames, LoopMode, Pan, Song};

use super::rig::{Rig, frame};

const ONE: StripIndex = StripIndex::new(1);
const TWO: StripIndex = StripIndex::new(2);

/// Plays a looped constant sample for each of these values.
fn constants(values: &[f32]) -> Song {
    of(values.iter().map(|&value| looped(mono_float([value; 100]), 0, 100, LoopMode::Forward)).collect())
}

/// Returns a sine of 480 Hz, held.
fn tone() -> Song {
    let frames: Vec<f32> = sine(0.01, 0.5).take(48_000).map(|value| value as f32).collect();
    of(vec![looped(mono_float(frames), 0, 48_000, LoopMode::Forward)])
}

fn decibels(gain: f32) -> ChannelStrip {
    ChannelStrip { gain: Decibels::new(gain).unwrap(), ..ChannelStrip::default() }
}

fn cents(cents: f64) -> Cents {
    Cents::new(cents).unwrap()
}

impl Rig {
    fn play_on(&mut self, strip: StripIndex, index: usize, semitones: i32) {
        self.controller.note_on(engine::Note { strip, ..Self::note(index, semitones) }).unwrap();
    }

    fn set(&mut self, strip: StripIndex, setting: ChannelStrip, at: u64) {
        self.controller.set_strip(strip, setting, frame(at)).unwrap();
    }
}

/// Returns upward zero crossings.
fn turns(frames: &[f32]) -> usize {
    frames.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
}

#[test]
fn a_gain_glides_on_what_sounds_on_its_strip_alone() {
    let mut rig = Rig::new(&constants(&[0.25, 0.5]));
    rig.play_on(ONE, 0, 0);
    rig.play_on(TWO, 1, 0);
    rig.set(ONE, decibels(-400.0), 1000);
    let heard = rig.left(2000);
    assert!(heard[..1000].iter().all(|&value| value == 0.75));
    assert_eq!(heard[1000], 0.75, "the glide begins with what was");
    assert!(heard[1001..1240].windows(2).all(|pair| pair[1] < pair[0] && pair[0] - pair[1] < 0.002));
    assert!(heard[1240..].iter().all(|&value| value == 0.5));
}

#[test]
fn a_gain_that_is_set_when_nothing_is_heard_on_its_strip_any_more_is_there_with_the_next_note() {
    // Its 100 frames end at a level, and fade within 240.
    const OVER: u64 = 340;
    let heard = |at: u64, block: u64| -> Vec<f32> {
        let held = looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward);
        let mut rig = Rig::new(&of(vec![mono_float([0.5; 100]), held]));
        rig.play_on(ONE, 0, 0);
        rig.set(ONE, decibels(-400.0), at);
        let next = engine::Note { strip: ONE, at: frame(at), ..Rig::note(1, 0) };
        rig.controller.note_on(next).unwrap();
        (0..600 / block).flat_map(|_| rig.left(block)).collect()
    };
    for block in [600, 100, 30, 1] {
        let last = OVER as usize - 1;
        assert!(heard(OVER - 1, block)[last] > 0.49, "it glides in blocks of {block}");
        assert!(heard(OVER, block)[last + 1..].iter().all(|&value| value == 0.0), "blocks of {block}");
    }
}

#[test]
fn a_pan_keeps_the_power() {
    let mut rig = Rig::new(&constants(&[0.5]));
    rig.play_on(ONE, 0, 0);
    rig.set(ONE, ChannelStrip { pan: Pan::new(1.0).unwrap(), ..ChannelStrip::default() }, 0);
    let [left, right] = rig.render(500);
    assert_eq!(left[499], 0.0);
    assert!((right[499] - 0.5 * 2.0_f32.sqrt()).abs() < 1e-6);
}

#[test]
fn a_bend_moves_what_sounds_from_its_frame_on() {
    let mut rig = Rig::new(&tone());
    rig.play_on(ONE, 0, 0);
    rig.set(ONE, ChannelStrip { tune: cents(1200.0), ..ChannelStrip::default() }, 24_000);
    let heard = rig.left(48_000);
    assert!((239..=241).contains(&turns(&heard[..24_000])));
    assert!((479..=481).contains(&turns(&heard[24_000..])));
}

#[test]
fn a_bend_leaves_other_strips_alone() {
    let heard = |bend: f64| {
        let mut rig = Rig::new(&tone());
        rig.play_on(TWO, 0, 3);
        rig.set(
            ONE,
            ChannelStrip { tune: cents(bend), vibrato: cents(bend), ..ChannelStrip::default() },
            100,
        );
        rig.left(3000)
    };
    assert_eq!(heard(700.0), heard(0.0));
}

#[test]
fn a_bent_note_is_that_of_another_key_to_the_bit() {
    let heard = |bend: f64, semitones| {
        let mut rig = Rig::new(&tone());
        rig.set(ONE, ChannelStrip { tune: cents(bend), ..ChannelStrip::default() }, 0);
        rig.play_on(ONE, 0, semitones);
        rig.left(5000)
    };
    assert_eq!(heard(1200.0, 0), heard(0.0, 12));
    assert_eq!(heard(-2400.0, 12), heard(0.0, -12));
    assert_ne!(heard(100.0, 0), heard(0.0, 0));
}

#[test]
fn vibrato_swings_around_the_pitch_five_and_a_half_times_a_second() {
    let mut rig = Rig::new(&tone());
    rig.play_on(ONE, 0, 0);
    rig.set(ONE, ChannelStrip { vibrato: cents(200.0), ..ChannelStrip::default() }, 0);
    let heard = rig.left(96_000);
    let counted: Vec<usize> = heard.chunks(1200).map(turns).collect();
    let (lowest, highest) = (counted.iter().min().unwrap(), counted.iter().max().unwrap());
    assert!(*lowest <= 11 && *highest >= 13, "{lowest}..{highest} turns where 12 are the middle");
    assert!((955..=965).contains(&turns(&heard)), "{}", turns(&heard));
    // How far it is ahead of the same tone without vibrato goes up and down with it.
    let mut still = Rig::new(&tone());
    still.play_on(ONE, 0, 0);
    let crossings = |frames: &[f32]| -> Vec<usize> {
        let zero = |pair: &[f32]| pair[0] < 0.0 && pair[1] >= 0.0;
        (0..frames.len() - 1).filter(|&i| zero(&frames[i..i + 2])).collect()
    };
    let ahead: Vec<i64> = crossings(&heard)
        .iter()
        .zip(crossings(&still.left(96_000)))
        .map(|(swung, still)| still as i64 - *swung as i64)
        .collect();
    let middle = (ahead.iter().max().unwrap() + ahead.iter().min().unwrap()) / 2;
    let swings = ahead.windows(2).filter(|pair| pair[0] < middle && pair[1] >= middle).count();
    assert!((10..=12).contains(&swings), "{swings} swings in two seconds");
}

#[test]
fn a_strip_that_is_open_again_changes_no_bit() {
    let heard = |touched: bool| {
        let mut rig = Rig::new(&tone());
        rig.play_on(ONE, 0, 3);
        rig.play_on(TWO, 0, 4);
        if touched {
            rig.set(ONE, decibels(-6.0), 1000);
            rig.set(ONE, ChannelStrip::default(), 3001);
        }
        rig.left(6000)
    };
    let (still, touched) = (heard(false), heard(true));
    assert_eq!(still[..1000], touched[..1000]);
    assert_ne!(still[1000..3000], touched[1000..3000]);
    assert_eq!(still[3001 + 240..], touched[3001 + 240..]);
}

#[test]
fn silence_leaves_strips_as_they_are() {
    let mut rig = Rig::new(&constants(&[0.5]));
    rig.set(ONE, decibels(-400.0), 0);
    rig.render(500);
    rig.controller.all_sound_off();
    rig.play_on(ONE, 0, 0);
    assert!(rig.left(1000).iter().all(|&value| value == 0.0));
}

#[test]
fn a_strip_that_is_not_there_is_named() {
    let mut rig = Rig::with(Config { strips: 2, ..Config::default() }, &constants(&[0.5]));
    let note = engine::Note { strip: TWO, ..Rig::note(0, 0) };
    assert_eq!(rig.controller.note_on(note), Err(NoteError::NoStrip(TWO)));
    let refused = rig.controller.set_strip(TWO, ChannelStrip::default(), None);
    assert_eq!(refused, Err(StripError::NoStrip(TWO)));
    assert_eq!(refused.unwrap_err().to_string(), "no strip 2");
    rig.set(ONE, ChannelStrip::default(), 0);
}

#[test]
fn a_full_queue_gives_the_strip_back() {
    let mut rig = Rig::with(Config { command_queue: 1, ..Config::default() }, &constants(&[0.5]));
    rig.controller.all_notes_off(None).unwrap();
    let strip = decibels(-3.0);
    assert_eq!(rig.controller.set_strip(ONE, strip, None), Err(StripError::Full(strip)));
}

#[test]
fn no_setting_makes_anything_that_is_no_number() {
    let mut rig = Rig::with(Config { effects: true, ..Config::default() }, &tone());
    rig.play_on(ONE, 0, 0);
    let extreme = ChannelStrip {
        gain: Decibels::new(f32::MAX).unwrap(),
        pan: Pan::new(-1.0).unwrap(),
        tune: cents(f64::MAX),
        vibrato: cents(f64::MIN),
        cutoff: cents(f64::MIN),
        resonance: Decibels::new(f32::MAX).unwrap(),
        reverb: Some(Decibels::new(f32::MAX).unwrap()),
        delay: Some(Decibels::new(f32::MAX).unwrap()),
    };
    rig.set(ONE, extreme, 100);
    rig.set(ONE, ChannelStrip { tune: cents(f64::MIN), cutoff: cents(f64::MAX), ..extreme }, 700);
    assert!(rig.left(2000).iter().all(|value| value.is_finite()));
    assert_eq!(rig.controller.now(), Frames::new(2000));
}
