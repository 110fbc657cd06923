//! Pixels of a mip: decoded, and made smaller.

use std::fmt;

use unreal::ue4to6::class::texture::PixelFormat;

/// A picture of one slice of a mip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Pixels, row by row.
    pub pixels: Pixels,
    /// True if values beyond 0..=1 were clamped.
    pub is_clamped: bool,
}

/// Pixels of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// One value of 8 bits a pixel.
    Grey8(Vec<u8>),
    /// One value of 16 bits a pixel.
    Grey16(Vec<u16>),
    /// Red, green, blue and alpha, 8 bits each.
    Rgba8(Vec<u8>),
}

/// Errors of decoding a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PictureError {
    /// There is no decoder for the pixel format.
    Format(String),
    /// There are fewer bytes than pixels.
    TooShort,
    /// There are more pixels than are decoded.
    TooLarge,
    /// The decoder refuses the bytes.
    Decoder(&'static str),
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(format) => {
                write!(f, "{format} is not decoded; .dds writes some formats as they are")
            }
            Self::TooShort => f.write_str("there is less data than pixels"),
            Self::TooLarge => {
                write!(f, "there are more than {MAX_PIXELS} pixels; .dds writes them as they are")
            }
            Self::Decoder(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for PictureError {}

/// Pixels that are decoded at most: 16,384 on each side. The densest formats have 36 in a byte.
const MAX_PIXELS: u64 = 1 << 28;

/// A function of the decoder of a format: bytes, width, height, pixels.
type Decode = fn(&[u8], usize, usize, &mut [u32]) -> Result<(), &'static str>;

/// Decodes a picture of `width` × `height` pixels. BC5 holds a normal: its third coordinate is computed.
///
/// # Errors
/// [`PictureError`] if the format is not decoded, there are too few bytes, or more than 2^28 pixels.
pub fn decode(format: &PixelFormat, width: u32, height: u32, data: &[u8]) -> Result<Picture, PictureError> {
    if u64::from(width).saturating_mul(height.into()) > MAX_PIXELS {
        return Err(PictureError::TooLarge);
    }
    let size = format.size(width, height).and_then(|size| usize::try_from(size).ok());
    let data = size.and_then(|size| data.get(..size)).ok_or(PictureError::TooShort)?;
    let picture = |pixels| Picture { width, height, pixels, is_clamped: false };
    let each = |channels: fn(&[u8]) -> [u8; 4]| {
        let pixels = data.chunks_exact(format.bytes.max(1) as usize).flat_map(channels).collect();
        Ok(picture(Pixels::Rgba8(pixels)))
    };
    let blocks = |decode: Decode| decode_blocks(decode, width, height, data);
    let rgba = |decode: Decode| Ok(picture(Pixels::Rgba8(rgba_of(&blocks(decode)?))));
    match format.name {
        "G8" | "A8" => Ok(picture(Pixels::Grey8(data.to_vec()))),
        "G16" => Ok(picture(Pixels::Grey16(shorts(data).collect()))),
        "B8G8R8A8" => each(|pixel| channels(pixel, [2, 1, 0, 3])),
        "R8G8B8A8" => each(|pixel| channels(pixel, [0, 1, 2, 3])),
        "R16F" | "G16R16F" | "FloatRGBA" | "R32_FLOAT" | "A32B32G32R32F" => {
            Ok(floats(format, width, height, data))
        }
        "DXT1" => rgba(texture2ddecoder::decode_bc1a),
        "DXT3" => rgba(texture2ddecoder::decode_bc2),
        "DXT5" => rgba(texture2ddecoder::decode_bc3),
        "BC4" | "ETC2_R11_EAC" => {
            let decode: Decode = if format.name == "BC4" {
                texture2ddecoder::decode_bc4
            } else {
                texture2ddecoder::decode_eacr
            };
            let red = blocks(decode)?.iter().map(|pixel| pixel.to_le_bytes()[2]).collect();
            Ok(picture(Pixels::Grey8(red)))
        }
        "BC5" => {
            let normals = blocks(texture2ddecoder::decode_bc5)?;
            let with_blue = |pixel: &u32| {
                let [_, green, red, _] = pixel.to_le_bytes();
                [red, green, third_coordinate(red, green), 255]
            };
            Ok(picture(Pixels::Rgba8(normals.iter().flat_map(with_blue).collect())))
        }
        "BC6H" => Ok(Picture { is_clamped: true, ..rgba(texture2ddecoder::decode_bc6_unsigned)? }),
        "BC7" => rgba(texture2ddecoder::decode_bc7),
        "ETC1" => rgba(texture2ddecoder::decode_etc1),
        "ETC2_RGB" => rgba(texture2ddecoder::decode_etc2_rgb),
        "ETC2_RGBA" => rgba(texture2ddecoder::decode_etc2_rgba8),
        "ETC2_RG11_EAC" => rgba(texture2ddecoder::decode_eacrg),
        "ASTC_4x4" => rgba(texture2ddecoder::decode_astc_4_4),
        "ASTC_6x6" => rgba(texture2ddecoder::decode_astc_6_6),
        "ASTC_8x8" => rgba(texture2ddecoder::decode_astc_8_8),
        "ASTC_10x10" => rgba(texture2ddecoder::decode_astc_10_10),
        "ASTC_12x12" => rgba(texture2ddecoder::decode_astc_12_12),
        name => Err(PictureError::Format(format!("PF_{name}"))),
    }
}

/// Returns pixels of a decoder, whose bytes are blue, green, red, alpha.
fn decode_blocks(decode: Decode, width: u32, height: u32, data: &[u8]) -> Result<Vec<u32>, PictureError> {
    let [wide, high] = [width, height].map(|pixels| usize::try_from(pixels).unwrap_or(usize::MAX));
    let mut pixels = vec![0; wide.checked_mul(high).ok_or(PictureError::TooShort)?];
    // It panics over some damaged blocks.
    let decoded = unreal::guarded(|| decode(data, wide, high, &mut pixels));
    decoded.unwrap_or(Err("damaged blocks")).map_err(PictureError::Decoder)?;
    Ok(pixels)
}

fn rgba_of(pixels: &[u32]) -> Vec<u8> {
    pixels.iter().flat_map(|pixel| channels(&pixel.to_le_bytes(), [2, 1, 0, 3])).collect()
}

/// Returns the bytes of a pixel in another order; what it has not is 255.
fn channels(pixel: &[u8], order: [usize; 4]) -> [u8; 4] {
    order.map(|channel| pixel.get(channel).copied().unwrap_or(255))
}

fn shorts(data: &[u8]) -> impl Iterator<Item = u16> {
    data.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair))
}

