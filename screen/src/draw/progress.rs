//! The bar of a song's position.

use std::ops::Range;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::Theme;
use super::theme::Role;
use crate::model::replay::SongView;

/// Silent channels that are named; of more, there is their number.
const MAX_NAMED: usize = 4;
/// Columns of the bar for which what was changed makes room.
const SHORTEST: usize = 6;

/// Returns minutes and seconds: `3:05`.
pub(super) fn clock(seconds: f64) -> String {
    format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60)
}

/// Returns how long a song is: `3:05`, and more than that where it was not followed further.
pub(super) fn length(song: &SongView) -> String {
    let whole = clock(song.seconds());
    // As `info` has it: a song is followed for a time only.
    if song.playing_subsong().is_some_and(|song| song.is_longer) {
        format!("longer than {whole}")
    } else {
        whole
    }
}

/// Returns what the listener has changed: the song of the module, the channels that are silent, the pattern that
/// repeats, volume, stereo and tempo; empty if it plays as it is stored.
pub(crate) fn changes(song: &SongView) -> String {
    let muted = song.muted.iter().enumerate().filter(|(_, is_muted)| **is_muted);
    let muted: Vec<String> = muted.map(|(channel, _)| (channel + 1).to_string()).collect();
    let muted = match muted.len() {
        0 => String::new(),
        1..=MAX_NAMED => format!(" mute {} ", muted.join(",")),
        count => format!(" {count} of {} mute ", song.muted.len()),
    };
    let looped = if song.loops_pattern { " looped " } else { "" };
    let volume = match song.volume.get() {
        0.0 => String::new(),
        decibels => format!(" {decibels:+} dB "),
    };
    let tempo = if song.tempo == 100 { String::new() } else { format!(" at {} % ", song.tempo) };
    let subsong = match song.subsong {
        0 => String::new(),
        subsong => format!(" song {} of {} ", subsong + 1, song.subsongs.len()),
    };
    let stereo = match song.separation {
        100 => String::new(),
        0 => " mono ".to_owned(),
        percent => format!(" stereo {percent} % "),
    };
    format!("{subsong}{muted}{looped}{volume}{stereo}{tempo}")
}

/// Returns what stands before the bar of a line of so many columns, whether it plays, and after it: what was changed,
/// if that leaves enough of the bar, and its time.
fn ends(song: &SongView, theme: Theme, width: u16) -> [String; 2] {
    let sign = match song.is_playing {
        true => theme.glyph(" ▶ ", " > "),
        false => theme.glyph(" ⏸ paused ", " = paused "),
    };
    let time = format!(" {} / {} ", clock(song.heard.seconds), length(song));
    let changes = changes(song);
    let fits = sign.width() + SHORTEST + changes.width() + time.width() <= usize::from(width);
    [sign.to_owned(), if fits { changes + &time } else { time }]
}

/// Returns the columns of the bar, of so many that the line has.
pub(crate) fn bar(song: &SongView, theme: Theme, width: u16) -> Range<usize> {
    let [start, end] = ends(song, theme, width).map(|text| text.width());
    start..usize::from(width).saturating_sub(end).max(start)
}

/// Returns the bar, with whether it plays, what was changed, and its time at the ends.
pub(super) fn line(song: &SongView, theme: Theme, width: u16) -> Line<'static> {
    let [sign, time] = ends(song, theme, width);
    let room = bar(song, theme, width).len();
    let part = (song.heard.seconds / song.seconds().max(1e-3)).clamp(0.0, 1.0);
    let played = ((part * room as f64) as usize).min(room.saturating_sub(1));
    let [done, head, rest] = theme.glyph(["━", "╸", "─"], ["=", ">", "-"]);
    Line::from(vec![
        Span::styled(sign, theme.style(Role::Playhead)),
        Span::styled(done.repeat(played), theme.style(Role::Playhead)),
        Span::styled(if room > 0 { head } else { "" }, theme.style(Role::Playhead)),
        Span::styled(rest.repeat(room.saturating_sub(played + 1)), theme.dim()),
        Span::raw(time),
    ])
}
