//! Waves of vibrato, tremolo and panbrello.

/// A quarter of a sine, 0..=255, of 64 steps a turn.
const QUARTER: [u8; 17] = [0, 24, 49, 74, 97, 120, 141, 161, 180, 197, 212, 224, 235, 244, 250, 253, 255];

/// What `ModPlug` Tracker and `OpenMPT` have for a random wave of 64 steps: the same each time.
const RANDOM: [i8; 64] = [
    98, -127, -43, 88, 102, 41, -65, -94, 125, 20, -71, -86, -70, -32, -16, -96, 17, 72, 107, -5, 116, -69,
    -62, -40, 10, -61, 65, 109, -18, -38, -13, -76, -23, 88, 21, -94, 8, 106, 21, -112, 6, 109, 20, -88, -30,
    9, -127, 118, 42, -34, 89, -4, -51, -72, 21, -29, 112, 123, 84, -101, -92, 98, -54, -95,
];

/// Returns the random wave of `ModPlug` Tracker at one of 64 steps, −128..=127.
pub(crate) fn modplug_random(position: u8) -> i32 {
    RANDOM.get(usize::from(position & 63)).copied().map_or(0, i32::from)
}

/// Returns a sine of 64 steps a turn, −255..=255.
pub(crate) fn sine(position: u8) -> i32 {
    let at = usize::from(position & 31);
    let folded = if at > 16 { 32 - at } else { at };
    let value = QUARTER.get(folded).copied().map_or(0, i32::from);
    if position & 32 == 0 { value } else { -value }
}

/// Returns a sine of 256 steps a turn, −64..=64.
pub(crate) fn fine_sine(position: u8) -> i32 {
    let angle = f64::from(position) * std::f64::consts::TAU / 256.0;
    (64.0 * angle.sin()).round() as i32
}

/// A generator of random numbers that needs no clock: the same song always sounds the same.
#[derive(Clone, Debug)]
pub(crate) struct Random(u32);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self((seed as u32 ^ (seed >> 32) as u32) | 1)
    }

    /// Returns a number of 0..=0xFFFF.
    fn next(&mut self) -> i32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 16) as i32
    }

    /// Returns a number of −most..=most.
    pub(crate) fn within(&mut self, most: i32) -> i32 {
        ((self.next() * (2 * most + 1)) >> 16) - most
    }
}
