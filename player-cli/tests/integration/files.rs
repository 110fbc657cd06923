//! Files as they come: odd names, pipes, links, full disks, an interruption.

use crate::program;
use std::fs;

use fixtures::bytes::Written;
use fixtures::package::PackageWriter;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::wave::{Values, Wave};
use program::bench::bench;
use program::usampler;
use tempfile::TempDir;

#[test]
fn a_name_from_a_file_cannot_steer_the_terminal() {
    let folder = TempDir::new().unwrap();
    let mut package = PackageWriter::new(69);
    let wave = Wave::new(1, 1, Values::U8(vec![128])).finish();
    package.sound("a\u{1b}[2Jb", None, "WAV", &wave);
    package.sound("twin\u{1b}[2J", None, "WAV", &[]);
    package.sound("twin\u{1b}[2J", None, "WAV", b"RIFF\0\0\0\0WAVE");
    let file = folder.path().join("Evil.uax");
    fs::write(&file, package.finish()).unwrap();
    let (file, out) = (file.to_str().unwrap(), folder.path().join("out"));
    let out = out.to_str().unwrap();
    for line in [
        &["list", file][..],
        &["info", "-vv", file],
        &["play", "-v", "--device", "null", file, "#1"],
        &["play", "--device", "null", file, "#2"],
        &["play", "--device", "null", file, "a?[2Jc"],
        &["play", "--device", "null", file, "twin\u{1b}[2J"],
        &["render", "--all", file, "-o", &format!("{out}.wav")],
        &["extract", file, "-o", out],
    ] {
        let run = usampler(line);
        assert!(
            !run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'),
            "{line:?}: {} {}",
            run.out,
            run.err
        );
        assert!(!run.out.is_empty() || !run.err.is_empty(), "{line:?}");
    }
}

