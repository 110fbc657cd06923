use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cridecoder::hca::{HcaEncoder, HcaEncoderConfig};
use unreal::Memory;
use unreal::ue1to3::bulk::Payload;

use super::*;
use crate::Status;
use crate::budget::WorkBudget;
use crate::codec::decode;
use crate::open::{Files, MemoryFiles, OpenOptions, OpenedFile};

fn with<T>(bytes: &[u8], read: impl FnOnce(&PayloadReader<'_>) -> T) -> T {
    let source = Memory(bytes);
    let payload = Payload::plain(0, bytes.len() as u64);
    PayloadReader::open(&source, payload, &WorkBudget::of_file(0, None), |reader| Ok(read(reader))).unwrap()
}

/// Makes the last two bytes the remainder of all before, divided bit by bit by x¹⁶ + x¹⁵ + x² + 1.
fn seal(bytes: &mut [u8]) {
    let end = bytes.len() - 2;
    let mut rest = 0_u32;
    let bits =
        bytes[..end].iter().chain(&[0, 0]).flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
    for bit in bits {
        rest = rest << 1 | u32::from(bit);
        if rest & 1 << 16 != 0 {
            rest ^= 0x1_8005;
        }
    }
    bytes[end..].copy_from_slice(&u16::try_from(rest).unwrap().to_be_bytes());
}

/// A stream of silence.
struct Silence {
    version: u16,
    channels: u8,
    blocks: u32,
    delay: u16,
    padding: u16,
    /// Bands: all, base, stereo, of a group.
    bands: [u8; 4],
    /// First and last block, frames before and after.
    looped: Option<(u32, u32, u16, u16)>,
    cipher: u16,
    block: u16,
}

const PLAIN: Silence = Silence {
    version: 0x0200,
    channels: 2,
    blocks: 3,
    delay: 128,
    padding: 100,
    bands: [128, 100, 20, 4],
    looped: None,
    cipher: 0,
    block: 64,
};

impl Silence {
    fn finish(&self) -> Vec<u8> {
        let mut bytes = b"\xC8\xC3\xC1\0".to_vec();
        bytes.extend(self.version.to_be_bytes());
        bytes.extend([0; 2]);
        bytes.extend([&b"fmt\0"[..], &[self.channels, 0, 0xAC, 0x44]].concat());
        bytes.extend(self.blocks.to_be_bytes());
        bytes.extend([self.delay.to_be_bytes(), self.padding.to_be_bytes()].concat());
        bytes.extend([b"comp", &self.block.to_be_bytes()[..], &[1, 15, 1, 0], &self.bands, &[0, 0]].concat());
        if let Some((first, last, before, after)) = self.looped {
            bytes.extend([&b"loop"[..], &first.to_be_bytes(), &last.to_be_bytes()].concat());
            bytes.extend([before.to_be_bytes(), after.to_be_bytes()].concat());
        }
        bytes.extend([&b"ciph"[..], &self.cipher.to_be_bytes()].concat());
        bytes.extend([0; 2]);
        let length = u16::try_from(bytes.len()).unwrap();
        bytes[6..8].copy_from_slice(&length.to_be_bytes());
        seal(&mut bytes);
        let mut block = vec![0; self.block.into()];
        block[..2].fill(0xFF);
        seal(&mut block);
        (0..self.blocks).for_each(|_| bytes.extend(&block));
        bytes
    }
}

fn described(bytes: &[u8], key: Option<u64>) -> Described {
    with(bytes, |reader| describe(reader, key).unwrap_or_else(|_| panic!("no description")))
}

fn is_refused(bytes: &[u8]) -> bool {
    with(bytes, |reader| describe(reader, None).is_err())
}

fn decoded(bytes: &[u8], key: Option<u64>) -> Result<Recording, Error> {
    let described = described(bytes, key);
    with(bytes, |reader| decode(reader, &described, &mut DecodeBudget::new(1 << 24, None)))
}

#[test]
fn frames_of_the_delay_and_the_padding_do_not_count() {
    let bytes = PLAIN.finish();
    let audio = described(&bytes, None).audio.unwrap();
    assert_eq!((audio.frames, audio.rate.get(), audio.channels), (Some(3 * 1024 - 228), 44_100, 2));
    let Recording::F32(planes) = decoded(&bytes, None).unwrap() else { panic!() };
    assert!(
        planes.iter().all(|plane| plane.len() == 3 * 1024 - 228 && plane.iter().all(|value| *value == 0.0))
    );
}

#[test]
fn a_loop_counts_from_the_first_frame_that_sounds_to_an_exclusive_end() {
    let looped = Silence { looped: Some((1, 2, 50, 200)), ..PLAIN };
    let loops = described(&looped.finish(), None).audio.unwrap().loops;
    let ends: Vec<_> = loops.iter().map(|range| (range.start().get(), range.end().get())).collect();
    assert_eq!(ends, [(1024 + 50 - 128, 3 * 1024 - 200 - 128)]);
    let backwards = Silence { looped: Some((2, 0, 0, 0)), ..PLAIN };
    assert!(described(&backwards.finish(), None).audio.unwrap().loops.is_empty());
}

#[test]
fn frames_that_are_not_there_are_reported() {
    let bytes = PLAIN.finish();
    let described = described(&bytes[..bytes.len() - 1], None);
    assert_eq!(described.audio.unwrap().frames, Some(2 * 1024 - 128));
    assert_eq!(described.repairs, ["1920 of 2844 frames are there"]);
}

#[test]
fn six_channels_are_mixed_down_to_two() {
    let bytes = Silence { channels: 6, block: 200, ..PLAIN }.finish();
    assert_eq!(decoded(&bytes, None).unwrap().channels(), 2);
}

#[test]
fn headers_that_the_decoder_would_not_hold_are_refused() {
    for bands in [[100, 100, 20, 4], [129, 100, 20, 4], [128, 100, 20, 129]] {
        assert!(is_refused(&Silence { bands, ..PLAIN }.finish()), "{bands:?}");
    }
    // Until version 2, scales of groups have room of their own.
    let bands = [128, 100, 27, 1];
    assert!(!is_refused(&Silence { bands, ..PLAIN }.finish()));
    assert!(is_refused(&Silence { bands, version: 0x0300, ..PLAIN }.finish()));
    for channels in [0, 17] {
        assert!(is_refused(&Silence { channels, ..PLAIN }.finish()));
    }
    let mut changed = PLAIN.finish();
    changed[20] ^= 1;
    assert!(is_refused(&changed));
}

#[test]
fn a_block_whose_checksum_is_another_is_damaged() {
    let mut bytes = PLAIN.finish();
    let at = bytes.len() - 30;
    bytes[at] ^= 1;
    let error = decoded(&bytes, None).unwrap_err().to_string();
    assert!(error.contains("damaged block"), "{error}");
}

#[test]
fn other_versions_and_blocks_of_many_sizes_are_named() {
    let reason = |stream: Silence| described(&stream.finish(), None).status().reason().unwrap();
    assert!(reason(Silence { version: 0x0400, ..PLAIN }).contains("version 4.0"));
    assert!(reason(Silence { block: 4, ..PLAIN }).contains("variable bit rate"));
}

/// Encodes noise, encrypted if there is a key.
fn noise(key: Option<u64>) -> Vec<u8> {
    let mut state = 1_u32;
    let values: Vec<f32> = (0..8192)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from((state >> 16) as u16 as i16) / 65_536.0
        })
        .collect();
    encoded(&values, key)
}

