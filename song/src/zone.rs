use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::{
    ArticulationIndex, Cents, Decibels, Invalid, Key, Pan, SampleIndex, Velocity, ZoneConditions,
    ZoneResponse,
};

/// The keys and velocities of an instrument that sound one sample, and how they sound it.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    sample: SampleIndex,
    keys: RangeInclusive<Key>,
    velocities: RangeInclusive<Velocity>,
    root: Key,
    tuning: Cents,
    gain: Decibels,
    pan: Pan,
    loops_whole: bool,
    articulation: Option<ArticulationIndex>,
    response: Option<Arc<ZoneResponse>>,
    conditions: Option<Arc<ZoneConditions>>,
}

impl Zone {
    /// Returns all keys and velocities, at unity gain in the centre.
    ///
    /// `root` is the key that sounds the sample at its own rate; `tuning` is added to every key.
    #[must_use]
    pub const fn whole_keyboard(sample: SampleIndex, root: Key, tuning: Cents) -> Self {
        Self {
            sample,
            keys: Key::LOWEST..=Key::HIGHEST,
            velocities: Velocity::LOWEST..=Velocity::HIGHEST,
            root,
            tuning,
            gain: Decibels::UNITY,
            pan: Pan::CENTRE,
            loops_whole: false,
            articulation: None,
            response: None,
            conditions: None,
        }
    }

    /// Restricted to some keys and velocities.
    ///
    /// # Errors
    /// [`Invalid::EmptyRange`] if a range holds nothing.
    pub fn within(
        mut self,
        keys: RangeInclusive<Key>,
        velocities: RangeInclusive<Velocity>,
    ) -> Result<Self, Invalid> {
        if keys.is_empty() || velocities.is_empty() {
            return Err(Invalid::EmptyRange);
        }
        self.keys = keys;
        self.velocities = velocities;
        Ok(self)
    }

    /// At another gain and pan.
    #[must_use]
    pub const fn at(mut self, gain: Decibels, pan: Pan) -> Self {
        self.gain = gain;
        self.pan = pan;
        self
    }

    /// Sounds its sample over and over, from its first frame to its last; one that has a loop keeps that.
    #[must_use]
    pub const fn loop_whole(mut self) -> Self {
        self.loops_whole = true;
        self
    }

    /// Sounds its sample once, unless that has a loop.
    #[must_use]
    pub const fn without_whole_loop(mut self) -> Self {
        self.loops_whole = false;
        self
    }

    /// Returns the zone with an articulation of the song.
    #[must_use]
    pub const fn with_articulation(mut self, articulation: Option<ArticulationIndex>) -> Self {
        self.articulation = articulation;
        self
    }

    /// Returns the zone with another response to key and velocity; none is the usual one.
    #[must_use]
    pub fn with_response(mut self, response: Option<Arc<ZoneResponse>>) -> Self {
        self.response = response;
        self
    }

    /// Returns the zone with conditions beyond its keys and velocities.
    #[must_use]
    pub fn with_conditions(mut self, conditions: Option<Arc<ZoneConditions>>) -> Self {
        self.conditions = conditions;
        self
    }

    /// Returns how it responds to key and velocity, if not as usual.
    #[must_use]
    pub fn response(&self) -> Option<&ZoneResponse> {
        self.response.as_deref()
    }

    /// Returns its conditions beyond keys and velocities.
    #[must_use]
    pub fn conditions(&self) -> Option<&ZoneConditions> {
        self.conditions.as_deref()
    }

    /// Returns how its notes move; none if they do not.
    #[must_use]
    pub const fn articulation(&self) -> Option<ArticulationIndex> {
        self.articulation
    }

    /// Returns the zone with another sample and root key; its tuning is added to what it has.
    #[must_use]
    pub fn of_sample(mut self, sample: SampleIndex, root: Key, tuning: Cents) -> Self {
        self.sample = sample;
        self.root = root;
        self.tuning = self.tuning + tuning;
        self
    }

