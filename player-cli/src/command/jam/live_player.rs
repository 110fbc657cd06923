//! The engine's side of the screen: intents become commands, and events become messages.

mod loading;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use engine::{Config, Controller, Event, Note, NoteId, StartedNote, StripIndex};
use song::{Frames, Hz, InstrumentIndex, SampleIndex};

use super::kept::KeptAdjustments;
use super::outputs::OutputDevices;
use super::packages::ListedPackage;
use super::songs::Songs;
use super::waveform_worker::WaveformWorker;
use crate::failure::Failure;
use crate::tui::model::{NoteNumber, StatusLine};
use crate::tui::update::{Intent, Msg};
use player::Error;
use player::library::waiting::WaitingNotes;
use player::library::{Library, Readiness};
use player::midi::input::{MidiInput, Notice};
use player::midi::message::{Action, Message};
use player::midi::port::PortEvent;
use player::midi::take::Played;
use player::playback::Playback;
use player::recorder::{Recorded, Recorder, Take};
use player::sound_file::AdjustedSound;
use player::strips::StripAllocator;
use player::voicing::Voicing;

/// Carries out the intents of the screen.
pub struct LivePlayer {
    controller: Controller,
    playback: Playback,
    outputs: OutputDevices,
    pub(super) midi: MidiInput,
    recorder: Recorder,
    pub(super) library: SoundLibrary,
    songs: Songs,
    /// Voices that hands may play at once; those of a song come to them.
    polyphony: usize,
    /// Notes whose sound is being loaded.
    waiting: WaitingNotes<NoteNumber, (NoteNumber, usize, Note)>,
    /// Why packages could not be opened, and why nothing can ever be played.
    failures: Vec<Failure>,
    nothing_to_play: Option<Failure>,
    /// The adjustments of packages that are kept.
    kept: Vec<KeptAdjustments>,
    /// Files that sounds were saved to, and the end that the threads have which save them.
    saved: Receiver<SavedSound>,
    saving: Sender<SavedSound>,
    waveform_worker: WaveformWorker,
    /// What takes are named after.
    title: String,
    /// By how much the limiter delays.
    limiter: Frames,
    /// The rate that the recorder was given.
    rate: Hz,
    /// How sounds are changed, those that ever were.
    voicings: BTreeMap<usize, Voicing>,
    strips: StripAllocator,
    /// The sound that was chosen when a key was last played through a port.
    chosen: usize,
    /// The sound that was chosen last, and which of its recordings is shown: the one of its latest note.
    seen: (usize, Option<SampleIndex>),
    /// The engine's id of each of the screen's notes, and the way back.
    notes: HashMap<NoteNumber, NoteId>,
    numbers: HashMap<NoteId, Sounding>,
}

/// The sounds of the packages that are played.
pub type SoundLibrary = Library<ListedPackage, Failure>;

/// The file that a sound was saved to, or why it was not.
type SavedSound = Result<PathBuf, Error>;

/// A note of the screen while the engine sounds it.
struct Sounding {
    number: NoteNumber,
    voices: usize,
    sound: usize,
    strip: StripIndex,
    /// The frame that was next when it was asked for, until its first voice has begun.
    asked: Option<Frames>,
}

/// The parts of a [`LivePlayer`].
pub struct LivePlayerParts {
    /// The engine.
    pub controller: Controller,
    /// The sounds it plays.
    pub library: SoundLibrary,
    /// The songs it plays.
    pub songs: Songs,
    /// Voices that hands may play at once.
    pub polyphony: usize,
    /// The device it plays on.
    pub playback: Playback,
    /// The devices it can play on.
    pub outputs: OutputDevices,
    /// MIDI input, which plays besides the screen.
    pub midi: MidiInput,
    /// What records takes.
    pub recorder: Recorder,
    /// What computes waveforms.
    pub waveform_worker: WaveformWorker,
    /// What takes are named after.
    pub title: String,
    /// By how much the limiter delays.
    pub limiter: Frames,
}

