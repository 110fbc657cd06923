//! From a key to its first frame: everything between the keyboard's thread and the loudspeaker.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use clap::Parser as _;
use engine::device::null::NullDevice;
use engine::{Config, split};
use fixtures::songs::{looped, mono_float, of};
use song::{
    Cents, Frames, Hz, Instrument, Key, LoopMode, Node, Sample, SampleIndex, Song, SongParts, Zone, ZoneTree,
};

use super::*;
use crate::args::{Cli, Command};
use crate::input::{DEMO, Input};
use crate::tui::model::NoteNumber;
use player::playback::{Route, Starter};
use player::recorder::TakeFiles;

const BLOCK: u64 = 512;

/// A jam on a device that plays a block when it is asked to.
struct Stage {
    model: Model,
    player: LivePlayer,
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
    fn with(library: SoundLibrary) -> Self {
        let Some(Command::Jam(args)) = Cli::try_parse_from(["usampler", "jam", DEMO]).unwrap().command else {
            panic!("that is jam")
        };
        let limiter = args.live.has_limiter();
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
        let input = Input::open(Path::new(DEMO), &args.input.reading).unwrap();
        let package = input.package().unwrap();
        let mut model = model(&args, DEMO, entries(&package, None), Some(0), &playback);
        // The sounds of the song are held until they are released.
        model.sounds.iter_mut().for_each(|entry| entry.loops = true);
        (model.mode, model.tells_release) = (Mode::Real, true);
        let midi = MidiInput::new(port::listen(PortSelector::Nothing).unwrap(), 11);
        let outputs = OutputDevices::new(&args.device.options(), &playback);
        let (waveform_worker, title) = (WaveformWorker::new().unwrap(), String::new());
        let parts = LivePlayerParts {
            controller,
            library,
            songs: Songs::new(args.input.reading.clone(), 0),
            polyphony: Config::default().polyphony,
            playback,
            outputs,
            midi,
            recorder,
            waveform_worker,
            title,
            limiter,
        };
        Self { model, player: LivePlayer::new(parts), blocks, go_on }
    }

    /// What happened on the keyboard, and what is said to it.
    fn happens(&mut self, message: Msg) {
        for intent in update(&mut self.model, message, Duration::ZERO) {
            assert!(self.player.execute(intent).is_ok());
        }
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
            let mut messages = Vec::new();
            self.player.poll(0, &mut messages);
            messages.into_iter().for_each(|message| drop(update(&mut self.model, message, Duration::ZERO)));
            if self.model.chosen_picture().is_some_and(|picture| picture.place == recording) {
                return self.model.places.len();
            }
        }
    }

    /// Polls the library until something is the case.
    fn until(&mut self, is_it: impl Fn(&mut Self) -> bool) {
        let begun = Instant::now();
        while !is_it(self) {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never is");
            let mut messages = Vec::new();
            self.player.poll_library(self.model.near(), &mut messages);
            messages.into_iter().for_each(|message| drop(update(&mut self.model, message, Duration::ZERO)));
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn messages(&mut self) -> Vec<Msg> {
        let mut messages = Vec::new();
        self.player.handle_events(&mut messages);
        messages.retain(|message| matches!(message, Msg::Began(..) | Msg::Ended(_)));
        messages
    }
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
    let mut allocator = Stage::new();
    assert_eq!(allocator.block(), 0.0);
    for number in 0..20 {
        let number = NoteNumber(number);
        allocator.happens(Msg::Press(Press::Char('z')));
        allocator.go_on.send(()).unwrap();
        assert!(allocator.block() > 0.1, "the next block");
        assert_eq!(allocator.messages(), [Msg::Began(number, Frames::ZERO)]);
        allocator.happens(Msg::Release('z'));
        let dies_away = (0..100).any(|_| {
            allocator.go_on.send(()).unwrap();
            allocator.block() == 0.0
        });
        assert!(dies_away);
        assert_eq!(allocator.messages(), [Msg::Ended(number)]);
    }
}

#[test]
fn all_keys_of_a_chord_begin_with_one_frame() {
    let mut allocator = Stage::new();
    allocator.block();
    for key in ['z', 'c', 'b', 'q', 'e', 't'] {
        allocator.happens(Msg::Press(Press::Char(key)));
    }
    allocator.go_on.send(()).unwrap();
    assert!(allocator.block() > 0.5);
    let expected: Vec<_> = (0..6).map(|number| Msg::Began(NoteNumber(number), Frames::ZERO)).collect();
    assert_eq!(allocator.messages(), expected);
}

#[test]
fn of_a_note_that_layers_recordings_the_first_is_seen_with_its_voice() {
    let zone = |sample| Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO);
    let tree = ZoneTree::layered([zone(0), zone(1)]);
    let instruments = vec![Instrument { tree, ..Instrument::default() }];
    let samples = vec![Arc::new(drone()), Arc::new(drone())];
    let mut allocator =
        Stage::of(&Song::new(SongParts { samples, instruments, ..SongParts::default() }).unwrap());
    allocator.block();
    for voices in 1..3 {
        allocator.happens(Msg::Press(Press::Char(if voices == 1 { 'z' } else { 'x' })));
        for _ in 0..4 {
            allocator.go_on.send(()).unwrap();
            allocator.block();
        }
        assert_eq!(allocator.voices_in(0), voices);
    }
}

