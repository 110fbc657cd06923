//! Decodes the bare stream in FILE to SIZE plain bytes on standard output: `oodle FILE SIZE [REPEAT]`.
//!
//! With REPEAT it decodes the same buffer that many times, and writes it once.

use std::io::Write as _;
use std::process::ExitCode;

fn run() -> Result<(), String> {
    const USAGE: &str = "usage: oodle FILE SIZE [REPEAT]";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (file, size, repeat) = match arguments.as_slice() {
        [file, size] => (file, size, "1"),
        [file, size, repeat] => (file, size, repeat.as_str()),
        _ => return Err(USAGE.to_owned()),
    };
    let size: usize = size.parse().map_err(|_| USAGE)?;
    let repeat: u32 = repeat.parse().map_err(|_| USAGE)?;
    let stored = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    if i32::try_from(size).is_err() {
        return Err(format!("{file}: {}", oodle::Error::TooLarge));
    }
    let mut plain = vec![0; size];
    let mut decoder = oodle::Decoder::new();
    for _ in 0..repeat.max(1) {
        decoder.decode(&stored, &mut plain).map_err(|error| format!("{file}: {error}"))?;
    }
    std::io::stdout().write_all(&plain).map_err(|error| format!("standard output: {error}"))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
