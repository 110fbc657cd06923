//! An instrument as it is voiced: zones, samples and articulations.

use std::collections::HashMap;

use super::Voicing;
use crate::{
    Articulation, ArticulationIndex, Decibels, Frames, Instrument, LoopRange, SampleIndex,
    SamplerArticulation, Zone,
};

/// The samples of an instrument that is voiced: decoded, or only described.
pub trait VoicedSamples {
    /// Returns the loops and the length of a sample; none for one that is not there.
    fn recorded(&self, sample: SampleIndex) -> Option<(&[LoopRange], Frames)>;

    /// Returns the sample that takes the place of one that is trimmed, or has other loops.
    fn voiced(&mut self, sample: SampleIndex, loops: Vec<LoopRange>) -> SampleIndex;

    /// Returns the gain of a sample's zones that its frames have already.
    fn gain_in_file(&self, _sample: SampleIndex) -> Decibels {
        Decibels::UNITY
    }
}

impl Voicing {
    /// Returns an instrument as it is voiced. `articulations` are those of its song; new ones are added.
    #[must_use]
    pub fn instrument(
        &self,
        own: &Instrument,
        articulations: &mut Vec<Articulation>,
        samples: &mut dyn VoicedSamples,
    ) -> Instrument {
        let mut looped: HashMap<SampleIndex, SampleIndex> = HashMap::new();
        let tree = own.tree.with_zones(&mut |zone| {
            let sample = zone.sample();
            let (loops, length) = samples.recorded(sample)?;
            let (voiced, trim) = (self.loops(loops, length), self.trim_of(length));
            // A loop that was cut off is not replaced by another.
            let is_unlooped = trim.is_some() && voiced.is_empty() && !loops.is_empty();
            let used = if voiced == loops && trim.is_none() {
                sample
            } else {
                *looped.entry(sample).or_insert_with(|| samples.voiced(sample, voiced))
            };
            let zone = self.zone(zone, used, samples.gain_in_file(sample));
            let zone = match trim {
                Some(trim) => without_offset(zone, trim.start, articulations),
                None => zone,
            };
            Some(if is_unlooped { zone.without_whole_loop() } else { zone })
        });
        let sends = self.sends(own.sends);
        let voiced = Instrument { tree: tree.unwrap_or_default(), sends, ..own.clone() };
        let envelope = self.envelope.unwrap_or(own.envelope);
        let (first, mut made) = (articulations.len(), Vec::new());
        let shaped = self.shape.instrument(&voiced, envelope, articulations, (first, &mut made));
        articulations.extend(made);
        shaped
    }
}

/// Returns a zone of a recording whose first frames are cut: it begins so much nearer to the first that is left.
fn without_offset(zone: Zone, cut: Frames, articulations: &mut Vec<Articulation>) -> Zone {
    let own = zone.articulation().and_then(|index| articulations.get(index.get()));
    let Some(Articulation::Sampler(own)) = own.filter(|_| cut > Frames::ZERO) else { return zone };
    if own.offset == Frames::ZERO {
        return zone;
    }
    let offset = Frames::new(own.offset.get().saturating_sub(cut.get()));
    let nearer = SamplerArticulation { offset, ..own.clone() };
    articulations.push(Articulation::Sampler(nearer));
    zone.with_articulation(Some(ArticulationIndex::new(articulations.len() - 1)))
}
