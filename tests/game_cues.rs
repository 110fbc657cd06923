//! What properties of game packages say: loops, cues, dialogue, notes; with tags in both forms, and without.

use std::sync::Arc;

use fixtures::asset::AssetWriter;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::property::{Coding, NameList, SCHEMAS, Written, mappings, object, properties};
use fixtures::sound_wave::{Stored, object_after, recording};
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::zen::{PackageForm, ZenWriter};
use importer::{Budget, GameOptions, SoundFile, Status};
use song::{Node, ZoneTree};
use unreal::containers::mount::Mount;
use unreal::containers::{Container, IoStore};
use unreal::{KeyRing, Limits, Mappings, Memory, Source, hash};

const CODINGS: [Coding; 4] = [Coding::Simple, Coding::Split, Coding::Complete, Coding::Unversioned];

/// A package of one coding while it is made: its names, its classes, its objects.
struct Package {
    coding: Coding,
    names: NameList,
    classes: Vec<String>,
    exports: Vec<(String, i32, Vec<u8>)>,
}

impl Package {
    fn new(coding: Coding) -> Self {
        let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
        let names = NameList(fixed.map(str::to_owned).to_vec());
        Self { coding, names, classes: Vec::new(), exports: Vec::new() }
    }

    /// Adds an object with what its class writes after its properties.
    fn add(&mut self, name: &str, class: &str, values: &[(&str, Written)], after: &[u8]) {
        let bytes = object(self.coding, &mut self.names, class, values);
        self.add_bytes(name, class, [&bytes, after].concat());
    }

    fn add_bytes(&mut self, name: &str, class: &str, bytes: Vec<u8>) {
        let number = if class == "SoundWave" {
            -2
        } else {
            let known = self.classes.iter().position(|known| known == class).unwrap_or_else(|| {
                self.classes.push(class.to_owned());
                self.classes.len() - 1
            });
            -3 - known as i32
        };
        self.exports.push((name.to_owned(), number, bytes));
    }

    /// Adds a recording with properties and what stands between them and where it lies.
    fn add_wave(&mut self, name: &str, values: &[(&str, Written)], between: &[u8]) {
        let format = self.names.number("ADPCM");
        let bytes = object(self.coding, &mut self.names, "SoundWave", values);
        let begin = [&bytes, between].concat();
        let has_table = matches!(self.coding, Coding::Complete | Coding::Unversioned);
        assert!(self.exports.is_empty(), "its data counts from the first object on");
        let wave = object_after(&begin, Stored::InOnePiece, &recording(), format, has_table, 0);
        self.exports.push((name.to_owned(), -2, wave.bytes));
    }

    /// Returns the entries of a pak, for a package of that name.
    fn finish(self, name: &str) -> [PakEntry; 2] {
        let (first, engine_5) = match self.coding {
            Coding::Simple => (-7, 0),
            Coding::Split => (-8, 1008),
            Coding::Complete | Coding::Unversioned => (-8, 1012),
        };
        let size = recording().len() as u64;
        let wave = self.exports.iter().find(|(_, class, _)| *class == -2);
        // All of the recording, and its GUID after it.
        let data = wave.map(|(.., bytes)| vec![((bytes.len() as u64).saturating_sub(16 + size), size, 0x40)]);
        let writer = AssetWriter {
            is_unversioned: self.coding == Coding::Unversioned,
            names: self.names.0[6..].to_vec(),
            classes: self.classes,
            exports: self.exports,
            data: if engine_5 < 1009 { None } else { data },
            ..AssetWriter::new(first, 522, engine_5)
        };
        let (header, objects) = writer.finish();
        let path = |extension: &str| format!("Shooter/Content/Audio/{name}.{extension}");
        [PakEntry::new(&path("uasset"), &header), PakEntry::new(&path("uexp"), &objects)]
    }
}

fn mount(packages: impl IntoIterator<Item = [PakEntry; 2]>) -> Mount {
    let pak = PakWriter { entries: packages.into_iter().flatten().collect(), ..PakWriter::new(11) }.finish();
    let pak =
        Container::open_pak(Box::new(Memory(pak)), &KeyRing::default(), &mut Limits::default()).unwrap();
    Mount::new(vec![("Shooter.pak".to_owned(), pak)])
}

fn options(coding: Coding) -> GameOptions {
    let read = || Mappings::read(&Memory(mappings(4)), &mut Limits::default()).unwrap();
    GameOptions {
        mappings: (coding == Coding::Unversioned).then(|| Arc::new(read())),
        ..GameOptions::default()
    }
}

