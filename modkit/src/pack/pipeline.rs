//! Files read and compressed side by side, and handed on one after another.
//!
//! ```text
//! files ──► pieces ──► read and compressed side by side ──► handed on in their order
//! ```

use std::collections::HashMap;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use unreal::{Method, Source};

use super::{PackError, PackedFile, convert};
use importer::for_each;

/// Part of a file that is read at once.
#[derive(Clone, Copy)]
struct ReadPiece {
    file: usize,
    from: u64,
    length: usize,
}

/// The bytes of a piece, and what they become.
struct PieceBytes {
    plain: Vec<u8>,
    compressed: Option<Vec<u8>>,
}

/// Bytes of pieces that are worked on side by side: few, so that a processor's cache still holds them when they are
/// written.
const TOGETHER: u64 = 4 << 20;

/// What is done with files in their order.
pub(super) struct Pipeline<'p> {
    pub(super) files: &'p [PackedFile],
    /// What they may be compressed with.
    pub(super) method: Option<Method>,
    pub(super) threads: NonZeroUsize,
    /// Told the bytes of each piece; false ends it.
    pub(super) report: &'p dyn Fn(u64) -> bool,
}

impl Pipeline<'_> {
    /// Hands on each piece of each file, of so many bytes by the size of the file, with what it became. Of a file for
    /// which this returns false no more is compressed. Returns whether it came to its end.
    ///
    /// # Errors
    /// [`PackError`] of the first file that cannot be read, or what handing on gives.
    pub(super) fn run(
        &self,
        piece_size: impl Fn(u64) -> u64,
        mut hand_on: impl FnMut(&PackedFile, FilePiece<'_>) -> Result<bool, PackError>,
    ) -> Result<bool, PackError> {
        let Self { files, method, threads, report } = *self;
        let batches = batches(files, piece_size);
        let (sender, receiver) = sync_channel(1);
        let batches = &batches;
        // What is known to be stored as it is need not be compressed to its end.
        let is_stored: Vec<AtomicBool> = files.iter().map(|_| AtomicBool::new(false)).collect();
        let is_stored = &is_stored;
        let (open_files, spare) = (&OpenFiles::default(), &Spare::default());
        thread::scope(|scope| {
            scope.spawn(move || {
                for batch in batches {
                    let method = |file: usize| method.filter(|_| !is_stored[file].load(Ordering::Relaxed));
                    // Whoever takes them may have failed.
                    if sender.send(read(files, batch, &method, threads, (open_files, spare))).is_err() {
                        return;
                    }
                }
            });
            for (batch, read) in batches.iter().zip(receiver) {
                for (piece, bytes) in batch.iter().zip(read) {
                    let file = &files[piece.file];
                    let PieceBytes { mut plain, mut compressed } = bytes?;
                    let length = plain.len() as u64;
                    let (is_first, is_last) = (piece.from == 0, piece.from + length == file.size);
                    let compressed = compressed.as_mut();
                    let piece_of_file = FilePiece { plain: &mut plain, compressed, is_first, is_last };
                    let is_compressed = hand_on(file, piece_of_file)?;
                    spare.give(plain);
                    is_stored[piece.file].store(!is_compressed, Ordering::Relaxed);
                    if !report(length) {
                        return Ok(false);
                    }
                }
            }
            Ok(true)
        })
    }
}

/// A piece of a file as it is handed on.
pub(super) struct FilePiece<'p> {
    pub(super) plain: &'p mut Vec<u8>,
    /// What it became, unless it was not to be compressed.
    pub(super) compressed: Option<&'p mut Vec<u8>>,
    pub(super) is_first: bool,
    pub(super) is_last: bool,
}

