//! Sounds of games with other recordings: what was given is heard, and all else stays as it is.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use fixtures::asset::AssetWriter;
use fixtures::corpus::corpus;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::property::{Coding, NameList, Written, mappings, object};
use fixtures::sound_wave::{Stored, object_after, recording};
use importer::open::GameMount;
use importer::{Budget, GameOptions, SoundFile, Status};
use modkit::pack::{PackedFile, pack_io_store, pack_pak, plan_io_store};
use modkit::replace::{
    EncodedRecording, Mod, ModKind, RecordingError, ReplaceOptions, Replacement, SoundError, replace,
};
use unreal::containers::Container;
use unreal::containers::iostore::IoStoreOptions;
use unreal::containers::mount::Mount;
use unreal::containers::pak::PakOptions;
use unreal::ue4to6::class::sound_wave::ReplaceError;
use unreal::{FileSource, KeyRing, Limits, Mappings, Memory, Source, Value, read_object};

/// A WAV file of a sawtooth.
fn wav(channels: u16, rate: u32, frames: u32) -> Vec<u8> {
    let spec = hound::WavSpec {
        channels,
        sample_rate: rate,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = std::io::Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
    (0..frames * u32::from(channels))
        .for_each(|n| writer.write_sample((n * 31 % 5000) as i16 - 2500).unwrap());
    writer.finalize().unwrap();
    file.into_inner()
}

fn samples(wav: &[u8]) -> (u16, u32, Vec<i16>) {
    let reader = hound::WavReader::new(wav).unwrap();
    let spec = reader.spec();
    (spec.channels, spec.sample_rate, reader.into_samples().map(Result::unwrap).collect())
}

fn pak(entries: Vec<PakEntry>) -> Container {
    let pak = PakWriter { entries, ..PakWriter::new(11) }.finish();
    Container::open_pak(Box::new(Memory(pak)), &KeyRing::default(), &mut Limits::default()).unwrap()
}

/// Mounts the files of a mod over a game.
fn with_mod(game: Container, files: &[PackedFile]) -> Mount {
    let options = PakOptions {
        form: "11".parse().unwrap(),
        mount: "../../../".to_owned(),
        method: None,
        encryption: None,
        game: None,
    };
    let out = std::io::Cursor::new(Vec::new());
    let packed = pack_pak(files, out, options, NonZeroUsize::MIN, &|_| true).unwrap().unwrap();
    let packed = Box::new(Memory(packed.into_inner()));
    let packed = Container::open_pak(packed, &KeyRing::default(), &mut Limits::default()).unwrap();
    Mount::new(vec![("Game.pak".to_owned(), game), ("Mod_P.pak".to_owned(), packed)])
}

/// The version of a package, and how its properties are written.
type Form = ((i32, u32, u32), Coding);

const FORMS: [Form; 9] = [
    ((-7, 516, 0), Coding::Simple),
    ((-7, 522, 0), Coding::Simple),
    ((-8, 522, 1004), Coding::Simple),
    ((-8, 522, 1008), Coding::Split),
    ((-8, 522, 1009), Coding::Split),
    ((-8, 522, 1012), Coding::Complete),
    ((-8, 522, 1013), Coding::Complete),
    ((-9, 522, 1017), Coding::Complete),
    ((-9, 522, 1018), Coding::Complete),
];

const PATH: &str = "Shooter/Content/Audio/SW_Steps";

/// The files of a package with a recording between two other objects.
fn package(form: Form, stored: Stored, format: &str, values: &[(&str, Written)]) -> Vec<PakEntry> {
    let ((first, engine_4, engine_5), coding) = form;
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let properties = object(coding, &mut names, "SoundWave", values);
    // It is cooked.
    let begin = [&properties[..], &1_u32.to_le_bytes()].concat();
    let number = names.number(format);
    let has_table = engine_5 >= 1009;
    let wave = object_after(&begin, stored, &recording(), number, has_table, 50);
    let writer = AssetWriter {
        is_unversioned: coding == Coding::Unversioned,
        names: names.0[6..].to_vec(),
        exports: vec![
            ("Before".to_owned(), 0, vec![9; 50]),
            ("SW_Steps".to_owned(), -2, wave.bytes),
            ("After".to_owned(), 0, vec![7; 30]),
        ],
        data: has_table.then_some(wave.data),
        ..AssetWriter::new(first, engine_4, engine_5)
    };
    let (header, objects) = writer.finish();
    let mut entries = vec![
        PakEntry::new(&format!("{PATH}.uasset"), &header),
        PakEntry::new(&format!("{PATH}.uexp"), &objects),
    ];
    if !wave.beside.is_empty() {
        entries.push(PakEntry::new(&format!("{PATH}.ubulk"), &wave.beside));
    }
    entries
}

fn replacement(wav: &[u8]) -> Replacement {
    Replacement { sound: "/Game/Audio/SW_Steps".to_owned(), recording: EncodedRecording::read(wav).unwrap() }
}

fn bytes_of_objects(mount: &Mount) -> Vec<Vec<u8>> {
    let entry = mount.at_path(&format!("{PATH}.uasset")).unwrap();
    let package = mount.open_package(entry, None, &mut Limits::default()).unwrap();
    let bytes = |number| {
        let range = package.range(number).unwrap();
        let mut bytes = vec![0; (range.end - range.start) as usize];
        package.source().read_at(range.start, &mut bytes).unwrap();
        bytes
    };
    (0..package.len()).map(bytes).collect()
}

#[test]
fn the_recording_that_was_given_is_heard_in_packages_of_every_form() {
    let stated = [
        ("NumChannels", Written::Int(1)),
        ("bLooping", Written::Bool(true)),
        ("Duration", Written::Float(0.136)),
        ("TotalSamples", Written::Float(3000.0)),
    ];
    for form in FORMS {
        for stored in [Stored::Streamed, Stored::StreamedWhole, Stored::InOnePiece] {
            for format in ["ADPCM_1A2B", "OGG"] {
                for wav in [wav(2, 44_100, 200_000), wav(1, 8000, 10)] {
                    let what = format!("{form:?} {stored:?} {format} {}", wav.len());
                    let game = || pak(package(form, stored, format, &stated));
                    let mount = Mount::new(vec![("Game.pak".to_owned(), game())]);
                    let made = replace(&mount, &[replacement(&wav)], ReplaceOptions::default());
                    let Mod { files, kind, .. } = made.unwrap_or_else(|(_, error)| panic!("{what}: {error}"));
                    assert_eq!(kind, ModKind::Pak("11".parse().unwrap()), "{what}");
                    let mounted = Arc::new(with_mod(game(), &files));
                    let file = SoundFile::open_game(
                        Arc::clone(&mounted),
                        "Game",
                        &GameOptions::default(),
                        Budget::default(),
                    );
                    let [sound] = file.sounds() else { panic!("{what}: {:?}", file.unread_packages()) };
                    assert_eq!(sound.status, Status::Ok, "{what}");
                    let payload = file.payload(1).unwrap();
                    assert!(samples(&payload) == samples(&wav), "{what}");
                    let objects = bytes_of_objects(&mounted);
                    assert_eq!(objects[0], [9; 50], "{what}");
                    assert_eq!(objects[2], [7; 30], "{what}");

                    let entry = mounted.at_path(&format!("{PATH}.uasset")).unwrap();
                    let package = mounted.open_package(entry, None, &mut Limits::default()).unwrap();
                    let object = read_object(&package, 1, None, &mut Limits::default()).unwrap();
                    let (channels, rate, all) = samples(&wav);
                    let frames = all.len() as f32 / f32::from(channels);
                    for (name, value) in [
                        ("NumChannels", Value::Int(channels.into())),
                        ("SampleRate", Value::Int(rate as i32)),
                        ("Duration", Value::Float(frames / rate as f32)),
                        ("TotalSamples", Value::Float(frames)),
                        ("bLooping", Value::Bool(true)),
                    ] {
                        assert_eq!(object.get(name), Some(&value), "{what} {:?}", object.properties);
                    }
                    let chooses = form.0.2 > 0 && format == "OGG";
                    let codec = Value::Name("ESoundAssetCompressionType::PCM".to_owned());
                    assert_eq!(object.get("SoundAssetCompressionType"), chooses.then_some(&codec), "{what}");
                }
            }
        }
    }
}

#[test]
fn a_sound_replaced_by_itself_is_as_it_was() {
    let stated = [
        ("NumChannels", Written::Int(1)),
        ("SampleRate", Written::Int(22_050)),
        ("Duration", Written::Float(3000.0 / 22_050.0)),
    ];
    for form in FORMS {
        let entries = package(form, Stored::InOnePiece, "ADPCM_1A2B", &stated);
        let mount = Mount::new(vec![("Game.pak".to_owned(), pak(entries))]);
        let before = bytes_of_objects(&mount);
        let made = replace(&mount, &[replacement(&recording())], ReplaceOptions::default()).unwrap();
        let after =
            bytes_of_objects(&with_mod(pak(package(form, Stored::InOnePiece, "X", &stated)), &made.files));
        assert!(before == after, "{form:?}");
    }
}

#[test]
fn the_sound_of_the_path_is_replaced_and_no_other_of_its_name() {
    let mut entries = package(FORMS[5], Stored::Streamed, "ADPCM_1A2B", &[]);
    let others = entries.clone().into_iter().map(|mut entry| {
        entry.path = entry.path.replace("Audio", "Ambient");
        entry
    });
    // The other one comes first in the container.
    entries.splice(0..0, others.collect::<Vec<_>>());
    let mount = Mount::new(vec![("Game.pak".to_owned(), pak(entries))]);
    let made = replace(&mount, &[replacement(&wav(1, 8000, 10))], ReplaceOptions::default()).unwrap();
    assert!(!made.has_editor_packages);
    let paths: Vec<&str> = made.files.iter().map(|file| file.entry.as_str()).collect();
    assert!(!paths.is_empty() && paths.iter().all(|path| path.starts_with(PATH)), "{paths:?}");
    // Objects of the package that are no sound, or are called otherwise.
    for object in ["Before", "Gone"] {
        let other = Replacement {
            sound: format!("/Game/Audio/SW_Steps.{object}"),
            recording: EncodedRecording::read(&*wav(1, 8000, 10)).unwrap(),
        };
        let (_, error) = replace(&mount, &[other], ReplaceOptions::default()).unwrap_err();
        assert!(matches!(error, SoundError::Unknown(_)), "{object}: {error}");
    }
}

#[test]
fn of_several_recordings_for_a_sound_the_last_is_heard() {
    let wavs = [wav(2, 44_100, 200_000), wav(1, 22_050, 90_000), wav(1, 8000, 500)];
    for form in FORMS {
        let game = || pak(package(form, Stored::Streamed, "ADPCM_1A2B", &[]));
        let mount = Mount::new(vec![("Game.pak".to_owned(), game())]);
        let all = wavs.each_ref().map(|wav| replacement(wav));
        let made = replace(&mount, &all, ReplaceOptions::default()).unwrap();
        let mounted = with_mod(game(), &made.files);
        let file = SoundFile::open_game(mounted, "Game", &GameOptions::default(), Budget::default());
        assert!(samples(&file.payload(1).unwrap()) == samples(&wavs[2]), "{form:?}");
    }
}

#[test]
fn two_sounds_of_a_package_are_replaced_one_behind_the_other() {
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let properties = object(Coding::Simple, &mut names, "SoundWave", &[]);
    let begin = [&properties[..], &1_u32.to_le_bytes()].concat();
    let number = names.number("ADPCM");
    let first = object_after(&begin, Stored::Streamed, &recording(), number, false, 0);
    let second = object_after(&begin, Stored::Streamed, &recording(), number, false, first.bytes.len());
    let exports = [("SW_Steps", first.bytes), ("SW_Other", second.bytes)];
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        exports: exports.map(|(name, bytes)| (name.to_owned(), -2, bytes)).to_vec(),
        ..AssetWriter::new(-7, 522, 0)
    };
    let (header, objects) = writer.finish();
    let files = [("uasset", &header), ("uexp", &objects), ("ubulk", &first.beside)];
    let game =
        || pak(files.map(|(ending, bytes)| PakEntry::new(&format!("{PATH}.{ending}"), bytes)).to_vec());
    let mount = Mount::new(vec![("Game.pak".to_owned(), game())]);
    // As many bytes each, and other ones.
    let mut wavs = [wav(1, 22_050, 400_000), wav(2, 44_100, 200_000)];
    wavs[1][44..].reverse();
    let of = |sound: &str, wav: &[u8]| Replacement { sound: sound.to_owned(), ..replacement(wav) };
    let both = [of("/Game/Audio/SW_Steps", &wavs[0]), of("/Game/Audio/SW_Steps.SW_Other", &wavs[1])];
    let made = replace(&mount, &both, ReplaceOptions::default()).unwrap();
    let mounted = with_mod(game(), &made.files);
    let file = SoundFile::open_game(mounted, "Game", &GameOptions::default(), Budget::default());
    let heard = file.sounds().iter().map(|sound| samples(&file.payload(sound.number).unwrap()));
    assert!(heard.eq(wavs.iter().map(|wav| samples(wav))));
}

