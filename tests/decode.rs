//! Packages to songs: what the sounds' bytes are, what becomes of them, and what is said of those that cannot be
//! played.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fixtures::package::PackageWriter;
use fixtures::wave::{Chunk, Sampler, SamplerLoop, Values, Wave};
use importer::{Budget, Codec, Error, Format, Sound, SoundFile, Status};
use song::module::{CellNote, Order};
use song::{LoopCount, LoopMode, Recording, Sample, Width};
use unreal::{Memory, Source};

/// Returns a package with one sound.
fn package(data: &[u8]) -> Memory<Vec<u8>> {
    let mut package = PackageWriter::new(69);
    package.sound("Sound", None, "WAV", data);
    Memory(package.finish())
}

fn open(source: &Memory<Vec<u8>>) -> SoundFile {
    SoundFile::open(source.clone(), "Test", Budget::default()).unwrap()
}

/// Returns what is reported of the only sound of a package.
fn described(data: &[u8]) -> Sound {
    open(&package(data)).sounds()[0].clone()
}

/// Returns the only sound of a package, decoded.
fn decoded(data: &[u8]) -> Sample {
    open(&package(data)).sample(1).unwrap().into_sample()
}

fn planes_i16(sample: &Sample) -> Vec<Vec<i16>> {
    match sample.recording() {
        Recording::I16(planes) => planes.iter().map(<[i16]>::to_vec).collect(),
        Recording::F32(_) => panic!("float where 16 bits were expected"),
    }
}

fn planes_f32(sample: &Sample) -> Vec<Vec<f32>> {
    match sample.recording() {
        Recording::F32(planes) => planes.iter().map(<[f32]>::to_vec).collect(),
        Recording::I16(_) => panic!("16 bits where float was expected"),
    }
}

fn ramp(frames: i16) -> Values {
    Values::I16((0..frames).collect())
}

#[test]
fn eight_bits_are_widened_around_their_middle() {
    let sample = decoded(&Wave::new(8000, 1, Values::U8(vec![0, 127, 128, 129, 255])).finish());
    assert_eq!(planes_i16(&sample), [[-32768, -256, 0, 256, 32512]]);
    assert_eq!((sample.width(), sample.rate().get()), (Width::Eight, 8000));
}

#[test]
fn sixteen_bits_stay_as_they_are_and_channels_are_parted() {
    let sample = decoded(&Wave::new(22_050, 2, Values::I16(vec![1, -1, 2, -2, 32767, -32768])).finish());
    assert_eq!(planes_i16(&sample), [[1, 2, 32767], [-1, -2, -32768]]);
}

#[test]
fn twenty_four_and_thirty_two_bits_become_float_at_full_scale() {
    let sample = decoded(&Wave::new(1, 1, Values::I24(vec![0, 1 << 22, -(1 << 23), 1])).finish());
    assert_eq!(planes_f32(&sample), [[0.0, 0.5, -1.0, 1.0 / 8_388_608.0]]);
    assert_eq!(sample.width(), Width::TwentyFour);
    let sample = decoded(&Wave::new(1, 1, Values::I32(vec![0, 1 << 30, i32::MIN])).finish());
    assert_eq!(planes_f32(&sample), [[0.0, 0.5, -1.0]]);
    assert_eq!(sample.width(), Width::ThirtyTwo);
}

#[test]
fn float_stays_as_it_is_but_for_what_is_no_number() {
    let values = vec![0.25, -1.5, f32::NAN, f32::INFINITY];
    let sample = decoded(&Wave::new(1, 2, Values::F32(values)).finish());
    assert_eq!(planes_f32(&sample), [[0.25, 0.0], [-1.5, 0.0]]);
}

#[test]
fn an_extensible_header_means_what_its_sub_format_says() {
    let wave = Wave { extensible: true, ..Wave::new(48_000, 1, Values::I24(vec![1 << 22])) };
    assert_eq!(planes_f32(&decoded(&wave.finish())), [[0.5]]);
    let wave = Wave { extensible: true, ..Wave::new(48_000, 1, Values::F32(vec![0.5])) };
    assert_eq!(planes_f32(&decoded(&wave.finish())), [[0.5]]);
}

