//! `usampler asset texture`: mips, pictures, and packages with fewer mips.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;

use exporter::{DiskSpace, OutputFile, Overwrite};
use modkit::report::TextureRow;
use modkit::serve::rows;
use modkit::texture::{
    ConvertTextureError, NewPicture, OpenTexture, PictureFile, PictureFormat, TextureChange,
};
use modkit::unpack::{plan, write_files};
use unreal::containers::mount::MountedEntry;

use super::packages::ChosenPackages;
use crate::args::AssetTexture;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::{json, printable, text};

/// Lists textures, writes pictures of them, or packages with changed ones.
///
/// # Errors
/// If there is no such package, none has a texture that can be read, or the output cannot be written.
pub(super) fn texture(
    args: &AssetTexture,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let chosen = ChosenPackages::open(&args.packages, threads, console)?;
    let packages = &chosen.packages;
    let Some(output) = &args.output else {
        let mut report = chosen.report(&args.packages, console);
        rows::textures(packages, &mut report, |report, entry, row| match args.json {
            true => Ok(json::print(report.console.out(), &row)?),
            false => print(&row, &packages.mount.label(entry), report.console),
        })?;
        return Ok(report.exit);
    };
    let overwrite = chosen.overwrite(args.force);
    if let Some(change) = change(args)? {
        let (entry, texture) = only(&chosen, "a package")?;
        let failed =
            |error: &ConvertTextureError| failure(&packages.mount.label(entry), &texture.name, error);
        let changed = texture.changed(&change, args.inline || args.strip).map_err(|error| failed(&error))?;
        let files: Vec<_> = changed.files.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
        write_files(output, &files, &overwrite)?.finish(console.out())?;
        let [before, now] = changed.mips;
        console.say(format_args!("{} written, {now} of {before} mips", output.display()));
        return Ok(chosen.exit);
    }
    if let Some(format) = PictureFormat::of(output) {
        let (entry, texture) = only(&chosen, "one picture")?;
        let failed = |error| failure(&packages.mount.label(entry), &texture.name, &error);
        let picture = texture.picture_file(format, args.mip, args.slice).map_err(failed)?;
        write_picture(args, &texture, &picture, output, &overwrite, console)?;
        return Ok(chosen.exit);
    }
    if output.extension().is_some() {
        let failure =
            Failure::new(Exit::Usage, format!("{} ends neither in .png nor in .dds", output.display()));
        return Err(
            failure.hint("--keep, --max, --strip and --set write a package, a folder gets all pictures")
        );
    }
    all(args, &chosen, output, &overwrite, console)
}

/// Writes pictures of all textures into a folder, each at the path of its package.
fn all(
    args: &AssetTexture,
    chosen: &ChosenPackages,
    output: &Path,
    overwrite: &Overwrite,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let packages = &chosen.packages;
    let space = DiskSpace { stored: packages.mount.file_len(), allows_flood: args.large };
    let (mut exit, mut written, mut bytes) = (chosen.exit, 0, 0);
    for file in plan(&packages.mount, |entry, _| packages.entries.contains(&entry)) {
        crate::interrupt::check()?;
        let label = packages.mount.label(file.entry);
        let textures = match packages.open_textures(file.entry) {
            Ok(textures) => textures,
            Err(error) => {
                console.warn(format_args!("{}: {error}", printable(&label)));
                exit = Exit::Partly;
                continue;
            }
        };
        let is_one = textures.len() == 1;
        for texture in textures {
            let path = texture.picture_path(&output.join(&file.path), args.format, is_one);
            match texture.picture_file(args.format, args.mip, args.slice) {
                Ok(picture) => {
                    let part = picture.bytes.len() as u64;
                    bytes += part;
                    let checked = space.check_part(output, part, bytes);
                    checked.map_err(|error| Failure::of_space(&label, &error))?;
                    write_picture(args, &texture, &picture, &path, overwrite, console)?;
                    written += 1;
                }
                Err(error) => {
                    console.warn(format_args!(
                        "{}: {}: {error}",
                        printable(&label),
                        printable(&texture.name)
                    ));
                    exit = Exit::Partly;
                }
            }
        }
    }
    let plural = if written == 1 { "" } else { "s" };
    console.say(format_args!("{written} picture{plural} written to {}", output.display()));
    Ok(if written == 0 { Exit::Unreadable } else { exit })
}