fn wave(coding: Coding, name: &str, values: &[(&str, Written)]) -> [PakEntry; 2] {
    let mut package = Package::new(coding);
    package.add_wave(name, values, &[1, 0, 0, 0]);
    package.finish(name)
}

fn path(name: &str) -> Written {
    Written::SoftPath(format!("/Game/Audio/{name}"), name.to_owned())
}

#[test]
fn recordings_that_repeat_say_so_in_every_form_of_properties() {
    for coding in CODINGS {
        let spoken = Written::Text("Halt!".to_owned());
        let values =
            [("bLooping", Written::Bool(true)), ("SpokenText", spoken), ("Duration", Written::Float(1.0))];
        let mount = mount([wave(coding, "SW_A", &values), wave(coding, "SW_B", &[])]);
        let file = SoundFile::open_game(mount, "Game", &options(coding), Budget::default());
        let [a, b] = file.sounds() else { panic!("{coding:?}: {:?}", file.unread_packages()) };
        let loops = |sound: &importer::Sound| -> Vec<(u64, u64)> {
            sound.audio().unwrap().loops.iter().map(|l| (l.start().get(), l.end().get())).collect()
        };
        assert_eq!((loops(a), loops(b)), (vec![(0, 3000)], vec![]), "{coding:?}: {:?}", a.notes);
        assert_eq!(a.notes, ["spoken: Halt!"], "{coding:?}");
        let sample = file.sample(1).unwrap();
        assert_eq!(sample.loops()[0].end().get(), 3000);
    }
}

#[test]
fn regions_that_repeat_are_loops_and_cue_points_are_named() {
    for coding in [Coding::Complete, Coding::Unversioned] {
        let mut package = Package::new(coding);
        let points = [
            vec![("Label", Written::Text("Hit".to_owned())), ("FramePosition", Written::Int64(700))],
            vec![
                ("FramePosition", Written::Int64(1000)),
                ("FrameLength", Written::Int64(500)),
                ("bIsLoopRegion", Written::Bool(true)),
            ],
        ];
        let mut between = vec![1, 0, 0, 0, 2, 0, 0, 0];
        for point in &points {
            between.extend(properties(coding, &mut package.names, "SoundWaveCuePoint", point));
        }
        package.add_wave("SW", &[], &between);
        let mount = mount([package.finish("SW")]);
        let file = SoundFile::open_game(mount, "Game", &options(coding), Budget::default());
        let [sound] = file.sounds() else { panic!("{:?}", file.unread_packages()) };
        assert_eq!(sound.notes, ["cue point at 700: Hit"], "{coding:?}");
        let range = sound.audio().unwrap().loops[0];
        assert_eq!((range.start().get(), range.end().get()), (1000, 1500), "{coding:?}");
    }
}

#[test]
fn recordings_of_the_editor_are_found_by_their_properties() {
    let mut package = Package::new(Coding::Simple);
    let head = object(Coding::Simple, &mut package.names, "SoundWave", &[("bLooping", Written::Bool(false))]);
    let audio = recording();
    let mut data = vec![0; 4];
    data.extend([0x40, audio.len() as u32, audio.len() as u32, 0, 0].into_iter().flat_map(u32::to_le_bytes));
    data.extend(&audio);
    data.extend([0x6D; 16]);
    package.add_bytes("SW", "SoundWave", [head, data].concat());
    let mount = mount([package.finish("SW")]);
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    let [sound] = file.sounds() else { panic!("{:?}", file.unread_packages()) };
    assert_eq!((&sound.status, &*sound.file_type), (&Status::Ok, "WAV"));
    assert!(file.payload(1).unwrap() == audio);
}

#[test]
fn recordings_that_were_left_out_are_empty() {
    let mut package = Package::new(Coding::Simple);
    let head = object(Coding::Simple, &mut package.names, "SoundWave", &[("bLooping", Written::Bool(false))]);
    package.add_bytes("SW", "SoundWave", [head, vec![1, 0, 0, 0, 0, 0, 0, 0], vec![0x6D; 16]].concat());
    let mount = mount([package.finish("SW")]);
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    assert_eq!(file.sounds()[0].status.name(), "empty");
}

