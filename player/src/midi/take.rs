//! What was played, as a standard MIDI file.
//!
//! Messages from MIDI ports stay as they came, each on its channel. Notes of the screen get a channel of their own, the
//! first that no port uses. Program changes say which sound each plays, so `render --midi` plays the file as it was
//! played. A tick is a frame, or a power of two of them where the format has no room for that many.
//!
//! Source: *Standard MIDI Files 1.0* (RP-001), format 0.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use midly::num::{u4, u7, u15, u24, u28};
use midly::{Format, Header, MetaMessage, MidiMessage, Smf, Timing, TrackEvent, TrackEventKind};
use song::{Frames, Hz, Key, Parameter, Velocity};

use super::interpreter::{MidiInterpreter, MidiSource};
use super::message::{ChannelMessage, Control, Message, MidiChannel};

/// The most that is remembered between a start and a stop: hours of playing, 17 minutes of the fastest cable.
pub(crate) const MAX_EVENTS: usize = 1 << 20;
/// Ticks of a beat of which the format has room.
const MAX_TICKS: u32 = 0x7FFF;
/// Beats a second at the tempo that the format assumes, and that is written all the same.
const BEATS: u32 = 2;
const MICROSECONDS_PER_BEAT: u32 = 1_000_000 / BEATS;
/// The longest time between two events, in ticks.
const MAX_DELTA: u64 = 0x0FFF_FFFF;

/// Something that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TakeEvent {
    /// A message came through a port.
    Message(Message),
    /// A note began that is none of a port's: its number, the index of its sound, its key and velocity.
    NoteOn(u64, usize, Key, Velocity),
    /// The note of a number ended or was released, if it was not before.
    NoteOff(u64),
    /// A sound was chosen on the screen, by its index.
    Chosen(usize),
    /// A port is gone: its keys and pedals are up.
    Unplugged,
    /// All notes were ended at once.
    AllOff,
    /// A parameter of a sound was turned: its controller's value before and after.
    Turned(usize, Parameter, [u8; 2]),
}

/// Returns a parameter that was turned, if its controller can say it.
pub(crate) fn turned(sound: usize, parameter: Parameter, before: f64, after: f64) -> Option<TakeEvent> {
    // The cast is within range: parts are 0..=1.
    let values = [before, after].map(|value| (127.0 * parameter.scale().part(value)).round() as u8);
    (values[0] != values[1]).then_some(TakeEvent::Turned(sound, parameter, values))
}

/// Remembers what was played, up to [`MAX_EVENTS`] at once, and when: in frames of the engine.
#[derive(Clone, Debug)]
pub(crate) struct PlayedNotes {
    /// How channels were set up before the first event that is remembered.
    before: MidiInterpreter,
    chosen: usize,
    events: VecDeque<(Frames, TakeEvent)>,
    /// When the latest was that was forgotten for want of room.
    cut: Option<Frames>,
}

impl Default for PlayedNotes {
    fn default() -> Self {
        Self { before: untouched(), chosen: 0, events: VecDeque::new(), cut: None }
    }
}

impl PlayedNotes {
    /// Remembers what was played at a frame.
    pub(crate) fn push(&mut self, at: Frames, what: TakeEvent) {
        // What the engine reports comes a little later than what is asked of it.
        let place = self.events.iter().rposition(|(before, _)| *before <= at).map_or(0, |last| last + 1);
        self.events.insert(place, (at, what));
        if self.events.len() > MAX_EVENTS {
            self.cut = self.events.front().map(|(at, _)| *at);
            self.forget_first();
        }
    }

    /// Forgets what was played before a frame, but not how it has set up the channels.
    pub(crate) fn forget_before(&mut self, frame: Frames) {
        while self.events.front().is_some_and(|(at, _)| *at < frame) {
            self.forget_first();
        }
    }

    /// Returns whether everything that was played from a frame on is remembered.
    #[must_use]
    pub(crate) fn is_whole(&self, from: Frames) -> bool {
        self.cut.is_none_or(|cut| cut < from)
    }

    fn forget_first(&mut self) {
        match self.events.pop_front() {
            Some((_, TakeEvent::Message(message))) => set_up(&mut self.before, message),
            Some((_, TakeEvent::Chosen(sound))) => self.chosen = sound,
            Some((_, TakeEvent::Unplugged)) => drop(self.before.release_all()),
            Some((
                _,
                TakeEvent::NoteOn(..) | TakeEvent::NoteOff(_) | TakeEvent::AllOff | TakeEvent::Turned(..),
            ))
            | None => {}
        }
    }

