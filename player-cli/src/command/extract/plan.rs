//! Which files `extract` writes, and where.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exporter::{Batch, DiskSpace, Overwrite};
use exporter::{ExtractedNames, FileLayout, PackageNames, UniqueNames, free_path};
use importer::{Format, Sound, SoundFile, Status};

use super::{banks, format_of};
use crate::args::{Extract, ExtractFormat};
use crate::failure::Failure;
use crate::input::Input;
use importer::open::{Disk, Walk};

/// The folders that files go to: the one that was asked for, or a new one for each FILE.
pub(super) struct Outputs<'a> {
    args: &'a Extract,
    given: ExtractedNames,
    /// By FILE.
    new: HashMap<usize, (PathBuf, ExtractedNames)>,
    /// Names of new folders.
    taken: UniqueNames,
    overwrite: Overwrite,
    pub(super) batch: Arc<Batch>,
    /// Bytes of all packages so far, as they are stored and as they will be.
    stored: u64,
    wanted: u64,
}

impl<'a> Outputs<'a> {
    pub(super) fn new(args: &'a Extract) -> Self {
        let taken = UniqueNames::of_files();
        // Folders are gone through only where something could be lost.
        let files =
            if args.force { Walk::of(&Disk, &args.inputs.files).files } else { args.inputs.files.clone() };
        let overwrite = Overwrite::forced(args.force).keeping(files);
        let given = ExtractedNames::default();
        Self {
            args,
            given,
            new: HashMap::new(),
            taken,
            overwrite,
            batch: Arc::default(),
            stored: 0,
            wanted: 0,
        }
    }

    /// Plans the files of a package, which is a FILE or lies below one.
    pub(super) fn plan<'p>(
        &mut self,
        file: &Path,
        input: &Input,
        package: &'p SoundFile,
        sounds: &[&'p Sound],
    ) -> ExtractPlan<'p> {
        let typed = &self.args.inputs.files;
        let number = typed.iter().position(|typed| file.starts_with(typed)).unwrap_or_default();
        let is_typed = typed.get(number).is_some_and(|typed| typed == file);
        let layout = match self.args {
            Extract { flat: true, .. } => FileLayout::Flat,
            _ if input.is_one_package() => FileLayout::Asset,
            _ if package.is_game() => FileLayout::Game,
            Extract { output: None, .. } if is_typed => FileLayout::Alone,
            _ => FileLayout::Package,
        };
        let (root, names) = match &self.args.output {
            Some(folder) => (folder, &mut self.given),
            None => {
                let (root, names) = self.new.entry(number).or_insert_with(|| {
                    let folder = typed.get(number).filter(|typed| typed.is_dir()).map(|typed| name_of(typed));
                    let name = folder.as_deref().unwrap_or(input.name());
                    let root = free_path(Path::new(""), name, None, &mut self.taken);
                    (root, ExtractedNames::default())
                });
                (&*root, names)
            }
        };
        let to = Destination {
            root: root.clone(),
            overwrite: input.kept(self.overwrite.clone()),
            batch: Arc::clone(&self.batch),
        };
        ExtractPlan::new(self.args, package, to, &mut names.of_package(package.name(), layout), sounds)
    }

    /// Takes the room of a package whose sounds become so many bytes.
    ///
    /// # Errors
    /// If the disk has no such room, or all packages together are a flood.
    pub(super) fn reserve(
        &mut self,
        plan: &ExtractPlan<'_>,
        input: &Input,
        bytes: u64,
    ) -> Result<(), Failure> {
        self.stored = self.stored.saturating_add(input.stored_len());
        self.wanted = self.wanted.saturating_add(bytes);
        let space = DiskSpace { stored: self.stored, allows_flood: self.args.large };
        let checked = space.check_part(&plan.to.root, bytes, self.wanted);
        checked.map_err(|error| Failure::of_space(&plan.label, &error))
    }
}

