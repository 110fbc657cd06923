//! Projects of hand-made banks: what events play, and what hostile ones cost.

mod bank;
mod rewriting;

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use soundbank::wwise::OpenOptions;
use soundbank::{
    BankFile, BranchKind, ErrorKind, EventId, MediaId, PlayKind, PlayNode, Project, StreamKind, wwise,
};
use unreal::{Limits, Memory};

use bank::Bank;

fn file(path: &str, bytes: Vec<u8>) -> BankFile {
    BankFile::new(path, Arc::new(Memory(bytes)))
}

fn open(files: &[(&str, Vec<u8>)]) -> Project {
    let files: Vec<BankFile> = files.iter().map(|(path, bytes)| file(path, bytes.clone())).collect();
    wwise::open(&files, OpenOptions::default(), &mut Limits::default())
}

fn only(bank: &Bank) -> Project {
    let project = open(&[("a.bnk", bank.bytes())]);
    assert!(project.files[0].error.is_none(), "{:?}", project.files[0].error);
    assert_eq!(project.files[0].unread, 0, "{:?}", project.remarks);
    project
}

fn media(ids: &[u32]) -> Vec<MediaId> {
    ids.iter().copied().map(MediaId::Wwise).collect()
}

#[test]
fn a_bank_gives_its_media_and_what_events_play_in_both_byte_orders() {
    for is_big_endian in [false, true] {
        let bank = Bank { is_big_endian, ..Bank::default() }
            .media(7, b"seven")
            .media(8, b"eight")
            .sound(20, 10, 7, 0)
            .sound(21, 10, 8, 0)
            .random(11, &[20, 21])
            .mixer(10, 0, &[11])
            .event(1, 11);
        let project = only(&bank);
        let rows: Vec<_> = project.media.iter().map(|media| (media.id, media.events.clone())).collect();
        assert_eq!(rows, [(MediaId::Wwise(7), vec![0]), (MediaId::Wwise(8), vec![0])]);
        assert_eq!(project.media[1].bytes.as_ref().unwrap().length, 5);
        let event = &project.events[0];
        assert_eq!((event.id, &event.media, &event.missing), (EventId::Wwise(1), &media(&[7, 8]), &vec![]));
        let PlayKind::Random { children, with_replacement: false, avoid_repeat: 1 } = &event.tree.kind else {
            panic!("{:?}", event.tree)
        };
        let children: Vec<_> = children.iter().map(|(weight, node)| (*weight, &node.kind)).collect();
        assert_eq!(children, [(0.5, &PlayKind::Media(0)), (0.5, &PlayKind::Media(1))]);
    }
}

#[test]
fn gain_adds_up_along_the_parents_of_a_target() {
    let bank = Bank::default()
        .media(7, b"x")
        .sound(20, 10, 7, 0)
        .mixer(10, 11, &[20])
        .mixer(11, 0, &[10])
        .event(1, 20);
    let tree = &only(&bank).events[0].tree;
    // Two mixers of 2 dB around a sound of 1 dB.
    assert_eq!(tree.params.gain.base, 4.0);
    assert_eq!(tree.children().next().unwrap().params.gain.base, 1.0);
}

#[test]
fn a_switch_plays_its_default_unless_the_event_sets_another_value() {
    let bank = Bank::default()
        .media(7, b"x")
        .media(8, b"y")
        .sound(20, 0, 7, 0)
        .sound(21, 0, 8, 0)
        .switch(10, 500, 501, &[(501, 20), (502, 21)])
        .event(1, 10)
        .action(5, 0x1901, 0)
        .actions(3, &[5, 2]);
    let words = ["502nd".to_owned()];
    let project = wwise::open(
        &[file("a.bnk", bank.bytes())],
        OpenOptions { words: &words, ..OpenOptions::default() },
        &mut Limits::default(),
    );
    let default = |index: usize| match &project.events[index].tree.kind {
        PlayKind::Branch { kind: BranchKind::Switch, group: 500, default, branches } => {
            (*default, branches.len())
        }
        other => panic!("{other:?}"),
    };
    assert_eq!([default(0), default(1)], [(501, 2), (502, 2)]);
    assert_eq!(project.events[0].media, media(&[7, 8]));
    assert_eq!(project.switches.len(), 1);
    assert_eq!((project.switches[0].id, project.switches[0].default), (500, 501));
    assert_eq!(project.switches[0].values, [(501, None), (502, None)]);
}

