//! Items written by hand, after the specification's tables and not after the layout, for every version.

mod items;

use std::collections::HashSet;

use unreal::Limits;

use super::super::layout::Layout;
use super::super::version::Version;
use super::{Body, Clip, Hierarchy, ItemContext, MusicChoice, Point, Reader, TrackKind, Verb};
use crate::{BranchKind, StreamKind};
use items::Item;

/// Versions that the specification names, and both sides of its thresholds from 37 on.
const VERSIONS: [u32; 42] = [
    37, 38, 39, 45, 46, 48, 49, 52, 53, 54, 56, 57, 62, 63, 65, 66, 72, 73, 88, 89, 112, 113, 118, 119, 120,
    122, 125, 126, 128, 129, 132, 133, 134, 135, 136, 140, 144, 145, 150, 152, 154, 172,
];

/// Reads one item of a version; panics with its error if it does not end on its size.
fn read(v: u32, kind: u8, item: &Item) -> Body {
    let hierarchy = read_known(v, kind, item, &[]);
    assert_eq!(hierarchy.unread, [], "version {v}");
    assert!(hierarchy.error.is_none(), "version {v}: {:?}", hierarchy.error);
    hierarchy.items.into_iter().next().unwrap().body
}

fn read_known(v: u32, kind: u8, item: &Item, known: &[u32]) -> Hierarchy {
    let mut bytes = Item::default();
    bytes.u32(&[1]);
    if v <= 48 {
        bytes.u32(&[kind.into()])
    } else {
        bytes.u8(&[kind])
    };
    bytes.u32(&[u32::try_from(item.bytes.len() + 4).unwrap(), 42]);
    bytes.bytes.extend(&item.bytes);
    let layout = Layout::of(Version::new(v));
    let context = ItemContext { layout: &layout, has_feedback: v <= 126 };
    let known: HashSet<u32> = known.iter().copied().collect();
    super::read(Reader::new(&bytes.bytes, 0, "items"), &context, &known, &mut Limits::default())
}

#[test]
fn sounds_of_all_versions_end_on_their_size() {
    for v in VERSIONS {
        let Body::Sound(source, base) = read(v, 2, &Item::sound(v)) else { panic!("no sound") };
        assert_eq!(
            (source.media, source.stream, source.is_codec()),
            (1000, StreamKind::Memory, true),
            "version {v}"
        );
        assert_eq!((base.parent, base.gain.base, base.pitch.base), (50, 3.0, 100.0), "version {v}");
        if v > 56 {
            assert_eq!((base.gain.least, base.gain.most), (-1.0, 1.0), "version {v}");
        }
    }
}

#[test]
fn streams_changed_their_numbers_after_version_89() {
    let stream = |v: u32, number: u8| {
        let mut item = Item::sound(v);
        item.bytes[4] = number;
        if v <= 88 && number == 1 {
            // Streamed sources have no offset and size there.
            item.bytes.drain(16..24);
        } else if v == 89 && number == 1 || v == 112 && number == 2 {
            let at = if v == 89 { 16 } else { 13 };
            item.bytes.drain(at..at + 4);
        }
        match read(v, 2, &item) {
            Body::Sound(source, _) => source.stream,
            other => panic!("{other:?}"),
        }
    };
    for v in [88, 89] {
        assert_eq!([stream(v, 1), stream(v, 2)], [StreamKind::Streamed, StreamKind::Prefetch], "version {v}");
    }
    for v in [112, 113, 172] {
        assert_eq!([stream(v, 1), stream(v, 2)], [StreamKind::Prefetch, StreamKind::Streamed], "version {v}");
    }
}

#[test]
fn containers_of_all_versions_end_on_their_size() {
    for v in VERSIONS {
        let Body::Playlist(playlist, _) = read(v, 5, &Item::playlist(v)) else { panic!("no playlist") };
        let flags = (playlist.is_shuffle, playlist.is_sequence, playlist.is_continuous);
        assert_eq!(
            (playlist.loops, playlist.avoid_repeat, flags),
            (3, 2, (true, false, true)),
            "version {v}"
        );
        let weights: Vec<f32> = playlist.entries.iter().map(|(_, weight)| *weight).collect();
        assert_eq!(weights[0], weights[1] * 2.0, "version {v}");

        let Body::Switch(switch, _) = read(v, 6, &Item::switch(v)) else { panic!("no switch") };
        assert_eq!((switch.kind, switch.group, switch.default), (BranchKind::State, 500, 501), "version {v}");
        assert_eq!(switch.branches, [(501, vec![10]), (502, vec![10, 11])], "version {v}");

        let mut mixer = Item::default();
        mixer.base(v, 50).u32(&[1, 10]);
        assert!(matches!(read(v, 7, &mixer), Body::Mixer(children, _) if children == [10]), "version {v}");

        let Body::Blend(blend, _) = read(v, 9, &Item::blend(v)) else { panic!("no blend") };
        assert_eq!(blend.children, [10], "version {v}");
        assert_eq!(
            blend.curves,
            [(77, 10, vec![Point { x: 0.0, y: 0.0 }, Point { x: 1.0, y: 1.0 }])],
            "version {v}"
        );
    }
}

