use engine::{Config, Processor, offline, split};
use fixtures::songs::{looped, mono_float};
use importer::{HeldMemory, Report};
use song::module::{
    Cell, CellNote, Channel, Dialect, Globals, Module, Order, Pattern, Sample, SampleSource, SampleTuning,
};
use song::{Key, LoopMode, Pan, SampleIndex, Song, SongParts};

use super::*;
use crate::session::DecodedSong;

const RATE: u32 = 48_000;
/// Frames between two polls, as between two frames of a screen.
const FRAME: u64 = 1600;
/// As long as nothing of a song may sound any more that was halted.
const FRAMES_TO_SILENCE: usize = 6;

/// A song of two channels and two orders of four rows, each of which begins a held note on both.
fn song() -> Song {
    let note = Cell { note: CellNote::Key(Key::C4), instrument: Some(1), ..Cell::default() };
    let mut cells = vec![Cell::default(); 8];
    cells[..2].fill(note);
    let sample = Sample {
        tuning: SampleTuning::Rate(RATE),
        loop_range: looped(mono_float([1.0; 100]), 0, 100, LoopMode::Forward).loops().first().cloned(),
        ..Sample::silent(SampleSource::Recorded(SampleIndex::new(0)))
    };
    let module = Module {
        dialect: Dialect::ImpulseTracker,
        globals: Globals::default(),
        channels: vec![Channel::at(Pan::CENTRE); 2],
        orders: vec![Order::Pattern(0); 2],
        patterns: vec![Pattern::new(4, 2, cells).unwrap()],
        samples: vec![sample],
        ..Module::default()
    };
    let samples = vec![Arc::new(looped(mono_float([1.0; 100]), 0, 100, LoopMode::Forward))];
    Song::new(SongParts { samples, module, ..SongParts::default() }).unwrap()
}

struct Stage {
    controller: Controller,
    processor: Processor,
    song: LiveSong,
    rate: Hz,
}

impl Stage {
    fn new() -> Self {
        Self::of(song())
    }

    fn of(song: Song) -> Self {
        let rate = Hz::new(RATE).unwrap();
        let (controller, mut processor) = split(Config { limiter: false, ..Config::default() }).unwrap();
        processor.set_rate(rate);
        let decoded = DecodedSong { song, report: Report::default(), held: HeldMemory::default() };
        let song = LiveSong::new(LoadedSong::new(decoded).unwrap(), rate, 0);
        Self { controller, processor, song, rate }
    }

    /// Lets a frame of the screen go by; returns how loud its end is, and whether the song ended.
    fn frame(&mut self) -> (f32, bool) {
        let is_over = self.song.poll(&mut self.controller, self.rate);
        let heard = offline::render(&mut self.processor, Frames::new(FRAME));
        while let Some(event) = self.controller.poll() {
            self.song.handle_event(&event);
        }
        (heard.last().copied().unwrap().abs(), is_over)
    }

    /// Returns how loud it is after so many frames.
    fn after(&mut self, frames: usize) -> f32 {
        (0..frames).map(|_| self.frame().0).last().unwrap()
    }

    fn place(&self) -> (usize, usize) {
        (self.song.heard().place.order, self.song.heard().place.row)
    }
}

#[test]
fn it_sounds_while_it_plays_and_is_silent_while_it_is_paused() {
    let mut stage = Stage::new();
    assert_eq!(stage.after(3), 0.0);
    stage.song.play(&mut stage.controller);
    let loudness = stage.after(FRAMES_TO_SILENCE);
    assert!(loudness > 0.1 && stage.song.is_playing() && stage.song.voices() == 2);
    stage.song.pause();
    assert_eq!(stage.after(FRAMES_TO_SILENCE), 0.0);
    assert_eq!((stage.song.voices(), stage.song.is_playing()), (0, false));
    let place = stage.place();
    assert_eq!(place.0, 0);
    stage.song.play(&mut stage.controller);
    assert_eq!(stage.after(FRAMES_TO_SILENCE), loudness, "the held notes are there again");
    assert!(stage.place() >= place);
}

