//! Why a real device cannot be had, in words that help.

use std::error::Error;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;

use song::Hz;

/// Why there is no device.
#[derive(Debug)]
#[non_exhaustive]
pub enum DeviceError {
    /// The system's sound cannot be reached at all.
    System {
        /// What it says.
        problem: String,
    },
    /// The system names no default device.
    NoDefault,
    /// There is no such device.
    Unknown {
        /// What was asked for.
        device: String,
        /// The ids that are known; not all of them need work.
        known: Vec<String>,
    },
    /// The device does not run at this rate.
    Rate {
        /// Its id.
        device: String,
        /// What was asked for.
        asked: Hz,
        /// What can be asked for.
        offered: Vec<RangeInclusive<Hz>>,
    },
    /// The device cannot be opened or started.
    Failed {
        /// Its id; none is the default.
        device: Option<String>,
        /// What it says.
        problem: String,
    },
    /// The device was opened and started, but never asked for a block.
    Silent {
        /// Its id; none is the default.
        device: Option<String>,
    },
    /// No thread can be had.
    Thread(io::Error),
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DEFAULT: &str = "the default device";
        match self {
            Self::System { problem } => write!(f, "no audio on this system: {problem}"),
            Self::NoDefault => f.write_str("this system has no default device"),
            Self::Unknown { device, known } => {
                write!(f, "no device {device:?}; there are {}", Several(known, ToString::to_string))
            }
            Self::Rate { device, asked, offered } => {
                let range = |range: &RangeInclusive<Hz>| match (range.start(), range.end()) {
                    (one, other) if one == other => one.to_string(),
                    (low, high) => format!("{low} to {high}"),
                };
                write!(f, "{device}: does not support {asked} Hz; it offers {} Hz", Several(offered, range))
            }
            Self::Failed { device, problem } => {
                write!(f, "{}: {problem}", device.as_deref().unwrap_or(DEFAULT))
            }
            Self::Silent { device } => write!(f, "{}: did not answer", device.as_deref().unwrap_or(DEFAULT)),
            Self::Thread(error) => write!(f, "cannot start a thread for the device: {error}"),
        }
    }
}

impl Error for DeviceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Thread(error) => Some(error),
            _ => None,
        }
    }
}

/// The first of some things, and how many more there are.
struct Several<'a, T, F>(&'a [T], F);

impl<T, F: Fn(&T) -> String> fmt::Display for Several<'_, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 12;
        let Self(all, text) = self;
        let shown: Vec<_> = all.iter().take(SHOWN).map(text).collect();
        f.write_str(&shown.join(", "))?;
        match all.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
