//! Vorbis, MPEG and FLAC: streams that are silent but for their lengths, written by hand.

use fixtures::streams::{Mpeg, Vorbis, flac};
use importer::{Codec, Status};
use song::Recording;

use super::{open, planes, wild};

fn length(data: &[u8]) -> u64 {
    let (sound, sample) = open(data);
    assert_eq!(sound.status, Status::Ok, "{:?}", sound.repairs);
    let sample = sample.unwrap();
    assert_eq!(sound.audio.unwrap().frames, Some(sample.length().get()));
    sample.length().get()
}

#[test]
fn a_vorbis_stream_ends_where_its_last_page_says() {
    // Eleven packets of 256 frames each give ten times 128.
    for end in [1280, 1279, 1153, 1000] {
        assert_eq!(length(&Vorbis::new(22_050, 1, 11, end).finish()), end);
    }
    assert_eq!(length(&Vorbis { packets_per_page: 3, ..Vorbis::new(8000, 2, 11, 1200) }.finish()), 1200);
}

#[test]
fn a_vorbis_stream_begins_where_its_first_page_says() {
    let stream = Vorbis { packets_per_page: 3, before: 100, ..Vorbis::new(8000, 2, 11, 1100) };
    assert_eq!(length(&stream.finish()), 1100);
}

#[test]
fn a_vorbis_stream_that_promises_too_much_gives_what_it_has() {
    let (sound, sample) = open(&Vorbis::new(8000, 1, 3, 1 << 40).finish());
    assert_eq!(sound.audio.unwrap().frames, None);
    assert_eq!(sound.repairs.len(), 1);
    assert_eq!(sample.unwrap().length().get(), 256);
}

#[test]
fn mpeg_frames_are_counted_and_what_the_encoder_added_is_cut() {
    let plain = Mpeg { frames: 10, ..Mpeg::default() };
    assert_eq!(length(&plain.finish()), 11_520);
    let tagged = Mpeg { delay: Some((576, 1000)), ..plain };
    assert_eq!(length(&tagged.finish()), 11_520 - 576 - 1000);
    assert_eq!(open(&tagged.finish()).0.audio.unwrap().codec, Codec::Mp3);
}

#[test]
fn mpeg_is_found_behind_a_tag_and_garbage() {
    let frames = Mpeg { frames: 10, ..Mpeg::default() }.finish();
    let tag = [&b"ID3\x04\0\0\0\0\0\x05hello"[..], &frames].concat();
    assert_eq!(length(&tag), 11_520);
    let mut garbage = frames.clone();
    garbage.splice(834..834, [0xFF, 0xFB, 0, 1, 2]);
    let (sound, _) = open(&garbage);
    assert_eq!(sound.repairs, ["5 bytes between MPEG frames ignored"]);
    assert_eq!(length(&garbage), 11_520);
}

#[test]
fn mpeg_in_a_wave_is_what_its_frames_say() {
    let frames = Mpeg { frames: 3, ..Mpeg::default() }.finish();
    let mut wave = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x55\0\x02\0\x40\x1F\0\0\0\0\0\0\x01\0\0\0data".to_vec();
    wave.extend(u32::try_from(frames.len()).unwrap().to_le_bytes());
    wave.extend(frames);
    assert_eq!(length(&wave), 3 * 1152);
    assert_eq!(open(&wave).0.audio.unwrap().rate.get(), 44_100);
}

#[test]
fn flac_is_decoded_to_the_bit() {
    let values = vec![wild(700, 1), wild(700, 2)];
    let (sound, sample) = open(&flac(22_050, &values, 256));
    let audio = sound.audio.unwrap();
    assert_eq!(
        (audio.codec, audio.rate.get(), audio.bits, audio.frames),
        (Codec::Flac, 22_050, Some(16), Some(700))
    );
    let sample = sample.unwrap();
    assert!(matches!(sample.recording(), Recording::I16(_)));
    assert_eq!(planes(&sample), values);
}
