use fixtures::module::adpcm;
use fixtures::module::it::{It, Sample};
use tracker::ModuleBudget;
use tracker::format::it::{Cell, ItInstrumentSettings, ItModule};
use tracker::{Raw, StoredFrames};

use super::{bytes, clean, refusal, repairs, words};

pub(crate) fn read(file: &[u8]) -> ItModule {
    let Raw::It(module) = clean(file).raw else { panic!("another format") };
    module
}

/// Returns what becomes of a sample of so many frames.
fn frames(flags: u8, conversion: u8, length: u32, data: &[u8]) -> Option<StoredFrames> {
    let sample = Sample { flags: flags | 1, conversion, length, data: data.to_vec() };
    let file = It { samples: vec![sample], ..It::new(0x200) }.finish();
    read(&file.bytes).samples[0].frames.clone()
}

#[test]
fn the_header_and_what_is_after_it_are_as_stored() {
    let file = It {
        orders: vec![0, 254, 1, 255],
        message: Some(b"hello\rthere\0".to_vec()),
        history: Some(vec![[1, 2, 3, 4, 5, 6, 7, 8], [9; 8]]),
        macros: true,
        patterns: vec![None],
        ..It::new(0x214)
    };
    let module = read(&file.finish().bytes);
    let header = &module.header;
    assert_eq!((&header.title[..8], header.highlight), (&b"a title\0"[..], [4, 16]));
    assert_eq!(
        (header.created_with, header.compatible_with, header.flags, header.special),
        (0x214, 0x214, 9, 11)
    );
    assert_eq!((header.global_volume, header.mix_volume, header.speed, header.tempo), (128, 48, 6, 125));
    assert_eq!((header.separation, header.wheel), (128, 0));
    assert_eq!(
        (header.pans, header.volumes, &header.orders[..]),
        ([32; 64], [64; 64], &[0, 254, 1, 255][..])
    );
    assert_eq!(module.message.as_deref(), Some(&b"hello\rthere\0"[..]));
    assert_eq!(module.history, [[1, 2, 3, 4, 5, 6, 7, 8], [9; 8]]);
    assert_eq!(module.macros.unwrap()[..3], *b"FF\0");
    let bare = read(&It { patterns: vec![None], ..It::new(0x214) }.finish().bytes);
    assert_eq!((bare.message, bare.history.len(), bare.macros), (None, 0, None));
    assert_eq!((bare.patterns[0].rows, bare.patterns[0].channels), (64, 0), "without a place");
}

#[test]
fn history_and_macros_that_were_announced_and_not_written_are_reported() {
    let file = It { patterns: vec![Some((1, vec![0]))], ..It::new(0x214) }.finish();
    let at = file.field("pattern 0.length").at;
    let file = file.with("special", 10_u16.to_le_bytes());
    let module = tracker::read(&file.bytes, ModuleBudget::default()).unwrap();
    assert_eq!(
        repairs(&module),
        [format!("{at:#x} history: is not there"), format!("{at:#x} MIDI macros: are not there")]
    );
}

#[test]
fn instruments_are_old_before_200_and_new_from_then_on() {
    let module = read(&It { instruments: 1, ..It::new(0x1FF) }.finish().bytes);
    let instrument = &module.instruments[0];
    let ItInstrumentSettings::Old(old) = &instrument.envelopes else { panic!("a new instrument") };
    assert_eq!((instrument.new_note_action, instrument.fadeout, old.duplicate_check), (2, 0x123, 1));
    assert_eq!(
        (old.flags, old.loop_start, old.loop_end, old.sustain_start, old.sustain_end),
        (7, 1, 2, 3, 4)
    );
    assert_eq!((old.values, old.nodes[24]), ([33; 200], (120, 40)));
    assert_eq!((instrument.keys[0], instrument.keys[119], instrument.tracker), ((0, 1), (119, 1), 0x106));

    let module = read(&It { instruments: 1, ..It::new(0x200) }.finish().bytes);
    let instrument = &module.instruments[0];
    let ItInstrumentSettings::New(new) = &instrument.envelopes else { panic!("an old instrument") };
    assert_eq!((instrument.new_note_action, new.duplicate_check, new.duplicate_action), (1, 2, 3));
    assert_eq!((instrument.fadeout, instrument.tracker, instrument.sample_count), (0x123, 0x214, 1));
    assert_eq!(
        (new.pitch_pan_separation, new.pitch_pan_center, new.global_volume, new.pan),
        (-16, 60, 100, 130)
    );
    assert_eq!((new.volume_swing, new.pan_swing, new.cutoff, new.resonance), (10, 20, 0xC0, 0x81));
    assert_eq!((new.midi, &instrument.name[..7]), ([1, 2, 3, 4], &b"a name\0"[..]));
    assert_eq!((instrument.keys[0], instrument.keys[119]), ((0, 1), (119, 1)));
    for envelope in &new.nodes {
        let sustain = (envelope.sustain_start, envelope.sustain_end);
        assert_eq!((envelope.flags, envelope.count, envelope.loop_start, envelope.loop_end), (1, 2, 3, 4));
        assert_eq!((sustain, envelope.nodes[24]), ((5, 6), (-32, 480)));
    }
}

