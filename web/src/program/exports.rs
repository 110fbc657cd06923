//! The boundary to the page: functions that its scripts call, and those of theirs that are called here.
//!
//! Bytes go in through memory that [`allocate`] gave, and come out where [`output`] says, until the next call. The
//! scripts are part of this program: they pass what they got here, and lengths that they allocated.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "scripts have no references: what they pass are addresses")]
#![allow(unreachable_pub, reason = "scripts reach it by its name")]

use std::cell::RefCell;
use std::io;
use std::time::Duration;

use song::Hz;

use super::audio::{self, Audio, POLYPHONY};
use super::message::PageMessage;
use super::view;
use super::worker::Worker;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Reads bytes of a file; returns how many.
    fn read(file: u32, at: f64, into: *mut u8, length: usize) -> usize;
    /// Takes a text before the program ends by a panic.
    fn panicked(text: *const u8, length: usize);
}

#[derive(Default)]
struct Instance {
    worker: Option<Worker>,
    audio: Option<Audio>,
    output: Vec<u8>,
    /// What the next call gets.
    input: Vec<u8>,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

fn read_file(file: u32, at: u64, out: &mut [u8]) -> io::Result<()> {
    // SAFETY: the page writes no more than the length that it is given.
    let done = unsafe { read(file, at as f64, out.as_mut_ptr(), out.len()) };
    if done == out.len() { Ok(()) } else { Err(io::Error::other("the file has changed or is gone")) }
}

fn report(info: &std::panic::PanicHookInfo<'_>) {
    let text = info.to_string();
    // SAFETY: the page reads as much as there is.
    unsafe { panicked(text.as_ptr(), text.len()) };
}

fn with(instance: impl FnOnce(&mut Instance)) -> usize {
    INSTANCE.with_borrow_mut(|own| {
        instance(own);
        own.output.len()
    })
}

/// Gets memory for so many bytes that the next call takes.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    INSTANCE.with_borrow_mut(|own| {
        own.input = vec![0; length];
        own.input.as_mut_ptr()
    })
}

/// Returns where the bytes are that the last call has returned the number of.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    INSTANCE.with_borrow(|own| own.output.as_ptr())
}

/// Makes the instance a worker's.
#[unsafe(no_mangle)]
pub extern "C" fn worker() {
    std::panic::set_hook(Box::new(report));
    with(|own| own.worker = Some(Worker::new(read_file)));
}

/// Sets the time, in milliseconds from any point.
#[unsafe(no_mangle)]
pub extern "C" fn set_time(milliseconds: f64) {
    player::clock::set_time(time(milliseconds));
}

fn time(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default()
}

/// Takes a message of the page, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn handle(milliseconds: f64) -> usize {
    with(|own| {
        let input = std::mem::take(&mut own.input);
        own.output.clear();
        match serde_json::from_slice::<PageMessage>(&input) {
            Ok(message) => {
                if let Some(worker) = &mut own.worker {
                    worker.handle(message, time(milliseconds));
                }
            }
            // The scripts are of this build.
            Err(error) => own.output = error.to_string().into_bytes(),
        }
    })
}

/// Does what is due some 60 times a second.
#[unsafe(no_mangle)]
pub extern "C" fn frame(milliseconds: f64) {
    with(|own| {
        if let Some(worker) = &mut own.worker {
            worker.frame(time(milliseconds));
        }
    });
}

/// Does some of the work that nobody waits for; returns whether anything was done.
#[unsafe(no_mangle)]
pub extern "C" fn work() -> bool {
    player::background::work_once()
}

/// Returns the number of bytes of what has changed of what is shown.
#[unsafe(no_mangle)]
pub extern "C" fn show() -> usize {
    with(|own| own.output = own.worker.as_mut().map(Worker::show).unwrap_or_default().into_bytes())
}

/// Returns the number of bytes of the table of commands.
#[unsafe(no_mangle)]
pub extern "C" fn commands() -> usize {
    with(|own| own.output = view::commands().to_string().into_bytes())
}

/// Returns how many times something was opened, or nothing any more: each has another half of its own.
#[unsafe(no_mangle)]
pub extern "C" fn openings() -> u32 {
    INSTANCE.with_borrow(|own| own.worker.as_ref().map_or(0, |worker| worker.openings() as u32))
}

/// Returns whether a file may still be read.
#[unsafe(no_mangle)]
pub extern "C" fn reads(file: u32) -> bool {
    INSTANCE.with_borrow(|own| own.worker.as_ref().is_some_and(|worker| worker.reads(file)))
}

/// Returns the number of bytes for the other half.
#[unsafe(no_mangle)]
pub extern "C" fn send() -> usize {
    with(|own| {
        own.output = match (&mut own.worker, &mut own.audio) {
            (Some(worker), _) => worker.send(),
            (None, Some(audio)) => audio.report(),
            (None, None) => Vec::new(),
        };
    })
}

/// Takes bytes of the other half; returns whether they are of this build.
#[unsafe(no_mangle)]
pub extern "C" fn receive(milliseconds: f64) -> bool {
    INSTANCE.with_borrow_mut(|own| {
        let input = std::mem::take(&mut own.input);
        match (&mut own.worker, &mut own.audio) {
            (Some(worker), _) => worker.receive(&input, time(milliseconds)).is_ok(),
            (None, Some(audio)) => audio.receive(&input).is_ok(),
            (None, None) => true,
        }
    })
}

/// Takes a file that was written: its path, a zero, its bytes. Nothing if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn take_file() -> usize {
    with(|own| {
        own.output.clear();
        if let Some((path, bytes)) = exporter::take_placed() {
            own.output.extend(path.to_string_lossy().as_bytes());
            own.output.push(0);
            own.output.extend(bytes);
        }
    })
}

/// Takes a text that is to be kept for later sessions: its path, a zero, the text; of one that is to be forgotten the
/// path alone. Nothing if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn take_kept() -> usize {
    with(|own| {
        own.output.clear();
        if let Some((path, text)) = player::user_store::take_written() {
            own.output.extend(path.to_string_lossy().as_bytes());
            if let Some(text) = text {
                own.output.push(0);
                own.output.extend(text.into_bytes());
            }
        }
    })
}

/// Makes the instance a worklet's, which plays at a rate; returns whether that can be done.
#[unsafe(no_mangle)]
pub extern "C" fn audio(rate: u32) -> bool {
    std::panic::set_hook(Box::new(report));
    INSTANCE.with_borrow_mut(|own| {
        own.audio = Hz::new(rate).ok().and_then(|rate| Audio::new(audio::config(POLYPHONY, 0), rate).ok());
        own.audio.is_some()
    })
}

/// Renders so many frames; returns where the left side is, which the right one follows.
#[unsafe(no_mangle)]
pub extern "C" fn render(frames: usize) -> *const f32 {
    INSTANCE.with_borrow_mut(|own| match &mut own.audio {
        Some(audio) => audio.render(frames).as_ptr(),
        None => std::ptr::null(),
    })
}