/// Encodes interleaved values of two channels, encrypted if there is a key.
fn encoded(values: &[f32], key: Option<u64>) -> Vec<u8> {
    let config = HcaEncoderConfig { encryption_key: key, ..HcaEncoderConfig::new(44_100, 2) };
    let mut bytes = Cursor::new(Vec::new());
    HcaEncoder::new(config).unwrap().encode(values, &mut bytes).unwrap();
    bytes.into_inner()
}

#[test]
fn an_encrypted_stream_needs_its_key() {
    let key = 0x1234_5678_9ABC;
    let encrypted = noise(Some(key));
    let status = |key| described(&encrypted, key).status();
    let reason = status(None).reason().unwrap();
    assert!(reason.contains("CRI key"), "{reason}");
    assert_eq!(status(None).reason_code(), Some("encrypted"));
    assert_eq!(status(Some(key)), Status::Ok);
    for other in [0, 1, key + 1, key ^ 1 << 40] {
        let reason = status(Some(other)).reason().unwrap();
        assert!(reason.contains("does not open it"), "{reason}");
    }
    let planes = |bytes: &[u8], key| match decoded(bytes, key).unwrap() {
        Recording::F32(planes) => planes.iter().map(<[f32]>::to_vec).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(planes(&encrypted, Some(key)), planes(&noise(None), None));
}

#[test]
fn a_wrong_key_is_refused_where_sound_follows_a_long_silence() {
    let key = 0x1234_5678_9ABC;
    let sound = noise(Some(key));
    let word = |at: usize| usize::from(u16::from_be_bytes([sound[at], sound[at + 1]]));
    let length = word(6);
    let comp = sound.windows(4).position(|tag| tag.iter().map(|byte| byte & 0x7F).eq(*b"comp")).unwrap();
    let block = word(comp + 4);
    let blocks = (sound.len() - length) / block;
    let mut silent = vec![0; block];
    silent[..2].fill(0xFF);
    seal(&mut silent);
    // More than are looked at to describe the stream.
    let mut bytes = sound[..length].to_vec();
    bytes[16..20].copy_from_slice(&u32::try_from(300 + blocks).unwrap().to_be_bytes());
    seal(&mut bytes);
    (0..300).for_each(|_| bytes.extend(&silent));
    bytes.extend(&sound[length..]);
    assert!(decoded(&bytes, Some(key)).is_ok());
    for other in [1, key + 1, key ^ 1 << 40] {
        let error = decoded(&bytes, Some(other)).unwrap_err().to_string();
        assert!(error.contains("does not open it"), "{error}");
    }
}

#[test]
fn a_wrong_key_is_refused_on_a_stream_too_quiet_to_hear() {
    let key = 0x1234_5678_9ABC;
    // Less than a step of 16 bits: blocks that are not empty, and sound as silence does.
    let values: Vec<f32> = (0..16_384_u32).map(|n| if n / 40 % 2 == 0 { 2.5e-5 } else { -2.5e-5 }).collect();
    let quiet = encoded(&values, Some(key));
    assert_eq!(described(&quiet, Some(key)).status(), Status::Ok);
    for other in [0, 1, key + 1, key ^ 1 << 40] {
        let reason = described(&quiet, Some(other)).status().reason();
        assert!(reason.is_some_and(|reason| reason.contains("does not open it")), "{other:#x}");
    }
}

#[test]
fn empty_blocks_are_silence_with_every_key_and_nothing_without() {
    let key = 0x1234_5678_9ABC;
    for bytes in [Silence { cipher: 56, ..PLAIN }.finish(), encoded(&[0.0; 8192], Some(key))] {
        assert_eq!(described(&bytes, None).status().reason_code(), Some("encrypted"));
        for key in [1, key] {
            let Recording::F32(planes) = decoded(&bytes, Some(key)).unwrap() else { panic!() };
            assert!(planes.iter().all(|plane| plane.iter().all(|value| *value == 0.0)));
        }
    }
}

#[test]
fn the_key_of_the_user_and_that_of_the_archive_open_a_wave() {
    let (key, subkey) = (0x0012_3456_789A, 3_u16);
    // 3 in the high half, what is missing to 2 in the low one.
    let wave = noise(Some(key * 0x0003_FFFE));
    let mut archive = b"AFS2\x02\x04\x02\0\x01\0\0\0\x20\0".to_vec();
    archive.extend(subkey.to_le_bytes());
    archive.extend([0; 2]);
    archive.extend([32_u32, 32 + u32::try_from(wave.len()).unwrap()].map(u32::to_le_bytes).concat());
    archive.resize(32, 0);
    archive.extend(&wave);
    let files: Arc<dyn Files> = Arc::new(MemoryFiles::from_iter([("banks/a.awb", archive)]));
    let status = |key| {
        let mut options = OpenOptions::default();
        options.banks.cri_key = key;
        let opened = OpenedFile::open(&files, Path::new("banks"), &options).unwrap();
        let sounds = opened.sounds(&options).unwrap();
        let is_decoded = sounds.sample(1).is_ok();
        (sounds.sounds()[0].status.name(), is_decoded)
    };
    assert_eq!(status(Some(key)), ("ok", true));
    assert_eq!([status(None), status(Some(key + 1))], [("unsupported", false); 2]);
}

/// Returns the streams of the corpus that are small enough to be decoded many times.
fn corpus() -> Vec<Vec<u8>> {
    let Some(corpus) = std::env::var_os("CORPUS") else { return Vec::new() };
    let banks = Path::new(&corpus).join("banks");
    let sheets: Vec<PathBuf> = fs::read_dir(banks)
        .unwrap()
        .map(|folder| folder.unwrap().path().join("Assets/StreamingAssets"))
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "acb"))
        .collect();
    let streams = sheets.iter().flat_map(|path| {
        let bytes = fs::read(path).unwrap();
        let starts: Vec<usize> = bytes
            .windows(4)
            .enumerate()
            .filter(|(_, tag)| tag.iter().map(|byte| byte & 0x7F).eq(*b"HCA\0"))
            .map(|(at, _)| at)
            .collect();
        starts.into_iter().map(|at| bytes[at..][..20_000.min(bytes.len() - at)].to_vec()).collect::<Vec<_>>()
    });
    streams.collect()
}

