//! The reverb and the delay: what they return, how loud and how long.

use std::f64::consts::TAU;
use std::time::Duration;

use engine::{
    ChannelStrip, Config, DelayParams, DrivenVoice, EffectError, Note, ReverbParams, StripIndex, VoiceParams,
};
use fixtures::signal::{Noise, fingerprint, sharpest_bend, sine};
use fixtures::songs::{looped, mono_float, of, stereo_float};
use song::{Decibels, Frames, LoopMode, Pan, SampleIndex, Song};

use super::rig::{Rig, frame};

const ONE: StripIndex = StripIndex::new(1);

/// A second.
const RATE: u64 = 48_000;

fn decibels(gain: f32) -> Decibels {
    Decibels::new(gain).unwrap()
}

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn with_effects(song: &Song) -> Rig {
    Rig::with(Config { effects: true, ..Config::default() }, song)
}

/// Returns a frame of full scale and silence after it.
fn impulse() -> Song {
    let mut frames = vec![0.0; 64];
    frames[0] = 1.0;
    of(vec![mono_float(frames)])
}

fn noise(frames: usize) -> Vec<f32> {
    let mut noise = Noise::new(3);
    (0..frames).map(|_| noise.flat() as f32).collect()
}

fn tone(hertz: f64) -> Song {
    let frames: Vec<f32> =
        sine(hertz / RATE as f64, 0.5).take(RATE as usize).map(|value| value as f32).collect();
    of(vec![looped(mono_float(frames), 0, RATE, LoopMode::Forward)])
}

fn to_reverb(gain: f32) -> ChannelStrip {
    ChannelStrip { reverb: Some(decibels(gain)), ..ChannelStrip::default() }
}

fn to_delay(gain: f32) -> ChannelStrip {
    ChannelStrip { delay: Some(decibels(gain)), ..ChannelStrip::default() }
}

/// Echoes that are as bright as what is sent, on the side it is on.
fn echoes(time: u64, feedback: f32) -> DelayParams {
    let tone = DelayParams::MAX_TONE;
    DelayParams { time: millis(time), feedback, tone, ping_pong: false, ..DelayParams::default() }
}

fn hall(decay: u64, damping: f32) -> ReverbParams {
    ReverbParams { decay: millis(decay), damping, pre_delay: millis(0), ..ReverbParams::default() }
}

impl Rig {
    /// Plays the first sample on a strip.
    fn send(&mut self, strip: ChannelStrip) {
        self.controller.set_strip(ONE, strip, None).unwrap();
        self.controller.note_on(Note { strip: ONE, ..Self::note(0, 0) }).unwrap();
    }
}

/// Returns both sides of what the reverb makes of an impulse.
fn reverb_response(params: ReverbParams, frames: u64) -> [Vec<f32>; 2] {
    reverb_response_at(0.0, params, frames)
}

fn reverb_response_at(pan: f32, params: ReverbParams, frames: u64) -> [Vec<f32>; 2] {
    let mut rig = with_effects(&impulse());
    rig.controller.set_reverb(params, None).unwrap();
    rig.send(ChannelStrip { pan: Pan::new(pan).unwrap(), ..to_reverb(0.0) });
    let mut sides = rig.render(frames);
    sides.iter_mut().for_each(|side| side[0] = 0.0);
    sides
}

fn energy(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value).powi(2)).sum()
}

fn level(values: &[f32]) -> f64 {
    10.0 * (energy(values) / values.len() as f64).log10()
}

/// Returns the part of a signal about a frequency: two resonators of two poles, an octave wide.
fn band(values: &[f32], hertz: f64) -> Vec<f32> {
    let (radius, angle) = (1.0 - TAU * hertz / RATE as f64 / 4.0, TAU * hertz / RATE as f64);
    let pass = |values: Vec<f64>| -> Vec<f64> {
        let (mut last, mut before, mut earlier) = (0.0, 0.0, [0.0; 2]);
        let filter = |value: f64| {
            let out = value - earlier[1] + 2.0 * radius * angle.cos() * last - radius * radius * before;
            earlier = [value, earlier[0]];
            (last, before) = (out, last);
            out
        };
        values.into_iter().map(filter).collect()
    };
    let passed = pass(pass(values.iter().map(|value| f64::from(*value)).collect()));
    passed.into_iter().map(|value| (value * 1e-4) as f32).collect()
}