#[test]
fn what_cannot_be_replaced_is_said() {
    let form = ((-8, 522, 1013), Coding::Unversioned);
    let entries = |values: &[(&str, Written)]| package(form, Stored::Streamed, "ADPCM_1A2B", values);
    let refused = |entries, sound: &str, mappings| {
        let mount = Mount::new(vec![("Game.pak".to_owned(), pak(entries))]);
        let replacement = Replacement { sound: sound.to_owned(), ..replacement(&recording()) };
        let options = ReplaceOptions { mappings, version: None };
        replace(&mount, &[replacement], options).unwrap_err()
    };
    let known = Mappings::read(&Memory(mappings(4)), &mut Limits::default()).unwrap();
    let stated = [("Volume", Written::Float(0.5))];
    let (place, error) = refused(entries(&stated), "/Game/Audio/SW_Gone", None);
    assert!(place == 0 && matches!(error, SoundError::Unknown(_)), "{error}");
    // The schema that is known is another: what it reads does not end where the recording begins.
    let (_, error) = refused(entries(&stated), "/Game/Audio/SW_Steps", None);
    assert!(matches!(error, SoundError::Replace(ReplaceError::NoSchema)), "{error}");
    // These mappings know no channels.
    let (_, error) = refused(entries(&stated), "/Game/Audio/SW_Steps", Some(&known));
    assert!(error.to_string().contains("no property NumChannels"), "{error}");
    // A property that is something else.
    let wrong = [("SampleRate", Written::Float(1.0))];
    let entries = package(FORMS[5], Stored::Streamed, "ADPCM_1A2B", &wrong);
    let (_, error) = refused(entries, "/Game/Audio/SW_Steps", None);
    assert!(error.to_string().contains("property SampleRate has another type"), "{error}");
}

