//! What goes between the two halves: commands down, events up. Plain data, small enough to be copied into a ring.

use std::num::NonZeroU16;
use std::sync::Arc;
use std::time::Duration;

use song::{ArticulationIndex, FmPatch, Frames, Hz, LowPass, NotePlayed};

use crate::bank::BankHandle;
use crate::config::Interpolation;
use crate::effects::{DelaySetting, ReverbSetting};

/// One note from its note-on to its last frame; never given twice by a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub struct NoteId(pub(crate) u64);

impl NoteId {
    /// Returns the number, counted from 0 by each controller.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// What the audio thread is asked to do. `B` is how it names a bank: by a handle, or by a number where the audio thread
/// has other memory.
#[derive(Debug)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Command<B = Arc<BankHandle>> {
    /// The frame at which it applies; one that has passed means as soon as possible.
    pub(crate) at: Frames,
    pub(crate) action: Action<B>,
}

#[derive(Debug)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Action<B = Arc<BankHandle>> {
    /// A voice begins.
    Start(Start<B>),
    /// A voice begins that commands drive.
    StartDriven(DrivenStart<B>),
    /// A voice of the FM synthesiser begins, which commands drive as well.
    StartFm(FmStart),
    /// A driven voice changes.
    Change(NoteId, DrivenChange),
    /// The voices of a note sound otherwise, if they are not driven.
    Alter(NoteId, NoteChange),
    /// A driven voice goes on in a copy of what it plays: a track of a bank.
    Replace(NoteId, B, u32),
    /// All voices of a note that has begun go into their release.
    Release(NoteId),
    /// All voices of a note that may not have begun yet go into their release: what has not begun never will.
    Withdraw(NoteId),
    /// All voices go into their release, and what has not begun never will.
    ReleaseAll,
    /// The whole output glides to another gain, linear.
    Gain(f32),
    /// So many voices play at most.
    Polyphony(u32),
    /// What sounds on a strip, and what will, is heard otherwise.
    Set(StripIndex, StripParams),
    /// The reverb glides to another setting.
    Reverb(ReverbSetting),
    /// The delay glides to another setting.
    Delay(DelaySetting),
}

/// Which strip of an engine: a group of notes that are turned up, moved and bent together while they sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub struct StripIndex(u16);

impl StripIndex {
    /// Counted from 0.
    #[must_use]
    pub const fn new(index: u16) -> Self {
        Self(index)
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a strip is heard, as the audio thread needs to know it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct StripParams {
    /// Linear, pan included.
    pub(crate) left: f32,
    pub(crate) right: f32,
    /// Ratio of frequencies.
    pub(crate) bend: f32,
    /// To each side, in cents.
    pub(crate) vibrato: f32,
    pub(crate) tone: Tone,
    /// Linear gain of the send to the reverb, after those above.
    pub(crate) reverb: f32,
    /// Linear gain of the send to the delay, likewise.
    pub(crate) delay: f32,
}

/// What is added to the filters of voices; a voice without one gets a low-pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Tone {
    /// To the cutoff, in cents.
    pub(crate) cutoff: f32,
    /// To the resonance, in decibels.
    pub(crate) resonance: f32,
}

impl Tone {
    /// Returns both together.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { cutoff: self.cutoff + other.cutoff, resonance: self.resonance + other.resonance }
    }

    /// Returns the factor on a quality factor.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn q_factor(self) -> f64 {
        if self.resonance == 0.0 {
            return 1.0;
        }
        f64::from(self.resonance * (std::f32::consts::LOG2_10 / 20.0)).exp2()
    }
}

/// How the voices of a note change.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum NoteChange {
    Tone(Tone),
    Glide(Glide),
    /// They end at once, without a click.
    Cut,
}

/// The way from one pitch to another, both in cents from the voice's own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Glide {
    /// None for the present one.
    pub(crate) from: Option<f32>,
    pub(crate) to: f32,
    pub(crate) time: Micros,
}

/// One layer of a note, resolved as far as it can be without knowing the output's rate.
#[derive(Debug)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Start<B = Arc<BankHandle>> {
    pub(crate) note: NoteId,
    /// The bank the note was resolved with. It travels with the note, so neither a later bank nor a late start can
    /// pair a note with the wrong recording. Never the last owner: the reclaimer has another.
    pub(crate) bank: B,
    /// Which track of the bank.
    pub(crate) track: u32,
    /// Frames of the recording per second.
    pub(crate) hz: f64,
    /// Linear, pan included.
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) attack: Micros,
    pub(crate) release: Micros,
    pub(crate) strip: StripIndex,
    /// How it moves, by the bank's articulations.
    pub(crate) articulation: Option<ArticulationIndex>,
    /// What its articulation may depend on.
    pub(crate) played: NotePlayed,
    pub(crate) course: Course,
    /// Another than the engine's.
    pub(crate) interpolation: Option<Interpolation>,
}

/// How a driven voice sounds from a frame on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub struct VoiceParams {
    /// Frames of the recording per second.
    pub hz: f64,
    /// Linear gain of the left side; negative inverts it.
    pub left: f32,
    /// Linear gain of the right side; negative inverts it.
    pub right: f32,
    /// Its low-pass filter; none lets all pass.
    pub filter: Option<VoiceFilter>,
}

/// The low-pass filter of a driven voice: a [`LowPass`] of both values in 256ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub struct VoiceFilter {
    /// One more, so that a voice without a filter takes no more room in a command.
    cutoff: NonZeroU16,
    resonance: i16,
}

