//! Sounds of one's own: files of audio and folders of them, with what they say of root, loops and marks.

use std::path::Path;
use std::sync::Arc;

use fixtures::aiff::{Aiff, AiffInstrument};
use fixtures::opus;
use fixtures::package::PackageWriter;
use fixtures::streams::{Mpeg, Vorbis, comments, flac, with_blocks};
use fixtures::wave::{Sampler, Values, Wave};
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile, Walk};
use importer::probe::probe;
use importer::{Budget, Codec, Error, FileKind, Format, Sound, SoundClass, SoundFile, Status};
use song::{Key, LoopMode, Recording, Velocity};
use unreal::Memory;

fn open(bytes: &[u8], name: &str) -> SoundFile {
    SoundFile::open(Memory(bytes.to_vec()), name, Budget::default()).unwrap()
}

/// Opens a path among files in memory.
fn folder(files: &[(&str, Vec<u8>)], path: &str) -> SoundFile {
    let files: Arc<dyn Files> = Arc::new(memory(files));
    let options = OpenOptions::default();
    OpenedFile::open(&files, Path::new(path), &options).unwrap().sounds(&options).unwrap()
}

fn memory(files: &[(&str, Vec<u8>)]) -> MemoryFiles {
    files.iter().map(|(path, bytes)| (*path, bytes.clone())).collect()
}

fn wave(values: &[i16]) -> Wave {
    Wave::new(44_100, 1, Values::I16(values.to_vec()))
}

/// A wave with a root key in its `smpl` chunk.
fn rooted(root: u32) -> Vec<u8> {
    let sampler = Some(Sampler { unity_note: root, ..Sampler::default() });
    Wave { sampler, ..wave(&[1, 2, 3]) }.finish()
}

/// Returns the root of a sound when it is decoded, and how many cents above it the sound is.
fn root(file: &SoundFile, number: usize) -> Option<(u8, f64)> {
    let sample = file.sample(number).unwrap();
    sample.root().map(|root| (root.get(), sample.tuning().get()))
}

fn names(file: &SoundFile) -> Vec<String> {
    file.sounds().iter().map(Sound::path).collect()
}

/// Returns first frame, end and mode of each loop, and whether it ends with the key.
fn loops(file: &SoundFile) -> Vec<(u64, u64, LoopMode, bool)> {
    let loops = &file.sounds()[0].audio().unwrap().loops;
    assert_eq!(loops, file.sample(1).unwrap().loops());
    let range = loops.iter();
    range.map(|l| (l.start().get(), l.end().get(), l.mode(), l.is_sustaining())).collect()
}

#[test]
fn a_file_of_audio_is_known_by_its_bytes_and_opened() {
    let planes = [vec![1; 200]];
    let files = [
        ("wav", wave(&[1, -2]).finish(), Format::Wav),
        ("aiff", Aiff::new(1, 16, &[0, 1]).finish(), Format::Aiff),
        ("aifc", Aiff::new(1, 16, &[0, 1]).compressed(b"NONE").finish(), Format::Aiff),
        ("flac", flac(8000, &planes, 64), Format::Flac),
        ("vorbis", Vorbis::new(8000, 1, 5, 500).finish(), Format::Ogg),
        ("opus", opus::ogg(&[vec![vec![0; 960]]], &[], 0, &[]), Format::Ogg),
        ("mp3", Mpeg { frames: 2, ..Mpeg::default() }.finish(), Format::Mpeg),
    ];
    for (name, bytes, format) in files {
        assert_eq!(probe(&bytes, bytes.len() as u64), FileKind::Audio(format), "{name}");
        let file = open(&bytes, name);
        let [sound] = file.sounds() else { panic!("{name}: {:?}", names(&file)) };
        assert_eq!((&*sound.path(), sound.class, &sound.status), (name, SoundClass::File, &Status::Ok));
        assert!(file.sample(1).unwrap().length().get() > 0, "{name}");
        assert!(file.payload(1).unwrap() == bytes, "{name}");
        assert_eq!((file.kind(), file.is_game()), ("audio file", false));
    }
}

