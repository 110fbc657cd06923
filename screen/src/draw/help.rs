//! The help, as it is for the layout and the terminal.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Clear, Paragraph};

use super::{Theme, padded};
use crate::keymap::{KeyBinding, KeyCommand, ROWS};
use crate::model::Model;
use player::keyboard::Scheme;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    let lines = |text: &str| u16::try_from(text.lines().count()).unwrap_or(u16::MAX);
    let all = text(model);
    let fits = WIDTH <= area.width && lines(&all).saturating_add(2) <= area.height;
    let text = if fits { all } else { short(model) };
    let columns = text.lines().map(unicode_width::UnicodeWidthStr::width).max().unwrap_or_default();
    let width = u16::try_from(columns + 2).unwrap_or(u16::MAX).min(area.width);
    let height = lines(&text).saturating_add(2).min(area.height);
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let area = Rect { x, y, width, height };
    frame.render_widget(Clear, area);
    let text =
        Paragraph::new(text).block(theme.block(" Help ".to_owned()).title_alignment(Alignment::Center));
    frame.render_widget(text, area);
}

/// Columns of the help, the border included.
const WIDTH: u16 = 78;

/// The columns of the keys of a command, and of what it does.
const KEYS: usize = 11;
const DOES: usize = 25;
/// The columns of a command for terminals down to 40 × 12.
const NARROW: usize = 19;

const REAL: &str = "real: a note ends when its key is released\n           ";

/// Commands of the list that are shown on a small screen too, the most wanted first.
const WANTED: [KeyCommand; 14] = [
    KeyCommand::Search,
    KeyCommand::Adjust,
    KeyCommand::Loop,
    KeyCommand::Take,
    KeyCommand::Map,
    KeyCommand::Devices,
    KeyCommand::NextGroup,
    KeyCommand::Sort,
    KeyCommand::Preview,
    KeyCommand::SaveSound,
    KeyCommand::Undo,
    KeyCommand::ShowSong,
    KeyCommand::Help,
    KeyCommand::Quit,
];

/// The same while a song is shown.
const WANTED_OF_SONG: [KeyCommand; 14] = [
    KeyCommand::PlaySong,
    KeyCommand::LoopPattern,
    KeyCommand::Mute,
    KeyCommand::Solo,
    KeyCommand::Slower,
    KeyCommand::Faster,
    KeyCommand::NextSong,
    KeyCommand::PreviousSong,
    KeyCommand::Shuffle,
    KeyCommand::Take,
    KeyCommand::ShowSong,
    KeyCommand::Devices,
    KeyCommand::Help,
    KeyCommand::Quit,
];

/// Returns the help for terminals down to 40 × 12.
fn short(model: &Model) -> String {
    let (first, wanted) = match model.shown_song() {
        None => ("Z S X .., Q 2 W ..  play  ([ ] octave)\nup, down, Enter     choose, play", WANTED),
        Some(_) => ("up, down, page up, page down  seek\nleft, right  mark a channel", WANTED_OF_SONG),
    };
    let shown = |command: KeyCommand| {
        let label = command.row().label;
        let key = model.keymap.keys(command).next()?;
        let all = format!("{} {label}", model.keymap.named(command));
        Some(if all.len() <= NARROW { all } else { format!("{key} {label}") })
    };
    let shown: Vec<String> = wanted.into_iter().filter_map(shown).collect();
    let mut lines = vec![first.to_owned()];
    lines.extend(shown.chunks(2).map(|pair| beside(pair, NARROW)));
    lines.push("Esc  all sounds, silence (panic)".to_owned());
    lines.join("\n")
}

/// Returns texts beside one another, each as wide as a column but for the last.
fn beside(texts: &[String], column: usize) -> String {
    let padded = texts.iter().map(|text| padded(text, column)).collect::<Vec<_>>().join(" ");
    padded.trim_end().to_owned()
}

/// Returns the commands of the list or of the song with their keys, in two columns.
fn commands(model: &Model, of_song: bool) -> String {
    let both = [
        KeyCommand::Take,
        KeyCommand::SaveRecent,
        KeyCommand::Devices,
        KeyCommand::Suspend,
        KeyCommand::Quit,
    ];
    let is_shown = |row: &&KeyBinding| row.is_of_song == of_song || of_song && both.contains(&row.command);
    // From the list the song is reached, too.
    let is_way_back =
        |row: &&KeyBinding| row.command == KeyCommand::ShowSong || row.command == KeyCommand::Help;
    let rows = ROWS.iter().filter(|row| is_shown(row) || is_way_back(row));
    let shown = rows.filter_map(|row| {
        let keys = model.keymap.named(row.command);
        (!keys.is_empty()).then(|| format!("{} {}", padded(&keys, KEYS), row.help))
    });
    let shown: Vec<String> = shown.collect();
    let half = shown.len().div_ceil(2);
    let line = |at: usize| {
        let pair: Vec<String> = shown.get(at).into_iter().chain(shown.get(at + half)).cloned().collect();
        beside(&pair, KEYS + 1 + DOES)
    };
    (0..half).map(line).collect::<Vec<_>>().join("\n")
}

fn text(model: &Model) -> String {
    if model.shown_song().is_some() {
        return format!(
            "\
up, down   go to another row; page up and down: another order
home, end  to its beginning, to its last order
left,right mark a channel
mouse      click on an order or a row to go there, on the number of a
           channel to mute it (right click: solo), on an instrument to
           play it with the keys
Note keys and MIDI play along; the help of the list shows their keys.
Space, Esc release all notes; silence at once (panic)

{}",
            commands(model, true)
        );
    }
    let scheme = Scheme::of(model.layout);
    let keys = |keys: &str| keys.chars().map(|key| model.label(key)).collect::<String>();
    let notes = scheme.help.iter().map(|(typed, what)| format!("{}   {what}", keys(typed)));
    let notes = notes.collect::<Vec<_>>().join("\n");
    let (octave, velocity) = (keys(&pairs(scheme.octave)), keys(&pairs(scheme.velocity)));
    let real = if model.tells_release { REAL } else { "" };
    format!(
        "\
{notes}
{octave:<10} octave down, up; {velocity}  velocity down, up
up, down   choose a sound (also page up, page down, home, end, mouse)
left,right fold or unfold its group, with shift all groups
Enter      play it at its own pitch
Tab        {real}gate: a press sounds 600 ms, a held key longer
           latch: one press starts a note, the next ends it
           oneshot: every press plays out, a loop once through
Space, Esc release all notes; all sounds again, silence (panic)
{}",
        commands(model, false)
    )
}

/// `[ ] z x`
fn pairs(pairs: &[(char, char)]) -> String {
    let shown = pairs.iter().map(|(down, up)| format!("{down} {up}"));
    shown.collect::<Vec<_>>().join(" ")
}
