use unreal::Memory;
use unreal::ue1to3::bulk::Payload;

use super::*;
use crate::Format;
use crate::budget::WorkBudget;
use crate::codec::decode;

fn with<T>(bytes: &[u8], read: impl FnOnce(&PayloadReader<'_>) -> T) -> T {
    let source = Memory(bytes);
    let payload = Payload::plain(0, bytes.len() as u64);
    PayloadReader::open(&source, payload, &WorkBudget::of_file(0, None), |reader| Ok(read(reader))).unwrap()
}

/// Returns a stream at 44.1 kHz: what lies between version and signature, and blocks of their scale and codes.
fn stream(channels: u8, frames: u32, version: [u8; 2], extra: &[u8], blocks: &[(u16, [u8; 16])]) -> Vec<u8> {
    let length = u16::try_from(20 + extra.len() + 6 - 4).unwrap();
    let mut bytes = [&[0x80, 0][..], &length.to_be_bytes(), &[3, 18, 4, channels]].concat();
    bytes.extend([44_100_u32.to_be_bytes(), frames.to_be_bytes()].concat());
    bytes.extend([&500_u16.to_be_bytes()[..], &version, extra, b"(c)CRI"].concat());
    for (scale, codes) in blocks {
        bytes.extend([&scale.to_be_bytes()[..], codes].concat());
    }
    bytes
}

fn planes(bytes: &[u8]) -> Vec<Vec<i16>> {
    with(bytes, |reader| {
        let described = describe(reader).unwrap();
        let recording = decode(reader, &described, &mut DecodeBudget::new(1 << 20, None)).unwrap();
        let Recording::I16(planes) = recording else { panic!("{recording:?}") };
        planes.iter().map(<[i16]>::to_vec).collect()
    })
}

fn audio(bytes: &[u8]) -> Audio {
    with(bytes, |reader| describe(reader).unwrap().audio.unwrap())
}

fn codes(first: &[u8]) -> [u8; 16] {
    let mut codes = [0; 16];
    codes[..first.len()].copy_from_slice(first);
    codes
}

#[test]
fn a_value_is_its_code_times_the_scale_and_what_the_last_two_predict() {
    // At 500 Hz of 44.1 kHz the last value counts 7334 and the one before -3283 of 4096:
    // 100; 179; 320 - 81; and -800 + 427 - 144.
    let bytes = stream(1, 4, [3, 0], &[], &[(99, codes(&[0x10, 0x08]))]);
    assert_eq!(planes(&bytes), [[100, 179, 239, -517]]);
}

#[test]
fn channels_have_blocks_in_turn_and_each_its_own_past() {
    let blocks = [(9, codes(&[0x10])), (19, codes(&[0x10])), (9, codes(&[])), (9, codes(&[]))];
    let found = planes(&stream(2, 40, [3, 0], &[], &blocks));
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [40, 40]);
    assert_eq!((&found[0][..2], &found[1][..2]), (&[10, 17][..], &[20, 35][..]));
}

#[test]
fn version_4_states_the_values_before_the_first() {
    let history = [0, 100, 0, 0, 0, 0, 0, 0];
    let bytes = stream(1, 1, [4, 0], &[&[0; 4][..], &history].concat(), &[(0, codes(&[]))]);
    assert_eq!(planes(&bytes), [[179]]);
}

#[test]
fn loops_lie_after_the_version_or_after_the_history() {
    let long =
        |numbers: [u32; 6]| numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<u8>>();
    let looped = long([1, 1, 8, 0, 40, 0]);
    let blocks = [(0, codes(&[])); 2];
    let ends = |bytes: &[u8]| {
        let loops = audio(bytes).loops;
        loops.iter().map(|range| (range.start().get(), range.end().get())).collect::<Vec<_>>()
    };
    assert_eq!(ends(&stream(1, 64, [3, 0], &looped, &blocks)), [(8, 40)]);
    let after_history = [&[0; 12][..], &looped].concat();
    assert_eq!(ends(&stream(1, 64, [4, 0], &after_history, &blocks)), [(8, 40)]);
    assert_eq!(ends(&stream(1, 64, [3, 0], &long([1, 0, 8, 0, 40, 0]), &blocks)), []);
    assert_eq!(ends(&stream(1, 64, [3, 0], &looped[..20], &blocks)), [], "no room for all of it");
    let mut notes = after_history;
    notes[16..20].copy_from_slice(b"AINF");
    assert_eq!(ends(&stream(1, 64, [4, 0], &notes, &blocks)), []);
}

#[test]
fn the_block_that_ends_a_stream_is_no_sound() {
    let blocks = [(0, codes(&[])), (0x8001, codes(&[0x11])), (0, codes(&[]))];
    assert_eq!(planes(&stream(1, 96, [3, 0], &[], &blocks)), [vec![0; 32]]);
}

#[test]
fn frames_that_are_not_there_are_reported() {
    let bytes = stream(1, 1000, [3, 0], &[], &[(0, codes(&[])); 2]);
    with(&bytes[..bytes.len() - 1], |reader| {
        let described = describe(reader).unwrap();
        assert_eq!(described.audio.unwrap().frames, Some(32));
        assert_eq!(described.repairs, ["32 of 1000 frames are there"]);
    });
}

#[test]
fn what_is_not_decoded_is_named() {
    let reason = |bytes: &[u8]| with(bytes, |reader| describe(reader).unwrap().status().reason().unwrap());
    assert!(reason(&stream(1, 32, [4, 8], &[0; 12], &[(0, codes(&[]))])).contains("encrypted"));
    let mut other = stream(1, 32, [3, 0], &[], &[(0, codes(&[]))]);
    other[4] = 2;
    assert!(reason(&other).contains("type 2"));
}

#[test]
fn a_stream_is_known_by_the_signature_that_ends_its_header() {
    let bytes = stream(1, 32, [3, 0], &[0; 100], &[]);
    assert!(is_head(&bytes) && !is_head(&bytes[..bytes.len() - 1]));
    assert!(with(&bytes, |reader| is_stream(reader, &bytes[..4]).unwrap()));
    assert!(!with(&bytes[..bytes.len() - 1], |reader| is_stream(reader, &bytes[..4]).unwrap()));
    assert_eq!(with(&bytes, |reader| Format::of(reader).unwrap()), Some(Format::Adx));
    assert!(!is_head(&[0x80, 0, 0, 0, 3, 18, 4, 1]) && !is_head(&[]));
}

#[test]
fn any_bytes_end_in_a_recording_or_an_error() {
    let whole = stream(3, 64, [4, 0], &[7; 50], &[(0x7FFF, [0x78; 16]); 6]);
    for at in 0..whole.len() {
        for value in [0, 1, 0x7F, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            for bytes in [&bytes[..], &whole[..at]] {
                with(bytes, |reader| {
                    let Ok(described) = describe(reader) else { return };
                    let _ = decode(reader, &described, &mut DecodeBudget::new(1 << 20, None));
                });
            }
        }
    }
}
