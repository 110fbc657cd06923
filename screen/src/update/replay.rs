//! Songs: the one that plays beside the keys, and the list of them.

use std::time::Duration;

use super::{Intent, MANY, NOTICED, Press, character, list, notes};
use crate::draw::{about_extent, song_changes};
use crate::keymap::KeyCommand;
use crate::model::replay::SongView;
use crate::model::songs::SongOrder;
use crate::model::{Model, View};
use player::live::{SongCommand, SongEvent};
use player::song_player::SEEK_STEP;
use player::song_volume;

/// The slowest and the fastest, in percent.
const TEMPOS: std::ops::RangeInclusive<i32> = 25..=400;
/// Percent by which a key changes the separation.
const SEPARATION_STEP: i8 = 20;
/// Names that are seen before the one that a key has chosen.
const AROUND: usize = 3;
/// No title is longer that somebody would type.
const MAX_QUERY: usize = 64;

/// Shows the list of songs as long as a folder holds nothing else and no key was pressed.
pub(super) fn show_list(model: &mut Model) {
    if model.is_touched || model.song.is_some() {
        return;
    }
    let files = model.list.groups.len();
    let songs = model.songs.songs.len();
    model.view = if songs > 1 && songs >= files { View::Songs } else { View::Sounds };
}

pub(super) fn happened(model: &mut Model, news: SongEvent, now: Duration) {
    match (news, &mut model.song) {
        (SongEvent::Added(song), _) => {
            model.songs.add(*song);
            show_list(model);
        }
        (SongEvent::Started(started), _) => {
            // One that follows another leaves what is shown.
            if model.song.is_none() || model.songs.asked == Some(started.index) {
                model.view = View::Pattern;
            }
            (model.songs.playing, model.songs.asked) = (Some(started.index), None);
            model.song = Some(SongView::new(*started));
            model.about_scroll = 0;
            (model.notice, model.warning) = (None, None);
        }
        (SongEvent::Heard(tick, is_playing), Some(song)) => song.hear(tick, is_playing),
        (SongEvent::Listed(position), song) => {
            if model.songs.is_shuffled != position.is_shuffled && model.view == View::Sounds {
                let how = if position.is_shuffled { "shuffled" } else { "in order" };
                model.notice = Some((format!("songs {how}"), now + NOTICED));
            }
            model.songs.is_shuffled = position.is_shuffled;
            if let Some(song) = song {
                song.list = position;
            }
        }
        (SongEvent::Loading(name), _) => {
            model.notice = Some((format!("reading {name} ..."), now + NOTICED));
        }
        (SongEvent::Heard(..), None) => {}
    }
}

/// Carries out a command that steers the song; where the song is not shown, says what is changed of it.
pub(super) fn steer(model: &mut Model, command: KeyCommand, now: Duration) -> Vec<Intent> {
    let before = model.song.as_ref().map(song_changes);
    let intents = steered(model, command);
    let after = model.song.as_ref().map(song_changes).filter(|_| model.view == View::Sounds);
    if let Some(after) = after.filter(|after| before.as_ref() != Some(after)) {
        let what = if after.is_empty() { " as it is stored".to_owned() } else { after };
        model.notice = Some((format!("song:{}", what.trim_end()), now + NOTICED));
    }
    intents
}

