//! The songs of the packages that are played: which are there, and the one that plays beside the keys.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::SystemTime;

use crossbeam_channel::{Receiver, bounded};
use engine::{Controller, Event};
use player::live_song::LiveSong;
use player::playlist::Playlist;
use player::{LoadedSong, session};
use song::Hz;
use tracker::replay::{Subsong, VoiceId};

use crate::args::ReadingArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::tui::model::replay::{SongPlace, SongView};
use crate::tui::update::Msg;
use crate::tui::update::replay::{SongIntent, SongNews};

/// A package that is a song.
#[derive(Clone, Debug)]
pub struct SongFile {
    /// Where it is.
    pub path: PathBuf,
    /// As the user would name it.
    pub label: String,
    /// Index of its first sound among all.
    pub first_sound: usize,
}

/// A song that was read and how long it is, or why it cannot be.
type Answer = Result<(LoadedSong, Option<Subsong>), Failure>;

/// The songs, and which of them plays.
pub struct Songs {
    reading: ReadingArgs,
    seed: u64,
    files: Vec<SongFile>,
    list: Playlist,
    /// The song that is being read, by its index.
    loading: Option<(usize, Receiver<Answer>)>,
    live: Option<LiveSong>,
    /// Songs before it, until the engine has the ends of their voices.
    leaving: Vec<LiveSong>,
    /// What the screen is to know at its next frame.
    news: Vec<Msg>,
    /// As the screen has set it: what the next song is played like.
    tempo: u16,
}

