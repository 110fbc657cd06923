//! Mods that were written here, remembered so that in the folders of games only these are overwritten.
//!
//! ```text
//! container ──► folder and name ──► USER DATA/usampler/mods/KEY.json ──► length and hash of each of its files
//! ```
//!
//! A file per container. Before the new files are put to their places it has the old ones and the new ones, so that it
//! is right whenever the process is killed.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use exporter::{OutputFile, Overwrite, Verdict};
use serde::{Deserialize, Serialize};
use unreal::containers::mount::is_patch;

use crate::installing::is_paks;

/// Extensions of the files of containers.
const CONTAINER: [&str; 3] = ["pak", "utoc", "ucas"];

/// Bytes of a file that are hashed; of a larger one this many, in pieces at equal distances.
const HASHED: u64 = 64 << 20;

/// Bytes of such a piece.
const PIECE: u64 = 1 << 20;

/// Bytes of a record that are read: one with thousands of partitions has fewer.
const RECORD: u64 = 16 << 20;

/// Records of written mods.
#[derive(Clone, Debug, Default)]
pub struct WrittenMods {
    /// None where the user has no home: then nothing is remembered.
    folder: Option<PathBuf>,
}

/// The record of a container.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Record {
    /// Path of the container, for a person who reads the file.
    container: String,
    files: Vec<WrittenFile>,
}

/// A file as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WrittenFile {
    name: String,
    size: u64,
    blake3: String,
}

impl WrittenFile {
    /// Looks at the bytes of a file that is or will be at a path.
    fn of(mut file: &File, path: &Path) -> io::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let size = file.metadata()?.len();
        let mut hasher = blake3::Hasher::new();
        let pieces = if size <= HASHED { 1 } else { HASHED / PIECE };
        let piece = if size <= HASHED { size } else { PIECE };
        let last = size.saturating_sub(piece);
        for number in 0..pieces {
            let from = u128::from(last) * u128::from(number) / u128::from(pieces.saturating_sub(1).max(1));
            file.seek(SeekFrom::Start(u64::try_from(from).unwrap_or(last)))?;
            hasher.update_reader(file.take(piece))?;
        }
        Ok(Self { name, size, blake3: hasher.finalize().to_hex().to_string() })
    }
}

