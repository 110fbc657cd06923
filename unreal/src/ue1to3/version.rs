//! Which format a file claims to be in. The types have no order: what a version means is decided in [`rules`],
//! once, and handed on as a [`Layout`] of facts.

pub mod game;
pub mod infer;
mod layout;
pub mod rules;

use std::fmt;

pub use crate::base::byte_order::ByteOrder;
pub use crate::base::reader::IndexCoding;
pub use crate::base::unsupported::Unsupported;
pub use game::Game;
pub use layout::{
    AudioEnd, AudioLocation, BodyStart, BulkForm, ExportFields, ExtraWords, FlagWidth, Layout, Lineage,
    NameCoding, NameReference, Outers, PropertyCoding, SummaryFields, WaveFields, WordBeforeType,
};

/// The version of the package format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileVersion(u16);

impl FileVersion {
    /// Creates a version.
    #[must_use]
    pub const fn new(version: u16) -> Self {
        Self(version)
    }

    const fn reaches(self, threshold: Self) -> bool {
        self.0 >= threshold.0
    }

    const fn is_within(self, first: Self, last: Self) -> bool {
        self.reaches(first) && last.reaches(self)
    }
}

impl fmt::Display for FileVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The version of a licensee's own changes to the format; 0 in the games of the engine's makers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Licensee(u16);

impl Licensee {
    /// Creates a version.
    #[must_use]
    pub const fn new(version: u16) -> Self {
        Self(version)
    }

    const fn reaches(self, threshold: Self) -> bool {
        self.0 >= threshold.0
    }

    const fn is_within(self, first: Self, last: Self) -> bool {
        self.reaches(first) && last.reaches(self)
    }
}

impl fmt::Display for Licensee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The four bytes a package starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PackageTag {
    /// `9E2A83C1`, as nearly all packages have it.
    Standard,
    /// `9E2A83C2`, as Killing Floor has it.
    KillingFloor,
}

/// Identity of a package, from its first eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Version of the format.
    pub version: FileVersion,
    /// Version of a licensee's changes.
    pub licensee: Licensee,
    /// Tag of the package.
    pub tag: PackageTag,
    /// Byte order of its numbers.
    pub order: ByteOrder,
    /// The game it is from, where someone who knows has said so; else what version and licensee imply.
    pub game: Option<Game>,
}

impl Identity {
    /// Creates a package of that version without anything special.
    #[must_use]
    pub const fn plain(version: u16) -> Self {
        Self {
            version: FileVersion::new(version),
            licensee: Licensee::new(0),
            tag: PackageTag::Standard,
            order: ByteOrder::Little,
            game: None,
        }
    }
}

/// `69`, or `128/29` where a licensee states one of its own.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.licensee.0 {
            0 => self.version.fmt(f),
            licensee => write!(f, "{}/{licensee}", self.version),
        }
    }
}
