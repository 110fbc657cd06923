//! Changed packages as files of a project.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use exporter::{OutputError, OutputFile, Overwrite, Publication};

use super::{Mod, has_extension};
use crate::pack::PackedFile;

/// Extensions of packages.
const PACKAGES: [&str; 2] = ["uasset", "umap"];

/// Why packages cannot be written as files there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LooseError {
    /// Several packages do not fit into one file.
    Several,
    /// The output is neither a folder nor a package.
    NoPackage,
}

impl fmt::Display for LooseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Several => "several packages do not fit into one file",
            Self::NoPackage => "packages of a UE project are files, not entries of a container",
        })
    }
}

impl std::error::Error for LooseError {}

impl LooseError {
    /// Returns which outputs are possible.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Several => "-o FOLDER writes each below it",
            Self::NoPackage => "-o FOLDER, or -o X.uasset for one of them",
        }
    }
}

/// The packages of a mod as files: one under the name of the output, several below the folder that it is.
#[derive(Debug)]
pub struct LooseMod<'m> {
    files: &'m [PackedFile],
    output: &'m Path,
    is_file: bool,
}

fn stem(file: &PackedFile) -> PathBuf {
    Path::new(&file.entry).with_extension("")
}

impl<'m> LooseMod<'m> {
    /// Returns whether an output is a package, not a container or a folder.
    #[must_use]
    pub fn is_package(output: &Path) -> bool {
        has_extension(output, &PACKAGES)
    }

    /// Plans the files of a mod.
    ///
    /// # Errors
    /// [`LooseError`] if they cannot be written to the output.
    pub fn plan(made: &'m Mod, output: &'m Path) -> Result<Self, LooseError> {
        let (files, is_file) = (&*made.files, Self::is_package(output));
        if is_file && files.iter().any(|file| Some(stem(file)) != files.first().map(stem)) {
            return Err(LooseError::Several);
        }
        if !is_file && output.extension().is_some() {
            return Err(LooseError::NoPackage);
        }
        Ok(Self { files, output, is_file })
    }

    fn path(&self, file: &PackedFile) -> PathBuf {
        match self.is_file {
            true => self.output.with_extension(Path::new(&file.entry).extension().unwrap_or_default()),
            false => self.output.join(&file.entry),
        }
    }

    /// Returns the paths of the files.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().map(|file| self.path(file))
    }

    /// Writes the files; returns the bytes of their contents. `out` is standard output, for what goes there.
    ///
    /// # Errors
    /// [`OutputError`] if a file is in the way, or cannot be written.
    pub fn write(&self, overwrite: &Overwrite, out: &mut dyn Write) -> Result<u64, OutputError> {
        for package in self.files.chunk_by(|one, other| stem(one) == stem(other)) {
            let is_header = |file: &&PackedFile| Self::is_package(Path::new(&file.entry));
            let (headers, others): (Vec<_>, Vec<_>) = package.iter().partition(is_header);
            let keys = headers.len();
            let outputs = others.into_iter().chain(headers).map(|file| {
                let path = self.path(file);
                let mut output = OutputFile::create_with_folders(&path, overwrite)?;
                let failed = |error| OutputError::Io { label: path.display().to_string(), error };
                output.write_all(file.bytes().unwrap_or_default()).map_err(failed)?;
                Ok(output)
            });
            Publication::new(outputs.collect::<Result<_, OutputError>>()?, keys).finish(out)?;
        }
        Ok(self.files.iter().map(|file| file.size).fold(0, u64::saturating_add))
    }
}
