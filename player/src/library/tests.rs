use std::time::{Duration, Instant};

use engine::{Config, Note, Processor, offline, split};
use fixtures::package::{Object, PackageWriter, Tag, Wave as WaveObject};
use fixtures::wave::{Sampler, SamplerLoop, Values, Wave};
use fixtures::wwise_bank::WwiseBank;
use importer::Budget;
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use song::{FrameRange, Frames, Key, Velocity, Voicing};
use unreal::Memory;

use super::loader::StepState;
use super::*;
use crate::background::Step;
use crate::voicing::EngineVoicing as _;

/// Returns a sound whose loop is off.
fn unlooped() -> BankVoicing {
    Voicing { looping: Some(false), ..Voicing::default() }.in_bank()
}

mod room;

/// A package that is open.
struct Whole(SoundFile);

impl AsRef<SoundFile> for Whole {
    fn as_ref(&self) -> &SoundFile {
        &self.0
    }
}

/// Packages in memory; none where one cannot be opened.
struct InMemory(Vec<Option<Vec<u8>>>);

impl PackageSource for InMemory {
    type OpenPackage = Whole;
    /// How many sounds there are.
    type Listed = usize;
    /// Which package it is.
    type Unopenable = usize;

    fn count(&self) -> usize {
        self.0.len()
    }

    fn open(&self, package: usize, _: &mut dyn FnMut(&SoundFile, usize)) -> Result<Whole, usize> {
        let bytes = self.0[package].as_ref().ok_or(package)?;
        SoundFile::open(Memory(bytes.clone()), "P", Budget::default()).map(Whole).map_err(|_| package)
    }

    fn list(&self, Whole(file): &Whole, _: usize) -> usize {
        file.sounds().len()
    }
}

/// Packages that are listed in two parts: the first sounds of each, and all.
struct ByPage(Vec<[Vec<u8>; 2]>);

impl PackageSource for ByPage {
    type OpenPackage = Whole;
    type Listed = usize;
    type Unopenable = usize;

    fn count(&self) -> usize {
        self.0.len()
    }

    fn open(&self, package: usize, first: &mut dyn FnMut(&SoundFile, usize)) -> Result<Whole, usize> {
        let [page, whole] =
            self.0[package].clone().map(|bytes| InMemory(vec![Some(bytes)]).open(0, &mut |_, _| {}));
        let Whole(page) = page?;
        first(&page, page.sounds().len());
        whole
    }

    fn list(&self, Whole(file): &Whole, _: usize) -> usize {
        file.sounds().len()
    }
}

const RATE: u32 = 48_000;
/// Frames of each sound.
const LENGTH: usize = 10_000;
/// Bytes that each takes, guards and loops included.
const SIZE: u64 = 2 * LENGTH as u64 + (16 << 10);

fn recording(value: i16) -> Wave {
    Wave::new(RATE, 1, Values::I16(vec![value; LENGTH]))
}

/// Returns a package of sounds that hold a value each until they are released.
fn package(values: impl IntoIterator<Item = i16>) -> Vec<u8> {
    let mut package = PackageWriter::new(69);
    for value in values {
        let wave = recording(value).looped(0, LENGTH as u32 - 1).finish();
        package.sound(&format!("S{value}"), None, "WAV", &wave);
    }
    package.finish()
}

/// A library, and an engine that plays its sounds.
struct Stage {
    library: Library<usize, usize>,
    controller: Controller,
    processor: Processor,
}

impl Stage {
    fn new(packages: Vec<Option<Vec<u8>>>, most: u64) -> Self {
        let (controller, processor) = split(Config::default()).unwrap();
        let library = Library::open(InMemory(packages), most).unwrap();
        let mut stage = Self { library, controller, processor };
        stage.until(|event| matches!(event, LibraryEvent::AllListed));
        stage
    }

    /// Waits for something to happen; returns all that did.
    fn until(
        &mut self,
        is_it: impl Fn(&LibraryEvent<usize, usize>) -> bool,
    ) -> Vec<LibraryEvent<usize, usize>> {
        let begun = Instant::now();
        let mut events = Vec::new();
        while !events.iter().any(&is_it) {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never happens: {events:?}");
            events.extend(self.library.poll(&mut self.controller));
            std::thread::sleep(Duration::from_millis(1));
        }
        events
    }

