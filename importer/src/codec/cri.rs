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
    Ok(if adx::is_stream(reader, &head)? { Format::Adx } else { Format::Cri })
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

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::atomic::{AtomicU64, Ordering};

    use unreal::ue1to3::bulk::Payload;
    use unreal::{Memory, Source};

    use super::*;
    use crate::budget::WorkBudget;

    /// Counts the bytes that are read.
    struct Counted(Memory<Vec<u8>>, AtomicU64);

    impl Source for Counted {
        fn len(&self) -> u64 {
            self.0.len()
        }

        fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
            self.1.fetch_add(into.len() as u64, Ordering::Relaxed);
            self.0.read_at(at, into)
        }
    }

    #[test]
    fn a_wave_without_a_known_head_is_told_by_its_first_bytes() {
        let header = WaveHeader { codec: CriCodec::Vag, rate: 44_100, channels: 1, frames: 9, key: None };
        // Also one that begins as ADX with the longest header does.
        for head in [[0; 4], [0x80, 0, 0xFF, 0xFF]] {
            let mut bytes = vec![1; 1 << 20];
            bytes[..4].copy_from_slice(&head);
            let source = Counted(Memory(bytes), AtomicU64::new(0));
            let payload = Payload::plain(0, 1 << 20);
            let work = WorkBudget::of_file(1 << 20, None);
            PayloadReader::open(&source, payload, &work, |reader| {
                assert_eq!(format(reader)?, Format::Cri);
                describe(reader, &header).map(|described| assert!(described.audio.is_some()))
            })
            .unwrap_or_else(|_| panic!("no description"));
            let read = source.1.into_inner();
            assert!(read <= 1 << 14, "{read} bytes read");
        }
    }
}
