use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use song::Hz;

use super::{DeviceArgs, EngineArgs, InputArgs, LiveArgs, NoteArgs, RoomArgs, SongArgs, examples, values};

/// `usampler play`
#[derive(Debug, Args)]
#[command(after_long_help = examples::PLAY)]
pub struct Play {
    /// More files, whose songs are played in turn, or a sound of FILE: its name, `Group.Name`, or a number from `list`;
    /// needed unless the file is a song or has exactly one sound
    #[arg(value_name = "FILE|SOUND", index = 2)]
    pub sound: Vec<OsString>,
    /// Play this MIDI file with all sounds, instead of one note
    #[arg(long, value_name = "SONG", conflicts_with_all = ["sound", "note", "velocity", "hold"])]
    pub midi: Option<PathBuf>,
    /// Play several songs, or those of a folder, in random order
    #[arg(long, conflicts_with = "midi")]
    pub shuffle: bool,
    /// Repeat a song without end
    #[arg(id = "loop", long, conflicts_with_all = ["loops", "midi"])]
    pub endless: bool,
    /// The note.
    #[command(flatten)]
    pub note: NoteArgs,
    /// The room.
    #[command(flatten, next_help_heading = "Effects")]
    pub room: RoomArgs,
    /// The song.
    #[command(flatten, next_help_heading = "Songs")]
    pub song: SongArgs,
    /// The device.
    #[command(flatten, next_help_heading = "Sound output")]
    pub device: DeviceArgs,
    /// The limiter.
    #[command(flatten, next_help_heading = "Sound output")]
    pub live: LiveArgs,
    /// The engine.
    #[command(flatten, next_help_heading = "Sound output")]
    pub engine: EngineArgs,
    /// The package.
    #[command(flatten)]
    pub input: InputArgs,
}

/// `usampler render`
#[derive(Debug, Args)]
#[command(after_long_help = examples::RENDER)]
pub struct Render {
    /// A name, `Group.Name`, or a number from `list`; needed unless the file is a song or has exactly one sound
    #[arg(value_name = "SOUND", index = 2, conflicts_with = "all")]
    pub sound: Option<String>,
    /// Every sound in sequence, half a second apart
    #[arg(long)]
    pub all: bool,
    /// Play this MIDI file with all sounds, instead of one note
    #[arg(long, value_name = "SONG", conflicts_with_all = ["sound", "all", "note", "velocity", "hold"])]
    pub midi: Option<PathBuf>,
    /// The file to write, .wav or .flac; `-` for a WAV file on standard output [default: a new one, named after the
    /// sound, SONG or FILE]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// The note.
    #[command(flatten)]
    pub note: NoteArgs,
    /// The room.
    #[command(flatten, next_help_heading = "Effects")]
    pub room: RoomArgs,
    /// The song.
    #[command(flatten, next_help_heading = "Songs")]
    pub song: SongArgs,
    /// Longest release tail
    #[arg(long, default_value = "2s", value_name = "TIME", value_parser = values::duration)]
    pub tail: Duration,
    /// Write a WAV file per channel of a song as well, into this folder; together they are the mix
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sound", "all", "midi"])]
    pub stems: Option<PathBuf>,
    /// Write a JSON line for each tick of a song: its place, and how each voice sounds
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sound", "all", "midi"])]
    pub trace: Option<PathBuf>,
    /// Sample rate in Hz
    #[arg(long, default_value = "48000", value_name = "HZ", value_parser = values::rate)]
    pub rate: Hz,
    /// Sample format
    #[arg(long, value_enum, default_value = "16")]
    pub bits: WavBits,
    /// Overwrite an existing file
    #[arg(long)]
    pub force: bool,
    /// Write more than 4 GB even if that is over 100 times what is stored
    #[arg(long)]
    pub large: bool,
    /// Print one JSON object for the file
    #[arg(long)]
    pub json: bool,
    /// Keep true peaks below -1 dB, as `play` and `jam` do; adds no latency
    #[arg(long)]
    pub limiter: bool,
    /// The engine.
    #[command(flatten, next_help_heading = "Sound output")]
    pub engine: EngineArgs,
    /// The package.
    #[command(flatten)]
    pub input: InputArgs,
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
