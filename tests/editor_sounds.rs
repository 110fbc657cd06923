//! Sounds as the editor of Unreal Engine 5 stores them: payloads of the package trailer, named by their hashes.

use fixtures::asset::AssetWriter;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::property::{self, Coding, NameList, Written};
use fixtures::sound_wave::{Stored as WaveStored, object_after, recording};
use fixtures::trailer::{Payload, Stored, payload, reference, trailer};
use importer::{Budget, GameOptions, SoundFile, Status};
use modkit::replace::{EncodedRecording, ReplaceOptions, Replacement, replace};
use unreal::containers::Container;
use unreal::containers::mount::Mount;
use unreal::{KeyRing, Limits, Memory};

/// The object of a recording: its properties, and what follows.
fn object(names: &mut NameList, tail: &[u8]) -> Vec<u8> {
    let properties = property::object(Coding::Split, names, "SoundWave", &[("Volume", Written::Float(1.0))]);
    [&properties[..], tail].concat()
}

/// A package of the editor with a recording and a trailer.
fn package(tail: &[u8], payloads: &[Payload]) -> Vec<u8> {
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let object = object(&mut names, tail);
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        exports: vec![("SW_Steps".to_owned(), -2, object)],
        is_filtered: false,
        data: Some(Vec::new()),
        trailer: trailer(payloads),
        ..AssetWriter::new(-8, 522, 1009)
    };
    let (header, objects) = writer.finish();
    [header, objects].concat()
}

fn mount(package: &[u8]) -> Mount {
    let entries = vec![PakEntry::new("Game/Content/SW_Steps.uasset", package)];
    let pak = PakWriter { entries, ..PakWriter::new(11) }.finish();
    let pak =
        Container::open_pak(Box::new(Memory(pak)), &KeyRing::default(), &mut Limits::default()).unwrap();
    Mount::new(vec![("Game.pak".to_owned(), pak)])
}

/// The frames of the recording of a package, or why there are none.
fn frames(package: &[u8]) -> Result<u64, String> {
    let mount = mount(package);
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    let sound = file.sounds().first().ok_or_else(|| format!("{:?}", file.unread_packages()))?;
    if sound.status != Status::Ok {
        return Err(sound.status.to_string());
    }
    file.sample(1).map(|sample| sample.length().get()).map_err(|error| error.to_string())
}

/// What a package with one payload gives.
fn frames_of(payload: Payload) -> Result<u64, String> {
    let tail = reference(&payload.raw, 0x200);
    frames(&package(&tail, &[payload]))
}

#[test]
fn the_payload_is_the_one_whose_hash_the_object_has_however_it_is_stored() {
    let wave = recording();
    let other = payload(b"another payload of the package", Stored::Whole);
    for stored in
        [Stored::Whole, Stored::Blocks { method: 3, log2: 10 }, Stored::Blocks { method: 3, log2: 18 }]
    {
        let payloads = [other.clone(), payload(&wave, stored)];
        assert_eq!(frames(&package(&reference(&wave, 0x200), &payloads)), Ok(3000), "{stored:?}");
    }
    assert_eq!(frames(&package(&reference(&wave, 0x210), &[payload(&wave, Stored::Whole)])), Ok(3000));
}

#[test]
fn a_mod_with_a_package_of_the_editor_says_so() {
    let wave = recording();
    let mount = mount(&package(&reference(&wave, 0x200), &[payload(&wave, Stored::Whole)]));
    let sound = "/Game/SW_Steps".to_owned();
    let replacement = Replacement { sound, recording: EncodedRecording::read(&*wave).unwrap() };
    let made = replace(&mount, &[replacement], ReplaceOptions::default());
    assert!(made.unwrap().has_editor_packages);
}

#[test]
fn a_payload_that_is_not_there_or_elsewhere_says_so() {
    let wave = recording();
    let missing = frames(&package(&reference(&wave, 0x200), &[payload(b"another", Stored::Whole)]));
    assert!(missing.unwrap_err().contains("not in the package trailer"));
    let elsewhere = Payload { access: 1, ..payload(&wave, Stored::Whole) };
    let elsewhere = frames_of(elsewhere).unwrap_err();
    assert!(elsewhere.starts_with("unsupported: ") && elsewhere.contains("virtualized"), "{elsewhere}");
    let method = frames_of(payload(&wave, Stored::Blocks { method: 4, log2: 18 })).unwrap_err();
    assert!(method.starts_with("unsupported: ") && method.contains("method 4"), "{method}");
}

