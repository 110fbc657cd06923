//! Sounds → instruments and the pattern that refers to them.

use std::sync::Arc;

use song::{
    Cents, Instrument, Invalid, Key, Pattern, PatternIndex, Sample, SampleIndex, Song, SongParts, Zone,
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

/// Each sound with what decoding it gave, if it was wanted.
pub(crate) fn song_of_sounds<'s>(
    name: &str,
    sounds: impl Iterator<Item = (&'s Sound, Option<Result<Sample, Error>>)>,
) -> Result<Imported, Invalid> {
    let mut report = Report::default();
    let mut parts = SongParts { name: name.to_owned(), ..SongParts::default() };
    for (sound, sample) in sounds {
        let object = sound.path();
        let mut instrument = Instrument { name: object.clone(), ..Instrument::default() };
        if parts.instruments.len() == MOST {
            let text = format!("a song holds {MOST} instruments");
            report.skipped.push(Remark { object, text });
            continue;
        }
        if sample.is_some() {
            report
                .repaired
                .extend(sound.repairs.iter().cloned().map(|text| Remark { object: object.clone(), text }));
        }
        match sample {
            Some(Ok(sample)) => {
                instrument.zones.push(zone(SampleIndex::new(parts.samples.len()), &sample));
                parts.samples.push(Arc::new(sample));
            }
            Some(Err(error)) => report.skipped.push(Remark { object, text: error.to_string() }),
            None => {}
        }
        parts.instruments.push(instrument);
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
