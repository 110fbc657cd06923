//! The command line. What is not built yet is absent, never accepted and ignored.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use importer::{Options, Platform};
use song::Hz;
use unreal::version::{FileVersion, Licensee};
use unreal::{Game, OpenOptions};

use player::keyboard::{KeyMapMode, KeyboardLayout};
use player::midi::port::PortSelector;

mod examples;
mod sound;
mod values;

pub use sound::{DeviceArgs, EngineArgs, LiveArgs, NoteArgs};

/// Play the sounds of Unreal packages as instruments.
///
/// Without a command it plays the embedded demo, or lists it where there is no terminal or no audio device.
#[derive(Debug, Parser)]
#[command(name = "usampler", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_long_help = examples::ALL)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to talk.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The place of an option after all others in a help.
const LAST: usize = 900;

/// How the program talks; valid everywhere, and reported of after what a command is about.
#[derive(Clone, Debug, Args)]
pub struct OutputArgs {
    /// Say only what went wrong
    #[arg(short, long, global = true, display_order = LAST)]
    pub quiet: bool,
    /// Say more: what was skipped and repaired; -vv: where each sound lies
    #[arg(short, long, global = true, display_order = LAST, action = ArgAction::Count)]
    pub verbose: u8,
    /// Colours; the variable `NO_COLOR` is honoured
    #[arg(long, global = true, display_order = LAST, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: Color,
    /// Progress on a terminal, for work over a second
    #[arg(long, global = true, display_order = LAST, value_enum, default_value = "auto", value_name = "WHEN")]
    pub progress: Progress,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// When to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// On a terminal, for work over a second.
    Auto,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say what a package or tracker module is and what is in it
    Info(Info),
    /// List the sounds of packages
    List(ListArgs),
    /// Write the sounds of packages to files
    Extract(Extract),
    /// Show the patterns of a tracker module
    Pattern(PatternArgs),
    /// Play a sound or a MIDI file through the audio device, to its end
    Play(Play),
    /// Render a sound, all of them or a MIDI file to a WAV file
    Render(Render),
    /// Play a package live on the keyboard
    Jam(Jam),
    /// Measure how many voices this machine renders
    Bench(Bench),
    /// List the audio devices, or the MIDI ports
    Devices(Devices),
    /// Print what makes a shell complete these commands
    Completions(Completions),
    /// Write the manual, a page for each command
    Man(Man),
}

/// A package to read.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// A package or tracker module of any extension, `demo:` for the embedded bank, `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How to read it.
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Packages to read.
#[derive(Clone, Debug, Args)]
pub struct Inputs {
    /// Packages or tracker modules of any extension, folders of them, `demo:` for the embedded bank, `-` for standard
    /// input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// How to read them.
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// What the user knows better than the file.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ReadingArgs {
    /// The game a package is from, where its version does not tell, e.g. ut2004 or undying
    #[arg(long, value_name = "GAME", value_parser = values::game)]
    pub game: Option<Game>,
    /// Read a package as this version, whatever it states: 69, or 128/29 with the licensee
    #[arg(long, value_name = "N[/M]", value_parser = values::version)]
    pub package_version: Option<(FileVersion, Option<Licensee>)>,
    /// Take this form of recordings that have one for each platform: raw, pc, xbox360, ps3, xboxone, ps4, wiiu, iphone
    /// or flash [default: the best that can be decoded]
    #[arg(long, value_name = "NAME", value_parser = values::stream)]
    pub stream: Option<Platform>,
    /// Take the tracker module in sound N, as `list` numbers it, as if it were the file
    #[arg(long, value_name = "N", value_parser = values::number)]
    pub music: Option<usize>,
}

impl ReadingArgs {
    /// Returns the options of the importer.
    #[must_use]
    pub fn options(self) -> Options {
        let (version, licensee) = self.package_version.unzip();
        let reading = OpenOptions { version, licensee: licensee.flatten(), game: self.game };
        Options { reading, stream: self.stream }
    }
}

/// `usampler info`
#[derive(Debug, Args)]
#[command(after_long_help = examples::INFO)]
pub struct Info {
    /// The packages.
    #[command(flatten)]
    pub inputs: Inputs,
    /// One JSON object per file
    #[arg(long)]
    pub json: bool,
}

