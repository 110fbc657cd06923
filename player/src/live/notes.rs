//! Notes by hand and through MIDI, from their beginning to the end of their last voice.

use std::cmp::Reverse;

use engine::{Event, Note, NoteId, StartedNote, StripIndex};
use song::{FilterKind, Frames, InstrumentIndex, Key, SampleIndex, Velocity, Voicing};

use super::{LiveEvent, LivePlayer, NoteNumber, notice_event};
use crate::library::Readiness;
use crate::midi::message::{ChannelMessage, Control, Message};
use crate::midi::port::PortEvent;
use crate::midi::take::TakeEvent;
use crate::voicing::EngineVoicing as _;

/// A note of the front end while the engine sounds it.
pub(super) struct Sounding {
    number: NoteNumber,
    voices: usize,
    sound: usize,
    strip: StripIndex,
    /// The filter that its sound had when it began.
    filter: Option<FilterKind>,
    /// The frame that was next when it was asked for, until its first voice has begun.
    asked: Option<Frames>,
}

impl<S: Send + 'static, F: Send + 'static> LivePlayer<S, F> {
    /// Plays a sound until its note is released, as soon as the sound is loaded. `number` is the front end's own.
    ///
    /// # Errors
    /// [`LiveEvent::Loading`] if it has to be loaded first, [`LiveEvent::Refused`] if no device or no voice plays it,
    /// [`LiveEvent::Unplayable`] if it cannot be decoded.
    pub fn note_on(
        &mut self,
        number: NoteNumber,
        sound: usize,
        key: Key,
        velocity: Velocity,
    ) -> Result<(), LiveEvent<S>> {
        if let Some(why) = self.playback.refusal() {
            return Err(LiveEvent::Refused(number, why.to_owned()));
        }
        self.strike(number, sound, Note::new(InstrumentIndex::new(sound), key, velocity))
    }

    /// Lets the notes of a sound that are played go to the tone of its voicing.
    pub(super) fn turn_tone(&mut self, sound: usize, voicing: &Voicing) {
        let own = self.numbers.iter().filter(|(_, sounding)| sounding.sound == sound);
        let own = own.map(|(note, sounding)| (*note, sounding.filter));
        let notes: Vec<(NoteId, Option<FilterKind>)> = own.chain(self.midi.notes_of(sound)).collect();
        for (note, filter) in notes {
            if let Some((cutoff, resonance)) = voicing.tone_of(filter) {
                // Where the queue has no room the next turn comes soon.
                let _ = self.controller.set_tone(note, cutoff, resonance, None);
            }
        }
    }

    /// Releases a note.
    pub fn note_off(&mut self, number: NoteNumber) {
        if self.waiting.release(&number, self.controller.now()) {
            return;
        }
        self.record(TakeEvent::NoteOff(number.0));
        // A note that cannot be released would hang: better none at all.
        if let Some(id) = self.notes.get(&number)
            && self.controller.note_off(*id, None).is_err()
        {
            self.controller.all_sound_off();
        }
    }

    /// Releases all notes.
    pub fn release_all(&mut self) {
        self.waiting.release_all(self.controller.now());
        self.record(TakeEvent::AllOff);
        if self.controller.all_notes_off(None).is_err() {
            self.controller.all_sound_off();
        }
    }

    /// Silences all notes at once; a song that plays begins its row again.
    pub fn silence(&mut self) {
        self.waiting.retain(|_| false);
        self.record(TakeEvent::AllOff);
        self.controller.all_sound_off();
        self.songs.silenced(&mut self.controller);
    }

    /// Plays a note, as soon as its sound is there.
    pub(super) fn strike(
        &mut self,
        number: NoteNumber,
        sound: usize,
        note: Note,
    ) -> Result<(), LiveEvent<S>> {
        match self.library.prepare(&mut self.controller, sound) {
            Readiness::Ready => self.begin(number, sound, note),
            Readiness::Loading => {
                self.waiting.add(number, (number, sound, note), sound, self.controller.now());
                Err(LiveEvent::Loading(sound))
            }
            Readiness::Unplayable(why) => Err(LiveEvent::Unplayable(sound, why)),
        }
    }

    fn begin(&mut self, number: NoteNumber, sound: usize, note: Note) -> Result<(), LiveEvent<S>> {
        let voicing = self.voicings.get(&sound).copied().unwrap_or_default();
        let strip = voicing.strip(self.defaults(sound).sends);
        let numbers = &self.numbers;
        let sounds = |strip| numbers.values().any(|sounding| sounding.strip == strip);
        let note = match self.strips.take(&mut self.controller, sound, strip, None, sounds) {
            Some(strip) => Note { strip, ..voicing.on_strip(note) },
            None => voicing.alone(note),
        };
        let asked = Some(self.controller.now());
        let played = TakeEvent::NoteOn(number.0, sound, note.key, note.velocity);
        let begun =
            self.controller.begin(note).map_err(|error| LiveEvent::Refused(number, error.to_string()))?;
        self.record(played);
        self.notes.insert(number, begun.note);
        let StartedNote { note: id, voices, .. } = begun;
        let (strip, filter) = (note.strip, voicing.shape.filter.kind);
        self.numbers.insert(id, Sounding { number, voices, sound, strip, filter, asked });
        Ok(())
    }

