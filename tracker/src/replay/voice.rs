use super::command::{Glide, VoiceCommand, VoiceId, VoiceSound};
use super::position::{Passed, SamplePosition};
use super::score::{Score, ScoreRecording};

/// One sounding recording, and what is to become of it in this tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplayVoice {
    /// The voice that it has sounded on so far.
    id: Option<VoiceId>,
    /// The module's sample.
    sample: Option<usize>,
    /// From the end on, if it plays backwards.
    position: SamplePosition,
    is_backward: bool,
    /// Frames of the recording.
    length: u64,
    is_released: bool,
    start: Option<u64>,
    stops: bool,
    releases: bool,
    swap: Option<usize>,
    /// What was last said of it.
    last: Option<VoiceSound>,
    /// Volume or pan were set in this tick, so they do not glide along it.
    jumps: bool,
}

impl ReplayVoice {
    /// Begins a sample at a frame; what sounds ends.
    pub(crate) fn start(&mut self, score: &Score, sample: usize, from: u64) {
        self.sample = Some(sample);
        self.is_released = false;
        self.is_backward = false;
        self.swap = None;
        self.releases = false;
        let length = match score.recording(sample) {
            Some(recording) => recording.length,
            // It lasts as long as its note.
            None => score.fm_patch(sample).map_or(0, |_| u64::MAX),
        };
        if from >= length {
            return self.stop();
        }
        self.start = Some(from);
        self.stops = false;
        self.position = SamplePosition::at(from);
        self.length = length;
    }

    /// Plays on with another sample from a frame, released as it is.
    pub(crate) fn restart(&mut self, score: &Score, sample: usize, from: u64) {
        let is_released = self.is_released;
        self.start(score, sample, from);
        self.is_released = is_released;
    }

    /// Plays backwards from where it stands, or forwards again. What has not begun yet begins at its end.
    pub(crate) fn turn(&mut self, score: &Score, is_backward: bool) {
        let can = self.sample.is_some_and(|sample| score.backwards(sample).is_some());
        if !can || self.is_backward == is_backward || !self.is_sounding() {
            return;
        }
        let at = match self.start {
            Some(0) => 0,
            _ => self.length.saturating_sub(self.position.frame() + 1),
        };
        self.is_backward = is_backward;
        self.start = Some(at);
        self.position = SamplePosition::at(at);
    }

    /// Returns what is recorded of its sample, in the direction in which it plays.
    fn recording(&self, score: &Score) -> Option<ScoreRecording> {
        let sample = self.sample?;
        if self.is_backward { score.backwards(sample) } else { score.recording(sample) }
    }

    /// Begins anew at its position: no command has named it so far.
    pub(crate) fn begin_again(&mut self) {
        if self.id.is_some() && !self.stops {
            self.start = Some(self.position.frame());
        }
    }

    pub(crate) const fn stop(&mut self) {
        self.stops = true;
        self.start = None;
        self.swap = None;
    }

    /// Leaves the sustain loop.
    pub(crate) fn release(&mut self, score: &Score) {
        if self.is_released {
            return;
        }
        self.is_released = true;
        self.releases = true;
        if let Some(recording) = self.recording(score) {
            self.position.release(&recording);
        }
    }

    /// Goes on with another sample where the loop turns or the recording ends.
    pub(crate) const fn swap_at_loop_end(&mut self, sample: usize) {
        self.swap = Some(sample);
    }

    /// Volume or pan are set: they are there at once.
    pub(crate) const fn jump(&mut self) {
        self.jumps = true;
    }

    /// Returns whether it sounds, or begins to.
    pub(crate) const fn is_sounding(&self) -> bool {
        self.start.is_some() || (self.id.is_some() && !self.stops)
    }

    pub(crate) const fn sample(&self) -> Option<usize> {
        self.sample
    }

    /// Returns the voice that it sounds on.
    pub(crate) const fn id(&self) -> Option<VoiceId> {
        self.id
    }

    /// Returns the whole frame of its recording that it stands on.
    pub(crate) fn frame(&self) -> u64 {
        let frame = self.position.frame();
        if self.is_backward { self.length.saturating_sub(frame + 1) } else { frame }
    }

