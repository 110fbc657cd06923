//! Which strip of the engine each sound is played on, so that turning its knobs is heard on what sounds.
//!
//! ```text
//! 0         what finds none
//! 1 to 16   the channels of MIDI
//! HANDS     sounds played by hand, in turn
//! KIT       sounds of the kit on MIDI channel 10 that send to effects, in turn
//! ```

use std::ops::Range;

use engine::{ChannelStrip, Controller, StripError, StripIndex};
use song::Frames;

/// Strips of sounds that are played by hand.
pub(crate) const HANDS: Range<u16> = 17..32;

/// Strips of sounds of the kit; an engine of the default configuration has no more.
pub(crate) const KIT: Range<u16> = 32..48;

/// The strips of sounds.
#[derive(Debug)]
pub(crate) struct StripAllocator {
    places: Vec<StripSlot>,
    /// Counts what was asked for.
    clock: u64,
}

#[derive(Debug)]
struct StripSlot {
    index: StripIndex,
    sound: Option<usize>,
    wanted: ChannelStrip,
    /// As it was last sent to the engine.
    sent: ChannelStrip,
    /// When it was asked for last.
    used: u64,
}

impl StripAllocator {
    /// Creates an allocator of some strips.
    pub(crate) fn of(strips: Range<u16>) -> Self {
        let place = |index| StripSlot {
            index: StripIndex::new(index),
            sound: None,
            wanted: ChannelStrip::default(),
            sent: ChannelStrip::default(),
            used: 0,
        };
        Self { places: strips.map(place).collect(), clock: 0 }
    }

    /// Returns the strip for a note of a sound that is to be heard like this from a frame on: its own, or one that
    /// nothing sounds on. Of those one that need not be sent anything is best, then the one that was used longest ago.
    /// None if something sounds on all.
    pub(crate) fn take(
        &mut self,
        controller: &mut Controller,
        sound: usize,
        wanted: ChannelStrip,
        at: Option<Frames>,
        sounds: impl Fn(StripIndex) -> bool,
    ) -> Option<StripIndex> {
        self.clock += 1;
        let place = match self.places.iter().position(|place| place.sound == Some(sound)) {
            Some(own) => &mut self.places[own],
            None => {
                let strips = controller.strips();
                let free = self.places.iter_mut();
                let free =
                    free.filter(|place| usize::from(place.index.get()) < strips && !sounds(place.index));
                free.min_by_key(|place| (place.sent != wanted, place.used))?
            }
        };
        (place.sound, place.wanted, place.used) = (Some(sound), wanted, self.clock);
        place.tell(controller, at);
        Some(place.index)
    }

    /// Returns a strip of another sound that is heard like this.
    pub(crate) fn alike(&self, wanted: ChannelStrip) -> Option<StripIndex> {
        let alike = |place: &&StripSlot| place.sound.is_some() && place.wanted == wanted;
        self.places.iter().find(alike).map(|place| place.index)
    }

    /// A sound is to be heard like this from here on.
    pub(crate) fn set(&mut self, controller: &mut Controller, sound: usize, wanted: ChannelStrip) {
        if let Some(place) = self.places.iter_mut().find(|place| place.sound == Some(sound)) {
            place.wanted = wanted;
            place.tell(controller, None);
        }
    }

    /// All sounds are to be heard like this from a frame on.
    pub(crate) fn set_all(
        &mut self,
        controller: &mut Controller,
        at: Option<Frames>,
        wanted: impl Fn(&Controller, usize) -> ChannelStrip,
    ) {
        for place in &mut self.places {
            if let Some(sound) = place.sound {
                place.wanted = wanted(controller, sound);
                place.tell(controller, at);
            }
        }
    }

    /// Sends what found no room in the engine's queue before.
    pub(crate) fn poll(&mut self, controller: &mut Controller) {
        self.places.iter_mut().for_each(|place| place.tell(controller, None));
    }

    /// Returns whether something found no room in the engine's queue and waits.
    pub(crate) fn is_waiting(&self) -> bool {
        self.places.iter().any(|place| place.sent != place.wanted)
    }
}

