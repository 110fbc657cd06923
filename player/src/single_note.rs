//! One sound as one note: which note, when it is released, when it is over. What [`render`] plays besides is a MIDI
//! file.

use std::time::Duration;

use engine::{
    Bank, CONTROL_GRID, ChannelStrip, Config, Controller, Event, GLIDE, Note, NoteId, Processor, StartedNote,
    offline,
};
use importer::Sound;
use song::{Decibels, Frames, Hz, InstrumentIndex, Key, Pan, Song, Velocity, Voicing};

use crate::room::Room;
use crate::voicing::{EngineVoicing as _, sending};
use crate::{Error, ErrorKind};

/// How one note is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoteOptions {
    /// Its key; the one that plays the sound at its own pitch if none is given.
    pub key: Option<Key>,
    /// MIDI velocity.
    pub velocity: Velocity,
    /// Added to the gain of the sound.
    pub gain: Decibels,
    /// Added to the pan of the sound.
    pub pan: Pan,
    /// Time a looped sound is held.
    pub hold: Duration,
    /// How the sound is adjusted; its loop is the bank's.
    pub voicing: Voicing,
    /// The room that it is played in; none for an engine without effects.
    pub room: Option<Room>,
}

/// Returns the first frame of the engine's control grid that is not before another: notes that start there sound the
/// same to the bit whenever they are played.
#[must_use]
pub const fn on_grid(frame: Frames) -> Frames {
    Frames::new(frame.get().next_multiple_of(CONTROL_GRID.get()))
}

/// What is to be played, and how.
pub struct NotePlan<'p> {
    /// The bank that has the sound as an instrument.
    pub bank: &'p Bank,
    /// The sound.
    pub sound: &'p Sound,
    /// The note.
    pub options: NoteOptions,
    /// The longest it may go on after its release.
    pub tail: Duration,
    /// Frames per second of the output.
    pub rate: Hz,
}

impl NotePlan<'_> {
    /// Returns how many seconds it lasts, where that is known beforehand: at its own pitch, without a loop.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        let Self { bank, sound, options, .. } = self;
        if options.key.is_some() || bank.is_looped(InstrumentIndex::new(sound.number - 1)) {
            return None;
        }
        let trimmed = sound.audio().and_then(|audio| {
            let trim = options.voicing.trim_of(Frames::new(audio.frames?))?;
            Some(trim.length().seconds(audio.rate))
        });
        trimmed.or_else(|| sound.seconds())
    }
}

/// Something that is played through an engine, live or not.
pub trait Playable {
    /// Sends what is due before a frame; the first frame that something is due at that was not sent, at most that one.
    /// The engine's queue is full then, and has room once what comes before was rendered.
    fn feed(&mut self, controller: &mut Controller, until: Frames) -> Frames;

    /// Handles what the engine reports.
    fn handle_event(&mut self, event: &Event);

    /// From a frame on they are so many a second.
    fn set_rate(&mut self, now: Frames, rate: Hz);

    /// Returns the first frame after it, once it is over at a point of time.
    fn end(&self, now: Frames) -> Option<Frames>;
}

/// A note that has been sent, and how far it has come.
pub struct SingleNote {
    note: NoteId,
    /// The frame after which it is over whatever it does.
    latest: Frames,
    /// How long its recording lasts.
    recorded: Frames,
    /// Its voices that are not over.
    voices: usize,
    /// The first frame after the others.
    last: Frames,
    /// How long effects go on after it.
    after: Frames,
}

/// What is turned down at the end of a note that goes on.
enum Fading {
    /// All that the engine plays.
    Master,
    /// What is sent to effects and past them.
    Strip,
}