impl VoiceFilter {
    /// Beyond what any tracker has.
    const MAX_CUTOFF: f32 = 254.0;

    /// Creates a filter as close to another as can be, with a resonance of 127 at most.
    #[must_use]
    pub fn new(filter: LowPass) -> Self {
        // The casts saturate, and what is not a number becomes 0.
        let steps = (filter.cutoff.min(Self::MAX_CUTOFF) * 256.0) as u16;
        let resonance = (filter.resonance.min(127.0) * 256.0) as i16;
        Self { cutoff: NonZeroU16::MIN.saturating_add(steps), resonance }
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn low_pass(self) -> LowPass {
        LowPass {
            cutoff: f32::from(self.cutoff.get() - 1) / 256.0,
            resonance: f32::from(self.resonance) / 256.0,
        }
    }
}

/// What a voice follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Course {
    /// Its note: it fades after its release.
    Note,
    /// Its note, but it comes to its own end after its release.
    PlaysOut,
    /// Commands.
    Driven,
}

/// A voice that begins and is driven by commands from then on.
#[derive(Debug)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct DrivenStart<B = Arc<BankHandle>> {
    pub(crate) note: NoteId,
    pub(crate) bank: B,
    pub(crate) track: u32,
    /// The frame of the recording that it begins at.
    pub(crate) from: u32,
    /// As [`VoiceParams`], which would not fit with its padding.
    pub(crate) hz: f64,
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) filter: Option<VoiceFilter>,
    pub(crate) strip: StripIndex,
}

/// A voice of the FM synthesiser that begins.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct FmStart {
    pub(crate) note: NoteId,
    pub(crate) patch: FmPatch,
    /// Cycles per second.
    pub(crate) hz: f64,
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) strip: StripIndex,
}

/// What becomes of a driven voice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum DrivenChange {
    /// It sounds otherwise, its gains after so long.
    Params(VoiceParams, Micros),
    /// It leaves its sustain loop.
    LeaveSustain,
    /// It goes on with another track where its loop turns or its recording ends.
    Swap {
        /// One that the bank does not have is silence.
        track: u32,
        /// The frame that track begins at.
        from: u32,
    },
    /// It ends.
    Stop,
}

/// A duration in microseconds; small, so that a command fits its ring slot. At most 71 minutes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Micros(u32);

impl Micros {
    pub(crate) const fn millis(millis: u32) -> Self {
        Self(millis * 1000)
    }

    pub(crate) const fn duration(self) -> Duration {
        Duration::from_micros(self.0 as u64)
    }

    /// Rounded to the nearest; longer ones become the longest.
    pub(crate) fn from_duration(duration: Duration) -> Self {
        let micros = (duration.as_nanos() + 500) / 1000;
        Self(u32::try_from(micros).unwrap_or(u32::MAX))
    }

    /// In frames of the output, rounded to the nearest, at most [`u32::MAX`].
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn frames(self, rate: Hz) -> u32 {
        let frames = (u64::from(self.0) * u64::from(rate.get()) + 500_000) / 1_000_000;
        u32::try_from(frames).unwrap_or(u32::MAX)
    }
}

/// What the audio thread reports. A note has one voice for each zone it falls into, and each voice reports itself.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Event {
    /// A voice has begun.
    Started {
        /// Its note.
        note: NoteId,
        /// The frame at which it began.
        at: Frames,
    },
    /// A voice is over: its recording has been played to its end, it has faded out, or it was forgotten before it
    /// began. Sent once, and the last event of the voice.
    ///
    /// After the end of a recording its last value fades within 5 ms, so that it does not click; whoever cuts there
    /// has all that was recorded, and a recording of so many frames at its own rate has as many from
    /// [`Started`](Self::Started) to here.
    Ended {
        /// Its note.
        note: NoteId,
        /// The first frame after its recording, or without it.
        at: Frames,
    },
    /// A voice had to make room for another; it fades, and [`Event::Ended`] follows.
    Stolen {
        /// Its note.
        note: NoteId,
        /// The frame at which it begins to fade.
        at: Frames,
    },
    /// A voice could not begin: every slot sounds, and those that made room or played out are still fading.
    Refused {
        /// Its note.
        note: NoteId,
        /// The frame at which it would have begun.
        at: Frames,
    },
    /// How loud the output is, once every 1024 frames: about fifty times a second at 48 kHz.
    Meter {
        /// The highest absolute value on the left since the last one; 1.0 is full scale.
        left: f32,
        /// The highest absolute value on the right since the last one.
        right: f32,
        /// The lowest gain of the limiter since the last one, linear; 1.0 without one.
        limiter_gain: f32,
        /// Voices that sound, those that are fading out included.
        voices: u32,
        /// The frame after the last one measured.
        at: Frames,
    },
}

// A slot of a ring is one cache line at most.
const _: () = assert!(size_of::<Command>() <= 64);
const _: () = assert!(size_of::<Event>() <= 64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded_to_frames_and_saturate() {
        let rate = Hz::new(44_100).unwrap();
        assert_eq!(Micros::from_duration(Duration::from_millis(50)).frames(rate), 2205);
        assert_eq!(Micros::from_duration(Duration::from_nanos(400)).frames(rate), 0);
        assert_eq!(Micros::from_duration(Duration::MAX).frames(Hz::new(u32::MAX).unwrap()), u32::MAX);
    }
}
