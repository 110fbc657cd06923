//! The vertices and indices of a level, which are counted and passed over.

use super::MeshReader;
use crate::error::Error;

/// Bytes of the position of a vertex: three numbers of single precision.
const POSITION: u32 = 12;

impl MeshReader<'_, '_> {
    /// Passes over an array of elements of a size that it states; returns that size and how many there are.
    pub(super) fn array(&mut self) -> Result<(u32, u32), Error> {
        let (size, count) = (self.bytes.u32()?, self.bytes.u32()?);
        self.bytes.skip(u64::from(size).saturating_mul(count.into()))?;
        Ok((size, count))
    }

    /// Passes over the positions of vertices; returns how many there are.
    pub(super) fn positions(&mut self) -> Result<u32, Error> {
        let (stride, count) = (self.bytes.u32()?, self.bytes.u32()?);
        let (size, stored) = self.array()?;
        match stride == POSITION && size == POSITION && stored == count {
            true => Ok(count),
            false => Err(self.fault()),
        }
    }

    /// Passes over tangents and coordinates of textures; returns how many vertices there are, and how many coordinates
    /// each has.
    pub(super) fn tangents(&mut self) -> Result<(u32, u32), Error> {
        let [global, _] = self.strip_flags()?;
        let (channels, count) = (self.bytes.u32()?, self.bytes.u32()?);
        let (_is_precise, _has_precise_tangents) = (self.flag()?, self.flag()?);
        // What is seen was left out.
        if global & 2 == 0 {
            let (_, tangents) = self.array()?;
            let (_, coordinates) = self.array()?;
            if tangents != count || coordinates != count.saturating_mul(channels) {
                return Err(self.fault());
            }
        }
        Ok((count, channels))
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

    /// Passes over indices; returns how many there are.
    pub(super) fn indices(&mut self) -> Result<u32, Error> {
        let is_wide = self.flag()?;
        let (size, bytes) = self.array()?;
        let _is_made_wide = self.flag()?;
        let width = if is_wide { 4 } else { 2 };
        match size == 1 && bytes.is_multiple_of(width) {
            true => Ok(bytes.checked_div(width).unwrap_or_default()),
            false => Err(self.fault()),
        }
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
