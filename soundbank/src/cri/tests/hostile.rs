//! Files that are made to harm: counts, offsets, cycles, rows that overlap.

use std::time::{Duration, Instant};

use super::*;

/// Opens a sheet and an archive beside it; whatever they hold, memory is bounded.
fn survive(sheet: Vec<u8>, beside: Vec<u8>) -> Project {
    open(&files(&[("a.acb", sheet), ("a.awb", beside)]), Some(7), &mut Limits::with_structures(4 << 20))
}

fn error(bytes: Vec<u8>) -> String {
    let project = opened(&[("a.acb", bytes)]);
    project.files[0].error.as_ref().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn every_prefix_and_every_changed_byte_ends_in_a_value_or_an_error() {
    let mut sheet = two(3, &[1, 2]);
    sheet.waves.push(wave(3, 1, 2));
    sheet.block_sequences = vec![(vec![0], vec![0])];
    sheet.blocks = vec![vec![1]];
    sheet.archive = Some("a");
    let (sheet, beside) = (sheet.finish(), archive(3, &[(1, b"waves"), (2, b"more")]));
    for end in 0..sheet.len() {
        survive(sheet[..end].to_vec(), beside.clone());
    }
    for end in 0..beside.len() {
        survive(sheet.clone(), beside[..end].to_vec());
    }
    for value in [0, 1, 0x7F, 0x80, 0xFF] {
        for at in 0..sheet.len() {
            let mut changed = sheet.clone();
            changed[at] = value;
            survive(changed, beside.clone());
        }
        for at in 0..beside.len() {
            let mut changed = beside.clone();
            changed[at] = value;
            survive(sheet.clone(), changed);
        }
    }
}

#[test]
fn more_rows_than_the_table_has_bytes_are_refused() {
    let mut bytes = two(0, &[]).finish();
    bytes[28..32].copy_from_slice(&u32::MAX.to_be_bytes());
    assert!(error(bytes).contains("claims 4294967295 entries"));
}

#[test]
fn rows_without_bytes_are_refused_beyond_what_references_can_reach() {
    let mut empty = table("Cue", &[]);
    empty[28..32].copy_from_slice(&0x1_0001_u32.to_be_bytes());
    let root = table("Header", &[vec![("CueTable", Data(empty.clone()))]]);
    assert!(error(root).contains("claims 65537 entries, 65536 would fit"));
    empty[28..32].copy_from_slice(&0x1_0000_u32.to_be_bytes());
    let root = table("Header", &[vec![("CueTable", Data(empty))]]);
    assert_eq!(opened(&[("a.acb", root)]).events.len(), 0x1_0000);
}

#[test]
fn columns_that_do_not_fit_into_a_row_are_refused() {
    let mut bytes = two(0, &[]).finish();
    bytes[26..28].copy_from_slice(&3_u16.to_be_bytes());
    assert!(error(bytes).contains("states 3 bytes"));
}

#[test]
fn a_table_that_ends_after_its_file_is_refused() {
    let mut bytes = two(0, &[]).finish();
    bytes[4..8].copy_from_slice(&u32::MAX.to_be_bytes());
    assert!(error(bytes).contains("outside of the file"));
}

#[test]
fn waves_of_an_archive_lie_inside_of_it() {
    let mut bytes = archive(0, &[(1, b"one"), (2, b"two")]);
    // The offset of the first wave, after both ids.
    bytes[20..24].copy_from_slice(&u32::MAX.to_le_bytes());
    let length = bytes.len() as u64;
    let project = opened(&[("a.awb", bytes.clone())]);
    assert!(
        project.media.iter().flat_map(|media| &media.bytes).all(|place| place.at + place.length <= length)
    );
    bytes[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    let project = opened(&[("a.awb", bytes)]);
    let error = project.files[0].error.as_ref().unwrap();
    assert!(matches!(error.kind(), ErrorKind::TooMany { .. }), "{error}");
}

#[test]
fn synths_that_play_one_another_end() {
    let mut sheet = two(0, &[]);
    sheet.synths = vec![(0, vec![2, 1, 1, 0], vec![]), (0, vec![2, 0, 2, 1, 3, 0], vec![])];
    let project = opened(&[("a.acb", sheet.finish())]);
    assert_eq!(project.events[0].media, [MediaId::Cri(0)]);
}

#[test]
fn parts_that_double_at_every_level_are_bounded() {
    let mut sheet = two(0, &[]);
    sheet.synths = (0..40).map(|next| (0, vec![2, next + 1, 2, next + 1], vec![])).collect();
    sheet.synths.push((0, vec![1, 0], vec![]));
    sheet.cues = vec![(0, "", 2, 0); 100];
    let project = survive(sheet.finish(), Vec::new());
    assert_eq!(project.events.len(), 100);
    assert!(project.remarks.iter().any(|remark| remark.contains("play nothing")), "{:?}", project.remarks);
}

#[test]
fn a_chain_longer_than_the_deepest_tree_ends_in_silence() {
    let mut sheet = two(0, &[]);
    sheet.synths = (0..1000).map(|next| (0, vec![2, next + 1], vec![])).collect();
    sheet.synths.push((0, vec![1, 0], vec![]));
    sheet.cues = vec![(0, "", 2, 0)];
    let project = opened(&[("a.acb", sheet.finish())]);
    assert_eq!(project.events[0].tree.kind, PlayKind::Silence);
    assert_eq!(project.events[0].media, [MediaId::Cri(0)]);
}

#[test]
fn rows_that_share_their_lists_take_no_more_than_is_allowed() {
    // 20,000 sequences with the same list of 10,000 tracks: as references, 1.6 GB.
    let list: Vec<u16> = vec![0; 10_000];
    let mut sequences = table("Sequence", &vec![vec![("TrackIndex", shorts(&[]))]; 20_000]);
    let rows_at = 8 + usize::from(u16::from_be_bytes([sequences[10], sequences[11]]));
    for row in sequences[rows_at..][..8 * 20_000].chunks_exact_mut(8) {
        row[4..].copy_from_slice(&20_000_u32.to_be_bytes());
    }
    sequences.extend(list.iter().flat_map(|index| index.to_be_bytes()));
    let size = u32::try_from(sequences.len() - 8).unwrap();
    sequences[4..8].copy_from_slice(&size.to_be_bytes());
    let cue = table("Cue", &[vec![("CueId", Long(1))]]);
    let root = table("Header", &[vec![("CueTable", Data(cue)), ("SequenceTable", Data(sequences))]]);
    let project = open(&files(&[("a.acb", root)]), None, &mut Limits::with_structures(16 << 20));
    let error = project.files[0].error.as_ref().unwrap();
    assert!(matches!(error.kind(), ErrorKind::OverLimit(_)), "{error}");
}

#[test]
fn many_cues_and_waves_are_read_at_once() {
    let mut sheet = two(0, &[]);
    sheet.waves = vec![wave(5, 0xFFFF, 0); 50_000];
    sheet.cues = (0..50_000).map(|id| (id, "Name", 1, u16::try_from(id).unwrap())).collect();
    let project = opened(&[("a.acb", sheet.finish())]);
    assert_eq!((project.media.len(), project.events.len()), (50_000, 50_000));
    assert_eq!(project.media[49_999].events, [49_999]);
}

/// A table of columns without names and values, but one, and of as many rows as the count says.
fn wide(columns: u16, rows: u32, data: &[u8]) -> Vec<u8> {
    let rows_at = 24 + u32::from(columns) + 4;
    // The last column has a name, at the beginning of the strings, and data in each row.
    let strings = b"TrackIndex\0";
    let mut table = vec![0; usize::from(columns) - 1];
    table.extend([0x5B, 0, 0, 0, 0]);
    for _ in 0..rows {
        table.extend([[0; 4], u32::try_from(data.len()).unwrap().to_be_bytes()].concat());
    }
    let strings_at = rows_at + rows * 8;
    let data_at = strings_at + u32::try_from(strings.len()).unwrap();
    let head = [
        &[0, 1][..],
        &u16::try_from(rows_at.min(0xFFFF)).unwrap().to_be_bytes(),
        &strings_at.to_be_bytes(),
        &data_at.to_be_bytes(),
        &[0; 4],
        &columns.to_be_bytes(),
        &8_u16.to_be_bytes(),
        &rows.to_be_bytes(),
    ];
    let body = [&head.concat(), &table, &strings[..], data].concat();
    [&b"@UTF"[..], &u32::try_from(body.len()).unwrap().to_be_bytes(), &body].concat()
}

/// A table of columns without names and values, whose rows have no bytes.
fn bare(columns: u16, rows: u32) -> Vec<u8> {
    let mut table = wide(columns, 0, &[]);
    let last = 32 + usize::from(columns) - 1;
    table[last] = 0;
    table[26..28].fill(0);
    table[28..32].copy_from_slice(&rows.to_be_bytes());
    table
}

/// Returns the least time of three in which a sheet with a table is read.
fn time_of(name: &'static str, rows: Vec<u8>) -> Duration {
    let cue = table("Cue", &[vec![("CueId", Long(1))]]);
    let files = files(&[("a.acb", table("Header", &[vec![("CueTable", Data(cue)), (name, Data(rows))]]))]);
    let once = |_| {
        let start = Instant::now();
        let _project = open(&files, None, &mut Limits::default());
        start.elapsed()
    };
    (0..3).map(once).min().unwrap()
}

#[test]
fn tables_of_any_counts_take_time_by_their_bytes() {
    /// Of a build that is not optimised, on a machine that does other things, too.
    const PER_BYTE: Duration = Duration::from_nanos(2000);
    let large = |table: &mut Vec<u8>, at: usize| table[at..at + 4].copy_from_slice(&u32::MAX.to_be_bytes());
    let wides = [(1, 50_000), (60_000, 1), (60_000, 60_000)];
    let tables = wides.map(|(columns, rows)| (columns, rows, wide(columns, rows, &[0, 0])));
    for (columns, rows, whole) in tables.into_iter().chain([(65_000, 65_536, bare(65_000, 65_536))]) {
        for name in ["SequenceTable", "BlockTable", "BlockSequenceTable", "SynthTable", "TrackEventTable"] {
            // The size, the offsets of texts and data, the number of rows.
            for field in [None, Some(4), Some(12), Some(16), Some(28)] {
                let mut changed = whole.clone();
                field.into_iter().for_each(|at| large(&mut changed, at));
                let (length, time) = (u32::try_from(changed.len()).unwrap(), time_of(name, changed));
                let most = PER_BYTE * length;
                assert!(time < most, "{name} of {columns} columns, {rows} rows, {field:?}: {time:?}");
            }
        }
    }
}

#[test]
fn what_is_no_cue_sheet_says_what_it_is() {
    assert!(error(b"version https://git-lfs.github.com/spec/v1\n".to_vec()).contains("Git LFS pointer"));
    assert!(error(Vec::new()).contains("an empty file"));
    assert!(error(b"RIFF....WAVE".to_vec()).contains("no cue sheet"));
    let settings = table("Header", &[vec![("Version", Long(1))]]);
    assert!(error(settings).contains("a table of CRI, but no cue sheet"));
    assert!(opened(&[("a.txt", b"text".to_vec())]).files[0].error.is_none());
}
