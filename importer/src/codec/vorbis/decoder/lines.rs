//! Floors of type 1: straight lines between points.
//!
//! ```text
//! dB │   ●                      ● points, each stored as its distance from the line
//!    │  ╱ ╲___●                   between its neighbours among the earlier ones
//!    │ ╱       ╲____●───
//!    ●──────────────────► frequency
//! ```
//!
//! Source: Xiph.Org, *Vorbis I specification*, §7, §9.2 and §10.1.

use super::super::bits::LsbBitReader;
use super::codebook::Codebook;
use super::floor::Curve;

/// A floor of straight lines (type 1).
#[derive(Debug)]
pub(super) struct Lines {
    /// Class of each partition of points.
    partitions: Vec<usize>,
    classes: Vec<Class>,
    /// What heights count, in steps of the table.
    multiplier: i32,
    /// Positions of the points: 0, the end, and those of the partitions.
    points: Vec<i32>,
    /// For the points from the third on: the neighbours among the earlier ones.
    neighbours: Vec<[usize; 2]>,
    /// The points by position.
    order: Vec<usize>,
}

#[derive(Debug)]
struct Class {
    dimensions: usize,
    /// Bits of a codeword of the master book that choose the book of one point.
    subclass_bits: u32,
    master: usize,
    books: Vec<Option<usize>>,
}

impl Lines {
    /// Reads the floor; none if it ends early or names books that are not there.
    pub(super) fn read(bits: &mut LsbBitReader<'_>, books: usize) -> Option<Self> {
        let book = |number: usize| (number < books).then_some(number);
        let count = bits.read(5)?;
        let partitions: Vec<usize> = (0..count).map(|_| bits.size(4)).collect::<Option<_>>()?;
        let mut classes = Vec::new();
        for _ in 0..partitions.iter().max().map_or(0, |highest| highest.saturating_add(1)) {
            let dimensions = bits.size(3)?.wrapping_add(1);
            let subclass_bits = u32::try_from(bits.read(2)?).ok()?;
            let master = if subclass_bits > 0 { book(bits.size(8)?)? } else { 0 };
            let subclasses = 1_u32.checked_shl(subclass_bits)?;
            let books = (0..subclasses).map(|_| match bits.size(8)?.checked_sub(1) {
                Some(number) => book(number).map(Some),
                None => Some(None),
            });
            classes.push(Class { dimensions, subclass_bits, master, books: books.collect::<Option<_>>()? });
        }
        let multiplier = i32::try_from(bits.read(2)?).ok()?.wrapping_add(1);
        let width = u32::try_from(bits.read(4)?).ok()?;
        let mut points = vec![0, 1_i32.checked_shl(width)?];
        for class in &partitions {
            for _ in 0..classes.get(*class)?.dimensions {
                points.push(i32::try_from(bits.read(width)?).ok()?);
            }
        }
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by_key(|point| points.get(*point));
        let mut neighbours = Vec::new();
        for (number, x) in points.iter().enumerate().skip(2) {
            let earlier = || points.iter().enumerate().take(number);
            let low = earlier().filter(|(_, other)| *other < x).max_by_key(|(_, other)| **other)?;
            let high = earlier().filter(|(_, other)| *other > x).min_by_key(|(_, other)| **other)?;
            // Each position comes once.
            if earlier().any(|(_, other)| other == x) {
                return None;
            }
            neighbours.push([low.0, high.0]);
        }
        Some(Self { partitions, classes, multiplier, points, neighbours, order })
    }

    pub(super) fn decode(
        &self,
        bits: &mut LsbBitReader<'_>,
        books: &[Codebook],
        curve: &mut Curve,
    ) -> Option<()> {
        if !bits.flag()? {
            return None;
        }
        let (range, width) = match self.multiplier {
            1 => (256, 8),
            2 => (128, 7),
            3 => (86, 7),
            _ => (64, 6),
        };
        let heights = &mut curve.heights;
        heights.clear();
        for _ in 0..2 {
            heights.push(i32::try_from(bits.read(width)?).ok()?);
        }
        for class in &self.partitions {
            let class = self.classes.get(*class)?;
            let master = books.get(class.master).filter(|_| class.subclass_bits > 0);
            let mut choice = master.map_or(Some(0), |master| master.entry(bits))?;
            for _ in 0..class.dimensions {
                let subclass = choice & class.books.len().wrapping_sub(1);
                choice = choice.wrapping_shr(class.subclass_bits);
                heights.push(match *class.books.get(subclass)? {
                    Some(book) => i32::try_from(books.get(book)?.entry(bits)?).ok()?,
                    None => 0,
                });
            }
        }
        self.predict(range, curve)
    }

