//! The song that plays beside the keys, as its screen shows it.

#[cfg(test)]
pub mod example;

use std::sync::Arc;

use player::live::{ListedSong, StartedSong};
use player::live_song::HeardTick;
use player::playlist::PlaylistPosition;
use player::{Score, Subsong};
use song::module::{Cell, Instrument, Module, Order, Pattern, Sample};
use song::{Decibels, Key};

/// By how much a meter falls from one frame of the screen to the next.
const FALL: f32 = 0.88;

/// A song and where it is.
#[derive(Clone, Debug)]
pub struct SongView {
    /// What is played.
    pub score: Arc<Score>,
    /// As the list shows it.
    pub song: ListedSong,
    /// The songs of its module, and the one that plays, by index.
    pub subsongs: Vec<Subsong>,
    /// See [`subsongs`](Self::subsongs).
    pub subsong: usize,
    /// Index of the first sound of its package.
    pub first_sound: usize,
    /// What is heard of it.
    pub heard: HeardTick,
    /// Whether it plays.
    pub is_playing: bool,
    /// Whether its pattern is repeated.
    pub loops_pattern: bool,
    /// How fast it is, in percent of what it says.
    pub tempo: u16,
    /// How loud it is.
    pub volume: Decibels,
    /// How far left and right are apart, in percent of what it says.
    pub separation: u8,
    /// The channels that ever play, by index; all if none does.
    pub used: Vec<usize>,
    /// Channels that are silent.
    pub muted: Vec<bool>,
    /// The channel that is marked.
    pub channel: usize,
    /// What the meters of the channels show, 0..=1.
    pub levels: Vec<f32>,
    /// Where it stands among the songs of a folder.
    pub list: PlaylistPosition,
}

/// Songs are the same if they are the same in memory.
impl PartialEq for SongView {
    fn eq(&self, other: &Self) -> bool {
        let state = |view: &Self| (view.is_playing, view.loops_pattern, view.tempo, view.channel, view.list);
        Arc::ptr_eq(&self.score, &other.score)
            && state(self) == state(other)
            && self.heard == other.heard
            && (self.volume, self.separation, self.subsong) == (other.volume, other.separation, other.subsong)
            && self.muted == other.muted
    }
}

impl SongView {
    /// Returns the song before it begins.
    #[must_use]
    pub fn new(started: StartedSong) -> Self {
        let StartedSong { score, song, subsongs, first_sound, position, tempo, volume, separation, .. } =
            started;
        let channels = score.module().channels.len();
        let used = used_channels(score.module());
        Self {
            song,
            subsongs,
            subsong: 0,
            volume,
            separation,
            score,
            first_sound,
            heard: HeardTick::default(),
            is_playing: false,
            loops_pattern: false,
            tempo,
            muted: vec![false; channels],
            channel: used.first().copied().unwrap_or(0),
            levels: vec![0.0; channels],
            list: position,
            used,
        }
    }

    /// Marks the channel so many further among those that play, or back.
    pub fn step_channel(&mut self, by: isize) {
        let at = self.used.iter().position(|channel| *channel == self.channel).unwrap_or(0);
        let wanted = at.saturating_add_signed(by).min(self.used.len().saturating_sub(1));
        self.channel = self.used.get(wanted).copied().unwrap_or(0);
    }

    /// Returns what a list calls one of its names: the sample that it plays, if it has none of its own.
    #[must_use]
    pub fn name(&self, index: usize) -> &str {
        let names = self.names();
        let own = names.get(index).copied().unwrap_or_default();
        if !own.trim().is_empty() {
            return own;
        }
        let module = self.module();
        let first = module.instruments.get(index).and_then(|instrument| {
            // The key in the middle is what most instruments are made for.
            let middle = instrument.keys.get(Key::C4).sample.map(usize::from);
            module.samples.get(middle?)
        });
        first.map_or("", |sample| sample.name.as_str())
    }

    /// Returns the song of the module that plays; none without a pattern.
    #[must_use]
    pub fn playing_subsong(&self) -> Option<Subsong> {
        self.subsongs.get(self.subsong).copied().or(self.song.length)
    }

