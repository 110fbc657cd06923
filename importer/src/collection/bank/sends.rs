//! What the zones of an instrument send to the reverb. Banks state it for each zone, an instrument here sends as a
//! whole.

use std::collections::HashMap;

use song::{Decibels, Sends};

/// The sends of zones to the reverb.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReverbSends(Vec<Option<Decibels>>);

impl ReverbSends {
    /// Adds a zone that sends a part of its sound, 0 to 1.
    pub(crate) fn add(&mut self, part: f32) {
        let gain = Decibels::from_gain(part.min(1.0)).ok();
        self.0.push(gain.filter(|gain| gain.get() > Sends::OFF));
    }

    /// Returns what the instrument sends, which is what most of its zones do, of equally many the first; and the
    /// number of zones that send otherwise.
    pub(crate) fn of_instrument(&self) -> (Sends, usize) {
        let bits = |gain: &Option<Decibels>| gain.map(|gain| gain.get().to_bits());
        let mut counts: HashMap<Option<u32>, usize> = HashMap::new();
        for gain in &self.0 {
            let count = counts.entry(bits(gain)).or_default();
            *count = count.saturating_add(1);
        }
        let count = |gain: &Option<Decibels>| counts.get(&bits(gain)).copied().unwrap_or_default();
        // Of equal ones `max_by_key` returns the last: from the end on that is the first.
        let most = self.0.iter().rev().max_by_key(|gain| count(gain));
        let others = self.0.len().saturating_sub(most.map_or(0, count));
        (Sends { reverb: most.copied().flatten(), delay: None }, others)
    }
}
