//! The facts about a format that readers need. What decides them is in [`super::rules`] and [`super::game`].

use super::Game;
use crate::base::byte_order::ByteOrder;
use crate::base::reader::{IndexCoding, Reader};

/// How the text of a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameCoding {
    /// Up to the first zero byte.
    UntilZero,
    /// Its length first, as an index, counting the zero.
    LengthFirst,
    /// Its length first, as an index; always in UTF-16, though the length is positive.
    WideLengthFirst,
    /// Its length in two bytes, not counting the zero.
    ShortLength,
    /// Its length in one byte, not counting the zero.
    ByteLength,
}

/// How wide flags are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagWidth {
    /// There are none.
    None,
    /// Four bytes.
    U32,
    /// Eight bytes.
    U64,
}

/// How a reference to a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameReference {
    /// Its index.
    Index,
    /// Its index and a number that is appended after a dash: one less than it says, none for 0.
    Numbered,
    /// A name, and a number where it is not 0, joined without a dash.
    NumberedWithoutDash,
}

/// Which optional fields the summary has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SummaryFields {
    /// Size of summary and tables.
    pub header_size: bool,
    /// Name of a folder.
    pub folder: bool,
    /// Place of the table of dependencies.
    pub depends: bool,
    /// Place and sizes of the tables of GUIDs.
    pub guid_tables: bool,
    /// Place of the table of thumbnails.
    pub thumbnails: bool,
    /// Number of net objects in each generation.
    pub net_objects: bool,
    /// Version of the engine.
    pub engine_version: bool,
    /// Version of the cooker.
    pub cooker_version: bool,
    /// How it is compressed, and in which chunks.
    pub compression: bool,
    /// A number for where it is from.
    pub package_source: bool,
}

/// How a package says what it descends from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lineage {
    /// A table of GUIDs; the last is the package's own.
    Heritage,
    /// A GUID, and the table sizes of earlier generations.
    Generations,
}

/// What the tables say of the object that another lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outers {
    /// Imports have the name of a package, exports nothing.
    Names,
    /// A reference to an object.
    Objects,
    /// One of the two.
    Unknown,
}

/// Which optional fields an export has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportFields {
    /// The object it is a copy of.
    pub archetype: bool,
    /// Width of its flags.
    pub flags: FlagWidth,
    /// Whether it has a place even if its size is 0.
    pub always_placed: bool,
    /// A table of components.
    pub component_map: bool,
    /// Flags of the export.
    pub export_flags: bool,
    /// Numbers of net objects, and a GUID.
    pub net_objects: bool,
    /// Flags of the package it was.
    pub package_flags: bool,
    /// Whether one that holds the defaults of a class is marked by a flag.
    pub default_objects: bool,
}

/// What stands around the properties of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyStart {
    /// A frame in front, and some bytes after.
    Framed {
        /// Zero bytes before the frame.
        zeros: u8,
        /// Bytes after the properties.
        after: u8,
    },
    /// A fixed number of bytes in front.
    Fixed {
        /// How many.
        before: u8,
    },
    /// A frame in front only of what the flags say, and some bytes after.
    Plain {
        /// Bytes after the properties.
        after: u8,
    },
    /// The number of the object among those that a network knows.
    NetIndex,
}

/// How properties are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyCoding {
    /// Type and size in one byte.
    InfoByte,
    /// The name of the type, and the size in four bytes.
    TypeName {
        /// Whether a byte says which enumeration it is from.
        enum_names: bool,
        /// Whether the value of a Bool takes one byte, not four.
        small_bools: bool,
    },
}

/// Whether the end of a sound's data is stated in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioEnd {
    /// Only its length is.
    Unstated,
    /// A skip offset is.
    SkipOffset,
    /// A skip offset may be, and is 0 where it is not.
    SkipOffsetOrZero,
}

/// How many words stand between the file type of a sound and its skip offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraWords {
    /// That many in all games known; others where only others fit.
    Expected(u32),
    /// One: a float that says how likely a group chooses the sound.
    Likelihood,
    /// It differs between games of one version.
    Unknown,
}

impl ExtraWords {
    /// Returns how many are expected, where that is known.
    #[must_use]
    pub const fn expected(self) -> Option<u32> {
        match self {
            Self::Expected(words) => Some(words),
            Self::Likelihood => Some(1),
            Self::Unknown => None,
        }
    }
}

/// Whether a word stands before the file type of a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordBeforeType {
    /// None does.
    Never,
    /// One may.
    Possible,
}

