//! Sounds of packages, decoded when they are needed and kept within a bound of memory.
//!
//! ```text
//! packages ──► loader, two threads ──► what they hold, recordings made ready
//!                    ▲                              │
//!      jobs: what is struck, what is near           ▼
//!                  Library: catalogue, cache ──► engine::Controller, a bank for each sound
//! ```
//!
//! A bank of its own for each sound keeps nothing else alive while the sound is heard, so what leaves the cache is
//! free.

mod cache;
mod catalogue;
mod event;
mod loader;
pub(crate) mod waiting;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded, never, unbounded};
use engine::{Bank, Controller, PreparedRecording, TooLong};
use importer::{HeldMemory, SoundFile, SwitchValue};
use song::{Instrument, InstrumentIndex, Song};

use crate::voicing::BankVoicing;
use cache::Cache;
use catalogue::Catalogue;
pub use event::{LibraryEvent, Readiness, Unplayable};
pub(crate) use loader::{DecodingPackage, DescribedSound, DescribingPackage};
use loader::{Job, LoadError, Loaded, LoadedRecording, Loader, Task};

/// Recordings that the loader has to do ahead of what is struck: enough to keep it busy until they are looked at again.
const AHEAD: usize = 32;

/// Packages that a library is made of.
pub trait PackageSource: Send + 'static {
    /// A package that is open.
    type OpenPackage: AsRef<SoundFile>;
    /// What its user wants to know of each, besides its sounds.
    type Listed: Send + 'static;
    /// Why one cannot be opened.
    type Unopenable: Send + 'static;

    /// Returns how many there are.
    fn count(&self) -> usize;

    /// Returns where a package is; none if it is no file.
    fn path(&self, _package: usize) -> Option<PathBuf> {
        None
    }

    /// Opens a package. One that takes long to open gives its first sounds to `first` before, with what lists them: the
    /// whole package has those first, with the same numbers.
    ///
    /// # Errors
    /// If it cannot be opened; then `first` was not called.
    fn open(
        &self,
        package: usize,
        first: &mut dyn FnMut(&SoundFile, Self::Listed),
    ) -> Result<Self::OpenPackage, Self::Unopenable>;

    /// Lists an open package, but for its first `begun` sounds, which were listed before.
    fn list(&self, package: &Self::OpenPackage, begun: usize) -> Self::Listed;
}

/// The sounds of some packages, by index: those of each package follow those of the one before.
#[derive(Debug)]
pub struct Library<L, F> {
    urgent: Sender<Job>,
    ahead: Sender<Job>,
    loaded: Receiver<Loaded<L, F>>,
    wake: Receiver<()>,
    /// Where the packages are.
    paths: Vec<Option<PathBuf>>,
    catalogue: Catalogue,
    cache: Cache,
    /// Recordings that the loader was asked for, and how many bytes each may take.
    outstanding: HashMap<usize, OutstandingLoad>,
    /// Sounds that are to be played as soon as they are there.
    wanted: BTreeSet<usize>,
    /// Sounds that are likely to be played next, the likeliest first.
    near: Vec<usize>,
    /// The first sound that nobody has looked at to load it ahead.
    far: usize,
    /// Values of switches and states that were set, by package.
    switched: BTreeMap<usize, Vec<SwitchValue>>,
}

/// A recording that the loader was asked for.
#[derive(Clone, Copy, Debug)]
struct OutstandingLoad {
    reserved: u64,
    is_urgent: bool,
}

impl<L: Send + 'static, F: Send + 'static> Library<L, F> {
    /// Opens packages one after another, on threads of its own. Recordings take at most `most` bytes while they are
    /// kept ready.
    ///
    /// # Errors
    /// If no thread can be had.
    pub fn open<P: PackageSource<Listed = L, Unopenable = F>>(packages: P, most: u64) -> io::Result<Self> {
        let (library, loader) = Self::beside_loader(&packages, most);
        loader.start(packages)?;
        Ok(library)
    }

    /// Returns a library of packages, and the loader that has to be started.
    fn beside_loader<P: PackageSource<Listed = L, Unopenable = F>>(
        packages: &P,
        most: u64,
    ) -> (Self, Loader<L, F>) {
        let (urgent, urgent_jobs) = unbounded();
        let (ahead, jobs_ahead) = unbounded();
        let (sender, loaded) = unbounded();
        let (waker, wake) = bounded(1);
        let paths = (0..packages.count()).map(|package| packages.path(package)).collect();
        let loader = Loader { urgent: urgent_jobs, ahead: jobs_ahead, loaded: sender, waker };
        (Self { paths, ..Self::connected(urgent, ahead, loaded, wake, most) }, loader)
    }

