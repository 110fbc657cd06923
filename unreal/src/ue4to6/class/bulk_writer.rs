//! Bulk data of an object, and what says where it lies, put in the place of others.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

use super::bulk_ref::BulkRef;
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::writer::{ByteWriter, WriteError, narrow};
use crate::ue4to6::bulk::{BulkEntry, BulkFile};
use crate::ue4to6::editable::{AssetEdit, AssetFiles};
use crate::ue4to6::package::AssetPackage;

/// New bytes of a bulk-data file.
#[derive(Debug)]
pub struct NewData {
    /// File that is changed.
    pub place: BulkFile,
    /// Number of bytes to keep from its beginning.
    pub kept: u64,
    /// Bytes to append after those.
    pub bytes: Vec<u8>,
}

/// A package with an object that has other bulk data.
#[derive(Debug)]
pub struct ChangedObject {
    /// Header and objects of the package.
    pub files: AssetFiles,
    /// New bytes of the files beside it; one without bytes is needed no more.
    pub data: Vec<NewData>,
}

/// Errors of changing bulk data.
#[derive(Debug)]
#[non_exhaustive]
pub enum BulkDataError {
    /// The package cannot be read.
    Read(Error),
    /// The package cannot be written.
    Write(WriteError),
    /// The object has something that cannot be changed.
    Unsupported(&'static str),
}

impl fmt::Display for BulkDataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Unsupported(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for BulkDataError {}

impl From<Error> for BulkDataError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for BulkDataError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

/// Reads bytes of a package.
pub(crate) fn bytes(
    package: &AssetPackage,
    range: Range<u64>,
    what: &'static str,
    limits: &mut Limits,
) -> Result<Vec<u8>, Error> {
    let length = range.end.saturating_sub(range.start);
    limits.take(length, range.start, what)?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    let read = package.source().read_at(range.start, &mut bytes);
    read.map_err(|error| Error::from_io(error, range.start, what))?;
    Ok(bytes)
}

/// An object that is written with other bulk data.
#[derive(Debug)]
pub(crate) struct BulkWriter<'w> {
    package: &'w AssetPackage,
    export: usize,
    pub(crate) edit: AssetEdit,
    /// The object so far.
    pub(crate) object: ByteWriter,
    /// Rows of the table that are free.
    rows: VecDeque<u32>,
    /// Rows of data that lies in the object, and where.
    inline: Vec<(usize, u64)>,
    files: Vec<NewData>,
    /// Multiple at which data begins in its file.
    alignment: u64,
}

impl<'w> BulkWriter<'w> {
    /// Begins an object. `old` are the references whose rows and data are replaced, `data_length` returns how long a
    /// file of data beside the package is.
    ///
    /// # Errors
    /// If data lies after the objects of the package.
    pub(crate) fn new(
        package: &'w AssetPackage,
        export: usize,
        mut edit: AssetEdit,
        old: &[BulkRef],
        alignment: u64,
        data_length: &dyn Fn(BulkFile) -> u64,
    ) -> Result<Self, BulkDataError> {
        let rows: VecDeque<u32> = old.iter().filter_map(|data| data.row).collect();
        let own: Vec<usize> = rows.iter().filter_map(|row| usize::try_from(*row).ok()).collect();
        let mut files: Vec<NewData> = Vec::new();
        for place in old.iter().map(|data| data.place).filter(|place| *place != BulkFile::Inline) {
            if place == BulkFile::EndOfPackage {
                let why = "its data lies after the objects of its package";
                return Err(BulkDataError::Unsupported(why));
            }
            if files.iter().any(|file| file.place == place) {
                continue;
            }
            let kept = if edit.rows().is_some() {
                edit.end_of_data(place, &own)
            } else if package.len() == 1 {
                0
            } else {
                // Nobody knows what of it belongs to other objects.
                data_length(place)
            };
            files.push(NewData { place, kept, bytes: Vec::new() });
        }
        Ok(Self {
            package,
            export,
            edit,
            object: ByteWriter::default(),
            rows,
            inline: Vec::new(),
            files,
            alignment,
        })
    }

