//! The facts about a format that readers need. What decides them is in [`super::rules`] and [`super::game`].

use super::Game;
use crate::base::byte_order::ByteOrder;
use crate::base::reader::{IndexCoding, Reader};

/// Coding of the text of a name.
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

/// Width of flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagWidth {
    /// There are none.
    None,
    /// Four bytes.
    U32,
    /// Eight bytes.
    U64,
}

/// Coding of a reference to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameReference {
    /// Its index.
    Index,
    /// Its index and a number that is appended after a dash: one less than it says, none for 0.
    Numbered,
    /// A name, and a number where it is not 0, joined without a dash.
    NumberedWithoutDash,
}

/// Optional fields of the summary.
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
    /// Compression flags and chunks.
    pub compression: bool,
    /// A number for its origin.
    pub package_source: bool,
    /// List of additional packages to cook.
    pub additional_packages: bool,
    /// List of texture allocations.
    pub texture_allocations: bool,
}

/// Coding of the ancestry of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lineage {
    /// A table of GUIDs; the last is the package's own.
    Heritage,
    /// A GUID, and the table sizes of earlier generations.
    Generations,
}

/// Coding of outers in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outers {
    /// Imports have the name of a package, exports nothing.
    Names,
    /// A reference to an object.
    Objects,
    /// One of the two.
    Unknown,
}

/// Optional fields of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportFields {
    /// The object it is a copy of.
    pub archetype: bool,
    /// Width of its flags.
    pub flags: FlagWidth,
    /// An offset even if its size is 0.
    pub always_placed: bool,
    /// A table of components.
    pub component_map: bool,
    /// Flags of the export.
    pub export_flags: bool,
    /// Numbers of net objects, and a GUID.
    pub net_objects: bool,
    /// Flags of the package it was.
    pub package_flags: bool,
    /// A flag that marks the defaults of a class.
    pub default_objects: bool,
}

/// Bytes around the properties of an object.
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

/// Coding of properties.
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

/// Statement of the end of a sound's data in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioEnd {
    /// Only its length is.
    Unstated,
    /// A skip offset is.
    SkipOffset,
    /// A skip offset may be, and is 0 where it is not.
    SkipOffsetOrZero,
}

/// Number of words between the file type of a sound and its skip offset.
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

/// Word before the file type of a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordBeforeType {
    /// None does.
    Never,
    /// One may.
    Possible,
}

/// Location of audio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioLocation {
    /// In the package.
    Inside,
    /// In other files that the package refers to.
    Outside,
}

/// Form of bulk data.
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

/// Streams of a wave after its properties.
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
    /// Byte order.
    pub order: ByteOrder,
    /// Coding of indexes and counts.
    pub index: IndexCoding,
    /// Coding of the text of a name.
    pub name: NameCoding,
    /// Width of the flags of a name.
    pub name_flags: FlagWidth,
    /// Coding of references to names.
    pub name_reference: NameReference,
    /// Fields of the summary.
    pub summary: SummaryFields,
    /// Ancestry in the summary.
    pub lineage: Lineage,
    /// Coding of outers.
    pub outers: Outers,
    /// Fields of an export.
    pub export: ExportFields,
    /// Bytes around properties.
    pub body: BodyStart,
    /// Coding of properties.
    pub properties: PropertyCoding,
    /// Word before the file type of a sound.
    pub before_type: WordBeforeType,
    /// Words between the file type of a sound and the statement of its end.
    pub extra_words: ExtraWords,
    /// Statement of the end of audio data.
    pub audio_end: AudioEnd,
    /// Number of words after that statement.
    pub words_after_end: u8,
    /// True if a group of sounds has text before its list.
    pub group_text: bool,
    /// Location of audio.
    pub audio: AudioLocation,
    /// Form of bulk data.
    pub bulk: BulkForm,
    /// Streams of a wave.
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
