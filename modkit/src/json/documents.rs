//! Documents on disk.

use std::path::{Path, PathBuf};

use crate::pack::{PackError, files};

/// A document, and the path of its package below a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonFile {
    /// The document.
    pub file: PathBuf,
    /// Its path below the folder that was named, or its name.
    pub below: PathBuf,
}

/// Returns the documents of some inputs: files as they are named, and `.json` files below folders.
///
/// # Errors
/// The first folder without a document, and the reason if it cannot be read.
pub fn documents(inputs: &[PathBuf]) -> Result<Vec<JsonFile>, (&Path, Option<PackError>)> {
    let mut found = Vec::new();
    for input in inputs {
        if !input.is_dir() {
            let below = input.file_name().map_or_else(|| input.clone(), PathBuf::from);
            found.push(JsonFile { file: input.clone(), below });
            continue;
        }
        let files = files(input).map_err(|error| (&**input, Some(error)))?.files;
        let is_json =
            |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        let before = found.len();
        found.extend(files.into_iter().filter(|file| is_json(&file.file)).map(|file| {
            let below = file.file.strip_prefix(input).unwrap_or(&file.file).to_owned();
            JsonFile { file: file.file, below }
        }));
        if found.len() == before {
            return Err((input, None));
        }
    }
    Ok(found)
}
