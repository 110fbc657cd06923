//! `usampler replace`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{InputArgs, examples};

/// `usampler replace`
#[derive(Debug, Args)]
#[command(after_long_help = examples::REPLACE)]
pub struct Replace {
    /// The game or package.
    #[command(flatten)]
    pub input: InputArgs,
    /// Name or number of the sound, as `list` shows it
    #[arg(value_name = "SOUND", required_unless_present = "table", conflicts_with = "table")]
    pub sound: Option<String>,
    /// The recording that takes its place: a WAV file of 16 bits
    #[arg(value_name = "NEW.wav", required_unless_present = "table", conflicts_with = "table")]
    pub recording: Option<PathBuf>,
    /// Several at once: a line for each, SOUND, a tab, and the WAV file, whose path counts from this one
    #[arg(long, value_name = "PAIRS.tsv")]
    pub table: Option<PathBuf>,
    /// What to write: a container of the kind that the game has (without an extension it gets one), or the package
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// How the recording is stored
    #[arg(long, value_enum, default_value = "pcm")]
    pub codec: ReplaceCodec,
    /// Replace files that are there
    #[arg(long)]
    pub force: bool,
}

/// How recordings are stored that take the place of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReplaceCodec {
    /// As they are.
    Pcm,
    /// Vorbis: there is no encoder for it.
    Vorbis,
    /// Opus, for sounds that are Opus in a game of a late release of 5.
    Opus,
}
