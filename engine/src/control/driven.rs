//! Voices whose rate, gains and filter come as commands: those of a song that is replayed.

use std::sync::Arc;
use std::time::Duration;

use song::{FmPatch, Frames, SampleIndex};

use super::{Controller, Full, NoteError, resolve};
use crate::bank::{Bank, BankHandle};
use crate::message::{
    Action, Command, DrivenChange, DrivenStart, FmStart, Micros, NoteId, StripIndex, VoiceParams,
};
use crate::rt::modulation::drive::RAMP;

use ringbuf::traits::{Observer, Producer};

/// A bank that a controller has lent to its voices; kept until it is dropped and nothing sounds from it.
#[derive(Clone, Debug)]
pub struct LentBank(Arc<BankHandle>);

impl LentBank {
    /// Returns whether there is a recording with a left and a right side.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn is_stereo(&self, sample: SampleIndex) -> bool {
        let track = track(&self.0, sample, false).and_then(|number| self.0.track(number));
        track.is_some_and(|track| !track.planes.is_mono())
    }
}

/// A voice that is to begin and to be changed by commands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrivenVoice {
    /// Which recording of the bank.
    pub sample: SampleIndex,
    /// The frame of it that sounds first.
    pub from: Frames,
    /// Whether it has left its sustain loop already.
    pub is_released: bool,
    /// How it begins.
    pub params: VoiceParams,
    /// On which strip it sounds.
    pub strip: StripIndex,
}

/// A voice of the FM synthesiser, which is to begin and to be changed by commands. Leaving its sustain loop is its
/// key-off; it has no filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FmVoice {
    /// What it sounds like.
    pub patch: FmPatch,
    /// How it begins; its rate is in cycles per second.
    pub params: VoiceParams,
    /// On which strip it sounds.
    pub strip: StripIndex,
}

/// What becomes of a driven voice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VoiceChange {
    /// It sounds otherwise.
    Params {
        /// Rate and filter at once, gains in a straight line from what they are.
        params: VoiceParams,
        /// How long the gains take; a millisecond at least, which is no click.
        glide: Duration,
    },
    /// It leaves its sustain loop.
    LeaveSustain,
    /// It goes on with another recording where its loop turns or its recording ends.
    SwapAtLoopEnd {
        /// Which recording; it ends there if there is none.
        sample: Option<SampleIndex>,
        /// The frame of it that follows.
        from: Frames,
    },
    /// It ends, within a millisecond.
    Stop,
}

impl Controller {
    /// Lends a bank to driven voices, beside the one that notes are played from.
    pub fn lend(&mut self, bank: Arc<Bank>) -> LentBank {
        LentBank(self.reclaimer.lend(bank))
    }

    /// Begins a driven voice. One that begins within its recording rises from silence within a millisecond.
    ///
    /// # Errors
    /// [`NoteError::NoSample`] and [`NoteError::NoStrip`] if there is none of these; [`NoteError::QueueFull`] when the
    /// queue has no room.
    pub fn start_voice(
        &mut self,
        bank: &LentBank,
        voice: &DrivenVoice,
        at: Option<Frames>,
    ) -> Result<NoteId, NoteError> {
        if voice.strip.index() >= self.strips {
            return Err(NoteError::NoStrip(voice.strip));
        }
        let track = track(&bank.0, voice.sample, voice.is_released);
        let track = track.ok_or(NoteError::NoSample(voice.sample))?;
        if self.commands.is_full() {
            return Err(NoteError::QueueFull);
        }
        let note = NoteId(self.next_note);
        let VoiceParams { hz, left, right, filter } = bounded(&voice.params);
        let start = DrivenStart {
            note,
            bank: Arc::clone(&bank.0),
            track,
            from: u32::try_from(voice.from.get()).unwrap_or(u32::MAX),
            hz,
            left,
            right,
            filter,
            strip: voice.strip,
        };
        self.send(at, Action::StartDriven(start)).map_err(|_| NoteError::QueueFull)?;
        self.next_note += 1;
        Ok(note)
    }

    /// Begins a voice of the FM synthesiser, of which 32 sound at most.
    ///
    /// # Errors
    /// [`NoteError::NoStrip`] if there is no such strip; [`NoteError::QueueFull`] when the queue has no room.
    pub fn start_fm(&mut self, voice: &FmVoice, at: Option<Frames>) -> Result<NoteId, NoteError> {
        if voice.strip.index() >= self.strips {
            return Err(NoteError::NoStrip(voice.strip));
        }
        let note = NoteId(self.next_note);
        let VoiceParams { hz, left, right, .. } = bounded(&voice.params);
        let start = FmStart { note, patch: voice.patch, hz, left, right, strip: voice.strip };
        self.send(at, Action::StartFm(start)).map_err(|_| NoteError::QueueFull)?;
        self.next_note += 1;
        Ok(note)
    }

    /// Changes a driven voice from a frame on.
    ///
    /// # Errors
    /// [`Full`] gives the change back when the queue has no room.
    pub fn change_voice(
        &mut self,
        bank: &LentBank,
        note: NoteId,
        change: VoiceChange,
        at: Option<Frames>,
    ) -> Result<(), Full<VoiceChange>> {
        let resolved = match change {
            VoiceChange::Params { params, glide } => {
                DrivenChange::Params(bounded(&params), Micros::from_duration(glide.max(RAMP.duration())))
            }
            VoiceChange::LeaveSustain => DrivenChange::LeaveSustain,
            VoiceChange::SwapAtLoopEnd { sample, from } => DrivenChange::Swap {
                track: sample.and_then(|sample| track(&bank.0, sample, false)).unwrap_or(u32::MAX),
                from: u32::try_from(from.get()).unwrap_or(u32::MAX),
            },
            VoiceChange::Stop => DrivenChange::Stop,
        };
        let command = Command { at: at.unwrap_or_default(), action: Action::Change(note, resolved) };
        self.commands.try_push(command).map_err(|_| Full(change))?;
        self.next_sequence += 1;
        Ok(())
    }
}

impl Controller {
    /// Lets a driven voice go on in a copy of what it plays from a frame on, at the same place of it. A voice that
    /// plays another sample, or one of another length, is left alone.
    ///
    /// # Errors
    /// [`NoteError::NoSample`] if the bank has no such recording; [`NoteError::QueueFull`] when the queue has no room.
    pub fn replace_recording(
        &mut self,
        bank: &LentBank,
        note: NoteId,
        sample: SampleIndex,
        at: Option<Frames>,
    ) -> Result<(), NoteError> {
        let track = track(&bank.0, sample, false).ok_or(NoteError::NoSample(sample))?;
        let action = Action::Replace(note, Arc::clone(&bank.0), track);
        self.send(at, action).map_err(|_| NoteError::QueueFull)
    }
}

/// Returns the track of a sample, or what follows its sustain loop if it was left.
fn track(bank: &BankHandle, sample: SampleIndex, is_released: bool) -> Option<u32> {
    let number = u32::try_from(sample.get()).ok()?;
    let track = bank.track(number).filter(|track| track.sample == sample)?;
    Some(track.release_track.filter(|_| is_released).unwrap_or(number))
}

fn bounded(params: &VoiceParams) -> VoiceParams {
    let side = |gain: f32| resolve::bounded(gain.abs()).copysign(gain);
    VoiceParams {
        hz: params.hz.max(0.0),
        left: side(params.left),
        right: side(params.right),
        filter: params.filter,
    }
}
