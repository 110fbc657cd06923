//! How much memory containers take that ask for more.

use fixtures::allocator::{self, Counting};
use fixtures::hostile_containers::{Crafted, mappings, paks, tables};
use importer::{Budget, GameOptions, SoundFile};
use unreal::containers::mount::Mount;
use unreal::containers::{Container, IoStore};
use unreal::{Error, KeyRing, Limits, Mappings, Memory, Source};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that a file of a megabyte may take, beyond what it is held in here.
const MOST: usize = 100 << 20;

fn open(file: Vec<u8>, data: Option<Vec<u8>>) -> Result<Container, Error> {
    let (keys, limits) = (KeyRing::default(), &mut Limits::with_structures(2 << 30));
    let Some(data) = data else { return Container::open_pak(Box::new(Memory(file)), &keys, limits) };
    let data: Box<dyn Source> = Box::new(Memory(data));
    IoStore::open(Box::new(Memory(file)), vec![Some(data)], &keys, limits).map(Container::IoStore)
}

/// Returns the most memory that something held at once.
fn peak(run: impl FnOnce()) -> usize {
    allocator::reset_peak();
    let before = allocator::held();
    run();
    allocator::peak() - before
}

// One test, for the peak is one for the whole process.
#[test]
fn crafted_containers_of_a_megabyte_take_no_more_than_their_size_is_worth() {
    for Crafted { name, file, data } in paks().into_iter().chain(tables()) {
        assert!(file.len() < 1_400_000, "{name}: {} bytes", file.len());
        let is_hopeless = ["long-folder", "long-folder-of-parts", "folder-of-1000", "parts-of-1000"];
        let took = peak(|| {
            let opened = open(file, data);
            assert_eq!(opened.is_err(), is_hopeless.contains(&name) || name == "dag", "{name}: {opened:?}");
            let Ok(container) = opened else { return };
            let mount = Mount::new(vec![("Game".to_owned(), container)]);
            assert!(mount.entries_by_path().iter().count() > 0, "{name}");
            let options = GameOptions::default();
            let sounds = SoundFile::open_game(mount, "Game", &options, Budget::default());
            drop(sounds);
        });
        assert!(took < MOST, "{name}: {took} bytes");
    }
    let read = |mappings: Vec<u8>| Mappings::read(&Memory(mappings), &mut Limits::with_structures(1 << 30));
    let took = peak(|| _ = read(mappings(1024, 4)));
    assert!((1 << 20..MOST).contains(&took), "{took} bytes");
    assert!(read(mappings(1024, 0)).unwrap().is_empty());
    let error = read(mappings(1025, 1)).unwrap_err().to_string();
    assert!(error.contains("is longer than 1024 bytes"), "{error}");
}