/// Where audio is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioLocation {
    /// In the package.
    Inside,
    /// In other files that the package refers to.
    Outside,
}

/// How data apart from its object is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkForm {
    /// By the place of its end.
    EndOffset {
        /// Whether flags are stated.
        flags: bool,
        /// Whether its stored size is.
        stored: bool,
        /// Whether the name of a package is.
        package: bool,
    },
    /// By flags, number of elements, stored size and place.
    Record,
}

/// What a wave has after its properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaveFields {
    /// The name of a file type first.
    pub file_type: bool,
    /// Place and size of each channel.
    pub channels: bool,
    /// The number of channels.
    pub channel_count: bool,
    /// Data for PCs.
    pub pc: bool,
    /// Data for the Xbox 360.
    pub xbox_360: bool,
    /// Data for the PlayStation 3.
    pub ps3: bool,
    /// Data for the Xbox One.
    pub xbox_one: bool,
    /// Data for the PlayStation 4.
    pub ps4: bool,
    /// Data for the Wii U.
    pub wii_u: bool,
    /// Data for the iPhone.
    pub iphone: bool,
    /// Data for Flash.
    pub flash: bool,
}

/// All facts about a format that readers need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The game whose deviations are among the facts.
    pub game: Option<Game>,
    /// Which end of a number comes first.
    pub order: ByteOrder,
    /// How indexes and counts are written.
    pub index: IndexCoding,
    /// How the text of a name is written.
    pub name: NameCoding,
    /// How wide the flags of a name are.
    pub name_flags: FlagWidth,
    /// How a name is referred to.
    pub name_reference: NameReference,
    /// What the summary has.
    pub summary: SummaryFields,
    /// How the summary goes on.
    pub lineage: Lineage,
    /// What the tables say of outers.
    pub outers: Outers,
    /// What an export has.
    pub export: ExportFields,
    /// What stands around properties.
    pub body: BodyStart,
    /// How properties are written.
    pub properties: PropertyCoding,
    /// Whether a word stands before the file type of a sound.
    pub before_type: WordBeforeType,
    /// What stands between the file type of a sound and where its end is stated.
    pub extra_words: ExtraWords,
    /// Whether the end of audio data is stated.
    pub audio_end: AudioEnd,
    /// How many words stand after that statement.
    pub words_after_end: u8,
    /// Whether a group of sounds has text before its list.
    pub group_text: bool,
    /// Where audio is.
    pub audio: AudioLocation,
    /// How data apart from its object is announced.
    pub bulk: BulkForm,
    /// What a wave has.
    pub wave: WaveFields,
}

impl Layout {
    /// Returns what may stand around the properties of an object, the likeliest first; several in betas, of which too
    /// few were seen. A fixed number of bytes is what *OpenMPT* and *umr* expect.
    #[must_use]
    pub const fn body_starts(&self) -> &'static [BodyStart] {
        use BodyStart::{Fixed, Framed, NetIndex, Plain};
        match self.body {
            Framed { zeros: 0, .. } => &[
                Framed { zeros: 0, after: 2 },
                Plain { after: 2 },
                Fixed { before: 16 },
                Framed { zeros: 8, after: 2 },
            ],
            Framed { .. } | Fixed { .. } => &[
                Framed { zeros: 8, after: 2 },
                Framed { zeros: 0, after: 2 },
                Fixed { before: 24 },
                Plain { after: 2 },
            ],
            Plain { after: 0 } => &[Plain { after: 0 }],
            Plain { after: 1 } => &[Plain { after: 1 }, Plain { after: 0 }, Plain { after: 2 }],
            Plain { .. } => &[
                Plain { after: 2 },
                Framed { zeros: 0, after: 2 },
                Fixed { before: 16 },
                Plain { after: 1 },
                Plain { after: 0 },
            ],
            NetIndex => &[NetIndex],
        }
    }

    /// Returns whether it is one of Unreal Engine 2: generations and compact indexes, and no games with unknown words.
    pub(super) const fn is_engine_2(&self) -> bool {
        matches!(
            (self.index, self.lineage, self.extra_words),
            (IndexCoding::Compact, Lineage::Generations, ExtraWords::Expected(_) | ExtraWords::Likelihood)
        )
    }
}

impl Reader<'_> {
    /// Returns a reader of the same bytes, with numbers and indexes as a layout has them.
    pub(crate) fn with_layout(self, layout: &Layout) -> Self {
        self.with_byte_order(layout.order).with_index_coding(layout.index)
    }
}
