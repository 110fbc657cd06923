//! Lists of sounds as tables.

use std::collections::BTreeMap;
use std::io::{self, Write};

use importer::Sound;

use crate::text::{in_short, looping, plays, seconds};
use crate::text_table::{Flush, Paint, TextTable};

/// Prints the sounds of one file as a table for a terminal's width; `copies` has how many equal ones some stand for.
///
/// # Errors
/// Those of the output.
pub fn sounds(
    out: &mut dyn Write,
    sounds: &[&Sound],
    copies: &BTreeMap<usize, usize>,
    colored: bool,
    width: Option<usize>,
) -> io::Result<()> {
    let mut table = TextTable::new(COLUMNS.map(|column| (column.heading, column.flush)));
    sounds.iter().for_each(|sound| {
        let mut cells = cells(sound);
        cells[1].extend(copies.get(&sound.number).map(|count| format!(" ×{count}")));
        table.push_painted(
            cells,
            sound.status.reason().is_some(),
            COLUMNS.map(|column| paint(&column, sound)),
        );
    });
    table.print_within(out, colored, width, &least())
}

/// Prints the sounds of several files as one table, each with its file.
///
/// # Errors
/// Those of the output.
pub fn sounds_of_files(
    out: &mut dyn Write,
    sounds: &[(&str, &Sound)],
    colored: bool,
    width: Option<usize>,
) -> io::Result<()> {
    let mut heading = [("file", Flush::Left); COLUMNS.len() + 1];
    heading[1..].copy_from_slice(&COLUMNS.map(|column| (column.heading, column.flush)));
    let mut table = TextTable::new(heading);
    for (file, sound) in sounds {
        let mut row = [const { String::new() }; COLUMNS.len() + 1];
        (*file).clone_into(&mut row[0]);
        row[1..].clone_from_slice(&cells(sound));
        let mut paints = [None; COLUMNS.len() + 1];
        paints[1..].copy_from_slice(&COLUMNS.map(|column| paint(&column, sound)));
        table.push_painted(row, sound.status.reason().is_some(), paints);
    }
    table.print_within(out, colored, width, &least())
}

/// A column of lists of sounds.
struct TextColumn {
    heading: &'static str,
    flush: Flush,
    /// When it is left out on a narrow terminal, 0 first; never if none is given.
    drop_order: Option<u8>,
    cell: fn(&Sound) -> Option<String>,
}

const COLUMNS: [TextColumn; 10] = {
    use Flush::{Left, Right};
    const fn column(
        heading: &'static str,
        flush: Flush,
        drop_order: Option<u8>,
        cell: fn(&Sound) -> Option<String>,
    ) -> TextColumn {
        TextColumn { heading, flush, drop_order, cell }
    }
    [
        column("#", Right, None, |sound| Some(sound.number.to_string())),
        column("name", Left, None, |sound| Some(sound.path())),
        column("format", Left, Some(2), |sound| sound.format().map(|format| format.name().to_owned())),
        column("codec", Left, Some(3), |sound| sound.audio().map(|audio| audio.codec.name())),
        column("rate", Right, Some(4), |sound| sound.audio().map(|audio| audio.rate.to_string())),
        column("ch", Right, Some(1), |sound| sound.audio().map(|audio| audio.channels.to_string())),
        column("bits", Right, Some(0), |sound| sound.audio()?.bits.map(|bits| bits.to_string())),
        column("length", Right, None, |sound| sound.seconds().map(seconds)),
        column("loop", Left, Some(5), |sound| sound.audio()?.loops.first().map(looping)),
        column("status", Left, None, |sound| Some(status(sound))),
    ]
};

/// Returns what the colour of a cell says: of its loop, or of whether it can be played.
fn paint(column: &TextColumn, sound: &Sound) -> Option<Paint> {
    match column.heading {
        "loop" => sound.audio()?.loops.first().map(|_| Paint::Loop),
        "status" if sound.is_vacant() => None,
        "status" if sound.status.reason().is_some() => Some(Paint::Bad),
        "status" if sound.module().is_some() => Some(Paint::Music),
        "status" => Some(Paint::Good),
        _ => None,
    }
}

/// Returns the headings of the columns that narrow terminals have no room for, the least wanted first.
fn least() -> Vec<&'static str> {
    let mut least: Vec<&TextColumn> = COLUMNS.iter().filter(|column| column.drop_order.is_some()).collect();
    least.sort_by_key(|column| column.drop_order);
    least.into_iter().map(|column| column.heading).collect()
}

fn cells(sound: &Sound) -> [String; COLUMNS.len()] {
    COLUMNS.map(|column| (column.cell)(sound).unwrap_or_else(|| "-".to_owned()))
}

/// Returns how a sound is, with the reason if it cannot be played.
#[must_use]
pub fn status(sound: &Sound) -> String {
    match sound.status.reason() {
        Some(reason) => format!("{}: {reason}", sound.status.name()),
        None => {
            let more = plays(sound).or_else(|| sound.module().map(in_short));
            more.map_or_else(
                || sound.status.name().to_owned(),
                |more| format!("{}, {more}", sound.status.name()),
            )
        }
    }
}
