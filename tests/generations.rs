//! Packages of all generations as the importer lists them: every object, its best bytes, and why it cannot be played.

use fixtures::compressed::{Method, chunk, chunked};
use fixtures::package::{Bulk, Object, PackageWriter, Property, Sound, Tag, Wave};
use fixtures::streams::Mpeg;
use fixtures::wave::{self, Values};
use importer::{Budget, Codec, Format, Platform, SoundFile, Status};
use song::Recording;
use unreal::{Game, Memory, PackageOptions};

fn recording() -> Vec<u8> {
    wave::Wave::new(13_000, 1, Values::I16(vec![1, -2, 3, -4])).finish()
}

fn sounds(bytes: &[u8], look: impl FnOnce(&SoundFile)) {
    look(&SoundFile::open(Memory(bytes.to_vec()), "Test", Budget::default()).unwrap());
}

#[test]
fn a_raw_recording_of_unreal_engine_3_is_decoded_also_out_of_chunks() {
    let mut package = PackageWriter::new(868);
    let group = package.group("Sounds", None);
    package.wave(&Wave { group: Some(group), ..Wave::new("Kick", &recording(), b"OggS") });
    for bytes in [package.finish(), chunked(&package, Method::Lzo, 2, 300).bytes] {
        sounds(&bytes, |sounds| {
            let sound = &sounds.sounds()[0];
            assert_eq!(
                (sound.path().as_str(), sound.class.name(), &sound.status),
                ("Sounds.Kick", "SoundNodeWave", &Status::Ok)
            );
            assert_eq!(sound.stream(), Some(Platform::Raw));
            assert_eq!(sounds.payload(1).unwrap(), recording());
            let sample = sounds.sample(1).unwrap();
            let Recording::I16(planes) = sample.recording() else { panic!() };
            assert_eq!(planes.iter().next().unwrap(), [1, -2, 3, -4]);
            assert_eq!(sample.rate().get(), 13_000);
        });
    }
}

#[test]
fn compressed_data_is_described_decoded_and_taken_out_without_compression() {
    let stored = chunk(Method::Lzo, &recording(), 16, false).bytes;
    let mut wave = Wave::new("Kick", b"", b"");
    let elements = Some(u32::try_from(recording().len()).unwrap());
    wave.bulks[0] = Bulk { flags: 0x10, elements, data: &stored };
    let mut package = PackageWriter::new(868);
    package.wave(&wave);
    sounds(&package.finish(), |sounds| {
        assert_eq!(sounds.sounds()[0].status, Status::Ok);
        assert_eq!(sounds.payload(1).unwrap(), recording());
        assert_eq!(sounds.sample(1).unwrap().length().get(), 4);
    });
}

/// Sizes, then fields that a header of the engine has, high ends first.
fn xma2(loop_begin: u32) -> Vec<u8> {
    let mut bytes = [0x34_u32, 0, 64].map(u32::to_be_bytes).concat();
    bytes.extend([0x01, 0x66, 0, 1]);
    bytes.extend(22_050_u32.to_be_bytes());
    bytes.resize(52, 0);
    bytes.extend([loop_begin, 3712].map(u32::to_be_bytes).concat());
    bytes.resize(128, 0);
    bytes
}

/// Returns the older header of a version, with a stream of two channels and one of one.
fn old_xma2(version: u8) -> Vec<u8> {
    let streams = if version == 3 { 32 } else { 40 };
    let mut bytes = [48_u32, 4, 16].map(u32::to_be_bytes).concat();
    bytes.extend([version, 2]);
    bytes.resize(12 + 48 + 4 + 16, 0);
    bytes[24..28].copy_from_slice(&32_000_u32.to_be_bytes());
    bytes[12 + streams] = 2;
    bytes[12 + streams + 4] = 1;
    bytes
}

fn msf(codec: u32, sizes: bool, stream: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; if sizes { 16 } else { 0 }];
    bytes.extend(b"MSF\x02");
    let size = u32::try_from(stream.len()).unwrap();
    bytes.extend([codec, 2, size, 48_000].map(u32::to_be_bytes).concat());
    bytes.resize(if sizes { 80 } else { 64 }, 0);
    bytes.extend(stream);
    bytes
}

