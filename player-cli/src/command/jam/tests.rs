//! From a key to its first frame: everything between the keyboard's thread and the loudspeaker.

use std::sync::Arc;
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
            library: SoundLibrary::of_song(song).unwrap(),
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
