//! An engine with some voices that never end, for benchmarks.

use std::sync::Arc;

use engine::{Bank, ChannelStrip, Config, Controller, Event, Interpolation, Note, Processor, StripIndex};
use fixtures::signal::{Noise, fingerprint};
use song::{
    Articulation, ArticulationIndex, Cents, InstrumentIndex, Key, Sample, SampleIndex, Song, SongParts,
    Velocity, Zone,
};

/// Frames of a block.
pub const BLOCK: usize = 256;

/// Frames of a block that ends nowhere a grid or a bus does.
const ODD_BLOCK: usize = 47;

/// Frames that are rendered to be compared.
const PRINTED: usize = 8192;

/// An engine in the middle of a long chord.
pub struct Stage {
    controller: Controller,
    processor: Processor,
    out: [f32; 2 * BLOCK],
}

impl Stage {
    /// So many voices of some looping samples by turns, within some semitones around their own pitch but never at a
    /// whole ratio to it: a quarter tone is added to every key.
    ///
    /// # Panics
    /// If not all of them sound.
    #[must_use]
    pub fn new(
        interpolation: Interpolation,
        samples: &[Sample],
        voices: usize,
        semitones: std::ops::RangeInclusive<i32>,
    ) -> Self {
        Self::moving(interpolation, samples, None, voices, semitones)
    }

    /// Plays voices that all move.
    ///
    /// # Panics
    /// If not all of them sound.
    #[must_use]
    pub fn moving(
        interpolation: Interpolation,
        samples: &[Sample],
        articulation: Option<Articulation>,
        voices: usize,
        semitones: std::ops::RangeInclusive<i32>,
    ) -> Self {
        let config = Config { interpolation, ..Config::default() };
        Self::set(config, samples, articulation, voices, semitones)
    }

    /// Plays voices that are sent to the effects as a strip says.
    ///
    /// # Panics
    /// If not all of them sound.
    #[must_use]
    pub fn sending(
        interpolation: Interpolation,
        samples: &[Sample],
        strip: ChannelStrip,
        voices: usize,
        semitones: std::ops::RangeInclusive<i32>,
    ) -> Self {
        let config = Config { interpolation, effects: true, ..Config::default() };
        let mut stage = Self::set(config, samples, None, voices, semitones);
        stage.controller.set_strip(StripIndex::default(), strip, None).expect("the queue is empty");
        stage
    }

    fn set(
        config: Config,
        samples: &[Sample],
        articulation: Option<Articulation>,
        voices: usize,
        semitones: std::ops::RangeInclusive<i32>,
    ) -> Self {
        let event_queue = 2 * voices + 4096;
        let config = Config { polyphony: voices, event_queue, ..config };
        let (mut controller, processor) = engine::split(config).expect("within limits");
        controller.load(Arc::new(Bank::prepare(&song(samples, articulation)).expect("short samples")));
        let mut stage = Self { controller, processor, out: [0.0; 2 * BLOCK] };
        for (voice, semitones) in semitones.cycle().take(voices).enumerate() {
            let key = Key::C4.shifted(semitones).expect("on the keyboard");
            let quiet = Velocity::new(20).expect("at most 127");
            let note = Note::new(InstrumentIndex::new(voice % samples.len()), key, quiet);
            while stage.controller.note_on(note).is_err() {
                stage.render();
            }
        }
        // A grid cell begins a bounded number of voices.
        (0..voices / 128 + 2).for_each(|_| stage.render());
        let started =
            std::iter::from_fn(|| stage.controller.poll()).filter(|e| matches!(e, Event::Started { .. }));
        assert_eq!(started.count(), voices, "all voices sound");
        stage
    }

    /// Renders one block.
    pub fn render(&mut self) {
        self.processor.process(&mut self.out, 2);
    }

    /// Renders a while in blocks of a length and names the bits, after a look whether there is anything to hear.
    fn print_in_blocks_of(&mut self, frames: usize) -> u64 {
        let mut heard = vec![0.0; 2 * PRINTED];
        for block in heard.chunks_mut(2 * frames) {
            self.processor.process(block, 2);
        }
        let audible = heard.iter().filter(|value| value.abs() > 1e-3).count();
        assert!(audible > heard.len() / 2, "only {audible} of {} values can be heard", heard.len());
        fingerprint(&heard)
    }
}

/// Sets a stage twice, and lets both render the same frames, in blocks of different length. Gives one of them, and the
/// name of the bits that both rendered.
///
/// # Panics
/// If they did not render the same bits, or nothing that can be heard: then there is nothing worth measuring.
#[must_use]
pub fn checked(set: impl Fn() -> Stage) -> (Stage, u64) {
    let (mut stage, mut other) = (set(), set());
    let print = stage.print_in_blocks_of(BLOCK);
    let other = other.print_in_blocks_of(ODD_BLOCK);
    assert_eq!(print, other, "blocks of {BLOCK} and of {ODD_BLOCK} frames sound different");
    (stage, print)
}

fn song(samples: &[Sample], articulation: Option<Articulation>) -> Song {
    let moved = articulation.is_some().then(|| ArticulationIndex::new(0));
    let quarter_tone = Cents::new(50.0).expect("finite");
    let instrument = |index| song::Instrument {
        tree: Zone::whole_keyboard(SampleIndex::new(index), Key::C4, quarter_tone)
            .with_articulation(moved)
            .into(),
        ..song::Instrument::default()
    };
    let instruments = (0..samples.len()).map(instrument).collect();
    let samples = samples.iter().cloned().map(Arc::new).collect();
    let articulations = articulation.into_iter().collect();
    Song::new(SongParts { samples, instruments, articulations, ..SongParts::default() })
        .expect("each zone has its sample")
}

/// Returns noise, as 16-bit values.
#[must_use]
pub fn noise(length: usize) -> Vec<i16> {
    let mut noise = Noise::new(1);
    (0..length).map(|_| noise.bits() as i16).collect()
}
