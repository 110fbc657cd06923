//! Songs that are played from a row on, in a circle, or at another tempo.

use std::sync::Arc;

use fixtures::signal::Noise;
use song::FmPatch;
use song::module::{Cell, CellNote, EffectCommand, Order, SampleSource};
use tracker::replay::{Replay, ReplayOptions, VoiceCommand, VoiceId, VoiceState};

use crate::{IT, MOD, S3M, XM, by_chance, effect, note, score, song};

/// A tick: its position, when it begins, and what sounds in it.
type Moment = ((usize, usize, u32), f64, Vec<VoiceState>);

/// Returns the next tick; nothing at the end.
fn moment(replay: &mut Replay) -> Option<Moment> {
    let tick = replay.tick()?;
    let position = (tick.order, tick.row, tick.tick);
    let mut voices = Vec::new();
    replay.voices(|voice| voices.push(voice));
    Some((position, replay.elapsed(), voices))
}

#[test]
fn a_row_that_is_gone_to_sounds_as_if_all_before_it_had_been_played() {
    let mut compared = 0;
    for seed in 0..60 {
        let mut noise = Noise::new(seed);
        let dialect = [MOD, S3M, XM, IT][noise.below(4)];
        let score = score(by_chance(dialect, &mut noise));
        let options = ReplayOptions { loops: Some(0), ..ReplayOptions::default() };
        let mut straight = Replay::new(Arc::clone(&score), options);
        let whole: Vec<Moment> = std::iter::from_fn(|| moment(&mut straight)).take(3000).collect();
        let positions: Vec<_> = whole.iter().map(|(position, ..)| *position).collect();
        for (at, position) in positions.iter().enumerate().step_by(37).filter(|(_, position)| position.2 == 0)
        {
            if positions[..at].contains(position) {
                continue;
            }
            let mut sought = Replay::new(Arc::clone(&score), options);
            sought.seek(position.0, position.1);
            let mut sounding = [false; VoiceId::MAX];
            for (position, elapsed, voices) in whole.iter().skip(at).take(40) {
                let tick = sought.tick().expect("the song goes on");
                for command in tick.commands {
                    match *command {
                        VoiceCommand::Invert { .. } => {}
                        VoiceCommand::Start { voice, .. } | VoiceCommand::StartFm { voice, .. } => {
                            sounding[voice.index()] = true;
                        }
                        // What was begun before is not sounding yet.
                        VoiceCommand::Stop { .. } => {}
                        VoiceCommand::Change { voice, .. }
                        | VoiceCommand::LeaveSustain { voice }
                        | VoiceCommand::SwapAtLoopEnd { voice, .. } => {
                            assert!(sounding[voice.index()], "{seed}: {command:?}");
                        }
                    }
                }
                assert_eq!((tick.order, tick.row, tick.tick), *position, "{seed}");
                assert!((sought.elapsed() - elapsed).abs() < 1e-6, "{seed}");
                let mut now = Vec::new();
                sought.voices(|voice| now.push(voice));
                // A voice of which a part of a frame has passed begins at its whole frame.
                let inexact = |voice: &VoiceState| VoiceState { position: 0, ..*voice };
                let [now, then] = [&now, voices].map(|voices| voices.iter().map(inexact).collect::<Vec<_>>());
                assert_eq!(now, then, "{seed} {position:?}");
            }
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn a_time_that_is_gone_to_is_that_of_its_row_and_sounds_as_if_all_before_it_had_been_played() {
    let mut compared = 0;
    for seed in 0..40 {
        let mut noise = Noise::new(seed);
        let dialect = [MOD, S3M, XM, IT][noise.below(4)];
        let score = score(by_chance(dialect, &mut noise));
        let options = ReplayOptions { loops: Some(1), ..ReplayOptions::default() };
        let mut straight = Replay::new(Arc::clone(&score), options);
        let whole: Vec<Moment> = std::iter::from_fn(|| moment(&mut straight)).take(3000).collect();
        for (at, (_, seconds, _)) in whole.iter().enumerate().step_by(41) {
            let row = whole[..=at].iter().rposition(|((.., tick), ..)| *tick == 0).unwrap();
            let mut sought = Replay::new(Arc::clone(&score), options);
            sought.set_tempo_factor(2.0);
            sought.seek_seconds(*seconds);
            sought.set_tempo_factor(1.0);
            for (position, elapsed, voices) in whole.iter().skip(row).take(9) {
                let (reached, at, now) = moment(&mut sought).expect("the song goes on");
                assert_eq!(reached, *position, "{seed} {seconds}");
                assert!((at - elapsed).abs() < 1e-6, "{seed}");
                let inexact = |voice: &VoiceState| VoiceState { position: 0, ..*voice };
                let [now, then] = [&now, voices].map(|voices| voices.iter().map(inexact).collect::<Vec<_>>());
                assert_eq!(now, then, "{seed} {position:?}");
            }
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn a_time_before_the_song_is_its_beginning_and_one_after_it_its_end() {
    let options = ReplayOptions { loops: Some(0), ..ReplayOptions::default() };
    let reached = |seconds| {
        let mut replay = Replay::new(score(song(IT, &[note(60)])), options);
        replay.seek_seconds(seconds);
        moment(&mut replay).map(|((order, row, tick), ..)| (order, row, tick))
    };
    for seconds in [0.0, -5.0, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(reached(seconds), Some((0, 0, 0)), "{seconds}");
    }
    for seconds in [9999.0, f64::INFINITY] {
        assert_eq!(reached(seconds), None, "{seconds}");
    }
}

#[test]
fn an_endless_song_is_followed_for_an_hour_at_most() {
    let mut replay = Replay::new(score(song(IT, &[note(60)])), ReplayOptions::default());
    replay.seek_seconds(f64::INFINITY);
    let (_, elapsed, _) = moment(&mut replay).expect("the song goes on");
    assert!((3500.0..=3600.0).contains(&elapsed), "{elapsed}");
}

#[test]
fn a_row_that_the_song_never_comes_to_is_played_as_its_first() {
    let stops = [Cell::default(), effect(EffectCommand::PositionJump, 0), note(60)];
    let mut replay = Replay::new(score(song(IT, &stops)), ReplayOptions::default());
    replay.seek(0, 2);
    let (position, elapsed, voices) = moment(&mut replay).unwrap();
    assert_eq!((position, elapsed, voices.len()), ((0, 2, 0), 0.0, 1));
}

#[test]
fn a_pattern_repeats_until_the_song_may_go_on() {
    let mut module = song(IT, &[]);
    module.orders = vec![Order::Pattern(0); 3];
    let options = ReplayOptions { loops: Some(0), ..ReplayOptions::default() };
    let mut replay = Replay::new(score(module), options);
    replay.seek(1, 2);
    replay.loop_pattern(true);
    let rows = |replay: &mut Replay, count: usize| -> Vec<(usize, usize)> {
        let rows = std::iter::from_fn(|| moment(replay)).filter(|((.., tick), ..)| *tick == 0);
        rows.take(count).map(|((order, row, _), ..)| (order, row)).collect()
    };
    assert_eq!(rows(&mut replay, 7), [(1, 2), (1, 3), (1, 0), (1, 1), (1, 2), (1, 3), (1, 0)]);
    replay.loop_pattern(false);
    let rest = rows(&mut replay, 99);
    assert_eq!(rest, [(1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2), (2, 3)], "then it ends");
}

#[test]
fn a_song_is_played_faster_at_the_same_pitch() {
    let with_factor = |factor| {
        let mut replay = Replay::new(score(song(IT, &[note(60)])), ReplayOptions::default());
        replay.set_tempo_factor(factor);
        let seconds = replay.tick().unwrap().seconds;
        let (_, elapsed, voices) = moment(&mut replay).unwrap();
        (seconds, elapsed, voices[0].sound.hz)
    };
    let (plain, faster) = (with_factor(1.0), with_factor(2.0));
    assert_eq!((plain.0, plain.1, plain.2), (2.0 * faster.0, faster.1, faster.2));
}

#[test]
fn an_fm_note_that_was_released_does_not_begin_again_where_the_song_is_taken_up() {
    let begins = |cells: &[Cell]| {
        let mut module = song(S3M, cells);
        module.samples[0].source = SampleSource::Synthesised(FmPatch::new([0x21; 12]));
        let mut replay = Replay::new(score(module), ReplayOptions::default());
        replay.seek(0, 2);
        let tick = replay.tick().unwrap();
        tick.commands.iter().any(|command| matches!(command, VoiceCommand::StartFm { .. }))
    };
    let off = Cell { note: CellNote::Cut, ..Cell::default() };
    assert!(begins(&[note(60)]));
    assert!(!begins(&[note(60), off]));
}
