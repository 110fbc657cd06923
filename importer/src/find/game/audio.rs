//! The recordings of a game as if they were one file.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use unreal::containers::mount::{Mount, MountedEntry};
use unreal::ue1to3::bulk::Payload;
use unreal::ue4to6::asset::StoredPayload;
use unreal::{Limits, Memory, Source};

/// The recordings of a game, one after another.
pub(crate) struct GameAudio {
    mount: Arc<Mount>,
    /// By where they begin.
    parts: Vec<AudioPart>,
    length: u64,
    /// Entries that were read last.
    opened: Mutex<VecDeque<(OpenedKey, Arc<dyn Source>)>>,
}

/// Some of the bytes of a recording.
struct AudioPart {
    start: u64,
    end: u64,
    place: PartPlace,
}

/// Where bytes lie.
enum PartPlace {
    /// In an entry, from an offset on.
    Entry(MountedEntry, u64),
    /// In the package trailer of an entry.
    Payload(MountedEntry, StoredPayload),
    /// In memory: what was made of something else.
    Memory(Box<[u8]>),
}

/// Bytes of an entry.
#[derive(Clone, Copy)]
pub(crate) struct FoundPart {
    pub(super) entry: MountedEntry,
    pub(super) bytes: PartBytes,
}

/// Where bytes of an entry are.
#[derive(Clone, Copy)]
pub(super) enum PartBytes {
    /// Plain, from an offset on.
    Plain { offset: u64, size: u64 },
    /// In its package trailer.
    Payload(StoredPayload),
}

/// An entry, or a payload of its package trailer.
type OpenedKey = (MountedEntry, Option<StoredPayload>);

/// Entries that are kept open: each keeps a megabyte of blocks at most.
const MAX_OPENED: usize = 16;

impl GameAudio {
    /// Creates one without recordings.
    pub(super) fn new(mount: Arc<Mount>) -> Self {
        Self { mount, parts: Vec::new(), length: 0, opened: Mutex::default() }
    }

    /// Creates one of a single file.
    pub(crate) fn of(mount: &Arc<Mount>, parts: &[FoundPart]) -> Self {
        let mut audio = Self::new(Arc::clone(mount));
        audio.add(parts.to_vec());
        audio
    }

    /// Adds a recording after all others.
    pub(super) fn add(&mut self, parts: Vec<FoundPart>) -> Payload {
        let start = self.length;
        for FoundPart { entry, bytes } in parts {
            match bytes {
                PartBytes::Plain { offset, size } => self.push(PartPlace::Entry(entry, offset), size),
                PartBytes::Payload(payload) => self.push(PartPlace::Payload(entry, payload), payload.raw),
            }
        }
        Payload::plain(start, self.length.saturating_sub(start))
    }

    /// Adds bytes that are no entry's.
    pub(super) fn add_bytes(&mut self, bytes: Vec<u8>) -> Payload {
        let (start, size) = (self.length, bytes.len() as u64);
        self.push(PartPlace::Memory(bytes.into()), size);
        Payload::plain(start, size)
    }

    fn push(&mut self, place: PartPlace, size: u64) {
        let start = self.length;
        self.length = start.saturating_add(size);
        self.parts.push(AudioPart { start, end: self.length, place });
    }

    /// Returns an entry, or a payload of it, opened unless it is one of the last.
    fn open(&self, key: OpenedKey) -> io::Result<Arc<dyn Source>> {
        let opened = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, source)) = opened().iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(source));
        }
        let (entry, payload) = key;
        let container = self.mount.container(entry).ok_or(io::ErrorKind::NotFound)?;
        let source = container.open(entry.entry).map_err(io::Error::other)?;
        let source: Arc<dyn Source> = match payload {
            Some(payload) => payload.open(source, &mut Limits::default()).map_err(io::Error::other)?.into(),
            None => source.into(),
        };
        let mut opened = opened();
        opened.truncate(MAX_OPENED.saturating_sub(1));
        opened.push_front((key, Arc::clone(&source)));
        Ok(source)
    }
}

impl Source for GameAudio {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_ahead(&self, at: u64) -> u64 {
        let part = self.parts.get(self.parts.partition_point(|part| part.end <= at));
        part.map_or(0, |part| part.end.saturating_sub(at))
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let (mut at, mut into) = (at, into);
        let mut number = self.parts.partition_point(|part| part.end <= at);
        while !into.is_empty() {
            let part = self.parts.get(number).ok_or(io::ErrorKind::UnexpectedEof)?;
            let within = at.saturating_sub(part.start);
            let left = usize::try_from(part.end.saturating_sub(at)).unwrap_or(usize::MAX);
            let (now, later) = into.split_at_mut_checked(left.min(into.len())).unwrap_or_default();
            match &part.place {
                PartPlace::Entry(entry, offset) => {
                    self.open((*entry, None))?.read_at(offset.saturating_add(within), now)?;
                }
                PartPlace::Payload(entry, payload) => {
                    self.open((*entry, Some(*payload)))?.read_at(within, now)?;
                }
                PartPlace::Memory(bytes) => Memory(bytes).read_at(within, now)?,
            }
            at = at.saturating_add(now.len() as u64);
            into = later;
            number = number.saturating_add(1);
        }
        Ok(())
    }
}
