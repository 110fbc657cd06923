//! However a device cuts its blocks, the bits are the same.

use std::sync::Arc;
use std::time::Duration;

use engine::remote::{RemoteLink, RemoteProcessor};
use engine::{
    Bank, ChannelStrip, Config, Controller, DelayParams, Interpolation, Note, NoteId, Processor,
    ReverbParams, StripIndex,
};
use fixtures::signal::{Noise, fingerprint};
use fixtures::songs::{
    at_rate, curve, looped, mono, mono_float, repeating, segment, shaped, shapes, some_articulated,
    stereo_float, sustained, sustaining, unmoved, with_shapes_of,
};
use proptest::prelude::*;
use song::module::{LfoWave, VibratoSweep};
use song::{
    Articulation, Cents, Decibels, Envelope, FadeStart, Frames, InstrumentIndex, Key, LoopMode, LowPass, Pan,
    PitchLfo, Sample, SamplerArticulation, SegmentCurve, SegmentEnvelope, Song, TickLoops,
    TrackerArticulation, Velocity,
};

const LENGTH: u64 = 6000;

/// What a controller can be asked to do, at a frame.
#[derive(Clone, Debug)]
enum Deed {
    Play {
        instrument: usize,
        key: u8,
        velocity: u8,
        strip: u16,
    },
    /// Of a strip: decibels, hundredths of the way to a side, cents, cents, decibels to each effect if not 0.
    Set(u16, [i16; 6]),
    /// Milliseconds of decay and pre-delay, hertz.
    Reverb([u16; 3]),
    /// Milliseconds, hundredths of feedback, hertz, and whether it is ping-pong.
    Delay([u16; 3], bool),
    /// One of the notes so far.
    Release(prop::sample::Index),
    /// One of the notes so far: cents of its cutoff.
    Tone(prop::sample::Index, i16),
    ReleaseAll,
    Polyphony(usize),
    Load,
    /// In decibels.
    Gain(i16),
}

fn actions() -> impl Strategy<Value = Vec<(u64, Deed)>> {
    let play = (0_usize..15, 36_u8..90, 1_u8..=127, 0_u16..3)
        .prop_map(|(instrument, key, velocity, strip)| Deed::Play { instrument, key, velocity, strip });
    let part = |range: std::ops::Range<i16>| prop_oneof![2 => Just(0_i16), 1 => range];
    let setting =
        [part(-60..20), part(-100..101), part(-2400..2400), part(0..300), part(-60..13), part(-60..13)];
    let set = (0_u16..3, setting).prop_map(|(strip, setting)| Deed::Set(strip, setting));
    let reverb = (50_u16..3000, 0_u16..60, 100_u16..21_000).prop_map(|(a, b, c)| Deed::Reverb([a, b, c]));
    let delay = ((0_u16..60, 0_u16..99, 100_u16..21_000), any::<bool>())
        .prop_map(|((a, b, c), ping_pong)| Deed::Delay([a, b, c], ping_pong));
    let release = any::<prop::sample::Index>().prop_map(Deed::Release);
    let gain = prop_oneof![Just(0), Just(-300), -60_i16..20].prop_map(Deed::Gain);
    let tone = (any::<prop::sample::Index>(), -4800_i16..1200).prop_map(|(which, to)| Deed::Tone(which, to));
    let action = prop_oneof![8 => play, 4 => release, 2 => tone, 1 => Just(Deed::ReleaseAll), 1 => Just(Deed::Load), 2 => gain, 3 => set, 1 => reverb, 1 => delay, 1 => (1_usize..6).prop_map(Deed::Polyphony)];
    // Some frames are shared by many.
    let frame = prop_oneof![0..LENGTH, (0..LENGTH / 500).prop_map(|frame| frame * 500)];
    prop::collection::vec((frame, action), 1..60)
}

