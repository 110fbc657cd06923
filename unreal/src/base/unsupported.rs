//! Formats that are known but not read.

use std::fmt;

/// Format that is recognised but not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// A package older than all that were seen.
    TooOld {
        /// Of the format.
        version: u16,
        /// Of a licensee; 0 for none.
        licensee: u16,
    },
    /// A package of Unreal Engine 4 or later, with the number that it has in place of a version.
    Engine4(i32),
    /// A package in the wrapper that game servers send, with the number it starts with.
    CompressedDownload(u32),
    /// A package of Lineage 2 that is encrypted in a way that is not read.
    Lineage2(UnreadLineage2),
    /// A package with a tag of its own, of the game of that name.
    ForeignTag(&'static str),
    /// A package in compressed chunks, read without [`crate::unpack()`].
    Chunked,
    /// A stream compressed by a method without a name here.
    Compression(u32),
    /// Bytes in a file of their own beside the package.
    SeparateFile,
    /// A pak whose index is an image of memory.
    FrozenIndex,
    /// A pak of a version that is not known.
    PakVersion(u32),
    /// A table of contents of a version that is not known.
    TocVersion(u8),
    /// The header of a container of a version that is not known.
    ContainerHeaderVersion(u32),
    /// An entry of a container, compressed by a method that is not known.
    ContainerCompression,
    /// A payload that is not in its package: the project keeps it in a file or on a server of its own.
    PayloadElsewhere,
    /// A payload compressed by a method that is not known.
    PayloadCompression(u8),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooOld { version, licensee: 0 } => {
                write!(f, "a package older than all that are known (version {version})")?;
            }
            Self::TooOld { version, licensee } => {
                write!(f, "a package older than all that are known (version {version}/{licensee})")?;
            }
            Self::Engine4(_) => write!(f, "an Unreal Engine 4 or 5 package")?,
            Self::CompressedDownload(_) => write!(f, "a compressed download (.uz)")?,
            Self::Lineage2(package) => return package.fmt(f),
            Self::ForeignTag(game) => write!(f, "a package with the tag of {game}")?,
            Self::Chunked => write!(f, "a compressed package that was not unpacked")?,
            Self::Compression(method) => write!(f, "data compressed by method {method:#x}")?,
            Self::SeparateFile => write!(f, "data in another file")?,
            Self::ContainerHeaderVersion(version) => write!(f, "a container header of version {version}")?,
            Self::PakVersion(version) => write!(f, "a pak of version {version}")?,
            Self::TocVersion(version) => write!(f, "a table of contents of version {version}")?,
            Self::FrozenIndex => write!(f, "a pak with a frozen index")?,
            Self::ContainerCompression => write!(f, "compressed by a method")?,
            Self::PayloadElsewhere => write!(f, "a payload kept outside of the package (virtualized)")?,
            Self::PayloadCompression(method) => write!(f, "a payload compressed by method {method}")?,
        }
        write!(f, ", which is not supported")
    }
}

/// The version of the wrapper: three digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lineage2Version(pub(crate) [u8; 3]);

impl fmt::Display for Lineage2Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|digit| write!(f, "{}", char::from(*digit)))
    }
}

/// Why a package of Lineage 2 is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnreadLineage2 {
    /// It is encrypted with RSA.
    Rsa(Lineage2Version),
    /// Its version is one that is decrypted, but no package comes of it.
    OtherCipher(Lineage2Version),
    /// It is encrypted in a way that is not known, or damaged.
    Unknown(Lineage2Version),
    /// Its version is not a number.
    Unnumbered,
}

impl fmt::Display for UnreadLineage2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WHAT: &str = "a Lineage 2 package of version";
        match self {
            Self::Rsa(version) => write!(f, "{WHAT} {version} that is encrypted with RSA"),
            Self::OtherCipher(version) => write!(f, "{WHAT} {version} that is encrypted another way"),
            Self::Unknown(version) => write!(f, "{WHAT} {version} that is encrypted or damaged"),
            Self::Unnumbered => f.write_str("a Lineage 2 package of an unknown version"),
        }
    }
}