    /// Turns distances from predictions into heights.
    fn predict(&self, range: i32, curve: &mut Curve) -> Option<()> {
        let Curve { heights, is_drawn, .. } = curve;
        is_drawn.clear();
        is_drawn.resize(heights.len(), true);
        for height in heights.iter_mut().take(2) {
            *height = (*height).min(range.wrapping_sub(1));
        }
        for (number, &[low, high]) in (2..).zip(&self.neighbours) {
            let (start, end) = (*self.points.get(low)?, *self.points.get(high)?);
            let (from, to) = (*heights.get(low)?, *heights.get(high)?);
            let offset = self.points.get(number)?.wrapping_sub(start);
            let step = to.wrapping_sub(from).wrapping_mul(offset).checked_div(end.wrapping_sub(start))?;
            let predicted = from.wrapping_add(step);
            let height = heights.get_mut(number)?;
            let distance = *height;
            *height = predicted;
            if distance == 0 {
                *is_drawn.get_mut(number)? = false;
                continue;
            }
            *is_drawn.get_mut(low)? = true;
            *is_drawn.get_mut(high)? = true;
            *height = unwrapped(predicted, distance, range).clamp(0, range.wrapping_sub(1));
        }
        Some(())
    }

    pub(super) fn multiply(&self, curve: &Curve, spectrum: &mut [f32]) {
        let point = |number: &usize| {
            let is_drawn = curve.is_drawn.get(*number).copied().unwrap_or_default();
            let height = curve.heights.get(*number).filter(|_| is_drawn)?;
            Some((*self.points.get(*number)?, height.wrapping_mul(self.multiplier)))
        };
        let mut points = self.order.iter().filter_map(point);
        let (mut x, mut y) = points.next().unwrap_or_default();
        let mut rest = spectrum;
        for (next, height) in points {
            let width = next.wrapping_sub(x);
            let length = usize::try_from(width).unwrap_or_default().min(rest.len());
            let (segment, after) = rest.split_at_mut(length);
            multiply_by_line(segment, y, height, width);
            (x, y, rest) = (next, height, after);
        }
        multiply_by_line(rest, y, y, 1);
    }
}

/// Returns the height that a distance, as it is coded, means: above and below the prediction by turns, and beyond the
/// nearer end of the range on the other side only.
fn unwrapped(predicted: i32, distance: i32, range: i32) -> i32 {
    let (above, below) = (range.wrapping_sub(predicted), predicted);
    if distance >= above.min(below).wrapping_mul(2) {
        if above > below {
            distance.wrapping_sub(below).wrapping_add(predicted)
        } else {
            predicted.wrapping_sub(distance).wrapping_add(above).wrapping_sub(1)
        }
    } else if distance % 2 == 1 {
        predicted.wrapping_sub(distance.wrapping_add(1) / 2)
    } else {
        predicted.wrapping_add(distance / 2)
    }
}

/// Multiplies values by a line that begins at one height and would reach another after `width` values.
///
/// The specification draws with a remainder that carries; its height after n values is the first one, plus or minus
/// n · |difference| / width rounded down. A fraction of 40 bits rounded up gives the same: n is below 2¹³, so the
/// surplus stays below 2⁻²⁷, and the nearest that a quotient comes to the next whole number is 2⁻¹⁵.
pub(super) fn multiply_by_line(values: &mut [f32], from: i32, to: i32, width: i32) {
    const ONE: i64 = 1 << 40;
    let difference = i64::from(to.wrapping_sub(from));
    let width = i64::from(width);
    let scaled = difference.unsigned_abs().wrapping_mul(ONE.unsigned_abs());
    let slope = scaled.checked_div(width.unsigned_abs()).unwrap_or_default();
    let rounded_up = i64::try_from(slope).unwrap_or_default().wrapping_add(1);
    let mut height = i64::from(from).wrapping_mul(ONE);
    let gain = |height: i64| {
        let [_, _, _, _, _, whole, ..] = height.to_le_bytes();
        INVERSE_DB.get(usize::from(whole)).copied().unwrap_or_default()
    };
    if difference == 0 {
        let gain = gain(height);
        values.iter_mut().for_each(|value| *value *= gain);
        return;
    }
    let step = if difference > 0 { rounded_up } else { rounded_up.wrapping_neg() };
    if difference < 0 {
        height = height.wrapping_add(ONE.wrapping_sub(1));
    }
    for value in values {
        *value *= gain(height);
        height = height.wrapping_add(step);
    }
}

