use std::io::Cursor;
use std::num::NonZeroU32;

use song::{Cents, Key, LoopCount, LoopMode, LoopRange, Origin, Planes, Recording, Sample};

use super::*;

fn rate() -> Hz {
    Hz::new(22_050).unwrap()
}

fn stereo_16() -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = WavWriter::new(&mut file, rate(), Depth::Sixteen, Frames::new(2)).unwrap();
    writer.write(&[0.5, -1.0, 1.0, -1.5]).unwrap();
    assert_eq!(writer.finish().unwrap(), Written { frames: Frames::new(2), clipped: 2 });
    file
}

/// Returns the RIFF chunks of a file with their contents; fails unless they fill it exactly.
fn chunks(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&file[..4], word(4) + 8, &file[8..12]), (&b"RIFF"[..], file.len(), &b"WAVE"[..]));
    let (mut at, mut found) = (12, Vec::new());
    while at < file.len() {
        let size = word(at + 4);
        let name = String::from_utf8(file[at..at + 4].to_vec()).unwrap();
        found.push((name, file[at + 8..at + 8 + size].to_vec()));
        at += 8 + size + size % 2;
    }
    assert_eq!(at, file.len());
    found
}

fn values<T: hound::Sample>(file: &[u8]) -> Vec<T> {
    hound::WavReader::new(file).unwrap().into_samples().map(Result::unwrap).collect()
}

fn sample(recording: Recording, width: Width) -> Sample {
    Sample::new(Origin::default(), recording, width, rate())
}

fn mono<T>(values: Vec<T>) -> Planes<T> {
    Planes::new(vec![values]).unwrap()
}

#[test]
fn a_stream_gets_a_header_with_its_length() {
    let file = stereo_16();
    let reader = hound::WavReader::new(&file[..]).unwrap();
    let spec = reader.spec();
    assert_eq!((spec.channels, spec.sample_rate, spec.bits_per_sample), (2, 22_050, 16));
    assert_eq!(reader.duration(), 2);
    assert_eq!(chunks(&file).last().unwrap().1.len(), 8);
}

#[test]
fn values_are_rounded_and_what_is_beyond_full_scale_is_clipped_and_counted() {
    assert_eq!(values::<i32>(&stereo_16()), [16_384, -32_768, 32_767, -32_768]);
    let mut file = Vec::new();
    let mut writer = WavWriter::new(&mut file, rate(), Depth::Sixteen, Frames::new(1)).unwrap();
    writer.write(&[0.6 / 32_768.0, -0.6 / 32_768.0]).unwrap();
    assert_eq!(writer.finish().unwrap().clipped, 0);
    assert_eq!(values::<i32>(&file), [1, -1]);
}

#[test]
fn twenty_four_bits_and_floats_are_written_as_such() {
    let written = |depth, bits| {
        let mut file = Vec::new();
        let mut writer = WavWriter::new(&mut file, rate(), depth, Frames::new(1)).unwrap();
        writer.write(&[0.5, 2.0]).unwrap();
        let clipped = writer.finish().unwrap().clipped;
        assert_eq!(hound::WavReader::new(&file[..]).unwrap().spec().bits_per_sample, bits);
        (file, clipped)
    };
    let (file, clipped) = written(Depth::TwentyFour, 24);
    assert_eq!((values::<i32>(&file), clipped), (vec![4_194_304, 8_388_607], 1));
    let (file, clipped) = written(Depth::Float, 32);
    assert_eq!((values::<f32>(&file), clipped), (vec![0.5, 2.0], 0));
}

#[test]
fn a_file_without_its_announced_frames_is_not_finished() {
    let mut writer = WavWriter::new(Vec::new(), rate(), Depth::Sixteen, Frames::new(2)).unwrap();
    writer.write(&[0.0, 0.0]).unwrap();
    let error = writer.finish().unwrap_err();
    assert_eq!(error.to_string(), "the header says 2 frames, 1 were written");
}

#[test]
fn a_file_that_ends_early_gets_its_real_length_wherever_it_begins() {
    let mut out = Cursor::new(b"before".to_vec());
    out.set_position(6);
    let mut writer = WavWriter::new(&mut out, rate(), Depth::Sixteen, Frames::new(1000)).unwrap();
    writer.write(&[0.5, -0.5]).unwrap();
    assert_eq!(writer.finish_early().unwrap().1.frames, Frames::new(1));
    let file = out.into_inner();
    assert_eq!(&file[..6], b"before");
    assert_eq!(values::<i32>(&file[6..]), [16_384, -16_384]);
    chunks(&file[6..]);
}

#[test]
fn more_than_a_wav_file_can_hold_is_refused_at_once() {
    let frames = Frames::new(u64::from(u32::MAX) / 4);
    let error = WavWriter::new(Vec::new(), rate(), Depth::Sixteen, frames).unwrap_err();
    assert!(matches!(error, WavError::TooLarge));
    assert!(data_bytes(Width::Float, 2, Frames::new(u64::MAX)).is_err());
}

