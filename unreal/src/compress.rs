//! Compressed data: blocks of one of three methods, inflated when they are asked for, and once.
//!
//! ```text
//! chunk: tag │ block size │ stored │ size │ (stored, size) of each block │ blocks
//! ```

mod inflated;
mod lzo;
mod lzx;
mod zlib;

pub use inflated::Inflated;

use crate::error::Malformed;

/// How data is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// zlib.
    Zlib,
    /// LZO1X.
    Lzo,
    /// LZX, in frames as the Xbox 360 has them.
    Lzx,
}

impl Method {
    /// Returns the method's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Lzo => "LZO",
            Self::Lzx => "LZX",
        }
    }

    /// Returns the method that a package names.
    ///
    /// Source: *UELib*; LZO measured.
    #[must_use]
    pub const fn of_package(compression: u32) -> Option<Self> {
        match compression & 7 {
            1 => Some(Self::Zlib),
            2 => Some(Self::Lzo),
            4 => Some(Self::Lzx),
            _ => None,
        }
    }

    /// Decompresses a block to exactly `size` bytes. Memory grows with what is decoded, not with what `size` says.
    fn inflate(self, stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
        let inflate = match self {
            Self::Zlib => zlib::inflate,
            Self::Lzo => lzo::inflate,
            Self::Lzx => lzx::inflate,
        };
        let bytes = match inflate(stored, size) {
            Ok(bytes) if bytes.len() == size => bytes,
            // Some packages name a method and use another; zlib alone says what it is.
            _ if self != Self::Zlib && zlib::is_head(stored) => zlib::inflate(stored, size)?,
            // A block that would not have become smaller.
            _ if stored.len() == size => stored.to_vec(),
            other => other?,
        };
        if bytes.len() == size {
            Ok(bytes)
        } else {
            Err(Malformed::Compressed("ends before its size is reached"))
        }
    }
}

#[cfg(test)]
mod tests;
