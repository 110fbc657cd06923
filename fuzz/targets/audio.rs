//! Any bytes as a payload, behind the first bytes of each format, down to the frames.
#![no_main]

use fixtures::package::PackageWriter;
use importer::{Budget, Opened};
use libfuzzer_sys::fuzz_target;
use unreal::Memory;

const STARTS: [&[u8]; 6] = [b"", b"RIFF\0\0\0\0WAVE", b"OggS", b"fLaC", b"Creative Voice File\x1A\x1A\0", b"\xFF\xFB"];

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let payload = [STARTS[usize::from(choice) % STARTS.len()], rest].concat();
    let mut package = PackageWriter::new(69);
    package.sound("Sound", None, "WAV", &payload);
    let file = Memory(package.finish());
    let budget = Budget { decoded: 1 << 22, ..Budget::default() };
    let opened = Opened::open(&file, "Fuzz", budget).expect("a package that was written can be read");
    let _ = opened.sample(1);
});
