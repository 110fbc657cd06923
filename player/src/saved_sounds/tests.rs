use fixtures::songs::{looped, mono_float, of};
use song::{Decibels, LoopMode};

use super::*;

fn saved(bank: &Arc<Bank>, index: usize, voicing: Voicing, folder: &Path) -> Result<Vec<i32>, Error> {
    let sound = AdjustedSound {
        bank: Arc::clone(bank),
        index: InstrumentIndex::new(index),
        voicing,
        name: "Pads/Warm".to_owned(),
        rate: Hz::new(48_000).unwrap(),
    };
    let mut reader = hound::WavReader::open(sound.write(folder)?).unwrap();
    assert_eq!((reader.spec().channels, reader.spec().bits_per_sample), (2, 24));
    Ok(reader.samples().map(Result::unwrap).collect())
}

#[test]
fn a_sound_is_saved_as_it_is_adjusted_at_its_own_pitch_and_length() {
    let folder = tempfile::tempdir().unwrap();
    let ramp: Vec<f32> = (0..10_000).map(|i| i as f32 / 20_000.0).collect();
    let pad = looped(mono_float([0.5; 500]), 0, 500, LoopMode::Forward);
    let bank = Arc::new(Bank::prepare(&of(vec![mono_float(ramp.clone()), pad])).unwrap());
    let plain = saved(&bank, 0, Voicing::default(), folder.path()).unwrap();
    assert_eq!(plain.len(), 20_000, "all of it and nothing after it");
    let expected: Vec<i32> = ramp.iter().map(|value| (value * 8_388_608.0).round() as i32).collect();
    assert!(plain.chunks(2).zip(&expected).all(|(frame, value)| frame == [*value; 2]));
    let quiet = Voicing { gain: Decibels::new(-20.0).unwrap(), ..Voicing::default() };
    let quiet = saved(&bank, 0, quiet, folder.path()).unwrap();
    assert!((i64::from(plain[15_000]) - 10 * i64::from(quiet[15_000])).abs() < 20);
    let held = saved(&bank, 1, Voicing::default(), folder.path()).unwrap();
    let seconds = held.len() as f64 / 96_000.0;
    assert!((4.0..4.2).contains(&seconds), "{seconds} s: held, and released");
    let names: Vec<String> = {
        let files = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names, ["Pads_Warm 2.wav", "Pads_Warm 3.wav", "Pads_Warm.wav"], "nothing is overwritten");
}

#[test]
fn what_cannot_be_played_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let bank = Arc::new(Bank::prepare(&of(vec![mono_float([0.5; 10])])).unwrap());
    assert_eq!(saved(&bank, 7, Voicing::default(), folder.path()).unwrap_err().kind(), ErrorKind::Sound);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