fn xa() -> Vec<u8> {
    let mut bytes = b"XAJ\0".to_vec();
    bytes.extend(4000_u32.to_le_bytes());
    bytes.extend([1, 0, 2, 0]);
    bytes.extend([22_050_u32, 88_200].map(u32::to_le_bytes).concat());
    bytes.extend([4, 0, 16, 0]);
    bytes.resize(100, 0);
    bytes
}

#[test]
fn what_is_not_decoded_is_named_with_what_its_head_says() {
    let stream = [0; 6 * 2 * 192];
    let cases = [
        (2, xma2(384), Format::Xma2, Codec::Xma2, 22_050, 1, Some(3712)),
        (2, xma2(385), Format::Xma2, Codec::Xma2, 22_050, 1, None),
        (2, old_xma2(3), Format::Xma2, Codec::Xma2, 32_000, 3, None),
        (2, old_xma2(4), Format::Xma2, Codec::Xma2, 32_000, 3, None),
        (3, msf(5, false, &stream[..304]), Format::Msf, Codec::Atrac3, 48_000, 2, Some(1024)),
        (3, msf(6, true, &stream), Format::Msf, Codec::Atrac3, 48_000, 2, Some(6 * 1024)),
        (3, msf(3, false, &stream[..320]), Format::Msf, Codec::AdpcmPsx, 48_000, 2, Some(280)),
        (3, msf(0, false, &stream[..8]), Format::Msf, Codec::PcmS16, 48_000, 2, Some(2)),
        (0, xa(), Format::Xa, Codec::AdpcmXa, 22_050, 2, Some(1000)),
    ];
    for (place, bytes, format, codec, rate, channels, frames) in &cases {
        let mut wave = Wave::new("Kick", b"", b"");
        wave.bulks[*place] = Bulk::new(bytes);
        let mut package = PackageWriter::new(868);
        package.wave(&wave);
        sounds(&package.finish(), |sounds| {
            let sound = &sounds.sounds()[0];
            let audio = sound.audio().unwrap();
            assert_eq!((sound.format(), audio.codec, audio.frames), (Some(*format), *codec, *frames));
            assert_eq!((audio.rate.get(), audio.channels), (*rate, *channels));
            assert_eq!(sound.status.name(), "unsupported", "{codec:?}");
            assert_eq!(&sounds.payload(1).unwrap(), bytes);
        });
    }
}

#[test]
fn mp3_and_plain_values_in_msf_are_decoded_with_and_without_sizes_in_front() {
    let frames = Mpeg { frames: 3, ..Mpeg::default() }.finish();
    let values = [1_i16, -1, 2, -2].map(i16::to_le_bytes).concat();
    for sizes in [false, true] {
        for (bytes, codec, rate, length, repairs) in [
            (msf(7, sizes, &frames), Codec::Mp3, 44_100, 3 * 1152, 0),
            (msf(1, sizes, &values), Codec::PcmS16, 48_000, 2, 0),
            (msf(7, sizes, &frames).split_last().unwrap().1.to_vec(), Codec::Mp3, 44_100, 2 * 1152, 2),
        ] {
            let mut wave = Wave::new("Kick", b"", b"");
            wave.bulks[3] = Bulk::new(&bytes);
            let mut package = PackageWriter::new(868);
            package.wave(&wave);
            sounds(&package.finish(), |sounds| {
                let sound = &sounds.sounds()[0];
                assert_eq!(
                    (&sound.status, sound.repairs.len()),
                    (&Status::Ok, repairs),
                    "{:?}",
                    sound.repairs
                );
                assert_eq!(sound.audio().unwrap().codec, codec);
                let sample = sounds.sample(1).unwrap();
                assert_eq!((sample.rate().get(), sample.length().get()), (rate, length));
            });
        }
    }
}

#[test]
fn a_header_of_msf_that_is_cut_off_is_no_panic() {
    let whole = msf(7, true, &Mpeg { frames: 2, ..Mpeg::default() }.finish());
    for length in 19..whole.len() {
        let mut package = PackageWriter::new(868);
        package.wave(&Wave::new("Kick", &whole[..length], b""));
        sounds(&package.finish(), |sounds| drop(sounds.sample(1)));
    }
}

