//! SFZ files: what the documents say of an opcode is what the song has.

use std::path::Path;
use std::sync::Arc;

use fixtures::soundfont::wave;
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use importer::{Error, FileKind, SoundFile, Status};
use song::{
    Articulation, ChokeMode, FilterKind, Key, LfoShape, LoopMode, Node, NotePlayed, SamplerArticulation,
    SegmentCurve, Song, Trigger, Velocity, Zone,
};

/// Returns a bank in memory: its text, and what it names.
fn files(text: &str, others: &[(&str, Vec<u8>)]) -> Arc<dyn Files> {
    let own = [("Bank/a.sfz".to_owned(), text.as_bytes().to_vec())];
    let wave = [("Bank/a.wav".to_owned(), wave(400))];
    let others = others.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.clone()));
    let all: MemoryFiles = own.into_iter().chain(wave).chain(others).collect();
    Arc::new(all)
}

fn open_with(text: &str, others: &[(&str, Vec<u8>)]) -> Result<SoundFile, Error> {
    let options = OpenOptions::default();
    OpenedFile::open(&files(text, others), Path::new("Bank/a.sfz"), &options).unwrap().sounds(&options)
}

fn open(text: &str) -> SoundFile {
    open_with(text, &[]).unwrap()
}

fn import(text: &str) -> Song {
    open(text).import().unwrap().songs.into_iter().next().unwrap()
}

fn remarks(text: &str) -> Vec<String> {
    let report = open(text).import().unwrap().report;
    report.repaired.into_iter().map(|remark| remark.text).collect()
}

/// Returns the zone of a region with these opcodes.
fn zone(opcodes: &str) -> Zone {
    let song = import(&format!("<region> sample=a.wav {opcodes}"));
    song.instruments()[0].zones()[0].clone()
}

/// Returns how the notes of a region with these opcodes move.
fn articulation(opcodes: &str) -> SamplerArticulation {
    let song = import(&format!("<region> sample=a.wav {opcodes}"));
    let index = song.instruments()[0].zones()[0].articulation().unwrap();
    match &song.articulations()[index.get()] {
        Articulation::Sampler(articulation) => articulation.clone(),
        Articulation::Tracker(_) => panic!("not a sampler's"),
    }
}

fn key(key: u8) -> Key {
    Key::new(key).unwrap()
}

fn velocity(velocity: u8) -> Velocity {
    Velocity::new(velocity).unwrap()
}

fn near(value: f32, expected: f32) {
    assert!((value - expected).abs() < 1e-4 * expected.abs().max(1.0), "{value} for {expected}");
}

/// Returns the times and levels of an envelope at a velocity.
fn points(envelope: &song::SegmentEnvelope, at: u8) -> Vec<(f32, f32)> {
    let note = NotePlayed { key: Key::C4, velocity: velocity(at) };
    envelope.segments().iter().map(|segment| (segment.time.of(note), segment.level)).collect()
}

#[test]
fn keys_and_velocities_have_numbers_and_names() {
    let of = |opcodes| {
        let zone = zone(opcodes);
        (zone.keys().clone(), zone.velocities().clone(), zone.root())
    };
    let all = Velocity::LOWEST..=Velocity::HIGHEST;
    assert_eq!(of("lokey=c3 hikey=C#4"), (key(48)..=key(61), all.clone(), key(60)));
    assert_eq!(of("key=e4 lovel=10 hivel=20"), (key(64)..=key(64), velocity(10)..=velocity(20), key(64)));
    assert_eq!(of("key=40 pitch_keycenter=52"), (key(40)..=key(40), all.clone(), key(52)));
    let moved = import("<control> note_offset=1 octave_offset=-1 <region> sample=a.wav key=60");
    assert_eq!(moved.instruments()[0].zones()[0].keys(), &(key(49)..=key(49)));
}

#[test]
fn the_nearest_header_counts() {
    let song = import(
        "<global> volume=1 pan=10 <master> volume=2 <group> volume=3 <region> sample=a.wav
        <region> sample=a.wav volume=4 <group> <region> sample=a.wav",
    );
    let gains: Vec<f32> = song.instruments()[0].zones().iter().map(|zone| zone.gain().get()).collect();
    assert_eq!(gains, [3.0, 4.0, 2.0]);
}

