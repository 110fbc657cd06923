//! Sounds of Unreal Engine 4 to 6, found in their packages.

use std::fs;

use fixtures::bink;
use fixtures::corpus::corpus;
use fixtures::opus;
use fixtures::signal::Noise;
use fixtures::sound_wave::{Stored, object as sound_wave_object, recording};
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::zen::{PackageForm, ZenWriter};
use importer::{Budget, GameOptions, SoundFile, Status};
use song::Recording;
use unreal::containers::mount::{Mount, MountedEntry};
use unreal::containers::{Container, IoStore};
use unreal::ue4to6::class::sound_wave;
use unreal::ue4to6::script;
use unreal::{Class, FileSource, KeyRing, Limits, Memory, Source, hash};

fn store(file: &std::path::Path) -> IoStore {
    let open = |extension| FileSource::open(file.with_extension(extension)).unwrap();
    let partitions = vec![Some(Box::new(open("ucas")) as Box<dyn Source>)];
    IoStore::open(Box::new(open("utoc")), partitions, &KeyRing::default(), &mut Limits::default()).unwrap()
}

fn bytes(source: &dyn Source, at: u64, size: u64) -> Vec<u8> {
    let mut bytes = vec![0; size as usize];
    source.read_at(at, &mut bytes).unwrap();
    bytes
}

#[test]
fn every_recording_of_a_game_is_found_without_mappings() {
    let Some(folder) = corpus("containers") else { return };
    let stated: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("sounds/sounds.json")).unwrap()).unwrap();
    let mut found = 0;
    for form in ["Tagged", "Unversioned"] {
        let stem = "CUE4ParseFixtures-Minimal-Oodle-Windows";
        let store = store(&folder.join("UE5_8/IoStore").join(form).join("Oodle").join(stem));
        let mount = Mount::new(vec![("Game".to_owned(), Container::IoStore(store))]);
        let open = |entry: MountedEntry| mount.container(entry).unwrap().open(entry.entry).unwrap();
        for entry in mount.entries().filter(|entry| mount.is_package(*entry)) {
            let package = mount.open_package(entry, None, &mut Limits::default()).unwrap();
            let path = package.name();
            for index in
                (0..package.len()).filter(|index| package.sound_class(*index) == Some(Class::SoundWave))
            {
                let wave =
                    sound_wave::read(&package, index).unwrap_or_else(|error| panic!("{path}: {error}"));
                let engine = format!("UE5_8_{form}");
                let name = package.export(index).unwrap().name;
                let mut all = stated.as_array().unwrap().iter();
                let stated = all
                    .find(|sound| sound["engine"] == *engine && sound["asset"] == *name)
                    .unwrap_or_else(|| panic!("{path}: {wave:?}"));
                assert_eq!(wave.chunks.len() as u64, stated["num_chunks"], "{path}");
                let mut whole = Vec::new();
                for chunk in &wave.chunks {
                    let file = open(mount.data_of(entry, chunk.place).unwrap());
                    whole.extend(bytes(&*file, chunk.offset, chunk.size));
                }
                let file = folder.join("sounds").join(&engine).join(stated["file"].as_str().unwrap());
                assert!(whole == fs::read(file).unwrap(), "{path}");
                found += 1;
            }
        }
    }
    assert_eq!(found, 18);
}

#[test]
fn the_numbers_of_sound_classes_are_those_of_a_real_game() {
    let Some(folder) = corpus("containers") else { return };
    let store = store(&folder.join("UE5_8/IoStore/Tagged/global"));
    let objects = store.script_objects(&mut Limits::default()).unwrap().unwrap();
    // Those of other makers are in games of theirs alone.
    let of_the_engine = script::paths().filter(|path| !path.contains("AkAudio") && !path.contains("CriWare"));
    for path in of_the_engine {
        let number = hash::script_object(path);
        let object = objects.iter().find(|object| object.id == number).unwrap_or_else(|| panic!("{path}"));
        assert_eq!(object.path, path);
    }
}

