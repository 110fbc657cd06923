use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::name::NameIndex;
use crate::object::ObjectRef;
use crate::package::{Rows, Table};
use crate::reader::Reader;
use crate::source::Source;

/// An object of this package (Epic: `FObjectExport`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// What it is; none for a class.
    pub class: ObjectRef,
    /// What it inherits from; only classes, structs, states and functions do.
    pub super_object: ObjectRef,
    /// The object it lies in, its group if that is a package; none at the top.
    pub outer: ObjectRef,
    /// Its own name.
    pub name: NameIndex,
    /// Its flags.
    pub flags: ObjectFlags,
    /// Where its body is; none if it has none.
    pub body: Option<Body>,
}

/// Flags of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectFlags(pub u32);

impl ObjectFlags {
    /// Whether a state frame stands in front of its properties (Epic: `RF_HasStack`).
    #[must_use]
    pub const fn has_state_frame(self) -> bool {
        self.0 & 0x0200_0000 != 0
    }
}

/// Where an object's bytes are. As the file states it: they need not lie inside the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// Place of the first byte in the file.
    pub at: u32,
    /// Number of bytes, at least 1.
    pub size: u32,
}

impl Body {
    /// Place of the first byte after it.
    #[must_use]
    pub fn end(self) -> u64 {
        u64::from(self.at).saturating_add(self.size.into())
    }

    /// A reader that sees this body and nothing else.
    pub(crate) fn reader<'s>(self, source: &'s dyn Source, what: &'static str) -> Result<Reader<'s>, Error> {
        let length = source.len();
        if self.end() > length {
            let fault = Malformed::OutsideFile { end: self.end(), length };
            return Err(Error::malformed(fault, self.at.into(), what));
        }
        Ok(Reader::new(source, what, self.at.into(), self.end()))
    }
}

/// Reads the export table.
///
/// Source: Unreal Wiki, *Unreal package*, "Export table"; versions 68 and 69 measured.
pub(super) fn read(source: &dyn Source, table: Table, limits: &mut Limits) -> Result<Vec<Export>, Error> {
    // Four compact indexes, an outer and flags.
    const ROWS: Rows = Rows { what: "export table", row: "export", smallest: 12 };
    ROWS.read_table(source, table, limits, |reader, _| read_export(reader))
}

fn read_export(reader: &mut Reader<'_>) -> Result<Export, Error> {
    Ok(Export {
        class: ObjectRef::from_number(reader.compact()?),
        super_object: ObjectRef::from_number(reader.compact()?),
        outer: ObjectRef::from_number(reader.i32()?),
        name: NameIndex::new(reader.compact()?),
        flags: ObjectFlags(reader.u32()?),
        body: read_body(reader)?,
    })
}

/// The place follows only where the size is not 0.
fn read_body(reader: &mut Reader<'_>) -> Result<Option<Body>, Error> {
    match reader.compact_unsigned()? {
        0 => Ok(None),
        size => Ok(Some(Body { size, at: reader.compact_unsigned()? })),
    }
}
