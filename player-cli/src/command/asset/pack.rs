//! `usampler asset pack`: a folder of files as a container.

use std::num::NonZeroUsize;
use std::path::Path;

use exporter::OutputFile;
use modkit::pack::{PackError, PackedFile, files, pack_pak};
use unreal::container::pak::{PakEncryption, PakOptions};
use unreal::{KeyRing, WriteError};

use crate::args::{AssetPack, CipherMode};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game;
use crate::view::text;

/// Writes the container.
///
/// # Errors
/// If the files cannot be read, the container cannot hold them, or it cannot be written.
pub(super) fn pack(
    args: &AssetPack,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let options = PakOptions {
        form: args.pak_version,
        mount: args.mount.clone(),
        method: args.compress.method(),
        encryption: args.encrypt.then(|| encryption(args)).transpose()?,
    };
    if args.output.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("pak")) {
        let failure = Failure::new(Exit::Usage, "only .pak files are written so far");
        return Err(failure.hint("-o NAME_P.pak, for a mod that is found after the game's own files"));
    }
    let files = files(&args.folder).map_err(|error| failure(&error, &args.output))?;
    if files.is_empty() {
        let message = format!("no files in {}", args.folder.display());
        return Err(Failure::new(Exit::Unreadable, message));
    }
    let output = OutputFile::create(&args.output, args.force)?;
    let total = files.iter().map(|file| file.size).fold(0, u64::saturating_add);
    let packed =
        super::with_progress(total, console, |report| pack_pak(&files, output, options, threads, report))?;
    let packed = packed.map_err(|error| failure(&error, &args.output))?;
    if let Some(output) = packed {
        output.publish(console.out())?;
    }
    let count = count(&files);
    console.say(format_args!("{count}, {} in {}", text::size(total), args.output.display()));
    Ok(Exit::Done)
}

fn count(files: &[PackedFile]) -> String {
    if files.len() == 1 { "1 file".to_owned() } else { format!("{} files", files.len()) }
}

/// Returns how the container is encrypted: with the first key that was given.
fn encryption(args: &AssetPack) -> Result<PakEncryption, Failure> {
    let keys: KeyRing = game::keys(&args.keys)?;
    let Some((guid, key)) = keys.first() else {
        return Err(Failure::new(Exit::Usage, "--encrypt needs a key").hint("--aes KEY gives it"));
    };
    Ok(PakEncryption {
        key: key.clone(),
        guid: guid.unwrap_or_default(),
        counts: args.cipher == CipherMode::Ctr,
        hides_data: true,
        hides_index: true,
    })
}

fn failure(error: &PackError, output: &Path) -> Failure {
    match error {
        PackError::Read(..) | PackError::Name(_) => Failure::new(Exit::Unreadable, error.to_string()),
        PackError::Write(WriteError::Io(error)) => Failure::of_output(&output.display().to_string(), error),
        PackError::Write(error) => Failure::new(Exit::Usage, error.to_string()),
        _ => Failure::new(Exit::NotWritable, error.to_string()),
    }
}
