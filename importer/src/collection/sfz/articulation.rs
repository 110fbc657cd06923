//! From the opcodes of a region to how its notes move.
//!
//! Source: sfzformat.com, *Envelope Generators*, *LFO*, *Filter*; of decays and releases `ampeg_attack`: they fall by 8
//! nepers in the time that is stated.

use song::{
    Choke, ChokeMode, EnvelopeSegment, FilterKind, FilterParams, Frames, Key, Lfo, LfoShape,
    ModulationDepths, ModulationEnvelope, ModulationLfo, NoteScaling, SamplerArticulation, SegmentCurve,
    SegmentEnvelope,
};

use super::regions::Region;
use crate::collection::bank::NotPlayed;

/// Decibels by which a decay or a release of version 1 falls in its time: 8 nepers.
const FALL: f32 = 69.486_7;

/// The longest time of a segment in seconds.
const LONGEST: f32 = 100.0;

/// Seconds of a release that is not stated.
const RELEASE: f64 = 0.001;

/// Reads what moves the notes of a region.
pub(super) struct Movements<'m> {
    pub(super) region: &'m Region,
    pub(super) not_played: &'m mut NotPlayed,
    /// Whether a note goes on to the end of its sample whatever its key does.
    pub(super) is_one_shot: bool,
}

fn line(seconds: f32, level: f32) -> EnvelopeSegment {
    EnvelopeSegment { time: NoteScaling::seconds(seconds), level, curve: SegmentCurve::Linear }
}

/// Returns a number in single precision, within the largest that any opcode has.
fn single(value: f64) -> f32 {
    #[allow(clippy::cast_possible_truncation, reason = "bounded, and rounded as single precision is")]
    let single = value.clamp(-1e9, 1e9) as f32;
    single
}

