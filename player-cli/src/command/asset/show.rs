//! `usampler asset show`: the tables of packages.

use std::num::NonZeroUsize;

use modkit::report::PackageRow;
use modkit::serve::{RequestError, rows};
use unreal::KeyRing;

use super::packages::{ChosenPackages, is_classic};
use super::wording;
use crate::args::{AssetShow, ReadingArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::InputFile;
use crate::view::{json, printable, text};

/// Shows one package, or all.
///
/// # Errors
/// If there is no such package, nothing can be opened, or the output cannot be written.
pub(super) fn show(
    args: &AssetShow,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if is_classic(&args.packages)? {
        return classic(args, console);
    }
    let chosen = ChosenPackages::open(&args.packages, threads, console)?;
    let packages = &chosen.packages;
    let mut report = chosen.report(&args.packages, console);
    rows::tables(packages, &mut report, |report, entry, row| {
        if args.json {
            return Ok(json::print(report.console.out(), &row)?);
        }
        if packages.entries.first() != Some(&entry) {
            writeln!(report.console.out())?;
        }
        print(&row, &packages.mount.label(entry), report.console)
    })?;
    Ok(report.exit)
}

/// Shows a package of Unreal Engine 1 to 3: what `info` shows, and its tables.
fn classic(args: &AssetShow, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.packages.game.file;
    let input = InputFile::open(file, &ReadingArgs::default())?;
    let sounds = input.package()?;
    let Some(package) = sounds.package() else {
        return Err(wording::failure(RequestError::Module, file, &KeyRing::default()));
    };
    let row = PackageRow::of_classic(package, input.name(), &input.label);
    if args.json {
        json::print(console.out(), &row)?;
    } else {
        let verbosity = console.verbosity();
        text::package(console.out(), &input.label, input.len(), &sounds, package, verbosity)?;
        tables(&row, console)?;
    }
    Ok(input.report(&sounds, console))
}

fn print(package: &PackageRow, label: &str, console: &mut Console<'_>) -> Result<(), Failure> {
    let out = console.out();
    writeln!(out, "{}", printable(label))?;
    let tags = if package.unversioned { "unversioned properties" } else { "tagged properties" };
    writeln!(out, "  package  {} ({}, {tags})", printable(&package.path), package.kind)?;
    writeln!(out, "  engine   {} ({})", package.engine, package.engine_reason)?;
    let header = package.header_size.unwrap_or_default();
    writeln!(out, "  header   {header} bytes, {} names", package.names.len())?;
    tables(package, console)
}

/// Prints the tables of a package: its names if the user wants to know more, imports and exports.
fn tables(package: &PackageRow, console: &mut Console<'_>) -> Result<(), Failure> {
    let has_names = console.verbosity() > 0;
    let out = console.out();
    if has_names {
        writeln!(out, "  names    {}", package.names.len())?;
        for (index, name) in package.names.iter().enumerate() {
            writeln!(out, "    {index}  {}", printable(name))?;
        }
    }
    writeln!(out, "  imports  {}", package.imports.len())?;
    for import in &package.imports {
        writeln!(out, "    {}", printable(&import.path))?;
    }
    writeln!(out, "  exports  {}", package.exports.len())?;
    for export in &package.exports {
        let class = export.class.as_deref().unwrap_or("-");
        let (name, class) = (printable(&export.name), printable(class));
        writeln!(
            out,
            "    {}  {name}  {class}  {} bytes at {:#x}",
            export.index, export.size, export.offset
        )?;
        let Some(sound) = &export.sound else { continue };
        if let Some(format) = &sound.format {
            let chunks = sound.chunks.iter().map(|chunk| format!("{} bytes in .{}", chunk.size, chunk.file));
            writeln!(out, "       {}: {}", printable(format), chunks.collect::<Vec<_>>().join(", "))?;
        }
        for (name, value) in &sound.properties {
            writeln!(out, "       {} = {}", printable(name), printable(value))?;
        }
        for problem in &sound.problems {
            writeln!(out, "       {}", printable(problem))?;
        }
    }
    Ok(())
}
