use std::sync::Arc;
use std::thread;
use std::time::Instant;

use engine::{Bank, Config, Note};
use fixtures::signal::Noise;
use fixtures::songs::{mono_float, of};
use song::{InstrumentIndex, Key, Velocity};

use super::*;
use crate::midi::file::MidiSequence;

fn answer(recorder: &Recorder) -> Result<Take, Error> {
    let begun = Instant::now();
    loop {
        match recorder.next() {
            Some(Recorded::Take(take) | Recorded::Recent(take)) => return take,
            None => {}
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it never answers");
        thread::sleep(Duration::from_millis(1));
    }
}

fn rendered(frames: usize) -> (Recorder, Vec<f32>, tempfile::TempDir) {
    let mut noise = Noise::new(5);
    let sound = of(vec![mono_float((0..frames).map(|_| 0.1 + noise.flat() as f32))]);
    let (mut controller, mut processor) = engine::split(Config::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let recorder = Recorder::listen(&mut processor, folder.path().to_owned(), TakeFiles::WavAndMidi).unwrap();
    controller.load(Arc::new(Bank::prepare(&sound).unwrap()));
    let note = Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST).at(Frames::new(1000));
    controller.note_on(note).unwrap();
    let mut heard = Vec::new();
    for _ in 0..(frames + 2000) / 500 {
        heard.extend(engine::offline::render(&mut processor, Frames::new(500)));
        thread::sleep(Duration::from_micros(200));
    }
    (recorder, heard, folder)
}

fn read(path: &Path) -> (u32, Vec<f32>) {
    let mut reader = hound::WavReader::open(path).unwrap();
    (reader.spec().sample_rate, reader.samples::<f32>().map(Result::unwrap).collect())
}

#[test]
fn a_take_is_what_was_played_to_the_bit_without_the_silence_around_it() {
    let (recorder, heard, folder) = rendered(200_000);
    recorder.write("Flak: Fire");
    let take = answer(&recorder).unwrap();
    assert_eq!((take.lost, &take.path), (0, &folder.path().join("Flak_ Fire take 1.wav")));
    let (rate, frames) = read(&take.path);
    let sounding = heard.iter().rposition(|&value| value != 0.0).unwrap();
    assert_eq!(rate, 48_000);
    assert!(frames == heard[2000..=sounding], "{} of {} values", frames.len(), heard.len());
    assert!((take.seconds - frames.len() as f64 / 96_000.0).abs() < 1e-9);
}

#[test]
fn each_take_has_a_file_of_its_own_and_nothing_is_overwritten() {
    let (recorder, _, folder) = rendered(3000);
    std::fs::write(folder.path().join("x take 2.wav"), "mine").unwrap();
    recorder.write("x");
    recorder.write("x");
    let paths = [answer(&recorder), answer(&recorder)].map(|take| take.unwrap().path);
    assert_eq!(paths, [1, 3].map(|number| folder.path().join(format!("x take {number}.wav"))));
    assert_eq!(std::fs::read(folder.path().join("x take 2.wav")).unwrap(), b"mine");
}

#[test]
fn where_nothing_was_played_nothing_is_written() {
    let (_, mut processor) = engine::split(Config::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let recorder = Recorder::listen(&mut processor, folder.path().to_owned(), TakeFiles::WavAndMidi).unwrap();
    let _ = engine::offline::render(&mut processor, Frames::new(5000));
    recorder.write("x");
    assert!(answer(&recorder).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_gone_is_an_error_and_no_end() {
    let (recorder, _, folder) = rendered(3000);
    folder.close().unwrap();
    recorder.write("x");
    assert_eq!(answer(&recorder).unwrap_err().kind(), ErrorKind::Output);
    recorder.write("x");
    assert!(answer(&recorder).is_err());
}

#[test]
fn another_rate_begins_anew() {
    let (recorder, ..) = rendered(3000);
    recorder.set_rate(Hz::new(44_100).unwrap());
    recorder.write("x");
    assert!(answer(&recorder).is_err());
}

#[test]
fn what_is_asked_for_last_is_still_written() {
    let (recorder, _, folder) = rendered(3000);
    recorder.write("x");
    drop(recorder);
    assert!(folder.path().join("x take 1.wav").exists());
}

/// Returns an engine that is recorded, and plays one long sound.
fn recorded() -> (Recorder, engine::Controller, Processor, tempfile::TempDir) {
    let mut noise = Noise::new(6);
    let sound = of(vec![mono_float((0..100_000).map(|_| 0.1 + noise.flat() as f32))]);
    let (mut controller, mut processor) = engine::split(Config::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let recorder = Recorder::listen(&mut processor, folder.path().to_owned(), TakeFiles::WavAndMidi).unwrap();
    controller.load(Arc::new(Bank::prepare(&sound).unwrap()));
    (recorder, controller, processor, folder)
}

/// Renders, and waits until the recorder has what was rendered.
fn play(processor: &mut Processor, frames: u64) -> Vec<f32> {
    let heard = engine::offline::render(processor, Frames::new(frames));
    thread::sleep(3 * NAP);
    heard
}

#[test]
fn a_take_has_exactly_what_was_rendered_between_its_start_and_its_stop() {
    let (recorder, mut controller, mut processor, folder) = recorded();
    let strike = || Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST);
    controller.note_on(strike()).unwrap();
    play(&mut processor, 3000);
    recorder.start("x");
    thread::sleep(3 * NAP);
    let mut expected = play(&mut processor, 20_000);
    controller.note_on(strike()).unwrap();
    expected.extend(play(&mut processor, 5000));
    recorder.stop();
    let take = answer(&recorder).unwrap();
    play(&mut processor, 4000);
    let (rate, values) = read(&take.path);
    assert_eq!((rate, take.lost, values.len()), (48_000, 0, expected.len()));
    assert!(values == expected);
    recorder.start("x");
    thread::sleep(3 * NAP);
    let second = play(&mut processor, 1000);
    recorder.stop();
    let take = answer(&recorder).unwrap();
    assert_eq!(take.path, folder.path().join("x take 2.wav"));
    assert!(read(&take.path).1 == second, "the second take holds nothing of the first");
}

#[test]
fn a_take_in_which_nothing_sounds_leaves_no_file() {
    let (recorder, _controller, mut processor, folder) = recorded();
    recorder.start("x");
    thread::sleep(3 * NAP);
    play(&mut processor, 5000);
    recorder.stop();
    assert_eq!(answer(&recorder).unwrap_err().kind(), ErrorKind::NothingPlayed);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_take_is_kept_when_the_program_ends_or_the_rate_changes() {
    let (recorder, mut controller, mut processor, folder) = recorded();
    controller.note_on(Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST)).unwrap();
    recorder.start("x");
    thread::sleep(3 * NAP);
    let heard = play(&mut processor, 2000);
    recorder.set_rate(Hz::new(44_100).unwrap());
    let take = answer(&recorder).unwrap();
    assert!(read(&take.path) == (48_000, heard));
    recorder.start("x");
    thread::sleep(3 * NAP);
    let heard = play(&mut processor, 2000);
    drop(recorder);
    assert!(read(&folder.path().join("x take 2.wav")) == (44_100, heard));
}

#[test]
fn the_notes_of_a_take_are_written_beside_it_with_its_time() {
    let (recorder, _, folder) = rendered(3000);
    // 5,000 frames were rendered; the first sound is that of frame 1000.
    let note = |number| TakeEvent::NoteOn(number, 2, Key::C4, Velocity::HIGHEST);
    recorder.played(Frames::new(1200), note(0));
    recorder.played(Frames::new(2000), TakeEvent::NoteOff(0));
    std::fs::write(folder.path().join("x take 1.mid"), "mine").unwrap();
    recorder.write("x");
    let take = answer(&recorder).unwrap();
    assert_eq!(take.path, folder.path().join("x take 2.wav"), "the notes of take 1 are there already");
    assert_eq!((take.midi.as_ref(), take.lost_notes), (Some(&folder.path().join("x take 2.mid")), false));
    let sequence = MidiSequence::read(&std::fs::read(take.midi.unwrap()).unwrap()).unwrap();
    let rate = Hz::new(48_000).unwrap();
    let times: Vec<u64> =
        sequence.messages.iter().map(|timed| sequence.frame(timed.at, rate).get()).collect();
    assert_eq!(times, [200, 200, 200, 200, 1000], "program change with its bank, note on, note off");
    assert_eq!(sequence.frame(sequence.end, rate).seconds(rate), take.seconds);
}