fn steered(model: &mut Model, command: KeyCommand) -> Vec<Intent> {
    match command {
        KeyCommand::NextSong => return vec![Intent::Song(SongCommand::Next(1))],
        KeyCommand::PreviousSong => return vec![Intent::Song(SongCommand::Next(-1))],
        KeyCommand::ShowSong => {
            model.view = match (model.view, &model.song) {
                (View::Sounds, Some(_)) => View::Pattern,
                (View::Sounds, None) if !model.songs.songs.is_empty() => View::Songs,
                _ => View::Sounds,
            };
            return Vec::new();
        }
        KeyCommand::Shuffle if model.songs.is_shuffled => return arrange(model),
        KeyCommand::Shuffle => return vec![Intent::Song(SongCommand::Shuffle(true))],
        // A folder has songs that none was played of so far.
        KeyCommand::PlaySong if model.song.is_none() && model.view == View::Songs => return begin(model),
        KeyCommand::PlaySong if model.song.is_none() => return vec![Intent::Song(SongCommand::Play(true))],
        _ => {}
    }
    let Some(song) = &mut model.song else { return Vec::new() };
    let steered = match command {
        KeyCommand::PlaySong => SongCommand::Play(!song.is_playing),
        KeyCommand::Louder => change_volume(song, 1.0),
        KeyCommand::Softer => change_volume(song, -1.0),
        KeyCommand::Narrower => return change_separation(song, -SEPARATION_STEP),
        KeyCommand::Wider => return change_separation(song, SEPARATION_STEP),
        KeyCommand::LoopPattern => {
            song.loops_pattern = !song.loops_pattern;
            SongCommand::LoopPattern(song.loops_pattern)
        }
        KeyCommand::NextSubsong => return step_subsong(song, 1),
        KeyCommand::PreviousSubsong => return step_subsong(song, -1),
        KeyCommand::Mute => return mute(song, song.channel),
        KeyCommand::Solo => return solo(song, song.channel),
        KeyCommand::UnmuteAll => return set_muted(song, |_| false),
        KeyCommand::Slower => change_tempo(song, -1),
        KeyCommand::Faster => change_tempo(song, 1),
        _ => return Vec::new(),
    };
    vec![Intent::Song(steered)]
}

/// Goes to another song of the module.
fn step_subsong(song: &mut SongView, by: isize) -> Vec<Intent> {
    let wanted = song.subsong.saturating_add_signed(by);
    let Some(subsong) = song.subsongs.get(wanted).filter(|_| wanted != song.subsong) else {
        return Vec::new();
    };
    let order = subsong.order;
    song.subsong = wanted;
    vec![Intent::Song(SongCommand::Subsong(order))]
}

/// Makes the song faster by some percent, within bounds.
fn change_tempo(song: &mut SongView, percent: i32) -> SongCommand {
    let tempo = (i32::from(song.tempo) + percent).clamp(*TEMPOS.start(), *TEMPOS.end());
    song.tempo = u16::try_from(tempo).unwrap_or(100);
    SongCommand::Tempo(song.tempo)
}

/// Makes the song louder by some decibels, within bounds.
fn change_volume(song: &mut SongView, decibels: f32) -> SongCommand {
    song.volume = song_volume::changed(song.volume, decibels);
    SongCommand::Volume(song.volume)
}

/// Brings left and right closer together or further apart, between mono and what is stored.
fn change_separation(song: &mut SongView, percent: i8) -> Vec<Intent> {
    let wanted = song.separation.saturating_add_signed(percent).min(100);
    if std::mem::replace(&mut song.separation, wanted) == wanted {
        return Vec::new();
    }
    vec![Intent::Song(SongCommand::Separation(wanted))]
}

/// Silences a channel, or no longer.
pub(super) fn mute(song: &mut SongView, channel: usize) -> Vec<Intent> {
    let Some(place) = song.muted.get_mut(channel) else { return Vec::new() };
    *place = !*place;
    song.channel = channel;
    vec![Intent::Song(SongCommand::Mute { channel, is_muted: *place })]
}

/// Lets a channel be heard alone, or all if it already is.
pub(super) fn solo(song: &mut SongView, channel: usize) -> Vec<Intent> {
    song.channel = channel;
    let is_alone = song.solo() == Some(channel);
    set_muted(song, |index| !is_alone && index != channel)
}

fn set_muted(song: &mut SongView, is_silent: impl Fn(usize) -> bool) -> Vec<Intent> {
    let mut intents = Vec::new();
    for (channel, place) in song.muted.iter_mut().enumerate() {
        let is_muted = is_silent(channel);
        if std::mem::replace(place, is_muted) != is_muted {
            intents.push(Intent::Song(SongCommand::Mute { channel, is_muted }));
        }
    }
    intents
}

/// Goes to a row.
pub(super) fn seek(song: &mut SongView, order: usize, row: usize) -> Vec<Intent> {
    (song.heard.place.order, song.heard.place.row) = (order, row);
    vec![Intent::Song(SongCommand::Seek { order, row })]
}

/// Handles a key on a screen of songs; none if it means there what it means always.
pub(super) fn pressed(model: &mut Model, press: Press, now: Duration) -> Option<Vec<Intent>> {
    if !model.view.is_of_songs() {
        return None;
    }
    if model.view == View::Songs
        && let Some(intents) = in_list(model, press)
    {
        return Some(intents);
    }
    if let Some(intents) = typed(model, press, now) {
        return Some(intents);
    }
    match press {
        Press::Tab => model.view = next_page(model),
        Press::Escape => return Some(escape(model)),
        Press::Enter => return Some(notes::audition(model, now)),
        Press::Backspace => {}
        _ => return in_song(model, press),
    }
    Some(Vec::new())
}

