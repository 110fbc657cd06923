//! `usampler asset ls`: the entries of containers, and which of them several containers hold.

use std::num::NonZeroUsize;
use std::path::Path;

use modkit::conflicts::Conflict;
use modkit::report::{ConflictRow, EntryRow};
use modkit::serve::{EntryFilter, rows};
use unreal::KeyRing;
use unreal::containers::EntryInfo;
use unreal::containers::mount::{Mount, MountedEntry, OrderReason};

use super::wording::{self, PrintedReport};
use super::{MountedGame, filter, open};
use crate::args::AssetLs;
use crate::command::counted;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::view::{json as lines, printable};
use player::text_table::{Flush, TextColumns};

/// Lists the entries, or those that several containers hold.
///
/// # Errors
/// If nothing can be opened or nothing is found, or the output cannot be written.
pub(super) fn ls(args: &AssetLs, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let filter = filter(args.filter.as_deref())?;
    let MountedGame { mount, exit, .. } = open(&args.game, threads, console)?;
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
    let info = |entry| mount.container(entry).map(|container| container.info(entry.entry)).transpose();
    let mut report = PrintedReport { file: &args.game.file, keys: &KeyRing::default(), exit, console };
    let mut is_empty = true;
    rows::entries(&mount, &entries, &filter, &mut report, info, |_, entry, _, info| {
        is_empty = false;
        let [size, stored, method, notes] = cells(&info, mount.is_overridden(entry));
        columns.fit(&[size, stored, method, notes, String::new()]);
        Ok(())
    })?;
    let PrintedReport { exit, console, .. } = report;
    let colored = console.is_colored();
    if !args.json && !is_empty {
        columns.print_heading(console.out(), colored)?;
    }
    for entry in entries.iter() {
        interrupt::check()?;
        let path = mount.label(entry);
        if !filter.matches(&path) {
            continue;
        }
        if args.json {
            if let Ok(Some(row)) = EntryRow::read(&mount, entry) {
                lines::print(console.out(), &row)?;
            }
        } else if let Ok(Some(info)) = info(entry) {
            let overridden = mount.is_overridden(entry);
            let [size, stored, method, notes] = cells(&info, overridden);
            let cells = [size, stored, method, notes, printable(&path)];
            columns.print_row(console.out(), &cells, colored && overridden)?;
        }
    }
    Ok(exit)
}

/// Returns what stands in the columns before the path of an entry.
fn cells(info: &EntryInfo<'_>, overridden: bool) -> [String; 4] {
    let cipher = info.cipher.map_or_else(String::new, |game| format!(" ({})", game.name()));
    let notes = [(info.is_encrypted, &*format!("encrypted{cipher}")), (overridden, "overridden")];
    let notes: Vec<&str> = notes.iter().filter(|(is, _)| *is).map(|(_, note)| *note).collect();
    let method = printable(info.compression.unwrap_or("-"));
    [info.size.to_string(), info.stored.to_string(), method, notes.join(", ")]
}

/// Prints the entries that several containers hold: as lines of JSON, or below the containers that hold them.
fn print_conflicts(
    args: &AssetLs,
    mount: &Mount,
    filter: &EntryFilter<'_>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let found = rows::matching_conflicts(mount, filter);
    let mut found = found.map_err(|error| wording::failure(error, &args.game.file, &KeyRing::default()))?;
    if args.json {
        for conflict in &found {
            interrupt::check()?;
            lines::print(console.out(), &ConflictRow::new(mount, conflict))?;
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

/// Returns a reason in words.
const fn reason(reason: OrderReason) -> &'static str {
    match reason {
        OrderReason::Patch => "its name ends with _P",
        OrderReason::PatchNumber => "the number before its _P is greater",
        OrderReason::Name => "its name comes later in the alphabet",
        _ => "same name, and its folder comes later in the alphabet",
    }
}
