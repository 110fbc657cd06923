//! The end of a pak: what it is, and where its index lies.

use super::version::{PakLayout, PakVersion};
use crate::base::compress::Method;
use crate::base::crypt::{Cipher, CipherRules, KeyRing, STOCK, Vector};
use crate::base::error::{Error, ErrorKind, Malformed, NotPackage};
use crate::base::fields::{Fields, read_plain, write_plain};
use crate::base::guid::Guid;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::base::unsupported::Unsupported;
use crate::base::writer::{ByteWriter, WriteError};

const WHAT: &str = "footer of a pak";

pub(super) const MAGIC: u32 = 0x5A6F_12E1;

/// Bytes of the cipher and its vectors, which end a footer that has them.
const CIPHERS_LENGTH: u64 = 1 + size_of::<[Vector; 3]>() as u64;

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
    /// How its game encrypts: the footer does not state it.
    pub(super) rules: &'static CipherRules,
}

/// A method that a footer names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MethodSlot {
    pub(super) name: String,
    /// None if it is not known.
    pub(super) method: Option<Method>,
}

/// Where a part of the index lies, and the hash of what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IndexPart {
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) sha1: [u8; 20],
}

impl IndexPart {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        read_plain(reader, "index of a pak", |part: &mut Self, fields| part.fields(fields))
    }

    pub(super) fn write(mut self, writer: &mut ByteWriter) -> Result<(), WriteError> {
        write_plain(writer, |fields| self.fields(fields))
    }

    fn fields<F: Fields>(&mut self, fields: &mut F) -> Result<(), F::Error> {
        fields.u64(&mut self.offset)?;
        fields.u64(&mut self.size)?;
        fields.bytes(&mut self.sha1)
    }
}

/// A footer as it is stored: a field that its layout does not have is at its default.
#[derive(Debug, Default)]
struct StoredFooter {
    key: [u8; 16],
    is_index_encrypted: u8,
    magic: u32,
    version: u32,
    index: IndexPart,
    is_frozen: u8,
    /// Names of methods, each filled up with zeros.
    methods: Vec<[u8; 32]>,
    chunk: i32,
    cipher: u8,
    vectors: [Vector; 3],
}

impl StoredFooter {
    /// Goes through what is in front of the magic.
    fn before_magic<F: Fields>(&mut self, fields: &mut F, layout: &PakLayout) -> Result<(), F::Error> {
        if layout.has_key_guid {
            fields.bytes(&mut self.key)?;
        }
        if layout.says_encrypted { fields.u8(&mut self.is_index_encrypted) } else { Ok(()) }
    }

    /// Goes through the magic and what follows it.
    fn magic_and_after<F: Fields>(&mut self, fields: &mut F, layout: &PakLayout) -> Result<(), F::Error> {
        fields.u32(&mut self.magic)?;
        fields.u32(&mut self.version)?;
        self.index.fields(fields)?;
        if layout.says_frozen {
            fields.u8(&mut self.is_frozen)?;
        }
        self.methods.resize(layout.method_names, [0; 32]);
        self.methods.iter_mut().try_for_each(|name| fields.bytes(name))?;
        if layout.has_chunk_number {
            fields.i32(&mut self.chunk)?;
        }
        if layout.has_ciphers {
            fields.u8(&mut self.cipher)?;
            self.vectors.iter_mut().try_for_each(|vector| fields.bytes(vector))?;
        }
        Ok(())
    }
}

/// Returns the bytes of a footer in front of its magic, and from there on.
fn lengths(layout: &PakLayout) -> (u64, u64) {
    let (mut before, mut after, mut stored) =
        (ByteWriter::default(), ByteWriter::default(), StoredFooter::default());
    let written = write_plain(&mut before, |fields| stored.before_magic(fields, layout))
        .and_then(|()| write_plain(&mut after, |fields| stored.magic_and_after(fields, layout)));
    // Fields of fixed sizes can always be written; what cannot fits no file.
    written.map_or((u64::MAX, u64::MAX), |()| (before.len(), after.len()))
}

/// Returns the layouts that a footer may have: of each version, with room for each number of methods.
fn layouts() -> impl Iterator<Item = PakLayout> {
    let versions = (1..).map_while(PakVersion::of);
    versions.flat_map(|version| version.method_names().rev().map(move |names| version.layout(names)))
}

/// Returns whether a source ends as a pak does.
///
/// # Errors
/// If it cannot be read.
pub(in crate::containers) fn is_pak(source: &dyn Source) -> Result<bool, Error> {
    Ok(!matches!(find(source)?, FoundFooter::Nothing))
}

/// A footer that was looked for.
enum FoundFooter {
    Nothing,
    /// Its layout, and the offset of its magic.
    Known(PakLayout, u64),
    /// A version that is not known, and the offset of the magic before it.
    Unknown(u32, u64),
}

/// Looks for the magic where a footer of each layout has it.
fn find(source: &dyn Source) -> Result<FoundFooter, Error> {
    let length = source.len();
    let mut found = FoundFooter::Nothing;
    for layout in layouts() {
        let (before, after) = lengths(&layout);
        let Some(at) = length.checked_sub(after).filter(|at| *at >= before) else { continue };
        let mut reader = Reader::new(source, WHAT, at, length);
        if reader.u32()? != MAGIC {
            continue;
        }
        let number = reader.u32()?;
        match PakVersion::of(number) {
            Some(version) if layout.is_of(version) => return Ok(FoundFooter::Known(layout, at)),
            None => found = FoundFooter::Unknown(number, at),
            // Several have their magic at one offset.
            Some(_) => {}
        }
    }
    Ok(found)
}

