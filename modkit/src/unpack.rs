//! The entries of a game written to a folder: as they are stored, or packages of containers as files.
//!
//! ```text
//! small entries   thread 1: A   thread 2: B   thread 1: C …
//! a large one     thread 1: segment 0   thread 2: segment 1   thread 1: segment 2 …
//! ```

mod output;

use std::collections::HashMap;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use exporter::{Batch, OutputError, OutputFile, Overwrite, Publication, UniqueNames, filename};
use unreal::containers::mount::{Mount, MountedEntry};
use unreal::containers::{ChunkType, Container, Shares, shares};
use unreal::ue4to6::convert::LayoutError;
use unreal::{Error, Memory, Source};

use crate::copy::{CopyError, copy};
use crate::layout::LayoutChange;
use crate::legacy::{LegacyConverter, LegacyError};
use importer::for_each;

pub use output::{check_free, write_files, write_package};

/// An entry that is to be written.
#[derive(Clone, Debug)]
pub struct PlannedFile {
    /// The entry.
    pub entry: MountedEntry,
    /// Path in its container, or chunk identifier.
    pub label: String,
    /// Uncompressed size in bytes; 0 if its row is damaged.
    pub size: u64,
    /// Path below the output folder.
    pub path: PathBuf,
    /// Whether its name had to be changed: it was not safe, or another's.
    pub is_renamed: bool,
    /// An entry that has some of its bytes as well; then it is not written.
    pub overlaps: Option<String>,
}

/// Errors of writing an entry.
#[derive(Debug)]
#[non_exhaustive]
pub enum UnpackError {
    /// The entry cannot be read.
    Entry(Error),
    /// The package cannot be converted.
    Legacy(LegacyError),
    /// The entry shares some of its bytes with this one.
    Overlaps(String),
    /// The entry's bytes cannot be read.
    Read(io::Error),
    /// The file cannot be written.
    Output(OutputError),
}

impl std::fmt::Display for UnpackError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Entry(error) => error.fmt(f),
            Self::Legacy(error) => error.fmt(f),
            Self::Overlaps(other) => write!(f, "shares some of its bytes with {other}"),
            Self::Read(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for UnpackError {}

/// Counts of written files, and entries that were not written.
#[derive(Debug, Default)]
pub struct Unpacked {
    /// Number of files.
    pub files: usize,
    /// Size of the files in bytes.
    pub bytes: u64,
    /// Number of converted packages.
    pub converted: usize,
    /// Files that refer to unknown objects, by their index in the plan, with the number of those objects.
    pub unknown: Vec<(usize, usize)>,
    /// Packages whose objects got the layout of the engine, by their index in the plan.
    pub changed: Vec<(usize, LayoutChange)>,
    /// Packages whose objects have no known layout and are written as they are, by their index in the plan.
    pub kept: Vec<(usize, LayoutError)>,
    /// Files that were not written, by their index in the plan and in its order.
    pub failed: Vec<(usize, UnpackError)>,
}

/// Returns where each wanted entry will lie; those that are overridden are left out.
#[must_use]
pub fn plan(mount: &Mount, wanted: impl Fn(MountedEntry, &str) -> bool) -> Vec<PlannedFile> {
    let mut names = UniqueNames::of_files();
    let mut overlaps = HashMap::new();
    for (number, (_, container)) in mount.containers().iter().enumerate() {
        for (entry, shares) in shares(container) {
            if let Ok(Shares::Some(other)) = shares {
                overlaps.insert(MountedEntry { container: number, entry }, other);
            }
        }
    }
    let mut planned = Vec::new();
    for entry in mount.entries().filter(|entry| !mount.is_overridden(*entry)) {
        let Some(container) = mount.container(entry) else { continue };
        let label = container.label(entry.entry);
        if !wanted(entry, &label) {
            continue;
        }
        let has_path = container.path(entry.entry).is_some();
        let named = if has_path { label.clone() } else { chunk_name(container, entry, &label) };
        let (folder, name) = named.rsplit_once('/').unwrap_or(("", &named));
        let mut safe: String = folder
            .split('/')
            .filter(|part| !part.is_empty())
            .fold(String::new(), |path, part| path + &filename::safe(part) + "/");
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{}", filename::safe(extension))),
            _ => (name, String::new()),
        };
        safe += &filename::safe(stem);
        let path = names.unique_with(|number| format!("{safe}{number}{extension}"));
        let size = container.info(entry.entry).map_or(0, |info| info.size);
        let overlaps = overlaps.get(&entry).map(|other| container.label(*other));
        let is_renamed = path != named;
        planned.push(PlannedFile { entry, label, size, is_renamed, path: path.into(), overlaps });
    }
    planned
}

/// Folder of chunks without a path.
pub const CHUNKS: &str = "chunks/";

