//! Sounds of packages of Unreal Engine 1 to 3 with other recordings.

use std::{fs, io};

use fixtures::corpus::corpus;
use fixtures::package::{PackageWriter, Tag, Wave};
use fixtures::package_reader::{self, ReadObject};
use importer::{Budget, ImportOptions, Sound, SoundFile};
use modkit::replace::{PackageError, PackageReplacement, RecordingError, WavFile, replace_in_package};
use unreal::ue1to3::class::replace::ReplaceWavError;
use unreal::ue1to3::class::sound_node_wave;
use unreal::{Limits, Memory, Object, Package, PackageOptions, Source, Value};

/// A WAV file of a sawtooth, of 8 or 16 bits.
fn wav(bits: u16, channels: u16, rate: u32, frames: u32) -> Vec<u8> {
    let sample_format = hound::SampleFormat::Int;
    let spec = hound::WavSpec { channels, sample_rate: rate, bits_per_sample: bits, sample_format };
    let mut file = io::Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
    (0..frames * u32::from(channels)).for_each(|n| writer.write_sample((n % 100) as i8).unwrap());
    writer.finalize().unwrap();
    file.into_inner()
}

fn replaced(bytes: &[u8], sound: &Sound, wav: &[u8]) -> Result<Vec<u8>, PackageError> {
    let wav = WavFile::new(wav.to_vec()).unwrap();
    let replacement = PackageReplacement { sound: sound.object.clone(), wav };
    replace_in_package(&Memory(bytes), PackageOptions::default(), &[replacement]).map_err(|(_, error)| error)
}

fn open(bytes: &[u8]) -> SoundFile {
    let source = Memory(bytes.to_vec());
    SoundFile::open_with(source, "Package", ImportOptions::default(), Budget::default()).unwrap()
}

/// What each sound is stored as.
fn payloads(bytes: &[u8]) -> Vec<Option<Vec<u8>>> {
    let file = open(bytes);
    file.sounds().iter().map(|sound| file.payload(sound.number).ok()).collect()
}

#[test]
fn a_sound_of_a_real_package_is_replaced_and_all_else_stays() {
    let Some(folder) = corpus("packages") else { return };
    let (mut checked, mut refused, mut second) = (0, 0, 0);
    for subfolder in
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for path in fs::read_dir(subfolder).unwrap().map(|entry| entry.unwrap().path()) {
            let what = path.display();
            let bytes = fs::read(&path).unwrap();
            let source = Memory(bytes.clone());
            let Ok(file) =
                SoundFile::open_with(source.clone(), "Package", ImportOptions::default(), Budget::default())
            else {
                continue;
            };
            let is_wave = |sound: &&Sound| sound.recording().is_some();
            let Some(sound) = file.sounds().iter().find(is_wave) else { continue };
            for new in [wav(8, 1, 11_025, 50), wav(16, 2, 44_100, 300_000)] {
                let made = match replaced(&bytes, sound, &new) {
                    Ok(made) => made,
                    Err(PackageError::Replace(
                        ReplaceWavError::Format(_) | ReplaceWavError::Unsupported(_),
                    )) => {
                        refused += 1;
                        continue;
                    }
                    Err(error) => panic!("{what}: {}: {error}", sound.path()),
                };
                let (before, after) = (payloads(&bytes), payloads(&made));
                assert_eq!(before.len(), after.len(), "{what}");
                for (number, (before, after)) in (1..).zip(before.iter().zip(&after)) {
                    if number == sound.number {
                        assert!(after.as_ref() == Some(&new), "{what}: {}", sound.path());
                    } else {
                        assert!(before == after, "{what}: {number}");
                    }
                }
                checked += 1;
                if let (Some(before), Some(after)) =
                    (package_reader::read(&bytes), package_reader::read(&made))
                {
                    compare(&before, &after, &new, &what.to_string());
                    second += 1;
                }
            }
        }
    }
    assert!(checked > 0 && second > 0);
    eprintln!("{checked} packages with another sound, {second} read by the other reader, {refused} refused");
}

