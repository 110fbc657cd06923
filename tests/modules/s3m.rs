use fixtures::module::adpcm;
use fixtures::module::s3m::{Instrument, S3m};
use tracker::ModuleBudget;
use tracker::format::s3m::{Cell, S3mBody, S3mModule, Sample};
use tracker::{Raw, StoredFrames};

use super::{bytes, clean, refusal, repairs, words};

fn read(file: &[u8]) -> S3mModule {
    let Raw::S3m(module) = clean(file).raw else { panic!("another format") };
    module
}

fn sample(module: &S3mModule, number: usize) -> &Sample {
    let S3mBody::Sample(sample) = &module.instruments[number].body else { panic!("no sample") };
    sample
}

fn frames(sample_format: u16, instrument: Instrument) -> Option<StoredFrames> {
    let file = S3m { sample_format, instruments: vec![instrument], ..S3m::new() }.finish();
    sample(&read(&file.bytes), 0).frames.clone()
}

#[test]
fn the_header_is_as_stored() {
    let pans = std::array::from_fn(|channel| channel as u8 | 32);
    let module = read(&S3m { orders: vec![0, 254, 255, 1], pans: Some(pans), ..S3m::new() }.finish().bytes);
    let header = &module.header;
    assert_eq!(&header.title[..8], b"a title\0");
    assert_eq!((header.kind, header.flags, header.creator, header.sample_format), (16, 64, 0x1320, 2));
    assert_eq!((header.global_volume, header.speed, header.tempo, header.master_volume), (64, 6, 125, 0xB0));
    assert_eq!((header.ultra_click, header.default_pan, header.reserved), (16, 252, [9; 8]));
    assert_eq!(header.channels[..5], [0, 8, 1, 9, 255]);
    assert_eq!(header.orders, [0, 254, 255, 1]);
    assert_eq!(header.pans, Some(pans));
    assert_eq!(read(&S3m::new().finish().bytes).header.pans, None);
}

#[test]
fn cells_are_as_stored_and_those_without_an_event_are_empty() {
    let mut rows = vec![0b1110_0001, 0x45, 3, 33, 4, 0x12, 0b0010_0010, 254, 0, 0, 0b0100_0000, 64, 0];
    rows.extend([0; 61]);
    rows.extend([0b1001_1111, 7, 8, 0]);
    let module = read(&S3m { patterns: vec![Some(rows), None], ..S3m::new() }.finish().bytes);
    let cells = &module.patterns[0].cells;
    assert_eq!(cells.len(), 64 * 32);
    assert_eq!(cells[1], Cell { note: 0x45, instrument: 3, volume: 33, command: 4, parameter: 0x12 });
    assert_eq!(cells[2], Cell { note: 254, ..Cell::default() });
    assert_eq!(cells[32], Cell { volume: 64, ..Cell::default() });
    assert_eq!(cells[64 * 32 - 1], Cell { command: 7, parameter: 8, ..Cell::default() });
    assert_eq!(cells.iter().filter(|cell| **cell != Cell::default()).count(), 4);
    assert!(module.patterns[1].cells.iter().all(|cell| *cell == Cell::default()), "without a place");
}

#[test]
fn samples_are_signed_by_the_header_alone() {
    let eight = || Instrument::sample(3, 0, &[0, 128, 255]);
    assert_eq!(frames(2, eight()), bytes(&[&[-128, 0, 127]]));
    assert_eq!(frames(1, eight()), bytes(&[&[0, -128, -1]]));
    let wide = || Instrument::sample(2, 4, &[0, 0x80, 1, 0]);
    assert_eq!(frames(2, wide()), words(&[&[0, -0x7FFF]]));
    assert_eq!(frames(1, wide()), words(&[&[-0x8000, 1]]));
}

#[test]
fn stereo_samples_have_the_right_channel_after_the_left() {
    assert_eq!(frames(1, Instrument::sample(2, 2, &[1, 2, 3, 4])), bytes(&[&[1, 2], &[3, 4]]));
    let wide = Instrument::sample(1, 6, &[1, 0, 2, 0]);
    assert_eq!(frames(1, wide), words(&[&[1], &[2]]));
}

#[test]
fn packed_samples_are_decoded_if_it_is_known_how() {
    let (packed, values) = adpcm(&[1, 14, 7]);
    let instrument = Instrument { packing: 4, ..Instrument::sample(3, 0, &packed) };
    assert_eq!(frames(2, instrument), bytes(&[&values]));
    let file = S3m {
        instruments: vec![Instrument { packing: 1, ..Instrument::sample(3, 0, &packed) }],
        ..S3m::new()
    };
    let file = file.finish();
    let module = tracker::read(&file.bytes, ModuleBudget::default()).unwrap();
    let at = file.field("instrument 1.frames").at;
    assert_eq!(
        repairs(&module),
        [format!("{at:#x} instrument 1: is compressed in a way that is not decoded: 1")]
    );
}

#[test]
fn an_instrument_is_as_stored() {
    let module =
        read(&S3m { instruments: vec![Instrument::sample(3, 1, &[1; 3])], ..S3m::new() }.finish().bytes);
    let instrument = &module.instruments[0];
    assert_eq!(
        (instrument.kind, instrument.volume, instrument.rate, &instrument.tag),
        (1, 50, 8363, b"SCRS")
    );
    assert_eq!((&instrument.file_name[..5], &instrument.name[..7]), (&b"file\0"[..], &b"a name\0"[..]));
    let sample = sample(&module, 0);
    assert_eq!((sample.length, sample.loop_start, sample.loop_end, sample.flags), (3, 1, 3, 1));
}

#[test]
fn a_sound_of_a_synthesiser_is_kept_and_reported() {
    let registers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0];
    let instrument = Instrument { kind: 2, middle: registers, ..Instrument::sample(0, 0, &[]) };
    let file = S3m { instruments: vec![instrument], ..S3m::new() }.finish();
    let module = tracker::read(&file.bytes, ModuleBudget::default()).unwrap();
    let at = file.field("instrument 1.kind").at;
    let text = "is a sound of an OPL synthesiser, which is kept but has no frames";
    assert_eq!(repairs(&module), [format!("{at:#x} instrument 1: {text}")]);
    let Raw::S3m(module) = module.raw else { panic!("another format") };
    let S3mBody::Adlib(adlib) = &module.instruments[0].body else { panic!("another kind") };
    assert_eq!((adlib.registers, adlib.disk), (registers, 3));
    assert_eq!(&module.instruments[0].tag, b"SCRI");
}

#[test]
fn what_lies_outside_of_the_file_is_reported_and_nothing_but_that_is_refused() {
    let file = S3m { instruments: vec![Instrument::sample(3, 0, &[1; 3])], ..S3m::new() }.finish();
    let far = file.clone().with("pointer 0", [0xFF, 0xFF]);
    let module = tracker::read(&far.bytes, ModuleBudget::default()).unwrap();
    assert_eq!(repairs(&module), ["0xffff0 instrument 1: ends with the file: 0 of 80 bytes"]);
    let none = far.with("pointer 1", [0xFF, 0xFE]);
    let text = "outside the file, like all else that the header points at";
    assert_eq!(refusal(&none.bytes), format!("the first instrument or pattern at 0xffff0: {text}"));
}