impl Movements<'_> {
    fn number(&self, name: &str) -> f32 {
        single(self.region.number(name).unwrap_or_default())
    }

    fn or(&self, name: &str, default: f64) -> f32 {
        single(self.region.number(name).unwrap_or(default))
    }

    /// Returns how its notes move; none if nothing can say it.
    pub(super) fn articulation(&mut self) -> Option<SamplerArticulation> {
        let mut amplitude = self.envelope("ampeg", RELEASE);
        let mut envelopes = Vec::new();
        for (name, is_pitch) in [("fileg", false), ("pitcheg", true)] {
            let depth = self.number(&format!("{name}_depth"));
            let by_velocity = self.number(&format!("{name}_vel2depth"));
            if depth == 0.0 && by_velocity == 0.0 {
                continue;
            }
            let depths = |cents: f32| match is_pitch {
                true => ModulationDepths { pitch: cents, ..ModulationDepths::default() },
                false => ModulationDepths { cutoff: cents, ..ModulationDepths::default() },
            };
            let (depths, by_velocity) = (depths(depth), depths(by_velocity));
            envelopes.push(ModulationEnvelope { envelope: self.envelope(name, 0.0), depths, by_velocity });
        }
        for number in self.region.numbered("eg") {
            let Some(envelope) = self.flexible(number) else { continue };
            if self.number(&format!("eg{number}_ampeg")) != 0.0 {
                amplitude = envelope.clone();
            }
            let name = format!("eg{number}");
            let depths = self.depths(&name, Region::number);
            let by_velocity = self.depths(&name, Region::by_velocity);
            if depths != ModulationDepths::default() || by_velocity != ModulationDepths::default() {
                envelopes.push(ModulationEnvelope { envelope, depths, by_velocity });
            }
        }
        let lfos = self.lfos();
        for (count, most, what) in [
            (envelopes.len(), SamplerArticulation::MAX_ENVELOPES, "envelope beyond the fourth"),
            (lfos.len(), SamplerArticulation::MAX_LFOS, "LFO beyond the fourth"),
        ] {
            if count > most {
                self.not_played.count(what);
            }
        }
        let articulation = SamplerArticulation {
            amplitude,
            envelopes: envelopes.into_iter().take(SamplerArticulation::MAX_ENVELOPES).collect(),
            lfos: lfos.into_iter().take(SamplerArticulation::MAX_LFOS).collect(),
            filter: self.filter(),
            offset: Frames::new(self.region.count("offset").unwrap_or_default()),
            choke: self.choke(),
        };
        articulation.checked().ok()
    }

    /// Returns an envelope of version 1: delay, attack, hold, decay, sustain, release.
    fn envelope(&self, name: &str, release: f64) -> SegmentEnvelope {
        let part = |part: &str| self.number(&format!("{name}_{part}"));
        let time = |stage: &str, least: f64| {
            let base = self.or(&format!("{name}_{stage}"), least).clamp(0.0, LONGEST);
            let by_velocity = part(&format!("vel2{stage}")).clamp(-LONGEST, LONGEST);
            NoteScaling { base, by_velocity, by_key: 0.0 }
        };
        let takes_time = |time: &NoteScaling| time.base > 0.0 || time.by_velocity > 0.0;
        let level = |stage: &str, default: f64| {
            self.or(&format!("{name}_{stage}"), default).clamp(0.0, 100.0) / 100.0
        };
        let curve = |stage: &str, default: SegmentCurve| match self
            .region
            .stated_number(&format!("{name}_{stage}_shape"))
            .map(single)
        {
            None => default,
            Some(shape) => shaped(shape),
        };
        let (start, sustained) = (level("start", 0.0), level("sustain", 100.0));
        let (delay, attack, hold, decay) =
            (time("delay", 0.0), time("attack", 0.0), time("hold", 0.0), time("decay", 0.0));
        let mut segments = Vec::new();
        if takes_time(&delay) {
            segments.push(EnvelopeSegment { time: delay, level: start, curve: SegmentCurve::Linear });
        }
        let starts_at_once = segments.is_empty() && !takes_time(&attack);
        if !starts_at_once {
            let curve = curve("attack", SegmentCurve::Linear);
            segments.push(EnvelopeSegment { time: attack, level: 1.0, curve });
        }
        if takes_time(&hold) {
            segments.push(EnvelopeSegment { time: hold, level: 1.0, curve: SegmentCurve::Linear });
        }
        if sustained < 1.0 {
            let curve = curve("decay", SegmentCurve::Decibels(FALL));
            segments.push(EnvelopeSegment { time: decay, level: sustained, curve });
        }
        let released = (!self.is_one_shot || name != "ampeg").then_some(segments.len());
        if released.is_some() {
            let curve = curve("release", SegmentCurve::Decibels(FALL));
            segments.push(EnvelopeSegment { time: time("release", release), level: 0.0, curve });
        }
        let start = if starts_at_once { 1.0 } else { start };
        SegmentEnvelope::new(start, segments, released).unwrap_or_else(|_| SegmentEnvelope::level())
    }

    /// Returns an envelope of version 2: points, each with its time after the one before, its level and its shape.
    fn flexible(&self, number: u32) -> Option<SegmentEnvelope> {
        let part =
            |part: &str, point: usize| self.region.number(&format!("eg{number}_{part}{point}")).map(single);
        let stated = |point: &usize| part("time", *point).is_some() || part("level", *point).is_some();
        let most = SegmentEnvelope::MAX_SEGMENTS;
        let points = (0..most).take_while(|point| *point == 0 || stated(point)).count();
        if points == 1 && !stated(&0) {
            return None;
        }
        let level = |point: usize| part("level", point).unwrap_or_default().clamp(-1.0, 1.0);
        let segment = |point: usize| {
            let seconds = part("time", point).unwrap_or_default().clamp(0.0, LONGEST);
            let curve = part("shape", point).map_or(SegmentCurve::Linear, shaped);
            EnvelopeSegment { curve, ..line(seconds, level(point)) }
        };
        // The way to the first point begins at 0, unless it takes no time.
        let first = segment(0);
        let is_at_once = first.time.base == 0.0;
        let (start, from) = if is_at_once { (first.level, 1) } else { (0.0, 0) };
        let segments: Vec<EnvelopeSegment> = (from..points).map(segment).collect();
        // Points are counted from 0; returns the segment that begins at one.
        let after = |name: &str| {
            let point = usize::try_from(self.region.count(&format!("eg{number}_{name}"))?).ok()?;
            Some(point.saturating_add(1).saturating_sub(from).min(segments.len()))
        };
        let (release, first) = (after("sustain"), after("loop"));
        let last = release.unwrap_or(segments.len()).checked_sub(1);
        let envelope = SegmentEnvelope::new(start, segments, release).ok()?;
        match (first, last) {
            (Some(first), Some(last)) => {
                Some(envelope.clone().looped(first.min(last), last).unwrap_or(envelope))
            }
            _ => Some(envelope),
        }
    }

    /// Returns what an envelope or LFO of version 2 moves.
    fn depths(&self, name: &str, number: impl Fn(&Region, &str) -> Option<f64>) -> ModulationDepths {
        let part = |part: &str| single(number(self.region, &format!("{name}_{part}")).unwrap_or_default());
        ModulationDepths {
            pitch: part("pitch"),
            cutoff: part("cutoff"),
            gain: part("volume"),
            amplitude: part("amplitude").clamp(-100.0, 100.0) / 100.0,
            pan: part("pan") / 100.0,
        }
    }

    fn lfos(&self) -> Vec<ModulationLfo> {
        let mut lfos = Vec::new();
        let lfo = |prefix: &str, shape: LfoShape| Lfo {
            shape,
            frequency: self.number(&format!("{prefix}_freq")).clamp(0.0, 1000.0),
            delay: self.number(&format!("{prefix}_delay")).clamp(0.0, LONGEST),
            fade: self.number(&format!("{prefix}_fade")).clamp(0.0, LONGEST),
            phase: self.number(&format!("{prefix}_phase")).rem_euclid(1.0).min(0.999_999),
        };
        for name in ["amplfo", "fillfo", "pitchlfo"] {
            let depth = self.number(&format!("{name}_depth"));
            let mut depths = ModulationDepths::default();
            match name {
                "amplfo" => depths.gain = depth,
                "fillfo" => depths.cutoff = depth,
                _ => depths.pitch = depth,
            }
            let lfo = lfo(name, LfoShape::Sine);
            if depth != 0.0 && lfo.frequency > 0.0 {
                lfos.push(ModulationLfo { lfo, depths });
            }
        }
        for number in self.region.numbered("lfo") {
            let shape = match self.region.count(&format!("lfo{number}_wave")) {
                Some(1) => LfoShape::Sine,
                Some(2) => LfoShape::Pulse75,
                Some(3) => LfoShape::Square,
                Some(4) => LfoShape::Pulse25,
                Some(5) => LfoShape::Pulse12,
                Some(6) => LfoShape::SawUp,
                Some(7) => LfoShape::SawDown,
                _ => LfoShape::Triangle,
            };
            let name = format!("lfo{number}");
            let depths = self.depths(&name, Region::number);
            let lfo = lfo(&name, shape);
            if depths != ModulationDepths::default() && lfo.frequency > 0.0 {
                lfos.push(ModulationLfo { lfo, depths });
            }
        }
        lfos
    }

    fn filter(&mut self) -> Option<FilterParams> {
        let region = self.region;
        let cutoff = region.stated_number("cutoff").filter(|cutoff| *cutoff > 0.0)?;
        let kind = match region.text("fil_type").map_or("lpf_2p", str::trim) {
            "lpf_1p" => FilterKind::LowPass1,
            "lpf_2p" | "lpf_2p_sv" => FilterKind::LowPass2,
            "lpf_4p" => FilterKind::LowPass4,
            "hpf_1p" => FilterKind::HighPass1,
            "hpf_2p" | "hpf_2p_sv" => FilterKind::HighPass2,
            "hpf_4p" => FilterKind::HighPass4,
            "bpf_2p" | "bpf_2p_sv" => FilterKind::BandPass2,
            "brf_2p" | "brf_2p_sv" => FilterKind::Notch2,
            other => {
                self.not_played.count(&format!("fil_type={other}"));
                return None;
            }
        };
        let moved = single(region.movement("cutoff").unwrap_or_default());
        let key_centre = region.key("fil_keycenter").and_then(|key| Key::new(u8::try_from(key).ok()?).ok());
        Some(FilterParams {
            kind,
            cutoff: (single(cutoff) * (moved / 1200.0).exp2()).clamp(1.0, 100_000.0),
            q: 10.0_f32.powf(self.number("resonance").clamp(-20.0, 60.0) / 20.0),
            by_key: self.number("fil_keytrack"),
            key_centre: key_centre.unwrap_or(Key::C4),
            by_velocity: self.number("fil_veltrack"),
        })
    }

    fn choke(&self) -> Choke {
        let group = |name: &str| self.region.stated_number(name).and_then(group_number);
        let mode = match self.region.text("off_mode").map(str::trim) {
            Some("normal") => ChokeMode::Release,
            _ => ChokeMode::Fast,
        };
        Choke {
            group: group("group").unwrap_or_default(),
            ended_by: group("off_by").unwrap_or_default(),
            mode,
        }
    }
}

/// Returns a group's number; groups below 0 are groups too.
fn group_number(number: f64) -> Option<u32> {
    let bounded = Some(number).filter(|number| number.abs() < 4e9)?;
    #[allow(clippy::cast_possible_truncation, reason = "bounded right before")]
    let whole = bounded as i64;
    u32::try_from(if whole < 0 { whole.saturating_add(1 << 32) } else { whole }).ok()
}

/// Returns the curve of a shape: 0 is a straight line.
fn shaped(shape: f32) -> SegmentCurve {
    if shape == 0.0 || !shape.is_finite() { SegmentCurve::Linear } else { SegmentCurve::Power(shape) }
}