/// The class that packages know as a number.
const SOUND_WAVE: u64 = 0x44F2_6264_628E_498D;

/// A package with a recording called `ADPCM`, and its file of bulk data.
fn package(form: PackageForm, has_map: bool, stored: Stored, audio: &[u8]) -> (Vec<u8>, Vec<u8>) {
    // The other object lies before it where objects lie in the order of their bundle.
    let before = if form == PackageForm::Engine5_0 { 50 } else { 0 };
    let object = sound_wave_object(stored, audio, 2, has_map, before);
    let writer = ZenWriter {
        names: vec!["ADPCM_1A2B".to_owned()],
        exports: vec![
            ("SW_Steps".to_owned(), SOUND_WAVE, object.bytes),
            ("Other".to_owned(), 0x4ABC, vec![9; 50]),
        ],
        bulk: has_map.then_some(object.data),
        fillers: (form == PackageForm::Engine5_6).then_some(3),
        ..ZenWriter::new(form, "/Game/Audio/SW_Steps")
    };
    (writer.finish(), object.beside)
}

/// The game of a package and its bulk data.
fn game(version: u8, package: Vec<u8>, bulk: Option<Vec<u8>>) -> Mount {
    let kinds = if version < 5 { [2, 3] } else { [1, 2] };
    let chunk = |kind, data| TocChunk {
        path: String::new(),
        id: [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kind],
        data,
        is_packed: true,
    };
    let [package_kind, bulk_kind] = kinds;
    let mut chunks = vec![chunk(package_kind, package)];
    chunks.extend(bulk.map(|bulk| chunk(bulk_kind, bulk)));
    let writer = TocWriter { chunks, has_directory: false, has_seeds: false, ..TocWriter::new(version) };
    let WrittenToc { table, partitions, .. } = writer.finish();
    let partitions = partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
    let store = IoStore::open(
        Box::new(Memory(table)),
        partitions.collect(),
        &KeyRing::default(),
        &mut Limits::default(),
    );
    Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store.unwrap()))])
}

#[test]
fn recordings_are_found_in_packages_of_every_form() {
    let audio = recording();
    for (version, form, has_map) in [
        (3, PackageForm::Engine4, false),
        (5, PackageForm::Engine5_0, false),
        (5, PackageForm::Engine5_0, true),
        (5, PackageForm::Engine5_3, true),
        (8, PackageForm::Engine5_6, true),
    ] {
        for stored in [Stored::Streamed, Stored::InOnePiece] {
            let (package, bulk) = package(form, has_map, stored, &audio);
            let mount = game(version, package, Some(bulk));
            let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
            let case = format!("{form:?}, {stored:?}, map: {has_map}: {:?}", file.unread_packages());
            let [sound] = file.sounds() else { panic!("{case}") };
            assert_eq!((&*sound.path(), &sound.status), ("/Game/Audio/SW_Steps", &Status::Ok), "{case}");
            assert!(file.payload(1).unwrap() == audio, "{case}");
            assert_eq!(file.sample(1).unwrap().length().get(), 3000, "{case}");
        }
    }
}

#[test]
fn a_recording_whose_file_of_data_is_not_there_says_so() {
    let (package, _) = package(PackageForm::Engine5_3, true, Stored::Streamed, &recording());
    let mount = game(8, package, None);
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    let reason = file.sounds()[0].status.reason();
    assert_eq!(reason.as_deref(), Some("its bytes lie in /Game/Audio/SW_Steps.ubulk, which is not there"));
}

#[test]
fn a_package_that_is_cut_or_changed_anywhere_never_panics() {
    let audio = recording();
    for (version, form, has_map) in [
        (3, PackageForm::Engine4, false),
        (5, PackageForm::Engine5_0, false),
        (8, PackageForm::Engine5_6, true),
    ] {
        let (package, bulk) = package(form, has_map, Stored::Streamed, &audio);
        for at in 0..package.len() {
            let mut cases = vec![package[..at].to_vec()];
            for change in [0x01, 0x80, 0xFF] {
                let mut changed = package.clone();
                changed[at] ^= change;
                cases.push(changed);
            }
            for case in cases {
                let mount = game(version, case, Some(bulk.clone()));
                let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
                for number in 1..=file.sounds().len() {
                    let _ = file.sample(number);
                }
            }
        }
    }
}

