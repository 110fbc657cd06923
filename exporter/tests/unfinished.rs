//! In a process of its own, for it removes what any thread is writing.

use std::fs;
use std::io::Write as _;

use exporter::{OutputFile, Overwrite, remove_unfinished};

#[test]
fn all_that_is_unfinished_is_removed_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let parts = [1, 2].map(|number| {
        OutputFile::create(&folder.path().join(format!("{number}")), &Overwrite::never()).unwrap()
    });
    let mut whole = OutputFile::create(&folder.path().join("whole"), &Overwrite::never()).unwrap();
    whole.write_all(b"data").unwrap();
    whole.publish(&mut std::io::sink()).unwrap();
    assert_eq!(files(), 3);
    remove_unfinished();
    assert_eq!(files(), 1);
    assert!(OutputFile::create(&folder.path().join("late"), &Overwrite::never()).is_err());
    drop(parts);
    assert_eq!(files(), 1);
}
