//! The engine's half for the audio thread, declared real-time: whatever it calls that may block ends the program.
//!
//! `realtime` plays through everything the engine can be asked to do. `realtime PLANT` does something forbidden in the
//! middle of it, and has to be caught: `allocation`, `free`, `lock` or `file`.
//!
//! Built with `RUSTFLAGS=-Zsanitizer=realtime`; caught means exit code 43.
#![feature(sanitize)]

use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use engine::{
    Bank, ChannelStrip, Config, Controller, DelayParams, DrivenVoice, Event, Interpolation, LentBank, Note, NoteId, Processor,
    Quality, ReverbParams, StripIndex, VoiceChange, VoiceFilter, VoiceParams,
};
use fixtures::signal::Noise;
use fixtures::songs::{
    at_rate, hz, looped, mono, mono_float, moving, shaped, shapes, some_articulated, stereo, stereo_float,
    sustained, with_shapes_of,
};
use song::{
    Cents, Decibels, Envelope, Frames, InstrumentIndex, Key, LoopMode, LowPass, Pan, SampleIndex, Velocity,
};

/// Rounds of playing for each interpolation.
const ROUNDS: usize = 400;

/// What an audio thread does. The sanitizer watches everything in here, however deep.
#[sanitize(realtime = "nonblocking")]
fn audio(processor: &mut Processor, out: &mut [f32], channels: usize, plant: &mut Plant) {
    processor.process(out, channels);
    plant.happen();
}

/// Moves the processor to a device with another rate.
#[sanitize(realtime = "nonblocking")]
fn next_device(processor: &mut Processor, rate: song::Hz) {
    processor.set_rate(rate);
    std::hint::black_box(processor.is_idle());
}

/// Something that is not to be done on the audio thread.
enum Plant {
    Nothing,
    Allocation,
    Free(Option<Box<[u64]>>),
    /// Taken by somebody else: one that is free is an atomic and no call.
    Lock(Arc<Mutex<u64>>),
    File,
}

impl Plant {
    fn named(name: Option<&str>) -> Option<Self> {
        Some(match name {
            None => Self::Nothing,
            Some("allocation") => Self::Allocation,
            Some("free") => Self::Free(Some(vec![1; 1000].into())),
            Some("lock") => Self::Lock(taken()),
            Some("file") => Self::File,
            Some(_) => return None,
        })
    }

    fn happen(&mut self) {
        match self {
            Self::Nothing => {}
            Self::Allocation => std::mem::forget(std::hint::black_box(Box::new(1_u64))),
            Self::Free(bytes) => drop(bytes.take()),
            Self::Lock(number) => *number.lock().expect("nobody panicked with it") += 1,
            Self::File => drop(std::hint::black_box(std::fs::File::open("."))),
        }
    }
}

/// Returns a lock that a thread holds for a while.
fn taken() -> Arc<Mutex<u64>> {
    let lock = Arc::new(Mutex::new(0));
    let (others, ready) = (Arc::clone(&lock), Arc::new(Barrier::new(2)));
    let held = Arc::clone(&ready);
    std::thread::spawn(move || {
        let _guard = others.lock();
        held.wait();
        std::thread::sleep(Duration::from_secs(5));
    });
    ready.wait();
    lock
}

fn bank(seed: u64) -> Arc<Bank> {
    let mut noise = Noise::new(seed);
    let mut shorts = |length: usize| -> Vec<i16> { (0..length).map(|_| noise.bits() as i16).collect() };
    let floats = |values: &[i16]| values.iter().map(|&value| f32::from(value) / 32768.0).collect::<Vec<_>>();
    let (one, two) = (shorts(3000), shorts(3000));
    let still = [
        mono(one.clone()),
        looped(mono(one.clone()), 1000, 2900, LoopMode::Forward),
        looped(stereo(one.clone(), two.clone()), 10, 41, LoopMode::ShortPingPong),
        looped(mono_float(floats(&one)), 0, 3000, LoopMode::Forward),
        at_rate(&stereo_float(floats(&one), floats(&two)), 44_100),
    ];
    // Two that are left at the release, one of them with all that instruments of trackers do, and that to a stereo one.
    let left = sustained(mono(one.clone()), 100, 2900, LoopMode::PingPong);
    let moved = sustained(mono(two.clone()), 1000, 2900, LoopMode::Forward);
    let wide = looped(stereo(one.clone(), two), 500, 2500, LoopMode::Forward);
    let shape = looped(mono(one.clone()), 700, 3000, LoopMode::Forward);
    let all = still.into_iter().map(|sample| (sample, None)).chain([
        (left, None),
        (moved, Some(moving().into())),
        (wide, Some(moving().into())),
        (mono(one), Some(moving().into())),
        (shape, Some(shaped().into())),
    ]);
    let envelope = Envelope { attack: Duration::from_millis(3), release: Duration::from_millis(40) };
    let song = with_shapes_of(&some_articulated(all.collect(), envelope), 1, &shapes());
    Arc::new(Bank::prepare(&song).expect("short recordings"))
}

