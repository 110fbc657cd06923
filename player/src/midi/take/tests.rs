use super::*;
use crate::midi::file::MidiSequence;

const RATE: u32 = 48_000;

fn frame(at: u64) -> Frames {
    Frames::new(at)
}

fn on(number: u64, sound: usize, key: u8) -> TakeEvent {
    TakeEvent::NoteOn(number, sound, Key::new(key).unwrap(), Velocity::new(90).unwrap())
}

/// A message as a port sends it.
fn port(bytes: [u8; 3]) -> TakeEvent {
    TakeEvent::Message(Message::of(bytes[0], [bytes[1], bytes[2]]).unwrap())
}

/// What was played, each a hundred frames after the last.
fn notes(played: impl IntoIterator<Item = TakeEvent>) -> PlayedNotes {
    let mut notes = PlayedNotes::default();
    for (number, what) in (1..).zip(played) {
        notes.push(frame(100 * number), what);
    }
    notes
}

/// The frames and messages of the file, as `render --midi` reads them: channel from 1, and what is done, in words.
fn read(file: &[u8], rate: u32) -> Vec<(u64, u8, String)> {
    let sequence = MidiSequence::read(file).unwrap();
    let rate = Hz::new(rate).unwrap();
    let words = |action| match action {
        ChannelMessage::NoteOn(key, velocity) => format!("on {} {}", key.get(), velocity.get()),
        ChannelMessage::NoteOff(key) => format!("off {}", key.get()),
        ChannelMessage::Program(program) => format!("program {program}"),
        ChannelMessage::Bend(bend) => format!("bend {bend}"),
        ChannelMessage::Control(control, value) => format!("{control:?} {value}"),
    };
    let messages = sequence.messages.iter().map(|timed| match timed.message {
        Message::To(channel, action) => (sequence.frame(timed.at, rate).get(), channel.get(), words(action)),
        Message::Reset => panic!("no file has that"),
    });
    messages.filter(|(.., what)| !what.starts_with("Bank") || !what.ends_with(" 0")).collect()
}

fn file(notes: &PlayedNotes, from: u64, to: u64) -> Vec<(u64, u8, String)> {
    read(&notes.file(frame(from), frame(to), Hz::new(RATE).unwrap()), RATE)
}

fn strings(messages: &[(u64, u8, &str)]) -> Vec<(u64, u8, String)> {
    messages.iter().map(|&(at, channel, what)| (at, channel, what.to_owned())).collect()
}

#[test]
fn notes_of_the_screen_have_their_frames_and_sounds() {
    let notes =
        notes([on(0, 4, 60), on(1, 4, 64), TakeEvent::NoteOff(0), on(2, 5, 67), TakeEvent::NoteOff(1)]);
    let expected = [
        (50, 1, "program 4"),
        (50, 1, "on 60 90"),
        (150, 1, "on 64 90"),
        (250, 1, "off 60"),
        (350, 1, "program 5"),
        (350, 1, "on 67 90"),
        (450, 1, "off 64"),
        (951, 1, "off 67"),
    ];
    assert_eq!(file(&notes, 50, 1001), strings(&expected));
}

#[test]
fn a_take_has_the_notes_that_began_in_it_and_no_others() {
    let notes =
        notes([on(0, 0, 60), on(1, 0, 61), TakeEvent::NoteOff(0), TakeEvent::NoteOff(1), on(2, 0, 62)]);
    let expected = [(0, 1, "program 0"), (0, 1, "on 61 90"), (200, 1, "off 61")];
    assert_eq!(file(&notes, 200, 500), strings(&expected));
    assert_eq!(file(&notes, 300, 400), []);
}

#[test]
fn frames_are_exact_at_the_usual_rates() {
    for (rate, per_tick) in [(8000, 1), (44_100, 1), (48_000, 1), (96_000, 2), (192_000, 4)] {
        let mut notes = PlayedNotes::default();
        notes.push(frame(12_000), on(0, 0, 60));
        notes.push(frame(123_456_000), TakeEvent::NoteOff(0));
        let bytes = notes.file(frame(0), frame(123_456_001), Hz::new(rate).unwrap());
        let times: Vec<u64> = read(&bytes, rate).iter().map(|(at, ..)| *at).collect();
        assert_eq!(times, [12_000, 12_000, 123_456_000], "{rate} Hz");
        let division = u16::from_be_bytes([bytes[12], bytes[13]]);
        assert_eq!(u32::from(division) * 2 * per_tick, rate);
    }
}

#[test]
fn a_pause_longer_than_the_format_has_is_made_of_several() {
    let mut notes = PlayedNotes::default();
    let late = 3 * 0x0FFF_FFFF + 17;
    notes.push(frame(late), on(0, 0, 60));
    let expected = [(late, 1, "program 0"), (late, 1, "on 60 90"), (late + 1, 1, "off 60")];
    assert_eq!(file(&notes, 0, late + 1), strings(&expected));
}

