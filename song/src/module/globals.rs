use crate::{Invalid, Pan};

/// By whose rules a module is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `ProTracker` and its relatives.
    ProTracker,
    /// Scream Tracker 3.
    ScreamTracker3,
    /// `FastTracker` 2.
    FastTracker2,
    /// Impulse Tracker.
    ImpulseTracker,
}

impl Dialect {
    /// Returns the dialect's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ProTracker => "ProTracker",
            Self::ScreamTracker3 => "Scream Tracker 3",
            Self::FastTracker2 => "FastTracker 2",
            Self::ImpulseTracker => "Impulse Tracker",
        }
    }
}

/// A part of full: 0..=128 in 128ths, in which the volumes of all dialects are whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// Silence.
    pub const SILENT: Self = Self(0);
    /// All of it.
    pub const FULL: Self = Self(128);

    /// # Errors
    /// [`Invalid::Level`] above 128.
    pub const fn new(level: u8) -> Result<Self, Invalid> {
        if level <= 128 { Ok(Self(level)) } else { Err(Invalid::Level(level)) }
    }

    /// Creates a volume of 0 to 64; what is above is full.
    #[must_use]
    pub const fn from_64(volume: u8) -> Self {
        if volume < 64 { Self(2 * volume) } else { Self::FULL }
    }

    /// Creates a volume of 0 to 128; what is above is full.
    #[must_use]
    pub const fn from_128(volume: u8) -> Self {
        if volume < 128 { Self(volume) } else { Self::FULL }
    }

    /// In 128ths.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns the linear gain, 0..=1.
    #[must_use]
    pub fn gain(self) -> f32 {
        f32::from(self.0) / 128.0
    }
}

/// In which units pitch slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrequencyMode {
    /// As far in all octaves.
    Linear,
    /// Of the Amiga's periods: the farther the higher the note.
    Amiga,
}

/// Where a channel or a sample is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Panning {
    /// Between left and right.
    At(Pan),
    /// All around: the right channel inverted.
    Surround,
}

/// Rules that a module may ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CompatFlags {
    /// Vibrato and others as in the first versions (IT).
    pub old_effects: bool,
    /// Tone slides with a memory of their own (IT).
    pub compatible_tone_slides: bool,
    /// Volume slides in the first tick too (S3M).
    pub fast_volume_slides: bool,
    /// Pitches between those of the Amiga only (S3M).
    pub amiga_limits: bool,
    /// Cutoffs reach further, as in `OpenMPT` (IT).
    pub extended_filter: bool,
    /// Pans turn one side down and leave the other, as in `OpenMPT` 1.17 and 1.18 (XM, IT).
    pub soft_pans: bool,
    /// Cells name instruments; else they name samples.
    pub has_instruments: bool,
    /// Channels and notes are those of programs of the Amiga (MOD).
    pub is_for_amiga: bool,
    /// Every sample has a loop of a word at least, as programs of the Amiga write it (MOD).
    pub has_word_loops: bool,
    /// Samples follow one another without notes, as programs of the Amiga play them where the last one turns (MOD).
    pub has_sample_runs: bool,
    /// Every `Fxx` counts ticks: no tempo is set (MOD). Not stated in files: found by playing both ways.
    pub vblank_timing: bool,
    /// Pans go to 0x80, and 0xA4 is surround (MOD).
    pub narrow_pans: bool,
}

/// How a module begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Globals {
    /// Ticks of a row; 0 where the file has no sensible one.
    pub speed: u16,
    /// Beats per minute of four rows of six ticks: a tick lasts 2.5 s / tempo. 0 where the file has no sensible one.
    pub tempo: u16,
    /// Of all notes.
    pub global_volume: Level,
    /// Of the whole mix.
    pub mix_volume: Level,
    /// How far left and right are apart.
    pub separation: Level,
    /// Whether it is to be heard in stereo.
    pub is_stereo: bool,
    /// How pitch slides.
    pub frequency_mode: FrequencyMode,
    /// What else it asks for.
    pub compat: CompatFlags,
}

impl Default for Globals {
    fn default() -> Self {
        Self {
            speed: 6,
            tempo: 125,
            global_volume: Level::FULL,
            mix_volume: Level::FULL,
            separation: Level::FULL,
            is_stereo: true,
            frequency_mode: FrequencyMode::Amiga,
            compat: CompatFlags::default(),
        }
    }
}

/// A column of the patterns, as it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// Where it is heard.
    pub panning: Panning,
    /// How loud it is.
    pub volume: Level,
    /// Whether it is silent; its effects act all the same.
    pub is_muted: bool,
}

impl Channel {
    /// At full volume.
    #[must_use]
    pub const fn at(pan: Pan) -> Self {
        Self { panning: Panning::At(pan), volume: Level::FULL, is_muted: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_of_64_and_of_128_are_whole_and_end_at_full() {
        assert_eq!([0, 1, 63, 64, 255].map(|v| Level::from_64(v).get()), [0, 2, 126, 128, 128]);
        assert_eq!([0, 127, 128, 255].map(|v| Level::from_128(v).get()), [0, 127, 128, 128]);
        assert_eq!(Level::new(129), Err(Invalid::Level(129)));
        assert_eq!(Level::new(64).map(Level::gain), Ok(0.5));
    }
}
