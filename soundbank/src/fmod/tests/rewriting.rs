//! Sample banks written anew: several in one file, encrypted ones, and what cannot be written.

use std::collections::BTreeMap;

use super::*;

fn new_sound(rate: u32, values: &[u8]) -> SoundChange {
    SoundChange::New(NewSound { channels: 1, rate, data: values.to_vec(), loop_range: Some((1, 2)) })
}

/// Returns a bank of two sample banks with a step of padding between them.
fn two_sample_banks(first: &[u8], second: &[u8]) -> Vec<u8> {
    let with = |at: usize| {
        let after = (at + first.len()).next_multiple_of(32);
        let place = [at, first.len(), after, second.len()];
        let [one, two] = [&place[..2], &place[2..]].map(|place| {
            place.iter().flat_map(|number| u32::try_from(*number).unwrap().to_le_bytes()).collect::<Vec<u8>>()
        });
        bank(142, &[chunk("SNDH", &fixed(&[one, two]))])
    };
    let head = with(0).len() + 8;
    let padding = head.next_multiple_of(32) - head;
    let at = head + padding;
    let between = (at + first.len()).next_multiple_of(32) - (at + first.len());
    let data = [&vec![0; padding][..], first, &vec![0; between], second].concat();
    let mut bytes = [with(at), chunk("SND ", &data)].concat();
    let size = u32::try_from(bytes.len() - 8).unwrap();
    bytes[4..8].copy_from_slice(&size.to_le_bytes());
    bytes
}

/// Id, rate, frames, loop and bytes of a sound.
type Row = (MediaId, u32, u64, Option<(u64, u64)>, Vec<u8>);

fn sounds(bytes: &[u8], key: Option<&str>) -> Vec<Row> {
    let source: Arc<dyn unreal::Source> = Arc::new(Memory(bytes.to_vec()));
    let files = [BankFile::new("a.bank", Arc::clone(&source))];
    let project = open(&files, key, &mut Limits::default());
    assert!(project.files[0].error.is_none(), "{:?}", project.files[0].error);
    let row = |media: &crate::Media| {
        let (place, header) = (media.bytes.as_ref().unwrap(), media.sample.as_ref().unwrap().fmod().unwrap());
        let mut stored = vec![0; usize::try_from(place.length).unwrap()];
        let source =
            header.cipher.as_ref().map_or(Arc::clone(&source), |cipher| cipher.over(Arc::clone(&source)));
        source.read_at(place.at, &mut stored).unwrap();
        (media.id, header.rate, header.frames, header.loop_range, stored)
    };
    project.media.iter().map(row).collect()
}

fn changed(bytes: &[u8], fsb: u32, change: SoundChange, key: Option<&str>) -> Vec<u8> {
    let (source, limits) = (Memory(bytes.to_vec()), &mut Limits::default());
    let changes = BTreeMap::from([(0, change)]);
    let new = rewrite(&source, fsb, &changes, key, limits).unwrap();
    verify(&source, &Memory(new.clone()), fsb, &changes, key, limits).unwrap();
    new
}

#[test]
fn one_of_two_sample_banks_grows_and_the_other_moves_with_its_bytes() {
    let first = fsb(&[(&[1, 2, 3, 4], &[]), (&[5, 6], &[])]);
    let second = fsb(&[(&[7, 8], &[])]);
    let old = two_sample_banks(&first, &second);
    let before = sounds(&old, None);
    let values = [9; 1000];
    for number in [0_u32, 1] {
        let new = changed(&old, number, new_sound(12_345, &values), None);
        let after = sounds(&new, None);
        assert_eq!(
            new.len(),
            usize::try_from(u32::from_le_bytes(new[4..8].try_into().unwrap())).unwrap() + 8
        );
        for (before, after) in before.iter().zip(&after) {
            if before.0 == (MediaId::Fmod { fsb: number, sound: 0 }) {
                assert_eq!((after.1, after.2, after.3), (12_345, 500, Some((1, 2))));
                assert!(after.4.starts_with(&values) && after.4.len() == 1024);
            } else {
                assert_eq!(before, after);
            }
        }
        let magic: Vec<usize> =
            new.windows(4).enumerate().filter(|(_, tag)| *tag == b"FSB5").map(|(at, _)| at % 32).collect();
        assert_eq!(magic, [0, 0]);
    }
}

#[test]
fn an_encrypted_sample_bank_is_encrypted_again_with_the_same_cipher() {
    let plain = fsb(&[(&[1, 2, 3, 4], &[]), (&[5, 6], &[])]);
    for is_key_outside in [false, true] {
        let mut stored = plain.clone();
        for (byte, key) in stored.iter_mut().zip(b"Key".iter().cycle()) {
            *byte = if is_key_outside { byte.reverse_bits() ^ key } else { (*byte ^ key).reverse_bits() };
        }
        let old = bank_with_sounds(142, &[], &stored);
        let new = changed(&old, 0, new_sound(48_000, &[9; 100]), Some("Key"));
        assert!(!new.windows(4).any(|tag| tag == b"FSB5"));
        let (before, after) = (sounds(&old, Some("Key")), sounds(&new, Some("Key")));
        assert!(after[0].4.starts_with(&[9; 100]));
        assert_eq!(before[1], after[1]);
    }
}

#[test]
fn a_sound_among_others_of_another_codec_is_refused_unless_all_become_pcm() {
    let mut old = fsb(&[(&[1, 2, 3, 4], &[(13, vec![0; 4])]), (&[5, 6], &[])]);
    // Vorbis.
    old[0x18] = 15;
    let (source, limits) = (Memory(old), &mut Limits::default());
    let mut changes = BTreeMap::from([(0, new_sound(48_000, &[9, 9]))]);
    let error = rewrite(&source, 0, &changes, None, limits).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
    changes.insert(1, SoundChange::Decoded { channels: 2, data: vec![3; 8] });
    let new = rewrite(&source, 0, &changes, None, limits).unwrap();
    verify(&source, &Memory(new.clone()), 0, &changes, None, limits).unwrap();
    // A value that differs is found.
    let mut damaged = new;
    let last = damaged.iter().rposition(|byte| *byte == 3).unwrap();
    damaged[last] = 4;
    assert!(verify(&source, &Memory(damaged), 0, &changes, None, limits).is_err());
}

#[test]
fn damaged_banks_are_errors_when_they_are_written() {
    let old = two_sample_banks(&one_sound(), &one_sound());
    let changes = BTreeMap::from([(0, new_sound(48_000, &[9; 100]))]);
    for length in 0..old.len() {
        let _ = rewrite(&Memory(old[..length].to_vec()), 0, &changes, None, &mut Limits::default());
    }
    for at in 0..old.len() {
        for value in [0, 0xFF, old[at] ^ 0x10] {
            let mut damaged = old.clone();
            damaged[at] = value;
            let _ = rewrite(&Memory(damaged), 1, &changes, None, &mut Limits::default());
        }
    }
}
