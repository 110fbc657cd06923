//! The engine's side of the screen: what is intended becomes commands, and what the engine reports becomes messages.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use engine::{Bank, Config, Controller, Event, Note, NoteId, StartedNote, StripIndex};
use song::{Frames, Hz, InstrumentIndex, SampleIndex};

use super::outputs::OutputDevices;
use super::waveform_worker::WaveformWorker;
use crate::tui::model::{NoteNumber, StatusLine};
use crate::tui::update::{Intent, Msg};
use player::midi::input::{MidiInput, Notice};
use player::midi::port::PortEvent;
use player::playback::Playback;
use player::recorder::{Recorder, Take};
use player::strips::StripAllocator;
use player::voicing::Voicing;

/// Plays what the screen intends.
pub struct LivePlayer {
    controller: Controller,
    playback: Playback,
    outputs: OutputDevices,
    pub(super) midi: MidiInput,
    recorder: Recorder,
    waveform_worker: WaveformWorker,
    /// What takes are named after.
    title: String,
    /// By how much the limiter delays.
    limiter: Frames,
    /// The rate that the recorder knows.
    rate: Hz,
    /// The bank as the package has it.
    original: Arc<Bank>,
    /// How sounds are changed, those that ever were.
    voicings: BTreeMap<usize, Voicing>,
    strips: StripAllocator,
    /// The sound that was chosen last, and which of its recordings is looked at: the one of its latest note.
    seen: (usize, Option<SampleIndex>),
    /// The engine's id of each of the screen's notes, and the way back.
    notes: HashMap<NoteNumber, NoteId>,
    numbers: HashMap<NoteId, Sounding>,
}

/// A note of the screen while the engine sounds it.
struct Sounding {
    number: NoteNumber,
    voices: usize,
    sound: usize,
    strip: StripIndex,
    /// The frame that was next when it was asked for, until its first voice has begun.
    asked: Option<Frames>,
}

/// What a player is made of.
pub struct LivePlayerParts {
    /// The engine.
    pub controller: Controller,
    /// What it plays.
    pub bank: Arc<Bank>,
    /// What it plays on.
    pub playback: Playback,
    /// What else it can play on.
    pub outputs: OutputDevices,
    /// What plays besides the screen.
    pub midi: MidiInput,
    /// What remembers.
    pub recorder: Recorder,
    /// What draws recordings.
    pub waveform_worker: WaveformWorker,
    /// What takes are named after.
    pub title: String,
    /// By how much the limiter delays.
    pub limiter: Frames,
}

impl LivePlayer {
    /// With nothing that sounds.
    #[must_use]
    pub fn new(parts: LivePlayerParts) -> Self {
        let LivePlayerParts {
            controller,
            bank,
            playback,
            outputs,
            midi,
            recorder,
            waveform_worker,
            title,
            limiter,
        } = parts;
        let rate = playback.rate();
        recorder.set_rate(rate);
        Self {
            controller,
            playback,
            outputs,
            midi,
            recorder,
            waveform_worker,
            title,
            limiter,
            rate,
            original: bank,
            voicings: BTreeMap::new(),
            strips: StripAllocator::of(Config::default().strips),
            seen: (0, None),
            notes: HashMap::new(),
            numbers: HashMap::new(),
        }
    }

    /// What is shown of each frame, while a sound is chosen.
    pub(super) fn poll(&mut self, chosen: usize, messages: &mut Vec<Msg>) {
        self.strips.poll(&mut self.controller);
        messages.extend(self.midi.poll(&mut self.controller).map(message));
        messages.push(Msg::Tick);
        messages.push(Msg::Device(self.status()));
        self.outputs.tell(&mut self.playback, messages);
        messages.push(self.sounding(chosen));
        messages.extend(self.waveform_worker.picture(self.controller.bank(), self.seen).map(Msg::Picture));
        while let Some(take) = self.recorder.take() {
            messages.push(match take {
                Ok(take) => Msg::Notice(take_notice(&take)),
                Err(failure) => Msg::Warning(failure.message().to_owned()),
            });
        }
    }

    /// Returns how the device does.
    fn status(&mut self) -> StatusLine {
        self.playback.poll();
        if self.playback.rate() != self.rate {
            self.rate = self.playback.rate();
            self.recorder.set_rate(self.rate);
        }
        let status = self.playback.status();
        StatusLine {
            xruns: status.xruns(),
            errors: status.errors() + self.controller.lost_events(),
            denied: status.realtime_denials() > 0,
            is_gone: self.playback.is_lost(),
            load: status.take_peak_load(),
            block: status.block(),
            limiter: self.limiter,
        }
    }

    /// Returns what sounds of a sound, whoever plays it, in the recording of its latest note; of those that it layers,
    /// the first.
    fn sounding(&mut self, chosen: usize) -> Msg {
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
        let places = voices.iter().filter(|(_, recording, _)| Some(*recording) == latest);
        Msg::Sounding { places: places.map(|(.., place)| *place).collect(), midi: self.midi.keys().collect() }
    }

    /// Plays what came from a MIDI port.
    pub(super) fn play(&mut self, event: PortEvent, chosen: usize) -> Option<Msg> {
        let refusal = self.playback.refusal();
        self.midi.play(&mut self.controller, event, chosen, refusal).map(message)
    }

    /// What the engine has reported since.
    pub fn handle_events(&mut self, messages: &mut Vec<Msg>) {
        while let Some(event) = self.controller.poll() {
            self.midi.handle_event(&event);
            match event {
                Event::Started { note, at } => messages.extend(self.began(note, at)),
                Event::Ended { note, .. } => {
                    messages.extend(self.one_less(note).map(Msg::Ended));
                }
                Event::Refused { note, .. } => {
                    let why = "too many notes at once".to_owned();
                    messages.extend(self.one_less(note).map(|number| Msg::Refused(number, why)));
                }
                Event::Meter { left, right, limiter_gain: limited, voices, .. } => {
                    messages.push(Msg::Meter { peaks: [left, right], limited, voices: voices as usize });
                }
                _ => {}
            }
        }
        self.controller.collect();
    }

