mod audio;
mod decoded_sound;
mod game;
mod saved_instrument;
mod switching;
mod vorbis;

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use decoded_sound::DecodedSound;
use song::module::Module;
use song::{Articulation, Instrument, Origin, Sample, Zone};
use tracker::{ModuleFile, ModuleSummary};
use unreal::ue1to3::bulk::Payload;
use unreal::ue1to3::class::sound_node_wave::{Platform, SpeakerChannel};
use unreal::{Limits, Lineage2, Memory, Package, PackageOptions, Source, UnpackedPackage, unpack_package};

use crate::budget::{Budget, DecodeBudget};
use crate::budget::{WorkBudget, most_inflated};
use crate::codec::{self, Described};
use crate::collection::game::GameSounds;
use crate::collection::module::{self, ModuleSounds};
use crate::collection::package::UnpackedSounds;
use crate::collection::sound_bank::SoundBanks;
use crate::collection::{Collection, CollectionSong};
use crate::collection::{sfz, soundfont};
use crate::find::game::{BankInPackage, UnreadPackages};
use crate::open::Files;
use crate::payload_reader::PayloadReader;
use crate::probe::{FileKind, probe_source};
use crate::{
    BankError, Error, Format, ImportProgress, Imported, Remark, Sound, Status, StoredRecording,
    UnsupportedReason, assemble, find, level,
};

/// What the user knows better than the package, or wants of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// How the package is to be read.
    pub reading: PackageOptions,
    /// The form to take of recordings that have one for each platform; the best that can be decoded if none is wanted.
    pub stream: Option<Platform>,
}

impl From<PackageOptions> for ImportOptions {
    fn from(reading: PackageOptions) -> Self {
        Self { reading, stream: None }
    }
}

/// A package, a tracker module, files of audio or a game whose sounds have been found and described. What those of a
/// package hold is fetched when asked for.
pub struct SoundFile {
    collection: Box<dyn Collection>,
    /// Bytes that all of it takes where it is stored: sounds of a game may share theirs.
    stored: u64,
    name: String,
    budget: Budget,
    work: WorkBudget,
    /// What the payload says of itself that was decoded last: sounds that share one often follow each other.
    described_last: Mutex<Option<(PayloadKey, Arc<Described>)>>,
}

/// What the description of a payload depends on.
type PayloadKey = (Payload, Option<Format>, Vec<SpeakerChannel>);

impl SoundFile {
    /// Opens a package or a tracker module and describes its sounds. `name` is the package's: its file name without
    /// folder and extension.
    ///
    /// # Errors
    /// If it is neither, or one that cannot be read as a whole. A damaged sound is no error; its status says so.
    pub fn open(source: impl Source + 'static, name: &str, budget: Budget) -> Result<Self, Error> {
        Self::open_with(source, name, ImportOptions::default(), budget)
    }

