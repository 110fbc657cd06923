//! However the nodes of cues are connected, listing and importing them takes little time and memory.

use fixtures::allocator::{self, Counting};
use fixtures::package::{Object, PackageWriter, Tag, Wave};
use fixtures::wave::{self, Values};
use importer::{Budget, Sound, SoundFile, Status};
use unreal::Memory;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn wave(package: &mut PackageWriter) -> Object {
    package.wave(&Wave::new("Wave", &wave::Wave::new(48_000, 1, Values::I16(vec![1])).finish(), b""))
}

/// Returns the nodes of a class one below the other, each naming the next one twice.
fn doubled(package: &mut PackageWriter, class: &str, deep: usize, last: Object) -> Object {
    (0..deep).fold(last, |below, depth| {
        package.node(class, &format!("Node{depth}"), &[Tag::objects("ChildNodes", &[below, below])])
    })
}

fn cues(package: &mut PackageWriter, count: usize, first: Object) {
    for number in 0..count {
        let first = Tag::new("FirstNode", "ObjectProperty", &first.0.to_le_bytes());
        package.node("SoundCue", &format!("Cue{number}"), &[first]);
    }
}

/// Looks at the list of a package, which with its package held so many bytes at most.
fn list<T>(bytes: Vec<u8>, look: impl FnOnce(&[Sound], usize) -> T) -> T {
    let source = Memory(bytes);
    allocator::reset_peak();
    let before = allocator::held();
    let file = SoundFile::open(source, "Test", Budget::default()).unwrap();
    let took = allocator::peak() - before;
    look(file.sounds(), took)
}

fn zones(sound: &Sound) -> usize {
    sound.zones().map_or(0, |tree| tree.zones().len())
}

// One test, for the peak is one for the whole process.
#[test]
fn many_cues_with_many_connections_take_little_time_and_memory() {
    let mut package = PackageWriter::new(868);
    let nodes = doubled(&mut package, "SoundNodeMixer", 14, Object(0));
    cues(&mut package, 8000, nodes);
    list(package.finish(), |sounds, _| {
        assert_eq!(sounds.len(), 8000);
        assert_eq!(sounds[0].status.to_string(), "unsupported: it refers to no sound");
        let Status::Unsupported(reason) = &sounds[7999].status else { panic!("{:?}", sounds[7999].status) };
        // To follow each of 131 million connections would take minutes.
        assert!(reason.to_string().contains("the limit leaves"), "{reason}");
    });

    let mut package = PackageWriter::new(868);
    let wave = wave(&mut package);
    let nodes = doubled(&mut package, "SoundNodeRandom", 12, wave);
    cues(&mut package, 150, nodes);
    list(package.finish(), |sounds, took| {
        assert_eq!((sounds.len(), &sounds[0].status), (151, &Status::Ok));
        assert_eq!(zones(&sounds[1]), 4096);
        let Status::Unsupported(reason) = &sounds[150].status else { panic!("{:?}", sounds[150].status) };
        assert!(reason.to_string().contains("the limit leaves"), "{reason}");
        assert!((64 << 20) / 2 < took && took < 72 << 20, "{took} bytes held");
    });
}