fn song(seed: u64, envelope: Envelope) -> Song {
    let mut noise = Noise::new(seed);
    let mut floats = |length: usize| -> Vec<f32> { (0..length).map(|_| noise.flat() as f32).collect() };
    let samples = vec![
        mono_float(floats(700)),
        looped(at_rate(&stereo_float(floats(900), floats(900)), 44_100), 100, 830, LoopMode::Forward),
        looped(mono_float(floats(50)), 11, 42, LoopMode::PingPong),
        looped(mono(floats(300).iter().map(|value| (value * 60_000.0) as i16)), 290, 291, LoopMode::Forward),
        // Two that end at a level, soon, and one in so little silence that a filter still sees the sound.
        stereo_float(floats(40), floats(40)),
        mono(floats(230).iter().map(|value| (value * 60_000.0) as i16)),
        mono_float([floats(40), vec![0.0; 9]].concat()),
    ];
    let delayed =
        SegmentEnvelope::new(0.0, vec![segment(0.002, 0.0, LINEAR), segment(0.01, 1.0, LINEAR)], Some(2));
    let moving: [(Sample, Articulation); 4] = [
        (sustained(mono_float(floats(400)), 70, 155, LoopMode::PingPong), curved().into()),
        (looped(stereo_float(floats(900), floats(900)), 100, 830, LoopMode::Forward), filtered().into()),
        (looped(stereo_float(floats(900), floats(900)), 100, 830, LoopMode::Forward), shaped().into()),
        (mono_float(floats(600)), SamplerArticulation::plain(delayed.unwrap()).into()),
    ];
    let still = samples.into_iter().map(|sample| (sample, None));
    let moving = moving.map(|(sample, articulation)| (sample, Some(articulation)));
    with_shapes_of(&some_articulated(still.chain(moving).collect(), envelope), 1, &shapes())
}

const LINEAR: SegmentCurve = SegmentCurve::Linear;

/// Ticks of some 200 frames, so that many of them pass.
fn ticking(fade_start: FadeStart) -> TrackerArticulation {
    TrackerArticulation { tick: Duration::from_micros(4321), ..unmoved(fade_start) }
}

const STRAIGHT: TickLoops = TickLoops { held: None, released: None, wait_at: None, sustained_until: None };

fn curved() -> TrackerArticulation {
    TrackerArticulation {
        volume: Some(curve(&[(0, 20), (3, 64), (9, 3)], sustaining(3, 3))),
        pan: Some(curve(&[(0, -32), (2, 30), (5, 0)], repeating(0, 5))),
        pitch: Some(curve(&[(0, 3), (4, -9)], STRAIGHT)),
        fadeout: 2000,
        ..ticking(FadeStart::AtEnvelopeEnd)
    }
}

fn filtered() -> TrackerArticulation {
    TrackerArticulation {
        cutoff: Some(curve(&[(0, -20), (7, 32)], repeating(0, 7))),
        filter: LowPass { cutoff: 90.0, resonance: 80.0 },
        volume: Some(curve(&[(0, 64)], STRAIGHT)),
        fadeout: 900,
        vibrato: Some(PitchLfo {
            wave: LfoWave::Random,
            ramp_phase: 0.5,
            square_low: -1.0,
            speed: 30,
            depth: 20,
            sweep: VibratoSweep::Ticks(3),
        }),
        ..ticking(FadeStart::AtRelease)
    }
}

/// Interleaved; the cuts are lengths of blocks, repeated.
fn rendered(interpolation: Interpolation, actions: &[(u64, Deed)], cuts: &[usize]) -> Vec<f32> {
    performed(Config { polyphony: 5, interpolation, ..Config::default() }, actions, cuts)
}

/// The half of an engine that renders, here or elsewhere.
enum Half {
    Here(Box<Processor>),
    Elsewhere(Box<RemoteLink>, Box<RemoteProcessor>),
}

impl Half {
    fn process(&mut self, block: &mut [f32]) {
        match self {
            Self::Here(processor) => processor.process(block, 2),
            Self::Elsewhere(link, processor) => {
                loop {
                    let bytes = link.send();
                    if bytes.is_empty() {
                        break;
                    }
                    processor.receive(&bytes).unwrap();
                }
                processor.process(block, 2);
                link.receive(&processor.report()).unwrap();
            }
        }
    }
}

fn performed(config: Config, actions: &[(u64, Deed)], cuts: &[usize]) -> Vec<f32> {
    let (controller, processor) = engine::split(config).unwrap();
    performed_by(controller, Half::Here(Box::new(processor)), config, actions, cuts)
}

/// The same by a processor with other memory.
fn performed_elsewhere(config: Config, actions: &[(u64, Deed)], cuts: &[usize]) -> Vec<f32> {
    let (controller, processor) = engine::split(config).unwrap();
    let elsewhere = RemoteProcessor::new(config, processor.rate(), false).unwrap();
    let half = Half::Elsewhere(Box::new(RemoteLink::new(processor)), Box::new(elsewhere));
    performed_by(controller, half, config, actions, cuts)
}

