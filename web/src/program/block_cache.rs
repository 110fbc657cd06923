//! Blocks of files that were read lately: each read of a browser's file takes as long as some hundred kilobytes do.
//! What is read in order is therefore read ahead, ever further; what is not leaves little for the browser to free.

use std::collections::BTreeMap;
use std::io;

/// Bytes of a block.
const BLOCK: u64 = 1 << 14;
/// Blocks that are kept: 12 MB.
const KEPT: usize = 768;
/// Blocks that are read at once, at most: 4 MB.
const MOST: u64 = 256;
/// Blocks that are left out of what still is read in order.
const GAP: u64 = 8;

/// Blocks of all files.
#[derive(Debug, Default)]
pub(crate) struct BlockCache {
    /// By file and number: when each was wanted last, and its bytes.
    blocks: BTreeMap<(u32, u64), (u64, Vec<u8>)>,
    now: u64,
    /// The file that was read last, the block after what was read of it, and how many blocks that was.
    last: Option<(u32, u64, u64)>,
}

impl BlockCache {
    /// Reads bytes of a file of some size, which are all in it, by whole blocks that `read` gets.
    pub(crate) fn read_at(
        &mut self,
        (file, size): (u32, u64),
        mut at: u64,
        mut out: &mut [u8],
        mut read: impl FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        if out.len() as u64 >= MOST * BLOCK {
            return read(at, out);
        }
        while !out.is_empty() {
            let number = at / BLOCK;
            let wanted = (at % BLOCK + out.len() as u64).div_ceil(BLOCK);
            let block = self.block((file, size), number, wanted, &mut read)?;
            let from = usize::try_from(at % BLOCK).unwrap_or(usize::MAX);
            let rest = block.get(from..).unwrap_or_default();
            let some = rest.len().min(out.len());
            if some == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let (now, then) = out.split_at_mut(some);
            now.copy_from_slice(rest.get(..some).unwrap_or_default());
            (out, at) = (then, at + some as u64);
        }
        Ok(())
    }

    /// Returns a block. If it is read, then with those after it that are wanted, too, or will be.
    fn block(
        &mut self,
        (file, size): (u32, u64),
        number: u64,
        wanted: u64,
        read: &mut impl FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<&[u8]> {
        self.now += 1;
        let now = self.now;
        if !self.blocks.contains_key(&(file, number)) {
            let ahead = match self.last {
                Some((own, next, count)) if own == file && (next..=next + GAP).contains(&number) => 2 * count,
                _ => 1,
            };
            let count = ahead.max(wanted).min(MOST);
            let begin = number.saturating_mul(BLOCK);
            let length = size.saturating_sub(begin).min(count * BLOCK);
            let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
            read(begin, &mut bytes)?;
            self.last = Some((file, number + count, count));
            let blocks = bytes.chunks(BLOCK as usize).zip(number..);
            self.blocks.extend(blocks.map(|(block, number)| ((file, number), (now, block.to_vec()))));
            self.forget();
        }
        let block = self.blocks.get_mut(&(file, number));
        Ok(block.map_or(&[], |(wanted, bytes)| {
            *wanted = now;
            bytes
        }))
    }

    /// Forgets what was not wanted for the longest time once there is too much: a quarter, so that it is seldom.
    fn forget(&mut self) {
        if self.blocks.len() <= KEPT {
            return;
        }
        let mut times: Vec<u64> = self.blocks.values().map(|(wanted, _)| *wanted).collect();
        times.sort_unstable();
        let oldest = times.get(times.len() - KEPT / 4 * 3).copied().unwrap_or_default();
        self.blocks.retain(|_, (wanted, _)| *wanted >= oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_file_and_blocks_are_read_once() {
        let file: Vec<u8> = (0..300 * BLOCK as usize + 5).map(|at| (at * 7 % 251) as u8).collect();
        let mut cache = BlockCache::default();
        let mut reads = Vec::new();
        let size = file.len() as u64;
        let whole = (MOST * BLOCK) as usize;
        for (at, length) in
            [(300 * BLOCK, 5), (0, 4), (BLOCK - 2, 4), (10, 100), (90 * BLOCK - 1, 40_000), (1, whole)]
        {
            let mut out = vec![0; length];
            let read = |from: u64, out: &mut [u8]| {
                reads.push((from, out.len()));
                out.copy_from_slice(&file[from as usize..][..out.len()]);
                Ok(())
            };
            cache.read_at((1, size), at, &mut out, read).unwrap();
            assert_eq!(out, file[at as usize..][..length]);
        }
        let block = BLOCK as usize;
        let wanted = [(300 * BLOCK, 5), (0, block), (BLOCK, 2 * block), (89 * BLOCK, 4 * block), (1, whole)];
        assert_eq!(reads, wanted);
        let past = cache.read_at((1, size), size - 2, &mut [0; 4], |_, _| Ok(()));
        assert_eq!(past.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn what_is_read_in_order_is_read_ahead_and_what_is_not_is_not() {
        let mut cache = BlockCache::default();
        let mut reads = Vec::new();
        let size = 2000 * BLOCK;
        for block in (0..1000).chain([1900, 1800, 1802, 1998, 1999]) {
            let mut out = [0; 1];
            let read = |from: u64, out: &mut [u8]| {
                reads.push((from / BLOCK, out.len() as u64 / BLOCK));
                out.chunks_mut(BLOCK as usize)
                    .zip(from / BLOCK..)
                    .for_each(|(out, block)| out.fill(block as u8));
                Ok(())
            };
            cache.read_at((1, size), block * BLOCK + 7, &mut out, read).unwrap();
            assert_eq!(out, [block as u8]);
            assert!(cache.blocks.len() <= KEPT);
        }
        let ahead = (0..9).map(|step| ((1 << step) - 1, 1 << step)).chain([(511, 256), (767, 256)]);
        let others = [(1900, 1), (1800, 1), (1802, 2), (1998, 1), (1999, 1)];
        assert_eq!(reads, ahead.chain(others).collect::<Vec<_>>());
    }
}
