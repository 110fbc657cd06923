use std::collections::BTreeSet;

use super::media::LooseMedia;
use super::names::NameTable;
use super::objects::{Language, NamespaceBank};
use super::settings::Settings;

/// Languages of a platform; what is in further ones counts as sound effects.
const MAX_LANGUAGES: usize = 256;

/// What one platform has: the banks of all its languages, and its loose media.
#[derive(Debug, Default)]
pub(super) struct Namespace {
    /// Banks: plain files before those of packages, each by their paths.
    pub(super) banks: Vec<NamespaceBank>,
    /// Loose media, by their paths.
    pub(super) loose: Vec<LooseMedia>,
    /// Languages that its banks state.
    pub(super) bank_languages: BTreeSet<u32>,
    /// Names of its languages, without sound effects: language 1 is the first.
    languages: Vec<String>,
    /// Names that lie beside its banks.
    pub(super) names: NameTable,
    /// Files that gave names.
    pub(super) name_files: Vec<String>,
}

impl Namespace {
    /// Returns the index of a language, which is added if it is new.
    pub(super) fn language(&mut self, name: Option<&str>) -> Language {
        let Some(name) = name else { return 0 };
        let found = self.languages.iter().position(|known| known.eq_ignore_ascii_case(name));
        if found.is_none() && self.languages.len() >= MAX_LANGUAGES {
            return 0;
        }
        let index = found.unwrap_or_else(|| {
            self.languages.push(name.into());
            self.languages.len().saturating_sub(1)
        });
        index.saturating_add(1)
    }

    /// Returns the name of a language; none of sound effects.
    pub(super) fn language_name(&self, language: Language) -> Option<String> {
        self.languages.get(language.checked_sub(1)?).cloned()
    }

    /// Returns the global settings, of the first bank that has some.
    pub(super) fn settings(&self) -> Option<&Settings> {
        self.banks.iter().find_map(|bank| bank.bank.settings.as_ref())
    }
}
