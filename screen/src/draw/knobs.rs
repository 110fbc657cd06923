//! The knobs of the chosen sound and of the engine; those that were turned are marked.

use player::room::Room;
use player::saved_instrument::ZoneRanges;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use song::Parameter;

use super::theme::Role;
use super::{Theme, padded, shortened};
use crate::keymap::KeyCommand;
use crate::model::Model;
use crate::model::knob::{Knob, KnobPage, PAGES, ROWS};

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    // Where it takes the place of the list, nothing else says of which sound.
    let sound = model.sounds.get(model.chosen).filter(|_| model.is_adjusting);
    let sound = sound.map_or_else(String::new, |sound| format!(": {}", theme.text(&sound.name)));
    let page = model.knob.page();
    let KnobPage { name, knobs } = PAGES[page];
    let hint = model.keymap.hint(KeyCommand::Adjust);
    let title = format!(" Adjust{hint}: {name} {}/{}{sound} ", page + 1, PAGES.len());
    let title = shortened(&title, usize::from(area.width).saturating_sub(2));
    let block = theme.panel(title, model.is_adjusting);
    let width = usize::from(block.inner(area).width) / 2;
    let lines = (0..ROWS).map(|row| {
        let row = knobs.iter().enumerate().skip(row).step_by(ROWS);
        Line::from(row.map(|(place, knob)| span(model, theme, (place, *knob), width)).collect::<Vec<_>>())
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
}

fn span(model: &Model, theme: Theme, (place, knob): (usize, Knob), width: usize) -> Span<'static> {
    let is_changed = is_changed(model, knob);
    let mark = if is_changed { '*' } else { ' ' };
    // The names of a column are as wide as the longest.
    let column = PAGES[knob.page()].knobs.chunks(ROWS).nth(place / ROWS).unwrap_or_default();
    let name = column.iter().map(|knob| knob.name().len()).max().unwrap_or_default() + 1;
    let text = padded(&format!("{mark}{:<name$}{}", knob.name(), value(model, knob)), width);
    let style = theme.style(if is_changed { Role::Sounding } else { Role::Text });
    let is_turned = model.is_adjusting && model.knob == knob;
    Span::styled(text, if is_turned { theme.on(Role::Selected, style) } else { style })
}

fn value(model: &Model, knob: Knob) -> String {
    let voicing = model.voicing(model.chosen);
    let own = model.defaults(model.chosen);
    match knob {
        Knob::Of(Parameter::Release) if plays_out(model) => "own".to_owned(),
        Knob::Of(Parameter::Cutoff) if voicing.shape.filter.kind.is_none() => "-".to_owned(),
        Knob::Of(parameter) => parameter.text(parameter.get(&voicing, &own), &own),
        Knob::Loop => if model.loops(model.chosen) { "on" } else { "off" }.to_owned(),
        Knob::Quality => voicing.quality.unwrap_or(model.quality).to_string(),
        Knob::Voices => model.voices.1.to_string(),
        Knob::Trim => trim(model),
        Knob::Room(parameter) => parameter.text(parameter.get(&model.room)),
        Knob::Zone(parameter) => parameter.text(&model.zone(model.chosen)),
    }
}

/// Returns whether notes of the chosen sound end as they were made to.
fn plays_out(model: &Model) -> bool {
    let entry = model.chosen_entry();
    entry.is_some_and(|entry| {
        entry.plays_out && model.envelope(model.chosen).release == entry.defaults.envelope.release
    })
}

fn is_changed(model: &Model, knob: Knob) -> bool {
    let voicing = model.voicing(model.chosen);
    match knob {
        Knob::Of(parameter) => {
            let own = model.defaults(model.chosen);
            parameter.get(&voicing, &own) != parameter.default_value(&own)
        }
        Knob::Loop => voicing.loop_override().is_some(),
        Knob::Quality => voicing.quality.is_some(),
        Knob::Voices => model.voices.1 != model.polyphony.0,
        Knob::Trim => voicing.trim.is_some(),
        Knob::Room(parameter) => parameter.get(&model.room) != parameter.get(&Room::default()),
        Knob::Zone(parameter) => {
            parameter.get(&model.zone(model.chosen)) != parameter.get(&ZoneRanges::default())
        }
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
