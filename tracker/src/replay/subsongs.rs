//! The songs of a module, and how long they are.

use std::sync::Arc;

use super::{Replay, ReplayOptions, Score};
use crate::format::ModuleFile;

/// A song of a module: most have one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subsong {
    /// The order it begins with.
    pub order: usize,
    /// How long it is until it would repeat itself, in seconds.
    pub seconds: f64,
    /// Whether it is longer than that: songs are followed for a number of ticks only.
    pub is_longer: bool,
}

/// How far the songs of a module are followed, in ticks: four hours at the usual tempo.
const MAX_TICKS: u32 = 50 * 4 * 3600;

/// Finds the songs of a module: the one that begins with the first order, and one from each order on that none before
/// it has come to.
#[must_use]
pub fn subsongs(score: &Arc<Score>) -> Vec<Subsong> {
    follow(score, usize::MAX)
}

/// Finds the first song of a module, without following the others; none without a pattern.
#[must_use]
pub fn first_subsong(score: &Arc<Score>) -> Option<Subsong> {
    follow(score, 1).first().copied()
}

/// Finds the songs of a module file, followed without its recordings; none if its patterns take more than `budget`
/// bytes.
#[must_use]
pub fn subsongs_of(module: &ModuleFile, budget: u64) -> Vec<Subsong> {
    silent(module, budget).map(|score| subsongs(&score)).unwrap_or_default()
}

/// Finds the first song of a module file, followed without its recordings; none if it has no pattern, or its patterns
/// take more than `budget` bytes.
#[must_use]
pub fn first_subsong_of(module: &ModuleFile, budget: u64) -> Option<Subsong> {
    first_subsong(&silent(module, budget)?)
}

fn silent(module: &ModuleFile, budget: u64) -> Option<Arc<Score>> {
    module.raw.to_song(budget).ok().map(|module| Arc::new(Score::silent(module)))
}

/// Follows the first `most` songs of a module.
fn follow(score: &Arc<Score>, most: usize) -> Vec<Subsong> {
    let mut found: Vec<Subsong> = Vec::new();
    let mut played = vec![false; score.module().orders.len()];
    let mut left = MAX_TICKS;
    for order in 0..played.len() {
        let is_known = played.get(order).copied().unwrap_or(true) || score.pattern(order).is_none();
        if is_known || left == 0 || found.len() == most {
            continue;
        }
        let mut replay = Replay::new(Arc::clone(score), ReplayOptions { order, loops: Some(0), seed: 0 });
        let (mut seconds, mut is_longer) = (0.0, false);
        while let Some(tick) = replay.tick() {
            if left == 0 {
                is_longer = true;
                break;
            }
            left -= 1;
            seconds += tick.seconds;
        }
        for (index, played) in played.iter_mut().enumerate() {
            *played |= replay.has_played(index);
        }
        found.push(Subsong { order, seconds, is_longer });
    }
    found
}
