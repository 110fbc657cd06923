//! Where the material slots of a skeletal mesh end, and whether gameplay tags follow each.
//!
//! ```text
//! strip flags │ bounds │ count │ slot [tags] │ … │ skeleton │ cooked │ number of levels
//!                                    └ what follows proves whether they are there
//! ```
//!
//! Without tags or mappings the properties before cannot be passed over; then every offset is tried, and one must fit.

use std::ops::Range;

use super::skeletal::{FORMS, MAX_LEVELS, SlotForm, materials_and_bones};
use super::{MeshReader, WHAT};
use crate::base::error::{Error, ErrorKind};
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::base::source::Memory;
use crate::ue4to6::package::AssetPackage;
use crate::ue4to6::property::read_object;

/// Most slots of a mesh that is searched for.
const MAX_SLOTS: u32 = 1024;

/// Material slots of a skeletal mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkeletalSlots {
    pub(crate) has_tags: bool,
    /// Bytes of the tags of each slot, counted from the object; empty where they would be.
    pub(crate) tags: Vec<Range<u64>>,
}

/// A form that fits, and what it finds.
type Fit = (SlotForm, SkeletalSlots);

/// Finds the slots of a mesh; none if no form fits, or several do. Slots with and without tags are told apart by what
/// follows them; an empty reference to an overlay material has the same bytes as no tags, and `has_overlay` decides
/// between these.
///
/// # Errors
/// If the package cannot be read, or takes more than the limits allow.
pub(crate) fn skeletal_slots(
    package: &AssetPackage,
    export: usize,
    object: &[u8],
    has_overlay: bool,
    limits: &mut Limits,
) -> Result<Option<SkeletalSlots>, Error> {
    let mut search = Search { package, object: Memory(object), limits };
    let begin = package.range(export)?.start;
    let mut fits = match read_object(package, export, None, search.limits) {
        Ok(stated) => search.fits(stated.end.saturating_sub(begin))?,
        Err(error) if is_final(&error) => return Err(error),
        Err(_) if package.is_unversioned() => search.everywhere()?,
        Err(_) => Vec::new(),
    };
    if fits.len() > 1 && fits.iter().any(|(_, slots)| !slots.tags.is_empty()) {
        fits.retain(|(form, _)| form.has_overlay == has_overlay);
    }
    let only = fits.pop().map(|(_, slots)| slots);
    // A mesh without slots fits every form.
    Ok(only.filter(|slots| fits.is_empty() || slots.tags.is_empty()))
}

fn is_final(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io(_) | ErrorKind::OverLimit { .. })
}

struct Search<'s> {
    package: &'s AssetPackage,
    object: Memory<&'s [u8]>,
    limits: &'s mut Limits,
}

impl Search<'_> {
    fn has_doubles(&self) -> bool {
        self.package.version().has_large_coordinates()
    }

    /// Returns the forms that fit if the mesh begins at `at`.
    fn fits(&mut self, at: u64) -> Result<Vec<Fit>, Error> {
        let mut fits = Vec::new();
        for form in FORMS {
            match self.slots(at, form) {
                Ok(Some(slots)) => fits.push((form, slots)),
                Ok(None) => {}
                Err(error) if is_final(&error) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(fits)
    }

    /// Reads up to the number of levels; returns none if the mesh is not cooked or states no likely number.
    fn slots(&mut self, at: u64, form: SlotForm) -> Result<Option<SkeletalSlots>, Error> {
        let has_doubles = self.has_doubles();
        let mut reader = MeshReader {
            source: &self.object,
            bytes: Reader::new(&self.object, WHAT, at, self.object.0.len() as u64),
            names: self.package.names(),
            limits: self.limits,
            has_doubles,
        };
        let _flags = reader.strip_flags()?;
        let _bounds = reader.bounds()?;
        let (materials, _, is_cooked) = materials_and_bones(&mut reader, form, self.package)?;
        let levels = reader.bytes.u32()?;
        let slots = SkeletalSlots {
            has_tags: form.has_tags,
            tags: materials.into_iter().map(|slot| slot.tags).collect(),
        };
        Ok((is_cooked && (1..=MAX_LEVELS).contains(&levels)).then_some(slots))
    }

    /// Tries every offset at which strip flags, bounds and a number of slots are likely; several that fit are none.
    fn everywhere(&mut self) -> Result<Vec<Fit>, Error> {
        let object = self.object.0;
        let (real, head) = if self.has_doubles() { (8, 2 + 7 * 8) } else { (4, 2 + 7 * 4) };
        let mut found: Vec<Fit> = Vec::new();
        for at in 0..object.len() {
            let split = object.get(at..).and_then(|rest| rest.split_at_checked(head));
            let Some((head, rest)) = split else { break };
            if !is_likely(head, real) || !counts(rest, self.package) {
                continue;
            }
            let fits = self.fits(at as u64)?;
            if !fits.is_empty() && !found.is_empty() {
                return Ok(Vec::new());
            }
            found.extend(fits);
        }
        Ok(found)
    }
}

/// Returns whether bytes may be strip flags and bounds: few flags, finite numbers, and sizes that are not negative.
fn is_likely(head: &[u8], real: usize) -> bool {
    let Some((flags, reals)) = head.split_at_checked(2) else { return false };
    let number = |bytes: &[u8]| match (bytes.first_chunk::<8>(), bytes.first_chunk::<4>()) {
        (Some(double), _) => f64::from_le_bytes(*double),
        (None, Some(single)) => f32::from_le_bytes(*single).into(),
        _ => f64::NAN,
    };
    let is_number = |(index, bytes): (usize, &[u8])| {
        let number = number(bytes);
        number.is_finite() && (index < 3 || number >= 0.0)
    };
    flags.iter().all(|flags| *flags <= 15) && reals.chunks_exact(real).enumerate().all(is_number)
}

/// Returns whether bytes begin with a likely number of slots, and the material and name of the first.
fn counts(rest: &[u8], package: &AssetPackage) -> bool {
    let word =
        |at: usize| rest.get(at..).and_then(|rest| rest.first_chunk()).map(|word| u32::from_le_bytes(*word));
    let (Some(count), Some(name)) = (word(0), word(8)) else { return false };
    (1..=MAX_SLOTS).contains(&count) && package.names().get(name).is_some()
}
