//! Whole songs, from the bytes of a module to the last frame: ours beside libxmp and libopenmpt.
//!
//! `cargo bench -p benches --bench peers --features system-peers -- songs FOLDER`

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cpu_time::ThreadTime;
use engine::{Config, Quality};
use importer::{Budget, SoundFile};
use player::LoadedSong;
use player::session;
use player::single_note;
use player::song_player::SongOptions;
use song::{Frames, Hz};
use tracker::replay::{Replay, ReplayOptions};
use unreal::Memory;

#[cfg(feature = "system-peers")]
use super::ffi::{libxmp, openmpt};
use super::scene::{Absent, RATE};

/// Voices of the engine.
const VOICES: usize = 512;
/// How often each plays each song; the least time counts.
const ROUNDS: usize = 5;

/// Returns the modules of a folder, or of all below it.
fn modules(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
        if path.is_dir() {
            modules(&path, found);
        } else if matches!(ending.as_deref(), Some("it" | "xm" | "s3m" | "mod")) {
            found.push(path);
        }
    }
}

/// Plays a song to its end on our engine; returns how many frames it has.
fn ours(bytes: &[u8], quality: Quality) -> Result<u64, Absent> {
    let source = Memory(bytes.to_vec());
    let file = SoundFile::open(source, "song", Budget::default())?;
    let decoded = session::import(&file, |_| true, &mut |_| {})?;
    let loaded = LoadedSong::new(decoded)?;
    let config =
        Config { polyphony: VOICES, interpolation: quality.into(), limiter: false, ..Config::default() };
    let (mut controller, mut processor) = engine::split(config)?;
    let rate = Hz::new(RATE)?;
    processor.set_rate(rate);
    let options = ReplayOptions { loops: Some(0), ..ReplayOptions::default() };
    let replay = Replay::new(Arc::clone(&loaded.score), options);
    let channels = loaded.score.module().channels.len();
    let options = SongOptions {
        tail: std::time::Duration::ZERO,
        most: None,
        separation: 1.0,
        muted: vec![false; channels],
        rate,
    };
    let mut player = loaded.player(&mut controller, replay, options, Frames::ZERO);
    let mut frames = 0;
    let rendered: Result<(), Absent> =
        single_note::render(&mut player, &mut controller, &mut processor, |values| {
            frames += values.len() as u64 / 2;
            Ok(())
        });
    rendered.map(|()| frames)
}

#[cfg(feature = "system-peers")]
fn xmp(bytes: &[u8]) -> Result<u64, Absent> {
    let mut module = libxmp::Module::new(bytes, RATE)?;
    let mut block = [0_i16; 2 * 1024];
    let mut frames = 0;
    while module.read(&mut block) {
        frames += 1024;
    }
    Ok(frames)
}

#[cfg(feature = "system-peers")]
fn mpt(bytes: &[u8]) -> Result<u64, Absent> {
    let mut module = openmpt::Module::new(bytes)?;
    module.choose(openmpt::Choice::Taps, 8)?;
    let mut block = [0.0; 2 * 1024];
    let mut frames = 0;
    loop {
        match module.read_up_to(RATE, &mut block) {
            0 => return Ok(frames),
            read => frames += read as u64,
        }
    }
}

#[cfg(not(feature = "system-peers"))]
fn xmp(_: &[u8]) -> Result<u64, Absent> {
    Err(Absent("built without system-peers".to_owned()))
}

#[cfg(not(feature = "system-peers"))]
fn mpt(_: &[u8]) -> Result<u64, Absent> {
    Err(Absent("built without system-peers".to_owned()))
}

/// Whoever plays a song.
type Player = fn(&[u8]) -> Result<u64, Absent>;

/// Plays all songs below a folder with each, and prints how long each took.
pub(crate) fn run(folder: &Path) {
    let mut found = Vec::new();
    modules(folder, &mut found);
    let players: [(&str, Player); 4] = [
        ("normal", |bytes| ours(bytes, Quality::Normal)),
        ("libxmp spline", xmp),
        ("good", |bytes| ours(bytes, Quality::Good)),
        ("libopenmpt 8", mpt),
    ];
    println!(
        "times real time, from the bytes of a module to its last frame, one thread; least time of {ROUNDS} rounds\n"
    );
    let heads: String = players.iter().map(|(name, _)| format!(" {name:>14}")).collect();
    println!("{:<32} {:>8}{heads} {:>10} {:>10}", "song", "seconds", "n/libxmp", "g/openmpt");
    let mut ratios: Vec<[f64; 2]> = Vec::new();
    let mut sums = [0.0; 4];
    for path in found {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(bytes) = fs::read(&path) else { continue };
        let (mut least, mut seconds) = ([f64::INFINITY; 4], [0.0; 4]);
        let mut failed = None;
        for _ in 0..ROUNDS {
            for (index, (who, player)) in players.iter().enumerate() {
                let begun = ThreadTime::now();
                match player(&bytes) {
                    Ok(frames) => {
                        least[index] = least[index].min(begun.elapsed().as_secs_f64());
                        seconds[index] = frames as f64 / f64::from(RATE);
                    }
                    Err(Absent(why)) => failed = Some(format!("{who}: {why}")),
                }
            }
        }
        if let Some(why) = failed {
            println!("{name:<32} {why}");
            continue;
        }
        // Where somebody plays much more or less of a song, the times of that song say nothing.
        let speeds: Vec<f64> = (0..4).map(|index| seconds[index] / least[index]).collect();
        let [normal, good] = [speeds[1] / speeds[0], speeds[3] / speeds[2]];
        let shown: String = speeds.iter().map(|speed| format!(" {speed:>14.0}")).collect();
        println!("{name:<32} {:>8.1}{shown} {normal:>10.2} {good:>10.2}", seconds[0]);
        ratios.push([normal, good]);
        sums.iter_mut().zip(&speeds).for_each(|(sum, speed)| *sum += 1.0 / speed);
    }
    if ratios.is_empty() {
        println!("no songs below {}", folder.display());
        return;
    }
    let median = |index: usize| {
        let mut all: Vec<f64> = ratios.iter().map(|ratio| ratio[index]).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    println!("\nour time by theirs for a second of music: median {:.2} {:.2}", median(0), median(1));
    println!("of all songs together: {:.2} {:.2}", sums[0] / sums[1], sums[2] / sums[3]);
}
