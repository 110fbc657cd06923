//! A song for `play` and `render`: the module of a file with all its recordings, and how it is to be replayed.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use importer::SoundFile;
use player::LoadedSong;
use player::song_player::SongOptions;
use song::Hz;
use tracker::replay::{Replay, ReplayOptions, Score};

use crate::args::SongArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::import::import;

/// Voices of an engine for a song: those of the replay, and those that are played besides.
pub(super) const VOICES: usize = 512;

/// Decodes all recordings of a module; warns of samples that stay silent.
///
/// # Errors
/// If they make no song.
pub(super) fn load(package: &SoundFile, console: &mut Console<'_>) -> Result<LoadedSong, Failure> {
    let loaded = LoadedSong::new(import(package, |_| true, console)?)?;
    if let Some(silent) = loaded.silent_samples() {
        console.warn(format_args!("{}: {silent}", package.name()));
    }
    Ok(loaded)
}

/// Returns the beginning of the song that is asked for.
///
/// # Errors
/// [`Exit::Usage`] if the module has no such order or subsong.
pub(super) fn replay(score: &Arc<Score>, args: &SongArgs, seed: u64) -> Result<Replay, Failure> {
    let orders = score.module().order_count();
    let order = match (args.order, args.subsong) {
        (Some(order), _) if order >= orders => {
            let problem = format!("the song has {orders} orders, counted from 0: there is no {order}");
            return Err(Failure::new(Exit::Usage, problem));
        }
        (Some(order), _) => order,
        (None, Some(number)) => {
            let found = tracker::replay::subsongs(score);
            let subsong = found.get(number - 1);
            let problem = || format!("the module has {} songs: there is no {number}", found.len());
            subsong.ok_or_else(|| Failure::new(Exit::Usage, problem()))?.order
        }
        (None, None) => 0,
    };
    let options = ReplayOptions { order, loops: Some(args.loops.unwrap_or(0)), seed };
    Ok(Replay::new(Arc::clone(score), options))
}

/// Returns how long a song is that plays once from its beginning, in seconds; none where that is not asked for or not
/// known.
#[must_use]
pub(super) fn seconds(score: &Arc<Score>, args: &SongArgs) -> Option<f64> {
    if args.order.is_some() || args.loops.is_some() {
        return None;
    }
    let subsongs = tracker::replay::subsongs(score);
    let whole = subsongs.get(args.subsong.unwrap_or(1) - 1)?;
    match args.seconds.map(|most| most.as_secs_f64()) {
        Some(most) if most <= whole.seconds => Some(most),
        _ => Some(whole.seconds).filter(|_| !whole.is_longer),
    }
}

/// Returns how long a song plays at least: one that is longer than songs are followed goes on after that.
#[must_use]
pub(super) fn least(score: &Arc<Score>, args: &SongArgs) -> Duration {
    if args.order.is_some() {
        return Duration::ZERO;
    }
    let subsongs = tracker::replay::subsongs(score);
    let whole = subsongs.get(args.subsong.unwrap_or(1) - 1).map_or(0.0, |song| song.seconds);
    let whole = Duration::try_from_secs_f64(whole).unwrap_or(Duration::MAX);
    args.seconds.map_or(whole, |most| most.min(whole))
}

/// Returns how the song is to be heard.
///
/// # Errors
/// [`Exit::Usage`] if the module has no such channel.
pub(super) fn options(
    score: &Score,
    args: &SongArgs,
    tail: Duration,
    rate: Hz,
) -> Result<SongOptions, Failure> {
    let channels = score.module().channels.len();
    if let Some(absent) = args.solo.iter().chain(&args.mute).find(|range| *range.end() > channels) {
        let problem = format!("the song has {channels} channels: there is no {}", absent.end());
        return Err(Failure::new(Exit::Usage, problem));
    }
    let within = |ranges: &[RangeInclusive<usize>], channel: usize| {
        ranges.iter().any(|range| range.contains(&(channel + 1)))
    };
    let is_muted =
        |channel| within(&args.mute, channel) || (!args.solo.is_empty() && !within(&args.solo, channel));
    Ok(SongOptions {
        tail,
        most: args.seconds,
        separation: f32::from(args.separation) / 100.0,
        muted: (0..channels).map(is_muted).collect(),
        rate,
    })
}