/// Returns the seconds in which an impulse response falls by 60 dB, by its decay curve between −5 and −35 dB (M. R.
/// Schroeder, *New method of measuring reverberation time*, JASA 37, 1965).
fn t60(response: &[f32]) -> f64 {
    let mut curve: Vec<f64> = response
        .iter()
        .rev()
        .scan(0.0, |sum, value| {
            *sum += f64::from(*value).powi(2);
            Some(*sum)
        })
        .collect();
    curve.reverse();
    let at = |decibels: f64| {
        let wanted = curve[0] * 10.0_f64.powf(decibels / 10.0);
        curve.iter().position(|energy| *energy < wanted).expect("it falls as far")
    };
    2.0 * (at(-35.0) - at(-5.0)) as f64 / RATE as f64
}

#[test]
fn echoes_come_at_exact_frames_with_exact_gains() {
    let mut rig = with_effects(&impulse());
    rig.controller.set_delay(echoes(100, 0.5), None).unwrap();
    rig.send(to_delay(0.0));
    let [left, right] = rig.render(30_000);
    let found: Vec<(usize, f32)> =
        left.iter().copied().enumerate().filter(|(_, value)| value.abs() > 1e-6).collect();
    let expected = [(0, 1.0), (4800, 1.0), (9600, 0.5), (14_400, 0.25), (19_200, 0.125), (24_000, 0.0625)];
    assert_eq!(found, [&expected[..], &[(28_800, 0.03125)]].concat());
    assert_eq!(left, right);
}

#[test]
fn echoes_of_ping_pong_alternate_between_the_sides() {
    let mut rig = with_effects(&impulse());
    rig.controller.set_delay(DelayParams { ping_pong: true, ..echoes(10, 0.5) }, None).unwrap();
    rig.send(to_delay(0.0));
    let [left, right] = rig.render(2200);
    let found = [480, 960, 1440, 1920].map(|frame| (left[frame], right[frame]));
    assert_eq!(found, [(1.0, 0.0), (0.0, 0.5), (0.25, 0.0), (0.0, 0.125)]);
}

#[test]
fn the_tone_takes_high_frequencies_from_the_second_echo_on() {
    let levels = |hertz: f64| {
        let burst: Vec<f32> = sine(hertz / RATE as f64, 0.5).take(2400).map(|value| value as f32).collect();
        let mut rig = with_effects(&of(vec![mono_float(burst)]));
        rig.controller.set_delay(DelayParams { tone: 1000.0, ..echoes(100, 0.5) }, None).unwrap();
        rig.send(to_delay(0.0));
        let heard = rig.left(14_400);
        level(&heard[10_000..11_500]) - level(&heard[5200..6700])
    };
    // 6 dB of feedback, and at the cutoff frequency 3 dB of the filter.
    let [low, cutoff, high] = [60.0, 1000.0, 8000.0].map(levels);
    assert!((low + 6.0).abs() < 0.2 && (cutoff + 9.0).abs() < 0.5 && high < -20.0, "{low} {cutoff} {high}");
}

#[test]
fn the_decay_time_is_what_was_asked_for() {
    for (decay, damping) in [(400, 20_000.0), (400, 3000.0), (1500, 20_000.0), (1500, 5000.0), (4000, 2500.0)]
    {
        let sides = reverb_response(hall(decay, damping), RATE * decay * 3 / 2000 + RATE / 2);
        let low = sides.iter().map(|side| t60(&band(side, 400.0))).sum::<f64>() / 2.0;
        let wanted = decay as f64 / 1000.0;
        assert!((low / wanted - 1.0).abs() < 0.1, "{low} s instead of {wanted}");
    }
}