    /// Returns whether a note falls into it.
    #[must_use]
    pub fn covers(&self, key: Key, velocity: Velocity) -> bool {
        self.keys.contains(&key) && self.velocities.contains(&velocity)
    }

    /// Returns the keys it covers.
    #[must_use]
    pub const fn keys(&self) -> &RangeInclusive<Key> {
        &self.keys
    }

    /// Returns the velocities it covers.
    #[must_use]
    pub const fn velocities(&self) -> &RangeInclusive<Velocity> {
        &self.velocities
    }

    /// Returns the sample it sounds.
    #[must_use]
    pub const fn sample(&self) -> SampleIndex {
        self.sample
    }

    /// Returns how far from its own pitch a key sounds the sample, before velocity.
    #[must_use]
    pub fn transposition(&self, key: Key) -> Cents {
        let above = match &self.response {
            Some(response) => response.key_cents(key, self.root),
            None => key.above(self.root),
        };
        above + self.tuning
    }

    /// Returns how far from its own pitch a note sounds the sample.
    #[must_use]
    pub fn note_transposition(&self, key: Key, velocity: Velocity) -> Cents {
        let by_velocity = self.response.as_ref().map(|response| response.velocity_cents(velocity));
        self.transposition(key) + by_velocity.unwrap_or_default()
    }

    /// Returns the gain of a note, linear, its velocity included and its own gain not.
    #[must_use]
    pub fn note_gain(&self, key: Key, velocity: Velocity) -> f32 {
        match &self.response {
            Some(response) => response.gain(key, velocity),
            None => velocity.gain(),
        }
    }

    /// Returns the pan of a note; it may be beyond the sides.
    #[must_use]
    pub fn note_pan(&self, key: Key, velocity: Velocity) -> f32 {
        let added = self.response.as_ref().map_or(0.0, |response| response.pan(key, velocity));
        self.pan.get() + added
    }

    /// Returns the key that sounds the sample at its own rate, but for the tuning.
    #[must_use]
    pub const fn root(&self) -> Key {
        self.root
    }

    /// Returns its own gain.
    #[must_use]
    pub const fn gain(&self) -> Decibels {
        self.gain
    }

    /// Returns whether it repeats the whole of a sample that has no loop.
    #[must_use]
    pub const fn loops_whole(&self) -> bool {
        self.loops_whole
    }

    /// Returns its own place.
    #[must_use]
    pub const fn pan(&self) -> Pan {
        self.pan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_covers_both_ends_of_its_ranges() {
        let key = |k| Key::new(k).unwrap();
        let velocity = |v| Velocity::new(v).unwrap();
        let zone = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, Cents::ZERO)
            .within(key(40)..=key(50), velocity(1)..=velocity(64))
            .unwrap();
        assert!(zone.covers(key(40), velocity(64)) && zone.covers(key(50), velocity(1)));
        assert!(!zone.covers(key(39), velocity(64)) && !zone.covers(key(51), velocity(64)));
        assert!(!zone.covers(key(45), velocity(0)) && !zone.covers(key(45), velocity(65)));
    }

    #[test]
    fn an_empty_range_is_refused() {
        let zone = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, Cents::ZERO);
        #[allow(clippy::reversed_empty_ranges, reason = "the point is that it is empty")]
        let keys = Key::HIGHEST..=Key::LOWEST;
        assert_eq!(zone.within(keys, Velocity::LOWEST..=Velocity::HIGHEST), Err(Invalid::EmptyRange));
    }

    #[test]
    fn tuning_is_added_to_the_distance_from_the_root() {
        let zone =
            Zone::whole_keyboard(SampleIndex::new(0), Key::new(48).unwrap(), Cents::new(-25.0).unwrap());
        assert_eq!(zone.transposition(Key::C4).get(), 1175.0);
    }
}
