//! A song that is steered while it plays: paused, taken to another row, heard without some of its channels.
//!
//! ```text
//!             play, seek                    feed                     now
//! LiveSong ──────────────► SongPlayer ─────────────► ticks ahead ──────────► the tick that is heard
//!    │                        │ halt: its voices end where the ticks end that were sent
//!    └── pause, seek ─────────┘
//! ```

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use engine::{Controller, Event};
use song::{Frames, Hz};
use tracker::replay::{Replay, ReplayOptions, Score};

use crate::loaded_song::LoadedSong;
use crate::single_note::Playable as _;
use crate::song_player::{PlayedTick, SongOptions, SongPlayer, TickPlace};

/// How far ahead of what is heard the engine is fed: some frames of a screen that is drawn between.
const AHEAD: Duration = Duration::from_millis(120);
/// How long notes ring out after the last row.
const TAIL: Duration = Duration::from_secs(2);

/// A tick as it is heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeardTick {
    /// The engine's frame at which it begins.
    pub at: Frames,
    /// Where it stands.
    pub place: TickPlace,
    /// When the song comes to it first, in seconds, as fast as it says.
    pub seconds: f64,
    /// What sounds on each channel.
    pub channels: Vec<HeardChannel>,
}

/// What sounds on a channel in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeardChannel {
    /// Of its loudest voice, 0..=1, its envelopes included.
    pub volume: f32,
    /// The module's instrument of that voice, from 0; none where nothing sounds.
    pub instrument: Option<usize>,
}

impl HeardTick {
    fn new(tick: &PlayedTick<'_>, channels: usize) -> Self {
        let mut heard = vec![HeardChannel::default(); channels];
        tick.replay.voices(|voice| {
            if let Some(channel) = heard.get_mut(voice.channel)
                && (channel.instrument.is_none() || channel.volume < voice.sound.volume)
            {
                *channel = HeardChannel { volume: voice.sound.volume, instrument: Some(voice.instrument) };
            }
        });
        let seconds = tick.replay.song_time();
        Self { at: tick.at, place: tick.tick, seconds, channels: heard }
    }
}

/// A song that plays, or is paused at one of its rows.
pub struct LiveSong {
    loaded: LoadedSong,
    seed: u64,
    rate: Hz,
    playing: Option<SongPlayer<'static>>,
    /// One that was halted, until the engine has the ends of its voices.
    halted: Option<SongPlayer<'static>>,
    muted: Vec<bool>,
    tempo_factor: f64,
    gain: f32,
    separation: f32,
    loops_pattern: bool,
    /// The order that it begins with: that of one of the songs of its module.
    first_order: usize,
    /// Whether the song never comes to the row that it was sent to.
    is_astray: bool,
    /// Ticks that were sent to the engine, and the way they come.
    ahead: VecDeque<HeardTick>,
    sent: (Sender<HeardTick>, Receiver<HeardTick>),
    heard: HeardTick,
}

impl LiveSong {
    /// Creates a song that is paused at its first row.
    #[must_use]
    pub fn new(loaded: LoadedSong, rate: Hz, seed: u64) -> Self {
        let module = loaded.score.module();
        let channels = module.channels.len();
        let (speed, tempo) = (u32::from(module.globals.speed), u32::from(module.globals.tempo));
        let place = TickPlace { speed, tempo, ..TickPlace::default() };
        Self {
            seed,
            rate,
            playing: None,
            halted: None,
            muted: vec![false; channels],
            tempo_factor: 1.0,
            gain: 1.0,
            separation: 1.0,
            loops_pattern: false,
            first_order: 0,
            is_astray: false,
            ahead: VecDeque::new(),
            sent: unbounded(),
            heard: HeardTick {
                place,
                channels: vec![HeardChannel::default(); channels],
                ..HeardTick::default()
            },
            loaded,
        }
    }

    /// Returns its module.
    #[must_use]
    pub const fn score(&self) -> &Arc<Score> {
        &self.loaded.score
    }

