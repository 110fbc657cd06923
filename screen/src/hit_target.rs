//! What a mouse can hit.

use crate::model::knob::Knob;

/// A part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTarget {
    /// The list of sounds; which of its rows, if it is one.
    List(Option<usize>),
    /// The waveform: a column of so many.
    Wave {
        /// From the left.
        column: usize,
        /// How many there are.
        columns: usize,
        /// Whether it is the row of the handles of the trim, or above.
        is_top: bool,
    },
    /// A knob.
    Knob(Knob),
    /// The piano; which of its keys, in semitones from the first.
    Piano(Option<u8>),
    /// Part of the song.
    Song(SongTarget),
    /// The menu over the screen; which of its rows, if it is one.
    Menu(Option<usize>),
    /// Nothing that could be clicked.
    Nothing,
}

/// A part of the song.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SongTarget {
    /// An order, from 0.
    Order(usize),
    /// A row of a pattern that is shown.
    Row {
        /// Its order, from 0.
        order: usize,
        /// From 0.
        row: usize,
    },
    /// The head of a channel, from 0.
    Channel(usize),
    /// The name of an instrument, from 0.
    Name(usize),
    /// A row of the list of songs, from 0.
    Listed(usize),
    /// Its page of names and message.
    Page,
    /// The bar of its position: a column of so many.
    Bar {
        /// From the left.
        column: usize,
        /// How many there are.
        columns: usize,
    },
}
