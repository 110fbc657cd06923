//! The files that change: where they are written, and that they are what they were to be.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use exporter::{OutputFile, Overwrite, Publication};
use importer::SoundFile;
use soundbank::fmod::SoundChange;
use soundbank::wwise::{Replacement, check_byte_order};
use unreal::{FileSource, Memory, Source};

use super::wwise::{NewMedia, speaks};
use super::{BankError, BankRecording, BankReplacement, BankSounds, BankTarget, limits, replace_in_banks};
use crate::replace::has_extension;
use crate::select::select;

/// What an output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankOutput {
    /// A file in the place of the one that was named: only that changes.
    File,
    /// A folder: all files that change.
    Folder,
}

/// Extensions of files that are no folders.
const FILES: [&str; 10] = ["bnk", "pck", "wem", "bank", "fsb", "acb", "awb", "pak", "utoc", "ucas"];

impl BankOutput {
    /// Returns what an output is: a file has the extension of the one that was named.
    ///
    /// # Errors
    /// [`BankError::Output`] if it is neither that nor a folder.
    pub fn of(sounds: &BankSounds<'_>, output: &Path) -> Result<Self, BankError> {
        let named = sounds.only.map(|only| Path::new(sounds.path(only)));
        let extension = named.and_then(|named| named.extension()?.to_str());
        match extension {
            _ if named.is_some() && output.as_os_str() == "-" => Ok(Self::File),
            Some(extension) if has_extension(output, &[extension]) => Ok(Self::File),
            _ if !has_extension(output, &FILES) => Ok(Self::Folder),
            Some(_) => Err(BankError::Output("a file of the kind given, or a folder")),
            None => Err(BankError::Output("a folder, which gets the files that change")),
        }
    }
}

/// How a file is compared with the one that it was made of.
pub(super) enum Check {
    /// A bank of Wwise with other media.
    Bank(Vec<NewMedia>),
    /// A package of Wwise with other media, and their language.
    Package(Vec<NewMedia>, Option<String>),
    /// A media of Wwise.
    Media,
    /// A file of FMOD with other sounds in one sample bank.
    Fmod { fsb: u32, changes: BTreeMap<u32, SoundChange>, key: Option<String> },
}

impl Check {
    fn run(&self, old: &dyn Source, new: &dyn Source, bytes: &[u8]) -> Result<(), soundbank::Error> {
        let limits = &mut limits();
        match self {
            Self::Bank(media) => {
                let media: Vec<Replacement<'_>> = media.iter().map(NewMedia::replacement).collect();
                soundbank::wwise::verify(old, new, &media, limits)
            }
            Self::Package(media, language) => {
                let media: Vec<Replacement<'_>> = media.iter().map(NewMedia::replacement).collect();
                let speaks = |of: Option<&str>| speaks(language.as_deref(), of);
                soundbank::wwise::verify_package(old, new, &media, &speaks, limits)
            }
            Self::Media => soundbank::wwise::verify_media(new, bytes),
            Self::Fmod { fsb, changes, key } => {
                soundbank::fmod::verify(old, new, *fsb, changes, key.as_deref(), limits)
            }
        }
    }
}

/// A file that changes, in one step or several.
struct ChangedFile {
    /// Its path below the folder that was opened.
    path: String,
    old: Arc<dyn Source>,
    /// The bytes after each step.
    steps: Vec<(Arc<[u8]>, Check)>,
}

impl ChangedFile {
    fn bytes(&self) -> &[u8] {
        self.steps.last().map_or(&[], |(bytes, _)| bytes)
    }

