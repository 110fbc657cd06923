//! Any bytes as a tracker module of any format, alone and in a package: what its song says is what its file says, and
//! all that is listed of it can be imported.
#![no_main]

use fixtures::package::PackageWriter;
use importer::{Budget, SoundFile};
use libfuzzer_sys::fuzz_target;
use song::Song;
use song::module::{Cell, Module};
use tracker::format::{it, protracker, s3m, xm};
use tracker::{Raw, read};
use unreal::Memory;

/// Little, so that what takes much is met early.
const BUDGET: Budget = Budget {
    structures: 8 << 20,
    decoded: 8 << 20,
    inflated: 8 << 20,
    shared: None,
    expansion: Some(64),
    playable_frames: u64::MAX,
};

fuzz_target!(|bytes: &[u8]| {
    let Ok(module) =
        read(bytes, tracker::ModuleBudget { structures: BUDGET.structures, decoded: BUDGET.decoded })
    else {
        return;
    };
    if let Ok(song) = module.raw.to_song(BUDGET.structures) {
        check(&module.raw, &song);
    }
    let bare = Memory(bytes.to_vec());
    let Ok(bare) = SoundFile::open(bare, "Song", BUDGET) else { return };
    // What begins as a package does is one.
    if bare.module().is_none() {
        return;
    }
    let Some(song) = import(&bare) else { return };
    let mut package = PackageWriter::new(69);
    package.music("Song", "it", bytes);
    let package = Memory(package.finish());
    let package = SoundFile::open(package, "Package", BUDGET).expect("it was just written");
    // In a package what begins as another format does is of that.
    if package.sounds()[0].is_module() {
        let wrapped = package.music(1).expect("what is read alone is read in a package");
        assert_eq!(import(&wrapped).expect("what is imported alone is imported in a package"), song);
    }
});

/// Each raw cell comes back from the song's.
fn check(raw: &Raw, song: &Module) {
    fn same<R: PartialEq + Copy>(raw: &[R], song: &[Cell], back: fn(Cell) -> Option<R>) {
        assert!(song.iter().map(|cell| back(*cell)).eq(raw.iter().copied().map(Some)));
    }
    let cells = song.patterns.iter().map(song::module::Pattern::cells);
    match raw {
        Raw::Protracker(raw) => {
            let patterns = raw.patterns.iter().zip(cells);
            patterns.for_each(|(from, to)| same(&from.cells, to, protracker::Cell::from_song));
        }
        Raw::S3m(raw) => {
            let patterns = raw.patterns.iter().zip(cells);
            patterns.for_each(|(from, to)| same(&from.cells, to, s3m::Cell::from_song));
        }
        Raw::Xm(raw) => {
            let patterns = raw.patterns.iter().zip(cells);
            patterns.for_each(|(from, to)| same(&from.cells, to, xm::Cell::from_song));
        }
        Raw::It(raw) => {
            let patterns = raw.patterns.iter().zip(cells);
            patterns.for_each(|(from, to)| same(&from.cells, to, it::Cell::from_song));
        }
    }
    assert_eq!(raw.summary().patterns, song.patterns.len());
    assert_eq!(raw.summary().samples, song.samples.len());
    assert_eq!(raw.summary().instruments, song.instruments.len());
}

/// Lists a module and makes the song of it; none if that takes more than is allowed.
fn import(file: &SoundFile) -> Option<Song> {
    for sound in file.sounds() {
        assert!(sound.plays().iter().all(|number| (1..=file.sounds().len()).contains(number)));
    }
    let imported = file.import().ok()?;
    let [song] = imported.songs.try_into().expect("a module is one song");
    assert_eq!(song.instruments().len(), file.sounds().len());
    Some(song)
}
