//! Data of a recording, and what says where it lies, put in the place of others.

use std::collections::VecDeque;

use super::{NewData, NewRecording, ReplaceError, Replaced, bytes};
use crate::base::writer::{ByteWriter, narrow};
use crate::ue4to6::bulk::{BulkEntry, BulkFile};
use crate::ue4to6::class::sound_wave::{SoundWave, WaveChunk};
use crate::ue4to6::editable::AssetEdit;
use crate::ue4to6::package::AssetPackage;

/// A recording that is being written.
pub(super) struct WaveWriter<'w> {
    pub(super) package: &'w AssetPackage,
    pub(super) export: usize,
    pub(super) wave: &'w SoundWave,
    pub(super) format: &'static str,
    pub(super) edit: AssetEdit,
    pub(super) object: ByteWriter,
    /// Rows of the table that are free.
    pub(super) rows: VecDeque<u32>,
    /// Rows of data that lies in the object, and where.
    pub(super) inline: Vec<(usize, u64)>,
    pub(super) file: Option<NewData>,
}

impl WaveWriter<'_> {
    /// Finds the file in which data is to lie, and what of it stays.
    pub(super) fn begin_file(&mut self, data_length: &dyn Fn(BulkFile) -> u64) -> Result<(), ReplaceError> {
        let Some(chunk) = self.outside() else { return Ok(()) };
        let place = chunk.place;
        if place == BulkFile::EndOfPackage {
            return Err(ReplaceError::Unsupported("its data lies after the objects of its package"));
        }
        let own: Vec<usize> =
            self.wave.chunks.iter().filter_map(|chunk| usize::try_from(chunk.row?).ok()).collect();
        let kept = if self.edit.rows().is_some() {
            self.edit.end_of_data(place, &own)
        } else if self.package.len() == 1 {
            0
        } else {
            // Nobody knows what of it belongs to other objects.
            data_length(place)
        };
        self.file = Some(NewData { place, kept, bytes: Vec::new() });
        Ok(())
    }

    /// Returns a chunk that lies in a file of its own.
    fn outside(&self) -> Option<&WaveChunk> {
        self.wave.chunks.iter().find(|chunk| chunk.place != BulkFile::Inline)
    }

    fn write_format(&mut self) -> Result<(), ReplaceError> {
        if self.wave.format == self.format {
            // With all that says how it was made.
            let at = self.wave.begin.saturating_add(4);
            self.object.bytes(&bytes(self.package, at..at.saturating_add(8))?);
            return Ok(());
        }
        Ok(self.edit.names.write(self.format, &mut self.object)?)
    }

    pub(super) fn streamed(&mut self, recording: &NewRecording<'_>) -> Result<(), ReplaceError> {
        /// It has a frame that it begins with, which streams of this kind do not need.
        const FLAG_FIRST_FRAME: u32 = 2;
        let first = self.wave.chunks.first().copied();
        let outside = self.outside().copied();
        let has_own_header = first.is_some_and(|first| first.place == BulkFile::Inline);
        let (Some(first), data) = (first, outside.or(first)) else {
            return Err(ReplaceError::Unsupported("it has no chunks"));
        };
        let Some(data) = data else { return Ok(()) };
        let [first_data, others @ ..] = recording.chunks else {
            return Err(ReplaceError::Unsupported("the recording is empty"));
        };
        let with_header = [recording.header, first_data].concat();
        let mut parts: Vec<(WaveChunk, &[u8])> = match has_own_header {
            true => vec![(first, recording.header), (data, first_data)],
            false => vec![(data, &with_header)],
        };
        parts.extend(others.iter().map(|part| (data, *part)));
        self.object.count("chunks", parts.len())?;
        self.write_format()?;
        for (like, part) in parts {
            let size = narrow("bytes of a chunk", part.len() as u64)?;
            self.object.u32(like.flags & !FLAG_FIRST_FRAME);
            self.write_data(like, part)?;
            self.object.u32(size);
            if self.wave.has_filler {
                self.object.u32(size);
            }
        }
        Ok(())
    }

    pub(super) fn in_one_piece(&mut self, recording: &NewRecording<'_>) -> Result<(), ReplaceError> {
        const GUID: u64 = 16;
        let like = self.wave.chunks.first().copied();
        let like = like.ok_or(ReplaceError::Unsupported("it has no data"))?;
        self.object.u32(1);
        self.write_format()?;
        self.write_data(like, &[recording.header, &recording.chunks.concat()].concat())?;
        let end = self.package.range(self.export)?.end;
        self.object.bytes(&bytes(self.package, end.saturating_sub(GUID)..end)?);
        Ok(())
    }

    /// Writes data, and what says where it lies: in the place that other data had.
    fn write_data(&mut self, like: WaveChunk, data: &[u8]) -> Result<(), ReplaceError> {
        let is_inline = like.place == BulkFile::Inline;
        let size = data.len() as u64;
        let offset = match &mut self.file {
            Some(file) if !is_inline => {
                let offset = file.kept.saturating_add(file.bytes.len() as u64);
                file.bytes.extend_from_slice(data);
                offset
            }
            _ => 0,
        };
        let entry = BulkEntry::new(like.bulk_flags, offset, size).plain();
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
                self.edit.fixed_bulk_at().ok_or(ReplaceError::Unsupported(unknown))?
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

    /// Puts the object, whose properties have `values_length` bytes, into the package.
    pub(super) fn finish(self, values_length: u64) -> Result<Replaced, ReplaceError> {
        let Self { export, mut edit, object, rows, inline, file, .. } = self;
        // Rows that nothing refers to any more have no data.
        for row in rows {
            let place = usize::try_from(row).unwrap_or(usize::MAX);
            if let Some(row) = edit.rows().and_then(|rows| rows.get_mut(place)) {
                (row.offset, row.size, row.details.uncompressed) = (0, 0, 0);
            }
        }
        edit.set_object(export, object.into_bytes(), values_length);
        // What lies after the object moved, and these lie in it.
        for (row, offset) in inline {
            if let Some(row) = edit.rows().and_then(|rows| rows.get_mut(row)) {
                row.offset = offset;
            }
        }
        Ok(Replaced { files: edit.finish()?, data: file, is_editor: false })
    }
}
