//! Unreal Engine 3: recordings with a form for each platform, properties by type name, cues.

use fixtures::package::{Bulk, Export, PackageWriter, Tag, Wave};
use unreal::ue1to3::bulk::PayloadFile;
use unreal::ue1to3::class::sound_cue;
use unreal::ue1to3::class::sound_node_wave::{self, Platform, SoundNodeWave};
use unreal::{Class, ExportIndex, Limits, Memory, Object, ObjectRef, Package, Value};

use super::open;

/// Both sides of every threshold of Unreal Engine 3.
const VERSIONS: [u16; 62] = [
    178, 194, 195, 219, 220, 244, 245, 246, 247, 248, 249, 250, 251, 253, 254, 259, 260, 265, 266, 268, 269,
    276, 277, 321, 322, 326, 327, 333, 334, 342, 343, 375, 376, 379, 380, 384, 385, 389, 390, 414, 415, 419,
    420, 474, 475, 481, 482, 512, 516, 542, 543, 583, 584, 622, 623, 632, 633, 672, 673, 767, 813, 1000,
];

fn waves(bytes: &[u8]) -> Vec<(String, Result<SoundNodeWave, String>)> {
    let package = open(bytes).unwrap();
    let is_wave =
        |&index: &ExportIndex| unreal::ue1to3::class::of(&package, index) == Some(Class::SoundNodeWave);
    let read = |index| {
        let wave = sound_node_wave::read(&mut Object {
            package: &package,
            source: &Memory(bytes),
            export: index,
            limits: &mut Limits::default(),
        });
        (package.path_of(index).to_string(), wave.map_err(|error| error.to_string()))
    };
    package.export_indices().filter(is_wave).map(read).collect()
}

fn only(bytes: &[u8]) -> Result<SoundNodeWave, String> {
    let mut found = waves(bytes);
    assert_eq!(found.len(), 1);
    found.remove(0).1
}

/// Returns the forms that have bytes.
fn forms(bytes: &[u8], wave: &SoundNodeWave) -> Vec<(Platform, Vec<u8>)> {
    let read = |stream: &sound_node_wave::PlatformStream| {
        let payload = stream.bulk.payload()?;
        Some((stream.platform, payload.read(&Memory(bytes), 1000).unwrap()))
    };
    wave.streams.iter().filter_map(read).collect()
}

/// Returns a package with a bit of everything.
fn full(version: u16, big_endian: bool) -> PackageWriter {
    let mut package = PackageWriter::new(version);
    package.big_endian = big_endian;
    let drums = package.group("Drums", None);
    let all = [b"raw".as_slice(), b"pc", b"x360", b"ps3", b"wiiu", b"iphone", b"flash"].map(Bulk::new);
    package.wave(&Wave { group: Some(drums), bulks: all, tail: b"!", ..Wave::new("Kick", b"", b"") });
    package.null_export();
    package.wave(&Wave { number: 3, ..Wave::new("Snare", b"", b"12345") });
    package
}

#[test]
fn a_package_reads_alike_on_both_sides_of_every_threshold_and_on_consoles() {
    for version in VERSIONS.into_iter().chain([844, 845, 850, 851, 853, 854, 868]) {
        for big_endian in [false, true] {
            let bytes = full(version, big_endian).finish();
            let found = waves(&bytes);
            let case = format!("version {version}, big-endian {big_endian}");
            assert_eq!(found[0].0, "Drums.Kick", "{case}");
            let kick = found[0].1.as_ref().unwrap_or_else(|error| panic!("{case}: {error}"));
            let since =
                |from: u16, platform, bytes: &[u8]| (version >= from).then(|| (platform, bytes.to_vec()));
            let expected = [
                since(0, Platform::Raw, b"raw"),
                since(380, Platform::Pc, b"pc"),
                since(327, Platform::Xbox360, b"x360"),
                since(376, Platform::Ps3, b"ps3"),
                since(845, Platform::WiiU, b"wiiu"),
                since(851, Platform::IPhone, b"iphone"),
                since(854, Platform::Flash, b"flash"),
            ];
            let expected: Vec<_> = expected.into_iter().flatten().collect();
            assert_eq!(forms(&bytes, kick), expected, "{case}");
            assert_eq!(kick.tail, 1, "{case}");
            assert_eq!(kick.property("duration").unwrap().value, Value::Float(0.5), "{case}");
            assert_eq!(kick.file_type, if version < 380 { "WAV" } else { "" }, "{case}");
            assert_eq!(found[1].0, if version >= 343 { "Snare_2" } else { "Snare" }, "{case}");
        }
    }
}

