//! Groups and cues: instruments that play other sounds of their package.

use fixtures::package::{Object, PackageWriter, Sound, Tag, Wave};
use fixtures::wave::{self, Values};
use importer::{Budget, SoundFile, Status};
use song::{Node, Song, Zone, ZoneTree};
use unreal::Memory;

/// Returns a recording of one frame.
fn recording(value: i16) -> Vec<u8> {
    wave::Wave::new(48_000, 1, Values::I16(vec![value])).finish()
}

/// Returns a package of Unreal Engine 3 with three waves, and a cue that begins with the node a test makes of them.
fn cue(tags: &[Tag], node: impl FnOnce(&mut PackageWriter, [Object; 3]) -> Object) -> Vec<u8> {
    let mut package = PackageWriter::new(868);
    // In front of what it plays: numbers do not follow the export table here.
    let waves = [1_i16, 2, 3].map(|value| {
        let name = format!("Wave{value}");
        package.wave(&Wave::new(&name, &recording(value), b""))
    });
    let first = node(&mut package, waves);
    let first = Tag::new("FirstNode", "ObjectProperty", &first.0.to_le_bytes());
    package.node("SoundCue", "Cue", &[&[first], tags].concat());
    package.finish()
}

fn node(package: &mut PackageWriter, class: &str, children: &[Object], tags: &[Tag]) -> Object {
    let children = Tag::objects("ChildNodes", children);
    let name = format!("{class}_{}", package.finish().len());
    package.node(class, &name, &[&[children], tags].concat())
}

/// Returns the last sound of a package, as it is listed and as it is imported.
fn last<T>(bytes: &[u8], look: impl FnOnce(&importer::Sound, &Song, &ZoneTree) -> T) -> T {
    let source = Memory(bytes.to_vec());
    let file = SoundFile::open(source, "Test", Budget::default()).unwrap();
    let song = file.import().unwrap().songs.remove(0);
    let sound = file.sounds().last().unwrap();
    look(sound, &song, &song.instruments()[sound.number - 1].tree)
}

fn samples(tree: &ZoneTree) -> Vec<usize> {
    tree.zones().iter().map(|zone| zone.sample().get()).collect()
}

fn gains(tree: &ZoneTree) -> Vec<f32> {
    tree.zones().iter().map(|zone| zone.gain().gain()).collect()
}

fn close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    let differs = |(a, b): (&f32, &f32)| (a - b).abs() > 1e-4;
    assert!(!found.iter().zip(expected).any(differs), "{found:?} is not {expected:?}");
}

#[test]
fn waves_come_first_in_the_list_then_cues_and_groups() {
    let mut package = PackageWriter::new(868);
    let first = Tag::new("FirstNode", "ObjectProperty", &2_i32.to_le_bytes());
    package.node("SoundCue", "Early", &[first]);
    package.wave(&Wave::new("Wave", &recording(1), b""));
    let bytes = package.finish();
    let source = Memory(bytes.clone());
    let file = SoundFile::open(source, "Test", Budget::default()).unwrap();
    let listed: Vec<_> = file.sounds().iter().map(|s| (s.number, s.path(), s.plays())).collect();
    assert_eq!(listed, [(1, "Wave".to_owned(), vec![]), (2, "Early".to_owned(), vec![1])]);
}

#[test]
fn a_random_node_is_a_weighted_choice_without_replacement_unless_it_says_otherwise() {
    for (flag, expected) in [(None, false), (Some(1), false), (Some(0), true)] {
        let bytes = cue(&[], |package, [a, b, c]| {
            let mut tags = vec![Tag::floats("Weights", &[1.0, 2.5])];
            tags.extend(flag.map(|flag| Tag::flag("bRandomizeWithoutReplacement", flag)));
            node(package, "SoundNodeRandom", &[a, b, c], &tags)
        });
        last(&bytes, |sound, _, tree| {
            assert_eq!((&sound.status, sound.plays()), (&Status::Ok, vec![1, 2, 3]));
            let Node::Random { children: trees, with_replacement: replaced } = tree.node() else {
                panic!("{tree:?}")
            };
            let weights: Vec<f32> = trees.iter().map(|(weight, _)| weight.get()).collect();
            assert_eq!((weights, *replaced), (vec![1.0, 2.5, 1.0], expected));
            assert_eq!(samples(tree), [0, 1, 2]);
        });
    }
}