#[test]
fn events_and_actions_of_all_versions_end_on_their_size() {
    for v in VERSIONS {
        assert!(
            matches!(read(v, 4, &Item::event(v)), Body::Event(actions) if actions == [20, 21]),
            "version {v}"
        );
        for kind in [0x0403, 0x0103, 0x1303, 0x1E03, 0x1901, 0x1D00, 0x2103] {
            if v <= 56 && kind == 0x1901 {
                continue;
            }
            let Body::Action(action) = read(v, 3, &Item::action(v, kind)) else { panic!("no action") };
            let verb = match kind {
                0x0403 => Verb::Play,
                0x2103 => Verb::PlayEvent,
                0x1901 => Verb::SetSwitch { group: 500, value: 502 },
                _ => Verb::Other,
            };
            assert_eq!(
                (action.verb, action.target, action.delay.base),
                (verb, 10, 0.5),
                "version {v}, {kind:#x}"
            );
            assert_eq!(action.chance, if v <= 56 { 1.0 } else { 0.25 }, "version {v}");
        }
    }
}

#[test]
fn music_of_all_versions_ends_on_its_size() {
    for v in VERSIONS {
        assert!(
            matches!(read(v, 10, &Item::segment(v)), Body::Segment(tracks, _) if tracks == [10]),
            "version {v}"
        );
        let Body::Track(track, _) = read(v, 11, &Item::track(v)) else { panic!("no track") };
        let clip = Clip {
            sub_track: 0,
            media: 1000,
            play_at: 250.0,
            trim_begin: 1.0,
            trim_end: 2.0,
            duration: 1000.0,
        };
        assert_eq!(track.clips, [clip], "version {v}");
        assert!(
            matches!(&track.kind, TrackKind::Switch { values, .. } if *values == [501, 502]),
            "version {v}"
        );
        let Body::MusicSwitch(switch, _) = read(v, 12, &Item::music_switch(v)) else { panic!("no switch") };
        match switch.choice {
            MusicChoice::Tree(tree) => assert_eq!(tree.leaves(), [10, 11], "version {v}"),
            MusicChoice::List { branches, .. } => assert_eq!(branches, [(501, 10)], "version {v}"),
        }
        let Body::MusicPlaylist(playlist, _) = read(v, 13, &Item::music_playlist(v)) else {
            panic!("no playlist")
        };
        let segments: Vec<u32> = playlist.items.iter().map(|item| item.segment).collect();
        assert_eq!(segments, [0, 10], "version {v}");
        let Body::Dialogue(tree) = read(v, 15, &Item::dialogue(v)) else { panic!("no dialogue") };
        assert_eq!((tree.leaves(), tree.values()), (vec![10, 11], vec![vec![0, 502]]), "version {v}");
        assert_eq!(tree.chance, if v > 72 { 0.5 } else { 1.0 }, "version {v}");
    }
}

#[test]
fn an_item_that_goes_on_past_what_is_known_gives_the_media_that_are_found_in_it() {
    let mut item = Item::sound(172);
    item.zeros(1);
    let hierarchy = read_known(172, 2, &item, &[1000]);
    assert_eq!(hierarchy.unread_items, 1);
    assert_eq!(hierarchy.unread.len(), 1);
    let Body::Unread(sources) = &hierarchy.items[0].body else { panic!("was read") };
    assert_eq!(sources.iter().map(|source| source.media).collect::<Vec<_>>(), [1000]);
    let Body::Unread(sources) = &read_known(172, 2, &item, &[1001]).items[0].body else { panic!("was read") };
    assert!(sources.is_empty());
}

#[test]
fn every_cut_of_an_item_is_an_error_and_nothing_worse() {
    for v in [56, 89, 113, 132, 172] {
        let items = [
            (2, Item::sound(v)),
            (5, Item::playlist(v)),
            (6, Item::switch(v)),
            (9, Item::blend(v)),
            (11, Item::track(v)),
            (12, Item::music_switch(v)),
            (13, Item::music_playlist(v)),
            (15, Item::dialogue(v)),
        ];
        for (kind, item) in items {
            for length in 0..item.bytes.len() {
                let cut = Item { bytes: item.bytes[..length].to_vec() };
                assert_eq!(
                    read_known(v, kind, &cut, &[]).unread_items,
                    1,
                    "version {v}, type {kind}, {length} bytes"
                );
            }
        }
    }
}
