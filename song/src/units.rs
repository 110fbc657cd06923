use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::Invalid;

/// Frames per second of a recording or an output; never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hz(NonZeroU32);

impl Hz {
    /// The slowest rate there is.
    pub const ONE: Self = Self(NonZeroU32::MIN);

    /// # Errors
    /// [`Invalid::Rate`] for 0.
    pub const fn new(hz: u32) -> Result<Self, Invalid> {
        match NonZeroU32::new(hz) {
            Some(hz) => Ok(Self(hz)),
            None => Err(Invalid::Rate),
        }
    }

    /// Returns the rate in hertz, at least 1.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for Hz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number of frames: a length, or a place counted from the first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frames(u64);

impl Frames {
    /// No frames.
    pub const ZERO: Self = Self(0);

    /// Creates a number of frames.
    #[must_use]
    pub const fn new(frames: u64) -> Self {
        Self(frames)
    }

    /// Returns the length of a plane.
    #[must_use]
    pub const fn of<T>(plane: &[T]) -> Self {
        Self(plane.len() as u64)
    }

    /// Returns the number of frames.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the number as an index into memory; frames that lie in memory always fit.
    #[must_use]
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// Returns how many whole frames a duration has at a rate, rounded to the nearest, at most [`u64::MAX`].
    #[must_use]
    pub fn lasting(duration: Duration, rate: Hz) -> Self {
        const NANOS: u128 = 1_000_000_000;
        let frames = (duration.as_nanos() * u128::from(rate.get()) + NANOS / 2) / NANOS;
        Self(u64::try_from(frames).unwrap_or(u64::MAX))
    }

    /// Returns how long they last at a rate, in seconds.
    #[must_use]
    pub fn seconds(self, rate: Hz) -> f64 {
        self.0 as f64 / f64::from(rate.get())
    }
}

impl fmt::Display for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A key of the keyboard as in MIDI: 0..=127, C4 = 60.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Key(u8);

impl Key {
    /// The lowest key, 0.
    pub const LOWEST: Self = Self(0);
    /// The highest key, 127.
    pub const HIGHEST: Self = Self(127);
    /// Middle C, 60: the root key of a sound that states none.
    pub const C4: Self = Self(60);

    /// # Errors
    /// [`Invalid::Key`] above 127.
    pub const fn new(key: u8) -> Result<Self, Invalid> {
        if key <= 127 { Ok(Self(key)) } else { Err(Invalid::Key(key)) }
    }

    /// Returns the key's number, 0..=127.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns the key that many semitones away, where there is one.
    #[must_use]
    pub fn shifted(self, semitones: i32) -> Option<Self> {
        let key = i32::from(self.0).checked_add(semitones)?;
        u8::try_from(key).ok().and_then(|key| Self::new(key).ok())
    }

    /// Returns the key of a note name as [`Key`] displays it, also with flats: `C4`, `F#3`, `Bb-1`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::LOWEST.shifted(Self::number_of(name)?)
    }

    /// Returns the MIDI number of a note name, C4 = 60, which need not be that of a key: a letter, sharps or flats, an
    /// octave from −2 to 10.
    #[must_use]
    pub fn number_of(name: &str) -> Option<i32> {
        let mut letters = name.chars();
        let semitone = match letters.next()?.to_ascii_uppercase() {
            'C' => 0,
            'D' => 2,
            'E' => 4,
            'F' => 5,
            'G' => 7,
            'A' => 9,
            'B' => 11,
            _ => return None,
        };
        let octave = letters.as_str().trim_start_matches(['#', '♯', 'b', '♭']);
        let accidentals = letters.as_str().strip_suffix(octave)?.chars();
        let shift: i32 = accidentals.map(|sign| if matches!(sign, '#' | '♯') { 1 } else { -1 }).sum();
        let octave = octave.parse::<i32>().ok().filter(|octave| (-2..=10).contains(octave))?;
        shift.checked_add((octave + 1) * 12 + semitone)
    }

    /// Returns the distance to this key from another.
    #[must_use]
    pub fn above(self, other: Self) -> Cents {
        Cents(100.0 * (f64::from(self.0) - f64::from(other.0)))
    }
}

