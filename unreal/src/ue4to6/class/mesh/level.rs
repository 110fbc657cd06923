//! The vertices and indices of a level: counted and passed over, and read when they are wanted.

use super::{Geometry, MeshReader};
use crate::base::error::Error;

/// Where the data of a level lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LevelPlaces {
    positions: u64,
    tangents: u64,
    /// Whether tangents have 16 bits, not 8.
    has_precise_tangents: bool,
    coordinates: u64,
    pub(super) channels: u32,
    /// Whether coordinates have 32 bits, not 16.
    has_precise_coordinates: bool,
    pub(super) vertices: u32,
    pub(super) indices: u64,
    /// Bytes of an index.
    pub(super) index_width: u8,
    pub(super) index_count: u32,
}

/// Bytes before the elements of an array: their size, and how many there are.
const ARRAY_HEAD: u64 = 8;

/// Bytes of the position of a vertex: three numbers of single precision.
const POSITION: u32 = 12;

impl MeshReader<'_, '_> {
    /// Passes over an array of elements of a size that it states; returns that size and how many there are.
    pub(super) fn array(&mut self) -> Result<(u32, u32), Error> {
        let (size, count) = (self.bytes.u32()?, self.bytes.u32()?);
        self.bytes.skip(u64::from(size).saturating_mul(count.into()))?;
        Ok((size, count))
    }

    /// Passes over the positions, tangents and coordinates of textures of vertices; returns where they lie.
    pub(super) fn vertices(&mut self) -> Result<LevelPlaces, Error> {
        let mut places = LevelPlaces::default();
        let (stride, count) = (self.bytes.u32()?, self.bytes.u32()?);
        places.positions = self.bytes.at().saturating_add(ARRAY_HEAD);
        let (size, stored) = self.array()?;
        if stride != POSITION || size != POSITION || stored != count {
            return Err(self.fault());
        }
        let [global, _] = self.strip_flags()?;
        (places.channels, places.vertices) = (self.bytes.u32()?, self.bytes.u32()?);
        (places.has_precise_coordinates, places.has_precise_tangents) = (self.flag()?, self.flag()?);
        // What is seen was left out.
        if global & 2 == 0 {
            places.tangents = self.bytes.at().saturating_add(ARRAY_HEAD);
            let (tangent, tangents) = self.array()?;
            places.coordinates = self.bytes.at().saturating_add(ARRAY_HEAD);
            let (coordinate, coordinates) = self.array()?;
            let are_sizes = tangent == if places.has_precise_tangents { 16 } else { 8 }
                && coordinate == if places.has_precise_coordinates { 8 } else { 4 };
            let are_counts = tangents == count && coordinates == count.saturating_mul(places.channels);
            if !(are_sizes && are_counts) && count > 0 {
                return Err(self.fault());
            }
        }
        match places.vertices == count {
            true => Ok(places),
            false => Err(self.fault()),
        }
    }

    /// Passes over the colours of vertices.
    pub(super) fn colors(&mut self) -> Result<(), Error> {
        let [global, _] = self.strip_flags()?;
        let (_stride, count) = (self.bytes.u32()?, self.bytes.u32()?);
        if global & 2 == 0 && count > 0 && self.array()?.1 != count {
            return Err(self.fault());
        }
        Ok(())
    }

    /// Passes over indices; returns where they lie, the bytes of one, and how many there are.
    pub(super) fn indices(&mut self) -> Result<(u64, u8, u32), Error> {
        let is_wide = self.flag()?;
        let at = self.bytes.at().saturating_add(ARRAY_HEAD);
        let (size, bytes) = self.array()?;
        let _is_made_wide = self.flag()?;
        let width: u8 = if is_wide { 4 } else { 2 };
        match size == 1 && bytes.is_multiple_of(width.into()) {
            true => Ok((at, width, bytes.checked_div(width.into()).unwrap_or_default())),
            false => Err(self.fault()),
        }
    }

    /// Reads the vertices and indices of a level.
    pub(super) fn geometry(&mut self, places: &LevelPlaces) -> Result<Geometry, Error> {
        let count = places.vertices as usize;
        let mut geometry = Geometry::default();
        self.limits.take_table::<[f32; 16]>(count, places.positions, super::WHAT)?;
        self.bytes.seek(places.positions);
        for _ in 0..count {
            geometry.positions.push([self.bytes.f32()?, self.bytes.f32()?, self.bytes.f32()?]);
        }
        if places.tangents > 0 {
            self.bytes.seek(places.tangents);
            for _ in 0..count {
                geometry.tangents.push(self.direction(places.has_precise_tangents)?);
                let [x, y, z, _] = self.direction(places.has_precise_tangents)?;
                geometry.normals.push([x, y, z]);
            }
            self.bytes.seek(places.coordinates);
            let coordinates = count.saturating_mul(places.channels as usize);
            self.limits.take_table::<[f32; 2]>(coordinates, places.coordinates, super::WHAT)?;
            for _ in 0..coordinates {
                let mut number = || match places.has_precise_coordinates {
                    true => self.bytes.f32(),
                    false => self.bytes.u16().map(half),
                };
                geometry.coordinates.push([number()?, number()?]);
            }
            geometry.channels = places.channels as usize;
        }
        self.limits.take_table::<u32>(places.index_count as usize, places.indices, super::WHAT)?;
        self.bytes.seek(places.indices);
        for _ in 0..places.index_count {
            let index = if places.index_width == 4 { self.bytes.u32()? } else { self.bytes.u16()?.into() };
            if index >= places.vertices {
                return Err(self.fault());
            }
            geometry.indices.push(index);
        }
        Ok(geometry)
    }

    /// Reads a direction and a sign, of 8 or 16 bits each.
    fn direction(&mut self, is_precise: bool) -> Result<[f32; 4], Error> {
        let mut direction = [0.0; 4];
        for part in &mut direction {
            *part = match is_precise {
                true => f32::from(self.bytes.u16()?.cast_signed()) / 32_767.0,
                false => f32::from(self.bytes.u8()?.cast_signed()) / 127.0,
            };
        }
        Ok(direction)
    }

    /// Passes over what chooses places on a surface by its area: chances, what else is chosen, and their sum.
    pub(super) fn sampler(&mut self) -> Result<(), Error> {
        for _ in 0..2 {
            let count = self.bytes.count(4)?;
            self.bytes.skip((count as u64).saturating_mul(4))?;
        }
        self.bytes.skip(4)
    }
}

/// Returns the number that 16 bits are: a sign, 5 bits of exponent, 10 of mantissa.
///
/// Source: IEEE 754.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, mantissa) = (u32::from(bits >> 10 & 0x1F), u32::from(bits & 0x3FF));
    match exponent {
        // Below the smallest exponent: so many parts of it.
        0 => f32::from_bits(sign | 0x3F80_0000) * f32::from(bits & 0x3FF) / 16_777_216.0,
        31 => f32::from_bits(sign | 0x7F80_0000 | mantissa << 13),
        exponent => f32::from_bits(sign | exponent.saturating_add(112) << 23 | mantissa << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_16_bits_are_those_of_the_standard() {
        let cases = [
            (0x0000, 0.0),
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x03FF, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x7BFF, 65_504.0),
            (0x7C00, f32::INFINITY),
        ];
        for (bits, number) in cases {
            assert_eq!(half(bits), number, "{bits:04x}");
        }
        assert!(half(0x7E00).is_nan());
    }
}