#[test]
fn words_name_events_media_and_values_by_their_hashes() {
    let demo = 1_040_102_313;
    let bank = Bank::default()
        .media(demo, b"x")
        .sound(20, 0, demo, 0)
        .switch(10, 500, demo, &[(demo, 20)])
        .event(demo, 10);
    let words = ["other".to_owned(), " Demo_Event".to_owned()];
    let project = wwise::open(
        &[file("a.bnk", bank.bytes())],
        OpenOptions { words: &words, ..OpenOptions::default() },
        &mut Limits::default(),
    );
    assert_eq!(project.events[0].names, ["Demo_Event"]);
    assert_eq!(project.media[0].names, ["Demo_Event"]);
    assert_eq!(project.switches[0].values, [(demo, Some("Demo_Event".to_owned()))]);
}

#[test]
fn names_are_read_beside_banks_and_nowhere_else() {
    let bank = Bank::default().media(7, b"x").sound(20, 0, 7, 0).event(1, 20).bytes();
    let xml = |id: u32, name: &str| format!("<Event Id=\"{id}\" Name=\"{name}\"/>").into_bytes();
    let near =
        [("Windows/a.bnk", bank.clone()), ("Windows/a.xml", xml(1, "Near")), ("Docs/x.xml", xml(1, "Far"))];
    assert_eq!(open(&near).events[0].names, ["Near"]);
    assert_eq!(open(&near).files[0].names, ["a.xml"]);
    let far = [("Windows/a.bnk", bank), ("Docs/x.xml", xml(1, "Far"))];
    assert_eq!(open(&far).events[0].names, Vec::<String>::new());
}

#[test]
fn what_plays_itself_is_cut_and_its_media_are_found_once() {
    let bank = Bank::default()
        .media(7, b"x")
        .sound(20, 0, 7, 0)
        .mixer(10, 11, &[11, 20])
        .mixer(11, 10, &[10, 20])
        .action(2, 0x2103, 1)
        .action(3, 0x0403, 10)
        .actions(1, &[2, 3]);
    let event = &only(&bank).events[0];
    assert_eq!(event.media, media(&[7]));
    assert!(depth(&event.tree) < 10);
}

fn depth(node: &PlayNode) -> usize {
    node.children().map(depth).max().map_or(1, |depth| depth + 1)
}

fn count(node: &PlayNode) -> usize {
    node.children().map(count).sum::<usize>() + 1
}

#[test]
fn a_start_is_joined_with_the_streamed_rest_and_what_is_missing_has_a_row() {
    let bank =
        Bank::default().media(7, b"RI").sound(20, 0, 7, 1).sound(21, 0, 9, 2).event(1, 20).event(3, 21);
    let project = open(&[("Windows/a.bnk", bank.bytes()), ("Windows/7.wem", b"RIFF".to_vec())]);
    let [whole, start, missing] = &project.media[..] else { panic!("{:?}", project.media) };
    assert_eq!(
        (whole.file, whole.stream, whole.bytes.as_ref().unwrap().is_prefetch),
        (1, StreamKind::Prefetch, false)
    );
    assert_eq!((start.file, start.bytes.as_ref().unwrap().is_prefetch), (0, true));
    assert_eq!(start.whole, whole.bytes);
    assert_eq!(
        (missing.id, &missing.bytes, missing.stream),
        (MediaId::Wwise(9), &None, StreamKind::Streamed)
    );
    assert_eq!(project.events[0].tree.kind, PlayKind::Media(0));
    assert_eq!(
        (&project.events[1].tree.kind, &project.events[1].missing),
        (&PlayKind::Silence, &media(&[9]))
    );
}

