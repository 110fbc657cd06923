//! Sounds and songs played live: notes by hand and through MIDI, adjustments, takes, and what becomes of them.
//!
//! ```text
//! front end ── note_on, set_voicing, song … ──► LivePlayer ──► engine::Controller
//!     ▲                                           │  ├─ library      packages, decoded when they are needed
//!     └────────────── LiveEvent ◄─────────────────┘  ├─ songs        the song that plays beside the keys
//!                                                    ├─ outputs      the devices it can play on
//!                                                    ├─ waveforms    what the chosen sound looks like
//!                                                    └─ kept_adjustments
//! ```
//!
//! Nothing here knows a screen: a terminal, a window or a page polls it at each of its frames.

mod controllers;
mod event;
mod kept_adjustments;
mod notes;
mod outputs;
mod packages;
mod room;
mod songs;
mod waveforms;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};

use engine::{Bank, Controller, Note, NoteId};
use importer::SwitchValue;
use song::{Frames, Hz, Parameter, SampleIndex, SoundDefaults, Voicing};

use crate::Error;
use crate::background;
use crate::library::Library;
use crate::library::waiting::WaitingNotes;
use crate::midi::controllers::ControllerFile;
use crate::midi::input::{MidiInput, Notice};
use crate::midi::port::PortEvent;
use crate::midi::take::turned;
use crate::playback::Playback;
use crate::recorder::{Recorded, Recorder, Take};
use crate::room::Room;
use crate::saved_sounds::{ArrangedSounds, SavedFile, SavedSounds};
pub use crate::saved_sounds::{SaveRequest, SavedFormat};
use crate::strips::{self, StripAllocator};
use crate::voicing::EngineVoicing as _;
pub use event::{
    DeviceEntry, LiveEvent, NoteNumber, OutputStatus, Picture, SongEvent, SoundSwitch, StartedSong,
};
pub use kept_adjustments::{AdjustedPackage, KeptAdjustments};
use notes::Sounding;
pub use outputs::OutputDevices;
pub use packages::{ListedPackage, NothingToPlay};
pub use room::LiveRoom;
pub use songs::{ListedSong, ReadSong, SongCommand, Songs};
pub use waveforms::WaveformWorker;

/// Plays the sounds `S` and songs of packages live, on a device. `F` says why a package cannot be opened.
pub struct LivePlayer<S, F> {
    controller: Controller,
    playback: Playback,
    outputs: OutputDevices,
    midi: MidiInput,
    recorder: Recorder,
    library: SoundLibrary<S, F>,
    songs: Songs,
    /// Voices that hands may play at once, those of a song not counted.
    polyphony: usize,
    /// Notes whose sound is being loaded.
    waiting: WaitingNotes<NoteNumber, (NoteNumber, usize, Note)>,
    /// Why packages could not be opened, and why nothing can ever be played.
    failures: Vec<F>,
    /// Words one of them, in one line.
    reason: fn(&F) -> String,
    nothing_to_play: Option<NothingToPlay<F>>,
    /// The adjustments of packages that are kept.
    kept: Vec<KeptAdjustments>,
    /// Files that sounds were saved to, and the end that the threads have which save them.
    saved: Receiver<SavedSound>,
    saving: Sender<SavedSound>,
    /// Threads that write them.
    writing: Vec<background::Handle>,
    waveform_worker: WaveformWorker,
    /// The name of takes, without their number.
    title: String,
    /// The delay of the limiter.
    limiter: Frames,
    /// The rate that the recorder was given.
    rate: Hz,
    /// The adjustments of sounds, by their index; of those that were ever adjusted.
    voicings: BTreeMap<usize, Voicing>,
    /// Where learned controllers are kept.
    controllers: Option<ControllerFile>,
    room: LiveRoom,
    /// What controllers have turned, to be reported.
    turned: Vec<LiveEvent<S>>,
    strips: StripAllocator,
    /// The sound that was chosen when a key was last played through a port.
    chosen: usize,
    /// The sound that was chosen last, and which of its recordings is shown: the one of its latest note.
    seen: (usize, Option<SampleIndex>),
    /// The engine's id of each of the front end's notes, and the way back.
    notes: HashMap<NoteNumber, NoteId>,
    numbers: HashMap<NoteId, Sounding>,
}

