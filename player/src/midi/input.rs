//! What comes through ports, played as it comes.

use std::collections::BTreeMap;

use crossbeam_channel::Receiver;
use engine::{Controller, Event, NoteId};
use song::Key;

use super::interpreter::{MidiInterpreter, Mix, SynthAction};
use super::message::MidiChannel;
use super::note_allocator::{NoteAllocator, Refusal};
use super::port::{PortEvent, Ports};
use crate::voicing::Voicing;

/// All ports together, as one instrument.
#[derive(Debug)]
pub struct MidiInput {
    ports: Ports,
    interpreter: MidiInterpreter,
    allocator: NoteAllocator,
    /// How channels are to sound that the engine could not be reported, to be reported later.
    untold: BTreeMap<MidiChannel, Mix>,
    /// Messages lost so far that were made up for.
    lost: u64,
}

/// What the player should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something has changed.
    Notice(String),
    /// Something went wrong.
    Complaint(String),
}

impl MidiInput {
    /// For so many sounds.
    #[must_use]
    pub fn new(ports: Ports, sounds: usize) -> Self {
        let (interpreter, allocator) = (MidiInterpreter::new(sounds, 0), NoteAllocator::default());
        Self { ports, interpreter, allocator, untold: BTreeMap::new(), lost: 0 }
    }

    /// Returns where [`play`](Self::play) wants its events from.
    #[must_use]
    pub const fn events(&self) -> &Receiver<PortEvent> {
        self.ports.events()
    }

    /// Begins the notes of a sound like this from here on.
    pub fn voice(&mut self, sound: usize, voicing: Voicing) {
        self.allocator.voice(sound, voicing);
    }

    /// Returns the keys that are held, by fingers or pedals.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.interpreter.keys()
    }

    /// Returns index of the sound that a note plays, if it is one of those played here.
    #[must_use]
    pub fn sound(&self, note: NoteId) -> Option<usize> {
        self.allocator.sound(note)
    }

    /// Plays what came from a port. `selected` is the index of the sound on the screen. What the player should know
    /// comes back.
    ///
    /// While there is a `refusal` no note begins, and that is reported.
    pub fn play(
        &mut self,
        controller: &mut Controller,
        event: PortEvent,
        selected: usize,
        refusal: Option<&str>,
    ) -> Option<Notice> {
        self.interpreter.select(selected);
        match event {
            PortEvent::Message(source, message) => {
                let mut actions = self.interpreter.perform(source, message);
                let wanted = actions.len();
                actions.retain(|action| refusal.is_none() || !matches!(action, SynthAction::NoteOn(_)));
                let refused = refusal.filter(|_| actions.len() < wanted).map(str::to_owned);
                self.execute(controller, actions).or(refused).map(Notice::Complaint)
            }
            PortEvent::Plugged(name) => Some(Notice::Notice(format!("MIDI: {name}"))),
            PortEvent::Unplugged(source, name) => {
                let actions = self.interpreter.release(source);
                let complaint = self.execute(controller, actions).map(Notice::Complaint);
                complaint.or_else(|| Some(Notice::Notice(format!("MIDI: {name} is gone"))))
            }
            PortEvent::Problem(problem) => Some(Notice::Complaint(format!("MIDI: {problem}"))),
        }
    }

    /// Looks after what could not be done at once; to be called several times a second.
    pub fn poll(&mut self, controller: &mut Controller) -> Option<Notice> {
        let untold =
            std::mem::take(&mut self.untold).into_iter().map(|(channel, mix)| SynthAction::Mix(channel, mix));
        let complaint = self.execute(controller, untold.collect());
        let lost = self.ports.lost();
        if lost == self.lost {
            return complaint.map(Notice::Complaint);
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
        let actions = self.interpreter.let_go_all();
        self.execute(controller, actions);
        Some(Notice::Complaint(format!("MIDI: {lost} messages were lost")))
    }

    /// Takes notice of what the engine tells.
    pub fn handle_event(&mut self, event: &Event) {
        self.allocator.handle_event(event);
    }

    fn execute(&mut self, controller: &mut Controller, actions: Vec<SynthAction>) -> Option<String> {
        let mut complaint = None;
        for action in actions {
            // What is reported now is newer.
            if let SynthAction::Mix(channel, _) = action {
                self.untold.remove(&channel);
            }
            match (self.allocator.execute(controller, action, None), action) {
                (Ok(()), _) => {}
                (Err(Refusal::NoZone(why) | Refusal::Never(why)), _) => complaint = Some(why),
                (Err(Refusal::Full), SynthAction::Mix(channel, mix)) => {
                    self.untold.insert(channel, mix);
                }
                (Err(Refusal::Full), SynthAction::NoteOn(_)) => {
                    complaint = Some("too many notes at once".to_owned());
                }
                // A note that cannot be released would hang: better none at all.
                (Err(Refusal::Full), _) => controller.all_sound_off(),
            }
        }
        complaint
    }
}

#[cfg(test)]
mod tests;
