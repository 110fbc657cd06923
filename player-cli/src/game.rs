//! Games on the command line: containers, and the keys that open them.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use directories::ProjectDirs;
use exporter::Overwrite;
use importer::GameOptions;
use importer::open::{Disk, Files, GameError, GameMount, LeftOut};
use modkit::packages::is_classic;
use modkit::written::WrittenMods;
use player::game_remarks;
use unreal::AssetVersion;
use unreal::{Error, ErrorKind, FileSource, KeyRing};

use crate::args::CipherArgs;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::memory;
use crate::view::typed;

/// Where a key is looked for besides the command line.
const VARIABLE: &str = "USAMPLER_AES";

/// What of a game could not be opened, in words.
pub struct GameState {
    /// What could not be opened, and why.
    pub warnings: Vec<String>,
    /// What was left out on purpose.
    pub notes: Vec<String>,
    /// Whether all could be opened.
    pub exit: Exit,
}

/// Returns what is known of the packages of a game.
///
/// # Errors
/// [`Exit::Unreadable`] if the mappings cannot be read.
pub fn options(version: Option<AssetVersion>, usmap: Option<&Path>) -> Result<GameOptions, Failure> {
    let Some(path) = usmap else { return Ok(GameOptions { version, mappings: None }) };
    let failure = |message: String| Failure::new(Exit::Unreadable, message);
    let label = path.display();
    let source = FileSource::open(path).map_err(|error| cannot_read(path, &error))?;
    let mappings = GameOptions::read_mappings(&source);
    let mappings = mappings.map_err(|error| failure(format!("{label}: {error}")))?;
    Ok(GameOptions { version, mappings: Some(mappings) })
}

/// Returns where it is remembered which mods were written.
#[must_use]
pub fn written_mods() -> WrittenMods {
    let folders = ProjectDirs::from("", "", "usampler");
    WrittenMods::in_folder(folders.map(|folders| folders.data_dir().join("mods")))
}

/// Keeps what was read from being overwritten, and of a game all containers that were not written here.
#[must_use]
pub fn kept(overwrite: Overwrite, read: Vec<PathBuf>) -> Overwrite {
    overwrite.with_rule(written_mods().rule(&read)).keeping(read)
}

/// Returns the keys that were given, here and in the environment, and the game whose cipher is used.
///
/// # Errors
/// [`Exit::Usage`] if one is none.
pub fn keys(args: &CipherArgs) -> Result<KeyRing, Failure> {
    let mut ring = KeyRing::for_game(args.game);
    let from_environment = std::env::var(VARIABLE).ok();
    for text in args.keys.aes.iter().chain(&from_environment) {
        let added = importer::open::add_key(&mut ring, text);
        added.map_err(|error| Failure::new(Exit::Usage, format!("--aes: {error}")))?;
    }
    Ok(ring)
}

/// Opens a container, or all below a folder, with the keys that were given. Its tables may take as much memory as
/// decoded audio.
///
/// # Errors
/// [`Exit::Usage`] if a key is none; [`Exit::Unreadable`] if there are no containers, or none can be opened.
pub fn open(path: &Path, args: &CipherArgs, threads: NonZeroUsize) -> Result<(GameMount, KeyRing), Failure> {
    let ring = keys(args)?;
    let most = memory::shared_budget(None).memory_left();
    let disk: Arc<dyn Files> = Arc::new(Disk);
    let game = GameMount::open_within(&disk, path, &ring, threads, most).map_err(failure)?;
    if game.mount.containers().is_empty() {
        return Err(nothing_opened(&game, path, &ring, None));
    }
    Ok((game, ring))
}

/// Returns the failure of a game that cannot be opened.
#[must_use]
pub fn failure(error: GameError) -> Failure {
    let failure = Failure::new(Exit::Unreadable, error.to_string());
    match error {
        GameError::Io { path, error } => cannot_read(&path, &error),
        GameError::NoContainers(path) => {
            let path = typed(&path.display().to_string());
            failure.hint(format!(
                "`usampler list {path}` lists the sounds below it; `play`, `jam` and `extract` take it too"
            ))
        }
        _ => failure,
    }
}

/// Returns the reason why a container was left out; `memory` is the user's limit.
fn left_out_text(LeftOut { path, error }: &LeftOut, ring: &KeyRing, memory: Option<u64>) -> String {
    let is_over = memory.is_some() && matches!(error.kind(), ErrorKind::OverLimit { .. });
    memory::with_hint(&format!("{}: {}", path.display(), why(error, ring)), is_over)
}

/// Returns the failure of a game of which nothing could be opened; `memory` is the user's limit.
#[must_use]
pub fn nothing_opened(game: &GameMount, path: &Path, ring: &KeyRing, memory: Option<u64>) -> Failure {
    let label = path.display();
    if is_classic(&Disk, path) {
        let message = format!("{label} is a package of Unreal Engine 1 to 3, not a container");
        let typed = typed(&label.to_string());
        return Failure::new(Exit::Unreadable, message)
            .hint(format!("`usampler asset show {typed}` and `usampler list {typed}` take it"));
    }
    let mut reasons = game.left_out.iter().map(|left_out| left_out_text(left_out, ring, memory));
    let first = reasons.next().unwrap_or_else(|| GameError::NoContainers(path.to_owned()).to_string());
    reasons.fold(Failure::new(Exit::Unreadable, first), Failure::hint)
}

/// Returns what of a game could not be opened; `memory` is the user's limit.
#[must_use]
pub fn state(game: &GameMount, ring: &KeyRing, memory: Option<u64>) -> GameState {
    let exit = if game.is_whole() { Exit::Done } else { Exit::Partly };
    let warnings = game_remarks::warnings(game, |one| left_out_text(one, ring, memory));
    GameState { warnings, notes: game_remarks::notes(game), exit }
}

/// Returns why something of a game cannot be read; of what is encrypted, which key it needs first.
#[must_use]
pub fn why(error: &Error, keys: &KeyRing) -> String {
    importer::open::unread_reason(error, keys, "give its key with --aes")
}

/// Returns the failure of a file or folder that cannot be read.
#[must_use]
pub fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::Unreadable, format!("cannot read {}: {}", path.display(), reason(error)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fixtures::pak::{PakEntry, PakWriter};

    use super::*;

    #[test]
    fn games_in_folders_are_told_apart() {
        let identity = |data: &[u8]| {
            let folder = tempfile::tempdir().unwrap();
            let entries = vec![PakEntry::new("A.ini", data)];
            fs::write(folder.path().join("Game.pak"), PakWriter { entries, ..PakWriter::new(11) }.finish())
                .unwrap();
            let opened = open(folder.path(), &CipherArgs::default(), NonZeroUsize::MIN);
            opened.unwrap_or_else(|_| panic!("a game")).0.identity()
        };
        assert_eq!(identity(b"one"), identity(b"two"));
        assert_ne!(identity(b"one"), identity(b"three"));
    }
}