#[test]
fn the_reserved_format_tag_is_pcm_if_all_other_fields_are() {
    let mut wave = Wave::new(48_000, 2, ramp(8)).finish();
    let expected = planes_i16(&decoded(&wave));
    wave[20..22].fill(0xFF);
    assert_eq!(planes_i16(&decoded(&wave)), expected);
    // Bytes in a second, bytes of a frame, bits of a value.
    for at in [28, 32, 34] {
        let mut other = wave.clone();
        other[at] ^= 0x10;
        assert_eq!(described(&other).status.name(), "unsupported", "field at {at}");
    }
}

#[test]
fn more_frames_than_a_block_of_the_decoder_are_all_there() {
    let values: Vec<i16> = (0..40_000_i32).map(|n| (n % 30_000) as i16).collect();
    let sample = decoded(&Wave::new(22_050, 1, Values::I16(values.clone())).finish());
    assert_eq!(planes_i16(&sample), [values]);
}

#[test]
fn a_sound_is_described_without_being_decoded() {
    let sound = described(&Wave::new(11_025, 2, ramp(8)).looped(1, 3).finish());
    assert_eq!((sound.number, sound.path().as_str(), sound.class.name()), (1, "Sound", "Sound"));
    assert_eq!((sound.format(), &sound.status), (Some(Format::Wav), &Status::Ok));
    let audio = sound.audio().unwrap();
    assert_eq!((audio.codec, audio.rate.get(), audio.channels), (Codec::PcmS16, 11_025, 2));
    assert_eq!((audio.bits, audio.frames), (Some(16), Some(4)));
    assert_eq!((audio.loops[0].start().get(), audio.loops[0].end().get()), (1, 4));
}

#[test]
fn the_last_frame_of_a_loop_in_a_file_is_part_of_it() {
    let sample = decoded(&Wave::new(1, 1, ramp(10)).looped(2, 9).finish());
    let only = sample.loops()[0];
    assert_eq!((only.start().get(), only.end().get()), (2, 10));
    assert_eq!((only.mode(), only.plays()), (LoopMode::Forward, LoopCount::Forever));
}

#[test]
fn loops_keep_their_mode_and_count_and_an_unknown_mode_is_forward_and_reported() {
    let looping = |kind, count| SamplerLoop { kind, start: 0, end: 3, count, fraction: 0 };
    let loops = vec![looping(0, 0), looping(1, 5), looping(2, 0), looping(1024, 0)];
    let mut wave = Wave::new(1, 1, ramp(4));
    wave.sampler = Some(Sampler { unity_note: 60, pitch_fraction: 0, loops });
    let sound = described(&wave.finish());
    let loops = &sound.audio().unwrap().loops;
    let modes: Vec<_> = loops.iter().map(song::LoopRange::mode).collect();
    assert_eq!(modes, [LoopMode::Forward, LoopMode::PingPong, LoopMode::Forward, LoopMode::Forward]);
    assert_eq!(loops[1].plays(), LoopCount::Times(5.try_into().unwrap()));
    assert_eq!(
        sound.repairs,
        ["loop 3 is of type 2 and is played forward", "loop 4 is of type 1024 and is played forward"]
    );
}

#[test]
fn a_loop_beyond_the_sound_is_cut_and_one_outside_it_ignored() {
    let sound = described(&Wave::new(1, 1, ramp(4)).looped(1, 99).looped(4, 99).finish());
    let loops = &sound.audio().unwrap().loops;
    assert_eq!(loops.len(), 1);
    assert_eq!((loops[0].start().get(), loops[0].end().get()), (1, 4));
    assert_eq!(sound.repairs.len(), 3, "{:?}", sound.repairs);
    assert_eq!(sound.status, Status::Ok);
}

