//! Tracker modules through the whole program: listed, looked at, extracted, rendered, shown.

use crate::program;
use std::fs;
use std::path::Path;

use fixtures::bytes::Written;
use fixtures::module::it::{self, It};
use fixtures::module::various;
use fixtures::module::xm::{self, Xm};
use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use player_cli::args::ReadingArgs;
use player_cli::input::InputFile;
use program::{Run, usampler, with_slashes};
use screen::model::SoundKind;
use serde_json::Value;
use song::Frames;
use tempfile::TempDir;

/// Returns a module with two samples, one instrument and a note.
fn module() -> Vec<u8> {
    let sample = |frame| it::Sample { flags: 1, conversion: 1, length: 400, data: vec![frame; 400] };
    let cells = vec![0x81, 15, 60, 1, 64, 4, 0x0F, 0, 0];
    let file = It {
        instruments: 1,
        samples: vec![sample(100), sample(50)],
        patterns: vec![Some((2, cells))],
        orders: vec![0, 254, 0, 255, 255],
        message: Some(b"first\rsecond".to_vec()),
        ..It::new(0x214)
    };
    still(file.finish()).bytes
}

/// The same with envelopes and filter off: what is constant stays so.
fn still(file: Written) -> Written {
    let off = ["volume", "pan", "pitch"]
        .iter()
        .fold(file, |file, which| file.with(&format!("instrument 1.{which} head"), [0; 6]));
    off.with("instrument 1.filter", [0, 0])
}

struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("song.it"), module()).unwrap();
        let mut package = PackageWriter::new(69);
        package.music("Tune", "s3m", &module());
        fs::write(folder.path().join("song.umx"), package.finish()).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }
}

/// Returns a package of several modules, with a sound or without.
fn album(stage: &Stage, with_sound: bool) -> String {
    let mut package = PackageWriter::new(69);
    package.music("Tune", "it", &module());
    package.music("Other", "it", &module());
    if with_sound {
        package.sound("Kick", None, "WAV", &Wave::new(8000, 1, Values::I16(vec![9000; 40])).finish());
    }
    let path = stage.path("album.umx");
    fs::write(&path, package.finish()).unwrap();
    path
}