#[test]
fn bytes_that_are_not_those_of_the_hash_are_an_error() {
    let wave = recording();
    for stored in [Stored::Whole, Stored::Blocks { method: 3, log2: 10 }] {
        let whole = payload(&wave, stored);
        let table = whole.stored.len() - wave.len();
        // Of the audio, whichever byte it is.
        for at in [table + 46, table + 3000, whole.stored.len() - 1] {
            let mut broken = whole.clone();
            broken.stored[at] ^= 1;
            let error = frames_of(broken).unwrap_err();
            assert!(error.contains("hash"), "{stored:?} {at}: {error}");
        }
        // Of the header, whichever byte it is.
        for at in 0..table {
            let mut broken = whole.clone();
            broken.stored[at] ^= 1;
            assert!(frames_of(broken).is_err(), "{stored:?} {at}");
        }
    }
}

#[test]
fn sizes_that_lie_are_refused_before_anything_is_allocated() {
    let wave = recording();
    for log2 in [62, 63, 64, 255] {
        // One block of more bytes than there are, or of a size that no number holds.
        let mut lying = payload(&wave, Stored::Blocks { method: 3, log2: 18 });
        lying.stored[11] = log2;
        let mut crc = flate2::Crc::new();
        crc.update(&lying.stored[8..68]);
        lying.stored[4..8].copy_from_slice(&crc.sum().to_be_bytes());
        let found = frames_of(lying);
        assert_eq!(found.is_ok(), log2 < 64, "2^{log2}: {found:?}");
    }
    let package = package(&reference(&wave, 0x200), &[payload(&wave, Stored::Whole)]);
    let at = package.len() - wave.len() - 64 - 20 - 49 - 28;
    // The number of rows, the bytes of all payloads, the size of the header, the version.
    for (field, size) in [(24, 4), (16, 8), (12, 4), (8, 4)] {
        let mut lying = package.clone();
        lying[at + field..][..size].fill(0xFF);
        assert!(frames(&lying).is_err(), "field at {field}");
    }
}

#[test]
fn a_trailer_that_is_cut_or_changed_anywhere_never_panics() {
    let wave = recording();
    let package =
        package(&reference(&wave, 0x200), &[payload(&wave, Stored::Blocks { method: 3, log2: 10 })]);
    let begin = package.len() - wave.len() - 64 - 4 * 6 - 20 - 49 - 28;
    for at in (begin..begin + 300).chain(package.len() - 20..package.len()) {
        assert!(frames(&package[..at]).is_err(), "cut at {at}");
        for change in [0x01, 0x80, 0xFF] {
            let mut changed = package.clone();
            changed[at] ^= change;
            let _ = frames(&changed);
        }
    }
}

#[test]
fn the_placeholder_of_a_mod_template_is_empty() {
    // Flags; data of no bytes, after the objects; a GUID.
    let words: Vec<u8> = [0, 1, 0, 0, 0, 0].into_iter().flat_map(u32::to_le_bytes).collect();
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let properties =
        property::object(Coding::Simple, &mut names, "SoundWave", &[("Volume", Written::Float(1.0))]);
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        exports: vec![("SW_Steps".to_owned(), -2, [&properties[..], &words, &[0x33; 16]].concat())],
        is_filtered: false,
        ..AssetWriter::new(-7, 522, 0)
    };
    let (header, objects) = writer.finish();
    let error = frames(&[header, objects].concat()).unwrap_err();
    assert!(error.starts_with("empty: "), "{error}");
}

#[test]
fn names_of_formats_go_on_with_how_they_were_made() {
    for (name, is_known) in [("ADPCM10000-1-1-1-1-1", true), ("adpcm_1A2B", true), ("ADPCMS", false)] {
        let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
        let mut names = NameList(fixed.map(str::to_owned).to_vec());
        let properties = property::object(Coding::Simple, &mut names, "SoundWave", &[]);
        let format = names.number(name);
        let begin = [&properties[..], &1_u32.to_le_bytes()].concat();
        let wave = object_after(&begin, WaveStored::InOnePiece, &recording(), format, false, 0);
        let writer = AssetWriter {
            names: names.0[6..].to_vec(),
            exports: vec![("SW_Steps".to_owned(), -2, wave.bytes)],
            ..AssetWriter::new(-7, 522, 0)
        };
        let (header, objects) = writer.finish();
        let found = frames(&[header, objects].concat());
        assert_eq!(found.is_ok(), is_known, "{name}: {found:?}");
    }
}
