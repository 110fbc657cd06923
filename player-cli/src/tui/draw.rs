//! The picture of the model: header, sounds, keys, meters, what the keys do.

mod devices;
mod help;
mod keyboard;
mod list;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use unicode_width::UnicodeWidthStr as _;

use super::model::{Model, Status};
use crate::args::Map;
use crate::view::printable;
use crate::view::text::counted;

/// The smallest terminal that everything fits into.
const SMALLEST: (u16, u16) = (80, 24);

/// How the picture is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Nothing beyond ASCII, for terminals of other encodings.
    pub ascii: bool,
    /// Colours; without them, what is lit is shown in reverse.
    pub colored: bool,
}

impl Look {
    const fn lit(self) -> Style {
        if self.colored {
            Style::new().fg(Color::Black).bg(Color::Yellow)
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }

    const fn faint(self) -> Style {
        if self.colored { Style::new().fg(Color::DarkGray) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// A text from a file, as this terminal can show it.
    fn text(self, text: &str) -> String {
        let text = printable(text);
        if self.ascii { text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect() } else { text }
    }

    fn block(self, title: String) -> Block<'static> {
        let set = if self.ascii { ASCII } else { border::PLAIN };
        Block::bordered().border_set(set).title(title)
    }
}

const ASCII: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Draws everything.
pub fn screen(frame: &mut Frame<'_>, model: &Model, look: Look) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let text = format!(
            "usampler needs {}x{}, this terminal has {}x{}. It plays on; F10 quits.",
            SMALLEST.0, SMALLEST.1, area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true }), area);
        return;
    }
    let [header, sounds, keys, meters, bottom] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(5),
        Constraint::Length(6),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    frame.render_widget(Line::from(header_text(model, look, header.width)).style(Modifier::BOLD), header);
    list::draw(frame, model, look, sounds);
    keyboard::draw(frame, model, look, keys);
    frame.render_widget(meter_line(model, look), meters);
    frame.render_widget(bottom_line(model, look), bottom);
    if let Some(chooser) = &model.devices {
        devices::draw(frame, chooser, look, area);
    }
    if model.help {
        help::draw(frame, model, look, area);
    }
}

/// What is running. Where there is little room, first the length of a block in time is left out, then the package's
/// name is cut.
fn header_text(model: &Model, look: Look, width: u16) -> String {
    let (voices, polyphony) = model.voices;
    let Status { xruns, load, block, .. } = model.status;
    let sounds = counted(model.sounds.len());
    let running = match model.status.is_gone {
        true => format!("  {sounds}   {} is gone, waiting for it", model.device),
        false => format!("  {sounds}   {} {} Hz {block} fr", model.device, model.rate),
    };
    let lasts = format!(" ({:.1} ms)", 1000.0 * block.seconds(model.rate));
    let troubles = troubles(&model.status);
    let right =
        format!("   voices {voices}/{polyphony}  xruns {xruns}{troubles}  load {:.0} %", 100.0 * load);
    let package = look.text(&model.package);
    let room = |rest: &str| usize::from(width).saturating_sub(rest.width() + 1);
    let rest = format!("{running}{lasts}{right}");
    let rest = if room(&rest) >= package.width() { rest } else { format!("{running}{right}") };
    format!(" {}{rest}", shortened(&package, room(&rest)))
}

/// What goes wrong beyond blocks that come late.
fn troubles(status: &Status) -> String {
    let mut text = String::new();
    if status.errors > 0 {
        text.push_str(&format!("  errors {}", status.errors));
    }
    if status.denied {
        text.push_str("  no real time");
    }
    text
}

/// The first characters of a text, with a sign where it was cut.
fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    while short.width() >= width.max(1) {
        short.pop();
    }
    short.push('~');
    short
}

/// The range of the meters, in decibels below full scale.
const RANGE: f32 = 60.0;

fn meter_line(model: &Model, look: Look) -> Line<'static> {
    let mut spans = Vec::new();
    for (side, peak) in ["L", "R"].into_iter().zip(model.peaks) {
        let decibels = 20.0 * peak.max(1e-6).log10();
        let width = 22;
        let filled = ((1.0 + decibels / RANGE).clamp(0.0, 1.0) * width as f32).round() as usize;
        let glyph = if look.ascii { "#" } else { "▇" };
        let style = match decibels {
            _ if !look.colored => Style::new(),
            0.0.. => Style::new().fg(Color::Red),
            -6.0..0.0 => Style::new().fg(Color::Yellow),
            _ => Style::new().fg(Color::Green),
        };
        spans.push(Span::raw(format!(" {side} ")));
        spans.push(Span::styled(format!("{:<width$}", glyph.repeat(filled)), style));
        let level = if decibels < -RANGE { "   -inf dB".to_owned() } else { format!("{decibels:>7.1} dB") };
        spans.push(Span::raw(level));
    }
    Line::from(spans)
}

fn bottom_line(model: &Model, look: Look) -> Line<'static> {
    let keys = if look.ascii {
        " F1 help  ^v sound  Enter audition  [] octave  -= velocity  Esc panic  F10 quit"
    } else {
        " F1 help  ↑↓ sound  Enter audition  [] octave  -= velocity  Esc panic  F10 quit"
    };
    match &model.complaint {
        Some(complaint) => Line::styled(
            format!(" {}", look.text(complaint)),
            if look.colored {
                Style::new().fg(Color::Red)
            } else {
                Style::new().add_modifier(Modifier::BOLD)
            },
        ),
        None => Line::styled(keys, look.faint()),
    }
}

/// What the title of a map is.
const fn map_name(map: Map) -> &'static str {
    match map {
        Map::Chromatic => "chromatic",
        Map::Kit => "kit",
    }
}

#[cfg(test)]
mod tests;
