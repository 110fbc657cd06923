//! Paths of chunks. There may be millions, and as a rule many lie in one folder: each is the number of its folder and
//! that of its name, and they are put together when they are asked for.
//!
//! ```text
//! folders  │Game/Content/Audio│Game/Content/Maps│…      names  │SW_Steps.uasset│SW_Steps.ubulk│…
//!              ▲                                                  ▲
//! chunk ──► folder, name ─────────────────────────────────────────┘
//! ```

use std::collections::HashMap;

use crate::base::error::{Error, ErrorKind};
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::path::EntryPath;
use crate::base::reader::Reader;

const WHAT: &str = "paths of a table of contents";

/// The path of each chunk that has one.
#[derive(Debug, Default)]
pub(super) struct Paths {
    pub(super) folders: Texts,
    pub(super) names: Texts,
    places: Vec<Place>,
}

/// The numbers of a folder and of a name in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) folder: u32,
    pub(super) name: u32,
}

impl Place {
    /// That of a chunk without a path: no table has so many names.
    const NONE: Self = Self { folder: u32::MAX, name: u32::MAX };
}

/// Texts, one after another.
#[derive(Debug, Default)]
pub(super) struct Texts {
    text: String,
    /// Where each ends; it begins where the one before ends.
    ends: Vec<u32>,
}

impl Texts {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a text by its number; an empty one if there is none.
    pub(super) fn get(&self, number: u32) -> &str {
        let end = |number: u32| self.ends.get(number as usize).map(|end| *end as usize);
        let start = number.checked_sub(1).map_or(Some(0), end);
        start.zip(end(number)).and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default()
    }

    /// Adds a text; returns its number.
    ///
    /// # Errors
    /// If it takes more than the limits allow.
    pub(super) fn push(&mut self, text: &str, at: u64, limits: &mut Limits) -> Result<u32, Error> {
        limits.take_growing(text.len().saturating_add(size_of::<u32>()), at, WHAT)?;
        self.append(text, at)
    }

    /// Adds a text that was paid for.
    fn append(&mut self, text: &str, at: u64) -> Result<u32, Error> {
        let number = u32::try_from(self.ends.len());
        let end = u32::try_from(self.text.len().saturating_add(text.len()));
        let (Ok(number), Ok(end)) = (number, end) else {
            let asked = self.text.len().saturating_add(text.len()) as u64;
            return Err(Error::new(ErrorKind::OverLimit { asked, left: u32::MAX.into() }, at, WHAT));
        };
        self.text.push_str(text);
        self.ends.push(end);
        Ok(number)
    }
}

impl Paths {
    /// Reads names, and has none yet for each of so many chunks.
    ///
    /// # Errors
    /// If the names end early, or take more than the limits allow.
    pub(super) fn read(reader: &mut Reader<'_>, chunks: usize, limits: &mut Limits) -> Result<Self, Error> {
        let at = reader.at();
        let count = reader.count(4)?;
        limits.take_table::<u32>(count, at, WHAT)?;
        // All that is left are the names; those in UTF-16 may grow, and are paid for as they are read.
        let length = usize::try_from(reader.left()).unwrap_or(usize::MAX);
        let length = length.saturating_sub(count.saturating_mul(5));
        limits.take(length as u64, at, WHAT)?;
        let mut names = Texts { text: String::with_capacity(length), ends: Vec::with_capacity(count) };
        for _ in 0..count {
            let at = reader.at();
            // Each is held for a moment.
            let name = reader.string(MAX_PATH, &mut limits.clone())?;
            if names.text.capacity().saturating_sub(names.text.len()) < name.len() {
                limits.take_growing(name.len(), at, WHAT)?;
            }
            names.append(&name, at)?;
        }
        limits.take_table::<Place>(chunks, at, WHAT)?;
        Ok(Self { folders: Texts::default(), names, places: vec![Place::NONE; chunks] })
    }

    /// Returns the path of a chunk.
    pub(super) fn get(&self, chunk: usize) -> Option<EntryPath<'_>> {
        let place = self.places.get(chunk).filter(|place| **place != Place::NONE)?;
        Some(EntryPath { folder: self.folders.get(place.folder), name: self.names.get(place.name) })
    }

    /// Returns where the path of a chunk is kept.
    pub(super) fn place_mut(&mut self, chunk: usize) -> Option<&mut Place> {
        self.places.get_mut(chunk)
    }

    /// Adds a path of a folder of its own.
    ///
    /// # Errors
    /// If it takes more than the limits allow.
    pub(super) fn add(&mut self, path: &str, at: u64, limits: &mut Limits) -> Result<Place, Error> {
        let EntryPath { folder, name } = EntryPath::of(path);
        Ok(Place { folder: self.folders.push(folder, at, limits)?, name: self.names.push(name, at, limits)? })
    }

    /// Sets the paths of those of so many chunks that have none.
    ///
    /// # Errors
    /// If they take more than the limits allow.
    pub(super) fn set_missing(
        &mut self,
        chunks: usize,
        path: impl Fn(usize) -> Option<String>,
        limits: &mut Limits,
    ) -> Result<(), Error> {
        let Self { folders, names, places } = self;
        if places.len() < chunks {
            limits.take_table::<Place>(chunks, 0, WHAT)?;
            places.reserve_exact(chunks.saturating_sub(places.len()));
            places.resize(chunks, Place::NONE);
        }
        let mut known: HashMap<String, u32> = HashMap::new();
        for (chunk, place) in places.iter_mut().enumerate().filter(|(_, place)| **place == Place::NONE) {
            let Some(path) = path(chunk) else { continue };
            let EntryPath { folder, name } = EntryPath::of(&path);
            let folder = match known.get(folder) {
                Some(number) => *number,
                None => {
                    let number = folders.push(folder, 0, limits)?;
                    known.insert(folder.to_owned(), number);
                    number
                }
            };
            *place = Place { folder, name: names.push(name, 0, limits)? };
        }
        Ok(())
    }
}
