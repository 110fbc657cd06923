//! What is written for other samplers, read back by readers of our own.

use std::collections::BTreeMap;
use std::sync::Arc;

use exporter::sfz::{KeyAssignment, SampleForm};
use song::{
    Cents, Decibels, Frames, Hz, Instrument, Key, LoopCount, LoopMode, LoopRange, Node, Origin, Planes,
    RandomizedParams, Recording, Sample, SampleIndex, Sends, Song, SongParts, Weight, Zone, ZoneTree,
};

fn sample(name: &str, planes: Vec<Vec<i16>>, looping: Option<(u64, u64, LoopMode)>) -> Sample {
    let length = Frames::new(planes[0].len() as u64);
    let origin = Origin { package: "Test".into(), group: "Group".into(), name: name.into() };
    let recording = Recording::I16(Planes::new(planes).unwrap());
    let sample = Sample::new(origin, recording, song::Width::Sixteen, Hz::new(13_333).unwrap());
    let loops = looping.map(|(start, end, mode)| {
        LoopRange::new(Frames::new(start), Frames::new(end), length, mode, LoopCount::Forever).unwrap()
    });
    sample.with_loops(loops.into_iter().collect()).unwrap()
}

fn song(samples: Vec<Sample>, root: u8, tuning: f64) -> Song {
    let instrument = |(index, sample): (usize, &Sample)| Instrument {
        name: sample.origin().path(),
        tree: Zone::whole_keyboard(
            SampleIndex::new(index),
            Key::new(root).unwrap(),
            Cents::new(tuning).unwrap(),
        )
        .into(),
        ..Instrument::default()
    };
    let mut instruments: Vec<Instrument> = samples.iter().enumerate().map(instrument).collect();
    instruments.insert(0, Instrument { name: "Silent".into(), ..Instrument::default() });
    let samples = samples.into_iter().map(Arc::new).collect();
    Song::new(SongParts { name: "Test".into(), samples, instruments, ..SongParts::default() }).unwrap()
}

fn ramp(frames: i16) -> Vec<i16> {
    (1..=frames).collect()
}

/// A `SoundFont`, read as its specification says.
struct Font {
    smpl: Vec<i16>,
    tables: BTreeMap<[u8; 4], Vec<Vec<u8>>>,
}

fn u16_at(row: &[u8], at: usize) -> usize {
    u16::from_le_bytes([row[at], row[at + 1]]).into()
}

fn u32_at(row: &[u8], at: usize) -> usize {
    u32::from_le_bytes(row[at..at + 4].try_into().unwrap()) as usize
}

/// Ids and bodies; every size must be exact, every body even.
fn chunks(mut bytes: &[u8]) -> Vec<([u8; 4], &[u8])> {
    let mut chunks = Vec::new();
    while !bytes.is_empty() {
        let size = u32_at(bytes, 4);
        assert!(size.is_multiple_of(2) && 8 + size <= bytes.len(), "{size} of {}", bytes.len());
        chunks.push((bytes[..4].try_into().unwrap(), &bytes[8..8 + size]));
        bytes = &bytes[8 + size..];
    }
    chunks
}

impl Font {
    fn of(song: &Song) -> Self {
        let mut bytes = Vec::new();
        exporter::sf2::write(song, &mut bytes).unwrap();
        let riff = chunks(&bytes);
        assert_eq!((riff.len(), &riff[0].0, &riff[0].1[..4]), (1, b"RIFF", &b"sfbk"[..]));
        let lists = chunks(&riff[0].1[4..]);
        let kinds: Vec<&[u8]> = lists.iter().map(|(_, body)| &body[..4]).collect();
        assert_eq!(kinds, [b"INFO", b"sdta", b"pdta"]);
        let info: Vec<[u8; 4]> = chunks(&lists[0].1[4..]).iter().map(|(id, _)| *id).collect();
        assert_eq!(info, [*b"ifil", *b"isng", *b"INAM", *b"ISFT"]);
        let data = chunks(&lists[1].1[4..]);
        assert_eq!((data.len(), data[0].0), (1, *b"smpl"));
        let smpl = data[0].1.chunks_exact(2).map(|v| i16::from_le_bytes([v[0], v[1]])).collect();
        let sizes = [38, 4, 10, 4, 22, 4, 10, 4, 46];
        let names = [b"phdr", b"pbag", b"pmod", b"pgen", b"inst", b"ibag", b"imod", b"igen", b"shdr"];
        let found = chunks(&lists[2].1[4..]);
        assert_eq!(found.iter().map(|(id, _)| id).collect::<Vec<_>>(), names);
        let tables = found.iter().zip(sizes).map(|((id, body), size)| {
            assert!(body.len().is_multiple_of(size) && !body.is_empty());
            (*id, body.chunks(size).map(<[u8]>::to_vec).collect())
        });
        Self { smpl, tables: tables.collect() }
    }

