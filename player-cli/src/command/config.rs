//! `usampler config`: where the user's settings and adjustments are, and what is in force.

use directories::ProjectDirs;

use crate::args::ConfigArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::Settings;

/// Prints the paths and the settings.
///
/// # Errors
/// If the settings make no sense or the output cannot be written.
pub fn run(args: &ConfigArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let settings = Settings::read()?;
    let (Some(path), Some(folders)) = (settings.path(), ProjectDirs::from("", "", "usampler")) else {
        return Err(Failure::new(Exit::Partly, "this user has no home, so there are no settings"));
    };
    if args.path {
        writeln!(console.out(), "{}", path.display())?;
        return Ok(Exit::Done);
    }
    let there = if path.exists() { "" } else { "  (not there)" };
    writeln!(console.out(), "settings     {}{there}", path.display())?;
    writeln!(console.out(), "adjustments  {}", folders.data_dir().join("sounds").display())?;
    let text = settings.text();
    if text.is_empty() {
        writeln!(console.out(), "\nno settings; a file with these lines would make two defaults:\n")?;
        writeln!(console.out(), "[jam]\nvoices = 128\n\n[render]\nbits = \"24\"")?;
    } else {
        write!(console.out(), "\n{text}")?;
    }
    Ok(Exit::Done)
}
