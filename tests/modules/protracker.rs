use fixtures::module::adpcm;
use fixtures::module::protracker::{Mod, Sample};
use tracker::format::protracker::{Cell, FrameCoding, ModModule};
use tracker::{ModuleFormat, Raw};

use super::{bytes, clean, found, refusal, repairs};

fn read(file: &[u8]) -> ModModule {
    let Raw::Protracker(module) = clean(file).raw else { panic!("another format") };
    module
}

/// Returns a pattern whose first cell is a note, and the rest empty.
fn pattern(channels: usize, sample: u8) -> Vec<u8> {
    let mut cells = vec![0; 64 * channels * 4];
    cells[..4].copy_from_slice(&[0x01, 0xAC, sample << 4 | 0xC, 0x20]);
    cells
}

fn tagged(tag: &[u8; 4], channels: usize) -> Mod {
    let samples = vec![Sample::new("one", &[1, 2, 0xFF, 0]), Sample::new("two", &[5, 6])];
    let patterns = vec![pattern(channels, 1), pattern(channels, 2)];
    Mod { orders: vec![0, 1, 0], patterns, samples, ..Mod::new(tag, channels) }
}

#[test]
fn a_tag_tells_the_number_of_channels_and_all_else_follows() {
    for (tag, channels) in [
        (b"M.K.", 4),
        (b"M!K!", 4),
        (b"N.T.", 4),
        (b"FLT4", 4),
        (b"NSMS", 4),
        (b"LARD", 4),
        (b"1CHN", 1),
        (b"6CHN", 6),
        (b"TDZ3", 3),
        (b"OCTA", 8),
        (b"CD81", 8),
        (b"16CH", 16),
        (b"32CH", 32),
        (b"99CH", 99),
        (b"11CN", 11),
    ] {
        let module = read(&tagged(tag, channels).finish().bytes);
        assert_eq!(usize::from(module.header.channels), channels);
        assert_eq!(module.header.tag.unwrap().0, *tag);
        assert_eq!((module.header.length, module.header.restart), (3, 127));
        assert_eq!(module.header.orders[..4], [0, 1, 0, 0]);
        assert_eq!(module.patterns.len(), 2);
        let second = &module.patterns[1].cells;
        assert_eq!(second.len(), 64 * channels);
        assert_eq!(second[0], Cell { sample: 2, period: 0x1AC, effect: 0xC, parameter: 0x20 });
        assert!(second[1..].iter().all(|cell| *cell == Cell::default()));
        assert_eq!(module.samples.len(), 31);
        assert_eq!(module.samples[0].frames, bytes(&[&[1, 2, -1, 0]]));
        assert_eq!(module.samples[1].frames, bytes(&[&[5, 6]]));
        assert_eq!(module.samples[2].frames, None);
        assert_eq!(&module.samples[1].name[..4], b"two\0");
    }
}