fn rows(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn samples_and_instruments_are_listed_with_the_keys_that_all_sounds_have() {
    let stage = Stage::new();
    let run = usampler(&["list", "--json", &stage.path("song.it")]);
    run.ends_with(0);
    let listed = rows(&run);
    let samples: Vec<_> =
        listed.iter().map(|row| (row["index"].as_u64(), row["class"].as_str(), &row["plays"])).collect();
    let none = Value::Array(Vec::new());
    assert_eq!(samples[0], (Some(1), Some("Sample"), &none));
    assert_eq!(samples[2], (Some(3), Some("Instrument"), &Value::from(vec![1])));
    assert_eq!((listed[0]["rate"].as_u64(), listed[0]["frames"].as_u64()), (Some(8363), Some(400)));
    assert_eq!(listed[0]["schema"], "usampler.sound/1");
}

#[test]
fn a_module_in_a_package_is_one_sound_and_with_music_all_of_its_own() {
    let stage = Stage::new();
    let (bare, wrapped) = (stage.path("song.it"), stage.path("song.umx"));
    let run = usampler(&["list", "--json", &wrapped]);
    run.ends_with(0);
    let listed = rows(&run);
    assert_eq!((listed.len(), &listed[0]["status"]), (1, &"ok".into()));
    assert_eq!(
        (&listed[0]["module"]["title"], &listed[0]["module"]["samples"]),
        (&"a title".into(), &2.into())
    );
    let without_file = |args: &[&str]| {
        let run = usampler(args);
        run.ends_with(0);
        let mut rows = rows(&run);
        rows.iter_mut().for_each(|row| row["file"] = Value::Null);
        rows
    };
    for command in ["list", "pattern", "info"] {
        let inside = without_file(&[command, "--json", "--music", "1", &wrapped]);
        assert_eq!(inside, without_file(&[command, "--json", &bare]), "{command}");
    }
    let info = without_file(&["info", "--json", &wrapped]);
    assert_eq!((&info[0]["kind"], &info[0]["module"]["index"]), (&Value::from("package"), &Value::from(1)));
    usampler(&["list", "--music", "2", &wrapped]).ends_with(3);
}

#[test]
fn a_package_with_nothing_but_a_module_lists_and_plays_what_is_in_it() {
    let stage = Stage::new();
    let (bare, wrapped) = (stage.path("song.it"), stage.path("song.umx"));
    let inside = usampler(&["list", &wrapped]);
    inside.ends_with(0);
    let lines: Vec<&str> = inside.out.lines().collect();
    assert_eq!(lines[0], format!("{wrapped}  1 sound"));
    let ending = "ok, \"a title\", 1 channel, 1 pattern, 1 instrument, 2 samples";
    assert!(lines[2].ends_with(ending), "{}", lines[2]);
    assert_eq!(lines[3], "#1 Tune  3 sounds");
    let alone = usampler(&["list", &bare]);
    assert_eq!(lines[4..], alone.out.lines().skip(1).collect::<Vec<_>>());
    let render = |file: &str, out: &str| {
        usampler(&["render", file, "#3", "-o", &stage.path(out)]).ends_with(0);
        fs::read(stage.path(out)).unwrap()
    };
    assert_eq!(render(&wrapped, "a.wav"), render(&bare, "b.wav"));
    usampler(&["play", &wrapped, "#3", "--device", "null"]).ends_with(0);
    let info = usampler(&["info", &wrapped]);
    info.ends_with(0);
    for line in
        ["  kind         Unreal Engine 1 package", "  music        #1 Tune: it", "  title        a title"]
    {
        assert!(info.out.lines().any(|printed| printed == line), "{line}\n{}", info.out);
    }
    assert!(
        info.out.contains("(0 playable, 1 a tracker module)") && !info.out.contains("skipped"),
        "{}",
        info.out
    );
}

#[test]
fn of_several_modules_one_has_to_be_chosen() {
    let stage = Stage::new();
    let file = album(&stage, false);
    for command in [&["render", &file, "-o", &stage.path("a.wav")][..], &["pattern", &file], &["play", &file]]
    {
        let run = usampler(command);
        run.ends_with(2);
        assert!(run.err.contains("which of the 2 tracker modules"), "{}", run.err);
        assert!(run.err.contains("--music 2  Other"), "{}", run.err);
    }
    usampler(&["render", &file, "--music", "2", "#1", "-o", &stage.path("a.wav")]).ends_with(0);
    let run = usampler(&["list", &file]);
    run.ends_with(0);
    assert_eq!(run.err.lines().count(), 2, "{}", run.err);
    assert!(run.err.contains("--music 1 lists what is in #1 Tune"), "{}", run.err);
}

#[test]
fn a_module_beside_sounds_is_not_played_as_one_of_them() {
    let stage = Stage::new();
    let file = album(&stage, true);
    let render = |sound: &str| usampler(&["render", &file, sound, "--force", "-o", &stage.path("a.wav")]);
    render("Kick").ends_with(0);
    let run = render("Tune");
    run.ends_with(1);
    assert!(run.err.contains("#1 Tune: a tracker module; --music 1 plays what is in it"), "{}", run.err);
    let run = usampler(&["render", "--all", &file, "--force", "-o", &stage.path("a.wav")]);
    run.ends_with(1);
    assert_eq!(run.err.matches("a tracker module").count(), 2, "{}", run.err);
}

#[test]
fn info_counts_what_a_module_has() {
    let stage = Stage::new();
    let run = usampler(&["info", "--json", &stage.path("song.it")]);
    run.ends_with(0);
    let module = &rows(&run)[0]["module"];
    let counts = ["channels", "orders", "patterns", "instruments", "samples"].map(|key| module[key].as_u64());
    assert_eq!(counts, [1, 3, 1, 1, 2].map(Some), "ends after the last order are not counted");
    assert_eq!(
        (module["title"].as_str(), module["message"].as_str()),
        (Some("a title"), Some("first\nsecond"))
    );
    let run = usampler(&["info", &stage.path("song.it")]);
    for line in ["  title        a title", "  patterns     1 (2 rows)", "    second"] {
        assert!(run.out.lines().any(|printed| printed == line), "{line}\n{}", run.out);
    }
}

#[test]
fn patterns_are_shown_as_trackers_show_them() {
    let stage = Stage::new();
    let run = usampler(&["pattern", &stage.path("song.it"), "0"]);
    run.ends_with(0);
    assert_eq!(
        run.out,
        "order 0  pattern 0  2 rows x 1 channels\n00 | C-4 01 v64 D0F\n01 | ... .. ... ...\n"
    );
    let run = usampler(&["pattern", &stage.path("song.umx")]);
    run.ends_with(0);
    assert_eq!(run.out.matches("pattern 0").count(), 1, "{}", run.out);
    assert!(run.out.contains("orders 0, 2  pattern 0"), "{}", run.out);
    assert!(run.out.contains("order 1  +++"), "{}", run.out);
    let run = usampler(&["pattern", "--json", &stage.path("song.it"), "0"]);
    let row = &rows(&run)[0];
    let cell = &row["rows"][0][0];
    assert_eq!(
        (&cell["key"], &cell["effect"], &cell["command"]),
        (&60.into(), &"D0F".into(), &"volume slide".into())
    );
    assert_eq!(row["rows"][1][0], Value::Null);
    let run = usampler(&["pattern", "--color", "always", &stage.path("song.it"), "0"]);
    assert!(run.out.contains("\x1b[36m01\x1b[0m"), "{}", run.out);
    usampler(&["pattern", &stage.path("song.it"), "3"]).ends_with(3);
}

#[test]
fn a_pattern_of_many_orders_is_shown_once() {
    const ORDERS: usize = 60_000;
    let stage = Stage::new();
    let patterns = vec![Some((1, vec![0])), Some((2, vec![0, 0]))];
    let mut orders = vec![0; ORDERS];
    orders[7] = 1;
    let file = It { patterns, orders, ..It::new(0x214) };
    fs::write(stage.path("many.it"), file.finish().bytes).unwrap();
    let run = usampler(&["pattern", &stage.path("many.it")]);
    run.ends_with(0);
    let headings: Vec<&str> = run.out.lines().filter(|line| line.starts_with("order")).collect();
    assert_eq!(
        headings,
        ["orders 0-6, 8-59999  pattern 0  1 rows x 1 channels", "order 7  pattern 1  2 rows x 1 channels"]
    );
    assert_eq!(run.out.lines().count(), 2 + 1 + 1 + 2);
    let run = usampler(&["pattern", "--json", &stage.path("many.it")]);
    run.ends_with(0);
    let rows = rows(&run);
    assert_eq!(rows.len(), ORDERS);
    for (order, row) in rows.iter().enumerate() {
        let (pattern, same_as, shown) = match order {
            0 => (0, Value::Null, 1),
            7 => (1, Value::Null, 2),
            _ => (0, 0.into(), 0),
        };
        assert_eq!(
            (&row["order"], &row["pattern"], &row["same_as"]),
            (&order.into(), &pattern.into(), &same_as)
        );
        assert_eq!(row["rows"].as_array().unwrap().len(), shown);
    }
    let run = usampler(&["pattern", "--json", &stage.path("many.it"), "9"]);
    assert_eq!(self::rows(&run)[0]["rows"].as_array().unwrap().len(), 1, "asked for alone it has rows");
}

#[test]
fn some_channels_are_shown_with_their_numbers() {
    let stage = Stage::new();
    let wide = |channels| {
        let cells = vec![[49, 1, 0x50, 0xA, 0x0F]; 4 * usize::from(channels)];
        let patterns = vec![(4, xm::pack(&cells))];
        Xm { channels, orders: vec![0], patterns, ..Xm::new(0x0104) }.finish().bytes
    };
    fs::write(stage.path("wide.xm"), wide(32)).unwrap();
    let run = usampler(&["pattern", "--channels", "31-32", &stage.path("wide.xm")]);
    run.ends_with(0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[1], "   | 31             | 32");
    assert_eq!(lines[2], "00 | C-4 01 v64 A0F | C-4 01 v64 A0F");
    let run = usampler(&["pattern", &stage.path("wide.xm")]);
    run.ends_with(0);
    assert_eq!(run.out.lines().nth(1).unwrap().len(), 2 + 32 * 17, "a pipe has lines without end");
    let run = usampler(&["pattern", "--channels", "33", &stage.path("wide.xm")]);
    run.ends_with(3);
    assert!(run.err.contains("it has 32"), "{}", run.err);
    usampler(&["pattern", "--channels", "2-1", &stage.path("wide.xm")]).ends_with(2);
}

#[test]
fn a_module_in_a_package_is_extracted_as_it_is_stored_or_its_samples_in_a_folder() {
    let stage = Stage::new();
    let file = album(&stage, true);
    let run = usampler(&["extract", &file, "-o", &stage.path("out")]);
    run.ends_with(0);
    let written = with_slashes(&run.out.replace(&stage.path("out"), ""));
    let folders = ["Tune", "Other"]
        .map(|name| ["a name", "a name~2"].map(|sample| format!("/album/{name}/{sample}.wav")));
    let expected = [vec!["/album/Kick.wav".to_owned()], folders.concat()].concat();
    assert_eq!(written.lines().collect::<Vec<_>>(), expected);
    let bare = usampler(&["extract", &stage.path("song.it"), "-o", &stage.path("bare")]);
    bare.ends_with(0);
    assert_eq!(
        fs::read(stage.path("out/album/Tune/a name.wav")).unwrap(),
        fs::read(stage.path("bare/song/a name.wav")).unwrap()
    );
    usampler(&["extract", &file, "-o", &stage.path("out")]).ends_with(5);
    let run = usampler(&["extract", &file, "--filter", "other", "-o", &stage.path("one")]);
    run.ends_with(0);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    usampler(&["extract", &file, "--format", "original", "-o", &stage.path("whole")]).ends_with(0);
    assert_eq!(fs::read(stage.path("whole/album/Tune.it")).unwrap(), module());
    let run = usampler(&["extract", "--sf2", &stage.path("song.umx"), "-o", &stage.path("bank")]);
    run.ends_with(0);
    assert!(fs::read(stage.path("bank/song/Tune/Tune.sf2")).unwrap().starts_with(b"RIFF"));
}

#[test]
fn samples_are_extracted_and_the_module_as_it_is_stored() {
    let stage = Stage::new();
    let run = usampler(&["extract", &stage.path("song.it"), "-o", &stage.path("out")]);
    run.ends_with(0);
    assert_eq!(run.out.lines().count(), 2, "instruments have no frames of their own: {}", run.out);
    let wave = fs::read(run.out.lines().next().unwrap()).unwrap();
    assert!(wave.starts_with(b"RIFF") && wave.windows(4).any(|word| word == b"smpl"), "root key and tuning");
    let original = ["extract", "--format", "original", &stage.path("song.it"), "-o", &stage.path("whole")];
    let run = usampler(&original);
    run.ends_with(0);
    assert_eq!(fs::read(stage.path("whole/song/song.it")).unwrap(), module());
    usampler(&original).ends_with(5);
    let run = usampler(&[&original[..], &["--skip-existing"]].concat());
    run.ends_with(0);
    assert!(run.err.contains("the module is already there"), "{}", run.err);
}

#[test]
fn samples_and_instruments_are_rendered_like_any_sound() {
    let stage = Stage::new();
    let render = |sound: &str, out: &str| {
        let run = usampler(&["render", &stage.path("song.it"), sound, "-o", &stage.path(out)]);
        run.ends_with(0);
        fs::read(stage.path(out)).unwrap()
    };
    let (sample, instrument) = (render("#1", "a.wav"), render("#3", "b.wav"));
    let peak = |wave: &[u8]| {
        wave[44..].chunks_exact(2).map(|value| i16::from_le_bytes([value[0], value[1]]).abs()).max().unwrap()
    };
    assert!(peak(&sample) > 20_000, "{}", peak(&sample));
    let share = f32::from(peak(&instrument)) / f32::from(peak(&sample));
    assert!((share - 0.75 * 100.0 / 128.0).abs() < 0.02, "the volumes of sample and instrument: {share}");
    usampler(&["render", "--all", &stage.path("song.it"), "-o", &stage.path("all.wav")]).ends_with(0);
}

#[test]
fn modules_are_read_from_a_stream_and_found_in_folders() {
    let stage = Stage::new();
    let run = Run::of(&["list", "-"], &module());
    run.ends_with(0);
    assert!(run.out.contains("3 sounds"), "{}", run.out);
    for (name, file) in various() {
        let run = Run::of(&["info", "--json", "-"], &file.bytes);
        run.ends_with(0);
        assert_eq!(rows(&run)[0]["kind"], "module", "{name}");
    }
    let run = usampler(&["list", stage.folder.path().to_str().unwrap()]);
    run.ends_with(0);
    assert!(run.err.contains("2 files read\n"), "{}", run.err);
}

#[test]
fn a_module_cut_short_is_an_error_or_less_of_a_module() {
    for (name, file) in various() {
        for share in 1..8 {
            let bytes = &file.bytes[..file.bytes.len() * share / 8];
            let run = Run::of(&["pattern", "-"], bytes);
            assert!(!run.err.contains("panicked"), "{name}: {}", run.err);
            assert!(run.err.is_empty() || run.err.starts_with("error: "), "{name}: {}", run.err);
        }
    }
}

#[test]
fn a_note_that_outlasts_its_tail_is_faded_and_not_broken_off() {
    let stage = Stage::new();
    // A constant, and an instrument that takes minutes to fade.
    let sample = it::Sample { flags: 1 | 16, conversion: 1, length: 400, data: vec![100; 400] };
    let file = It { instruments: 1, samples: vec![sample], ..It::new(0x214) }.finish();
    let file = still(file).with("instrument 1.fadeout", [1, 0]);
    fs::write(stage.path("slow.it"), file.bytes).unwrap();
    let out = stage.path("slow.wav");
    let arguments = ["--hold", "100ms", "--tail", "100ms", "--bits", "32f", "-o", &out];
    let run = usampler(&[&["render", &stage.path("slow.it"), "#2"], &arguments[..]].concat());
    run.ends_with(0);
    let frames: Vec<f32> = hound::WavReader::open(&out).unwrap().samples().map(Result::unwrap).collect();
    let left: Vec<f32> = frames.iter().copied().step_by(2).collect();
    assert_eq!(left.len(), 9600);
    assert!(left[9350] > 0.9 * left[100], "it goes on to the last 5 ms");
    assert!(left[9599] < 0.01 * left[100], "and is silent in the end");
    assert!(left[100..].windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.01));
}

#[test]
fn a_loop_that_a_release_ends_is_named() {
    let stage = Stage::new();
    let sample = it::Sample { flags: 1 | 16 | 32, conversion: 1, length: 400, data: vec![100; 400] };
    fs::write(stage.path("held.it"), It { samples: vec![sample], ..It::new(0x214) }.finish().bytes).unwrap();
    let text = usampler(&["list", &stage.path("held.it")]);
    assert!(text.out.contains("3-4 held"), "{}", text.out);
    let json = usampler(&["list", &stage.path("held.it"), "--json"]);
    let row: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(
        (&row["loops"][0]["sustain"], &row["loops"][1]["sustain"]),
        (&Value::Bool(true), &Value::Null)
    );
}

#[test]
fn an_instrument_of_one_sample_is_trimmed_and_looped_as_that() {
    let stage = Stage::new();
    let input = InputFile::open(Path::new(&stage.path("song.it")), &ReadingArgs::default()).unwrap();
    let entries = screen::entries(&input.package().unwrap(), None, screen::OptionNames::default());
    let instrument = entries.iter().find(|entry| entry.kind == SoundKind::Instrument).unwrap();
    assert_eq!((instrument.length, instrument.loop_range), (Some(Frames::new(400)), None));
}
