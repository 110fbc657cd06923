//! Residues: the fine structure of spectra, as sums of vectors.
//!
//! ```text
//! spectrum    │ partition │ partition │ partition │ …
//! class           2           0           1          one codeword gives the classes of several partitions
//! pass 0..8   + vectors                + vectors     of the book that the class has in the pass
//! ```
//!
//! Source: Xiph.Org, *Vorbis I specification*, §8.

use super::super::bits::LsbBitReader;
use super::codebook::Codebook;

/// How vectors lie in a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Each value of a vector in another part of it (type 0).
    Spread,
    /// Vector after vector (type 1).
    Joined,
    /// The same in all channels interleaved (type 2).
    Interleaved,
}

/// A residue of a setup header.
#[derive(Debug)]
pub(super) struct Residue {
    layout: Layout,
    begin: usize,
    end: usize,
    /// Values of a partition.
    partition: usize,
    /// The book whose codewords give classes.
    class_book: usize,
    /// By class: the book of each pass.
    classes: Vec<[Option<usize>; 8]>,
    /// Passes in which any class has a book.
    passes: usize,
}

/// Memory that is kept from block to block.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Classes of the partitions, channel after channel.
    classes: Vec<u8>,
    /// The spectra of all channels interleaved.
    interleaved: Vec<f32>,
    /// Channels of a submap that are decoded.
    channels: Vec<usize>,
}

impl Residue {
    /// Reads a residue; none if it ends early or names books that are not there, or have no vectors.
    pub(super) fn read(bits: &mut LsbBitReader<'_>, books: &[Codebook]) -> Option<Self> {
        let layout = match bits.read(16)? {
            0 => Layout::Spread,
            1 => Layout::Joined,
            2 => Layout::Interleaved,
            _ => return None,
        };
        let (begin, end) = (bits.size(24)?, bits.size(24)?);
        let partition = bits.size(24)?.wrapping_add(1);
        let count = bits.size(6)?.wrapping_add(1);
        let class_book = bits.size(8).filter(|book| *book < books.len())?;
        let cascade = |bits: &mut LsbBitReader<'_>| {
            let low = bits.read(3)?;
            let high = if bits.flag()? { bits.read(5)? } else { 0 };
            Some(high << 3 | low)
        };
        let cascades: Vec<u64> = (0..count).map(|_| cascade(bits)).collect::<Option<_>>()?;
        let mut classes = Vec::new();
        for cascade in &cascades {
            let mut of_passes = [None; 8];
            for (pass, book) in of_passes.iter_mut().enumerate() {
                if cascade >> pass & 1 == 1 {
                    let has_vectors = |number: &usize| books.get(*number).is_some_and(Codebook::has_vectors);
                    *book = Some(bits.size(8).filter(has_vectors)?);
                }
            }
            classes.push(of_passes);
        }
        let highest = cascades.iter().fold(0, |all, cascade| all | cascade);
        let passes = usize::try_from(u64::BITS.wrapping_sub(highest.leading_zeros())).ok()?;
        Some(Self { layout, begin, end, partition, class_book, classes, passes })
    }

    /// Decodes the spectra of the channels of a submap, `is_coded` those that are not left out. They are all zero
    /// before, and stay so where the packet ends early.
    pub(super) fn decode(
        &self,
        bits: &mut LsbBitReader<'_>,
        books: &[Codebook],
        (channels, is_coded): (&[usize], &[bool]),
        (spectra, length): (&mut [Vec<f32>], usize),
        scratch: &mut Scratch,
    ) {
        let Scratch { classes, interleaved, channels: coded } = scratch;
        let is_one = |channel: &&usize| is_coded.get(**channel).copied().unwrap_or_default();
        coded.clear();
        coded.extend(channels.iter().filter(is_one));
        if coded.is_empty() {
            return;
        }
        if self.layout != Layout::Interleaved || channels.len() == 1 {
            // Passes that the packet is too short for are missing.
            let _ = self.passes(bits, books, classes, coded, spectra, length);
            return;
        }
        let all = length.saturating_mul(channels.len());
        interleaved.clear();
        interleaved.resize(all, 0.0);
        let _ = self.passes(bits, books, classes, &[0], std::slice::from_mut(interleaved), all);
        for (place, channel) in channels.iter().enumerate() {
            let Some(spectrum) = spectra.get_mut(*channel).and_then(|all| all.get_mut(..length)) else {
                continue;
            };
            match (channels.len(), place) {
                (2, 0) => copy(spectrum, interleaved.as_chunks::<2>().0, |[left, _]| left),
                (2, _) => copy(spectrum, interleaved.as_chunks::<2>().0, |[_, right]| right),
                _ => {
                    let values = interleaved.chunks_exact(channels.len());
                    let values = values.filter_map(|frame| frame.get(place).copied());
                    spectrum.iter_mut().zip(values).for_each(|(value, coded)| *value = coded);
                }
            }
        }
    }

    /// Adds the vectors of all passes to spectra of a length; none if the packet ends before.
    fn passes(
        &self,
        bits: &mut LsbBitReader<'_>,
        books: &[Codebook],
        classes: &mut Vec<u8>,
        channels: &[usize],
        spectra: &mut [Vec<f32>],
        length: usize,
    ) -> Option<()> {
        let (begin, end) = (self.begin.min(length), self.end.min(length));
        let count = end.saturating_sub(begin).checked_div(self.partition)?;
        let class_book = books.get(self.class_book)?;
        let together = class_book.dimensions;
        // Codewords may give classes past the last partition.
        classes.clear();
        classes.resize(count.saturating_mul(channels.len()), 0);
        for pass in 0..self.passes {
            let mut first = 0;
            while first < count {
                let after = first.saturating_add(together).min(count);
                if pass == 0 {
                    for of_channel in classes.chunks_exact_mut(count) {
                        let codeword = class_book.entry(bits)?;
                        self.classify(codeword, together, of_channel.get_mut(first..)?);
                    }
                }
                for partition in first..after {
                    let start = begin.wrapping_add(partition.wrapping_mul(self.partition));
                    for (of_channel, channel) in classes.chunks_exact(count).zip(channels) {
                        let class = usize::from(*of_channel.get(partition)?);
                        let Some(book) = self.classes.get(class)?.get(pass)? else { continue };
                        let book = books.get(*book)?;
                        let values =
                            spectra.get_mut(*channel)?.get_mut(start..)?.get_mut(..self.partition)?;
                        match self.layout {
                            Layout::Spread => add_spread(values, book, bits)?,
                            _ => add_joined(values, book, bits)?,
                        }
                    }
                }
                first = after;
            }
        }
        Some(())
    }

    /// Takes a codeword apart into the classes of partitions, the last one lowest.
    fn classify(&self, codeword: usize, together: usize, classes: &mut [u8]) {
        let count = self.classes.len();
        let mut rest = codeword;
        let there = together.min(classes.len());
        for _ in there..together {
            if rest == 0 {
                break;
            }
            rest = rest.checked_div(count).unwrap_or_default();
        }
        for class in classes.iter_mut().take(there).rev() {
            *class = u8::try_from(rest.checked_rem(count).unwrap_or_default()).unwrap_or_default();
            rest = rest.checked_div(count).unwrap_or_default();
        }
    }
}

