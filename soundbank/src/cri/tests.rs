//! Cue sheets that are written here: what no real file at hand shows, and files that are made to harm.

mod hostile;

use std::sync::Arc;

use unreal::{Limits, Memory};

use super::*;
use crate::{
    BankFile, ErrorKind, EventId, Media, MediaId, PlayKind, PlayNode, Project, StatedHeader, StreamKind,
};

/// A cell of a table.
#[derive(Clone)]
enum Cell {
    Byte(u8),
    Short(u16),
    Long(u32),
    Text(&'static str),
    Data(Vec<u8>),
}

use Cell::{Byte, Data, Long, Short, Text};

/// Returns a table whose columns are those of its first row, with a value in each row.
fn table(name: &'static str, rows: &[Vec<(&'static str, Cell)>]) -> Vec<u8> {
    let mut strings = [name.as_bytes(), &[0]].concat();
    let mut data = Vec::new();
    let mut columns = Vec::new();
    for (name, cell) in rows.first().into_iter().flatten() {
        let kind = match cell {
            Byte(_) => 0,
            Short(_) => 2,
            Long(_) => 4,
            Text(_) => 0xA,
            Data(_) => 0xB,
        };
        columns.push(0x50 | kind);
        columns.extend(u32::try_from(strings.len()).unwrap().to_be_bytes());
        strings.extend([name.as_bytes(), &[0]].concat());
    }
    let mut bytes = Vec::new();
    for cell in rows.iter().flatten().map(|(_, cell)| cell) {
        match cell {
            Byte(value) => bytes.push(*value),
            Short(value) => bytes.extend(value.to_be_bytes()),
            Long(value) => bytes.extend(value.to_be_bytes()),
            Text(text) => {
                bytes.extend(u32::try_from(strings.len()).unwrap().to_be_bytes());
                strings.extend([text.as_bytes(), &[0]].concat());
            }
            Data(part) => {
                bytes.extend(
                    [data.len(), part.len()].map(|n| u32::try_from(n).unwrap().to_be_bytes()).concat(),
                );
                data.extend(part);
            }
        }
    }
    let long = |number: usize| u32::try_from(number).unwrap().to_be_bytes();
    let short = |number: usize| u16::try_from(number).unwrap().to_be_bytes();
    let rows_at = 24 + columns.len();
    let strings_at = rows_at + bytes.len();
    let data_at = strings_at + strings.len();
    let row_bytes = bytes.len().checked_div(rows.len()).unwrap_or(0);
    let head = [
        [0, 1].to_vec(),
        short(rows_at).to_vec(),
        long(strings_at).to_vec(),
        long(data_at).to_vec(),
        vec![0; 4],
        short(rows.first().map_or(0, Vec::len)).to_vec(),
        short(row_bytes).to_vec(),
        long(rows.len()).to_vec(),
    ]
    .concat();
    let body = [head, columns, bytes, strings, data].concat();
    [b"@UTF", &long(body.len())[..], &body].concat()
}

/// Returns an archive of waves with offsets of four bytes and ids of two.
fn archive(subkey: u16, waves: &[(u16, &[u8])]) -> Vec<u8> {
    const ALIGNMENT: usize = 32;
    let mut head = b"AFS2\x02\x04\x02\x00".to_vec();
    head.extend(u32::try_from(waves.len()).unwrap().to_le_bytes());
    head.extend(u16::try_from(ALIGNMENT).unwrap().to_le_bytes());
    head.extend(subkey.to_le_bytes());
    waves.iter().for_each(|(id, _)| head.extend(id.to_le_bytes()));
    let mut end = head.len() + 4 * (waves.len() + 1);
    let mut data = Vec::new();
    for (_, bytes) in waves {
        head.extend(u32::try_from(end).unwrap().to_le_bytes());
        let start = end.next_multiple_of(ALIGNMENT);
        data.resize(data.len() + start - end, 0);
        data.extend(*bytes);
        end = start + bytes.len();
    }
    head.extend(u32::try_from(end).unwrap().to_le_bytes());
    [head, data].concat()
}

/// References of 16 bits each.
fn shorts(numbers: &[u16]) -> Cell {
    Data(numbers.iter().flat_map(|number| number.to_be_bytes()).collect())
}

/// A wave: its id in memory, in the archive beside, and how it is loaded.
fn wave(memory: u16, stream: u16, streaming: u8) -> Vec<(&'static str, Cell)> {
    vec![
        ("MemoryAwbId", Short(memory)),
        ("StreamAwbId", Short(stream)),
        ("StreamAwbPortNo", Short(0)),
        ("Streaming", Byte(streaming)),
        ("EncodeType", Byte(2)),
        ("NumChannels", Byte(2)),
        ("SamplingRate", Short(44_100)),
        ("NumSamples", Long(1000)),
    ]
}

