//! What a message changes, and what is to be done about it. Pure: time comes with the message.

mod commands;
mod devices;
mod help;
mod knobs;
mod list;
mod listing;
mod mouse;
mod notes;
mod repeats;
mod replay;
mod saving;
mod search;
mod switches;
mod zones;
mod zoom;

use std::time::Duration;

use importer::SwitchValue;
use ratatui::layout::Rect;
use song::{Key, Velocity, Voicing};

use super::hit_target::HitTarget;
use super::layout::{Areas, Wanted, inside};
use super::model::{Model, SoundEntry, View};
use crate::keymap::KeyCommand;
use player::keyboard::{KeyAdjustment, Scheme};
use player::live::{LiveEvent, NoteNumber, SaveRequest, SongCommand};
use player::midi::controllers::ControlledParameter;
use player::room::Room;

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// A key of the computer keyboard was pressed. Where the terminal does not report it, it may also be held and
    /// repeat.
    Press(Press),
    /// A key is held and repeats, as the terminal reports.
    Repeat(Press),
    /// The key of a character was released.
    Release(char),
    /// A US keyboard has another character at the place of a key.
    KeyPlace {
        /// What the key types without shift.
        typed: char,
        /// What a US keyboard has there.
        us_key: char,
    },
    /// The mouse did something.
    Mouse {
        /// What.
        action: MouseAction,
        /// On what.
        target: HitTarget,
    },
    /// Sounds are searched for: what their names are to contain.
    Search(String),
    /// The keyboard belongs to another window: nobody reports what is released there.
    FocusLost,
    /// Time has passed.
    Tick,
    /// What has become of what is played.
    Live(LiveEvent<SoundEntry>),
}

/// What the mouse does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseAction {
    /// The left button goes down.
    Down,
    /// The right button goes down.
    RightDown,
    /// It moves with the left button down.
    Drag,
    /// The left button goes up.
    Up,
    /// The wheel turns: so many steps down.
    Wheel(isize),
}

/// A key of the computer keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A character.
    Char(char),
    /// A character together with shift.
    Shifted {
        /// What its key types without shift; where that is not reported, what it types.
        key: char,
        /// What it types.
        types: char,
    },
    /// The arrow up: so many sounds back.
    Up(usize),
    /// The arrow down: so many sounds on.
    Down(usize),
    /// The arrow up with shift.
    ShiftUp,
    /// The arrow down with shift.
    ShiftDown,
    /// The arrow to the left: so many steps less.
    Left(usize),
    /// The arrow to the right: so many steps more.
    Right(usize),
    /// Takes back what was typed or turned.
    Backspace,
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
    /// A key that has a command.
    Command(KeyCommand),
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
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
    /// Play a sound like this from here on, as far as possible what sounds of it too.
    Voice {
        /// Its index.
        sound: usize,
        /// How.
        voicing: Box<Voicing>,
    },
    /// Let the next MIDI controller that is turned set a parameter; none ends the waiting.
    Learn(Option<ControlledParameter>),
    /// Take no controller of the user's for a parameter any more.
    Forget(ControlledParameter),
    /// Let so many voices sound at once.
    Polyphony(usize),
    /// Begin a take.
    StartTake,
    /// End the take and keep its file.
    StopTake,
    /// Write what was just played to a file.
    Write,
    /// Silence all voices.
    Silence,
    /// Write sounds as they are adjusted to a file.
    SaveSounds(SaveRequest),
    /// Play all sounds in this room.
    Room(Room),
    /// Let the events of the package that a sound is in play what values of switches and states choose.
    Switch {
        /// Index of the sound.
        sound: usize,
        /// Values of the switches and states of the package.
        values: Vec<SwitchValue>,
    },
    /// Search for devices; [`LiveEvent::Devices`] follows.
    FindDevices,
    /// Steer the song.
    Song(SongCommand),
    /// Play on a device: its index in the last [`LiveEvent::Devices`].
    UseDevice(usize),
    /// Give the terminal back for a while.
    Suspend,
    /// End the program.
    Quit,
}

/// What a step of `-` and `=` is.
const VELOCITY_STEP: u8 = 8;
/// Steps of an arrow together with shift; also how many make an arrow mean all groups.
pub const MANY: usize = 10;
/// How long a notice is shown.
const NOTICED: Duration = Duration::from_secs(8);

