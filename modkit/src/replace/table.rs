//! Tables of sounds and the recordings that take their places.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a table is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// A line that is not SOUND, a tab, and a file, by its number.
    Line(usize),
    /// It names no sounds.
    Empty,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number) => write!(f, "line {number} is not SOUND, a tab, and a file"),
            Self::Empty => f.write_str("it names no sounds"),
        }
    }
}

impl std::error::Error for TableError {}

/// Reads a table: on each line a sound, a tab, and a recording, whose path counts from `folder`. Empty lines are left
/// out.
///
/// # Errors
/// [`TableError`].
pub fn read_table(text: &str, folder: &Path) -> Result<Vec<(String, PathBuf)>, TableError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let pairs: Result<Vec<_>, _> = lines
        .map(|(number, line)| {
            let (sound, file) = line.split_once('\t').ok_or(TableError::Line(number))?;
            Ok((sound.trim().to_owned(), folder.join(file.trim())))
        })
        .collect();
    pairs.and_then(|pairs| if pairs.is_empty() { Err(TableError::Empty) } else { Ok(pairs) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sounds_and_files_of_a_folder() {
        let pairs = read_table("Steps\ta.wav\n\n Wind \t/b.wav\n", Path::new("new"));
        let pair = |sound: &str, file: &str| (sound.to_owned(), PathBuf::from(file));
        assert_eq!(pairs, Ok(vec![pair("Steps", "new/a.wav"), pair("Wind", "/b.wav")]));
        assert_eq!(read_table("\nSteps a.wav\n", Path::new("")), Err(TableError::Line(2)));
        assert_eq!(read_table(" \n", Path::new("")), Err(TableError::Empty));
    }
}