/// How far the noise of a recording is below another, in decibels.
fn signal_to_noise(recording: &[f32], original: &[f32]) -> f64 {
    let power = |values: &mut dyn Iterator<Item = f32>| values.map(|v| f64::from(v).powi(2)).sum::<f64>();
    let signal = power(&mut original.iter().copied());
    let noise = power(&mut recording.iter().zip(original).map(|(a, b)| a - b));
    10.0 * (signal / noise).log10()
}

#[test]
fn compressed_recordings_of_a_real_game_are_the_original_at_its_exact_place() {
    let Some(folder) = corpus("containers") else { return };
    for form in ["Tagged", "Unversioned"] {
        let stem = "CUE4ParseFixtures-Minimal-Oodle-Windows";
        let store = store(&folder.join("UE5_8/IoStore").join(form).join("Oodle").join(stem));
        let mount = Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store))]);
        let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
        assert!(file.unread_packages().unwrap().is_empty(), "{:?}", file.unread_packages());
        let values = |name: &str| -> Vec<f32> {
            let sound = file.sounds().iter().find(|sound| sound.object.name == name);
            let number = sound.unwrap_or_else(|| panic!("{name}")).number;
            let sample = file.sample(number).unwrap_or_else(|error| panic!("{name}: {error}"));
            match sample.recording() {
                Recording::I16(planes) => {
                    planes.left().iter().map(|value| f32::from(*value) / 32_768.0).collect()
                }
                Recording::F32(planes) => planes.left().to_vec(),
            }
        };
        let original = values("SW_Format_PCM");
        assert_eq!(original.len(), 96_000);
        assert!(original == values("SW_Format_ADPCM"), "what is called ADPCM is PCM");
        for (name, least) in
            [("SW_Format_Opus", 43.0), ("SW_Format_BinkAudio", 39.0), ("SW_Format_ProjectDefined", 38.0)]
        {
            let recording = values(name);
            assert_eq!(recording.len(), original.len(), "{name}");
            let ratio = signal_to_noise(&recording, &original);
            assert!(ratio >= least, "{name}: {ratio:.1} dB");
        }
    }
}

/// The recording of a package that has these bytes.
fn decoded(audio: &[u8]) -> Vec<Vec<i16>> {
    let (package, bulk) = package(PackageForm::Engine5_3, true, Stored::Streamed, audio);
    let mount = game(8, package, Some(bulk));
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    let sample = file.sample(1).unwrap_or_else(|error| panic!("{:?}: {error}", file.sounds()));
    match sample.recording() {
        Recording::I16(planes) => planes.iter().map(<[i16]>::to_vec).collect(),
        Recording::F32(_) => panic!("16 bits"),
    }
}

/// Mixes more than two channels down to two, as ITU-R BS.775 has it, so that nothing can clip.
fn mixed(planes: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let half = 0.5_f64.sqrt();
    let gains: &[[f64; 2]] = match planes.len() {
        1 | 2 => return planes,
        // Left, right, centre.
        3 => &[[1.0, 0.0], [0.0, 1.0], [half, half]],
        // And low frequencies, back left, back right.
        6 => &[[1.0, 0.0], [0.0, 1.0], [half, half], [0.0, 0.0], [half, 0.0], [0.0, half]],
        other => panic!("{other} channels"),
    };
    let sum: f64 = gains.iter().map(|[left, _]| left).sum();
    let side = |side: usize| {
        let value = |frame: usize| {
            planes.iter().zip(gains).map(|(plane, gains)| plane[frame] * gains[side]).sum::<f64>()
        };
        (0..planes[0].len()).map(|frame| value(frame) / sum).collect()
    };
    vec![side(0), side(1)]
}

