use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use importer::SoundFile;
use player::listening::{NOTE_TAIL, PlainPerformance, first_frame};
use player::render_file::NoteRendering;
use player::session::{self, DecodedSong, DeviceOptions, EngineOptions};
use player::single_note::{self, NotePlan, SingleNote};

use crate::output::FileContext;
use crate::{Audio, Error, ErrorKind, Note, Song};

/// A sound of a [`File`](crate::File). It is decoded each time it is rendered or played.
#[derive(Clone, Copy)]
pub struct Sound<'f> {
    file: &'f SoundFile,
    context: &'f Arc<FileContext>,
    sound: &'f importer::Sound,
}

impl<'f> Sound<'f> {
    pub(crate) const fn new(
        file: &'f SoundFile,
        context: &'f Arc<FileContext>,
        sound: &'f importer::Sound,
    ) -> Self {
        Self { file, context, sound }
    }

    /// Returns its number, counted from 1.
    #[must_use]
    pub const fn number(self) -> usize {
        self.sound.number
    }

    /// Returns its name, without groups.
    #[must_use]
    pub fn name(self) -> &'f str {
        &self.sound.object.name
    }

    /// Returns its name with the groups that it is in: `Group.Name`, or `/Game/Folder/Name`.
    #[must_use]
    pub fn path(self) -> String {
        self.sound.path()
    }

    /// Returns how long it lasts at its own pitch, once; none if that is not known without decoding it.
    #[must_use]
    pub fn duration(self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.sound.seconds()?).ok()
    }

    /// Returns whether it can be rendered and played.
    #[must_use]
    pub fn is_playable(self) -> bool {
        self.sound.is_playable()
    }

    /// Returns all that is known of it: its codec, rate, channels and loops, its status, what a bank says of it.
    #[must_use]
    pub const fn description(self) -> &'f importer::Sound {
        self.sound
    }

    /// Renders a note of it at 48 kHz in stereo, to its end. A looped sound is held for `hold`, and then released.
    ///
    /// # Errors
    /// [`ErrorKind::NotPlayable`] if it cannot be decoded, or not be played at this key; [`ErrorKind::OverLimit`] if
    /// the sound or the result takes more memory than is allowed.
    pub fn render(self, note: Note, hold: Duration) -> Result<Audio, Error> {
        let DecodedSong { song, held: _held, .. } = self.decode()?;
        let (options, rendering) = (note.options(hold), self.context.options());
        let rendering = NoteRendering::begin(song, self.sound, options, Note::TAIL, &rendering);
        let NoteRendering { mut note, mut controller, mut processor } =
            rendering.map_err(|error| self.failed(&error))?;
        self.context.collect(&mut note, &mut controller, &mut processor)
    }

    /// Writes it as a WAV file of 16 bits, stereo at 48 kHz, as `usampler render` does: the default [`Note`], held for
    /// [`Note::HOLD`]. What is at the path is replaced, unless it is a file that is read. Of other notes,
    /// [`Audio::write_wav`] makes a file.
    ///
    /// # Errors
    /// As [`Sound::render`], and [`ErrorKind::Output`] if the file cannot be written.
    pub fn write_wav(self, path: impl AsRef<Path>) -> Result<(), Error> {
        let DecodedSong { song, held: _held, .. } = self.decode()?;
        let options = Note::default().options(Note::HOLD);
        let path = path.as_ref();
        self.context.write_wav(path, |file| file.add(song, self.sound, options, Note::TAIL, |_| Ok(())))
    }

    /// Plays it through the system's audio device, and returns when it is over: the default [`Note`], held for
    /// [`Note::HOLD`].
    ///
    /// # Errors
    /// As [`Sound::render`], and [`ErrorKind::Device`] if no device answers.
    pub fn play(self) -> Result<(), Error> {
        self.play_on(Note::default(), Note::HOLD, &DeviceOptions::default())
    }

    /// Plays a note of it through a device, and returns when it is over. The device `null` is silent and always there.
    ///
    /// # Errors
    /// As [`Sound::play`].
    ///
    /// ```
    /// use std::time::Duration;
    /// use usampler::{DeviceOptions, Note};
    ///
    /// # fn main() -> Result<(), usampler::Error> {
    /// let silent = DeviceOptions { device: Some("null".to_owned()), ..DeviceOptions::default() };
    /// usampler::demo()?.sound("Kick")?.play_on(Note::default(), Duration::ZERO, &silent)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn play_on(self, note: Note, hold: Duration, device: &DeviceOptions) -> Result<(), Error> {
        let failed = |error| self.failed(&error);
        let DecodedSong { song, held: _held, .. } = self.decode()?;
        let voices = single_note::voices(&song, self.sound);
        let (mut controller, processor) =
            session::engine(EngineOptions::default(), voices, true).map_err(failed)?;
        let bank = session::bank(song).map_err(failed)?;
        controller.load(Arc::clone(&bank));
        let mut playback = session::start(processor, device).map_err(failed)?;
        let (options, rate) = (note.options(hold), playback.rate());
        let plan = NotePlan { bank: &bank, sound: self.sound, options, tail: NOTE_TAIL, rate };
        let first = first_frame(&controller, &playback);
        let mut note = SingleNote::begin(&mut controller, &plan, first).map_err(failed)?;
        let mut act = PlainPerformance { playable: &mut note, first, length: None, room: None };
        self.context.play(&mut act, &mut controller, &mut playback)
    }

    /// Returns the song of a tracker module in a package.
    ///
    /// # Errors
    /// [`ErrorKind::NoSong`] if it is no module; as [`File::song`](crate::File::song) if it cannot be read.
    pub fn song(self) -> Result<Song, Error> {
        if !self.sound.is_module() {
            let message = format!("{}: {} is no tracker module", self.context.label, self.called());
            return Err(Error::new(ErrorKind::NoSong, message));
        }
        Song::of_module_in(self.file, self.context, self.number())
    }

    fn decode(self) -> Result<DecodedSong, Error> {
        if !self.is_playable() {
            let reason = match self.sound.status.reason() {
                Some(reason) => format!("{}: {reason}", self.sound.status.name()),
                None => "a tracker module, whose song is played".to_owned(),
            };
            let message = format!("{}: {}: {reason}", self.context.label, self.called());
            return Err(Error::new(ErrorKind::NotPlayable, message));
        }
        let number = self.number();
        let decoded = session::import(self.file, |other| other.number == number, &mut |_| {});
        let decoded = decoded.map_err(|error| self.failed(&error))?;
        let checked = session::check_audible(self.sound, &decoded.song, &decoded.report);
        checked.map_err(|error| self.failed(&error))?;
        Ok(decoded)
    }

    fn called(self) -> String {
        format!("#{} {}", self.number(), self.path())
    }

    fn failed(self, error: &player::Error) -> Error {
        Error::of_player(&self.context.label, error)
    }
}

impl fmt::Debug for Sound<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, path) = (self.number(), self.path());
        f.debug_struct("Sound").field("number", &number).field("path", &path).finish_non_exhaustive()
    }
}
