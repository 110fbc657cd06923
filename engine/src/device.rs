//! Where frames go in real time: a processor is lent to a device, and comes back when the device closes.
//!
//! ```text
//! Processor ── lend ──► Lease (on the device's thread) ── dropped ──► one-slot ring ──► Running::stop ──► Processor
//! ```

pub mod null;

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ringbuf::traits::{Consumer, Producer, Split};
use ringbuf::{HeapCons, HeapProd, HeapRb};
use song::Hz;

use crate::rt::processor::Processor;

/// How long a closed device may take to give the processor back.
const PATIENCE: Duration = Duration::from_secs(2);

/// Lends a processor to a device that runs at some rate.
pub(crate) fn lend(mut processor: Processor, rate: Hz) -> (Lease, Home) {
    processor.set_rate(rate);
    let (way_home, home) = HeapRb::new(1).split();
    let status = Arc::new(Status::default());
    let lease = Lease { processor: Some(processor), way_home, status: Arc::clone(&status) };
    (lease, Home { ring: home, status, rate })
}

/// A processor on a device's thread. Dropped, it sends the processor home.
///
/// # Real-time
/// Dropping it is safe while somebody still waits for the processor; the last one frees the ring between them.
pub(crate) struct Lease {
    processor: Option<Processor>,
    way_home: HeapProd<Processor>,
    status: Arc<Status>,
}

impl Lease {
    /// Renders a block, `frames × channels` interleaved, and measures how long that takes.
    ///
    /// # Real-time
    /// Safe; it reads the clock, which is no system call where the platform can help it.
    pub(crate) fn process(&mut self, out: &mut [f32], channels: usize) {
        let Some(processor) = &mut self.processor else { return };
        let begun = Instant::now();
        processor.process(out, channels);
        let frames = out.len() / channels.max(1);
        self.status.count_block(frames, processor.rate(), begun.elapsed());
    }

    /// What is told of the device.
    pub(crate) fn status(&self) -> &Arc<Status> {
        &self.status
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(processor) = self.processor.take() {
            // There is room for one, and there is only one.
            let _ = self.way_home.try_push(processor);
        }
    }
}

/// Where a lent processor comes back to.
pub(crate) struct Home {
    ring: HeapCons<Processor>,
    status: Arc<Status>,
    rate: Hz,
}

impl Home {
    /// The processor, if it comes back soon.
    fn wait(&mut self) -> Option<Processor> {
        let begun = Instant::now();
        loop {
            let processor = self.ring.try_pop();
            if processor.is_some() || begun.elapsed() > PATIENCE {
                return processor;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A device that is playing; closes when dropped.
pub struct Running {
    home: Home,
    /// Ends the device's thread, or asks it to end.
    close: Option<Box<dyn FnOnce() + Send>>,
}

impl Running {
    pub(crate) fn new(home: Home, close: impl FnOnce() + Send + 'static) -> Self {
        Self { home, close: Some(Box::new(close)) }
    }

    /// How it goes.
    #[must_use]
    pub fn status(&self) -> &Arc<Status> {
        &self.home.status
    }

    /// Frames per second it plays.
    #[must_use]
    pub const fn rate(&self) -> Hz {
        self.home.rate
    }

    /// Closes the device and takes the processor back, which can be started on another. None only if the device does
    /// not let go of it within two seconds.
    ///
    /// # Real-time
    /// Never: waits for the device's thread.
    #[must_use]
    pub fn stop(mut self) -> Option<Processor> {
        self.close();
        self.home.wait()
    }

    fn close(&mut self) {
        if let Some(close) = self.close.take() {
            close();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("status", &self.home.status).finish_non_exhaustive()
    }
}

/// A device did not start; the processor comes back unharmed.
#[derive(Debug)]
pub struct StartError {
    /// Why.
    pub reason: Box<dyn Error + Send + Sync>,
    /// None only if the device does not let go of it.
    pub processor: Option<Box<Processor>>,
}

impl StartError {
    pub(crate) fn new(reason: impl Into<Box<dyn Error + Send + Sync>>, mut home: Home) -> Self {
        Self { reason: reason.into(), processor: home.wait().map(Box::new) }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the device did not start: {}", self.reason)
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.reason)
    }
}

/// How a device is doing: numbers the device's thread counts and everybody may read.
#[derive(Debug, Default)]
pub struct Status {
    blocks: AtomicU64,
    frames: AtomicU64,
    xruns: AtomicU64,
    errors: AtomicU64,
    load: AtomicU32,
    peak_load: AtomicU32,
}

impl Status {
    /// Blocks rendered.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.blocks.load(Ordering::Relaxed)
    }

    /// Frames rendered.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }

    /// How often the device ran out of frames.
    #[must_use]
    pub fn xruns(&self) -> u64 {
        self.xruns.load(Ordering::Relaxed)
    }

    /// Errors the device has reported.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// The part of the latest block's duration that was spent on rendering it; above 1 it came too late.
    #[must_use]
    pub fn load(&self) -> f32 {
        f32::from_bits(self.load.load(Ordering::Relaxed))
    }

    /// The highest load since this was last asked.
    #[must_use]
    pub fn take_peak_load(&self) -> f32 {
        f32::from_bits(self.peak_load.swap(0, Ordering::Relaxed))
    }

    /// # Real-time
    /// Safe.
    pub fn count_xrun(&self) {
        self.xruns.fetch_add(1, Ordering::Relaxed);
    }

    /// # Real-time
    /// Safe.
    pub fn count_error(&self) {
        self.errors.fetch_add(1, Ordering::Relaxed);
    }

    fn count_block(&self, frames: usize, rate: Hz, spent: Duration) {
        let lasts = frames.max(1) as f32 / rate.get() as f32;
        // Floats that are not negative are ordered like their bits.
        let load = (spent.as_secs_f32() / lasts).to_bits();
        self.load.store(load, Ordering::Relaxed);
        self.peak_load.fetch_max(load, Ordering::Relaxed);
        self.frames.fetch_add(frames as u64, Ordering::Relaxed);
        self.blocks.fetch_add(1, Ordering::Relaxed);
    }
}
