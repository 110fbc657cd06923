//! `usampler render SONG`.

use std::io::{BufWriter, IntoInnerError};
use std::path::Path;

use exporter::filename::safe;
use exporter::{OutputFile, Overwrite};
use importer::SoundFile;
use player::LoadedSong;
use player::render_file::{FileFormat, RenderFile, RenderOptions};
use player::song_choice::SONG_VOICES;
use player::song_player::{SongEnd, SongOptions};
use player::song_trace::SongTrace;
use song::Frames;

use super::finish;
use crate::args::Render;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::import::import_song;
use crate::input::InputFile;
use crate::interrupt;

/// Renders a song.
pub(super) fn run(
    args: &Render,
    rendering: RenderOptions,
    package: &SoundFile,
    input: &InputFile,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    args.note.check_song(&input.label)?;
    let path = super::output(args, input.name());
    let overwrite = input.kept(Overwrite::forced(args.force));
    let loaded = import_song(package, console)?;
    let choice = args.song.choice();
    let options = choice.options(&loaded.score, args.tail, args.rate)?;
    let mut trace = args.trace.as_deref().map(|path| TraceFile::create(path, &overwrite)).transpose()?;
    let mut file = RenderFile::begin(&path, rendering, &overwrite)?;
    let least = Frames::lasting(choice.least(&loaded.score), args.rate);
    file.expect(least)?;
    let label = file.label().to_owned();
    let stems: Vec<usize> = match &args.stems {
        Some(_) => (0..options.muted.len()).filter(|channel| !options.muted[*channel]).collect(),
        None => Vec::new(),
    };
    let end = render(args, rendering, &loaded, options.clone(), &mut file, trace.as_mut(), console)?;
    if let Some(mut trace) = trace {
        if let Some(end) = end {
            trace.trace.repeat(&end);
        }
        trace.finish(console)?;
    }
    if let Some(folder) = &args.stems {
        std::fs::create_dir_all(folder)
            .map_err(|error| not_written(&folder.display().to_string(), &error))?;
        for channel in stems {
            let alone = (0..options.muted.len()).map(|other| other != channel).collect();
            let name = folder.join(format!("{} channel {:02}.wav", safe(package.name()), channel + 1));
            let rendering = RenderOptions { format: FileFormat::Wav, ..rendering };
            let mut stem = RenderFile::begin(&name, rendering, &overwrite)?;
            stem.expect(least)?;
            let options = SongOptions { muted: alone, ..options.clone() };
            render(args, rendering, &loaded, options, &mut stem, None, console)?;
            // What was clipped is warned of by the mix.
            stem.finish()?.publish(console.out())?;
        }
    }
    finish(file, args, input, console)?;
    console.say(format_args!("{} rendered to {label}", package.name()));
    Ok(Exit::Done)
}

/// Renders a song to its end. Returns the frames of its rows and what it would go on with.
fn render(
    args: &Render,
    rendering: RenderOptions,
    loaded: &LoadedSong,
    options: SongOptions,
    file: &mut RenderFile,
    trace: Option<&mut TraceFile>,
    console: &mut Console<'_>,
) -> Result<Option<SongEnd>, Failure> {
    let (mut controller, mut processor) = rendering.engine(SONG_VOICES)?;
    let replay = args.song.choice().replay(&loaded.score, rendering.engine.seed)?;
    let mut player = loaded.player(&mut controller, replay, options, Frames::ZERO);
    player.set_gain(args.note.gain.gain());
    if let Some(trace) = trace {
        player = player.watched(Box::new(|tick| trace.trace.write(tick)));
    }
    file.render(&mut player, &mut controller, &mut processor, |rendered| {
        console.progress(rendered, None, "seconds rendered", "");
        interrupt::check()
    })?;
    console.end_progress();
    Ok(player.end_of_rows())
}

/// Ticks as lines of JSON, in a file.
struct TraceFile {
    label: String,
    trace: SongTrace<BufWriter<OutputFile>>,
}

impl TraceFile {
    fn create(path: &Path, overwrite: &Overwrite) -> Result<Self, Failure> {
        let file = OutputFile::create(path, overwrite)?;
        Ok(Self { label: file.label().to_owned(), trace: SongTrace::new(BufWriter::new(file)) })
    }

    fn finish(self, console: &mut Console<'_>) -> Result<(), Failure> {
        let written =
            self.trace.finish().and_then(|file| file.into_inner().map_err(IntoInnerError::into_error));
        let file = written.map_err(|error| not_written(&self.label, &error))?;
        Ok(file.publish(console.out())?)
    }
}

fn not_written(label: &str, error: &std::io::Error) -> Failure {
    Failure::new(Exit::NotWritable, format!("cannot write {label}: {}", reason(error)))
}