    fn rows(&self, table: &[u8; 4]) -> &[Vec<u8>] {
        &self.tables[table]
    }

    /// Returns the generators of the zones of a preset's instrument as players see them: with those of the global zone
    /// and with the amounts that the specification gives to what is not stated.
    fn zones(&self, preset: usize) -> Vec<Vec<(usize, i16)>> {
        let bag = u16_at(&self.rows(b"phdr")[preset], 24);
        let generator = &self.rows(b"pgen")[u16_at(&self.rows(b"pbag")[bag], 0)];
        assert_eq!(u16_at(generator, 0), 41);
        let instrument = u16_at(generator, 2);
        let inst = self.rows(b"inst");
        let bags = u16_at(&inst[instrument], 20)..u16_at(&inst[instrument + 1], 20);
        let written = bags.map(|bag| {
            let ibag = self.rows(b"ibag");
            let generators = u16_at(&ibag[bag], 0)..u16_at(&ibag[bag + 1], 0);
            let row = |at: usize| &self.rows(b"igen")[at];
            generators.map(|at| (u16_at(row(at), 0), u16_at(row(at), 2) as i16)).collect()
        });
        let mut written: Vec<Vec<(usize, i16)>> = written.collect();
        let has_sample = |zone: &Vec<(usize, i16)>| zone.last().is_some_and(|(kind, _)| *kind == 53);
        let global = if has_sample(&written[0]) { Vec::new() } else { written.remove(0) };
        assert!(written.iter().all(has_sample), "a zone without a sample, or not last");
        let times = [21, 23, 25, 26, 27, 28, 30, 33, 34, 35, 36, 38].map(|kind| (kind, -12_000));
        let zeros = [17, 48, 51, 52, 54].map(|kind| (kind, 0));
        let others = [(43, 127 << 8), (44, 127 << 8), (8, 13_500), (56, 100)];
        for zone in &mut written {
            let ranges = zone.iter().rposition(|(kind, _)| matches!(kind, 43 | 44));
            assert!(ranges.is_none_or(|last| last < 2), "ranges come first: {zone:?}");
            for row in global.iter().chain(&times).chain(&zeros).chain(&others) {
                if zone.iter().all(|(kind, _)| *kind != row.0) {
                    zone.push(*row);
                }
            }
        }
        written
    }
}

/// Returns the start, end and loop of a sample's row.
fn places(row: &[u8]) -> [usize; 4] {
    [20, 24, 28, 32].map(|at| u32_at(row, at))
}

#[test]
fn a_font_has_a_preset_for_each_instrument_that_sounds() {
    let font = Font::of(&song(
        vec![sample("A", vec![ramp(100)], None), sample("B", vec![ramp(9)], None)],
        48,
        -25.0,
    ));
    assert_eq!(font.rows(b"phdr").len(), 4, "two, their kit, and the mark at the end");
    assert_eq!(&font.rows(b"phdr")[0][..8], b"Group.A\0");
    assert_eq!((u16_at(&font.rows(b"phdr")[1], 20), u16_at(&font.rows(b"phdr")[1], 22)), (1, 0));
    let zones = font.zones(1);
    assert_eq!(zones.len(), 1);
    // Of all falls by decibels one of 100 dB in 302 ms is closest to a straight fade of 50 ms.
    for expected in
        [(43, 127 << 8), (44, 127 << 8), (51, 0), (52, -25), (54, 0), (58, 48), (38, -2070), (53, 1)]
    {
        assert!(zones[0].contains(&expected), "{expected:?} of {:?}", zones[0]);
    }
}

