use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use engine::device::null::NullDevice;
use engine::{Bank, Config, Controller, Event, Note, NoteId};
use fixtures::songs::{looped, mono_float, of};
use song::{Frames, InstrumentIndex, Key, LoopMode, Velocity};

use super::*;

const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(1);

fn until(mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < PATIENCE, "it never happens");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Returns an engine with one instrument that sounds until it is released.
fn drone() -> (Controller, Processor) {
    let (mut controller, processor) = engine::split(Config::default()).unwrap();
    let song = of(vec![looped(mono_float([0.25; 100]), 0, 100, LoopMode::Forward)]);
    controller.load(Arc::new(Bank::prepare(&song).unwrap()));
    (controller, processor)
}

fn key_down(controller: &mut Controller) -> NoteId {
    controller.note_on(Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST)).unwrap()
}

/// A device that keeps time, reports what it hears and can be pulled out.
#[derive(Clone, Default)]
struct Double {
    status: Arc<Mutex<Option<Arc<DeviceStatus>>>>,
    heard: Arc<Mutex<Vec<f32>>>,
    starts: Arc<AtomicUsize>,
}

impl Double {
    fn start(&self, processor: Processor, rate: u32, block: u64) -> Result<Running, StartError> {
        self.starts.fetch_add(1, Ordering::Relaxed);
        let heard = Arc::clone(&self.heard);
        let device = NullDevice { rate: Hz::new(rate).unwrap(), block: Frames::new(block) };
        let running = device.start_into(processor, move |block| heard.lock().unwrap().extend(block))?;
        *self.status.lock().unwrap() = Some(Arc::clone(running.status()));
        Ok(running)
    }

    fn route(&self, rate: u32, block: u64) -> Route {
        let double = self.clone();
        Route { start: Arc::new(move |processor| double.start(processor, rate, block)), default: None }
    }

    fn unplug(&self) {
        self.status.lock().unwrap().as_ref().unwrap().set_lost();
    }

    fn starts(&self) -> usize {
        self.starts.load(Ordering::Relaxed)
    }

    /// Waits until something is heard from here on.
    fn sounds(&self) {
        self.heard.lock().unwrap().clear();
        until(|| self.heard.lock().unwrap().iter().any(|value| *value != 0.0));
    }

    /// Waits until nothing is heard any more.
    fn is_silent(&self) {
        until(|| {
            let mut heard = self.heard.lock().unwrap();
            let silent = heard.len() > 2000 && heard.iter().all(|value| *value == 0.0);
            heard.clear();
            drop(heard);
            thread::sleep(Duration::from_millis(30));
            silent
        });
    }
}

fn nowhere() -> Route {
    Route { start: Arc::new(|processor| Err(StartError::refused(processor, "no such thing"))), default: None }
}

fn tend_until(playback: &mut Playback, mut done: impl FnMut(&Playback) -> bool) {
    until(|| {
        playback.poll();
        done(playback)
    });
}

#[test]
fn a_note_goes_on_when_a_lost_device_comes_back_at_the_third_attempt() {
    let (mut controller, processor) = drone();
    let device = Double::default();
    let attempts = Arc::new(AtomicUsize::new(0));
    let start: Starter = {
        let (attempts, device) = (Arc::clone(&attempts), device.clone());
        Arc::new(move |processor| match attempts.fetch_add(1, Ordering::Relaxed) {
            1 | 2 => Err(StartError::refused(processor, "still gone")),
            _ => device.start(processor, 48_000, 64),
        })
    };
    let mut playback = Playback::begin(processor, Route { start, default: None }, PAUSE).unwrap();
    let note = key_down(&mut controller);
    until(|| matches!(controller.poll(), Some(Event::Started { .. })));

    device.unplug();
    tend_until(&mut playback, |playback| !playback.is_playing());
    let stopped_at = controller.now();
    tend_until(&mut playback, Playback::is_playing);
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
fn what_is_released_while_no_device_plays_ends_and_what_is_held_goes_on_at_the_next_whatever_its_rate() {
    let (mut controller, processor) = drone();
    let device = Double::default();
    let is_there = Arc::new(AtomicUsize::new(1));
    let start: Starter = {
        let (is_there, device) = (Arc::clone(&is_there), device.clone());
        Arc::new(move |processor| match is_there.load(Ordering::Relaxed) {
            0 => Err(StartError::refused(processor, "still gone")),
            1 => device.start(processor, 48_000, 64),
            _ => device.start(processor, 44_100, 1000),
        })
    };
    let mut playback = Playback::begin(processor, Route { start, default: None }, PAUSE).unwrap();
    let (held, released) = (key_down(&mut controller), key_down(&mut controller));
    device.sounds();

    is_there.store(0, Ordering::Relaxed);
    device.unplug();
    tend_until(&mut playback, Playback::is_lost);
    controller.note_off(released, None).unwrap();
    for _ in 0..20 {
        playback.poll();
        thread::sleep(Duration::from_millis(1));
    }
    assert!(playback.is_lost() && !playback.is_over());

    is_there.store(2, Ordering::Relaxed);
    tend_until(&mut playback, Playback::is_playing);
    assert_eq!(playback.rate(), Hz::new(44_100).unwrap());
    device.sounds();
    let mut ended = Vec::new();
    until(|| {
        while let Some(event) = controller.poll() {
            if let Event::Ended { note, .. } = event {
                ended.push(note);
            }
        }
        ended.contains(&released)
    });
    assert!(!ended.contains(&held));
    controller.note_off(held, None).unwrap();
    device.is_silent();
}

#[test]
fn a_storm_of_keys_while_no_device_plays_is_refused_and_leaves_no_note_that_sticks() {
    let (mut controller, processor) = drone();
    let device = Double::default();
    let mut playback = Playback::begin(processor, device.route(48_000, 64), PATIENCE).unwrap();
    device.unplug();
    tend_until(&mut playback, Playback::is_lost);
    assert_eq!(playback.refusal(), Some("no audio device"));
    let note = Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST);
    let refused = (0..10_000).any(|_| controller.note_on(note).is_err());
    assert!(refused, "the queue is bounded");
    // What a player does when a release finds no room.
    controller.all_sound_off();
    tend_until(&mut playback, Playback::is_playing);
    device.is_silent();
    key_down(&mut controller);
    device.sounds();
}

