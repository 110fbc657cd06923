//! `SoundFonts`: what the specification says of a generator is what the song has.

use fixtures::soundfont::{Font, FontSample, FontZone, varied};
use importer::{Budget, Error, Sound, SoundFile, Status};
use song::{
    Articulation, FilterKind, Frames, Instrument, Key, NotePlayed, SamplerArticulation, SegmentCurve, Song,
    Velocity, VelocityGain, Zone,
};
use unreal::Memory;

fn open(font: &Font) -> SoundFile {
    SoundFile::open(Memory(font.finish()), "Bank", Budget::default()).unwrap()
}

fn import(font: &Font) -> Song {
    let imported = open(font).import().unwrap();
    assert!(imported.report.skipped.is_empty(), "{:?}", imported.report.skipped);
    imported.songs.into_iter().next().unwrap()
}

fn ramp() -> FontSample {
    FontSample::new("Ramp", (0..400).collect(), (100, 300))
}

/// Returns the song of a bank with one zone of these generators.
fn of_zone(generators: &[(u16, i16)]) -> Song {
    let mut zone = FontZone::of(generators);
    zone.generators.push((53, 0));
    import(&Font::single(vec![zone], ramp()))
}

fn zones(instrument: &Instrument) -> Vec<&Zone> {
    instrument.zones()
}

fn articulation(song: &Song) -> &SamplerArticulation {
    let index = zones(&song.instruments()[0])[0].articulation().unwrap();
    match &song.articulations()[index.get()] {
        Articulation::Sampler(articulation) => articulation,
        Articulation::Tracker(_) => panic!("not a sampler's"),
    }
}

fn key(key: u8) -> Key {
    Key::new(key).unwrap()
}

#[test]
fn presets_come_before_samples_in_the_order_of_their_programs() {
    let mut font = varied();
    font.presets.reverse();
    let file = open(&font);
    let listed: Vec<(usize, String, &str)> =
        file.sounds().iter().map(|sound| (sound.number, sound.path(), sound.class.name())).collect();
    let row = |number, name: &str, class| (number, name.to_owned(), class);
    assert_eq!(
        listed,
        [
            row(1, "Keys", "Instrument"),
            row(2, "Kit", "Instrument"),
            row(3, "Low", "Sample"),
            row(4, "High", "Sample"),
            row(5, "Low (no loop)", "Sample"),
        ]
    );
    assert_eq!(file.sounds()[1].notes, ["bank 128, program 0, a drum kit"]);
    assert_eq!(file.sounds()[0].plays(), [3, 4]);
}

