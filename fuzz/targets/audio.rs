//! Any bytes as a payload, after the first bytes of each format, down to the frames: as a sound, and as the forms of a
//! recording whose speakers lie apart.
#![no_main]

use fixtures::package::{Bulk, PackageWriter, Tag, Wave};
use importer::{Budget, SoundFile};
use libfuzzer_sys::fuzz_target;
use unreal::Memory;

const STARTS: [&[u8]; 12] = [
    b"",
    b"RIFF\0\0\0\0WAVE",
    b"OggS",
    b"fLaC",
    b"Creative Voice File\x1A\x1A\0",
    b"\xFF\xFB",
    b"MSF\x02",
    b"\0\0\0\x34",
    b"XAJ\0",
    b"FORM\0\0\0\0AIFF",
    b"FORM\0\0\0\0AIFC",
    b"OggS\0\x02\0\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead\x01",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let choice = usize::from(choice);
    let payload = [STARTS[choice % STARTS.len()], rest].concat();
    let mut package = PackageWriter::new(if choice < 128 { 69 } else { 868 });
    if choice < 128 {
        package.sound("Sound", None, "WAV", &payload);
    } else {
        // Sizes of speakers as the first bytes have them, so that they can lie.
        let sizes: Vec<i32> =
            rest.chunks_exact(2).take(8).map(|b| i16::from_le_bytes([b[0], b[1]]).into()).collect();
        let data = rest.get(16..).unwrap_or_default();
        let mut wave = Wave::new("Sound", data, b"");
        wave.tags.push(Tag::numbers("ChannelSizes", &sizes));
        wave.bulks[3] = Bulk::new(&payload);
        package.wave(&wave);
    }
    let file = Memory(package.finish());
    let budget = Budget { decoded: 1 << 22, ..Budget::default() };
    let sounds = SoundFile::open(file, "Fuzz", budget).expect("a package that was written can be read");
    let _ = sounds.sample(1);
});
