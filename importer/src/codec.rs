//! From stored bytes to frames. One file per family: each describes a payload without decoding it, and decodes it.
//!
//! ```text
//! PayloadReader + Format ─► describe ─► Described { audio, coding or reason, tuning, repairs }
//!                                       └─► decode + DecodeBudget ─► Recording
//! ```

mod adpcm;
pub(crate) mod adx;
mod aiff;
mod bink;
mod chunks;
mod comments;
mod cri;
mod flac;
mod fsb;
mod g711;
pub(crate) mod hca;
mod mix;
mod mono_blocks;
mod mpeg;
mod msf;
mod ogg;
mod ogg_opus;
mod opus;
mod packet_decoder;
mod pcm;
mod plane_builder;
mod riff;
mod seek_table;
mod speakers;
mod symphonia;
mod undecoded;
mod voc;
mod vorbis;
pub(crate) mod wem;

use song::{Cents, Key, Recording, Width};
use soundbank::StatedHeader;
use unreal::ue1to3::class::sound_node_wave::SpeakerChannel;

use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Damage, EmptyReason, Error, Format, Status, UnsupportedReason};

/// What a payload says of itself.
pub(crate) struct Described {
    /// None if nothing of it could be read.
    pub(crate) audio: Option<Audio>,
    /// How to decode it, or why that cannot be done.
    coding: Result<CodecParams, UnsupportedReason>,
    pub(crate) tuning: Option<RootTuning>,
    pub(crate) repairs: Vec<String>,
    /// Facts that nothing plays by: cue points, ranges of keys.
    pub(crate) notes: Vec<String>,
}

/// The key that sounds the sample at its own rate, and how far above that key the sample is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RootTuning {
    pub(crate) root: Key,
    pub(crate) above: Cents,
}

/// The most marks of a sound that are listed.
const MAX_MARKS: u64 = 64;

/// Returns the note of a mark in a sound: the nth cue point or marker, counted from 0.
fn mark_note(kind: &str, index: usize, frame: u64, label: &str) -> String {
    let number = index.saturating_add(1);
    let name = if label.is_empty() { String::new() } else { format!(": {label}") };
    format!("{kind} {number} at frame {frame}{name}")
}

/// Returns the note of the gain and the ranges that a chunk states for an instrument; none if they are the usual ones.
fn instrument_note(chunk: &str, gain: i16, keys: [u8; 2], velocities: [u8; 2]) -> Option<String> {
    let mut parts = Vec::new();
    if gain != 0 {
        parts.push(format!("gain {gain} dB"));
    }
    let [low, high] = keys;
    if let (Ok(first), Ok(last)) = (Key::new(low), Key::new(high))
        && low <= high
        && (low, high) != (0, 127)
        && high > 0
    {
        parts.push(format!("keys {first} to {last}"));
    }
    let [low, high] = velocities;
    if low <= high && (1..=127).contains(&high) && (low > 1 || high < 127) {
        parts.push(format!("velocities {low} to {high}"));
    }
    (!parts.is_empty()).then(|| format!("\"{chunk}\" chunk, not applied: {}", parts.join(", ")))
}

/// Everything that is needed to decode a payload.
#[derive(Clone, Debug, PartialEq)]
enum CodecParams {
    Pcm(pcm::PcmParams),
    G711(g711::G711Params),
    Adpcm(adpcm::AdpcmParams),
    Blocks(mono_blocks::BlockParams),
    Mpeg(mpeg::MpegParams),
    Vorbis(vorbis::VorbisParams),
    Flac(flac::FlacParams),
    Voc(voc::VocParams),
    Speakers(speakers::SpeakerParams),
    Opus(opus::OpusParams),
    OggOpus(ogg_opus::OggOpusParams),
    Bink(bink::BinkParams),
    WwiseVorbis(vorbis::wwise::WwiseVorbisParams),
    FsbVorbis(vorbis::fmod::FsbVorbisParams),
    WemOpus(wem::WemOpusParams),
    Hca(hca::HcaParams),
    Adx(adx::AdxParams),
    Part(Box<PartParams>),
}

/// A payload within another one.
#[derive(Clone, Debug, PartialEq)]
struct PartParams {
    at: u64,
    length: u64,
    params: CodecParams,
}

