//! `usampler man`: the manual, a page for the program and one for each command.

use std::fs;
use std::io::Write as _;

use clap::CommandFactory as _;

use crate::args::{Cli, Man};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use exporter::{OutputFile, Overwrite};

/// Writes the pages and prints their names.
///
/// # Errors
/// [`Exit::NotWritable`] if the folder or a page cannot be written, or one is there; then nothing is written.
pub fn run(args: &Man, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    // Gives each command its whole name, and the options that are valid everywhere.
    command.build();
    let pages: Vec<_> =
        std::iter::once(&command).chain(command.get_subcommands().filter(is_ours)).map(page).collect();
    let label = args.folder.display().to_string();
    fs::create_dir_all(&args.folder).map_err(|error| Failure::of_output(&label, &error))?;
    let paths = pages.iter().map(|page| args.folder.join(page.get_filename()));
    let overwrite = Overwrite::forced(args.force);
    paths.clone().try_for_each(|path| overwrite.check(&path))?;
    for (page, path) in pages.iter().zip(paths) {
        let mut output = OutputFile::create(&path, &overwrite)?;
        let mut text = Vec::new();
        let rendered = page.render(&mut text).and_then(|()| output.write_all(&text));
        rendered.map_err(|error| Failure::of_output(output.label(), &error))?;
        output.publish(&mut std::io::sink())?;
        writeln!(console.out(), "{}", path.display())?;
    }
    Ok(Exit::Done)
}

/// Returns whether a command is more than `help`, which prints the same as the pages.
fn is_ours(command: &&clap::Command) -> bool {
    command.get_name() != "help"
}

fn page(command: &clap::Command) -> clap_mangen::Man {
    clap_mangen::Man::new(command.clone())
}
