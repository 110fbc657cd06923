//! Recordings of packages that were not cooked, as the editor stores them.

use super::{Context, SoundWave, WHAT, bulk, ends};
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::base::unsupported::Unsupported;
use crate::ue4to6::asset::{PackageTrailer, StoredPayload};
use crate::ue4to6::package::AssetPackage;

const FLAG_COOKED: u32 = 1;

/// Reads a recording as the editor stores it: a whole WAV file, after what the properties end with or in the package
/// trailer. The file of a placeholder has no bytes.
///
/// # Errors
/// If the object does not end with one; `Unsupported` if its payload is kept outside of the package, or compressed by a
/// method that is not known; `OverLimit`.
pub fn read_uncooked(
    package: &AssetPackage,
    export: usize,
    after: u64,
    limits: &mut Limits,
) -> Result<SoundWave, Error> {
    /// Between the flags and the file; a name comes first in packages before 4.12.
    const BEFORE: [u64; 2] = [0, 8];
    let context = &Context { package, object: package.range(export)? };
    let wave = SoundWave {
        format: "WAV".to_owned(),
        chunks: Vec::new(),
        payload: None,
        is_streamed: false,
        begin: context.object.end,
        has_filler: false,
    };
    if let Some(payload) = trailer_payload(context, after, limits)? {
        return Ok(SoundWave { payload: Some(payload), begin: after, ..wave });
    }
    let found = BEFORE.into_iter().find_map(|before| {
        let mut reader = Reader::new(package.source(), WHAT, after, context.object.end);
        let reader = &mut reader;
        let flags = reader.u32().ok()?;
        reader.skip(before).ok()?;
        let data = bulk(context, reader).ok()?;
        // Its GUID.
        reader.skip(16).ok()?;
        (flags & FLAG_COOKED == 0 && ends(reader, context).is_ok()).then_some(data)
    });
    let data = found.ok_or_else(|| Error::malformed(Malformed::NoFormFits, after, WHAT))?;
    Ok(SoundWave { chunks: vec![data], ..wave })
}

/// Returns the payload of the package trailer that an object refers to; none if it does not end as one that does.
fn trailer_payload(
    context: &Context<'_>,
    after: u64,
    limits: &mut Limits,
) -> Result<Option<StoredPayload>, Error> {
    /// Cooked, flags, GUID, hash, raw size, GUID.
    const TAIL: u64 = 4 + 4 + 16 + 20 + 8 + 16;
    /// In the trailer, and there stored uncompressed.
    const FLAG_IN_TRAILER: u32 = 0x200;
    const FLAG_STORED: u32 = 0x10;
    let source = context.package.source();
    let Some(at) = context.package.trailer_offset() else { return Ok(None) };
    if context.object.end.saturating_sub(after) != TAIL {
        return Ok(None);
    }
    let mut reader = Reader::new(source, WHAT, after, context.object.end);
    let (cooked, flags) = (reader.u32()?, reader.u32()?);
    if cooked & FLAG_COOKED != 0 || flags & !FLAG_STORED != FLAG_IN_TRAILER {
        return Ok(None);
    }
    reader.skip(16)?;
    let hash_at = reader.at();
    let (hash, raw) = (reader.array()?, reader.u64()?);
    let trailer = PackageTrailer::read(source, at, limits)?;
    let row = trailer.row(&hash).ok_or_else(|| reader.error(hash_at, Malformed::NoSuchPayload))?;
    if !row.is_local() {
        return Err(Error::new(ErrorKind::Unsupported(Unsupported::PayloadElsewhere), hash_at, WHAT));
    }
    if row.raw != raw {
        return Err(reader.error(hash_at, Malformed::StoredSize { stored: row.raw, size: raw }));
    }
    let payload = StoredPayload { offset: trailer.offset(row), stored: row.stored, raw, hash };
    // Its header is read now, so that the sound is not listed as one that can be played.
    payload.open(Box::new(source), limits)?;
    Ok(Some(payload))
}