#[test]
fn it_goes_to_a_row_with_all_that_sounds_there() {
    let mut stage = Stage::new();
    stage.song.play(&mut stage.controller);
    let loudness = stage.after(FRAMES_TO_SILENCE);
    stage.song.seek(&mut stage.controller, 1, 2);
    assert_eq!(stage.place(), (1, 2), "it is shown at once");
    assert_eq!(stage.after(FRAMES_TO_SILENCE), loudness);
    assert!(stage.place() >= (1, 2) && stage.song.voices() == 2, "{:?}", stage.place());
}

#[test]
fn however_fast_it_is_sent_about_nothing_is_left_to_sound() {
    let mut stage = Stage::new();
    stage.song.play(&mut stage.controller);
    for step in 0..40 {
        stage.song.seek(&mut stage.controller, step % 2, step % 4);
        stage.song.seek(&mut stage.controller, 1, 1);
        if step % 3 == 0 {
            stage.song.pause();
            stage.song.play(&mut stage.controller);
        }
        if step % 4 == 0 {
            stage.frame();
        }
    }
    assert!(stage.after(FRAMES_TO_SILENCE) > 0.1);
    stage.song.pause();
    stage.song.pause();
    assert_eq!((stage.after(FRAMES_TO_SILENCE), stage.song.voices()), (0.0, 0));
}

#[test]
fn channels_are_silenced_and_come_back_where_they_are() {
    let mut stage = Stage::new();
    stage.song.play(&mut stage.controller);
    let both = stage.after(FRAMES_TO_SILENCE);
    stage.song.set_muted(1, true);
    assert!((stage.after(FRAMES_TO_SILENCE) - both / 2.0).abs() < 1e-6);
    stage.song.set_muted(0, true);
    assert_eq!(stage.after(FRAMES_TO_SILENCE), 0.0);
    stage.song.set_muted(0, false);
    stage.song.set_muted(1, false);
    assert_eq!(stage.after(FRAMES_TO_SILENCE), both);
}

#[test]
fn it_ends_once_and_stands_at_its_beginning() {
    let mut stage = Stage::new();
    stage.song.seek(&mut stage.controller, 1, 3);
    assert!((stage.song.heard().seconds - 7.0 * 6.0 * 0.02).abs() < 1e-9);
    stage.song.play(&mut stage.controller);
    // A row, and two seconds in which its notes ring out.
    let ends = (0..90).filter(|_| stage.frame().1).count();
    assert_eq!((ends, stage.place(), stage.song.is_playing()), (1, (0, 0), false));
}

#[test]
fn a_repeated_pattern_has_no_end_until_it_may_go_on() {
    let mut stage = Stage::new();
    stage.song.play(&mut stage.controller);
    stage.after(1);
    stage.song.loop_pattern(true);
    let mut orders: Vec<usize> = (0..100).map(|_| (stage.frame(), stage.place().0).1).collect();
    orders.dedup();
    assert_eq!(orders, [0]);
    stage.song.loop_pattern(false);
    let is_on = (0..40).any(|_| (stage.frame(), stage.place().0).1 == 1);
    assert!(is_on);
}

#[test]
fn a_faster_song_is_over_sooner() {
    let frames = |factor| {
        let mut stage = Stage::new();
        stage.song.set_tempo_factor(factor);
        stage.song.play(&mut stage.controller);
        (0..300).position(|_| (stage.frame(), stage.place() == (1, 0)).1).unwrap()
    };
    let (plain, faster) = (frames(1.0), frames(2.0));
    assert!((plain / 2).abs_diff(faster) <= 2, "{plain} {faster}");
}

#[test]
fn after_a_panic_it_is_paused_and_plays_again() {
    let mut stage = Stage::new();
    stage.song.play(&mut stage.controller);
    let loudness = stage.after(FRAMES_TO_SILENCE);
    stage.controller.all_sound_off();
    stage.song.silenced();
    assert_eq!((stage.after(2), stage.song.is_playing()), (0.0, false));
    stage.song.play(&mut stage.controller);
    assert_eq!(stage.after(FRAMES_TO_SILENCE), loudness);
}

#[test]
fn what_is_heard_says_what_each_channel_plays() {
    let mut stage = Stage::new();
    stage.song.play(&mut stage.controller);
    stage.after(FRAMES_TO_SILENCE);
    let heard = &stage.song.heard().channels;
    assert_eq!(heard.len(), 2);
    assert!(heard.iter().all(|channel| channel.instrument == Some(0) && channel.volume > 0.9), "{heard:?}");
}

