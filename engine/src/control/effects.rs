//! The reverb and the delay that strips send to.

use song::Frames;

use super::{Controller, EffectError, resolve};
use crate::effects::{DelayParams, ReverbParams};
use crate::message::Action;

impl Controller {
    /// Sets the reverb from a frame on, its present tail included, without clicks: the gain glides within 5 ms, decay
    /// and damping within 20 ms, and another pre-delay fades in within 30 ms. Values out of range become the nearest
    /// limit.
    ///
    /// # Errors
    /// [`EffectError`] gives the parameters back when the queue has no room, or says that the engine has no effects.
    pub fn set_reverb(
        &mut self,
        reverb: ReverbParams,
        at: Option<Frames>,
    ) -> Result<(), EffectError<ReverbParams>> {
        if !self.has_effects {
            return Err(EffectError::NoEffects);
        }
        let action = Action::Reverb(reverb.resolve(resolve::sent(reverb.gain)));
        self.send(at, action).map_err(|_| EffectError::Full(reverb))
    }

    /// Sets the delay from a frame on, its present echoes included, without clicks: the gain glides within 5 ms,
    /// feedback, tone and ping-pong within 20 ms, and another time fades in within 30 ms. Values out of range become
    /// the nearest limit.
    ///
    /// # Errors
    /// [`EffectError`] gives the parameters back when the queue has no room, or says that the engine has no effects.
    pub fn set_delay(
        &mut self,
        delay: DelayParams,
        at: Option<Frames>,
    ) -> Result<(), EffectError<DelayParams>> {
        if !self.has_effects {
            return Err(EffectError::NoEffects);
        }
        let action = Action::Delay(delay.resolve(resolve::sent(delay.gain)));
        self.send(at, action).map_err(|_| EffectError::Full(delay))
    }
}
