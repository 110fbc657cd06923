//! The folders and names of all packages together.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exporter::{
    Batch, DiskSpace, ExtractedNames, FileLayout, OutputError, Overwrite, UniqueNames, free_path,
};
use importer::open::Walk;
use importer::{Sound, SoundFile};

use super::plan::Destination;
use super::{ExtractError, ExtractOptions, ExtractPlan};
use crate::adjustments::ContentKey;

/// The folders that files go to: the one that was asked for, or a new one for each input.
pub struct ExtractOutputs<'o> {
    options: &'o ExtractOptions,
    given: ExtractedNames,
    /// By input.
    new: HashMap<usize, (PathBuf, ExtractedNames)>,
    /// Names of new folders.
    taken: UniqueNames,
    overwrite: Overwrite,
    batch: Arc<Batch>,
    /// Bytes of all packages so far, as they are stored and as they will be.
    stored: u64,
    wanted: u64,
}

/// Facts of the file that a package is read from.
pub struct ExtractSource<'s> {
    /// The file, which is an input or below one.
    pub file: &'s Path,
    /// Its name without folder and extension.
    pub name: &'s str,
    /// What to call it in messages.
    pub label: &'s str,
    /// Stored size in bytes, with all that belongs to it.
    pub stored_len: u64,
    /// Whether it is one package of a game.
    pub is_one_package: bool,
    /// Key of the adjustments that are used; none for sounds as they are stored.
    pub key: Option<ContentKey>,
    /// Narrows the files that may be replaced: not those that are read.
    pub keep: &'s dyn Fn(Overwrite) -> Overwrite,
}

/// Returns the files of the system.
#[cfg(not(target_family = "wasm"))]
const fn disk() -> importer::open::Disk {
    importer::open::Disk
}

/// Returns no files: there is no disk.
#[cfg(target_family = "wasm")]
fn disk() -> importer::open::MemoryFiles {
    importer::open::MemoryFiles::default()
}

impl<'o> ExtractOutputs<'o> {
    /// Creates the outputs of a command.
    #[must_use]
    pub fn new(options: &'o ExtractOptions) -> Self {
        // Folders are gone through only where something could be lost.
        let walked = || Walk::of(&disk(), &options.inputs);
        let walked = options.force.then(walked).map(|walk| [walk.files, walk.audio_files].concat());
        let files = walked.unwrap_or_else(|| options.inputs.clone());
        Self {
            options,
            given: ExtractedNames::default(),
            new: HashMap::new(),
            taken: UniqueNames::of_files(),
            overwrite: Overwrite::forced(options.force).keeping(files),
            batch: Arc::default(),
            stored: 0,
            wanted: 0,
        }
    }

    /// Plans the files of a package and takes the room for them. The names of a package depend on those before it, and
    /// so does whether it may be begun at all. `passes` chooses the samples of tracker modules in it.
    ///
    /// # Errors
    /// [`ExtractError::Blocked`] if a file is in the way, [`ExtractError::Space`] if the disk has no room, or all
    /// packages together are a flood.
    pub fn plan<'p>(
        &mut self,
        source: &ExtractSource<'_>,
        package: &'p SoundFile,
        sounds: &[&'p Sound],
        passes: &dyn Fn(&Sound) -> bool,
    ) -> Result<ExtractPlan<'p>, ExtractError>
    where
        'o: 'p,
    {
        let mut plan = self.name_files(source, package, sounds);
        source.label.clone_into(&mut plan.label);
        plan.skip_existing();
        plan.check_free()?;
        let of_modules = plan.check_modules(passes)?;
        plan.bytes = plan.own_bytes().saturating_add(of_modules);
        if !self.options.dry_run {
            self.reserve(&plan, source.stored_len)?;
        }
        Ok(plan)
    }

    fn name_files<'p>(
        &mut self,
        source: &ExtractSource<'_>,
        package: &'p SoundFile,
        sounds: &[&'p Sound],
    ) -> ExtractPlan<'p>
    where
        'o: 'p,
    {
        let typed = &self.options.inputs;
        let number = typed.iter().position(|typed| source.file.starts_with(typed)).unwrap_or_default();
        let is_typed = typed.get(number).is_some_and(|typed| typed == source.file);
        let layout = match self.options {
            ExtractOptions { flat: true, .. } => FileLayout::Flat,
            ExtractOptions { events: true, .. } => FileLayout::Game,
            _ if source.is_one_package => FileLayout::Asset,
            _ if package.is_game() => FileLayout::Game,
            ExtractOptions { output: None, .. } if is_typed => FileLayout::Alone,
            _ => FileLayout::Package,
        };
        let (root, names) = match &self.options.output {
            Some(folder) => (folder, &mut self.given),
            None => {
                let (root, names) = self.new.entry(number).or_insert_with(|| {
                    let folder = typed.get(number).filter(|typed| typed.is_dir()).map(|typed| name_of(typed));
                    let name = folder.as_deref().unwrap_or(source.name);
                    let root = free_path(Path::new(""), name, None, &mut self.taken);
                    (root, ExtractedNames::default())
                });
                (&*root, names)
            }
        };
        let to = Destination {
            root: root.clone(),
            overwrite: (source.keep)(self.overwrite.clone()),
            batch: Arc::clone(&self.batch),
        };
        let mut names = names.of_package(package.name(), layout);
        ExtractPlan::new(self.options, package, source.key.clone(), to, &mut names, sounds)
    }

    fn reserve(&mut self, plan: &ExtractPlan<'_>, stored_len: u64) -> Result<(), ExtractError> {
        self.stored = self.stored.saturating_add(stored_len);
        self.wanted = self.wanted.saturating_add(plan.bytes);
        let space = DiskSpace { stored: self.stored, allows_flood: self.options.large };
        let checked = space.check_part(&plan.to.root, plan.bytes, self.wanted);
        checked.map_err(|error| ExtractError::Space { label: plan.label.clone(), error })
    }

    /// Waits until all files are on the disk.
    ///
    /// # Errors
    /// [`OutputError::Io`] if the disk cannot be written.
    pub fn finish(&self) -> Result<(), OutputError> {
        self.batch.finish()
    }
}

/// Returns the name of a folder, also where it is typed as `.`.
fn name_of(folder: &Path) -> String {
    let whole = if folder.file_name().is_none() { folder.canonicalize().ok() } else { None };
    let name = whole.as_deref().unwrap_or(folder).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
