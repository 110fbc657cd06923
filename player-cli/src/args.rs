//! The command line. What is not built yet is absent, never accepted and ignored.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use exporter::sound_module::{ModuleFormat, ModuleOptions};
use player::extract::{ExtractFormat, ExtractOptions};
use player::sound_order::SoundOrder;
use screen::OptionNames;

pub mod aliases;
mod asset;
mod examples;
mod filter;
mod jam;
mod page;
mod play;
mod reading;
mod replace;
mod replay;
mod room;
mod sound;
mod values;

pub use asset::{
    AssetArgs, AssetCat, AssetCommand, AssetFromJson, AssetJson, AssetLs, AssetMesh, AssetNiagara, AssetPack,
    AssetScripts, AssetServe, AssetShow, AssetTexture, AssetUnpack, AssetVerify, CipherMode,
    ContainerCompression, GameArgs, PackageArgs,
};
pub use filter::FilterArgs;
pub use jam::{Jam, Release};
pub use page::PageArgs;
pub use play::{Play, Render, WavBits};
pub use reading::{CipherArgs, InputArgs, Inputs, KeyArgs, ReadingArgs};
pub use replace::{Replace, ReplaceCodec};
pub use replay::SongArgs;
pub use room::RoomArgs;
pub use sound::{DeviceArgs, EngineArgs, LiveArgs, NoteArgs};

/// Names of the options that the screen recommends.
pub const OPTION_NAMES: OptionNames = OptionNames { music: "--music", memory: "--memory", cache: "--cache" };

/// Play the sounds of Unreal games, tracker songs and recordings as instruments.
///
/// `usampler FILE` is short for `usampler jam FILE`, and without a terminal for `usampler list FILE`. Without a file it
/// plays the embedded demo, or lists it where there is no terminal or no audio device.
#[derive(Debug, Parser)]
#[command(name = "usampler", version, max_term_width = 100)]
#[command(after_long_help = examples::ALL)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<ProgramCommand>,
    /// Amount and colour of messages.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The place of an option after all others in a help.
const LAST: usize = 900;

/// Options of every command for its messages; help lists them last.
#[derive(Clone, Debug, Default, Args)]
pub struct OutputArgs {
    /// Only print errors and warnings
    #[arg(short, long, global = true, display_order = LAST)]
    pub quiet: bool,
    /// Print more: what was skipped and repaired; -vv: the file offset of each sound
    #[arg(short, long, global = true, display_order = LAST, action = ArgAction::Count)]
    pub verbose: u8,
    /// When to use colours: auto, always or never; honours `NO_COLOR`
    #[arg(
        long,
        global = true,
        display_order = LAST,
        value_enum,
        default_value = "auto",
        value_name = "WHEN",
        hide_possible_values = true
    )]
    pub color: Color,
    /// When to show progress of work over a second: auto (on a terminal) or never
    #[arg(
        long,
        global = true,
        display_order = LAST,
        value_enum,
        default_value = "auto",
        value_name = "WHEN",
        hide_possible_values = true
    )]
    pub progress: ProgressMode,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// When to show progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// On a terminal, for work over a second.
    #[default]
    Auto,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum ProgramCommand {
    /// Show what a file is and contains
    Info(Info),
    /// List the sounds of packages
    List(ListArgs),
    /// Write the sounds of packages to files
    Extract(Extract),
    /// Show the patterns of a tracker module, or the one made for the sounds of a package
    Pattern(PatternArgs),
    /// Play a sound or a MIDI file through the audio device, to its end
    Play(Play),
    /// Render a sound, all of them or a MIDI file to a WAV or FLAC file
    Render(Render),
    /// Play a package live on the keyboard
    Jam(Jam),
    /// Write a page for a browser that plays packages, without anything to install
    Page(PageArgs),
    /// Replace sounds with recordings: a mod for a game, or a package
    Replace(Replace),
    /// List, write and check the files in the containers of Unreal Engine 4 to 6
    #[command(after_long_help = examples::ASSET)]
    Asset(AssetArgs),
    /// Measure how many voices this machine renders
    Bench(Bench),
    /// List the audio devices, or the MIDI ports
    Devices(Devices),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Show where settings are, and which are in force
    Config(ConfigArgs),
    /// Print the licences of usampler and of what is linked into it
    #[command(after_long_help = examples::LICENSES)]
    Licenses,
}

/// `usampler info`
#[derive(Debug, Args)]
#[command(after_long_help = examples::INFO)]
pub struct Info {
    /// One JSON object per file
    #[arg(long)]
    pub json: bool,
    /// The packages.
    #[command(flatten)]
    pub inputs: Inputs,
}

/// `usampler list`
#[derive(Debug, Args)]
#[command(after_long_help = examples::LIST)]
pub struct ListArgs {
    /// Which sounds.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Sort order
    #[arg(long, default_value = "index", value_parser = values::sound_order())]
    pub sort: SoundOrder,
    /// One JSON object per sound and line
    #[arg(long, conflicts_with = "tsv")]
    pub json: bool,
    /// Tab-separated values with a line of column names
    #[arg(long)]
    pub tsv: bool,
    /// The packages.
    #[command(flatten)]
    pub inputs: Inputs,
}

