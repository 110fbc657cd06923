//! The oscillator of vibrato, tremolo and panbrello, with the waveforms of four trackers.

use song::module::LfoWave;

use super::random::Random;

/// A low-frequency oscillator: each tick it moves on by its speed, and the dialect takes its value times its depth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lfo {
    /// As the effect sets it: the waveform in the lower two bits; what is above says that new notes leave the position.
    pub(crate) wave: u8,
    /// In 256ths of a cycle.
    pub(crate) position: u8,
    /// In 64ths of a cycle per tick, but for a panbrello.
    pub(crate) speed: u8,
    /// In the dialect's units.
    pub(crate) depth: u8,
}

impl Lfo {
    /// Takes speed and depth from the two digits of a parameter; a 0 leaves what was set before.
    pub(crate) const fn set(&mut self, parameter: u8) {
        if parameter >> 4 > 0 {
            self.speed = parameter >> 4;
        }
        if parameter & 15 > 0 {
            self.depth = parameter & 15;
        }
    }

    /// Moves on by a tick.
    pub(crate) const fn advance(&mut self) {
        self.position = self.position.wrapping_add(self.speed << 2);
    }

    /// Returns the value of `ProTracker`, −255..=255.
    ///
    /// A ramp is upside down in the second half of `ramp`, a position: that of the vibrato for a vibrato and for a
    /// tremolo. The fourth waveform is the square once more.
    ///
    /// Source: *OpenMPT*'s test cases `TremoloVibrato.xm` and `VibratoWaveforms.xm`, which hold for both trackers.
    pub(crate) fn pro_tracker(&self, ramp: u8) -> i32 {
        let step = self.position >> 2;
        let sign = if self.position & 128 != 0 { -1 } else { 1 };
        let rising = i32::from(step & 31) * 8;
        match self.wave & 3 {
            0 => sine(step),
            1 if ramp & 128 != 0 => sign * (255 - rising),
            1 => sign * rising,
            _ => sign * 255,
        }
    }

    /// Returns the value of `FastTracker` 2, −255..=255: that of `ProTracker`. In modules of `OpenMPT` and `ModPlug`
    /// Tracker the fourth waveform `is_random`, from a table.
    ///
    /// Source: *OpenMPT*'s test case `TremoloWaveforms.xm`; the table is what libopenmpt 0.6 plays.
    pub(crate) fn fast_tracker(&self, ramp: u8, is_random: bool) -> i32 {
        if is_random && self.wave & 3 == 3 {
            return 2 * modplug_random(self.position >> 2);
        }
        self.pro_tracker(ramp)
    }

    /// Returns the value of Scream Tracker 3, −255..=255. Its ramp falls from the middle, and jumps to the top after
    /// half a cycle.
    ///
    /// Source: *ST3 TECH document*; measured against libopenmpt.
    pub(crate) fn scream_tracker(&self, random: &mut Random) -> i32 {
        let step = self.position >> 2;
        match self.wave & 3 {
            0 => sine(step),
            1 if step < 32 => i32::from(step) * -8,
            1 => 511 - i32::from(step) * 8,
            2 if step < 32 => 255,
            2 => -255,
            _ => random.within(255),
        }
    }

    /// Returns the value of Impulse Tracker, −64..=64.
    ///
    /// Source: *ITTECH.TXT*; *OpenMPT*'s test case `vibrato.it`.
    pub(crate) fn impulse_tracker(&self, random: &mut Random) -> i32 {
        let wave = match self.wave & 3 {
            0 => LfoWave::Sine,
            1 => LfoWave::RampDown,
            2 => LfoWave::Square,
            _ => LfoWave::Random,
        };
        impulse_tracker(wave, self.position, random)
    }
}

impl Lfo {
    /// Returns the value of `ModPlug` Tracker, −127..=127: Scream Tracker's waves, but for the random one.
    ///
    /// Source: sines with vibrato, tremolo and panbrello of made modules, as libopenmpt 0.6 plays them.
    pub(crate) fn modplug(&self, random: &mut Random) -> i32 {
        match self.wave & 3 {
            3 => modplug_random(self.position >> 2),
            _ => self.scream_tracker(random) / 2,
        }
    }
}

/// Returns a waveform of Impulse Tracker, for effects and for the vibrato of a sample, −64..=64. Its ramps begin at an
/// end, and the lower level of its square is 0.
///
/// Source: measured against libopenmpt.
pub(crate) fn impulse_tracker(wave: LfoWave, position: u8, random: &mut Random) -> i32 {
    match wave {
        LfoWave::Sine => fine_sine(position),
        LfoWave::RampDown => 64 - (i32::from(position) + 1) / 2,
        LfoWave::RampUp => (i32::from(position) + 1) / 2 - 64,
        LfoWave::Square if position < 128 => 64,
        LfoWave::Square => 0,
        LfoWave::Random => random.within(64),
    }
}

