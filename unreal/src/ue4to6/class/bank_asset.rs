//! Objects of audio middleware whose bulk data are whole files: banks and media of Wwise, cue sheets of CRI.
//!
//! ```text
//! properties │ members │ chunks │ prefetch, data │ prefetch, data        a media of Wwise until 2021.1
//! properties │ members │ data │ members │ data │ …                       all others
//! ```
//!
//! Without mappings nothing says where data is referred to, so every offset at which a reference fits is tried, and
//! the caller tells by the first bytes of its data whether it is one.
//!
//! Source: *sound-banks*, §5 and §7.5: described, no cooked package seen.

mod write;

use std::collections::HashSet;
use std::ops::Range;

pub use write::with_files;

use super::bulk_ref::BulkRef;
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::ue4to6::bulk::{BulkFile, FLAG_LARGE, FLAG_ZLIB};
use crate::ue4to6::package::{AssetPackage, CLASS_DEFAULTS};
use crate::ue4to6::script;

const WHAT: &str = "data of a sound bank";

/// Bytes of an object among which references are looked for, inline data left out.
const SEARCHED: u64 = 1 << 20;

/// References that are tried; a crafted object may have nothing but such offsets.
const MAX_TRIED: usize = 1 << 14;

/// Chunks that a media may have.
const MAX_CHUNKS: u32 = 256;

/// All flags of bulk data that are known.
const FLAGS: u32 = 0x3_FFFF;

/// Data that an object refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankData {
    /// Offset of the reference in the package.
    pub reference: u64,
    /// File of the data.
    pub place: BulkFile,
    /// Offset in that file; of inline data in the package.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// True if it repeats the beginning of the data after it.
    pub is_prefetch: bool,
    pub(crate) bulk: BulkRef,
    /// Offset in the package after the reference and inline data.
    pub(crate) end: u64,
}

/// A file of a sound bank, or a media, as an object refers to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankAssetFile {
    /// Data, in the order of the references.
    pub chunks: Vec<BankData>,
}

impl BankAssetFile {
    /// Returns the data that makes up the file: without what repeats its beginning, unless there is nothing else.
    #[must_use]
    pub fn stored(&self) -> Vec<BankData> {
        let rest: Vec<BankData> = self.chunks.iter().filter(|chunk| !chunk.is_prefetch).copied().collect();
        if rest.is_empty() { self.chunks.clone() } else { rest }
    }
}

/// Returns whether an object has a class of audio middleware whose bulk data may be files.
#[must_use]
pub fn may_hold_files(package: &AssetPackage, export: usize) -> bool {
    let Some(object) = package.export(export) else { return false };
    object.flags & CLASS_DEFAULTS == 0
        && object.class.is_some_and(|class| script::is_bank_class(class.name()))
}

/// Finds the files that an object of audio middleware holds, in the order of their references. `is_file` decides by the
/// first bytes of data whether it is one.
///
/// # Errors
/// If the object does not lie in its package, cannot be read, or the limits do not allow looking through it.
pub fn files(
    package: &AssetPackage,
    export: usize,
    limits: &mut Limits,
    is_file: &mut dyn FnMut(&[BankData]) -> bool,
) -> Result<Vec<BankAssetFile>, Error> {
    let is_media = |name: &str| name.to_ascii_lowercase().contains("media");
    let class = package.export(export).and_then(|object| object.class);
    let may_be_media = class.is_some_and(|class| is_media(class.name()));
    let chunks = if may_be_media { media_chunks(package, export, limits)? } else { None };
    if let Some(chunks) = chunks {
        let file = BankAssetFile { chunks };
        if is_file(&file.stored()) {
            return Ok(vec![file]);
        }
    }
    let found = bank_data(package, export, limits, &mut |data| is_file(std::slice::from_ref(data)))?;
    Ok(found.into_iter().map(|data| BankAssetFile { chunks: vec![data] }).collect())
}

/// Reads the chunks of a media that is stored in several; none if an object is not of that form.
fn media_chunks(
    package: &AssetPackage,
    export: usize,
    limits: &mut Limits,
) -> Result<Option<Vec<BankData>>, Error> {
    let object = package.range(export)?;
    let head = head(package, object.clone(), limits)?;
    let mut tried = 0;
    for (at, window) in (object.start..).zip(head.windows(8)) {
        let &[a, b, c, d, prefetch, 0, 0, 0] = window else { continue };
        let count = u32::from_le_bytes([a, b, c, d]);
        if count == 0 || count > MAX_CHUNKS || prefetch > 1 {
            continue;
        }
        let mut reader = Reader::new(package.source(), WHAT, at.saturating_add(4), object.end);
        let mut chunks = Vec::new();
        for _ in 0..count {
            let Ok(counted) = spend(tried, object.start) else { return Ok(None) };
            tried = counted;
            let Ok(is_prefetch @ (0 | 1)) = reader.u32() else { break };
            let Some(data) = reference(package, &mut reader) else { break };
            chunks.push(BankData { is_prefetch: is_prefetch == 1, ..data });
        }
        if chunks.len() as u64 == u64::from(count) && reader.at() == object.end {
            return Ok(Some(chunks));
        }
    }
    Ok(None)
}

