//! `usampler asset serve`: requests and answers, each a line of JSON. What is asked follows the command line.

mod streams;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};
use exporter::ordered::OutputStreams;
use importer::open::Disk;
use modkit::serve::{
    FrontEnd, PackageChoice, Problem, ReportKind, ReportMessage, ReportRequest, RequestError, ServeError,
    Server, ServerRequest, WorkDone,
};
use unreal::KeyRing;

use super::{filter, wording};
use crate::args::{
    AssetArgs, AssetCommand, Cli, GameArgs, OutputArgs, PackageArgs, ProgramCommand, ReadingArgs, aliases,
};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{game, interrupt};

/// Answers requests until there are no more.
///
/// # Errors
/// If standard input cannot be read, or standard output not be written.
pub(super) fn serve(threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let budget = ReadingArgs::default().budget();
    let server = Server { files: Arc::new(Disk), threads, budget, front_end: &CommandLine { threads } };
    server.serve(&mut io::stdin().lock(), console.out()).map_err(|error| match error {
        ServeError::Interrupted => Failure::new(Exit::Interrupted, "interrupted"),
        ServeError::Write(error) => Failure::from(error),
        error => Failure::new(Exit::Unreadable, error.to_string()),
    })?;
    Ok(Exit::Done)
}

/// The command line as the front end of a server.
struct CommandLine {
    threads: NonZeroUsize,
}

impl FrontEnd for CommandLine {
    fn request(&self, args: &[String]) -> Result<ServerRequest<'_>, Problem> {
        let (asset, output) = parse(args)?;
        Ok(self.request_of(asset, output)?)
    }

    fn problem(&self, error: RequestError, report: Option<&ReportRequest<'_>>) -> Problem {
        match report {
            Some(report) => wording::failure(error, &report.file, &report.keys),
            None => wording::failure(error, Path::new(""), &KeyRing::default()),
        }
        .into()
    }

    fn remark(&self, remark: &ReportMessage<'_>, report: &ReportRequest<'_>, messages: &mut Vec<String>) {
        let mut captured = Captured { out: Vec::new(), messages };
        let output = OutputArgs { quiet: report.is_quiet, ..OutputArgs::default() };
        wording::say(remark, &report.keys, &mut Console::new(&mut captured, output));
    }

    fn partly(&self) -> u8 {
        Exit::Partly as u8
    }

    fn is_interrupted(&self) -> bool {
        interrupt::is_wanted()
    }
}

impl CommandLine {
    /// Returns the request that a command stands for. What would mix up the answers is refused.
    fn request_of(&self, asset: AssetArgs, output: OutputArgs) -> Result<ServerRequest<'_>, Failure> {
        let is_quiet = output.quiet;
        let report = |game: &GameArgs, kind| {
            let keys = game::keys(&game.cipher)?;
            Ok(ServerRequest::Report(ReportRequest { file: game.file.clone(), keys, kind, is_quiet }))
        };
        let refused = |what: &str| Err(Failure::new(Exit::Usage, format!("{what} is not for requests")));
        let written = match &asset.command {
            AssetCommand::Cat(args) => args.output.as_ref(),
            AssetCommand::Json(args) => Some(&args.output),
            AssetCommand::FromJson(args) => Some(&args.output),
            AssetCommand::Pack(args) => Some(&args.output),
            AssetCommand::Niagara(args) => args.output.as_ref(),
            AssetCommand::Mesh(args) => args.output.as_ref(),
            AssetCommand::Texture(args) => args.output.as_ref(),
            _ => None,
        };
        if written.is_some_and(|path| path.as_os_str() == "-") {
            return refused("-o -");
        }
        match &asset.command {
            AssetCommand::Serve(_) => return refused("serve"),
            AssetCommand::Cat(args) if args.output.is_none() => return refused("cat"),
            AssetCommand::Ls(args) => {
                let filter = filter(args.filter.as_deref())?;
                let kind = if args.conflicts { ReportKind::Conflicts } else { ReportKind::Entries };
                return report(&args.game, kind(filter));
            }
            AssetCommand::Scripts(args) => {
                let filter = filter(args.filter.as_deref())?;
                return report(&args.game, ReportKind::Scripts { filter, is_check: args.verify });
            }
            AssetCommand::Show(args) => {
                let choice = choice(&args.packages)?;
                return report(&args.packages.game, ReportKind::Tables(choice));
            }
            AssetCommand::Niagara(args) if args.set.is_none() => {
                let choice = choice(&args.packages)?;
                return report(&args.packages.game, ReportKind::Niagara(choice));
            }
            AssetCommand::Mesh(args) if args.output.is_none() => {
                let choice = choice(&args.packages)?;
                return report(&args.packages.game, ReportKind::Meshes(choice));
            }
            AssetCommand::Texture(args) if args.output.is_none() => {
                let choice = choice(&args.packages)?;
                return report(&args.packages.game, ReportKind::Textures(choice));
            }
            _ => {}
        }
        Ok(ServerRequest::Work(Box::new(move |messages| {
            let mut captured = Captured { out: Vec::new(), messages };
            let exit = super::run(&asset, self.threads, &mut Console::new(&mut captured, output))?;
            let text = String::from_utf8_lossy(&captured.out).trim_end().to_owned();
            Ok(WorkDone { text, code: (exit != Exit::Done).then_some(exit as u8) })
        })))
    }
}

