//! From a key to its first frame: everything between the keyboard's thread and the loudspeaker.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use engine::device::null::NullDevice;
use engine::{Config, Quality, split};
use fixtures::songs::{looped, mono_float, of};
use song::{
    Cents, Frames, Hz, Instrument, Key, LoopMode, Node, Sample, SampleIndex, Song, SongParts, Zone, ZoneTree,
};

use player::keyboard::{ComputerKeyboard, KeyMapMode, KeyboardLayout};
use player::live::LiveRoom;
use player::live::{
    ListedPackage, LiveEvent, LivePlayer, LivePlayerParts, NoteNumber, OutputDevices, Songs, SoundLibrary,
    WaveformWorker,
};
use player::midi::controllers::{ControlledParameter, ControllerFile};
use player::midi::input::MidiInput;
use player::midi::interpreter::MidiSource;
use player::midi::message::Message;
use player::midi::port::{self, PortEvent, PortSelector};
use player::recorder::Recorder;
use player::room::{Room, RoomFile, RoomParameter};
use player::session::DeviceOptions;

use super::*;
use crate::OptionNames;
use crate::keymap::KeyCommand;
use crate::model::knob::Knob;
use crate::model::{Mode, Model, SoundEntry};
use crate::update::{Msg, Press, update};
use player::playback::{Playback, Route, Starter};
use player::recorder::TakeFiles;

const BLOCK: u64 = 512;

/// A jam on a device that plays a block when it is asked to.
struct Stage {
    model: Model,
    player: LivePlayer<SoundEntry, String>,
    blocks: Receiver<Vec<f32>>,
    go_on: SyncSender<()>,
}

impl Stage {
    fn new() -> Self {
        Self::of(&of(vec![drone(); 11]))
    }

    /// With the sounds of a song in place of the demo's.
    fn of(song: &Song) -> Self {
        Self::with(SoundLibrary::of_song(song).unwrap())
    }

    /// With the sounds of a library in place of the demo's.
    fn with(library: SoundLibrary<SoundEntry, String>) -> Self {
        Self::kept(library, None, LiveRoom::new(Room::default(), None))
    }

    /// With files that learned controllers and the room are kept in.
    fn kept(
        library: SoundLibrary<SoundEntry, String>,
        controllers: Option<ControllerFile>,
        room: LiveRoom,
    ) -> Self {
        let options = ScreenOptions {
            label: "demo:".to_owned(),
            voices: 64,
            quality: Quality::default(),
            map: KeyMapMode::Chromatic,
            octave: None,
            layout: KeyboardLayout::Piano,
            keyboard: Some(ComputerKeyboard::Qwerty),
            keymap: keymap::Keymap::default(),
            option_names: OptionNames::default(),
            room: Room::default(),
        };
        let limiter = true;
        let (controller, mut processor) = split(Config { limiter, ..Config::default() }).unwrap();
        let recorder = Recorder::listen(&mut processor, PathBuf::from("."), TakeFiles::Wav).unwrap();
        let limiter = processor.latency();
        let (tell, blocks) = sync_channel(0);
        let (go_on, wait) = sync_channel(0);
        // It is started once only.
        let ends = std::sync::Mutex::new(Some((tell, wait)));
        let start: Starter = Arc::new(move |processor| {
            let (tell, wait) = ends.lock().unwrap().take().unwrap();
            let device = NullDevice { rate: Hz::new(48_000).unwrap(), block: Frames::new(BLOCK) };
            device.start_into(processor, move |block: &[f32]| {
                // Nobody listens any more when the test is over.
                let _ = tell.send(block.to_vec());
                let _ = wait.recv();
            })
        });
        let playback = Playback::begin(processor, Route { start, default: None }, Duration::ZERO).unwrap();
        let mut model = options.model(entries(&bank(), None, OptionNames::default()), Some(0), &playback);
        // The sounds of the song are held until they are released.
        model.sounds.iter_mut().for_each(|entry| entry.loops = true);
        (model.mode, model.tells_release) = (Mode::Real, true);
        let midi = MidiInput::new(port::listen(PortSelector::Nothing).unwrap(), 11);
        let outputs = OutputDevices::new(&DeviceOptions::default(), &playback);
        let (waveform_worker, title) = (WaveformWorker::new().unwrap(), String::new());
        let parts = LivePlayerParts {
            controller,
            library,
            reason: ToString::to_string,
            songs: Songs::new(Arc::new(|_| Err("no song".to_owned())), 0),
            polyphony: Config::default().polyphony,
            playback,
            outputs,
            midi,
            recorder,
            waveform_worker,
            title,
            limiter,
            controllers,
            room,
        };
        Self { model, player: LivePlayer::new(parts), blocks, go_on }
    }

