//! Whatever a payload's bytes are, describing and decoding it ends: in an error or in a sound within its budget,
//! without a panic, and in little memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fixtures::adpcm;
use fixtures::aiff::{Aiff, AiffInstrument};
use fixtures::allocator::{self, Counting};
use fixtures::opus;
use fixtures::package::PackageWriter;
use fixtures::streams::{Layer2, Mpeg, Vorbis, comments, flac, with_blocks};
use fixtures::wave::{Values, Wave};
use importer::{Budget, SoundFile};
use proptest::prelude::*;
use song::Recording;
use unreal::Memory;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What decoded audio may take here, and what reading may hold on top of it.
const DECODED: u64 = 1 << 19;
const ON_TOP: usize = 2 << 20;

/// Locks out other tests: the peak is one for the whole process, so the tests here run one after another.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Describes and decodes a payload; whether it gave a sound.
fn attempt(data: &[u8]) -> bool {
    let mut package = PackageWriter::new(69);
    package.sound("Sound", None, "WAV", data);
    let source = Memory(package.finish());
    allocator::reset_peak();
    let before = allocator::held();
    let budget = Budget { decoded: DECODED, ..Budget::default() };
    let file = SoundFile::open(source, "Test", budget).unwrap();
    let sample = file.sample(1);
    let took = allocator::peak() - before;
    assert!(took <= DECODED as usize + ON_TOP + 4 * data.len(), "{took} bytes held for {}", data.len());
    let Ok(sample) = sample else { return false };
    let value_bytes = if matches!(sample.recording(), Recording::I16(_)) { 2 } else { 4 };
    assert!(sample.length().get() * sample.recording().channels() as u64 * value_bytes <= DECODED);
    true
}

fn wild(frames: i32) -> Vec<i16> {
    (0..frames).map(|n| (n * 7919 % 20_011 - 10_000) as i16).collect()
}

/// Returns a small payload of every format.
fn payloads() -> Vec<(&'static str, Vec<u8>)> {
    let planes = [wild(100), wild(100)];
    let voc: Vec<u8> = [
        &b"Creative Voice File\x1A\x1A\0\x14\x01\x1F\x11"[..],
        b"\x08\x04\0\0\0\x80\0\0\x01\x06\0\0\x9C\0\x01\x02\x03\x04\x06\x02\0\0\xFF\xFF\x02\x03\0\0\x05\x06\x07",
        b"\x03\x03\0\0\x09\0\x9C\x07\0\0\0\x09\x10\0\0\x10\x27\0\0\x08\x01\0\0\0\0\0\0\x01\x02\x03\x04\0",
    ]
    .concat();
    let six = Wave::new(8000, 6, Values::I16(wild(60))).looped(1, 5).finish();
    let frames = Mpeg { frames: 2, delay: Some((576, 300)) }.finish();
    let layer_2 =
        Layer2 { rate: 48_000, kbits: 384, channels: 1, checksum: true, codings: [1, 2, 0], frames: 1 };
    let mut mpeg_wave = Wave::new(8000, 1, Values::U8(frames.clone())).finish();
    mpeg_wave[20] = 0x55;
    let instrument = AiffInstrument {
        base: 60,
        detune: -20,
        notes: [10, 90],
        velocities: [1, 127],
        gain: 6,
        sustain: [1, 1, 2],
        release: [2, 1, 3],
    };
    let markers = vec![(1, 4, "begin"), (2, 9, ""), (3, 11, "end")];
    let aiff = Aiff { markers, instrument: Some(instrument), ..Aiff::new(2, 16, &[7; 48]) };
    let aifc = Aiff { channels: 3, ..Aiff::new(1, 24, &[9; 45]) }.compressed(b"in24");
    let cues = [&2_u32.to_le_bytes()[..], &[1, 0, 0, 0].repeat(12)].concat();
    let marked = Wave::new(8000, 1, Values::U8(vec![128; 9])).looped(1, 5);
    let marked = marked.with_chunk(b"inst", &[60, 10, 0xFA, 1, 90, 1, 127]).with_chunk(b"cue ", &cues);
    let marked = marked.with_chunk(b"LIST", b"adtllabl\x07\0\0\0\x01\0\0\0on\0\0").finish();
    let kept = [&b"riffsmpl"[..], &marked[61..]].concat();
    let fields = comments(&["LOOPSTART=3", "LOOPLENGTH=20"]);
    let tagged = with_blocks(&flac(8000, &planes, 64), &[(2, kept), (4, fields)]);
    let quad = [vec![wild(960), wild(960)], vec![wild(960)]];
    vec![
        ("aiff", aiff.finish()),
        ("aifc", aifc.finish()),
        ("marked wave", marked),
        ("tagged flac", tagged),
        ("opus in ogg", opus::ogg(&quad[..1], &[], 256, &["LOOPSTART=3"])),
        ("opus of three in ogg", opus::ogg(&quad, &[0, 2, 1], 0, &[])),
        ("six channels", six),
        ("ima", adpcm::ima(&planes, 72).wave(8000, Some(90))),
        ("ms", adpcm::ms(&planes, 70).wave(8000, Some(90))),
        ("ms apart", adpcm::ms_apart(&planes, 70, true).wave(8000, None)),
        ("ima of six", adpcm::ima(&vec![wild(100); 6], 72).wave(8000, None)),
        ("voc", voc),
        ("vorbis", Vorbis { packets_per_page: 3, before: 7, ..Vorbis::new(8000, 2, 7, 700) }.finish()),
        ("vorbis of eight", Vorbis { packets_per_page: 2, ..Vorbis::new(8000, 8, 5, 500) }.finish()),
        ("mpeg", frames),
        ("mpeg in wave", mpeg_wave),
        ("layer II", layer_2.finish()),
        ("flac", flac(8000, &planes, 64)),
    ]
}