#[test]
fn platforms_have_the_same_ids_and_share_nothing() {
    let bank = Bank::default().sound(20, 0, 7, 2).event(1, 20).bytes();
    let project = open(&[
        ("Mac/a.bnk", bank.clone()),
        ("Mac/7.wem", b"mac!".to_vec()),
        ("Windows/a.bnk", bank),
        ("Windows/7.wem", b"win".to_vec()),
    ]);
    let files = |event: usize| match project.events[event].tree.kind {
        PlayKind::Media(row) => (project.events[event].file, project.media[row].file),
        _ => panic!("{:?}", project.events[event]),
    };
    assert_eq!([files(0), files(1)], [(0, 1), (2, 3)]);
    assert_eq!(project.files[0].platform.as_deref(), Some("Mac"));
}

#[test]
fn languages_have_the_same_ids_with_their_own_media() {
    let bank = Bank::default().sound(20, 0, 7, 2).event(1, 20).bytes();
    let project = open(&[
        ("Windows/English(US)/a.bnk", bank.clone()),
        ("Windows/English(US)/7.wem", b"hi".to_vec()),
        ("Windows/French(France)/a.bnk", bank),
        ("Windows/French(France)/7.wem", b"salut".to_vec()),
    ]);
    let language = |event: &soundbank::Event| match event.tree.kind {
        PlayKind::Media(row) => project.media[row].language.as_deref(),
        _ => None,
    };
    let languages: Vec<_> = project.events.iter().map(language).collect();
    assert_eq!(languages, [Some("English(US)"), Some("French(France)")]);
    assert!(project.media.iter().all(|media| media.events.len() == 1));
}

#[test]
fn of_two_items_with_one_id_the_fuller_one_counts() {
    let bare = Bank::default().mixer(10, 0, &[]).event(1, 10);
    let full = Bank::default().media(7, b"x").sound(20, 10, 7, 0).mixer(10, 0, &[20]);
    let project = open(&[("a.bnk", bare.bytes()), ("b.bnk", full.bytes())]);
    assert_eq!(project.events[0].media, media(&[7]));
}

/// A package of a bank, which streams media 7, and of that media.
fn package() -> Vec<u8> {
    let bank = Bank::default().sound(20, 0, 7, 2).media(8, b"eight").event(1, 20).bytes();
    let words = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let mut bytes = b"AKPK".to_vec();
    let map: Vec<u8> =
        [words(&[1, 12, 0]), "sfx\0".encode_utf16().flat_map(u16::to_le_bytes).collect()].concat();
    bytes.extend(words(&[20 + 20 + 24 + 24 + 4, 1, 20, 24, 24, 4]));
    bytes.extend(&map);
    bytes.extend(words(&[1, 1, 1, u32::try_from(bank.len()).unwrap(), 112, 0]));
    // The bank is at 112 bytes, the stream in a block of 16 bytes after it.
    let block = u32::try_from((112 + bank.len()).div_ceil(16)).unwrap();
    bytes.extend(words(&[1, 7, 16, 4, block, 0, 0]));
    bytes.resize(112, 0);
    bytes.extend(&bank);
    bytes.resize(usize::try_from(block).unwrap() * 16, 0);
    bytes.extend(b"RIFF");
    bytes
}

#[test]
fn media_that_overlap_are_listed_but_not_rewritten() {
    let mut bytes = Bank::default().media(7, &[1; 64]).media(8, &[2; 64]).bytes();
    // The offset of the second entry of DIDX.
    bytes[32 + 8 + 12 + 4] = 16;
    let project = open(&[("a.bnk", bytes.clone())]);
    assert_eq!(project.media.len(), 2);
    let replacement = wwise::Replacement { id: 7, bytes: b"new", codec: None, start: None };
    let error = wwise::rewrite(&Memory(bytes), &[replacement], &mut Limits::default()).unwrap_err();
    assert!(error.to_string().contains("overlaps"), "{error}");
}

#[test]
fn a_package_that_lists_one_bank_over_and_over_is_refused() {
    let words = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let bank = Bank::default().event(1, 20).bytes();
    let (rows, table) = (10_000, 4 + 10_000 * 20);
    let mut bytes = b"AKPK".to_vec();
    bytes.extend(words(&[16 + table + 4 + 4, 1, 0, table, 4, 4, rows]));
    for _ in 0..rows {
        bytes.extend(words(&[1, 1, 100_000, 28 + table + 8, 0]));
    }
    bytes.extend(words(&[0, 0]));
    bytes.extend(bank);
    let project = open(&[("a.pck", bytes)]);
    assert!(
        project.files[0].error.as_ref().unwrap().to_string().contains("more banks"),
        "{:?}",
        project.files[0]
    );
}

