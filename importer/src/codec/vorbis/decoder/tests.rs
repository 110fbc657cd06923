use std::f64::consts::PI;

use super::codebook::{Codebook, Taken};
use super::floor::Curve;
use super::lines::{self, Lines};
use super::lsp::Lsp;
use super::mapping::Mapping;
use super::overlap::Slope;
use super::residue::{Residue, Scratch};
use super::transform::Transform;
use super::*;
use crate::codec::vorbis::fmod::SETUPS;

/// Bits into bytes, the low one first.
#[derive(Clone, Default)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    fn add(mut self, number: u64, width: usize) -> Self {
        for bit in 0..width {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= u8::from(number >> bit & 1 == 1) << (self.count % 8);
            self.count += 1;
        }
        self
    }

    fn all(self, fields: impl IntoIterator<Item = (u64, usize)>) -> Self {
        fields.into_iter().fold(self, |bits, (number, width)| bits.add(number, width))
    }

    /// Adds a book of codes of these lengths.
    fn book(self, dimensions: u64, lengths: &[u8]) -> Self {
        let head = [(0x56_4342, 24), (dimensions, 16), (lengths.len() as u64, 24), (0, 1), (1, 1)];
        self.all(head).all(lengths.iter().flat_map(|length| match length {
            0 => [(0, 1), (0, 0)],
            _ => [(1, 1), (u64::from(length - 1), 5)],
        }))
    }

    /// Adds vectors whose values are those numbers.
    fn vectors(self, numbers: &[u64]) -> Self {
        // A least value of 0, a step of 1: the mantissa 1 and an exponent of 0.
        let head = [(2, 4), (788 << 21, 32), (1 | 788 << 21, 32), (7, 4), (0, 1)];
        self.all(head).all(numbers.iter().map(|number| (*number, 8)))
    }
}

/// Returns numbers that look like chance.
fn noise(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}

fn read_book(bits: &Bits) -> Result<Codebook, &'static str> {
    Codebook::read(&mut LsbBitReader::new(&bits.bytes), &mut Taken::default())
}

/// Returns codes as the specification gives them: each entry takes the lowest one that begins no other and that no
/// other begins.
fn codes(lengths: &[u8]) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    for &length in lengths {
        let length = usize::from(length);
        let all = (0..1_u32 << length).map(|code| format!("{code:0length$b}"));
        let is_free = |code: &String| {
            codes
                .iter()
                .all(|other| other.is_empty() || !(code.starts_with(other) || other.starts_with(code)))
        };
        codes.push(if length == 0 { String::new() } else { all.into_iter().find(is_free).unwrap() });
    }
    codes
}

#[test]
fn entries_are_those_found_bit_by_bit() {
    let mut random = noise(1);
    // The example of the specification, and trees grown at random, to both sides of the longest code in the table.
    let mut trees = vec![vec![2, 4, 4, 4, 4, 2, 3, 3]];
    for leaves in [2, 3, 30, 60] {
        let mut tree = vec![1, 1];
        while tree.len() < leaves {
            let at = if random().is_multiple_of(3) { random() as usize % tree.len() } else { 0 };
            if tree[at] < 12 {
                tree[at] += 1;
                tree.insert(at, tree[at]);
            } else {
                tree.rotate_left(1);
            }
        }
        tree.insert(1, 0);
        trees.push(tree);
    }
    for tree in trees {
        let codes = codes(&tree);
        let book = read_book(&Bits::default().book(1, &tree).add(0, 4)).unwrap();
        let used: Vec<usize> = (0..tree.len()).filter(|entry| tree[*entry] > 0).collect();
        let entries: Vec<usize> = (0..300).map(|_| used[random() as usize % used.len()]).collect();
        let text: String = entries.iter().map(|entry| &*codes[*entry]).collect();
        let packet = Bits::default().all(text.bytes().map(|bit| (u64::from(bit - b'0'), 1)));
        let mut bits = LsbBitReader::new(&packet.bytes);
        let found: Vec<_> = entries.iter().map_while(|_| book.entry(&mut bits)).collect();
        assert_eq!(found, entries, "{tree:?}");
    }
}

