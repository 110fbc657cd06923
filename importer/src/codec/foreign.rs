//! What the heads of formats say that are not decoded.

use song::Hz;

use crate::window::Window;
use crate::{Audio, Codec, Damage, Format};

/// What is known of a payload without decoding it; none where its head says nothing.
pub(crate) fn describe(format: Format, window: &Window<'_>) -> Result<Option<Audio>, Damage> {
    let head = window.head(64)?;
    Ok(match format {
        Format::Xma2 => xma2(&head),
        Format::Msf => msf(&head),
        _ => None,
    })
}

fn audio(codec: Codec, rate: u32, channels: u16) -> Option<Audio> {
    let rate = Hz::new(rate).ok()?;
    Some(Audio { codec, rate, channels, bits: None, frames: None, loops: Vec::new() })
}

/// A WAVE format with its high ends first, behind three sizes.
fn xma2(head: &[u8]) -> Option<Audio> {
    let channels = u16::from_be_bytes(*head.get(14..)?.first_chunk()?);
    audio(Codec::Xma2, u32::from_be_bytes(*head.get(16..)?.first_chunk()?), channels)
}

/// Tag, codec, channels, size, rate.
///
/// Source: own measurements of packages of versions 512 and 813 (codecs 5 and 7); the other codecs from *vgmstream*.
fn msf(head: &[u8]) -> Option<Audio> {
    let start = if head.starts_with(b"MSF") { head } else { head.get(16..)? };
    let word = |at: usize| Some(u32::from_be_bytes(*start.get(at..)?.first_chunk()?));
    let codec = match word(4)? {
        3 => Codec::AdpcmPsx,
        4..=6 => Codec::Atrac3,
        7 => Codec::Mp3,
        _ => return None,
    };
    audio(codec, word(16)?, u16::try_from(word(8)?).ok()?)
}