/// Returns the command of a key that types, where it is one.
pub(super) fn typed_command(model: &Model, press: Press) -> Option<KeyCommand> {
    let (key, types, has_shift) = match press {
        Press::Char(typed) => (typed, typed, false),
        Press::Shifted { key, types } => (key, types, true),
        _ => return None,
    };
    model.keymap.typed(types).filter(|_| model.is_typed_command(key, has_shift))
}

/// Handles a key that types: a note shows the piano, and as long as it is shown keys play that play elsewhere.
fn typed(model: &mut Model, press: Press, now: Duration) -> Option<Vec<Intent>> {
    let (key, types) = match press {
        Press::Char(typed) => (typed, typed),
        Press::Shifted { key, types } => (key, types),
        _ => return None,
    };
    if types == '?' {
        return None;
    }
    let plays = model.is_of_piano(key);
    if let Some(command) = typed_command(model, press) {
        return Some(super::commands::run(model, command, now));
    }
    if model.plays_along && plays && matches!(press, Press::Char(_)) {
        return Some(character(model, key, false, now));
    }
    if let Some(digit) = types.to_digit(10) {
        // Zero is the tenth.
        let channel = (digit as usize + 9) % 10;
        return Some(model.song.as_mut().map_or_else(Vec::new, |song| mute(song, channel)));
    }
    if !plays {
        return Some(Vec::new());
    }
    model.plays_along = true;
    Some(character(model, key, false, now))
}

/// Returns the page after the one that is shown.
fn next_page(model: &Model) -> View {
    match (model.view, &model.song) {
        (View::Pattern, Some(_)) => View::About,
        (View::About, _) if model.songs.songs.len() > 1 => View::Songs,
        (_, Some(_)) => View::Pattern,
        (view, None) => view,
    }
}

/// Hides the piano and releases all notes but those of the song; where none is held, goes back to the pattern.
fn escape(model: &mut Model) -> Vec<Intent> {
    if model.plays_along || model.notes.iter().any(|note| !note.released) {
        model.plays_along = false;
        model.loading = None;
        model.notes.iter_mut().for_each(|note| note.released = true);
        return vec![Intent::ReleaseAll];
    }
    if model.song.is_some() {
        model.view = View::Pattern;
    }
    // Keys of MIDI are held until their port says otherwise.
    if model.midi.is_empty() { Vec::new() } else { vec![Intent::ReleaseAll] }
}

/// Handles a key that moves through the song.
fn in_song(model: &mut Model, press: Press) -> Option<Vec<Intent>> {
    if let Press::ShiftUp | Press::ShiftDown = press {
        let by = if press == Press::ShiftUp { -1 } else { 1 };
        step_name(model, by);
        return Some(Vec::new());
    }
    if model.view == View::About
        && let Some(scroll) = scrolled(model, press)
    {
        model.about_scroll = scroll;
        return Some(Vec::new());
    }
    let song = model.song.as_mut()?;
    let (order, row) = match press {
        Press::Left(by) | Press::Right(by) => {
            let sign = if matches!(press, Press::Left(_)) { -1 } else { 1 };
            if by < MANY {
                return Some(vec![Intent::Song(SongCommand::SeekBy(SEEK_STEP * sign as f64))]);
            }
            song.step_channel(sign);
            return Some(Vec::new());
        }
        Press::Up(by) | Press::Down(by) => {
            let sign = if matches!(press, Press::Up(_)) { -1 } else { 1 };
            // A page is an order.
            if by < MANY { song.row_after(sign * by.cast_signed()) } else { (song.order_after(sign), 0) }
        }
        Press::Home => (song.playing_subsong().map_or(0, |song| song.order), 0),
        Press::End => (song.order_after(isize::MAX), 0),
        _ => return None,
    };
    Some(seek(song, order, row))
}

/// Returns where the song's page is after a key that scrolls it; none for other keys.
fn scrolled(model: &Model, press: Press) -> Option<usize> {
    let (last, _) = about_extent(model);
    let at = model.about_scroll.min(last);
    match press {
        Press::Up(by) => Some(at.saturating_sub(by)),
        Press::Down(by) => Some(at.saturating_add(by).min(last)),
        Press::Home => Some(0),
        Press::End => Some(last),
        _ => None,
    }
}

