//! The schedule of an adversary, in turns of some hundred blocks.

use std::sync::Arc;
use std::time::Duration;

use benches::stage::noise;
use engine::{
    Bank, ChannelStrip, Config, Controller, DelayParams, Event, Note, Processor, Quality, ReverbParams,
    StripIndex,
};
use fixtures::songs::{looped, mono, of};
use song::{Decibels, Frames, InstrumentIndex, Key, LoopMode, Velocity};

use super::figures::Kind;

/// Frames of a block.
pub(crate) const BLOCK: usize = 256;

/// Voices that are held; as many again fade when all are stolen. All fit into one cell of the control grid.
const VOICES: usize = 32;

/// Blocks of one turn.
const TURN: usize = 500;

/// The block in which an order comes for every frame.
const SPLIT: usize = 120;

/// The block in which the times of the effects are turned, and how many blocks they fade for then: 30 ms.
const TURNED: usize = 180;
const TURNING: usize = 6;

/// The block in which all voices are stolen by as many.
const THEFT: usize = 240;

/// The block in which all are released.
const RELEASE: usize = 480;

/// Blocks after which nothing sounds any more: a release takes 50 ms, which are ten.
const FADED: usize = RELEASE + 10;

/// Frames of the loop: all voices have the same pitch and wrap together, about every seventh block.
const LOOP: usize = 3001;

/// An engine that is played.
pub(crate) struct Play {
    controller: Controller,
    processor: Processor,
    /// Whether all voices are sent to the effects, each by a strip of its own.
    is_sent: bool,
    out: [f32; 2 * BLOCK],
    block: usize,
    started: usize,
    stolen: usize,
    ended: usize,
}

impl Play {
    pub(crate) fn new(quality: Quality, is_sent: bool) -> Self {
        let config = Config {
            polyphony: VOICES,
            interpolation: quality.into(),
            strips: VOICES,
            effects: is_sent,
            ..Config::default()
        };
        let (mut controller, processor) = engine::split(config).expect("within limits");
        let sample = looped(mono(noise(LOOP + 500)), 500, (LOOP + 500) as u64, LoopMode::Forward);
        controller.load(Arc::new(Bank::prepare(&of(vec![sample])).expect("a short sample")));
        if is_sent {
            let level = Some(Decibels::new(-6.0).expect("finite"));
            let strip = ChannelStrip { reverb: level, delay: level, ..ChannelStrip::default() };
            for index in 0..VOICES {
                let index = StripIndex::new(index as u16);
                controller.set_strip(index, strip, None).expect("the queue is empty");
            }
        }
        let out = [0.0; 2 * BLOCK];
        Self { controller, processor, is_sent, out, block: 0, started: 0, stolen: 0, ended: 0 }
    }

    /// Returns how long a block takes in which all voices are held: the median of a few hundred. Begins anew
    /// afterwards.
    pub(crate) fn held_block(&mut self, time: impl Fn(&mut dyn FnMut()) -> f64) -> f64 {
        self.all_begin();
        let mut times: Vec<f64> = (0..300).map(|_| time(&mut || self.render())).collect();
        times.sort_by(f64::total_cmp);
        self.controller.all_sound_off();
        (0..3).for_each(|_| self.render());
        self.tidy();
        (self.started, self.stolen, self.ended) = (0, 0, 0);
        times[times.len() / 2]
    }

    fn all_begin(&mut self) {
        // A semitone and some up: never a whole ratio.
        let key = Key::C4.shifted(1).expect("on the keyboard");
        let note = Note::new(InstrumentIndex::new(0), key, Velocity::new(20).expect("at most 127"));
        for voice in 0..VOICES {
            let strip = StripIndex::new(if self.is_sent { voice as u16 } else { 0 });
            self.controller.note_on(Note { strip, ..note }).expect("the queue is empty");
        }
    }

    /// Turns all of both effects, so that both fade from one place of their lines to another.
    fn turn_effects(&mut self) {
        let is_even = (self.block / TURN).is_multiple_of(2);
        let [pre_delay, time] = if is_even { [20, 300] } else { [60, 450] }.map(Duration::from_millis);
        let decay = Duration::from_millis(if is_even { 1500 } else { 2500 });
        let reverb = ReverbParams { decay, pre_delay, ..ReverbParams::default() };
        let delay = DelayParams { time, ping_pong: is_even, ..DelayParams::default() };
        self.controller.set_reverb(reverb, None).expect("the queue is empty");
        self.controller.set_delay(delay, None).expect("the queue is empty");
    }

    /// An order for every frame of the next block; none of them changes anything, but each splits the block.
    fn order_each_frame(&mut self) {
        let now = self.controller.now().get();
        for frame in now..now + BLOCK as u64 {
            self.controller.set_gain(Decibels::UNITY, Some(Frames::new(frame))).expect("the queue is empty");
        }
    }

    /// Sends what the next block is to do, which is no part of it.
    pub(crate) fn prepare(&mut self) -> Kind {
        let at = self.block % TURN;
        self.block += 1;
        match at {
            0 => {
                self.all_begin();
                Kind::Begin
            }
            SPLIT => {
                self.order_each_frame();
                Kind::Split
            }
            TURNED if self.is_sent => {
                self.turn_effects();
                Kind::Turn
            }
            TURNED.. if self.is_sent && at < TURNED + TURNING => Kind::Turn,
            THEFT => {
                self.all_begin();
                Kind::Theft
            }
            RELEASE => {
                self.controller.all_notes_off(None).expect("the queue is empty");
                Kind::Release
            }
            1.. if at < RELEASE => Kind::Held,
            _ if at < FADED => Kind::Release,
            _ => Kind::Silent,
        }
    }

    /// Renders one block.
    pub(crate) fn render(&mut self) {
        self.processor.process(&mut self.out, 2);
    }

    /// Takes the events out of their queue.
    pub(crate) fn tidy(&mut self) {
        while let Some(event) = self.controller.poll() {
            match event {
                Event::Started { .. } => self.started += 1,
                Event::Stolen { .. } => self.stolen += 1,
                Event::Ended { .. } => self.ended += 1,
                _ => {}
            }
        }
    }

    /// Holds that every turn did what it should have: whoever measures less than he says is easily fast.
    ///
    /// # Panics
    /// If it did not.
    pub(crate) fn was_complete(&self) {
        let turns = self.block / TURN;
        let (counted, expected) = ((self.started, self.stolen), (2 * turns * VOICES, turns * VOICES));
        assert_eq!((counted, self.ended), (expected, 2 * turns * VOICES), "started and stolen, ended");
        assert_eq!((self.controller.lost_events(), self.controller.refused()), (0, 0));
    }
}
