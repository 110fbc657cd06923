//! `usampler asset unpack`: the entries of a game as files.

use std::num::NonZeroUsize;
use std::sync::Arc;

use exporter::disk_space::TIMES;
use exporter::filename::shortened;
use exporter::{DiskSpace, Overwrite, make_folder};
use modkit::legacy::LegacyConverter;
use modkit::mods::{self, Needed, mount_over};
use modkit::unpack::{self, PlannedFile, UnpackOptions, Unpacked, plan};
use unreal::KeyRing;
use unreal::containers::mount::{Mount, MountedEntry};

use super::{MountedGame, filter, open, with_progress, wording};
use crate::args::{AssetUnpack, GameArgs};
use crate::command::counted;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game;
use crate::view::text;

/// Writes the entries.
///
/// # Errors
/// If the containers cannot be read, nothing is wanted, or what is there would be replaced.
pub(super) fn unpack(
    args: &AssetUnpack,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let filter = filter(args.filter.as_deref())?;
    let (MountedGame { mount, mut exit, files }, first_mod) = mounted(args, threads, console)?;
    let overwrite = game::kept(Overwrite::forced(args.force), files);
    let is_wanted = |entry: MountedEntry, path: &str| entry.container >= first_mod && filter.matches(path);
    let mut needed = Needed::default();
    if args.with_deps {
        let all = mount.entries().filter(|entry| !mount.is_overridden(*entry));
        needed = mods::needed(&mount, all.filter(|entry| is_wanted(*entry, &mount.label(*entry))));
        warn_of_needed(&mount, &needed, console);
    }
    let converter = args.legacy.then(|| LegacyConverter::new(&mount, args.engine)).transpose();
    let converter = converter.map_err(|error| Failure::new(Exit::Unreadable, error.to_string()))?;
    let converter = converter.map(|converter| converter.with_stock_layout(args.stock));
    let mut plan = plan(&mount, |entry, path| is_wanted(entry, path) || needed.entries.contains(&entry));
    filter
        .check(plan.len())
        .map_err(|error| wording::failure(error, &args.game.file, &KeyRing::default()))?;
    let planned = plan.len();
    if let Some(converter) = &converter {
        // What is neither a package nor a file says something of the container that it lies in.
        plan.retain(|file| converter.converts(file.entry) || mount.path(file.entry).is_some());
    }
    let skipped = planned - plan.len();
    unpack::check_free(&args.output, &plan, converter.as_ref(), &overwrite)
        .map_err(|error| Failure::from(error).hint("nothing was written"))?;
    let bytes = plan.iter().map(|file| file.size).fold(0, u64::saturating_add);
    check_space(args, mount.file_len(), bytes)?;
    make_folder(&args.output, &args.output, args.force)?;
    warn_of_flood(mount.file_len(), bytes, console);
    let unpacked = with_progress(bytes, console, |report| {
        let (output, overwrite, converter) = (&*args.output, &overwrite, converter.as_ref());
        unpack::unpack(&mount, &plan, UnpackOptions { output, overwrite, converter, threads, report })
    })??;
    report_files(&plan, &unpacked, console);
    let Unpacked { files, bytes, converted, unknown, failed, kept, .. } = unpacked;
    if !(failed.is_empty() && kept.is_empty() && needed.failed.is_empty() && needed.missing.is_empty()) {
        exit = Exit::Partly;
    }
    let files = counted(files, "file");
    console.say(format_args!("{files} written to {}, {}", args.output.display(), text::size(bytes)));
    if args.legacy || !args.mods.is_empty() {
        let is_hidden =
            |entry: &MountedEntry| mount.is_overridden(*entry) && is_wanted(*entry, &mount.label(*entry));
        let overridden = mount.entries().filter(is_hidden).count();
        let failed = failed.len();
        console.say(format_args!(
            "{converted} converted, {overridden} overridden, {failed} failed, {skipped} skipped"
        ));
    }
    if !unknown.is_empty() {
        say_unknown(unknown.len(), console);
    }
    Ok(exit)
}

/// Checks that `bytes` of files have room in the output folder, and are no flood for `stored` bytes of containers.
fn check_space(args: &AssetUnpack, stored: u64, bytes: u64) -> Result<(), Failure> {
    let space = DiskSpace { stored, allows_flood: args.large };
    let checked = space.check(&args.output, bytes);
    checked.map_err(|error| Failure::of_space(&args.game.file.display().to_string(), &error))
}

/// Warns of many more bytes than are stored.
fn warn_of_flood(stored: u64, bytes: u64, console: &mut Console<'_>) {
    if bytes > stored.saturating_mul(TIMES) {
        let (stored, bytes) = (text::size(stored), text::size(bytes));
        console.warn(format_args!("{stored} expand to {bytes}; much of it is repeated data"));
    }
}

/// Warns of packages that wanted ones need and that cannot be had.
fn warn_of_needed(mount: &Mount, needed: &Needed, console: &mut Console<'_>) {
    for (entry, error) in &needed.failed {
        console.warn(format_args!("{}: {error}", mount.label(*entry)));
    }
    for name in &needed.missing {
        console.warn(format_args!("{name} is needed and not there"));
    }
}

/// Reports files that are renamed, that refer to unknown objects, or that were not written.
fn report_files(plan: &[PlannedFile], unpacked: &Unpacked, console: &mut Console<'_>) {
    let label = |number: usize| plan.get(number).map_or("", |file| &file.label);
    for file in plan.iter().filter(|file| file.is_renamed) {
        console.detail(format_args!("{} is written as {}", file.label, file.path.display()));
    }
    for (number, count) in &unpacked.unknown {
        let objects = counted(*count, "object");
        let label = label(*number);
        console.detail(format_args!("{label}: refers to {objects} that no opened container names"));
    }
    for (_, change) in &unpacked.changed {
        console.say(format_args!("{change} removed"));
    }
    for (number, error) in &unpacked.kept {
        console.warn(format_args!("{}: written unchanged: {error}", shortened(label(*number))));
    }
    for (number, error) in &unpacked.failed {
        console.warn(format_args!("{}: not written: {error}", shortened(label(*number))));
    }
}

/// Says how many packages refer to objects that are in no container.
fn say_unknown(unknown: usize, console: &mut Console<'_>) {
    let refer = if unknown == 1 { "refers" } else { "refer" };
    console.say(format_args!(
        "{} {refer} to objects that no opened container names; they stay numbers: a whole game, with its global.utoc, \
         names them",
        counted(unknown, "package")
    ));
}

/// Mounts a game and the mods over it; returns also the number of the first container that is wanted.
fn mounted(
    args: &AssetUnpack,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<(MountedGame, usize), Failure> {
    let MountedGame { mount, mut exit, mut files } = open(&args.game, threads, console)?;
    if args.mods.is_empty() {
        return Ok((MountedGame { mount, exit, files }, 0));
    }
    let mut mods = Vec::new();
    for file in &args.mods {
        let game = GameArgs { file: file.clone(), cipher: args.game.cipher.clone() };
        let opened = open(&game, threads, console)?;
        mods.push(opened.mount);
        files.extend(opened.files);
        exit = if exit == Exit::Done { opened.exit } else { exit };
    }
    let (mount, first_mod) = mount_over(&mount, &mods);
    Ok((MountedGame { mount: Arc::new(mount), exit, files }, first_mod))
}
