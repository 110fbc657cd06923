//! The pattern of sounds, and tracker modules of them, through the whole program.

use crate::program;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fixtures::corpus::corpus;
use fixtures::module::it::{self, It};
use fixtures::module_reader::{ReadModule, ReadSample, read_it, read_xm};
use fixtures::package::PackageWriter;
use fixtures::wave::{Sampler, Values, Wave};
use program::usampler;
use serde_json::Value;
use tempfile::TempDir;

struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a package of sounds; returns its path.
    fn package(&self, name: &str, sounds: &[(&str, Vec<u8>)]) -> String {
        let mut package = PackageWriter::new(69);
        for (name, bytes) in sounds {
            package.sound(name, None, "WAV", bytes);
        }
        fs::write(self.path(name), package.finish()).unwrap();
        self.path(name)
    }

    /// Writes a package of so many short sounds; sound i is i frames long.
    fn many(&self, name: &str, count: usize) -> String {
        let sounds: Vec<(String, Vec<u8>)> =
            (1..=count).map(|number| (format!("S{number}"), tone(number))).collect();
        let sounds: Vec<(&str, Vec<u8>)> =
            sounds.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
        self.package(name, &sounds)
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn it(&self, name: &str) -> ReadModule {
        read_it(&fs::read(self.path(name)).unwrap())
    }

    fn xm(&self, name: &str) -> ReadModule {
        read_xm(&fs::read(self.path(name)).unwrap())
    }
}

/// Returns a wave of so many frames.
fn tone(frames: usize) -> Vec<u8> {
    Wave::new(8000, 1, Values::I16((1..=frames).map(|frame| frame as i16).collect())).finish()
}

