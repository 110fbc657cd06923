//! The threads that open packages and make recordings ready.
//!
//! One opens packages and loads what was struck; another loads ahead meanwhile, from the package that is open, so that
//! nobody waits for a long recording that nobody asked for.

#[cfg(not(target_family = "wasm"))]
mod threads;

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

#[cfg(any(test, target_family = "wasm"))]
use crossbeam_channel::TryRecvError;
use crossbeam_channel::{Receiver, Sender};
use engine::PreparedRecording;
use importer::{Error, HeldMemory, Sound, SoundFile, SwitchChoice, SwitchValue};
use song::{Articulation, Instrument, SoundDefaults};

use super::{PackageSource, Unplayable};
use crate::background;
#[cfg(any(test, target_family = "wasm"))]
use crate::background::Step;
use crate::session::{self, DecodedSong};

/// Something to be done with a package.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) package: usize,
    pub(super) task: Task,
}

/// What is done with a package.
#[derive(Debug)]
pub(super) enum Task {
    /// Make a recording ready.
    Load {
        /// Its number in the package.
        number: usize,
        /// Its index in the library.
        sound: usize,
        /// Bytes that it may take.
        most: u64,
    },
    /// Decode sounds as they are stored.
    Decode {
        /// Their numbers in the package.
        numbers: HashSet<usize>,
        /// Values of switches and states that were set.
        values: Vec<SwitchValue>,
        /// Where they go to.
        reply: Sender<Result<DecodedSong, String>>,
    },
    /// Describe sounds.
    Describe {
        /// Their numbers in the package.
        numbers: Vec<usize>,
        /// Where their descriptions go to, in the same order.
        reply: Sender<Result<Vec<DescribedSound>, String>>,
    },
    /// Make the instruments of all events that switches and states choose branches of.
    Switch {
        /// Values of switches and states.
        values: Vec<SwitchValue>,
    },
}

/// Sounds of a package that are being decoded.
#[derive(Debug)]
pub(crate) struct DecodingPackage {
    /// The place of each in the list of those that were asked for, and its number in the package.
    pub(crate) sounds: Vec<(usize, usize)>,
    /// Receives them once, or why they cannot be decoded.
    pub(crate) song: Receiver<Result<DecodedSong, String>>,
}

/// Sounds of a package that are being described.
#[derive(Debug)]
pub(crate) struct DescribingPackage {
    /// Where it is; none if it is no file.
    pub(crate) path: Option<PathBuf>,
    /// The place of each in the list of those that were asked for, and its number in the package.
    pub(crate) sounds: Vec<(usize, usize)>,
    /// Receives them once, in the same order, or why they cannot be described.
    pub(crate) described: Receiver<Result<Vec<DescribedSound>, String>>,
}

/// What is known of a sound.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DescribedSound {
    /// Its path in its package.
    pub(crate) name: String,
    /// What it says itself.
    pub(crate) defaults: SoundDefaults,
}

/// What the loader has done.
pub(super) enum Loaded<L, F> {
    Listed {
        sounds: PlayableSounds,
        listed: L,
        /// Whether some of the package was listed before.
        is_begun: bool,
    },
    Failed(F),
    AllListed,
    Recording {
        sound: usize,
        recording: LoadedRecording,
    },
    /// Instruments of a package, by their numbers in it, have other zones.
    Switched {
        package: usize,
        instruments: Vec<(usize, Instrument)>,
        articulations: Arc<[Articulation]>,
    },
}

/// The sounds of a package.
pub(super) struct PlayableSounds {
    /// By number: how each is played, sample i standing for sound #i+1, and how many bytes its own recording takes.
    pub(super) sounds: Vec<(Instrument, u64)>,
    pub(super) articulations: Arc<[Articulation]>,
    /// Switches and states that choose what its events play.
    pub(super) switches: Vec<SwitchChoice>,
}

/// A recording made ready, and its memory.
pub(super) type LoadedRecording = Result<(Box<PreparedRecording>, HeldMemory), LoadError>;

/// Why a recording was not loaded.
pub(super) enum LoadError {
    /// It takes `needed` bytes or more; with fewer it cannot be played.
    NeedsMore { needed: u64, why: Unplayable },
    /// It cannot be decoded.
    Unplayable(Unplayable),
}

/// How far a loader without threads has come.
#[cfg(any(test, target_family = "wasm"))]
pub(super) struct StepState<O> {
    /// Packages that were listed, or cannot be opened.
    listed: usize,
    /// Whether it was said that all are.
    has_said_all: bool,
    /// The package that is open.
    open: Option<(usize, O)>,
}

