//! Files of sounds: packages, tracker modules and games.

use std::fmt::Display;

use importer::{Budget, Format, Sound, SoundFile};
use serde::Serialize;
use serde_json::Number;
use tracker::replay::{Subsong, subsongs_of};
use tracker::{ModuleFile, ModuleSummary};
use unreal::{GameCipher, Package};

use super::package_header::PackageHeaderRow;

/// A package of Unreal Engine 1 to 3 as a line of JSON.
#[derive(Debug, Serialize)]
pub struct SoundPackageRow {
    schema: &'static str,
    file: String,
    kind: &'static str,
    engine: u8,
    bytes: u64,
    version: Number,
    licensee: Number,
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
    #[serde(flatten)]
    header: Option<PackageHeaderRow>,
}

/// A file that is a tracker module as a line of JSON.
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

/// A container, all of a game, or files of audio as a line of JSON.
#[derive(Debug, Serialize)]
pub struct GameRow {
    schema: &'static str,
    file: String,
    kind: &'static str,
    bytes: u64,
    /// Name of the game whose own cipher its containers are encrypted with.
    #[serde(skip_serializing_if = "Option::is_none")]
    cipher: Option<&'static str>,
    sounds: usize,
    playable: usize,
    seconds: f64,
    skipped: Vec<SkippedRow>,
}

/// A file that cannot be read as a line of JSON.
#[derive(Debug, Serialize)]
pub struct UnreadableRow<'a> {
    schema: &'static str,
    file: &'a str,
    kind: &'static str,
    reason: &'a str,
}

impl<'a> UnreadableRow<'a> {
    /// Describes a file.
    #[must_use]
    pub const fn new(file: &'a str, reason: &'a str) -> Self {
        Self { schema: "usampler.package/1", file, kind: "unreadable", reason }
    }
}

/// Facts of a tracker module.
#[derive(Clone, Debug, Serialize)]
pub struct ModuleRow {
    /// The number of the sound of a package that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    format: &'static str,
    title: String,
    /// The program that wrote it.
    writer: String,
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
    pub(super) fn new(index: Option<usize>, summary: &ModuleSummary) -> Self {
        Self {
            index,
            format: Format::from(summary.format).name(),
            title: summary.title.clone(),
            writer: summary.writer.clone(),
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
    /// Describes a module.
    #[must_use]
    pub fn new(file: &str, sounds: &SoundFile, module: &ModuleFile) -> Self {
        let songs = subsongs_of(module, Budget::CELLS).into_iter().map(|song| {
            let Subsong { order, seconds, is_longer } = song;
            SongRow { order, seconds: rounded(seconds), is_longer }
        });
        Self {
            schema: "usampler.package/1",
            file: file.to_owned(),
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
    /// Describes sounds whose data take `bytes`, with the cipher of a game's containers if that is its own.
    #[must_use]
    pub fn new(file: &str, bytes: u64, cipher: Option<GameCipher>, sounds: &SoundFile) -> Self {
        Self {
            schema: "usampler.package/1",
            file: file.to_owned(),
            kind: sounds.kind(),
            bytes,
            cipher: cipher.map(GameCipher::name),
            sounds: sounds.sounds().len(),
            playable: playable(sounds),
            seconds: seconds(sounds),
            skipped: skipped(sounds),
        }
    }
}

/// Returns a version as JSON has numbers.
fn number(version: impl Display) -> Number {
    version.to_string().parse().unwrap_or_else(|_| 0.into())
}

pub(super) fn playable(file: &SoundFile) -> usize {
    file.sounds().iter().filter(|sound| sound.is_playable()).count()
}

/// Returns how long all sounds last together.
pub(super) fn seconds(file: &SoundFile) -> f64 {
    // A sum of nothing is -0.0.
    rounded(file.sounds().iter().filter_map(Sound::seconds).sum::<f64>() + 0.0)
}

/// Rounds a time to microseconds: the rest is what sums of fractions leave.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Returns what cannot be played; empty slots of a module are no sounds that were skipped.
pub(super) fn skipped(file: &SoundFile) -> Vec<SkippedRow> {
    let sounds = file.sounds().iter().filter(|sound| !sound.is_vacant());
    let skipped =
        sounds.filter_map(|sound| Some(SkippedRow { object: sound.path(), reason: sound.status.reason()? }));
    skipped.collect()
}

/// A sound that cannot be played, and why.
#[derive(Debug, Serialize)]
pub(super) struct SkippedRow {
    object: String,
    reason: String,
}

impl SoundPackageRow {
    /// Describes a package that is stored in `bytes`; `detailed`, also the lists and tables of its header.
    #[must_use]
    pub fn new(file: &str, bytes: u64, sounds: &SoundFile, package: &Package, detailed: bool) -> Self {
        let summary = package.summary();
        let modules = sounds.modules().map(|(sound, summary)| ModuleRow::new(Some(sound.number), summary));
        let modules: Vec<ModuleRow> = modules.collect();
        Self {
            schema: "usampler.package/1",
            file: file.to_owned(),
            kind: "package",
            engine: package.identity().version.engine(),
            bytes,
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
            header: detailed.then(|| PackageHeaderRow::new(package, sounds.source())),
        }
    }
}

/// Source: Unreal Wiki, *Unreal package*, package flags.
const FLAGS: [(u32, &str); 6] = [
    (0x0001, "AllowDownload"),
    (0x0002, "ClientOptional"),
    (0x0004, "ServerSideOnly"),
    (0x0008, "BrokenLinks"),
    (0x8000, "Required"),
    (0x0200_0000, "StoreCompressed"),
];

/// Returns the names of package flags, those that have one.
#[must_use]
pub fn flag_names(flags: u32) -> Vec<&'static str> {
    FLAGS.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| *name).collect()
}
