mod budget;
mod outbox;
mod polyphony;

use std::fmt;
use std::sync::Arc;

use ringbuf::traits::Consumer;
use ringbuf::{HeapCons, HeapProd};
use song::{Frames, Hz};

use crate::config::{Config, Interpolation};
use crate::message::{Action, Command, Event};
use crate::rt::bus::{Bus, MAX_BLOCK};
use crate::rt::effects::Effects;
use crate::rt::fader::Fader;
use crate::rt::filter_queue::FilterQueue;
use crate::rt::fm::FmVoices;
use crate::rt::grid;
use crate::rt::kernel::Kernels;
use crate::rt::limiter::{self, Limiter};
use crate::rt::meter::Meter;
use crate::rt::pool::Pool;
use crate::rt::schedule::{Schedule, ScheduledCommand};
use crate::rt::strip::Strips;
use crate::rt::tap::{self, Tap, TapWriter};
use crate::rt::voice::{Modulated, Voice};
use crate::shared_state::SharedState;
use crate::voice_positions::VoicePositions;
use budget::CommandBudget;
use outbox::Outbox;

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
    fm: FmVoices,
    /// Boxed, so that the processor itself is quickly moved.
    bus: Box<Bus>,
    /// The buffer in which a modulated voice is rendered alone.
    scratch: Box<Bus>,
    filters: Box<FilterQueue>,
    strips: Strips,
    effects: Option<Box<Effects>>,
    master: Fader,
    limiter: Option<Box<Limiter>>,
    meter: Meter,
    tap: TapWriter,
    kernels: Kernels,
    interpolation: Interpolation,
    polyphony: usize,
    rate: Hz,
    /// The next frame to be rendered.
    now: u64,
    /// Commands read so far.
    read: u64,
    /// Commands below this number are void.
    cancelled_before: u64,
    /// Voices begun so far.
    started: u64,
    budget: CommandBudget,
    voice_positions: Arc<VoicePositions>,
    /// The number of slots whose voices were published last; those after them are known to be empty.
    published: usize,
    /// Whatever owns the banks: it has to outlive the voices. Nobody looks into it here.
    _keep_alive: Arc<dyn Send + Sync>,
}

/// The processor's ends of what joins it to its controller.
#[cfg(feature = "remote")]
pub(crate) struct ProcessorEnds {
    pub(crate) commands: HeapCons<Command>,
    pub(crate) events: HeapProd<Event>,
    pub(crate) shared: Arc<SharedState>,
    pub(crate) voice_positions: Arc<VoicePositions>,
    pub(crate) tap: TapWriter,
    /// Whatever owns the banks.
    pub(crate) _keep_alive: Arc<dyn Send + Sync>,
}

impl Processor {
    /// The rate until a device or a renderer names another.
    pub const DEFAULT_RATE: Hz = match Hz::new(48_000) {
        Ok(rate) => rate,
        Err(_) => panic!("48,000 is not 0"),
    };