/// `usampler list`
#[derive(Debug, Args)]
#[command(after_long_help = examples::LIST)]
pub struct ListArgs {
    /// The packages.
    #[command(flatten)]
    pub inputs: Inputs,
    /// Only sounds whose name or path matches, e.g. 'Weapons.*'
    #[arg(long, value_name = "GLOB")]
    pub filter: Option<String>,
    /// In which order
    #[arg(long, value_enum, default_value = "index")]
    pub sort: Sort,
    /// One JSON object per sound and line
    #[arg(long, conflicts_with = "tsv")]
    pub json: bool,
    /// Tab-separated values with a line of column names
    #[arg(long)]
    pub tsv: bool,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// As in the package.
    Index,
    /// By path.
    Name,
    /// Shortest first.
    Length,
    /// Lowest first.
    Rate,
}

/// `usampler extract`
#[derive(Debug, Args)]
#[command(after_long_help = examples::EXTRACT)]
pub struct Extract {
    /// The packages.
    #[command(flatten)]
    pub inputs: Inputs,
    /// The folder to write to; each package gets a folder of its own in it
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// WAV files with loop points, or the bytes exactly as stored
    #[arg(long, value_enum, default_value = "wav")]
    pub format: ExtractFormat,
    /// Only sounds whose name or path matches, e.g. 'Weapons.*'
    #[arg(long, value_name = "GLOB")]
    pub filter: Option<String>,
    /// Also an SFZ per package, which refers to the WAV files
    #[arg(long)]
    pub sfz: bool,
    /// Also a `SoundFont` 2 per package, with all its sounds
    #[arg(long)]
    pub sf2: bool,
    /// No folder per package
    #[arg(long)]
    pub flat: bool,
    /// Overwrite files that are there
    #[arg(long)]
    pub force: bool,
    /// Say what would be written
    #[arg(long)]
    pub dry_run: bool,
}

/// What `extract` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExtractFormat {
    /// Width, rate, loop points and root key kept.
    Wav,
    /// The stored bytes.
    Original,
}

/// `usampler pattern`
#[derive(Debug, Args)]
#[command(after_long_help = examples::PATTERN)]
pub struct PatternArgs {
    /// The module, or a package with one.
    #[command(flatten)]
    pub input: InputArgs,
    /// Which order, from 0 [default: all of them]
    #[arg(value_name = "ORDER")]
    pub order: Option<usize>,
    /// Only these channels, from 1: one, or the first and the last [default: all; those too many for a terminal's width
    /// stand below the others]
    #[arg(long, value_name = "A-B", value_parser = values::channels)]
    pub channels: Option<RangeInclusive<usize>>,
    /// One JSON object per order and line, with all channels
    #[arg(long, conflicts_with = "channels")]
    pub json: bool,
}

