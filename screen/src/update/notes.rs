//! Notes: what begins and ends them.
//!
//! A note knows from its beginning what it waits for ([`Ends`]). So whatever is switched while a key is down – mode,
//! map, octave, layout, sound – its release ends the note that this key began, and no other.

use player::live::NoteNumber;
use std::time::Duration;

use song::{Key, Voicing};

use super::{Intent, repeats};
use crate::model::{Ends, Mode, Model, PlayedNote, SoundEntry, Trigger};
use player::keyboard;
use player::keyboard::KeyMapMode;

/// How long a press sounds in gate mode, and how much longer each repeat of a held key makes it.
const GATE: Duration = Duration::from_millis(600);
const REPEAT: Duration = Duration::from_millis(120);

/// Handles a key that plays a note and was pressed or repeats.
pub(super) fn key_down(
    model: &mut Model,
    pressed: char,
    semitone: u8,
    repeats: bool,
    now: Duration,
) -> Vec<Intent> {
    let repeats = if model.tells_release {
        is_down(model, pressed) || repeats
    } else {
        repeats::see(model, pressed, now) || repeats
    };
    let trigger = Trigger::Key(pressed);
    match model.mode {
        // Where a strike cannot be distinguished from the first repeat, a strike prolongs as well.
        Mode::Gate if repeats || !model.tells_release => {
            if prolong(model, trigger, now) {
                return Vec::new();
            }
        }
        Mode::Gate => {
            let mut intents =
                release_those(model, |note| note.trigger == trigger && matches!(note.ends, Ends::At(_)));
            intents.extend(strike(model, trigger, semitone, now));
            return intents;
        }
        Mode::Latch if !repeats => {
            let intents = unlatch(model, trigger);
            if !intents.is_empty() {
                return intents;
            }
        }
        Mode::Real | Mode::Latch | Mode::Oneshot => {}
    }
    if repeats { Vec::new() } else { strike(model, Trigger::Key(pressed), semitone, now) }
}

/// Prolongs the notes that a key began and that end at a time; returns whether there are any.
fn prolong(model: &mut Model, trigger: Trigger, now: Duration) -> bool {
    let mut is_any = false;
    for note in model.notes.iter_mut().filter(|note| note.trigger == trigger && !note.released) {
        if let Ends::At(until) = note.ends {
            note.ends = Ends::At(until.max(now + REPEAT));
            is_any = true;
        }
    }
    is_any
}

/// Ends the notes that wait for the next press of what began them.
fn unlatch(model: &mut Model, trigger: Trigger) -> Vec<Intent> {
    release_those(model, |note| note.trigger == trigger && note.ends == Ends::NextPress)
}

/// Returns whether a key was down before; it is from here on.
fn is_down(model: &mut Model, pressed: char) -> bool {
    let was_down = model.down.contains(&pressed);
    if !was_down {
        model.down.push(pressed);
    }
    was_down
}

/// Handles a released key: ends the notes that wait for it, if there are any.
pub(super) fn key_up(model: &mut Model, typed: char) -> Vec<Intent> {
    let key = model.us_key(typed);
    let key = match keyboard::unshifted(key) {
        Some(plain) if !model.down.contains(&key) => plain,
        _ => key,
    };
    model.down.retain(|down| *down != key);
    release_those(model, |note| note.ends == Ends::KeyUp && note.trigger == Trigger::Key(key))
}

/// No key is down any more, as far as anybody will report.
pub(super) fn all_keys_up(model: &mut Model) -> Vec<Intent> {
    model.down.clear();
    release_those(model, |note| note.ends == Ends::KeyUp)
}

/// Everything is released by other means, and what keys do from here on is not reported.
pub(super) fn forget_keys(model: &mut Model) {
    model.down.clear();
    model.notes.iter_mut().for_each(|note| note.released = true);
}

/// Returns the notes whose time is over.
pub(super) fn due(model: &mut Model, now: Duration) -> Vec<Intent> {
    release_those(model, |note| matches!(note.ends, Ends::At(until) if until <= now))
}

/// Returns the next mode that makes sense on this terminal. Latched notes with a loop are released: nothing else would
/// end them.
pub(super) fn next_mode(model: &mut Model) -> Vec<Intent> {
    model.mode = model.mode.after(model.tells_release);
    match model.mode {
        Mode::Latch => Vec::new(),
        _ => release_those(model, |note| note.ends == Ends::NextPress && note.loops),
    }
}

fn release(note: &mut PlayedNote) -> Intent {
    note.released = true;
    Intent::NoteOff(note.number)
}

