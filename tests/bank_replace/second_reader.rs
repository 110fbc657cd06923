//! A reader of banks for these tests alone: where things are, not what they mean.

use std::collections::BTreeMap;
use std::ops::Range;

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub(super) fn size_at(bytes: &[u8], at: usize) -> usize {
    u32_at(bytes, at) as usize
}

/// Returns the chunks of bytes, without padding between them.
pub(super) fn chunks(bytes: &[u8], mut at: usize) -> Vec<([u8; 4], Range<usize>)> {
    let mut found = Vec::new();
    while at < bytes.len() {
        let range = at + 8..at + 8 + size_at(bytes, at + 4);
        found.push((bytes[at..at + 4].try_into().unwrap(), range.clone()));
        at = range.end;
    }
    found
}

/// A bank of Wwise.
pub(super) struct Bank<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) version: u32,
    pub(super) chunks: Vec<([u8; 4], Range<usize>)>,
    /// Media by their id, in the order of their list.
    pub(super) media: Vec<(u32, Range<usize>)>,
    /// Type, id and bytes of each item.
    pub(super) items: Vec<(u8, u32, Range<usize>)>,
}

impl<'b> Bank<'b> {
    pub(super) fn read(bytes: &'b [u8]) -> Self {
        let chunks = chunks(bytes, 0);
        assert_eq!(chunks.last().unwrap().1.end, bytes.len());
        let find = |tag: &[u8; 4]| chunks.iter().find(|(of, _)| of == tag).map(|(_, range)| range.clone());
        let data = find(b"DATA").unwrap_or_default();
        let list = find(b"DIDX").unwrap_or_default();
        let media = list.step_by(12).map(|at| {
            let start = data.start + size_at(bytes, at + 4);
            assert_eq!((start - data.start) % 16, 0);
            let range = start..start + size_at(bytes, at + 8);
            assert!(range.end <= data.end);
            (u32_at(bytes, at), range)
        });
        let media: Vec<_> = media.collect();
        let mut items = Vec::new();
        if let Some(range) = find(b"HIRC") {
            let mut at = range.start + 4;
            for _ in 0..size_at(bytes, range.start) {
                let end = at + 5 + size_at(bytes, at + 1);
                items.push((bytes[at], u32_at(bytes, at + 5), at + 5..end));
                at = end;
            }
            assert_eq!(at, range.end);
        }
        Self { bytes, version: u32_at(bytes, 8), chunks, media, items }
    }

    /// Checks that all is as in an older bank but one media, and the codec and size of the sources that name it.
    /// Returns whether anything changed.
    pub(super) fn check_against(&self, old: &Self, id: u32, new: &[u8]) -> bool {
        let tags = |bank: &Self| bank.chunks.iter().map(|(tag, _)| *tag).collect::<Vec<_>>();
        assert_eq!(tags(self), tags(old));
        for ((tag, range), (_, before)) in self.chunks.iter().zip(&old.chunks) {
            if !matches!(tag, b"DIDX" | b"DATA" | b"HIRC") {
                assert!(self.bytes[range.clone()] == old.bytes[before.clone()], "{tag:?}");
            }
        }
        assert_eq!(self.media.len(), old.media.len());
        let mut stored = None;
        for ((media, range), (before, old_range)) in self.media.iter().zip(&old.media) {
            assert_eq!(media, before);
            let (bytes, old_bytes) = (&self.bytes[range.clone()], &old.bytes[old_range.clone()]);
            if *media != id {
                assert!(bytes == old_bytes, "media {media}");
                continue;
            }
            stored = Some(bytes.len());
            let is_start = is_start(old_bytes);
            let expected = if is_start { old_bytes.len().min(new.len()) } else { new.len() };
            assert!(bytes == &new[..expected], "media {id} is another one than was given");
        }
        let mut is_changed = stored.is_some();
        assert_eq!(self.items.len(), old.items.len());
        for ((kind, own, range), (old_kind, old_own, before)) in self.items.iter().zip(&old.items) {
            assert_eq!((kind, own), (old_kind, old_own));
            let (bytes, before) = (&self.bytes[range.clone()], &old.bytes[before.clone()]);
            is_changed |= bytes != before;
            self.check_item(bytes, before, id, stored);
        }
        is_changed
    }

    /// Checks that an item differs at most in the codec and size of a source.
    fn check_item(&self, item: &[u8], old: &[u8], id: u32, stored: Option<usize>) {
        assert_eq!(item.len(), old.len());
        let name = id.to_le_bytes();
        let size_after = if self.version >= 151 { 8 } else { 4 };
        let named = old.windows(4).enumerate().filter(|(_, window)| *window == name).map(|(at, _)| at);
        let mut allowed = vec![false; old.len()];
        for at in named.filter(|at| *at >= 9 && at + size_after + 4 <= old.len()) {
            // The codec, the stream kind, the media, the size.
            if !matches!(u32_at(old, at - 5), 0x0001_0001 | 0x0002_0001 | 0x0004_0001 | 0x0014_0001) {
                continue;
            }
            allowed[at - 5..at - 1].fill(true);
            allowed[at + size_after..at + size_after + 4].fill(true);
            assert_eq!(u32_at(item, at - 5), 0x0001_0001, "PCM");
            if let (Some(stored), 0 | 1) = (stored, item[at - 1]) {
                assert_eq!(size_at(item, at + size_after), stored);
            }
        }
        for (at, allowed) in allowed.into_iter().enumerate() {
            assert!(item[at] == old[at] || allowed, "byte {at} of an item of {} bytes", item.len());
        }
    }
}

