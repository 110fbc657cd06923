//! The rules of the house that a compiler does not know: which crate may know which, who may name what.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns every Rust source below a folder of the repository, by its path there.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push((name(&path), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {folder}");
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
}

fn all_sources() -> Vec<(String, String)> {
    CRATES.into_iter().chain(["tests", "benches", "fuzz/targets", "proofs/src"]).flat_map(sources).collect()
}

/// Returns code without comments, so that prose may name what code may not.
fn code(source: &str) -> impl Iterator<Item = &str> {
    source.lines().map(|line| line.split("//").next().unwrap_or_default())
}

/// Returns the names under `[dependencies]` of a crate, whatever the target they are for.
fn dependencies(member: &str) -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap();
    let mut names = BTreeSet::new();
    let mut inside = false;
    for line in manifest.lines() {
        assert!(!line.contains("dependencies."), "{member}: {line} is not read as a table of its own");
        if line.starts_with('[') {
            inside = line.trim_end_matches(']').ends_with("dependencies") && !line.contains("dev-");
        } else if let (true, Some((name, _))) = (inside, line.split_once(['.', ' ', '='])) {
            names.insert(name.to_owned());
        }
    }
    names
}

const CRATES: [&str; 14] = [
    "song",
    "tracker",
    "oodle",
    "unreal",
    "soundbank",
    "importer",
    "engine",
    "exporter",
    "modkit",
    "player",
    "screen",
    "player-cli",
    "usampler",
    "web",
];

/// Members that only this repository needs.
const UNPUBLISHED: [&str; 2] = ["tests", "benches"];

#[test]
fn crates_know_only_those_below_them() {
    for (member, allowed) in [
        ("song", &[][..]),
        ("oodle", &[]),
        ("unreal", &["oodle"]),
        ("soundbank", &["unreal"]),
        ("tracker", &["song"]),
        ("importer", &["song", "tracker", "unreal", "soundbank"]),
        ("engine", &["song"]),
        ("exporter", &["song"]),
        ("modkit", &["song", "tracker", "unreal", "soundbank", "importer", "exporter"]),
        ("player", &["song", "tracker", "importer", "exporter", "engine"]),
        ("screen", &["song", "importer", "exporter", "player"]),
        (
            "player-cli",
            &[
                "song", "tracker", "unreal", "importer", "engine", "exporter", "modkit", "player", "screen",
                "web",
            ],
        ),
        // The front of the library: everything but the terminal.
        (
            "usampler",
            &["song", "tracker", "unreal", "soundbank", "importer", "engine", "exporter", "modkit", "player"],
        ),
        ("web", &["song", "unreal", "importer", "engine", "exporter", "player", "screen"]),
        ("benches", &["song", "tracker", "unreal", "importer", "engine", "exporter", "modkit", "player"]),
        (
            "fuzz",
            &["song", "tracker", "oodle", "unreal", "soundbank", "importer", "engine", "modkit", "player"],
        ),
    ] {
        let known: Vec<String> =
            dependencies(member).into_iter().filter(|name| CRATES.contains(&name.as_str())).collect();
        assert!(known.iter().all(|name| allowed.contains(&name.as_str())), "{member} knows {known:?}");
    }
    // An optional one, for engines whose audio thread has other memory.
    let serde = BTreeSet::from(["serde".to_owned()]);
    assert_eq!(dependencies("song"), serde, "the vocabulary depends on nothing else");
    assert_eq!(dependencies("oodle"), BTreeSet::new(), "the decoder depends on nothing at all");
    assert!(dependencies("importer").contains("unreal"), "the manifests are read at all");
}

/// Returns a line of a manifest's `[package]`, without its key.
fn package_value<'m>(manifest: &'m str, key: &str) -> Option<&'m str> {
    let lines = manifest.lines().skip_while(|line| *line != "[package]").skip(1);
    let mut package = lines.take_while(|line| !line.starts_with('['));
    package.find_map(|line| line.strip_prefix(key)?.strip_prefix([' ', '.'])?.trim_start().strip_prefix("= "))
}

