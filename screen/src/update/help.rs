//! The help: it scrolls, and is searched.

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
        Press::Command(KeyCommand::Quit | KeyCommand::Suspend) => return None,
        Press::Char(typed) | Press::Shifted { types: typed, .. } if help.is_typing => {
            help.scroll = 0;
            help.filter.extend(Some(typed).filter(|_| help.filter.chars().count() < MAX_FILTER));
        }
        Press::Backspace if help.is_typing => {
            help.is_typing = help.filter.pop().is_some();
            help.scroll = 0;
        }
        Press::Char('/') | Press::Shifted { types: '/', .. } | Press::Command(KeyCommand::Search) => {
            help.is_typing = true;
        }
        Press::Char('q' | '?') | Press::Shifted { types: '?', .. } => model.help = None,
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