#[test]
fn the_number_of_a_version_decides_how_a_file_is_read() {
    for (before, after) in [
        (194, 195),
        (219, 220),
        (244, 245),
        (246, 247),
        (248, 249),
        (250, 251),
        (253, 254),
        (259, 260),
        (265, 266),
        (268, 269),
        (276, 277),
        (321, 322),
        (326, 327),
        (333, 334),
        (342, 343),
        (375, 376),
        (379, 380),
        (384, 385),
        (389, 390),
        (414, 415),
        (419, 420),
        (474, 475),
        (542, 543),
        (583, 584),
        (622, 623),
        (844, 845),
        (850, 851),
        (853, 854),
    ] {
        let bytes = full(before, false).finish();
        let renumbered = full(before, false).written().with_u32("version", after).bytes;
        let read = |bytes: &[u8]| open(bytes).map(|package| (package.summary().clone(), waves(bytes))).ok();
        assert_ne!(read(&renumbered), read(&bytes), "version {before} read as {after}");
    }
}

#[test]
fn the_best_form_is_the_one_that_lost_least() {
    let mut bulks = [b"raw".as_slice(), b"pc", b"x360", b"ps3", b"wiiu", b"iphone", b"flash"].map(Bulk::new);
    use Platform::{Flash, IPhone, Pc, Ps3, Raw, WiiU, Xbox360};
    for (platform, place) in [(Raw, 0), (Pc, 1), (IPhone, 5), (Ps3, 3), (Xbox360, 2), (WiiU, 4), (Flash, 6)] {
        let mut package = PackageWriter::new(868);
        package.wave(&Wave { bulks, ..Wave::new("Kick", b"", b"") });
        let wave = only(&package.finish()).unwrap();
        assert_eq!(wave.preferred().next().map(|stream| stream.platform), Some(platform));
        bulks[place] = Bulk::new(b"");
    }
    let mut package = PackageWriter::new(868);
    package.wave(&Wave::new("Kick", b"", b""));
    assert_eq!(only(&package.finish()).unwrap().preferred().next(), None);
}

#[test]
fn channels_come_from_the_body_up_to_419_and_by_properties_from_420_on() {
    for (version, home) in [(384, "property"), (385, "body"), (419, "body"), (420, "property")] {
        for big_endian in [false, true] {
            let mut package = PackageWriter::new(version);
            package.big_endian = big_endian;
            let mut wave = Wave::new("Kick", b"raw", b"");
            wave.channels = [vec![0, 10], vec![10, 20, 30]];
            wave.tags.push(Tag::numbers("ChannelOffsets", &[1, 2]));
            wave.tags.push(Tag::numbers("ChannelSizes", &[1, 0]));
            package.wave(&wave);
            let bytes = package.finish();
            let found = channels(&bytes).unwrap();
            // A place that is missing is where the recording before ends.
            let expected =
                if home == "body" { vec![(0, 10), (10, 20), (30, 30)] } else { vec![(1, 1), (2, 0)] };
            assert_eq!(found, expected, "{version}, big-endian {big_endian}");
        }
    }
}

#[test]
fn a_negative_place_or_size_of_a_channel_is_refused_with_its_place() {
    for (places, sizes) in [(vec![0, -1], vec![1, 1]), (vec![0, 1], vec![1, -1])] {
        let mut package = PackageWriter::new(868);
        let tags = vec![Tag::numbers("ChannelOffsets", &places), Tag::numbers("ChannelSizes", &sizes)];
        package.wave(&Wave { tags, ..Wave::new("Kick", b"raw", b"") });
        let refused = channels(&package.finish()).unwrap_err();
        assert!(refused.starts_with("channels at 0x") && refused.contains("-1"), "{refused}");
    }
}