/// Returns the pieces of all files, those together that are worked on at once.
fn batches(files: &[PackedFile], piece_size: impl Fn(u64) -> u64) -> Vec<Vec<ReadPiece>> {
    let (mut batches, mut batch, mut bytes) = (Vec::new(), Vec::new(), 0);
    for (number, file) in files.iter().enumerate() {
        let size = piece_size(file.size);
        let mut from = 0;
        loop {
            let length = (file.size - from).min(size);
            batch.push(ReadPiece {
                file: number,
                from,
                length: usize::try_from(length).unwrap_or(usize::MAX),
            });
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
    batch: &[ReadPiece],
    method: &(dyn Fn(usize) -> Option<Method> + Sync),
    threads: NonZeroUsize,
    (open_files, spare): (&OpenFiles, &Spare),
) -> Vec<Result<PieceBytes, PackError>> {
    let results: Mutex<Vec<Option<Result<PieceBytes, PackError>>>> =
        Mutex::new(batch.iter().map(|_| None).collect());
    for_each(batch.len(), threads, |number| {
        let piece = batch[number];
        let result = read_one(&files[piece.file], piece, method(piece.file), (open_files, spare.take()));
        results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(result);
        true
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Each was worked on.
    results.into_iter().flatten().collect()
}

/// Memory of pieces that are written: new memory costs more than to read what comes into it.
#[derive(Default)]
struct Spare(Mutex<Vec<Vec<u8>>>);

impl Spare {
    fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give(&self, bytes: Vec<u8>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
    }
}

/// Files of which more is to be read: opened once, and converted once.
#[derive(Default)]
struct OpenFiles(Mutex<HashMap<usize, Arc<dyn Source>>>);

impl OpenFiles {
    /// Files that are kept: as many as may be read side by side.
    const MOST: usize = 64;

    /// Returns the bytes that a file becomes.
    fn source(&self, number: usize, file: &PackedFile) -> Result<Arc<dyn Source>, PackError> {
        if let Some(source) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&number) {
            return Ok(Arc::clone(source));
        }
        let source: Arc<dyn Source> = match file.becomes {
            Some(becomes) => Arc::new(convert::source(file, becomes)?),
            None => file.open().map_err(|error| PackError::Read(file.file.clone(), error))?.into(),
        };
        let mut sources = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sources.len() >= Self::MOST {
            sources.clear();
        }
        sources.insert(number, Arc::clone(&source));
        Ok(source)
    }
}

fn read_one(
    file: &PackedFile,
    piece: ReadPiece,
    method: Option<Method>,
    (open_files, mut plain): (&OpenFiles, Vec<u8>),
) -> Result<PieceBytes, PackError> {
    let failed = |error| PackError::Read(file.file.clone(), error);
    plain.resize(piece.length, 0);
    let source = open_files.source(piece.file, file)?;
    if source.len() != file.size {
        return Err(failed(io::Error::other("it has another length than before")));
    }
    source.read_at(piece.from, &mut plain).map_err(failed)?;
    let compressed = method.map(|method| method.compress(&plain)).transpose();
    let compressed = compressed.map_err(|error| failed(io::Error::other(error)))?;
    Ok(PieceBytes { plain, compressed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_worked_on_together_up_to_so_many_bytes() {
        let file = |size: u64| PackedFile { size, ..PackedFile::of_bytes("A".to_owned(), Vec::new()) };
        let pieces = |sizes: &[u64]| -> Vec<Vec<(usize, u64, usize)>> {
            let files: Vec<PackedFile> = sizes.iter().map(|size| file(*size)).collect();
            let of_piece = |piece: &ReadPiece| (piece.file, piece.from, piece.length);
            batches(&files, |_| 1 << 20).iter().map(|batch| batch.iter().map(of_piece).collect()).collect()
        };
        let whole = 1 << 20;
        // Three and a half pieces and one that makes four; an empty file has a piece too.
        let expected = [
            vec![
                (0, 0, whole),
                (0, 1 << 20, whole),
                (0, 2 << 20, whole),
                (0, 3 << 20, whole / 2),
                (1, 0, whole),
            ],
            vec![(2, 0, 0), (3, 0, 5)],
        ];
        assert_eq!(pieces(&[7 << 19, 1 << 20, 0, 5]), expected);
        assert_eq!(pieces(&vec![1; 1025]).iter().map(Vec::len).collect::<Vec<_>>(), [1024, 1]);
    }
}
