//! All sounds of a package as one instrument file for other samplers: SFZ and `SoundFont` 2.

use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use exporter::sf2::{self, Sf2Error};
use exporter::sfz::{self, KeyAssignment, SampleForm};
use importer::Sound;
use song::{Instrument, SampleIndex, Song, ZoneTree};

use super::file_write::{FileWriteError, Refused, write_sample};
use super::{ExtractError, ExtractEvent, ExtractOptions, ExtractPlan};
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

/// Returns the files whose loops are written out, in a folder next to the SFZ, called as the sounds' own files are.
pub(super) fn plan_loops(plan: &ExtractPlan<'_>) -> Vec<(usize, PathBuf)> {
    let Some(sfz) = plan.instrument_files.iter().find(|file| file.is_sfz()) else { return Vec::new() };
    let folder = sfz.path.with_file_name(folder_of_loops(&sfz.path));
    let zones = plan.arranged.iter().filter_map(|sound| sound.zones()).flat_map(ZoneTree::zones);
    let endless: HashSet<usize> =
        zones.filter(|zone| zone.loops_whole()).map(|zone| zone.sample().get() + 1).collect();
    let is_rewritten = |sound: &Sound| {
        let looping = sound.audio().and_then(|audio| audio.loops.first());
        looping.map_or_else(|| endless.contains(&sound.number), |looping| !sfz::is_plain(looping))
    };
    let files = plan.files.iter().filter(|(sound, _)| is_rewritten(sound));
    files.map(|(sound, path)| (sound.number, folder.join(below(path, &plan.folder)))).collect()
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
        let mut all = plan.loops.iter().map(|(_, path)| path).chain(instrument_files);
        all.try_for_each(|path| watch(ExtractEvent::Written { sound: None, path }))?;
        return Ok(0);
    }
    // What they hold of the memory for decoded audio is kept until they are written.
    let DecodedSong { song, held: _held, .. } = decode(plan, watch)?;
    let mut failed = 0;
    for InstrumentFile { kind, path } in &plan.instrument_files {
        let mut unrolled = Ok(());
        match kind {
            InstrumentFileFormat::Sf2 => {
                let instruments = song.instruments().iter().filter(|i| sf2::chooses(i)).count();
                if instruments > 0 {
                    watch(ExtractEvent::Simplified { path, instruments })?;
                }
            }
            InstrumentFileFormat::Sfz => unrolled = write_loops(&song, plan, watch)?,
        }
        let written = plan.put(path, |output| match kind {
            InstrumentFileFormat::Sfz => {
                output.write_all(&text(&song, plan, path)).map_err(FileWriteError::Output)
            }
            InstrumentFileFormat::Sf2 => sf2::write(&song, output).map_err(|error| match error {
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

/// Returns the names of sounds' files by sample. Sound #i is instrument i, and its file holds the sample of its zone.
fn files(song: &Song, plan: &ExtractPlan<'_>) -> HashMap<SampleIndex, String> {
    let mut files = HashMap::new();
    for (sound, path) in &plan.files {
        let zones = song.instruments().get(sound.number - 1).map(Instrument::zones).unwrap_or_default();
        let parts = below(path, &plan.folder).iter().map(|part| part.to_string_lossy());
        let name = parts.collect::<Vec<_>>().join("/");
        for zone in zones {
            files.entry(zone.sample()).or_insert_with(|| name.clone());
        }
    }
    files
}

fn text(song: &Song, plan: &ExtractPlan<'_>, sfz: &Path) -> Vec<u8> {
    let (files, folder) = (files(song, plan), folder_of_loops(sfz));
    let file = |sample, form| {
        let name = files.get(&sample)?;
        Some(match form {
            SampleForm::AsIs => name.clone(),
            SampleForm::Unrolled => format!("{folder}/{name}"),
        })
    };
    let assignment = if plan.options.kit { KeyAssignment::Kit } else { KeyAssignment::Selected };
    sfz::text(song, assignment, file).into_bytes()
}

/// Writes the samples whose loops not every player can play as they are, one at a time.
fn write_loops<E: From<ExtractError>>(
    song: &Song,
    plan: &ExtractPlan<'_>,
    watch: &mut dyn FnMut(ExtractEvent<'_>) -> Result<(), E>,
) -> Result<Result<(), Refused>, E> {
    for (number, path) in &plan.loops {
        let zones = song.instruments().get(number - 1).map(Instrument::zones).unwrap_or_default();
        let sample = zones.first().and_then(|zone| song.samples().get(zone.sample().get()));
        let Some(sample) = sample.and_then(|sample| sfz::unrolled(sample)) else { continue };
        let written = plan.put(path, |output| write_sample(output, &sample))?;
        if written.is_err() {
            return Ok(written);
        }
        let sound = plan.files.iter().find(|(sound, _)| sound.number == *number).map(|(sound, _)| *sound);
        watch(ExtractEvent::Written { sound, path })?;
    }
    Ok(Ok(()))
}
