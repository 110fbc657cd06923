use std::fmt;
use std::io;

use super::crypt::KeyId;
use super::guid::Guid;
use super::unsupported::Unsupported;

/// Why something could not be read: whose fault it is, where in the file, in which structure.
///
/// Shown as `name table at 0x40: claims 4294967295 entries, 1 would fit`, with what led there in front.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    at: u64,
    what: &'static str,
    trail: Vec<String>,
}

/// Kind of a file that is no package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotPackage {
    /// Nothing at all.
    Empty,
    /// Text, as in `.int` and `.ucl` files.
    Text,
    /// A program or library for Windows.
    WindowsProgram,
    /// A program or library for Linux.
    LinuxProgram,
    /// RIFF, such as a wave file.
    Riff,
    /// Ogg, as the music of later games.
    Ogg,
    /// A zip file.
    Zip,
    /// A gzip file.
    Gzip,
    /// A file of another program, as a noun.
    Foreign(&'static str),
    /// Nothing known here.
    Unknown,
}

impl fmt::Display for NotPackage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "an empty file",
            Self::Text => "a text file",
            Self::WindowsProgram => "a Windows program or library",
            Self::LinuxProgram => "a Linux program or library",
            Self::Riff => "a RIFF file, such as a wave",
            Self::Ogg => "an Ogg file",
            Self::Zip => "a zip file",
            Self::Gzip => "a gzip file",
            Self::Foreign(what) => what,
            Self::Unknown => "an unknown format",
        })
    }
}

/// Kind of an error: the source, the file, the format, the key or the limits.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The source could not be read.
    Io(io::Error),
    /// It is something else than a package; nothing may be wrong with it.
    NotThisFormat(NotPackage),
    /// The file contradicts itself or its format.
    Malformed(Malformed),
    /// It is known what it is, but it is not read.
    Unsupported(Unsupported),
    /// It is encrypted, and none of the keys opens it; the identifier says which one would, where it is stated.
    Encrypted(Option<Guid>),
    /// Reading on would take more than [`crate::Limits`] allow.
    OverLimit {
        /// Bytes that were asked for.
        asked: u64,
        /// Bytes that were left to spend.
        left: u64,
    },
}

