//! The program `usampler`: Unreal packages as instruments, from the command line. A library so that its parts can be
//! tested; `main.rs` only calls [`run`].
//!
//! ```text
//! args ─► command/ ─┬─► walk, ordered     folders: many packages at once, reported in their order
//!                   ├─► input, select     which package, which sound
//!                   ├─► import            sounds decoded, with progress
//!                   └─► view/             results as text or JSON
//! ```
#![forbid(unsafe_code)]

pub mod args;
pub mod command;
pub mod console;
pub mod exit;
pub mod failure;
pub mod game;
pub mod import;
pub mod input;
pub mod interrupt;
mod memory;
pub mod select;
pub mod settings;
pub mod view;

use std::ffi::OsString;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Once;
use std::{panic, thread};

use clap::error::ContextKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser as _};

use args::{Cli, NoteArgs, Play, ProgramCommand, Render, aliases};
use console::{Console, ConsoleScreen};
use exit::Exit;
use failure::Failure;
use settings::Settings;

/// Runs the program with its arguments, the program's own name first.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Exit {
    let args: Vec<OsString> = args.into_iter().collect();
    if let Some(answered) = command::completions::answer(&args, &mut std::io::stdout()) {
        return answered.unwrap_or_else(|failure| fail(&failure));
    }
    let cli = match parse(args) {
        Ok(Ok(cli)) => cli,
        Err(failure) => return fail(&failure),
        Ok(Err(error)) => {
            // Help and version are what was asked for; clap knows where each is printed.
            let printed = error.print();
            return match (error.use_stderr(), printed) {
                (true, _) => Exit::Usage,
                (false, Ok(())) => Exit::Done,
                (false, Err(error)) => Failure::from(error).exit,
            };
        }
    };
    keep_caught_panics_quiet();
    let mut screen = ConsoleScreen::new(&cli.output);
    let mut console = Console::new(&mut screen, cli.output);
    let ended = dispatch(cli.command, &mut console);
    console.end_progress();
    // What was printed before a failure is the user's too.
    let flushed = console.out().flush().map_err(Failure::from);
    match (ended, flushed) {
        (Ok(exit), Ok(())) => exit,
        (Err(failure), _) | (Ok(_), Err(failure)) => {
            console.fail(&failure);
            failure.exit
        }
    }
}

/// Prints a failure before there is a console.
fn fail(failure: &Failure) -> Exit {
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(std::io::stderr(), "{failure}");
    failure.exit
}

/// Reads a command line, with the user's settings where nothing was typed.
fn parse(args: Vec<OsString>) -> Result<Result<Cli, clap::Error>, Failure> {
    let read = |args: &[OsString]| Cli::command().try_get_matches_from(args);
    let (args, matches) = match read(&args) {
        Ok(matches) => (args, Ok(matches)),
        Err(error) => match aliases::expanded(&args, &error).or_else(|| with_command(&args, &error)) {
            Some(args) => {
                let matches = read(&args);
                (args, matches)
            }
            None => (args, Err(error)),
        },
    };
    let matches = match matches {
        Ok(matches) => matches,
        Err(error) => return aliases::advice(&args, &error).map_or(Ok(Err(error)), Err),
    };
    // What shows or mends the settings works whatever they say.
    if matches.subcommand_name().is_none_or(|name| matches!(name, "config" | "completions" | "licenses")) {
        return Ok(Cli::from_arg_matches(&matches));
    }
    let mut program = Cli::command();
    program.build();
    let args = Settings::read()?.fill(&program, &matches, &args)?;
    let typed = NoteArgs::typed_in(&matches);
    Ok(Cli::try_parse_from(args).map(|mut cli| {
        if let Some(ProgramCommand::Play(Play { note, .. }) | ProgramCommand::Render(Render { note, .. })) =
            &mut cli.command
        {
            note.typed = typed;
        }
        cli
    }))
}

/// Returns a command line that names a file where a command is expected with the command that opens it.
fn with_command(args: &[OsString], error: &clap::Error) -> Option<Vec<OsString>> {
    let named = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
    let is_file = |name: &String| {
        input::is_special(name)
            || Path::new(name).exists()
            || name.contains(['.', '/', std::path::MAIN_SEPARATOR])
    };
    if !named.is_some_and(|name| is_file(&name)) {
        return None;
    }
    let command = if command::welcome::is_on_terminal() { "jam" } else { "list" };
    let (program, rest) = args.split_at(1.min(args.len()));
    Some(program.iter().chain([&command.into()]).chain(rest).cloned().collect())
}

fn dispatch(command: Option<ProgramCommand>, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    match command {
        Some(ProgramCommand::Info(args)) => command::info::run(&args, threads, console),
        Some(ProgramCommand::List(args)) => command::list::run(&args, threads, console),
        Some(ProgramCommand::Extract(args)) => command::extract::run(&args, threads, console),
        Some(ProgramCommand::Pattern(args)) => command::pattern::run(&args, console),
        Some(ProgramCommand::Play(args)) => command::play::run(&args, console),
        Some(ProgramCommand::Render(args)) => command::render::run(&args, console),
        Some(ProgramCommand::Jam(args)) => command::jam::run(&args, console),
        Some(ProgramCommand::Replace(args)) => command::replace::run(&args, threads, console),
        Some(ProgramCommand::Asset(args)) => command::asset::run(&args, threads, console),
        Some(ProgramCommand::Bench(args)) => command::bench::run(&args, console),
        Some(ProgramCommand::Devices(args)) => command::devices::run(&args, console),
        Some(ProgramCommand::Completions(args)) => command::completions::run(&args, console),
        Some(ProgramCommand::Page(args)) => command::page::run(&args, console),
        Some(ProgramCommand::Licenses) => command::licenses::run(console),
        Some(ProgramCommand::Config(args)) => command::config::run(&args, console),
        None => command::welcome::run(console),
    }
}

/// A decoder that stumbles over a payload is reported as damage of that sound; the panic itself is not printed.
fn keep_caught_panics_quiet() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !unreal::is_guarded() {
                report(info);
            }
        }));
    });
}