#[test]
fn a_midi_file_says_how_it_is_played() {
    let error = SoundFile::open(Memory(b"MThd\0\0\0\x06\0\0\0\x01\0\x60".to_vec()), "t", Budget::default());
    let Err(error @ Error::MidiFile) = error else { panic!() };
    assert!(error.to_string().contains("`play FILE --midi`"), "{error}");
}

#[test]
fn integers_of_aiff_have_the_values_of_their_bytes() {
    let sixteen: &[(&str, Aiff, [i16; 2])] = &[
        ("8 bits", Aiff::new(1, 8, &[0x80, 0x7F]), [-32_768, 32_512]),
        ("16 bits", Aiff::new(1, 16, &[0x12, 0x34, 0xFF, 0xFE]), [0x1234, -2]),
        ("12 bits", Aiff::new(1, 12, &[0x12, 0x30, 0xFF, 0xF0]), [0x1230, -16]),
        ("twos", Aiff::new(1, 16, &[0x12, 0x34, 0xFF, 0xFE]).compressed(b"twos"), [0x1234, -2]),
        ("sowt", Aiff::new(1, 16, &[0x34, 0x12, 0xFE, 0xFF]).compressed(b"sowt"), [0x1234, -2]),
        ("sowt of 8 bits", Aiff::new(1, 8, &[0x80, 1]).compressed(b"sowt"), [-32_768, 256]),
        ("raw", Aiff::new(1, 8, &[0x80, 0xFF]).compressed(b"raw "), [0, 32_512]),
        // Source: ITU-T G.711, tables 1 and 2: the smallest and the largest value of each.
        ("ulaw", Aiff { bits: 16, ..Aiff::new(1, 8, &[0xFF, 0x80]) }.compressed(b"ulaw"), [0, 32_124]),
        ("ALAW", Aiff { bits: 16, ..Aiff::new(1, 8, &[0xD5, 0xAA]) }.compressed(b"ALAW"), [8, 32_256]),
    ];
    for (name, aiff, expected) in sixteen {
        let file = open(&aiff.finish(), name);
        let sample = file.sample(1).unwrap();
        let Recording::I16(planes) = sample.recording() else { panic!("{name}") };
        assert_eq!(planes.iter().map(<[i16]>::to_vec).collect::<Vec<_>>(), [expected], "{name}");
        assert_eq!(sample.rate().get(), 44_100);
    }
}

#[test]
fn wide_values_of_aiff_become_floats() {
    let float = [0.5_f32, -2.0].map(f32::to_be_bytes).concat();
    let double = [0.5_f64, -2.0].map(f64::to_be_bytes).concat();
    let files: &[(&str, Aiff, Codec, [f32; 2])] = &[
        ("24 bits", Aiff::new(1, 24, &[0x40, 0, 0, 0x80, 0, 0]), Codec::PcmS24, [0.5, -1.0]),
        ("32 bits", Aiff::new(1, 32, &[0x40, 0, 0, 0, 0x80, 0, 0, 0]), Codec::PcmS32, [0.5, -1.0]),
        ("in24", Aiff::new(1, 24, &[0x40, 0, 0, 0x80, 0, 0]).compressed(b"in24"), Codec::PcmS24, [0.5, -1.0]),
        ("42ni", Aiff::new(1, 24, &[0, 0, 0x40, 0, 0, 0x80]).compressed(b"42ni"), Codec::PcmS24, [0.5, -1.0]),
        (
            "in32",
            Aiff::new(1, 32, &[0x40, 0, 0, 0, 0x80, 0, 0, 0]).compressed(b"in32"),
            Codec::PcmS32,
            [0.5, -1.0],
        ),
        ("fl32", Aiff::new(1, 32, &float).compressed(b"fl32"), Codec::PcmF32, [0.5, -2.0]),
        ("FL64", Aiff::new(1, 64, &double).compressed(b"FL64"), Codec::PcmF64, [0.5, -2.0]),
    ];
    for (name, aiff, codec, expected) in files {
        let file = open(&aiff.finish(), name);
        assert_eq!(file.sounds()[0].audio().unwrap().codec, *codec, "{name}");
        let sample = file.sample(1).unwrap();
        let Recording::F32(planes) = sample.recording() else { panic!("{name}") };
        assert_eq!(planes.iter().map(<[f32]>::to_vec).collect::<Vec<_>>(), [expected], "{name}");
    }
}

