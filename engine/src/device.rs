//! Where frames go in real time: a processor is lent to a device, and comes back when the device closes.
//!
//! ```text
//! Processor ── lend ──► ProcessorGuard ── dropped ──► one-slot ring ──► Running::stop ──► Processor
//!                       (on the device's thread)
//! ```

#[cfg(feature = "device")]
mod callback_state;
#[cfg(feature = "device")]
mod convert;
#[cfg(feature = "device")]
mod cpal;
#[cfg(feature = "device")]
mod error;
mod info;
pub mod null;

#[cfg(feature = "device")]
pub use self::cpal::{default_device, list, start};
#[cfg(feature = "device")]
pub use error::DeviceError;
pub use info::{DeviceInfo, DeviceRequest};

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ringbuf::traits::{Consumer, Producer, Split};
use ringbuf::{HeapCons, HeapProd, HeapRb};
use song::{Frames, Hz};

use crate::rt::processor::Processor;

/// Frames in a block where nobody has a choice.
pub const DEFAULT_BLOCK: Frames = Frames::new(512);

/// Blocks that go well between two bursts of errors.
const BURST_BLOCKS: u64 = 16;

/// How long a closed device may take to give the processor back.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Lends a processor to a device, which has yet to say at what rate it runs.
pub(crate) fn lend(processor: Processor) -> (ProcessorGuard, ReturnSlot) {
    let (sender, receiver) = HeapRb::new(1).split();
    let status = Arc::new(DeviceStatus::default());
    let guard =
        ProcessorGuard { processor: Some(processor), return_slot: sender, status: Arc::clone(&status) };
    (guard, ReturnSlot { ring: receiver, status })
}

/// A processor on a device's thread. Dropped, it sends the processor back.
///
/// # Real-time
/// Dropping it is safe while somebody still waits for the processor; the last one frees the ring between them.
pub(crate) struct ProcessorGuard {
    processor: Option<Processor>,
    return_slot: HeapProd<Processor>,
    status: Arc<DeviceStatus>,
}

impl ProcessorGuard {
    /// Sets the rate at which the device runs.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set_rate(&mut self, rate: Hz) {
        if let Some(processor) = &mut self.processor {
            processor.set_rate(rate);
        }
    }

    /// Renders a block, `frames × channels` interleaved, and measures how long that takes.
    ///
    /// # Real-time
    /// Safe; it reads the clock, which is no system call where the platform can help it.
    pub(crate) fn process(&mut self, out: &mut [f32], channels: usize) {
        self.measure(out.len() / channels.max(1), |processor| processor.process(out, channels));
    }

    /// Renders a block for a device whose values are no `f32`, part by part through some memory that holds at least one
    /// frame.
    ///
    /// # Real-time
    /// Safe.
    #[cfg(feature = "device")]
    pub(crate) fn process_as<T: convert::DeviceSample>(
        &mut self,
        out: &mut [T],
        channels: usize,
        memory: &mut [f32],
    ) {
        let channels = channels.max(1);
        let whole = memory.len() / channels * channels;
        self.measure(out.len() / channels, |processor| {
            for part in out.chunks_mut(whole.max(1)) {
                let Some(rendered) = memory.get_mut(..part.len()) else { return };
                processor.process(rendered, channels);
                for (value, rendered) in part.iter_mut().zip(rendered) {
                    *value = T::of(*rendered);
                }
            }
        });
    }

    fn measure(&mut self, frames: usize, render: impl FnOnce(&mut Processor)) {
        let Some(processor) = &mut self.processor else { return };
        let begun = Instant::now();
        render(processor);
        self.status.count_block(frames, processor.rate(), begun.elapsed());
    }

    /// Returns the status of the device.
    pub(crate) fn status(&self) -> &Arc<DeviceStatus> {
        &self.status
    }
}

impl Drop for ProcessorGuard {
    fn drop(&mut self) {
        if let Some(processor) = self.processor.take() {
            // There is room for one, and there is only one.
            let _ = self.return_slot.try_push(processor);
        }
    }
}

/// Where a lent processor is returned.
pub(crate) struct ReturnSlot {
    ring: HeapCons<Processor>,
    status: Arc<DeviceStatus>,
}

impl ReturnSlot {
    /// Returns the status of the device.
    #[cfg(feature = "device")]
    pub(crate) fn status(&self) -> &Arc<DeviceStatus> {
        &self.status
    }

