//! What is changed while playing.

use song::{Cents, Decibels, Envelope, FilterKind, Pan, Parameter};

use super::*;

fn does(model: &mut Model, press: Press) -> Vec<Intent> {
    update(model, Msg::Press(press), ms(0))
}

/// Returns a model whose arrows turn a knob.
fn turning(knob: Knob) -> Model {
    let mut model = Model { knob, ..model() };
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Adjust)), []);
    model
}

fn voiced(sound: usize, voicing: Voicing) -> Vec<Intent> {
    vec![Intent::Voice { sound, voicing: Box::new(voicing) }]
}

#[test]
fn each_knob_changes_its_value_by_a_step_and_by_ten() {
    let gain = |decibels| Voicing { gain: Decibels::new(decibels).unwrap(), ..Voicing::default() };
    let pan = |pan| Voicing { pan: Pan::new(pan).unwrap(), ..Voicing::default() };
    let tune = |cents| Voicing { tune: Cents::new(cents).unwrap(), ..Voicing::default() };
    let quality = |quality| Voicing { quality: Some(quality), ..Voicing::default() };
    let times = |attack, release| {
        let envelope = Envelope { attack: ms(attack), release: ms(release) };
        Voicing { envelope: Some(envelope), ..Voicing::default() }
    };
    for (knob, press, expected) in [
        (Knob::Of(Parameter::Gain), Press::Right(1), gain(0.5)),
        (Knob::Of(Parameter::Gain), Press::Left(MANY), gain(-5.0)),
        (Knob::Of(Parameter::Pan), Press::Left(1), pan(-0.05)),
        (Knob::Of(Parameter::Pan), Press::Right(100), pan(1.0)),
        (Knob::Of(Parameter::Tune), Press::Right(MANY), tune(100.0)),
        (Knob::Of(Parameter::Tune), Press::Left(1000), tune(-2400.0)),
        (Knob::Of(Parameter::Root), Press::Right(3), Voicing { root_shift: 3, ..Voicing::default() }),
        (Knob::Of(Parameter::Root), Press::Left(100), Voicing { root_shift: -48, ..Voicing::default() }),
        (Knob::Loop, Press::Left(1), Voicing { looping: Some(false), ..Voicing::default() }),
        (Knob::Of(Parameter::Attack), Press::Right(2), times(2, 50)),
        (Knob::Of(Parameter::Release), Press::Left(1), times(0, 20)),
        (Knob::Of(Parameter::Release), Press::Right(1000), times(0, 10_000)),
        (Knob::Quality, Press::Left(1), quality(Quality::Good)),
        (Knob::Quality, Press::Right(MANY), quality(Quality::Max)),
    ] {
        let mut model = turning(knob);
        assert_eq!(does(&mut model, press), voiced(0, expected), "{knob:?}");
        assert_eq!(model.voicing(0), expected);
        assert_eq!(does(&mut model, Press::Backspace), voiced(0, Voicing::default()), "{knob:?}");
        assert!(model.voicings.is_empty(), "{knob:?}");
        assert_eq!(does(&mut model, Press::Backspace), [], "it is as it was");
    }
}

#[test]
fn turning_the_cutoff_switches_the_filter_on_and_resetting_it_leaves_it_on() {
    let mut model = turning(Knob::Of(Parameter::Cutoff));
    does(&mut model, Press::Left(12));
    let filter = model.voicing(0).shape.filter;
    assert_eq!((filter.kind, filter.cutoff.round()), (Some(FilterKind::LowPass2), 10_240.0));
    does(&mut model, Press::Backspace);
    let filter = model.voicing(0).shape.filter;
    assert_eq!((filter.kind, filter.cutoff), (Some(FilterKind::LowPass2), 20_000.0));
}

#[test]
fn steps_there_and_back_come_to_nothing() {
    for parameter in Parameter::ALL.into_iter().filter(|parameter| *parameter != Parameter::Cutoff) {
        let knob = Knob::Of(parameter);
        let mut model = turning(knob);
        // Away from the end that it may be at.
        let is_highest = parameter.scale().part(parameter.default_value(&model.defaults(0))) > 0.99;
        let (there, back) =
            if is_highest { (Press::Left(1), Press::Right(1)) } else { (Press::Right(1), Press::Left(1)) };
        for press in [there; 7].into_iter().chain([back; 7]) {
            does(&mut model, press);
        }
        assert!(model.voicings.is_empty(), "{knob:?}");
    }
}

