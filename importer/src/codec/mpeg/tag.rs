use super::header::FrameHeader;
use crate::Damage;
use crate::payload_reader::PayloadReader;

/// Returns where the frames begin: after an `ID3v2` tag, if there is one.
///
/// Source: id3.org, *ID3 tag version 2.4.0*, §3.1.
pub(super) fn after_id3(reader: &PayloadReader<'_>) -> Result<u64, Damage> {
    let head = reader.head(10)?;
    let [b'I', b'D', b'3', _, _, flags, a, b, c, d] = head.as_slice() else { return Ok(0) };
    let size = [a, b, c, d].into_iter().fold(0, |size, byte| size << 7 | u64::from(byte & 0x7F));
    let footer = if flags & 0x10 == 0 { 0 } else { 10 };
    Ok(size.saturating_add(10).saturating_add(footer).min(reader.length()))
}

/// A frame that describes the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct XingTag {
    /// Frames that the encoder added before and after.
    pub(super) delay: Option<(u64, u64)>,
}

/// Encoders whose tags hold delays.
const ENCODERS: [&[u8; 4]; 3] = [b"LAME", b"Lavf", b"Lavc"];

/// Returns the tag in the first frame, if that is none of sound.
pub(super) fn of(frame: &[u8], header: &FrameHeader) -> Option<XingTag> {
    if header.layer != 3 {
        return None;
    }
    if frame.get(36..40) == Some(b"VBRI") {
        return Some(XingTag { delay: None });
    }
    let side = match (header.is_mpeg1, header.channels) {
        (true, 2) => 32,
        (true, _) | (false, 2) => 17,
        (false, _) => 9,
    };
    // Some encoders leave no room for the checksum that they announce.
    let places = [4_usize.saturating_add(side), 6_usize.saturating_add(side)];
    let places = if header.has_checksum { &places[..] } else { places.get(..1)? };
    let tag = places.iter().find_map(|place| {
        let tag = frame.get(*place..)?;
        (tag.starts_with(b"Xing") || tag.starts_with(b"Info")).then_some(tag)
    })?;
    Some(XingTag { delay: delay(tag) })
}

/// Returns what follows frames, bytes, seek table and quality, each of which may be missing.
fn delay(tag: &[u8]) -> Option<(u64, u64)> {
    let flags = tag.get(7)?;
    let sizes = [(1, 4), (2, 4), (4, 100), (8, 4)];
    let fields = sizes.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, size)| size).sum::<usize>();
    let encoder = tag.get(8_usize.saturating_add(fields)..)?;
    if !ENCODERS.iter().any(|name| encoder.starts_with(*name)) {
        return None;
    }
    let [a, b, c] = encoder.get(21..24)? else { return None };
    Some((u64::from(*a) << 4 | u64::from(b >> 4), u64::from(b & 15) << 8 | u64::from(*c)))
}
