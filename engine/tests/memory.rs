//! How much memory a bank takes while it is made. Alone in its program: the allocator counts for all threads.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "the list in clippy.toml is for the audio thread"
)]

use std::sync::Arc;

use engine::Bank;
use fixtures::allocator::{self, Counting};
use fixtures::songs::{looped, mono, of, stereo_float};
use song::{LoopMode, Sample, Song};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SAMPLES: usize = 16;
/// Bytes of a sample's frames.
const BYTES: usize = 400_000;
/// What is not frames: names, guards, lists.
const BESIDES: usize = 100_000;

fn song() -> Song {
    let recorded = |index: usize| -> Sample {
        if index.is_multiple_of(2) {
            let sample = mono((0..BYTES / 2).map(|frame| frame as i16));
            looped(sample, 1000, 190_000, LoopMode::Forward)
        } else {
            stereo_float(vec![0.25; BYTES / 8], vec![0.5; BYTES / 8])
        }
    };
    of((0..SAMPLES).map(recorded).collect())
}

/// Returns what was held before something, the most while it was done, and what was held after it.
fn watched<R>(run: impl FnOnce() -> R) -> (R, [usize; 3]) {
    let before = allocator::held();
    allocator::reset_peak();
    let result = run();
    (result, [before, allocator::peak(), allocator::held()])
}

#[test]
fn a_song_given_away_is_never_in_memory_twice() {
    let all = SAMPLES * BYTES;

    let kept = song();
    let (bank, [before, peak, after]) = watched(|| Bank::prepare(&kept).unwrap());
    assert!(before >= all && after >= before + all, "song and bank are both there");
    assert!(peak < 2 * all + BESIDES, "{peak} bytes to make one from the other");
    drop((kept, bank));

    let given = song();
    let (bank, [before, peak, after]) = watched(|| Bank::prepare_owned(given).unwrap());
    assert!(peak < before + BYTES + BESIDES, "{peak} bytes to turn {before} into a bank");
    assert!(peak + BESIDES >= before + BYTES, "one sample at a time is there twice");
    assert!(after < all + BESIDES, "{after} bytes held in the end");
    drop(bank);

    let shared = song();
    let first = Arc::clone(&shared.samples()[0]);
    let bank = Bank::prepare_owned(shared).unwrap();
    assert_eq!(first.length().get(), 200_000, "what others share they keep");
    assert_eq!(Arc::strong_count(&first), 1);
    drop(bank);
}

/// Alone, as the other: `cargo test -p usampler-engine --test memory -- --ignored`.
#[test]
#[ignore = "takes two gigabytes"]
fn two_gigabytes_become_a_bank_with_one_sample_more_in_memory_than_that() {
    const MEGABYTES: usize = 16;
    const FRAMES: usize = MEGABYTES << 19;
    let recorded =
        |_| looped(mono((0..FRAMES).map(|frame| frame as i16)), 1000, 4_000_000, LoopMode::Forward);
    let song = of((0..2048 / MEGABYTES).map(recorded).collect());
    let (bank, [before, peak, after]) = watched(|| Bank::prepare_owned(song).unwrap());
    let (all, one) = (2048 << 20, MEGABYTES << 20);
    assert!((all..all + all / 1000).contains(&before), "the song has {before} bytes");
    // Guards of 256 bytes and a seam of 512 for each of the 128 samples.
    let besides = BESIDES + 128 * 1024;
    assert!(peak < before + one + besides, "{peak} bytes to turn {before} into a bank");
    assert!(after < all + besides, "{after} bytes held in the end");
    drop(bank);
}
