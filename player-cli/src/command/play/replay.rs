//! `usampler play SONG`, and the songs of several files or below a folder, one after another.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use engine::Controller;
use importer::SoundFile;
use player::LoadedSong;
use player::listening::{EndReason, SONG_TAIL, SongPerformance, about, first_frame, listen, song_keys};
use player::playback::Playback;
use player::playlist::Playlist;
use player::session;
use player::song_choice::SONG_VOICES;
use song::Decibels;

use super::keys::{Terminal, is_watched};
use super::{exit, say_late, start};
use crate::args::Play;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::import::import_song;
use crate::input::InputFile;
use crate::interrupt;

/// Plays a song to its end.
pub(super) fn run(
    args: &Play,
    package: &SoundFile,
    label: &str,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    args.note.check_song(label)?;
    let loaded = import_song(package, console)?;
    let mut stage = Stage::open(args, &format!("`usampler render {label} -o out.wav` needs no device"))?;
    let heard = stage.play(args, &loaded, package, None, console);
    say_late(&stage.playback, console);
    Ok(exit(heard?))
}

/// An engine on a device.
struct Stage {
    controller: Controller,
    playback: Playback,
    volume: Decibels,
    are_keys_told: bool,
}

impl Stage {
    fn open(args: &Play, without: &str) -> Result<Self, Failure> {
        let (controller, processor) =
            session::engine(args.engine.options(), SONG_VOICES, args.live.has_limiter())?;
        let volume = args.note.gain;
        Ok(Self {
            controller,
            playback: start(args, processor, without.to_owned())?,
            volume,
            are_keys_told: false,
        })
    }

    /// Plays a song, one of a list if there is one.
    fn play(
        &mut self,
        args: &Play,
        loaded: &LoadedSong,
        package: &SoundFile,
        list: Option<&Playlist>,
        console: &mut Console<'_>,
    ) -> Result<EndReason, Failure> {
        let Self { controller, playback, volume, are_keys_told } = self;
        let choice = args.song.choice();
        let replay = choice.replay(&loaded.score, args.engine.options().seed)?;
        let rate = playback.rate();
        let options = choice.options(&loaded.score, SONG_TAIL, rate)?;
        let length = choice.seconds(&loaded.score);
        let place = list
            .map_or_else(String::new, |list| format!("{} of {}: ", list.position().index + 1, list.len()));
        let summary = package.module().map(|module| module.raw.summary());
        let (name, title) = (package.name(), summary.as_ref().map_or("", |summary| summary.title.trim()));
        let quoted = if title.is_empty() { String::new() } else { format!(" \"{title}\"") };
        console.say(format_args!("playing {place}{name}{quoted} on {}, {rate} Hz", playback.name()));
        if let Some(summary) = &summary {
            console.say(format_args!("  {}", about(summary, length)));
        }
        if !std::mem::replace(are_keys_told, true) && is_watched() {
            console.say(format_args!("  {}", song_keys(list.is_some())));
        }
        let first = first_frame(controller, playback);
        let player = loaded.player(controller, replay, options, first);
        let title = if title.is_empty() { name } else { title };
        let loops = if args.endless { None } else { Some(args.song.loops.unwrap_or(0)) };
        let mut act = SongPerformance::new(player, title, length, *volume, loops);
        let heard = listen(&mut act, controller, playback, list.is_some(), &mut Terminal::of(console));
        *volume = act.volume();
        Ok(heard?)
    }
}

/// Plays the songs of some files, or below a folder, until the last is over; `label` is what was typed for them.
///
/// # Errors
/// [`Exit::Unreadable`] if there is no song in any of them.
pub(super) fn run_list(
    args: &Play,
    label: &str,
    files: &[PathBuf],
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    args.note.check_song(label)?;
    if files.is_empty() {
        return Err(no_songs(label));
    }
    let mut stage = Stage::open(args, "`usampler render SONG -o out.wav` needs no device")?;
    let heard = play_list(&mut stage, args, label, files, console);
    say_late(&stage.playback, console);
    heard
}

fn no_songs(label: &str) -> Failure {
    Failure::new(Exit::Unreadable, format!("no songs in {label}"))
}

fn play_list(
    stage: &mut Stage,
    args: &Play,
    label: &str,
    files: &[PathBuf],
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let seed =
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    let mut list =
        if args.shuffle { Playlist::shuffled(files.len(), seed) } else { Playlist::new(files.len(), seed) };
    let (mut without_song, mut exit) = (0, Exit::Done);
    let mut by = 1;
    while let Some(file) = list.song().and_then(|index| files.get(index)) {
        interrupt::check()?;
        let outcome = match open(args, file, console) {
            Ok(Some((loaded, package))) => {
                without_song = 0;
                stage.play(args, &loaded, &package, Some(&list), console)?
            }
            no_song => {
                if let Err(failure) = no_song {
                    console.warn(format_args!("{}: {}", file.display(), failure.message));
                    exit = Exit::Partly;
                }
                without_song += 1;
                if without_song == list.len() {
                    return Err(no_songs(label));
                }
                if by < 0 { EndReason::Previous } else { EndReason::Over }
            }
        };
        by = match outcome {
            EndReason::Over | EndReason::Next => 1,
            EndReason::Previous => -1,
            EndReason::Shuffle => {
                list.set_shuffled(!list.is_shuffled());
                let how = if list.is_shuffled() { "shuffled" } else { "in order" };
                console.say(format_args!("the songs are {how} from here on"));
                1
            }
            EndReason::Ended | EndReason::Interrupted => return Ok(super::exit(outcome)),
        };
        let was_last = list.position().index + 1 == list.len();
        list.step(by);
        if was_last && by > 0 && outcome != EndReason::Next {
            return Ok(exit);
        }
    }
    Ok(exit)
}

/// Loads the song of a file; none if it has none.
fn open(
    args: &Play,
    file: &Path,
    console: &mut Console<'_>,
) -> Result<Option<(LoadedSong, SoundFile)>, Failure> {
    let input = InputFile::open(file, &args.input.reading)?;
    let package = input.to_play()?;
    if package.module().is_none() {
        console.detail(format_args!("{}: no song", file.display()));
        return Ok(None);
    }
    Ok(Some((import_song(&package, console)?, package)))
}
