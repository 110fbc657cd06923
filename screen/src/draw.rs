//! The picture of the model, part by part as [`super::layout`] divides the screen, in the colours of a [`Theme`].

mod about;
mod bottom;
mod header;
mod help;
mod knobs;
mod list;
mod menu;
mod meters;
mod piano;
mod progress;
mod replay;
mod songs;
pub mod theme;
mod wave;

use ratatui::Frame;
use ratatui::widgets::Paragraph;

use unicode_width::UnicodeWidthStr as _;

use super::layout::{Areas, MIN_SIZE, Wanted};
use super::model::{Model, View};
pub(crate) use about::extent as about_extent;
pub(crate) use help::rows as help_rows;
use player::keyboard::KeyMapMode;
use player::text::shortened;
pub(crate) use progress::bar as progress_bar;
pub(crate) use progress::changes as song_changes;
pub use theme::{ColorDepth, ColorsError, Palette, RoleColors, Theme};

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
    let Areas { header, bar, middle, list, wave, knobs, piano, meters, bottom } =
        Areas::of(area, Wanted::of(model));
    frame.render_widget(header::line(model, theme, header.width), header);
    match (model.view, &model.song) {
        (View::Songs, _) => songs::draw(frame, model, theme, middle),
        (View::Pattern, Some(song)) => replay::draw(frame, model, song, theme, middle),
        (View::About, Some(song)) => about::draw(frame, model, song, theme, middle),
        _ => {
            list::draw(frame, model, theme, list);
            if let Some(area) = wave {
                wave::draw(frame, model, theme, area);
            }
            if let Some(area) = knobs {
                knobs::draw(frame, model, theme, area);
            }
        }
    }
    if let (Some(area), Some(song)) = (bar, &model.song) {
        frame.render_widget(progress::line(song, theme, area.width), area);
    }
    if let Some(area) = piano {
        piano::draw(frame, model, theme, area);
    }
    meters::draw(frame, model, theme, meters);
    frame.render_widget(bottom::line(model, theme, bottom.width), bottom);
    if let Some(devices) = &model.devices {
        menu::devices(frame, devices, theme, area);
    } else if let Some(saving) = &model.saving {
        menu::saving(frame, saving, theme, area);
    } else if let Some(switching) = &model.switching {
        menu::switching(frame, switching, &model.switches, theme, area);
    }
    if let Some(help) = &model.help {
        help::draw(frame, model, help, theme, area);
    }
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
