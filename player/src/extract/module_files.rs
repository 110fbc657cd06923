//! The sounds of a package as tracker modules, as many as it takes.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use exporter::PackageNames;
use exporter::sound_module::{ModuleError, ModuleFormat, SoundModule};
use importer::{Sound, Status};

use super::file_write::{FileWriteError, Refused};
use super::{ExtractError, ExtractEvent, ExtractFormat, ExtractOptions, ExtractPlan};
use crate::adjusted::AdjustedSample;

/// A module to be written.
pub(super) struct ModuleFile {
    format: ModuleFormat,
    pub(super) path: PathBuf,
    /// Which of the sounds that modules hold.
    sounds: Range<usize>,
}

/// What modules do not keep of some sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModuleChange {
    /// Their values are wider.
    Rounded,
    /// They have more channels.
    Mixed,
    /// They have other loops.
    Loops,
}

/// As it is said before a number of sounds.
impl fmt::Display for ModuleChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rounded => "sounds rounded to 16 bits",
            Self::Mixed => "sounds of more than two channels mixed down",
            Self::Loops => "sounds of which loops or numbers of repeats are left out",
        })
    }
}

/// What became of the modules of a package.
#[derive(Default)]
pub(super) struct WrittenModules {
    /// Number of files that could not be made.
    pub(super) failed_files: usize,
    /// Number of sounds that could not be decoded, besides those that were known.
    pub(super) failed: usize,
    /// Number of sounds that a module cannot hold.
    pub(super) left_out: usize,
}

/// Returns whether modules hold a sound.
pub(super) fn holds(options: &ExtractOptions, sound: &Sound) -> bool {
    options.format_of(sound) == ExtractFormat::Wav && sound.status == Status::Ok
}

/// Returns the files for so many sounds: `NAME.it`, or `NAME-1.it`, `NAME-2.it` and so on.
pub(super) fn plan(
    options: &ExtractOptions,
    names: &mut PackageNames<'_>,
    folder: &Path,
    sounds: usize,
) -> Vec<ModuleFile> {
    let mut planned = Vec::new();
    let most = options.modules.iter().map(|format| format.files(sounds)).max().unwrap_or(0);
    let parts: Vec<String> =
        if most > 1 { (1..=most).map(|number| names.part(number)).collect() } else { Vec::new() };
    for format in options.modules.iter().copied() {
        let files = format.files(sounds);
        let stems: &[String] = if files > 1 { &parts } else { std::slice::from_ref(&names.whole) };
        for (number, stem) in stems.iter().take(files).enumerate() {
            let first = number * format.max_instruments();
            let path = folder.join(format!("{stem}.{}", format.extension()));
            let sounds = first..sounds.min(first + format.max_instruments());
            planned.push(ModuleFile { format, path, sounds });
        }
    }
    planned
}

/// Writes them. Sounds of the numbers in `undecoded` are left out without a word.
pub(super) fn write<E: From<ExtractError>>(
    plan: &ExtractPlan<'_>,
    mut undecoded: HashSet<usize>,
    watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
) -> Result<WrittenModules, E> {
    let mut done = WrittenModules::default();
    let held: Vec<&Sound> = plan.files.iter().map(|(sound, _)| *sound).collect();
    let held: Vec<&Sound> = held.into_iter().filter(|sound| holds(plan.options, sound)).collect();
    for file in &plan.modules_of_sounds {
        if !plan.options.dry_run {
            let sounds = held.get(file.sounds.clone()).unwrap_or_default();
            let known = undecoded.len();
            let written = write_file(plan, file, sounds, &mut undecoded, watch)?;
            done.failed += undecoded.len() - known;
            match written {
                Ok(left_out) => done.left_out += left_out,
                Err(Refused { reason, .. }) => {
                    done.failed_files += 1;
                    watch(ExtractEvent::InstrumentFileLeftOut { path: &file.path, reason: &reason })?;
                    continue;
                }
            }
        }
        watch(ExtractEvent::Written { sound: None, path: &file.path })?;
    }
    Ok(done)
}

/// Writes a module; returns how many sounds it cannot hold.
fn write_file<E: From<ExtractError>>(
    plan: &ExtractPlan<'_>,
    ModuleFile { format, path, .. }: &ModuleFile,
    sounds: &[&Sound],
    undecoded: &mut HashSet<usize>,
    watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
) -> Result<Result<usize, Refused>, E> {
    let (mut rounded, mut mixed, mut loops, mut left_out) = (0, 0, 0, 0);
    let mut watched = Ok(());
    let written = plan.put(path, |output| {
        // It is not published: the reason is the caller's.
        let stopped = |error, watched: &mut Result<(), E>| {
            *watched = Err(error);
            FileWriteError::Contents(String::new())
        };
        let title = plan.package.name();
        let mut module = SoundModule::new(*format, output, title, sounds.len(), plan.options.module_options)
            .map_err(FileWriteError::Output)?;
        for (done, sound) in sounds.iter().enumerate() {
            if undecoded.contains(&sound.number) {
                continue;
            }
            watch(ExtractEvent::Next { done, total: sounds.len() })
                .map_err(|error| stopped(error, &mut watched))?;
            let sample = match plan.package.sample(sound.number) {
                Ok(sample) => sample,
                Err(error) => {
                    undecoded.insert(sound.number);
                    let Refused { reason, is_over_limit } = Refused::of(&error);
                    watch(ExtractEvent::LeftOut { sound, reason: &reason, is_over_limit })
                        .map_err(|error| stopped(error, &mut watched))?;
                    continue;
                }
            };
            let AdjustedSample { sample, clipped } =
                AdjustedSample::of(&sample, &plan.adjusted.voicing(sound));
            // With WAV files it was said of these.
            if clipped > 0 && plan.options.no_wav {
                watch(ExtractEvent::Clipped { sound, values: clipped })
                    .map_err(|error| stopped(error, &mut watched))?;
            }
            let added = module.add(&sound.path(), &sound.object.name, &sample);
            match added.map_err(FileWriteError::Output)? {
                Ok(lost) => {
                    rounded += usize::from(lost.width);
                    loops += usize::from(lost.loops);
                    mixed += usize::from(sound.audio().is_some_and(|audio| audio.channels > 2));
                }
                Err(refusal) => {
                    left_out += 1;
                    let reason = refusal.to_string();
                    watch(ExtractEvent::LeftOutOfModule { path, sound, reason: &reason })
                        .map_err(|error| stopped(error, &mut watched))?;
                }
            }
        }
        module.finish().map_err(|error| match error {
            ModuleError::Io(error) => FileWriteError::Output(error),
            other => FileWriteError::contents(other),
        })
    });
    watched?;
    let written = written?;
    watch(ExtractEvent::SoundsDone)?;
    if written.is_ok() {
        let changes =
            [(ModuleChange::Rounded, rounded), (ModuleChange::Mixed, mixed), (ModuleChange::Loops, loops)];
        for (change, sounds) in changes.into_iter().filter(|(_, sounds)| *sounds > 0) {
            watch(ExtractEvent::Changed { path, change, sounds })?;
        }
    }
    Ok(written.map(|()| left_out))
}
