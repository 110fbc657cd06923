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

use unreal::asset::AssetVersion;
use unreal::bulk::Payload;
use unreal::bulk_data::BulkPlace;
use unreal::class::Class;
use unreal::class::sound_wave::{self, SoundWave};
use unreal::container::mount::{Mount, MountedEntry};
use unreal::container::{Shares, shares};
use unreal::{GamePackage, Limits, Method, ObjectPath, PackageTables, Source};

use super::payload::PayloadInfo;
use crate::report::Remark;
use crate::sound::Description;
use crate::work::WorkBudget;
use crate::{Contents, DamageReason, Sound, SoundClass, Status, UnsupportedReason};

/// What the user knows better than the packages of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameOptions {
    /// The version of packages that state none.
    pub version: Option<AssetVersion>,
}

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
    entry: MountedEntry,
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
pub(crate) fn sounds<'m>(
    mount: &'m Mount,
    options: &GameOptions,
    budget: u64,
    work: &WorkBudget,
) -> Found<'m> {
    let (packages, overlapping) = packages(mount);
    let (next, found) = (AtomicUsize::new(0), Mutex::new((Vec::new(), overlapping)));
    let read = || {
        while let Some(entry) = packages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let objects = read_package(mount, *entry, options, budget, work);
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

    let containers: Vec<Arc<str>> = mount.containers().iter().map(|(name, _)| name.as_str().into()).collect();
    let mut audio = GameAudio { mount, parts: Vec::new(), length: 0, opened: Mutex::default() };
    let placed: Vec<_> = objects
        .into_iter()
        .map(|FoundObject { path, entry, class, recording }| {
            let recording = recording.map(|(format, parts)| (format, audio.add(parts)));
            (path, entry, class, recording)
        })
        .collect();
    let described = (1..).zip(placed).map(|(number, (path, entry, class, recording))| {
        let description = match recording {
            Ok((file_type, payload)) => {
                let PayloadInfo { recording, status, repairs } =
                    PayloadInfo::of(payload, Vec::new(), &audio, work);
                let contents = Contents::Recording(recording);
                Description { file_type, contents, status, repairs, notes: Vec::new() }
            }
            Err(status) => Description::unread(status),
        };
        let sound = description.named(number, path, SoundClass::Object(class));
        Sound { container: containers.get(entry.container).cloned(), ..sound }
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
            if !mount.is_package(entry) || mount.is_overridden(entry) {
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

/// Finds the sounds of a package.
fn read_package(
    mount: &Mount,
    entry: MountedEntry,
    options: &GameOptions,
    budget: u64,
    work: &WorkBudget,
) -> Result<Vec<FoundObject>, crate::Error> {
    let size = mount
        .container(entry)
        .and_then(|container| container.info(entry.entry).ok())
        .map_or(0, |info| info.size);
    // Its tables are in one block as a rule.
    work.take(size.min(Method::MAX_BLOCK as u64).div_ceil(DECODED_DISCOUNT))?;
    let package = mount.open_package(entry, options.version, &mut Limits::with_structures(budget))?;
    let mut found = Vec::new();
    for number in 0..package.len() {
        let (Some(class), Some(export)) = (package.sound_class(number), package.export(number)) else {
            continue;
        };
        let recording = match class {
            Class::SoundWave => recording(mount, entry, &package, number, work),
            class => Err(Status::Unsupported(UnsupportedReason::Class(class))),
        };
        found.push(FoundObject { path: path(package.name(), export.name), entry, class, recording });
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
    package: &GamePackage<'_>,
    export: usize,
    work: &WorkBudget,
) -> Result<(String, Vec<FoundPart>), Status> {
    let damaged = |error: unreal::Error| Status::Damaged(DamageReason::Object(error.to_string()));
    let missing = |extension: &str| {
        Status::Damaged(DamageReason::MissingFile(format!("{}.{extension}", package.name())))
    };
    let header = mount
        .container(entry)
        .and_then(|container| container.info(entry.entry).ok())
        .map_or(0, |info| info.size);
    // Objects of a file lie in one of their own as a rule.
    let objects = mount.objects_of(entry);
    let begin = package.export(export).map_or(0, |export| export.offset);
    if begin >= header && objects.is_none() && matches!(package.tables(), PackageTables::Asset(_)) {
        return Err(missing(BulkPlace::Inline.extension()));
    }
    let object = package.range(export).map_err(damaged)?;
    work.take(object.end.saturating_sub(object.start).min(sound_wave::SEARCHED))
        .map_err(|error| Status::from(&error))?;
    let SoundWave { format, chunks, .. } = sound_wave::read(package, export).map_err(damaged)?;
    let mut parts = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let file = mount.data_of(entry, chunk.place).ok_or_else(|| missing(chunk.place.extension()))?;
        let place = match objects {
            Some(objects) if file == entry && chunk.offset >= header => {
                (objects, chunk.offset.saturating_sub(header))
            }
            _ => (file, chunk.offset),
        };
        parts.push(FoundPart { entry: place.0, offset: place.1, size: chunk.size });
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