/// Returns the name of a folder, also where it is typed as `.`.
fn name_of(folder: &Path) -> String {
    let whole = if folder.file_name().is_none() { folder.canonicalize().ok() } else { None };
    let name = whole.as_deref().unwrap_or(folder).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Where files go to.
#[derive(Clone)]
pub(super) struct Destination {
    /// The folder that the files of all packages are below.
    pub(super) root: PathBuf,
    /// What may be replaced there.
    pub(super) overwrite: Overwrite,
    /// All of them.
    pub(super) batch: Arc<Batch>,
}

/// Which sound goes to which file, and which cannot.
pub(super) struct ExtractPlan<'p> {
    /// What to call the package in messages: packages of one name are distinguished by where they are.
    pub(super) label: String,
    pub(super) to: Destination,
    /// The folder of this package.
    pub(super) folder: PathBuf,
    /// Where the bytes of the whole file go: a tracker module stores none of its sounds apart.
    pub(super) whole: Option<PathBuf>,
    pub(super) files: Vec<(&'p Sound, PathBuf)>,
    pub(super) left_out: Vec<(&'p Sound, String)>,
    /// Sounds whose files are there already and stay as they are.
    pub(super) existing: HashSet<usize>,
    /// Tracker modules in a package, and the folders that their samples go to, below the one of all.
    pub(super) modules: Vec<(&'p Sound, PathBuf)>,
    /// Groups and cues: they have no audio of their own.
    pub(super) arranged: Vec<&'p Sound>,
    pub(super) banks: Vec<banks::BankFile>,
    /// By sound: files with the loop written out, for players that cannot play it as it is.
    pub(super) loops: Vec<(usize, PathBuf)>,
}

impl<'p> ExtractPlan<'p> {
    pub(super) fn new(
        args: &Extract,
        package: &'p SoundFile,
        to: Destination,
        names: &mut PackageNames<'_>,
        sounds: &[&'p Sound],
    ) -> Self {
        // Nothing joined would end it in a slash.
        let is_own = names.folder.as_os_str().is_empty();
        let folder = if is_own { to.root.clone() } else { to.root.join(&names.folder) };
        let module = package.module().filter(|_| args.format == ExtractFormat::Original);
        let format = module.map(|module| Format::from(module.raw.format()).name());
        let whole = format.map(|format| folder.join(format!("{}.{format}", names.whole)));
        let sounds = if whole.is_some() { &[] } else { sounds };
        let mut plan = Self {
            label: package.name().to_owned(),
            to,
            banks: banks::plan(args, &names.whole, &folder),
            folder,
            whole,
            files: Vec::new(),
            left_out: Vec::new(),
            existing: HashSet::new(),
            modules: Vec::new(),
            arranged: Vec::new(),
            loops: Vec::new(),
        };
        for sound in sounds {
            let is_opened = sound.module().is_some() && args.format == ExtractFormat::Wav;
            if sound.is_vacant() || is_opened {
                continue;
            }
            if !sound.is_recording() {
                plan.arranged.push(sound);
                continue;
            }
            let extension = match (format_of(args, sound), &sound.status) {
                (ExtractFormat::Wav, Status::Ok) => "wav",
                (ExtractFormat::Original, _) if sound.payload().is_some() => {
                    sound.format().map_or("bin", Format::name)
                }
                (_, status) => {
                    plan.left_out
                        .push((sound, status.reason().unwrap_or_else(|| "it has no bytes".to_owned())));
                    continue;
                }
            };
            let mut file = plan.to.root.join(names.unique(&sound.path())).into_os_string();
            file.push(format!(".{extension}"));
            plan.files.push((sound, file.into()));
        }
        if args.format == ExtractFormat::Wav {
            let modules = package.modules().map(|(sound, _)| sound);
            plan.modules = modules.map(|sound| (sound, names.unique(&sound.path()))).collect();
        }
        plan.loops = banks::plan_loops(&plan);
        plan
    }

    /// Returns about how many bytes of sound are written.
    pub(super) fn bytes(&self, args: &Extract) -> u64 {
        let stored = |sound: &Sound| match (args.format, sound.audio()) {
            (ExtractFormat::Wav, Some(audio)) => {
                let value = u64::from(audio.bits.unwrap_or(16)).div_ceil(8);
                audio.frames.unwrap_or(0).saturating_mul(value.saturating_mul(audio.channels.min(2).into()))
            }
            (ExtractFormat::Wav, None) => 0,
            (ExtractFormat::Original, _) => sound.payload().map_or(0, |payload| payload.uncompressed_len()),
        };
        let files = self.files.iter().filter(|(sound, _)| !self.existing.contains(&sound.number));
        let bytes = files.map(|(sound, _)| stored(sound)).fold(0, u64::saturating_add);
        // A SoundFont has all of them once more.
        bytes.saturating_mul(if args.sf2 { 2 } else { 1 })
    }

    /// Leaves out the files that are there, if the user wants that.
    pub(super) fn skip_existing(&mut self, args: &Extract) {
        if args.skip_existing {
            let is_there = |path: &Path| path.symlink_metadata().is_ok();
            let existing = self.files.iter().filter(|(_, path)| is_there(path));
            self.existing = existing.map(|(sound, _)| sound.number).collect();
            self.whole.take_if(|path| is_there(path));
            self.banks.retain(|bank| !is_there(&bank.path));
            self.loops.retain(|(_, path)| !is_there(path));
        }
    }

    /// # Errors
    /// If writing would destroy the input, or anything else that the user has not given up.
    pub(super) fn is_free(&self) -> Result<(), Failure> {
        let banks = self.banks.iter().map(|bank| &bank.path);
        let loops = self.loops.iter().map(|(_, path)| path);
        let files = self.files.iter().filter(|(sound, _)| !self.existing.contains(&sound.number));
        for path in files.map(|(_, path)| path).chain(banks).chain(loops).chain(&self.whole) {
            let checked = self.to.overwrite.check(path);
            checked.map_err(|error| Failure::from(error).hint("nothing of this package was written"))?;
        }
        Ok(())
    }
}
