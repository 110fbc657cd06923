//! FLAC files of what was rendered: the values of a WAV file of the same width, without loss.
//!
//! Flacenc codes the frames. Each is written as soon as it is full, so memory does not grow with the length; the header
//! is put right in the end.

use std::fmt;
use std::io::{self, Seek, SeekFrom, Write};

use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr as _, Stream, StreamInfo};
use flacenc::config::Encoder;
use flacenc::encode_fixed_size_frame;
use flacenc::error::{Verified, Verify as _};
use flacenc::source::{Context, Fill as _, FrameBuf};
use song::{Frames, Hz};

use crate::wav::{Depth, Written, quantize};

/// Channels of a rendered file: left and right.
const CHANNELS: usize = 2;

/// Frames coded together; what the reference encoder uses.
const BLOCK: usize = 4096;

/// Writes what was rendered: stereo, at one rate, with 16 or 24 bits.
pub struct FlacWriter<W: Write> {
    out: W,
    bits: u16,
    config: Verified<Encoder>,
    info: StreamInfo,
    /// Counts frames, and their digest.
    context: Context,
    buffer: FrameBuf,
    /// Values of the block at hand, interleaved.
    block: Vec<i32>,
    blocks: usize,
    /// Bytes written so far.
    bytes: u64,
    written: Written,
}

impl<W: Write> fmt::Debug for FlacWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("written", &self.written).finish_non_exhaustive()
    }
}

impl<W: Write + Seek> FlacWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// [`FlacError::Float`] for values that are no integers, [`FlacError::Rate`] for a rate over 96,000 Hz,
    /// [`FlacError::Io`].
    pub fn new(out: W, rate: Hz, depth: Depth) -> Result<Self, FlacError> {
        let bits = match depth {
            Depth::Sixteen => 16,
            Depth::TwentyFour => 24,
            Depth::Float => return Err(FlacError::Float),
        };
        let width = usize::from(bits);
        let mut info =
            StreamInfo::new(rate.get() as usize, CHANNELS, width).map_err(|_| FlacError::Rate(rate))?;
        info.set_block_sizes(BLOCK, BLOCK).map_err(coder)?;
        let config = Encoder::default().into_verified().map_err(|(_, error)| coder(error))?;
        let buffer = FrameBuf::with_size(CHANNELS, BLOCK).map_err(coder)?;
        let (context, block) = (Context::new(width, CHANNELS), Vec::with_capacity(BLOCK * CHANNELS));
        let mut writer = Self {
            out,
            bits,
            config,
            info,
            context,
            buffer,
            block,
            blocks: 0,
            bytes: 0,
            written: Written::default(),
        };
        let header = writer.header()?;
        writer.put(&header)?;
        Ok(writer)
    }

    /// Goes on with interleaved frames; a value that is no whole frame is left out.
    ///
    /// # Errors
    /// [`FlacError::Io`].
    pub fn write(&mut self, frames: &[f32]) -> Result<(), FlacError> {
        for frame in frames.chunks_exact(CHANNELS) {
            for &value in frame {
                let (value, is_clipped) = quantize(value.into(), self.bits);
                self.written.clipped += u64::from(is_clipped);
                self.block.push(value);
            }
            if self.block.len() == BLOCK * CHANNELS {
                self.end_block()?;
            }
        }
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), FlacError> {
        self.buffer.fill_interleaved(&self.block).map_err(coder)?;
        self.context.fill_interleaved(&self.block).map_err(coder)?;
        let frame =
            encode_fixed_size_frame(&self.config, &self.buffer, self.blocks, &self.info).map_err(coder)?;
        self.info.update_frame_info(&frame);
        let mut sink = ByteSink::new();
        frame.write(&mut sink).map_err(coder)?;
        self.put(sink.as_slice())?;
        let frames = self.block.len() / CHANNELS;
        self.written.frames = Frames::new(self.written.frames.get() + frames as u64);
        self.blocks += 1;
        self.block.clear();
        Ok(())
    }

    /// Ends the file with what was written, and gives the output back.
    ///
    /// # Errors
    /// [`FlacError::Io`].
    pub fn finish(mut self) -> Result<(W, Written), FlacError> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        let end = match self.out.stream_position() {
            // Of a stream neither length nor checksum are known, as the format allows.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                self.out.flush()?;
                return Ok((self.out, self.written));
            }
            end => end?,
        };
        self.info.set_block_sizes(BLOCK, BLOCK).map_err(coder)?;
        self.info.set_total_samples(self.context.total_samples());
        self.info.set_md5_digest(&self.context.md5_digest());
        let header = self.header()?;
        self.out.seek(SeekFrom::Start(end - self.bytes))?;
        self.out.write_all(&header)?;
        self.out.seek(SeekFrom::Start(end))?;
        self.out.flush()?;
        Ok((self.out, self.written))
    }

    /// Returns everything before the first frame.
    fn header(&self) -> Result<Vec<u8>, FlacError> {
        let mut sink = ByteSink::new();
        Stream::with_stream_info(self.info.clone()).write(&mut sink).map_err(coder)?;
        Ok(sink.into_inner())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), FlacError> {
        self.out.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

/// Values are in range and blocks of the right length; still, an error of the coder is passed on.
fn coder(error: impl fmt::Display) -> FlacError {
    FlacError::Io(io::Error::other(error.to_string()))
}

/// Why a FLAC file could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum FlacError {
    /// The output did not take it.
    Io(io::Error),
    /// FLAC holds integers only.
    Float,
    /// FLAC files of this rate are not written.
    Rate(Hz),
}

impl fmt::Display for FlacError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Float => write!(f, "FLAC holds 16 or 24 bits, not float"),
            Self::Rate(rate) => write!(f, "FLAC is written up to 96000 Hz, not at {rate} Hz"),
        }
    }
}

impl std::error::Error for FlacError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for FlacError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