    /// What happened on the keyboard, and what is said to it.
    fn happens(&mut self, message: Msg) {
        for intent in update(&mut self.model, message, Duration::ZERO) {
            assert_eq!(execute(&mut self.player, intent), Ok(()));
        }
    }

    /// Returns what a controller of the first channel that is turned has to say.
    fn turns(&mut self, number: u8, value: u8) -> Option<LiveEvent<SoundEntry>> {
        let message = Message::of(0xB0, [number, value]).unwrap();
        self.player.play_midi(PortEvent::Message(MidiSource(0), message), 0)
    }

    /// Returns the loudest of the next block. Until the next call the device waits.
    fn block(&mut self) -> f32 {
        let block = self.blocks.recv().unwrap();
        assert_eq!(block.len() as u64, 2 * BLOCK);
        block.iter().fold(0.0, |loudest, value| loudest.max(value.abs()))
    }

    /// Returns how many voices are seen in the recording of the first sound that is looked at, once that is a certain
    /// one.
    fn voices_in(&mut self, recording: usize) -> usize {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < Duration::from_secs(60), "recording {recording} is never seen");
            let mut events = Vec::new();
            self.player.poll(0, &mut events);
            self.sees(events);
            if self.model.chosen_picture().is_some_and(|picture| picture.recording == recording) {
                return self.model.positions.len();
            }
        }
    }

    /// Polls the library until something is the case.
    fn until(&mut self, is_it: impl Fn(&mut Self) -> bool) {
        let begun = Instant::now();
        while !is_it(self) {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never is");
            let mut events = Vec::new();
            self.player.poll_library(self.model.near(), &mut events);
            self.sees(events);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn sees(&mut self, events: Vec<LiveEvent<SoundEntry>>) {
        events.into_iter().for_each(|event| drop(update(&mut self.model, Msg::Live(event), Duration::ZERO)));
    }

    fn events(&mut self) -> Vec<LiveEvent<SoundEntry>> {
        let mut events = Vec::new();
        self.player.handle_engine_events(&mut events);
        events.retain(|event| matches!(event, LiveEvent::Began(..) | LiveEvent::Ended(_)));
        events
    }
}

/// Returns a package of eleven sounds.
fn bank() -> importer::SoundFile {
    let wave = fixtures::wave::Wave::new(8000, 1, fixtures::wave::Values::U8(vec![7; 100])).finish();
    let mut package = fixtures::package::PackageWriter::new(69);
    for number in 0..11 {
        package.sound(&format!("Sound{number}"), None, "WAV", &wave);
    }
    let bytes = unreal::Memory(package.finish());
    importer::SoundFile::open(bytes, "Bank", importer::Budget::default()).unwrap()
}

/// Returns a sound that is held until it is released.
fn drone() -> Sample {
    looped(mono_float([0.25; 100]), 0, 100, LoopMode::Forward)
}

/// The device's thread must not wait for the test when the player, dropped after this, waits for the thread.
impl Drop for Stage {
    fn drop(&mut self) {
        self.go_on = sync_channel(0).0;
        self.blocks = sync_channel(0).1;
    }
}

#[test]
fn a_key_is_heard_in_the_next_block_and_no_more_once_it_is_released() {
    let mut stage = Stage::new();
    assert_eq!(stage.block(), 0.0);
    for number in 0..20 {
        let number = NoteNumber(number);
        stage.happens(Msg::Press(Press::Char('z')));
        stage.go_on.send(()).unwrap();
        assert!(stage.block() > 0.1, "the next block");
        assert_eq!(stage.events(), [LiveEvent::Began(number, Frames::ZERO)]);
        stage.happens(Msg::Release('z'));
        let dies_away = (0..100).any(|_| {
            stage.go_on.send(()).unwrap();
            stage.block() == 0.0
        });
        assert!(dies_away);
        assert_eq!(stage.events(), [LiveEvent::Ended(number)]);
    }
}

#[test]
fn all_keys_of_a_chord_begin_with_one_frame() {
    let mut stage = Stage::new();
    stage.block();
    for key in ['z', 'c', 'b', 'q', 'e', 't'] {
        stage.happens(Msg::Press(Press::Char(key)));
    }
    stage.go_on.send(()).unwrap();
    assert!(stage.block() > 0.5);
    let expected: Vec<_> = (0..6).map(|number| LiveEvent::Began(NoteNumber(number), Frames::ZERO)).collect();
    assert_eq!(stage.events(), expected);
}

#[test]
fn of_a_note_that_layers_recordings_the_first_is_seen_with_its_voice() {
    let zone = |sample| Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO);
    let tree = ZoneTree::layered([zone(0), zone(1)]);
    let instruments = vec![Instrument { tree, ..Instrument::default() }];
    let samples = vec![Arc::new(drone()), Arc::new(drone())];
    let mut stage =
        Stage::of(&Song::new(SongParts { samples, instruments, ..SongParts::default() }).unwrap());
    stage.block();
    for voices in 1..3 {
        stage.happens(Msg::Press(Press::Char(if voices == 1 { 'z' } else { 'x' })));
        for _ in 0..4 {
            stage.go_on.send(()).unwrap();
            stage.block();
        }
        assert_eq!(stage.voices_in(0), voices);
    }
}

