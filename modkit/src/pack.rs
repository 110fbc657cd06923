//! Files of a folder written into a container.
//!
//! ```text
//! files ──► pieces ──► read and compressed side by side ──► written one after another
//! ```
//!
//! Memory does not grow with the files, and the same files give the same bytes, on however many threads.

use std::fmt;
use std::io::{self, Seek, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::{fs, thread};

use unreal::container::pak::{PakOptions, PakWriter};
use unreal::{FileSource, Method, Source as _, WriteError};

use crate::parallel::for_each;

/// A file that becomes an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedFile {
    /// Where it lies.
    pub file: PathBuf,
    /// What the entry is called below the mount point, with `/` between folders.
    pub entry: String,
    /// Its bytes.
    pub size: u64,
}

/// Why files were not packed.
#[derive(Debug)]
#[non_exhaustive]
pub enum PackError {
    /// A file or folder cannot be read.
    Read(PathBuf, io::Error),
    /// The name of a file is no Unicode, so it cannot be stored.
    Name(PathBuf),
    /// The container cannot hold it, or not be written.
    Write(WriteError),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Name(path) => write!(f, "{} has a name that cannot be stored", path.display()),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PackError {}

impl From<WriteError> for PackError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

/// Returns the files below a folder, by their names. Links to folders are not followed: they can lead in circles.
///
/// # Errors
/// [`PackError`] for the first file or folder that cannot be read or named.
pub fn files(folder: &Path) -> Result<Vec<PackedFile>, PackError> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(below) = folders.pop() {
        let failed = |error| PackError::Read(below.clone(), error);
        for entry in fs::read_dir(&below).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let failed = |error| PackError::Read(path.clone(), error);
            let metadata = fs::metadata(&path).map_err(failed)?;
            if metadata.is_dir() {
                if !path.is_symlink() {
                    folders.push(path);
                }
            } else if metadata.is_file() {
                let name = path.strip_prefix(folder).unwrap_or(&path);
                let parts = name.components().map(|part| part.as_os_str().to_str());
                let parts: Option<Vec<&str>> = parts.collect();
                let entry = parts.ok_or_else(|| PackError::Name(path.clone()))?.join("/");
                files.push(PackedFile { entry, size: metadata.len(), file: path });
            }
        }
    }
    files.sort_by(|one, other| one.entry.cmp(&other.entry));
    Ok(files)
}

/// Part of a file that is read at once.
#[derive(Clone, Copy)]
struct Piece {
    file: usize,
    from: u64,
    length: usize,
}

/// The bytes of a piece, and what they become.
struct PieceBytes {
    plain: Vec<u8>,
    compressed: Option<Vec<u8>>,
}

/// Bytes of pieces that are worked on side by side.
const TOGETHER: u64 = 16 << 20;
/// Bytes of a piece of what is not compressed.
const PLAIN_PIECE: u64 = 96 << 10;

