//! Turns sounds into instruments and the pattern that refers to them.

use std::sync::Arc;

use song::module::{Module, Pattern};
use song::{Cents, Instrument, Invalid, Key, Sample, SampleIndex, Song, SongParts, Zone, ZoneTree};

use crate::codec::RootTuning;
use crate::{Error, HeldMemory, Remark, Report, Sound};

/// What an import gives.
#[derive(Debug)]
pub struct Imported {
    /// One song of all sounds: sound #i is instrument i, counted from 1, silent if it could not be decoded. Then one
    /// for each tracker module in a package.
    pub songs: Vec<Song>,
    /// What was skipped or repaired.
    pub report: Report,
    /// The memory of the songs, to be held as long as they are.
    pub held: HeldMemory,
}

/// How far an import has come.
#[derive(Clone, Copy, Debug)]
pub struct ImportProgress<'s> {
    /// The sound that is being decoded.
    pub sound: &'s Sound,
    /// Recordings whose decoding has begun, this one included.
    pub started: usize,
    /// Recordings that are to be decoded in all.
    pub total: usize,
}

/// The parts of a song of sounds.
pub(crate) struct Assembled {
    pub(crate) parts: SongParts,
    /// By number less one: the zone of each that was decoded.
    pub(crate) decoded: Vec<Option<Zone>>,
    pub(crate) report: Report,
}

impl Assembled {
    /// # Errors
    /// If the parts do not make a song.
    pub(crate) fn finish(self, held: HeldMemory) -> Result<Imported, Invalid> {
        Ok(Imported { songs: vec![Song::new(self.parts)?], report: self.report, held })
    }
}

/// The most instruments that the pattern can refer to.
const MAX_INSTRUMENTS: usize = Pattern::MAX_INSTRUMENTS;

/// Returns the sounds that are wanted, and those that these play.
fn with_played(sounds: &[Sound], wanted: &[bool]) -> Vec<bool> {
    let mut needed = wanted.to_vec();
    for (sound, _) in sounds.iter().zip(wanted).filter(|(_, wanted)| **wanted) {
        for number in sound.plays() {
            if let Some(needed) = number.checked_sub(1).and_then(|index| needed.get_mut(index)) {
                *needed = true;
            }
        }
    }
    needed
}

/// Assembles the parts of a song of sounds, which come in the order of their numbers: the wanted ones are instruments,
/// the others silent. What is needed for that is decoded, once each.
pub(crate) fn song_of_sounds(
    name: &str,
    sounds: &[Sound],
    mut wanted: impl FnMut(&Sound) -> bool,
    mut decode: impl FnMut(ImportProgress<'_>) -> Result<Sample, Error>,
) -> Result<Assembled, Invalid> {
    let wanted: Vec<bool> = sounds.iter().map(&mut wanted).collect();
    let needed = with_played(sounds, &wanted);
    let total =
        sounds.iter().zip(&needed).filter(|(sound, needed)| **needed && sound.zones().is_none()).count();
    let mut started = 0_usize;
    let mut report = Report::default();
    let mut parts = SongParts { name: name.to_owned(), ..SongParts::default() };
    // By number: the zone of each that was decoded.
    let mut decoded: Vec<Option<Zone>> = Vec::new();
    for (sound, needed) in sounds.iter().zip(needed) {
        let mut zone = None;
        if needed && sound.zones().is_none() {
            let object = sound.path();
            report
                .repaired
                .extend(sound.repairs.iter().map(|text| Remark::new(object.clone(), text.clone())));
            started = started.saturating_add(1);
            match decode(ImportProgress { sound, started, total }) {
                Ok(sample) => {
                    let tuning = sample.root().map(|root| RootTuning { root, above: sample.tuning() });
                    let own = zone_of(SampleIndex::new(parts.samples.len()), tuning);
                    zone = Some(
                        own.with_articulation(sound.recording().and_then(|recording| recording.articulation)),
                    );
                    parts.samples.push(Arc::new(sample));
                }
                Err(error) => report.skipped.push(Remark::skipped(object, &error)),
            }
        }
        decoded.push(zone);
    }
    for ((sound, wanted), zone) in sounds.iter().zip(wanted).zip(&decoded) {
        let object = sound.path();
        let remark = |text: String| Remark::new(object.clone(), text);
        if parts.instruments.len() == MAX_INSTRUMENTS {
            report.skipped.push(remark(format!("a song holds {MAX_INSTRUMENTS} instruments")));
            continue;
        }
        let mut instrument = Instrument { name: object.clone(), ..Instrument::default() };
        if wanted {
            instrument.tree = match sound.zones() {
                None => zone.clone().map(Into::into),
                Some(tree) => tree.with_zones(&mut |zone| {
                    Some(of_recording(sound, zone, decoded.get(zone.sample().get())?.as_ref()?))
                }),
            }
            .unwrap_or_default();
            if sound.zones().is_some() && instrument.is_silent() {
                report.skipped.push(remark("none of the sounds it plays could be decoded".to_owned()));
            }
        }
        parts.instruments.push(instrument);
    }
    parts.module = generated_module(sounds.len());
    Ok(Assembled { parts, decoded, report })
}

/// Returns the module of a song of so many sounds: the pattern that refers to all of them in sequence.
pub(crate) fn generated_module(sounds: usize) -> Module {
    Module::referring_to(sounds.min(MAX_INSTRUMENTS))
}

/// Returns the instrument of a sound as the descriptions say, nothing being decoded: sample i of its zones stands for
/// sound #i+1. It is silent if nothing that it plays can be decoded.
pub(crate) fn described_instrument(sound: &Sound, sounds: &[Sound]) -> Instrument {
    described(sound, sound.zones(), sounds)
}

/// Returns the instrument of a sound that plays zones, as [`described_instrument`] does.
pub(crate) fn instrument_of_zones(sound: &Sound, zones: &ZoneTree, sounds: &[Sound]) -> Instrument {
    described(sound, Some(zones), sounds)
}

fn described(sound: &Sound, zones: Option<&ZoneTree>, sounds: &[Sound]) -> Instrument {
    let zone = |sound: &Sound| {
        let recording = sound.recording().filter(|_| sound.is_playable())?;
        let zone = zone_of(SampleIndex::new(sound.number.checked_sub(1)?), recording.tuning);
        Some(zone.with_articulation(recording.articulation))
    };
    let tree = match zones {
        None => zone(sound).map(Into::into),
        Some(tree) => tree.with_zones(&mut |played| {
            Some(of_recording(sound, played, &zone(sounds.get(played.sample().get())?)?))
        }),
    };
    Instrument { name: sound.path(), tree: tree.unwrap_or_default(), ..Instrument::default() }
}

/// Returns the zone of a group, a cue or an instrument, given the zone of the sound it stands for.
fn of_recording(player: &Sound, zone: &Zone, own: &Zone) -> Zone {
    if player.has_own_roots() {
        return zone.clone().of_sample(own.sample(), zone.root(), Cents::ZERO);
    }
    zone.clone().of_sample(own.sample(), own.root(), own.transposition(own.root()))
}

/// Returns the zone of a recording. One tuned above its root key sounds that much higher at its own rate, so every key
/// must play it lower.
fn zone_of(index: SampleIndex, tuning: Option<RootTuning>) -> Zone {
    let RootTuning { root, above } = tuning.unwrap_or(RootTuning { root: Key::C4, above: Cents::ZERO });
    Zone::whole_keyboard(index, root, Cents::new(-above.get()).unwrap_or_default())
}