/// Returns the third coordinate of a normal whose others are stored as 0..=255 for −1..=1.
fn third_coordinate(x: u8, y: u8) -> u8 {
    let [x, y] = [x, y].map(|value| f32::from(value) / 127.5 - 1.0);
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    ((z + 1.0) * 127.5).round() as u8
}

fn floats(format: &PixelFormat, width: u32, height: u32, data: &[u8]) -> Picture {
    let values: Vec<f32> = match format.name {
        "R32_FLOAT" | "A32B32G32R32F" => {
            data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
        }
        _ => shorts(data).map(half).collect(),
    };
    let is_clamped = values.iter().any(|value| !(0.0..=1.0).contains(value));
    // What is no number becomes 0.
    let byte = |value: &f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    let pixels = match format.name {
        "R16F" | "R32_FLOAT" => Pixels::Grey8(values.iter().map(byte).collect()),
        "G16R16F" => {
            Pixels::Rgba8(values.as_chunks().0.iter().flat_map(|[r, g]| [byte(r), byte(g), 0, 255]).collect())
        }
        _ => Pixels::Rgba8(values.iter().map(byte).collect()),
    };
    Picture { width, height, pixels, is_clamped }
}

/// Returns the value of a number of 16 bits (IEEE 754 binary16).
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 0x3FF) / 1024.0);
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-14),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction) * 2.0_f32.powi(exponent - 15),
    }
}

/// Returns a picture of half the size, at least one pixel: each value the mean of up to four, in `channels` values a
/// pixel.
pub(super) fn halved(width: u32, height: u32, channels: usize, values: &[u8]) -> Vec<u8> {
    let [wide, high] = [width, height].map(|pixels| pixels as usize);
    let at = |x: usize, y: usize, channel: usize| {
        let index =
            (y.min(high.saturating_sub(1)) * wide + x.min(wide.saturating_sub(1))) * channels + channel;
        u32::from(values.get(index).copied().unwrap_or_default())
    };
    let mut half = Vec::new();
    for y in 0..(high / 2).max(1) {
        for x in 0..(wide / 2).max(1) {
            for channel in 0..channels {
                let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
                let sum: u32 = corners.iter().map(|(dx, dy)| at(2 * x + dx, 2 * y + dy, channel)).sum();
                half.push(((sum + 2) / 4) as u8);
            }
        }
    }
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_what_the_standard_says() {
        for (bits, value) in [
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7BFF, 65504.0),
        ] {
            assert_eq!(half(bits), value, "{bits:x}");
        }
        assert!(half(0x7C00) == f32::INFINITY && half(0x7C01).is_nan());
    }

    #[test]
    fn a_flat_normal_points_out_of_the_picture() {
        assert_eq!(third_coordinate(128, 127), 255);
        assert_eq!(third_coordinate(255, 128), 128);
    }

    #[test]
    fn a_picture_is_halved_to_one_pixel_at_least() {
        assert_eq!(halved(2, 2, 1, &[0, 100, 100, 200]), [100]);
        assert_eq!(halved(1, 2, 1, &[10, 20]), [15]);
        assert_eq!(halved(1, 1, 2, &[7, 9]), [7, 9]);
    }
}
