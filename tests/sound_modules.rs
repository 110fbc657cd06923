//! Tracker modules of sounds, read back by readers of the fixtures and by the importer.

use std::io::Cursor;

use exporter::sound_module::{
    LostDetail, ModuleError, ModuleFormat, ModuleOptions, SoundModule, SoundRefusal,
};
use fixtures::module_reader::{ReadModule, ReadSample, read_it, read_xm};
use importer::{Budget, SoundFile};
use song::{
    Cents, Frames, Hz, Key, LoopCount, LoopMode, LoopRange, Origin, Planes, Recording, Sample, Width,
};
use unreal::Memory;

const BOTH: [ModuleFormat; 2] = [ModuleFormat::It, ModuleFormat::Xm];
const PLAIN: ModuleOptions = ModuleOptions { is_mono: false, has_notes: false };

fn of(recording: Recording, width: Width, rate: u32) -> Sample {
    Sample::new(Origin::default(), recording, width, Hz::new(rate).unwrap())
}

fn wide(planes: Vec<Vec<i16>>, rate: u32) -> Sample {
    of(Recording::I16(Planes::new(planes).unwrap()), Width::Sixteen, rate)
}

fn range(start: u64, end: u64, mode: LoopMode) -> LoopRange {
    let frames = Frames::new;
    LoopRange::new(frames(start), frames(end), frames(end), mode, LoopCount::Forever).unwrap()
}

/// Writes sounds `Group.S1`, `Group.S2` and so on; returns the file, and what became of each sound.
fn written(
    format: ModuleFormat,
    samples: &[Sample],
    options: ModuleOptions,
) -> (Vec<u8>, Vec<Result<LostDetail, SoundRefusal>>) {
    let mut out = Cursor::new(Vec::new());
    let mut module = SoundModule::new(format, &mut out, "Package", samples.len(), options).unwrap();
    let added = samples.iter().zip(1..).map(|(sample, number)| {
        module.add(&format!("Group.S{number}"), &format!("S{number}"), sample).unwrap()
    });
    let added = added.collect();
    module.finish().unwrap();
    (out.into_inner(), added)
}

fn read(format: ModuleFormat, bytes: &[u8]) -> ReadModule {
    match format {
        ModuleFormat::It => read_it(bytes),
        ModuleFormat::Xm => read_xm(bytes),
    }
}

fn only(format: ModuleFormat, sample: Sample, options: ModuleOptions) -> ReadSample {
    let (bytes, added) = written(format, &[sample], options);
    assert!(added[0].is_ok(), "{added:?}");
    read(format, &bytes).samples.remove(0)
}

#[test]
fn a_module_has_an_instrument_with_one_sample_for_each_sound() {
    for format in BOTH {
        let samples = [wide(vec![vec![1, -2, 3]], 22_050), wide(vec![vec![9; 5]], 44_100)];
        let module = read(format, &written(format, &samples, PLAIN).0);
        assert_eq!((&module.title[..], module.speed, module.tempo), (&b"Package"[..], 6, 125));
        let names = [&b"Group.S1"[..], b"Group.S2"];
        let instruments: Vec<(&[u8], usize)> =
            module.instruments.iter().map(|(name, sample)| (&name[..], *sample)).collect();
        assert_eq!(instruments, [(names[0], 1), (names[1], 2)]);
        assert_eq!(module.samples.iter().map(|sample| &sample.name[..]).collect::<Vec<_>>(), names);
        assert_eq!(module.samples[0].planes, [[1, -2, 3]]);
        assert_eq!((module.cells, module.rows), (vec![(0, 0, 0, 1), (1, 0, 0, 2)], 64));
    }
}

