use fixtures::module::xm::{Instrument, Sample, Xm, pack};
use fixtures::module::{adpcm, differences, wide_differences};
use tracker::ModuleBudget;
use tracker::Raw;
use tracker::format::xm::{Cell, DeltaCoding, XmModule};

use super::{bytes, clean, refusal, repairs, words};

fn read(file: &[u8]) -> XmModule {
    let Raw::Xm(module) = clean(file).raw else { panic!("another format") };
    module
}

const FIRST: [i8; 4] = [1, 100, -100, 0];
const SECOND: [i16; 3] = [1000, -30_000, 30_000];

fn whole(version: u16) -> Xm {
    let samples = vec![
        Sample::new(1, differences(&FIRST)),
        Sample::new(16, wide_differences(&SECOND)),
        Sample::new(0, Vec::new()),
    ];
    let cells = [[97, 1, 0x40, 0xC, 0x20], [0; 5], [0, 0, 0, 3, 4], [49, 2, 0, 0, 0]];
    Xm {
        orders: vec![1, 0],
        patterns: vec![(2, pack(&cells)), (256, Vec::new())],
        instruments: vec![Instrument { samples }, Instrument::default()],
        message: Some(b"hello\rthere".to_vec()),
        ..Xm::new(version)
    }
}

#[test]
fn every_version_has_the_same_in_its_own_order() {
    let newest = read(&whole(0x0104).finish().bytes);
    for version in [0x0102, 0x0103] {
        let mut module = read(&whole(version).finish().bytes);
        assert_eq!(module.header.version, version);
        module.header.version = 0x0104;
        for (instrument, new) in module.instruments.iter().zip(&newest.instruments) {
            assert_eq!(instrument, new, "{version:#x}");
        }
        assert_eq!(module, newest, "{version:#x}");
    }
    let text = "header at 0x3a: version 0x0101 is not read";
    assert_eq!(refusal(&whole(0x0101).finish().bytes), text);
}

#[test]
fn header_and_patterns_are_as_stored() {
    let module = read(&whole(0x0104).finish().bytes);
    let header = &module.header;
    assert_eq!(
        (&header.title[..8], &header.tracker[..]),
        (&b"a title\0"[..], &b"FastTracker v2.00\0\0\0"[..])
    );
    assert_eq!((header.length, header.restart, header.channels, header.flags), (2, 1, 2, 1));
    assert_eq!(
        (header.speed, header.tempo, header.orders.len(), &header.orders[..2]),
        (6, 125, 256, &[1, 0][..])
    );
    let [first, second] = &module.patterns[..] else { panic!("two patterns") };
    assert_eq!((first.rows, first.channels), (2, 2));
    let cell =
        |note, instrument, volume, effect, parameter| Cell { note, instrument, volume, effect, parameter };
    let cells = [cell(97, 1, 0x40, 0xC, 0x20), Cell::default(), cell(0, 0, 0, 3, 4), cell(49, 2, 0, 0, 0)];
    assert_eq!(first.cells, cells);
    assert_eq!((second.rows, second.cells.clone()), (256, vec![Cell::default(); 512]));
    assert_eq!(module.message.as_deref(), Some(&b"hello\rthere"[..]));
}

#[test]
fn instruments_and_samples_are_as_stored() {
    let module = read(&whole(0x0104).finish().bytes);
    let [instrument, empty] = &module.instruments[..] else { panic!("two instruments") };
    let settings = instrument.settings.as_ref().unwrap();
    assert_eq!((instrument.size, &instrument.name[..7]), (263, &b"a name\0"[..]));
    assert_eq!(settings.volume.points[2], (20, 62));
    assert_eq!(
        (settings.volume.count, settings.volume.flags, settings.pan.count, settings.pan.flags),
        (3, 7, 2, 1)
    );
    let (volume, pan) = (&settings.volume, &settings.pan);
    assert_eq!((volume.sustain, volume.loop_start, volume.loop_end), (1, 0, 2));
    assert_eq!((pan.sustain, pan.loop_start, pan.loop_end), (4, 5, 6));
    let vibrato =
        (settings.vibrato_wave, settings.vibrato_sweep, settings.vibrato_depth, settings.vibrato_rate);
    assert_eq!((vibrato, settings.fadeout), ((2, 3, 4, 5), 0x234));
    let [first, second, third] = &instrument.samples[..] else { panic!("three samples") };
    assert_eq!((first.length, first.loop_start, first.loop_length, first.flags), (4, 1, 2, 1));
    assert_eq!((first.volume, first.finetune, first.pan, first.relative), (40, -16, 200, -5));
    assert_eq!(first.frames, bytes(&[&FIRST]));
    assert_eq!((second.length, second.frames.clone()), (6, words(&[&SECOND])));
    assert_eq!(third.frames, None);
    assert_eq!((empty.size, empty.settings.clone(), empty.samples.len()), (29, None, 0));
}

