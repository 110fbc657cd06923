//! Saved instruments: sounds of several files, played as a document says.

use std::path::Path;
use std::sync::Arc;

use fixtures::package::PackageWriter;
use fixtures::soundfont::wave;
use fixtures::wave::{Values, Wave};
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use importer::probe::probe;
use importer::{Error, FileKind, SavedInstrument, Sound, SoundFile, Status, StoredVoicing};
use song::{
    Articulation, Cents, Decibels, Envelope, FilterKind, FilterShape, FrameRange, Frames, Key, Node, Pan,
    SamplerArticulation, Sends, Shape, Song, SoundDefaults, Velocity, VoiceMode, Voicing, Zone,
};

const PATH: &str = "Kits/a.toml";

/// Returns files in memory: the document, a package of two sounds, and files of audio.
fn files(text: &str) -> Arc<dyn Files> {
    let ramp: Vec<i16> = (0..100).collect();
    let stereo = Wave::new(22_050, 2, Values::I16(vec![7; 200])).finish();
    let mut package = PackageWriter::new(69);
    let drums = package.group("Drums", None);
    package.sound("Kick", Some(drums), "WAV", &Wave::new(11_025, 1, Values::I16(ramp)).finish());
    package.sound("Snare", Some(drums), "WAV", &wave(400));
    let all: MemoryFiles = [
        (PATH, text.as_bytes().to_vec()),
        ("Game/Drums.uax", package.finish()),
        ("Kits/b.wav", stereo),
        ("Kits/text.txt", b"not a sound".to_vec()),
        ("Kits/other.toml", b"[instrument]\n".to_vec()),
    ]
    .into_iter()
    .collect();
    Arc::new(all)
}