    /// Opens a package or a tracker module with what the user knows better than the file, or asks for.
    ///
    /// # Errors
    /// As [`SoundFile::open`].
    pub fn open_with(
        source: impl Source + 'static,
        name: &str,
        options: impl Into<ImportOptions>,
        budget: Budget,
    ) -> Result<Self, Error> {
        let ImportOptions { reading, stream } = options.into();
        let inflated = budget.inflated.min(most_inflated(source.len()));
        let mut limits = Limits::with_structures(budget.structures).with_inflated(inflated);
        let UnpackedPackage { source, lineage2 } = unpack_package(source, reading, &mut limits)?;
        let kind = probe_source(&*source).map_err(crate::Damage::from)?;
        if let FileKind::GameFile(kind) = kind {
            return Err(Error::GameFile(kind));
        }
        let stored = source.len();
        if matches!(kind, FileKind::Module(_)) {
            let sounds = module::open(source, &budget, &mut Limits::with_structures(budget.structures))?;
            return Ok(Self::of(sounds, name, stored, budget));
        }
        match kind {
            FileKind::Audio(_) => return Self::open_audio(source, name, budget),
            FileKind::Midi => return Err(Error::MidiFile),
            _ => {}
        }
        let work = WorkBudget::of_file(stored, budget.shared.as_ref());
        if kind == FileKind::SoundFont {
            let sounds = soundfont::open(source, &work, &mut Limits::with_structures(budget.structures))?;
            return Ok(Self::with_work(Box::new(sounds), name, stored, budget, work));
        }
        if kind == FileKind::SoundBank {
            let what = "a sound bank is opened by its path, not by its bytes".to_owned();
            return Err(Error::Bank(BankError { place: name.to_owned(), what }));
        }
        if kind == FileKind::SavedInstrument {
            let what = "a saved instrument is opened by its path, not by its bytes".to_owned();
            return Err(Error::Bank(BankError { place: name.to_owned(), what }));
        }
        if kind == FileKind::Sfz {
            let what = "an SFZ file is opened by its path, not by its bytes".to_owned();
            return Err(Error::Bank(BankError { place: name.to_owned(), what }));
        }
        let package = Package::open_with(&*source, reading, &mut limits)?;
        let sounds = find::sounds(&package, &*source, stream, budget.structures, &work)?;
        let collection = Box::new(UnpackedSounds { source, package, lineage2, sounds });
        Ok(Self::with_work(collection, name, stored, budget, work))
    }

    /// Opens an SFZ file with the files that it names, and describes its sounds.
    ///
    /// # Errors
    /// If it cannot be read as a whole. A file that is missing is no error; the report says so.
    pub fn open_sfz(files: &Arc<dyn Files>, path: &Path, name: &str, budget: Budget) -> Result<Self, Error> {
        let sounds = sfz::open(files, path, name, &budget)?;
        let stored = sounds.stored();
        Ok(Self::of(sounds, name, stored, budget))
    }

    /// Takes sounds of any kind for a file of that name, which takes `stored` bytes.
    #[must_use]
    pub fn of(collection: impl Collection, name: &str, stored: u64, budget: Budget) -> Self {
        let work = WorkBudget::of_file(stored, budget.shared.as_ref());
        Self::with_work(Box::new(collection), name, stored, budget, work)
    }

    fn with_work(
        collection: Box<dyn Collection>,
        name: &str,
        stored: u64,
        budget: Budget,
        work: WorkBudget,
    ) -> Self {
        Self { collection, stored, name: name.to_owned(), budget, work, described_last: Mutex::default() }
    }

    /// Returns the tracker module in an export, as if it were a file: a song of its own.
    ///
    /// # Errors
    /// If there is no sound of that number, it holds no module, or one that cannot be read.
    pub fn music(&self, number: usize) -> Result<Self, Error> {
        let sound = self.sound(number)?;
        if !sound.is_module() {
            return Err(Error::Sound(Status::Unsupported(UnsupportedReason::NotAModule)));
        }
        self.work.take(sound.payload().map_or(0, |payload| payload.uncompressed_len()))?;
        let source = Box::new(Memory(self.payload(number)?));
        let stored = source.len();
        let open = |limits: &mut Limits| module::open(source, &self.budget, limits);
        let sounds = self.work.spend(self.budget.structures, open)?;
        Ok(Self::of(sounds, &sound.object.name, stored, self.budget.clone()))
    }

    /// Returns the bytes that all of it takes where it is stored.
    pub(crate) const fn stored(&self) -> u64 {
        self.stored
    }

    /// Returns the package's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what lists its sounds, if it is of that type.
    #[must_use]
    pub fn collection<C: Collection>(&self) -> Option<&C> {
        (&*self.collection as &dyn Any).downcast_ref()
    }

    /// Returns the sound banks that it is, or those of a game; none if there are none.
    #[must_use]
    pub fn banks(&self) -> Option<&SoundBanks> {
        let of_game = self.collection().and_then(GameSounds::banks);
        self.collection().or(of_game)
    }

    /// Returns which package of a game holds a file of its sound banks, by the path of that; none if none does.
    #[must_use]
    pub fn package_of_bank(&self, path: &str) -> Option<BankInPackage> {
        self.collection().and_then(|game: &GameSounds| game.package_of(path))
    }

