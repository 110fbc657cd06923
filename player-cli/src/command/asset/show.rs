//! `usampler asset show`: what packages say of themselves.

use std::num::NonZeroUsize;

use modkit::show::{ExportDescription, PackageDescription, describe, describe_classic};
use serde::Serialize;
use unreal::{Property, Value};

use super::packages::{Packages, is_classic};
use crate::args::{AssetShow, ReadingArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::view::{json, printable, text};
use crate::{game, interrupt};

/// A package as a line of JSON.
#[derive(Serialize)]
struct PackageRow<'a> {
    schema: &'static str,
    path: &'a str,
    container: &'a str,
    kind: &'static str,
    engine: &'a str,
    engine_reason: &'static str,
    unversioned: bool,
    flags: u32,
    header_size: Option<u64>,
    names: &'a [String],
    imports: Vec<ImportRow<'a>>,
    exports: Vec<ExportRow<'a>>,
}

#[derive(Serialize)]
struct ImportRow<'a> {
    class: Option<&'a str>,
    path: &'a str,
}

#[derive(Serialize)]
struct ExportRow<'a> {
    index: usize,
    name: &'a str,
    class: Option<&'a str>,
    outer: Option<&'a str>,
    offset: u64,
    size: u64,
    flags: u64,
    public_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sound: Option<SoundRow>,
}

/// What is known of a sound, and why not more.
#[derive(Serialize)]
struct SoundRow {
    format: Option<String>,
    chunks: Vec<ChunkRow>,
    properties: Vec<(String, String)>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct ChunkRow {
    place: &'static str,
    offset: u64,
    size: u64,
}

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
    let Packages { mount, entries, scripts, options, keys, mut exit, .. } =
        Packages::open(&args.packages, threads, console)?;
    let mut failed = 0;
    for (number, entry) in entries.iter().enumerate() {
        interrupt::check()?;
        match describe(&mount, *entry, &scripts, options.version, options.mappings.as_deref()) {
            Ok(package) if args.json => {
                json::print(console.out(), &row(&package, mount.container_name(*entry)))?;
            }
            Ok(package) => {
                if number > 0 {
                    writeln!(console.out())?;
                }
                print(&package, &mount.label(*entry), console)?;
            }
            Err(error) => {
                failed += 1;
                let why = game::why(&error, &keys);
                console.warn(format_args!("{}: {why}", mount.label(*entry)));
                exit = Exit::Partly;
            }
        }
    }
    if failed == entries.len() {
        let message = format!("no package could be read in {}", args.packages.game.file.display());
        return Err(Failure::new(Exit::Unreadable, message));
    }
    Ok(exit)
}

/// Shows a package of Unreal Engine 1 to 3: what `info` shows, and its tables.
fn classic(args: &AssetShow, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.packages.game.file;
    let input = Input::open(file, &ReadingArgs::default())?;
    let sounds = input.package()?;
    let Some(package) = sounds.package() else {
        let message = format!("{}: not a package but a tracker module", input.label);
        return Err(Failure::new(Exit::Unreadable, message));
    };
    let described = describe_classic(package, input.name());
    if args.json {
        json::print(console.out(), &row(&described, &input.label))?;
    } else {
        let verbosity = console.verbosity();
        text::package(console.out(), &input.label, input.len(), &sounds, package, verbosity)?;
        tables(&described, console)?;
    }
    Ok(input.report(&sounds, console))
}

fn row<'a>(package: &'a PackageDescription, container: &'a str) -> PackageRow<'a> {
    let import = |import: &'a modkit::show::ImportDescription| ImportRow {
        class: import.class.as_deref(),
        path: &import.path,
    };
    let export = |(index, export): (usize, &'a ExportDescription)| ExportRow {
        index,
        name: &export.name,
        class: export.class.as_deref(),
        outer: export.outer.as_deref(),
        offset: export.offset,
        size: export.size,
        flags: export.flags,
        public_hash: export.public_hash.map(|hash| format!("{hash:016x}")),
        sound: sound(export),
    };
    PackageRow {
        schema: "usampler.package/2",
        path: &package.name,
        container,
        kind: package.kind.name(),
        engine: &package.engine,
        engine_reason: package.engine_reason,
        unversioned: package.is_unversioned,
        flags: package.flags,
        header_size: package.header_size,
        names: &package.names,
        imports: package.imports.iter().map(import).collect(),
        exports: package.exports.iter().enumerate().map(export).collect(),
    }
}