fn open(text: &str) -> Result<SoundFile, Error> {
    let options = OpenOptions::default();
    let opened = OpenedFile::open(&files(text), Path::new(PATH), &options);
    match opened {
        Ok(opened) => opened.sounds(&options),
        Err(importer::open::OpenError::Sounds(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

fn song(text: &str) -> Song {
    open(text).unwrap().import().unwrap().songs.into_iter().next().unwrap()
}

fn names(file: &SoundFile) -> Vec<String> {
    file.sounds().iter().map(Sound::path).collect()
}

/// Returns an instrument with one zone of the first sound of the package.
fn with_zone(fields: &str) -> String {
    format!("[instrument]\n[[zone]]\nfile = \"../Game/Drums.uax\"\nnumber = 1\n{fields}")
}

fn zone(fields: &str) -> (Zone, Song) {
    let song = song(&with_zone(fields));
    let zones = song.instruments()[0].zones().into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(zones.len(), 1, "{fields}");
    (zones[0].clone(), song)
}

fn articulation(fields: &str) -> SamplerArticulation {
    let (zone, song) = zone(fields);
    match &song.articulations()[zone.articulation().unwrap().get()] {
        Articulation::Sampler(articulation) => articulation.clone(),
        Articulation::Tracker(_) => panic!("not a sampler's"),
    }
}

fn error(text: &str) -> String {
    open(text).err().unwrap().to_string()
}

#[test]
fn a_saved_instrument_is_known_by_its_first_table() {
    let kind = |text: &str| probe(text.as_bytes(), text.len() as u64);
    assert_eq!(kind("# mine\n\n[instrument]\n"), FileKind::SavedInstrument);
    assert_eq!(kind("\u{FEFF}[instrument]"), FileKind::SavedInstrument);
    for other in ["[package]\nname = \"x\"", "# [instrument]", "instrument", ""] {
        assert_ne!(kind(other), FileKind::SavedInstrument, "{other}");
    }
}

#[test]
fn its_first_sound_is_the_instrument_and_the_others_are_what_it_plays() {
    let file = open(
        "[instrument]\nname = \"Two files\"\n\
         [[zone]]\nfile = \"../Game/Drums.uax\"\nname = \"Drums.Snare\"\nlokey = \"C2\"\nhikey = 36\n\
         [[zone]]\nfile = \"b.wav\"\nnumber = 1\nlokey = \"D2\"\nhikey = \"E2\"\nlovel = 64\n",
    )
    .unwrap();
    assert_eq!(names(&file), ["Two files", "Drums.Drums.Snare", "b.b"]);
    assert_eq!(file.kind(), "saved instrument");
    assert_eq!(file.sounds()[0].plays(), [2, 3]);
    let song = file.import().unwrap().songs.remove(0);
    assert_eq!(song.instruments().len(), 3);
    let covered = |key: u8, velocity: u8| {
        let (key, velocity) = (Key::new(key).unwrap(), Velocity::new(velocity).unwrap());
        let zones = song.instruments()[0].zones();
        let zones = zones.iter().filter(|zone| zone.covers(key, velocity));
        zones.map(|zone| song.samples()[zone.sample().get()].rate().get()).collect::<Vec<_>>()
    };
    let snare = song.samples()[0].rate().get();
    assert_eq!([covered(36, 1), covered(37, 1)], [vec![snare], vec![]]);
    assert_eq!(
        [covered(38, 63), covered(38, 64), covered(40, 127), covered(41, 127)],
        [vec![], vec![22_050], vec![22_050], vec![]]
    );
    // The recordings can be played by themselves.
    assert_eq!(song.instruments()[2].zones()[0].sample(), song.instruments()[0].zones()[1].sample());
    assert_eq!(file.sample(3).unwrap().length(), Frames::new(100));
}

#[test]
fn a_sound_is_found_by_its_name_where_its_number_is_anothers() {
    let played = |fields: &str| {
        let file = open(&format!("[instrument]\n[[zone]]\nfile = \"../Game/Drums.uax\"\n{fields}")).unwrap();
        let missing: Vec<String> = file.missing().iter().map(|remark| remark.text.clone()).collect();
        (names(&file).get(1).cloned(), missing)
    };
    let snare = (Some("Drums.Drums.Snare".to_owned()), Vec::new());
    assert_eq!(played("number = 2\nname = \"Drums.Snare\""), snare);
    assert_eq!(played("number = 1\nname = \"Drums.Snare\""), snare);
    assert_eq!(played("name = \"Drums.Snare\""), snare);
    assert_eq!(played("number = 2"), snare);
    let gone = (None, vec!["no such sound in ../Game/Drums.uax".to_owned()]);
    assert_eq!(played("number = 1\nname = \"Drums.Tom\""), gone);
    assert_eq!(played("number = 3"), gone);
}

#[test]
fn what_cannot_be_opened_is_named_and_the_rest_plays() {
    let file = open(
        "[instrument]\n\
         [[zone]]\nfile = \"gone.uax\"\nname = \"Drums.Tom\"\n\
         [[zone]]\nfile = \"text.txt\"\nnumber = 2\n\
         [[zone]]\nfile = \"other.toml\"\nnumber = 1\n\
         [[zone]]\nfile = \"b.wav\"\nnumber = 1\n",
    )
    .unwrap();
    let missing: Vec<(&str, &str)> =
        file.missing().iter().map(|remark| (&*remark.object, &*remark.text)).collect();
    assert_eq!(missing[0].0, "Drums.Tom");
    assert!(missing[0].1.starts_with("cannot read Kits/gone.uax: "), "{}", missing[0].1);
    assert_eq!(missing[1].0, "#2 of text.txt");
    assert!(missing[1].1.starts_with("text.txt: neither an Unreal package"), "{}", missing[1].1);
    assert_eq!(missing[2].1, "other.toml is a saved instrument itself");
    assert_eq!(missing.len(), 3);
    assert_eq!(names(&file), ["a", "b.b"]);
    // Without any zone it is there, and silent.
    assert!(matches!(open("[instrument]\n").unwrap().sounds()[0].status, Status::Empty(_)));
}

#[test]
fn zones_have_the_gain_pan_root_and_tuning_that_they_are_saved_with() {
    let (zone, _) = zone("gain = -6.0\npan = -0.5\ntune = 30.0\nroot_key = 36\n");
    assert_eq!((zone.gain().get(), zone.pan().get(), zone.root().get()), (-6.0, -0.5, 36));
    assert_eq!(zone.transposition(Key::new(48).unwrap()).get(), 1230.0);
}

#[test]
fn recordings_are_trimmed_and_looped_as_they_are_saved() {
    let trimmed = with_zone("trim_start = 10\ntrim_end = 60\nloop_start = 20\nloop_end = 40\n");
    let file = open(&trimmed).unwrap();
    assert_eq!(file.sounds()[1].audio().unwrap().frames, Some(50));
    let sample = file.sample(2).unwrap();
    let loops: Vec<(u64, u64)> =
        sample.loops().iter().map(|range| (range.start().get(), range.end().get())).collect();
    assert_eq!((sample.length(), loops), (Frames::new(50), vec![(10, 30)]));
    let song::Recording::I16(planes) = sample.recording() else { panic!("not 16 bits") };
    assert_eq!(planes.left()[..2], [10, 11]);
    // The same recording, once as it is and once trimmed, is two parts; the same trim twice is one.
    let two = format!("{trimmed}[[zone]]\nfile = \"../Game/Drums.uax\"\nnumber = 1\n");
    assert_eq!(open(&two).unwrap().sounds().len(), 3);
    let same = format!("{trimmed}{}", trimmed.strip_prefix("[instrument]\n").unwrap());
    assert_eq!(open(&same).unwrap().sounds().len(), 2);
}

#[test]
fn attack_release_and_filter_are_those_of_the_zone() {
    let plain = articulation("attack = 20\nrelease = 300\n");
    let note = song::NotePlayed { key: Key::C4, velocity: Velocity::HIGHEST };
    let points = |envelope: &song::SegmentEnvelope| -> Vec<(f32, f32)> {
        envelope.segments().iter().map(|segment| (segment.time.of(note), segment.level)).collect()
    };
    assert_eq!(points(&plain.amplitude), [(0.02, 1.0), (0.3, 0.0)]);
    assert_eq!(plain.filter, None);
    let filtered = articulation("[zone.shape]\nfilter = \"HP 24\"\ncutoff = 400.0\nchoke = 3\n");
    let filter = filtered.filter.unwrap();
    assert_eq!((filter.kind, filter.cutoff), (FilterKind::HighPass4, 400.0));
    assert_eq!(song::Choke::shared_number(filtered.choke.group), Some(3));
    assert_eq!(zone("gain = -1.0").0.articulation(), None);
}

#[test]
fn zones_of_the_same_round_robin_take_turns() {
    let text = with_zone("round_robin = \"x\"\n[[zone]]\nfile = \"b.wav\"\nnumber = 1\n")
        + "[[zone]]\nfile = \"../Game/Drums.uax\"\nnumber = 2\nround_robin = \"x\"\n";
    let song = song(&text);
    let Node::Layer(parts) = song.instruments()[0].tree.node() else { panic!("not layered") };
    let [alone, turns] = &parts[..] else { panic!("{} parts", parts.len()) };
    assert!(matches!(alone.node(), Node::Zone(_)));
    assert!(matches!(turns.node(), Node::RoundRobin(turns) if turns.len() == 2));
}

#[test]
fn its_notes_are_mono_and_glide_if_it_says_so() {
    let song =
        song("[instrument]\nmode = \"legato\"\nglide = 0.25\n[[zone]]\nfile = \"b.wav\"\nnumber = 1\n");
    let mode = |index: usize| (song.instruments()[index].voice_mode, song.instruments()[index].glide);
    assert_eq!(mode(0), (VoiceMode::Legato, std::time::Duration::from_millis(250)));
    assert_eq!(mode(1), (VoiceMode::Poly, std::time::Duration::ZERO));
}

#[test]
fn its_notes_send_to_effects_if_it_says_so() {
    let song = song("[instrument]\nreverb_send = -12\n[[zone]]\nfile = \"b.wav\"\nnumber = 1\n");
    let reverb = Some(Decibels::new(-12.0).unwrap());
    assert_eq!(song.instruments()[0].sends, Sends { reverb, delay: None });
    assert_eq!(song.instruments()[1].sends, Sends::default());
}

#[test]
fn a_wrong_document_is_refused_with_line_or_zone() {
    for (text, expected) in [
        ("[instrument]\nname = 3", "a.toml: line 2: invalid type: integer `3`, expected a string"),
        ("[instrument]\n[[zone]]\nnumber = 1", "a.toml: zone 1: missing field `file`"),
        ("[instrument]\nmode = \"chord\"", "a.toml: unknown mode `chord`"),
        ("[instrument]\nglide = -1.0", "a.toml: glide: no time in seconds"),
        ("[instrument]\ndelay_send = nan", "a.toml: delay_send: no gain in decibels"),
        (&with_zone("lokey = \"H2\""), "a.toml: zone 1: lokey is no key"),
        (&with_zone("hivel = 128"), "a.toml: zone 1: hivel is no velocity"),
        (
            &with_zone("lokey = 60\nhikey = 59"),
            "a.toml: zone 1: its keys or velocities end before they begin",
        ),
        (&with_zone("[zone.shape]\nwarmth = 3"), "a.toml: zone 1: unknown parameter `warmth`"),
        (
            &with_zone("[zone.shape]\nreverb_send = -6.0"),
            "a.toml: zone 1: mode, glide, reverb_send and delay_send are of a whole instrument",
        ),
        (
            &with_zone("[zone.shape]\nglide = 0.1"),
            "a.toml: zone 1: mode, glide, reverb_send and delay_send are of a whole instrument",
        ),
        ("[instrument]\n[[zone]]\nfile = \"b.wav\"", "a.toml: zone 1: neither number nor name of a sound"),
    ] {
        assert_eq!(error(text), expected);
    }
    let misspelt = error(&with_zone("gian = 3"));
    assert!(misspelt.starts_with("a.toml: zone 1: unknown field `gian`"), "{misspelt}");
}

#[test]
fn what_is_written_is_read_again() {
    let voicing = Voicing {
        gain: Decibels::new(-3.5).unwrap(),
        pan: Pan::new(0.25).unwrap(),
        tune: Cents::new(-12.5).unwrap(),
        root_shift: -24,
        looping: Some(true),
        trim: Some(FrameRange { start: Frames::new(1), end: Frames::new(90) }),
        envelope: Some(Envelope { attack: std::time::Duration::from_millis(7), ..Envelope::default() }),
        shape: Shape {
            filter: FilterShape { kind: Some(FilterKind::Notch2), cutoff: 1234.5, ..FilterShape::default() },
            sustain: 0.3,
            ..Shape::default()
        },
        ..Voicing::default()
    };
    let defaults = SoundDefaults::default();
    let zone = importer::SavedZone {
        keys: Key::new(10).unwrap()..=Key::new(20).unwrap(),
        velocities: Velocity::new(3).unwrap()..=Velocity::HIGHEST,
        round_robin: Some("snares [x]".to_owned()),
        ..importer::SavedZone::new(
            "a \"b\".uax".into(),
            7,
            StoredVoicing::of(&voicing, "G.[shape]", &defaults),
        )
    };
    let plain = importer::SavedZone::new("b.wav".into(), 1, StoredVoicing::default());
    let saved = SavedInstrument {
        name: "A = \"b\"".to_owned(),
        voice_mode: VoiceMode::Mono,
        glide: std::time::Duration::from_millis(30),
        sends: Sends { reverb: Some(Decibels::new(-9.5).unwrap()), delay: None },
        zones: vec![zone, plain],
    };
    let text = saved.to_toml().unwrap();
    let read = SavedInstrument::parse(&text, "x").unwrap();
    assert_eq!((&read.name, read.voice_mode, read.glide), (&saved.name, saved.voice_mode, saved.glide));
    assert_eq!(read.sends, saved.sends);
    let [one, other] = &read.zones[..] else { panic!("{text}") };
    assert_eq!(
        (&one.file, one.number, &one.round_robin),
        (&saved.zones[0].file, Some(7), &saved.zones[0].round_robin)
    );
    assert_eq!((&one.keys, &one.velocities), (&saved.zones[0].keys, &saved.zones[0].velocities));
    assert_eq!((&*one.voicing.name, one.voicing.voicing(&defaults)), ("G.[shape]", voicing));
    assert_eq!(
        (other.keys.clone(), other.voicing.voicing(&defaults)),
        (Key::LOWEST..=Key::HIGHEST, Voicing::default())
    );
}

#[test]
fn a_document_that_is_cut_or_damaged_is_refused_or_plays_what_is_left() {
    let whole =
        with_zone("lokey = \"C2\"\ntrim_start = 3\ntrim_end = 90\n[zone.shape]\nfilter = \"LP 12\"\n");
    for end in 0..whole.len() {
        let _ = open(&whole[..end]);
    }
    for at in 0..whole.len() {
        for bit in [0, 3, 6] {
            let mut bytes = whole.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            if let Ok(text) = String::from_utf8(bytes) {
                let _ = open(&text).map(|file| file.import().unwrap());
            }
        }
    }
}

#[test]
fn a_document_takes_no_more_memory_than_it_may() {
    let zone = with_zone("").strip_prefix("[instrument]\n").unwrap().to_owned() + "\n";
    let many = format!("[instrument]\n{}", zone.repeat(150_000));
    let refused = open(&many).err().unwrap().to_string();
    assert!(refused.contains("zones"), "{refused}");
    let files: String =
        (0..200).map(|number| format!("[[zone]]\nfile = \"{number}/../b.wav\"\nnumber = 1\n")).collect();
    let file = open(&format!("[instrument]\n{files}")).unwrap();
    assert_eq!(file.missing().len(), 200 - 128);
}
