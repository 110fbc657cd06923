//! Recordings compressed as Opus, as late releases of Unreal Engine 5 store them.
//!
//! ```text
//! head │ size, packet │ size, packet │ …      a chunk ends where a packet does
//! ```
//!
//! Source: *packages-ue4-ue6*, §11.3: the head, measured.

use ropus::{Application, Bitrate, Channels, Encoder};
use unreal::guarded;
use unreal::ue4to6::class::sound_wave::MAX_CHUNK;

use super::recording_error::RecordingError;

/// A recording that was encoded.
pub(super) struct Encoded {
    pub(super) header: Vec<u8>,
    pub(super) data: Vec<u8>,
    /// End offsets of chunks.
    pub(super) ends: Vec<usize>,
}

/// The rates that Opus has.
pub(super) const RATES: [u32; 5] = [8000, 12_000, 16_000, 24_000, 48_000];

/// Bits in a second of each channel: more than is heard.
const BITS: u32 = 128_000;

/// Bytes that a packet has at most.
const MAX_PACKET: usize = 1275;

/// Packets in a second.
const PACKETS: u32 = 50;

/// Encodes samples of 16 bits, channels interleaved, low bytes first.
///
/// # Errors
/// [`RecordingError`] if Opus has no such rate or channels.
pub(super) fn encode(channels: u16, rate: u32, samples: &[u8]) -> Result<Encoded, RecordingError> {
    let failed = |error: &dyn std::fmt::Display| RecordingError::Opus(error.to_string());
    let layout = match channels {
        1 => Channels::Mono,
        2 => Channels::Stereo,
        channels => return Err(RecordingError::Channels(channels, 2)),
    };
    let builder = Encoder::builder(rate, layout, Application::Audio);
    let builder = builder.bitrate(Bitrate::Bits(BITS * u32::from(channels)));
    let mut encoder = builder.build().map_err(|error| failed(&error))?;
    // So much later it comes out of a decoder.
    let late = encoder.lookahead();
    let frames = samples.len() / 2 / usize::from(channels);
    let packet_frames = (rate / PACKETS) as usize;
    let packets = (frames + late as usize).div_ceil(packet_frames);
    let mut values: Vec<i16> =
        samples.chunks_exact(2).map(|sample| i16::from_le_bytes([sample[0], sample[1]])).collect();
    let packet_values = packet_frames * usize::from(channels);
    values.resize(packets * packet_values, 0);
    let (mut data, mut ends, mut begin) = (Vec::new(), Vec::new(), 0);
    let mut packet = [0; MAX_PACKET];
    for values in values.chunks_exact(packet_values) {
        let length = guarded(|| encoder.encode(values, &mut packet));
        let length = length.ok_or_else(|| failed(&"it gave up"))?.map_err(|error| failed(&error))?;
        if data.len() + 2 + length - begin > MAX_CHUNK {
            ends.push(data.len());
            begin = data.len();
        }
        data.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
        data.extend(&packet[..length]);
    }
    ends.push(data.len());
    let after = packets * packet_frames - late as usize - frames;
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
    let mut header = b"UEOPUS\0\0".to_vec();
    // Its version.
    header.push(0);
    header.push(channels.to_le_bytes()[0]);
    // The rate that it had, and that it has.
    header.extend(rate.to_le_bytes());
    header.extend(rate.to_le_bytes());
    header.extend((frames as u64).to_le_bytes());
    header.extend(number(packets));
    header.extend(late.to_le_bytes());
    // Silence before and after it.
    header.extend(0_u32.to_le_bytes());
    header.extend(number(after));
    Ok(Encoded { header, data, ends })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tone of so many frames.
    fn tone(channels: u16, rate: u32, frames: u32) -> Vec<u8> {
        let value = |n: u32| (12_000.0 * (f64::from(n) * 2764.0 / f64::from(rate)).sin()) as i16;
        (0..frames).flat_map(|n| value(n).to_le_bytes().repeat(channels.into())).collect()
    }

    fn number(header: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(header[at..at + 4].try_into().unwrap())
    }

    #[test]
    fn the_head_counts_frames_packets_and_the_silence_around_them() {
        // The encoder is 6.5 ms late, and packets have 20 ms.
        for (channels, rate, frames, late) in
            [(1, 48_000, 48_000, 312), (2, 48_000, 960, 312), (2, 24_000, 24_001, 156), (1, 8000, 1, 52)]
        {
            let Encoded { header, data, ends } =
                encode(channels, rate, &tone(channels, rate, frames)).unwrap();
            let case = format!("{channels} {rate} {frames}");
            let of_packet = rate / 50;
            let packets = (frames + late).div_ceil(of_packet);
            assert_eq!(header.len(), 42, "{case}");
            assert_eq!(header[..10], [b"UEOPUS\0\0\0", &[channels as u8][..]].concat(), "{case}");
            assert_eq!([10, 14].map(|at| number(&header, at)), [rate; 2], "{case}");
            assert_eq!([18, 22].map(|at| number(&header, at)), [frames, 0], "{case}");
            assert_eq!(number(&header, 26), packets, "{case}");
            assert_eq!([30, 34].map(|at| number(&header, at)), [late, 0], "{case}");
            assert_eq!(number(&header, 38), packets * of_packet - late - frames, "{case}");
            assert_eq!(ends, [data.len()], "{case}");
        }
    }

    #[test]
    fn chunks_end_where_packets_do_and_are_as_large_as_may_be() {
        let Encoded { header, data, ends } = encode(2, 48_000, &tone(2, 48_000, 48_000 * 20)).unwrap();
        let (mut at, mut boundaries) = (0, vec![0]);
        while at < data.len() {
            at += 2 + usize::from(u16::from_le_bytes([data[at], data[at + 1]]));
            boundaries.push(at);
        }
        assert_eq!((at, boundaries.len() - 1), (data.len(), number(&header, 26) as usize));
        assert!(ends.len() > 1, "{ends:?}");
        let mut begin = 0;
        for end in &ends {
            let index = boundaries.iter().position(|boundary| boundary == end).unwrap();
            assert!(end - begin <= MAX_CHUNK, "{begin} {end}");
            assert!(boundaries.get(index + 1).is_none_or(|next| next - begin > MAX_CHUNK), "{begin} {end}");
            begin = *end;
        }
        assert_eq!(begin, data.len());
    }
}
