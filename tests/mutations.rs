//! Files in which some fields say something else, by chance that changes every day: whatever comes of it ends in an
//! error or in sounds, without a panic and in little memory.
//!
//! `MUTATION_SECONDS=60` goes on for so long, `MUTATION_SEED=N` repeats a day; the seed is printed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use fixtures::allocator::{self, Counting};
use fixtures::bytes::Written;
use fixtures::module;
use fixtures::package::PackageWriter;
use fixtures::signal::Noise;
use fixtures::wave::{Values, Wave};
use importer::{Budget, SoundFile};
use player::midi::file::MidiSequence;
use song::Song;
use tracker::replay::{Replay, ReplayOptions, Score};
use unreal::Memory;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What one file may hold in memory: the budget for tables, for audio, and as much again.
const MOST_HELD: usize = 64 << 20;

/// Files of each kind that are made when nobody says for how long.
const CASES: usize = 4000;

/// What is done with a file.
type Use = fn(&[u8]);

fn packages() -> Vec<Written> {
    let versions = [35, 61, 62, 69, 83, 100, 127, 128, 369, 420, 490, 584, 670, 805, 868];
    let package = |version| {
        let mut package = PackageWriter::new(version);
        let group = Some(package.group("Group", None));
        let wave = Wave::new(22_050, 2, Values::I16((0..2400).collect())).looped(10, 900).finish();
        package.sound("One", group, "WAV", &wave);
        package.sound("Two", None, "WAV", &Wave::new(8000, 1, Values::U8(vec![9; 300])).finish());
        package.written()
    };
    versions.into_iter().map(package).collect()
}

fn modules() -> Vec<Written> {
    module::various().into_iter().map(|(_, written)| written).collect()
}

fn songs() -> Vec<Vec<u8>> {
    let track = b"\0\xFF\x51\x03\x07\xA1\x20\0\xC0\x05\0\x90\x3C\x64\x60\x80\x3C\0\0\xB0\x07\x64\0\xE0\0\x60\0\xFF\x2F\0";
    let song = |format: u8, tracks: u8| {
        let mut song = b"MThd\0\0\0\x06\0".to_vec();
        song.extend([format, 0, tracks, 0, 96]);
        for _ in 0..tracks {
            song.extend(b"MTrk");
            song.extend((track.len() as u32).to_be_bytes());
            song.extend(track);
        }
        song
    };
    vec![song(0, 1), song(1, 3)]
}

/// Changes a file in a few places: fields that get odd numbers or those of others, bits, pieces that are cut, doubled
/// or moved.
fn mutate(file: &Written, noise: &mut Noise) -> Vec<u8> {
    let mut bytes = file.bytes.clone();
    for _ in 0..1 + noise.below(4) {
        let field = |noise: &mut Noise| match file.fields().len() {
            0 => 0..0,
            fields => file.fields()[noise.below(fields)].range(),
        };
        let range = field(noise);
        // A piece that was cut before may have taken it along.
        let range = range.start.min(bytes.len())..range.end.min(bytes.len());
        match noise.below(8) {
            0 => bytes[range].fill(0),
            1 => bytes[range].fill(0xFF),
            2 => bytes[range].iter_mut().for_each(|byte| *byte = noise.bits() as u8),
            3 => {
                let other = field(noise);
                let from = bytes.get(other).unwrap_or_default().to_vec();
                range.zip(from).for_each(|(at, byte)| bytes[at] = byte);
            }
            4 if !range.is_empty() => {
                let change = [1, 0xFF, 2, 0x80][noise.below(4)];
                bytes[range.start] = bytes[range.start].wrapping_add(change);
            }
            5 if !bytes.is_empty() => {
                let at = noise.below(bytes.len());
                bytes[at] ^= 1 << noise.below(8);
            }
            6 if !bytes.is_empty() => bytes.truncate(noise.below(bytes.len())),
            _ if !bytes.is_empty() => {
                let (from, length) = (noise.below(bytes.len()), 1 + noise.below(64));
                let piece = bytes[from..(from + length).min(bytes.len())].to_vec();
                let to = noise.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => {}
        }
    }
    bytes
}

fn import(bytes: &[u8]) {
    let source = Memory(bytes.to_vec());
    let budget = Budget { structures: 8 << 20, decoded: 16 << 20, inflated: 8 << 20, ..Budget::default() };
    let Ok(file) = SoundFile::open(source, "Test", budget) else { return };
    let _ = file.level();
    for number in 1..=file.sounds().len().min(20) {
        let _ = (
            file.payload(number),
            file.sample(number),
            file.music(number).map(|music| music.import().is_ok()),
        );
    }
    if let Ok(imported) = file.import() {
        imported.songs.iter().for_each(replay);
    }
}

/// Plays some seconds of a song.
fn replay(song: &Song) {
    let mut replay = Replay::new(Arc::new(Score::prepare(song.clone()).0), ReplayOptions::default());
    for _ in 0..200 {
        let Some(tick) = replay.tick() else { return };
        assert!(tick.seconds > 0.0);
        replay.voices(|voice| {
            assert!(voice.sound.hz.is_finite() && voice.sound.volume.is_finite(), "{voice:?}");
        });
    }
}

fn read(bytes: &[u8]) {
    let _ = MidiSequence::read(bytes);
}

/// Returns the bytes and what was said of the first file that comes to a bad end, if there is one.
fn first_bad(files: &[Written], noise: &mut Noise, use_it: Use) -> Option<(Vec<u8>, String)> {
    let bytes = mutate(&files[noise.below(files.len())], noise);
    allocator::reset_peak();
    let before = allocator::held();
    let outcome = catch_unwind(AssertUnwindSafe(|| use_it(&bytes)));
    let held = allocator::peak().saturating_sub(before);
    match outcome {
        Err(_) => Some((bytes, "it panics".to_owned())),
        Ok(()) if held > MOST_HELD => Some((bytes, format!("it holds {held} bytes"))),
        Ok(()) => None,
    }
}

// One test, for the peak is one for the whole process.
#[test]
fn files_that_are_changed_by_chance_do_no_harm() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let today = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() / 86_400;
    let seed = number("MUTATION_SEED").unwrap_or(today);
    println!("MUTATION_SEED={seed}");
    let time = number("MUTATION_SECONDS").map(Duration::from_secs);
    let songs: Vec<Written> = songs().into_iter().map(Written::plain).collect();
    let kinds = [(packages(), import as Use), (modules(), import), (songs, read)];
    let (mut noise, begun, mut done) = (Noise::new(seed), Instant::now(), 0);
    while time.map_or(done < CASES, |time| begun.elapsed() < time) {
        for (files, use_it) in &kinds {
            if let Some((bytes, problem)) = first_bad(files, &mut noise, *use_it) {
                let path = std::env::temp_dir().join(format!("usampler-mutation-{seed}-{done}.bin"));
                std::fs::write(&path, &bytes).unwrap();
                panic!("MUTATION_SEED={seed}, file {done}: {problem}; it is {}", path.display());
            }
        }
        done += 1;
    }
    println!("{} files", 3 * done);
}