#[test]
fn packages_have_names_that_a_registry_can_take() {
    for member in CRATES.into_iter().chain(UNPUBLISHED) {
        let manifest = fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap();
        let value = |key| package_value(&manifest, key);
        let name = match member {
            "usampler" | "tests" | "benches" => member.to_owned(),
            "player-cli" => "usampler-cli".to_owned(),
            other => format!("usampler-{other}"),
        };
        assert_eq!(value("name"), Some(format!("\"{name}\"").as_str()), "{member}");
        let is_published = !UNPUBLISHED.contains(&member);
        assert_eq!(value("publish"), (!is_published).then_some("false"), "{member}");
        for key in ["description", "keywords", "categories", "include"] {
            assert!(!is_published || value(key).is_some(), "{member} has no {key}");
        }
        // What a folder is called, sources call it.
        let library = format!("[lib]\nname = \"{member}\"\n");
        let is_named = ["usampler", "player-cli", "tests", "benches"].contains(&member);
        assert!(is_named || manifest.contains(&library), "{member}'s library has another name");
    }
}

/// Files that name something in code, outside this test.
fn naming(what: &str) -> Vec<String> {
    let names = |line: &str| {
        line.match_indices(what).any(|(at, _)| {
            let boundary = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
            boundary(line[..at].chars().next_back()) && boundary(line[at + what.len()..].chars().next())
        })
    };
    let found = all_sources().into_iter().filter(|(_, source)| code(source).any(names));
    found.map(|(name, _)| name).filter(|name| name != "tests/house.rs").collect()
}

#[test]
fn devices_are_the_business_of_one_folder() {
    let outside: Vec<String> =
        naming("cpal").into_iter().filter(|name| !name.starts_with("engine/src/device/cpal")).collect();
    // Its own folder declares the module of that file, and names it in no public path.
    assert_eq!(outside, ["engine/src/device.rs"]);
    let source = fs::read_to_string(root().join("engine/src/device.rs")).unwrap();
    let lines: Vec<&str> = code(&source).filter(|line| line.contains("cpal")).collect();
    assert_eq!(lines, ["mod cpal;", "pub use self::cpal::{default_device, list, start};"]);
    assert!(naming("cpal").contains(&"engine/src/device/cpal.rs".to_owned()), "the search finds it at all");
}

#[test]
fn libraries_of_formats_and_ports_are_the_business_of_few_files() {
    assert_eq!(naming("midir"), ["player/src/midi/port/system.rs"]);
    assert_eq!(naming("midly"), ["player/src/midi/file.rs", "player/src/midi/take.rs"]);
    assert_eq!(naming("flacenc"), ["exporter/src/flac.rs"]);
    assert_eq!(naming("vte"), ["screen/src/terminal/input/parser.rs"]);
}

#[test]
fn wav_files_are_written_in_one_place() {
    let libraries =
        naming("hound").into_iter().filter(|name| !name.contains("/tests") && !name.starts_with("tests/"));
    let outside: Vec<String> = libraries.filter(|name| !name.starts_with("exporter/src/wav")).collect();
    assert_eq!(outside, Vec::<String>::new());
    assert!(naming("hound").contains(&"exporter/src/wav.rs".to_owned()), "the search finds it at all");
}

#[test]
fn channels_that_may_block_stay_out_of_the_engine() {
    let may = |name: &String| name.starts_with("player") || name.starts_with("screen");
    let outside: Vec<String> = naming("crossbeam_channel").into_iter().filter(|name| !may(name)).collect();
    assert_eq!(outside, Vec::<String>::new());
    assert!(!naming("crossbeam_channel").is_empty(), "the search finds them at all");
}

#[test]
fn the_audio_thread_knows_neither_control_nor_devices() {
    let separators = |c: char| !c.is_alphanumeric() && c != '_';
    for (name, source) in sources("engine/src/rt") {
        // An import may take several lines.
        let code: String = code(&source).flat_map(|line| [line, " "]).collect();
        for line in code.split(';').filter(|line| line.contains("use ") || line.contains("::")) {
            let words: Vec<&str> = line.split(separators).collect();
            for module in ["control", "device", "offline"] {
                assert!(!words.contains(&module), "{name}: {line}");
            }
        }
    }
}