    /// Returns whether it goes towards the beginning of its recording.
    pub(crate) const fn is_reversed(&self) -> bool {
        self.is_backward != self.position.is_reversed()
    }

    /// Writes what becomes of it in this tick.
    pub(crate) fn send(&mut self, out: &mut Sender<'_>, channel: usize, sound: VoiceSound) {
        if let Some(voice) = self.id.filter(|_| self.stops || self.start.is_some()) {
            out.commands.push(VoiceCommand::Stop { voice });
            out.ids.give_back(voice);
            self.id = None;
        }
        self.stops = false;
        let jumps = std::mem::take(&mut self.jumps);
        if let Some(from) = self.start.take() {
            let recording = self.recording(out.score);
            // One that rings out is not begun again: its release would begin with its attack.
            let patch = self.sample.filter(|_| !self.is_released);
            let patch = patch.and_then(|sample| out.score.fm_patch(sample));
            if recording.is_none() && patch.is_none() {
                return;
            }
            let Some(voice) = out.ids.take() else { return };
            if let Some(ScoreRecording { index: sample, .. }) = recording {
                let is_released = self.is_released;
                out.commands.push(VoiceCommand::Start { voice, sample, from, is_released, sound, channel });
            } else if let Some(patch) = patch {
                out.commands.push(VoiceCommand::StartFm { voice, patch, sound, channel });
            }
            (self.id, self.last, self.releases) = (Some(voice), Some(sound), false);
        }
        let Some(voice) = self.id else { return };
        if std::mem::take(&mut self.releases) {
            out.commands.push(VoiceCommand::LeaveSustain { voice });
        }
        if let Some(next) = self.swap.filter(|_| self.last.is_some()) {
            self.send_swap(out, voice, next);
        }
        // Filters are sent in each tick, with what rings in them.
        if self.last != Some(sound) || sound.filter.is_some() {
            // What comes from silence or goes there does so at once.
            let is_heard = sound.volume > 0.0 && self.last.is_some_and(|last| last.volume > 0.0);
            let glide = if is_heard && !jumps { Glide::Tick } else { Glide::Quick };
            out.commands.push(VoiceCommand::Change { voice, sound, glide });
            self.last = Some(sound);
        }
    }

    fn send_swap(&mut self, out: &mut Sender<'_>, voice: VoiceId, next: usize) {
        if self.sample == Some(next) {
            return;
        }
        let looped =
            out.score.recording(next).and_then(|recording| Some((recording.index, recording.held?.start)));
        let (sample, from) = looped.map_or((None, 0), |(sample, from)| (Some(sample), from));
        out.commands.push(VoiceCommand::SwapAtLoopEnd { voice, sample, from });
    }

    /// Goes on by a tick.
    pub(crate) fn advance(&mut self, score: &Score, ids: &mut VoiceIds, frames: f64) {
        let Some(id) = self.id else { return };
        let Some(recording) = self.recording(score) else { return };
        let passed = self.position.advance(&recording, self.is_released, frames);
        if passed == Passed::Nothing {
            return;
        }
        if let Some(next) = self.swap.take() {
            let looped = score.recording(next).and_then(|recording| recording.held);
            self.sample = Some(next);
            if let Some(active) = looped {
                self.position = SamplePosition::at(active.start);
                return;
            }
        } else if passed == Passed::Turn {
            return;
        }
        ids.give_back(id);
        (self.id, self.last) = (None, None);
    }
}

/// Where commands go, and what they need.
pub(crate) struct Sender<'a> {
    pub(crate) score: &'a Score,
    pub(crate) ids: &'a mut VoiceIds,
    pub(crate) commands: &'a mut Vec<VoiceCommand>,
}

/// Which voices are free.
#[derive(Clone, Debug)]
pub(crate) struct VoiceIds {
    free: Vec<VoiceId>,
}

impl VoiceIds {
    pub(crate) fn new() -> Self {
        Self { free: (0..VoiceId::MAX).rev().filter_map(|id| u16::try_from(id).ok()).map(VoiceId).collect() }
    }

    fn take(&mut self) -> Option<VoiceId> {
        self.free.pop()
    }

    /// There is room: no more are given back than were taken.
    pub(crate) fn give_back(&mut self, id: VoiceId) {
        self.free.push(id);
    }
}
