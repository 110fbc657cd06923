use song::Hz;

use super::ModulationFilter;
use super::segment::add;
use crate::message::{Micros, VoiceParams};
use crate::rt::kernel::Gain;
use crate::rt::ramp::{LinearRamp, Ramp};

/// How long a driven voice takes at least from one gain to the next, and to silence: shorter than any tick.
pub(crate) const RAMP: Micros = Micros::millis(1);

/// What the commands of a driven voice have made of it so far.
///
/// Gains glide, rate and filter jump. All of it changes at frames that commands name, so it does not matter how blocks
/// are cut.
#[derive(Clone, Debug)]
pub(crate) struct Drive {
    /// Of the left and the right side.
    gains: [Ramp; 2],
    filter: Option<ModulationFilter>,
    swap: Option<Swap>,
}

/// A track to go on with where the present one turns or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Swap {
    pub(crate) track: u32,
    /// The frame it begins at.
    pub(crate) from: u32,
}

impl Default for Drive {
    fn default() -> Self {
        Self { gains: [Ramp::constant(0.0); 2], filter: None, swap: None }
    }
}

impl Drive {
    /// Creates the drive of a voice that begins; one that begins within its recording rises from silence.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn new(params: &VoiceParams, is_within: bool, rate: Hz) -> Self {
        let mut drive = Self::default();
        drive.change(params, RAMP, rate);
        if !is_within {
            drive.gains = [params.left, params.right].map(Ramp::constant);
        }
        drive
    }

    /// Takes a new filter from the present frame on, and new gains after so long.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn change(&mut self, params: &VoiceParams, glide: Micros, rate: Hz) {
        for (gain, to) in self.gains.iter_mut().zip([params.left, params.right]) {
            *gain = Ramp::new(gain.level(), to, glide.frames(rate));
        }
        match params.filter {
            // Its memory starts anew when it is switched on again.
            None => self.filter = None,
            Some(filter) => {
                let rate = f64::from(rate.get());
                self.filter.get_or_insert_default().tune(filter.low_pass(), rate);
            }
        }
    }

    /// # Real-time
    /// Safe.
    pub(crate) const fn set_swap(&mut self, swap: Swap) {
        self.swap = Some(swap);
    }

    /// Returns what is to follow where the present track turns or ends.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn swap(&self) -> Option<Swap> {
        self.swap
    }

    /// Returns what is to follow, which is no longer to come.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn take_swap(&mut self) -> Option<Swap> {
        self.swap.take()
    }

    /// Returns the number of frames for which all goes on as it does, at most `most`.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn segment(&self, most: usize) -> usize {
        let moving = self.gains.iter().map(Ramp::remaining).filter(|frames| *frames > 0);
        moving.min().map_or(most, |frames| most.min(frames as usize))
    }

    /// Returns both gains if they stay what they are and nothing is filtered.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn level_gains(&self) -> Option<[f32; 2]> {
        let is_level = self.filter.is_none() && self.gains.iter().all(|gain| gain.remaining() == 0);
        is_level.then(|| self.gains.map(|gain| gain.level()))
    }

    /// Returns both gains at the present frame.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn gains(&self) -> [f32; 2] {
        [self.gains[0].level(), self.gains[1].level()]
    }

    /// Returns whether nothing of it is heard, and nothing rings in its filter.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn is_silent(&self) -> bool {
        self.level_gains() == Some([0.0; 2])
    }

    /// Returns the louder of both gains.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn loudness(&self) -> f32 {
        let [left, right] = self.gains();
        left.abs().max(right.abs())
    }

    /// Returns whether a filter may go on ringing after the recording.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn is_filtered(&self) -> bool {
        self.filter.is_some()
    }

    /// Returns the gains of both sides along an envelope if that is all that is done to its frames: then no scratch
    /// buffer is needed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn gain_along(&self, envelope: LinearRamp) -> Option<Gain> {
        let [left, right] = self.gains.map(|gain| gain.line());
        self.filter.is_none().then(|| Gain::along(left, right, envelope)).flatten()
    }

    /// Adds frames to both sides, filtered and as loud as they are to be. Those they are made of are changed, of a mono
    /// sound only the left ones.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn mix(
        &mut self,
        is_mono: bool,
        line: LinearRamp,
        [left, right]: [&mut [f32]; 2],
        [to_left, to_right]: [&mut [f32]; 2],
    ) {
        if let Some(filter) = &mut self.filter {
            filter.run(left, right, is_mono);
        }
        let [left_gain, right_gain] = self.gains.map(|gain| gain.line());
        add(left, to_left, left_gain, line);
        add(if is_mono { left } else { right }, to_right, right_gain, line);
    }

    /// Goes on by as many frames.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn advance(&mut self, frames: usize) {
        self.gains.iter_mut().for_each(|gain| gain.advance(frames));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::VoiceFilter;

    fn rate() -> Hz {
        Hz::new(48_000).unwrap()
    }

    fn at(left: f32, right: f32) -> VoiceParams {
        VoiceParams { hz: 1.0, left, right, filter: None }
    }

    #[test]
    fn a_voice_that_begins_at_its_first_frame_is_as_loud_as_it_is_to_be_at_once() {
        assert_eq!(Drive::new(&at(0.5, -0.5), false, rate()).level_gains(), Some([0.5, -0.5]));
        let within = Drive::new(&at(0.5, 0.5), true, rate());
        assert_eq!((within.loudness(), within.level_gains(), within.segment(999)), (0.0, None, 48));
    }

    #[test]
    fn gains_glide_from_where_they_are_and_then_stay() {
        let mut drive = Drive::new(&at(0.0, 1.0), false, rate());
        drive.change(&at(1.0, 1.0), RAMP, rate());
        drive.advance(24);
        assert_eq!(drive.gains.map(|gain| gain.level()), [0.5, 1.0]);
        drive.change(&at(0.0, 1.0), RAMP, rate());
        drive.advance(48);
        assert_eq!(drive.level_gains(), Some([0.0, 1.0]));
    }

    #[test]
    fn a_filter_stays_until_it_is_taken_away() {
        let filter = Some(VoiceFilter::new(song::LowPass { cutoff: 40.0, resonance: 0.0 }));
        let mut drive = Drive::new(&VoiceParams { filter, ..at(1.0, 1.0) }, false, rate());
        assert!(drive.is_filtered() && drive.level_gains().is_none());
        drive.change(&at(1.0, 1.0), RAMP, rate());
        drive.advance(48);
        assert!(!drive.is_filtered() && drive.level_gains().is_some());
    }
}
