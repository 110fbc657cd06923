//! IMA and Microsoft ADPCM in WAVE.

use fixtures::adpcm::{Coded, ima, ms};
use importer::{Codec, Status};

use super::{open, planes, wild};

/// Returns both codecs, mono and stereo, in blocks of sizes that real files have.
fn all(frames: usize) -> Vec<(Codec, Coded)> {
    let (mono, stereo) = (vec![wild(frames, 1)], vec![wild(frames, 2), wild(frames, 3)]);
    vec![
        (Codec::AdpcmIma, ima(&mono, 256)),
        (Codec::AdpcmIma, ima(&stereo, 512)),
        (Codec::AdpcmMs, ms(&mono, 256)),
        (Codec::AdpcmMs, ms(&stereo, 512)),
    ]
}

#[test]
fn every_value_is_what_the_encoder_reckoned() {
    for (codec, coded) in all(5000) {
        let (sound, sample) = open(&coded.wave(22_050, None));
        let audio = sound.audio().unwrap();
        assert_eq!((&sound.status, audio.codec, audio.rate.get()), (&Status::Ok, codec, 22_050));
        assert_eq!(audio.frames, Some(coded.decoded[0].len() as u64));
        assert_eq!(planes(&sample.unwrap()), coded.decoded, "{codec:?}");
    }
}

#[test]
fn the_last_block_may_be_cut_off_anywhere() {
    for (codec, coded) in all(1200) {
        let whole = coded.clone();
        for cut in 1..coded.block() {
            let mut coded = whole.clone();
            coded.bytes.truncate(whole.bytes.len() - cut);
            let (sound, sample) = open(&coded.wave(22_050, None));
            let planes = planes(&sample.unwrap());
            assert_eq!(sound.audio().unwrap().frames, Some(planes[0].len() as u64));
            assert!(planes[0].len() + 2 * cut + 16 >= whole.decoded[0].len(), "{codec:?} without {cut}");
            for (plane, expected) in planes.iter().zip(&whole.decoded) {
                assert_eq!(*plane, expected[..plane.len()], "{codec:?} without {cut} bytes");
            }
        }
    }
}

#[test]
fn the_fact_chunk_ends_the_sound_within_its_last_block() {
    for (_, coded) in all(1000) {
        let (sound, sample) = open(&coded.wave(8000, Some(900)));
        assert_eq!(sound.audio().unwrap().frames, Some(900));
        let planes = planes(&sample.unwrap());
        assert_eq!(planes[0], coded.decoded[0][..900]);
    }
}

#[test]
fn a_fact_chunk_that_knows_too_much_or_nothing_changes_nothing() {
    let coded = ima(&[wild(100, 1)], 256);
    let frames = coded.decoded[0].len();
    let (sound, sample) = open(&coded.wave(8000, Some(1_000_000)));
    assert_eq!(sound.repairs, [format!("\"fact\" chunk declares 1000000 frames, {frames} are there")]);
    assert_eq!(planes(&sample.unwrap()), coded.decoded);
    let (sound, sample) = open(&coded.wave(8000, Some(0)));
    assert!(sound.repairs.is_empty());
    assert_eq!(planes(&sample.unwrap()), coded.decoded);
}

#[test]
fn an_index_or_predictor_that_does_not_exist_is_damage_with_its_place() {
    let mut coded = ima(&[wild(1000, 1)], 256);
    coded.bytes[256 + 2] = 89;
    let (_, sample) = open(&coded.wave(8000, None));
    let at = coded.wave(8000, None).len() - coded.bytes.len() + 256;
    let reason = format!("an ADPCM block whose header names what does not exist at {at:#x} of the payload");
    assert_eq!(sample.unwrap_err().to_string(), reason);
    let mut coded = ms(&[wild(1000, 1)], 256);
    coded.bytes[0] = 7;
    assert!(open(&coded.wave(8000, None)).1.is_err());
}

#[test]
fn blocks_too_small_for_their_header_are_refused_by_name() {
    let wave = ima(&[wild(10, 1)], 256).wave(8000, None);
    for (size, refused) in [(0_u16, true), (3, true), (4, false), (5, false)] {
        let mut wave = wave.clone();
        wave[32..34].copy_from_slice(&size.to_le_bytes());
        let (sound, _) = open(&wave);
        let reason = format!("adpcm_ima in blocks of {size} bytes, which are too small");
        assert_eq!(sound.status.reason() == Some(reason), refused, "{size}: {:?}", sound.status);
    }
}
