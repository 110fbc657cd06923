//! What can be turned about a sound, one table for knobs, MIDI controllers and files.
//!
//! ```text
//! F4, a controller ──► Parameter ──► Voicing       value, range and steps, name, key in files
//! ```

mod scale;

use std::time::Duration;

use crate::{
    Cents, Decibels, Envelope, EnvelopeCurve, FilterKind, LfoShape, Pan, Sends, Shape, SoundDefaults,
    VoiceMode, Voicing,
};
pub use scale::Scale;

/// A parameter of a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Parameter {
    /// Gain, in decibels.
    Gain,
    /// Pan, from −1 (left) to 1 (right).
    Pan,
    /// Tuning, in cents.
    Tune,
    /// Semitones by which the key is higher that plays it at its own pitch.
    Root,
    /// From silence to full level, in seconds.
    Attack,
    /// From full level to the sustain level, in seconds.
    Decay,
    /// Level while the key is held, 0..=1.
    Sustain,
    /// From full level to silence, in seconds.
    Release,
    /// How attack, decay and release go.
    Curve,
    /// How much of the velocity the gain follows, 0..=1.
    Velocity,
    /// Whether a note plays to its end whatever its key does.
    OneShot,
    /// Which filter.
    Filter,
    /// Its cutoff, in hertz.
    Cutoff,
    /// Its resonance, in decibels.
    Resonance,
    /// How far its envelope raises the cutoff, in cents.
    FilterDepth,
    /// Attack of its envelope, in seconds.
    FilterAttack,
    /// Decay of its envelope, in seconds.
    FilterDecay,
    /// Sustain level of its envelope, 0..=1.
    FilterSustain,
    /// Release of its envelope, in seconds.
    FilterRelease,
    /// Cents of the cutoff for each key above C4.
    FilterKey,
    /// Cents added to the cutoff at velocity 127.
    FilterVelocity,
    /// Wave of the LFO.
    LfoWave,
    /// Cycles of the LFO a second.
    LfoRate,
    /// Seconds before the LFO begins.
    LfoDelay,
    /// Seconds in which it grows to its full depth.
    LfoFade,
    /// Its depth, in cents of the pitch.
    LfoPitch,
    /// Its depth, in cents of the cutoff.
    LfoCutoff,
    /// Its depth, in decibels of the gain.
    LfoGain,
    /// Poly, mono or legato.
    Mode,
    /// From one pitch to the next, in seconds.
    Glide,
    /// The choke group; 0 for none.
    Choke,
    /// Gain of what goes to the reverb, in decibels; the lowest is nothing.
    ReverbSend,
    /// Gain of what goes to the delay, in decibels; the lowest is nothing.
    DelaySend,
}

const SHORT: &[f64] = &[
    0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0,
];
const ON: &[&str] = &["off", "on"];
const CURVES: &[&str] = &["exp", "linear", "square"];
const FILTERS: &[&str] = &["off", "LP 12", "LP 24", "HP 12", "HP 24", "BP", "notch"];
const FILTER_KINDS: [Option<FilterKind>; FILTERS.len()] = [
    None,
    Some(FilterKind::LowPass2),
    Some(FilterKind::LowPass4),
    Some(FilterKind::HighPass2),
    Some(FilterKind::HighPass4),
    Some(FilterKind::BandPass2),
    Some(FilterKind::Notch2),
];
const WAVES: &[&str] = &["sine", "triangle", "square", "saw up", "saw down"];
const LFO_SHAPES: [LfoShape; WAVES.len()] =
    [LfoShape::Sine, LfoShape::Triangle, LfoShape::Square, LfoShape::SawUp, LfoShape::SawDown];
const MODES: &[&str] = &["poly", "mono", "legato"];

/// The part of 0..1 that a value of 0..=1 is shown by.
const PERCENT: Scale = Scale::Linear { min: 0.0, max: 1.0, step: 0.05 };

