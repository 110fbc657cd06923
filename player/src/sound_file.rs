//! A sound as it was adjusted, as a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use engine::{Bank, Config, Event, Note, offline};
use exporter::wav::{Depth, WavWriter};
use exporter::{OutputFile, Overwrite, filename};
use song::{Frames, Hz, Instrument, InstrumentIndex, Key, Velocity};

use crate::voicing::Voicing;
use crate::{Error, ErrorKind};

/// How long a sound that repeats is held.
const HOLD: Duration = Duration::from_secs(4);
/// The longest file: what rings on after that is cut.
const MAX_LENGTH: Duration = Duration::from_secs(600);
/// Frames rendered at a time.
const PART: u64 = 4096;

/// A sound to be written.
pub(crate) struct AdjustedSound {
    /// The bank it is in, with its loop as it was adjusted.
    pub(crate) bank: Arc<Bank>,
    /// Which of its instruments it is.
    pub(crate) index: InstrumentIndex,
    /// How it was adjusted.
    pub(crate) voicing: Voicing,
    /// What the file is named after.
    pub(crate) name: String,
    /// Frames per second.
    pub(crate) rate: Hz,
}

impl AdjustedSound {
    /// Writes the sound at its own pitch to `FOLDER/NAME.wav`, or `NAME 2.wav` and so on where that is taken: stereo,
    /// 24 bits; one that repeats is held for four seconds.
    ///
    /// # Errors
    /// [`ErrorKind::Sound`] if it cannot be played, [`ErrorKind::Output`].
    pub(crate) fn write(&self, folder: &Path) -> Result<PathBuf, Error> {
        let path = free_path(folder, &self.name);
        let failed = |error: &dyn std::fmt::Display| {
            Error::new(ErrorKind::Output, format!("cannot write {}: {error}", path.display()))
        };
        let config = Config { polyphony: 256, ..Config::default() };
        let (mut controller, mut processor) =
            engine::split(config).map_err(|error| Error::new(ErrorKind::Options, error.to_string()))?;
        processor.set_rate(self.rate);
        controller.load(Arc::clone(&self.bank));
        let root = self.bank.instruments().get(self.index.get()).map_or(Key::C4, Instrument::root);
        let key = self.voicing.root(root);
        let note = self.voicing.alone(Note::new(self.index, key, Velocity::HIGHEST));
        let refused = |error: engine::NoteError| Error::new(ErrorKind::Sound, error.to_string());
        let begun = controller.begin(note).map_err(refused)?;
        if begun.is_looped {
            let off = controller.note_off(begun.note, Some(Frames::lasting(HOLD, self.rate)));
            off.map_err(|full| Error::new(ErrorKind::Sound, full.to_string()))?;
        }
        let output = OutputFile::create(&path, &Overwrite::never())?;
        let mut writer = WavWriter::new(output, self.rate, Depth::TwentyFour, Frames::ZERO)
            .map_err(|error| failed(&error))?;
        let mut sounding = begun.voices;
        while sounding > 0 && processor.now() < Frames::lasting(MAX_LENGTH, self.rate) {
            let from = processor.now();
            let part = offline::render(&mut processor, Frames::new(PART));
            let mut end = part.len();
            while let Some(event) = controller.poll() {
                if let Event::Ended { at, .. } = event {
                    sounding = sounding.saturating_sub(1);
                    let frames = Frames::new(at.get().saturating_sub(from.get())).index();
                    end = frames.saturating_mul(offline::CHANNELS).min(part.len());
                }
            }
            let heard = if sounding == 0 { &part[..end] } else { &part[..] };
            writer.write(heard).map_err(|error| failed(&error))?;
        }
        let (output, _) = writer.finish_early().map_err(|error| failed(&error))?;
        output.publish(&mut std::io::sink())?;
        Ok(path)
    }
}

fn free_path(folder: &Path, name: &str) -> PathBuf {
    let name = filename::safe(name);
    let others = (2_u64..).map(|number| format!("{name} {number}.wav"));
    let mut paths = std::iter::once(format!("{name}.wav")).chain(others).map(|name| folder.join(name));
    paths.find(|path| path.symlink_metadata().is_err()).unwrap_or_else(|| folder.join(&name))
}

#[cfg(test)]
mod tests;
