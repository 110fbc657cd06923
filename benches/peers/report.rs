//! What was measured, for people and for programs.

use engine::Quality;
use serde::Serialize;

use super::cast::{PEERS, Who};
use super::rounds::{Rounds, Spread};
use super::scene::{Absent, Material};
use super::sound::Sound;

/// How everyone sounds who does.
pub(crate) type Sounds = [(Who, Material, Result<Sound, Absent>)];

/// Returns how one of them sounds.
pub(crate) fn sound_of(sounds: &Sounds, who: Who, material: Material) -> Option<Sound> {
    let found = sounds.iter().find(|(other, on, _)| (*other, *on) == (who, material));
    found.and_then(|(.., sound)| sound.as_ref().ok().copied())
}

/// Returns everyone's cost and sound on a material; beside each peer how our quality compares with it.
pub(crate) fn table(cast: &[Who], material: Material, all: &[Rounds], sounds: &Sounds) -> String {
    let all: Vec<&Rounds> = all.iter().filter(|rounds| rounds.material == material).collect();
    let mut head = format!("{:<20}", material.name());
    for rounds in &all {
        head += &format!(" | {:^29}", format!("{} voices: ns, ratio", rounds.voices));
    }
    let mut lines = vec![head + " | SNR dB at 1/5/10 kHz, alias"];
    let mut beside = Quality::Draft;
    for &who in cast {
        let mut line = format!("{who:<20}");
        if let Who::Ours(quality) = who {
            beside = quality;
        }
        for rounds in &all {
            let time = rounds.of(who).map(|times| Spread::of(times.iter().copied()));
            let cost = time
                .map_or(format!("{:>15}", "-"), |time| format!("{:>6.2} ({:>6.2})", time.min, time.median));
            let ratio = match who {
                Who::Ours(_) => None,
                Who::Peer(_) => rounds.ratio(Who::Ours(beside), who),
            };
            let ratio =
                ratio.map_or(String::new(), |ratio| format!("{:.2} ({:.2})", ratio.min, ratio.median));
            line += &format!(" | {cost} {ratio:>13}");
        }
        let sound = sound_of(sounds, who, material).map_or(String::new(), |sound| sound.to_string());
        lines.push(line + " | " + &sound);
    }
    lines.join("\n")
}

/// Returns who did not play, and why, each once.
pub(crate) fn absences(all: &[Rounds]) -> String {
    let mut lines = Vec::new();
    for rounds in all {
        for (who, Absent(why)) in &rounds.absent {
            let everywhere = !all.iter().any(|rounds| rounds.of(*who).is_some());
            let line = if everywhere {
                format!("missing: {who}: {why}")
            } else {
                format!("without: {who} at {} voices of {}: {why}", rounds.voices, rounds.material.name())
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines.join("\n")
}

/// One of our qualities beside one peer.
#[derive(Serialize)]
struct Row {
    quality: &'static str,
    peer: &'static str,
    voices: usize,
    material: &'static str,
    /// Nanoseconds for a frame of a voice.
    ours_ns_min: f64,
    peer_ns_min: f64,
    /// Ours by the peer's, in the same round.
    ratio_min: f64,
    ratio_median: f64,
    /// Decibels, at 1, 5 and 10 kHz.
    ours_snr: Option<[f64; 3]>,
    peer_snr: Option<[f64; 3]>,
    ours_alias_rejection: Option<f64>,
    peer_alias_rejection: Option<f64>,
    /// Whether the two do about the same work.
    same_class: bool,
}

/// Returns every quality beside every peer that played.
///
/// # Errors
/// If numbers cannot be written, which does not happen.
pub(crate) fn json(all: &[Rounds], sounds: &Sounds) -> serde_json::Result<String> {
    let mut rows = Vec::new();
    for rounds in all {
        for (quality, peer) in Quality::ALL.into_iter().flat_map(|quality| PEERS.map(|peer| (quality, peer)))
        {
            let (us, them) = (Who::Ours(quality), Who::Peer(peer));
            let (Some(ratio), Some(ours), Some(theirs)) =
                (rounds.ratio(us, them), rounds.of(us), rounds.of(them))
            else {
                continue;
            };
            let our_sound = sound_of(sounds, us, rounds.material);
            let their_sound = sound_of(sounds, them, rounds.material);
            rows.push(Row {
                quality: quality.name(),
                peer: peer.name,
                voices: rounds.voices,
                material: rounds.material.name(),
                ours_ns_min: Spread::of(ours.iter().copied()).min,
                peer_ns_min: Spread::of(theirs.iter().copied()).min,
                ratio_min: ratio.min,
                ratio_median: ratio.median,
                ours_snr: our_sound.map(|sound| sound.snr),
                peer_snr: their_sound.map(|sound| sound.snr),
                ours_alias_rejection: our_sound.map(|sound| sound.rejection),
                peer_alias_rejection: their_sound.map(|sound| sound.rejection),
                same_class: peer.beside == quality,
            });
        }
    }
    serde_json::to_string_pretty(&rows)
}