#[test]
fn a_sample_is_as_stored() {
    let sample = Sample { flags: 0x51, conversion: 1, length: 2, data: vec![1, 2] };
    let module = read(&It { samples: vec![sample], ..It::new(0x200) }.finish().bytes);
    let sample = &module.samples[0];
    assert_eq!((sample.global_volume, sample.flags, sample.volume), (64, 0x51, 48));
    assert_eq!((sample.conversion, sample.pan, sample.length, sample.rate), (1, 160, 2, 8363));
    let places = [sample.loop_start, sample.loop_end, sample.sustain_start, sample.sustain_end];
    assert_eq!(places, [1, 2, 3, 4]);
    let vibrato = [sample.vibrato_speed, sample.vibrato_depth, sample.vibrato_rate, sample.vibrato_wave];
    assert_eq!(vibrato, [1, 2, 3, 0]);
    assert_eq!((&sample.file_name[..5], &sample.name[..7]), (&b"file\0"[..], &b"a name\0"[..]));
}

#[test]
fn values_are_stored_as_their_sample_says() {
    const WIDE: u8 = 2;
    const STEREO: u8 = 4;
    assert_eq!(frames(0, 1, 3, &[0, 128, 255]), bytes(&[&[0, -128, -1]]));
    assert_eq!(frames(0, 0, 3, &[0, 128, 255]), bytes(&[&[-128, 0, 127]]));
    assert_eq!(frames(0, 5, 3, &[1, 1, 255]), bytes(&[&[1, 2, 1]]));
    assert_eq!(frames(STEREO, 1, 2, &[1, 2, 3, 4]), bytes(&[&[1, 2], &[3, 4]]));
    assert_eq!(frames(WIDE, 1, 1, &[1, 2]), words(&[&[0x201]]));
    assert_eq!(frames(WIDE, 3, 1, &[1, 2]), words(&[&[0x102]]));
    assert_eq!(frames(WIDE, 5, 2, &[0, 1, 1, 0]), words(&[&[0x100, 0x101]]));
    assert_eq!(frames(WIDE, 9, 2, &[1, 1, 1, 1]), words(&[&[0x201, 0x403]]));
    assert_eq!(frames(WIDE | STEREO, 1, 1, &[1, 0, 2, 0]), words(&[&[1], &[2]]));
    let (packed, values) = adpcm(&[1, 15, 8, 3]);
    assert_eq!(frames(0, 255, 4, &packed), bytes(&[&values]));
}

#[test]
fn a_coding_that_is_not_decoded_is_reported_by_its_name() {
    let wide_adpcm = "is ADPCM of 16 bits or two channels, which is not decoded";
    for (flags, conversion, text) in
        [(3, 255, wide_adpcm), (5, 255, wide_adpcm), (3, 17, "is of 12 bits, which is not decoded")]
    {
        let sample = Sample { flags, conversion, length: 1, data: vec![1; 20] };
        let file = It { samples: vec![sample], ..It::new(0x200) }.finish();
        let module = tracker::read(&file.bytes, ModuleBudget::default()).unwrap();
        let at = file.field("sample 1.frames").at;
        assert_eq!(repairs(&module), [format!("{at:#x} sample 1: {text}")]);
    }
}

#[test]
fn channels_beyond_64_are_those_of_other_trackers() {
    let rows = vec![0x80 | 127, 1, 60, 0x80, 1, 61, 0];
    let module = read(&It { patterns: vec![Some((1, rows))], ..It::new(0x200) }.finish().bytes);
    let pattern = &module.patterns[0];
    assert_eq!((pattern.channels, pattern.cells[126].note, pattern.cells[0].note), (127, Some(60), Some(61)));
}

#[test]
fn a_sample_without_the_flag_has_no_frames_whatever_its_length() {
    let sample = Sample { flags: 0, conversion: 1, length: 3, data: vec![1, 2, 3] };
    let module = read(&It { samples: vec![sample], ..It::new(0x200) }.finish().bytes);
    assert_eq!((module.samples[0].length, module.samples[0].frames.clone()), (3, None));
}

