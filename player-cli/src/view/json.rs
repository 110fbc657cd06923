//! JSON lines. The keys are a contract: keys may be added, none renamed.

use std::io::{self, Write};

use exporter::filename::steers_text;
use importer::{Audio, Format, Platform, Sound, SoundFile, Status};
use serde::Serialize;
use serde_json::Value;
use song::LoopCount;
use tracker::replay::Subsong;
use tracker::{ModuleFile, ModuleSummary};
use unreal::Package;

use super::subsongs;
use super::text::flag_names;
use crate::input::Input;

/// One sound of a package.
#[derive(Debug, Serialize)]
pub struct SoundRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// The file as the user named it.
    pub file: String,
    /// The sound's number, from 1.
    pub index: usize,
    /// `Group.Name`.
    pub name: String,
    /// Its class in the package.
    pub class: &'static str,
    /// What its bytes are.
    pub format: Option<&'static str>,
    /// How its audio is coded.
    pub codec: Option<String>,
    /// Hertz.
    pub rate: Option<u32>,
    /// Values per frame.
    pub channels: Option<u16>,
    /// Bits per value.
    pub bits: Option<u16>,
    /// Frames per channel.
    pub frames: Option<u64>,
    /// Its loops.
    pub loops: Vec<LoopRow>,
    /// `ok`, `empty`, `unsupported` or `damaged`.
    pub status: &'static str,
    /// Why it is not `ok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it cannot be played, for a program: a word that never changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason_code: Option<&'static str>,
    /// The numbers of the sounds that a group or cue plays.
    pub plays: Vec<usize>,
    /// Which form of it was taken, where it has one for each platform.
    pub stream: Option<&'static str>,
    /// The tracker module that it is.
    pub module: Option<ModuleRow>,
    /// The path of its package in a game.
    pub path: Option<String>,
    /// The file of the game that the package lies in.
    pub container: Option<String>,
}

/// A loop; the end is exclusive.
#[derive(Debug, Serialize)]
pub struct LoopRow {
    /// First frame.
    pub start: u64,
    /// First frame after it.
    pub end: u64,
    /// `forward` or `ping-pong`.
    pub mode: &'static str,
    /// Whether it is left when the key is released; reported if so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sustain: bool,
    /// How often it was meant to be played; none without end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<u32>,
}

impl SoundRow {
    /// Returns the object of one sound.
    #[must_use]
    pub fn new(file: &str, sound: &Sound) -> Self {
        let audio = sound.audio();
        let loops = audio.map_or(&[][..], |audio| &audio.loops);
        let row = |l: &song::LoopRange| LoopRow {
            start: l.start().get(),
            end: l.end().get(),
            mode: l.mode().name(),
            sustain: l.is_sustaining(),
            plays: match l.plays() {
                LoopCount::Forever => None,
                LoopCount::Times(times) => Some(times.get()),
            },
        };
        Self {
            schema: "usampler.sound/1",
            file: file.to_owned(),
            index: sound.number,
            name: sound.path(),
            class: sound.class.name(),
            format: sound.format().map(Format::name),
            codec: audio.map(|audio| audio.codec.name()),
            rate: audio.map(|audio| audio.rate.get()),
            channels: audio.map(|audio| audio.channels),
            bits: audio.and_then(|audio| audio.bits),
            frames: audio.map_or_else(
                || matches!(sound.status, Status::Empty(_)).then_some(0),
                |audio: &Audio| audio.frames,
            ),
            loops: loops.iter().map(row).collect(),
            status: sound.status.name(),
            reason: sound.status.reason(),
            reason_code: sound.status.reason_code(),
            plays: sound.plays(),
            stream: sound.stream().map(Platform::key),
            module: sound.module().map(|summary| ModuleRow::new(None, summary)),
            path: sound.package_path(),
            container: sound.container.as_deref().map(str::to_owned),
        }
    }

    /// The columns of tab-separated output: the same keys.
    pub const COLUMNS: [&'static str; 20] = [
        "schema",
        "file",
        "index",
        "name",
        "class",
        "format",
        "codec",
        "rate",
        "channels",
        "bits",
        "frames",
        "loops",
        "status",
        "reason",
        "plays",
        "stream",
        "module",
        "reason_code",
        "path",
        "container",
    ];