    /// Waits until the loader has done all that it was asked for.
    fn settle(&mut self) {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < Duration::from_secs(60), "it loads without end");
            self.library.poll(&mut self.controller);
            if self.library.outstanding.is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn prepare(&mut self, sound: usize) -> Readiness {
        self.library.prepare(&mut self.controller, sound)
    }

    /// Loads a sound and begins a note of it.
    fn strike(&mut self, sound: usize) -> engine::NoteId {
        if self.prepare(sound) == Readiness::Loading {
            self.until(|event| matches!(event, LibraryEvent::Ready(ready) if *ready == sound));
            assert_eq!(self.prepare(sound), Readiness::Ready);
        }
        let note = Note::new(InstrumentIndex::new(sound), Key::C4, Velocity::HIGHEST);
        self.controller.note_on(note).unwrap()
    }

    /// Returns the last value on the left after some frames.
    fn heard(&mut self, frames: u64) -> f32 {
        let heard = offline::render(&mut self.processor, Frames::new(frames));
        while self.controller.poll().is_some() {}
        self.controller.collect();
        heard[heard.len() - 2]
    }

    fn is_ready(&self, sound: usize) -> bool {
        self.library.readiness(sound) == Readiness::Ready
    }
}

const fn value(of: i16) -> f32 {
    of as f32 / 32_768.0
}

#[test]
fn a_sound_is_loaded_when_it_is_struck_and_heard_then() {
    let mut stage = Stage::new(vec![Some(package([1000, 2000]))], 10 * SIZE);
    assert_eq!(stage.library.len(), 2);
    stage.strike(1);
    assert_eq!(stage.heard(1000), value(2000));
    assert_eq!(stage.prepare(2), Readiness::Unplayable(nothing()), "there is no such sound");
}

fn nothing() -> Unplayable {
    Unplayable::Undecoded("nothing of it can be decoded".to_owned())
}

#[test]
fn what_is_near_is_loaded_first_and_then_the_rest_as_far_as_there_is_room() {
    let mut stage = Stage::new(vec![Some(package(1..=10))], 4 * SIZE);
    stage.library.far = 10;
    stage.library.set_near(vec![7, 3]);
    stage.settle();
    let ready: Vec<usize> = (0..10).filter(|sound| stage.is_ready(*sound)).collect();
    assert_eq!(ready, [3, 7]);
    stage.library.far = 0;
    stage.settle();
    let ready: Vec<usize> = (0..10).filter(|sound| stage.is_ready(*sound)).collect();
    assert_eq!(ready[..2], [0, 1]);
    assert!(ready.contains(&3) && ready.contains(&7) && ready.len() < 7, "{ready:?}");
    assert!(stage.library.held() <= 4 * SIZE);
}