#[test]
fn the_damping_frequency_decays_in_half_the_time() {
    for (decay, damping) in [(1000, 2000.0), (2000, 4000.0), (3000, 6000.0)] {
        let [left, _] = reverb_response(hall(decay, damping), RATE * decay * 3 / 2000);
        let high = t60(&band(&left, f64::from(damping)));
        let wanted = decay as f64 / 2000.0;
        assert!((high / wanted - 1.0).abs() < 0.1, "{high} s instead of {wanted}");
    }
}

#[test]
fn the_sides_of_a_tail_have_little_in_common() {
    for (decay, pan) in [(400, 0.0), (1800, 0.0), (5000, 0.0), (1800, -1.0), (1800, 1.0)] {
        let [left, right] = reverb_response_at(pan, hall(decay, 6000.0), RATE);
        let common: f64 = left.iter().zip(&right).map(|(left, right)| f64::from(left * right)).sum();
        let correlation = common / (energy(&left) * energy(&right)).sqrt();
        assert!(correlation.abs() < 0.3, "{correlation} at {decay} ms, panned to {pan}");
    }
}

/// Returns how loud the reverb is beside what is sent, in decibels, once it has built up.
fn returned(song: &Song, params: ReverbParams) -> f64 {
    let heard = |send: Option<Decibels>| {
        let mut rig = with_effects(song);
        rig.controller.set_reverb(params, None).unwrap();
        rig.send(ChannelStrip { reverb: send, ..ChannelStrip::default() });
        rig.left(3 * RATE)
    };
    let (dry, both) = (heard(None), heard(Some(Decibels::UNITY)));
    let wet: Vec<f32> = both.iter().zip(&dry).map(|(both, dry)| both - dry).collect();
    let late = 2 * RATE as usize;
    level(&wet[late..]) - level(&dry[late..])
}

#[test]
fn noise_comes_back_about_as_loud_as_it_is_sent() {
    let frames = 2 * RATE as usize;
    let mut values = noise(2 * frames);
    let right = values.split_off(frames);
    let song = of(vec![looped(stereo_float(values, right), 0, frames as u64, LoopMode::Forward)]);
    for (decay, damping) in [(500, 5000.0), (1800, 5000.0), (4000, 5000.0), (1800, 20_000.0)] {
        let gain = returned(&song, hall(decay, damping));
        assert!((-6.0..=0.0).contains(&gain), "{gain} dB for {decay} ms and {damping} Hz");
    }
}

#[test]
fn tones_come_back_about_as_loud_as_they_are_sent() {
    let gains: Vec<f64> = [110.0, 200.0, 440.0, 770.0, 1500.0]
        .into_iter()
        .map(|hertz| returned(&tone(hertz), ReverbParams::default()))
        .collect();
    assert!(gains.iter().all(|gain| (-12.0..8.0).contains(gain)), "{gains:?}");
}

#[test]
fn sends_come_after_the_gain_of_their_strip_and_glide() {
    let constant = of(vec![looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward)]);
    let mut rig = with_effects(&constant);
    rig.controller.set_delay(echoes(100, 0.0), None).unwrap();
    rig.send(ChannelStrip { gain: decibels(-400.0), ..to_delay(0.0) });
    assert!(rig.left(6000).iter().all(|value| *value == 0.0));
    let mut rig = with_effects(&constant);
    rig.controller.set_delay(echoes(100, 0.0), None).unwrap();
    rig.send(ChannelStrip::default());
    rig.controller.set_strip(ONE, to_delay(0.0), frame(1000)).unwrap();
    let heard = rig.left(7000);
    assert!(heard[..=5800].iter().all(|value| *value == 0.5), "nothing was sent before");
    assert!(heard[5801..6040].windows(2).all(|pair| pair[1] > pair[0] && pair[1] - pair[0] < 0.003));
    assert!(heard[6040..].iter().all(|value| *value == 1.0));
}

