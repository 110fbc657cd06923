//! Where the screen sizes of a cooked static mesh are, and whether each has a value for the platform.
//!
//! ```text
//! … │ 8 × (1, size) or 8 × (1, size, 1, value for the platform) │ [strip flags] │ wind 0 │ count │ slots │ end
//!                                                                               found from the end ◄──┘
//! ```
//!
//! Source: *seeds-to-the-letter*, §2; two meshes of 5.1 and two of 5.8, measured: from 5.8 on two strip flags follow.

use super::static_mesh::{MAX_SLOTS, SLOTS, stored_material};
use super::{MeshReader, WHAT};
use crate::base::error::{Error, ErrorKind};
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::base::source::Memory;
use crate::ue4to6::package::AssetPackage;

/// Levels that a mesh has sizes for (Epic: `MAX_STATIC_MESH_LODS`).
const LEVELS: usize = 8;

/// Bytes of a flag that is 1 and a number.
const PAIR: usize = 8;

/// Screen sizes of a static mesh.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScreenSizes {
    /// True if each has a value for the platform.
    pub(crate) has_values: bool,
    /// The first of them, counted from the object.
    pub(crate) at: u64,
    /// The sizes, by level.
    pub(crate) sizes: Vec<f32>,
}

/// Finds the screen sizes of a mesh by its material slots, which fill the object up to its last byte; none if they do
/// not, or several numbers of slots fit.
///
/// # Errors
/// If the package cannot be read, or takes more than the limits allow.
pub(crate) fn screen_sizes(
    package: &AssetPackage,
    object: &[u8],
    limits: &mut Limits,
) -> Result<Option<ScreenSizes>, Error> {
    let source = Memory(object);
    let end = object.len() as u64;
    let mut found = None;
    for (has_overlay, size) in SLOTS {
        for count in 1..=MAX_SLOTS {
            let Some(at) = end.checked_sub(count.saturating_mul(size).saturating_add(4)) else { break };
            let mut bytes = Reader::new(&source, WHAT, at, end);
            if u64::from(bytes.u32()?) != count {
                continue;
            }
            let has_doubles = package.version().has_large_coordinates();
            let mut reader =
                MeshReader { source: &source, bytes, names: package.names(), limits, has_doubles };
            let slots =
                (0..count).try_for_each(|_| stored_material(&mut reader, has_overlay, package).map(drop));
            match slots {
                Ok(()) => {}
                Err(error) if matches!(error.kind(), ErrorKind::OverLimit { .. } | ErrorKind::Io(_)) => {
                    return Err(error);
                }
                Err(_) => continue,
            }
            let before = usize::try_from(at).ok().and_then(|at| object.get(..at)).unwrap_or_default();
            let Some(sizes) = sizes_before(before) else { continue };
            if found.replace(sizes).is_some() {
                return Ok(None);
            }
        }
    }
    Ok(found)
}

/// Reads the screen sizes before the number of slots, which end with no wind of trees and, in later releases, two flags
/// before that.
fn sizes_before(bytes: &[u8]) -> Option<ScreenSizes> {
    let bytes = bytes.strip_suffix(&[0; 4])?;
    let flags = bytes.split_last_chunk::<2>();
    let later = flags.filter(|(_, flags)| flags.iter().all(|flags| *flags <= 15)).map(|(bytes, _)| bytes);
    let mut found = [Some(bytes), later].into_iter().flatten().filter_map(pairs_before);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Reads the pairs that bytes end with: as many as there are levels, or twice as many.
fn pairs_before(bytes: &[u8]) -> Option<ScreenSizes> {
    let pairs: Vec<f32> = bytes.rchunks_exact(PAIR).take(2 * LEVELS + 1).map_while(pair).collect();
    let has_values = match pairs.len() {
        LEVELS => false,
        count if count == 2 * LEVELS => true,
        _ => return None,
    };
    let step = if has_values { 2 } else { 1 };
    let sizes: Vec<f32> = pairs.iter().rev().step_by(step).copied().collect();
    let at = bytes.len().checked_sub(pairs.len().checked_mul(PAIR)?)? as u64;
    sizes.iter().all(|size| *size >= 0.0).then_some(ScreenSizes { has_values, at, sizes })
}

/// Reads a flag that is 1, and a finite number.
fn pair(bytes: &[u8]) -> Option<f32> {
    let (flag, number) = bytes.split_first_chunk::<4>()?;
    let number = f32::from_le_bytes(*number.first_chunk()?);
    (*flag == 1_u32.to_le_bytes() && number.is_finite()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(count: u16) -> Vec<u8> {
        (0..count).flat_map(|size| [1_u32.to_le_bytes(), f32::from(size).to_le_bytes()].concat()).collect()
    }

    #[test]
    fn eight_pairs_are_sizes_and_sixteen_have_values_for_the_platform() {
        for (count, has_values) in
            [(7, None), (8, Some(false)), (9, None), (15, None), (16, Some(true)), (17, None)]
        {
            for flags in [&[][..], &[5, 0]] {
                let bytes = [&[0xAA; 3][..], &pairs(count), flags, &[0; 4]].concat();
                let found = sizes_before(&bytes);
                assert_eq!(found.as_ref().map(|found| found.has_values), has_values, "{count}");
                if let Some(found) = found {
                    let step = if found.has_values { 2.0 } else { 1.0 };
                    assert_eq!((found.at, found.sizes[1]), (3, step));
                }
            }
        }
    }

    #[test]
    fn wind_of_trees_or_a_number_that_is_none_leaves_the_sizes_unknown() {
        let with = |tail: &[u8]| [&pairs(8)[..], tail].concat();
        assert_eq!(sizes_before(&with(&[1, 0, 0, 0])), None);
        assert_eq!(sizes_before(&with(&[16, 0, 0, 0, 0, 0])), None);
        let mut bytes = with(&[0; 4]);
        bytes[4..8].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(sizes_before(&bytes), None);
        bytes[4..8].copy_from_slice(&(-1.0_f32).to_le_bytes());
        assert_eq!(sizes_before(&bytes), None);
    }
}
