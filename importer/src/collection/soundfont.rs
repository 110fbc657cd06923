//! `SoundFont` 2 and 3: presets as instruments, then the samples that they play.
//!
//! ```text
//! preset ─► zones ─► instrument ─► zones ─► sample
//!           keys ∩                 keys          a zone for each pair, its values added up
//! ```
//!
//! Source: Creative Technology, *`SoundFont` Technical Specification*, version 2.04; of version 3, `MuseScore`'s
//! description: samples are whole Ogg files.

mod articulation;
mod generator;
mod modulator;
mod presets;
mod samples;
mod tables;

use song::{Articulation, Instrument, Origin, Sample, Sends};
use unreal::{Limits, ObjectPath, Source};

use super::Collection;
use super::bank::NotPlayed;
use crate::budget::{DecodeBudget, WorkBudget, bytes};
use crate::sound::Description;
use crate::{Contents, EmptyReason, Error, Remark, Sound, SoundClass, Status, UnsupportedReason};
use presets::PresetReader;
use samples::Samples;
use tables::{PresetRow, Tables};

/// The bank of drum kits.
const PERCUSSION: u16 = 128;

/// A bank, described.
pub(crate) struct SoundFontSounds {
    source: Box<dyn Source>,
    sounds: Vec<Sound>,
    presets: usize,
    /// What each preset sends to effects.
    sends: Vec<Sends>,
    samples: Samples,
    articulations: Vec<Articulation>,
    not_played: NotPlayed,
}

/// Returns whether a file begins as a bank does.
pub(crate) fn is_head(head: &[u8]) -> bool {
    head.starts_with(b"RIFF") && head.get(8..12) == Some(b"sfbk")
}

/// Reads a bank and describes its sounds.
///
/// # Errors
/// [`Error::Bank`] if a table is missing, and if the tables take more than the limits.
pub(crate) fn open(
    source: Box<dyn Source>,
    work: &WorkBudget,
    limits: &mut Limits,
) -> Result<SoundFontSounds, Error> {
    let tables = Tables::read(&*source, limits)?;
    let mut rows: Vec<_> = tables.presets().collect();
    rows.sort_by_key(|(row, _)| (row.bank, row.program));
    let size = size_of::<(Sound, Sends)>();
    limits.take(bytes(rows.len().saturating_mul(size)), 0, "presets of a SoundFont")?;
    let samples = Samples::of(&tables, &*source, work, limits)?;
    let presets = rows.len();
    let mut reader = PresetReader::new(&tables, samples, presets);
    let (mut sounds, mut sends) = (Vec::with_capacity(presets), Vec::with_capacity(presets));
    for (index, (row, zones)) in rows.into_iter().enumerate() {
        let read = reader.read(zones, limits);
        sends.push(read.as_ref().map_or(Sends::default(), |(_, sends)| *sends));
        let description = match read {
            Ok((tree, _)) if tree.size() > 1 => {
                Description { contents: Contents::Preset(tree), ..Description::unread(Status::Ok) }
            }
            Ok(_) => Description::unread(Status::Empty(EmptyReason::NoKeys)),
            Err(error) => {
                let reason = UnsupportedReason::OverLimit(error.to_string());
                Description::unread(Status::Unsupported(reason))
            }
        };
        let description = Description { notes: vec![note(row)], ..description };
        let name = if row.name.is_empty() {
            format!("Preset {}", index.saturating_add(1))
        } else {
            row.name.clone()
        };
        let object = ObjectPath { group: String::new(), name };
        sounds.push(description.named(index.saturating_add(1), object, SoundClass::Instrument));
    }
    let PresetReader { samples, articulations, not_played, .. } = reader;
    sounds.extend(samples.sounds(presets.saturating_add(1)));
    Ok(SoundFontSounds { source, sounds, presets, sends, samples, articulations, not_played })
}

/// Returns where MIDI finds a preset.
fn note(row: &PresetRow) -> String {
    let PresetRow { program, bank, .. } = row;
    let kit = if *bank == PERCUSSION { ", a drum kit" } else { "" };
    format!("bank {bank}, program {program}{kit}")
}

impl Collection for SoundFontSounds {
    fn kind(&self) -> &'static str {
        "SoundFont"
    }

    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &*self.source
    }

    fn decode(
        &self,
        package: &str,
        sound: &Sound,
        budget: &mut DecodeBudget,
    ) -> Option<Result<Sample, Error>> {
        let index = sound.number.saturating_sub(1).checked_sub(self.presets)?;
        let name = sound.object.name.clone();
        let origin = Origin { package: package.to_owned(), group: String::new(), name };
        Some(self.samples.decode(index, origin, &*self.source, budget))
    }

    fn articulations(&self) -> &[Articulation] {
        &self.articulations
    }

    fn whole_instrument(&self, sound: &Sound, instrument: Instrument) -> Instrument {
        let own = sound.number.checked_sub(1).and_then(|index| self.sends.get(index)).copied();
        Instrument { sends: own.unwrap_or(instrument.sends), ..instrument }
    }

    fn remarks(&self, package: &str) -> Vec<Remark> {
        self.not_played.remarks(package, "zone")
    }
}