    /// Returns the values of [`Self::COLUMNS`] as in JSON; what is not known is empty, loops are `start-end:mode` joined
    /// by `;`, as are the numbers of sounds.
    #[must_use]
    pub fn values(&self) -> [String; Self::COLUMNS.len()] {
        let row = serde_json::to_value(self).unwrap_or_default();
        Self::COLUMNS.map(|column| match (column, row.get(column)) {
            (_, None | Some(Value::Null)) => String::new(),
            ("loops", _) => joined(self.loops.iter().map(|l| format!("{}-{}:{}", l.start, l.end, l.mode))),
            ("plays", _) => joined(self.plays.iter().map(usize::to_string)),
            (_, Some(Value::String(text))) => text.clone(),
            (_, Some(value)) => value.to_string(),
        })
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(";")
}

/// One package.
#[derive(Debug, Serialize)]
pub struct PackageRow {
    schema: &'static str,
    file: String,
    kind: &'static str,
    engine: u8,
    bytes: u64,
    version: serde_json::Number,
    licensee: serde_json::Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrapper: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inferred: Option<&'static str>,
    guid: Option<String>,
    generations: usize,
    heritage: usize,
    flags: u32,
    flag_names: Vec<&'static str>,
    names: usize,
    imports: usize,
    exports: usize,
    sounds: usize,
    playable: usize,
    seconds: f64,
    skipped: Vec<SkippedRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<ModuleRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    modules: Vec<ModuleRow>,
}

/// One tracker module that is a file of its own.
#[derive(Debug, Serialize)]
pub struct ModuleFileRow {
    schema: &'static str,
    file: String,
    kind: &'static str,
    bytes: u64,
    sounds: usize,
    playable: usize,
    seconds: f64,
    skipped: Vec<SkippedRow>,
    module: ModuleRow,
    songs: Vec<SongRow>,
}

/// A song of a module.
#[derive(Debug, Serialize)]
struct SongRow {
    order: usize,
    seconds: f64,
    /// Whether it is longer than that.
    is_longer: bool,
}

/// One container, or all of a game.
#[derive(Debug, Serialize)]
pub struct GameRow {
    schema: &'static str,
    file: String,
    kind: &'static str,
    bytes: u64,
    sounds: usize,
    playable: usize,
    seconds: f64,
    skipped: Vec<SkippedRow>,
}

/// One file that cannot be read.
#[derive(Debug, Serialize)]
pub struct UnreadableRow<'a> {
    schema: &'static str,
    file: &'a str,
    kind: &'static str,
    reason: &'a str,
}

impl<'a> UnreadableRow<'a> {
    /// Returns the object of a file.
    #[must_use]
    pub const fn new(file: &'a str, reason: &'a str) -> Self {
        Self { schema: "usampler.package/1", file, kind: "unreadable", reason }
    }
}

/// What a tracker module is.
#[derive(Clone, Debug, Serialize)]
pub struct ModuleRow {
    /// The number of the sound of a package that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    format: &'static str,
    title: String,
    tracker: String,
    channels: usize,
    orders: usize,
    patterns: usize,
    /// Of the shortest and of the longest pattern.
    rows: Option<[usize; 2]>,
    instruments: usize,
    samples: usize,
    speed: u16,
    tempo: u16,
    message: String,
}

impl ModuleRow {
    fn new(index: Option<usize>, summary: &ModuleSummary) -> Self {
        Self {
            index,
            format: Format::from(summary.format).name(),
            title: summary.title.clone(),
            tracker: summary.tracker.clone(),
            channels: summary.channels,
            orders: summary.orders,
            patterns: summary.patterns,
            rows: summary.rows.map(|(least, most)| [least, most]),
            instruments: summary.instruments,
            samples: summary.samples,
            speed: summary.speed,
            tempo: summary.tempo,
            message: summary.message.clone(),
        }
    }
}

