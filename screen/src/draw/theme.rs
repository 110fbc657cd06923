//! Colours: what each part of the picture looks like in 24 bits, 256 colours, the terminal's 16, and none.
//!
//! A [`Role`] is what a part means; `ROLES` is the one table of their looks. Text that carries no meaning beyond its
//! words keeps the terminal's own colour, so every palette but `dark` and `light` is readable on any background.

use std::fmt;
use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::Block;

use exporter::filename::printable;

/// How many colours the terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorDepth {
    /// None: bold, dim and reverse only.
    None,
    /// The terminal's own 16.
    Ansi,
    /// A cube of 216, and 24 greys.
    Indexed,
    /// 24 bits.
    Rgb,
}

impl ColorDepth {
    /// Returns the depth that `COLORTERM` and `TERM` promise.
    #[must_use]
    pub fn of_terminal(colorterm: Option<&str>, term: Option<&str>) -> Self {
        /// Terminals that show 24 bits and may not say so.
        const RGB: [&str; 6] = ["kitty", "alacritty", "foot", "ghostty", "wezterm", "direct"];
        let term = term.unwrap_or_default();
        match colorterm {
            Some("truecolor" | "24bit") => Self::Rgb,
            _ if RGB.iter().any(|name| term.contains(name)) => Self::Rgb,
            _ if term.contains("256color") => Self::Indexed,
            _ => Self::Ansi,
        }
    }
}

/// What a part of the picture means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Text.
    Text,
    /// Text that matters less.
    Dim,
    /// Text that matters more.
    Bright,
    /// Frames.
    Border,
    /// The frame of the panel that has the arrows.
    Focus,
    /// Titles, heads and names of groups.
    Title,
    /// The chosen row.
    Selected,
    /// A key that is down.
    Lit,
    /// A sound that sounds.
    Sounding,
    /// An instrument: of a module, a sound font, a cue, an event.
    Cue,
    /// A song.
    Song,
    /// A recording's shape.
    Wave,
    /// Its loop.
    Loop,
    /// The positions of its voices, and of the song.
    Playhead,
    /// Notes of a pattern.
    Note,
    /// Instruments of a pattern.
    Instrument,
    /// Volumes of a pattern.
    Volume,
    /// Effects of a pattern.
    Effect,
    /// The row that is heard.
    Row,
    /// Levels with room above them.
    Quiet,
    /// Levels near full scale.
    Loud,
    /// Levels at full scale, and what went wrong.
    Over,
    /// White keys of the piano.
    WhiteKey,
    /// Its black keys.
    BlackKey,
}

/// A colour, or the terminal's own.
type Rgb = Option<[u8; 3]>;

/// What a role looks like.
struct RoleRow {
    role: Role,
    /// Its name in settings.
    name: &'static str,
    /// Foreground and background on any background, on a dark one, on a light one.
    rgb: [[Rgb; 2]; 3],
    /// The same of the terminal's 16.
    ansi: [Option<Color>; 2],
    /// What is added to colours.
    modifier: Modifier,
    /// What stands for it without colours.
    plain: Modifier,
}

const fn hex(rgb: u32) -> Rgb {
    let [_, r, g, b] = rgb.to_be_bytes();
    Some([r, g, b])
}

/// A role that has a foreground only.
const fn text(
    role: Role,
    name: &'static str,
    [any, dark, light]: [Rgb; 3],
    ansi: Option<Color>,
    modifier: Modifier,
    plain: Modifier,
) -> RoleRow {
    RoleRow {
        role,
        name,
        rgb: [[any, None], [dark, None], [light, None]],
        ansi: [ansi, None],
        modifier,
        plain,
    }
}

/// A role that fills its cells: the foreground, and backgrounds on any background, on a dark one, on a light one.
const fn fill(
    role: Role,
    name: &'static str,
    [foreground, any, dark, light]: [Rgb; 4],
    ansi: [Color; 2],
    modifier: Modifier,
) -> RoleRow {
    RoleRow {
        role,
        name,
        rgb: [[foreground, any], [foreground, dark], [foreground, light]],
        ansi: [Some(ansi[0]), Some(ansi[1])],
        modifier,
        plain: Modifier::REVERSED,
    }
}

