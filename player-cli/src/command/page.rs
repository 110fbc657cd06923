//! `usampler page`: the page of a browser, with a package inside if that is wanted.

use std::fs;
use std::io::Write as _;

use exporter::{OutputFile, Overwrite};
use player::text::size;
use web::page::{self, BUILD};

use crate::args::PageArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// Writes it.
///
/// # Errors
/// [`Exit::Usage`] if the program was built without it, and those of both files.
pub fn run(args: &PageArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let Some(page) = page::page() else {
        let failure = Failure::new(Exit::Usage, "this program was built without the page");
        return Err(failure.hint(format!("in the repository, `{BUILD}` builds one with it")));
    };
    let unreadable = |path: &std::path::Path, error| {
        Failure::new(Exit::Unreadable, format!("{}: {error}", path.display()))
    };
    let mut text = page.to_owned();
    if let Some(path) = &args.file {
        let bytes = fs::read(path).map_err(|error| unreadable(path, error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        text = page::with_file(page, &name, &bytes).map_err(|error| unreadable(path, error))?;
    }
    let overwrite = Overwrite::forced(args.force).keeping(args.file.iter().cloned().collect());
    let mut file = OutputFile::create(&args.output, &overwrite)?;
    let failed = |error| Failure::of_output(&args.output.display().to_string(), &error);
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.publish(console.out())?;
    let size = size(text.len() as u64);
    console.say(format_args!("{} written, {size}: it opens in a browser", args.output.display()));
    Ok(Exit::Done)
}