#[test]
fn recordings_that_games_do_not_take_are_refused() {
    let written = |bits, format, channels, rate, count| {
        let spec =
            hound::WavSpec { channels, sample_rate: rate, bits_per_sample: bits, sample_format: format };
        let mut file = std::io::Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
        match format {
            Int => (0..count).for_each(|_| writer.write_sample(1_i32).unwrap()),
            Float => (0..count).for_each(|_| writer.write_sample(0.5_f32).unwrap()),
        }
        writer.finalize().unwrap();
        EncodedRecording::read(&file.into_inner()[..])
    };
    use hound::SampleFormat::{Float, Int};
    for (bits, format, stored) in [
        (24, Int, "24-bit 44100 Hz mono PCM"),
        (8, Int, "8-bit"),
        (32, Float, "32-bit 44100 Hz mono float PCM"),
    ] {
        let recording = written(bits, format, 1, 44_100, 4).unwrap();
        let conversion = recording.conversion().unwrap();
        assert!(conversion.starts_with(stored) && conversion.ends_with("to 16-bit PCM"), "{conversion}");
        assert_eq!(recording.frames(), 4);
    }
    assert_eq!(written(16, Int, 2, 44_100, 8).unwrap().conversion(), None);
    assert!(matches!(written(16, Int, 9, 44_100, 9), Err(RecordingError::Channels(9, 8))));
    let fast = |bits| written(bits, Int, 1, 384_000, 400).unwrap();
    let stored = |bits, how| Some(format!("{bits}-bit 384000 Hz mono PCM, {how}resampled to 192000 Hz"));
    for (bits, how) in [(16, ""), (24, "converted to 16-bit PCM, ")] {
        let recording = fast(bits);
        assert_eq!((recording.frames(), recording.conversion()), (200, stored(bits, how).as_deref()));
    }
    let conversion = written(24, Int, 6, 48_000, 60).unwrap().conversion().map(str::to_owned);
    let mixed = "24-bit 48000 Hz 6-channel PCM, mixed to stereo, converted to 16-bit PCM";
    assert_eq!(conversion.as_deref(), Some(mixed));
    assert_eq!(written(16, Int, 1, 192_000, 400).unwrap().conversion(), None);
    assert!(matches!(written(16, Int, 1, 44_100, 0), Err(RecordingError::Empty)));
    assert!(matches!(EncodedRecording::read(&b"RIFF"[..]), Err(RecordingError::Decode(_))));
    assert_eq!(written(16, Int, 2, 44_100, 8).unwrap().frames(), 4);
}