#[test]
fn cells_repeat_what_their_channel_had_last() {
    let rows = vec![
        0x81, 0x0F, 60, 1, 64, 4, 0x12, 0x83, 0x01, 255,
        0, // A whole cell, and a note alone on channel 3.
        0x81, 0xF0, 0, // All of it again, by a new mask.
        0x01, 0x83, 0x11, 254,
        0, // And by the same mask; a bit to repeat beside one to read changes nothing.
        0,
    ];
    let module = read(&It { patterns: vec![Some((4, rows))], ..It::new(0x200) }.finish().bytes);
    let pattern = &module.patterns[0];
    assert_eq!((pattern.rows, pattern.channels, pattern.cells.len()), (4, 3, 12), "up to the last in use");
    let whole = Cell { note: Some(60), instrument: Some(1), volume: Some(64), command: Some((4, 0x12)) };
    let note = |note| Cell { note: Some(note), ..Cell::default() };
    let empty = Cell::default();
    assert_eq!(pattern.cells[..6], [whole, empty, note(255), whole, empty, empty]);
    assert_eq!(pattern.cells[6..], [whole, empty, note(254), empty, empty, empty]);
}

#[test]
fn what_repeats_nothing_is_nothing_and_takes_no_channel() {
    let rows = vec![
        0x82, 0, 0x83, 0xF0, 0, // Neither a field nor something to repeat.
        0x82, 1, 60, 0x82, 0xF0, 0x84, 0xF0, 0, // Of what channel 2 had, the note.
    ];
    let module = read(&It { patterns: vec![Some((2, rows))], ..It::new(0x200) }.finish().bytes);
    let note = Cell { note: Some(60), ..Cell::default() };
    let empty = Cell::default();
    assert_eq!(module.patterns[0].cells, [empty, empty, empty, note]);
}

#[test]
fn a_song_has_a_channel_and_a_sample_at_least() {
    let song = |file: &It| clean(&file.finish().bytes).raw.to_song(1 << 20).unwrap();
    let empty = song(&It { patterns: vec![None], ..It::new(0x200) });
    assert_eq!((empty.channels.len(), empty.samples.len()), (1, 1));
    assert!(empty.samples[0].loop_range.is_none() && empty.patterns[0].channels() == 0);
    let sample = Sample { flags: 1, conversion: 1, length: 1, data: vec![1] };
    assert_eq!(song(&It { samples: vec![sample], ..It::new(0x200) }).samples.len(), 1);
}

#[test]
fn a_pattern_has_the_rows_it_says_up_to_1024() {
    for (rows, expected) in [(1, Some(1)), (200, Some(200)), (1024, Some(1024)), (1025, None), (0, None)] {
        let file = It { patterns: vec![Some((rows, vec![0; rows.into()]))], ..It::new(0x200) }.finish();
        let module = tracker::read(&file.bytes, ModuleBudget::default()).unwrap();
        assert_eq!(module.repairs.len(), usize::from(expected.is_none()), "{rows}");
        let Raw::It(module) = module.raw else { panic!("another format") };
        assert_eq!(module.patterns[0].rows, expected.unwrap_or(64));
    }
}

#[test]
fn what_has_no_signature_is_taken_for_empty_and_reported() {
    let sample = Sample { flags: 1, conversion: 1, length: 3, data: vec![1, 2, 3] };
    let file = It { instruments: 1, samples: vec![sample], ..It::new(0x200) }.finish();
    let broken = file.with("sample 1.tag", b"imps").with("instrument 1.tag", b"impi");
    let module = tracker::read(&broken.bytes, ModuleBudget::default()).unwrap();
    assert_eq!(module.repairs.len(), 2);
    let Raw::It(module) = module.raw else { panic!("another format") };
    assert_eq!((module.samples[0].length, module.instruments[0].keys[5]), (0, (0, 0)));
}

#[test]
fn tables_that_do_not_fit_are_refused_with_their_place() {
    let file = It { patterns: vec![Some((1, vec![0]))], ..It::new(0x200) }.finish();
    let many = file.clone().with("samples count", [0xFF, 0xFF]);
    let text = "header at 0xc2: ends early: 262140 bytes wanted, 13 left";
    assert_eq!(refusal(&many.bytes), text);
    let far = file.with_u32("place 0", 0x1234_5678);
    let text = "outside the file, like all else that the header points at";
    assert_eq!(refusal(&far.bytes), format!("the first instrument, sample or pattern at 0x12345678: {text}"));
}