#[test]
fn values_of_both_levels_are_added_and_the_zone_itself_replaces_the_global_one() {
    let song = import(&varied());
    let keys = &song.instruments()[0];
    assert_eq!(zones(keys).len(), 2);
    let zone = zones(keys)[0];
    // 50 of the instrument and 25 of the preset, of which players apply 0.4; half of 6 dB of resonance.
    assert!((zone.gain().get() + 0.4 * 7.5 + 3.0).abs() < 1e-4, "{:?}", zone.gain());
    assert_eq!(zone.transposition(key(60)).get(), 1200.0);
    assert!((zone.pan().get() + std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
    assert_eq!(zone.keys(), &(key(0)..=key(59)));
}

#[test]
fn ranges_of_both_levels_are_shared() {
    let mut font = Font::single(vec![FontZone::of(&[(43, 20 | 80 << 8), (53, 0)])], ramp());
    font.presets[0].3 = vec![
        FontZone::of(&[(43, 60 | 100 << 8), (44, 64 | 127 << 8), (41, 0)]),
        FontZone::of(&[(43, 90 | 100 << 8), (41, 0)]),
    ];
    let song = import(&font);
    let zones = zones(&song.instruments()[0]);
    assert_eq!(zones.len(), 1);
    assert_eq!(zones[0].keys(), &(key(60)..=key(80)));
    assert_eq!(zones[0].velocities(), &(Velocity::new(64).unwrap()..=Velocity::HIGHEST));
}

#[test]
fn tuning_scale_and_root_place_a_key() {
    let mut sample = ramp();
    sample.pitch = (64, -20);
    let zone = FontZone::of(&[(51, 2), (52, 30), (56, 50), (53, 0)]);
    let song = import(&Font::single(vec![zone], sample.clone()));
    let transposed =
        |song: &Song, pressed| zones(&song.instruments()[0])[0].transposition(key(pressed)).get();
    assert_eq!([64, 66].map(|pressed| transposed(&song, pressed)), [210.0, 310.0]);
    let zone = FontZone::of(&[(58, 48), (53, 0)]);
    let song = import(&Font::single(vec![zone], sample));
    assert_eq!(transposed(&song, 60), 1180.0);
}

#[test]
fn the_volume_envelope_has_its_times_and_levels() {
    // 1 s, 2 s, 0.5 s, 4 s, −20 dB, 0.25 s; the hold halves with each octave.
    let song = of_zone(&[(33, 0), (34, 1200), (35, -1200), (36, 2400), (37, 200), (38, -2400), (39, 100)]);
    let amplitude = &articulation(&song).amplitude;
    let at = |pressed: u8| -> Vec<(f32, f32)> {
        let of = |segment: &song::EnvelopeSegment| {
            (
                segment.time.of(NotePlayed { key: key(pressed), velocity: Velocity::HIGHEST }),
                (segment.level * 1e4).round() / 1e4,
            )
        };
        amplitude.segments().iter().map(of).collect()
    };
    assert_eq!(amplitude.start(), 0.0);
    assert_eq!(at(60), [(1.0, 0.0), (2.0, 1.0), (0.5, 1.0), (4.0, 0.1), (0.25, 0.0)]);
    assert_eq!(at(72)[2].0, 0.25);
    assert_eq!(amplitude.release(), Some(4));
    let curves: Vec<SegmentCurve> = amplitude.segments().iter().map(|segment| segment.curve).collect();
    assert_eq!(curves[1], SegmentCurve::Linear);
    assert_eq!(curves[3..], [SegmentCurve::Decibels(100.0); 2]);
}

#[test]
fn a_zone_that_says_nothing_begins_at_once() {
    let song = of_zone(&[]);
    let articulation = articulation(&song);
    assert_eq!((articulation.amplitude.start(), articulation.amplitude.segments().len()), (1.0, 1));
    assert!(
        articulation.filter.is_none() && articulation.lfos.is_empty() && articulation.envelopes.is_empty()
    );
    assert!(zones(&song.instruments()[0])[0].response().is_none());
}

#[test]
fn filter_lfos_and_modulation_envelope_are_in_hertz_seconds_and_cents() {
    let song = of_zone(&[
        (8, 6900),
        (9, 100),
        (5, 50),
        (10, -600),
        (13, 20),
        (22, 0),
        (21, 0),
        (6, 25),
        (24, 1200),
        (7, 300),
        (11, 1200),
        (29, 250),
    ]);
    let articulation = articulation(&song);
    let filter = articulation.filter.unwrap();
    assert_eq!(filter.kind, FilterKind::LowPass2);
    // 6900 cents are A4.
    assert!((filter.cutoff - 440.0).abs() < 0.1, "{}", filter.cutoff);
    assert!((20.0 * filter.q.log10() - 6.99).abs() < 0.01);
    let [slow, vibrato] = &articulation.lfos[..] else { panic!("two LFOs") };
    assert!((slow.lfo.frequency - 8.176).abs() < 1e-3 && (vibrato.lfo.frequency - 16.352).abs() < 1e-3);
    assert_eq!((slow.lfo.delay, vibrato.lfo.delay), (1.0, 0.0));
    assert_eq!((slow.depths.pitch, slow.depths.cutoff, slow.depths.gain), (50.0, -600.0, 2.0));
    assert_eq!(vibrato.depths.pitch, 25.0);
    let [envelope] = &articulation.envelopes[..] else { panic!("one envelope") };
    assert_eq!((envelope.depths.pitch, envelope.depths.cutoff), (300.0, 1200.0));
    let levels: Vec<f32> = envelope.envelope.segments().iter().map(|segment| segment.level).collect();
    assert_eq!(levels, [0.75, 0.0]);
}

#[test]
fn zones_of_one_exclusive_class_end_each_other() {
    let choke = articulation(&of_zone(&[(57, 7)])).choke;
    assert_eq!((choke.group, choke.ended_by), (7, 7));
}

#[test]
fn loops_follow_the_modes_of_zones_and_their_offsets() {
    let zone = |generators: &[(u16, i16)]| {
        let mut zone = FontZone::of(generators);
        zone.generators.push((53, 0));
        zone
    };
    let modes = vec![
        zone(&[(54, 1)]),
        zone(&[(54, 0)]),
        zone(&[(54, 3)]),
        zone(&[(54, 1), (2, 50), (3, -50), (0, 30)]),
        zone(&[(54, 1), (1, -100)]),
    ];
    let song = import(&Font::single(modes, ramp()));
    let of = |zone: &&Zone| {
        let sample = &song.samples()[zone.sample().get()];
        let looping = sample
            .loops()
            .first()
            .map(|range| (range.start().get(), range.end().get(), range.is_sustaining()));
        (sample.length().get(), looping)
    };
    let heard: Vec<_> = zones(&song.instruments()[0]).iter().map(of).collect();
    assert_eq!(
        heard,
        [
            (400, Some((100, 300, false))),
            (400, None),
            (400, Some((100, 300, true))),
            (400, Some((150, 250, false))),
            (300, Some((100, 300, false))),
        ]
    );
    let offsets: Vec<Frames> = zones(&song.instruments()[0])
        .iter()
        .map(|zone| match &song.articulations()[zone.articulation().unwrap().get()] {
            Articulation::Sampler(articulation) => articulation.offset,
            Articulation::Tracker(_) => Frames::ZERO,
        })
        .collect();
    assert_eq!(offsets[2..4], [Frames::ZERO, Frames::new(30)]);
}

#[test]
fn a_modulator_of_the_instrument_replaces_the_usual_law_of_velocities() {
    let half = FontZone::of(&[(53, 0)]).with_modulator([0x0502, 48, 480, 0, 0]);
    let song = import(&Font::single(vec![half], ramp()));
    let zone = zones(&song.instruments()[0])[0];
    let gain = zone.note_gain(Key::C4, Velocity::new(64).unwrap());
    // Half of the usual decibels.
    assert!((gain - 64.0 / 127.0).abs() < 1e-4, "{gain}");
    let none = FontZone::of(&[(53, 0)]).with_modulator([0x0502, 48, 0, 0, 0]);
    let song = import(&Font::single(vec![none], ramp()));
    let response = zones(&song.instruments()[0])[0].response().unwrap().clone();
    assert!(matches!(response.velocity_gain, VelocityGain::Curve(_)));
    assert_eq!(response.gain(Key::C4, Velocity::new(1).unwrap()), 1.0);
}

#[test]
fn modulators_of_the_note_move_filter_and_attack_and_others_are_remarked() {
    let zone = FontZone::of(&[(8, 6900), (34, 0), (53, 0)])
        .with_modulator([0x0002, 8, 2400, 0, 0])
        .with_modulator([0x0102, 34, 1200, 0, 0])
        .with_modulator([0x0081, 8, 1200, 0, 0]);
    let imported = open(&Font::single(vec![zone], ramp())).import().unwrap();
    let song = &imported.songs[0];
    assert_eq!(articulation(song).filter.unwrap().by_velocity, 2400.0);
    let attack = articulation(song).amplitude.segments()[0].time;
    let at = |velocity| attack.of(NotePlayed { key: Key::C4, velocity: Velocity::new(velocity).unwrap() });
    assert_eq!([at(0), at(127)], [2.0, 1.0]);
    let remarks: Vec<&str> = imported.report.repaired.iter().map(|remark| &*remark.text).collect();
    assert_eq!(remarks, ["modulator of initialFilterFc by controller 1: 1 zone, not played"]);
}

#[test]
fn frames_of_24_bits_are_whole() {
    let mut font =
        Font::single(vec![FontZone::of(&[(53, 0)])], FontSample::new("Wide", vec![0, 1, -1], (0, 0)));
    font.low_bits = Some([vec![128, 0, 255], vec![0; 46]].concat());
    let song = import(&font);
    let song::Recording::F32(planes) = song.samples()[0].recording() else { panic!("not float") };
    let scale = 8_388_608.0;
    assert_eq!(planes.left(), [128.0 / scale, 256.0 / scale, -1.0 / scale]);
}

#[test]
fn samples_may_be_whole_files() {
    // Any file that is decoded will do; in real banks they are Ogg.
    let file = fixtures::soundfont::wave(50);
    let sample = FontSample { file: Some(file), ..FontSample::new("File", Vec::new(), (10, 40)) };
    let song = import(&Font::single(vec![FontZone::of(&[(54, 1), (53, 0)])], sample));
    assert_eq!(song.samples()[0].length().get(), 50);
    let looping = song.samples()[0].loops()[0];
    assert_eq!((looping.start().get(), looping.end().get()), (10, 40));
}

#[test]
fn samples_that_are_not_there_are_damaged_and_their_zones_left_out() {
    let mut bytes = Font::single(vec![FontZone::of(&[(53, 0)])], ramp()).finish();
    let at = bytes.windows(4).position(|window| window == b"shdr").unwrap() + 8;
    bytes[at + 24..at + 28].copy_from_slice(&9000_u32.to_le_bytes());
    let file = SoundFile::open(Memory(bytes), "Bank", Budget::default()).unwrap();
    let status = |sound: &Sound| sound.status.name();
    assert_eq!(file.sounds().iter().map(status).collect::<Vec<_>>(), ["empty", "damaged"]);
}

#[test]
fn every_prefix_is_an_error_or_a_bank_and_says_where_it_breaks() {
    let whole = varied().finish();
    for length in 0..whole.len() {
        let bytes = whole[..length].to_vec();
        if let Ok(file) = SoundFile::open(Memory(bytes), "Bank", Budget::default()) {
            drop(file.import());
        }
    }
    let at = whole.windows(4).position(|window| window == b"inst").unwrap();
    let mut broken = whole;
    broken[at..at + 4].copy_from_slice(b"none");
    match SoundFile::open(Memory(broken), "Bank", Budget::default()) {
        Err(Error::Bank(error)) => assert_eq!(error.what, "table inst is missing"),
        other => panic!("{:?}", other.map(|_| ())),
    }
}

#[test]
fn flipped_bytes_never_break_the_reader() {
    let whole = varied().finish();
    for at in 0..whole.len() {
        for flipped in [0xFF, 0x80, 0x01] {
            let mut bytes = whole.clone();
            bytes[at] ^= flipped;
            if let Ok(file) = SoundFile::open(Memory(bytes), "Bank", Budget::default()) {
                drop(file.import());
            }
        }
    }
}

#[test]
fn many_zones_of_many_zones_are_bounded() {
    let zones = |count, last: (u16, i16)| vec![FontZone::of(&[last]); count];
    let mut font = Font::single(zones(6000, (53, 0)), ramp());
    font.presets[0].3 = zones(6000, (41, 0));
    let file = open(&font);
    assert!(matches!(file.sounds()[0].status, Status::Unsupported(_)), "{}", file.sounds()[0].status);
    assert_eq!(file.sounds()[1].status, Status::Ok);
}

#[test]
fn a_chunk_of_odd_length_may_lack_its_pad_byte() {
    let bytes = Font::single(vec![FontZone::of(&[(53, 0)])], ramp()).finish();
    let at = |name: &[u8]| bytes.windows(4).position(|window| window == name).unwrap();
    let (list, frames) = (at(b"sdta") - 4, at(b"smpl") + 4);
    let size = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let end = frames + 4 + size(frames) as usize;
    let mut shorter = bytes.clone();
    for at in [4, list, frames] {
        shorter[at..at + 4].copy_from_slice(&(size(at) - 1).to_le_bytes());
    }
    shorter.remove(end - 1);
    for font in [bytes, shorter] {
        let file = SoundFile::open(Memory(font), "Bank", Budget::default()).unwrap();
        assert_eq!(file.sounds().len(), 2);
    }
}

#[test]
fn an_exported_bank_moves_and_sounds_as_the_one_that_it_came_from() {
    // Attack, hold, decay and release of both envelopes, hold and decay by keys, a resonant filter, both LFOs.
    let own = [
        (8, 6000),
        (9, 120),
        (11, 2400),
        (25, -7000),
        (26, -2400),
        (27, -1200),
        (28, 1200),
        (29, 400),
        (30, -600),
        (31, 50),
        (32, -30),
        (33, -6000),
        (34, -4000),
        (35, -2000),
        (36, 2400),
        (37, 300),
        (38, -800),
        (39, 20),
        (40, -10),
        (48, 100),
        (6, 30),
        (24, -500),
        (23, -3000),
    ];
    let before = of_zone(&own);
    let mut written = std::io::Cursor::new(Vec::new());
    exporter::sf2::write(&before, &mut written).unwrap();
    let file = SoundFile::open(Memory(written.into_inner()), "Bank", Budget::default()).unwrap();
    let after = file.import().unwrap().songs.into_iter().next().unwrap();
    assert!(exporter::sf2::losses(&before).is_empty());
    // Releases fall in decibels: a straight shape stated for the group would reach into its regions.
    let file = |_, _| Some("a.wav".to_owned());
    let sfz = exporter::sfz::text(&before, exporter::sfz::KeyAssignment::Selected, file);
    let preset = sfz.split("// 1: ").next().unwrap();
    assert!(preset.contains("ampeg_release=") && !preset.contains("release_shape"), "{sfz}");
    let near = |one: f32, other: f32| (one - other).abs() <= 0.002 * one.abs().max(0.05);
    let (one, other) = (articulation(&before), articulation(&after));
    let pairs =
        [(&one.amplitude, &other.amplitude), (&one.envelopes[0].envelope, &other.envelopes[0].envelope)];
    for (one, other) in pairs {
        assert_eq!(one.segments().len(), other.segments().len());
        for (one, other) in one.segments().iter().zip(other.segments()) {
            assert!(
                near(one.time.base, other.time.base) && near(one.level, other.level),
                "{one:?} {other:?}"
            );
            assert!(near(one.time.by_key, other.time.by_key), "{one:?} {other:?}");
        }
    }
    assert_eq!(one.envelopes[0].depths, other.envelopes[0].depths);
    let (filter, again) = (one.filter.unwrap(), other.filter.unwrap());
    assert!(near(filter.cutoff, again.cutoff) && near(filter.q, again.q));
    let gain = |song: &Song| zones(&song.instruments()[0])[0].gain().get();
    // 100 of attenuation, of which players apply 0.4, and half of 12 dB of resonance.
    assert!(near(gain(&before), -10.0) && near(gain(&after), -10.0), "{} {}", gain(&before), gain(&after));
}

#[test]
fn nothing_is_louder_than_its_recording_whatever_the_attenuation_says() {
    // 20 dB below nothing, of which players apply 0.4: 8 dB, which the velocity takes first.
    let song = of_zone(&[(48, -200_i16)]);
    let zone = zones(&song.instruments()[0])[0];
    assert_eq!(zone.gain().get(), 0.0);
    let VelocityGain::Curve(curve) = &zone.response().unwrap().velocity_gain else { panic!("no curve") };
    let decibels = |velocity: usize| 20.0 * curve[velocity].log10();
    assert!(decibels(127) == 0.0 && decibels(100) == 0.0);
    // The usual law: 40 dB for a tenth of the velocity.
    let usual = 40.0 * (30.0_f32 / 127.0).log10();
    assert!((decibels(30) - (usual + 8.0)).abs() < 0.3, "{} {usual}", decibels(30));
}