    /// Returns the file with what was played from one frame on and before another, at a rate in hertz. Notes that began
    /// before are none of it; those that are held in the end, end there.
    #[must_use]
    pub(crate) fn file(&self, from: Frames, to: Frames, rate: Hz) -> Vec<u8> {
        let mut played = self.clone();
        played.forget_before(from);
        let events: Vec<(Frames, TakeEvent)> =
            played.events.iter().take_while(|(at, _)| *at < to).copied().collect();
        let ticks = (0..).map(|shift| (rate.get() / BEATS) >> shift).find(|ticks| *ticks <= MAX_TICKS);
        let ticks = ticks.unwrap_or(1).max(1);
        let mut track = TakeTrack::new(played.before, played.chosen, &events);
        for (at, what) in events {
            track.at = tick(at, from, rate, ticks);
            track.play(what);
        }
        track.at = tick(to, from, rate, ticks);
        track.unplug();
        track.end_own();
        track.file(ticks)
    }
}

/// Returns the channels as they are in the beginning.
fn untouched() -> MidiInterpreter {
    MidiInterpreter::new(usize::MAX, 0)
}

/// Takes what a message says of its channel, apart from notes.
fn set_up(channels: &mut MidiInterpreter, message: Message) {
    if !matches!(message, Message::To(_, ChannelMessage::NoteOn(..) | ChannelMessage::NoteOff(_))) {
        drop(channels.handle(MidiSource::default(), message));
    }
}

/// Returns the tick of a frame, to the nearest.
fn tick(at: Frames, from: Frames, rate: Hz, ticks_per_beat: u32) -> u64 {
    let frames = u128::from(at.get().saturating_sub(from.get()));
    let (ticks, rate) = (u128::from(ticks_per_beat * BEATS), u128::from(rate.get()));
    u64::try_from((frames * ticks + rate / 2) / rate).unwrap_or(u64::MAX)
}

/// The messages of a file, as they are found.
struct TakeTrack {
    /// The tick that it is.
    at: u64,
    messages: Vec<(u64, MidiChannel, ChannelMessage)>,
    /// How the channels are set up.
    channels: MidiInterpreter,
    /// The sound that is chosen on the screen.
    chosen: usize,
    /// Channels that notes of ports come through, and how many notes are held on each key.
    used: BTreeSet<MidiChannel>,
    held: BTreeMap<(MidiChannel, Key), usize>,
    /// The channel of the screen's notes, the sound that it has and the notes that sound.
    own: MidiChannel,
    own_sound: Option<usize>,
    own_notes: BTreeMap<u64, Key>,
}

impl TakeTrack {
    fn new(channels: MidiInterpreter, chosen: usize, events: &[(Frames, TakeEvent)]) -> Self {
        let used: BTreeSet<MidiChannel> = events
            .iter()
            .filter_map(|(_, what)| match what {
                TakeEvent::Message(Message::To(channel, ChannelMessage::NoteOn(..))) => Some(*channel),
                _ => None,
            })
            .collect();
        let free = MidiChannel::all().find(|channel| *channel != MidiChannel::KIT && !used.contains(channel));
        // Hardly ever are all of them used; the notes are right then, and perhaps not their sounds.
        let own = free.or_else(|| MidiChannel::all().last()).unwrap_or(MidiChannel::KIT);
        let mut track = Self {
            at: 0,
            messages: Vec::new(),
            channels,
            chosen,
            used,
            held: BTreeMap::new(),
            own,
            own_sound: None,
            own_notes: BTreeMap::new(),
        };
        track.set_up(&untouched());
        track.choose(chosen);
        // As sounds were before they were turned.
        let mut seen = BTreeSet::new();
        for (_, what) in events {
            if let TakeEvent::Turned(sound, parameter, [before, _]) = *what
                && seen.insert((sound, parameter))
            {
                track.turn(sound, parameter, before);
            }
        }
        track
    }

    /// Sets a parameter of a sound, through the channel of the screen's notes.
    fn turn(&mut self, sound: usize, parameter: Parameter, value: u8) {
        self.own_program(sound);
        self.push(self.own, ChannelMessage::Control(Control::Other(parameter.controller()), value));
    }

    /// Gives the channel of the screen's notes a sound, unless it has it.
    fn own_program(&mut self, sound: usize) {
        if self.own_sound.replace(sound) != Some(sound) {
            self.program(self.own, sound);
        }
    }

    fn push(&mut self, channel: MidiChannel, action: ChannelMessage) {
        self.messages.push((self.at, channel, action));
    }

    fn play(&mut self, what: TakeEvent) {
        match what {
            TakeEvent::Message(message) => self.message(message),
            TakeEvent::NoteOn(number, sound, key, velocity) => {
                self.own_program(sound);
                self.own_notes.insert(number, key);
                self.push(self.own, ChannelMessage::NoteOn(key, velocity));
            }
            TakeEvent::NoteOff(number) => {
                if let Some(key) = self.own_notes.remove(&number) {
                    self.push(self.own, ChannelMessage::NoteOff(key));
                }
            }
            TakeEvent::Chosen(sound) => self.choose(sound),
            TakeEvent::Turned(sound, parameter, [_, value]) => self.turn(sound, parameter, value),
            TakeEvent::Unplugged => self.unplug(),
            TakeEvent::AllOff => {
                self.end_own();
                self.held.clear();
                for channel in self.used.clone() {
                    self.push(channel, ChannelMessage::Control(Control::AllSoundOff, 0));
                }
            }
        }
    }