const BOLD: Modifier = Modifier::BOLD;
const DIM: Modifier = Modifier::DIM;
const NOTHING: Modifier = Modifier::empty();

const fn rgb(any: u32, dark: u32, light: u32) -> [Rgb; 3] {
    [hex(any), hex(dark), hex(light)]
}

#[rustfmt::skip]
const ROLES: [RoleRow; 24] = [
    text(Role::Text, "text", [None, hex(0xd8dee9), hex(0x2b3140)], None, NOTHING, NOTHING),
    text(Role::Dim, "dim", rgb(0x7f8794, 0x6b7589, 0x8a92a0), Some(Color::DarkGray), NOTHING, DIM),
    text(Role::Bright, "bright", [None, hex(0xffffff), hex(0x000000)], None, BOLD, BOLD),
    text(Role::Border, "border", rgb(0x6f7784, 0x464f60, 0xb4bac4), Some(Color::DarkGray), NOTHING, DIM),
    text(Role::Focus, "focus", rgb(0x3d8fd1, 0x61afef, 0x1f6fb2), Some(Color::Cyan), NOTHING, BOLD),
    text(Role::Title, "title", rgb(0x3d8fd1, 0x61afef, 0x1f6fb2), Some(Color::Cyan), BOLD, BOLD),
    fill(
        Role::Selected,
        "selected",
        [hex(0xffffff), hex(0x2f628f), hex(0x345a80), hex(0x3d7ab0)],
        [Color::White, Color::Blue],
        BOLD,
    ),
    fill(
        Role::Lit,
        "lit",
        [hex(0x101010), hex(0xe0a63a), hex(0xebb95c), hex(0xe8a020)],
        [Color::Black, Color::Yellow],
        NOTHING,
    ),
    text(Role::Sounding, "sounding", rgb(0xd98a1f, 0xebb95c, 0xb36a00), Some(Color::Yellow), BOLD, BOLD),
    text(Role::Cue, "cue", rgb(0x31a0a0, 0x56c2c2, 0x007c7c), Some(Color::Cyan), NOTHING, NOTHING),
    text(Role::Song, "song", rgb(0xa868cc, 0xc692e8, 0x823fae), Some(Color::Magenta), NOTHING, NOTHING),
    text(Role::Wave, "wave", rgb(0x44a26a, 0x73c48f, 0x277f49), Some(Color::Green), NOTHING, NOTHING),
    text(Role::Loop, "loop", rgb(0x3d8fd1, 0x61afef, 0x1f6fb2), Some(Color::Cyan), NOTHING, NOTHING),
    text(Role::Playhead, "playhead", rgb(0xd98a1f, 0xffc857, 0xb36a00), Some(Color::Yellow), BOLD, BOLD),
    text(Role::Note, "note", [None, hex(0xeceff4), hex(0x151a24)], None, NOTHING, NOTHING),
    text(Role::Instrument, "instrument", rgb(0x44a26a, 0x73c48f, 0x277f49), Some(Color::Green), NOTHING, NOTHING),
    text(Role::Volume, "volume", rgb(0x3d8fd1, 0x61afef, 0x1f6fb2), Some(Color::Cyan), NOTHING, NOTHING),
    text(Role::Effect, "effect", rgb(0xa868cc, 0xc692e8, 0x823fae), Some(Color::Magenta), NOTHING, NOTHING),
    fill(
        Role::Row,
        "row",
        [hex(0xffffff), hex(0x3b4658), hex(0x2d3748), hex(0x515f78)],
        [Color::White, Color::DarkGray],
        BOLD,
    ),
    text(Role::Quiet, "quiet", rgb(0x44a26a, 0x73c48f, 0x277f49), Some(Color::Green), NOTHING, NOTHING),
    text(Role::Loud, "loud", rgb(0xc99a1e, 0xebb95c, 0xa07400), Some(Color::Yellow), NOTHING, NOTHING),
    text(Role::Over, "over", rgb(0xd94f4a, 0xf07178, 0xc02f2f), Some(Color::Red), BOLD, BOLD),
    RoleRow {
        plain: NOTHING,
        ..fill(
            Role::WhiteKey,
            "white-key",
            [hex(0x20242c), hex(0xd5d8de), hex(0xc8cdd6), hex(0xffffff)],
            [Color::Black, Color::Gray],
            NOTHING,
        )
    },
    RoleRow {
        plain: BOLD,
        ..fill(
            Role::BlackKey,
            "black-key",
            [hex(0xe8eaee), hex(0x2a2f3a), hex(0x242a36), hex(0x2f3542)],
            [Color::White, Color::Black],
            NOTHING,
        )
    },
];