fn note(noise: &mut Noise, controller: &Controller) -> Note {
    let key = Key::new(noise.below(128) as u8).expect("a key");
    let velocity = Velocity::new(1 + noise.below(127) as u8).expect("a velocity");
    let strip = StripIndex::new(noise.below(3) as u16);
    let mut note = Note { strip, ..Note::new(InstrumentIndex::new(noise.below(14)), key, velocity) };
    if noise.below(2) == 0 {
        note.quality = Some(Quality::ALL[noise.below(Quality::ALL.len())]);
    }
    match noise.below(2) {
        0 => note,
        _ => note.at(Frames::new(controller.now().get() + noise.below(1500) as u64)),
    }
}

fn strip(noise: &mut Noise) -> ChannelStrip {
    let cents = |noise: &mut Noise| Cents::new(noise.flat() * 2400.0).expect("finite");
    let send = |noise: &mut Noise| {
        (noise.below(2) == 0).then(|| Decibels::new(-(noise.below(60) as f32)).expect("finite"))
    };
    ChannelStrip {
        gain: Decibels::new(-(noise.below(60) as f32)).expect("finite"),
        pan: Pan::new(noise.flat() as f32).expect("within both sides"),
        tune: cents(noise),
        vibrato: cents(noise),
        cutoff: cents(noise),
        resonance: Decibels::new(noise.below(24) as f32).expect("finite"),
        reverb: send(noise),
        delay: send(noise),
    }
}

fn effects(noise: &mut Noise, controller: &mut Controller) {
    let mut millis = |most| Duration::from_millis(noise.below(most) as u64);
    let reverb = ReverbParams {
        decay: millis(3000),
        damping: 5000.0,
        pre_delay: millis(100),
        gain: Decibels::UNITY,
    };
    let delay = DelayParams { time: millis(5000), ping_pong: noise.below(2) == 0, ..DelayParams::default() };
    let at = Some(Frames::new(controller.now().get() + noise.below(1500) as u64));
    _ = controller.set_reverb(reverb, at);
    _ = controller.set_delay(delay, at);
}

/// Voices of a song, and the bank that they sound from.
struct Driven {
    bank: LentBank,
    voices: Vec<NoteId>,
}

impl Driven {
    fn params(noise: &mut Noise) -> VoiceParams {
        let gain = |noise: &mut Noise| noise.flat() as f32 * noise.below(2) as f32;
        VoiceParams {
            hz: f64::from(noise.bits() % 400_000),
            left: gain(noise),
            right: gain(noise),
            filter: (noise.below(2) == 0)
                .then(|| VoiceFilter::new(LowPass { cutoff: noise.below(128) as f32, resonance: noise.below(128) as f32 })),
        }
    }