impl SingleNote {
    /// Sends a note of a sound that starts at a frame, and if it has a loop its release and the end of all that it may
    /// sound: then the engine is silent, so it is one for this note alone.
    ///
    /// # Errors
    /// [`ErrorKind::Sound`] if it cannot be played.
    pub fn begin(controller: &mut Controller, plan: &NotePlan<'_>, start: Frames) -> Result<Self, Error> {
        let &NotePlan { bank, sound, options, tail, rate } = plan;
        let failed = |error: String| Error::new(ErrorKind::Sound, format!("{}: {error}", sound.path()));
        let instrument = InstrumentIndex::new(sound.number - 1);
        let note = Note {
            gain: options.gain,
            pan: options.pan,
            ..Note::new(instrument, key(bank, instrument, &options), options.velocity)
        };
        let note = options.voicing.alone(note);
        let own = bank.instruments().get(instrument.get()).map(|own| own.sends).unwrap_or_default();
        let sends = options.voicing.sends(own);
        let mut fading = Fading::Master;
        let mut after = Duration::ZERO;
        if let Some(room) = options.room {
            let is_sent = controller.set_strip(note.strip, sending(sends), Some(start)).is_ok();
            if !room.apply(controller, Some(start)) || !is_sent {
                return Err(failed("the engine has no room for its effects".to_owned()));
            }
            // What effects still have of it goes on.
            fading = Fading::Strip;
            after = room.tail([sends]);
        }
        let StartedNote { note: id, voices, is_looped, hz } =
            controller.begin(note.at(start)).map_err(|error| failed(error.to_string()))?;
        let ratio = hz / f64::from(rate.get());
        if ratio > Bank::MAX_RATIO {
            let most = Bank::MAX_RATIO;
            let problem =
                format!("its recording would run at {ratio:.0} times the output's rate; {most} is the most");
            return Err(failed(problem));
        }
        let latest = if is_looped {
            let released = Frames::new(start.get().saturating_add(Frames::lasting(options.hold, rate).get()));
            controller.note_off(id, Some(released)).map_err(|error| failed(error.to_string()))?;
            let latest = released.get().saturating_add(Frames::lasting(tail, rate).get());
            // What goes on until then would break off with a click.
            let faded = latest.saturating_sub(Frames::lasting(GLIDE, rate).get()).max(released.get());
            let silence = Decibels::new(-400.0).map_err(|error| failed(error.to_string()))?;
            let at = Some(Frames::new(faded));
            match fading {
                Fading::Master => {
                    controller.set_gain(silence, at).map_err(|error| failed(error.to_string()))?;
                }
                Fading::Strip => {
                    let strip = ChannelStrip { gain: silence, ..sending(sends) };
                    controller.set_strip(note.strip, strip, at).map_err(|error| failed(error.to_string()))?;
                }
            }
            Frames::new(latest)
        } else {
            Frames::new(u64::MAX)
        };
        // Of several recordings nobody knows yet which is the longest.
        let frames = sound.audio().and_then(|audio| audio.frames).unwrap_or(0);
        let trim = options.voicing.trim_of(Frames::new(frames));
        let frames = trim.map_or(frames, |trim| trim.length().get());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
        let recorded = Frames::new((frames as f64 / ratio).min(u64::MAX as f64) as u64);
        let after = Frames::lasting(after, rate);
        Ok(Self { note: id, latest, recorded, voices, last: start, after })
    }

    /// Returns about how many frames it takes: those of its recording at this pitch, or until a loop is faded.
    #[must_use]
    pub fn expected(&self) -> Frames {
        let own = if self.latest.get() == u64::MAX { self.recorded } else { self.latest };
        Frames::new(own.get().saturating_add(self.after.get()))
    }
}

impl Playable for SingleNote {
    /// Does nothing: everything was sent when it began.
    fn feed(&mut self, _: &mut Controller, until: Frames) -> Frames {
        until
    }

    fn handle_event(&mut self, event: &Event) {
        match *event {
            Event::Ended { note, at } | Event::Refused { note, at } if note == self.note => {
                self.voices = self.voices.saturating_sub(1);
                self.last = self.last.max(at);
            }
            _ => {}
        }
    }

    /// Its end is under way, at the frame that was named.
    fn set_rate(&mut self, _: Frames, _: Hz) {}

    fn end(&self, now: Frames) -> Option<Frames> {
        let end = (self.voices == 0).then(|| self.last.min(self.latest));
        let end = end.or_else(|| (now >= self.latest).then_some(self.latest))?;
        let end = Frames::new(end.get().saturating_add(self.after.get()));
        (now >= end || self.after == Frames::ZERO).then_some(end)
    }
}

/// Frames rendered between two polls of the engine: so few that all it can report of a thousand voices and of
/// as many orders as it carries out fits its queue.
const STRIDE: u64 = 256;

/// Renders what begins with the first frame of an engine, to its end, and hands it on piece by piece. What a limiter
/// holds back at first is left out, and waited for in the end: with one and without one a frame has the same place.
///
/// # Errors
/// The first one of the sink.
pub fn render<E>(
    playable: &mut dyn Playable,
    controller: &mut Controller,
    processor: &mut Processor,
    mut sink: impl FnMut(&[f32]) -> Result<(), E>,
) -> Result<(), E> {
    let late = processor.latency().get();
    let mut now = 0;
    loop {
        let fed = playable.feed(controller, Frames::new(now + STRIDE)).get();
        // Up to what found no room; by some frames in any case, so that there will be room.
        let next = fed.clamp(now + CONTROL_GRID.get(), now + STRIDE);
        let mut rendered = offline::render(processor, Frames::new(next - now));
        while let Some(event) = controller.poll() {
            playable.handle_event(&event);
        }
        let end = playable.end(Frames::new(next)).map(|end| end.get().clamp(now, next) + late);
        if let Some(end) = end {
            rendered.extend(offline::render(processor, Frames::new(end.saturating_sub(next))));
            rendered.truncate(Frames::new(end - now).index() * offline::CHANNELS);
        }
        let early = Frames::new(late.saturating_sub(now)).index() * offline::CHANNELS;
        sink(rendered.get(early..).unwrap_or_default())?;
        if end.is_some() {
            return Ok(());
        }
        now = next;
    }
}

/// Returns how many voices a note of a sound has at most.
#[must_use]
pub fn voices(song: &Song, sound: &Sound) -> usize {
    let zones = song.instruments().get(sound.number - 1).map_or(0, |instrument| instrument.zones().len());
    zones.clamp(1, Config::MAX_POLYPHONY)
}

/// Returns the key that was asked for, or the one that plays the sound at its own pitch.
fn key(bank: &Bank, instrument: InstrumentIndex, options: &NoteOptions) -> Key {
    let root = || bank.instruments().get(instrument.get()).map_or(Key::C4, song::Instrument::root);
    options.key.unwrap_or_else(|| options.voicing.root(root()))
}