#[test]
fn of_several_formats_the_one_that_loses_nothing_is_taken() {
    let mut package = Package::new(Coding::Simple);
    let mut bytes = object(Coding::Simple, &mut package.names, "SoundWave", &[]);
    let audio = recording();
    bytes.extend([1_u32, 2].into_iter().flat_map(u32::to_le_bytes));
    for (format, data) in [("XMA2", &b"no audio"[..]), ("PCM", &audio)] {
        let numbers = [package.names.number(format), 0, 0x40, data.len() as u32, data.len() as u32, 0, 0];
        bytes.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(data);
    }
    bytes.extend([0x6D; 16]);
    package.add_bytes("SW", "SoundWave", bytes);
    let mount = mount([package.finish("SW")]);
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    assert_eq!((&*file.sounds()[0].file_type, &file.sounds()[0].status), ("PCM", &Status::Ok));
    assert!(file.payload(1).unwrap() == audio);
}

#[test]
fn cues_in_containers_refer_to_recordings_by_paths_of_either_form() {
    for (version, form, coding) in [
        (3, PackageForm::Engine4, Coding::Simple),
        (5, PackageForm::Engine5_0, Coding::Simple),
        (5, PackageForm::Engine5_0, Coding::Split),
        (5, PackageForm::Engine5_3, Coding::Split),
        (8, PackageForm::Engine5_6, Coding::Complete),
    ] {
        let mut names = NameList(vec!["None".to_owned(), "/Game/Audio/SC".to_owned()]);
        let cue = object(coding, &mut names, "SoundCue", &[("FirstNode", Written::Object(2))]);
        let node = [("SoundWaveAssetPtr", path("SW_A")), ("bLooping", Written::Bool(true))];
        let node = object(coding, &mut names, "SoundNodeWavePlayer", &node);
        let class = |name: &str| hash::script_object(&format!("/Script/Engine.{name}"));
        let writer = ZenWriter {
            names: names.0[2..].to_vec(),
            exports: vec![
                ("SC".to_owned(), class("SoundCue"), cue),
                ("Player".to_owned(), class("SoundNodeWavePlayer"), [node, vec![0; 4]].concat()),
            ],
            ..ZenWriter::new(form, "/Game/Audio/SC")
        };
        let chunk = TocChunk {
            path: String::new(),
            id: [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, if version < 5 { 2 } else { 1 }],
            data: writer.finish(),
            is_packed: true,
        };
        let toc = TocWriter {
            chunks: vec![chunk],
            has_directory: false,
            has_seeds: false,
            ..TocWriter::new(version)
        };
        let WrittenToc { table, partitions, .. } = toc.finish();
        let data = partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
        let store = IoStore::open(
            Box::new(Memory(table)),
            data.collect(),
            &KeyRing::default(),
            &mut Limits::default(),
        );
        let [header, objects] = wave(Coding::Simple, "SW_A", &[]);
        let pak = PakWriter { entries: vec![header, objects], ..PakWriter::new(11) }.finish();
        let pak = Container::open_pak(Box::new(Memory(pak)), &KeyRing::default(), &mut Limits::default());
        let mount = Mount::new(vec![
            ("A.pak".to_owned(), pak.unwrap()),
            ("B.utoc".to_owned(), Container::IoStore(store.unwrap())),
        ]);
        let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
        let case = format!("{form:?} {coding:?}: {:?}", file.unread_packages());
        let cue = file.sounds().last().unwrap();
        assert_eq!((&*cue.path(), cue.plays()), ("/Game/Audio/SC", vec![1]), "{case} {:?}", cue.status);
        assert!(cue.zones().unwrap().zones()[0].loops_whole(), "{case}");
    }
}

/// A cue that plays one of two recordings, the second of which repeats; and one that is nowhere.
fn cue(coding: Coding) -> [PakEntry; 2] {
    let mut package = Package::new(coding);
    let first = [
        ("FirstNode", Written::Object(2)),
        ("VolumeMultiplier", Written::Float(0.375)),
        ("PitchMultiplier", Written::Float(2.0)),
    ];
    package.add("SC", "SoundCue", &first, &[0; 2]);
    let random = [
        ("ChildNodes", Written::Objects(vec![3, 4, 5, 0])),
        ("Weights", Written::Floats(vec![1.0, 3.0, 1.0, 1.0])),
        ("bRandomizeWithoutReplacement", Written::Bool(false)),
    ];
    package.add("Random", "SoundNodeRandom", &random, &[0; 2]);
    package.add("PlayerA", "SoundNodeWavePlayer", &[("SoundWaveAssetPtr", path("SW_A"))], &[0; 6]);
    // Packages write names as they were first met, in whatever case.
    let flag = if coding == Coding::Unversioned { "bLooping" } else { "blooping" };
    let looping = [("SoundWaveAssetPtr", path("SW_B")), (flag, Written::Bool(true))];
    package.add("PlayerB", "SoundNodeWavePlayer", &looping, &[0; 6]);
    package.add("PlayerC", "SoundNodeWavePlayer", &[("SoundWaveAssetPtr", path("SW_C"))], &[0; 6]);
    package.finish("SC")
}