#[test]
fn a_modulator_varies_pitch_and_gain_within_its_ranges() {
    for (tags, pitch, gain) in [
        (vec![], (0.95, 1.05), (0.95, 1.05)),
        (vec![Tag::float("PitchMin", 0.5), Tag::float("PitchMax", 2.0)], (0.5, 2.0), (0.95, 1.05)),
        (vec![Tag::float("VolumeMin", 3.0), Tag::float("VolumeMax", 0.25)], (0.95, 1.05), (0.25, 3.0)),
    ] {
        let bytes = cue(&[], |package, [a, ..]| node(package, "SoundNodeModulator", &[a], &tags));
        last(&bytes, |_, _, tree| {
            let Node::Randomized(variation, below) = tree.node() else { panic!("{tree:?}") };
            let ratios =
                [variation.pitch().start(), variation.pitch().end()].map(|cents| cents.ratio() as f32);
            let gains = [variation.gain().start(), variation.gain().end()].map(|gain| gain.gain());
            close(&ratios, &[pitch.0, pitch.1]);
            close(&gains, &[gain.0, gain.1]);
            assert_eq!(samples(below), [0]);
        });
    }
    let still = ["PitchMin", "PitchMax", "VolumeMin", "VolumeMax"].map(|name| Tag::float(name, 1.0));
    let bytes = cue(&[], |package, [a, ..]| node(package, "SoundNodeModulator", &[a], &still));
    last(&bytes, |_, _, tree| assert!(matches!(tree.node(), Node::Zone(_)), "{tree:?}"));
}

#[test]
fn a_mixer_layers_at_its_volumes_and_a_looping_node_repeats() {
    let bytes = cue(&[], |package, [a, b, c]| {
        let looping = node(package, "SoundNodeLooping", &[c], &[]);
        let volumes = [Tag::floats("InputVolume", &[0.5, 2.0])];
        node(package, "SoundNodeMixer", &[a, b, looping], &volumes)
    });
    last(&bytes, |_, _, tree| {
        assert!(matches!(tree.node(), Node::Layer(_)));
        close(&gains(tree), &[0.5, 2.0, 1.0]);
        let endless: Vec<bool> = tree.zones().iter().map(|zone| zone.loops_whole()).collect();
        assert_eq!(endless, [false, false, true]);
    });
}

#[test]
fn a_loop_of_some_times_plays_once_and_says_so() {
    for (tags, endless) in [
        (vec![Tag::float("LoopCountMax", 3.0)], false),
        (vec![Tag::float("LoopCountMax", 3.0), Tag::flag("bLoopIndefinitely", 1)], true),
        (vec![Tag::float("LoopCountMax", 1e6)], true),
    ] {
        let bytes = cue(&[], |package, [a, ..]| node(package, "SoundNodeLooping", &[a], &tags));
        last(&bytes, |sound, _, tree| {
            assert_eq!(tree.zones()[0].loops_whole(), endless);
            assert_eq!(
                sound.notes.iter().any(|note| note.contains("plays once")),
                !endless,
                "{:?}",
                sound.notes
            );
        });
    }
}

#[test]
fn factors_are_relative_to_the_defaults_of_their_classes() {
    let mut package = PackageWriter::new(868);
    let mut loud = Wave::new("Loud", &[], b"");
    let bytes = recording(1);
    loud.bulks[0].data = &bytes;
    loud.tags.extend([Tag::float("Volume", 1.5), Tag::float("Pitch", 2.0)]);
    let loud = package.wave(&loud);
    let first = Tag::new("FirstNode", "ObjectProperty", &loud.0.to_le_bytes());
    package.node("SoundCue", "Plain", std::slice::from_ref(&first));
    let tags = [first, Tag::float("VolumeMultiplier", 3.0), Tag::float("PitchMultiplier", 0.5)];
    package.node("SoundCue", "Own", &tags);
    let bytes = package.finish();
    let source = Memory(bytes.clone());
    let file = SoundFile::open(source, "Test", Budget::default()).unwrap();
    let song = file.import().unwrap().songs.remove(0);
    let gain_and_ratio = |index: usize| {
        let zones = song.instruments()[index].zones().into_iter().cloned().collect::<Vec<Zone>>();
        let ratio = zones[0].transposition(song::Key::C4).ratio() as f32;
        [zones[0].gain().gain(), ratio]
    };
    close(&gain_and_ratio(0), &[1.0, 1.0]);
    close(&gain_and_ratio(1), &[2.0, 2.0]);
    close(&gain_and_ratio(2), &[8.0, 1.0]);
}

