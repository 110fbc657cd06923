use std::convert::Infallible;
use std::sync::Arc;

use engine::Config;
use fixtures::songs::{hz, looped, mono_float, of};
use song::{Key, LoopMode, Pan, Velocity, Voicing};

use super::*;
use crate::session;
use crate::single_note::{NoteOptions, NotePlan, SingleNote, render};

#[test]
fn lengths_of_notes_follow_the_tempo_up_to_the_longest_delay() {
    let millis = |name: &str, tempo| NoteLength::named(name).unwrap().lasts(tempo).as_millis();
    assert_eq!([millis("1/4", 120.0), millis("1/8.", 120.0), millis("1/8t", 60.0)], [500, 375, 333]);
    assert_eq!([millis("1/1", 20.0), millis("1/4", 0.0)], [4000, 4000]);
    assert_eq!(NoteLength::named("1/3"), None);
    assert!(NoteLength::ALL.windows(2).all(|pair| pair[0].1 < pair[1].1), "the shortest first");
}

#[test]
fn the_tail_is_that_of_the_effects_that_are_sent_to() {
    let room = Room { decay: Duration::from_secs(9), ..Room::default() };
    let silent = Sends::default();
    let (reverb, delay) =
        (Sends { reverb: Some(Decibels::UNITY), ..silent }, Sends { delay: Some(Decibels::UNITY), ..silent });
    assert_eq!(room.tail([silent]), Duration::ZERO);
    assert_eq!(room.tail([silent, reverb]), room.reverb().tail());
    assert_eq!(room.tail([delay]), room.delay().tail());
    assert!(room.tail([delay, reverb]) > Duration::from_secs(9));
    let loud = Room { master: Decibels::new(1.0).unwrap(), ..room };
    assert_eq!(
        [room.is_heard([silent]), room.is_heard([delay]), loud.is_heard([silent])],
        [false, true, true]
    );
}

#[test]
fn a_value_that_is_set_is_the_value_that_there_is_and_wild_ones_are_the_nearest() {
    for parameter in RoomParameter::ALL {
        let mut room = Room::default();
        for part in [0.0, 0.3, 1.0] {
            let value = parameter.scale().at(part);
            parameter.set(&mut room, value);
            assert!(
                (parameter.get(&room) - value).abs() <= 1e-3 * value.abs().max(1.0),
                "{parameter:?} {part}"
            );
        }
        let most = parameter.get(&room);
        parameter.set(&mut room, f64::MAX);
        assert_eq!(parameter.get(&room), most, "{parameter:?}");
        parameter.set(&mut room, f64::NAN);
        assert_eq!(parameter.get(&room), most, "{parameter:?}");
        assert!(!parameter.text(most).is_empty());
    }
}

#[test]
fn a_room_is_kept_and_nonsense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/room.toml");
    let file = RoomFile::at(&path);
    assert_eq!(file.load().unwrap(), Room::default());
    let room = Room {
        decay: Duration::from_millis(2500),
        time: NoteLength::named("1/4t").unwrap(),
        tempo: 97.0,
        feedback: 0.6,
        ping_pong: false,
        master: Decibels::new(-4.5).unwrap(),
        ..Room::default()
    };
    file.save(&room).unwrap();
    assert_eq!(file.load().unwrap(), room);
    assert!(!std::fs::read_to_string(&path).unwrap().contains("damping"), "what was not turned is not kept");
    for text in ["decya = 1.0", "time = \"1/3\"", "tempo = \"fast\"", "ping_pong = 1", "["] {
        std::fs::write(&path, text).unwrap();
        assert!(file.load().is_err(), "{text}");
    }
}

/// Renders a sound at its own pitch.
fn rendered(sample: song::Sample, voicing: Voicing, room: Option<Room>) -> Vec<f32> {
    let (mut controller, mut processor) =
        engine::split(Config { effects: room.is_some(), ..Config::default() }).unwrap();
    let bank = session::adjusted_bank(of(vec![sample]), [(0, &voicing)]).unwrap();
    controller.load(Arc::clone(&bank));
    let object = unreal::ObjectPath { group: String::new(), name: "x".to_owned() };
    let payload = unreal::ue1to3::bulk::Payload::plain(0, 0);
    let sound = importer::Sound::of_payload(1, object, &unreal::Memory([]), payload);
    let options = NoteOptions {
        key: Some(Key::C4),
        velocity: Velocity::HIGHEST,
        gain: Decibels::UNITY,
        pan: Pan::CENTRE,
        hold: Duration::from_millis(100),
        voicing,
        room,
    };
    let plan =
        NotePlan { bank: &bank, sound: &sound, options, tail: Duration::from_millis(50), rate: hz(48_000) };
    let mut note = SingleNote::begin(&mut controller, &plan, Frames::ZERO).unwrap();
    let mut left = Vec::new();
    let Ok(()) = render(&mut note, &mut controller, &mut processor, |frames| {
        left.extend(frames.iter().step_by(2));
        Ok::<_, Infallible>(())
    });
    left
}

#[test]
fn a_note_goes_on_in_its_room_until_its_tail_is_over_looped_or_not() {
    let once = mono_float([0.5; 4800]);
    let held = looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward);
    for sample in [once, held] {
        let dry = rendered(sample.clone(), Voicing::default(), None);
        assert_eq!(
            rendered(sample.clone(), Voicing::default(), Some(Room::default())),
            dry,
            "nothing is sent"
        );
        let sent = Voicing { reverb: Some(Decibels::UNITY), ..Voicing::default() };
        let wet = rendered(sample, sent, Some(Room::default()));
        let tail = Frames::lasting(Room::default().tail([sent.sends(Sends::default())]), hz(48_000)).index();
        assert_eq!(wet.len(), dry.len() + tail);
        assert!(wet[dry.len() + 4800..][..4800].iter().any(|value| value.abs() > 1e-3));
        assert!(wet[wet.len() - 480..].iter().all(|value| value.abs() < 2e-3));
    }
}
