//! More than two channels in ADPCM and G.711 WAVE, and channels that the engine codes apart.

use fixtures::adpcm::{Coded, ima, ms, ms_apart};
use fixtures::wave::{Chunk, Values, Wave};
use importer::Status;
use song::{Recording, Sample};

use super::{open, planes, wild};

fn mixed(sample: &Sample) -> Vec<Vec<f32>> {
    match sample.recording() {
        Recording::F32(planes) => planes.iter().map(<[f32]>::to_vec).collect(),
        Recording::I16(_) => panic!("16 bits where a mix was expected"),
    }
}

/// Returns what these channels are as PCM.
fn as_pcm(channels: &[Vec<i16>]) -> Vec<Vec<f32>> {
    let frames = 0..channels[0].len();
    let values = frames.flat_map(|frame| channels.iter().map(move |channel| channel[frame])).collect();
    let count = u16::try_from(channels.len()).unwrap();
    mixed(&open(&Wave::new(8000, count, Values::I16(values)).finish()).1.unwrap())
}

fn channels(count: u32, frames: usize) -> Vec<Vec<i16>> {
    (0..count).map(|channel| wild(frames, channel + 1)).collect()
}

#[test]
fn ima_of_any_number_of_channels_is_mixed_like_pcm() {
    for count in [3_u16, 4, 5, 6, 8] {
        let coded = ima(&channels(count.into(), 700), 36 * count);
        let (sound, sample) = open(&coded.wave(22_050, None));
        assert_eq!((&sound.status, sound.audio().unwrap().channels), (&Status::Ok, count));
        assert_eq!(sound.repairs, [format!("{count} channels are mixed down to two")]);
        assert_eq!(mixed(&sample.unwrap()), as_pcm(&coded.decoded), "{count}");
    }
}

#[test]
fn companded_channels_are_mixed_like_pcm() {
    for (tag, law) in [(6_u16, 0x55_u8), (7, 0xFF)] {
        let bytes: Vec<u8> = (0..60_u8).map(|n| n.wrapping_mul(37) ^ law).collect();
        let wave = |channels: u16| {
            let mut format = Vec::new();
            for word in [tag, channels, 8000, 0, 0, 0, channels, 8] {
                format.extend(word.to_le_bytes());
            }
            let chunks = vec![Chunk::Other(*b"fmt ", format), Chunk::Other(*b"data", bytes.clone())];
            Wave { chunks, ..Wave::new(8000, 1, Values::U8(Vec::new())) }.finish()
        };
        // As mono the values one after another, so every sixth is of one channel.
        let values = planes(&open(&wave(1)).1.unwrap()).remove(0);
        let channels: Vec<Vec<i16>> =
            (0..6).map(|channel| values.iter().copied().skip(channel).step_by(6).collect()).collect();
        let (sound, sample) = open(&wave(6));
        assert_eq!((&sound.status, sound.audio().unwrap().frames), (&Status::Ok, Some(10)));
        assert_eq!(mixed(&sample.unwrap()), as_pcm(&channels), "{tag}");
    }
}

#[test]
fn microsoft_adpcm_of_more_than_two_channels_in_one_block_is_refused_by_name() {
    let mut wave = ms(&[wild(500, 1), wild(500, 2)], 512).wave(8000, None);
    wave[22] = 6;
    let (sound, sample) = open(&wave);
    let reason = "adpcm_ms of 6 channels in one block; mono and stereo are decoded";
    assert_eq!(sound.status.to_string(), format!("unsupported: {reason}"));
    assert_eq!(sound.audio().unwrap().channels, 6);
    assert!(sample.is_err());
}

/// Returns channels without leaps, as recordings are as a rule.
fn smooth(count: u32, frames: usize) -> Vec<Vec<i16>> {
    let value = |channel: u32, frame: usize| {
        let turns = f64::from(u32::try_from(frame).unwrap()) / (300.0 + 70.0 * f64::from(channel));
        (20_000.0 * (turns * std::f64::consts::TAU + f64::from(channel)).sin()) as i16
    };
    (0..count).map(|channel| (0..frames).map(|frame| value(channel, frame)).collect()).collect()
}

/// Returns the first frames of what a file decodes to.
fn begins(sample: &Sample, coded: &Coded) -> bool {
    planes(sample).iter().zip(&coded.decoded).all(|(found, expected)| found.starts_with(expected))
}

#[test]
fn channels_coded_apart_are_distinguished_from_ordinary_ones_and_in_which_order_they_lie() {
    for (in_turn, words) in [(false, "one channel after the other"), (true, "the channels in turn")] {
        for (block, frames) in [(512, 9000), (512, 1012), (512, 30), (0x9B, 5000), (0x69, 5000)] {
            let coded = ms_apart(&smooth(2, frames), block, in_turn);
            let (sound, sample) = open(&coded.wave(22_050, None));
            assert_eq!(sound.status, Status::Ok);
            let sample = sample.unwrap();
            assert!(begins(&sample, &coded), "{words}, blocks of {block}, {frames} frames");
            assert_eq!(sound.audio().unwrap().frames, Some(sample.length().get()));
            // In one block of each there is only one order.
            if frames > 1012 {
                assert_eq!(sound.repairs, [format!("its blocks are of one channel each, {words}")]);
            }
        }
    }
}

