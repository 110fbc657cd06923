//! Creative Voice Files, block by block.

use importer::{Codec, Status};
use song::{LoopCount, Width};

use super::{open, planes};

/// Returns a file of blocks: kind and body each.
fn voc(blocks: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = b"Creative Voice File\x1A\x1A\0\x14\x01\x1F\x11".to_vec();
    for (kind, body) in blocks {
        bytes.push(*kind);
        bytes.extend(&u32::try_from(body.len()).unwrap().to_le_bytes()[..3]);
        bytes.extend(*body);
    }
    bytes.push(0);
    bytes
}

#[test]
fn blocks_of_sound_are_one_recording_at_the_rate_of_their_divisor() {
    let (sound, sample) = open(&voc(&[(1, &[156, 0, 128, 255]), (5, b"text\0"), (2, &[0, 128])]));
    let audio = sound.audio().unwrap();
    assert_eq!(
        (audio.codec, audio.rate.get(), audio.channels, audio.frames),
        (Codec::PcmU8, 10_000, 1, Some(4))
    );
    let sample = sample.unwrap();
    assert_eq!((planes(&sample), sample.width()), (vec![vec![0, 32_512, -32_768, 0]], Width::Eight));
}

#[test]
fn an_extended_block_makes_the_next_one_stereo() {
    // 256,000,000 / (2 × 22,050), from 65,536 down.
    let constant = (65_536_u32 - 5_805).to_le_bytes();
    let (sound, sample) = open(&voc(&[(8, &[constant[0], constant[1], 0, 1]), (1, &[0, 0, 128, 0, 129, 1])]));
    let audio = sound.audio().unwrap();
    assert_eq!((audio.rate.get(), audio.channels), (22_049, 2));
    assert_eq!(planes(&sample.unwrap()), [[0, 256], [-32_768, -32_512]]);
}

#[test]
fn a_new_block_tells_all_about_its_values() {
    let header = |bits, coding: u8, values: &[u8]| {
        [&44_100_u32.to_le_bytes()[..], &[bits, 1, coding, 0, 0, 0, 0, 0], values].concat()
    };
    for (bits, coding, values, codec, expected) in [
        (8, 0, &[255, 0][..], Codec::PcmU8, [32_512, -32_768]),
        (16, 4, &[1, 0, 255, 255], Codec::PcmS16, [1, -1]),
        (8, 6, &[0xAA, 0x2A], Codec::ALaw, [32_256, -32_256]),
        (8, 7, &[0x80, 0x00], Codec::MuLaw, [32_124, -32_124]),
    ] {
        let (sound, sample) = open(&voc(&[(9, &header(bits, coding, values))]));
        assert_eq!(sound.audio().unwrap().codec, codec);
        assert_eq!(planes(&sample.unwrap()), [expected]);
    }
}

#[test]
fn silence_is_as_long_as_its_own_rate_makes_it() {
    // Ten frames at 5,000 Hz are twenty at 10,000.
    let (_, sample) = open(&voc(&[(1, &[156, 0, 255]), (3, &[9, 0, 56]), (2, &[255])]));
    let planes = planes(&sample.unwrap());
    assert_eq!(planes[0].len(), 22);
    assert_eq!(planes[0][1..21], [0; 20]);
}

#[test]
fn what_repeats_is_a_loop() {
    let blocks =
        |times: [u8; 2]| voc(&[(1, &[156, 0, 1, 2]), (6, &times), (2, &[3, 4, 5]), (7, &[]), (2, &[6])]);
    let (_, sample) = open(&blocks([0xFF, 0xFF]));
    let looping = sample.unwrap().loops()[0];
    assert_eq!((looping.start().get(), looping.end().get(), looping.plays()), (2, 5, LoopCount::Forever));
    let (_, sample) = open(&blocks([2, 0]));
    assert_eq!(sample.unwrap().loops()[0].plays(), LoopCount::Times(3.try_into().unwrap()));
}

#[test]
fn what_is_not_decoded_is_named() {
    for (coding, name) in [(1, "4"), (2, "2.6"), (3, "2")] {
        let (sound, _) = open(&voc(&[(1, &[156, coding, 1, 2])]));
        assert_eq!(
            sound.status.to_string(),
            format!("unsupported: Creative ADPCM of {name} bits is not decoded")
        );
        let audio = sound.audio().unwrap();
        assert_eq!(
            (audio.codec.name().as_str(), audio.rate.get(), audio.frames),
            ("adpcm_creative", 10_000, None)
        );
    }
    let (sound, _) = open(&voc(&[(1, &[156, 0, 1]), (1, &[100, 0, 1])]));
    assert_eq!(sound.status.to_string(), "unsupported: its blocks differ in rate or channels");
    assert!(matches!(open(&voc(&[])).0.status, Status::Unsupported(_)));
}
