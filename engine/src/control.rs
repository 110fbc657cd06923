//! The control side: notes become commands, events are read, and banks are kept until no voice reads them.

mod driven;
mod effects;
mod error;
mod mono;
mod note;
mod prepare;
pub(crate) mod reclaimer;
mod resolve;
mod select;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use ringbuf::traits::{Consumer, Observer, Producer};
use ringbuf::{HeapCons, HeapProd};
use song::{Cents, Decibels, Frames, Instrument, InstrumentIndex, SampleIndex, Trigger, VoiceMode};

use crate::bank::{Bank, BankHandle};
use crate::config::Config;
use crate::message::{Action, Command, Event, Glide, NoteChange, NoteId, Start, StripIndex, Tone};
use crate::shared_state::SharedState;
use crate::voice_positions::VoicePositions;
pub use driven::{DrivenVoice, FmVoice, LentBank, VoiceChange};
pub use error::{EffectError, Full, NoteError, StripError};
use mono::MonoLines;
pub use note::{ChannelStrip, Note, StartedNote};
use reclaimer::BankReclaimer;
use resolve::LentInstrument;
pub use select::ZoneSelector;

/// The most held notes whose instruments sound something when they are released.
const MAX_AWAITED: usize = 4096;

/// The half of the engine that takes what to play; made by [`crate::split`].
///
/// # Real-time
/// Never: for the control side. It does not block the audio thread either.
pub struct Controller {
    commands: HeapProd<Command>,
    events: HeapCons<Event>,
    shared: Arc<SharedState>,
    voice_positions: Arc<VoicePositions>,
    reclaimer: BankReclaimer,
    bank: Option<Arc<BankHandle>>,
    /// Instruments that are played from banks of their own: the first of each.
    own_banks: BTreeMap<InstrumentIndex, Arc<BankHandle>>,
    selector: ZoneSelector,
    /// Instruments of one voice.
    mono: MonoLines,
    /// How many the engine has.
    strips: usize,
    /// Whether it has effects.
    has_effects: bool,
    /// The most voices that it can sound.
    polyphony: usize,
    /// The layers of the note at hand; kept for its memory.
    layers: Vec<Command>,
    /// Notes that were to begin later when they were sent, and when.
    upcoming: BTreeMap<NoteId, Frames>,
    /// Notes whose instruments sound something when their keys are released.
    awaited: BTreeMap<NoteId, Note>,
    next_note: u64,
    /// Commands sent so far.
    next_sequence: u64,
}

impl Controller {
    pub(crate) fn new(
        commands: HeapProd<Command>,
        events: HeapCons<Event>,
        shared: Arc<SharedState>,
        voice_positions: Arc<VoicePositions>,
        reclaimer: BankReclaimer,
        config: Config,
    ) -> Self {
        let (layers, upcoming, selector) = (Vec::new(), BTreeMap::new(), ZoneSelector::new(config.seed));
        Self {
            commands,
            events,
            shared,
            voice_positions,
            reclaimer,
            bank: None,
            own_banks: BTreeMap::new(),
            selector,
            mono: MonoLines::default(),
            strips: config.strips,
            has_effects: config.effects,
            polyphony: config.polyphony,
            layers,
            upcoming,
            awaited: BTreeMap::new(),
            next_note: 0,
            next_sequence: 0,
        }
    }

    /// From now on notes are played from this bank. What sounds or is scheduled goes on to its end with the bank it
    /// was begun with, which is freed by a later [`collect`](Self::collect). Parts that sound in turn begin with their
    /// first.
    pub fn load(&mut self, bank: Arc<Bank>) {
        self.selector.restart();
        self.bank = Some(self.reclaimer.lend(bank));
        self.reclaimer.collect();
    }

    /// Returns the bank notes are played from.
    #[must_use]
    pub fn bank(&self) -> Option<&Arc<Bank>> {
        self.bank.as_deref().map(BankHandle::bank)
    }

    /// From now on notes on an instrument are played on the first one of a bank of its own, whatever the loaded bank
    /// has. What sounds of it goes on to its end as it was begun; parts that sound in turn go on with the next.
    pub fn load_instrument(&mut self, index: InstrumentIndex, bank: Arc<Bank>) {
        let handle = self.reclaimer.lend(bank);
        self.own_banks.insert(index, handle);
    }