impl LivePlayer {
    /// Creates a player; nothing sounds.
    #[must_use]
    pub fn new(parts: LivePlayerParts) -> Self {
        let LivePlayerParts {
            controller,
            library,
            songs,
            polyphony,
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
        let (saving, saved) = unbounded();
        Self {
            controller,
            playback,
            outputs,
            midi,
            recorder,
            library,
            songs,
            polyphony,
            waiting: WaitingNotes::default(),
            failures: Vec::new(),
            nothing_to_play: None,
            kept: Vec::new(),
            saved,
            saving,
            waveform_worker,
            title,
            limiter,
            rate,
            voicings: BTreeMap::new(),
            strips: StripAllocator::of(Config::default().strips),
            chosen: 0,
            seen: (0, None),
            notes: HashMap::new(),
            numbers: HashMap::new(),
        }
    }

    /// Collects what the screen shows at its next frame.
    pub(super) fn poll(&mut self, chosen: usize, messages: &mut Vec<Msg>) {
        self.strips.poll(&mut self.controller);
        messages.extend(self.midi.poll(&mut self.controller).map(message));
        messages.push(Msg::Tick);
        self.songs.poll(&mut self.controller, self.rate, self.polyphony, messages);
        messages.push(Msg::Device(self.status()));
        self.outputs.tell(&mut self.playback, messages);
        messages.push(self.sounding(chosen));
        let bank = self.library.bank(chosen);
        messages.extend(self.waveform_worker.picture(bank.as_ref(), self.seen).map(Msg::Picture));
        messages.extend(self.saved.try_iter().map(|saved| match saved {
            Ok(path) => {
                let name = path.file_name().unwrap_or_default().display();
                Msg::Notice(format!("saved the sound as {name}"))
            }
            Err(error) => Msg::Warning(error.message().to_owned()),
        }));
        messages.extend(self.save_adjustments(false));
        while let Some(recorded) = self.recorder.next() {
            let result = match recorded {
                Recorded::Take(result) => {
                    messages.push(Msg::TakeEnded);
                    result
                }
                Recorded::Recent(result) => result,
            };
            messages.push(match result {
                Ok(take) => Msg::Notice(take_notice(&take)),
                Err(error) => Msg::Warning(error.message().to_owned()),
            });
        }
    }

    /// Writes a sound as it is adjusted, on a thread of its own.
    fn save_sound(&mut self, sound: usize) -> Result<(), Msg> {
        let Some(bank) = self.library.bank(sound) else {
            return Err(Msg::Warning("it is still loading; try again in a moment".to_owned()));
        };
        let index = InstrumentIndex::new(0);
        let name = self.library.instrument(sound).map(|instrument| instrument.name.clone());
        let voicing = self.voicings.get(&sound).copied().unwrap_or_default();
        let (name, rate, sender) = (name.unwrap_or_default(), self.rate, self.saving.clone());
        let adjusted = AdjustedSound { bank, index, voicing, name, rate };
        // Who asked may be gone.
        let work = move || drop(sender.send(adjusted.write(Path::new("."))));
        let thread = thread::Builder::new().name("save sound".into()).spawn(work);
        thread.map(drop).map_err(|error| Msg::Warning(format!("cannot start a thread to save it: {error}")))
    }

    /// Writes what was adjusted, if that was some time ago or it has to be now.
    pub(super) fn save_adjustments(&mut self, now: bool) -> Option<Msg> {
        let saved = self.kept.iter_mut().map(|kept| kept.save(&self.voicings, now));
        // Each is written, whatever becomes of the others.
        let failed = saved.filter_map(Result::err).last();
        failed.map(|error| Msg::Warning(error.message().to_owned()))
    }

    /// Returns the status of the device.
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
        if std::mem::replace(&mut self.chosen, chosen) != chosen {
            self.record(Played::Chosen(chosen));
        }
        match event {
            PortEvent::Message(_, Message::To(_, Action::NoteOn(..))) if refusal.is_some() => {}
            PortEvent::Message(_, message) => self.record(Played::Message(message)),
            PortEvent::Unplugged(..) => self.record(Played::Unplugged),
            _ => {}
        }
        let notice = self.midi.play(&mut self.controller, event, chosen, refusal).map(message);
        self.load_for_midi().or(notice)
    }

    /// Lets the recorder know what was played just now.
    fn record(&self, what: Played) {
        let heard = Frames::new(self.controller.now().get() + self.limiter.get());
        self.recorder.played(heard, what);
    }

    /// Collects what the engine has reported since.
    pub fn handle_events(&mut self, messages: &mut Vec<Msg>) {
        while let Some(event) = self.controller.poll() {
            self.midi.handle_event(&event);
            self.songs.handle_event(&event);
            match event {
                Event::Started { note, at } => messages.extend(self.began(note, at)),
                Event::Ended { note, .. } => {
                    messages.extend(self.voice_ended(note).map(Msg::Ended));
                }
                Event::Refused { note, .. } => {
                    let why = "too many notes at once".to_owned();
                    messages.extend(self.voice_ended(note).map(|number| Msg::Refused(number, why)));
                }
                Event::Meter { left, right, limiter_gain: limited, voices, .. } => {
                    // Those of the song are not played by anybody's hands.
                    let voices = (voices as usize).saturating_sub(self.songs.voices());
                    messages.push(Msg::Meter { peaks: [left, right], limited, voices });
                }
                _ => {}
            }
        }
        self.controller.collect();
    }