#[test]
fn nodes_that_only_a_game_has_are_passed_through_and_reported_as_ignored() {
    for class in ["SoundNodeAttenuation", "SoundNodeDelay", "SoundNodeModulatorContinuous", "SoundNodeNovel"]
    {
        let bytes = cue(&[], |package, [a, ..]| node(package, class, &[a], &[]));
        last(&bytes, |sound, _, tree| {
            assert_eq!(samples(tree), [0]);
            assert_eq!(sound.notes, [format!("not simulated: {class}")]);
        });
    }
    for class in ["SoundNodeConcatenator", "SoundNodeDistanceCrossFade"] {
        let bytes = cue(&[], |package, [a, b, _]| node(package, class, &[b, a], &[]));
        last(&bytes, |sound, _, tree| {
            assert_eq!(samples(tree), [1]);
            assert!(sound.notes.contains(&format!("only the first of 2 connections of {class} plays")));
            assert!(sound.notes.contains(&format!("not simulated: {class}")), "{:?}", sound.notes);
        });
    }
}

#[test]
fn what_cannot_be_played_is_left_out_and_named() {
    let mut package = PackageWriter::new(868);
    let kick = package.wave(&Wave::new("Kick", &recording(1), b""));
    let empty = package.wave(&Wave::new("Empty", b"", b""));
    let far = package.import("Engine", "SoundNodeWave", None, "Far");
    let nothing = Object(0);
    let random = node(&mut package, "SoundNodeRandom", &[kick, empty, far, nothing], &[]);
    for (name, first) in [("Some", random), ("OfEmpty", empty), ("OfFar", far), ("OfNothing", nothing)] {
        package.node("SoundCue", name, &[Tag::new("FirstNode", "ObjectProperty", &first.0.to_le_bytes())]);
    }
    let bytes = package.finish();
    let source = Memory(bytes.clone());
    let file = SoundFile::open(source, "Test", Budget::default()).unwrap();
    let [_, _, some, of_empty, of_far, of_nothing] = file.sounds() else { panic!() };
    assert_eq!((&some.status, some.plays()), (&Status::Ok, vec![1]));
    let expected =
        ["1 unconnected input", "not played, as they lie in other packages: Far", "not played: Empty"];
    assert_eq!(some.notes, expected);
    for (sound, reason) in [
        (of_empty, "none of the sounds it refers to can be played: Empty"),
        (of_far, "the sounds it refers to lie in other packages: Far"),
        (of_nothing, "it refers to no sound"),
    ] {
        assert_eq!(sound.status.to_string(), format!("unsupported: {reason}"), "{}", sound.path());
    }
    let imported = file.import().unwrap();
    let instruments = imported.songs[0].instruments();
    assert_eq!(
        instruments.iter().map(song::Instrument::is_silent).collect::<Vec<_>>(),
        [false, true, false, true, true, true]
    );
}

#[test]
fn a_cue_that_leads_back_to_itself_or_branches_without_end_is_cut() {
    let mut package = PackageWriter::new(868);
    let kick = package.wave(&Wave::new("Kick", &recording(1), b""));
    // The node after the wave is the second export: itself.
    let own = node(&mut package, "SoundNodeMixer", &[Object(2), kick], &[]);
    assert_eq!(own.0, 2);
    // Each of forty mixers plays the one before twice: 2^40 connections.
    let mut last_mixer = kick;
    for _ in 0..40 {
        last_mixer = node(&mut package, "SoundNodeMixer", &[last_mixer, last_mixer], &[]);
    }
    for (name, first) in [("Circle", own), ("Wide", last_mixer)] {
        package.node("SoundCue", name, &[Tag::new("FirstNode", "ObjectProperty", &first.0.to_le_bytes())]);
    }
    let bytes = package.finish();
    let source = Memory(bytes.clone());
    let file = SoundFile::open(source, "Test", Budget::default()).unwrap();
    let [_, circle, wide] = file.sounds() else { panic!() };
    assert_eq!((circle.plays(), wide.plays()), (vec![1], vec![1]));
    assert!(circle.notes[0].contains("are left out"), "{:?}", circle.notes);
    assert!(wide.notes[0].starts_with("no more than"), "{:?}", wide.notes);
    assert!(wide.zones().unwrap().zones().len() <= 4096);
}

