//! What the channels of three dialects have in common: each sounds one voice at a time.

use super::SoundingVoice;
use super::pattern_loop::PatternLoop;
use crate::replay::VoiceSound;
use crate::replay::score::Score;
use crate::replay::voice::{ReplayVoice, VoiceIds};

/// A channel that sounds one voice at a time.
pub(crate) trait MonophonicChannel {
    fn voice(&self) -> &ReplayVoice;
    fn voice_mut(&mut self) -> &mut ReplayVoice;
    /// Returns how it sounds in the present tick.
    fn sound(&self) -> VoiceSound;
    /// Returns the module's instrument that it plays.
    fn instrument(&self) -> Option<usize>;
    fn pattern_loop(&self) -> &PatternLoop;
}

/// Lets what sounds on channels go on by so many seconds.
pub(super) fn advance(
    channels: &mut [impl MonophonicChannel],
    score: &Score,
    ids: &mut VoiceIds,
    seconds: f64,
) {
    for channel in channels {
        let frames = channel.sound().hz * seconds;
        channel.voice_mut().advance(score, ids, frames);
    }
}

/// Returns a number for how far the pattern loops of channels are, 0 if none is active.
pub(super) fn loop_state(channels: &[impl MonophonicChannel]) -> u64 {
    let own = channels.iter().enumerate().map(|(index, channel)| channel.pattern_loop().state(index));
    own.fold(0, u64::wrapping_add)
}

/// Visits the voices that sound on channels.
pub(super) fn visit(channels: &[impl MonophonicChannel], visit: &mut dyn FnMut(SoundingVoice<'_>)) {
    for (index, channel) in channels.iter().enumerate() {
        let voice = channel.voice();
        if voice.is_sounding() {
            visit(SoundingVoice {
                channel: index,
                instrument: channel.instrument().unwrap_or_default(),
                voice,
                sound: channel.sound(),
                is_background: false,
            });
        }
    }
}

/// Visits the voices of channels, whether they sound or not.
pub(super) fn visit_mut(channels: &mut [impl MonophonicChannel], visit: &mut dyn FnMut(&mut ReplayVoice)) {
    channels.iter_mut().for_each(|channel| visit(channel.voice_mut()));
}