    /// # Real-time
    /// Never: takes all the memory it will ever use.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(crate) fn new(
        config: Config,
        rate: Hz,
        commands: HeapCons<Command>,
        events: HeapProd<Event>,
        shared: Arc<SharedState>,
        voice_positions: Arc<VoicePositions>,
        keep_alive: Arc<dyn Send + Sync>,
    ) -> Self {
        Self {
            commands,
            events: Outbox { ring: events, shared },
            schedule: Schedule::new(config.command_queue),
            pool: Pool::new(config.slots()),
            fm: FmVoices::new(),
            bus: Box::new(Bus::new()),
            scratch: Box::new(Bus::new()),
            filters: Box::new(FilterQueue::new()),
            strips: Strips::new(config.strips),
            effects: config.effects.then(|| Box::new(Effects::new(rate))),
            master: Fader::at(1.0, 1.0),
            limiter: config.limiter.then(|| Box::new(Limiter::new(rate))),
            meter: Meter::default(),
            tap: TapWriter::default(),
            kernels: Kernels::new(config.interpolation),
            interpolation: config.interpolation,
            polyphony: config.polyphony,
            rate,
            now: 0,
            read: 0,
            cancelled_before: 0,
            started: 0,
            budget: CommandBudget::default(),
            voice_positions,
            published: 0,
            _keep_alive: keep_alive,
        }
    }

    /// Takes the rings apart that join it to its controller, for a processor elsewhere that takes its place.
    ///
    /// # Real-time
    /// Never: frees memory.
    #[cfg(feature = "remote")]
    pub(crate) fn into_ends(self) -> ProcessorEnds {
        let Self { commands, events, tap, voice_positions, _keep_alive, .. } = self;
        let Outbox { ring: events, shared } = events;
        ProcessorEnds { commands, events, shared, voice_positions, tap, _keep_alive }
    }

    /// Returns the rate it renders at, in hertz.
    #[must_use]
    pub const fn rate(&self) -> Hz {
        self.rate
    }

    /// Sets the output's rate: for whoever is about to render with it. Sounding voices keep their pitch, but those of
    /// the FM synthesiser, whose chips run at that rate, end within a millisecond, and effects fall silent at once.
    /// Frames already named in commands and fades that have begun stay as many frames as they are.
    ///
    /// # Real-time
    /// Safe.
    pub fn set_rate(&mut self, rate: Hz) {
        self.rate = rate;
        self.pool.set_rate(rate);
        self.fm.set_rate(rate);
        if let Some(effects) = &mut self.effects {
            effects.set_rate(rate);
        }
        if let Some(limiter) = &mut self.limiter {
            limiter.set_rate(rate);
        }
    }

    /// Returns the latency of the limiter, in frames: 0 without one.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub const fn latency(&self) -> Frames {
        Frames::new(if self.limiter.is_some() { limiter::DELAY as u64 } else { 0 })
    }

    /// Creates a tap: a ring of so many frames that gets whatever is rendered from here on, whatever the device does
    /// with it. A tap made before gets nothing more.
    ///
    /// # Real-time
    /// Never: takes memory.
    pub fn tap(&mut self, frames: usize) -> Tap {
        let (tap_writer, tap) = tap::tap(frames);
        self.tap = tap_writer;
        tap
    }

    /// Returns the first frame not yet rendered, counted from the engine's beginning over all devices.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub const fn now(&self) -> Frames {
        Frames::new(self.now)
    }

    /// Returns the number of commands read so far.
    #[cfg(feature = "remote")]
    pub(crate) const fn commands_read(&self) -> u64 {
        self.read
    }

    /// Returns whether nothing sounds, no effect either, and nothing is scheduled; commands not yet read do not count.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let passed = self.limiter.as_ref().is_none_or(|limiter| limiter.is_empty());
        let silent = self.effects.as_ref().is_none_or(|effects| effects.are_silent());
        self.voices() == 0 && self.schedule.is_empty() && silent && passed
    }

    const fn voices(&self) -> usize {
        self.pool.occupied() + self.fm.occupied()
    }

    /// Renders as many frames as fit into `out`, interleaved: `frames × channels`. One channel gets the mean of both
    /// sides; of more than two the first two get left and right, the others silence.
    ///
    /// # Real-time
    /// Safe. It takes time in proportion to the frames times the voices, plus the commands that have arrived times the
    /// voices: each command splits the block for all of them. One that withdraws notes looks once through all that
    /// wait.
    pub fn process(&mut self, out: &mut [f32], channels: usize) {
        let channels = channels.max(1);
        if self.events.shared.is_paused() {
            out.fill(0.0);
            return;
        }
        self.apply_cancellation();
        self.read_commands();
        for block in out.chunks_mut(MAX_BLOCK.saturating_mul(channels)) {
            let frames = block.len() / channels;
            self.bus.clear(frames);
            self.render(frames);
            self.bus.interleave(block, channels);
            let (left, right) = self.bus.part(0, frames);
            self.tap.push(left, right);
            self.measure(frames);
        }
        self.events.shared.set_now(self.now);
    }

    /// Drops the commands that were cancelled, and silences the notes they began.
    fn apply_cancellation(&mut self) {
        let void_before = self.events.shared.cancelled_before();
        if void_before > self.cancelled_before {
            self.cancelled_before = void_before;
            self.withdraw(|entry| entry.sequence < void_before);
            // A note sent after the mark was set may sound already, if it was read before the mark was seen.
            self.pool.fade_where(self.rate, self.now, |voice| voice.sequence() < void_before);
            self.fm.fade_where(self.rate, |sequence| sequence < void_before);
            if let Some(effects) = &mut self.effects {
                effects.cut(self.rate);
            }
        }
    }

    /// Moves commands from the ring to the schedule, as far as that has room.
    fn read_commands(&mut self) {
        while !self.schedule.is_full() {
            let Some(Command { at, action }) = self.commands.try_pop() else { break };
            // What is late comes after what was on time for this frame, as it was sent.
            let entry = ScheduledCommand { at: at.get().max(self.now), sequence: self.read, action };
            self.read += 1;
            if entry.is_of_notes() && entry.sequence < self.cancelled_before {
                self.events.report_dropped(&entry, self.now);
            } else if self.schedule.insert(entry).is_err() {
                break;
            }
        }
    }

    /// Drops the waiting commands that are chosen; those that are not of notes stay in any case.
    fn withdraw(&mut self, chosen: impl Fn(&ScheduledCommand) -> bool) {
        let Self { schedule, events, now, .. } = self;
        schedule.retain(|entry| {
            let keep = !(entry.is_of_notes() && chosen(entry));
            if !keep {
                events.report_dropped(entry, *now);
            }
            keep
        });
    }

    /// Renders some frames to the bus, at most [`MAX_BLOCK`].
    fn render(&mut self, frames: usize) {
        let mut done = 0;
        while done < frames {
            self.strips.enter_cell(self.now, self.rate);
            self.apply_due();
            let part = self
                .frames_to_next_command()
                .min(self.strips.frames_until_change(self.now))
                .min((frames - done) as u64) as usize;
            self.render_voices(done, part);
            let (left, right) = self.bus.part(done, part);
            let Self { fm, strips, events, now, .. } = self;
            fm.render(strips, left, right, |note, after| events.ended(note, *now + after as u64));
            self.strips.mix(self.effects.as_deref_mut(), left, right);
            if let Some(effects) = &mut self.effects {
                effects.mix(self.now, left, right);
            }
            self.master.apply(left, right);
            self.now += part as u64;
            done += part;
        }
        let (left, right) = self.bus.part(0, frames);
        if let Some(limiter) = &mut self.limiter {
            limiter.apply(left, right);
        }
    }

    /// Adds frames of all voices to the bus, after the first `done`, and to those of their strips.
    fn render_voices(&mut self, done: usize, frames: usize) {
        let Self { kernels, rate, now, .. } = *self;
        self.pool.retain(
            now,
            &mut (&mut *self.filters, &mut *self.bus, &mut self.strips, &mut *self.scratch, &mut self.events),
            |voice| voice.prefetch(frames),
            |(filters, bus, strips, scratch, events), slot, voice, modulation| {
                let (state, planes) = strips.of(voice.strip());
                voice.follow(state, rate, modulation);
                let (left, right) = match planes {
                    Some(planes) => planes.part(0, frames),
                    None => bus.part(done, frames),
                };
                filters.enter(slot, voice.strip());
                let outcome =
                    voice.render(kernels, rate, Modulated { modulation, scratch, filters }, left, right);
                if outcome.is_over {
                    strips.leave(voice.strip(), true);
                }
                if let Some(after) = outcome.ended {
                    events.ended(voice.note(), now + after as u64);
                }
                outcome
            },
            |(filters, bus, strips, ..), motions| {
                if filters.is_empty() {
                    return;
                }
                filters.filter(kernels, now, motions);
                for (voice, strip) in (0..).map_while(|voice| Some((voice, filters.strip(voice)?))) {
                    let (left, right) = match strips.of(strip).1 {
                        Some(planes) => planes.part(0, frames),
                        None => bus.part(done, frames),
                    };
                    filters.mix(voice, kernels, [left, right]);
                }
                filters.clear();
            },
        );
    }

    /// Returns the number of frames from here on in which no command applies, at least one.
    fn frames_to_next_command(&mut self) -> u64 {
        match self.schedule.next_at() {
            Some(at) if at > self.now => at - self.now,
            // Only a spent budget leaves a due command waiting.
            Some(_) => grid::rest_of_cell(self.now) as u64,
            None => u64::MAX,
        }
    }

    fn apply_due(&mut self) {
        while !self.budget.is_spent(self.now) {
            let Some(ScheduledCommand { sequence, action, .. }) = self.schedule.take_due(self.now) else {
                break;
            };
            self.budget.spend(&action);
            match action {
                Action::Start(start) => {
                    let voice = Voice::new(start, sequence, self.started, self.rate, self.interpolation);
                    let modulation = voice.modulation();
                    self.pool.choke(&voice, self.rate, self.now);
                    self.start(voice, modulation);
                }
                Action::StartDriven(start) => {
                    let (voice, modulation) =
                        Voice::driven(start, sequence, self.started, self.rate, self.interpolation);
                    self.start(voice, Some(modulation));
                }
                Action::StartFm(start) => self.start_fm(&start, sequence),
                Action::Change(note, change) => {
                    self.pool.change(note, change, self.rate, self.now);
                    self.fm.change(note, change, self.rate);
                }
                Action::Alter(note, change) => self.pool.alter(note, change, self.rate, self.now),
                Action::Replace(note, bank, track) => self.pool.replace(note, &bank, track),
                Action::Release(note) => self.pool.release(note, self.rate, self.now),
                Action::Withdraw(note) => {
                    self.withdraw(|entry| entry.starts() == Some(note));
                    self.pool.release(note, self.rate, self.now);
                }
                Action::ReleaseAll => {
                    self.withdraw(|entry| entry.sequence < sequence);
                    self.pool.all_notes_off(self.rate, self.now);
                }
                Action::Gain(gain) => self.master.set(gain, gain, self.rate),
                Action::Polyphony(polyphony) => self.limit_polyphony(polyphony as usize),
                Action::Set(index, setting) => self.strips.set(index, &setting, self.rate, self.now),
                Action::Reverb(setting) => {
                    if let Some(effects) = &mut self.effects {
                        effects.set_reverb(&setting, self.rate);
                    }
                }
                Action::Delay(setting) => {
                    if let Some(effects) = &mut self.effects {
                        effects.set_delay(&setting, self.rate);
                    }
                }
            }
            // What waited for its room may be due as well, and not only when the next block begins.
            self.read_commands();
        }
    }

    fn measure(&mut self, frames: usize) {
        let (left, right) = self.bus.part(0, frames);
        let Some((left, right)) = self.meter.take(left, right, self.now) else { return };
        let extent = self.pool.extent();
        let slots = self.pool.slots().take(extent.max(std::mem::replace(&mut self.published, extent)));
        self.voice_positions.publish(slots.map(|slot| {
            let (recording, frame) = slot?.position()?;
            Some((slot?.note(), recording, frame))
        }));
        let voices = u32::try_from(self.voices()).unwrap_or(u32::MAX);
        let limited = self.limiter.as_mut().map_or(1.0, |limiter| limiter.take_lowest());
        self.events.send(Event::Meter {
            left,
            right,
            limiter_gain: limited,
            voices,
            at: Frames::new(self.now),
        });
    }
}

impl fmt::Debug for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Processor")
            .field("rate", &self.rate)
            .field("now", &self.now)
            .field("voices", &self.voices())
            .finish_non_exhaustive()
    }
}
