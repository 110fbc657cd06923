//! `usampler asset`: the files of games themselves.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;

use exporter::output_file;
use modkit::unpack::{Unpacked, label, plan, unpack};
use modkit::verify::{Verified, verify};
use modkit::{Game, GameError};
use player::filter::NameFilter;
use serde::Serialize;
use unreal::container::mount::{Mount, MountedEntry};
use unreal::container::{ChunkType, Container, script_objects};
use unreal::{KeyRing, Limits};

use crate::args::{Asset, AssetCat, AssetCommand, AssetLs, AssetScripts, AssetUnpack, AssetVerify, GameArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::view::table::{Flush, TextTable};
use crate::view::{json, printable, text};

/// Where keys are looked for besides the command line.
const VARIABLE: &str = "USAMPLER_AES";

/// Does what is wanted.
///
/// # Errors
/// If there are no containers, none can be opened, or the output cannot be written.
pub fn run(args: &Asset, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    interrupt::watch()?;
    match &args.command {
        AssetCommand::Ls(args) => ls(args, console),
        AssetCommand::Cat(args) => cat(args, console),
        AssetCommand::Unpack(args) => write(args, threads, console),
        AssetCommand::Verify(args) => check(args, threads, console),
        AssetCommand::Scripts(args) => scripts(args, console),
    }
}

/// Opens a game; what could not be opened is reported.
fn open(args: &GameArgs, console: &mut Console<'_>) -> Result<(Mount, Exit), Failure> {
    let mut keys = KeyRing::default();
    let from_environment = std::env::var(VARIABLE).ok();
    for text in args.aes.iter().chain(&from_environment) {
        let added = modkit::add_key(&mut keys, text);
        added.map_err(|error| Failure::new(Exit::Usage, format!("--aes: {error}")))?;
    }
    let Game { mount, left_out } = Game::open(&args.file, &keys).map_err(|error| {
        let failure = Failure::new(Exit::Unreadable, error.to_string());
        match error {
            GameError::NoContainers(_) => failure.hint("`usampler list` lists the packages of older games"),
            _ => failure,
        }
    })?;
    let is_any_encrypted = left_out.iter().any(modkit::LeftOut::is_encrypted);
    let message = |left_out: &modkit::LeftOut| format!("{}: {}", left_out.path.display(), left_out.error);
    let hint = format!("--aes KEY or {VARIABLE} gives the key");
    if let (true, Some(first)) = (mount.containers().is_empty(), left_out.first()) {
        for other in left_out.iter().skip(1) {
            console.warn(message(other));
        }
        let failure = Failure::new(Exit::Unreadable, message(first));
        return Err(if is_any_encrypted { failure.hint(hint) } else { failure });
    }
    for left_out in &left_out {
        console.warn(format_args!("left out {}", message(left_out)));
    }
    if is_any_encrypted {
        console.say(hint);
    }
    Ok((mount, if left_out.is_empty() { Exit::Done } else { Exit::Partly }))
}

/// An entry as a line of JSON.
#[derive(Serialize)]
struct EntryRow<'a> {
    schema: &'static str,
    container: &'a str,
    path: String,
    size: u64,
    stored: u64,
    compression: Option<&'a str>,
    encrypted: bool,
    hash: Option<String>,
    overridden: bool,
}