#[test]
fn the_arrows_move_the_start_of_the_trim_and_with_shift_its_end() {
    let mut model = turning(Knob::Trim);
    assert_eq!(does(&mut model, Press::Right(1)), [], "nothing is known of the recording");
    let waveform = engine::Waveform { length: Frames::new(6400), ..engine::Waveform::default() };
    let picture = player::live::Picture { sound: 0, recording: 0, recordings: 1, waveform: Some(waveform) };
    model.picture = Some(picture);
    let mut turned = |press| {
        does(&mut model, press);
        model.voicing(0).trim.map(|trim| (trim.start.get(), trim.end.get()))
    };
    assert_eq!(turned(Press::Left(1)), None);
    assert_eq!(turned(Press::Right(MANY)), None);
    assert_eq!(turned(Press::Right(3)), Some((300, 6400)));
    assert_eq!(turned(Press::Left(MANY)), Some((300, 6300)));
    assert_eq!(turned(Press::Left(1)), Some((200, 6300)));
    for _ in 0..99 {
        turned(Press::Left(MANY));
    }
    assert_eq!(turned(Press::Left(MANY)), Some((200, 201)));
    assert_eq!(turned(Press::Right(1)), Some((200, 201)));
    assert_eq!(turned(Press::Backspace), None);
    assert!(model.voicings.is_empty());
    let waveform = model.picture.as_mut().and_then(|picture| picture.waveform.as_mut()).unwrap();
    waveform.rising_crossings = [140, 149].map(crossing).to_vec();
    let mut turned = |press| {
        does(&mut model, press);
        model.voicing(0).trim.map(|trim| (trim.start.get(), trim.end.get()))
    };
    assert_eq!(turned(Press::Right(1)), Some((140, 6400)));
    assert_eq!(turned(Press::Right(1)), Some((240, 6400)), "it is not held back");
}

#[test]
fn the_polyphony_stays_between_one_and_what_the_engine_has() {
    let mut model = turning(Knob::Voices);
    assert_eq!(does(&mut model, Press::Right(MANY)), [Intent::Polyphony(74)]);
    assert_eq!(does(&mut model, Press::Right(1000)), [Intent::Polyphony(256)]);
    assert_eq!(does(&mut model, Press::Right(1)), []);
    assert_eq!(does(&mut model, Press::Left(1000)), [Intent::Polyphony(1)]);
    assert_eq!(does(&mut model, Press::Backspace), [Intent::Polyphony(64)]);
}

#[test]
fn the_arrows_go_through_the_knobs_and_choose_sounds_again_afterwards() {
    let mut model = turning(Knob::Of(Parameter::Gain));
    does(&mut model, Press::Up(1));
    assert_eq!(model.knob, Knob::Of(Parameter::Gain));
    for _ in 0..9 {
        does(&mut model, Press::Down(1));
    }
    assert_eq!((model.knob, model.chosen), (Knob::Trim, 0));
    does(&mut model, Press::Down(1));
    assert_eq!(model.knob, Knob::Of(Parameter::Attack), "the next page");
    does(&mut model, Press::Down(MANY));
    assert_eq!(model.knob, Knob::Of(Parameter::Filter));
    does(&mut model, Press::Up(MANY));
    does(&mut model, Press::Up(MANY));
    assert_eq!(model.knob, Knob::Of(Parameter::Gain));
    does(&mut model, Press::Command(KeyCommand::Adjust));
    does(&mut model, Press::Down(1));
    assert_eq!(model.chosen, 1);
}

#[test]
fn notes_are_played_while_knobs_are_turned() {
    let mut model = turning(Knob::Of(Parameter::Gain));
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 0, 48)]);
}

#[test]
fn a_loop_that_is_turned_off_is_played_like_none_and_back_again() {
    let mut model = model();
    let off = Voicing { looping: Some(false), ..Voicing::default() };
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Loop)), voiced(0, off));
    press(&mut model, 'z', 0);
    assert_eq!(tick(&mut model, 10_000), [], "it plays out");
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Loop)), voiced(0, Voicing::default()));
    press(&mut model, 'x', 20_000);
    assert_eq!(tick(&mut model, 20_600), [note_off(1)]);
}

#[test]
fn each_sound_has_its_own_values() {
    let mut model = turning(Knob::Of(Parameter::Gain));
    does(&mut model, Press::Right(1));
    does(&mut model, Press::Command(KeyCommand::Adjust));
    does(&mut model, Press::Down(1));
    assert_eq!(model.voicing(model.chosen), Voicing::default());
    does(&mut model, Press::Command(KeyCommand::Loop));
    assert_eq!(model.voicings.len(), 2);
}

#[test]
fn a_sound_that_cannot_be_played_cannot_be_changed_and_says_why() {
    let mut model = Model { chosen: 2, ..model() };
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Loop)), []);
    assert_eq!(model.warning.as_deref(), Some("#3 Nothing: empty"));
}

#[test]
fn changes_are_undone_and_done_again_and_steps_of_one_knob_are_one_change() {
    let mut model = model();
    does(&mut model, Press::Command(KeyCommand::Adjust));
    for _ in 0..3 {
        does(&mut model, Press::Right(1));
    }
    does(&mut model, Press::Command(KeyCommand::Loop));
    assert_eq!(model.voicing(0).gain.get(), 1.5);
    let plain = Voicing { looping: None, ..model.voicing(0) };
    let voice = |voicing| voiced(0, voicing);
    model.chosen = 1;
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Undo)), voice(plain));
    assert_eq!(model.chosen, 0, "one sees which sound it was");
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Undo)), voice(Voicing::default()));
    assert!(model.voicings.is_empty());
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Undo)), []);
    assert!(model.notice.as_ref().is_some_and(|(text, _)| text == "nothing to undo"));
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Redo)), voice(plain));
    does(&mut model, Press::Left(1));
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Redo)), [], "another change comes in between");
}
