//! The songs of the packages that are played, and the one that plays beside the keys.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use engine::{Controller, Event};
use importer::Budget;
use song::{Decibels, Hz};
use tracker::ModuleFile;
use tracker::replay::{Subsong, VoiceId, first_subsong_of, subsongs};

use super::{LiveEvent, SongEvent, StartedSong};
use crate::LoadedSong;
use crate::live_song::LiveSong;
use crate::playlist::Playlist;
use crate::text;
use crate::{background, clock};

/// Reads a song, or says why it cannot be read. It is called on another thread.
pub type ReadSong = Arc<dyn Fn(&Path) -> Result<LoadedSong, String> + Send + Sync>;

/// What is to be done with the song.
#[derive(Clone, Debug, PartialEq)]
pub enum SongCommand {
    /// Play it from its position, or pause it.
    Play(bool),
    /// Go to a row.
    Seek {
        /// The order, from 0.
        order: usize,
        /// The row, from 0.
        row: usize,
    },
    /// Go to the beginning of another song of its module: the order it begins with, from 0.
    Subsong(usize),
    /// Go this many seconds further; negative: back.
    SeekBy(f64),
    /// Repeat its pattern, or no longer.
    LoopPattern(bool),
    /// Mute a channel, or unmute it.
    Mute {
        /// From 0.
        channel: usize,
        /// Whether it is silent.
        is_muted: bool,
    },
    /// Set its speed, in percent of what it asks for.
    Tempo(u16),
    /// Set its volume; 0 dB as it is stored.
    Volume(Decibels),
    /// Set how far left and right are apart, in percent; 100 as it is stored.
    Separation(u8),
    /// Play a song of the list, by its index there, from its beginning.
    Begin(usize),
    /// Play the songs of the list in this order from now on, by their indices.
    Arrange(Vec<usize>),
    /// Play the next song of the folder, or one this many further; negative: back.
    Next(isize),
    /// Play the songs of the folder in random order, or in their own.
    Shuffle(bool),
}

/// A package that is a song, as a list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedSong {
    /// Its path.
    pub path: PathBuf,
    /// Its file, without folders.
    pub file: String,
    /// Its title; empty if it has none.
    pub title: String,
    /// The program that wrote it.
    pub writer: String,
    /// Its format: `xm`.
    pub format: &'static str,
    /// How long its first song is; none without a pattern.
    pub length: Option<Subsong>,
}

impl ListedSong {
    /// Describes the song of a module, which is followed for its length without its recordings.
    #[must_use]
    pub fn new(path: &Path, module: &ModuleFile) -> Self {
        let file = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let summary = module.raw.summary();
        Self {
            path: path.to_owned(),
            file,
            title: summary.title.trim().to_owned(),
            format: text::format_of(&summary),
            writer: summary.writer,
            length: first_subsong_of(module, Budget::CELLS),
        }
    }

    /// Returns its title, or its file if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.title.is_empty() { &self.file } else { &self.title }
    }
}

/// A song of the list, and the index of its first sound among all.
#[derive(Clone, Debug)]
struct SongFile {
    song: ListedSong,
    first_sound: usize,
}

/// A song that was read, or why it cannot be.
type SongReadResult = Result<(LoadedSong, Vec<Subsong>), String>;

/// The songs, and which of them plays.
pub struct Songs {
    read: ReadSong,
    seed: u64,
    files: Vec<SongFile>,
    list: Playlist,
    /// The song that is being read, by its index.
    loading: Option<(usize, Receiver<SongReadResult>)>,
    live: Option<LiveSong>,
    /// Songs before it, until the engine has the ends of their voices.
    leaving: Vec<LiveSong>,
    /// What has happened since the last poll.
    news: Vec<SongNews>,
    /// Speed in percent, also of the next song.
    tempo: u16,
    /// Volume, also of the next song.
    volume: Decibels,
    /// How far left and right are apart in percent, also in the next song.
    separation: u8,
}

impl Songs {
    /// Creates the list of songs, none so far.
    #[must_use]
    pub fn new(read: ReadSong, seed: u64) -> Self {
        let list = Playlist::new(0, clock::seed());
        Self {
            read,
            seed,
            files: Vec::new(),
            list,
            loading: None,
            live: None,
            leaving: Vec::new(),
            news: Vec::new(),
            tempo: 100,
            volume: Decibels::UNITY,
            separation: 100,
        }
    }

    /// Adds a song whose first sound has an index among all; `plays` says whether it is to begin at once.
    pub(super) fn add(&mut self, song: ListedSong, first_sound: usize, plays: bool) {
        self.files.push(SongFile { song, first_sound });
        self.list.push();
        if plays {
            self.load();
        } else if self.live.is_some() {
            self.news.push(SongNews::Event(SongEvent::Listed(self.list.position())));
        }
    }

    /// Returns how many voices a song may need, if there is one.
    #[must_use]
    pub(super) const fn polyphony(&self) -> usize {
        if self.live.is_some() { VoiceId::MAX } else { 0 }
    }

    /// Takes notice of what the engine reports.
    pub(super) fn handle_event(&mut self, event: &Event) {
        self.live.iter_mut().chain(&mut self.leaving).for_each(|song| song.handle_event(event));
    }

    /// Forgets what has sounded of the song: all was silenced. One that plays goes on.
    pub(super) fn silenced(&mut self, controller: &mut Controller) {
        self.leaving.clear();
        if let Some(live) = &mut self.live {
            let plays = live.is_playing();
            live.silenced();
            if plays {
                live.play(controller);
            }
        }
    }

