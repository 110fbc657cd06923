//! What becomes of what is played live, for whoever shows it.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::Waveform;
use importer::{SwitchChoice, SwitchValue};
use song::{Decibels, Frames, Hz, Key, Parameter, Voicing};
use tracker::replay::{Score, Subsong};

use super::ListedSong;
use crate::library::Unplayable;
use crate::live_song::HeardTick;
use crate::playlist::PlaylistPosition;
use crate::room::RoomParameter;

/// The front end's own number of a note; the player knows the engine's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteNumber(pub u64);

/// What has happened while playing. `S` is a sound as the front end lists it.
#[derive(Clone, Debug, PartialEq)]
pub enum LiveEvent<S> {
    /// A note has begun, this many frames after the first frame that could still be rendered when it was asked for.
    Began(NoteNumber, Frames),
    /// A note has ended.
    Ended(NoteNumber),
    /// A note could not be played; why.
    Refused(NoteNumber, String),
    /// A note waits for its sound, which is being loaded: the sound's index.
    Loading(usize),
    /// A sound cannot be played: its index, and why.
    Unplayable(usize, Unplayable),
    /// Levels, and the number of voices.
    Meter {
        /// Highest values on the left and right, linear.
        peaks: [f32; 2],
        /// The lowest gain of the limiter, linear.
        limited: f32,
        /// Voices that sound, those of a song among them.
        voices: usize,
    },
    /// What sounds at the moment.
    Sounding {
        /// Positions of the chosen sound's voices in the recording that is shown.
        positions: Vec<Frames>,
        /// Keys that are held through MIDI.
        midi: Vec<Key>,
    },
    /// A waveform that was computed.
    Picture(Picture),
    /// The state of the device.
    Output(OutputStatus),
    /// Another device plays, or the same at another rate.
    Playing {
        /// Name of the device.
        device: String,
        /// Frames per second.
        rate: Hz,
    },
    /// The devices that can be chosen.
    Devices(Vec<DeviceEntry>),
    /// A package was opened; its sounds come after all others.
    Listed {
        /// Its sounds.
        sounds: Vec<S>,
        /// Adjustments from earlier sessions, by index among all sounds.
        voicings: BTreeMap<usize, Voicing>,
        /// Index among all sounds of the one to start with, if it was asked for.
        chosen: Option<usize>,
        /// Whether it is one of the packages of a folder.
        is_one_of_many: bool,
        /// Switches and states that choose what its events play.
        switches: Vec<SoundSwitch>,
    },
    /// Sounds play what other values of switches and states choose: their indices, and whether each plays anything.
    Switched(Vec<(usize, bool)>),
    /// A MIDI controller has turned a parameter of a sound, by its index: how the sound is voiced now.
    Turned(usize, Parameter, Box<Voicing>),
    /// A MIDI controller has turned a parameter of the room, to a value.
    RoomTurned(RoomParameter, f64),
    /// All packages were opened.
    AllListed,
    /// The take has ended, for whatever reason.
    TakeEnded,
    /// Something the user should know.
    Notice(String),
    /// Something that went wrong.
    Warning(String),
    /// What has become of the song.
    Song(SongEvent),
}

/// A switch or state of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundSwitch {
    /// Index of the first sound of the package.
    pub first: usize,
    /// Its values.
    pub choice: SwitchChoice,
    /// The value that was set while playing, by its index; none leaves events and containers their own.
    pub set: Option<usize>,
}

impl SoundSwitch {
    /// Returns whether it chooses what a sound plays, by the index of that.
    #[must_use]
    pub fn concerns(&self, sound: usize) -> bool {
        let number = sound.checked_sub(self.first).map(|index| index + 1);
        number.is_some_and(|number| self.choice.events.binary_search(&number).is_ok())
    }

    /// Returns the value that was set; none if none was.
    #[must_use]
    pub fn value(&self) -> Option<SwitchValue> {
        let (value, _) = self.choice.values.get(self.set?)?;
        Some(SwitchValue { kind: self.choice.kind, group: self.choice.group, value: *value })
    }
}

/// The waveform of a sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Index of the sound.
    pub sound: usize,
    /// Which of its recordings is shown, from 0.
    pub recording: usize,
    /// Number of its recordings.
    pub recordings: usize,
    /// The waveform of the one that is shown, if there is any.
    pub waveform: Option<Waveform>,
}

/// The state of the audio device.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OutputStatus {
    /// Blocks that came too late.
    pub xruns: u64,
    /// Other errors of the device, and events of the engine that were lost.
    pub errors: u64,
    /// Whether the system refuses to let it run in real time.
    pub denied: bool,
    /// Whether it is gone, and is looked for.
    pub is_gone: bool,
    /// Part of the time that a block may take, 0..=1.
    pub load: f32,
    /// Frames per block.
    pub block: Frames,
    /// Delay of the limiter; zero without one.
    pub limiter: Frames,
}

/// A device that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceEntry {
    /// Its id, as on the command line.
    pub name: String,
    /// Its own name, or why it cannot be used.
    pub about: String,
    /// Whether it plays.
    pub plays: bool,
}

/// What has become of the song.
#[derive(Clone, Debug, PartialEq)]
pub enum SongEvent {
    /// A song was found; it comes after all others in the list.
    Added(Box<ListedSong>),
    /// It begins.
    Started(Box<StartedSong>),
    /// It is being read: its name.
    Loading(String),
    /// What is heard of it, and whether it plays.
    Heard(HeardTick, bool),
    /// Its position in the list of songs has changed.
    Listed(PlaylistPosition),
}

/// A song that begins.
#[derive(Clone, Debug)]
pub struct StartedSong {
    /// What is played.
    pub score: Arc<Score>,
    /// Its index in the list of songs, in the order in which they were found.
    pub index: usize,
    /// As the list shows it.
    pub song: ListedSong,
    /// The songs of its module, of which the first plays; none without a pattern.
    pub subsongs: Vec<Subsong>,
    /// Index of the first sound of its package.
    pub first_sound: usize,
    /// Its position among the songs of a folder.
    pub position: PlaylistPosition,
    /// Its speed, in percent of what it asks for.
    pub tempo: u16,
    /// Its volume.
    pub volume: Decibels,
    /// How far left and right are apart, in percent of what it asks for.
    pub separation: u8,
}

/// Songs are the same if they are the same in memory.
impl PartialEq for StartedSong {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.score, &other.score) && (self.position, self.tempo) == (other.position, other.tempo)
    }
}

impl<S> From<SongEvent> for LiveEvent<S> {
    fn from(event: SongEvent) -> Self {
        Self::Song(event)
    }
}
