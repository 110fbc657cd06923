//! What rows of sound banks have beside those of other files.

/// What a sound bank says of a media or an event.
#[derive(Clone, Debug, PartialEq)]
pub struct BankRow {
    /// Its id; none of a media that only its file names.
    pub id: Option<BankId>,
    /// Every name that is known of it.
    pub names: Vec<String>,
    /// Of a media: the names or ids of the events that can play it, sorted.
    pub events: Option<Vec<String>>,
    /// Of an event: the ids of all media that it can play, sorted.
    pub media: Option<Vec<BankId>>,
    /// Of a media: `memory`, `prefetch` or `streamed`.
    pub stream: Option<&'static str>,
}

/// The id of a media or event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BankId {
    /// A number.
    Number(u32),
    /// A text.
    Text(String),
}

/// A class of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BankClass {
    /// A media of Wwise.
    WwiseMedia,
    /// An event of Wwise.
    WwiseEvent,
    /// A dialogue event of Wwise.
    WwiseDialogue,
    /// A sound of FMOD.
    FmodSound,
    /// An event of FMOD.
    FmodEvent,
    /// A wave of CRI.
    CriWave,
    /// A cue of CRI.
    CriCue,
}

impl BankClass {
    /// Returns its name as it is listed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WwiseMedia => "WwiseMedia",
            Self::WwiseEvent => "WwiseEvent",
            Self::WwiseDialogue => "WwiseDialogue",
            Self::FmodSound => "FmodSound",
            Self::FmodEvent => "FmodEvent",
            Self::CriWave => "CriWave",
            Self::CriCue => "CriCue",
        }
    }

    /// Returns whether it has audio of its own.
    #[must_use]
    pub const fn is_recording(self) -> bool {
        matches!(self, Self::WwiseMedia | Self::FmodSound | Self::CriWave)
    }
}

impl std::fmt::Display for BankId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}
