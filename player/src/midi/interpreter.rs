//! Turns MIDI messages into actions. Pure: it knows neither an engine nor the time.
//!
//! What a channel plays: the sound of its last program change p, which is #p+1, in the bank that was selected before it
//! (bank select 0 and 32 together are the bank's number, and each bank is 128 further). A channel without a program
//! change plays the sound that is selected on the screen; a program change does not touch the screen. The kit channel
//! plays the bank of 64 that its sound is in: key 36 its first one, each at its own pitch.
//!
//! No note hangs: each ends with its key, its pedal, its port or its channel, and the oldest when there are too many.

mod channel_state;

use song::{Key, Velocity};

use super::message::{ChannelMessage, Control, Message, MidiChannel};
use crate::keyboard::kit_sound;
use channel_state::ChannelState;
pub use channel_state::{MODULATION, Mix, SILENT};

/// Notes that are held at once; the next one ends the oldest.
pub const MAX_HELD: usize = 1024;
/// From here on the value of a pedal means that it is down.
const DOWN: u8 = 64;

/// Where messages come from: a port while it is plugged in, or a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MidiSource(pub u32);

/// A note, counted from the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MidiNoteId(pub u64);

/// A note to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteOn {
    /// Number of the note.
    pub note: MidiNoteId,
    /// The channel whose mix it follows.
    pub channel: MidiChannel,
    /// Index of its sound.
    pub sound: usize,
    /// Pitch at which the sound is played.
    pub pitch: Pitch,
    /// MIDI velocity.
    pub velocity: Velocity,
}

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
pub enum SynthAction {
    /// Begin a note.
    NoteOn(NoteOn),
    /// Release a note.
    NoteOff(MidiNoteId),
    /// Make the notes of a channel, those that sound and those to come, sound like this.
    Mix(MidiChannel, Mix),
    /// Release whatever sounds in a channel.
    SoundOff(MidiChannel),
    /// Silence everything.
    Silence,
    /// A controller without a meaning of its own sets a parameter of the sound that a channel plays: index of the
    /// sound, number and value.
    Controller(usize, u8, u8),
    /// Report that a channel has chosen the sound of an index that there is none of.
    Missing(MidiChannel, usize),
}

/// A note that nothing has ended yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    note: MidiNoteId,
    source: MidiSource,
    channel: MidiChannel,
    key: Key,
    /// Whether its key is down.
    down: bool,
    /// Whether the sostenuto pedal holds it.
    sostenuto: bool,
}

/// The state of all channels, and the notes that are held.
#[derive(Clone, Debug)]
pub struct MidiInterpreter {
    /// How many sounds there are.
    sounds: usize,
    /// Index of the sound that is selected on the screen.
    selected: usize,
    channels: [ChannelState; MidiChannel::COUNT],
    /// The oldest first.
    held: Vec<Held>,
    next: MidiNoteId,
}

impl MidiInterpreter {
    /// Creates an interpreter for so many sounds, of which the one with that index is selected.
    #[must_use]
    pub fn new(sounds: usize, selected: usize) -> Self {
        let channels = [ChannelState::default(); MidiChannel::COUNT];
        Self { sounds, selected, channels, held: Vec::new(), next: MidiNoteId::default() }
    }

    /// Sets how many sounds there are.
    pub const fn set_sounds(&mut self, sounds: usize) {
        self.sounds = sounds;
    }

    /// Sets the sound that is selected on the screen.
    pub const fn select(&mut self, sound: usize) {
        self.selected = sound;
    }

    /// Returns the index of the sound that a program change has given a channel.
    #[must_use]
    pub const fn program(&self, channel: MidiChannel) -> Option<usize> {
        self.channels[channel.index()].sound
    }

    /// Returns the index of the sound that a channel plays; there may be none of it.
    #[must_use]
    pub fn sound_of(&self, channel: MidiChannel) -> usize {
        self.program(channel).unwrap_or(self.selected)
    }

    /// Returns the program change to the sound of an index, with its bank.
    #[must_use]
    pub fn program_change(sound: usize) -> [ChannelMessage; 3] {
        channel_state::program_change(sound)
    }

    /// Returns what makes a channel that is as in `other` sound as it does here: program, sliders, wheels and the
    /// sustain pedal.
    #[must_use]
    pub fn setup(&self, channel: MidiChannel, other: &Self) -> Vec<ChannelMessage> {
        self.channels[channel.index()].setup(&other.channels[channel.index()])
    }

    /// Returns how many notes nothing has ended yet.
    #[must_use]
    pub const fn held(&self) -> usize {
        self.held.len()
    }

