//! Writing the files of a plan.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;

use exporter::{OutputError, OutputFile};
use importer::{HeldMemory, Sound};

use super::file_write::{FileWriteError, Refused, write_sample};
use super::{
    ExtractError, ExtractEvent, ExtractFormat, ExtractPlan, Extracted, instrument_files, module_files,
};
use crate::adjusted::AdjustedSample;

impl ExtractPlan<'_> {
    /// Writes the files of the package, without those of tracker modules in it; only names them on a dry run. `watch`
    /// may end it between two sounds.
    ///
    /// # Errors
    /// [`ExtractError`] if something cannot be written, and the first error of `watch`.
    pub fn write<E: From<ExtractError>>(
        &self,
        watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
    ) -> Result<Extracted, E> {
        let mut failed = 0;
        for (sound, Refused { reason, is_over_limit }) in &self.left_out {
            failed += 1;
            watch(ExtractEvent::LeftOut { sound, reason, is_over_limit: *is_over_limit })?;
        }
        if let Some(path) = &self.whole {
            return self.write_whole(path, watch);
        }
        let mut undecoded = HashSet::new();
        let files = self.files.iter().filter(|_| !self.options.no_wav);
        for (done, (sound, path)) in files.enumerate() {
            watch(ExtractEvent::Next { done, total: self.files.len() })?;
            if self.existing.contains(&sound.number) {
                continue;
            }
            if !self.options.dry_run {
                // No file is begun for what cannot be decoded.
                let written = match FileContents::of(self, sound) {
                    Ok(contents) => {
                        if let values @ 1.. = contents.clipped() {
                            watch(ExtractEvent::Clipped { sound, values })?;
                        }
                        self.put(path, |output| contents.write(output))?
                    }
                    Err(error) => {
                        undecoded.insert(sound.number);
                        Err(Refused::of(&error))
                    }
                };
                if let Err(Refused { reason, is_over_limit }) = written {
                    failed += 1;
                    watch(ExtractEvent::LeftOut { sound, reason: &reason, is_over_limit })?;
                    continue;
                }
            }
            watch(ExtractEvent::Written { sound: Some(sound), path })?;
        }
        watch(ExtractEvent::SoundsDone)?;
        let failed_instrument_files = instrument_files::write(self, watch)?;
        let modules = module_files::write(self, undecoded, watch)?;
        Ok(Extracted {
            sounds: self.files.len() + self.left_out.len(),
            failed: failed + modules.failed,
            failed_instrument_files: failed_instrument_files + modules.failed_files,
            left_out_of_modules: modules.left_out,
        })
    }

    /// Writes a tracker module as it is stored.
    fn write_whole<E: From<ExtractError>>(
        &self,
        path: &Path,
        watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
    ) -> Result<Extracted, E> {
        if self.whole_exists {
            return Ok(Extracted { sounds: 1, ..Extracted::default() });
        }
        if !self.options.dry_run {
            let written = self.put(path, |output| {
                let bytes = self.package.bytes().map_err(FileWriteError::contents)?;
                output.write_all(&bytes).map_err(FileWriteError::Output)
            })?;
            if let Err(Refused { reason, .. }) = written {
                watch(ExtractEvent::ModuleLeftOut { reason: &reason })?;
                return Ok(Extracted { sounds: 1, failed: 1, ..Extracted::default() });
            }
        }
        watch(ExtractEvent::Written { sound: None, path })?;
        Ok(Extracted { sounds: 1, ..Extracted::default() })
    }

    /// Writes a file whole or not at all: a cut-off one would look like a sound. Its folder is made. What is wrong with
    /// its contents is given back.
    pub(super) fn put(
        &self,
        path: &Path,
        write: impl FnOnce(&mut OutputFile) -> Result<(), FileWriteError>,
    ) -> Result<Result<(), Refused>, ExtractError> {
        if let Some(folder) = path.parent() {
            self.to.batch.make_folder(&self.to.root, folder, self.to.overwrite.is_forced())?;
        }
        let mut output = OutputFile::create(path, &self.to.overwrite)?;
        match write(&mut output) {
            Ok(()) => Ok(Ok(output.publish_in(&self.to.batch)?)),
            Err(FileWriteError::Output(error)) => {
                Err(OutputError::Io { label: output.label().to_owned(), error }.into())
            }
            Err(FileWriteError::Contents(reason)) => Ok(Err(Refused { reason, is_over_limit: false })),
        }
    }
}

/// What is written to a sound's file.
enum FileContents {
    Original(Vec<u8>),
    Wav { adjusted: AdjustedSample, _held: HeldMemory },
}

impl FileContents {
    fn of(plan: &ExtractPlan<'_>, sound: &Sound) -> Result<Self, importer::Error> {
        Ok(match plan.options.format_of(sound) {
            ExtractFormat::Original => Self::Original(plan.package.payload(sound.number)?),
            ExtractFormat::Wav => {
                let (sample, _held) = plan.package.sample(sound.number)?.into_parts();
                let adjusted = AdjustedSample::of(&sample, &plan.adjusted.voicing(sound));
                Self::Wav { adjusted, _held }
            }
        })
    }

    const fn clipped(&self) -> u64 {
        match self {
            Self::Original(_) => 0,
            Self::Wav { adjusted, .. } => adjusted.clipped,
        }
    }

    fn write(&self, output: &mut OutputFile) -> Result<(), FileWriteError> {
        match self {
            Self::Original(bytes) => output.write_all(bytes).map_err(FileWriteError::Output),
            Self::Wav { adjusted, .. } => write_sample(output, &adjusted.sample),
        }
    }
}
