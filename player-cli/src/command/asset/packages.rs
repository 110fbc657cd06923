//! Which packages of a game are meant, and what is known of the game.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use exporter::Overwrite;
use importer::open::Disk;
use modkit::GamePackages;
use modkit::serve::{ReportMessage, rows};
use unreal::KeyRing;
use unreal::containers::mount::MountedEntry;

use super::MountedGame;
use super::wording::{self, PrintedReport};
use crate::args::PackageArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game;

/// Packages of a game that a command is about.
pub(super) struct ChosenPackages {
    pub(super) packages: GamePackages,
    /// Files that are read.
    pub(super) files: Vec<PathBuf>,
    /// Keys of encrypted containers.
    pub(super) keys: KeyRing,
    /// Whether all containers could be opened.
    pub(super) exit: Exit,
}

impl ChosenPackages {
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
        let keys = game::keys(&args.game.cipher)?;
        let mut unnamed = |error| wording::say(&ReportMessage::Unnamed(&error), &keys, console);
        let packages = GamePackages::find(mount, args.path.as_deref(), options, &mut unnamed);
        let packages = packages.map_err(|error| wording::unresolved(&error, &args.game.file))?;
        Ok(Self { packages, files, keys, exit })
    }

    /// Returns the only package that is meant.
    ///
    /// # Errors
    /// If it is none, or several are.
    pub(super) fn only(&self, what: &str) -> Result<MountedEntry, Failure> {
        match &self.packages.entries[..] {
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

    /// Starts a report about the packages.
    pub(super) fn report<'r, 'c>(
        &'r self,
        args: &'r PackageArgs,
        console: &'r mut Console<'c>,
    ) -> PrintedReport<'r, 'c> {
        PrintedReport { file: &args.game.file, keys: &self.keys, exit: self.exit, console }
    }
}

/// Returns whether a file is a package of Unreal Engine 1 to 3; then it is the only one, so that no name is needed.
///
/// # Errors
/// If one is named all the same.
pub(super) fn is_classic(args: &PackageArgs) -> Result<bool, Failure> {
    let file = &args.game.file;
    rows::is_classic(&Disk, file, args.path.as_deref())
        .map_err(|error| wording::failure(error, file, &KeyRing::default()))
}
