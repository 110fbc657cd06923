//! What trackers make of a module.
//!
//! ```text
//! Score ─► Replay ─┬─ transport   which row is played when
//!                  ├─ dialect/    what its cells do to the channels, by the rules of four trackers
//!                  │    └─ flow   what each channel returns of jumps, loops and tempo ─► transport
//!                  └─ voice ─► commands for the voices of a tick
//! ```
//!
//! [`Replay`] plays a module tick by tick: what it gives are commands for voices, and nothing of it knows an engine.
//! Besides, the rules in which dialects differ are worked out for notes that are played by hand, so that voices need
//! not know them: [`articulation()`].
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "its state is sums of bytes, kept within bounds by each tick; whatever the cells say, no such sum grows \
              beyond 32 bits, and the fuzz target `replay` runs with overflow checks"
)]

mod articulation;
mod backward;
mod command;
mod dialect;
mod envelope;
mod filter;
mod first_pass;
mod flow;
mod lfo;
mod macros;
mod modplug;
mod nibbles;
mod panning;
mod period;
mod position;
mod random;
mod score;
mod subsongs;
mod transport;
mod vblank;
mod vibrato;
mod visited;
mod voice;

use std::sync::Arc;

pub use articulation::articulation;
pub use command::{Glide, VoiceCommand, VoiceId, VoiceSound};
pub use envelope::tick_envelope;
pub use panning::note_pan;
pub use score::Score;
pub use subsongs::{Subsong, first_subsong, first_subsong_of, subsongs, subsongs_of};
pub use vibrato::pitch_lfo;

use dialect::{DialectProcessor, SoundingVoice};
use first_pass::FirstPass;
use flow::Clock;
use transport::Transport;
use voice::{ReplayVoice, Sender, VoiceIds};

/// How a module is replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// The order it begins with.
    pub order: usize,
    /// How often it repeats itself; without end if there is none.
    pub loops: Option<u32>,
    /// Seed of what is random: volumes, pans and waves.
    pub seed: u64,
}

/// A module that is being played.
pub struct Replay {
    score: Arc<Score>,
    transport: Transport,
    processor: Box<dyn DialectProcessor>,
    ids: VoiceIds,
    commands: Vec<VoiceCommand>,
    /// How long the last tick was.
    seconds: f64,
    options: ReplayOptions,
    /// By how much the song is faster than it says.
    tempo_factor: f64,
    /// How long all ticks were before this one, as fast as the song says.
    elapsed: f64,
    first_pass: FirstPass,
}

/// What a tick is, and what happens at its first frame.
#[derive(Clone, Copy, Debug)]
pub struct Tick<'r> {
    /// Which order, from 0.
    pub order: usize,
    /// Which row, from 0.
    pub row: usize,
    /// Which tick of the row, from 0 on over all its repetitions.
    pub tick: u32,
    /// Ticks of a row.
    pub speed: u32,
    /// Beats per minute.
    pub tempo: u32,
    /// How long it lasts.
    pub seconds: f64,
    /// In the order in which they apply.
    pub commands: &'r [VoiceCommand],
}

/// A voice as it sounds in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoiceState {
    /// Its channel, from 0.
    pub channel: usize,
    /// The module's instrument, from 0; the sample where cells name samples.
    pub instrument: usize,
    /// The module's sample, from 0.
    pub sample: usize,
    /// The whole frame that it stands on.
    pub position: u64,
    /// How it sounds.
    pub sound: VoiceSound,
    /// Whether a new note has left it behind.
    pub is_background: bool,
}

/// How pan becomes gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanLaw {
    /// The gains of both sides add up to the same everywhere.
    Linear,
    /// Their squares do: `FastTracker` 2.
    SquareRoot,
    /// One side is turned down and the other left as it is in the middle: `OpenMPT` 1.17 and 1.18.
    Soft,
}

impl Replay {
    /// The most commands of a tick: each voice ends, begins, leaves its loop, is to swap and changes, and each channel
    /// inverts a frame.
    const MAX_COMMANDS: usize = 6 * (VoiceId::MAX + 128);

    /// Creates a replay that stands before its first tick.
    #[must_use]
    pub fn new(score: Arc<Score>, options: ReplayOptions) -> Self {
        let transport = Transport::new(&score, options.order, options.loops);
        let processor = dialect::processor(&score, options.seed);
        let commands = Vec::with_capacity(Self::MAX_COMMANDS);
        let first_pass = FirstPass::new(score.module().orders.len());
        let ids = VoiceIds::new();
        Self {
            score,
            transport,
            processor,
            ids,
            commands,
            seconds: 0.0,
            options,
            tempo_factor: 1.0,
            elapsed: 0.0,
            first_pass,
        }
    }

    /// Returns the module that is played.
    #[must_use]
    pub const fn score(&self) -> &Arc<Score> {
        &self.score
    }

    /// Returns how pan becomes gains.
    #[must_use]
    pub fn pan_law(&self) -> PanLaw {
        self.processor.pan_law()
    }