#[test]
fn a_header_of_msf_that_cannot_be_is_damage_and_says_why() {
    let stream = [0; 400];
    let with = |codec: u32, at: usize, number: u32| {
        let mut bytes = msf(codec, false, &stream);
        bytes[at..at + 4].copy_from_slice(&number.to_be_bytes());
        bytes
    };
    for (bytes, status, reason) in [
        (with(1, 8, 0), "damaged", "an MSF stream of 0 channels at 48000 Hz"),
        (with(3, 8, 65_537), "damaged", "an MSF stream of 65537 channels at 48000 Hz"),
        (with(5, 16, 0), "damaged", "an MSF stream of 2 channels at 0 Hz"),
        (msf(1, false, &stream)[..60].to_vec(), "damaged", "an MSF header of 60 bytes, 64 belong there"),
        (with(1, 8, 3), "unsupported", "PCM of 3 channels in MSF is not decoded"),
        (with(0, 8, 3), "unsupported", "only little-endian PCM in MSF is decoded"),
    ] {
        let mut wave = Wave::new("Kick", b"", b"");
        wave.bulks[3] = Bulk::new(&bytes);
        let mut package = PackageWriter::new(868);
        package.wave(&wave);
        sounds(&package.finish(), |sounds| {
            let found = &sounds.sounds()[0].status;
            assert_eq!(found.name(), status, "{reason}");
            assert!(found.reason().unwrap().contains(reason), "{found:?} is not {reason}");
        });
    }
}

fn reasons(bytes: &[u8]) -> Vec<(String, &'static str, String)> {
    let mut reasons = Vec::new();
    sounds(bytes, |sounds| {
        for sound in sounds.sounds() {
            reasons.push((
                sound.path(),
                sound.status.name(),
                sound.status.reason().unwrap_or_default().to_owned(),
            ));
        }
    });
    reasons
}

#[test]
fn audio_that_is_not_in_the_package_is_said_to_be_elsewhere() {
    let mut wave = Wave::new("Kick", b"", b"");
    wave.bulks[1] = Bulk { flags: 1, elements: Some(99), data: b"" };
    let mut package = PackageWriter::new(868);
    package.wave(&wave);
    package.wave(&Wave::new("Empty", b"", b""));
    let sounds = reasons(&package.finish());
    assert_eq!((sounds[0].1, sounds[0].2.as_str()), ("unsupported", "its audio lies in another file"));
    assert_eq!((sounds[1].1, sounds[1].2.as_str()), ("empty", "the package holds no data for it"));

    let mut package = PackageWriter::new(100);
    package.version |= 58 << 16;
    package.sound("Kick", None, "WAV", &recording());
    package.sound("Snare", None, "WAV", &recording());
    let sounds = reasons(&package.written().with_u32("body 0.skip", 7).bytes);
    assert_eq!((sounds[0].1, sounds[0].2.as_str()), ("unsupported", "its audio lies outside of the package"));
    assert_eq!(sounds[1].1, "ok", "audio that is there is audio");
}

#[test]
fn a_damaged_sound_leaves_the_others_alone() {
    let mut package = PackageWriter::new(868);
    package.wave(&Wave::new("Kick", &recording(), b""));
    package.wave(&Wave::new("Snare", &recording(), b""));
    let bytes = package.written().with_u32("body 0.bulk 0.stored", 99_999).bytes;
    let statuses: Vec<_> = reasons(&bytes).into_iter().map(|(_, status, _)| status).collect();
    assert_eq!(statuses, ["damaged", "ok"]);
}

