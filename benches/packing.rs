//! How fast files become containers, beside a plain copy of as many bytes, the compressor alone on as many threads, and
//! reading them back with their hashes.
//!
//! Files and containers lie in the system's folder for temporary files; what is read is in memory after the first
//! round. Each round writes to files that were not there, as packing does: to cut an old one takes longer than to
//! write.

use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use divan::Bencher;
use divan::counter::BytesCount;
use fixtures::signal::Noise;
use importer::open::GameMount;
use modkit::pack::{PackedFile, files, pack_io_store, pack_pak, plan_io_store};
use modkit::verify::verify;
use tempfile::TempDir;
use unreal::containers::iostore::IoStoreOptions;
use unreal::containers::pak::{PakForm, PakOptions};
use unreal::ue4to6::convert::IoStoreRelease;
use unreal::{KeyRing, Method};

fn main() {
    divan::main();
}

/// Bytes of all files together.
const BYTES: usize = 64 << 20;

/// How many there are.
const FILES: usize = 64;

/// Bytes that are compressed at once.
const BLOCK: usize = 64 << 10;

const METHODS: [&str; 4] = ["none", "zlib", "zstd", "lz4"];

fn method(name: &str) -> Option<Method> {
    match name {
        "zlib" => Some(Method::Zlib),
        "zstd" => Some(Method::Zstd),
        "lz4" => Some(Method::Lz4),
        _ => None,
    }
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("a thread")
}

/// A folder of files, about as compressible as a game's data: packages of 5.6 without objects, and their data.
static FOLDER: LazyLock<(TempDir, Vec<u8>)> = LazyLock::new(|| {
    use fixtures::zen::{PackageForm, ZenWriter};
    let folder = TempDir::new().expect("a folder");
    let content = folder.path().join("Game/Content");
    fs::create_dir_all(&content).expect("a folder");
    let mut noise = Noise::new(1);
    let data: Vec<u8> = (0..BYTES / FILES).map(|n| (n / 16) as u8 ^ (noise.bits() as u8 & 7)).collect();
    for number in 0..FILES {
        let name = format!("P{number}");
        let package = ZenWriter::new(PackageForm::Engine5_6, &format!("/Game/{name}")).finish();
        fs::write(content.join(format!("{name}.uasset")), package).expect("a file");
        fs::write(content.join(format!("{name}.ubulk")), &data).expect("a file");
    }
    (folder, data)
});

/// A folder for what is written, deleted when its time was taken.
fn new_folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn listed() -> Vec<PackedFile> {
    files(FOLDER.0.path()).expect("files").files
}

fn bytes_of(files: &[PackedFile]) -> u64 {
    files.iter().map(|file| file.size).sum()
}

/// All files copied into one, the measure of all others.
#[divan::bench(max_time = 3)]
fn copy(bencher: Bencher<'_, '_>) {
    let files = listed();
    bencher.counter(BytesCount::new(bytes_of(&files))).with_inputs(new_folder).bench_local_values(|out| {
        let mut whole = File::create(out.path().join("whole")).expect("a file");
        for file in &files {
            io::copy(&mut File::open(&file.file).expect("a file"), &mut whole).expect("a copy");
        }
        out
    });
}

/// Blocks compressed and forgotten.
#[divan::bench(max_time = 3, consts = [1, 2], args = &METHODS[1..])]
fn compressor<const THREADS: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let method = method(name).expect("a method");
    let blocks: Vec<&[u8]> = (0..FILES).flat_map(|_| FOLDER.1.chunks(BLOCK)).collect();
    bencher.counter(BytesCount::new(BYTES)).bench_local(|| {
        let next = AtomicUsize::new(0);
        let run = || {
            while let Some(block) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
                divan::black_box(method.compress(block).expect("a block"));
            }
        };
        thread::scope(|scope| {
            (1..THREADS).for_each(|_| _ = scope.spawn(run));
            run();
        });
    });
}

fn write_pak(files: &[PackedFile], name: &str, count: usize, path: &Path) {
    let options = PakOptions {
        form: PakForm::default(),
        mount: "../../../".to_owned(),
        method: method(name),
        encryption: None,
        game: None,
    };
    let out = io::BufWriter::new(File::create(path).expect("a file"));
    pack_pak(files, out, options, threads(count), &|_| true).expect("a pak").expect("all of it");
}

#[divan::bench(max_time = 3, consts = [1, 2], args = METHODS)]
fn pak<const THREADS: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let files = listed();
    bencher.counter(BytesCount::new(bytes_of(&files))).with_inputs(new_folder).bench_local_values(|out| {
        write_pak(&files, name, THREADS, &out.path().join("Game.pak"));
        out
    });
}

fn write_io_store(name: &str, count: usize, path: &Path) {
    let release: IoStoreRelease = "5.6".parse().expect("a release");
    let plan = plan_io_store(listed(), "Game", release, None).expect("a plan");
    let options = IoStoreOptions {
        version: release.toc,
        name: "Game".to_owned(),
        mount: "../../../".to_owned(),
        method: method(name),
        encryption: None,
        partition_size: None,
    };
    let open = |_| File::create(path.with_extension("ucas"));
    let table = pack_io_store(&plan, options, threads(count), open, &|_| true);
    fs::write(path, table.expect("a container").expect("all of it")).expect("a table");
}

#[divan::bench(max_time = 3, consts = [1, 2], args = METHODS)]
fn io_store<const THREADS: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let total = bytes_of(&listed());
    bencher.counter(BytesCount::new(total)).with_inputs(new_folder).bench_local_values(|out| {
        write_io_store(name, THREADS, &out.path().join("Game.utoc"));
        out
    });
}

/// What was written, read back with its hashes.
#[divan::bench(max_time = 3, consts = [1, 2], args = ["pak", "utoc"])]
fn read_back<const THREADS: usize>(bencher: Bencher<'_, '_>, extension: &str) {
    let out = TempDir::new().expect("a folder");
    let path: PathBuf = out.path().join("Game").with_extension(extension);
    match extension {
        "pak" => write_pak(&listed(), "none", 2, &path),
        _ => write_io_store("none", 2, &path),
    }
    let game = GameMount::open(&path, &KeyRing::default(), threads(THREADS)).expect("a game");
    bencher.counter(BytesCount::new(BYTES)).bench_local(|| {
        let verified = verify(&game.mount, threads(THREADS), &|_| true);
        assert!(verified.damaged.is_empty() && verified.tables.is_empty());
    });
}
