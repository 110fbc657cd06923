use std::fmt;
use std::sync::Arc;

use ringbuf::traits::{Consumer, Producer};
use ringbuf::{HeapCons, HeapProd};
use song::{Frames, Hz};

use crate::config::{Config, Interpolation};
use crate::gauges::Gauges;
use crate::message::{Command, Event, NoteId, Order, Start};
use crate::places::Places;
use crate::rt::bus::{Bus, MAX_BLOCK};
use crate::rt::fader::Fader;
use crate::rt::grid;
use crate::rt::kernel::Kernels;
use crate::rt::limiter::{self, Limiter};
use crate::rt::meter::Meter;
use crate::rt::pool::Pool;
use crate::rt::schedule::{Entry, Schedule};
use crate::rt::strip::Strips;
use crate::rt::tap::{self, Spout, Tap};
use crate::rt::voice::Voice;

/// Orders carried out within one cell of the [grid]. What is more waits for the next cell, in order: a bound that does
/// not depend on how a device cuts its blocks.
const PER_CELL: u32 = 128;

/// As how many orders one counts that looks through all that wait. It does not depend on how many these are: that
/// would depend on when they arrived.
const LOOK: u32 = 8;

/// The half of the engine that makes sound; made by [`crate::split`].
///
/// It renders the same bits however its frames are cut into blocks, as long as the commands arrive before the frames
/// at which they apply.
///
/// # Real-time
/// Making it, dropping it and printing it: never. Its other methods say so themselves.
pub struct Processor {
    commands: HeapCons<Command>,
    events: Outbox,
    schedule: Schedule,
    pool: Pool,
    /// Apart, so that the processor itself is quickly moved.
    bus: Box<Bus>,
    /// Where a voice that moves is heard alone.
    alone: Box<Bus>,
    strips: Strips,
    master: Fader,
    limiter: Option<Box<Limiter>>,
    meter: Meter,
    spout: Spout,
    kernels: Kernels,
    interpolation: Interpolation,
    polyphony: usize,
    rate: Hz,
    /// The next frame to be rendered.
    now: u64,
    /// Commands read so far.
    read: u64,
    /// Commands below this number are void.
    void_before: u64,
    /// Voices begun so far.
    born: u64,
    budget: Budget,
    places: Arc<Places>,
    /// Whatever owns the banks: it has to outlive the voices. Nobody looks into it here.
    _lifeline: Arc<dyn Send + Sync>,
}

/// Events on their way to the control side.
struct Outbox {
    ring: HeapProd<Event>,
    gauges: Arc<Gauges>,
}

impl Outbox {
    fn send(&mut self, event: Event) {
        if self.ring.try_push(event).is_err() {
            self.gauges.lose_event();
        }
    }

    fn ended(&mut self, note: NoteId, at: u64) {
        self.send(Event::Ended { note, at: Frames::new(at) });
    }

    /// Tells of a voice that will never begin, if it was one.
    fn forgotten(&mut self, entry: &Entry, now: u64) {
        if let Some(note) = entry.starts() {
            self.ended(note, now);
        }
    }
}

/// What was spent of the orders that may be carried out in a cell of the grid.
#[derive(Debug, Default)]
struct Budget {
    cell: u64,
    spent: u32,
}

impl Budget {
    fn is_spent(&mut self, now: u64) -> bool {
        let cell = grid::cell_of(now);
        if cell != self.cell {
            *self = Self { cell, spent: 0 };
        }
        self.spent >= PER_CELL
    }

    fn spend(&mut self, order: &Order) {
        self.spent += match order {
            Order::Withdraw(_) | Order::ReleaseAll => LOOK,
            Order::Start(_) | Order::Release(_) | Order::Gain(_) | Order::Set(..) | Order::Polyphony(_) => 1,
        };
    }
}

impl Processor {
    /// The rate until a device or a renderer names another.
    pub const DEFAULT_RATE: u32 = 48_000;