#[test]
fn whole_payloads_give_a_sound() {
    let _alone = alone();
    for (name, bytes) in payloads() {
        // The blocks of this VOC differ in rate; it is for what follows.
        assert_eq!(attempt(&bytes), name != "voc", "{name}");
    }
}

#[test]
fn every_payload_may_end_anywhere() {
    let _alone = alone();
    for (_, bytes) in payloads() {
        for length in 1..bytes.len() {
            attempt(&bytes[..length]);
        }
    }
}

#[test]
fn every_byte_may_be_any_other() {
    let _alone = alone();
    for (_, bytes) in payloads() {
        for at in 0..bytes.len() {
            for change in [0x01, 0x10, 0x80, 0xFF] {
                let mut bytes = bytes.clone();
                bytes[at] ^= change;
                attempt(&bytes);
            }
        }
    }
}

#[test]
fn the_first_page_of_a_stream_of_many_channels_is_paid_for_until_it_is_mixed_down() {
    let _alone = alone();
    // 25,000 frames are 100 KB when mixed down, and 800 KB before.
    for (packets_per_page, fits) in [(20, true), (200, false)] {
        let stream = Vorbis { packets_per_page, ..Vorbis::new(44_100, 8, 200, 25_000) };
        assert_eq!(attempt(&stream.finish()), fits, "{packets_per_page} packets in the first page");
    }
}

#[test]
fn silence_without_end_is_stopped_by_the_budget() {
    let _alone = alone();
    let mut voc = b"Creative Voice File\x1A\x1A\0\x14\x01\x1F\x11\x01\x03\0\0\x9C\0\x01".to_vec();
    voc.extend(b"\x03\x03\0\0\xFF\xFF\x9C".repeat(60_000));
    assert!(!attempt(&voc), "eight gigabytes from half a megabyte");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_within_a_true_payload_are_survived(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 1..16),
        removed in 0..16_usize,
    ) {
        let _alone = alone();
        let payloads = payloads();
        let mut bytes = which.get(&payloads).1.clone();
        let start = at.index(bytes.len());
        let end = bytes.len().min(start + removed);
        bytes.splice(start..end, noise);
        attempt(&bytes);
    }
}
