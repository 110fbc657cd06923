//! Folders with links that lead in circles: each command ends, takes nothing twice, and names the links.

use crate::program;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use fixtures::pak::PakWriter;
use fixtures::sound_wave::package;
use program::{Run, bench, usampler};
use tempfile::TempDir;

/// A folder with a folder in it, links from each to the other, and one from the first to itself.
fn circle() -> TempDir {
    let folder = TempDir::new().unwrap();
    let below = folder.path().join("below");
    fs::create_dir(&below).unwrap();
    symlink("..", below.join("up")).unwrap();
    symlink("below", folder.path().join("down")).unwrap();
    symlink(".", folder.path().join("self")).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[track_caller]
fn names_the_links(run: &Run, folder: &Path) {
    for link in ["below/up", "down", "self"] {
        let said = format!("{} is left out: a link to a folder", folder.join(link).display());
        assert_eq!(run.err.matches(&said).count(), 1, "{link}: {}", run.err);
    }
}

/// Files below a folder, however deep.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn packages_below_a_circle_of_links_are_met_once() {
    let folder = circle();
    bench::write_package(&folder.path().join("below"), "Test.uax");
    let (input, out) = (text(folder.path()), TempDir::new().unwrap());
    let list = usampler(&["list", "--json", input]);
    list.ends_with(0);
    assert_eq!(list.out.lines().count(), 4, "{}", list.out);
    let info = usampler(&["info", input]);
    info.ends_with(0);
    assert_eq!(info.out.matches("Unreal Engine 1 package").count(), 1, "{}", info.out);
    let extract = usampler(&["extract", input, "-o", text(out.path())]);
    // Two of its sounds cannot be extracted.
    extract.ends_with(1);
    let mut written = files(out.path());
    written.sort();
    let names: Vec<_> = written.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["Click.wav", "Weapons.Flak.Fire.wav"]);
    for run in [list, info, extract] {
        names_the_links(&run, folder.path());
    }
}

#[test]
fn a_game_below_a_circle_of_links_is_mounted_once() {
    let folder = circle();
    let pak = PakWriter { entries: package("Steps"), ..PakWriter::new(8) };
    fs::write(folder.path().join("below/Game.pak"), pak.finish()).unwrap();
    let (input, out) = (text(folder.path()), TempDir::new().unwrap());
    let list = usampler(&["list", "--json", input]);
    list.ends_with(0);
    assert_eq!(list.out.lines().count(), 1, "{}", list.out);
    names_the_links(&list, folder.path());
    let entries = usampler(&["asset", "ls", "--json", input]);
    entries.ends_with(0);
    assert_eq!(entries.out.lines().count(), pak.entries.len(), "{}", entries.out);
    usampler(&["asset", "unpack", input, "-o", text(out.path())]).ends_with(0);
    assert_eq!(files(out.path()).len(), pak.entries.len());
}

#[test]
fn a_circle_of_links_is_packed_once() {
    let folder = circle();
    fs::write(folder.path().join("below/A.txt"), "packed").unwrap();
    let out = TempDir::new().unwrap();
    let target = out.path().join("M_P.pak");
    let run = usampler(&["asset", "pack", text(folder.path()), "-o", text(&target), "--pak-version", "11"]);
    run.ends_with(0);
    names_the_links(&run, folder.path());
    let entries = usampler(&["asset", "ls", "--json", text(&target)]);
    assert_eq!(entries.out.lines().count(), 1, "{}", entries.out);
    assert!(entries.out.contains("below/A.txt"), "{}", entries.out);
}
