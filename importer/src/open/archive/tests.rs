use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

use super::*;

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Writes a zip file with a comment: the files stored or deflated.
fn zip(files: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes, is_deflated) in files {
        let packed = if *is_deflated { deflated(bytes) } else { bytes.to_vec() };
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut fields = vec![20, 0, 0, 0, if *is_deflated { 8 } else { 0 }, 0, 0, 0, 0, 0];
        fields.extend(crc.sum().to_le_bytes());
        fields.extend((packed.len() as u32).to_le_bytes());
        fields.extend((bytes.len() as u32).to_le_bytes());
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        let at = out.len() as u32;
        out.extend([b"PK\x03\x04", &*fields, name.as_bytes(), &packed].concat());
        directory
            .extend([b"PK\x01\x02\x14\0", &*fields, &[0; 10], &at.to_le_bytes(), name.as_bytes()].concat());
    }
    let [at, length] = [out.len() as u32, directory.len() as u32].map(u32::to_le_bytes);
    let count = (files.len() as u16).to_le_bytes();
    out.extend([&*directory, b"PK\x05\x06\0\0\0\0", &count, &count, &length, &at, b"\x04\0good"].concat());
    out
}

fn opened(bytes: &[u8], path: &str) -> Result<(String, Vec<u8>), String> {
    opened_within(bytes, path, &Budget::default())
}

fn opened_within(bytes: &[u8], path: &str, budget: &Budget) -> Result<(String, Vec<u8>), String> {
    let kind = crate::probe::probe(bytes, bytes.len() as u64);
    let found = unpack(kind, &Memory(bytes.to_vec()), Path::new(path), budget);
    let Unpacked { source, name } = found.map_err(|error| error.to_string())?.ok_or("no archive")?;
    let mut bytes = vec![0; source.len() as usize];
    source.read_at(0, &mut bytes).unwrap();
    Ok((name.into_string().unwrap(), bytes))
}

const SONG: &[u8] = b"a song a song a song a song";

#[test]
fn the_one_file_of_an_archive_is_unpacked_and_has_its_name() {
    let song = ("Song".to_owned(), SONG.to_vec());
    assert_eq!(opened(&gzip(SONG), "dir/Song.mod.gz"), Ok(song.clone()));
    assert_eq!(opened(&gzip(SONG), "dir/Song.mdz"), Ok(song.clone()));
    for is_deflated in [false, true] {
        let alone = zip(&[("a/", b"", false), ("a/Song.mod", SONG, is_deflated)]);
        assert_eq!(opened(&alone, "x.zip"), Ok(song.clone()));
        let with_texts =
            zip(&[("FILE_ID.DIZ", b"hi", false), ("Song.mod", SONG, is_deflated), ("read.txt", b"me", true)]);
        assert_eq!(opened(&with_texts, "x.zip"), Ok(song.clone()));
    }
    assert_eq!(opened(SONG, "Song.gz"), Err("no archive".to_owned()));
    let named = |path: &str| opened(&gzip(SONG), path).map(|(name, _)| name);
    assert_eq!(named("My.Song.mdz"), Ok("My.Song".to_owned()), "a dot in a name ends none");
    assert_eq!(named("My.Song.mod.gz"), Ok("My.Song".to_owned()));
    let members = [gzip(&SONG[..9]), gzip(&SONG[9..])].concat();
    assert_eq!(opened(&members, "Song.mdz"), Ok(song.clone()), "a gzip file may have several members");
    let mut damaged = zip(&[("a.mod", SONG, false), ("b.txt", SONG, false)]);
    let second = damaged.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    damaged[second] = b'?';
    assert_eq!(opened(&damaged, "x.zip"), Err("a zip file that is cut short".to_owned()));
}

#[test]
fn several_files_are_counted_and_a_damaged_one_is_named() {
    let two = zip(&[("a.mod", SONG, true), ("b.mod", SONG, true)]);
    assert_eq!(opened(&two, "x.zip").unwrap_err(), "a zip file with 2 files; unpack it first");
    assert_eq!(opened(&zip(&[]), "x.zip").unwrap_err(), "no archive", "it has no file's header");
    let mut other = zip(&[("a.mod", SONG, false)]);
    let at = other.windows(SONG.len()).position(|bytes| bytes == SONG).unwrap();
    other[at] ^= 1;
    assert_eq!(opened(&other, "x.zip").unwrap_err(), "a zip file whose a.mod is damaged");
}

#[test]
fn what_takes_more_than_the_budget_is_refused_before_it_is_held() {
    let many = vec![0; 1 << 20];
    let budget = Budget { inflated: 1000, ..Budget::default() };
    for archive in [gzip(&many), zip(&[("a.mod", &many, true)])] {
        let error = opened_within(&archive, "x", &budget).unwrap_err();
        assert!(error.starts_with("over the limit"), "{error}");
    }
}

#[test]
fn no_prefix_and_no_flipped_byte_of_an_archive_does_harm() {
    for archive in [gzip(SONG), zip(&[("song.mod", SONG, true), ("a.txt", b"text", false)])] {
        for length in 0..archive.len() {
            // What follows the directory of a zip file is only a comment.
            let is_whole = archive[length..].len() <= b"good".len() && archive.starts_with(b"PK");
            assert_eq!(opened(&archive[..length], "x").is_ok(), is_whole, "{length}");
        }
        for at in 0..archive.len() {
            for flip in [1, 0x80, 0xFF] {
                let mut changed = archive.clone();
                changed[at] ^= flip;
                if let Ok((_, bytes)) = opened(&changed, "x") {
                    assert!(bytes == SONG || bytes == b"text", "{at}");
                }
            }
        }
    }
}

#[test]
fn modules_in_archives_are_known_by_their_names() {
    for name in ["a.mdz", "A.S3Z", "a.xmgz", "a.mod.gz", "a.IT.zip"] {
        assert!(is_named(Path::new(name)), "{name}");
    }
    for name in ["a.zip", "a.gz", "a.tar.gz", "mdz", "a.mod"] {
        assert!(!is_named(Path::new(name)), "{name}");
    }
}