/// Handles a key in the list of songs; none if it means there what it means on all screens of songs.
fn in_list(model: &mut Model, press: Press) -> Option<Vec<Intent>> {
    let songs = &mut model.songs;
    if songs.is_typing {
        let chosen = songs.chosen_song();
        match press {
            Press::Char(types) | Press::Shifted { types, .. } => {
                if songs.filter.chars().count() < MAX_QUERY {
                    songs.filter.push(types);
                }
            }
            Press::Backspace => drop(songs.filter.pop()),
            Press::Enter | Press::Command(KeyCommand::Search) => songs.is_typing = false,
            Press::Escape => {
                songs.is_typing = false;
                songs.filter.clear();
            }
            Press::Up(_) | Press::Down(_) => {}
            _ => return None,
        }
        songs.arrange(chosen);
        if !matches!(press, Press::Up(_) | Press::Down(_)) {
            return Some(Vec::new());
        }
    }
    match press {
        Press::Up(by) => songs.step(-by.cast_signed()),
        Press::Down(by) => songs.step(by.cast_signed()),
        Press::Home => songs.step(isize::MIN),
        Press::End => songs.step(isize::MAX),
        Press::Enter => return Some(begin(model)),
        Press::Escape if !songs.filter.is_empty() => {
            let chosen = songs.chosen_song();
            songs.filter.clear();
            songs.arrange(chosen);
        }
        Press::Command(KeyCommand::Search) => songs.is_typing = true,
        Press::Command(KeyCommand::Sort) => {
            let chosen = songs.chosen_song();
            songs.order = songs.order.after();
            songs.arrange(chosen);
            return Some(arrange(model));
        }
        _ => return None,
    }
    Some(Vec::new())
}

/// Plays the chosen song of the list.
fn begin(model: &mut Model) -> Vec<Intent> {
    model.songs.asked = model.songs.chosen_song();
    model.songs.asked.map(|song| Intent::Song(SongCommand::Begin(song))).into_iter().collect()
}

/// Lets songs follow one another as they are listed.
fn arrange(model: &Model) -> Vec<Intent> {
    vec![Intent::Song(SongCommand::Arrange(model.songs.play_order()))]
}

/// Lets songs follow one another as they are listed once all are, if they have another order than they were found in.
pub(super) fn arranged(model: &Model) -> Vec<Intent> {
    let is_arranged = model.songs.order == SongOrder::File || model.songs.is_shuffled;
    if is_arranged { Vec::new() } else { arrange(model) }
}

/// Chooses the row of the list of songs that was clicked; the chosen one plays.
pub(super) fn click(model: &mut Model, row: usize) -> Vec<Intent> {
    let songs = &mut model.songs;
    if row != songs.chosen {
        songs.chosen = row.min(songs.rows.len().saturating_sub(1));
        return Vec::new();
    }
    begin(model)
}

/// Goes to a part of the song, of so many.
pub(super) fn seek_to(song: &SongView, part: usize, parts: usize) -> Vec<Intent> {
    let wanted = song.seconds() * part as f64 / parts.max(1) as f64;
    vec![Intent::Song(SongCommand::SeekBy(wanted - song.heard.seconds))]
}

/// Marks the instrument so many further in the song's list.
fn step_name(model: &mut Model, by: isize) {
    let Some(song) = &model.song else { return };
    let count = song.names().len();
    let own = (0..count).find(|name| song.sound_of(*name) == model.chosen);
    let wanted = own.map_or(0, |own| own.saturating_add_signed(by).min(count.saturating_sub(1)));
    choose(model, wanted);
    if let (last, Some(chosen)) = about_extent(model) {
        // Some names before it are seen, too.
        model.about_scroll = chosen.saturating_sub(AROUND).min(last);
    }
}

/// Marks an instrument of the song as the sound that the keys play.
pub(super) fn choose(model: &mut Model, name: usize) {
    let sound = model.song.as_ref().map(|song| song.sound_of(name));
    if let Some(sound) = sound.filter(|sound| *sound < model.sounds.len()) {
        list::mark(model, Some(crate::model::list::ListRow::Sound(sound)));
    }
}