/// Returns whether a media states more bytes than there are.
fn is_start(media: &[u8]) -> bool {
    if !media.starts_with(b"RIFF") {
        return false;
    }
    let mut at = 12;
    while at + 8 <= media.len() {
        if &media[at..at + 4] == b"data" {
            return at + 8 + size_at(media, at + 4) > media.len();
        }
        at += 8 + size_at(media, at + 4);
    }
    false
}

/// Returns the files of a package: table, id, bytes.
pub(super) fn package(bytes: &[u8]) -> Vec<(usize, u32, Range<usize>)> {
    let [map, banks, streams] = [12, 16, 20].map(|at| size_at(bytes, at));
    let header = size_at(bytes, 4);
    let start = if 16 + map + banks + streams < header { 28 } else { 24 } + map;
    let mut files = Vec::new();
    for (table, at) in [start, start + banks].into_iter().enumerate() {
        let length = [banks, streams][table];
        for row in 0..if length < 4 { 0 } else { size_at(bytes, at) } {
            let row = at + 4 + row * 20;
            let begin = size_at(bytes, row + 12) * size_at(bytes, row + 4).max(1);
            files.push((table, u32_at(bytes, row), begin..begin + size_at(bytes, row + 8)));
        }
    }
    files
}

/// A sound of a sample bank.
#[derive(Debug, PartialEq)]
pub(super) struct FsbSound {
    pub(super) rate: u32,
    pub(super) channels: u8,
    pub(super) frames: usize,
    pub(super) loop_range: Option<(u32, u32)>,
    pub(super) name: Vec<u8>,
    pub(super) data: Range<usize>,
}

/// Returns the codec and the sounds of a sample bank that begins with the bytes.
pub(super) fn fsb(bytes: &[u8]) -> (u32, Vec<FsbSound>) {
    assert_eq!(&bytes[..4], b"FSB5");
    let [count, headers, names, data] = [8, 12, 16, 20].map(|at| size_at(bytes, at));
    let head = if u32_at(bytes, 4) == 0 { 0x40 } else { 0x3C };
    let data_at = head + headers + names;
    let (mut at, mut sounds) = (head, Vec::new());
    for number in 0..count {
        let bits = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        at += 8;
        let mut more = bits & 1 == 1;
        let mut loop_range = None;
        let rates = [4000, 8000, 11000, 11025, 16000, 22050, 24000, 32000, 44100, 48000, 96000];
        let mut rate = rates[(bits >> 1 & 15) as usize];
        while more {
            let word = u32_at(bytes, at);
            at += 4;
            match word >> 25 {
                2 => rate = u32_at(bytes, at),
                3 => loop_range = Some((u32_at(bytes, at), u32_at(bytes, at + 4) + 1)),
                _ => {}
            }
            at += (word >> 1 & 0xFF_FFFF) as usize;
            more = word & 1 == 1;
        }
        let name = &bytes[head + headers + size_at(bytes, head + headers + number * 4)..];
        let start = data_at + (bits >> 7 & 0x7FF_FFFF) as usize * 32;
        sounds.push(FsbSound {
            rate,
            channels: [1, 2, 6, 8][(bits >> 5 & 3) as usize],
            frames: (bits >> 34) as usize,
            loop_range,
            name: name.split(|byte| *byte == 0).next().unwrap().to_vec(),
            data: start..start,
        });
    }
    assert_eq!(at, head + headers);
    for number in 0..sounds.len() {
        sounds[number].data.end = sounds.get(number + 1).map_or(data_at + data, |next| next.data.start);
    }
    (u32_at(bytes, 0x18), sounds)
}

/// Returns where the sample banks of a Studio bank are, and all other bytes without what states that.
pub(super) fn studio(bytes: &[u8]) -> (Vec<Range<usize>>, BTreeMap<usize, Vec<u8>>) {
    assert_eq!((&bytes[..4], size_at(bytes, 4)), (&b"RIFF"[..], bytes.len() - 8));
    let (mut at, mut banks, mut others) = (12, Vec::new(), BTreeMap::new());
    while at + 8 <= bytes.len() {
        let range = at + 8..at + 8 + size_at(bytes, at + 4);
        let mut chunk = bytes[range.clone()].to_vec();
        if &bytes[at..at + 4] == b"LIST" {
            let table = chunk.windows(4).position(|tag| tag == b"SNDH").unwrap() + 8;
            if size_at(&chunk, table - 4) > 0 {
                assert_eq!((u16_at(&chunk, table) & 1, u16_at(&chunk, table + 2)), (1, 8));
                for entry in 0..usize::from(u16_at(&chunk, table) >> 1) {
                    let entry = table + 4 + entry * 8;
                    let start = size_at(&chunk, entry);
                    banks.push(start..start + size_at(&chunk, entry + 4));
                    chunk[entry..entry + 8].fill(0);
                }
            }
        }
        if &bytes[at..at + 4] != b"SND " {
            others.insert(others.len(), chunk);
        } else {
            assert!(banks.iter().all(|bank| bank.start >= range.start && bank.end <= range.end));
        }
        at = range.end + range.len() % 2;
    }
    assert_eq!(at, bytes.len());
    (banks, others)
}
