//! Rounds: every engine renders for a moment, one after the other, again and again, and is timed by the time its thread
//! was busy. What disturbs one disturbs all, so ratios within a round hold where times do not.
//!
//! ```text
//! round ─┬─ lap: ours, peer, peer, ours, peer, ...   a turn each
//!        ├─ lap: ours, peer, peer, ours, peer, ...
//!        └─ ...                                      one time each: the sum of its turns
//! ```

use std::time::Duration;

use benches::is_measuring;
use benches::stage::BLOCK;
use cpu_time::ThreadTime;

use super::cast::Who;
use super::scene::{Absent, Block, Engine, Material, Scene};

/// How long each engine renders in a lap at least; shorter if it is only to be shown that it works.
const TURN: Duration = Duration::from_millis(1);

/// Rounds that are measured, and laps of a round: a disturbance that is longer than a turn is shared by neighbours.
const ROUNDS: usize = 40;
const LAPS: usize = 4;

/// Engines that played the chord of some voices side by side.
pub(crate) struct Rounds {
    pub(crate) material: Material,
    pub(crate) voices: usize,
    /// Nanoseconds for a frame of a voice, in each round.
    pub(crate) times: Vec<(Who, Vec<f64>)>,
    pub(crate) absent: Vec<(Who, Absent)>,
}

/// One engine: the blocks of a turn make it long enough.
struct Lane {
    name: String,
    engine: Box<dyn Engine>,
    blocks: usize,
    times: Vec<f64>,
}

/// Something that was measured in every round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) min: f64,
    pub(crate) median: f64,
}

impl Spread {
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Self { min: values[0], median: values[values.len() / 2] }
    }
}

impl Rounds {
    /// Measures everyone who can play so many voices.
    pub(crate) fn run(cast: &[Who], material: Material, voices: usize) -> Self {
        let (mut playing, mut engines, mut absent) = (Vec::new(), Vec::new(), Vec::new());
        let chord = |voices: usize| Scene::chord(material, voices, (voices as f32).recip());
        for &who in cast {
            match who.perform(voices, chord) {
                Ok(engine) => {
                    playing.push(who);
                    engines.push((who.to_string(), engine));
                }
                Err(why) => absent.push((who, why)),
            }
        }
        let times = playing.into_iter().zip(times(engines, voices)).collect();
        Self { material, voices, times, absent }
    }

    /// Returns the times of one of them, if it played.
    pub(crate) fn of(&self, who: Who) -> Option<&[f64]> {
        self.times.iter().find(|(other, _)| *other == who).map(|(_, times)| times.as_slice())
    }

    /// Returns how one's times compare with another's, round by round.
    pub(crate) fn ratio(&self, ours: Who, peer: Who) -> Option<Spread> {
        let (ours, peer) = (self.of(ours)?, self.of(peer)?);
        Some(Spread::of(ours.iter().zip(peer).map(|(ours, peer)| ours / peer)))
    }
}

/// Measures engines that play some voices each, by their names. Returns nanoseconds for a frame of a voice, for each
/// engine in each round.
pub(crate) fn times(engines: Vec<(String, Box<dyn Engine>)>, voices: usize) -> Vec<Vec<f64>> {
    let lane = |(name, engine)| Lane { name, engine, blocks: 1, times: Vec::new() };
    let mut lanes: Vec<Lane> = engines.into_iter().map(lane).collect();
    if is_measuring() {
        lanes.iter_mut().for_each(Lane::lengthen);
    }
    let (rounds, laps) = if is_measuring() { (ROUNDS, LAPS) } else { (1, 1) };
    for _ in 0..rounds {
        let mut took = vec![Duration::ZERO; lanes.len()];
        for _ in 0..laps {
            for (lane, took) in lanes.iter_mut().zip(&mut took) {
                *took += lane.turn();
            }
        }
        for (lane, took) in lanes.iter_mut().zip(took) {
            let frames = laps * lane.blocks * BLOCK * voices;
            lane.times.push(took.as_secs_f64() * 1e9 / frames as f64);
        }
    }
    lanes.into_iter().map(|lane| lane.times).collect()
}

impl Lane {
    /// Doubles the blocks of a turn until they are enough, with as much again for faster moments.
    fn lengthen(&mut self) {
        while self.turn() < TURN * 2 {
            self.blocks *= 2;
        }
    }

    /// Renders its blocks. Gives how long that took.
    fn turn(&mut self) -> Duration {
        let mut block: Block = [0.0; 2 * BLOCK];
        let begun = ThreadTime::now();
        for _ in 0..self.blocks {
            self.engine.render(&mut block);
        }
        let took = begun.elapsed();
        assert!(block.iter().any(|&value| value != 0.0), "{} fell silent", self.name);
        took
    }
}