/// Returns whether a line of code decides something by a version: through the only comparison there is, or by its
/// number.
fn compares_versions(line: &str) -> bool {
    let is_version = |word: &str| {
        let name = word.rsplit(['.', ':']).next().unwrap_or_default().trim_end_matches("()");
        name.ends_with("version")
            || name.ends_with("licensee")
            || ["engine_4", "engine_5"].contains(&name)
            || word.split_once("Version::").is_some_and(|(_, of)| of.starts_with(char::is_uppercase))
            || word.contains("version.")
            || word.contains("licensee.")
    };
    let is_comparison = |word: &str| matches!(word, "<" | ">" | "<=" | ">=" | "==" | "!=");
    let words: Vec<&str> =
        line.split([' ', '(', ')', ',', ';', '&', '!']).filter(|word| !word.is_empty()).collect();
    let by_number = words.windows(3).any(|three| {
        is_comparison(three[1]) && (is_version(three[0]) || is_version(three[2]))
            || is_version(three[1]) && three[0] == "match"
    });
    let by_range = line.contains(".contains(&") && words.iter().any(|word| is_version(word));
    line.contains(".reaches(") || by_number || by_range
}

#[test]
fn versions_are_compared_in_one_place_of_each_family() {
    for (name, source) in sources("unreal/src") {
        // Each family of formats has its own.
        let inside = name.contains("/version/") || name.ends_with("/version.rs");
        for line in code(&source) {
            assert!(inside || !compares_versions(line), "{name}: {line}");
        }
    }
    let inside = sources("unreal/src/ue1to3/version");
    assert!(
        inside.iter().any(|(_, source)| code(source).any(compares_versions)),
        "the search finds them at all"
    );
    // What it is there to find.
    for planted in [
        "if identity.version.reaches(NAMES) {",
        "if package.version >= 64 {",
        "let wide = 130 <= identity.licensee;",
        "match identity.version {",
        "if (117..=128).contains(&identity.version) {",
        "if file.version() == 69 {",
        "if head.engine_5 >= 1016 {",
        "if self.header < ContainerHeaderVersion::OptionalSegments {",
    ] {
        assert!(compares_versions(planted), "{planted}");
    }
    for harmless in
        ["let version = reader.u16()?;", "version: FileVersion::new(version),", "a.len() >= b.len()"]
    {
        assert!(!compares_versions(harmless), "{harmless}");
    }
}

#[test]
fn folders_of_unreal_import_those_below_them_only() {
    const FOLDERS: [(&str, &[&str]); 4] = [
        ("base", &[]),
        ("containers", &["base"]),
        ("ue1to3", &["base"]),
        ("ue4to6", &["base", "containers"]),
    ];
    let mut found = BTreeSet::new();
    for (name, source) in sources("unreal/src") {
        let inside = name.trim_start_matches("unreal/src/").trim_end_matches(".rs");
        let folder = inside.split('/').next().unwrap();
        let Some((_, allowed)) = FOLDERS.iter().find(|(known, _)| *known == folder) else {
            assert!(["lib", "versions"].contains(&folder), "{name} belongs to no generation");
            continue;
        };
        for line in code(&source) {
            for rest in line.split("crate::").skip(1) {
                // Neither lists of folders nor names at the root: these may come from any folder.
                let is_module = rest.starts_with(|c: char| c.is_ascii_lowercase());
                assert!(is_module, "{name}: {line}");
                let other: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
                if other != folder && FOLDERS.iter().any(|(known, _)| *known == other) {
                    assert!(allowed.contains(&&*other), "{name}: {line}");
                    found.insert((folder.to_owned(), other));
                }
            }
        }
    }
    assert!(
        found.contains(&("ue4to6".to_owned(), "containers".to_owned())),
        "the search finds them: {found:?}"
    );
}