#[test]
fn what_sounds_goes_on_at_the_device_that_is_chosen() {
    let (mut controller, processor) = drone();
    let (one, other) = (Double::default(), Double::default());
    let mut playback = Playback::begin(processor, one.route(48_000, 64), PAUSE).unwrap();
    let note = key_down(&mut controller);
    one.sounds();
    assert_eq!(playback.refusal(), None);
    playback.change(other.route(96_000, 333));
    playback.poll();
    assert_eq!(playback.refusal(), Some("the audio device is being changed"));
    tend_until(&mut playback, |playback| playback.rate().get() == 96_000);
    other.sounds();
    assert!(playback.is_playing() && playback.take_warning().is_none());
    let silent = one.heard.lock().unwrap().len();
    controller.note_off(note, None).unwrap();
    other.is_silent();
    assert_eq!(one.heard.lock().unwrap().len(), silent, "the first device was closed");
}

#[test]
fn a_device_that_cannot_be_had_leaves_the_music_where_it_was_and_says_why() {
    let (mut controller, processor) = drone();
    let device = Double::default();
    let mut playback = Playback::begin(processor, device.route(48_000, 64), PAUSE).unwrap();
    key_down(&mut controller);
    device.sounds();
    playback.change(nowhere());
    tend_until(&mut playback, |_| device.starts() == 2);
    tend_until(&mut playback, Playback::is_playing);
    assert_eq!(playback.take_warning().as_deref(), Some("no such thing"));
    assert_eq!(playback.take_warning(), None);
    device.sounds();
}

#[test]
fn another_device_can_be_chosen_while_the_first_is_gone() {
    let (mut controller, processor) = drone();
    let (first, next) = (Double::default(), Double::default());
    let starts = Arc::new(AtomicUsize::new(0));
    let start: Starter = {
        let (first, starts) = (first.clone(), Arc::clone(&starts));
        Arc::new(move |processor| match starts.fetch_add(1, Ordering::Relaxed) {
            0 => first.start(processor, 48_000, 64),
            _ => Err(StartError::refused(processor, "still gone")),
        })
    };
    let mut playback = Playback::begin(processor, Route { start, default: None }, PATIENCE).unwrap();
    key_down(&mut controller);
    first.sounds();
    first.unplug();
    tend_until(&mut playback, |playback| playback.is_lost() && starts.load(Ordering::Relaxed) == 2);
    playback.change(next.route(44_100, 128));
    tend_until(&mut playback, Playback::is_playing);
    next.sounds();
}

#[test]
fn the_default_is_followed_once_for_each_change_and_only_by_who_asked_for_it() {
    for follows in [true, false] {
        let (mut controller, processor) = drone();
        let device = Double::default();
        // What the double is called, so there is nothing to follow yet.
        let default = Arc::new(Mutex::new(Some("null".to_owned())));
        let asked = Arc::new(AtomicUsize::new(0));
        let asker: Asker = {
            let (default, asked) = (Arc::clone(&default), Arc::clone(&asked));
            Arc::new(move || {
                asked.fetch_add(1, Ordering::Relaxed);
                default.lock().unwrap().clone()
            })
        };
        let route = Route { default: follows.then_some(asker), ..device.route(48_000, 64) };
        let mut playback = Playback::begin(processor, route, PAUSE).unwrap();
        assert_eq!(playback.follows_default(), follows);
        key_down(&mut controller);
        device.sounds();
        let look = |playback: &mut Playback| {
            let before = asked.load(Ordering::Relaxed);
            for _ in 0..20 {
                playback.poll();
                thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(asked.load(Ordering::Relaxed) > before, follows);
        };
        look(&mut playback);
        assert_eq!(device.starts(), 1);
        *default.lock().unwrap() = None;
        look(&mut playback);
        assert_eq!(device.starts(), 1, "none is no other");
        *default.lock().unwrap() = Some("headphones".to_owned());
        if follows {
            tend_until(&mut playback, |playback| device.starts() == 2 && playback.is_playing());
        }
        look(&mut playback);
        assert_eq!(device.starts(), if follows { 2 } else { 1 });
        device.sounds();
    }
}

#[test]
fn a_first_attempt_that_fails_is_reported() {
    let (_controller, processor) = drone();
    let error = Playback::begin(processor, nowhere(), Duration::ZERO).err().unwrap();
    assert!(error.processor.is_some());
}
