//! What a modder has to do with a written mod: name it so that it overrides the game, and copy it there.

use std::path::{Path, PathBuf};

use unreal::container::mount::is_patch;

/// Where the containers of mods belong below the folder of a game's contents.
const MODS: &str = "Paks/~mods";

/// A written mod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// Its files, by their names: all with its stem that are there.
    pub files: Vec<String>,
    /// The folder to copy them to; with `…` in front if the game's is not known.
    pub folder: String,
    /// A name with which it overrides the game; none if it has one.
    pub patch_name: Option<String>,
}

impl Installation {
    /// Looks at a written container. `game` is the file or folder that was opened as the game.
    #[must_use]
    pub fn of(container: &Path, game: Option<&Path>) -> Self {
        let stem = container.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let parts = ["utoc", "ucas", "pak"].map(|extension| container.with_extension(extension));
        let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = parts.into_iter().filter(|path| path.is_file()).map(name).collect();
        let folder = game
            .and_then(paks_of)
            .map_or_else(|| format!("…/Content/{MODS}"), |paks| paks.join("~mods").display().to_string());
        Self { files, folder, patch_name: (!is_patch(&stem)).then(|| format!("{stem}_P")) }
    }
}

/// Returns the folder `Paks` of a game that was opened by a path in it, above it or at it.
fn paks_of(game: &Path) -> Option<PathBuf> {
    let is_paks = |path: &&Path| path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("Paks"));
    if let Some(paks) = game.ancestors().find(is_paks) {
        return Some(paks.to_owned());
    }
    let below = |folder: &Path| {
        let paks = ["Paks", "Content/Paks"].map(|below| folder.join(below));
        paks.into_iter().find(|path| path.is_dir())
    };
    // A project has its contents in a folder of its own name.
    below(game).or_else(|| {
        let folders = std::fs::read_dir(game).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        let mut folders: Vec<PathBuf> = folders.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders.iter().find_map(|folder| below(folder))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mod_is_copied_to_the_folder_of_its_game_and_named_as_a_patch() {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("Game");
        let paks = game.join("Shooter/Content/Paks");
        std::fs::create_dir_all(&paks).unwrap();
        std::fs::write(folder.path().join("My.utoc"), b"").unwrap();
        std::fs::write(folder.path().join("My.ucas"), b"").unwrap();
        let mods = paks.join("~mods").display().to_string();
        let container = folder.path().join("My.utoc");
        for opened in [&game, &game.join("Shooter"), &paks, &paks.join("Shooter.pak")] {
            let found = Installation::of(&container, Some(opened));
            assert_eq!(
                (&found.folder, &found.files[..]),
                (&mods, &["My.utoc".to_owned(), "My.ucas".to_owned()][..])
            );
            assert_eq!(found.patch_name.as_deref(), Some("My_P"));
        }
        for name in ["My_P.pak", "My_12_P.pak", "my_p.pak"] {
            assert_eq!(Installation::of(Path::new(name), None).patch_name, None, "{name}");
        }
        assert_eq!(Installation::of(Path::new("My.pak"), None).folder, "…/Content/Paks/~mods");
    }
}
