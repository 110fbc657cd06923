//! Opens, plays and renders the sounds of Unreal Engine games, sound banks, tracker modules and audio files,
//! and the instruments of SF2 and SFZ banks. This is the library of the program of the same name.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! # fn main() -> Result<(), usampler::Error> {
//! let file = usampler::open("Ambient.uax")?;
//! for sound in file.sounds() {
//!     println!("{}  {}", sound.number(), sound.path());
//! }
//! let wind = file.sound("Wind")?;
//! wind.write_wav("wind.wav")?;
//! wind.play()?;
//! let audio = wind.render(usampler::Note::default(), Duration::from_secs(1))?;
//! println!("{} frames at {} Hz", audio.frames(), audio.rate());
//! # Ok(())
//! # }
//! ```
//!
//! # Opening
//!
//! [`open`] takes the path of a package (`.uax`, `.umx`, `.u`, `.upk`, `.uasset`), a tracker module (MOD, S3M, XM, IT),
//! a sound bank (Wwise, FMOD, CRIWARE), an SF2 or SFZ file, an audio file, a container (`.pak`, `.utoc`), or the folder
//! of a game. [`File::open_with`] takes what is known of it besides: keys of encrypted containers, mappings, values of
//! switches. [`File::from_bytes`] takes bytes in memory. [`demo`] opens the bank that is embedded here, which the
//! examples below play:
//!
//! ```
//! # fn main() -> Result<(), usampler::Error> {
//! let demo = usampler::demo()?;
//! let names: Vec<String> = demo.sounds().map(|sound| sound.path()).collect();
//! assert_eq!(names[..3], ["Drums.Kick", "Drums.Snare", "Drums.HatClosed"]);
//!
//! // By its name, by its path or by its number.
//! assert_eq!(demo.sound("kick")?.number(), 1);
//! assert_eq!(demo.sound("Drums.Kick")?.number(), 1);
//! assert_eq!(demo.sound("#1")?.name(), "Kick");
//!
//! let error = demo.sound("Kik").unwrap_err();
//! assert_eq!(error.kind(), usampler::ErrorKind::NoSuchSound);
//! assert_eq!(error.candidates(), ["Drums.Kick"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Rendering
//!
//! A sound is rendered as one [`Note`]; the default is the key at which it sounds at its own pitch, as loud as it is
//! stored. The result is the same to the bit as that of `usampler render`, on every platform.
//!
//! ```
//! use std::time::Duration;
//! use usampler::{Key, Note};
//!
//! # fn main() -> Result<(), usampler::Error> {
//! let demo = usampler::demo()?;
//! let note = Note { key: Some(Key::C4), ..Note::default() };
//! let audio = demo.sound("Bass")?.render(note, Duration::from_millis(500))?;
//! assert_eq!(audio.rate(), 48_000);
//! // Interleaved: left, right, left, right.
//! assert_eq!(audio.samples().len(), 2 * audio.frames());
//! # Ok(())
//! # }
//! ```
//!
//! # Songs
//!
//! [`File::song`] is the song of a tracker module, or of the only module in a package; [`Sound::song`] that of a module
//! among others. [`Song::render`] renders it, [`Song::write_wav`] writes it, [`Song::play`] plays it.
//!
//! # Errors and limits
//!
//! Every function returns the one [`Error`], whose [`ErrorKind`] says what is to blame. Files are not trusted: damaged
//! ones are errors and no panics, and no count in a file reserves memory by itself. Decoded audio of the whole process
//! takes at most half of the machine's memory, and at most 4 GiB, as for the program without `--memory`; a rendered
//! [`Audio`] fits into what is left of that. [`File::warnings`] lists what could not be read of a file that was opened.
//!
//! # Features
//!
//! `device`, on by default, plays through the audio devices of the system; on Linux it needs the headers of ALSA.
//! Without it, [`Sound::play`] and [`Song::play`] return an error of the kind [`ErrorKind::Device`], and everything
//! else works.
//!
//! # Further
//!
//! This crate is a thin front. The crates below are parts of it, and do everything that the program does:
//!
//! | crate | turns | into |
//! |---|---|---|
//! | [`song`] | – | samples, instruments, patterns, songs: the vocabulary |
//! | [`unreal`] | bytes | containers, packages, objects, properties; and back |
//! | [`tracker`] | MOD, S3M, XM and IT files | patterns, and ticks into commands for voices |
//! | [`soundbank`] | banks of Wwise, FMOD and CRIWARE | media, events, names |
//! | [`importer`] | files, folders, games, bytes | sound files, and their decoded sounds as a song |
//! | [`engine`] | songs and notes | frames, in real time and without locks |
//! | [`exporter`] | songs | WAV, FLAC, SFZ, SF2, IT and XM |
//! | [`player`] | songs, devices, MIDI | performances: live playing, MIDI files, recordings |
//! | [`modkit`] | games | listed, verified, edited and packed files; replaced sounds |
//!
//! [`File::sound_file`] and [`Sound::description`] lead to them.
#![forbid(unsafe_code)]

mod audio;
mod error;
mod file;
mod note;
mod output;
mod replay;
mod sound;

pub use audio::Audio;
pub use error::{Error, ErrorKind};
pub use file::{File, demo, open};
pub use note::Note;
pub use replay::Song;
pub use sound::Sound;

/// The fields of a [`Note`], and the options of devices and songs.
pub use ::song::{Decibels, Key, Pan, Velocity};
pub use player::session::DeviceOptions;
pub use player::song_choice::SongChoice;

/// The sampler: songs and notes to frames.
pub use engine;
/// Writers of instrument files, recordings and modules.
pub use exporter;
/// Readers of everything that has sounds.
pub use importer;
/// Files of games: listed, verified, edited, packed.
pub use modkit;
/// Playing: devices, MIDI, songs, recordings.
pub use player;
/// The vocabulary: samples, instruments, songs.
pub use song;
/// Sound banks of middleware.
pub use soundbank;
/// Tracker modules and their replay.
pub use tracker;
/// Packages and containers of Unreal Engine.
pub use unreal;
