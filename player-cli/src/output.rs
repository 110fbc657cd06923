//! A file that is written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Cursor, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::exit::Exit;
use crate::failure::Failure;

/// Where a rendered file goes. Nothing is seen at its place before [`Output::publish`].
pub struct OutputFile {
    /// What to call it.
    label: String,
    kind: OutputTarget,
}

enum OutputTarget {
    /// A file beside the wanted one, which takes its place in the end.
    File { writer: BufWriter<File>, part: PathBuf, path: PathBuf, force: bool },
    /// Memory, for what cannot be gone back in: standard output, pipes, devices.
    Stream { bytes: Cursor<Vec<u8>>, path: Option<PathBuf> },
}

impl OutputFile {
    /// Begins a file, or standard output for `-`.
    ///
    /// # Errors
    /// [`Exit::NotWritable`] if a file is in the way and `force` is not set, or none can be made there.
    pub fn create(path: &Path, force: bool) -> Result<Self, Failure> {
        let label = path.display().to_string();
        if path.as_os_str() == "-" {
            let kind = OutputTarget::Stream { bytes: Cursor::default(), path: None };
            return Ok(Self { label: "standard output".to_owned(), kind });
        }
        let there = fs::metadata(path).ok();
        let kind = match &there {
            Some(metadata) if metadata.is_dir() => {
                return Err(Failure::new(Exit::NotWritable, format!("{label} is a folder")));
            }
            Some(metadata) if !metadata.is_file() => {
                OutputTarget::Stream { bytes: Cursor::default(), path: Some(path.to_owned()) }
            }
            _ => {
                if !force {
                    free(path)?;
                }
                let part = part_of(path);
                let not_writable = |error| Failure::of_output(&label, &error);
                let file = File::create(&part).map_err(not_writable)?;
                let kind =
                    OutputTarget::File { writer: BufWriter::new(file), part, path: path.to_owned(), force };
                let output = Self { label: label.clone(), kind };
                if let (Some(metadata), OutputTarget::File { part, .. }) = (there, &output.kind) {
                    fs::set_permissions(part, metadata.permissions()).map_err(not_writable)?;
                }
                return Ok(output);
            }
        };
        Ok(Self { label, kind })
    }

    /// What to call it.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Puts what was written to its place.
    ///
    /// # Errors
    /// [`Exit::NotWritable`] if that cannot be done.
    pub fn publish(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let published = match &mut self.kind {
            OutputTarget::File { writer, part, path, force } => writer.flush().and_then(|()| {
                // A file may have come since we looked.
                if !*force && path.symlink_metadata().is_ok() {
                    return Err(io::Error::from(io::ErrorKind::AlreadyExists));
                }
                fs::rename(&*part, &*path)
            }),
            OutputTarget::Stream { bytes, path: None } => {
                out.write_all(bytes.get_ref()).and_then(|()| out.flush())
            }
            OutputTarget::Stream { bytes, path: Some(path) } => {
                OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes.get_ref()))
            }
        };
        published.map_err(|error| Failure::of_output(&self.label, &error))
    }
}

/// # Errors
/// [`Exit::NotWritable`] if something is at a path, be it a link that leads nowhere.
pub fn free(path: &Path) -> Result<(), Failure> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    let failure = Failure::new(Exit::NotWritable, format!("{} is there already", path.display()));
    Err(failure.hint("--force overwrites it"))
}

/// Beside the file, so that it can take its place; hidden, named for this process and short.
fn part_of(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".usampler-{}-{number}.part", std::process::id()))
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let OutputTarget::File { part, .. } = &self.kind {
            // After it was published there is nothing left to remove.
            let _ = fs::remove_file(part);
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            OutputTarget::File { writer, .. } => writer.write(bytes),
            OutputTarget::Stream { bytes: memory, .. } => memory.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            OutputTarget::File { writer, .. } => writer.flush(),
            OutputTarget::Stream { .. } => Ok(()),
        }
    }
}

impl Seek for OutputFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.kind {
            OutputTarget::File { writer, .. } => writer.seek(to),
            OutputTarget::Stream { bytes, .. } => bytes.seek(to),
        }
    }
}
