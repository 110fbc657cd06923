//! The packages that are played: a file, several, or all below a folder.

use std::path::{Path, PathBuf};

use importer::SoundFile;
use importer::open::walk::{folder_of, name_below};
use importer::open::{Disk, Walk};
use player::adjustments::PackageContent;
use player::library::PackageSource;
use player::live::ListedPackage;
use screen::model::SoundEntry;
use screen::{list_package, list_page};

use crate::args::{OPTION_NAMES, ReadingArgs};
use crate::command::files_of;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{InputFile, is_special};
use crate::select;

/// The packages of a command line.
pub(super) struct PackageFiles {
    files: Vec<PathBuf>,
    /// The folder that they are below, if there are several or a folder was typed; empty for no certain one.
    folder: Option<PathBuf>,
    reading: ReadingArgs,
    /// The sound to start with.
    selector: Option<String>,
}

impl PackageFiles {
    /// Returns a file, several, or the packages and modules below folders.
    ///
    /// # Errors
    /// [`Exit::Unreadable`] if there are none below the folder.
    pub(super) fn of(
        typed: &[PathBuf],
        reading: ReadingArgs,
        selector: Option<String>,
    ) -> Result<Self, Failure> {
        let files = Walk::of(&Disk, typed).files;
        if files.is_empty() {
            let typed = files_of(typed);
            let message = format!("no packages, modules, sound banks or audio files in {typed}");
            return Err(Failure::new(Exit::Unreadable, message));
        }
        let folder = folder_of(&Disk, typed, &files);
        Ok(Self { files, folder, reading, selector })
    }

    /// Returns the group of all sounds of a package, if it is one of many.
    fn group(&self, input: &InputFile) -> Option<String> {
        self.folder.as_ref().map(|folder| name_below(folder, Path::new(&input.label), input.name()))
    }
}

/// A package, and where it came from.
pub(super) struct OpenedInput {
    path: PathBuf,
    input: InputFile,
    file: SoundFile,
}

impl AsRef<SoundFile> for OpenedInput {
    fn as_ref(&self) -> &SoundFile {
        &self.file
    }
}

impl PackageSource for PackageFiles {
    type OpenPackage = OpenedInput;
    type Listed = ListedPackage<SoundEntry, Failure>;
    type Unopenable = Failure;

    fn count(&self) -> usize {
        self.files.len()
    }

    fn path(&self, package: usize) -> Option<PathBuf> {
        let path = self.files.get(package)?;
        (!is_special(&path.to_string_lossy())).then(|| path.clone())
    }

    fn open(
        &self,
        package: usize,
        first: &mut dyn FnMut(&SoundFile, ListedPackage<SoundEntry, Failure>),
    ) -> Result<OpenedInput, Failure> {
        let path = &self.files[package];
        let input = InputFile::open(path, &self.reading)?;
        let file = input.to_play_by_page(&mut |page| {
            // Which sound is meant is known when all are.
            if self.selector.is_none() {
                first(page, list_page(page, self.group(&input).as_deref(), OPTION_NAMES));
            }
        })?;
        Ok(OpenedInput { path: path.clone(), input, file })
    }

    fn list(
        &self,
        OpenedInput { path, input, file }: &OpenedInput,
        begun: usize,
    ) -> ListedPackage<SoundEntry, Failure> {
        let read_at = |at: u64, out: &mut [u8]| input.read_at(at, out);
        let content = PackageContent { length: input.len(), read_at: &read_at };
        let group = self.group(input);
        let selected = |selector| Ok(select::one(file, &input.label, Some(selector))?.number - 1);
        ListedPackage {
            chosen: self.selector.as_deref().map(selected),
            warnings: input.remarks(file).warnings,
            ..list_package((path, &input.label), file, content, group.as_deref(), OPTION_NAMES, begun)
        }
    }
}
