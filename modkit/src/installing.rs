//! What a modder has to do with a written mod: name it so that it overrides the game, and copy it there.

use std::path::{Path, PathBuf};

use unreal::containers::mount::is_patch;

/// Folder of mods below that of a game's contents.
const MODS: &str = "Paks/~mods";

/// A written mod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// Names of its files.
    pub files: Vec<String>,
    /// The folder to copy them to, with `…` in front if the game's is not known; none if a game reads them where they
    /// are.
    pub folder: Option<String>,
    /// A name with which it overrides whatever the game has; none if it has one.
    pub patch_name: Option<String>,
}

impl Installation {
    /// Looks at a written container. `game` is the file or folder that was opened as the game.
    #[must_use]
    pub fn of(container: &Path, game: Option<&Path>) -> Self {
        let stem = container.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_in_place = std::path::absolute(container).is_ok_and(|path| path.ancestors().any(is_paks));
        let folder = || {
            let paks = game.and_then(paks_of);
            paks.map_or_else(|| format!("…/Content/{MODS}"), |paks| paks.join("~mods").display().to_string())
        };
        let files = files_of(container, &stem);
        let patch_name = (!is_patch(&stem)).then(|| format!("{stem}_P"));
        Self { files, folder: (!is_in_place).then(folder), patch_name }
    }
}

/// Returns the names of the files that a container is made of: a `.pak` alone, a `.utoc` with its data, the further
/// partitions of that, and the `.pak` that the engine looks for beside it.
fn files_of(container: &Path, stem: &str) -> Vec<String> {
    let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if container.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("utoc")) {
        return vec![name(container.to_owned())];
    }
    let with = |extension: &str| container.with_extension(extension);
    let partition = |number: u32| container.with_file_name(format!("{stem}_s{number}.ucas"));
    let partitions = (1..).map(partition).take_while(|path| path.is_file());
    let all = [with("utoc"), with("ucas")].into_iter().chain(partitions).chain([with("pak")]);
    all.filter(|path| path.is_file()).map(name).collect()
}

/// Returns whether a folder is called as those are that games look for containers in.
pub(crate) fn is_paks(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("Paks"))
}

/// Returns the folder `Paks` of a game that was opened by a path in it, above it or at it; none if there are several.
fn paks_of(game: &Path) -> Option<PathBuf> {
    if let Some(paks) = game.ancestors().find(|path| is_paks(path)) {
        return Some(paks.to_owned());
    }
    let below = |folder: &Path| {
        let paks = ["Paks", "Content/Paks"].map(|below| folder.join(below));
        paks.into_iter().find(|path| path.is_dir())
    };
    // A project has its contents in a folder of its own name.
    below(game).or_else(|| {
        let folders = std::fs::read_dir(game).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        let mut found = folders.filter(|path| path.is_dir()).filter_map(|folder| below(&folder));
        found.next().filter(|_| found.next().is_none())
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
                (&Some(mods.clone()), &["My.utoc".to_owned(), "My.ucas".to_owned()][..])
            );
            assert_eq!(found.patch_name.as_deref(), Some("My_P"));
        }
        // Further partitions belong to it, a container of the same name that is none of it does not.
        for name in ["My_s1.ucas", "My_s2.ucas", "My_s4.ucas", "My.pak"] {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        let files = Installation::of(&container, None).files;
        assert_eq!(files, ["My.utoc", "My.ucas", "My_s1.ucas", "My_s2.ucas", "My.pak"]);
        assert_eq!(Installation::of(&folder.path().join("My.pak"), None).files, ["My.pak"]);
        // Nothing is to be copied that lies where the game reads it.
        let in_place = paks.join("~mods/My_P.pak");
        assert_eq!(Installation::of(&in_place, Some(&game)).folder, None);
        // Nobody knows which of two projects is meant.
        std::fs::create_dir_all(game.join("Editor/Content/Paks")).unwrap();
        let unknown = "…/Content/Paks/~mods";
        assert_eq!(Installation::of(&container, Some(&game)).folder.as_deref(), Some(unknown));
        for name in ["My_P.pak", "My_12_P.pak", "my_p.pak"] {
            assert_eq!(Installation::of(Path::new(name), None).patch_name, None, "{name}");
        }
        assert_eq!(Installation::of(Path::new("My.pak"), None).folder.as_deref(), Some(unknown));
    }
}
