//! What the middle of the screen shows.

/// A page of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The list of sounds, and the chosen one.
    #[default]
    Sounds,
    /// The pattern of the song.
    Pattern,
    /// Samples, instruments and message of the song, and which program wrote it.
    About,
    /// The list of songs.
    Songs,
}

impl View {
    /// Returns whether it is about songs: then keys that type are commands, unless the piano is shown.
    #[must_use]
    pub const fn is_of_songs(self) -> bool {
        !matches!(self, Self::Sounds)
    }
}

/// The help, while it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HelpView {
    /// Words that its lines must contain.
    pub filter: String,
    /// Whether what is typed is searched for.
    pub is_typing: bool,
    /// Lines above those that are seen.
    pub scroll: usize,
}