    /// Returns how long it is, in seconds; 0 without a pattern.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.playing_subsong().map_or(0.0, |song| song.seconds)
    }

    /// Returns its module.
    #[must_use]
    pub fn module(&self) -> &Module {
        self.score.module()
    }

    /// Returns which channel alone is heard, if it is one.
    #[must_use]
    pub fn solo(&self) -> Option<usize> {
        let mut heard = self.muted.iter().enumerate().filter(|(_, muted)| !**muted);
        let (channel, _) = heard.next()?;
        (heard.next().is_none() && self.muted.len() > 1).then_some(channel)
    }

    /// Returns what its cells name, by index: its instruments, or samples where it has none.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let module = self.module();
        if module.instruments.is_empty() {
            return module.samples.iter().map(|sample: &Sample| sample.name.as_str()).collect();
        }
        module.instruments.iter().map(|instrument: &Instrument| instrument.name.as_str()).collect()
    }

    /// Returns the index of the sound that one of its names stands for.
    #[must_use]
    pub fn sound_of(&self, name: usize) -> usize {
        let module = self.module();
        // Samples come before instruments.
        let before = if module.instruments.is_empty() { 0 } else { module.samples.len() };
        self.first_sound + before + name
    }

    /// Returns whether one of its names sounds.
    #[must_use]
    pub fn is_sounding(&self, name: usize) -> bool {
        let channels = self.heard.channels.iter();
        channels.clone().any(|channel| channel.instrument == Some(name) && channel.volume > 0.0)
    }

    /// Returns the rows of an order; none if it has no pattern.
    #[must_use]
    pub fn rows(&self, order: usize) -> Option<usize> {
        let module = self.module();
        match module.orders.get(order)? {
            Order::Pattern(number) => module.patterns.get(usize::from(*number)).map(Pattern::rows),
            Order::Skip | Order::End => None,
        }
    }

    /// Returns the order with a pattern that is so many further or back; the last of them where there are not so many.
    #[must_use]
    pub fn order_after(&self, by: isize) -> usize {
        let (mut at, mut left) = (self.heard.place.order, by.unsigned_abs());
        let mut next = at;
        while left > 0 {
            let Some(step) = next.checked_add_signed(by.signum()) else { break };
            if step >= self.module().orders.len() {
                break;
            }
            next = step;
            if self.rows(next).is_some() {
                (at, left) = (next, left - 1);
            }
        }
        at
    }

    /// Returns the row so many further or back, across orders.
    #[must_use]
    pub fn row_after(&self, by: isize) -> (usize, usize) {
        let place = self.heard.place;
        let rows = self.rows(place.order).unwrap_or(1).cast_signed();
        let row = place.row.cast_signed() + by;
        if row >= rows {
            let next = self.order_after(1);
            return if next == place.order { (next, rows.cast_unsigned() - 1) } else { (next, 0) };
        }
        if row < 0 {
            let before = self.order_after(-1);
            let last = self.rows(before).unwrap_or(1) - 1;
            return if before == place.order { (before, 0) } else { (before, last) };
        }
        (place.order, row.cast_unsigned())
    }

    /// Takes what is heard of it.
    pub fn hear(&mut self, heard: HeardTick, is_playing: bool) {
        for (level, channel) in self.levels.iter_mut().zip(&heard.channels) {
            *level = level.max(channel.volume);
        }
        (self.heard, self.is_playing) = (heard, is_playing);
    }

    /// Lets the meters fall to what is heard.
    pub fn fall(&mut self) {
        for (level, channel) in self.levels.iter_mut().zip(&self.heard.channels) {
            *level = (*level * FALL).max(channel.volume);
            if *level < 0.01 {
                *level = 0.0;
            }
        }
    }
}

/// Returns the channels that any cell of a pattern uses, by index; all if none is.
fn used_channels(module: &Module) -> Vec<usize> {
    let channels = module.channels.len();
    let rows = module.patterns.iter().flat_map(|pattern| pattern.cells().chunks(channels.max(1)));
    let mut is_used = vec![false; channels];
    for row in rows {
        for (used, cell) in is_used.iter_mut().zip(row) {
            *used |= *cell != Cell::default();
        }
    }
    let used: Vec<usize> = (0..channels).filter(|channel| is_used[*channel]).collect();
    if used.is_empty() { (0..channels).collect() } else { used }
}