/// Returns the place and size of the channels of the only wave.
fn channels(bytes: &[u8]) -> Result<Vec<(u64, u64)>, String> {
    let (package, source) = (open(bytes).unwrap(), Memory(bytes));
    let index =
        package.export_indices().find(|index| unreal::ue1to3::class::of(&package, *index).is_some()).unwrap();
    let channels = only(bytes)?.channels(&mut Object {
        package: &package,
        source: &source,
        export: index,
        limits: &mut Limits::default(),
    });
    Ok(channels
        .map_err(|error| error.to_string())?
        .iter()
        .map(|channel| (channel.offset, channel.size))
        .collect())
}

#[test]
fn data_may_be_nowhere_in_another_file_or_elsewhere_in_this_one() {
    let mut bulks = Wave::new("", b"", b"").bulks;
    bulks[0] = Bulk { flags: 0x21, elements: Some(u32::MAX), ..Bulk::new(b"") };
    bulks[1] = Bulk { flags: 0x01, elements: Some(99), ..Bulk::new(b"") };
    bulks[2] = Bulk { flags: 0x40, elements: Some(5), ..Bulk::new(b"") };
    let mut package = PackageWriter::new(868);
    package.wave(&Wave { bulks, ..Wave::new("Kick", b"", b"") });
    package.wave(&Wave::new("Snare", b"12345", b""));
    let written = package.written();
    let data = u32::try_from(written.field("body 1.bulk 0.data").at).unwrap();
    let bytes = written.with_u32("body 0.bulk 2.at", data).with_u32("body 0.bulk 2.stored", 5).bytes;
    let wave = waves(&bytes).remove(0).1.unwrap();
    let files: Vec<_> =
        wave.streams.iter().map(|stream| stream.bulk.stored.map(|stored| stored.file)).collect();
    assert_eq!(files[..2], [None, Some(PayloadFile::Separate)]);
    let elsewhere = wave.streams[1].bulk.stored.unwrap();
    let refused = elsewhere.read(&Memory(&bytes), 1 << 20).unwrap_err().to_string();
    assert!(refused.contains("another file"), "{refused}");
    assert_eq!(forms(&bytes, &wave), [(Platform::Xbox360, b"12345".to_vec())]);
    assert!(wave.is_elsewhere());
}

#[test]
fn data_of_another_size_than_it_says_is_refused() {
    let mut package = PackageWriter::new(868);
    package.wave(&Wave::new("Kick", b"12345", b""));
    let written = package.written();
    let refused = only(&written.clone().with_u32("body 0.bulk 0.elements", 4).bytes).unwrap_err();
    assert!(refused.ends_with("4 bytes of data stored in 5"), "{refused}");
    let larger = written.with_u32("body 0.bulk 0.elements", 5000).with_u32("body 0.bulk 0.stored", 5000);
    let refused = only(&larger.bytes).unwrap_err();
    assert!(refused.contains("ends early: 5000 bytes wanted"), "{refused}");
}

#[test]
fn compressed_data_is_inflated_when_it_is_taken_out() {
    use fixtures::compressed::{Method, chunk};
    let bytes = b"boom tschak ".repeat(5000);
    for (flags, method) in [(0x02, Method::Zlib), (0x10, Method::Lzo), (0x80, Method::Lzx)] {
        let stored = chunk(method, &bytes, 0x20000, method == Method::Lzx).bytes;
        let mut bulks = Wave::new("", b"", b"").bulks;
        bulks[0] = Bulk { flags, elements: Some(u32::try_from(bytes.len()).unwrap()), data: &stored };
        let mut package = PackageWriter::new(868);
        package.wave(&Wave { bulks, ..Wave::new("Kick", b"", b"") });
        let file = package.finish();
        let payload = only(&file).unwrap().preferred().next().unwrap().bulk.payload().unwrap();
        assert_eq!((payload.len, payload.uncompressed_len()), (stored.len() as u64, 60_000), "{method:?}");
        assert_eq!(payload.read(&Memory(&file), 60_000).unwrap(), bytes, "{method:?}");
        let refused = payload.read(&Memory(&file), 59_999).unwrap_err().to_string();
        assert!(refused.ends_with("needs 60000 bytes, the limit leaves 59999"), "{refused}");
    }
}

