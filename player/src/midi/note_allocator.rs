//! Carries out MIDI actions on the engine. The notes of MIDI channel c sound on the engine's strip c; those of the kit
//! whose sounds send to effects on strips of their sounds, as long as there are any. Strip 0 is left to others.

mod kit_strips;

use crate::voicing::{EngineVoicing as _, sending};
use std::collections::HashMap;

use engine::{
    ChannelStrip, Controller, Event, Full, Note, NoteError, NoteId, StartedNote, StripError, StripIndex,
};
use song::{Decibels, FilterKind, Frames, Instrument, InstrumentIndex, Key, Pan, Sends, Voicing};

use super::interpreter::{MidiNoteId, Mix, NoteOn, Pitch, SynthAction};
use super::message::MidiChannel;
use kit_strips::KitStrips;

/// Frames after which a note of a silent engine counts as ended though its event was lost. Longer than any command
/// waits.
const STALE: u64 = 1 << 16;

/// Why an action was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The engine's queue has no room now; to be tried again.
    Full,
    /// Its sound is not loaded, and may be later.
    NotLoaded,
    /// The sound has nothing to play there; what and why.
    NoZone(String),
    /// It never will be; why.
    Never(String),
}

/// A note that the engine plays.
#[derive(Clone, Copy, Debug)]
struct Playing {
    id: NoteId,
    channel: MidiChannel,
    strip: StripIndex,
    /// Index of its sound.
    sound: usize,
    /// The filter that its sound had when it began.
    filter: Option<FilterKind>,
    /// Voices that are not over.
    voices: usize,
    /// When it began, or soon after.
    at: Frames,
    /// Whether it goes on to its end whatever its key does: what a kit plays once.
    plays_out: bool,
    /// Whether its release has been sent.
    released: bool,
}

/// The notes that the engine plays for an interpreter.
#[derive(Debug, Default)]
pub struct NoteAllocator {
    gain: Decibels,
    pan: Pan,
    /// How sounds are changed, those that are.
    voicings: HashMap<usize, Voicing>,
    notes: HashMap<MidiNoteId, Playing>,
    numbers: HashMap<NoteId, MidiNoteId>,
    strips: [ChannelSends; MidiChannel::COUNT],
    kit: KitStrips,
}

/// What the strip of a channel is told besides its mix: how much it sends, which is of the sound that it played last.
#[derive(Clone, Copy, Debug, Default)]
struct ChannelSends {
    mix: Mix,
    sound: Option<usize>,
    /// As the engine was told last.
    sends: Sends,
}

impl NoteAllocator {
    /// Creates an allocator with a gain and a pan added to those of each note.
    #[must_use]
    pub fn new(gain: Decibels, pan: Pan) -> Self {
        Self { gain, pan, ..Self::default() }
    }

    /// Sets the voicing of a sound for notes from here on.
    pub fn voice(&mut self, sound: usize, voicing: Voicing) {
        self.voicings.insert(sound, voicing);
    }

    /// Returns the index of the sound that a note plays, if it is one of those played here.
    #[must_use]
    pub fn sound(&self, note: NoteId) -> Option<usize> {
        self.notes.get(self.numbers.get(&note)?).map(|playing| playing.sound)
    }

    /// Returns the notes of a sound that play, and the filter that it had when they began.
    pub fn notes_of(&self, sound: usize) -> impl Iterator<Item = (NoteId, Option<FilterKind>)> {
        let notes = self.notes.values().filter(move |playing| playing.sound == sound);
        notes.map(|playing| (playing.id, playing.filter))
    }

    /// Returns whether no note plays any more.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Returns whether a note plays that goes on to its end though its key is up.
    #[must_use]
    pub fn plays_out(&self) -> bool {
        self.notes.values().any(|playing| playing.plays_out && !playing.released)
    }

