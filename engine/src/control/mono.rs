//! Instruments whose notes follow each other in one voice: mono and legato.
//!
//! ```text
//! keys      C ───────────────
//!               E ─────               the latest key that is held sounds
//! mono      C1  E1    C2              each note begins anew, and cuts the one before
//! legato    C ─╱E ──╲─C               one goes on at another pitch
//! ```
//!
//! A note that another one displaces is silent but not over: it sounds again when the other is released first. So the
//! engine plays notes of its own, and what it reports of them is passed on in the name of the note that sounds.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use song::{Cents, Frames, InstrumentIndex, Key, Velocity, VoiceMode};

use super::resolve::LentInstrument;
use super::{Controller, Full, Note, NoteError, StartedNote};
use crate::message::{Action, Event, Glide, Micros, NoteChange, NoteId, StripIndex};

/// Lines beyond which those are forgotten that nothing sounds on; they only remember where a glide begins.
const MAX_LINES: usize = 256;

/// Notes that are held on a line; the next one ends the oldest.
const MAX_HELD: usize = 128;
/// Frames after which a voice of a silent engine counts as over though its event was lost. Longer than any command
/// waits.
const STALE: u64 = 1 << 16;

/// An instrument on a strip: its notes follow each other there.
type LineId = (InstrumentIndex, StripIndex);

/// All lines, and the engine's notes that sound on them.
#[derive(Debug, Default)]
pub(super) struct MonoLines {
    lines: BTreeMap<LineId, MonoLine>,
    /// By the engine's notes.
    voices: BTreeMap<NoteId, LineVoice>,
    /// Ends of voices that each note has still to be told of.
    owed: BTreeMap<NoteId, usize>,
    /// What is to be reported next.
    events: VecDeque<Event>,
}

#[derive(Debug, Default)]
struct MonoLine {
    /// The notes that are held, the latest last.
    held: Vec<(NoteId, Note)>,
    /// The engine's note that sounds, if it does.
    voice: Option<NoteId>,
    /// Where a glide to the next note begins.
    last: Option<(Key, Cents)>,
}

/// A note of the engine.
#[derive(Debug)]
struct LineVoice {
    line: LineId,
    /// In whose name it is reported; none of one that was cut.
    note: Option<NoteId>,
    /// Whether its beginning is not reported: the note has begun before.
    is_return: bool,
    /// Its voices that are not over.
    left: usize,
    /// When it began, or soon after.
    at: Frames,
    /// As it was begun.
    begun: StartedNote,
    key: Key,
    tune: Cents,
    /// Cents from one key to the next.
    by_key: f64,
}

impl LineVoice {
    /// Returns how far a key is from the pitch that it was begun at.
    fn cents_to(&self, key: Key, tune: Cents) -> f32 {
        cents((self.key, self.tune), (key, tune), self.by_key)
    }
}

/// Returns how far one key is above another.
fn cents(from: (Key, Cents), to: (Key, Cents), by_key: f64) -> f32 {
    let keys = f64::from(to.0.get()) - f64::from(from.0.get());
    (by_key * keys + to.1.get() - from.1.get()) as f32
}

impl MonoLines {
    /// Returns the next thing to be reported that no voice reports now.
    pub(super) fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Takes what the engine reports; returns it if it is not of a line.
    pub(super) fn take(&mut self, event: Event) -> Option<Event> {
        if let Event::Meter { voices: 0, at, .. } = event {
            self.forget_stale(at);
        }
        let (Event::Started { note: id, .. }
        | Event::Ended { note: id, .. }
        | Event::Stolen { note: id, .. }
        | Event::Refused { note: id, .. }) = event
        else {
            return Some(event);
        };
        let Some(voice) = self.voices.get_mut(&id) else { return Some(event) };
        let note = voice.note;
        match event {
            Event::Started { at, .. } => {
                let started = note.filter(|_| !voice.is_return).map(|note| Event::Started { note, at });
                self.events.extend(started);
            }
            Event::Stolen { at, .. } => self.events.extend(note.map(|note| Event::Stolen { note, at })),
            Event::Ended { at, .. } | Event::Refused { at, .. } => {
                voice.left = voice.left.saturating_sub(1);
                let (left, line) = (voice.left, voice.line);
                if left == 0 {
                    self.voices.remove(&id);
                    if let Some(line) = self.lines.get_mut(&line) {
                        line.voice.take_if(|voice| *voice == id);
                    }
                }
                if let Some(note) = note {
                    self.end(note, left, at);
                    if left == 0
                        && let Some(line) = self.lines.get_mut(&line)
                    {
                        line.held.retain(|(held, _)| *held != note);
                    }
                }
            }
            Event::Meter { .. } => {}
        }
        None
    }

