//! Writing the files of a plan.

use std::collections::HashSet;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::thread;

use exporter::ogg::{VorbisHeaders, write_ogg};
use exporter::{OutputError, OutputFile};
use importer::{HeldMemory, Sound, SoundFile};

use super::file_write::{FileWriteError, Refused, write_sample};
use super::write_queue::{Taking, WriteQueue};
use super::{
    ExtractError, ExtractEvent, ExtractFormat, ExtractPlan, Extracted, instrument_files, module_files,
};
use crate::adjusted::AdjustedSample;

impl ExtractPlan<'_> {
    /// Writes the files of the package with some threads, without those of tracker modules in it; only names them on a
    /// dry run. `watch` may end it between two sounds.
    ///
    /// # Errors
    /// [`ExtractError`] if something cannot be written, and the first error of `watch`.
    pub fn write<E: From<ExtractError>>(
        &self,
        threads: NonZeroUsize,
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
        let undecoded = self.write_files(threads, &mut failed, watch)?;
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

    /// Writes the files of sounds, and counts those that failed; returns the numbers of those that cannot be decoded.
    fn write_files<E: From<ExtractError>>(
        &self,
        threads: NonZeroUsize,
        failed: &mut usize,
        watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
    ) -> Result<HashSet<usize>, E> {
        let files: &[(&Sound, PathBuf)] = if self.options.no_wav { &[] } else { &self.files };
        let threads = threads.get().min(files.len());
        let queue = WriteQueue::new(files.len(), threads.saturating_mul(2));
        // Decoders that are many may want more memory together than there is for any of them alone.
        let alone = RwLock::new(());
        let write = |index: usize| {
            let (sound, path) = files.get(index)?;
            let shared = alone.read().unwrap_or_else(PoisonError::into_inner);
            let written = self.write_file(sound, path);
            drop(shared);
            match written {
                FileOutcome::Refused { refused: Refused { is_over_limit: true, .. }, .. } if threads > 1 => {
                    let _alone = alone.write().unwrap_or_else(PoisonError::into_inner);
                    Some(self.write_file(sound, path))
                }
                written => Some(written),
            }
        };
        thread::scope(|scope| {
            let _taking = Taking(&queue);
            let is_shared = threads > 1 && !self.options.dry_run;
            if is_shared {
                (0..threads).for_each(|_| _ = scope.spawn(|| queue.work(write)));
            }
            let mut next = 0..files.len();
            let outcome = &mut || if is_shared { queue.take().flatten() } else { write(next.next()?) };
            self.tell(outcome, failed, watch)
        })
    }

    /// Tells what becomes of each file.
    fn tell<E: From<ExtractError>>(
        &self,
        outcome: &mut dyn FnMut() -> Option<FileOutcome>,
        failed: &mut usize,
        watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
    ) -> Result<HashSet<usize>, E> {
        let mut undecoded = HashSet::new();
        for (done, (sound, path)) in self.files.iter().enumerate() {
            watch(ExtractEvent::Next { done, total: self.files.len() })?;
            match outcome() {
                None => break,
                Some(FileOutcome::Existing) => {}
                Some(FileOutcome::Failed(error)) => return Err(error.into()),
                Some(FileOutcome::Written { clipped }) => {
                    if let values @ 1.. = clipped {
                        watch(ExtractEvent::Clipped { sound, values })?;
                    }
                    watch(ExtractEvent::Written { sound: Some(sound), path })?;
                }
                Some(FileOutcome::Refused { refused, is_decoded }) => {
                    if !is_decoded {
                        undecoded.insert(sound.number);
                    }
                    *failed += 1;
                    let Refused { reason, is_over_limit } = refused;
                    watch(ExtractEvent::LeftOut { sound, reason: &reason, is_over_limit })?;
                }
            }
        }
        Ok(undecoded)
    }

    /// Decodes a sound and writes its file. No file is begun for what cannot be decoded.
    fn write_file(&self, sound: &Sound, path: &Path) -> FileOutcome {
        if self.existing.contains(&sound.number) {
            return FileOutcome::Existing;
        }
        if self.options.dry_run {
            return FileOutcome::Written { clipped: 0 };
        }
        let contents = match FileContents::of(self, sound) {
            Ok(contents) => contents,
            Err(error) => {
                return FileOutcome::Refused { refused: Refused::of(&error), is_decoded: false };
            }
        };
        match self.put(path, |output| contents.write(output)) {
            Ok(Ok(())) => FileOutcome::Written { clipped: contents.clipped() },
            Ok(Err(refused)) => FileOutcome::Refused { refused, is_decoded: true },
            Err(error) => FileOutcome::Failed(error),
        }
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

/// What became of a file.
enum FileOutcome {
    /// It was there, and stays.
    Existing,
    Written {
        /// Values beyond full scale.
        clipped: u64,
    },
    Refused {
        refused: Refused,
        is_decoded: bool,
    },
    /// Nothing more can be written.
    Failed(ExtractError),
}

/// Returns an Ogg file of a sound that is Vorbis.
fn ogg_file(package: &SoundFile, sound: &Sound) -> Result<Vec<u8>, importer::Error> {
    let stream = package.vorbis(sound.number)?;
    let stream = stream.ok_or_else(|| importer::Error::Sound(sound.status.clone()))?;
    let headers = VorbisHeaders {
        channels: u8::try_from(stream.channels).unwrap_or(u8::MAX),
        rate: stream.rate,
        exponents: stream.exponents,
        setup: &stream.setup,
        looped: sound.audio().and_then(|audio| audio.loops.first().copied()),
    };
    let mut file = Vec::new();
    // Memory takes all that is written.
    let _ = write_ogg(&mut file, &headers, stream.packets.iter().map(|(packet, end)| (&packet[..], *end)));
    Ok(file)
}

/// What is written to a sound's file.
enum FileContents {
    Bytes(Vec<u8>),
    Wav { adjusted: AdjustedSample, _held: HeldMemory },
}

impl FileContents {
    fn of(plan: &ExtractPlan<'_>, sound: &Sound) -> Result<Self, importer::Error> {
        Ok(match plan.options.format_of(sound) {
            ExtractFormat::Original => Self::Bytes(plan.package.payload(sound.number)?),
            ExtractFormat::Ogg => Self::Bytes(ogg_file(plan.package, sound)?),
            ExtractFormat::Wav => {
                let (sample, _held) = plan.package.sample(sound.number)?.into_parts();
                let adjusted = AdjustedSample::of(&sample, &plan.adjusted.voicing(sound));
                Self::Wav { adjusted, _held }
            }
        })
    }

    const fn clipped(&self) -> u64 {
        match self {
            Self::Bytes(_) => 0,
            Self::Wav { adjusted, .. } => adjusted.clipped,
        }
    }

    fn write(&self, output: &mut OutputFile) -> Result<(), FileWriteError> {
        match self {
            Self::Bytes(bytes) => output.write_all(bytes).map_err(FileWriteError::Output),
            Self::Wav { adjusted, .. } => write_sample(output, &adjusted.sample),
        }
    }
}