/// Returns the name of a file for a chunk without a path.
fn chunk_name(container: &Container, entry: MountedEntry, label: &str) -> String {
    let extension = container.chunk_type(entry.entry).and_then(ChunkType::extension);
    format!("{CHUNKS}{label}.{}", extension.unwrap_or("bin"))
}

/// Bytes of a large entry that a thread decodes at once.
const SEGMENT: u64 = 4 << 20;

/// Options of writing entries.
#[derive(Clone, Copy)]
pub struct UnpackOptions<'o> {
    /// Below which folder.
    pub output: &'o Path,
    /// Existing files that may be replaced.
    pub overwrite: &'o Overwrite,
    /// Converter of packages in containers, if they are converted.
    pub converter: Option<&'o LegacyConverter<'o>>,
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// Called with the bytes that were written since; it is over where this returns false, and a file that is not whole
    /// then does not appear.
    pub report: &'o (dyn Fn(u64) -> bool + Sync),
}

/// Writes what is planned; returns when it is on the disk.
///
/// # Errors
/// [`OutputError`] if the disk cannot be waited for. Entries that fail do not end it.
pub fn unpack(
    mount: &Mount,
    plan: &[PlannedFile],
    options: UnpackOptions<'_>,
) -> Result<Unpacked, OutputError> {
    let UnpackOptions { threads, report, .. } = options;
    let batch = Batch::default();
    let unpacked = Mutex::new(Unpacked::default());
    let write = |number: usize, threads| {
        let Some(file) = plan.get(number) else { return false };
        let converter = options.converter.filter(|converter| converter.converts(file.entry));
        let written = match converter {
            Some(converter) => write_legacy(converter, file, &options, &batch),
            None => write(mount, file, UnpackOptions { threads, ..options }, &batch),
        };
        let mut unpacked = unpacked.lock().unwrap_or_else(PoisonError::into_inner);
        match written {
            Ok(None) => return false,
            Ok(Some(WrittenEntry { files, bytes, unknown, layout })) => {
                unpacked.files += files;
                unpacked.bytes = unpacked.bytes.saturating_add(bytes);
                unpacked.converted += usize::from(converter.is_some());
                if unknown > 0 {
                    unpacked.unknown.push((number, unknown));
                }
                match layout {
                    Ok(change) => unpacked.changed.extend(change.map(|change| (number, change))),
                    Err(error) => unpacked.kept.push((number, error)),
                }
            }
            Err(error) => unpacked.failed.push((number, error)),
        }
        report(0)
    };
    let (large, small): (Vec<usize>, Vec<usize>) =
        (0..plan.len()).partition(|number| plan.get(*number).is_some_and(|file| file.size > 2 * SEGMENT));
    if large.into_iter().all(|number| write(number, threads)) {
        for_each(small.len(), threads, |index| {
            small.get(index).is_some_and(|number| write(*number, NonZeroUsize::MIN))
        });
    }
    let mut unpacked = unpacked.into_inner().unwrap_or_else(PoisonError::into_inner);
    unpacked.failed.sort_by_key(|(number, _)| *number);
    unpacked.unknown.sort_unstable();
    unpacked.changed.sort_by_key(|(number, _)| *number);
    unpacked.kept.sort_by_key(|(number, _)| *number);
    batch.finish()?;
    Ok(unpacked)
}

/// Result of writing an entry.
struct WrittenEntry {
    files: usize,
    bytes: u64,
    /// Objects that it refers to which nobody here knows.
    unknown: usize,
    /// What changed of the layout of its objects, or why they keep it.
    layout: Result<Option<LayoutChange>, LayoutError>,
}

/// Writes a package of a container as a header and its objects; returns nothing if it was not to be ended.
fn write_legacy(
    converter: &LegacyConverter<'_>,
    file: &PlannedFile,
    options: &UnpackOptions<'_>,
    batch: &Batch,
) -> Result<Option<WrittenEntry>, UnpackError> {
    let UnpackOptions { output, report, .. } = *options;
    let (package, legacy) = converter.convert(file.entry).map_err(UnpackError::Legacy)?;
    let mut path = output.join(&file.path);
    let is_named = path.extension().is_some_and(|extension| PACKAGES.iter().any(|known| extension == *known));
    if !is_named {
        path.set_extension(PACKAGES[0]);
    }
    let (stock, layout) = match converter.stock_of_file(&package, &legacy) {
        Ok(stock) => {
            let change = stock.as_ref().map(|stock| LayoutChange::new(&file.label, stock));
            (stock, Ok(change))
        }
        Err(error) => (None, Err(error)),
    };
    let mut objects = legacy.objects(package.source());
    let mut header = Memory(&legacy.header[..]);
    if let Some(stock) = &stock {
        (objects, header) = (stock.objects(objects), Memory(&stock.header[..]));
    }
    let bytes = objects.len().saturating_add(header.len());
    let mut sources: Vec<(PathBuf, &dyn Source)> = vec![(path.with_extension(OBJECTS), &objects)];
    // The others are found by it.
    sources.push((path, &header));
    let mut files = Vec::new();
    for (path, source) in sources {
        let mut written = create(&path, options, batch)?;
        if !copy(source, &mut written, report).map_err(|error| copy_failed(error, &path))? {
            return Ok(None);
        }
        files.push(written);
    }
    let count = files.len();
    Publication::new(files, 1).finish_in(batch).map_err(UnpackError::Output)?;
    Ok(Some(WrittenEntry { files: count, bytes, unknown: legacy.unknown, layout }))
}

