mod devices;
mod finding;
mod knobs;
mod learning;
mod list;
mod listing;
mod mouse;
mod released;
mod replay;
mod saving;
mod search;
mod switches;
mod zones;

use engine::Quality;
use player::library::Unplayable;
use song::{Frames, Hz};

use super::*;
use crate::model::knob::Knob;
use crate::model::list::SoundList;
use crate::model::{HelpView, Mode, SoundEntry, SoundKind, View, first_playable};
use player::keyboard::{KeyMapMode, KeyboardLayout};

fn entry(name: &str, loops: bool) -> SoundEntry {
    let text = || "-".to_owned();
    SoundEntry {
        name: name.to_owned(),
        group: name.rsplit_once('.').map_or("", |(group, _)| group).to_owned(),
        cells: [(); 5].map(|()| text()),
        rate: None,
        silent: None,
        kind: SoundKind::Recording,
        loops,
        length: None,
        loop_range: None,
        defaults: song::SoundDefaults::default(),
        lasts: ms(900),
        plays_out: false,
    }
}

/// Returns a pad with a loop, a drum without, an empty sound.
fn model() -> Model {
    let silent = SoundEntry { silent: Some("empty".to_owned()), ..entry("Nothing", false) };
    let sounds = vec![entry("Pad", true), entry("Drum", false), silent];
    Model::new("test.uax".to_owned(), "null".to_owned(), Hz::new(48_000).unwrap(), sounds, (64, 256))
}

/// Returns a crossing of a recording that is zero there.
fn crossing(frame: u64) -> engine::ZeroCrossing {
    engine::ZeroCrossing { frame: Frames::new(frame), ..engine::ZeroCrossing::default() }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn press(model: &mut Model, c: char, at: u64) -> Vec<Intent> {
    update(model, Msg::Press(Press::Char(c)), ms(at))
}

fn tab(model: &mut Model) -> Vec<Intent> {
    update(model, Msg::Press(Press::Tab), ms(10))
}

fn tick(model: &mut Model, at: u64) -> Vec<Intent> {
    update(model, Msg::Tick, ms(at))
}

fn note_on(number: u64, sound: usize, key: u8) -> Intent {
    Intent::NoteOn {
        number: NoteNumber(number),
        sound,
        key: Key::new(key).unwrap(),
        velocity: Velocity::new(100).unwrap(),
    }
}

fn note_off(number: u64) -> Intent {
    Intent::NoteOff(NoteNumber(number))
}

#[test]
fn the_lower_row_starts_at_the_octave_shown_and_the_upper_one_above() {
    let mut model = model();
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 0, 48)]);
    assert_eq!(press(&mut model, 'q', 0), [note_on(1, 0, 60)]);
    press(&mut model, ']', 0);
    assert_eq!(press(&mut model, 'x', 0), [note_on(2, 0, 62)]);
}

#[test]
fn a_looped_sound_is_released_600_ms_after_its_press_and_not_before() {
    let mut model = model();
    press(&mut model, 'z', 0);
    assert_eq!(tick(&mut model, 599), []);
    assert_eq!(tick(&mut model, 600), [note_off(0)]);
    assert_eq!(tick(&mut model, 601), [], "a note is released once");
}

#[test]
fn repeats_of_a_held_key_prolong_its_note_and_start_no_other() {
    let mut model = model();
    press(&mut model, 'z', 0);
    for at in (500..1000).step_by(30) {
        assert_eq!(press(&mut model, 'z', at), []);
        assert_eq!(tick(&mut model, at), []);
    }
    assert_eq!(tick(&mut model, 1099), []);
    assert_eq!(tick(&mut model, 1100), [note_off(0)], "120 ms after the last repeat, at 980");
}

#[test]
fn a_sound_without_a_loop_plays_out_and_every_strike_starts_it_again() {
    let mut model = model();
    model.chosen = 1;
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 1, 48)]);
    assert_eq!(press(&mut model, 'z', 150), [note_on(1, 1, 48)]);
    assert_eq!(press(&mut model, 'z', 180), [], "no finger is that fast: the key repeats");
    assert_eq!(tick(&mut model, 10_000), []);
}

#[test]
fn one_key_does_not_end_the_note_of_another() {
    let mut model = model();
    press(&mut model, 'z', 0);
    press(&mut model, 'c', 300);
    assert_eq!(tick(&mut model, 600), [note_off(0)]);
    assert_eq!(tick(&mut model, 900), [note_off(1)]);
}

#[test]
fn in_latch_mode_the_second_press_ends_the_note() {
    let mut model = model();
    update(&mut model, Msg::Press(Press::Tab), ms(0));
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 0, 48)]);
    assert_eq!(tick(&mut model, 60_000), []);
    assert_eq!(press(&mut model, 'z', 60_000), [note_off(0)]);
    assert_eq!(press(&mut model, 'z', 60_030), [], "a repeat is no third press");
    assert_eq!(press(&mut model, 'z', 61_000), [note_on(1, 0, 48)]);
}

