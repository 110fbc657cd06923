//! Against the reference of the corpus, which another decoder made.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use md5::{Digest, Md5};
use serde_json::Value;
use song::Recording;
use soundbank::{BankFile, fmod};
use unreal::ue1to3::bulk::Payload;
use unreal::{Limits, Memory};

use super::*;
use crate::budget::{DecodeBudget, WorkBudget};
use crate::codec::decode;
use crate::{Error, Status};

/// Returns the folder of banks; none if there is no corpus.
fn banks() -> Option<PathBuf> {
    let Some(corpus) = std::env::var_os("CORPUS") else {
        // The test runner swallows what is printed.
        let _ = writeln!(std::io::stderr(), "codec::fsb: skipped, CORPUS is not set");
        return None;
    };
    let banks = Path::new(&corpus).join("banks");
    assert!(banks.is_dir(), "CORPUS is set, but {} is missing", banks.display());
    Some(banks)
}

fn with<T>(bytes: &[u8], read: impl FnOnce(&PayloadReader<'_>) -> T) -> T {
    let source = Memory(bytes);
    let payload = Payload::plain(0, bytes.len() as u64);
    PayloadReader::open(&source, payload, &WorkBudget::of_file(0, None), |reader| Ok(read(reader))).unwrap()
}

fn budget() -> DecodeBudget {
    DecodeBudget::new(1 << 28, None)
}

/// Returns the planes of a recording as 16-bit integers.
fn integers(recording: &Recording) -> Vec<Vec<i16>> {
    match recording {
        Recording::I16(planes) => planes.iter().map(<[i16]>::to_vec).collect(),
        Recording::F32(planes) => {
            planes.iter().map(|plane| plane.iter().map(|v| (v * 32_767.0).round() as i16).collect()).collect()
        }
    }
}

/// Compares decoded frames with a row of the reference.
fn check(row: &Value, recording: &Recording) {
    let planes = integers(recording);
    assert_eq!(row["decoded"], planes[0].len(), "{row}");
    for probe in row["probe"].as_array().unwrap() {
        let frame = usize::try_from(probe[0].as_u64().unwrap()).unwrap();
        for (plane, expected) in planes.iter().zip(probe[1].as_array().unwrap()) {
            let off = (i64::from(plane[frame]) - expected.as_i64().unwrap()).abs();
            assert!(
                off <= i64::from(matches!(recording, Recording::F32(_))),
                "{}: {probe} {off}",
                row["file"]
            );
        }
    }
    if matches!(recording, Recording::I16(_)) {
        let mut hash = Md5::new();
        for frame in 0..planes[0].len() {
            planes.iter().for_each(|plane| hash.update(plane[frame].to_le_bytes()));
        }
        let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(row["md5"], hash, "{row}");
    }
}

fn rows(banks: &Path, is_wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
    let text = fs::read_to_string(banks.join("reference.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).filter(is_wanted).collect()
}

#[test]
fn sounds_of_fmod_decode_to_the_frames_of_another_decoder() {
    let Some(banks) = banks() else { return };
    let rows = rows(&banks, |row| row["class"] == "FmodSound");
    assert!(!rows.is_empty());
    let (mut agreed, mut hooks) = (0, 0);
    for row in &rows {
        let path = row["file"].as_str().unwrap();
        let bytes = fs::read(banks.join(path)).unwrap();
        let file = BankFile::new(path, Arc::new(Memory(bytes.clone())));
        let project = fmod::open(&[file], None, &mut Limits::default());
        let media = project.media.iter().find(|media| row["id"] == media.id.to_string()).unwrap();
        let (header, place) = (media.sample.as_ref().unwrap().fmod().unwrap(), media.bytes.as_ref().unwrap());
        let at = usize::try_from(place.at).unwrap();
        let stored = &bytes[at..][..usize::try_from(place.length).unwrap()];
        with(stored, |reader| {
            let described = describe(reader, header).unwrap();
            let audio = described.audio.as_ref().unwrap();
            assert_eq!(row["frames"], audio.frames.unwrap(), "{row}");
            assert_eq!(row["rate"], audio.rate.get(), "{row}");
            if header.codec == FsbCodec::Vorbis {
                assert!(matches!(described.status(), Status::Unsupported(_) | Status::Ok));
                hooks += 1;
                return;
            }
            assert_eq!(described.repairs, Vec::<String>::new(), "{row}");
            check(row, &decode(reader, &described, &mut budget()).unwrap());
            agreed += 1;
        });
    }
    println!("{agreed} sounds agree, {hooks} of Vorbis are not looked at");
    assert!(agreed >= 17);
}

/// Returns the number of channels, the bytes of a block and the data of a WAVE file.
fn wave(bytes: &[u8]) -> (u16, u16, u16, &[u8]) {
    let (mut at, mut format) = (12, (0, 0, 0));
    while let Some(head) = bytes.get(at..at + 8) {
        let size = u32::from_le_bytes(head[4..].try_into().unwrap()) as usize;
        let body = &bytes[at + 8..];
        let number = |at: usize| u16::from_le_bytes([body[at], body[at + 1]]);
        match &head[..4] {
            b"fmt " => format = (number(0), number(2), number(12)),
            b"data" => return (format.0, format.1, format.2, &body[..size]),
            _ => {}
        }
        at += 8 + size;
    }
    panic!("no data");
}

#[test]
fn adpcm_of_wwise_decodes_to_the_frames_of_another_decoder() {
    let Some(banks) = banks() else { return };
    let rows = rows(&banks, |row| {
        row["file"].as_str().is_some_and(|file| file.starts_with("made/900") && file.ends_with(".wem"))
    });
    assert!(!rows.is_empty());
    for row in &rows {
        let bytes = fs::read(banks.join(row["file"].as_str().unwrap())).unwrap();
        let (tag, channels, align, data) = wave(&bytes);
        let coding = match tag {
            0x8311 => BlockCoding::ptadpcm(u64::from(align / channels)).unwrap(),
            _ => BlockCoding::WwiseIma,
        };
        let params = BlockParams::new(coding, channels, 0, (0, data.len() as u64), None);
        with(data, |reader| check(row, &params.decode(reader, &mut budget()).unwrap()));
    }
    println!("{} files agree", rows.len());
}

fn header(codec: FsbCodec, channels: u32, frames: u64) -> SampleHeader {
    SampleHeader {
        codec,
        is_big_endian: false,
        rate: 44_100,
        channels,
        frames,
        loop_range: None,
        vorbis_setup: None,
        cipher: None,
    }
}

#[test]
fn pcm_of_every_width_is_read_in_its_byte_order() {
    for (codec, bytes, is_big_endian, expected) in [
        (FsbCodec::PcmU8, &[0x80, 0xC0][..], false, [0, 0x4000]),
        (FsbCodec::Pcm16, &[0, 0, 0, 0x40], false, [0, 0x4000]),
        (FsbCodec::Pcm16, &[0, 0, 0x40, 0], true, [0, 0x4000]),
        (FsbCodec::Pcm24, &[0, 0, 0, 0, 0, 0x40], false, [0, 0x4000]),
        (FsbCodec::Pcm32, &[0, 0, 0, 0, 0, 0, 0, 0x40], false, [0, 0x4000]),
        (FsbCodec::PcmFloat, &[0, 0, 0, 0, 0, 0, 0, 0x3F], false, [0, 0x4000]),
    ] {
        let header = SampleHeader { is_big_endian, ..header(codec, 1, 2) };
        with(bytes, |reader| {
            let described = describe(reader, &header).unwrap();
            let recording = decode(reader, &described, &mut budget()).unwrap();
            assert_eq!(integers(&recording), [expected.to_vec()], "{codec:?}");
        });
    }
}

#[test]
fn opus_begins_after_the_delay_of_the_encoder_and_ends_at_a_packet_without_bytes() {
    const HEAD: usize = 42;
    const SILENCE: usize = 960;
    let tone = |frame: i32| i16::try_from(frame % 100 * 200 - 10_000).unwrap();
    let plane: Vec<i16> = (0..5000).map(tone).collect();
    let whole = fixtures::opus::ueopus(&[vec![plane.clone(), plane]]);
    let expected = with(&whole, |reader| {
        let described = crate::codec::describe(reader, Some(crate::Format::UnrealOpus), &[]).unwrap();
        integers(&decode(reader, &described, &mut budget()).unwrap())
    });
    let stored = [&whole[HEAD..], &[0; 9]].concat();
    let stated = (SILENCE + expected[0].len()) as u64;
    for frames in [stated, stated + 10_000] {
        with(&stored, |reader| {
            let described = describe(reader, &header(FsbCodec::Opus, 2, frames)).unwrap();
            assert_eq!(described.audio.as_ref().unwrap().rate.get(), 48_000);
            let decoded = integers(&decode(reader, &described, &mut budget()).unwrap());
            assert_eq!(decoded[1][SILENCE..][..expected[1].len()], expected[1]);
            assert!(decoded[0].len() as u64 <= frames);
        });
    }
}

#[test]
fn mpeg_is_padded_between_its_frames_and_as_long_as_its_header_says() {
    let frames = fixtures::streams::Mpeg { frames: 3, delay: None }.finish();
    let stored: Vec<u8> = frames.chunks(417).flat_map(|frame| [frame, &[0; 3]].concat()).collect();
    with(&stored, |reader| {
        let described = describe(reader, &header(FsbCodec::Mpeg, 1, 3000)).unwrap();
        assert_eq!(described.repairs, Vec::<String>::new());
        assert_eq!(described.audio.as_ref().unwrap().frames, Some(3000));
        assert_eq!(integers(&decode(reader, &described, &mut budget()).unwrap()), [vec![0; 3000]]);
    });
}

#[test]
fn frames_that_are_not_there_are_reported() {
    with(&[0; 10], |reader| {
        let described = describe(reader, &header(FsbCodec::Pcm16, 2, 1 << 29)).unwrap();
        assert_eq!(described.audio.unwrap().frames, Some(2));
        assert_eq!(described.repairs, ["2 of 536870912 frames are there"]);
    });
}

#[test]
fn vorbis_with_an_unknown_setup_header_says_its_checksum() {
    with(&[], |reader| {
        let header = SampleHeader { vorbis_setup: Some(0x1234_5678), ..header(FsbCodec::Vorbis, 2, 9) };
        let reason = describe(reader, &header).unwrap().status().reason().unwrap();
        assert!(reason.contains("12345678"), "{reason}");
    });
}

#[test]
fn a_header_of_no_channels_or_no_rate_is_damaged() {
    with(&[0; 64], |reader| {
        assert!(describe(reader, &header(FsbCodec::Fadpcm, 0, 1)).is_err());
        assert!(describe(reader, &SampleHeader { rate: 0, ..header(FsbCodec::Fadpcm, 1, 1) }).is_err());
        assert!(describe(reader, &header(FsbCodec::Fadpcm, 1 << 16, 1)).is_err());
    });
}

#[test]
fn bytes_of_any_codec_end_in_a_recording_or_an_error() {
    let mut state = 1_u32;
    let noise: Vec<u8> = (0..2000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        })
        .collect();
    for codec in [FsbCodec::PcmU8, FsbCodec::Ima, FsbCodec::Mpeg, FsbCodec::Opus, FsbCodec::Fadpcm] {
        for channels in [1, 2, 6, 255] {
            for length in [0, 1, 35, 36, 139, 140, 1999] {
                with(&noise[..length], |reader| {
                    let Ok(described) = describe(reader, &header(codec, channels, 1 << 30)) else { return };
                    let decoded: Result<Recording, Error> = decode(reader, &described, &mut budget());
                    let _ = decoded;
                });
            }
        }
    }
}