#[test]
fn properties_name_their_types() {
    for (version, byte_of, bool_width) in
        [(632, None, 4), (633, Some("Colours"), 4), (672, Some("Colours"), 4), (673, Some("Colours"), 1)]
    {
        let mut package = PackageWriter::new(version);
        let red = package.name("Red");
        let name = [red.to_le_bytes(), [0; 4]].concat();
        let text = [&5_i32.to_le_bytes(), b"Kick\0".as_slice()].concat();
        let yes = [&[1_u8], [0; 3].as_slice()].concat()[..bool_width].to_vec();
        let tags = vec![
            Tag::new("Count", "IntProperty", &(-5_i32).to_le_bytes()),
            Tag::new("Volume", "FloatProperty", &0.75_f32.to_le_bytes()),
            Tag { size: Some(0), ..Tag::new("Looping", "BoolProperty", &yes) },
            Tag { of: byte_of.map(str::to_owned), ..Tag::new("Priority", "ByteProperty", &[7]) },
            Tag { of: byte_of.map(str::to_owned), ..Tag::new("Tint", "ByteProperty", &name) },
            Tag::new("Tag", "NameProperty", &name),
            Tag::new("Text", "StrProperty", &text),
            Tag::new("Owner", "ObjectProperty", &(-1_i32).to_le_bytes()),
            Tag { of: Some("Vector".into()), ..Tag::new("Where", "StructProperty", &[0; 12]) },
            Tag { index: 2, ..Tag::new("Step", "IntProperty", &[9, 0, 0, 0]) },
            Tag::new("Odd", "UnheardOfProperty", &[1, 2, 3]),
        ];
        package.wave(&Wave { tags, ..Wave::new("Kick", b"12345", b"") });
        let wave = only(&package.finish()).unwrap();
        let seen: Vec<_> = wave.properties.iter().map(|p| (p.name.as_str(), p.index, &p.value)).collect();
        assert_eq!(seen[0], ("Count", 0, &Value::Int(-5)));
        assert_eq!(seen[1], ("Volume", 0, &Value::Float(0.75)));
        assert_eq!(seen[2], ("Looping", 0, &Value::Bool(true)));
        assert_eq!(seen[3], ("Priority", 0, &Value::Byte(7)));
        assert_eq!(seen[4], ("Tint", 0, &Value::Name("Red".into())));
        assert_eq!(seen[5], ("Tag", 0, &Value::Name("Red".into())));
        assert_eq!(seen[6], ("Text", 0, &Value::Text("Kick".into())));
        assert_eq!(seen[7].2, &Value::Object(ObjectRef::from_number(-1)));
        assert!(matches!(seen[8].2, Value::Opaque { kind, size: 12, .. } if kind == "Vector"));
        assert_eq!(seen[9], ("Step", 2, &Value::Int(9)));
        assert!(matches!(seen[10].2, Value::Opaque { kind, size: 3, .. } if kind == "UnheardOfProperty"));
    }
}

#[test]
fn a_property_of_a_wrong_size_spoils_its_wave() {
    let mut package = PackageWriter::new(868);
    let tag = Tag { size: Some(3), ..Tag::new("Count", "IntProperty", &[0; 4]) };
    package.wave(&Wave { tags: vec![tag], ..Wave::new("Kick", b"1", b"") });
    let refused = only(&package.finish()).unwrap_err();
    assert!(refused.ends_with("a Int property of 3 bytes"), "{refused}");
}

#[test]
fn the_defaults_of_a_class_are_no_wave() {
    for (name, flags, found) in
        [("Kick", 0, 1), ("Kick", 0x200, 0), ("Default__SoundNodeWave", 0, 0), ("default", 0, 1)]
    {
        let mut package = PackageWriter::new(867);
        package.wave(&Wave { flags, ..Wave::new(name, b"1", b"") });
        assert_eq!(waves(&package.finish()).len(), found, "{name} {flags:#x}");
    }
    // Before Unreal Engine 3 the flag says something else.
    for (version, found) in [(177, 1), (178, 0)] {
        let mut package = PackageWriter::new(version);
        let class = package.class("Engine", "Sound").0;
        package.export(Export { class, name: "Kick".into(), flags: 0x200, ..Export::default() });
        let package = open(&package.finish()).unwrap();
        let kinds = package.export_indices().filter_map(|index| unreal::ue1to3::class::of(&package, index));
        assert_eq!(kinds.count(), found, "version {version}");
    }
}