fn write_picture(
    args: &AssetTexture,
    texture: &OpenTexture<'_>,
    picture: &PictureFile,
    path: &Path,
    overwrite: &Overwrite,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let mut out = OutputFile::create_with_folders(path, overwrite)?;
    out.write_all(&picture.bytes).map_err(|error| Failure::of_output(&path.display().to_string(), &error))?;
    out.publish(console.out())?;
    let name = printable(&texture.name);
    if let Some(mip) = texture.texture.mips.get(picture.mip) {
        console.say(format_args!("{} written, {}x{}", path.display(), mip.width, mip.height));
    }
    if picture.mip > 0 && args.mip.is_none() {
        console.warn(format_args!("{name}: larger mips are missing"));
    }
    if picture.is_clamped {
        console.warn(format_args!("{name}: values beyond 0 to 1 were clamped; .dds keeps them"));
    }
    Ok(())
}

/// Returns the only texture of the only package that is meant.
fn only<'c>(chosen: &'c ChosenPackages, what: &str) -> Result<(MountedEntry, OpenTexture<'c>), Failure> {
    let entry = chosen.only("-o")?;
    let label = chosen.packages.mount.label(entry);
    let unreadable =
        |error: &dyn std::fmt::Display| Failure::new(Exit::Unreadable, format!("{label}: {error}"));
    let mut textures = chosen.packages.open_textures(entry).map_err(|error| unreadable(&error))?;
    match (textures.pop(), textures.len()) {
        (Some(texture), 0) => Ok((entry, texture)),
        (None, _) => Err(unreadable(&"no cooked texture")),
        (Some(_), others) => {
            let count = others + 1;
            let failure =
                Failure::new(Exit::Usage, format!("{label} has {count} textures, and -o is for {what}"));
            Err(failure.hint("a folder gets pictures of all"))
        }
    }
}

fn failure(label: &str, name: &str, error: &ConvertTextureError) -> Failure {
    let exit = match error {
        ConvertTextureError::NoSuchMip(..)
        | ConvertTextureError::NoSuchSlice(..)
        | ConvertTextureError::Other(..) => Exit::Usage,
        _ => Exit::Unreadable,
    };
    Failure::new(exit, format!("{label}: {name}: {error}"))
}

/// Returns what a texture is to be changed to, if it is.
fn change(args: &AssetTexture) -> Result<Option<TextureChange>, Failure> {
    if let Some(file) = &args.set {
        let unreadable = |error: &dyn std::fmt::Display| {
            Failure::new(Exit::Unreadable, format!("{}: {error}", file.display()))
        };
        let bytes = std::fs::read(file).map_err(|error| unreadable(&error))?;
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let picture = NewPicture::read(extension, bytes).map_err(|error| unreadable(&error))?;
        return Ok(Some(TextureChange::Set(picture)));
    }
    let keep = args.keep.or(args.strip.then_some(1)).map(TextureChange::Keep);
    Ok(keep.or(args.max.map(TextureChange::Max)))
}

fn print(row: &TextureRow, label: &str, console: &mut Console<'_>) -> Result<(), Failure> {
    let (label, name) = (printable(label), printable(&row.name));
    let out = console.out();
    let Some(format) = &row.format else {
        writeln!(out, "{label}  {name}  {}  no cooked mips", row.class)?;
        return Ok(());
    };
    let slices = if row.slices > 1 { format!("x{}", row.slices) } else { String::new() };
    let mips = match row.mips_outside() {
        _ if row.is_virtual => "virtual".to_owned(),
        0 => format!("mips {}", row.mips.len()),
        outside => format!("mips {} ({outside} outside)", row.mips.len()),
    };
    let (class, size) = (&row.class, text::size(row.size()));
    let (width, height) = (row.width, row.height);
    writeln!(
        out,
        "{label}  {name}  {class}  {}  {width}x{height}{slices}  {mips}  {size}",
        printable(format)
    )?;
    Ok(())
}