    /// Creates a library of the sounds of a song, all of them ready.
    ///
    /// # Errors
    /// [`TooLong`] if a recording cannot be played.
    pub fn of_song(song: &Song) -> Result<Self, TooLong> {
        let (urgent, ahead, loaded) = (unbounded().0, unbounded().0, unbounded().1);
        let mut library = Self::connected(urgent, ahead, loaded, never(), u64::MAX);
        let samples = song.samples().iter();
        let recordings: Vec<_> =
            samples.map(|sample| PreparedRecording::new(sample)).collect::<Result<_, _>>()?;
        library.catalogue.add_song(song);
        for (index, recording) in recordings.into_iter().enumerate() {
            library.cache.insert(index, recording, HeldMemory::default());
        }
        Ok(library)
    }

    fn connected(
        urgent: Sender<Job>,
        ahead: Sender<Job>,
        loaded: Receiver<Loaded<L, F>>,
        wake: Receiver<()>,
        most: u64,
    ) -> Self {
        Self {
            urgent,
            ahead,
            loaded,
            wake,
            paths: Vec::new(),
            catalogue: Catalogue::default(),
            cache: Cache::new(most),
            outstanding: HashMap::new(),
            wanted: BTreeSet::new(),
            near: Vec::new(),
            far: 0,
            switched: BTreeMap::new(),
        }
    }

    /// Returns what receives something as soon as a sound is there that was waited for, or a package was opened.
    #[must_use]
    pub const fn wake(&self) -> &Receiver<()> {
        &self.wake
    }