/// `usampler extract`
#[derive(Debug, Args)]
#[command(after_long_help = examples::EXTRACT)]
#[command(group = ArgGroup::new("modules").args(["it", "xm"]).multiple(true))]
#[command(group = ArgGroup::new("whole").args(["it", "xm", "sf2"]).multiple(true))]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that the user may set")]
pub struct Extract {
    /// Output folder; each package gets its own folder in it, a game the folders that it has [default: a new one, named
    /// after FILE]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// WAV files with loop points, the bytes as stored, or Vorbis as Ogg files
    #[arg(long, default_value = "wav", value_parser = values::extract_format())]
    pub format: ExtractFormat,
    /// Write sounds as they are stored, not as they were adjusted in `jam`
    #[arg(long)]
    pub as_stored: bool,
    /// Which sounds.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Also write an SFZ per package, which refers to the WAV files
    #[arg(long)]
    pub sfz: bool,
    /// With --sfz: a key of its own for each sound, from C2 (36) on, as in a drum kit
    #[arg(long, requires = "sfz")]
    pub kit: bool,
    /// Also write a `SoundFont` 2 per package, with all its sounds
    #[arg(long)]
    pub sf2: bool,
    /// Also write an IT module per package, with an instrument per sound; beyond 99 sounds several
    #[arg(long)]
    pub it: bool,
    /// Also write an XM module per package, with an instrument per sound; beyond 128 sounds several
    #[arg(long)]
    pub xm: bool,
    /// With --it or --xm: a note in each row of the pattern, so that the song plays every sound
    #[arg(long, requires = "modules")]
    pub notes: bool,
    /// With --it or --xm: mix stereo sounds to one channel, for players that know no other samples
    #[arg(long, requires = "modules")]
    pub mono: bool,
    /// With --it, --xm or --sf2: write no WAV files
    #[arg(long, requires = "whole", conflicts_with = "sfz")]
    pub no_wav: bool,
    /// Write all files into one folder
    #[arg(long)]
    pub flat: bool,
    /// Of sound banks, write a folder for each event with the media that it plays
    #[arg(long, conflicts_with_all = ["flat", "sfz", "sf2", "it", "xm", "skip_existing"])]
    pub events: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// Write more than 4 GB even if that is over 100 times what is stored
    #[arg(long)]
    pub large: bool,
    /// Leave existing files as they are and write the others
    #[arg(long, conflicts_with = "force", requires = "output")]
    pub skip_existing: bool,
    /// Only print what would be written
    #[arg(long)]
    pub dry_run: bool,
    /// One JSON object per file and line
    #[arg(long)]
    pub json: bool,
    /// The packages.
    #[command(flatten)]
    pub inputs: Inputs,
}

impl Extract {
    /// Returns the options of the player.
    #[must_use]
    pub fn options(&self) -> ExtractOptions {
        ExtractOptions {
            inputs: self.inputs.files.clone(),
            output: self.output.clone(),
            format: self.format,
            sfz: self.sfz,
            kit: self.kit,
            sf2: self.sf2,
            modules: [(self.it, ModuleFormat::It), (self.xm, ModuleFormat::Xm)]
                .into_iter()
                .filter_map(|(is_wanted, format)| is_wanted.then_some(format))
                .collect(),
            module_options: ModuleOptions { is_mono: self.mono, has_notes: self.notes },
            no_wav: self.no_wav,
            flat: self.flat,
            events: self.events,
            force: self.force,
            large: self.large,
            skip_existing: self.skip_existing,
            dry_run: self.dry_run,
        }
    }
}

/// `usampler pattern`
#[derive(Debug, Args)]
#[command(after_long_help = examples::PATTERN)]
pub struct PatternArgs {
    /// Order, counted from 0 [default: all]
    #[arg(value_name = "ORDER", index = 2)]
    pub order: Option<usize>,
    /// Channels to show, counted from 1: 3 or 1-4 [default: all, in blocks as wide as the terminal]
    #[arg(long, value_name = "A-B", value_parser = values::channels)]
    pub channels: Option<RangeInclusive<usize>>,
    /// Show the pattern made for the sounds of FILE, even if there is a tracker module in it
    #[arg(long)]
    pub sounds: bool,
    /// One JSON object per order and line, with all channels
    #[arg(long, conflicts_with = "channels")]
    pub json: bool,
    /// The module, or anything with sounds.
    #[command(flatten)]
    pub input: InputArgs,
}

/// `usampler bench`
#[derive(Debug, Args)]
#[command(after_long_help = examples::BENCH)]
pub struct Bench {
    /// Numbers of simultaneous voices to measure
    #[arg(
        long,
        value_name = "N,N,...",
        value_delimiter = ',',
        default_value = "32,256,1024,4096",
        value_parser = clap::value_parser!(u16).range(1..=16_384)
    )]
    pub voices: Vec<u16>,
    /// Time of each measurement
    #[arg(long, value_name = "S", default_value = "0.25s", value_parser = values::duration)]
    pub seconds: Duration,
    /// One JSON object per quality and number of voices, each on a line
    #[arg(long)]
    pub json: bool,
}

/// `usampler devices`
#[derive(Debug, Args)]
#[command(after_long_help = examples::DEVICES)]
pub struct Devices {
    /// List MIDI inputs instead
    #[arg(long)]
    pub midi: bool,
    /// One JSON object per device and line
    #[arg(long)]
    pub json: bool,
}

/// `usampler completions`
#[derive(Debug, Args)]
#[command(after_long_help = examples::COMPLETIONS)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

/// `usampler config`
#[derive(Debug, Args)]
#[command(after_long_help = examples::CONFIG)]
pub struct ConfigArgs {
    /// Only print the path of the settings
    #[arg(long)]
    pub path: bool,
}