#[test]
fn codes_that_fill_no_tree_are_refused_but_for_a_single_one() {
    for (lengths, is_book) in [
        (&[1, 1][..], true),
        (&[1, 1, 1], false),
        (&[1, 2], false),
        (&[2], false),
        (&[1], true),
        (&[0, 0], true),
    ] {
        assert_eq!(read_book(&Bits::default().book(1, lengths).add(0, 4)).is_ok(), is_book, "{lengths:?}");
    }
    let single = read_book(&Bits::default().book(1, &[0, 1]).add(0, 4)).unwrap();
    let mut bits = LsbBitReader::new(&[0b10]);
    assert_eq!([single.entry(&mut bits), single.entry(&mut bits)], [Some(1); 2]);
    assert_eq!(bits.left(), 6);
}

#[test]
fn books_larger_than_any_encoder_makes_are_refused_before_anything_is_reserved() {
    // An ordered book in a few bytes: all entries have codes of one length.
    let book = |dimensions, entries: u64, kind| {
        let width = 64 - entries.leading_zeros() as usize;
        let fields = [(0x56_4342, 24), (dimensions, 16), (entries, 24), (1, 1), (width as u64 - 2, 5)];
        Bits::default().all(fields).all([
            (entries, width),
            (kind, 4),
            (0, 32),
            (0, 32),
            (0, 4),
            (0, 1),
            (0, 64),
        ])
    };
    assert!(read_book(&book(1, 1 << 20, 0)).is_ok());
    let refused = Some("Vorbis codebooks larger than any encoder makes");
    assert_eq!(read_book(&book(1, 1 << 21, 0)).err(), refused);
    assert!(read_book(&book(1 << 6, 1 << 16, 1)).is_ok());
    assert_eq!(read_book(&book(1 << 7, 1 << 16, 1)).err(), refused);
}

#[test]
fn vectors_of_both_kinds_are_those_of_the_specification() {
    // Two values to the power of two dimensions; 1.5 and steps of 0.5, in sequence.
    let lattice = Bits::default().book(2, &[2, 2, 2, 2]);
    let lattice =
        lattice.all([(1, 4), (3 | 787 << 21, 32), (1 | 787 << 21, 32), (0, 4), (1, 1), (0, 1), (1, 1)]);
    let book = read_book(&lattice).unwrap();
    let mut bits = LsbBitReader::new(&[0b1101_1000]);
    let found: Vec<_> = (0..4).map(|_| book.vector(&mut bits).unwrap().to_vec()).collect();
    assert_eq!(found, [[1.5, 3.0], [2.0, 3.5], [1.5, 3.5], [2.0, 4.0]]);
    let listed = read_book(&Bits::default().book(2, &[1, 1]).vectors(&[1, 2, 3, 4])).unwrap();
    let mut bits = LsbBitReader::new(&[0b01]);
    assert_eq!(listed.array::<2>(&mut bits), Some(&[3.0, 4.0]));
    assert_eq!(listed.vector(&mut bits), Some(&[1.0, 2.0][..]));
}

