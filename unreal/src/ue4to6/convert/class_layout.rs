//! Objects in the layout of a game that changed classes of the engine, and back.
//!
//! ```text
//!                 engine 5.3                          Marvel Rivals
//! SkeletalMesh    slot │ slot │ …                     slot, tags │ slot, tags │ …      empty: 4 bytes
//! StaticMesh      8 × (1, size)                       8 × (1, size, 1, value)
//! StringTable     key, text │ key, text │ …           key, text, 0 │ key, text, 0 │ …
//! ```
//!
//! Each is found by proof, never by its index among the exports. What lies behind it moves: objects, inline bulk data,
//! the offset that bulk data counts from.
//!
//! Source: *seeds-to-the-letter*, §2, by `UassetToolRivals` and `CUE4Parse`; no file of the game was at hand.

mod bulk_offsets;
mod splice;

use std::fmt;
use std::ops::Range;

use super::spliced_package::SplicedPackage;
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::source::Source;
use crate::base::writer::WriteError;
use crate::ue4to6::bulk::{BulkEntry, BulkFile};
use crate::ue4to6::class::mesh::{screen_sizes, skeletal_slots};
use crate::ue4to6::class::string_table::table_entries;
use crate::ue4to6::editable::{AssetEdit, resize};
use crate::ue4to6::package::{AssetPackage, CLASS_DEFAULTS, PackageTables};
use crate::ue4to6::version::AssetVersion;
use crate::ue4to6::zen::ZenHeader;
use bulk_offsets::stated_offsets;
use splice::Splice;

const WHAT: &str = "objects of a package";

/// The layout in which classes serialize objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassLayout {
    /// That of the engine.
    Stock,
    /// That of Marvel Rivals.
    Rivals,
}

/// Part of an object whose layout a game changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectPart {
    /// Material slots of a skeletal mesh.
    Slots,
    /// Screen sizes of the levels of a static mesh.
    ScreenSizes,
    /// Entries of a string table.
    Entries,
}

/// An object in another layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedObject {
    /// Object name.
    pub name: String,
    /// The part that changed.
    pub part: ObjectPart,
    /// Number of slots, sizes or entries.
    pub count: usize,
    /// Number of bytes added or removed.
    pub bytes: u64,
}

/// A package whose objects have another layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedObjects {
    /// The header.
    pub header: Vec<u8>,
    /// The objects that changed.
    pub changed: Vec<ChangedObject>,
    /// Where the first object began.
    begin: u64,
    /// By their offsets in the package.
    splices: Vec<Splice>,
}

impl ConvertedObjects {
    /// Returns the objects, and what follows them; given the bytes from the first object on.
    #[must_use]
    pub fn objects<'p>(&self, objects: impl Source + 'p) -> SplicedPackage<'p> {
        splice::spliced(objects, Vec::new(), self.begin..self.begin, &self.splices)
    }

    /// Returns the header and the objects; given all bytes of the package.
    #[must_use]
    pub fn whole<'p>(&self, package: impl Source + 'p) -> SplicedPackage<'p> {
        splice::spliced(package, self.header.clone(), 0..self.begin, &self.splices)
    }
}

/// Errors of changing the layout of objects. The package stays as it is.
#[derive(Debug)]
#[non_exhaustive]
pub enum LayoutError {
    /// The package cannot be read.
    Read(Error),
    /// The header cannot be written.
    Write(WriteError),
    /// An object fits neither layout, or both.
    Unknown(String, ObjectPart),
    /// An object shares its bytes with another one.
    Shared(String),
    /// The header would not be written as it is.
    Header,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Unknown(object, part) => write!(f, "the {part} of {object} have no known form"),
            Self::Shared(object) => write!(f, "{object} shares its bytes with another object"),
            Self::Header => f.write_str("its header has a form that is not written"),
        }
    }
}

impl std::error::Error for LayoutError {}

impl From<Error> for LayoutError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for LayoutError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl fmt::Display for ObjectPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Slots => "slots",
            Self::ScreenSizes => "screen sizes",
            Self::Entries => "entries",
        })
    }
}

impl ObjectPart {
    /// Returns the part that a class of objects has; none if its layout is that of the engine.
    fn of(package: &AssetPackage, export: usize) -> Option<Self> {
        let export = package.export(export).filter(|export| export.flags & CLASS_DEFAULTS == 0)?;
        match export.class?.to_string().as_str() {
            "/Script/Engine.SkeletalMesh" => Some(Self::Slots),
            "/Script/Engine.StaticMesh" => Some(Self::ScreenSizes),
            "/Script/Engine.StringTable" => Some(Self::Entries),
            _ => None,
        }
    }
}

