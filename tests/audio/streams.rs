//! Vorbis, MPEG and FLAC: streams that are silent but for their lengths, written by hand.

use fixtures::streams::{Layer2, Mpeg, Vorbis, flac};
use importer::{Codec, Status};
use song::Recording;

use super::{open, planes, wild};

fn length(data: &[u8]) -> u64 {
    let (sound, sample) = open(data);
    assert_eq!(sound.status, Status::Ok, "{:?}", sound.repairs);
    let sample = sample.unwrap();
    assert_eq!(sound.audio().unwrap().frames, Some(sample.length().get()));
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
    assert_eq!(sound.audio().unwrap().frames, None);
    assert_eq!(sound.repairs.len(), 1);
    assert_eq!(sample.unwrap().length().get(), 256);
}

#[test]
fn mpeg_frames_are_counted_and_what_the_encoder_added_is_cut() {
    let plain = Mpeg { frames: 10, ..Mpeg::default() };
    assert_eq!(length(&plain.finish()), 11_520);
    let tagged = Mpeg { delay: Some((576, 1000)), ..plain };
    assert_eq!(length(&tagged.finish()), 11_520 - 576 - 1000);
    assert_eq!(open(&tagged.finish()).0.audio().unwrap().codec, Codec::Mp3);
}

#[test]
fn mpeg_is_found_after_a_tag_and_garbage() {
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
    assert_eq!(open(&wave).0.audio().unwrap().rate.get(), 44_100);
}

/// Returns what a stream of layer II decodes to.
fn layer_2(stream: Layer2) -> Vec<Vec<i16>> {
    let (sound, sample) = open(&stream.finish());
    let audio = sound.audio().unwrap();
    assert_eq!((&sound.status, audio.codec), (&Status::Ok, Codec::Mp2), "{stream:?}");
    assert_eq!((audio.rate.get(), audio.channels), (stream.rate, stream.channels.into()));
    let planes = planes(&sample.unwrap());
    assert_eq!(planes[0].len() as u64, audio.frames.unwrap());
    planes
}

#[test]
fn layer_2_sounds_the_same_at_bit_rates_that_the_standard_has_not_for_so_many_channels() {
    let mono =
        Layer2 { rate: 44_100, kbits: 192, channels: 1, checksum: false, codings: [5, 15, 3], frames: 4 };
    let stereo = Layer2 { kbits: 64, channels: 2, codings: [2, 1, 0], ..mono };
    let low = Layer2 { rate: 22_050, kbits: 64, codings: [3, 0, 1], ..stereo };
    for (allowed, rates) in
        [(mono, &[224, 256, 320, 384][..]), (stereo, &[32, 48, 56, 80]), (low, &[32, 48, 56, 80])]
    {
        let low_rates = [22_050, 24_000, 16_000];
        let high_rates = [44_100, 48_000, 32_000];
        for rate in if allowed.rate < 32_000 { low_rates } else { high_rates } {
            // Of these frames nothing is left over for a second channel.
            let rates = if (rate, allowed.channels) == (32_000, 1) { &rates[..3] } else { rates };
            for checksum in [false, true] {
                let allowed = Layer2 { rate, checksum, ..allowed };
                let expected = layer_2(allowed);
                assert!(expected[0].iter().any(|value| value.abs() > 100), "{allowed:?} is silent");
                for &kbits in rates {
                    let stream = Layer2 { kbits, ..allowed };
                    assert_eq!(layer_2(stream), expected, "{stream:?}");
                }
            }
        }
    }
}

#[test]
fn the_longest_frames_of_layer_2_are_refused_by_name() {
    let stream =
        Layer2 { rate: 32_000, kbits: 384, channels: 1, checksum: false, codings: [1, 0, 0], frames: 3 };
    let (sound, sample) = open(&stream.finish());
    let reason = "MPEG layer II of 384 kbit/s in mono at 32000 Hz is not decoded";
    assert_eq!(sound.status.to_string(), format!("unsupported: {reason}"));
    assert_eq!(sound.audio().unwrap().frames, Some(3 * 1152));
    assert!(sample.is_err());
}

#[test]
fn the_bit_rate_of_layer_2_may_change_from_frame_to_frame() {
    let mono =
        Layer2 { rate: 44_100, kbits: 192, channels: 1, checksum: false, codings: [5, 15, 3], frames: 1 };
    let stereo = Layer2 { kbits: 64, channels: 2, codings: [2, 1, 0], ..mono };
    for (stream, rates) in [(mono, [192, 384, 64, 320]), (stereo, [96, 80, 64, 32])] {
        let one = |kbits| Layer2 { kbits, ..stream }.finish();
        let changing: Vec<u8> = rates.into_iter().flat_map(one).collect();
        let steady = one(stream.kbits).repeat(rates.len());
        let decoded = |bytes: &[u8]| planes(&open(bytes).1.unwrap());
        assert_eq!(decoded(&changing), decoded(&steady), "{stream:?}");
    }
}

#[test]
fn layer_2_sounds_the_same_at_all_bit_rates_that_the_standard_has() {
    let stream =
        Layer2 { rate: 48_000, kbits: 56, channels: 1, checksum: false, codings: [3, 1, 2], frames: 3 };
    let expected = layer_2(stream);
    for kbits in [64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384] {
        assert_eq!(layer_2(Layer2 { kbits, ..stream }), expected, "{kbits}");
    }
}

#[test]
fn flac_is_decoded_to_the_bit() {
    let values = vec![wild(700, 1), wild(700, 2)];
    let (sound, sample) = open(&flac(22_050, &values, 256));
    let audio = sound.audio().unwrap();
    assert_eq!(
        (audio.codec, audio.rate.get(), audio.bits, audio.frames),
        (Codec::Flac, 22_050, Some(16), Some(700))
    );
    let sample = sample.unwrap();
    assert!(matches!(sample.recording(), Recording::I16(_)));
    assert_eq!(planes(&sample), values);
}

#[test]
fn vorbis_of_more_than_eight_channels_is_listed_as_not_decoded() {
    for (channels, decoded) in [(8, true), (9, false), (255, false)] {
        let (sound, sample) = open(&Vorbis::new(44_100, channels, 3, 200).finish());
        assert_eq!((sound.status == Status::Ok, sample.is_ok()), (decoded, decoded), "{channels}");
        let audio = sound.audio().unwrap();
        assert_eq!((audio.channels, audio.frames), (channels.into(), Some(200)));
        if !decoded {
            let expected = format!("Vorbis of {channels} channels, 8 at most are decoded");
            assert_eq!(sound.status.reason(), Some(expected));
        }
    }
}
