/// How a pixel format stores pixels: in blocks of so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelFormat {
    /// Name, without `PF_`.
    pub name: &'static str,
    /// Width and height of a block in pixels.
    pub block: [u32; 2],
    /// Bytes of a block.
    pub bytes: u32,
}

impl PixelFormat {
    const fn new(name: &'static str, block: [u32; 2], bytes: u32) -> Self {
        Self { name, block, bytes }
    }

    /// Returns the format of a name such as `PF_DXT1`; none if its blocks are not known.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        let name = name.strip_prefix("PF_")?;
        FORMATS.iter().find(|format| format.name.eq_ignore_ascii_case(name))
    }

    /// Returns the bytes of a picture of `width` × `height` pixels; none beyond 64 bits.
    #[must_use]
    pub fn size(&self, width: u32, height: u32) -> Option<u64> {
        let blocks = |pixels: u32, block: u32| u64::from(pixels.div_ceil(block.max(1)));
        let [wide, high] = self.block;
        blocks(width, wide).checked_mul(blocks(height, high))?.checked_mul(self.bytes.into())
    }
}

/// Source: *seeds-to-the-letter*, §3.1: sizes of 81 textures; Direct3D and Khronos for the others.
const FORMATS: [PixelFormat; 35] = [
    PixelFormat::new("DXT1", [4, 4], 8),
    PixelFormat::new("DXT3", [4, 4], 16),
    PixelFormat::new("DXT5", [4, 4], 16),
    PixelFormat::new("BC4", [4, 4], 8),
    PixelFormat::new("BC5", [4, 4], 16),
    PixelFormat::new("BC6H", [4, 4], 16),
    PixelFormat::new("BC7", [4, 4], 16),
    PixelFormat::new("ETC1", [4, 4], 8),
    PixelFormat::new("ETC2_RGB", [4, 4], 8),
    PixelFormat::new("ETC2_RGBA", [4, 4], 16),
    PixelFormat::new("ETC2_R11_EAC", [4, 4], 8),
    PixelFormat::new("ETC2_RG11_EAC", [4, 4], 16),
    PixelFormat::new("ASTC_4x4", [4, 4], 16),
    PixelFormat::new("ASTC_6x6", [6, 6], 16),
    PixelFormat::new("ASTC_8x8", [8, 8], 16),
    PixelFormat::new("ASTC_10x10", [10, 10], 16),
    PixelFormat::new("ASTC_12x12", [12, 12], 16),
    PixelFormat::new("ASTC_4x4_HDR", [4, 4], 16),
    PixelFormat::new("ASTC_6x6_HDR", [6, 6], 16),
    PixelFormat::new("ASTC_8x8_HDR", [8, 8], 16),
    PixelFormat::new("ASTC_10x10_HDR", [10, 10], 16),
    PixelFormat::new("ASTC_12x12_HDR", [12, 12], 16),
    PixelFormat::new("B8G8R8A8", [1, 1], 4),
    PixelFormat::new("R8G8B8A8", [1, 1], 4),
    PixelFormat::new("G8", [1, 1], 1),
    PixelFormat::new("A8", [1, 1], 1),
    PixelFormat::new("R8G8", [1, 1], 2),
    PixelFormat::new("V8U8", [1, 1], 2),
    PixelFormat::new("G16", [1, 1], 2),
    PixelFormat::new("R16F", [1, 1], 2),
    PixelFormat::new("G16R16F", [1, 1], 4),
    PixelFormat::new("FloatR11G11B10", [1, 1], 4),
    PixelFormat::new("R32_FLOAT", [1, 1], 4),
    PixelFormat::new("FloatRGBA", [1, 1], 8),
    PixelFormat::new("A32B32G32R32F", [1, 1], 16),
];
