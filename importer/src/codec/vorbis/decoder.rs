//! Decodes packets of Vorbis.
//!
//! ```text
//! packet ─► floors ─► residues ─► couplings ─► spectra ─► transform ─► overlap ─► frames
//!           rough     fine        undone       floor ×                 with the
//!           shape     structure                residue                 block before
//! ```
//!
//! A packet that ends early is no error: what it lacks is silent.
//!
//! Source: Xiph.Org, *Vorbis I specification*, §4.3.

mod codebook;
mod floor;
mod lines;
mod lsp;
mod mapping;
mod overlap;
mod residue;
mod setup;
#[cfg(test)]
mod tests;
mod transform;

use floor::Curve;
use overlap::Slope;
use residue::Scratch;
use setup::Setup;
use transform::Transform;

use super::bits::LsbBitReader;

/// Exponents of the sizes of blocks.
const EXPONENTS: std::ops::RangeInclusive<u8> = 6..=13;

/// The plane of each channel, by the number of channels: planes are in the order of the bits of a speaker mask.
///
/// Source: *Vorbis I specification*, §4.3.9.
const PLANES: [&[usize]; 9] = [
    &[],
    &[0],
    &[0, 1],
    &[0, 2, 1],
    &[0, 1, 2, 3],
    &[0, 2, 1, 3, 4],
    &[0, 2, 1, 4, 5, 3],
    &[0, 2, 1, 4, 5, 6, 3],
    &[0, 2, 1, 6, 7, 4, 5, 3],
];

/// A decoder of one stream.
pub(super) struct Decoder {
    setup: Setup,
    /// Bits of the number of a mode.
    mode_bits: u32,
    /// Of short blocks and of long ones.
    kinds: [BlockKind; 2],
    channels: Channels,
    scratch: Scratch,
    /// Whether the block before is long; none before the first.
    before: Option<bool>,
    planes: Vec<Vec<f32>>,
}

/// Blocks of one size.
struct BlockKind {
    /// Values of a spectrum, half as many as the block has frames.
    length: usize,
    transform: Transform,
    slope: Slope,
}

/// What is kept of each channel.
struct Channels {
    curves: Vec<Curve>,
    is_used: Vec<bool>,
    is_coded: Vec<bool>,
    spectra: Vec<Vec<f32>>,
    /// The third quarter of the block before.
    falling: Vec<Vec<f32>>,
    /// The first and third quarter of a block of one channel.
    quarters: [Vec<f32>; 2],
}

impl BlockKind {
    fn new(exponent: u8) -> Option<Self> {
        let block = 1_usize.checked_shl(exponent.into())?;
        Some(Self { length: block / 2, transform: Transform::new(block), slope: Slope::new(block) })
    }
}