    /// Returns how many sounds there are so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.catalogue.len()
    }

    /// Returns whether there are no sounds so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many bytes the recordings take that are kept ready, and those that are on their way.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.cache.held() + self.reserved()
    }

    /// Returns the key by which a sound is played at its own rate, and its other properties, decoded or not.
    #[must_use]
    pub fn instrument(&self, sound: usize) -> Option<&Instrument> {
        self.catalogue.instrument(sound)
    }

    /// Sets which sounds are likely to be played next, the chosen one first: these are loaded before others.
    pub fn set_near(&mut self, near: Vec<usize>) {
        self.near = near;
    }

    /// Prepares to play a sound: gives its bank to the controller if it is there, and loads it otherwise.
    pub fn prepare(&mut self, controller: &mut Controller, sound: usize) -> Readiness {
        match self.readiness(sound) {
            Readiness::Ready => {
                if let Some(bank) = self.bank(sound) {
                    self.cache.touch(self.catalogue.recordings(sound));
                    controller.load_instrument(InstrumentIndex::new(sound), bank);
                    return Readiness::Ready;
                }
                let reason = "it could not be made ready".to_owned();
                Readiness::Unplayable(Unplayable::Undecoded(reason))
            }
            Readiness::Loading => {
                self.wanted.insert(sound);
                self.load_wanted(controller);
                Readiness::Loading
            }
            unplayable @ Readiness::Unplayable(_) => unplayable,
        }
    }

    /// Notes that a sound is being played, so that it stays longer.
    pub fn touch(&mut self, sound: usize) {
        self.cache.touch(self.catalogue.recordings(sound));
    }

    /// Returns the bank of a sound if all its recordings are there: it is the first instrument in it.
    pub fn bank(&mut self, sound: usize) -> Option<Arc<Bank>> {
        if self.readiness(sound) != Readiness::Ready {
            return None;
        }
        self.cache.bank(sound, &self.catalogue)
    }

    /// Sets how a sound is voiced in its bank; what sounds of it goes on as it was begun.
    pub fn set_voicing(&mut self, controller: &mut Controller, sound: usize, voicing: BankVoicing) {
        self.cache.set_voicing(sound, voicing);
        controller.unload_instrument(InstrumentIndex::new(sound));
    }

    /// Lets the events of the package that a sound is in play what values of switches and states choose, and by default
    /// those of all others; [`LibraryEvent::Switched`] follows.
    pub fn switch(&mut self, sound: usize, values: Vec<SwitchValue>) {
        if let Some((package, _)) = self.catalogue.place(sound) {
            self.switched.insert(package, values.clone());
            // Without a loader nothing is switched.
            let _ = self.urgent.send(Job { package, task: Task::Switch { values } });
        }
    }

    /// Asks for sounds decoded as they are stored, as soon as nothing that is played waits for the loader.
    pub(crate) fn decode(&self, sounds: &[usize]) -> Vec<DecodingPackage> {
        let is_one = sounds.len() == 1;
        let decoded = self.by_package(sounds).into_iter().map(|(package, sounds)| {
            let (reply, song) = bounded(1);
            let numbers = sounds.iter().map(|(_, number)| *number).collect();
            let values = self.switched.get(&package).cloned().unwrap_or_default();
            // What takes long lets through what is struck. Without a loader nothing comes, and the receiver says so.
            let queue = if is_one { &self.urgent } else { &self.ahead };
            let _ = queue.send(Job { package, task: Task::Decode { numbers, values, reply } });
            DecodingPackage { sounds, song }
        });
        decoded.collect()
    }

    /// Asks what sounds are, and where.
    pub(crate) fn describe(&self, sounds: &[usize]) -> Vec<DescribingPackage> {
        let described = self.by_package(sounds).into_iter().map(|(package, sounds)| {
            let (reply, described) = bounded(1);
            let numbers = sounds.iter().map(|(_, number)| *number).collect();
            // Without a loader nothing comes, and the receiver says so.
            let _ = self.urgent.send(Job { package, task: Task::Describe { numbers, reply } });
            let path = self.paths.get(package).cloned().flatten();
            DescribingPackage { path, sounds, described }
        });
        described.collect()
    }

    /// Returns sounds by their package: the place of each in the list, and its number in the package.
    fn by_package(&self, sounds: &[usize]) -> BTreeMap<usize, Vec<(usize, usize)>> {
        let mut packages: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (place, sound) in sounds.iter().enumerate() {
            if let Some((package, number)) = self.catalogue.place(*sound) {
                packages.entry(package).or_default().push((place, number));
            }
        }
        packages
    }

    /// Asks for what is to be loaded next, and takes in what was loaded; returns what has happened. To be called
    /// several times a second, and when [`wake`](Self::wake) says so.
    pub fn poll(&mut self, controller: &mut Controller) -> Vec<LibraryEvent<L, F>> {
        // What is there from here on is played before anything else may take its place.
        self.load_wanted(controller);
        self.load_ahead(controller);
        let mut events = Vec::new();
        while let Ok(loaded) = self.loaded.try_recv() {
            match loaded {
                Loaded::Listed { mut sounds, listed, is_begun } => {
                    let switches = std::mem::take(&mut sounds.switches);
                    let first =
                        if is_begun { self.catalogue.go_on(sounds) } else { self.catalogue.add(sounds) };
                    events.push(LibraryEvent::Listed { first, package: listed, switches });
                }
                Loaded::Failed(failure) => {
                    self.catalogue.add_nothing();
                    events.push(LibraryEvent::Failed(failure));
                }
                Loaded::AllListed => events.push(LibraryEvent::AllListed),
                Loaded::Recording { sound, recording } => self.take_in(sound, recording, &mut events),
                Loaded::Switched { package, instruments, articulations } => {
                    let changed = self.catalogue.set_instruments(package, instruments, articulations);
                    for sound in &changed {
                        self.cache.forget_bank(*sound);
                        controller.unload_instrument(InstrumentIndex::new(*sound));
                    }
                    let plays = |sound: usize| !self.catalogue.recordings(sound).is_empty();
                    let changed = changed.into_iter().map(|sound| (sound, plays(sound))).collect();
                    events.push(LibraryEvent::Switched(changed));
                }
            }
        }
        let waiting = std::mem::take(&mut self.wanted);
        for sound in waiting {
            match self.readiness(sound) {
                Readiness::Loading => {
                    self.wanted.insert(sound);
                }
                Readiness::Ready => events.push(LibraryEvent::Ready(sound)),
                Readiness::Unplayable(why) => events.push(LibraryEvent::Unplayable(sound, why)),
            }
        }
        events
    }

    /// Keeps what the loader has made ready, or why it could not.
    fn take_in(&mut self, sound: usize, recording: LoadedRecording, events: &mut Vec<LibraryEvent<L, F>>) {
        // What was asked for twice comes twice, and nobody has made room for the second.
        if self.outstanding.remove(&sound).is_none() {
            return;
        }
        match recording {
            Ok((recording, held)) => self.cache.insert(sound, *recording, held),
            // It is asked for again, with more room.
            Err(LoadError::NeedsMore { needed, .. })
                if self.catalogue.needed(&[sound]) < needed.min(self.cache.most()) =>
            {
                self.catalogue.set_needed(sound, needed.min(self.cache.most()));
            }
            Err(LoadError::NeedsMore { why, .. } | LoadError::Unplayable(why)) => {
                self.catalogue.set_unplayable(sound, why.clone());
                if !self.wanted.contains(&sound) {
                    events.push(LibraryEvent::Unplayable(sound, why));
                }
            }
        }
    }

    /// Returns whether a sound can be played: it can as soon as each of its recordings is there or can never be.
    fn readiness(&self, sound: usize) -> Readiness {
        let recordings = self.catalogue.recordings(sound);
        let unplayable = || recordings.iter().filter_map(|sound| self.catalogue.unplayable(*sound));
        let left = recordings.len() - unplayable().count();
        if left == 0 {
            let nothing = || Unplayable::Undecoded("nothing of it can be decoded".to_owned());
            return Readiness::Unplayable(unplayable().next().cloned().unwrap_or_else(nothing));
        }
        let needed = self.catalogue.needed(&recordings);
        if needed > self.cache.most() {
            return Readiness::Unplayable(Unplayable::TooLarge { needed, most: self.cache.most() });
        }
        let is_there = |sound: &usize| self.cache.has(*sound) || self.catalogue.unplayable(*sound).is_some();
        if recordings.iter().all(is_there) { Readiness::Ready } else { Readiness::Loading }
    }

    fn reserved(&self) -> u64 {
        self.outstanding.values().map(|load| load.reserved).sum()
    }

    /// Asks for the recordings of sounds that are to be played, as far as there is room: what sounds and what is to be
    /// played as well is not touched for that.
    fn load_wanted(&mut self, controller: &mut Controller) {
        let wanted: Vec<usize> =
            self.wanted.iter().flat_map(|sound| self.catalogue.recordings(*sound)).collect();
        let kept: BTreeSet<usize> = wanted.iter().copied().collect();
        for recording in wanted {
            self.load(controller, recording, true, &kept);
        }
    }

    /// Asks for recordings that are likely to be played: those that are near take the place of others, the rest only
    /// what is free.
    fn load_ahead(&mut self, controller: &mut Controller) {
        let mut kept: BTreeSet<usize> =
            self.wanted.iter().flat_map(|sound| self.catalogue.recordings(*sound)).collect();
        let near = std::mem::take(&mut self.near);
        for sound in &near {
            let recordings = self.catalogue.recordings(*sound);
            kept.extend(&recordings);
            let is_done = recordings.into_iter().all(|sound| self.load(controller, sound, false, &kept));
            if !is_done || self.outstanding.len() >= AHEAD {
                break;
            }
        }
        self.near = near;
        while self.far < self.catalogue.len() && self.outstanding.len() < AHEAD {
            let recordings = self.catalogue.recordings(self.far);
            let needed = self.catalogue.needed(&recordings);
            if needed > self.cache.most().saturating_sub(self.held()) {
                break;
            }
            for recording in recordings {
                self.load(controller, recording, false, &kept);
            }
            self.far += 1;
        }
    }

    /// Asks for a recording, unless it is there, on its way or cannot be had; returns false if there is no room.
    fn load(
        &mut self,
        controller: &mut Controller,
        sound: usize,
        is_urgent: bool,
        kept: &BTreeSet<usize>,
    ) -> bool {
        if self.cache.has(sound) || self.catalogue.unplayable(sound).is_some() {
            return true;
        }
        let asked = self.outstanding.get(&sound);
        // What was asked for ahead may be far back in its queue.
        if asked.is_some_and(|load| load.is_urgent || !is_urgent) {
            return true;
        }
        let needed = self.catalogue.needed(&[sound]);
        let reserved = self.reserved() - asked.map_or(0, |load| load.reserved);
        if !self.cache.make_room(needed.saturating_add(reserved), kept, controller) {
            return false;
        }
        let Some((package, number)) = self.catalogue.place(sound) else { return true };
        let job = Job { package, task: Task::Load { number, sound, most: needed } };
        let sender = if is_urgent { &self.urgent } else { &self.ahead };
        if sender.send(job).is_ok() {
            self.outstanding.insert(sound, OutstandingLoad { reserved: needed, is_urgent });
        } else {
            let reason = "nothing can be loaded any more".to_owned();
            self.catalogue.set_unplayable(sound, Unplayable::Undecoded(reason));
        }
        true
    }
}

#[cfg(test)]
mod tests;