#[cfg(any(test, target_family = "wasm"))]
impl<O> Default for StepState<O> {
    fn default() -> Self {
        Self { listed: 0, has_said_all: false, open: None }
    }
}

/// The loader's ends of the channels.
pub(super) struct Loader<L, F> {
    pub(super) urgent: Receiver<Job>,
    pub(super) ahead: Receiver<Job>,
    pub(super) loaded: Sender<Loaded<L, F>>,
    pub(super) waker: Sender<()>,
}

/// Estimated size in bytes per stored byte of a recording whose number of frames is unknown.
const EXPANSION: u64 = 16;
/// What guards and loops add to a recording, generously.
const SLACK: u64 = 16 << 10;

impl<L: Send + 'static, F: Send + 'static> Loader<L, F> {
    /// Starts. It ends when nobody asks for anything any more.
    pub(super) fn start<P: PackageSource<Listed = L, Unopenable = F>>(self, packages: P) -> io::Result<()> {
        #[cfg(not(target_family = "wasm"))]
        // That nobody listens any more is the usual end.
        return background::run("library", move || drop(self.run(&packages))).map(drop);
        #[cfg(target_family = "wasm")]
        {
            let mut state = StepState::default();
            background::steps(move || self.step(&packages, &mut state));
            Ok(())
        }
    }

    /// Does one thing that is due: what was struck, else lists a package, else loads ahead. For who has no threads;
    /// `state` begins with the default.
    #[cfg(any(test, target_family = "wasm"))]
    pub(super) fn step<P: PackageSource<Listed = L, Unopenable = F>>(
        &self,
        packages: &P,
        state: &mut StepState<P::OpenPackage>,
    ) -> Step {
        let done = match self.urgent.try_recv() {
            Ok(job) => self.step_job(packages, state, job),
            Err(TryRecvError::Disconnected) => Err(Gone),
            Err(TryRecvError::Empty) if !state.has_said_all => self.step_list(packages, state),
            Err(TryRecvError::Empty) => match self.ahead.try_recv() {
                Ok(job) => self.step_job(packages, state, job),
                Err(TryRecvError::Disconnected) => Err(Gone),
                Err(TryRecvError::Empty) => return Step::Idle,
            },
        };
        if done.is_ok() { Step::Worked } else { Step::Over }
    }

    #[cfg(any(test, target_family = "wasm"))]
    fn step_job<P: PackageSource<Listed = L, Unopenable = F>>(
        &self,
        packages: &P,
        state: &mut StepState<P::OpenPackage>,
        job: Job,
    ) -> Result<(), Gone> {
        let package = job.package;
        if let Some((_, opened)) = state.open.as_ref().filter(|(open, _)| *open == package) {
            return self.work(opened.as_ref(), job);
        }
        // Only one is open.
        state.open = None;
        if let Some((opened, job)) = self.open(packages, job)? {
            let (_, opened) = state.open.insert((package, opened));
            self.work((*opened).as_ref(), job)?;
        }
        Ok(())
    }

    #[cfg(any(test, target_family = "wasm"))]
    fn step_list<P: PackageSource<Listed = L, Unopenable = F>>(
        &self,
        packages: &P,
        state: &mut StepState<P::OpenPackage>,
    ) -> Result<(), Gone> {
        if state.listed == packages.count() {
            state.has_said_all = true;
            return self.tell(Loaded::AllListed);
        }
        // Only one is open.
        state.open = None;
        state.open = self.list_package(packages, state.listed)?.map(|opened| (state.listed, opened));
        state.listed += 1;
        Ok(())
    }

    /// Opens a package and lists it; says why and returns nothing if it cannot be opened.
    fn list_package<P: PackageSource<Listed = L, Unopenable = F>>(
        &self,
        packages: &P,
        package: usize,
    ) -> Result<Option<P::OpenPackage>, Gone> {
        let mut begun = 0;
        let opened = packages.open(package, &mut |page, listed| {
            begun = page.sounds().len();
            // Whoever is gone is seen to be when all is there.
            let _ = self.list(page, 0, listed);
        });
        match opened {
            Ok(opened) => {
                self.list(opened.as_ref(), begun, packages.list(&opened, begun))?;
                Ok(Some(opened))
            }
            Err(failure) => self.tell(Loaded::Failed(failure)).map(|()| None),
        }
    }

