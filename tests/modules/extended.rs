//! How many channels an Impulse Tracker module has by what other trackers write beside what the format has.

use fixtures::module::adpcm;
use fixtures::module::it::{It, Sample};
use fixtures::module::packed::Packer;

use super::clean;

fn channels(file: &It) -> usize {
    let raw = clean(&file.finish().bytes).raw;
    let channels = raw.to_song(1 << 20).unwrap().channels.len();
    assert_eq!(channels, raw.summary().channels);
    channels
}

/// Returns a name, a length and so many bytes.
fn chunk(name: &str, length: usize) -> Vec<u8> {
    let length = vec![b'x'; length];
    [name.as_bytes(), &u32::try_from(length.len()).unwrap().to_le_bytes(), &length].concat()
}

/// Returns a property: its code backwards, and its bytes for each instrument or for the song.
fn property(code: &str, size: u16, bytes: &[u8]) -> Vec<u8> {
    [code.bytes().rev().collect(), size.to_le_bytes().to_vec(), bytes.to_vec()].concat()
}

fn from_song(channels: u16) -> Vec<u8> {
    let count = property("C...", 2, &channels.to_le_bytes());
    [b"STPM".to_vec(), property("RPB.", 4, &[4, 0, 0, 0]), count, property("MSF.", 2, &[1, 0])].concat()
}

/// Returns one pattern that uses three channels.
fn three() -> It {
    It { patterns: vec![Some((1, vec![0x83, 1, 60, 0]))], ..It::new(0x214) }
}

#[test]
fn channels_with_names_are_there_whether_used_or_not() {
    assert_eq!(channels(&three()), 3);
    let named = |names| channels(&It { names, ..three() });
    assert_eq!(named(chunk("CNAM", 2 * 20)), 3);
    assert_eq!(named(chunk("CNAM", 4 * 20)), 4);
    assert_eq!(named([chunk("PNAM", 33), chunk("CNAM", 5 * 20)].concat()), 5, "after names of patterns");
    assert_eq!(named(chunk("CNAM", 127 * 20)), 127);
    assert_eq!(named(chunk("CNAM", 128 * 20)), 127, "no tracker has more");
    let after = It { names: chunk("CNAM", 9 * 20), macros: true, history: Some(vec![[1; 8]]), ..three() };
    assert_eq!(channels(&after), 9, "after history and macros");
}

#[test]
fn channels_that_the_songs_properties_count_are_there() {
    let with = |properties| channels(&It { properties, ..three() });
    assert_eq!(with(from_song(2)), 3);
    assert_eq!(with(from_song(4)), 4);
    assert_eq!(with(from_song(127)), 127);
    assert_eq!(with(from_song(65_535)), 127);
    assert_eq!(with([b"XTPM".to_vec(), from_song(4)].concat()), 4, "after none of instruments");
    assert_eq!(with([vec![0], from_song(4)].concat()), 3, "which begin nowhere else");
    assert_eq!(with(from_song(4)[..20].to_vec()), 3, "and may be cut");
    assert_eq!(with([b"XTPM".to_vec(), property("PTTP", 2, &[])].concat()), 3);
    let two = property("VR..", 2, &[1, 0, 2, 0]);
    let properties = [b"XTPM".to_vec(), two, from_song(6)].concat();
    assert_eq!(channels(&It { properties, instruments: 2, ..three() }), 6, "two bytes of each of two");
}

#[test]
fn properties_lie_after_the_frames_of_the_last_sample_however_these_are_stored() {
    let packer = |wide| Packer { wide, twice: false };
    let values: Vec<i16> = (0..40_000).map(|frame| frame as i16 & 15).collect();
    let pack = |wide, planes| packer(wide).pack(&values, &[if wide { 17 } else { 9 }]).repeat(planes);
    let long = 40_000;
    for (flags, conversion, length, data) in [
        (1, 1, 3, vec![7; 3]),
        (3, 1, 3, vec![7; 6]),
        (7, 1, 3, vec![7; 12]),
        (1, 255, 3, adpcm(&[1, 2, 3]).0),
        (9, 1, long, pack(false, 1)),
        (11, 1, long, pack(true, 1)),
        (15, 1, long, pack(true, 2)),
        (0, 1, 3, vec![7; 3]),
        (0, 1, 0, vec![]),
    ] {
        let sample = Sample { flags, conversion, length, data };
        let file = It { samples: vec![sample], properties: from_song(5), ..It::new(0x214) };
        assert_eq!(channels(&file), 5, "flags {flags}, conversion {conversion}");
    }
}
