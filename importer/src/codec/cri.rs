//! Waves of CRI's cue sheets: HCA and ADX say what they are, other codecs only the sheet knows.

use soundbank::cri::{CriCodec, WaveHeader};

use super::{Described, adx, describe_one, hca, undecoded};
use crate::payload_reader::PayloadReader;
use crate::{Codec, Damage, Format, UnsupportedReason};

/// Bytes that tell what a wave is.
const HEAD: u64 = 16;

/// Returns the format of a wave, by its first bytes.
///
/// # Errors
/// If they cannot be read.
pub(super) fn format(reader: &PayloadReader<'_>) -> Result<Format, Damage> {
    let head = reader.head(HEAD)?;
    if hca::is_head(&head) {
        return Ok(Format::Hca);
    }
    // ATRAC9 and XMA come in RIFF.
    if head.starts_with(b"RIFF") {
        return Ok(Format::Wav);
    }
    let is_adx = adx::is_head(&reader.head(adx::MAX_HEAD)?);
    Ok(if is_adx { Format::Adx } else { Format::Cri })
}

/// Describes a wave by its own header or, without one, by that of the sheet.
///
/// # Errors
/// If it contradicts itself, or the bytes cannot be read.
pub(super) fn describe(reader: &PayloadReader<'_>, header: &WaveHeader) -> Result<Described, Damage> {
    match format(reader)? {
        Format::Hca => hca::describe(reader, header.key),
        Format::Cri => {
            let Some(codec) = codec(header.codec) else {
                return Ok(Described::unknown(UnsupportedReason::UnknownFormat));
            };
            let channels = u16::try_from(header.channels).unwrap_or_default();
            let audio = undecoded::audio(codec, header.rate, channels, Some(header.frames));
            Ok(Described { audio, ..Described::unknown(UnsupportedReason::Codec(codec)) })
        }
        format => describe_one(reader, Some(format)),
    }
}

const fn codec(codec: CriCodec) -> Option<Codec> {
    Some(match codec {
        CriCodec::Adx => Codec::Adx,
        CriCodec::Pcm => Codec::PcmS16,
        CriCodec::Hca => Codec::Hca,
        CriCodec::Dsp => Codec::AdpcmDsp,
        CriCodec::Vag => Codec::AdpcmPsx,
        CriCodec::Atrac3 => Codec::Atrac3,
        CriCodec::Atrac9 => Codec::Atrac9,
        CriCodec::Xma => Codec::Xma2,
        CriCodec::Opus => Codec::Opus,
        CriCodec::Other(number) => Codec::Cri(number),
        CriCodec::Unstated => return None,
    })
}
