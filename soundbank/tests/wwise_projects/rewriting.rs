//! Media of hand-made banks and packages replaced, and what is checked of that.

use std::io;

use soundbank::wwise::{self, MAX_PACKAGE, PcmMedia, Replacement, write_pcm};
use soundbank::{Error, ErrorKind};
use unreal::{Limits, Memory, Source};

use crate::bank::Bank;

fn pcm() -> Vec<u8> {
    write_pcm(&PcmMedia { channels: 1, rate: 48_000, data: &[7; 200], loop_range: None }).unwrap()
}

fn new(id: u32, bytes: &[u8]) -> Replacement<'_> {
    Replacement { id, bytes, codec: Some(wwise::PCM), start: Some(50) }
}

fn rewrite(bank: &[u8], replacement: Replacement<'_>) -> Result<Vec<u8>, Error> {
    wwise::rewrite(&Memory(bank), &[replacement], &mut Limits::default()).map(|bank| bank.bytes)
}

fn verify(old: &[u8], new: &[u8], replacement: Replacement<'_>) -> Result<(), Error> {
    wwise::verify(&Memory(old), &Memory(new), &[replacement], &mut Limits::default())
}

#[test]
fn a_media_of_the_other_byte_order_is_refused_by_a_bank() {
    let (little, mut big) = (pcm(), pcm());
    big[..4].copy_from_slice(b"RIFX");
    for is_big_endian in [false, true] {
        let bank = Bank { is_big_endian, ..Bank::default() };
        let bank = bank.media(7, b"seven").sound(20, 0, 7, 0).sound(21, 0, 8, 2).bytes();
        let (fits, other) = if is_big_endian { (&big, &little) } else { (&little, &big) };
        for id in [7, 8] {
            assert!(rewrite(&bank, new(id, fits)).is_ok());
            let error = rewrite(&bank, new(id, other)).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
            let expected = if is_big_endian { "are big-endian (RIFX)" } else { "are little-endian (RIFF)" };
            assert!(error.to_string().contains(expected), "{error}");
        }
        // A bank that has nothing to do with the media does not care.
        assert_eq!(rewrite(&bank, new(9, other)).unwrap(), bank);
    }
}

#[test]
fn a_media_beside_a_bank_keeps_its_byte_order() {
    let (little, old) = (pcm(), |head: &[u8]| Memory(head.to_vec()));
    assert!(wwise::check_byte_order(&little, &old(b"RIFF....")).is_ok());
    let error = wwise::check_byte_order(&little, &old(b"RIFX....")).unwrap_err();
    assert!(error.to_string().contains("the new one is little-endian"), "{error}");
    // What does not say its order has none.
    assert!(
        [&b""[..], b"RI", b"OggS"].iter().all(|head| wwise::check_byte_order(&little, &old(head)).is_ok())
    );
}

/// Returns the offsets of the sizes that sources state, found by the media and the size.
fn sizes(bank: &[u8], media: u32, size: usize) -> Vec<usize> {
    let size = u32::try_from(size).unwrap();
    let pair = [media.to_le_bytes(), size.to_le_bytes()].concat();
    let found = bank.windows(8).enumerate().filter(|(_, window)| *window == pair);
    found.map(|(at, _)| at + 4).collect()
}