impl Parameter {
    /// All of them.
    pub const ALL: [Self; 33] = [
        Self::Gain,
        Self::Pan,
        Self::Tune,
        Self::Root,
        Self::Attack,
        Self::Decay,
        Self::Sustain,
        Self::Release,
        Self::Curve,
        Self::Velocity,
        Self::OneShot,
        Self::Filter,
        Self::Cutoff,
        Self::Resonance,
        Self::FilterDepth,
        Self::FilterAttack,
        Self::FilterDecay,
        Self::FilterSustain,
        Self::FilterRelease,
        Self::FilterKey,
        Self::FilterVelocity,
        Self::LfoWave,
        Self::LfoRate,
        Self::LfoDelay,
        Self::LfoFade,
        Self::LfoPitch,
        Self::LfoCutoff,
        Self::LfoGain,
        Self::Mode,
        Self::Glide,
        Self::Choke,
        Self::ReverbSend,
        Self::DelaySend,
    ];

    /// Returns what a knob of it is called, and its key in files.
    #[must_use]
    pub const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Gain => ("gain", "gain"),
            Self::Pan => ("pan", "pan"),
            Self::Tune => ("tune", "tune"),
            Self::Root => ("root", "root"),
            Self::Attack => ("attack", "attack"),
            Self::Decay => ("decay", "decay"),
            Self::Sustain => ("sustain", "sustain"),
            Self::Release => ("release", "release"),
            Self::Curve => ("curve", "curve"),
            Self::Velocity => ("vel.", "velocity"),
            Self::OneShot => ("one-shot", "one_shot"),
            Self::Filter => ("filter", "filter"),
            Self::Cutoff => ("cutoff", "cutoff"),
            Self::Resonance => ("reson.", "resonance"),
            Self::FilterDepth => ("env.", "filter_depth"),
            Self::FilterAttack => ("attack", "filter_attack"),
            Self::FilterDecay => ("decay", "filter_decay"),
            Self::FilterSustain => ("sustain", "filter_sustain"),
            Self::FilterRelease => ("release", "filter_release"),
            Self::FilterKey => ("key", "filter_key"),
            Self::FilterVelocity => ("vel.", "filter_velocity"),
            Self::LfoWave => ("wave", "lfo_wave"),
            Self::LfoRate => ("rate", "lfo_rate"),
            Self::LfoDelay => ("delay", "lfo_delay"),
            Self::LfoFade => ("fade", "lfo_fade"),
            Self::LfoPitch => ("pitch", "lfo_pitch"),
            Self::LfoCutoff => ("cutoff", "lfo_cutoff"),
            Self::LfoGain => ("gain", "lfo_gain"),
            Self::Mode => ("mode", "mode"),
            Self::Glide => ("glide", "glide"),
            Self::Choke => ("choke", "choke"),
            Self::ReverbSend => ("reverb", "reverb_send"),
            Self::DelaySend => ("delay", "delay_send"),
        }
    }

    /// Returns the parameter of a key in files.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|parameter| parameter.names().1 == key)
    }

    /// Returns whether files have it by its key, beside the fields that all sounds have.
    #[must_use]
    pub const fn is_stored_by_key(self) -> bool {
        !matches!(self, Self::Gain | Self::Pan | Self::Tune | Self::Root | Self::Attack | Self::Release)
    }

    /// Returns the number of the MIDI controller that always sets it: the standard one where there is one, else one
    /// that the standard leaves undefined. Its value 0..=127 is the whole range.
    ///
    /// Source: *MIDI 1.0 Detailed Specification*, table III, and the sound controllers of General MIDI 2.
    #[must_use]
    pub const fn controller(self) -> u8 {
        match self {
            Self::Glide => 5,
            Self::Release => 72,
            Self::Attack => 73,
            Self::Decay => 75,
            Self::LfoRate => 76,
            Self::LfoPitch => 77,
            Self::LfoDelay => 78,
            Self::Filter => 20,
            Self::Cutoff => 21,
            Self::Resonance => 22,
            Self::FilterKey => 23,
            Self::FilterVelocity => 24,
            Self::FilterDepth => 25,
            Self::FilterAttack => 26,
            Self::FilterDecay => 27,
            Self::FilterSustain => 28,
            Self::FilterRelease => 29,
            Self::Sustain => 30,
            Self::Curve => 31,
            Self::Velocity => 85,
            Self::OneShot => 86,
            Self::Mode => 87,
            Self::Choke => 89,
            Self::ReverbSend => 91,
            Self::DelaySend => 94,
            Self::LfoWave => 102,
            Self::LfoFade => 103,
            Self::LfoCutoff => 104,
            Self::LfoGain => 105,
            Self::Gain => 106,
            Self::Pan => 107,
            Self::Tune => 108,
            Self::Root => 109,
        }
    }

    /// Returns its values.
    #[must_use]
    pub const fn scale(self) -> Scale {
        match self {
            Self::Gain => Scale::Linear { min: -60.0, max: 24.0, step: 0.5 },
            Self::Pan => Scale::Linear { min: -1.0, max: 1.0, step: 0.05 },
            Self::Tune => Scale::Linear { min: -2400.0, max: 2400.0, step: 10.0 },
            Self::Root => Scale::Linear { min: -48.0, max: 48.0, step: 1.0 },
            Self::Attack
            | Self::Decay
            | Self::Release
            | Self::FilterAttack
            | Self::FilterDecay
            | Self::FilterRelease
            | Self::LfoDelay
            | Self::LfoFade
            | Self::Glide => Scale::Times(SHORT),
            Self::Sustain | Self::FilterSustain | Self::Velocity => PERCENT,
            Self::Curve => Scale::Choice(CURVES),
            Self::OneShot => Scale::Choice(ON),
            Self::Filter => Scale::Choice(FILTERS),
            Self::Cutoff => Scale::Logarithmic { min: 20.0, max: 20_000.0, steps: 12.0 },
            Self::Resonance => Scale::Linear { min: 0.0, max: 36.0, step: 1.0 },
            Self::FilterDepth | Self::FilterVelocity => {
                Scale::Linear { min: -9600.0, max: 9600.0, step: 100.0 }
            }
            Self::FilterKey => Scale::Linear { min: -200.0, max: 200.0, step: 10.0 },
            Self::LfoWave => Scale::Choice(WAVES),
            Self::LfoRate => Scale::Logarithmic { min: 0.039_062_5, max: 40.0, steps: 6.0 },
            Self::LfoPitch => Scale::Linear { min: -1200.0, max: 1200.0, step: 5.0 },
            Self::LfoCutoff => Scale::Linear { min: -4800.0, max: 4800.0, step: 50.0 },
            Self::LfoGain => Scale::Linear { min: -24.0, max: 24.0, step: 0.5 },
            Self::Mode => Scale::Choice(MODES),
            Self::ReverbSend | Self::DelaySend => {
                Scale::Linear { min: Sends::OFF as f64, max: 6.0, step: 1.0 }
            }
            Self::Choke => Scale::Linear { min: 0.0, max: Shape::MAX_CHOKE as f64, step: 1.0 },
        }
    }

    /// Returns its value in a voicing of a sound.
    #[must_use]
    pub fn get(self, voicing: &Voicing, own: &SoundDefaults) -> f64 {
        let (shape, filter, lfo) = (&voicing.shape, &voicing.shape.filter, &voicing.shape.lfo);
        let envelope = voicing.envelope.unwrap_or(own.envelope);
        let index = |found: Option<usize>| found.unwrap_or_default() as f64;
        match self {
            Self::Gain => voicing.gain.get().into(),
            Self::Pan => voicing.pan.get().into(),
            Self::Tune => voicing.tune.get(),
            Self::Root => voicing.root_shift.into(),
            Self::Attack => envelope.attack.as_secs_f64(),
            Self::Decay => shape.decay.as_secs_f64(),
            Self::Sustain => shape.sustain.into(),
            Self::Release => envelope.release.as_secs_f64(),
            Self::Curve => index(EnvelopeCurve::ALL.iter().position(|(_, curve)| *curve == shape.curve)),
            Self::Velocity => shape.velocity.into(),
            Self::OneShot => f64::from(u8::from(shape.is_one_shot)),
            Self::Filter => index(FILTER_KINDS.iter().position(|kind| *kind == filter.kind)),
            Self::Cutoff => filter.cutoff.into(),
            Self::Resonance => filter.resonance.get().into(),
            Self::FilterDepth => filter.depth.into(),
            Self::FilterAttack => filter.envelope.attack.as_secs_f64(),
            Self::FilterDecay => filter.envelope.decay.as_secs_f64(),
            Self::FilterSustain => filter.envelope.sustain.into(),
            Self::FilterRelease => filter.envelope.release.as_secs_f64(),
            Self::FilterKey => filter.by_key.into(),
            Self::FilterVelocity => filter.by_velocity.into(),
            Self::LfoWave => index(LFO_SHAPES.iter().position(|wave| *wave == lfo.lfo.shape)),
            Self::LfoRate => lfo.lfo.frequency.into(),
            Self::LfoDelay => lfo.lfo.delay.into(),
            Self::LfoFade => lfo.lfo.fade.into(),
            Self::LfoPitch => lfo.depths.pitch.into(),
            Self::LfoCutoff => lfo.depths.cutoff.into(),
            Self::LfoGain => lfo.depths.gain.into(),
            Self::Mode => {
                let chosen = shape.voice_mode.unwrap_or(own.voice_mode);
                index(VoiceMode::ALL.iter().position(|(_, mode)| *mode == chosen))
            }
            Self::Glide => shape.glide.unwrap_or(own.glide).as_secs_f64(),
            Self::Choke => shape.choke.into(),
            Self::ReverbSend => send(voicing.reverb.or(own.sends.reverb)),
            Self::DelaySend => send(voicing.delay.or(own.sends.delay)),
        }
    }

    /// Sets its value in a voicing of a sound, to the nearest that there is; what is no number changes nothing. A
    /// filter that is off is switched on with its cutoff.
    pub fn set(self, voicing: &mut Voicing, own: &SoundDefaults, value: f64) {
        let Some(value) = self.scale().within(value) else { return };
        let single = value as f32;
        let time = || Duration::from_secs_f64((value * 1e6).round() / 1e6);
        let (shape, envelope) = (&mut voicing.shape, voicing.envelope.unwrap_or(own.envelope));
        let (filter, lfo) = (&mut shape.filter, &mut shape.lfo);
        match self {
            Self::Gain => voicing.gain = Decibels::new(single).unwrap_or_default(),
            Self::Pan => voicing.pan = Pan::new(single).unwrap_or_default(),
            Self::Tune => voicing.tune = Cents::new(value).unwrap_or_default(),
            Self::Root => {
                // Up to the last key there is.
                let wanted = Voicing { root_shift: value.round() as i8, ..Voicing::default() }.root(own.root);
                voicing.root_shift = (i16::from(wanted.get()) - i16::from(own.root.get())) as i8;
            }
            Self::Attack => voicing.envelope = Some(Envelope { attack: time(), ..envelope }),
            Self::Release => voicing.envelope = Some(Envelope { release: time(), ..envelope }),
            Self::Decay => shape.decay = time(),
            Self::Sustain => shape.sustain = single,
            Self::Curve => shape.curve = chosen(&EnvelopeCurve::ALL, value).1,
            Self::Velocity => shape.velocity = single,
            Self::OneShot => shape.is_one_shot = value >= 0.5,
            Self::Filter => filter.kind = chosen(&FILTER_KINDS, value),
            Self::Cutoff => {
                filter.cutoff = single;
                filter.kind.get_or_insert(FilterKind::LowPass2);
            }
            Self::Resonance => filter.resonance = Decibels::new(single).unwrap_or_default(),
            Self::FilterDepth => filter.depth = single,
            Self::FilterAttack => filter.envelope.attack = time(),
            Self::FilterDecay => filter.envelope.decay = time(),
            Self::FilterSustain => filter.envelope.sustain = single,
            Self::FilterRelease => filter.envelope.release = time(),
            Self::FilterKey => filter.by_key = single,
            Self::FilterVelocity => filter.by_velocity = single,
            Self::LfoWave => lfo.lfo.shape = chosen(&LFO_SHAPES, value),
            Self::LfoRate => lfo.lfo.frequency = single,
            Self::LfoDelay => lfo.lfo.delay = single,
            Self::LfoFade => lfo.lfo.fade = single,
            Self::LfoPitch => lfo.depths.pitch = single,
            Self::LfoCutoff => lfo.depths.cutoff = single,
            Self::LfoGain => lfo.depths.gain = single,
            Self::Mode => {
                let mode = chosen(&VoiceMode::ALL, value).1;
                shape.voice_mode = (mode != own.voice_mode).then_some(mode);
            }
            Self::Glide => shape.glide = Some(time()).filter(|glide| *glide != own.glide),
            Self::Choke => shape.choke = value.round() as u8,
            Self::ReverbSend => voicing.reverb = sent(single, own.sends.reverb),
            Self::DelaySend => voicing.delay = sent(single, own.sends.delay),
        }
    }

    /// Returns its value if nothing is changed.
    #[must_use]
    pub fn default_value(self, own: &SoundDefaults) -> f64 {
        self.get(&Voicing::default(), own)
    }

    /// Returns a value as a user reads it.
    #[must_use]
    pub fn text(self, value: f64, own: &SoundDefaults) -> String {
        match self {
            Self::Gain | Self::LfoGain => format!("{} dB", signed(value, 1)),
            Self::Resonance => format!("{value:.0} dB"),
            Self::ReverbSend | Self::DelaySend if value <= f64::from(Sends::OFF) => "off".to_owned(),
            Self::ReverbSend | Self::DelaySend => format!("{} dB", signed(value, 0)),
            Self::Pan => pan(value),
            Self::Tune | Self::LfoPitch | Self::FilterDepth | Self::FilterVelocity | Self::LfoCutoff => {
                format!("{} ct", signed(value, 0))
            }
            Self::FilterKey => format!("{} ct", signed(value, 0)),
            Self::Root => {
                let shift = Voicing { root_shift: value.round() as i8, ..Voicing::default() };
                shift.root(own.root).to_string()
            }
            Self::Sustain | Self::FilterSustain | Self::Velocity => format!("{:.0} %", 100.0 * value),
            Self::Cutoff if value >= 10_000.0 => format!("{:.0} kHz", value / 1000.0),
            Self::Cutoff if value >= 1000.0 => format!("{:.1} kHz", value / 1000.0),
            Self::Cutoff => format!("{value:.0} Hz"),
            Self::LfoRate if value >= 10.0 => format!("{value:.0} Hz"),
            Self::LfoRate => format!("{value:.2} Hz"),
            Self::Choke if value < 0.5 => "off".to_owned(),
            Self::Choke => format!("{value:.0}"),
            _ => match self.scale() {
                Scale::Choice(names) => (*chosen_ref(names, value)).to_owned(),
                _ => time(value),
            },
        }
    }

    /// Returns the value of a text in a file: a number, or the name of a choice.
    #[must_use]
    pub fn named_value(self, name: &str) -> Option<f64> {
        match self.scale() {
            Scale::Choice(names) => names.iter().position(|own| *own == name).map(|index| index as f64),
            _ => None,
        }
    }
}