#[test]
fn headers_say_which_tracker_and_version_they_are_for() {
    let samples = [wide(vec![vec![1]], 8000), wide(vec![vec![1]], 8000)];
    let it = read_it(&written(ModuleFormat::It, &samples, PLAIN).0);
    // Orders, instruments, samples, patterns; created with, compatible with; stereo, instruments, linear; a message.
    assert_eq!(it.header, [2, 2, 2, 1, 0x214, 0x214, 13, 1]);
    assert_eq!((&it.orders[..], it.channels), (&[0, 255][..], 1));
    assert_eq!(it.message, [b"1  Group.S1", b"2  Group.S2"]);
    assert_eq!((&it.samples[0].volumes[..], it.samples[0].pan), (&[64, 64][..], 32));
    let xm = read_xm(&written(ModuleFormat::Xm, &samples, PLAIN).0);
    // Length, restart, channels, patterns, instruments, linear, speed, tempo.
    assert_eq!(xm.header, [1, 0, 2, 1, 2, 1, 6, 125]);
    assert_eq!((&xm.orders[..], &xm.samples[0].volumes[..], xm.samples[0].pan), (&[0][..], &[64][..], 128));
}

#[test]
fn notes_at_middle_c_play_every_row_long_enough_to_be_heard() {
    for (format, middle) in [(ModuleFormat::It, 60), (ModuleFormat::Xm, 49)] {
        let samples: Vec<Sample> = (0..65).map(|_| wide(vec![vec![1]], 8363)).collect();
        let options = ModuleOptions { has_notes: true, ..PLAIN };
        let module = read(format, &written(format, &samples, options).0);
        assert_eq!((module.speed, module.tempo, module.cells.len()), (31, 125, 65));
        assert_eq!(module.cells[..3], [(0, 0, middle, 1), (0, 1, middle, 65), (1, 0, middle, 2)]);
    }
}

#[test]
fn the_65th_sound_takes_a_second_channel() {
    for count in [1, 64, 65, 99] {
        for format in BOTH {
            let samples: Vec<Sample> = (0..count).map(|_| wide(vec![vec![1]], 8363)).collect();
            let module = read(format, &written(format, &samples, PLAIN).0);
            // Those of an XM are even.
            let channels = if count > 64 || format == ModuleFormat::Xm { 2 } else { 1 };
            assert_eq!(module.channels, channels, "{format} of {count}");
            let mut cells = module.cells.clone();
            cells.sort_by_key(|cell| cell.3);
            let expected = (0..count).map(|index| (index % 64, index / 64, 0, index as u8 + 1));
            assert_eq!(cells, expected.collect::<Vec<_>>());
        }
    }
}

#[test]
fn rates_are_exact_in_an_it_and_near_in_an_xm() {
    for rate in [1000, 8000, 8363, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000] {
        let sample = wide(vec![vec![1]], rate);
        assert_eq!(only(ModuleFormat::It, sample.clone(), PLAIN).rate, f64::from(rate));
        let found = only(ModuleFormat::Xm, sample, PLAIN).rate;
        assert!((found / f64::from(rate) - 1.0).abs() < 0.00023, "{found} of {rate}");
    }
}

#[test]
fn a_root_key_and_its_tuning_go_into_the_rate_at_middle_c() {
    let sample = |root, cents| {
        let (root, tuning) = (Key::new(root).unwrap(), Cents::new(cents).unwrap());
        wide(vec![vec![1]], 22_050).with_root(root, tuning)
    };
    for (root, cents, rate) in [(48, 0.0, 44_100), (72, 0.0, 11_025), (61, 0.0, 20_812), (60, 50.0, 21_422)] {
        assert_eq!(
            only(ModuleFormat::It, sample(root, cents), PLAIN).rate,
            f64::from(rate),
            "{root} {cents}"
        );
        let found = only(ModuleFormat::Xm, sample(root, cents), PLAIN).rate;
        assert!((found / f64::from(rate) - 1.0).abs() < 0.00026, "{found} of {rate}");
    }
}

