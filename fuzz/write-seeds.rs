//! Writes the seeds of every target to `corpus/<target>/`: what the fixtures write, small.

use std::fs;
use std::path::Path;

use fixtures::compressed::{Method, block, chunk, chunked, download};
use fixtures::package::{Bulk, PackageWriter, Property, Sound, Tag, Wave};
use fixtures::wave::{self, Values};

fn main() -> std::io::Result<()> {
    let recording = wave::Wave::new(8000, 1, Values::I16(vec![1, 2, 3])).looped(0, 2).finish();
    let mut seeds: Vec<(&str, Vec<u8>)> = Vec::new();
    for version in [35, 42, 50, 57, 61, 63, 69, 79, 128] {
        let mut package = PackageWriter::new(version);
        let group = package.group("G", None);
        let properties = vec![Property::new("Volume", 0x24, &[0, 0, 0, 63])];
        let group = (version >= 54).then_some(group);
        let kick =
            package.add(&Sound { group, properties, tail: &[0; 4], ..Sound::new("Kick", "WAV", &recording) });
        if version >= 100 {
            package.sound_group("Both", None, &[kick, kick]);
        }
        seeds.push(("package", package.finish()));
        seeds.push(("uz2", download(&package.finish()).bytes));
    }
    for (version, big_endian) in
        [(178, false), (260, false), (300, true), (400, false), (512, true), (868, false)]
    {
        let mut package = PackageWriter::new(version);
        package.big_endian = big_endian;
        let zlib = chunk(Method::Zlib, &recording, 30, big_endian).bytes;
        let mut wave = Wave::new("Kick", &recording, b"OggS");
        let elements = Some(u32::try_from(recording.len()).expect("a short recording"));
        wave.bulks[2] = Bulk { flags: 2, elements, data: &zlib };
        let kick = package.wave(&wave);
        let mixer = package.node("SoundNodeMixer", "M", &[Tag::objects("ChildNodes", &[kick, kick])]);
        package.node("SoundCue", "Cue", &[Tag::new("FirstNode", "ObjectProperty", &mixer.0.to_le_bytes())]);
        seeds.push(("package", package.finish()));
        if version >= 334 {
            for method in [Method::Lzo, Method::Zlib, Method::Lzx] {
                let chunks = chunked(&package, method, 2, 100).bytes;
                seeds.extend([("package", chunks.clone()), ("uz2", chunks)]);
                seeds.push(("uz2", chunk(method, &package.finish(), 0x20000, big_endian).bytes));
            }
        }
    }
    let body = [&[4_u8][..], &[1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0], &[0; 40]].concat();
    seeds.extend([("properties", body.clone()), ("bulk", body)]);
    for (choice, method) in [(0, Method::Lzo), (1, Method::Lzx), (2, Method::Zlib)] {
        for length in [1_usize, 40, 400, 3000] {
            let bytes: Vec<u8> =
                (0..4 * length + 1).map(|index| (index / 7 % 200).to_le_bytes()[0]).collect();
            let size = u16::try_from(length).expect("a short block").to_le_bytes();
            seeds.push(("inflate", [&[choice][..], &size, &block(method, &bytes)].concat()));
        }
    }
    for (index, (target, bytes)) in seeds.iter().enumerate() {
        let folder = Path::new("corpus").join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed-{index}")), bytes)?;
    }
    Ok(())
}
