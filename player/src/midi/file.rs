//! Standard MIDI files → one list of messages in the order of time.
//!
//! A file is damaged or whole: one that breaks off amid a track is refused with the track's number, not played in part.
//! Its times are kept as whole numbers, so no tempo rounds them; see [`MidiSequence::frame`].
//!
//! Source: *Standard MIDI Files 1.0* (RP-001); *SMPTE time code* for the time base of 29.97 frames.

use std::fmt;

use midly::{Format, Fps, MetaMessage, MidiMessage, Timing, TrackEventKind};
use song::{Frames, Hz};

use super::message::{ChannelMessage, Message};
use super::running_status;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;
/// The most messages that are kept of one.
const MAX_EVENTS: usize = 4 << 20;
/// The longest that a song may last.
const MAX_SECONDS: u64 = 24 * 3600;
/// Microseconds of a beat before a file states its tempo: 120 beats a minute.
const TEMPO: u64 = 500_000;
const HEADER: &[u8] = b"MThd";
/// Where the header begins in a file that is wrapped for Windows.
const WRAPPED: usize = 20;

/// A message and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// In parts of a second, as the sequence counts them.
    pub at: u64,
    /// The message.
    pub message: Message,
}

/// The messages of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MidiSequence {
    /// In the order of time; those of one time in the order of their tracks.
    pub messages: Vec<Timed>,
    /// When the longest track ends, no earlier than the last message.
    pub end: u64,
    /// Parts of a second in which it counts time; not 0.
    parts: u64,
}

/// Why a file is not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScoreError {
    /// It does not begin as one.
    NotMidi,
    /// Its tracks are songs of their own.
    Sequential,
    /// Its time base makes no time.
    TimeBase,
    /// A track, counted from 1, cannot be read.
    Damaged {
        /// Which one.
        track: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// It breaks off before its last track.
    MissingTracks {
        /// Tracks that it declares.
        stated: usize,
        /// Tracks that are there.
        found: usize,
    },
    /// Its header cannot be read.
    Header(String),
    /// It lasts longer than a day.
    TooLong,
    /// It has more messages than are kept.
    TooMany,
}

impl fmt::Display for ScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotMidi => write!(f, "not a MIDI file"),
            Self::Sequential => write!(f, "a MIDI file of format 2, whose tracks are independent songs"),
            Self::TimeBase => write!(f, "damaged: its time division is 0 or unknown"),
            Self::Damaged { track, problem } => write!(f, "damaged: track {track}: {problem}"),
            Self::MissingTracks { stated, found } => {
                write!(f, "damaged: it declares {stated} tracks and has {found}")
            }
            Self::Header(problem) => write!(f, "damaged: {problem}"),
            Self::TooLong => write!(f, "it lasts longer than {} hours", MAX_SECONDS / 3600),
            Self::TooMany => write!(f, "it has more than {MAX_EVENTS} messages"),
        }
    }
}

impl std::error::Error for ScoreError {}

/// What a track does at a tick.
#[derive(Clone, Copy)]
enum TrackEvent {
    /// So many microseconds are a beat from here on.
    Tempo(u64),
    Message(Message),
}

impl MidiSequence {
    /// Reads a file of format 0 or 1.
    ///
    /// # Errors
    /// [`ScoreError`] says what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, ScoreError> {
        let bytes = unwrapped(bytes)?;
        // The library would negate it, and the lowest has no positive.
        if bytes.get(12) == Some(&0x80) {
            return Err(ScoreError::TimeBase);
        }
        let bytes = running_status::restored(bytes);
        let (header, tracks) = midly::parse(&bytes).map_err(|error| ScoreError::Header(error.to_string()))?;
        if header.format == Format::Sequential {
            return Err(ScoreError::Sequential);
        }
        let (first_tempo, parts) = time_base(header.timing)?;
        let (mut events, end) = events(tracks)?;
        // Stable: what comes first in a track does so here, and at one tick the first track is heard first.
        events.sort_by_key(|(tick, _)| *tick);

        let mut clock = TempoClock { tick: 0, at: 0, per_tick: first_tempo, latest: parts * MAX_SECONDS };
        let has_tempo = matches!(header.timing, Timing::Metrical(_));
        let mut messages = Vec::new();
        for (tick, event) in events {
            let at = clock.reach(tick)?;
            match event {
                TrackEvent::Tempo(tempo) if has_tempo => clock.per_tick = tempo,
                TrackEvent::Tempo(_) => {}
                TrackEvent::Message(message) => messages.push(Timed { at, message }),
            }
        }
        let end = clock.reach(end)?;
        Ok(Self { messages, end, parts })
    }

    /// Returns the frame of a time, the nearest one.
    #[must_use]
    pub fn frame(&self, at: u64, rate: Hz) -> Frames {
        let parts = u128::from(self.parts);
        let frame = (u128::from(at) * u128::from(rate.get()) + parts / 2) / parts;
        Frames::new(u64::try_from(frame).unwrap_or(u64::MAX))
    }

    /// Returns how many notes begin in it.
    #[must_use]
    pub fn notes(&self) -> usize {
        let is_note = |timed: &&Timed| matches!(timed.message, Message::To(_, ChannelMessage::NoteOn(..)));
        self.messages.iter().filter(is_note).count()
    }
}