/// Checks that one object differs, and holds a file.
fn compare(before: &[ReadObject], after: &[ReadObject], wav: &[u8], what: &str) {
    assert_eq!(before.len(), after.len(), "{what}");
    let changed: Vec<(&ReadObject, &ReadObject)> =
        before.iter().zip(after).filter(|(before, after)| before != after).collect();
    let [(old, new)] = changed[..] else { panic!("{what}: {} objects changed", changed.len()) };
    assert_eq!((&old.name, &old.class), (&new.name, &new.class), "{what}");
    let at = new.body.windows(wav.len()).position(|part| part == wav);
    let at = at.unwrap_or_else(|| panic!("{what}: {} does not hold the file", new.name));
    // Where data ends is stated before it, from version 63 on, as a place in the file.
    let end = (new.at + at + wav.len()) as u32;
    let states_end = |body: &[u8]| body.windows(4).any(|word| word == end.to_le_bytes());
    let old_end = old.at + old.body.len();
    let stated_before = old.body.windows(4).any(|word| word == (old_end as u32).to_le_bytes());
    assert!(!stated_before || states_end(&new.body[..at]), "{what}: {}", new.name);
}

#[test]
fn a_sound_replaced_by_itself_gives_the_same_package() {
    let Some(folder) = corpus("packages") else { return };
    let mut same = 0;
    for subfolder in
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for path in fs::read_dir(subfolder).unwrap().map(|entry| entry.unwrap().path()) {
            let bytes = fs::read(&path).unwrap();
            let source = Memory(bytes.clone());
            let Ok(file) =
                SoundFile::open_with(source.clone(), "Package", ImportOptions::default(), Budget::default())
            else {
                continue;
            };
            for sound in
                file.sounds().iter().filter(|sound| sound.file_type.eq_ignore_ascii_case("wav")).take(3)
            {
                let Ok(payload) = file.payload(sound.number) else { continue };
                let Ok(wav) = WavFile::kept(payload) else { continue };
                let replacement = PackageReplacement { sound: sound.object.clone(), wav };
                let made = replace_in_package(&source, PackageOptions::default(), &[replacement]);
                let Ok(made) = made else { continue };
                assert!(made == bytes, "{}: {}", path.display(), sound.path());
                same += 1;
            }
        }
    }
    assert!(same > 10, "{same}");
}

#[test]
fn sounds_are_replaced_in_packages_of_every_version() {
    let old = wav(16, 1, 22_050, 400);
    for version in [35, 50, 61, 62, 63, 64, 68, 69, 99, 118, 126, 128] {
        for new in [wav(8, 1, 11_025, 50), wav(16, 2, 44_100, 300_000), wav(16, 1, 8000, 400)] {
            let mut package = PackageWriter::new(version);
            package.sound("First", None, "WAV", &old);
            package.sound("Second", None, "wav", &old);
            package.sound("Third", None, "OGG", b"OggS and so on");
            let bytes = package.finish();
            let file = open(&bytes);
            let (before, what) = (payloads(&bytes), format!("{version}, {} bytes", new.len()));
            let made =
                replaced(&bytes, &file.sounds()[1], &new).unwrap_or_else(|error| panic!("{what}: {error}"));
            let after = payloads(&made);
            assert!(after == [before[0].clone(), Some(new.clone()), before[2].clone()], "{what}");
            if new.len() <= old.len() {
                assert_eq!(made.len(), bytes.len(), "{what}");
            }
            let error = replaced(&bytes, &file.sounds()[2], &new).unwrap_err();
            assert_eq!(error.to_string(), "is stored as OGG, for which there is no encoder", "{what}");
            // Several, one after the other.
            let all: Vec<PackageReplacement> = [0, 1]
                .map(|number: usize| {
                    let wav = WavFile::new(new.clone()).unwrap();
                    PackageReplacement { sound: file.sounds()[number].object.clone(), wav }
                })
                .into();
            let made = replace_in_package(&Memory(&bytes), PackageOptions::default(), &all).unwrap();
            assert!(payloads(&made)[..2] == [Some(new.clone()), Some(new.clone())], "{what}");
        }
    }
}

