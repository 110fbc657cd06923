//! `usampler asset json` and `from-json`: packages as JSON, and back.

use std::fs;
use std::io::{Read as _, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use exporter::output_file::names_folder;
use exporter::{Batch, DiskSpace, OutputFile, Overwrite, SpaceError};
use importer::for_each;
use modkit::GamePackages;
use modkit::edited::{EditedError, mod_of};
use modkit::json::{
    self, DocumentError, DocumentWriter, JsonError, JsonFile, JsonFormat, JsonPackage, PackageDocument,
};
use modkit::packages::STRUCTURES;
use modkit::unpack::{PlannedFile, plan, write_package};
use unreal::{Error, FileSource, KeyRing, Limits};

use super::packages::{self, ChosenPackages};
use super::{MountedGame, pack, wording};
use crate::args::{AssetFromJson, AssetJson, GameArgs};
use crate::command::counted;
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
    if packages::is_classic(&args.packages)? {
        let file = &args.packages.game.file;
        let overwrite = game::kept(Overwrite::forced(args.force), vec![file.clone()]);
        put(&args.output, &tables(file)?, &overwrite)?.publish(console.out())?;
        say_written(1, &args.output, console);
        return Ok(Exit::Done);
    }
    let chosen = ChosenPackages::open(&args.packages, threads, console)?;
    let overwrite = chosen.overwrite(args.force);
    let ChosenPackages { packages, keys, exit, .. } = &chosen;
    let writer = DocumentWriter::new(packages, JsonFormat::named(&args.format, &args.uassetapi))
        .map_err(|error| unread(&error, keys, &args.packages.game.file.display().to_string()))?;
    let document = |entry| {
        writer.document(entry).map_err(|error| match error {
            DocumentError::Read(error) => unread(&error, keys, &packages.mount.label(entry)),
            error => Failure::new(Exit::Unreadable, format!("{}: {error}", packages.mount.label(entry))),
        })
    };
    let is_one = packages.entries.len() == 1 && !names_folder(&args.output);
    if is_one || args.output.as_os_str() == "-" {
        let entry = chosen.only("a file")?;
        let PackageDocument { text, needs_mappings, raw } = document(entry)?;
        put(&args.output, &text, &overwrite)?.publish(console.out())?;
        warn_of_raw(needs_mappings.into(), raw.len(), console);
        say_written(1, &args.output, console);
        return Ok(*exit);
    }
    let planned = plan(&packages.mount, |entry, _| packages.entries.contains(&entry));
    let space = DiskSpace { stored: packages.mount.file_len(), allows_flood: args.large };
    let no_room =
        |error: SpaceError| Failure::of_space(&args.packages.game.file.display().to_string(), &error);
    space.check(&args.output, least(packages, &planned)).map_err(no_room)?;
    let console = Mutex::new(console);
    let done: Mutex<(usize, Option<Failure>)> = Mutex::default();
    let (raw, lossy) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (bytes, batch) = (AtomicU64::new(0), Batch::default());
    for_each(planned.len(), threads, |number| {
        let file = &planned[number];
        // With its own extension before, so that maps and packages stay what they are.
        let mut path = args.output.join(&file.path).into_os_string();
        path.push(".json");
        let path = PathBuf::from(path);
        let written = document(file.entry).and_then(|document| {
            let part = document.text.len() as u64;
            let all = bytes.fetch_add(part, Relaxed).saturating_add(part);
            space.check_part(&args.output, part, all).map_err(no_room)?;
            batch.make_folder(&args.output, path.parent().unwrap_or(&args.output), args.force)?;
            put(&path, &document.text, &overwrite)?.publish_in(&batch)?;
            raw.fetch_add(document.needs_mappings.into(), Relaxed);
            lossy.fetch_add(document.raw.len(), Relaxed);
            Ok(())
        });
        record(&done, &console, &file.label, written)
    });
    let mut out = console.lock().unwrap_or_else(PoisonError::into_inner);
    warn_of_raw(raw.into_inner(), lossy.into_inner(), &mut out);
    drop(out);
    batch.finish()?;
    finish(done, planned.len(), &args.output, &console, *exit)
}

/// Returns the bytes that documents of packages have at least: those of the packages. Base64 makes a third more of
/// them, and everything that is spelled out more than that.
fn least(packages: &GamePackages, planned: &[PlannedFile]) -> u64 {
    let objects = |file: &PlannedFile| {
        let objects = packages.mount.objects_of(file.entry)?;
        Some(packages.mount.container(objects)?.info(objects.entry).ok()?.size)
    };
    let size = |file: &PlannedFile| file.size.saturating_add(objects(file).unwrap_or_default());
    planned.iter().map(size).fold(0, u64::saturating_add)
}

/// Returns a package of Unreal Engine 1 to 3 as JSON.
fn tables(file: &Path) -> Result<String, Failure> {
    let source = FileSource::open(file).map_err(|error| game::cannot_read(file, &error))?;
    let text = json::tables_to_json(&source, &mut Limits::with_structures(STRUCTURES));
    text.map_err(|error| Failure::new(Exit::Unreadable, format!("{}: {error}", file.display())))
}

fn unread(error: &Error, keys: &KeyRing, label: &str) -> Failure {
    Failure::new(Exit::Unreadable, format!("{label}: {}", game::why(error, keys)))
}