impl Songs {
    /// Creates the list of songs, none so far.
    #[must_use]
    pub fn new(reading: ReadingArgs, seed: u64) -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let list = Playlist::new(0, now.map_or(0, |since| since.as_nanos() as u64));
        Self {
            reading,
            seed,
            files: Vec::new(),
            list,
            loading: None,
            live: None,
            leaving: Vec::new(),
            news: Vec::new(),
            tempo: 100,
        }
    }

    /// Adds a song; `plays` says whether it is to begin at once.
    pub fn add(&mut self, file: SongFile, plays: bool) {
        self.files.push(file);
        self.list.push();
        if plays {
            self.load();
        } else if self.live.is_some() {
            self.news.push(SongNews::Listed(self.place()).into());
        }
    }

    /// Returns how many voices of a song sound.
    #[must_use]
    pub fn voices(&self) -> usize {
        self.live.iter().chain(&self.leaving).map(LiveSong::voices).sum()
    }

    /// Returns how many voices a song may need, if there is one.
    #[must_use]
    pub const fn polyphony(&self) -> usize {
        if self.live.is_some() { VoiceId::MAX } else { 0 }
    }

    /// Takes notice of what the engine reports.
    pub fn handle_event(&mut self, event: &Event) {
        self.live.iter_mut().chain(&mut self.leaving).for_each(|song| song.handle_event(event));
    }

    /// Forgets what has sounded of the song: all was silenced.
    pub fn silenced(&mut self) {
        self.leaving.clear();
        if let Some(live) = &mut self.live {
            live.silenced();
        }
    }

    fn place(&self) -> SongPlace {
        SongPlace { place: self.list.place(), count: self.list.len(), is_shuffled: self.list.is_shuffled() }
    }

    /// Reads the present song, on a thread of its own.
    fn load(&mut self) {
        let song = self.list.song();
        let Some((index, file)) = song.and_then(|index| Some((index, self.files.get(index)?))) else {
            return self.news.push(Msg::Warning("there is no song here".to_owned()));
        };
        let (sender, answer) = bounded(1);
        let (path, reading) = (file.path.clone(), self.reading.clone());
        let work = move || {
            // Who asked may want another one by now.
            let _ = sender.send(open(&path, &reading));
        };
        self.news.push(match thread::Builder::new().name("song".into()).spawn(work) {
            Ok(_) => SongNews::Loading(file.label.clone()).into(),
            Err(error) => Msg::Warning(format!("cannot start a thread to read a song: {error}")),
        });
        self.loading = Some((index, answer));
    }

    /// Feeds the engine, and collects what the screen shows of the song.
    /// `polyphony` is how many voices hands may play.
    pub fn poll(&mut self, controller: &mut Controller, rate: Hz, polyphony: usize, messages: &mut Vec<Msg>) {
        let answer =
            self.loading.as_ref().and_then(|(index, answer)| Some((*index, answer.try_recv().ok()?)));
        if let Some((index, answer)) = answer {
            self.loading = None;
            match answer {
                Ok((loaded, length)) => {
                    let silent = loaded.silent_samples();
                    self.begin(index, loaded, length, controller, rate);
                    self.news.extend(silent.map(Msg::Warning));
                    if let Err(full) = controller.set_polyphony(polyphony + self.polyphony(), None) {
                        self.news.push(Msg::Warning(full.to_string()));
                    }
                }
                Err(failure) => self.news.push(Msg::Warning(failure.message)),
            }
        }
        messages.append(&mut self.news);
        self.leaving.retain_mut(|song| {
            song.poll(controller, rate);
            !song.is_settled()
        });
        let Some(live) = &mut self.live else { return };
        let is_over = live.poll(controller, rate);
        messages.push(SongNews::Heard(live.heard().clone(), live.is_playing()).into());
        // The list ends with its last song.
        if is_over && self.list.len() > 1 && !self.list.advance() {
            self.load();
        }
    }

    /// Plays a song that was read, from its beginning.
    fn begin(
        &mut self,
        index: usize,
        loaded: LoadedSong,
        length: Option<Subsong>,
        controller: &mut Controller,
        rate: Hz,
    ) {
        let Some(file) = self.files.get(index) else { return };
        let title = match loaded.score.module().title.trim() {
            "" => file.label.clone(),
            title => title.to_owned(),
        };
        if let Some(mut before) = self.live.take() {
            before.pause();
            self.leaving.push(before);
        }
        let mut live = LiveSong::new(loaded, rate, self.seed);
        live.set_tempo_factor(f64::from(self.tempo) / 100.0);
        live.play(controller);
        let view = SongView::new(live.score().clone(), title, length, file.first_sound, self.place());
        self.live = Some(live);
        self.news.push(SongNews::Loaded(Box::new(SongView { tempo: self.tempo, ..view })).into());
    }

    /// Steers the song.
    pub fn execute(&mut self, intent: SongIntent, controller: &mut Controller) {
        match (intent, &mut self.live) {
            (SongIntent::Next(by), live) => {
                // Before the first song comes the first song.
                if live.is_some() || self.loading.is_some() {
                    self.list.step(by);
                }
                self.load();
            }
            (SongIntent::Shuffle(is_shuffled), _) => {
                self.list.set_shuffled(is_shuffled);
                self.news.push(SongNews::Listed(self.place()).into());
            }
            (SongIntent::Play(true), None) => self.load(),
            (SongIntent::Play(true), Some(live)) => live.play(controller),
            (SongIntent::Play(false), Some(live)) => live.pause(),
            (SongIntent::Seek { order, row }, Some(live)) => live.seek(controller, order, row),
            (SongIntent::LoopPattern(loops), Some(live)) => live.loop_pattern(loops),
            (SongIntent::Mute { channel, is_muted }, Some(live)) => live.set_muted(channel, is_muted),
            (SongIntent::Tempo(percent), live) => {
                self.tempo = percent;
                if let Some(live) = live {
                    live.set_tempo_factor(f64::from(percent) / 100.0);
                }
            }
            (_, None) => {}
        }
    }
}

fn open(path: &Path, reading: &ReadingArgs) -> Answer {
    let input = Input::open(path, reading)?;
    let package = input.to_play()?;
    if package.module().is_none() {
        return Err(Failure::new(Exit::Unreadable, format!("no song in {}", path.display())));
    }
    let loaded = LoadedSong::new(session::import(&package, |_| true, &mut |_| {})?)?;
    let length = tracker::replay::subsongs(&loaded.score).first().copied();
    Ok((loaded, length))
}
