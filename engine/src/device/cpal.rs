//! Sound cards and sound servers, through the library cpal; nothing else in this workspace knows it.
//!
//! ```text
//! start ── guard ──► a thread that owns the stream ── one-slot ring ──► the stream's callback
//!   ▲                      │                                                   │
//!   └── what it opened ────┘              Running::stop ◄── processor ── dropped with the stream
//! ```
//!
//! The thread is there because a stream may be bound to the one that opened it, and because ALSA's library prints its
//! errors wherever the thread at hand has not silenced it.

mod hosts;
mod stream_format;

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use cpal::traits::{HostTrait, StreamTrait};
use cpal::{ErrorKind, Stream};
use ringbuf::traits::Producer;
use song::Hz;

use crate::device::error::DeviceError;
use crate::device::info::{DeviceInfo, DeviceRequest};
use crate::device::{CLOSE_TIMEOUT, DeviceStatus, ProcessorGuard, Running, StartError, lend};
use crate::rt::processor::Processor;
use hosts::{describe, find, host, id, outputs};
use stream_format::StreamFormat;

/// How long a device may take to ask for its first block.
const FIRST_BLOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// How long opening one may take altogether.
const OPEN_TIMEOUT: Duration = Duration::from_secs(10);

/// How often the status of a playing device is read.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// After how many polls a device that only makes errors, and asks for no block, is taken for lost.
const MAX_STUCK_POLLS: u32 = 5;