/// Warns of packages without mappings, whose properties nobody can read or change in JSON, and of exports that the form
/// would lose something of.
fn warn_of_raw(packages: usize, exports: usize, console: &mut Console<'_>) {
    if exports > 0 {
        console.warn(format_args!(
            "{} raw bytes: the form would lose something of them",
            counted(exports, "export")
        ));
    }
    match packages {
        0 => {}
        1 => console.warn("properties are raw bytes: this package needs the game's mappings (--usmap)"),
        _ => console.warn(format_args!(
            "properties of {packages} packages are raw bytes: they need the game's mappings (--usmap)"
        )),
    }
}

/// Says how many packages were written, unless the output itself is what the user sees.
fn say_written(count: usize, output: &Path, console: &mut Console<'_>) {
    if output.as_os_str() != "-" {
        console.say(format_args!("{} written to {}", counted(count, "package"), output.display()));
    }
}

/// Writes a document, which is then put to its place.
fn put(path: &Path, text: &str, overwrite: &Overwrite) -> Result<OutputFile, Failure> {
    let mut file = OutputFile::create_with_folders(path, overwrite)?;
    let failed = |error| Failure::of_output(&path.display().to_string(), &error);
    file.write_all(text.as_bytes()).map_err(failed)?;
    Ok(file)
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
    say_written(written, output, &mut console);
    Ok(if written == wanted { exit } else { Exit::Partly })
}

/// Makes packages of JSON: one file, those of a folder, or a mod for a game.
///
/// # Errors
/// If it cannot be read or is none, the game has no such package, or the output cannot be written.
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
    if let Some(base) = &args.base {
        return as_mod(args, base, read, threads, console);
    }
    if let [input] = &args.inputs[..]
        && !input.is_dir()
        && !names_folder(&args.output)
    {
        let package = read(input)?;
        let overwrite = kept(args, [input.clone()]);
        write_package(&args.output, &package.bytes, package.split, &overwrite)?.finish(console.out())?;
        let bytes = package.bytes.header.len() + package.bytes.objects.len();
        console.say(format_args!("{} written, {}", args.output.display(), text::size(bytes as u64)));
        return Ok(Exit::Done);
    }
    let files = documents(&args.inputs)?;
    let overwrite = kept(args, files.iter().map(|json| json.file.clone()));
    let batch = Batch::default();
    let console = Mutex::new(console);
    let done: Mutex<(usize, Option<Failure>)> = Mutex::default();
    for_each(files.len(), threads, |number| {
        let JsonFile { file, below } = &files[number];
        let path = args.output.join(below).with_extension("");
        let path = if path.extension().is_some() { path } else { path.with_extension("uasset") };
        let written = read(file).and_then(|package| {
            batch.make_folder(&args.output, path.parent().unwrap_or(&args.output), args.force)?;
            let written = write_package(&path, &package.bytes, package.split, &overwrite)?;
            Ok(written.finish_in(&batch)?)
        });
        record(&done, &console, &file.display().to_string(), written)
    });
    batch.finish()?;
    finish(done, files.len(), &args.output, &console, Exit::Done)
}

/// Returns which files an output may replace: none of the documents, nor what they are read with.
fn kept(args: &AssetFromJson, documents: impl IntoIterator<Item = PathBuf>) -> Overwrite {
    let read = documents.into_iter().chain(args.usmap.clone()).chain(args.cipher.keys.files());
    game::kept(Overwrite::forced(args.force), read.collect())
}

/// Writes a mod for a game; nothing is written unless all packages become part of it.
fn as_mod(
    args: &AssetFromJson,
    base: &Path,
    read: impl Fn(&Path) -> Result<JsonPackage, Failure>,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let game = GameArgs { file: base.to_owned(), cipher: args.cipher.clone() };
    let MountedGame { mount, exit, files: mut read_files } = super::open(&game, threads, console)?;
    let files = documents(&args.inputs)?;
    read_files.extend(files.iter().map(|json| json.file.clone()).chain(args.usmap.clone()));
    let overwrite = game::kept(Overwrite::forced(args.force), read_files);
    let mut edited = Vec::with_capacity(files.len());
    for JsonFile { file, .. } in &files {
        interrupt::check()?;
        edited.push(read(file)?);
    }
    let made = mod_of(&mount, &edited).map_err(|(number, error)| {
        let label = files.get(number).map_or(String::new(), |json| json.file.display().to_string());
        match error {
            EditedError::Resolve(error) => wording::unresolved(&error, base).within(&label),
            error => Failure::new(Exit::Unreadable, format!("{label}: {error}")),
        }
    })?;
    let output = pack::mod_output(&args.output, made.kind)?;
    let what = counted(edited.len(), "package");
    if pack::pack_mod(made, &output, &mount, &overwrite, threads, console)? {
        pack::say_packed(&what, &output, args.base.as_deref(), console);
    }
    Ok(exit)
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

/// Returns the documents that are meant.
fn documents(inputs: &[PathBuf]) -> Result<Vec<JsonFile>, Failure> {
    json::documents(inputs).map_err(|(input, error)| match error {
        Some(error) => pack::failure(&error, input),
        None => Failure::new(Exit::Unreadable, format!("no JSON in {}", input.display())),
    })
}
