//! MPEG audio, layers I to III: frames one after another, each with a header of its own.
//!
//! A first frame that holds a Xing, Info or VBRI tag is no sound. If the tag says how many frames the encoder added
//! before and after, these are cut, and so are those that every decoder of layer III is late by; then the length is
//! the one that was encoded.
//!
//! Sources: ISO/IEC 11172-3 and 13818-3; the tags: Gabriel Bouvigne, *Mp3 info tag revision 1 specifications*.

mod header;
mod layer2;
mod tag;

use song::Recording;
use symphonia::core::codecs::audio::AudioCodecParameters;
use symphonia::core::codecs::audio::well_known::{CODEC_ID_MP1, CODEC_ID_MP2, CODEC_ID_MP3};

use super::packet_decoder::PacketDecoder;
use super::symphonia::SymphoniaDecoder;
use super::{CodecParams, Described};
use crate::UnsupportedReason;
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, Error};
use header::FrameHeader;

/// A stream as its frames' headers describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MpegParams {
    first: FrameHeader,
    /// Whether there are frames that the decoder takes only if they are rewritten.
    needs_rewriting: bool,
    /// Unit that the bytes of a frame are filled up to; 1 where frames follow one another without a gap.
    unit: u64,
    /// Where the first frame with sound lies, and where what is described ends.
    at: u64,
    end: u64,
    /// Frames left out at the start, and those that are left.
    skip: u64,
    pub(super) frames: u64,
}

/// Decoders of layer III are this many frames late.
const LATE: u64 = 529;

/// Returns whether bytes begin with a frame that another one follows, as far as they go.
pub(crate) fn is_stream(head: &[u8]) -> bool {
    let read = |bytes: &[u8]| FrameHeader::read(*bytes.first_chunk()?);
    let Some(first) = read(head) else { return false };
    let next = usize::try_from(first.bytes).ok().and_then(|at| head.get(at..)).unwrap_or_default();
    next.len() < 4 || read(next).is_some_and(|next| next.layer == first.layer && next.rate == first.rate)
}

/// Describes a whole payload.
pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let at = tag::after_id3(reader)?;
    describe_part(reader, at, reader.length().saturating_sub(at))
}

/// Describes the stream in a part of a payload.
pub(super) fn describe_part(reader: &PayloadReader<'_>, at: u64, length: u64) -> Result<Described, Damage> {
    describe_filled(reader, at, length, 1)
}

/// Describes the stream in a part of a payload, each frame of which may be filled up to a multiple of `unit` bytes.
pub(super) fn describe_filled(
    reader: &PayloadReader<'_>,
    at: u64,
    length: u64,
    unit: u64,
) -> Result<Described, Damage> {
    let end = at.saturating_add(length);
    let mut frames = FrameWalk::new(reader, at, end, unit);
    let Some((first, mut start)) = frames.next()? else {
        return Err(malformed(at, "no two MPEG frames in a row"));
    };
    let skipped = start.saturating_sub(at);
    let mut count: u64 = 1;
    let mut needs_rewriting = layer2::is_refused(&first);
    let mut reason = layer2::unsupported_reason(&first);
    while let Some((header, _)) = frames.next()? {
        count = count.saturating_add(1);
        needs_rewriting |= layer2::is_refused(&header);
        reason = reason.or_else(|| layer2::unsupported_reason(&header));
    }
    let mut cut = (0, 0);
    let head = reader.bytes(start, first.bytes.min(end.saturating_sub(start)))?;
    if let Some(tag) = tag::of(&head, &first) {
        start = start.saturating_add(first.bytes);
        count = count.saturating_sub(1);
        cut = tag
            .delay
            .map_or((0, 0), |(before, after)| (before.saturating_add(LATE), after.saturating_sub(LATE)));
    }
    let whole = count.saturating_mul(first.frames);
    let length = whole.saturating_sub(cut.0).saturating_sub(cut.1);

    let mut repairs = Vec::new();
    let garbage = frames.garbage.saturating_add(skipped);
    if garbage > 0 {
        repairs.push(format!("{garbage} bytes between MPEG frames ignored"));
    }
    let codec = match first.layer {
        1 => Codec::Mp1,
        2 => Codec::Mp2,
        _ => Codec::Mp3,
    };
    let audio = Audio {
        codec,
        rate: first.rate,
        channels: first.channels,
        bits: None,
        frames: Some(length),
        loops: Vec::new(),
    };
    let params = MpegParams { first, needs_rewriting, unit, at: start, end, skip: cut.0, frames: length };
    let coding =
        reason.map_or(Ok(CodecParams::Mpeg(params)), |reason| Err(UnsupportedReason::Stream(reason)));
    Ok(Described { audio: Some(audio), coding, tuning: None, repairs, notes: Vec::new() })
}