#[test]
fn the_root_key_and_the_tuning_set_the_pitch_of_every_key() {
    let mut wave = Wave::new(1, 1, ramp(4));
    wave.sampler = Some(Sampler { unity_note: 48, pitch_fraction: 1 << 31, loops: Vec::new() });
    let source = package(&wave.finish());
    let imported = open(&source).import().unwrap();
    let song = &imported.songs[0];
    assert_eq!(song.samples()[0].root().unwrap().get(), 48);
    assert_eq!(song.samples()[0].tuning().get(), 50.0);
    let zone = song.instruments()[0].zones()[0];
    // The recording lies 50 cents above key 48, so key 48 must play it 50 cents lower.
    assert_eq!(zone.transposition(song::Key::new(48).unwrap()).get(), -50.0);
    assert_eq!(zone.transposition(song::Key::new(60).unwrap()).get(), 1150.0);
}

#[test]
fn a_root_key_that_is_none_is_ignored() {
    let mut wave = Wave::new(1, 1, ramp(4));
    wave.sampler = Some(Sampler { unity_note: 128, ..Sampler::default() });
    assert_eq!(decoded(&wave.finish()).root(), None);
    assert_eq!(described(&wave.finish()).repairs, ["root key 128 ignored, keys end at 127"]);
}

#[test]
fn a_wrong_riff_size_changes_nothing() {
    for error in [-1, 1, 100_000, -8] {
        let wave = Wave { riff_size_error: error, ..Wave::new(1, 1, ramp(4)) };
        assert_eq!(planes_i16(&decoded(&wave.finish())), [[0, 1, 2, 3]], "{error}");
    }
}

#[test]
fn chunks_may_come_in_any_order() {
    let wave = Wave {
        chunks: vec![Chunk::Sampler, Chunk::Other(*b"LIST", vec![1, 2, 3]), Chunk::Data, Chunk::Format],
        ..Wave::new(1, 1, ramp(4)).looped(0, 3)
    };
    let sample = decoded(&wave.finish());
    assert_eq!(planes_i16(&sample), [[0, 1, 2, 3]]);
    assert_eq!(sample.loops().len(), 1);
}

#[test]
fn a_missing_pad_byte_hides_no_chunk() {
    let mut wave = Wave::new(1, 1, Values::U8(vec![128, 129, 130])).looped(0, 2);
    assert_eq!(decoded(&wave.finish()).loops().len(), 1);
    wave.padded = false;
    let sound = described(&wave.finish());
    assert_eq!(sound.audio().unwrap().loops.len(), 1);
    assert_eq!(sound.repairs.len(), 1, "{:?}", sound.repairs);
}

#[test]
fn data_that_is_cut_off_plays_as_far_as_it_goes() {
    let wave = Wave { cut: 3, chunks: vec![Chunk::Format, Chunk::Data], ..Wave::new(1, 1, ramp(4)) };
    assert_eq!(planes_i16(&decoded(&wave.finish())), [[0, 1]]);
    let sound = described(&wave.finish());
    assert_eq!(
        sound.repairs,
        ["chunk \"data\" claims 8 bytes, 5 are there", "1 bytes after the last whole frame ignored"]
    );
}

#[test]
fn a_data_size_of_a_stream_means_all_there_is() {
    for claimed in [u32::MAX, 0x7FFF_FFFF, 1000] {
        let wave = Wave {
            data_size: Some(claimed),
            chunks: vec![Chunk::Format, Chunk::Data],
            ..Wave::new(1, 1, ramp(4))
        };
        assert_eq!(planes_i16(&decoded(&wave.finish())), [[0, 1, 2, 3]]);
    }
}

/// Returns a `fmt ` chunk written by hand, for what the writer of waves does not make.
fn wave_with_format(format: &[u8], data: &[u8]) -> Vec<u8> {
    let mut bytes = b"RIFF\0\0\0\0WAVE".to_vec();
    for (id, body) in [(b"fmt ", format), (b"data", data)] {
        bytes.extend(id);
        bytes.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
        bytes.extend(body);
    }
    bytes
}

