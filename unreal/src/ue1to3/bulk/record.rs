use super::{Payload, PayloadCompression, PayloadFile};
use crate::base::compress::Method;
use crate::base::error::{Error, Malformed};
use crate::base::reader::Reader;
use crate::ue1to3::package::name::NameRef;
use crate::ue1to3::version::{BulkForm, Layout};

/// Data that an object announces (Epic: `FUntypedBulkData`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bulk {
    /// Flags of the bulk data.
    pub flags: u32,
    /// Number of elements; bytes in sounds.
    pub elements: u32,
    /// Payload; none if it is not used.
    pub stored: Option<Payload>,
}

impl Bulk {
    /// Returns its bytes, if they are in the package and there are any.
    #[must_use]
    pub fn payload(&self) -> Option<Payload> {
        self.stored.filter(|payload| payload.file == PayloadFile::Package && payload.len > 0)
    }

    /// Returns whether its bytes are in another file.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.stored.is_some_and(|payload| payload.file != PayloadFile::Package)
    }
}

const OTHER_FILE: u32 = 0x01;
const ZLIB: u32 = 0x02;
const LZO: u32 = 0x10;
const UNUSED: u32 = 0x20;
const ELSEWHERE: u32 = 0x40;
const LZX: u32 = 0x80;

/// Reads what announces data, and passes over the data where it follows.
///
/// Source: *UELib* and *UEViewer*; inline data of versions 512 to 867 measured (514 of 514 at the place they state).
pub(crate) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Bulk, Error> {
    let at = reader.at();
    let (flags, elements, stored, place) = match layout.bulk {
        BulkForm::Record => {
            let (flags, elements) = (reader.u32()?, reader.u32()?);
            (flags, elements, reader.u32()?, reader.u32()?)
        }
        BulkForm::EndOffset { flags, stored, package } => {
            let end = reader.u32()?;
            if stored {
                let _stored = reader.u32()?;
            }
            let flags = if flags { reader.u32()? & (OTHER_FILE | ZLIB) } else { 0 };
            if package {
                NameRef::read(reader, layout)?;
            }
            let elements = reader.u32()?;
            let stored = u64::from(end).checked_sub(reader.at()).and_then(|size| u32::try_from(size).ok());
            let stored = match stored {
                Some(stored) => stored,
                None if flags & OTHER_FILE != 0 => 0,
                None => return Err(reader.error(at, Malformed::NoSkipOffset)),
            };
            (flags, elements, stored, 0)
        }
    };
    if flags & UNUSED != 0 {
        return Ok(Bulk { flags, elements: 0, stored: None });
    }
    if flags & OTHER_FILE != 0 {
        let payload = Payload {
            file: PayloadFile::Separate,
            offset: place.into(),
            len: stored.into(),
            compression: compression(flags, elements),
        };
        return Ok(Bulk { flags, elements, stored: Some(payload) });
    }
    let compression = compression(flags, elements);
    let start = if flags & ELSEWHERE == 0 { reader.at() } else { place.into() };
    let payload = Payload { file: PayloadFile::Package, offset: start, len: stored.into(), compression };
    if compression.is_none() && elements != stored {
        return Err(reader.error(at, Malformed::BulkSize { elements, stored }));
    }
    if flags & ELSEWHERE == 0 {
        reader.skip(stored.into())?;
    }
    Ok(Bulk { flags, elements, stored: Some(payload) })
}

fn compression(flags: u32, elements: u32) -> Option<PayloadCompression> {
    let method = match flags & (ZLIB | LZO | LZX) {
        0 => return None,
        ZLIB => Method::Zlib,
        LZO => Method::Lzo,
        _ => Method::Lzx,
    };
    Some(PayloadCompression { method, uncompressed_len: elements.into() })
}