    /// Opens the package of a job; says so and returns nothing if it cannot be opened any more.
    fn open<P: PackageSource<Listed = L, Unopenable = F>>(
        &self,
        packages: &P,
        job: Job,
    ) -> Result<Option<(P::OpenPackage, Job)>, Gone> {
        if let Ok(opened) = packages.open(job.package, &mut |_, _| {}) {
            return Ok(Some((opened, job)));
        }
        let reason = "its package cannot be opened any more".to_owned();
        match job.task {
            Task::Load { sound, .. } => {
                let recording = Err(LoadError::Unplayable(Unplayable::Undecoded(reason)));
                self.tell(Loaded::Recording { sound, recording })?;
            }
            // Who asked may be gone.
            Task::Decode { reply, .. } => drop(reply.send(Err(reason))),
            Task::Describe { reply, .. } => drop(reply.send(Err(reason))),
            Task::Switch { .. } => {}
        }
        Ok(None)
    }

    /// Lists the sounds of a package after the first `begun`, which were listed before.
    fn list(&self, file: &SoundFile, begun: usize, listed: L) -> Result<(), Gone> {
        let sound = |number: usize| {
            let instrument = file.instrument(number).unwrap_or_default();
            (instrument, file.sounds().get(number - 1).map_or(0, needed))
        };
        let sounds = (begun + 1..=file.sounds().len()).map(sound).collect();
        let (articulations, switches) = (file.articulations().into(), file.switches());
        let sounds = PlayableSounds { sounds, articulations, switches };
        self.tell(Loaded::Listed { sounds, listed, is_begun: begun > 0 })
    }

    /// Does a job with its package.
    fn work(&self, file: &SoundFile, job: Job) -> Result<(), Gone> {
        match job.task {
            Task::Load { number, sound, most } => self.load(file, number, sound, most),
            Task::Decode { numbers, values, reply } => {
                let wanted = |sound: &Sound| numbers.contains(&sound.number);
                let decoded = session::import_switched(file, &values, wanted);
                // Who asked may be gone.
                let _ = reply.send(decoded.map_err(|error| error.message().to_owned()));
                Ok(())
            }
            Task::Describe { numbers, reply } => {
                // Who asked may be gone.
                let _ = reply.send(Ok(numbers.into_iter().map(|number| describe(file, number)).collect()));
                Ok(())
            }
            Task::Switch { values } => {
                let (instruments, articulations) = file.switched(&values);
                self.tell(Loaded::Switched {
                    package: job.package,
                    instruments,
                    articulations: articulations.into(),
                })
            }
        }
    }

    /// Loads a recording.
    fn load(&self, file: &SoundFile, number: usize, sound: usize, most: u64) -> Result<(), Gone> {
        let recording = match file.playable_sample(number, within(most)) {
            Ok(decoded) => {
                let (sample, held) = decoded.into_parts();
                match PreparedRecording::new(&sample) {
                    Ok(recording) if recording.bytes() > most => {
                        let needed = recording.bytes();
                        let why = Unplayable::Undecoded("it is longer than it says".to_owned());
                        Err(LoadError::NeedsMore { needed, why })
                    }
                    Ok(recording) => Ok((Box::new(recording), held)),
                    Err(error) => Err(LoadError::Unplayable(Unplayable::Undecoded(error.to_string()))),
                }
            }
            Err(error @ Error::OverLimit { .. }) => {
                let why = Unplayable::OverLimit(error.to_string());
                Err(LoadError::NeedsMore { needed: within(most), why })
            }
            Err(error) => Err(LoadError::Unplayable(Unplayable::Undecoded(error.to_string()))),
        };
        self.tell(Loaded::Recording { sound, recording })
    }

    /// Hands over what was done, and wakes who waits for it.
    fn tell(&self, loaded: Loaded<L, F>) -> Result<(), Gone> {
        self.loaded.send(loaded).map_err(|_| Gone)?;
        // It is awake already, or will be.
        let _ = self.waker.try_send(());
        Ok(())
    }
}

/// Describes a sound of a package.
fn describe(file: &SoundFile, number: usize) -> DescribedSound {
    let own = file.instrument(number).unwrap_or_default();
    let sound = number.checked_sub(1).and_then(|index| file.sounds().get(index));
    DescribedSound { name: sound.map(Sound::path).unwrap_or_default(), defaults: SoundDefaults::of(&own) }
}

/// Nobody asks for anything any more.
struct Gone;

/// Returns the bytes that decoding may take for a result of at most `most` bytes: some of them for a moment only.
const fn within(most: u64) -> u64 {
    most.saturating_mul(2).saturating_add(1 << 20)
}

/// Returns how many bytes the recording of a sound may take, as far as is known beforehand.
fn needed(sound: &Sound) -> u64 {
    let stored = || sound.payload().map_or(0, |payload| payload.len.saturating_mul(EXPANSION));
    match sound.recording() {
        Some(_) => sound.decoded_len().unwrap_or_else(stored).saturating_add(SLACK),
        None => 0,
    }
}