#[test]
fn heights_are_those_of_the_example_of_the_specification() {
    // One partition of seven points.
    let floor = Bits::default().all([(1, 5), (0, 4), (6, 3), (0, 2), (1, 8), (0, 2), (7, 4)]);
    let floor = floor.all([64, 32, 96, 16, 48, 80, 112].map(|x| (x, 7)));
    let lines = Lines::read(&mut LsbBitReader::new(&floor.bytes), 1).unwrap();
    // 110 and 20, then −5, −45, 0, −25, −10, 30, −10, the negative ones odd.
    let mut curve = Curve::default();
    let packet = Bits::default().all([(1, 1), (110, 8), (20, 8)]);
    let distances = [9, 89, 0, 49, 19, 60, 19];
    let packet =
        packet.all(distances.into_iter().flat_map(|d: u64| (0..7).rev().map(move |bit| (d >> bit & 1, 1))));
    let books = [read_book(&Bits::default().book(1, &[7; 128]).add(0, 4)).unwrap()];
    lines.decode(&mut LsbBitReader::new(&packet.bytes), &books, &mut curve).unwrap();
    assert_eq!(curve.heights, [110, 20, 60, 40, 40, 50, 40, 80, 20]);
    let mut spectrum = vec![1.0; 160];
    lines.multiply(&curve, &mut spectrum);
    let level = |at: usize| f64::from(spectrum[at]).log10() * 20.0 / 140.0 * 256.0 + 255.0;
    for (at, height) in [(0, 110.0), (8, 80.0), (16, 50.0), (24, 45.0), (96, 40.0), (100, 35.0), (159, 20.0)]
    {
        assert!((level(at) - height).abs() < 0.01, "{at}: {}", level(at));
    }
}

#[test]
fn lines_are_drawn_as_the_specification_draws_them() {
    for (from, to, width) in
        [(0, 255, 3), (255, 0, 4096), (10, 11, 32_768), (200, 3, 7), (3, 200, 1000), (5, 5, 9), (9, 250, 1)]
    {
        let mut values = vec![1.0; 4096.min(width as usize)];
        lines::multiply_by_line(&mut values, from, to, width);
        let (base, mut error, mut y): (i32, i32, i32) = ((to - from) / width, 0, from);
        let rest = (to - from).abs() - base.abs() * width;
        let mut levels = vec![1.0_f32; 256];
        for (level, gain) in levels.iter_mut().enumerate() {
            lines::multiply_by_line(std::slice::from_mut(gain), level as i32, level as i32, 1);
        }
        for (at, value) in values.iter().enumerate() {
            assert_eq!(*value, levels[y as usize], "{from} to {to} in {width}, at {at}");
            y += base;
            error += rest;
            if error >= width {
                error -= width;
                y += if to < from { -1 } else { 1 };
            }
        }
    }
}

#[test]
fn line_spectral_pairs_give_the_response_of_their_filter() {
    let multiplied = |[re, im]: [f64; 2], [a, b]: [f64; 2]| [re * a - im * b, re * b + im * a];
    for order in [4_u64, 5] {
        // One coefficient an entry, each 0.5 above the one before; 60 dB, the larger amplitude of 2 bits.
        let floor = Bits::default().all([(order, 8), (8000, 16), (64, 16), (2, 6), (60, 8), (0, 4), (0, 8)]);
        let half = [(0x56_4342, 24), (1, 16), (2, 24), (0, 2), (0, 10), (2, 4), (1 | 787 << 21, 32), (0, 32)];
        let books = [read_book(&Bits::default().all(half).all([(0, 5), (0, 2)])).unwrap()];
        let lsp = Lsp::read(&mut LsbBitReader::new(&floor.bytes), &books, [32, 128]).unwrap();
        let mut curve = Curve::default();
        lsp.decode(&mut LsbBitReader::new(&[0b010, 0, 0]), &books, &mut curve).unwrap();
        let mut spectrum = vec![1.0; 128];
        lsp.multiply(&curve, true, &mut spectrum);
        for (at, gain) in spectrum.iter().enumerate() {
            let bark = |hz: f64| 13.1 * (0.00074 * hz).atan() + 2.24 * (1.85e-8 * hz * hz).atan() + 1e-4 * hz;
            let angle = PI * (bark(4000.0 * at as f64 / 128.0) * 64.0 / bark(4000.0)).floor() / 64.0;
            // The symmetric and the antisymmetric polynomial of the filter, by their zeros on the unit circle.
            let delay = [angle.cos(), -angle.sin()];
            let binomial = |factor: f64, power: f64| {
                [1.0 + factor * (power * angle).cos(), -factor * (power * angle).sin()]
            };
            let mut polynomials = if order % 2 == 0 {
                [binomial(1.0, 1.0), binomial(-1.0, 1.0)]
            } else {
                [[1.0, 0.0], binomial(-1.0, 2.0)]
            };
            for number in 0..order as usize {
                let coefficient = 0.5 * (number + 1) as f64;
                let square = multiplied(delay, delay);
                let pair = [
                    1.0 - 2.0 * coefficient.cos() * delay[0] + square[0],
                    -2.0 * coefficient.cos() * delay[1] + square[1],
                ];
                polynomials[number % 2] = multiplied(polynomials[number % 2], pair);
            }
            let [p, q] = polynomials;
            let filter = ((p[0] + q[0]) / 2.0).hypot((p[1] + q[1]) / 2.0);
            let decibels = 60.0 * (2.0 / 3.0 / filter - 1.0);
            let found = f64::from(*gain).log10() * 20.0;
            assert!(
                (found - decibels).abs() < 1e-3 * (1.0 + decibels.abs()),
                "{order}, {at}: {found}, {decibels}"
            );
        }
        // No amplitude, or none of the books: nothing.
        for packet in [[0, 0, 0], [0b110, 0, 0]] {
            assert_eq!(lsp.decode(&mut LsbBitReader::new(&packet), &books, &mut curve), None);
        }
    }
}

