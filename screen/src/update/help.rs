//! The help: it scrolls, and what is typed searches it.

use super::{Intent, Press};
use crate::draw::help_rows;
use crate::keymap::KeyCommand;
use crate::model::{HelpView, Model};

/// No line is longer that somebody would look for.
const MAX_FILTER: usize = 32;

/// Shows the help, or no longer.
pub(super) fn toggle(model: &mut Model) {
    model.help = if model.help.is_some() { None } else { Some(HelpView::default()) };
}

/// Handles a key while the help is shown: none plays or acts but those that leave the program.
pub(super) fn pressed(model: &mut Model, press: Press) -> Option<Vec<Intent>> {
    let help = model.help.as_mut()?;
    match press {
        Press::Escape | Press::Enter | Press::Command(KeyCommand::Help) => model.help = None,
        Press::Char('q') if help.filter.is_empty() => model.help = None,
        Press::Char('?') | Press::Shifted { types: '?', .. } => model.help = None,
        Press::Command(KeyCommand::Quit | KeyCommand::Suspend) => return None,
        Press::Char(typed) | Press::Shifted { types: typed, .. }
            if help.filter.chars().count() < MAX_FILTER && !(typed == ' ' && help.filter.is_empty()) =>
        {
            help.filter.push(typed);
            help.scroll = 0;
        }
        Press::Backspace => {
            help.filter.pop();
            help.scroll = 0;
        }
        Press::Up(by) => help.scroll = help.scroll.saturating_sub(by),
        Press::Home => help.scroll = 0,
        Press::Down(by) => scroll_to(model, |scroll| scroll.saturating_add(by)),
        Press::End => scroll_to(model, |_| usize::MAX),
        _ => {}
    }
    Some(Vec::new())
}

fn scroll_to(model: &mut Model, wanted: impl FnOnce(usize) -> usize) {
    let (rows, seen) = help_rows(model);
    if let Some(help) = &mut model.help {
        help.scroll = wanted(help.scroll).min(rows.saturating_sub(seen));
    }
}
