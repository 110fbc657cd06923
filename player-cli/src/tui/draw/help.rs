//! The help, as it is for the layout and the terminal.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Clear, Paragraph};

use super::Theme;
use crate::tui::model::Model;
use player::keyboard::Scheme;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    let text = text(model);
    let lines = u16::try_from(text.lines().count()).unwrap_or(u16::MAX);
    let (width, height) = (WIDTH.min(area.width), lines.saturating_add(2).min(area.height));
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let area = Rect { x, y, width, height };
    frame.render_widget(Clear, area);
    let text =
        Paragraph::new(text).block(theme.block(" Help ".to_owned()).title_alignment(Alignment::Center));
    frame.render_widget(text, area);
}

/// The border included.
const WIDTH: u16 = 66;

const REAL: &str = "real: a note ends when its key is released\n           ";

fn text(model: &Model) -> String {
    let scheme = Scheme::of(model.layout);
    let notes = scheme.help;
    let (octave, velocity) = (pairs(scheme.octave), pairs(scheme.velocity));
    let real = if model.tells_release { REAL } else { "" };
    format!(
        "\
{notes}
{octave:<10} octave down, up
{velocity:<10} velocity down, up
up, down   choose a sound (also page up, page down, home, end)
left,right fold or unfold its group, with shift all groups
Enter      play it at its own pitch
Tab        {real}gate: a press sounds 600 ms, a held key longer
           latch: one press starts a note, the next ends it
           oneshot: every press plays out, a loop once through
F2         layout: piano, rows in fourths, or as in DAWs
F3         search by part of a name or a pattern
F4         adjust: arrows turn gain, pan, tune and more
F5, F6     loop on or off; write what was just played
F7         chromatic: keys play the chosen sound
           kit: each key plays its own sound, from C2 on
F8         choose the audio device
Space, Esc release all notes; silence at once (panic)
F10, Ctrl-Q, Ctrl-C   quit; Ctrl-Z suspends

A sound without a loop plays out in gate mode and in the kit."
    )
}

/// `[ ] Z X`
fn pairs(pairs: &[(char, char)]) -> String {
    let shown =
        pairs.iter().map(|(down, up)| format!("{} {}", down.to_ascii_uppercase(), up.to_ascii_uppercase()));
    shown.collect::<Vec<_>>().join(" ")
}
