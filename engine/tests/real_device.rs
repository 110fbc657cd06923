//! What a real audio stream plays, recorded on the other side of it.
//!
//! ```text
//! engine ─► cpal ─► ALSA ─► PulseAudio's null sink "ci" ─► its monitor ─► parec ─► compared with the offline render
//! ```
//!
//! `scripts/with-null-audio cargo test -p usampler-engine --features device --test real_device -- --ignored`
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "the list in clippy.toml is for the audio thread"
)]

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use engine::device::Running;
use engine::device::null::NullDevice;
use engine::device::{DeviceError, DeviceRequest, list, start};
use engine::{Bank, Config, Controller, Note, Processor};
use fixtures::signal::{Noise, dithered, sine};
use fixtures::songs::{at_rate, hz, looped, mono, of, stereo_float};
use fixtures::tape::{Tape, from_first_sound};
use song::{Decibels, Frames, InstrumentIndex, Key, LoopMode, Pan, Song, Velocity};

const RATE: u32 = 48_000;

/// How long the song plays, in frames.
const LENGTH: usize = 3 * RATE as usize;

/// There is one device for all tests: two at once would be heard together.
static DEVICE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    assert!(
        std::env::var_os("CI_AUDIO_DIR").is_some(),
        "these tests need a device whose sound can be recorded; run them as `scripts/with-null-audio cargo test -p usampler-engine \
         --features device --test real_device -- --ignored`"
    );
    DEVICE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a plucked string that is held, a stereo noise that ends by itself, a low tone that goes to and fro at
/// another rate.
fn song() -> Song {
    let string = mono(dithered(sine(220.0 / 48_000.0, 0.3)).take(24_000));
    let mut noise = Noise::new(7);
    let mut burst =
        || (0..30_000).map(|frame| (noise.flat() * 0.4 / f64::from(1 + frame / 3000)) as f32).collect();
    let (left, right) = (burst(), burst());
    let low = mono(dithered(sine(55.0 / 22_050.0, 0.25)).take(8000));
    of(vec![
        looped(string, 4000, 23_563, LoopMode::Forward),
        stereo_float(left, right),
        looped(at_rate(&low, 22_050), 1000, 7001, LoopMode::PingPong),
    ])
}

/// Returns an engine that has been sent the whole song: notes that overlap, end by themselves and are released,
/// each at its frame.
fn prepared() -> (Controller, Processor) {
    let (mut controller, processor) = engine::split(Config::default()).unwrap();
    controller.load(Arc::new(Bank::prepare(&song()).unwrap()));
    let mut play = |instrument, key, velocity, pan, from, to: Option<u64>| {
        let note = Note {
            gain: Decibels::new(-3.0).unwrap(),
            pan: Pan::new(pan).unwrap(),
            ..Note::new(
                InstrumentIndex::new(instrument),
                Key::new(key).unwrap(),
                Velocity::new(velocity).unwrap(),
            )
        };
        let id = controller.note_on(note.at(Frames::new(from))).unwrap();
        if let Some(to) = to {
            controller.note_off(id, Some(Frames::new(to))).unwrap();
        }
    };
    play(2, 60, 110, 0.0, 4801, Some(130_000));
    play(0, 60, 100, -0.5, 5003, Some(40_000));
    play(0, 64, 90, 0.5, 9999, Some(70_001));
    play(1, 60, 127, 0.0, 24_000, None);
    play(0, 67, 80, 0.0, 31_111, Some(31_500));
    play(1, 72, 64, 1.0, 48_048, None);
    play(0, 55, 127, -1.0, 60_000, Some(120_000));
    play(1, 49, 100, -0.25, 77_777, Some(90_000));
    play(2, 67, 70, 0.25, 100_001, Some(100_700));
    play(0, 71, 50, 0.0, 118_000, Some(135_000));
    (controller, processor)
}

fn idle() -> Processor {
    engine::split(Config::default()).unwrap().1
}

fn null() -> NullDevice {
    NullDevice { rate: hz(RATE), block: Frames::new(256) }
}

fn wait_for_frames(running: &Running, frames: u64) {
    let begun = Instant::now();
    while running.status().frames() < frames {
        assert!(begun.elapsed() < Duration::from_secs(30), "{running:?} does not play");
        sleep(Duration::from_millis(5));
    }
}

/// A busy machine wakes the device's thread too late now and then: then the server fills in silence, and what it was
/// given meanwhile may be dropped. That says nothing about us. Longer blocks leave more time, until there is none to
/// blame.
const BLOCKS: [u64; 6] = [512, 512, 1024, 2048, 4096, 8192];

#[test]
#[ignore = "needs scripts/with-null-audio"]
fn what_is_heard_is_bit_for_bit_what_is_rendered_offline() {
    let _alone = alone();
    let rendered = engine::offline::render(&mut prepared().1, Frames::of(&[(); LENGTH]));
    let expected = from_first_sound(&rendered);
    let mut late = Vec::new();
    let heard_in_time = BLOCKS.iter().any(|&block| match play_and_compare(Frames::new(block), expected) {
        Ok(()) => true,
        Err(TooLate(what)) => {
            late.push(what);
            false
        }
    });
    assert!(heard_in_time, "the machine was too slow each time: {late:#?}");
}