#[test]
fn samples_of_other_trackers_are_stereo_packed_or_vorbis() {
    let (packed, values) = adpcm(&[1, 4, 11]);
    let stereo = [differences(&[1, 2]), differences(&[3, 4])].concat();
    let wide = [wide_differences(&[-5]), wide_differences(&[700])].concat();
    let samples = vec![
        Sample::new(32, stereo),
        Sample::new(48, wide),
        Sample { length: 3, reserved: 0xAD, ..Sample::new(0, packed) },
        Sample::new(0, b"\x10\0\0\0OggS\0".to_vec()),
        Sample::new(0, differences(&[9])),
    ];
    let file = Xm { instruments: vec![Instrument { samples }], ..Xm::new(0x0104) }.finish();
    let module = tracker::read(&file.bytes, ModuleBudget::default()).unwrap();
    let text = "sample 4 of instrument 1: is Ogg Vorbis, which is not decoded in modules";
    assert_eq!(repairs(&module), [format!("{:#x} {text}", file.bytes.len() - 10)]);
    let Raw::Xm(module) = module.raw else { panic!("another format") };
    let samples = &module.instruments[0].samples;
    assert_eq!(samples[0].frames, bytes(&[&[1, 2], &[3, 4]]));
    assert_eq!(samples[1].frames, words(&[&[-5], &[700]]));
    assert_eq!((samples[2].coding, samples[2].frames.clone()), (DeltaCoding::Adpcm, bytes(&[&values])));
    assert_eq!((samples[3].coding, samples[3].frames.clone()), (DeltaCoding::Vorbis, None));
    assert_eq!(samples[4].frames, bytes(&[&[9]]), "the next one begins after each");
}

#[test]
fn sizes_that_cannot_be_are_taken_for_the_usual_ones() {
    let file = whole(0x0104).finish();
    let whole = read(&file.bytes);
    for (field, size) in
        [("pattern 0.size", u32::MAX), ("instrument 1.size", u32::MAX), ("instrument 1.size", 0)]
    {
        let broken = file.clone().with_u32(field, size);
        let module = tracker::read(&broken.bytes, ModuleBudget::default()).unwrap();
        assert_eq!(module.repairs.len(), 1, "{field} {:?}", module.repairs);
        let Raw::Xm(mut module) = module.raw else { panic!("another format") };
        module.instruments[0].size = 263;
        assert_eq!(module, whole, "{field}");
    }
}

#[test]
fn rows_that_cannot_be_are_taken_for_the_usual_number() {
    let file = Xm { patterns: vec![(1, pack(&[[1; 5], [2; 5]]))], ..Xm::new(0x0104) }.finish();
    for (rows, read) in [(0_u16, 64), (1024, 1024), (1025, 64)] {
        let broken = file.clone().with("pattern 0.rows", rows.to_le_bytes());
        let module = tracker::read(&broken.bytes, ModuleBudget::default()).unwrap();
        let Raw::Xm(module) = module.raw else { panic!("another format") };
        assert_eq!((module.patterns[0].rows, module.patterns[0].cells.len()), (read, usize::from(read) * 2));
    }
}

#[test]
fn a_file_that_ends_early_gives_what_it_has() {
    let file = whole(0x0104).finish();
    let cut = file.field("instrument 2.size").at;
    let module = tracker::read(&file.bytes[..cut], ModuleBudget::default()).unwrap();
    assert_eq!(repairs(&module), [format!("{cut:#x} instrument 2: is not there; 1 are missing")]);
    let start = file.field("pattern 0.size").at;
    let text = "outside the file, like all else that the header counts";
    assert_eq!(
        refusal(&file.bytes[..start]),
        format!("the first pattern or instrument at {start:#x}: {text}")
    );
    assert_eq!(refusal(&file.bytes[..70]), "header at 0x46: ends early: 2 bytes wanted, 0 left");
}
