//! The engine of this repository.

use std::sync::Arc;

use benches::stage::BLOCK;
use engine::{Bank, Config, Controller, Event, Note, NoteError, Processor, Quality};
use song::{Decibels, InstrumentIndex, Velocity};

use super::scene::{Absent, Block, Engine, Playing, Scene, key};

struct Ours {
    controller: Controller,
    processor: Processor,
    started: usize,
}

/// Plays a scene in a quality.
pub(crate) fn play(quality: Quality, scene: &Scene) -> Playing {
    let config = Config { polyphony: scene.voices(), interpolation: quality.into(), ..Config::default() };
    let (mut controller, processor) = engine::split(config)?;
    controller.load(Arc::new(Bank::prepare(&scene.song())?));
    let mut ours = Ours { controller, processor, started: 0 };
    let gain = Decibels::new(scene.decibels()).map_err(|error| Absent(error.to_string()))?;
    let mut block = [0.0; 2 * BLOCK];
    for voice in 0..scene.voices() {
        let note = Note::new(InstrumentIndex::new(0), key(voice), Velocity::HIGHEST);
        while let Err(error) = ours.controller.note_on(Note { gain, ..note }) {
            if !matches!(error, NoteError::Full(_)) {
                return Err(error.into());
            }
            ours.render(&mut block);
            ours.listen();
        }
    }
    Ok(Box::new(ours))
}

impl Ours {
    /// Counts the voices that began.
    fn listen(&mut self) {
        let events = std::iter::from_fn(|| self.controller.poll());
        self.started += events.filter(|event| matches!(event, Event::Started { .. })).count();
    }
}

impl Engine for Ours {
    fn render(&mut self, block: &mut Block) {
        self.processor.process(block, 2);
    }

    fn sounding(&mut self) -> Option<usize> {
        self.listen();
        Some(self.started)
    }
}