    /// Forgets voices whose ends were lost, at a frame at which nothing sounds.
    fn forget_stale(&mut self, now: Frames) {
        let is_stale = |voice: &LineVoice| voice.at.get().saturating_add(STALE) < now.get();
        let stale: Vec<NoteId> =
            self.voices.iter().filter(|(_, voice)| is_stale(voice)).map(|(id, _)| *id).collect();
        for id in stale {
            let left = self.voices.get(&id).map_or(0, |voice| voice.left);
            for _ in 0..left {
                let _ = self.take(Event::Ended { note: id, at: now });
            }
        }
    }

    /// Returns the note in whose name a note of the engine is reported.
    pub(super) fn name(&self, id: NoteId) -> Option<NoteId> {
        self.voices.get(&id).map_or(Some(id), |voice| voice.note)
    }

    /// Returns the engine's note that sounds in the name of a note.
    pub(super) fn voice_of(&self, note: NoteId) -> Option<NoteId> {
        self.voices.iter().find(|(_, voice)| voice.note == Some(note)).map(|(voice, _)| *voice)
    }

    /// Reports ends of voices of a note until so many are left.
    fn end(&mut self, note: NoteId, left: usize, at: Frames) {
        let Some(owed) = self.owed.get_mut(&note) else { return };
        while *owed > left {
            self.events.push_back(Event::Ended { note, at });
            *owed -= 1;
        }
        if *owed == 0 {
            self.owed.remove(&note);
        }
    }

    /// Every note is released: none sounds again.
    pub(super) fn release_all(&mut self, at: Frames) {
        let sounding: Vec<NoteId> = self.voices.values().filter_map(|voice| voice.note).collect();
        let held: Vec<NoteId> =
            self.lines.values_mut().flat_map(|line| line.held.drain(..)).map(|(note, _)| note).collect();
        for note in held.into_iter().filter(|note| !sounding.contains(note)) {
            self.end(note, 0, at);
        }
    }

    fn line_of(&self, note: NoteId) -> Option<LineId> {
        let held = |line: &MonoLine| line.held.iter().any(|(held, _)| *held == note);
        self.lines.iter().find(|(_, line)| held(line)).map(|(id, _)| *id)
    }
}

/// What a note does to the line that it is on.
struct Succession {
    mode: VoiceMode,
    glide: Duration,
}

impl Controller {
    /// Begins a note on an instrument of one voice.
    pub(super) fn begin_mono(
        &mut self,
        note: Note,
        mode: VoiceMode,
        glide: Duration,
    ) -> Result<StartedNote, NoteError> {
        let id = (note.instrument, note.strip);
        let oldest = self.mono.lines.get(&id).filter(|line| line.held.len() >= MAX_HELD);
        if let Some((oldest, _)) = oldest.and_then(|line| line.held.first().copied()) {
            // It is silent: others are held above it.
            self.release_on_line(id, oldest, None).map_err(|_| NoteError::Full(note))?;
        }
        if self.mono.lines.len() >= MAX_LINES {
            self.mono.lines.retain(|_, line| line.voice.is_some() || !line.held.is_empty());
        }
        let line = self.mono.lines.entry(id).or_default();
        let voice = line.voice.filter(|_| mode == VoiceMode::Legato && !line.held.is_empty());
        let name = NoteId(self.next_note);
        let Some(voice) = voice else {
            self.next_note += 1;
            let begun = self.restart(note, name, &Succession { mode, glide }, false);
            return begun.inspect_err(|_| self.next_note = name.0);
        };
        let lent = LentInstrument::find(&self.own_banks, self.bank.as_ref(), note.instrument)?;
        if !lent.instrument.tree.covers(note.key, note.velocity) {
            return Err(NoteError::NoZone);
        }
        self.glide_to(voice, (note.key, note.tune), glide, note.at).map_err(|_| NoteError::Full(note))?;
        self.next_note += 1;
        let at = note.at.unwrap_or_default().max(self.now());
        let Some(sounding) = self.mono.voices.get_mut(&voice) else { return Err(NoteError::NoZone) };
        sounding.note = Some(name);
        let left = sounding.left;
        let ratio = f64::from(sounding.cents_to(note.key, note.tune) / 1200.0).exp2();
        let begun = StartedNote { note: name, voices: left, hz: sounding.begun.hz * ratio, ..sounding.begun };
        self.mono.owed.insert(name, left);
        self.mono.events.push_back(Event::Started { note: name, at });
        if let Some(line) = self.mono.lines.get_mut(&id) {
            line.held.push((name, note));
            line.last = Some((note.key, note.tune));
        }
        Ok(begun)
    }

    /// Lets the voices of a line go to the pitch of a key.
    fn glide_to(
        &mut self,
        voice: NoteId,
        (key, tune): (Key, Cents),
        time: Duration,
        at: Option<Frames>,
    ) -> Result<(), Full<()>> {
        let Some(sounding) = self.mono.voices.get(&voice) else { return Ok(()) };
        let to = sounding.cents_to(key, tune);
        let glide = Glide { from: None, to, time: Micros::from_duration(time) };
        self.send(at, Action::Alter(voice, NoteChange::Glide(glide)))
    }

