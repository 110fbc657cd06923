//! Whatever a module is, its song is played without a panic, and its voices begin, change and end in that order.
#![no_main]

use std::sync::Arc;

use importer::{Budget, SoundFile};
use libfuzzer_sys::fuzz_target;
use tracker::replay::{Replay, ReplayOptions, Score, VoiceCommand, VoiceId};
use unreal::Memory;

/// So many ticks are more than 45 seconds of most songs.
const TICKS: usize = 4000;

fuzz_target!(|bytes: &[u8]| {
    let source = Memory(bytes.to_vec());
    let budget = Budget { structures: 4 << 20, decoded: 4 << 20, ..Budget::default() };
    let Ok(file) = SoundFile::open(source, "Song", budget) else { return };
    let Ok(imported) = file.import() else { return };
    let Some(song) = imported.songs.first().filter(|song| !song.module().orders.is_empty()) else { return };
    let mut replay = Replay::new(
        Arc::new(Score::prepare(song.clone()).0),
        ReplayOptions { loops: Some(1), ..ReplayOptions::default() },
    );
    let mut sounding = [false; VoiceId::MAX];
    for number in 0..TICKS {
        // It is taken to another place, and a pattern is repeated for a while.
        if number == 999 {
            let (order, row) = replay.position();
            replay.seek(order / 2, row / 2);
            sounding.fill(false);
        }
        if number % 1000 == 500 {
            replay.loop_pattern(number == 1500);
        }
        let Some(tick) = replay.tick() else { return };
        assert!(tick.seconds > 0.0 && tick.seconds < 10.0, "{} s", tick.seconds);
        for command in tick.commands {
            let (voice, is_start, is_end) = match *command {
                VoiceCommand::Invert { .. } => continue,
                VoiceCommand::Start { voice, .. } | VoiceCommand::StartFm { voice, .. } => {
                    (voice, true, false)
                }
                VoiceCommand::Stop { voice } => (voice, false, true),
                VoiceCommand::Change { voice, .. }
                | VoiceCommand::LeaveSustain { voice }
                | VoiceCommand::SwapAtLoopEnd { voice, .. } => (voice, false, false),
            };
            if let VoiceCommand::Start { sound, .. }
            | VoiceCommand::StartFm { sound, .. }
            | VoiceCommand::Change { sound, .. } = command
            {
                assert!(sound.hz.is_finite() && sound.hz >= 0.0, "{sound:?}");
                assert!(
                    (0.0..=1.001).contains(&sound.volume) && (-1.0..=1.0).contains(&sound.pan),
                    "{sound:?}"
                );
            }
            // A voice whose recording has ended is free without a word, and one from before a seek may still end.
            assert!(is_start || is_end || sounding[voice.index()], "{command:?}");
            sounding[voice.index()] = !is_end;
        }
    }
});