impl CodecParams {
    /// Returns the number of frames that decoding will give, as far as is known beforehand.
    const fn frames(&self) -> Option<u64> {
        match self {
            Self::Pcm(params) => Some(params.frames),
            Self::G711(params) => Some(params.frames),
            Self::Adpcm(params) => Some(params.frames),
            Self::Blocks(params) => Some(params.frames),
            Self::Mpeg(params) => Some(params.frames),
            Self::Vorbis(params) => params.frames,
            Self::Flac(params) => params.frames,
            Self::Voc(params) => Some(params.frames),
            Self::Opus(params) => Some(params.frames),
            Self::OggOpus(params) => Some(params.frames),
            Self::Bink(params) => Some(params.frames),
            Self::Speakers(params) => params.frames,
            Self::WwiseVorbis(params) => Some(params.stream.frames),
            Self::FsbVorbis(params) => Some(params.stream.frames),
            Self::WemOpus(params) => Some(params.frames),
            Self::Hca(params) => Some(params.frames),
            Self::Adx(params) => Some(params.frames),
            Self::Part(part) => part.params.frames(),
        }
    }

    /// Returns the number of frames where it follows from the bytes that are there, and is no mere statement.
    const fn certain_frames(&self) -> Option<u64> {
        match self {
            Self::Flac(_)
            | Self::Vorbis(_)
            | Self::Opus(_)
            | Self::OggOpus(_)
            | Self::Bink(_)
            | Self::WwiseVorbis(_)
            | Self::FsbVorbis(_)
            | Self::WemOpus(_)
            | Self::Speakers(_) => None,
            Self::Part(part) => part.params.certain_frames(),
            _ => self.frames(),
        }
    }

    /// Returns how wide the values are that it is made of; those of lossy codecs count as 16 bits.
    const fn width(&self) -> Width {
        match self {
            Self::Pcm(params) => params.coding.width(),
            Self::Flac(params) => params.width,
            Self::Voc(params) => params.width,
            Self::Speakers(params) => params.width,
            Self::Part(part) => part.params.width(),
            _ => Width::Sixteen,
        }
    }

    fn decode(&self, reader: &PayloadReader<'_>, budget: &mut DecodeBudget) -> Result<Recording, Error> {
        match self {
            Self::Pcm(params) => params.decode(reader, budget),
            Self::G711(params) => params.decode(reader, budget),
            Self::Adpcm(params) => params.decode(reader, budget),
            Self::Blocks(params) => params.decode(reader, budget),
            Self::Mpeg(params) => params.decode(reader, budget),
            Self::Vorbis(params) => params.decode(reader, budget),
            Self::Flac(params) => params.decode(reader, budget),
            Self::Voc(params) => params.decode(reader, budget),
            Self::Speakers(params) => params.decode(reader, budget),
            Self::Opus(params) => params.decode(reader, budget),
            Self::OggOpus(params) => params.decode(reader, budget),
            Self::Bink(params) => params.decode(reader, budget),
            Self::WwiseVorbis(params) => params.decode(reader, budget),
            Self::FsbVorbis(params) => params.decode(reader, budget),
            Self::WemOpus(params) => params.decode(reader, budget),
            Self::Hca(params) => params.decode(reader, budget),
            Self::Adx(params) => params.decode(reader, budget),
            Self::Part(part) => match reader.part(part.at, part.length) {
                Some(reader) => part.params.decode(&reader, budget),
                None => Err(malformed(part.at, "a recording that ends after its payload").into()),
            },
        }
    }
}

pub(crate) use mpeg::is_stream as is_mpeg_stream;
pub use vorbis::packets::VorbisStream;

/// Describes a payload from its headers: of a format, or of several channels with a file for each speaker.
///
/// # Errors
/// If it contradicts itself so far that nothing can be said of it.
pub(crate) fn describe(
    reader: &PayloadReader<'_>,
    format: Option<Format>,
    channels: &[SpeakerChannel],
) -> Result<Described, Damage> {
    match channels {
        [] => describe_one(reader, format),
        channels => speakers::describe(reader, channels),
    }
}

