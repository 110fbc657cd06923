//! Writes the seeds of every fuzz target to `fuzz/corpus/<target>/`, from the repository's root: what the fixtures
//! write, small.

use std::fs;
use std::path::Path;

use fixtures::adpcm;
use fixtures::asset::AssetWriter;
use fixtures::bink;
use fixtures::compressed::{Method, block, chunk, chunked, download};
use fixtures::corpus::corpus;
use fixtures::lineage2::wrapped;
use fixtures::module::various;
use fixtures::opus;
use fixtures::package::{Bulk, PackageWriter, Property, Sound, Tag, Wave};
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::property::{self, Coding, NameList, Written, mappings};
use fixtures::signal::Noise;
use fixtures::sound_wave::{Stored, object_after, recording};
use fixtures::soundfont;
use fixtures::streams::{Layer2, Mpeg, Vorbis, flac};
use fixtures::texture::{self, Age};
use fixtures::trailer;
use fixtures::wave::{self, Values};
use fixtures::zen::{PackageForm, ZenWriter};

/// A cue of two recordings, one of which is in its own package, as the fuzz target takes it.
fn asset(coding: Coding, first: i32, engine_5: u32) -> Vec<u8> {
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let format = names.number("ADPCM");
    let mut own = property::object(coding, &mut names, "SoundWave", &[("bLooping", Written::Bool(true))]);
    own.extend([1, 0, 0, 0]);
    let wave = object_after(&own, Stored::InOnePiece, &recording()[..200], format, engine_5 > 0, 0);
    let cue = [("FirstNode", Written::Object(3)), ("VolumeMultiplier", Written::Float(0.5))];
    let cue = property::object(coding, &mut names, "SoundCue", &cue);
    let node = [("ChildNodes", Written::Objects(vec![4, 4])), ("Weights", Written::Floats(vec![1.0, 2.0]))];
    let node = property::object(coding, &mut names, "SoundNodeRandom", &node);
    let path = Written::SoftPath("/Game/A".to_owned(), "A".to_owned());
    let player = property::object(coding, &mut names, "SoundNodeWavePlayer", &[("SoundWaveAssetPtr", path)]);
    let classes = ["SoundCue", "SoundNodeRandom", "SoundNodeWavePlayer"];
    let objects = [("A", -2, wave.bytes), ("Cue", -3, cue), ("Random", -4, node), ("Player", -5, player)];
    let writer = AssetWriter {
        is_unversioned: coding == Coding::Unversioned,
        states_version: coding != Coding::Unversioned,
        names: names.0[6..].to_vec(),
        classes: classes.map(str::to_owned).to_vec(),
        exports: objects.into_iter().map(|(name, class, bytes)| (name.to_owned(), class, bytes)).collect(),
        data: (engine_5 > 0).then_some(wave.data),
        ..AssetWriter::new(first, 522, engine_5)
    };
    let (header, objects) = writer.finish();
    let length = u16::try_from(header.len()).expect("a short header").to_le_bytes();
    [&[u8::from(coding == Coding::Unversioned)][..], &length, &header, &objects].concat()
}

/// A package of the editor whose recording is in its trailer, as the fuzz target takes it.
fn editor_package(stored: trailer::Stored) -> Vec<u8> {
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let audio = recording();
    let looping = [("bLooping", Written::Bool(true))];
    let properties = property::object(Coding::Split, &mut names, "SoundWave", &looping);
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        exports: vec![("A".to_owned(), -2, [properties, trailer::reference(&audio, 0x200)].concat())],
        is_filtered: false,
        data: Some(Vec::new()),
        trailer: trailer::trailer(&[trailer::payload(&audio, stored)]),
        ..AssetWriter::new(-8, 522, 1009)
    };
    let (header, objects) = writer.finish();
    let length = u16::try_from(header.len()).expect("a short header").to_le_bytes();
    [&[0][..], &length, &header, &objects].concat()
}

/// Returns blocks of Oodle that other encoders wrote, as the fuzz target takes them: none without the corpus.
fn oodle_blocks() -> Vec<Vec<u8>> {
    let Some(folder) = corpus("oodle") else { return Vec::new() };
    let table = fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the table of the corpus");
    let rows = table.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
    // The target takes sizes of 16 bits, less 1.
    let size = |row: &[&str]| u16::try_from(row[2].parse::<u32>().ok()?.checked_sub(1)?).ok();
    rows.filter_map(|row| Some((row[0].to_owned(), size(&row)?)))
        .map(|(file, size)| {
            let stored = fs::read(folder.join(file)).expect("a file of the table");
            [&size.to_le_bytes()[..], &stored].concat()
        })
        .collect()
}

