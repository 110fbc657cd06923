//! The knobs of the chosen sound and of the engine; those that were turned are marked.

use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use song::Pan;

use super::theme::Role;
use super::{Theme, padded, shortened};
use crate::keymap::KeyCommand;
use crate::layout::KNOBS;
use crate::model::Model;
use crate::model::knob::Knob;

/// Knobs below one another.
const ROWS: usize = KNOBS as usize - 2;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    // Where it takes the place of the list, nothing else says of which sound.
    let sound = model.sounds.get(model.chosen).filter(|_| model.is_adjusting);
    let sound = sound.map_or_else(String::new, |sound| format!(": {}", theme.text(&sound.name)));
    let title = format!(" Adjust{}{sound} ", model.keymap.hint(KeyCommand::Adjust));
    let title = shortened(&title, usize::from(area.width).saturating_sub(2));
    let block = theme.panel(title, model.is_adjusting);
    let width = usize::from(block.inner(area).width) / 2;
    let lines = (0..ROWS).map(|row| {
        let knobs = Knob::ALL.iter().copied().skip(row).step_by(ROWS);
        Line::from(knobs.map(|knob| span(model, theme, knob, width)).collect::<Vec<_>>())
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
}

fn span(model: &Model, theme: Theme, knob: Knob, width: usize) -> Span<'static> {
    let is_changed = is_changed(model, knob);
    let mark = if is_changed { '*' } else { ' ' };
    // The names of a column are as wide as the longest.
    let place = Knob::ALL.iter().position(|other| *other == knob).unwrap_or_default();
    let name = if place < ROWS { 5 } else { 8 };
    let text = padded(&format!("{mark}{:<name$}{}", knob.name(), value(model, knob)), width);
    let style = theme.style(if is_changed { Role::Sounding } else { Role::Text });
    let is_turned = model.is_adjusting && model.knob == knob;
    Span::styled(text, if is_turned { theme.on(Role::Selected, style) } else { style })
}

fn value(model: &Model, knob: Knob) -> String {
    let voicing = model.voicing(model.chosen);
    let envelope = model.envelope(model.chosen);
    match knob {
        Knob::Gain => format!("{} dB", signed(voicing.gain.get().into(), 1)),
        Knob::Pan => pan(voicing.pan),
        Knob::Tune => format!("{} ct", signed(voicing.tune.get(), 0)),
        Knob::Root => model.root(model.chosen).to_string(),
        Knob::Loop => if model.loops(model.chosen) { "on" } else { "off" }.to_owned(),
        Knob::Attack => time(envelope.attack),
        Knob::Release if plays_out(model) => "own".to_owned(),
        Knob::Release => time(envelope.release),
        Knob::Quality => voicing.quality.unwrap_or(model.quality).to_string(),
        Knob::Voices => model.voices.1.to_string(),
        Knob::Trim => trim(model),
    }
}

/// Returns whether notes of the chosen sound end as they were made to.
fn plays_out(model: &Model) -> bool {
    let entry = model.chosen_entry();
    entry.is_some_and(|entry| {
        entry.plays_out && model.envelope(model.chosen).release == entry.envelope.release
    })
}

fn is_changed(model: &Model, knob: Knob) -> bool {
    let voicing = model.voicing(model.chosen);
    let own = model.chosen_entry().map(|entry| entry.envelope).unwrap_or_default();
    let envelope = model.envelope(model.chosen);
    match knob {
        Knob::Gain => voicing.gain.get() != 0.0,
        Knob::Pan => voicing.pan != Pan::CENTRE,
        Knob::Tune => voicing.tune.get() != 0.0,
        Knob::Root => voicing.root_shift != 0,
        Knob::Loop => voicing.loop_override().is_some(),
        Knob::Attack => envelope.attack != own.attack,
        Knob::Release => envelope.release != own.release,
        Knob::Quality => voicing.quality.is_some(),
        Knob::Voices => model.voices.1 != model.polyphony.0,
        Knob::Trim => voicing.trim.is_some(),
    }
}

/// Returns how much is played of the chosen sound if not all of it; from where to where is seen on the wave.
fn trim(model: &Model) -> String {
    let rate = model.chosen_entry().and_then(|entry| entry.rate).filter(|rate| *rate > 0);
    match (model.voicing(model.chosen).trim, rate) {
        (None, _) => "off".to_owned(),
        (Some(trim), Some(rate)) => player::text::seconds(trim.length().get() as f64 / f64::from(rate)),
        (Some(trim), None) => trim.length().to_string(),
    }
}

fn signed(value: f64, digits: usize) -> String {
    if value == 0.0 { format!("{:.digits$}", 0.0) } else { format!("{value:+.digits$}") }
}

fn pan(pan: Pan) -> String {
    let part = (100.0 * pan.get().abs()).round();
    match pan.get() {
        0.0 => "centre".to_owned(),
        ..0.0 => format!("L {part} %"),
        _ => format!("R {part} %"),
    }
}

fn time(time: Duration) -> String {
    match time.as_millis() {
        ms @ ..1000 => format!("{ms} ms"),
        ms => format!("{} s", ms as f64 / 1000.0),
    }
}