    /// # Real-time
    /// Never: takes all the memory it will ever use.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(crate) fn new(
        config: Config,
        rate: Hz,
        commands: HeapCons<Command>,
        events: HeapProd<Event>,
        gauges: Arc<Gauges>,
        places: Arc<Places>,
        lifeline: Arc<dyn Send + Sync>,
    ) -> Self {
        Self {
            commands,
            events: Outbox { ring: events, gauges },
            schedule: Schedule::new(config.command_queue),
            pool: Pool::new(config.slots()),
            bus: Box::new(Bus::new()),
            alone: Box::new(Bus::new()),
            strips: Strips::new(config.strips),
            master: Fader::at(1.0, 1.0),
            limiter: config.limiter.then(|| Box::new(Limiter::new(rate))),
            meter: Meter::default(),
            spout: Spout::default(),
            kernels: Kernels::new(),
            interpolation: config.interpolation,
            polyphony: config.polyphony,
            rate,
            now: 0,
            read: 0,
            void_before: 0,
            born: 0,
            budget: Budget::default(),
            places,
            _lifeline: lifeline,
        }
    }

    /// Frames per second it renders.
    #[must_use]
    pub const fn rate(&self) -> Hz {
        self.rate
    }

    /// Sets the output's rate: for whoever is about to render with it. Sounding voices keep their pitch; frames already
    /// named in commands and fades that have begun stay as many frames as they are.
    ///
    /// # Real-time
    /// Safe.
    pub fn set_rate(&mut self, rate: Hz) {
        self.rate = rate;
        self.pool.set_rate(rate);
        if let Some(limiter) = &mut self.limiter {
            limiter.set_rate(rate);
        }
    }

    /// By how many frames what is heard comes later than the frame it belongs to.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub const fn latency(&self) -> Frames {
        Frames::new(if self.limiter.is_some() { limiter::DELAY as u64 } else { 0 })
    }

    /// Lets everything that is rendered from here on be read again, whatever the device does with it. The ring between holds
    /// so many frames. A tap made before gets nothing more.
    ///
    /// # Real-time
    /// Never: takes memory.
    pub fn tap(&mut self, frames: usize) -> Tap {
        let (spout, tap) = tap::tap(frames);
        self.spout = spout;
        tap
    }

    /// The first frame not yet rendered, counted from the engine's beginning over all devices.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub const fn now(&self) -> Frames {
        Frames::new(self.now)
    }

    /// Whether nothing sounds and nothing is scheduled; commands not yet read do not count.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let passed = self.limiter.as_ref().is_none_or(|limiter| limiter.is_empty());
        self.pool.occupied() == 0 && self.schedule.is_empty() && passed
    }

    /// Renders as many frames as fit into `out`, interleaved: `frames × channels`. One channel gets the mean of both
    /// sides; of more than two the first two get left and right, the others silence.
    ///
    /// # Real-time
    /// Safe. It takes time in proportion to the frames times the voices, plus the commands that have arrived times the
    /// voices: each order splits the block for all of them. One that withdraws notes looks once through all that wait.
    pub fn process(&mut self, out: &mut [f32], channels: usize) {
        let channels = channels.max(1);
        self.notice_silence();
        self.read_commands();
        for block in out.chunks_mut(MAX_BLOCK.saturating_mul(channels)) {
            let frames = block.len() / channels;
            self.bus.clear(frames);
            self.render(frames);
            self.bus.interleave(block, channels);
            let (left, right) = self.bus.part(0, frames);
            self.spout.pour(left, right);
            self.measure(frames);
        }
        self.events.gauges.set_now(self.now);
    }

    /// Sees whether everything sent so far was made void.
    fn notice_silence(&mut self) {
        let void_before = self.events.gauges.void_before();
        if void_before > self.void_before {
            self.void_before = void_before;
            self.forget(|entry| entry.sent < void_before);
            // A note sent after the mark was set may sound already, if it was read before the mark was seen.
            self.pool.fade_where(self.rate, self.now, |voice| voice.sent() < void_before);
        }
    }

    /// Takes from the ring what finds room among the waiting.
    fn read_commands(&mut self) {
        while !self.schedule.is_full() {
            let Some(Command { at, order }) = self.commands.try_pop() else { break };
            // What is late comes after what was on time for this frame, as it was sent.
            let entry = Entry { at: at.get().max(self.now), sent: self.read, order };
            self.read += 1;
            if entry.is_of_notes() && entry.sent < self.void_before {
                self.events.forgotten(&entry, self.now);
            } else if self.schedule.insert(entry).is_err() {
                break;
            }
        }
    }

    /// Drops the waiting orders that are chosen; those that are not of notes stay in any case.
    fn forget(&mut self, chosen: impl Fn(&Entry) -> bool) {
        let Self { schedule, events, now, .. } = self;
        schedule.retain(|entry| {
            let keep = !(entry.is_of_notes() && chosen(entry));
            if !keep {
                events.forgotten(entry, *now);
            }
            keep
        });
    }

    /// Renders some frames to the bus, at most [`MAX_BLOCK`].
    fn render(&mut self, frames: usize) {
        let mut done = 0;
        while done < frames {
            self.strips.swing(self.now, self.rate);
            self.carry_out_due();
            let part =
                self.undisturbed().min(self.strips.steady(self.now)).min((frames - done) as u64) as usize;
            let Self { pool, bus, alone, strips, events, kernels, rate, now, .. } = self;
            pool.retain(
                *now,
                |voice| voice.prefetch(part),
                |voice, motion| {
                    let (detune, planes) = strips.of(voice.strip());
                    voice.follow(detune, *rate, motion);
                    let (left, right) = match planes {
                        Some(planes) => planes.part(0, part),
                        None => bus.part(done, part),
                    };
                    let fate = voice.render(*kernels, *rate, (motion, alone), left, right);
                    if fate.is_over {
                        strips.leave(voice.strip(), true);
                    }
                    if let Some(after) = fate.ended {
                        events.ended(voice.note(), *now + after as u64);
                    }
                    fate
                },
            );
            let (left, right) = self.bus.part(done, part);
            self.strips.mix(left, right);
            self.master.apply(left, right);
            self.now += part as u64;
            done += part;
        }
        let (left, right) = self.bus.part(0, frames);
        if let Some(limiter) = &mut self.limiter {
            limiter.apply(left, right);
        }
    }

    /// Frames from here on in which no order applies, at least one.
    fn undisturbed(&mut self) -> u64 {
        match self.schedule.next_at() {
            Some(at) if at > self.now => at - self.now,
            // Only a spent budget leaves a due order behind.
            Some(_) => grid::rest_of_cell(self.now) as u64,
            None => u64::MAX,
        }
    }

    fn carry_out_due(&mut self) {
        while !self.budget.is_spent(self.now) {
            let Some(Entry { sent, order, .. }) = self.schedule.take_due(self.now) else { break };
            self.budget.spend(&order);
            match order {
                Order::Start(start) => self.start(start, sent),
                Order::Release(note) => self.pool.release(note, self.rate, self.now),
                Order::Withdraw(note) => {
                    self.forget(|entry| entry.starts() == Some(note));
                    self.pool.release(note, self.rate, self.now);
                }
                Order::ReleaseAll => {
                    self.forget(|entry| entry.sent < sent);
                    self.pool.release_all(self.rate, self.now);
                }
                Order::Gain(gain) => self.master.set(gain, gain, self.rate),
                Order::Polyphony(polyphony) => self.bound(polyphony as usize),
                Order::Set(index, setting) => self.strips.set(index, &setting, self.rate, self.now),
            }
            // What waited for its room may be due as well, and not only when the next block begins.
            self.read_commands();
        }
    }

    fn start(&mut self, start: Start, sent: u64) {
        let (note, strip) = (start.note, start.strip);
        let at = Frames::new(self.now);
        let has_room = self.make_room();
        let voice = Voice::new(start, sent, self.born, self.rate, self.interpolation);
        if has_room && self.pool.insert(voice) {
            self.born += 1;
            self.strips.enter(strip, self.now);
            self.events.send(Event::Started { note, at });
        } else {
            self.events.gauges.refuse();
            self.events.send(Event::Refused { note, at });
        }
    }

    /// Sees to it that one voice less than the polyphony plays; says if that can be had without a click.
    fn make_room(&mut self) -> bool {
        if self.pool.playing() < self.polyphony {
            return true;
        }
        let Some(victim) = self.pool.victim(self.now) else { return false };
        if self.pool.is_full() && self.pool.get(victim).is_some_and(Voice::has_sounded) {
            return false;
        }
        self.dismiss(victim);
        true
    }

    /// From now on so many voices play at most; those that are too many make room.
    fn bound(&mut self, polyphony: usize) {
        self.polyphony = polyphony;
        while self.pool.playing() > polyphony {
            let Some(victim) = self.pool.victim(self.now) else { return };
            self.dismiss(victim);
        }
    }

    /// A voice makes room, and fades if it has been heard.
    fn dismiss(&mut self, victim: usize) {
        let Some(voice) = self.pool.get(victim) else { return };
        let (note, strip, has_sounded) = (voice.note(), voice.strip(), voice.has_sounded());
        self.events.send(Event::Stolen { note, at: Frames::new(self.now) });
        if has_sounded {
            self.pool.fade(victim, self.rate, self.now);
        } else {
            self.pool.remove(victim, self.now);
            self.strips.leave(strip, false);
            self.events.ended(note, self.now);
        }
    }

    fn measure(&mut self, frames: usize) {
        let (left, right) = self.bus.part(0, frames);
        let Some((left, right)) = self.meter.take(left, right, self.now) else { return };
        self.places.tell(self.pool.slots().map(|slot| {
            let (recording, frame) = slot?.place()?;
            Some((slot?.note(), recording, frame))
        }));
        let voices = u32::try_from(self.pool.occupied()).unwrap_or(u32::MAX);
        let limited = self.limiter.as_mut().map_or(1.0, |limiter| limiter.take_lowest());
        self.events.send(Event::Meter { left, right, limited, voices, at: Frames::new(self.now) });
    }
}

impl fmt::Debug for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Processor")
            .field("rate", &self.rate)
            .field("now", &self.now)
            .field("voices", &self.pool.occupied())
            .finish_non_exhaustive()
    }
}