fn ls(args: &AssetLs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = filter(args.filter.as_deref())?;
    let (mount, mut exit) = open(&args.game, console)?;
    let heading = [
        ("size", Flush::Right),
        ("stored", Flush::Right),
        ("method", Flush::Left),
        ("", Flush::Left),
        ("path", Flush::Left),
    ];
    let (mut table, mut found) = (TextTable::new(heading), 0_usize);
    for place in mount.entries() {
        interrupt::check()?;
        let Some((name, container)) = mount.containers().get(place.container) else { continue };
        let info = match container.info(place.entry) {
            Ok(info) => info,
            Err(error) => {
                let path = container.path(place.entry).unwrap_or_default();
                console.warn(format_args!("{name}: {path}: {error}"));
                exit = Exit::Partly;
                continue;
            }
        };
        let path = label(&info);
        if !filter.matches(&path) {
            continue;
        }
        found += 1;
        let overridden = mount.is_overridden(place);
        if args.json {
            let row = EntryRow {
                schema: "usampler.entry/1",
                container: name,
                path,
                size: info.size,
                stored: info.stored,
                compression: info.compression,
                encrypted: info.is_encrypted,
                hash: info.hash.map(|hash| hash.to_string()),
                overridden,
            };
            json::print(console.out(), &row)?;
        } else {
            let notes = [(info.is_encrypted, "encrypted"), (overridden, "overridden")];
            let notes: Vec<&str> = notes.iter().filter(|(is, _)| *is).map(|(_, note)| *note).collect();
            let method = info.compression.unwrap_or("-").to_owned();
            let cells = [info.size.to_string(), info.stored.to_string(), method, notes.join(", "), path];
            table.push(cells, overridden);
        }
    }
    if !args.json && found > 0 {
        let colored = console.is_colored();
        table.print(console.out(), colored)?;
    }
    check_found(found, args.filter.as_deref())?;
    Ok(exit)
}

/// Returns which entries are wanted.
fn filter(search: Option<&str>) -> Result<NameFilter, Failure> {
    let filter = NameFilter::new(search.unwrap_or_default());
    filter.map_err(|error| Failure::new(Exit::Usage, format!("--filter: {error}")))
}

/// Returns a failure if something was asked for, and nothing is there.
fn check_found(found: usize, search: Option<&str>) -> Result<(), Failure> {
    match search {
        Some(search) if found == 0 => {
            Err(Failure::new(Exit::Partly, format!("no entry matches --filter {search:?}")))
        }
        _ => Ok(()),
    }
}

fn write(args: &AssetUnpack, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = filter(args.filter.as_deref())?;
    let (mount, mut exit) = open(&args.game, console)?;
    let plan = plan(&mount, |path| filter.matches(path));
    check_found(plan.len(), args.filter.as_deref())?;
    if !args.force {
        for file in &plan {
            output_file::check_free(&args.output.join(&file.path))
                .map_err(|error| Failure::from(error).hint("nothing was written"))?;
        }
    }
    output_file::make_folder(&args.output, &args.output, args.force)?;
    let goes_on = |_| interrupt::check().is_ok();
    let Unpacked { files, bytes, failed } =
        unpack(&mount, &plan, &args.output, args.force, threads, &goes_on);
    interrupt::check()?;
    for file in plan.iter().filter(|file| file.is_renamed) {
        console.detail(format_args!("{} is written as {}", file.label, file.path.display()));
    }
    for (number, error) in &failed {
        exit = Exit::Partly;
        let label = plan.get(*number).map_or("", |file| &file.label);
        console.warn(format_args!("{label}: not written: {error}"));
    }
    let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    console.say(format_args!("{files} written to {}, {}", args.output.display(), text::size(bytes)));
    Ok(exit)
}

fn cat(args: &AssetCat, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let (mount, exit) = open(&args.game, console)?;
    let by_chunk = || {
        let mut entries = mount.entries().filter(|place| !mount.is_overridden(*place));
        entries.find(|place| {
            mount
                .container(*place)
                .and_then(|c| c.chunk_id(place.entry))
                .is_some_and(|id| id.to_string() == args.path)
        })
    };
    let place = mount.at_path(&args.path).or_else(by_chunk);
    let missing = || {
        Failure::new(Exit::Unreadable, format!("no entry {} in {}", args.path, args.game.file.display()))
            .hint("`usampler asset ls` lists them")
    };
    let place = place.ok_or_else(missing)?;
    let container = mount.container(place).ok_or_else(missing)?;
    let unreadable =
        |error: &dyn std::fmt::Display| Failure::new(Exit::Unreadable, format!("{}: {error}", args.path));
    let source = container.open(place.entry).map_err(|error| unreadable(&error))?;
    let mut piece = vec![0; 256 << 10];
    let mut at = 0;
    while at < source.len() {
        interrupt::check()?;
        let length = usize::try_from(source.len() - at).unwrap_or(usize::MAX).min(piece.len());
        source.read_at(at, &mut piece[..length]).map_err(|error| unreadable(&error))?;
        console.out().write_all(&piece[..length])?;
        at += length as u64;
    }
    Ok(exit)
}