/// Seconds of a row.
const ROW: f64 = 0.12;

#[test]
fn a_time_is_gone_to_by_its_row_playing_or_paused() {
    let mut stage = Stage::new();
    let mut by = |rows: f64| {
        stage.song.seek_by(&mut stage.controller, rows * ROW);
        (stage.place(), (stage.song.heard().seconds / ROW).round())
    };
    assert_eq!(by(5.5), ((1, 1), 5.0));
    assert_eq!(by(-3.0), ((0, 2), 2.0));
    assert_eq!(by(-99.0), ((0, 0), 0.0));
    assert_eq!(by(6.0), ((1, 2), 6.0));
    assert!(!stage.song.is_playing());
    stage.song.play(&mut stage.controller);
    stage.after(3);
    assert_eq!(stage.place(), (1, 2), "it goes on there");
    stage.song.seek_by(&mut stage.controller, -6.0 * ROW);
    assert!(stage.song.is_playing());
    stage.after(3);
    assert_eq!(stage.place().0, 0);
}

#[test]
fn repeats_of_a_pattern_are_no_part_of_the_time_that_is_gone_to() {
    let mut stage = Stage::new();
    stage.song.loop_pattern(true);
    stage.song.play(&mut stage.controller);
    for _ in 0..100 {
        stage.frame();
        assert!(stage.song.heard().seconds < 4.0 * ROW, "{}", stage.song.heard().seconds);
    }
    let before = stage.song.heard().seconds;
    stage.song.seek_by(&mut stage.controller, 4.0 * ROW);
    assert!((stage.song.heard().seconds - before - 4.0 * ROW).abs() < ROW);
    assert_eq!(stage.place().0, 1);
}

#[test]
fn beyond_its_end_it_is_over() {
    let mut stage = Stage::new();
    stage.song.play(&mut stage.controller);
    stage.after(3);
    stage.song.seek_by(&mut stage.controller, 99.0);
    assert!((0..9).any(|_| stage.frame().1));
    assert_eq!((stage.place(), stage.song.is_playing()), ((0, 0), false));
}

#[test]
fn while_its_last_notes_ring_out_it_goes_back_without_catching_up() {
    let mut stage = Stage::new();
    stage.song.play(&mut stage.controller);
    // Its rows last a second, and its notes two seconds more.
    stage.after(60);
    assert!(stage.song.is_playing());
    stage.song.seek(&mut stage.controller, 0, 0);
    stage.after(2);
    assert_eq!(stage.place(), (0, 0), "not where it would be by now");
}

#[test]
fn another_song_of_the_module_begins_with_its_order_and_ends_there() {
    let mut stage = Stage::new();
    stage.song.play(&mut stage.controller);
    stage.frame();
    stage.song.choose_subsong(&mut stage.controller, 1);
    let (mut orders, mut is_over) = (Vec::new(), false);
    while !is_over {
        is_over = stage.frame().1;
        orders.push(stage.song.heard().place.order);
    }
    assert!(orders.iter().all(|order| *order == 1), "{orders:?}");
    assert_eq!((stage.song.heard().seconds, stage.song.is_playing()), (0.0, false));
}

#[test]
fn left_and_right_of_what_sounds_come_together() {
    let own = song();
    let channels = vec![Channel::at(Pan::new(-1.0).unwrap()); 2];
    let module = Module { channels, ..own.module().clone() };
    let parts = SongParts { samples: own.samples().to_vec(), module, ..SongParts::default() };
    let mut stage = Stage::of(Song::new(parts).unwrap());
    stage.song.play(&mut stage.controller);
    assert_eq!(stage.after(FRAMES_TO_SILENCE), 0.0, "the right is silent");
    stage.song.set_separation(0.0);
    let right = stage.after(FRAMES_TO_SILENCE);
    assert!(right > 0.1, "{right}");
    stage.song.pause();
    stage.song.play(&mut stage.controller);
    assert_eq!(stage.after(FRAMES_TO_SILENCE), right, "it stays so");
}