impl WrittenMods {
    /// Keeps records in a folder, which is made when the first is.
    #[must_use]
    pub const fn in_folder(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    /// Returns the rule for files of containers in the folders of games: only mods whose names end in `_P` may be
    /// overwritten, and only as they were written here. `opened` are the files of the games that were opened.
    ///
    /// Folders of a game are those with containers that were opened, and in these the ones whose names begin with `~`,
    /// where mods belong; and all below a folder `Paks`.
    pub fn rule(self, opened: &[PathBuf]) -> impl Fn(&Path) -> Verdict + Send + Sync + use<> {
        let containers = opened.iter().filter(|path| is_container(path));
        let mut folders: Vec<PathBuf> =
            containers.filter_map(|path| folder_of(path).canonicalize().ok()).collect();
        folders.sort();
        folders.dedup();
        move |path| {
            if !is_container(path) || !is_in_game(path, &folders) {
                return Verdict::NotConcerned;
            }
            if !is_patch(&stem(path)) {
                return Verdict::Kept(
                    "belongs to the game; only mods that end in _P are overwritten there".to_owned(),
                );
            }
            match self.remembers(path) {
                true => Verdict::Replaceable,
                false => Verdict::Kept("was not written by usampler, or not as it is now".to_owned()),
            }
        }
    }

    /// Returns whether a file of a container is as it was written here.
    fn remembers(&self, path: &Path) -> bool {
        let Some(record) = self.record_path(path).and_then(|record| read(&record)) else { return false };
        let file = File::open(path).and_then(|file| WrittenFile::of(&file, path));
        file.is_ok_and(|file| record.files.contains(&file))
    }

    /// Remembers files of one container that are about to be put to their places.
    ///
    /// # Errors
    /// If the record cannot be written; then what was remembered still is.
    pub fn remember(&self, files: &[(File, PathBuf)]) -> io::Result<PendingRecord> {
        let first = files.first().and_then(|(_, path)| Some((path, self.record_path(path)?)));
        let Some((path, record)) = first else { return Err(io::Error::other("there is no folder for data")) };
        let new: io::Result<Vec<WrittenFile>> =
            files.iter().map(|(file, path)| WrittenFile::of(file, path)).collect();
        let new = new?;
        let old = read(&record).unwrap_or_default().files;
        let replaced = |old: &&WrittenFile| !new.iter().any(|new| new.name == old.name);
        let left_over = old.iter().filter(replaced).map(|old| path.with_file_name(&old.name));
        let left_over = left_over.filter(|path| is_data(path) && self.remembers(path)).collect();
        let container = folder_of(path).canonicalize()?.join(stem(path)).display().to_string();
        let both = new.iter().chain(&old).cloned().collect();
        write(&record, &Record { container: container.clone(), files: both })?;
        Ok(PendingRecord { path: record, record: Record { container, files: new }, left_over })
    }

    /// Returns where the record of a file's container is.
    fn record_path(&self, file: &Path) -> Option<PathBuf> {
        let container = folder_of(file).canonicalize().ok()?.join(stem(file));
        let key = blake3::hash(container.as_os_str().as_encoded_bytes()).to_hex();
        Some(self.folder.as_ref()?.join(format!("{}.json", &key[..32])))
    }
}

/// Files that are remembered beside the ones that they replace.
#[derive(Debug)]
#[must_use]
pub struct PendingRecord {
    path: PathBuf,
    record: Record,
    left_over: Vec<PathBuf>,
}

impl PendingRecord {
    /// Returns the partitions of the old container that the new one does not have.
    #[must_use]
    pub fn left_over(&self) -> &[PathBuf] {
        &self.left_over
    }

    /// Forgets the old ones, once the new ones are in their places.
    ///
    /// # Errors
    /// If the record cannot be written; then both are remembered.
    pub fn settle(self) -> io::Result<()> {
        write(&self.path, &self.record)
    }
}

fn read(path: &Path) -> Option<Record> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(RECORD).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn write(path: &Path, record: &Record) -> io::Result<()> {
    fs::create_dir_all(folder_of(path))?;
    let mut output = OutputFile::create(path, &Overwrite::forced(true)).map_err(io::Error::other)?;
    output.write_all(&serde_json::to_vec(record)?)?;
    output.publish(&mut io::sink()).map_err(io::Error::other)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_container(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| CONTAINER.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

fn is_data(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ucas"))
}

/// Returns what the container of a file is called: of `Mod_s1.ucas` that is `Mod`.
fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_number = |(_, number): &(&str, &str)| number.parse::<u64>().is_ok();
    match stem.rsplit_once("_s").filter(is_number) {
        Some((first, _)) if is_data(path) => first.to_owned(),
        _ => stem.into_owned(),
    }
}

/// Returns whether a file is where a game looks for containers.
fn is_in_game(path: &Path, folders: &[PathBuf]) -> bool {
    let Ok(folder) = folder_of(path).canonicalize() else { return false };
    let is_mods =
        |below: &Path| below.iter().next().is_none_or(|first| first.as_encoded_bytes().starts_with(b"~"));
    folder.ancestors().any(is_paks)
        || folders.iter().filter_map(|game| folder.strip_prefix(game).ok()).any(is_mods)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(mods: &WrittenMods, opened: &[PathBuf], path: &Path) -> Verdict {
        mods.clone().rule(opened)(path)
    }

    #[test]
    fn in_a_folder_of_a_game_only_own_patches_are_replaceable() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("game/~mods")).unwrap();
        fs::create_dir_all(path("game/other")).unwrap();
        let mods = WrittenMods::in_folder(Some(path("data/mods")));
        let opened = [path("game/Base.utoc")];
        let files =
            ["game/Base.ucas", "game/My_P.pak", "game/~mods/My_P.pak", "game/~mods/My_P_s1.ucas", "My_P.pak"];
        for file in files {
            fs::write(path(file), file).unwrap();
        }
        let kept = |file: &str| matches!(verdict(&mods, &opened, &path(file)), Verdict::Kept(_));
        assert_eq!(files.map(kept), [true, true, true, true, false]);
        let written = |file: &str| vec![(File::open(path(file)).unwrap(), path(file))];
        for file in ["game/Base.ucas", "game/~mods/My_P.pak", "game/~mods/My_P_s1.ucas"] {
            mods.remember(&written(file)).unwrap().settle().unwrap();
        }
        // The last one has replaced the pak of its container.
        assert_eq!(files.map(kept), [true, true, true, false, false]);
        let mut both = written("game/~mods/My_P.pak");
        both.extend(written("game/~mods/My_P_s1.ucas"));
        mods.remember(&both).unwrap().settle().unwrap();
        assert_eq!(files.map(kept), [true, true, false, false, false]);
        // Another one of that name and length.
        fs::write(path("game/~mods/My_P.pak"), "game/~mods/My_Q.pak").unwrap();
        assert!(kept("game/~mods/My_P.pak"));
        // Below a game, but where none looks; no container; and a folder that is called as those of games are.
        fs::write(path("game/other/My_P.pak"), "").unwrap();
        fs::write(path("game/My_P.txt"), "").unwrap();
        assert!(!kept("game/other/My_P.pak") && !kept("game/My_P.txt"));
        fs::create_dir_all(path("Content/paks/LogicMods")).unwrap();
        fs::write(path("Content/paks/LogicMods/My_P.pak"), "").unwrap();
        assert!(kept("Content/paks/LogicMods/My_P.pak"));
    }