    fn message(&mut self, message: Message) {
        let before = self.channels.clone();
        set_up(&mut self.channels, message);
        let Message::To(channel, action) = message else {
            self.end_held();
            self.set_up(&before);
            return self.choose(self.chosen);
        };
        if !self.used.contains(&channel) {
            return;
        }
        match action {
            ChannelMessage::NoteOn(key, _) => *self.held.entry((channel, key)).or_default() += 1,
            ChannelMessage::NoteOff(key) => match self.held.get_mut(&(channel, key)) {
                Some(count @ 1..) => *count -= 1,
                // It began before.
                _ => return,
            },
            ChannelMessage::Program(_) => {
                let sound = self.channels.program(channel);
                return sound.into_iter().for_each(|sound| self.program(channel, sound));
            }
            // A program change is written with its bank.
            ChannelMessage::Control(Control::BankUpper | Control::BankLower, _) => return,
            ChannelMessage::Bend(_) | ChannelMessage::Control(..) => {}
        }
        self.push(channel, action);
    }

    /// Writes how the channels are set up, where that was otherwise.
    fn set_up(&mut self, before: &MidiInterpreter) {
        for channel in self.used.clone() {
            let setup = self.channels.setup(channel, before);
            setup.into_iter().for_each(|action| self.push(channel, action));
        }
    }

    /// Changes the sound of the channels that no program change has given one.
    fn choose(&mut self, sound: usize) {
        self.chosen = sound;
        for channel in self.used.clone() {
            if self.channels.program(channel).is_none() {
                self.program(channel, sound);
            }
        }
    }

    fn program(&mut self, channel: MidiChannel, sound: usize) {
        MidiInterpreter::program_change(sound).into_iter().for_each(|action| self.push(channel, action));
    }

    fn unplug(&mut self) {
        self.end_held();
        let before = self.channels.clone();
        drop(self.channels.release_all());
        self.set_up(&before);
    }

    fn end_held(&mut self) {
        for ((channel, key), count) in std::mem::take(&mut self.held) {
            (0..count).for_each(|_| self.push(channel, ChannelMessage::NoteOff(key)));
        }
    }

    fn end_own(&mut self) {
        for key in std::mem::take(&mut self.own_notes).into_values() {
            self.push(self.own, ChannelMessage::NoteOff(key));
        }
    }

    fn file(self, ticks: u32) -> Vec<u8> {
        let mut events = vec![
            event(0, MetaMessage::TrackName(b"usampler")),
            event(0, MetaMessage::Tempo(u24::new(MICROSECONDS_PER_BEAT))),
        ];
        let mut now = 0;
        for (at, channel, action) in self.messages {
            let delta = pause(&mut events, at.saturating_sub(now));
            now = now.max(at);
            let channel = u4::new(channel.get() - 1);
            events.push(TrackEvent { delta, kind: TrackEventKind::Midi { channel, message: midi(action) } });
        }
        let delta = pause(&mut events, self.at.saturating_sub(now));
        events.push(TrackEvent { delta, kind: TrackEventKind::Meta(MetaMessage::EndOfTrack) });
        let ticks = u15::new(u16::try_from(ticks).unwrap_or(u16::MAX >> 1));
        let header = Header::new(Format::SingleTrack, Timing::Metrical(ticks));
        let mut bytes = Vec::new();
        // Memory takes all of it; a track of more than 4 GiB there is none.
        drop(Smf { header, tracks: vec![events] }.write_std(&mut bytes));
        bytes
    }
}

const fn event(delta: u32, message: MetaMessage<'static>) -> TrackEvent<'static> {
    TrackEvent { delta: u28::new(delta), kind: TrackEventKind::Meta(message) }
}

/// Adds events without a meaning as long as a time is longer than the format has room for; returns the rest of it.
fn pause(events: &mut Vec<TrackEvent<'static>>, mut ticks: u64) -> u28 {
    while ticks > MAX_DELTA {
        events.push(event(u32::from(u28::max_value()), MetaMessage::Text(b"")));
        ticks -= MAX_DELTA;
    }
    u28::new(u32::try_from(ticks).unwrap_or(0))
}

/// Returns the message of an action.
fn midi(action: ChannelMessage) -> MidiMessage {
    match action {
        ChannelMessage::NoteOn(key, velocity) => {
            MidiMessage::NoteOn { key: u7::new(key.get()), vel: u7::new(velocity.get()) }
        }
        ChannelMessage::NoteOff(key) => MidiMessage::NoteOff { key: u7::new(key.get()), vel: u7::new(64) },
        ChannelMessage::Program(program) => MidiMessage::ProgramChange { program: u7::new(program) },
        ChannelMessage::Bend(bend) => MidiMessage::PitchBend { bend: midly::PitchBend::from_int(bend) },
        ChannelMessage::Control(control, value) => {
            MidiMessage::Controller { controller: u7::new(control.number()), value: u7::new(value) }
        }
    }
}

#[cfg(test)]
mod tests;
