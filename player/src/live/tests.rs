use super::*;

#[test]
fn a_take_is_reported_with_its_length_and_what_is_missing_in_it() {
    let take =
        Take { path: "./demo take 1.wav".into(), midi: None, lost_notes: false, seconds: 1.5, lost: 0 };
    assert_eq!(take_notice(&take), "saved 1.50 s as demo take 1.wav");
    let lossy = Take { lost: 7, ..take };
    assert_eq!(take_notice(&lossy), "saved 1.50 s as demo take 1.wav, 7 frames missing in it");
}