/// Finds data that an object refers to: of every offset at which a reference fits, `is_file` decides.
fn bank_data(
    package: &AssetPackage,
    export: usize,
    limits: &mut Limits,
    is_file: &mut dyn FnMut(&BankData) -> bool,
) -> Result<Vec<BankData>, Error> {
    let object = package.range(export)?;
    let (mut found, mut rejected): (Vec<BankData>, _) = (Vec::new(), HashSet::new());
    let (mut begin, mut tried) = (object.start, 0);
    while begin < object.end {
        let head = head(package, begin..object.end, limits)?;
        let (mut index, mut next) = (0_usize, object.end);
        while let Some(bytes) = head.get(index..).filter(|bytes| !bytes.is_empty()) {
            let at = begin.saturating_add(index as u64);
            index = index.saturating_add(1);
            if !may_begin(package, bytes) {
                continue;
            }
            let mut reader = Reader::new(package.source(), WHAT, at, object.end);
            let Some(data) = reference(package, &mut reader) else { continue };
            let key = (data.place, data.offset, data.size);
            if rejected.contains(&key) {
                continue;
            }
            if !found.iter().any(|known| (known.place, known.offset, known.size) == key) {
                tried = spend(tried, object.start)?;
                if !is_file(&data) {
                    rejected.insert(key);
                    continue;
                }
                found.push(data);
            }
            // A reference holds no other, and neither does inline data.
            index = usize::try_from(data.end.saturating_sub(begin)).unwrap_or(usize::MAX);
            if index >= head.len() {
                next = data.end;
                break;
            }
        }
        begin = next;
    }
    // Where rows of a table are referred to, any small number may be taken for a reference; the rows are in the order
    // of the files.
    found.sort_by_key(|data| data.bulk.row);
    Ok(found)
}

/// Returns the numbers that an object refers to as names of files with an extension, in its order: 993985859 of
/// `Media/993985859.wem`.
///
/// # Errors
/// If the object does not lie in its package, cannot be read, or the limits do not allow looking through it.
pub fn numbered_files(
    package: &AssetPackage,
    export: usize,
    extension: &str,
    limits: &mut Limits,
) -> Result<Vec<u32>, Error> {
    let head = head(package, package.range(export)?, limits)?;
    let number = |name: &str| {
        let (path, found) = name.rsplit_once('.')?;
        let stem = path.rsplit(['/', '\\']).next()?;
        found.eq_ignore_ascii_case(extension).then(|| stem.parse::<u32>().ok())?
    };
    let (mut numbers, mut seen) = (Vec::new(), HashSet::new());
    // A name is its row in the table and a number, 0 for none.
    for window in head.windows(8) {
        let &[a, b, c, d, 0, 0, 0, 0] = window else { continue };
        let found = package.names().get(u32::from_le_bytes([a, b, c, d])).and_then(number);
        numbers.extend(found.filter(|number| seen.insert(*number)));
    }
    Ok(numbers)
}

/// Reads the bytes of an object that are looked through.
fn head(package: &AssetPackage, object: Range<u64>, limits: &mut Limits) -> Result<Vec<u8>, Error> {
    let length = SEARCHED.min(object.end.saturating_sub(object.start));
    limits.take(length, object.start, WHAT)?;
    let mut head = vec![0; usize::try_from(length).unwrap_or_default()];
    let read = package.source().read_at(object.start, &mut head);
    read.map_err(|error| Error::from_io(error, object.start, WHAT))?;
    Ok(head)
}

/// Counts a reference that is tried.
///
/// # Errors
/// `NoFormFits` beyond [`MAX_TRIED`].
fn spend(tried: usize, at: u64) -> Result<usize, Error> {
    let tried = tried.saturating_add(1);
    if tried > MAX_TRIED { Err(Error::malformed(Malformed::NoFormFits, at, WHAT)) } else { Ok(tried) }
}

/// Returns whether bytes may be a reference: the row of a table, or flags with the same size twice.
fn may_begin(package: &AssetPackage, bytes: &[u8]) -> bool {
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    let long = |at: usize| bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let Some(first) = word(0) else { return false };
    if let Some(bulk) = package.bulk() {
        return usize::try_from(first).is_ok_and(|row| row < bulk.len());
    }
    let sizes = if first & FLAG_LARGE == 0 {
        (word(4).map(u64::from), word(8).map(u64::from))
    } else {
        (long(4), long(12))
    };
    first & !FLAGS == 0 && sizes.0 == sizes.1 && sizes.0.is_some_and(|size| size > 0)
}

/// Reads a reference, and skips inline data; none if there is none of plain data.
fn reference(package: &AssetPackage, reader: &mut Reader<'_>) -> Option<BankData> {
    let at = reader.at();
    let bulk = BulkRef::read(package, reader).ok()?;
    let is_plain = bulk.flags & FLAG_ZLIB == 0 && bulk.size > 0;
    let BulkRef { place, offset, size, .. } = bulk;
    let end = reader.at();
    is_plain.then_some(BankData { reference: at, place, offset, size, is_prefetch: false, bulk, end })
}