#[test]
fn gain_pan_and_pitch_are_in_decibels_percent_and_cents() {
    let gain = |opcodes| zone(opcodes).gain().get();
    near(gain("volume=-6"), -6.0);
    near(gain("amplitude=50"), -6.0206);
    near(gain("volume=3 group_volume=-1 master_volume=2 global_volume=-2"), 2.0);
    near(zone("pan=-50").pan().get(), -0.5);
    assert_eq!(zone("transpose=-2 tune=30").transposition(key(60)).get(), -170.0);
    assert_eq!(zone("pitch_keytrack=50").transposition(key(70)).get(), 500.0);
    assert_eq!(zone("pitch_veltrack=1200").note_transposition(key(60), velocity(127)).get(), 1200.0);
}

#[test]
fn velocities_and_keys_track_gain_and_pan() {
    let gain = |opcodes, pressed, struck| zone(opcodes).note_gain(key(pressed), velocity(struck));
    near(gain("amp_veltrack=0", 60, 1), 1.0);
    near(gain("amp_veltrack=100", 60, 64), (64.0_f32 / 127.0).powi(2));
    near(gain("amp_veltrack=-100", 60, 127), 0.0);
    near(gain("amp_velcurve_100=1 amp_velcurve_50=0.5", 60, 75), 0.75);
    near(gain("amp_velcurve_100=1", 60, 50), 0.5);
    near(gain("amp_keytrack=-6 amp_keycenter=50", 60, 127), 10.0_f32.powf(-3.0));
    near(zone("pan_keytrack=5 pan_keycenter=50").note_pan(key(60), velocity(1)), 0.5);
    near(zone("pan_veltrack=50").note_pan(key(60), velocity(127)), 0.5);
}

#[test]
fn crossfades_rise_and_fall_by_their_curve() {
    let gain = |opcodes: &str, pressed, struck| {
        zone(&format!("amp_veltrack=0 {opcodes}")).note_gain(key(pressed), velocity(struck))
    };
    let fade = "xfin_lokey=40 xfin_hikey=50 xf_keycurve=gain";
    assert_eq!([40, 45, 50].map(|pressed| gain(fade, pressed, 64)), [0.0, 0.5, 1.0]);
    near(gain("xfout_lokey=40 xfout_hikey=50", 45, 64), 0.5_f32.sqrt());
    near(gain("xfin_lovel=0 xfin_hivel=100 xf_velcurve=gain", 60, 25), 0.25);
    near(gain("xfout_lovel=0 xfout_hivel=100 xf_velcurve=gain", 60, 25), 0.75);
}

#[test]
fn the_envelope_of_the_amplitude_is_in_seconds_and_percent() {
    let articulation = articulation(
        "ampeg_delay=0.5 ampeg_start=10 ampeg_attack=1 ampeg_hold=2 ampeg_decay=3 ampeg_sustain=40
        ampeg_release=4 ampeg_vel2attack=-0.5",
    );
    let amplitude = &articulation.amplitude;
    near(amplitude.start(), 0.1);
    assert_eq!(points(amplitude, 0), [(0.5, 0.1), (1.0, 1.0), (2.0, 1.0), (3.0, 0.4), (4.0, 0.0)]);
    assert_eq!(points(amplitude, 127)[1], (0.5, 1.0));
    assert_eq!(amplitude.release(), Some(4));
    assert_eq!(amplitude.segments()[1].curve, SegmentCurve::Linear);
    assert_eq!(amplitude.segments()[3].curve, SegmentCurve::Decibels(69.486_7));
}

#[test]
fn a_one_shot_does_not_hear_the_key_released() {
    let articulation = articulation("loop_mode=one_shot ampeg_release=1");
    assert_eq!((articulation.amplitude.release(), articulation.amplitude.start()), (None, 1.0));
}

#[test]
fn envelopes_of_filter_and_pitch_move_cents() {
    let articulation = articulation(
        "cutoff=1000 fileg_depth=1200 fileg_attack=1 fileg_sustain=50 fileg_vel2depth=-600 pitcheg_depth=-100
        pitcheg_decay=2 pitcheg_sustain=0",
    );
    let [filter, pitch] = &articulation.envelopes[..] else { panic!("two envelopes") };
    assert_eq!((filter.depths.cutoff, filter.by_velocity.cutoff), (1200.0, -600.0));
    assert_eq!(points(&filter.envelope, 0)[0], (1.0, 1.0));
    assert_eq!(pitch.depths.pitch, -100.0);
    assert_eq!(points(&pitch.envelope, 0)[0], (2.0, 0.0));
}

