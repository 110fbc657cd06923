use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};

use crate::Error;

#[derive(Default)]
struct Store {
    files: BTreeMap<PathBuf, String>,
    written: VecDeque<(PathBuf, Option<String>)>,
}

thread_local! {
    static STORE: RefCell<Store> = RefCell::default();
}

/// Puts a file into the store, as it was [taken](take_written) in an earlier session.
pub fn put(path: PathBuf, text: String) {
    STORE.with_borrow_mut(|store| store.files.insert(path, text));
}

/// Takes the first file that was written, to be kept for later sessions; without a text if it was removed.
pub fn take_written() -> Option<(PathBuf, Option<String>)> {
    STORE.with_borrow_mut(|store| store.written.pop_front())
}

/// Returns the folder.
#[expect(clippy::unnecessary_wraps, reason = "as on a disk")]
pub(crate) fn folder() -> Option<PathBuf> {
    Some(PathBuf::from("usampler"))
}

pub(crate) fn read(path: &Path, _most: u64) -> io::Result<String> {
    STORE.with_borrow(|store| store.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into()))
}

/// There is nothing to make.
#[expect(clippy::unnecessary_wraps, reason = "as on a disk")]
pub(crate) fn make_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "as on a disk")]
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    STORE.with_borrow_mut(|store| {
        store.files.insert(path.to_owned(), text.to_owned());
        store.written.push_back((path.to_owned(), Some(text.to_owned())));
    });
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "as on a disk")]
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    STORE.with_borrow_mut(|store| {
        if store.files.remove(path).is_some() {
            store.written.push_back((path.to_owned(), None));
        }
    });
    Ok(())
}

/// Nobody else writes.
#[expect(clippy::unnecessary_wraps, reason = "as on a disk")]
pub(crate) fn lock(_path: &Path) -> io::Result<()> {
    Ok(())
}
