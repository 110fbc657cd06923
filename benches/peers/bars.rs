//! What our engine may cost at most, as a share of what a peer costs, at 256 voices: the bars that were set for it.

use engine::Quality;

use super::cast::{PEERS, Who};
use super::rounds::{Rounds, Spread};
use super::scene::Material;

/// Voices of the chord that counts.
pub(crate) const VOICES: usize = 256;

struct Bar {
    quality: Quality,
    peer: &'static str,
    material: Material,
    most: f64,
    /// Where one would like to be.
    stretch: Option<f64>,
}

const fn bar(quality: Quality, peer: &'static str, most: f64, stretch: Option<f64>) -> Bar {
    Bar { quality, peer, material: Material::Sixteen, most, stretch }
}

const BARS: [Bar; 13] = [
    bar(Quality::Draft, "openal-linear", 0.45, Some(0.33)),
    bar(Quality::Draft, "libopenmpt-2", 0.40, None),
    bar(Quality::Normal, "libopenmpt-4", 0.50, Some(0.38)),
    bar(Quality::Normal, "openal-cubic", 0.40, None),
    bar(Quality::Normal, "oxisynth-4", 0.20, None),
    bar(Quality::Normal, "fluidsynth-4", 0.16, None),
    bar(Quality::Normal, "kira-cubic", 0.07, None),
    bar(Quality::Good, "libopenmpt-8", 0.60, Some(0.45)),
    bar(Quality::Good, "openal-bsinc12-fast", 0.50, None),
    bar(Quality::High, "openal-bsinc24-fast", 0.45, Some(0.30)),
    Bar { material: Material::Float, ..bar(Quality::High, "openal-bsinc24-fast", 0.60, Some(0.45)) },
    bar(Quality::Max, "rubato-sinc32", 0.20, Some(0.15)),
    bar(Quality::Max, "openal-bsinc24", 0.65, None),
];

/// Returns each bar, and whether it is met by the least ratio of all rounds. One whose peer is missing is not. Beside
/// it stand the median, and what the fastest rounds of both give, whichever these were.
pub(crate) fn table(all: &[Rounds]) -> String {
    let mut lines = vec![format!(
        "{:<8} {:<20} {:>4} {:>7} {:>8} {:>8} {:>8} {:>8}  verdict",
        "quality", "peer", "", "at most", "stretch", "least", "median", "fastest"
    )];
    for Bar { quality, peer, material, most, stretch } in &BARS {
        let rounds = all.iter().find(|rounds| rounds.voices == VOICES && rounds.material == *material);
        let known = PEERS.into_iter().find(|known| known.name == *peer);
        let pair = rounds.zip(known).map(|(rounds, peer)| (rounds, Who::Ours(*quality), Who::Peer(peer)));
        let ratio = pair.and_then(|(rounds, ours, peer)| rounds.ratio(ours, peer));
        let fastest = pair.and_then(|(rounds, ours, peer)| {
            let least = |who| Some(Spread::of(rounds.of(who)?.iter().copied()).min);
            Some(least(ours)? / least(peer)?)
        });
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        let verdict = match ratio {
            None => "NOT MET: the peer is missing",
            Some(ratio) if stretch.is_some_and(|stretch| ratio.min <= stretch) => "met, stretch too",
            Some(ratio) if ratio.min <= *most => "met",
            Some(_) => "NOT MET",
        };
        lines.push(format!(
            "{quality:<8} {peer:<20} {:>4} {most:>7.2} {:>8} {:>8} {:>8} {:>8}  {verdict}",
            material.name(),
            number(*stretch),
            number(ratio.map(|ratio| ratio.min)),
            number(ratio.map(|ratio| ratio.median)),
            number(fastest),
        ));
    }
    lines.join("\n")
}
