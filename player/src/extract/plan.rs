//! Which sound of a package goes to which file.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exporter::{Batch, Overwrite, PackageNames};
use importer::{Format, Sound, SoundBanks, SoundFile, Status};

use super::file_write::Refused;
use super::instrument_files::{self, InstrumentFile, LoopFile};
use super::module_files::{self, ModuleFile};
use super::{ExtractError, ExtractFormat, ExtractOptions};
use crate::adjusted::AdjustedSounds;
use crate::adjustments::ContentKey;

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
pub struct ExtractPlan<'p> {
    pub(super) options: &'p ExtractOptions,
    pub(super) package: &'p SoundFile,
    /// Key of the adjustments that are used.
    key: Option<ContentKey>,
    /// How its sounds are adjusted.
    pub(super) adjusted: AdjustedSounds,
    /// What to call the package in messages: packages of one name are distinguished by where they are.
    pub(super) label: String,
    pub(super) to: Destination,
    /// The folder of this package.
    pub(super) folder: PathBuf,
    /// Where the bytes of the whole file go: a tracker module stores none of its sounds apart.
    pub(super) whole: Option<PathBuf>,
    /// Whether that is there already and stays as it is.
    pub(super) whole_exists: bool,
    pub(super) files: Vec<(&'p Sound, PathBuf)>,
    pub(super) left_out: Vec<(&'p Sound, Refused)>,
    /// Number of slots of a module or bank that hold nothing.
    pub(super) vacant: usize,
    /// Sounds whose files are there already and stay as they are.
    pub(super) existing: HashSet<usize>,
    /// Tracker modules in a package, and the folders that their samples go to, below the one of all.
    modules: Vec<(&'p Sound, PathBuf)>,
    /// Groups and cues: they have no audio of their own.
    pub(super) arranged: Vec<&'p Sound>,
    pub(super) instrument_files: Vec<InstrumentFile>,
    /// Tracker modules made of sounds.
    pub(super) modules_of_sounds: Vec<ModuleFile>,
    /// Files with the loop written out, for players that cannot play it as it is.
    pub(super) loops: Vec<LoopFile>,
    /// About how many bytes of sound are written, with tracker modules.
    pub(super) bytes: u64,
}

impl<'p> ExtractPlan<'p> {
    pub(super) fn new(
        options: &'p ExtractOptions,
        package: &'p SoundFile,
        key: Option<ContentKey>,
        to: Destination,
        names: &mut PackageNames<'_>,
        sounds: &[&'p Sound],
    ) -> Self {
        // Nothing joined would end it in a slash.
        let is_own = names.folder.as_os_str().is_empty();
        let folder = if is_own { to.root.clone() } else { to.root.join(&names.folder) };
        let module = package.module().filter(|_| options.format == ExtractFormat::Original);
        let format = module.map(|module| Format::from(module.raw.format()).name());
        let whole = format.map(|format| folder.join(format!("{}.{format}", names.whole)));
        let sounds = if whole.is_some() { &[] } else { sounds };
        let key = key.filter(|_| options.format != ExtractFormat::Original);
        let adjusted = key.as_ref().map(|key| AdjustedSounds::of(key, package)).unwrap_or_default();
        let mut plan = Self {
            options,
            package,
            key,
            adjusted,
            label: package.name().to_owned(),
            to,
            instrument_files: instrument_files::plan(options, &names.whole, &folder),
            folder,
            whole,
            whole_exists: false,
            files: Vec::new(),
            left_out: Vec::new(),
            vacant: 0,
            existing: HashSet::new(),
            modules: Vec::new(),
            arranged: Vec::new(),
            modules_of_sounds: Vec::new(),
            loops: Vec::new(),
            bytes: 0,
        };
        let media = package.banks().filter(|_| options.events).map(SoundBanks::media_by_event);
        let media = media.unwrap_or_default();
        for sound in sounds {
            if options.events {
                plan.add_event(sound, &media, names);
            } else {
                plan.add(sound, &sound.path(), names);
            }
        }
        if options.no_wav {
            plan.keep_decoded();
        }
        let held = plan.files.iter().filter(|(sound, _)| module_files::holds(options, sound)).count();
        plan.modules_of_sounds = module_files::plan(options, names, &plan.folder, held);
        if options.format != ExtractFormat::Original {
            let modules = package.modules().map(|(sound, _)| sound);
            plan.modules = modules.map(|sound| (sound, names.unique(&sound.path()))).collect();
        }
        plan.loops = instrument_files::plan_loops(&plan);
        plan
    }

    /// Plans the files of what an event can play, in a folder of its name; of what is no event nothing.
    fn add_event(
        &mut self,
        event: &'p Sound,
        media: &HashMap<usize, Vec<usize>>,
        names: &mut PackageNames<'_>,
    ) {
        if event.zones().is_none() {
            return;
        }
        let folder = event.object.name.strip_prefix("event:/").unwrap_or(&event.object.name);
        let numbers = media.get(&event.number).cloned().unwrap_or_else(|| event.plays());
        for index in numbers.into_iter().filter_map(|number| number.checked_sub(1)) {
            let Some(sound) = self.package.sounds().get(index) else { continue };
            let path = format!("/{folder}/{}", sound.object.name.replace('/', "_"));
            self.add(sound, &path, names);
        }
        for id in self.package.banks().map_or(&[][..], |banks| banks.missing_of(event.number)) {
            let reason = format!("media {id} is in none of the files");
            self.left_out.push((event, Refused { reason, is_over_limit: false }));
        }
    }

    /// Plans the file of a sound by its path, or notes why it has none.
    fn add(&mut self, sound: &'p Sound, path: &str, names: &mut PackageNames<'_>) {
        let is_opened = sound.module().is_some() && self.options.format != ExtractFormat::Original;
        if sound.is_vacant() {
            self.vacant += 1;
            return;
        }
        if is_opened {
            return;
        }
        if !sound.is_recording() {
            self.arranged.push(sound);
            return;
        }
        let extension = match (self.options.format_of(sound), &sound.status) {
            (ExtractFormat::Wav, Status::Ok) => "wav",
            (ExtractFormat::Ogg, Status::Ok) => "ogg",
            (ExtractFormat::Original, _) if sound.payload().is_some() => {
                sound.format().map_or("bin", Format::name)
            }
            (_, status) => {
                let reason = status.reason().unwrap_or_else(|| "it has no bytes".to_owned());
                self.left_out.push((sound, Refused { reason, is_over_limit: false }));
                return;
            }
        };
        let mut file = self.to.root.join(names.unique(path)).into_os_string();
        file.push(format!(".{extension}"));
        self.files.push((sound, file.into()));
    }

    /// Leaves out what only files of single sounds could hold.
    fn keep_decoded(&mut self) {
        for file in mem::take(&mut self.files) {
            if self.options.format_of(file.0) == ExtractFormat::Wav {
                self.files.push(file);
            } else {
                let reason = "it has notes, no recording for a file of several".to_owned();
                self.left_out.push((file.0, Refused { reason, is_over_limit: false }));
            }
        }
    }

    /// Plans the samples of a tracker module in the package that pass the filter; all of one that passes itself.
    #[must_use]
    pub fn of_module<'m>(
        &self,
        music: &'m SoundFile,
        (module, folder): &(&Sound, PathBuf),
        passes: &dyn Fn(&Sound) -> bool,
    ) -> ExtractPlan<'m>
    where
        'p: 'm,
    {
        let sounds = self.options.chosen(music, |sound| passes(module) || passes(sound));
        let mut names = PackageNames::of_folder(folder.clone(), music.name());
        let mut plan =
            ExtractPlan::new(self.options, music, self.key.clone(), self.to.clone(), &mut names, &sounds);
        plan.label = format!("{} #{} {}", self.label, module.number, module.path());
        plan.skip_existing();
        plan
    }

    /// Checks that no file of tracker modules exists already, and returns about how many bytes they take. Modules that
    /// cannot be opened are left out, as are those without a file.
    pub(super) fn check_modules(&mut self, passes: &dyn Fn(&Sound) -> bool) -> Result<u64, ExtractError> {
        let mut bytes: u64 = 0;
        for module in mem::take(&mut self.modules) {
            match self.package.music(module.0.number) {
                Ok(music) => {
                    let inner = self.of_module(&music, &module, passes);
                    inner.check_free()?;
                    bytes = bytes.saturating_add(inner.own_bytes());
                    let is_empty =
                        inner.files.is_empty() && inner.left_out.is_empty() && inner.existing.is_empty();
                    if !is_empty {
                        self.modules.push(module);
                    }
                }
                Err(error) => self.left_out.push((module.0, Refused::of(&error))),
            }
        }
        Ok(bytes)
    }

    /// Returns about how many bytes of sound are written, without those of tracker modules.
    pub(super) fn own_bytes(&self) -> u64 {
        let stored = |sound: &Sound| match (self.options.format_of(sound), sound.audio()) {
            (ExtractFormat::Wav, Some(audio)) => {
                let value = u64::from(audio.bits.unwrap_or(16)).div_ceil(8);
                audio.frames.unwrap_or(0).saturating_mul(value.saturating_mul(audio.channels.min(2).into()))
            }
            (ExtractFormat::Wav, None) => 0,
            (ExtractFormat::Original | ExtractFormat::Ogg, _) => {
                sound.payload().map_or(0, |payload| payload.uncompressed_len())
            }
        };
        let files = self.files.iter().filter(|(sound, _)| !self.existing.contains(&sound.number));
        let bytes = files.map(|(sound, _)| stored(sound)).fold(0, u64::saturating_add);
        let ExtractOptions { sf2, no_wav, modules, .. } = self.options;
        // Files of several have all of them once more.
        let times = usize::from(!no_wav).saturating_add((*sf2).into()).saturating_add(modules.len());
        bytes.saturating_mul(u64::try_from(times).unwrap_or(u64::MAX))
    }

    /// Leaves out the files that are there, if the user wants that.
    pub(super) fn skip_existing(&mut self) {
        if self.options.skip_existing {
            let is_there = |path: &Path| path.symlink_metadata().is_ok();
            let existing = self.files.iter().filter(|(_, path)| !self.options.no_wav && is_there(path));
            self.existing = existing.map(|(sound, _)| sound.number).collect();
            self.whole_exists = self.whole.as_deref().is_some_and(is_there);
            self.instrument_files.retain(|file| !is_there(&file.path));
            self.modules_of_sounds.retain(|file| !is_there(&file.path));
            // They belong to an SFZ that is written.
            let writes_sfz = self.instrument_files.iter().any(InstrumentFile::is_sfz);
            self.loops.retain(|file| writes_sfz && !is_there(&file.path));
            if self.options.no_wav && self.modules_of_sounds.is_empty() && self.instrument_files.is_empty() {
                self.existing = self.files.iter().map(|(sound, _)| sound.number).collect();
            }
        }
    }

    /// Checks that writing would destroy neither the input, nor anything else that the user has not given up.
    pub(super) fn check_free(&self) -> Result<(), ExtractError> {
        let instrument_files = self.instrument_files.iter().map(|file| &file.path);
        let instrument_files = instrument_files.chain(self.modules_of_sounds.iter().map(|file| &file.path));
        let loops = self.loops.iter().map(|file| &file.path);
        let is_written = |sound: &Sound| !self.options.no_wav && !self.existing.contains(&sound.number);
        let files = self.files.iter().filter(|(sound, _)| is_written(sound));
        let whole = self.whole.iter().filter(|_| !self.whole_exists);
        for path in files.map(|(_, path)| path).chain(instrument_files).chain(loops).chain(whole) {
            self.to.overwrite.check(path).map_err(ExtractError::Blocked)?;
        }
        Ok(())
    }

    /// Returns the package.
    #[must_use]
    pub const fn package(&self) -> &'p SoundFile {
        self.package
    }

    /// Returns what to call the package in messages.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the folder of this package.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns about how many bytes of sound are written, with those of tracker modules.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns whether the file is written as it is stored: a tracker module.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Returns how many sounds have files already, which stay as they are; of a tracker module that is written as it is
    /// stored, 1 if its file is there.
    #[must_use]
    pub fn existing(&self) -> usize {
        self.existing.len().saturating_add(self.whole_exists.into())
    }

    /// Returns the tracker modules in a package that have samples to write, and their folders.
    #[must_use]
    pub fn modules(&self) -> &[(&'p Sound, PathBuf)] {
        &self.modules
    }

    /// Returns how many of the sounds that are written are adjusted.
    #[must_use]
    pub fn adjusted(&self) -> usize {
        let arranged = self.arranged.iter().filter(|_| self.has_instrument_files());
        let files = self.files.iter().map(|(sound, _)| sound);
        let decoded = |sound: &&Sound| self.options.format_of(sound) == ExtractFormat::Wav;
        self.adjusted.count(files.chain(arranged).copied().filter(decoded))
    }

    /// Returns why adjustments cannot be read; none are used then.
    #[must_use]
    pub fn adjustment_problem(&self) -> Option<&str> {
        self.adjusted.problem()
    }

    /// Returns the groups and cues, which have no audio of their own.
    #[must_use]
    pub fn arranged(&self) -> &[&'p Sound] {
        &self.arranged
    }

    /// Returns whether files are written that keep groups and cues.
    #[must_use]
    pub const fn has_instrument_files(&self) -> bool {
        !self.instrument_files.is_empty()
    }
}