#[test]
fn cues_play_recordings_of_other_packages_in_every_form_of_properties() {
    for coding in CODINGS {
        let louder = [("Volume", Written::Float(0.5))];
        let mount = mount([cue(coding), wave(coding, "SW_B", &louder), wave(coding, "SW_A", &[])]);
        let file = SoundFile::open_game(mount, "Game", &options(coding), Budget::default());
        let cue = file.sounds().last().unwrap();
        let case = format!("{coding:?}: {cue:?}");
        assert_eq!(
            (&*cue.path(), &cue.status, cue.plays()),
            ("/Game/Audio/SC", &Status::Ok, vec![1, 2]),
            "{case}"
        );
        let Some(tree) = cue.zones() else { panic!("{case}") };
        let Node::Random { children, with_replacement } = tree.node() else { panic!("{case}") };
        let weights: Vec<f32> = children.iter().map(|(weight, _)| weight.get()).collect();
        assert_eq!((weights, *with_replacement), (vec![1.0, 3.0], true), "{case}");
        let zones: Vec<_> = children.iter().flat_map(|(_, tree)| ZoneTree::zones(tree)).collect();
        // Half of the volume of a cue that says nothing, and half of that again.
        let gains: Vec<f32> = zones.iter().map(|zone| (zone.gain().get() * 10.0).round()).collect();
        assert_eq!(gains, [-60.0, -120.0], "{case}");
        assert_eq!(zones.iter().map(|zone| zone.loops_whole()).collect::<Vec<_>>(), [false, true], "{case}");
        let notes = ["1 unconnected input", "not played, as they lie in other packages: /Game/Audio/SW_C"];
        assert_eq!(cue.notes, notes, "{case}");
        assert!(file.import().unwrap().songs[0].instruments().len() >= 3);
    }
}

/// A cue whose only node has a property and some bytes after it.
fn cue_of_one_wave(coding: Coding, values: &[(&str, Written)], after: &[u8]) -> [PakEntry; 2] {
    let mut package = Package::new(coding);
    package.add("SC", "SoundCue", &[("FirstNode", Written::Object(2))], &[]);
    package.add("Player", "SoundNodeWavePlayer", values, after);
    package.finish("SC")
}

#[test]
fn a_path_is_the_text_that_begins_as_paths_do_and_never_eight_zeros() {
    let text = |text: &str| [("SoundWaveAssetPtr", Written::AssetPath(text.to_owned()))];
    // The node of the editor's graph, which is no recording: an export, and an import of another class.
    for last in [2_i32, -3] {
        for (values, plays) in [
            (&text("/Game/Audio/SW_A.SW_A")[..], &[1][..]),
            (&text("Game/Audio/SW_A.SW_A"), &[]),
            (&text("\0\0\0\0\0\0\0"), &[]),
            (&[], &[]),
        ] {
            let cue = cue_of_one_wave(Coding::Simple, values, &last.to_le_bytes());
            let mount = mount([wave(Coding::Simple, "SW_A", &[]), cue]);
            let file = SoundFile::open_game(mount, "Game", &options(Coding::Simple), Budget::default());
            let [_, cue] = file.sounds() else { panic!("{:?}", file.unread_packages()) };
            assert_eq!(cue.plays(), plays, "{values:?}, {last}: {}", cue.status);
        }
    }
}

#[test]
fn cues_without_tags_need_mappings_and_say_so() {
    let mount = mount([cue(Coding::Unversioned), wave(Coding::Unversioned, "SW_A", &[])]);
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    let [wave, cue] = file.sounds() else { panic!("{:?}", file.unread_packages()) };
    assert_eq!(wave.status, Status::Ok);
    assert_eq!(cue.status.reason().as_deref(), Some("needs the game's mappings (.usmap)"));
}

