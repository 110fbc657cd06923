use std::sync::Arc;

use engine::{Config, Processor, offline, split};
use fixtures::songs::{looped, mono_float};
use importer::{HeldMemory, Report};
use song::module::{
    Cell, CellNote, Channel, Dialect, Globals, Module, Order, Pattern, Sample, SampleSource, SampleTuning,
};
use song::{Key, LoopMode, Pan, Song, SongParts};
use tracker::replay::ReplayOptions;

use super::*;
use crate::LoadedSong;
use crate::session::DecodedSong;

const RATE: u32 = 48_000;
/// Frames of a row: six ticks of 20 ms.
const ROW: u64 = 5760;

/// A song of a channel and eight rows; a held note begins in the second, and ends in the fifth.
fn song() -> Song {
    let note = Cell { note: CellNote::Key(Key::C4), instrument: Some(1), ..Cell::default() };
    let mut cells = vec![Cell::default(); 8];
    (cells[1], cells[4]) = (note, Cell { note: CellNote::Cut, ..Cell::default() });
    let steady = looped(mono_float([1.0; 100]), 0, 100, LoopMode::Forward);
    let sample = Sample {
        tuning: SampleTuning::Rate(RATE),
        loop_range: steady.loops().first().cloned(),
        ..Sample::silent(SampleSource::Recorded(SampleIndex::new(0)))
    };
    let module = Module {
        dialect: Dialect::ImpulseTracker,
        globals: Globals::default(),
        channels: vec![Channel::at(Pan::CENTRE)],
        orders: vec![Order::Pattern(0)],
        patterns: vec![Pattern::new(8, 1, cells).unwrap()],
        samples: vec![sample],
        ..Module::default()
    };
    Song::new(SongParts { samples: vec![Arc::new(steady)], module, ..SongParts::default() }).unwrap()
}

struct Stage {
    controller: Controller,
    processor: Processor,
    player: SongPlayer<'static>,
}

impl Stage {
    fn new() -> Self {
        let rate = Hz::new(RATE).unwrap();
        let (mut controller, mut processor) = split(Config { limiter: false, ..Config::default() }).unwrap();
        processor.set_rate(rate);
        let decoded = DecodedSong { song: song(), report: Report::default(), held: HeldMemory::default() };
        let loaded = LoadedSong::new(decoded).unwrap();
        let replay =
            Replay::new(Arc::clone(&loaded.score), ReplayOptions { loops: Some(0), ..Default::default() });
        let options =
            SongOptions { tail: Duration::ZERO, most: None, separation: 1.0, muted: vec![false], rate };
        let player = loaded.player(&mut controller, replay, options, Frames::default());
        Self { controller, processor, player }
    }

    /// Plays a row; returns how loud its end is.
    fn row(&mut self) -> f32 {
        let until = Frames::new(self.controller.now().get() + ROW);
        self.player.feed(&mut self.controller, until);
        let heard = offline::render(&mut self.processor, Frames::new(ROW));
        while let Some(event) = self.controller.poll() {
            self.player.handle_event(&event);
        }
        heard.last().copied().unwrap().abs()
    }

    fn rows<const N: usize>(&mut self) -> [bool; N] {
        std::array::from_fn(|_| self.row() > 0.01)
    }
}

#[test]
fn its_volume_follows_the_listener_from_the_next_tick_on() {
    let mut stage = Stage::new();
    let [before, whole] = [stage.row(), stage.row()];
    stage.player.set_gain(0.5);
    let half = stage.row();
    assert!(before == 0.0 && whole > 0.1 && (half - whole / 2.0).abs() < 1e-6, "{before} {whole} {half}");
    stage.player.set_gain(1.0);
    assert_eq!(stage.row(), whole, "no note begins in this row");
}

#[test]
fn a_volume_that_is_none_is_silence() {
    for gain in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let mut stage = Stage::new();
        assert!(stage.rows::<2>()[1]);
        stage.player.set_gain(gain);
        assert_eq!(stage.row(), 0.0, "{gain}");
    }
}

#[test]
fn it_plays_on_at_another_time_with_what_sounds_there() {
    let row = ROW as f64 / f64::from(RATE);
    let mut stage = Stage::new();
    assert_eq!(stage.rows(), [false, true, true]);
    stage.player.seek_seconds(0.0, stage.controller.now());
    assert_eq!(stage.rows(), [false, true], "the note has ended, and begins again");
    stage.player.seek_seconds(3.5 * row, stage.controller.now());
    assert_eq!(stage.rows(), [true, false], "its note sounds until the fifth row");
    stage.player.seek_seconds(2.0 * row, stage.controller.now());
    assert_eq!(stage.rows(), [true, true, false, false, false, false, false]);
    assert!(stage.player.end(stage.controller.now()).is_some());
    stage.player.seek_seconds(row, stage.controller.now());
    assert!(stage.row() > 0.0 && stage.player.end(stage.controller.now()).is_none());
    stage.player.seek_seconds(99.0, stage.controller.now());
    let end = (0..3).any(|_| (stage.row(), stage.player.end(stage.controller.now())).1.is_some());
    assert!(end && stage.player.sounding() == 0);
}