    /// Plays a tick; returns what happens in it, and nothing once the song is over.
    ///
    /// # Real-time
    /// Allocates and frees nothing.
    pub fn tick(&mut self) -> Option<Tick<'_>> {
        let Self { score, transport, processor, ids, commands, seconds, .. } = self;
        self.elapsed += *seconds * self.tempo_factor;
        commands.clear();
        processor.advance(score, ids, *seconds);
        let is_again = transport.begin_row(score, processor.loop_state());
        self.first_pass.begin(transport.clock().order, self.elapsed, is_again);
        if transport.is_over() {
            return None;
        }
        let clock = transport.clock();
        let Clock { order, row, .. } = clock;
        let tick = clock.repetition * clock.ticks() + clock.tick;
        processor.tick(score, transport);
        // A tempo applies to the tick in which it is set, but for a tracker that lets the tick before end first.
        let Clock { speed, tempo, .. } = transport.clock();
        let tempo = if processor.tempo_is_late() { clock.tempo } else { tempo };
        processor.send(&mut Sender { score, ids, commands });
        transport.end_tick(score);
        *seconds = 2.5 / f64::from(tempo.max(1)) / self.tempo_factor;
        Some(Tick { order, row, tick, speed, tempo, seconds: *seconds, commands })
    }

    /// Goes to a row, to sound there as if all before it had been played from where the song begins. A row that the
    /// song does not come to within an hour is played as if the song began there.
    ///
    /// Takes as long as the ticks before it, a millisecond or so for each minute of the song, and allocates: not
    /// for the audio thread.
    pub fn seek(&mut self, order: usize, row: usize) {
        let Self { score, options, tempo_factor, .. } = self;
        let at_start = || Self::new(Arc::clone(score), ReplayOptions { loops: Some(0), ..*options });
        let mut sought = at_start();
        let is_found = (0..MAX_SOUGHT_TICKS)
            .any(|_| sought.stands_before(order, row) || sought.tick().is_none())
            && !sought.transport.is_over();
        if is_found {
            sought.processor.voices_mut(&mut ReplayVoice::begin_again);
        } else {
            sought = at_start();
            sought.transport.go_to(order, row);
        }
        sought.transport.set_loops(options.loops);
        (sought.options, sought.tempo_factor) = (*options, *tempo_factor);
        *self = sought;
    }

    /// Goes to the row that plays at a time of the song, in seconds as [`elapsed`](Self::elapsed) counts them, to sound
    /// there as if all before it had been played. After the end the song is over; an endless song is followed for an
    /// hour at most.
    ///
    /// Takes as long as the ticks before it twice, and allocates: not for the audio thread.
    pub fn seek_seconds(&mut self, seconds: f64) {
        let at_start = || Self::new(Arc::clone(&self.score), self.options);
        let (mut follower, mut ticks, mut ticks_before_row) = (at_start(), 0, 0);
        while ticks < MAX_SOUGHT_TICKS {
            let is_row = follower.next_row().is_some();
            // Rows begin where sums of ticks do, whose last bits are no part of anybody's wish.
            if follower.elapsed > seconds.max(0.0) + 1e-9 {
                break;
            }
            if is_row {
                ticks_before_row = ticks;
            }
            if follower.tick().is_none() {
                ticks_before_row = ticks;
                break;
            }
            ticks += 1;
        }
        let mut sought = at_start();
        for _ in 0..ticks_before_row {
            let _ = sought.tick();
        }
        let _ = sought.next_row();
        sought.processor.voices_mut(&mut ReplayVoice::begin_again);
        sought.tempo_factor = self.tempo_factor;
        *self = sought;
    }

    /// Returns whether a row comes next.
    fn stands_before(&mut self, order: usize, row: usize) -> bool {
        self.next_row() == Some((order, row))
    }

    /// Returns the row that comes next; none within a row, and after the end.
    fn next_row(&mut self) -> Option<(usize, usize)> {
        let Self { score, transport, processor, ids, seconds, .. } = self;
        self.elapsed += *seconds;
        processor.advance(score, ids, std::mem::take(seconds));
        let is_again = transport.begin_row(score, processor.loop_state());
        let clock = transport.clock();
        self.first_pass.begin(clock.order, self.elapsed, is_again);
        (!transport.is_over() && clock.is_row_start()).then_some((clock.order, clock.row))
    }

    /// Repeats the pattern of the present order from now on, or no longer.
    pub fn loop_pattern(&mut self, loops: bool) {
        self.transport.hold(loops);
    }

    /// Repeats the song so many times more, without end if there is no number.
    pub const fn set_loops(&mut self, loops: Option<u32>) {
        self.options.loops = loops;
        self.transport.set_loops(loops);
    }

    /// Plays faster or slower than the song says, from the next tick on; 1 as it says.
    pub const fn set_tempo_factor(&mut self, factor: f64) {
        self.tempo_factor = factor;
    }

    /// Returns the order and row that is played or, once the song is over, that it would go on with.
    #[must_use]
    pub const fn position(&self) -> (usize, usize) {
        let Clock { order, row, .. } = self.transport.clock();
        (order, row)
    }

    /// Returns how long the song is up to the present tick, in seconds, as fast as it says.
    #[must_use]
    pub const fn elapsed(&self) -> f64 {
        self.elapsed
    }

    /// Returns when the song first comes to the present row, in seconds as [`elapsed`](Self::elapsed) counts them: a
    /// pattern that is held and a song that repeats add nothing.
    #[must_use]
    pub const fn song_time(&self) -> f64 {
        self.first_pass.time(self.elapsed)
    }

    /// Visits all voices that sound, as they are at the beginning of the present tick.
    pub fn voices(&self, mut visit: impl FnMut(VoiceState)) {
        self.processor.voices(&mut |voice: SoundingVoice<'_>| visit(voice.state()));
    }

    /// Returns whether any row of an order was played so far.
    #[must_use]
    pub fn has_played(&self, order: usize) -> bool {
        self.transport.visited().has_played(order)
    }
}

/// How far a row is looked for, in ticks: an hour at the usual tempo.
const MAX_SOUGHT_TICKS: u32 = 50 * 3600;