#[test]
fn values_of_aiff_begin_after_their_offset_and_channels_are_interleaved() {
    let aiff = Aiff { offset: 5, ..Aiff::new(2, 16, &[0, 1, 0, 2, 0, 3, 0, 4]) };
    let sample = open(&aiff.finish(), "x").sample(1).unwrap().into_sample();
    let Recording::I16(planes) = sample.recording() else { panic!() };
    assert_eq!(planes.iter().map(<[i16]>::to_vec).collect::<Vec<_>>(), [[1, 3], [2, 4]]);
}

#[test]
fn aiff_of_a_type_that_is_not_decoded_is_listed_with_its_length() {
    // 34 bytes a packet of 64 frames.
    let ima = Aiff { frames: 3, bits: 16, ..Aiff::new(1, 8, &[0; 102]) }.compressed(b"ima4");
    let mace = Aiff::new(1, 8, &[0; 10]).compressed(b"MAC3");
    for (aiff, frames, reason) in [
        (ima, 192, "AIFF audio is not decoded: adpcm_ima is not decoded"),
        (mace, 10, "AIFF-C of type \"MAC3\" is not decoded"),
    ] {
        let file = open(&aiff.finish(), "x");
        let sound = &file.sounds()[0];
        assert_eq!(sound.audio().unwrap().frames, Some(frames));
        assert_eq!(sound.status.reason().as_deref(), Some(reason));
    }
}

#[test]
fn an_aiff_that_states_more_frames_than_it_has_or_none_has_those_that_are_there() {
    for stated in [0, 9] {
        let file = open(&Aiff { frames: stated, ..Aiff::new(1, 16, &[0, 1, 0, 2]) }.finish(), "x");
        assert_eq!(file.sample(1).unwrap().length().get(), 2, "{stated}");
        let expected = format!("\"COMM\" chunk declares {stated} frames, 2 are there");
        assert_eq!(file.sounds()[0].repairs, [expected]);
    }
    let without_rate = Aiff { rate: [0; 10], ..Aiff::new(1, 16, &[0, 1]) }.finish();
    assert!(matches!(open(&without_rate, "x").sounds()[0].status, Status::Damaged(_)));
}

#[test]
fn an_aiff_instrument_gives_root_tuning_and_loops_between_markers() {
    let instrument = AiffInstrument {
        base: 65,
        detune: -30,
        notes: [20, 90],
        velocities: [1, 127],
        gain: -6,
        sustain: [1, 7, 8],
        release: [2, 8, 9],
    };
    let markers = vec![(7, 2, "begin"), (8, 5, "middle"), (9, 8, "")];
    let aiff = Aiff { markers, instrument: Some(instrument), ..Aiff::new(1, 8, &[0; 10]) };
    let file = open(&aiff.finish(), "x");
    // Detuned to sound 30 cents lower at its base note, so as stored it is 30 cents above it.
    assert_eq!(root(&file, 1), Some((65, 30.0)));
    assert_eq!(loops(&file), [(2, 5, LoopMode::Forward, true), (5, 8, LoopMode::PingPong, false)]);
    assert_eq!(
        file.sounds()[0].notes,
        [
            "marker 1 at frame 2: begin",
            "marker 2 at frame 5: middle",
            "marker 3 at frame 8",
            "\"INST\" chunk, not applied: gain -6 dB, keys G#0 to F#6",
        ]
    );
    let lost = AiffInstrument { sustain: [1, 7, 99], release: [0; 3], ..instrument };
    let file = open(&Aiff { instrument: Some(lost), ..aiff }.finish(), "x");
    assert_eq!(loops(&file), []);
    assert_eq!(
        file.sounds()[0].repairs,
        ["the sustain loop from marker 7 to 99 ignored, there are no such markers"]
    );
}