    /// Returns a voice of a note has begun; how late, if it is the first.
    fn began(&mut self, note: NoteId, at: Frames) -> Option<Msg> {
        let sounding = self.numbers.get_mut(&note)?;
        let after = Frames::new(at.get().saturating_sub(sounding.asked.take()?.get()));
        Some(Msg::Began(sounding.number, after))
    }

    /// Returns a voice of a note is over, or never began; the note, if it was the last.
    fn one_less(&mut self, note: NoteId) -> Option<NoteNumber> {
        let sounding = self.numbers.get_mut(&note)?;
        sounding.voices = sounding.voices.saturating_sub(1);
        if sounding.voices > 0 {
            return None;
        }
        let Sounding { number, .. } = self.numbers.remove(&note)?;
        self.notes.remove(&number);
        Some(number)
    }

    /// Does it.
    ///
    /// # Errors
    /// What cannot be done, as a message.
    pub fn execute(&mut self, intent: Intent) -> Result<Next, Msg> {
        match intent {
            Intent::NoteOn { number, sound, key, velocity } => {
                if let Some(why) = self.playback.refusal() {
                    return Err(Msg::Refused(number, why.to_owned()));
                }
                let note = Note::new(InstrumentIndex::new(sound), key, velocity);
                self.begin(number, sound, note)?;
            }
            // A note that cannot be released would hang: better none at all.
            Intent::NoteOff(number) => {
                if let Some(id) = self.notes.get(&number)
                    && self.controller.note_off(*id, None).is_err()
                {
                    self.controller.all_sound_off();
                }
            }
            Intent::ReleaseAll => {
                if self.controller.all_notes_off(None).is_err() {
                    self.controller.all_sound_off();
                }
            }
            Intent::Silence => self.controller.all_sound_off(),
            Intent::Voice { sound, voicing } => self.voice(sound, voicing),
            Intent::Polyphony(voices) => {
                let result = self.controller.set_polyphony(voices, None);
                result.map_err(|full| Msg::Warning(full.to_string()))?;
            }
            Intent::Write => self.recorder.write(&self.title),
            Intent::FindDevices => self.outputs.find()?,
            Intent::UseDevice(index) => self.outputs.choose(index, &mut self.playback),
            Intent::Suspend => return Ok(Next::Suspend),
            Intent::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Play)
    }

    fn begin(&mut self, number: NoteNumber, sound: usize, note: Note) -> Result<(), Msg> {
        let voicing = self.voicings.get(&sound).copied().unwrap_or_default();
        let numbers = &self.numbers;
        let sounds = |strip| numbers.values().any(|sounding| sounding.strip == strip);
        let note = match self.strips.take(&mut self.controller, sound, voicing.strip(), sounds) {
            Some(strip) => Note { strip, ..voicing.on_strip(note) },
            None => voicing.alone(note),
        };
        let asked = Some(self.controller.now());
        let begun = self.controller.begin(note).map_err(|error| Msg::Refused(number, error.to_string()))?;
        self.notes.insert(number, begun.note);
        let StartedNote { note: id, voices, .. } = begun;
        self.numbers.insert(id, Sounding { number, voices, sound, strip: note.strip, asked });
        Ok(())
    }

    /// Notes of a sound are played like this from here on. What sounds is turned up, moved and tuned with it.
    fn voice(&mut self, sound: usize, voicing: Voicing) {
        let before = self.voicings.insert(sound, voicing).unwrap_or_default();
        self.strips.set(&mut self.controller, sound, voicing.strip());
        self.midi.voice(sound, voicing);
        if before.looping != voicing.looping {
            let now = self.controller.bank().unwrap_or(&self.original);
            let bank = turned(&self.original, now, &self.voicings, sound);
            self.controller.load(bank);
        }
    }
}

/// Returns the bank in which a sound repeats as it is wanted to, given the one that was right for all others.
fn turned(
    original: &Arc<Bank>,
    now: &Arc<Bank>,
    voicings: &BTreeMap<usize, Voicing>,
    sound: usize,
) -> Arc<Bank> {
    if let Some(on) = voicings.get(&sound).and_then(|voicing| voicing.looping) {
        return Arc::new(now.looping(InstrumentIndex::new(sound), on));
    }
    // The bank in which its zones loop otherwise does not say what they did before.
    let others = voicings.iter().filter_map(|(sound, voicing)| Some((*sound, voicing.looping?)));
    others.fold(Arc::clone(original), |bank, (sound, on)| {
        Arc::new(bank.looping(InstrumentIndex::new(sound), on))
    })
}

/// Returns the message for a notice of MIDI.
fn message(notice: Notice) -> Msg {
    match notice {
        Notice::Info(what) => Msg::Notice(what),
        Notice::Warning(what) => Msg::Warning(what),
    }
}

/// Returns what became of a take.
fn take_notice(take: &Take) -> String {
    let name = take
        .path
        .file_name()
        .map_or_else(|| take.path.display().to_string(), |name| name.display().to_string());
    let lost = match take.lost {
        0 => String::new(),
        lost => format!(", {lost} frames missing in it"),
    };
    format!("{} written to {name}{lost}", crate::view::text::seconds(take.seconds))
}

/// What comes after an intent.
pub enum Next {
    /// The next key.
    Play,
    /// The shell, for a while.
    Suspend,
    /// Nothing.
    Quit,
}

#[cfg(test)]
mod tests;
