//! Whether a MOD is timed by the vertical blank: `Fxx` of 20 and more are ticks of a row then, not a tempo.
//!
//! Nothing in a file says so. Played by tempo, such a song takes a quarter of an hour for four minutes.

use std::sync::Arc;

use song::module::{Dialect, EffectCommand, Module, Pattern};

use super::{Replay, ReplayOptions, Score};

/// No song that is timed by tempo lasts longer. Source: real songs, played both ways beside libopenmpt.
const MAX_SECONDS: f64 = 600.0;
/// The least parameter that is a tempo.
const TEMPOS: u8 = 0x20;

/// Returns whether a module lasts unreasonably long by tempo, and not by ticks alone.
pub(super) fn is_timed_by_vblank(module: &Module) -> bool {
    let is_tempo = |cell: &song::module::Cell| {
        cell.effect
            .is_some_and(|effect| effect.command == EffectCommand::SpeedOrTempo && effect.parameter >= TEMPOS)
    };
    if module.dialect != Dialect::ProTracker
        || !module.globals.compat.is_for_amiga
        || !module.patterns.iter().flat_map(Pattern::cells).any(is_tempo)
    {
        return false;
    }
    if seconds(module.clone()) < MAX_SECONDS {
        return false;
    }
    let mut timed = module.clone();
    timed.globals.compat.vblank_timing = true;
    seconds(timed) < MAX_SECONDS
}

/// Returns the seconds of a module from its first order to its end, or a number from [`MAX_SECONDS`] on.
fn seconds(module: Module) -> f64 {
    let options = ReplayOptions { order: 0, loops: Some(0), seed: 0 };
    let mut replay = Replay::new(Arc::new(Score::of_rows(module)), options);
    let mut seconds = 0.0;
    while seconds < MAX_SECONDS
        && let Some(tick) = replay.tick()
    {
        seconds += tick.seconds;
    }
    seconds
}
