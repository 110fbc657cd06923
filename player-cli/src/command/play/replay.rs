//! `usampler play SONG`.

use importer::SoundFile;
use player::session;
use player::song_player::SongPlayer;

use super::{SONG_AHEAD, Timing, first_frame, listen, start};
use crate::args::Play;
use crate::command::song::{LoadedSong, VOICES};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// How long notes ring out after the last row.
const TAIL: std::time::Duration = std::time::Duration::from_secs(2);

/// Plays a song to its end.
pub(super) fn run(
    args: &Play,
    package: &SoundFile<'_>,
    label: &str,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let loaded = LoadedSong::of(package, console)?;
    let engine = args.engine.options();
    let replay = loaded.replay(&args.song, engine.seed)?;
    let (mut controller, processor) = session::engine(engine, VOICES, args.live.has_limiter())?;
    let bank = loaded.lend(&mut controller);
    let without = format!("`usampler render {label} -o out.wav` needs no device");
    let mut playback = start(args, processor, without)?;
    let rate = playback.rate();
    console.say(format_args!("playing {} on {}, {rate} Hz", package.name(), playback.name()));
    let first = first_frame(&controller, &playback);
    let options = loaded.options(&args.song, TAIL, rate)?;
    let length = loaded.seconds(&args.song);
    let mut player = SongPlayer::new(replay, bank, options, first);
    let timing = Timing { first, length, ahead: SONG_AHEAD };
    listen(&mut player, &mut controller, &mut playback, timing, console)
}
