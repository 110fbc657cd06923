//! `--sfz` and `--sf2`: all sounds of a package as one instrument file for other samplers.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use exporter::sf2::Sf2Error;
use exporter::sfz::{self, KeyAssignment, SampleForm};
use importer::{Sound, SoundFile};
use player::session::DecodedSong;
use song::{Instrument, SampleIndex, Song, ZoneTree};

use super::{ExtractError, ExtractPlan, put, report};
use crate::args::Extract;
use crate::console::Console;
use crate::failure::Failure;
use crate::import::import;

/// A file to be written.
pub(super) struct BankFile {
    kind: BankFormat,
    pub(super) path: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BankFormat {
    Sfz,
    Sf2,
}

/// Returns the files that are asked for.
pub(super) fn plan(args: &Extract, stem: &str, folder: &Path) -> Vec<BankFile> {
    let wanted = [(args.sfz, BankFormat::Sfz, "sfz"), (args.sf2, BankFormat::Sf2, "sf2")];
    let wanted = wanted.into_iter().filter(|(is_wanted, ..)| *is_wanted);
    wanted.map(|(_, kind, end)| BankFile { kind, path: folder.join(format!("{stem}.{end}")) }).collect()
}

/// Returns the files whose loops are written out, in a folder beside the SFZ, called as the sounds' own files are.
pub(super) fn plan_loops(plan: &ExtractPlan<'_>) -> Vec<(usize, PathBuf)> {
    let Some(sfz) = plan.banks.iter().find(|bank| bank.kind == BankFormat::Sfz) else { return Vec::new() };
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
fn folder_of_loops(bank: &Path) -> String {
    format!("{} loops", bank.file_stem().unwrap_or_default().to_string_lossy())
}

/// Writes them; how many could not be made.
pub(super) fn write(
    args: &Extract,
    package: &SoundFile,
    plan: &ExtractPlan<'_>,
    console: &mut Console<'_>,
) -> Result<usize, Failure> {
    if plan.banks.is_empty() || plan.files.is_empty() {
        return Ok(0);
    }
    if args.dry_run {
        let banks = plan.banks.iter().map(|bank| &bank.path);
        let mut all = plan.loops.iter().map(|(_, path)| path).chain(banks);
        all.try_for_each(|path| report(args, plan, None, path, console))?;
        return Ok(0);
    }
    let files = plan.files.iter().map(|(sound, _)| sound.number);
    let wanted: HashSet<usize> = files.chain(plan.arranged.iter().map(|sound| sound.number)).collect();
    let DecodedSong { song, held: _held, .. } =
        import(package, |sound| wanted.contains(&sound.number), console)?;
    let mut failed = 0;
    for BankFile { kind, path } in &plan.banks {
        if *kind == BankFormat::Sf2 {
            let choosing = song.instruments().iter().filter(|i| exporter::sf2::chooses(i)).count();
            if choosing > 0 {
                let what = "instruments that vary or choose between sounds; a SoundFont keeps one of them";
                console.say(format_args!("{}: {what}: {choosing}", path.display()));
            }
        }
        let mut unrolled = Ok(());
        if *kind == BankFormat::Sfz {
            unrolled = write_loops(args, &song, plan, console)?;
        }
        let written = put(plan, path, |output| match kind {
            BankFormat::Sfz => output.write_all(&text(args, &song, plan, path)).map_err(ExtractError::Output),
            BankFormat::Sf2 => exporter::sf2::write(&song, output).map_err(|error| match error {
                Sf2Error::Io(error) => ExtractError::Output(error),
                other => ExtractError::contents(other),
            }),
        })?;
        match unrolled.and(written) {
            Ok(()) => report(args, plan, None, path, console)?,
            Err(error) => {
                failed += 1;
                console.warn(format_args!("{}: not written: {error}", path.display()));
            }
        }
    }
    Ok(failed)
}

/// Sound #i is instrument i, and its file holds the sample of its zone.
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

fn text(args: &Extract, song: &Song, plan: &ExtractPlan<'_>, bank: &Path) -> Vec<u8> {
    let (files, folder) = (files(song, plan), folder_of_loops(bank));
    let file = |sample, form| {
        let name = files.get(&sample)?;
        Some(match form {
            SampleForm::AsIs => name.clone(),
            SampleForm::Unrolled => format!("{folder}/{name}"),
        })
    };
    let assignment = if args.kit { KeyAssignment::Kit } else { KeyAssignment::Selected };
    sfz::text(song, assignment, file).into_bytes()
}

/// Writes the samples whose loops not every player can play as they are, one at a time.
fn write_loops(
    args: &Extract,
    song: &Song,
    plan: &ExtractPlan<'_>,
    console: &mut Console<'_>,
) -> Result<Result<(), Box<dyn Error>>, Failure> {
    for (number, path) in &plan.loops {
        let zones = song.instruments().get(number - 1).map(Instrument::zones).unwrap_or_default();
        let sample = zones.first().and_then(|zone| song.samples().get(zone.sample().get()));
        let Some(sample) = sample.and_then(|sample| sfz::unrolled(sample)) else { continue };
        let written = put(plan, path, |output| super::write_sample(output, &sample))?;
        if written.is_err() {
            return Ok(written);
        }
        let sound = plan.files.iter().find(|(sound, _)| sound.number == *number).map(|(sound, _)| *sound);
        report(args, plan, sound, path, console)?;
    }
    Ok(Ok(()))
}
