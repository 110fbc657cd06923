//! How loud it is: bars that fall, peaks that are held, and what the limiter does about it.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::Theme;
use crate::model::Model;
use crate::model::meter::LevelMeter;

/// The range of the meters, in decibels below full scale.
const RANGE: f32 = 60.0;
/// From here on a bar has another colour.
const LOUD: f32 = -6.0;
/// Columns that are no bars: the levels in numbers, and what the limiter does where there is room.
const LEVELS: u16 = 26;
const LIMITER: u16 = 16;
/// The narrowest bar that says more than the limiter.
const MIN_BAR: u16 = 6;

pub(super) fn line(model: &Model, theme: Theme, width: u16) -> Line<'static> {
    let has_limiter = width >= LEVELS + LIMITER + 2 * MIN_BAR;
    let others = if has_limiter { LEVELS + LIMITER } else { LEVELS };
    let bar = usize::from(width.saturating_sub(others) / 2).min(60);
    let mut spans = Vec::new();
    for (side, meter) in ["L", "R"].into_iter().zip(&model.meters) {
        spans.push(Span::raw(format!(" {side} ")));
        spans.extend(bars(meter, theme, bar));
        spans.push(level(meter, theme));
    }
    if !has_limiter {
        return Line::from(spans);
    }
    spans.push(Span::raw(match model.status.limiter.get() {
        0 => "  no limiter".to_owned(),
        _ => format!("  limiter {:.1} dB", reduction(model.limited.0)),
    }));
    Line::from(spans)
}

fn decibels(linear: f32) -> f32 {
    20.0 * linear.max(1e-6).log10()
}

/// Returns what the limiter takes away; what would round to nothing is nothing, without a sign.
fn reduction(gain: f32) -> f32 {
    let decibels = decibels(gain);
    if decibels > -0.05 { 0.0 } else { decibels }
}

fn filled(linear: f32, width: usize) -> usize {
    ((1.0 + decibels(linear) / RANGE).clamp(0.0, 1.0) * width as f32).round() as usize
}

fn bars(meter: &LevelMeter, theme: Theme, width: usize) -> [Span<'static>; 3] {
    let (glyph, mark) = if theme.ascii { ("#", "|") } else { ("▇", "▏") };
    let level = filled(meter.level, width);
    let rest = width - level;
    // A peak that the bar reaches needs no mark.
    let gap = filled(meter.peak, width).saturating_sub(level + 1);
    let marked = if gap > 0 || filled(meter.peak, width) > level { mark } else { "" };
    let held = format!("{}{marked}", " ".repeat(gap));
    let padding = rest.saturating_sub(gap + marked.chars().count());
    let style = match decibels(meter.level) {
        _ if !theme.colored => Style::new(),
        0.0.. => Style::new().fg(Color::Red),
        LOUD..0.0 => Style::new().fg(Color::Magenta),
        _ => Style::new().fg(Color::Green),
    };
    [Span::styled(glyph.repeat(level), style), Span::raw(held), Span::raw(" ".repeat(padding))]
}

/// Returns the peak in numbers.
fn level(meter: &LevelMeter, theme: Theme) -> Span<'static> {
    let peak = decibels(meter.peak);
    let text = if peak < -RANGE { "-inf".to_owned() } else { format!("{peak:.1}") };
    if meter.is_warned() {
        let style = Style::new().add_modifier(Modifier::REVERSED);
        let style = if theme.colored { style.fg(Color::Red) } else { style };
        return Span::styled(format!("!{text:>5} dB"), style);
    }
    Span::raw(format!(" {text:>5} dB"))
}
