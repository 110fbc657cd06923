//! Shaped voices beside plain ones and beside those of `FluidSynth`, which plays the same song as a `SoundFont`.

use std::time::Duration;

use engine::Quality;
use song::{Adsr, Decibels, FilterKind, FilterShape, Lfo, LfoShape, ModulationDepths, ModulationLfo, Shape};

use super::bars::VOICES;
use super::cast::{PEERS, Who};
use super::rounds::{Spread, times};
use super::scene::{Material, Scene};

/// What a filtered voice may cost at most in the default quality, as a share of a plain one.
const MOST: f64 = 1.6;

/// Our qualities, and the peer beside each.
const QUALITIES: [(Quality, &str); 3] =
    [(Quality::Normal, "fluidsynth-4"), (Quality::Good, "fluidsynth-7"), (Quality::High, "fluidsynth-7")];

/// A shape and what it is called.
struct Row {
    name: &'static str,
    shape: Shape,
    /// Whether a `SoundFont` can say it.
    is_shared: bool,
    is_filtered: bool,
}

/// Returns all shapes, the plain one first.
fn rows() -> [Row; 8] {
    let row = |name, shape: Shape| {
        let kind = shape.filter.kind;
        Row { name, shape, is_shared: kind != Some(FilterKind::LowPass4), is_filtered: kind.is_some() }
    };
    let plain = Shape::default();
    // Both fall for longer than is measured, 1 dB and 420 cents a second.
    let decay = Duration::from_secs(20);
    let enveloped = Shape { decay, sustain: 0.1, ..plain };
    let still = FilterShape {
        kind: Some(FilterKind::LowPass2),
        cutoff: 2000.0,
        resonance: Decibels::new(6.0).expect("finite"),
        ..FilterShape::default()
    };
    let four = FilterShape { kind: Some(FilterKind::LowPass4), ..still };
    let falling = FilterShape {
        cutoff: 100.0,
        depth: 8400.0,
        envelope: Adsr { decay, sustain: 0.0, ..Adsr::default() },
        ..still
    };
    let lfo = ModulationLfo {
        lfo: Lfo { shape: LfoShape::Triangle, frequency: 5.0, delay: 0.0, fade: 0.0, phase: 0.0 },
        depths: ModulationDepths { cutoff: 1200.0, ..ModulationDepths::default() },
    };
    [
        row("plain", plain),
        row("enveloped", enveloped),
        row("LP12", Shape { filter: still, ..plain }),
        row("LP12, enveloped", Shape { filter: still, ..enveloped }),
        row("LP24, enveloped", Shape { filter: four, ..enveloped }),
        row("LP12, cutoff by envelope", Shape { filter: falling, ..enveloped }),
        row("LP12, cutoff by LFO", Shape { filter: still, lfo, ..enveloped }),
        row("LP24, cutoff by LFO", Shape { filter: four, lfo, ..enveloped }),
    ]
}

/// Measures all of them, and prints a table.
pub(crate) fn run() {
    let rows = rows();
    let (mut found, mut engines, mut absent) = (Vec::new(), Vec::new(), Vec::new());
    let peers = PEERS.into_iter().filter(|peer| peer.name.starts_with("fluidsynth"));
    let cast = QUALITIES.map(|(quality, _)| Who::Ours(quality)).into_iter().chain(peers.map(Who::Peer));
    let cast: Vec<Who> = cast.collect();
    for (index, row) in rows.iter().enumerate() {
        for &who in cast.iter().filter(|who| row.is_shared || matches!(who, Who::Ours(_))) {
            let chord = |voices: usize| {
                Scene::chord(Material::Sixteen, voices, (voices as f32).recip()).shaped(&row.shape)
            };
            match who.perform(VOICES, chord) {
                Ok(engine) => {
                    found.push((index, who));
                    engines.push((format!("{who}, {}", row.name), engine));
                }
                Err(why) => absent.push(format!("{who}, {}: {}", row.name, why.0)),
            }
        }
    }
    let times = times(engines, VOICES);
    let of = |index: usize, who: Who| {
        let found = found.iter().position(|one| *one == (index, who));
        found.and_then(|lane| times.get(lane))
    };
    println!("ns for a frame of one of {VOICES} voices; least (median) of all rounds, ratios within a round");
    for (quality, name) in QUALITIES {
        println!(
            "\n{:<25} {:>14} {:>14} {:>14} {:>14}  at most",
            quality.to_string(),
            "ours",
            "to plain",
            name,
            "ours to it"
        );
        let peer = PEERS.into_iter().find(|peer| peer.name == name).map(Who::Peer);
        for (index, row) in rows.iter().enumerate() {
            let ours = of(index, Who::Ours(quality));
            let theirs = peer.and_then(|peer| of(index, peer));
            let to_plain = ratio(ours, of(0, Who::Ours(quality)));
            let bar = if !row.is_filtered || quality != Quality::default() {
                String::new()
            } else {
                let is_met = to_plain.is_some_and(|ratio| ratio.median <= MOST);
                format!("{MOST:.1} {}", if is_met { "met" } else { "NOT MET" })
            };
            println!(
                "{:<25} {:>14} {:>14} {:>14} {:>14}  {bar}",
                row.name,
                spread(ours.map(|times| Spread::of(times.iter().copied()))),
                spread(to_plain),
                spread(theirs.map(|times| Spread::of(times.iter().copied()))),
                spread(ratio(ours, theirs)),
            );
        }
    }
    absent.iter().for_each(|why| println!("{why}"));
}

/// Returns how times compare with others, round by round.
fn ratio(one: Option<&Vec<f64>>, other: Option<&Vec<f64>>) -> Option<Spread> {
    Some(Spread::of(one?.iter().zip(other?).map(|(one, other)| one / other)))
}

fn spread(of: Option<Spread>) -> String {
    of.map_or("-".to_owned(), |Spread { min, median }| format!("{min:.2} ({median:.2})"))
}