#[test]
fn a_media_of_an_item_that_is_not_read_is_not_replaced() {
    let mut bank = Bank::default().sound(20, 0, 7, 2).event(1, 20);
    bank.items[0].2.push(0);
    let source = Memory(bank.bytes());
    let replacement = wwise::Replacement { id: 7, bytes: b"new", codec: Some(wwise::PCM), start: None };
    let error = wwise::rewrite(&source, &[replacement], &mut Limits::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
    let project = open(&[("a.bnk", source.0)]);
    assert_eq!((project.files[0].unread, project.remarks.len()), (1, 1), "{:?}", project.remarks);
}

#[test]
fn a_package_has_banks_and_streams() {
    let bytes = package();
    let end = u64::try_from(bytes.len()).unwrap();
    let project = open(&[("a.pck", bytes)]);
    assert!(project.files[0].error.is_none(), "{:?}", project.files[0].error);
    assert_eq!(project.files[0].version, "Wwise package, Wwise 132 (2018.1)");
    assert_eq!(project.media[1].bytes.as_ref().unwrap().at, end - 4);
    assert_eq!(project.events[0].tree.kind, PlayKind::Media(1));
}

#[test]
fn a_media_in_a_package_is_replaced_in_its_banks_and_streams() {
    let source = Memory(package());
    let replace = |replacement: wwise::Replacement<'_>| {
        let (mut out, limits) = (Vec::new(), &mut Limits::default());
        let all = |_: Option<&str>| true;
        let changed = wwise::rewrite_package(&source, &[replacement], &all, limits, &mut out).unwrap();
        wwise::verify_package(&source, &Memory(&out[..]), &[replacement], &all, limits).unwrap();
        (out, (changed.banks, changed.streams))
    };
    let other = [9; 100];
    let stays = wwise::Replacement { id: 9, bytes: &other, codec: None, start: None };
    assert_eq!(replace(stays), (source.0.clone(), (0, 0)));

    let (bytes, changed) = replace(wwise::Replacement { id: 8, ..stays });
    assert_eq!(changed, (1, 0));
    let stored = |project: &Project, row: usize, bytes: &[u8]| {
        let place = project.media[row].bytes.as_ref().unwrap();
        let start = usize::try_from(place.at).unwrap();
        bytes[start..start + usize::try_from(place.length).unwrap()].to_vec()
    };
    let project = open(&[("a.pck", bytes.clone())]);
    assert_eq!(
        (stored(&project, 0, &bytes), stored(&project, 1, &bytes)),
        (other.to_vec(), b"RIFF".to_vec())
    );

    let streamed = wwise::Replacement { id: 7, codec: Some(wwise::PCM), start: Some(44), ..stays };
    let (bytes, changed) = replace(streamed);
    assert_eq!(changed, (1, 1));
    let project = open(&[("a.pck", bytes.clone())]);
    assert_eq!(
        (stored(&project, 0, &bytes), stored(&project, 1, &bytes)),
        (b"eight".to_vec(), other.to_vec())
    );
}

#[test]
fn what_is_no_readable_bank_says_what_it_is() {
    let bank = |version: u32| {
        let mut bytes = Bank::default().bytes();
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        bytes
    };
    let project = open(&[
        ("a/akbk.bnk", b"AKBK........BKHD".to_vec()),
        ("a/custom.bnk", bank(0x8000_007A)),
        ("a/lfs.bnk", b"version https://git-lfs.github.com/spec/v1\n".to_vec()),
        ("a/7.wem", b"version https://git-lfs.github.com/spec/v1\n".to_vec()),
        ("a/locked.bnk", bank(0x1234_5678)),
        ("a/text.bnk", b"hello".to_vec()),
        ("a/fine.bnk", Bank::default().media(7, b"x").bytes()),
        ("a/empty.bnk", Vec::new()),
    ]);
    let errors: Vec<String> = project
        .files
        .iter()
        .map(|file| file.error.as_ref().map_or(String::new(), ToString::to_string))
        .collect();
    assert!(errors[0].contains("AKBK"), "{errors:?}");
    assert!(errors[1].contains("0x8000007A"), "{errors:?}");
    assert!(
        errors[2].ends_with("is a Git LFS pointer") && errors[3].ends_with("is a Git LFS pointer"),
        "{errors:?}"
    );
    assert!(matches!(project.files[4].error.as_ref().unwrap().kind(), ErrorKind::Encrypted));
    assert!(!errors[5].is_empty() && errors[6].is_empty() && !errors[7].is_empty(), "{errors:?}");
    assert_eq!(project.media.len(), 1);
}