/// Returns whether a package has objects whose layout a game changed.
#[must_use]
pub fn has_layouts(package: &AssetPackage) -> bool {
    (0..package.len()).any(|export| ObjectPart::of(package, export).is_some())
}

/// Changes the layout of the objects of a package; returns none if they have that layout already, or none has a
/// layout that differs. `version` is that of a package in a container that states none.
///
/// # Errors
/// [`LayoutError`] if an object fits neither layout, or the package cannot be read or written.
pub fn to_layout(
    package: &AssetPackage,
    layout: ClassLayout,
    version: AssetVersion,
    limits: &mut Limits,
) -> Result<Option<ConvertedObjects>, LayoutError> {
    let (mut splices, mut changed) = (Vec::new(), Vec::new());
    for export in 0..package.len() {
        let Some(part) = ObjectPart::of(package, export) else { continue };
        let range = package.range(export)?;
        let object = bytes(package, range.clone(), limits)?;
        let found = match part {
            ObjectPart::Slots => slots(package, export, &object, layout, version, limits)?,
            ObjectPart::ScreenSizes => sizes(package, &object, layout, limits)?,
            ObjectPart::Entries => entries(package, export, &object, layout, limits)?,
        };
        let name = || package.export(export).map(|export| export.name.to_owned()).unwrap_or_default();
        let own = found.ok_or_else(|| LayoutError::Unknown(name(), part))?;
        if own.is_empty() {
            continue;
        }
        if !is_alone(package, export, &range) {
            return Err(LayoutError::Shared(name()));
        }
        let bytes = own.iter().map(Splice::size).fold(0, u64::saturating_add);
        changed.push(ChangedObject { name: name(), part, count: own.len(), bytes });
        splices.extend(own.into_iter().map(|splice| splice.moved(range.start)));
    }
    if splices.is_empty() {
        return Ok(None);
    }
    splices.sort_by_key(|splice| splice.at);
    let header = match package.tables() {
        PackageTables::Asset(_) => asset_header(package, &mut splices, limits)?,
        PackageTables::Zen(tables) => {
            let mut header = ZenHeader::read(tables, package.source(), limits)?;
            if header.write()? != bytes(package, 0..package.objects_at(), limits)? {
                return Err(LayoutError::Header);
            }
            let moved = splice::moved_offsets(&splices, package.objects_at());
            resize(&mut header, &sizes_of(package, &splices)?, &moved);
            header.write()?
        }
    };
    Ok(Some(ConvertedObjects { header, changed, begin: package.objects_at(), splices }))
}

/// Returns whether no other object has some of the bytes of an object.
fn is_alone(package: &AssetPackage, export: usize, range: &Range<u64>) -> bool {
    let others = (0..package.len()).filter(|other| *other != export);
    let mut ranges = others.filter_map(|other| package.range(other).ok());
    !ranges.any(|other| other.start < range.end && range.start < other.end)
}

/// Returns the objects that get other sizes, and these.
fn sizes_of(package: &AssetPackage, splices: &[Splice]) -> Result<Vec<(usize, u64)>, Error> {
    let mut sizes = Vec::new();
    for export in 0..package.len() {
        let range = package.range(export)?;
        let old = range.end.saturating_sub(range.start);
        let size = splice::within(splices, &range).iter().fold(old, Splice::grow);
        sizes.extend((size != old).then_some((export, size)));
    }
    Ok(sizes)
}

/// Returns the header of a package of files. Offsets that objects state of data inside them are changed by further
/// splices.
fn asset_header(
    package: &AssetPackage,
    splices: &mut Vec<Splice>,
    limits: &mut Limits,
) -> Result<Vec<u8>, LayoutError> {
    let begin = package.objects_at();
    let moved = splice::moved_offsets(splices, begin);
    let mut edit = AssetEdit::new(package, limits)?;
    let is_inline = |row: &&mut BulkEntry| row.place == BulkFile::Inline;
    let rows = edit.rows().into_iter().flatten().filter(is_inline);
    let offsets: Vec<u64> = rows.map(|row| moved.offset(row.offset)).collect();
    if !package.version().has_data_resources() {
        for export in 0..package.len() {
            let range = package.range(export)?;
            let object = bytes(package, range.clone(), limits)?;
            for (at, stated) in stated_offsets(&object, range.start) {
                let now = moved.offset(stated.saturating_sub(begin)).saturating_add(begin);
                if now != stated && !splices.iter().any(|splice| splice.overlaps(&(at..at.saturating_add(8))))
                {
                    splices.push(Splice { at, removed: 8, inserted: now.to_le_bytes().to_vec() });
                }
            }
        }
        splices.sort_by_key(|splice| splice.at);
    }
    for export in 0..package.len() {
        let range = package.range(export)?;
        let own = splice::within(splices, &range);
        if !own.is_empty() {
            let object = bytes(package, range.clone(), limits)?;
            edit.set_object(export, splice::applied(&object, range.start, own), None);
        }
    }
    for (row, offset) in edit.rows().into_iter().flatten().filter(is_inline).zip(offsets) {
        row.offset = offset;
    }
    Ok(edit.finish()?.header)
}

