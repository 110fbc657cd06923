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
