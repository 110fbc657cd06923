use crate::rt::ramp::{LinearRamp, Ramp};

/// How loud a voice is between its beginning and its end.
///
/// ```text
///      ╱‾‾‾‾‾‾‾‾╲            ╱‾‾‾‾‾‾|╲
///     ╱          ╲          ╱       | ╲   stolen, silenced or played out: a short fade
///    ╱ attack     ╲ release╱
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct VoiceEnvelope {
    phase: EnvelopePhase,
    ramp: Ramp,
}

/// What it is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EnvelopePhase {
    /// Rising to, or at, full level.
    Held,
    /// Falling after note-off: its end is decided elsewhere.
    PlayingOut,
    /// Falling after note-off.
    Releasing,
    /// Falling to make room, or because its recording has ended.
    Fading,
    /// Silent for ever.
    Over,
}

impl VoiceEnvelope {
    /// Creates a beginning; without an attack it is at full level from its first frame.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn new(attack: u32) -> Self {
        Self { phase: EnvelopePhase::Held, ramp: Ramp::new(0.0, 1.0, attack) }
    }

    pub(crate) const fn phase(&self) -> EnvelopePhase {
        self.phase
    }

    /// Returns the level at its present frame, 0..=1.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn level(&self) -> f32 {
        self.ramp.level()
    }

    /// Returns the level, and what is added to it with each frame.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn course(&self) -> (f32, f32) {
        (self.level(), self.ramp.line().slope)
    }

    /// Returns the line it follows next, and for how many frames.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn segment(&self, most: usize) -> (LinearRamp, usize) {
        let line = self.ramp.line();
        match self.ramp.remaining() {
            0 => (line, most),
            left => (line, most.min(left as usize)),
        }
    }

    /// Falls to silence within some frames, at least one. Does nothing to one that is falling already.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn release(&mut self, frames: u32) {
        if self.phase == EnvelopePhase::Held {
            self.ramp = Ramp::new(self.level(), 0.0, frames.max(1));
            self.phase = EnvelopePhase::Releasing;
        }
    }

    /// Goes on as it does after note-off. Does nothing to one that is falling already.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn play_out(&mut self) {
        if self.phase == EnvelopePhase::Held {
            self.phase = EnvelopePhase::PlayingOut;
        }
    }

    /// Falls to silence within some frames, at least one, or sooner if it would have anyway.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn fade(&mut self, frames: u32) {
        match self.phase {
            EnvelopePhase::Over | EnvelopePhase::Fading => return,
            EnvelopePhase::Releasing if self.ramp.remaining() <= frames => {}
            EnvelopePhase::Held | EnvelopePhase::PlayingOut | EnvelopePhase::Releasing => {
                self.ramp = Ramp::new(self.level(), 0.0, frames.max(1));
            }
        }
        self.phase = EnvelopePhase::Fading;
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn advance(&mut self, frames: usize) {
        self.ramp.advance(frames);
        if self.ramp.remaining() == 0
            && matches!(self.phase, EnvelopePhase::Releasing | EnvelopePhase::Fading)
        {
            self.phase = EnvelopePhase::Over;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_attack_the_first_frame_is_at_full_level() {
        assert_eq!(VoiceEnvelope::new(0).level(), 1.0);
        assert_eq!(VoiceEnvelope::new(2).level(), 0.0);
    }

    #[test]
    fn a_release_within_the_attack_falls_from_where_it_is() {
        let mut envelope = VoiceEnvelope::new(4);
        envelope.advance(2);
        envelope.release(2);
        assert_eq!(envelope.level(), 0.5);
        envelope.advance(1);
        assert_eq!((envelope.level(), envelope.phase()), (0.25, EnvelopePhase::Releasing));
        envelope.advance(1);
        assert_eq!((envelope.level(), envelope.phase()), (0.0, EnvelopePhase::Over));
    }

    #[test]
    fn a_second_release_does_not_begin_again() {
        let mut envelope = VoiceEnvelope::new(0);
        envelope.release(4);
        envelope.advance(3);
        envelope.release(100);
        envelope.advance(1);
        assert_eq!(envelope.phase(), EnvelopePhase::Over);
    }

    #[test]
    fn one_that_plays_out_stays_at_its_level_until_it_fades() {
        let mut envelope = VoiceEnvelope::new(2);
        envelope.advance(1);
        envelope.play_out();
        envelope.release(1);
        envelope.advance(99);
        assert_eq!((envelope.level(), envelope.phase()), (1.0, EnvelopePhase::PlayingOut));
        envelope.fade(2);
        envelope.advance(2);
        assert_eq!(envelope.phase(), EnvelopePhase::Over);
    }

    #[test]
    fn a_fade_never_lengthens_a_release() {
        let mut envelope = VoiceEnvelope::new(0);
        envelope.release(4);
        envelope.advance(2);
        envelope.fade(100);
        assert_eq!((envelope.level(), envelope.phase()), (0.5, EnvelopePhase::Fading));
        envelope.advance(2);
        assert_eq!(envelope.phase(), EnvelopePhase::Over);
    }

    #[test]
    fn a_fade_cuts_a_long_release_short() {
        let mut envelope = VoiceEnvelope::new(0);
        envelope.release(1000);
        envelope.fade(2);
        envelope.advance(2);
        assert_eq!(envelope.phase(), EnvelopePhase::Over);
    }

    #[test]
    fn a_held_sound_stays_held_after_its_attack() {
        let mut envelope = VoiceEnvelope::new(2);
        envelope.advance(2);
        assert_eq!((envelope.level(), envelope.phase()), (1.0, EnvelopePhase::Held));
        assert_eq!(envelope.segment(256).1, 256);
    }
}
