//! The trailer of an editor package of Unreal Engine 5 (Epic: `FPackageTrailer`): payloads that objects name by their
//! hashes.
//!
//! ```text
//! header … objects │ C1 83 2A 9E │ trailer
//! trailer             mark │ version │ header size │ payload bytes │ rows │ payloads │ mark │ size │ C1 83 2A 9E
//! ```
//!
//! Source: *real-games*, §2: 90 of 90 sounds of 9 projects, file versions 1009 to 1017.

use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::package_tag::TAG;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::base::writer::{ByteWriter, WriteError, narrow};

const WHAT: &str = "package trailer";

const HEADER_MARK: u64 = 0xD1C4_3B2E_80A5_F697;
const FOOTER_MARK: u64 = 0x29BF_CA04_5138_DE76;
/// Bytes of the header without its rows.
const HEADER: u64 = 28;
/// Bytes of a row.
const ROW: u64 = 49;
/// Bytes of the footer: mark, size, tag.
const FOOTER: u64 = 20;

/// The first 20 bytes of the BLAKE3 of a payload, uncompressed (Epic: `FIoHash`).
pub type PayloadHash = [u8; 20];

/// The payloads of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageTrailer {
    version: u32,
    /// Offset of the first payload in the package.
    payloads: u64,
    rows: Vec<TrailerRow>,
}

/// A payload of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailerRow {
    /// Hash that names the payload.
    pub hash: PayloadHash,
    /// Offset from the first payload.
    offset: u64,
    /// Stored size in bytes.
    pub stored: u64,
    /// Uncompressed size in bytes.
    pub raw: u64,
    flags: u16,
    filter: u16,
    access: u8,
}

impl TrailerRow {
    /// Returns whether the payload is in the package; others are kept in a file or on a server of the project.
    #[must_use]
    pub const fn is_local(&self) -> bool {
        self.access == 0
    }
}

impl PackageTrailer {
    /// Reads the trailer at an offset, which ends where the package does.
    ///
    /// # Errors
    /// If it ends early, contradicts itself, is of another version, or takes more than the limits allow.
    pub fn read(source: &dyn Source, at: u64, limits: &mut Limits) -> Result<Self, Error> {
        const VERSION: u32 = 2;
        let mut reader = Reader::new(source, WHAT, at, source.len());
        let reader = &mut reader;
        let wrong = |reader: &Reader<'_>, at| reader.error(at, Malformed::NoFormFits);
        if reader.u64()? != HEADER_MARK {
            return Err(wrong(reader, at));
        }
        let version = reader.u32()?;
        if version != VERSION {
            return Err(reader.error(at, Malformed::TrailerVersion(version)));
        }
        let header_size = u64::from(reader.u32()?);
        let payload_bytes = reader.u64()?;
        let count_at = reader.at();
        let count = reader.count(ROW)?;
        if (count as u64).saturating_mul(ROW).saturating_add(HEADER) != header_size {
            return Err(wrong(reader, count_at));
        }
        limits.take_table::<TrailerRow>(count, count_at, WHAT)?;
        let mut rows = Vec::with_capacity(count);
        for _ in 0..count {
            let row_at = reader.at();
            let row = TrailerRow {
                hash: reader.array()?,
                offset: reader.u64()?,
                stored: reader.u64()?,
                raw: reader.u64()?,
                flags: reader.u16()?,
                filter: reader.u16()?,
                access: reader.u8()?,
            };
            if row.is_local() && row.offset.saturating_add(row.stored) > payload_bytes {
                let end = row.offset.saturating_add(row.stored);
                return Err(reader.error(row_at, Malformed::OutsideFile { end, length: payload_bytes }));
            }
            rows.push(row);
        }
        let payloads = reader.at();
        reader.skip(payload_bytes)?;
        let (footer_at, mark, size, tag) = (reader.at(), reader.u64()?, reader.u64()?, reader.u32()?);
        let all = header_size.saturating_add(payload_bytes).saturating_add(FOOTER);
        if mark != FOOTER_MARK || size != all || tag != TAG || reader.left() != 0 {
            return Err(wrong(reader, footer_at));
        }
        Ok(Self { version, payloads, rows })
    }

    /// Returns the payload of a hash.
    #[must_use]
    pub fn row(&self, hash: &PayloadHash) -> Option<&TrailerRow> {
        self.rows.iter().find(|row| row.hash == *hash)
    }

    /// Returns the offset of the first payload in the package.
    #[must_use]
    pub const fn payloads_offset(&self) -> u64 {
        self.payloads
    }

    /// Returns the offset of a payload in the package.
    #[must_use]
    pub const fn offset(&self, row: &TrailerRow) -> u64 {
        self.payloads.saturating_add(row.offset)
    }

    /// Returns the trailer with one payload replaced, as bytes: `stored` bytes of `raw` under a new hash.
    /// `payloads` are the bytes from the first payload on.
    ///
    /// # Errors
    /// If there are more rows than can be stated.
    pub(crate) fn with_payload(
        &self,
        payloads: &[u8],
        replaced: &PayloadHash,
        (hash, raw, stored): (PayloadHash, u64, &[u8]),
    ) -> Result<Vec<u8>, WriteError> {
        let (mut bytes, mut rows) = (Vec::new(), self.rows.clone());
        for row in &mut rows {
            let offset = bytes.len() as u64;
            if row.hash == *replaced {
                bytes.extend_from_slice(stored);
                *row = TrailerRow { hash, offset, stored: stored.len() as u64, raw, access: 0, ..*row };
            } else if row.is_local() {
                let [from, size] =
                    [row.offset, row.stored].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
                bytes.extend_from_slice(payloads.get(from..from.saturating_add(size)).unwrap_or_default());
                row.offset = offset;
            }
        }
        let mut writer = ByteWriter::default();
        let header = HEADER.saturating_add((rows.len() as u64).saturating_mul(ROW));
        writer.u64(HEADER_MARK);
        writer.u32(self.version);
        writer.u32(narrow("bytes of a trailer", header)?);
        writer.u64(bytes.len() as u64);
        writer.count("payloads", rows.len())?;
        for row in &rows {
            writer.bytes(&row.hash);
            [row.offset, row.stored, row.raw].into_iter().for_each(|number| writer.u64(number));
            [row.flags, row.filter].into_iter().for_each(|number| writer.u16(number));
            writer.u8(row.access);
        }
        let size = header.saturating_add(bytes.len() as u64).saturating_add(FOOTER);
        writer.bytes(&bytes);
        writer.u64(FOOTER_MARK);
        writer.u64(size);
        writer.u32(TAG);
        Ok(writer.into_bytes())
    }
}