/// The machine did not keep up; what was seen of it.
struct TooLate(String);

fn play_and_compare(block: Frames, expected: &[f32]) -> Result<(), TooLate> {
    let (_controller, processor) = prepared();
    let tape = Tape::roll();
    let request = DeviceRequest { rate: Some(hz(RATE)), buffer: Some(block), device: None };
    let running = start(processor, &request).unwrap();
    assert_eq!((running.name(), running.rate()), ("alsa:default", hz(RATE)));
    assert_ne!(running.status().block(), Frames::ZERO);
    // What was rendered is still on its way for a while.
    wait_for_frames(&running, LENGTH as u64 + u64::from(RATE));
    let status = Arc::clone(running.status());
    let processor = running.stop().expect("the processor comes back");
    assert!(processor.is_idle());

    let recorded = tape.stop();
    let heard = from_first_sound(&recorded);
    let differs = expected.iter().zip(heard).position(|(one, other)| one.to_bits() != other.to_bits());
    if let Some(at) = differs {
        let seen = format!(
            "value {at} of {} differs: {:?}.. was rendered, {:?}.. heard; {status:?}",
            expected.len(),
            &expected[at..(at + 8).min(expected.len())],
            &heard[at..(at + 8).min(heard.len())],
        );
        let silence = heard[at..].iter().take_while(|value| **value == 0.0).count();
        let was_late = silence >= 64 || status.xruns() > 0 || status.errors() > 0;
        assert!(was_late, "{seen}");
        return Err(TooLate(seen));
    }
    assert!(
        heard.len() >= expected.len(),
        "{} values were heard of {}; {status:?}",
        heard.len(),
        expected.len()
    );
    assert!(heard[expected.len()..].iter().all(|value| *value == 0.0), "after the song there is silence");
    Ok(())
}

#[test]
#[ignore = "needs scripts/with-null-audio"]
fn a_processor_comes_home_and_plays_on_elsewhere() {
    let _alone = alone();
    let (_controller, processor) = prepared();
    let real = start(processor, &DeviceRequest::default()).unwrap();
    wait_for_frames(&real, 10_000);
    let processor = real.stop().expect("return_slot from the real device");
    let now = processor.now();
    assert!(now >= Frames::new(10_000) && !processor.is_idle());

    let silent = null().start(processor).unwrap();
    assert_eq!(silent.name(), "null");
    wait_for_frames(&silent, 5000);
    let processor = silent.stop().expect("return_slot from the null device");
    assert!(processor.now() >= Frames::new(now.get() + 5000), "it goes on where it was");

    let real =
        start(processor, &DeviceRequest { device: Some("alsa:default".into()), ..DeviceRequest::default() })
            .unwrap();
    wait_for_frames(&real, 1000);
    assert!(real.stop().is_some());
}

#[test]
#[ignore = "needs scripts/with-null-audio"]
fn an_unknown_device_is_named_and_gives_the_processor_back() {
    let _alone = alone();
    let request = DeviceRequest { device: Some("alsa:nowhere".into()), ..DeviceRequest::default() };
    let error = start(idle(), &request).unwrap_err();
    assert!(error.reason.to_string().contains("alsa:nowhere"), "{error}");
    assert!(error.reason.to_string().contains("alsa:default"), "{error}");
    assert!(matches!(error.reason.downcast_ref(), Some(DeviceError::Unknown { .. })), "{error:?}");
    let processor = *error.processor.expect("unharmed");
    assert!(null().start(processor).unwrap().stop().is_some());
}

#[test]
#[ignore = "needs scripts/with-null-audio"]
fn a_rate_that_is_not_offered_is_an_error_that_says_what_is() {
    let _alone = alone();
    let request = DeviceRequest { rate: Some(hz(u32::MAX)), ..DeviceRequest::default() };
    let error = start(idle(), &request).unwrap_err();
    let text = error.reason.to_string();
    assert!(["alsa:default", "4294967295 Hz", "offers"].iter().all(|part| text.contains(part)), "{text}");
    assert!(error.processor.is_some());
    let running =
        start(idle(), &DeviceRequest { rate: Some(hz(44_100)), ..DeviceRequest::default() }).unwrap();
    assert_eq!(running.rate(), hz(44_100));
    assert_eq!(running.stop().unwrap().rate(), hz(44_100));
}

#[test]
#[ignore = "needs scripts/with-null-audio"]
fn the_default_is_listed_first_and_the_device_that_keeps_no_time_is_not() {
    let _alone = alone();
    let devices = list().unwrap();
    assert_eq!(devices[0].id, "alsa:default");
    assert!(devices[0].is_default && devices[1..].iter().all(|device| !device.is_default));
    assert!(devices[0].rates.iter().any(|range| range.contains(&hz(RATE))), "{:?}", devices[0]);
    assert!(devices[0].channels.contains(&2), "{:?}", devices[0]);
    assert!(devices.iter().all(|device| device.id != "alsa:null"));
    let timeless = DeviceRequest { device: Some("alsa:null".into()), ..DeviceRequest::default() };
    assert!(start(idle(), &timeless).is_err());
}
