//! Hashes of paths, by which the engine finds the entries of a pak.

use super::footer::{Footer, IndexPart};
use super::index::{self, Index, Location};
use crate::base::crypt::AesKey;
use crate::base::error::Error;
use crate::base::hash::lower_case;
use crate::base::limits::Limits;
use crate::base::path::resolved;
use crate::base::reader::Reader;
use crate::base::source::Source;

const WHAT: &str = "path hash index of a pak";

/// Returns the hash of a path below the mount point: FNV-1a of its lower-cased UTF-16.
///
/// Source: *packages-ue4-ue6*, §3.3, measured.
pub(super) fn path_hash(path: &str, seed: u64) -> u64 {
    const START: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    let bytes = lower_case(path).flat_map(u16::to_le_bytes);
    bytes.fold(START.wrapping_add(seed), |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Returns the entries that the hash of their path does not lead to, as the engine does not find them.
///
/// # Errors
/// If the hashes cannot be read, or take more than the limits allow.
pub(super) fn not_found(
    source: &dyn Source,
    footer: &Footer,
    (place, seed): (IndexPart, u64),
    index: &Index,
    key: Option<&AesKey>,
    limits: &mut Limits,
) -> Result<Vec<usize>, Error> {
    let [_, cipher, _] = footer.ciphers;
    let key = key.filter(|_| footer.is_index_encrypted);
    let bytes = index::part(source, place, key.map(|key| (key, cipher)), limits)?;
    let mut reader = Reader::new(&bytes, WHAT, 0, bytes.len());
    let count = reader.count(12)?;
    limits.take_table::<(u64, Location)>(count, place.offset, WHAT)?;
    let mut known = Vec::with_capacity(count);
    for _ in 0..count {
        let (hash, place) = (reader.u64()?, reader.i32()?);
        known.extend(Location::of(place).map(|place| (hash, place)));
    }
    known.sort_unstable();
    let root = resolved(&index.mount, "");
    let below = |path: &str| path.strip_prefix(&root).map(|path| path.trim_start_matches('/').to_owned());
    let is_found = |path: &str, place: Location| {
        // What leaves the mount point is not looked for.
        below(path).is_none_or(|path| known.binary_search(&(path_hash(&path, seed), place)).is_ok())
    };
    let entries = index.entries.iter().enumerate();
    Ok(entries.filter(|(_, (path, place))| !is_found(path, *place)).map(|(number, _)| number).collect())
}
