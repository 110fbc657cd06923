//! Files written into a pak.

use std::fs;
use std::io::{Seek, Write};
use std::num::NonZeroUsize;
use std::thread;

use unreal::WriteError;
use unreal::containers::pak::{PakOptions, PakWriter};

use super::pipeline::{FilePiece, Pipeline};
use super::write_behind::WriteBehind;
use super::{PackError, PackedFile};

/// Bytes of a piece of what is not compressed: whole blocks of a cipher.
const PLAIN_PIECE: u64 = 96 << 10;

/// Writes files into a pak. An entry is compressed if that is worth it for its first block. `report` is called with
/// the bytes of each piece that was written; where it returns false, packing ends, and nothing is returned.
///
/// # Errors
/// [`PackError`] of the first file that cannot be read or has changed since it was found, or why the pak cannot be
/// written.
pub fn pack_pak<W: Write + Seek + Send>(
    files: &[PackedFile],
    out: W,
    options: PakOptions,
    threads: NonZeroUsize,
    report: &dyn Fn(u64) -> bool,
) -> Result<Option<W>, PackError> {
    thread::scope(|scope| {
        let out = WriteBehind::seekable(scope, out);
        match write(files, out, options, threads, report)? {
            Some(out) => Ok(Some(out.into_inner().map_err(WriteError::from)?)),
            None => Ok(None),
        }
    })
}

/// Writes files into a pak, one piece after another.
fn write<W: Write + Seek>(
    files: &[PackedFile],
    out: W,
    options: PakOptions,
    threads: NonZeroUsize,
    report: &dyn Fn(u64) -> bool,
) -> Result<Option<W>, PackError> {
    let (form, method, encryption) = (options.form, options.method, options.encryption.clone());
    let mut writer = PakWriter::new(out, options)?;
    let piece_size = |size: u64| if method.is_some() { form.block_size(size) } else { PLAIN_PIECE };
    let pipeline = Pipeline { files, method, threads, report };
    let mut is_compressed = false;
    let is_whole = pipeline.run(piece_size, |file, piece| {
        let FilePiece { plain, compressed, is_first, is_last } = piece;
        if is_first {
            let is_worth = |compressed: &Vec<u8>| writer.is_worth(plain.len(), compressed.len());
            is_compressed = compressed.as_deref().is_some_and(is_worth);
            let content = match &encryption {
                Some(encryption) if encryption.counts => content(file)?,
                _ => Vec::new(),
            };
            writer.begin(&file.entry, file.size, is_compressed, &content)?;
        }
        if !plain.is_empty() {
            writer.block(compressed.filter(|_| is_compressed).unwrap_or(plain))?;
        }
        if is_last {
            writer.end()?;
        }
        Ok(is_compressed)
    })?;
    if !is_whole {
        return Ok(None);
    }
    files.iter().try_for_each(PackedFile::check_unchanged)?;
    Ok(Some(writer.finish()?))
}

/// Returns what tells the content of a file from others: its hash.
fn content(file: &PackedFile) -> Result<Vec<u8>, PackError> {
    let failed = |error| PackError::Read(file.file.clone(), error);
    let mut hasher = blake3::Hasher::new();
    match &file.bytes {
        Some(bytes) => hasher.update(bytes),
        None => hasher.update_reader(fs::File::open(&file.file).map_err(failed)?).map_err(failed)?,
    };
    Ok(hasher.finalize().as_bytes().to_vec())
}