#[test]
fn sends_to_the_reverb_are_in_both_formats_and_those_to_the_delay_are_a_loss() {
    let plain = song(vec![sample("A", vec![ramp(100)], None)], 60, 0.0);
    let sending = |reverb: Option<f32>, delay: Option<f32>| {
        let gain = |gain: Option<f32>| gain.map(|gain| Decibels::new(gain).unwrap());
        let sends = Sends { reverb: gain(reverb), delay: gain(delay) };
        let instruments = plain.instruments().iter().map(|own| Instrument { sends, ..own.clone() }).collect();
        Song::new(SongParts { samples: plain.samples().to_vec(), instruments, ..SongParts::default() })
            .unwrap()
    };
    for (reverb, delay, percent, generator, is_whole) in [
        (None, None, "", None, true),
        (Some(-20.0), None, "10", Some((16, 100)), true),
        (Some(0.0), Some(-6.0), "100", Some((16, 1000)), false),
        (Some(6.0), None, "100", Some((16, 1000)), false),
    ] {
        let song = sending(reverb, delay);
        assert_eq!(opcodes_of(&song, ["effect1", "lokey"]), [["0", percent, "0"]]);
        let zones = Font::of(&song).zones(0);
        assert_eq!(zones[0].iter().copied().find(|(kind, _)| *kind == 16), generator);
        let losses = [exporter::sfz::losses(&song), exporter::sf2::losses(&song)];
        assert!(losses.iter().all(|losses| losses.is_empty() == is_whole), "{losses:?}");
    }
}

#[test]
fn a_kit_has_a_key_for_each_sound_at_its_own_pitch_and_plays_it_to_its_end() {
    let looped = sample("B", vec![ramp(100)], Some((20, 80, LoopMode::Forward)));
    let font = Font::of(&song(vec![sample("A", vec![ramp(100)], None), looped], 48, -25.0));
    let kit = &font.rows(b"phdr")[2];
    assert_eq!((&kit[..4], u16_at(kit, 20), u16_at(kit, 22)), (&b"Kit\0"[..], 0, 128));
    let zones = font.zones(2);
    assert_eq!(zones.len(), 2);
    for (number, key) in [(0, 36), (1, 37)] {
        let own = [(43, key << 8 | key), (51, 0), (52, -25), (58, key), (53, number as i16)];
        assert!(own.iter().all(|wanted| zones[number].contains(wanted)), "{:?}", zones[number]);
    }
    assert!(zones[0].contains(&(38, 8000)), "as long as the format can");
    assert!(zones[1].contains(&(38, -2070)), "what loops ends with its key");
    // 64 sounds a kit, as on channel 10 here.
    let many = (0..65).map(|number| sample(&format!("S{number}"), vec![ramp(9)], None)).collect();
    let font = Font::of(&song(many, 60, 0.0));
    let rows = font.rows(b"phdr");
    let kits: Vec<_> = rows[..rows.len() - 1].iter().filter(|row| u16_at(row, 22) == 128).collect();
    assert_eq!(kits.iter().map(|row| u16_at(row, 20)).collect::<Vec<_>>(), [0, 1]);
    assert_eq!((font.zones(65).len(), font.zones(66).len()), (64, 1));
}

#[test]
fn samples_lie_apart_by_46_zeros_at_their_own_rate() {
    let font =
        Font::of(&song(vec![sample("A", vec![ramp(100)], None), sample("B", vec![ramp(9)], None)], 60, 0.0));
    let rows = font.rows(b"shdr");
    assert_eq!(&rows[2][..4], b"EOS\0");
    assert_eq!(
        (places(&rows[0])[..2].to_vec(), places(&rows[1])[..2].to_vec()),
        (vec![0, 100], vec![146, 155])
    );
    assert_eq!(u32_at(&rows[0], 36), 13_333);
    assert_eq!((font.smpl[..100].to_vec(), &font.smpl[100..146]), (ramp(100), &[0; 46][..]));
    assert_eq!(font.smpl.len(), 155 + 46);
}