fn copy(spectrum: &mut [f32], frames: &[[f32; 2]], side: fn(&[f32; 2]) -> &f32) {
    for (value, frame) in spectrum.iter_mut().zip(frames) {
        *value = *side(frame);
    }
}

/// Adds vectors one after another.
fn add_joined(values: &mut [f32], book: &Codebook, bits: &mut LsbBitReader<'_>) -> Option<()> {
    match book.dimensions {
        1 => add_arrays::<1>(values, book, bits),
        2 => add_arrays::<2>(values, book, bits),
        4 => add_arrays::<4>(values, book, bits),
        8 => add_arrays::<8>(values, book, bits),
        dimensions => values.chunks_mut(dimensions).try_for_each(|values| add(values, book.vector(bits)?)),
    }
}

/// Adds vectors of `N` values one after another.
fn add_arrays<const N: usize>(
    values: &mut [f32],
    book: &Codebook,
    bits: &mut LsbBitReader<'_>,
) -> Option<()> {
    let (arrays, last) = values.as_chunks_mut::<N>();
    // A copy can live in registers.
    let mut reader = *bits;
    let done = arrays.iter_mut().try_for_each(|values| add(values, book.array::<N>(&mut reader)?));
    *bits = reader;
    if last.is_empty() { done } else { add(last, book.vector(bits)?) }
}

#[inline]
fn add(values: &mut [f32], vector: &[f32]) -> Option<()> {
    for (value, coded) in values.iter_mut().zip(vector) {
        *value += coded;
    }
    Some(())
}

/// Adds vectors whose values each lie in another part of the partition.
fn add_spread(values: &mut [f32], book: &Codebook, bits: &mut LsbBitReader<'_>) -> Option<()> {
    let step = values.len().checked_div(book.dimensions).filter(|step| *step > 0)?;
    for place in 0..step {
        let vector = book.vector(bits)?;
        for (part, coded) in values.chunks_exact_mut(step).zip(vector) {
            if let Some(value) = part.get_mut(place) {
                *value += coded;
            }
        }
    }
    Some(())
}
