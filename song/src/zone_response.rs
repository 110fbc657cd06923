use crate::{Cents, Invalid, Key, Velocity};

/// How gain, pitch and pan of a zone depend on the note: key and velocity tracking, and crossfades to other zones.
///
/// ```text
/// gain    velocity_gain × 10^(gain_by_key × keys / 20) × crossfades
/// pitch   pitch_by_key × keys above the root + pitch_by_velocity × velocity / 127
/// pan     pan_by_key × keys + pan_by_velocity × velocity / 127
/// ```
///
/// A zone without one has the default: unity at velocity 127, 100 cents per key.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneResponse {
    /// Gain by velocity.
    pub velocity_gain: VelocityGain,
    /// Decibels for each key above [`Self::gain_centre`].
    pub gain_by_key: f32,
    /// Key at which [`Self::gain_by_key`] changes nothing.
    pub gain_centre: Key,
    /// Cents for each key above the root key.
    pub pitch_by_key: f64,
    /// Cents added at velocity 127.
    pub pitch_by_velocity: f64,
    /// Added to the pan for each key above [`Self::pan_centre`].
    pub pan_by_key: f32,
    /// Key at which [`Self::pan_by_key`] changes nothing.
    pub pan_centre: Key,
    /// Added to the pan at velocity 127.
    pub pan_by_velocity: f32,
    /// Crossfades by key, [`Self::MAX_FADES`] at most.
    pub key_fades: Vec<Crossfade>,
    /// Crossfades by velocity, [`Self::MAX_FADES`] at most.
    pub velocity_fades: Vec<Crossfade>,
}

/// Gain by velocity, linear.
#[derive(Clone, Debug, PartialEq)]
pub enum VelocityGain {
    /// That much of the usual law (velocity / 127)², −1..=1: unity for every velocity at 0; below 0 soft notes are
    /// the louder ones.
    Tracking(f32),
    /// A gain for each velocity, 128 of them.
    Curve(Box<[f32]>),
}

/// A gain that rises from 0 to 1, or falls, over a range of keys or velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossfade {
    /// Where the fade begins.
    pub from: u8,
    /// Where it ends; the fade is a step after `from` if both are equal.
    pub to: u8,
    /// Whether it rises.
    pub is_rising: bool,
    /// Shape of the fade.
    pub curve: FadeCurve,
}

/// Shape of a crossfade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FadeCurve {
    /// Both gains add up to 1.
    Gain,
    /// Both powers add up to 1.
    #[default]
    Power,
}

impl Crossfade {
    /// Returns the gain at a key or velocity, 0..=1.
    #[must_use]
    pub fn gain(&self, at: u8) -> f32 {
        let risen = if self.from >= self.to {
            // A rise of no width is over where it is stated, a fall comes after it.
            if at > self.from || (at == self.from && self.is_rising) { 1.0 } else { 0.0 }
        } else {
            let (from, to) = (f32::from(self.from), f32::from(self.to));
            ((f32::from(at) - from) / (to - from)).clamp(0.0, 1.0)
        };
        let part = if self.is_rising { risen } else { 1.0 - risen };
        match self.curve {
            FadeCurve::Gain => part,
            FadeCurve::Power => part.sqrt(),
        }
    }
}

impl VelocityGain {
    /// Returns the gain of a velocity.
    #[must_use]
    pub fn gain(&self, velocity: Velocity) -> f32 {
        match self {
            Self::Tracking(part) if *part == 1.0 => velocity.gain(),
            Self::Tracking(part) if *part < 0.0 => 1.0 + part * velocity.gain(),
            Self::Tracking(part) => 1.0 - part * (1.0 - velocity.gain()),
            Self::Curve(gains) => gains.get(usize::from(velocity.get())).copied().unwrap_or(1.0),
        }
    }
}

impl Default for ZoneResponse {
    fn default() -> Self {
        Self {
            velocity_gain: VelocityGain::Tracking(1.0),
            gain_by_key: 0.0,
            gain_centre: Key::C4,
            pitch_by_key: 100.0,
            pitch_by_velocity: 0.0,
            pan_by_key: 0.0,
            pan_centre: Key::C4,
            pan_by_velocity: 0.0,
            key_fades: Vec::new(),
            velocity_fades: Vec::new(),
        }
    }
}

impl ZoneResponse {
    /// The most crossfades of a kind.
    pub const MAX_FADES: usize = 8;

    /// Returns the response if its numbers are numbers, and there are neither too many crossfades nor too few gains.
    ///
    /// # Errors
    /// [`Invalid::NotFinite`].
    pub fn checked(self) -> Result<Self, Invalid> {
        let is_curve = match &self.velocity_gain {
            VelocityGain::Tracking(part) => (-1.0..=1.0).contains(part),
            VelocityGain::Curve(gains) => {
                gains.len() == 128 && gains.iter().all(|gain| gain.is_finite() && *gain >= 0.0)
            }
        };
        let is_valid = is_curve
            && [self.gain_by_key, self.pan_by_key, self.pan_by_velocity].into_iter().all(f32::is_finite)
            && [self.pitch_by_key, self.pitch_by_velocity].into_iter().all(f64::is_finite)
            && self.key_fades.len().max(self.velocity_fades.len()) <= Self::MAX_FADES;
        if is_valid { Ok(self) } else { Err(Invalid::NotFinite) }
    }

