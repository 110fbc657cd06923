//! Blocks of files that were read lately: each read of a browser's file takes as long as reading thousands of bytes.

use std::collections::VecDeque;
use std::io;

/// Bytes of a block.
const BLOCK: u64 = 1 << 17;
/// Blocks that are kept.
const KEPT: usize = 64;

/// Blocks of all files, the latest first.
#[derive(Debug, Default)]
pub(crate) struct BlockCache(VecDeque<(u32, u64, Vec<u8>)>);

impl BlockCache {
    /// Reads bytes of a file of some size, which are all in it, by whole blocks that `read` gets.
    pub(crate) fn read_at(
        &mut self,
        (file, size): (u32, u64),
        mut at: u64,
        mut out: &mut [u8],
        mut read: impl FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        if out.len() as u64 >= BLOCK {
            return read(at, out);
        }
        while !out.is_empty() {
            let number = at / BLOCK;
            let block = self.block((file, size), number, &mut read)?;
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

    fn block(
        &mut self,
        (file, size): (u32, u64),
        number: u64,
        read: &mut impl FnMut(u64, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<&[u8]> {
        let place = self.0.iter().position(|(own, kept, _)| (*own, *kept) == (file, number));
        let block = match place.and_then(|place| self.0.remove(place)) {
            Some(block) => block,
            None => {
                let begin = number.saturating_mul(BLOCK);
                let length = size.saturating_sub(begin).min(BLOCK);
                let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
                read(begin, &mut bytes)?;
                (file, number, bytes)
            }
        };
        self.0.push_front(block);
        self.0.truncate(KEPT);
        Ok(self.0.front().map_or(&[], |(_, _, bytes)| bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_file_and_blocks_are_read_once() {
        let file: Vec<u8> = (0..3 * BLOCK as usize + 5).map(|at| (at * 7 % 251) as u8).collect();
        let mut cache = BlockCache::default();
        let mut reads = Vec::new();
        let size = file.len() as u64;
        for (at, length) in [(0, 4), (BLOCK - 2, 4), (3 * BLOCK, 5), (10, 100), (1, BLOCK as usize + 3)] {
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
        assert_eq!(reads, [(0, block), (BLOCK, block), (3 * BLOCK, 5), (1, block + 3)]);
        let past = cache.read_at((1, size), size - 2, &mut [0; 4], |_, _| Ok(()));
        assert_eq!(past.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
