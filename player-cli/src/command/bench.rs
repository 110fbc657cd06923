//! `usampler bench`: how many voices this machine renders in time, at each quality.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Bank, Config, Controller, Event, Note, Processor, Quality};
use serde::Serialize;
use song::{
    Cents, Frames, Instrument, InstrumentIndex, Key, LoopCount, LoopMode, LoopRange, Origin, Planes,
    Recording, Sample, SampleIndex, Song, SongParts, Velocity, Width, Zone,
};

use crate::args::Bench;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::view::json;
use crate::view::table::{Flush, TextTable};

/// Frames of a block.
const BLOCK: usize = 256;

/// What one quality costs with so many voices.
#[derive(Debug, Serialize)]
struct BenchRow {
    schema: &'static str,
    quality: &'static str,
    voices: usize,
    /// For a frame of a voice, in the block in the middle.
    ns: f64,
    /// Voices that would keep one thread busy all the time.
    voices_per_core: u64,
    /// The slowest block, as a part of the time it lasts. Whatever else the machine did is in it.
    worst_block: f64,
    blocks: usize,
    rate: u32,
    instructions: &'static str,
}

/// Measures and prints.
///
/// # Errors
/// If the output cannot be written, or the user interrupts.
pub fn run(args: &Bench, console: &mut Console<'_>) -> Result<Exit, Failure> {
    interrupt::watch()?;
    let mut rows = Vec::new();
    for quality in Quality::ALL {
        for &voices in &args.voices {
            interrupt::check()?;
            let total = Some((Quality::ALL.len() * args.voices.len()) as f64);
            console.progress(
                rows.len() as f64,
                total,
                "measured",
                format_args!("{quality}, {voices} voices"),
            );
            let row = measure(quality, voices.into(), args.seconds)?;
            if args.json {
                json::print(console.out(), &row)?;
            } else {
                rows.push(row);
            }
        }
    }
    console.end_progress();
    if !args.json {
        print(&rows, console)?;
    }
    Ok(Exit::Done)
}

fn measure(quality: Quality, voices: usize, time: Duration) -> Result<BenchRow, Failure> {
    let (_controller, mut processor) = chord(quality, voices)?;
    let rate = processor.rate().get();
    let mut out = [0.0; 2 * BLOCK];
    let (begun, mut blocks) = (Instant::now(), Vec::new());
    while blocks.is_empty() || begun.elapsed() < time {
        let start = Instant::now();
        processor.process(&mut out, 2);
        blocks.push(start.elapsed().as_secs_f64());
        interrupt::check()?;
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
fn chord(quality: Quality, voices: usize) -> Result<(Controller, Processor), Failure> {
    let failed = |error: &dyn std::error::Error| Failure::new(Exit::Partly, error.to_string());
    let config = Config {
        polyphony: voices,
        interpolation: quality.into(),
        command_queue: voices,
        event_queue: 2 * voices + 1024,
        ..Config::default()
    };
    let (mut controller, mut processor) = engine::split(config).map_err(|error| failed(&error))?;
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
        interrupt::check()?;
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

fn print(rows: &[BenchRow], console: &mut Console<'_>) -> Result<(), Failure> {
    let mut table = TextTable::new([
        ("quality", Flush::Left),
        ("voices", Flush::Right),
        ("ns per frame", Flush::Right),
        ("voices per core", Flush::Right),
        ("worst block", Flush::Right),
    ]);
    for row in rows {
        let cells = [
            row.quality.to_owned(),
            row.voices.to_string(),
            format!("{:.2}", row.ns),
            row.voices_per_core.to_string(),
            format!("{:.1} %", 100.0 * row.worst_block),
        ];
        // What takes longer than it lasts cannot be heard without gaps.
        table.push(cells, row.worst_block > 1.0);
    }
    let colored = console.is_colored();
    table.print(console.out(), colored)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let what = format!("{} ({}), 1 of {threads} cores", std::env::consts::ARCH, engine::instructions());
    let rate = Processor::DEFAULT_RATE;
    console.say(format_args!(
        "{what}; blocks of {BLOCK} frames at {rate} Hz, all voices on one recording; the worst block is a share of the time \
         that a block lasts: over 100 % a device runs dry, if only once on a busy machine"
    ));
    Ok(())
}