#[test]
fn nodes_that_lead_in_a_circle_end() {
    for coding in CODINGS {
        let mut package = Package::new(coding);
        package.add("SC", "SoundCue", &[("FirstNode", Written::Object(2))], &[0; 2]);
        let own = [("ChildNodes", Written::Objects(vec![2, 3, 2]))];
        package.add("Random", "SoundNodeRandom", &own, &[0; 2]);
        package.add("Player", "SoundNodeWavePlayer", &[("SoundWaveAssetPtr", path("SW_A"))], &[0; 6]);
        let mount = mount([package.finish("SC"), wave(coding, "SW_A", &[])]);
        let file = SoundFile::open_game(mount, "Game", &options(coding), Budget::default());
        let cue = file.sounds().last().unwrap();
        assert!(
            cue.notes.iter().any(|note| note.contains("others above them")),
            "{coding:?}: {:?}",
            cue.notes
        );
    }
}

#[test]
fn dialogue_plays_its_first_recording() {
    for coding in CODINGS {
        let mut package = Package::new(coding);
        package.add_wave("SW_Line", &[], &[1, 0, 0, 0]);
        let context = |wave| vec![("SoundWave", Written::Object(wave))];
        let contexts = Written::Structs("DialogueContextMapping".to_owned(), vec![context(1), context(1)]);
        let values = [("SpokenText", Written::Text("Halt!".to_owned())), ("ContextMappings", contexts)];
        package.add("DW", "DialogueWave", &values, &[]);
        let mount = mount([package.finish("DW")]);
        let file = SoundFile::open_game(mount, "Game", &options(coding), Budget::default());
        let [_, dialogue] = file.sounds() else { panic!("{coding:?}: {:?}", file.unread_packages()) };
        assert_eq!(
            (&dialogue.status, dialogue.plays()),
            (&Status::Ok, vec![1]),
            "{coding:?}: {:?}",
            dialogue.notes
        );
        assert_eq!(dialogue.notes, ["spoken: Halt!", "the first of 2 contexts plays"], "{coding:?}");
    }
}

#[test]
fn mappings_of_every_version_are_read_and_damaged_ones_refused() {
    for version in 0..=4 {
        let bytes = mappings(version);
        let read = |bytes: &[u8]| Mappings::read(&Memory(bytes), &mut Limits::default());
        assert_eq!(read(&bytes).unwrap().len(), SCHEMAS.len(), "version {version}");
        for at in 0..bytes.len() {
            assert!(read(&bytes[..at]).is_err(), "version {version} up to {at}");
            let mut changed = bytes.clone();
            changed[at] ^= 0xFF;
            let _ = read(&changed);
        }
    }
    let newer = Mappings::read(&Memory([0xC4, 0x30, 5]), &mut Limits::default()).unwrap_err();
    assert_eq!(newer.to_string(), "mappings at 0x2: no known layout reads all of it");
}

#[test]
fn damaged_properties_never_panic() {
    for coding in CODINGS {
        let [header, objects] = cue(coding);
        let sound = wave(coding, "SW_A", &[("bLooping", Written::Bool(true))]);
        for at in 0..objects.data.len() {
            for change in [0x01, 0x7F, 0x80, 0xFF] {
                let mut changed = objects.clone();
                changed.data[at] ^= change;
                let mount = mount([[header.clone(), changed], sound.clone()]);
                let file = SoundFile::open_game(mount, "Game", &options(coding), Budget::default());
                assert_eq!(file.sounds().len(), 2);
            }
        }
    }
}

#[test]
fn objects_that_share_their_bytes_are_not_read_again_and_again() {
    const CUES: usize = 3000;
    let mut package = Package::new(Coding::Simple);
    // An array that ends after its value does: it is read to its end, and is nothing then.
    let mut bytes =
        object(Coding::Simple, &mut package.names, "SoundCue", &[("A", Written::Objects(vec![1; 50_000]))]);
    let count = bytes.windows(4).position(|bytes| bytes == 50_000_u32.to_le_bytes()).unwrap();
    bytes[count] -= 1;
    let size = bytes.len();
    package.add_bytes("SC", "SoundCue", bytes);
    (1..CUES).for_each(|number| package.add_bytes(&format!("SC{number}"), "SoundCue", vec![0]));
    let [mut header, objects] = package.finish("SC");
    let place = [(size as u64).to_le_bytes(), (header.data.len() as u64).to_le_bytes()].concat();
    let first = header.data.windows(16).position(|bytes| bytes == place).unwrap();
    for number in 1..CUES {
        let row = first + 104 * number;
        assert_eq!(header.data[row], 1, "the size of another");
        header.data[row..row + 16].copy_from_slice(&place);
    }
    let mount = mount([[header, objects]]);
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    let is_over = |sound: &&importer::Sound| sound.status.reason_code() == Some("over_limit");
    let over = file.sounds().iter().filter(is_over).count();
    assert!((1000..CUES).contains(&over), "{over}");
}
