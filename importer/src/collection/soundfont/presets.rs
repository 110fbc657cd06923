//! Presets: the zones of their instruments, with the values of both added up.

use std::collections::HashMap;
use std::ops::Range;

use song::{
    Articulation, ArticulationIndex, Cents, Frames, Key, SampleIndex, Sends, Velocity, Zone, ZoneTree,
};
use unreal::Limits;

use super::articulation::{ZoneValues, is_played};
use super::generator::{Generator, Stated, Values};
use super::modulator::Modulators;
use super::samples::{Part, PartLoop, Samples};
use super::tables::{ModulatorRow, Tables, Zones};
use crate::Error;
use crate::budget::bytes;
use crate::collection::bank::{NotPlayed, ReverbSends};

/// What a zone takes in memory, its articulation included, which most of them share.
const ZONE: usize = size_of::<ZoneTree>() + 64;

/// What an articulation takes.
const ARTICULATION: usize = size_of::<Articulation>() + size_of::<(Values, Modulators)>() + 1024;

/// Bytes that looking at a pair of zones counts as.
const PAIR: usize = 8;

/// The amount of a send that sends all.
const WHOLE: f32 = 1000.0;

/// Makes the instruments of presets.
pub(super) struct PresetReader<'t> {
    pub(super) tables: &'t Tables,
    pub(super) samples: Samples,
    /// The index of the first sample among the sounds.
    pub(super) first_sample: usize,
    pub(super) articulations: Vec<Articulation>,
    known: HashMap<(Values, Modulators, u64), Option<ArticulationIndex>>,
    pub(super) not_played: NotPlayed,
}

/// What the first zone of a preset or an instrument states for all.
struct Global<'t> {
    stated: Stated,
    modulators: &'t [ModulatorRow],
    zones: Range<usize>,
}

impl<'t> Global<'t> {
    /// Takes the first zone for the global one if it names nothing that it plays.
    fn of(zones: &'t Zones, range: Range<usize>, played: Generator) -> Self {
        let (mut stated, mut all) = (Stated::NOTHING, range.clone());
        let Some((generators, modulators)) = all.next().and_then(|first| zones.get(first)) else {
            return Self { stated, modulators: &[], zones: range };
        };
        let mut first = Stated::NOTHING;
        first.add(generators);
        if first.index(played).is_some() {
            return Self { stated, modulators: &[], zones: range };
        }
        stated.add(generators);
        Self { stated, modulators, zones: all }
    }

    /// Returns a zone with what is stated for all.
    fn zone(&self, zones: &'t Zones, index: usize) -> Option<(Stated, [&'t [ModulatorRow]; 2])> {
        let (generators, modulators) = zones.get(index)?;
        let mut stated = self.stated.clone();
        stated.add(generators);
        Some((stated, [self.modulators, modulators]))
    }
}

impl<'t> PresetReader<'t> {
    pub(super) fn new(tables: &'t Tables, samples: Samples, first_sample: usize) -> Self {
        Self {
            tables,
            samples,
            first_sample,
            articulations: Vec::new(),
            known: HashMap::new(),
            not_played: NotPlayed::default(),
        }
    }

    /// Returns the zones of a preset, and what it sends to effects.
    ///
    /// # Errors
    /// If they take more than the limits.
    pub(super) fn read(
        &mut self,
        zones: Range<usize>,
        limits: &mut Limits,
    ) -> Result<(ZoneTree, Sends), Error> {
        let tables = self.tables;
        let (mut found, mut sends) = (Vec::new(), ReverbSends::default());
        let preset = Global::of(&tables.preset_zones, zones, Generator::INSTRUMENT);
        for index in preset.zones.clone() {
            limits.take(bytes(PAIR), 0, "zones of a SoundFont")?;
            let Some((outer, outer_modulators)) = preset.zone(&tables.preset_zones, index) else { break };
            let Some(range) = outer.index(Generator::INSTRUMENT).and_then(|index| tables.instrument(index))
            else {
                continue;
            };
            let instrument = Global::of(&tables.zones, range, Generator::SAMPLE);
            for index in instrument.zones.clone() {
                limits.take(bytes(PAIR), 0, "zones of a SoundFont")?;
                let Some((inner, modulators)) = instrument.zone(&tables.zones, index) else { break };
                let keys = inner.shared_range(&outer, Generator::KEYS);
                let velocities = inner.shared_range(&outer, Generator::VELOCITIES);
                let (Some(sample), Some(keys), Some(velocities)) =
                    (inner.index(Generator::SAMPLE), keys, velocities)
                else {
                    continue;
                };
                if self.samples.get(sample).is_none() {
                    self.not_played.count("zone without a sample that can be played");
                    continue;
                }
                limits.take(bytes(ZONE), 0, "zones of a SoundFont")?;
                let modulators = Modulators::of(modulators, outer_modulators);
                let values = Values::of(&inner, &outer);
                sends.add(values.float(Generator::REVERB) / WHOLE);
                let zone = self.zone(sample, values, modulators, limits)?;
                found.push(zone.within(key_range(keys)?, velocity_range(velocities)?)?);
            }
        }
        let (sends, others) = sends.of_instrument();
        let what = Generator::REVERB.name();
        self.not_played.add(&format!("{what} unlike most zones of the preset"), others);
        Ok((ZoneTree::layered(found), sends))
    }

