//! A tracker module played through an engine: the commands of each tick at the frame that it begins.

pub(crate) mod inverted_loops;
mod played_tick;

use std::collections::HashSet;
use std::time::Duration;

use engine::{
    Controller, DrivenVoice, Event, FmVoice, LentBank, NoteError, NoteId, StripIndex, VoiceChange,
    VoiceFilter, VoiceParams,
};
use song::module::Dialect;
use song::{Frames, Hz, SampleIndex};
use tracker::replay::{Glide, PanLaw, Replay, VoiceCommand, VoiceId, VoiceSound};

use crate::single_note::Playable;
use inverted_loops::InvertedLoops;
pub use played_tick::{PlayedTick, TickPlace, TickWatch};

/// What the volume of a mix is where the module does not say: that of Impulse Tracker.
const DEFAULT_MIX: f32 = 48.0 / 128.0;

/// What the volume of a voice of the FM synthesiser is multiplied by, whatever the mix is: it has an output to itself.
///
/// Source: levels of made modules, as libopenmpt 0.6 plays them.
const FM_MIX: f32 = 0.2814;

/// How far a listener's key goes back or further, in seconds.
pub const SEEK_STEP: f64 = 5.0;

/// How a song is heard.
#[derive(Clone, Debug, PartialEq)]
pub struct SongOptions {
    /// The longest that notes ring out after the last row.
    pub tail: Duration,
    /// Ends it after so long, wherever it is.
    pub most: Option<Duration>,
    /// How far left and right are apart, 0..=1.
    pub separation: f32,
    /// Channels that are silent, by index; the others are heard.
    pub muted: Vec<bool>,
    /// Frames per second of the output.
    pub rate: Hz,
}

/// Where the rows of a song end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SongEnd {
    /// How many frames they have.
    pub frames: Frames,
    /// The order that the song would go on with.
    pub order: usize,
    /// The row that it would go on with.
    pub row: usize,
}

/// A song that is being played.
pub struct SongPlayer<'w> {
    replay: Replay,
    bank: LentBank,
    inverted_loops: Option<InvertedLoops>,
    options: SongOptions,
    /// The volume of the mix that the module states.
    mix: f32,
    /// The listener's volume.
    gain: f32,
    pan_law: PanLaw,
    /// The frame at which the song begins.
    start: Frames,
    /// The frame at which the next tick begins.
    next: Frames,
    /// The voices of the engine, by those of the replay.
    voices: Vec<Option<SongVoice>>,
    /// Commands of the last tick, and how many of them were sent.
    commands: Vec<VoiceCommand>,
    sent: usize,
    due: Frames,
    /// How long the last tick is.
    tick: Duration,
    is_over: bool,
    /// Whether gains have changed of voices that the next tick may not mention.
    is_remixed: bool,
    /// Notes that were begun and not reported as ended.
    sounding: HashSet<NoteId>,
    last: Frames,
    watch: Option<TickWatch<'w>>,
    seconds: f64,
}

#[derive(Clone, Copy, Debug)]
struct SongVoice {
    note: NoteId,
    /// The recording that it plays, if it plays one.
    sample: Option<SampleIndex>,
    channel: usize,
    sound: VoiceSound,
}

/// Returns how many frames a tick has: whole ones, cut as all trackers cut them that mixed in software.
fn frames_of(seconds: f64, rate: Hz) -> u64 {
    // What would be whole but for the last bits of a fraction is.
    (seconds * f64::from(rate.get()) + 1e-6) as u64
}

impl<'w> SongPlayer<'w> {
    /// Creates the player of a song whose first frame is to be that one. `bank` has its recordings, and
    /// `inverted_loops` the same if any of them change.
    pub(crate) fn new(
        replay: Replay,
        bank: LentBank,
        inverted_loops: Option<InvertedLoops>,
        options: SongOptions,
        start: Frames,
    ) -> Self {
        let globals = &replay.score().module().globals;
        let mix = match replay.score().module().dialect {
            Dialect::ProTracker | Dialect::FastTracker2 => DEFAULT_MIX,
            Dialect::ScreamTracker3 | Dialect::ImpulseTracker => globals.mix_volume.gain(),
        };
        let pan_law = replay.pan_law();
        Self {
            replay,
            bank,
            inverted_loops,
            options,
            mix,
            gain: 1.0,
            pan_law,
            start,
            next: start,
            voices: vec![None; VoiceId::MAX],
            commands: Vec::new(),
            sent: 0,
            due: start,
            tick: Duration::ZERO,
            is_over: false,
            is_remixed: false,
            sounding: HashSet::new(),
            last: start,
            watch: None,
            seconds: 0.0,
        }
    }

