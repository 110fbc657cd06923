//! What is offered for words that come from files: names of sounds, and paths.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::ValueHint;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _};
use directories::BaseDirs;
use exporter::filename::steers_text;
use modkit::select::selectors;

use crate::args::{Cli, InputArgs};
use crate::input::{self, InputFile};
use crate::view::printable;

/// Returns the program's command line, where a SOUND is one of those in the FILE among the words, and a path one that a
/// shell can have as a word.
pub(super) fn command(words: &[OsString]) -> clap::Command {
    let command = with_paths(Cli::command());
    let lenient = Cli::command().ignore_errors(true).try_get_matches_from(words).ok();
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

/// Offers paths wherever one is expected, in subcommands too.
fn with_paths(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| match arg.get_value_hint() {
        ValueHint::AnyPath => arg.add(ArgValueCompleter::new(paths)),
        _ => arg,
    });
    command.mut_subcommands(with_paths)
}

/// Returns the paths that begin with what was typed. A name with a line end or another control is left out, and one
/// that begins as an option, a home folder, a comment or an input that is no file gets its folder in front.
fn paths(typed: &OsStr) -> Vec<CompletionCandidate> {
    const FIRST: [char; 5] = ['-', '~', '#', '=', '@'];
    let typed = typed.to_string_lossy();
    let found = PathCompleter::any().complete(OsStr::new(&*typed));
    let found = found.into_iter().filter_map(|candidate| {
        let path = candidate.get_value().to_str().filter(|path| !path.contains(steers_text))?;
        let is_misread = path.starts_with(FIRST) || input::is_special(path);
        if !is_misread || typed.starts_with(FIRST) {
            return Some(candidate);
        }
        Some(CompletionCandidate::new(format!("./{path}")).hide(candidate.is_hide_set()))
    });
    found.collect()
}

/// Returns the sounds of a file that begin with what was typed.
fn sounds(input: &InputArgs, typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy().to_lowercase();
    // Nothing comes in while one types.
    if input.file.as_os_str() == "-" {
        return Vec::new();
    }
    let Ok(input) = InputFile::open(&at_home(&input.file), &input.reading) else { return Vec::new() };
    let Ok(package) = input.to_play() else { return Vec::new() };
    let begins = |text: &str| text.to_lowercase().starts_with(&typed);
    selectors(package.sounds())
        .filter(|(sound, word)| begins(word) || begins(&sound.object.name))
        .map(|(sound, word)| {
            let is_number = word.starts_with('#');
            let help = is_number.then(|| printable(&sound.path()).into());
            CompletionCandidate::new(word).help(help)
        })
        .collect()
}

/// Returns a path as the shell will have it: words come as they were typed.
fn at_home(path: &Path) -> PathBuf {
    let below = path.strip_prefix("~").ok().zip(BaseDirs::new());
    below.map_or_else(|| path.to_owned(), |(below, folders)| folders.home_dir().join(below))
}
