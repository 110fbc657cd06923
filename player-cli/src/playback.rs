//! A processor on a device, and on the next one when that goes away.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use engine::Processor;
use engine::device::{Running, StartError, Status};
use song::Hz;

/// Starts a processor on the device that the user wants.
pub type Starter = Arc<dyn Fn(Processor) -> Result<Running, StartError> + Send + Sync>;

/// A processor that plays, or waits for a device to come back. What sounds goes on when it does.
pub struct Playback {
    start: Starter,
    state: State,
    /// Pause between two attempts to find a device.
    pause: Duration,
    name: String,
    rate: Hz,
    status: Arc<Status>,
}

enum State {
    Playing(Running),
    /// The device went away, and none was found so far.
    Waiting {
        /// As large as all other states together.
        processor: Box<Processor>,
        since: Instant,
    },
    /// A thread of its own tries, since that may take seconds.
    Trying(Receiver<Result<Running, StartError>>),
    /// The device went away with the processor: nothing can play any more.
    Over,
}

impl Playback {
    /// Starts playing.
    ///
    /// # Errors
    /// If the first attempt fails; later ones are repeated after each `pause`.
    pub fn begin(processor: Processor, start: Starter, pause: Duration) -> Result<Self, StartError> {
        let running = start(processor)?;
        let (name, rate, status) = (running.name().to_owned(), running.rate(), Arc::clone(running.status()));
        Ok(Self { start, state: State::Playing(running), pause, name, rate, status })
    }

    /// What plays, or played last.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Frames per second that it plays, or played last.
    #[must_use]
    pub const fn rate(&self) -> Hz {
        self.rate
    }

    /// How the device does, or did.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// Whether a device plays.
    #[must_use]
    pub const fn is_playing(&self) -> bool {
        matches!(self.state, State::Playing(_))
    }

    /// Whether no device will ever play again.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// Looks after the device; to be called several times a second. Does not wait.
    pub fn tend(&mut self) {
        let state = std::mem::replace(&mut self.state, State::Over);
        self.state = match state {
            State::Playing(running) if running.status().is_lost() => {
                Self::parked(running.stop().map(Box::new))
            }
            State::Waiting { processor, since } if since.elapsed() >= self.pause => self.attempt(*processor),
            State::Trying(answer) => match answer.try_recv() {
                Ok(Ok(running)) => {
                    running.name().clone_into(&mut self.name);
                    self.rate = running.rate();
                    self.status = Arc::clone(running.status());
                    State::Playing(running)
                }
                Ok(Err(error)) => Self::parked(error.processor),
                Err(TryRecvError::Empty) => State::Trying(answer),
                Err(TryRecvError::Disconnected) => State::Over,
            },
            other => other,
        };
    }

    fn parked(processor: Option<Box<Processor>>) -> State {
        match processor {
            Some(processor) => State::Waiting { processor, since: Instant::now() },
            None => State::Over,
        }
    }

    fn attempt(&self, processor: Processor) -> State {
        let (sender, answer) = bounded(1);
        let start = Arc::clone(&self.start);
        let attempt = move || {
            // Whoever asked may be gone; then nobody wants the device.
            let _ = sender.send(start(processor));
        };
        match thread::Builder::new().name("device".into()).spawn(attempt) {
            Ok(_) => State::Trying(answer),
            Err(_) => State::Over,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use engine::device::null::NullDevice;
    use engine::{Bank, Config, Event, Note};
    use song::{
        Cents, Frames, Instrument, InstrumentIndex, Key, LoopMode, LoopRange, Origin, Planes, Plays,
        Recording, Sample, SampleIndex, Song, SongParts, Velocity, Width, Zone,
    };

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    fn until(mut done: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !done() {
            assert!(begun.elapsed() < PATIENCE, "it never happens");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// One instrument that sounds until it is released.
    fn drone() -> Song {
        let recording = Recording::I16(Planes::new(vec![vec![1000; 100]]).unwrap());
        let length = Frames::new(100);
        let whole = LoopRange::new(Frames::ZERO, length, length, LoopMode::Forward, Plays::Forever).unwrap();
        let sample = Sample::new(Origin::default(), recording, Width::Sixteen, Hz::new(48_000).unwrap());
        let part = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, Cents::ZERO).into();
        Song::new(SongParts {
            samples: vec![Arc::new(sample.with_loops(vec![whole]).unwrap())],
            instruments: vec![Instrument { part, ..Instrument::default() }],
            ..SongParts::default()
        })
        .unwrap()
    }

    #[test]
    fn a_note_goes_on_when_a_lost_device_comes_back_at_the_third_attempt() {
        let (mut controller, processor) = engine::split(Config::default()).unwrap();
        controller.load(Arc::new(Bank::prepare(&drone()).unwrap()));
        let attempts = Arc::new(AtomicUsize::new(0));
        let last: Arc<Mutex<Option<Arc<Status>>>> = Arc::default();
        let start: Starter = {
            let (attempts, last) = (Arc::clone(&attempts), Arc::clone(&last));
            Arc::new(move |processor| match attempts.fetch_add(1, Ordering::Relaxed) {
                1 | 2 => Err(StartError::refused(processor, "still gone")),
                _ => {
                    let device = NullDevice { rate: Hz::new(48_000).unwrap(), block: Frames::new(64) };
                    let running = device.start(processor)?;
                    *last.lock().unwrap() = Some(Arc::clone(running.status()));
                    Ok(running)
                }
            })
        };
        let mut playback = Playback::begin(processor, start, Duration::from_millis(1)).unwrap();
        let note =
            controller.note_on(Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST)).unwrap();
        until(|| matches!(controller.poll(), Some(Event::Started { .. })));

        last.lock().unwrap().as_ref().unwrap().set_lost();
        until(|| {
            playback.tend();
            !playback.is_playing()
        });
        let stopped_at = controller.now();
        until(|| {
            playback.tend();
            playback.is_playing()
        });
        assert_eq!(attempts.load(Ordering::Relaxed), 4);
        until(|| controller.now().get() > stopped_at.get() + 10_000);
        let mut sounds = false;
        while let Some(event) = controller.poll() {
            assert!(!matches!(event, Event::Ended { note: ended, .. } if ended == note), "the note was lost");
            sounds |= matches!(event, Event::Meter { voices: 1, at, .. } if at > stopped_at);
        }
        assert!(sounds);
        assert!(!playback.is_over());
    }

    #[test]
    fn a_first_attempt_that_fails_is_told() {
        let (_controller, processor) = engine::split(Config::default()).unwrap();
        let start: Starter = Arc::new(|processor| Err(StartError::refused(processor, "no such thing")));
        let error = Playback::begin(processor, start, Duration::ZERO).err().unwrap();
        assert!(error.processor.is_some());
    }
}
