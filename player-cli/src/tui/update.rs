//! What a message changes, and what is to be done about it. Pure: time comes with the message.

use std::time::Duration;

use song::{Key, Velocity};

use super::keys;
use super::model::{Model, NoteNumber, PlayedNote, SeenKey, Status};
use crate::args::{Map, Release};

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// A key of the computer keyboard was pressed, or repeats.
    Press(Press),
    /// Time has passed.
    Tick,
    /// A note is over.
    Ended(NoteNumber),
    /// A note could not be played.
    Refused(NoteNumber, String),
    /// How loud it was, and how many voices sound.
    Meter {
        /// Highest values on the left and right, linear.
        peaks: [f32; 2],
        /// Voices that sound.
        voices: usize,
    },
    /// What the device tells of itself.
    Device(Status),
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
    /// The other way of releasing.
    Tab,
    /// Silence.
    Escape,
    /// Help.
    F1,
    /// The other map.
    F7,
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
    /// Give the terminal back for a while.
    Suspend,
    /// End the program.
    Quit,
}

/// How long a press sounds in gate mode, and how much longer each repeat of a held key makes it.
const GATE: Duration = Duration::from_millis(600);
const REPEAT: Duration = Duration::from_millis(120);
/// A key that comes again sooner is held: consoles repeat every 30 to 110 ms, and no finger strikes one key so fast.
const FASTEST_STRIKE: Duration = Duration::from_millis(130);
/// How long terminals wait before a held key repeats, and how exactly they keep it.
const DELAYS: std::ops::RangeInclusive<Duration> = Duration::from_millis(180)..=Duration::from_millis(1100);
const EXACTLY: Duration = Duration::from_millis(25);
/// What a step of `-` and `=` is.
const VELOCITY_STEP: u8 = 8;
/// How far peaks fall at each tick, as a factor.
const FALL: f32 = 0.9;

/// The new model, and what is to be done, in order. `now` counts from the start of the program.
pub fn update(model: &mut Model, msg: Msg, now: Duration) -> Vec<Intent> {
    match msg {
        Msg::Press(press) => pressed(model, press, now),
        Msg::Tick => tick(model, now),
        Msg::Ended(number) => {
            model.notes.retain(|note| note.number != number);
            Vec::new()
        }
        Msg::Refused(number, why) => {
            model.notes.retain(|note| note.number != number);
            model.complaint = Some(why);
            Vec::new()
        }
        Msg::Meter { peaks, voices } => {
            model.voices.0 = voices;
            for (shown, peak) in model.peaks.iter_mut().zip(peaks) {
                *shown = shown.max(peak);
            }
            Vec::new()
        }
        Msg::Notice(notice) => {
            model.complaint = Some(notice);
            Vec::new()
        }
        Msg::Device(status) => {
            model.status = status;
            Vec::new()
        }
    }
}