    /// Returns the keys of the notes that nothing has ended yet, the oldest first.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.held.iter().map(|held| held.key)
    }

    /// Handles a message; returns what is to be done, in order.
    pub fn handle(&mut self, source: MidiSource, message: Message) -> Vec<SynthAction> {
        let mut actions = Vec::new();
        match message {
            Message::Reset => self.reset(&mut actions),
            Message::To(channel, ChannelMessage::NoteOn(key, velocity)) => {
                self.note_on(source, channel, key, velocity, &mut actions);
            }
            Message::To(channel, ChannelMessage::NoteOff(key)) => {
                let is_it = |held: &&mut Held| {
                    held.down && (held.source, held.channel, held.key) == (source, channel, key)
                };
                // One note-off for each note-on, the oldest first, as the specification of MIDI wants it.
                if let Some(held) = self.held.iter_mut().find(is_it) {
                    held.down = false;
                }
                self.end_released(&mut actions);
            }
            Message::To(channel, ChannelMessage::Program(program)) => self.channel(channel).choose(program),
            Message::To(channel, ChannelMessage::Bend(bend)) => {
                self.channel(channel).bend(source, bend);
                self.mix(channel, &mut actions);
            }
            Message::To(channel, ChannelMessage::Control(control, value)) => {
                self.control(source, channel, control, value, &mut actions);
            }
        }
        actions
    }

    /// Releases what a source held that is gone, and lets its wheels spring back.
    pub fn release(&mut self, source: MidiSource) -> Vec<SynthAction> {
        self.release_if(|other| other == source)
    }

    /// Releases what all sources hold.
    pub fn release_all(&mut self) -> Vec<SynthAction> {
        self.release_if(|_| true)
    }

    fn release_if(&mut self, is_gone: impl Fn(MidiSource) -> bool) -> Vec<SynthAction> {
        let mut actions = Vec::new();
        // Its notes end though the pedal of another may be down.
        self.end(&mut actions, |held| is_gone(held.source));
        for channel in MidiChannel::all() {
            if self.channel(channel).release(&is_gone) {
                self.release_sostenuto(channel);
            }
            self.mix(channel, &mut actions);
        }
        self.end_released(&mut actions);
        actions
    }

    fn channel(&mut self, channel: MidiChannel) -> &mut ChannelState {
        &mut self.channels[channel.index()]
    }

    fn reset(&mut self, actions: &mut Vec<SynthAction>) {
        self.held.clear();
        actions.push(SynthAction::Silence);
        for channel in MidiChannel::all() {
            self.channel(channel).reset();
            self.mix(channel, actions);
        }
    }

    fn note_on(
        &mut self,
        source: MidiSource,
        channel: MidiChannel,
        key: Key,
        velocity: Velocity,
        actions: &mut Vec<SynthAction>,
    ) {
        let chosen = self.sound_of(channel);
        if chosen >= self.sounds {
            if self.channel(channel).report_missing() {
                actions.push(SynthAction::Missing(channel, chosen));
            }
            return;
        }
        let (sound, pitch) = if channel == MidiChannel::KIT {
            match kit_sound(chosen, self.sounds, key) {
                Some(sound) => (sound, Pitch::Own),
                None => return,
            }
        } else {
            (chosen, Pitch::Of(key))
        };
        // A key is struck anew: what only a pedal keeps of it ends.
        self.end(actions, |held| !held.down && (held.channel, held.key) == (channel, key));
        if self.held.len() >= MAX_HELD {
            let oldest = self.held.remove(0);
            actions.push(SynthAction::NoteOff(oldest.note));
        }
        let note = self.next;
        self.next = MidiNoteId(note.0 + 1);
        self.held.push(Held { note, source, channel, key, down: true, sostenuto: false });
        actions.push(SynthAction::NoteOn(NoteOn { note, channel, sound, pitch, velocity }));
    }

    fn control(
        &mut self,
        source: MidiSource,
        channel: MidiChannel,
        control: Control,
        value: u8,
        actions: &mut Vec<SynthAction>,
    ) {
        match control {
            Control::Sustain => self.channel(channel).sustain = (value >= DOWN).then_some(source),
            Control::Sostenuto if value >= DOWN => {
                // It catches what is down when it goes down, not what comes while it is.
                if self.channel(channel).sostenuto.replace(source).is_none() {
                    let notes = self.held.iter_mut().filter(|held| held.channel == channel && held.down);
                    notes.for_each(|held| held.sostenuto = true);
                }
            }
            Control::Sostenuto => {
                self.channel(channel).sostenuto = None;
                self.release_sostenuto(channel);
            }
            Control::AllNotesOff => {
                let keys = self.held.iter_mut().filter(|held| held.channel == channel);
                keys.for_each(|held| held.down = false);
            }
            Control::AllSoundOff => {
                self.held.retain(|held| held.channel != channel);
                actions.push(SynthAction::SoundOff(channel));
            }
            Control::ResetControllers => {
                self.channel(channel).reset_controllers();
                self.release_sostenuto(channel);
            }
            Control::Other(number) => {
                let sound = self.sound_of(channel);
                if sound < self.sounds {
                    actions.push(SynthAction::Controller(sound, number, value));
                }
            }
            _ => self.channel(channel).turn(source, control, value),
        }
        self.end_released(actions);
        self.mix(channel, actions);
    }

    fn release_sostenuto(&mut self, channel: MidiChannel) {
        let notes = self.held.iter_mut().filter(|held| held.channel == channel);
        notes.for_each(|held| held.sostenuto = false);
    }

    /// Ends what neither a key nor a pedal holds any more.
    fn end_released(&mut self, actions: &mut Vec<SynthAction>) {
        let pedals = self.channels.map(|channel| channel.sustain.is_some());
        self.end(actions, |held| !held.down && !held.sostenuto && !pedals[held.channel.index()]);
    }

    fn end(&mut self, actions: &mut Vec<SynthAction>, is_over: impl Fn(&Held) -> bool) {
        self.held.retain(|held| {
            let over = is_over(held);
            if over {
                actions.push(SynthAction::NoteOff(held.note));
            }
            !over
        });
    }

    /// Sends the mix of a channel, if that has changed.
    fn mix(&mut self, channel: MidiChannel, actions: &mut Vec<SynthAction>) {
        actions.extend(self.channel(channel).changed().map(|mix| SynthAction::Mix(channel, mix)));
    }
}

#[cfg(test)]
mod tests;