/// Contradiction of a file with itself or its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// A structure goes on past the end of its region.
    EndsEarly {
        /// Bytes the next value needs.
        wanted: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// More entries than the bytes that are left can hold.
    TooMany {
        /// Entries the file claims.
        count: u64,
        /// Entries that would fit.
        fit: u64,
    },
    /// A count, size or place below zero.
    Negative(i32),
    /// A compact index with a magnitude that 31 bits cannot hold, or longer than five bytes.
    IndexTooLarge,
    /// A string whose last character is not the zero it must end with.
    Unterminated,
    /// A name with more characters than names have.
    TooLong {
        /// The most that they have.
        characters: usize,
    },
    /// A name that the name table does not have.
    NoSuchName(i32),
    /// An object that neither table has.
    NoSuchObject(i32),
    /// A chain of objects that comes back to itself or is longer than this.
    ChainTooLong(usize),
    /// A path that is longer than so many bytes.
    PathTooLong(usize),
    /// Structures that take more memory than a file of that size is worth ([`crate::Limits::worth`]).
    TooMuch,
    /// An object that does not lie inside the file.
    OutsideFile {
        /// Where the object would end.
        end: u64,
        /// Length of the file.
        length: u64,
    },
    /// Objects that share bytes, so that neither can be changed alone.
    SharedBytes,
    /// A property type that is not in use.
    PropertyType(u8),
    /// A property value of a size that its type cannot have.
    PropertySize {
        /// Name of the type.
        kind: &'static str,
        /// The size the file states.
        size: u32,
    },
    /// An export whose class is not the one that was asked for.
    OtherClass,
    /// An object without a body, where one is needed.
    NoBody,
    /// No number of extra words makes the skip offset agree with where the data ends.
    NoSkipOffset,
    /// Several numbers of extra words do, and nothing says which is meant.
    SeveralSkipOffsets,
    /// None of the forms that it may have makes sense of all of it.
    NoFormFits,
    /// Properties without tags, of which only mappings say what they are.
    NoMappings,
    /// Properties of a class that is not in the mappings.
    NoSchema,
    /// Data whose elements take another number of bytes than it says.
    BulkSize {
        /// Elements that it says it has.
        elements: u32,
        /// Bytes that it says it takes.
        stored: u32,
    },
    /// A package trailer of a version that is not known.
    TrailerVersion(u32),
    /// A payload that the package trailer does not have.
    NoSuchPayload,
    /// Blocks of a size that no number can hold, as a power of two.
    BlockSizeLog2(u8),
    /// A container without the file of data that one of its blocks lies in.
    NoPartition(usize),
    /// A block that is not compressed, and becomes another number of bytes than it has.
    StoredSize {
        /// Bytes that it has.
        stored: u64,
        /// Bytes that it says it becomes.
        size: u64,
    },
    /// A block that lies outside of its entry or within another, ends before it begins, or is not there.
    BlockPlace,
    /// Bytes that are another's as well.
    Overlap,
    /// Another number of blocks than the size of their entry needs.
    BlockCount {
        /// Blocks that it has.
        blocks: u64,
        /// Blocks that it needs.
        needed: u64,
    },
    /// A method of compression that the container does not name.
    Method(u32),
    /// A way to encrypt that is not in use.
    Cipher(u8),
    /// A head, or a row, of another size than it has to have.
    HeaderSize(u32),
    /// Folders or files that lead back to where they were met.
    Circle,
    /// A path that shares more with the one before than that has.
    SharedPrefix,
    /// An entry that is not there.
    NoSuchEntry(u64),
    /// A package that the header of a container names, and that is not in it.
    PackageMissing(u64),
    /// A package in a container whose header does not name it; the engine does not find it.
    PackageNotListed(u64),
    /// A container header that is of another container.
    OtherContainer(u64),
    /// Bytes that do not match the hash stated for them.
    Hash,
    /// An entry that the hash of its path does not lead to.
    PathHash,
    /// A header that says something else than the index.
    OtherHeader,
    /// Compressed data that does not become what it says.
    Compressed(&'static str),
    /// A block of Oodle that is not decoded.
    Oodle(oodle::Error),
    /// A block that says to become more than its bytes can hold, or its stream has.
    BlockTooLarge {
        /// Bytes that the block says it has.
        claimed: u64,
        /// Bytes that it can have.
        most: u64,
    },
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, at: u64, what: &'static str) -> Self {
        Self(Box::new(Inner { kind, at, what, trail: Vec::new() }))
    }

    /// Creates an error of a source. One that reads what is compressed has errors of its own.
    #[must_use]
    pub fn from_io(error: io::Error, at: u64, what: &'static str) -> Self {
        match error.downcast::<Self>() {
            Ok(own) => own.within(format!("{what} at {at:#x}")),
            Err(error) => Self::new(ErrorKind::Io(error), at, what),
        }
    }

    /// Creates the error of what no key opens.
    pub(crate) fn encrypted(key: Option<Guid>, at: u64, what: &'static str) -> Self {
        Self::new(ErrorKind::Encrypted(key), at, what)
    }

    /// Creates the error of what is compressed by a method that has a name, but is not known.
    pub(crate) fn unknown_method(name: &str, at: u64, what: &'static str) -> Self {
        let unsupported = Unsupported::ContainerCompression;
        Self::new(ErrorKind::Unsupported(unsupported), at, what).within(name.to_owned())
    }

    pub(crate) fn malformed(fault: Malformed, at: u64, what: &'static str) -> Self {
        Self::new(ErrorKind::Malformed(fault), at, what)
    }

    /// Returns the error with the larger thing it was met on the way to.
    #[must_use]
    pub(crate) fn within(mut self, outer: String) -> Self {
        self.0.trail.push(outer);
        self
    }

    /// Returns whose fault it is.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns where in the file, in bytes.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.0.at
    }

    /// In which structure.
    #[must_use]
    pub fn what(&self) -> &'static str {
        self.0.what
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outer in self.0.trail.iter().rev() {
            write!(f, "{outer}: ")?;
        }
        match &self.0.kind {
            // About the file as a whole; a place inside it would say nothing.
            ErrorKind::NotThisFormat(NotPackage::Unknown) => write!(f, "not an Unreal package"),
            ErrorKind::NotThisFormat(found) => write!(f, "not an Unreal package, but {found}"),
            ErrorKind::Unsupported(what) => write!(f, "{what}"),
            kind @ ErrorKind::Encrypted(_) => write!(f, "{kind}; {} at {:#x}", self.0.what, self.0.at),
            kind => write!(f, "{} at {:#x}: {kind}", self.0.what, self.0.at),
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotThisFormat(found) => found.fmt(f),
            Self::Malformed(fault) => fault.fmt(f),
            Self::Unsupported(what) => what.fmt(f),
            Self::Encrypted(None) => write!(f, "encrypted"),
            Self::Encrypted(Some(key)) => write!(f, "encrypted ({})", KeyId(*key)),
            Self::OverLimit { asked, left } => {
                write!(f, "needs {asked} bytes, the limit leaves {left}")
            }
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EndsEarly { wanted, left } => write!(f, "ends early: {wanted} bytes wanted, {left} left"),
            Self::TooMany { count, fit } => write!(f, "claims {count} entries, {fit} would fit"),
            Self::Negative(value) => write!(f, "{value} where nothing negative can stand"),
            Self::IndexTooLarge => write!(f, "a compact index beyond 31 bits"),
            Self::Unterminated => write!(f, "does not end with a zero"),
            Self::TooLong { characters } => write!(f, "is longer than {characters} characters"),
            Self::NoSuchName(name) => write!(f, "no name has index {name}"),
            Self::NoSuchObject(object) => write!(f, "no object is {object}"),
            Self::ChainTooLong(longest) => {
                write!(f, "its chain comes back to itself or is longer than {longest}")
            }
            Self::PathTooLong(longest) => write!(f, "is longer than {longest} bytes"),
            Self::TooMuch => f.write_str("takes more memory than a file of its size may"),
            Self::OutsideFile { end, length } => write!(f, "ends at {end:#x}, the file at {length:#x}"),
            Self::PropertyType(code) => write!(f, "property type {code} is not in use"),
            Self::PropertySize { kind, size } => write!(f, "a {kind} property of {size} bytes"),
            Self::OtherClass => write!(f, "is of another class"),
            Self::NoBody => write!(f, "has no body"),
            Self::NoSkipOffset => write!(f, "no skip offset agrees with the end of the data"),
            Self::SeveralSkipOffsets => write!(f, "several skip offsets agree with the end of the data"),
            Self::SharedBytes => write!(f, "shares bytes with another object"),
            Self::NoMappings => write!(f, "properties have no tags, so mappings (.usmap) are needed"),
            Self::NoSchema => write!(f, "its class is not in the mappings"),
            Self::NoFormFits => write!(f, "no known layout reads all of it"),
            Self::BulkSize { elements, stored } => write!(f, "{elements} bytes of data stored in {stored}"),
            Self::TrailerVersion(version) => write!(f, "trailer version {version}; only version 2 is known"),
            Self::NoSuchPayload => write!(f, "its payload is not in the package trailer"),
            Self::BlockSizeLog2(log2) => write!(f, "blocks of 2^{log2} bytes"),
            Self::NoPartition(number) => write!(f, "its data lies in partition {number}, which is not there"),
            Self::StoredSize { stored, size } => write!(f, "{stored} bytes are stored for {size}"),
            Self::BlockPlace => write!(f, "a block does not lie where it can"),
            Self::Overlap => write!(f, "lies within another"),
            Self::BlockCount { blocks, needed } => write!(f, "{blocks} blocks, {needed} are needed"),
            Self::Method(number) => write!(f, "no method of compression is {number}"),
            Self::Cipher(number) => write!(f, "no cipher is {number}"),
            Self::HeaderSize(size) => write!(f, "{size} where another size has to be"),
            Self::Circle => write!(f, "it leads in a circle"),
            Self::SharedPrefix => write!(f, "shares more with the path before than that has"),
            Self::NoSuchEntry(number) => write!(f, "no entry is {number}"),
            Self::PackageMissing(id) => write!(f, "names package {id:016x}, which is not in the container"),
            Self::PackageNotListed(id) => {
                write!(f, "does not name package {id:016x}, which is in the container")
            }
            Self::OtherContainer(id) => write!(f, "is that of another container, {id:016x}"),
            Self::Hash => write!(f, "does not match its hash"),
            Self::PathHash => write!(f, "no hash leads to its path, so the engine does not find it"),
            Self::OtherHeader => write!(f, "its header says something else than the index"),
            Self::Compressed(what) => write!(f, "compressed data {what}"),
            Self::Oodle(error) => error.fmt(f),
            Self::BlockTooLarge { claimed, most } => {
                write!(f, "a compressed block claims {claimed} bytes, at most {most} can be")
            }
        }
    }
}

/// A source that could not be opened at all.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::from_io(error, 0, "file")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}
