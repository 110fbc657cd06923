//! Items written by hand, after the specification's tables and not after the layout, for every version.

use std::collections::HashSet;

use unreal::Limits;

use super::super::layout::Layout;
use super::super::version::Version;
use super::music::Clip;
use super::{Body, Hierarchy, ItemContext, MusicChoice, Point, Reader, TrackKind, Verb};
use crate::{BranchKind, StreamKind};

/// Versions that the specification names, and both sides of its thresholds from 37 on.
const VERSIONS: [u32; 42] = [
    37, 38, 39, 45, 46, 48, 49, 52, 53, 54, 56, 57, 62, 63, 65, 66, 72, 73, 88, 89, 112, 113, 118, 119, 120,
    122, 125, 126, 128, 129, 132, 133, 134, 135, 136, 140, 144, 145, 150, 152, 154, 172,
];

/// Bytes of an item.
#[derive(Default)]
struct Item {
    bytes: Vec<u8>,
}

impl Item {
    fn u8(&mut self, values: &[u8]) -> &mut Self {
        self.bytes.extend(values);
        self
    }

    fn u16(&mut self, values: &[u16]) -> &mut Self {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
        self
    }

    fn u32(&mut self, values: &[u32]) -> &mut Self {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
        self
    }

    fn f32(&mut self, values: &[f32]) -> &mut Self {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
        self
    }

    fn f64(&mut self, values: &[f64]) -> &mut Self {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
        self
    }

    fn zeros(&mut self, count: usize) -> &mut Self {
        self.bytes.resize(self.bytes.len() + count, 0xEE);
        self
    }

    /// A Vorbis source in memory.
    fn source(&mut self, v: u32, media: u32) -> &mut Self {
        self.u32(&[0x0004_0001]);
        if v <= 89 {
            self.u32(&[0])
        } else {
            self.u8(&[0])
        };
        self.u32(&[media]);
        match v {
            ..=112 => self.u32(&[7, 8, 9]),
            113..=150 => self.u32(&[9]),
            _ => self.u32(&[7, 9]),
        };
        self.u8(&[0])
    }