    fn zone(
        &mut self,
        sample: usize,
        values: Values,
        modulators: Modulators,
        limits: &mut Limits,
    ) -> Result<Zone, Error> {
        if values.get(Generator::CHORUS) > 0 {
            self.not_played.count(Generator::CHORUS.name());
        }
        for what in modulators.not_played(is_played) {
            self.not_played.count(&what);
        }
        let Some(stored) = self.samples.get(sample) else { return Err(Error::NoSuchSound(sample)) };
        let shifted = |fine, coarse| values.offset(fine, coarse);
        let start = shifted(Generator::START, Generator::START_COARSE);
        let cut = shifted(Generator::END, Generator::END_COARSE).saturating_neg();
        if start < 0 || cut < 0 {
            self.not_played.count("offset beyond the sample's own frames");
        }
        let (first, last) = stored.loop_frames;
        let first = first.saturating_add(shifted(Generator::LOOP_START, Generator::LOOP_START_COARSE));
        let last = last.saturating_add(shifted(Generator::LOOP_END, Generator::LOOP_END_COARSE));
        let mode = values.get(Generator::SAMPLE_MODES) & 3;
        let looping = match (u64::try_from(first), u64::try_from(last)) {
            (Ok(start), Ok(end)) if start < end && (mode == 1 || mode == 3) => {
                Some(PartLoop { start, end, is_sustaining: mode == 3 })
            }
            _ => None,
        };
        let part = Part { sample, cut: u64::try_from(cut).unwrap_or_default(), looping };
        let root = u8::try_from(values.get(Generator::ROOT)).ok().filter(|key| *key <= 127);
        let (root, correction) = (root.unwrap_or(stored.root), f64::from(stored.correction));
        let shaped = ZoneValues { values: &values, modulators: &modulators };
        let fixed = shaped.fixed(root);
        let offset = u64::try_from(start).unwrap_or_default();
        let index = self.samples.index_of(part, limits)?;
        let articulation = self.articulation(values, modulators, offset, limits)?;
        let index = SampleIndex::new(self.first_sample.saturating_add(index));
        let tuning = Cents::new(fixed.cents + correction)?;
        let response = fixed.response.map(std::sync::Arc::new);
        let zone = Zone::whole_keyboard(index, Key::new(root)?, tuning);
        Ok(zone.at(fixed.gain, fixed.pan).with_response(response).with_articulation(articulation))
    }

    /// Returns the articulation of these values, made unless it is known.
    fn articulation(
        &mut self,
        mut values: Values,
        modulators: Modulators,
        offset: u64,
        limits: &mut Limits,
    ) -> Result<Option<ArticulationIndex>, Error> {
        // What it does not depend on.
        for kind in [
            Generator::PAN,
            Generator::ATTENUATION,
            Generator::SAMPLE,
            Generator::ROOT,
            Generator::SEMITONES,
            Generator::CENTS,
            Generator::KEYS,
            Generator::VELOCITIES,
            Generator::SAMPLE_MODES,
            Generator::LOOP_START,
            Generator::LOOP_END,
            Generator::START,
            Generator::END,
            Generator::INSTRUMENT,
            Generator::REVERB,
            Generator::CHORUS,
        ] {
            values.set(kind, 0);
        }
        let key = (values, modulators, offset);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        limits.take(bytes(ARTICULATION), 0, "envelopes of a SoundFont")?;
        let shaped = ZoneValues { values: &key.0, modulators: &key.1 };
        let index = shaped.articulation(Frames::new(offset)).map(|articulation| {
            let index = ArticulationIndex::new(self.articulations.len());
            self.articulations.push(articulation.into());
            index
        });
        self.known.insert(key, index);
        Ok(index)
    }
}

fn key_range((low, high): (u8, u8)) -> Result<std::ops::RangeInclusive<Key>, Error> {
    Ok(Key::new(low)?..=Key::new(high)?)
}

fn velocity_range((low, high): (u8, u8)) -> Result<std::ops::RangeInclusive<Velocity>, Error> {
    Ok(Velocity::new(low)?..=Velocity::new(high)?)
}