#[test]
fn a_name_from_a_file_cannot_make_a_line_of_its_own() {
    const LINE_ENDS: [&str; 6] = ["\n", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{b}"];
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (mut package, mut entries) = (PackageWriter::new(69), Vec::new());
    let wave = Wave::new(1, 1, Values::U8(vec![128])).finish();
    for (number, end) in LINE_ENDS.iter().enumerate() {
        let group = package.group(&format!("group{number}{end}error: forged"), None);
        package.sound(&format!("whole{number}{end}error: forged"), Some(group), "WAV", &wave);
        package.sound(&format!("twin{end}error: forged"), None, "WAV", b"RIFF\0\0\0\0WAVE");
        entries.push(PakEntry::new(&format!("Game/a{number}{end}error: forged{end}.txt"), b"text"));
        entries.push(PakEntry::new(&format!("Game/b{number}{end}error: forged.uasset"), b"no package"));
    }
    let file = path("Evil\nerror: forged.uax");
    fs::write(&file, package.finish()).unwrap();
    let mut damaged = PakWriter { entries, ..PakWriter::new(11) }.finish();
    fs::write(path("Evil.pak"), &damaged).unwrap();
    let text = damaged.windows(4).position(|bytes| bytes == b"text").unwrap();
    damaged[text] ^= 1;
    fs::write(path("Damaged.pak"), &damaged).unwrap();
    let (pak, out, damaged) = (path("Evil.pak"), path("out"), path("Damaged.pak"));
    for line in [
        &["list", &file][..],
        &["info", "-vv", &file],
        &["play", "-v", "--device", "null", &file, "#1"],
        &["play", "--device", "null", &file, "#2"],
        &["play", "--device", "null", &file, "who"],
        &["play", "--device", "null", &file, "twin\nerror: forged"],
        &["render", "--all", &file, "-o", &format!("{out}.wav")],
        &["extract", "-v", &file, "--dry-run"],
        &["replace", &file, "#1", "nowhere\nerror: forged", "-o", &out],
        &["asset", "ls", &pak],
        &["asset", "unpack", "-v", &pak, "-o", &out],
        &["asset", "verify", &damaged],
        &["asset", "show", &pak],
        &["asset", "json", &pak, "Game/b0\nerror: forged", "-o", &out],
        &["list", "-vv", &pak],
        &["info", "-vv", &pak],
    ] {
        let run = usampler(line);
        for printed in [&run.out, &run.err] {
            let lines = printed.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{b}']);
            assert_eq!(
                lines.filter(|line| line.starts_with("error: forged")).count(),
                0,
                "{line:?}: {printed}"
            );
        }
        assert!(!run.out.is_empty() || !run.err.is_empty(), "{line:?}");
    }
    // JSON has them as they are.
    let run = usampler(&["list", "--json", &file]);
    assert!(run.out.contains("whole0\\nerror: forged"), "{}", run.out);
}

#[test]
fn the_input_is_never_the_output() {
    let bench = bench();
    let before = fs::read(&bench.file).unwrap();
    let file = bench.path("package.wav");
    fs::write(&file, &before).unwrap();
    let run = usampler(&["render", &file, "click", "-o", &file, "--force"]);
    run.ends_with(5);
    assert!(run.err.contains("is the input itself"), "{}", run.err);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_link_is_not_written_to_unless_it_is_forced() {
    let bench = bench();
    fs::create_dir(bench.path("elsewhere")).unwrap();
    fs::create_dir(bench.path("out")).unwrap();
    std::os::unix::fs::symlink(bench.path("elsewhere"), bench.path("out/demo")).unwrap();
    let run = usampler(&["extract", "demo:", "-o", &bench.path("out")]);
    run.ends_with(5);
    assert!(run.err.contains("out/demo is a link to another folder"), "{}", run.err);
    assert_eq!(fs::read_dir(bench.path("elsewhere")).unwrap().count(), 0);
    usampler(&["extract", "demo:", "-o", &bench.path("out"), "--force"]).ends_with(0);
    assert_eq!(fs::read_dir(bench.path("elsewhere")).unwrap().count(), 11);
    // The output folder itself is where the user says.
    usampler(&["extract", "demo:", "--flat", "-o", &bench.path("out/demo"), "--filter", "kick", "--force"])
        .ends_with(0);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_way_is_replaced_not_followed() {
    let bench = bench();
    let (victim, link) = (bench.path("victim"), bench.path("Test/Click.wav"));
    fs::write(&victim, "mine").unwrap();
    fs::create_dir(bench.path("Test")).unwrap();
    std::os::unix::fs::symlink(&victim, &link).unwrap();
    let extract = ["extract", &bench.file, "-o", bench.folder.path().to_str().unwrap(), "--filter", "click"];
    usampler(&extract).ends_with(5);
    usampler(&[&extract[..], &["--force"]].concat()).ends_with(0);
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
    assert_eq!(&fs::read(&link).unwrap()[..4], b"RIFF");
    // A link that leads nowhere is in the way as well, and that is known before anything is rendered.
    std::os::unix::fs::symlink(bench.path("nowhere"), bench.path("x.wav")).unwrap();
    let run = usampler(&["render", &bench.file, "click", "-o", &bench.path("x.wav")]);
    run.ends_with(5);
    assert!(run.err.contains("--force"), "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let bench = bench();
    usampler(&["render", &bench.file, "click", "-o", "/dev/full"]).ends_with(5);
    for line in [&["list", &bench.file][..], &["--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status =
            program::command(line).stdout(full).stderr(std::process::Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(5), "{line:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.uax"));
    fs::write(&file, player::demo::package()).unwrap();
    let output = program::command(&["list", "--json"]).arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let long = folder.path().join(format!("{}.wav", "x".repeat(246)));
    let output = program::command(&["render", "demo:", "kick", "-o"]).arg(&long).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_a_file_too() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::write(pipe, player::demo::package()).unwrap())
    };
    let run = usampler(&["list", pipe.to_str().unwrap()]);
    run.ends_with(0);
    assert!(run.out.contains("11 sounds"), "{}", run.out);
    writer.join().unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupted_rendering_leaves_nothing_over() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("long.wav");
    let child = program::command(&["render", "demo:", "warm", "--hold", "3600s", "-o"])
        .arg(&out)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let begun = std::time::Instant::now();
    while fs::read_dir(folder.path()).unwrap().count() == 0 {
        assert!(begun.elapsed().as_secs() < 20, "it does not begin");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{said}");
}

#[test]
fn much_that_comes_of_little_is_said_before_it_is_written() {
    let bench = bench();
    let mut package = PackageWriter::new(69);
    package.wide = true;
    let wave = Wave::new(8000, 1, Values::U8(vec![7; 100_000])).finish();
    for number in 0..150 {
        package.sound(&format!("S{number}"), None, "WAV", if number == 0 { &wave } else { &[0; 4] });
    }
    let mut written = package.written();
    let field = |name: &str, written: &Written| written.bytes[written.field(name).range()].to_vec();
    let (at, size) = (field("export 0.at", &written), field("export 0.size", &written));
    for number in 1..150 {
        written =
            written.with(&format!("export {number}.at"), &at).with(&format!("export {number}.size"), &size);
    }
    fs::write(bench.path("Shared.uax"), &written.bytes).unwrap();
    let run = usampler(&["extract", &bench.path("Shared.uax"), "-o", &bench.path("out"), "--dry-run"]);
    run.ends_with(0);
    assert!(
        run.err.contains("expand to 15 MB (15000000 bytes) of sound; much of it is repeated data"),
        "{}",
        run.err
    );
    let run = usampler(&["extract", "demo:", "-o", &bench.path("out"), "--dry-run"]);
    assert!(!run.err.contains("become"), "{}", run.err);
}

#[test]
fn what_does_not_fit_into_memory_says_how_to_allow_more() {
    let bench = bench();
    let run = usampler(&["extract", "demo:", "--memory", "20k", "-o", &bench.path("out")]);
    run.ends_with(1);
    assert!(run.err.contains("left; --memory allows more"), "{}", run.err);
    assert!(run.out.contains("Drums.HatClosed.wav"), "what fits is written: {}", run.out);
    let run = usampler(&["render", "demo:", "Kick", "--memory", "1K", "-o", &bench.path("kick.wav")]);
    run.ends_with(1);
    assert!(run.err.contains("over the limit") && run.err.contains("--memory allows more"), "{}", run.err);
    usampler(&["render", "demo:", "Kick", "--memory", "1", "-o", &bench.path("kick.wav")]).ends_with(1);
    // The tables of containers are paid from it as well.
    let entries = vec![PakEntry::new("A.txt", b"x")];
    fs::write(bench.path("a.pak"), PakWriter { entries, ..PakWriter::new(11) }.finish()).unwrap();
    usampler(&["list", &bench.path("a.pak")]).ends_with(0);
    let run = usampler(&["list", &bench.path("a.pak"), "--memory", "10"]);
    run.ends_with(3);
    assert!(run.err.contains("the limit leaves") && run.err.contains("--memory allows more"), "{}", run.err);
    for size in ["0", "x", "1P", "", "-1"] {
        usampler(&["render", "demo:", "Kick", "--memory", size, "-o", &bench.path("kick.wav")]).ends_with(2);
    }
}