/// `usampler play`
#[derive(Debug, Args)]
#[command(after_long_help = examples::PLAY)]
pub struct Play {
    /// The package.
    #[command(flatten)]
    pub input: InputArgs,
    /// A name, `Group.Name`, or '#3' as `list` numbers it; needed unless the file has exactly one sound
    #[arg(value_name = "SOUND")]
    pub sound: Option<String>,
    /// A MIDI file to be played with all the sounds, instead of a note of one
    #[arg(long, value_name = "SONG", conflicts_with_all = ["sound", "note", "velocity", "hold"])]
    pub midi: Option<PathBuf>,
    /// The note.
    #[command(flatten)]
    pub note: NoteArgs,
    /// The device.
    #[command(flatten)]
    pub device: DeviceArgs,
    /// The limiter.
    #[command(flatten)]
    pub live: LiveArgs,
    /// The engine.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// `usampler render`
#[derive(Debug, Args)]
#[command(after_long_help = examples::RENDER)]
pub struct Render {
    /// The package.
    #[command(flatten)]
    pub input: InputArgs,
    /// A name, `Group.Name`, or '#3' as `list` numbers it; needed unless the file has exactly one sound
    #[arg(value_name = "SOUND", conflicts_with = "all")]
    pub sound: Option<String>,
    /// Every sound, one after another, half a second apart
    #[arg(long)]
    pub all: bool,
    /// A MIDI file to be played with all the sounds, instead of a note of one
    #[arg(long, value_name = "SONG", conflicts_with_all = ["sound", "all", "note", "velocity", "hold"])]
    pub midi: Option<PathBuf>,
    /// The WAV file to write, `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The note.
    #[command(flatten)]
    pub note: NoteArgs,
    /// The longest a sound may go on after it was released
    #[arg(long, default_value = "2s", value_name = "TIME", value_parser = values::duration)]
    pub tail: Duration,
    /// Frames per second
    #[arg(long, default_value = "48000", value_name = "HZ", value_parser = values::rate)]
    pub rate: Hz,
    /// Bits per value
    #[arg(long, value_enum, default_value = "16")]
    pub bits: WavBits,
    /// Overwrite the file if it is there
    #[arg(long)]
    pub force: bool,
    /// Keep true peaks below -1 dB as `play` and `jam` do; nothing else changes, and no frame comes later
    #[arg(long)]
    pub limiter: bool,
    /// The engine.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Width of the values in a rendered file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WavBits {
    /// 16-bit integers.
    #[value(name = "16")]
    Sixteen,
    /// 24-bit integers.
    #[value(name = "24")]
    TwentyFour,
    /// 32-bit float.
    #[value(name = "32f")]
    Float,
}

/// `usampler jam`
#[derive(Debug, Args)]
#[command(after_long_help = examples::JAM)]
pub struct Jam {
    /// The package.
    #[command(flatten)]
    pub input: InputArgs,
    /// The sound to start with: a name, `Group.Name`, or '#3' as `list` numbers it
    #[arg(value_name = "SOUND")]
    pub sound: Option<String>,
    /// Keys play the chosen sound at pitches, or each key its own sound
    #[arg(long, default_value = "chromatic", value_parser = values::key_map_mode())]
    pub map: KeyMapMode,
    /// Which keys of the computer keyboard play which notes
    #[arg(long, default_value = "piano", value_parser = values::keyboard_layout())]
    pub layout: KeyboardLayout,
    /// The MIDI ports that play: a part of the name, the number as `devices --midi` lists them, `all` or `none`, also
    /// when they are plugged in later [default: all]
    #[arg(long, value_name = "PORT")]
    pub midi: Option<PortSelector>,
    /// Octave of the lower row's first key [default: 3, for the kit map 2]
    #[arg(long, value_parser = clap::value_parser!(i8).range(-1..=8), allow_hyphen_values = true)]
    pub octave: Option<i8>,
    /// The most voices that sound at once
    #[arg(long, default_value = "64", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub voices: u16,
    /// What ends a note
    #[arg(long, value_enum, default_value = "auto", value_name = "MODE")]
    pub release: Release,
    /// Note on and off with time, key and sound, a line each, appended to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// The device.
    #[command(flatten)]
    pub device: DeviceArgs,
    /// The limiter.
    #[command(flatten)]
    pub live: LiveArgs,
    /// The engine.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// What ends a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Release {
    /// `real` where the terminal tells when a key is released, else `gate`.
    Auto,
    /// The release of its key; needs a terminal with the kitty keyboard protocol.
    Real,
    /// A press sounds for 600 ms, held keys longer; a sound without a loop plays out.
    Gate,
    /// One press starts it, the next ends it.
    Latch,
    /// Nothing: it plays out, one with a loop once through.
    Oneshot,
}

/// `usampler bench`
#[derive(Debug, Args)]
#[command(after_long_help = examples::BENCH)]
pub struct Bench {
    /// How many voices sound at once; several numbers are measured one after another
    #[arg(
        long,
        value_name = "N,N,...",
        value_delimiter = ',',
        default_value = "32,256,1024,4096",
        value_parser = clap::value_parser!(u16).range(1..=16_384)
    )]
    pub voices: Vec<u16>,
    /// How long each quality is measured with each number of voices
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
    /// The MIDI ports instead
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

/// `usampler man`
#[derive(Debug, Args)]
#[command(after_long_help = examples::MAN)]
pub struct Man {
    /// The folder to write to
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Overwrite pages that are there
    #[arg(long)]
    pub force: bool,
}
