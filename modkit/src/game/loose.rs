//! Packages that lie in no container, with what belongs to them.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use unreal::container::{Folder, FolderFile};
use unreal::zen::ZenPackage;
use unreal::{FileSource, Limits, Probe, Unsupported, probe};

use super::has_extension;

/// Extensions of packages.
pub(super) const PACKAGES: [&str; 2] = ["uasset", "umap"];

/// Extensions of what lies beside a package. Data that is mapped into memory ends in `.m.ubulk`.
pub(super) const DATA: [&str; 3] = ["uexp", "ubulk", "uptnl"];

/// How a package lies in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LooseForm {
    /// As the editor or the cooker writes it.
    Legacy,
    /// As it lay in an `IoStore` container.
    Zen,
}

/// Returns how a package lies in a file; none if the file is no package of Unreal Engine 4 and later.
pub(super) fn form_of(path: &Path) -> io::Result<Option<LooseForm>> {
    let mut head = Vec::new();
    File::open(path)?.take(unreal::PROBE_LENGTH as u64).read_to_end(&mut head)?;
    if matches!(probe(&head), Probe::Unsupported(Unsupported::Engine4(_))) {
        return Ok(Some(LooseForm::Legacy));
    }
    let zen = ZenPackage::recognise(&FileSource::open(path)?, &mut Limits::default());
    Ok(matches!(zen, Ok(Some(_))).then_some(LooseForm::Zen))
}

/// Returns a package and what lies beside it.
pub(super) fn beside(package: &Path) -> io::Result<Folder> {
    let others = DATA.into_iter().chain(["m.ubulk"]).map(|extension| package.with_extension(extension));
    let files = [package.to_owned()].into_iter().chain(others.filter(|path| path.is_file()));
    let root = root(package.parent().unwrap_or(Path::new("")));
    files.map(|file| entry(root, file)).collect::<io::Result<_>>().map(Folder::new)
}

/// The loose packages below a folder.
#[derive(Debug, Default)]
pub(super) struct LooseFiles {
    /// Cooked packages, which a container replaces.
    pub(super) cooked: Option<Folder>,
    /// Packages of the editor, which have no file of objects. They are what others were cooked from.
    pub(super) editor: Option<Folder>,
}

impl LooseFiles {
    /// Sorts packages and what lies beside them, all below a folder.
    pub(super) fn of(folder: &Path, mut files: Vec<PathBuf>) -> io::Result<Self> {
        files.sort();
        let root = root(folder);
        let is_objects = |path: &&PathBuf| has_extension(path, &["uexp"]);
        let with_objects: HashSet<PathBuf> =
            files.iter().filter(is_objects).map(|path| path.with_extension("")).collect();
        let (mut cooked, mut editor) = (Vec::new(), Vec::new());
        for file in files {
            let form = if has_extension(&file, &PACKAGES) { form_of(&file).ok().flatten() } else { None };
            let is_editor =
                form == Some(LooseForm::Legacy) && !with_objects.contains(&file.with_extension(""));
            match form {
                None if has_extension(&file, &PACKAGES) => {}
                _ if is_editor => editor.push(entry(root, file)?),
                _ => cooked.push(entry(root, file)?),
            }
        }
        let is_package = |file: &FolderFile| has_extension(Path::new(&file.path), &PACKAGES);
        let folder = |files: Vec<FolderFile>| files.iter().any(is_package).then(|| Folder::new(files));
        Ok(Self { cooked: folder(cooked), editor: folder(editor) })
    }
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
