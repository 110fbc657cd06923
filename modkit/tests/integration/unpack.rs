//! Entries become files, by one thread or by several.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use exporter::Overwrite;
use fixtures::pak::{PakEntry, PakWriter};
use importer::open::{Disk, Files, GameMount};
use modkit::unpack::{UnpackOptions, Unpacked, plan, unpack};
use tempfile::TempDir;
use unreal::KeyRing;

/// A game with two large entries and a small one, and the bytes of the large.
fn game(folder: &TempDir) -> (GameMount, Vec<u8>) {
    let data: Vec<u8> = (0..20_000_000_u32).map(|n| (n / 50_000 * 7 + n % 11) as u8).collect();
    let large = |path: &str, block_size| PakEntry { block_size, ..PakEntry::new(path, &data) };
    // Blocks of another size than what a thread decodes at once.
    let entries =
        vec![large("Packed.bin", Some(100_000)), PakEntry::new("Small.bin", b"x"), large("Plain.bin", None)];
    let file = folder.path().join("Game.pak");
    fs::write(&file, PakWriter { entries, ..PakWriter::new(11) }.finish()).unwrap();
    (GameMount::open(&file, &KeyRing::default(), NonZeroUsize::MIN).unwrap(), data)
}

#[test]
fn containers_beyond_the_memory_for_all_tables_are_left_out() {
    let folder = TempDir::new().unwrap();
    for name in ["A.pak", "B.pak"] {
        let entries = vec![PakEntry::new("Small.bin", b"x")];
        fs::write(folder.path().join(name), PakWriter { entries, ..PakWriter::new(11) }.finish()).unwrap();
    }
    let opened = |most| {
        let disk: Arc<dyn Files> = Arc::new(Disk);
        let game = GameMount::open_within(&disk, folder.path(), &KeyRing::default(), NonZeroUsize::MIN, most)
            .unwrap();
        (game.mount.containers().len(), game.left_out.len())
    };
    // Both take the same.
    let one = (1..).step_by(16).find(|most| opened(*most).0 > 0).unwrap();
    assert_eq!([opened(1), opened(one), opened(2 * one)], [(0, 2), (1, 1), (2, 0)]);
}

#[test]
fn large_entries_are_whole_whoever_decodes_them() {
    let folder = TempDir::new().unwrap();
    let (game, data) = game(&folder);
    let plan = plan(&game.mount, |_, _| true);
    for threads in 1..=3 {
        let out = folder.path().join(threads.to_string());
        let reported = AtomicU64::new(0);
        let report = |bytes| {
            reported.fetch_add(bytes, Ordering::Relaxed);
            true
        };
        let threads = NonZeroUsize::new(threads).unwrap();
        let Unpacked { files, bytes, failed, .. } = unpack(
            &game.mount,
            &plan,
            UnpackOptions {
                output: &out,
                overwrite: &Overwrite::never(),
                converter: None,
                threads,
                report: &report,
            },
        )
        .unwrap();
        assert!(failed.is_empty(), "{failed:?}");
        assert_eq!((files, bytes), (3, 40_000_001));
        assert_eq!(reported.into_inner(), bytes);
        for name in ["Packed.bin", "Plain.bin"] {
            assert!(fs::read(out.join(name)).unwrap() == data, "{name} with {threads} threads");
        }
    }
}

#[test]
fn what_is_ended_early_leaves_no_file_that_is_not_whole() {
    let folder = TempDir::new().unwrap();
    let (game, _) = game(&folder);
    let plan = plan(&game.mount, |_, _| true);
    for threads in 1..=3 {
        let out = folder.path().join(threads.to_string());
        let left = AtomicU64::new(12_000_000);
        let report = |bytes| {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
        };
        let threads = NonZeroUsize::new(threads).unwrap();
        let Unpacked { files, failed, .. } = unpack(
            &game.mount,
            &plan,
            UnpackOptions {
                output: &out,
                overwrite: &Overwrite::never(),
                converter: None,
                threads,
                report: &report,
            },
        )
        .unwrap();
        assert_eq!((files, failed.len()), (0, 0));
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
    }
}
