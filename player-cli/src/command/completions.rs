//! `usampler completions`: what makes a shell complete the command line, the names of sounds included.
//!
//! The script that a shell is given asks the program for each word, with [`VARIABLE`] set to the shell's name. Names of
//! files and sounds are other people's: zsh, fish and elvish quote what they insert, for bash and PowerShell it is
//! quoted here.

mod bash;
mod candidates;
mod powershell;

use std::env;
use std::ffi::OsString;
use std::io::Write;

use clap::CommandFactory as _;
use clap_complete::aot::Shell;
use clap_complete::env::Shells;

use crate::args::{Cli, Completions};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// Set by the script of a shell when it asks for completions.
pub const VARIABLE: &str = "USAMPLER_COMPLETE";

/// Prints the shell's script.
///
/// # Errors
/// Those of the output.
pub fn run(args: &Completions, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let name = Cli::command().get_name().to_owned();
    let mut script = Vec::new();
    if args.shell == Shell::Bash {
        bash::write_script(VARIABLE, &name, &mut script)?;
    } else {
        let shells = Shells::builtins();
        let shell = shells.completer(&args.shell.to_string());
        let shell =
            shell.ok_or_else(|| Failure::new(Exit::Usage, format!("no completions for {}", args.shell)))?;
        shell.write_registration(VARIABLE, &name, &name, &name, &mut script)?;
    }
    if args.shell == Shell::Zsh {
        // With their quotes the words of a line are no names of files.
        script = String::from_utf8_lossy(&script).replace("${words[@]}", "${(@Q)words}").into_bytes();
    }
    console.out().write_all(&script)?;
    Ok(Exit::Done)
}

/// Prints what could follow the words that a shell has, if it asks for that.
///
/// # Errors
/// Those of the output, and [`Exit::Usage`] for a shell that nobody knows.
pub fn answer(args: &[OsString], out: &mut dyn Write) -> Option<Result<Exit, Failure>> {
    let shell = env::var(VARIABLE).ok().filter(|shell| !shell.is_empty())?;
    let words = args.iter().skip_while(|word| *word != "--").skip(1).cloned().collect();
    Some(complete(&shell, words, out))
}

fn complete(shell: &str, words: Vec<OsString>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let shells = Shells::builtins();
    let unknown = || Failure::new(Exit::Usage, format!("{VARIABLE} has a shell that is not known: {shell}"));
    let shell = shells.completer(shell).ok_or_else(unknown)?;
    if words.is_empty() {
        return Err(Failure::new(
            Exit::Usage,
            format!("{VARIABLE} is set, and there are no words to complete"),
        ));
    }
    let folder = env::current_dir().ok();
    let folder = folder.as_deref();
    let mut answer = Vec::new();
    match (shell.name(), &words[..]) {
        ("bash", [line, replaced]) => {
            if let (Some(line), Some(replaced)) = (line.to_str(), replaced.to_str()) {
                let mut command = candidates::command(&bash::words(line));
                bash::write_candidates(&mut command, line, replaced, folder, &mut answer)?;
            }
        }
        // The script of an earlier version, which inserts names unquoted.
        ("bash", _) => {}
        ("powershell", _) => {
            let mut command = candidates::command(&words);
            powershell::write_candidates(&mut command, words, folder, &mut answer)?;
        }
        // These quote what they insert.
        _ => shell.write_complete(&mut candidates::command(&words), words, folder, &mut answer)?,
    }
    out.write_all(&answer)?;
    Ok(Exit::Done)
}
