//! The user's settings: defaults of options, in a TOML file with a table for each command.
//!
//! ```toml
//! [all]
//! color = "never"
//!
//! [jam]
//! voices = 128
//! keyboard = "qwertz"
//! ```
//!
//! A setting stands for an option that is not typed. What is no option of a command is an error, never ignored.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use directories::ProjectDirs;
use importer::read_regular_text;
use toml::{Table, Value};

use crate::exit::Exit;
use crate::failure::{Failure, reason};

/// The table of options that every command has.
const ALL: &str = "all";

/// Bytes of the settings; every option there is takes a few thousand.
const MAX_BYTES: u64 = 1 << 20;

/// The settings, and where they are.
#[derive(Debug, Default)]
pub struct Settings {
    path: Option<PathBuf>,
    /// By command, then by option.
    tables: Table,
}

impl Settings {
    /// Reads the settings; there are none where there is no file.
    ///
    /// # Errors
    /// [`Exit::Usage`] for a file that is no TOML, or cannot be read.
    pub fn read() -> Result<Self, Failure> {
        let folders = ProjectDirs::from("", "", "usampler");
        let Some(path) = folders.map(|folders| folders.config_dir().join("config.toml")) else {
            return Ok(Self::default());
        };
        let text = match read_regular_text(&path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                let message = format!("cannot read {}: {}", path.display(), reason(&error));
                return Err(Failure::new(Exit::Usage, message));
            }
        };
        let tables = text.parse().map_err(|error: toml::de::Error| {
            Failure::new(Exit::Usage, format!("{}: {}", path.display(), error.message()))
        })?;
        Ok(Self { path: Some(path), tables })
    }

    /// Returns where the settings are, whether or not there are any.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns all settings as TOML; empty if there are none.
    #[must_use]
    pub fn text(&self) -> String {
        self.tables.to_string()
    }

    /// Returns a command line with the settings of its command put in where nothing was typed.
    ///
    /// # Errors
    /// [`Exit::Usage`] for a setting that is no option of its command.
    pub fn fill(
        &self,
        program: &Command,
        matches: &ArgMatches,
        args: &[OsString],
    ) -> Result<Vec<OsString>, Failure> {
        self.check(program)?;
        let mut args = args.to_vec();
        let Some((name, own)) = matches.subcommand() else { return Ok(args) };
        let (Some(command), Some(at)) =
            (program.find_subcommand(name), args.iter().position(|arg| arg.as_os_str() == name))
        else {
            return Ok(args);
        };
        let tables = [name, ALL].map(|table| self.tables.get(table).and_then(Value::as_table));
        let mut wanted = Vec::new();
        for (option, value) in tables.into_iter().flatten().flatten() {
            let argument = command.get_arguments().find(|argument| argument.get_long() == Some(option));
            let Some(argument) = argument else { continue };
            let is_typed = own.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine);
            if !is_typed && !wanted.iter().any(|(before, _)| before == option) {
                wanted.push((option.clone(), value));
            }
        }
        let typed = wanted.into_iter().filter_map(|(option, value)| match value {
            Value::Boolean(false) => None,
            Value::Boolean(true) => Some(format!("--{option}")),
            Value::String(text) => Some(format!("--{option}={text}")),
            other => Some(format!("--{option}={other}")),
        });
        args.splice(at + 1..=at, typed.map(OsString::from));
        Ok(args)
    }

    /// # Errors
    /// [`Exit::Usage`] for the first table or setting that no command has.
    fn check(&self, program: &Command) -> Result<(), Failure> {
        let path = self.path.as_deref().unwrap_or(Path::new("")).display();
        for (name, table) in &self.tables {
            let commands: Vec<&Command> = match name.as_str() {
                ALL => program.get_subcommands().collect(),
                name => program.find_subcommand(name).into_iter().collect(),
            };
            let Some(table) = table.as_table().filter(|_| !commands.is_empty()) else {
                let message =
                    format!("{path}: [{name}] is no command; settings stand in tables such as [jam]");
                return Err(Failure::new(Exit::Usage, message));
            };
            for option in table.keys() {
                let has = |command: &&Command| {
                    command.get_arguments().any(|argument| argument.get_long() == Some(option))
                };
                if !commands.iter().any(has) {
                    let message = format!("{path}: [{name}] has no option {option}");
                    return Err(Failure::new(Exit::Usage, message));
                }
            }
        }
        Ok(())
    }
}
