//! `usampler asset`: the files of games themselves.

mod cat;
mod json;
mod ls;
mod mesh;
mod niagara;
mod pack;
mod packages;
mod serve;
mod show;
mod texture;
mod unpack;
mod wording;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use importer::open::GameMount;
use modkit::report::ScriptRow;
use modkit::serve::{EntryFilter, ReportMessage, rows};
use modkit::verify::{Verified, verify};
use player::filter::NameFilter;
use unreal::KeyRing;
use unreal::containers::mount::{Mount, MountedEntry};

use crate::args::{AssetArgs, AssetCommand, AssetScripts, AssetVerify, GameArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::{json as lines, printable, text};
use crate::{game, interrupt};
pub(super) use pack::{mod_output, pack_mod, say_packed};
use wording::PrintedReport;

/// Does what is wanted.
///
/// # Errors
/// If there are no containers, none can be opened, or the output cannot be written.
pub fn run(args: &AssetArgs, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    interrupt::watch()?;
    match &args.command {
        AssetCommand::Ls(args) => ls::ls(args, threads, console),
        AssetCommand::Cat(args) => cat::cat(args, threads, console),
        AssetCommand::Unpack(args) => unpack::unpack(args, threads, console),
        AssetCommand::Pack(args) => pack::pack(args, threads, console),
        AssetCommand::Verify(args) => check(args, threads, console),
        AssetCommand::Scripts(args) => scripts(args, threads, console),
        AssetCommand::Show(args) => show::show(args, threads, console),
        AssetCommand::Json(args) => json::json(args, threads, console),
        AssetCommand::FromJson(args) => json::from_json(args, threads, console),
        AssetCommand::Niagara(args) => niagara::niagara(args, threads, console),
        AssetCommand::Mesh(args) => mesh::mesh(args, threads, console),
        AssetCommand::Texture(args) => texture::texture(args, threads, console),
        AssetCommand::Serve(_) => serve::serve(threads, console),
    }
}

/// A game, and what reading it came to.
struct MountedGame {
    mount: Arc<Mount>,
    exit: Exit,
    /// All files that were read.
    files: Vec<PathBuf>,
}

/// Opens a game; what could not be opened is reported.
fn open(args: &GameArgs, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<MountedGame, Failure> {
    let (game, keys) = game::open(&args.file, &args.cipher, threads)?;
    wording::say(&ReportMessage::Mounted(&game), &keys, console);
    let exit = if game.is_whole() { Exit::Done } else { Exit::Partly };
    let GameMount { mount, mut files, .. } = game;
    files.extend(args.cipher.keys.files());
    Ok(MountedGame { mount, exit, files })
}

/// Returns which entries are wanted.
fn filter(search: Option<&str>) -> Result<EntryFilter<'static>, Failure> {
    let names = NameFilter::new(search.unwrap_or_default());
    let names = names.map_err(|error| Failure::new(Exit::Usage, format!("--filter: {error}")))?;
    Ok(EntryFilter::new(search, move |name| names.matches(name)))
}

fn check(args: &AssetVerify, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let MountedGame { mount, exit, .. } = open(&args.game, threads, console)?;
    let info = |place: MountedEntry| mount.container(place)?.info(place.entry).ok();
    let total = mount.entries().filter_map(info).map(|info| info.size).fold(0, u64::saturating_add);
    let Verified { entries, bytes, damaged, encrypted, tables, ciphers } =
        with_progress(total, console, |report| verify(&mount, threads, report))?;
    ciphers.iter().for_each(|cipher| console.say(cipher));
    for (number, error) in &tables {
        let name = mount.containers().get(*number).map_or("", |(name, _)| name);
        console.warn(format_args!("{name}: {error}"));
    }
    for (place, error) in &damaged {
        console.warn(format_args!("{}: {}: {error}", mount.container_name(*place), mount.label(*place)));
    }
    for (number, (name, _)) in mount.containers().iter().enumerate() {
        let count = encrypted.iter().filter(|place| place.container == number).count();
        if count > 0 {
            let what = match count {
                1 => "1 entry is encrypted, and no key opens it".to_owned(),
                count => format!("{count} entries are encrypted, and no key opens them"),
            };
            console.warn(format_args!("{name}: {what}"));
        }
    }
    let wrong = damaged.len() + tables.len();
    let containers = mount.containers().len();
    let containers = super::counted(containers, "container");
    let outcome = match (wrong, encrypted.len()) {
        (0, 0) => "all as stated".to_owned(),
        (wrong, 0) => format!("{wrong} damaged"),
        (0, unread) => format!("{unread} encrypted, the others as stated"),
        (wrong, unread) => format!("{wrong} damaged, {unread} encrypted"),
    };
    writeln!(console.out(), "{entries} entries of {containers}, {}: {outcome}", text::size(bytes))
        .map_err(|error: io::Error| Failure::from(error))?;
    Ok(if wrong + encrypted.len() == 0 { exit } else { Exit::Partly })
}

/// Does work that reports bytes, of so many in all, and says whether it is to go on; shows how far it is.
fn with_progress<T>(
    total: u64,
    console: &mut Console<'_>,
    work: impl FnOnce(&(dyn Fn(u64) -> bool + Sync)) -> T,
) -> Result<T, Failure> {
    const MB: f64 = 1e6;
    let shown = Mutex::new((0_u64, console));
    let report = |bytes: u64| {
        let (done, console) = &mut *shown.lock().unwrap_or_else(PoisonError::into_inner);
        *done = done.saturating_add(bytes);
        console.progress(*done as f64 / MB, Some(total as f64 / MB), "MB", "");
        interrupt::check().is_ok()
    };
    let done = work(&report);
    let (_, console) = shown.into_inner().unwrap_or_else(PoisonError::into_inner);
    console.end_progress();
    interrupt::check()?;
    Ok(done)
}

fn scripts(args: &AssetScripts, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = filter(args.filter.as_deref())?;
    let MountedGame { mount, exit, .. } = open(&args.game, threads, console)?;
    let mut report = PrintedReport { file: &args.game.file, keys: &KeyRing::default(), exit, console };
    rows::scripts(&mount, &filter, args.verify, &mut report, |report, object| {
        let (row, out) = (ScriptRow::from(object), report.console.out());
        match args.json {
            true => Ok(lines::print(out, &row)?),
            false => Ok(writeln!(out, "{}  {}", row.id, printable(&row.path))?),
        }
    })?;
    Ok(report.exit)
}