#[test]
fn leaving_latch_mode_releases_what_nothing_else_would_end() {
    let mut model = model();
    assert_eq!(tab(&mut model), []);
    press(&mut model, 'z', 0);
    press(&mut model, 'x', 0);
    model.chosen = 1;
    press(&mut model, 'c', 0);
    assert_eq!(tab(&mut model), [note_off(0), note_off(1)], "the drum plays out");
    press(&mut model, 'v', 500);
    assert_eq!(tab(&mut model), []);
}

#[test]
fn a_held_key_of_a_slow_console_starts_one_note_once_its_delay_is_known() {
    let mut model = model();
    model.chosen = 1;
    let mut hold = |from: u64| -> usize {
        let repeats = (0..10).map(|n| from + 500 + 92 * n);
        std::iter::once(from).chain(repeats).map(|at| press(&mut model, 'z', at).len()).sum()
    };
    assert_eq!(hold(0), 2, "the first time the delay is taken for a pause between strikes");
    assert_eq!(hold(5000), 1);
    assert_eq!(hold(10_000), 1);
    let strikes: usize =
        [20_000, 20_250, 20_400, 20_800].into_iter().map(|at| press(&mut model, 'z', at).len()).sum();
    assert_eq!(strikes, 4, "a player may still strike at other intervals");
}

#[test]
fn a_latched_note_goes_on_while_its_key_is_held() {
    let mut model = model();
    model.repeat_delay = Some(ms(500));
    update(&mut model, Msg::Press(Press::Tab), ms(0));
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 0, 48)]);
    for at in [500, 530, 560, 652] {
        assert_eq!(press(&mut model, 'z', at), []);
    }
    assert_eq!(press(&mut model, 'z', 2000), [note_off(0)]);
}

#[test]
fn the_shell_gets_a_silent_program() {
    let mut model = model();
    press(&mut model, 'z', 0);
    let intents = update(&mut model, Msg::Press(Press::Command(KeyCommand::Suspend)), ms(10));
    assert_eq!(intents, [Intent::ReleaseAll, Intent::Suspend]);
    assert_eq!(tick(&mut model, 10_000), []);
}

#[test]
fn in_the_kit_map_key_36_plays_the_first_sound_at_its_own_pitch() {
    let mut model = model();
    update(&mut model, Msg::Press(Press::Command(KeyCommand::Map)), ms(0));
    assert_eq!(model.octave, 2);
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 0, 60)]);
    assert_eq!(press(&mut model, 's', 0), [note_on(1, 1, 60)]);
    assert_eq!(press(&mut model, 'c', 0), [], "there is no fifth sound");
    update(&mut model, Msg::Press(Press::Command(KeyCommand::Map)), ms(0));
    assert_eq!(model.octave, 3);
}

#[test]
fn the_65th_sound_is_on_key_36_once_it_is_chosen() {
    let mut model = model();
    model.sounds = vec![entry("Drum", false); 70];
    assert_eq!(model.kit_sound(Key::new(36).unwrap()), Some(0));
    model.chosen = 64;
    assert_eq!(model.kit_sound(Key::new(36).unwrap()), Some(64));
    assert_eq!(model.kit_sound(Key::new(41).unwrap()), Some(69));
    assert_eq!(model.kit_sound(Key::new(42).unwrap()), None);
    assert_eq!(model.kit_sound(Key::new(35).unwrap()), None);
}

#[test]
fn a_sound_that_cannot_be_played_says_why() {
    let mut model = model();
    model.chosen = 2;
    assert_eq!(press(&mut model, 'z', 0), []);
    assert_eq!(model.warning.as_deref(), Some("#3 Nothing: empty"));
    model.chosen = 0;
    press(&mut model, 'x', 0);
    assert_eq!(model.warning, None);
}

#[test]
fn panic_silences_and_forgets_every_note() {
    let mut model = model();
    press(&mut model, 'z', 0);
    assert_eq!(update(&mut model, Msg::Press(Press::Escape), ms(1)), [Intent::Silence]);
    assert_eq!(tick(&mut model, 10_000), []);
    assert!(model.notes.is_empty());
}

#[test]
fn the_octave_and_the_velocity_stay_on_the_keyboard() {
    let mut model = model();
    for _ in 0..40 {
        press(&mut model, ']', 0);
        press(&mut model, '=', 0);
    }
    assert_eq!((model.octave, model.velocity.get()), (8, 127));
    assert!(press(&mut model, 'p', 0).is_empty(), "there is no key above 127");
    for _ in 0..40 {
        press(&mut model, '[', 0);
        press(&mut model, '-', 0);
    }
    assert_eq!((model.octave, model.velocity.get()), (-1, 1));
    assert_eq!(model.key_at(0), Some(Key::LOWEST));
}

