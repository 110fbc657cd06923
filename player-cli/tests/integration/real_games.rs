//! Real files of games, projects and mods, against what a second reader found in them.
//!
//! The environment variable `CORPUS` names a folder with `games/`: files as their makers published them, and
//! `reference.jsonl` with a row for each. They belong to others and are never part of this repository: without the
//! variable these tests are skipped, and say so.

use crate::program;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fixtures::corpus::corpus;
use fixtures::wave::{Values, Wave};
use program::{Run, usampler};
use serde_json::Value;
use sha1::{Digest as _, Sha1};
use sha2::Sha256;

/// Compares one thing after another and keeps what differs.
#[derive(Default)]
struct Score {
    right: usize,
    wrong: Vec<String>,
}

impl Score {
    fn check<T: PartialEq + std::fmt::Debug>(&mut self, file: &str, what: &str, found: &T, expected: &T) {
        self.that(file, found == expected, || format!("{what}: {found:?}, not {expected:?}"));
    }

    fn that(&mut self, file: &str, is_right: bool, why: impl FnOnce() -> String) {
        if is_right {
            self.right += 1;
        } else {
            self.wrong.push(format!("{file}: {}", why()));
        }
    }

    #[track_caller]
    fn finish(self, what: &str) {
        eprintln!("{what}: {} right, {} wrong", self.right, self.wrong.len());
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

/// Returns the folder of games and the rows of some kinds.
fn rows(kinds: &[&str]) -> Option<(PathBuf, Vec<Value>)> {
    let games = corpus("games")?;
    let text = fs::read_to_string(games.join("reference.jsonl")).unwrap();
    let all = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let of_kind = |row: &Value| kinds.iter().any(|kind| text_of(row, "kind").starts_with(kind));
    let rows: Vec<Value> = all.filter(of_kind).collect();
    assert!(!rows.is_empty(), "no row of {kinds:?}");
    Some((games, rows))
}

fn text_of<'r>(row: &'r Value, key: &str) -> &'r str {
    row[key].as_str().unwrap_or_default()
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn count(list: &Value) -> u64 {
    list.as_array().map_or(0, Vec::len) as u64
}

fn lines(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn path(games: &Path, file: &str) -> String {
    games.join(file).to_str().unwrap().to_owned()
}

/// Returns every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the SHA-1 of the PCM of a WAV file.
fn pcm_sha1(file: &Path) -> String {
    let bytes = fs::read(file).unwrap();
    let mut at = 12;
    while let Some(head) = bytes.get(at..at + 8) {
        let size = u32::from_le_bytes(head[4..].try_into().unwrap()) as usize;
        if &head[..4] == b"data" {
            return sha1(&bytes[at + 8..at + 8 + size]);
        }
        at += 8 + size + size % 2;
    }
    panic!("no data in {}", file.display());
}

/// Extracts the only sound of a file; returns the file written.
fn extracted(file: &str, format: &str) -> Option<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir().unwrap();
    usampler(&["extract", file, "-o", folder.path().to_str().unwrap(), "--format", format, "--quiet"]);
    let written = files(folder.path()).into_iter().next()?;
    Some((folder, written))
}

fn tables(score: &mut Score, games: &Path, row: &Value) {
    let file = text_of(row, "file");
    let run = usampler(&["asset", "show", &path(games, file), "--json"]);
    let shown = lines(&run).into_iter().next().unwrap_or_default();
    for key in ["names", "imports", "exports"] {
        score.check(file, key, &count(&shown[key]), &row[key].as_u64().unwrap());
    }
    let engine = text_of(row, "engine");
    if row["unversioned"] == true {
        score.check(file, "engine", &text_of(&shown, "engine").replace(" or ", "-").as_str(), &engine);
    }
}

#[test]
fn sounds_of_packages_are_what_another_reader_finds() {
    let Some((games, rows)) = rows(&["wave-", "cooked-"]) else { return };
    let mut score = Score::default();
    for row in rows {
        let file = text_of(&row, "file");
        tables(&mut score, &games, &row);
        let listed = lines(&usampler(&["list", &path(&games, file), "--json"]));
        let expected: Vec<&Value> = row["sounds"].as_array().unwrap().iter().collect();
        score.check(file, "sounds", &listed.len(), &expected.len());
        for (sound, expected) in listed.iter().zip(expected) {
            score.check(file, "class", &sound["class"], &expected["cls"]);
            if expected["cls"] != "SoundWave" || expected["codec"].is_null() {
                continue;
            }
            let reason = &sound["reason"];
            score.that(file, sound["status"] == "ok", || format!("{}: {reason}", sound["status"]));
            for key in ["codec", "rate", "channels", "frames"] {
                score.check(file, key, &sound[key], &expected[key]);
            }
            let original = extracted(&path(&games, file), "original");
            let payload = original.map(|(_folder, file)| sha1(&fs::read(file).unwrap()));
            score.check(file, "payload", &payload.as_deref(), &expected["payload_sha1"].as_str());
            if let Some(pcm) = expected["pcm_sha1"].as_str() {
                let found = extracted(&path(&games, file), "wav").map(|(_folder, file)| pcm_sha1(&file));
                score.check(file, "PCM", &found.as_deref(), &Some(pcm));
            }
        }
    }
    score.finish("packages of sounds");
}

#[test]
fn cues_play_the_waves_that_they_refer_to() {
    let Some((games, rows)) = rows(&["cue-", "metasound-", "cooked-"]) else { return };
    let mut score = Score::default();
    let mut listings = BTreeMap::new();
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new.wav");
    fs::write(&new, Wave::new(32_000, 1, Values::I16(vec![0; 100])).finish()).unwrap();
    for row in rows {
        let file = text_of(&row, "file");
        let cues: Vec<&Value> =
            row["sounds"].as_array().unwrap().iter().filter(|sound| sound["plays"].is_array()).collect();
        let [cue] = cues[..] else { continue };
        tables(&mut score, &games, &row);
        let root = text_of(&row, "root").to_owned();
        let listing = listings
            .entry(root.clone())
            .or_insert_with(|| lines(&usampler(&["list", &path(&games, &root), "--json"])));
        let of_path = |path: &str| listing.iter().find(|sound| sound["path"] == path);
        // A copy of the editor has no path of the game.
        let alone = lines(&usampler(&["list", &path(&games, file), "--json"]));
        let found = if row["path"].is_null() { alone.first() } else { of_path(text_of(&row, "path")) };
        let Some(found) = found else {
            score.that(file, false, || format!("{} is not listed", row["path"]));
            continue;
        };
        score.check(file, "class", &found["class"], &cue["cls"]);
        let target = folder.path().join("Mod_P");
        let [new, target] = [&new, &target].map(|path| path.to_str().unwrap());
        let refused = usampler(&["replace", &path(&games, file), "1", new, "-o", target]).err;
        let says_why = refused.contains("it plays other sounds and has no recording of its own");
        score.that(file, says_why, || format!("replace: {refused}"));
        let expected: BTreeSet<String> = texts(&cue["plays"]).into_iter().collect();
        let here: BTreeSet<String> =
            expected.iter().filter(|path| of_path(path).is_some()).cloned().collect();
        let plays: BTreeSet<String> = found["plays"]
            .as_array()
            .unwrap()
            .iter()
            .map(|number| text_of(&listing[number.as_u64().unwrap() as usize - 1], "path").to_owned())
            .collect();
        score.check(file, "plays", &plays, &here);
        if expected.is_empty() {
            continue;
        }
        let is_ok = found["status"] == "ok";
        score.that(file, is_ok != here.is_empty(), || format!("{}: {}", found["status"], found["reason"]));
        if here.is_empty() {
            let reason = text_of(found, "reason");
            let named = expected.iter().any(|path| reason.contains(path.as_str()));
            score.that(file, named, || format!("{reason:?} names none of {expected:?}"));
        }
    }
    score.finish("cues");
}

#[test]
fn containers_have_the_entries_that_another_reader_finds() {
    let Some((games, rows)) = rows(&["pak", "utoc"]) else { return };
    let mut score = Score::default();
    for row in rows {
        let file = text_of(&row, "file");
        let entries = lines(&usampler(&["asset", "ls", &path(&games, file), "--json"]));
        let sizes: BTreeMap<&str, u64> = entries
            .iter()
            .filter_map(|entry| Some((entry["path"].as_str()?, entry["size"].as_u64()?)))
            .collect();
        let mount = text_of(&row, "mount").trim_start_matches("../").trim_start_matches('/');
        if let Some(chunks) = row["chunks"].as_u64() {
            score.check(file, "chunks", &(entries.len() as u64), &chunks);
        }
        for named in row["named"].as_array().into_iter().flatten() {
            let name = format!("{mount}{}", named[0].as_str().unwrap());
            let size = sizes.get(name.as_str()).copied();
            if size != named[1].as_u64() {
                score.that(file, false, || format!("{name}: {size:?}, not {}", named[1]));
            }
        }
        let Some(contents) = row["entries"].as_array() else { continue };
        score.check(file, "entries", &entries.len(), &contents.len());
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        usampler(&["asset", "unpack", &path(&games, file), "-o", out.to_str().unwrap(), "--quiet"]);
        for entry in contents {
            let name = format!("{mount}{}", entry[0].as_str().unwrap());
            let bytes = fs::read(out.join(&name)).unwrap_or_default();
            let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            score.check(file, &name, &Some(hash.as_str()), &entry[2].as_str());
        }
    }
    score.finish("containers");
}

#[test]
fn loose_zen_packages_are_opened() {
    let Some((games, rows)) = rows(&["loose-zen"]) else { return };
    let mut score = Score::default();
    for row in rows {
        let file = text_of(&row, "file");
        tables(&mut score, &games, &row);
        let shown = lines(&usampler(&["asset", "show", &path(&games, file), "--json"]));
        let shown = shown.into_iter().next().unwrap_or_default();
        score.check(file, "path", &shown["path"], &row["name"]);
        let names: Vec<String> = shown["exports"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|e| text_of(e, "name").to_owned())
            .collect();
        score.check(file, "export names", &names, &texts(&row["export_names"]));
    }
    score.finish("loose Zen packages");
}

#[test]
fn packages_from_before_4_0_open_or_are_refused_by_name() {
    let Some((games, rows)) = rows(&["editor-old"]) else { return };
    let mut score = Score::default();
    for row in rows {
        tables(&mut score, &games, &row);
    }
    score.finish("packages from before 4.0");
}

/// Copies a file with what lies beside it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    for extension in ["uasset", "uexp", "ubulk", "utoc", "ucas", "pak"] {
        let from = from.with_extension(extension);
        if from.is_file() {
            fs::copy(from, to.with_extension(extension)).unwrap();
        }
    }
}

