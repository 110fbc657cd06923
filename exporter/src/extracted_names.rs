//! What the files of extracted sounds are called, below one folder.
//!
//! ```text
//! package     <package>/<Group.Name>.wav
//! its alone   <Group.Name>.wav
//! game        Game/Audio/<Name>.wav        folders as in the game
//! asset       <Name>.wav                   one package of a game
//! flat        <Group.Name>.wav, <Game_Audio_Name>.wav
//! ```
//!
//! The second of a name ends in `~2`, be it of another package, and if only its case differs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::UniqueNames;
use crate::filename::safe;

/// Where the files of a package or game go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileLayout {
    /// A folder for the package.
    Package,
    /// No folder: there are no other packages.
    Alone,
    /// The folders of the game.
    Game,
    /// No folder, and no paths: one package of a game.
    Asset,
    /// One folder for all.
    Flat,
}

/// The names that were given below one folder, to all packages and games together.
#[derive(Debug)]
pub struct ExtractedNames {
    /// Of folders right below: of packages, and the topmost ones of games.
    folders: UniqueNames,
    /// Of files right below, without their extensions.
    files: UniqueNames,
    /// Of files for all sounds of a package, without their extensions.
    wholes: UniqueNames,
    /// Of files of games: their paths, without their extensions.
    paths: UniqueNames,
    /// What the topmost folders of games are called.
    tops: HashMap<String, String>,
}

impl Default for ExtractedNames {
    fn default() -> Self {
        let [folders, files, wholes, paths] = [(); 4].map(|()| UniqueNames::of_files());
        Self { folders, files, wholes, paths, tops: HashMap::new() }
    }
}

/// The names of the files of one package or game.
#[derive(Debug)]
pub struct PackageNames<'n> {
    /// The folder of its files; nothing for the one that all are below.
    pub folder: PathBuf,
    /// What a file for all its sounds is called, without its extension.
    pub whole: String,
    given: Given<'n>,
}

#[derive(Debug)]
enum Given<'n> {
    /// In a folder where no other package has files.
    Own(UniqueNames),
    /// In a folder with files of others.
    Shared(&'n mut ExtractedNames),
    /// The last part of a path alone, in a folder with files of others.
    Last(&'n mut ExtractedNames),
    /// In the folders of a game.
    Tree(&'n mut ExtractedNames),
}

impl ExtractedNames {
    /// Returns the names for a package or game that is called so.
    pub fn of_package(&mut self, name: &str, layout: FileLayout) -> PackageNames<'_> {
        let name = safe(name);
        let own = || Given::Own(UniqueNames::of_files());
        match layout {
            FileLayout::Package => {
                let folder = self.folders.unique(&name).into();
                PackageNames { folder, whole: name, given: own() }
            }
            FileLayout::Alone => PackageNames { folder: PathBuf::new(), whole: name, given: own() },
            FileLayout::Game | FileLayout::Asset | FileLayout::Flat => {
                // Sounds never have the extension of a file for all of them.
                let whole = self.wholes.unique(&name);
                let given = match layout {
                    FileLayout::Game => Given::Tree(self),
                    FileLayout::Asset => Given::Last(self),
                    _ => Given::Shared(self),
                };
                PackageNames { folder: PathBuf::new(), whole, given }
            }
        }
    }
}

impl PackageNames<'_> {
    /// Returns the names for what has a folder of its own.
    #[must_use]
    pub fn of_folder(folder: PathBuf, name: &str) -> Self {
        PackageNames { folder, whole: safe(name), given: Given::Own(UniqueNames::of_files()) }
    }

    /// Returns what one of several files for its sounds is called, without its extension: `NAME-1`.
    pub fn part(&mut self, number: usize) -> String {
        let name = format!("{}-{number}", self.whole);
        match &mut self.given {
            Given::Own(_) => name,
            Given::Shared(names) | Given::Last(names) | Given::Tree(names) => names.wholes.unique(&name),
        }
    }

    /// Returns the path of a sound's file without its extension, by the sound's path in the package or game; unique
    /// without that, since `Fire.wav` and `Fire.xm` of one package would be taken for one another.
    pub fn unique(&mut self, path: &str) -> PathBuf {
        // The paths of a game begin at its root.
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let below = match &mut self.given {
            Given::Own(names) => names.unique(&safe(path)),
            Given::Shared(names) => names.files.unique(&safe(path.strip_prefix('/').unwrap_or(path))),
            Given::Last(names) => names.files.unique(&safe(name)),
            Given::Tree(names) => names.in_tree(folders, name),
        };
        self.folder.join(below)
    }
}

impl ExtractedNames {
    /// Returns the path of a file in the folders of a game.
    fn in_tree(&mut self, folders: &str, name: &str) -> String {
        let mut path = String::new();
        for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
            // No file is called as a folder is: these have no extension.
            let folder = safe(folder).replace('.', "_");
            if path.is_empty() {
                let given = || self.folders.unique(&folder);
                path.push_str(self.tops.entry(folder.to_lowercase()).or_insert_with(given));
            } else {
                path.push_str(&folder);
            }
            path.push('/');
        }
        path.push_str(&safe(name));
        if folders.is_empty() { self.files.unique(&path) } else { self.paths.unique(&path) }
    }
}