/// Extensions of package files.
pub(crate) const PACKAGES: [&str; 2] = ["uasset", "umap"];

/// Extension of the file with the objects of a package.
pub const OBJECTS: &str = "uexp";

/// Begins a file, and the folder that it lies in.
fn create(path: &Path, options: &UnpackOptions<'_>, batch: &Batch) -> Result<OutputFile, UnpackError> {
    let UnpackOptions { output, overwrite, .. } = *options;
    if let Some(folder) = path.parent() {
        batch.make_folder(output, folder, overwrite.is_forced()).map_err(UnpackError::Output)?;
    }
    OutputFile::create(path, overwrite).map_err(UnpackError::Output)
}

fn copy_failed(error: CopyError, path: &Path) -> UnpackError {
    match error {
        CopyError::Read(error) => UnpackError::Read(error),
        CopyError::Write(error) => {
            UnpackError::Output(OutputError::Io { label: path.display().to_string(), error })
        }
    }
}

/// Writes an entry as it is stored; returns nothing if it was not to be ended.
fn write(
    mount: &Mount,
    file: &PlannedFile,
    options: UnpackOptions<'_>,
    batch: &Batch,
) -> Result<Option<WrittenEntry>, UnpackError> {
    let UnpackOptions { output, threads, report, .. } = options;
    let Some(container) = mount.container(file.entry) else { return Ok(None) };
    if let Some(other) = &file.overlaps {
        return Err(UnpackError::Overlaps(other.clone()));
    }
    let stock = match options.converter.map(|converter| converter.stock_of_entry(file.entry)).transpose() {
        Ok(stock) => Ok(stock.flatten()),
        Err(error) => Err(error),
    };
    let (source, layout) = match stock {
        Ok(Some((source, stock))) => {
            let is_objects = file.path.extension().is_some_and(|extension| extension == OBJECTS);
            (source, Ok((!is_objects).then(|| LayoutChange::new(&file.label, &stock))))
        }
        kept => (container.open(file.entry.entry).map_err(UnpackError::Entry)?, kept.map(|_| None)),
    };
    let path = output.join(&file.path);
    let failed = |error| copy_failed(error, &path);
    let mut written = create(&path, &options, batch)?;
    let is_whole = if threads == NonZeroUsize::MIN {
        copy(&*source, &mut written, report).map_err(failed)?
    } else {
        let is_whole;
        (written, is_whole) = in_segments(&*source, written, threads, report).map_err(failed)?;
        is_whole
    };
    if is_whole {
        written.publish_in(batch).map_err(UnpackError::Output)?;
    }
    Ok(is_whole.then(|| WrittenEntry { files: 1, bytes: source.len(), unknown: 0, layout }))
}

/// Copies a large source with several threads, each a segment at a time; returns whether it is whole.
fn in_segments(
    source: &dyn Source,
    out: OutputFile,
    threads: NonZeroUsize,
    report: &(dyn Fn(u64) -> bool + Sync),
) -> Result<(OutputFile, bool), CopyError> {
    let count = usize::try_from(source.len().div_ceil(SEGMENT)).unwrap_or(usize::MAX);
    let ended = Mutex::new((out, Ok(true)));
    for_each(count, threads, |number| {
        let from = (number as u64).saturating_mul(SEGMENT);
        let length = source.len().saturating_sub(from).min(SEGMENT);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        let read = source.read_at(from, &mut bytes).map_err(CopyError::Read);
        let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
        let (out, result) = &mut *ended;
        let done = read.and_then(|()| {
            out.seek(SeekFrom::Start(from)).and_then(|_| out.write_all(&bytes)).map_err(CopyError::Write)
        });
        match (done, &mut *result) {
            (Ok(()), Ok(is_whole)) => *is_whole &= report(length),
            (Err(error), _) => *result = Err(error),
            (Ok(()), Err(_)) => {}
        }
        matches!(result, Ok(true))
    });
    let (out, result) = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
    result.map(|is_whole| (out, is_whole))
}
