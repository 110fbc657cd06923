//! Saved instruments: sounds of several files, games among them, that notes play together.
//!
//! ```text
//! document ─► files ─► sounds ─► zones, samples, articulations
//!   TOML      opened   by name   as they are voiced
//!                      #1 the instrument, then the recordings that it plays
//! ```
//!
//! The files are opened and described when the instrument is; recordings are decoded when they are asked for.

mod builder;
mod document;

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use song::{Articulation, FrameRange, Instrument, LoopRange, Sample, Voicing};
use unreal::Source;

use super::Collection;
use crate::budget::DecodeBudget;
use crate::open::Files;
use crate::open::OpenOptions;
use crate::{BankError, Error, Remark, Sound, SoundFile};
use builder::Builder;
pub use document::{SavedInstrument, SavedZone};

/// Bytes of a file; a zone takes some 300.
const MAX_BYTES: u64 = 16 << 20;

/// A saved instrument whose files are open.
pub(crate) struct InstrumentSounds {
    source: Arc<dyn Source>,
    /// The instrument, then a sound for each part.
    sounds: Vec<Sound>,
    parts: Vec<Part>,
    files: Vec<SoundFile>,
    articulations: Vec<Articulation>,
    /// Why what is not played.
    missing: Vec<Remark>,
    /// What is of the instrument as a whole; without zones.
    whole: Instrument,
}

/// A recording of a file, as it is looped and trimmed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Part {
    /// The index of the file.
    file: usize,
    /// The number of the sound in it.
    number: usize,
    /// How it is trimmed, and its loops, if otherwise than in its file.
    voiced: Option<(Option<FrameRange>, Vec<LoopRange>)>,
}

/// Returns whether a file begins as a saved instrument does, but for comments.
pub(crate) fn is_head(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    first.is_some_and(|line| line.starts_with(b"[instrument]"))
}

/// Reads a saved instrument; none of its files is opened.
///
/// # Errors
/// [`Error::Bank`] with the line, [`Error::OverLimit`], and if it cannot be read.
pub(crate) fn read(source: &dyn Source, path: &Path) -> Result<SavedInstrument, Error> {
    let place = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let needed = source.len();
    if needed > MAX_BYTES {
        return Err(Error::OverLimit { needed, left: MAX_BYTES });
    }
    let mut bytes = vec![0; usize::try_from(needed).unwrap_or(usize::MAX)];
    source.read_at(0, &mut bytes).map_err(crate::Damage::from)?;
    let text = String::from_utf8(bytes);
    let text =
        text.map_err(|_| Error::Bank(BankError { place: place.clone(), what: "not UTF-8".to_owned() }))?;
    SavedInstrument::parse(text.trim_start_matches('\u{FEFF}'), &place)
}

/// Returns where the files of an instrument are, each once, in the order of their first zones.
pub(crate) fn paths(saved: &SavedInstrument, path: &Path) -> Vec<PathBuf> {
    let mut known = HashSet::new();
    let zones = saved.zones.iter().filter(|zone| known.insert(&zone.file));
    zones.map(|zone| path_of(&zone.file, path)).collect()
}

/// Returns where a file is that an instrument names: `..` goes up in what was typed, whatever links there are.
fn path_of(file: &Path, instrument: &Path) -> PathBuf {
    let mut path = instrument.parent().unwrap_or(Path::new("")).to_owned();
    for part in file.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}

/// Opens the files of an instrument, and describes what it plays of them. A file that cannot be opened is no error; the
/// remarks say so.
///
/// # Errors
/// If it takes more than the budget.
pub(crate) fn open(
    saved: &SavedInstrument,
    source: Arc<dyn Source>,
    (files, path): (&Arc<dyn Files>, &Path),
    name: &str,
    options: &OpenOptions,
) -> Result<InstrumentSounds, Error> {
    let builder = Builder::new(files, path, options);
    let name = if saved.name.is_empty() { name } else { &saved.name };
    let Builder { sounds, parts, files, articulations, missing, .. } = builder.build(saved, name)?;
    let files = files.into_iter().map(|(_, file)| file).collect();
    let &SavedInstrument { voice_mode, glide, sends, .. } = saved;
    let whole = Instrument { voice_mode, glide, sends, ..Instrument::default() };
    Ok(InstrumentSounds { source, sounds, parts, files, articulations, missing, whole })
}

impl InstrumentSounds {
    /// Returns the bytes of its files.
    pub(crate) fn stored(&self) -> u64 {
        let files = self.files.iter().map(SoundFile::stored);
        files.fold(self.source.len(), u64::saturating_add)
    }
}

impl Collection for InstrumentSounds {
    fn kind(&self) -> &'static str {
        "saved instrument"
    }

    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &*self.source
    }

    fn decode(
        &self,
        _package: &str,
        sound: &Sound,
        budget: &mut DecodeBudget,
    ) -> Option<Result<Sample, Error>> {
        let part = self.parts.get(sound.number.checked_sub(2)?)?;
        let file = self.files.get(part.file)?;
        let own = file.sounds().get(part.number.checked_sub(1)?)?;
        Some(file.decode_playable(own, budget).and_then(|sample| part.of(sample)))
    }

    fn articulations(&self) -> &[Articulation] {
        &self.articulations
    }

    fn whole_instrument(&self, sound: &Sound, instrument: Instrument) -> Instrument {
        if sound.number != 1 {
            return instrument;
        }
        let Instrument { voice_mode, glide, sends, .. } = self.whole;
        Instrument { voice_mode, glide, sends, ..instrument }
    }

    fn missing(&self) -> &[Remark] {
        &self.missing
    }
}

impl Part {
    /// Returns the sample of its file as it is looped and trimmed.
    fn of(&self, sample: Sample) -> Result<Sample, Error> {
        let Some((trim, loops)) = &self.voiced else { return Ok(sample) };
        let cut = Voicing { trim: *trim, ..Voicing::default() }.trimmed(&sample).unwrap_or(sample);
        let length = cut.length();
        // A stream may end before it said it would.
        let loops = loops.iter().copied().filter(|looping| looping.end() <= length).collect();
        Ok(cut.with_loops(loops)?)
    }
}