/// Describes a payload of a format from its headers.
fn describe_one(reader: &PayloadReader<'_>, format: Option<Format>) -> Result<Described, Damage> {
    match format {
        Some(Format::Wav) => riff::describe(reader),
        Some(Format::Wem) => wem::describe(reader),
        Some(Format::Hca) => hca::describe(reader, None),
        Some(Format::Adx) => adx::describe(reader),
        Some(Format::Aiff) => aiff::describe(reader),
        Some(Format::Mpeg) => mpeg::describe(reader),
        Some(Format::Ogg) => vorbis::describe(reader),
        Some(Format::Flac) => flac::describe(reader),
        Some(Format::Voc) => voc::describe(reader),
        Some(Format::Msf) => msf::describe(reader),
        Some(Format::UnrealOpus) => opus::describe(reader),
        Some(Format::UnrealBink) => bink::describe(reader),
        Some(other) => Ok(Described {
            audio: undecoded::describe(other, reader)?,
            ..Described::unknown(UnsupportedReason::Format(other))
        }),
        None => Ok(Described::unknown(UnsupportedReason::UnknownFormat)),
    }
}

/// Returns the format of a payload that a bank describes.
///
/// # Errors
/// If its bytes cannot be read.
pub(crate) fn stated_format(reader: &PayloadReader<'_>, header: &StatedHeader) -> Result<Format, Damage> {
    match header {
        StatedHeader::Fmod(_) => Ok(Format::Fsb),
        StatedHeader::Cri(_) => cri::format(reader),
    }
}

/// Describes a payload of which its bank says more than its bytes do, or all.
///
/// # Errors
/// As [`describe`].
pub(crate) fn describe_stated(
    reader: &PayloadReader<'_>,
    header: &StatedHeader,
) -> Result<Described, Damage> {
    match header {
        StatedHeader::Fmod(header) => fsb::describe(reader, header),
        StatedHeader::Cri(header) => cri::describe(reader, header),
    }
}

/// Decodes all frames of a payload; what they take is spent while they are produced.
///
/// # Errors
/// If it cannot be decoded, contradicts itself, or takes more than is allowed.
pub(crate) fn decode(
    reader: &PayloadReader<'_>,
    described: &Described,
    budget: &mut DecodeBudget,
) -> Result<Recording, Error> {
    match &described.coding {
        Ok(coding) => {
            // A hopeless one is not begun.
            if let (Some(frames), Some(audio)) = (coding.certain_frames(), &described.audio) {
                let frame = coding.width().decoded_bytes().saturating_mul(audio.channels.min(2).into());
                budget.check(frames.saturating_mul(frame))?;
            }
            coding.decode(reader, budget)
        }
        Err(reason) => Err(Error::Sound(Status::Unsupported(reason.clone()))),
    }
}

/// Returns the packets of a payload that is Vorbis outside of Ogg; none of any other.
///
/// # Errors
/// If they cannot be read, or take more than is allowed.
pub(crate) fn vorbis_packets(
    reader: &PayloadReader<'_>,
    described: &Described,
    budget: &mut DecodeBudget,
) -> Result<Option<VorbisStream>, Error> {
    let rate = described.audio.as_ref().map_or(0, |audio| audio.rate.get());
    match &described.coding {
        Ok(CodecParams::WwiseVorbis(params)) => params.packets(rate, reader, budget).map(Some),
        Ok(CodecParams::FsbVorbis(params)) => params.packets(rate, reader, budget).map(Some),
        Ok(_) => Ok(None),
        Err(reason) => Err(Error::Sound(Status::Unsupported(reason.clone()))),
    }
}

impl Described {
    /// Creates a payload that nothing more is known of than why it is not decoded.
    const fn unknown(reason: UnsupportedReason) -> Self {
        Self { audio: None, coding: Err(reason), tuning: None, repairs: Vec::new(), notes: Vec::new() }
    }

    /// Returns whether it can be played.
    pub(crate) fn status(&self) -> Status {
        let is_empty = self.audio.as_ref().is_some_and(|audio| audio.frames == Some(0));
        match &self.coding {
            Err(reason) => Status::Unsupported(reason.clone()),
            Ok(_) if is_empty => Status::Empty(EmptyReason::NoFrames),
            Ok(_) => Status::Ok,
        }
    }

