//! Sounds that are played live as files, as they are adjusted: one as a WAV file, several as SFZ or `SoundFont` 2.
//!
//! ```text
//! loader: packages decoded ──► adjusted ──► one song in the order of the list ──► NAME.wav
//!                                                                                 NAME.sf2
//!                                                                                 NAME.sfz, NAME samples/
//! loader: sounds described ──► arranged on keys and velocities ────────────────► NAME.toml
//! ```

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exporter::sfz::{self, KeyAssignment, SampleForm};
use exporter::{OutputFile, Overwrite, UniqueNames, filename, make_new_folder, sf2, wav};
use importer::HeldMemory;
use song::{
    Articulation, ArticulationIndex, Cents, Instrument, Sample, SampleIndex, Song, SongParts, Voicing,
};

use crate::adjusted::{AdjustedSample, AdjustedSounds};
use crate::library::{DecodingPackage, DescribedSound, DescribingPackage};
use crate::saved_instrument::{self, Arrangement, InstrumentSound, ZoneRanges};
use crate::session::DecodedSong;
use crate::{Error, ErrorKind, text};

/// Formats of saved sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedFormat {
    /// A recording, at its own rate and width, with gain, root key and loop.
    Wav,
    /// A text and a folder of WAV files.
    Sfz {
        /// Whether each sound has a key of its own, from C2 (36) on.
        is_kit: bool,
    },
    /// A `SoundFont` 2.
    SoundFont,
    /// A saved instrument, which names the sounds where they are.
    Instrument(Arrangement),
}

/// What is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveRequest {
    /// The sounds by index, in the order in which they are saved.
    pub sounds: Vec<usize>,
    /// Zones set by hand, by the index of the sound; the other sounds are on all keys and velocities.
    pub zones: BTreeMap<usize, ZoneRanges>,
    /// The format.
    pub format: SavedFormat,
    /// What the file is named after.
    pub name: String,
}

/// Sounds to be saved.
pub(crate) struct SavedSounds {
    /// Their packages, which are being decoded.
    pub(crate) packages: Vec<DecodingPackage>,
    /// How they are adjusted, in their order.
    pub(crate) voicings: Vec<Voicing>,
    pub(crate) format: SavedFormat,
    pub(crate) name: String,
}

/// Sounds to be saved as an instrument.
pub(crate) struct ArrangedSounds {
    /// Their packages, which are being described.
    pub(crate) packages: Vec<DescribingPackage>,
    /// How they are adjusted, in their order.
    pub(crate) voicings: Vec<Voicing>,
    /// Their zones as set by hand, in their order.
    pub(crate) zones: Vec<ZoneRanges>,
    pub(crate) arrangement: Arrangement,
    pub(crate) name: String,
}

/// A file of saved sounds.
#[derive(Debug)]
pub(crate) struct SavedFile {
    path: PathBuf,
    /// Number of sounds in it, and of those that were to be.
    sounds: (usize, usize),
    /// Number of values beyond full scale.
    clipped: u64,
}

impl SavedFile {
    /// Describes it in one line.
    pub(crate) fn notice(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().display();
        let what = match self.sounds {
            (1, 1) => "the sound".to_owned(),
            (saved, all) if saved == all => text::counted(all),
            (saved, all) => format!("{saved} of {}", text::counted(all)),
        };
        let clipped = match self.clipped {
            0 => String::new(),
            values => format!("; {values} values were clipped: turn its gain down"),
        };
        format!("saved {what} as {name}{clipped}")
    }
}

impl ArrangedSounds {
    /// Writes the instrument to `FOLDER/NAME.toml`, or `NAME 2.toml` and so on where that is taken.
    ///
    /// # Errors
    /// [`ErrorKind::Sound`] if a sound is in no file, [`ErrorKind::Output`].
    pub(crate) fn write(self, folder: &Path) -> Result<SavedFile, Error> {
        let Self { packages, voicings, zones, arrangement, name } = self;
        let mut sounds: BTreeMap<usize, InstrumentSound> = BTreeMap::new();
        for DescribingPackage { path, sounds: own, described } in packages {
            let path = path.ok_or_else(|| {
                Error::new(ErrorKind::Sound, "these sounds are in no file that an instrument could name")
            })?;
            let file = saved_instrument::path_from(folder, &path);
            let gone = "nothing can be loaded any more".to_owned();
            let described = described.recv().unwrap_or(Err(gone));
            let described = described.map_err(|why| Error::new(ErrorKind::Sound, why))?;
            for ((place, number), DescribedSound { name, defaults }) in own.into_iter().zip(described) {
                let voicing = voicings.get(place).copied().unwrap_or_default();
                let ranges = zones.get(place).copied().unwrap_or_default();
                let file = file.clone();
                sounds.insert(place, InstrumentSound { file, number, name, defaults, voicing, ranges });
            }
        }
        let all = sounds.len();
        let instrument = saved_instrument::arranged(&name, sounds.into_values().collect(), arrangement);
        let path = free_path(folder, &name, "toml", None);
        let text = instrument.to_toml().map_err(|error| failed(&path, &error))?;
        write_file(&path, |output| io::Write::write_all(output, text.as_bytes()))?;
        Ok(SavedFile { path, sounds: (instrument.zones.len(), all), clipped: 0 })
    }
}