fn check_bink(audio: &[u8], frames: usize, case: &str) {
    let (ours, theirs) = (decoded(audio), mixed(bink::decode(audio)));
    assert_eq!(ours.len(), theirs.len(), "{case}");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!((ours.len(), theirs.len()), (frames, frames), "{case}");
        let clipped = theirs.iter().map(|value| value.clamp(-32_768.0, 32_767.0));
        let worst = ours.iter().zip(clipped).map(|(a, b)| (f64::from(*a) - b).abs()).fold(0.0, f64::max);
        assert!(worst <= 1.0, "{case}: {worst}");
        assert!(ours.iter().any(|value| value.unsigned_abs() > 1000), "{case} is not silent");
    }
}

#[test]
fn bink_audio_is_what_a_second_decoder_makes_of_it() {
    for rate in [11_025, 22_050, 48_000] {
        for channels in [1, 2, 3, 6] {
            let (audio, frames) = bink::stream(rate, channels, 4, &mut Noise::new(rate.into()));
            check_bink(&audio, frames as usize, &format!("{rate} Hz, {channels} channels"));
        }
    }
    let Some(folder) = corpus("containers") else { return };
    let audio = fs::read(folder.join("sounds/UE5_8_Tagged/SW_Format_BinkAudio.ueba")).unwrap();
    check_bink(&audio, 96_000, "a recording of a real game");
}

/// The channels of each stream of a packet, coupled ones first, where the channels are in the order of the engine.
///
/// Source: RFC 7845, §5.1.1.2.
fn streams(channels: usize) -> &'static [&'static [usize]] {
    match channels {
        1 => &[&[0]],
        2 => &[&[0, 1]],
        // Left, right; centre.
        3 => &[&[0, 1], &[2]],
        // The pair at the back.
        4 => &[&[0, 1], &[2, 3]],
        5 => &[&[0, 1], &[3, 4], &[2]],
        // Low frequencies last.
        6 => &[&[0, 1], &[4, 5], &[2], &[3]],
        // The pair at the sides, and one of both centres.
        7 => &[&[0, 1], &[4, 5], &[2, 6], &[3]],
        // The pair at the sides before that at the back.
        _ => &[&[0, 1], &[6, 7], &[4, 5], &[2], &[3]],
    }
}

#[test]
fn each_channel_of_opus_is_heard_where_its_speaker_is() {
    const FRAMES: usize = 9600;
    let tone: Vec<i16> = (0..FRAMES).map(|at| (8000.0 * (at as f64 * 0.06).sin()) as i16).collect();
    let level = |plane: &[i16]| plane.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    let half = 0.5_f64.sqrt();
    // Left, right, centre, low, then pairs at the back and the sides, or a centre at the back.
    let gains = |channels: usize| -> Vec<[f64; 2]> {
        let (front, back) = ([[1.0, 0.0], [0.0, 1.0]], [[half, 0.0], [0.0, half]]);
        match channels {
            1 => vec![[1.0, 1.0]],
            2 => front.to_vec(),
            3 => [&front[..], &[[half; 2]]].concat(),
            4 => [front, back].concat(),
            5 => [&front[..], &[[half; 2]], &back].concat(),
            6 => [&front[..], &[[half; 2], [0.0; 2]], &back].concat(),
            7 => [&front[..], &[[half; 2], [0.0; 2]], &back, &[[0.5; 2]]].concat(),
            _ => [&front[..], &[[half; 2], [0.0; 2]], &back, &back].concat(),
        }
    };
    for channels in 1..=8 {
        let gains = gains(channels);
        let sum: f64 = gains.iter().map(|[left, _]| left).sum();
        for (heard, gains) in gains.iter().enumerate() {
            let plane = |channel: &usize| if *channel == heard { tone.clone() } else { vec![0; FRAMES] };
            let stream = |channels: &&[usize]| channels.iter().map(plane).collect();
            let audio = opus::ueopus(&streams(channels).iter().map(stream).collect::<Vec<_>>());
            let planes = decoded(&audio);
            assert_eq!(planes.len(), channels.min(2));
            for (side, plane) in planes.iter().enumerate() {
                assert_eq!(plane.len(), FRAMES);
                let found = level(plane) / level(&tone);
                let expected = gains[side] / if channels > 2 { sum } else { 1.0 };
                assert!(
                    (found - expected).abs() < 0.02,
                    "{channels} channels, #{heard}, side {side}: {found:.3}, not {expected:.3}"
                );
            }
        }
    }
}

