//! Knobs: what is changed about the chosen sound while playing, and how many voices there are.

use std::time::Duration;

use player::Quality;
use player::midi::controllers::ControlledParameter;
use player::room::{Room, RoomParameter};
use player::saved_instrument::{ZoneParameter, ZoneRanges};

use super::{Intent, MANY, Press, notes, zones};
use crate::keymap::KeyCommand;
use crate::model::history::{SoundChange, SoundSettings};
use crate::model::knob::Knob;
use crate::model::{Model, SoundEntry, snapped, with_end, with_start};
use song::{FrameRange, Frames, Parameter, Voicing};

/// Why a loop does not repeat.
const LOOP_CUT: &str = "the trim leaves out some of its loop, which does not repeat";

/// Steps that the frames shown are divided into for the trim.
const TRIM_STEPS: u64 = 64;

/// Returns what a key does while knobs are turned; none if it does what it always does.
pub(super) fn pressed(model: &mut Model, press: Press, until: Duration) -> Option<Vec<Intent>> {
    match press {
        Press::Up(1) => model.knob = model.knob.further(-1),
        Press::Down(1) => model.knob = model.knob.further(1),
        Press::Up(_) => model.knob = model.knob.on_page(-1),
        Press::Down(_) => model.knob = model.knob.on_page(1),
        Press::Left(steps) => return Some(turn(model, -steps.cast_signed(), until)),
        Press::Right(steps) => return Some(turn(model, steps.cast_signed(), until)),
        Press::Backspace => return Some(reset(model, until)),
        _ => return None,
    }
    Some(Vec::new())
}

/// Waits for a MIDI controller that is to turn the knob, or for a MIDI note that is to be the key of a zone; asked for
/// again, waits no longer and forgets the controller that did.
pub(super) fn learn(model: &mut Model, until: Duration) -> Vec<Intent> {
    let name = model.knob.name();
    let (what, parameter) = match model.knob {
        _ if !model.is_adjusting => {
            let key = model.keymap.hint(KeyCommand::Adjust);
            model.notice =
                Some((format!("choose a knob first{key}: a MIDI controller can turn it then"), until));
            return Vec::new();
        }
        Knob::Of(parameter) => ("turn a MIDI controller", Some(ControlledParameter::Sound(parameter))),
        Knob::Room(parameter) => ("turn a MIDI controller", Some(ControlledParameter::Room(parameter))),
        Knob::Zone(ZoneParameter::LowKey | ZoneParameter::HighKey) => ("play a MIDI note", None),
        _ => {
            model.notice = Some((format!("a MIDI controller cannot set {name}"), until));
            return Vec::new();
        }
    };
    if model.learning.take() == Some(model.knob) {
        model.notice = None;
        return [Intent::Learn(None)].into_iter().chain(parameter.map(Intent::Forget)).collect();
    }
    model.learning = Some(model.knob);
    let key = model.keymap.hint(KeyCommand::Learn);
    model.notice = Some((format!("{what} for {name}; again{key}: none"), until));
    // The knob waits instead of any other.
    vec![Intent::Learn(parameter)]
}

/// A MIDI controller has turned a parameter of a sound.
pub(super) fn turned(model: &mut Model, sound: usize, parameter: Parameter, voicing: Voicing) {
    let knob = Knob::Of(parameter);
    model.learning.take_if(|learning| *learning == knob);
    let before = model.settings(sound);
    model.history.push(SoundChange { sound, knob, before, after: SoundSettings { voicing, ..before } });
    // It plays like this already.
    let _ = set(model, sound, voicing);
}

/// A MIDI controller has turned a parameter of the room.
pub(super) fn room_turned(model: &mut Model, parameter: RoomParameter, value: f64) {
    model.learning.take_if(|learning| *learning == Knob::Room(parameter));
    parameter.set(&mut model.room, value);
}

/// Turns the loop of the chosen sound on or off.
pub(super) fn toggle_loop(model: &mut Model, until: Duration) -> Vec<Intent> {
    if model.is_loop_cut(model.chosen) {
        model.notice = Some((LOOP_CUT.to_owned(), until));
        return Vec::new();
    }
    let on = !model.loops(model.chosen);
    change(model, Knob::Loop, |_, voicing| voicing.looping = Some(on))
}

