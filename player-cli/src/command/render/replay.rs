//! `usampler render SONG`.

use std::io::{BufWriter, Write as _};
use std::path::Path;

use exporter::filename::safe;
use exporter::{OutputFile, Overwrite};
use importer::SoundFile;
use player::song_player::{PlayedTick, SongEnd, SongOptions, TickPlace};
use player::{LoadedSong, session};
use serde::Serialize;
use song::Frames;

use super::{FileFormat, RenderFile};
use crate::args::Render;
use crate::command::song_args::{self, VOICES};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::input::Input;

/// Renders a song.
pub(super) fn run(
    args: &Render,
    format: FileFormat,
    package: &SoundFile,
    input: &Input,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let path = super::output(args, input.name());
    let overwrite = input.kept(Overwrite::forced(args.force));
    let loaded = song_args::load(package, console)?;
    let options = song_args::options(&loaded.score, &args.song, args.tail, args.rate)?;
    let mut trace = args.trace.as_deref().map(|path| TraceFile::create(path, &overwrite)).transpose()?;
    let mut file = RenderFile::begin(args, input, &path, format, &overwrite)?;
    let least = Frames::lasting(song_args::least(&loaded.score, &args.song), args.rate);
    file.expect(least)?;
    let label = file.label.clone();
    let stems: Vec<usize> = match &args.stems {
        Some(_) => (0..options.muted.len()).filter(|channel| !options.muted[*channel]).collect(),
        None => Vec::new(),
    };
    let end = take(args, &loaded, options.clone(), &mut file, trace.as_mut(), console)?;
    if let Some(mut trace) = trace {
        if let Some(end) = end {
            trace.repeat(&end);
        }
        trace.finish(console)?;
    }
    if let Some(folder) = &args.stems {
        std::fs::create_dir_all(folder)
            .map_err(|error| not_written(&folder.display().to_string(), &error))?;
        for channel in stems {
            let alone = (0..options.muted.len()).map(|other| other != channel).collect();
            let name = folder.join(format!("{} channel {:02}.wav", safe(package.name()), channel + 1));
            let mut stem = RenderFile::begin(args, input, &name, FileFormat::Wav, &overwrite)?;
            stem.expect(least)?;
            take(args, &loaded, SongOptions { muted: alone, ..options.clone() }, &mut stem, None, console)?;
            stem.publish(console)?;
        }
    }
    file.finish(args, input, console)?;
    console.say(format_args!("{} rendered to {label}", package.name()));
    Ok(Exit::Done)
}

/// Renders a song to its end. Returns the frames of its rows and what it would go on with.
fn take(
    args: &Render,
    loaded: &LoadedSong,
    options: SongOptions,
    file: &mut RenderFile,
    trace: Option<&mut TraceFile>,
    console: &mut Console<'_>,
) -> Result<Option<SongEnd>, Failure> {
    let engine = args.engine.options();
    let (mut controller, mut processor) = session::engine(engine, VOICES, args.limiter)?;
    processor.set_rate(args.rate);
    let replay = song_args::replay(&loaded.score, &args.song, engine.seed)?;
    let mut player = loaded.player(&mut controller, replay, options, Frames::ZERO);
    if let Some(trace) = trace {
        player = player.watched(Box::new(|tick| trace.write(tick)));
    }
    file.take(&mut player, &mut controller, &mut processor, |rendered| {
        console.progress(rendered, None, "seconds rendered", "");
    })?;
    console.end_progress();
    Ok(player.end_of_rows())
}

/// Ticks as lines of JSON.
struct TraceFile {
    label: String,
    file: BufWriter<OutputFile>,
    failed: Option<std::io::Error>,
    /// When the last tick ends, in seconds.
    last: f64,
}

/// Frames by which rows of other players are read off.
const BLOCK: u64 = 32;

#[derive(Serialize)]
struct TraceLine {
    t: f64,
    order: usize,
    row: usize,
    tick: u32,
    speed: u32,
    tempo: u32,
    v: Vec<TraceVoice>,
}

#[derive(Serialize)]
struct TraceVoice {
    ch: usize,
    hz: f64,
    vol: f32,
    pan: f32,
    ins: usize,
    smp: usize,
    pos: u64,
    cut: f32,
    res: u8,
    bg: bool,
}

impl TraceFile {
    fn create(path: &Path, overwrite: &Overwrite) -> Result<Self, Failure> {
        let file = OutputFile::create(path, overwrite)?;
        Ok(Self { label: file.label().to_owned(), file: BufWriter::new(file), failed: None, last: 0.0 })
    }

    fn write(&mut self, played: &PlayedTick<'_>) {
        if self.failed.is_some() {
            return;
        }
        let mut voices = Vec::new();
        played.replay.voices(|voice| {
            let sound = voice.sound;
            let filter = sound.filter.map_or((127.0, 0), |filter| (filter.cutoff, filter.resonance));
            voices.push(TraceVoice {
                ch: voice.channel,
                hz: sound.hz,
                vol: sound.volume,
                pan: sound.pan,
                ins: voice.instrument,
                smp: voice.sample,
                pos: voice.position,
                cut: filter.0,
                res: filter.1,
                bg: voice.is_background,
            });
        });
        self.write_line(played.end, played.tick, voices);
    }

    fn write_line(&mut self, end: f64, tick: TickPlace, v: Vec<TraceVoice>) {
        let TickPlace { order, row, tick, speed, tempo } = tick;
        let line = TraceLine { t: end * 1000.0, order, row, tick, speed, tempo, v };
        self.last = end;
        let written = serde_json::to_writer(&mut self.file, &line).map_err(std::io::Error::from);
        self.failed = written.and_then(|()| self.file.write_all(b"\n")).err();
    }

    /// Writes the row that the song would go on with, if that begins within a block rendered with its end: rows of
    /// other players are read off block by block, and have it then.
    fn repeat(&mut self, end: &SongEnd) {
        if end.frames.get().is_multiple_of(BLOCK) || self.failed.is_some() {
            return;
        }
        let place = TickPlace { order: end.order, row: end.row, ..TickPlace::default() };
        self.write_line(self.last, place, Vec::new());
    }

    fn finish(self, console: &mut Console<'_>) -> Result<(), Failure> {
        let written = self.file.into_inner().map_err(std::io::IntoInnerError::into_error);
        match (self.failed, written) {
            (None, Ok(file)) => Ok(file.publish(console.out())?),
            (Some(error), _) | (None, Err(error)) => Err(not_written(&self.label, &error)),
        }
    }
}

fn not_written(label: &str, error: &std::io::Error) -> Failure {
    Failure::new(Exit::NotWritable, format!("cannot write {label}: {}", reason(error)))
}
