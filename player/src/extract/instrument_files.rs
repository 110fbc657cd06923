//! All sounds of a package as one instrument file for other samplers: SFZ and `SoundFont` 2.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use exporter::sf2::{self, Sf2Error};
use exporter::sfz::{self, KeyAssignment, SampleForm};
use importer::Sound;
use song::{Decibels, Frames, Instrument, InstrumentIndex, Sample, SampleIndex, Song, Voicing};

use super::file_write::{FileWriteError, Refused, write_sample};
use super::{ExtractError, ExtractEvent, ExtractOptions, ExtractPlan};
use crate::adjusted::{AdjustedSample, AdjustedSong, SampleSource};
use crate::session::{self, DecodedSong};

/// A file to be written.
pub(super) struct InstrumentFile {
    kind: InstrumentFileFormat,
    pub(super) path: PathBuf,
}

impl InstrumentFile {
    pub(super) fn is_sfz(&self) -> bool {
        self.kind == InstrumentFileFormat::Sfz
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum InstrumentFileFormat {
    Sfz,
    Sf2,
}

/// Returns the files that are asked for.
pub(super) fn plan(options: &ExtractOptions, stem: &str, folder: &Path) -> Vec<InstrumentFile> {
    let wanted =
        [(options.sfz, InstrumentFileFormat::Sfz, "sfz"), (options.sf2, InstrumentFileFormat::Sf2, "sf2")];
    let wanted = wanted.into_iter().filter(|(is_wanted, ..)| *is_wanted);
    wanted.map(|(_, kind, end)| InstrumentFile { kind, path: folder.join(format!("{stem}.{end}")) }).collect()
}

/// A recording with its loop written out, or trimmed otherwise than in the file of its own sound.
pub(super) struct LoopFile {
    /// Number of the sound that has the recording.
    number: usize,
    variant: FileVariant,
    pub(super) path: PathBuf,
}

/// How a file of a recording is another than that of its own sound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FileVariant {
    /// Number of the sound that loops or trims it otherwise, as it is adjusted; none for the recording's own loop.
    looped_by: Option<usize>,
    /// Whether its loop is written out.
    is_unrolled: bool,
}

impl LoopFile {
    /// Returns the sample of an adjusted song that it has.
    fn source(&self, song: &Song) -> Option<SampleSource> {
        let sample = recording(song, self.number)?;
        let looped_by = self.variant.looped_by.map(|number| InstrumentIndex::new(number - 1));
        Some(SampleSource { sample, looped_by })
    }