impl ModuleFileRow {
    /// Returns the object of a module.
    #[must_use]
    pub fn new(input: &Input, sounds: &SoundFile, module: &ModuleFile) -> Self {
        let songs = subsongs::of(module).into_iter().map(|song| {
            let Subsong { order, seconds, is_longer } = song;
            SongRow { order, seconds, is_longer }
        });
        Self {
            schema: "usampler.package/1",
            file: input.label.clone(),
            kind: "module",
            bytes: sounds.size(),
            sounds: sounds.sounds().len(),
            playable: playable(sounds),
            seconds: seconds(sounds),
            skipped: skipped(sounds),
            module: ModuleRow::new(None, &module.raw.summary()),
            songs: songs.collect(),
        }
    }
}

impl GameRow {
    /// Returns the object of a game.
    #[must_use]
    pub fn new(input: &Input, sounds: &SoundFile) -> Self {
        Self {
            schema: "usampler.package/1",
            file: input.label.clone(),
            kind: "game",
            bytes: input.stored_len(),
            sounds: sounds.sounds().len(),
            playable: playable(sounds),
            seconds: seconds(sounds),
            skipped: skipped(sounds),
        }
    }
}

/// Returns a version as JSON has numbers.
fn number(version: impl std::fmt::Display) -> serde_json::Number {
    version.to_string().parse().unwrap_or_else(|_| 0.into())
}

fn playable(file: &SoundFile) -> usize {
    file.sounds().iter().filter(|sound| sound.is_playable()).count()
}

/// Returns how long all sounds last together.
fn seconds(file: &SoundFile) -> f64 {
    // A sum of nothing is -0.0.
    file.sounds().iter().filter_map(Sound::seconds).sum::<f64>() + 0.0
}

/// Returns what cannot be played; empty slots of a module are no sounds that were skipped.
fn skipped(file: &SoundFile) -> Vec<SkippedRow> {
    let sounds = file.sounds().iter().filter(|sound| !sound.is_vacant());
    let skipped =
        sounds.filter_map(|sound| Some(SkippedRow { object: sound.path(), reason: sound.status.reason()? }));
    skipped.collect()
}

/// A sound that cannot be played, and why.
#[derive(Debug, Serialize)]
struct SkippedRow {
    object: String,
    reason: String,
}

impl PackageRow {
    /// Returns the object of a package.
    #[must_use]
    pub fn new(input: &Input, sounds: &SoundFile, package: &Package) -> Self {
        let summary = package.summary();
        let modules = sounds.modules().map(|(sound, summary)| ModuleRow::new(Some(sound.number), summary));
        let modules: Vec<ModuleRow> = modules.collect();
        Self {
            schema: "usampler.package/1",
            file: input.label.clone(),
            kind: "package",
            engine: package.identity().version.engine(),
            bytes: input.len(),
            version: number(package.identity().version),
            licensee: number(package.identity().licensee),
            wrapper: sounds.lineage2().map(|wrapper| wrapper.to_string()),
            game: package.layout().game.map(unreal::Game::name),
            inferred: package.inferred().map(|inferred| inferred.fact),
            guid: summary.guid.map(|guid| guid.to_string()),
            generations: summary.generations.len(),
            heritage: summary.heritage.len(),
            flags: summary.flags,
            flag_names: flag_names(summary.flags),
            names: package.names().len(),
            imports: package.imports().len(),
            exports: package.exports().len(),
            sounds: sounds.sounds().len(),
            playable: playable(sounds),
            seconds: seconds(sounds),
            skipped: skipped(sounds),
            module: modules.first().cloned(),
            modules: if modules.len() > 1 { modules } else { Vec::new() },
        }
    }
}

/// Prints one object as a line.
///
/// # Errors
/// Those of the output.
pub fn print(out: &mut dyn Write, row: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    writeln!(out)
}

fn escaped(c: char) -> String {
    match c {
        '\\' => "\\\\".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        c if steers_text(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    }
}

/// Prints one line of tab-separated values; tabs, line ends and what else steers a terminal are shown as `\t`, `\n`,
/// `\r` and `\u001b`.
///
/// # Errors
/// Those of the output.
pub fn print_values(out: &mut dyn Write, values: &[String]) -> io::Result<()> {
    let escaped = values.iter().map(|value| value.chars().map(escaped).collect::<String>());
    writeln!(out, "{}", escaped.collect::<Vec<_>>().join("\t"))
}
