use song::{Cents, Decibels, Pan};

use super::*;

/// Channel 1 of an interpreter, as if bytes came from one port.
struct Stand {
    interpreter: MidiInterpreter,
    /// Status bits of the channel that the next messages are for.
    channel: u8,
}

const PORT: MidiSource = MidiSource(0);
const OTHER: MidiSource = MidiSource(1);

fn stand() -> Stand {
    Stand { interpreter: MidiInterpreter::new(300, 7), channel: 0 }
}

impl Stand {
    fn send(&mut self, status: u8, first: u8, second: u8) -> Vec<SynthAction> {
        self.from(PORT, status, first, second)
    }

    fn from(&mut self, source: MidiSource, status: u8, first: u8, second: u8) -> Vec<SynthAction> {
        let message = Message::of(status | self.channel, [first, second]).unwrap();
        self.interpreter.handle(source, message)
    }

    fn on(&mut self, key: u8) -> MidiNoteId {
        match self.send(0x90, key, 100).last() {
            Some(SynthAction::NoteOn(NoteOn { note, .. })) => *note,
            other => panic!("no note but {other:?}"),
        }
    }

    fn off(&mut self, key: u8) -> Vec<MidiNoteId> {
        ended(&self.send(0x80, key, 0))
    }

    fn control(&mut self, number: u8, value: u8) -> Vec<SynthAction> {
        self.send(0xB0, number, value)
    }

    fn sound(&mut self, key: u8) -> (usize, Pitch) {
        match self.send(0x90, key, 100).last() {
            Some(SynthAction::NoteOn(NoteOn { sound, pitch, .. })) => (*sound, *pitch),
            other => panic!("no note but {other:?}"),
        }
    }

    fn mix(&mut self, number: u8, value: u8) -> Mix {
        mix(&self.control(number, value))
    }

    fn bend(&mut self, bend: i16) -> f64 {
        let bits = u16::try_from(bend + 8192).unwrap();
        let [upper, lower] = [bits >> 7, bits & 127].map(|half| u8::try_from(half).unwrap());
        mix(&self.send(0xE0, lower, upper)).bend.get()
    }
}

fn ended(actions: &[SynthAction]) -> Vec<MidiNoteId> {
    let off = |action: &SynthAction| match action {
        SynthAction::NoteOff(note) => Some(*note),
        _ => None,
    };
    actions.iter().filter_map(off).collect()
}

fn mix(actions: &[SynthAction]) -> Mix {
    match actions {
        [SynthAction::Mix(_, mix)] => *mix,
        other => panic!("no mix but {other:?}"),
    }
}

#[test]
fn a_note_is_struck_as_hard_as_its_key_and_ends_with_it() {
    let mut stand = stand();
    let actions = stand.send(0x90, 60, 33);
    let [SynthAction::NoteOn(NoteOn { note, sound: 7, pitch: Pitch::Of(Key::C4), velocity, channel })] =
        actions[..]
    else {
        panic!("{actions:?}");
    };
    assert_eq!((velocity.get(), channel.get()), (33, 1));
    assert_eq!(stand.send(0x90, 60, 0), [SynthAction::NoteOff(note)]);
    assert_eq!(stand.off(60), [], "it is over");
}

#[test]
fn of_two_notes_of_one_key_each_note_off_ends_the_older() {
    let mut stand = stand();
    let (first, second) = (stand.on(60), stand.on(60));
    assert_eq!(stand.off(60), [first]);
    assert_eq!(stand.off(60), [second]);
}

#[test]
fn a_note_off_ends_no_note_of_another_channel_or_port() {
    let mut stand = stand();
    let note = stand.on(60);
    assert_eq!(ended(&stand.from(OTHER, 0x80, 60, 0)), []);
    stand.channel = 1;
    assert_eq!(stand.off(60), []);
    stand.channel = 0;
    assert_eq!(stand.off(60), [note]);
}

#[test]
fn the_sustain_pedal_holds_what_fingers_let_go() {
    let mut stand = stand();
    let (low, high) = (stand.on(60), stand.on(64));
    stand.control(64, 127);
    assert_eq!(stand.off(60), []);
    let later = stand.on(67);
    assert_eq!(stand.off(67), []);
    assert_eq!(ended(&stand.control(64, 0)), [low, later], "the key that is down holds on");
    assert_eq!(stand.off(64), [high]);
}

#[test]
fn a_pedal_is_down_from_the_middle_on() {
    let mut stand = stand();
    let note = stand.on(60);
    stand.control(64, 64);
    assert_eq!(stand.off(60), []);
    assert_eq!(ended(&stand.control(64, 63)), [note]);
}

#[test]
fn a_key_struck_anew_under_the_pedal_ends_what_the_pedal_kept_of_it() {
    let mut stand = stand();
    let first = stand.on(60);
    stand.control(64, 127);
    stand.off(60);
    let actions = stand.send(0x90, 60, 100);
    assert!(
        matches!(actions[..], [SynthAction::NoteOff(old), SynthAction::NoteOn(_)] if old == first),
        "{actions:?}"
    );
    assert_eq!(stand.off(60), []);
    assert_eq!(ended(&stand.control(64, 0)).len(), 1);
}