#[test]
fn driven_voices_send_as_notes_do() {
    let mut rig = with_effects(&impulse());
    rig.controller.set_delay(echoes(100, 0.0), None).unwrap();
    rig.controller.set_strip(ONE, to_delay(0.0), None).unwrap();
    let bank = rig.controller.bank().unwrap().clone();
    let lent = rig.controller.lend(bank);
    let voice = DrivenVoice {
        sample: SampleIndex::new(0),
        from: Frames::ZERO,
        is_released: false,
        params: VoiceParams { hz: 48_000.0, left: 1.0, right: 1.0, filter: None },
        strip: ONE,
    };
    rig.controller.start_voice(&lent, &voice, None).unwrap();
    let heard = rig.left(4801);
    assert_eq!((heard[0], heard[4799], heard[4800]), (1.0, 0.0, 1.0));
}

#[test]
fn an_engine_is_busy_until_its_tails_are_inaudible_and_idle_soon_after() {
    let reverb = hall(800, 6000.0);
    let delay = echoes(150, 0.6);
    let mut rig = with_effects(&impulse());
    rig.controller.set_reverb(reverb, None).unwrap();
    rig.controller.set_delay(delay, None).unwrap();
    rig.send(ChannelStrip { delay: Some(Decibels::UNITY), ..to_reverb(0.0) });
    let tail = reverb.tail().max(delay.tail());
    // After the last frame of the sample.
    let frames = 64 + Frames::lasting(tail, fixtures::songs::hz(48_000)).get();
    let heard = rig.left(frames);
    assert!(!rig.processor.is_idle(), "it is heard still");
    let after = rig.left(RATE);
    let loudest = |values: &[f32]| values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    assert!(loudest(&after) <= 0.001 * loudest(&heard[1..]), "{}", loudest(&after));
    // 150 dB, and what the longest line takes.
    rig.render(frames * 2);
    assert!(rig.processor.is_idle());
    assert!(rig.left(1000).iter().all(|value| *value == 0.0));
}

#[test]
fn silence_ends_tails_within_a_fade_and_what_comes_after_is_heard() {
    let mut rig = with_effects(&tone(200.0));
    rig.controller.set_reverb(hall(5000, 6000.0), None).unwrap();
    rig.controller.set_delay(echoes(100, 0.9), None).unwrap();
    rig.send(ChannelStrip { delay: Some(Decibels::UNITY), ..to_reverb(0.0) });
    let heard = rig.left(RATE);
    rig.controller.all_sound_off();
    let after = rig.left(1000);
    assert!(after[239] != 0.0 && after[240..].iter().all(|value| *value == 0.0));
    assert!(sharpest_bend(&[&heard[40_000..], &after].concat()) < 0.05);
    assert!(rig.processor.is_idle());
    rig.send(to_delay(0.0));
    assert!(rig.left(6000)[4800..].iter().any(|value| value.abs() > 0.7), "dry and an echo");
}

#[test]
fn effects_are_silent_at_another_rate_and_their_times_are_the_same() {
    let mut rig = with_effects(&impulse());
    rig.controller.set_delay(echoes(100, 0.5), None).unwrap();
    rig.send(to_delay(0.0));
    rig.render(1000);
    rig.processor.set_rate(fixtures::songs::hz(96_000));
    assert!(rig.left(20_000).iter().all(|value| value.abs() < 1e-6));
    rig.controller.note_on(Note { strip: ONE, ..Rig::note(0, 0) }).unwrap();
    let heard = rig.left(9700);
    assert!(heard[9600] > 0.5 && heard[9500..9599].iter().all(|value| value.abs() < 0.2));
}

#[test]
fn an_engine_without_effects_says_so_and_plays_what_is_sent_dry() {
    let mut rig = Rig::new(&tone(200.0));
    let refused = rig.controller.set_reverb(ReverbParams::default(), None);
    assert_eq!(refused, Err(EffectError::NoEffects));
    assert_eq!(refused.unwrap_err().to_string(), "the engine has no effects");
    assert_eq!(rig.controller.set_delay(DelayParams::default(), None), Err(EffectError::NoEffects));
    rig.send(to_reverb(0.0));
    let mut dry = Rig::new(&tone(200.0));
    dry.send(ChannelStrip::default());
    assert_eq!(rig.left(5000), dry.left(5000));
}