impl SavedSounds {
    /// Writes the sounds to `FOLDER/NAME.wav`, or `NAME 2.wav` and so on where that is taken; likewise to the other
    /// formats.
    ///
    /// # Errors
    /// [`ErrorKind::Sound`] if nothing can be decoded, [`ErrorKind::Output`].
    pub(crate) fn write(self, folder: &Path) -> Result<SavedFile, Error> {
        let Self { packages, voicings, format, name } = self;
        let all = voicings.len();
        let mut merged = MergedSong::default();
        for DecodingPackage { sounds, song } in packages {
            let gone = "nothing can be loaded any more".to_owned();
            let decoded =
                song.recv().unwrap_or(Err(gone)).map_err(|why| Error::new(ErrorKind::Sound, why))?;
            let voicing = |place: usize| voicings.get(place).copied().unwrap_or_default();
            if format == SavedFormat::Wav {
                let (place, number) = sounds.first().copied().unwrap_or_default();
                return write_wav(&decoded, number, &voicing(place), folder, &name);
            }
            merged.add(decoded, &sounds, voicing)?;
        }
        let sounds = (merged.instruments.len(), all);
        let (song, _held) = merged.finish(&name)?;
        let path = match format {
            SavedFormat::Sfz { is_kit } => write_sfz(&song, is_kit, folder, &name)?,
            SavedFormat::SoundFont | SavedFormat::Wav | SavedFormat::Instrument(_) => {
                let path = free_path(folder, &name, "sf2", None);
                write_file(&path, |output| sf2::write(&song, output))?;
                path
            }
        };
        Ok(SavedFile { path, sounds, clipped: 0 })
    }
}

/// Writes a recording as it is adjusted.
fn write_wav(
    decoded: &DecodedSong,
    number: usize,
    voicing: &Voicing,
    folder: &Path,
    name: &str,
) -> Result<SavedFile, Error> {
    let DecodedSong { song, report, .. } = decoded;
    let instrument = number.checked_sub(1).and_then(|index| song.instruments().get(index));
    let zones = instrument.map(Instrument::zones).unwrap_or_default();
    let sample = zones.first().and_then(|zone| song.samples().get(zone.sample().get()));
    let Some(sample) = sample else {
        let reason = report.skipped.first().map(|remark| remark.text.clone());
        return Err(Error::new(ErrorKind::Sound, reason.unwrap_or_else(|| "it has no recording".to_owned())));
    };
    let AdjustedSample { sample, clipped } = AdjustedSample::of(sample, voicing);
    let path = free_path(folder, name, "wav", None);
    write_file(&path, |output| wav::write_sample(output, &sample))?;
    Ok(SavedFile { path, sounds: (1, 1), clipped })
}

/// The instruments of several packages.
#[derive(Default)]
struct MergedSong {
    /// By their place in the list.
    instruments: BTreeMap<usize, Instrument>,
    samples: Vec<Arc<Sample>>,
    articulations: Vec<Articulation>,
    held: Vec<HeldMemory>,
}

