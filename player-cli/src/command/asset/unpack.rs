//! `usampler asset unpack`: the entries of a game as files.

use std::num::NonZeroUsize;

use exporter::output_file;
use modkit::legacy::LegacyConverter;
use modkit::mods::{self, Needed, mount_over};
use modkit::unpack::{self, OBJECTS, PlannedFile, UnpackOptions, Unpacked, plan};
use unreal::container::mount::{Mount, MountedEntry};

use super::{check_found, filter, open, with_progress};
use crate::args::{AssetUnpack, GameArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::text;

/// How much more than is stored is worth a word before it is written.
const MUCH: u64 = 100;

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
    let (mount, first_mod, mut exit) = mounted(args, threads, console)?;
    let is_wanted = |entry: MountedEntry, path: &str| entry.container >= first_mod && filter.matches(path);
    let mut needed = Needed::default();
    if args.with_deps {
        let all = mount.entries().filter(|entry| !mount.is_overridden(*entry));
        needed = mods::needed(&mount, all.filter(|entry| is_wanted(*entry, &mount.label(*entry))));
        for (entry, error) in &needed.failed {
            exit = Exit::Partly;
            console.warn(format_args!("{}: {error}", mount.label(*entry)));
        }
        for name in &needed.missing {
            exit = Exit::Partly;
            console.warn(format_args!("{name} is needed and not there"));
        }
    }
    let converter = if args.legacy {
        let converter = LegacyConverter::new(&mount, args.engine);
        Some(converter.map_err(|error| Failure::new(Exit::Unreadable, error.to_string()))?)
    } else {
        None
    };
    let mut plan = plan(&mount, |entry, path| is_wanted(entry, path) || needed.entries.contains(&entry));
    check_found(plan.len(), args.filter.as_deref())?;
    let planned = plan.len();
    if let Some(converter) = &converter {
        // What is neither a package nor a file says something of the container that it lies in.
        plan.retain(|file| converter.converts(file.entry) || mount.path(file.entry).is_some());
    }
    let skipped = planned - plan.len();
    if !args.force {
        check_free(args, &plan, converter.as_ref())?;
    }
    output_file::make_folder(&args.output, &args.output, args.force)?;
    let bytes = plan.iter().map(|file| file.size).fold(0, u64::saturating_add);
    let stored =
        mount.containers().iter().map(|(_, container)| container.file_len()).fold(0, u64::saturating_add);
    if bytes > stored.saturating_mul(MUCH) {
        let (stored, bytes) = (text::size(stored), text::size(bytes));
        console.warn(format_args!("{stored} become {bytes}, much of it the same"));
    }
    let Unpacked { files, bytes, converted, unknown, failed } = with_progress(bytes, console, |report| {
        let (output, force, converter) = (&*args.output, args.force, converter.as_ref());
        unpack::unpack(&mount, &plan, UnpackOptions { output, force, converter, threads, report })
    })?;
    let label = |number: usize| plan.get(number).map_or("", |file| &file.label);
    for file in plan.iter().filter(|file| file.is_renamed) {
        console.detail(format_args!("{} is written as {}", file.label, file.path.display()));
    }
    for (number, count) in &unknown {
        let objects = if *count == 1 { "1 object that is" } else { "objects that are" };
        console.detail(format_args!("{}: refers to {objects} not at hand, by numbers", label(*number)));
    }
    for (number, error) in &failed {
        exit = Exit::Partly;
        console.warn(format_args!("{}: not written: {error}", label(*number)));
    }
    let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
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
        let packages = if unknown.len() == 1 { "1 package refers" } else { "packages refer" };
        let count = if unknown.len() == 1 { String::new() } else { format!("{} ", unknown.len()) };
        console.say(format_args!(
            "{count}{packages} to objects that are not at hand, by numbers; a whole game, with its global.utoc, names them"
        ));
    }
    Ok(exit)
}

/// Mounts a game and the mods over it; returns also the number of the first container that is wanted.
fn mounted(
    args: &AssetUnpack,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<(Mount, usize, Exit), Failure> {
    let (mount, mut exit) = open(&args.game, threads, console)?;
    if args.mods.is_empty() {
        return Ok((mount, 0, exit));
    }
    let mut mods = Vec::new();
    for file in &args.mods {
        let game = GameArgs { file: file.clone(), keys: args.game.keys.clone() };
        let (opened, of_mod) = open(&game, threads, console)?;
        mods.push(opened);
        exit = if exit == Exit::Done { of_mod } else { exit };
    }
    let (mount, first_mod) = mount_over(mount, mods);
    Ok((mount, first_mod, exit))
}

/// Checks that nothing is there that would be written.
fn check_free(
    args: &AssetUnpack,
    plan: &[PlannedFile],
    converter: Option<&LegacyConverter<'_>>,
) -> Result<(), Failure> {
    for file in plan {
        let path = args.output.join(&file.path);
        let is_converted = converter.is_some_and(|converter| converter.converts(file.entry));
        let objects = is_converted.then(|| path.with_extension(OBJECTS));
        for path in [path].iter().chain(&objects) {
            output_file::check_free(path)
                .map_err(|error| Failure::from(error).hint("nothing was written"))?;
        }
    }
    Ok(())
}
