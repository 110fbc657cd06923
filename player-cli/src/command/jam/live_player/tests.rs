use fixtures::songs::{looped, mono, of};
use song::LoopMode;

use super::*;

fn voiced(looping: Option<bool>) -> Voicing {
    Voicing { looping, ..Voicing::default() }
}

#[test]
fn a_loop_is_turned_and_turned_back_and_others_stay_as_they_were_turned() {
    let song = of(vec![looped(mono([1, 2, 3, 4]), 1, 3, LoopMode::Forward), mono([1, 2, 3])]);
    let original = Arc::new(Bank::prepare(&song).unwrap());
    let loops = |bank: &Bank| [0, 1].map(|sound| bank.is_looped(InstrumentIndex::new(sound)));
    let mut voicings = BTreeMap::from([(0, voiced(Some(false)))]);
    let bank = with_looping(&original, &original, &voicings, 0);
    assert_eq!(loops(&bank), [false, false]);
    voicings.insert(1, voiced(Some(true)));
    let bank = with_looping(&original, &bank, &voicings, 1);
    assert_eq!(loops(&bank), [false, true]);
    voicings.insert(0, voiced(None));
    let bank = with_looping(&original, &bank, &voicings, 0);
    assert_eq!(loops(&bank), [true, true]);
    voicings.insert(1, voiced(None));
    assert!(Arc::ptr_eq(&with_looping(&original, &bank, &voicings, 1), &original));
}

#[test]
fn a_take_is_reported_with_its_length_and_what_is_missing_in_it() {
    let take =
        Take { path: "./demo take 1.wav".into(), midi: None, lost_notes: false, seconds: 1.5, lost: 0 };
    assert_eq!(take_notice(&take), "saved 1.50 s as demo take 1.wav");
    let lossy = Take { lost: 7, ..take };
    assert_eq!(take_notice(&lossy), "saved 1.50 s as demo take 1.wav, 7 frames missing in it");
}