fn release_those(model: &mut Model, which: impl Fn(&PlayedNote) -> bool) -> Vec<Intent> {
    model.notes.iter_mut().filter(|note| !note.released && which(note)).map(release).collect()
}

/// The mouse is pressed on a key of the piano.
pub(super) fn mouse_down(model: &mut Model, semitone: u8, now: Duration) -> Vec<Intent> {
    let Some(key) = model.key_at(semitone) else { return Vec::new() };
    let trigger = Trigger::Mouse(key);
    let ended = if model.mode == Mode::Latch { unlatch(model, trigger) } else { Vec::new() };
    if ended.is_empty() { strike(model, trigger, semitone, now) } else { ended }
}

/// Returns whether the mouse is held down on another key of the piano than this.
pub(super) fn is_mouse_elsewhere(model: &Model, semitone: u8) -> bool {
    let key = model.key_at(semitone);
    let mut held = model.notes.iter().filter(|note| note.ends == Ends::KeyUp && !note.released);
    held.any(|note| matches!(note.trigger, Trigger::Mouse(other) if Some(other) != key))
}

/// The mouse is pressed no longer, or on another key: ends the notes that wait for it.
pub(super) fn mouse_up(model: &mut Model) -> Vec<Intent> {
    release_those(model, |note| note.ends == Ends::KeyUp && matches!(note.trigger, Trigger::Mouse(_)))
}

fn strike(model: &mut Model, trigger: Trigger, semitone: u8, now: Duration) -> Vec<Intent> {
    let Some(key) = model.key_at(semitone) else { return Vec::new() };
    match model.map {
        KeyMapMode::Chromatic => start(model, trigger, model.chosen, key, now),
        KeyMapMode::Kit => {
            let notes = model.begin_kit_note(key).into_iter();
            notes.flat_map(|(sound, key)| start(model, trigger, sound, key, now)).collect()
        }
    }
}

/// Plays the chosen sound at its own pitch, and ends the last one that was heard so.
pub(super) fn audition(model: &mut Model, now: Duration) -> Vec<Intent> {
    if model.chosen_entry().is_none() {
        return Vec::new();
    }
    let mut intents = release_those(model, |note| note.trigger == Trigger::Audition);
    intents.extend(start(model, Trigger::Audition, model.chosen, model.root(model.chosen), now));
    intents
}

fn start(model: &mut Model, trigger: Trigger, sound: usize, key: Key, now: Duration) -> Vec<Intent> {
    let Some(entry) = model.sounds.get(sound) else { return Vec::new() };
    if entry.silent.is_some() {
        show_reason(model, sound);
        return Vec::new();
    }
    model.warning = None;
    let loops = model.loops(sound);
    let waits = loops || model.map == KeyMapMode::Chromatic;
    let ends = match (trigger, model.mode) {
        (Trigger::Key(_), Mode::Real) if waits => Ends::KeyUp,
        // When a button goes up is reported everywhere.
        (Trigger::Mouse(_), Mode::Real | Mode::Gate) if waits => Ends::KeyUp,
        (Trigger::Key(_) | Trigger::Mouse(_), Mode::Latch) => Ends::NextPress,
        _ if !loops => Ends::Itself,
        // An audition is a long press.
        (Trigger::Audition, _) => Ends::At(now + 4 * GATE),
        (_, Mode::Oneshot) => Ends::At(now + once_through(entry, &model.voicing(sound), key).max(GATE)),
        _ => Ends::At(now + GATE),
    };
    let number = model.next;
    model.next = NoteNumber(number.0 + 1);
    model.notes.push(PlayedNote { number, trigger, sound, key, ends, loops, released: false });
    vec![Intent::NoteOn { number, sound, key, velocity: model.velocity }]
}

/// Shows why a sound cannot be played.
pub(super) fn show_reason(model: &mut Model, sound: usize) {
    let Some(entry) = model.sounds.get(sound) else { return };
    if let Some(reason) = &entry.silent {
        model.warning = Some(format!("#{} {}: {reason}", sound + 1, entry.name));
    }
}

/// Returns how long what is played of a sound lasts at a key.
fn once_through(entry: &SoundEntry, voicing: &Voicing, key: Key) -> Duration {
    let semitones = f32::from(entry.defaults.root.get()) - f32::from(key.get());
    let played = entry.length.and_then(|length| {
        let trim = voicing.trim_of(length)?;
        Some(trim.length().get() as f32 / length.get() as f32)
    });
    entry.lasts.mul_f32((semitones / 12.0).exp2() * played.unwrap_or(1.0))
}
