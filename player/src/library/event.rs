use std::fmt;

use importer::SwitchChoice;

/// What has happened in a library.
#[derive(Debug)]
pub enum LibraryEvent<L, F> {
    /// A package was opened, or some of it; its sounds come after all others, those that were listed before left out.
    Listed {
        /// The index of its first sound, listed now or before.
        first: usize,
        /// What its user wanted to know.
        package: L,
        /// Switches and states that choose what its events play.
        switches: Vec<SwitchChoice>,
    },
    /// Sounds play what other values of switches and states choose: their indices, and whether each plays anything.
    Switched(Vec<(usize, bool)>),
    /// A package cannot be opened.
    Failed(F),
    /// There are no more packages.
    AllListed,
    /// A sound that was asked for can be played.
    Ready(usize),
    /// A sound that was asked for, or was to be kept ready, cannot be played.
    Unplayable(usize, Unplayable),
}

/// Whether a sound can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Now: the controller has its bank.
    Ready,
    /// Soon; [`LibraryEvent::Ready`] says when, or [`LibraryEvent::Unplayable`] why not.
    Loading,
    /// Never.
    Unplayable(Unplayable),
}

/// Why a sound cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// It could not be decoded, as a sentence.
    Undecoded(String),
    /// Decoding it takes more memory than is allowed, as a sentence.
    OverLimit(String),
    /// It takes more memory than all sounds together may.
    TooLarge {
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that all may take.
        most: u64,
    },
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undecoded(reason) | Self::OverLimit(reason) => f.write_str(reason),
            Self::TooLarge { needed, most } => {
                let [needed, most] = [needed, most].map(|bytes| *bytes as f64 / f64::from(1 << 20));
                write!(f, "it takes {needed:.1} MiB, and all sounds together may take {most:.1} MiB")
            }
        }
    }
}