    /// Returns the gain of a note, linear, its velocity included.
    #[must_use]
    pub fn gain(&self, key: Key, velocity: Velocity) -> f32 {
        let mut gain = self.velocity_gain.gain(velocity);
        if self.gain_by_key != 0.0 {
            gain *= 10.0_f32.powf(self.gain_by_key * keys_above(key, self.gain_centre) / 20.0);
        }
        let keys = self.key_fades.iter().map(|fade| fade.gain(key.get()));
        let velocities = self.velocity_fades.iter().map(|fade| fade.gain(velocity.get()));
        keys.chain(velocities).fold(gain, |product, fade| product * fade)
    }

    /// Returns how far a key is from a root key in pitch, before velocity.
    #[must_use]
    pub fn key_cents(&self, key: Key, root: Key) -> Cents {
        let keys = f64::from(key.get()) - f64::from(root.get());
        Cents::new(self.pitch_by_key * keys).unwrap_or_default()
    }

    /// Returns what a velocity adds to the pitch.
    #[must_use]
    pub fn velocity_cents(&self, velocity: Velocity) -> Cents {
        Cents::new(self.pitch_by_velocity * f64::from(velocity.get()) / 127.0).unwrap_or_default()
    }

    /// Returns what a note adds to the pan.
    #[must_use]
    pub fn pan(&self, key: Key, velocity: Velocity) -> f32 {
        self.pan_by_key * keys_above(key, self.pan_centre)
            + self.pan_by_velocity * f32::from(velocity.get()) / 127.0
    }
}

fn keys_above(key: Key, centre: Key) -> f32 {
    f32::from(key.get()) - f32::from(centre.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain_of(velocity_gain: &VelocityGain) -> [f32; 3] {
        [0, 64, 127].map(|velocity| velocity_gain.gain(Velocity::new(velocity).unwrap()))
    }

    #[test]
    fn velocity_tracking_goes_from_the_usual_law_over_none_to_its_inverse() {
        let middle = (64.0_f32 / 127.0).powi(2);
        assert_eq!(gain_of(&VelocityGain::Tracking(1.0)), [0.0, middle, 1.0]);
        assert_eq!(gain_of(&VelocityGain::Tracking(0.0)), [1.0, 1.0, 1.0]);
        assert_eq!(gain_of(&VelocityGain::Tracking(0.5)), [0.5, 1.0 - 0.5 * (1.0 - middle), 1.0]);
        assert_eq!(gain_of(&VelocityGain::Tracking(-1.0)), [1.0, 1.0 - middle, 0.0]);
    }

    #[test]
    fn crossfades_are_silent_on_one_side_and_unity_on_the_other() {
        let fade = |from, to, is_rising, curve| Crossfade { from, to, is_rising, curve };
        let of = |fade: Crossfade, at: [u8; 4]| at.map(|at| fade.gain(at));
        assert_eq!(of(fade(10, 20, true, FadeCurve::Gain), [10, 15, 20, 127]), [0.0, 0.5, 1.0, 1.0]);
        assert_eq!(of(fade(10, 20, false, FadeCurve::Gain), [0, 10, 15, 20]), [1.0, 1.0, 0.5, 0.0]);
        let both = [true, false].map(|rising| fade(0, 10, rising, FadeCurve::Power).gain(3).powi(2));
        assert!((both[0] + both[1] - 1.0).abs() < 1e-6);
        assert_eq!(of(fade(20, 20, true, FadeCurve::Gain), [0, 19, 20, 21]), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(of(fade(20, 20, false, FadeCurve::Gain), [0, 19, 20, 21]), [1.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn keys_move_gain_pitch_and_pan_from_their_centres() {
        let key = |key| Key::new(key).unwrap();
        let response = ZoneResponse {
            velocity_gain: VelocityGain::Tracking(0.0),
            gain_by_key: -6.0,
            pitch_by_key: 50.0,
            pitch_by_velocity: 1200.0,
            pan_by_key: 0.125,
            pan_by_velocity: -0.5,
            ..ZoneResponse::default()
        };
        assert_eq!(response.gain(Key::C4, Velocity::LOWEST), 1.0);
        assert!((response.gain(key(61), Velocity::LOWEST) - 10.0_f32.powf(-0.3)).abs() < 1e-6);
        assert_eq!(response.key_cents(key(72), Key::C4).get(), 600.0);
        assert_eq!(response.velocity_cents(Velocity::HIGHEST).get(), 1200.0);
        assert_eq!(response.pan(key(64), Velocity::HIGHEST), 0.0);
    }

    #[test]
    fn a_response_of_no_numbers_or_an_incomplete_curve_is_refused() {
        assert!(ZoneResponse::default().checked().is_ok());
        let curve = VelocityGain::Curve(vec![1.0; 127].into());
        assert!(ZoneResponse { velocity_gain: curve, ..ZoneResponse::default() }.checked().is_err());
        assert!(ZoneResponse { pitch_by_key: f64::NAN, ..ZoneResponse::default() }.checked().is_err());
    }
}
