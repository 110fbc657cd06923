//! Data of a recording, and what says where it lies, put in the place of others.

use super::{NewRecording, ReplaceError, Replaced, bytes};
use crate::base::writer::narrow;
use crate::ue4to6::bulk::BulkFile;
use crate::ue4to6::class::bulk_writer::{BulkWriter, ChangedObject};
use crate::ue4to6::class::sound_wave::{SoundWave, WaveChunk};
use crate::ue4to6::package::AssetPackage;

/// A recording that is being written.
pub(super) struct WaveWriter<'w> {
    pub(super) package: &'w AssetPackage,
    pub(super) export: usize,
    pub(super) wave: &'w SoundWave,
    pub(super) format: &'static str,
    pub(super) bulk: BulkWriter<'w>,
}

impl WaveWriter<'_> {
    /// Returns a chunk that lies in a file of its own.
    fn outside(&self) -> Option<&WaveChunk> {
        self.wave.chunks.iter().find(|chunk| chunk.place != BulkFile::Inline)
    }

    fn write_format(&mut self) -> Result<(), ReplaceError> {
        if self.wave.format == self.format {
            // With all that says how it was made.
            let at = self.wave.begin.saturating_add(4);
            self.bulk.object.bytes(&bytes(self.package, at..at.saturating_add(8))?);
            return Ok(());
        }
        Ok(self.bulk.edit.names.write(self.format, &mut self.bulk.object)?)
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
        self.bulk.object.count("chunks", parts.len())?;
        self.write_format()?;
        for (like, part) in parts {
            let size = narrow("bytes of a chunk", part.len() as u64)?;
            self.bulk.object.u32(like.flags & !FLAG_FIRST_FRAME);
            self.bulk.write(&like.bulk, part)?;
            self.bulk.object.u32(size);
            if self.wave.has_filler {
                self.bulk.object.u32(size);
            }
        }
        Ok(())
    }

    pub(super) fn in_one_piece(&mut self, recording: &NewRecording<'_>) -> Result<(), ReplaceError> {
        const GUID: u64 = 16;
        let like = self.wave.chunks.first().copied();
        let like = like.ok_or(ReplaceError::Unsupported("it has no data"))?;
        self.bulk.object.u32(1);
        self.write_format()?;
        self.bulk.write(&like.bulk, &[recording.header, &recording.chunks.concat()].concat())?;
        let end = self.package.range(self.export)?.end;
        self.bulk.object.bytes(&bytes(self.package, end.saturating_sub(GUID)..end)?);
        Ok(())
    }

    /// Puts the object, whose properties have `values_length` bytes, into the package.
    pub(super) fn finish(self, values_length: u64) -> Result<Replaced, ReplaceError> {
        let place = self.outside().map(|chunk| chunk.place);
        let ChangedObject { files, data } = self.bulk.finish(Some(values_length))?;
        let data = data.into_iter().find(|file| Some(file.place) == place);
        Ok(Replaced { files, data, is_editor: false })
    }
}
