//! A recording of a package of the editor put in the place of another: a whole WAV file, in the object, after all
//! objects, or in the package trailer.

use super::{NewCodec, NewRecording, ReplaceError, Replaced, bytes, values};
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::package_tag::TAG;
use crate::base::writer::ByteWriter;
use crate::ue4to6::asset::{PackageTrailer, StoredPayload, stored_buffer};
use crate::ue4to6::bulk::{BulkEntry, BulkFile};
use crate::ue4to6::class::sound_wave::{SoundWave, WHAT, WaveChunk, read_uncooked};
use crate::ue4to6::editable::AssetEdit;
use crate::ue4to6::package::AssetPackage;
use crate::ue4to6::property::{ObjectProperties, read_object, with_values};

/// How many bytes a GUID has.
const GUID: usize = 16;

/// Gives an object another recording. `error` is why it has none as cooked packages have it.
pub(super) fn replace(
    package: &AssetPackage,
    export: usize,
    recording: NewRecording<'_>,
    error: Error,
    limits: &mut Limits,
) -> Result<Replaced, ReplaceError> {
    // Those of the editor have tags.
    let Ok(stated) = read_object(package, export, None, limits) else { return Err(error.into()) };
    let wave = read_uncooked(package, export, stated.end, limits)?;
    match recording.codec {
        NewCodec::Pcm | NewCodec::Wav => {}
        NewCodec::Opus => return Err(ReplaceError::Format(wave.format, "Opus stream")),
        NewCodec::Vorbis => return Err(ReplaceError::Format(wave.format, "Ogg Vorbis file")),
    }
    if recording.channels > 2 {
        return Err(ReplaceError::Unsupported("the editor stores more than two channels as a file for each"));
    }
    let mut edit = AssetEdit::new(package, limits)?;
    let new = values(&recording, &wave, "WAV", &stated, edit.version().is_engine_5());
    let properties = with_values(package, export, &stated, None, &new, &mut edit.names);
    let mut object = ByteWriter::default();
    object.bytes(&properties.map_err(ReplaceError::Property)?);
    let values_length = object.len();
    let mut writer = EditorWriter { package, export, stated: &stated, edit, object };
    match (&wave, &wave.chunks[..]) {
        (SoundWave { payload: Some(payload), .. }, _) => {
            writer.in_trailer(payload, recording.file, limits)?;
        }
        (_, [chunk]) => writer.as_bulk_data(*chunk, recording.file)?,
        _ => return Err(ReplaceError::Unsupported("it has no data")),
    }
    let EditorWriter { mut edit, object, .. } = writer;
    edit.set_object(export, object.into_bytes(), Some(values_length));
    Ok(Replaced { files: edit.finish()?, data: None, is_editor: true })
}

struct EditorWriter<'w> {
    package: &'w AssetPackage,
    export: usize,
    stated: &'w ObjectProperties,
    edit: AssetEdit,
    /// The object, its properties written.
    object: ByteWriter,
}

impl EditorWriter<'_> {
    fn copy(&mut self, from: u64, to: u64) -> Result<(), ReplaceError> {
        self.object.bytes(&bytes(self.package, from..to)?);
        Ok(())
    }

    /// Writes a payload of the trailer, stored plain.
    fn in_trailer(
        &mut self,
        payload: &StoredPayload,
        file: &[u8],
        limits: &mut Limits,
    ) -> Result<(), ReplaceError> {
        /// In the trailer, stored plain.
        const FLAGS: u32 = 0x210;
        let source = self.package.source();
        let begin = self.package.trailer_offset().unwrap_or(source.len());
        let trailer = PackageTrailer::read(source, begin, limits)?;
        limits.take(source.len(), begin, WHAT)?;
        let payloads = bytes(self.package, trailer.payloads_offset()..source.len())?;
        let (hash, buffer) = stored_buffer(file);
        let written = trailer.with_payload(&payloads, &payload.hash, (hash, file.len() as u64, &buffer))?;
        // The tag at its end is written when all is.
        let written = written.strip_suffix(&TAG.to_le_bytes()).unwrap_or(&written);
        self.edit.replace_rest(begin.saturating_sub(self.package.objects_at()), written);
        // Cooked or not; flags; a GUID; hash and size; a GUID.
        let after = self.stated.end;
        self.copy(self.stated.values_end, after.saturating_add(4))?;
        self.object.u32(FLAGS);
        self.copy(after.saturating_add(8), after.saturating_add(8).saturating_add(GUID as u64))?;
        self.object.bytes(&hash);
        self.object.u64(file.len() as u64);
        self.write_guid(file);
        Ok(())
    }

    /// Writes the GUID by which the editor finds what it has made of a recording before: another one has another.
    fn write_guid(&mut self, file: &[u8]) {
        let hash = *blake3::hash(file).as_bytes();
        self.object.bytes(hash.first_chunk::<GUID>().map_or(&[], |guid| &guid[..]));
    }

    /// Writes data where it was: in the object, or after all objects.
    fn as_bulk_data(&mut self, chunk: WaveChunk, file: &[u8]) -> Result<(), ReplaceError> {
        let entry = BulkEntry::new(chunk.bulk.flags, 0, file.len() as u64).plain();
        let is_inline = chunk.place == BulkFile::Inline;
        if chunk.bulk.row.is_some() || !matches!(chunk.place, BulkFile::Inline | BulkFile::EndOfPackage) {
            return Err(ReplaceError::Unsupported("its data lies in a file of its own"));
        }
        let end = self.package.range(self.export)?.end.saturating_sub(GUID as u64);
        let record_end = if is_inline { end.saturating_sub(chunk.size) } else { end };
        let record = record_end.saturating_sub(entry.written_len());
        // Its flags come before, and a name in packages before 4.12.
        if ![4, 12].contains(&record.saturating_sub(self.stated.end)) {
            return Err(Error::malformed(Malformed::NoFormFits, record, WHAT).into());
        }
        self.copy(self.stated.values_end, record)?;
        let offset = if is_inline {
            let moved = self.object.len().wrapping_add(self.edit.offset(self.export));
            let before = record.saturating_sub(self.package.objects_at());
            chunk.bulk.stated.wrapping_add(moved).wrapping_sub(before)
        } else {
            if !entry.is_relative() {
                return Err(ReplaceError::Unsupported("its data is not where data after objects begins"));
            }
            let begin = chunk.offset.saturating_sub(self.package.objects_at());
            let is_last = begin.saturating_add(chunk.size) == self.edit.len();
            let begin = if is_last { begin } else { self.edit.len() };
            self.edit.replace_rest(begin, file);
            begin.wrapping_sub(self.edit.bulk_at())
        };
        BulkEntry { offset, ..entry }.write_here(&mut self.object)?;
        if is_inline {
            self.object.bytes(file);
        }
        self.write_guid(file);
        Ok(())
    }
}
