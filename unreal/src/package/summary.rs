use std::fmt;

use crate::error::Error;
use crate::limits::Limits;
use crate::package::Rows;
use crate::reader::Reader;
use crate::source::Source;
use crate::version::{Layout, Lineage};

/// What stands at the start of a package (Epic: `FPackageFileSummary`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Package flags; bit 0 lets clients download it.
    pub flags: u32,
    /// The name table.
    pub names: Table,
    /// The export table.
    pub exports: Table,
    /// The import table.
    pub imports: Table,
    /// What tells this package from others of the same name: stated, or the last of the heritage. None if the
    /// heritage is empty.
    pub guid: Option<Guid>,
    /// Table sizes of this package and its predecessors, oldest first; empty where there is a heritage instead.
    pub generations: Vec<Generation>,
    /// GUIDs of this package and its predecessors, oldest first; empty where there are generations instead.
    pub heritage: Vec<Guid>,
}

/// Where a table is and how many entries it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Number of entries.
    pub count: u32,
    /// Place of the first entry in the file.
    pub at: u32,
}

/// How large the tables of a package's generation were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Entries of the export table.
    pub exports: u32,
    /// Entries of the name table.
    pub names: u32,
}

/// A globally unique identifier, as four numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guid([u32; 4]);

impl Guid {
    /// That identifier.
    #[must_use]
    pub const fn new(words: [u32; 4]) -> Self {
        Self(words)
    }

    /// Its four numbers.
    #[must_use]
    pub const fn words(self) -> [u32; 4] {
        self.0
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self([reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?]))
    }
}

/// 32 hexadecimal digits with dashes: `00112233-4455-6677-8899-AABBCCDDEEFF`.
impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        let (high, low) = (|word: u32| word >> 16, |word: u32| word & 0xFFFF);
        write!(f, "{a:08X}-{:04X}-{:04X}-{:04X}-{:04X}{d:08X}", high(b), low(b), high(c), low(c))
    }
}

/// Reads the summary: a fixed start, then heritage or GUID and generations.
///
/// Source: Unreal Wiki, *Unreal package*, "Package header"; versions 68 and 69 measured.
pub(super) fn read(source: &dyn Source, layout: &Layout, limits: &mut Limits) -> Result<Summary, Error> {
    let mut reader = Reader::new(source, "summary", 0, source.len());
    // Tag and version were read to know the layout.
    reader.skip(8)?;
    let flags = reader.u32()?;
    let names = read_table(&mut reader)?;
    let exports = read_table(&mut reader)?;
    let imports = read_table(&mut reader)?;
    let mut summary =
        Summary { flags, names, exports, imports, guid: None, generations: Vec::new(), heritage: Vec::new() };
    match layout.lineage {
        Lineage::Heritage => {
            let table = read_table(&mut reader)?;
            summary.heritage = read_heritage(source, table, limits)?;
            summary.guid = summary.heritage.last().copied();
        }
        Lineage::Generations => {
            summary.guid = Some(Guid::read(&mut reader)?);
            summary.generations = read_generations(&mut reader, limits)?;
        }
    }
    Ok(summary)
}

fn read_table(reader: &mut Reader<'_>) -> Result<Table, Error> {
    Ok(Table { count: reader.u32()?, at: reader.u32()? })
}

fn read_heritage(source: &dyn Source, table: Table, limits: &mut Limits) -> Result<Vec<Guid>, Error> {
    const ROWS: Rows = Rows { what: "heritage table", row: "heritage", smallest: 16 };
    ROWS.read_table(source, table, limits, |reader, _| Guid::read(reader))
}

fn read_generations(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<Vec<Generation>, Error> {
    const ROWS: Rows = Rows { what: "summary", row: "generation", smallest: 8 };
    let count = reader.count(ROWS.smallest)?;
    ROWS.read(reader, count, limits, |reader, _| {
        Ok(Generation { exports: reader.u32()?, names: reader.u32()? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guid_is_shown_as_32_digits_in_the_order_of_its_numbers() {
        let guid = Guid::new([0x0011_2233, 0x4455_6677, 0x8899_AABB, 0xCCDD_EEFF]);
        assert_eq!(guid.to_string(), "00112233-4455-6677-8899-AABBCCDDEEFF");
    }
}
