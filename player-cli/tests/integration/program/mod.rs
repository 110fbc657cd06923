//! Runs the program and keeps what it said.
#![allow(dead_code, reason = "each story uses its own part")]

pub(crate) mod bench;

use std::io::Write as _;
use std::process::{Command, Stdio};

/// How a run ended and what it printed.
pub(crate) struct Run {
    line: String,
    code: Option<i32>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Returns the program with arguments, nothing on its input, and no wants from the environment.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_usampler"));
    command.args(args).stdin(Stdio::null()).env_remove("NO_COLOR");
    // Nothing of the user's own settings, and nothing kept for the next test, not even by the system's administrator.
    command.env("XDG_CONFIG_HOME", "/nonexistent").env("XDG_DATA_HOME", "/dev/null/data");
    command
}

/// Returns a text in which paths are as this system does not write them, with slashes.
pub(crate) fn with_slashes(text: &str) -> String {
    text.replace(std::path::MAIN_SEPARATOR, "/")
}

pub(crate) fn usampler(args: &[&str]) -> Run {
    Run::of(args, &[])
}

impl Run {
    pub(crate) fn of(args: &[&str], input: &[u8]) -> Self {
        Self::spawned(&args.join(" "), command(args), input)
    }

    /// Runs a command that was made ready; `line` is what to call it.
    pub(crate) fn spawned(line: &str, mut command: Command, input: &[u8]) -> Self {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A program that does not read its input closes it.
        let _ = stdin.write_all(input);
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        Self {
            line: format!("usampler {line}"),
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8(output.stderr).unwrap(),
            bytes: output.stdout,
        }
    }

    #[track_caller]
    pub(crate) fn ends_with(&self, code: i32) {
        assert_eq!(self.code, Some(code), "{}\n{}{}", self.line, self.out, self.err);
    }
}