#[test]
fn a_group_draws_by_likelihood_where_its_sounds_have_one_and_else_plays_in_turn() {
    let of = |licensee: u32, words: &[f32]| {
        let mut package = PackageWriter::new(128);
        package.version |= licensee << 16;
        let data = recording(1);
        let sounds: Vec<Object> = ["A", "B"]
            .iter()
            .zip(0..)
            .map(|(name, index)| {
                let extra_words = words.get::<usize>(index).map(|word| word.to_bits()).into_iter().collect();
                package.add(&Sound { extra_words, ..Sound::new(name, "WAV", &data) })
            })
            .collect();
        let far = package.import("Engine", "Sound", None, "Far");
        package.sound_group("Both", None, &[sounds[0], far, sounds[1]]);
        package.finish()
    };
    last(&of(29, &[1.0, 0.25]), |sound, _, tree| {
        let Node::Random { children: trees, with_replacement: true } = tree.node() else {
            panic!("{tree:?}")
        };
        let weights: Vec<f32> = trees.iter().map(|(weight, _)| weight.get()).collect();
        assert_eq!((weights, sound.plays()), (vec![1.0, 0.25], vec![1, 2]));
        assert_eq!(sound.notes, ["not played, as they lie in other packages: Far"]);
    });
    last(&of(0, &[]), |_, _, tree| {
        assert!(matches!(tree.node(), Node::RoundRobin(trees) if trees.len() == 2), "{tree:?}");
    });
}

#[test]
fn a_wanted_cue_brings_the_sounds_it_plays_and_no_others() {
    let bytes = cue(&[], |package, [a, b, _]| node(package, "SoundNodeMixer", &[b, a], &[]));
    let source = Memory(bytes.clone());
    let file = SoundFile::open(source, "Test", Budget::default()).unwrap();
    let song = file.import_only(|sound| sound.number == 4).unwrap().songs.remove(0);
    assert_eq!(song.samples().len(), 2);
    let silent: Vec<bool> = song.instruments().iter().map(song::Instrument::is_silent).collect();
    assert_eq!(silent, [true, true, true, false]);
    assert_eq!(samples(&song.instruments()[3].tree), [1, 0]);
}

#[test]
fn no_more_than_128_sounds_of_a_mixer_sound_together_but_a_random_node_chooses_among_all() {
    for (class, expected) in [("SoundNodeMixer", 128), ("SoundNodeRandom", 900)] {
        let bytes = cue(&[], |package, waves| {
            let waves: Vec<Object> = waves.into_iter().cycle().take(900).collect();
            node(package, class, &waves, &[])
        });
        last(&bytes, |sound, _, tree| {
            assert_eq!(tree.zones().len(), expected);
            assert_eq!(samples(tree)[..4], [0, 1, 2, 0]);
            let note = "no more than 128 sounds sound together";
            assert_eq!(sound.notes.iter().any(|n| n == note), expected == 128, "{:?}", sound.notes);
        });
    }
}

#[test]
fn a_mixer_of_choices_and_mixers_counts_what_can_sound_at_once() {
    // 100 together, or one; and 100 more: of the second, 28 are left.
    let bytes = cue(&[], |package, [a, b, _]| {
        let many = node(package, "SoundNodeMixer", &[a; 100], &[]);
        let choice = node(package, "SoundNodeRandom", &[b, many, b], &[]);
        node(package, "SoundNodeMixer", &[choice, many], &[])
    });
    last(&bytes, |_, _, tree| {
        let Node::Layer(trees) = tree.node() else { panic!("{tree:?}") };
        assert_eq!(trees.iter().map(|tree| tree.zones().len()).collect::<Vec<_>>(), [102, 28]);
    });
}