impl MpegParams {
    /// Leaves out the frames after so many.
    pub(super) fn truncate(&mut self, frames: u64) {
        self.frames = self.frames.min(frames);
    }

    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let mut parameters = AudioCodecParameters::new();
        parameters.for_codec(match self.first.layer {
            1 => CODEC_ID_MP1,
            2 => CODEC_ID_MP2,
            _ => CODEC_ID_MP3,
        });
        let mut decoder = SymphoniaDecoder::new(&parameters, self.at)?;
        let channels = self.first.channels;
        let mut stream = PacketDecoder::new(channels, self.skip, Some(self.frames), budget);
        let mut frames = FrameWalk::new(reader, self.at, self.end, self.unit);
        frames.like = Some(self.first);
        let silence = usize::try_from(self.first.frames).unwrap_or_default();
        let (mut any, mut first_error) = (false, None);
        while let Some((header, at)) = frames.next()? {
            let mut bytes = reader.bytes(at, header.bytes.min(self.end.saturating_sub(at)))?;
            if self.needs_rewriting {
                bytes = layer2::accepted(&header, &bytes).unwrap_or(bytes);
            }
            // A stream cut out of a longer one begins with frames that lack what came before: they are silent.
            match decoder.decode(&bytes, at) {
                Ok(planes) => {
                    any = true;
                    stream.push(planes)?;
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                    stream.push_silence(silence)?;
                }
            }
            if stream.is_full() {
                break;
            }
        }
        match first_error {
            Some(error) if !any => Err(error.into()),
            _ => stream.finish(self.at).map(Recording::I16),
        }
    }
}

/// Goes from frame to frame.
struct FrameWalk<'w> {
    reader: &'w PayloadReader<'w>,
    at: u64,
    end: u64,
    /// Unit that the bytes of a frame may be filled up to.
    unit: u64,
    /// What all frames have in common with the first.
    like: Option<FrameHeader>,
    /// Bytes passed over to find frames.
    garbage: u64,
    /// A piece of the payload, and where it begins.
    piece: (Vec<u8>, u64),
}

/// Bytes fetched at a time; many times the longest frame.
const PIECE: u64 = 1 << 15;

impl<'w> FrameWalk<'w> {
    const fn new(reader: &'w PayloadReader<'w>, at: u64, end: u64, unit: u64) -> Self {
        Self { reader, at, end, unit, like: None, garbage: 0, piece: (Vec::new(), 0) }
    }

    /// Returns the next frame that is there as a whole, and its place. The first must be followed by one of its kind or
    /// by nothing; so must every one that is not where the one before ends.
    fn next(&mut self) -> Result<Option<(FrameHeader, u64)>, Damage> {
        let mut is_found = self.like.is_some();
        let from = self.at;
        while self.at < self.end {
            let at = self.at;
            if let Some(header) =
                self.header(at)?.filter(|header| self.like.is_none_or(|like| like.is_like(header)))
            {
                let is_whole = at.saturating_add(header.bytes) <= self.end;
                let after = self.after(at, &header)?;
                let is_last = after == self.end;
                if is_whole
                    && (is_found || is_last || self.header(after)?.is_some_and(|next| header.is_like(&next)))
                {
                    if self.like.replace(header).is_some() {
                        self.garbage = self.garbage.saturating_add(at.saturating_sub(from));
                    }
                    self.at = after;
                    return Ok(Some((header, at)));
                }
            }
            is_found = false;
            self.at = at.saturating_add(1);
        }
        if self.like.is_some() {
            self.garbage = self.garbage.saturating_add(self.end.saturating_sub(from));
        }
        Ok(None)
    }

    /// Returns where the frame after one begins, if there is one: right after it, or after what it is filled up with.
    fn after(&mut self, at: u64, header: &FrameHeader) -> Result<u64, Damage> {
        let after = at.saturating_add(header.bytes);
        let filled = at.saturating_add(header.bytes.div_ceil(self.unit).saturating_mul(self.unit));
        let is_filled = filled != after && !self.header(after)?.is_some_and(|next| header.is_like(&next));
        Ok(if is_filled { filled.min(self.end) } else { after })
    }

    fn header(&mut self, at: u64) -> Result<Option<FrameHeader>, Damage> {
        if self.end.saturating_sub(at) < 4 || at > self.end {
            return Ok(None);
        }
        if let Some(bytes) = self.held(at) {
            return Ok(FrameHeader::read(bytes));
        }
        // From where frames are looked for: what is asked for lies at most a frame after it.
        let length = PIECE.min(self.end.saturating_sub(self.at));
        self.piece = (self.reader.bytes(self.at, length)?, self.at);
        Ok(self.held(at).and_then(FrameHeader::read))
    }

    fn held(&self, at: u64) -> Option<[u8; 4]> {
        let (piece, start) = &self.piece;
        let offset = usize::try_from(at.checked_sub(*start)?).ok()?;
        piece.get(offset..)?.first_chunk().copied()
    }
}