    /// Returns the package itself; none if it is anything else.
    #[must_use]
    pub fn package(&self) -> Option<&Package> {
        self.collection().map(|sounds: &UnpackedSounds| &sounds.package)
    }

    /// Returns the wrapper that the package was in, if it is one of Lineage 2.
    #[must_use]
    pub fn lineage2(&self) -> Option<Lineage2> {
        self.collection().and_then(|sounds: &UnpackedSounds| sounds.lineage2)
    }

    /// Returns the tracker module, as its file has it; none if it is anything else.
    #[must_use]
    pub fn module(&self) -> Option<&ModuleFile> {
        self.collection().map(|sounds: &ModuleSounds| &sounds.module)
    }

    /// Returns whether its sounds are named by their paths in a game.
    #[must_use]
    pub fn is_game(&self) -> bool {
        self.collection.names_paths()
    }

    /// Returns what kind of collection it is, as a noun, if it is neither a package nor a module.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.collection.kind()
    }

    /// Returns the packages of a game that could not be read, and why; none if it is no game.
    #[must_use]
    pub fn unread_packages(&self) -> Option<&UnreadPackages> {
        self.collection.unread()
    }

    /// Returns the bytes of a package out of its wrappers and without compression, or of any other file.
    #[must_use]
    pub fn source(&self) -> &dyn Source {
        self.collection.source()
    }

    /// Returns how many bytes it has without compression: of a module in a package its own.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.source().len()
    }

    /// Returns the whole of its bytes, but for compression.
    ///
    /// # Errors
    /// If they cannot be read, or are more than may be inflated.
    pub fn bytes(&self) -> Result<Vec<u8>, Error> {
        let (needed, left) = (self.source().len(), self.budget.inflated);
        if needed > left {
            return Err(Error::OverLimit { needed, left });
        }
        let mut bytes = vec![0; usize::try_from(needed).unwrap_or(usize::MAX)];
        self.source().read_at(0, &mut bytes).map_err(crate::Damage::from)?;
        Ok(bytes)
    }

    /// Returns the sounds of a package that are tracker modules, each of which [`SoundFile::music`] opens.
    pub fn modules(&self) -> impl Iterator<Item = (&Sound, &ModuleSummary)> {
        self.sounds().iter().filter_map(|sound| Some((sound, sound.module()?)))
    }

    /// Returns whether tracker modules are all there is to play in it.
    #[must_use]
    pub fn is_music(&self) -> bool {
        self.modules().next().is_some() && !self.sounds().iter().any(Sound::is_playable)
    }

    /// Returns every sound in it, in the order of their numbers.
    #[must_use]
    pub fn sounds(&self) -> &[Sound] {
        self.collection.sounds()
    }

    /// Returns what a level says of sounds: its song, and the actors that have an ambient sound.
    #[must_use]
    pub fn level(&self) -> Vec<Remark> {
        self.package().map_or_else(Vec::new, |package| {
            level::remarks(package, self.source(), self.budget.structures, &self.work)
        })
    }

    /// Returns a sound's bytes exactly as they are stored, but for compression.
    ///
    /// # Errors
    /// If there is no sound of that number, it is empty or damaged as an object, or its bytes cannot be read.
    pub fn payload(&self, number: usize) -> Result<Vec<u8>, Error> {
        let sound = self.sound(number)?;
        let Some(payload) = sound.payload() else { return Err(Error::Sound(sound.status.clone())) };
        Ok(payload.read(self.source(), most_inflated(payload.len))?)
    }

    /// Returns a sound decoded.
    ///
    /// # Errors
    /// If there is no sound of that number, its status is not ok, or its bytes cannot be read.
    pub fn sample(&self, number: usize) -> Result<DecodedSound, Error> {
        let mut left = DecodeBudget::new(self.budget.decoded, self.budget.shared.as_ref());
        let sample = self.decode(self.sound(number)?, &mut left)?;
        Ok(DecodedSound { sample, held: left.into_held() })
    }

    /// Returns a sound decoded to be played, within so many bytes.
    ///
    /// # Errors
    /// As [`SoundFile::sample`], and if it takes more or has more frames than can be played.
    pub fn playable_sample(&self, number: usize, most: u64) -> Result<DecodedSound, Error> {
        let mut left = DecodeBudget::new(most.min(self.budget.decoded), self.budget.shared.as_ref());
        let sample = self.decode_playable(self.sound(number)?, &mut left)?;
        Ok(DecodedSound { sample, held: left.into_held() })
    }

    /// Returns the instrument of a sound as its description says, nothing being decoded: sample i of its zones stands
    /// for sound #i+1. It is silent if nothing that it plays can be decoded; none if there is no sound of that number.
    #[must_use]
    pub fn instrument(&self, number: usize) -> Option<Instrument> {
        let sound = self.sound(number).ok()?;
        Some(self.collection.whole_instrument(sound, assemble::described_instrument(sound, self.sounds())))
    }

    /// Returns the module of the song of its sounds, nothing being decoded: the pattern that refers to all of them in
    /// sequence, as [`SoundFile::import_only`] makes it for what is no module itself.
    #[must_use]
    pub fn generated_module(&self) -> Module {
        assemble::generated_module(self.sounds().len())
    }

    /// Returns how notes of its sounds move, by the articulations of their zones.
    #[must_use]
    pub fn articulations(&self) -> &[Articulation] {
        self.collection.articulations()
    }

    /// Decodes every sound that can be decoded and makes the song of them; the others are in the report. Each tracker
    /// module in a package is a further song.
    ///
    /// # Errors
    /// If the parts do not make a song.
    pub fn import(&self) -> Result<Imported, Error> {
        let mut imported = self.import_only(|sound| !sound.is_module())?;
        for sound in self.sounds().iter().filter(|sound| sound.is_module()) {
            match self.music(sound.number).and_then(|music| music.import()) {
                Ok(music) => {
                    imported.songs.extend(music.songs);
                    imported.held.absorb(music.held);
                    imported.report.skipped.extend(music.report.skipped);
                    imported.report.repaired.extend(music.report.repaired);
                }
                Err(error) => {
                    imported.report.skipped.push(Remark::skipped(sound.path(), &error));
                }
            }
        }
        Ok(imported)
    }

    /// Returns what was repaired of it, or is not played, and belongs to no sound.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        self.collection.remarks(&self.name)
    }

    /// Returns the song of the sounds alone, and of those only the wanted ones: the other instruments are silent, and
    /// nothing of them is decoded or reported but what wanted groups, cues and instruments play.
    ///
    /// # Errors
    /// If the parts do not make a song.
    pub fn import_only(&self, wanted: impl FnMut(&Sound) -> bool) -> Result<Imported, Error> {
        self.import_watched(wanted, &mut |_| {})
    }

    /// Imports like [`SoundFile::import_only`], and calls `watch` right before each recording is decoded.
    ///
    /// # Errors
    /// As [`SoundFile::import_only`].
    pub fn import_watched(
        &self,
        wanted: impl FnMut(&Sound) -> bool,
        watch: &mut dyn FnMut(ImportProgress<'_>),
    ) -> Result<Imported, Error> {
        self.import_sounds(self.sounds(), self.articulations().to_vec(), wanted, watch)
    }

    /// Imports its sounds with zones that may be others, and the articulations of these.
    fn import_sounds(
        &self,
        sounds: &[Sound],
        articulations: Vec<Articulation>,
        wanted: impl FnMut(&Sound) -> bool,
        watch: &mut dyn FnMut(ImportProgress<'_>),
    ) -> Result<Imported, Error> {
        let mut left = DecodeBudget::new(self.budget.decoded_of(self.stored), self.budget.shared.as_ref());
        let decode = |progress: ImportProgress<'_>| {
            watch(progress);
            self.decode_playable(progress.sound, &mut left)
        };
        let mut assembled = assemble::song_of_sounds(&self.name, sounds, wanted, decode)?;
        assembled.parts.articulations = articulations;
        assembled.report.repaired.extend(self.remarks());
        assembled.report.skipped.extend_from_slice(self.missing());
        for (sound, instrument) in sounds.iter().zip(&mut assembled.parts.instruments) {
            *instrument = self.collection.whole_instrument(sound, std::mem::take(instrument));
        }
        let decoded = &assembled.decoded;
        let recorded = |index: usize| decoded.get(index)?.as_ref().map(Zone::sample);
        if let Some(CollectionSong { module, title, repaired }) =
            self.collection.song(&self.name, &recorded)?
        {
            assembled.parts.module = module;
            assembled.parts.name = title.unwrap_or(assembled.parts.name);
            assembled.report.repaired.extend(repaired);
        }
        Ok(assembled.finish(left.into_held())?)
    }

    fn sound(&self, number: usize) -> Result<&Sound, Error> {
        number.checked_sub(1).and_then(|index| self.sounds().get(index)).ok_or(Error::NoSuchSound(number))
    }

    /// Describes a payload, unless it is the one that was decoded last.
    fn described(
        &self,
        payload: Payload,
        recording: &StoredRecording,
        reader: &PayloadReader<'_>,
    ) -> Result<Arc<Described>, crate::Damage> {
        let key = (payload, recording.format, recording.channels.clone());
        let last = || self.described_last.lock().unwrap_or_else(PoisonError::into_inner);
        let known =
            last().as_ref().filter(|(known, _)| *known == key).map(|(_, described)| Arc::clone(described));
        if let Some(described) = known {
            return Ok(described);
        }
        let described = Arc::new(codec::describe(reader, recording.format, &recording.channels)?);
        *last() = Some((key, Arc::clone(&described)));
        Ok(described)
    }

    /// # Errors
    /// As [`SoundFile::playable_sample`].
    pub(crate) fn decode_playable(&self, sound: &Sound, budget: &mut DecodeBudget) -> Result<Sample, Error> {
        let most = self.budget.playable_frames;
        match sound.audio().and_then(|audio| audio.frames) {
            Some(frames) if frames > most => Err(Error::TooLong { frames, most }),
            _ => self.decode(sound, budget),
        }
    }

    fn decode(&self, sound: &Sound, budget: &mut DecodeBudget) -> Result<Sample, Error> {
        if let Some(decoded) = self.collection.decode(&self.name, sound, budget) {
            return decoded;
        }
        if sound.module().is_some() {
            return Err(Error::Sound(Status::Unsupported(UnsupportedReason::IsModule)));
        }
        let (Some(recording), Status::Ok) = (sound.recording(), &sound.status) else {
            return Err(Error::Sound(sound.status.clone()));
        };
        let Some(payload) = recording.payload else { return Err(Error::Sound(sound.status.clone())) };
        let decoded = PayloadReader::open(self.source(), payload, &self.work, |reader| {
            let described = self.described(payload, recording, reader)?;
            let most = self.budget.decoded_of(payload.len);
            let frames = budget.within(most, |budget| codec::decode(reader, &described, budget));
            let frames = frames.map_err(|(error, spent)| {
                // Many sounds may fail with the same bytes.
                self.work.settle(spent);
                error
            });
            Ok(frames.map(|frames| (described, frames)))
        });
        let (described, frames) = decoded??;
        let Some(audio) = &described.audio else { return Err(Error::Sound(sound.status.clone())) };
        let object = sound.object.clone();
        let origin = Origin { package: self.name.clone(), group: object.group, name: object.name };
        let sample = Sample::new(origin, frames, described.width(), audio.rate);
        let sample = match recording.tuning.or(described.tuning) {
            Some(tuning) => sample.with_root(tuning.root, tuning.above),
            None => sample,
        };
        self.work.give_back(sample.recording().bytes());
        let length = sample.length();
        // A stream may end before it said it would; its loops then lead nowhere.
        let loops = sound.audio().map_or(&audio.loops, |audio| &audio.loops);
        let loops = loops.iter().copied().filter(|looping| looping.end() <= length).collect();
        Ok(sample.with_loops(loops)?)
    }
}
