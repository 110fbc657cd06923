use std::sync::Arc;
use std::time::Instant;

use engine::{Bank, Config, Note};
use fixtures::signal::Noise;
use fixtures::songs::{mono_float, of};
use song::{InstrumentIndex, Key, Velocity};

use super::*;

fn answer(recorder: &Recorder) -> Result<Take, Error> {
    let begun = Instant::now();
    loop {
        if let Some(take) = recorder.take() {
            return take;
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
    let recorder = Recorder::listen(&mut processor, folder.path().to_owned()).unwrap();
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
    let recorder = Recorder::listen(&mut processor, folder.path().to_owned()).unwrap();
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
