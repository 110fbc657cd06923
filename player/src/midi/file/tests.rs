use song::{Key, Velocity};

use super::*;
use crate::midi::message::MidiChannel;

const RATE: u32 = 48_000;

/// The end of a track.
pub(in crate::midi) const END: &[u8] = &[0, 0xFF, 0x2F, 0];

/// Returns a file, byte by byte; `division` is the time base as it stands in the header.
pub(in crate::midi) fn file(format: u16, division: u16, tracks: &[&[u8]]) -> Vec<u8> {
    let mut bytes = b"MThd\0\0\0\x06".to_vec();
    let count = u16::try_from(tracks.len()).unwrap();
    [format, count, division].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    for track in tracks {
        bytes.extend(b"MTrk");
        bytes.extend(u32::try_from(track.len()).unwrap().to_be_bytes());
        bytes.extend(*track);
    }
    bytes
}

fn frames(bytes: &[u8]) -> Vec<u64> {
    let sequence = MidiSequence::read(bytes).unwrap();
    let rate = Hz::new(RATE).unwrap();
    sequence.messages.iter().map(|timed| sequence.frame(timed.at, rate).get()).collect()
}

fn on(key: u8) -> Message {
    let action = ChannelMessage::NoteOn(Key::new(key).unwrap(), Velocity::new(100).unwrap());
    Message::To(MidiChannel::of_status(0), action)
}

#[test]
fn a_beat_is_half_a_second_until_a_tempo_says_otherwise() {
    // 96 ticks a beat; the tempo becomes 250,000 microseconds after the second beat.
    let track = [
        &[0, 0x90, 60, 100, 96, 62, 100, 96, 64, 100][..],
        &[0, 0xFF, 0x51, 3, 0x03, 0xD0, 0x90, 96, 0x90, 65, 100],
        END,
    ]
    .concat();
    assert_eq!(frames(&file(0, 96, &[&track])), [0, 24_000, 48_000, 60_000]);
}

#[test]
fn the_tempo_of_one_track_goes_for_all() {
    let tempo = [&[96, 0xFF, 0x51, 3, 0x03, 0xD0, 0x90][..], END].concat();
    let notes = [&[0x81, 0x40, 0x90, 60, 100][..], END].concat();
    assert_eq!(frames(&file(1, 96, &[&tempo, &notes])), [24_000 + 12_000]);
}

#[test]
fn no_tempo_rounds_the_times_before_it() {
    // A third of a beat at a time, of 500,000 microseconds: a thousand of them are as long as they should be.
    let mut track = Vec::new();
    for _ in 0..1000 {
        track.extend([1, 0x90, 60, 100, 0, 0xFF, 0x51, 3, 0x07, 0xA1, 0x20]);
    }
    track.extend(END);
    let last = *frames(&file(0, 3, &[&track])).last().unwrap();
    assert_eq!(last, 1000 * 24_000 / 3);
}

#[test]
fn a_time_code_counts_in_frames_of_film_and_knows_no_tempo() {
    let track = [&[0, 0xFF, 0x51, 3, 1, 0, 0, 40, 0x90, 60, 100][..], END].concat();
    let at = |fps: i8, ticks: u8| {
        frames(&file(0, u16::from_be_bytes([fps.to_be_bytes()[0], ticks]), &[&track]))[0]
    };
    assert_eq!([at(-25, 40), at(-24, 40), at(-30, 4)], [1920, 2000, 16_000]);
    // 40 ticks of 1001 / 30000 / 4 seconds.
    assert_eq!(at(-29, 4), 16_016);
}

#[test]
fn messages_of_one_tick_are_heard_in_the_order_of_their_tracks() {
    let one = [&[0, 0x90, 60, 100, 5, 61, 100][..], END].concat();
    let two = [&[0, 0x90, 62, 100, 5, 63, 100][..], END].concat();
    let sequence = MidiSequence::read(&file(1, 96, &[&one, &two])).unwrap();
    let heard: Vec<Message> = sequence.messages.iter().map(|timed| timed.message).collect();
    assert_eq!(heard, [on(60), on(62), on(61), on(63)]);
}

#[test]
fn a_song_ends_with_its_longest_track() {
    let long = [96, 0xFF, 0x2F, 0];
    let short = [&[0, 0x90, 60, 100][..], END].concat();
    let sequence = MidiSequence::read(&file(1, 96, &[&long, &short])).unwrap();
    assert_eq!(sequence.frame(sequence.end, Hz::new(RATE).unwrap()), Frames::new(24_000));
}