    /// Returns the processor, if it comes back soon.
    fn wait(&mut self) -> Option<Processor> {
        if cfg!(target_family = "wasm") {
            // There is no thread that could give it back meanwhile, and no clock.
            return self.ring.try_pop();
        }
        let begun = Instant::now();
        loop {
            let processor = self.ring.try_pop();
            if processor.is_some() || begun.elapsed() > CLOSE_TIMEOUT {
                return processor;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A device that is playing; closes when dropped.
pub struct Running {
    return_slot: ReturnSlot,
    name: String,
    rate: Hz,
    /// Ends the device's thread, or asks it to end.
    close: Option<Box<dyn FnOnce() + Send>>,
}

impl Running {
    pub(crate) fn new(
        return_slot: ReturnSlot,
        name: String,
        rate: Hz,
        close: impl FnOnce() + Send + 'static,
    ) -> Self {
        Self { return_slot, name, rate, close: Some(Box::new(close)) }
    }

    /// Creates a device whose processor is elsewhere, and does not come back.
    #[cfg(feature = "remote")]
    pub(crate) fn remote(name: String, rate: Hz) -> Self {
        let (_, ring) = HeapRb::new(1).split();
        Self::new(ReturnSlot { ring, status: Arc::default() }, name, rate, || ())
    }

    /// Returns what it is called, as one would ask for it: `alsa:default`, `null`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how it goes.
    #[must_use]
    pub fn status(&self) -> &Arc<DeviceStatus> {
        &self.return_slot.status
    }

    /// Returns the rate it plays at, in hertz.
    #[must_use]
    pub const fn rate(&self) -> Hz {
        self.rate
    }

    /// Closes the device and takes the processor back, which can be started on another. None only if the device does
    /// not let go of it within two seconds.
    ///
    /// # Real-time
    /// Never: waits for the device's thread.
    #[must_use]
    pub fn stop(mut self) -> Option<Processor> {
        self.close();
        self.return_slot.wait()
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
        f.debug_struct("Running")
            .field("name", &self.name)
            .field("rate", &self.rate)
            .field("status", &self.return_slot.status)
            .finish_non_exhaustive()
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
    /// Creates an error of a device that was not tried: the processor comes back with the reason.
    pub fn refused(processor: Processor, reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { reason: reason.into(), processor: Some(Box::new(processor)) }
    }

    pub(crate) fn new(reason: impl Into<Box<dyn Error + Send + Sync>>, mut return_slot: ReturnSlot) -> Self {
        Self { reason: reason.into(), processor: return_slot.wait().map(Box::new) }
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
pub struct DeviceStatus {
    blocks: AtomicU64,
    frames: AtomicU64,
    xruns: AtomicU64,
    errors: AtomicU64,
    /// Calls of the device's error handler for errors and xruns, which come in bursts of thousands.
    problems: AtomicU64,
    /// The block, counted from 1, after which the latest of them came; 0 before the first.
    problem_after: AtomicU64,
    realtime_denials: AtomicU64,
    lost: AtomicBool,
    block: AtomicU64,
    load: AtomicU32,
    peak_load: AtomicU32,
}

impl DeviceStatus {
    /// Returns the number of blocks rendered.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.blocks.load(Ordering::Relaxed)
    }

    /// Returns the number of frames rendered.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }

    /// Returns the length of the latest block, as the device asked for it; no frames before the first. It may change at
    /// any time.
    #[must_use]
    pub fn block(&self) -> Frames {
        Frames::new(self.block.load(Ordering::Relaxed))
    }

    /// Returns how often the device ran out of frames.
    #[must_use]
    pub fn xruns(&self) -> u64 {
        self.xruns.load(Ordering::Relaxed)
    }

    /// Returns the number of bursts of errors that the device has reported, without those that are counted by name.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// Returns how often the system refused to run the device's thread in real time; it plays on, less safely.
    #[must_use]
    pub fn realtime_denials(&self) -> u64 {
        self.realtime_denials.load(Ordering::Relaxed)
    }

    /// Returns whether the device is gone and asks for nothing any more. [`Running::stop`] gives the processor back, to
    /// be started on another.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Returns the part of the latest block's duration that was spent on rendering it; above 1 it came too late.
    #[must_use]
    pub fn load(&self) -> f32 {
        f32::from_bits(self.load.load(Ordering::Relaxed))
    }

    /// Returns the highest load since this was last asked.
    #[must_use]
    pub fn take_peak_load(&self) -> f32 {
        f32::from_bits(self.peak_load.swap(0, Ordering::Relaxed))
    }

    /// Returns how often the device's error handler was called for errors and xruns.
    #[cfg(feature = "device")]
    pub(crate) fn problems(&self) -> u64 {
        self.problems.load(Ordering::Relaxed)
    }

    /// Returns whether a problem begins a burst: one that is reported again before some blocks went well is the same.
    fn is_news(&self) -> bool {
        self.problems.fetch_add(1, Ordering::Relaxed);
        let now = self.blocks() + 1;
        let before = self.problem_after.swap(now, Ordering::Relaxed);
        before == 0 || now > before + BURST_BLOCKS
    }

    /// # Real-time
    /// Safe.
    pub fn count_xrun(&self) {
        if self.is_news() {
            self.xruns.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// # Real-time
    /// Safe.
    pub fn count_error(&self) {
        if self.is_news() {
            self.errors.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// # Real-time
    /// Safe.
    pub fn count_realtime_denial(&self) {
        self.realtime_denials.fetch_add(1, Ordering::Relaxed);
    }

    /// # Real-time
    /// Safe.
    pub fn set_lost(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    fn count_block(&self, frames: usize, rate: Hz, spent: Duration) {
        let lasts = frames.max(1) as f32 / rate.get() as f32;
        // Floats that are not negative are ordered like their bits.
        let load = (spent.as_secs_f32() / lasts).to_bits();
        self.load.store(load, Ordering::Relaxed);
        self.peak_load.fetch_max(load, Ordering::Relaxed);
        self.block.store(frames as u64, Ordering::Relaxed);
        self.frames.fetch_add(frames as u64, Ordering::Relaxed);
        self.blocks.fetch_add(1, Ordering::Relaxed);
    }
}
