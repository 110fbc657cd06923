//! Whatever the bytes are, importing them ends: in an error, or in a song and a report, without a panic and in little
//! memory.

use fixtures::allocator::{self, Counting};
use fixtures::package::PackageWriter;
use fixtures::wave::{Sampler, SamplerLoop, Values, Wave};
use importer::{Budget, SoundFile};
use unreal::Memory;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Sounds of each width, with loops, tuning and a chunk that means nothing.
fn package() -> Vec<u8> {
    let mut package = PackageWriter::new(69);
    let group = Some(package.group("Group", None));
    let mut wave = Wave::new(22_050, 2, Values::I16((0..24).collect())).with_chunk(b"LIST", &[1, 2, 3]);
    let whole = SamplerLoop { start: 0, end: 11, ..SamplerLoop::default() };
    let back = SamplerLoop { kind: 1, start: 2, end: 5, count: 3, fraction: 1 };
    wave.sampler = Some(Sampler { unity_note: 48, pitch_fraction: 1 << 31, loops: vec![whole, back] });
    package.sound("Sixteen", group, "WAV", &wave.finish());
    package.sound("Eight", group, "WAV", &Wave::new(8000, 1, Values::U8(vec![1; 9])).looped(3, 8).finish());
    let extensible = Wave { extensible: true, ..Wave::new(8000, 1, Values::F32(vec![0.5; 5])) };
    package.sound("Float", None, "WAV", &extensible.finish());
    package.finish()
}

/// Sounds that were decoded and skipped; none if the package was refused.
fn import(bytes: &[u8]) -> Option<(usize, usize)> {
    let source = Memory(bytes.to_vec());
    allocator::reset_peak();
    let before = allocator::held();
    let outcome = SoundFile::open(source, "Test", Budget::default()).ok().map(|file| {
        let imported = file.import().unwrap();
        let song = &imported.songs[0];
        assert_eq!(song.instruments().len(), file.sounds().len());
        assert_eq!(song.samples().len() + imported.report.skipped.len(), file.sounds().len());
        assert!(imported.report.skipped.iter().all(|remark| !remark.text.is_empty()));
        (song.samples().len(), imported.report.skipped.len())
    });
    let took = allocator::peak() - before;
    assert!(took < 64 << 20, "{took} bytes held to import {}", bytes.len());
    outcome
}

// One test, for the peak is one for the whole process.
#[test]
fn a_broken_package_gives_an_error_or_a_report_for_every_sound_that_is_missing() {
    let whole = package();
    assert_eq!(import(&whole), Some((3, 0)));
    for length in 0..whole.len() {
        import(&whole[..length]);
    }
    let (mut refused, mut damaged, mut unharmed) = (0, 0, 0);
    for at in 0..whole.len() {
        for value in [0, 1, 0x7F, 0x80, 0xFF, !whole[at]] {
            let mut broken = whole.clone();
            broken[at] = value;
            match import(&broken) {
                None => refused += 1,
                Some((_, 0)) => unharmed += 1,
                Some(_) => damaged += 1,
            }
        }
    }
    // The bytes are of all three kinds: tables, headers of waves, values.
    assert!(refused > 100 && damaged > 100 && unharmed > 100, "{refused} {damaged} {unharmed}");
}

#[test]
fn what_is_measured_here_is_seen() {
    let held = std::hint::black_box(vec![1_u8; 1_000_000]);
    assert!(allocator::held() >= held.len());
}