#[test]
fn the_choice_stays_in_the_list() {
    let mut model = model();
    for (press, chosen) in
        [(Press::Up(1), 0), (Press::Down(1), 1), (Press::Down(10), 2), (Press::Home, 0), (Press::End, 2)]
    {
        update(&mut model, Msg::Press(press), ms(0));
        assert_eq!(model.chosen, chosen, "{press:?}");
    }
    model.sounds.clear();
    model.list = SoundList::default();
    model.chosen = 0;
    assert_eq!(update(&mut model, Msg::Press(Press::Enter), ms(0)), []);
    update(&mut model, Msg::Press(Press::Down(1)), ms(0));
    assert_eq!(model.chosen, 0);
}

#[test]
fn a_note_that_ended_is_no_longer_held() {
    let mut model = model();
    press(&mut model, 'z', 0);
    update(&mut model, Msg::Live(LiveEvent::Ended(NoteNumber(0))), ms(10));
    assert_eq!(press(&mut model, 'z', 200), [note_on(1, 0, 48)]);
}

#[test]
fn a_refused_note_is_reported() {
    let mut model = model();
    press(&mut model, 'z', 0);
    update(&mut model, Msg::Live(LiveEvent::Refused(NoteNumber(0), "the queue is full".to_owned())), ms(0));
    assert!(model.notes.is_empty());
    assert_eq!(model.warning.as_deref(), Some("the queue is full"));
}

#[test]
fn meters_show_the_highest_peak_and_fall_slowly() {
    let mut model = model();
    update(&mut model, Msg::Live(LiveEvent::Meter { peaks: [0.5, 0.25], limited: 0.5, voices: 3 }), ms(0));
    update(&mut model, Msg::Live(LiveEvent::Meter { peaks: [0.1, 0.5], limited: 1.0, voices: 2 }), ms(1));
    assert_eq!((model.meters.map(|meter| meter.level), model.voices), ([0.5, 0.5], (2, 64)));
    assert_eq!(model.limited.0, 0.5);
    tick(&mut model, 33);
    assert!(model.meters[0].level < 0.5 && model.meters[0].level > 0.4);
    assert!(model.limited.0 > 0.5 && model.limited.0 < 0.6);
}

#[test]
fn a_notice_is_shown_for_a_while_and_hides_no_later_warning() {
    let mut model = model();
    update(&mut model, Msg::Live(LiveEvent::Warning("bad".to_owned())), ms(0));
    update(&mut model, Msg::Live(LiveEvent::Notice("good".to_owned())), ms(0));
    assert_eq!(model.warning, None);
    update(&mut model, Msg::Live(LiveEvent::Warning("bad".to_owned())), ms(0));
    assert_eq!(model.warning.as_deref(), Some("bad"));
    tick(&mut model, 7999);
    assert!(model.notice.is_some());
    tick(&mut model, 8000);
    assert_eq!(model.notice, None);
}

#[test]
fn f6_begins_and_ends_a_take_and_with_shift_writes_what_was_just_played() {
    let mut model = model();
    let f6 = |model: &mut Model, at| update(model, Msg::Press(Press::Command(KeyCommand::Take)), ms(at));
    assert_eq!(f6(&mut model, 1000), [Intent::StartTake]);
    tick(&mut model, 3500);
    assert_eq!(model.take.map(|take| take.now - take.since), Some(ms(2500)));
    assert_eq!(f6(&mut model, 4000), [Intent::StopTake]);
    assert_eq!(model.take, None);
    f6(&mut model, 5000);
    update(&mut model, Msg::Live(LiveEvent::TakeEnded), ms(6000));
    assert_eq!(model.take, None, "one that could not go on");
    assert_eq!(
        update(&mut model, Msg::Press(Press::Command(KeyCommand::SaveRecent)), ms(0)),
        [Intent::Write]
    );
}

#[test]
fn the_first_sound_is_one_that_plays_and_of_a_module_an_instrument() {
    let silent = || SoundEntry { silent: Some("empty".to_owned()), ..entry("Nothing", false) };
    let instrument = || SoundEntry { kind: SoundKind::Instrument, ..entry("Lead", false) };
    assert_eq!(first_playable(&[silent(), entry("Drum", false), instrument()]), 2);
    assert_eq!(first_playable(&[silent(), entry("Drum", false)]), 1);
    assert_eq!(
        first_playable(&[entry("Drum", false), SoundEntry { kind: SoundKind::Instrument, ..silent() }]),
        0
    );
    assert_eq!(first_playable(&[silent()]), 0);
}
