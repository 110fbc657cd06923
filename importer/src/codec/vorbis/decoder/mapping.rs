//! Mappings: which floor and residue each channel has, and which channels are coded as one of a pair and the difference
//! to the other.
//!
//! ```text
//! channels   0   1   2   3   4   5
//! submaps    └───┴─ 0 ───┘   └─ 1 ┘     a floor and a residue each
//! couplings  (0, 1) (3, 4)              magnitude and angle
//! ```
//!
//! Source: Xiph.Org, *Vorbis I specification*, §4.2.4 and §4.3.5.

use super::super::bits::LsbBitReader;

/// A mapping of a setup header.
#[derive(Debug)]
pub(super) struct Mapping {
    /// Channels of magnitude and angle.
    pub(super) couplings: Vec<[usize; 2]>,
    pub(super) submaps: Vec<Submap>,
    /// Floor of each channel.
    pub(super) floors: Vec<usize>,
}

/// Channels with the same residue.
#[derive(Debug)]
pub(super) struct Submap {
    pub(super) channels: Vec<usize>,
    pub(super) residue: usize,
}

impl Mapping {
    /// Reads a mapping; none if it ends early or names what is not there.
    pub(super) fn read(
        bits: &mut LsbBitReader<'_>,
        channels: usize,
        (floors, residues): (usize, usize),
    ) -> Option<Self> {
        if bits.read(16)? != 0 {
            return None;
        }
        let submaps = if bits.flag()? { bits.size(4)?.wrapping_add(1) } else { 1 };
        let mut couplings = Vec::new();
        if bits.flag()? {
            let width = usize::BITS.wrapping_sub(channels.saturating_sub(1).leading_zeros());
            for _ in 0..=bits.read(8)? {
                let (magnitude, angle) = (bits.size(width)?, bits.size(width)?);
                if magnitude == angle || magnitude.max(angle) >= channels {
                    return None;
                }
                couplings.push([magnitude, angle]);
            }
        }
        if bits.read(2)? != 0 {
            return None;
        }
        let submap = |_| if submaps > 1 { bits.size(4).filter(|submap| *submap < submaps) } else { Some(0) };
        let of_channels: Vec<usize> = (0..channels).map(submap).collect::<Option<_>>()?;
        let (mut found, mut floors_of_submaps) = (Vec::new(), Vec::new());
        for submap in 0..submaps {
            let _time = bits.read(8)?;
            floors_of_submaps.push(bits.size(8).filter(|floor| *floor < floors)?);
            let residue = bits.size(8).filter(|residue| *residue < residues)?;
            let channels = of_channels.iter().enumerate().filter(|(_, of)| **of == submap);
            found.push(Submap { channels: channels.map(|(channel, _)| channel).collect(), residue });
        }
        let floors =
            of_channels.iter().filter_map(|submap| floors_of_submaps.get(*submap).copied()).collect();
        Some(Self { couplings, submaps: found, floors })
    }

    /// Marks the channels whose spectra are coded: those in use, and their partners.
    pub(super) fn mark_coded(&self, is_used: &[bool], is_coded: &mut Vec<bool>) {
        is_coded.clear();
        is_coded.extend(is_used);
        for [magnitude, angle] in &self.couplings {
            let is_one = [magnitude, angle].iter().any(|channel| is_coded.get(**channel) == Some(&true));
            for channel in [magnitude, angle] {
                if let Some(flag) = is_coded.get_mut(*channel) {
                    *flag = is_one;
                }
            }
        }
    }

    /// Undoes the couplings, the last one first.
    pub(super) fn uncouple(&self, spectra: &mut [Vec<f32>], is_coded: &[bool], length: usize) {
        for [magnitude, angle] in self.couplings.iter().rev() {
            if is_coded.get(*magnitude) == Some(&true)
                && let Ok([magnitudes, angles]) = spectra.get_disjoint_mut([*magnitude, *angle])
            {
                for (magnitude, angle) in magnitudes.iter_mut().zip(angles).take(length) {
                    (*magnitude, *angle) = uncoupled(*magnitude, *angle);
                }
            }
        }
    }
}

/// Returns two values of which one is the magnitude, the larger; the sign of the angle tells which.
#[inline]
fn uncoupled(magnitude: f32, angle: f32) -> (f32, f32) {
    let difference = if magnitude > 0.0 { angle } else { -angle };
    if angle > 0.0 { (magnitude, magnitude - difference) } else { (magnitude + difference, magnitude) }
}