#[test]
fn envelopes_of_version_2_have_points_shapes_and_a_sustain() {
    let articulation = articulation(
        "eg01_time1=0.5 eg01_level1=1 eg01_shape1=3 eg01_time2=1 eg01_level2=0.5 eg01_time3=2 eg01_level3=0
        eg01_sustain=2 eg01_pitch=1200 eg01_amplitude=50",
    );
    let [one] = &articulation.envelopes[..] else { panic!("one envelope") };
    assert_eq!((one.depths.pitch, one.depths.amplitude), (1200.0, 0.5));
    assert_eq!(one.envelope.start(), 0.0);
    assert_eq!(points(&one.envelope, 0), [(0.5, 1.0), (1.0, 0.5), (2.0, 0.0)]);
    assert_eq!(one.envelope.segments()[0].curve, SegmentCurve::Power(3.0));
    assert_eq!(one.envelope.release(), Some(2));
}

#[test]
fn envelopes_of_version_2_loop_and_follow_the_velocity() {
    let articulation = articulation(
        "eg1_time0=0 eg1_level0=0.25 eg1_time1=1 eg1_level1=1 eg1_time2=1 eg1_level2=0 eg1_time3=1 eg1_level3=0
        eg1_loop=0 eg1_sustain=2 eg1_cutoff=100 eg1_cutoff_oncc131=600",
    );
    let one = &articulation.envelopes[0];
    assert_eq!((one.envelope.start(), one.envelope.held_loop()), (0.25, Some((0, 1))));
    assert_eq!((one.depths.cutoff, one.by_velocity.cutoff), (100.0, 600.0));
}

#[test]
fn lfos_of_both_versions_have_rate_delay_fade_wave_and_depth() {
    let first = articulation("pitchlfo_freq=5 pitchlfo_depth=30 pitchlfo_delay=1 pitchlfo_fade=2");
    let lfo = first.lfos[0];
    assert_eq!((lfo.lfo.frequency, lfo.lfo.delay, lfo.lfo.fade), (5.0, 1.0, 2.0));
    assert_eq!((lfo.lfo.shape, lfo.depths.pitch), (LfoShape::Sine, 30.0));
    assert_eq!(articulation("amplfo_freq=5 amplfo_depth=3").lfos[0].depths.gain, 3.0);
    assert_eq!(articulation("fillfo_freq=5 fillfo_depth=100").lfos[0].depths.cutoff, 100.0);
    let second = articulation("lfo02_freq=2 lfo02_wave=7 lfo02_phase=0.25 lfo02_pan=50 lfo02_volume=-3");
    let lfo = second.lfos[0];
    assert_eq!((lfo.lfo.shape, lfo.lfo.phase), (LfoShape::SawDown, 0.25));
    assert_eq!((lfo.depths.pan, lfo.depths.gain), (0.5, -3.0));
}

#[test]
fn filters_have_kind_cutoff_resonance_and_tracking() {
    let filter = articulation(
        "cutoff=500 fil_type=hpf_4p resonance=6 fil_keytrack=100 fil_keycenter=48 fil_veltrack=-1200",
    );
    let filter = filter.filter.unwrap();
    assert_eq!((filter.kind, filter.cutoff), (FilterKind::HighPass4, 500.0));
    near(20.0 * filter.q.log10(), 6.0);
    assert_eq!((filter.by_key, filter.key_centre, filter.by_velocity), (100.0, key(48), -1200.0));
    let kinds = ["lpf_1p", "lpf_2p", "lpf_4p", "hpf_1p", "hpf_2p", "bpf_2p", "brf_2p"];
    let kind = |kind| articulation(&format!("cutoff=500 fil_type={kind}")).filter.unwrap().kind;
    assert_eq!(
        kinds.map(kind),
        [
            FilterKind::LowPass1,
            FilterKind::LowPass2,
            FilterKind::LowPass4,
            FilterKind::HighPass1,
            FilterKind::HighPass2,
            FilterKind::BandPass2,
            FilterKind::Notch2,
        ]
    );
    assert!(articulation("resonance=6").filter.is_none());
    assert_eq!(
        remarks("<region> sample=a.wav cutoff=5 fil_type=comb"),
        ["fil_type=comb: 1 region, not played"]
    );
}

#[test]
fn groups_end_each_other() {
    let choke = articulation("group=1 off_by=2 off_mode=normal").choke;
    assert_eq!((choke.group, choke.ended_by, choke.mode), (1, 2, ChokeMode::Release));
    assert_eq!(articulation("off_by=2").choke.mode, ChokeMode::Fast);
}