#[test]
fn of_several_recordings_the_one_that_was_begun_last_is_seen_with_its_voices() {
    let zone = |sample| Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO).into();
    let tree = ZoneTree::new(Node::RoundRobin(vec![zone(0), zone(1)])).unwrap();
    let instruments = vec![Instrument { tree, ..Instrument::default() }];
    let samples = vec![Arc::new(drone()), Arc::new(drone())];
    let mut stage =
        Stage::of(&Song::new(SongParts { samples, instruments, ..SongParts::default() }).unwrap());
    stage.block();
    for (key, recording, voices) in [('z', 0, 1), ('x', 1, 1), ('c', 0, 2)] {
        stage.happens(Msg::Press(Press::Char(key)));
        for _ in 0..4 {
            stage.go_on.send(()).unwrap();
            stage.block();
        }
        assert_eq!(stage.voices_in(recording), voices);
    }
}

/// A package that is not read any more once it is listed, until its gate is opened.
#[derive(Clone)]
struct Gated {
    bytes: Arc<[u8]>,
    is_closed: Arc<AtomicBool>,
}

impl unreal::Source for Gated {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        while self.is_closed.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(1));
        }
        unreal::Memory(&self.bytes[..]).read_at(at, into)
    }
}

struct Whole(importer::SoundFile);

impl AsRef<importer::SoundFile> for Whole {
    fn as_ref(&self) -> &importer::SoundFile {
        &self.0
    }
}

impl player::library::PackageSource for Gated {
    type OpenPackage = Whole;
    type Listed = ListedPackage<SoundEntry, String>;
    type Unopenable = String;

    fn count(&self) -> usize {
        1
    }

    fn open(
        &self,
        _: usize,
        _: &mut dyn FnMut(&importer::SoundFile, ListedPackage<SoundEntry, String>),
    ) -> Result<Whole, String> {
        let file = importer::SoundFile::open(self.clone(), "Gated", importer::Budget::default());
        Ok(Whole(file.unwrap()))
    }

    fn list(&self, Whole(file): &Whole, _: usize) -> ListedPackage<SoundEntry, String> {
        self.is_closed.store(true, Ordering::Release);
        ListedPackage {
            song: None,
            sounds: entries(file, None, OptionNames::default()),
            is_one_of_many: false,
            chosen: None,
            kept: Ok(None),
            warnings: Vec::new(),
        }
    }
}

