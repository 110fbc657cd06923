//! The song that plays beside the keys: where it goes, how fast, and what of it is heard.

use std::time::Duration;

use super::{Intent, MANY, Msg, NOTICED, Press};
use crate::tui::model::Model;
use crate::tui::model::replay::{SongPlace, SongView};
use player::live_song::HeardTick;

/// A key that steers the song, whatever is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SongKey {
    /// Play it, or pause.
    Play,
    /// Its pattern in place of the list, or the list again.
    View,
    /// Repeat its pattern, or no longer.
    LoopPattern,
    /// Silence the marked channel, or no longer.
    Mute,
    /// Hear the marked channel alone, or all.
    Solo,
    /// So many percent faster, or slower.
    Tempo(i16),
    /// So many songs of the folder further, or back.
    Next(isize),
    /// The songs of the folder in an order of chance, or in their own.
    Shuffle,
}

/// What is to be done with the song.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SongIntent {
    /// Play it from where it is, or pause it.
    Play(bool),
    /// Go to a row.
    Seek {
        /// The order, from 0.
        order: usize,
        /// The row, from 0.
        row: usize,
    },
    /// Repeat its pattern, or no longer.
    LoopPattern(bool),
    /// Silence a channel, or no longer.
    Mute {
        /// From 0.
        channel: usize,
        /// Whether it is silent.
        is_muted: bool,
    },
    /// How fast, in percent of what it says.
    Tempo(u16),
    /// Play the song so many further in the folder, or back.
    Next(isize),
    /// Whether the songs of the folder come in an order of chance.
    Shuffle(bool),
}

/// What has become of the song.
#[derive(Clone, Debug, PartialEq)]
pub enum SongNews {
    /// It is there.
    Loaded(Box<SongView>),
    /// It is being read.
    Loading(String),
    /// What is heard of it, and whether it plays.
    Heard(HeardTick, bool),
    /// It stands elsewhere in its folder.
    Listed(SongPlace),
}

/// The slowest and the fastest, in percent.
const TEMPOS: std::ops::RangeInclusive<i32> = 25..=400;

pub(super) fn happened(model: &mut Model, news: SongNews, now: Duration) {
    match (news, &mut model.song) {
        (SongNews::Loaded(view), _) => {
            model.song = Some(*view);
            model.notice = None;
            model.shows_song = true;
        }
        (SongNews::Heard(tick, is_playing), Some(song)) => song.hear(tick, is_playing),
        (SongNews::Listed(place), Some(song)) => song.list = place,
        (SongNews::Loading(name), _) => {
            model.notice = Some((format!("reading {name} ..."), now + NOTICED));
        }
        (SongNews::Heard(..) | SongNews::Listed(_), None) => {}
    }
}

/// Handles a key that steers the song.
pub(super) fn steer(model: &mut Model, key: SongKey) -> Vec<Intent> {
    if let SongKey::Next(by) = key {
        return vec![Intent::Song(SongIntent::Next(by))];
    }
    let Some(song) = &mut model.song else {
        // A folder has songs that none was played of so far.
        return if key == SongKey::Play { vec![Intent::Song(SongIntent::Play(true))] } else { Vec::new() };
    };
    let intent = match key {
        SongKey::Play => SongIntent::Play(!song.is_playing),
        SongKey::View => {
            model.shows_song = !model.shows_song;
            return Vec::new();
        }
        SongKey::LoopPattern => {
            song.loops_pattern = !song.loops_pattern;
            SongIntent::LoopPattern(song.loops_pattern)
        }
        SongKey::Mute => return mute(song, song.channel),
        SongKey::Solo => return solo(song, song.channel),
        SongKey::Tempo(by) => {
            let tempo = (i32::from(song.tempo) + i32::from(by)).clamp(*TEMPOS.start(), *TEMPOS.end());
            song.tempo = u16::try_from(tempo).unwrap_or(100);
            SongIntent::Tempo(song.tempo)
        }
        SongKey::Shuffle => SongIntent::Shuffle(!song.list.is_shuffled),
        SongKey::Next(by) => SongIntent::Next(by),
    };
    vec![Intent::Song(intent)]
}

/// Silences a channel, or no longer.
pub(super) fn mute(song: &mut SongView, channel: usize) -> Vec<Intent> {
    song.channel = channel;
    let Some(place) = song.muted.get_mut(channel) else { return Vec::new() };
    *place = !*place;
    vec![Intent::Song(SongIntent::Mute { channel, is_muted: *place })]
}

/// Lets a channel be heard alone, or all if it already is.
pub(super) fn solo(song: &mut SongView, channel: usize) -> Vec<Intent> {
    song.channel = channel;
    let is_alone = song.solo() == Some(channel);
    let mut intents = Vec::new();
    for (index, place) in song.muted.iter_mut().enumerate() {
        let is_muted = !is_alone && index != channel;
        if std::mem::replace(place, is_muted) != is_muted {
            intents.push(Intent::Song(SongIntent::Mute { channel: index, is_muted }));
        }
    }
    intents
}

/// Goes to a row.
pub(super) fn seek(song: &mut SongView, order: usize, row: usize) -> Vec<Intent> {
    (song.heard.place.order, song.heard.place.row) = (order, row);
    vec![Intent::Song(SongIntent::Seek { order, row })]
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

/// Returns the message for news of the song.
impl From<SongNews> for Msg {
    fn from(news: SongNews) -> Self {
        Self::Song(news)
    }
}
