//! How much memory a library takes while sounds of it are played at random.

use std::sync::Arc;

use std::time::{Duration, Instant};

use engine::{Config, Controller, Note, Processor, offline, split};
use fixtures::allocator::{self, Counting};
use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use importer::{Budget, SoundFile};
use player::library::{Library, PackageSource, Readiness};
use song::{Frames, InstrumentIndex, Key, Velocity};
use unreal::Memory;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SOUNDS: usize = 200;
/// Frames of each sound: two seconds.
const LENGTH: usize = 96_000;
/// Bytes that all may take: those of ten or so.
const MOST: u64 = 2 << 20;
/// What two threads decode at the moment, each twice in memory: as decoded, and as made ready.
const DECODING: usize = 2 * 2 * 2 * LENGTH;
/// Tables, banks, commands.
const SLACK: usize = 1 << 20;

struct Large(Arc<[u8]>);

struct OpenLarge(SoundFile);

impl AsRef<SoundFile> for OpenLarge {
    fn as_ref(&self) -> &SoundFile {
        &self.0
    }
}

impl PackageSource for Large {
    type OpenPackage = OpenLarge;
    type Listed = ();
    type Unopenable = ();

    fn count(&self) -> usize {
        1
    }

    fn open(&self, _: usize, _: &mut dyn FnMut(&SoundFile, ())) -> Result<OpenLarge, ()> {
        let source = Memory(Arc::clone(&self.0));
        SoundFile::open(source, "Large", Budget::default()).map(OpenLarge).map_err(drop)
    }

    fn list(&self, _: &OpenLarge, _: usize) {}
}

fn render(controller: &mut Controller, processor: &mut Processor, frames: u64) {
    drop(offline::render(processor, Frames::new(frames)));
    while controller.poll().is_some() {}
    controller.collect();
}

// One test, for the peak is one for the whole process.
#[test]
fn memory_stays_within_the_bound_while_sounds_are_played_at_random() {
    let mut package = PackageWriter::new(69);
    for number in 1..=SOUNDS as i16 {
        let wave = Wave::new(48_000, 1, Values::I16(vec![number; LENGTH]));
        package.sound(&format!("S{number}"), None, "WAV", &wave.finish());
    }
    let bytes = package.finish();
    drop(package);
    let (mut controller, mut processor) = split(Config::default()).unwrap();
    let mut library = Library::open(Large(bytes.into()), MOST).unwrap();
    let begun = Instant::now();
    while library.len() < SOUNDS {
        assert!(begun.elapsed() < Duration::from_secs(60));
        library.poll(&mut controller);
    }
    allocator::reset_peak();
    let before = allocator::held();
    let (mut chosen, mut most_held) = (7, 0);
    // Five minutes at ten notes a second, up to twenty of which sound together.
    for struck in 0..3000 {
        chosen = (chosen * 1103 + 12_345 + struck) % SOUNDS;
        library.set_near((chosen..SOUNDS.min(chosen + 30)).collect());
        while library.prepare(&mut controller, chosen) != Readiness::Ready {
            library.poll(&mut controller);
            render(&mut controller, &mut processor, 64);
            assert!(begun.elapsed() < Duration::from_secs(300), "sound {chosen} never comes");
        }
        controller.note_on(Note::new(InstrumentIndex::new(chosen), Key::C4, Velocity::HIGHEST)).unwrap();
        render(&mut controller, &mut processor, 4800);
        most_held = most_held.max(library.held());
    }
    let took = allocator::peak() - before;
    assert!(most_held <= MOST, "{most_held} bytes held of {MOST}");
    assert!(most_held > MOST / 2, "the bound is reached: {most_held}");
    let bound = MOST as usize + DECODING + SLACK;
    assert!(took <= bound, "{took} bytes at most, {bound} allowed");
}
