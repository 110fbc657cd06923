//! What the user knows of a game: keys, a release and mappings. They serve all that is opened until the page is closed.

use std::path::Path;

use importer::GameOptions;
use importer::open::{OpenOptions, add_keys, bank_key, cri_key};
use unreal::{AssetVersion, KeyRing};

use super::files::PageFiles;
use super::message::GameSettings;

/// What is known of games.
#[derive(Debug, Default)]
pub(crate) struct KnownGame {
    options: OpenOptions,
    /// The name of the file of mappings.
    mappings: Option<String>,
}

impl KnownGame {
    /// Returns how files are opened.
    pub(crate) const fn options(&self) -> &OpenOptions {
        &self.options
    }

    /// Returns the name of the mappings.
    pub(crate) fn mappings(&self) -> Option<&str> {
        self.mappings.as_deref()
    }

    /// Takes what the user has entered; keeps what was known if any of it is wrong.
    ///
    /// # Errors
    /// Which part is wrong, as a sentence.
    pub(crate) fn set(&mut self, settings: &GameSettings) -> Result<(), String> {
        let entered = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let mut keys = KeyRing::default();
        add_keys(&mut keys, &settings.aes).map_err(|error| format!("AES keys: {error}"))?;
        let version = entered(&settings.engine).map(|release| release.parse::<AssetVersion>());
        let version = version.transpose().map_err(|error| error.to_string())?;
        let fmod_key =
            bank_key(entered(&settings.fmod_key)).map_err(|(_, error)| format!("FMOD key: {error}"))?;
        let cri_key =
            cri_key(entered(&settings.cri_key)).map_err(|(_, error)| format!("CRI key: {error}"))?;
        if !settings.keeps_mappings {
            self.mappings = None;
            self.options.game.mappings = None;
        }
        self.options.keys = keys;
        self.options.game.version = version;
        self.options.banks.fmod_key = fmod_key;
        self.options.banks.cri_key = cri_key;
        Ok(())
    }

    /// Takes mappings (`.usmap`) out of files that were dropped; the last of several counts.
    ///
    /// # Errors
    /// Why they cannot be read, as a sentence.
    pub(crate) fn take_mappings(&mut self, files: &mut PageFiles) -> Result<(), String> {
        let is_mappings = |path: &Path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("usmap"));
        for (path, source) in files.take(is_mappings) {
            let mappings = GameOptions::read_mappings(&*source);
            self.options.game.mappings =
                Some(mappings.map_err(|error| format!("{}: {error}", path.display()))?);
            self.mappings = path.file_name().map(|name| name.to_string_lossy().into_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileEntry;

    fn settings(aes: &str, engine: &str, cri_key: &str) -> GameSettings {
        let [aes, engine, cri_key] = [aes, engine, cri_key].map(str::to_owned);
        GameSettings { aes, engine, fmod_key: String::new(), cri_key, keeps_mappings: true }
    }

    #[test]
    fn what_is_entered_counts_only_if_all_of_it_is_right() {
        let mut known = KnownGame::default();
        let key = "11".repeat(32);
        known.set(&settings(&format!("# the first\n0x{key}\n"), " 4.27 ", "0x10")).unwrap();
        assert!(!known.options().keys.is_empty());
        assert_eq!(known.options().game.version, Some("4.27".parse().unwrap()));
        assert_eq!(known.options().banks.cri_key, Some(16));
        for (wrong, says) in [
            (settings("short", "", ""), "AES keys: "),
            (settings("", "9.9", ""), "no release"),
            (settings("", "", "0xg"), "CRI key: "),
        ] {
            let said = known.set(&wrong).unwrap_err();
            assert!(said.starts_with(says), "{said}");
            assert_eq!(known.options().banks.cri_key, Some(16));
        }
        known.set(&settings("", "", "")).unwrap();
        assert!(known.options().keys.is_empty() && known.options().game.version.is_none());
    }

    #[test]
    fn mappings_are_taken_out_of_what_was_dropped() {
        let entry = |id, path: &str| FileEntry { id, path: path.to_owned(), size: 12 };
        let entries = [entry(0, "Game/Paks/a.pak"), entry(1, "Game/Game.USMAP")];
        let mut files = PageFiles::new(&entries, |_, _, out| {
            out.fill(0);
            Ok(())
        });
        let mut known = KnownGame::default();
        let said = known.take_mappings(&mut files).unwrap_err();
        assert!(said.starts_with("Game/Game.USMAP: "), "{said}");
        assert_eq!((known.mappings(), known.options().game.mappings.is_none()), (None, true));
        assert_eq!(files.top(), [Path::new("Game")]);
        known.take_mappings(&mut files).unwrap();
    }
}