/// Returns the output devices of this system, the default first. Asking each what it offers may take a while.
///
/// Devices that are configured but cannot be opened are left out, unless they are merely in use or forbidden.
///
/// # Errors
/// [`DeviceError::System`] if the system has no sound at all.
///
/// # Real-time
/// Never.
pub fn list() -> Result<Vec<DeviceInfo>, DeviceError> {
    let ask = || {
        silence();
        let host = host()?;
        let default = default_device();
        let found = outputs(&host)?.into_iter().filter_map(|(id, device)| {
            let is_default = default.as_ref() == Some(&id);
            describe(id, &device, is_default)
        });
        Ok(found.collect())
    };
    thread::scope(|scope| {
        let asking = thread::Builder::new().name("audio devices".into()).spawn_scoped(scope, ask);
        match asking.map_err(DeviceError::Thread)?.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Returns the id of the system's default output device, if it has one; from here on ALSA's library prints nothing on
/// this thread.
///
/// It is asked for again and again by whoever follows it: not every system moves a stream to the next default, or says
/// that it did.
///
/// # Real-time
/// Never.
#[must_use]
pub fn default_device() -> Option<String> {
    silence();
    host().ok()?.default_output_device().and_then(|device| id(&device))
}

/// Plays on a device. It has started once it has asked for its first block.
///
/// # Errors
/// [`StartError`] with a [`DeviceError`] as its reason, and the processor.
///
/// # Real-time
/// Never: waits for the device. On the device's own thread nothing is allocated, freed, locked or printed here.
pub fn start(processor: Processor, request: &DeviceRequest) -> Result<Running, StartError> {
    let (guard, return_slot) = lend(processor);
    let status = Arc::clone(return_slot.status());
    let request = request.clone();
    let asked = request.device.clone();
    let (answer, answers) = mpsc::channel();
    let (hold, closed) = mpsc::channel();
    let owner = thread::Builder::new().name("audio device".into());
    if let Err(error) = owner.spawn(move || run_device(guard, &status, &request, &answer, &closed)) {
        return Err(StartError::new(DeviceError::Thread(error), return_slot));
    }
    // The thread sends nothing after its answer; its end is seen as the end of the channel.
    match answers.recv_timeout(OPEN_TIMEOUT) {
        Ok(Ok(OpenDevice { device, rate })) => Ok(Running::new(return_slot, device, rate, move || {
            drop(hold);
            let _ = answers.recv_timeout(CLOSE_TIMEOUT);
        })),
        Ok(Err(error)) => {
            let _ = answers.recv_timeout(CLOSE_TIMEOUT);
            Err(StartError::new(error, return_slot))
        }
        Err(RecvTimeoutError::Timeout) => {
            Err(StartError::new(DeviceError::Silent { device: asked }, return_slot))
        }
        Err(RecvTimeoutError::Disconnected) => {
            let problem = "the thread that opens it ended".to_owned();
            Err(StartError::new(DeviceError::Failed { device: asked, problem }, return_slot))
        }
    }
}

/// What a device turned out to be.
struct OpenDevice {
    device: String,
    rate: Hz,
}

/// Opens a device, answers, and keeps it until nobody holds it any more.
fn run_device(
    guard: ProcessorGuard,
    status: &Arc<DeviceStatus>,
    request: &DeviceRequest,
    answer: &Sender<Result<OpenDevice, DeviceError>>,
    closed: &Receiver<Infallible>,
) {
    silence();
    let stream = match open(guard, status, request) {
        Ok((stream, opened)) => {
            let heard = wait_for_block(status, &opened.device).map(|()| opened);
            let plays = heard.is_ok();
            if answer.send(heard).is_ok() && plays {
                watch(status, closed);
            }
            stream
        }
        Err(error) => {
            let _ = answer.send(Err(error));
            return;
        }
    };
    drop(stream);
}

/// Waits until nobody holds the device any more or it is lost. Not every lost device says so: of a sound server that
/// has died ALSA reports in hundreds of thousands of errors a second, none of which says that it will not come back.
fn watch(status: &DeviceStatus, closed: &Receiver<Infallible>) {
    let problems = || status.problems();
    let (mut blocks, mut seen_problems, mut stuck_polls) = (status.blocks(), problems(), 0);
    while !status.is_lost() {
        match closed.recv_timeout(POLL_INTERVAL) {
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let is_stuck = status.blocks() == blocks && problems() > seen_problems;
        (blocks, seen_problems) = (status.blocks(), problems());
        stuck_polls = if is_stuck { stuck_polls + 1 } else { 0 };
        if stuck_polls >= MAX_STUCK_POLLS {
            status.set_lost();
        }
    }
}

/// Builds a stream, puts the guard into it and lets it run.
fn open(
    mut guard: ProcessorGuard,
    status: &Arc<DeviceStatus>,
    request: &DeviceRequest,
) -> Result<(Stream, OpenDevice), DeviceError> {
    let host = host()?;
    let (id, device) = find(&host, request.device.as_deref())?;
    let failed =
        |error: cpal::Error| DeviceError::Failed { device: Some(id.clone()), problem: problem(&error) };
    let plan = StreamFormat::of(&id, &device, request)?;
    let (stream, mut sender) = plan.build(&device, status).map_err(failed)?;
    guard.set_rate(plan.rate);
    // There is room for one, and there is only one.
    let _ = sender.try_push(guard);
    stream.play().map_err(failed)?;
    Ok((stream, OpenDevice { device: id.clone(), rate: plan.rate }))
}

/// Waits for the first block: a stream that was built and started may still have no device.
fn wait_for_block(status: &DeviceStatus, device: &str) -> Result<(), DeviceError> {
    let begun = Instant::now();
    while status.blocks() == 0 {
        if status.is_lost() {
            let problem = "it was disconnected at once".to_owned();
            return Err(DeviceError::Failed { device: Some(device.to_owned()), problem });
        }
        if begun.elapsed() > FIRST_BLOCK_TIMEOUT {
            return Err(DeviceError::Silent { device: Some(device.to_owned()) });
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// From here on ALSA's library prints nothing on this thread: devices that fail to open are reported as errors.
#[cfg(target_os = "linux")]
fn silence() {
    // There is no way to take it back but the thread's end. Where it fails, there is noise.
    let _ = alsa::Output::local_error_handler();
}

#[cfg(not(target_os = "linux"))]
const fn silence() {}

/// Counts what went wrong; it may come thousands of times a second.
///
/// # Real-time
/// Safe.
fn count_error(status: &DeviceStatus, kind: ErrorKind) {
    match kind {
        ErrorKind::Xrun => status.count_xrun(),
        ErrorKind::RealtimeDenied => status.count_realtime_denial(),
        // It plays on, elsewhere.
        ErrorKind::DeviceChanged => {}
        ErrorKind::StreamInvalidated | ErrorKind::DeviceNotAvailable => {
            status.count_error();
            status.set_lost();
        }
        _ => status.count_error(),
    }
}

/// Returns what went wrong, without a full stop.
fn problem(error: &cpal::Error) -> String {
    match (error.kind(), error.message()) {
        (ErrorKind::DeviceNotAvailable, None) => "device not available".to_owned(),
        (ErrorKind::DeviceBusy, None) => "device in use by another program".to_owned(),
        (ErrorKind::PermissionDenied, None) => "permission denied".to_owned(),
        _ => error.to_string().trim_end_matches('.').to_owned(),
    }
}

#[cfg(test)]
mod tests;
