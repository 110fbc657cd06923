//! The packages of the page: files that were dropped, or folders of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use importer::open::walk::{folder_of, name_below};
use importer::open::{Files, GameError, LeftOut, OpenOptions, OpenedFile, Walk, unread_reason};
use importer::{Error, SoundFile};
use player::adjustments::PackageContent;
use player::game_remarks;
use player::library::PackageSource;
use player::live::ListedPackage;
use screen::model::SoundEntry;
use screen::{OptionNames, list_package, list_page};
use unreal::KeyRing;

use super::files::PageFiles;

/// Packages, modules, sound banks, games and files of audio among files.
pub(crate) struct PagePackages {
    files: Arc<dyn Files>,
    /// What is opened, in order.
    paths: Vec<PathBuf>,
    /// The folder that they are below, if there are several.
    folder: Option<PathBuf>,
    options: OpenOptions,
}

/// A package that is open.
pub(crate) struct OpenPackage {
    path: PathBuf,
    opened: OpenedFile,
    file: SoundFile,
}

impl AsRef<SoundFile> for OpenPackage {
    fn as_ref(&self) -> &SoundFile {
        &self.file
    }
}

/// Returns what is to be played of a file: of a package with nothing else to play, the tracker module in it.
pub(crate) fn played(file: SoundFile) -> Result<SoundFile, Error> {
    let mut modules = file.modules();
    match (modules.next(), modules.next()) {
        (Some((module, _)), None) if file.is_music() => {
            let number = module.number;
            file.music(number)
        }
        _ => {
            drop(modules);
            Ok(file)
        }
    }
}

/// Returns why a container was left out.
fn reason(LeftOut { path, error }: &LeftOut, keys: &KeyRing) -> String {
    format!("{}: {}", path.display(), unread_reason(error, keys, "enter its key under Game keys"))
}

/// Opens what is at a path of the page.
///
/// # Errors
/// Why it cannot be read, or the first reason why no container can be opened.
fn open_path(files: &Arc<dyn Files>, path: &Path, options: &OpenOptions) -> Result<OpenedFile, String> {
    let opened = OpenedFile::open(files, path, options).map_err(|error| error.to_string())?;
    match opened.game() {
        Some(game) if game.mount.containers().is_empty() => {
            let first = game.left_out.first().map(|left_out| reason(left_out, &options.keys));
            Err(first.unwrap_or_else(|| GameError::NoContainers(path.to_owned()).to_string()))
        }
        _ => Ok(opened),
    }
}

/// Opens a file of the page.
///
/// # Errors
/// Why it cannot be read, as a sentence.
pub(crate) fn open(
    files: &Arc<dyn Files>,
    path: &Path,
    options: &OpenOptions,
) -> Result<(OpenedFile, SoundFile), String> {
    let opened = open_path(files, path, options)?;
    let file = opened.sounds(options).and_then(played);
    let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((opened, file))
}

impl PagePackages {
    /// Finds the packages among files.
    ///
    /// # Errors
    /// If there are none, as a sentence.
    pub(crate) fn of(files: PageFiles, options: OpenOptions) -> Result<Self, String> {
        let top = files.top();
        let walk = Walk::of(&files, &top);
        if walk.files.is_empty() {
            let names: Vec<_> = top.iter().map(|path| path.display().to_string()).collect();
            let names = names.join(", ");
            return Err(format!("no packages, modules, sound banks or audio files in {names}"));
        }
        let folder = folder_of(&files, &top, &walk.files);
        Ok(Self { files: Arc::new(files), paths: walk.files, folder, options })
    }

    /// Returns how the packages are named.
    pub(crate) fn label(&self) -> String {
        let first = self.paths.first().map(|path| path.display().to_string()).unwrap_or_default();
        match self.paths.len() {
            0 | 1 => first,
            more => format!("{first} and {} more", more - 1),
        }
    }

    /// Returns the files, and how they are opened.
    pub(crate) fn files(&self) -> (Arc<dyn Files>, OpenOptions) {
        (Arc::clone(&self.files), self.options.clone())
    }

    fn group(&self, path: &Path, opened: &OpenedFile) -> Option<String> {
        self.folder.as_ref().map(|folder| name_below(folder, path, opened.name()))
    }
}

impl PackageSource for PagePackages {
    type OpenPackage = OpenPackage;
    type Listed = ListedPackage<SoundEntry, String>;
    type Unopenable = String;

    fn count(&self) -> usize {
        self.paths.len()
    }

    fn path(&self, package: usize) -> Option<PathBuf> {
        self.paths.get(package).cloned()
    }

    fn open(
        &self,
        package: usize,
        first: &mut dyn FnMut(&SoundFile, Self::Listed),
    ) -> Result<OpenPackage, String> {
        let path = self.paths.get(package).cloned().unwrap_or_default();
        let failed = |error: Error| format!("{}: {error}", path.display());
        let opened = open_path(&self.files, &path, &self.options)?;
        let group = self.group(&path, &opened);
        let file = if opened.game().is_some() {
            opened.sounds_by_page(&self.options, &mut |page| {
                first(page, list_page(page, group.as_deref(), OptionNames::default()));
            })
        } else {
            opened.sounds(&self.options).and_then(played)
        };
        let file = file.map_err(failed)?;
        Ok(OpenPackage { path, opened, file })
    }

    fn list(&self, OpenPackage { path, opened, file }: &OpenPackage, begun: usize) -> Self::Listed {
        let source = opened.source();
        let read_at = |at: u64, out: &mut [u8]| source.read_at(at, out);
        let content = PackageContent { length: source.len(), read_at: &read_at };
        let (label, group) = (path.display().to_string(), self.group(path, opened));
        let missing = file.missing();
        let missing = missing.iter().map(|remark| format!("{}: {}", remark.object, remark.text));
        let unopened = opened.game();
        let unopened = unopened
            .map(|game| game_remarks::warnings(game, |left_out| reason(left_out, &self.options.keys)));
        ListedPackage {
            warnings: missing.chain(unopened.into_iter().flatten()).collect(),
            ..list_package((path, &label), file, content, group.as_deref(), OptionNames::default(), begun)
        }
    }
}
