//! `--sfz` and `--sf2`: all sounds of a package as one instrument file for other samplers.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use exporter::sf2::Sf2Error;
use exporter::sfz::Form;
use importer::Opened;
use song::{Instrument, SampleIndex, Song, Zone};

use super::{Plan, Trouble, put};
use crate::args::Extract;
use crate::console::Console;
use crate::failure::Failure;
use crate::session;

/// A file to be written.
pub(super) struct Bank {
    kind: Kind,
    pub(super) path: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sfz,
    Sf2,
}

/// The files that are asked for.
pub(super) fn plan(args: &Extract, stem: &str, folder: &Path) -> Vec<Bank> {
    let wanted = [(args.sfz, Kind::Sfz, "sfz"), (args.sf2, Kind::Sf2, "sf2")];
    let wanted = wanted.into_iter().filter(|(is_wanted, ..)| *is_wanted);
    wanted.map(|(_, kind, end)| Bank { kind, path: folder.join(format!("{stem}.{end}")) }).collect()
}

/// Writes them; how many could not be made.
pub(super) fn write(
    args: &Extract,
    package: &Opened<'_>,
    plan: &Plan<'_>,
    console: &mut Console<'_>,
) -> Result<usize, Failure> {
    if plan.banks.is_empty() || plan.files.is_empty() {
        return Ok(0);
    }
    if args.dry_run {
        plan.banks.iter().try_for_each(|bank| writeln!(console.out(), "{}", bank.path.display()))?;
        return Ok(0);
    }
    let files = plan.files.iter().map(|(sound, _)| sound.number);
    let wanted: HashSet<usize> = files.chain(plan.arranged.iter().map(|sound| sound.number)).collect();
    let song = session::import(package, |sound| wanted.contains(&sound.number), console)?;
    let mut failed = 0;
    for Bank { kind, path } in &plan.banks {
        if *kind == Kind::Sf2 {
            let choosing = song.instruments().iter().filter(|i| exporter::sf2::chooses(i)).count();
            if choosing > 0 {
                let what = "instruments vary or choose between sounds; a SoundFont has one of these";
                console.say(format_args!("{}: {choosing} {what}", path.display()));
            }
        }
        let mut unrolled = Ok(());
        if *kind == Kind::Sfz {
            unrolled = write_unrolled(args, &song, plan, path, console)?;
        }
        let written = put(path, args.force, console, |output| match kind {
            Kind::Sfz => output.write_all(&sfz(&song, plan, path)).map_err(Trouble::Output),
            Kind::Sf2 => exporter::sf2::write(&song, output).map_err(|error| match error {
                Sf2Error::Io(error) => Trouble::Output(error),
                other => Trouble::contents(other),
            }),
        })?;
        match unrolled.and(written) {
            Ok(()) => writeln!(console.out(), "{}", path.display())?,
            Err(error) => {
                failed += 1;
                console.warn(format_args!("{}: not written: {error}", path.display()));
            }
        }
    }
    Ok(failed)
}

/// Sound #i is instrument i, and its file holds the sample of its zone.
fn files(song: &Song, plan: &Plan<'_>) -> HashMap<SampleIndex, String> {
    let mut files = HashMap::new();
    for (sound, path) in &plan.files {
        let zones = song.instruments().get(sound.number - 1).map(Instrument::zones).unwrap_or_default();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for zone in zones {
            files.entry(zone.sample()).or_insert_with(|| name.clone());
        }
    }
    files
}

/// Where the files lie whose loops are written out, as seen from the SFZ.
fn folder_of_unrolled(bank: &Path) -> String {
    format!("{} loops", bank.file_stem().unwrap_or_default().to_string_lossy())
}

fn sfz(song: &Song, plan: &Plan<'_>, bank: &Path) -> Vec<u8> {
    let (files, folder) = (files(song, plan), folder_of_unrolled(bank));
    let file = |sample, form| {
        let name = files.get(&sample)?;
        Some(match form {
            Form::AsIs => name.clone(),
            Form::Unrolled => format!("{folder}/{name}"),
        })
    };
    exporter::sfz::text(song, file).into_bytes()
}

/// Writes the samples whose loops not every player can play as they are, one at a time.
fn write_unrolled(
    args: &Extract,
    song: &Song,
    plan: &Plan<'_>,
    bank: &Path,
    console: &mut Console<'_>,
) -> Result<Result<(), Box<dyn Error>>, Failure> {
    let (files, folder) = (files(song, plan), bank.with_file_name(folder_of_unrolled(bank)));
    let zones = song.instruments().iter().flat_map(Instrument::zones);
    let wanted: BTreeSet<SampleIndex> = zones
        .filter(|zone| {
            let sample = song.samples().get(zone.sample().get());
            sample.is_some_and(|sample| exporter::sfz::form(zone, sample) == Form::Unrolled)
        })
        .map(Zone::sample)
        .collect();
    for index in wanted {
        let (Some(name), Some(sample)) = (files.get(&index), song.samples().get(index.get())) else {
            continue;
        };
        let Some(sample) = exporter::sfz::unrolled(sample) else { continue };
        let shown = folder.display().to_string();
        fs::create_dir_all(&folder).map_err(|error| Failure::of_output(&shown, &error))?;
        let path = folder.join(name);
        let written = put(&path, args.force, console, |output| super::write_sample(output, &sample))?;
        if written.is_err() {
            return Ok(written);
        }
        writeln!(console.out(), "{}", path.display())?;
    }
    Ok(Ok(()))
}
