//! Watched on the null device's own thread, which lends the processor and gives it back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use engine::device::Running;
use engine::device::null::NullDevice;
use engine::{Config, Controller, Event, Note, NoteId, Processor};
use fixtures::allocator::{self, Counts};
use fixtures::signal::Noise;
use fixtures::songs::hz;
use song::{Decibels, Frames, InstrumentIndex, Key, Velocity};

use super::bank;

type Sink = Box<dyn FnMut(&[f32]) + Send>;

/// What the device's thread did between its first block and its last.
#[derive(Debug, Default)]
struct Watch {
    blocks: AtomicU64,
    allocations: AtomicU64,
    frees: AtomicU64,
}

impl Watch {
    /// Returns a sink that counts everything that happens on its thread from one of its calls to the next: the
    /// rendering, and what `then` does.
    fn sink(self: &Arc<Self>, mut then: impl FnMut(&[f32]) + Send + 'static) -> Sink {
        let watch = Arc::clone(self);
        let mut last: Option<Counts> = None;
        Box::new(move |block| {
            then(block);
            let now = allocator::here();
            let since = last.map_or_else(Counts::default, |last| now.since(last));
            last = Some(now);
            watch.allocations.fetch_add(since.allocations, Ordering::Relaxed);
            watch.frees.fetch_add(since.frees, Ordering::Relaxed);
            watch.blocks.fetch_add(1, Ordering::Relaxed);
        })
    }

    fn seen(&self) -> Counts {
        let load = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Counts { allocations: load(&self.allocations), frees: load(&self.frees) }
    }

    fn wait_for_blocks(&self, blocks: u64) {
        let until = self.blocks.load(Ordering::Relaxed) + blocks;
        while self.blocks.load(Ordering::Relaxed) < until {
            sleep(Duration::from_millis(1));
        }
    }
}

fn null(rate: u32) -> NullDevice {
    NullDevice { rate: hz(rate), block: Frames::new(128) }
}

fn engine(config: Config) -> (Controller, Processor) {
    let (mut controller, processor) = engine::split(config).unwrap();
    controller.load(bank(1));
    (controller, processor)
}

fn middle_c(instrument: usize) -> Note {
    Note::new(InstrumentIndex::new(instrument), Key::C4, Velocity::HIGHEST)
}

/// Somebody who plays without thinking.
struct Player {
    noise: Noise,
    sounding: Vec<NoteId>,
    stolen: u64,
    started: u64,
    ended: u64,
    freed: usize,
}

impl Player {
    fn play(&mut self, controller: &mut Controller) {
        match self.noise.below(100) {
            0 => controller.load(bank(u64::from(self.noise.bits()))),
            1 => controller.all_sound_off(),
            // A full queue is no matter here.
            2 => _ = controller.all_notes_off(None),
            3 => {
                let gain = Decibels::new(-(self.noise.below(60) as f32)).unwrap();
                _ = controller.set_gain(gain, None);
            }
            4..40 if !self.sounding.is_empty() => {
                let which = self.noise.below(self.sounding.len());
                _ = controller.note_off(self.sounding.swap_remove(which), None);
            }
            _ => {
                let key = Key::new(30 + self.noise.below(70) as u8).unwrap();
                let velocity = Velocity::new(1 + self.noise.below(127) as u8).unwrap();
                let soon = Frames::new(controller.now().get() + self.noise.below(2000) as u64);
                let note = Note::new(InstrumentIndex::new(self.noise.below(5)), key, velocity);
                let note = if self.noise.below(2) == 0 { note } else { note.at(soon) };
                self.sounding.extend(controller.note_on(note));
            }
        }
        self.freed += controller.collect();
        while let Some(event) = controller.poll() {
            match event {
                Event::Started { .. } => self.started += 1,
                Event::Ended { .. } => self.ended += 1,
                Event::Stolen { .. } => self.stolen += 1,
                _ => {}
            }
        }
    }
}

#[test]
fn ten_seconds_of_playing_with_bank_swaps_allocate_and_free_nothing() {
    let (mut controller, processor) = engine(Config { polyphony: 24, ..Config::default() });
    let watch = Arc::new(Watch::default());
    let running = null(48_000).start_into(processor, watch.sink(|_| {})).unwrap();
    watch.wait_for_blocks(1);
    let mut player =
        Player { noise: Noise::new(7), sounding: Vec::new(), stolen: 0, started: 0, ended: 0, freed: 0 };
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        player.play(&mut controller);
        sleep(Duration::from_millis(1));
    }
    let processor = running.stop().expect("the processor comes back");
    assert_eq!(watch.seen(), Counts::default(), "on the device's thread");
    let Player { started, stolen, ended, freed, .. } = player;
    let played = format!("{started} started, {stolen} stolen, {ended} ended, {freed} banks freed");
    assert!(started > 500 && stolen > 50 && ended > 500 && freed > 10, "too little happened: {played}");
    drop(processor);
}

