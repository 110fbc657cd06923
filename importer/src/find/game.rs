//! Finds the sounds of games of Unreal Engine 4 to 6: those of all packages in mounted containers.
//!
//! ```text
//! packages ──► SoundWave: chunks ──► one after another, as if they were a file
//!
//! │ header of A │ rest of A │ header of B │ rest of B │ …
//!    .uasset       .ubulk      .uasset       .ubulk
//! ```

use std::collections::VecDeque;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use unreal::bulk::Payload;
use unreal::bulk_data::BulkPlace;
use unreal::class::sound_wave::{self, SoundWave, WaveContext};
use unreal::class::{Class, script};
use unreal::container::mount::{Mount, MountedEntry};
use unreal::container::{ChunkType, Container, Shares, shares};
use unreal::zen::{ZenObject, ZenPackage};
use unreal::{Limits, Method, ObjectPath, Source};

use super::payload::PayloadInfo;
use crate::report::Remark;
use crate::sound::Description;
use crate::work::WorkBudget;
use crate::{Contents, DamageReason, Sound, SoundClass, Status, UnsupportedReason};

/// The recordings of a game, one after another.
pub(crate) struct GameAudio<'m> {
    mount: &'m Mount,
    /// By where they begin.
    parts: Vec<AudioPart>,
    length: u64,
    /// Entries that were read last.
    opened: Mutex<VecDeque<(MountedEntry, Arc<dyn Source + 'm>)>>,
}

/// Bytes of an entry that are some of a recording.
struct AudioPart {
    start: u64,
    end: u64,
    entry: MountedEntry,
    /// Where they begin in the entry.
    offset: u64,
}

/// Entries that are kept open: each keeps a megabyte of blocks at most.
const MAX_OPENED: usize = 16;

/// By how much decoded bytes are cheaper than those that are looked at.
const DECODED_DISCOUNT: u64 = 4;

/// What was found in a game.
pub(crate) struct Found<'m> {
    pub(crate) audio: GameAudio<'m>,
    pub(crate) sounds: Vec<Sound>,
    /// Packages that could not be read, and why.
    pub(crate) unread: Vec<Remark>,
}

/// An object of a package that is a sound.
struct FoundObject {
    path: ObjectPath,
    class: Class,
    /// Where the bytes of a recording lie, and what they are called; or why that is not known.
    recording: Result<(String, Vec<FoundPart>), Status>,
}

/// Bytes of an entry: where they begin, and how many there are.
struct FoundPart {
    entry: MountedEntry,
    offset: u64,
    size: u64,
}

/// Returns all sounds of a game in the order of their paths, and where their bytes are. What its packages say is held
/// in `budget` bytes each.
pub(crate) fn sounds<'m>(mount: &'m Mount, budget: u64, work: &WorkBudget) -> Found<'m> {
    let (packages, overlapping) = packages(mount);
    let (next, found) = (AtomicUsize::new(0), Mutex::new((Vec::new(), overlapping)));
    let read = || {
        while let Some(entry) = packages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let objects = read_package(mount, *entry, budget, work);
            let (sounds, unread) = &mut *found.lock().unwrap_or_else(PoisonError::into_inner);
            match objects {
                Ok(objects) => sounds.extend(objects),
                Err(error) => unread.push(Remark { object: mount.label(*entry), text: error.to_string() }),
            }
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        // One package needs no second thread.
        (1..threads.get().min(packages.len())).for_each(|_| _ = scope.spawn(read));
        read();
    });
    let (mut objects, mut unread) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    objects
        .sort_by(|one, other| (&one.path.group, &one.path.name).cmp(&(&other.path.group, &other.path.name)));
    unread.sort_by(|one, other| one.object.cmp(&other.object));

    let mut audio = GameAudio { mount, parts: Vec::new(), length: 0, opened: Mutex::default() };
    let placed: Vec<_> = objects
        .into_iter()
        .map(|FoundObject { path, class, recording }| {
            let recording = recording.map(|(format, parts)| (format, audio.add(parts)));
            (path, class, recording)
        })
        .collect();
    let described = (1..).zip(placed).map(|(number, (path, class, recording))| {
        let description = match recording {
            Ok((file_type, payload)) => {
                let PayloadInfo { recording, status, repairs } =
                    PayloadInfo::of(payload, Vec::new(), &audio, work);
                let contents = Contents::Recording(recording);
                Description { file_type, contents, status, repairs, notes: Vec::new() }
            }
            Err(status) => Description::unread(status),
        };
        description.named(number, path, SoundClass::Object(class))
    });
    let sounds = described.collect();
    Found { audio, sounds, unread }
}

/// Returns the packages of a game, and those that share bytes with others and are not read: in a few bytes there could
/// be any number of them.
fn packages(mount: &Mount) -> (Vec<MountedEntry>, Vec<Remark>) {
    let (mut packages, mut overlapping) = (Vec::new(), Vec::new());
    for (container, (_, opened)) in mount.containers().iter().enumerate() {
        for (entry, shares) in shares(opened) {
            let entry = MountedEntry { container, entry };
            if !is_package(mount, entry) {
                continue;
            }
            let text = match shares {
                Ok(Shares::Nothing) => {
                    packages.push(entry);
                    continue;
                }
                Ok(Shares::All(other) | Shares::Some(other)) => {
                    format!("shares bytes with {}", opened.label(other))
                }
                Err(error) => error.to_string(),
            };
            overlapping.push(Remark { object: opened.label(entry.entry), text });
        }
    }
    (packages, overlapping)
}