#[test]
fn waves_of_engine_3_take_a_raw_stream_and_lose_the_others() {
    let old = wav(16, 1, 22_050, 400);
    for version in [512, 576, 584, 673, 813, 845, 868] {
        for new in [wav(8, 1, 11_025, 50), wav(16, 2, 44_100, 300_000)] {
            let mut package = PackageWriter::new(version);
            for name in ["First", "Second", "Third"] {
                let tags = vec![
                    Tag::float("Duration", 1.0),
                    Tag::new("NumChannels", "IntProperty", &1_i32.to_le_bytes()),
                    Tag::new("SampleRate", "IntProperty", &22_050_i32.to_le_bytes()),
                ];
                let channels = [Vec::new(), Vec::new()];
                package.wave(&Wave { tags, channels, tail: b"tail", ..Wave::new(name, b"", &old) });
            }
            let bytes = package.finish();
            let file = open(&bytes);
            let (before, what) = (payloads(&bytes), format!("{version}, {} bytes", new.len()));
            let made =
                replaced(&bytes, &file.sounds()[1], &new).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(payloads(&made) == [before[0].clone(), Some(new.clone()), before[2].clone()], "{what}");
            let source = Memory(made);
            let limits = &mut Limits::default();
            let package = Package::open(&source, limits).unwrap();
            let export = package.export_indices().nth(1).unwrap();
            let object = &mut Object { package: &package, source: &source, export, limits };
            let wave = sound_node_wave::read(object).unwrap();
            assert_eq!(wave.tail, 4, "{what}");
            let other = |stream: &&sound_node_wave::PlatformStream| stream.bulk.payload().is_some();
            let there: Vec<_> = wave.streams.iter().filter(other).map(|stream| stream.platform).collect();
            assert_eq!(there, [sound_node_wave::Platform::Raw], "{what}");
            let (channels, rate) = if new.len() > 1000 { (2, 44_100) } else { (1, 11_025) };
            let seconds = if channels == 2 { 300_000.0 / 44_100.0 } else { 50.0 / 11_025.0_f32 };
            for (name, value) in [
                ("NumChannels", Value::Int(channels)),
                ("SampleRate", Value::Int(rate)),
                ("Duration", Value::Float(seconds)),
            ] {
                assert_eq!(wave.property(name).map(|property| &property.value), Some(&value), "{what}");
            }
        }
    }
}

/// A RIFF chunk with its pad byte.
fn chunk(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [&id[..], &(body.len() as u32).to_le_bytes(), body, &vec![0; body.len() % 2]].concat()
}

/// A WAV file of these RIFF chunks.
fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    let body = chunks.concat();
    [&b"RIFF"[..], &(body.len() as u32 + 4).to_le_bytes(), b"WAVE", &body].concat()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The format of 16 bits at 8000 Hz, mono.
fn format() -> Vec<u8> {
    chunk(b"fmt ", &words(&[1 | 1 << 16, 8000, 16_000, 2 | 16 << 16]))
}

/// Replaces a sound of a small package; returns what it is stored as.
fn stored(wav: &[u8]) -> Vec<u8> {
    let mut package = PackageWriter::new(69);
    package.sound("Kick", None, "WAV", &self::wav(16, 1, 22_050, 400));
    let bytes = package.finish();
    let made = replaced(&bytes, &open(&bytes).sounds()[0], wav).unwrap();
    payloads(&made)[0].clone().unwrap()
}

#[test]
fn a_wav_file_that_claims_more_than_it_has_is_stored_as_the_frames_that_are_there() {
    let honest = riff(&[format(), chunk(b"data", &[5; 9600])]);
    assert_eq!(stored(&honest), honest);
    for claimed in [9602_u32, 2_000_000_000, 4_000_000_000, u32::MAX] {
        let mut wav = honest.clone();
        wav[4..8].copy_from_slice(&claimed.to_le_bytes());
        wav[40..44].copy_from_slice(&claimed.to_le_bytes());
        assert_eq!(stored(&wav), honest, "{claimed}");
        let error = WavFile::kept(wav).unwrap_err();
        assert!(matches!(error, RecordingError::Read(_)), "{error}");
    }
}

