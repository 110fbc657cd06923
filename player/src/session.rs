//! What all playing begins with: an engine, the song of a package, its bank, a device.

use std::sync::Arc;
use std::time::Duration;

use engine::device::null::{NAME as NULL, NullDevice};
use engine::device::{DEFAULT_BLOCK, DeviceInfo, Running, StartError};
use engine::{Bank, Config, Controller, Processor, Quality};
use importer::{HeldMemory, ImportProgress, Imported, Report, Sound, SoundFile, SwitchValue};
use song::{Frames, Hz, Instrument, InstrumentIndex, Song, SongParts, Voicing};

use crate::playback::{Asker, Playback, Route, Starter};
use crate::voicing::{BankVoicing, EngineVoicing as _};
use crate::{Error, ErrorKind};

/// How an engine renders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineOptions {
    /// Interpolation of notes that do not state their own.
    pub quality: Quality,
    /// Seed of random choices in groups and cues.
    pub seed: u64,
    /// Whether it has the effects of a [`Room`](crate::room::Room).
    pub effects: bool,
}

/// Which device plays, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceOptions {
    /// Id of the device; the system's default if none is given.
    pub device: Option<String>,
    /// Frames per second; the device's own rate if none is given.
    pub rate: Option<Hz>,
    /// Frames per block; [`DEFAULT_BLOCK`] if none is given.
    pub buffer: Option<u32>,
}

/// Makes both halves of an engine of at most `polyphony` voices, with or without a limiter.
///
/// # Errors
/// [`ErrorKind::Options`] if it cannot be made so large.
pub fn engine(
    options: EngineOptions,
    polyphony: usize,
    limiter: bool,
) -> Result<(Controller, Processor), Error> {
    let EngineOptions { quality, seed, effects } = options;
    let config =
        Config { polyphony, interpolation: quality.into(), seed, limiter, effects, ..Config::default() };
    engine::split(config).map_err(|error| Error::new(ErrorKind::Options, error.to_string()))
}

/// A song of decoded sounds.
#[derive(Debug)]
pub struct DecodedSong {
    /// The song.
    pub song: Song,
    /// What was skipped or repaired.
    pub report: Report,
    /// The memory that its recordings hold.
    pub held: HeldMemory,
}