fn game(path: &Path) -> Arc<Mount> {
    GameMount::open(path, &KeyRing::default(), NonZeroUsize::MIN).unwrap().mount
}

#[test]
fn sounds_of_a_real_game_are_replaced_with_and_without_tags_and_mappings() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let source = FileSource::open(folder.join("Mappings/CUE4ParseFixtures-Uncompressed.usmap")).unwrap();
    let known = Mappings::read(&source, &mut Limits::with_structures(1 << 30)).unwrap();
    let wav = wav(2, 44_100, 150_000);
    for form in ["Tagged", "Unversioned"] {
        let mount = game(&folder.join("IoStore").join(form));
        let file =
            SoundFile::open_game(Arc::clone(&mount), "Game", &GameOptions::default(), Budget::default());
        let waves = file.sounds().iter().filter(|sound| sound.path().contains("/SW_"));
        let waves: Vec<_> = waves.map(|sound| (sound.number, sound.path())).collect();
        assert_eq!(waves.len(), 9);
        for (number, path) in waves {
            let recording = EncodedRecording::read(&wav[..]).unwrap();
            let replacement = Replacement { sound: path.clone(), recording };
            let made = |mappings| {
                let options = ReplaceOptions { version: None, mappings };
                replace(&mount, std::slice::from_ref(&replacement), options).unwrap()
            };
            let (without, with) = (made(None), made(Some(&known)));
            assert!(without.files == with.files, "{path}");
            assert!(matches!(without.kind, ModKind::IoStore(_)));
            // Its data is what was given, after the 46 bytes of its header.
            let data = without.files.iter().find(|file| file.entry.ends_with(".ubulk")).unwrap();
            assert_eq!(data.size, 600_000, "{path}");

            // A sound that is PCM already becomes what it was.
            let payload = file.payload(number).unwrap();
            if !payload.starts_with(b"RIFF") {
                continue;
            }
            let recording = EncodedRecording::read(&payload[..]).unwrap();
            let options = ReplaceOptions::default();
            let same = replace(&mount, &[Replacement { sound: path.clone(), recording }], options).unwrap();
            for file in same.files {
                let entry = mount.at_path(&file.entry).unwrap();
                let source = mount.container(entry).unwrap().open(entry.entry).unwrap();
                let mut before = vec![0; source.len() as usize];
                source.read_at(0, &mut before).unwrap();
                assert!(PackedFile::of_bytes(file.entry.clone(), before) == file, "{}", file.entry);
            }
        }
    }
}