fn sound(export: &ExportDescription) -> Option<SoundRow> {
    let properties = export.properties.as_ref()?;
    let mut row = SoundRow { format: None, chunks: Vec::new(), properties: Vec::new(), problems: Vec::new() };
    match properties {
        Ok(properties) => row.properties.extend(properties.iter().map(|p| (name(p), value(&p.value)))),
        Err(error) => row.problems.push(error.to_string()),
    }
    match &export.recording {
        Some(Ok(wave)) => {
            row.format = Some(wave.format.clone());
            row.chunks.extend(wave.chunks.iter().map(|chunk| ChunkRow {
                place: chunk.place.extension(),
                offset: chunk.offset,
                size: chunk.size,
            }));
        }
        Some(Err(error)) => row.problems.push(error.to_string()),
        None => {}
    }
    Some(row)
}

fn name(property: &Property) -> String {
    match property.index {
        0 => property.name.clone(),
        index => format!("{}[{index}]", property.name),
    }
}

/// Returns a value in words.
fn value(value: &Value) -> String {
    let all = |values: &[Value]| values.iter().map(self::value).collect::<Vec<_>>().join(", ");
    match value {
        Value::Byte(number) => number.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Int64(number) => number.to_string(),
        Value::UInt64(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::Object(object) => format!("object {}", object.number()),
        Value::Name(text) | Value::Text(text) | Value::SoftPath(text) => text.clone(),
        Value::Localized(text) => text.shown(),
        Value::Array(values) | Value::Set { values, .. } => format!("[{}]", all(values)),
        Value::Map { pairs, .. } => {
            let pair =
                |(key, value): &(Value, Value)| format!("{}: {}", self::value(key), self::value(value));
            format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Value::Struct(fields) => {
            let field = |field: &Property| format!("{}: {}", name(field), self::value(&field.value));
            format!("({})", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Value::Opaque { kind, size, .. } => format!("{kind} of {size} bytes"),
        Value::Bytes(bytes) => format!("{} bytes", bytes.len()),
        _ => String::new(),
    }
}

fn print(package: &PackageDescription, label: &str, console: &mut Console<'_>) -> Result<(), Failure> {
    let out = console.out();
    writeln!(out, "{}", printable(label))?;
    let kind = package.kind.name();
    let tags = if package.is_unversioned { "unversioned properties" } else { "tagged properties" };
    writeln!(out, "  package  {} ({kind}, {tags})", printable(&package.name))?;
    writeln!(out, "  engine   {} ({})", package.engine, package.engine_reason)?;
    let header = package.header_size.unwrap_or_default();
    writeln!(out, "  header   {header} bytes, {} names", package.names.len())?;
    tables(package, console)
}

/// Prints the tables of a package: its names if the user wants to know more, imports and exports.
fn tables(package: &PackageDescription, console: &mut Console<'_>) -> Result<(), Failure> {
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
    for (index, export) in package.exports.iter().enumerate() {
        let class = export.class.as_deref().unwrap_or("-");
        let (name, class) = (printable(&export.name), printable(class));
        writeln!(out, "    {index}  {name}  {class}  {} bytes at {:#x}", export.size, export.offset)?;
        let Some(sound) = sound(export) else { continue };
        if let Some(format) = sound.format {
            let chunks = sound.chunks.iter().map(|chunk| format!("{} bytes in .{}", chunk.size, chunk.place));
            writeln!(out, "       {}: {}", printable(&format), chunks.collect::<Vec<_>>().join(", "))?;
        }
        for (name, value) in sound.properties {
            writeln!(out, "       {} = {}", printable(&name), printable(&value))?;
        }
        for problem in sound.problems {
            writeln!(out, "       {}", printable(&problem))?;
        }
    }
    Ok(())
}