    /// Checks every step; the last one is read from where it was written.
    fn check(&self, written: &dyn Source) -> Result<(), BankError> {
        let failed = |error: soundbank::Error| BankError::Verify(self.path.clone(), error.to_string());
        if written.len() != self.bytes().len() as u64 {
            return Err(BankError::Verify(self.path.clone(), "it has another length".to_owned()));
        }
        let mut old: Arc<dyn Source> = Arc::clone(&self.old);
        for (index, (bytes, check)) in self.steps.iter().enumerate() {
            let memory = Memory(Arc::clone(bytes));
            let is_last = index + 1 == self.steps.len();
            check.run(&old, if is_last { written } else { &memory }, bytes).map_err(failed)?;
            old = Arc::new(memory);
        }
        Ok(())
    }
}

/// A file of banks that was changed.
#[derive(Debug)]
pub struct BankModFile {
    /// Path below the folder that was opened.
    pub path: String,
    /// New bytes.
    pub bytes: Vec<u8>,
}

/// The files of banks that change.
pub struct BankMod {
    output: BankOutput,
    /// The folder of the file that was named: what is beside it is written beside it.
    folder: Option<String>,
    /// By their index among all files.
    files: BTreeMap<usize, ChangedFile>,
    paths: Vec<String>,
    sources: Vec<Arc<dyn Source>>,
    warnings: Vec<String>,
}

impl BankMod {
    pub(super) fn new(output: BankOutput, sounds: &BankSounds<'_>) -> Self {
        let folder = sounds.only.map(|only| {
            let path = sounds.path(only);
            path.rfind('/').map_or(String::new(), |at| path[..=at].to_owned())
        });
        let paths = sounds.files.iter().map(|file| file.path.clone()).collect();
        let sources = sounds.files.iter().map(|file| Arc::clone(&file.source)).collect();
        Self { output, folder, files: BTreeMap::new(), paths, sources, warnings: Vec::new() }
    }

    /// Returns whether sounds of a file are replaced here: of a sound bank, or of a media of Wwise at a path.
    #[must_use]
    pub fn takes(package: &SoundFile, path: &Path) -> bool {
        BankSounds::of(package).is_some() || has_extension(path, &["wem"])
    }

    /// Plans the files of an output in which sounds, each as a user names it, have other recordings.
    ///
    /// # Errors
    /// [`BankError`] if there is no such sound, it cannot be replaced, or the output is of the wrong kind.
    pub fn plan(
        package: &SoundFile,
        recordings: Vec<(&str, BankRecording)>,
        output: &Path,
    ) -> Result<Self, BankError> {
        let Some(sounds) = BankSounds::of(package) else {
            return Self::of_media(package, recordings, output);
        };
        let kind = BankOutput::of(&sounds, output)?;
        let replacements: Result<Vec<_>, _> = recordings
            .into_iter()
            .map(|(sound, recording)| {
                Ok(BankReplacement { target: BankTarget::find(&sounds, sound)?, recording })
            })
            .collect();
        replace_in_banks(&sounds, &replacements?, kind).map_err(|(_, error)| error)
    }

    /// Returns a media of Wwise that takes the place of a file of one.
    fn of_media(
        package: &SoundFile,
        recordings: Vec<(&str, BankRecording)>,
        output: &Path,
    ) -> Result<Self, BankError> {
        if !has_extension(output, &["wem"]) {
            return Err(BankError::Output("a .wem file"));
        }
        let mut made = Self {
            output: BankOutput::File,
            folder: None,
            files: BTreeMap::new(),
            paths: vec![output.display().to_string()],
            sources: vec![Arc::new(Memory([]))],
            warnings: Vec::new(),
        };
        for (sound, recording) in recordings {
            if select(package, Some(sound)).is_err() {
                return Err(BankError::Unknown(sound.to_owned(), Vec::new()));
            }
            made.files.clear();
            let wem = recording.wem()?;
            check_byte_order(&wem, package.source())
                .map_err(|error| BankError::Bank(package.name().to_owned(), error))?;
            made.put(0, &wem.into(), Check::Media);
        }
        made.warn(
            "banks state codec and size of the media: replace it in their folder to change these".to_owned(),
        );
        Ok(made)
    }