#[test]
fn the_inst_chunk_of_a_wave_gives_its_root_unless_smpl_does() {
    let inst = [55, 10, 0, 0, 127, 1, 127];
    let file = open(&wave(&[1, 2]).with_chunk(b"inst", &inst).finish(), "x");
    assert_eq!(root(&file, 1), Some((55, -10.0)));
    assert!(file.sounds()[0].notes.is_empty(), "{:?}", file.sounds()[0].notes);
    let both = wave(&[1, 2, 3]).looped(0, 1).with_chunk(b"inst", &[55, 10, 3, 40, 60, 1, 64]).finish();
    let file = open(&both, "x");
    assert_eq!(root(&file, 1), Some((60, 0.0)));
    assert_eq!(loops(&file), [(0, 2, LoopMode::Forward, false)]);
    let note = "\"inst\" chunk, not applied: gain 3 dB, keys E2 to C4, velocities 1 to 64";
    assert_eq!(file.sounds()[0].notes, [note]);
}

#[test]
fn cue_points_are_listed_with_their_labels() {
    let mut cue = 2_u32.to_le_bytes().to_vec();
    for (id, frame) in [(5_u32, 100_u32), (9, 2000)] {
        cue.extend([id, 0, u32::from_le_bytes(*b"data"), 0, 0, frame].map(u32::to_le_bytes).concat());
    }
    let label = |id: u8, text: &str| {
        let mut bytes = [&b"labl"[..], &(text.len() as u32 + 4).to_le_bytes(), &[id, 0, 0, 0]].concat();
        bytes.extend(text.bytes());
        bytes.resize(bytes.len().next_multiple_of(2), 0);
        bytes
    };
    let list = [b"adtl".to_vec(), label(9, "Chorus\0"), label(1, "x\0")].concat();
    let file = open(&wave(&[1]).with_chunk(b"cue ", &cue).with_chunk(b"LIST", &list).finish(), "x");
    assert_eq!(file.sounds()[0].notes, ["cue point 1 at frame 100", "cue point 2 at frame 2000: Chorus"]);
}

#[test]
fn loops_are_read_from_comments_and_from_riff_chunks_in_flac() {
    let planes = [vec![7; 100]];
    let plain = flac(8000, &planes, 64);
    let fields = comments(&["LOOPSTART=10", "LOOPLENGTH=30"]);
    let commented = with_blocks(&plain, &[(4, fields.clone())]);
    assert_eq!(loops(&open(&commented, "x")), [(10, 40, LoopMode::Forward, false)]);
    // Manufacturer, product, period, note, fraction, format, offset, loops, rest;
    // id, type, start, last, fraction, plays.
    let words = [0, 0, 0, 62, 0x8000_0000, 0, 0, 1, 0, 0, 1, 20, 29, 0, 0];
    let chunk = words.map(u32::to_le_bytes).concat();
    let chunk = [&b"riffsmpl"[..], &(chunk.len() as u32).to_le_bytes(), &chunk].concat();
    let form = b"riffRIFF\0\0\0\0WAVE".to_vec();
    let kept = with_blocks(&plain, &[(2, form), (4, fields), (2, chunk)]);
    let file = open(&kept, "x");
    assert_eq!(loops(&file), [(20, 30, LoopMode::PingPong, false)]);
    assert_eq!(root(&file, 1), Some((62, 50.0)));
    let vorbis = Vorbis::new(8000, 2, 9, 900).commented(&["LOOP_START=100", "LOOP_END=700"]);
    assert_eq!(loops(&open(&vorbis, "x")), [(100, 700, LoopMode::Forward, false)]);
}

/// A sine of 1 kHz at 48 kHz.
fn sine(frames: usize, amplitude: f64) -> Vec<i16> {
    let turn = std::f64::consts::TAU / 48.0;
    (0..frames).map(|frame| (amplitude * (turn * frame as f64).sin()) as i16).collect()
}

