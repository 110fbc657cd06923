use song::Velocity;

use super::*;

fn sound(name: &str, root: u8) -> InstrumentSound {
    let defaults = SoundDefaults { root: Key::new(root).unwrap(), ..SoundDefaults::default() };
    let voicing = Voicing { gain: song::Decibels::new(-3.0).unwrap(), ..Voicing::default() };
    let (name, ranges) = (name.to_owned(), ZoneRanges::default());
    InstrumentSound { file: "a.uax".into(), number: 1, name, defaults, voicing, ranges }
}

/// Returns a sound with numbers of its zone set.
fn zoned(name: &str, root: u8, set: &[(ZoneParameter, u8)]) -> InstrumentSound {
    let mut sound = sound(name, root);
    set.iter().for_each(|(parameter, value)| parameter.set(&mut sound.ranges, *value));
    sound
}

/// Returns keys, velocities, root and round robin of each zone.
fn zones(
    sounds: Vec<InstrumentSound>,
    arrangement: Arrangement,
) -> Vec<(u8, u8, u8, u8, u8, Option<String>)> {
    let roots: BTreeMap<String, SoundDefaults> =
        sounds.iter().map(|sound| (sound.name.clone(), sound.defaults)).collect();
    let instrument = arranged("x", sounds, arrangement);
    let zones = instrument.zones.into_iter().map(|zone| {
        let defaults = roots[&zone.voicing.name];
        let voicing = zone.voicing.voicing(&defaults);
        assert_eq!(voicing.gain.get(), -3.0, "what was adjusted stays");
        let root = voicing.root(defaults.root).get();
        let (low, high) = (zone.keys.start().get(), zone.keys.end().get());
        (low, high, zone.velocities.start().get(), zone.velocities.end().get(), root, zone.round_robin)
    });
    zones.collect()
}

#[test]
fn a_kit_has_a_key_for_each_sound_that_plays_it_at_its_own_pitch() {
    let found = zones(vec![sound("Kick", 60), sound("Snare", 40)], Arrangement::Kit);
    assert_eq!(found, [(36, 36, 0, 127, 36, None), (37, 37, 0, 127, 37, None)]);
    let many = (0..100).map(|number| sound(&format!("a{number}"), 60)).collect();
    assert_eq!(zones(many, Arrangement::Kit).len(), 92);
}

#[test]
fn numbered_sounds_of_a_file_take_turns_on_one_key() {
    let names = ["S.Step_01", "S.Step_02", "S.Shot", "S.Step_03", "T.Step_04"];
    let mut sounds: Vec<InstrumentSound> = names.map(|name| sound(name, 60)).into();
    sounds.push(InstrumentSound { file: "b.uax".into(), ..sound("S.Step_05", 60) });
    let found = zones(sounds, Arrangement::Variations);
    let turns = Some("C2".to_owned());
    assert_eq!(
        found[..3],
        [
            (36, 36, 0, 127, 36, turns.clone()),
            (36, 36, 0, 127, 36, turns.clone()),
            (36, 36, 0, 127, 36, turns)
        ]
    );
    let alone: Vec<(u8, &Option<String>)> = found[3..].iter().map(|zone| (zone.0, &zone.5)).collect();
    assert_eq!(alone, [(37, &None), (38, &None), (39, &None)]);
}

#[test]
fn keys_are_divided_between_the_roots_that_are_stated_adjusted_or_named() {
    let adjusted = sound("Low", 60);
    let adjusted = InstrumentSound { voicing: Voicing { root_shift: -24, ..adjusted.voicing }, ..adjusted };
    let found = zones(vec![sound("High", 84), sound("Piano C5", 60), adjusted], Arrangement::Keys);
    assert_eq!(found, [(0, 54, 0, 127, 36, None), (55, 78, 0, 127, 72, None), (79, 127, 0, 127, 84, None)]);
    let same = zones(vec![sound("A", 50), sound("B", 50)], Arrangement::Keys);
    assert_eq!(
        same,
        [(0, 127, 0, 127, 50, Some("D3".to_owned())), (0, 127, 0, 127, 50, Some("D3".to_owned()))]
    );
}

#[test]
fn velocity_layers_divide_the_velocities_in_the_order_of_the_sounds() {
    let found = zones(vec![sound("soft", 60), sound("loud", 60)], Arrangement::Velocities);
    assert_eq!(found, [(0, 127, 0, 63, 60, None), (0, 127, 64, 127, 60, None)]);
    let turns = zones(vec![sound("a", 60), sound("b", 60)], Arrangement::Turns);
    assert!(turns.iter().all(|zone| zone.5.as_deref() == Some("all")));
    let stack = zones(vec![sound("a", 60), sound("b", 62)], Arrangement::Stack);
    assert_eq!(stack, [(0, 127, 0, 127, 60, None), (0, 127, 0, 127, 62, None)]);
    assert_eq!(Velocity::LOWEST.get(), 0);
}

