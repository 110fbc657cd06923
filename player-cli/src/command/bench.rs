//! `usampler bench`: how many voices this machine renders in time, at each quality.

use engine::{Processor, Quality};
use player::bench::{self, BLOCK, BenchRow};

use crate::args::Bench;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::view::json;
use player::text_table::{Flush, TextTable};

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
            let row = bench::measure(quality, voices.into(), args.seconds, &mut interrupt::check)?;
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
