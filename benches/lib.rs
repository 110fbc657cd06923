//! Shared by the benchmarks: timing in rounds, and tables.
//!
//! A benchmark run by `cargo bench` measures; run by `cargo test --all-targets` it only shows that it works.
#![forbid(unsafe_code)]

pub mod stage;

use std::time::{Duration, Instant};

/// How long something took, in nanoseconds for one unit of its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// The fastest round: what the machine can do when nobody disturbs it.
    pub least: f64,
    /// The round in the middle.
    pub median: f64,
}

/// Returns whether times are wanted, and not just a proof that the benchmark runs.
#[must_use]
pub fn is_measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// Runs something again and again, for about as long as given, and times each round. `units` is the work of a round.
pub fn time(budget: Duration, units: f64, mut round: impl FnMut()) -> Time {
    let mut rounds = Vec::new();
    let begun = Instant::now();
    loop {
        let start = Instant::now();
        round();
        rounds.push(start.elapsed().as_secs_f64() * 1e9 / units);
        if !is_measuring() || begun.elapsed() >= budget {
            break;
        }
    }
    rounds.sort_by(f64::total_cmp);
    Time { least: rounds[0], median: rounds[rounds.len() / 2] }
}

/// Something to be measured, and the units of its work.
pub type Thing<'a> = (f64, Box<dyn FnMut() + 'a>);

/// Runs several things by turns, so often each, and returns how long each took at least, in nanoseconds for one unit of
/// its work. One round of each if nothing is to be measured.
pub fn by_turns(things: &mut [Thing<'_>], rounds: usize) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; things.len()];
    for _ in 0..if is_measuring() { rounds } else { 1 } {
        for ((units, thing), least) in things.iter_mut().zip(&mut least) {
            let start = Instant::now();
            thing();
            *least = least.min(start.elapsed().as_secs_f64() * 1e9 / *units);
        }
    }
    least
}
