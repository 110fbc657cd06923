//! Generators: what a value of a zone is for.
//!
//! Source: *`SoundFont` Technical Specification* 2.04, §8.1.2 and §8.1.3.

use super::tables::GeneratorRow;

/// How many there are.
pub(super) const COUNT: usize = 61;

/// A generator by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Generator(u8);

macro_rules! generators {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        impl Generator {
            $(pub(super) const $name: Self = Self($number);)*

            /// Returns its name in the specification.
            pub(super) const fn name(self) -> &'static str {
                match self.0 {
                    $($number => $text,)*
                    _ => "generator",
                }
            }
        }
    };
}

generators! {
    START = 0, "startAddrsOffset";
    END = 1, "endAddrsOffset";
    LOOP_START = 2, "startloopAddrsOffset";
    LOOP_END = 3, "endloopAddrsOffset";
    START_COARSE = 4, "startAddrsCoarseOffset";
    MOD_LFO_PITCH = 5, "modLfoToPitch";
    VIB_LFO_PITCH = 6, "vibLfoToPitch";
    MOD_ENV_PITCH = 7, "modEnvToPitch";
    CUTOFF = 8, "initialFilterFc";
    RESONANCE = 9, "initialFilterQ";
    MOD_LFO_CUTOFF = 10, "modLfoToFilterFc";
    MOD_ENV_CUTOFF = 11, "modEnvToFilterFc";
    END_COARSE = 12, "endAddrsCoarseOffset";
    MOD_LFO_VOLUME = 13, "modLfoToVolume";
    CHORUS = 15, "chorusEffectsSend";
    REVERB = 16, "reverbEffectsSend";
    PAN = 17, "pan";
    MOD_LFO_DELAY = 21, "delayModLFO";
    MOD_LFO_RATE = 22, "freqModLFO";
    VIB_LFO_DELAY = 23, "delayVibLFO";
    VIB_LFO_RATE = 24, "freqVibLFO";
    MOD_ENV_DELAY = 25, "delayModEnv";
    MOD_ENV_ATTACK = 26, "attackModEnv";
    MOD_ENV_HOLD = 27, "holdModEnv";
    MOD_ENV_DECAY = 28, "decayModEnv";
    MOD_ENV_SUSTAIN = 29, "sustainModEnv";
    MOD_ENV_RELEASE = 30, "releaseModEnv";
    KEY_MOD_ENV_HOLD = 31, "keynumToModEnvHold";
    KEY_MOD_ENV_DECAY = 32, "keynumToModEnvDecay";
    VOL_ENV_DELAY = 33, "delayVolEnv";
    VOL_ENV_ATTACK = 34, "attackVolEnv";
    VOL_ENV_HOLD = 35, "holdVolEnv";
    VOL_ENV_DECAY = 36, "decayVolEnv";
    VOL_ENV_SUSTAIN = 37, "sustainVolEnv";
    VOL_ENV_RELEASE = 38, "releaseVolEnv";
    KEY_VOL_ENV_HOLD = 39, "keynumToVolEnvHold";
    KEY_VOL_ENV_DECAY = 40, "keynumToVolEnvDecay";
    INSTRUMENT = 41, "instrument";
    KEYS = 43, "keyRange";
    VELOCITIES = 44, "velRange";
    LOOP_START_COARSE = 45, "startloopAddrsCoarseOffset";
    KEY = 46, "keynum";
    VELOCITY = 47, "velocity";
    ATTENUATION = 48, "initialAttenuation";
    LOOP_END_COARSE = 50, "endloopAddrsCoarseOffset";
    SEMITONES = 51, "coarseTune";
    CENTS = 52, "fineTune";
    SAMPLE = 53, "sampleID";
    SAMPLE_MODES = 54, "sampleModes";
    SCALE_TUNING = 56, "scaleTuning";
    EXCLUSIVE_CLASS = 57, "exclusiveClass";
    ROOT = 58, "overridingRootKey";
}

/// Timecents of no time at all.
pub(super) const NO_TIME: i16 = -12_000;

/// Absolute cents of a filter that takes nothing away.
pub(super) const NO_FILTER: i16 = 13_500;

impl Generator {
    /// Returns the generator of a number that zones may state.
    pub(super) fn new(number: u16) -> Option<Self> {
        let number = u8::try_from(number).ok()?;
        (usize::from(number) < COUNT).then_some(Self(number))
    }