#[test]
fn a_wav_file_of_200_000_riff_chunks_is_stored_without_them() {
    let honest = riff(&[format(), chunk(b"data", &[5; 9600])]);
    let many = chunk(b"junk", b"").repeat(200_000);
    for wav in [
        riff(&[many.clone(), format(), chunk(b"data", &[5; 9600])]),
        riff(&[format(), many.clone(), chunk(b"data", &[5; 9600])]),
        riff(&[format(), chunk(b"data", &[5; 9600]), many.clone()]),
    ] {
        assert_eq!(stored(&wav), honest);
        let error = WavFile::kept(wav).unwrap_err().to_string();
        assert!(error.contains("more than 1024 chunks"), "{error}");
    }
}

#[test]
fn loops_root_key_and_cue_points_of_a_wav_file_are_stored() {
    // Manufacturer, product, period, key, fraction, format and offset of time, loops, other bytes; then the loop.
    let smpl = words(&[0, 0, 125_000, 64, 0, 0, 0, 1, 0, 0, 0, 10, 99, 0, 0]);
    let cue = words(&[
        2,
        1,
        10,
        u32::from_le_bytes(*b"data"),
        0,
        0,
        10,
        2,
        4800,
        u32::from_le_bytes(*b"data"),
        0,
        0,
        4800,
    ]);
    let whole = riff(&[format(), chunk(b"data", &[5; 9600]), chunk(b"smpl", &smpl), chunk(b"cue ", &cue)]);
    assert_eq!(stored(&whole), whole);
    // Points beyond the end, and those that are counted but not there, are left out.
    let mut cue = cue;
    cue[0] = 9;
    cue.extend(words(&[3, 4801, u32::from_le_bytes(*b"data"), 0, 0, 4801, 4]));
    let list = chunk(b"LIST", b"INFOICMT\x03\0\0\0Hi\0\0");
    let wav =
        riff(&[list, format(), chunk(b"smpl", &smpl), chunk(b"data", &[5; 9600]), chunk(b"cue ", &cue)]);
    assert_eq!(stored(&wav), whole);
    assert_eq!(payload_kept(&wav), wav);
}

/// Replaces a sound of a small package by the bytes of a file; returns what it is stored as.
fn payload_kept(wav: &[u8]) -> Vec<u8> {
    let mut package = PackageWriter::new(69);
    package.sound("Kick", None, "WAV", &self::wav(16, 1, 22_050, 400));
    let bytes = package.finish();
    let sound = open(&bytes).sounds()[0].object.clone();
    let replacement = PackageReplacement { sound, wav: WavFile::kept(wav.to_vec()).unwrap() };
    let made = replace_in_package(&Memory(&bytes), PackageOptions::default(), &[replacement]).unwrap();
    payloads(&made)[0].clone().unwrap()
}

