//! How fast the entries of containers become files, each beside a plain copy of as many bytes.
//!
//! Containers lie in the system's folder for temporary files, as do the files that are written; what is read is in
//! memory after the first round. Oodle is measured on the real containers of `CORPUS`, for nothing here compresses it.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use exporter::Overwrite;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::signal::Noise;
use fixtures::toc::{TocChunk, TocWriter};
use importer::open::GameMount;
use modkit::unpack::{UnpackOptions, plan, unpack};
use modkit::verify::verify;
use tempfile::TempDir;
use unreal::{AesKey, KeyRing};

fn main() {
    divan::main();
}

/// Bytes of all entries together.
const BYTES: usize = 64 << 20;

/// Entries of a container.
const ENTRIES: usize = 256;

const KEY: [u8; 32] = [0x42; 32];

/// How entries are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    Plain,
    Zlib,
    Encrypted,
    ZlibEncrypted,
}

const ALL: [Stored; 4] = [Stored::Plain, Stored::Zlib, Stored::Encrypted, Stored::ZlibEncrypted];

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("a thread")
}

fn keys() -> KeyRing {
    let mut keys = KeyRing::default();
    keys.add(None, AesKey::new(KEY));
    // That of the corpus.
    keys.add(None, AesKey::new(*b"CUE4ParseFixtureAESKey0123456789"));
    keys
}

/// A folder with a pak of each kind; about as compressible as a game's data.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a folder");
    let mut noise = Noise::new(1);
    let data: Vec<u8> = (0..BYTES / ENTRIES).map(|n| (n / 16) as u8 ^ (noise.bits() as u8 & 7)).collect();
    for stored in ALL {
        let entry = |number| PakEntry {
            block_size: matches!(stored, Stored::Zlib | Stored::ZlibEncrypted).then_some(65_536),
            is_hidden: matches!(stored, Stored::Encrypted | Stored::ZlibEncrypted),
            ..PakEntry::new(&format!("Game/Content/{number}.bin"), &data)
        };
        let entries = (0..ENTRIES).map(entry).collect();
        let pak = PakWriter { entries, key: Some(KEY), ..PakWriter::new(11) }.finish();
        fs::write(pak_of(folder.path(), stored), pak).expect("a pak");
    }
    folder
});

fn pak_of(folder: &Path, stored: Stored) -> PathBuf {
    folder.join(format!("{stored:?}.pak"))
}

fn unpacked(bencher: Bencher<'_, '_>, path: &Path, count: usize) {
    let game = GameMount::open(path, &keys(), threads(count)).expect("a game");
    let plan = plan(&game.mount, |_, _| true);
    let bytes: u64 = plan.iter().map(|file| file.size).sum();
    let out = TempDir::new().expect("a folder");
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let done = unpack(
            &game.mount,
            &plan,
            UnpackOptions {
                output: out.path(),
                overwrite: &Overwrite::forced(true),
                converter: None,
                threads: threads(count),
                report: &|_| true,
            },
        );
        let done = done.expect("a disk");
        assert!((done.bytes, done.failed.len()) == (bytes, 0));
    });
}

/// Files copied by the system, the measure of all others.
#[divan::bench(max_time = 3)]
fn copy(bencher: Bencher<'_, '_>) {
    let (from, to) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    let data = vec![1; BYTES / ENTRIES];
    for number in 0..ENTRIES {
        fs::write(from.path().join(number.to_string()), &data).expect("a file");
    }
    bencher.counter(BytesCount::new(BYTES)).bench_local(|| {
        for number in 0..ENTRIES {
            fs::copy(from.path().join(number.to_string()), to.path().join(number.to_string()))
                .expect("a copy");
        }
    });
}

#[divan::bench(max_time = 3, consts = [1, 2], args = ALL)]
fn unpacked_pak<const THREADS: usize>(bencher: Bencher<'_, '_>, stored: Stored) {
    unpacked(bencher, &pak_of(FOLDER.path(), stored), THREADS);
}

#[divan::bench(max_time = 3, consts = [1, 2], args = ALL)]
fn verified_pak<const THREADS: usize>(bencher: Bencher<'_, '_>, stored: Stored) {
    let game = GameMount::open(&pak_of(FOLDER.path(), stored), &keys(), threads(THREADS)).expect("a game");
    bencher.counter(BytesCount::new(BYTES)).bench_local(|| {
        let verified = verify(&game.mount, threads(THREADS), &|_| true);
        assert!(verified.damaged.is_empty() && verified.tables.is_empty());
    });
}

#[divan::bench(
    max_time = 3,
    consts = [1, 2],
    args = ["LegacyPak/Tagged/Oodle", "IoStore/Tagged/Oodle", "IoStore/Tagged/OodleEncrypted"]
)]
fn unpacked_oodle<const THREADS: usize>(bencher: Bencher<'_, '_>, folder: &str) {
    let Some(corpus) = fixtures::corpus::corpus("containers/UE5_8") else { return };
    unpacked(bencher, &corpus.join(folder), THREADS);
}

/// Chunks of a large table of contents.
const CHUNKS: usize = 1_000_000;

/// A table of contents, opened and listed: paths, sizes, methods.
#[divan::bench(max_time = 3)]
fn ls(bencher: Bencher<'_, '_>) {
    let folder = TempDir::new().expect("a folder");
    let chunk = |number: usize| {
        let mut id = [0; 12];
        id[..8].copy_from_slice(&(number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes());
        id[11] = 1;
        let path = format!("Game/Content/Folder{:03}/Package{number:06}.uasset", number / 1000);
        TocChunk { path, id, data: vec![1], is_packed: false }
    };
    let chunks = (0..CHUNKS).map(chunk).collect();
    let written = TocWriter { chunks, has_seeds: false, ..TocWriter::new(8) }.finish();
    let path = folder.path().join("Game.utoc");
    fs::write(&path, written.table).expect("a table");
    fs::write(path.with_extension("ucas"), &written.partitions[0]).expect("data");
    bencher.counter(ItemsCount::new(CHUNKS)).bench_local(|| {
        let game = GameMount::open(&path, &KeyRing::default(), NonZeroUsize::MIN).expect("a game");
        let info = |place| Some(game.mount.container(place)?.info(place.entry).ok()?.size);
        let sizes =
            game.mount.entries().filter(|place| !game.mount.label(*place).is_empty()).filter_map(info);
        assert_eq!(sizes.sum::<u64>(), CHUNKS as u64);
    });
}
