//! How the notes of a region move: opcodes for an articulation.

use std::fmt::Write as _;

use song::{
    Choke, ChokeMode, EnvelopeSegment, FilterKind, Lfo, LfoShape, ModulationDepths, ModulationEnvelope,
    ModulationLfo, SamplerArticulation, SegmentCurve, SegmentEnvelope,
};

use crate::articulation::adsr::{self, Adsr};
use crate::{Loss, Losses};

/// Decibels that decay and release fall by in the time that is stated: 8 nepers.
///
/// Source: sfzformat.com, `ampeg_decay`.
const DECAY: f32 = 69.486_7;

/// The number before the first choke group that all instruments share: far beyond what banks use.
const SHARED_GROUPS: u32 = 1_000_000;

/// Writes the opcodes of an articulation, but for the loop mode.
pub(super) fn write(text: &mut String, articulation: &SamplerArticulation, losses: &mut Losses) {
    let SamplerArticulation { amplitude, envelopes, lfos, filter, offset, choke } = articulation;
    if offset.get() > 0 {
        let _ = writeln!(text, "offset={}", offset.get());
    }
    if choke.group != 0 || choke.ended_by != 0 {
        let mode = match choke.mode {
            ChokeMode::Fast => "fast",
            ChokeMode::Release => "normal",
        };
        let [group, ended_by] = [choke.group, choke.ended_by].map(group);
        let _ = writeln!(text, "group={group} off_by={ended_by} off_mode={mode}");
    }
    if let Some(filter) = filter {
        let _ = writeln!(
            text,
            "fil_type={} cutoff={} resonance={}",
            filter_type(filter.kind),
            Number(filter.cutoff),
            Number(20.0 * filter.q.log10())
        );
        if filter.by_key != 0.0 {
            let _ = writeln!(
                text,
                "fil_keytrack={} fil_keycenter={}",
                Number(filter.by_key),
                filter.key_centre.get()
            );
        }
        if filter.by_velocity != 0.0 {
            let _ = writeln!(text, "fil_veltrack={}", Number(filter.by_velocity));
        }
    }
    let mut number = 0;
    if !write_adsr(text, amplitude) {
        number += 1;
        let _ = writeln!(text, "eg{number:02}_ampeg=100");
        write_points(text, number, amplitude);
    }
    for ModulationEnvelope { envelope, depths, by_velocity } in envelopes {
        number += 1;
        write_depths(text, &format!("eg{number:02}"), depths, "");
        write_depths(text, &format!("eg{number:02}"), by_velocity, "_oncc131");
        write_points(text, number, envelope);
    }
    for (number, ModulationLfo { lfo, depths }) in (1..).zip(lfos) {
        let Lfo { shape, frequency, delay, fade, phase } = *lfo;
        let name = format!("lfo{number:02}");
        let _ = writeln!(text, "{name}_wave={} {name}_freq={}", wave(shape), Number(frequency));
        for (opcode, value) in [("delay", delay), ("fade", fade), ("phase", phase)] {
            if value != 0.0 {
                let _ = writeln!(text, "{name}_{opcode}={}", Number(value));
            }
        }
        write_depths(text, &name, depths, "");
    }
    let times =
        envelopes.iter().map(|one| &one.envelope).chain([amplitude]).flat_map(SegmentEnvelope::segments);
    if times.into_iter().any(|segment| segment.time.by_key != 0.0) {
        losses.add(Loss::Velocity);
    }
}

/// Returns the number of a choke group in the file: those that all instruments share come after those of one.
fn group(group: u32) -> u32 {
    Choke::shared_number(group).map_or(group, |number| SHARED_GROUPS + number)
}

/// Writes the envelope of an amplitude as `ampeg`, if it can be one.
fn write_adsr(text: &mut String, envelope: &SegmentEnvelope) -> bool {
    if envelope.release().is_none() {
        // What does not know of keys has a loop mode.
        return envelope.segments().is_empty();
    }
    let Some(Adsr { start, delay, attack, hold, decay, release }) = Adsr::of(envelope) else { return false };
    let stages = [("delay", delay), ("attack", attack), ("hold", hold), ("decay", decay)];
    for (opcode, stage) in stages.into_iter().chain([("release", Some(release))]) {
        let Some(EnvelopeSegment { time, curve, .. }) = stage else { continue };
        let factor = adsr::factor(curve, DECAY);
        if time.base != 0.0 || opcode == "attack" || opcode == "release" {
            let _ = writeln!(text, "ampeg_{opcode}={}", Number(time.base * factor));
        }
        if time.by_velocity != 0.0 {
            let _ = writeln!(text, "ampeg_vel2{opcode}={}", Number(time.by_velocity * factor));
        }
    }
    if start != 0.0 && attack.is_some_and(|attack| attack.time.base > 0.0) {
        let _ = writeln!(text, "ampeg_start={}", Number(100.0 * start));
    }
    if let Some(decay) = decay {
        let _ = writeln!(text, "ampeg_sustain={}", Number(100.0 * decay.level));
    }
    true
}

