//! How steady the engine is: what single blocks cost, the worst of many, beside a load that is always the same.
//!
//! ```text
//! engine   │ all begin │ held … all loops wrap … │ all stolen │ held … │ all released │ silent │ and again
//! control  │   same    │  same work, as long as a held block of the engine, one for each block  …
//! ```
//!
//! Both take turns block by block, so what the machine does to one it does to the other. The thread's own time is
//! measured, and the clock's beside it; neither alone says whether the engine is steady. With `--paced` blocks come as
//! a device asks for them, and twenty minutes pass. All of it twice: without effects, and with every voice sent to the
//! reverb and to the delay by a strip of its own.

mod worst {
    pub(crate) mod figures;
    pub(crate) mod play;
}

use std::path::Path;
use std::time::{Duration, Instant};

use benches::is_measuring;
use cpu_time::ThreadTime;
use engine::Quality;
use worst::figures::{Figures, Sheet};
use worst::play::{BLOCK, Play};

/// Blocks of each; a hundred thousand is the least that says something about one in a thousand.
const BLOCKS: usize = 100_000;

/// Work that never changes: as many rounds over a small table as take as long as a block.
struct Control {
    table: [f32; 1024],
    rounds: usize,
}

impl Control {
    /// As long as some time, by the median of many tries.
    fn lasting(wanted: f64) -> Self {
        let mut control = Self { table: [1.0; 1024], rounds: 64 };
        for _ in 0..4 {
            let mut times: Vec<f64> = (0..200).map(|_| thread_time(|| control.work())).collect();
            times.sort_by(f64::total_cmp);
            control.rounds = (control.rounds as f64 * wanted / times[100]).round().max(1.0) as usize;
        }
        control
    }

    fn work(&mut self) {
        for round in 0..self.rounds {
            let gain = std::hint::black_box(1.0 - 1e-6 * (round % 2) as f32);
            self.table.iter_mut().for_each(|value| *value = *value * gain + 1e-9);
        }
        std::hint::black_box(&mut self.table);
    }
}

/// Returns the nanoseconds that this thread was busy with something.
fn thread_time(work: impl FnOnce()) -> f64 {
    let begun = ThreadTime::now();
    work();
    begun.elapsed().as_secs_f64() * 1e9
}

/// Returns the thread's time and the clock's, in nanoseconds.
fn times(work: impl FnOnce()) -> [f64; 2] {
    let begun = Instant::now();
    let busy = thread_time(work);
    [busy, begun.elapsed().as_secs_f64() * 1e9]
}

fn main() {
    let is_paced = std::env::args().any(|argument| argument == "--paced");
    // Without effects, and with all voices sent to both.
    for is_sent in [false, true] {
        measure(is_sent, is_paced);
    }
}

fn measure(is_sent: bool, is_paced: bool) {
    let blocks = if is_measuring() { BLOCKS } else { 2000 };
    let mut play = Play::new(Quality::default(), is_sent);
    let held = play.held_block(|work| thread_time(work));
    let mut control = Control::lasting(held);
    let mut sheet = Sheet::default();
    let begun = Instant::now();
    for block in 0..blocks {
        if is_paced && is_measuring() {
            let due = begun + Duration::from_secs_f64(block as f64 * BLOCK as f64 / 48_000.0);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        let kind = play.prepare();
        sheet.engine(kind, times(|| play.render()));
        sheet.control(kind, times(|| control.work()));
        play.tidy();
    }
    play.was_complete();
    if !is_measuring() {
        return;
    }
    let figures = Figures::of(sheet);
    let pace = if is_paced { "paced" } else { "back to back" };
    let (effects, name) = if is_sent {
        ("reverb and delay, sent to by 32 strips", "worst-effects.json")
    } else {
        ("no effects", "worst.json")
    };
    println!("{blocks} blocks of {BLOCK} frames, {pace}, {effects}\n");
    println!("{}", figures.table());
    let target =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is a folder of the target folder");
    let path = target.join(name);
    std::fs::write(&path, figures.json(blocks, is_paced))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    println!("written: {}\n", path.display());
}