    /// Returns the form of the sample that it has.
    const fn form(&self) -> SampleForm {
        if self.variant.is_unrolled { SampleForm::Unrolled } else { SampleForm::AsIs }
    }
}

/// Returns the files whose loops are written out, or that are trimmed otherwise than the sounds' own files, in a folder
/// next to the SFZ, called as the sounds' own files are.
pub(super) fn plan_loops(plan: &ExtractPlan<'_>) -> Vec<LoopFile> {
    let Some(sfz) = plan.instrument_files.iter().find(|file| file.is_sfz()) else { return Vec::new() };
    let folder = sfz.path.with_file_name(folder_of_loops(&sfz.path));
    // By recording, the sounds that loop or trim it otherwise, and first none if it is itself.
    let mut rewritten: BTreeMap<usize, BTreeSet<FileVariant>> = BTreeMap::new();
    for user in plan.files.iter().map(|(sound, _)| *sound).chain(plan.arranged.iter().copied()) {
        let played = match user.zones() {
            Some(tree) => {
                tree.zones().into_iter().map(|zone| (zone.sample().get() + 1, zone.loops_whole())).collect()
            }
            None => vec![(user.number, false)],
        };
        let voicing = plan.adjusted.voicing(user);
        for (number, is_endless) in played {
            let Some(own) = plan.package.sounds().get(number - 1) else { continue };
            let Some(audio) = own.audio() else { continue };
            let length = Frames::new(audio.frames.unwrap_or(u64::MAX));
            let (loops, trim) = (voicing.loops(&audio.loops, length), voicing.trim_of(length));
            let is_unrolled = match loops.first() {
                Some(looping) => !sfz::is_plain(looping),
                None => is_endless && voicing.loop_override().is_none() && audio.loops.is_empty(),
            };
            if is_unrolled || trim != plan.adjusted.voicing(own).trim_of(length) {
                let looped_by = (loops != audio.loops || trim.is_some()).then_some(user.number);
                rewritten.entry(number).or_default().insert(FileVariant { looped_by, is_unrolled });
            }
        }
    }
    let mut files = Vec::new();
    for (sound, path) in &plan.files {
        let variants = rewritten.remove(&sound.number).unwrap_or_default();
        for variant in &variants {
            let own = folder.join(below(path, &plan.folder));
            let stem = own.file_stem().unwrap_or_default().to_string_lossy();
            let user = variant.looped_by.filter(|user| variants.len() > 1 || *user != sound.number);
            let user = user.map_or_else(String::new, |user| format!(" #{user}"));
            let path = match (variant.is_unrolled, user.as_str()) {
                (true, "") => own,
                (true, user) => own.with_file_name(format!("{stem}{user}.wav")),
                (false, user) => own.with_file_name(format!(
                    "{stem}{user} {}.wav",
                    if variant.looped_by.is_some() { "trim" } else { "whole" }
                )),
            };
            files.push(LoopFile { number: sound.number, variant: *variant, path });
        }
    }
    files
}

/// Returns the sample of a sound's own recording. Sound #i is instrument i.
fn recording(song: &Song, number: usize) -> Option<SampleIndex> {
    let zones = song.instruments().get(number.checked_sub(1)?).map(Instrument::zones).unwrap_or_default();
    zones.first().map(|zone| zone.sample())
}

/// Returns a path as an SFZ file in a folder names it.
fn name_in(folder: &Path, path: &Path) -> String {
    let parts = below(path, folder).iter().map(|part| part.to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// Returns the path of a file as seen from a folder that it is below.
fn below<'p>(path: &'p Path, folder: &Path) -> &'p Path {
    path.strip_prefix(folder).unwrap_or(path)
}

/// Returns what the folder is called, as seen from the SFZ.
fn folder_of_loops(sfz: &Path) -> String {
    format!("{} loops", sfz.file_stem().unwrap_or_default().to_string_lossy())
}

/// Writes them; returns how many could not be made.
pub(super) fn write<E: From<ExtractError>>(
    plan: &ExtractPlan<'_>,
    watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
) -> Result<usize, E> {
    if plan.instrument_files.is_empty() || plan.files.is_empty() {
        return Ok(0);
    }
    if plan.options.dry_run {
        let instrument_files = plan.instrument_files.iter().map(|file| &file.path);
        let mut all = plan.loops.iter().map(|file| &file.path).chain(instrument_files);
        all.try_for_each(|path| watch(ExtractEvent::Written { sound: None, path }))?;
        return Ok(0);
    }
    // What they hold of the memory for decoded audio is kept until they are written.
    let DecodedSong { song, held: _held, .. } = decode(plan, watch)?;
    let mut failed = 0;
    for InstrumentFile { kind, path } in &plan.instrument_files {
        let mut unrolled = Ok(());
        let in_files = if *kind == InstrumentFileFormat::Sfz { gains(&song, plan) } else { HashMap::new() };
        let adjusted = plan.adjusted.song(&song, &in_files).map_err(ExtractError::from)?;
        let losses = match kind {
            InstrumentFileFormat::Sfz => sfz::losses(&adjusted.song),
            InstrumentFileFormat::Sf2 => sf2::losses(&adjusted.song),
        };
        for (loss, instruments) in losses.iter() {
            watch(ExtractEvent::Lost { path, loss, instruments })?;
        }
        match kind {
            InstrumentFileFormat::Sf2 => {
                let instruments = song.instruments().iter().filter(|i| sf2::chooses(i)).count();
                if instruments > 0 {
                    watch(ExtractEvent::Simplified { path, instruments })?;
                }
            }
            InstrumentFileFormat::Sfz => unrolled = write_loops(&song, &adjusted, plan, watch)?,
        }
        let written = plan.put(path, |output| match kind {
            InstrumentFileFormat::Sfz => {
                output.write_all(&text(&song, &adjusted, plan)).map_err(FileWriteError::Output)
            }
            InstrumentFileFormat::Sf2 => sf2::write(&adjusted.song, output).map_err(|error| match error {
                Sf2Error::Io(error) => FileWriteError::Output(error),
                other => FileWriteError::contents(other),
            }),
        })?;
        match unrolled.and(written) {
            Ok(()) => watch(ExtractEvent::Written { sound: None, path })?,
            Err(Refused { reason, .. }) => {
                failed += 1;
                watch(ExtractEvent::InstrumentFileLeftOut { path, reason: &reason })?;
            }
        }
    }
    Ok(failed)
}

/// Decodes the sounds of the files.
fn decode<E: From<ExtractError>>(
    plan: &ExtractPlan<'_>,
    watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
) -> Result<DecodedSong, E> {
    let files = plan.files.iter().map(|(sound, _)| sound.number);
    let wanted: HashSet<usize> = files.chain(plan.arranged.iter().map(|sound| sound.number)).collect();
    let mut watched = Ok(());
    let decoded = session::import(plan.package, |sound| wanted.contains(&sound.number), &mut |progress| {
        if watched.is_ok() {
            watched = watch(ExtractEvent::Decoding(progress));
        }
    });
    watched?;
    let decoded = decoded.map_err(ExtractError::from)?;
    watch(ExtractEvent::Decoded(&decoded.report))?;
    Ok(decoded)
}

/// Returns the gains that are in the frames of sounds' files, by sample.
fn gains(song: &Song, plan: &ExtractPlan<'_>) -> HashMap<SampleIndex, Decibels> {
    let gain = |sound: &Sound| Some((recording(song, sound.number)?, plan.adjusted.voicing(sound).gain));
    plan.files.iter().filter_map(|(sound, _)| gain(sound)).collect()
}

/// Returns the text of an SFZ file. The files of sounds have their gain, and loops that it does not use.
fn text(song: &Song, adjusted: &AdjustedSong, plan: &ExtractPlan<'_>) -> Vec<u8> {
    let own = plan.files.iter().filter_map(|(sound, path)| Some((recording(song, sound.number)?, path)));
    let own: HashMap<SampleIndex, &PathBuf> = own.collect();
    let others = plan.loops.iter().filter_map(|file| Some(((file.source(song)?, file.form()), &file.path)));
    let others: HashMap<(SampleSource, SampleForm), &PathBuf> = others.collect();
    let file = |sample: SampleIndex, form| {
        let source = adjusted.sources.get(sample.get())?;
        let path = match (others.get(&(*source, form)), form) {
            (Some(path), _) => path,
            (None, SampleForm::AsIs) => own.get(&source.sample)?,
            (None, SampleForm::Unrolled) => return None,
        };
        Some(name_in(&plan.folder, path))
    };
    let assignment = if plan.options.kit { KeyAssignment::Kit } else { KeyAssignment::Selected };
    sfz::text(&adjusted.song, assignment, file).into_bytes()
}

/// Writes the samples whose loops not every player can play as they are, and those that are trimmed otherwise than
/// their own files, one at a time.
fn write_loops<E: From<ExtractError>>(
    song: &Song,
    adjusted: &AdjustedSong,
    plan: &ExtractPlan<'_>,
    watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
) -> Result<Result<(), Refused>, E> {
    for file in &plan.loops {
        let source = file.source(song);
        let place = adjusted.sources.iter().position(|other| Some(*other) == source);
        let sample = place.and_then(|place| adjusted.song.samples().get(place));
        let sample = match file.form() {
            SampleForm::AsIs => sample.map(|sample| Sample::clone(sample)),
            SampleForm::Unrolled => sample.and_then(|sample| sfz::unrolled(sample)),
        };
        let Some(sample) = sample else { continue };
        let sound = plan.files.iter().find(|(sound, _)| sound.number == file.number).map(|(sound, _)| *sound);
        let voicing = sound.map(|sound| plan.adjusted.voicing(sound)).unwrap_or_default();
        // Its loop and its frames are those that it has by now.
        let voicing = Voicing { looping: None, loop_range: None, trim: None, ..voicing };
        let AdjustedSample { sample, .. } = AdjustedSample::of(&sample, &voicing);
        let written = plan.put(&file.path, |output| write_sample(output, &sample))?;
        if written.is_err() {
            return Ok(written);
        }
        watch(ExtractEvent::Written { sound, path: &file.path })?;
    }
    Ok(Ok(()))
}