/// Returns a waveform of a sample's own vibrato in `ModPlug` Tracker, −1..=1.
///
/// Source: sines with such vibratos in made modules, as libopenmpt 0.6 plays them.
pub(crate) fn modplug_sample(wave: LfoWave, position: u8, random: &mut Random) -> f64 {
    let signed = f64::from(position.cast_signed());
    match wave {
        LfoWave::Sine => (f64::from(position) * std::f64::consts::TAU / 256.0).sin(),
        LfoWave::RampDown => signed / 128.0,
        LfoWave::RampUp => -signed / 128.0,
        LfoWave::Square if position < 128 => 1.0,
        LfoWave::Square => -1.0,
        LfoWave::Random => f64::from(random.within(128)) / 128.0,
    }
}

/// Returns a waveform of an instrument's own vibrato in `FastTracker` 2, −64..=64. It has no random one.
///
/// Source: *XM.TXT*; measured against libopenmpt.
pub(crate) fn fast_tracker_instrument(wave: LfoWave, position: u8) -> i32 {
    let half = i32::from(position >> 1);
    match wave {
        LfoWave::Square if position > 127 => 64,
        LfoWave::Square => -64,
        LfoWave::RampDown => ((half + 64) & 127) - 64,
        LfoWave::RampUp => ((64 - half) & 127) - 64,
        LfoWave::Sine | LfoWave::Random => -fine_sine(position),
    }
}

/// A quarter of a sine, 0..=255, of 64 steps a turn.
const QUARTER: [u8; 17] = [0, 24, 49, 74, 97, 120, 141, 161, 180, 197, 212, 224, 235, 244, 250, 253, 255];

/// What `ModPlug` Tracker and `OpenMPT` have for a random wave of 64 steps: the same each time.
const RANDOM: [i8; 64] = [
    98, -127, -43, 88, 102, 41, -65, -94, 125, 20, -71, -86, -70, -32, -16, -96, 17, 72, 107, -5, 116, -69,
    -62, -40, 10, -61, 65, 109, -18, -38, -13, -76, -23, 88, 21, -94, 8, 106, 21, -112, 6, 109, 20, -88, -30,
    9, -127, 118, 42, -34, 89, -4, -51, -72, 21, -29, 112, 123, 84, -101, -92, 98, -54, -95,
];

/// Returns the random wave of `ModPlug` Tracker at one of 64 steps, −128..=127.
fn modplug_random(position: u8) -> i32 {
    RANDOM.get(usize::from(position & 63)).copied().map_or(0, i32::from)
}

/// Returns a sine of 64 steps a turn, −255..=255.
fn sine(position: u8) -> i32 {
    let at = usize::from(position & 31);
    let folded = if at > 16 { 32 - at } else { at };
    let value = QUARTER.get(folded).copied().map_or(0, i32::from);
    if position & 32 == 0 { value } else { -value }
}

/// Returns a sine of 256 steps a turn, −64..=64.
fn fine_sine(position: u8) -> i32 {
    let angle = f64::from(position) * std::f64::consts::TAU / 256.0;
    (64.0 * angle.sin()).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the values at the beginning of each eighth of a cycle.
    fn eighths(wave: u8, of: impl Fn(Lfo) -> i32) -> [i32; 8] {
        std::array::from_fn(|eighth| of(Lfo { wave, position: 32 * eighth as u8, ..Lfo::default() }))
    }

    #[test]
    fn every_tracker_has_another_ramp_and_another_square() {
        let random = || Random::new(1);
        let pro_tracker = |wave| eighths(wave, |lfo| lfo.pro_tracker(lfo.position));
        assert_eq!(pro_tracker(1), [0, 64, 128, 192, -255, -191, -127, -63]);
        assert_eq!(pro_tracker(2), [255, 255, 255, 255, -255, -255, -255, -255]);
        let scream_tracker = |wave| eighths(wave, |lfo| lfo.scream_tracker(&mut random()));
        assert_eq!(scream_tracker(1), [0, -64, -128, -192, 255, 191, 127, 63]);
        assert_eq!(scream_tracker(2), [255, 255, 255, 255, -255, -255, -255, -255]);
        let impulse_tracker = |wave| eighths(wave, |lfo| lfo.impulse_tracker(&mut random()));
        assert_eq!(impulse_tracker(1), [64, 48, 32, 16, 0, -16, -32, -48]);
        assert_eq!(impulse_tracker(2), [64, 64, 64, 64, 0, 0, 0, 0]);
    }

    #[test]
    fn a_ramp_of_pro_tracker_looks_at_another_position_and_the_fourth_wave_is_random_in_openmpt() {
        let lfo = Lfo { wave: 1, position: 64, ..Lfo::default() };
        assert_eq!([0, 128].map(|ramp| lfo.pro_tracker(ramp)), [128, 127]);
        let fourth = Lfo { wave: 3, ..lfo };
        assert_eq!([false, true].map(|is_random| fourth.fast_tracker(0, is_random)), [255, 34]);
    }

    #[test]
    fn a_digit_of_zero_leaves_speed_or_depth() {
        let mut lfo = Lfo::default();
        [0x48, 0x03, 0x50].into_iter().for_each(|parameter| lfo.set(parameter));
        lfo.advance();
        assert_eq!((lfo.speed, lfo.depth, lfo.position), (5, 3, 20));
    }
}