    /// Returns the tick that is heard, or where it is paused.
    #[must_use]
    pub const fn heard(&self) -> &HeardTick {
        &self.heard
    }

    /// Returns whether it plays.
    #[must_use]
    pub const fn is_playing(&self) -> bool {
        self.playing.is_some()
    }

    /// Returns whether it is paused, and the engine has the ends of all its voices.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.playing.is_none() && self.halted.is_none()
    }

    /// Returns how many of its voices sound, or are about to.
    #[must_use]
    pub fn voices(&self) -> usize {
        let players = [&self.playing, &self.halted].into_iter().flatten();
        players.map(SongPlayer::sounding).sum()
    }

    /// Plays on from where it is paused.
    pub fn play(&mut self, controller: &mut Controller) {
        if self.playing.is_none() {
            let (replay, at) = (self.replay(), self.soon(controller));
            self.begin(controller, replay, at);
        }
    }

    /// Pauses; what sounds of it ends.
    pub fn pause(&mut self) {
        self.halt();
        self.heard.channels.fill(HeardChannel::default());
    }

    /// Goes some seconds further, or back, playing or paused as it is; to the row that plays then.
    pub fn seek_by(&mut self, controller: &mut Controller, seconds: f64) {
        let mut replay = self.at_start();
        replay.seek_seconds((self.heard.seconds + seconds).max(0.0));
        self.is_astray = false;
        self.resume(controller, replay);
    }

    /// Goes to a row, playing or paused as it is.
    pub fn seek(&mut self, controller: &mut Controller, order: usize, row: usize) {
        let mut replay = self.at_start();
        let is_start = (order, row) == (self.first_order, 0);
        if !is_start {
            replay.seek(order, row);
        }
        // One that the song comes to has a time.
        self.is_astray = !is_start && replay.song_time() == 0.0;
        self.resume(controller, replay);
    }

    /// Goes to the beginning of another song of the module, by the order it begins with, playing or paused as it is.
    pub fn choose_subsong(&mut self, controller: &mut Controller, order: usize) {
        self.first_order = order;
        self.seek(controller, order, 0);
    }

    /// Goes on with a song that was sent to a row.
    fn resume(&mut self, controller: &mut Controller, replay: Replay) {
        (self.heard.place.order, self.heard.place.row) = replay.position();
        (self.heard.place.tick, self.heard.seconds) = (0, replay.song_time());
        if let Some(at) = self.halt() {
            // After the last row, the last tick ended some time ago.
            let at = at.get().max(self.soon(controller).get());
            self.begin(controller, replay, Frames::new(at));
        }
    }

    /// Returns the frame at which what begins now can be heard.
    fn soon(&self, controller: &Controller) -> Frames {
        Frames::new(controller.now().get() + Frames::lasting(AHEAD / 4, self.rate).get())
    }

    /// Forgets what it has sent: all that sounded was silenced. It is paused.
    pub fn silenced(&mut self) {
        (self.playing, self.halted) = (None, None);
        self.ahead.clear();
        self.heard.channels.fill(HeardChannel::default());
    }

    /// Silences a channel, or no longer.
    pub fn set_muted(&mut self, channel: usize, is_muted: bool) {
        if let Some(place) = self.muted.get_mut(channel) {
            *place = is_muted;
        }
        if let Some(player) = &mut self.playing {
            player.set_muted(channel, is_muted);
        }
    }

    /// Multiplies the level of all its voices; 1 as it is stored.
    pub fn set_gain(&mut self, gain: f32) {
        self.gain = gain;
        if let Some(player) = &mut self.playing {
            player.set_gain(gain);
        }
    }

    /// Sets how far left and right are apart; 1 as it is stored, 0 mono.
    pub fn set_separation(&mut self, separation: f32) {
        self.separation = separation;
        if let Some(player) = &mut self.playing {
            player.set_separation(separation);
        }
    }

    /// Plays faster or slower than the song says; 1 as it says.
    pub const fn set_tempo_factor(&mut self, factor: f64) {
        self.tempo_factor = factor;
        if let Some(player) = &mut self.playing {
            player.set_tempo_factor(factor);
        }
    }

    /// Repeats the pattern that is heard, or no longer.
    pub fn loop_pattern(&mut self, loops: bool) {
        self.loops_pattern = loops;
        if let Some(player) = &mut self.playing {
            player.loop_pattern(loops);
        }
    }

    /// Takes notice of what the engine reports.
    pub fn handle_event(&mut self, event: &Event) {
        for player in [&mut self.playing, &mut self.halted].into_iter().flatten() {
            player.handle_event(event);
        }
    }

    /// Feeds the engine, and finds the tick that is heard; to be called at least ten times a second. Returns whether
    /// the song has come to its end just now: then it is paused at its beginning.
    pub fn poll(&mut self, controller: &mut Controller, rate: Hz) -> bool {
        let now = controller.now();
        if std::mem::replace(&mut self.rate, rate) != rate
            && let Some(player) = &mut self.playing
        {
            player.set_rate(now, rate);
        }
        let until = Frames::new(now.get() + Frames::lasting(AHEAD, rate).get());
        if let Some(halted) = &mut self.halted {
            // Their ends are due when the last tick ends that was sent, wherever that is.
            halted.feed(controller, Frames::new(u64::MAX));
        }
        self.halted.take_if(|halted| halted.is_sent() && halted.sounding() == 0);
        let waits = self.halted.as_ref().is_some_and(|halted| !halted.is_sent());
        let Some(player) = self.playing.as_mut().filter(|_| !waits) else { return false };
        player.feed(controller, until);
        self.ahead.extend(self.sent.1.try_iter());
        let begun = self.ahead.iter().take_while(|tick| tick.at <= now).count();
        if let Some(tick) = self.ahead.drain(..begun).next_back() {
            self.heard = tick;
        }
        if player.end(now).is_none() {
            return false;
        }
        self.silenced();
        self.seek(controller, self.first_order, 0);
        true
    }

    /// Ends what plays; returns from which frame on nothing of it sounds.
    fn halt(&mut self) -> Option<Frames> {
        let mut player = self.playing.take()?;
        let end = player.halt();
        // While the ends of an earlier one were not sent yet, nothing of this one was.
        if self.halted.as_ref().is_none_or(SongPlayer::is_sent) {
            self.halted = Some(player);
        }
        self.ahead.clear();
        let _ = self.sent.1.try_iter().count();
        Some(end)
    }

    /// Returns the song of the module that plays before its first row.
    fn at_start(&self) -> Replay {
        let options = ReplayOptions { order: self.first_order, loops: Some(0), seed: self.seed };
        Replay::new(Arc::clone(&self.loaded.score), options)
    }

    /// Returns the song before the row that is heard.
    fn replay(&self) -> Replay {
        let TickPlace { order, row, .. } = self.heard.place;
        let mut replay = self.at_start();
        if self.is_astray {
            replay.seek(order, row);
        } else if self.heard.seconds > 0.0 {
            replay.seek_seconds(self.heard.seconds);
        }
        replay
    }

    /// Begins at a frame, with a song before the row that is heard.
    fn begin(&mut self, controller: &mut Controller, mut replay: Replay, at: Frames) {
        replay.set_tempo_factor(self.tempo_factor);
        replay.loop_pattern(self.loops_pattern);
        let options = SongOptions {
            tail: TAIL,
            most: None,
            separation: self.separation,
            muted: self.muted.clone(),
            rate: self.rate,
        };
        let (sender, channels) = (self.sent.0.clone(), self.muted.len());
        let watch = Box::new(move |tick: &PlayedTick<'_>| {
            // Its other end lives as long as the player.
            let _ = sender.send(HeardTick::new(tick, channels));
        });
        let mut player = self.loaded.player(controller, replay, options, at).watched(watch);
        player.set_gain(self.gain);
        self.playing = Some(player);
    }
}

#[cfg(test)]
mod tests;
