/// An instrument of a two-operator FM synthesiser, an OPL2: its registers as an S3M has them.
///
/// Source: *ST3 TECH document*, adlib instruments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FmPatch([u8; 12]);

impl FmPatch {
    /// Creates a patch from the bytes `D00` to `D0B` of an S3M: of both operators by turns, then of the channel.
    #[must_use]
    pub const fn new(registers: [u8; 12]) -> Self {
        Self(registers)
    }

    /// Returns the registers of modulator and carrier by turns: characteristics, level, attack and decay, sustain and
    /// release, waveform.
    #[must_use]
    pub const fn operators(self) -> [u8; 10] {
        let [a, b, c, d, e, f, g, h, i, j, ..] = self.0;
        [a, b, c, d, e, f, g, h, i, j]
    }

    /// Returns the register of the channel: feedback, and whether both operators are heard.
    #[must_use]
    pub const fn routing(self) -> u8 {
        self.0[10]
    }

    /// Returns by how many steps of 0.75 dB the operators are attenuated that are heard, 0..=63: the carrier, and the
    /// modulator where it modulates nothing.
    #[must_use]
    pub const fn heard_attenuations(self) -> [Option<u8>; 2] {
        let is_additive = self.routing() & 1 != 0;
        [Some(self.0[3] & 63), if is_additive { Some(self.0[2] & 63) } else { None }]
    }
}