#[test]
fn the_table_of_versions_is_what_the_rules_say() {
    let text = fs::read_to_string(root().join("docs/versions.md")).unwrap().replace("\r\n", "\n");
    let hint = "`cargo run -p tests --example write-versions` writes it anew";
    assert!(text == unreal::versions::document(), "docs/versions.md is not up to date: {hint}");
}

#[test]
fn unsafe_code_has_one_room() {
    // The word as code has it, not the lint's name.
    // Foreign libraries are only called to be measured.
    let is_foreign = |name: &String| name.starts_with("benches/peers/ffi/");
    // Faults that the sanitizers have to find.
    let is_planted = |name: &String| ["proofs/src/race.rs", "proofs/src/beyond.rs"].contains(&&**name);
    let is_kernel = |name: &String| name.starts_with("engine/src/rt/kernel/simd");
    let (kernels, others): (Vec<String>, Vec<String>) = naming("unsafe")
        .into_iter()
        .filter(|name| !is_foreign(name) && !is_planted(name))
        .partition(is_kernel);
    // Scripts of a page pass addresses.
    assert_eq!(others, ["web/src/program/exports.rs", "web/src/unpack.rs", "tests/fixtures/allocator.rs"]);
    assert!(!kernels.is_empty(), "the search finds them at all");
    // These have the lint of the workspace, which one file may lift.
    for member in CRATES.into_iter().filter(|member| !["engine", "web"].contains(member)) {
        let file = if member == "player-cli" {
            "player-cli/src/main.rs".to_owned()
        } else {
            format!("{member}/src/lib.rs")
        };
        let source = fs::read_to_string(root().join(&file)).unwrap();
        assert!(source.contains("#![forbid(unsafe_code)]"), "{file}");
    }
    let lifting: Vec<String> = naming("unsafe_code")
        .into_iter()
        .filter(|name| name.starts_with("engine/") || name.starts_with("web/"))
        .collect();
    assert_eq!(lifting, ["engine/src/rt/kernel/simd.rs", "web/src/program/exports.rs", "web/src/unpack.rs"]);
}

#[test]
fn no_file_grows_past_500_lines() {
    for (name, source) in all_sources() {
        // Stories may be long: each stands for itself.
        let is_tests = name.starts_with("tests/") || name.contains("/tests");
        let limit = if is_tests { 700 } else { 500 };
        assert!(source.lines().count() <= limit, "{name} has {} lines", source.lines().count());
    }
}

/// Returns the lines of a crate that are no tests: those of a file that come before its module of tests.
fn product_lines(member: &str) -> usize {
    let sources = sources(&format!("{member}/src"));
    let product = sources.iter().filter(|(name, _)| !name.contains("/tests"));
    product.map(|(_, source)| lines_before_tests(source)).sum()
}

fn lines_before_tests(source: &str) -> usize {
    let next = source.lines().skip(1).chain([""]);
    let product = source.lines().zip(next);
    product.take_while(|(line, next)| *line != "#[cfg(test)]" || !next.starts_with("mod tests")).count()
}

#[test]
fn no_crate_grows_past_its_size() {
    assert_eq!(lines_before_tests("a\n#[cfg(test)]\nmod example;\nb\n#[cfg(test)]\nmod tests {\nc\n}"), 4);
    for member in CRATES {
        let limit = match member {
            "player-cli" => 9_000,
            // Logic belongs in the crates behind it.
            "usampler" => 1_500,
            // Containers and packages of three generations, read and written.
            "unreal" => 31_000,
            // A codec for every family of banks, Vorbis among them, and a collection for every kind of file.
            "importer" => 24_500,
            _ => 20_000,
        };
        let lines = product_lines(member);
        assert!((100..=limit).contains(&lines), "{member} has {lines} lines, of which {limit} are allowed");
    }
}

#[test]
fn the_screen_knows_no_command_line() {
    let outside: Vec<String> = naming("clap").into_iter().filter(|name| name.starts_with("screen")).collect();
    assert_eq!(outside, Vec::<String>::new());
    assert!(!dependencies("screen").contains("clap"));
}