/// Gain of each height, 140 dB in 256 steps.
///
/// Source: *Vorbis I specification*, §10.1.
#[expect(clippy::unreadable_literal, reason = "digits of a table")]
#[rustfmt::skip]
static INVERSE_DB: [f32; 256] = [
    1.0649863e-7, 1.1341951e-7, 1.2079015e-7, 1.2863978e-7, 1.369995e-7, 1.459025e-7, 1.5538409e-7,
    1.6548181e-7, 1.7623574e-7, 1.8768856e-7, 1.998856e-7, 2.128753e-7, 2.2670913e-7, 2.4144197e-7,
    2.5713223e-7, 2.7384212e-7, 2.9163792e-7, 3.1059022e-7, 3.307741e-7, 3.5226967e-7, 3.7516213e-7,
    3.995423e-7, 4.255068e-7, 4.5315863e-7, 4.8260745e-7, 5.1397e-7, 5.4737063e-7, 5.829419e-7, 6.208247e-7,
    6.611694e-7, 7.041359e-7, 7.4989464e-7, 7.98627e-7, 8.505263e-7, 9.057983e-7, 9.646621e-7, 1.0273513e-6,
    1.0941144e-6, 1.1652161e-6, 1.2409384e-6, 1.3215816e-6, 1.4074654e-6, 1.4989305e-6, 1.5963394e-6,
    1.7000785e-6, 1.8105592e-6, 1.9282195e-6, 2.053526e-6, 2.1869757e-6, 2.3290977e-6, 2.4804558e-6,
    2.6416496e-6, 2.813319e-6, 2.9961443e-6, 3.1908505e-6, 3.39821e-6, 3.619045e-6, 3.8542307e-6,
    4.1047006e-6, 4.371447e-6, 4.6555283e-6, 4.958071e-6, 5.280274e-6, 5.623416e-6, 5.988857e-6,
    6.3780467e-6, 6.7925284e-6, 7.2339453e-6, 7.704048e-6, 8.2047e-6, 8.737888e-6, 9.305725e-6, 9.910464e-6,
    1.0554501e-5, 1.1240392e-5, 1.1970856e-5, 1.2748789e-5, 1.3577278e-5, 1.4459606e-5, 1.5399271e-5,
    1.6400005e-5, 1.7465769e-5, 1.8600793e-5, 1.9809577e-5, 2.1096914e-5, 2.2467912e-5, 2.3928002e-5,
    2.5482977e-5, 2.7139005e-5, 2.890265e-5, 3.078091e-5, 3.2781227e-5, 3.4911533e-5, 3.718028e-5,
    3.9596467e-5, 4.2169668e-5, 4.491009e-5, 4.7828602e-5, 5.0936775e-5, 5.424693e-5, 5.7772202e-5,
    6.152657e-5, 6.552491e-5, 6.9783084e-5, 7.4317984e-5, 7.914758e-5, 8.429104e-5, 8.976875e-5,
    9.560242e-5, 0.00010181521, 0.00010843174, 0.00011547824, 0.00012298267, 0.00013097477, 0.00013948625,
    0.00014855085, 0.00015820454, 0.00016848555, 0.00017943469, 0.00019109536, 0.00020351382, 0.0002167393,
    0.00023082423, 0.00024582449, 0.00026179955, 0.00027881275, 0.00029693157, 0.00031622787, 0.00033677815,
    0.00035866388, 0.00038197188, 0.00040679457, 0.00043323037, 0.0004613841, 0.0004913675, 0.00052329927,
    0.0005573062, 0.0005935231, 0.0006320936, 0.0006731706, 0.000716917, 0.0007635063, 0.00081312325,
    0.00086596457, 0.00092223985, 0.0009821722, 0.0010459992, 0.0011139743, 0.0011863665, 0.0012634633,
    0.0013455702, 0.0014330129, 0.0015261382, 0.0016253153, 0.0017309374, 0.0018434235, 0.0019632196,
    0.0020908006, 0.0022266726, 0.0023713743, 0.0025254795, 0.0026895993, 0.0028643848, 0.0030505287,
    0.003248769, 0.0034598925, 0.0036847359, 0.0039241905, 0.0041792067, 0.004450795, 0.004740033,
    0.005048067, 0.0053761187, 0.005725489, 0.0060975635, 0.0064938175, 0.0069158226, 0.0073652514,
    0.007843887, 0.008353627, 0.008896492, 0.009474637, 0.010090352, 0.01074608, 0.011444421, 0.012188144,
    0.012980198, 0.013823725, 0.014722068, 0.015678791, 0.016697686, 0.017782796, 0.018938422, 0.020169148,
    0.021479854, 0.022875736, 0.02436233, 0.025945531, 0.027631618, 0.029427277, 0.031339627, 0.03337625,
    0.035545226, 0.037855156, 0.0403152, 0.042935107, 0.045725275, 0.048696756, 0.05186135, 0.05523159,
    0.05882085, 0.062643364, 0.06671428, 0.07104975, 0.075666964, 0.08058423, 0.08582105, 0.09139818,
    0.097337745, 0.1036633, 0.11039993, 0.11757434, 0.12521498, 0.13335215, 0.14201812, 0.15124726,
    0.16107617, 0.1715438, 0.18269168, 0.19456401, 0.20720787, 0.22067343, 0.23501402, 0.25028655,
    0.26655158, 0.28387362, 0.3023213, 0.32196787, 0.34289113, 0.36517414, 0.3889052, 0.41417846,
    0.44109413, 0.4697589, 0.50028646, 0.53279793, 0.5674221, 0.6042964, 0.64356697, 0.6853896, 0.72993004,
    0.777365, 0.8278826, 0.88168305, 0.9389798, 1.0,
];