    /// Returns how wide the values are that it is made of; those of lossy codecs count as 16 bits.
    pub(crate) const fn width(&self) -> Width {
        match &self.coding {
            Ok(coding) => coding.width(),
            Err(_) => Width::Sixteen,
        }
    }
}

/// How audio is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// Unsigned 8-bit integers.
    PcmU8,
    /// Signed 8-bit integers, as trackers have them.
    PcmS8,
    /// Signed 16-bit integers.
    PcmS16,
    /// Signed 24-bit integers.
    PcmS24,
    /// Signed 32-bit integers.
    PcmS32,
    /// 32-bit float.
    PcmF32,
    /// 64-bit float.
    PcmF64,
    /// IMA ADPCM.
    AdpcmIma,
    /// Microsoft ADPCM.
    AdpcmMs,
    /// One of Creative's kinds of ADPCM.
    AdpcmCreative,
    /// A-law.
    ALaw,
    /// µ-law.
    MuLaw,
    /// MPEG layer I.
    Mp1,
    /// MPEG layer II.
    Mp2,
    /// MPEG layer III.
    Mp3,
    /// Vorbis.
    Vorbis,
    /// Opus.
    Opus,
    /// FLAC.
    Flac,
    /// Xbox 360 XMA2.
    Xma2,
    /// Sony ATRAC3.
    Atrac3,
    /// ATRAC9, for the PlayStation 4 and 5.
    Atrac9,
    /// Sony's ADPCM.
    AdpcmPsx,
    /// Electronic Arts' ADPCM in Maxis XA.
    AdpcmXa,
    /// Bink Audio.
    Bink,
    /// RAD Audio.
    Rada,
    /// Platinum's ADPCM, of Wwise.
    Ptadpcm,
    /// Nintendo's ADPCM.
    AdpcmDsp,
    /// AAC.
    Aac,
    /// Windows Media Audio.
    Xwma,
    /// FMOD's ADPCM.
    Fadpcm,
    /// CELT, before it was part of Opus.
    Celt,
    /// HCA of CRI.
    Hca,
    /// ADX of CRI.
    Adx,
    /// A WAVE format tag without a name here.
    Tag(u16),
    /// A codec of FMOD's sample banks without a name here.
    Fsb(u32),
    /// A codec of CRI's cue sheets without a name here.
    Cri(u32),
    /// A type of AIFF-C without a name here.
    FourCc([u8; 4]),
}

impl Codec {
    /// Returns the codec's name as it is listed.
    #[must_use]
    pub fn name(self) -> String {
        let name = match self {
            Self::PcmU8 => "pcm_u8",
            Self::PcmS8 => "pcm_s8",
            Self::PcmS16 => "pcm_s16",
            Self::PcmS24 => "pcm_s24",
            Self::PcmS32 => "pcm_s32",
            Self::PcmF32 => "pcm_f32",
            Self::PcmF64 => "pcm_f64",
            Self::AdpcmIma => "adpcm_ima",
            Self::AdpcmMs => "adpcm_ms",
            Self::AdpcmCreative => "adpcm_creative",
            Self::ALaw => "alaw",
            Self::MuLaw => "mulaw",
            Self::Mp1 => "mp1",
            Self::Mp2 => "mp2",
            Self::Mp3 => "mp3",
            Self::Vorbis => "vorbis",
            Self::Opus => "opus",
            Self::Flac => "flac",
            Self::Xma2 => "xma2",
            Self::Atrac3 => "atrac3",
            Self::Atrac9 => "at9",
            Self::AdpcmPsx => "adpcm_psx",
            Self::AdpcmXa => "adpcm_xa",
            Self::Bink => "bink",
            Self::Rada => "rada",
            Self::Ptadpcm => "ptadpcm",
            Self::AdpcmDsp => "dsp",
            Self::Aac => "aac",
            Self::Xwma => "xwma",
            Self::Fadpcm => "fadpcm",
            Self::Celt => "celt",
            Self::Hca => "hca",
            Self::Adx => "adx",
            Self::Tag(tag) => return format!("wave_{tag:#06x}"),
            Self::Fsb(number) => return format!("fsb_{number:#04x}"),
            Self::Cri(number) => return format!("cri_{number:#04x}"),
            Self::FourCc(kind) => return format!("aifc_{}", kind.escape_ascii()),
        };
        name.to_owned()
    }
}
