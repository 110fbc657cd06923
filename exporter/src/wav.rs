//! WAV files: what was rendered, recordings as they are, and those that are given. Nothing is dithered, normalised or
//! limited.
//!
//! Hound lays out the header and the values. It can neither write to a pipe nor add other RIFF chunks, so lengths are
//! put into the header here.

mod cue;
mod read;
mod recording;
mod smpl;

use std::fmt;
use std::io::{self, Seek, SeekFrom, Write};

use hound::{Sample as _, SampleFormat, WavSpec};
use song::{Frames, Hz, Width};

pub use read::{WavReadError, WavReader};
pub use recording::{of_sample, with_cues, write_sample};

/// Channels of a rendered file: left and right.
const CHANNELS: usize = 2;

/// How wide the values of a rendered file are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Depth {
    /// 16 bits.
    #[default]
    Sixteen,
    /// 24 bits.
    TwentyFour,
    /// 32-bit float, which nothing clips.
    Float,
}

impl Depth {
    /// Returns the bytes of a value.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        written_bits(self.width()) as u64 / 8
    }

    const fn width(self) -> Width {
        match self {
            Self::Sixteen => Width::Sixteen,
            Self::TwentyFour => Width::TwentyFour,
            Self::Float => Width::Float,
        }
    }
}

/// Writes what was rendered: stereo, at one rate and width.
#[derive(Debug)]
pub struct WavWriter<W: Write> {
    out: W,
    rate: Hz,
    depth: Depth,
    announced: Frames,
    written: Written,
    /// Values of the block at hand, kept for its memory.
    bytes: Vec<u8>,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Frames.
    pub frames: Frames,
    /// Values beyond full scale, which became full scale.
    pub clipped: u64,
}

/// Checks that a file can hold so many frames.
///
/// # Errors
/// [`WavError::TooLarge`] if it cannot.
pub fn check_length(rate: Hz, depth: Depth, frames: Frames) -> Result<(), WavError> {
    header(depth.width(), CHANNELS, rate, frames, 0).map(drop)
}

impl<W: Write> WavWriter<W> {
    /// Begins a file that will have so many frames. `out` need not be seekable; it should be buffered.
    ///
    /// # Errors
    /// [`WavError::TooLarge`] if a WAV file cannot hold so many, [`WavError::Io`].
    pub fn new(mut out: W, rate: Hz, depth: Depth, frames: Frames) -> Result<Self, WavError> {
        out.write_all(&header(depth.width(), CHANNELS, rate, frames, 0)?)?;
        let written = Written::default();
        Ok(Self { out, rate, depth, announced: frames, written, bytes: Vec::new() })
    }

    /// Begins a file whose length is not known. Until it is, the sizes in its header are the largest there are: so
    /// whoever gets it through a pipe reads on to its end.
    ///
    /// # Errors
    /// [`WavError::Io`].
    pub fn open_ended(mut out: W, rate: Hz, depth: Depth) -> Result<Self, WavError> {
        let mut header = header(depth.width(), CHANNELS, rate, Frames::ZERO, 0)?;
        let end = header.len();
        header[4..8].fill(0xFF);
        header[end - 4..].fill(0xFF);
        out.write_all(&header)?;
        let (announced, written) = (Frames::ZERO, Written::default());
        Ok(Self { out, rate, depth, announced, written, bytes: Vec::new() })
    }

    /// Goes on with interleaved frames; a value that is no whole frame is left out.
    ///
    /// # Errors
    /// [`WavError::Io`]; [`WavError::TooLarge`] if no WAV file can hold so much.
    pub fn write(&mut self, frames: &[f32]) -> Result<(), WavError> {
        let whole = frames.len() / CHANNELS;
        let gone = self.written.frames.get() + whole as u64;
        data_bytes(self.depth.width(), CHANNELS, Frames::new(gone))?;
        self.written.clipped += fill(&mut self.bytes, &frames[..whole * CHANNELS], self.depth);
        self.out.write_all(&self.bytes)?;
        self.written.frames = Frames::new(gone);
        Ok(())
    }

    /// Ends a file that has the number of frames it was begun with.
    ///
    /// # Errors
    /// [`WavError::Length`] if it has not, [`WavError::Io`].
    pub fn finish(mut self) -> Result<Written, WavError> {
        let Self { announced, written, .. } = self;
        if written.frames != announced {
            return Err(WavError::Length { announced, written: written.frames });
        }
        self.out.flush()?;
        Ok(self.written)
    }
}

impl<W: Write + Seek> WavWriter<W> {
    /// Ends a file with as many frames as were written, whatever it was begun with, and gives the output back. Where it
    /// cannot be gone back to, its beginning stays as it is.
    ///
    /// # Errors
    /// [`WavError::Io`].
    pub fn finish_early(mut self) -> Result<(W, Written), WavError> {
        let end = match self.out.stream_position() {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                self.out.flush()?;
                return Ok((self.out, self.written));
            }
            end => end?,
        };
        let header = header(self.depth.width(), CHANNELS, self.rate, self.written.frames, 0)?;
        let data = data_bytes(self.depth.width(), CHANNELS, self.written.frames)?;
        self.out.seek(SeekFrom::Start(end - u64::from(data) - header.len() as u64))?;
        self.out.write_all(&header)?;
        self.out.seek(SeekFrom::Start(end))?;
        self.out.flush()?;
        Ok((self.out, self.written))
    }
}

