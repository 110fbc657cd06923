//! What can be turned while playing.

/// A value of the chosen sound, or of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Knob {
    /// How loud.
    #[default]
    Gain,
    /// Left or right.
    Pan,
    /// Higher or lower.
    Tune,
    /// The key that plays it at its own pitch.
    Root,
    /// Whether it repeats until it is released.
    Loop,
    /// How it begins.
    Attack,
    /// How it ends.
    Release,
    /// How well it is interpolated.
    Quality,
    /// How many voices the engine sounds at once.
    Voices,
    /// Where it begins and ends.
    Trim,
}

impl Knob {
    /// In the order in which they are gone through.
    pub const ALL: [Self; 10] = [
        Self::Gain,
        Self::Pan,
        Self::Tune,
        Self::Root,
        Self::Loop,
        Self::Attack,
        Self::Release,
        Self::Quality,
        Self::Voices,
        Self::Trim,
    ];

    /// Returns what it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gain => "gain",
            Self::Pan => "pan",
            Self::Tune => "tune",
            Self::Root => "root",
            Self::Loop => "loop",
            Self::Attack => "attack",
            Self::Release => "release",
            Self::Quality => "quality",
            Self::Voices => "voices",
            Self::Trim => "trim",
        }
    }

    /// Returns the one so many further, the first or the last where there are not so many.
    #[must_use]
    pub fn further(self, by: isize) -> Self {
        let place = Self::ALL.iter().position(|knob| *knob == self).unwrap_or_default();
        Self::ALL[place.saturating_add_signed(by).min(Self::ALL.len() - 1)]
    }
}