/// Turns the knob that is chosen.
pub(super) fn turn(model: &mut Model, steps: isize, until: Duration) -> Vec<Intent> {
    let quality = model.quality;
    let knob = model.knob;
    match knob {
        Knob::Of(parameter) => change(model, knob, |own, voicing| {
            let own = own.defaults;
            let value = parameter.scale().stepped(parameter.get(voicing, &own), steps);
            parameter.set(voicing, &own, value);
        }),
        Knob::Loop if model.is_loop_cut(model.chosen) => {
            model.warning = Some(LOOP_CUT.to_owned());
            Vec::new()
        }
        Knob::Loop => change(model, knob, |_, voicing| voicing.looping = Some(steps > 0)),
        Knob::Quality => change(model, knob, |_, voicing| {
            let now = voicing.quality.unwrap_or(quality);
            let place = Quality::ALL.iter().position(|other| *other == now).unwrap_or_default();
            let place = place.saturating_add_signed(steps).min(Quality::ALL.len() - 1);
            voicing.quality = Some(Quality::ALL[place]);
        }),
        Knob::Voices => voices(model, model.voices.1.saturating_add_signed(steps)),
        Knob::Trim => step_trim(model, steps),
        Knob::Room(parameter) => {
            let value = parameter.scale().stepped(parameter.get(&model.room), steps);
            room(model, parameter, value)
        }
        Knob::Zone(parameter) => {
            zones::change(model, parameter, until, |zone| parameter.step(zone, steps));
            Vec::new()
        }
    }
}

/// As it was before it was turned.
fn reset(model: &mut Model, until: Duration) -> Vec<Intent> {
    let knob = model.knob;
    match knob {
        Knob::Of(parameter) => change(model, knob, |own, voicing| {
            let own = own.defaults;
            let filter = voicing.shape.filter.kind;
            parameter.set(voicing, &own, parameter.default_value(&own));
            // A filter that is off is not switched on by that.
            if parameter == Parameter::Cutoff {
                voicing.shape.filter.kind = filter;
            }
        }),
        Knob::Loop => change(model, knob, |_, voicing| (voicing.looping, voicing.loop_range) = (None, None)),
        Knob::Quality => change(model, knob, |_, voicing| voicing.quality = None),
        Knob::Voices => voices(model, model.polyphony.0),
        Knob::Trim => set_trim(model, None),
        Knob::Room(parameter) => room(model, parameter, parameter.get(&Room::default())),
        Knob::Zone(parameter) => {
            let value = parameter.get(&ZoneRanges::default());
            zones::change(model, parameter, until, |zone| parameter.set(zone, value));
            Vec::new()
        }
    }
}

/// Sets which frames of the chosen sound repeat.
pub(super) fn set_loop(model: &mut Model, range: FrameRange) -> Vec<Intent> {
    let intents = change(model, Knob::Loop, |_, voicing| {
        (voicing.looping, voicing.loop_range) = (Some(true), Some(range));
    });
    say_if_cut(model);
    intents
}

/// Says that the loop of the chosen sound does not repeat because of its trim, if it is so.
fn say_if_cut(model: &mut Model) {
    if model.is_loop_cut(model.chosen) {
        model.warning = Some(LOOP_CUT.to_owned());
    }
}

/// Sets which frames of the chosen sound are played; all if it is none, or from the first to the last.
pub(super) fn set_trim(model: &mut Model, trim: Option<FrameRange>) -> Vec<Intent> {
    let waveform = model.chosen_picture().and_then(|picture| picture.waveform.as_ref());
    let length = waveform.map(|waveform| waveform.length);
    let trim = trim.filter(|trim| trim.start > Frames::ZERO || Some(trim.end) != length);
    let intents = change(model, Knob::Trim, |_, voicing| voicing.trim = trim);
    say_if_cut(model);
    intents
}