    /// Executes an action at a frame, or as soon as possible.
    ///
    /// # Errors
    /// [`Refusal`] says why it is not done, and whether it may be tried again.
    pub fn execute(
        &mut self,
        controller: &mut Controller,
        action: SynthAction,
        at: Option<Frames>,
    ) -> Result<(), Refusal> {
        match action {
            SynthAction::NoteOn(note_on) => self.begin(controller, note_on, at),
            SynthAction::NoteOff(note) => match self.notes.get_mut(&note) {
                Some(playing) if !playing.plays_out => release(controller, playing, at),
                // It is over, never began, or goes on to its end.
                _ => Ok(()),
            },
            SynthAction::Mix(channel, mix) => {
                let sends = ChannelSends { mix, ..self.strips[channel.index()] };
                self.set_strip(controller, channel, sends, at)?;
                if channel == MidiChannel::KIT { self.follow_kit(controller, at) } else { Ok(()) }
            }
            SynthAction::SoundOff(channel) => {
                let mut own = self.notes.values_mut().filter(|playing| playing.channel == channel);
                own.try_for_each(|playing| release(controller, playing, at))
            }
            SynthAction::Silence => self.silence(controller, at),
            // Whoever owns the sounds changes them.
            SynthAction::Controller(..) => Ok(()),
            SynthAction::Missing(channel, sound) => {
                let why = format!(
                    "MIDI channel {} asks for sound #{}, which does not exist",
                    channel.get(),
                    sound + 1
                );
                Err(Refusal::Never(why))
            }
        }
    }

    /// Lets the strips of all channels send as the sounds are voiced that they played last, and those of the kit as
    /// theirs are; what the queue has no room for is sent the next time.
    pub fn follow_sends(&mut self, controller: &mut Controller, at: Option<Frames>) {
        for channel in MidiChannel::all() {
            let sends = self.strips[channel.index()];
            if let Some(sound) = sends.sound {
                // Whatever is refused is refused again, and heard as before.
                let _ = self.send(controller, channel, sound, at);
            }
        }
        let _ = self.follow_kit(controller, at);
    }

    /// Lets the strips of the kit sound as its channel does and send as their sounds are voiced.
    fn follow_kit(&mut self, controller: &mut Controller, at: Option<Frames>) -> Result<(), Refusal> {
        let (mix, voicings) = (self.strips[MidiChannel::KIT.index()].mix, &self.voicings);
        let sends = |controller: &Controller, sound| sends_of(controller, voicings, sound);
        self.kit.follow(controller, at, |controller, sound| strip_params(mix, sends(controller, sound)))
    }

    /// Returns the strip of a note of the kit, which sends as its sound does.
    fn kit_strip(
        &mut self,
        controller: &mut Controller,
        channel: MidiChannel,
        sound: usize,
        at: Option<Frames>,
    ) -> Result<StripIndex, Refusal> {
        let sends = sends_of(controller, &self.voicings, sound);
        if sends == Sends::default() {
            return Ok(strip(channel));
        }
        let params = strip_params(self.strips[channel.index()].mix, sends);
        let notes = &self.notes;
        let sounds = |strip| notes.values().any(|playing| playing.strip == strip);
        let own = self.kit.take(controller, sound, params, at, sounds)?;
        Ok(own.unwrap_or(strip(channel)))
    }

    /// Lets the strip of a channel send as a sound is voiced that it plays.
    fn send(
        &mut self,
        controller: &mut Controller,
        channel: MidiChannel,
        sound: usize,
        at: Option<Frames>,
    ) -> Result<(), Refusal> {
        let before = self.strips[channel.index()];
        let sends = sends_of(controller, &self.voicings, sound);
        let sending = ChannelSends { sound: Some(sound), sends, ..before };
        if before.sends != sends {
            return self.set_strip(controller, channel, sending, at);
        }
        self.strips[channel.index()] = sending;
        Ok(())
    }

    fn set_strip(
        &mut self,
        controller: &mut Controller,
        channel: MidiChannel,
        sends: ChannelSends,
        at: Option<Frames>,
    ) -> Result<(), Refusal> {
        let sent = controller.set_strip(strip(channel), strip_params(sends.mix, sends.sends), at);
        sent.map_err(|error| match error {
            StripError::Full(_) => Refusal::Full,
            other => Refusal::Never(other.to_string()),
        })?;
        self.strips[channel.index()] = sends;
        Ok(())
    }

