//! Which packages of a game are meant, and what is known of the game.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exporter::{OutputFile, Overwrite, Publication};
use importer::GameOptions;
use modkit::resolve::{ResolveError, Wanted, resolve};
use modkit::unpack::OBJECTS;
use unreal::containers::mount::{Mount, MountedEntry};
use unreal::ue4to6::zen::ScriptNames;
use unreal::{AssetPackage, Error, KeyRing, Limits, PackageBytes};

use super::MountedGame;
use crate::args::PackageArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game;
use crate::view::typed;

/// Bytes that the names of a game's code, or a package, may take.
pub(super) const STRUCTURES: u64 = 1 << 30;

/// Packages of a game.
pub(super) struct Packages {
    pub(super) mount: Arc<Mount>,
    /// Those that are meant.
    pub(super) entries: Vec<MountedEntry>,
    /// What the classes of the game are called.
    pub(super) scripts: Arc<ScriptNames>,
    pub(super) options: GameOptions,
    /// Keys of encrypted containers.
    pub(super) keys: KeyRing,
    /// Whether some containers could not be opened.
    pub(super) exit: Exit,
    /// All files that are read.
    files: Vec<PathBuf>,
}

impl Packages {
    /// Opens a game, and finds the packages that are meant.
    ///
    /// # Errors
    /// If nothing can be opened, or there is no such package.
    pub(super) fn open(
        args: &PackageArgs,
        threads: NonZeroUsize,
        console: &mut Console<'_>,
    ) -> Result<Self, Failure> {
        let options = game::options(args.engine, args.usmap.as_deref())?;
        let MountedGame { mount, exit, mut files } = super::open(&args.game, threads, console)?;
        files.extend(args.usmap.clone());
        let entries: Vec<MountedEntry> = match &args.path {
            Some(path) => vec![find(&mount, path, Wanted::Package, &args.game.file)?],
            None => {
                let is_meant =
                    |entry: &MountedEntry| mount.is_package(*entry) && !mount.is_overridden(*entry);
                mount.entries().filter(is_meant).collect()
            }
        };
        let scripts = ScriptNames::read(&mount, &mut Limits::with_structures(STRUCTURES));
        let scripts = Arc::new(scripts.unwrap_or_else(|error| {
            console.warn(format_args!("the names of the game's code cannot be read: {error}"));
            ScriptNames::default()
        }));
        let keys = game::keys(&args.game.keys)?;
        Ok(Self { mount, entries, scripts, options, keys, exit, files })
    }

    /// Opens a package.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn package(&self, entry: MountedEntry) -> Result<AssetPackage, Error> {
        let limits = &mut Limits::with_structures(STRUCTURES);
        Ok(self.mount.open_package(entry, self.options.version, limits)?.with_scripts(&self.scripts))
    }

    /// Returns the package of the class and the class of an object of the game, by its package and its name.
    pub(super) fn class_of(&self, of: &str, name: &str) -> Option<(String, String)> {
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

    /// Returns the only package that is meant.
    ///
    /// # Errors
    /// If it is none, or several are.
    pub(super) fn only(&self, what: &str) -> Result<MountedEntry, Failure> {
        match &self.entries[..] {
            [entry] => Ok(*entry),
            entries => {
                let failure = Failure::new(
                    Exit::Usage,
                    format!("{what} is for one package, here are {}", entries.len()),
                );
                Err(failure.hint("PATH names it"))
            }
        }
    }

    /// Returns which files an output may replace: none of those that are read.
    pub(super) fn overwrite(&self, force: bool) -> Overwrite {
        game::kept(Overwrite::forced(force), self.files.clone())
    }

    /// Returns whether the objects of a package lie in a file of their own.
    pub(super) fn is_split(&self, entry: MountedEntry) -> bool {
        self.mount.objects_of(entry).is_some()
    }
}

/// Returns whether a file is a package of Unreal Engine 1 to 3; then it is the only one, so that no name is needed.
///
/// # Errors
/// If one is named all the same.
pub(super) fn is_classic(args: &PackageArgs) -> Result<bool, Failure> {
    let file = &args.game.file;
    if !game::is_classic(file) {
        return Ok(false);
    }
    match &args.path {
        None => Ok(true),
        Some(path) => {
            let message = format!("{} is one package, so that {path} names nothing in it", file.display());
            Err(Failure::new(Exit::Usage, message).hint("leave PATH out"))
        }
    }
}

/// Finds the package or entry that a name stands for.
///
/// # Errors
/// If several are called that, which are listed, or none, with those that are called nearly so.
pub(super) fn find(mount: &Mount, name: &str, wanted: Wanted, file: &Path) -> Result<MountedEntry, Failure> {
    resolve(mount, name, wanted).map_err(|error| unresolved(&error, file))
}

/// Returns the failure of a name that stands for nothing in a game, or for several things.
pub(super) fn unresolved(error: &ResolveError, file: &Path) -> Failure {
    let label = file.display();
    match error {
        ResolveError::Ambiguous { candidates, .. } => {
            let failure = Failure::new(Exit::Usage, format!("{error} in {label}"));
            some(failure.hint("give more of the path:"), candidates)
        }
        ResolveError::Unknown { wanted, near, .. } => {
            let failure = Failure::new(Exit::Unreadable, format!("{error} in {label}"));
            let failure = match &near[..] {
                [] => failure,
                [one] => failure.hint(format!("did you mean {one}?")),
                several => some(failure.hint("did you mean one of these?"), several),
            };
            let filter = if *wanted == Wanted::Package { " --filter .uasset" } else { "" };
            failure.hint(format!("`usampler asset ls {}{filter}` lists all", typed(&label.to_string())))
        }
        error => Failure::new(Exit::Unreadable, error.to_string()),
    }
}

/// With the first of several paths.
fn some(failure: Failure, paths: &[String]) -> Failure {
    const SHOWN: usize = 10;
    let failure = paths.iter().take(SHOWN).fold(failure, |failure, path| failure.hint(format!("  {path}")));
    match paths.len().saturating_sub(SHOWN) {
        0 => failure,
        more => failure.hint(format!("  and {more} more")),
    }
}

/// Writes a package, its objects to a file beside it if they have one; returns what puts them to their places.
///
/// # Errors
/// If a file is in the way, or cannot be written.
pub(super) fn write(
    path: &Path,
    bytes: &PackageBytes,
    is_split: bool,
    overwrite: &Overwrite,
) -> Result<Publication, Failure> {
    let failed = |path: &Path, error: &std::io::Error| Failure::of_output(&path.display().to_string(), error);
    let mut header = OutputFile::create_with_folders(path, overwrite)?;
    header.write_all(&bytes.header).map_err(|error| failed(path, &error))?;
    if !is_split {
        header.write_all(&bytes.objects).map_err(|error| failed(path, &error))?;
        return Ok(Publication::new(vec![header], 1));
    }
    let objects_path = path.with_extension(OBJECTS);
    let mut objects = OutputFile::create(&objects_path, overwrite)?;
    objects.write_all(&bytes.objects).map_err(|error| failed(&objects_path, &error))?;
    // The objects are found by their package.
    Ok(Publication::new(vec![objects, header], 1))
}
