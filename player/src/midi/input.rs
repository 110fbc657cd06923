//! What comes through ports, played as it comes.

use std::collections::BTreeMap;

use crossbeam_channel::Receiver;
use engine::{Controller, Event, NoteId};
use song::{FilterKind, Frames, Key, Parameter, Voicing};

use super::controllers::{ControlledParameter, ControllerMap};
use super::interpreter::{MidiInterpreter, MidiNoteId, Mix, NoteOn, SynthAction};
use super::message::{ChannelMessage, Message, MidiChannel};
use super::note_allocator::{NoteAllocator, Refusal};
use super::port::{PortEvent, Ports};
use crate::library::waiting::WaitingNotes;
use crate::room::RoomParameter;

/// All ports together, as one instrument.
#[derive(Debug)]
pub struct MidiInput {
    ports: Ports,
    interpreter: MidiInterpreter,
    allocator: NoteAllocator,
    /// Mixes that found no room in the engine's queue, to be sent later.
    unsent: BTreeMap<MidiChannel, Mix>,
    /// Notes whose sound is not loaded.
    waiting: WaitingNotes<MidiNoteId, NoteOn>,
    /// Messages lost so far that were made up for.
    lost: u64,
    /// Which controllers set which parameters.
    controllers: ControllerMap,
    /// The parameter that the next controller is to set.
    learning: Option<ControlledParameter>,
    /// What controllers have set, to be fetched, and the values.
    turned: Vec<(TurnedParameter, f64)>,
}

/// A parameter that a controller has set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnedParameter {
    /// Of a sound, by its index.
    Sound(usize, Parameter),
    /// Of the room.
    Room(RoomParameter),
}

/// What the player should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something has changed.
    Info(String),
    /// Something went wrong.
    Warning(String),
}

impl MidiInput {
    /// For so many sounds.
    #[must_use]
    pub fn new(ports: Ports, sounds: usize) -> Self {
        let (interpreter, allocator) = (MidiInterpreter::new(sounds, 0), NoteAllocator::default());
        let (unsent, waiting) = (BTreeMap::new(), WaitingNotes::default());
        let (controllers, learning, turned) = (ControllerMap::default(), None, Vec::new());
        Self { ports, interpreter, allocator, unsent, waiting, lost: 0, controllers, learning, turned }
    }

    /// Sets which controllers set which parameters.
    pub fn set_controllers(&mut self, controllers: ControllerMap) {
        self.controllers = controllers;
    }

    /// Returns which controllers set which parameters.
    #[must_use]
    pub const fn controllers(&self) -> &ControllerMap {
        &self.controllers
    }

    /// Returns whether a controller does nothing but what it was set to: it sets a parameter, or is about to.
    #[must_use]
    pub fn is_learned(&self, number: u8) -> bool {
        self.learning.is_some() || self.controllers.learned(number).is_some()
    }

    /// Lets the next controller that comes set a parameter; none ends the waiting.
    pub const fn learn(&mut self, parameter: Option<ControlledParameter>) {
        self.learning = parameter;
    }

    /// Returns the parameter that waits for a controller.
    #[must_use]
    pub const fn learning(&self) -> Option<ControlledParameter> {
        self.learning
    }

    /// Returns what controllers have set since, and the values.
    pub fn take_turned(&mut self) -> Vec<(TurnedParameter, f64)> {
        std::mem::take(&mut self.turned)
    }

    /// Takes a controller that is to be learned, or was; returns whether it was one.
    fn take_controller(&mut self, channel: MidiChannel, number: u8, value: u8) -> bool {
        if let Some(parameter) = self.learning.take_if(|parameter| self.controllers.learn(number, *parameter))
        {
            self.turn(self.interpreter.sound_of(channel), parameter, value);
            return true;
        }
        let learned = self.controllers.learned(number);
        if let Some(parameter) = learned {
            self.turn(self.interpreter.sound_of(channel), parameter, value);
        }
        learned.is_some()
    }

    /// Notes that a controller has set a parameter, of that sound if it is one of a sound.
    fn turn(&mut self, sound: usize, parameter: ControlledParameter, value: u8) {
        let turned = match parameter {
            ControlledParameter::Sound(parameter) => TurnedParameter::Sound(sound, parameter),
            ControlledParameter::Room(parameter) => TurnedParameter::Room(parameter),
        };
        // Of several steps of one knob the last is heard.
        self.turned.retain(|(other, _)| *other != turned);
        self.turned.push((turned, parameter.at(value)));
    }

    /// Returns where [`play`](Self::play) wants its events from.
    #[must_use]
    pub const fn events(&self) -> &Receiver<PortEvent> {
        self.ports.events()
    }

    /// Sets how many sounds there are.
    pub const fn set_sounds(&mut self, sounds: usize) {
        self.interpreter.set_sounds(sounds);
    }

    /// Returns the sounds that notes wait for which are not loaded.
    pub fn wanted(&self) -> impl Iterator<Item = usize> {
        self.waiting.sounds()
    }

    /// Plays what waited for a sound that is loaded now.
    pub fn play_waiting(&mut self, controller: &mut Controller, sound: usize) -> Option<Notice> {
        let mut warning = None;
        for (note_on, held) in self.waiting.take(sound) {
            warning = self.execute(controller, vec![SynthAction::NoteOn(note_on)]).or(warning);
            if let Some(held) = held {
                let at = Frames::new(controller.now().get().saturating_add(held.get()));
                let off = self.allocator.execute(controller, SynthAction::NoteOff(note_on.note), Some(at));
                // A note that cannot be released would hang: better none at all.
                if off.is_err() {
                    controller.all_sound_off();
                }
            }
        }
        warning.map(Notice::Warning)
    }

