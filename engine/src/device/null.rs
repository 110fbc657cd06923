//! A device without hardware: a thread that asks for blocks at the pace of a sound card.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use song::{Frames, Hz};

use crate::device::{DeviceInfo, ProcessorGuard, Running, StartError, lend};
use crate::rt::processor::Processor;

/// What the device is called.
pub const NAME: &str = "null";

/// Returns what there is to know of the device.
#[must_use]
pub fn info() -> DeviceInfo {
    DeviceInfo {
        id: NAME.to_owned(),
        name: "silent, at the pace of a sound card".to_owned(),
        is_default: false,
        default_rate: None,
        rates: Vec::new(),
        channels: Vec::new(),
        block: None,
        problem: None,
    }
}

/// Interleaved channels the device asks for.
const CHANNELS: usize = 2;

/// Settings of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullDevice {
    /// Frames per second.
    pub rate: Hz,
    /// Frames asked for at a time, at least one.
    pub block: Frames,
}

impl NullDevice {
    /// Starts the device; what it renders is discarded.
    ///
    /// # Errors
    /// [`StartError`] if no thread can be had.
    pub fn start(self, processor: Processor) -> Result<Running, StartError> {
        self.start_into(processor, |_| {})
    }

    /// Starts the device and plays to a sink, which gets each block, interleaved stereo, on the device's own thread.
    ///
    /// # Errors
    /// [`StartError`] if no thread can be had.
    pub fn start_into(
        self,
        processor: Processor,
        sink: impl FnMut(&[f32]) + Send + 'static,
    ) -> Result<Running, StartError> {
        let (mut guard, return_slot) = lend(processor);
        guard.set_rate(self.rate);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let builder = thread::Builder::new().name("null audio".into());
        match builder.spawn(move || self.play(guard, sink, &stopped)) {
            Ok(thread) => Ok(Running::new(return_slot, NAME.to_owned(), self.rate, move || {
                stop.store(true, Ordering::Relaxed);
                // A panic in the sink has been reported by its thread; the processor comes back all the same.
                let _ = thread.join();
            })),
            Err(error) => Err(StartError::new(error, return_slot)),
        }
    }

    fn play(self, mut guard: ProcessorGuard, mut sink: impl FnMut(&[f32]), stop: &AtomicBool) {
        let frames = self.block.get().max(1);
        let mut out = vec![0.0; Frames::new(frames).index().saturating_mul(CHANNELS)];
        let block_duration = Duration::from_secs_f64(Frames::new(frames).seconds(self.rate));
        let mut clock = BlockClock::new(self.rate, frames);
        while !stop.load(Ordering::Relaxed) {
            guard.process(&mut out, CHANNELS);
            sink(&out);
            match clock.next().checked_duration_since(Instant::now()) {
                Some(early) => thread::sleep(early),
                None if clock.is_late_by(block_duration) => {
                    guard.status().count_xrun();
                    clock = BlockClock::new(self.rate, frames);
                }
                None => {}
            }
        }
    }
}

/// Deadlines counted from one beginning, so that sleeping a little too long adds no drift.
struct BlockClock {
    begun: Instant,
    blocks: u64,
    rate: Hz,
    frames: u64,
    deadline: Instant,
}

impl BlockClock {
    fn new(rate: Hz, frames: u64) -> Self {
        let begun = Instant::now();
        Self { begun, blocks: 0, rate, frames, deadline: begun }
    }

    /// Returns when the block after the present one has to be begun.
    fn next(&mut self) -> Instant {
        self.blocks += 1;
        let elapsed = Frames::new(self.blocks.saturating_mul(self.frames)).seconds(self.rate);
        self.deadline = self.begun + Duration::from_secs_f64(elapsed);
        self.deadline
    }

    fn is_late_by(&self, duration: Duration) -> bool {
        self.deadline.elapsed() > duration
    }
}