#[test]
fn what_a_wave_says_in_words_is_noted() {
    let text = |text: &str| {
        let length = i32::try_from(text.len() + 1).unwrap().to_le_bytes();
        [&length, text.as_bytes(), &[0]].concat()
    };
    let mut package = PackageWriter::new(868);
    let [name, kind, none] = ["Text", "StrProperty", "None"].map(|text| package.name(text));
    let line = text("Over here!");
    let size = i32::try_from(line.len()).unwrap();
    let words = [1, name, 0, kind, 0, size, 0].map(i32::to_le_bytes).concat();
    let subtitles = [words, line, [none, 0].map(i32::to_le_bytes).concat()].concat();
    let tags = vec![
        Tag::new("SourceFilePath", "StrProperty", &text("..\\kick.wav")),
        Tag::new("SpokenText", "StrProperty", &text("Hello")),
        Tag::new("Subtitles", "ArrayProperty", &subtitles),
    ];
    package.wave(&Wave { tags, ..Wave::new("Kick", &recording(), b"") });
    sounds(&package.finish(), |sounds| {
        let expected = ["imported from: ..\\kick.wav", "spoken: Hello", "subtitle: Over here!"];
        assert_eq!(sounds.sounds()[0].notes, expected);
        assert_eq!(sounds.sounds()[0].status, Status::Ok);
    });
}

#[test]
fn a_level_tells_its_song_and_the_actors_that_hum() {
    let mut package = PackageWriter::new(69);
    let song = package.import("Engine", "Music", None, "Ambience");
    let wind = package.import("Engine", "Sound", None, "Wind");
    let reference = |object: Object| [u8::try_from(-object.0).unwrap() | 0x80];
    let actor = |class: &'static str, name: &'static str, properties| Sound {
        class,
        properties,
        state_frame: Some(1),
        ..Sound::new(name, "WAV", b"")
    };
    let info = vec![Property::new("Song", 0x05, &reference(song)), Property::new("SongSection", 0x01, &[3])];
    package.add(&actor("LevelInfo", "LevelInfo0", info));
    let hum = vec![
        Property::new("AmbientSound", 0x05, &reference(wind)),
        Property::new("SoundRadius", 0x01, &[64]),
    ];
    package.add(&actor("Light", "Light7", hum));
    package.add(&actor("Light", "Light8", Vec::new()));
    sounds(&package.finish(), |sounds| {
        let lines: Vec<_> = sounds.level().into_iter().map(|r| format!("{}: {}", r.object, r.text)).collect();
        let expected =
            ["LevelInfo0: its song is Ambience, from section 3", "Light7: sounds like Wind, radius 64"];
        assert_eq!(lines, expected);
    });
}

#[test]
fn what_the_user_knows_reaches_the_reader() {
    let mut package = PackageWriter::new(80);
    package.add(&Sound { extra_words: vec![0; 6], ..Sound::new("Kick", "WAV", &recording()) });
    let options = PackageOptions { game: Some(Game::Undying), ..PackageOptions::default() };
    let source = Memory(package.finish());
    let sounds = SoundFile::open_with(source, "Test", options, Budget::default()).unwrap();
    assert_eq!(sounds.package().unwrap().layout().game, Some(Game::Undying));
    assert_eq!(sounds.sounds()[0].status, Status::Ok);
}

#[test]
fn what_is_inferred_of_a_sound_is_noted() {
    let notes = |package: &PackageWriter| {
        let mut notes = Vec::new();
        sounds(&package.finish(), |sounds| notes = sounds.sounds()[0].notes.clone());
        notes
    };
    let mut package = PackageWriter::new(110);
    package.add(&Sound { word_before_type: Some(1), ..Sound::new("Kick", "WAV", b"12345") });
    let expected = "inferred: a word before the file type, as the skip offset then agrees";
    assert_eq!(notes(&package), [expected]);
    let mut package = PackageWriter::new(80);
    package.add(&Sound { extra_words: vec![0; 6], ..Sound::new("Kick", "WAV", b"12345") });
    assert_eq!(notes(&package), ["inferred: 6 words before the skip offset, which then agrees"]);
    let mut package = PackageWriter::new(44);
    package.sound("Kick", None, "WAV", b"12345");
    assert_eq!(notes(&package), Vec::<String>::new());
    let bytes = package.written().with_u32("version", 37).bytes;
    sounds(&bytes, |sounds| {
        let expected = "inferred: its body has the form of another version, as its data ends with it";
        assert_eq!(sounds.sounds()[0].notes, [expected]);
    });
    let mut package = PackageWriter::new(69);
    package.sound("Kick", None, "WAV", b"12345");
    assert_eq!(notes(&package), Vec::<String>::new());
}