#[test]
fn compressed_recordings_that_are_cut_or_changed_anywhere_never_panic() {
    let (audio, _) = bink::stream(11_025, 2, 3, &mut Noise::new(5));
    let mut cases: Vec<Vec<u8>> = vec![audio];
    // A head of Opus and packets of chance.
    let mut opus = b"UEOPUS\0\0\0\x01".to_vec();
    for number in [48_000_u64, 48_000, 5000, 0, 4] {
        let length = if number == 5000 { 8 } else { 4 };
        opus.extend(&number.to_le_bytes()[..length]);
    }
    opus.extend([0x38, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let mut noise = Noise::new(9);
    for first in [0x08_u8, 0x78, 0x98, 0xF8, 0xFB] {
        opus.extend([60, 0, first]);
        opus.extend((0..59).map(|_| noise.bits() as u8));
    }
    cases.push(opus);
    for audio in cases {
        let read = |audio: &[u8]| {
            let (package, bulk) = package(PackageForm::Engine5_3, true, Stored::Streamed, audio);
            let mount = game(8, package, Some(bulk));
            let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
            let _ = file.sample(1);
        };
        for at in (46..audio.len()).step_by(7) {
            read(&audio[..at]);
            for change in [0x01, 0x80, 0xFF] {
                let mut changed = audio.clone();
                changed[at] ^= change;
                read(&changed);
            }
        }
        for at in 4..46 {
            let mut changed = audio.clone();
            changed[at] ^= 0xFF;
            read(&changed);
        }
    }
}

#[test]
fn packages_that_share_their_bytes_are_not_read_again_and_again() {
    let (package, bulk) = package(PackageForm::Engine5_3, true, Stored::Streamed, &recording());
    let chunk = |number: u8, kind, data: &[u8]| TocChunk {
        path: String::new(),
        id: [number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kind],
        data: data.to_vec(),
        is_packed: false,
    };
    let chunks = vec![chunk(7, 1, &package), chunk(8, 1, &package), chunk(7, 2, &bulk)];
    let writer = TocWriter { chunks, has_directory: false, has_seeds: false, ..TocWriter::new(8) };
    let WrittenToc { mut table, partitions, .. } = writer.finish();
    // The second package lies where the first does.
    let ranges = 144 + 3 * 12;
    table.copy_within(ranges..ranges + 10, ranges + 10);
    let partitions = partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
    let store = IoStore::open(
        Box::new(Memory(table)),
        partitions.collect(),
        &KeyRing::default(),
        &mut Limits::default(),
    );
    let mount = Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store.unwrap()))]);
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    assert_eq!(file.sounds().len(), 1);
    let unread: Vec<_> = file.unread_packages().unwrap().iter().collect();
    let [unread] = &unread[..] else { panic!("{unread:?}") };
    assert!(unread.text.starts_with("shares bytes with "), "{unread:?}");
}

#[test]
fn an_object_of_nothing_but_beginnings_of_recordings_is_given_up() {
    let beginnings = [1_u32, 2].repeat(1000).into_iter().flat_map(u32::to_le_bytes).collect();
    let writer = ZenWriter {
        names: vec!["OGG".to_owned()],
        exports: vec![("Sound".to_owned(), SOUND_WAVE, beginnings)],
        ..ZenWriter::new(PackageForm::Engine5_3, "/Game/Sound")
    };
    let mount = game(8, writer.finish(), None);
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    let reason = file.sounds()[0].status.reason().unwrap();
    assert!(reason.ends_with("no known layout reads all of it"), "{reason}");
}