/// Returns the amplitudes of the sine of 1 kHz in each plane of a recording, a quarter of it left out at both ends.
fn amplitudes(file: &SoundFile) -> Vec<f64> {
    let sample = file.sample(1).unwrap();
    let Recording::I16(planes) = sample.recording() else { panic!() };
    let amplitude = |plane: &[i16]| {
        // Whole periods of 48 frames.
        let part = &plane[plane.len() / 4..][..plane.len() / 2 / 48 * 48];
        let turn = std::f64::consts::TAU / 48.0;
        let sums = part.iter().enumerate().fold((0.0, 0.0), |(real, imaginary), (frame, value)| {
            let (sin, cos) = (turn * frame as f64).sin_cos();
            (real + f64::from(*value) * cos, imaginary + f64::from(*value) * sin)
        });
        2.0 * sums.0.hypot(sums.1) / part.len() as f64
    };
    planes.iter().map(amplitude).collect()
}

#[test]
fn opus_in_ogg_is_decoded_at_48_khz_without_its_pre_skip_and_with_its_gain() {
    let stream = vec![sine(9600, 8000.0), sine(9600, 4000.0)];
    let file =
        open(&opus::ogg(std::slice::from_ref(&stream), &[], 0, &["LOOPSTART=480", "LOOPEND=960"]), "x");
    let audio = file.sounds()[0].audio().unwrap();
    assert_eq!((audio.codec, audio.rate.get(), audio.channels), (Codec::Opus, 48_000, 2));
    assert_eq!((audio.frames, file.sample(1).unwrap().length().get()), (Some(9600), 9600));
    assert_eq!(loops(&file), [(480, 960, LoopMode::Forward, false)]);
    for (found, expected) in amplitudes(&file).into_iter().zip([8000.0, 4000.0]) {
        assert!((found - expected).abs() < 0.03 * expected, "{found}, not {expected}");
    }
    // 6.0206 dB are a factor of two.
    let louder = open(&opus::ogg(&[stream], &[], 1541, &[]), "x");
    for (found, expected) in amplitudes(&louder).into_iter().zip([16_000.0, 8000.0]) {
        assert!((found - expected).abs() < 0.03 * expected, "{found}, not {expected}");
    }
}

#[test]
fn opus_of_three_channels_is_mixed_down_by_the_order_of_ogg() {
    // Left, centre, right in the file; the streams have left and right, then the centre.
    let silence = || vec![0; 9600];
    let half_power = std::f64::consts::FRAC_1_SQRT_2;
    for (streams, expected) in [
        ([vec![sine(9600, 8000.0), silence()], vec![silence()]], [8000.0, 0.0]),
        ([vec![silence(), silence()], vec![sine(9600, 8000.0)]], [8000.0 * half_power; 2]),
    ] {
        let file = open(&opus::ogg(&streams, &[0, 2, 1], 0, &[]), "x");
        for (found, expected) in amplitudes(&file).into_iter().zip(expected) {
            let expected = expected / (1.0 + half_power);
            assert!((found - expected).abs() < 300.0, "{found}, not {expected}");
        }
    }
}

#[test]
fn the_root_is_taken_from_the_name_only_if_the_file_states_none() {
    let plain = wave(&[1]).finish();
    let file = open(&plain, "Piano C#5");
    assert_eq!(root(&file, 1), Some((73, 0.0)));
    assert_eq!(file.sounds()[0].notes, ["root key C#5 by the file's name"]);
    assert_eq!(root(&open(&plain, "kick_060"), 1), None);
    let file = open(&rooted(50), "Piano C#5");
    assert_eq!((root(&file, 1), file.sounds()[0].notes.len()), (Some((50, 0.0)), 0));
}

