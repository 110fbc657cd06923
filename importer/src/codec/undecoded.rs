//! What the heads of formats say that are not decoded.

use song::Hz;

use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, Format};

/// Returns what is known of a payload without decoding it; none where its head says nothing.
pub(crate) fn describe(format: Format, reader: &PayloadReader<'_>) -> Result<Option<Audio>, Damage> {
    let head = reader.head(128)?;
    Ok(match format {
        Format::Xma2 if head.get(12..).is_some_and(|head| head.starts_with(&XMA2_TAG)) => xma2(&head),
        Format::Xma2 => old_xma2(&head),
        Format::Xa => xa(&head),
        Format::Rada => rada(&head),
        _ => None,
    })
}

/// Describes audio of a codec, if there is such a rate and such a number of channels.
pub(super) fn audio(codec: Codec, rate: u32, channels: u16, frames: Option<u64>) -> Option<Audio> {
    let rate = Hz::new(rate).ok().filter(|_| channels > 0)?;
    Some(Audio { codec, rate, channels, bits: None, frames, loops: Vec::new() })
}

/// Returns the number of 32 bits at a place, its high end first.
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_be_bytes(*bytes))
}

const XMA2_TAG: [u8; 2] = [0x01, 0x66];
/// Frames that the decoder is late by: where the sound begins.
const XMA2_DELAY: u32 = 384;

/// Returns a WAVE format with its high ends first, after three sizes. The engine's encoder makes a loop of every sound,
/// as long as the sound at its own rate; the length it declares besides counts at the rate before it was changed to fit
/// the loop.
///
/// Source: own measurements of packages of versions 813 and 820 (15 of 15); the fields: *vgmstream*.
fn xma2(head: &[u8]) -> Option<Audio> {
    let channels = u16::from_be_bytes(*head.get(14..)?.first_chunk()?);
    let (begin, length) = (word(head, 52)?, word(head, 56)?);
    let frames = (begin <= XMA2_DELAY && length > 0).then_some(length.into());
    audio(Codec::Xma2, word(head, 16)?, channels, frames)
}

/// Returns the older header: version, number of streams; at the end the channels of each stream.
///
/// Source: *vgmstream*; no file seen.
fn old_xma2(head: &[u8]) -> Option<Audio> {
    let head = head.get(12..)?;
    let [version, streams, ..] = *head else { return None };
    let at = if version == 3 { 32 } else { 40 };
    let of_streams = head.get(at..)?.chunks(4).take(streams.into());
    let channels = of_streams.filter_map(|stream| stream.first()).map(|channels| u16::from(*channels)).sum();
    audio(Codec::Xma2, word(head, 12)?, channels, None)
}

/// Returns a number of up to eight bytes at a place, its low end first.
fn little(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.get(..length)?;
    Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

fn narrow(value: Option<u64>) -> Option<u32> {
    u32::try_from(value?).ok()
}

/// Source: *packages-ue4-ue6*, §11.5; own measurement, of recordings of 48 kHz only: the rate has two bytes, as another
/// number follows it.
fn rada(head: &[u8]) -> Option<Audio> {
    let channels = u16::try_from(little(head, 9, 1)?).ok()?;
    audio(Codec::Rada, narrow(little(head, 0x34, 2))?, channels, little(head, 16, 8))
}

/// Returns the tag, size when decoded, then a WAVE format of what it decodes to.
///
/// Source: Valery V. Anisimovsky, *Maxis XA Audio File Format Description*. That the engine's packages of Electronic
/// Arts hold this kind is not measured.
fn xa(head: &[u8]) -> Option<Audio> {
    let half = |at: usize| head.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes));
    let whole = |at: usize| head.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    let (channels, align) = (half(10)?, half(20)?);
    let frames = whole(4)?.checked_div(align.into()).map(u64::from);
    audio(Codec::AdpcmXa, whole(12)?, channels, frames)
}
