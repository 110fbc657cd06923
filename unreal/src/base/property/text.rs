//! Texts that have translations, or are made of others.

/// A text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalizedText {
    /// Flags of the text (Epic: `ETextFlag`).
    pub flags: u32,
    /// Content of the text.
    pub content: TextContent,
}

/// Content of a text (Epic: `ETextHistoryType`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextContent {
    /// The same in every language; nothing at all if there is none.
    Invariant(Option<String>),
    /// What it says in the language that the game was made in, and what translations know it by.
    Keyed {
        /// Of the key.
        namespace: String,
        /// Of the text.
        key: String,
        /// The text.
        source: String,
    },
    /// The entry of a table.
    Table {
        /// Its name or path.
        table: String,
        /// Of the entry.
        key: String,
    },
    /// What is made of other texts, numbers or dates.
    Made {
        /// All of it after the flags.
        bytes: Vec<u8>,
        /// What it shows, without its format.
        shown: String,
    },
}

impl LocalizedText {
    /// One that says nothing.
    pub(crate) const EMPTY: Self = Self { flags: 0, content: TextContent::Invariant(None) };

    /// Returns what it shows in the language that the game was made in.
    #[must_use]
    pub fn shown(&self) -> String {
        match &self.content {
            TextContent::Invariant(text) => text.clone().unwrap_or_default(),
            TextContent::Keyed { source, .. } => source.clone(),
            TextContent::Table { table, key } => format!("{table}: {key}"),
            TextContent::Made { shown, .. } => shown.clone(),
        }
    }
}