#[test]
fn what_comes_after_the_end_of_a_track_is_not_of_it() {
    let track = [&[0, 0x90, 60, 100][..], END, &[0, 0x90, 61, 100]].concat();
    assert_eq!(frames(&file(0, 96, &[&track])).len(), 1);
}

#[test]
fn running_status_goes_on_after_other_events_as_many_programs_write_it() {
    let strict = [&[0, 0x90, 60, 100, 0, 0xFF, 6, 1, b'A', 0, 0x90, 61, 100][..], END].concat();
    let loose = [&[0, 0x90, 60, 100, 0, 0xFF, 6, 1, b'A', 0, 61, 100][..], END].concat();
    assert_eq!(MidiSequence::read(&file(0, 96, &[&loose])), MidiSequence::read(&file(0, 96, &[&strict])));
}

#[test]
fn a_file_wrapped_for_windows_is_read() {
    let bare = file(0, 96, &[&[&[0, 0x90, 60, 100][..], END].concat()]);
    let wrapped = [b"RIFF\0\0\0\0RMIDdata\0\0\0\0", bare.as_slice()].concat();
    assert_eq!(MidiSequence::read(&wrapped), MidiSequence::read(&bare));
}

#[test]
fn bytes_after_the_last_track_do_no_harm() {
    let whole = file(0, 96, &[END]);
    assert!(MidiSequence::read(&[whole.as_slice(), &[0, 1, 2]].concat()).is_ok());
}

#[test]
fn tracks_that_are_songs_of_their_own_are_refused_by_name() {
    let error = MidiSequence::read(&file(2, 96, &[END, END])).unwrap_err();
    assert!(error.to_string().contains("format 2"), "{error}");
}

#[test]
fn a_time_base_that_makes_no_time_is_refused() {
    for division in [0, 0xE700, 0x8000, 0x8001, 0xFF01] {
        let error = MidiSequence::read(&file(0, division, &[END])).unwrap_err();
        assert!(error.to_string().starts_with("damaged"), "{division:x}: {error}");
    }
}

#[test]
fn a_file_that_breaks_off_is_refused_wherever_it_does() {
    let track = [&[0, 0x90, 60, 100, 96, 62, 100][..], END].concat();
    let whole = file(1, 96, &[&track, &track]);
    assert!(MidiSequence::read(&whole).is_ok());
    for length in 0..whole.len() {
        assert!(MidiSequence::read(&whole[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn damage_is_reported_with_its_track() {
    let bad = [0, 0x90, 60, 200, 0];
    let error = MidiSequence::read(&file(1, 96, &[END, &bad])).unwrap_err();
    assert!(matches!(error, ScoreError::Damaged { track: 2, .. }), "{error:?}");
    assert_eq!(MidiSequence::read(b"not music"), Err(ScoreError::NotMidi));
}

#[test]
fn a_song_of_more_than_a_day_is_refused() {
    // The slowest tempo there is, one tick a beat, and one of the longest pauses.
    let track = [&[0, 0xFF, 0x51, 3, 255, 255, 255, 0xFF, 0xFF, 0xFF, 0x7F, 0x90, 60, 100][..], END].concat();
    assert_eq!(MidiSequence::read(&file(0, 1, &[&track])), Err(ScoreError::TooLong));
}

#[test]
fn a_second_header_is_skipped_whatever_it_says() {
    let (track, other) =
        ([&[0, 0x90, 60, 100, 96, 62, 100][..], END].concat(), [&[5, 0x90, 64, 100][..], END].concat());
    let whole = file(1, 96, &[&track, &other]);
    let second = 14 + 8 + track.len();
    for header in [&[0, 1, 0, 1, 0x80, 0][..], &[0, 9, 0, 1, 0, 96], &[0, 1, 0, 1], &[]] {
        let length = u32::try_from(header.len()).unwrap().to_be_bytes();
        let with = [&whole[..second], b"MThd", &length, header, &whole[second..]].concat();
        assert_eq!(MidiSequence::read(&with), MidiSequence::read(&whole), "{header:?}");
    }
    assert!(MidiSequence::read(&whole).is_ok());
}

#[test]
fn no_flipped_byte_makes_it_panic() {
    let track = [&[0, 0xFF, 0x51, 3, 3, 0xD0, 0x90, 0, 0x90, 60, 100, 96, 62, 100][..], END].concat();
    let whole = file(0, 0xE728, &[&track]);
    for place in 0..whole.len() {
        for byte in 0..=255 {
            let mut broken = whole.clone();
            broken[place] = byte;
            let _ = MidiSequence::read(&broken);
        }
    }
}
