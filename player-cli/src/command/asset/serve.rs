//! `usampler asset serve`: requests and answers, each a line of JSON.

mod streams;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, BufRead, Read as _, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};
use exporter::ordered::OutputStreams;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::args::{AssetCommand, Cli, Command, aliases};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::view::json;

/// Bytes of a request.
const MAX_LINE: u64 = 64 << 20;

#[derive(Deserialize)]
struct Request<'r> {
    #[serde(borrow, default)]
    id: Option<&'r RawValue>,
    args: Vec<String>,
}

#[derive(Serialize)]
struct Answer<'r> {
    id: Option<&'r RawValue>,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Problem>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<String>,
}

#[derive(Serialize)]
struct Problem {
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hints: Vec<String>,
    code: u8,
}

impl Problem {
    fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { message: message.into(), hints: Vec::new(), code: exit as u8 }
    }
}

/// What a command prints, in memory.
#[derive(Default)]
struct Captured {
    out: Vec<u8>,
    messages: Vec<String>,
}

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OutputStreams for Captured {
    fn message(&mut self, text: &str) {
        self.messages.push(text.to_owned());
    }
}

/// Answers requests until there are no more.
///
/// # Errors
/// If standard input cannot be read, or standard output not be written.
pub(super) fn serve(threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut input = io::stdin().lock();
    loop {
        interrupt::check()?;
        let mut line = Vec::new();
        let failed =
            |error: io::Error| Failure::new(Exit::Unreadable, format!("cannot read requests: {error}"));
        input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line).map_err(failed)?;
        if line.is_empty() {
            return Ok(Exit::Done);
        }
        if line.len() as u64 > MAX_LINE && line.last() != Some(&b'\n') {
            skip_line(&mut input).map_err(failed)?;
            let error = Problem::new(Exit::Usage, "the request is longer than 64 MiB");
            let (id, messages) = (None, Vec::new());
            json::print(
                console.out(),
                &Answer { id, ok: false, result: None, error: Some(error), messages },
            )?;
            console.out().flush()?;
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let request: Result<Request<'_>, serde_json::Error> = serde_json::from_slice(&line);
        let answer = match &request {
            Ok(request) => {
                let mut captured = Captured::default();
                let done = answer(&request.args, threads, &mut captured);
                let messages = captured.messages;
                match done {
                    Ok(result) => {
                        Answer { id: request.id, ok: true, result: Some(result), error: None, messages }
                    }
                    Err(error) => {
                        Answer { id: request.id, ok: false, result: None, error: Some(error), messages }
                    }
                }
            }
            Err(error) => {
                let error = Problem::new(Exit::Usage, format!("not a request: {error}"));
                Answer { id: None, ok: false, result: None, error: Some(error), messages: Vec::new() }
            }
        };
        json::print(console.out(), &answer)?;
        console.out().flush()?;
    }
}

/// Passes over what is left of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let (taken, is_end) = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (bytes.len(), bytes.is_empty()),
        };
        input.consume(taken);
        if is_end {
            return Ok(());
        }
    }
}

/// Does what is asked, and returns what there is to say.
fn answer(
    args: &[String],
    threads: NonZeroUsize,
    captured: &mut Captured,
) -> Result<serde_json::Value, Problem> {
    let words = ["usampler", "asset"].into_iter().map(OsString::from);
    let words: Vec<OsString> = words.chain(args.iter().map(OsString::from)).collect();
    let matches = Cli::command().try_get_matches_from(&words);
    let matches = matches.or_else(|error| match aliases::expanded(&words, &error) {
        Some(words) => Cli::command().try_get_matches_from(words),
        None => Err(error),
    });
    let unparsed = |error: clap::Error| {
        let text = error.to_string();
        Problem::new(Exit::Usage, text.trim().trim_start_matches("error: "))
    };
    let matches = matches.map_err(unparsed)?;
    let parsed = Cli::from_arg_matches(&matches).map_err(unparsed)?;
    if let Some(stream) = own_stream(&matches) {
        let message = format!("{stream} is where requests and answers go");
        return Err(Problem::new(Exit::Usage, message));
    }
    let Cli { command: Some(Command::Asset(mut asset)), output, .. } = parsed else {
        return Err(Problem::new(Exit::Usage, "no command of `usampler asset`"));
    };
    let is_list = prepare(&mut asset.command)?;
    let mut console = Console::new(captured, output);
    let exit = super::run(&asset, threads, &mut console).map_err(|failure| Problem {
        hints: failure.hints.clone(),
        ..Problem::new(failure.exit, failure.message)
    })?;
    let text = String::from_utf8_lossy(&captured.out);
    let rows = text.lines().map(serde_json::from_str::<serde_json::Value>);
    let mut result = match rows.collect::<Result<Vec<_>, _>>() {
        Ok(mut rows) if rows.len() == 1 && is_list == Some(false) => rows.remove(0),
        Ok(rows) if is_list.is_some() => rows.into(),
        _ => serde_json::json!({ "text": text.trim_end() }),
    };
    if exit != Exit::Done
        && let Some(object) = result.as_object_mut()
    {
        object.insert("code".to_owned(), (exit as u8).into());
    }
    Ok(result)
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

/// Makes a command print JSON, if it can; returns whether that is a list by nature, none if it prints text. What would
/// mix up the answers is refused.
fn prepare(command: &mut AssetCommand) -> Result<Option<bool>, Problem> {
    let refused = |what: &str| Err(Problem::new(Exit::Usage, format!("{what} is not for requests")));
    let is_stdout = |path: &Path| path.as_os_str() == "-";
    Ok(match command {
        AssetCommand::Serve(_) => return refused("serve"),
        AssetCommand::Cat(_) => return refused("cat"),
        AssetCommand::Json(args) if is_stdout(&args.output) => return refused("-o -"),
        AssetCommand::FromJson(args) if is_stdout(&args.output) => return refused("-o -"),
        AssetCommand::Pack(args) if is_stdout(&args.output) => return refused("-o -"),
        AssetCommand::Niagara(args) if args.output.as_deref().is_some_and(is_stdout) => {
            return refused("-o -");
        }
        AssetCommand::Mesh(args) if args.output.as_deref().is_some_and(is_stdout) => return refused("-o -"),
        AssetCommand::Ls(args) => {
            args.json = true;
            Some(true)
        }
        AssetCommand::Scripts(args) => {
            args.json = true;
            Some(true)
        }
        AssetCommand::Show(args) => {
            args.json = true;
            Some(false)
        }
        AssetCommand::Niagara(args) if args.set.is_none() => {
            args.json = true;
            Some(false)
        }
        AssetCommand::Mesh(args) if args.output.is_none() => {
            args.json = true;
            Some(false)
        }
        _ => None,
    })
}