/// Returns a residue that codes 8 values of each channel in partitions of 8, with one class and vectors of 4 values.
fn residue(kind: u64) -> (Residue, [Codebook; 2]) {
    let numbers: Vec<u64> = (1..=8).collect();
    let books = [Bits::default().book(1, &[1]).add(0, 4), Bits::default().book(4, &[1, 1]).vectors(&numbers)];
    let books = books.map(|book| read_book(&book).unwrap());
    let fields = [(kind, 16), (0, 24), (99, 24), (7, 24), (0, 6), (0, 8), (1, 3), (0, 1), (1, 8)];
    let bits = Bits::default().all(fields);
    (Residue::read(&mut LsbBitReader::new(&bits.bytes), &books).unwrap(), books)
}

fn decode_residue(kind: u64, channels: usize, is_coded: &[bool], packet: &[u8]) -> Vec<Vec<f32>> {
    let (residue, books) = residue(kind);
    let mut spectra = vec![vec![0.0; 8]; channels];
    let numbers: Vec<usize> = (0..channels).collect();
    let mut bits = LsbBitReader::new(packet);
    residue.decode(&mut bits, &books, (&numbers, is_coded), (&mut spectra, 8), &mut Scratch::default());
    spectra
}

#[test]
fn vectors_lie_in_partitions_as_the_kind_of_residue_says() {
    let (first, second) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]);
    // A class, then the two vectors.
    let spread = [1.0, 5.0, 2.0, 6.0, 3.0, 7.0, 4.0, 8.0];
    assert_eq!(decode_residue(0, 1, &[true], &[0b100]), [spread]);
    let joined = [first, second].concat();
    assert_eq!(decode_residue(1, 1, &[true], &[0b100]), std::slice::from_ref(&joined));
    assert_eq!(decode_residue(2, 1, &[true], &[0b100]), std::slice::from_ref(&joined));
    // The classes of both channels come first, then the vectors of each; one that is left out has neither.
    assert_eq!(
        decode_residue(1, 2, &[true, true], &[0b10_0000]),
        [[first, first].concat(), [first, second].concat()]
    );
    assert_eq!(decode_residue(1, 2, &[false, true], &[0b100]), [vec![0.0; 8], joined]);
    // Two partitions of one vector, whose values go to the channels by turns; both, even if one of them is unused.
    let interleaved = decode_residue(2, 2, &[false, true], &[0b11_0010]);
    assert_eq!(
        interleaved,
        [[5.0, 7.0, 1.0, 3.0, 5.0, 7.0, 5.0, 7.0], [6.0, 8.0, 2.0, 4.0, 6.0, 8.0, 6.0, 8.0]]
    );
}

