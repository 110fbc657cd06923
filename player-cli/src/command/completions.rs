//! `usampler completions`: what makes a shell complete the command line, the names of sounds included.
//!
//! The script that a shell is given asks the program for each word, with [`VARIABLE`] set to the shell's name.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::Shells;
use directories::BaseDirs;

use crate::args::{Cli, Completions, InputArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;

/// Set by the script of a shell when it asks for completions.
pub const VARIABLE: &str = "USAMPLER_COMPLETE";

/// Prints the shell's script.
///
/// # Errors
/// Those of the output.
pub fn run(args: &Completions, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let name = Cli::command().get_name().to_owned();
    let shells = Shells::builtins();
    let shell = shells.completer(&args.shell.to_string());
    let shell =
        shell.ok_or_else(|| Failure::new(Exit::Usage, format!("no completions for {}", args.shell)))?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, &name, &name, &name, &mut script)?;
    console.out().write_all(&script)?;
    Ok(Exit::Done)
}

/// Prints what could follow the words that a shell has, if it asks for that.
///
/// # Errors
/// Those of the output, and [`Exit::Usage`] for a shell that nobody knows.
pub fn answer(args: &[OsString], out: &mut dyn std::io::Write) -> Option<Result<Exit, Failure>> {
    let shell = env::var(VARIABLE).ok().filter(|shell| !shell.is_empty())?;
    let words = args.iter().skip_while(|word| *word != "--").skip(1).cloned().collect();
    Some(complete(&shell, words, out))
}

fn complete(shell: &str, words: Vec<OsString>, out: &mut dyn std::io::Write) -> Result<Exit, Failure> {
    let shells = Shells::builtins();
    let unknown = || Failure::new(Exit::Usage, format!("{VARIABLE} has a shell that is not known: {shell}"));
    let shell = shells.completer(shell).ok_or_else(unknown)?;
    if words.is_empty() {
        return Err(Failure::new(
            Exit::Usage,
            format!("{VARIABLE} is set, and there are no words to complete"),
        ));
    }
    let mut command = with_sounds(&words);
    command.build();
    let mut answer = Vec::new();
    shell.write_complete(&mut command, words, env::current_dir().ok().as_deref(), &mut answer)?;
    out.write_all(&answer)?;
    Ok(Exit::Done)
}

/// Returns the program's command line, where a SOUND is one of those in the FILE among the words.
fn with_sounds(words: &[OsString]) -> clap::Command {
    let command = Cli::command();
    let lenient = command.clone().ignore_errors(true).try_get_matches_from(words).ok();
    let Some((name, matches)) = lenient.as_ref().and_then(ArgMatches::subcommand) else { return command };
    let takes_sound = command
        .find_subcommand(name)
        .is_some_and(|subcommand| subcommand.get_arguments().any(|arg| arg.get_id() == "sound"));
    if !takes_sound {
        return command;
    }
    let Ok(input) = InputArgs::from_arg_matches(matches) else { return command };
    let sounds = move |typed: &OsStr| sounds(&input, typed);
    command.mut_subcommand(name, |subcommand| {
        subcommand.mut_arg("sound", |arg| arg.add(ArgValueCompleter::new(sounds)))
    })
}

/// Returns the sounds of a file that begin with what was typed: by name where only one has it, otherwise with group.
fn sounds(input: &InputArgs, typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy().to_lowercase();
    // Nothing comes in while one types.
    if input.file.as_os_str() == "-" {
        return Vec::new();
    }
    let Ok(input) = Input::open(&at_home(&input.file), &input.reading) else { return Vec::new() };
    let Ok(package) = input.to_play() else { return Vec::new() };
    let sounds = package.sounds();
    let mut counts = std::collections::HashMap::new();
    for sound in sounds {
        *counts.entry(sound.object.name.to_lowercase()).or_insert(0) += 1;
    }
    let names = sounds.iter().map(|sound| {
        let name = &sound.object.name;
        if counts.get(&name.to_lowercase()) == Some(&1) { name.to_string() } else { sound.path() }
    });
    names.filter(|name| name.to_lowercase().starts_with(&typed)).map(CompletionCandidate::new).collect()
}

/// Returns a path as the shell will have it: words come as they were typed.
fn at_home(path: &Path) -> PathBuf {
    let below = path.strip_prefix("~").ok().zip(BaseDirs::new());
    below.map_or_else(|| path.to_owned(), |(below, folders)| folders.home_dir().join(below))
}