    fn begin(
        &mut self,
        controller: &mut Controller,
        note_on: NoteOn,
        at: Option<Frames>,
    ) -> Result<(), Refusal> {
        let NoteOn { note: number, channel, sound, pitch, velocity } = note_on;
        let instrument = InstrumentIndex::new(sound);
        let voicing = self.voicings.get(&sound).copied().unwrap_or_default();
        let key = match pitch {
            Pitch::Of(key) => key,
            Pitch::Own => voicing.root(controller.instrument(instrument).map_or(Key::C4, Instrument::root)),
        };
        let strip = if channel == MidiChannel::KIT {
            self.kit_strip(controller, channel, sound, at)?
        } else {
            self.send(controller, channel, sound, at)?;
            strip(channel)
        };
        let note = Note { gain: self.gain, pan: self.pan, strip, at, ..Note::new(instrument, key, velocity) };
        let begun = controller.begin(voicing.alone(note)).map_err(|error| match error {
            NoteError::Full(_) => Refusal::Full,
            NoteError::NoBank | NoteError::NoInstrument(_) => Refusal::NotLoaded,
            error @ NoteError::NoZone => Refusal::NoZone(format!("#{}: {error}", sound + 1)),
            other => Refusal::Never(format!("#{}: {other}", sound + 1)),
        })?;
        let at = at.unwrap_or_default().max(controller.now());
        let plays_out = pitch == Pitch::Own && !begun.is_looped;
        let StartedNote { note: id, voices, .. } = begun;
        let filter = voicing.shape.filter.kind;
        let playing = Playing { id, channel, strip, sound, filter, voices, at, plays_out, released: false };
        self.notes.insert(number, playing);
        self.numbers.insert(begun.note, number);
        Ok(())
    }

    /// Silences everything at once, or releases it at a frame: the engine's panic takes none.
    fn silence(&mut self, controller: &mut Controller, at: Option<Frames>) -> Result<(), Refusal> {
        match at {
            None => {
                controller.all_sound_off();
                Ok(())
            }
            Some(_) => self.notes.values_mut().try_for_each(|playing| release(controller, playing, at)),
        }
    }

    /// Handles an event of the engine; returns whether it was about a note that it began.
    pub fn handle_event(&mut self, event: &Event) -> bool {
        match *event {
            Event::Ended { note, .. } | Event::Refused { note, .. } => self.end_voice(note),
            Event::Meter { voices: 0, at, .. } => {
                self.notes.retain(|_, playing| playing.at.get() + STALE > at.get());
                let notes = &self.notes;
                self.numbers.retain(|_, number| notes.contains_key(number));
                false
            }
            _ => false,
        }
    }

    fn end_voice(&mut self, id: NoteId) -> bool {
        let Some(number) = self.numbers.get(&id).copied() else { return false };
        if let Some(playing) = self.notes.get_mut(&number) {
            playing.voices = playing.voices.saturating_sub(1);
            if playing.voices == 0 {
                self.notes.remove(&number);
                self.numbers.remove(&id);
            }
        }
        true
    }
}

fn release(controller: &mut Controller, playing: &mut Playing, at: Option<Frames>) -> Result<(), Refusal> {
    if !playing.released {
        controller.note_off(playing.id, at).map_err(|Full(_)| Refusal::Full)?;
        playing.released = true;
    }
    Ok(())
}

fn strip(channel: MidiChannel) -> StripIndex {
    StripIndex::new(channel.get().into())
}

/// Returns what notes of a sound send, as it is voiced.
fn sends_of(controller: &Controller, voicings: &HashMap<usize, Voicing>, sound: usize) -> Sends {
    let own = controller.instrument(InstrumentIndex::new(sound)).map(|own| own.sends).unwrap_or_default();
    voicings.get(&sound).copied().unwrap_or_default().sends(own)
}

fn strip_params(mix: Mix, sends: Sends) -> ChannelStrip {
    let Mix { gain, pan, bend, vibrato, cutoff, resonance } = mix;
    ChannelStrip { gain, pan, tune: bend, vibrato, cutoff, resonance, ..sending(sends) }
}
