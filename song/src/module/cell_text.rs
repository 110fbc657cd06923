//! Cells of patterns as text, as trackers show them.

use super::{Cell, CellNote, Dialect, Effect, VolumeCommand};
use crate::Key;

/// Returns the fields of a cell: note, instrument, volume column where the dialect has one, and effect.
#[must_use]
pub fn fields(dialect: Dialect, cell: &Cell) -> Vec<String> {
    let volume = (dialect != Dialect::ProTracker).then(|| volume(cell.volume));
    let first = [note(cell.note), instrument(cell.instrument)];
    first.into_iter().chain(volume).chain([effect(dialect, cell.effect)]).collect()
}

/// Returns all of a cell in one line.
#[must_use]
pub fn cell(dialect: Dialect, cell: &Cell) -> String {
    fields(dialect, cell).join(" ")
}

/// Returns note and instrument of a cell, and its effect, or the volume column where there is none.
#[must_use]
pub fn narrow_cell(dialect: Dialect, cell: &Cell) -> String {
    let last = if cell.effect.is_none() { volume(cell.volume) } else { effect(dialect, cell.effect) };
    format!("{} {last}", note_and_instrument(cell))
}

/// Returns note and instrument of a cell.
#[must_use]
pub fn note_and_instrument(cell: &Cell) -> String {
    format!("{} {}", note(cell.note), instrument(cell.instrument))
}

/// Returns the number of an instrument, from 1, in two digits.
#[must_use]
pub fn instrument(instrument: Option<u16>) -> String {
    instrument.map_or_else(|| "..".to_owned(), |number| format!("{number:02}"))
}

/// Returns three letters; C-4 is the middle C, whatever the tracker calls it.
#[must_use]
pub fn note(note: CellNote) -> String {
    match note {
        CellNote::None => "...".to_owned(),
        CellNote::Key(key) => named(key),
        CellNote::Period(period) => nearest_key(period.get()).map_or_else(|| "???".to_owned(), named),
        CellNote::Off => "===".to_owned(),
        CellNote::Cut => "^^^".to_owned(),
        CellNote::Fade(_) => "~~~".to_owned(),
        CellNote::Unknown(_) => "???".to_owned(),
    }
}

fn named(key: Key) -> String {
    let name = key.to_string();
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
    format!("{letters:-<2}{}", name.get(letters.len()..).unwrap_or_default().replace("-1", "-"))
}

/// Returns the key of the note nearest to a period of an Amiga, of which 428 is the middle C.
#[must_use]
pub fn nearest_key(period: u16) -> Option<Key> {
    let above = 12.0 * (428.0 / f64::from(period)).log2();
    // The cast saturates.
    Key::C4.shifted(above.round() as i32)
}

/// Returns a command of the volume column: a letter and two digits.
#[must_use]
pub fn volume(command: Option<VolumeCommand>) -> String {
    let Some(command) = command else { return "...".to_owned() };
    let (sign, value) = match command {
        VolumeCommand::Volume(value) => ('v', value),
        VolumeCommand::Pan(value) => ('p', value),
        VolumeCommand::FineUp(value) => ('a', value),
        VolumeCommand::FineDown(value) => ('b', value),
        VolumeCommand::Up(value) => ('c', value),
        VolumeCommand::Down(value) => ('d', value),
        VolumeCommand::PortamentoDown(value) => ('e', value),
        VolumeCommand::PortamentoUp(value) => ('f', value),
        VolumeCommand::TonePortamento(value) => ('g', value),
        VolumeCommand::VibratoSpeed(value) => ('u', value),
        VolumeCommand::Vibrato(value) => ('h', value),
        VolumeCommand::PanLeft(value) => ('l', value),
        VolumeCommand::PanRight(value) => ('r', value),
        VolumeCommand::Unknown(byte) => return format!("?{byte:02X}"),
    };
    format!("{sign}{value:02}")
}

/// Returns an effect: the letter of its dialect, and its parameter in hexadecimal digits.
#[must_use]
pub fn effect(dialect: Dialect, effect: Option<Effect>) -> String {
    effect.map_or_else(
        || "...".to_owned(),
        |effect| format!("{}{:02X}", effect.command.letter(dialect), effect.parameter),
    )
}

#[cfg(test)]
mod tests {
    use super::super::EffectCommand;
    use super::*;

    #[test]
    fn notes_take_three_letters() {
        let key = |key| note(CellNote::Key(Key::new(key).unwrap()));
        assert_eq!([key(60), key(61), key(119), key(0)], ["C-4", "C#4", "B-8", "C--"]);
        let period = |period| note(CellNote::Period(std::num::NonZeroU16::new(period).unwrap()));
        assert_eq!([period(428), period(404), period(214), period(113)], ["C-4", "C#4", "C-5", "B-5"]);
    }

    #[test]
    fn a_cell_shows_all_that_is_in_it() {
        let command = EffectCommand::VolumeSlide;
        let cell = Cell {
            note: CellNote::Off,
            instrument: Some(7),
            volume: Some(VolumeCommand::Volume(64)),
            effect: Some(Effect { command, parameter: 0x0F }),
        };
        assert_eq!(super::cell(Dialect::ImpulseTracker, &cell), "=== 07 v64 D0F");
        assert_eq!(super::cell(Dialect::FastTracker2, &cell), "=== 07 v64 A0F");
        assert_eq!(super::cell(Dialect::ProTracker, &Cell::default()), "... .. ...");
    }
}