#[test]
fn rates_that_a_format_cannot_state_are_refused_and_others_stay() {
    // The slowest and fastest that each has, and the next.
    for (format, rates, refused) in [
        (ModuleFormat::It, [1, 9_999_999], vec![10_000_000]),
        (ModuleFormat::Xm, [33, 2_000_000], vec![32, 2_200_000]),
    ] {
        let rates = rates.into_iter().chain(refused.iter().copied());
        let samples: Vec<Sample> = rates.map(|rate| wide(vec![vec![1, 2]], rate)).collect();
        let (bytes, added) = written(format, &samples, PLAIN);
        let are_refused: Vec<bool> = added.iter().map(Result::is_err).collect();
        assert_eq!(are_refused, [vec![false; 2], vec![true; refused.len()]].concat(), "{format}");
        let module = read(format, &bytes);
        assert_eq!((module.instruments.len(), module.samples.len()), (2, 2));
        assert_eq!(module.cells[..2], [(0, 0, 0, 1), (1, 0, 0, 2)]);
        // A field that was kept free for one more says that there is none.
        assert!(module.cells[2..].iter().all(|cell| cell.3 == 0));
    }
    let low = wide(vec![vec![1]], 20).with_root(Key::new(127).unwrap(), Cents::ZERO);
    let (_, added) = written(ModuleFormat::It, &[wide(vec![vec![1]], 9), low], PLAIN);
    assert!(matches!(added[1], Err(SoundRefusal::Rate { rate, .. }) if rate < 0.5), "{added:?}");
}

#[test]
fn widths_stay_up_to_16_bits_and_others_are_rounded() {
    for format in BOTH {
        let narrow = of(
            Recording::I16(Planes::new(vec![vec![-32_768, 0, 127 << 8, 256]]).unwrap()),
            Width::Eight,
            8000,
        );
        let sample = only(format, narrow, PLAIN);
        assert_eq!((sample.bits, &sample.planes[0][..]), (8, &[-128, 0, 127, 1][..]));
        let extremes = wide(vec![vec![-32_768, 32_767, -32_768, 0]], 8000);
        let sample = only(format, extremes, PLAIN);
        assert_eq!((sample.bits, &sample.planes[0][..]), (16, &[-32_768, 32_767, -32_768, 0][..]));
        for width in [Width::TwentyFour, Width::ThirtyTwo, Width::Float, Width::Double] {
            // Half a step is rounded away from zero, and what is too loud is clipped.
            let values = vec![1.0 / 65_536.0, -1.0 / 65_536.0, 0.4 / 32_768.0, 1.5, -1.0, 0.5];
            let float = of(Recording::F32(Planes::new(vec![values]).unwrap()), width, 8000);
            let (bytes, added) = written(format, &[float], PLAIN);
            assert_eq!(added, [Ok(LostDetail { width: true, loops: false })]);
            let sample = &read(format, &bytes).samples[0];
            assert_eq!((sample.bits, &sample.planes[0][..]), (16, &[1, -1, 0, 32_767, -32_768, 16_384][..]));
        }
        // More than two channels of 8 bits were mixed as floats.
        let mixed = of(Recording::F32(Planes::new(vec![vec![0.5, -1.0]]).unwrap()), Width::Eight, 8000);
        let (bytes, added) = written(format, &[mixed], PLAIN);
        assert_eq!(
            (added, &read(format, &bytes).samples[0].planes[0][..]),
            (vec![Ok(LostDetail::default())], &[64, -128][..])
        );
    }
}

#[test]
fn stereo_is_two_planes_or_their_mean() {
    let planes = vec![vec![1, 2, -32_768, 5], vec![2, -5, -32_768, 6]];
    for format in BOTH {
        let sample = only(format, wide(planes.clone(), 8000), PLAIN);
        assert_eq!(sample.planes, [[1, 2, -32_768, 5], [2, -5, -32_768, 6]]);
        let options = ModuleOptions { is_mono: true, ..PLAIN };
        let sample = only(format, wide(planes.clone(), 8000), options);
        assert_eq!(sample.planes, [[2, -2, -32_768, 6]]);
        let floats = Planes::new(vec![vec![0.5_f32, 1.0], vec![0.0, -1.0]]).unwrap();
        let sample = only(format, of(Recording::F32(floats), Width::Float, 8000), options);
        assert_eq!(sample.planes, [[8192, 0]]);
        let narrow = Planes::new(vec![vec![256_i16, 0], vec![512, -256]]).unwrap();
        let sample = only(format, of(Recording::I16(narrow), Width::Eight, 8000), options);
        assert_eq!((sample.bits, sample.planes), (8, vec![vec![2, -1]]));
    }
}

