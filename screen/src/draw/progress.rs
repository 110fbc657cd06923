//! The bar of a song's position.

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
    let whole = clock(song.length.map_or(0.0, |song| song.seconds));
    // As `info` has it: a song is followed for a time only.
    if song.length.is_some_and(|song| song.is_longer) { format!("longer than {whole}") } else { whole }
}

/// Returns the bar, with whether it plays and its time at the ends.
pub(super) fn line(song: &SongView, theme: Theme, width: u16) -> Line<'static> {
    let sign = match song.is_playing {
        true => theme.glyph(" ▶ ", " > "),
        false => theme.glyph(" ⏸ paused ", " paused "),
    };
    let time = format!(" {} / {} ", clock(song.heard.seconds), length(song));
    let room = usize::from(width).saturating_sub(sign.width() + time.width());
    let whole = song.length.map_or(0.0, |length| length.seconds).max(1e-3);
    let part = (song.heard.seconds / whole).clamp(0.0, 1.0);
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