#[test]
fn containers_hide_no_loose_packages_and_copies_below_saved_are_left_out() {
    let Some((games, rows)) = rows(&["mixed", "saved"]) else { return };
    let mut score = Score::default();
    for row in rows {
        let file = text_of(&row, "file");
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("Project");
        for loose in texts(&row["loose"]) {
            let (_, below) = loose.split_once("Content/").unwrap();
            copy(&games.join(&loose), &project.join("Content").join(below));
            if row["kind"] == "saved" {
                let stem = below.strip_suffix(".uasset").unwrap();
                let copies = project.join("Saved/Autosaves/Game/Content");
                copy(&games.join(&loose), &copies.join(format!("{stem}_Auto1.uasset")));
                let copies = project.join("Saved/Backup/Game/Content");
                copy(&games.join(&loose), &copies.join(format!("{stem}_Auto1.uasset")));
            }
        }
        if let Some(container) = row["container"].as_str() {
            let name = Path::new(container).file_name().unwrap();
            copy(&games.join(container), &project.join("Content/Paks").join(name));
        }
        let listed = lines(&usampler(&["list", project.to_str().unwrap(), "--json"]));
        let is_loose = |sound: &&Value| sound["container"] == project.to_str().unwrap();
        let mut paths: Vec<String> =
            listed.iter().filter(is_loose).map(|sound| text_of(sound, "path").to_owned()).collect();
        paths.sort_unstable();
        score.check(file, "paths", &paths, &texts(&row["expect"]));
        let entries = lines(&usampler(&["asset", "ls", project.to_str().unwrap(), "--json"]));
        let has_container = entries.iter().any(|entry| entry["container"] != project.to_str().unwrap());
        score.check(file, "a container", &has_container, &row["container"].is_string());
    }
    score.finish("mixed folders");
}

