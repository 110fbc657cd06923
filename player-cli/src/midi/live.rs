//! What comes through ports, played as it comes.

use std::collections::BTreeMap;

use crossbeam_channel::Receiver;
use engine::{Controller, Event, NoteId};
use song::Key;

use super::message::Channel;
use super::performer::{Deed, Mix, Performer};
use super::port::{PortEvent, Ports};
use super::stage::{Refusal, Stage};
use crate::voicing::Voicing;

/// All ports together, as one instrument.
#[derive(Debug)]
pub struct Live {
    ports: Ports,
    performer: Performer,
    stage: Stage,
    /// How channels are to sound that the engine could not be told, to be told later.
    untold: BTreeMap<Channel, Mix>,
    /// Messages lost so far that were made up for.
    lost: u64,
}

/// What the player should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Something has changed.
    Notice(String),
    /// Something went wrong.
    Complaint(String),
}

impl Live {
    /// For so many sounds.
    #[must_use]
    pub fn new(ports: Ports, sounds: usize) -> Self {
        let (performer, stage) = (Performer::new(sounds, 0), Stage::default());
        Self { ports, performer, stage, untold: BTreeMap::new(), lost: 0 }
    }

    /// Where [`play`](Self::play) wants its events from.
    #[must_use]
    pub const fn events(&self) -> &Receiver<PortEvent> {
        self.ports.events()
    }

    /// Begins the notes of a sound like this from here on.
    pub fn voice(&mut self, sound: usize, voicing: Voicing) {
        self.stage.voice(sound, voicing);
    }

    /// The keys that are held, by fingers or pedals.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.performer.keys()
    }

    /// Index of the sound that a note plays, if it is one of those played here.
    #[must_use]
    pub fn sound(&self, note: NoteId) -> Option<usize> {
        self.stage.sound(note)
    }

    /// Plays what came from a port. `selected` is the index of the sound on the screen. What the player should know
    /// comes back.
    ///
    /// While there is a `refusal` no note begins, and that is told.
    pub fn play(
        &mut self,
        controller: &mut Controller,
        event: PortEvent,
        selected: usize,
        refusal: Option<&str>,
    ) -> Option<Told> {
        self.performer.select(selected);
        match event {
            PortEvent::Message(source, message) => {
                let mut deeds = self.performer.perform(source, message);
                let wanted = deeds.len();
                deeds.retain(|deed| refusal.is_none() || !matches!(deed, Deed::NoteOn { .. }));
                let refused = refusal.filter(|_| deeds.len() < wanted).map(str::to_owned);
                self.carry_out(controller, deeds).or(refused).map(Told::Complaint)
            }
            PortEvent::Plugged(name) => Some(Told::Notice(format!("MIDI: {name}"))),
            PortEvent::Unplugged(source, name) => {
                let deeds = self.performer.let_go(source);
                let complaint = self.carry_out(controller, deeds).map(Told::Complaint);
                complaint.or_else(|| Some(Told::Notice(format!("MIDI: {name} is gone"))))
            }
            PortEvent::Problem(problem) => Some(Told::Complaint(format!("MIDI: {problem}"))),
        }
    }

    /// Looks after what could not be done at once; to be called several times a second.
    pub fn tend(&mut self, controller: &mut Controller) -> Option<Told> {
        let untold =
            std::mem::take(&mut self.untold).into_iter().map(|(channel, mix)| Deed::Mix(channel, mix));
        let complaint = self.carry_out(controller, untold.collect());
        let lost = self.ports.lost();
        if lost == self.lost {
            return complaint.map(Told::Complaint);
        }
        self.lost = lost;
        // Among what was lost may be the end of a note, also of one that waits here. So nothing is held, and nothing
        // begins, that came before now.
        while let Ok(event) = self.ports.events().try_recv() {
            if let PortEvent::Unplugged(source, _) = event {
                let deeds = self.performer.let_go(source);
                self.carry_out(controller, deeds);
            }
        }
        let deeds = self.performer.let_go_all();
        self.carry_out(controller, deeds);
        Some(Told::Complaint(format!("MIDI: {lost} messages were lost")))
    }

    /// Takes notice of what the engine tells.
    pub fn hear(&mut self, event: &Event) {
        self.stage.hear(event);
    }

    fn carry_out(&mut self, controller: &mut Controller, deeds: Vec<Deed>) -> Option<String> {
        let mut complaint = None;
        for deed in deeds {
            // What is told now is newer.
            if let Deed::Mix(channel, _) = deed {
                self.untold.remove(&channel);
            }
            match (self.stage.carry_out(controller, deed, None), deed) {
                (Ok(()), _) => {}
                (Err(Refusal::NoZone(why) | Refusal::Never(why)), _) => complaint = Some(why),
                (Err(Refusal::Full), Deed::Mix(channel, mix)) => {
                    self.untold.insert(channel, mix);
                }
                (Err(Refusal::Full), Deed::NoteOn { .. }) => {
                    complaint = Some("too many notes at once".to_owned());
                }
                // A note that cannot be released would hang: better none at all.
                (Err(Refusal::Full), _) => controller.silence(),
            }
        }
        complaint
    }
}

#[cfg(test)]
mod tests;
