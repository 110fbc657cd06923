//! Packages that lie in no container, with what belongs to them.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal::containers::{Folder, FolderFile};
use unreal::ue4to6::zen::ZenTables;
use unreal::{Limits, PROBE_LENGTH, Probe, Unsupported, probe};

use super::has_extension;
use crate::open::files::Files;

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
pub(super) fn form_of(files: &dyn Files, path: &Path) -> io::Result<Option<LooseForm>> {
    let source = files.open(path)?;
    let mut head = vec![0; usize::try_from(source.len()).unwrap_or(usize::MAX).min(PROBE_LENGTH)];
    source.read_at(0, &mut head)?;
    if matches!(probe(&head), Probe::Unsupported(Unsupported::Engine4(_))) {
        return Ok(Some(LooseForm::Legacy));
    }
    let zen = ZenTables::recognise(&*source, &mut Limits::default());
    Ok(matches!(zen, Ok(Some(_))).then_some(LooseForm::Zen))
}

/// Returns a package and what lies beside it.
pub(super) fn beside(disk: &Arc<dyn Files>, package: &Path) -> io::Result<Folder> {
    let others = DATA.into_iter().chain(["m.ubulk"]).map(|extension| package.with_extension(extension));
    let files = [package.to_owned()].into_iter().chain(others.filter(|path| disk.is_file(path)));
    let root = root(package.parent().unwrap_or(Path::new("")));
    let files = files.map(|file| entry(&**disk, root, file)).collect::<io::Result<_>>()?;
    Ok(Folder::new(files, Arc::clone(disk) as _))
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
    pub(super) fn of(disk: &Arc<dyn Files>, folder: &Path, mut files: Vec<PathBuf>) -> io::Result<Self> {
        files.sort();
        let root = root(folder);
        let is_objects = |path: &&PathBuf| has_extension(path, &["uexp"]);
        let with_objects: HashSet<PathBuf> =
            files.iter().filter(is_objects).map(|path| path.with_extension("")).collect();
        let (mut cooked, mut editor) = (Vec::new(), Vec::new());
        for file in files {
            let form =
                if has_extension(&file, &PACKAGES) { form_of(&**disk, &file).ok().flatten() } else { None };
            let is_editor =
                form == Some(LooseForm::Legacy) && !with_objects.contains(&file.with_extension(""));
            match form {
                None if has_extension(&file, &PACKAGES) => {}
                _ if is_editor => editor.push(entry(&**disk, root, file)?),
                _ => cooked.push(entry(&**disk, root, file)?),
            }
        }
        let is_package = |file: &FolderFile| has_extension(Path::new(&file.path), &PACKAGES);
        let folder = |files: Vec<FolderFile>| {
            files.iter().any(is_package).then(|| Folder::new(files, Arc::clone(disk) as _))
        };
        Ok(Self { cooked: folder(cooked), editor: folder(editor) })
    }
}

/// Returns the folder that paths count from: one above the game if a folder lies among contents, which name packages.
fn root(folder: &Path) -> &Path {
    above_project(folder).unwrap_or(folder)
}

/// Returns the folder of the project's folder, for what lies among its contents.
fn above_project(path: &Path) -> Option<&Path> {
    let content = path.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "Content"))?;
    Some(content.ancestors().nth(2).unwrap_or(Path::new("")))
}

/// Returns the path that a container has for a file among the contents of a project: from the project's folder on.
pub(super) fn path_in_game(file: &Path) -> Option<String> {
    let below = file.strip_prefix(above_project(file)?).ok()?;
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Some(parts.join("/"))
}

fn entry(files: &dyn Files, root: &Path, file: PathBuf) -> io::Result<FolderFile> {
    let size = files.info(&file)?.size;
    let below = file.strip_prefix(root).unwrap_or(&file);
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Ok(FolderFile { path: parts.join("/"), file, size })
}
