use std::fmt;

pub use song::Quality;

/// How the value between two frames of a recording is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub enum Interpolation {
    /// The nearest frame itself; of two equally near, the later.
    Nearest,
    /// A straight line between the two neighbours.
    Linear,
    /// A cubic through four neighbours.
    Cubic,
    /// A windowed sinc over eight neighbours; over more when a sound is pitched up, as for those below.
    Sinc8,
    /// A windowed sinc over 16 frames.
    Sinc16,
    /// A windowed sinc over 32 frames.
    Sinc32,
}

impl Interpolation {
    /// All of them, the cheapest first.
    pub const ALL: [Self; 6] =
        [Self::Nearest, Self::Linear, Self::Cubic, Self::Sinc8, Self::Sinc16, Self::Sinc32];

    /// Returns what it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nearest => "nearest",
            Self::Linear => "linear",
            Self::Cubic => "cubic",
            Self::Sinc8 => "sinc 8",
            Self::Sinc16 => "sinc 16",
            Self::Sinc32 => "sinc 32",
        }
    }
}

impl fmt::Display for Interpolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// That of the default quality.
impl Default for Interpolation {
    fn default() -> Self {
        Quality::default().into()
    }
}

impl From<Quality> for Interpolation {
    fn from(quality: Quality) -> Self {
        match quality {
            Quality::Draft => Self::Linear,
            Quality::Normal => Self::Cubic,
            Quality::Good => Self::Sinc8,
            Quality::High => Self::Sinc16,
            Quality::Max => Self::Sinc32,
        }
    }
}

/// The capacities and settings of an engine; all its memory is taken once, by [`crate::split`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub struct Config {
    /// Voices that sound at once, 1..=[`Config::MAX_POLYPHONY`]; as many again may be fading out, stolen
    /// or played out.
    pub polyphony: usize,
    /// How a voice is interpolated whose note does not ask for another; `quality.into()` for a [`Quality`].
    pub interpolation: Interpolation,
    /// Commands that may wait to be read, and as many that may wait for their frame; 1..=[`Config::MAX_QUEUE`].
    pub command_queue: usize,
    /// Events that may wait to be read, 1..=[`Config::MAX_QUEUE`].
    pub event_queue: usize,
    /// Seed of all random choices: engines of one seed that are asked for the same notes choose the same zones.
    pub seed: u64,
    /// Strips, 1..=[`Config::MAX_STRIPS`]; each takes two kilobytes.
    pub strips: usize,
    /// Whether the output is kept below full scale by a limiter; it comes 64 frames later then.
    pub limiter: bool,
    /// Whether strips can send to a reverb and a delay. They take about seven megabytes, sized for 192 kHz; at higher
    /// rates delay times and the reverb's lines are limited to that.
    pub effects: bool,
}

impl Config {
    /// The largest polyphony.
    pub const MAX_POLYPHONY: usize = 1 << 14;
    /// The most strips.
    pub const MAX_STRIPS: usize = 1 << 10;
    /// The largest queue.
    pub const MAX_QUEUE: usize = 1 << 20;

    /// Returns the number of voices that there is room for: those that sound, and as many that fade.
    pub(crate) const fn slots(&self) -> usize {
        2 * self.polyphony
    }

    /// # Errors
    /// [`ConfigError`] names the first field that is out of its range.
    pub(crate) fn check(self) -> Result<Self, ConfigError> {
        let within = |field, value, max| match value {
            1.. if value <= max => Ok(()),
            _ => Err(ConfigError { field, value, max }),
        };
        within("polyphony", self.polyphony, Self::MAX_POLYPHONY)?;
        within("strips", self.strips, Self::MAX_STRIPS)?;
        within("command queue", self.command_queue, Self::MAX_QUEUE)?;
        within("event queue", self.event_queue, Self::MAX_QUEUE)?;
        Ok(self)
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            polyphony: 64,
            interpolation: Interpolation::default(),
            command_queue: 1024,
            event_queue: 4096,
            seed: 0,
            strips: 48,
            limiter: false,
            effects: false,
        }
    }
}

/// A field of a [`Config`] that is zero or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Which field.
    pub field: &'static str,
    /// What it was.
    pub value: usize,
    /// The most it may be.
    pub max: usize,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} is not within 1..={}", self.field, self.value, self.max)
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_may_be_zero_or_beyond_its_limit() {
        let plain = Config::default();
        assert!(plain.check().is_ok());
        assert!(Config { polyphony: Config::MAX_POLYPHONY, ..plain }.check().is_ok());
        let error = Config { polyphony: Config::MAX_POLYPHONY + 1, ..plain }.check().unwrap_err();
        assert_eq!(error.to_string(), "polyphony of 16385 is not within 1..=16384");
        for broken in [
            Config { polyphony: 0, ..plain },
            Config { strips: 0, ..plain },
            Config { strips: Config::MAX_STRIPS + 1, ..plain },
            Config { command_queue: 0, ..plain },
            Config { event_queue: 0, ..plain },
            Config { event_queue: Config::MAX_QUEUE + 1, ..plain },
        ] {
            assert!(broken.check().is_err(), "{broken:?}");
        }
    }
}
