//! Payloads apart from their objects: where the audio is, found and proved, not believed.

mod lazy;
mod record;

pub(crate) use lazy::locate;
pub use lazy::{Located, Proof};
pub use record::Bulk;
pub(crate) use record::read;

use super::inflated::Inflated;
use crate::base::compress::Method;
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::source::Source;
use crate::base::unsupported::Unsupported;

/// Bytes apart from the object they belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Payload {
    /// File that holds the payload.
    pub file: PayloadFile,
    /// Offset of the first byte in that file.
    pub offset: u64,
    /// Number of bytes there; 0 in packages for servers, which have no audio.
    pub len: u64,
    /// Compression; none if the payload is stored.
    pub compression: Option<PayloadCompression>,
}

/// File that holds a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PayloadFile {
    /// The package itself.
    Package,
    /// A file of its own beside the package, which is not read.
    Separate,
}

/// Compression of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PayloadCompression {
    /// By which method.
    pub method: Method,
    /// Uncompressed size in bytes.
    pub uncompressed_len: u64,
}

impl Payload {
    /// Returns the bytes that are not compressed.
    #[must_use]
    pub const fn plain(at: u64, length: u64) -> Self {
        Self { file: PayloadFile::Package, offset: at, len: length, compression: None }
    }

    /// Returns the offset of the first byte after it.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.offset.saturating_add(self.len)
    }

    /// Returns how many bytes it has without compression.
    #[must_use]
    pub fn uncompressed_len(&self) -> u64 {
        self.compression.map_or(self.len, |compression| compression.uncompressed_len)
    }

    /// Takes the bytes out, without compression, if they are no more than `most`. Exports may share bytes, so all
    /// payloads of a package together can be larger than its file.
    ///
    /// # Errors
    /// `OverLimit` for more; `Malformed` if the source is shorter than the one the payload was found in, or what is
    /// compressed does not become what it says; `Io`.
    pub fn read(&self, source: &dyn Source, most: u64) -> Result<Vec<u8>, Error> {
        let over = || {
            Error::new(ErrorKind::OverLimit { asked: self.uncompressed_len(), left: most }, self.offset, WHAT)
        };
        if self.uncompressed_len() > most {
            return Err(over());
        }
        match self.inflated(source, most)? {
            Some(inflated) => take(&inflated, 0, self.uncompressed_len(), most),
            None => {
                self.check(source)?;
                take(source, self.offset, self.len, most)
            }
        }
    }

    /// Returns the bytes without compression as a source of their own; none if they are not compressed.
    ///
    /// # Errors
    /// As [`Payload::read`]. Reading from it may fail for the same reasons.
    pub fn inflated<'s>(&self, source: &'s dyn Source, most: u64) -> Result<Option<Inflated<'s>>, Error> {
        let Some(compression) = self.compression else { return Ok(None) };
        self.check(source)?;
        let PayloadCompression { method, uncompressed_len } = compression;
        Inflated::of_chunk(source, self.offset..self.end(), method, uncompressed_len, most).map(Some)
    }

    fn check(&self, source: &dyn Source) -> Result<(), Error> {
        if self.file != PayloadFile::Package {
            return Err(Error::new(ErrorKind::Unsupported(Unsupported::SeparateFile), self.offset, WHAT));
        }
        if self.end() > source.len() {
            let fault = Malformed::OutsideFile { end: self.end(), length: source.len() };
            return Err(Error::malformed(fault, self.offset, WHAT));
        }
        Ok(())
    }
}

const WHAT: &str = "payload";

fn take(source: &dyn Source, at: u64, length: u64, most: u64) -> Result<Vec<u8>, Error> {
    let over = |_| Error::new(ErrorKind::OverLimit { asked: length, left: most }, at, WHAT);
    let mut bytes = vec![0; usize::try_from(length).map_err(over)?];
    source.read_at(at, &mut bytes).map_err(|error| Error::from_io(error, at, WHAT))?;
    Ok(bytes)
}