    /// Reads the present song, on another thread.
    fn load(&mut self) {
        let song = self.list.song();
        let Some((index, file)) = song.and_then(|index| Some((index, self.files.get(index)?))) else {
            return self.news.push(SongNews::Warning("there is no song here".to_owned()));
        };
        let (sender, answer) = bounded(1);
        let (path, read) = (file.song.path.clone(), Arc::clone(&self.read));
        let work = move || {
            // Who asked may want another one by now.
            let _ = sender.send(read(&path).map(|loaded| {
                let subsongs = subsongs(&loaded.score);
                (loaded, subsongs)
            }));
        };
        self.news.push(match background::run("song", work) {
            Ok(_) => {
                self.loading = Some((index, answer));
                SongNews::Event(SongEvent::Loading(file.song.file.clone()))
            }
            Err(error) => SongNews::Warning(format!("cannot start a thread to read a song: {error}")),
        });
    }

    /// Feeds the engine, and collects what is to be shown of the song. `polyphony` is how many voices hands may play.
    pub(super) fn poll<S>(
        &mut self,
        controller: &mut Controller,
        rate: Hz,
        polyphony: usize,
        events: &mut Vec<LiveEvent<S>>,
    ) {
        let answer = self.loading.as_ref().and_then(|(index, answer)| match answer.try_recv() {
            Ok(answer) => Some((*index, answer)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some((*index, Err("reading the song failed".to_owned()))),
        });
        if let Some((index, answer)) = answer {
            self.loading = None;
            match answer {
                Ok(loaded) => {
                    self.begin(index, loaded, controller, rate);
                    if let Err(full) = controller.set_polyphony(polyphony + self.polyphony(), None) {
                        self.news.push(SongNews::Warning(full.to_string()));
                    }
                }
                Err(reason) => self.news.push(SongNews::Warning(reason)),
            }
        }
        events.extend(self.news.drain(..).map(LiveEvent::from));
        self.leaving.retain_mut(|song| {
            song.poll(controller, rate);
            !song.is_settled()
        });
        let Some(live) = &mut self.live else { return };
        let is_over = live.poll(controller, rate);
        events.push(SongEvent::Heard(live.heard().clone(), live.is_playing()).into());
        // The list ends with its last song.
        if is_over && self.list.len() > 1 && !self.list.advance() {
            self.load();
        }
    }

    /// Plays a song that was read, from its beginning.
    fn begin(
        &mut self,
        index: usize,
        (loaded, subsongs): (LoadedSong, Vec<Subsong>),
        controller: &mut Controller,
        rate: Hz,
    ) {
        let Some(file) = self.files.get(index) else { return };
        if let Some(mut before) = self.live.take() {
            before.pause();
            self.leaving.push(before);
        }
        let mut live = LiveSong::new(loaded, rate, self.seed);
        live.set_tempo_factor(f64::from(self.tempo) / 100.0);
        live.set_gain(self.volume.gain());
        live.set_separation(f32::from(self.separation) / 100.0);
        live.play(controller);
        let started = StartedSong {
            score: live.score().clone(),
            index,
            song: file.song.clone(),
            subsongs,
            first_sound: file.first_sound,
            position: self.list.position(),
            tempo: self.tempo,
            volume: self.volume,
            separation: self.separation,
        };
        self.live = Some(live);
        self.news.push(SongNews::Event(SongEvent::Started(Box::new(started))));
    }

    /// Steers the song.
    pub(super) fn steer(&mut self, command: SongCommand, controller: &mut Controller) {
        match (command, &mut self.live) {
            (SongCommand::Next(by), live) => {
                // Before the first song comes the first song.
                if live.is_some() || self.loading.is_some() {
                    self.list.step(by);
                }
                self.load();
            }
            (SongCommand::Shuffle(is_shuffled), _) => {
                self.list.set_shuffled(is_shuffled);
                self.news.push(SongNews::Event(SongEvent::Listed(self.list.position())));
            }
            (SongCommand::Begin(index), _) => {
                self.list.choose(index);
                self.load();
                self.news.push(SongNews::Event(SongEvent::Listed(self.list.position())));
            }
            (SongCommand::Arrange(order), _) => {
                self.list.arrange(&order);
                self.news.push(SongNews::Event(SongEvent::Listed(self.list.position())));
            }
            (SongCommand::Volume(volume), live) => {
                self.volume = volume;
                if let Some(live) = live {
                    live.set_gain(volume.gain());
                }
            }
            (SongCommand::Separation(percent), live) => {
                self.separation = percent;
                if let Some(live) = live {
                    live.set_separation(f32::from(percent) / 100.0);
                }
            }
            (SongCommand::Play(true), None) => self.load(),
            (SongCommand::Play(true), Some(live)) => live.play(controller),
            (SongCommand::Play(false), Some(live)) => live.pause(),
            (SongCommand::Seek { order, row }, Some(live)) => live.seek(controller, order, row),
            (SongCommand::Subsong(order), Some(live)) => live.choose_subsong(controller, order),
            (SongCommand::SeekBy(seconds), Some(live)) => live.seek_by(controller, seconds),
            (SongCommand::LoopPattern(loops), Some(live)) => live.loop_pattern(loops),
            (SongCommand::Mute { channel, is_muted }, Some(live)) => live.set_muted(channel, is_muted),
            (SongCommand::Tempo(percent), live) => {
                self.tempo = percent;
                if let Some(live) = live {
                    live.set_tempo_factor(f64::from(percent) / 100.0);
                }
            }
            (_, None) => {}
        }
    }
}

/// What has happened to the songs since the last poll.
enum SongNews {
    Event(SongEvent),
    Warning(String),
}

impl<S> From<SongNews> for LiveEvent<S> {
    fn from(news: SongNews) -> Self {
        match news {
            SongNews::Event(event) => event.into(),
            SongNews::Warning(what) => Self::Warning(what),
        }
    }
}
