//! `usampler replace`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{InputArgs, examples};

/// `usampler replace`
#[derive(Debug, Args)]
#[command(after_long_help = examples::REPLACE)]
pub struct Replace {
    /// Name or number of the sound, as `list` shows it; of a sound bank also an id, or an event that plays one media
    #[arg(value_name = "SOUND", index = 2, required_unless_present = "table", conflicts_with = "table")]
    pub sound: Option<String>,
    /// The recording that takes its place: WAV, FLAC, Ogg Vorbis or MP3, at any rate; for Wwise also a .wem
    #[arg(value_name = "NEW", index = 3, required_unless_present = "table", conflicts_with = "table")]
    pub recording: Option<PathBuf>,
    /// Several at once: a line for each, SOUND, a tab, and the file, whose path counts from this one
    #[arg(long, value_name = "PAIRS.tsv")]
    pub table: Option<PathBuf>,
    /// What to write: a container of the kind that the game has (without an extension it gets one), the package, or for
    /// packages of a UE project and for sound banks the folder to write them to
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// How the recording is stored
    #[arg(long, value_enum, default_value = "pcm")]
    pub codec: ReplaceCodec,
    /// Store the file's bytes unchanged: WAV, or Ogg Vorbis where the sound is that
    #[arg(long, conflicts_with = "codec")]
    pub keep: bool,
    /// Only print what would be replaced and written
    #[arg(long)]
    pub dry_run: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// The game or package.
    #[command(flatten)]
    pub input: InputArgs,
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