impl MergedSong {
    /// Adds sounds of a package: their places in the list, and their numbers.
    fn add(
        &mut self,
        decoded: DecodedSong,
        sounds: &[(usize, usize)],
        voicing: impl Fn(usize) -> Voicing,
    ) -> Result<(), Error> {
        let adjusted = sounds.iter().map(|(place, number)| (number - 1, voicing(*place)));
        let song = AdjustedSounds::new(adjusted).song(&decoded.song, &HashMap::new())?.song;
        let (samples, articulations) = (self.samples.len(), self.articulations.len());
        for (place, number) in sounds {
            let Some(own) = song.instruments().get(number - 1).filter(|own| !own.is_silent()) else {
                continue;
            };
            let tree = own.tree.with_zones(&mut |zone| {
                let sample = SampleIndex::new(samples + zone.sample().get());
                let articulation = zone.articulation();
                let articulation =
                    articulation.map(|index| ArticulationIndex::new(articulations + index.get()));
                let moved = zone.clone().of_sample(sample, zone.root(), Cents::ZERO);
                Some(moved.with_articulation(articulation))
            });
            let instrument = Instrument { tree: tree.unwrap_or_default(), ..own.clone() };
            self.instruments.insert(*place, instrument);
        }
        self.samples.extend(song.samples().iter().cloned());
        self.articulations.extend(song.articulations().iter().cloned());
        self.held.push(decoded.held);
        Ok(())
    }

    /// Returns the song, and the memory that it holds.
    fn finish(self, name: &str) -> Result<(Song, Vec<HeldMemory>), Error> {
        if self.instruments.is_empty() {
            return Err(Error::new(ErrorKind::Sound, "none of the sounds could be decoded"));
        }
        let song = Song::new(SongParts {
            name: name.to_owned(),
            samples: self.samples,
            instruments: self.instruments.into_values().collect(),
            articulations: self.articulations,
            ..SongParts::default()
        });
        Ok((song.map_err(|error| Error::new(ErrorKind::Song, error.to_string()))?, self.held))
    }
}

/// Writes an SFZ file, and its recordings into a new folder next to it.
fn write_sfz(song: &Song, is_kit: bool, folder: &Path, name: &str) -> Result<PathBuf, Error> {
    const SAMPLES: &str = " samples";
    let path = free_path(folder, name, "sfz", Some(SAMPLES));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let samples = folder.join(format!("{stem}{SAMPLES}"));
    make_new_folder(&samples).map_err(|error| failed(&samples, &error))?;
    let mut names = UniqueNames::of_files();
    let mut written: HashMap<(SampleIndex, SampleForm), String> = HashMap::new();
    for zone in song.instruments().iter().flat_map(Instrument::zones) {
        let Some(sample) = song.samples().get(zone.sample().get()) else { continue };
        let key = (zone.sample(), sfz::form(zone, sample));
        if written.contains_key(&key) {
            continue;
        }
        let unrolled = if key.1 == SampleForm::Unrolled { sfz::unrolled(sample) } else { None };
        let name = format!("{}.wav", names.unique(&filename::safe(&sample.origin().path())));
        let contents = unrolled.as_ref().unwrap_or(sample);
        write_file(&samples.join(&name), |output| wav::write_sample(output, contents))?;
        written.insert(key, format!("{stem}{SAMPLES}/{name}"));
    }
    let assignment = if is_kit { KeyAssignment::Kit } else { KeyAssignment::Selected };
    let text = sfz::text(song, assignment, |sample, form| written.get(&(sample, form)).cloned());
    write_file(&path, |output| io::Write::write_all(output, text.as_bytes()))?;
    Ok(path)
}

/// Writes a file that is not there yet, whole or not at all.
fn write_file<E: std::fmt::Display>(
    path: &Path,
    write: impl FnOnce(&mut OutputFile) -> Result<(), E>,
) -> Result<(), Error> {
    let mut output = OutputFile::create(path, &Overwrite::never())?;
    write(&mut output).map_err(|error| failed(path, &error))?;
    Ok(output.publish(&mut io::sink())?)
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Output, format!("cannot write {}: {error}", path.display()))
}

/// Returns the first free of `NAME.END`, `NAME 2.END` and so on; with a folder next to it also that is free.
fn free_path(folder: &Path, name: &str, end: &str, beside: Option<&str>) -> PathBuf {
    let name = filename::safe(name);
    let others = (2_u64..).map(|number| format!("{name} {number}"));
    let is_free = |path: PathBuf| path.symlink_metadata().is_err();
    let is_all_free = |stem: &String| {
        is_free(folder.join(format!("{stem}.{end}")))
            && beside.is_none_or(|beside| is_free(folder.join(format!("{stem}{beside}"))))
    };
    let stem = std::iter::once(name.clone()).chain(others).find(is_all_free).unwrap_or(name);
    folder.join(format!("{stem}.{end}"))
}

#[cfg(test)]
mod tests;
