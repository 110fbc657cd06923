use std::fs;
use std::io;
use std::path::Path;

use crate::output_error::OutputError;

/// Makes a folder below another. A link on the way there leads elsewhere, perhaps not by the user's wish.
///
/// # Errors
/// [`OutputError`] if it cannot be made, or is reached through a link and `force` is not set.
pub fn make_folder(below: &Path, folder: &Path, force: bool) -> Result<(), OutputError> {
    let inside = folder.ancestors().take_while(|ancestor| *ancestor != below);
    if let Some(link) = inside.filter(|_| !force).find(|ancestor| ancestor.is_symlink()) {
        return Err(OutputError::IsLink { path: link.to_owned() });
    }
    fs::create_dir_all(folder).map_err(|error| OutputError::io(&folder.display().to_string(), error))
}

/// Makes a folder that is not there yet. Where there is no disk, folders are only in the names of files.
///
/// # Errors
/// Those of the system.
pub fn make_new_folder(folder: &Path) -> io::Result<()> {
    if cfg!(target_family = "wasm") { Ok(()) } else { fs::create_dir(folder) }
}

/// Returns the folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