    #[test]
    fn until_it_is_settled_a_record_has_the_old_files_and_the_new_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mods = WrittenMods::in_folder(Some(path("data")));
        let pair = |name: &str| (File::open(path(name)).unwrap(), path(name));
        for name in ["M_P.ucas", "M_P_s1.ucas", "M_P.utoc"] {
            fs::write(path(name), "old").unwrap();
        }
        mods.remember(&[pair("M_P.ucas"), pair("M_P_s1.ucas"), pair("M_P.utoc")]).unwrap().settle().unwrap();
        for name in ["new.ucas", "new.utoc"] {
            fs::write(path(name), "new").unwrap();
        }
        let new = ["ucas", "utoc"].map(|extension| {
            (File::open(path(&format!("new.{extension}"))).unwrap(), path(&format!("M_P.{extension}")))
        });
        let remembered = mods.remember(&new).unwrap();
        assert_eq!(remembered.left_over(), [path("M_P_s1.ucas")]);
        assert!(mods.remembers(&path("M_P.utoc")));
        fs::rename(path("new.utoc"), path("M_P.utoc")).unwrap();
        assert!(mods.remembers(&path("M_P.utoc")) && mods.remembers(&path("M_P.ucas")));
        remembered.settle().unwrap();
        assert!(mods.remembers(&path("M_P.utoc")) && !mods.remembers(&path("M_P.ucas")));
    }

    #[test]
    fn a_file_is_known_by_its_last_byte_as_well_however_long_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("M_P.ucas");
        let file = File::create(&path).unwrap();
        file.set_len(HASHED + 12_345).unwrap();
        let before = WrittenFile::of(&File::open(&path).unwrap(), &path).unwrap();
        let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.seek(SeekFrom::End(-1)).unwrap();
        file.write_all(b"x").unwrap();
        let after = WrittenFile::of(&File::open(&path).unwrap(), &path).unwrap();
        assert_eq!(before.size, after.size);
        assert_ne!(before.blake3, after.blake3);
    }
}