#[test]
fn stereo_is_two_linked_samples_at_both_sides() {
    let font = Font::of(&song(vec![sample("A", vec![ramp(50), vec![-1; 50]], None)], 60, 0.0));
    let rows = font.rows(b"shdr");
    assert_eq!((u16_at(&rows[0], 42), u16_at(&rows[0], 44)), (1, 4));
    assert_eq!((u16_at(&rows[1], 42), u16_at(&rows[1], 44)), (0, 2));
    let zones = font.zones(0);
    assert!(zones[0].contains(&(17, -500)) && zones[0].contains(&(53, 0)));
    // As loud as one in the middle: 3 dB softer, which players make of 7.5.
    assert!(zones.iter().all(|zone| zone.contains(&(48, 75))), "{zones:?}");
    assert!(zones[1].contains(&(17, 500)) && zones[1].contains(&(53, 1)));
}

/// What a note held for long plays, by the frames of the font and by the frames of the sample.
#[test]
fn loops_of_any_length_and_kind_sound_as_they_did() {
    for (start, end, mode) in [
        (20, 80, LoopMode::Forward),
        (0, 100, LoopMode::Forward),
        (3, 4, LoopMode::Forward),
        (50, 57, LoopMode::Forward),
        (60, 100, LoopMode::PingPong),
        (0, 5, LoopMode::PingPong),
    ] {
        let font = Font::of(&song(vec![sample("A", vec![ramp(100)], Some((start, end, mode)))], 60, 0.0));
        let [first, last, loop_start, loop_end] = places(&font.rows(b"shdr")[0]);
        assert!(loop_start >= first + 8 && loop_end + 8 <= last && loop_end - loop_start >= 32);
        assert!(font.zones(0)[0].contains(&(54, 1)));
        let (start, end) = (start as usize, end as usize);
        let (mut at, mut own, mut back) = (first, 0, false);
        for frame in 0..1000 {
            assert_eq!(font.smpl[at], own as i16 + 1, "frame {frame} of {start}..{end} {mode:?}");
            at = if at + 1 == loop_end { loop_start } else { at + 1 };
            (own, back) = match (mode, back) {
                (LoopMode::Forward, _) if own + 1 == end => (start, false),
                (LoopMode::PingPong, false) if own + 1 == end => (own, true),
                (LoopMode::PingPong, true) if own == start => (own, false),
                (_, true) => (own - 1, true),
                _ => (own + 1, false),
            };
        }
        assert_eq!(font.smpl[loop_end..loop_end + 8], font.smpl[loop_start..loop_start + 8]);
        if start >= 8 {
            let before: Vec<i16> = (start - 7..=start).map(|frame| frame as i16).collect();
            assert_eq!(font.smpl[loop_start - 8..loop_start], before, "{start}..{end} {mode:?}");
        }
    }
}

#[test]
fn a_song_without_sound_makes_no_font() {
    let nothing = exporter::sf2::write(&song(Vec::new(), 60, 0.0), &mut Vec::new());
    assert!(matches!(nothing, Err(exporter::sf2::Sf2Error::Nothing)));
}

/// Returns the regions of an SFZ with the opcodes of their group.
fn regions(text: &str) -> Vec<BTreeMap<String, String>> {
    let (mut group, mut regions, mut in_region) = (BTreeMap::new(), Vec::new(), false);
    for line in text.lines().filter(|line| !line.starts_with("//")) {
        match line {
            "<control>" => {}
            "<group>" => (group, in_region) = (BTreeMap::new(), false),
            "<region>" => {
                regions.push(group.clone());
                in_region = true;
            }
            line => {
                // A file's name may have blanks in it.
                let opcodes: Vec<&str> =
                    if line.starts_with("sample=") { vec![line] } else { line.split_whitespace().collect() };
                for (name, value) in opcodes.into_iter().filter_map(|opcode| opcode.split_once('=')) {
                    let into = if in_region { regions.last_mut().unwrap() } else { &mut group };
                    into.insert(name.to_owned(), value.to_owned());
                }
            }
        }
    }
    regions
}

#[test]
fn an_sfz_has_a_region_per_zone_with_root_tuning_and_loop() {
    let looped = sample("A B", vec![ramp(100)], Some((20, 80, LoopMode::Forward)));
    let song = song(vec![looped, sample("C", vec![ramp(10)], None)], 48, -150.0);
    let text = exporter::sfz::text(&song, KeyAssignment::Selected, |index, _| {
        Some(format!("Sample {}.wav", index.get()))
    });
    let regions = regions(&text);
    assert_eq!(regions.len(), 2);
    for (opcode, value) in [
        ("sample", "Sample 0.wav"),
        ("lokey", "0"),
        ("hikey", "127"),
        ("pitch_keycenter", "48"),
        ("transpose", "-1"),
        ("tune", "-50"),
        ("loop_mode", "loop_continuous"),
        ("loop_start", "20"),
        ("loop_end", "79"),
        ("locc16", "0"),
        ("hicc16", "1"),
    ] {
        assert_eq!(regions[0].get(opcode).map(String::as_str), Some(value), "{opcode}");
    }
    assert_eq!((regions[1]["loop_mode"].as_str(), regions[1]["locc16"].as_str()), ("no_loop", "2"));
}