    /// Gives up the bank that an instrument has for its own; it is freed as [`load`](Self::load) says.
    pub fn unload_instrument(&mut self, index: InstrumentIndex) {
        self.own_banks.remove(&index);
    }

    /// Returns what notes on an instrument are played on, if it is loaded.
    #[must_use]
    pub fn instrument(&self, index: InstrumentIndex) -> Option<&Instrument> {
        LentInstrument::find(&self.own_banks, self.bank.as_ref(), index).ok().map(|lent| lent.instrument)
    }

    /// Begins a note: one voice for each zone its instrument's parts choose for it, all of them or none.
    ///
    /// # Errors
    /// [`NoteError`] says why nothing was begun.
    pub fn note_on(&mut self, note: Note) -> Result<NoteId, NoteError> {
        self.begin(note).map(|begun| begun.note)
    }

    /// Begins a note, and returns what was chosen for it as well. On a mono or legato instrument it takes the place of
    /// the note before on the same strip, which sounds again if this one is released first.
    ///
    /// # Errors
    /// [`NoteError`] says why nothing was begun.
    pub fn begin(&mut self, note: Note) -> Result<StartedNote, NoteError> {
        let lent = LentInstrument::find(&self.own_banks, self.bank.as_ref(), note.instrument)?;
        if note.strip.index() >= self.strips {
            return Err(NoteError::NoStrip(note.strip));
        }
        match lent.instrument.voice_mode {
            VoiceMode::Poly => self.begin_voices(note, None, None),
            mode => {
                let glide = lent.instrument.glide;
                self.begin_mono(note, mode, glide)
            }
        }
    }

    /// Begins the voices of a note, after those of another were cut, and on their way from another pitch.
    fn begin_voices(
        &mut self,
        note: Note,
        cut: Option<NoteId>,
        glide: Option<Glide>,
    ) -> Result<StartedNote, NoteError> {
        let lent = LentInstrument::find(&self.own_banks, self.bank.as_ref(), note.instrument)?;
        let id = NoteId(self.next_note);
        let at = note.at.unwrap_or_default();
        let (zones, choice) =
            self.selector.choose(note.instrument, lent.instrument, note.key, note.velocity, Trigger::Attack);
        let starts = zones.iter().filter_map(|zone| lent.start(zone, &note, id));
        let cut = cut.map(|before| Command { at, action: Action::Alter(before, NoteChange::Cut) });
        let before = usize::from(cut.is_some());
        self.layers.extend(cut);
        self.layers.extend(starts.map(|start| Command { at, action: Action::Start(start) }));
        let is_looped = self.layers.iter().any(
            |command| matches!(&command.action, Action::Start(start) if start.bank.bank().repeats(start.track)),
        );
        let hz = |command: &Command| if let Action::Start(start) = &command.action { start.hz } else { 0.0 };
        let hz = self.layers.iter().map(hz).fold(0.0, f64::max);
        let (layers, capacity) = (self.layers.len() - before, self.commands.capacity().get());
        let tone = resolve::tone(note.cutoff, note.resonance);
        let changes = [
            (tone != Tone::default()).then_some((id, NoteChange::Tone(tone))),
            glide.map(|glide| (id, NoteChange::Glide(glide))),
        ];
        let changes = changes.into_iter().flatten();
        let change = |(id, change)| Command { at, action: Action::Alter(id, change) };
        self.layers.extend(changes.filter(|_| layers > 0).map(change));
        let refusal = match layers {
            0 => Some(NoteError::NoZone),
            _ if layers > capacity => Some(NoteError::TooManyLayers { layers, capacity }),
            _ if self.layers.len() > self.commands.vacant_len() => Some(NoteError::Full(note)),
            _ => None,
        };
        if let Some(refusal) = refusal {
            // Each of them would keep its bank from being freed.
            self.layers.clear();
            if refusal == NoteError::NoZone && choice.are_for_silence_too() {
                self.selector.remember(choice);
            }
            return Err(refusal);
        }
        self.next_sequence += self.commands.push_iter(self.layers.drain(..)) as u64;
        if choice.are_awaited() {
            self.awaited.insert(id, note);
            if self.awaited.len() > MAX_AWAITED {
                self.awaited.pop_first();
            }
        }
        self.selector.remember(choice);
        self.next_note += 1;
        self.expect(id, at);
        Ok(StartedNote { note: id, voices: layers, is_looped, hz })
    }