/// Decodes the wanted sounds of a package into a song. `watch` is called as each recording is decoded.
///
/// # Errors
/// [`ErrorKind::Song`] if they make no song.
pub fn import(
    package: &SoundFile,
    wanted: impl Fn(&Sound) -> bool,
    watch: &mut dyn FnMut(ImportProgress<'_>),
) -> Result<DecodedSong, Error> {
    first_song(package, package.import_watched(wanted, watch))
}

/// Decodes the wanted sounds of a package into a song, with events by values of switches and states.
///
/// # Errors
/// [`ErrorKind::Song`] if they make no song.
pub(crate) fn import_switched(
    package: &SoundFile,
    values: &[SwitchValue],
    wanted: impl Fn(&Sound) -> bool,
) -> Result<DecodedSong, Error> {
    first_song(package, package.import_switched(values, wanted))
}

fn first_song(
    package: &SoundFile,
    imported: Result<Imported, importer::Error>,
) -> Result<DecodedSong, Error> {
    let unreadable = |error: String| Error::new(ErrorKind::Song, format!("{}: {error}", package.name()));
    let Imported { songs, report, held } = imported.map_err(|error| unreadable(error.to_string()))?;
    let song = songs.into_iter().next().ok_or_else(|| unreadable("no song in it".to_owned()))?;
    Ok(DecodedSong { song, report, held })
}

/// What is said of a sound that is silent for no known reason.
pub const UNDECODED: &str = "it could not be decoded";

/// Checks that a sound is audible in a song that was imported for it.
///
/// # Errors
/// [`ErrorKind::Sound`] with the reason if it could not be decoded.
pub fn check_audible(sound: &Sound, song: &Song, report: &Report) -> Result<(), Error> {
    let is_silent = song.instruments().get(sound.number - 1).is_none_or(Instrument::is_silent);
    if !is_silent {
        return Ok(());
    }
    let path = sound.path();
    let remark = report.reasons().get(path.as_str()).copied();
    let reason = remark.map_or(UNDECODED, |remark| &remark.text);
    let is_over_limit = remark.is_some_and(|remark| remark.is_over_limit);
    let kind = if is_over_limit { ErrorKind::Memory } else { ErrorKind::Sound };
    Err(Error::new(kind, format!("#{} {path}: {reason}", sound.number)))
}

/// Returns a song made ready for the audio thread; its recordings are freed as they are taken over.
///
/// # Errors
/// [`ErrorKind::Song`] if a sound is too long to be played.
pub fn bank(song: Song) -> Result<Arc<Bank>, Error> {
    let bank = Bank::prepare_owned(song).map_err(|error| Error::new(ErrorKind::Song, error.to_string()))?;
    Ok(Arc::new(bank))
}

/// Returns a song made ready as [`bank`] does, with adjusted sounds, by their index: their loops, trims and shapes.
///
/// # Errors
/// As [`bank`].
pub fn adjusted_bank<'v>(
    song: Song,
    voicings: impl IntoIterator<Item = (usize, &'v Voicing)>,
) -> Result<Arc<Bank>, Error> {
    let voicings: Vec<(usize, BankVoicing)> =
        voicings.into_iter().map(|(sound, voicing)| (sound, voicing.in_bank())).collect();
    let overrides = voicings.iter().filter_map(|(sound, voicing)| Some((*sound, voicing.sample?)));
    let bank = bank(shaped(song, &voicings)?)?;
    Ok(overrides.fold(bank, |bank, (sound, how)| {
        // A bank is shared once it is played.
        Arc::new(bank.with_override(InstrumentIndex::new(sound), how))
    }))
}

/// Returns a song whose instruments are shaped as adjusted sounds are.
fn shaped(song: Song, voicings: &[(usize, BankVoicing)]) -> Result<Song, Error> {
    let own = song.articulations();
    let (mut instruments, mut made) = (song.instruments().to_vec(), Vec::new());
    let mut is_changed = false;
    for (sound, voicing) in voicings {
        let Some(place) = instruments.get_mut(*sound) else { continue };
        if let Some(instrument) = voicing.instrument(place, own, (own.len(), &mut made)) {
            *place = instrument;
            is_changed = true;
        }
    }
    if !is_changed {
        return Ok(song);
    }
    let articulations = [own, &made].concat();
    let (name, module) = (song.name().to_owned(), song.module().clone());
    let parts = SongParts { name, samples: song.samples().to_vec(), instruments, articulations, module };
    Song::new(parts).map_err(|error| Error::new(ErrorKind::Song, error.to_string()))
}

/// How long to wait before a device that went away is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// Plays on the device that the user wants, or the system's.
///
/// # Errors
/// [`ErrorKind::Device`] if none answers.
pub fn start(processor: Processor, options: &DeviceOptions) -> Result<Playback, Error> {
    Playback::begin(processor, route(options), PAUSE)
        .map_err(|error| Error::new(ErrorKind::Device, format!("no audio device answered: {}", error.reason)))
}

/// Returns the way to the device that the user wants, or to the system's, whichever that is.
#[must_use]
pub(crate) fn route(options: &DeviceOptions) -> Route {
    let selector = options.clone();
    let start: Starter = Arc::new(move |processor| match selector.device.as_deref() {
        Some(NULL) => null_device(&selector).start(processor),
        device => start_real(processor, &selector, device),
    });
    let default: Option<Asker> = options.device.is_none().then(|| Arc::new(default_device) as Asker);
    Route { start, default }
}

fn null_device(options: &DeviceOptions) -> NullDevice {
    NullDevice {
        rate: options.rate.unwrap_or(Processor::DEFAULT_RATE),
        block: options.buffer.map_or(DEFAULT_BLOCK, |frames| Frames::new(frames.into())),
    }
}

/// Returns the output devices of the system, its default first, and last the silent one. Asking them takes a while.
///
/// # Errors
/// [`ErrorKind::Device`] if the system has no sound at all.
pub fn devices() -> Result<Vec<DeviceInfo>, Error> {
    let mut found = real_devices()?;
    found.push(engine::device::null::info());
    Ok(found)
}

#[cfg(feature = "device")]
fn real_devices() -> Result<Vec<DeviceInfo>, Error> {
    engine::device::list()
        .map_err(|error| Error::new(ErrorKind::Device, format!("the devices cannot be listed: {error}")))
}

#[cfg(not(feature = "device"))]
fn real_devices() -> Result<Vec<DeviceInfo>, Error> {
    Ok(Vec::new())
}

#[cfg(feature = "device")]
fn start_real(
    processor: Processor,
    options: &DeviceOptions,
    device: Option<&str>,
) -> Result<Running, StartError> {
    let request = engine::device::DeviceRequest {
        device: device.map(str::to_owned),
        rate: options.rate,
        buffer: options.buffer.map(|frames| Frames::new(frames.into())),
    };
    engine::device::start(processor, &request)
}

#[cfg(feature = "device")]
fn default_device() -> Option<String> {
    engine::device::default_device()
}

#[cfg(not(feature = "device"))]
const fn default_device() -> Option<String> {
    None
}

#[cfg(not(feature = "device"))]
fn start_real(processor: Processor, _: &DeviceOptions, _: Option<&str>) -> Result<Running, StartError> {
    Err(StartError::refused(processor, "this build has no audio device support"))
}