    /// Calls `watch` for each tick that is sent.
    #[must_use]
    pub fn watched(mut self, watch: TickWatch<'w>) -> Self {
        self.watch = Some(watch);
        self
    }

    /// Returns the song as it stands after the ticks that were sent.
    #[must_use]
    pub const fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Returns where the rows end; none before that, or if the song was cut.
    #[must_use]
    pub fn end_of_rows(&self) -> Option<SongEnd> {
        let is_cut = self.options.most.is_some_and(|most| self.seconds >= most.as_secs_f64());
        let (order, row) = self.replay.position();
        let frames = Frames::new(self.next.get() - self.start.get());
        (self.is_over && !is_cut).then_some(SongEnd { frames, order, row })
    }

    /// Silences a channel from the next tick on, or no longer.
    pub fn set_muted(&mut self, channel: usize, is_muted: bool) {
        if let Some(place) = self.options.muted.get_mut(channel)
            && std::mem::replace(place, is_muted) != is_muted
        {
            self.is_remixed = true;
        }
    }

    /// Multiplies the volume of all voices by a linear factor from the next tick on; 1 plays it as it is mixed. What is
    /// no number, or below 0, is silence.
    pub fn set_gain(&mut self, gain: f32) {
        let gain = if gain.is_finite() { gain.max(0.0) } else { 0.0 };
        self.is_remixed |= gain.to_bits() != self.gain.to_bits();
        self.gain = gain;
    }

    /// Sets how far its voices are to the left and right of what they are as it is stored, from the next tick on: 1 as
    /// they are, 0 all in the middle. What is no number is 1.
    pub fn set_separation(&mut self, separation: f32) {
        let separation = if separation.is_finite() { separation.clamp(0.0, 1.0) } else { 1.0 };
        self.is_remixed |= separation.to_bits() != self.options.separation.to_bits();
        self.options.separation = separation;
    }

    /// Plays on at another time of the song, in seconds as its replay counts them; what sounds of it ends where the
    /// last tick ends that was played, or at `now` if that is later. After its end it is over.
    ///
    /// Takes a millisecond or so for each minute of the song before it: see [`Replay::seek_seconds`].
    pub fn seek_seconds(&mut self, seconds: f64, now: Frames) {
        self.halt();
        // While the last notes ring out, the last tick ended some time ago.
        self.next = Frames::new(self.next.get().max(now.get()));
        self.replay.seek_seconds(seconds);
        self.is_over = false;
    }

    /// Plays faster or slower than the song says, from the next tick on; 1 as it says.
    pub const fn set_tempo_factor(&mut self, factor: f64) {
        self.replay.set_tempo_factor(factor);
    }

    /// Repeats the song so many times more, without end if there is no number.
    pub const fn set_loops(&mut self, loops: Option<u32>) {
        self.replay.set_loops(loops);
    }

    /// Repeats the pattern of the present order from now on, or no longer.
    pub fn loop_pattern(&mut self, loops: bool) {
        self.replay.loop_pattern(loops);
    }

    /// Ends the song and all its voices where the last tick ends that was played; returns that frame.
    pub fn halt(&mut self) -> Frames {
        self.commands.drain(..self.sent);
        self.sent = 0;
        let starts = |command: &VoiceCommand| {
            matches!(command, VoiceCommand::Start { .. } | VoiceCommand::StartFm { .. })
        };
        // They are due before the end: what is not sent yet is sent at the same frame as their ends.
        self.commands.retain(|command| !starts(command));
        let voices = self.voices.iter().enumerate().filter(|(_, voice)| voice.is_some());
        let ends = voices.filter_map(|(index, _)| VoiceId::new(index));
        self.commands.extend(ends.map(|voice| VoiceCommand::Stop { voice }));
        (self.due, self.is_over) = (self.next, true);
        self.next
    }

    /// Returns how many of its voices were begun and not reported as ended.
    #[must_use]
    pub fn sounding(&self) -> usize {
        self.sounding.len()
    }

    /// Returns whether all of it is with the engine, after it was halted.
    #[must_use]
    pub fn is_sent(&self) -> bool {
        self.sent == self.commands.len()
    }

