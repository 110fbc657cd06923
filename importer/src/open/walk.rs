//! Folders on the command line: every package and tracker module below them, known by its content, and the files of
//! audio.

use std::io;
use std::path::{Path, PathBuf};

use super::archive;
use super::audio_folder::is_audio;
use super::bank_folder::is_bank_file;
use super::files::{FileType, Files, FolderEntry};
use super::game;
use crate::probe::probe_source;
use crate::{FileKind, GameFileKind};
use unreal::NotPackage;

/// The files that are meant by what was typed.
#[derive(Debug, Default)]
pub struct Walk {
    /// As typed, or below a folder that was; those in order of their names. A folder with files of a game of Unreal
    /// Engine 4 or later stands for all of these, and one with files of audio for these if it is no game's.
    pub files: Vec<PathBuf>,
    /// Whether a folder was among what was typed.
    pub has_folders: bool,
    /// Files below folders that are neither packages nor modules nor audio.
    pub ignored: usize,
    /// Links to folders, which are not followed: they can lead in circles.
    pub folder_links: Vec<PathBuf>,
    /// Files of games of Unreal Engine 4 or later, and of audio, for which their folders stand.
    pub game_files: GameFileCount,
    /// Files of audio and sound banks below folders.
    pub audio_files: Vec<PathBuf>,
    /// What could not be looked at, and why.
    pub unreadable: Vec<(PathBuf, io::Error)>,
}

/// How many packages and containers a game has in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFileCount {
    /// Folders that stand for games or files of audio.
    pub games: usize,
    /// Loose packages.
    pub packages: usize,
    /// Containers.
    pub containers: usize,
    /// Files of audio.
    pub audio: usize,
    /// Sound banks, and media beside them.
    pub banks: usize,
}

impl GameFileCount {
    fn add(&mut self, kind: GameFileKind) {
        match kind {
            GameFileKind::Pak | GameFileKind::IoStore => count(&mut self.containers, 1),
            _ => count(&mut self.packages, 1),
        }
    }

    fn is_empty(self) -> bool {
        self.packages == 0 && self.containers == 0
    }
}

fn count(counter: &mut usize, more: usize) {
    *counter = counter.saturating_add(more);
}

impl Walk {
    /// Goes through all that was typed.
    #[must_use]
    pub fn of(files: &dyn Files, typed: &[PathBuf]) -> Self {
        let mut walk = Self::default();
        for path in typed {
            if files.is_folder(path) {
                walk.has_folders = true;
                walk.folder(files, path);
            } else {
                walk.files.push(path.clone());
            }
        }
        walk
    }

    /// Links to folders are not followed: they can lead in circles.
    fn folder(&mut self, files: &dyn Files, top: &Path) {
        let mut folders = vec![(top.to_owned(), false)];
        let (before, audio_before) = (self.files.len(), self.audio_files.len());
        // What lies below folders of copies counts where there is nothing else.
        let (mut game, mut copied) = (GameFileCount::default(), GameFileCount::default());
        while let Some((folder, is_copy)) = folders.pop() {
            let mut entries = match files.list(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.unreadable.push((folder, error));
                    continue;
                }
            };
            entries.sort_by(|one, other| one.name.cmp(&other.name));
            let is_folder = |entry: &FolderEntry| entry.file_type == FileType::Folder;
            let (below, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| is_folder(entry));
            for entry in others {
                if let Some(kind) = self.file(files, folder.join(&entry.name)) {
                    if is_copy { &mut copied } else { &mut game }.add(kind);
                }
            }
            let copies = |entry: &FolderEntry| game::copies(&entry.name).is_some();
            let below = below.into_iter().rev();
            folders.extend(below.map(|entry| (folder.join(&entry.name), is_copy || copies(entry))));
        }
        let game = if game.is_empty() { copied } else { game };
        let audio = self.audio_files.len().saturating_sub(audio_before);
        let is_game = !game.is_empty();
        if is_game || audio > 0 {
            // All of it is one game, or one list of files.
            self.files.insert(before, top.to_owned());
            let all = &mut self.game_files;
            count(&mut all.games, 1);
            // A game is opened without files that are in no package.
            if is_game {
                count(&mut self.ignored, audio);
            } else {
                let found = self.audio_files.iter().skip(audio_before);
                let banks = found.filter(|path| is_bank_file(path)).count();
                count(&mut all.banks, banks);
                count(&mut all.audio, audio.saturating_sub(banks));
            }
            count(&mut all.packages, game.packages);
            count(&mut all.containers, game.containers);
        }
    }

    /// Adds a file; returns what it is of a game, which is opened as a whole.
    fn file(&mut self, files: &dyn Files, path: PathBuf) -> Option<GameFileKind> {
        if files.is_folder(&path) {
            self.folder_links.push(path);
            return None;
        }
        // Pipes and devices could be waited for without end.
        if !files.is_file(&path) {
            count(&mut self.ignored, 1);
            return None;
        }
        match files.open(&path).and_then(|source| probe_source(&*source)) {
            Ok(FileKind::GameFile(kind)) => return Some(kind).filter(|kind| kind.is_opened_with_others()),
            Ok(kind) if kind.is_opened() => self.files.push(path),
            Ok(FileKind::Other(NotPackage::Gzip | NotPackage::Zip)) if archive::is_named(&path) => {
                self.files.push(path);
            }
            Ok(_) if is_audio(&path) || is_bank_file(&path) => self.audio_files.push(path),
            Ok(_) if GameFileKind::of_extension(&path).is_some() => {}
            Ok(_) => count(&mut self.ignored, 1),
            Err(error) => self.unreadable.push((path, error)),
        }
        None
    }
}

