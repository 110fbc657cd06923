//! The end of a pak: what it is, and where its index lies.

use super::layout::PakLayout;
use super::version::PakVersion;
use crate::base::compress::Method;
use crate::base::crypt::{Cipher, Vector};
use crate::base::error::{Error, ErrorKind, Malformed, NotPackage};
use crate::base::guid::Guid;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::base::unsupported::Unsupported;
use crate::base::writer::ByteWriter;

const WHAT: &str = "footer of a pak";

pub(super) const MAGIC: u32 = 0x5A6F_12E1;

/// What the end of a pak says.
#[derive(Clone, Debug)]
pub(super) struct Footer {
    pub(super) layout: PakLayout,
    pub(super) key: Guid,
    pub(super) is_index_encrypted: bool,
    pub(super) index: IndexPart,
    /// Names of methods, in the order of their slots.
    pub(super) methods: Vec<Option<MethodSlot>>,
    /// How it is encrypted: 0 not at all, 1 each 16 bytes alone, 2 by streams.
    pub(super) cipher: u8,
    /// The ciphers of index, path hashes and directory.
    pub(super) ciphers: [Cipher; 3],
    /// Whether entries are encrypted with a vector of their own.
    pub(super) has_vectors: bool,
}

/// A method that a footer names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MethodSlot {
    pub(super) name: String,
    /// None if it is not known.
    pub(super) method: Option<Method>,
}

/// Where a part of the index lies, and the hash of what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexPart {
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) sha1: [u8; 20],
}

impl IndexPart {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self { offset: reader.u64()?, size: reader.u64()?, sha1: reader.array()? })
    }

    pub(super) fn write(&self, writer: &mut ByteWriter) {
        writer.u64(self.offset);
        writer.u64(self.size);
        writer.bytes(&self.sha1);
    }
}

/// Returns the layouts that a footer may have: of each version, with room for each number of methods.
fn layouts() -> impl Iterator<Item = PakLayout> {
    let versions = (1..).map_while(PakVersion::of);
    // Several have their magic at one place, but only one states that version there.
    versions.flat_map(|version| version.method_names().rev().map(move |names| version.layout(names)))
}

/// Returns whether a source ends as a pak does.
///
/// # Errors
/// If it cannot be read.
pub(in crate::containers) fn is_pak(source: &dyn Source) -> Result<bool, Error> {
    Ok(find(source)?.is_some())
}

/// Returns the layout of a footer, and where its magic lies.
fn find(source: &dyn Source) -> Result<Option<(PakLayout, u64)>, Error> {
    let length = source.len();
    for layout in layouts() {
        let (before, after) = layout.footer();
        let Some(at) = length.checked_sub(after).filter(|at| *at >= before) else { continue };
        let mut reader = Reader::new(source, WHAT, at, length);
        if reader.u32()? == MAGIC && PakVersion::of(reader.u32()?) == Some(layout.version) {
            return Ok(Some((layout, at)));
        }
    }
    Ok(None)
}

/// Reads the footer of a pak.
///
/// # Errors
/// If the source is no pak, or contradicts itself.
pub(super) fn read(source: &dyn Source) -> Result<Footer, Error> {
    let no_pak = || Error::new(ErrorKind::NotThisFormat(NotPackage::Unknown), source.len(), WHAT);
    let (layout, magic) = find(source)?.ok_or_else(no_pak)?;
    let (before, _) = layout.footer();
    let mut reader = Reader::new(source, WHAT, magic.saturating_sub(before), source.len());
    let key = if layout.has_key_guid { reader.guid()? } else { Guid::default() };
    let is_index_encrypted = layout.says_encrypted && reader.u8()? != 0;
    reader.skip(8)?;
    let index = IndexPart::read(&mut reader)?;
    if layout.says_frozen && reader.u8()? != 0 {
        return Err(Error::new(ErrorKind::Unsupported(Unsupported::FrozenIndex), magic, WHAT));
    }
    let mut methods = match layout.method_names {
        0 => ["Zlib", "Gzip", "Oodle"].map(MethodSlot::named).into_iter().map(Some).collect(),
        _ => Vec::new(),
    };
    for _ in 0..layout.method_names {
        let name: [u8; 32] = reader.array()?;
        let text = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let name = String::from_utf8_lossy(text);
        methods.push((!name.is_empty()).then(|| MethodSlot::named(&name)));
    }
    if layout.has_chunk_number {
        reader.skip(4)?;
    }
    let mut footer = Footer {
        layout,
        key,
        is_index_encrypted,
        index,
        methods,
        cipher: 0,
        ciphers: [Cipher::Ecb; 3],
        has_vectors: false,
    };
    if layout.has_ciphers {
        let at = reader.at();
        let cipher = reader.u8()?;
        footer.cipher = cipher;
        let vectors: [Vector; 3] = [reader.array()?, reader.array()?, reader.array()?];
        match cipher {
            0 | 1 => {}
            2 => (footer.ciphers, footer.has_vectors) = (vectors.map(Cipher::Ctr), true),
            other => return Err(Error::malformed(Malformed::Cipher(other), at, WHAT)),
        }
    }
    let end = footer.index.offset.saturating_add(footer.index.size);
    if end > magic.saturating_sub(before) {
        let fault = Malformed::OutsideFile { end, length: source.len() };
        return Err(Error::malformed(fault, magic, WHAT));
    }
    Ok(footer)
}

impl Footer {
    /// Writes the footer, as [`read`] reads it.
    pub(super) fn write(&self, writer: &mut ByteWriter) {
        let Self { layout, key, is_index_encrypted, index, methods, cipher, ciphers, .. } = self;
        if layout.has_key_guid {
            key.words().into_iter().for_each(|word| writer.u32(word));
        }
        if layout.says_encrypted {
            writer.u8((*is_index_encrypted).into());
        }
        writer.u32(MAGIC);
        writer.u32(layout.version.number());
        index.write(writer);
        if layout.says_frozen {
            writer.u8(0);
        }
        for place in 0..layout.method_names {
            let name = methods.get(place).and_then(Option::as_ref).map_or("", |slot| &slot.name);
            let mut field = [0; 32];
            field.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
            writer.bytes(&field);
        }
        if layout.has_chunk_number {
            // It is the pak of no chunk.
            writer.i32(-1);
        }
        if layout.has_ciphers {
            writer.u8(*cipher);
            for cipher in ciphers {
                match cipher {
                    Cipher::Ctr(vector) => writer.bytes(vector),
                    Cipher::Ecb => writer.bytes(&Vector::default()),
                }
            }
        }
    }
}

impl MethodSlot {
    pub(super) fn named(name: &str) -> Self {
        Self { name: name.to_owned(), method: Method::of_container(name) }
    }
}
