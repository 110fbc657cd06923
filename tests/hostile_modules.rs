//! Whatever the bytes of a module are, reading it ends: in an error with its place or in what could be read, without a
//! panic, and in little memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fixtures::allocator::{self, Counting};
use fixtures::module::it::{self, It};
use fixtures::module::s3m::S3m;
use fixtures::module::various;
use fixtures::module::xm::Xm;
use importer::module::{MOST_PER_BYTE, Module, read};
use importer::{Budget, Error};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The peak is one for the whole process, so the tests here run one after another.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Structures that may be held here, and what is held beside what is paid for: repairs and their texts.
const STRUCTURES: usize = 4 << 20;
const ON_TOP: usize = 1 << 20;

fn attempt(bytes: &[u8]) -> Result<Module, Error> {
    allocator::reset_peak();
    let before = allocator::held();
    let budget = Budget { structures: STRUCTURES as u64, ..Budget::default() };
    let outcome = read(bytes, budget);
    let took = allocator::peak() - before;
    let most = STRUCTURES + ON_TOP + bytes.len() * MOST_PER_BYTE as usize;
    assert!(took <= most, "{took} bytes held to read a file of {}", bytes.len());
    outcome
}

#[test]
fn whole_files_are_read() {
    let _alone = alone();
    for (name, file) in various() {
        attempt(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn every_file_may_end_anywhere() {
    let _alone = alone();
    for (name, file) in various() {
        let mut refused = 0;
        for length in 0..file.bytes.len() {
            if let Err(error) = attempt(&file.bytes[..length]) {
                assert!(error.to_string().contains(" at 0x"), "{name}: {error}");
                refused += 1;
            }
        }
        assert!((1..file.bytes.len()).contains(&refused), "{name}: some are refused and some are not");
    }
}

#[test]
fn every_byte_may_be_any_other() {
    let _alone = alone();
    for (_, file) in various() {
        for at in 0..file.bytes.len() {
            for change in [0x01, 0x10, 0x80, 0xFF] {
                let mut bytes = file.bytes.clone();
                bytes[at] ^= change;
                let _ = attempt(&bytes);
            }
        }
    }
}

#[test]
fn every_number_may_be_the_greatest() {
    let _alone = alone();
    for (_, file) in various() {
        for field in file.fields() {
            for value in [0x00, 0x7F, 0x80, 0xFF] {
                let mut bytes = file.bytes.clone();
                bytes[field.range()].fill(value);
                let _ = attempt(&bytes);
            }
        }
    }
}

#[test]
fn patterns_that_take_no_bytes_are_paid_for() {
    let _alone = alone();
    // Each of nine bytes claims 256 rows of 128 channels.
    let patterns = vec![(256, Vec::new()); 1000];
    let file = Xm { channels: 128, patterns, ..Xm::new(0x0104) }.finish();
    assert!(matches!(attempt(&file.bytes), Err(Error::OverLimit { .. })));
    // All of 60,000 patterns are the same one.
    let mut file = S3m::new().finish().bytes;
    file[36..38].copy_from_slice(&60_000_u16.to_le_bytes());
    file.splice(98..98, std::iter::repeat_n([32, 0], 60_000).flatten());
    assert!(matches!(attempt(&file), Err(Error::OverLimit { .. })));
}

#[test]
fn samples_that_all_claim_the_whole_file_are_stopped_by_their_share() {
    let _alone = alone();
    let length = 1 << 19;
    let sample = it::Sample { flags: 1, conversion: 1, length, data: Vec::new() };
    let last = it::Sample { data: vec![1; length as usize], ..sample.clone() };
    let samples: Vec<it::Sample> = std::iter::repeat_n(sample, 70).chain([last]).collect();
    let file = It { samples, ..It::new(0x214) }.finish();
    // Every sample begins where its own header ends; together they are some 70 times the file.
    assert!(matches!(attempt(&file.bytes), Err(Error::OverLimit { .. })));
}

#[test]
fn a_packed_sample_that_claims_more_than_its_bytes_can_hold_reserves_no_more() {
    let _alone = alone();
    let sample = it::Sample { flags: 15, conversion: 1, length: u32::MAX, data: vec![0; 40] };
    let file = It { samples: vec![sample; 50], ..It::new(0x214) }.finish();
    let module = attempt(&file.bytes).unwrap();
    assert_eq!(module.repairs.len(), 100, "both channels of each");
}