impl<S, F> Drop for LivePlayer<S, F> {
    fn drop(&mut self) {
        // A sound that is being written when the user quits is written to its end.
        for thread in self.writing.drain(..) {
            let _ = thread.join();
        }
    }
}

/// The sounds of the packages that are played.
pub type SoundLibrary<S, F> = Library<ListedPackage<S, F>, F>;

/// The file that a sound was saved to, or why it was not.
type SavedSound = Result<SavedFile, Error>;

/// The parts of a [`LivePlayer`].
pub struct LivePlayerParts<S, F> {
    /// The engine.
    pub controller: Controller,
    /// The sounds it plays.
    pub library: SoundLibrary<S, F>,
    /// Returns in one line why a package cannot be opened.
    pub reason: fn(&F) -> String,
    /// The songs it plays.
    pub songs: Songs,
    /// Voices that hands may play at once.
    pub polyphony: usize,
    /// The device it plays on.
    pub playback: Playback,
    /// The devices it can play on.
    pub outputs: OutputDevices,
    /// MIDI input, which plays beside the front end.
    pub midi: MidiInput,
    /// The recorder of takes.
    pub recorder: Recorder,
    /// The thread that computes waveforms.
    pub waveform_worker: WaveformWorker,
    /// The name of takes, without their number.
    pub title: String,
    /// The delay of the limiter.
    pub limiter: Frames,
    /// Where controllers that the user has set are kept.
    pub controllers: Option<ControllerFile>,
    /// The room that all sounds are played in.
    pub room: LiveRoom,
}

