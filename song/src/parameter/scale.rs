/// The values of a parameter, and how far a step goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Equal steps from the least to the most.
    Linear {
        /// The least value.
        min: f64,
        /// The largest value.
        max: f64,
        /// A step.
        step: f64,
    },
    /// Equal ratios from the least to the most.
    Logarithmic {
        /// The least value, above 0.
        min: f64,
        /// The largest value.
        max: f64,
        /// Steps that double the value.
        steps: f64,
    },
    /// These seconds, and all between them.
    Times(&'static [f64]),
    /// One of these, by its index.
    Choice(&'static [&'static str]),
}

impl Scale {
    /// Returns the value some steps from another; steps back and forth cancel, but at the ends.
    #[must_use]
    pub fn stepped(self, value: f64, steps: isize) -> f64 {
        let by = steps as f64;
        match self {
            Self::Linear { min, max, step } => (((value / step).round() + by) * step).clamp(min, max),
            Self::Logarithmic { min, max, steps } => {
                let at = ((value / min).log2() * steps).round() + by;
                (min * (at / steps).exp2()).clamp(min, max)
            }
            Self::Times(times) => (0..steps.unsigned_abs()).fold(value, |at, _| {
                // Some are kept in single precision.
                let near = |time: f64| (time - at).abs() <= 1e-6 * time;
                let next = if steps > 0 {
                    times.iter().find(|time| **time > at && !near(**time))
                } else {
                    times.iter().rev().find(|time| **time < at && !near(**time))
                };
                next.copied().unwrap_or(at)
            }),
            Self::Choice(names) => (value + by).clamp(0.0, (names.len() - 1) as f64),
        }
    }

    /// Returns the value at a part of the whole range, 0..=1.
    #[must_use]
    pub fn at(self, part: f64) -> f64 {
        let part = part.clamp(0.0, 1.0);
        match self {
            Self::Linear { min, max, .. } => min + (max - min) * part,
            Self::Logarithmic { min, max, .. } => min * (max / min).powf(part),
            Self::Times(times) => {
                let at = part * (times.len() - 1) as f64;
                let pair = |index: usize| times.get(index).or(times.last()).copied().unwrap_or_default();
                let below = at.floor();
                let (low, high) = (pair(below as usize), pair(below as usize + 1));
                low + (high - low) * (at - below)
            }
            Self::Choice(names) => (part * names.len() as f64).floor().min((names.len() - 1) as f64),
        }
    }

    /// Returns the part of the whole range that a value is at, 0..=1.
    #[must_use]
    pub fn part(self, value: f64) -> f64 {
        let part = match self {
            Self::Linear { min, max, .. } => (value - min) / (max - min),
            Self::Logarithmic { min, max, .. } => (value / min).ln() / (max / min).ln(),
            Self::Times(times) => {
                let above = times.iter().position(|time| *time >= value).unwrap_or(times.len() - 1).max(1);
                let (low, high) = (times[above - 1], times[above]);
                ((above - 1) as f64 + (value - low) / (high - low)) / (times.len() - 1) as f64
            }
            // The middle of what stands for it.
            Self::Choice(names) => (value + 0.5) / names.len() as f64,
        };
        part.clamp(0.0, 1.0)
    }

    /// Returns the nearest value within the range; none for what is no number.
    #[must_use]
    pub fn within(self, value: f64) -> Option<f64> {
        let (min, max) = match self {
            Self::Linear { min, max, .. } | Self::Logarithmic { min, max, .. } => (min, max),
            Self::Times(times) => (0.0, times.last().copied().unwrap_or_default()),
            Self::Choice(names) => (0.0, (names.len() - 1) as f64),
        };
        value.is_finite().then(|| value.clamp(min, max))
    }
}
