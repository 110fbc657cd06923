//! Banks that are written here: what no real file at hand shows, and files that are made to harm.

mod rewriting;

use std::sync::Arc;

use unreal::{Limits, Memory};

use super::*;
use crate::{BankFile, ErrorKind, MediaId, PlayKind, PlayNode, Project, StreamKind};

const CODEC_PCM16: u32 = 2;

fn guid(number: u8) -> [u8; 16] {
    [number; 16]
}

fn chunk(tag: &str, data: &[u8]) -> Vec<u8> {
    let mut chunk = tag.as_bytes().to_vec();
    chunk.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
    chunk.extend(data);
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    chunk
}

fn list(kind: &str, chunks: &[Vec<u8>]) -> Vec<u8> {
    chunk("LIST", &[kind.as_bytes(), &chunks.concat()].concat())
}

/// Returns a list of entries of one size.
fn fixed(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut list = u16::try_from(entries.len() * 2 + 1).unwrap().to_le_bytes().to_vec();
    if let Some(first) = entries.first() {
        list.extend(u16::try_from(first.len()).unwrap().to_le_bytes());
    }
    list.extend(entries.concat());
    list
}

fn bank(version: u32, chunks: &[Vec<u8>]) -> Vec<u8> {
    let format = chunk("FMT ", &[version.to_le_bytes(), version.to_le_bytes()].concat());
    let body = [b"FEV ".to_vec(), format, list("PROJ", chunks)].concat();
    chunk("RIFF", &body)
}

/// Returns a bank with a sample bank after its items, and the place of that among them.
fn bank_with_sounds(version: u32, chunks: &[Vec<u8>], fsb: &[u8]) -> Vec<u8> {
    let with = |at: usize| {
        let mut chunks = chunks.to_vec();
        let place = [at, fsb.len()].map(|number| u32::try_from(number).unwrap().to_le_bytes()).concat();
        chunks.push(chunk("SNDH", &fixed(&[place])));
        bank(version, &chunks)
    };
    let at = with(0).len() + 8;
    [with(at), chunk("SND ", fsb)].concat()
}

/// Chunks of a sample header by their type.
type Chunks<'c> = &'c [(u32, Vec<u8>)];

