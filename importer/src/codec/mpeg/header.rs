use song::Hz;

/// What a frame's header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHeader {
    /// Whether it is MPEG 1; its relatives for low rates are not.
    pub(super) is_mpeg1: bool,
    /// I, II or III.
    pub(super) layer: u8,
    pub(super) rate: Hz,
    pub(super) channels: u16,
    /// kbit/s.
    pub(super) kbits: u64,
    /// Whether a checksum follows.
    pub(super) has_checksum: bool,
    /// Bytes of the frame with its header.
    pub(super) bytes: u64,
    /// Frames of sound in it.
    pub(super) frames: u64,
}

/// kbit/s by index, from 1 on: MPEG 1 layers I to III, then layer I and the others of its relatives.
const BIT_RATES: [[u64; 14]; 5] = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

impl FrameHeader {
    /// None for what is no header, and for a free bit rate, whose frames cannot be measured.
    pub(super) fn read(bytes: [u8; 4]) -> Option<Self> {
        let [0xFF, second, third, fourth] = bytes else { return None };
        if second & 0xE0 != 0xE0 {
            return None;
        }
        // MPEG 1 halves nothing, MPEG 2 its rates once, MPEG 2.5 twice.
        let halved = match second >> 3 & 3 {
            3 => 0,
            2 => 1,
            0 => 2,
            _ => return None,
        };
        let is_mpeg1 = halved == 0;
        let layer = match second >> 1 & 3 {
            3 => 1,
            2 => 2,
            1 => 3,
            _ => return None,
        };
        let row = match (is_mpeg1, layer) {
            (true, 1) => 0,
            (true, 2) => 1,
            (true, _) => 2,
            (false, 1) => 3,
            (false, _) => 4,
        };
        let column = usize::from(third >> 4).checked_sub(1)?;
        let kbits = *BIT_RATES.get(row)?.get(column)?;
        let bits = kbits.checked_mul(1000)?;
        let rate = [44_100_u32, 48_000, 32_000].get(usize::from(third >> 2 & 3))? >> halved;
        let padding = u64::from(third >> 1 & 1);
        let (frames, slot): (u64, u64) = match (layer, is_mpeg1) {
            (1, _) => (384, 4),
            (3, false) => (576, 1),
            _ => (1152, 1),
        };
        let slots = (frames / 8).checked_mul(bits)?.checked_div(slot)?.checked_div(rate.into())?;
        Some(Self {
            is_mpeg1,
            layer,
            rate: Hz::new(rate).ok()?,
            channels: if fourth >> 6 == 3 { 1 } else { 2 },
            kbits,
            has_checksum: second & 1 == 0,
            bytes: slots.checked_add(padding)?.checked_mul(slot)?,
            frames,
        })
    }

    /// Returns whether both can be of one stream: bit rate, padding and the kind of stereo may change.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.is_mpeg1, self.layer, self.rate, self.channels)
            == (other.is_mpeg1, other.layer, other.rate, other.channels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: [u8; 4]) -> (u8, u32, u16, u64, u64) {
        let header = FrameHeader::read(bytes).unwrap();
        (header.layer, header.rate.get(), header.channels, header.bytes, header.frames)
    }

    #[test]
    fn frames_are_as_long_as_their_bit_rate_and_rate_make_them() {
        assert_eq!(read([0xFF, 0xFB, 0x90, 0x64]), (3, 44_100, 2, 417, 1152));
        assert_eq!(read([0xFF, 0xFB, 0x92, 0xC0]), (3, 44_100, 1, 418, 1152));
        assert_eq!(read([0xFF, 0xFD, 0xA4, 0x00]), (2, 48_000, 2, 576, 1152));
        assert_eq!(read([0xFF, 0xF3, 0x80, 0x00]), (3, 22_050, 2, 208, 576));
        assert_eq!(read([0xFF, 0xE3, 0x80, 0x00]), (3, 11_025, 2, 417, 576));
        assert_eq!(read([0xFF, 0xFF, 0x44, 0x00]), (1, 48_000, 2, 128, 384));
    }

    #[test]
    fn reserved_numbers_and_a_free_bit_rate_are_no_header() {
        for bytes in [[0xFF, 0xEB, 0x90, 0], [0xFF, 0xF9, 0x90, 0], [0xFF, 0xFB, 0xF0, 0], [0xFF, 0xFB, 0, 0]]
        {
            assert_eq!(FrameHeader::read(bytes), None);
        }
    }
}
