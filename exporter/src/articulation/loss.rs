use std::collections::BTreeMap;
use std::fmt;

use song::{Decibels, Instrument, Sends, VoiceMode};

/// What a file for another sampler does not keep of how the notes of an instrument move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// A loop of an envelope that goes on after the release.
    LoopAfterRelease,
    /// A pitch envelope that moves in steps glides instead.
    PitchSteps,
    /// A note that is released before its envelope sustains goes to the release at once.
    EarlyRelease,
    /// A vibrato: its wave is random, or there is no room for it.
    Vibrato,
    /// The shape of the volume envelope: it is replaced by the closest of attack, hold, decay and release.
    VolumeShape,
    /// The envelope of the pan.
    PanEnvelope,
    /// The shape of the pitch or filter envelope, as for the volume.
    ModulationShape,
    /// One of a pitch and a filter envelope: there is one for both.
    SecondEnvelope,
    /// A filter that is no low-pass of two poles.
    FilterKind,
    /// How an LFO grows, or its wave.
    LfoShape,
    /// A second LFO, or one that moves the pan.
    SecondLfo,
    /// Attack and release that were set for an instrument with many envelopes.
    Adjusted,
    /// Zones that answer to key switches, sequences, chance or released keys.
    Conditions,
    /// What depends on the velocity beside the gain.
    Velocity,
    /// Mono, legato and glide.
    VoiceMode,
    /// What goes to the delay, and what goes to the reverb louder than the sound itself.
    Sends,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopAfterRelease => "envelope loops end with the release",
            Self::PitchSteps => "pitch envelopes glide instead of stepping",
            Self::EarlyRelease => "notes released before their envelope sustains fade at once",
            Self::Vibrato => "vibrato is left out",
            Self::VolumeShape => "volume envelopes are approximated by attack, hold, decay and release",
            Self::PanEnvelope => "pan envelopes are left out",
            Self::ModulationShape => "pitch and filter envelopes are approximated",
            Self::SecondEnvelope => "only one of pitch and filter envelope is kept",
            Self::FilterKind => "filters other than low-passes of two poles are left out",
            Self::LfoShape => "vibrato is a triangle without fade-in",
            Self::SecondLfo => "further LFOs are left out",
            Self::Adjusted => "attack and release as set are left out",
            Self::Conditions => "of zones chosen by switches, turns or chance only the first are kept",
            Self::Velocity => "only the gain follows the velocity",
            Self::VoiceMode => "mono, legato and glide are left out",
            Self::Sends => "sends to the delay are left out, and sends to the reverb limited to 0 dB",
        })
    }
}

/// Losses, with the number of instruments that each of them concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    counted: BTreeMap<Loss, usize>,
    present: Vec<Loss>,
}

impl Losses {
    /// Notes a loss of the present instrument.
    pub(crate) fn add(&mut self, loss: Loss) {
        if !self.present.contains(&loss) {
            self.present.push(loss);
        }
    }

    /// Counts the losses of an instrument, the notes of which were looked at before; the next one begins.
    pub(crate) fn end_instrument(&mut self, instrument: &Instrument) {
        if instrument.voice_mode != VoiceMode::Poly {
            self.add(Loss::VoiceMode);
        }
        let Sends { reverb, delay } = instrument.sends;
        if delay.is_some() || reverb.is_some_and(|gain| gain > Decibels::UNITY) {
            self.add(Loss::Sends);
        }
        for loss in self.present.drain(..) {
            *self.counted.entry(loss).or_default() += 1;
        }
    }

    /// Returns every loss and the number of instruments that it concerns.
    pub fn iter(&self) -> impl Iterator<Item = (Loss, usize)> {
        self.counted.iter().map(|(loss, count)| (*loss, *count))
    }

    /// Returns whether nothing is lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counted.is_empty()
    }
}
