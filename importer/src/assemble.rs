//! Sounds → instruments and the pattern that refers to them.

use std::sync::Arc;

use song::{
    Cents, Envelope, Instrument, Invalid, Key, Pattern, PatternIndex, Sample, SampleIndex, Song, SongParts, Zone,
};

use crate::{Error, Remark, Report, Sound};

/// What an import gives.
#[derive(Clone, Debug)]
pub struct Imported {
    /// One song of all sounds: sound #i is instrument i, counted from 1, silent if it could not be decoded.
    pub songs: Vec<Song>,
    /// What was skipped or repaired.
    pub report: Report,
}

/// The most instruments that the pattern can refer to.
const MOST: usize = Pattern::ROWS * Pattern::MAX_CHANNELS;

pub(crate) fn song_of_sounds(
    name: &str,
    sounds: &[Sound],
    samples: Vec<Result<Sample, Error>>,
) -> Result<Imported, Invalid> {
    let mut report = Report::default();
    let mut parts = SongParts { name: name.to_owned(), ..SongParts::default() };
    for (sound, sample) in sounds.iter().zip(samples).take(MOST) {
        let object = sound.path();
        let remarks = sound.repairs.iter().map(|text| Remark { object: object.clone(), text: text.clone() });
        report.repaired.extend(remarks);
        let zones = match sample {
            Ok(sample) => {
                let zone = zone(SampleIndex::new(parts.samples.len()), &sample);
                parts.samples.push(Arc::new(sample));
                vec![zone]
            }
            Err(error) => {
                report.skipped.push(Remark { object: object.clone(), text: error.to_string() });
                Vec::new()
            }
        };
        parts.instruments.push(Instrument { name: object, zones, envelope: Envelope::default() });
    }
    if let Some(sound) = sounds.get(MOST) {
        let text = format!("a song holds {MOST} instruments; this sound and those after it were left out");
        report.skipped.push(Remark { object: sound.path(), text });
    }
    parts.patterns.push(Pattern::referring_to(parts.instruments.len())?);
    parts.orders.push(PatternIndex::new(0));
    Ok(Imported { songs: vec![Song::new(parts)?], report })
}

/// A sample tuned above its root key sounds at its own rate that much above it, so every key must play it lower.
fn zone(index: SampleIndex, sample: &Sample) -> Zone {
    let tuning = Cents::new(-sample.tuning().get()).unwrap_or_default();
    Zone::whole_keyboard(index, sample.root().unwrap_or(Key::C4), tuning)
}
