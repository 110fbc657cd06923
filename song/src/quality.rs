use std::fmt;

/// A trade of sound against cost: which interpolation an engine uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quality {
    /// The cheapest: straight lines.
    Draft,
    /// What samplers mostly do: cubics.
    Normal,
    /// Clean up to 10 kHz: a sinc over 8 frames.
    Good,
    /// As clean as 16 bits ask for, also when pitched up: a sinc over 16 frames.
    #[default]
    High,
    /// Cleaner than 16 bits are: a sinc over 32 frames.
    Max,
}

impl Quality {
    /// All of them, the cheapest first.
    pub const ALL: [Self; 5] = [Self::Draft, Self::Normal, Self::Good, Self::High, Self::Max];

    /// Returns the quality's name as a user writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Normal => "normal",
            Self::Good => "good",
            Self::High => "high",
            Self::Max => "max",
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
