use std::io::Write;

use song::{Recording, Sample};

use super::{WavError, data_bytes, header, put, smpl};

/// Frames written at a time.
const BLOCK: usize = 4096;

/// A sample as a WAV file of its own width and rate; doubles become floats. Loops, and the root key if it is known,
/// go into a `smpl` RIFF chunk.
///
/// # Errors
/// [`WavError::TooLarge`] beyond 4 GiB.
pub fn of_sample(sample: &Sample) -> Result<Vec<u8>, WavError> {
    let mut file = Vec::new();
    write_sample(&mut file, sample)?;
    Ok(file)
}

/// Writes a sample like [`of_sample`]. `out` need not be seekable.
///
/// # Errors
/// [`WavError::TooLarge`] beyond 4 GiB, [`WavError::Io`].
pub fn write_sample(out: &mut impl Write, sample: &Sample) -> Result<(), WavError> {
    let (width, channels, frames) = (sample.width(), sample.recording().channels(), sample.length());
    let smpl = smpl::chunk(sample)?;
    let others = u32::try_from(smpl.len()).map_err(|_| WavError::TooLarge)?;
    out.write_all(&header(width, channels, sample.rate(), frames, others)?)?;
    let value = |plane: usize, frame: usize| match sample.recording() {
        Recording::I16(planes) => {
            planes.iter().nth(plane).map_or(0.0, |values| f64::from(values[frame]) / 32_768.0)
        }
        Recording::F32(planes) => planes.iter().nth(plane).map_or(0.0, |values| f64::from(values[frame])),
    };
    let mut bytes = Vec::new();
    for begin in (0..frames.index()).step_by(BLOCK) {
        bytes.clear();
        for frame in begin..frames.index().min(begin + BLOCK) {
            for plane in 0..channels {
                put(&mut bytes, value(plane, frame), width)?;
            }
        }
        out.write_all(&bytes)?;
    }
    let odd = data_bytes(width, channels, frames)? % 2 == 1;
    out.write_all(if odd { &[0] } else { &[] })?;
    out.write_all(&smpl)?;
    Ok(())
}
