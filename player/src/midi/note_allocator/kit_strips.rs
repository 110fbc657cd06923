//! Strips for sounds of the kit: on one channel each sends to effects as its own sound is set.

use engine::{ChannelStrip, Controller, StripIndex};
use song::Frames;

use super::Refusal;
use crate::strips::{KIT, StripAllocator};

/// The strips of the kit; one for each sound that sends, while it sounds.
#[derive(Debug)]
pub(super) struct KitStrips(StripAllocator);

impl Default for KitStrips {
    fn default() -> Self {
        Self(StripAllocator::of(KIT))
    }
}

impl KitStrips {
    /// Returns the strip for a note of a sound from a frame on. If other sounds sound on all, it is one of a sound that
    /// sends as much; none if there is no such sound either.
    ///
    /// # Errors
    /// [`Refusal::Full`] if the engine's queue has no room.
    pub(super) fn take(
        &mut self,
        controller: &mut Controller,
        sound: usize,
        wanted: ChannelStrip,
        at: Option<Frames>,
        sounds: impl Fn(StripIndex) -> bool,
    ) -> Result<Option<StripIndex>, Refusal> {
        let own = self.0.take(controller, sound, wanted, at, sounds);
        self.sent().map(|()| own.or_else(|| self.0.alike(wanted)))
    }

    /// Lets all strips be like this from a frame on.
    ///
    /// # Errors
    /// [`Refusal::Full`] if the engine's queue has no room for all.
    pub(super) fn follow(
        &mut self,
        controller: &mut Controller,
        at: Option<Frames>,
        wanted: impl Fn(&Controller, usize) -> ChannelStrip,
    ) -> Result<(), Refusal> {
        self.0.set_all(controller, at, wanted);
        self.sent()
    }

    fn sent(&self) -> Result<(), Refusal> {
        if self.0.is_waiting() { Err(Refusal::Full) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use engine::{Config, split};
    use song::Decibels;

    use super::*;

    fn sending(decibels: f32) -> ChannelStrip {
        ChannelStrip { reverb: Decibels::new(decibels).ok(), ..ChannelStrip::default() }
    }

    #[test]
    fn beyond_the_last_strip_a_sound_shares_that_of_one_that_sends_as_much() {
        let (mut controller, _processor) = split(Config { effects: true, ..Config::default() }).unwrap();
        let mut kit = KitStrips::default();
        let mut take = |sound: usize, gain: f32, is_sounding: bool| {
            let strip = kit.take(&mut controller, sound, sending(gain), None, |_| is_sounding);
            strip.unwrap().map(StripIndex::get)
        };
        for (sound, index) in KIT.enumerate() {
            assert_eq!(take(sound, -(sound as f32), false), Some(index));
        }
        assert_eq!(take(3, -3.0, true), Some(KIT.start + 3), "its own");
        assert_eq!(take(90, -5.0, true), Some(KIT.start + 5));
        assert_eq!(take(90, -5.5, true), None);
        assert_eq!(take(90, -5.5, false), Some(KIT.start), "the one used longest ago, once it is free");
    }

    #[test]
    fn a_full_queue_is_reported_and_tried_again() {
        let config = Config { command_queue: 1, effects: true, ..Config::default() };
        let (mut controller, mut processor) = split(config).unwrap();
        let mut kit = KitStrips::default();
        controller.set_gain(Decibels::UNITY, None).unwrap();
        let mut take = |controller: &mut Controller| kit.take(controller, 0, sending(0.0), None, |_| false);
        assert_eq!(take(&mut controller), Err(Refusal::Full));
        let _ = engine::offline::render(&mut processor, Frames::new(64));
        assert_eq!(take(&mut controller), Ok(Some(StripIndex::new(KIT.start))));
    }
}
