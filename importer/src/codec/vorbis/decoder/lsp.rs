//! Floors of type 0: the response of a filter given by its line spectral pairs, on a Bark scale. Encoders wrote them
//! before the first release of libvorbis.
//!
//! ```text
//! amplitude │ coefficient, coefficient, …        dB = offset · (amplitude / √(p + q) − 1)
//! ```
//!
//! Source: Xiph.Org, *Vorbis I specification*, §6.

use super::super::bits::LsbBitReader;
use super::codebook::{Codebook, narrow};
use super::floor::Curve;

/// A floor of line spectral pairs.
#[derive(Debug)]
pub(super) struct Lsp {
    /// Coefficients of the filter.
    order: usize,
    amplitude_bits: u32,
    /// dB of the largest amplitude above the lowest.
    offset: f32,
    books: Vec<usize>,
    /// For short and long blocks: the cosine of the angle of each value on the Bark scale.
    cosines: [Vec<f32>; 2],
}

impl Lsp {
    /// Reads the floor for spectra of two lengths; none if it ends early or makes no sense.
    pub(super) fn read(bits: &mut LsbBitReader<'_>, books: &[Codebook], lengths: [usize; 2]) -> Option<Self> {
        let order = bits.size(8).filter(|order| *order > 0)?;
        let rate = u16::try_from(bits.read(16)?).ok().filter(|rate| *rate > 0)?;
        let size = u16::try_from(bits.read(16)?).ok().filter(|size| *size > 0)?;
        let amplitude_bits = u32::try_from(bits.read(6)?).ok().filter(|bits| *bits <= 32)?;
        let offset = f32::from(u8::try_from(bits.read(8)?).ok()?);
        let count = bits.read(4)?.wrapping_add(1);
        let has_vectors = |number: &usize| books.get(*number).is_some_and(Codebook::has_vectors);
        let books = (0..count).map(|_| bits.size(8).filter(has_vectors)).collect::<Option<_>>()?;
        let cosines = lengths.map(|length| cosines(rate.into(), size.into(), length));
        Some(Self { order, amplitude_bits, offset, books, cosines })
    }

    /// Decodes the floor of a channel; none if the channel is unused in this block.
    pub(super) fn decode(
        &self,
        bits: &mut LsbBitReader<'_>,
        books: &[Codebook],
        curve: &mut Curve,
    ) -> Option<()> {
        let amplitude =
            u32::try_from(bits.read(self.amplitude_bits)?).ok().filter(|amplitude| *amplitude > 0)?;
        let width = usize::BITS.wrapping_sub(self.books.len().leading_zeros());
        let book = books.get(*self.books.get(bits.size(width)?)?)?;
        let largest = 2.0_f64.powi(i32::try_from(self.amplitude_bits).ok()?) - 1.0;
        curve.amplitude = narrow(f64::from(amplitude) / largest);
        curve.coefficients.clear();
        let mut last = 0.0;
        while curve.coefficients.len() < self.order {
            curve.coefficients.extend(book.vector(bits)?.iter().map(|value| value + last));
            last = curve.coefficients.last().copied()?;
        }
        curve.coefficients.truncate(self.order);
        curve.coefficients.iter_mut().for_each(|value| *value = 2.0 * value.cos());
        Some(())
    }

    /// Multiplies a spectrum by the response of the filter.
    pub(super) fn multiply(&self, curve: &Curve, is_long: bool, spectrum: &mut [f32]) {
        let [short, long] = &self.cosines;
        let (mut at, mut gain) = (f32::NAN, 0.0);
        for (value, &cosine) in spectrum.iter_mut().zip(if is_long { long } else { short }) {
            // Many values share an angle.
            if cosine != at {
                (at, gain) = (cosine, self.gain(curve, cosine));
            }
            *value *= gain;
        }
    }

    fn gain(&self, curve: &Curve, cosine: f32) -> f32 {
        // 4 (cos c − cos ω)², as the square of twice the difference.
        let factor = |coefficient: &f32| (coefficient - 2.0 * cosine) * (coefficient - 2.0 * cosine);
        let even: f32 = curve.coefficients.iter().step_by(2).map(factor).product();
        let odd: f32 = curve.coefficients.iter().skip(1).step_by(2).map(factor).product();
        let (p, q) = if self.order % 2 == 1 {
            (odd * (1.0 - cosine * cosine), even * 0.25)
        } else {
            (odd * (1.0 - cosine) / 2.0, even * (1.0 + cosine) / 2.0)
        };
        let decibels = self.offset * (curve.amplitude / (p + q).sqrt() - 1.0);
        (decibels * std::f32::consts::LN_10 / 20.0).exp()
    }
}

/// Returns the cosine of the angle of each value of a spectrum.
fn cosines(rate: f64, size: f64, length: usize) -> Vec<f32> {
    // Editions of the specification differ in where the second arctangent ends; libvorbis has it end here.
    let bark = |hz: f64| 13.1 * (7.4e-4 * hz).atan() + 2.24 * (1.85e-8 * hz * hz).atan() + 1e-4 * hz;
    let step = rate / 2.0 / f64::from(u32::try_from(length).unwrap_or(u32::MAX));
    let values = std::iter::successors(Some(0.0), |at| Some(at + 1.0)).take(length);
    let place = |at: f64| (bark(step * at) * size / bark(rate / 2.0)).floor().min(size - 1.0);
    values.map(|at| narrow((std::f64::consts::PI * place(at) / size).cos())).collect()
}