/// Returns whether an entry is a package that no other replaces.
fn is_package(mount: &Mount, entry: MountedEntry) -> bool {
    let container = mount.container(entry);
    let is_bundle = |container: &&Container| {
        container.chunk_type(entry.entry) == Some(ChunkType::ExportBundleData)
            && container.chunk_id(entry.entry).is_some_and(|id| id.index() == 0)
    };
    container.filter(is_bundle).is_some() && !mount.is_overridden(entry)
}

/// Finds the sounds of a package.
fn read_package(
    mount: &Mount,
    entry: MountedEntry,
    budget: u64,
    work: &WorkBudget,
) -> Result<Vec<FoundObject>, crate::Error> {
    let Some(container) = mount.container(entry) else { return Ok(Vec::new()) };
    let Container::IoStore(store) = container else { return Ok(Vec::new()) };
    let size = container.info(entry.entry).map_or(0, |info| info.size);
    // Its tables are in one block as a rule.
    work.take(size.min(Method::MAX_BLOCK as u64).div_ceil(DECODED_DISCOUNT))?;
    let package = store.package(entry.entry, &mut Limits::with_structures(budget))?;
    let class = |object| match object {
        ZenObject::Script(number) => script::class(number),
        _ => None,
    };
    let mut found = Vec::new();
    for (number, export) in package.exports().iter().enumerate() {
        let Some(class) = class(export.class) else { continue };
        let recording = match class {
            Class::SoundWave => recording(mount, entry, &package, number, work),
            class => Err(Status::Unsupported(UnsupportedReason::Class(class))),
        };
        found.push(FoundObject { path: path(package.name(), &export.name), class, recording });
    }
    Ok(found)
}

/// Returns the path of an object: that of its package, if it is called as that is.
fn path(package: &str, object: &str) -> ObjectPath {
    let (group, name) = package.rsplit_once('/').unwrap_or(("", package));
    let name = if name == object { object.to_owned() } else { format!("{name}.{object}") };
    ObjectPath { group: group.to_owned(), name }
}

/// Finds the bytes of a recording.
fn recording(
    mount: &Mount,
    entry: MountedEntry,
    package: &ZenPackage,
    export: usize,
    work: &WorkBudget,
) -> Result<(String, Vec<FoundPart>), Status> {
    let damaged = |error: unreal::Error| Status::Damaged(DamageReason::Object(error.to_string()));
    let source = match mount.container(entry) {
        Some(container) => container.open(entry.entry).map_err(damaged)?,
        None => return Err(Status::Damaged(DamageReason::Object(String::new()))),
    };
    let object = package.range(export, &*source).map_err(damaged)?;
    work.take(object.end.saturating_sub(object.start).min(sound_wave::SEARCHED))
        .map_err(|error| Status::from(&error))?;
    let context = WaveContext {
        source: &*source,
        object,
        objects_at: package.summary().header_size,
        bulk: package.bulk(),
        name: &|number| package.name_at(number).map(str::to_owned),
    };
    let SoundWave { format, chunks, .. } = sound_wave::read(&context).map_err(damaged)?;
    let beside = |kind| {
        let id = mount.container(entry)?.chunk_id(entry.entry)?;
        mount.of_package(id.number(), kind)
    };
    let mut parts = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let (file, extension) = match chunk.place {
            BulkPlace::Inline => (Some(entry), "uasset"),
            BulkPlace::Bulk => (beside(ChunkType::BulkData), "ubulk"),
            BulkPlace::Optional => (beside(ChunkType::OptionalBulkData), "uptnl"),
            BulkPlace::MemoryMapped => (beside(ChunkType::MemoryMappedBulkData), "m.ubulk"),
            _ => (None, "uexp"),
        };
        let missing =
            || Status::Damaged(DamageReason::MissingFile(format!("{}.{extension}", package.name())));
        let file = file.ok_or_else(missing)?;
        parts.push(FoundPart { entry: file, offset: chunk.offset, size: chunk.size });
    }
    Ok((format, parts))
}

impl<'m> GameAudio<'m> {
    /// Adds a recording after all others.
    fn add(&mut self, parts: Vec<FoundPart>) -> Payload {
        let start = self.length;
        for FoundPart { entry, offset, size } in parts {
            let part_start = self.length;
            self.length = part_start.saturating_add(size);
            self.parts.push(AudioPart { start: part_start, end: self.length, entry, offset });
        }
        Payload::plain(start, self.length.saturating_sub(start))
    }

    /// Returns an entry, opened unless it is one of the last.
    fn open(&self, entry: MountedEntry) -> io::Result<Arc<dyn Source + 'm>> {
        let opened = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, source)) = opened().iter().find(|(known, _)| *known == entry) {
            return Ok(Arc::clone(source));
        }
        let container = self.mount.container(entry).ok_or(io::ErrorKind::NotFound)?;
        let source: Arc<dyn Source + 'm> = container.open(entry.entry).map_err(io::Error::other)?.into();
        let mut opened = opened();
        opened.truncate(MAX_OPENED.saturating_sub(1));
        opened.push_front((entry, Arc::clone(&source)));
        Ok(source)
    }
}

impl Source for GameAudio<'_> {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let (mut at, mut into) = (at, into);
        let mut number = self.parts.partition_point(|part| part.end <= at);
        while !into.is_empty() {
            let part = self.parts.get(number).ok_or(io::ErrorKind::UnexpectedEof)?;
            let within = at.saturating_sub(part.start);
            let left = usize::try_from(part.end.saturating_sub(at)).unwrap_or(usize::MAX);
            let (now, later) = into.split_at_mut_checked(left.min(into.len())).unwrap_or_default();
            self.open(part.entry)?.read_at(part.offset.saturating_add(within), now)?;
            at = at.saturating_add(now.len() as u64);
            into = later;
            number = number.saturating_add(1);
        }
        Ok(())
    }
}