#[test]
fn a_source_that_states_another_size_or_codec_is_found() {
    let wem = pcm();
    // In memory, with a start here, streamed; and one that the bank does not hold.
    let bank = Bank::default().media(7, b"seven").media(9, b"RI");
    let bank = bank.sound(20, 0, 7, 0).sound(21, 0, 8, 2).sound(22, 0, 9, 1).sound(23, 0, 10, 0);
    let bank = bank.sound(24, 0, 11, 1).bytes();
    for (id, stated) in [(7, wem.len()), (8, 50), (9, 2), (10, wem.len()), (11, 100)] {
        let written = rewrite(&bank, new(id, &wem)).unwrap();
        verify(&bank, &written, new(id, &wem)).unwrap();
        let at = sizes(&written, id, stated);
        let &[at] = &at[..] else { panic!("media {id}: {at:?}") };
        let changed = |at: usize| {
            let mut changed = written.clone();
            changed[at] ^= 1;
            verify(&bank, &changed, new(id, &wem)).unwrap_err().to_string()
        };
        assert!(changed(at).contains("another size"), "media {id}");
        // The plugin word is before the stream kind and the media; with codec none it stays, too.
        let plugin = at - 4 - 1 - 4;
        assert!(changed(plugin + 2).contains("another codec"), "media {id}");
        let kept = Replacement { codec: None, start: None, ..new(id, &wem) };
        let mut written = rewrite(&bank, kept).unwrap();
        verify(&bank, &written, kept).unwrap();
        written[plugin + 2] ^= 1;
        assert!(verify(&bank, &written, kept).unwrap_err().to_string().contains("another codec"));
    }
    // Those of other media stay, whatever the size says.
    let written = rewrite(&bank, new(7, &wem)).unwrap();
    let at = sizes(&written, 8, 100)[0];
    let mut changed = written;
    changed[at] ^= 1;
    assert!(verify(&bank, &changed, new(7, &wem)).unwrap_err().to_string().contains("an item differs"));
}

#[test]
fn a_new_media_that_is_cut_is_found_unless_the_old_one_was_a_start() {
    let wem = pcm();
    let bank = |old: &[u8], stream| Bank::default().media(7, old).sound(20, 0, 7, stream).bytes();
    let whole = bank(&[1; 100], 0);
    // As if only as many bytes were written as there were.
    let cut = bank(&wem[..100], 0);
    let new = Replacement { codec: None, ..new(7, &wem) };
    let error = verify(&whole, &cut, new).unwrap_err().to_string();
    assert!(error.contains("is cut"), "{error}");
    verify(&bank(&[1; 100], 1), &bank(&wem[..100], 1), new).unwrap();
}

/// A file of which only the first bytes are there; all others are zero.
struct Sparse {
    start: Vec<u8>,
    length: u64,
}

impl Source for Sparse {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        into.fill(0);
        let start = self.start.get(usize::try_from(at).unwrap()..).unwrap_or_default();
        let count = start.len().min(into.len());
        into[..count].copy_from_slice(&start[..count]);
        Ok(())
    }
}

/// Counts what is written.
struct Counted(u64);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += u64::try_from(bytes.len()).unwrap();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The tables of a package of streams that all have one id and four bytes.
fn streams(count: u32) -> Vec<u8> {
    let words = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let table = 4 + count * 20;
    let mut bytes = b"AKPK".to_vec();
    bytes.extend(words(&[16 + 4 + 4 + table + 4, 1, 0, 4, table, 4]));
    bytes.extend(words(&[0, count]));
    let first = 28 + 4 + table + 4;
    for number in 0..count {
        bytes.extend(words(&[7, 1, 4, first + number * 4, 0]));
    }
    bytes.extend(words(&[0]));
    bytes.extend(b"RIFF".repeat(usize::try_from(count).unwrap()));
    bytes
}

#[test]
fn a_package_that_is_or_would_be_larger_than_is_held_is_refused() {
    let rewritten = |source: &Sparse, bytes: &[u8]| {
        let mut out = Counted(0);
        let replacement = Replacement { id: 7, bytes, codec: None, start: None };
        let limits = &mut Limits::default();
        let changed = wwise::rewrite_package(source, &[replacement], &|_| true, limits, &mut out);
        (changed.map(|changed| changed.streams).map_err(|error| error.to_string()), out.0)
    };
    let start = streams(2);
    let whole = Sparse { length: start.len() as u64, start };
    let (changed, length) = rewritten(&whole, &[0; 100]);
    assert_eq!((changed, length), (Ok(2), whole.length + 2 * 96));

    let large = Sparse { start: streams(2), length: MAX_PACKAGE + 1 };
    let (error, length) = rewritten(&large, &[0; 100]);
    assert!(error.unwrap_err().contains("larger than 2 GiB") && length == 0);

    // Each stream gets a copy of the new media, of a mebibyte.
    let start = streams(2048);
    let many = Sparse { length: start.len() as u64, start };
    let (error, length) = rewritten(&many, &vec![0; 1 << 20]);
    assert!(error.unwrap_err().contains("larger than 2 GiB") && length == 0);
}