/// A set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// For any background.
    #[default]
    Any,
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// The terminal's own 16 colours.
    Terminal,
}

impl Palette {
    /// All, by their names in settings.
    pub const ALL: [(&'static str, Self); 4] =
        [("any", Self::Any), ("dark", Self::Dark), ("light", Self::Light), ("terminal", Self::Terminal)];
}

impl FromStr for Palette {
    type Err = ColorsError;

    fn from_str(name: &str) -> Result<Self, ColorsError> {
        let found = Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, palette)| *palette);
        found.ok_or_else(|| {
            let names = Self::ALL.map(|(name, _)| name).join(", ");
            ColorsError(format!("no such theme; there are {names}"))
        })
    }
}

/// Colours of roles in place of the palette's: `wave=#44a26a title=#ffffff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleColors([Rgb; ROLES.len()]);

impl Default for RoleColors {
    fn default() -> Self {
        Self([None; ROLES.len()])
    }
}

/// Why colours cannot be what the user wants, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorsError(String);

impl fmt::Display for ColorsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ColorsError {}

impl FromStr for RoleColors {
    type Err = ColorsError;

    fn from_str(text: &str) -> Result<Self, ColorsError> {
        let mut colors = Self::default();
        for entry in text.split_whitespace() {
            let wanted = || ColorsError(format!("{entry}: expected NAME=#RRGGBB, as in wave=#44a26a"));
            let (name, color) = entry.split_once('=').ok_or_else(wanted)?;
            let digits = color.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or_else(wanted)?;
            let color = u32::from_str_radix(digits, 16).map_err(|_| wanted())?;
            let index = ROLES.iter().position(|row| row.name == name).ok_or_else(|| {
                let names: Vec<&str> = ROLES.iter().map(|row| row.name).collect();
                ColorsError(format!("{name}: no such colour; there are {}", names.join(", ")))
            })?;
            colors.0[index] = hex(color);
        }
        Ok(colors)
    }
}

/// How the picture is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Nothing beyond ASCII, for terminals of other encodings.
    pub ascii: bool,
    /// How many colours there are.
    pub depth: ColorDepth,
    /// The set of colours.
    pub palette: Palette,
    /// Colours in place of the palette's.
    pub colors: RoleColors,
}

