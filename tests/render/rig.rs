//! An engine on a bench: reported what to play, rendered, and asked what it said.

use std::sync::Arc;

use engine::{Bank, Config, Controller, Event, Interpolation, Note, NoteId, Processor};
use fixtures::songs;
use song::{Frames, InstrumentIndex, Key, Song, Velocity};

pub(crate) struct Rig {
    pub(crate) controller: Controller,
    pub(crate) processor: Processor,
}

impl Rig {
    pub(crate) fn new(song: &Song) -> Self {
        Self::with(Config::default(), song)
    }

    pub(crate) fn interpolating(how: impl Into<Interpolation>, song: &Song) -> Self {
        Self::with(Config { interpolation: how.into(), ..Config::default() }, song)
    }

    /// At 48 kHz, like the recordings.
    pub(crate) fn with(config: Config, song: &Song) -> Self {
        let (controller, mut processor) = engine::split(config).unwrap();
        processor.set_rate(songs::hz(48_000));
        let mut rig = Self { controller, processor };
        rig.controller.load(Arc::new(Bank::prepare(song).unwrap()));
        rig
    }

    /// Returns the note that sounds instrument `index` as it was recorded, some semitones higher.
    pub(crate) fn note(index: usize, semitones: i32) -> Note {
        let key = Key::C4.shifted(semitones).unwrap();
        Note::new(InstrumentIndex::new(index), key, Velocity::HIGHEST)
    }

    pub(crate) fn play(&mut self, index: usize, semitones: i32) -> NoteId {
        self.controller.note_on(Self::note(index, semitones)).unwrap()
    }

    pub(crate) fn play_at(&mut self, index: usize, frame: u64) -> NoteId {
        self.controller.note_on(Self::note(index, 0).at(Frames::new(frame))).unwrap()
    }

    /// Returns left and right.
    pub(crate) fn render(&mut self, frames: u64) -> [Vec<f32>; 2] {
        engine::offline::render_planar(&mut self.processor, Frames::new(frames))
    }

    pub(crate) fn left(&mut self, frames: u64) -> Vec<f32> {
        let [left, _] = self.render(frames);
        left
    }

    /// Returns the frames at which voices were reported to be over so far.
    pub(crate) fn ends(&mut self) -> Vec<u64> {
        let ended = |event| match event {
            Event::Ended { at, .. } => Some(at.get()),
            _ => None,
        };
        self.said().into_iter().filter_map(ended).collect()
    }

    /// Returns everything said so far but for the meter.
    pub(crate) fn said(&mut self) -> Vec<Event> {
        let all = std::iter::from_fn(|| self.controller.poll());
        all.filter(|event| !matches!(event, Event::Meter { .. })).collect()
    }
}

pub(crate) const fn frame(frame: u64) -> Option<Frames> {
    Some(Frames::new(frame))
}