#[test]
fn couplings_are_undone_from_the_last_to_the_first() {
    // Of three channels: (0, 1), then (0, 2).
    let bits = Bits::default().all([
        (0, 16),
        (0, 1),
        (1, 1),
        (1, 8),
        (0, 2),
        (1, 2),
        (0, 2),
        (2, 2),
        (0, 2),
        (0, 24),
    ]);
    let mapping = Mapping::read(&mut LsbBitReader::new(&bits.bytes), 3, (1, 1)).unwrap();
    let mut is_coded = Vec::new();
    mapping.mark_coded(&[true, false, false], &mut is_coded);
    assert_eq!(is_coded, [true; 3]);
    let mut spectra = vec![vec![5.0, 5.0, -5.0, -5.0], vec![1.0, 0.0, 1.0, -1.0], vec![2.0, -2.0, 2.0, -2.0]];
    mapping.uncouple(&mut spectra, &is_coded, 4);
    // By hand: first (5, 2), (5, −2), (−5, 2), (−5, −2) become (5, 3), (3, 5), (−5, −3), (−3, −5).
    assert_eq!(spectra, [[5.0, 3.0, -5.0, -2.0], [4.0, 3.0, -4.0, -3.0], [3.0, 5.0, -3.0, -5.0]]);
}

/// Returns the block of a spectrum, by the definition.
fn imdct(spectrum: &[f32]) -> Vec<f64> {
    let n = 2 * spectrum.len();
    let cosine =
        |t: usize, k: usize| (PI / (2 * n) as f64 * ((2 * t + 1 + n / 2) * (2 * k + 1)) as f64).cos();
    (0..n).map(|t| spectrum.iter().enumerate().map(|(k, x)| f64::from(*x) * cosine(t, k)).sum()).collect()
}

#[test]
fn transforms_are_those_of_the_definition() {
    let mut random = noise(3);
    for block in [64, 128, 256, 512, 1024, 2048] {
        let spectrum: Vec<f32> =
            (0..block / 2).map(|_| random() as f32 / (1_u64 << 30) as f32 - 1.0).collect();
        let mut quarters = [vec![0.0; block / 4], vec![0.0; block / 4]];
        let [rising, falling] = &mut quarters;
        Transform::new(block).run(&spectrum, rising, falling);
        let expected = imdct(&spectrum);
        let loudest = expected.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        for (found, start) in quarters.iter().zip([0, block / 2]) {
            for (at, (found, expected)) in found.iter().zip(&expected[start..]).enumerate() {
                assert!((f64::from(*found) - expected).abs() < loudest * 1e-6, "{block}: {at}");
            }
        }
    }
}

