//! MIDI controllers that turn sounds and the room, and those that learn to.

use super::{LiveEvent, LivePlayer};
use crate::midi::controllers::ControlledParameter;
use crate::midi::input::TurnedParameter;

impl<S: Send + 'static, F: Send + 'static> LivePlayer<S, F> {
    /// Lets the next MIDI controller that is turned set a parameter from now on; none ends the waiting.
    pub const fn learn_controller(&mut self, parameter: Option<ControlledParameter>) {
        self.midi.learn(parameter);
    }

    /// Takes no controller of the user's for a parameter any more. Returns what the user is to know.
    pub fn forget_controller(&mut self, parameter: ControlledParameter) -> LiveEvent<S> {
        let mut map = self.midi.controllers().clone();
        let key = parameter.key();
        if !map.forget(parameter) {
            return LiveEvent::Notice(match parameter.standard_controller() {
                Some(number) => format!("{key}: only MIDI controller {number} sets it"),
                None => format!("{key}: no MIDI controller sets it"),
            });
        }
        self.midi.set_controllers(map);
        let what = format!("{key}: its controller is forgotten");
        self.keep_controllers().unwrap_or(LiveEvent::Notice(what))
    }

    /// Keeps the controller that a parameter has learned, if it waits no longer. Returns what the user is to know.
    pub(super) fn learned_since(&mut self, waited: Option<ControlledParameter>) -> Option<LiveEvent<S>> {
        let parameter = waited.filter(|_| self.midi.learning().is_none())?;
        let number = self.midi.controllers().number_of(parameter)?;
        let what = format!("{}: set by MIDI controller {number}", parameter.key());
        Some(self.keep_controllers().unwrap_or(LiveEvent::Notice(what)))
    }

    /// Writes the controllers that the user has set; returns a warning if that cannot be done.
    fn keep_controllers(&self) -> Option<LiveEvent<S>> {
        let saved = self.controllers.as_ref()?.save(self.midi.controllers());
        saved.err().map(|error| LiveEvent::Warning(error.message().to_owned()))
    }

    /// Adjusts sounds and the room as MIDI controllers have turned them.
    pub(super) fn follow_controllers(&mut self) {
        for (turned, value) in self.midi.take_turned() {
            let event = match turned {
                TurnedParameter::Sound(sound, parameter) => {
                    let own = self.defaults(sound);
                    let mut voicing = self.voicings.get(&sound).copied().unwrap_or_default();
                    parameter.set(&mut voicing, &own, value);
                    self.set_voicing(sound, voicing);
                    LiveEvent::Turned(sound, parameter, Box::new(voicing))
                }
                TurnedParameter::Room(parameter) => {
                    let mut room = self.room.get();
                    parameter.set(&mut room, value);
                    self.set_room(room);
                    LiveEvent::RoomTurned(parameter, value)
                }
            };
            self.turned.retain(|earlier| !is_of(earlier, turned));
            self.turned.push(event);
        }
    }
}

/// Returns whether an event tells how a parameter was turned.
fn is_of<S>(event: &LiveEvent<S>, turned: TurnedParameter) -> bool {
    match event {
        LiveEvent::Turned(sound, parameter, _) => turned == TurnedParameter::Sound(*sound, *parameter),
        LiveEvent::RoomTurned(parameter, _) => turned == TurnedParameter::Room(*parameter),
        _ => false,
    }
}
