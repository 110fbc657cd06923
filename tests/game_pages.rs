//! The first sounds of large games, which are listed before the rest of the game is read.

use fixtures::sound_wave::{Stored, object};
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::wave::{Values, Wave};
use fixtures::zen::{PackageForm, ZenWriter};
use importer::{Budget, GameOptions, Sound, SoundFile};
use std::sync::Arc;
use unreal::containers::mount::Mount;
use unreal::containers::{Container, IoStore};
use unreal::{KeyRing, Limits, Memory, Source};

/// More than are read for a page.
const PACKAGES: u64 = 2500;

/// Returns a game of packages that come in no order, each with a sound; the package of a number says that it is called
/// as `name` has it.
fn game(packages: u64, name: impl Fn(u64) -> String) -> Arc<Mount> {
    const SOUND_WAVE: u64 = 0x44F2_6264_628E_498D;
    let mut wave = Wave::new(22_050, 1, Values::I16(vec![5; 20])).finish();
    wave[16] = 18;
    wave.splice(36..36, [0, 0]);
    let mut chunks = Vec::new();
    // A prime number of them leads to each once.
    for number in (0..packages).map(|number| number * 1009 % packages) {
        let wave = object(Stored::Streamed, &wave, 2, true, 0);
        let path = name(number);
        let own = path.rsplit('/').next().unwrap().to_owned();
        let exports = vec![(own, SOUND_WAVE, wave.bytes)];
        let names = vec!["ADPCM".to_owned()];
        let writer = ZenWriter::new(PackageForm::Engine5_3, &path);
        let package = ZenWriter { names, exports, bulk: Some(wave.data), ..writer }.finish();
        for (kind, extension, data) in [(1, "uasset", package), (2, "ubulk", wave.beside)] {
            let mut id = [0; 12];
            id[..8].copy_from_slice(&number.to_le_bytes());
            id[11] = kind;
            let path = format!("Test/Content/{}.{extension}", lies(number).trim_start_matches("/Game/"));
            chunks.push(TocChunk { path, id, data, is_packed: false });
        }
    }
    let WrittenToc { table, partitions, .. } = TocWriter { chunks, ..TocWriter::new(8) }.finish();
    let partitions = partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
    let (keys, limits) = (KeyRing::default(), &mut Limits::default());
    let store = IoStore::open(Box::new(Memory(table)), partitions.collect(), &keys, limits).unwrap();
    Arc::new(Mount::new(vec![("Test.utoc".to_owned(), Container::IoStore(store))]))
}

/// Returns what a package is called by where it lies.
fn lies(number: u64) -> String {
    format!("/Game/Folder{}/Sound{number:04}", number / 100 % 7)
}

/// Returns the names of the sounds of each page that is handed over, and of all in the end.
fn pages(mount: &Arc<Mount>) -> (Vec<Vec<String>>, Vec<String>) {
    let names = |file: &SoundFile| file.sounds().iter().map(Sound::path).collect::<Vec<_>>();
    let mut pages = Vec::new();
    let (options, budget) = (GameOptions::default(), Budget::default());
    let file =
        SoundFile::open_game_by_page(Arc::clone(mount), "Test", &options, budget.clone(), &mut |page| {
            assert!(page.is_game() && page.instrument(1).is_some_and(|instrument| !instrument.is_silent()));
            pages.push(names(page));
        });
    assert!(file.unread_packages().unwrap().is_empty(), "{:?}", file.unread_packages());
    let unpaged = SoundFile::open_game(Arc::clone(mount), "Test", &options, budget);
    assert_eq!(names(&file), names(&unpaged));
    for (number, sound) in (1..).zip(file.sounds()) {
        assert_eq!(sound.number, number);
    }
    assert_eq!(file.sample(1).unwrap().length().get(), 20);
    (pages, names(&file))
}

#[test]
fn the_first_sounds_of_a_large_game_come_before_the_rest_and_stay_the_first() {
    let (pages, all) = pages(&game(PACKAGES, lies));
    let [page] = &pages[..] else { panic!("{} pages", pages.len()) };
    assert_eq!(all.len() as u64, PACKAGES);
    assert!((200..all.len()).contains(&page.len()), "{}", page.len());
    assert!(all.starts_with(page));
    assert!(all.is_sorted());
}

#[test]
fn a_game_that_is_read_at_once_has_no_page() {
    let (pages, all) = pages(&game(300, lies));
    assert_eq!((pages.len(), all.len()), (0, 300));
}

#[test]
fn packages_that_are_not_called_as_where_they_lie_make_no_page() {
    for name in [|number| format!("/Game/{}", PACKAGES - number), |number| lies(number) + "B"] {
        let (pages, all) = pages(&game(PACKAGES, name));
        assert_eq!((pages.len(), all.len() as u64), (0, PACKAGES));
        assert!(all.is_sorted());
    }
}
