//! Names that people know from other programs for what `usampler asset` does.
//!
//! ```text
//! usampler tojson X.uasset -o x.json  ──►  usampler asset json X.uasset -o x.json
//! ```
//!
//! They are not commands: help, completions and the manual have one name for each thing.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::exit::Exit;
use crate::failure::Failure;

/// Another name of a command of `asset`.
pub struct AssetAlias {
    /// The name.
    pub name: &'static str,
    /// The words it stands for, after `usampler asset`.
    pub words: &'static [&'static str],
    /// Whether it also works without `asset` before it.
    pub is_top_level: bool,
}

const fn alias(name: &'static str, words: &'static [&'static str]) -> AssetAlias {
    AssetAlias { name, words, is_top_level: true }
}

/// Only after `asset`: without it the name is that of another command, or too general.
const fn below_asset(name: &'static str, words: &'static [&'static str]) -> AssetAlias {
    AssetAlias { name, words, is_top_level: false }
}

/// All of them.
pub const ASSET_ALIASES: &[AssetAlias] = &[
    below_asset("list", &["ls"]),
    below_asset("get", &["cat"]),
    below_asset("info", &["show"]),
    below_asset("extract", &["unpack"]),
    alias("unpack", &["unpack"]),
    alias("pack", &["pack"]),
    alias("verify", &["verify"]),
    alias("tojson", &["json"]),
    alias("to-json", &["json"]),
    alias("fromjson", &["from-json"]),
    alias("from-json", &["from-json"]),
    alias("to-zen", &["pack"]),
    alias("to-legacy", &["unpack", "--legacy"]),
];

/// Returns a command line with the command for an alias in it, if it was refused because of one.
#[must_use]
pub fn expanded(args: &[OsString], error: &clap::Error) -> Option<Vec<OsString>> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let named = error.get(ContextKind::InvalidSubcommand)?.to_string();
    let at = args.iter().position(|word| *word == *named)?;
    let (before, rest) = args.split_at(at);
    let is_below = before.iter().any(|word| word == "asset");
    let is_it = |alias: &&AssetAlias| alias.name == named && (is_below || alias.is_top_level);
    let alias = ASSET_ALIASES.iter().find(is_it)?;
    let asset = (!is_below).then_some("asset");
    let words = asset.into_iter().chain(alias.words.iter().copied()).map(OsString::from);
    Some(before.iter().cloned().chain(words).chain(rest.iter().skip(1).cloned()).collect())
}

/// Words that people type for a command, and the line that is meant.
const ADVICE: [(&[&str], &str); 8] = [
    (&["song", "songs", "music", "start", "listen"], "usampler play FILE"),
    (&["version", "ver"], "usampler --version"),
    (&["search", "find", "grep", "filter"], "usampler list FILE --filter WORD"),
    (&["ls", "dir", "sounds", "samples"], "usampler list FILE"),
    (&["show", "open", "file", "stat", "inspect"], "usampler info FILE"),
    (&["convert", "export", "save", "rip", "dump"], "usampler extract FILE"),
    (&["record", "wav", "bounce"], "usampler render FILE SOUND"),
    (&["piano", "keyboard", "live", "gui", "tui"], "usampler jam FILE"),
];

/// Returns the failure of a word that is neither a command nor a file, with the command that is meant.
#[must_use]
pub fn advice(args: &[OsString], error: &clap::Error) -> Option<Failure> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let named = error.get(ContextKind::InvalidSubcommand)?.to_string();
    // Below `asset`, clap knows better.
    if args.iter().any(|word| word == "asset") {
        return None;
    }
    let failure = Failure::new(Exit::Usage, format!("no command \"{named}\", and no such file or folder"));
    let lower = named.to_lowercase();
    let known = ADVICE.iter().find(|(words, _)| words.contains(&&*lower)).map(|(_, line)| (*line).to_owned());
    let near = match error.get(ContextKind::SuggestedSubcommand) {
        Some(ContextValue::Strings(near)) => near.as_slice(),
        _ => &[],
    };
    // Of those that clap finds the odd ones begin with another letter.
    let near = near.iter().rev().find(|near| near.chars().next() == lower.chars().next());
    let failure = match known.or_else(|| near.map(|near| format!("usampler {near}"))) {
        Some(line) => failure.hint(format!("did you mean `{line}`?")),
        None => failure,
    };
    Some(failure.hint("`usampler --help` lists the commands; a FILE needs its path"))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::args::Cli;

    fn parse(words: &str) -> Result<Cli, clap::Error> {
        let args: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        Cli::try_parse_from(&args).or_else(|error| Cli::try_parse_from(expanded(&args, &error).ok_or(error)?))
    }

    #[test]
    fn an_alias_stands_for_its_command_wherever_it_may_be() {
        for (typed, meant) in [
            ("usampler unpack X.pak -o D", "usampler asset unpack X.pak -o D"),
            ("usampler -q to-legacy X.utoc -o D", "usampler -q asset unpack --legacy X.utoc -o D"),
            ("usampler to-zen D -o X.utoc --engine 5.4", "usampler asset pack D -o X.utoc --engine 5.4"),
            ("usampler tojson X.uasset -o -", "usampler asset json X.uasset -o -"),
            ("usampler fromjson a.json -o X.uasset", "usampler asset from-json a.json -o X.uasset"),
            ("usampler asset list X.pak", "usampler asset ls X.pak"),
            ("usampler asset get X.pak A", "usampler asset cat X.pak A"),
            ("usampler asset info X.pak", "usampler asset show X.pak"),
            ("usampler asset extract X.pak -o D", "usampler asset unpack X.pak -o D"),
            ("usampler asset to-legacy X.pak -o D", "usampler asset unpack --legacy X.pak -o D"),
        ] {
            let [typed, meant] = [typed, meant].map(|words| format!("{:?}", parse(words).unwrap()));
            assert_eq!(typed, meant);
        }
    }

    #[test]
    fn what_is_no_alias_stays_an_error() {
        for words in ["usampler get X.pak A", "usampler dance", "usampler asset dance"] {
            let error = parse(words).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidSubcommand, "{words}");
        }
    }

    #[test]
    fn no_alias_hides_a_command_and_each_stands_for_one() {
        let program = Cli::command();
        let asset = program.find_subcommand("asset").unwrap();
        for alias in ASSET_ALIASES {
            let own = asset.find_subcommand(alias.name);
            assert!(own.is_none() || alias.words == [alias.name], "{}", alias.name);
            assert!(!alias.is_top_level || program.find_subcommand(alias.name).is_none(), "{}", alias.name);
            assert!(asset.find_subcommand(alias.words[0]).is_some(), "{}", alias.name);
            assert!(crate::args::examples::ASSET.contains(alias.name), "{}", alias.name);
        }
    }
}
