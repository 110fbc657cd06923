use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use engine::{Controller, Processor};
use importer::SoundFile;
use player::LoadedSong;
use player::listening::{SONG_TAIL, SongPerformance, first_frame};
use player::session::{self, DeviceOptions, EngineOptions};
use player::song_choice::{SONG_VOICES, SongChoice};
use player::song_player::SongPlayer;
use song::{Decibels, Frames};

use crate::output::FileContext;
use crate::{Audio, Error, Note};

/// The song of a tracker module, with all its recordings decoded. It needs its [`File`](crate::File) no more.
pub struct Song {
    name: String,
    context: Arc<FileContext>,
    loaded: LoadedSong,
    choice: SongChoice,
}

impl Song {
    /// Decodes all recordings of a module.
    pub(crate) fn load(module: &SoundFile, context: &Arc<FileContext>) -> Result<Self, Error> {
        let loaded = session::import(module, |_| true, &mut |_| {}).and_then(LoadedSong::new);
        let loaded = loaded.map_err(|error| Error::of_player(&context.label, &error))?;
        let (name, choice) = (module.name().to_owned(), SongChoice::default());
        Ok(Self { name, context: Arc::clone(context), loaded, choice })
    }

    /// Opens the module that is a sound of a package.
    pub(crate) fn of_module_in(
        file: &SoundFile,
        context: &Arc<FileContext>,
        number: usize,
    ) -> Result<Self, Error> {
        let module = file.music(number).map_err(|error| Error::of_import(&context.label, &error))?;
        Self::load(&module, context)
    }

    /// Chooses another part of it, its repeats, or its channels. By default, the first song of the module plays from
    /// its beginning until it would repeat itself.
    #[must_use]
    pub fn with_choice(self, choice: SongChoice) -> Self {
        Self { choice, ..self }
    }

    /// Returns the name of its file, or of the object that holds it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how long it plays; none if a part of it or repeats were chosen, or it has no known end.
    #[must_use]
    pub fn duration(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.choice.seconds(&self.loaded.score)?).ok()
    }

    /// Renders it at 48 kHz in stereo to its end, but no more than `most` and the notes that ring out then. An hour
    /// takes 1.4 GB of memory; [`Song::write_wav`] takes none.
    ///
    /// # Errors
    /// [`ErrorKind::Options`](crate::ErrorKind::Options) if a part was chosen that it does not have;
    /// [`ErrorKind::OverLimit`](crate::ErrorKind::OverLimit) if the result does not fit into memory.
    pub fn render(&self, most: Duration) -> Result<Audio, Error> {
        let choice = SongChoice {
            most: Some(self.choice.most.map_or(most, |chosen| chosen.min(most))),
            ..self.choice.clone()
        };
        let (mut controller, mut processor) = self.engine()?;
        let mut player = self.player(&choice, &mut controller)?;
        self.context.collect(&mut player, &mut controller, &mut processor)
    }

    /// Writes it as a WAV file of 16 bits, stereo at 48 kHz, as `usampler render` does. What is at the path is
    /// replaced, unless it is a file that is read.
    ///
    /// # Errors
    /// As [`Song::render`], and [`ErrorKind::Output`](crate::ErrorKind::Output) if the file cannot be written.
    pub fn write_wav(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let (mut controller, mut processor) = self.engine()?;
        let mut player = self.player(&self.choice, &mut controller)?;
        self.context.write_wav(path.as_ref(), |file| {
            file.expect(Frames::lasting(self.choice.least(&self.loaded.score), Processor::DEFAULT_RATE))?;
            file.render(&mut player, &mut controller, &mut processor, |_| Ok(()))
        })
    }

    /// Plays it through the system's audio device, and returns when it is over.
    ///
    /// # Errors
    /// As [`Song::render`], and [`ErrorKind::Device`](crate::ErrorKind::Device) if no device answers.
    pub fn play(&self) -> Result<(), Error> {
        self.play_on(&DeviceOptions::default())
    }

    /// Plays it through a device, and returns when it is over. The device `null` is silent and always there.
    ///
    /// # Errors
    /// As [`Song::play`].
    pub fn play_on(&self, device: &DeviceOptions) -> Result<(), Error> {
        let failed = |error| self.failed(&error);
        let (mut controller, processor) =
            session::engine(EngineOptions::default(), SONG_VOICES, true).map_err(failed)?;
        let mut playback = session::start(processor, device).map_err(failed)?;
        let score = &self.loaded.score;
        let replay = self.choice.replay(score, EngineOptions::default().seed).map_err(failed)?;
        let options = self.choice.options(score, SONG_TAIL, playback.rate()).map_err(failed)?;
        let first = first_frame(&controller, &playback);
        let player = self.loaded.player(&mut controller, replay, options, first);
        let (length, loops) = (self.choice.seconds(score), Some(self.choice.loops.unwrap_or(0)));
        let mut act = SongPerformance::new(player, &self.name, length, Decibels::UNITY, loops);
        self.context.play(&mut act, &mut controller, &mut playback)
    }

    fn engine(&self) -> Result<(Controller, Processor), Error> {
        self.context.options().engine(SONG_VOICES).map_err(|error| self.failed(&error))
    }

    /// Returns what plays it from the first frame of an engine on.
    fn player<'w>(&self, choice: &SongChoice, controller: &mut Controller) -> Result<SongPlayer<'w>, Error> {
        let failed = |error| self.failed(&error);
        let (score, seed) = (&self.loaded.score, EngineOptions::default().seed);
        let options = choice.options(score, Note::TAIL, Processor::DEFAULT_RATE).map_err(failed)?;
        let replay = choice.replay(score, seed).map_err(failed)?;
        Ok(self.loaded.player(controller, replay, options, Frames::ZERO))
    }

    fn failed(&self, error: &player::Error) -> Error {
        Error::of_player(&self.context.label, error)
    }
}

impl fmt::Debug for Song {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Song").field("name", &self.name).field("choice", &self.choice).finish_non_exhaustive()
    }
}
