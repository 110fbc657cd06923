//! The streams that a packet holds: one of one or two channels, or several for more.
//!
//! | channels | streams, coupled ones first | of the speakers |
//! |---|---|---|
//! | 3 | 2, 1 | front; centre |
//! | 4 | 2, 2 | front; back |
//! | 5 | 3, 2 | front; back; centre |
//! | 6 | 4, 2 | front; back; centre; low frequencies |
//! | 7 | 4, 3 | front; side; centre and back centre; low frequencies |
//! | 8 | 5, 3 | front; side; back; centre; low frequencies |
//!
//! Source: RFC 7845, §5.1.1.2, for the streams; the order of the channels is the engine's, that of the bits of a
//! speaker mask. Measured on streams of another encoder, not on a game.

use ropus::{Channels, DecodeMode, Decoder, OpusMSDecoder};

use crate::codec::mix::{Matrix, rounded};

/// The most channels.
pub(in crate::codec) const MAX_CHANNELS: u16 = 8;

/// Which of the decoded channels, those of coupled streams first, is which of the engine's; by their number.
const ORDERS: [&[u8]; 6] = [
    &[0, 1, 2],
    &[0, 1, 2, 3],
    &[0, 1, 4, 2, 3],
    &[0, 1, 4, 5, 2, 3],
    &[0, 1, 4, 6, 2, 3, 5],
    &[0, 1, 6, 7, 4, 5, 2, 3],
];

/// How many streams are coupled, by the number of channels.
const COUPLED: [i32; 6] = [1, 2, 2, 2, 3, 3];

/// Decodes packets, one after another, into at most two channels.
pub(in crate::codec) enum StreamDecoder {
    /// One stream.
    One(Box<Decoder>),
    /// Several, mixed down.
    Several { decoder: Box<OpusMSDecoder>, channels: usize, matrix: Matrix, values: Vec<i16> },
}

impl StreamDecoder {
    /// For packets of at most `longest` frames; none if there is no decoder of that rate.
    pub(in crate::codec) fn new(rate: u32, channels: u16, longest: usize) -> Option<Self> {
        let one = |channels| Some(Self::One(Box::new(Decoder::new(rate, channels).ok()?)));
        match channels {
            1 => one(Channels::Mono),
            2 => one(Channels::Stereo),
            _ => {
                let place = usize::from(channels).checked_sub(3)?;
                let (order, coupled) = (*ORDERS.get(place)?, *COUPLED.get(place)?);
                let (rate, count) = (i32::try_from(rate).ok()?, i32::from(channels));
                let streams = count.checked_sub(coupled)?;
                let decoder = OpusMSDecoder::new(rate, count, streams, coupled, order).ok()?;
                let values = vec![0; longest.checked_mul(channels.into())?];
                let (decoder, matrix) = (Box::new(decoder), Matrix::of(channels, 0));
                Some(Self::Several { decoder, channels: channels.into(), matrix, values })
            }
        }
    }

    /// For packets of several streams, coupled ones first, where `order` says which decoded channel is which of those
    /// in the order of the bits of a speaker mask.
    pub(in crate::codec) fn mapped(
        rate: u32,
        (streams, coupled): (u8, u8),
        order: &[u8],
        longest: usize,
    ) -> Option<Self> {
        let (rate, count) = (i32::try_from(rate).ok()?, i32::try_from(order.len()).ok()?);
        let decoder = OpusMSDecoder::new(rate, count, streams.into(), coupled.into(), order).ok()?;
        let channels = order.len();
        let values = vec![0; longest.checked_mul(channels)?];
        let matrix = Matrix::of(u16::try_from(channels).ok()?, 0);
        Some(Self::Several { decoder: Box::new(decoder), channels, matrix, values })
    }

    /// Decodes a packet into one or two interleaved channels; returns its frames, or none if it is no packet.
    pub(in crate::codec) fn decode(&mut self, packet: &[u8], into: &mut [i16]) -> Option<usize> {
        match self {
            Self::One(decoder) => decoder.decode(packet, into, DecodeMode::Normal).ok(),
            Self::Several { decoder, channels, matrix, values } => {
                let most = i32::try_from(values.len().checked_div(*channels)?).ok()?;
                let length = i32::try_from(packet.len()).ok()?;
                let frames = decoder.decode(Some(packet), length, values, most, false).ok()?;
                let frames = usize::try_from(frames).ok()?;
                for (frame, mixed) in
                    values.chunks_exact(*channels).take(frames).zip(into.chunks_exact_mut(2))
                {
                    let sides = matrix.mix(frame.iter().map(|value| f32::from(*value)));
                    for (value, side) in mixed.iter_mut().zip(sides) {
                        *value = rounded(side);
                    }
                }
                Some(frames)
            }
        }
    }
}