/// Writes files into a pak. An entry is compressed if that is worth it for its first block. `report` is called with the
/// bytes of each piece that was written; where it returns false, packing ends, and nothing is returned.
///
/// # Errors
/// [`PackError`] of the first file that cannot be read, or why the pak cannot be written.
pub fn pack_pak<W: Write + Seek>(
    files: &[PackedFile],
    out: W,
    options: PakOptions,
    threads: NonZeroUsize,
    report: &dyn Fn(u64) -> bool,
) -> Result<Option<W>, PackError> {
    let (method, encryption) = (options.method, options.encryption.clone());
    let mut writer = PakWriter::new(out, options)?;
    let piece_size = |size: u64| match method {
        Some(_) => writer.block_size(size),
        None => PLAIN_PIECE,
    };
    let batches = batches(files, piece_size);
    let (sender, receiver) = sync_channel(1);
    let batches = &batches;
    // What is known to be stored as it is need not be compressed to its end.
    let is_stored: Vec<AtomicBool> = files.iter().map(|_| AtomicBool::new(false)).collect();
    let is_stored = &is_stored;
    thread::scope(|scope| {
        scope.spawn(move || {
            for batch in batches {
                let method = |file: usize| method.filter(|_| !is_stored[file].load(Ordering::Relaxed));
                // Whoever writes may have failed.
                if sender.send(read(files, batch, &method, threads)).is_err() {
                    return;
                }
            }
        });
        let mut is_compressed = false;
        for (batch, read) in batches.iter().zip(receiver) {
            for (piece, bytes) in batch.iter().zip(read) {
                let file = &files[piece.file];
                let PieceBytes { plain, compressed } =
                    bytes.map_err(|error| PackError::Read(file.file.clone(), error))?;
                if piece.from == 0 {
                    is_compressed = compressed
                        .as_ref()
                        .is_some_and(|compressed| writer.is_worth(plain.len(), compressed.len()));
                    is_stored[piece.file].store(!is_compressed, Ordering::Relaxed);
                    let content = match &encryption {
                        Some(encryption) if encryption.counts => content(file)?,
                        _ => Vec::new(),
                    };
                    writer.begin(&file.entry, file.size, is_compressed, &content)?;
                }
                let length = plain.len() as u64;
                if length > 0 {
                    writer.block(compressed.filter(|_| is_compressed).unwrap_or(plain))?;
                }
                if piece.from + length == file.size {
                    writer.end()?;
                }
                if !report(length) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(writer.finish()?))
    })
}

/// Returns the pieces of all files, those together that are worked on at once.
fn batches(files: &[PackedFile], piece_size: impl Fn(u64) -> u64) -> Vec<Vec<Piece>> {
    let (mut batches, mut batch, mut bytes) = (Vec::new(), Vec::new(), 0);
    for (number, file) in files.iter().enumerate() {
        let size = piece_size(file.size);
        let mut from = 0;
        loop {
            let length = (file.size - from).min(size);
            batch.push(Piece { file: number, from, length: usize::try_from(length).unwrap_or(usize::MAX) });
            bytes += length;
            from += length;
            if bytes >= TOGETHER || batch.len() >= 1024 {
                batches.push(std::mem::take(&mut batch));
                bytes = 0;
            }
            if from >= file.size {
                break;
            }
        }
    }
    batches.push(batch);
    batches
}

/// Reads pieces, and compresses them, side by side.
fn read(
    files: &[PackedFile],
    batch: &[Piece],
    method: &(dyn Fn(usize) -> Option<Method> + Sync),
    threads: NonZeroUsize,
) -> Vec<io::Result<PieceBytes>> {
    let results: Mutex<Vec<Option<io::Result<PieceBytes>>>> =
        Mutex::new(batch.iter().map(|_| None).collect());
    for_each(batch.len(), threads, |number| {
        let piece = batch[number];
        let result = read_one(&files[piece.file], piece, method(piece.file));
        results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(result);
        true
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let missing = || Err(io::Error::other("it was not read"));
    results.into_iter().map(|result| result.unwrap_or_else(missing)).collect()
}

fn read_one(file: &PackedFile, piece: Piece, method: Option<Method>) -> io::Result<PieceBytes> {
    let mut plain = vec![0; piece.length];
    let source = FileSource::open(&file.file)?;
    if source.len() != file.size {
        return Err(io::Error::other("it has another length than before"));
    }
    source.read_at(piece.from, &mut plain)?;
    let compressed = method.map(|method| method.compress(&plain)).transpose().map_err(io::Error::other)?;
    Ok(PieceBytes { plain, compressed })
}

/// Returns what tells the content of a file from others: its hash.
fn content(file: &PackedFile) -> Result<Vec<u8>, PackError> {
    let failed = |error| PackError::Read(file.file.clone(), error);
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs::File::open(&file.file).map_err(failed)?).map_err(failed)?;
    Ok(hasher.finalize().as_bytes().to_vec())
}
