//! A file played through an engine: each message at the frame it names.
//!
//! The engine's queue is fed ahead of what is rendered, a little at a time, since a file may have more in store than
//! any queue holds.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use engine::{Controller, Event};
use song::{
    Articulation, Decibels, Frames, Hz, Instrument, InstrumentIndex, Pan, Sends, SoundDefaults, Voicing,
};

use super::controllers::ControllerMap;
use super::file::MidiSequence;
use super::interpreter::{MidiInterpreter, MidiSource, NoteOn, SynthAction};
use super::note_allocator::{NoteAllocator, Refusal};
use crate::room::Room;
use crate::single_note::Playable;
use crate::voicing::{BankVoicing, EngineVoicing as _};

/// The only source there is.
const FILE: MidiSource = MidiSource(0);
/// The number of warnings that are kept; each is kept once.
const MAX_WARNINGS: usize = 64;

/// How a file is to be played.
#[derive(Clone, Debug)]
pub struct FilePlayerOptions {
    /// How many sounds there are.
    pub sounds: usize,
    /// Index of the sound of channels without a program change.
    pub selected: usize,
    /// How sounds are adjusted, by their index.
    pub voicings: BTreeMap<usize, Voicing>,
    /// The sounds as they were before: what the file's controllers turn, they turn from there.
    pub own: Arc<OwnInstruments>,
    /// Added to the gain of each note.
    pub gain: Decibels,
    /// Added to the pan of each note.
    pub pan: Pan,
    /// The longest that it may go on after everything was released.
    pub tail: Duration,
    /// Frames per second of the output.
    pub rate: Hz,
    /// The room that it is played in; none for an engine without effects.
    pub room: Option<Room>,
}

/// The instruments of a song, and how they move, before they are adjusted.
#[derive(Clone, Debug, Default)]
pub struct OwnInstruments {
    /// By the index of their sound.
    pub instruments: Vec<Instrument>,
    /// Those of the song.
    pub articulations: Arc<[Articulation]>,
}

impl OwnInstruments {
    /// Returns what the notes of a sound send to effects, as it is voiced.
    #[must_use]
    pub fn sends(&self, sound: usize, voicing: Option<&Voicing>) -> Sends {
        let own = self.instruments.get(sound).map(|own| own.sends).unwrap_or_default();
        voicing.copied().unwrap_or_default().sends(own)
    }

    /// Lets the notes of a sound that begin from here on be voiced like this; what else is in its bank is as it was.
    fn voice(&self, controller: &mut Controller, sound: usize, voicing: BankVoicing) {
        let (Some(own), Some(bank)) = (self.instruments.get(sound), controller.bank()) else { return };
        let mut made = Vec::new();
        let shaped = voicing.instrument(own, &self.articulations, (0, &mut made));
        let articulations = if made.is_empty() { Arc::clone(&self.articulations) } else { made.into() };
        let bank = bank.with_instrument(shaped.unwrap_or_else(|| own.clone()), articulations);
        let bank = match voicing.sample {
            Some(how) => bank.with_override(InstrumentIndex::new(0), how),
            None => bank,
        };
        controller.load_instrument(InstrumentIndex::new(sound), Arc::new(bank));
    }
}

/// A file that is being played.
pub struct MidiFilePlayer<'s> {
    sequence: &'s MidiSequence,
    interpreter: MidiInterpreter,
    allocator: NoteAllocator,
    voicings: BTreeMap<usize, Voicing>,
    own: Arc<OwnInstruments>,
    /// The frame at which it would have begun, had it always been played at this rate.
    start: i128,
    rate: Hz,
    tail: Duration,
    room: Option<Room>,
    /// Whether the engine was told of the room.
    is_in_room: bool,
    /// Index of the next message.
    next: usize,
    /// What is to be done at `due`, of what was played so far, and when that is in the sequence.
    actions: VecDeque<SynthAction>,
    at: u64,
    due: Frames,
    /// When what was handed on last is done.
    handed_on: Frames,
    /// Whether the end was reached: nothing is held after it.
    is_released: bool,
    /// The first frame after the notes that are over.
    last: Frames,
    /// Voices that made room for others, or found none.
    cut_short: u64,
    warnings: BTreeSet<String>,
}

impl<'s> MidiFilePlayer<'s> {
    /// Creates a file whose first frame is to be that one.
    #[must_use]
    pub fn new(sequence: &'s MidiSequence, options: &FilePlayerOptions, start: Frames) -> Self {
        let mut allocator = NoteAllocator::new(options.gain, options.pan);
        options.voicings.iter().for_each(|(sound, voicing)| allocator.voice(*sound, *voicing));
        Self {
            sequence,
            interpreter: MidiInterpreter::new(options.sounds, options.selected),
            allocator,
            voicings: options.voicings.clone(),
            own: Arc::clone(&options.own),
            start: start.get().into(),
            rate: options.rate,
            tail: options.tail,
            room: options.room,
            is_in_room: false,
            next: 0,
            actions: VecDeque::new(),
            at: 0,
            due: start,
            handed_on: start,
            is_released: false,
            cut_short: 0,
            last: start,
            warnings: BTreeSet::new(),
        }
    }

    /// Returns how many voices made room for others, or found none: more were to sound at once than can.
    #[must_use]
    pub const fn cut_short(&self) -> u64 {
        self.cut_short
    }