/// Returns small packages of other programs, and documents of `UAssetAPI`, as the fuzz target takes them: none without
/// the corpus.
fn documents() -> Vec<Vec<u8>> {
    let Some(folder) = corpus("uassetapi") else { return Vec::new() };
    let table = fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the table of the corpus");
    let mut seeds = Vec::new();
    for row in table.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>()) {
        let header = folder.join(row[1]);
        if row[0] != "asset" || header.extension().is_none_or(|extension| extension != "uasset") {
            continue;
        }
        let objects = fs::read(header.with_extension("uexp")).unwrap_or_default();
        let header = fs::read(header).expect("a file of the table");
        if let (Ok(length), true) = (u16::try_from(header.len()), objects.len() < 20_000) {
            seeds.push([&[0][..], &length.to_le_bytes(), &header, &objects].concat());
        }
        let document = row.get(7).filter(|document| document.starts_with("docs/"));
        let document = document.map(|document| fs::read(folder.join(document)).expect("a file of the table"));
        if let Some(document) = document.filter(|document| document.len() < 60_000) {
            seeds.push([&[1, 0, 0][..], &document].concat());
        }
    }
    seeds
}

/// Small SFZ files.
const SFZ: [&str; 3] = [
    "#define $A lokey=3\n#include \"part.sfz\"\n<region> sample=a.wav loop_mode=loop_sustain loop_start=1 loop_end=9",
    "<control> set_cc16=0 default_path=./ <group> group_label=A locc16=2 hicc16=3 <region> sample=a.wav \
        ampeg_attack=1 ampeg_decay=2 ampeg_sustain=5 eg1_time1=1 eg1_level1=1 eg1_sustain=1 eg1_loop=0 eg1_pitch=5",
    "<region>sample=*silence key=c4 xfin_lovel=1 xfin_hivel=9 seq_length=2 sw_last=5 lorand=0.5 cutoff=99 \
        lfo1_freq=2 lfo1_pan=9 amp_velcurve_3=1 cutoff_oncc1=3 // end",
];

/// Returns a table of CRI of one row, whose columns are numbers of 32 bits and data.
fn cri_table(columns: &[(&str, Result<u32, &[u8]>)]) -> Vec<u8> {
    let mut strings = b"T\0".to_vec();
    let [mut schema, mut row, mut data] = [const { Vec::new() }; 3];
    for (name, value) in columns {
        schema.push(if value.is_ok() { 0x54 } else { 0x5B });
        schema.extend((strings.len() as u32).to_be_bytes());
        strings.extend([name.as_bytes(), &[0]].concat());
        match value {
            Ok(number) => row.extend(number.to_be_bytes()),
            Err(bytes) => {
                row.extend([data.len() as u32, bytes.len() as u32].map(u32::to_be_bytes).concat());
                data.extend(*bytes);
            }
        }
    }
    let rows_at = 24 + schema.len() as u32;
    let strings_at = rows_at + row.len() as u32;
    let offsets = [1 << 16 | rows_at, strings_at, strings_at + strings.len() as u32, 0];
    let counts = [(columns.len() as u32) << 16 | row.len() as u32, 1];
    let head: Vec<u8> = offsets.iter().chain(&counts).flat_map(|number| number.to_be_bytes()).collect();
    let body = [head, schema, row, strings, data].concat();
    [b"@UTF", &(body.len() as u32).to_be_bytes()[..], &body].concat()
}

/// Returns a cue sheet of one cue, through all tables to a wave.
fn cue_sheet() -> Vec<u8> {
    let cue = cri_table(&[("CueId", Ok(1)), ("ReferenceType", Ok(3)), ("ReferenceIndex", Ok(0))]);
    let wave = cri_table(&[("MemoryAwbId", Ok(0)), ("StreamAwbId", Ok(0)), ("Streaming", Ok(2))]);
    let synth = cri_table(&[("Type", Ok(0)), ("ReferenceItems", Err(&[0, 1, 0, 0]))]);
    let sequence = cri_table(&[("Type", Ok(3)), ("TrackIndex", Err(&[0, 0])), ("TrackValues", Err(&[1, 0]))]);
    let track = cri_table(&[("EventIndex", Ok(0))]);
    let event = cri_table(&[("Command", Err(&[7, 0xD0, 4, 0, 2, 0, 0]))]);
    let archive = [
        &b"AFS2\x02\x04\x02\0\x01\0\0\0\x20\0\0\0\0\0"[..],
        &[32, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9],
    ];
    cri_table(&[
        ("Version", Ok(0x0142_0000)),
        ("CueTable", Err(&cue)),
        ("WaveformTable", Err(&wave)),
        ("SynthTable", Err(&synth)),
        ("SequenceTable", Err(&sequence)),
        ("TrackTable", Err(&track)),
        ("TrackEventTable", Err(&event)),
        ("AwbFile", Err(&archive.concat())),
    ])
}

