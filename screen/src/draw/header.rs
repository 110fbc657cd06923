//! The first line: what plays, then the machine that plays it.

use super::theme::Role;
use super::{Theme, shortened};
use crate::model::{Model, View};
use player::live::OutputStatus;
use player::text::counted;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

/// Columns between what plays and the machine.
const GAP: usize = 2;

/// Returns the header, with a red mark while a take is recorded.
pub(super) fn line(model: &Model, theme: Theme, width: u16) -> Line<'static> {
    let mut spans = Vec::new();
    if let Some(take) = model.take {
        let seconds = take.now.saturating_sub(take.since).as_secs();
        let mark = theme.glyph('●', '*');
        let mark = format!(" {mark} REC {}:{:02} ", seconds / 60, seconds % 60);
        let style = theme.style(Role::Over).add_modifier(ratatui::style::Modifier::REVERSED);
        spans.push(Span::styled(mark, style));
    }
    let room = usize::from(width).saturating_sub(spans.iter().map(Span::width).sum());
    let plays = plays(model, theme);
    let wanted: usize = plays.iter().map(|(text, _)| text.width()).sum();
    // What is missed least is left out first: of the machine, then of what plays.
    let machines = machines(model, theme);
    let fitting = machines.iter().find(|machine| wanted + GAP + machine.width() <= room);
    let machine = fitting.or(machines.last()).cloned().unwrap_or_default();
    let mut left = room.saturating_sub(machine.width() + GAP);
    for (text, role) in plays {
        let text = shortened(&text, left);
        left -= text.width().min(left);
        spans.push(Span::styled(text, theme.style(role)));
    }
    spans.push(Span::raw(" ".repeat(left + GAP)));
    let role = if model.status.is_gone { Role::Over } else { Role::Dim };
    spans.push(Span::styled(machine, theme.style(role)));
    Line::from(spans)
}

/// Returns what plays: the song, or the package and how many sounds it has.
fn plays(model: &Model, theme: Theme) -> Vec<(String, Role)> {
    if let Some(song) = model.song.as_ref().filter(|song| song.is_playing || model.view.is_of_songs()) {
        let position = match song.list.count {
            0 | 1 => String::new(),
            count => {
                let shuffled = if model.songs.is_shuffled { " shuffled" } else { "" };
                format!("  {} of {count}{shuffled}", song.list.index + 1)
            }
        };
        return vec![
            (format!(" {}", theme.text(song.song.name())), Role::Bright),
            (format!("  {}", theme.text(&song.song.file)), Role::Dim),
            (position, Role::Dim),
        ];
    }
    let songs = model.songs.songs.len();
    let what = match (model.view, model.sounds.len()) {
        (_, 0) if model.is_listing => "reading ...".to_owned(),
        (View::Songs, _) => format!("{songs} songs"),
        (_, count) if model.is_listing => format!("{} so far", counted(count)),
        (_, count) => counted(count),
    };
    vec![(format!(" {}", theme.text(&model.package)), Role::Bright), (format!("  {what}"), Role::Dim)]
}

/// Returns the machine: all there is to say, and less and less of it.
fn machines(model: &Model, theme: Theme) -> [String; 5] {
    let OutputStatus { xruns, load, block, limiter, .. } = model.status;
    let device = theme.text(&model.device);
    if model.status.is_gone {
        let long = format!("{device} disconnected, waiting for it ");
        let short = "device disconnected ".to_owned();
        return [long.clone(), long, short.clone(), short.clone(), short];
    }
    // From a key to its sound: the block, and what the limiter delays.
    let latency = 1000.0 * (block.seconds(model.rate) + limiter.seconds(model.rate));
    let (rate, voices, load) = (model.rate, model.voices.0, 100.0 * load);
    let troubles = troubles(&model.status);
    // A song has as many as it needs.
    let most = if model.song.is_some() { String::new() } else { format!("/{}", model.voices.1) };
    let counts = format!("voices {voices}{most}{troubles}  load {load:.0} % ");
    let none = if xruns == 0 { "xruns 0  " } else { "" };
    [
        format!("{device} {rate} Hz  latency {latency:.1} ms  {none}{counts}"),
        format!("{device} {rate} Hz  latency {latency:.1} ms  {counts}"),
        format!("{device} {rate} Hz  {counts}"),
        format!("{rate} Hz  {counts}"),
        format!("voices {voices}{most}{troubles} "),
    ]
}

/// Returns what goes wrong.
fn troubles(status: &OutputStatus) -> String {
    let mut text = String::new();
    if status.xruns > 0 {
        text.push_str(&format!("  xruns {}", status.xruns));
    }
    if status.errors > 0 {
        text.push_str(&format!("  errors {}", status.errors));
    }
    if status.denied {
        text.push_str("  no real-time priority");
    }
    text
}
