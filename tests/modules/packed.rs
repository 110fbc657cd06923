//! The compression of Impulse Tracker, against a packer that writes every change of width.

use fixtures::module::it::{It, Sample};
use fixtures::module::packed::Packer;
use proptest::prelude::*;
use tracker::Raw;

use super::{bytes, it, repairs, words};

const PACKED: u8 = 9;
const WIDE: u8 = 2;
const STEREO: u8 = 4;

/// Returns the plan that goes from every width to every other.
fn every_change(widest: u32) -> Vec<u32> {
    (1..=widest).flat_map(|from| (1..=widest).flat_map(move |to| [from, to])).collect()
}

/// Returns values whose differences are small for a while, then larger, then anything.
fn values(frames: i32, wide: bool) -> Vec<i16> {
    let most: i32 = if wide { 32_767 } else { 127 };
    let mut value = 0_i32;
    (0..frames)
        .map(|frame| {
            let step = match frame % 90 {
                0..40 => 0,
                40..60 => frame % 3 - 1,
                60..75 => frame * 7 % 31 - 15,
                _ => frame * 7919 % (2 * most) - most,
            };
            value = (value + step).clamp(-most - 1, most);
            value as i16
        })
        .collect()
}

fn file(packer: Packer, planes: &[Vec<i16>], plan: &[u32]) -> fixtures::bytes::Written {
    let data = planes.iter().flat_map(|plane| packer.pack(plane, plan)).collect();
    let flags = PACKED | if packer.wide { WIDE } else { 0 } | if planes.len() == 2 { STEREO } else { 0 };
    let conversion = if packer.twice { 5 } else { 1 };
    let sample = Sample { flags, conversion, length: planes[0].len() as u32, data };
    It { samples: vec![sample], ..It::new(0x214) }.finish()
}

/// Whether packing and unpacking gives the same.
fn assert_kept(packer: Packer, planes: &[Vec<i16>], plan: &[u32]) {
    let module = it::read(&file(packer, planes, plan).bytes);
    let slices: Vec<&[i16]> = planes.iter().map(Vec::as_slice).collect();
    let narrow: Vec<Vec<i8>> = planes.iter().map(|plane| plane.iter().map(|v| *v as i8).collect()).collect();
    let narrow: Vec<&[i8]> = narrow.iter().map(Vec::as_slice).collect();
    let expected = if packer.wide { words(&slices) } else { bytes(&narrow) };
    assert!(module.samples[0].frames == expected, "{packer:?}");
}

fn packers() -> [Packer; 4] {
    [(false, false), (false, true), (true, false), (true, true)].map(|(wide, twice)| Packer { wide, twice })
}

#[test]
fn every_change_of_width_is_understood() {
    for packer in packers() {
        let plan = every_change(if packer.wide { 17 } else { 9 });
        // Without steps every width of the plan can be used as it is.
        assert_kept(packer, &[vec![0; plan.len()]], &plan);
        assert_kept(packer, &[values(3000, packer.wide)], &plan);
    }
}

#[test]
fn blocks_begin_anew_at_their_bounds() {
    for packer in packers() {
        let block = if packer.wide { 16_384 } else { 32_768 };
        for frames in [1, block - 1, block, block + 1, 2 * block + 5] {
            assert_kept(packer, &[values(frames, packer.wide)], &[1]);
        }
    }
}

#[test]
fn the_right_channel_follows_the_left() {
    for packer in packers() {
        let left = values(20_000, packer.wide);
        let right = left.iter().rev().copied().collect();
        assert_kept(packer, &[left, right], &[1]);
    }
}

#[test]
fn what_ends_early_or_makes_no_sense_keeps_the_frames_before() {
    let packer = Packer { wide: false, twice: false };
    let file = file(packer, &[values(40_000, false)], &[9]);
    let frames = file.field("sample 1.frames").range();
    // The second block is there, but its bytes are not.
    let cut = &file.bytes[..frames.start + 2 + 36_864 + 2 + 9];
    let module = tracker::read(cut, tracker::ModuleBudget::default()).unwrap();
    let text = "sample 1: is damaged in channel 0: 32776 of 40000 frames";
    assert_eq!(repairs(&module), [format!("{:#x} {text}", frames.start)]);
    let Raw::It(module) = module.raw else { panic!("another format") };
    assert_eq!(module.samples[0].frames.as_ref().unwrap().length(), 32_776);
    // A width of 256 does not exist.
    let mut broken = file.bytes;
    broken[frames.start + 2..][..2].copy_from_slice(&[0xFF, 0x01]);
    let module = tracker::read(&broken, tracker::ModuleBudget::default()).unwrap();
    assert_eq!(module.repairs[0].text, "is damaged in channel 0: 0 of 40000 frames");
}

proptest! {
    #[test]
    fn any_values_in_any_widths_come_back(
        frames in proptest::collection::vec(any::<i16>(), 1..400),
        plan in proptest::collection::vec(1_u32..18, 1..40),
        twice in any::<bool>(),
    ) {
        assert_kept(Packer { wide: true, twice }, std::slice::from_ref(&frames), &plan);
        let narrow = frames.iter().map(|value| value >> 8).collect();
        let plan: Vec<u32> = plan.iter().map(|width| 1 + width % 9).collect();
        assert_kept(Packer { wide: false, twice }, &[narrow], &plan);
    }
}
