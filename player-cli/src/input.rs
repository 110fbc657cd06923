//! FILE on the command line: a path, `demo:` or `-`.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use importer::{Budget, Opened};
use unreal::{FileSource, Memory, OpenOptions, Source};

use crate::args::Reading;
use crate::exit::Exit;
use crate::failure::Failure;

/// The embedded bank.
pub const DEMO: &str = "demo:";
static DEMO_BYTES: &[u8] = include_bytes!("../demo/demo.uax");

/// Standard input is held in memory; a stream without end must not fill it.
const MAX_STDIN: u64 = 4 << 30;

/// A file that can be read, and what to call it.
pub struct Input {
    /// As the user typed it.
    pub label: String,
    /// The package's name: without folder and extension.
    pub name: String,
    source: Box<dyn Source>,
    options: OpenOptions,
}

impl Input {
    /// # Errors
    /// [`Exit::Unreadable`] if there is no such file or it cannot be read.
    pub fn open(file: &str, reading: Reading) -> Result<Self, Failure> {
        let unreadable = |error: &io::Error| {
            Failure::new(Exit::Unreadable, format!("cannot read {file}: {}", reason(error)))
        };
        let (name, source): (String, Box<dyn Source>) = match file {
            DEMO => ("demo".to_owned(), Box::new(Memory::from(DEMO_BYTES))),
            "-" => ("stdin".to_owned(), Box::new(Memory::from(stdin().map_err(|e| unreadable(&e))?))),
            path => {
                let path = Path::new(path);
                let opened = open_file(path).map_err(|e| unreadable(&e))?;
                let stem = path.file_stem().unwrap_or(path.as_os_str());
                (stem.to_string_lossy().into_owned(), Box::new(opened))
            }
        };
        Ok(Self { label: file.to_owned(), name, source, options: reading.options() })
    }

    /// The package in it, with its sounds found and described.
    ///
    /// # Errors
    /// [`Exit::Unreadable`] if it is no package or one that cannot be read.
    pub fn package(&self) -> Result<Opened<'_>, Failure> {
        Opened::open_with(&*self.source, &self.name, self.options, Budget::default())
            .map_err(|error| Failure::new(Exit::Unreadable, format!("{}: {error}", self.label)))
    }
}

fn open_file(path: &Path) -> io::Result<FileSource> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    FileSource::new(file)
}

fn stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_STDIN + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_STDIN {
        return Err(io::Error::other(format!("more than {MAX_STDIN} bytes on standard input")));
    }
    Ok(bytes)
}

/// The system's words for an error are long and carry numbers; the common ones are said plainly.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}
