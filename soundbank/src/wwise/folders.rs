use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::hash::fnv32;

/// Which files belong together: the ones of one platform, whatever their language.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Folders {
    /// Roots of namespaces, in the order of their paths.
    pub(super) roots: Vec<Root>,
    by_folder: HashMap<String, usize>,
    /// The root of files in packages, by its index.
    pub(super) packaged: usize,
}

/// The folder of a platform.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Root {
    /// Its path; empty for the folder that was opened.
    pub(super) path: String,
    /// Its name, if it is a platform's.
    pub(super) platform: Option<String>,
}

/// What a file is for its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileRole {
    /// It is written once for a platform, into the folder of the platform: `Init.bnk`, `SoundbanksInfo.xml`.
    Marker,
    /// A bank, a package or a media.
    Sound,
    /// Names.
    Names,
}

/// Folders that games and Wwise name by platforms.
const PLATFORMS: [&str; 40] = [
    "windows",
    "win32",
    "win64",
    "pc",
    "desktop",
    "mac",
    "macos",
    "ios",
    "tvos",
    "visionos",
    "android",
    "linux",
    "linuxarm64",
    "web",
    "html5",
    "emscripten",
    "mobile",
    "switch",
    "nx",
    "nx64",
    "ounce",
    "wiiu",
    "wii",
    "3ds",
    "xbox",
    "xbox360",
    "xboxone",
    "xboxonegc",
    "xboxseriesx",
    "xsx",
    "scarlett",
    "ps3",
    "ps4",
    "ps5",
    "vita",
    "psvita",
    "stadia",
    "uwp",
    "winrt",
    "openharmony",
];

/// Folders that Wwise makes within one of a platform, for banks and media of every language.
const KINDS: [&str; 5] = ["event", "bus", "media", "sfx", "soundbank"];

/// Languages whose names have no country; the others are told by their parentheses, or by a bank.
const LANGUAGES: [&str; 28] = [
    "arabic",
    "bulgarian",
    "chinese",
    "croatian",
    "czech",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "greek",
    "hebrew",
    "hungarian",
    "indonesian",
    "italian",
    "japanese",
    "korean",
    "norwegian",
    "polish",
    "portuguese",
    "romanian",
    "russian",
    "slovak",
    "slovenian",
    "spanish",
    "swedish",
    "turkish",
];

fn is_one_of(name: &str, list: &[&str]) -> bool {
    list.iter().any(|of| name.eq_ignore_ascii_case(of))
}

/// Returns the folder of a path; empty if it has none.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the last part of a path.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns a folder and those around it, the innermost first; the last one is empty, what was opened.
fn around(folder: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder);
    std::iter::from_fn(move || {
        let folder = next?;
        next = (!folder.is_empty()).then(|| folder_of(folder));
        Some(folder)
    })
}

/// More folders within each other than any system allows.
const MAX_LEVELS: usize = 64;

impl Folders {
    /// Groups files by their paths and what they are; `has_packaged` if packages hold further ones. These belong to the
    /// only platform, or are one by themselves.
    pub(super) fn of<'p>(
        files: impl Iterator<Item = (&'p str, FileRole)> + Clone,
        has_packaged: bool,
    ) -> Self {
        let mut marked = BTreeSet::new();
        let mut sounding = BTreeSet::new();
        let mut folders = BTreeSet::new();
        for (path, role) in files {
            let folder = folder_of(path);
            folders.insert(folder);
            if role == FileRole::Marker {
                marked.insert(folder);
            }
            if role != FileRole::Names {
                sounding.insert(folder);
            }
        }
        let mut roots: BTreeMap<&str, &str> = BTreeMap::new();
        for folder in &folders {
            let is_platform = |at: &&str| marked.contains(at) || is_one_of(name_of(at), &PLATFORMS);
            let root = around(folder).take(MAX_LEVELS).find(is_platform).or_else(|| {
                // No sign of a platform: the outermost folder with sounds.
                around(folder).take(MAX_LEVELS).filter(|at| sounding.contains(at)).last()
            });
            roots.insert(folder, root.unwrap_or(folder));
        }
        // What lies right above the only folder of a platform belongs to it.
        let has_sounds = |folder: &&str| sounding.contains(folder);
        let platforms: BTreeSet<&str> =
            roots.iter().filter(|(folder, _)| has_sounds(folder)).map(|(_, root)| *root).collect();
        let mut below: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for platform in platforms {
            if !platform.is_empty() {
                below.entry(folder_of(platform)).or_default().push(platform);
            }
        }
        let joined = |root: &str| match below.get(root).map(Vec::as_slice) {
            Some([only]) if !marked.contains(root) && !is_one_of(name_of(root), &PLATFORMS) => {
                (*only).to_owned()
            }
            _ => root.to_owned(),
        };
        let by_path: Vec<(String, String)> =
            roots.iter().map(|(folder, root)| ((*folder).to_owned(), joined(root))).collect();
        let names: BTreeSet<&String> = by_path.iter().map(|(_, root)| root).collect();
        let index: HashMap<&String, usize> =
            names.iter().enumerate().map(|(index, name)| (*name, index)).collect();
        let by_folder =
            by_path.iter().filter_map(|(folder, root)| Some((folder.clone(), *index.get(root)?))).collect();
        let mut roots: Vec<Root> = names
            .into_iter()
            .map(|path| {
                let platform = around(path).map(name_of).find(|name| is_one_of(name, &PLATFORMS));
                Root { path: path.clone(), platform: platform.map(str::to_owned) }
            })
            .collect();
        let only = (roots.len() == 1).then_some(0);
        let packaged = only.unwrap_or(roots.len());
        if has_packaged && only.is_none() {
            roots.push(Root { path: String::new(), platform: None });
        }
        Self { roots, by_folder, packaged }
    }

