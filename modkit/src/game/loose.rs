//! Packages that lie in no container, with what belongs to them.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use unreal::container::{Folder, FolderFile};
use unreal::{Probe, Unsupported, probe};

use super::{find, has_extension};

/// Extensions of packages.
const PACKAGES: [&str; 2] = ["uasset", "umap"];

/// Extensions of what lies beside a package. Data that is mapped into memory ends in `.m.ubulk`.
pub(super) const DATA: [&str; 3] = ["uexp", "ubulk", "uptnl"];

/// Returns whether a file begins as packages of Unreal Engine 4 and later do.
pub(super) fn is_package(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(unreal::PROBE_LENGTH as u64).read_to_end(&mut head)?;
    Ok(matches!(probe(&head), Probe::Unsupported(Unsupported::Engine4(_))))
}

/// Returns a package and what lies beside it.
pub(super) fn beside(package: &Path) -> io::Result<Folder> {
    let others = DATA.into_iter().chain(["m.ubulk"]).map(|extension| package.with_extension(extension));
    let files = [package.to_owned()].into_iter().chain(others.filter(|path| path.is_file()));
    let root = root(package.parent().unwrap_or(Path::new("")));
    files.map(|file| entry(root, file)).collect::<io::Result<_>>().map(Folder::new)
}

/// Returns the packages below a folder with what belongs to them; none if there are no packages.
pub(super) fn below(folder: &Path, depth: usize) -> io::Result<Option<Folder>> {
    let mut files = Vec::new();
    let is_part = |path: &Path| {
        has_extension(path, &DATA) || has_extension(path, &PACKAGES) && is_package(path).is_ok_and(|is| is)
    };
    find(folder, depth, &is_part, &mut files)?;
    if !files.iter().any(|file| has_extension(file, &PACKAGES)) {
        return Ok(None);
    }
    files.sort();
    let root = root(folder);
    let entries = files.into_iter().map(|file| entry(root, file)).collect::<io::Result<_>>()?;
    Ok(Some(Folder::new(entries)))
}

/// Returns the folder that paths count from: one above the game if a folder lies among contents, which name packages.
fn root(folder: &Path) -> &Path {
    let content = folder.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "Content"));
    content.map_or(folder, |content| content.ancestors().nth(2).unwrap_or(Path::new("")))
}

fn entry(root: &Path, file: PathBuf) -> io::Result<FolderFile> {
    let size = file.metadata()?.len();
    let below = file.strip_prefix(root).unwrap_or(&file);
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Ok(FolderFile { path: parts.join("/"), file, size })
}