fn pressed(model: &mut Model, press: Press, now: Duration) -> Vec<Intent> {
    let last = model.sounds.len().saturating_sub(1);
    if press != Press::F1 {
        model.help = false;
    }
    match press {
        Press::Quit => return vec![Intent::Quit],
        Press::Suspend => {
            model.notes.iter_mut().for_each(|note| note.released = true);
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
        Press::Char(c) => return character(model, c, now),
        Press::Enter => return audition(model, now),
        Press::Up(by) => model.chosen = model.chosen.saturating_sub(by),
        Press::Down(by) => model.chosen = model.chosen.saturating_add(by).min(last),
        Press::Home => model.chosen = 0,
        Press::End => model.chosen = last,
        Press::Tab => {
            model.release = match model.release {
                Release::Gate => Release::Latch,
                Release::Latch => Release::Gate,
            };
            return release_held(model);
        }
        Press::F1 => model.help = !model.help,
        Press::F7 => {
            model.map = match model.map {
                Map::Chromatic => Map::Kit,
                Map::Kit => Map::Chromatic,
            };
            std::mem::swap(&mut model.octave, &mut model.other_octave);
        }
    }
    Vec::new()
}

fn character(model: &mut Model, c: char, now: Duration) -> Vec<Intent> {
    match c {
        '[' => model.octave = (model.octave - 1).max(-1),
        ']' => model.octave = (model.octave + 1).min(8),
        '-' => model.velocity = velocity(model.velocity.get().saturating_sub(VELOCITY_STEP)),
        '=' => model.velocity = velocity(model.velocity.get().saturating_add(VELOCITY_STEP)),
        _ => {
            if let Some(semitone) = keys::semitone(c) {
                return play(model, c.to_ascii_lowercase(), semitone, now);
            }
        }
    }
    Vec::new()
}

fn velocity(wanted: u8) -> Velocity {
    Velocity::new(wanted.clamp(1, Velocity::HIGHEST.get())).unwrap_or(Velocity::HIGHEST)
}

/// A key of the piano: a strike, or the repeat of one that is held.
fn play(model: &mut Model, pressed: char, semitone: u8, now: Duration) -> Vec<Intent> {
    let is_repeat = see(model, pressed, now);
    let held = model.notes.iter_mut().rfind(|note| note.pressed == Some(pressed) && !note.released);
    match (model.release, held) {
        (Release::Gate, Some(note)) if is_repeat || note.until.is_some() => {
            note.until = note.until.map(|until| until.max(now + REPEAT));
            Vec::new()
        }
        (Release::Latch, Some(note)) if !is_repeat => {
            note.released = true;
            vec![Intent::NoteOff(note.number)]
        }
        _ if is_repeat => Vec::new(),
        _ => {
            let Some(key) = model.key_at(semitone) else { return Vec::new() };
            match model.map {
                Map::Chromatic => start(model, Some(pressed), model.chosen, key, now),
                Map::Kit => match model.kit_sound(key) {
                    Some(sound) => {
                        let root = model.sounds[sound].root;
                        start(model, Some(pressed), sound, root, now)
                    }
                    None => Vec::new(),
                },
            }
        }
    }
}

/// Whether a key that is seen now is held rather than struck. Terminals tell no key-up, so it goes by time: soon after
/// the last time it is a repeat, and so it is after just the delay that this terminal was seen to make before the first
/// repeat. That delay is learned from the first key that is held.
fn see(model: &mut Model, pressed: char, now: Duration) -> bool {
    let Some(seen) = model.seen.iter_mut().find(|seen| seen.key == pressed) else {
        model.seen.push(SeenKey { key: pressed, at: now, gap: None });
        return false;
    };
    let gap = now.saturating_sub(seen.at);
    let before = seen.gap.replace(gap);
    seen.at = now;
    if gap < FASTEST_STRIKE {
        if let Some(delay) = before.filter(|before| DELAYS.contains(before)) {
            model.repeat_delay = Some(delay);
        }
        return true;
    }
    model.repeat_delay.is_some_and(|delay| gap.abs_diff(delay) <= EXACTLY)
}

fn audition(model: &mut Model, now: Duration) -> Vec<Intent> {
    match model.chosen_entry().map(|entry| entry.root) {
        Some(root) => start(model, None, model.chosen, root, now),
        None => Vec::new(),
    }
}

fn start(model: &mut Model, pressed: Option<char>, sound: usize, key: Key, now: Duration) -> Vec<Intent> {
    let Some(entry) = model.sounds.get(sound) else { return Vec::new() };
    if let Some(reason) = &entry.silent {
        model.complaint = Some(format!("#{} {}: {reason}", sound + 1, entry.name));
        return Vec::new();
    }
    model.complaint = None;
    let loops = entry.loops;
    // A sound without a loop plays out, and an audition of one with a loop is a long press.
    let until = match (loops, pressed, model.release) {
        (false, ..) | (true, Some(_), Release::Latch) => None,
        (true, Some(_), Release::Gate) => Some(now + GATE),
        (true, None, _) => Some(now + 4 * GATE),
    };
    let number = model.next;
    model.next = NoteNumber(number.0 + 1);
    model.notes.push(PlayedNote { number, pressed, key, until, loops, released: false });
    vec![Intent::NoteOn { number, sound, key, velocity: model.velocity }]
}

/// Latched notes with a loop: once the mode is another, nothing else would end them.
fn release_held(model: &mut Model) -> Vec<Intent> {
    let held = model.notes.iter_mut().filter(|note| note.loops && !note.released && note.until.is_none());
    held.map(|note| {
        note.released = true;
        Intent::NoteOff(note.number)
    })
    .collect()
}

fn tick(model: &mut Model, now: Duration) -> Vec<Intent> {
    for peak in &mut model.peaks {
        *peak *= FALL;
    }
    let due =
        model.notes.iter_mut().filter(|note| !note.released && note.until.is_some_and(|until| until <= now));
    due.map(|note| {
        note.released = true;
        Intent::NoteOff(note.number)
    })
    .collect()
}

#[cfg(test)]
mod tests;