#[test]
fn flt8_has_the_right_half_of_a_pattern_in_the_next() {
    let patterns = vec![pattern(4, 1), pattern(4, 2), pattern(4, 3), pattern(4, 4)];
    let file = Mod { orders: vec![2, 0], patterns, ..Mod::new(b"FLT8", 8) }.finish();
    let module = read(&file.bytes);
    assert_eq!(module.header.orders[..2], [2, 0], "as stored");
    assert_eq!(module.header.pattern_of(2), 1);
    let samples = |pattern: usize| {
        let row = &module.patterns[pattern].cells[..8];
        row.iter().map(|cell| cell.sample).collect::<Vec<_>>()
    };
    assert_eq!(module.patterns.len(), 2);
    assert_eq!(samples(0), [1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(samples(1), [3, 0, 0, 0, 4, 0, 0, 0]);
}

#[test]
fn digital_tracker_has_a_gap_after_its_tag() {
    let file = Mod { gap: vec![0, 0x40, 0, 0], ..tagged(b"FA06", 6) }.finish();
    assert_eq!(read(&file.bytes).patterns[0].cells[0].sample, 1);
}

#[test]
fn a_file_as_long_as_eight_channels_make_it_has_eight_under_the_tag_of_four() {
    let wide = Mod { restart: 0, ..tagged(b"M.K.", 8) };
    assert_eq!(read(&wide.finish().bytes).header.channels, 8);
    let narrow = Mod { restart: 0, ..tagged(b"M.K.", 4) };
    assert_eq!(read(&narrow.finish().bytes).header.channels, 4);
}

#[test]
fn the_highest_of_all_orders_tells_how_many_patterns_there_are() {
    let mut file = tagged(b"M.K.", 4);
    let orders = file.finish().field("orders").at;
    // Beyond the length of three, but there is a pattern for it.
    let mut with = file.finish().bytes;
    with[orders + 100] = 1;
    file.orders = vec![0, 0, 0];
    assert_eq!(read(&with).patterns.len(), 2);
    // There is none for it: what is after the length is left over.
    file.patterns.truncate(1);
    let mut without = file.finish().bytes;
    without[orders + 100] = 1;
    let module = read(&without);
    assert_eq!((module.patterns.len(), module.samples[1].frames.clone()), (1, bytes(&[&[5, 6]])));
    // Markers of other trackers count for nothing.
    let mut marked = tagged(b"M.K.", 4).finish().bytes;
    marked[orders + 2] = 254;
    assert_eq!(read(&marked).patterns.len(), 2);
}

#[test]
fn packed_samples_are_recognised_by_their_signature() {
    let (packed, values) = adpcm(&[1, 3, 5, 15, 0, 2]);
    let mut file = tagged(b"M.K.", 4);
    file.samples[0] =
        Sample { length: 3, data: [b"ADPCM", packed.as_slice()].concat(), ..file.samples[0].clone() };
    let module = read(&file.finish().bytes);
    assert_eq!(
        (module.samples[0].coding, module.samples[0].frames.clone()),
        (FrameCoding::Adpcm, bytes(&[&values]))
    );
    assert_eq!(module.samples[1].frames, bytes(&[&[5, 6]]), "the next one begins after it");
}

/// Returns a file of the first trackers.
fn untagged() -> Mod {
    let samples = vec![Sample { length: 1000, ..Sample::new("st-01:kick", &[7; 2000]) }];
    Mod { tag: None, orders: vec![0], patterns: vec![pattern(4, 1)], samples, ..Mod::new(b"----", 4) }
}

#[test]
fn a_file_of_15_samples_has_no_tag() {
    let module = read(&untagged().finish().bytes);
    assert_eq!((module.header.tag, module.header.channels, module.samples.len()), (None, 4, 15));
    assert_eq!(module.patterns[0].cells[0].period, 0x1AC);
    assert_eq!(module.samples[0].frames, bytes(&[&[7; 2000]]));
}

#[test]
fn what_makes_no_sense_in_any_field_is_no_file_of_15_samples() {
    let good = untagged().finish();
    assert_eq!(found(&good.bytes), Some(ModuleFormat::Protracker));
    for (field, bytes) in [
        ("title", vec![7; 20]),
        ("sample 15.name", vec![0x1B; 22]),
        ("sample 3.volume", vec![65]),
        ("sample 3.finetune", vec![1]),
        ("sample 1.length", vec![0, 0]),
        ("sample 2.loop length", vec![0, 9]),
        ("length", vec![0]),
        ("length", vec![129]),
        ("orders", vec![64; 128]),
        ("orders", vec![5; 128]),
        ("pattern 0", vec![0; 1024]),
        ("pattern 0", vec![0x0F; 1024]),
        ("pattern 0", vec![0x11; 1024]),
    ] {
        assert_eq!(found(&good.clone().with(field, bytes).bytes), None, "{field}");
    }
    let long = [good.bytes.as_slice(), &[0; 10_000]].concat();
    assert_eq!(found(&long), None, "far longer than what it says it has");
    assert_eq!(found(&good.bytes[..1600]), None, "shorter than its pattern");
}

#[test]
fn a_last_sample_that_ends_with_the_file_is_cut_and_reported() {
    let bytes_of = tagged(b"M.K.", 4).finish().bytes;
    let module = tracker::read(&bytes_of[..bytes_of.len() - 3], tracker::ModuleBudget::default()).unwrap();
    let place = bytes_of.len() - 6;
    assert_eq!(
        repairs(&module),
        [
            format!("{place:#x} sample 1: ends with the file: 3 of 4 frames"),
            format!("{:#x} sample 2: ends with the file: 0 of 2 frames", place + 4)
        ]
    );
    let Raw::Protracker(module) = module.raw else { panic!("another format") };
    assert_eq!(module.samples[0].frames, bytes(&[&[1, 2, -1]]));
    assert_eq!((module.samples[1].length, module.samples[1].frames.clone()), (1, None));
}

#[test]
fn patterns_that_are_not_there_are_reported_and_none_at_all_is_refused() {
    let bytes = Mod { orders: vec![0, 4], ..Mod::new(b"4CHN", 4) }.finish().bytes;
    let module = tracker::read(&bytes[..bytes.len() - 1], tracker::ModuleBudget::default()).unwrap();
    assert_eq!(
        repairs(&module),
        [
            "0x43c pattern 0: ends with the file: 1023 of 1024 bytes",
            "0x83b pattern 1: is not there; 4 are missing"
        ]
    );
    assert_eq!(refusal(&bytes[..1084]), "pattern 0 at 0x43c: outside the file");
}