#[test]
fn of_several_recordings_the_one_that_was_begun_last_is_seen_with_its_voices() {
    let zone = |sample| Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO).into();
    let tree = ZoneTree::new(Node::RoundRobin(vec![zone(0), zone(1)])).unwrap();
    let instruments = vec![Instrument { tree, ..Instrument::default() }];
    let samples = vec![Arc::new(drone()), Arc::new(drone())];
    let mut allocator =
        Stage::of(&Song::new(SongParts { samples, instruments, ..SongParts::default() }).unwrap());
    allocator.block();
    for (key, recording, voices) in [('z', 0, 1), ('x', 1, 1), ('c', 0, 2)] {
        allocator.happens(Msg::Press(Press::Char(key)));
        for _ in 0..4 {
            allocator.go_on.send(()).unwrap();
            allocator.block();
        }
        assert_eq!(allocator.voices_in(recording), voices);
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

impl player::library::Packages for Gated {
    type OpenPackage = Whole;
    type Listed = ListedPackage;
    type Failure = Failure;

    fn count(&self) -> usize {
        1
    }

    fn open(
        &self,
        _: usize,
        _: &mut dyn FnMut(&importer::SoundFile, ListedPackage),
    ) -> Result<Whole, Failure> {
        let file = importer::SoundFile::open(self.clone(), "Gated", importer::Budget::default());
        Ok(Whole(file.unwrap()))
    }

    fn list(&self, Whole(file): &Whole, _: usize) -> ListedPackage {
        self.is_closed.store(true, Ordering::Release);
        ListedPackage {
            label: "Gated.uax".to_owned(),
            song: None,
            sounds: entries(file, None),
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
    let waits = stage.player.execute(struck[0]).err().unwrap();
    assert_eq!(waits, Msg::Loading(0));
    update(&mut stage.model, waits, Duration::ZERO);
    assert_eq!(stage.model.loading, Some(0));
    for _ in 0..3 {
        stage.go_on.send(()).unwrap();
        assert_eq!(stage.block(), 0.0);
    }
    is_closed.store(false, Ordering::Release);
    stage.until(|stage| stage.player.library.bank(0).is_some());
    stage.go_on.send(()).unwrap();
    assert!(stage.block() > 0.1);
    for message in stage.messages() {
        update(&mut stage.model, message, Duration::ZERO);
    }
    assert_eq!(stage.model.loading, None);
    // It is held until its key is up.
    stage.happens(Msg::Release('z'));
    let dies_away = (0..100).any(|_| {
        stage.go_on.send(()).unwrap();
        stage.block() == 0.0
    });
    assert!(dies_away);
}
