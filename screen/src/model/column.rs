//! The columns of the list of sounds that follow the name.

use importer::Sound;
use player::text;

/// A column of the list.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its heading.
    pub heading: &'static str,
    /// When it is left out where names need the room, 0 first; never if none is given.
    pub drop_order: Option<u8>,
    /// Returns what it says of a sound; a dash if nothing is known.
    pub cell: fn(&Sound) -> String,
}

/// The columns, from the left.
pub const COLUMNS: [Column; 5] = [
    Column { heading: "rate", drop_order: Some(2), cell: rate },
    Column { heading: "bit", drop_order: Some(0), cell: bits },
    Column { heading: "ch", drop_order: Some(1), cell: channels },
    Column { heading: "length", drop_order: None, cell: length },
    Column { heading: LOOP, drop_order: Some(3), cell: looping },
];

/// The heading of the column of loops, which follows what the user adjusts.
pub const LOOP: &str = "loop";

fn shown(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

fn rate(sound: &Sound) -> String {
    shown(sound.audio().map(|audio| audio.rate.to_string()))
}

fn bits(sound: &Sound) -> String {
    shown(sound.audio().and_then(|audio| audio.bits).map(|bits| bits.to_string()))
}

fn channels(sound: &Sound) -> String {
    shown(sound.audio().map(|audio| audio.channels.to_string()))
}

/// Seconds, what a cue plays, or the status of a sound that cannot be played.
fn length(sound: &Sound) -> String {
    // A column has little room.
    let plays = || text::plays(sound).map(|plays| plays.trim_start_matches("plays ").to_owned());
    match (sound.module(), sound.status.reason()) {
        (Some(_), _) => "module".to_owned(),
        (None, Some(_)) => sound.status.name().to_owned(),
        (None, None) => shown(sound.seconds().map(text::seconds).or_else(plays)),
    }
}

fn looping(sound: &Sound) -> String {
    shown(sound.audio().and_then(|audio| audio.loops.first()).map(text::looping))
}