/// Reads the footer of a pak.
///
/// # Errors
/// If the source is no pak, or contradicts itself.
pub(super) fn read(source: &dyn Source) -> Result<Footer, Error> {
    let (layout, magic) = match find(source)? {
        FoundFooter::Known(layout, magic) => (layout, magic),
        FoundFooter::Unknown(version, magic) => {
            return Err(Error::new(ErrorKind::Unsupported(Unsupported::PakVersion(version)), magic, WHAT));
        }
        FoundFooter::Nothing => {
            return Err(Error::new(ErrorKind::NotThisFormat(NotPackage::Unknown), source.len(), WHAT));
        }
    };
    let (before, _) = lengths(&layout);
    let at = magic.saturating_sub(before);
    let mut reader = Reader::new(source, WHAT, at, source.len());
    let stored = read_plain(&mut reader, WHAT, |stored: &mut StoredFooter, fields| {
        stored.before_magic(fields, &layout)?;
        stored.magic_and_after(fields, &layout)
    })?;
    if stored.is_frozen != 0 {
        return Err(Error::new(ErrorKind::Unsupported(Unsupported::FrozenIndex), magic, WHAT));
    }
    let methods = match layout.method_names {
        0 => ["Zlib", "Gzip", "Oodle"].map(MethodSlot::named).into_iter().map(Some).collect(),
        _ => stored.methods.iter().map(MethodSlot::of_field).collect(),
    };
    let (ciphers, has_vectors) = match stored.cipher {
        0 | 1 => ([Cipher::Ecb; 3], false),
        2 => (stored.vectors.map(Cipher::Ctr), true),
        other => {
            let at = source.len().saturating_sub(CIPHERS_LENGTH);
            return Err(Error::malformed(Malformed::Cipher(other), at, WHAT));
        }
    };
    let footer = Footer {
        layout,
        key: Guid::of_bytes(stored.key),
        is_index_encrypted: stored.is_index_encrypted != 0,
        index: stored.index,
        methods,
        cipher: stored.cipher,
        ciphers,
        has_vectors,
        rules: &STOCK,
    };
    let end = footer.index.offset.saturating_add(footer.index.size);
    if end > magic.saturating_sub(before) {
        let fault = Malformed::OutsideFile { end, length: source.len() };
        return Err(Error::malformed(fault, magic, WHAT));
    }
    Ok(footer)
}

impl Footer {
    /// Returns the ways of encryption that are tried.
    pub(super) fn possible_rules(&self, keys: &KeyRing) -> Vec<&'static CipherRules> {
        // Streams are the engine's own: only its footers state them.
        if self.has_vectors { vec![&STOCK] } else { keys.rules() }
    }

    /// Chooses how its game encrypts.
    pub(super) fn set_rules(&mut self, rules: &'static CipherRules) {
        self.rules = rules;
        for cipher in &mut self.ciphers {
            if !matches!(cipher, Cipher::Ctr(_)) {
                *cipher = rules.cipher;
            }
        }
    }

    /// Writes the footer, as [`read`] reads it.
    ///
    /// # Errors
    /// As the writer of its fields, all of which have fixed sizes.
    pub(super) fn write(&self, writer: &mut ByteWriter) -> Result<(), WriteError> {
        let slots = (0..self.layout.method_names).map(|slot| self.methods.get(slot).and_then(Option::as_ref));
        let mut stored = StoredFooter {
            key: self.key.bytes(),
            is_index_encrypted: self.is_index_encrypted.into(),
            magic: MAGIC,
            version: self.layout.version.number(),
            index: self.index,
            is_frozen: 0,
            methods: slots.map(|slot| slot.map_or([0; 32], MethodSlot::field)).collect(),
            // It is the pak of no chunk.
            chunk: -1,
            cipher: self.cipher,
            vectors: self.ciphers.map(|cipher| match cipher {
                Cipher::Ctr(vector) => vector,
                Cipher::Ecb | Cipher::EcbReversed => Vector::default(),
            }),
        };
        write_plain(writer, |fields| {
            stored.before_magic(fields, &self.layout)?;
            stored.magic_and_after(fields, &self.layout)
        })
    }
}

impl MethodSlot {
    pub(super) fn named(name: &str) -> Self {
        Self { name: name.to_owned(), method: Method::of_container(name) }
    }

    /// Returns the method of a field; none if it is empty.
    fn of_field(field: &[u8; 32]) -> Option<Self> {
        let text = field.split(|byte| *byte == 0).next().unwrap_or_default();
        let name = String::from_utf8_lossy(text);
        (!name.is_empty()).then(|| Self::named(&name))
    }

    /// Returns its name, filled up with zeros.
    fn field(&self) -> [u8; 32] {
        let mut field = [0; 32];
        field.iter_mut().zip(self.name.bytes()).for_each(|(to, byte)| *to = byte);
        field
    }
}

#[cfg(test)]
mod tests {
    use super::super::version::PakForm;
    use super::*;

    #[test]
    fn a_footer_is_as_long_as_its_fields() {
        let form = |text: &str| lengths(&text.parse::<PakForm>().unwrap().layout());
        assert_eq!(form("1"), (0, 44));
        assert_eq!(form("4"), (1, 44));
        assert_eq!(form("7"), (17, 44));
        assert_eq!(form("8a"), (17, 172));
        assert_eq!(form("8b"), (17, 204));
        assert_eq!(form("9"), (17, 205));
        assert_eq!(form("11"), (17, 204));
        assert_eq!(form("14"), (17, 208));
        assert_eq!(form("15"), (17, 245));
    }
}
