//! `usampler asset ls`: the entries of containers, and which of them several containers hold.

use std::num::NonZeroUsize;
use std::path::Path;

use modkit::conflicts::{Conflict, conflicts};
use player::filter::NameFilter;
use serde::Serialize;
use unreal::containers::EntryInfo;
use unreal::containers::mount::{Mount, MountedEntry, OrderReason};

use super::{MountedGame, check_found, filter, open};
use crate::args::AssetLs;
use crate::command::counted;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::view::table::{Flush, TextColumns};
use crate::view::{json as lines, printable};

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

/// Lists the entries, or those that several containers hold.
///
/// # Errors
/// If nothing can be opened or nothing is found, or the output cannot be written.
pub(super) fn ls(args: &AssetLs, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = filter(args.filter.as_deref())?;
    let MountedGame { mount, mut exit, .. } = open(&args.game, threads, console)?;
    if args.conflicts {
        return print_conflicts(args, &mount, &filter, console).map(|()| exit);
    }
    let entries = mount.entries_by_path();
    let mut columns = TextColumns::new([
        ("size", Flush::Right),
        ("stored", Flush::Right),
        ("method", Flush::Left),
        ("", Flush::Left),
        ("path", Flush::Left),
    ]);
    let wanted = || {
        let named = entries.iter().map(|place| (place, mount.label(place)));
        named.filter(|(_, label)| filter.matches(label))
    };
    let info = |place: MountedEntry| mount.container(place).map(|container| container.info(place.entry));
    let hash = |place: MountedEntry| mount.container(place)?.hash(place.entry).ok().flatten();
    let mut found = 0_usize;
    for (place, path) in wanted() {
        interrupt::check()?;
        found += 1;
        match info(place) {
            Some(Ok(info)) if !args.json => {
                let [size, stored, method, notes] = cells(&info, mount.is_overridden(place));
                columns.fit(&[size, stored, method, notes, String::new()]);
            }
            Some(Err(error)) => {
                console.warn(format_args!("{}: {path}: {error}", mount.container_name(place)));
                exit = Exit::Partly;
            }
            _ => {}
        }
    }
    check_found(found, args.filter.as_deref())?;
    let colored = console.is_colored();
    if !args.json && found > 0 {
        columns.print_heading(console.out(), colored)?;
    }
    for (place, path) in wanted() {
        interrupt::check()?;
        let Some(Ok(info)) = info(place) else { continue };
        let overridden = mount.is_overridden(place);
        if args.json {
            let row = EntryRow {
                schema: "usampler.entry/1",
                container: mount.container_name(place),
                path,
                size: info.size,
                stored: info.stored,
                compression: info.compression,
                encrypted: info.is_encrypted,
                hash: hash(place).map(|hash| hash.to_string()),
                overridden,
            };
            lines::print(console.out(), &row)?;
        } else {
            let [size, stored, method, notes] = cells(&info, overridden);
            let cells = [size, stored, method, notes, printable(&path)];
            columns.print_row(console.out(), &cells, colored && overridden)?;
        }
    }
    Ok(exit)
}

/// Returns what stands in the columns before the path of an entry.
fn cells(info: &EntryInfo<'_>, overridden: bool) -> [String; 4] {
    let notes = [(info.is_encrypted, "encrypted"), (overridden, "overridden")];
    let notes: Vec<&str> = notes.iter().filter(|(is, _)| *is).map(|(_, note)| *note).collect();
    let method = printable(info.compression.unwrap_or("-"));
    [info.size.to_string(), info.stored.to_string(), method, notes.join(", ")]
}

/// A conflict as a line of JSON.
#[derive(Serialize)]
struct ConflictRow<'a> {
    schema: &'static str,
    path: &'a str,
    winner: &'a str,
    reason: &'static str,
    /// In the order in which they are mounted.
    containers: Vec<&'a str>,
    identical: Option<bool>,
}

/// Prints the entries that several containers hold: as lines of JSON, or below the containers that hold them.
fn print_conflicts(
    args: &AssetLs,
    mount: &Mount,
    filter: &NameFilter,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let mut found = conflicts(mount);
    found.retain(|conflict| filter.matches(&conflict.label));
    check_found(found.len(), args.filter.as_deref())?;
    if args.json {
        for conflict in &found {
            interrupt::check()?;
            let row = ConflictRow {
                schema: "usampler.conflict/1",
                path: &conflict.label,
                winner: conflict.winner().map_or("", |winner| mount.container_name(winner)),
                reason: reason_name(conflict.reason),
                containers: conflict.entries.iter().map(|entry| mount.container_name(*entry)).collect(),
                identical: conflict.is_identical,
            };
            lines::print(console.out(), &row)?;
        }
        return Ok(());
    }
    let holders = |conflict: &Conflict| -> Vec<usize> {
        conflict.entries.iter().map(|entry| entry.container).collect()
    };
    // Those that the same containers hold stand together.
    found.sort_by_key(holders);
    let name = |entry: &MountedEntry| {
        let path = Path::new(mount.container_name(*entry));
        printable(&path.strip_prefix(&args.game.file).unwrap_or(path).display().to_string())
    };
    for same in found.chunk_by(|one, other| holders(one) == holders(other)) {
        interrupt::check()?;
        let Some(([losers @ .., winner], first)) = same.first().map(|first| (&first.entries[..], first))
        else {
            continue;
        };
        let losers: Vec<String> = losers.iter().rev().map(name).collect();
        let out = console.out();
        writeln!(out, "{} wins over {}: {}", name(winner), losers.join(", "), reason(first.reason))?;
        for conflict in same {
            let note = if conflict.is_identical == Some(true) { "  (identical)" } else { "" };
            writeln!(out, "  {}{note}", printable(&conflict.label))?;
        }
    }
    let containers = counted(mount.containers().len(), "container");
    console.say(match found.len() {
        0 => format!("no conflicts among {containers}"),
        1 => format!("1 entry is in more than one of {containers}"),
        count => format!("{count} entries are in more than one of {containers}"),
    });
    Ok(())
}

/// Returns what JSON calls a reason.
const fn reason_name(reason: OrderReason) -> &'static str {
    match reason {
        OrderReason::Patch => "patch",
        OrderReason::PatchNumber => "patch_number",
        OrderReason::Name => "name",
        _ => "folder",
    }
}

/// Returns a reason in words.
const fn reason(reason: OrderReason) -> &'static str {
    match reason {
        OrderReason::Patch => "its name ends with _P",
        OrderReason::PatchNumber => "the number before its _P is greater",
        OrderReason::Name => "its name comes later in the alphabet",
        _ => "same name, and its folder comes later in the alphabet",
    }
}