#[test]
fn a_folder_is_one_list_in_the_order_that_people_sort_names() {
    let of = |value: i16| wave(&[value]).finish();
    let file = folder(
        &[
            ("set/kick10.wav", of(10)),
            ("set/kick2.WAV", of(2)),
            ("set/both.wav", of(3)),
            ("set/both.aif", Aiff::new(1, 16, &[0, 4]).finish()),
            ("set/Hats/808/open.wav", of(5)),
            ("set/broken.flac", b"no sound".to_vec()),
            ("set/cut.aiff", b"FORM\0\0\0\0AIFF".to_vec()),
            ("set/notes.txt", b"text".to_vec()),
        ],
        "set",
    );
    assert_eq!(names(&file), ["both.aif", "both.wav", "broken", "cut", "Hats.808.open", "kick2", "kick10"],);
    assert_eq!((file.name(), file.kind()), ("set", "folder of audio files"));
    let reasons: Vec<_> = file.sounds().iter().filter_map(|sound| sound.status.reason()).collect();
    assert_eq!(reasons, ["its bytes are of no known format", "no \"COMM\" chunk at 0xc of the payload"]);
    for (number, value) in [(1, 4), (2, 3), (5, 5), (6, 2), (7, 10)] {
        let sample = file.sample(number).unwrap();
        let Recording::I16(planes) = sample.recording() else { panic!() };
        assert_eq!(planes.iter().next().unwrap()[..], [value], "#{number}");
    }
    let imported = file.import().unwrap();
    assert_eq!((imported.songs[0].samples().len(), imported.report.skipped.len()), (5, 2));
}

/// Returns the sounds that an instrument plays at a key and velocity, and the transposition of each in cents.
fn played(file: &SoundFile, number: usize, key: u8, velocity: u8) -> Vec<(usize, f64)> {
    let (key, velocity) = (Key::new(key).unwrap(), Velocity::new(velocity).unwrap());
    let instrument = file.instrument(number).unwrap();
    let zones = instrument.tree.zones().into_iter().filter(|zone| zone.covers(key, velocity));
    zones.map(|zone| (zone.sample().get() + 1, zone.transposition(key).get())).collect()
}

#[test]
fn recorded_notes_of_a_folder_are_an_instrument_by_nearest_root() {
    let of = || wave(&[1]).finish();
    let file =
        folder(&[("set/Piano C4.wav", of()), ("set/Piano C3.wav", of()), ("set/Piano F4.wav", of())], "set");
    assert_eq!(names(&file), ["Piano C3", "Piano C4", "Piano F4", "Piano"]);
    assert_eq!((file.sounds()[3].class, file.sounds()[3].plays()), (SoundClass::Instrument, vec![1, 2, 3]));
    for (key, expected) in [
        (0, (1, -4800.0)),
        (48, (1, 0.0)),
        (54, (1, 600.0)),
        (55, (2, -500.0)),
        (60, (2, 0.0)),
        (62, (2, 200.0)),
        (63, (3, -200.0)),
        (127, (3, 6200.0)),
    ] {
        assert_eq!(played(&file, 4, key, 100), [expected], "{key}");
    }
    let song = &file.import().unwrap().songs[0];
    assert_eq!((song.samples().len(), song.instruments().len()), (3, 4));
    assert_eq!(song.instruments()[3].tree.zones().len(), 3);
}

#[test]
fn layers_have_their_velocities_and_recordings_of_one_note_take_turns() {
    let of = || wave(&[1]).finish();
    let file = folder(
        &[
            ("set/Harp/C4 v1.wav", of()),
            ("set/Harp/C4 v2.wav", of()),
            ("set/Harp/C5 v1.wav", of()),
            ("set/Harp/C5 (v1).wav", of()),
        ],
        "set",
    );
    assert_eq!(names(&file), ["Harp.C4 v1", "Harp.C4 v2", "Harp.C5 (v1)", "Harp.C5 v1", "Harp"]);
    assert_eq!(played(&file, 5, 60, 63), [(1, 0.0)]);
    assert_eq!(played(&file, 5, 60, 64), [(2, 0.0)]);
    assert_eq!(played(&file, 5, 127, 127), [(2, 6700.0)]);
    assert_eq!(played(&file, 5, 72, 1), [(3, 0.0), (4, 0.0)]);
}