#[test]
fn a_loop_that_the_release_ends_is_followed_by_the_rest_of_the_recording() {
    let plain = sample("A", vec![ramp(100)], Some((10, 14, LoopMode::PingPong)));
    let loops = plain.loops().iter().map(|range| range.sustaining()).collect();
    let left = plain.with_loops(loops).unwrap();
    let unrolled = exporter::sfz::unrolled(&left).unwrap();
    let Recording::I16(planes) = unrolled.recording() else { panic!("as wide as it was") };
    let Recording::I16(own) = left.recording() else { panic!("as wide as it was") };
    let end = unrolled.loops()[0].end().index();
    // Forward and back, until the loop is long enough; then what comes after its end.
    assert_eq!(
        planes.left()[10..18],
        [&own.left()[10..14], &[13, 12, 11, 10].map(|at| own.left()[at])].concat()
    );
    assert_eq!(planes.left()[end..], own.left()[14..]);
    let parts = |sample| {
        let zone = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, Cents::ZERO);
        let instruments = vec![Instrument { tree: zone.into(), ..Instrument::default() }];
        let samples = vec![Arc::new(sample)];
        Song::new(SongParts { samples, instruments, ..SongParts::default() }).unwrap()
    };
    let song = parts(left);
    assert_eq!(opcodes_of(&song, ["loop_mode", "loop_start"]), [["0u", "loop_sustain", "10"]]);
    let font = Font::of(&song);
    assert!(font.zones(0)[0].contains(&(54, 3)), "{:?}", font.zones(0)[0]);
}

/// Returns one instrument of a part that a test makes of the zones of four samples.
fn of_part(tree: impl FnOnce([Zone; 4]) -> ZoneTree) -> Song {
    let names = ["A", "B", "C", "D"];
    let samples = names.map(|name| Arc::new(sample(name, vec![ramp(100)], None))).to_vec();
    let zone = |index| Zone::whole_keyboard(SampleIndex::new(index), Key::C4, Cents::ZERO);
    let tree = tree([zone(0), zone(1), zone(2), zone(3)]);
    let instruments = vec![Instrument { name: "Cue".into(), tree, ..Instrument::default() }];
    Song::new(SongParts { name: "Test".into(), samples, instruments, ..SongParts::default() }).unwrap()
}

fn at_random(trees: Vec<(f32, ZoneTree)>) -> ZoneTree {
    let trees = trees.into_iter().map(|(weight, tree)| (Weight::new(weight).unwrap(), tree)).collect();
    ZoneTree::new(Node::Random { children: trees, with_replacement: false }).unwrap()
}

/// Returns the sample, and some of its opcodes.
fn opcodes_of(song: &Song, opcodes: [&str; 2]) -> Vec<[String; 3]> {
    let text = exporter::sfz::text(song, KeyAssignment::Selected, |index, form| {
        let end = if form == SampleForm::Unrolled { "u" } else { "" };
        Some(format!("{}{end}", index.get()))
    });
    let value =
        |region: &BTreeMap<String, String>, opcode: &str| region.get(opcode).cloned().unwrap_or_default();
    regions(&text).iter().map(|r| ["sample", opcodes[0], opcodes[1]].map(|opcode| value(r, opcode))).collect()
}

#[test]
fn an_sfz_gives_parts_in_turn_their_place_in_a_sequence_also_within_one_another() {
    let song = of_part(|[a, b, c, d]| {
        let inner = ZoneTree::new(Node::RoundRobin(vec![b.into(), c.into()])).unwrap();
        ZoneTree::new(Node::RoundRobin(vec![a.into(), inner, d.into()])).unwrap()
    });
    let expected = [["0", "3", "1"], ["1", "6", "2"], ["2", "6", "5"], ["3", "3", "3"]];
    assert_eq!(opcodes_of(&song, ["seq_length", "seq_position"]), expected);
}