#[test]
fn a_key_struck_before_its_sound_is_there_plays_it_as_soon_as_it_is() {
    let wave = fixtures::wave::Wave::new(48_000, 1, fixtures::wave::Values::I16(vec![8192; 1000]));
    let mut package = fixtures::package::PackageWriter::new(69);
    package.sound("Drone", None, "WAV", &wave.looped(0, 999).finish());
    let is_closed = Arc::new(AtomicBool::new(false));
    let gated = Gated { bytes: package.finish().into(), is_closed: Arc::clone(&is_closed) };
    let mut stage = Stage::with(SoundLibrary::open(gated, 1 << 20).unwrap());
    stage.block();
    stage.model.sounds.clear();
    stage.model.is_listing = true;
    stage.until(|stage| !stage.model.is_listing);
    assert_eq!(stage.model.sounds.len(), 1);
    let struck = update(&mut stage.model, Msg::Press(Press::Char('z')), Duration::ZERO);
    let waits = execute(&mut stage.player, struck[0].clone()).unwrap_err();
    assert_eq!(waits, LiveEvent::Loading(0));
    stage.sees(vec![waits]);
    assert_eq!(stage.model.loading, Some(0));
    for _ in 0..3 {
        stage.go_on.send(()).unwrap();
        assert_eq!(stage.block(), 0.0);
    }
    is_closed.store(false, Ordering::Release);
    stage.until(|stage| stage.player.bank(0).is_some());
    stage.go_on.send(()).unwrap();
    assert!(stage.block() > 0.1);
    let events = stage.events();
    stage.sees(events);
    assert_eq!(stage.model.loading, None);
    // It is held until its key is up.
    stage.happens(Msg::Release('z'));
    let dies_away = (0..100).any(|_| {
        stage.go_on.send(()).unwrap();
        stage.block() == 0.0
    });
    assert!(dies_away);
}

#[test]
fn a_controller_learns_a_parameter_of_the_room_which_is_heard_shown_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (controllers, room) = (folder.path().join("controllers.toml"), folder.path().join("room.toml"));
    let controllers = ControllerFile::at(&controllers);
    let library = SoundLibrary::of_song(&of(vec![drone()])).unwrap();
    let live = LiveRoom::new(Room::default(), Some(RoomFile::at(&room)));
    let mut stage = Stage::kept(library, Some(controllers.clone()), live);
    stage.block();
    stage.happens(Msg::Press(Press::Char('z')));
    stage.go_on.send(()).unwrap();
    let loud = stage.block();
    (stage.model.knob, stage.model.is_adjusting) = (Knob::Room(RoomParameter::Master), true);
    stage.happens(Msg::Press(Press::Command(KeyCommand::Learn)));
    let notice = "room_master: set by MIDI controller 31".to_owned();
    assert_eq!(stage.turns(31, 127), Some(LiveEvent::Notice(notice)));
    // 12 dB above, then 60 dB below what it was.
    let kept = controllers.load().unwrap();
    assert_eq!(kept.learned(31), Some(ControlledParameter::Room(RoomParameter::Master)));
    for (value, master) in [(127, 12.0), (0, -60.0)] {
        stage.turns(31, value);
        for _ in 0..4 {
            stage.go_on.send(()).unwrap();
            stage.block();
        }
        stage.go_on.send(()).unwrap();
        let heard = stage.block();
        assert_eq!(heard > loud, master > 0.0, "{heard} after {loud}");
        assert!(master > 0.0 || heard < loud / 100.0, "{heard} after {loud}");
        let mut events = Vec::new();
        stage.player.poll(0, &mut events);
        stage.sees(events);
        assert_eq!((stage.model.room.master.get(), stage.model.learning), (master, None));
    }
    assert_eq!(stage.player.save_adjustments(true), None);
    assert_eq!(RoomFile::at(&room).load().unwrap().master.get(), -60.0);
    assert_eq!(stage.turns(31, 64), None, "it has learned that already");
    let forgotten = stage.player.forget_controller(ControlledParameter::Room(RoomParameter::Master));
    assert_eq!(forgotten, LiveEvent::Notice("room_master: its controller is forgotten".to_owned()));
    assert_eq!(controllers.load().unwrap().learned(31), None);
}