    /// Keeps all that a file of data has, unless nothing but the data of `old` is in it, as far as no table says so.
    pub(crate) fn keep_others(&mut self, old: &[BulkRef], data_length: &dyn Fn(BulkFile) -> u64) {
        // Data of other objects may be anywhere, and is kept already.
        if self.edit.rows().is_some() || self.package.len() != 1 {
            return;
        }
        for file in &mut self.files {
            let own = old.iter().filter(|data| data.place == file.place);
            let mut own: Vec<(u64, u64)> =
                own.map(|data| (data.offset, data.offset.saturating_add(data.size))).collect();
            own.sort_unstable();
            let length = data_length(file.place);
            own.push((length, length));
            let mut end = 0;
            let has_others = own.iter().any(|(start, after)| {
                // Less is what aligns the next.
                let is_gap = start.saturating_sub(end) >= self.alignment;
                end = end.max(*after);
                is_gap
            });
            file.kept = if has_others { length } else { 0 };
        }
    }

    /// Writes data, and what says where it lies: in the file that other data had.
    ///
    /// # Errors
    /// If there is more of it than can be stated, or its offset is not known.
    pub(crate) fn write(&mut self, like: &BulkRef, data: &[u8]) -> Result<(), BulkDataError> {
        let is_inline = like.place == BulkFile::Inline;
        let size = data.len() as u64;
        let offset = match self.files.iter_mut().find(|file| file.place == like.place) {
            Some(file) if !is_inline => {
                let end = file.kept.saturating_add(file.bytes.len() as u64);
                let offset = end.checked_next_multiple_of(self.alignment.max(1)).unwrap_or(end);
                file.bytes.resize(usize::try_from(offset.saturating_sub(file.kept)).unwrap_or_default(), 0);
                file.bytes.extend_from_slice(data);
                offset
            }
            _ => 0,
        };
        let entry = BulkEntry::new(like.flags, offset, size).plain();
        let begin = self.edit.offset(self.export);
        if let Some(rows) = self.edit.rows() {
            // What says where it lies has four bytes.
            let here = begin.saturating_add(self.object.len()).saturating_add(4);
            let details =
                like.row.and_then(|row| rows.get(usize::try_from(row).ok()?)).map(|row| row.details);
            let mut row = if is_inline { BulkEntry { offset: here, ..entry } } else { entry.absolute() };
            row.details = details.unwrap_or(row.details);
            row.details.uncompressed = size;
            let place = match self.rows.pop_front() {
                Some(place) => place,
                None => {
                    rows.push(row);
                    narrow("data resources", rows.len().saturating_sub(1) as u64)?
                }
            };
            let number = usize::try_from(place).unwrap_or(usize::MAX);
            if let Some(known) = rows.get_mut(number) {
                *known = row;
            }
            if is_inline {
                self.inline.push((number, here));
            }
            self.object.u32(place);
        } else {
            let base = if is_inline || !entry.is_relative() {
                0
            } else {
                let unknown = "its data lies beside other data that cannot be found";
                self.edit.fixed_bulk_at().ok_or(BulkDataError::Unsupported(unknown))?
            };
            let stated = if is_inline {
                // Nobody needs it, so what it counts from stays what it was.
                let here = begin.saturating_add(self.object.len()).saturating_add(entry.written_len());
                let before = like.offset.saturating_sub(self.package.objects_at());
                let moved = here.wrapping_sub(before);
                if like.stated == 0 { 0 } else { like.stated.wrapping_add(moved) }
            } else {
                offset.wrapping_sub(base)
            };
            BulkEntry { offset: stated, ..entry }.write_here(&mut self.object)?;
        }
        if is_inline {
            self.object.bytes(data);
        }
        Ok(())
    }

    /// Puts the object into the package; its properties have `values_length` bytes, none as many as before. Rows that
    /// nothing refers to any more have no data, and are left out at the end of the table.
    ///
    /// # Errors
    /// [`WriteError`] if something is more than the version can state.
    pub(crate) fn finish(self, values_length: Option<u64>) -> Result<ChangedObject, WriteError> {
        let Self { export, mut edit, object, rows: free, inline, files, .. } = self;
        if let Some(rows) = edit.rows() {
            for row in &free {
                if let Some(row) = usize::try_from(*row).ok().and_then(|row| rows.get_mut(row)) {
                    (row.offset, row.size, row.details.uncompressed) = (0, 0, 0);
                }
            }
            let is_free = |row: usize| u32::try_from(row).is_ok_and(|row| free.contains(&row));
            while rows.len().checked_sub(1).is_some_and(is_free) {
                rows.pop();
            }
        }
        edit.set_object(export, object.into_bytes(), values_length);
        // What lies after the object moved, and these lie in it.
        for (row, offset) in inline {
            if let Some(row) = edit.rows().and_then(|rows| rows.get_mut(row)) {
                row.offset = offset;
            }
        }
        Ok(ChangedObject { files: edit.finish()?, data: files })
    }
}