#[test]
fn an_sfz_gives_parts_at_random_their_share_and_none_to_those_without_weight() {
    let song = of_part(|[a, b, c, d]| {
        let inner = at_random(vec![(1.0, b.into()), (1.0, c.into())]);
        at_random(vec![(1.0, a.into()), (3.0, inner), (0.0, d.into())])
    });
    let expected =
        [["0", "0.000000", "0.250000"], ["1", "0.250000", "0.625000"], ["2", "0.625000", "1.000000"]];
    assert_eq!(opcodes_of(&song, ["lorand", "hirand"]), expected);
}

#[test]
fn an_sfz_varies_pitch_to_both_sides_and_volume_from_its_lowest_up() {
    let varied = |[a, ..]: [Zone; 4]| {
        let cents = |cents| Cents::new(cents).unwrap();
        let decibels = |decibels| Decibels::new(decibels).unwrap();
        let variation =
            RandomizedParams::new(cents(-100.0)..=cents(300.0), decibels(-6.0)..=decibels(2.0)).unwrap();
        ZoneTree::new(Node::Randomized(variation, Box::new(a.into()))).unwrap()
    };
    assert_eq!(opcodes_of(&of_part(varied), ["transpose", "pitch_random"]), [["0", "1", "200.0"]]);
    // Half of 0.9439 and 1.1892 is 1.0665, which is 111.5 cents.
    assert_eq!(opcodes_of(&of_part(varied), ["tune", "pitch_random"]), [["0", "12", "200.0"]]);
    assert_eq!(opcodes_of(&of_part(varied), ["volume", "amp_random"]), [["0", "-6.000", "8.00"]]);
}

#[test]
fn what_varies_as_much_up_as_down_is_at_its_own_pitch_and_gain_in_the_middle() {
    let varied = |[a, ..]: [Zone; 4]| {
        let (cents, gain) =
            (|ratio| Cents::from_ratio(ratio).unwrap(), |gain| Decibels::from_gain(gain).unwrap());
        let within = |low, high, tree| {
            let variation = RandomizedParams::new(cents(low)..=cents(high), gain(0.9)..=gain(1.1)).unwrap();
            ZoneTree::new(Node::Randomized(variation, Box::new(tree))).unwrap()
        };
        within(0.5, 1.5, within(0.95, 1.05, a.into()))
    };
    assert_eq!(opcodes_of(&of_part(varied), ["transpose", "tune"]), [["0", "0", "0"]]);
    let zone = &Font::of(&of_part(varied)).zones(0)[0];
    assert!([(51, 0), (52, 0), (48, 0)].iter().all(|expected| zone.contains(expected)), "{zone:?}");
}

#[test]
fn a_font_with_gains_above_0_db_is_softer_as_a_whole() {
    let attenuations = |gains: [f32; 4]| -> Vec<i16> {
        let layers = |zones: [Zone; 4]| {
            let at = |(zone, gain): (Zone, f32)| zone.at(Decibels::new(gain).unwrap(), song::Pan::CENTRE);
            ZoneTree::layered(zones.into_iter().zip(gains).map(at))
        };
        let font = Font::of(&of_part(layers));
        font.zones(0).iter().map(|zone| zone.iter().find(|(kind, _)| *kind == 48).unwrap().1).collect()
    };
    assert_eq!(attenuations([12.0, 0.0, 6.0, -3.0]), [0, 300, 150, 375]);
    assert_eq!(attenuations([-1.0, -2.0, -3.0, -4.0]), [25, 50, 75, 100], "what is soft stays so");
}

#[test]
fn a_zone_without_end_is_a_loop_over_all_of_its_sample_for_others_too() {
    let song = of_part(|[a, ..]| a.loop_whole().into());
    assert_eq!(opcodes_of(&song, ["loop_start", "loop_end"]), [["0u", "8", "107"]]);
    let font = Font::of(&song);
    assert!(font.zones(0)[0].contains(&(54, 1)), "it loops");
    let (start, end) = (u32_at(&font.tables[b"shdr"][0], 28), u32_at(&font.tables[b"shdr"][0], 32));
    assert_eq!(end - start, 100);
}

