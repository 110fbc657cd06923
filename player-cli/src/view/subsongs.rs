//! The songs of a tracker module, and how long they are.

use std::io::{self, Write};
use std::sync::Arc;

use tracker::ModuleFile;
use tracker::replay::{self, Score, Subsong};

use super::text::seconds;

/// Prints how long the songs of a tracker module are.
///
/// # Errors
/// Those of the output.
pub(super) fn print(out: &mut dyn Write, songs: &[Subsong]) -> io::Result<()> {
    match songs {
        [] => Ok(()),
        [only] => writeln!(out, "  duration     {}", duration(only)),
        several => {
            writeln!(out, "  songs        {}", several.len())?;
            several.iter().zip(1..).try_for_each(|(song, number)| {
                writeln!(out, "    --subsong {number}  {} from order {}", duration(song), song.order)
            })
        }
    }
}

fn duration(song: &Subsong) -> String {
    let longer = if song.is_longer { "longer than " } else { "" };
    format!("{longer}{}", seconds(song.seconds))
}

/// Returns the songs of a tracker module, followed without their recordings.
pub(super) fn of(module: &ModuleFile) -> Vec<Subsong> {
    let module = module.raw.to_song(MAX_CELLS);
    module.map(|module| replay::subsongs(&Arc::new(Score::silent(module)))).unwrap_or_default()
}

/// Bytes of the patterns of a module that is followed.
const MAX_CELLS: u64 = 64 << 20;
