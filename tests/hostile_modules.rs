//! Whatever the bytes of a module are, reading it ends: in an error with its place or in what could be read, without a
//! panic, and in little memory. So does all that follows, from its list to its song, alone and in a package.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fixtures::allocator::{self, Counting};
use fixtures::module::it::{self, It};
use fixtures::module::s3m::S3m;
use fixtures::module::various;
use fixtures::module::xm::{self, Xm};
use fixtures::package::PackageWriter;
use importer::{Budget, SoundFile, Status};
use tracker::{MAX_FRAMES_PER_BYTE, ModuleFile, read};
use unreal::Memory;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Locks out other tests: the peak is one for the whole process, so the tests here run one after another.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Structures that may be held here, and what is held beside what is paid for: repairs and their texts.
const STRUCTURES: usize = 4 << 20;
const ON_TOP: usize = 1 << 20;

fn attempt(bytes: &[u8]) -> Result<ModuleFile, tracker::Error> {
    allocator::reset_peak();
    let before = allocator::held();
    let budget = tracker::ModuleBudget { structures: STRUCTURES as u64, ..tracker::ModuleBudget::default() };
    let outcome = read(bytes, budget);
    let took = allocator::peak() - before;
    let most = STRUCTURES + ON_TOP + bytes.len() * MAX_FRAMES_PER_BYTE as usize;
    assert!(took <= most, "{took} bytes held to read a file of {}", bytes.len());
    outcome
}

fn is_over_limit(outcome: &Result<ModuleFile, tracker::Error>) -> bool {
    outcome.as_ref().is_err_and(|error| matches!(error.kind(), tracker::ErrorKind::OverLimit { .. }))
}

/// Opens and imports bytes as a module, and as one in a package: how many songs that gives.
fn import(bytes: &[u8]) -> usize {
    let mut package = PackageWriter::new(69);
    package.music("Song", "it", bytes);
    let package = package.finish();
    let budget = Budget { structures: STRUCTURES as u64, ..Budget::default() };
    let mut songs = 0;
    for bytes in [bytes, &package] {
        let source = Memory(bytes.to_vec());
        allocator::reset_peak();
        let before = allocator::held();
        if let Ok(sounds) = SoundFile::open(source, "Song", budget.clone()) {
            songs += sounds.import().map_or(0, |imported| imported.songs.len());
        }
        let took = allocator::peak() - before;
        // Paid for each by itself: what the file says, the list, the song. Frames are held as stored and as played.
        let most = 3 * STRUCTURES + ON_TOP + bytes.len() * (2 + 3 * MAX_FRAMES_PER_BYTE as usize);
        assert!(took <= most, "{took} bytes held to import a file of {}", bytes.len());
    }
    songs
}

#[test]
fn whole_files_are_read() {
    let _alone = alone();
    for (name, file) in various() {
        attempt(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(import(&file.bytes), 3, "{name}: the module, the package's sounds, its module");
    }
}

#[test]
fn every_file_may_end_anywhere() {
    let _alone = alone();
    for (name, file) in various() {
        let mut refused = 0;
        for length in 0..file.bytes.len() {
            if let Err(error) = attempt(&file.bytes[..length]) {
                let is_placed = error.to_string().contains(" at 0x");
                assert!(is_placed || *error.kind() == tracker::ErrorKind::NotAModule, "{name}: {error}");
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
                import(&bytes);
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
    assert!(is_over_limit(&attempt(&file.bytes)));
    assert_eq!(import(&file.bytes), 1, "the sounds of the package");
    // Few enough to be read, too many to be made a song.
    let patterns = vec![(256, Vec::new()); 20];
    let file = Xm { channels: 128, patterns, ..Xm::new(0x0104) }.finish();
    assert!(attempt(&file.bytes).is_ok());
    assert_eq!(import(&file.bytes), 1, "the sounds of the package");
    // All of 60,000 patterns are the same one.
    let mut file = S3m::new().finish().bytes;
    file[36..38].copy_from_slice(&60_000_u16.to_le_bytes());
    file.splice(98..98, std::iter::repeat_n([32, 0], 60_000).flatten());
    assert!(is_over_limit(&attempt(&file)));
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
    assert!(is_over_limit(&attempt(&file.bytes)));
}

#[test]
fn a_packed_sample_that_claims_more_than_its_bytes_can_hold_reserves_no_more() {
    let _alone = alone();
    let sample = it::Sample { flags: 15, conversion: 1, length: u32::MAX, data: vec![0; 40] };
    let file = It { samples: vec![sample; 50], ..It::new(0x214) }.finish();
    let module = attempt(&file.bytes).unwrap();
    assert_eq!(module.repairs.len(), 100, "both channels of each");
}

#[test]
fn samples_that_share_blocks_of_next_to_nothing_are_gone_through_in_a_bounded_time() {
    const SAMPLES: u16 = 60_000;
    let _alone = alone();
    let sample = it::Sample { flags: 9, conversion: 1, length: u32::MAX, data: [1, 0, 0].repeat(100_000) };
    let file = It { samples: vec![sample], ..It::new(0x214) }.finish();
    let (at, header) = (file.field("place 0").at, file.field("sample 1.tag").at);
    let more = 4 * (u32::from(SAMPLES) - 1);
    let file = file
        .clone()
        .with("samples count", SAMPLES.to_le_bytes())
        .with_u32("sample 1.place", u32::try_from(file.field("sample 1.frames").at).unwrap() + more);
    let place = u32::try_from(header).unwrap() + more;
    let places = place.to_le_bytes().repeat(SAMPLES.into());
    let bytes = [&file.bytes[..at], &places, &file.bytes[at + 4..]].concat();
    // Gone through to their ends, they would be six thousand million blocks.
    let module = read(&bytes, tracker::ModuleBudget::default()).unwrap();
    assert_eq!(module.raw.summary().samples, usize::from(SAMPLES));
}

#[test]
fn slots_and_instruments_are_paid_for_in_the_list_too() {
    let _alone = alone();
    // Of a place that is there, all of them the same.
    let instruments = vec![xm::Instrument { samples: vec![xm::Sample::new(0, vec![1]); 16] }; 128];
    assert_eq!(import(&Xm { instruments, ..Xm::new(0x0104) }.finish().bytes), 3);
    let sample = it::Sample { flags: 1, conversion: 1, length: 1, data: vec![1] };
    let file = It { instruments: 2000, samples: vec![sample; 2000], ..It::new(0x214) }.finish();
    assert_eq!(import(&file.bytes), 1, "the sounds of the package");
}

#[test]
fn a_package_whose_modules_share_bytes_looks_at_them_in_a_bounded_time() {
    let _alone = alone();
    // Two hundred bytes that claim three megabytes of cells.
    let file = Xm { channels: 128, patterns: vec![(256, Vec::new()); 18], ..Xm::new(0x0104) }.finish();
    let mut package = PackageWriter::new(69);
    for number in 0..2000 {
        package.music(&format!("Song{number}"), "xm", &file.bytes);
    }
    let package = package.finish();
    let source = Memory(package.clone());
    let budget = Budget { structures: STRUCTURES as u64, ..Budget::default() };
    let sounds = SoundFile::open(source, "Songs", budget).unwrap();
    let looked_at = sounds.modules().count();
    let most = ((64 << 20) + 40 * package.len()) / (18 * 256 * 128 * 5);
    assert!((1..=most).contains(&looked_at), "{looked_at} of at most {most}");
    let others = sounds.sounds().iter().filter(|sound| matches!(sound.status, Status::Unsupported(_)));
    assert_eq!(others.count(), 2000 - looked_at, "the others are reported");
}