/// A package that another program writes to: its tables are read before, and all of it is copied after.
struct Changing {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Source for Changing {
    fn len(&self) -> u64 {
        self.before.len() as u64
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let is_copied = into.len() == self.before.len();
        Memory(if is_copied { &self.after } else { &self.before }).read_at(at, into)
    }
}

#[test]
fn a_changed_package_is_only_returned_if_its_sound_is_what_was_put_in() {
    let data = |byte: u8| chunk(b"data", &[byte; 9600]);
    let of_rate = |rate: u32| chunk(b"fmt ", &words(&[1 | 1 << 16, rate, 2 * rate, 2 | 16 << 16]));
    let of_bytes = chunk(b"fmt ", &words(&[1 | 1 << 16, 8000, 8000, 1 | 8 << 16]));
    let loop_to = |end: u32| {
        let smpl = words(&[0, 0, 125_000, 64, 0, 0, 0, 1, 0, 0, 0, 10, end, 0, 0]);
        riff(&[format(), data(5), chunk(b"smpl", &smpl)])
    };
    let plain = riff(&[format(), data(5)]);
    for (what, new, other) in [
        ("frames", plain.clone(), riff(&[format(), data(6)])),
        ("the number of frames", plain.clone(), riff(&[format(), chunk(b"data", &[5; 9598])])),
        ("the rate", plain.clone(), riff(&[of_rate(8001), data(5)])),
        ("bits", plain.clone(), riff(&[of_bytes, chunk(b"data", &[5; 4800])])),
        ("a loop", plain.clone(), loop_to(99)),
        ("the end of a loop", loop_to(98), loop_to(99)),
        ("nothing", plain.clone(), plain.clone()),
    ] {
        let mut package = PackageWriter::new(69);
        package.sound("First", None, "WAV", &wav(16, 1, 22_050, 40_000));
        package.sound("Other", None, "WAV", &other);
        let before = package.finish();
        let sound = open(&before).sounds()[0].object.clone();
        // The two sounds exchange their names.
        let place = |name: &[u8]| before.windows(5).position(|part| part == name).unwrap();
        let (first, second) = (place(b"First"), place(b"Other"));
        let mut after = before.clone();
        after[first..first + 5].copy_from_slice(b"Other");
        after[second..second + 5].copy_from_slice(b"First");
        let replacement = PackageReplacement { sound, wav: WavFile::new(new).unwrap() };
        let source = Changing { before, after };
        let made = replace_in_package(&source, PackageOptions::default(), &[replacement]);
        match made {
            Ok(_) => assert_eq!(what, "nothing"),
            Err((0, PackageError::Differs)) => assert_ne!(what, "nothing"),
            Err(error) => panic!("{what}: {error:?}"),
        }
    }
}

#[test]
fn a_changed_package_that_has_lost_its_sound_or_cannot_be_read_is_refused() {
    let mut package = PackageWriter::new(69);
    package.sound("First", None, "WAV", &wav(16, 1, 22_050, 40_000));
    let before = package.finish();
    let sound = open(&before).sounds()[0].object.clone();
    let replacements = [PackageReplacement { sound, wav: WavFile::new(wav(16, 1, 22_050, 400)).unwrap() }];
    let made = |after: Vec<u8>| {
        let source = Changing { before: before.clone(), after };
        replace_in_package(&source, PackageOptions::default(), &replacements)
    };
    let mut renamed = before.clone();
    let at = before.windows(5).position(|part| part == b"First").unwrap();
    renamed[at..at + 5].copy_from_slice(b"Fired");
    let error = made(renamed).unwrap_err();
    assert!(matches!(error, (0, PackageError::Unknown)), "{error:?}");
    let mut damaged = before.clone();
    damaged[..4].fill(0);
    let error = made(damaged).unwrap_err();
    assert!(matches!(error, (0, PackageError::ReadBack(_))), "{error:?}");
}

#[test]
fn packages_that_are_not_written_are_refused() {
    let old = wav(16, 1, 22_050, 400);
    let mut package = PackageWriter::new(868);
    package.wave(&Wave { channels: [Vec::new(), Vec::new()], ..Wave::new("Kick", &old, b"") });
    package.big_endian = true;
    let bytes = package.finish();
    let error = replaced(&bytes, &open(&bytes).sounds()[0], &old).unwrap_err();
    assert_eq!(error.to_string(), "its package is of a console, which is not written");
    for (wav, reason) in [
        (wav(16, 3, 22_050, 9), "3 channels"),
        (wav(16, 1, 22_050, 0), "no frames"),
        (b"RIFF".to_vec(), "no audio file that can be read"),
    ] {
        let error = WavFile::new(wav).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    for (wav, conversion) in [
        (wav(24, 1, 22_050, 9), "24-bit 22050 Hz mono PCM, converted to 16-bit PCM"),
        (wav(16, 1, 96_000, 9), "16-bit 96000 Hz mono PCM, resampled to 48000 Hz"),
    ] {
        assert_eq!(WavFile::new(wav).unwrap().conversion(), Some(conversion));
    }
}
