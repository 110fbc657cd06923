//! The first line: what is running, and how it does.

use super::{Theme, shortened};
use crate::model::Model;
use player::live::OutputStatus;
use player::text::counted;

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

/// Returns the header, with a red mark while a take is recorded.
pub(super) fn line(model: &Model, theme: Theme, width: u16) -> Line<'static> {
    let Some(take) = model.take else {
        return Line::styled(text(model, theme, width), Modifier::BOLD);
    };
    let seconds = take.now.saturating_sub(take.since).as_secs();
    let mark = if theme.ascii { '*' } else { '●' };
    let mark = format!(" {mark} REC {}:{:02} ", seconds / 60, seconds % 60);
    let style = Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED);
    let style = if theme.colored { style.fg(Color::Red) } else { style };
    let rest = width.saturating_sub(u16::try_from(mark.width()).unwrap_or(u16::MAX));
    Line::from(vec![Span::styled(mark, style), Span::styled(text(model, theme, rest), Modifier::BOLD)])
}

/// Returns the header. Where there is little room, first the number of sounds is left out, which the list shows too,
/// then the latency, then the device, and at last the package's name is cut.
fn text(model: &Model, theme: Theme, width: u16) -> String {
    let (voices, polyphony) = model.voices;
    let OutputStatus { xruns, load, block, limiter, .. } = model.status;
    let sounds = match (model.is_listing, model.sounds.len()) {
        (true, 0) => "  reading ...".to_owned(),
        (true, count) => format!("  {} so far", counted(count)),
        (false, count) => format!("  {}", counted(count)),
    };
    let device = theme.text(&model.device);
    let (plays, latency) = match model.status.is_gone {
        true => (format!("   {device} disconnected, waiting for it"), String::new()),
        false => (
            format!("   {device} {} Hz", model.rate),
            // From a key to its sound: the block, and what the limiter delays.
            format!("  latency {:.1} ms", 1000.0 * (block.seconds(model.rate) + limiter.seconds(model.rate))),
        ),
    };
    let troubles = troubles(&model.status);
    let does = format!("   voices {voices}/{polyphony}  xruns {xruns}{troubles}  load {:.0} %", 100.0 * load);
    let package = theme.text(&model.package);
    let room = |rest: &str| usize::from(width).saturating_sub(rest.width() + 1);
    let whole = format!("{sounds}{plays}{latency}{does}");
    let shorter = format!("{plays}{latency}{does}");
    let short = format!("{plays}{does}");
    let shortest = format!("   voices {voices}/{polyphony}{troubles}");
    let fits = |rest: &&String| room(rest) >= package.width();
    let rest = [&whole, &shorter, &short].into_iter().find(fits).unwrap_or(&shortest);
    format!(" {}{rest}", shortened(&package, room(rest)))
}

/// Returns what goes wrong beyond blocks that come late.
fn troubles(status: &OutputStatus) -> String {
    let mut text = String::new();
    if status.errors > 0 {
        text.push_str(&format!("  errors {}", status.errors));
    }
    if status.denied {
        text.push_str("  no real-time priority");
    }
    text
}
