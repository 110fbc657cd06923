//! The entries of a game written to a folder, as they are stored.

use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use exporter::output_file::{OutputError, OutputFile, make_folder};
use exporter::{UniqueNames, filename};
use unreal::container::mount::{Mount, MountedEntry};
use unreal::container::{ChunkType, Container, EntryInfo};

/// An entry that is to be written.
#[derive(Clone, Debug)]
pub struct PlannedFile {
    /// The entry.
    pub entry: MountedEntry,
    /// What it is called in its container.
    pub label: String,
    /// Where it will lie below the folder.
    pub path: PathBuf,
    /// Whether its name had to be changed: it was not safe, or another's.
    pub is_renamed: bool,
}

/// Why an entry was not written.
#[derive(Debug)]
#[non_exhaustive]
pub enum UnpackError {
    /// It cannot be read.
    Entry(unreal::Error),
    /// Its bytes cannot be read.
    Read(io::Error),
    /// Its file cannot be written.
    Output(OutputError),
}

impl std::fmt::Display for UnpackError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Entry(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for UnpackError {}

/// What was written.
#[derive(Debug, Default)]
pub struct Unpacked {
    /// How many files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// What was not written, by its place in the plan and in its order.
    pub failed: Vec<(usize, UnpackError)>,
}

/// Returns what an entry is listed under: its path, or what it is called.
#[must_use]
pub fn label(info: &EntryInfo<'_>) -> String {
    let chunk = || info.chunk.map_or_else(String::new, |chunk| chunk.to_string());
    info.path.map_or_else(chunk, str::to_owned)
}

/// Returns where each wanted entry will lie; those that are overridden are left out, and so is what cannot be named.
#[must_use]
pub fn plan(mount: &Mount, wanted: impl Fn(&str) -> bool) -> Vec<PlannedFile> {
    let mut names = UniqueNames::of_files();
    let mut planned = Vec::new();
    for entry in mount.entries().filter(|entry| !mount.is_overridden(*entry)) {
        let Some(container) = mount.container(entry) else { continue };
        let Ok(info) = container.info(entry.entry) else { continue };
        let label = label(&info);
        if !wanted(&label) {
            continue;
        }
        let named = if info.path.is_some() { label.clone() } else { chunk_name(container, entry, &label) };
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
        planned.push(PlannedFile { entry, label, is_renamed: path != named, path: path.into() });
    }
    planned
}

/// Returns the name of a file for a chunk without a path.
fn chunk_name(container: &Container, entry: MountedEntry, label: &str) -> String {
    let kind = match container {
        Container::IoStore(store) => store.chunk_type(entry.entry),
        _ => None,
    };
    format!("chunks/{label}.{}", kind.and_then(ChunkType::extension).unwrap_or("bin"))
}

/// Writes what is planned below a folder. `goes_on` is asked after each file, with how many are done.
#[must_use]
pub fn unpack(
    mount: &Mount,
    plan: &[PlannedFile],
    output: &Path,
    force: bool,
    threads: NonZeroUsize,
    goes_on: &(dyn Fn(usize) -> bool + Sync),
) -> Unpacked {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let unpacked = Mutex::new(Unpacked::default());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = plan.get(number) else { break };
            let written = write(mount, file, output, force);
            let mut unpacked = unpacked.lock().unwrap_or_else(PoisonError::into_inner);
            match written {
                Ok(bytes) => {
                    unpacked.files += 1;
                    unpacked.bytes = unpacked.bytes.saturating_add(bytes);
                }
                Err(error) => unpacked.failed.push((number, error)),
            }
            drop(unpacked);
            if !goes_on(done.fetch_add(1, Ordering::Relaxed) + 1) {
                break;
            }
        }
    };
    thread::scope(|scope| {
        (1..threads.get()).for_each(|_| _ = scope.spawn(work));
        work();
    });
    let mut unpacked = unpacked.into_inner().unwrap_or_else(PoisonError::into_inner);
    unpacked.failed.sort_by_key(|(number, _)| *number);
    unpacked
}

/// Bytes that are read at once.
const PIECE: u64 = 256 << 10;

fn write(mount: &Mount, file: &PlannedFile, output: &Path, force: bool) -> Result<u64, UnpackError> {
    let Some(container) = mount.container(file.entry) else { return Ok(0) };
    let source = container.open(file.entry.entry).map_err(UnpackError::Entry)?;
    let path = output.join(&file.path);
    if let Some(folder) = path.parent() {
        make_folder(output, folder, force).map_err(UnpackError::Output)?;
    }
    let mut written = OutputFile::create(&path, force).map_err(UnpackError::Output)?;
    let mut piece = vec![0; usize::try_from(PIECE.min(source.len())).unwrap_or(0)];
    let mut at = 0;
    while at < source.len() {
        let length = usize::try_from(source.len() - at).unwrap_or(usize::MAX).min(piece.len());
        let bytes = piece.get_mut(..length).unwrap_or_default();
        source.read_at(at, bytes).map_err(UnpackError::Read)?;
        let failed =
            |error| UnpackError::Output(OutputError::Io { label: path.display().to_string(), error });
        written.write_all(bytes).map_err(failed)?;
        at += length as u64;
    }
    written.publish(&mut io::sink()).map_err(UnpackError::Output)?;
    Ok(source.len())
}