/// The same with any engine. The deeds may be twice as many as its queue holds: a call without frames after so many
/// makes room for as many more.
fn performed_by(
    mut controller: Controller,
    mut processor: Half,
    config: Config,
    actions: &[(u64, Deed)],
    cuts: &[usize],
) -> Vec<f32> {
    let slow = Envelope { attack: Duration::from_millis(3), release: Duration::from_millis(20) };
    let banks =
        [song(1, Envelope::default()), song(2, slow)].map(|song| Arc::new(Bank::prepare(&song).unwrap()));
    let mut loads = 0;
    controller.load(Arc::clone(&banks[0]));
    let mut notes: Vec<NoteId> = Vec::new();
    for (number, (frame, action)) in actions.iter().enumerate() {
        if number == config.command_queue {
            processor.process(&mut []);
        }
        let at = Some(Frames::new(*frame));
        match action {
            Deed::Play { instrument, key, velocity, strip } => {
                let (key, velocity) = (Key::new(*key).unwrap(), Velocity::new(*velocity).unwrap());
                let strip = StripIndex::new(*strip);
                let note = Note { at, strip, ..Note::new(InstrumentIndex::new(*instrument), key, velocity) };
                notes.push(controller.note_on(note).unwrap());
            }
            Deed::Release(which) if !notes.is_empty() => {
                controller.note_off(*which.get(&notes), at).unwrap();
            }
            Deed::Tone(which, cutoff) if !notes.is_empty() => {
                let cutoff = Cents::new(f64::from(*cutoff)).unwrap();
                controller.set_tone(*which.get(&notes), cutoff, Decibels::UNITY, at).unwrap();
            }
            Deed::Release(_) | Deed::Tone(..) => {}
            Deed::Polyphony(voices) => controller.set_polyphony(*voices, at).unwrap(),
            Deed::ReleaseAll => controller.all_notes_off(at).unwrap(),
            Deed::Gain(gain) => controller.set_gain(Decibels::new(f32::from(*gain)).unwrap(), at).unwrap(),
            Deed::Set(strip, [gain, pan, tune, vibrato, reverb, delay]) => {
                let send = |gain: i16| (gain != 0).then(|| Decibels::new(f32::from(gain)).unwrap());
                let setting = ChannelStrip {
                    gain: Decibels::new(f32::from(*gain)).unwrap(),
                    pan: Pan::new(f32::from(*pan) / 100.0).unwrap(),
                    tune: Cents::new(f64::from(*tune)).unwrap(),
                    vibrato: Cents::new(f64::from(*vibrato)).unwrap(),
                    // Darker with pan, with resonance where it is bent.
                    cutoff: Cents::new(-50.0 * f64::from(*pan)).unwrap(),
                    resonance: Decibels::new(f32::from(*tune) / 100.0).unwrap(),
                    reverb: send(*reverb),
                    delay: send(*delay),
                };
                controller.set_strip(StripIndex::new(*strip), setting, at).unwrap();
            }
            Deed::Reverb([decay, pre_delay, damping]) if config.effects => {
                let millis = |millis: u16| Duration::from_millis(millis.into());
                let reverb = ReverbParams {
                    decay: millis(*decay),
                    damping: f32::from(*damping),
                    pre_delay: millis(*pre_delay),
                    gain: Decibels::UNITY,
                };
                controller.set_reverb(reverb, at).unwrap();
            }
            Deed::Delay([time, feedback, tone], ping_pong) if config.effects => {
                let delay = DelayParams {
                    time: Duration::from_millis((*time).into()),
                    feedback: f32::from(*feedback) / 100.0,
                    tone: f32::from(*tone),
                    ping_pong: *ping_pong,
                    gain: Decibels::UNITY,
                };
                controller.set_delay(delay, at).unwrap();
            }
            Deed::Reverb(_) | Deed::Delay(..) => {}
            Deed::Load => {
                loads += 1;
                controller.load(Arc::clone(&banks[loads % 2]));
            }
        }
    }
    let mut out = vec![9.0; 2 * LENGTH as usize];
    let mut rest = &mut out[..];
    for &cut in cuts.iter().cycle() {
        let (block, more) = rest.split_at_mut((2 * cut).min(rest.len()));
        processor.process(block);
        rest = more;
        if rest.is_empty() {
            break;
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]
    #[test]
    fn blocks_cut_anywhere_change_no_bit(
        actions in actions(),
        cuts in prop::collection::vec(prop_oneof![1_usize..40, 1_usize..900, Just(64), Just(256)], 1..30),
        how in prop::sample::select(&Interpolation::ALL),
        limiter in any::<bool>(),
        effects in any::<bool>(),
    ) {
        let config = Config { polyphony: 5, interpolation: how, limiter, effects, ..Config::default() };
        let whole = performed(config, &actions, &[LENGTH as usize]);
        let cut = performed(config, &actions, &cuts);
        if fingerprint(&whole) != fingerprint(&cut) {
            let differs = |(a, b): (&f32, &f32)| a.to_bits() != b.to_bits();
            let first = whole.iter().zip(&cut).position(differs).unwrap_or_default();
            prop_assert!(false, "frame {} is {} and not {}", first / 2, cut[first], whole[first]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]
    #[test]
    fn a_processor_with_other_memory_renders_the_same_bits(
        actions in actions(),
        cuts in prop::collection::vec(prop_oneof![1_usize..900, Just(128)], 1..10),
        how in prop::sample::select(&Interpolation::ALL),
        limiter in any::<bool>(),
        effects in any::<bool>(),
    ) {
        let config = Config { polyphony: 5, interpolation: how, limiter, effects, ..Config::default() };
        let here = performed(config, &actions, &[LENGTH as usize]);
        let elsewhere = performed_elsewhere(config, &actions, &cuts);
        prop_assert_eq!(fingerprint(&here), fingerprint(&elsewhere));
    }
}

#[test]
fn more_notes_than_a_grid_cell_takes_begin_at_the_same_frames_however_blocks_are_cut() {
    let key = |i: u64| 40 + (i % 50) as u8;
    let burst: Vec<_> = (0..700)
        .map(|i| {
            (1001 + i % 90, Deed::Play { instrument: i as usize % 11, key: key(i), velocity: 100, strip: 0 })
        })
        .collect();
    let whole = fingerprint(&rendered(Interpolation::Cubic, &burst, &[LENGTH as usize]));
    for cuts in [&[1][..], &[7, 64, 3], &[256], &[63], &[1000, 11]] {
        assert_eq!(fingerprint(&rendered(Interpolation::Cubic, &burst, cuts)), whole, "{cuts:?}");
    }
}

#[test]
fn what_finds_the_queue_full_comes_to_its_turn_at_the_same_frame_however_blocks_are_cut() {
    let config = Config { polyphony: 40, command_queue: 16, ..Config::default() };
    let play = |frame, i: usize| {
        (frame, Deed::Play { instrument: i % 4, key: 50 + i as u8, velocity: 100, strip: 0 })
    };
    // Sixteen wait far off and nearby, and as many stand after them in the ring, most of them for earlier frames.
    let mut actions: Vec<_> = (0..16).map(|i| play(500 + 97 * i as u64, i)).collect();
    actions.extend((0..14).map(|i| play(100 + 151 * i as u64, 16 + i)));
    actions.extend([(900, Deed::ReleaseAll), (1000, Deed::Gain(-6))]);
    let whole = fingerprint(&performed(config, &actions, &[LENGTH as usize]));
    for cuts in [&[1][..], &[7, 64, 3], &[256], &[63], &[1000, 11]] {
        assert_eq!(fingerprint(&performed(config, &actions, cuts)), whole, "{cuts:?}");
        assert_eq!(fingerprint(&performed_elsewhere(config, &actions, cuts)), whole, "{cuts:?}, elsewhere");
    }
}

#[test]
fn a_schedule_sounds_and_another_sounds_different() {
    let play = |frame, key| vec![(frame, Deed::Play { instrument: 1, key, velocity: 100, strip: 0 })];
    let one = rendered(Interpolation::Cubic, &play(500, 60), &[256]);
    assert!(one[2 * 500..].iter().any(|&value| value != 0.0));
    assert!(one[..2 * 500].iter().all(|&value| value == 0.0));
    assert_ne!(fingerprint(&one), fingerprint(&rendered(Interpolation::Cubic, &play(501, 60), &[256])));
}
