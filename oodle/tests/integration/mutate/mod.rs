//! Damage by chance, the same each time.

/// Numbers by chance.
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit.max(1) as u64) as usize
    }
}

/// Returns a damaged copy of a stream, and the size to ask for.
pub(crate) fn mutated(stored: &[u8], size: usize, noise: &mut Noise) -> (Vec<u8>, usize) {
    let (mut stored, mut size) = (stored.to_vec(), size);
    for _ in 0..=noise.below(3) {
        // Headers are at the front and behind large parts; the front gets half of the damage.
        let reach = if noise.below(2) == 0 { stored.len().min(64) } else { stored.len() };
        let at = noise.below(reach);
        let value = noise.bits() as u8;
        match noise.below(8) {
            0 if !stored.is_empty() => stored[at] = value,
            1 if !stored.is_empty() => stored[at] = stored[at].wrapping_add(1),
            2 if !stored.is_empty() => _ = stored.remove(at),
            3 => stored.insert(at, value),
            4 => size = (size + noise.below(3)).saturating_sub(1),
            5 => stored.truncate(stored.len() - noise.below(2).min(stored.len())),
            _ if !stored.is_empty() => stored[at] ^= 1 << (value & 7),
            _ => {}
        }
    }
    (stored, size)
}

/// Returns how many damaged copies to try: `MUTATIONS` of the environment, or a number that takes seconds.
pub(crate) fn runs(default: usize) -> usize {
    std::env::var("MUTATIONS").map_or(default, |runs| runs.parse().expect("MUTATIONS is a number"))
}