fn choice(args: &PackageArgs) -> Result<PackageChoice, Failure> {
    let options = game::options(args.engine, args.usmap.as_deref())?;
    Ok(PackageChoice { path: args.path.clone(), options })
}

impl From<Failure> for Problem {
    fn from(Failure { exit, message, hints, .. }: Failure) -> Self {
        Self { message, hints, code: exit as u8 }
    }
}

/// Reads the arguments of a request: those that follow `usampler asset`.
fn parse(args: &[String]) -> Result<(AssetArgs, OutputArgs), Problem> {
    let usage = |message: &str| Problem::from(Failure::new(Exit::Usage, message));
    let words = ["usampler", "asset"].into_iter().map(OsString::from);
    let words: Vec<OsString> = words.chain(args.iter().map(OsString::from)).collect();
    let matches = Cli::command().try_get_matches_from(&words);
    let matches = matches.or_else(|error| match aliases::expanded(&words, &error) {
        Some(words) => Cli::command().try_get_matches_from(words),
        None => Err(error),
    });
    let unparsed = |error: clap::Error| usage(error.to_string().trim().trim_start_matches("error: "));
    let matches = matches.map_err(unparsed)?;
    let parsed = Cli::from_arg_matches(&matches).map_err(unparsed)?;
    if let Some(stream) = own_stream(&matches) {
        return Err(usage(&format!("{stream} is where requests and answers go")));
    }
    let Cli { command: Some(ProgramCommand::Asset(asset)), output, .. } = parsed else {
        return Err(usage("no command of `usampler asset`"));
    };
    Ok((asset, output))
}

/// Returns an argument that leads to the requests or to the answers; `@` stands before a file of keys.
fn own_stream(matches: &ArgMatches) -> Option<String> {
    let typed = matches.ids().filter_map(|id| matches.try_get_raw(id.as_str()).ok().flatten()).flatten();
    let found = typed.map(|value| value.to_string_lossy()).find(|value| {
        let path = Path::new(value.strip_prefix('@').unwrap_or(value));
        streams::is_own_stream(path)
    });
    let below = || matches.subcommand().and_then(|(_, below)| own_stream(below));
    found.map(Cow::into_owned).or_else(below)
}

/// The output of a command in memory.
struct Captured<'m> {
    out: Vec<u8>,
    messages: &'m mut Vec<String>,
}

impl Write for Captured<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OutputStreams for Captured<'_> {
    fn message(&mut self, text: &str) {
        self.messages.push(text.to_owned());
    }
}
