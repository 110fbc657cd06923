//! Real modules, and some that were broken on purpose, from the folder `modules/` of the corpus.
//!
//! The environment variable `CORPUS` names the corpus. Real files belong to others and are never part of this
//! repository: without the variable these tests are skipped, and say so.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use fixtures::allocator::{self, Counting};
use fixtures::corpus::corpus;
use importer::{Budget, SoundFile};
use tracker::format::{it, protracker, s3m, xm};
use tracker::{ModuleFormat, PROBE_LENGTH, Raw, probe, read};
use unreal::Memory;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the folder of modules; none if the variable is unset.
fn modules() -> Option<PathBuf> {
    corpus("modules")
}

/// Returns every module below a folder, by the format its name stands for.
fn below(folder: &Path) -> Vec<(PathBuf, ModuleFormat)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let format = match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => {
                    folders.push(path);
                    continue;
                }
                Some("mod") => ModuleFormat::Protracker,
                Some("s3m") => ModuleFormat::S3m,
                Some("xm" | "oxm") => ModuleFormat::Xm,
                Some("it") => ModuleFormat::It,
                _ => continue,
            };
            found.push((path, format));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    assert!(!found.is_empty(), "no modules in {}", folder.display());
    found
}

/// The peak is one for the whole process.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn every_module_is_read_without_a_repair() {
    let Some(folder) = modules() else { return };
    let _alone = ALONE.lock().unwrap();
    let mut synthesised = 0;
    for (path, format) in ["openmpt", "storlek", "libxmp-unit"].iter().flat_map(|of| below(&folder.join(of)))
    {
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(
            probe(&bytes[..bytes.len().min(PROBE_LENGTH)], bytes.len() as u64),
            Some(format),
            "{path:?}"
        );
        let module = read(&bytes, tracker::ModuleBudget::default())
            .unwrap_or_else(|error| panic!("{path:?}: {error}"));
        for repair in &module.repairs {
            // The one thing to tell of files that are right.
            assert!(repair.text.contains("synthesiser"), "{path:?}: {repair:?}");
            synthesised += 1;
        }
        let channels_fit = match &module.raw {
            Raw::Protracker(module) => {
                module.patterns.iter().all(|p| p.cells.len() == 64 * usize::from(p.channels))
            }
            Raw::S3m(module) => module.patterns.iter().all(|pattern| pattern.cells.len() == 64 * 32),
            Raw::Xm(module) => {
                let size = |rows: u16, channels: u16| usize::from(rows) * usize::from(channels);
                module.patterns.iter().all(|p| p.cells.len() == size(p.rows, p.channels))
            }
            Raw::It(module) => {
                let size = |rows: u16, channels: u8| usize::from(rows) * usize::from(channels);
                module.patterns.iter().all(|p| p.cells.len() == size(p.rows, p.channels))
            }
        };
        assert!(channels_fit, "{path:?}");
    }
    assert!(synthesised > 0, "some instruments of the corpus have no frames");
}