/// As musicians write it: `C4`, `F#2`, `G9`; the lowest is `C-1`.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
        write!(f, "{}{}", NAMES[usize::from(self.0 % 12)], i16::from(self.0 / 12) - 1)
    }
}

/// How hard a key is struck, as in MIDI: 0..=127.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Velocity(u8);

impl Velocity {
    /// Silence.
    pub const LOWEST: Self = Self(0);
    /// Unity gain.
    pub const HIGHEST: Self = Self(127);

    /// # Errors
    /// [`Invalid::Velocity`] above 127.
    pub const fn new(velocity: u8) -> Result<Self, Invalid> {
        if velocity <= 127 { Ok(Self(velocity)) } else { Err(Invalid::Velocity(velocity)) }
    }

    /// Returns the velocity's number, 0..=127.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns the linear gain it stands for: (velocity / 127)².
    #[must_use]
    pub fn gain(self) -> f32 {
        let part = f32::from(self.0) / 127.0;
        part * part
    }
}

/// A distance in pitch; 100 to the semitone. Always finite.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Cents(f64);

impl Cents {
    /// No distance.
    pub const ZERO: Self = Self(0.0);

    /// # Errors
    /// [`Invalid::NotFinite`] for infinities and NaN.
    pub fn new(cents: f64) -> Result<Self, Invalid> {
        if cents.is_finite() { Ok(Self(cents)) } else { Err(Invalid::NotFinite) }
    }

    /// Returns what a ratio of frequencies is in cents.
    ///
    /// # Errors
    /// [`Invalid::NotFinite`] unless it is positive and finite.
    pub fn from_ratio(ratio: f64) -> Result<Self, Invalid> {
        Self::new(1200.0 * ratio.log2())
    }

    /// Returns the distance in cents.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Returns the ratio of frequencies it stands for: 2^(cents / 1200).
    #[must_use]
    pub fn ratio(self) -> f64 {
        (self.0 / 1200.0).exp2()
    }
}

impl std::ops::Add for Cents {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// A gain in decibels; 0 is unity. Always finite.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Decibels(f32);

impl Decibels {
    /// Unity gain.
    pub const UNITY: Self = Self(0.0);

    /// # Errors
    /// [`Invalid::NotFinite`] for infinities and NaN.
    pub fn new(decibels: f32) -> Result<Self, Invalid> {
        if decibels.is_finite() { Ok(Self(decibels)) } else { Err(Invalid::NotFinite) }
    }

    /// Returns what a linear gain is in decibels.
    ///
    /// # Errors
    /// [`Invalid::NotFinite`] unless it is positive and finite.
    pub fn from_gain(gain: f32) -> Result<Self, Invalid> {
        Self::new(20.0 * gain.log10())
    }

    /// Returns the gain in decibels.
    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }

    /// Returns the linear gain: 10^(dB / 20).
    #[must_use]
    pub fn gain(self) -> f32 {
        10.0_f32.powf(self.0 / 20.0)
    }
}

impl std::ops::Add for Decibels {
    type Output = Self;

    /// As far as numbers go.
    fn add(self, other: Self) -> Self {
        Self((self.0 + other.0).clamp(f32::MIN, f32::MAX))
    }
}

/// A chance relative to others: finite, 0 or more.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Weight(f32);

impl Weight {
    /// As likely as any other of weight one.
    pub const ONE: Self = Self(1.0);

    /// # Errors
    /// [`Invalid::Weight`] for what is negative or not finite.
    pub fn new(weight: f32) -> Result<Self, Invalid> {
        if weight.is_finite() && weight >= 0.0 { Ok(Self(weight)) } else { Err(Invalid::Weight(weight)) }
    }

    /// Returns the chance.
    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }
}

/// A place between left (−1) and right (1); 0 is the centre.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Pan(f32);

impl Pan {
    /// The middle.
    pub const CENTRE: Self = Self(0.0);

    /// # Errors
    /// [`Invalid::Pan`] outside −1..=1 and for NaN.
    pub fn new(pan: f32) -> Result<Self, Invalid> {
        if (-1.0..=1.0).contains(&pan) { Ok(Self(pan)) } else { Err(Invalid::Pan(pan)) }
    }

