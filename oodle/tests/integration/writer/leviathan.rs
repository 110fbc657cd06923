//! Chunks of Leviathan.

use super::bits::Region;
use super::{Plain, array, small};
use crate::mutate::Noise;

/// Several arrays as a multi-array without pieces.
fn multi(streams: &[Vec<u8>]) -> Vec<u8> {
    let arrays = streams.iter().flat_map(|stream| array(stream));
    std::iter::once(0x80).chain(arrays).collect()
}

/// Adds literals to the streams that the mode says.
fn put(mode: u8, streams: &mut [Vec<u8>], plain: &mut Plain, len: usize, distance: usize, noise: &mut Noise) {
    for i in 0..len {
        let value = noise.bits() as u8;
        let (position, before) = (plain.len(), plain.bytes[plain.len() - 1]);
        let difference = plain.literal(value, distance);
        let (stream, literal) = match mode {
            0 => (0, difference),
            1 => (0, value),
            2 => (usize::from(i == 0), difference),
            3 => (position % 4, difference),
            4 => (usize::from(before >> 4), value),
            _ => (position % 16, difference),
        };
        streams[stream].push(literal);
    }
}

pub(super) fn chunk(mode: u8, plain: &mut Plain, noise: &mut Noise) -> Vec<u8> {
    let raw = plain.bytes.clone();
    let mut region = Region::new(noise.below(4) as u32 * noise.below(40) as u32 % 129);
    let count = [1, 1, 2, 4, 16, 16][usize::from(mode)];
    let mut literals = vec![Vec::new(); count];
    let mut commands = vec![Vec::new(); if noise.below(2) == 0 { 1 } else { 8 }];
    let (mut front, mut back) = (Vec::new(), Vec::new());
    let mut recent = vec![8; 7];
    for _ in 0..20 + noise.below(600) {
        let stream = plain.len() % commands.len();
        let literal_len = small(600, noise) * noise.below(2);
        let mut match_len = 2 + small(2000, noise);
        put(mode, &mut literals, plain, literal_len, recent[0], noise);
        let choice = noise.below(8);
        let distance = if choice < 7 {
            recent.remove(choice)
        } else {
            recent.pop();
            // New coding has distances below 8, which do not overlap.
            let near = noise.below(8) == 0 && region.is_new();
            let distance = if near { 2 + noise.below(6) } else { plain.distance(noise) };
            region.offset(distance);
            distance
        };
        if distance < 8 {
            match_len = match_len.min(distance);
        }
        recent.insert(0, distance);
        plain.repeat(distance, match_len);
        if literal_len >= 3 {
            front.push(literal_len);
        }
        if match_len >= 9 {
            back.push(match_len - 6);
        }
        let low = (match_len - 2).min(7) | literal_len.min(3) << 3 | choice << 5;
        commands[stream].push(low as u8);
    }
    put(mode, &mut literals, plain, small(100, noise), recent[0], noise);
    back.reverse();
    region.lengths(&[front, back].concat());
    let mut chunk = [raw, region.codes(), array(&region.length_codes)].concat();
    chunk.extend(if literals.len() == 1 { array(&literals[0]) } else { multi(&literals) });
    if commands.len() == 1 {
        chunk.extend(array(&commands[0]));
    } else {
        chunk.push(0x83);
        chunk.extend(multi(&commands));
    }
    chunk.extend(region.finish());
    chunk
}