    /// Remembers a note that is to begin later.
    fn expect(&mut self, note: NoteId, at: Frames) {
        let now = self.now();
        // No more of them can be waiting than fit the ring and the schedule; the others have begun.
        if self.upcoming.len() >= 4 * self.commands.capacity().get() {
            self.upcoming.retain(|_, at| *at > now);
        }
        if at > now {
            self.upcoming.insert(note, at);
        }
    }

    /// Lets a note go into its release; one that has not begun by then never will.
    ///
    /// # Errors
    /// [`Full`] gives the note back when the queue has no room.
    pub fn note_off(&mut self, note: NoteId, at: Option<Frames>) -> Result<(), Full<NoteId>> {
        match self.release_mono(note, at) {
            Some(released) => released,
            None => self.release(note, at).map_err(|_| Full(note)),
        }
    }

    /// Lets the voices of a note go into their release.
    fn release(&mut self, note: NoteId, at: Option<Frames>) -> Result<(), Full<()>> {
        let off = at.unwrap_or_default().max(self.now());
        let too_early = self.upcoming.get(&note).is_some_and(|begins| *begins > off);
        // Looking for a note among those that wait takes time on the audio thread, so only where it may be there.
        let action = if too_early { Action::Withdraw(note) } else { Action::Release(note) };
        self.send(at, action)?;
        let awaited = self.awaited.remove(&note);
        if too_early {
            self.upcoming.remove(&note);
        } else if let Some(note) = awaited {
            self.begin_released(Note { at, ..note });
        }
        Ok(())
    }

    /// Begins what an instrument sounds when a key is released, each to the end of its recording. Zones that repeat
    /// are left out, as nothing would end them; so are all of them if the queue has no room.
    fn begin_released(&mut self, note: Note) {
        let found = LentInstrument::find(&self.own_banks, self.bank.as_ref(), note.instrument);
        let Ok(lent) = found else { return };
        let (id, at) = (NoteId(self.next_note), note.at.unwrap_or_default());
        let (index, trigger) = (note.instrument, Trigger::Release);
        let (zones, choice) = self.selector.choose(index, lent.instrument, note.key, note.velocity, trigger);
        let starts = zones.iter().filter_map(|zone| lent.start(zone, &note, id));
        let ends = |start: &Start| !start.bank.bank().repeats(start.track);
        let starts = starts.filter(ends).map(|start| Command { at, action: Action::Start(start) });
        self.layers.extend(starts);
        if self.layers.is_empty() || self.layers.len() > self.commands.vacant_len() {
            self.layers.clear();
            return;
        }
        self.next_sequence += self.commands.push_iter(self.layers.drain(..)) as u64;
        self.selector.remember(choice);
        self.next_note += 1;
    }

    /// Sets what a note that was begun adds to the cutoff and the resonance of its filter, as [`Note::cutoff`] and
    /// [`Note::resonance`] do; it glides there within 11 to 128 ms.
    ///
    /// # Errors
    /// [`Full`] gives the note back when the queue has no room.
    pub fn set_tone(
        &mut self,
        note: NoteId,
        cutoff: Cents,
        resonance: Decibels,
        at: Option<Frames>,
    ) -> Result<(), Full<NoteId>> {
        let voice = self.mono.voice_of(note).unwrap_or(note);
        let tone = NoteChange::Tone(resolve::tone(cutoff, resonance));
        self.send(at, Action::Alter(voice, tone)).map_err(|_| Full(note))
    }

    /// Lets every note go into its release; those sent before and not begun by then never will.
    ///
    /// # Errors
    /// [`Full`] when the queue has no room.
    pub fn all_notes_off(&mut self, at: Option<Frames>) -> Result<(), Full<()>> {
        self.send(at, Action::ReleaseAll)?;
        self.mono.release_all(at.unwrap_or_default().max(self.now()));
        self.awaited.clear();
        Ok(())
    }

    /// Sets the gain of the whole output, which is unity at first: it glides there within 5 ms. Notes do not touch it,
    /// nor does [`all_sound_off`](Self::all_sound_off). Meters show what is after it.
    ///
    /// # Errors
    /// [`Full`] gives the gain back when the queue has no room.
    pub fn set_gain(&mut self, gain: Decibels, at: Option<Frames>) -> Result<(), Full<Decibels>> {
        self.send(at, Action::Gain(resolve::bounded(gain.gain()))).map_err(|_| Full(gain))
    }