fn format(tag: u16, channels: u16, rate: u32, align: u16, bits: u16) -> Vec<u8> {
    let mut format = Vec::new();
    format.extend(tag.to_le_bytes());
    format.extend(channels.to_le_bytes());
    format.extend(rate.to_le_bytes());
    format.extend([0; 4]);
    format.extend(align.to_le_bytes());
    format.extend(bits.to_le_bytes());
    format
}

#[test]
fn codecs_that_are_not_decoded_are_named_with_rate_and_channels() {
    for (tag, name) in [(0x166, "xma2"), (0x1234, "wave_0x1234")] {
        let sound = described(&wave_with_format(&format(tag, 2, 44_100, 1024, 4), &[0; 64]));
        let audio = sound.audio().unwrap();
        assert_eq!((audio.codec.name().as_str(), audio.rate.get(), audio.channels), (name, 44_100, 2));
        assert_eq!(audio.frames, None);
        assert_eq!(sound.status.to_string(), format!("unsupported: {name} is not decoded"));
    }
}

#[test]
fn codecs_of_consoles_say_how_many_frames_they_have() {
    // After the block: more bytes of the format, streams, speakers, frames.
    let mut xma = format(0x166, 2, 48_000, 4, 16);
    xma.extend([34, 0, 1, 0, 3, 0, 0, 0]);
    xma.extend(96_000_u32.to_le_bytes());
    xma.extend([0; 22]);
    // Extensible: valid bits, speakers, and a sub-format that is known by all of its bytes.
    let mut at9 = format(0xFFFE, 1, 48_000, 192, 0);
    at9.extend([34, 0, 0, 1, 4, 0, 0, 0]);
    at9.extend(*b"\xD2\x42\xE1\x47\xBA\x36\x8D\x4D\x88\xFC\x61\x65\x4F\x8C\x83\x6C");
    at9.extend([0; 12]);
    let mut with_fact = wave_with_format(&at9, &[0; 64]);
    with_fact.extend(*b"fact\x0C\0\0\0");
    with_fact.extend([96_000_u32, 0, 0].into_iter().flat_map(u32::to_le_bytes));
    for (bytes, name, channels) in [(wave_with_format(&xma, &[0; 64]), "xma2", 2), (with_fact, "at9", 1)] {
        let sound = described(&bytes);
        let audio = sound.audio().unwrap();
        let known = (audio.codec.name(), audio.rate.get(), audio.channels, audio.frames);
        assert_eq!(known, (name.to_owned(), 48_000, channels, Some(96_000)));
        assert_eq!(sound.status.to_string(), format!("unsupported: {name} is not decoded"));
    }
}

#[test]
fn more_than_two_channels_are_mixed_down_and_it_is_reported() {
    let data: Vec<u8> = [100_i16, 200, 0, 0, 0, 0, 0, 0, 0, 30_000, 0, 0].map(i16::to_le_bytes).concat();
    let data = wave_with_format(&format(1, 6, 48_000, 12, 16), &data);
    let sound = described(&data);
    assert_eq!((&sound.status, sound.audio().unwrap().frames), (&Status::Ok, Some(2)));
    assert_eq!(sound.repairs, ["6 channels are mixed down to two"]);
    let planes = planes_f32(&decoded(&data));
    let share = 1.0 / (1.0 + std::f32::consts::SQRT_2) / 32_768.0;
    assert!((planes[0][0] - 100.0 * share).abs() < 1e-6 && (planes[1][0] - 200.0 * share).abs() < 1e-6);
    assert_eq!((planes[0][1], planes[1][1]), (0.0, 0.0), "low frequencies are left out");
}