impl Decoder {
    /// Makes a decoder of a stream of at most eight channels with short and long blocks of these powers of two.
    ///
    /// # Errors
    /// If the setup header makes no sense.
    pub(super) fn new(channels: u16, exponents: [u8; 2], setup: &[u8]) -> Result<Self, &'static str> {
        let [short, long] = exponents;
        let sizes = "Vorbis blocks of impossible sizes";
        if short > long || exponents.iter().any(|exponent| !EXPONENTS.contains(exponent)) {
            return Err(sizes);
        }
        let kinds = [BlockKind::new(short).ok_or(sizes)?, BlockKind::new(long).ok_or(sizes)?];
        let channels = usize::from(channels);
        let lengths = kinds.each_ref().map(|kind| kind.length);
        let setup = Setup::read(setup, channels, lengths)?;
        let [_, longest] = lengths;
        Ok(Self {
            mode_bits: usize::BITS.wrapping_sub(setup.modes.len().saturating_sub(1).leading_zeros()),
            setup,
            kinds,
            channels: Channels {
                curves: vec![Curve::default(); channels],
                is_used: Vec::new(),
                is_coded: Vec::new(),
                spectra: vec![vec![0.0; longest]; channels],
                falling: vec![vec![0.0; longest / 2]; channels],
                quarters: [vec![0.0; longest / 2], vec![0.0; longest / 2]],
            },
            scratch: Scratch::default(),
            before: None,
            planes: vec![Vec::new(); channels],
        })
    }

    /// Returns the frames that a packet completes, full scale −1..=1, as planes in the order of the bits of a speaker
    /// mask. The first packet completes none; one that is not of audio is ignored.
    ///
    /// # Errors
    /// If the packet is of a mode that there is not.
    pub(super) fn decode(&mut self, packet: &[u8]) -> Result<&[Vec<f32>], &'static str> {
        self.planes.iter_mut().for_each(Vec::clear);
        let mut bits = LsbBitReader::new(packet);
        let mode = (bits.flag() == Some(false)).then(|| bits.size(self.mode_bits)).flatten();
        let Some(mode) = mode else { return Ok(&self.planes) };
        let mode = *self.setup.modes.get(mode).ok_or("a Vorbis packet of an unknown mode")?;
        // Which blocks come before and after a long one is seen from those.
        if mode.is_long && bits.read(2).is_none() {
            return Ok(&self.planes);
        }
        self.read_spectra(&mut bits, mode);
        self.synthesize(mode.is_long, mode.mapping);
        self.before = Some(mode.is_long);
        Ok(&self.planes)
    }

    /// Reads the floors of all channels, and their spectra without floors.
    fn read_spectra(&mut self, bits: &mut LsbBitReader<'_>, mode: setup::Mode) {
        let Self { setup, channels, kinds: [short, long], scratch, .. } = self;
        let length = if mode.is_long { long.length } else { short.length };
        let Some(mapping) = setup.mappings.get(mode.mapping) else { return };
        channels.is_used.clear();
        for (floor, curve) in mapping.floors.iter().zip(&mut channels.curves) {
            let floor = setup.floors.get(*floor);
            let used = floor.and_then(|floor| floor.decode(bits, &setup.books, curve));
            channels.is_used.push(used.is_some());
        }
        mapping.mark_coded(&channels.is_used, &mut channels.is_coded);
        for spectrum in &mut channels.spectra {
            spectrum.iter_mut().take(length).for_each(|value| *value = 0.0);
        }
        for submap in &mapping.submaps {
            if let Some(residue) = setup.residues.get(submap.residue) {
                let of_submap = (&*submap.channels, &*channels.is_coded);
                residue.decode(bits, &setup.books, of_submap, (&mut channels.spectra, length), scratch);
            }
        }
        mapping.uncouple(&mut channels.spectra, &channels.is_coded, length);
    }

    /// Makes frames of the spectra.
    fn synthesize(&mut self, is_long: bool, mapping: usize) {
        let Self { setup, channels, kinds: [short, long], before, planes, .. } = self;
        let Channels { curves, is_used, spectra, falling, quarters: [rising, fallen], .. } = channels;
        let Some(mapping) = setup.mappings.get(mapping) else { return };
        let frames = before.map(|was_long| {
            let half = |is_long| if is_long { long.length / 2 } else { short.length / 2 };
            (half(was_long), half(is_long))
        });
        let places = PLANES.get(planes.len()).copied().unwrap_or_default();
        for (channel, (spectrum, kept)) in spectra.iter_mut().zip(falling).enumerate() {
            let kind = if is_long { &mut *long } else { &mut *short };
            let half = kind.length / 2;
            let Some(spectrum) = spectrum.get_mut(..kind.length) else { continue };
            let (Some(rising), Some(now)) = (rising.get_mut(..half), fallen.get_mut(..half)) else {
                continue;
            };
            let floor = mapping.floors.get(channel).and_then(|floor| setup.floors.get(*floor));
            match (floor, curves.get(channel)) {
                (Some(floor), Some(curve)) if is_used.get(channel) == Some(&true) => {
                    floor.multiply(curve, is_long, spectrum);
                    kind.transform.run(spectrum, rising, now);
                }
                _ => {
                    rising.fill(0.0);
                    now.fill(0.0);
                }
            }
            let plane = planes.get_mut(places.get(channel).copied().unwrap_or(channel));
            if let (Some((of_before, of_now)), Some(plane)) = (frames, plane) {
                plane.resize(of_before.saturating_add(of_now), 0.0);
                let slope = if of_before.min(of_now) < long.length / 2 { &short.slope } else { &long.slope };
                slope.join(plane, kept.get(..of_before).unwrap_or_default(), rising);
            }
            std::mem::swap(kept, fallen);
        }
    }
}
