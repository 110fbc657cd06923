use super::*;

fn own() -> SoundDefaults {
    SoundDefaults::default()
}

#[test]
fn each_parameter_gives_back_what_it_was_set_to_and_changes_no_other() {
    for parameter in Parameter::ALL {
        for part in [0.0, 0.5, 1.0] {
            let value = parameter.scale().at(part);
            let mut voicing = Voicing::default();
            parameter.set(&mut voicing, &own(), value);
            let found = parameter.get(&voicing, &own());
            assert!((found - value).abs() <= 1e-6 * value.abs().max(1.0), "{parameter:?} {value} {found}");
            for other in Parameter::ALL.into_iter().filter(|other| *other != parameter) {
                let (now, before) = (other.get(&voicing, &own()), other.default_value(&own()));
                let is_switched = (parameter, other) == (Parameter::Cutoff, Parameter::Filter);
                assert!(now == before || is_switched, "{other:?} with {parameter:?}");
            }
        }
    }
}

#[test]
fn steps_back_and_forth_cancel() {
    for parameter in Parameter::ALL {
        let scale = parameter.scale();
        let middle = scale.stepped(scale.at(0.5), 0);
        let middle = scale.stepped(scale.stepped(middle, 1), -1);
        let there = scale.stepped(scale.stepped(middle, 1), -1);
        assert!((there - middle).abs() < 1e-9, "{parameter:?} {middle} {there}");
        assert_ne!(scale.stepped(middle, 1), middle, "{parameter:?}");
    }
}

#[test]
fn the_ends_of_a_controller_are_the_ends_of_the_range() {
    assert_eq!([Parameter::Cutoff.scale().at(0.0), Parameter::Cutoff.scale().at(1.0)], [20.0, 20_000.0]);
    assert_eq!([Parameter::Attack.scale().at(0.0), Parameter::Attack.scale().at(1.0)], [0.0, 10.0]);
    assert_eq!([Parameter::Mode.scale().at(0.0), Parameter::Mode.scale().at(1.0)], [0.0, 2.0]);
}

#[test]
fn the_part_of_a_value_gives_it_back() {
    for parameter in Parameter::ALL {
        let scale = parameter.scale();
        for part in [0.0, 0.3, 0.77, 1.0] {
            let value = scale.at(part);
            let again = scale.at(scale.part(value));
            assert!((again - value).abs() < 1e-9 * value.abs().max(1.0), "{parameter:?} {value} {again}");
        }
    }
}

#[test]
fn keys_in_files_are_unique_and_choices_have_as_many_names_as_values() {
    let mut keys: Vec<&str> = Parameter::ALL.iter().map(|parameter| parameter.names().1).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), Parameter::ALL.len());
    assert!(CURVES.iter().zip(EnvelopeCurve::ALL).all(|(name, (own, _))| *name == own));
    assert!(MODES.iter().zip(VoiceMode::ALL).all(|(name, (own, _))| *name == own));
    assert_eq!(Parameter::Filter.named_value("HP 12"), Some(3.0));
}

#[test]
fn what_is_no_number_changes_nothing() {
    let mut voicing = Voicing::default();
    Parameter::ALL.iter().for_each(|parameter| parameter.set(&mut voicing, &own(), f64::NAN));
    assert_eq!(voicing, Voicing::default());
}

#[test]
fn what_a_sound_says_itself_is_the_value_that_changes_nothing() {
    let gain = |decibels| Some(Decibels::new(decibels).unwrap());
    let own = SoundDefaults {
        voice_mode: VoiceMode::Legato,
        glide: Duration::from_millis(50),
        sends: Sends { reverb: gain(-9.0), delay: gain(-12.0) },
        ..own()
    };
    for parameter in Parameter::ALL {
        let value = parameter.default_value(&own);
        let mut voicing = Voicing::default();
        parameter.set(&mut voicing, &own, value);
        assert_eq!(parameter.get(&voicing, &own), value, "{parameter:?}");
        let (least, most) = (parameter.scale().at(0.0), parameter.scale().at(1.0));
        for other in [least, most] {
            parameter.set(&mut voicing, &own, other);
            assert_eq!(parameter.get(&voicing, &own), other, "{parameter:?}");
        }
    }
    let of = |parameter: Parameter| {
        let mut voicing = Voicing::default();
        parameter.set(&mut voicing, &own, parameter.default_value(&own));
        voicing
    };
    for parameter in [Parameter::Mode, Parameter::Glide, Parameter::ReverbSend, Parameter::DelaySend] {
        assert_eq!(of(parameter), Voicing::default(), "{parameter:?}");
    }
}
