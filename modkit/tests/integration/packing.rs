//! Folders that are packed: what of them is no plain file, and files that change meanwhile.

use std::fs;
use std::io::{Cursor, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;

use modkit::pack::{FolderFiles, PackError, files, pack_pak};
use tempfile::TempDir;
use unreal::containers::pak::{PakForm, PakOptions};

/// Packs a folder; `meanwhile` runs after the first bytes were written.
fn pack(folder: &Path, meanwhile: impl Fn()) -> Result<Option<Cursor<Vec<u8>>>, PackError> {
    let FolderFiles { files, .. } = files(folder).unwrap();
    let mount = "../../../".to_owned();
    let options = PakOptions { form: PakForm::default(), mount, method: None, encryption: None, game: None };
    let is_first = std::cell::Cell::new(true);
    let report = |_| {
        if is_first.replace(false) {
            meanwhile();
        }
        true
    };
    pack_pak(&files, Cursor::new(Vec::new()), options, NonZeroUsize::MIN, &report)
}

#[test]
fn a_file_that_changes_while_it_is_packed_is_an_error() {
    let folder = TempDir::new().unwrap();
    let (first, last) = (folder.path().join("A.bin"), folder.path().join("B.bin"));
    let write = || {
        fs::write(&first, vec![1; 1000]).unwrap();
        fs::write(&last, vec![2; 1000]).unwrap();
        // Long before: a change within the grain of the clock would not be seen.
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        for path in [&first, &last] {
            fs::OpenOptions::new().write(true).open(path).unwrap().set_modified(old).unwrap();
        }
    };
    let appends = |path: &Path| {
        fs::OpenOptions::new().append(true).open(path).unwrap().write_all(b"more").unwrap();
    };
    write();
    assert!(pack(folder.path(), || {}).unwrap().is_some());
    for changed in [&first, &last] {
        write();
        let error = pack(folder.path(), || appends(changed)).unwrap_err();
        assert!(matches!(&error, PackError::Changed(path) if path == changed), "{error}");
        write();
        let error = pack(folder.path(), || fs::write(changed, vec![9; 1000]).unwrap()).unwrap_err();
        assert!(matches!(&error, PackError::Changed(path) if path == changed), "{error}");
    }
    write();
    let error = pack(folder.path(), || fs::remove_file(&first).unwrap()).unwrap_err();
    assert!(matches!(&error, PackError::Read(path, _) if *path == first), "{error}");
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_named() {
    use modkit::pack::LinkRemark;
    use std::os::unix::fs::symlink;

    let folder = TempDir::new().unwrap();
    let elsewhere = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let secret = elsewhere.path().canonicalize().unwrap().join("secret");
    fs::write(&secret, "secret").unwrap();
    fs::write(path("a.txt"), "plain").unwrap();
    symlink(&secret, path("link.txt")).unwrap();
    symlink(elsewhere.path(), path("folder")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap();
    assert!(made.success());
    let FolderFiles { files, remarks } = files(folder.path()).unwrap();
    let entries: Vec<&str> = files.iter().map(|file| file.entry.as_str()).collect();
    assert_eq!(entries, ["a.txt", "link.txt"]);
    assert_eq!(
        remarks,
        [
            LinkRemark::FolderLink(path("folder")),
            LinkRemark::Followed { link: path("link.txt"), target: secret },
            LinkRemark::Special(path("pipe")),
        ]
    );
}