#[test]
fn of_a_last_round_that_is_cut_off_what_every_channel_has_is_decoded() {
    let coded = ms_apart(&smooth(2, 9000), 512, true);
    let rounds = coded.bytes.len() / 1024;
    let of_a_block = 2 + (512 - 7) * 2;
    // Cut in the last block of the second channel, in front of it, and within that of the first.
    for (cut, more) in [(100, 2 + (412 - 7) * 2), (505, 2), (506, 0), (512, 0), (600, 0)] {
        let mut cut_off = coded.clone();
        cut_off.bytes.truncate(coded.bytes.len() - cut);
        let (sound, sample) = open(&cut_off.wave(22_050, None));
        let length = (rounds - 1) * of_a_block + more;
        assert_eq!(sound.audio().unwrap().frames, Some(length as u64), "{cut} bytes cut off");
        for (found, expected) in planes(&sample.unwrap()).iter().zip(&coded.decoded) {
            let known = length.min(expected.len());
            assert_eq!((found.len(), &found[..known]), (length, &expected[..known]));
        }
    }
}

#[test]
fn a_header_that_states_the_frames_of_one_channel_is_believed_if_the_blocks_allow_it() {
    let alone = 2 + (512 - 7) * 2;
    let coded = ms_apart(&smooth(2, 3000), 512, false).stating(alone);
    assert!(begins(&open(&coded.wave(22_050, None)).1.unwrap(), &coded));
    let ordinary = ms(&channels(2, 3000), 512);
    let lying = ordinary.clone().stating(alone);
    assert_eq!(planes(&open(&lying.wave(22_050, None)).1.unwrap()), ordinary.decoded);
}

#[test]
fn the_number_of_frames_after_the_coefficients_ends_the_sound() {
    for in_turn in [false, true] {
        for frames in [2500, 1012, 100] {
            let mut coded = ms_apart(&smooth(2, frames), 512, in_turn);
            coded.stated_frames = u32::try_from(frames).ok();
            let (sound, sample) = open(&coded.wave(22_050, None));
            assert_eq!(sound.audio().unwrap().frames, Some(frames as u64));
            let expected: Vec<_> = coded.decoded.iter().map(|plane| plane[..frames].to_vec()).collect();
            assert_eq!(planes(&sample.unwrap()), expected);
        }
    }
    let mut coded = ms_apart(&smooth(2, 100), 512, false);
    coded.stated_frames = Some(1_000_000);
    assert_eq!(open(&coded.wave(8000, None)).0.audio().unwrap().frames, Some(1012), "no more than there are");
}

#[test]
fn noise_coded_apart_lies_in_the_order_that_its_header_came_with() {
    for (in_turn, stated_frames) in [(false, None), (true, Some(9000))] {
        let mut coded = ms_apart(&channels(2, 9000), 512, in_turn);
        coded.stated_frames = stated_frames;
        let sample = open(&coded.wave(22_050, None)).1.unwrap();
        let expected: Vec<_> = planes(&sample).iter().map(Vec::len).zip(&coded.decoded).collect();
        for ((length, expected), found) in expected.into_iter().zip(planes(&sample)) {
            let known = length.min(expected.len());
            assert_eq!(found[..known], expected[..known]);
        }
    }
}

#[test]
fn silence_coded_apart_is_as_long_as_it_is_in_either_order() {
    for in_turn in [false, true] {
        let mut coded = ms_apart(&vec![vec![0; 3000]; 2], 512, in_turn);
        coded.stated_frames = Some(3000);
        let sample = open(&coded.wave(22_050, None)).1.unwrap();
        assert_eq!(planes(&sample), vec![vec![0; 3000]; 2]);
    }
}

#[test]
fn six_channels_coded_apart_are_mixed_like_pcm() {
    for in_turn in [false, true] {
        let mut coded = ms_apart(&smooth(6, 3000), 512, in_turn);
        coded.stated_frames = Some(3000);
        let (sound, sample) = open(&coded.wave(22_050, None));
        assert_eq!((&sound.status, sound.audio().unwrap().channels), (&Status::Ok, 6));
        let expected: Vec<_> = coded.decoded.iter().map(|plane| plane[..3000].to_vec()).collect();
        assert_eq!(mixed(&sample.unwrap()), as_pcm(&expected));
    }
}

#[test]
fn ordinary_stereo_is_never_taken_for_channels_coded_apart() {
    for seed in 0..40 {
        let coded = ms(&[wild(4000, seed), wild(4000, seed + 100)], [512, 256, 1024, 70][seed as usize % 4]);
        let (sound, sample) = open(&coded.wave(22_050, None));
        assert_eq!(sound.repairs, Vec::<String>::new(), "{seed}");
        assert_eq!(planes(&sample.unwrap()), coded.decoded, "{seed}");
    }
}

#[test]
fn one_broken_predictor_does_not_make_stereo_apart() {
    let mut coded = ms(&[wild(4000, 1), wild(4000, 2)], 512);
    coded.bytes[512 + 1] = 7;
    let (sound, sample) = open(&coded.wave(22_050, None));
    assert_eq!(sound.repairs, Vec::<String>::new());
    let error = sample.unwrap_err().to_string();
    assert!(error.starts_with("an ADPCM block whose header names what does not exist"), "{error}");
}