impl<S: Send + 'static, F: Send + 'static> LivePlayer<S, F> {
    /// Creates a player; nothing sounds.
    #[must_use]
    pub fn new(parts: LivePlayerParts<S, F>) -> Self {
        let LivePlayerParts {
            controller,
            library,
            reason,
            songs,
            polyphony,
            playback,
            outputs,
            midi,
            recorder,
            waveform_worker,
            title,
            limiter,
            controllers,
            room,
        } = parts;
        let mut midi = midi;
        let mut turned = Vec::new();
        match controllers.as_ref().map(ControllerFile::load).transpose() {
            Ok(map) => midi.set_controllers(map.unwrap_or_default()),
            Err(error) => turned.push(LiveEvent::Warning(error.message().to_owned())),
        }
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
            reason,
            nothing_to_play: None,
            kept: Vec::new(),
            saved,
            saving,
            writing: Vec::new(),
            waveform_worker,
            title,
            limiter,
            rate,
            voicings: BTreeMap::new(),
            controllers,
            room,
            turned,
            strips: StripAllocator::of(strips::HANDS),
            chosen: 0,
            seen: (0, None),
            notes: HashMap::new(),
            numbers: HashMap::new(),
        }
    }

    /// Does what is due, and collects what a front end shows at its next frame. `chosen` is the index of the sound
    /// whose recording it shows.
    pub fn poll(&mut self, chosen: usize, events: &mut Vec<LiveEvent<S>>) {
        self.strips.poll(&mut self.controller);
        self.room.poll(&mut self.controller);
        events.append(&mut self.turned);
        events.extend(self.midi.poll(&mut self.controller).map(notice_event));
        self.songs.poll(&mut self.controller, self.rate, self.polyphony, events);
        events.push(LiveEvent::Output(self.status()));
        self.outputs.poll(&mut self.playback, events);
        events.push(self.sounding(chosen));
        let bank = self.library.bank(chosen);
        events.extend(self.waveform_worker.picture(bank.as_ref(), self.seen).map(LiveEvent::Picture));
        events.extend(self.saved.try_iter().map(|saved| match saved {
            Ok(file) => LiveEvent::Notice(file.notice()),
            Err(error) => LiveEvent::Warning(error.message().to_owned()),
        }));
        events.extend(self.save_adjustments(false));
        while let Some(recorded) = self.recorder.next() {
            let result = match recorded {
                Recorded::Take(result) => {
                    events.push(LiveEvent::TakeEnded);
                    result
                }
                Recorded::Recent(result) => result,
            };
            events.push(match result {
                Ok(take) => LiveEvent::Notice(take_notice(&take)),
                Err(error) => LiveEvent::Warning(error.message().to_owned()),
            });
        }
    }

    /// Writes sounds as they are adjusted to a file, on another thread.
    ///
    /// # Errors
    /// [`LiveEvent::Warning`] if no thread can be had.
    pub fn save_sounds(&mut self, request: SaveRequest) -> Result<(), LiveEvent<S>> {
        let SaveRequest { sounds, zones, format, name } = request;
        let voicings = sounds.iter().map(|sound| self.voicings.get(sound).copied().unwrap_or_default());
        let voicings = voicings.collect();
        let folder = Path::new(".");
        let work: Box<dyn FnOnce() -> Result<SavedFile, Error> + Send> =
            if let SavedFormat::Instrument(arrangement) = format {
                let packages = self.library.describe(&sounds);
                let zones =
                    sounds.iter().map(|sound| zones.get(sound).copied().unwrap_or_default()).collect();
                let saved = ArrangedSounds { packages, voicings, zones, arrangement, name };
                Box::new(move || saved.write(folder))
            } else {
                let packages = self.library.decode(&sounds);
                let saved = SavedSounds { packages, voicings, format, name };
                Box::new(move || saved.write(folder))
            };
        let sender = self.saving.clone();
        // Who asked may be gone.
        let work = move || drop(sender.send(work()));
        let thread = background::run("save sound", work);
        let thread = thread
            .map_err(|error| LiveEvent::Warning(format!("cannot start a thread to save it: {error}")))?;
        self.writing.retain(|thread| !thread.is_finished());
        self.writing.push(thread);
        Ok(())
    }

    /// Writes what was adjusted, if that was some time ago, or `now`. Returns a warning if it cannot be written.
    pub fn save_adjustments(&mut self, now: bool) -> Option<LiveEvent<S>> {
        let saved = self.kept.iter_mut().map(|kept| kept.save(&self.voicings, now));
        // Each is written, whatever becomes of the others.
        let saved: Vec<_> = saved.chain([self.room.save(now)]).collect();
        let failed = saved.into_iter().filter_map(Result::err).next_back();
        failed.map(|error| LiveEvent::Warning(error.message().to_owned()))
    }

    /// Returns the status of the device.
    fn status(&mut self) -> OutputStatus {
        self.playback.poll();
        if self.playback.rate() != self.rate {
            self.rate = self.playback.rate();
            self.recorder.set_rate(self.rate);
        }
        let status = self.playback.status();
        OutputStatus {
            xruns: status.xruns(),
            errors: status.errors() + self.controller.lost_events(),
            denied: status.realtime_denials() > 0,
            is_gone: self.playback.is_lost(),
            load: status.take_peak_load(),
            block: status.block(),
            limiter: self.limiter,
        }
    }

    /// Adjusts a sound; notes that sound follow its gain, pan, tuning, cutoff and resonance. It is kept for the next
    /// session.
    pub fn set_voicing(&mut self, sound: usize, voicing: Voicing) {
        let own = self.defaults(sound);
        let before = self.voicings.get(&sound).copied().unwrap_or_default();
        for parameter in Parameter::ALL {
            let values = (parameter.get(&before, &own), parameter.get(&voicing, &own));
            if values.0 != values.1
                && let Some(what) = turned(sound, parameter, values.0, values.1)
            {
                self.record(what);
            }
        }
        self.voice(sound, voicing);
        self.kept.iter_mut().for_each(|kept| kept.touch(sound));
    }

    /// Returns what a sound says itself, to which its adjustments are made.
    fn defaults(&self, sound: usize) -> SoundDefaults {
        let own = self.library.instrument(sound);
        own.map_or_else(SoundDefaults::default, SoundDefaults::of)
    }

    /// Sets the room that all sounds are played in; what sounds is heard in it at once.
    pub fn set_room(&mut self, room: Room) {
        self.room.set(&mut self.controller, room);
    }

    /// Lets the events of the package that a sound is in play what values of switches and states choose;
    /// [`LiveEvent::Switched`] follows.
    pub fn set_switches(&mut self, sound: usize, values: Vec<SwitchValue>) {
        self.library.switch(sound, values);
    }

    /// Sets how many voices hands may play at once; those of a song are added.
    ///
    /// # Errors
    /// [`LiveEvent::Warning`] if the engine was made for fewer.
    pub fn set_polyphony(&mut self, voices: usize) -> Result<(), LiveEvent<S>> {
        self.polyphony = voices;
        let result = self.controller.set_polyphony(self.songs.polyphony() + voices, None);
        result.map_err(|full| LiveEvent::Warning(full.to_string()))
    }

    /// Begins a take.
    pub fn start_take(&self) {
        self.recorder.start(&self.title);
    }

    /// Ends the take; [`LiveEvent::TakeEnded`] follows.
    pub fn stop_take(&self) {
        self.recorder.stop();
    }

    /// Writes what was just played to a file.
    pub fn save_recent(&self) {
        self.recorder.write(&self.title);
    }

    /// Steers the song.
    pub fn steer_song(&mut self, command: SongCommand) {
        self.songs.steer(command, &mut self.controller);
    }

    /// Searches for devices, on another thread; [`LiveEvent::Devices`] follows.
    ///
    /// # Errors
    /// [`LiveEvent::Warning`] if no thread can be had.
    pub fn find_devices(&mut self) -> Result<(), LiveEvent<S>> {
        self.outputs.find().map_err(LiveEvent::Warning)
    }

    /// Plays on a device from now on: its index in the last [`LiveEvent::Devices`].
    pub fn use_device(&mut self, index: usize) {
        self.outputs.choose(index, &mut self.playback);
    }

    /// Returns what MIDI ports send, to be waited for, and handed to [`play_midi`](Self::play_midi).
    #[must_use]
    pub const fn midi_events(&self) -> &Receiver<PortEvent> {
        self.midi.events()
    }

    /// Returns what wakes whoever waits for packages and sounds, so that [`poll_library`](Self::poll_library) is
    /// called.
    #[must_use]
    pub const fn library_wake(&self) -> &Receiver<()> {
        self.library.wake()
    }

    /// Returns the prepared recordings of a sound, once it is loaded.
    pub fn bank(&mut self, sound: usize) -> Option<Arc<Bank>> {
        self.library.bank(sound)
    }

    /// Sets the voicing of a sound; notes that sound follow its gain, pan and tuning.
    fn voice(&mut self, sound: usize, voicing: Voicing) {
        let before = self.voicings.insert(sound, voicing).unwrap_or_default();
        let own = self.defaults(sound).sends;
        self.strips.set(&mut self.controller, sound, voicing.strip(own));
        self.midi.voice(&mut self.controller, sound, voicing);
        if before.in_bank() != voicing.in_bank() {
            self.library.set_voicing(&mut self.controller, sound, voicing.in_bank());
        }
        if before.tone() != voicing.tone() {
            self.turn_tone(sound, &voicing);
        }
    }
}

/// Returns the event of a notice of MIDI.
fn notice_event<S>(notice: Notice) -> LiveEvent<S> {
    match notice {
        Notice::Info(what) => LiveEvent::Notice(what),
        Notice::Warning(what) => LiveEvent::Warning(what),
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
    format!("saved {} as {name}{midi}{lost}{lost_notes}", crate::text::seconds(take.seconds))
}

#[cfg(test)]
mod tests;