    /// Handles the beginning of a voice; returns how late it is, if it is the first of its note.
    fn began(&mut self, note: NoteId, at: Frames) -> Option<Msg> {
        let sound = self.numbers.get(&note).map(|sounding| sounding.sound);
        if let Some(sound) = sound.or_else(|| self.midi.sound(note)) {
            self.library.touch(sound);
        }
        let sounding = self.numbers.get_mut(&note)?;
        let after = Frames::new(at.get().saturating_sub(sounding.asked.take()?.get()));
        Some(Msg::Began(sounding.number, after))
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
        self.record(Played::NoteOff(number.0));
        Some(number)
    }

    /// Carries out an intent; returns what comes next.
    ///
    /// # Errors
    /// What cannot be done, as a message.
    pub fn execute(&mut self, intent: Intent) -> Result<Next, Msg> {
        match intent {
            Intent::NoteOn { number, sound, key, velocity } => {
                if let Some(why) = self.playback.refusal() {
                    return Err(Msg::Refused(number, why.to_owned()));
                }
                self.strike(number, sound, Note::new(InstrumentIndex::new(sound), key, velocity))?;
            }
            // A note that cannot be released would hang: better none at all.
            Intent::NoteOff(number) if self.waiting.release(&number, self.controller.now()) => {}
            Intent::NoteOff(number) => {
                self.record(Played::NoteOff(number.0));
                if let Some(id) = self.notes.get(&number)
                    && self.controller.note_off(*id, None).is_err()
                {
                    self.controller.all_sound_off();
                }
            }
            Intent::ReleaseAll => {
                self.waiting.release_all(self.controller.now());
                self.record(Played::AllOff);
                if self.controller.all_notes_off(None).is_err() {
                    self.controller.all_sound_off();
                }
            }
            Intent::Silence => {
                self.waiting.retain(|_| false);
                self.record(Played::AllOff);
                self.controller.all_sound_off();
                self.songs.silenced();
            }
            Intent::Voice { sound, voicing } => {
                self.voice(sound, voicing);
                self.kept.iter_mut().for_each(|kept| kept.touch(sound));
            }
            Intent::Polyphony(voices) => {
                self.polyphony = voices;
                let result = self.controller.set_polyphony(self.songs.polyphony() + voices, None);
                result.map_err(|full| Msg::Warning(full.to_string()))?;
            }
            Intent::StartTake => self.recorder.start(&self.title),
            Intent::StopTake => self.recorder.stop(),
            Intent::Write => self.recorder.write(&self.title),
            Intent::SaveSound(sound) => self.save_sound(sound)?,
            Intent::Song(intent) => self.songs.execute(intent, &mut self.controller),
            Intent::FindDevices => self.outputs.find()?,
            Intent::UseDevice(index) => self.outputs.choose(index, &mut self.playback),
            Intent::Suspend => return Ok(Next::Suspend),
            Intent::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Play)
    }

    /// Plays a note, as soon as its sound is there.
    fn strike(&mut self, number: NoteNumber, sound: usize, note: Note) -> Result<(), Msg> {
        match self.library.prepare(&mut self.controller, sound) {
            Readiness::Ready => self.begin(number, sound, note),
            Readiness::Loading => {
                self.waiting.add(number, (number, sound, note), sound, self.controller.now());
                Err(Msg::Loading(sound))
            }
            Readiness::Unplayable(why) => Err(loading::unplayable(sound, &why)),
        }
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
        let played = Played::NoteOn(number.0, sound, note.key, note.velocity);
        let begun = self.controller.begin(note).map_err(|error| Msg::Refused(number, error.to_string()))?;
        self.record(played);
        self.notes.insert(number, begun.note);
        let StartedNote { note: id, voices, .. } = begun;
        self.numbers.insert(id, Sounding { number, voices, sound, strip: note.strip, asked });
        Ok(())
    }

    /// Sets the voicing of a sound; notes that sound follow its gain, pan and tuning.
    fn voice(&mut self, sound: usize, voicing: Voicing) {
        let before = self.voicings.insert(sound, voicing).unwrap_or_default();
        self.strips.set(&mut self.controller, sound, voicing.strip());
        self.midi.voice(sound, voicing);
        if before.loop_override() != voicing.loop_override() {
            self.library.set_loop(&mut self.controller, sound, voicing.loop_override());
        }
    }
}

/// Returns the message for a notice of MIDI.
fn message(notice: Notice) -> Msg {
    match notice {
        Notice::Info(what) => Msg::Notice(what),
        Notice::Warning(what) => Msg::Warning(what),
    }
}

/// Returns the notice for a take.
fn take_notice(take: &Take) -> String {
    let name = take
        .path
        .file_name()
        .map_or_else(|| take.path.display().to_string(), |name| name.display().to_string());
    let lost = match take.lost {
        0 => String::new(),
        lost => format!(", {lost} frames missing in it"),
    };
    let midi = if take.midi.is_some() { " and .mid" } else { "" };
    let lost_notes = if take.lost_notes { ", its first notes missing" } else { "" };
    format!("saved {} as {name}{midi}{lost}{lost_notes}", crate::view::text::seconds(take.seconds))
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
