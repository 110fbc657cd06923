//! Plays a script of messages without a browser: `replay SCRIPT.json OUT.f32`. `web/tests/replay.mjs` does the same
//! with the program as the page has it, so that both can be compared.
//!
//! A script is a list of steps: `{"open": [PATH, …]}`, `{"wait": true}` until the chosen sound is there,
//! `{"message": …}`, `{"render": FRAMES}`. The output is left and right by turns.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use std::{env, thread};

use serde_json::Value;
use song::Hz;
use web::{Audio, FileEntry, POLYPHONY, PageMessage, Worker, config};

const RATE: u32 = 48_000;
const BLOCK: usize = 128;
/// Blocks between two frames of the page.
const FRAME: usize = 6;

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
    fn pump(&mut self) {
        loop {
            let bytes = self.worker.send();
            if bytes.is_empty() {
                return;
            }
            self.audio.receive(&bytes).unwrap();
        }
    }

    fn frame(&mut self) {
        self.now += Duration::from_millis(16);
        self.worker.frame(self.now);
        self.pump();
    }

    fn wait(&mut self) {
        for _ in 0..10_000 {
            self.frame();
            if self.worker.show().contains("\"channels\":[[") {
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
        } else {
            let message = serde_json::from_value(step["message"].clone())?;
            replay.worker.handle(message, replay.now);
        }
        replay.pump();
    }
    File::create(output)?.write_all(&out)
}
