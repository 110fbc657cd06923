//! The song that plays beside the keys: where it goes, how fast, and what of it is heard.

use std::time::Duration;

use super::{Intent, MANY, NOTICED, Press};
use crate::keymap::KeyCommand;
use crate::model::Model;
use crate::model::replay::SongView;
use player::live::{SongCommand, SongEvent};

/// The slowest and the fastest, in percent.
const TEMPOS: std::ops::RangeInclusive<i32> = 25..=400;

pub(super) fn happened(model: &mut Model, news: SongEvent, now: Duration) {
    match (news, &mut model.song) {
        (SongEvent::Started(started), _) => {
            model.song = Some(SongView::new(*started));
            model.notice = None;
            model.shows_song = true;
        }
        (SongEvent::Heard(tick, is_playing), Some(song)) => song.hear(tick, is_playing),
        (SongEvent::Listed(position), Some(song)) => song.list = position,
        (SongEvent::Loading(name), _) => {
            model.notice = Some((format!("reading {name} ..."), now + NOTICED));
        }
        (SongEvent::Heard(..) | SongEvent::Listed(_), None) => {}
    }
}

/// Carries out a command that steers the song.
pub(super) fn steer(model: &mut Model, command: KeyCommand) -> Vec<Intent> {
    let next = match command {
        KeyCommand::NextSong => Some(1),
        KeyCommand::PreviousSong => Some(-1),
        _ => None,
    };
    if let Some(by) = next {
        return vec![Intent::Song(SongCommand::Next(by))];
    }
    let Some(song) = &mut model.song else {
        // A folder has songs that none was played of so far.
        let begins = command == KeyCommand::PlaySong;
        return if begins { vec![Intent::Song(SongCommand::Play(true))] } else { Vec::new() };
    };
    let steered = match command {
        KeyCommand::PlaySong => SongCommand::Play(!song.is_playing),
        KeyCommand::ShowSong => {
            model.shows_song = !model.shows_song;
            return Vec::new();
        }
        KeyCommand::LoopPattern => {
            song.loops_pattern = !song.loops_pattern;
            SongCommand::LoopPattern(song.loops_pattern)
        }
        KeyCommand::Mute => return mute(song, song.channel),
        KeyCommand::Solo => return solo(song, song.channel),
        KeyCommand::Slower => change_tempo(song, -1),
        KeyCommand::Faster => change_tempo(song, 1),
        KeyCommand::Shuffle => SongCommand::Shuffle(!song.list.is_shuffled),
        _ => return Vec::new(),
    };
    vec![Intent::Song(steered)]
}

/// Makes the song faster by some percent, within bounds.
fn change_tempo(song: &mut SongView, percent: i32) -> SongCommand {
    let tempo = (i32::from(song.tempo) + percent).clamp(*TEMPOS.start(), *TEMPOS.end());
    song.tempo = u16::try_from(tempo).unwrap_or(100);
    SongCommand::Tempo(song.tempo)
}

/// Silences a channel, or no longer.
pub(super) fn mute(song: &mut SongView, channel: usize) -> Vec<Intent> {
    song.channel = channel;
    let Some(place) = song.muted.get_mut(channel) else { return Vec::new() };
    *place = !*place;
    vec![Intent::Song(SongCommand::Mute { channel, is_muted: *place })]
}

/// Lets a channel be heard alone, or all if it already is.
pub(super) fn solo(song: &mut SongView, channel: usize) -> Vec<Intent> {
    song.channel = channel;
    let is_alone = song.solo() == Some(channel);
    let mut intents = Vec::new();
    for (index, place) in song.muted.iter_mut().enumerate() {
        let is_muted = !is_alone && index != channel;
        if std::mem::replace(place, is_muted) != is_muted {
            intents.push(Intent::Song(SongCommand::Mute { channel: index, is_muted }));
        }
    }
    intents
}

/// Goes to a row.
pub(super) fn seek(song: &mut SongView, order: usize, row: usize) -> Vec<Intent> {
    (song.heard.place.order, song.heard.place.row) = (order, row);
    vec![Intent::Song(SongCommand::Seek { order, row })]
}

/// Handles a key while the pattern is shown; none if it means there what it means always.
pub(super) fn pressed(model: &mut Model, press: Press) -> Option<Vec<Intent>> {
    let song = model.song.as_mut().filter(|_| model.shows_song)?;
    let step = |by: usize, sign: isize| (by < MANY, sign * by.cast_signed());
    let place = match press {
        Press::Up(by) | Press::Down(by) => {
            let sign = if matches!(press, Press::Up(_)) { -1 } else { 1 };
            match step(by, sign) {
                (true, rows) => song.row_after(rows),
                // A page is a pattern.
                (false, _) => (song.order_after(sign), 0),
            }
        }
        Press::Home => (0, 0),
        Press::End => (song.order_after(isize::MAX), 0),
        Press::Left(_) => {
            song.channel = song.channel.saturating_sub(1);
            return Some(Vec::new());
        }
        Press::Right(_) => {
            song.channel = (song.channel + 1).min(song.muted.len().saturating_sub(1));
            return Some(Vec::new());
        }
        _ => return None,
    };
    Some(seek(song, place.0, place.1))
}

/// Marks an instrument of the song as the sound that the keys play.
pub(super) fn choose(model: &mut Model, name: usize) {
    let sound = model.song.as_ref().map(|song| song.sound_of(name));
    if let Some(sound) = sound.filter(|sound| *sound < model.sounds.len()) {
        model.list.marked = None;
        model.chosen = sound;
    }
}