    /// Plays the next tick into the list of commands; returns whether there was one.
    fn step(&mut self) -> bool {
        let is_late = self.options.most.is_some_and(|most| self.seconds >= most.as_secs_f64());
        let Some(tick) = (if is_late { None } else { self.replay.tick() }) else {
            self.is_over = true;
            return false;
        };
        self.commands.clear();
        if std::mem::take(&mut self.is_remixed) {
            // What the tick says of the same voices comes after it.
            let voices = self.voices.iter().enumerate();
            let sounding = voices.filter_map(|(index, voice)| Some((VoiceId::new(index)?, (*voice)?)));
            self.commands.extend(sounding.map(|(voice, SongVoice { sound, .. })| VoiceCommand::Change {
                voice,
                sound,
                glide: Glide::Quick,
            }));
        }
        self.commands.extend_from_slice(tick.commands);
        self.sent = 0;
        let (place, seconds) = (TickPlace::from(&tick), tick.seconds);
        self.tick = Duration::from_secs_f64(seconds);
        self.due = self.next;
        self.next = Frames::new(self.due.get() + frames_of(seconds, self.options.rate));
        self.seconds += seconds;
        if let Some(watch) = &mut self.watch {
            let end = Frames::new(self.next.get() - self.start.get()).seconds(self.options.rate);
            watch(&PlayedTick { at: self.due, end, tick: place, replay: &self.replay });
        }
        true
    }

    /// Sends a command.
    ///
    /// # Errors
    /// [`NoteError::QueueFull`] if there is no room for it now.
    fn send(&mut self, controller: &mut Controller, command: VoiceCommand) -> Result<(), NoteError> {
        let at = Some(self.due);
        let (voice, change) = match command {
            VoiceCommand::Start { voice, sample, from, is_released, sound, channel } => {
                let driven = DrivenVoice {
                    sample,
                    from: Frames::new(from),
                    is_released,
                    params: self.params(&sound, Some(sample), channel),
                    strip: StripIndex::default(),
                };
                let started = controller.start_voice(&self.bank, &driven, at);
                return self.begin(started, voice, Some(sample), channel, sound);
            }
            VoiceCommand::StartFm { voice, patch, sound, channel } => {
                let params = self.params(&sound, None, channel);
                let started =
                    controller.start_fm(&FmVoice { patch, params, strip: StripIndex::default() }, at);
                return self.begin(started, voice, None, channel, sound);
            }
            VoiceCommand::Change { voice, sound, glide } => {
                let Some(place) = self.voices.get_mut(voice.index()).and_then(Option::as_mut) else {
                    return Ok(());
                };
                place.sound = sound;
                let (sample, channel) = (place.sample, place.channel);
                let glide = match glide {
                    Glide::Quick => Duration::ZERO,
                    Glide::Tick => self.tick,
                };
                (voice, VoiceChange::Params { params: self.params(&sound, sample, channel), glide })
            }
            VoiceCommand::LeaveSustain { voice } => (voice, VoiceChange::LeaveSustain),
            VoiceCommand::SwapAtLoopEnd { voice, sample, from } => {
                (voice, VoiceChange::SwapAtLoopEnd { sample, from: Frames::new(from) })
            }
            VoiceCommand::Stop { voice } => (voice, VoiceChange::Stop),
            VoiceCommand::Invert { sample, frame } => return self.invert(controller, sample, frame),
        };
        let Some(SongVoice { note, .. }) = self.voice(voice) else { return Ok(()) };
        controller.change_voice(&self.bank, note, change, at).map_err(|_| NoteError::QueueFull)?;
        if change == VoiceChange::Stop
            && let Some(place) = self.voices.get_mut(voice.index())
        {
            *place = None;
        }
        Ok(())
    }

    /// Takes note of a voice that was begun. A recording that could not be prepared is silent.
    ///
    /// # Errors
    /// [`NoteError::QueueFull`] if there was no room for it.
    fn begin(
        &mut self,
        started: Result<NoteId, NoteError>,
        voice: VoiceId,
        sample: Option<SampleIndex>,
        channel: usize,
        sound: VoiceSound,
    ) -> Result<(), NoteError> {
        match started {
            Ok(note) => {
                self.sounding.insert(note);
                if let Some(slot) = self.voices.get_mut(voice.index()) {
                    *slot = Some(SongVoice { note, sample, channel, sound });
                }
                Ok(())
            }
            Err(NoteError::QueueFull) => Err(NoteError::QueueFull),
            Err(_) => Ok(()),
        }
    }