#[test]
fn a_sound_font_has_the_most_likely_of_what_is_chosen_among_and_all_layers() {
    let song = of_part(|[a, b, c, d]| {
        let random = at_random(vec![(1.0, a.into()), (2.0, b.into())]);
        let turn = ZoneTree::new(Node::RoundRobin(vec![c.into(), d.into()])).unwrap();
        ZoneTree::new(Node::Layer(vec![random, turn])).unwrap()
    });
    assert!(exporter::sf2::chooses(&song.instruments()[0]));
    let font = Font::of(&song);
    assert_eq!(font.zones(0).len(), 2);
    let names: Vec<_> = font.tables[b"shdr"].iter().map(|row| row[..8].to_vec()).collect();
    assert_eq!(names[..2], [b"Group.B\0".to_vec(), b"Group.C\0".to_vec()], "no more samples than are needed");
    assert!(!exporter::sf2::chooses(&of_part(|[a, b, ..]| ZoneTree::layered([a, b])).instruments()[0]));
}

#[test]
fn a_loop_that_not_every_player_can_play_goes_into_a_file_of_its_own() {
    let values = |sample: &Sample| {
        let Recording::I16(planes) = sample.recording() else { panic!() };
        planes.left().to_vec()
    };
    for (start, end, mode, form) in [
        (20, 80, LoopMode::Forward, SampleForm::AsIs),
        (8, 100, LoopMode::Forward, SampleForm::AsIs),
        (7, 100, LoopMode::Forward, SampleForm::Unrolled),
        (20, 80, LoopMode::PingPong, SampleForm::Unrolled),
    ] {
        let looped = sample("A", vec![ramp(100)], Some((start, end, mode)));
        let zone = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, Cents::ZERO);
        assert_eq!(exporter::sfz::form(&zone, &looped), form, "{start}..{end} {mode:?}");
        let unrolled = exporter::sfz::unrolled(&looped).unwrap();
        let (values, range) = (values(&unrolled), unrolled.loops()[0]);
        let (loop_start, loop_end) = (range.start().index(), range.end().index());
        assert!(range.mode() == LoopMode::Forward && loop_start >= 8 && loop_end + 8 <= values.len());
        assert_eq!(
            values[loop_start..loop_start + 8],
            values[loop_end..loop_end + 8],
            "what follows is the loop again"
        );
        assert_eq!(values[..end as usize], ramp(100)[..end as usize]);
    }
}

#[test]
fn an_sfz_leaves_out_what_has_no_file() {
    let song = song(vec![sample("A", vec![ramp(10)], None), sample("B", vec![ramp(10)], None)], 60, 0.0);
    let text = exporter::sfz::text(&song, KeyAssignment::Selected, |index, _| {
        (index.get() == 1).then(|| "B.wav".to_owned())
    });
    let regions = regions(&text);
    assert_eq!(regions.len(), 1);
    assert_eq!(regions[0]["sample"], "B.wav");
    assert!(!regions[0].contains_key("locc16"), "one instrument needs no choice");
}

#[test]
fn a_kit_has_a_key_for_each_instrument_at_its_own_pitch() {
    let samples: Vec<Sample> = (0..95).map(|_| sample("A", vec![vec![5; 10]], None)).collect();
    let kit = |count: usize| {
        let song = fixtures::songs::of(samples[..count].to_vec());
        exporter::sfz::text(&song, KeyAssignment::Kit, |index, _| Some(format!("{}.wav", index.get())))
    };
    let text = kit(3);
    assert!(!text.contains("cc16"), "nothing has to be chosen: {text}");
    for (region, key) in regions(&text).iter().zip(36..) {
        let keys = ["lokey", "hikey", "pitch_keycenter"].map(|opcode| region[opcode].as_str());
        assert_eq!(keys, [key.to_string().as_str(); 3], "{region:?}");
        assert_eq!((region["transpose"].as_str(), region["tune"].as_str()), ("0", "0"));
    }
    let text = kit(95);
    let regions = regions(&text);
    assert_eq!((regions[91]["lokey"].as_str(), regions[92]["lokey"].as_str()), ("127", "36"));
    assert_eq!(text.matches("locc16=0 hicc16=1").count(), 92);
    assert_eq!(text.matches("locc16=2 hicc16=3").count(), 3);
}