/// Returns the new model, and what is to be done, in order. `now` counts from the start of the program.
pub fn update(model: &mut Model, msg: Msg, now: Duration) -> Vec<Intent> {
    match msg {
        Msg::Press(press) => return settled(model, false, |model| pressed(model, press, now)),
        Msg::Repeat(press) => return settled(model, false, |model| repeated(model, press, now)),
        Msg::Release(typed) => return notes::key_up(model, typed),
        Msg::Mouse { action, target } => {
            let is_still = !matches!(action, MouseAction::Wheel(_));
            return settled(model, is_still, |model| mouse::handle(model, action, target, now));
        }
        Msg::KeyPlace { typed, us_key } => model.place_key(typed, us_key),
        Msg::Search(words) => search::set(model, words),
        Msg::FocusLost => return notes::all_keys_up(model),
        Msg::Tick => {
            model.meters.iter_mut().for_each(|meter| meter.fall(now));
            model.limited.fall();
            if let Some(song) = &mut model.song {
                song.fall();
            }
            model.notice.take_if(|(_, until)| *until <= now);
            if let Some(take) = &mut model.take {
                take.now = now;
            }
            return notes::due(model, now);
        }
        Msg::Live(LiveEvent::AllListed) => {
            model.is_listing = false;
            replay::show_list(model);
            return replay::arranged(model);
        }
        Msg::Live(event) => happened(model, event, now),
    }
    Vec::new()
}

/// Does something, and then scrolls the lists as far as what is chosen needs; `is_still` if rows were clicked.
fn settled(model: &mut Model, is_still: bool, act: impl FnOnce(&mut Model) -> Vec<Intent>) -> Vec<Intent> {
    // What is seen may have been scrolled for another choice or size than the last act left.
    scroll(model);
    let intents = act(model);
    (model.list.scroll.is_still, model.songs.scroll.is_still) = (is_still, is_still);
    scroll(model);
    intents
}

/// Scrolls the lists to where they are drawn.
fn scroll(model: &mut Model) {
    let (width, height) = model.size;
    let Areas { middle, list, .. } = Areas::of(Rect::new(0, 0, width, height), Wanted::of(model));
    // The first line has the heads of the columns.
    let seen = |area| usize::from(inside(area).height).saturating_sub(1);
    model.list.scroll.top = model.list.first_row(model.chosen, seen(list));
    model.songs.scroll.top = model.songs.first_row(seen(middle));
}

/// Handles what has become of what is played.
fn happened(model: &mut Model, event: LiveEvent<SoundEntry>, now: Duration) {
    match event {
        LiveEvent::Began(..) => model.loading = None,
        LiveEvent::Ended(number) => model.notes.retain(|note| note.number != number),
        LiveEvent::Refused(number, why) => {
            model.notes.retain(|note| note.number != number);
            model.loading = None;
            model.warning = Some(why);
        }
        LiveEvent::Warning(what) => model.warning = Some(what),
        LiveEvent::Notice(what) => {
            model.warning = None;
            model.notice = Some((what, now + NOTICED));
        }
        LiveEvent::Meter { peaks, limited, voices } => {
            model.voices.0 = voices;
            model.limited.hear(limited);
            for (meter, peak) in model.meters.iter_mut().zip(peaks) {
                meter.update(peak, now);
            }
        }
        LiveEvent::Sounding { positions, midi } => {
            zones::hear(model, &midi, now + NOTICED);
            (model.positions, model.midi) = (positions, midi);
        }
        LiveEvent::Picture(picture) => model.picture = Some(picture),
        LiveEvent::Output(status) => model.status = status,
        LiveEvent::Playing { device, rate } => (model.device, model.rate) = (device, rate),
        LiveEvent::Devices(entries) => devices::found(model, entries),
        LiveEvent::TakeEnded => model.take = None,
        LiveEvent::Listed { sounds, voicings, chosen, is_one_of_many, switches } => {
            model.switches.extend(switches);
            listing::listed(model, sounds, voicings, chosen, is_one_of_many);
        }
        LiveEvent::Switched(sounds) => switches::switched(model, &sounds),
        LiveEvent::AllListed => {}
        LiveEvent::Turned(sound, parameter, voicing) => knobs::turned(model, sound, parameter, *voicing),
        LiveEvent::RoomTurned(parameter, value) => knobs::room_turned(model, parameter, value),
        LiveEvent::Loading(sound) => model.loading = Some(sound),
        LiveEvent::Unplayable(sound, why) => listing::unplayable(model, sound, &why),
        LiveEvent::Song(event) => replay::happened(model, event, now),
    }
}

fn pressed(model: &mut Model, press: Press, now: Duration) -> Vec<Intent> {
    model.is_touched = true;
    if let Some(intents) = help::pressed(model, press).or_else(|| in_menu(model, press, now)) {
        return intents;
    }
    let elsewhere = match model.view {
        View::Sounds if model.list.is_typing => search::pressed(model, press, now),
        View::Sounds if model.is_adjusting => knobs::pressed(model, press, now + NOTICED),
        _ => replay::pressed(model, press, now),
    };
    elsewhere.unwrap_or_else(|| pressed_as_always(model, press, now))
}