    /// Returns what could not be played, and why.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        self.warnings.iter().map(String::as_str)
    }

    /// Turns a parameter of a sound at a frame: notes that sound follow its tone, those to come all of it.
    fn turn(&mut self, controller: &mut Controller, sound: usize, (number, value): (u8, u8)) {
        let Some(parameter) = ControllerMap::standard(number) else { return };
        let own = self.own.instruments.get(sound);
        let own = own.map_or_else(SoundDefaults::default, SoundDefaults::of);
        let before = self.voicings.get(&sound).copied().unwrap_or_default();
        let mut voicing = before;
        parameter.set(&mut voicing, &own, parameter.scale().at(f64::from(value) / 127.0));
        if before.in_bank() != voicing.in_bank() {
            self.own.voice(controller, sound, voicing.in_bank());
        }
        if before.tone() != voicing.tone() {
            for (note, filter) in self.allocator.notes_of(sound) {
                if let Some((cutoff, resonance)) = voicing.tone_of(filter) {
                    // Where the queue is full the notes that sound keep their tone.
                    let _ = controller.set_tone(note, cutoff, resonance, Some(self.due));
                }
            }
        }
        self.voicings.insert(sound, voicing);
        self.allocator.voice(sound, voicing);
        self.allocator.follow_sends(controller, Some(self.due));
    }

    /// Queues the actions of the next message; returns whether there was one.
    fn step(&mut self) -> bool {
        let actions = if let Some(timed) = self.sequence.messages.get(self.next) {
            self.next += 1;
            self.due_at(timed.at);
            self.interpreter.handle(FILE, timed.message)
        } else if !self.is_released {
            self.is_released = true;
            // What no message ends is held to the end of the file; otherwise there is nothing to wait for.
            if self.interpreter.held() > 0 {
                self.due_at(self.sequence.end);
            }
            self.interpreter.release(FILE)
        } else {
            return false;
        };
        self.actions.extend(actions);
        true
    }

    /// What is played is due at that time of the sequence, but never before what was handed on at another rate: a
    /// note must not end before it begins.
    fn due_at(&mut self, at: u64) {
        let frame = self.start + i128::from(self.sequence.frame(at, self.rate).get());
        let frame = Frames::new(u64::try_from(frame.max(0)).unwrap_or(u64::MAX));
        (self.at, self.due) = (at, frame.max(self.handed_on));
    }
}

impl Playable for MidiFilePlayer<'_> {
    fn feed(&mut self, controller: &mut Controller, until: Frames) -> Frames {
        if let (Some(room), false) = (self.room, self.is_in_room) {
            self.is_in_room = room.apply(controller, None);
        }
        loop {
            while let Some(action) = self.actions.front() {
                if self.due >= until {
                    return until;
                }
                if let SynthAction::Controller(sound, number, value) = *action {
                    self.turn(controller, sound, (number, value));
                }
                let Some(action) = self.actions.front() else { break };
                match self.allocator.execute(controller, *action, Some(self.due)) {
                    Err(Refusal::Full) => return self.due,
                    Err(Refusal::Never(why)) if self.warnings.len() < MAX_WARNINGS => {
                        self.warnings.insert(why);
                    }
                    Err(Refusal::NotLoaded) if self.warnings.len() < MAX_WARNINGS => {
                        self.warnings.insert("a sound that it plays is not loaded".to_owned());
                    }
                    // A sound that cannot be played at all was reported before; others are silent where they have no
                    // zone.
                    Ok(()) | Err(Refusal::NotLoaded | Refusal::NoZone(_) | Refusal::Never(_)) => {}
                }
                self.actions.pop_front();
                self.handed_on = self.due;
            }
            if !self.step() {
                return until;
            }
        }
    }

    fn handle_event(&mut self, event: &Event) {
        self.cut_short += u64::from(matches!(event, Event::Stolen { .. } | Event::Refused { .. }));
        if self.allocator.handle_event(event)
            && let Event::Ended { at, .. } | Event::Refused { at, .. } = *event
        {
            self.last = self.last.max(at);
        }
    }

    fn set_rate(&mut self, now: Frames, rate: Hz) {
        let now = i128::from(now.get());
        let played = (now - self.start) * i128::from(rate.get()) / i128::from(self.rate.get());
        (self.start, self.rate) = (now - played, rate);
        self.due_at(self.at);
    }

    fn end(&self, now: Frames) -> Option<Frames> {
        if !self.is_released || !self.actions.is_empty() {
            return None;
        }
        let tail = Frames::lasting(self.tail, self.rate);
        let latest = Frames::new(self.due.get().saturating_add(tail.get()));
        let end = match () {
            () if self.allocator.is_empty() => self.last,
            () if now >= latest && !self.allocator.plays_out() => self.last.max(latest),
            () => return None,
        };
        let sounds = (0..self.own.instruments.len()).chain(self.voicings.keys().copied());
        let sends = sounds.map(|sound| self.own.sends(sound, self.voicings.get(&sound)));
        let after = self.room.map_or(Duration::ZERO, |room| room.tail(sends));
        let after = Frames::lasting(after, self.rate);
        let end = Frames::new(end.get().saturating_add(after.get()));
        (now >= end || after == Frames::ZERO).then_some(end)
    }
}

/// Returns the indices of the sounds that a file plays, of so many.
#[must_use]
pub fn played(sequence: &MidiSequence, sounds: usize, selected: usize) -> BTreeSet<usize> {
    let mut interpreter = MidiInterpreter::new(sounds, selected);
    let actions = sequence.messages.iter().flat_map(|timed| interpreter.handle(FILE, timed.message));
    actions
        .filter_map(|action| match action {
            SynthAction::NoteOn(NoteOn { sound, .. }) => Some(sound),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests;
