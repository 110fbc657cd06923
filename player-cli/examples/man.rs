//! Writes the manual, a page for the program and one for each command:
//!
//! ```text
//! $ cargo run --locked --package usampler-cli --example man -- ~/.local/share/man/man1
//! ```

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs, iter};

use clap::CommandFactory as _;
use clap_mangen::Man;
use exporter::{OutputError, OutputFile, Overwrite};
use player_cli::args::Cli;

/// Writes the pages into a folder; returns their paths.
///
/// # Errors
/// If the folder or a page cannot be written, or one is there and may not be overwritten; then nothing is written.
pub(crate) fn write_pages(folder: &Path, overwrite: &Overwrite) -> Result<Vec<PathBuf>, OutputError> {
    let mut program = Cli::command();
    // Gives each command its whole name, and the options that are valid everywhere.
    program.build();
    // The page of `help` would repeat the others.
    let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
    let pages: Vec<Man> =
        iter::once(&program).chain(commands).map(|command| Man::new(command.clone())).collect();
    let failed = |path: &Path, error| OutputError::Io { label: path.display().to_string(), error };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let paths: Vec<PathBuf> = pages.iter().map(|page| folder.join(page.get_filename())).collect();
    paths.iter().try_for_each(|path| overwrite.check(path))?;
    for (page, path) in pages.iter().zip(&paths) {
        let mut output = OutputFile::create(path, overwrite)?;
        let mut text = Vec::new();
        let rendered = page.render(&mut text).and_then(|()| output.write_all(&text));
        rendered.map_err(|error| failed(path, error))?;
        output.publish(&mut io::sink())?;
    }
    Ok(paths)
}

fn main() -> Result<(), String> {
    let args: Vec<_> = env::args_os().skip(1).collect();
    let args: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
    let (folder, is_forced) = match args[..] {
        [folder] => (folder, false),
        [folder, option] if option == "--force" => (folder, true),
        _ => return Err("man DIR [--force]".to_owned()),
    };
    let pages =
        write_pages(folder.as_ref(), &Overwrite::forced(is_forced)).map_err(|error| error.to_string())?;
    pages.iter().for_each(|page| println!("{}", page.display()));
    Ok(())
}