/// Returns the splices of a skeletal mesh, counted from the object; none if it has no known form.
fn slots(
    package: &AssetPackage,
    export: usize,
    object: &[u8],
    layout: ClassLayout,
    version: AssetVersion,
    limits: &mut Limits,
) -> Result<Option<Vec<Splice>>, Error> {
    let has_overlay = has_overlay(package, version);
    let Some(slots) = skeletal_slots(package, export, object, has_overlay, limits)? else { return Ok(None) };
    let splice = |tags: Range<u64>| match layout {
        ClassLayout::Stock => Splice::removal(tags),
        ClassLayout::Rivals => Splice::insertion(tags.start, vec![0; 4]),
    };
    let is_there = slots.has_tags == (layout == ClassLayout::Rivals);
    Ok(Some(if is_there { Vec::new() } else { slots.tags.into_iter().map(splice).collect() }))
}

/// Returns whether slots refer to an overlay material; `version` is that of a package that states none.
fn has_overlay(package: &AssetPackage, version: AssetVersion) -> bool {
    let is_stated = match package.tables() {
        PackageTables::Asset(_) => true,
        PackageTables::Zen(tables) => tables.summary().stated.is_some(),
    };
    let version = if is_stated { package.version() } else { version };
    version.has_overlay_materials(package.custom_versions())
}

/// Returns the splices of a static mesh, counted from the object; none if it has no known form.
fn sizes(
    package: &AssetPackage,
    object: &[u8],
    layout: ClassLayout,
    limits: &mut Limits,
) -> Result<Option<Vec<Splice>>, Error> {
    /// Bytes of a size, and of its value for the platform.
    const PAIR: u64 = 8;
    /// What a level has no value with.
    const NONE: u32 = 0x5500_0000;
    let Some(found) = screen_sizes(package, object, limits)? else { return Ok(None) };
    if found.has_values == (layout == ClassLayout::Rivals) {
        return Ok(Some(Vec::new()));
    }
    let splice = |(level, size): (u64, &f32)| match layout {
        ClassLayout::Stock => {
            let at = found.at.saturating_add(level.saturating_mul(2 * PAIR)).saturating_add(PAIR);
            Splice::removal(at..at.saturating_add(PAIR))
        }
        ClassLayout::Rivals => {
            let at = found.at.saturating_add(level.saturating_add(1).saturating_mul(PAIR));
            let value = if level == 0 && *size > 0.0 { 0 } else { NONE };
            Splice::insertion(at, [1_u32.to_le_bytes(), value.to_le_bytes()].concat())
        }
    };
    Ok(Some((0..).zip(&found.sizes).map(splice).collect()))
}

/// Returns the splices of a string table, counted from the object; none if it has no known form.
fn entries(
    package: &AssetPackage,
    export: usize,
    object: &[u8],
    layout: ClassLayout,
    limits: &mut Limits,
) -> Result<Option<Vec<Splice>>, Error> {
    let Some(found) = table_entries(package, export, object, limits)? else { return Ok(None) };
    if found.has_zeros == (layout == ClassLayout::Rivals) {
        return Ok(Some(Vec::new()));
    }
    let splice = |end: u64| match layout {
        ClassLayout::Stock => Splice::removal(end..end.saturating_add(4)),
        ClassLayout::Rivals => Splice::insertion(end, vec![0; 4]),
    };
    Ok(Some(found.ends.into_iter().map(splice).collect()))
}

fn bytes(package: &AssetPackage, range: Range<u64>, limits: &mut Limits) -> Result<Vec<u8>, Error> {
    let length = range.end.saturating_sub(range.start);
    limits.take(length, range.start, WHAT)?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    let read = package.source().read_at(range.start, &mut bytes);
    read.map_err(|error| Error::from_io(error, range.start, WHAT))?;
    Ok(bytes)
}