#[test]
fn those_played_least_recently_leave_and_never_what_sounds() {
    let mut stage = Stage::new(vec![Some(package(1..=4))], 2 * SIZE);
    stage.library.far = 4;
    let held = stage.strike(0);
    stage.heard(100);
    let other = stage.strike(1);
    stage.controller.note_off(other, None).unwrap();
    stage.heard(10_000);
    stage.library.touch(1);
    // The first was played before, but it sounds.
    stage.strike(2);
    assert_eq!([0, 1, 2].map(|sound| stage.is_ready(sound)), [true, false, true]);
    assert_eq!(stage.heard(1000), value(1 + 3));
    // Where all sound, the next waits for the first that ends.
    assert_eq!(stage.prepare(3), Readiness::Loading);
    for _ in 0..20 {
        stage.library.poll(&mut stage.controller);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(!stage.is_ready(3) && stage.library.held() <= 2 * SIZE);
    stage.controller.note_off(held, None).unwrap();
    stage.heard(10_000);
    stage.strike(3);
    assert_eq!([0, 2, 3].map(|sound| stage.is_ready(sound)), [false, true, true]);
    assert_eq!(stage.heard(1000), value(3 + 4));
}

#[test]
fn a_sound_that_is_too_large_or_cannot_be_decoded_says_so_and_others_play() {
    let mut spoilt = fixtures::adpcm::ima(&[vec![0; 505]], 256).wave(RATE, None);
    let data = spoilt.windows(4).position(|bytes| bytes == b"data").unwrap();
    // The step it begins with is none.
    spoilt[data + 8 + 2] = 200;
    let mut package = PackageWriter::new(69);
    package.sound("Spoilt", None, "WAV", &spoilt);
    package.sound("Text", None, "WAV", b"no recording");
    package.sound("Large", None, "WAV", &Wave::new(RATE, 2, Values::I16(vec![1; 4 * LENGTH])).finish());
    package.sound("Right", None, "WAV", &recording(5).finish());
    let mut stage = Stage::new(vec![Some(package.finish())], SIZE);
    assert_eq!(stage.prepare(0), Readiness::Loading);
    let events = stage.until(|event| matches!(event, LibraryEvent::Unplayable(0, _)));
    let reasons = events.iter().filter_map(|event| match event {
        LibraryEvent::Unplayable(_, why) => Some(why.to_string()),
        _ => None,
    });
    let reasons: Vec<String> = reasons.collect();
    let reason = reasons.last().unwrap();
    assert!(reason.contains("ADPCM block"), "{reason}");
    assert!(matches!(stage.prepare(0), Readiness::Unplayable(Unplayable::Undecoded(_))));
    assert_eq!(stage.prepare(1), Readiness::Unplayable(nothing()));
    let needed = 4 * 2 * LENGTH as u64 + (16 << 10);
    assert_eq!(stage.prepare(2), Readiness::Unplayable(Unplayable::TooLarge { needed, most: SIZE }));
    stage.strike(3);
    assert_eq!(stage.heard(100), value(5));
}

#[test]
fn sounds_of_several_packages_follow_each_other_and_one_that_cannot_be_opened_is_left_out() {
    let packages = vec![Some(package([100])), None, Some(package([200, 300])), Some(vec![1, 2, 3])];
    let (mut controller, processor) = split(Config::default()).unwrap();
    let mut library = Library::open(InMemory(packages), 10 * SIZE).unwrap();
    let begun = Instant::now();
    let (mut listed, mut failed, mut is_done) = (Vec::new(), Vec::new(), false);
    while !is_done {
        assert!(begun.elapsed() < Duration::from_secs(60));
        for event in library.poll(&mut controller) {
            match event {
                LibraryEvent::Listed { first, package, .. } => listed.push((first, package)),
                LibraryEvent::Failed(package) => failed.push(package),
                LibraryEvent::AllListed => is_done = true,
                _ => {}
            }
        }
    }
    assert_eq!((listed, failed), (vec![(0, 1), (1, 2)], vec![1, 3]));
    let mut stage = Stage { library, controller, processor };
    for (sound, of) in [(2, 300), (0, 100), (1, 200), (2, 300)] {
        let note = stage.strike(sound);
        assert_eq!(stage.heard(1000), value(of));
        stage.controller.note_off(note, None).unwrap();
        stage.heard(10_000);
    }
}

#[test]
fn a_package_whose_first_sounds_are_listed_before_the_rest_has_each_once_and_in_its_place() {
    let two = |values: [&[i16]; 2]| values.map(|values| package(values.iter().copied()));
    let packages = ByPage(vec![two([&[100], &[100, 200, 300]]), two([&[400, 500], &[400, 500, 600]])]);
    let (mut controller, processor) = split(Config::default()).unwrap();
    let mut library = Library::open(packages, 10 * SIZE).unwrap();
    let begun = Instant::now();
    let mut listed = Vec::new();
    while listed.last() != Some(&None) {
        assert!(begun.elapsed() < Duration::from_secs(60));
        for event in library.poll(&mut controller) {
            match event {
                LibraryEvent::Listed { first, package, .. } => listed.push(Some((first, package))),
                LibraryEvent::AllListed => listed.push(None),
                _ => {}
            }
        }
    }
    assert_eq!(listed, [Some((0, 1)), Some((0, 3)), Some((3, 2)), Some((3, 3)), None]);
    assert_eq!(library.len(), 6);
    let mut stage = Stage { library, controller, processor };
    for (sound, of) in [(0, 100), (1, 200), (2, 300), (3, 400), (5, 600)] {
        let note = stage.strike(sound);
        assert_eq!(stage.heard(1000), value(of));
        stage.controller.note_off(note, None).unwrap();
        stage.heard(10_000);
    }
}

#[test]
fn a_cue_plays_as_soon_as_all_it_plays_is_there_and_what_cannot_be_decoded_is_left_out() {
    let mut package = PackageWriter::new(868);
    let (one, other) = (recording(100).finish(), recording(50).finish());
    let waves = [("One", &one[..]), ("Other", &other), ("Text", b"no recording")];
    let nodes = waves.map(|(name, bytes)| package.wave(&WaveObject::new(name, bytes, b"")));
    let mut cue = |name: &str, children: &[Object]| {
        let tags = [Tag::objects("ChildNodes", children)];
        let node = package.node("SoundNodeMixer", &format!("{name}Node"), &tags);
        package.node("SoundCue", name, &[Tag::new("FirstNode", "ObjectProperty", &node.0.to_le_bytes())]);
    };
    cue("Both", &nodes[..2]);
    cue("Half", &nodes[1..]);
    let mut stage = Stage::new(vec![Some(package.finish())], 10 * SIZE);
    stage.library.far = 5;
    stage.strike(3);
    assert_eq!([0, 1].map(|sound| stage.is_ready(sound)), [true; 2]);
    let together = stage.heard(1000);
    stage.controller.all_sound_off();
    stage.heard(10_000);
    stage.strike(4);
    let alone = stage.heard(1000);
    assert!(alone > 0.0 && (together - 3.0 * alone).abs() < 1e-6, "{together} {alone}");
}

#[test]
fn a_recording_that_takes_more_than_was_expected_is_given_more_room() {
    // Written out there and back it takes three times as much.
    let there_and_back = SamplerLoop { kind: 1, end: LENGTH as u32 - 1, ..SamplerLoop::default() };
    let sampler = Sampler { unity_note: 60, loops: vec![there_and_back], ..Sampler::default() };
    let wave = Wave { sampler: Some(sampler), ..recording(7) };
    let mut package = PackageWriter::new(69);
    package.sound("PingPong", None, "WAV", &wave.finish());
    let bytes = package.finish();
    let mut stage = Stage::new(vec![Some(bytes.clone())], 4 * SIZE);
    stage.strike(0);
    assert_eq!(stage.heard(1000), value(7));
    assert!(stage.library.held() > SIZE);
    let mut stage = Stage::new(vec![Some(bytes)], SIZE);
    assert_eq!(stage.prepare(0), Readiness::Loading);
    let events = stage.until(|event| matches!(event, LibraryEvent::Unplayable(..)));
    let why = Unplayable::Undecoded("it is longer than it says".to_owned());
    assert!(matches!(events.last(), Some(LibraryEvent::Unplayable(0, other)) if *other == why), "{events:?}");
}

#[test]
fn a_loop_that_is_changed_counts_for_notes_from_then_on() {
    let mut stage = Stage::new(vec![Some(package([1000]))], 10 * SIZE);
    let note = stage.strike(0);
    stage.library.set_voicing(&mut stage.controller, 0, unlooped());
    assert_eq!(stage.heard(3 * LENGTH as u64), value(1000), "it goes on as it was begun");
    stage.controller.note_off(note, None).unwrap();
    stage.heard(10_000);
    stage.strike(0);
    assert_eq!(stage.heard(100), value(1000));
    // The last value is held and fades as a bank without a loop says.
    stage.heard(3 * LENGTH as u64);
    assert_eq!(stage.heard(100), 0.0);
    stage.library.set_voicing(&mut stage.controller, 0, BankVoicing::default());
    stage.strike(0);
    assert_eq!(stage.heard(3 * LENGTH as u64), value(1000));
}

#[test]
fn a_shape_that_is_changed_counts_for_notes_from_then_on() {
    let mut stage = Stage::new(vec![Some(package([1000]))], 10 * SIZE);
    let note = stage.strike(0);
    let mut voicing = Voicing::default();
    voicing.shape.sustain = 0.5;
    stage.library.set_voicing(&mut stage.controller, 0, voicing.in_bank());
    assert_eq!(stage.heard(1000), value(1000), "it goes on as it was begun");
    stage.controller.note_off(note, None).unwrap();
    stage.heard(10_000);
    stage.strike(0);
    stage.heard(200);
    assert!((stage.heard(1000) - 0.5 * value(1000)).abs() < 1e-6);
}

#[test]
fn a_trim_that_is_changed_counts_for_notes_from_then_on() {
    let mut stage = Stage::new(vec![Some(package([1000]))], 10 * SIZE);
    let trim = Some(FrameRange { start: Frames::ZERO, end: Frames::new(LENGTH as u64 / 2) });
    let trimmed = Voicing { trim, ..Voicing::default() };
    stage.library.set_voicing(&mut stage.controller, 0, trimmed.in_bank());
    stage.strike(0);
    assert_eq!(stage.heard(100), value(1000));
    // The whole of it is its loop, which is not within the trim.
    stage.heard(3 * LENGTH as u64);
    assert_eq!(stage.heard(100), 0.0);
    stage.library.set_voicing(&mut stage.controller, 0, BankVoicing::default());
    stage.strike(0);
    assert_eq!(stage.heard(3 * LENGTH as u64), value(1000));
}

#[test]
fn what_was_asked_for_ahead_and_then_struck_is_kept_once() {
    let mut stage = Stage::new(vec![Some(package(1..=3))], 2 * SIZE);
    stage.library.far = 3;
    stage.library.set_near(vec![0, 1]);
    stage.library.poll(&mut stage.controller);
    for sound in [0, 1] {
        stage.strike(sound);
    }
    // Whatever comes now was asked for twice.
    for _ in 0..50 {
        stage.library.poll(&mut stage.controller);
        assert!(stage.library.held() <= 2 * SIZE);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(stage.library.outstanding.len(), 0);
    assert_eq!(stage.heard(1000), value(1 + 2));
}

/// A folder with a bank whose event plays one of two recordings by a switch.
struct Bank;

impl PackageSource for Bank {
    type OpenPackage = Whole;
    type Listed = usize;
    type Unopenable = usize;

    fn count(&self) -> usize {
        1
    }

    fn open(&self, _: usize, _: &mut dyn FnMut(&SoundFile, usize)) -> Result<Whole, usize> {
        let media = |value| recording(value).finish();
        let bank = WwiseBank::default().media(1, &media(100)).media(2, &media(200)).sound(11, 1).sound(12, 2);
        let bank = bank.switch(60, "Surface", "Stone", &[("Grass", 11), ("Stone", 12)]);
        let bank = bank.event("Play_Step", &[60]).finish();
        let files: Arc<dyn Files> = Arc::new([("Banks/A.bnk", bank)].into_iter().collect::<MemoryFiles>());
        let options = OpenOptions::default();
        let opened =
            OpenedFile::open(&files, std::path::Path::new("Banks"), &options).map_err(|_| 0_usize)?;
        opened.sounds(&options).map(Whole).map_err(|_| 0)
    }

    fn list(&self, Whole(file): &Whole, _: usize) -> usize {
        file.sounds().len()
    }
}

#[test]
fn an_event_plays_what_another_value_of_its_switch_chooses() {
    let (controller, processor) = split(Config::default()).unwrap();
    let library = Library::open(Bank, 10 * SIZE).unwrap();
    let mut stage = Stage { library, controller, processor };
    let events = stage.until(|event| matches!(event, LibraryEvent::AllListed));
    let listed = events.iter().find_map(|event| match event {
        LibraryEvent::Listed { switches, .. } => Some(switches.clone()),
        _ => None,
    });
    let choice = listed.unwrap().remove(0);
    let note = stage.strike(2);
    assert_eq!(stage.heard(100), value(200));
    stage.controller.note_off(note, None).unwrap();
    stage.heard(10_000);
    let (other, _) = choice.values[1 - choice.chosen.unwrap()].clone();
    let switched = SwitchValue { kind: choice.kind, group: choice.group, value: other };
    stage.library.switch(2, vec![switched]);
    let events = stage.until(|event| matches!(event, LibraryEvent::Switched(_)));
    assert!(matches!(events.last(), Some(LibraryEvent::Switched(sounds)) if sounds == &[(2, true)]));
    stage.strike(2);
    assert_eq!(stage.heard(100), value(100));
    // What is saved is the same.
    let decoding = stage.library.decode(&[2]).remove(0);
    let decoded = decoding.song.recv().unwrap().unwrap();
    let [zone] = decoded.song.instruments()[2].zones()[..] else { panic!("one zone") };
    let song::Recording::I16(planes) = decoded.song.samples()[zone.sample().get()].recording() else {
        panic!("not of 16 bits");
    };
    assert_eq!(planes.left()[0], 100);
}

#[test]
fn what_is_asked_of_several_packages_at_once_comes_from_all_of_them() {
    let packages: Vec<i16> = (1..=5).map(|value| value * 1000).collect();
    let stage = Stage::new(packages.iter().map(|value| Some(package([*value]))).collect(), 10 * SIZE);
    for _ in 0..20 {
        let described = stage.library.describe(&[0, 1, 2, 3, 4]);
        assert_eq!(described.len(), 5);
        for (own, value) in described.into_iter().zip(&packages) {
            let sounds =
                own.described.recv_timeout(Duration::from_secs(10)).expect("it never comes").unwrap();
            assert_eq!(sounds[0].name, format!("S{value}"));
        }
    }
}

/// A library beside a loader without threads, and an engine.
struct Stepped {
    packages: InMemory,
    library: Library<usize, usize>,
    loader: Loader<usize, usize>,
    state: StepState<Whole>,
    controller: Controller,
}

impl Stepped {
    fn new(packages: Vec<Option<Vec<u8>>>) -> Self {
        let packages = InMemory(packages);
        let (library, loader) = Library::beside_loader(&packages, 16 * SIZE);
        let (controller, _) = split(Config::default()).unwrap();
        Self { packages, library, loader, state: StepState::default(), controller }
    }

    fn step(&mut self) -> Step {
        self.loader.step(&self.packages, &mut self.state)
    }

    fn poll(&mut self) -> Vec<LibraryEvent<usize, usize>> {
        self.library.poll(&mut self.controller)
    }

    /// Steps until nothing is left; what is listed is asked for with the next poll.
    fn settle(&mut self) -> Vec<LibraryEvent<usize, usize>> {
        let (mut events, mut idle) = (Vec::new(), 0);
        while idle < 2 {
            idle = if self.step() == Step::Worked { 0 } else { idle + 1 };
            events.extend(self.poll());
        }
        events
    }
}

#[test]
fn a_loader_without_threads_loads_what_is_struck_before_it_lists_more() {
    let mut stage = Stepped::new(vec![Some(package([100, 200])), None, Some(package([300]))]);
    assert_eq!(stage.step(), Step::Worked);
    let listed = stage.poll();
    assert!(matches!(listed[..], [LibraryEvent::Listed { package: 2, .. }]), "{}", listed.len());
    // The other sound of the package is asked for ahead here.
    assert_eq!(stage.library.prepare(&mut stage.controller, 1), Readiness::Loading);
    stage.poll();
    assert_eq!(stage.step(), Step::Worked);
    let ready = stage.poll();
    assert!(matches!(ready[..], [LibraryEvent::Ready(1)]), "the rest is not listed yet");
    let events = stage.settle();
    let is_there = |wanted: fn(&LibraryEvent<usize, usize>) -> bool| events.iter().any(wanted);
    assert!(is_there(|event| matches!(event, LibraryEvent::Failed(1))));
    assert!(is_there(|event| matches!(event, LibraryEvent::AllListed)));
    assert_eq!(stage.library.len(), 3);
    for sound in 0..3 {
        let readiness = stage.library.prepare(&mut stage.controller, sound);
        assert_eq!(readiness, Readiness::Ready, "{sound} is loaded ahead");
    }
}

#[test]
fn a_loader_without_threads_says_that_all_is_listed_if_there_is_nothing() {
    let events = Stepped::new(Vec::new()).settle();
    assert!(matches!(events[..], [LibraryEvent::AllListed]), "{}", events.len());
}

#[test]
fn a_loader_without_threads_is_over_once_its_library_is_gone() {
    let mut stage = Stepped::new(vec![Some(package([100])), Some(package([200]))]);
    assert_eq!(stage.step(), Step::Worked);
    let Stepped { packages, library, loader, mut state, .. } = stage;
    drop(library);
    assert_eq!(loader.step(&packages, &mut state), Step::Over);
}
