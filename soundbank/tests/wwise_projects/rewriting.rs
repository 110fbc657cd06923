//! Media of hand-made banks and packages replaced, and what is checked of that.

use soundbank::wwise::{self, PcmMedia, Replacement, write_pcm};
use soundbank::{Error, ErrorKind};
use unreal::{Limits, Memory};

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
