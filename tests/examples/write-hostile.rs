//! Writes crafted packages, containers, mappings and songs of a megabyte at most:
//! `cargo run -p tests --example write-hostile -- FOLDER`.
//! No command may take more than two seconds or 200 MB for one of them, or it says which limit was met.

use std::fs;
use std::path::PathBuf;

use fixtures::compressed::download;
use fixtures::hostile::{nested, shared, voice_blocks, voice_head};
use fixtures::hostile_containers::{Crafted, mappings, paks, tables};
use fixtures::hostile_mappings::hostile_mappings;
use fixtures::hostile_songs::songs;
use fixtures::module::{protracker, xm};
use fixtures::package::{Object, PackageWriter, Tag, Wave};
use fixtures::streams::{Mpeg, Vorbis, silent_flac};
use fixtures::wave::{self, Values};

/// So many sounds, all with the bytes of one.
fn sharing(sounds: usize, data: &[u8]) -> Vec<u8> {
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    for number in 0..sounds {
        writer.sound(&format!("S{number}"), None, "WAV", if number == 0 { data } else { b"1234" });
    }
    shared(writer.written(), sounds).bytes
}

/// So many pieces of music, all with the bytes of one.
fn sharing_music(count: usize, data: &[u8]) -> Vec<u8> {
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    for number in 0..count {
        writer.music(&format!("M{number}"), "MOD", if number == 0 { data } else { b"1234" });
    }
    shared(writer.written(), count).bytes
}

fn one(data: &[u8]) -> Vec<u8> {
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    writer.sound("Sound", None, "WAV", data);
    writer.finish()
}

fn named(count: usize, name: impl Fn(usize) -> String) -> Vec<u8> {
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    let recording = wave::Wave::new(8000, 1, Values::U8(vec![9; 30])).finish();
    for number in 0..count {
        writer.sound(&name(number), None, "WAV", if number == 0 { &recording } else { b"1234" });
    }
    shared(writer.written(), count).bytes
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder"));
    fs::create_dir_all(&folder)?;
    let second = wave::Wave::new(22_050, 1, Values::U8(vec![128; 400_000])).finish();
    let silence = [
        &voice_head()[..],
        &[1, 6, 0, 0, 166, 0, 128, 200, 128, 50],
        &[3, 3, 0, 0, 0xFF, 0xFF, 166].repeat(255),
        &[0],
    ]
    .concat();
    let mut cues = PackageWriter::new(868);
    let mut children = vec![Object(0); 8];
    for level in 0..14 {
        let node =
            cues.node("SoundNodeMixer", &format!("N{level}"), &[Tag::objects("ChildNodes", &children)]);
        children = vec![node; 8];
    }
    for number in 0..4000 {
        let first = [Tag::new("FirstNode", "ObjectProperty", &children[0].0.to_le_bytes())];
        cues.node("SoundCue", &format!("C{number}"), &first);
    }
    let tags: Vec<Tag> = (0..20_000).map(|_| Tag::new("A", "IntProperty", &[0; 4])).collect();
    let mut bodies = PackageWriter::new(868);
    bodies.wave(&Wave { tags, ..Wave::new("Kick", &second[..3000], b"") });
    (0..4000).for_each(|_| _ = bodies.wave(&Wave::new("Kick", b"", b"")));
    let mut chain = PackageWriter::new(61);
    let mut group = None;
    for number in 0..8000 {
        group = Some(chain.group(&format!("A group whose name is long {number}"), group));
        chain.sound("S", group, "WAV", b"12");
    }
    let cells = xm::Xm { channels: 128, patterns: vec![(256, Vec::new()); 250], ..xm::Xm::new(0x0104) }
        .finish()
        .bytes;
    let module = [protracker::Mod::new(b"M.K.", 4).finish().bytes, vec![0; 700_000]].concat();
    let vorbis = Vorbis::new(48_000, 8, 450_000, 450_000 * 128 - 128);
    let files = [
        ("shared-voc", sharing(5000, &[voice_head(), voice_blocks(200_000)].concat())),
        ("nested-voc", nested(5000, 190_000).bytes),
        ("shared-mpeg", sharing(5000, &[0xFF; 800_000])),
        ("shared-mpeg-headers", sharing(5000, &[0xFF, 0xFB, 0x90, 0].repeat(200_000))),
        ("shared-mpeg-frames", sharing(5000, &Mpeg { frames: 1900, delay: None }.finish())),
        (
            "shared-ogg",
            sharing(
                5000,
                &Vorbis { packets_per_page: 1, ..Vorbis::new(44_100, 1, 28_000, 28_000 * 128) }.finish(),
            ),
        ),
        ("shared-wav", sharing(10_000, &second)),
        ("shared-silence", sharing(10_000, &silence)),
        ("silent-vorbis", one(&vorbis.finish())),
        ("silent-flac", one(&silent_flac(48_000, 2047))),
        ("shared-flac", sharing(10_000, &silent_flac(48_000, 2047))),
        ("same-names", named(30_000, |_| "Fire".to_owned())),
        ("alike-names", named(20_000, |number| format!("A name of nineteen letters{number}"))),
        ("chain", chain.finish()),
        ("cues", cues.finish()),
        ("bodies", shared(bodies.written(), 4001).bytes),
        ("shared-module", sharing_music(8000, &module)),
        ("shared-cells", sharing_music(8000, &cells)),
        ("cells", cells),
        ("download", download(&[0; 500 << 20]).bytes),
    ];
    for (name, bytes) in files {
        println!("{name}: {} bytes", bytes.len());
        fs::write(
            folder.join(name).with_extension(if name == "download" { "uax.uz2" } else { "uax" }),
            bytes,
        )?;
    }
    for Crafted { name, file, data } in paks().into_iter().chain(tables()) {
        println!("{name}: {} bytes", file.len());
        let folder = folder.join(name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(if data.is_some() { "x.utoc" } else { "x.pak" }), file)?;
        if let Some(data) = data {
            fs::write(folder.join("x.ucas"), data)?;
        }
    }
    fs::write(folder.join("long-name.usmap"), mappings(1024, 4))?;
    fs::write(folder.join("longer-name.usmap"), mappings(60_000, 1))?;
    for (name, bytes, _) in hostile_mappings() {
        fs::write(folder.join(name).with_extension("usmap"), bytes)?;
    }
    for song in songs() {
        fs::write(folder.join(song.name), song.bytes)?;
    }
    Ok(())
}
