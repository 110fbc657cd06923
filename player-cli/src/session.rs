//! What `play`, `render` and `jam` begin with: an engine, the song of a package, its bank, a device.

use std::sync::Arc;
use std::time::Duration;

use engine::device::null::{NAME as NULL, NullDevice};
use engine::device::{DEFAULT_BLOCK, Running, StartError};
use engine::{Bank, Config, Controller, Processor};
use importer::{Imported, Remark, Sound, SoundFile};
use song::{Frames, Hz, Instrument, Song};

use crate::args::{DeviceArgs, EngineArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::playback::{Asker, Playback, Route, Starter};

/// Both halves of an engine with so many voices at most, with a limiter behind them or without.
///
/// # Errors
/// [`Exit::Usage`] if it cannot be made so large.
pub fn engine(
    args: &EngineArgs,
    polyphony: usize,
    limiter: bool,
) -> Result<(Controller, Processor), Failure> {
    let &EngineArgs { quality, seed } = args;
    let config = Config { polyphony, interpolation: quality.into(), seed, limiter, ..Config::default() };
    engine::split(config).map_err(|error| Failure::new(Exit::Usage, error.to_string()))
}

/// Decodes the wanted sounds of a package; what was skipped or repaired is told to the curious.
///
/// # Errors
/// [`Exit::Unreadable`] if they make no song.
pub fn import(
    package: &SoundFile<'_>,
    wanted: impl Fn(&Sound) -> bool,
    console: &mut Console<'_>,
) -> Result<Song, Failure> {
    import_telling(package, wanted, console).map(|(song, _)| song)
}

fn import_telling(
    package: &SoundFile<'_>,
    wanted: impl Fn(&Sound) -> bool,
    console: &mut Console<'_>,
) -> Result<(Song, Vec<Remark>), Failure> {
    let unreadable = |error: String| Failure::new(Exit::Unreadable, format!("{}: {error}", package.name()));
    let all = package.sounds().len();
    let imported = package.import_only(|sound| {
        console.progress(format_args!("{}/{all} sounds of {} decoded", sound.number, package.name()));
        wanted(sound)
    });
    console.end_progress();
    let Imported { songs, report } = imported.map_err(|error| unreadable(error.to_string()))?;
    for remark in &report.skipped {
        console.detail(format_args!("skipped {}: {}", remark.object, remark.text));
    }
    for remark in &report.repaired {
        console.detail(format_args!("repaired {}: {}", remark.object, remark.text));
    }
    let song = songs.into_iter().next().ok_or_else(|| unreadable("no song in it".to_owned()))?;
    Ok((song, report.skipped))
}

/// The same for one sound alone, which has to be played.
///
/// # Errors
/// As [`import`], and [`Exit::Partly`] with the reason if it could not be decoded.
pub fn import_one(
    package: &SoundFile<'_>,
    sound: &Sound,
    console: &mut Console<'_>,
) -> Result<Song, Failure> {
    let (song, skipped) = import_telling(package, |other| other.number == sound.number, console)?;
    let is_silent = song.instruments().get(sound.number - 1).is_none_or(Instrument::is_silent);
    if !is_silent {
        return Ok(song);
    }
    let path = sound.path();
    // Last, after the sounds it plays, comes what is said of a group or a cue.
    let reason = skipped.iter().rev().find(|remark| remark.object == path).map(|remark| remark.text.as_str());
    let reason = reason.unwrap_or("it could not be decoded");
    Err(Failure::new(Exit::Partly, format!("#{} {path}: {reason}", sound.number)))
}

/// A song made ready for the audio thread; its recordings are freed as they are taken over.
///
/// # Errors
/// [`Exit::Unreadable`] if a sound is too long to be played.
pub fn bank(song: Song) -> Result<Arc<Bank>, Failure> {
    let bank =
        Bank::prepare_owned(song).map_err(|error| Failure::new(Exit::Unreadable, error.to_string()))?;
    Ok(Arc::new(bank))
}

/// How long to wait before a device that went away is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// Plays on the device that the user wishes, or the system's.
///
/// # Errors
/// [`Exit::NoDevice`] if none answers.
pub fn start(processor: Processor, args: &DeviceArgs) -> Result<Playback, Failure> {
    Playback::begin(processor, route(args), PAUSE)
        .map_err(|error| Failure::new(Exit::NoDevice, format!("no audio device answered: {}", error.reason)))
}

/// The way to the device that the user wishes, or to the system's, whichever that is.
#[must_use]
pub fn route(args: &DeviceArgs) -> Route {
    let selector = args.clone();
    let start: Starter = Arc::new(move |processor| match selector.device.as_deref() {
        Some(NULL) => null_device(&selector).start(processor),
        device => start_real(processor, &selector, device),
    });
    let default: Option<Asker> = args.device.is_none().then(|| Arc::new(default_device) as Asker);
    Route { start, default }
}

fn null_device(args: &DeviceArgs) -> NullDevice {
    let rate =
        args.rate.or_else(|| Hz::new(Processor::DEFAULT_RATE).ok()).expect("the default rate is not 0");
    NullDevice { rate, block: args.buffer.map_or(DEFAULT_BLOCK, |frames| Frames::new(frames.into())) }
}

#[cfg(feature = "device")]
fn start_real(processor: Processor, args: &DeviceArgs, device: Option<&str>) -> Result<Running, StartError> {
    let request = engine::device::cpal::DeviceRequest {
        device: device.map(str::to_owned),
        rate: args.rate,
        buffer: args.buffer.map(|frames| Frames::new(frames.into())),
    };
    engine::device::cpal::start(processor, &request)
}

#[cfg(feature = "device")]
fn default_device() -> Option<String> {
    engine::device::cpal::default_device()
}

#[cfg(not(feature = "device"))]
const fn default_device() -> Option<String> {
    None
}

#[cfg(not(feature = "device"))]
fn start_real(processor: Processor, _: &DeviceArgs, _: Option<&str>) -> Result<Running, StartError> {
    Err(StartError::refused(processor, "this build has no audio devices"))
}