    /// Returns the index of the namespace of a file.
    pub(super) fn root_of(&self, path: &str) -> usize {
        self.by_folder.get(folder_of(path)).copied().unwrap_or_default()
    }
}

/// Returns the name of the language that a file below a root is for: the folder whose name is a language's, or hashes
/// to the language of one of the banks.
pub(super) fn language_of<'p>(path: &'p str, root: &str, languages: &BTreeSet<u32>) -> Option<&'p str> {
    let below = folder_of(path).strip_prefix(root)?;
    below.split('/').filter(|part| !part.is_empty()).find(|part| {
        let has_country = part.ends_with(')') && part.contains('(');
        !is_one_of(part, &KINDS)
            && (has_country || is_one_of(part, &LANGUAGES) || languages.contains(&fnv32(part)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(paths: &[&str]) -> Vec<String> {
        let role = |path: &&str| {
            let marker = name_of(path) == "Init.bnk";
            (if marker { FileRole::Marker } else { FileRole::Sound }, ())
        };
        let folders = Folders::of(paths.iter().map(|path| (*path, role(path).0)), false);
        paths.iter().map(|path| folders.roots[folders.root_of(path)].path.clone()).collect()
    }

    #[test]
    fn platforms_are_never_mixed() {
        assert_eq!(
            roots(&["a/Windows/x.bnk", "a/Windows/English(US)/v.bnk", "a/Mac/x.bnk"]),
            ["a/Windows", "a/Windows", "a/Mac"]
        );
    }

    #[test]
    fn files_right_above_the_only_platform_belong_to_it() {
        assert_eq!(roots(&["a/all.pck", "a/Windows/x.bnk"]), ["a/Windows", "a/Windows"]);
        assert_eq!(roots(&["a/all.pck", "a/Windows/x.bnk", "a/Mac/x.bnk"]), ["a", "a/Windows", "a/Mac"]);
    }

    #[test]
    fn folders_with_nothing_but_documents_do_not_count() {
        let files = [
            ("a/all.pck", FileRole::Sound),
            ("a/Windows/x.bnk", FileRole::Sound),
            ("a/Mac/x.txt", FileRole::Names),
        ];
        let folders = Folders::of(files.into_iter(), false);
        assert_eq!(folders.root_of("a/all.pck"), folders.root_of("a/Windows/x.bnk"));
        assert_ne!(folders.root_of("a/Mac/x.txt"), folders.root_of("a/Windows/x.bnk"));
    }

    #[test]
    fn a_folder_with_an_init_bank_is_a_platform_whatever_its_name() {
        assert_eq!(
            roots(&["a/Low/Init.bnk", "a/Low/Media/1.wem", "a/High/Init.bnk"]),
            ["a/Low", "a/Low", "a/High"]
        );
    }

    #[test]
    fn files_in_packages_belong_to_the_only_platform_or_are_one() {
        let of = |paths: &[&'static str]| {
            let files: Vec<_> = paths.iter().map(|path| (*path, FileRole::Sound)).collect();
            let folders = Folders::of(files.into_iter(), true);
            (folders.roots.len(), folders.packaged)
        };
        assert_eq!(of(&["a/Windows/x.bnk", "a/Windows/Media/1.wem"]), (1, 0));
        assert_eq!(of(&["a/Windows/x.bnk", "a/Mac/x.bnk"]), (3, 2));
        assert_eq!(of(&[]), (1, 0));
    }

    #[test]
    fn plain_folders_are_one_platform_with_all_below() {
        assert_eq!(roots(&["x.bnk", "English(US)/1.wem"]), ["", ""]);
    }

    #[test]
    fn languages_are_told_by_their_country_or_by_a_bank() {
        let none = BTreeSet::new();
        assert_eq!(language_of("Windows/English(US)/1.wem", "Windows", &none), Some("English(US)"));
        assert_eq!(language_of("Windows/Media/1.wem", "Windows", &none), None);
        assert_eq!(language_of("Windows/Klingon/1.wem", "Windows", &none), None);
        assert_eq!(
            language_of("Windows/Klingon/1.wem", "Windows", &BTreeSet::from([fnv32("Klingon")])),
            Some("Klingon")
        );
        assert_eq!(language_of("Windows/SFX/1.wem", "Windows", &BTreeSet::from([fnv32("SFX")])), None);
    }
}
