//! The classes, structures and functions of a game, which packages refer to by the hashes of their paths.
//!
//! Source: *packages-ue4-ue6*, §7: 36,979 objects of Unreal Engine 5.8, measured.

use std::collections::HashMap;

use crate::base::error::{Error, Malformed};
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::names::Names;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::containers::mount::Mount;
use crate::containers::{ChunkType, Container, IoStore};
use crate::ue4to6::script;

const WHAT: &str = "script objects";

/// How deep objects lie in others at most.
const DEPTH: usize = 64;

/// An object of the game's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptObject {
    /// Full path: `/Script/Engine.SoundWave`.
    pub path: String,
    /// Number in packages: a hash of the path, and its kind (Epic: `FPackageObjectIndex`).
    pub id: u64,
    /// The object that it lies in; none for a package.
    pub outer: Option<u64>,
    /// The class that it is the default object of.
    pub class: Option<u64>,
}

/// Paths of the objects of a game's code by their numbers.
#[derive(Debug, Default)]
pub struct ScriptNames(HashMap<u64, String>);

impl ScriptNames {
    /// Reads them from the containers that have them; a game without such containers has none.
    ///
    /// # Errors
    /// If a table of them contradicts itself, or takes more than the limits allow.
    pub fn read(mount: &Mount, limits: &mut Limits) -> Result<Self, Error> {
        let mut names = HashMap::new();
        for (_, container) in mount.containers() {
            let Container::IoStore(store) = &**container else { continue };
            let objects = store.script_objects(limits)?.unwrap_or_default();
            names.extend(objects.into_iter().map(|object| (object.id, object.path)));
        }
        Ok(Self(names))
    }

    /// Returns the path of an object: one of the game, or one that every game has.
    #[must_use]
    pub fn path(&self, number: u64) -> Option<&str> {
        self.0.get(&number).map(String::as_str).or_else(|| script::path(number))
    }

    /// Returns the path of an object, or its number.
    #[must_use]
    pub fn name(&self, number: u64) -> String {
        self.path(number).map_or_else(|| format!("{number:016x}"), str::to_owned)
    }
}

impl IoStore {
    /// Reads the classes and functions of the game, in their order; none if the container has none.
    ///
    /// # Errors
    /// If a chunk of them cannot be read, ends early or contradicts itself, or takes more than the limits allow.
    pub fn script_objects(&self, limits: &mut Limits) -> Result<Option<Vec<ScriptObject>>, Error> {
        if let Some(number) = self.first(ChunkType::ScriptObjects) {
            let (chunk, most) = (self.open_entry(number)?, self.worth([number])?);
            return limits.within(most, |limits| read(&*chunk, limits)).map(Some);
        }
        let parts = [
            ChunkType::LoaderInitialLoadMeta,
            ChunkType::LoaderGlobalNames,
            ChunkType::LoaderGlobalNameHashes,
        ];
        let [Some(objects), Some(names), Some(hashes)] = parts.map(|part| self.first(part)) else {
            return Ok(None);
        };
        let most = self.worth([objects, names, hashes])?;
        let open = |chunk| self.open_entry(chunk);
        let (objects, names, hashes) = (open(objects)?, open(names)?, open(hashes)?);
        let read = |limits: &mut Limits| read_parts(&*objects, &*names, &*hashes, limits);
        limits.within(most, read).map(Some)
    }
}

/// What stands in place of an object that is none.
const NONE: u64 = u64::MAX;

/// Reads the script objects of a chunk of Unreal Engine 5, in their order.
///
/// # Errors
/// If it ends early, an object lies in none that is there or in itself, or it takes more than the limits allow.
fn read(source: &dyn Source, limits: &mut Limits) -> Result<Vec<ScriptObject>, Error> {
    let mut reader = Reader::new(source, WHAT, 0, source.len());
    let names = Names::read_batch(&mut reader, limits)?;
    read_table(&mut reader, &names, limits)
}

/// Reads those of Unreal Engine 4: out of a chunk without their names, the one with these, and the one with the hash of
/// each after a number that says which hash that is.
///
/// # Errors
/// As [`read`].
fn read_parts(
    objects: &dyn Source,
    names: &dyn Source,
    hashes: &dyn Source,
    limits: &mut Limits,
) -> Result<Vec<ScriptObject>, Error> {
    let count = hashes.len().checked_div(8).and_then(|hashes| hashes.checked_sub(1));
    let count = u32::try_from(count.unwrap_or_default()).unwrap_or(u32::MAX);
    let mut reader = Reader::new(names, "names of script objects", 0, names.len());
    let names = Names::read_buffer(&mut reader, count, limits)?;
    read_table(&mut Reader::new(objects, WHAT, 0, objects.len()), &names, limits)
}

fn read_table(
    reader: &mut Reader<'_>,
    names: &Names,
    limits: &mut Limits,
) -> Result<Vec<ScriptObject>, Error> {
    let table = reader.at();
    let count = reader.count(32)?;
    limits.take_table::<(ScriptObject, [u64; 8])>(count, table, WHAT)?;
    let mut rows: Vec<(String, u64, u64, u64)> = Vec::with_capacity(count);
    for _ in 0..count {
        let text = names.read_ref(reader)?;
        limits.take(text.len() as u64, reader.at(), WHAT)?;
        rows.push((text, reader.u64()?, reader.u64()?, reader.u64()?));
    }
    let by_id: HashMap<u64, usize> = rows.iter().enumerate().map(|(row, (_, id, ..))| (*id, row)).collect();
    let some = |id: u64| Some(id).filter(|id| *id != NONE);
    let mut objects = Vec::with_capacity(count);
    for (row, (name, id, outer, class)) in rows.iter().enumerate() {
        let mut chain = vec![name.as_str()];
        let mut above = some(*outer);
        while let Some(place) = above {
            let broken = || Error::malformed(Malformed::NoSuchEntry(row as u64), table, WHAT);
            let (name, _, outer, _) = by_id.get(&place).and_then(|row| rows.get(*row)).ok_or_else(broken)?;
            chain.push(name);
            if chain.len() > DEPTH {
                return Err(Error::malformed(Malformed::ChainTooLong(DEPTH), table, WHAT));
            }
            above = some(*outer);
        }
        let path = joined(chain);
        if path.len() > MAX_PATH {
            return Err(Error::malformed(Malformed::PathTooLong(MAX_PATH), table, WHAT));
        }
        limits.take(path.len() as u64, table, WHAT)?;
        objects.push(ScriptObject { path, id: *id, outer: some(*outer), class: some(*class) });
    }
    Ok(objects)
}

/// Joins names, the innermost first, as the engine shows them: `/Script/Package.Object:Sub.Sub`.
fn joined(chain: Vec<&str>) -> String {
    let mut path = String::new();
    for (depth, name) in chain.into_iter().rev().enumerate() {
        match depth {
            0 => {}
            2 => path.push(':'),
            _ => path.push('.'),
        }
        path.push_str(name);
    }
    path
}