/// Builds that are not optimized take three times as long.
const SLOW: u32 = if cfg!(debug_assertions) { 4 } else { 1 };

fn timed(bank: &Bank) -> (Project, Duration) {
    let files = [file("a.bnk", bank.bytes())];
    let once = |_| {
        let start = Instant::now();
        let project = wwise::open(&files, OpenOptions::default(), &mut Limits::default());
        (project, start.elapsed())
    };
    // The best of three, so that other programs do not count.
    let best = (0..3).map(once).min_by_key(|(_, time)| *time).unwrap();
    let _ = writeln!(std::io::stderr(), "{} events in {:?}", best.0.events.len(), best.1);
    best
}

#[test]
fn ten_thousand_media_are_listed_at_once() {
    let mut bank = Bank::default();
    for id in 1..=10_000 {
        bank = bank.media(id, b"RIFF").sound(100_000 + id, 0, id, 0).event(200_000 + id * 2, 100_000 + id);
    }
    let (project, time) = timed(&bank);
    assert_eq!((project.media.len(), project.events.len()), (10_000, 10_000));
    assert!(project.events.iter().all(|event| event.media.len() == 1));
    assert!(time < Duration::from_millis(200) * SLOW, "{time:?}");
}

#[test]
fn trees_that_grow_without_bound_are_cut() {
    // Each level plays the next one eight times: 8^40 parts.
    let mut bank = Bank::default().media(7, b"x").sound(100, 0, 7, 0);
    for level in 0..40 {
        bank = bank.mixer(10 + level, 0, &[if level == 39 { 100 } else { 11 + level }; 8]);
    }
    for event in 0..1000 {
        bank = bank.event(1000 + event * 2, 10);
    }
    let (project, time) = timed(&bank);
    assert!(time < Duration::from_secs(1) * SLOW, "{time:?}");
    assert!(project.events.iter().all(|event| event.media == media(&[7])));
    assert!(project.events.iter().all(|event| depth(&event.tree) <= PlayNode::MAX_DEPTH));
    let parts: usize = project.events.iter().map(|event| count(&event.tree)).sum();
    assert!(parts < 1_000_000, "{parts}");
    assert!(!project.remarks.is_empty());
}

#[test]
fn a_hundred_thousand_items_that_share_everything_take_a_second() {
    // Every event can play every sound.
    let mut bank = Bank::default();
    let sounds: Vec<u32> = (0..20_000).map(|index| 100_000 + index).collect();
    for id in &sounds {
        bank = bank.sound(*id, 10, *id, 0);
    }
    bank = bank.mixer(10, 11, &sounds).mixer(11, 10, &[10]);
    for event in 0..40_000 {
        bank = bank.event(1_000_000 + event * 2, 10);
    }
    let (project, time) = timed(&bank);
    assert_eq!(project.events.len(), 40_000);
    assert!(time < Duration::from_secs(1) * SLOW, "{time:?}");
    assert!(!project.remarks.is_empty());
}

#[test]
fn a_hundred_thousand_items_and_entries_of_one_id_take_a_second() {
    let mut bank = Bank::default();
    for _ in 0..50_000 {
        bank = bank.media(7, b"").sound(20, 20, 7, 0).event(1, 20);
    }
    let (project, time) = timed(&bank);
    assert_eq!((project.events.len(), project.media.len()), (1, 1));
    assert!(time < Duration::from_secs(1) * SLOW, "{time:?}");
}