#[test]
fn an_allocation_on_the_devices_thread_would_have_been_seen() {
    let (_controller, processor) = engine(Config::default());
    let watch = Arc::new(Watch::default());
    let sink = watch.sink(|block| drop(std::hint::black_box(block.to_vec())));
    let running = null(48_000).start_into(processor, sink).unwrap();
    watch.wait_for_blocks(10);
    drop(running);
    let Counts { allocations, frees } = watch.seen();
    assert!(allocations >= 9 && frees >= 9, "{allocations} allocations and {frees} frees seen");
}

#[test]
fn a_bank_freed_on_the_devices_thread_would_have_been_seen() {
    let (_controller, processor) = engine(Config::default());
    let watch = Arc::new(Watch::default());
    let (mut last_owner, mut blocks) = (Some(bank(2)), 0);
    let sink = watch.sink(move |_| {
        blocks += 1;
        if blocks == 3 {
            drop(last_owner.take());
        }
    });
    let running = null(48_000).start_into(processor, sink).unwrap();
    watch.wait_for_blocks(10);
    drop(running);
    let Counts { allocations, frees } = watch.seen();
    assert_eq!(allocations, 0);
    assert!(frees > 0, "the bank's planes were freed unseen");
}

/// Waits until the engine's time has come to a frame.
fn reach(controller: &Controller, frame: u64) {
    while controller.now().get() < frame {
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_processor_comes_home_and_plays_on_the_next_device_at_its_rate() {
    let (mut controller, processor) = engine(Config::default());
    controller.note_on(middle_c(0)).unwrap();
    let first: Running = null(44_100).start(processor).unwrap();
    reach(&controller, 1000);
    assert_eq!(first.rate(), hz(44_100));
    let processor = first.stop().expect("the processor comes back");
    assert!(!processor.is_idle(), "the note still sounds");
    let gone = processor.now().get();

    let second = null(96_000).start(processor).unwrap();
    reach(&controller, gone + 1000);
    assert!(second.status().blocks() > 0 && second.status().errors() == 0);
    let processor = second.stop().expect("the processor comes back");
    assert_eq!(processor.rate(), hz(96_000));
    assert!(!processor.is_idle(), "the note still sounds");
}

#[test]
fn a_device_that_dies_while_it_plays_gives_its_processor_to_the_next_and_nothing_is_freed_there() {
    let (mut controller, processor) = engine(Config::default());
    controller.note_on(middle_c(0)).unwrap();
    let watch = Arc::new(Watch::default());
    let mut blocks = 0;
    let sink = watch.sink(move |_| {
        blocks += 1;
        if blocks == 5 {
            // Unwinds like a panic, without the message that would disturb the test's output.
            std::panic::resume_unwind(Box::new("on purpose"));
        }
    });
    let running = null(48_000).start_into(processor, sink).unwrap();
    reach(&controller, 5 * 128);
    // Sent while no device plays.
    controller.load(bank(2));
    controller.note_on(middle_c(1)).unwrap();
    let processor = running.stop().expect("the processor comes back");
    assert_eq!((watch.seen(), processor.is_idle()), (Counts::default(), false));

    let watch = Arc::new(Watch::default());
    let running = null(44_100).start_into(processor, watch.sink(|_| {})).unwrap();
    watch.wait_for_blocks(5);
    controller.all_sound_off();
    watch.wait_for_blocks(10);
    let processor = running.stop().expect("the processor comes back");
    assert_eq!((watch.seen(), processor.is_idle()), (Counts::default(), true));
    assert_eq!(controller.collect(), 1, "the first bank is freed here");
}

#[test]
fn a_device_tells_how_it_goes() {
    let (_controller, processor) = engine(Config::default());
    let watch = Arc::new(Watch::default());
    let running = null(48_000).start_into(processor, watch.sink(|_| {})).unwrap();
    watch.wait_for_blocks(20);
    let status = Arc::clone(running.status());
    drop(running);
    assert!(status.blocks() >= 20);
    assert_eq!(status.frames(), 128 * status.blocks());
    assert!(status.load() > 0.0);
    let peak = status.take_peak_load();
    assert!(peak >= status.load());
    assert_eq!(status.take_peak_load(), 0.0, "a peak is reported once");
}