/// Returns a tracker module of one pattern.
fn song() -> Vec<u8> {
    let sample = it::Sample { flags: 1, conversion: 1, length: 4, data: vec![1, 2, 3, 4] };
    let cells = vec![0x81, 3, 60, 1, 0];
    It { samples: vec![sample], patterns: vec![Some((1, cells))], ..It::new(0x214) }.finish().bytes
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_pattern_of_sounds_refers_to_each_in_sequence() {
    let stage = Stage::new();
    for (count, heading) in [
        (0, "64 rows, 1 channel, 0 instruments; no notes"),
        (1, "64 rows, 1 channel, 1 instrument; no notes"),
        (64, "64 rows, 1 channel, 64 instruments; no notes"),
        (65, "64 rows, 2 channels, 65 instruments; no notes"),
    ] {
        let file = stage.many("Bank.uax", count);
        let run = usampler(&["pattern", &file]);
        run.ends_with(0);
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!((lines[0], lines.len()), (heading, 65));
        let instruments = |line: &str| -> Vec<usize> {
            line.split(" | ").skip(1).filter_map(|cell| cell.split(' ').nth(1)?.parse().ok()).collect()
        };
        for (row, line) in lines[1..].iter().enumerate() {
            let expected: Vec<usize> =
                [row + 1, row + 65].into_iter().filter(|number| *number <= count).collect();
            assert_eq!(instruments(line), expected, "{line}");
            assert!(line.starts_with(&format!("{row:02X} | ... ")), "{line}");
        }
        let run = usampler(&["pattern", "--json", &file]);
        run.ends_with(0);
        let found = rows(&run.out);
        assert_eq!((found.len(), &found[0]["generated"]), (1, &Value::Bool(true)));
        assert_eq!((&found[0]["schema"], &found[0]["order"]), (&"usampler.pattern/1".into(), &0.into()));
        let numbers = found[0]["rows"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
        assert_eq!(numbers.filter(|cell| cell["instrument"].is_number()).count(), count);
    }
    usampler(&["pattern", &stage.many("Bank.uax", 3), "0"]).ends_with(0);
    usampler(&["pattern", &stage.many("Bank.uax", 3), "1"]).ends_with(3);
}

#[test]
fn a_package_with_music_shows_that_and_its_sounds_if_asked_for() {
    let stage = Stage::new();
    let mut package = PackageWriter::new(69);
    package.music("Tune", "it", &song());
    package.sound("Kick", None, "WAV", &tone(9));
    fs::write(stage.path("both.umx"), package.finish()).unwrap();
    let file = stage.path("both.umx");
    let run = usampler(&["pattern", &file]);
    run.ends_with(0);
    assert!(run.out.starts_with("order 0  pattern 0  1 rows x 1 channels\n"), "{}", run.out);
    assert!(!usampler(&["pattern", "--json", &file]).out.contains("generated"));
    let run = usampler(&["pattern", "--sounds", &file]);
    run.ends_with(0);
    assert!(run.out.starts_with("64 rows, 1 channel, 2 instruments; no notes\n00 | ... 01 "), "{}", run.out);
}

#[test]
fn each_package_below_a_folder_has_its_pattern() {
    let stage = Stage::new();
    fs::create_dir(stage.path("Sounds")).unwrap();
    let (one, two) = (stage.many("Sounds/A.uax", 1), stage.many("Sounds/B.uax", 2));
    let run = usampler(&["pattern", &stage.path("Sounds")]);
    run.ends_with(0);
    assert!(
        run.out.starts_with(&format!("{one}\n64 rows, 1 channel, 1 instrument; no notes\n")),
        "{}",
        run.out
    );
    assert!(run.out.contains(&format!("\n\n{two}\n64 rows, 1 channel, 2 instruments")), "{}", run.out);
    assert_eq!(rows(&usampler(&["pattern", "--json", &stage.path("Sounds")]).out).len(), 2);
}

#[test]
fn modules_are_written_beside_wavs_or_alone() {
    let stage = Stage::new();
    let file = stage.many("Bank.uax", 2);
    let out = stage.path("all");
    let dry = usampler(&["extract", &file, "-o", &out, "--it", "--xm", "--dry-run"]);
    let run = usampler(&["extract", &file, "-o", &out, "--it", "--xm"]);
    run.ends_with(0);
    assert_eq!(dry.out, run.out);
    assert_eq!(stage.files("all/Bank"), ["Bank.it", "Bank.xm", "S1.wav", "S2.wav"]);
    // Nothing is overwritten.
    usampler(&["extract", &file, "-o", &out, "--xm", "--no-wav"]).ends_with(5);
    let run = usampler(&["extract", &file, "-o", &out, "--xm", "--no-wav", "--skip-existing"]);
    run.ends_with(0);
    assert!(run.err.contains("2 already there"), "{}", run.err);
    usampler(&["extract", &file, "-o", &stage.path("it"), "--it", "--no-wav", "--filter", "s2"]).ends_with(0);
    assert_eq!(stage.files("it/Bank"), ["Bank.it"]);
    let module = stage.it("it/Bank/Bank.it");
    assert_eq!((&module.title[..], &module.message[..]), (&b"Bank"[..], &[b"1  S2".to_vec()][..]));
    let run = usampler(&["extract", &file, "-o", &stage.path("one"), "--xm", "--no-wav", "--json"]);
    assert_eq!((rows(&run.out).len(), &rows(&run.out)[0]["index"]), (1, &Value::Null));
}

#[test]
fn options_that_make_no_sense_together_are_refused() {
    let stage = Stage::new();
    let file = stage.many("Bank.uax", 1);
    let out = stage.path("out");
    for options in [
        &["--notes"][..],
        &["--mono", "--sf2"],
        &["--no-wav"],
        &["--it", "--no-wav", "--sfz"],
        &["--it", "--format", "original"],
        &["--xm", "--format", "original"],
    ] {
        usampler(&[&["extract", &file, "-o", &out], options].concat()).ends_with(2);
    }
    usampler(&["extract", &file, "-o", &out, "--sf2", "--no-wav"]).ends_with(0);
    assert_eq!(stage.files("out/Bank"), ["Bank.sf2"]);
}

#[test]
fn more_sounds_than_fit_take_several_files_in_order() {
    let stage = Stage::new();
    for (count, its, xms) in
        [(99, 1, 1), (100, 2, 1), (128, 2, 1), (129, 2, 2), (198, 2, 2), (199, 3, 2), (257, 3, 3)]
    {
        let out = format!("out{count}");
        let file = stage.many("Bank.uax", count);
        usampler(&["extract", &file, "-o", &stage.path(&out), "--it", "--xm", "--no-wav"]).ends_with(0);
        let names = |format: &str, files: usize| -> Vec<String> {
            match files {
                1 => vec![format!("Bank.{format}")],
                _ => (1..=files).map(|number| format!("Bank-{number}.{format}")).collect(),
            }
        };
        let (its, xms) = (names("it", its), names("xm", xms));
        let mut all = [its.clone(), xms.clone()].concat();
        all.sort();
        assert_eq!(stage.files(&format!("{out}/Bank")), all);
        let lengths = |modules: Vec<ReadModule>| -> Vec<usize> {
            let samples = modules.iter().flat_map(|module| &module.samples);
            samples.map(|sample| sample.planes[0].len()).collect()
        };
        let its = its.iter().map(|name| stage.it(&format!("{out}/Bank/{name}"))).collect();
        let xms = xms.iter().map(|name| stage.xm(&format!("{out}/Bank/{name}"))).collect();
        assert_eq!([lengths(its), lengths(xms)], [(1..=count).collect::<Vec<_>>(), (1..=count).collect()]);
    }
}

#[test]
fn packages_in_one_folder_do_not_take_each_others_names() {
    let stage = Stage::new();
    let (large, small) = (stage.many("Bank.uax", 100), stage.many("Bank-1.uax", 1));
    let out = stage.path("flat");
    usampler(&["extract", &large, &small, "-o", &out, "--it", "--no-wav", "--flat", "--force"]).ends_with(0);
    assert_eq!(stage.files("flat"), ["Bank-1.it", "Bank-1~2.it", "Bank-2.it"]);
}

#[test]
fn sounds_that_cannot_be_in_a_module_are_named_and_leave_no_gap() {
    let stage = Stage::new();
    let at = |rate: u32| Wave::new(rate, 1, Values::I16(vec![1, 2])).finish();
    let file = stage.package(
        "Bank.uax",
        &[
            ("Slow", at(20)),
            ("Good", at(8000)),
            ("Odd", b"RIFF\x04\0\0\0WAVE".to_vec()),
            ("Fast", at(3_000_000)),
        ],
    );
    let run = usampler(&["extract", &file, "-o", &stage.path("out"), "--it", "--xm", "--no-wav"]);
    run.ends_with(1);
    assert_eq!(stage.it("out/Bank/Bank.it").message, [&b"1  Slow"[..], b"2  Good", b"3  Fast"]);
    assert_eq!(stage.xm("out/Bank/Bank.xm").instruments, [(b"Good".to_vec(), 1)]);
    for named in
        ["#3 Odd: not extracted", "Bank.xm: #1 Slow left out: a rate of 20.0 Hz", "Bank.xm: #4 Fast left out"]
    {
        assert!(run.err.contains(named), "{named}: {}", run.err);
    }
    // None at all.
    let run =
        usampler(&["extract", &file, "-o", &stage.path("none"), "--xm", "--no-wav", "--filter", "slow"]);
    run.ends_with(1);
    assert!(run.err.contains("there is no sound for a module"), "{}", run.err);
    assert!(!Path::new(&stage.path("none/Bank/Bank.xm")).exists());
}

#[test]
fn a_sound_that_does_not_fit_into_memory_is_named_once() {
    let stage = Stage::new();
    let long = Wave::new(8000, 1, Values::I16(vec![7; 200_000])).finish();
    let file = stage.package("Bank.uax", &[("Long", long), ("Short", tone(5))]);
    for (also, name) in [(&["--no-wav"][..], "a"), (&[], "b")] {
        let line = ["extract", &file, "-o", &stage.path(name), "--it", "--xm", "--memory", "100K"];
        let run = usampler(&[&line, also].concat());
        run.ends_with(1);
        assert_eq!(run.err.matches("#1 Long").count(), 1, "{}", run.err);
        assert_eq!(stage.it(&format!("{name}/Bank/Bank.it")).message, [b"1  Short"]);
        assert_eq!(stage.xm(&format!("{name}/Bank/Bank.xm")).samples.len(), 1);
    }
}

#[test]
fn an_empty_package_makes_no_module() {
    let stage = Stage::new();
    let run = usampler(&["extract", &stage.many("Bank.uax", 0), "-o", &stage.path("out"), "--it", "--xm"]);
    run.ends_with(0);
    assert_eq!(run.out, "");
    assert!(!Path::new(&stage.path("out/Bank")).exists());
}

#[test]
fn what_a_module_does_not_keep_is_said() {
    let stage = Stage::new();
    let wide = Wave::new(8000, 1, Values::I24(vec![0, 128, 4_194_304])).finish();
    let quad = Wave::new(8000, 4, Values::I16(vec![100; 8])).finish();
    let looped = Wave::new(8000, 1, Values::U8(vec![128; 9])).looped(1, 3).looped(2, 4).finish();
    let file = stage.package("Bank.uax", &[("Wide", wide), ("Quad", quad), ("Looped", looped)]);
    let run = usampler(&["extract", &file, "-o", &stage.path("out"), "--it", "--xm"]);
    run.ends_with(0);
    for said in [
        "Bank.it: sounds rounded to 16 bits: 1",
        "Bank.it: sounds of more than two channels mixed down: 1",
        "Bank.xm: sounds of which loops or numbers of repeats are left out: 1",
    ] {
        assert!(run.err.contains(said), "{said}: {}", run.err);
    }
    let module = stage.it("out/Bank/Bank.it");
    assert_eq!((&module.samples[0].planes[0][..], module.samples[0].bits), (&[0, 1, 16_384][..], 16));
    assert_eq!(module.samples[2].looping, Some((1, 4, false)));
}

#[test]
fn root_keys_are_in_the_rate_and_hostile_names_are_cut() {
    let stage = Stage::new();
    let mut low = Wave::new(11_025, 1, Values::U8(vec![128, 129]));
    low.sampler = Some(Sampler { unity_note: 48, ..Sampler::default() });
    let mut package = PackageWriter::new(69);
    let group = package.group(&"g".repeat(60), None);
    package.sound(&"n".repeat(60), Some(group), "WAV", &low.finish());
    package.sound("..", None, "WAV", &tone(2));
    fs::write(stage.path("Bank.uax"), package.finish()).unwrap();
    usampler(&["extract", &stage.path("Bank.uax"), "-o", &stage.path("out"), "--it", "--xm"]).ends_with(0);
    let (it, xm) = (stage.it("out/Bank/Bank.it"), stage.xm("out/Bank/Bank.xm"));
    assert_eq!((it.samples[0].rate, it.samples[0].bits), (22_050.0, 8));
    assert_eq!((it.samples[0].name.clone(), xm.samples[0].name.clone()), (vec![b'n'; 25], vec![b'n'; 22]));
    assert_eq!(it.message[0], format!("1  {}.{}", "g".repeat(60), "n".repeat(60)).as_bytes());
    assert_eq!(&it.samples[1].name, b"..");
}

#[test]
fn samples_of_a_tracker_module_make_one_again() {
    let stage = Stage::new();
    fs::write(stage.path("song.it"), song()).unwrap();
    usampler(&["extract", &stage.path("song.it"), "-o", &stage.path("out"), "--it"]).ends_with(0);
    assert_eq!(stage.it("out/song/song.it").samples[0].planes, [[1, 2, 3, 4]]);
    let mut package = PackageWriter::new(69);
    package.music("Tune", "it", &song());
    package.sound("Kick", None, "WAV", &tone(9));
    fs::write(stage.path("both.umx"), package.finish()).unwrap();
    usampler(&["extract", &stage.path("both.umx"), "-o", &stage.path("out"), "--xm"]).ends_with(0);
    assert_eq!(stage.xm("out/both/both.xm").samples.len(), 1);
    assert_eq!(stage.xm("out/both/Tune/Tune.xm").samples.len(), 1);
}

#[test]
fn notes_are_heard_one_after_the_other() {
    let stage = Stage::new();
    let loud = |value| Wave::new(8000, 1, Values::I16(vec![value; 800])).finish();
    let file = stage.package("Bank.uax", &[("One", loud(9000)), ("Two", loud(-9000)), ("Three", loud(9000))]);
    usampler(&["extract", &file, "-o", &stage.path("out"), "--it", "--xm", "--notes", "--no-wav"])
        .ends_with(0);
    for format in ["it", "xm"] {
        let (module, wav) =
            (stage.path(&format!("out/Bank/Bank.{format}")), stage.path(&format!("{format}.wav")));
        usampler(&["render", &module, "-o", &wav, "--seconds", "3s", "--rate", "8000"]).ends_with(0);
        let values: Vec<i16> = hound::WavReader::open(wav).unwrap().samples().map(Result::unwrap).collect();
        // A row of 31 ticks of 20 ms is 4960 frames of two values; the first tenth of each but its start.
        let heard = [0, 1, 2, 3].map(|row| {
            let from = (row * 4960 + 100) * 2;
            values[from..from + 1000].iter().map(|value| i64::from(*value)).sum::<i64>().signum()
        });
        assert_eq!(heard, [1, -1, 1, 0], "{format}");
    }
}

/// A WAV file of 8 or 16 bits.
struct WavFile {
    /// Channels × frames, signed.
    planes: Vec<Vec<i32>>,
    rate: u32,
    bits: u16,
    /// Start, end and whether it turns; the end exclusive.
    looping: Option<(usize, usize, bool)>,
    /// Root key, with the fraction that it was tuned above that.
    root: f64,
}

fn read_wav(path: &Path) -> WavFile {
    let mut reader = hound::WavReader::open(path).unwrap();
    let spec = reader.spec();
    let values: Vec<i32> = reader.samples::<i32>().map(Result::unwrap).collect();
    let channels = usize::from(spec.channels);
    let plane = |channel| values.iter().skip(channel).step_by(channels).copied().collect();
    let planes = (0..channels).map(plane).collect();
    let bytes = fs::read(path).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (mut at, mut looping, mut root) = (12, None, 60.0);
    while at + 8 <= bytes.len() {
        let size = number(at + 4) as usize;
        if &bytes[at..at + 4] == b"smpl" {
            root = f64::from(number(at + 8 + 12)) + f64::from(number(at + 8 + 16)) / 4_294_967_296.0;
            looping = (number(at + 8 + 28) > 0).then(|| {
                let [kind, start, last] = [4, 8, 12].map(|field| number(at + 8 + 36 + field) as usize);
                (start, last + 1, kind == 1)
            });
        }
        at += 8 + size + size % 2;
    }
    WavFile { planes, rate: spec.sample_rate, bits: spec.bits_per_sample, looping, root }
}

/// Returns every WAV file below a folder in the order of the numbers of its sounds.
fn extracted(out: &str) -> Vec<(String, PathBuf)> {
    let files = rows(out);
    let by_number: BTreeMap<u64, (String, PathBuf)> = files
        .iter()
        .filter_map(|row| {
            let name = row["name"].as_str()?.to_owned();
            Some((row["index"].as_u64()?, (name, row["path"].as_str()?.into())))
        })
        .collect();
    by_number.into_values().collect()
}

fn check(sample: &ReadSample, (name, path): &(String, PathBuf), is_exact: bool) {
    let WavFile { planes, rate, bits, looping, root } = read_wav(path);
    assert_eq!((sample.bits, sample.planes == planes, sample.looping), (bits, true, looping), "{name}");
    let wanted = f64::from(rate) * ((60.0 - root) / 12.0).exp2();
    let off = sample.rate / wanted - 1.0;
    assert!(if is_exact { sample.rate == wanted.round() } else { off.abs() < 0.00023 }, "{name}: {off}");
}

#[test]
fn real_packages_become_modules_with_the_values_of_their_wavs() {
    let Some(packages) = corpus("packages") else { return };
    let stage = Stage::new();
    let (mut checked, mut sounds) = (0, 0);
    let mut folders = vec![packages];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for (number, file) in files.iter().enumerate() {
        let out = stage.path(&number.to_string());
        let run = usampler(&["extract", file.to_str().unwrap(), "-o", &out, "--it", "--xm", "--json"]);
        let wavs = extracted(&run.out);
        let modules = |extension: &str| -> Vec<PathBuf> {
            let rows = rows(&run.out);
            let paths =
                rows.iter().filter(|row| row["index"].is_null()).filter_map(|row| row["path"].as_str());
            paths.map(PathBuf::from).filter(|path| path.extension().unwrap() == extension).collect()
        };
        // Of a tracker module in a package there are more files, whose sounds have numbers of their own.
        if wavs.is_empty() || modules("it").len() != wavs.len().div_ceil(99) {
            continue;
        }
        let its = modules("it")
            .iter()
            .flat_map(|path| read_it(&fs::read(path).unwrap()).samples)
            .collect::<Vec<_>>();
        let xms = modules("xm")
            .iter()
            .flat_map(|path| read_xm(&fs::read(path).unwrap()).samples)
            .collect::<Vec<_>>();
        assert_eq!((its.len(), xms.len()), (wavs.len(), wavs.len()), "{}", file.display());
        for ((it, xm), wav) in its.iter().zip(&xms).zip(&wavs) {
            check(it, wav, true);
            check(xm, wav, false);
        }
        (checked, sounds) = (checked + 1, sounds + wavs.len());
    }
    eprintln!("modules of {checked} packages with {sounds} sounds");
    assert!(checked >= 10, "{checked}");
}