/// Returns the least banks that have a list of media each.
fn banks() -> [(&'static str, Vec<u8>); 4] {
    let chunk = |tag: &[u8], words: &[u32]| {
        let body: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        [tag, &(body.len() as u32).to_le_bytes(), &body].concat()
    };
    let header = chunk(b"BKHD", &[135, 1, 0, 16, 0]);
    let items = chunk(b"HIRC", &[0]);
    let media = [chunk(b"DIDX", &[7, 0, 16]), chunk(b"DATA", &[1, 2, 3, 4])].concat();
    let project = chunk(b"RIFF", &[u32::from_le_bytes(*b"FEV "), u32::from_le_bytes(*b"FMT "), 8, 142, 142]);
    // One sound of 16 bits, 44.1 kHz, mono, 16 frames.
    let sound = 8_u64 << 1 | 16 << 34;
    let head = [1, 1, 8, 0, 32, 2, 0, 0, 0, 0, 0, 0, 0, 0, sound as u32, (sound >> 32) as u32];
    let samples = head.iter().flat_map(|word: &u32| word.to_le_bytes()).chain([1; 32]);
    let samples = b"FSB5".iter().copied().chain(samples).collect();
    [("wwise", [header, media, items].concat()), ("fmod", project), ("fmod", samples), ("cri", cue_sheet())]
}

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
        seeds.push(("uz2", wrapped("121", 0x5E, &package.finish())));
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
    seeds.push(("sf2", soundfont::varied().finish()));
    for text in SFZ {
        seeds.push(("sfz", text.as_bytes().to_vec()));
    }
    seeds.extend(banks());
    for version in 0..=4 {
        seeds.push(("mappings", mappings(version)));
    }
    for (coding, first, engine_5) in
        [(Coding::Simple, -7, 0), (Coding::Complete, -8, 1012), (Coding::Unversioned, -9, 1018)]
    {
        let package = asset(coding, first, engine_5);
        for target in ["convert", "json", "uassetapi"] {
            seeds.push((target, [&[0][..], &package[1..]].concat()));
        }
        seeds.push(("asset", package));
    }
    seeds.extend(documents().into_iter().map(|seed| ("uassetapi", seed)));
    for age in [Age::Four15, Age::Four27, Age::Five4] {
        for (format, bytes) in [("PF_DXT1", 8), ("PF_BC7", 16), ("PF_ASTC_4x4", 16), ("PF_FloatRGBA", 128)] {
            let mips = [(4, 4, vec![0x5A; bytes], true), (4, 4, vec![0xA5; bytes], false)];
            let files = texture::package(age, format, [4, 4], &mips);
            let [low, high] = (files.header.len() as u16).to_le_bytes();
            seeds.push(("texture", [&[0, low, high][..], &files.header, &files.objects].concat()));
        }
    }
    seeds.push(("asset", editor_package(trailer::Stored::Whole)));
    seeds.push(("asset", editor_package(trailer::Stored::Blocks { method: 3, log2: 10 })));
    // The first byte says which kind it is.
    for form in [PackageForm::Engine5_0, PackageForm::Engine5_6] {
        let exports = vec![("Sound".to_owned(), 0x44F2_6264_628E_498D, vec![7; 40])];
        let chunk = ZenWriter { exports, ..ZenWriter::new(form, "/Game/A") }.finish();
        for target in ["convert", "json"] {
            seeds.push((target, [&[1, 0, 0][..], &chunk].concat()));
        }
    }
    for version in [61, 69, 128] {
        let mut package = PackageWriter::new(version);
        package.sound("Kick", None, "WAV", &recording);
        seeds.push(("convert", [&[2, 0, 0][..], &package.finish()].concat()));
    }
    for version in [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 15] {
        let packed = PakEntry { block_size: Some(1000), ..PakEntry::new("G/B.bin", &[7; 3000]) };
        let entries = vec![PakEntry::new("G/A.ini", b"[A]"), packed];
        let mut pak = PakWriter { entries, is_flat: version > 12, ..PakWriter::new(version) };
        seeds.push(("pak", pak.finish()));
        pak.key = Some([0x42; 32]);
        (pak.hides_index, pak.counts) = (version > 3, version > 14);
        pak.entries.iter_mut().for_each(|entry| entry.is_hidden = version > 2);
        seeds.push(("pak", pak.finish()));
    }
    let mut table = b"-==--==--==--==-\x05\0\0\0\x90\0\0\0\x01\0\0\0\x01\0\0\0\x0C\0\0\0".to_vec();
    table.extend([0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 1, 0]);
    table.resize(144, 0);
    // A chunk of nine bytes, its block of as many from the first on.
    table.extend(*b"12345678\0\0\0\x02\0\0\0\0\0\0\0\0\0\x09\0\0\0\0\0\x09\0\0\x09\0\0\0");
    seeds.push(("iostore", table));
    // Kraken: 256 KiB of one byte, bytes as they are, and codes of chance.
    seeds.push(("oodle", vec![0xFF, 0xFF, 0x8C, 0x06, 0x07, 0xFF, 0xFF, 0x41]));
    seeds.push(("oodle", [&[1, 0, 0xCC, 0x06][..], b"ABCDE"].concat()));
    for method in [0x05, 0x06, 0x0A, 0x0B, 0x0C] {
        let mut block = vec![0xFF, 0, 0x8C, method, 0, 0, 199];
        block.extend((0..200_u8).map(|n| n.wrapping_mul(n) ^ 0x80));
        seeds.push(("oodle", block));
    }
    seeds.extend(oodle_blocks().into_iter().map(|block| ("oodle", block)));
    // Packages of a game and recordings in them: the first byte says which.
    for (choice, form) in
        [(0, PackageForm::Engine4), (1, PackageForm::Engine5_0), (3, PackageForm::Engine5_6)]
    {
        let mut object = b"properties".to_vec();
        object.extend([1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0]);
        object.extend([0; 8]);
        object.extend(b"OggS");
        object.extend([0; 16]);
        let exports = vec![("Sound".to_owned(), 0x44F2_6264_628E_498D, object)];
        let names = vec!["OGG".to_owned()];
        let package = ZenWriter { names, exports, ..ZenWriter::new(form, "/Game/Sound") }.finish();
        seeds.push(("game", [vec![choice], package].concat()));
    }
    let (bink, _) = bink::stream(11_025, 1, 2, &mut Noise::new(1));
    // After the beginning that the target gives it.
    seeds.push(("game", [&[128 + 16][..], &bink[12..]].concat()));
    seeds.push((
        "game",
        [&[128 + 8][..], &[0x80, 0xBB, 0, 0, 0x80, 0xBB, 0, 0, 9, 9, 0, 0, 0, 0, 0, 0], &[0; 16]].concat(),
    ));
    for channels in [1_u8, 2, 3, 6, 8] {
        let planes = |count| vec![(0..2000).map(|n| (n * 37 % 20_000) as i16).collect::<Vec<_>>(); count];
        let coupled = usize::from(channels) / 2;
        let mut streams = vec![planes(2); coupled];
        streams.extend(vec![planes(1); usize::from(channels) % 2]);
        // At 48 kHz; the target writes the head of 42 bytes.
        seeds.push(("opus", [&[32 + channels - 1][..], &opus::ueopus(&streams)[42..]].concat()));
    }
    // Speech: bands that the others do not have.
    for (index, rate) in [8000_u32, 16_000, 24_000, 48_000].into_iter().enumerate() {
        let choice = [0, 16, 24, 32][index];
        seeds.push(("opus", [&[choice][..], &opus::speech(rate, 12_000 + 6000 * index as u32)].concat()));
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
    // Running status, pedals, a bend of another range, a kit, real-time bytes; and a file.
    seeds.push((
        "midi",
        vec![0x90, 60, 100, 64, 100, 60, 0, 0xB0, 64, 127, 0x80, 64, 0, 0xF8, 0xB0, 66, 127, 120, 0],
    ));
    seeds.push((
        "midi",
        vec![0xB0, 101, 0, 100, 0, 6, 12, 0xE0, 127, 127, 0x99, 36, 9, 38, 0xFE, 9, 0xC0, 1, 0xFF],
    ));
    let track =
        [&[0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, 0x90, 60, 100, 96, 60, 0][..], &[0, 0xFF, 0x2F, 0]].concat();
    let header = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x12";
    seeds.push(("midi", [&header[..], &track].concat()));
    seeds.extend(payloads(&recording).into_iter().map(|bytes| ("audio", bytes)));
    seeds.extend(various().into_iter().flat_map(|(name, file)| {
        let target = ["s3m", "xm", "it"].into_iter().find(|target| name.starts_with(target));
        let targets = [target.unwrap_or("protracker"), "song", "replay"];
        targets.map(|target| (target, file.bytes.clone()))
    }));
    for (index, (target, bytes)) in seeds.iter().enumerate() {
        let folder = Path::new("fuzz/corpus").join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed-{index}")), bytes)?;
    }
    Ok(())
}

/// Returns a small payload of each codec after the byte that chooses no start, and of speakers that lie apart.
fn payloads(recording: &[u8]) -> Vec<Vec<u8>> {
    let plane: Vec<i16> = (0..100).map(|frame: i16| frame.wrapping_mul(313)).collect();
    let planes = |count: usize| vec![plane.clone(); count];
    let layer_2 =
        Layer2 { rate: 48_000, kbits: 384, channels: 1, checksum: true, codings: [1, 2, 0], frames: 1 };
    let low = Layer2 { rate: 22_050, kbits: 32, channels: 2, codings: [1, 0, 0], ..layer_2 };
    let mut mpeg_wave =
        wave::Wave::new(8000, 1, Values::U8(Mpeg { frames: 1, delay: None }.finish())).finish();
    mpeg_wave[20] = 0x55;
    let companded = |tag: u8| {
        let mut bytes = wave::Wave::new(8000, 3, Values::U8((0..90).collect())).finish();
        bytes[20] = tag;
        bytes
    };
    let voc = [
        &b"Creative Voice File\x1A\x1A\0\x14\x01\x1F\x11\x06\x02\0\0\xFF\xFF\x01\x04\0\0\x9C\0\x01\x02"[..],
        b"\x03\x03\0\0\x09\0\x9C\x07\0\0\0\x09\x10\0\0\x10\x27\0\0\x08\x01\x06\0\0\0\0\0\x01\x02\x03\x04\0",
    ]
    .concat();
    let head = |words: &[u32]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>();
    let mut msf = [&b"MSF\x02"[..], &head(&[7, 1, 834, 44_100])].concat();
    msf.resize(64, 0);
    msf.extend(Mpeg { frames: 2, delay: None }.finish());
    let mut atrac = [&[0; 16], &b"MSF\x02"[..], &head(&[5, 2, 304, 44_100])].concat();
    atrac.resize(80 + 304, 0);
    let mut xma = head(&[0x34, 0, 64, 0x0166_0001, 22_050]);
    xma.resize(52, 0);
    xma.extend(head(&[384, 3712]));
    xma.resize(128, 0);
    let mut old_xma = head(&[48, 0, 16, 0x0301_0000, 0, 0, 22_050]);
    old_xma.resize(76, 1);
    let mut xa = [&b"XAJ\0\xA0\x0F\0\0\x01\0\x02\0\x22\x56\0\0\0\0\0\0\x04\0\x10\0"[..], &[7; 60]].concat();
    xa.truncate(80);
    let whole = [
        recording.to_vec(),
        wave::Wave::new(8000, 6, Values::I16(plane.clone())).looped(1, 5).finish(),
        wave::Wave::new(8000, 2, Values::I24(vec![1, -1, 2, -2])).finish(),
        wave::Wave::new(8000, 1, Values::F32(vec![0.5, -0.5])).finish(),
        companded(6),
        companded(7),
        adpcm::ima(&planes(1), 36).wave(8000, Some(90)),
        adpcm::ima(&planes(2), 72).wave(8000, None),
        adpcm::ima(&planes(3), 108).wave(8000, None),
        adpcm::ms(&planes(1), 70).wave(8000, None),
        adpcm::ms(&planes(2), 70).wave(8000, Some(90)),
        adpcm::ms_apart(&planes(2), 70, false).wave(8000, None),
        adpcm::ms_apart(&planes(3), 70, true).wave(8000, None),
        voc,
        Vorbis { packets_per_page: 3, before: 7, ..Vorbis::new(8000, 2, 7, 700) }.finish(),
        Vorbis::new(8000, 6, 3, 256).finish(),
        Mpeg { frames: 2, delay: Some((576, 300)) }.finish(),
        layer_2.finish(),
        low.finish(),
        mpeg_wave,
        flac(8000, &planes(2), 64),
        msf,
        atrac,
        xma,
        old_xma,
        xa,
    ];
    let mut seeds: Vec<Vec<u8>> = whole.iter().map(|payload| [&[0], payload.as_slice()].concat()).collect();
    // Four speakers with a recording each.
    let size = u16::try_from(recording.len()).expect("a short recording").to_le_bytes();
    seeds.push([&[128], size.repeat(4).as_slice(), &[0; 8], &recording.repeat(4)].concat());
    seeds
}