#[test]
fn packages_come_back_from_json_byte_for_byte() {
    let kinds = ["wave-", "cue-", "cooked-", "metasound-", "editor-old", "loose-zen", "lineage2-1"];
    let Some((games, rows)) = rows(&kinds) else { return };
    let mut score = Score::default();
    for row in rows {
        let file = text_of(&row, "file");
        let folder = tempfile::tempdir().unwrap();
        let [json, back] = ["x.json", "X.uasset"].map(|name| folder.path().join(name));
        usampler(&["asset", "json", &path(&games, file), "-o", json.to_str().unwrap(), "--quiet"]);
        usampler(&["asset", "from-json", json.to_str().unwrap(), "-o", back.to_str().unwrap(), "--quiet"]);
        let of_file = Path::new(file).extension().unwrap().to_str().unwrap().to_owned();
        if of_file != "uasset" {
            let [before, after] = [games.join(file), back].map(|file| fs::read(file).ok());
            score.that(file, before.is_some() && before == after, || "differs".to_owned());
            continue;
        }
        for extension in ["uasset", "uexp"] {
            let [before, after] =
                [&games.join(file), &back].map(|file| fs::read(file.with_extension(extension)).ok());
            score.that(file, before == after, || format!("{extension} differs"));
        }
    }
    score.finish("packages as JSON");
}