#[test]
fn loops_keep_their_frames_and_direction() {
    for format in BOTH {
        for planes in [vec![vec![1_i16; 9]], vec![vec![1; 9]; 2]] {
            for (mode, turns) in [(LoopMode::Forward, false), (LoopMode::PingPong, true)] {
                let sample = wide(planes.clone(), 8000).with_loops(vec![range(2, 7, mode)]).unwrap();
                let (bytes, added) = written(format, &[sample], PLAIN);
                assert_eq!(added, [Ok(LostDetail::default())]);
                let sample = &read(format, &bytes).samples[0];
                assert_eq!((sample.looping, sample.sustain), (Some((2, 7, turns)), None));
            }
        }
    }
}

#[test]
fn sustain_loops_are_kept_in_an_it_and_said_to_be_lost_in_an_xm() {
    let [forward, turning, last] =
        [(1, 3, LoopMode::Forward), (4, 8, LoopMode::PingPong), (0, 9, LoopMode::Forward)]
            .map(|(start, end, mode)| range(start, end, mode));
    let sustain = forward.sustaining();
    let (looped, held) = (Some((4, 8, true)), Some((1, 3, false)));
    for (loops, it, it_loses, xm, xm_loses) in [
        (vec![sustain, turning], (looped, held), false, looped, true),
        (vec![sustain], (None, held), false, None, true),
        (vec![turning, sustain], (looped, None), true, looped, true),
        (vec![sustain, turning, last], (looped, held), true, looped, true),
        (vec![turning, last], (looped, None), true, looped, true),
    ] {
        let sample = wide(vec![vec![0; 9]], 8000).with_loops(loops.clone()).unwrap();
        let (bytes, added) = written(ModuleFormat::It, std::slice::from_ref(&sample), PLAIN);
        let found = &read_it(&bytes).samples[0];
        assert_eq!(
            ((found.looping, found.sustain), added),
            (it, vec![Ok(LostDetail { loops: it_loses, width: false })])
        );
        let (bytes, added) = written(ModuleFormat::Xm, &[sample], PLAIN);
        let found = &read_xm(&bytes).samples[0];
        assert_eq!((found.looping, added), (xm, vec![Ok(LostDetail { loops: xm_loses, width: false })]));
    }
}

/// Writes one sound of a name.
fn named(format: ModuleFormat, title: &str, path: &str, last: &str) -> ReadModule {
    let mut out = Cursor::new(Vec::new());
    let mut module = SoundModule::new(format, &mut out, title, 1, PLAIN).unwrap();
    module.add(path, last, &wide(vec![vec![1]], 8000)).unwrap().unwrap();
    module.finish().unwrap();
    read(format, &out.into_inner())
}

#[test]
fn names_are_cut_to_their_fields_and_a_path_that_does_not_fit_gives_way_to_its_last_part() {
    for (format, room, title) in [(ModuleFormat::It, 25, 25), (ModuleFormat::Xm, 22, 20)] {
        let fits = "a".repeat(room);
        let module = named(format, &"t".repeat(99), &fits, "last");
        assert_eq!(module.title.len(), title);
        assert_eq!(
            (&module.instruments[0].0, &module.samples[0].name),
            (&fits.clone().into(), &fits.clone().into())
        );
        let module = named(format, "", &format!("{fits}b"), "last");
        assert_eq!((module.title.len(), &module.samples[0].name[..]), (0, &b"last"[..]));
        let module = named(format, "", &format!("Group.{fits}b"), &format!("{fits}b"));
        assert_eq!(module.samples[0].name, fits.as_bytes());
        // Letters of DOS, composed or not; those that it does not have; control characters.
        let module = named(format, "B\u{e4}r", "Gru\u{308}n.日本\0\n\u{7f}\u{1F600}e\u{301}", "x");
        assert_eq!(
            (&module.title[..], &module.samples[0].name[..]),
            (&b"B\x84r"[..], &b"Gr\x81n.______\x82"[..])
        );
        let module = named(format, "\0", "", "");
        assert_eq!((&module.title[..], module.samples[0].name.len()), (&b"_"[..], 0));
    }
}

