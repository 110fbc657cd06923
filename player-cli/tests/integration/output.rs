//! What `render` and `extract` write, and what they say of it.

use crate::program;
use std::fs;
use std::path::Path;

use fixtures::package::PackageWriter;
use program::bench::{bench, write_package};
use program::usampler;
use serde_json::Value;

fn values(path: &str) -> (hound::WavSpec, Vec<i32>) {
    let mut reader = hound::WavReader::open(path).unwrap();
    (reader.spec(), reader.samples().map(Result::unwrap).collect())
}

#[test]
fn a_flac_file_holds_the_values_of_the_wav_file_of_the_same_width() {
    let bench = bench();
    for bits in ["16", "24"] {
        let [wav, flac] = ["x.wav", "x.flac"].map(|name| bench.path(name));
        for out in [&wav, &flac] {
            usampler(&["render", "demo:", "--all", "--bits", bits, "--force", "-o", out]).ends_with(0);
        }
        // Decoded by the reader of packages, which knows nothing of the writer.
        let mut package = PackageWriter::new(69);
        package.sound("Rendered", None, "FLAC", &fs::read(&flac).unwrap());
        let file = bench.path("Rendered.uax");
        fs::write(&file, package.finish()).unwrap();
        usampler(&["extract", &file, "--force", "-o", &bench.path("out")]).ends_with(0);
        let (spec, decoded) = values(&bench.path("out/Rendered/Rendered.wav"));
        let (expected_spec, expected) = values(&wav);
        assert_eq!((spec.channels, spec.sample_rate), (2, 48_000));
        assert_eq!((spec.bits_per_sample, decoded == expected), (expected_spec.bits_per_sample, true));
        let (flac, wav) = (fs::metadata(&flac).unwrap().len(), fs::metadata(&wav).unwrap().len());
        assert!(flac < wav * 9 / 10, "{flac} of {wav} bytes");
    }
}

#[test]
fn a_file_of_another_ending_is_refused_by_name() {
    let bench = bench();
    for (name, reason) in
        [("x.mp3", "only .wav and .flac are written"), ("x.ogg", "only .wav"), ("x.uax", "only .wav")]
    {
        let out = bench.path(name);
        let run = usampler(&["render", "demo:", "Kick", "-o", &out]);
        run.ends_with(2);
        assert!(run.err.contains(reason) && run.err.contains(name), "{}", run.err);
        assert!(!Path::new(&out).exists());
    }
    let run = usampler(&["render", "demo:", "Kick", "--bits", "32f", "-o", &bench.path("x.flac")]);
    run.ends_with(2);
    assert!(run.err.contains("not float"), "{}", run.err);
    let run = usampler(&["render", "demo:", "Kick", "--rate", "192000", "-o", &bench.path("x.flac")]);
    run.ends_with(5);
    assert!(run.err.contains("up to 96000 Hz"), "{}", run.err);
    assert!(!Path::new(&bench.path("x.flac")).exists());
}

#[test]
fn existing_files_are_skipped_and_the_rest_is_written() {
    let bench = bench();
    let out = bench.path("out");
    usampler(&["extract", "demo:", "--filter", "keys", "-o", &out]).ends_with(0);
    let kept = bench.path("out/demo/Keys.Bass.wav");
    fs::write(&kept, "mine").unwrap();
    usampler(&["extract", "demo:", "-o", &out]).ends_with(5);
    let run = usampler(&["extract", "demo:", "-o", &out, "--skip-existing", "--sfz"]);
    run.ends_with(0);
    assert!(run.err.contains("demo: 8 sounds written to "), "{}", run.err);
    assert!(run.err.contains(", 3 already there"), "{}", run.err);
    assert_eq!(fs::read(&kept).unwrap(), b"mine");
    let sfz = fs::read_to_string(bench.path("out/demo/demo.sfz")).unwrap();
    assert!(sfz.contains("Keys.Bass.wav") && sfz.contains("Drums.Kick.wav"), "all sounds are in it");
    let run = usampler(&["extract", "demo:", "-o", &out, "--skip-existing"]);
    run.ends_with(0);
    assert!(run.out.is_empty() && run.err.contains("no sounds written"), "{}", run.err);
}

#[test]
fn quiet_extracts_print_nothing_and_json_ones_a_line_for_each_file() {
    let bench = bench();
    let run = usampler(&["extract", "demo:", "-q", "-o", &bench.path("quiet")]);
    run.ends_with(0);
    assert!(run.out.is_empty() && run.err.is_empty(), "{}{}", run.out, run.err);
    let run = usampler(&["extract", "demo:", "--json", "-o", &bench.path("json")]);
    run.ends_with(0);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 11);
    assert_eq!((&rows[0]["schema"], &rows[0]["index"]), (&"usampler.extracted/1".into(), &1.into()));
    assert_eq!(rows[9]["name"], "Pads.Warm");
    for row in &rows {
        assert!(Path::new(row["path"].as_str().unwrap()).exists(), "{row}");
    }
}

