//! The packages of a game that a user asks for.

use std::path::Path;
use std::sync::Arc;

use importer::GameOptions;
use importer::open::Files;
use unreal::containers::mount::{Mount, MountedEntry};
use unreal::ue4to6::zen::ScriptNames;
use unreal::{AssetPackage, Error, Limits, PROBE_LENGTH, Probe, Source as _, probe};

use crate::report::{PackageRow, Unread};
use crate::resolve::{ResolveError, Wanted, resolve};

/// Memory in bytes that a package, or the names of a game's code, may take.
pub const STRUCTURES: u64 = 1 << 30;

/// Packages of a game.
#[derive(Debug)]
pub struct GamePackages {
    /// Containers of the game.
    pub mount: Arc<Mount>,
    /// The packages that are meant.
    pub entries: Vec<MountedEntry>,
    /// Names of the classes of the game.
    pub scripts: Arc<ScriptNames>,
    /// Facts about the game that its packages do not state.
    pub options: GameOptions,
}

impl GamePackages {
    /// Finds packages of a game: the one that `path` names, or all. `unnamed` gets the error if the names of the game's
    /// code cannot be read, and is not called otherwise; numbers stand for them then.
    ///
    /// # Errors
    /// [`ResolveError`] if no package, or several, have that name.
    pub fn find(
        mount: Arc<Mount>,
        path: Option<&str>,
        options: GameOptions,
        unnamed: &mut dyn FnMut(Error),
    ) -> Result<Self, ResolveError> {
        let entries: Vec<MountedEntry> = match path {
            Some(path) => vec![resolve(&mount, path, Wanted::Package)?],
            None => {
                let is_meant =
                    |entry: &MountedEntry| mount.is_package(*entry) && !mount.is_overridden(*entry);
                mount.entries().filter(is_meant).collect()
            }
        };
        let scripts = ScriptNames::read(&mount, &mut Limits::with_structures(STRUCTURES));
        let scripts = Arc::new(scripts.unwrap_or_else(|error| {
            unnamed(error);
            ScriptNames::default()
        }));
        Ok(Self { mount, entries, scripts, options })
    }

    /// Opens a package.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn package(&self, entry: MountedEntry) -> Result<AssetPackage, Error> {
        let limits = &mut Limits::with_structures(STRUCTURES);
        Ok(self.mount.open_package(entry, self.options.version, limits)?.with_scripts(&self.scripts))
    }

    /// Returns the package of the class and the class of an object of the game, by its package and its name.
    #[must_use]
    pub fn class_of(&self, of: &str, name: &str) -> Option<(String, String)> {
        let wanted = |entry: &MountedEntry| {
            let known = self.mount.is_package(*entry).then(|| self.mount.package_name(*entry)).flatten();
            known.is_some_and(|known| known.eq_ignore_ascii_case(of))
        };
        let entry = self.mount.entries().find(wanted)?;
        let package = self.package(entry).ok()?;
        let mut exports = (0..package.len()).filter_map(|number| package.export(number));
        let class = exports.find(|export| export.name.eq_ignore_ascii_case(name))?.class?.to_string();
        let (of, class) = class.split_once('.')?;
        Some((of.to_owned(), class.to_owned()))
    }

    /// Returns whether the objects of a package are in a separate file.
    #[must_use]
    pub fn is_split(&self, entry: MountedEntry) -> bool {
        self.mount.objects_of(entry).is_some()
    }

    /// Describes the tables of a package, and the sounds in it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn tables(&self, entry: MountedEntry) -> Result<PackageRow, Unread> {
        PackageRow::read(self, entry).map_err(|error| self.unread(entry, error))
    }

    pub(crate) fn unread(&self, entry: MountedEntry, error: Error) -> Unread {
        Unread { label: self.mount.label(entry), object: None, error }
    }
}

/// Returns whether a file is a package of Unreal Engine 1 to 3. One that cannot be read is none: whoever opens it says
/// why.
#[must_use]
pub fn is_classic(files: &dyn Files, file: &Path) -> bool {
    let source = if files.is_file(file) { files.open(file).ok() } else { None };
    let Some(source) = source else { return false };
    let length = usize::try_from(source.len()).unwrap_or(usize::MAX).min(PROBE_LENGTH);
    let mut head = vec![0; length];
    let is_read = source.read_at(0, &mut head).is_ok();
    is_read && matches!(probe(&head), Probe::Package(_) | Probe::Wrapped(_))
}
