use std::collections::HashSet;

use super::source::SoundSource;
use crate::StreamKind;
use crate::reader::Reader;

/// Finds sources in an item that cannot be read: a word that is the id of a known media, up to twelve bytes after the
/// word of a codec.
pub(super) fn find_sources(reader: &Reader<'_>, known: &HashSet<u32>) -> Vec<SoundSource> {
    let bytes = reader.rest();
    let mut found: Vec<SoundSource> = Vec::new();
    let mut seen = HashSet::new();
    let mut codec: Option<(usize, u32)> = None;
    for (index, window) in bytes.windows(4).enumerate() {
        let Ok(word) = Reader::new(window, 0, "Wwise item").like(reader).u32() else { break };
        // 0x000X0001 and the two-digit codecs: Opus, MIDI.
        if word & 0xFFFF == 1 && (1..0x20).contains(&(word >> 16)) {
            codec = Some((index, word));
        } else if let Some((at, plugin)) = codec
            && index.saturating_sub(at) <= 12
            && index >= at.saturating_add(4)
            && known.contains(&word)
            && seen.insert(word)
        {
            let plugin_at = reader.at().saturating_add(at as u64);
            found.push(SoundSource {
                plugin,
                stream: StreamKind::Memory,
                media: word,
                plugin_at,
                size_at: None,
                size: 0,
            });
        }
    }
    found
}
