//! Which strip of the engine each sound is played on, so that turning its knobs is heard on what sounds.
//!
//! Strip 0 is for what finds none, 1 to 16 are the channels of MIDI; the rest repeat among the sounds.

use engine::{ChannelStrip, Controller, StripError, StripIndex};

/// The first one that is not spoken for.
const FIRST: u16 = 17;

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
    /// Of an engine with so many strips.
    pub(crate) fn of(strips: usize) -> Self {
        let strips = u16::try_from(strips).unwrap_or(u16::MAX);
        let place = |index| StripSlot {
            index: StripIndex::new(index),
            sound: None,
            wanted: ChannelStrip::default(),
            sent: ChannelStrip::default(),
            used: 0,
        };
        Self { places: (FIRST..strips).map(place).collect(), clock: 0 }
    }

    /// Returns the strip for a note of a sound that is to be heard like this: its own, or one that nothing sounds on.
    /// Of those one that need not be sent anything is best, then the one that was used longest ago. None if
    /// something sounds on all.
    pub(crate) fn take(
        &mut self,
        controller: &mut Controller,
        sound: usize,
        wanted: ChannelStrip,
        sounds: impl Fn(StripIndex) -> bool,
    ) -> Option<StripIndex> {
        self.clock += 1;
        let place = match self.places.iter().position(|place| place.sound == Some(sound)) {
            Some(own) => &mut self.places[own],
            None => {
                let free = self.places.iter_mut().filter(|place| !sounds(place.index));
                free.min_by_key(|place| (place.sent != wanted, place.used))?
            }
        };
        (place.sound, place.wanted, place.used) = (Some(sound), wanted, self.clock);
        place.tell(controller);
        Some(place.index)
    }

    /// A sound is to be heard like this from here on.
    pub(crate) fn set(&mut self, controller: &mut Controller, sound: usize, wanted: ChannelStrip) {
        if let Some(place) = self.places.iter_mut().find(|place| place.sound == Some(sound)) {
            place.wanted = wanted;
            place.tell(controller);
        }
    }

    /// Sends what found no room in the engine's queue before.
    pub(crate) fn poll(&mut self, controller: &mut Controller) {
        self.places.iter_mut().for_each(|place| place.tell(controller));
    }
}

impl StripSlot {
    fn tell(&mut self, controller: &mut Controller) {
        if self.sent == self.wanted {
            return;
        }
        match controller.set_strip(self.index, self.wanted, None) {
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
        strips.take(controller, sound, wanted, |_| false).map(StripIndex::get)
    }

    #[test]
    fn a_sound_keeps_its_strip_and_the_one_used_longest_ago_goes_to_another() {
        let (mut controller, _processor) = engine::split(Config::default()).unwrap();
        let mut strips = StripAllocator::of(19);
        let plain = ChannelStrip::default();
        let taken = [5, 6, 5, 7, 5].map(|sound| take(&mut strips, &mut controller, sound, plain));
        assert_eq!(taken, [17, 18, 17, 18, 17].map(Some));
    }

    #[test]
    fn a_strip_that_is_as_it_is_wanted_is_taken_before_others() {
        let (mut controller, _processor) = engine::split(Config::default()).unwrap();
        let mut strips = StripAllocator::of(20);
        assert_eq!(take(&mut strips, &mut controller, 0, loud(6.0)), Some(17));
        assert_eq!(take(&mut strips, &mut controller, 1, ChannelStrip::default()), Some(18));
        assert_eq!(take(&mut strips, &mut controller, 2, ChannelStrip::default()), Some(19));
        assert_eq!(take(&mut strips, &mut controller, 3, loud(6.0)), Some(17));
        assert_eq!(take(&mut strips, &mut controller, 4, ChannelStrip::default()), Some(18));
    }

    #[test]
    fn a_strip_on_which_another_sounds_is_not_taken() {
        let (mut controller, _processor) = engine::split(Config::default()).unwrap();
        let mut strips = StripAllocator::of(18);
        assert_eq!(take(&mut strips, &mut controller, 0, ChannelStrip::default()), Some(17));
        assert_eq!(strips.take(&mut controller, 1, ChannelStrip::default(), |_| true), None);
        assert_eq!(
            strips.take(&mut controller, 0, ChannelStrip::default(), |_| true),
            Some(StripIndex::new(17))
        );
    }

    #[test]
    fn what_found_no_room_is_reported_later() {
        let (mut controller, mut processor) =
            engine::split(Config { command_queue: 1, ..Config::default() }).unwrap();
        let mut strips = StripAllocator::of(18);
        controller.set_gain(Decibels::UNITY, None).unwrap();
        assert_eq!(take(&mut strips, &mut controller, 0, loud(6.0)), Some(17));
        assert_eq!(strips.places[0].sent, ChannelStrip::default());
        let _ = engine::offline::render(&mut processor, song::Frames::new(64));
        strips.poll(&mut controller);
        assert_eq!(strips.places[0].sent, loud(6.0));
    }
}
