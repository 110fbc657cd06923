//! Files that a user names or edits, read whole: settings, tables, recordings.

use std::io;
use std::path::Path;

use unreal::{FileSource, Source as _};

/// Reads a regular file of at most `most` bytes. A pipe or a device is refused before it is opened: one may have no
/// writer, the other no end.
///
/// # Errors
/// The system's; another kind of file; a larger file.
pub fn read_regular_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = FileSource::open(path)?;
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes"));
    let length = usize::try_from(file.len()).ok().filter(|_| file.len() <= most).ok_or_else(too_large)?;
    let mut bytes = vec![0; length];
    file.read_at(0, &mut bytes)?;
    Ok(bytes)
}

/// Reads a regular file of text, as [`read_regular_file`] does.
///
/// # Errors
/// As [`read_regular_file`], and for text that is not UTF-8.
pub fn read_regular_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_regular_file(path, most)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("byte {at} is not UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_bound_and_a_larger_one_refused() {
        let length = fs::metadata("src/lib.rs").unwrap().len();
        let path = Path::new("src/lib.rs");
        assert_eq!(read_regular_file(path, length).unwrap().len() as u64, length);
        assert!(read_regular_text(path, length).unwrap().starts_with("//! Turns"));
        let error = read_regular_file(path, length - 1).unwrap_err();
        assert_eq!(error.to_string(), format!("it has more than {} bytes", length - 1));
    }

    #[test]
    fn folders_and_missing_files_keep_their_reasons() {
        let kind = |path: &str| read_regular_file(Path::new(path), 1).unwrap_err().kind();
        assert_eq!(kind("src"), io::ErrorKind::IsADirectory);
        assert_eq!(kind("nowhere"), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_refused() {
        for device in ["/dev/zero", "/dev/null"] {
            let error = read_regular_file(Path::new(device), u64::MAX).unwrap_err();
            assert_eq!(error.to_string(), "it is a pipe or a device, not a file");
        }
    }
}
