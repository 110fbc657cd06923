//! The bar of a song's position.

use std::ops::Range;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::Theme;
use super::theme::Role;
use crate::model::replay::SongView;

/// Returns minutes and seconds: `3:05`.
pub(super) fn clock(seconds: f64) -> String {
    format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60)
}

/// Returns how long a song is: `3:05`, and more than that where it was not followed further.
pub(super) fn length(song: &SongView) -> String {
    let whole = clock(song.seconds());
    // As `info` has it: a song is followed for a time only.
    if song.song.length.is_some_and(|song| song.is_longer) { format!("longer than {whole}") } else { whole }
}

/// Returns what stands before the bar, whether it plays, and after it, its time.
fn ends(song: &SongView, theme: Theme) -> [String; 2] {
    let sign = match song.is_playing {
        true => theme.glyph(" ▶ ", " > "),
        false => theme.glyph(" ⏸ paused ", " = paused "),
    };
    [sign.to_owned(), format!(" {} / {} ", clock(song.heard.seconds), length(song))]
}

/// Returns the columns of the bar, of so many that the line has.
pub(crate) fn bar(song: &SongView, theme: Theme, width: u16) -> Range<usize> {
    let [start, end] = ends(song, theme).map(|text| text.width());
    start..usize::from(width).saturating_sub(end).max(start)
}

/// Returns the bar, with whether it plays and its time at the ends.
pub(super) fn line(song: &SongView, theme: Theme, width: u16) -> Line<'static> {
    let [sign, time] = ends(song, theme);
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
