//! How fast packages are listed and their payloads taken out. Nothing is decoded here.
//!
//! `list` is counted in exports: tables, every path, every sound's head. `payloads` is counted in bytes, beside a
//! plain copy of as many.

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use fixtures::package::large;
use unreal::class::sound;
use unreal::{Limits, Memory, Package};

fn main() {
    divan::main();
}

/// Opens a package and looks at everything but the payloads. Gives the number of sounds and all their bytes.
fn list(source: &Memory<Vec<u8>>) -> (usize, u64) {
    let mut limits = Limits::default();
    let package = Package::open(source, &mut limits).unwrap();
    let (mut sounds, mut bytes) = (0, 0);
    for index in package.export_indices() {
        black_box(package.path_of(index));
        if sound::kind_of(&package, index).is_some() {
            bytes += sound::read(&package, source, index, &mut limits).unwrap().payload.length;
            sounds += 1;
        }
    }
    (sounds, bytes)
}

#[divan::bench(args = [5_000, 50_000], max_time = 2)]
fn tables(bencher: Bencher<'_, '_>, exports: usize) {
    let source = Memory(large(exports, 100_000_000));
    bencher.counter(ItemsCount::new(exports)).bench_local(|| {
        let package = Package::open(&source, &mut Limits::default()).unwrap();
        assert_eq!(package.exports().len(), exports);
    });
}

#[divan::bench(name = "list", args = [5_000, 50_000], max_time = 2)]
fn list_all(bencher: Bencher<'_, '_>, exports: usize) {
    let source = Memory(large(exports, 100_000_000));
    bencher.counter(ItemsCount::new(exports)).bench_local(|| {
        let (sounds, bytes) = list(&source);
        assert_eq!(sounds, exports - exports / 100);
        assert_eq!(bytes, (sounds * (100_000_000 / exports)) as u64);
    });
}

#[divan::bench(args = [5_000, 50_000], max_time = 2)]
fn payloads(bencher: Bencher<'_, '_>, exports: usize) {
    let source = Memory(large(exports, 100_000_000));
    let (_, bytes) = list(&source);
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let mut limits = Limits::default();
        let package = Package::open(&source, &mut limits).unwrap();
        let mut taken = 0;
        for index in package.export_indices() {
            if sound::kind_of(&package, index).is_some() {
                let sound = sound::read(&package, &source, index, &mut limits).unwrap();
                taken += black_box(sound.payload.read(&source, u64::MAX).unwrap()).len();
            }
        }
        assert_eq!(taken as u64, bytes);
    });
}

#[divan::bench(max_time = 2)]
fn plain_copy(bencher: Bencher<'_, '_>) {
    let bytes = vec![1_u8; 100_000_000];
    let mut into = vec![0_u8; bytes.len()];
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| black_box(&mut into).copy_from_slice(&bytes));
}
