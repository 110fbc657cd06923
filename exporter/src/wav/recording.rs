use std::io::Write;
use std::ops::Range;

use song::{Frames, Planes, Recording, Sample, Width};

use super::{WavError, cue, data_bytes, header, put, smpl};

/// Frames written at a time.
const BLOCK: usize = 4096;

/// Returns a sample as a WAV file of its own width and rate; doubles become floats. Loops, and the root key if it is
/// known, go into a `smpl` RIFF chunk.
///
/// # Errors
/// [`WavError::TooLarge`] beyond 4 GiB.
pub fn of_sample(sample: &Sample) -> Result<Vec<u8>, WavError> {
    let mut file = Vec::new();
    write_sample(&mut file, sample)?;
    Ok(file)
}

/// Returns a sample like [`of_sample`], with marked places in a `cue ` RIFF chunk.
///
/// # Errors
/// [`WavError::TooLarge`] beyond 4 GiB.
pub fn with_cues(sample: &Sample, cues: &[Frames]) -> Result<Vec<u8>, WavError> {
    let mut file = Vec::new();
    write(&mut file, sample, &[smpl::chunk(sample)?, cue::chunk(cues)?].concat())?;
    Ok(file)
}

/// Writes a sample like [`of_sample`]. `out` need not be seekable.
///
/// # Errors
/// [`WavError::TooLarge`] beyond 4 GiB, [`WavError::Io`].
pub fn write_sample(out: &mut impl Write, sample: &Sample) -> Result<(), WavError> {
    write(out, sample, &smpl::chunk(sample)?)
}

/// Writes a sample, with `others` as the RIFF chunks that follow the values.
fn write(out: &mut impl Write, sample: &Sample, others: &[u8]) -> Result<(), WavError> {
    let (width, channels, frames) = (sample.width(), sample.recording().channels(), sample.length());
    let others_length = u32::try_from(others.len()).map_err(|_| WavError::TooLarge)?;
    out.write_all(&header(width, channels, sample.rate(), frames, others_length)?)?;
    let mut bytes = Vec::new();
    for begin in (0..frames.index()).step_by(BLOCK) {
        bytes.clear();
        let block = begin..frames.index().min(begin + BLOCK);
        match (sample.recording(), width) {
            // As they are held already: the most common recordings, and by far the fastest way.
            (Recording::I16(planes), Width::Sixteen) => {
                let values = interleaved(planes, block);
                bytes.extend(values.flat_map(i16::to_le_bytes));
            }
            (Recording::I16(planes), _) => {
                for value in interleaved(planes, block) {
                    match value.to_le_bytes() {
                        // A value of 8 bits that was widened; unsigned in the file.
                        [0, high] if width == Width::Eight => bytes.push(high ^ 0x80),
                        _ => {
                            put(&mut bytes, f64::from(value) / 32_768.0, width)?;
                        }
                    }
                }
            }
            (Recording::F32(planes), _) => {
                for value in interleaved(planes, block) {
                    put(&mut bytes, f64::from(value), width)?;
                }
            }
        }
        out.write_all(&bytes)?;
    }
    let odd = data_bytes(width, channels, frames)? % 2 == 1;
    out.write_all(if odd { &[0] } else { &[] })?;
    out.write_all(others)?;
    Ok(())
}

/// Returns the values of some frames, frame by frame.
fn interleaved<T: Copy>(planes: &Planes<T>, frames: Range<usize>) -> impl Iterator<Item = T> {
    let (left, right) = (&planes.left()[frames.clone()], &planes.right()[frames]);
    let others = planes.channels() - 1;
    left.iter().zip(right).flat_map(move |(left, right)| [*left, *right].into_iter().take(1 + others))
}