/// Returns the folder that files are named from: the one that was typed, or that which several that were typed are
/// below; empty if there is none but the root. None if one file was typed.
#[must_use]
pub fn folder_of(files: &dyn Files, typed: &[PathBuf], found: &[PathBuf]) -> Option<PathBuf> {
    match typed {
        // A folder that is one game is one file.
        [file] => (files.is_folder(file) && found != [file.clone()]).then(|| file.clone()),
        several => {
            let parents = several.iter().map(|file| file.parent().unwrap_or(Path::new("")));
            parents.reduce(common_folder).map(Path::to_owned)
        }
    }
}

/// Returns what a file is called in a list of those that are named from a folder: its path below it. `name` is what the
/// folder itself is called.
#[must_use]
pub fn name_below(folder: &Path, file: &Path, name: &str) -> String {
    match file.strip_prefix(folder) {
        Ok(below) if below.as_os_str().is_empty() => name.to_owned(),
        Ok(below) => below.display().to_string(),
        Err(_) => file.display().to_string(),
    }
}

fn common_folder<'p>(one: &'p Path, other: &Path) -> &'p Path {
    let common = one.ancestors().find(|folder| other.starts_with(folder));
    common.filter(|folder| folder.parent().is_some()).unwrap_or(Path::new(""))
}

#[cfg(test)]
mod tests {
    use fixtures::compressed::download;

    use std::fs;

    use super::*;
    use crate::open::Disk;

    #[test]
    fn files_are_named_from_the_folder_that_all_are_below() {
        let folder = |typed: &[&str]| {
            let typed: Vec<PathBuf> = typed.iter().map(PathBuf::from).collect();
            folder_of(&Disk, &typed, &typed)
        };
        assert_eq!(folder(&["a/b/x.uax", "a/c/y.uax"]), Some("a".into()));
        assert_eq!(folder(&["/a/b/x.uax", "/a/b/c/y.uax"]), Some("/a/b".into()));
        assert_eq!(folder(&["/a/x.uax", "/b/y.uax"]), Some("".into()));
        assert_eq!(folder(&["x.uax", "y.uax"]), Some("".into()));
        assert_eq!(folder(&["a/x.uax"]), None);
    }

    #[test]
    fn packages_are_found_below_a_folder_whatever_their_name_and_others_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let package = [0xC1, 0x83, 0x2A, 0x9E, 69, 0, 0, 0].repeat(8);
        fs::create_dir_all(folder.path().join("b/c")).unwrap();
        for (name, bytes) in [
            ("z.uax", &package[..]),
            ("a.txt", b"text, no package"),
            ("b/demo.uax.uz2", &download(&package).bytes),
            ("b/c/x.bin", &package),
            ("b/empty", b""),
            ("b/toc.utoc", b"-==--==--==--==- and so on"),
            ("b/toc.ucas", b"data"),
            ("b/toc_s1.ucas", b"more data"),
            ("b/alone_s1.ucas", b"data of nothing"),
            ("song.mdz", b"\x1F\x8B\x08 a gzip file"),
            ("other.gz", b"\x1F\x8B\x08 a gzip file"),
        ] {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let walk = Walk::of(&Disk, &[folder.path().to_owned(), PathBuf::from("typed")]);
        let names: Vec<_> =
            walk.files.iter().map(|path| path.strip_prefix(folder.path()).unwrap_or(path)).collect();
        assert_eq!(names, ["", "song.mdz", "z.uax", "b/demo.uax.uz2", "b/c/x.bin", "typed"].map(Path::new));
        assert_eq!((walk.ignored, walk.unreadable.len(), walk.has_folders), (3, 0, true));
    }
}