#[test]
fn blocks_overlap_to_the_signal_that_was_cut_into_them() {
    let (short, long) = (64, 256);
    let signal: Vec<f64> =
        (0..2000).map(|t| (f64::from(t) * 0.37).sin() + (f64::from(t) * 0.011).cos()).collect();
    let window = |block: usize, before: usize, after: usize| -> Vec<f64> {
        let slope = |length: usize, at: isize| {
            let at = (at as f64 + 0.5) / length as f64;
            (PI / 2.0 * (PI / 2.0 * at.clamp(0.0, 1.0)).sin().powi(2)).sin()
        };
        let side = |t: usize, length: usize| {
            slope(length, t as isize - (block / 4) as isize + (length / 2) as isize)
        };
        let (before, after) = (before.min(block) / 2, after.min(block) / 2);
        (0..block).map(|t| if t < block / 2 { side(t, before) } else { side(block - 1 - t, after) }).collect()
    };
    let blocks = [long, long, short, short, short, long, short, long, long];
    let mut start = 0_usize;
    let mut kept: Option<(usize, Vec<f32>)> = None;
    for (number, &block) in blocks.iter().enumerate() {
        let before = blocks[number.saturating_sub(1)];
        let after = *blocks.get(number + 1).unwrap_or(&block);
        let window = window(block, before, after);
        let shaped: Vec<f64> = window.iter().zip(&signal[start..]).map(|(w, x)| w * x).collect();
        let n = block as f64;
        let forward = |k: usize| {
            let cosine = |t: usize| (PI / (2.0 * n) * ((2 * t + 1 + block / 2) * (2 * k + 1)) as f64).cos();
            (shaped.iter().enumerate().map(|(t, x)| x * cosine(t)).sum::<f64>() * 4.0 / n) as f32
        };
        let spectrum: Vec<f32> = (0..block / 2).map(forward).collect();
        let (mut rising, mut falling) = (vec![0.0; block / 4], vec![0.0; block / 4]);
        Transform::new(block).run(&spectrum, &mut rising, &mut falling);
        let middle = start + block / 2;
        if let Some((from, kept)) = &kept {
            let mut frames = vec![0.0; middle - from];
            Slope::new(block.min(before)).join(&mut frames, kept, &rising);
            for (at, (found, expected)) in frames.iter().zip(&signal[*from..]).enumerate() {
                assert!((f64::from(*found) - expected).abs() < 1e-5, "block {number}, frame {at}");
            }
        }
        kept = Some((middle, falling));
        // The three quarters of this block are the first quarter of the next.
        start = start + block * 3 / 4 - after / 4;
    }
}

#[test]
fn setup_headers_and_packets_may_be_anything() {
    let mut random = noise(7);
    for (number, setup) in SETUPS.values().enumerate().step_by(9) {
        let channels = (1..=8).find(|channels| Decoder::new(*channels, [8, 11], setup).is_ok()).unwrap();
        let decoder = Decoder::new(channels, [8, 11], setup).unwrap();
        let mut packet: Vec<u8> = (0..400).map(|_| random() as u8).collect();
        packet[0] &= 0xFE;
        for damage in 0..20 {
            let mut setup = setup.clone();
            let at = 7 + random() as usize % (setup.len() - 7);
            setup[at] ^= 1 << (random() % 8);
            if damage % 2 == 0 {
                setup.truncate(at);
                assert!(Decoder::new(channels, [8, 11], &setup).is_err(), "{number}: {at} bytes");
            } else if let Ok(mut decoder) = Decoder::new(channels, [8, 11], &setup) {
                let _ = decoder.decode(&packet);
            }
        }
        let mut decoder = decoder;
        let (mut was, mut total) = (None, 0);
        for length in 0..packet.len() {
            packet[1] = random() as u8;
            let frames = decoder.decode(&packet[..length]).unwrap()[0].len();
            total += frames;
            // Half of both blocks each.
            if length > 0 {
                let is_long = decoder.before == Some(true);
                let half = |is_long| if is_long { 512 } else { 64 };
                assert_eq!(frames, was.map_or(0, |was| half(was) + half(is_long)));
                was = Some(is_long);
            }
        }
        assert!(total > 0);
    }
}

#[test]
fn streams_of_impossible_sizes_are_refused_and_foreign_packets_ignored() {
    let setup = SETUPS.values().find(|setup| Decoder::new(2, [8, 11], setup).is_ok()).unwrap();
    for exponents in [[5, 11], [8, 14], [11, 8]] {
        assert!(Decoder::new(2, exponents, setup).is_err());
    }
    assert!(Decoder::new(2, [8, 11], b"\x03vorbis").is_err());
    let mut decoder = Decoder::new(2, [8, 11], setup).unwrap();
    for packet in [&[][..], &[1], b"\x05vorbis"] {
        assert!(decoder.decode(packet).unwrap().iter().all(Vec::is_empty));
        assert_eq!(decoder.before, None);
    }
}
