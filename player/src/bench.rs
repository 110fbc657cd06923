//! What rendering costs on this machine: voices of a looping recording, at each quality.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Bank, Config, Controller, Event, Note, Processor, Quality};
use serde::Serialize;
use song::{
    Cents, Frames, Instrument, InstrumentIndex, Key, LoopCount, LoopMode, LoopRange, Origin, Planes,
    Recording, Sample, SampleIndex, Song, SongParts, Velocity, Width, Zone,
};

use crate::{Error, ErrorKind};

/// Frames of a block.
pub const BLOCK: usize = 256;

/// The cost of one quality with a number of voices, as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct BenchRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Name of the quality.
    pub quality: &'static str,
    /// Number of voices.
    pub voices: usize,
    /// Nanoseconds for a frame of a voice, in the median block.
    pub ns: f64,
    /// Number of voices that would keep one thread busy all the time.
    pub voices_per_core: u64,
    /// The slowest block, as a part of the time it lasts. Whatever else the machine did is in it.
    pub worst_block: f64,
    /// Number of measured blocks.
    pub blocks: usize,
    /// Frames per second.
    pub rate: u32,
    /// Instructions of the kernels.
    pub instructions: &'static str,
}

/// Measures a quality with a number of voices for some time. `check` may end it between two blocks.
///
/// # Errors
/// [`ErrorKind::Sound`] if there is no engine with as many voices, and the first error of `check`.
pub fn measure<E: From<Error>>(
    quality: Quality,
    voices: usize,
    time: Duration,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<BenchRow, E> {
    let (_controller, mut processor) = chord(quality, voices, check)?;
    let rate = processor.rate().get();
    let mut out = [0.0; 2 * BLOCK];
    let (begun, mut blocks) = (Instant::now(), Vec::new());
    while blocks.is_empty() || begun.elapsed() < time {
        let start = Instant::now();
        processor.process(&mut out, 2);
        blocks.push(start.elapsed().as_secs_f64());
        check()?;
    }
    blocks.sort_by(f64::total_cmp);
    let lasts = BLOCK as f64 / f64::from(rate);
    let (median, worst) = (blocks[blocks.len() / 2], blocks[blocks.len() - 1]);
    let ns = median * 1e9 / (BLOCK * voices) as f64;
    Ok(BenchRow {
        schema: "usampler.bench/1",
        quality: quality.name(),
        voices,
        ns: (ns * 1000.0).round() / 1000.0,
        // The cast saturates.
        voices_per_core: (1e9 / ns / f64::from(rate)) as u64,
        worst_block: (worst / lasts * 10_000.0).round() / 10_000.0,
        blocks: blocks.len(),
        rate,
        instructions: engine::instructions(),
    })
}

/// Returns an engine in the middle of a chord that never ends: a looping 16-bit recording, at pitches within a fifth of
/// its own that are never a whole ratio to it.
fn chord<E: From<Error>>(
    quality: Quality,
    voices: usize,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(Controller, Processor), E> {
    let failed = |error: &dyn std::error::Error| Error::new(ErrorKind::Sound, error.to_string());
    let config = Config {
        polyphony: voices,
        interpolation: quality.into(),
        command_queue: voices,
        event_queue: 2 * voices + 1024,
        ..Config::default()
    };
    let options = |error: engine::ConfigError| Error::new(ErrorKind::Options, error.to_string());
    let (mut controller, mut processor) = engine::split(config).map_err(options)?;
    let song = song().map_err(|error| failed(&error))?;
    controller.load(Arc::new(Bank::prepare_owned(song).map_err(|error| failed(&error))?));
    for semitones in (-7..=7).cycle().take(voices) {
        let key = Key::C4.shifted(semitones).unwrap_or(Key::C4);
        let note = Note::new(InstrumentIndex::new(0), key, Velocity::new(20).unwrap_or(Velocity::HIGHEST));
        controller.note_on(note).map_err(|error| failed(&error))?;
    }
    // Until all have begun, which takes a while: an engine begins a bounded number of voices at a time.
    let mut out = [0.0; 2 * BLOCK];
    let mut begun = 0;
    while begun < voices {
        check()?;
        processor.process(&mut out, 2);
        let events = std::iter::from_fn(|| controller.poll());
        begun += events.filter(|event| matches!(event, Event::Started { .. })).count();
    }
    Ok((controller, processor))
}

fn song() -> Result<Song, song::Invalid> {
    const FRAMES: u16 = 48_000;
    let saw: Vec<i16> = (0..FRAMES).map(|frame| (frame % 480).cast_signed() * 60 - 14_400).collect();
    let recording = Recording::I16(Planes::new(vec![saw])?);
    let end = Frames::new(FRAMES.into());
    let looping = LoopRange::new(Frames::ZERO, end, end, LoopMode::Forward, LoopCount::Forever)?;
    let rate = song::Hz::new(48_000)?;
    let sample = Sample::new(Origin::default(), recording, Width::Sixteen, rate).with_loops(vec![looping])?;
    let quarter_tone = Cents::new(50.0)?;
    let tree = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, quarter_tone).into();
    let instruments = vec![Instrument { tree, ..Instrument::default() }];
    Song::new(SongParts { samples: vec![Arc::new(sample)], instruments, ..SongParts::default() })
}