#[test]
fn roots_that_files_state_count_unless_all_of_an_instrument_state_the_same() {
    let stated = folder(&[("set/p_1.wav", rooted(40)), ("set/p_2.wav", rooted(64))], "set");
    assert_eq!(names(&stated), ["p_1", "p_2", "p"]);
    assert_eq!(played(&stated, 3, 64, 100), [(2, 0.0)]);
    // A program that writes 60 into every file.
    let named = folder(&[("set/p C3.wav", rooted(60)), ("set/p C5.wav", rooted(60))], "set");
    assert_eq!((root(&named, 1), root(&named, 2)), (Some((48, 0.0)), Some((72, 0.0))));
    let note = "root key C3 by the file's name; the file states C4, as all of its instrument do";
    assert_eq!(named.sounds()[0].notes, [note]);
    assert_eq!(names(&folder(&[("s/k1.wav", rooted(60)), ("s/k2.wav", rooted(60))], "s")), ["k1", "k2"]);
}

#[test]
fn a_walked_folder_has_its_audio_once_and_packages_each() {
    let mut package = PackageWriter::new(69);
    package.sound("Shot", None, "WAV", &wave(&[1]).finish());
    let package = package.finish();
    let files = memory(&[
        ("game/Music/b.ogg", Vorbis::new(8000, 1, 5, 500).finish()),
        ("game/Music/really.mp3", package.clone()),
        ("game/Sounds/a.uax", package),
        ("game/readme.txt", b"text".to_vec()),
        ("game/sound", wave(&[1]).finish()),
    ]);
    let walk = Walk::of(&files, &["game".into()]);
    assert_eq!(walk.files, ["game", "game/Music/really.mp3", "game/Sounds/a.uax"].map(Path::new));
    assert_eq!(walk.audio_files, [Path::new("game/Music/b.ogg")]);
    assert_eq!((walk.game_files.audio, walk.game_files.games, walk.ignored), (1, 1, 2));
    let files: Arc<dyn Files> = Arc::new(files);
    let options = OpenOptions::default();
    let opened = OpenedFile::open(&files, Path::new("game"), &options).unwrap();
    assert_eq!(names(&opened.sounds(&options).unwrap()), ["Music.b"]);
    assert_eq!(opened.files(), [Path::new("game/Music/b.ogg")]);
}

#[test]
fn a_folder_is_told_from_others_by_the_names_and_sizes_of_its_files() {
    let identity = |files: &[(&str, Vec<u8>)]| {
        let files: Arc<dyn Files> = Arc::new(memory(files));
        let opened = OpenedFile::open(&files, Path::new("s"), &OpenOptions::default()).unwrap();
        opened.source().in_memory().unwrap().to_vec()
    };
    let (one, other) = (wave(&[1]).finish(), wave(&[1, 2]).finish());
    let usual = identity(&[("s/a.wav", one.clone()), ("s/b.wav", one.clone())]);
    assert_eq!(usual, identity(&[("s/b.wav", one.clone()), ("s/a.wav", one.clone()), ("s/x.txt", vec![0])]));
    assert_ne!(usual, identity(&[("s/a.wav", one.clone()), ("s/b.wav", other)]));
    assert_ne!(usual, identity(&[("s/a.wav", one.clone()), ("s/c.wav", one)]));
}

#[test]
fn a_folder_of_media_of_wwise_opens_without_a_bank() {
    // RIFF, `fmt ` of 24 bytes with the tag and the channel word of Wwise, two frames.
    let format: [u32; 12] = [0xFFFE, 1, 48_000, 0, 96_000, 0, 2, 16, 6, 0, 0x4101, 0];
    let halves = |word: &u32| (*word as u16).to_le_bytes();
    let mut bytes = b"RIFF\x2C\0\0\0WAVEfmt \x18\0\0\0".to_vec();
    for (at, word) in format.iter().enumerate() {
        match at {
            // Rates have four bytes.
            2 | 4 => bytes.extend(word.to_le_bytes()),
            3 | 5 => {}
            _ => bytes.extend(halves(word)),
        }
    }
    bytes.extend(b"data\x04\0\0\0\x01\0\xFF\x7F");
    let file = folder(&[("media/17.wem", bytes.clone()), ("media/Steps.wem", bytes)], "media");
    assert_eq!(names(&file), ["17", "Steps"]);
    for number in [1, 2] {
        let Recording::I16(planes) = file.sample(number).unwrap().recording().clone() else { panic!() };
        assert_eq!(planes.left(), [1, 32_767]);
    }
}
