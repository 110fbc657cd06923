//! The sounds of a game of Unreal Engine 4 to 6: those of its packages, then those of its sound banks.

use std::collections::BTreeMap;
use std::io;

use song::{Articulation, Sample};
use unreal::Source;

use super::Collection;
use super::sound_bank::SoundBanks;
use crate::budget::DecodeBudget;
use crate::find::game::{BankInPackage, GameAudio, UnreadPackages};
use crate::{Error, Remark, Sound};

/// The sounds of all packages of a game, and of its sound banks.
pub(crate) struct GameSounds {
    sounds: Vec<Sound>,
    unread: UnreadPackages,
    source: GameSource,
    /// Why its sound banks are left out.
    unread_banks: Option<String>,
    /// Files of sound banks that packages hold, by their paths.
    packaged: BTreeMap<String, BankInPackage>,
}

/// The bytes of recordings in packages, then those of sound banks.
struct GameSource {
    audio: GameAudio,
    banks: Option<SoundBanks>,
}

impl GameSounds {
    /// Joins the sounds of packages and those of banks, which count on from them.
    pub(crate) fn new(
        audio: GameAudio,
        mut sounds: Vec<Sound>,
        unread: UnreadPackages,
        banks: Result<Option<SoundBanks>, Error>,
    ) -> Self {
        let unread_banks = banks.as_ref().err().map(|error| format!("sound banks are left out: {error}"));
        let banks = banks.ok().flatten();
        sounds.extend(banks.iter().flat_map(|banks| banks.sounds().iter().cloned()));
        let packaged = BTreeMap::new();
        Self { sounds, unread, source: GameSource { audio, banks }, unread_banks, packaged }
    }

    /// Adds which packages hold files of its sound banks, by the paths of these.
    pub(crate) fn with_packaged(self, packaged: BTreeMap<String, BankInPackage>) -> Self {
        Self { packaged, ..self }
    }

    /// Returns which package holds a file of its sound banks.
    pub(crate) fn package_of(&self, path: &str) -> Option<BankInPackage> {
        self.packaged.get(path).copied()
    }

    /// Returns its sound banks.
    pub(crate) const fn banks(&self) -> Option<&SoundBanks> {
        self.source.banks.as_ref()
    }
}

impl Source for GameSource {
    fn len(&self) -> u64 {
        self.banks.as_ref().map_or(self.audio.len(), |banks| banks.source().len())
    }

    fn read_ahead(&self, at: u64) -> u64 {
        match &self.banks {
            Some(banks) if at >= self.audio.len() => banks.source().read_ahead(at),
            _ => self.audio.read_ahead(at),
        }
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        match &self.banks {
            Some(banks) if at >= self.audio.len() => banks.source().read_at(at, into),
            _ => self.audio.read_at(at, into),
        }
    }
}

impl Collection for GameSounds {
    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &self.source
    }

    fn decode(
        &self,
        package: &str,
        sound: &Sound,
        budget: &mut DecodeBudget,
    ) -> Option<Result<Sample, Error>> {
        self.banks()?.decode(package, sound, budget)
    }

    fn articulations(&self) -> &[Articulation] {
        self.banks().map_or(&[], SoundBanks::articulations)
    }

    fn remarks(&self, package: &str) -> Vec<Remark> {
        let mut remarks = self.banks().map(|banks| banks.remarks(package)).unwrap_or_default();
        remarks.extend(self.unread_banks.iter().map(|text| Remark::new(package, text.clone())));
        remarks
    }

    fn kind(&self) -> &'static str {
        "game"
    }

    fn names_paths(&self) -> bool {
        true
    }

    fn unread(&self) -> Option<&UnreadPackages> {
        Some(&self.unread)
    }
}