/// Returns the first path of a series at which nothing is: `folder/name`, `folder/name~2` and so on, with the
/// extension. Names that were given before are passed over.
pub fn free_path(folder: &Path, name: &str, extension: Option<&str>, given: &mut UniqueNames) -> PathBuf {
    let name = safe(name);
    loop {
        let mut unique = given.unique(&name);
        if let Some(extension) = extension {
            unique.push('.');
            unique.push_str(extension);
        }
        let path = folder.join(unique);
        if path.symlink_metadata().is_err() {
            return path;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &mut ExtractedNames, package: &str, layout: FileLayout, sounds: &[&str]) -> Vec<String> {
        let mut names = names.of_package(package, layout);
        let path = |sound: &&str| names.unique(sound).to_str().unwrap().replace('\\', "/");
        sounds.iter().map(path).collect()
    }

    #[test]
    fn a_package_has_a_folder_and_a_second_of_its_name_another() {
        let mut names = ExtractedNames::default();
        let sounds = ["Drums.Kick", "drums.kick", "Snare"];
        let first = named(&mut names, "Bank", FileLayout::Package, &sounds);
        assert_eq!(first, ["Bank/Drums.Kick", "Bank/drums.kick~2", "Bank/Snare"]);
        assert_eq!(named(&mut names, "bank", FileLayout::Package, &["Snare"]), ["bank~2/Snare"]);
        assert_eq!(named(&mut names, "Bank", FileLayout::Alone, &["Snare"]), ["Snare"]);
    }

    #[test]
    fn the_folders_of_a_game_are_kept() {
        let mut names = ExtractedNames::default();
        let sounds =
            ["/Game/Slider/A_Release", "/Game/slider/a_release", "/Game/A.One", "/Game/A.Two", "/Plugin/A"];
        let game = named(&mut names, "MyGame", FileLayout::Game, &sounds);
        let expected =
            ["Game/Slider/A_Release", "Game/slider/a_release~2", "Game/A.One", "Game/A.Two", "Plugin/A"];
        assert_eq!(game, expected);
        // Another game goes on in them.
        assert_eq!(named(&mut names, "MyGame", FileLayout::Game, &["/Game/A.One"]), ["Game/A.One~2"]);
    }

    #[test]
    fn packages_and_games_do_not_share_folders() {
        let mut names = ExtractedNames::default();
        assert_eq!(named(&mut names, "Game", FileLayout::Package, &["A"]), ["Game/A"]);
        assert_eq!(
            named(&mut names, "X", FileLayout::Game, &["/Game/A", "/game/B"]),
            ["Game~2/A", "Game~2/B"]
        );
        assert_eq!(named(&mut names, "game~2", FileLayout::Package, &["A"]), ["game~2~2/A"]);
    }

    #[test]
    fn one_asset_has_no_folder() {
        let mut names = ExtractedNames::default();
        assert_eq!(
            named(&mut names, "A", FileLayout::Asset, &["/Game/Slider/A", "/Game/Slider/A.B"]),
            ["A", "A.B"]
        );
        assert_eq!(named(&mut names, "A", FileLayout::Asset, &["/Game/Other/a"]), ["a~2"]);
    }

    #[test]
    fn flat_files_have_their_paths_in_their_names() {
        let mut names = ExtractedNames::default();
        let layout = FileLayout::Flat;
        assert_eq!(named(&mut names, "X", layout, &["/Game/Audio/A"]), ["Game_Audio_A"]);
        assert_eq!(
            named(&mut names, "Y", layout, &["Drums.Kick", "Game_Audio_A"]),
            ["Drums.Kick", "Game_Audio_A~2"]
        );
    }

    #[test]
    fn no_path_of_a_game_leads_out_of_the_folder_or_to_a_device() {
        let mut names = ExtractedNames::default();
        let sounds = [
            "/../../up",
            "//etc//x",
            "/Game/CON/nul",
            "/Game/a\\b/c:d",
            "/Game/.wav/x",
            "/",
            "/Game/x.wav/y",
        ];
        let found = named(&mut names, "X", FileLayout::Game, &sounds);
        let expected =
            ["_/_/up", "etc/x", "Game/_CON/_nul", "Game/a_b/c_d", "Game/__wav/x", "_", "Game/x_wav/y"];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_free_path_is_over_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Wind.wav"), b"x").unwrap();
        std::fs::create_dir(folder.path().join("Wind")).unwrap();
        let mut given = UniqueNames::of_files();
        let mut next = |extension| free_path(folder.path(), "Wind", extension, &mut given);
        assert_eq!(next(Some("wav")), folder.path().join("Wind~2.wav"));
        assert_eq!(next(None), folder.path().join("Wind~3"));
    }
}
