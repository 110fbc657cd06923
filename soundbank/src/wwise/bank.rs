use std::collections::HashSet;

use unreal::{Limits, Source};

use super::hierarchy::{self, Hierarchy, ItemContext, ItemKind, SoundSource};
use super::layout::{Layout, TextCoding};
use super::settings::Settings;
use super::version::Version;
use crate::reader::{Reader, read_region};
use crate::{Error, ErrorKind};

/// A bank: what its chunks say. Its media stay where they are.
#[derive(Debug)]
pub(super) struct Bank {
    /// What its header says.
    pub(super) header: BankHeader,
    /// All chunks in their order.
    pub(super) chunks: Vec<Chunk>,
    /// The media that it holds, as listed.
    pub(super) media: Vec<StoredMedia>,
    /// Sounds, containers, events.
    pub(super) hierarchy: Hierarchy,
    /// Names of banks by their ids.
    pub(super) names: Vec<(u32, String)>,
    /// Platform that it was made for.
    pub(super) platform: Option<String>,
    /// Global settings.
    pub(super) settings: Option<Settings>,
    /// What could not be read of it.
    pub(super) error: Option<Error>,
}

/// The header of a bank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BankHeader {
    /// Version.
    pub(super) version: Version,
    /// Id of the bank: the hash of its name.
    pub(super) id: u32,
    /// Language: the hash of its name, or a number.
    pub(super) language: u32,
    /// Whether its nodes have feedback buses.
    pub(super) has_feedback: bool,
    /// Media begin at multiples of it.
    pub(super) alignment: u16,
    /// Byte order of all numbers.
    pub(super) is_big_endian: bool,
}

/// A chunk of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Its tag.
    pub(super) tag: [u8; 4],
    /// Offset of its data in the file.
    pub(super) at: u64,
    /// Bytes of its data; of a cut file those that are left.
    pub(super) length: u64,
}

/// A media that a bank lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredMedia {
    /// Its id.
    pub(super) id: u32,
    /// Offset in the file, not in DATA.
    pub(super) at: u64,
    /// Bytes.
    pub(super) length: u64,
}

/// More chunks than a bank has kinds of, by far.
const MAX_CHUNKS: usize = 1024;

/// Bytes of an entry of DIDX.
const MEDIA_ENTRY: usize = 12;

/// The bit of a version that says that a customer changed the format.
const CUSTOM: u32 = 1 << 31;

/// The highest version that is one; more is noise, the sign of encryption.
const HIGHEST_VERSION: u32 = 0xFFFF;

impl Bank {
    /// Returns the sources of all items.
    pub(super) fn sources(&self) -> impl Iterator<Item = &SoundSource> {
        self.hierarchy.items.iter().flat_map(|item| item.body.sources())
    }

    /// Returns the first chunk of that tag.
    pub(super) fn chunk(&self, tag: [u8; 4]) -> Option<Chunk> {
        self.chunks.iter().copied().find(|chunk| chunk.tag == tag)
    }

    /// Reads a bank in a region of a source. Items that cannot be read are scanned for the media that it lists, and for
    /// another one if that is given.
    ///
    /// # Errors
    /// If it is no bank, is encrypted, or is of a version that a customer changed. What is damaged beyond its header is
    /// said in [`Bank::error`].
    pub(super) fn read(
        source: &dyn Source,
        (at, length): (u64, u64),
        also: &[u32],
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let end = at.saturating_add(length).min(source.len());
        let header_length = end.saturating_sub(at).min(HEADER_LENGTH);
        let head = read_region(source, at, header_length, "Wwise bank", limits)?;
        let header = BankHeader::read(&head, at)?;
        let mut bank = Self {
            header,
            chunks: Vec::new(),
            media: Vec::new(),
            hierarchy: Hierarchy::default(),
            names: Vec::new(),
            platform: None,
            settings: None,
            error: None,
        };
        if let Err(error) = bank.find_chunks(source, at, end, limits) {
            bank.error = Some(error);
        }
        if let Err(error) = bank.read_chunks(source, also, limits) {
            bank.error.get_or_insert(error);
        }
        Ok(bank)
    }

    fn find_chunks(
        &mut self,
        source: &dyn Source,
        start: u64,
        end: u64,
        limits: &mut Limits,
    ) -> Result<(), Error> {
        let mut at = start;
        while at < end {
            let left = end.saturating_sub(at);
            if self.chunks.len() >= MAX_CHUNKS {
                return Err(Error::new(
                    ErrorKind::Malformed("has more chunks than any bank"),
                    at,
                    "Wwise bank",
                ));
            }
            if left < 8 {
                return Err(Error::new(ErrorKind::EndsEarly { wanted: 8, left }, at, "Wwise chunk"));
            }
            let bytes = read_region(source, at, 8, "Wwise chunk", limits)?;
            let mut reader = Reader::new(&bytes, at, "Wwise chunk").big_endian(self.header.is_big_endian);
            let mut tag = [0; 4];
            tag.copy_from_slice(reader.bytes(4)?);
            let length = u64::from(reader.u32()?);
            let data = at.saturating_add(8);
            let left = end.saturating_sub(data);
            self.chunks.push(Chunk { tag, at: data, length: length.min(left) });
            if length > left {
                return Err(Error::new(ErrorKind::EndsEarly { wanted: length, left }, data, "Wwise chunk"));
            }
            at = data.saturating_add(length);
        }
        Ok(())
    }