    /// Inverts a frame of a recording, for the voices that sound it and those that will.
    ///
    /// # Errors
    /// [`NoteError::QueueFull`] if there is no room for it now; then nothing was inverted.
    fn invert(
        &mut self,
        controller: &mut Controller,
        sample: SampleIndex,
        frame: u64,
    ) -> Result<(), NoteError> {
        let Some(loops) = &mut self.inverted_loops else { return Ok(()) };
        let mut changed = loops.clone();
        if !changed.invert(sample, frame) {
            return Ok(());
        }
        let bank = controller.lend(changed.bank());
        for voice in self.voices.iter().flatten().filter(|voice| voice.sample == Some(sample)) {
            controller.replace_recording(&bank, voice.note, sample, Some(self.due))?;
        }
        (*loops, self.bank) = (changed, bank);
        // There is one for each frame: those that nothing sounds from any more are many.
        controller.collect();
        Ok(())
    }

    fn voice(&self, voice: VoiceId) -> Option<SongVoice> {
        self.voices.get(voice.index()).copied().flatten()
    }

    fn params(&self, sound: &VoiceSound, sample: Option<SampleIndex>, channel: usize) -> VoiceParams {
        let pan = sound.pan * self.options.separation;
        let law = match self.pan_law {
            // FastTracker 2 knows no recordings in stereo; those who added them balance their sides.
            _ if sample.is_none() => PanLaw::Soft,
            PanLaw::SquareRoot if sample.is_some_and(|sample| self.bank.is_stereo(sample)) => PanLaw::Linear,
            law => law,
        };
        let (left, right) = match law {
            PanLaw::Linear => ((1.0 - pan) / 2.0, (1.0 + pan) / 2.0),
            PanLaw::Soft => ((1.0 - pan.max(0.0)) / 2.0, (1.0 + pan.min(0.0)) / 2.0),
            PanLaw::SquareRoot => (((1.0 - pan) / 2.0).sqrt(), ((1.0 + pan) / 2.0).sqrt()),
        };
        let is_muted = self.options.muted.get(channel) == Some(&true);
        let mix = if sample.is_some() { self.mix } else { FM_MIX };
        let gain = if is_muted { 0.0 } else { mix * sound.volume * self.gain };
        VoiceParams {
            hz: sound.hz,
            left: gain * left,
            right: if sound.is_surround { -gain * right } else { gain * right },
            filter: sound.filter.map(VoiceFilter::new),
        }
    }

    /// Returns the frame at which it ends wherever it is, if it is to.
    fn cut(&self) -> Option<Frames> {
        let most = Frames::lasting(self.options.most?, self.options.rate);
        Some(Frames::new(self.start.get().saturating_add(most.get())))
    }
}

impl Playable for SongPlayer<'_> {
    fn feed(&mut self, controller: &mut Controller, until: Frames) -> Frames {
        loop {
            while let Some(command) = self.commands.get(self.sent).copied() {
                if self.due >= until {
                    return until;
                }
                if self.send(controller, command).is_err() {
                    return self.due;
                }
                self.sent += 1;
            }
            if self.next >= until || self.is_over || !self.step() {
                return until;
            }
        }
    }

    fn handle_event(&mut self, event: &Event) {
        if let Event::Ended { note, at } | Event::Refused { note, at } = *event
            && self.sounding.remove(&note)
        {
            self.last = self.last.max(at);
        }
    }

    fn set_rate(&mut self, _now: Frames, rate: Hz) {
        self.options.rate = rate;
    }

    fn end(&self, now: Frames) -> Option<Frames> {
        let cut = self.cut();
        if let Some(cut) = cut.filter(|cut| now >= *cut) {
            return Some(cut);
        }
        if !self.is_over || self.sent < self.commands.len() {
            return None;
        }
        let over = self.next;
        let latest = over.get() + Frames::lasting(self.options.tail, self.options.rate).get();
        let end = if self.sounding.is_empty() { self.last.max(over).get().min(latest) } else { latest };
        let end = Frames::new(end);
        (now >= end).then(|| cut.map_or(end, |cut| cut.min(end)))
    }
}

#[cfg(test)]
mod tests;