/// Returns what a key does in the menu that is shown, if one is and has a use for the key.
fn in_menu(model: &mut Model, press: Press, now: Duration) -> Option<Vec<Intent>> {
    let devices_or_files = devices::pressed(model, press).or_else(|| saving::pressed(model, press, now));
    devices_or_files.or_else(|| switches::pressed(model, press))
}

fn pressed_as_always(model: &mut Model, press: Press, now: Duration) -> Vec<Intent> {
    match press {
        Press::Escape if model.list.is_filtered() => search::clear(model),
        Press::Escape => {
            model.notes.clear();
            model.loading = None;
            return vec![Intent::Silence];
        }
        Press::Char(' ') | Press::Shifted { key: ' ', .. } if model.song.is_some() => {
            return replay::steer(model, KeyCommand::PlaySong, now);
        }
        Press::Char(' ') | Press::Shifted { key: ' ', .. } => {
            model.notes.iter_mut().for_each(|note| note.released = true);
            return vec![Intent::ReleaseAll];
        }
        Press::Char('?') | Press::Shifted { types: '?', .. } => help::toggle(model),
        Press::Char(typed) | Press::Shifted { key: typed, .. } => return character(model, typed, false, now),
        Press::Enter if model.list.marked.is_some() => list::unfold(model, false),
        Press::Enter => return notes::audition(model, now),
        Press::ShiftUp => return choose(model, now, |model| list::step(model, -MANY.cast_signed())),
        Press::ShiftDown => return choose(model, now, |model| list::step(model, MANY.cast_signed())),
        Press::Up(by) => return choose(model, now, |model| list::step(model, -by.cast_signed())),
        Press::Down(by) => return choose(model, now, |model| list::step(model, by.cast_signed())),
        Press::Home => return choose(model, now, |model| list::to_end(model, false)),
        Press::End => return choose(model, now, |model| list::to_end(model, true)),
        Press::Left(by) => list::fold(model, by >= MANY),
        Press::Right(by) => list::unfold(model, by >= MANY),
        Press::Backspace => {}
        Press::Tab => return notes::next_mode(model),
        Press::Command(command) => return commands::run(model, command, now),
    }
    Vec::new()
}

/// Chooses another sound, which is heard where the user wants that.
fn choose(model: &mut Model, now: Duration, step: impl FnOnce(&mut Model)) -> Vec<Intent> {
    let before = model.chosen;
    step(model);
    if model.previews && model.chosen != before { notes::audition(model, now) } else { Vec::new() }
}

/// Handles the repeats of a held key: it goes on doing what is done by degrees, and switches nothing to and fro.
fn repeated(model: &mut Model, press: Press, now: Duration) -> Vec<Intent> {
    match press {
        Press::Up(_) | Press::Down(_) | Press::ShiftUp | Press::ShiftDown => pressed(model, press, now),
        Press::Command(
            KeyCommand::Slower | KeyCommand::Faster | KeyCommand::ZoomIn | KeyCommand::ZoomOut,
        ) => pressed(model, press, now),
        Press::Left(_) | Press::Right(_) if model.is_adjusting || model.view.is_of_songs() => {
            pressed(model, press, now)
        }
        Press::Char(_) | Press::Shifted { .. } | Press::Backspace if is_typing(model) => {
            pressed(model, press, now)
        }
        Press::Char(_) | Press::Shifted { .. } if replay::typed_command(model, press).is_some() => {
            if goes_by_degrees(model, press) {
                pressed(model, press, now)
            } else {
                Vec::new()
            }
        }
        Press::Char(typed) | Press::Shifted { key: typed, .. } if typed != ' ' && model.help.is_none() => {
            character(model, typed, true, now)
        }
        _ => Vec::new(),
    }
}

/// Returns whether what is typed goes into a box.
const fn is_typing(model: &Model) -> bool {
    if let Some(help) = &model.help {
        return help.is_typing;
    }
    match model.view {
        View::Sounds => model.list.is_typing,
        View::Songs => model.songs.is_typing,
        View::Pattern | View::About => false,
    }
}

/// Returns whether a key that types is a command that goes on while it is held.
fn goes_by_degrees(model: &Model, press: Press) -> bool {
    use KeyCommand::{Faster, Louder, Narrower, Slower, Softer, Wider};
    let degrees = [Louder, Softer, Narrower, Wider, Slower, Faster];
    model.help.is_none()
        && replay::typed_command(model, press).is_some_and(|command| degrees.contains(&command))
}

fn character(model: &mut Model, typed: char, repeats: bool, now: Duration) -> Vec<Intent> {
    let key = model.us_key(typed);
    let scheme = Scheme::of(model.layout);
    match (scheme.semitone(key), scheme.turn(key)) {
        (Some(semitone), _) => return notes::key_down(model, key, semitone, repeats, now),
        (None, Some(KeyAdjustment::Octave(up))) => {
            model.turn_octave(up);
        }
        (None, Some(KeyAdjustment::Velocity(louder))) => {
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