    /// A base with one of everything; the volume is 3 dB, the pitch 100 cents.
    fn base(&mut self, v: u32, parent: u32) -> &mut Self {
        self.u8(&[0, 1, 0]).zeros(if v <= 145 { 7 } else { 6 });
        if v >= 137 {
            self.u8(&[0, 1]).zeros(6);
        }
        if (112..=145).contains(&v) {
            self.u8(&[0]);
        }
        self.u32(&[99, parent]);
        self.zeros(match v {
            ..=56 => 4,
            57..=89 => 2,
            _ => 1,
        });
        if v <= 56 {
            self.f32(&[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
            if v <= 38 {
                self.u32(&[100, 0, 0, 0, 0, 0]);
            } else {
                self.f32(&[100.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
            }
        } else {
            self.u8(&[2, 0, if v >= 150 { 1 } else { 2 }]).f32(&[3.0, 100.0]).u8(&[1, 0]).f32(&[-1.0, 1.0]);
        }
        if v <= 52 {
            self.u32(&[5]);
        }
        self.position(v);
        match v {
            ..=65 => self.zeros(0),
            66..=89 => self.zeros(3).u8(&[1]).zeros(16),
            _ => self.u8(&[8]).zeros(16),
        };
        if v >= 135 {
            self.u32(&[0]);
        }
        self.zeros(match v {
            ..=53 => 7,
            54..=72 => 9,
            73..=89 => 13,
            _ => 6,
        });
        match v {
            ..=52 => self.u8(&[0]).u16(&[1]).zeros(9),
            53..=122 => self.u32(&[1, 5]).u8(&[0]).u16(&[1]).zeros(8),
            _ => {
                self.u8(&[1, 0x81, 0x01, 0]);
                if v >= 128 {
                    self.u8(&[0]);
                }
                self.u8(&[1]).u32(&[5]);
                if v >= 155 {
                    self.u32(&[0]);
                }
                self.u8(&[0, 1]).u32(&[6]);
                if v <= 145 { self.u32(&[7]) } else { self.u16(&[1]).zeros(6) }
            }
        };
        self.rtpc(v);
        if v <= 126 {
            self.u32(&[1]).zeros(if v <= 56 { 24 } else { 0 });
        }
        self
    }

    /// A position in 3D along a path.
    fn position(&mut self, v: u32) {
        match v {
            ..=56 => self.u8(&[1]).zeros(12).u8(&[1]),
            57..=72 => self.u8(&[1, 1]),
            73..=89 => self.u8(&[1, 1, 1, 0]),
            90..=122 => self.u8(&[0b1001]),
            123..=129 => self.u8(&[0b1_0001]),
            _ => self.u8(&[0b10_0011]),
        };
        match v {
            ..=89 => self.u32(&[2, 0]).u8(&[0]),
            90..=129 => self.u8(&[0]).u32(&[44]),
            _ => self.u8(&[0]),
        };
        match v {
            ..=89 => self.u32(&[0]).u8(&[0]).u32(&[0]).zeros(usize::from(v >= 37)),
            _ => self.u8(&[0]).u32(&[0]),
        };
        self.u32(&[1]).zeros(16).u32(&[1]).zeros(8);
        self.zeros(if v <= 89 { 8 } else { 12 });
    }

    fn rtpc(&mut self, v: u32) -> &mut Self {
        self.u16(&[1]).u32(&[77]);
        match v {
            ..=89 => self.u32(&[1]),
            90..=113 => self.u8(&[0, 0, 1]),
            _ => self.u8(&[0, 0, 0x81, 1]),
        };
        self.u32(&[3]).u8(&[0]).u16(&[1]).zeros(12)
    }

    fn sound(v: u32) -> Self {
        let mut item = Self::default();
        item.source(v, 1000).base(v, 50);
        if v <= 56 {
            item.u16(&[1, 0, 0]);
        }
        item
    }

    fn playlist(v: u32) -> Self {
        let mut item = Self::default();
        item.base(v, 50).u16(&[3]);
        if v > 72 {
            item.u16(&[0, 0]);
        }
        item.f32(&[0.0, 0.0, 0.0]).u16(&[2]).u8(&[0, 1, 0]);
        if v <= 89 {
            item.u8(&[1, 0, 0, 1, 0])
        } else {
            item.u8(&[1 | 8])
        };
        item.u32(&[2, 10, 11]).u16(&[2]);
        for (child, weight) in [(10, 50_000), (11, 25_000)] {
            item.u32(&[child]);
            if v <= 56 {
                item.u8(&[u8::try_from(weight / 25_000).unwrap()])
            } else {
                item.u32(&[weight])
            };
        }
        item
    }

    fn switch(v: u32) -> Self {
        let mut item = Self::default();
        item.base(v, 50);
        if v <= 89 {
            item.u32(&[1])
        } else {
            item.u8(&[1])
        };
        item.u32(&[500, 501]).u8(&[0]).u32(&[2, 10, 11]).u32(&[2, 501, 1, 10, 502, 2, 10, 11]).u32(&[1, 10]);
        item.zeros(match v {
            ..=89 => 6,
            90..=151 => 2,
            _ => 1,
        });
        item.u32(&[0, 0]);
        item
    }

    fn blend(v: u32) -> Self {
        let mut item = Self::default();
        item.base(v, 50).u32(&[1, 10]).u32(&[1, 600]).rtpc(v).u32(&[77]);
        if v > 89 {
            item.u8(&[0]);
        }
        item.u32(&[1, 10, 2]).f32(&[0.0, 0.0]).u32(&[4]).f32(&[1.0, 1.0]).u32(&[4]);
        if v > 118 {
            item.u8(&[0]);
        }
        item
    }

    fn event(v: u32) -> Self {
        let mut item = Self::default();
        if v >= 155 {
            item.u8(&[0]).u16(&[0]).f32(&[0.0]);
        }
        if v <= 122 {
            item.u32(&[2])
        } else {
            item.u8(&[2])
        };
        item.u32(&[20, 21]);
        item
    }

    fn action(v: u32, kind: u16) -> Self {
        let mut item = Self::default();
        if v <= 56 {
            item.u32(&[u32::from(kind)])
        } else {
            item.u16(&[kind])
        };
        item.u32(&[10]);
        if v > 65 {
            item.u8(&[0]);
        }
        if v <= 56 {
            item.u32(&[500, 0, 0, 3]).zeros(3);
            return item;
        }
        let delay = match v {
            ..=117 => 0xE,
            118..=149 => 0xF,
            150..=151 => 0x39,
            _ => 0x3A,
        };
        item.u8(&[2, delay, delay + 2]).u32(&[500]).f32(&[25.0]).u8(&[0]);
        let exceptions = |item: &mut Self| {
            if v <= 122 {
                item.u32(&[1])
            } else {
                item.u8(&[1])
            };
            item.zeros(if v <= 65 { 4 } else { 5 });
        };
        match kind {
            0x0403 => {
                item.u8(&[0]).u32(&[9]);
                if v >= 144 {
                    item.u32(&[0]);
                }
            }
            0x0103 => {
                item.u8(&[0]);
                if v > 122 {
                    item.u8(&[0]);
                }
                exceptions(&mut item);
            }
            0x1303 => {
                item.u8(&[0]);
                if v > 89 {
                    item.u8(&[0]);
                }
                item.zeros(13);
                exceptions(&mut item);
            }
            0x1901 => {
                item.u32(&[500, 502]);
            }
            0x1E03 => {
                item.zeros(14);
                exceptions(&mut item);
            }
            _ => {}
        }
        item
    }

    fn music(&mut self, v: u32, children: &[u32]) -> &mut Self {
        if v > 89 {
            self.u8(&[0]);
        }
        self.base(v, 50).u32(&[u32::try_from(children.len()).unwrap()]).u32(children);
        self.f64(&[0.0, 0.0]).f32(&[120.0]).u8(&[4, 4, 0]);
        self.u32(&[1]).zeros(if v <= 62 { 20 } else { 24 })
    }

    fn segment(v: u32) -> Self {
        let mut item = Self::default();
        item.music(v, &[10]).f64(&[1000.0]).u32(&[1, 5]).f64(&[0.0]);
        match v {
            ..=62 => {}
            63..=136 => {
                item.u32(&[2]).u8(b"ab");
            }
            _ => {
                item.u8(b"ab\0");
            }
        }
        item
    }

    fn track(v: u32) -> Self {
        let mut item = Self::default();
        if (112..=152).contains(&v) {
            item.u8(&[0]);
        }
        item.u32(&[1]).source(v, 1000);
        if v > 152 {
            item.u8(&[0]);
        }
        item.u32(&[1, 0, 1000]);
        if v >= 151 {
            item.u32(&[0]);
        }
        if v >= 133 {
            item.u32(&[0]);
        }
        item.f64(&[250.0, 0.0, 0.0, 1000.0]).u32(&[1]);
        if v > 62 {
            item.u32(&[1, 0, 0, 1]).zeros(12);
        }
        item.base(v, 50);
        if v <= 56 {
            item.zeros(6);
        }
        if v <= 89 {
            item.u32(&[3])
        } else {
            item.u8(&[3])
        };
        item.u8(&[1]).u32(&[500, 501, 2, 501, 502]).zeros(32).u32(&[0]);
        item
    }

    fn transitions(&mut self, v: u32) -> &mut Self {
        self.music(v, &[10]).u32(&[1]);
        if v <= 72 {
            self.u32(&[1, 2])
        } else {
            self.u32(&[1, 1, 1, 2])
        };
        self.zeros(if v <= 62 { 17 } else { 21 });
        self.zeros(16).u32(&[0]);
        if v >= 133 {
            self.u16(&[0]);
        }
        self.u16(&[0]).u8(&[0]);
        if v > 62 {
            self.u8(&[0]);
        }
        self.u8(&[1]).zeros(30)
    }

    fn music_switch(v: u32) -> Self {
        let mut item = Self::default();
        item.transitions(v);
        if v <= 72 {
            item.u32(&[1, 500, 501]).u8(&[0]).u32(&[1, 501, 10]);
        } else {
            item.u8(&[0]);
            item.tree(v);
        }
        item
    }

    /// Group 500 decides between nodes 10 and 11.
    fn tree(&mut self, v: u32) {
        self.u32(&[1, 500]);
        if v > 72 {
            self.u8(&[1]);
        }
        self.u32(&[36]).zeros(if (46..=72).contains(&v) { 2 } else { 1 });
        self.u32(&[0, 1 | 2 << 16]).u16(&[50, 100]);
        self.u32(&[0, 10]).u16(&[50, 100]).u32(&[502, 11]).u16(&[50, 100]);
    }

    fn music_playlist(v: u32) -> Self {
        let mut item = Self::default();
        item.transitions(v).u32(&[2]);
        for (segment, children) in [(0, 1), (10, 0)] {
            item.u32(&[segment, 5, children, 0]).u16(&[1]);
            if v > 89 {
                item.u16(&[0, 0]);
            }
            if v <= 56 {
                item.u16(&[1])
            } else {
                item.u32(&[50_000])
            };
            item.u16(&[0]).u8(&[0, 0]);
        }
        item
    }

    fn dialogue(v: u32) -> Self {
        let mut item = Self::default();
        if v > 72 {
            item.u8(&[50]);
        }
        item.tree(v);
        if v > 118 {
            item.u8(&[0, 0]);
        }
        item
    }
}

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
        assert_eq!(track.clips, [Clip { sub_track: 0, media: 1000, play_at: 250.0 }], "version {v}");
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