fn check(args: &AssetVerify, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let (mount, exit) = open(&args.game, console)?;
    let Verified { entries, bytes, damaged, tables } =
        verify(&mount, threads, &|_| interrupt::check().is_ok());
    interrupt::check()?;
    let name = |number: usize| mount.containers().get(number).map_or("", |(name, _)| name);
    for (number, error) in &tables {
        console.warn(format_args!("{}: {error}", name(*number)));
    }
    for (MountedEntry { container, entry }, error) in &damaged {
        let opened = mount.containers().get(*container).map(|(_, container)| container);
        let path = opened.and_then(|c| c.info(*entry).ok().map(|info| label(&info)));
        let path = path.or_else(|| opened?.path(*entry).map(str::to_owned)).unwrap_or_default();
        console.warn(format_args!("{}: {path}: {error}", name(*container)));
    }
    let wrong = damaged.len() + tables.len();
    let mut per_container: BTreeMap<&str, usize> = BTreeMap::new();
    for place in mount.entries() {
        *per_container.entry(name(place.container)).or_default() += 1;
    }
    let containers = per_container.len();
    let containers =
        if containers == 1 { "1 container".to_owned() } else { format!("{containers} containers") };
    let outcome = if wrong == 0 { "all as stated".to_owned() } else { format!("{wrong} damaged") };
    writeln!(console.out(), "{entries} entries of {containers}, {}: {outcome}", text::size(bytes))
        .map_err(|error: io::Error| Failure::from(error))?;
    Ok(if wrong == 0 { exit } else { Exit::Partly })
}

/// An object of the game's code as a line of JSON.
#[derive(Serialize)]
struct ScriptRow<'a> {
    schema: &'static str,
    path: &'a str,
    id: String,
    outer: Option<String>,
    class: Option<String>,
}

fn scripts(args: &AssetScripts, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = filter(args.filter.as_deref())?;
    let (mount, exit) = open(&args.game, console)?;
    let is_wanted = |place: &MountedEntry| match mount.container(*place) {
        Some(Container::IoStore(store)) => store.chunk_type(place.entry) == Some(ChunkType::ScriptObjects),
        _ => false,
    };
    let missing = || {
        let message = format!("no script objects in {}", args.game.file.display());
        Failure::new(Exit::Unreadable, message).hint("global.utoc of a game of Unreal Engine 5 has them")
    };
    let place = mount.entries().filter(is_wanted).last().ok_or_else(missing)?;
    let (name, container) = mount.containers().get(place.container).ok_or_else(missing)?;
    let unreadable = |error: unreal::Error| Failure::new(Exit::Unreadable, format!("{name}: {error}"));
    let source = container.open(place.entry).map_err(unreadable)?;
    let objects = script_objects(&*source, &mut Limits::default()).map_err(unreadable)?;
    let number = |id: u64| format!("{id:016x}");
    let mut found = 0_usize;
    for object in objects.iter().filter(|object| filter.matches(&object.path)) {
        interrupt::check()?;
        found += 1;
        let (path, id) = (object.path.as_str(), number(object.id));
        if args.json {
            let (outer, class) = (object.outer.map(number), object.class.map(number));
            json::print(console.out(), &ScriptRow { schema: "usampler.script/1", path, id, outer, class })?;
        } else {
            writeln!(console.out(), "{id}  {}", printable(path))
                .map_err(|error: io::Error| Failure::from(error))?;
        }
    }
    check_found(found, args.filter.as_deref())?;
    Ok(exit)
}
