//! A package of files that is changed: objects take other bytes, and whatever says where something lies follows.
//!
//! ```text
//! header ──► names, rows of data, sizes of objects ──► header, written anew
//! objects ──► some with other bytes ──► objects
//! ```

use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::names::EditableNames;
use crate::base::package_tag::TAG;
use crate::base::writer::{WriteError, narrow};
use crate::ue4to6::asset::{AssetHeader, DataResources, TableKind};
use crate::ue4to6::bulk::{BulkEntry, BulkFile};
use crate::ue4to6::package::{AssetPackage, PackageTables};
use crate::ue4to6::version::AssetVersion;

const WHAT: &str = "package";

/// A package that is being changed.
#[derive(Debug)]
pub(crate) struct AssetEdit {
    header: AssetHeader,
    /// All objects, and what follows them, without the mark of the end.
    objects: Vec<u8>,
    has_mark: bool,
    /// Where data after objects begins, counted from the first one.
    bulk_at: u64,
    /// That from the beginning of the header on, where it stays as it is: what objects say of places in other files
    /// counts from there, and only the sound that is changed is looked into.
    fixed_bulk_at: Option<u64>,
    pub(crate) names: EditableNames,
}

/// The files of a package.
#[derive(Debug)]
pub struct AssetFiles {
    /// The header, as `.uasset` or `.umap`.
    pub header: Vec<u8>,
    /// The objects, as `.uexp`.
    pub objects: Vec<u8>,
}

impl AssetEdit {
    /// Reads a package of files whole.
    ///
    /// # Errors
    /// If it is none, cannot be read, objects lie outside of it, or it is larger than the limits allow.
    pub(crate) fn new(package: &AssetPackage, limits: &mut Limits) -> Result<Self, Error> {
        let no_form = || Error::malformed(Malformed::NoFormFits, 0, WHAT);
        let PackageTables::Asset(tables) = package.tables() else { return Err(no_form()) };
        let mut header = AssetHeader::read(package.source(), Some(tables.version()), limits)?;
        header.open()?;
        let begin = header.package.summary.header_size;
        let length = package.source().len().saturating_sub(begin);
        limits.take(length, begin, WHAT)?;
        let mut objects = vec![0; usize::try_from(length).unwrap_or_default()];
        package.source().read_at(begin, &mut objects).map_err(|error| Error::from_io(error, begin, WHAT))?;
        let has_mark = objects.ends_with(&TAG.to_le_bytes());
        if has_mark {
            objects.truncate(objects.len().saturating_sub(size_of_val(&TAG)));
        }
        for export in &mut header.package.exports {
            let outside = Malformed::OutsideFile { end: export.offset.saturating_add(export.size), length };
            let at = export
                .offset
                .checked_sub(begin)
                .filter(|at| at.checked_add(export.size).is_some_and(|end| end <= objects.len() as u64));
            export.offset = at.ok_or_else(|| Error::malformed(outside, begin, WHAT))?;
        }
        let names = header.name_table();
        Ok(Self::of(header, objects, has_mark, names))
    }

    /// Creates one of a header whose exports count from the first object on, and of the objects.
    fn of(header: AssetHeader, objects: Vec<u8>, has_mark: bool, names: EditableNames) -> Self {
        let summary = &header.package.summary;
        let bulk_at = summary.bulk_at.saturating_sub(summary.header_size);
        let has_data_after = bulk_at < objects.len() as u64;
        let is_fixed = !header.package.version().has_data_resources() && !has_data_after;
        let fixed_bulk_at = is_fixed.then_some(summary.bulk_at);
        Self { header, objects, has_mark, bulk_at, fixed_bulk_at, names }
    }

    /// Creates one of a header and of parts of its objects, of which some have other bytes than the header says: each
    /// part with the number of its export, if it is one, and how many of its bytes are properties. `names` are those
    /// that the parts refer to.
    ///
    /// # Errors
    /// If a table of the header has other parts than those that are known.
    pub(crate) fn of_parts(
        mut header: AssetHeader,
        parts: Vec<(Option<usize>, u64, Vec<u8>)>,
        names: EditableNames,
    ) -> Result<Self, Error> {
        header.open()?;
        let mut objects = Vec::new();
        let (mut before, mut moved) = (0_u64, MovedOffsets::default());
        for (number, values, bytes) in parts {
            let (begin, size) = (objects.len() as u64, bytes.len() as u64);
            let export = number.and_then(|number| header.package.exports.get_mut(number));
            let old = export.as_ref().map_or(size, |export| export.size);
            before = before.saturating_add(old);
            moved.add(before, begin.saturating_add(size));
            if let Some(export) = export {
                if export.script != [0, 0] && old != size {
                    export.script = [0, values];
                }
                (export.offset, export.size) = (begin, size);
            }
            objects.extend(bytes);
        }
        let has_mark = objects.ends_with(&TAG.to_le_bytes());
        if has_mark {
            objects.truncate(objects.len().saturating_sub(size_of_val(&TAG)));
        }
        let mut edit = Self::of(header, objects, has_mark, names);
        edit.bulk_at = moved.offset(edit.bulk_at);
        for row in edit.rows().into_iter().flatten().filter(|row| row.place == BulkFile::Inline) {
            row.offset = moved.offset(row.offset);
        }
        Ok(edit)
    }

    pub(crate) fn version(&self) -> AssetVersion {
        self.header.package.version()
    }

    /// Returns where an object begins, counted from the first one.
    pub(crate) fn offset(&self, export: usize) -> u64 {
        self.header.package.exports.get(export).map_or(0, |export| export.offset)
    }

