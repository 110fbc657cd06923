//! Files as if they were one after another in a single one.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use unreal::Source;
use unreal::ue1to3::bulk::Payload;

use crate::open::Files;

/// Files that are opened when they are read.
pub(crate) struct JoinedFiles {
    files: Arc<dyn Files>,
    /// Offset of the first: bytes of something else come before it.
    start: u64,
    parts: Vec<Part>,
    /// Files that were read last, by their index.
    opened: Mutex<VecDeque<(usize, Arc<dyn Source>)>>,
}

/// A file, and which bytes of all are its own.
struct Part {
    start: u64,
    end: u64,
    path: PathBuf,
}

/// Files that are kept open.
const MAX_OPENED: usize = 16;

impl JoinedFiles {
    pub(crate) fn new(files: Arc<dyn Files>) -> Self {
        Self::after(0, files)
    }

    /// Creates one whose first file has an offset.
    pub(crate) fn after(start: u64, files: Arc<dyn Files>) -> Self {
        Self { files, start, parts: Vec::new(), opened: Mutex::default() }
    }

    /// Adds a file of `size` bytes after all others.
    pub(crate) fn add(&mut self, path: PathBuf, size: u64) -> Payload {
        let start = self.len();
        self.parts.push(Part { start, end: start.saturating_add(size), path });
        Payload::plain(start, size)
    }

    /// Returns the source of a file, opened unless it is one of the last.
    fn open(&self, index: usize, part: &Part) -> io::Result<Arc<dyn Source>> {
        let opened = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, source)) = opened().iter().find(|(known, _)| *known == index) {
            return Ok(Arc::clone(source));
        }
        let source: Arc<dyn Source> = self.files.open(&part.path)?.into();
        let mut opened = opened();
        opened.truncate(MAX_OPENED.saturating_sub(1));
        opened.push_front((index, Arc::clone(&source)));
        Ok(source)
    }
}

impl Source for JoinedFiles {
    fn len(&self) -> u64 {
        self.parts.last().map_or(self.start, |part| part.end)
    }

    fn read_ahead(&self, at: u64) -> u64 {
        let part = self.parts.get(self.parts.partition_point(|part| part.end <= at));
        part.map_or(0, |part| part.end.saturating_sub(at))
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        if at < self.start && !into.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (mut at, mut into) = (at, into);
        let mut index = self.parts.partition_point(|part| part.end <= at);
        while !into.is_empty() {
            let part = self.parts.get(index).ok_or(io::ErrorKind::UnexpectedEof)?;
            let left = usize::try_from(part.end.saturating_sub(at)).unwrap_or(usize::MAX);
            let (now, later) = into.split_at_mut_checked(left.min(into.len())).unwrap_or_default();
            if !now.is_empty() {
                self.open(index, part)?.read_at(at.saturating_sub(part.start), now)?;
            }
            at = at.saturating_add(now.len() as u64);
            into = later;
            index = index.saturating_add(1);
        }
        Ok(())
    }
}
