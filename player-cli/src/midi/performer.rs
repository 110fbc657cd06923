//! From messages to what is to be done about them. Pure: it knows neither an engine nor the time.
//!
//! What a channel plays: the sound of its last program change p, which is #p+1, in the bank that was selected before it
//! (bank select 0 and 32 together are the bank's number, and each bank is 128 further). A channel without a program
//! change plays the sound that is selected on the screen; a program change does not touch the screen. The kit channel
//! plays the bank of 64 that its sound is in: key 36 its first one, each at its own pitch.
//!
//! No note hangs: each ends with its key, its pedal, its port or its channel, and the oldest when there are too many.

mod desk;

use song::{Key, Velocity};

use super::message::{Action, Channel, Control, Message};
use crate::tui::model::kit_sound;
use desk::Desk;
pub use desk::{MODULATION, Mix, SILENT};

/// Notes that are held at once; the next one ends the oldest.
pub const MOST_HELD: usize = 1024;
/// From here on the value of a pedal means that it is down.
const DOWN: u8 = 64;

/// Where messages come from: a port while it is plugged in, or a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source(pub u32);

/// A note, counted from the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(pub u64);

/// At which pitch a sound is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pitch {
    /// That of a key.
    Of(Key),
    /// Its own, as in a kit.
    Own,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// Begin a note.
    NoteOn {
        /// Its number.
        note: Number,
        /// The channel whose mix it follows.
        channel: Channel,
        /// Index of its sound.
        sound: usize,
        /// At which pitch.
        pitch: Pitch,
        /// How hard.
        velocity: Velocity,
    },
    /// Release a note.
    NoteOff(Number),
    /// Make the notes of a channel, those that sound and those to come, sound like this.
    Mix(Channel, Mix),
    /// Release whatever sounds in a channel.
    SoundOff(Channel),
    /// Silence everything.
    Silence,
    /// Tell that a channel has chosen the sound of an index that there is none of.
    Missing(Channel, usize),
}

/// A note that nothing has ended yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    note: Number,
    source: Source,
    channel: Channel,
    key: Key,
    /// Whether its key is down.
    down: bool,
    /// Whether the sostenuto pedal caught it.
    caught: bool,
}

/// Listens to the channels of all sources.
#[derive(Clone, Debug)]
pub struct Performer {
    /// How many sounds there are.
    sounds: usize,
    /// Index of the sound that is selected on the screen.
    selected: usize,
    desks: [Desk; Channel::COUNT],
    /// The oldest first.
    held: Vec<Held>,
    next: Number,
}

impl Performer {
    /// For so many sounds, of which the one with that index is selected.
    #[must_use]
    pub fn new(sounds: usize, selected: usize) -> Self {
        let desks = [Desk::default(); Channel::COUNT];
        Self { sounds, selected, desks, held: Vec::new(), next: Number::default() }
    }

    /// Another sound is selected on the screen.
    pub const fn select(&mut self, sound: usize) {
        self.selected = sound;
    }

    /// How many notes nothing has ended yet.
    #[must_use]
    pub const fn held(&self) -> usize {
        self.held.len()
    }