#[test]
fn effects_that_nothing_is_sent_to_change_no_bit() {
    let heard = |effects| {
        let mut rig = Rig::with(Config { effects, ..Config::default() }, &tone(200.0));
        rig.send(ChannelStrip { gain: decibels(-3.0), ..ChannelStrip::default() });
        rig.left(5000)
    };
    assert_eq!(fingerprint(&heard(true)), fingerprint(&heard(false)));
}

#[test]
fn a_full_queue_gives_the_parameters_of_effects_back() {
    let config = Config { command_queue: 1, effects: true, ..Config::default() };
    let mut rig = Rig::with(config, &impulse());
    rig.controller.all_notes_off(None).unwrap();
    let (reverb, delay) = (hall(1000, 5000.0), echoes(100, 0.5));
    assert_eq!(rig.controller.set_reverb(reverb, None), Err(EffectError::Full(reverb)));
    assert_eq!(rig.controller.set_delay(delay, None), Err(EffectError::Full(delay)));
}

/// A change of the effects, by name.
type Change = (&'static str, fn(&mut Rig));

fn set_reverb(rig: &mut Rig, params: ReverbParams) {
    rig.controller.set_reverb(params, frame(CHANGED)).unwrap();
}

fn set_delay(rig: &mut Rig, params: DelayParams) {
    rig.controller.set_delay(params, frame(CHANGED)).unwrap();
}

/// The frame at which something changes: in the middle of a cell, and of a period.
const CHANGED: u64 = RATE + 1001;

const CHANGES: [Change; 11] = [
    ("decay", |rig| set_reverb(rig, hall(100, 5000.0))),
    ("longer decay", |rig| set_reverb(rig, hall(20_000, 5000.0))),
    ("damping", |rig| set_reverb(rig, hall(1800, 200.0))),
    ("pre-delay", |rig| set_reverb(rig, ReverbParams { pre_delay: millis(123), ..hall(1800, 5000.0) })),
    ("return of the reverb", |rig| {
        set_reverb(rig, ReverbParams { gain: decibels(-200.0), ..hall(1800, 5000.0) });
    }),
    ("time", |rig| set_delay(rig, echoes(223, 0.5))),
    ("feedback", |rig| set_delay(rig, echoes(375, 0.0))),
    ("tone", |rig| set_delay(rig, DelayParams { tone: 300.0, ..echoes(375, 0.5) })),
    ("ping-pong", |rig| set_delay(rig, DelayParams { ping_pong: true, ..echoes(375, 0.5) })),
    ("return of the delay", |rig| set_delay(rig, DelayParams { gain: decibels(-200.0), ..echoes(375, 0.5) })),
    ("sends", |rig| rig.controller.set_strip(ONE, ChannelStrip::default(), frame(CHANGED)).unwrap()),
];

#[test]
fn no_change_while_a_tone_sounds_clicks() {
    for (name, change) in CHANGES {
        let heard = |change: Option<fn(&mut Rig)>| {
            let mut rig = with_effects(&tone(200.0));
            rig.controller.set_reverb(hall(1800, 5000.0), None).unwrap();
            rig.controller.set_delay(echoes(375, 0.5), None).unwrap();
            rig.send(ChannelStrip { delay: Some(Decibels::UNITY), ..to_reverb(0.0) });
            if let Some(change) = change {
                change(&mut rig);
            }
            let all = rig.left(2 * RATE);
            all[RATE as usize..].to_vec()
        };
        let (still, changed) = (heard(None), heard(Some(change)));
        assert_eq!(still[..1001], changed[..1001], "{name}");
        assert_ne!(still[1001..], changed[1001..], "{name}");
        let peak = still.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        let (before, after) = (sharpest_bend(&still), sharpest_bend(&changed));
        let decibels = 20.0 * ((after - before).max(1e-9) / peak).log10();
        // A step bends as far as it goes.
        assert!(after - before < peak / 1000.0, "{name}: {decibels} dB");
    }
}

#[test]
fn full_scale_noise_at_every_extreme_stays_bounded_and_decays_to_silence() {
    let song = of(vec![looped(
        mono_float(noise(50_000).iter().map(|value| 2.0 * value)),
        0,
        50_000,
        LoopMode::Forward,
    )]);
    let extremes = [
        (hall(30_000, 20_000.0), echoes(10, 9.0)),
        (hall(30_000, 200.0), DelayParams { ping_pong: true, tone: 200.0, ..echoes(10, 0.95) }),
        (hall(0, 200.0), echoes(4000, 0.0)),
        (ReverbParams { pre_delay: Duration::MAX, ..hall(0, 20_000.0) }, echoes(0, 0.95)),
    ];
    for (reverb, delay) in extremes {
        let mut rig = with_effects(&song);
        rig.controller.set_reverb(reverb, None).unwrap();
        rig.controller.set_delay(delay, None).unwrap();
        rig.send(ChannelStrip { delay: Some(Decibels::UNITY), ..to_reverb(0.0) });
        let mut block = [0.0; 2 * 1000];
        let mut loudest = 0.0_f32;
        for _ in 0..30 * 48 {
            rig.processor.process(&mut block, 2);
            assert!(block.iter().all(|value| value.is_finite()));
            loudest = block.iter().fold(loudest, |most, value| most.max(value.abs()));
        }
        assert!((1.0..25.0).contains(&loudest), "{loudest}");
        rig.controller.all_notes_off(None).unwrap();
        let mut blocks = 0;
        while !rig.processor.is_idle() {
            rig.processor.process(&mut block, 2);
            blocks += 1;
            assert!(blocks < 110 * 48, "{reverb:?} and {delay:?} do not end");
        }
    }
}

#[test]
fn effects_that_sleep_and_wake_and_change_meanwhile_have_the_same_bits_however_blocks_are_cut() {
    let mut values = noise(700);
    values.extend([0.0; 100]);
    let song = of(vec![mono_float(values)]);
    let heard = |mut cut: Box<dyn FnMut() -> usize>| {
        let mut rig = with_effects(&song);
        rig.controller.set_reverb(ReverbParams { pre_delay: millis(3), ..hall(100, 3000.0) }, None).unwrap();
        rig.controller.set_delay(echoes(10, 0.3), None).unwrap();
        let both = ChannelStrip { delay: Some(Decibels::UNITY), ..to_reverb(-3.0) };
        rig.controller.set_strip(ONE, both, None).unwrap();
        // They fall asleep after about 20,000 frames.
        for at in [100, 500, 26_011, 50_000, 74_321] {
            rig.controller.note_on(Note { strip: ONE, ..Rig::note(0, 0).at(Frames::new(at)) }).unwrap();
        }
        for (at, time) in [(24_001, 20), (26_015, 33), (30_000, 10), (48_017, 15), (74_321, 40)] {
            rig.controller
                .set_delay(DelayParams { ping_pong: time > 20, ..echoes(time, 0.4) }, frame(at))
                .unwrap();
            rig.controller.set_reverb(hall(80 + 2 * time, 4000.0), frame(at + 7)).unwrap();
        }
        let mut all = Vec::new();
        let mut slept = 0;
        while all.len() < 120_000 {
            let frames = cut().min(120_000 - all.len());
            let [left, right] = rig.render(frames as u64);
            all.extend(left.iter().zip(right).map(|(left, right)| left - 2.0 * right));
            slept += usize::from(all.len() > 1000 && rig.processor.is_idle());
        }
        (all, slept)
    };
    let (whole, slept) = heard(Box::new(|| 50));
    assert!(slept > 100, "it never slept");
    for seed in 0..6 {
        let mut noise = Noise::new(seed);
        let longest = [3, 70, 300, 3000, 30_000, 90_000][seed as usize];
        let (cut, _) = heard(Box::new(move || 1 + noise.below(longest)));
        let first = whole.iter().zip(&cut).position(|(a, b)| a.to_bits() != b.to_bits());
        assert_eq!(first, None, "in pieces of up to {longest} frames");
    }
}
