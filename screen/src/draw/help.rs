//! The help, as it is for the layout and the terminal.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Clear, Paragraph};

use super::Theme;
use crate::model::Model;
use player::keyboard::Scheme;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    let lines = |text: &str| u16::try_from(text.lines().count()).unwrap_or(u16::MAX);
    let all = text(model);
    let fits = WIDTH <= area.width && lines(&all).saturating_add(2) <= area.height;
    let short = if model.shown_song().is_some() { SONG_SHORT } else { SHORT };
    let text = if fits { all } else { short.to_owned() };
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

/// The border included.
const WIDTH: u16 = 68;

/// For terminals down to 40 × 12.
const SHORT: &str = "\
Z S X .., Q 2 W ..  play  ([ ] octave)
up, down, Enter     choose a sound, play
F3, Ctrl-F  search  F4  adjust
F5  loop            F6, Ctrl-S  take
F7  kit   F8  audio device   F9  group
Ctrl-O  sort        Ctrl-P  preview
Tab  release mode   Space  release all
Esc  all sounds, silence (panic)
F10, Ctrl-Q  quit   F1, ?  this help";

const REAL: &str = "real: a note ends when its key is released\n           ";

/// While a song is shown.
const SONG: &str = "\
Ctrl-T       play the song, or pause it
up, down     go to another row; page up and down: another order
home, end    to its beginning, to its last order
left, right  mark a channel
Ctrl-K       mute the marked channel, or no longer (or click its number)
Ctrl-Y       hear it alone, or all again (or right click)
Ctrl-L       repeat this pattern, or go on
Ctrl-left    slower by a percent; Ctrl-right faster
Ctrl-G       the list of sounds, and back to the song
Ctrl-PgDn    the next song of a folder; Ctrl-PgUp the one before
Ctrl-X       the songs of a folder shuffled, or in order
mouse        click on an order or a row to go there, on an
             instrument to play it with the keys
F6, Ctrl-S   start and stop a take of all that is heard
Note keys and MIDI play along; F1 in the list shows their keys.
Space, Esc   release all notes; silence at once (panic)
F10, Ctrl-Q, Ctrl-C   quit; Ctrl-Z suspends; F1, ?  this help";

/// The same for terminals down to 40 x 12.
const SONG_SHORT: &str = "\
Ctrl-T  play, pause
up, down, page up, page down  seek
left, right  mark a channel
Ctrl-K  mute     Ctrl-Y  solo
Ctrl-L  loop the pattern
Ctrl-left, Ctrl-right  tempo
Ctrl-G  sounds   F6  take
Ctrl-PgDn  next song  Ctrl-X  shuffle
Esc  silence (panic)
F10, Ctrl-Q  quit   F1, ?  this help";

fn text(model: &Model) -> String {
    if model.shown_song().is_some() {
        return SONG.to_owned();
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
Enter      play it at its own pitch; Ctrl-P plays each you choose
Tab        {real}gate: a press sounds 600 ms, a held key longer
           latch: one press starts a note, the next ends it
           oneshot: every press plays out, a loop once through
F2, F8     layout of the notes: piano, rows, DAW; audio device
F3, Ctrl-F search by words and patterns; Esc shows all again
F4         adjust: arrows turn gain, pan, tune and more; Ctrl-E saves
F5         loop on or off; drag the mouse over the wave to set it
F6, Ctrl-S start and stop a take; with shift save what was played
F7         kit: each key plays its own sound, from C2 on
F9, Ctrl-B to the next package or group
Ctrl-O     sort by name, length, rate or number; Ctrl-G the song
Space, Esc release all notes; silence at once (panic)
F10, Ctrl-Q, Ctrl-C   quit; Ctrl-Z suspends; F1, ?  this help"
    )
}

/// `[ ] z x`
fn pairs(pairs: &[(char, char)]) -> String {
    let shown = pairs.iter().map(|(down, up)| format!("{down} {up}"));
    shown.collect::<Vec<_>>().join(" ")
}
