//! The picture of the model, part by part as [`super::layout`] divides the screen.
//!
//! Colours are those of the terminal, and none is used that vanishes on a light background or on a dark one: text has
//! the terminal's own, what stands out is bold or reversed.

mod bottom;
mod header;
mod help;
mod knobs;
mod list;
mod menu;
mod meters;
mod piano;
mod replay;
mod wave;

use ratatui::Frame;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};

use unicode_width::UnicodeWidthStr as _;

use super::layout::{Areas, MIN_SIZE};
use super::model::Model;
use exporter::filename::printable;
use player::keyboard::KeyMapMode;

/// How the picture is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Nothing beyond ASCII, for terminals of other encodings.
    pub ascii: bool,
    /// Colours; without them, what is lit is shown in reverse.
    pub colored: bool,
}

impl Theme {
    const fn lit(self) -> Style {
        if self.colored {
            Style::new().fg(Color::Black).bg(Color::Yellow)
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }

    /// Returns a text from a file, as this terminal can show it.
    fn text(self, text: &str) -> String {
        let text = printable(text);
        if self.ascii { text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect() } else { text }
    }

    fn block(self, title: impl Into<Line<'static>>) -> Block<'static> {
        let set = if self.ascii { ASCII } else { border::PLAIN };
        Block::bordered().border_set(set).border_style(FAINT).title(title.into().style(self.heading()))
    }

    /// Titles, heads and names of groups.
    const fn heading(self) -> Style {
        let style = Style::new().remove_modifier(Modifier::DIM).add_modifier(Modifier::BOLD);
        if self.colored { style.fg(Color::Cyan) } else { style }
    }

    /// A sound of the list while it sounds.
    const fn sounding(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        if self.colored { style.fg(Color::Magenta) } else { style }
    }

    /// What is drawn of a recording.
    const fn waveform(self) -> Style {
        if self.colored { Style::new().fg(Color::Green) } else { Style::new() }
    }
}

/// How what matters less is shown; grey is the background of some terminals.
const FAINT: Style = Style::new().add_modifier(Modifier::DIM);

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
pub fn screen(frame: &mut Frame<'_>, model: &Model, theme: Theme) {
    let area = frame.area();
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        let text = format!(
            "usampler needs {}x{}, this terminal has {}x{}. Playing goes on; F10 quits.",
            MIN_SIZE.0, MIN_SIZE.1, area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true }), area);
        return;
    }
    let Areas { header, middle, list, wave, knobs, piano, meters, bottom } = Areas::of(area);
    frame.render_widget(header::line(model, theme, header.width), header);
    if let Some(song) = model.shown_song() {
        replay::draw(frame, model, song, theme, middle);
    } else {
        list::draw(frame, model, theme, list);
        if let Some(area) = wave {
            wave::draw(frame, model, theme, area);
        }
        if let Some(area) = knobs {
            knobs::draw(frame, model, theme, area);
        }
    }
    if let Some(area) = piano {
        piano::draw(frame, model, theme, area);
    }
    frame.render_widget(meters::line(model, theme, meters.width), meters);
    frame.render_widget(bottom::line(model, theme, bottom.width), bottom);
    if let Some(devices) = &model.devices {
        menu::devices(frame, devices, theme, area);
    } else if let Some(saving) = &model.saving {
        menu::saving(frame, saving, theme, area);
    } else if let Some(switching) = &model.switching {
        menu::switching(frame, switching, &model.switches, theme, area);
    }
    if model.help {
        help::draw(frame, model, theme, area);
    }
}

/// Returns the first characters of a text, with a sign where it was cut.
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

/// Returns the beginning and the end of a name, with a sign where it was cut: those of a package often begin alike.
fn squeezed(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let ends = name.char_indices().rev().take(width).map(|(at, _)| &name[at..]);
    let end = ends.take_while(|end| end.width() <= width / 2).last().unwrap_or_default();
    format!("{}{end}", shortened(name, width - end.width()))
}

/// Returns a text in exactly so many columns.
fn padded(text: &str, width: usize) -> String {
    let mut text = shortened(text, width);
    text.push_str(&" ".repeat(width.saturating_sub(text.width())));
    text
}

/// Returns what the title of a map is.
const fn map_name(map: KeyMapMode) -> &'static str {
    match map {
        KeyMapMode::Chromatic => "chromatic",
        KeyMapMode::Kit => "kit",
    }
}

#[cfg(test)]
mod tests;