    /// Returns the value of a zone that does not state it.
    const fn default(self) -> i16 {
        match self {
            Self::CUTOFF => NO_FILTER,
            Self::MOD_LFO_DELAY
            | Self::VIB_LFO_DELAY
            | Self::MOD_ENV_DELAY
            | Self::MOD_ENV_ATTACK
            | Self::MOD_ENV_HOLD
            | Self::MOD_ENV_DECAY
            | Self::MOD_ENV_RELEASE
            | Self::VOL_ENV_DELAY
            | Self::VOL_ENV_ATTACK
            | Self::VOL_ENV_HOLD
            | Self::VOL_ENV_DECAY
            | Self::VOL_ENV_RELEASE => NO_TIME,
            Self::KEY | Self::VELOCITY | Self::ROOT => -1,
            Self::SCALE_TUNING => 100,
            _ => 0,
        }
    }

    /// Returns whether only instruments may state it.
    const fn is_of_instruments(self) -> bool {
        matches!(
            self,
            Self::START
                | Self::END
                | Self::LOOP_START
                | Self::LOOP_END
                | Self::START_COARSE
                | Self::END_COARSE
                | Self::LOOP_START_COARSE
                | Self::LOOP_END_COARSE
                | Self::KEY
                | Self::VELOCITY
                | Self::SAMPLE_MODES
                | Self::EXCLUSIVE_CLASS
                | Self::ROOT
                | Self::SAMPLE
                | Self::INSTRUMENT
                | Self::KEYS
                | Self::VELOCITIES
        )
    }
}

/// What a zone states, by generator.
#[derive(Clone, Debug)]
pub(super) struct Stated([Option<[u8; 2]>; COUNT]);

impl Stated {
    pub(super) const NOTHING: Self = Self([None; COUNT]);

    /// States what the rows do; of several the last counts.
    pub(super) fn add(&mut self, rows: &[GeneratorRow]) {
        for row in rows {
            let slot = Generator::new(row.kind).and_then(|kind| self.0.get_mut(usize::from(kind.0)));
            if let Some(slot) = slot {
                *slot = Some(row.amount);
            }
        }
    }

    fn get(&self, kind: Generator) -> Option<[u8; 2]> {
        self.0.get(usize::from(kind.0)).copied().flatten()
    }

    /// Returns the index that ends the list of a zone which is not the global one.
    pub(super) fn index(&self, kind: Generator) -> Option<usize> {
        self.get(kind).map(|amount| u16::from_le_bytes(amount).into())
    }

    /// Returns a range of keys or velocities, as far as both of two zones have it; none if they share nothing.
    pub(super) fn shared_range(&self, other: &Self, kind: Generator) -> Option<(u8, u8)> {
        let range =
            |stated: &Self| stated.get(kind).map_or((0, 127), |[low, high]| (low.min(127), high.min(127)));
        let (one, other) = (range(self), range(other));
        let shared = (one.0.max(other.0), one.1.min(other.1));
        (shared.0 <= shared.1).then_some(shared)
    }
}

/// The values of a zone of an instrument in a zone of a preset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Values([i32; COUNT]);

impl Values {
    /// Adds what a zone of a preset states to what a zone of an instrument does.
    pub(super) fn of(instrument: &Stated, preset: &Stated) -> Self {
        let mut values = [0_i32; COUNT];
        for (number, value) in (0_u8..).zip(&mut values) {
            let kind = Generator(number);
            let amount = |stated: &Stated| stated.get(kind).map(i16::from_le_bytes);
            *value = amount(instrument).unwrap_or_else(|| kind.default()).into();
            if !kind.is_of_instruments() {
                let added: i32 = amount(preset).unwrap_or_default().into();
                *value = value.saturating_add(added);
            }
        }
        Self(values)
    }

    /// Returns the value of a generator.
    pub(super) fn get(&self, kind: Generator) -> i32 {
        self.0.get(usize::from(kind.0)).copied().unwrap_or_default()
    }

    /// Returns the value of a generator that is exactly stored in a float.
    pub(super) fn float(&self, kind: Generator) -> f32 {
        // Two numbers of 16 bits add up to 17.
        self.get(kind) as f32
    }

    /// Returns an offset in frames, of a generator and another one that counts 32,768 frames.
    pub(super) fn offset(&self, fine: Generator, coarse: Generator) -> i64 {
        let coarse = i64::from(self.get(coarse)).saturating_mul(32_768);
        coarse.saturating_add(self.get(fine).into())
    }

    /// Sets the value of a generator; used where values are to be alike.
    pub(super) fn set(&mut self, kind: Generator, value: i32) {
        if let Some(slot) = self.0.get_mut(usize::from(kind.0)) {
            *slot = value;
        }
    }
}