#[test]
fn loops_and_ends_are_stated_inclusively() {
    let sample = |opcodes: &str| {
        let song = import(&format!("<region> sample=a.wav {opcodes}"));
        let sample = &song.samples()[0];
        let range = sample.loops().first().copied();
        let range = range.map(|r| (r.start().get(), r.end().get(), r.is_sustaining(), r.mode()));
        (sample.length().get(), range)
    };
    let forward = LoopMode::Forward;
    assert_eq!(sample(""), (400, None));
    assert_eq!(
        sample("loop_mode=loop_continuous loop_start=100 loop_end=199"),
        (400, Some((100, 200, false, forward)))
    );
    assert_eq!(
        sample("loopmode=loop_sustain loopstart=100 loopend=199 loop_type=alternate"),
        (400, Some((100, 200, true, LoopMode::PingPong)))
    );
    assert_eq!(sample("loop_mode=loop_continuous"), (400, Some((0, 400, false, forward))));
    assert_eq!(sample("end=299"), (300, None));
    assert_eq!(articulation("offset=55").offset.get(), 55);
}

#[test]
fn the_loop_of_a_file_counts_unless_the_region_says_no() {
    let values = fixtures::wave::Values::I16(vec![5; 200]);
    let looped = fixtures::wave::Wave::new(8000, 1, values).looped(50, 149).finish();
    let loops = |opcodes: &str| {
        let text = format!("<region> sample=l.wav {opcodes}");
        let file = open_with(&text, &[("Bank/l.wav", looped.clone())]).unwrap();
        let song = file.import().unwrap().songs.remove(0);
        song.samples()[0].loops().first().map(|range| (range.start().get(), range.end().get()))
    };
    assert_eq!(loops(""), Some((50, 150)));
    assert_eq!(loops("loop_mode=no_loop"), None);
    assert_eq!(loops("loop_end=99"), Some((50, 100)));
}

#[test]
fn notes_are_drawn_counted_and_switched() {
    let conditions = |opcodes| zone(opcodes).conditions().cloned().unwrap();
    assert_eq!(conditions("lorand=0.25 hirand=0.5").random, Some(0.25..0.5));
    let turn = conditions("seq_length=4 seq_position=3").sequence.unwrap();
    assert_eq!((turn.length(), turn.position()), (4, 3));
    let switch = conditions("sw_lokey=24 sw_hikey=30 sw_last=25 sw_default=26").switch.unwrap();
    assert_eq!(
        (switch.keys, switch.last, switch.default),
        (key(24)..=key(30), key(25)..=key(25), Some(key(26)))
    );
    let range = conditions("sw_lolast=25 sw_hilast=27").switch.unwrap();
    assert_eq!(range.last, key(25)..=key(27));
    assert_eq!(conditions("sw_previous=60").previous, Some(key(60)));
    assert_eq!(conditions("trigger=release").trigger, Trigger::Release);
    assert!(zone("").conditions().is_none() && zone("").response().is_none());
}

#[test]
fn random_pitch_and_gain_vary_from_note_to_note() {
    let song = import("<region> sample=a.wav pitch_random=50 amp_random=6");
    let varied = song.instruments()[0].tree.children().next().unwrap().node().clone();
    let Node::Randomized(params, _) = varied else { panic!("not varied") };
    assert_eq!((params.pitch().start().get(), params.pitch().end().get()), (-50.0, 50.0));
    assert_eq!((params.gain().start().get(), params.gain().end().get()), (0.0, 6.0));
}

#[test]
fn controllers_choose_instruments_and_count_as_they_are_set() {
    let file = open(
        "<control> set_cc16=0 set_cc74=127
        <group> group_label=One locc16=0 hicc16=1 <region> sample=a.wav
        <group> group_label=Two locc16=2 hicc16=3 <region> sample=a.wav tune_oncc74=100
        <group> <region> sample=a.wav locc20=5 hicc20=9",
    );
    let names: Vec<String> = file.sounds().iter().map(importer::Sound::path).collect();
    assert_eq!(names, ["One", "Two", "a (cc20=5-9)", "a"]);
    let imported = file.import().unwrap();
    let zones: Vec<usize> = imported.songs[0].instruments().iter().map(|one| one.zones().len()).collect();
    assert_eq!(zones, [1, 1, 2, 1]);
    let tuned = imported.songs[0].instruments()[1].zones()[0].transposition(key(60)).get();
    assert_eq!(tuned, 100.0);
    assert_eq!(imported.report.repaired[0].text, "tune by controller 74: 1 region, not played");
}

#[test]
fn opcodes_that_are_not_played_are_counted_once_each() {
    let text = "<group> eq1_gain=3 hint_x=1 <region> sample=a.wav <region> sample=a.wav eq1_freq=9 foo=1
        <effect> type=reverb";
    assert_eq!(
        remarks(text),
        [
            "<effect>: 1 region, not played",
            "eq1_freq: 1 region, not played",
            "eq1_gain: 2 regions, not played",
            "foo: 1 region, not played",
        ]
    );
}

