//! The flat directory index: folders sorted and shortened by what they share with the one before.

use super::index::{Index, Location};
use crate::base::error::{Error, Malformed};
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::reader::Reader;

pub(super) const MAGIC: u32 = 0x5046_4451;

const WHAT: &str = "directory index of a pak";

/// Reads what follows the magic.
///
/// # Errors
/// If it ends early, contradicts itself, or takes more than the limits allow.
pub(super) fn read(reader: &mut Reader<'_>, index: &mut Index, limits: &mut Limits) -> Result<(), Error> {
    let (folders, files, interval) = (reader.u32()?, reader.u32()?, reader.u32()?);
    let (folder_bytes, name_bytes, hashes) = (reader.u32()?, reader.u32()?, reader.u32()?);
    let at = reader.at();
    reader.skip(4)?;
    // Hashes, and where they lead.
    reader.skip(u64::from(hashes).saturating_mul(12))?;
    let anchors = u64::from(folders).checked_div(interval.into()).map(|whole| {
        let rest = u64::from(folders).checked_rem(interval.into()).unwrap_or_default();
        whole.saturating_add(u64::from(rest > 0)).saturating_add(1)
    });
    let anchors = anchors.ok_or_else(|| reader.error(at, Malformed::HeaderSize(interval)))?;
    reader.skip(anchors.saturating_mul(4))?;
    let mut table = |reader: &mut Reader<'_>, count: u32, more: u32| -> Result<Vec<u32>, Error> {
        let at = reader.at();
        let count = reader.fitting(count.saturating_add(more), 4, at)?;
        limits.take_table::<u32>(count, at, WHAT)?;
        (0..count).map(|_| reader.u32()).collect()
    };
    let first_files = table(reader, folders, 1)?;
    let names = table(reader, files, 1)?;
    let places = table(reader, files, 0)?;
    let mut blob = |reader: &mut Reader<'_>, bytes: u32| -> Result<Vec<u8>, Error> {
        let at = reader.at();
        let bytes = reader.fitting(bytes, 1, at)?;
        limits.take(bytes as u64, at, WHAT)?;
        reader.bytes(bytes).map(<[u8]>::to_vec)
    };
    let folder_blob = blob(reader, folder_bytes)?;
    let names_at = reader.at();
    let name_blob = blob(reader, name_bytes)?;

    let names = EntryNames { names, blob: name_blob, at: names_at, locations: places };
    names.index(folder_blob, &first_files, index, limits)
}

/// The names of entries, the first byte of each, and the entries' locations.
struct EntryNames {
    names: Vec<u32>,
    blob: Vec<u8>,
    at: u64,
    locations: Vec<u32>,
}

impl EntryNames {
    /// Adds all entries by their paths; of each folder the path is stored as what it shares with the one before, and
    /// the rest.
    fn index(
        &self,
        folder_blob: Vec<u8>,
        first_files: &[u32],
        index: &mut Index,
        limits: &mut Limits,
    ) -> Result<(), Error> {
        let Self { names, blob: name_blob, at: names_at, locations: places } = self;
        let (names_at, folder_bytes) = (*names_at, folder_blob.len() as u64);
        let folder_blob = crate::base::source::Memory(folder_blob);
        let mut folders = Reader::new(&folder_blob, WHAT, 0, folder_bytes);
        let mut folder: Vec<u8> = Vec::new();
        for bounds in first_files.windows(2) {
            let at = folders.at();
            let (shared, more) = (folders.u32()?, folders.u32()?);
            let shared = usize::try_from(shared).ok().filter(|shared| *shared <= folder.len());
            folder.truncate(shared.ok_or_else(|| Error::malformed(Malformed::SharedPrefix, at, WHAT))?);
            let more = folders.fitting(more, 1, at)?;
            if folder.len().saturating_add(more) > MAX_PATH {
                return Err(Error::malformed(Malformed::PathTooLong(MAX_PATH), at, WHAT));
            }
            folder.extend_from_slice(folders.bytes(more)?);
            let path = String::from_utf8_lossy(&folder).into_owned();
            let &[from, to] = bounds else { continue };
            for file in from..to {
                let number = usize::try_from(file).unwrap_or(usize::MAX);
                let broken = || Error::malformed(Malformed::NoSuchEntry(file.into()), names_at, WHAT);
                let bounds =
                    names.get(number..number.saturating_add(2)).and_then(|bounds| bounds.first_chunk::<2>());
                let &[start, end] = bounds.ok_or_else(broken)?;
                let range =
                    usize::try_from(start).unwrap_or(usize::MAX)..usize::try_from(end).unwrap_or(usize::MAX);
                let name = name_blob.get(range).ok_or_else(broken)?;
                if name.len() > MAX_PATH {
                    return Err(Error::malformed(Malformed::PathTooLong(MAX_PATH), names_at, WHAT));
                }
                let name = String::from_utf8_lossy(name);
                let place = places.get(number).copied().ok_or_else(broken)?;
                if let Some(place) = Location::of(place.cast_signed()) {
                    index.add(&format!("{path}/{name}"), place, limits, names_at)?;
                }
            }
        }
        Ok(())
    }
}