    /// Returns where data lies, if a table says so.
    pub(crate) fn rows(&mut self) -> Option<&mut Vec<BulkEntry>> {
        self.header.package.bulk.as_mut().map(|table: &mut DataResources| &mut table.entries)
    }

    /// Gives an object other bytes; what lies after it moves. `values` is how many of them are properties, none if as
    /// many as before.
    pub(crate) fn set_object(&mut self, number: usize, bytes: Vec<u8>, values: Option<u64>) {
        let Some(export) = self.header.package.exports.get_mut(number) else { return };
        let (begin, end) = (export.offset, export.offset.saturating_add(export.size));
        let size = bytes.len() as u64;
        if let Some(values) = values.filter(|_| export.script != [0, 0]) {
            export.script = [0, values];
        }
        export.size = size;
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(self.objects.len());
        self.objects.splice(place(begin)..place(end), bytes);
        let moved = |at: u64| match at >= end {
            true => at.saturating_sub(end).saturating_add(begin).saturating_add(size),
            false => at,
        };
        for (other, export) in self.header.package.exports.iter_mut().enumerate() {
            if other != number {
                export.offset = moved(export.offset);
            }
        }
        self.bulk_at = moved(self.bulk_at);
        for row in self.rows().into_iter().flatten().filter(|row| row.place == BulkFile::Inline) {
            row.offset = moved(row.offset);
        }
    }

    /// Returns what places in other files count from that objects state themselves; none if that changes with them.
    pub(crate) const fn fixed_bulk_at(&self) -> Option<u64> {
        self.fixed_bulk_at
    }

    /// Returns how long the objects are with all that follows them, without the mark of the end.
    pub(crate) fn len(&self) -> u64 {
        self.objects.len() as u64
    }

    /// Returns where data after objects begins, counted from the first one.
    pub(crate) const fn bulk_at(&self) -> u64 {
        self.bulk_at
    }

    /// Puts bytes in the place of all that comes after an offset, counted from the first object on.
    pub(crate) fn replace_rest(&mut self, from: u64, bytes: &[u8]) {
        self.objects.truncate(usize::try_from(from).unwrap_or(usize::MAX));
        self.objects.extend_from_slice(bytes);
    }

    /// Returns where the data of others ends in the file of bulk data, given the rows that are not theirs.
    pub(crate) fn end_of_data(&mut self, place: BulkFile, own: &[usize]) -> u64 {
        let rows = self.rows().map(|rows| &rows[..]).unwrap_or_default();
        let others =
            rows.iter().enumerate().filter(|(number, row)| row.place == place && !own.contains(number));
        others.map(|(_, row)| row.offset.saturating_add(row.size)).max().unwrap_or_default()
    }

    /// Returns the files of the package.
    ///
    /// # Errors
    /// [`WriteError`] if something is more than the version can state.
    pub(crate) fn finish(self) -> Result<AssetFiles, WriteError> {
        let Self { mut header, mut objects, has_mark, bulk_at, fixed_bulk_at, names } = self;
        let mut names = names;
        header.package.needed_names().for_each(|name| names.need(name));
        let before = header.package.names.iter().len();
        let (names, referenced) = names.finish();
        let count = narrow("names", names.iter().len() as u64)?;
        let has_new = before != names.iter().len();
        header.package.names = names;
        let summary = &mut header.package.summary;
        if summary.names_referenced > 0 {
            summary.names_referenced = narrow("names", referenced as u64)?;
        }
        if let Some([_, names]) = summary.generations.last_mut().filter(|_| has_new) {
            *names = count;
        }
        let mut table = summary.tables.get(TableKind::Names);
        table.count = count;
        summary.tables.set(TableKind::Names, table);
        let before = header.package.summary.bulk_at;
        header.settle(bulk_at)?;
        let moved = header.package.summary.bulk_at.wrapping_sub(before);
        // The trailer follows the objects, behind the tag that ends them.
        let mut trailer = header.package.summary.tables.get(TableKind::Payloads);
        if header.package.trailer_offset().is_some_and(|at| at >= before) {
            trailer.at = trailer.at.wrapping_add(moved);
            header.package.summary.tables.set(TableKind::Payloads, trailer);
        }
        if let Some(fixed) = fixed_bulk_at {
            header.package.summary.bulk_at = fixed;
        }
        let in_other_files = |row: &&mut BulkEntry| {
            row.is_relative() && !matches!(row.place, BulkFile::Inline | BulkFile::EndOfPackage)
        };
        let rows = header.package.bulk.iter_mut().flat_map(|table| &mut table.entries);
        rows.filter(in_other_files).for_each(|row| row.offset = row.offset.wrapping_sub(moved));
        if header.package.version().has_saved_hash() {
            let hash = header.saved_hash(|hasher| {
                hasher.update(&objects);
                Ok::<(), WriteError>(())
            })?;
            header.package.summary.saved_hash = hash;
        }
        if has_mark {
            objects.extend(TAG.to_le_bytes());
        }
        Ok(AssetFiles { header: header.write()?, objects })
    }
}

/// Offsets in a region whose parts have changed their sizes, mapped from before to after.
#[derive(Debug, Default)]
pub(crate) struct MovedOffsets(Vec<(u64, u64)>);

impl MovedOffsets {
    /// Adds where a part ended, and where it ends; parts follow one another.
    pub(crate) fn add(&mut self, before: u64, now: u64) {
        self.0.push((before, now));
    }

    /// Maps an offset: it moves with the end of the last part before it.
    pub(crate) fn offset(&self, offset: u64) -> u64 {
        let parts = self.0.partition_point(|(before, _)| *before <= offset);
        match parts.checked_sub(1).and_then(|part| self.0.get(part)) {
            Some((before, now)) => offset.saturating_sub(*before).saturating_add(*now),
            None => offset,
        }
    }
}