/// `MUTATIONS` says how many; `MUTATIONS=1000000 cargo test -p usampler-importer hca` takes some minutes.
#[test]
fn no_block_and_no_header_that_is_let_through_makes_the_decoder_panic() {
    let count = std::env::var("MUTATIONS").map_or(2000, |count| count.parse().unwrap());
    let mut streams = corpus();
    for version in [0x0101, 0x0200, 0x0300] {
        for channels in [1, 2, 6, 16] {
            streams.push(Silence { version, channels, block: 300, ..PLAIN }.finish());
        }
    }
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut headers, mut blocks) = (0, 0);
    for number in 0..count {
        let mut bytes = streams[number % streams.len()].clone();
        let length = usize::from(u16::from_be_bytes([bytes[6], bytes[7]]));
        for _ in 0..random(4) {
            let at = random(length);
            bytes[at] = [0, 1, 0x7F, 0x80, 0xFF, random(256) as u8][random(6)];
        }
        let length = usize::from(u16::from_be_bytes([bytes[6], bytes[7]]));
        if length < 8 || length > bytes.len() {
            continue;
        }
        seal(&mut bytes[..length]);
        let Ok(Ok(header)) = with(&bytes, header::read) else { continue };
        // Not guarded: a panic ends the test.
        let mut decoder = Box::new(ClHca::new());
        if decoder.decode_header(&bytes[..length]).is_err() {
            continue;
        }
        headers += 1;
        decoder.set_key(number as u64);
        let mut values = vec![0.0; 1024 * usize::from(header.channels)];
        for block in bytes[length..].chunks_exact_mut(header.block.into()).take(4) {
            for _ in 0..random(20) {
                let at = random(block.len());
                block[at] = random(256) as u8;
            }
            block[..2].fill(0xFF);
            seal(block);
            let mut again = block.to_vec();
            if decoder.decode_block(block).is_ok() {
                decoder.read_samples(&mut values);
                assert!(values.iter().all(|value| value.is_finite()));
                blocks += 1;
            }
            // Only this one is known to panic: on values that end within the checksum, as they do with a wrong key.
            let _ = unreal::guarded(|| decoder.test_block(&mut again));
        }
    }
    assert!(headers > count / 20 && blocks > count / 20, "{headers} headers, {blocks} blocks");
}