/// Returns a sample bank of sounds of one channel at 48 kHz with their bytes, and chunks of their headers.
fn fsb(sounds: &[(&[u8], Chunks<'_>)]) -> Vec<u8> {
    let (mut headers, mut data) = (Vec::new(), Vec::new());
    for (bytes, chunks) in sounds {
        let frames = bytes.len() as u64 / 2;
        let bits = u64::from(!chunks.is_empty()) | 9 << 1 | (data.len() as u64 / 32) << 7 | frames << 34;
        headers.extend(bits.to_le_bytes());
        for (number, (kind, body)) in chunks.iter().enumerate() {
            let more = u32::from(number + 1 < chunks.len());
            headers.extend((more | u32::try_from(body.len()).unwrap() << 1 | kind << 25).to_le_bytes());
            headers.extend(body);
        }
        data.extend(*bytes);
        data.resize(data.len().next_multiple_of(32), 0);
    }
    let mut head = b"FSB5".to_vec();
    for number in [1, sounds.len(), headers.len(), 0, data.len(), CODEC_PCM16 as usize, 0, 1] {
        head.extend(u32::try_from(number).unwrap().to_le_bytes());
    }
    head.resize(0x3C, 0);
    [head, headers, data].concat()
}

fn one_sound() -> Vec<u8> {
    fsb(&[(&[1, 2, 3, 4], &[])])
}

fn wave(resource: u8, fsb: u32, sound: u32, mode: u32) -> Vec<u8> {
    let numbers = [fsb, sound, mode].map(u32::to_le_bytes).concat();
    chunk("WAV ", &[guid(resource).to_vec(), vec![12, 0], numbers].concat())
}

/// Returns an event of version 142 with a timeline and parameter sheets.
fn event(number: u8, timeline: u8, sheets: &[u8]) -> Vec<u8> {
    let mut data = [guid(number), guid(0), guid(timeline), guid(0), guid(0)].concat();
    data.extend([0; 13]);
    data.extend(fixed(&sheets.iter().map(|sheet| guid(*sheet).to_vec()).collect::<Vec<_>>()));
    data.extend([0; 4]);
    data.extend([0; 16]);
    data.extend([1, 0, 1, 0, 1, 0]);
    data.extend([0; 8]);
    list("EVNT", &[chunk("EVTB", &data)])
}

fn timeline(number: u8, boxes: &[(u8, u32)]) -> Vec<u8> {
    let boxes = boxes.iter().map(|(instrument, start)| {
        [guid(*instrument).to_vec(), start.to_le_bytes().to_vec(), vec![9, 0, 0, 0]].concat()
    });
    let boxes = fixed(&boxes.collect::<Vec<_>>());
    chunk("TLNB", &[guid(number).to_vec(), vec![1, 0], boxes, vec![0, 0, 0, 0, 1, 0]].concat())
}

/// Returns the parameters of an instrument of version 142.
fn params(gain: f32, pitch: f32, repeats: i32, chance: f32, condition: Option<(u8, f32, f32)>) -> Vec<u8> {
    let mut data = guid(0).to_vec();
    data.extend([gain.to_le_bytes(), pitch.to_le_bytes(), repeats.to_le_bytes()].concat());
    data.extend([0; 8]);
    data.extend(chance.to_le_bytes());
    data.extend([0; 44]);
    data.extend([24, 0]);
    data.extend([0; 24 + 16]);
    let term = condition.map_or_else(Vec::new, |(parameter, least, most)| {
        [
            vec![17, 0, 0, 0],
            guid(parameter).to_vec(),
            vec![0; 4],
            least.to_le_bytes().to_vec(),
            most.to_le_bytes().to_vec(),
        ]
        .concat()
    });
    data.extend(u32::try_from(term.len()).unwrap().to_le_bytes());
    data.extend(term);
    chunk("INST", &data)
}

fn wave_instrument(number: u8, resource: u8, params: Vec<u8>) -> Vec<u8> {
    list("WAIT", &[chunk("WAIB", &[guid(number), guid(resource)].concat()), params])
}

fn multi(number: u8, mode: u32, entries: &[(u8, f32)]) -> Vec<u8> {
    let entries = entries.iter().map(|(guid_, weight)| [&guid(*guid_)[..], &weight.to_le_bytes()].concat());
    let data = [mode.to_le_bytes().to_vec(), vec![1, 0, 0, 0], fixed(&entries.collect::<Vec<_>>())].concat();
    list("MUIT", &[chunk("MUIB", &guid(number)), chunk("PLST", &data), plain()])
}

fn event_instrument(number: u8, event: u8) -> Vec<u8> {
    list("EVIT", &[chunk("EVIB", &[&guid(number)[..], &guid(event), &[0; 4], &[1, 0]].concat()), plain()])
}

fn plain() -> Vec<u8> {
    params(0.0, 0.0, 0, 100.0, None)
}

fn open_all(files: &[(&str, Vec<u8>)], key: Option<&str>) -> Project {
    let file = |(path, bytes): &(&str, Vec<u8>)| BankFile::new(*path, Arc::new(Memory(bytes.clone())));
    open(&files.iter().map(file).collect::<Vec<_>>(), key, &mut Limits::default())
}

fn open_items(items: &[Vec<u8>]) -> Project {
    open_all(&[("A.bank", bank_with_sounds(142, items, &one_sound()))], None)
}

fn assert_whole(project: &Project) {
    for file in &project.files {
        assert!(file.error.is_none(), "{:?}", file.error);
    }
}

#[test]
fn an_instrument_is_played_at_its_time_with_its_gain_pitch_chance_and_repeats() {
    let project = open_items(&[
        event(1, 2, &[]),
        timeline(2, &[(3, 24_000)]),
        wave_instrument(3, 4, params(-6.0, 0.5, -1, 25.0, None)),
        wave(4, 0, 0, 0),
    ]);
    assert_whole(&project);
    let PlayNode { kind, params } = &project.events[0].tree;
    assert_eq!(*kind, PlayKind::Media(0));
    assert_eq!((params.gain.base, params.pitch.base, params.delay.base), (-6.0, 50.0, 0.5));
    assert_eq!((params.chance, params.loops), (0.25, 0));
    assert_eq!(project.media[0].events, [0]);
}

#[test]
fn playlists_are_in_order_random_or_shuffled() {
    for (mode, expected) in [(0, None), (3, None), (1, Some(true)), (2, Some(false))] {
        let project = open_items(&[
            event(1, 2, &[]),
            timeline(2, &[(5, 0)]),
            multi(5, mode, &[(3, 1.0), (6, 3.0)]),
            wave_instrument(3, 4, plain()),
            wave_instrument(6, 4, plain()),
            wave(4, 0, 0, 0),
        ]);
        match (&project.events[0].tree.kind, expected) {
            (PlayKind::Sequence(children), None) => assert_eq!(children.len(), 2),
            (PlayKind::Random { children, with_replacement, .. }, Some(expected)) => {
                assert_eq!(children.iter().map(|(weight, _)| *weight).collect::<Vec<_>>(), [1.0, 3.0]);
                assert_eq!(*with_replacement, expected);
            }
            (other, _) => panic!("mode {mode}: {other:?}"),
        }
    }
}

#[test]
fn an_instrument_outside_of_its_range_is_reached_and_not_played() {
    let parameter =
        [&guid(7)[..], &[0; 8], &[1, 0, b'x'], &[0; 4], &10_f32.to_le_bytes(), &4_f32.to_le_bytes()];
    let sheet = [&guid(8)[..], &guid(7), &fixed(&[guid(3).to_vec(), guid(6).to_vec()]), &[0; 4]].concat();
    let items = |low: (f32, f32), high: (f32, f32)| {
        open_items(&[
            chunk("PRMB", &parameter.concat()),
            event(1, 2, &[8]),
            chunk("PMLB", &sheet),
            wave_instrument(3, 4, params(0.0, 0.0, 0, 100.0, Some((7, low.0, low.1)))),
            wave_instrument(6, 5, params(0.0, 0.0, 0, 100.0, Some((7, high.0, high.1)))),
            wave(4, 0, 0, 0),
            wave(5, 0, 1, 0),
        ])
    };
    let project = items((0.0, 5.0), (5.0, 10.0));
    assert_eq!(project.events[0].tree.kind, PlayKind::Media(0));
    assert_eq!(project.events[0].media.len(), 2);
    // The nearest is played where none is in its range.
    let project = items((0.0, 1.0), (5.0, 10.0));
    assert_eq!(project.events[0].tree.kind, PlayKind::Silence, "sound 1 is missing");
    assert_eq!(project.events[0].missing, [MediaId::Fmod { fsb: 0, sound: 1 }]);
}

#[test]
fn an_event_in_another_bank_of_the_folder_is_found_and_in_another_folder_not() {
    let caller = bank(142, &[event(1, 2, &[]), timeline(2, &[(3, 0)]), event_instrument(3, 9)]);
    let called = [event(9, 5, &[]), timeline(5, &[(6, 0)]), wave_instrument(6, 4, plain()), wave(4, 0, 0, 0)];
    let called = bank_with_sounds(142, &called, &one_sound());
    let project = open_all(&[("x/A.bank", caller.clone()), ("x/B.bank", called.clone())], None);
    assert_whole(&project);
    assert_eq!(project.events[0].tree.kind, PlayKind::Media(0));
    let project = open_all(&[("x/A.bank", caller), ("y/B.bank", called)], None);
    assert_eq!(project.events[0].media, []);
}

#[test]
fn events_that_play_each_other_end() {
    let project = open_items(&[
        event(1, 2, &[]),
        timeline(2, &[(3, 0), (4, 0)]),
        event_instrument(3, 9),
        event(9, 10, &[]),
        timeline(10, &[(11, 0), (4, 0)]),
        event_instrument(11, 1),
        wave_instrument(4, 12, plain()),
        wave(12, 0, 0, 0),
    ]);
    assert_whole(&project);
    assert_eq!(project.events[0].media.len(), 1);
    assert_eq!(project.remarks, Vec::<String>::new());
}

#[test]
fn a_tree_that_doubles_at_every_step_is_bounded() {
    let mut items = vec![event(1, 2, &[]), timeline(2, &[(20, 0)]), wave(4, 0, 0, 0)];
    for number in 20..60 {
        items.push(multi(number, 0, &[(number + 1, 1.0), (number + 1, 1.0)]));
    }
    items.push(wave_instrument(60, 4, plain()));
    let project = open_items(&items);
    fn nodes(node: &PlayNode) -> (usize, usize) {
        let (count, depth) = node.children().map(nodes).fold((0, 0), |a, b| (a.0 + b.0, a.1.max(b.1)));
        (count + 1, depth + 1)
    }
    let (count, depth) = nodes(&project.events[0].tree);
    assert!(count < 1 << 18 && depth <= PlayNode::MAX_DEPTH, "{count} nodes, {depth} deep");
}

#[test]
fn sounds_of_a_bank_in_two_files_are_found_by_how_they_are_loaded() {
    let items = [
        event(1, 2, &[]),
        timeline(2, &[(3, 0), (6, 0)]),
        wave_instrument(3, 4, plain()),
        wave_instrument(6, 5, plain()),
        wave(4, 0, 0, 0),
        wave(5, 0, 0, 2),
    ];
    let (assets, streams) =
        (bank_with_sounds(142, &[], &one_sound()), bank_with_sounds(142, &[], &one_sound()));
    let project = open_all(
        &[("A.streams.bank", streams), ("A.assets.bank", assets), ("A.bank", bank(142, &items))],
        None,
    );
    assert_whole(&project);
    let PlayKind::Layer(parts) = &project.events[0].tree.kind else { panic!("{:?}", project.events[0].tree) };
    let [PlayKind::Media(first), PlayKind::Media(second)] = [&parts[0].kind, &parts[1].kind] else {
        panic!()
    };
    let facts = |index: &usize| (project.media[*index].file, project.media[*index].stream);
    assert_eq!(facts(first), (1, StreamKind::Memory));
    assert_eq!(facts(second), (0, StreamKind::Streamed));
}

#[test]
fn a_sound_that_is_nowhere_at_hand_is_missing() {
    let items = [event(1, 2, &[]), timeline(2, &[(3, 0)]), wave_instrument(3, 4, plain()), wave(4, 0, 7, 0)];
    let project = open_all(&[("A.bank", bank(142, &items))], None);
    assert_eq!(project.events[0].missing, [MediaId::Fmod { fsb: 0, sound: 7 }]);
    assert_eq!(project.events[0].media, project.events[0].missing);
    assert_eq!(project.events[0].tree.kind, PlayKind::Silence);
}

#[test]
fn chunks_of_a_sample_header_overrule_its_bits() {
    let number = |value: u32| value.to_le_bytes().to_vec();
    let loops = [number(10), number(19)].concat();
    let bytes = fsb(&[
        (&[0; 40], &[(1, vec![3]), (2, number(12_345)), (3, loops), (14, number(2)), (11, number(7))]),
        (&[0; 4], &[(3, [number(5), number(4)].concat())]),
    ]);
    let project = open_all(&[("a.fsb", bytes)], None);
    assert_whole(&project);
    let header = project.media[0].sample.as_ref().unwrap().fmod().unwrap();
    assert_eq!((header.channels, header.rate, header.loop_range), (6, 12_345, Some((10, 20))));
    assert_eq!((header.vorbis_setup, header.is_big_endian, header.frames), (Some(7), true, 20));
    assert_eq!(
        project.media[1].sample.as_ref().unwrap().fmod().unwrap().loop_range,
        None,
        "its end is before its start"
    );
    assert_eq!(project.media[0].bytes.as_ref().unwrap().length, 64);
}

#[test]
fn an_encrypted_sample_bank_opens_with_its_key_only_in_both_forms() {
    let key = b"DFm3t4lFTW";
    let plain = one_sound();
    let forms: [fn(u8, u8) -> u8; 2] =
        [|byte, key| (byte ^ key).reverse_bits(), |byte, key| byte.reverse_bits() ^ key];
    for form in forms {
        let stored: Vec<u8> =
            plain.iter().zip(key.iter().cycle()).map(|(byte, key)| form(*byte, *key)).collect();
        let bank = bank_with_sounds(142, &[], &stored);
        for wrong in [None, Some(""), Some("wrong")] {
            let project = open_all(&[("A.bank", bank.clone())], wrong);
            let error = project.files[0].error.as_ref().unwrap();
            assert!(matches!(error.kind(), ErrorKind::Encrypted), "{error}");
        }
        let project = open_all(&[("A.bank", bank.clone())], Some("DFm3t4lFTW"));
        assert_whole(&project);
        let (media, file) = (&project.media[0], Arc::new(Memory(bank)));
        let cipher = media.sample.as_ref().unwrap().fmod().unwrap().cipher.as_ref().unwrap();
        let mut read = [0; 4];
        cipher.over(file).read_at(media.bytes.as_ref().unwrap().at, &mut read).unwrap();
        assert_eq!(read, [1, 2, 3, 4]);
        assert!(!format!("{cipher:?}").contains("DFm"), "the key is not shown");
    }
}

#[test]
fn files_that_are_no_banks_say_what_they_are() {
    for (path, bytes, words) in [
        ("a.bank", &b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n"[..], "LFS"),
        ("a.fsb", b"FSB4rest of the head", "FSB4"),
        ("a.fsb", b"", "empty"),
        ("a.fsb", &[0; 80], "zero"),
        ("a.bank", b"something else, of some length", "no bank"),
    ] {
        let project = open_all(&[(path, bytes.to_vec()), ("b.fsb", one_sound())], None);
        let error = project.files[0].error.as_ref().unwrap_or_else(|| panic!("{words}")).to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(project.media.len(), 1, "the other file is read on");
    }
    let project = open_all(&[("read.me", b"version https://git-lfs".to_vec())], None);
    assert!(project.files[0].error.is_none(), "other files are passed over");
}

#[test]
fn an_item_that_cannot_be_read_is_counted_and_passed_over() {
    let project = open_items(&[chunk("EVTB", &[1; 40]), event(1, 2, &[]), chunk("TLNB", &[1; 17])]);
    assert_eq!((project.files[0].unread, project.events.len()), (2, 1));
    assert!(project.files[0].error.is_none(), "the others are whole");
    assert!(project.remarks[0].contains("2 items not read; FMOD bank"), "{:?}", project.remarks);
}

#[test]
fn an_event_that_takes_more_than_is_allowed_is_listed_and_plays_nothing() {
    let mut items = vec![event(1, 2, &[]), timeline(2, &[(20, 0)]), wave(4, 0, 0, 0), event(99, 98, &[])];
    for number in 20..60 {
        items.push(multi(number, 0, &[(number + 1, 1.0), (number + 1, 1.0)]));
    }
    items.push(wave_instrument(60, 4, plain()));
    let bytes = bank_with_sounds(142, &items, &one_sound());
    let file = BankFile::new("A.bank", Arc::new(Memory(bytes)));
    let project = open(&[file], None, &mut Limits::with_structures(1 << 20));
    assert_eq!(project.events.len(), 2);
    assert_eq!(project.events[0].tree.kind, PlayKind::Silence);
    assert_eq!(project.events[0].media.len(), 1);
    assert!(project.remarks[0].contains("play nothing"), "{:?}", project.remarks);
}

#[test]
fn lists_within_lists_without_end_are_refused() {
    let mut items = chunk("EVTB", &[]);
    for _ in 0..100 {
        items = list("EVTS", &[items]);
    }
    let project = open_all(&[("A.bank", bank(142, &[items]))], None);
    assert!(project.files[0].error.as_ref().unwrap().to_string().contains("too deep"));
}

#[test]
fn counts_that_are_too_large_cost_nothing() {
    let mut bytes = one_sound();
    bytes[8..12].copy_from_slice(&[255; 4]);
    let project = open_all(&[("a.fsb", bytes)], None);
    assert!(matches!(project.files[0].error.as_ref().unwrap().kind(), ErrorKind::TooMany { .. }));
    for at in [12, 16, 20] {
        let mut bytes = one_sound();
        bytes[at..at + 4].copy_from_slice(&[255; 4]);
        let project = open_all(&[("a.fsb", bytes)], None);
        assert!(matches!(project.files[0].error.as_ref().unwrap().kind(), ErrorKind::Outside { .. }));
    }
}

#[test]
fn every_prefix_and_changed_byte_of_a_bank_ends_in_a_project() {
    let items = [
        event(1, 2, &[]),
        timeline(2, &[(5, 1)]),
        multi(5, 1, &[(3, 1.0)]),
        wave_instrument(3, 4, plain()),
        wave(4, 0, 0, 0),
    ];
    let whole = bank_with_sounds(142, &items, &one_sound());
    for length in 0..whole.len() {
        open_all(&[("A.bank", whole[..length].to_vec())], Some("key"));
    }
    for at in 0..whole.len() {
        for change in [1, 0x80, 0xFF] {
            let mut changed = whole.clone();
            changed[at] ^= change;
            open_all(&[("A.bank", changed)], Some("key"));
        }
    }
}
