//! `usampler asset cat`: the bytes of an entry.

use std::fmt::Display;
use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;

use exporter::{DiskSpace, OutputFile, Overwrite};
use modkit::resolve::{Wanted, resolve};
use modkit::{CopyError, copy};
use unreal::Source;

use super::{MountedGame, open, wording};
use crate::args::AssetCat;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::view::text;
use crate::{game, interrupt};

/// Bytes that show whether an entry is text.
const HEAD: u64 = 4096;

/// Writes an entry to standard output, or to a file.
///
/// # Errors
/// If there is no such entry, it cannot be read, the output cannot be written, or is a terminal and the entry no text.
pub(super) fn cat(
    args: &AssetCat,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let MountedGame { mount, exit, files } = open(&args.game, threads, console)?;
    let entry = resolve(&mount, &args.path, Wanted::Entry);
    let entry = entry.map_err(|error| wording::unresolved(&error, &args.game.file))?;
    let label = mount.label(entry);
    let keys = game::keys(&args.game.cipher)?;
    let unreadable = |why: &dyn Display| Failure::new(Exit::Unreadable, format!("{label}: {why}"));
    let unread = |error: &io::Error| match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(inner) => unreadable(&game::why(inner, &keys)),
        None => unreadable(&reason(error)),
    };
    let Some(container) = mount.container(entry) else { return Err(unreadable(&"it is not there")) };
    let source = container.open(entry.entry).map_err(|error| unreadable(&game::why(&error, &keys)))?;
    let report = |_| interrupt::check().is_ok();
    let Some(output) = &args.output else {
        if io::stdout().is_terminal() && !is_text(&*source).map_err(|error| unread(&error))? {
            let message = format!("{label} is binary, and standard output a terminal");
            return Err(Failure::new(Exit::Usage, message).hint("-o FILE writes a file; a pipe takes it too"));
        }
        let copied = copy(&*source, console.out(), &report);
        interrupt::check()?;
        copied.map_err(|error| match error {
            CopyError::Write(error) => Failure::from(error),
            CopyError::Read(error) => unread(&error),
            error => unreadable(&error),
        })?;
        return Ok(exit);
    };
    let overwrite = game::kept(Overwrite::forced(args.force), files);
    let mut file = OutputFile::create_with_folders(output, &overwrite)?;
    if let Some(path) = file.target() {
        let space = DiskSpace { stored: container.file_len(), allows_flood: args.large };
        let checked = space.check(path.parent().unwrap_or(path), source.len());
        checked.map_err(|error| Failure::of_space(&label, &error))?;
    }
    let copied = copy(&*source, &mut file, &report);
    interrupt::check()?;
    copied.map_err(|error| match error {
        CopyError::Write(error) => Failure::of_output(&output.display().to_string(), &error),
        CopyError::Read(error) => unread(&error),
        error => unreadable(&error),
    })?;
    file.publish(console.out())?;
    if output.as_os_str() != "-" {
        console.say(format_args!("{} written, {}", output.display(), text::size(source.len())));
    }
    Ok(exit)
}

/// Returns whether an entry can be shown on a terminal: its first bytes are UTF-8 without control characters.
fn is_text(source: &dyn Source) -> io::Result<bool> {
    let mut head = vec![0; usize::try_from(source.len().min(HEAD)).unwrap_or_default()];
    source.read_at(0, &mut head)?;
    let text = match str::from_utf8(&head) {
        Ok(text) => text,
        // A character may be cut off at the end.
        Err(error) if error.error_len().is_none() => {
            str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return Ok(false),
    };
    Ok(!text.chars().any(|character| character.is_control() && !matches!(character, '\t' | '\n' | '\r')))
}