    /// Plays what came from a MIDI port; `chosen` is the index of the chosen sound.
    pub fn play_midi(&mut self, event: PortEvent, chosen: usize) -> Option<LiveEvent<S>> {
        let refusal = self.playback.refusal();
        if std::mem::replace(&mut self.chosen, chosen) != chosen {
            self.record(TakeEvent::Chosen(chosen));
        }
        match event {
            PortEvent::Message(_, Message::To(_, ChannelMessage::NoteOn(..))) if refusal.is_some() => {}
            // What controllers turn is recorded as it is heard.
            PortEvent::Message(_, Message::To(_, ChannelMessage::Control(Control::Other(_), _))) => {}
            PortEvent::Message(_, Message::To(_, ChannelMessage::Control(control, _)))
                if self.midi.is_learned(control.number()) => {}
            PortEvent::Message(_, message) => self.record(TakeEvent::Message(message)),
            PortEvent::Unplugged(..) => self.record(TakeEvent::Unplugged),
            _ => {}
        }
        let learning = self.midi.learning();
        let notice = self.midi.play(&mut self.controller, event, chosen, refusal).map(notice_event);
        self.follow_controllers();
        let learned = self.learned_since(learning);
        self.load_for_midi().or(learned).or(notice)
    }

    /// Collects what the engine has reported since.
    pub fn handle_engine_events(&mut self, events: &mut Vec<LiveEvent<S>>) {
        while let Some(event) = self.controller.poll() {
            self.midi.handle_event(&event);
            self.songs.handle_event(&event);
            match event {
                Event::Started { note, at } => events.extend(self.began(note, at)),
                Event::Ended { note, .. } => {
                    events.extend(self.voice_ended(note).map(LiveEvent::Ended));
                }
                Event::Refused { note, .. } => {
                    let why = "too many notes at once".to_owned();
                    events.extend(self.voice_ended(note).map(|number| LiveEvent::Refused(number, why)));
                }
                Event::Meter { left, right, limiter_gain: limited, voices, .. } => {
                    let voices = voices as usize;
                    events.push(LiveEvent::Meter { peaks: [left, right], limited, voices });
                }
                _ => {}
            }
        }
        self.controller.collect();
    }

    /// Handles the beginning of a voice; returns how late it is, if it is the first of its note.
    fn began(&mut self, note: NoteId, at: Frames) -> Option<LiveEvent<S>> {
        let sound = self.numbers.get(&note).map(|sounding| sounding.sound);
        if let Some(sound) = sound.or_else(|| self.midi.sound(note)) {
            self.library.touch(sound);
        }
        let sounding = self.numbers.get_mut(&note)?;
        let after = Frames::new(at.get().saturating_sub(sounding.asked.take()?.get()));
        Some(LiveEvent::Began(sounding.number, after))
    }

    /// Handles the end of a voice; returns its note, if it was the last of it.
    fn voice_ended(&mut self, note: NoteId) -> Option<NoteNumber> {
        let sounding = self.numbers.get_mut(&note)?;
        sounding.voices = sounding.voices.saturating_sub(1);
        if sounding.voices > 0 {
            return None;
        }
        let Sounding { number, .. } = self.numbers.remove(&note)?;
        self.notes.remove(&number);
        self.record(TakeEvent::NoteOff(number.0));
        Some(number)
    }

    /// Returns what sounds of a sound, whoever plays it, in the recording of its latest note; of those that it layers,
    /// the first.
    pub(super) fn sounding(&mut self, chosen: usize) -> LiveEvent<S> {
        let sound = |note: NoteId| {
            let own = self.numbers.get(&note).map(|sounding| sounding.sound);
            own.or_else(|| self.midi.sound(note))
        };
        let voices: Vec<(NoteId, SampleIndex, Frames)> =
            self.controller.positions().filter(|(note, ..)| sound(*note) == Some(chosen)).collect();
        let before =
            Some(self.seen).filter(|(sound, _)| *sound == chosen).and_then(|(_, recording)| recording);
        let latest = voices.iter().max_by_key(|(note, recording, _)| (*note, Reverse(*recording)));
        let latest = latest.map(|(_, recording, _)| *recording);
        self.seen = (chosen, latest.or(before));
        let positions = voices.iter().filter(|(_, recording, _)| Some(*recording) == latest);
        LiveEvent::Sounding {
            positions: positions.map(|(.., position)| *position).collect(),
            midi: self.midi.keys().collect(),
        }
    }

    /// Lets the recorder know what was played just now.
    pub(super) fn record(&self, what: TakeEvent) {
        let heard = Frames::new(self.controller.now().get() + self.limiter.get());
        self.recorder.played(heard, what);
    }
}
