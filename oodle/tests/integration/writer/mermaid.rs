//! Chunks of Mermaid, of one or two halves.

use super::{Plain, array, small};
use crate::mutate::Noise;

/// Plain bytes of the first half.
const HALF: usize = 0x1_0000;

/// The parts that run through both halves.
#[derive(Default)]
struct Parts {
    literals: Vec<u8>,
    near: Vec<u16>,
    lengths: Vec<u8>,
    recent: usize,
    is_delta: bool,
}

impl Parts {
    fn put(&mut self, plain: &mut Plain, len: usize, noise: &mut Noise) {
        for _ in 0..len {
            let value = noise.bits() as u8;
            let difference = plain.literal(value, self.recent);
            self.literals.push(if self.is_delta { difference } else { value });
        }
    }

    fn length(&mut self, length: usize) {
        if length <= 251 {
            self.lengths.push(length as u8);
        } else {
            let more = length - 252;
            self.lengths.push(252 + (more % 4) as u8);
            self.lengths.extend(((more / 4) as u16).to_le_bytes());
        }
    }

    /// Writes a command that ends before `end`; its far offset, if it has one.
    fn command(
        &mut self,
        plain: &mut Plain,
        half: usize,
        end: usize,
        noise: &mut Noise,
    ) -> Option<(u8, Option<usize>)> {
        let left = end - plain.len();
        let kind = noise.below(12);
        if kind == 0 {
            let len = small(500, noise);
            (len + 64 <= left).then_some(())?;
            self.length(len);
            self.put(plain, len + 64, noise);
            return Some((0, None));
        }
        if kind == 1 {
            let len = small(3000, noise);
            (len + 91 <= left).then_some(())?;
            self.length(len);
            self.recent = plain.distance(noise);
            self.near.push(self.recent as u16);
            plain.repeat(self.recent, len + 91);
            return Some((1, None));
        }
        if kind == 2 {
            let command = 2 + noise.below(22) as u8;
            let extra = small(500, noise);
            let len = if command == 2 { extra + 29 } else { usize::from(command) + 5 };
            let far = noise.below(half + 1);
            let distance = plain.len() - (half - far);
            (len <= left && distance >= 8).then_some(())?;
            if command == 2 {
                self.length(extra);
            }
            self.recent = distance;
            plain.repeat(distance, len);
            return Some((command, Some(far)));
        }
        let literal_len = noise.below(8);
        let keeps = noise.below(2) == 0;
        let match_len = if keeps { noise.below(16) } else { 3 + noise.below(13) };
        (literal_len + match_len <= left).then_some(())?;
        self.put(plain, literal_len, noise);
        if !keeps {
            self.recent = plain.distance(noise);
            self.near.push(self.recent as u16);
        }
        plain.repeat(self.recent, match_len);
        Some((u8::from(keeps) << 7 | (match_len as u8) << 3 | literal_len as u8, None))
    }
}

pub(super) fn chunk(mode: u8, plain: &mut Plain, noise: &mut Noise) -> Vec<u8> {
    let raw = plain.bytes.clone();
    let mut parts = Parts { recent: 8, is_delta: mode == 0, ..Parts::default() };
    let goal = if noise.below(3) == 0 { HALF + 20 + noise.below(HALF - 20) } else { 500 + noise.below(9000) };
    let mut commands = Vec::new();
    let mut counts = Vec::new();
    let mut far = [Vec::new(), Vec::new()];
    for (half, far) in far.iter_mut().enumerate() {
        let end = goal.min(HALF * (half + 1));
        for _ in 0..10_000 {
            let Some((command, offset)) = parts.command(plain, HALF * half, end, noise) else { continue };
            commands.push(command);
            far.extend(offset);
            if end - plain.len() < 40 {
                break;
            }
        }
        let rest = end - plain.len();
        parts.put(plain, rest, noise);
        counts.push(commands.len());
        if end == goal {
            break;
        }
    }
    let mut chunk = [raw, array(&parts.literals), array(&commands)].concat();
    if plain.len() > HALF {
        chunk.extend((counts[0] as u16).to_le_bytes());
    }
    if noise.below(2) == 0 {
        chunk.extend((parts.near.len() as u16).to_le_bytes());
        chunk.extend(parts.near.iter().flat_map(|near| near.to_le_bytes()));
    } else {
        chunk.extend([0xFF, 0xFF]);
        chunk.extend(array(&parts.near.iter().map(|near| (near >> 8) as u8).collect::<Vec<_>>()));
        chunk.extend(array(&parts.near.iter().map(|near| *near as u8).collect::<Vec<_>>()));
    }
    chunk.extend(&((far[0].len() << 12 | far[1].len()) as u32).to_le_bytes()[..3]);
    chunk.extend(far.iter().flatten().flat_map(|offset| (*offset as u32).to_le_bytes().into_iter().take(3)));
    chunk.extend(parts.lengths);
    chunk
}
