//! Recordings that are ready, within a bound: those that were played least recently leave first.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Weak};

use engine::{Bank, Controller, PreparedRecording};
use importer::HeldMemory;
use song::{Cents, Instrument, InstrumentIndex, SampleIndex};

use super::catalogue::Catalogue;
use crate::voicing::BankVoicing;

/// Recordings that are ready, and the banks that are made of them.
#[derive(Debug)]
pub(super) struct Cache {
    /// Bytes that recordings may take.
    most: u64,
    held: u64,
    recordings: HashMap<usize, CachedRecording>,
    /// By sound.
    banks: HashMap<usize, CachedBank>,
    /// Banks that others have replaced, as long as something of them sounds.
    replaced: Vec<(Weak<Bank>, Vec<usize>)>,
    /// How sounds are voiced, of those that are not played as they say themselves.
    voicings: HashMap<usize, BankVoicing>,
    clock: u64,
}

#[derive(Debug)]
struct CachedRecording {
    prepared: PreparedRecording,
    bytes: u64,
    /// When it was played last; 0 if never.
    played: u64,
    /// When it came.
    came: u64,
    /// The sounds whose banks have it.
    users: BTreeSet<usize>,
    _held: HeldMemory,
}

#[derive(Debug)]
struct CachedBank {
    bank: Arc<Bank>,
    recordings: Vec<usize>,
}

impl Cache {
    /// Creates a cache of at most `most` bytes.
    pub(super) fn new(most: u64) -> Self {
        Self {
            most,
            held: 0,
            recordings: HashMap::new(),
            banks: HashMap::new(),
            replaced: Vec::new(),
            voicings: HashMap::new(),
            clock: 0,
        }
    }

    /// Returns how many bytes recordings may take.
    pub(super) const fn most(&self) -> u64 {
        self.most
    }

    /// Returns how many bytes they take.
    pub(super) const fn held(&self) -> u64 {
        self.held
    }

    pub(super) fn has(&self, recording: usize) -> bool {
        self.recordings.contains_key(&recording)
    }

    /// Adds a recording that room was made for.
    pub(super) fn insert(&mut self, recording: usize, prepared: PreparedRecording, held: HeldMemory) {
        let (bytes, came) = (prepared.bytes(), self.tick());
        let added = CachedRecording { prepared, bytes, played: 0, came, users: BTreeSet::new(), _held: held };
        self.held = self.held.saturating_add(bytes);
        // One that was asked for twice.
        if let Some(before) = self.recordings.insert(recording, added) {
            self.held = self.held.saturating_sub(before.bytes);
        }
    }

    /// Notes that recordings are being played.
    pub(super) fn touch(&mut self, recordings: Vec<usize>) {
        let now = self.tick();
        for recording in recordings {
            if let Some(cached) = self.recordings.get_mut(&recording) {
                cached.played = now;
            }
        }
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// Returns the bank of a sound, made of those of its recordings that are here.
    pub(super) fn bank(&mut self, sound: usize, catalogue: &Catalogue) -> Option<Arc<Bank>> {
        if let Some(cached) = self.banks.get(&sound) {
            return Some(Arc::clone(&cached.bank));
        }
        let (first, instrument) = (catalogue.first_of(sound)?, catalogue.instrument(sound)?);
        let mut there = catalogue.recordings(sound);
        there.retain(|recording| self.has(*recording));
        let prepared = there.iter().filter_map(|recording| self.recordings.get(recording));
        let prepared = prepared.map(|cached| cached.prepared.clone()).collect();
        let tree = instrument.tree.with_zones(&mut |zone| {
            let place = there.iter().position(|recording| *recording == first + zone.sample().get())?;
            Some(zone.clone().of_sample(SampleIndex::new(place), zone.root(), Cents::ZERO))
        });
        let instrument = Instrument { tree: tree?, ..instrument.clone() };
        let articulations = catalogue.articulations(sound);
        let voicing = self.voicings.get(&sound).copied().unwrap_or_default();
        let mut made = Vec::new();
        let shaped = voicing.instrument(&instrument, &articulations, (0, &mut made));
        // A shape that moves has made articulations for all zones.
        let articulations = if made.is_empty() { articulations } else { made.into() };
        let instrument = shaped.unwrap_or(instrument);
        let bank = Bank::of_recordings(prepared, vec![instrument], articulations);
        let bank = match voicing.sample {
            Some(how) => bank.with_override(InstrumentIndex::new(0), how),
            None => bank,
        };
        let bank = Arc::new(bank);
        for recording in &there {
            if let Some(cached) = self.recordings.get_mut(recording) {
                cached.users.insert(sound);
            }
        }
        self.banks.insert(sound, CachedBank { bank: Arc::clone(&bank), recordings: there });
        Some(bank)
    }

    /// Sets how a sound is voiced; its bank is made anew.
    pub(super) fn set_voicing(&mut self, sound: usize, voicing: BankVoicing) {
        if voicing == BankVoicing::default() {
            self.voicings.remove(&sound);
        } else {
            self.voicings.insert(sound, voicing);
        }
        self.forget_bank(sound);
    }

    /// Forgets the bank of a sound, which is made anew; what sounds of it goes on as it was begun.
    pub(super) fn forget_bank(&mut self, sound: usize) {
        if let Some(CachedBank { bank, recordings }) = self.banks.remove(&sound) {
            self.replaced.push((Arc::downgrade(&bank), recordings));
        }
    }

    /// Makes room for so many bytes: recordings leave that nobody wants to keep and nothing sounds of, those that were
    /// played least recently first. Returns false if that is not enough.
    pub(super) fn make_room(
        &mut self,
        bytes: u64,
        kept: &BTreeSet<usize>,
        controller: &mut Controller,
    ) -> bool {
        let Some(most) = self.most.checked_sub(bytes) else { return false };
        if self.held <= most {
            return true;
        }
        self.replaced.retain(|(bank, _)| bank.strong_count() > 0);
        let is_free = |(recording, _): &(&usize, &CachedRecording)| {
            !kept.contains(recording) && !self.replaced.iter().any(|(_, heard)| heard.contains(recording))
        };
        let mut leaving: Vec<(u64, u64, usize)> = self
            .recordings
            .iter()
            .filter(is_free)
            .map(|(recording, cached)| (cached.played, cached.came, *recording))
            .collect();
        leaving.sort_unstable();
        for (_, _, recording) in leaving {
            if self.held <= most {
                break;
            }
            self.remove(recording, controller);
        }
        self.held <= most
    }

    /// Removes a recording with all banks that have it, unless something of these sounds.
    fn remove(&mut self, recording: usize, controller: &mut Controller) {
        let Some(cached) = self.recordings.get(&recording) else { return };
        for sound in &cached.users {
            controller.unload_instrument(InstrumentIndex::new(*sound));
        }
        controller.collect();
        let is_heard =
            |sound: &usize| self.banks.get(sound).is_some_and(|cached| Arc::strong_count(&cached.bank) > 1);
        if cached.users.iter().any(is_heard) {
            return;
        }
        if let Some(CachedRecording { bytes, users, .. }) = self.recordings.remove(&recording) {
            self.held = self.held.saturating_sub(bytes);
            for sound in users {
                self.banks.remove(&sound);
            }
        }
    }
}