impl Theme {
    /// Returns the theme without colours.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            ascii: false,
            depth: ColorDepth::None,
            palette: Palette::default(),
            colors: RoleColors::default(),
        }
    }

    /// Returns the style of a role.
    #[must_use]
    pub fn style(self, role: Role) -> Style {
        let index = ROLES.iter().position(|row| row.role == role).unwrap_or_default();
        let row = &ROLES[index];
        let own = self.colors.0[index];
        let depth = match self.palette {
            Palette::Terminal if own.is_none() => self.depth.min(ColorDepth::Ansi),
            _ => self.depth,
        };
        let shown = |rgb: [u8; 3]| match depth {
            ColorDepth::Rgb => Color::Rgb(rgb[0], rgb[1], rgb[2]),
            _ => Color::Indexed(nearest(rgb)),
        };
        let [foreground, background] = match depth {
            ColorDepth::None => return Style::new().add_modifier(row.plain),
            ColorDepth::Ansi => row.ansi,
            ColorDepth::Indexed | ColorDepth::Rgb => {
                let [mut foreground, mut background] = match self.palette {
                    Palette::Any | Palette::Terminal => row.rgb[0],
                    Palette::Dark => row.rgb[1],
                    Palette::Light => row.rgb[2],
                };
                // What fills its cells is known by its background.
                let changed = if background.is_some() { &mut background } else { &mut foreground };
                *changed = own.or(*changed);
                [foreground.map(shown), background.map(shown)]
            }
        };
        let style = Style::new().add_modifier(row.modifier);
        let style = foreground.map_or(style, |color| style.fg(color));
        background.map_or(style, |color| style.bg(color))
    }

    /// Returns whether there are colours.
    pub(super) fn has_colors(self) -> bool {
        self.depth != ColorDepth::None
    }

    /// Returns the style of what matters less.
    pub(super) fn dim(self) -> Style {
        self.style(Role::Dim)
    }

    /// Returns a style on the background of a role that fills its cells, so that a row keeps its colours.
    pub(super) fn on(self, role: Role, style: Style) -> Style {
        let filled = self.style(role);
        match filled.bg {
            // What is dim elsewhere would vanish here.
            Some(background) => {
                let foreground = style.fg.filter(|color| Some(*color) != self.dim().fg);
                Style { fg: foreground.or(filled.fg), ..style.bg(background) }
            }
            None => style.add_modifier(filled.add_modifier),
        }
    }

    /// Returns a text from a file, as this terminal can show it.
    pub(super) fn text(self, text: &str) -> String {
        let text = printable(text);
        if self.ascii { text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect() } else { text }
    }

    /// Returns the frame of a panel.
    pub(super) fn block(self, title: impl Into<Line<'static>>) -> Block<'static> {
        self.panel(title, false)
    }

    /// Returns the frame of a panel that may have the arrows.
    pub(super) fn panel(self, title: impl Into<Line<'static>>, has_focus: bool) -> Block<'static> {
        let set = match (self.ascii, has_focus, self.depth) {
            (true, ..) => ASCII,
            // Without colours, the lines say it.
            (false, true, ColorDepth::None) => border::THICK,
            (false, ..) => border::ROUNDED,
        };
        let style = self.style(if has_focus { Role::Focus } else { Role::Border });
        let title = title.into().style(Style::reset().patch(self.style(Role::Title)));
        Block::bordered().border_set(set).border_style(style).title(title)
    }

    /// Returns a cell beside its other in ASCII.
    pub(super) const fn glyph<T: Copy>(self, glyph: T, ascii: T) -> T {
        if self.ascii { ascii } else { glyph }
    }
}

const ASCII: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Returns the nearest of the 256 colours beyond the terminal's own 16.
///
/// Source: xterm, "256 colors": a cube of six levels from 16 on, greys from 232 on.
fn nearest([r, g, b]: [u8; 3]) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let distance = |[x, y, z]: [u8; 3]| {
        [(r, x), (g, y), (b, z)].into_iter().map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum::<u32>()
    };
    let level = |value: u8| (0..6u8).min_by_key(|at| LEVELS[usize::from(*at)].abs_diff(value)).unwrap_or(0);
    let [red, green, blue] = [level(r), level(g), level(b)];
    let in_cube = [red, green, blue].map(|at| LEVELS[usize::from(at)]);
    let grey = (0..24u8).min_by_key(|at| distance([8 + 10 * at; 3])).unwrap_or(0);
    if distance([8 + 10 * grey; 3]) < distance(in_cube) {
        232 + grey
    } else {
        16 + 36 * red + 6 * green + blue
    }
}

#[cfg(test)]
mod tests;