/// Returns the value of a send.
fn send(send: Option<Decibels>) -> f64 {
    send.map_or(Sends::OFF, Decibels::get).max(Sends::OFF).into()
}

/// Returns the send of a value; none if that is what the sound says itself.
fn sent(value: f32, own: Option<Decibels>) -> Option<Decibels> {
    Decibels::new(value).ok().filter(|_| f64::from(value) != send(own))
}

/// Returns the choice of an index, the last one for those beyond.
fn chosen<T: Copy>(all: &[T], index: f64) -> T {
    *chosen_ref(all, index)
}

fn chosen_ref<T>(all: &[T], index: f64) -> &T {
    // The cast saturates.
    &all[(index.round() as usize).min(all.len() - 1)]
}

fn signed(value: f64, digits: usize) -> String {
    if value == 0.0 { format!("{:.digits$}", 0.0) } else { format!("{value:+.digits$}") }
}

fn pan(pan: f64) -> String {
    let part = (100.0 * pan.abs()).round();
    match pan {
        0.0 => "centre".to_owned(),
        ..0.0 => format!("L {part} %"),
        _ => format!("R {part} %"),
    }
}

fn time(seconds: f64) -> String {
    if seconds < 0.9995 {
        format!("{:.0} ms", 1000.0 * seconds)
    } else {
        format!("{} s", (100.0 * seconds).round() / 100.0)
    }
}

#[cfg(test)]
mod tests;