    /// The keys of the notes that nothing has ended yet, the oldest first.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.held.iter().map(|held| held.key)
    }

    /// Hears a message; what is to be done, in order.
    pub fn perform(&mut self, source: Source, message: Message) -> Vec<Deed> {
        let mut deeds = Vec::new();
        match message {
            Message::Reset => self.reset(&mut deeds),
            Message::To(channel, Action::NoteOn(key, velocity)) => {
                self.note_on(source, channel, key, velocity, &mut deeds);
            }
            Message::To(channel, Action::NoteOff(key)) => {
                let is_it = |held: &&mut Held| {
                    held.down && (held.source, held.channel, held.key) == (source, channel, key)
                };
                // One note-off for each note-on, the oldest first, as the specification of MIDI wants it.
                if let Some(held) = self.held.iter_mut().find(is_it) {
                    held.down = false;
                }
                self.settle(&mut deeds);
            }
            Message::To(channel, Action::Program(program)) => self.desk(channel).choose(program),
            Message::To(channel, Action::Bend(bend)) => {
                self.desk(channel).bend(source, bend);
                self.mix(channel, &mut deeds);
            }
            Message::To(channel, Action::Control(control, value)) => {
                self.control(source, channel, control, value, &mut deeds);
            }
        }
        deeds
    }

    /// A source is gone: whatever it holds is let go, and its wheels spring back.
    pub fn let_go(&mut self, source: Source) -> Vec<Deed> {
        self.let_go_if(|other| other == source)
    }

    /// The same for all sources.
    pub fn let_go_all(&mut self) -> Vec<Deed> {
        self.let_go_if(|_| true)
    }

    fn let_go_if(&mut self, is_gone: impl Fn(Source) -> bool) -> Vec<Deed> {
        let mut deeds = Vec::new();
        // Its notes end though the pedal of another may be down.
        self.end(&mut deeds, |held| is_gone(held.source));
        for channel in Channel::all() {
            if self.desk(channel).let_go(&is_gone) {
                self.uncatch(channel);
            }
            self.mix(channel, &mut deeds);
        }
        self.settle(&mut deeds);
        deeds
    }

    fn desk(&mut self, channel: Channel) -> &mut Desk {
        &mut self.desks[channel.index()]
    }

    fn reset(&mut self, deeds: &mut Vec<Deed>) {
        self.held.clear();
        deeds.push(Deed::Silence);
        for channel in Channel::all() {
            self.desk(channel).reset();
            self.mix(channel, deeds);
        }
    }

    fn note_on(
        &mut self,
        source: Source,
        channel: Channel,
        key: Key,
        velocity: Velocity,
        deeds: &mut Vec<Deed>,
    ) {
        let chosen = self.desks[channel.index()].sound.unwrap_or(self.selected);
        if chosen >= self.sounds {
            if self.desk(channel).complain() {
                deeds.push(Deed::Missing(channel, chosen));
            }
            return;
        }
        let (sound, pitch) = if channel == Channel::KIT {
            match kit_sound(chosen, self.sounds, key) {
                Some(sound) => (sound, Pitch::Own),
                None => return,
            }
        } else {
            (chosen, Pitch::Of(key))
        };
        // A string is struck anew: what only a pedal keeps of it ends.
        self.end(deeds, |held| !held.down && (held.channel, held.key) == (channel, key));
        if self.held.len() >= MOST_HELD {
            let oldest = self.held.remove(0);
            deeds.push(Deed::NoteOff(oldest.note));
        }
        let note = self.next;
        self.next = Number(note.0 + 1);
        self.held.push(Held { note, source, channel, key, down: true, caught: false });
        deeds.push(Deed::NoteOn { note, channel, sound, pitch, velocity });
    }

    fn control(
        &mut self,
        source: Source,
        channel: Channel,
        control: Control,
        value: u8,
        deeds: &mut Vec<Deed>,
    ) {
        match control {
            Control::Sustain => self.desk(channel).sustain = (value >= DOWN).then_some(source),
            Control::Sostenuto if value >= DOWN => {
                // It catches what is down when it goes down, not what comes while it is.
                if self.desk(channel).sostenuto.replace(source).is_none() {
                    let caught = self.held.iter_mut().filter(|held| held.channel == channel && held.down);
                    caught.for_each(|held| held.caught = true);
                }
            }
            Control::Sostenuto => {
                self.desk(channel).sostenuto = None;
                self.uncatch(channel);
            }
            Control::AllNotesOff => {
                let keys = self.held.iter_mut().filter(|held| held.channel == channel);
                keys.for_each(|held| held.down = false);
            }
            Control::AllSoundOff => {
                self.held.retain(|held| held.channel != channel);
                deeds.push(Deed::SoundOff(channel));
            }
            Control::ResetControllers => {
                self.desk(channel).reset_controllers();
                self.uncatch(channel);
            }
            _ => self.desk(channel).turn(source, control, value),
        }
        self.settle(deeds);
        self.mix(channel, deeds);
    }

    fn uncatch(&mut self, channel: Channel) {
        let caught = self.held.iter_mut().filter(|held| held.channel == channel);
        caught.for_each(|held| held.caught = false);
    }

    /// Ends what neither a key nor a pedal holds any more.
    fn settle(&mut self, deeds: &mut Vec<Deed>) {
        let pedals = self.desks.map(|desk| desk.sustain.is_some());
        self.end(deeds, |held| !held.down && !held.caught && !pedals[held.channel.index()]);
    }

    fn end(&mut self, deeds: &mut Vec<Deed>, is_over: impl Fn(&Held) -> bool) {
        self.held.retain(|held| {
            let over = is_over(held);
            if over {
                deeds.push(Deed::NoteOff(held.note));
            }
            !over
        });
    }

    /// Tells how a channel is to sound, if that has changed.
    fn mix(&mut self, channel: Channel, deeds: &mut Vec<Deed>) {
        deeds.extend(self.desk(channel).changed().map(|mix| Deed::Mix(channel, mix)));
    }
}

#[cfg(test)]
mod tests;