#[test]
fn a_wave_that_contradicts_itself_is_damaged_and_says_where() {
    let data = [0; 8];
    for (format, reason) in [
        (format(1, 0, 8000, 2, 16), "the \"fmt \" chunk states 0 channels at 0x14 of the payload"),
        (format(1, 1, 0, 2, 16), "the \"fmt \" chunk declares a rate of 0 Hz at 0x14 of the payload"),
        (vec![1, 0], "the \"fmt \" chunk has 2 bytes, it needs 14 at 0x14 of the payload"),
    ] {
        assert_eq!(
            described(&wave_with_format(&format, &data)).status.to_string(),
            format!("damaged: {reason}")
        );
    }
    let wave = Wave { chunks: vec![Chunk::Format], ..Wave::new(1, 1, ramp(1)) };
    let reason = "no \"data\" chunk at 0xc of the payload".to_owned();
    assert_eq!(described(&wave.finish()).status.to_string(), format!("damaged: {reason}"));
}

#[test]
fn a_block_alignment_that_cannot_be_is_worked_out_anew() {
    let sound = described(&wave_with_format(&format(1, 2, 8000, 0, 16), &[0; 8]));
    assert_eq!((&sound.status, sound.audio().unwrap().frames), (&Status::Ok, Some(2)));
    let repair = "block alignment 0 does not fit 2 channels of 16 bits; values of 2 bytes are read";
    assert_eq!(sound.repairs, [repair]);
}

#[test]
fn values_are_wider_than_their_bits_only_if_that_is_stated_twice() {
    let mut stated_once = format(1, 1, 8000, 2, 8);
    let sound = described(&wave_with_format(&stated_once, &[0; 8]));
    assert_eq!((sound.audio().unwrap().codec, sound.repairs.len()), (Codec::PcmU8, 1));
    stated_once[8..12].copy_from_slice(&16_000_u32.to_le_bytes());
    let sound = described(&wave_with_format(&stated_once, &[0; 8]));
    assert_eq!((sound.audio().unwrap().codec, sound.repairs.len()), (Codec::PcmS16, 1));
}

#[test]
fn an_empty_sound_is_empty_and_has_its_number() {
    let mut package = PackageWriter::new(69);
    package.sound("First", None, "WAV", &[]);
    package.sound("Second", None, "WAV", &Wave::new(1, 1, ramp(1)).finish());
    package.sound("Third", None, "WAV", &Wave::new(1, 1, ramp(0)).finish());
    let source = Memory(package.finish());
    let file = open(&source);
    let status: Vec<_> = file.sounds().iter().map(|sound| sound.status.name()).collect();
    assert_eq!(status, ["empty", "ok", "empty"]);
    assert!(matches!(file.sample(1), Err(Error::Sound(Status::Empty(_)))));
    assert!(file.sample(2).is_ok());
    assert!(matches!(file.sample(4), Err(Error::NoSuchSound(4))));
    assert!(matches!(file.sample(0), Err(Error::NoSuchSound(0))));
}

#[test]
fn what_is_no_audio_is_named_by_its_bytes_whatever_the_package_calls_it() {
    for (bytes, name) in [
        (&b"ADAR and so on"[..], "RAD Audio is not decoded"),
        (b"MZ\x90 and so on", "Windows program code, no audio"),
        (b"nothing known", "its bytes are of no known format"),
    ] {
        let sound = described(bytes);
        assert_eq!(sound.status.to_string(), format!("unsupported: {name}"));
        assert_eq!(open(&package(bytes)).payload(1).unwrap(), bytes, "its bytes can be had all the same");
    }
}

#[test]
fn a_module_that_ends_in_its_header_is_damaged_and_says_where() {
    let bytes = b"IMPM and so on";
    let reason = "header at 0x4: ends early: 26 bytes wanted, 10 left";
    assert_eq!(described(bytes).status.to_string(), format!("damaged: {reason}"));
    assert_eq!(open(&package(bytes)).payload(1).unwrap(), bytes, "its bytes can be had all the same");
}

