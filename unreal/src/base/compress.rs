//! Compressed data: blocks of one of several methods, inflated when they are asked for; those of a package once.
//!
//! ```text
//! chunk: tag │ block size │ stored │ size │ (stored, size) of each block │ blocks
//! ```

#[cfg(not(target_family = "wasm"))]
mod brotli;
mod gzip;
mod lz4;
mod lzo;
mod lzx;
mod oodle;
mod zlib;
mod zstd;

use super::error::Malformed;
use super::writer::WriteError;

/// Compression method of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// zlib.
    Zlib,
    /// LZO1X.
    Lzo,
    /// LZX, in frames as the Xbox 360 has them.
    Lzx,
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
    /// LZ4, without a frame.
    Lz4,
    /// Brotli.
    Brotli,
    /// Any of Oodle's.
    Oodle,
}

impl Method {
    /// Bytes that any block of a container may become; one that is stored in many, 1,032 times as many.
    pub const MAX_BLOCK: usize = 4 << 20;

    /// Returns the method's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Lzo => "LZO",
            Self::Lzx => "LZX",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Lz4 => "LZ4",
            Self::Brotli => "Brotli",
            Self::Oodle => "Oodle",
        }
    }

    /// Returns the name that containers have for it. Some programs compare it byte by byte: with `zstd` they take an
    /// entry for stored, and write compressed bytes as the file.
    ///
    /// Source: real containers of games and of other programs.
    #[must_use]
    pub(crate) const fn container_name(self) -> &'static str {
        match self {
            Self::Zlib => "Zlib",
            Self::Gzip => "Gzip",
            Self::Zstd => "Zstd",
            other => other.name(),
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

    /// Returns the method that a container names.
    #[must_use]
    pub fn of_container(name: &str) -> Option<Self> {
        let all = [Self::Zlib, Self::Gzip, Self::Zstd, Self::Lz4, Self::Brotli, Self::Oodle];
        all.into_iter().find(|method| method.name().eq_ignore_ascii_case(name))
    }

    /// Returns whether there is an encoder for it.
    #[must_use]
    pub const fn is_written(self) -> bool {
        matches!(self, Self::Zlib | Self::Gzip | Self::Zstd | Self::Lz4)
    }

    /// Compresses a block of a container; the same bytes always become the same.
    ///
    /// # Errors
    /// [`WriteError::Method`] if there is no encoder.
    pub fn compress(self, bytes: &[u8]) -> Result<Vec<u8>, WriteError> {
        match self {
            Self::Zlib => Ok(zlib::deflate(bytes)),
            Self::Gzip => Ok(gzip::deflate(bytes)),
            Self::Zstd => Ok(zstd::deflate(bytes)),
            Self::Lz4 => Ok(lz4::deflate(bytes)),
            Self::Lzo | Self::Lzx | Self::Brotli | Self::Oodle => Err(WriteError::Method(self.name())),
        }
    }

    /// Decompresses a block of a container to exactly `size` bytes.
    ///
    /// # Errors
    /// If the block is none of this method, becomes fewer bytes, or says to become more than [`Method::MAX_BLOCK`] and
    /// 1,032 times what is stored.
    pub fn decompress(self, stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
        /// What each byte may become of larger ones: zlib's most.
        const EACH: usize = 1032;
        let most = stored.len().saturating_mul(EACH).max(Self::MAX_BLOCK);
        if size > most {
            return Err(Malformed::BlockTooLarge { claimed: size as u64, most: most as u64 });
        }
        let bytes = self.inflated(stored, size)?;
        if bytes.len() == size { Ok(bytes) } else { Err(ENDS_EARLY) }
    }

    /// Decompresses a block of a container that becomes exactly the bytes of `into`. After an error these have no
    /// meaning.
    ///
    /// # Errors
    /// As [`Method::decompress`].
    pub(crate) fn decompress_into(self, stored: &[u8], into: &mut [u8]) -> Result<(), Malformed> {
        if self == Self::Oodle {
            return oodle::inflate_into(stored, into);
        }
        let bytes = self.decompress(stored, into.len())?;
        into.copy_from_slice(&bytes);
        Ok(())
    }

    /// Returns at most `size` bytes of what a block becomes.
    fn inflated(self, stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
        match self {
            Self::Zlib => zlib::inflate(stored, size),
            Self::Lzo => lzo::inflate(stored, size),
            Self::Lzx => lzx::inflate(stored, size),
            Self::Gzip => gzip::inflate(stored, size),
            Self::Zstd => zstd::inflate(stored, size),
            Self::Lz4 => lz4::inflate(stored, size),
            #[cfg(not(target_family = "wasm"))]
            Self::Brotli => brotli::inflate(stored, size),
            #[cfg(target_family = "wasm")]
            Self::Brotli => Err(Malformed::Compressed("is in Brotli, which a page does not decompress")),
            Self::Oodle => oodle::inflate(stored, size),
        }
    }

    /// Decompresses a block of a package to exactly `size` bytes. Memory grows with what is decoded, not with `size`.
    pub(crate) fn inflate(self, stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
        let bytes = match self.inflated(stored, size) {
            Ok(bytes) if bytes.len() == size => bytes,
            // Some packages name a method and use another; zlib alone says what it is.
            _ if self != Self::Zlib && zlib::is_head(stored) => zlib::inflate(stored, size)?,
            // A block that would not have become smaller.
            _ if stored.len() == size => stored.to_vec(),
            other => other?,
        };
        if bytes.len() == size { Ok(bytes) } else { Err(ENDS_EARLY) }
    }
}

const ENDS_EARLY: Malformed = Malformed::Compressed("ends before its size is reached");

/// Returns whether bytes start as zlib does.
pub(crate) fn is_zlib(bytes: &[u8]) -> bool {
    zlib::is_head(bytes)
}

#[cfg(test)]
mod tests;
