use std::ops::Range;

use super::name::{NameRef, smallest_index};
use super::{TableLocation, TableRows};
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::object_ref::ObjectRef;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::ue1to3::version::{FlagWidth, Layout, Outers};

/// An object of this package (Epic: `FObjectExport`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// Class of the object; none for a class itself (Epic: `ClassIndex`).
    pub class: ObjectRef,
    /// Super object of classes, structs, states and functions (Epic: `SuperIndex`).
    pub super_object: ObjectRef,
    /// The object it lies in, its group if that is a package; none at the top.
    pub outer: ObjectRef,
    /// Name of the object (Epic: `ObjectName`).
    pub name: NameRef,
    /// The object it is a copy of; none where the format has no such thing.
    pub archetype: ObjectRef,
    /// Flags of the object (Epic: `ObjectFlags`).
    pub flags: ObjectFlags,
    /// Body of the object; none if it has none.
    pub body: Option<ExportBody>,
    /// Flags of its entry; 0 where the format has none.
    pub export_flags: u32,
    /// Flags of the package that it was before it was put into this one; 0 where the format has none.
    pub package_flags: u32,
}

/// Flags of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectFlags {
    /// As they are stored.
    pub bits: u64,
    marks_defaults: bool,
}

impl ObjectFlags {
    /// Returns whether a state frame stands in front of its properties (Epic: `RF_HasStack`).
    #[must_use]
    pub const fn has_state_frame(self) -> bool {
        self.bits & 0x0200_0000 != 0
    }

    /// Returns whether it is no object of its own, but the defaults of a class (Epic: `RF_ClassDefaultObject`).
    ///
    /// Source: own measurement of version 867.
    #[must_use]
    pub const fn holds_defaults(self) -> bool {
        self.marks_defaults && self.bits & 0x200 != 0
    }
}

/// Where an object's bytes are. As the file states it: they need not lie inside the file. A negative number, which no
/// object has, is kept as its bits: it damages its object, not the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportBody {
    /// Place of the first byte in the file.
    pub at: u32,
    /// Number of bytes, not 0.
    pub size: u32,
}

impl ExportBody {
    /// Returns the offset of the first byte after it.
    #[must_use]
    pub fn end(self) -> u64 {
        u64::from(self.at).saturating_add(self.size.into())
    }

    /// # Errors
    /// `Malformed` if it does not lie inside a file of so many bytes.
    pub(crate) fn check(self, length: u64, what: &'static str) -> Result<(), Error> {
        let fault = match [self.size, self.at].map(u32::cast_signed) {
            [size @ ..0, _] => Malformed::Negative(size),
            [_, at @ ..0] => Malformed::Negative(at),
            _ if self.end() > length => Malformed::OutsideFile { end: self.end(), length },
            _ => return Ok(()),
        };
        Err(Error::malformed(fault, self.at.into(), what))
    }

    /// Returns a reader that sees this body and nothing else.
    pub(crate) fn reader<'s>(
        self,
        source: &'s dyn Source,
        layout: &Layout,
        what: &'static str,
    ) -> Result<Reader<'s>, Error> {
        self.check(source.len(), what)?;
        Ok(Reader::new(source, what, self.at.into(), self.end()).with_layout(layout))
    }
}

/// Reads the export table.
///
/// Source: Unreal Wiki, *Unreal package*, "Export table"; versions 35 to 868 measured.
pub(super) fn read(
    source: &dyn Source,
    layout: &Layout,
    table: TableLocation,
    limits: &mut Limits,
) -> Result<Vec<Export>, Error> {
    let rows = TableRows { what: "export table", row: "export", min_size: min_size(layout) };
    rows.read_table(source, layout, table, limits, |reader, _| read_export(reader, layout))
}

