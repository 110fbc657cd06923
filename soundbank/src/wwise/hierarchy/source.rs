use super::super::layout::{Layout, SourceCoding};
use crate::reader::Reader;
use crate::{Error, StreamKind};

/// Where a sound or track takes its recording from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wwise) struct SoundSource {
    /// Codec or generator.
    pub(in crate::wwise) plugin: u32,
    /// How the media reaches the memory.
    pub(in crate::wwise) stream: StreamKind,
    /// The media.
    pub(in crate::wwise) media: u32,
    /// Offset of the plugin word in the file.
    pub(in crate::wwise) plugin_at: u64,
    /// Offset of the size in the file, where there is one.
    pub(in crate::wwise) size_at: Option<u64>,
    /// The size: bytes of the media that its bank loads.
    pub(in crate::wwise) size: u32,
}

/// The low bits of a plugin word that say what kind it is.
const KIND: u32 = 0xF;

impl SoundSource {
    /// Returns whether a codec decodes a media; else a generator makes the sound.
    pub(in crate::wwise) const fn is_codec(&self) -> bool {
        self.plugin & KIND == 1
    }
}

/// Reads a source.
pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<SoundSource, Error> {
    let plugin_at = reader.at();
    let plugin = reader.u32()?;
    let number = if layout.is_prefetch_one { u32::from(reader.u8()?) } else { reader.u32()? };
    let stream = match (number, layout.is_prefetch_one) {
        (1, true) | (2, false) => StreamKind::Prefetch,
        (2, true) | (1, false) => StreamKind::Streamed,
        _ => StreamKind::Memory,
    };
    let media = reader.u32()?;
    let is_streamed = stream == StreamKind::Streamed;
    let has_size = match layout.source {
        SourceCoding::FileOffsetSizeInBank => {
            reader.skip(if is_streamed { 4 } else { 8 })?;
            !is_streamed
        }
        SourceCoding::FileOffsetSize => {
            reader.skip(if is_streamed { 4 } else { 8 })?;
            true
        }
        SourceCoding::Size => true,
        SourceCoding::CacheSize => {
            reader.skip(4)?;
            true
        }
    };
    let (mut size_at, mut size) = (None, 0);
    if has_size {
        size_at = Some(reader.at());
        size = reader.u32()?;
    }
    // Bits: language, prefetch, not cached, has a source.
    reader.skip(1)?;
    let kind = plugin & KIND;
    let has_parameters = kind == 2 || (kind == 5 && layout.has_kind_5_parameters);
    if has_parameters && plugin != 0 && plugin != u32::MAX {
        let count = reader.count(1)?;
        reader.skip(count)?;
    }
    Ok(SoundSource { plugin, stream, media, plugin_at, size_at, size })
}