#[test]
fn a_song_has_an_instrument_for_each_sound_and_a_pattern_that_refers_to_all() {
    let wave = Wave::new(1, 1, ramp(1)).finish();
    let mut package = PackageWriter::new(69);
    let group = package.group("Drums", None);
    for number in 1..=66 {
        package.sound(&format!("Sound{number}"), Some(group), "WAV", if number == 65 { &[] } else { &wave });
    }
    let source = Memory(package.finish());
    let imported = open(&source).import().unwrap();
    let song = &imported.songs[0];
    assert_eq!((song.name(), song.instruments().len(), song.samples().len()), ("Test", 66, 65));
    assert_eq!(song.instruments()[0].name, "Drums.Sound1");
    assert!(song.instruments()[64].is_silent(), "the empty sound is a silent instrument");
    assert_eq!(song.instruments()[65].zones()[0].sample().get(), 64);
    let origin = song.samples()[0].origin();
    assert_eq!(
        (origin.package.as_str(), origin.group.as_str(), origin.name.as_str()),
        ("Test", "Drums", "Sound1")
    );

    assert_eq!(song.module().orders, [Order::Pattern(0)]);
    let pattern = &song.module().patterns[0];
    assert_eq!((pattern.rows(), pattern.channels()), (64, 2));
    let referred: Vec<u16> = (0..66).map(|i| pattern.cell(i % 64, i / 64).instrument.unwrap()).collect();
    assert_eq!(referred, (1..=66).collect::<Vec<_>>());
    assert!(pattern.cells().iter().all(|cell| cell.note == CellNote::None));

    assert_eq!(imported.report.skipped.len(), 1);
    assert_eq!(imported.report.skipped[0].object, "Drums.Sound65");
}

#[test]
fn decoded_audio_has_a_budget_that_is_spent() {
    let wave = Wave::new(1, 1, ramp(100)).finish();
    let mut package = PackageWriter::new(69);
    package.sound("First", None, "WAV", &wave);
    package.sound("Second", None, "WAV", &wave);
    let source = Memory(package.finish());
    let budget = Budget { decoded: 399, ..Budget::default() };
    let imported = SoundFile::open(source, "Test", budget).unwrap().import().unwrap();
    assert_eq!(imported.songs[0].samples().len(), 1);
    assert_eq!(imported.report.skipped[0].text, "over the limit: 200 bytes needed, 199 left");
}

#[test]
fn a_damaged_sound_does_not_stop_the_others() {
    let wave = Wave::new(1, 1, ramp(1)).finish();
    let mut package = PackageWriter::new(69);
    package.sound("First", None, "WAV", b"RIFF\0\0\0\0WAVE");
    package.sound("Second", None, "WAV", &wave);
    let source = Memory(package.finish());
    let imported = open(&source).import().unwrap();
    assert_eq!(imported.songs[0].samples().len(), 1);
    assert_eq!(imported.report.skipped[0].object, "First");
}

#[test]
fn progress_is_reported_as_each_wanted_recording_is_decoded() {
    let mut package = PackageWriter::new(69);
    for name in ["First", "Second", "Third"] {
        package.sound(name, None, "WAV", &Wave::new(1, 1, ramp(100)).finish());
    }
    let source = Arc::new(Counting { bytes: package.finish(), reads: AtomicUsize::new(0) });
    let file = SoundFile::open(Arc::clone(&source), "Test", Budget::default()).unwrap();
    let mut seen = Vec::new();
    let imported = file.import_watched(|sound| sound.number != 2, &mut |progress| {
        let name = progress.sound.object.name.clone();
        seen.push((name, progress.started, progress.total, source.reads.load(Ordering::Relaxed)));
    });
    assert_eq!(imported.unwrap().songs[0].samples().len(), 2);
    let reported: Vec<_> =
        seen.iter().map(|(name, started, total, _)| (name.as_str(), *started, *total)).collect();
    assert_eq!(reported, [("First", 1, 2), ("Third", 2, 2)]);
    assert!(seen[0].3 < seen[1].3, "the first was read before the second was reported: {seen:?}");
}

/// Counts how often it is read from.
struct Counting {
    bytes: Vec<u8>,
    reads: AtomicUsize,
}

impl Source for Counting {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, at: u64, to: &mut [u8]) -> std::io::Result<()> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        Memory(&self.bytes).read_at(at, to)
    }
}
