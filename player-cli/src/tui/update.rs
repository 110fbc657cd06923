//! What a message changes, and what is to be done about it. Pure: time comes with the message.

mod devices;
mod notes;
mod repeats;

use std::time::Duration;

use song::{Frames, Hz, Key, Velocity};

use super::keys::{self, Scheme, Turn};
use super::model::{DeviceEntry, Model, NoteNumber, Status};
use crate::args::Map;

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// A key of the computer keyboard was pressed. Where the terminal does not tell, it may also be held and repeat.
    Press(Press),
    /// A key is held and repeats, as the terminal tells.
    Repeat(Press),
    /// The key of a character was released.
    Release(char),
    /// The keyboard belongs to another window: nobody tells what is released there.
    FocusLost,
    /// Time has passed.
    Tick,
    /// A note has begun: so many frames behind the first that could still be rendered when it was asked for.
    Began(NoteNumber, Frames),
    /// A note is over.
    Ended(NoteNumber),
    /// A note could not be played.
    Refused(NoteNumber, String),
    /// Something else went wrong.
    Complaint(String),
    /// How loud it was, and how many voices sound.
    Meter {
        /// Highest values on the left and right, linear.
        peaks: [f32; 2],
        /// Voices that sound.
        voices: usize,
    },
    /// What the device tells of itself.
    Device(Status),
    /// Another device plays, or the same at another rate.
    Playing {
        /// What it is called.
        device: String,
        /// Frames per second.
        rate: Hz,
    },
    /// The devices that can be chosen.
    Devices(Vec<DeviceEntry>),
    /// Something the player should know.
    Notice(String),
}

/// A key of the computer keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A character.
    Char(char),
    /// The arrow up: so many sounds back.
    Up(usize),
    /// The arrow down: so many sounds on.
    Down(usize),
    /// To the first sound.
    Home,
    /// To the last sound.
    End,
    /// Audition.
    Enter,
    /// The next of the modes that end notes.
    Tab,
    /// Silence.
    Escape,
    /// Help.
    F1,
    /// The next layout.
    F2,
    /// The other map.
    F7,
    /// The devices.
    F8,
    /// To the shell, for a while.
    Suspend,
    /// Out.
    Quit,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Start a note.
    NoteOn {
        /// Its number.
        number: NoteNumber,
        /// Index of its sound.
        sound: usize,
        /// The key.
        key: Key,
        /// How hard.
        velocity: Velocity,
    },
    /// Release a note.
    NoteOff(NoteNumber),
    /// Release all notes.
    ReleaseAll,
    /// Silence all voices.
    Silence,
    /// Look for devices, to be told by [`Msg::Devices`].
    FindDevices,
    /// Play on a device: its index among those that were told last.
    UseDevice(usize),
    /// Give the terminal back for a while.
    Suspend,
    /// End the program.
    Quit,
}

/// What a step of `-` and `=` is.
const VELOCITY_STEP: u8 = 8;
/// How far peaks fall at each tick, as a factor.
const FALL: f32 = 0.9;

/// The new model, and what is to be done, in order. `now` counts from the start of the program.
pub fn update(model: &mut Model, msg: Msg, now: Duration) -> Vec<Intent> {
    match msg {
        Msg::Press(press) => return pressed(model, press, now),
        Msg::Repeat(press) => return repeated(model, press, now),
        Msg::Release(typed) => return notes::key_up(model, typed),
        Msg::FocusLost => return notes::all_keys_up(model),
        Msg::Tick => {
            model.peaks.iter_mut().for_each(|peak| *peak *= FALL);
            return notes::due(model, now);
        }
        Msg::Began(..) => {}
        Msg::Ended(number) => model.notes.retain(|note| note.number != number),
        Msg::Refused(number, why) => {
            model.notes.retain(|note| note.number != number);
            model.complaint = Some(why);
        }
        Msg::Complaint(what) | Msg::Notice(what) => model.complaint = Some(what),
        Msg::Meter { peaks, voices } => {
            model.voices.0 = voices;
            for (shown, peak) in model.peaks.iter_mut().zip(peaks) {
                *shown = shown.max(peak);
            }
        }
        Msg::Device(status) => model.status = status,
        Msg::Playing { device, rate } => {
            model.device = device;
            model.rate = rate;
        }
        Msg::Devices(entries) => devices::found(model, entries),
    }
    Vec::new()
}

fn pressed(model: &mut Model, press: Press, now: Duration) -> Vec<Intent> {
    let last = model.sounds.len().saturating_sub(1);
    if press != Press::F1 {
        model.help = false;
    }
    if let Some(intents) = devices::pressed(model, press) {
        return intents;
    }
    match press {
        Press::Quit => return vec![Intent::Quit],
        Press::Suspend => {
            notes::forget_keys(model);
            return vec![Intent::ReleaseAll, Intent::Suspend];
        }
        Press::Escape => {
            model.notes.clear();
            return vec![Intent::Silence];
        }
        Press::Char(' ') => {
            model.notes.iter_mut().for_each(|note| note.released = true);
            return vec![Intent::ReleaseAll];
        }
        Press::Char(typed) => return character(model, typed, false, now),
        Press::Enter => return notes::audition(model, now),
        Press::Up(by) => model.chosen = model.chosen.saturating_sub(by),
        Press::Down(by) => model.chosen = model.chosen.saturating_add(by).min(last),
        Press::Home => model.chosen = 0,
        Press::End => model.chosen = last,
        Press::Tab => return notes::next_mode(model),
        Press::F1 => model.help = !model.help,
        Press::F2 => model.layout = keys::after(model.layout),
        Press::F7 => {
            model.map = match model.map {
                Map::Chromatic => Map::Kit,
                Map::Kit => Map::Chromatic,
            };
            std::mem::swap(&mut model.octave, &mut model.other_octave);
        }
        Press::F8 => return devices::open(model),
    }
    Vec::new()
}

/// A held key goes on doing what is done by degrees; it switches nothing to and fro.
fn repeated(model: &mut Model, press: Press, now: Duration) -> Vec<Intent> {
    match press {
        Press::Up(_) | Press::Down(_) => pressed(model, press, now),
        Press::Char(typed) if typed != ' ' => character(model, typed, true, now),
        _ => Vec::new(),
    }
}

fn character(model: &mut Model, typed: char, repeats: bool, now: Duration) -> Vec<Intent> {
    let key = keys::base(typed);
    let scheme = Scheme::of(model.layout);
    match (scheme.semitone(key), scheme.turn(key)) {
        (Some(semitone), _) => return notes::key_down(model, key, semitone, repeats, now),
        (None, Some(Turn::Octave(up))) => model.octave = model.octave.saturating_add(up).clamp(-1, 8),
        (None, Some(Turn::Velocity(louder))) => {
            let step = VELOCITY_STEP.cast_signed() * louder;
            model.velocity = velocity(model.velocity.get().saturating_add_signed(step));
        }
        (None, None) => {}
    }
    Vec::new()
}

fn velocity(wanted: u8) -> Velocity {
    Velocity::new(wanted.clamp(1, Velocity::HIGHEST.get())).unwrap_or(Velocity::HIGHEST)
}

#[cfg(test)]
mod tests;