    /// Begins the voices of a note, and cuts what sounds on its line.
    fn restart(
        &mut self,
        note: Note,
        name: NoteId,
        succession: &Succession,
        is_return: bool,
    ) -> Result<StartedNote, NoteError> {
        let id = (note.instrument, note.strip);
        let line = self.mono.lines.entry(id).or_default();
        let (before, last) = (line.voice, line.last);
        let from = last.filter(|_| succession.mode == VoiceMode::Mono && !succession.glide.is_zero());
        let engine = NoteId(self.next_note);
        let by_key = self.cents_per_key(&note);
        let glide = from.map(|from| Glide {
            from: Some(cents((note.key, note.tune), from, by_key)),
            to: 0.0,
            time: Micros::from_duration(succession.glide),
        });
        let begun = self.begin_voices(note, before, glide)?;
        if let Some(cut) = before.and_then(|before| self.mono.voices.get_mut(&before)) {
            cut.note = None;
        }
        let voice = LineVoice {
            line: id,
            note: Some(name),
            is_return,
            left: begun.voices,
            at: note.at.unwrap_or_default().max(self.now()),
            begun,
            key: note.key,
            tune: note.tune,
            by_key,
        };
        self.mono.voices.insert(engine, voice);
        let line = self.mono.lines.entry(id).or_default();
        (line.voice, line.last) = (Some(engine), Some((note.key, note.tune)));
        if !is_return {
            line.held.push((name, note));
            self.mono.owed.insert(name, begun.voices);
        }
        Ok(StartedNote { note: name, ..begun })
    }

    /// Returns the cents from one key to the next where a note is played.
    fn cents_per_key(&self, note: &Note) -> f64 {
        let lent = LentInstrument::find(&self.own_banks, self.bank.as_ref(), note.instrument);
        let zones = lent.map(|lent| lent.instrument.zones()).unwrap_or_default();
        let covers = |key: Key, velocity: Velocity| zones.iter().find(|zone| zone.covers(key, velocity));
        let response = covers(note.key, note.velocity).and_then(|zone| zone.response());
        response.map_or(100.0, |response| response.pitch_by_key)
    }

    /// Releases a note if it is held on a line; none if it is not.
    pub(super) fn release_mono(
        &mut self,
        note: NoteId,
        at: Option<Frames>,
    ) -> Option<Result<(), Full<NoteId>>> {
        let id = self.mono.line_of(note)?;
        Some(self.release_on_line(id, note, at).map_err(|_| Full(note)))
    }

    fn release_on_line(&mut self, id: LineId, note: NoteId, at: Option<Frames>) -> Result<(), Full<()>> {
        let Some(line) = self.mono.lines.get(&id) else { return Ok(()) };
        let is_latest = line.held.last().is_some_and(|(held, _)| *held == note);
        let before = line.held.iter().rev().find(|(held, _)| *held != note).copied();
        let off = at.unwrap_or_default().max(self.now());
        match (is_latest, before, line.voice) {
            // Another one sounds, or none.
            (false, ..) => self.mono.end(note, 0, off),
            (true, Some((returning, to)), Some(voice)) => {
                self.go_back(voice, (returning, to), at)?;
                self.mono.end(note, 0, off);
            }
            (true, _, Some(voice)) => self.release(voice, at)?,
            (true, _, None) => self.mono.end(note, 0, off),
        }
        if let Some(line) = self.mono.lines.get_mut(&id) {
            line.held.retain(|(held, _)| *held != note);
        }
        Ok(())
    }

    /// A note sounds again that is still held.
    fn go_back(
        &mut self,
        voice: NoteId,
        (returning, note): (NoteId, Note),
        at: Option<Frames>,
    ) -> Result<(), Full<()>> {
        let lent = LentInstrument::find(&self.own_banks, self.bank.as_ref(), note.instrument);
        let lent = lent.map(|lent| (lent.instrument.voice_mode, lent.instrument.glide));
        let (mode, glide) = lent.unwrap_or((VoiceMode::Legato, Duration::ZERO));
        if mode == VoiceMode::Legato {
            self.glide_to(voice, (note.key, note.tune), glide, at)?;
            if let Some(sounding) = self.mono.voices.get_mut(&voice) {
                sounding.note = Some(returning);
            }
            if let Some(line) = self.mono.lines.get_mut(&(note.instrument, note.strip)) {
                line.last = Some((note.key, note.tune));
            }
            return Ok(());
        }
        match self.restart(Note { at, ..note }, returning, &Succession { mode, glide }, true) {
            Ok(_) => Ok(()),
            Err(NoteError::Full(_)) => Err(Full(())),
            // It cannot be begun again: its instrument is another one now.
            Err(_) => self.release(voice, at),
        }
    }
}

#[cfg(test)]
mod tests;