#[test]
fn a_class_of_the_same_package_may_inherit_from_a_wave() {
    let mut package = PackageWriter::new(868);
    let wave = package.class("Engine", "SoundNodeWave").0;
    let class = package.export(Export { super_object: wave, name: "Mine".into(), ..Export::default() }).0;
    package.export(Export { class, name: "Kick".into(), ..Export::default() });
    let package = open(&package.finish()).unwrap();
    let kinds: Vec<_> =
        package.export_indices().map(|index| unreal::ue1to3::class::of(&package, index)).collect();
    assert_eq!(kinds, [None, Some(Class::SoundNodeWave)]);
}

/// Returns a cue whose nodes are a random choice of an attenuated wave, a wave, and nothing.
fn cue(big_endian: bool) -> Vec<u8> {
    let mut package = PackageWriter::new(868);
    package.big_endian = big_endian;
    let kick = package.wave(&Wave::new("Kick", b"1", b""));
    let elsewhere = package.import("Engine", "SoundNodeWave", None, "Far");
    let attenuation =
        package.node("SoundNodeAttenuation", "Attenuation", &[Tag::objects("ChildNodes", &[kick])]);
    let nothing = fixtures::package::Object(0);
    let children = Tag::objects("ChildNodes", &[attenuation, elsewhere, nothing, kick]);
    let random = package.node("SoundNodeRandom", "Random", &[children]);
    let first = Tag::new("FirstNode", "ObjectProperty", &random.0.to_le_bytes());
    package.node("SoundCue", "Cue", &[first]);
    package.finish()
}

fn nodes(bytes: &[u8]) -> Result<Vec<unreal::CueNode>, String> {
    let package = Package::open(&Memory(bytes), &mut Limits::default()).unwrap();
    let is_cue = |&index: &ExportIndex| unreal::ue1to3::class::of(&package, index) == Some(Class::SoundCue);
    let index = package.export_indices().find(is_cue).unwrap();
    let mut limits = Limits::default();
    let source = Memory(bytes);
    let mut object = Object { package: &package, source: &source, export: index, limits: &mut limits };
    let cue = sound_cue::read(&mut object).unwrap();
    cue.nodes(&mut object).map_err(|error| error.to_string())
}

#[test]
fn a_cue_is_a_graph_of_nodes_each_of_which_is_reported_once() {
    for big_endian in [false, true] {
        let nodes = nodes(&cue(big_endian)).unwrap();
        let classes: Vec<&str> = nodes.iter().map(|node| node.class.as_str()).collect();
        assert_eq!(classes, ["SoundNodeRandom", "SoundNodeAttenuation", "SoundNodeWave", "SoundNodeWave"]);
        assert_eq!(nodes[0].children.len(), 4);
    }
}

#[test]
fn a_cue_that_comes_back_to_itself_ends() {
    let mut package = PackageWriter::new(868);
    let own = fixtures::package::Object(1);
    package.node("SoundNodeMixer", "Mixer", &[Tag::objects("ChildNodes", &[own, own])]);
    package.node("SoundCue", "Cue", &[Tag::new("FirstNode", "ObjectProperty", &1_i32.to_le_bytes())]);
    assert_eq!(nodes(&package.finish()).unwrap().len(), 1);
}

#[test]
fn a_cue_without_nodes_is_empty_and_one_with_missing_nodes_is_refused() {
    let mut package = PackageWriter::new(868);
    package.node("SoundCue", "Cue", &[]);
    assert_eq!(nodes(&package.finish()).unwrap(), []);
    let mut package = PackageWriter::new(868);
    package.node("SoundCue", "Cue", &[Tag::new("FirstNode", "ObjectProperty", &99_i32.to_le_bytes())]);
    let refused = nodes(&package.finish()).unwrap_err();
    assert!(refused.ends_with("no object is 99"), "{refused}");
}
