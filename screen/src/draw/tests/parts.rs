//! What each part of the screen shows.

use player::saved_instrument::{ZoneParameter, ZoneRanges};
use song::FrameRange;
use unicode_width::UnicodeWidthStr as _;

use super::*;
use crate::model::zoom::WaveZoom;
use crate::model::{WaveDrag, WaveMark};

#[test]
fn the_search_box_shows_what_is_typed_and_how_much_is_found() {
    let mut model = model();
    model.list.filter = "a*ne".to_owned();
    model.list.is_typing = true;
    model.list.arrange(model.sounds.iter().map(SoundEntry::listed));
    assert_eq!(model.list.rows, [ListRow::Sound(2)]);
    let text = text(&drawn(&model, Theme::plain(), 80, 24));
    for shown in ["Search: a*ne_", "1 of 4 found", "3 Ambient.Gone", "Esc clear"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    model.list.is_typing = false;
    assert!(self::text(&drawn(&model, Theme::plain(), 80, 24)).contains("Sounds: a*ne (Esc shows all)"));
}

#[test]
fn a_folded_group_is_shown_as_one_row_that_is_marked() {
    let mut model = model();
    model.list.groups[1].is_folded = true;
    model.list.marked = Some(1);
    model.list.arrange(model.sounds.iter().map(SoundEntry::listed));
    let terminal = drawn(&model, Theme::plain(), 80, 24);
    assert!(reversed(&terminal).contains("▸ Ambient  2    "), "{}", reversed(&terminal));
    assert!(!text(&terminal).contains("2 Wind"));
}

#[test]
fn the_knob_that_is_turned_stands_out_and_turned_ones_are_marked() {
    let model = Model { is_adjusting: true, ..model() };
    let terminal = drawn(&model, Theme::plain(), 80, 24);
    assert!(text(&terminal).contains("┏ Adjust (F4): "), "its frame is thick");
    assert!(reversed(&terminal).contains(" pan  centre"), "{}", reversed(&terminal));
    let text = text(&terminal);
    assert!(text.contains("*gain -3.5 dB") && text.contains(" tune 0 ct"), "{text}");
}

#[test]
fn the_zone_of_the_chosen_sound_is_read_as_keys_and_numbers() {
    let mut model = Model { is_adjusting: true, knob: Knob::Zone(ZoneParameter::HighKey), ..model() };
    let mut zone = ZoneRanges::default();
    ZoneParameter::LowKey.set(&mut zone, 36);
    ZoneParameter::Turns.set(&mut zone, 16);
    model.zones.insert(1, zone);
    model.list.picked = vec![1];
    let terminal = drawn(&model, Theme::plain(), 80, 24);
    assert!(reversed(&terminal).contains(" high key  G9"), "{}", reversed(&terminal));
    compare("zone.txt", &text(&terminal));
    // The narrowest panel has room for the widest value.
    assert!(text(&drawn(&model, Theme::plain(), 60, 15)).contains(" high vel. 127"));
}

#[test]
fn a_sound_with_an_end_of_its_own_has_no_release_until_one_is_chosen() {
    let mut model = model();
    model.sounds[model.chosen].plays_out = true;
    model.knob = Knob::Of(Parameter::Release);
    assert!(text(&drawn(&model, Theme::plain(), 80, 24)).contains(" release own"));
    let release = Duration::from_millis(200);
    let envelope = Some(Envelope { release, ..Envelope::default() });
    model.voicings.insert(model.chosen, Voicing { envelope, ..Voicing::default() });
    assert!(text(&drawn(&model, Theme::plain(), 80, 24)).contains("*release 200 ms"));
}

#[test]
fn the_column_of_each_voice_is_lit() {
    let terminal = drawn(&model(), Theme::plain(), 80, 24);
    let buffer = terminal.backend().buffer();
    let lit: Vec<u16> = (49..79).filter(|x| buffer[(*x, 3)].modifier.contains(Modifier::BOLD)).collect();
    assert_eq!(lit, [49 + 2, 49 + 25]);
}

#[test]
fn a_sound_of_several_recordings_says_which_is_seen_and_one_without_says_why() {
    let several = Model { picture: Some(Picture { recording: 1, recordings: 3, ..picture() }), ..model() };
    assert!(text(&drawn(&several, Theme::plain(), 120, 40)).contains("2 of 3, loop 17695-35390"));
    let silent = Model { chosen: 2, ..model() };
    assert!(text(&drawn(&silent, Theme::plain(), 80, 24)).contains("it is empty"));
}

#[test]
fn keys_that_are_held_through_midi_are_lit_and_named() {
    let midi = [48, 50, 100, 101].map(|key| Key::new(key).unwrap()).to_vec();
    let terminal = drawn(&Model { midi, notes: Vec::new(), ..model() }, Theme::plain(), 80, 24);
    assert!(text(&terminal).contains("MIDI C3 D3 +2"));
    assert!(reversed(&terminal).contains(" Z  X "), "{}", reversed(&terminal));
}

#[test]
fn what_was_too_loud_is_marked_and_the_limiter_shows_what_it_takes_away() {
    let model = Model { meters: [heard(1.5), heard(1.0)], limited: Limited(0.5), ..model() };
    let text = text(&drawn(&model, Theme::plain(), 80, 24));
    assert!(
        text.contains("!  3.5 dB") && text.contains("   0.0 dB") && text.contains("limiter -6.0 dB"),
        "{text}"
    );
    let status = OutputStatus { limiter: Frames::ZERO, ..model.status };
    let without = self::text(&drawn(&Model { status, ..model }, Theme::plain(), 80, 24));
    assert!(without.contains("no limiter"), "{without}");
}

#[test]
fn names_that_begin_alike_are_distinguished_where_they_have_to_be_cut() {
    let name = |what: &str| entry(&format!("Cue.A_Weapon_Enforcer_Impact{what}_Cue"), "-", "-", "-");
    let text = text(&drawn(&with(vec![name("Flesh"), name("Metal")]), Theme::plain(), 80, 24));
    assert!(text.contains("A_Weapon_Enforcer_ImpactFlesh_Cue"), "what says nothing gives it room: {text}");
    let narrow = self::text(&drawn(&with(vec![name("Flesh"), name("Metal")]), Theme::plain(), 64, 24));
    assert!(narrow.contains("~ImpactFlesh_Cue") && narrow.contains("~ImpactMetal_Cue"), "{narrow}");
    for name in ["Weapons.Flak.Fire", "日本語の音の名前", "é"] {
        for width in 1..20 {
            let cut = squeezed(name, width);
            assert!(cut.width() <= width, "{cut} in {width}");
        }
    }
}

#[test]
fn what_is_trimmed_is_dim_and_its_ends_have_handles_in_the_top_row() {
    let range = |start, end| Some(FrameRange { start: Frames::new(start), end: Frames::new(end) });
    let mut model = Model { positions: Vec::new(), ..model() };
    model.voicings.insert(1, Voicing { trim: range(3540, 26_000), ..Voicing::default() });
    let shown = text(&drawn(&model, Theme::plain(), 120, 40));
    assert!(shown.contains("trim 3540-26000, loop 17695-35390"), "{shown}");
    assert!(shown.contains("*trim     2.04 s"), "{shown}");
    compare("trim.txt", &text(&drawn(&model, Theme::plain(), 80, 24)));
    let terminal = drawn(&model, Theme { depth: ColorDepth::Ansi, ..Theme::plain() }, 80, 24);
    let buffer = terminal.backend().buffer();
    let wave = |column: u16, row: u16| &buffer[(49 + column, 2 + row)];
    assert_eq!([wave(3, 0).symbol(), wave(22, 0).symbol()], ["[", "]"]);
    let outside = [wave(2, 2).style(), wave(23, 3).style()];
    assert_eq!(outside[0], outside[1]);
    assert_ne!(wave(4, 2).style(), outside[0]);
    assert_ne!(wave(21, 2).style(), outside[0]);
    (model.is_adjusting, model.knob) = (true, Knob::Trim);
    assert!(text(&drawn(&model, Theme::plain(), 80, 24)).contains("─ trim 3540-26000 ╯"));
    model.voicings.insert(1, Voicing { trim: range(5, 99_999), ..Voicing::default() });
    assert!(text(&drawn(&model, Theme::plain(), 80, 24)).contains("─ loop 17695-35390 ╯"), "it is beyond");
}

#[test]
fn a_trim_that_is_dragged_is_drawn_at_every_size() {
    let mut model = model();
    for size in [(40, 12), (60, 15), (80, 18), (80, 24), (120, 40), (200, 60)] {
        for zoom in [0, 3, 5] {
            for (what, to) in [
                (WaveMark::Trim { kept: 30_000, is_start: true }, 9),
                (WaveMark::Trim { kept: 30_000, is_start: true }, 27),
                (WaveMark::Trim { kept: 10, is_start: false }, 1),
                (WaveMark::Loop { kept: None }, 12),
            ] {
                model.zoom = WaveZoom { sound: 1, level: zoom, start: 7000 };
                let window = model.zoom.window(1, 35_390);
                model.wave_drag = Some(WaveDrag { what, from: 0, to, columns: 28, window });
                for theme in [Theme::plain(), Theme { ascii: true, ..Theme::plain() }] {
                    let shown = text(&drawn(&model, theme, size.0, size.1));
                    assert!(shown.lines().all(|line| line.width() <= size.0.into()), "{shown}");
                }
            }
        }
    }
    model.zoom = WaveZoom::default();
    let what = WaveMark::Trim { kept: 35_390, is_start: true };
    model.wave_drag = Some(WaveDrag { what, from: 0, to: 9, columns: 30, window: 0..35_390 });
    let shown = text(&drawn(&model, Theme::plain(), 80, 24));
    let top = shown.lines().nth(2).unwrap();
    assert_eq!(top.chars().skip(49).position(|cell| cell == '['), Some(9), "{shown}");
}