#[test]
fn comments_defines_and_values_with_spaces_are_read() {
    let text = "// a comment with <region> in it\n/* over\nlines <region> */ #define $KEY 61 #define $KEYS 62\n\
        <control> default_path=Some Folder\\ <region> sample=my kick.wav lokey=$KEY hikey=$KEYS// end";
    let file = open_with(text, &[("Bank/some folder/My Kick.WAV", wave(10))]).unwrap();
    let song = file.import().unwrap().songs.remove(0);
    assert_eq!(song.instruments()[0].zones()[0].keys(), &(key(61)..=key(62)));
    assert_eq!(file.sounds()[1].path(), "Some Folder.my kick");
}

#[test]
fn files_are_included_from_the_folder_and_nowhere_else() {
    let others = [
        ("Bank/in/part.txt", b"<region> sample=a.wav key=$K".to_vec()),
        ("secret.sfz", b"<region> sample=a.wav".to_vec()),
        ("Bank/loop.sfz", b"#include \"a.sfz\"".to_vec()),
    ];
    let file = open_with("#define $K 65\n#include \"in\\PART.txt\"\n", &others).unwrap();
    assert_eq!(file.sounds()[0].status, Status::Ok);
    let error = |text: &str| match open_with(text, &others) {
        Err(Error::Bank(error)) => error.to_string(),
        other => panic!("{text}: {:?}", other.map(|_| ())),
    };
    for path in ["../secret.sfz", "/secret.sfz", "C:\\secret.sfz", "in/../../secret.sfz", "none.sfz"] {
        let message = error(&format!("\n#include \"{path}\""));
        assert!(message.starts_with("a.sfz:2: #include of "), "{message}");
        assert!(message.ends_with("which is not in the bank's folder"), "{message}");
    }
    let message = error("#include \"loop.sfz\"");
    assert!(message.starts_with("loop.sfz:1:") && message.ends_with("which includes this file"), "{message}");
}

#[test]
fn missing_samples_are_named_and_the_rest_plays() {
    let text = "<region> sample=a.wav key=60 <region> sample=b.wav key=61 <region> sample=*sine
        <region> sample=*silence key=62";
    let song = import(text);
    assert_eq!(song.instruments()[0].zones().len(), 2);
    assert_eq!(
        remarks(text),
        ["sample b.wav is missing: 1 region, not played", "sample=*sine: 1 region, not played"]
    );
}

#[test]
fn a_text_is_known_by_its_first_header() {
    let kind = |text: &str| importer::probe::probe(text.as_bytes(), text.len() as u64);
    assert_eq!(kind("// x\n\n/* y */ <Region> sample=a"), FileKind::Sfz);
    assert_eq!(kind("#define $A 1"), FileKind::Sfz);
    assert_ne!(kind("<html>"), FileKind::Sfz);
    assert!(open_with("<control> set_cc1=1", &[]).is_err());
}

#[test]
fn growing_texts_are_bounded() {
    let mut text = "#define $A aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n".to_owned();
    for (from, to) in ('A'..='Y').zip('B'..='Z') {
        text += &format!("#define ${to} ${from}${from}${from}${from}${from}${from}${from}${from}\n");
    }
    text += "<region> sample=$Z";
    assert!(open_with(&text, &[]).is_err());
    let bomb = "#include \"b.txt\"\n".repeat(50);
    let others = [
        ("Bank/b.txt", b"#include \"c.txt\"\n".repeat(50)),
        ("Bank/c.txt", b"#include \"d.txt\"\n".repeat(50)),
        ("Bank/d.txt", b"<region>\n".to_vec()),
    ];
    assert!(open_with(&bomb, &others).is_err());
}

#[test]
fn prefixes_and_flipped_bytes_never_break_the_reader() {
    let text = "#define $K 60 <control> default_path=x/ set_cc16=0 <global> ampeg_release=1 <group> key=$K \
        locc16=2 <region> sample=../a.wav loop_mode=loop_sustain loop_start=1 loop_end=20 eg1_time1=1 \
        eg1_level1=1 eg1_sustain=1 eg1_loop=0 eg1_cutoff=5 lfo1_freq=1 lfo1_pitch=2 amp_velcurve_5=1 \
        xfin_lokey=5 seq_length=3 seq_position=2 lorand=0.5 sw_last=5 cutoff=500 cutoff_oncc1=7";
    let tried = |bytes: Vec<u8>| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Ok(file) = open_with(&format!("<region> {text}"), &[]) {
            drop(file.import());
        }
    };
    for at in 0..text.len() {
        tried(text.as_bytes()[..at].to_vec());
        for flipped in [1, 2, 16] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] ^= flipped;
            tried(bytes);
        }
    }
}