/// From its header on.
fn unwrapped(bytes: &[u8]) -> Result<&[u8], ScoreError> {
    let bare = match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'R', b'M', b'I', b'D', b'd', b'a', b't', b'a', ..] => {
            bytes.get(WRAPPED..).unwrap_or_default()
        }
        _ => bytes,
    };
    if bare.starts_with(HEADER) { Ok(bare) } else { Err(ScoreError::NotMidi) }
}

/// Returns how many parts of a second a tick has at first, and how many parts a second has.
fn time_base(timing: Timing) -> Result<(u64, u64), ScoreError> {
    let (per_tick, parts) = match timing {
        Timing::Metrical(ticks_per_beat) => (TEMPO, u64::from(ticks_per_beat.as_int()) * 1_000_000),
        // 30000 / 1001 frames a second.
        Timing::Timecode(Fps::Fps29, ticks_per_frame) => (1001, 30_000 * u64::from(ticks_per_frame)),
        Timing::Timecode(fps, ticks_per_frame) => (1, u64::from(fps.as_int()) * u64::from(ticks_per_frame)),
    };
    if parts == 0 { Err(ScoreError::TimeBase) } else { Ok((per_tick, parts)) }
}

/// Returns what all tracks do, one after another, and the tick at which the longest ends.
fn events(mut tracks: midly::TrackIter<'_>) -> Result<(Vec<(u64, TrackEvent)>, u64), ScoreError> {
    let stated = tracks.size_hint().0;
    let (mut events, mut end, mut found) = (Vec::new(), 0, 0);
    loop {
        let damaged =
            |error: midly::Error| ScoreError::Damaged { track: found + 1, problem: error.to_string() };
        let track = match tracks.next() {
            None => break,
            Some(Ok(track)) => track,
            // After the last track there may be anything.
            Some(Err(_)) if found >= stated => break,
            Some(Err(error)) => return Err(damaged(error)),
        };
        let mut tick = 0_u64;
        for event in track {
            let event = event.map_err(damaged)?;
            tick += u64::from(event.delta.as_int());
            let event = match event.kind {
                TrackEventKind::Midi { channel, message } => {
                    let Some(message) = heard(channel.as_int(), message) else { continue };
                    TrackEvent::Message(message)
                }
                TrackEventKind::Meta(MetaMessage::Tempo(tempo)) => TrackEvent::Tempo(tempo.as_int().into()),
                TrackEventKind::Meta(MetaMessage::EndOfTrack) => break,
                _ => continue,
            };
            if events.len() >= MAX_EVENTS {
                return Err(ScoreError::TooMany);
            }
            events.push((tick, event));
        }
        end = end.max(tick);
        found += 1;
    }
    if found < stated {
        return Err(ScoreError::MissingTracks { stated, found });
    }
    Ok((events, end))
}

/// Returns the message as it would come down a wire.
fn heard(channel: u8, message: MidiMessage) -> Option<Message> {
    let (kind, data) = match message {
        MidiMessage::NoteOff { key, vel } => (0x80, [key.as_int(), vel.as_int()]),
        MidiMessage::NoteOn { key, vel } => (0x90, [key.as_int(), vel.as_int()]),
        MidiMessage::Aftertouch { key, vel } => (0xA0, [key.as_int(), vel.as_int()]),
        MidiMessage::Controller { controller, value } => (0xB0, [controller.as_int(), value.as_int()]),
        MidiMessage::ProgramChange { program } => (0xC0, [program.as_int(), 0]),
        MidiMessage::ChannelAftertouch { vel } => (0xD0, [vel.as_int(), 0]),
        MidiMessage::PitchBend { bend } => {
            let bend = bend.0.as_int();
            (0xE0, [bend & 0x7F, bend >> 7].map(|half| u8::try_from(half).unwrap_or(0)))
        }
    };
    Message::of(kind | channel, data)
}

/// Turns ticks into time.
struct TempoClock {
    tick: u64,
    at: u64,
    per_tick: u64,
    latest: u64,
}

impl TempoClock {
    /// Returns the time of a tick, no earlier than the last one.
    fn reach(&mut self, tick: u64) -> Result<u64, ScoreError> {
        let ticks = tick.saturating_sub(self.tick);
        let at = ticks.checked_mul(self.per_tick).and_then(|parts| parts.checked_add(self.at));
        self.at = at.filter(|at| *at <= self.latest).ok_or(ScoreError::TooLong)?;
        self.tick = self.tick.max(tick);
        Ok(self.at)
    }
}

#[cfg(test)]
pub(super) mod tests;