#[test]
fn the_message_of_an_it_has_full_names_and_at_most_8000_bytes() {
    let full = format!("Weapons.{}", "long".repeat(40));
    assert_eq!(named(ModuleFormat::It, "", &full, "x").message, [format!("1  {full}").as_bytes()]);
    let mut out = Cursor::new(Vec::new());
    let mut module = SoundModule::new(ModuleFormat::It, &mut out, "", 99, PLAIN).unwrap();
    for number in 0..99 {
        let name = if number == 7 { "short".to_owned() } else { "n".repeat(2000) };
        module.add(&name, "x", &wide(vec![vec![1]], 8000)).unwrap().unwrap();
    }
    module.finish().unwrap();
    let message = read_it(&out.into_inner()).message;
    assert_eq!((message.len(), &message[7][..]), (99, &b"8  short"[..]));
    let bytes = message.iter().map(|line| line.len() + 1).sum::<usize>() + 1;
    assert!((7901..=8000).contains(&bytes), "{bytes}");
}

#[test]
fn a_module_takes_as_many_sounds_as_its_format_and_no_more() {
    for (format, most) in [(ModuleFormat::It, 99), (ModuleFormat::Xm, 128)] {
        assert_eq!([0, 1, most, most + 1, 2 * most + 1].map(|sounds| format.files(sounds)), [0, 1, 1, 2, 3]);
        let samples: Vec<Sample> = (0..=most).map(|_| wide(vec![vec![1]], 8000)).collect();
        let (bytes, added) = written(format, &samples, PLAIN);
        assert_eq!((added[most - 1], added[most]), (Ok(LostDetail::default()), Err(SoundRefusal::TooMany)));
        let module = read(format, &bytes);
        assert_eq!((module.samples.len(), module.cells.len(), module.channels), (most, most, 2));
    }
}

#[test]
fn a_module_without_a_sound_is_refused() {
    for format in BOTH {
        let mut out = Cursor::new(Vec::new());
        let module = SoundModule::new(format, &mut out, "", 3, PLAIN).unwrap();
        assert!(matches!(module.finish(), Err(ModuleError::Nothing)));
    }
}

#[test]
fn the_importer_reads_what_was_written() {
    let narrow = Recording::I16(Planes::new(vec![vec![256, -512, 768, 0]]).unwrap());
    let samples = [
        of(narrow, Width::Eight, 11_025),
        wide(vec![vec![5, -7, 9, 32_767], vec![1, 2, 3, 4]], 44_100)
            .with_loops(vec![range(1, 4, LoopMode::Forward)])
            .unwrap(),
        wide(vec![(0..20_000).map(|value| value as i16).collect()], 22_050)
            .with_loops(vec![range(5, 9000, LoopMode::PingPong)])
            .unwrap(),
    ];
    for format in BOTH {
        let (bytes, _) = written(format, &samples, PLAIN);
        let file = SoundFile::open(Memory(bytes), "Package", Budget::default()).unwrap();
        // Each sample, and the instrument that plays it.
        assert_eq!(file.sounds().len(), 6);
        for (sample, number) in samples.iter().zip(1..) {
            let found = file.sample(number).unwrap();
            assert_eq!((found.recording(), found.width()), (sample.recording(), sample.width()));
            assert_eq!(found.origin().name, format!("Group.S{number}"));
            let off = f64::from(found.rate().get()) / f64::from(sample.rate().get()) - 1.0;
            assert!(off.abs() < if format == ModuleFormat::It { 1e-9 } else { 0.00027 }, "{off}");
            let loops = |sample: &Sample| {
                let ends =
                    sample.loops().iter().map(|range| (range.start(), range.end(), range.mode().name()));
                ends.collect::<Vec<_>>()
            };
            assert_eq!(loops(&found), loops(sample));
            assert_eq!(file.sounds()[number + 2].plays(), [number]);
        }
        assert_eq!(file.module().unwrap().repairs.len(), 0);
        let module = file.module().unwrap().raw.to_song(Budget::CELLS).unwrap();
        let pattern = song::module::Pattern::referring_to(3);
        let cells =
            |pattern: &song::module::Pattern| -> Vec<_> { (0..64).map(|row| pattern.cell(row, 0)).collect() };
        assert_eq!(cells(&module.patterns[0]), cells(&pattern));
    }
}
