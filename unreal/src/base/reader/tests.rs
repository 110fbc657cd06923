use std::sync::Mutex;

use fixtures::bytes::{compact as written, compact_in};
use proptest::prelude::*;

use super::*;
use crate::base::source::Memory;

fn compact(bytes: &[u8]) -> Result<i32, String> {
    let source = Memory(bytes);
    let mut reader = Reader::new(&source, "test", 0, bytes.len() as u64);
    let value = reader.compact().map_err(|error| error.to_string())?;
    assert_eq!(reader.left(), 0, "bytes left over");
    Ok(value)
}

#[test]
fn a_compact_index_takes_six_bits_then_seven_a_byte() {
    assert_eq!(compact(&[0x00]), Ok(0));
    assert_eq!(compact(&[0x3F]), Ok(63));
    assert_eq!(compact(&[0x40, 0x01]), Ok(64));
    assert_eq!(compact(&[0x7F, 0x7F]), Ok(8191));
    assert_eq!(compact(&[0x40, 0x80, 0x01]), Ok(8192));
    assert_eq!(compact(&[0xBF]), Ok(-63));
    assert_eq!(compact(&[0xC0, 0x01]), Ok(-64));
}

#[test]
fn a_compact_index_ends_with_31_bits_in_five_bytes() {
    assert_eq!(compact(&[0x7F, 0xFF, 0xFF, 0xFF, 0x0F]), Ok(i32::MAX));
    assert_eq!(compact(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]), Ok(-i32::MAX));
    let refused = Err("test at 0x0: a compact index beyond 31 bits".to_owned());
    assert_eq!(compact(&[0x40, 0x80, 0x80, 0x80, 0x10]), refused);
    assert_eq!(compact(&[0x40, 0x80, 0x80, 0x80, 0x80]), refused);
}

#[test]
fn minus_zero_is_zero() {
    assert_eq!(compact(&[0x80]), Ok(0));
}

#[test]
fn nothing_outside_the_region_is_read() {
    let source = Memory([1, 2, 3, 4, 5, 6, 7, 8]);
    let mut reader = Reader::new(&source, "test", 2, 5);
    let error = reader.u32().unwrap_err();
    assert_eq!(error.to_string(), "test at 0x2: ends early: 4 bytes wanted, 3 left");
    assert_eq!(reader.u16().unwrap(), 0x0403);
    assert_eq!(reader.u8().unwrap(), 5);
    assert!(reader.u8().is_err());
    reader.seek(6);
    assert!(reader.u8().is_err());
}

#[test]
fn a_region_ends_with_the_file_at_the_latest() {
    let source = Memory([1, 2]);
    let mut reader = Reader::new(&source, "test", 1, 100);
    assert_eq!((reader.left(), reader.end()), (1, 2));
    assert_eq!(reader.u16().unwrap_err().to_string(), "test at 0x1: ends early: 2 bytes wanted, 1 left");
}

#[test]
fn a_region_that_starts_after_the_file_has_no_bytes() {
    let source = Memory([1, 2]);
    let mut reader = Reader::new(&source, "test", u64::MAX, u64::MAX);
    assert_eq!(reader.left(), 0);
    assert!(reader.u8().is_err());
    assert!(reader.skip(1).is_err());
}

#[test]
fn a_count_larger_than_its_region_is_refused_before_anything_is_allocated() {
    let source = Memory([255, 255, 255, 255, 0, 0, 0, 0, 0]);
    let mut reader = Reader::new(&source, "name table", 0, 9);
    let error = reader.count(5).unwrap_err();
    assert_eq!(error.to_string(), "name table at 0x0: claims 4294967295 entries, 1 would fit");
}

#[test]
fn a_count_that_just_fits_is_accepted() {
    let source = Memory([2, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(Reader::new(&source, "test", 0, 8).count(2).unwrap(), 2);
    assert!(Reader::new(&source, "test", 0, 7).count(2).is_err());
}

/// A long file that remembers what it was asked for: bytes in all, and the most at a time.
struct Counting(u64, Mutex<(u64, u64)>);

impl Source for Counting {
    fn len(&self) -> u64 {
        self.0
    }

    fn read_at(&self, _: u64, into: &mut [u8]) -> std::io::Result<()> {
        let mut asked = self.1.lock().unwrap();
        *asked = (asked.0 + into.len() as u64, asked.1.max(into.len() as u64));
        Ok(())
    }
}

#[test]
fn reading_ahead_takes_at_most_about_twice_what_is_read() {
    for bytes in [1, 1000, 100_000, 1_000_000] {
        let source = Counting(100_000_000, Mutex::new((0, 0)));
        let mut reader = Reader::new(&source, "test", 0, source.len());
        for _ in 0..bytes {
            reader.u8().unwrap();
        }
        let (asked, at_a_time) = *source.1.lock().unwrap();
        assert!(asked <= 2 * bytes + 256, "{asked} bytes asked for to read {bytes}");
        assert!(at_a_time <= 65_536, "{at_a_time} bytes at a time");
    }
}

#[test]
fn values_that_lie_across_windows_are_whole() {
    let bytes: Vec<u8> = (0_u32..1000).flat_map(u32::to_le_bytes).collect();
    let source = Memory(&bytes[..]);
    let mut reader = Reader::new(&source, "test", 1, bytes.len() as u64);
    for number in 0..999 {
        let expected = (number >> 8) | ((number + 1) << 24);
        assert_eq!(reader.u32().unwrap(), expected);
    }
}

proptest! {
    #[test]
    fn a_compact_index_is_read_as_the_number_it_was_written_for(number in -i32::MAX..=i32::MAX, shift in 0..31) {
        // Shifted, so that all widths are as likely.
        let number = number >> shift;
        prop_assert_eq!(compact(&written(number)), Ok(number));
        prop_assert_eq!(compact(&compact_in(number, 5)), Ok(number));
    }

    #[test]
    fn five_bytes_are_a_compact_index_or_refused(bytes: [u8; 5]) {
        let source = Memory(bytes);
        let mut reader = Reader::new(&source, "test", 0, 5);
        if let Ok(number) = reader.compact() {
            let width = usize::try_from(reader.at()).unwrap();
            let again = compact_in(number, width);
            let minus_zero = number == 0 && bytes[0] & 0x80 != 0;
            prop_assert!(minus_zero || again == bytes[..width]);
        }
    }
}