#[test]
fn nothing_in_the_repository_names_a_machine() {
    let mut files: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "play", "check", ".ci/run", "scripts/setup"]
            .into_iter()
            .map(|name| root().join(name))
            .collect();
    let is_text = |path: &PathBuf| path.extension().is_none_or(|extension| extension != "png");
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    files.extend(docs.filter(is_text));
    let texts = files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap()));
    for (name, text) in texts.chain(all_sources()).filter(|(name, _)| name != "tests/house.rs") {
        for path in ["/work/", "/root/", "/home/"] {
            assert!(!text.contains(path), "{name} names {path}");
        }
    }
}

/// Words of our own for which the field has terms: they must not come back.
const BANISHED: [&str; 26] = [
    "Keeper",
    "Lent",
    "Sway",
    "Spout",
    "Leg",
    "Roster",
    "Performer",
    "Deed",
    "Recital",
    "Desk",
    "Reel",
    "Wish",
    "Trouble",
    "Manner",
    "lifeline",
    "Gauges",
    "Begun",
    "Chooser",
    "OldNote",
    "Packing",
    "Opened",
    "Tracked",
    "Growing",
    "Allowance",
    "told",
    "behind",
];

#[test]
fn names_are_terms_of_the_field() {
    for (name, source) in all_sources().into_iter().filter(|(name, _)| name.contains("/src/")) {
        for (line, number) in code(&source).zip(1..) {
            let words = || line.split(|c: char| !c.is_alphanumeric() && c != '_');
            for word in words() {
                assert!(!BANISHED.contains(&word), "{name}:{number}: {word}");
                let limit = ["MOST_", "LONGEST_", "LARGEST_", "SMALLEST_", "SLOWEST_", "QUIETEST_"];
                assert!(!limit.iter().any(|start| word.starts_with(start)), "{name}:{number}: {word}");
            }
        }
    }
    assert!(
        naming("BankReclaimer").contains(&"engine/src/control/reclaimer.rs".to_owned()),
        "words are found at all"
    );
}

/// Returns the first lines of docstrings that say what a function returns, where it returns nothing.
fn empty_returns(source: &str) -> Vec<&str> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    for (number, line) in
        lines.iter().enumerate().filter(|(_, line)| line.trim_start().starts_with("/// Returns"))
    {
        let mut code =
            lines[number..].iter().map(|line| line.trim()).skip_while(|line| line.starts_with(['/', '#']));
        let mut signature = String::new();
        while let Some(line) = code.next().filter(|_| !signature.ends_with(['{', ';', '}'])) {
            signature += line;
        }
        if !signature.contains("fn ") {
            continue;
        }
        let is_empty = match signature.rsplit_once("->") {
            Some((_, value)) => {
                ["Result<(),", "Result<()>"].iter().any(|empty| value.contains(empty))
                    && !value.contains("Result<Result")
            }
            None => true,
        };
        if is_empty {
            found.push(*line);
        }
    }
    found
}

#[test]
fn what_says_that_it_returns_something_does() {
    let allowed =
        ["    /// Returns the terminal to the shell, waits until the user comes back, and takes it again."];
    for (name, source) in all_sources().into_iter().filter(|(name, _)| name.contains("/src/")) {
        let found: Vec<&str> =
            empty_returns(&source).into_iter().filter(|line| !allowed.contains(line)).collect();
        assert!(found.is_empty(), "{name}: {found:?}");
    }
    assert_eq!(empty_returns("/// Returns a number.\nfn none(\n    a: u8,\n) -> io::Result<()> {").len(), 1);
    assert_eq!(empty_returns("/// Returns a number.\nfn one() -> u8 {"), [""; 0]);
}

#[test]
fn comments_are_no_wider_than_120_columns() {
    for (name, source) in all_sources() {
        for (line, number) in source.lines().zip(1..) {
            let is_comment = line.trim_start().starts_with("//");
            assert!(
                !is_comment || line.chars().count() <= 120,
                "{name}:{number} is {} wide",
                line.chars().count()
            );
        }
    }
}