#[test]
fn zones_set_by_hand_are_kept_and_a_sound_without_one_is_on_all_keys() {
    use ZoneParameter::{HighKey, HighVelocity, LowKey, LowVelocity, Turns};
    let sounds = vec![
        zoned("low", 40, &[(HighKey, 47), (Turns, 3)]),
        zoned("loud", 60, &[(LowKey, 48), (LowVelocity, 90), (HighVelocity, 120), (Turns, 3)]),
        sound("all", 62),
    ];
    let turns = Some("3".to_owned());
    let expected =
        [(0, 47, 0, 127, 40, turns.clone()), (48, 127, 90, 120, 60, turns), (0, 127, 0, 127, 62, None)];
    assert_eq!(zones(sounds.clone(), Arrangement::Zones), expected);
    let text = arranged("x", sounds.clone(), Arrangement::Zones).to_toml().unwrap();
    let set = ["hikey = \"B2\"", "lokey = \"C3\"", "lovel = 90", "hivel = 120", "round_robin = \"3\""];
    assert!(set.iter().all(|line| text.contains(line)), "{text}");
    // Other arrangements have zones of their own.
    assert_eq!(zones(sounds, Arrangement::Stack)[1], (0, 127, 0, 127, 60, None));
}

#[test]
fn a_way_to_follow_each_other_that_all_sounds_have_is_the_instruments() {
    let with = |mode| {
        let mut sound = sound("a", 60);
        sound.voicing.shape.voice_mode = Some(mode);
        sound.voicing.shape.glide = Some(Duration::from_millis(20));
        sound
    };
    let mode = |sounds| {
        let instrument = arranged("x", sounds, Arrangement::Stack);
        let zone = instrument.zones[0].voicing.voicing(&SoundDefaults::default());
        assert_eq!(zone.shape.voice_mode, None);
        (instrument.voice_mode, instrument.glide)
    };
    assert_eq!(mode(vec![with(VoiceMode::Mono); 2]), (VoiceMode::Mono, Duration::from_millis(20)));
    assert_eq!(mode(vec![with(VoiceMode::Mono), with(VoiceMode::Poly)]), (VoiceMode::Poly, Duration::ZERO));
}

#[test]
fn sends_that_all_sounds_have_are_the_instruments() {
    let gain = |decibels| Some(song::Decibels::new(decibels).unwrap());
    let with = |reverb, delay| {
        let mut sound = sound("a", 60);
        sound.defaults.sends.delay = gain(-20.0);
        (sound.voicing.reverb, sound.voicing.delay) = (reverb, delay);
        sound
    };
    let instrument = arranged("x", vec![with(gain(-3.0), None), with(gain(-4.0), None)], Arrangement::Stack);
    assert_eq!((instrument.sends.reverb, instrument.sends.delay), (None, gain(-20.0)));
    let instrument = arranged("x", vec![with(gain(-3.0), gain(Sends::OFF)); 2], Arrangement::Stack);
    assert_eq!((instrument.sends.reverb, instrument.sends.delay), (gain(-3.0), None));
    let zone = instrument.zones[0].voicing.voicing(&SoundDefaults::default());
    assert_eq!((zone.reverb, zone.delay), (None, None));
}

#[test]
fn arrangements_that_would_change_nothing_are_not_offered() {
    let offered = |sounds: &[(&'static str, u8)]| -> Vec<&str> {
        let sounds = sounds.iter().map(|(name, root)| (*name, Key::new(*root).unwrap()));
        arrangements(sounds, false).map(|(name, ..)| name).collect()
    };
    assert_eq!(offered(&[("a", 60)]), ["stack"]);
    assert_eq!(offered(&[("a", 60), ("b", 60)]), ["kit", "velocities", "turns", "stack"]);
    assert_eq!(
        offered(&[("a1", 60), ("a2", 61)]),
        ["kit", "variations", "keys", "velocities", "turns", "stack"]
    );
    assert_eq!(
        offered(&[("Piano C4", 60), ("Piano E4", 60)]),
        ["kit", "keys", "velocities", "turns", "stack"]
    );
    let set: Vec<&str> = arrangements([("a", Key::C4)].into_iter(), true).map(|(name, ..)| name).collect();
    assert_eq!(set, ["zones", "stack"]);
}

#[test]
fn files_below_the_folder_are_named_from_there_and_others_from_the_root() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("kits");
    std::fs::create_dir(&inside).unwrap();
    for file in ["kits/a.uax", "b.uax"] {
        std::fs::write(folder.path().join(file), b"").unwrap();
    }
    let from = |file: &str| path_from(&inside, &folder.path().join(file));
    assert_eq!(from("kits/a.uax"), Path::new("a.uax"));
    assert!(from("b.uax").is_absolute() && from("b.uax").ends_with("b.uax"));
}
