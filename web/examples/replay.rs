//! Plays a script of messages without a browser: `replay SCRIPT.json OUT.f32`. `web/tests/replay.mjs` does the same
//! with the program as the page has it, so that both can be compared.
//!
//! A script is a list of steps: `{"open": [PATH, …]}`, `{"wait": true}` until the chosen sound is there and nothing
//! more comes, `{"message": …}`, `{"render": FRAMES}`, and `{"time": FRAMES}`, which prints the nanoseconds of a frame.
//! The output is left and right by turns.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, thread};

use serde_json::Value;
use song::Hz;
use web::{Audio, FileEntry, POLYPHONY, PageMessage, Worker, config};

const RATE: u32 = 48_000;
const BLOCK: usize = 128;
/// Blocks between two frames of the page.
const FRAME: usize = 6;
/// Frames without anything new after which the threads have done their work.
const QUIET: usize = 50;

/// The files that were opened; the threads of the library read them, too.
static PATHS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn read(file: u32, at: u64, out: &mut [u8]) -> io::Result<()> {
    let path = PATHS.lock().unwrap().get(file as usize).cloned().ok_or(io::ErrorKind::NotFound)?;
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(out)
}

struct Replay {
    worker: Worker,
    audio: Audio,
    now: Duration,
    blocks: usize,
}

impl Replay {
    /// Returns whether there was anything for the audio.
    fn pump(&mut self) -> bool {
        let mut has_come = false;
        loop {
            let bytes = self.worker.send();
            if bytes.is_empty() {
                return has_come;
            }
            has_come = true;
            self.audio.receive(&bytes).unwrap();
        }
    }

    fn frame(&mut self) -> bool {
        self.now += Duration::from_millis(16);
        self.worker.frame(self.now);
        self.pump()
    }

    fn wait(&mut self) {
        let (mut has_come, mut quiet) = (false, 0);
        for _ in 0..10_000 {
            quiet = if self.frame() { 0 } else { quiet + 1 };
            has_come |= self.worker.show().contains("\"channels\":[[");
            if has_come && quiet >= QUIET {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the chosen sound never came");
    }

    fn render(&mut self, frames: usize, out: &mut Vec<u8>) {
        for _ in 0..frames / BLOCK {
            let planes = self.audio.render(BLOCK);
            let (left, right) = planes.split_at(BLOCK);
            for (left, right) in left.iter().zip(right) {
                out.extend(left.to_le_bytes());
                out.extend(right.to_le_bytes());
            }
            self.report();
        }
    }

    fn report(&mut self) {
        let report = self.audio.report();
        if !report.is_empty() {
            self.worker.receive(&report, self.now).unwrap();
        }
        self.pump();
        self.blocks += 1;
        if self.blocks.is_multiple_of(FRAME) {
            self.frame();
        }
    }

    /// Renders frames, and returns the nanoseconds that one of them took.
    fn time(&mut self, frames: usize) -> f64 {
        let begun = Instant::now();
        for _ in 0..frames / BLOCK {
            self.audio.render(BLOCK);
        }
        let took = begun.elapsed();
        self.report();
        took.as_secs_f64() * 1e9 / frames as f64
    }
}

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [script, output] = args.as_slice() else { panic!("usage: replay SCRIPT.json OUT.f32") };
    let steps: Vec<Value> = serde_json::from_str(&fs::read_to_string(script)?)?;
    let rate = Hz::new(RATE).unwrap();
    let audio = Audio::new(config(POLYPHONY, 0), rate).unwrap();
    let mut replay = Replay { worker: Worker::new(read), audio, now: Duration::ZERO, blocks: 0 };
    let mut out = Vec::new();
    for step in steps {
        if let Some(paths) = step["open"].as_array() {
            let mut files = Vec::new();
            for (id, path) in (0..).zip(paths) {
                let path = path.as_str().unwrap();
                let name = Path::new(path).file_name().unwrap().to_string_lossy().into_owned();
                files.push(FileEntry { id, path: name, size: fs::metadata(path)?.len() });
                PATHS.lock().unwrap().push(path.to_owned());
            }
            replay.worker.handle(PageMessage::Open { files, rate: RATE }, replay.now);
        } else if step["wait"] == true {
            replay.wait();
        } else if let Some(frames) = step["render"].as_u64() {
            replay.render(frames as usize, &mut out);
        } else if let Some(frames) = step["time"].as_u64() {
            println!("{}", replay.time(frames as usize));
        } else {
            let message = serde_json::from_value(step["message"].clone())?;
            replay.worker.handle(message, replay.now);
        }
        replay.pump();
    }
    File::create(output)?.write_all(&out)
}
