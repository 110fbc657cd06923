//! How loud it is: bars that fall, peaks that are held, and what the limiter does about it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Theme;
use super::theme::Role;
use crate::layout::inside;
use crate::model::Model;
use crate::model::meter::LevelMeter;

/// The range of the meters, in decibels below full scale.
const RANGE: f32 = 60.0;
/// From here on a bar is loud, and as loud as can be.
const LOUD: f32 = -18.0;
const OVER: f32 = -3.0;
/// Decibels that the scale names.
const SCALE: [i8; 5] = [-40, -20, -12, -6, 0];
/// Columns that are no bars: the levels in numbers, and what the limiter does where there is room.
const LEVELS: u16 = 26;
const LIMITER: u16 = 16;
/// The narrowest bar that says more than the limiter.
const MIN_BAR: u16 = 6;
/// Columns of a side and its level in numbers beside a bar.
const SIDE: u16 = 13;

/// Draws the meters in one line, or in a frame with their scale.
pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    if area.height < 4 {
        frame.render_widget(line(model, theme, area.width), area);
        return;
    }
    let bar = usize::from(inside(area).width.saturating_sub(SIDE));
    let [left, right] = &model.meters;
    let side = |name: &'static str, meter: &LevelMeter| {
        let mut spans = vec![Span::raw(format!(" {name} "))];
        spans.extend(bars(meter, theme, bar));
        spans.push(level(meter, theme));
        Line::from(spans)
    };
    let lines =
        vec![side("L", left), Line::styled(scale(bar), theme.dim()), side("R", right), limiter(model, theme)];
    frame.render_widget(Paragraph::new(lines).block(theme.block(" Output ")), area);
}

fn line(model: &Model, theme: Theme, width: u16) -> Line<'static> {
    let has_limiter = width >= LEVELS + LIMITER + 2 * MIN_BAR;
    let others = if has_limiter { LEVELS + LIMITER } else { LEVELS };
    let bar = usize::from(width.saturating_sub(others) / 2).min(60);
    let mut spans = Vec::new();
    for (side, meter) in ["L", "R"].into_iter().zip(&model.meters) {
        spans.push(Span::raw(format!(" {side} ")));
        spans.extend(bars(meter, theme, bar));
        spans.push(level(meter, theme));
    }
    if has_limiter {
        spans.extend(limiter(model, theme));
    }
    Line::from(spans)
}

fn limiter(model: &Model, theme: Theme) -> Line<'static> {
    let reduction = reduction(model.limited.0);
    match model.status.limiter.get() {
        0 => Line::styled("  no limiter", theme.dim()),
        _ if reduction < 0.0 => Line::styled(format!("  limiter {reduction:.1} dB"), theme.style(Role::Loud)),
        _ => Line::styled("  limiter 0.0 dB", theme.dim()),
    }
}

/// Returns the scale below a bar.
fn scale(width: usize) -> String {
    let mut line: Vec<char> = vec![' '; width + usize::from(SIDE)];
    for decibels in SCALE {
        let text = decibels.to_string();
        // A number ends in its column.
        let end = 3 + column(f32::from(decibels), width).max(1);
        let start = end.saturating_sub(text.len());
        if line.get(start.saturating_sub(1)).is_none_or(|before| *before == ' ') {
            line.iter_mut().skip(start).zip(text.chars()).for_each(|(cell, digit)| *cell = digit);
        }
    }
    line.into_iter().collect()
}

fn decibels(linear: f32) -> f32 {
    20.0 * linear.max(1e-6).log10()
}

/// Returns what the limiter takes away; what would round to nothing is nothing, without a sign.
fn reduction(gain: f32) -> f32 {
    let decibels = decibels(gain);
    if decibels > -0.05 { 0.0 } else { decibels }
}

/// Returns how many columns of a bar lie below a level.
fn column(decibels: f32, width: usize) -> usize {
    ((1.0 + decibels / RANGE).clamp(0.0, 1.0) * width as f32).round() as usize
}

/// Returns the role of a column of a bar: green, yellow, red as on every mixer.
fn role_of(at: usize, width: usize) -> Role {
    match () {
        () if at >= column(OVER, width) => Role::Over,
        () if at >= column(LOUD, width) => Role::Loud,
        () => Role::Quiet,
    }
}

/// Returns a bar of so many columns of which some are filled, in the colours of their levels.
pub(super) fn bar(filled: usize, width: usize, theme: Theme) -> Vec<Span<'static>> {
    let glyph = theme.glyph("▇", "#");
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut from = 0;
    while from < filled {
        let role = role_of(from, width);
        let length = (from..filled).take_while(|at| role_of(*at, width) == role).count();
        // What is bold in text is another colour in blocks of some terminals.
        let style = theme.style(role).remove_modifier(Modifier::BOLD);
        spans.push(Span::styled(glyph.repeat(length), style));
        from += length;
    }
    spans
}

fn bars(meter: &LevelMeter, theme: Theme, width: usize) -> Vec<Span<'static>> {
    let level = column(decibels(meter.level), width);
    let peak = column(decibels(meter.peak), width);
    let mut spans = bar(level, width, theme);
    // Where there is nothing, points say how far a bar can go.
    let point = theme.glyph("·", ".");
    let mut empty: Vec<Span<'static>> = (level..width).map(|_| Span::styled(point, theme.dim())).collect();
    // A peak that the bar reaches needs no mark.
    if let Some(mark) = peak.checked_sub(level + 1).and_then(|at| empty.get_mut(at)) {
        let style = theme.style(role_of(peak.saturating_sub(1), width)).remove_modifier(Modifier::BOLD);
        *mark = Span::styled(theme.glyph("▏", "|"), style);
    }
    spans.append(&mut empty);
    spans
}

/// Returns the peak in numbers.
fn level(meter: &LevelMeter, theme: Theme) -> Span<'static> {
    let peak = decibels(meter.peak);
    let text = if peak < -RANGE { "-inf".to_owned() } else { format!("{peak:.1}") };
    if meter.is_warned() {
        let style: Style = theme.style(Role::Over).add_modifier(Modifier::REVERSED);
        return Span::styled(format!("!{text:>5} dB"), style);
    }
    Span::raw(format!(" {text:>5} dB"))
}