/// Returns how many bytes the shortest entry takes.
fn min_size(layout: &Layout) -> u64 {
    let fields = &layout.export;
    let words = [
        layout.outers == Outers::Objects,
        fields.archetype,
        fields.flags == FlagWidth::U64,
        fields.always_placed,
        fields.component_map,
        fields.export_flags,
        fields.package_flags,
    ];
    let words: u64 = words.into_iter().map(|there| if there { 4 } else { 0 }).sum();
    let net_objects: u64 = if fields.net_objects { 20 } else { 0 };
    // Class, super, name, size, and four bytes of flags.
    let indexes = smallest_index(layout).saturating_mul(3).saturating_add(NameRef::min_size(layout));
    indexes.saturating_add(4).saturating_add(words).saturating_add(net_objects)
}

/// Where a row of the table lies, and what of it says where the object does.
#[derive(Clone, Debug)]
pub(super) struct ExportPlace {
    /// All rows.
    pub(super) table: Range<u64>,
    /// Size and place of the object.
    pub(super) body: Range<u64>,
}

/// Finds a row of the table.
///
/// # Errors
/// If there is no such row, or the table cannot be read.
pub(super) fn place(
    source: &dyn Source,
    layout: &Layout,
    table: TableLocation,
    index: usize,
) -> Result<ExportPlace, Error> {
    let mut reader = Reader::new(source, "export table", table.at.into(), source.len()).with_layout(layout);
    let mut body = None;
    for number in 0..table.count as usize {
        let (_, place) = read_row(&mut reader, layout)?;
        if number == index {
            body = Some(place);
        }
    }
    let missing = || reader.error(table.at.into(), Malformed::NoSuchEntry(index as u64));
    Ok(ExportPlace { table: table.at.into()..reader.at(), body: body.ok_or_else(missing)? })
}

fn read_export(reader: &mut Reader<'_>, layout: &Layout) -> Result<Export, Error> {
    Ok(read_row(reader, layout)?.0)
}

/// Reads a row, and where size and place of the object lie in it.
fn read_row(reader: &mut Reader<'_>, layout: &Layout) -> Result<(Export, Range<u64>), Error> {
    let fields = &layout.export;
    let object = |reader: &mut Reader<'_>| reader.index().map(ObjectRef::from_number);
    let word = |reader: &mut Reader<'_>, there: bool| if there { reader.u32() } else { Ok(0) };
    let class = object(reader)?;
    let super_object = object(reader)?;
    let outer = match layout.outers {
        Outers::Names => ObjectRef::None,
        Outers::Objects | Outers::Unknown => ObjectRef::from_number(reader.i32()?),
    };
    let name = NameRef::read(reader, layout)?;
    let archetype = if fields.archetype { ObjectRef::from_number(reader.i32()?) } else { ObjectRef::None };
    let flags = match fields.flags {
        FlagWidth::None => 0,
        FlagWidth::U32 => reader.u32()?.into(),
        FlagWidth::U64 => reader.u64()?,
    };
    let begin = reader.at();
    let size = reader.index()?.cast_unsigned();
    let placed = size > 0 || fields.always_placed;
    let at = if placed { reader.index()?.cast_unsigned() } else { 0 };
    let place = begin..reader.at();
    if fields.component_map {
        let entry = NameRef::min_size(layout).saturating_add(4);
        let components = reader.count(entry)?;
        reader.skip(entry.saturating_mul(components as u64))?;
    }
    let export_flags = word(reader, fields.export_flags)?;
    if fields.net_objects {
        let objects = reader.count(4)?;
        // The numbers and a GUID.
        reader.skip(4_u64.saturating_mul(objects as u64).saturating_add(16))?;
    }
    let package_flags = word(reader, fields.package_flags)?;
    let body = (size > 0).then_some(ExportBody { at, size });
    let flags = ObjectFlags { bits: flags, marks_defaults: fields.default_objects };
    let export =
        Export { class, super_object, outer, name, archetype, flags, body, export_flags, package_flags };
    Ok((export, place))
}