#[test]
fn overlapping_notes_of_one_key_under_the_pedal_all_end_with_it() {
    let mut stand = stand();
    let notes = [stand.on(60), stand.on(60)];
    stand.control(64, 127);
    assert_eq!([stand.off(60), stand.off(60)], [vec![], vec![]]);
    assert_eq!(ended(&stand.control(64, 0)), notes);
}

#[test]
fn the_sostenuto_pedal_holds_only_what_was_down_when_it_went_down() {
    let mut stand = stand();
    let caught = stand.on(60);
    stand.control(66, 127);
    let later = stand.on(64);
    assert_eq!([stand.off(60), stand.off(64)], [vec![], vec![later]]);
    assert_eq!(ended(&stand.control(66, 0)), [caught]);
}

#[test]
fn a_sostenuto_pedal_that_is_held_catches_nothing_more() {
    let mut stand = stand();
    stand.control(66, 127);
    let note = stand.on(60);
    stand.control(66, 100);
    assert_eq!(stand.off(60), [note]);
}

#[test]
fn a_program_change_chooses_a_sound_for_its_channel_alone() {
    let mut stand = stand();
    stand.send(0xC0, 41, 0);
    assert_eq!(stand.sound(60).0, 41);
    stand.channel = 3;
    assert_eq!(stand.sound(60).0, 7, "as on the screen");
    stand.interpreter.select(9);
    assert_eq!(stand.sound(60).0, 9);
    stand.channel = 0;
    assert_eq!(stand.sound(60).0, 41);
}

#[test]
fn a_bank_goes_beyond_128_and_waits_for_its_program() {
    let mut stand = stand();
    stand.control(0, 0);
    stand.control(32, 1);
    assert_eq!(stand.sound(60).0, 7);
    stand.send(0xC0, 3, 0);
    assert_eq!(stand.sound(60).0, 131);
}

#[test]
fn a_sound_that_is_missing_is_reported_once() {
    let mut stand = stand();
    stand.control(0, 1);
    stand.send(0xC0, 2, 0);
    let channel = MidiChannel::of_status(0);
    assert_eq!(stand.send(0x90, 60, 100), [SynthAction::Missing(channel, 128 * 128 + 2)]);
    assert_eq!(stand.send(0x90, 61, 100), []);
    stand.send(0xC0, 2, 0);
    assert_eq!(stand.send(0x90, 60, 100).len(), 1);
}

#[test]
fn the_kit_plays_each_key_s_own_sound_at_its_own_pitch() {
    let mut stand = stand();
    stand.channel = 9;
    assert_eq!(stand.sound(36), (0, Pitch::Own));
    assert_eq!(stand.sound(99), (63, Pitch::Own));
    assert_eq!([stand.send(0x90, 35, 100), stand.send(0x90, 100, 100)], [vec![], vec![]]);
    stand.send(0xC0, 70, 0);
    assert_eq!(stand.sound(36), (64, Pitch::Own), "the bank that sound #71 is in");
}

#[test]
fn an_untouched_channel_sounds_as_loud_as_one_of_volume_100() {
    let mut stand = stand();
    assert_eq!(stand.control(7, 100), []);
    assert_eq!(stand.mix(7, 50).gain, Decibels::from_gain(0.25).unwrap());
    assert!((stand.mix(7, 127).gain.get() - 4.15).abs() < 0.01);
    assert_eq!(stand.mix(7, 0).gain.gain(), 0.0);
}

#[test]
fn expression_lowers_the_volume() {
    let mut stand = stand();
    let gain = stand.mix(11, 64).gain.gain();
    assert!((gain - (64.0_f32 / 127.0).powi(2)).abs() < 1e-5);
    assert_eq!(stand.mix(11, 127), Mix::default());
}

#[test]
fn pan_goes_from_side_to_side_through_the_centre() {
    let mut stand = stand();
    let mut pan = |value| stand.mix(10, value).pan;
    assert_eq!([pan(0), pan(127), pan(64)], [Pan::new(-1.0).unwrap(), Pan::new(1.0).unwrap(), Pan::CENTRE]);
}

#[test]
fn the_wheel_bends_two_semitones() {
    let mut stand = stand();
    assert_eq!([stand.bend(8191), stand.bend(-8192), stand.bend(0)], [200.0, -200.0, 0.0]);
}

#[test]
fn the_range_of_the_wheel_can_be_set_and_goes_for_a_bend_that_is_held() {
    let mut stand = stand();
    stand.bend(8191);
    stand.control(101, 0);
    stand.control(100, 0);
    assert_eq!(stand.mix(6, 12).bend.get(), 1200.0);
    assert_eq!(stand.mix(38, 50).bend.get(), 1250.0);
    // The parameter with no number: data are nobody's from here on.
    stand.control(101, 127);
    stand.control(100, 127);
    assert_eq!(stand.control(6, 24), []);
}

