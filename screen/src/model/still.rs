//! Whether anything on the screen moves by itself: where nothing does, it need not be drawn thirty times a second.

use player::live::{LiveEvent, OutputStatus, SongEvent};

use super::Model;
use crate::update::Msg;

/// Frames of the screen between two that are drawn while nothing changes: the load of the device is still seen.
const STILL_FRAMES: u32 = 15;

/// Below this, −100 dB, a meter is at rest.
const REST: f32 = 1e-5;

/// Decides which frames of the screen are drawn.
#[derive(Debug, Default)]
pub struct FrameSkipper {
    is_changed: bool,
    skipped: u32,
}

impl FrameSkipper {
    /// Takes notice of a message that `model` is about to get.
    pub fn see(&mut self, message: &Msg, model: &Model) {
        self.is_changed |= !is_routine(message, model);
    }

    /// Returns whether the next frame is drawn.
    pub fn draws(&mut self, model: &Model) -> bool {
        self.skipped += 1;
        let draws = self.is_changed || moves(model) || self.skipped >= STILL_FRAMES;
        if draws {
            *self = Self::default();
        }
        draws
    }
}

/// Returns whether a message is one of those that come with every frame, and says nothing new.
fn is_routine(message: &Msg, model: &Model) -> bool {
    match message {
        Msg::Tick => true,
        Msg::Live(LiveEvent::Song(SongEvent::Heard(tick, is_playing))) => {
            model.song.as_ref().is_some_and(|song| song.heard == *tick && song.is_playing == *is_playing)
        }
        Msg::Live(LiveEvent::Output(status)) => {
            OutputStatus { load: 0.0, ..*status } == OutputStatus { load: 0.0, ..model.status }
        }
        Msg::Live(LiveEvent::Meter { peaks, voices, .. }) => {
            peaks.iter().all(|peak| *peak < REST) && *voices == model.voices.0
        }
        Msg::Live(LiveEvent::Sounding { positions, midi }) => {
            *positions == model.positions && *midi == model.midi
        }
        _ => false,
    }
}

/// Returns whether something is seen that changes with time.
fn moves(model: &Model) -> bool {
    let is_lit = model.meters.iter().any(|meter| meter.peak > REST || meter.is_warned());
    let is_limited = model.limited.0 < 1.0 - REST;
    let sounds = !model.notes.is_empty() || model.voices.0 > 0;
    is_lit
        || is_limited
        || sounds
        || model.take.is_some()
        || model.notice.is_some()
        || model.wave_drag.is_some()
        || model.song.as_ref().is_some_and(|song| song.is_playing)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use engine::Quality;
    use song::{Frames, Hz, Key};

    use super::*;

    fn model() -> Model {
        let rate = Hz::new(48_000).unwrap();
        let model = Model::new("test".to_owned(), "null".to_owned(), rate, Vec::new(), (64, 256));
        Model { quality: Quality::High, ..model }
    }

    /// Returns how many of some frames are drawn.
    fn drawn(skipper: &mut FrameSkipper, model: &Model, frames: u32) -> usize {
        (0..frames).filter(|_| skipper.draws(model)).count()
    }

    #[test]
    fn a_screen_on_which_nothing_changes_is_drawn_twice_a_second() {
        let (mut skipper, model) = (FrameSkipper::default(), model());
        for _ in 0..30 {
            skipper.see(&Msg::Tick, &model);
            skipper.see(&Msg::Live(LiveEvent::Output(OutputStatus { load: 0.01, ..model.status })), &model);
            skipper.see(&Msg::Live(LiveEvent::Meter { peaks: [0.0; 2], limited: 1.0, voices: 0 }), &model);
            skipper.see(&Msg::Live(LiveEvent::Sounding { positions: Vec::new(), midi: Vec::new() }), &model);
        }
        assert_eq!(drawn(&mut skipper, &model, 30), 2);
    }

    #[test]
    fn what_is_new_is_drawn_at_the_next_frame() {
        let model = model();
        let news = [
            Msg::FocusLost,
            Msg::Live(LiveEvent::Output(OutputStatus { xruns: 1, ..model.status })),
            Msg::Live(LiveEvent::Meter { peaks: [0.5, 0.0], limited: 1.0, voices: 0 }),
            Msg::Live(LiveEvent::Meter { peaks: [0.0; 2], limited: 1.0, voices: 1 }),
            Msg::Live(LiveEvent::Sounding { positions: vec![Frames::ZERO], midi: Vec::new() }),
            Msg::Live(LiveEvent::Sounding { positions: Vec::new(), midi: vec![Key::C4] }),
        ];
        for message in news {
            let mut skipper = FrameSkipper::default();
            assert!(!skipper.draws(&model));
            skipper.see(&message, &model);
            assert!(skipper.draws(&model), "{message:?}");
            assert!(!skipper.draws(&model), "{message:?}");
        }
    }

    #[test]
    fn what_moves_is_drawn_in_every_frame() {
        let mut model = model();
        model.notice = Some(("saved".to_owned(), Duration::from_secs(1)));
        assert_eq!(drawn(&mut FrameSkipper::default(), &model, 30), 30);
        model.notice = None;
        model.meters[0].update(0.5, Duration::ZERO);
        assert_eq!(drawn(&mut FrameSkipper::default(), &model, 30), 30);
        for frame in 0..200 {
            model.meters[0].fall(Duration::from_millis(33 * frame));
        }
        assert_eq!(drawn(&mut FrameSkipper::default(), &model, 30), 2);
    }
}