/// What a sheet is made of, each the rows of a table.
#[derive(Clone, Default)]
struct Sheet {
    waves: Vec<Vec<(&'static str, Cell)>>,
    /// Type, references and values of each synth.
    synths: Vec<(u8, Vec<u16>, Vec<u16>)>,
    /// Type, tracks and values of each sequence.
    sequences: Vec<(u8, Vec<u16>, Vec<u16>)>,
    /// What the event of each track starts.
    tracks: Vec<Vec<[u16; 2]>>,
    /// Tracks and blocks.
    block_sequences: Vec<(Vec<u16>, Vec<u16>)>,
    blocks: Vec<Vec<u16>>,
    /// Id, name, kind and index of the reference.
    cues: Vec<(u32, &'static str, u8, u16)>,
    memory: Vec<u8>,
    archive: Option<&'static str>,
}

impl Sheet {
    fn finish(&self) -> Vec<u8> {
        let groups = |name, list, groups: &[(u8, Vec<u16>, Vec<u16>)]| {
            let rows = groups.iter().map(|(kind, parts, values)| {
                let count = Short(u16::try_from(parts.len()).unwrap());
                let values = ("TrackValues", shorts(values));
                vec![("Type", Byte(*kind)), ("NumTracks", count), (list, shorts(parts)), values]
            });
            table(name, &rows.collect::<Vec<_>>())
        };
        let count = |list: &[u16]| Short(u16::try_from(list.len()).unwrap());
        let starts = |parts: &[[u16; 2]]| {
            let commands = parts.iter().map(|[kind, index]| {
                [&[0x07, 0xD0, 4][..], &kind.to_be_bytes(), &index.to_be_bytes()].concat()
            });
            [commands.collect::<Vec<_>>().concat(), vec![0; 3]].concat()
        };
        let tracks = (0..).zip(&self.tracks).map(|(index, _)| vec![("EventIndex", Short(index))]);
        let events = self.tracks.iter().map(|parts| vec![("Command", Data(starts(parts)))]);
        let block_sequences = self.block_sequences.iter().map(|(tracks, blocks)| {
            vec![
                ("NumTracks", count(tracks)),
                ("TrackIndex", shorts(tracks)),
                ("NumBlocks", count(blocks)),
                ("BlockIndex", shorts(blocks)),
            ]
        });
        let blocks = self
            .blocks
            .iter()
            .map(|tracks| vec![("NumTracks", count(tracks)), ("TrackIndex", shorts(tracks))]);
        let cues = self.cues.iter().map(|(id, _, kind, index)| {
            vec![("CueId", Long(*id)), ("ReferenceType", Byte(*kind)), ("ReferenceIndex", Short(*index))]
        });
        let names = (0..).zip(&self.cues).filter(|(_, cue)| !cue.1.is_empty());
        let names = names.map(|(index, cue)| vec![("CueName", Text(cue.1)), ("CueIndex", Short(index))]);
        let archives: Vec<_> = self.archive.iter().map(|name| vec![("Name", Text(name))]).collect();
        table(
            "Header",
            &[vec![
                ("Version", Long(0x0144_0000)),
                ("CueTable", Data(table("Cue", &cues.collect::<Vec<_>>()))),
                ("CueNameTable", Data(table("CueName", &names.collect::<Vec<_>>()))),
                ("WaveformTable", Data(table("Waveform", &self.waves))),
                ("SynthTable", Data(groups("Synth", "ReferenceItems", &self.synths))),
                ("SequenceTable", Data(groups("Sequence", "TrackIndex", &self.sequences))),
                ("TrackTable", Data(table("Track", &tracks.collect::<Vec<_>>()))),
                ("TrackEventTable", Data(table("TrackEvent", &events.collect::<Vec<_>>()))),
                ("BlockSequenceTable", Data(table("BlockSequence", &block_sequences.collect::<Vec<_>>()))),
                ("BlockTable", Data(table("Block", &blocks.collect::<Vec<_>>()))),
                ("StreamAwbHash", Data(table("StreamAwb", &archives))),
                ("AwbFile", Data(self.memory.clone())),
            ]],
        )
    }
}

fn files(files: &[(&str, Vec<u8>)]) -> Vec<BankFile> {
    let file = |(path, bytes): &(&str, Vec<u8>)| BankFile::new(*path, Arc::new(Memory(bytes.clone())));
    files.iter().map(file).collect()
}

fn opened(of: &[(&str, Vec<u8>)]) -> Project {
    open(&files(of), None, &mut Limits::default())
}

fn header(media: &Media) -> &WaveHeader {
    let Some(StatedHeader::Cri(header)) = &media.sample else { panic!("{media:?}") };
    header
}

/// Two waves in memory, a synth for each, a sequence of two tracks, and a cue.
fn two(kind: u8, values: &[u16]) -> Sheet {
    Sheet {
        waves: vec![wave(5, 0xFFFF, 0), wave(3, 0xFFFF, 0)],
        synths: vec![(0, vec![1, 0], vec![]), (0, vec![1, 1], vec![])],
        sequences: vec![(kind, vec![0, 1], values.to_vec())],
        tracks: vec![vec![[2, 0]], vec![[2, 1]]],
        cues: vec![(70, "Shot", 3, 0)],
        memory: archive(0, &[(3, b"three"), (5, b"fives!")]),
        ..Sheet::default()
    }
}

fn media_node(index: usize) -> PlayNode {
    PlayNode::new(PlayKind::Media(index))
}

#[test]
fn a_cue_leads_through_sequence_track_and_synth_to_the_bytes_of_its_waves() {
    let bytes = two(0, &[]).finish();
    let project = opened(&[("a.acb", bytes.clone())]);
    assert_eq!(project.files[0].version, "ACB 1.44");
    assert!(project.files[0].error.is_none(), "{:?}", project.files[0].error);
    let stored = |index: usize| {
        let place = project.media[index].bytes.as_ref().unwrap();
        &bytes[place.at as usize..][..place.length as usize]
    };
    assert_eq!([stored(0), stored(1)], [&b"fives!"[..], b"three"]);
    assert_eq!(project.media.iter().map(|media| media.id).collect::<Vec<_>>(), [0, 1].map(MediaId::Cri));
    assert_eq!(header(&project.media[0]).codec, CriCodec::Hca);
    assert_eq!((header(&project.media[0]).rate, header(&project.media[0]).frames), (44_100, 1000));
    let event = &project.events[0];
    assert_eq!((event.id, &event.names[..]), (EventId::Cri(70), &["Shot".to_owned()][..]));
    assert_eq!(event.media, [0, 1].map(MediaId::Cri));
    assert_eq!(event.tree.kind, PlayKind::Layer(vec![media_node(0), media_node(1)]));
    assert_eq!(project.media[1].events, [0]);
    assert!(project.remarks.is_empty(), "{:?}", project.remarks);
}

#[test]
fn a_sequence_plays_by_its_type_and_random_ones_by_their_weights() {
    let tree = |kind, values: &[u16]| {
        let project = opened(&[("a.acb", two(kind, values).finish())]);
        (project.events[0].tree.kind.clone(), project.remarks)
    };
    let random = |weights: [f32; 2], with_replacement, avoid_repeat| PlayKind::Random {
        children: weights.into_iter().zip([media_node(0), media_node(1)]).collect(),
        with_replacement,
        avoid_repeat,
    };
    assert_eq!(tree(1, &[]).0, PlayKind::Sequence(vec![media_node(0), media_node(1)]));
    assert_eq!(tree(2, &[]).0, random([1.0, 1.0], false, 0));
    assert_eq!(tree(3, &[75, 25]).0, random([75.0, 25.0], true, 0));
    assert_eq!(tree(3, &[0, 0]).0, random([1.0, 1.0], true, 0));
    assert_eq!(tree(3, &[1, 2, 3]).0, random([1.0, 1.0], true, 0), "weights of three for two");
    assert_eq!(tree(4, &[1, 3]).0, random([1.0, 3.0], true, 1));
    for kind in [5, 7] {
        let (tree, remarks) = tree(kind, &[]);
        let PlayKind::Branch { default: 0, branches, .. } = tree else { panic!("{tree:?}") };
        assert_eq!(branches, [(0, media_node(0)), (1, media_node(1))]);
        assert_eq!(remarks.len(), 1, "{remarks:?}");
    }
    assert_eq!(tree(99, &[]).1.len(), 1);
}

#[test]
fn blocks_play_one_after_another_beside_the_tracks_of_their_sequence() {
    let sheet = Sheet {
        block_sequences: vec![(vec![0], vec![1, 0])],
        blocks: vec![vec![0], vec![1]],
        cues: vec![(1, "", 8, 0)],
        ..two(0, &[])
    };
    let project = opened(&[("a.acb", sheet.finish())]);
    let chain = PlayNode::new(PlayKind::Chain(vec![media_node(1), media_node(0)]));
    assert_eq!(project.events[0].tree.kind, PlayKind::Layer(vec![media_node(0), chain]));
    assert!(project.events[0].names.is_empty());
}

#[test]
fn streamed_waves_lie_in_the_archive_that_the_sheet_names_or_that_has_its_name() {
    let sheet = |archive| Sheet {
        waves: vec![wave(0xFFFF, 2, 1)],
        cues: vec![(0, "Music", 1, 0)],
        archive,
        ..Sheet::default()
    };
    let stored = archive(0, &[(1, b"one"), (2, b"two!")]);
    for (stated, path) in [
        (Some("Other"), "b/Other.awb"),
        (None, "b/Sheet.awb"),
        (None, "b/sheet_streamfiles.AWB"),
        (Some("Elsewhere"), "b/Sheet.awb"),
    ] {
        let project = opened(&[(path, stored.clone()), ("b/Sheet.acb", sheet(stated).finish())]);
        let place = project.media[0].bytes.as_ref().unwrap();
        assert_eq!((place.file, place.length, project.media.len()), (0, 4, 1), "{path}");
        assert_eq!(&stored[place.at as usize..][..4], b"two!");
        assert_eq!((project.media[0].file, project.media[0].stream), (1, StreamKind::Streamed));
    }
    // In another folder it is the archive of another sheet, and lists its waves itself.
    let project = opened(&[("c/Sheet.awb", stored), ("b/Sheet.acb", sheet(None).finish())]);
    let ids: Vec<_> =
        project.media.iter().map(|media| (media.file, media.id, media.bytes.is_some())).collect();
    assert_eq!(ids, [(1, MediaId::Cri(0), false), (0, MediaId::Cri(1), true), (0, MediaId::Cri(2), true)]);
    assert_eq!(project.events[0].missing, [MediaId::Cri(0)]);
    assert_eq!(project.events[0].media, [MediaId::Cri(0)]);
}

#[test]
fn a_prefetched_wave_has_its_start_in_the_sheet_and_all_of_it_beside() {
    let sheet = Sheet { waves: vec![wave(4, 9, 2)], memory: archive(0, &[(4, b"sta")]), ..two(0, &[]) };
    let sheet = Sheet { cues: vec![(0, "", 1, 0)], ..sheet };
    let beside = archive(0, &[(9, b"start and rest")]);
    let project = opened(&[("a.acb", sheet.finish()), ("a.awb", beside)]);
    let media = &project.media[0];
    assert_eq!(media.stream, StreamKind::Prefetch);
    assert!(media.bytes.as_ref().is_some_and(|start| start.is_prefetch && start.length == 3));
    assert!(media.whole.as_ref().is_some_and(|whole| whole.file == 1 && whole.length == 14));
    let project = opened(&[("a.acb", sheet.finish())]);
    assert!(project.media[0].bytes.is_some() && project.media[0].whole.is_none());
}

#[test]
fn the_key_of_a_wave_is_that_of_the_user_times_that_of_its_archive() {
    let with = |subkey: u16, key| {
        let files = files(&[("a.awb", archive(subkey, &[(0, b"x")]))]);
        header(&open(&files, key, &mut Limits::default()).media[0]).key
    };
    assert_eq!(with(0, Some(1234)), Some(1234));
    assert_eq!(with(5, None), None);
    // 3 × (0x0001_0000 | 0x0000), and for 2: 0x0002_0000 | 0xFFFF.
    assert_eq!(with(1, Some(3)), Some(0x3_0000));
    assert_eq!(with(2, Some(1)), Some(0x2_FFFF));
}

#[test]
fn a_key_is_a_decimal_or_hexadecimal_number() {
    assert_eq!(parse_key(" 18446744073709551615\n"), Some(u64::MAX));
    assert_eq!([parse_key("0xff"), parse_key("0XFF")], [Some(255); 2]);
    assert_eq!(["", "0x", "ff", "-1", "18446744073709551616"].map(parse_key), [None; 5]);
}

#[test]
fn cue_sheets_and_archives_are_known_by_their_first_bytes() {
    assert!(is_cri(&Sheet::default().finish()) && is_cri(&archive(0, &[])));
    assert!(!is_cri(b"@UT") && !is_cri(b"AFS\0") && !is_cri(b""));
}

#[test]
fn commands_that_are_not_followed_are_named_once() {
    let mut sheet = two(0, &[]);
    sheet.tracks = vec![vec![[2, 0], [77, 0]], vec![[2, 1], [77, 1]]];
    let project = opened(&[("a.acb", sheet.finish()), ("b.acb", sheet.finish())]);
    assert_eq!(project.remarks, ["not simulated: references of an unknown kind"]);
}