    /// Forgets what waits for a sound that cannot be played.
    pub fn forget_waiting(&mut self, sound: usize) {
        drop(self.waiting.take(sound));
    }

    /// Begins the notes of a sound like this from here on.
    pub fn voice(&mut self, controller: &mut Controller, sound: usize, voicing: Voicing) {
        self.allocator.voice(sound, voicing);
        self.allocator.follow_sends(controller, None);
    }

    /// Returns the keys that are held, by fingers or pedals.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.interpreter.keys()
    }

    /// Returns the index of the sound that a note plays, if it is one of those played here.
    #[must_use]
    pub fn sound(&self, note: NoteId) -> Option<usize> {
        self.allocator.sound(note)
    }

    /// Returns the notes of a sound that are played here, and the filter that it had when they began.
    pub fn notes_of(&self, sound: usize) -> impl Iterator<Item = (NoteId, Option<FilterKind>)> {
        self.allocator.notes_of(sound)
    }

    /// Plays what came from a port. `selected` is the index of the sound on the screen. What the player should know
    /// comes back.
    ///
    /// While there is a `refusal` no note begins, and the refusal is returned.
    pub fn play(
        &mut self,
        controller: &mut Controller,
        event: PortEvent,
        selected: usize,
        refusal: Option<&str>,
    ) -> Option<Notice> {
        self.interpreter.select(selected);
        match event {
            PortEvent::Message(_, Message::To(channel, ChannelMessage::Control(control, value)))
                if self.take_controller(channel, control.number(), value) =>
            {
                None
            }
            PortEvent::Message(source, message) => {
                let mut actions = self.interpreter.handle(source, message);
                let wanted = actions.len();
                actions.retain(|action| refusal.is_none() || !matches!(action, SynthAction::NoteOn(_)));
                let refused = refusal.filter(|_| actions.len() < wanted).map(str::to_owned);
                self.execute(controller, actions).or(refused).map(Notice::Warning)
            }
            PortEvent::Plugged(name) => Some(Notice::Info(format!("MIDI: {name}"))),
            PortEvent::Unplugged(source, name) => {
                let actions = self.interpreter.release(source);
                let warning = self.execute(controller, actions).map(Notice::Warning);
                warning.or_else(|| Some(Notice::Info(format!("MIDI: {name} is gone"))))
            }
            PortEvent::Problem(problem) => Some(Notice::Warning(format!("MIDI: {problem}"))),
        }
    }

    /// Looks after what could not be done at once; to be called several times a second.
    pub fn poll(&mut self, controller: &mut Controller) -> Option<Notice> {
        let unsent =
            std::mem::take(&mut self.unsent).into_iter().map(|(channel, mix)| SynthAction::Mix(channel, mix));
        let warning = self.execute(controller, unsent.collect());
        self.allocator.follow_sends(controller, None);
        let lost = self.ports.lost();
        if lost == self.lost {
            return warning.map(Notice::Warning);
        }
        self.lost = lost;
        // Among what was lost may be the end of a note, also of one that waits here. So nothing is held, and nothing
        // begins, that came before now.
        while let Ok(event) = self.ports.events().try_recv() {
            if let PortEvent::Unplugged(source, _) = event {
                let actions = self.interpreter.release(source);
                self.execute(controller, actions);
            }
        }
        let actions = self.interpreter.release_all();
        self.execute(controller, actions);
        Some(Notice::Warning(format!("MIDI: {lost} messages were lost")))
    }

    /// Handles what the engine reports.
    pub fn handle_event(&mut self, event: &Event) {
        self.allocator.handle_event(event);
    }

    fn execute(&mut self, controller: &mut Controller, actions: Vec<SynthAction>) -> Option<String> {
        let mut warning = None;
        for action in actions {
            let now = controller.now();
            match action {
                // What is sent now is newer.
                SynthAction::Mix(channel, _) => drop(self.unsent.remove(&channel)),
                SynthAction::NoteOff(note) => drop(self.waiting.release(&note, now)),
                SynthAction::SoundOff(channel) => self.waiting.retain(|note| note.channel != channel),
                SynthAction::Silence => self.waiting.retain(|_| false),
                SynthAction::Controller(sound, number, value) => {
                    if let Some(parameter) = ControllerMap::standard(number) {
                        self.turn(sound, ControlledParameter::Sound(parameter), value);
                    }
                }
                SynthAction::NoteOn(_) | SynthAction::Missing(..) => {}
            }
            match (self.allocator.execute(controller, action, None), action) {
                (Ok(()), _) => {}
                (Err(Refusal::NotLoaded), SynthAction::NoteOn(note_on)) => {
                    self.waiting.add(note_on.note, note_on, note_on.sound, now);
                }
                // Nothing else needs a sound.
                (Err(Refusal::NotLoaded), _) => {}
                (Err(Refusal::NoZone(why) | Refusal::Never(why)), _) => warning = Some(why),
                (Err(Refusal::Full), SynthAction::Mix(channel, mix)) => {
                    self.unsent.insert(channel, mix);
                }
                (Err(Refusal::Full), SynthAction::NoteOn(_)) => {
                    warning = Some("too many notes at once".to_owned());
                }
                // A note that cannot be released would hang: better none at all.
                (Err(Refusal::Full), _) => controller.all_sound_off(),
            }
        }
        warning
    }
}

#[cfg(test)]
mod tests;
