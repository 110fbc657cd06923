use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use engine::{Bank, Config, Processor, offline, split};
use fixtures::songs::{hz, looped, mono_float, of};
use song::{LoopMode, Song};

use super::*;
use crate::midi::file::tests::{END, file};
use crate::single_note::render;

/// The default tempo makes a tick a frame of 48 kHz.
const TICKS_A_BEAT: u16 = 24_000;
const RELEASE: u64 = 2400;

/// Returns a sound that is held, one that is not, and one more that is not.
fn song() -> Song {
    let held = looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward);
    of(vec![held, mono_float([0.25; 10_000]), mono_float([0.125; 500])])
}

/// Returns the events, each so many frames after the one before.
fn track(events: &[(u32, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (delta, event) in events {
        let septets = [delta >> 14, delta >> 7, *delta].map(|bits| u8::try_from(bits & 127).unwrap());
        bytes.extend([septets[0] | 128, septets[1] | 128, septets[2]]);
        bytes.extend(*event);
    }
    bytes.extend(END);
    bytes
}

fn sequence(events: &[(u32, &[u8])]) -> MidiSequence {
    MidiSequence::read(&file(0, TICKS_A_BEAT, &[&track(events)])).unwrap()
}

struct Played {
    left: Vec<f32>,
    begun: Vec<u64>,
    warnings: Vec<String>,
}

/// Listens to what passes, and plays it at another rate from a frame on.
struct Witness<'a, 's> {
    player: &'a mut MidiFilePlayer<'s>,
    begun: Vec<u64>,
    turn: Option<(u64, Hz)>,
}

impl Playable for Witness<'_, '_> {
    fn feed(&mut self, controller: &mut Controller, until: Frames) -> Frames {
        if let Some((at, rate)) = self.turn.take_if(|(at, _)| until.get() > *at) {
            self.player.set_rate(Frames::new(at), rate);
        }
        self.player.feed(controller, until)
    }

    fn handle_event(&mut self, event: &Event) {
        if let Event::Started { at, .. } = event {
            self.begun.push(at.get());
        }
        self.player.handle_event(event);
    }

    fn set_rate(&mut self, now: Frames, rate: Hz) {
        self.player.set_rate(now, rate);
    }

    fn end(&self, now: Frames) -> Option<Frames> {
        self.player.end(now)
    }
}

fn play(sequence: &MidiSequence) -> Played {
    play_turning(sequence, None)
}

fn engine() -> (Controller, Processor) {
    let config = Config { polyphony: 256, ..Config::default() };
    let (mut controller, processor) = split(config).unwrap();
    controller.load(Arc::new(Bank::prepare(&song()).unwrap()));
    (controller, processor)
}

fn options() -> FilePlayerOptions {
    FilePlayerOptions {
        own: std::sync::Arc::default(),
        sounds: 3,
        selected: 0,
        voicings: BTreeMap::new(),
        gain: Decibels::UNITY,
        pan: Pan::CENTRE,
        tail: Duration::from_millis(100),
        room: None,
        rate: hz(48_000),
    }
}

fn player(sequence: &MidiSequence) -> MidiFilePlayer<'_> {
    MidiFilePlayer::new(sequence, &options(), Frames::ZERO)
}

fn play_turning(sequence: &MidiSequence, turn: Option<(u64, Hz)>) -> Played {
    let (mut controller, mut processor) = engine();
    let mut player = player(sequence);
    let mut witness = Witness { player: &mut player, begun: Vec::new(), turn };
    let mut left = Vec::new();
    let Ok(()) = render(&mut witness, &mut controller, &mut processor, |frames| {
        left.extend(frames.iter().step_by(2));
        Ok::<_, Infallible>(())
    });
    let begun = witness.begun;
    Played { left, begun, warnings: player.warnings().map(str::to_owned).collect() }
}

const ON: &[u8] = &[0x90, 60, 127];
const OFF: &[u8] = &[0x80, 60, 0];

#[test]
fn a_note_begins_and_ends_at_the_frames_its_file_names() {
    let played = play(&sequence(&[(1001, ON), (5002, OFF)]));
    assert_eq!(played.left.iter().position(|value| *value != 0.0), Some(1001));
    assert_eq!(played.left[1001], 0.5);
    assert_eq!(played.left[6002], 0.5);
    assert!(played.left[6100] < 0.5, "it is released at 6003");
    assert_eq!(played.left.len() as u64, 6003 + RELEASE);
}

#[test]
fn a_controller_changes_what_sounds_at_its_frame() {
    let played = play(&sequence(&[(0, &[0xB0, 7, 100]), (0, ON), (5000, &[0xB0, 7, 0]), (5000, OFF)]));
    assert_eq!([played.left[0], played.left[4999]], [0.5, 0.5]);
    assert!(played.left[5240..10_000].iter().all(|value| *value == 0.0), "silent after 5 ms");
}

#[test]
fn a_note_that_nothing_ends_is_held_to_the_end_of_the_file() {
    let played = play(&sequence(&[(0, ON), (7000, &[0xFF, 0x01, 0])]));
    assert_eq!(played.left.len() as u64, 7000 + RELEASE);
}

#[test]
fn a_file_that_goes_on_without_notes_is_over_with_the_last_of_them() {
    let played = play(&sequence(&[(0, ON), (100, OFF), (480_000, &[0xFF, 0x01, 0])]));
    assert_eq!(played.left.len() as u64, 100 + RELEASE);
}

#[test]
fn the_tempo_stays_when_frames_become_longer_or_shorter_ones() {
    const TURN: u64 = 25_600;
    let sequence =
        sequence(&[(24_000, ON), (1000, OFF), (23_000, ON), (1000, OFF), (47_000, ON), (1000, OFF)]);
    for rate in [24_000, 192_000] {
        let played = play_turning(&sequence, Some((TURN, hz(rate))));
        let later = |frame: u64| TURN + (frame - TURN) * u64::from(rate) / 48_000;
        assert_eq!(played.begun, [24_000, later(48_000), later(96_000)]);
    }
}

#[test]
fn what_was_handed_on_before_the_rate_fell_is_not_overtaken() {
    let (mut controller, mut processor) = engine();
    let sequence = sequence(&[(25_000, ON), (1000, OFF)]);
    let mut player = player(&sequence);
    player.feed(&mut controller, Frames::new(25_500));
    // At this rate the note would end at frame 13,000.
    player.set_rate(Frames::ZERO, hz(24_000));
    player.feed(&mut controller, Frames::new(u64::MAX));
    let heard = offline::render(&mut processor, Frames::new(30_000));
    assert!(heard[2 * 25_000] != 0.0, "it begins");
    assert!(heard[2 * 28_000..].iter().all(|value| *value == 0.0), "it is held");
}

#[test]
fn a_kit_plays_out_what_is_not_looped_and_releases_what_is() {
    let kit = |key: u8| [(0, vec![0x99, key, 127]), (100, vec![0x89, key, 0])];
    let length = |key| {
        let events = kit(key);
        let events: Vec<(u32, &[u8])> = events.iter().map(|(at, event)| (*at, event.as_slice())).collect();
        play(&sequence(&events)).left.len() as u64
    };
    assert_eq!([length(36), length(37)], [100 + RELEASE, 10_000]);
}

#[test]
fn a_sound_that_is_not_looped_ends_with_its_key_where_it_is_no_kit() {
    let played = play(&sequence(&[(0, &[0xC0, 1]), (0, ON), (100, OFF)]));
    assert_eq!((played.left[0], played.left.len() as u64), (0.25, 100 + RELEASE));
}

#[test]
fn more_notes_than_the_queue_holds_all_begin_at_their_frames() {
    let one: [(u32, &[u8]); 2] = [(3, &[0x99, 38, 1]), (0, &[0x89, 38, 0])];
    let played = play(&sequence(&one.repeat(5000)));
    let expected: Vec<u64> = (1..=5000).map(|note| 3 * note).collect();
    assert_eq!(played.begun, expected);
}

#[test]
fn more_notes_at_one_frame_than_the_queue_holds_come_to_an_end() {
    let mut events = vec![(10, &[0x99, 38, 1][..])];
    events.extend([(0, &[0x99, 38, 1][..]); 2999]);
    let played = play(&sequence(&events));
    assert_eq!(played.begun.first(), Some(&10));
    assert!(played.left.len() < 3000, "no news of an end was lost: {}", played.left.len());
}

#[test]
fn a_sound_that_is_missing_is_reported_and_the_others_play() {
    let played = play(&sequence(&[(0, &[0xC0, 9]), (0, ON), (0, &[0x91, 60, 127]), (9, &[0x81, 60, 0])]));
    assert_eq!(played.begun, [0]);
    assert_eq!(played.warnings, ["MIDI channel 1 asks for sound #10, which does not exist"]);
}

#[test]
fn only_the_sounds_that_it_plays_are_needed() {
    let events: &[(u32, &[u8])] = &[(0, &[0xC0, 2]), (0, ON), (0, &[0x91, 60, 1]), (0, &[0xC3, 1])];
    assert_eq!(played(&sequence(events), 3, 0), BTreeSet::from([0, 2]));
}

/// Plays a file in a room; returns the left channel.
fn play_in(room: Room, sequence: &MidiSequence, voicings: BTreeMap<usize, Voicing>) -> Vec<f32> {
    let config = Config { polyphony: 256, effects: true, ..Config::default() };
    let (mut controller, mut processor) = split(config).unwrap();
    controller.load(Arc::new(Bank::prepare(&song()).unwrap()));
    let options = FilePlayerOptions { room: Some(room), voicings, ..options() };
    let mut player = MidiFilePlayer::new(sequence, &options, Frames::ZERO);
    let mut left = Vec::new();
    let Ok(()) = render(&mut player, &mut controller, &mut processor, |frames| {
        left.extend(frames.iter().step_by(2));
        Ok::<_, Infallible>(())
    });
    left
}

#[test]
fn a_channel_sends_as_its_sound_is_voiced_and_as_its_controllers_say() {
    let sequence = sequence(&[(0, ON), (4800, OFF)]);
    let dry = play(&sequence).left;
    assert_eq!(play_in(Room::default(), &sequence, BTreeMap::new()), dry, "nothing is sent");
    let loud = Voicing { reverb: Some(Decibels::UNITY), ..Voicing::default() };
    let wet = play_in(Room::default(), &sequence, BTreeMap::from([(0, loud)]));
    let tail = Frames::lasting(Room::default().reverb().tail(), hz(48_000)).get();
    assert_eq!(wet.len() as u64, dry.len() as u64 + tail);
    assert!(wet[dry.len() + 4800..][..4800].iter().any(|value| value.abs() > 1e-3), "it goes on");
    assert!(wet[wet.len() - 480..].iter().all(|value| value.abs() < 2e-3), "and ends");
    // Another sound on the channel sends as it is voiced.
    let other = self::sequence(&[(0, &[0xC0, 1]), (0, ON), (4800, OFF)]);
    assert_eq!(play_in(Room::default(), &other, BTreeMap::from([(0, loud)])).len(), {
        let dry = play(&other).left.len();
        dry + tail as usize
    });
    // Controller 91 sends from there on, and ends it.
    let turned = self::sequence(&[(0, &[0xB0, 91, 127]), (0, ON), (4800, OFF)]);
    assert!(play_in(Room::default(), &turned, BTreeMap::new()).len() > dry.len() + 48_000);
    let off = self::sequence(&[(0, &[0xB0, 91, 0]), (0, ON), (4800, OFF)]);
    assert_eq!(play_in(Room::default(), &off, BTreeMap::from([(0, loud)])), dry);
}

#[test]
fn the_master_gain_is_that_of_all() {
    let sequence = sequence(&[(48, ON), (4800, OFF)]);
    let half = Room { master: Decibels::from_gain(0.5).unwrap(), ..Room::default() };
    let heard = play_in(half, &sequence, BTreeMap::new());
    assert!((heard[2000] - 0.25).abs() < 1e-6, "{}", heard[2000]);
}

/// Returns a performance on channel 10, whose kit has sound 1 on key 37 and sound 2 on key 38.
fn kit(events: &[(u32, &[u8])], voicings: BTreeMap<usize, Voicing>) -> Vec<f32> {
    play_in(Room::default(), &sequence(events), voicings)
}

#[test]
fn each_sound_of_the_kit_sends_as_it_is_voiced_whichever_was_struck_last() {
    let reverb = |gain| Voicing { reverb: Decibels::new(gain).ok(), ..Voicing::default() };
    let voicings = BTreeMap::from([(1, reverb(0.0)), (2, reverb(-12.0))]);
    let first: (u32, &[u8]) = (0, &[0x99, 37, 127]);
    let second: (u32, &[u8]) = (480, &[0x99, 38, 127]);
    for voicings in [voicings.clone(), BTreeMap::from([(1, reverb(0.0))]), BTreeMap::from([(2, reverb(0.0))])]
    {
        let both = kit(&[first, second], voicings.clone());
        let [first, second] = [first, second].map(|one| kit(&[one], voicings.clone()));
        let at = |heard: &[f32], index: usize| heard.get(index).copied().unwrap_or_default();
        for (index, heard) in both.iter().enumerate() {
            let expected = at(&first, index) + at(&second, index);
            // Where one of them ends, its tail has fallen by 60 dB.
            assert!((heard - expected).abs() < 2e-3, "{heard} for {expected} at {index} of {voicings:?}");
        }
    }
}

#[test]
fn the_mix_of_channel_10_is_that_of_all_sounds_of_its_kit() {
    let sent = BTreeMap::from([(1, Voicing { delay: Decibels::new(-35.0).ok(), ..Voicing::default() })]);
    for voicings in [BTreeMap::new(), sent] {
        let events: [(u32, &[u8]); 3] = [(0, &[0xB9, 7, 50]), (0, &[0x99, 37, 127]), (4800, &[0xB9, 7, 0])];
        let heard = kit(&events, voicings);
        assert!((heard[2400] - 0.25 * 0.25).abs() < 1e-3, "a quarter, by the square law: {}", heard[2400]);
        assert!(heard[4800 + 480].abs() < 5e-3, "{}", heard[4800 + 480]);
    }
}

#[test]
fn a_kit_that_sends_nothing_is_played_as_without_strips_of_its_own() {
    let events: [(u32, &[u8]); 2] = [(0, &[0x99, 37, 127]), (480, &[0x99, 38, 127])];
    assert_eq!(kit(&events, BTreeMap::new()), play(&sequence(&events)).left);
}