/// Writes a mod in the kind of container that packages of 5 stand in.
fn written(game: &Mount, made: Mod) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let ModKind::IoStore(release) = made.kind else { panic!("{:?}", made.kind) };
    let plan = plan_io_store(made.files, "Mod_P", release, Some(game)).unwrap();
    let options = IoStoreOptions {
        version: release.toc,
        name: "Mod_P".to_owned(),
        mount: "../../../".to_owned(),
        method: None,
        encryption: None,
        partition_size: None,
    };
    let file = |extension: &str| folder.path().join("Mod_P").with_extension(extension);
    let open = |_| fs::File::create(file("ucas"));
    let table = pack_io_store(&plan, options, NonZeroUsize::MIN, open, &|_| true).unwrap().unwrap();
    fs::write(file("utoc"), table).unwrap();
    folder
}

/// A WAV file of two tones.
fn tone(channels: u16, rate: u32, frames: u32) -> Vec<u8> {
    let spec = hound::WavSpec {
        channels,
        sample_rate: rate,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = std::io::Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
    for frame in 0..frames {
        let at = f64::from(frame);
        let value = 9000.0 * (at * 0.03).sin() + 5000.0 * (at * 0.11).sin();
        (0..channels).for_each(|_| writer.write_sample(value as i16).unwrap());
    }
    writer.finalize().unwrap();
    file.into_inner()
}

#[test]
fn a_sound_that_is_opus_takes_another_as_opus() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    for form in ["Tagged", "Unversioned"] {
        let mount = game(&folder.join("IoStore").join(form));
        // Two chunks, and one.
        for (channels, rate, frames) in [(2, 48_000, 600_000_u32), (1, 16_000, 5001)] {
            let wav = tone(channels, rate, frames);
            let recording = EncodedRecording::read(&wav[..]).unwrap().into_opus().unwrap();
            let sound = "/Game/Fixtures/Audio/SW_Format_Opus".to_owned();
            let made = replace(&mount, &[Replacement { sound, recording }], ReplaceOptions::default());
            let made = made.unwrap_or_else(|(_, error)| panic!("{form}: {error}"));
            let folder = written(&mount, made);
            let mounted = game(folder.path());
            let file = SoundFile::open_game(mounted, "Mod", &GameOptions::default(), Budget::default());
            let [sound] = file.sounds() else { panic!("{form}: {:?}", file.unread_packages()) };
            assert_eq!(sound.status, Status::Ok, "{form}");
            let heard = file.sample(1).unwrap();
            let song::Recording::I16(planes) = heard.recording() else { panic!("{form}") };
            let left = planes.iter().next().unwrap();
            assert_eq!(left.len(), frames as usize);
            let given: Vec<f64> =
                samples(&wav).2.chunks(usize::from(channels)).map(|frame| frame[0].into()).collect();
            let differences = given.iter().zip(left).map(|(one, other)| (one - f64::from(*other)).powi(2));
            let power: f64 = given.iter().map(|value| value * value).sum();
            let ratio = 10.0 * (power / differences.sum::<f64>()).log10();
            assert!(ratio > 25.0, "{form}: {ratio} dB");
        }
        let recording = EncodedRecording::read(&wav(1, 48_000, 100)[..]).unwrap().into_opus().unwrap();
        let sound = "/Game/Fixtures/Audio/SW_Inline".to_owned();
        let (_, error) =
            replace(&mount, &[Replacement { sound, recording }], ReplaceOptions::default()).unwrap_err();
        assert!(error.to_string().contains("it is not Opus"), "{error}");
    }
    let odd = EncodedRecording::read(&wav(1, 44_100, 441)[..]).unwrap().into_opus().unwrap();
    assert_eq!((odd.frames(), odd.conversion().unwrap().contains("resampled to 48000 Hz")), (480, true));
    let wide = EncodedRecording::read(&wav(3, 48_000, 100)[..]).unwrap().into_opus();
    assert!(matches!(wide, Err(RecordingError::Channels(3, 2))));
}