#[test]
fn messages_of_ports_stay_as_they_came_and_the_screen_has_another_channel() {
    let notes = notes([
        TakeEvent::Chosen(3),
        port([0x90, 60, 100]),
        port([0xE0, 0, 96]),
        port([0x91, 40, 1]),
        port([0xB0, 64, 127]),
        port([0xB2, 7, 1]),
        port([0x80, 60, 0]),
        on(0, 7, 65),
        port([0x81, 40, 0]),
    ]);
    let expected = [
        (0, 1, "program 3"),
        (0, 2, "program 3"),
        (100, 1, "on 60 100"),
        (200, 1, "bend 4096"),
        (300, 2, "on 40 1"),
        (400, 1, "Sustain 127"),
        (600, 1, "off 60"),
        (700, 3, "program 7"),
        (700, 3, "on 65 90"),
        (800, 2, "off 40"),
        // What is held or turned in the end is let go.
        (900, 1, "Sustain 0"),
        (900, 1, "bend 0"),
        (900, 3, "off 65"),
    ];
    let all = file(&notes, 100, 1000);
    assert_eq!(all[..2], strings(&[(0, 1, "program 0"), (0, 2, "program 0")]), "what was chosen before");
    assert_eq!(all[2..], strings(&expected));
    let later: Vec<_> =
        expected.iter().map(|&(at, channel, what)| (at.max(50) - 50, channel, what)).collect();
    assert_eq!(file(&notes, 150, 1000), strings(&later));
}

#[test]
fn channels_begin_as_they_were_set_up_before_the_take() {
    let notes = notes([
        port([0xB4, 0, 0]),
        port([0xB4, 32, 1]),
        port([0xC4, 2, 0]),
        port([0xB4, 7, 90]),
        port([0xB4, 101, 0]),
        port([0xB4, 100, 0]),
        port([0xB4, 6, 12]),
        port([0xE4, 0, 0]),
        port([0x94, 50, 50]),
        TakeEvent::Chosen(9),
        port([0x84, 50, 0]),
    ]);
    let at_start: Vec<String> =
        file(&notes, 850, 5000).into_iter().filter(|(at, ..)| *at == 0).map(|(.., what)| what).collect();
    let expected = [
        "BankLower 1",
        "program 2",
        "Volume 90",
        "ParameterUpper 0",
        "ParameterLower 0",
        "DataUpper 12",
        "DataLower 0",
        "ParameterUpper 0",
        "ParameterLower 0",
        "bend -8192",
    ];
    assert_eq!(at_start, expected);
    let later = file(&notes, 850, 5000);
    assert!(!later.iter().any(|(.., what)| what == "program 9"), "its own program stays: {later:?}");
}

#[test]
fn everything_ends_at_once_and_what_is_unplugged_is_let_go() {
    let played = notes([
        port([0x90, 60, 100]),
        on(0, 0, 61),
        TakeEvent::AllOff,
        port([0x90, 62, 100]),
        TakeEvent::Unplugged,
    ]);
    let expected = [
        (0, 1, "program 0"),
        (100, 1, "on 60 100"),
        (200, 2, "program 0"),
        (200, 2, "on 61 90"),
        (300, 2, "off 61"),
        (300, 1, "AllSoundOff 0"),
        (400, 1, "on 62 100"),
        (500, 1, "off 62"),
    ];
    assert_eq!(file(&played, 0, 1000), strings(&expected));
}

#[test]
fn a_reset_sets_up_everything_anew() {
    let notes = notes([
        port([0xC0, 5, 0]),
        port([0xB0, 7, 20]),
        port([0x90, 60, 100]),
        TakeEvent::Message(Message::Reset),
    ]);
    let after: Vec<String> =
        file(&notes, 0, 1000).into_iter().filter(|(at, ..)| *at == 400).map(|(.., what)| what).collect();
    assert_eq!(after, ["off 60", "Volume 100", "program 0"]);
}

#[test]
fn the_latest_are_remembered_and_what_is_missing_is_known() {
    let mut notes = PlayedNotes::default();
    for number in 0..=MAX_EVENTS as u64 {
        notes.push(frame(number), TakeEvent::Chosen(1));
    }
    assert!(!notes.is_whole(frame(0)));
    assert!(notes.is_whole(frame(1)));
    notes.forget_before(frame(MAX_EVENTS as u64));
    assert_eq!(notes.events.len(), 1);
}

#[test]
fn what_was_turned_begins_as_it_was_and_is_turned_where_it_was() {
    let cutoff = |before: f64, after: f64| turned(4, Parameter::Cutoff, before, after).unwrap();
    let notes = notes([on(0, 4, 60), cutoff(20_000.0, 200.0), cutoff(200.0, 2000.0), TakeEvent::NoteOff(0)]);
    let expected = [
        (0, 1, "program 4"),
        (0, 1, "Other(21) 127"),
        (100, 1, "on 60 90"),
        (200, 1, "Other(21) 42"),
        (300, 1, "Other(21) 85"),
        (400, 1, "off 60"),
    ];
    assert_eq!(file(&notes, 0, 1000), strings(&expected));
    // What a controller cannot tell apart was not turned.
    assert!(turned(4, Parameter::Cutoff, 200.0, 200.1).is_none());
}
