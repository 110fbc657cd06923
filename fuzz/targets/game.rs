//! Any bytes as a package of a game, as its bulk data and as a recording: found, described, decoded.
#![no_main]

use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::zen::{PackageForm, ZenWriter};
use importer::{Budget, GameOptions, SoundFile};
use libfuzzer_sys::fuzz_target;
use unreal::containers::mount::Mount;
use unreal::containers::{Container, IoStore};
use unreal::{KeyRing, Limits, Memory, Source};

const FORMS: [(u8, PackageForm); 4] = [
    (3, PackageForm::Engine4),
    (5, PackageForm::Engine5_0),
    (5, PackageForm::Engine5_3),
    (8, PackageForm::Engine5_6),
];

const STARTS: [&[u8]; 5] =
    [b"", b"RIFF\0\0\0\0WAVE", b"UEOPUS\0\0\0\x01", b"UE4OPUS\0", b"ABEU\x01\x01\0\0\x80\xBB\0\0"];

/// A package with a recording in one piece.
fn package(form: PackageForm, audio: &[u8]) -> Vec<u8> {
    let mut object = b"properties".to_vec();
    for number in [1, 2, 0, 0x40, audio.len() as u32, audio.len() as u32, 0, 0] {
        object.extend(number.to_le_bytes());
    }
    object.extend(audio);
    object.extend([0; 16]);
    let writer = ZenWriter {
        names: vec!["OPUS".to_owned()],
        exports: vec![("Sound".to_owned(), 0x44F2_6264_628E_498D, object)],
        ..ZenWriter::new(form, "/Game/Sound")
    };
    writer.finish()
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let choice = usize::from(choice);
    let (version, form) = FORMS[choice % 4];
    let start = STARTS[choice / 4 % 5];
    // Either the package is made of the bytes, or the recording in it.
    let package = if choice < 128 { rest.to_vec() } else { package(form, &[start, rest].concat()) };
    let chunk = |kind, data: &[u8]| TocChunk {
        path: String::new(),
        id: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kind],
        data: data.to_vec(),
        is_packed: false,
    };
    let first = if version < 5 { 2 } else { 1 };
    let chunks = vec![chunk(first, &package), chunk(first + 1, rest)];
    let writer = TocWriter { chunks, has_directory: false, has_seeds: false, ..TocWriter::new(version) };
    let WrittenToc { table, partitions, .. } = writer.finish();
    let data: Vec<_> =
        partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>)).collect();
    let store = IoStore::open(Box::new(Memory(table)), data, &KeyRing::default(), &mut Limits::default());
    let mount = Mount::new(vec![("Game".to_owned(), Container::IoStore(store.expect("a container")))]);
    let file = SoundFile::open_game(
        mount,
        "Game",
        &GameOptions::default(),
        Budget { decoded: 1 << 22, ..Budget::default() },
    );
    for sound in file.sounds().iter().take(3) {
        let _ = file.sample(sound.number);
    }
});
