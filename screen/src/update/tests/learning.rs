//! Knobs that MIDI controllers learn to turn.

use player::midi::controllers::ControlledParameter;
use player::room::{Room, RoomParameter};
use song::Parameter;

use super::*;

fn does(model: &mut Model, press: Press) -> Vec<Intent> {
    update(model, Msg::Press(press), ms(0))
}

fn notice(model: &Model) -> &str {
    model.notice.as_ref().map_or("", |(what, _)| what)
}

#[test]
fn the_next_controller_is_waited_for_and_asked_for_again_none() {
    for (knob, parameter, name) in [
        (Knob::Of(Parameter::Cutoff), ControlledParameter::Sound(Parameter::Cutoff), "cutoff"),
        (Knob::Room(RoomParameter::Feedback), ControlledParameter::Room(RoomParameter::Feedback), "feedback"),
    ] {
        let mut model = Model { knob, is_adjusting: true, ..model() };
        let learn = Press::Command(KeyCommand::Learn);
        assert_eq!(does(&mut model, learn), [Intent::Learn(Some(parameter))]);
        assert_eq!(notice(&model), format!("turn a MIDI controller for {name}; again (Ctrl-N): none"));
        assert_eq!(model.learning, Some(knob));
        assert_eq!(does(&mut model, learn), [Intent::Learn(None), Intent::Forget(parameter)]);
        assert_eq!(model.learning, None);
    }
}

#[test]
fn a_parameter_of_the_room_that_a_controller_turned_is_shown_and_waits_no_longer() {
    let knob = Knob::Room(RoomParameter::Tempo);
    let mut model = Model { knob, learning: Some(knob), ..model() };
    model.room.feedback = 0.25;
    for (parameter, value, learning) in
        [(RoomParameter::Decay, 4.0, Some(knob)), (RoomParameter::Tempo, 90.0, None)]
    {
        assert_eq!(update(&mut model, Msg::Live(LiveEvent::RoomTurned(parameter, value)), ms(0)), []);
        assert_eq!((parameter.get(&model.room), model.learning), (value, learning));
    }
    let expected = Room { feedback: 0.25, decay: ms(4000), tempo: 90.0, ..Room::default() };
    assert_eq!(model.room, expected, "what the player has");
}