/// Moves the start of what is played of the chosen sound by steps of 1/64 of the frames shown; with Shift, which makes
/// ten steps of one, its end by one step. Each moves on to a rising zero crossing that is near.
fn step_trim(model: &mut Model, steps: isize) -> Vec<Intent> {
    if model.chosen_picture().is_some_and(|picture| picture.recordings > 1) {
        model.warning = Some("a sound of several recordings is played whole".to_owned());
        return Vec::new();
    }
    let waveform = model.chosen_picture().and_then(|picture| picture.waveform.as_ref());
    let Some(waveform) = waveform else { return Vec::new() };
    let length = waveform.length.get();
    let window = model.zoom.window(model.chosen, length);
    let step = (window.end.saturating_sub(window.start) / TRIM_STEPS).max(1);
    // Less than a step, so that no crossing holds it back.
    let near = |frame| snapped(waveform, step / 2, frame);
    let moved = |frame: u64, steps: isize| {
        let by = step.saturating_mul(steps.unsigned_abs() as u64);
        if steps < 0 { frame.saturating_sub(by) } else { frame.saturating_add(by) }
    };
    let trim = model.trim(waveform);
    let range = if steps.unsigned_abs() >= MANY {
        with_end(trim.start, moved(trim.end, steps.signum()), length, near)
    } else {
        with_start(moved(trim.start, steps), trim.end, near)
    };
    let Some((start, end)) = range else { return Vec::new() };
    set_trim(model, Some(FrameRange { start: Frames::new(start), end: Frames::new(end) }))
}

/// Changes the chosen sound, given what it says itself. What is as it always was counts as not changed.
fn change(model: &mut Model, knob: Knob, how: impl FnOnce(&SoundEntry, &mut Voicing)) -> Vec<Intent> {
    let sound = model.chosen;
    let Some(entry) = model.sounds.get(sound) else { return Vec::new() };
    if entry.silent.is_some() {
        notes::show_reason(model, sound);
        return Vec::new();
    }
    let before = model.settings(sound);
    let mut voicing = before.voicing;
    how(entry, &mut voicing);
    let loops = entry.loops || voicing.loop_range.is_some();
    voicing.looping.take_if(|on| *on == loops);
    voicing.envelope.take_if(|envelope| *envelope == entry.defaults.envelope);
    voicing.quality.take_if(|quality| *quality == model.quality);
    if voicing == before.voicing {
        return Vec::new();
    }
    model.history.push(SoundChange { sound, knob, before, after: SoundSettings { voicing, ..before } });
    set(model, sound, voicing)
}

/// Undoes the last change, or does it again; the sound is chosen, so that one sees which it was.
pub(super) fn step_back(model: &mut Model, is_undo: bool, until: Duration) -> Vec<Intent> {
    let change = if is_undo { model.history.undo() } else { model.history.redo() };
    let Some(SoundChange { sound, knob, before, after }) = change else {
        let what = if is_undo { "nothing to undo" } else { "nothing to do again" };
        model.notice = Some((what.to_owned(), until));
        return Vec::new();
    };
    model.chosen = sound;
    super::list::arrange(model);
    let what = if is_undo { "undone" } else { "done again" };
    model.notice = Some((format!("{what}: {} of sound {}", knob.name(), sound + 1), until));
    let SoundSettings { voicing, zone } = if is_undo { before } else { after };
    model.set_zone(sound, zone);
    if voicing == model.voicing(sound) { Vec::new() } else { set(model, sound, voicing) }
}

/// Changes a sound. One that is as it always was counts as not changed.
fn set(model: &mut Model, sound: usize, voicing: Voicing) -> Vec<Intent> {
    if voicing == Voicing::default() {
        model.voicings.remove(&sound);
    } else {
        model.voicings.insert(sound, voicing);
    }
    vec![Intent::Voice { sound, voicing: Box::new(voicing) }]
}

/// Sets a parameter of the room.
fn room(model: &mut Model, parameter: RoomParameter, value: f64) -> Vec<Intent> {
    let before = model.room;
    parameter.set(&mut model.room, value);
    if before == model.room { Vec::new() } else { vec![Intent::Room(model.room)] }
}

fn voices(model: &mut Model, wanted: usize) -> Vec<Intent> {
    let voices = wanted.clamp(1, model.polyphony.1);
    let before = std::mem::replace(&mut model.voices.1, voices);
    if before == voices { Vec::new() } else { vec![Intent::Polyphony(voices)] }
}