/// Returns what the offsets of the header lead to that say where the thumbnail and the dependencies of a package's
/// first asset lie, found by the texts beside them.
fn behind_offsets(package: &[u8], name: &str) -> Vec<[u8; 12]> {
    let text = |text: &str| [&(text.len() as u32 + 1).to_le_bytes(), text.as_bytes(), &[0]].concat();
    let find = |wanted: &[u8]| package.windows(wanted.len()).position(|part| part == wanted);
    let number = |at: usize| u32::from_le_bytes(package[at..at + 4].try_into().unwrap()) as usize;
    let behind = |at: usize| package.get(at..at + 12).map(|bytes| bytes.try_into().unwrap());
    let thumbnail = [text("SoundWave"), text(name)].concat();
    let thumbnail = find(&thumbnail).and_then(|at| behind(number(at + thumbnail.len())));
    let classes = ["SoundWave", "/Script/Engine.SoundWave"];
    let asset = classes
        .iter()
        .find_map(|class| find(&[1_u32.to_le_bytes().to_vec(), text(name), text(class)].concat()));
    // Before 4.26 the number of assets begins the table.
    let is_new = |at: &usize| number(at - 4) == 0 && number(at - 8) > *at;
    let dependencies = asset.filter(is_new).and_then(|at| behind(number(at - 8)));
    thumbnail.into_iter().chain(dependencies).collect()
}

#[test]
fn sounds_of_the_editor_take_another_recording_and_give_it_back() {
    let Some((games, rows)) = rows(&["wave-editor", "wave-trailer"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let ramp = (0..6000).map(|n| (n * 29 % 4001) as i16 - 2000).collect();
    let wave = Wave::new(32_000, 2, Values::I16(ramp)).looped(100, 2000).finish();
    let new = folder.path().join("new.wav");
    fs::write(&new, &wave).unwrap();
    let (mut score, mut has_offsets) = (Score::default(), 0);
    for row in rows {
        let file = text_of(&row, "file");
        let out = folder.path().join(format!("{}.uasset", score.right));
        let [new, out] = [&new, &out].map(|file| file.to_str().unwrap());
        usampler(&["replace", &path(&games, file), "1", new, "-o", out, "--quiet"]);
        let listed = lines(&usampler(&["list", out, "--json"]));
        let found = listed.first().map(|sound| (sound["rate"].as_u64(), sound["frames"].as_u64()));
        score.check(file, "rate and frames", &found, &Some((Some(32_000), Some(3000))));
        let original = extracted(out, "original").map(|(_folder, file)| fs::read(file).unwrap());
        score.that(file, original.as_ref() == Some(&wave), || "the recording differs".to_owned());
        let name = Path::new(file).file_stem().unwrap().to_str().unwrap();
        let [before, after] =
            [&path(&games, file), out].map(|file| behind_offsets(&fs::read(file).unwrap(), name));
        has_offsets += before.len();
        score.check(file, "behind offsets", &after, &before);
        let [before, after] = [&path(&games, file), out].map(|file| {
            let shown = lines(&usampler(&["asset", "show", file, "--json"])).into_iter().next();
            let shown = shown.unwrap_or_default();
            let wave = shown["exports"].as_array().into_iter().flatten();
            let wave =
                wave.filter(|export| export["class"] == "/Script/Engine.SoundWave").find_map(|export| {
                    let end = export["offset"].as_u64()? + export["size"].as_u64()?;
                    fs::read(file).unwrap()[..end as usize].last_chunk::<16>().copied()
                });
            (["imports", "exports"].map(|table| count(&shown[table])), wave)
        });
        score.check(file, "tables", &after.0, &before.0);
        score.that(file, before.1.is_some() && before.1 != after.1, || "it keeps its GUID".to_owned());
    }
    assert!(has_offsets > 50, "{has_offsets} thumbnails and dependencies");
    score.finish("replaced sounds of the editor");
}