#[test]
fn every_cell_comes_back_from_the_song() {
    let Some(folder) = modules() else { return };
    let _alone = ALONE.lock().unwrap();
    let mut cells = 0;
    for (path, _) in below(&folder) {
        let Ok(module) = read(&std::fs::read(&path).unwrap(), tracker::ModuleBudget::default()) else {
            continue;
        };
        let song = module.raw.to_song(64 << 20).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        match &module.raw {
            Raw::Protracker(raw) => {
                for (from, to) in raw.patterns.iter().zip(&song.patterns) {
                    let back = to.cells().iter().map(|cell| protracker::Cell::from_song(*cell));
                    assert!(back.eq(from.cells.iter().copied().map(Some)), "{path:?}");
                }
            }
            Raw::S3m(raw) => {
                for (from, to) in raw.patterns.iter().zip(&song.patterns) {
                    let back = to.cells().iter().map(|cell| s3m::Cell::from_song(*cell));
                    assert!(back.eq(from.cells.iter().copied().map(Some)), "{path:?}");
                }
            }
            Raw::Xm(raw) => {
                for (from, to) in raw.patterns.iter().zip(&song.patterns) {
                    let back = to.cells().iter().map(|cell| xm::Cell::from_song(*cell));
                    assert!(back.eq(from.cells.iter().copied().map(Some)), "{path:?}");
                    assert_eq!((to.rows(), to.channels()), (from.rows.into(), from.channels.into()));
                }
            }
            Raw::It(raw) => {
                for (from, to) in raw.patterns.iter().zip(&song.patterns) {
                    let back = to.cells().iter().map(|cell| it::Cell::from_song(*cell));
                    assert!(back.eq(from.cells.iter().copied().map(Some)), "{path:?}");
                    assert_eq!((to.rows(), to.channels()), (from.rows.into(), from.channels.into()));
                }
            }
        }
        let patterns = match &module.raw {
            Raw::Protracker(raw) => raw.patterns.len(),
            Raw::S3m(raw) => raw.patterns.len(),
            Raw::Xm(raw) => raw.patterns.len(),
            Raw::It(raw) => raw.patterns.len(),
        };
        assert_eq!(song.patterns.len(), patterns, "{path:?}");
        cells += song.patterns.iter().map(|pattern| pattern.cells().len()).sum::<usize>();
    }
    assert!(cells > 100_000, "{cells} cells are too few to tell");
}

#[test]
fn a_wrapped_module_is_the_bare_one() {
    let Some(folder) = modules() else { return };
    let _alone = ALONE.lock().unwrap();
    let bare: Vec<Vec<u8>> =
        below(&folder).into_iter().map(|(path, _)| std::fs::read(path).unwrap()).collect();
    let (mut wrapped, mut known) = (0, 0);
    for entry in std::fs::read_dir(folder.join("umx-synthetic")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "umx") {
            continue;
        }
        let source = Memory(std::fs::read(&path).unwrap());
        let sounds = SoundFile::open(source, "Package", Budget::default()).unwrap();
        let music = sounds.music(1).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let bytes = music.bytes().unwrap();
        known += usize::from(bare.contains(&bytes));
        let file = Memory(bytes);
        let file = SoundFile::open(file, music.name(), Budget::default()).unwrap();
        assert_eq!(sounds.import().unwrap().songs[1..], file.import().unwrap().songs, "{path:?}");
        wrapped += 1;
    }
    // Of one module the bare file is there as well, wrapped in three versions.
    assert_eq!((wrapped, known), (13, 3));
}

#[test]
fn hostile_modules_are_read_or_refused_in_little_memory() {
    let Some(folder) = modules() else { return };
    let _alone = ALONE.lock().unwrap();
    let (mut largest, mut slowest) = (0, Duration::ZERO);
    for (path, _) in below(&folder.join("hostile")) {
        let bytes: Arc<[u8]> = std::fs::read(&path).unwrap().into();
        allocator::reset_peak();
        let (before, started) = (allocator::held(), Instant::now());
        let outcome = read(&bytes, tracker::ModuleBudget::default());
        // And all that follows: the list, its instruments, the song.
        let source = Memory(Arc::clone(&bytes));
        let imported = SoundFile::open(source, "Song", Budget::default()).and_then(|sounds| sounds.import());
        let (took, time) = (allocator::peak() - before, started.elapsed());
        assert!(took <= 64 << 20, "{path:?}: {took} bytes");
        assert_eq!(imported.is_ok(), outcome.is_ok(), "{path:?}: what can be read can be imported");
        (largest, slowest) = (largest.max(took), slowest.max(time));
        if let Err(error) = outcome {
            assert!(error.to_string().contains(" at 0x"), "{path:?}: {error}");
        }
    }
    let note = format!("corpus: hostile modules take at most {largest} bytes and {slowest:?}\n");
    std::io::stderr().write_all(note.as_bytes()).expect("stderr can be written");
}
