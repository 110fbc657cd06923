//! Which packages of a game are meant, and what is known of the game.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use exporter::OutputFile;
use importer::GameOptions;
use modkit::unpack::OBJECTS;
use unreal::container::ScriptNames;
use unreal::container::mount::{Mount, MountedEntry};
use unreal::{Error, GamePackage, Limits, PackageBytes};

use crate::args::PackageArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game;

/// Bytes that the names of a game's code, or a package, may take.
pub(super) const STRUCTURES: u64 = 1 << 30;

/// Packages of a game.
pub(super) struct Packages {
    pub(super) mount: Mount,
    /// Those that are meant.
    pub(super) entries: Vec<MountedEntry>,
    /// What the classes of the game are called.
    pub(super) scripts: Arc<ScriptNames>,
    pub(super) options: GameOptions,
    /// Whether some containers could not be opened.
    pub(super) exit: Exit,
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
        let (mount, exit) = super::open(&args.game, threads, console)?;
        let entries: Vec<MountedEntry> = match &args.path {
            Some(path) => vec![find(&mount, path, args)?],
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
        Ok(Self { mount, entries, scripts, options, exit })
    }

    /// Opens a package.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn package(&self, entry: MountedEntry) -> Result<GamePackage<'_>, Error> {
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

    /// Returns whether the objects of a package lie in a file of their own.
    pub(super) fn is_split(&self, entry: MountedEntry) -> bool {
        self.mount.objects_of(entry).is_some()
    }
}

/// Finds a package by the path of its entry, or by its own: `/Game/Audio/SW_Steps`.
fn find(mount: &Mount, path: &str, args: &PackageArgs) -> Result<MountedEntry, Failure> {
    let is_package = |entry: &MountedEntry| mount.is_package(*entry) && !mount.is_overridden(*entry);
    let by_path = || mount.at_path(path).filter(is_package);
    let by_name = || {
        let wanted =
            path.trim_start_matches('/').split_once('/').map(|(_, rest)| format!("/Content/{rest}."))?;
        mount.entries().filter(is_package).find(|entry| {
            let label = mount.label(*entry);
            label.to_lowercase().contains(&wanted.to_lowercase())
        })
    };
    by_path().or_else(by_name).ok_or_else(|| {
        Failure::new(Exit::Unreadable, format!("no package {path} in {}", args.game.file.display()))
            .hint("`usampler asset ls --filter '*.uasset'` lists them")
    })
}

/// Writes a package, its objects to a file beside it if they have one.
///
/// # Errors
/// If a file is in the way, or cannot be written.
pub(super) fn write(
    path: &Path,
    bytes: &PackageBytes,
    is_split: bool,
    force: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let failed = |path: &Path, error: &std::io::Error| Failure::of_output(&path.display().to_string(), error);
    let mut header = OutputFile::create(path, force)?;
    header.write_all(&bytes.header).map_err(|error| failed(path, &error))?;
    if !is_split {
        header.write_all(&bytes.objects).map_err(|error| failed(path, &error))?;
        return Ok(header.publish(out)?);
    }
    let objects_path = path.with_extension(OBJECTS);
    let mut objects = OutputFile::create(&objects_path, force)?;
    objects.write_all(&bytes.objects).map_err(|error| failed(&objects_path, &error))?;
    objects.publish(out)?;
    Ok(header.publish(out)?)
}