/// Returns everything before the first value; `others` are the bytes of the RIFF chunks that will follow the values.
fn header(width: Width, channels: usize, rate: Hz, frames: Frames, others: u32) -> Result<Vec<u8>, WavError> {
    let data = data_bytes(width, channels, frames)?;
    let spec = WavSpec {
        channels: channels as u16,
        // Hound multiplies this without looking; the real rate is put in below.
        sample_rate: 1,
        bits_per_sample: written_bits(width),
        sample_format: if is_float(width) { SampleFormat::Float } else { SampleFormat::Int },
    };
    let mut header = spec.into_header_for_infinite_file();
    let rest = header.len() as u32 - 8;
    let whole = [data, data % 2, others].into_iter().try_fold(rest, u32::checked_add);
    let second = rate.get().saturating_mul(data_bytes(width, channels, Frames::new(1))?);
    let end = header.len();
    header[4..8].copy_from_slice(&whole.ok_or(WavError::TooLarge)?.to_le_bytes());
    header[24..28].copy_from_slice(&rate.get().to_le_bytes());
    header[28..32].copy_from_slice(&second.to_le_bytes());
    header[end - 4..].copy_from_slice(&data.to_le_bytes());
    Ok(header)
}

/// Returns the number of bytes the values take, without padding.
fn data_bytes(width: Width, channels: usize, frames: Frames) -> Result<u32, WavError> {
    let frame = u64::from(written_bits(width) / 8) * channels as u64;
    let bytes = frames.get().checked_mul(frame).ok_or(WavError::TooLarge)?;
    u32::try_from(bytes).map_err(|_| WavError::TooLarge)
}

/// Doubles are held, and so written, as floats.
const fn written_bits(width: Width) -> u16 {
    if is_float(width) { 32 } else { width.bits() }
}

const fn is_float(width: Width) -> bool {
    matches!(width, Width::Float | Width::Double)
}

/// Replaces `bytes` by values of full scale −1..=1 at a depth; the number that had to be clipped.
fn fill(bytes: &mut Vec<u8>, values: &[f32], depth: Depth) -> u64 {
    bytes.resize(values.len() * depth.bytes() as usize, 0);
    // Counted with 32 bits, as the values have, so that several are counted at a time.
    let mut clipped = 0_u32;
    match depth {
        Depth::Sixteen => {
            for (to, &value) in bytes.as_chunks_mut().0.iter_mut().zip(values) {
                let (integer, is_clipped) = quantize_to_16(value);
                clipped += u32::from(is_clipped);
                *to = integer.to_le_bytes();
            }
        }
        Depth::TwentyFour => {
            for (to, &value) in bytes.as_chunks_mut::<3>().0.iter_mut().zip(values) {
                let (integer, is_clipped) = quantize(value.into(), 24);
                clipped += u32::from(is_clipped);
                to.copy_from_slice(&integer.to_le_bytes()[..3]);
            }
        }
        Depth::Float => {
            for (to, value) in bytes.as_chunks_mut().0.iter_mut().zip(values) {
                *to = value.to_le_bytes();
            }
        }
    }
    u64::from(clipped)
}

/// Appends a value, full scale −1..=1, rounded to the nearest; what is beyond is clipped.
fn put(bytes: &mut Vec<u8>, value: f64, width: Width) -> Result<(), WavError> {
    if is_float(width) {
        return (value as f32).write_padded(bytes, 32, 4).map_err(unlikely);
    }
    let bits = written_bits(width);
    let (integer, _) = quantize(value, bits);
    integer.write_padded(bytes, bits, bits / 8).map_err(unlikely)
}

/// Returns the integer of so many bits that is nearest to a value, full scale −1..=1, halves away from zero; and
/// whether it had to be clipped.
#[inline]
pub(crate) fn quantize(value: f64, bits: u16) -> (i32, bool) {
    let full = f64::from(1_u32 << (bits - 1));
    let scaled = value * full;
    // `round` would be a call for each value, where this is done for several at a time. A float has too few digits for
    // the sum to be rounded.
    let shifted = scaled + 0.5_f64.copysign(scaled);
    (shifted.clamp(-full, full - 1.0) as i32, shifted <= -full - 1.0 || shifted >= full)
}

/// [`quantize`] to 16 bits, made so that several values are quantized at a time: a rendered file has millions.
#[inline]
fn quantize_to_16(value: f32) -> (i16, bool) {
    /// Added to one below 2^22, leaves the nearest integer in the lowest bits, halves to the even one.
    const SHIFT: f32 = 12_582_912.0;
    let scaled = value * 32_768.0;
    let inside = scaled.clamp(-32_768.0, 32_767.0);
    let even = (inside + SHIFT) - SHIFT;
    let rest = inside - even;
    let rounded = if rest == 0.5_f32.copysign(inside) { even + 2.0 * rest } else { even };
    ((rounded + SHIFT).to_bits() as i16, scaled <= -32_768.5 || scaled >= 32_767.5)
}

/// Values are brought into range first, and memory does not fail; still, an error of hound is passed on.
fn unlikely(error: hound::Error) -> WavError {
    match error {
        hound::Error::IoError(error) => WavError::Io(error),
        other => WavError::Io(io::Error::other(other.to_string())),
    }
}

/// Why a WAV file could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WavError {
    /// The output did not take it.
    Io(io::Error),
    /// A WAV file counts its bytes with 32 bits.
    TooLarge,
    /// The header names another number of frames.
    Length {
        /// Frames in the header.
        announced: Frames,
        /// Frames written.
        written: Frames,
    },
}

impl fmt::Display for WavError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::TooLarge => write!(f, "a WAV file cannot hold more than 4 GiB"),
            Self::Length { announced, written } => {
                write!(f, "the header says {announced} frames, {written} were written")
            }
        }
    }
}

impl std::error::Error for WavError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for WavError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

#[cfg(test)]
mod tests;
