//! `usampler asset json` and `from-json`: packages as JSON, and back.

use std::fs;
use std::io::{Read as _, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use exporter::OutputFile;
use exporter::output_file::make_folder;
use modkit::for_each;
use modkit::json::{self, JsonError};
use modkit::unpack::plan;
use unreal::container::mount::MountedEntry;
use unreal::{FileSource, Limits, PROBE_LENGTH, Probe, probe};

use super::packages::{self, Packages, STRUCTURES};
use crate::args::{AssetFromJson, AssetJson};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::view::text;
use crate::{game, interrupt};

/// Bytes of JSON that are read.
const MAX_JSON: u64 = 2 << 30;

/// Writes packages as JSON.
///
/// # Errors
/// If there is no such package, none can be read, or the output cannot be written.
pub(super) fn json(
    args: &AssetJson,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if let Some(text) = tables(&args.packages.game.file)? {
        return put(&args.output, &text, args.force, console.out()).map(|()| Exit::Done);
    }
    let packages = Packages::open(&args.packages, threads, console)?;
    let is_one = packages.entries.len() == 1 && !args.output.is_dir();
    if is_one || args.output.as_os_str() == "-" {
        let entry = packages.only("a file")?;
        put(&args.output, &document(&packages, entry)?, args.force, console.out())?;
        return Ok(packages.exit);
    }
    let planned = plan(&packages.mount, |entry, _| packages.entries.contains(&entry));
    let console = Mutex::new(console);
    let done: Mutex<(usize, Option<Failure>)> = Mutex::default();
    for_each(planned.len(), threads, |number| {
        let file = &planned[number];
        // With its own extension before, so that maps and packages stay what they are.
        let mut path = args.output.join(&file.path).into_os_string();
        path.push(".json");
        let path = PathBuf::from(path);
        let written = document(&packages, file.entry).and_then(|text| {
            make_folder(&args.output, path.parent().unwrap_or(&args.output), args.force)?;
            put(&path, &text, args.force, &mut std::io::sink())
        });
        record(&done, &console, &file.label, written)
    });
    finish(done, planned.len(), &args.output, &console, packages.exit)
}

/// Returns a package of Unreal Engine 1 to 3 as JSON; none if the file is something else.
fn tables(file: &Path) -> Result<Option<String>, Failure> {
    let unreadable =
        |why: &dyn std::fmt::Display| Failure::new(Exit::Unreadable, format!("{}: {why}", file.display()));
    let mut head = Vec::new();
    let opened = if file.is_file() { fs::File::open(file).ok() } else { None };
    let Some(opened) = opened else { return Ok(None) };
    opened.take(PROBE_LENGTH as u64).read_to_end(&mut head).map_err(|error| unreadable(&reason(&error)))?;
    if !matches!(probe(&head), Probe::Package(_)) {
        return Ok(None);
    }
    let source = FileSource::open(file).map_err(|error| unreadable(&reason(&error)))?;
    let text = json::tables_to_json(&source, &mut Limits::with_structures(STRUCTURES));
    text.map(Some).map_err(|error| unreadable(&error))
}

/// Returns a package as JSON.
fn document(packages: &Packages, entry: MountedEntry) -> Result<String, Failure> {
    let limits = &mut Limits::with_structures(STRUCTURES);
    let text = packages.package(entry).and_then(|package| {
        let mappings = packages.options.mappings.as_deref();
        json::to_json(&package, mappings, packages.is_split(entry), limits)
    });
    text.map_err(|error| Failure::new(Exit::Unreadable, format!("{}: {error}", packages.mount.label(entry))))
}

fn put(path: &Path, text: &str, force: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let mut file = OutputFile::create(path, force)?;
    let failed = |error| Failure::of_output(&path.display().to_string(), &error);
    file.write_all(text.as_bytes()).map_err(failed)?;
    Ok(file.publish(out)?)
}

/// Notes what became of a package; returns whether to go on: one that is bad does not end it, an output that cannot be
/// written does.
fn record(
    done: &Mutex<(usize, Option<Failure>)>,
    console: &Mutex<&mut Console<'_>>,
    label: &str,
    written: Result<(), Failure>,
) -> bool {
    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
    match written {
        Ok(()) => done.0 += 1,
        Err(failure) if failure.exit == Exit::Unreadable => {
            let mut console = console.lock().unwrap_or_else(PoisonError::into_inner);
            console.warn(if failure.message.contains(label) {
                failure.message
            } else {
                format!("{label}: {}", failure.message)
            });
        }
        Err(failure) => {
            done.1.get_or_insert(failure);
            return false;
        }
    }
    interrupt::check().is_ok()
}

fn finish(
    done: Mutex<(usize, Option<Failure>)>,
    wanted: usize,
    output: &Path,
    console: &Mutex<&mut Console<'_>>,
    exit: Exit,
) -> Result<Exit, Failure> {
    interrupt::check()?;
    let (written, failure) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(failure) = failure {
        return Err(failure);
    }
    if written == 0 {
        return Err(Failure::new(Exit::Unreadable, "none of them could be read"));
    }
    let mut console = console.lock().unwrap_or_else(PoisonError::into_inner);
    let what = if written == 1 { "1 package".to_owned() } else { format!("{written} packages") };
    console.say(format_args!("{what} written to {}", output.display()));
    Ok(if written == wanted { exit } else { Exit::Partly })
}

/// Makes packages of JSON.
///
/// # Errors
/// If it cannot be read or is none, or the output cannot be written.
pub(super) fn from_json(
    args: &AssetFromJson,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let options = game::options(None, args.usmap.as_deref())?;
    let read = |path: &Path| {
        let text = text_of(path)?;
        let package =
            json::from_json(&text, options.mappings.as_deref(), &mut Limits::with_structures(STRUCTURES));
        package.map_err(|error: JsonError| {
            Failure::new(Exit::Unreadable, format!("{}: {error}", path.display()))
        })
    };
    if !args.input.is_dir() {
        let package = read(&args.input)?;
        packages::write(&args.output, &package.bytes, package.split, args.force, console.out())?;
        let bytes = package.bytes.header.len() + package.bytes.objects.len();
        console.say(format_args!("{} written, {}", args.output.display(), text::size(bytes as u64)));
        return Ok(Exit::Done);
    }
    let files = files(&args.input)?;
    let console = Mutex::new(console);
    let done: Mutex<(usize, Option<Failure>)> = Mutex::default();
    for_each(files.len(), threads, |number| {
        let file = &files[number];
        let path = args.output.join(file.strip_prefix(&args.input).unwrap_or(file)).with_extension("");
        let path = if path.extension().is_some() { path } else { path.with_extension("uasset") };
        let written = read(file).and_then(|package| {
            make_folder(&args.output, path.parent().unwrap_or(&args.output), args.force)?;
            packages::write(&path, &package.bytes, package.split, args.force, &mut std::io::sink())
        });
        record(&done, &console, &file.display().to_string(), written)
    });
    finish(done, files.len(), &args.output, &console, Exit::Done)
}

fn text_of(path: &Path) -> Result<String, Failure> {
    let unreadable =
        |why: &str| Failure::new(Exit::Unreadable, format!("cannot read {}: {why}", path.display()));
    let file = fs::File::open(path).map_err(|error| unreadable(&reason(&error)))?;
    let mut bytes = Vec::new();
    file.take(MAX_JSON + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&reason(&error)))?;
    if bytes.len() as u64 > MAX_JSON {
        return Err(unreadable("it is larger than 2 GiB"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        unreadable(&format!("byte {at} is not UTF-8"))
    })
}

/// Returns the JSON files below a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: modkit::pack::PackError| Failure::new(Exit::Unreadable, error.to_string());
    let files = modkit::pack::files(folder).map_err(failed)?;
    let is_json =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let files: Vec<PathBuf> = files.into_iter().map(|file| file.file).filter(is_json).collect();
    match files.is_empty() {
        true => Err(Failure::new(Exit::Unreadable, format!("no JSON in {}", folder.display()))),
        false => Ok(files),
    }
}