    /// A voice begins, or one that was begun changes.
    fn happen(&mut self, noise: &mut Noise, controller: &mut Controller) {
        let at = (noise.below(2) == 0)
            .then(|| Frames::new(controller.now().get() + noise.below(1500) as u64));
        let sample = SampleIndex::new(noise.below(10));
        let from = Frames::new(noise.below(3200) as u64);
        if self.voices.is_empty() || noise.below(3) == 0 {
            let (is_released, strip) = (noise.below(2) == 0, StripIndex::new(noise.below(3) as u16));
            let voice = DrivenVoice { sample, from, is_released, params: Self::params(noise), strip };
            self.voices.extend(controller.start_voice(&self.bank, &voice, at));
            return;
        }
        let voice = self.voices[noise.below(self.voices.len())];
        if noise.below(6) == 0 {
            _ = controller.replace_recording(&self.bank, voice, sample, at);
            return;
        }
        let change = match noise.below(8) {
            0 => VoiceChange::Stop,
            1 => VoiceChange::LeaveSustain,
            2 => VoiceChange::SwapAtLoopEnd { sample: (noise.below(4) > 0).then_some(sample), from },
            _ => VoiceChange::Params {
                params: Self::params(noise),
                glide: Duration::from_millis(noise.below(30) as u64),
            },
        };
        if change == VoiceChange::Stop {
            self.voices.retain(|other| *other != voice);
        }
        _ = controller.change_voice(&self.bank, voice, change, at);
    }
}

/// Something to do at random; storms and full queues are among it.
fn deed(noise: &mut Noise, controller: &mut Controller, sounding: &mut Vec<NoteId>, driven: &mut Driven) {
    // A tick of a song.
    for _ in 0..noise.below(8) {
        driven.happen(noise, controller);
    }
    match noise.below(24) {
        23 => effects(noise, controller),
        // Another song.
        22 => driven.bank = controller.lend(bank(u64::from(noise.bits()))),
        0 => controller.load(bank(u64::from(noise.bits()))),
        1 => controller.all_sound_off(),
        2 => _ = controller.all_notes_off(None),
        3 => while controller.note_on(note(noise, controller)).is_ok() {},
        4 => _ = controller.set_gain(Decibels::new(-(noise.below(60) as f32)).expect("finite"), None),
        20 => _ = controller.set_strip(StripIndex::new(noise.below(3) as u16), strip(noise), None),
        21 => _ = controller.set_polyphony(1 + noise.below(24), None),
        5..9 if !sounding.is_empty() => {
            let which = noise.below(sounding.len());
            _ = controller.note_off(sounding.swap_remove(which), None);
        }
        _ => sounding.extend(controller.note_on(note(noise, controller))),
    }
    // Now and then nobody listens, and events are lost.
    if noise.below(8) == 0 {
        while controller.poll().is_some() {}
    }
    controller.collect();
}

fn main() {
    let argument = std::env::args().nth(1);
    let Some(mut plant) = Plant::named(argument.as_deref()) else { panic!("no such plant: {argument:?}") };
    let mut happened = [0_u64; 4];
    for interpolation in Interpolation::ALL {
        let config = Config {
            polyphony: 24,
            interpolation,
            command_queue: 500,
            event_queue: 300,
            limiter: true,
            effects: true,
            ..Config::default()
        };
        let (mut controller, mut processor) = engine::split(config).expect("within limits");
        controller.load(bank(1));
        // Read now and then, so it also overflows.
        let mut tap = processor.tap(5000);
        let (mut noise, mut sounding) = (Noise::new(5), Vec::new());
        let mut driven = Driven { bank: controller.lend(bank(2)), voices: Vec::new() };
        let mut out = vec![0.0; 8 * 700];
        for round in 0..ROUNDS {
            deed(&mut noise, &mut controller, &mut sounding, &mut driven);
            let (channels, frames) = (1 + noise.below(3), 1 + noise.below(700));
            let out = &mut out[..channels * frames];
            audio(&mut processor, out, channels, &mut plant);
            if round % 9 == 0 {
                tap.read(drop);
            }
            if round % 100 == 99 {
                next_device(&mut processor, hz([44_100, 48_000, 96_000, 8_000][round / 100 % 4]));
            }
            for event in std::iter::from_fn(|| if round % 7 == 0 { controller.poll() } else { None }) {
                match event {
                    Event::Started { .. } => happened[0] += 1,
                    Event::Stolen { .. } => happened[1] += 1,
                    _ => {}
                }
            }
        }
        happened[2] += controller.refused();
        happened[3] += controller.lost_events();
    }
    let [started, stolen, refused, lost] = happened;
    println!("{started} starts and {stolen} thefts were reported, {refused} refused, {lost} events lost");
    assert!(happened.iter().all(|&number| number > 50), "too little happened");
}
