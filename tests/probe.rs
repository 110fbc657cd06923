//! What kind of file it is: one door, and what it says is what happens after it.

use fixtures::compressed::{Method, chunk, download};
use fixtures::module::various as modules;
use fixtures::package::PackageWriter;
use fixtures::wave::Wave;
use importer::probe::{PROBE_LENGTH, probe, probe_source};
use importer::{Budget, FileKind, GameFileKind, SoundFile};
use unreal::Memory;

fn kind(bytes: &[u8]) -> FileKind {
    probe_source(&Memory(bytes)).unwrap()
}

fn package() -> Vec<u8> {
    let mut package = PackageWriter::new(69);
    package.sound(
        "Click",
        None,
        "WAV",
        &Wave::new(8000, 1, fixtures::wave::Values::I16(vec![1; 9])).finish(),
    );
    package.finish()
}

#[test]
fn what_is_said_to_have_sounds_is_opened_and_nothing_else_is() {
    let bare = package();
    let downloaded = download(&bare).bytes;
    let whole = chunk(Method::Zlib, &bare, 0x20000, false).bytes;
    let mut files = vec![("package", bare), ("uz2", downloaded), ("chunk", whole)];
    files.extend(modules().into_iter().map(|(name, file)| (name, file.bytes)));
    for (name, bytes) in files {
        assert!(kind(&bytes).is_opened(), "{name}: {:?}", kind(&bytes));
        assert!(SoundFile::open(Memory(bytes.clone()), "Test", Budget::default()).is_ok(), "{name}");
    }
    for bytes in [&b"text, and no package at all"[..], b"", b"RIFF....AVI LIST", b"PK\x03\x04"] {
        assert!(!kind(bytes).is_opened(), "{bytes:?}");
        assert!(SoundFile::open(Memory(bytes), "Test", Budget::default()).is_err(), "{bytes:?}");
    }
}

#[test]
fn a_container_is_recognised_by_its_magic() {
    assert_eq!(kind(b"-==--==--==--==-\x05"), FileKind::GameFile(GameFileKind::IoStore));
    // From the end of the file, by version of the footer.
    for (version, from_end) in [(3, 44), (8, 172), (11, 204), (9, 205), (14, 208), (15, 245)] {
        let mut pak = vec![b'x'; 300];
        let at = pak.len() - from_end;
        pak[at..at + 8].copy_from_slice(&[0xE1, 0x12, 0x6F, 0x5A, version, 0, 0, 0]);
        assert_eq!(kind(&pak), FileKind::GameFile(GameFileKind::Pak), "version {version}");
        // By as much as leads to no other version's place.
        pak.extend([b'x'; 5]);
        assert!(matches!(kind(&pak), FileKind::Other(_)), "version {version}, some bytes too far");
    }
}

#[test]
fn a_package_that_ends_in_its_tag_is_cut() {
    assert_eq!(kind(&package()[..3]), FileKind::CutPackage);
    assert!(!FileKind::CutPackage.is_opened());
}

#[test]
fn the_head_tells_what_the_whole_file_tells() {
    for (name, file) in modules() {
        let head = &file.bytes[..file.bytes.len().min(PROBE_LENGTH)];
        assert_eq!(probe(head, file.bytes.len() as u64), kind(&file.bytes), "{name}");
    }
}
