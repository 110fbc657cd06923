//! What `jam` takes.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};
use player::keyboard::{ComputerKeyboard, KeyMapMode, KeyboardLayout};
use player::midi::port::PortSelector;
use player::recorder::TakeFiles;
use screen::draw::{Palette, RoleColors};
use screen::keymap::Keymap;

use super::{DeviceArgs, EngineArgs, InputArgs, LiveArgs, examples, values};

/// `usampler jam`
#[derive(Debug, Args)]
#[command(after_long_help = examples::jam())]
pub struct Jam {
    /// More files, or the sound of FILE to start with: a name, `Group.Name`, or a number from `list`
    #[arg(value_name = "FILE|SOUND", index = 2)]
    pub sound: Vec<OsString>,
    /// Keys play the chosen sound at different pitches, or each key its own sound
    #[arg(long, default_value = "chromatic", value_parser = values::key_map_mode())]
    pub map: KeyMapMode,
    /// Layout of notes on the computer keyboard
    #[arg(long, default_value = "piano", value_parser = values::keyboard_layout())]
    pub layout: KeyboardLayout,
    /// Keyboard of the computer: which characters its keys type [default: as usual for the locale]
    #[arg(long, value_parser = values::computer_keyboard())]
    pub keyboard: Option<ComputerKeyboard>,
    /// Other keys for commands, as in `search=F3,Ctrl-A map=F12` (the names are below)
    #[arg(long, value_name = "KEYS", default_value = "", hide_default_value = true)]
    pub keys: Keymap,
    /// Colours of the screen: `any` for any background, `dark`, `light`, or `terminal` for its own 16
    #[arg(long, value_name = "NAME", default_value = "any")]
    pub theme: Palette,
    /// Other colours, as in `wave=#44a26a selected=#2f628f`
    #[arg(long, value_name = "COLORS", default_value = "", hide_default_value = true)]
    pub colors: RoleColors,
    /// Whether the mouse chooses, plays and marks; the terminal's own selection then needs Shift
    #[arg(long, default_value = "on", action = ArgAction::Set, value_parser = values::on_or_off())]
    pub mouse: bool,
    /// MIDI inputs, including ones connected later: part of a name, a number from `devices --midi`, `all` or `none`
    /// [default: all]
    #[arg(long, value_name = "PORT")]
    pub midi: Option<PortSelector>,
    /// Octave of the lower row's first key [default: 3, for the kit map 2]
    #[arg(long, value_parser = clap::value_parser!(i8).range(-1..=8), allow_hyphen_values = true)]
    pub octave: Option<i8>,
    /// Maximum number of simultaneous voices
    #[arg(long, default_value = "64", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub voices: u16,
    /// When a note is released
    #[arg(long, value_enum, default_value = "auto", value_name = "MODE")]
    pub release: Release,
    /// Append a line for each note on and off to this file, with time, key and sound
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Files of a take: `wav`, or `wav,mid` for its notes as well
    #[arg(long, default_value = "wav", value_name = "FILES", value_parser = values::take_files())]
    pub takes: TakeFiles,
    /// Most memory for sounds that are kept ready, part of what --memory allows; those played least recently leave
    /// first
    #[arg(long, default_value = "512M", value_name = "SIZE", value_parser = values::size)]
    pub cache: u64,
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

/// What ends a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Release {
    /// `real` if the terminal reports key releases, else `gate`.
    Auto,
    /// The release of its key; needs a terminal with the kitty keyboard protocol.
    Real,
    /// 600 ms after the press, later while the key repeats; a sound without a loop plays out.
    Gate,
    /// The next press of the key.
    Latch,
    /// Never: it plays out, a loop once through.
    Oneshot,
}
