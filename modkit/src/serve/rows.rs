//! The rows of reports about a game, for servers and commands alike: which entries and objects have one, what makes a
//! report incomplete, and the error if there are no rows. Each function reads row by row and keeps none.

use std::path::Path;

use importer::open::Files;
use unreal::containers::mount::{EntriesByPath, Mount, MountedEntry};
use unreal::ue4to6::zen::ScriptObject;
use unreal::{Error, hash};

use super::request::{EntryFilter, ReportMessage, RequestError};
use crate::conflicts::{Conflict, conflicts};
use crate::niagara::NiagaraDetails;
use crate::packages::{self, GamePackages};
use crate::report::{MeshRow, PackageRow, TextureRow, Unread, script_objects};

/// The caller of a report, apart from its rows.
pub trait ReportHandler {
    /// Errors of the caller.
    type Failure;

    /// Receives a remark. The report is incomplete if [`ReportMessage::is_incomplete`] says so.
    fn remark(&mut self, remark: &ReportMessage<'_>);

    /// Returns whether the user wants the report to end.
    fn is_interrupted(&self) -> bool;

    /// Converts an error of the report.
    fn failure(&self, error: RequestError) -> Self::Failure;
}

fn check<H: ReportHandler>(handler: &H) -> Result<(), H::Failure> {
    if handler.is_interrupted() { Err(handler.failure(RequestError::Interrupted)) } else { Ok(()) }
}

/// Reports the entries that match a filter. `read` returns what the caller wants to know of an entry, if there is
/// anything; `row` gets it with the path of the entry.
///
/// # Errors
/// [`RequestError::NoMatch`], an interruption, or the error of `row`. A damaged entry is a remark.
pub fn entries<H: ReportHandler, R>(
    mount: &Mount,
    entries: &EntriesByPath<'_>,
    filter: &EntryFilter<'_>,
    handler: &mut H,
    read: impl Fn(MountedEntry) -> Result<Option<R>, Error>,
    mut row: impl FnMut(&mut H, MountedEntry, &str, R) -> Result<(), H::Failure>,
) -> Result<(), H::Failure> {
    let mut found = 0;
    for entry in entries.iter() {
        check(handler)?;
        let path = mount.label(entry);
        if !filter.matches(&path) {
            continue;
        }
        found += 1;
        match read(entry) {
            Ok(Some(found)) => row(handler, entry, &path, found)?,
            Ok(None) => {}
            Err(error) => {
                let container = mount.container_name(entry);
                handler.remark(&ReportMessage::Damaged { container, path: &path, error: &error });
            }
        }
    }
    filter.check(found).map_err(|error| handler.failure(error))
}

/// Finds the conflicts that match a filter.
///
/// # Errors
/// [`RequestError::NoMatch`].
pub fn matching_conflicts(mount: &Mount, filter: &EntryFilter<'_>) -> Result<Vec<Conflict>, RequestError> {
    let mut found = conflicts(mount);
    found.retain(|conflict| filter.matches(&conflict.label));
    filter.check(found.len()).map(|()| found)
}

/// Reports the objects of a game's code that match a filter; for a check, those whose number is not the hash of their
/// path, and the remark how many these are.
///
/// # Errors
/// If the game states none or they cannot be read, [`RequestError::NoMatch`], an interruption, or the error of `row`.
pub fn scripts<H: ReportHandler>(
    mount: &Mount,
    filter: &EntryFilter<'_>,
    is_check: bool,
    handler: &mut H,
    mut row: impl FnMut(&mut H, &ScriptObject) -> Result<(), H::Failure>,
) -> Result<(), H::Failure> {
    let objects = script_objects(mount)
        .map_err(|(name, error)| RequestError::Scripts(name, error))
        .and_then(|objects| objects.ok_or(RequestError::NoScripts))
        .map_err(|error| handler.failure(error))?;
    let (mut count, mut wrong) = (0, 0);
    for object in objects.iter().filter(|object| filter.matches(&object.path)) {
        check(handler)?;
        count += 1;
        if is_check && hash::script_object(&object.path) == object.id {
            continue;
        }
        wrong += 1;
        row(handler, object)?;
    }
    filter.check(count).map_err(|error| handler.failure(error))?;
    if is_check {
        handler.remark(&ReportMessage::ScriptsChecked { count, wrong });
    }
    Ok(())
}

/// Reports the tables of packages.
///
/// # Errors
/// [`RequestError::NoPackages`], an interruption, or the error of `row`.
pub fn tables<H: ReportHandler>(
    packages: &GamePackages,
    handler: &mut H,
    row: impl FnMut(&mut H, MountedEntry, PackageRow) -> Result<(), H::Failure>,
) -> Result<(), H::Failure> {
    let read = |entry| packages.tables(entry).map(|row| vec![Ok(row)]);
    of_packages(packages, RequestError::NoPackages, handler, read, row)
}

/// Reports the data interfaces of packages.
///
/// # Errors
/// [`RequestError::NoInterfaces`], an interruption, or the error of `row`.
pub fn data_interfaces<H: ReportHandler>(
    packages: &GamePackages,
    handler: &mut H,
    row: impl FnMut(&mut H, MountedEntry, NiagaraDetails) -> Result<(), H::Failure>,
) -> Result<(), H::Failure> {
    let read = |entry| Ok(packages.data_interfaces(entry)?.into_iter().map(Ok).collect());
    of_packages(packages, RequestError::NoInterfaces, handler, read, row)
}

/// Reports the meshes of packages.
///
/// # Errors
/// [`RequestError::NoMeshes`], an interruption, or the error of `row`.
pub fn meshes<H: ReportHandler>(
    packages: &GamePackages,
    handler: &mut H,
    row: impl FnMut(&mut H, MountedEntry, MeshRow) -> Result<(), H::Failure>,
) -> Result<(), H::Failure> {
    of_packages(packages, RequestError::NoMeshes, handler, |entry| packages.meshes(entry), row)
}

/// Reports the textures of packages.
///
/// # Errors
/// [`RequestError::NoTextures`], an interruption, or the error of `row`.
pub fn textures<H: ReportHandler>(
    packages: &GamePackages,
    handler: &mut H,
    row: impl FnMut(&mut H, MountedEntry, TextureRow) -> Result<(), H::Failure>,
) -> Result<(), H::Failure> {
    of_packages(packages, RequestError::NoTextures, handler, |entry| packages.textures(entry), row)
}

/// Reports rows of packages. `none` is the error if there are no rows; a row that cannot be read is a remark.
fn of_packages<H: ReportHandler, R>(
    packages: &GamePackages,
    none: RequestError,
    handler: &mut H,
    read: impl Fn(MountedEntry) -> Result<Vec<Result<R, Unread>>, Unread>,
    mut row: impl FnMut(&mut H, MountedEntry, R) -> Result<(), H::Failure>,
) -> Result<(), H::Failure> {
    let mut is_empty = true;
    for entry in &packages.entries {
        check(handler)?;
        for found in read(*entry).unwrap_or_else(|unread| vec![Err(unread)]) {
            match found {
                Ok(found) => {
                    is_empty = false;
                    row(handler, *entry, found)?;
                }
                Err(unread) => handler.remark(&ReportMessage::Unread(&unread)),
            }
        }
    }
    if is_empty { Err(handler.failure(none)) } else { Ok(()) }
}

/// Returns whether a file is a package of Unreal Engine 1 to 3; then it is the only one, so that no name is needed.
///
/// # Errors
/// [`RequestError::InsideClassic`] if `path` names one all the same.
pub fn is_classic(files: &dyn Files, file: &Path, path: Option<&str>) -> Result<bool, RequestError> {
    match path {
        _ if !packages::is_classic(files, file) => Ok(false),
        None => Ok(true),
        Some(path) => Err(RequestError::InsideClassic(path.to_owned())),
    }
}
