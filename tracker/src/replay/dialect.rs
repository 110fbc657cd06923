//! The rules of four trackers, each with a processor of its own.

mod arpeggio;
mod channels;
mod it;
mod pattern_loop;
mod protracker;
mod retrigger;
pub(crate) mod s3m;
mod slides;
mod tremor;
mod xm;

use song::module::Dialect;

use super::score::Score;
use super::transport::Transport;
use super::voice::{ReplayVoice, Sender, VoiceIds};
use super::{PanLaw, VoiceSound, VoiceState};

/// What cells do to channels, by the rules of a tracker.
pub(crate) trait DialectProcessor: Send {
    /// Plays a tick, and combines what its channels do to the way of the song.
    fn tick(&mut self, score: &Score, transport: &mut Transport);

    /// Writes what becomes of all voices in the tick.
    fn send(&mut self, out: &mut Sender<'_>);

    /// Lets what sounds go on by so many seconds.
    fn advance(&mut self, score: &Score, ids: &mut VoiceIds, seconds: f64);

    /// Returns a number for how far pattern loops are, 0 if none is active.
    fn loop_state(&self) -> u64;

    /// Visits all voices that sound.
    fn voices(&self, visit: &mut dyn FnMut(SoundingVoice<'_>));

    /// Visits the voices of all channels, and those that were left behind.
    fn voices_mut(&mut self, visit: &mut dyn FnMut(&mut ReplayVoice));

    /// Returns how pan becomes gains.
    fn pan_law(&self) -> PanLaw {
        PanLaw::Linear
    }

    /// Returns whether a tempo applies from the next tick on.
    fn tempo_is_late(&self) -> bool {
        false
    }
}

/// A voice, and how it sounds.
pub(crate) struct SoundingVoice<'v> {
    pub(crate) channel: usize,
    pub(crate) instrument: usize,
    pub(crate) voice: &'v ReplayVoice,
    pub(crate) sound: VoiceSound,
    pub(crate) is_background: bool,
}

impl SoundingVoice<'_> {
    pub(crate) fn state(&self) -> VoiceState {
        VoiceState {
            channel: self.channel,
            instrument: self.instrument,
            sample: self.voice.sample().unwrap_or_default(),
            position: self.voice.frame(),
            sound: self.sound,
            is_background: self.is_background,
        }
    }
}

/// Returns the processor of a module's dialect.
pub(crate) fn processor(score: &Score, seed: u64) -> Box<dyn DialectProcessor> {
    match score.module().dialect {
        Dialect::FastTracker2 => Box::new(xm::XmProcessor::new(score)),
        Dialect::ImpulseTracker => Box::new(it::ItProcessor::new(score, seed)),
        Dialect::ProTracker => Box::new(protracker::ModProcessor::new(score)),
        Dialect::ScreamTracker3 => Box::new(s3m::S3mProcessor::new(score, seed)),
    }
}