    /// Returns the place, −1..=1.
    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_of_zero_is_refused() {
        assert_eq!(Hz::new(0), Err(Invalid::Rate));
        assert_eq!(Hz::new(1).map(Hz::get), Ok(1));
    }

    #[test]
    fn keys_and_velocities_end_at_127() {
        assert_eq!(Key::new(127), Ok(Key::HIGHEST));
        assert_eq!(Key::new(128), Err(Invalid::Key(128)));
        assert_eq!(Velocity::new(127), Ok(Velocity::HIGHEST));
        assert_eq!(Velocity::new(128), Err(Invalid::Velocity(128)));
    }

    #[test]
    fn keys_are_named_as_musicians_name_them() {
        let name = |key| Key::new(key).unwrap().to_string();
        assert_eq!([name(60), name(0), name(127), name(42)], ["C4", "C-1", "G9", "F#2"]);
    }

    #[test]
    fn a_key_moved_off_the_keyboard_is_none() {
        assert_eq!(Key::C4.shifted(67), Some(Key::HIGHEST));
        assert_eq!(Key::C4.shifted(68), None);
        assert_eq!(Key::C4.shifted(-61), None);
        assert_eq!(Key::C4.shifted(i32::MAX), None);
    }

    #[test]
    fn every_key_is_named_as_it_is_displayed() {
        for key in 0..=127 {
            let key = Key::new(key).unwrap();
            assert_eq!(Key::named(&key.to_string()), Some(key));
        }
        let numbers = ["gb3", "B♭-1", "F##4", "c-2", "G#9"].map(Key::number_of);
        assert_eq!(numbers, [54, 10, 67, -12, 128].map(Some));
        assert_eq!(["H4", "C", "", "4", "C#", "C4x", "C999"].map(Key::number_of), [None; 7]);
        assert_eq!(["c-2", "G#9"].map(Key::named), [None; 2]);
    }

    #[test]
    fn an_octave_is_1200_cents_and_doubles_the_frequency() {
        let octave = Key::new(72).unwrap().above(Key::C4);
        assert_eq!(octave.get(), 1200.0);
        assert_eq!(octave.ratio(), 2.0);
    }

    #[test]
    fn full_velocity_is_unity_and_half_is_a_quarter() {
        assert_eq!(Velocity::HIGHEST.gain(), 1.0);
        assert_eq!(Velocity::LOWEST.gain(), 0.0);
        assert!((Velocity::new(64).unwrap().gain() - 0.254).abs() < 1e-3);
    }

    #[test]
    fn twenty_decibels_are_a_factor_of_ten() {
        assert!((Decibels::new(20.0).unwrap().gain() - 10.0).abs() < 1e-5);
        assert_eq!(Decibels::UNITY.gain(), 1.0);
        assert_eq!(Decibels::new(f32::NAN), Err(Invalid::NotFinite));
    }

    #[test]
    fn ratios_and_gains_come_back_from_cents_and_decibels() {
        assert_eq!(Cents::from_ratio(2.0), Cents::new(1200.0));
        assert_eq!(Cents::from_ratio(0.0), Err(Invalid::NotFinite));
        assert_eq!(Decibels::from_gain(10.0), Decibels::new(20.0));
        assert_eq!(Decibels::from_gain(-1.0), Err(Invalid::NotFinite));
    }

    #[test]
    fn a_negative_weight_is_refused() {
        assert_eq!(Weight::new(0.0).map(Weight::get), Ok(0.0));
        assert_eq!(Weight::new(-0.5), Err(Invalid::Weight(-0.5)));
        assert!(Weight::new(f32::INFINITY).is_err());
    }

    #[test]
    fn durations_round_to_the_nearest_frame() {
        let rate = Hz::new(44_100).unwrap();
        assert_eq!(Frames::lasting(Duration::from_millis(50), rate), Frames::new(2205));
        assert_eq!(Frames::lasting(Duration::from_micros(11), rate), Frames::ZERO);
        assert_eq!(Frames::lasting(Duration::from_micros(12), rate), Frames::new(1));
        assert_eq!(Frames::lasting(Duration::MAX, Hz::new(u32::MAX).unwrap()), Frames::new(u64::MAX));
    }
}