    /// Returns a file as it is so far.
    pub(super) fn current(&self, file: usize, source: &Arc<dyn Source>) -> Arc<dyn Source> {
        let changed = self.files.get(&file).and_then(|file| file.steps.last());
        changed.map_or_else(|| Arc::clone(source), |(bytes, _)| Arc::new(Memory(Arc::clone(bytes))))
    }

    /// Changes a file.
    pub(super) fn put(&mut self, file: usize, bytes: &Arc<[u8]>, check: Check) {
        let (Some(path), Some(old)) = (self.paths.get(file), self.sources.get(file)) else { return };
        let changed = self.files.entry(file).or_insert_with(|| ChangedFile {
            path: path.clone(),
            old: Arc::clone(old),
            steps: Vec::new(),
        });
        changed.steps.push((Arc::clone(bytes), check));
    }

    pub(super) fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Returns what to know of the change.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the path below the output.
    fn below<'f>(&self, file: &'f ChangedFile) -> &'f str {
        let folder = self.folder.as_deref().unwrap_or_default();
        let is_beside = self.files.values().all(|file| file.path.starts_with(folder));
        if is_beside { file.path.get(folder.len()..).unwrap_or(&file.path) } else { &file.path }
    }

    /// Returns the paths of the files.
    pub fn paths(&self, output: &Path) -> impl Iterator<Item = PathBuf> {
        self.files.values().map(move |file| match self.output {
            BankOutput::File => output.to_owned(),
            BankOutput::Folder => output.join(self.below(file)),
        })
    }

    /// Checks the files as they are in memory, and returns them.
    ///
    /// # Errors
    /// [`BankError::Verify`] if a file differs in more than what was to change.
    pub fn into_files(self) -> Result<Vec<BankModFile>, BankError> {
        self.files
            .into_values()
            .map(|file| {
                file.check(&Memory(file.bytes()))?;
                Ok(BankModFile { bytes: file.bytes().to_vec(), path: file.path })
            })
            .collect()
    }

    /// Writes the files, reads them again, and puts them to their places if they are what they were to be; returns the
    /// bytes of their contents. `out` is standard output, for what goes there.
    ///
    /// # Errors
    /// [`BankError::Write`] if a file is in the way or cannot be written, [`BankError::Verify`] if it differs.
    pub fn write(&self, output: &Path, overwrite: &Overwrite, out: &mut dyn Write) -> Result<u64, BankError> {
        let mut folders: BTreeMap<PathBuf, (Vec<OutputFile>, Vec<&ChangedFile>)> = BTreeMap::new();
        let mut bytes = 0_u64;
        for (file, path) in self.files.values().zip(self.paths(output)) {
            let mut parts = Path::new(self.below(file)).components();
            let is_inside =
                self.output == BankOutput::File || parts.all(|part| matches!(part, Component::Normal(_)));
            if !is_inside {
                return Err(BankError::Internal);
            }
            let mut written = OutputFile::create_with_folders(&path, overwrite).map_err(BankError::Write)?;
            written.write_all(file.bytes()).map_err(|error| {
                BankError::Write(exporter::OutputError::Io { label: path.display().to_string(), error })
            })?;
            bytes = bytes.saturating_add(file.bytes().len() as u64);
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let (files, changed) = folders.entry(folder).or_default();
            files.push(written);
            changed.push(file);
        }
        let mut publications = Vec::new();
        for (files, changed) in folders.into_values() {
            let mut publication = Publication::new(files, 0);
            let written = publication.sync().map_err(BankError::Write)?;
            let mut written = written.into_iter().map(|(file, _)| FileSource::new(file));
            for file in changed {
                // What is no file cannot be read again.
                match written.next() {
                    Some(source) => file.check(
                        &source.map_err(|error| BankError::Verify(file.path.clone(), error.to_string()))?,
                    )?,
                    None => file.check(&Memory(file.bytes()))?,
                }
            }
            publications.push(publication);
        }
        for publication in publications {
            publication.finish(out).map_err(BankError::Write)?;
        }
        Ok(bytes)
    }
}