#[test]
fn data_for_a_maker_s_own_parameter_do_not_set_the_range() {
    let mut stand = stand();
    stand.control(101, 0);
    stand.control(100, 0);
    stand.control(99, 1);
    stand.control(98, 8);
    stand.control(6, 60);
    assert_eq!(stand.bend(8191), 200.0);
}

#[test]
fn the_modulation_wheel_makes_it_swing_by_half_a_semitone() {
    let mut stand = stand();
    assert_eq!(stand.mix(1, 127).vibrato, Cents::new(MODULATION).unwrap());
    assert_eq!(stand.mix(1, 0).vibrato, Cents::ZERO);
}

#[test]
fn all_notes_off_lifts_the_keys_but_not_the_pedal() {
    for number in 123..=127 {
        let mut stand = stand();
        let note = stand.on(60);
        assert_eq!(ended(&stand.control(number, 0)), [note]);
        let note = stand.on(60);
        stand.control(64, 127);
        assert_eq!(ended(&stand.control(number, 0)), []);
        assert_eq!(ended(&stand.control(64, 0)), [note]);
    }
}

#[test]
fn all_sound_off_ends_what_pedals_hold_in_its_channel_alone() {
    let mut stand = stand();
    stand.on(60);
    stand.control(64, 127);
    stand.off(60);
    stand.channel = 1;
    let other = stand.on(60);
    stand.channel = 0;
    assert_eq!(stand.control(120, 0), [SynthAction::SoundOff(MidiChannel::of_status(0))]);
    assert_eq!(stand.interpreter.held(), 1);
    stand.channel = 1;
    assert_eq!(stand.off(60), [other]);
}

#[test]
fn resetting_controllers_lets_wheels_and_pedals_go_and_keeps_sliders() {
    let mut stand = stand();
    stand.send(0xC0, 41, 0);
    stand.mix(7, 50);
    stand.mix(10, 0);
    let quiet = stand.mix(11, 64);
    stand.bend(8191);
    stand.mix(1, 127);
    let note = stand.on(60);
    let caught = stand.on(62);
    stand.control(64, 127);
    stand.control(66, 127);
    stand.off(60);
    stand.off(62);
    let actions = stand.control(121, 0);
    assert_eq!(ended(&actions), [note, caught]);
    let full = Mix { gain: Decibels::from_gain(0.25).unwrap(), ..quiet };
    assert_eq!(actions.last(), Some(&SynthAction::Mix(MidiChannel::of_status(0), full)));
    assert_eq!(stand.sound(60).0, 41);
}

#[test]
fn a_system_reset_silences_everything_and_forgets_it() {
    let mut stand = stand();
    stand.on(60);
    stand.send(0xC0, 41, 0);
    stand.mix(7, 50);
    let actions = stand.interpreter.handle(PORT, Message::Reset);
    assert_eq!(actions, [SynthAction::Silence, SynthAction::Mix(MidiChannel::of_status(0), Mix::default())]);
    assert_eq!((stand.interpreter.held(), stand.sound(60).0), (0, 7));
}

#[test]
fn a_port_that_goes_away_lets_go_of_its_notes_pedals_and_wheels() {
    let mut stand = stand();
    let note = stand.on(60);
    stand.control(64, 127);
    stand.off(60);
    stand.bend(8191);
    let other = match stand.from(OTHER, 0x90, 64, 100)[..] {
        [SynthAction::NoteOn(NoteOn { note, .. })] => note,
        ref actions => panic!("{actions:?}"),
    };
    let actions = stand.interpreter.release(PORT);
    assert_eq!(ended(&actions), [note]);
    assert!(actions.contains(&SynthAction::Mix(MidiChannel::of_status(0), Mix::default())));
    assert_eq!(ended(&stand.from(OTHER, 0x80, 64, 0)), [other], "the pedal is up");
}

#[test]
fn the_pedal_of_a_port_that_stays_does_not_hold_the_notes_of_one_that_goes() {
    let mut stand = stand();
    let note = stand.on(60);
    stand.from(OTHER, 0xB0, 64, 127);
    assert_eq!(ended(&stand.interpreter.release(PORT)), [note]);
    // Its own notes it goes on holding.
    stand.from(OTHER, 0x90, 64, 100);
    assert_eq!(ended(&stand.from(OTHER, 0x80, 64, 0)), []);
}

#[test]
fn a_pedal_that_vanishes_ends_what_it_held_of_others() {
    let mut stand = stand();
    let note = stand.on(60);
    stand.from(OTHER, 0xB0, 64, 127);
    stand.off(60);
    assert_eq!(ended(&stand.interpreter.release(OTHER)), [note]);
}

#[test]
fn too_many_notes_end_the_oldest() {
    let mut stand = stand();
    let first = stand.on(60);
    for _ in 1..MAX_HELD {
        assert_eq!(stand.send(0x90, 61, 100).len(), 1);
    }
    assert_eq!(ended(&stand.send(0x90, 61, 100)), [first]);
    assert_eq!(stand.interpreter.held(), MAX_HELD);
}
