//! What can be turned about a room, one table for knobs and the file.

use std::time::Duration;

use engine::{DelayParams, ReverbParams};
use song::{Decibels, Scale};

use super::{NoteLength, Room};

/// A parameter of a [`Room`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoomParameter {
    /// Time in which the reverb falls by 60 dB, in seconds.
    Decay,
    /// Frequency above which the reverb decays faster, in hertz.
    Damping,
    /// From one echo to the next, by its index among the names of [`NoteLength`].
    Time,
    /// Beats per minute.
    Tempo,
    /// Gain from one echo to the next, 0..=1.
    Feedback,
    /// Cutoff of the echoes' low-pass, in hertz.
    Tone,
    /// Whether echoes alternate between left and right.
    PingPong,
    /// The gain of all, in decibels.
    Master,
}

const TIMES: &[&str] = &NoteLength::NAMES;
const ON: &[&str] = &["off", "on"];

impl RoomParameter {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Decay,
        Self::Damping,
        Self::Time,
        Self::Tempo,
        Self::Feedback,
        Self::Tone,
        Self::PingPong,
        Self::Master,
    ];

    /// Returns what a knob of it is called, and its key in the file.
    #[must_use]
    pub const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Decay => ("decay", "decay"),
            Self::Damping => ("damping", "damping"),
            Self::Time => ("time", "time"),
            Self::Tempo => ("tempo", "tempo"),
            Self::Feedback => ("feedback", "feedback"),
            Self::Tone => ("tone", "tone"),
            Self::PingPong => ("ping-p.", "ping_pong"),
            Self::Master => ("master", "master"),
        }
    }

    /// Returns the parameter of a key in the file.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|parameter| parameter.names().1 == key)
    }

    /// Returns its values.
    #[must_use]
    pub const fn scale(self) -> Scale {
        match self {
            Self::Decay => Scale::Logarithmic {
                min: ReverbParams::MIN_DECAY.as_millis() as f64 / 1e3,
                max: ReverbParams::MAX_DECAY.as_millis() as f64 / 1e3,
                steps: 6.0,
            },
            Self::Damping => Scale::Logarithmic {
                min: ReverbParams::MIN_DAMPING as f64,
                max: ReverbParams::MAX_DAMPING as f64,
                steps: 6.0,
            },
            Self::Time => Scale::Choice(TIMES),
            Self::Tempo => Scale::Linear { min: 20.0, max: 300.0, step: 1.0 },
            Self::Feedback => Scale::Linear { min: 0.0, max: DelayParams::MAX_FEEDBACK as f64, step: 0.05 },
            Self::Tone => Scale::Logarithmic {
                min: DelayParams::MIN_TONE as f64,
                max: DelayParams::MAX_TONE as f64,
                steps: 6.0,
            },
            Self::PingPong => Scale::Choice(ON),
            Self::Master => Scale::Linear { min: -60.0, max: 12.0, step: 0.5 },
        }
    }

    /// Returns its value in a room.
    #[must_use]
    pub fn get(self, room: &Room) -> f64 {
        match self {
            Self::Decay => room.decay.as_secs_f64(),
            Self::Damping => room.damping.into(),
            Self::Time => room.time.0 as f64,
            Self::Tempo => room.tempo.into(),
            Self::Feedback => room.feedback.into(),
            Self::Tone => room.tone.into(),
            Self::PingPong => f64::from(u8::from(room.ping_pong)),
            Self::Master => room.master.get().into(),
        }
    }

    /// Sets its value in a room, to the nearest that there is; what is no number changes nothing.
    pub fn set(self, room: &mut Room, value: f64) {
        let Some(value) = self.scale().within(value) else { return };
        let single = value as f32;
        match self {
            Self::Decay => room.decay = Duration::from_millis((value * 1e3).round() as u64),
            Self::Damping => room.damping = single,
            Self::Time => room.time = NoteLength(value.round() as usize),
            Self::Tempo => room.tempo = single,
            Self::Feedback => room.feedback = single,
            Self::Tone => room.tone = single,
            Self::PingPong => room.ping_pong = value >= 0.5,
            Self::Master => room.master = Decibels::new(single).unwrap_or_default(),
        }
    }

    /// Returns a value as a user reads it.
    #[must_use]
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Decay => format!("{value:.1} s"),
            Self::Damping | Self::Tone if value >= 1000.0 => format!("{:.1} kHz", value / 1000.0),
            Self::Damping | Self::Tone => format!("{value:.0} Hz"),
            Self::Time | Self::PingPong => self.named(value).to_owned(),
            Self::Tempo => format!("{value:.0} BPM"),
            Self::Feedback => format!("{:.0} %", 100.0 * value),
            Self::Master if value == 0.0 => "0.0 dB".to_owned(),
            Self::Master => format!("{value:+.1} dB"),
        }
    }

    /// Returns the name of a choice; nothing for parameters that are numbers.
    #[must_use]
    pub fn named(self, value: f64) -> &'static str {
        match self.scale() {
            Scale::Choice(names) => names.get(value.round() as usize).copied().unwrap_or_default(),
            _ => "",
        }
    }
}
