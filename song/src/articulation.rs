//! How a note moves while it sounds.
//!
//! ```text
//! tracker   values at ticks, straight lines in between          MOD, S3M, XM, IT
//! sampler   envelopes of segments in seconds, LFOs, a filter    SoundFont 2, SFZ
//! ```

mod envelope_position;
mod sampler;
mod segment_envelope;
mod tracker;

pub use envelope_position::EnvelopePosition;
pub use sampler::{
    Choke, ChokeMode, FilterKind, FilterParams, Lfo, LfoShape, ModulationDepths, ModulationEnvelope,
    ModulationLfo, SamplerArticulation,
};
pub use segment_envelope::{EnvelopeSegment, NotePlayed, NoteScaling, SegmentCurve, SegmentEnvelope};
pub use tracker::{FadeStart, LowPass, PitchLfo, TrackerArticulation};

/// How a note moves in volume, pan, pitch and timbre while it sounds.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Articulation {
    /// As on the instruments of trackers.
    Tracker(TrackerArticulation),
    /// As in banks of samplers.
    Sampler(SamplerArticulation),
}

impl Articulation {
    /// Returns whether it has a filter that may take something away.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        match self {
            Self::Tracker(articulation) => articulation.is_filtered(),
            Self::Sampler(articulation) => articulation.filter.is_some(),
        }
    }

    /// Returns whether a released note falls silent by itself, whatever its sample does.
    #[must_use]
    pub fn ends(&self) -> bool {
        match self {
            Self::Tracker(articulation) => articulation.ends(),
            Self::Sampler(articulation) => articulation.amplitude.falls_silent(),
        }
    }

    /// Returns what it is, if it is a tracker's.
    #[must_use]
    pub const fn tracker(&self) -> Option<&TrackerArticulation> {
        match self {
            Self::Tracker(articulation) => Some(articulation),
            Self::Sampler(_) => None,
        }
    }
}

impl From<TrackerArticulation> for Articulation {
    fn from(articulation: TrackerArticulation) -> Self {
        Self::Tracker(articulation)
    }
}

impl From<SamplerArticulation> for Articulation {
    fn from(articulation: SamplerArticulation) -> Self {
        Self::Sampler(articulation)
    }
}
