//! Any bytes as the packets of an Opus recording: at each rate, in one to eight channels, after each form of the head.
#![no_main]

use fixtures::toc::{TocChunk, TocWriter};
use fixtures::zen::{PackageForm, ZenWriter};
use importer::{Budget, GameOptions, SoundFile};
use libfuzzer_sys::fuzz_target;
use unreal::containers::mount::Mount;
use unreal::containers::{Container, IoStore};
use unreal::{KeyRing, Limits, Memory, Source};

const RATES: [u32; 5] = [8000, 12_000, 16_000, 24_000, 48_000];

/// Returns a head; `choice` is the number of channels less one, eight times the index of the rate, and 128 for the
/// form of Unreal Engine 4.
fn head(choice: u8) -> Vec<u8> {
    let (channels, rate) = (choice % 8 + 1, RATES[usize::from(choice / 8 % 5)]);
    let mut head = Vec::new();
    if choice < 128 {
        head.extend(b"UEOPUS\0\0\0");
        head.push(channels);
        for number in [rate, rate, 1 << 20, 0, 1000, 0, 0, 0] {
            head.extend(number.to_le_bytes());
        }
    } else {
        head.extend(b"UE4OPUS\0");
        head.extend((rate as u16).to_le_bytes());
        head.extend((1_u32 << 20).to_le_bytes());
        head.extend([channels, 0, 0]);
    }
    head
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, packets)) = bytes.split_first() else { return };
    let audio = [&head(choice)[..], packets].concat();
    let mut object = b"properties".to_vec();
    for number in [1, 2, 0, 0x40, audio.len() as u32, audio.len() as u32, 0, 0] {
        object.extend(number.to_le_bytes());
    }
    object.extend(audio);
    object.extend([0; 16]);
    let package = ZenWriter {
        names: vec!["OPUS".to_owned()],
        exports: vec![("Sound".to_owned(), 0x44F2_6264_628E_498D, object)],
        ..ZenWriter::new(PackageForm::Engine5_0, "/Game/Sound")
    };
    let chunk = TocChunk {
        path: String::new(),
        id: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        data: package.finish(),
        is_packed: false,
    };
    let writer =
        TocWriter { chunks: vec![chunk], has_directory: false, has_seeds: false, ..TocWriter::new(5) };
    let written = writer.finish();
    let data: Vec<_> = written
        .partitions
        .into_iter()
        .map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>))
        .collect();
    let table = Box::new(Memory(written.table));
    let store = IoStore::open(table, data, &KeyRing::default(), &mut Limits::default());
    let mount = Mount::new(vec![("Game".to_owned(), Container::IoStore(store.expect("a container")))]);
    let budget = Budget { decoded: 1 << 22, ..Budget::default() };
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), budget);
    assert_eq!(file.sounds().len(), 1, "the recording is found");
    let _ = file.sample(1);
});