    /// Returns how many strips the engine has.
    #[must_use]
    pub const fn strips(&self) -> usize {
        self.strips
    }

    /// Sets how the notes of a strip are heard, those that sound included: gain and pan glide there within 5 ms,
    /// unless none is heard; the pitch is there at once. Like the master gain it is not about notes, so
    /// [`all_sound_off`](Self::all_sound_off) leaves it.
    ///
    /// # Errors
    /// [`StripError`] gives the strip back when the queue has no room, or says that there is none of this index.
    pub fn set_strip(
        &mut self,
        index: StripIndex,
        strip: ChannelStrip,
        at: Option<Frames>,
    ) -> Result<(), StripError> {
        if index.index() >= self.strips {
            return Err(StripError::NoStrip(index));
        }
        let mut params = resolve::setting(&strip);
        if !self.has_effects {
            (params.reverb, params.delay) = (0.0, 0.0);
        }
        let action = Action::Set(index, params);
        self.send(at, action).map_err(|_| StripError::Full(strip))
    }

    /// From now on so many voices sound at once at most: 1 to what the engine was made for, and the nearest of these
    /// for other numbers. Voices that are too many make room, those that would yield to others first.
    ///
    /// # Errors
    /// [`Full`] gives the number back when the queue has no room.
    pub fn set_polyphony(&mut self, voices: usize, at: Option<Frames>) -> Result<(), Full<usize>> {
        let within = u32::try_from(voices.clamp(1, self.polyphony)).unwrap_or(u32::MAX);
        self.send(at, Action::Polyphony(within)).map_err(|_| Full(voices))
    }

    /// Panic: every note sent so far falls silent within 5 ms, at the beginning of the next block, and what has not
    /// begun never will. Tails of effects end as quickly, with anything sent to them meanwhile. It goes past the queue,
    /// so it cannot be refused.
    pub fn all_sound_off(&mut self) {
        self.shared.cancel_before(self.next_sequence);
        self.mono.release_all(self.now());
    }

    /// Stops time from the next block on, or lets it go on where it stood: meanwhile the output is silent, nothing is
    /// read from the queue, and frames stay what they are. What sounds is cut; turn the gain down before.
    pub fn set_paused(&mut self, paused: bool) {
        self.shared.set_paused(paused);
    }

    fn send(&mut self, at: Option<Frames>, action: Action) -> Result<(), Full<()>> {
        let command = Command { at: at.unwrap_or_default(), action };
        self.commands.try_push(command).map_err(|_| Full(()))?;
        self.next_sequence += 1;
        Ok(())
    }

    /// Returns the next thing the audio thread has reported, oldest first.
    pub fn poll(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.mono.next_event() {
                return Some(event);
            }
            if let Some(event) = self.mono.take(self.events.try_pop()?) {
                return Some(event);
            }
        }
    }

    /// Gives up the banks that nothing sounds from any more, and frees those that nobody else holds; returns how many
    /// were given up. Call it now and then, like [`poll`](Self::poll).
    pub fn collect(&mut self) -> usize {
        self.reclaimer.collect()
    }

    /// Returns the first frame not yet rendered when the last block was done: schedule from here on.
    #[must_use]
    pub fn now(&self) -> Frames {
        Frames::new(self.shared.now())
    }

    /// Returns the sample and position of each sounding voice, in steps of 16 frames, as of the latest
    /// [`Event::Meter`]; for pictures, not for time.
    pub fn positions(&self) -> impl Iterator<Item = (NoteId, SampleIndex, Frames)> {
        let seen = self.voice_positions.seen(self.next_note);
        seen.filter_map(|(note, sample, frame)| Some((self.mono.name(note)?, sample, frame)))
    }

    /// Returns the number of events lost so far because the queue was full.
    #[must_use]
    pub fn lost_events(&self) -> u64 {
        self.shared.lost_events()
    }

    /// Returns the number of voices refused so far; see [`Event::Refused`].
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.shared.refused()
    }
}

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller")
            .field("bank", &self.bank.is_some())
            .field("sent", &self.next_sequence)
            .field("now", &self.now())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