    fn read_chunks(&mut self, source: &dyn Source, also: &[u32], limits: &mut Limits) -> Result<(), Error> {
        let layout = Layout::of(self.header.version);
        let is_big_endian = self.header.is_big_endian;
        let region = |chunk: Chunk, what, limits: &mut Limits| {
            read_region(source, chunk.at, chunk.length, what, limits)
        };
        if let Some(chunk) = self.chunk(*b"DIDX") {
            let bytes = region(chunk, "Wwise media list", limits)?;
            let mut reader = Reader::new(&bytes, chunk.at, "Wwise media list").big_endian(is_big_endian);
            let count = bytes.len().checked_div(MEDIA_ENTRY).unwrap_or_default();
            let data = self.chunk(*b"DATA").map_or(0, |data| data.at);
            self.media.reserve_exact(count);
            for _ in 0..count {
                let id = reader.u32()?;
                let offset = u64::from(reader.u32()?);
                self.media.push(StoredMedia {
                    id,
                    at: data.saturating_add(offset),
                    length: reader.u32()?.into(),
                });
            }
        }
        if let Some(chunk) = self.chunk(*b"HIRC") {
            // The bytes are not kept: what is kept of them is paid for by itself.
            let mut room = Limits::with_structures(limits.structures_left());
            let bytes = region(chunk, "Wwise items", &mut room)?;
            let reader = Reader::new(&bytes, chunk.at, "Wwise items").big_endian(is_big_endian);
            let known: HashSet<u32> =
                self.media.iter().map(|media| media.id).chain(also.iter().copied()).collect();
            let context = ItemContext { layout: &layout, has_feedback: self.header.has_feedback };
            self.hierarchy = hierarchy::read(reader, &context, &known, limits);
        }
        if let Some(chunk) = self.chunk(*b"STID") {
            let bytes = region(chunk, "Wwise bank names", limits)?;
            let mut reader = Reader::new(&bytes, chunk.at, "Wwise bank names").big_endian(is_big_endian);
            self.names = read_bank_names(&mut reader)?;
        }
        if let Some(chunk) = self.chunk(*b"PLAT") {
            let bytes = region(Chunk { length: chunk.length.min(256), ..chunk }, "Wwise platform", limits)?;
            let text = match layout.text {
                TextCoding::UntilZero => &bytes,
                TextCoding::Absent | TextCoding::LengthFirst => bytes.get(4..).unwrap_or_default(),
            };
            let text: Vec<u8> = text.iter().copied().take_while(|byte| *byte != 0).collect();
            self.platform = String::from_utf8(text).ok().filter(|text| !text.is_empty());
        }
        if let Some(chunk) = self.chunk(*b"STMG") {
            let bytes = region(chunk, "Wwise settings", limits)?;
            let mut reader = Reader::new(&bytes, chunk.at, "Wwise settings").big_endian(is_big_endian);
            let (settings, error) = Settings::read(&mut reader, &layout);
            self.settings = Some(settings);
            if let Some(error) = error {
                self.hierarchy.add_unread(ItemKind::Settings, &error);
            }
        }
        Ok(())
    }
}

/// Alignment of media unless a bank states another one.
const DEFAULT_ALIGNMENT: u16 = 16;

/// Bytes of a header that are looked at: the chunk's head, version, id, language, flags.
const HEADER_LENGTH: u64 = 24;

impl BankHeader {
    /// Reads the first chunk.
    fn read(bytes: &[u8], at: u64) -> Result<Self, Error> {
        let reader = Reader::new(bytes, at, "Wwise bank");
        match bytes.first_chunk::<4>() {
            Some(b"BKHD") => {}
            Some(b"AKBK") => {
                let text = "a bank of version 14 or older (AKBK), which is not read".into();
                return Err(reader.error(ErrorKind::Unsupported(text)));
            }
            Some(b"vers") if bytes.starts_with(b"version https://git-lfs") => {
                return Err(reader.error(ErrorKind::NotThisFormat("a Git LFS pointer")));
            }
            _ => return Err(reader.error(ErrorKind::NotThisFormat("no Wwise bank"))),
        }
        let mut size = reader.clone();
        size.skip(4)?;
        let is_big_endian = size.clone().big_endian(true).u32()? < size.u32()?;
        let mut reader = reader.big_endian(is_big_endian);
        reader.skip(8)?;
        let version = reader.clone().u32()?;
        if version & CUSTOM != 0 && version & !CUSTOM <= HIGHEST_VERSION {
            let text = format!("a customer's own version of the format, {version:#010X}, which is not read");
            return Err(reader.error(ErrorKind::Unsupported(text)));
        }
        if version > HIGHEST_VERSION {
            return Err(reader.error(ErrorKind::Encrypted));
        }
        reader.skip(4)?;
        let version = Version::new(version);
        let (id, language, flags) = (reader.u32()?, reader.u32()?, reader.u32()?);
        let layout = Layout::of(version);
        let has_feedback = layout.node.can_feed_back && flags & 1 != 0;
        let stated = if layout.has_alignment { u16::try_from(flags & 0xFFFF).unwrap_or_default() } else { 0 };
        let alignment = if stated == 0 { DEFAULT_ALIGNMENT } else { stated };
        Ok(Self { version, id, language, has_feedback, alignment, is_big_endian })
    }
}

fn read_bank_names(reader: &mut Reader<'_>) -> Result<Vec<(u32, String)>, Error> {
    reader.skip(4)?;
    let count = reader.count(5)?;
    let mut names = Vec::with_capacity(count);
    for _ in 0..count {
        let id = reader.u32()?;
        let length = reader.u8()?;
        let name = reader.bytes(length.into())?;
        names.push((id, String::from_utf8_lossy(name).into_owned()));
    }
    Ok(names)
}