impl StripSlot {
    fn tell(&mut self, controller: &mut Controller, at: Option<Frames>) {
        if self.sent == self.wanted {
            return;
        }
        match controller.set_strip(self.index, self.wanted, at) {
            // To be tried again.
            Err(StripError::Full(_)) => {}
            Ok(()) | Err(_) => self.sent = self.wanted,
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::Config;
    use song::Decibels;

    use super::*;

    fn loud(decibels: f32) -> ChannelStrip {
        ChannelStrip { gain: Decibels::new(decibels).unwrap(), ..ChannelStrip::default() }
    }

    fn take(
        strips: &mut StripAllocator,
        controller: &mut Controller,
        sound: usize,
        wanted: ChannelStrip,
    ) -> Option<u16> {
        strips.take(controller, sound, wanted, None, |_| false).map(StripIndex::get)
    }

    #[test]
    fn a_sound_keeps_its_strip_and_the_one_used_longest_ago_goes_to_another() {
        let (mut controller, _processor) = engine::split(Config::default()).unwrap();
        let mut strips = StripAllocator::of(17..19);
        let plain = ChannelStrip::default();
        let taken = [5, 6, 5, 7, 5].map(|sound| take(&mut strips, &mut controller, sound, plain));
        assert_eq!(taken, [17, 18, 17, 18, 17].map(Some));
    }

    #[test]
    fn a_strip_that_is_as_it_is_wanted_is_taken_before_others() {
        let (mut controller, _processor) = engine::split(Config::default()).unwrap();
        let mut strips = StripAllocator::of(17..20);
        assert_eq!(take(&mut strips, &mut controller, 0, loud(6.0)), Some(17));
        assert_eq!(take(&mut strips, &mut controller, 1, ChannelStrip::default()), Some(18));
        assert_eq!(take(&mut strips, &mut controller, 2, ChannelStrip::default()), Some(19));
        assert_eq!(take(&mut strips, &mut controller, 3, loud(6.0)), Some(17));
        assert_eq!(take(&mut strips, &mut controller, 4, ChannelStrip::default()), Some(18));
    }

    #[test]
    fn a_strip_on_which_another_sounds_is_not_taken() {
        let (mut controller, _processor) = engine::split(Config::default()).unwrap();
        let mut strips = StripAllocator::of(17..18);
        assert_eq!(take(&mut strips, &mut controller, 0, ChannelStrip::default()), Some(17));
        assert_eq!(strips.take(&mut controller, 1, ChannelStrip::default(), None, |_| true), None);
        assert_eq!(
            strips.take(&mut controller, 0, ChannelStrip::default(), None, |_| true),
            Some(StripIndex::new(17))
        );
    }

    #[test]
    fn what_found_no_room_is_reported_later() {
        let (mut controller, mut processor) =
            engine::split(Config { command_queue: 1, ..Config::default() }).unwrap();
        let mut strips = StripAllocator::of(17..18);
        controller.set_gain(Decibels::UNITY, None).unwrap();
        assert_eq!(take(&mut strips, &mut controller, 0, loud(6.0)), Some(17));
        assert!(strips.is_waiting());
        assert_eq!(strips.places[0].sent, ChannelStrip::default());
        let _ = engine::offline::render(&mut processor, Frames::new(64));
        strips.poll(&mut controller);
        assert_eq!(strips.places[0].sent, loud(6.0));
        assert!(!strips.is_waiting());
    }

    #[test]
    fn a_strip_that_the_engine_lacks_is_not_taken_and_one_that_is_alike_can_be_shared() {
        let (mut controller, _processor) = engine::split(Config { strips: 18, ..Config::default() }).unwrap();
        let mut strips = StripAllocator::of(17..20);
        assert_eq!(strips.alike(ChannelStrip::default()), None, "no sound is on it");
        assert_eq!(take(&mut strips, &mut controller, 0, loud(6.0)), Some(17));
        assert_eq!(strips.take(&mut controller, 1, loud(6.0), None, |strip| strip.get() == 17), None);
        assert_eq!(strips.alike(loud(6.0)), Some(StripIndex::new(17)));
        assert_eq!(strips.alike(loud(5.0)), None);
    }

    #[test]
    fn an_engine_has_a_strip_for_each_channel_and_all_hands_and_the_kit() {
        assert_eq!((HANDS.end, usize::from(KIT.end)), (KIT.start, Config::default().strips));
    }
}
