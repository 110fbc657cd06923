//! DDS files: the header with `DX10`, and the bytes of all mips unchanged.
//!
//! Source: Microsoft, *Programming Guide for DDS*.

use std::fmt;

/// Bytes of the header.
const HEADER: usize = 148;
const MAGIC: &[u8; 4] = b"DDS ";

/// What a DDS file says of its pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DdsHeader {
    /// Format (`DXGI_FORMAT`).
    pub format: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Depth in pixels; 1 unless it is a volume.
    pub depth: u32,
    /// Mips.
    pub mips: u32,
    /// Slices of an array, of a cube all its sides.
    pub slices: u32,
    /// True for cubes.
    pub is_cube: bool,
}

/// Errors of reading a DDS file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DdsError {
    /// It is no DDS file.
    NotDds,
    /// It has a header without `DX10`, which names formats otherwise.
    Old,
}

impl fmt::Display for DdsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDds => f.write_str("not a DDS file"),
            Self::Old => f.write_str("a DDS file without a DX10 header"),
        }
    }
}

impl std::error::Error for DdsError {}

/// Returns the number of a pixel format in DDS files, without `PF_`; none if these have none.
#[must_use]
pub fn dxgi_format(format: &str, is_srgb: bool) -> Option<u32> {
    let (linear, srgb) = match format {
        "DXT1" => (71, 72),
        "DXT3" => (74, 75),
        "DXT5" => (77, 78),
        "BC4" => (80, 80),
        "BC5" => (83, 83),
        "BC6H" => (95, 95),
        "BC7" => (98, 99),
        "B8G8R8A8" => (87, 91),
        "R8G8B8A8" => (28, 29),
        "G8" => (61, 61),
        "A8" => (65, 65),
        "R8G8" => (49, 49),
        "V8U8" => (51, 51),
        "G16" => (56, 56),
        "R16F" => (54, 54),
        "G16R16F" => (34, 34),
        "FloatR11G11B10" => (26, 26),
        "R32_FLOAT" => (41, 41),
        "FloatRGBA" => (10, 10),
        "A32B32G32R32F" => (2, 2),
        _ => return None,
    };
    Some(if is_srgb { srgb } else { linear })
}

impl DdsHeader {
    /// Returns the bytes of the header. `first` is the size of the first mip in bytes.
    #[must_use]
    pub fn to_bytes(self, first: u64) -> Vec<u8> {
        const CAPS_HEIGHT_WIDTH_FORMAT: u32 = 0x1 | 0x2 | 0x4 | 0x1000;
        const MIP_COUNT: u32 = 0x2_0000;
        const LINEAR_SIZE: u32 = 0x8_0000;
        const DEPTH: u32 = 0x80_0000;
        const TEXTURE: u32 = 0x1000;
        const COMPLEX_MIPS: u32 = 0x40_0008;
        const COMPLEX: u32 = 0x8;
        const CUBE: u32 = 0xFE00;
        const VOLUME: u32 = 0x20_0000;
        const DIMENSION_2D: u32 = 3;
        const DIMENSION_3D: u32 = 4;
        const FOUR_CC: u32 = 0x4;
        let is_volume = self.depth > 1;
        let flags = CAPS_HEIGHT_WIDTH_FORMAT
            | LINEAR_SIZE
            | if self.mips > 1 { MIP_COUNT } else { 0 }
            | if is_volume { DEPTH } else { 0 };
        let caps = TEXTURE
            | if self.mips > 1 { COMPLEX_MIPS } else { 0 }
            | if self.is_cube || is_volume { COMPLEX } else { 0 };
        let caps2 = if self.is_cube { CUBE } else { 0 } | if is_volume { VOLUME } else { 0 };
        let mut bytes = MAGIC.to_vec();
        let mut add = |numbers: &[u32]| numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        let first = u32::try_from(first).unwrap_or(u32::MAX);
        add(&[124, flags, self.height, self.width, first, if is_volume { self.depth } else { 0 }, self.mips]);
        add(&[0; 11]);
        add(&[32, FOUR_CC, u32::from_le_bytes(*b"DX10"), 0, 0, 0, 0, 0]);
        add(&[caps, caps2, 0, 0, 0]);
        let array = if self.is_cube { (self.slices / 6).max(1) } else { self.slices.max(1) };
        add(&[
            self.format,
            if is_volume { DIMENSION_3D } else { DIMENSION_2D },
            if self.is_cube { 4 } else { 0 },
            if is_volume { 1 } else { array },
            0,
        ]);
        bytes
    }

    /// Reads the header of a file; returns the bytes after it as well.
    ///
    /// # Errors
    /// [`DdsError`] if it is another file, or has an older header.
    pub fn read(file: &[u8]) -> Result<(Self, &[u8]), DdsError> {
        let (header, data) = file.split_at_checked(HEADER).ok_or(DdsError::NotDds)?;
        let number = |at: usize| {
            let bytes = header.get(at..).and_then(|rest| rest.first_chunk());
            bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
        };
        if !header.starts_with(MAGIC) || number(4) != 124 {
            return Err(DdsError::NotDds);
        }
        if number(84).to_le_bytes() != *b"DX10" {
            return Err(DdsError::Old);
        }
        let is_cube = number(136) & 4 != 0;
        let array = number(140).max(1);
        Ok((
            Self {
                format: number(128),
                width: number(16),
                height: number(12),
                depth: number(24).max(1),
                mips: number(28).max(1),
                slices: if is_cube { array.saturating_mul(6) } else { array },
                is_cube,
            },
            data,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_it_was_written() {
        for (depth, slices, is_cube) in [(1, 1, false), (1, 6, true), (1, 5, false), (8, 1, false)] {
            let header = DdsHeader { format: 71, width: 64, height: 32, depth, mips: 7, slices, is_cube };
            let file = header.to_bytes(1024);
            assert_eq!(file.len(), HEADER);
            assert_eq!(DdsHeader::read(&file), Ok((header, &[][..])));
        }
        assert_eq!(DdsHeader::read(b"DDS "), Err(DdsError::NotDds));
        let mut old =
            DdsHeader { format: 0, width: 1, height: 1, depth: 1, mips: 1, slices: 1, is_cube: false }
                .to_bytes(1);
        old[84..88].copy_from_slice(b"DXT1");
        assert_eq!(DdsHeader::read(&old), Err(DdsError::Old));
    }
}