#[test]
fn a_recording_keeps_its_width_and_values() {
    let sixteen = [1, -1, 32_767, -32_768];
    let file = of_sample(&sample(Recording::I16(mono(sixteen.to_vec())), Width::Sixteen)).unwrap();
    assert_eq!(values::<i16>(&file), sixteen);

    let widened = vec![-32_768, -256, 0, 256, 32_512];
    let file = of_sample(&sample(Recording::I16(mono(widened)), Width::Eight)).unwrap();
    assert_eq!(values::<i8>(&file), [-128, -1, 0, 1, 127]);
    assert_eq!(chunks(&file)[1].1, [0, 127, 128, 129, 255]);

    let fine = vec![1.0 / 8_388_608.0, -1.0, 8_388_607.0 / 8_388_608.0];
    let file = of_sample(&sample(Recording::F32(mono(fine.clone())), Width::TwentyFour)).unwrap();
    assert_eq!(values::<i32>(&file), [1, -8_388_608, 8_388_607]);

    let file = of_sample(&sample(Recording::F32(mono(fine.clone())), Width::ThirtyTwo)).unwrap();
    assert_eq!(values::<i32>(&file), [256, i32::MIN, 2_147_483_392]);

    for width in [Width::Float, Width::Double] {
        let file = of_sample(&sample(Recording::F32(mono(fine.clone())), width)).unwrap();
        assert_eq!(values::<f32>(&file), fine);
    }
}

#[test]
fn every_value_of_8_bits_comes_back_and_others_are_rounded() {
    let all: Vec<i16> = (-128..128).map(|value| value << 8).chain([0x7FFF, 0x0180, -0x0180]).collect();
    let file = of_sample(&sample(Recording::I16(mono(all)), Width::Eight)).unwrap();
    let expected: Vec<i8> = (-128..=127).chain([127, 2, -2]).collect();
    assert_eq!(values::<i8>(&file), expected);
}

#[test]
fn stereo_recordings_are_interleaved() {
    let planes = Planes::new(vec![vec![1_i16, 2], vec![3, 4]]).unwrap();
    let file = of_sample(&sample(Recording::I16(planes), Width::Sixteen)).unwrap();
    assert_eq!(values::<i16>(&file), [1, 3, 2, 4]);
}

#[test]
fn a_recording_longer_than_a_block_is_written_whole() {
    let long: Vec<i16> = (0..10_000).collect();
    let file = of_sample(&sample(Recording::I16(mono(long.clone())), Width::Sixteen)).unwrap();
    assert_eq!(values::<i16>(&file), long);
}

#[test]
fn loops_and_root_key_stand_in_a_smpl_chunk_after_padded_data() {
    let frames = Frames::new;
    let of =
        |start, end, mode, plays| LoopRange::new(frames(start), frames(end), frames(5), mode, plays).unwrap();
    let twice = LoopCount::Times(NonZeroU32::new(2).unwrap());
    let loops = vec![of(1, 5, LoopMode::Forward, LoopCount::Forever), of(0, 1, LoopMode::PingPong, twice)];
    let five = Recording::I16(mono(vec![0; 5]));
    let looped = sample(five, Width::Eight)
        .with_root(Key::new(69).unwrap(), Cents::new(-25.0).unwrap())
        .with_loops(loops)
        .unwrap();
    let file = of_sample(&looped).unwrap();
    let found = chunks(&file);
    assert_eq!(found[1].1.len(), 5, "an odd number of bytes, so a pad byte follows");
    let words: Vec<_> = found[2].1.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(found[2].0, "smpl");
    assert_eq!(words[..9], [0, 0, 45_351, 68, 3 << 30, 0, 0, 2, 0]);
    assert_eq!(words[9..], [0, 0, 1, 4, 0, 0, /* the second */ 1, 1, 0, 0, 0, 2]);
}

#[test]
fn a_sample_without_loops_and_root_key_has_no_smpl_chunk() {
    let file = of_sample(&sample(Recording::I16(mono(vec![0; 2])), Width::Sixteen)).unwrap();
    assert_eq!(chunks(&file).len(), 2);
}

#[test]
fn absurd_rates_neither_panic_nor_spoil_the_header() {
    let recording = Recording::I16(Planes::new(vec![vec![1_i16], vec![2]]).unwrap());
    let fast = Sample::new(Origin::default(), recording, Width::Sixteen, Hz::new(u32::MAX).unwrap());
    let file = of_sample(&fast).unwrap();
    let format = &chunks(&file)[0].1;
    assert_eq!(format[4..12], [255; 8], "rate, and bytes per second as near as they can be said");
    assert_eq!(format[12..14], [4, 0]);
}

#[test]
fn quantizing_to_16_bits_is_the_same_several_at_a_time() {
    // Every 4,099th float, and around every half and whole step.
    let spread = (0..=u32::MAX).step_by(4099).map(f32::from_bits).filter(|value| !value.is_nan());
    let steps = (-65_600..65_600).flat_map(|half: i32| {
        let value = half as f32 / 65_536.0;
        [value.next_down(), value, value.next_up()]
    });
    for value in spread.chain(steps) {
        let (integer, is_clipped) = quantize(value.into(), 16);
        assert_eq!(quantize_to_16(value), (integer as i16, is_clipped), "{value:e}");
        let nearest = (f64::from(value) * 32_768.0).round();
        assert_eq!(f64::from(integer), nearest.clamp(-32_768.0, 32_767.0), "{value:e}");
        assert_eq!(is_clipped, !(-32_768.0..=32_767.0).contains(&nearest), "{value:e}");
    }
    assert_eq!(quantize_to_16(f32::NAN), (0, false));
}
