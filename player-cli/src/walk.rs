//! Folders on the command line: every package and tracker module below them, known by its content.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use importer::probe::probe_source;
use importer::{FileKind, GameFileKind};
use unreal::FileSource;

/// The files that are meant by what was typed.
#[derive(Debug, Default)]
pub struct Walk {
    /// As typed, or below a folder that was; those in order of their names. A folder with files of a game of Unreal
    /// Engine 4 or later stands for all of these.
    pub files: Vec<PathBuf>,
    /// Whether a folder was among what was typed.
    pub has_folders: bool,
    /// Files below folders that are neither packages nor modules.
    pub ignored: usize,
    /// Links to folders, which are not followed: they can lead in circles.
    pub folder_links: Vec<PathBuf>,
    /// Files of games of Unreal Engine 4 or later, for which their folders stand.
    pub game_files: GameFileCount,
    /// What could not be looked at, and why.
    pub unreadable: Vec<(PathBuf, io::Error)>,
}

/// How many packages and containers a game has in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFileCount {
    /// Folders that stand for games.
    pub games: usize,
    /// Loose packages.
    pub packages: usize,
    /// Containers.
    pub containers: usize,
}

impl GameFileCount {
    fn add(&mut self, kind: GameFileKind) {
        match kind {
            GameFileKind::Pak | GameFileKind::IoStore => self.containers += 1,
            _ => self.packages += 1,
        }
    }

    fn is_empty(self) -> bool {
        self.packages + self.containers == 0
    }
}

impl Walk {
    /// Goes through all that was typed.
    #[must_use]
    pub fn of(typed: &[PathBuf]) -> Self {
        let mut walk = Self::default();
        for path in typed {
            if path.is_dir() {
                walk.has_folders = true;
                walk.folder(path);
            } else {
                walk.files.push(path.clone());
            }
        }
        walk
    }

    fn folder(&mut self, top: &Path) {
        let mut folders = vec![(top.to_owned(), false)];
        let before = self.files.len();
        // What lies below folders of copies counts where there is nothing else.
        let (mut game, mut copied) = (GameFileCount::default(), GameFileCount::default());
        while let Some((folder, is_copy)) = folders.pop() {
            let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
            let mut entries = match entries {
                Ok(entries) => entries,
                Err(error) => {
                    self.unreadable.push((folder, error));
                    continue;
                }
            };
            entries.sort_by_key(fs::DirEntry::file_name);
            let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
            let (below, files): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| is_folder(entry));
            for entry in files {
                if let Some(kind) = self.file(entry.path()) {
                    if is_copy { &mut copied } else { &mut game }.add(kind);
                }
            }
            let copies = |entry: &fs::DirEntry| modkit::game::copies(&entry.file_name()).is_some();
            folders.extend(below.into_iter().rev().map(|entry| (entry.path(), is_copy || copies(entry))));
        }
        let game = if game.is_empty() { copied } else { game };
        if !game.is_empty() {
            // All of it is one game.
            self.files.insert(before, top.to_owned());
            let all = &mut self.game_files;
            all.games += 1;
            all.packages += game.packages;
            all.containers += game.containers;
        }
    }

    /// Adds a file; returns what it is of a game, which is opened as a whole.
    fn file(&mut self, path: PathBuf) -> Option<GameFileKind> {
        if path.is_dir() {
            self.folder_links.push(path);
            return None;
        }
        // Pipes and devices could be waited for without end.
        if !path.is_file() {
            self.ignored += 1;
            return None;
        }
        match kind_of(&path) {
            Ok(FileKind::GameFile(kind)) => return Some(kind).filter(|kind| kind.is_opened_with_others()),
            Ok(kind) if kind.is_opened() => self.files.push(path),
            Ok(_) if GameFileKind::of_extension(&path).is_some() => {}
            Ok(_) => self.ignored += 1,
            Err(error) => self.unreadable.push((path, error)),
        }
        None
    }
}

fn kind_of(path: &Path) -> io::Result<FileKind> {
    probe_source(&FileSource::new(File::open(path)?)?)
}

#[cfg(test)]
mod tests {
    use fixtures::compressed::download;

    use super::*;

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
        ] {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let walk = Walk::of(&[folder.path().to_owned(), PathBuf::from("typed")]);
        let names: Vec<_> =
            walk.files.iter().map(|path| path.strip_prefix(folder.path()).unwrap_or(path)).collect();
        assert_eq!(names, ["", "z.uax", "b/demo.uax.uz2", "b/c/x.bin", "typed"].map(Path::new));
        assert_eq!((walk.ignored, walk.unreadable.len(), walk.has_folders), (2, 0, true));
    }
}