/// Writes the points of a flexible envelope. Point 0 is where it begins.
fn write_points(text: &mut String, number: usize, envelope: &SegmentEnvelope) {
    let _ = writeln!(text, "eg{number:02}_time0=0 eg{number:02}_level0={}", Number(envelope.start()));
    for (point, EnvelopeSegment { time, level, curve }) in (1..).zip(envelope.segments()) {
        let (time, level) = (Number(time.base), Number(*level));
        let _ = write!(text, "eg{number:02}_time{point}={time} eg{number:02}_level{point}={level}");
        if let SegmentCurve::Power(power) = curve {
            let _ = write!(text, " eg{number:02}_shape{point}={}", Number(*power));
        }
        text.push('\n');
    }
    match (envelope.release(), envelope.held_loop()) {
        (Some(release), Some((first, last))) if last + 1 == release => {
            let _ = writeln!(text, "eg{number:02}_sustain={release} eg{number:02}_loop={first}");
        }
        (Some(release), _) => {
            let _ = writeln!(text, "eg{number:02}_sustain={release}");
        }
        (None, Some((first, _))) => {
            let _ = writeln!(text, "eg{number:02}_loop={first}");
        }
        (None, None) => {}
    }
}

fn write_depths(text: &mut String, name: &str, depths: &ModulationDepths, source: &str) {
    let ModulationDepths { pitch, cutoff, gain, amplitude, pan } = *depths;
    let all = [
        ("pitch", pitch),
        ("cutoff", cutoff),
        ("volume", gain),
        ("amplitude", 100.0 * amplitude),
        ("pan", 100.0 * pan),
    ];
    for (target, depth) in all {
        if depth != 0.0 {
            let _ = writeln!(text, "{name}_{target}{source}={}", Number(depth));
        }
    }
}

const fn filter_type(kind: FilterKind) -> &'static str {
    match kind {
        FilterKind::LowPass1 => "lpf_1p",
        FilterKind::LowPass2 => "lpf_2p",
        FilterKind::LowPass4 => "lpf_4p",
        FilterKind::HighPass1 => "hpf_1p",
        FilterKind::HighPass2 => "hpf_2p",
        FilterKind::HighPass4 => "hpf_4p",
        FilterKind::BandPass2 => "bpf_2p",
        FilterKind::Notch2 => "brf_2p",
    }
}

const fn wave(shape: LfoShape) -> u8 {
    match shape {
        LfoShape::Triangle => 0,
        LfoShape::Sine => 1,
        LfoShape::Pulse75 => 2,
        LfoShape::Square => 3,
        LfoShape::Pulse25 => 4,
        LfoShape::Pulse12 => 5,
        LfoShape::SawUp => 6,
        LfoShape::SawDown => 7,
    }
}

/// A number with as many decimals as matter, and none that are zero.
pub(super) struct Number(pub(super) f32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without a sign before zero.
        let rounded = (f64::from(self.0) * 1e6).round() / 1e6 + 0.0;
        write!(f, "{rounded}")
    }
}

#[cfg(test)]
mod tests {
    use song::NoteScaling;

    use super::*;

    fn segment(base: f32, level: f32, curve: SegmentCurve) -> EnvelopeSegment {
        EnvelopeSegment { time: NoteScaling::seconds(base), level, curve }
    }

    fn written(articulation: &SamplerArticulation) -> String {
        let mut text = String::new();
        write(&mut text, articulation, &mut Losses::default());
        text
    }

    #[test]
    fn decibels_and_straight_attacks_are_an_ampeg() {
        let segments = vec![
            segment(0.5, 0.0, SegmentCurve::Linear),
            segment(0.01, 1.0, SegmentCurve::Linear),
            segment(10.0, 0.1, SegmentCurve::Decibels(100.0)),
            segment(1.0, 0.0, SegmentCurve::Decibels(100.0)),
        ];
        let envelope = SegmentEnvelope::new(0.0, segments, Some(3)).unwrap();
        assert_eq!(
            written(&SamplerArticulation::plain(envelope)),
            "ampeg_delay=0.5\nampeg_attack=0.01\nampeg_decay=6.94867\nampeg_release=0.694867\nampeg_sustain=10\n"
        );
    }

    #[test]
    fn a_choke_group_that_all_instruments_share_is_none_of_a_bank() {
        let group = Choke::shared(3);
        let choke = Choke { group, ended_by: group, mode: ChokeMode::Fast };
        let own = Choke { group: 3, ended_by: 3, mode: ChokeMode::Fast };
        let of = |choke| {
            written(&SamplerArticulation { choke, ..SamplerArticulation::plain(SegmentEnvelope::level()) })
        };
        assert_eq!(of(choke), "group=1000003 off_by=1000003 off_mode=fast\n");
        assert_eq!(of(own), "group=3 off_by=3 off_mode=fast\n");
    }

    #[test]
    fn other_envelopes_have_points_a_sustain_and_a_loop() {
        let segments = vec![
            segment(0.5, 0.5, SegmentCurve::Linear),
            segment(0.25, 1.0, SegmentCurve::Linear),
            segment(0.125, 0.0, SegmentCurve::Linear),
        ];
        let envelope = SegmentEnvelope::new(1.0, segments, Some(2)).unwrap().looped(1, 1).unwrap();
        assert_eq!(
            written(&SamplerArticulation::plain(envelope)),
            "eg01_ampeg=100\neg01_time0=0 eg01_level0=1\neg01_time1=0.5 eg01_level1=0.5\n\
             eg01_time2=0.25 eg01_level2=1\neg01_time3=0.125 eg01_level3=0\neg01_sustain=2 eg01_loop=1\n"
        );
    }
}