#[test]
fn a_rendering_is_described_in_json() {
    let bench = bench();
    let out = bench.path("x.flac");
    let run = usampler(&["render", "demo:", "Kick", "--rate", "44100", "--json", "-o", &out]);
    run.ends_with(0);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&row["schema"], &row["format"]), (&"usampler.rendering/1".into(), &"flac".into()));
    assert_eq!(
        (&row["path"], &row["rate"], &row["clipped"]),
        (&out.as_str().into(), &44_100.into(), &0.into())
    );
    assert!(row["frames"].as_u64().unwrap() > 10_000, "{row}");
    usampler(&["render", "demo:", "Kick", "--json", "-o", "-"]).ends_with(2);
}

#[test]
fn packages_of_one_name_are_told_apart_in_what_is_printed() {
    let bench = bench();
    let [a, b] = ["a", "b"].map(|name| bench.folder.path().join(name));
    for folder in [&a, &b] {
        fs::create_dir(folder).unwrap();
        write_package(folder, "Same.uax");
    }
    let out = bench.path("out");
    let run = usampler(&["extract", a.to_str().unwrap(), b.to_str().unwrap(), "-o", &out]);
    let lines: Vec<&str> = run.err.lines().filter(|line| line.contains("written to")).collect();
    assert!(lines[0].contains("a/Same.uax: ") && lines[1].contains("b/Same.uax: "), "{lines:?}");
    assert!(lines[0].ends_with("out/Same") && lines[1].ends_with("out/Same~2"), "{lines:?}");
}

#[test]
fn a_folder_named_like_standard_output_is_refused() {
    let run = usampler(&["extract", "demo:", "-o", "-"]);
    run.ends_with(2);
    assert!(run.err.contains("not standard output"), "{}", run.err);
}

#[test]
fn the_reasons_of_the_system_are_plain_words() {
    let bench = bench();
    for (line, reason) in [
        (vec!["list", "/no/such.uax"], "no such file or folder"),
        (vec!["render", "demo:", "--midi", "/no/such.mid", "-o", "x.wav"], "no such file or folder"),
        (vec!["render", "demo:", "Kick", "-o", "/no/such/x.wav"], "no such file or folder"),
    ] {
        let run = usampler(&line);
        assert!(run.err.contains(reason) && !run.err.contains("os error"), "{line:?}: {}", run.err);
    }
    let inside = bench.path("Test.uax/x.wav");
    let run = usampler(&["render", "demo:", "Kick", "-o", &inside]);
    assert!(!run.err.contains("os error"), "{}", run.err);
}

#[test]
fn what_no_wav_file_can_hold_is_refused_before_it_is_rendered() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // A beat of half a second as the only tick; 23 hours of them.
    let number = [0x80 | (165_600 >> 14) as u8, 0x80 | (165_600 >> 7 & 0x7F) as u8, 165_600_u32 as u8 & 0x7F];
    let track = [&[0, 0x90, 60, 100][..], &number, &[0x80, 60, 0, 0, 0xFF, 0x2F, 0]].concat();
    let head = b"MThd\0\0\0\x06\0\0\0\x01\0\x01MTrk";
    fs::write(path("long.mid"), [&head[..], &(track.len() as u32).to_be_bytes(), &track].concat()).unwrap();
    let run = usampler(&["render", "demo:", "--midi", &path("long.mid"), "-o", &path("long.wav")]);
    run.ends_with(5);
    assert!(run.err.contains("cannot hold more than 4 GiB"), "{}", run.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left");
}

#[test]
fn a_long_stream_is_let_go_while_it_is_rendered_and_a_short_one_states_its_length() {
    let render =
        |hold: &str| usampler(&["render", "demo:", "Warm", "--hold", hold, "--bits", "32f", "-o", "-"]).bytes;
    let sizes = |bytes: &[u8]| {
        let at = |place: usize| u32::from_le_bytes(bytes[place..place + 4].try_into().unwrap());
        let data = bytes.windows(4).position(|name| name == b"data").unwrap();
        (at(4), at(data + 4), bytes.len() - data - 8)
    };
    let short = render("1s");
    let (whole, data, there) = sizes(&short);
    assert_eq!((whole as usize, data as usize), (short.len() - 8, there));
    let long = render("100s");
    let (whole, data, there) = sizes(&long);
    assert_eq!((whole, data), (u32::MAX, u32::MAX));
    assert!(there > 100 * 48_000 * 8, "{there}");
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("long.wav");
    usampler(&["render", "demo:", "Warm", "--hold", "100s", "--bits", "32f", "-o", path.to_str().unwrap()])
        .ends_with(0);
    let file = fs::read(path).unwrap();
    assert!(file[file.len() - there..] == long[long.len() - there..], "the same values");
}
