//! Plays songs on devices: everything between a song and its listener that is no screen and no command line.
//!
//! ```text
//! session ──► engine, song, bank, device      what all playing begins with
//! library                                     sounds of packages, decoded when they are needed
//! single_note, midi/,
//! song_player ──► engine::Controller          what is played: one note, a MIDI file, MIDI ports, a tracker's song
//! live_song, playlist                         a song that is steered while it plays, and which comes next
//! pause                                       a pause of what an engine plays, without a click
//! listening                                   a song or a sound played to its end, with a listener's keys
//! live                                        all of it at once: what a front end plays live, and what it shows of it
//! extract                                     sounds of packages as files, and instrument files of them
//! filter, sound_order, text, sound_table      which sounds a search finds, how they are sorted and described
//! keyboard, strips, voicing, parameter        the computer's keys, how a sound is adjusted, and what can be turned
//! room                                        the reverb and the delay that sounds send to, and the gain of all
//! playback                                    the processor on a device, and on the next one
//! recorder, saved_sounds                      what was played, or sounds as they are adjusted, as files
//! saved_instrument                            sounds of several files as one instrument
//! render_file, song_choice, song_trace        what is rendered, as a file, and the ticks of a song as lines
//! adjustments, adjusted                       what was adjusted, from one session to the next, and in files
//! bench, devices                              what rendering costs, and what there is to play on
//! user_file, user_store                       files of the user: the room, learned controllers; where they are
//! background, clock                           threads and time, also where a program has neither
//! memory, demo                                the memory that all files share; a package for who has none
//! ```
#![forbid(unsafe_code)]

pub mod adjusted;
pub mod adjustments;
pub mod background;
pub mod bench;
pub mod clock;
pub mod demo;
pub mod devices;
mod error;
pub mod extract;
pub mod filter;
pub mod game_remarks;
pub mod keyboard;
pub mod library;
pub mod listening;
pub mod live;
pub mod live_song;
mod loaded_song;
pub mod memory;
pub mod midi;
pub mod pause;
pub mod playback;
pub mod playlist;
pub mod recorder;
pub mod render_file;
pub mod room;
pub mod saved_instrument;
mod saved_sounds;
pub mod session;
pub mod single_note;
pub mod song_choice;
pub mod song_player;
pub mod song_trace;
pub mod song_volume;
pub mod sound_order;
pub mod sound_table;
mod strips;
pub mod text;
pub mod text_table;
mod user_file;
pub mod user_store;
pub mod values;
pub mod voicing;

// What the functions here take and return: whoever uses them needs no other crate for it.
pub use engine::{Quality, Waveform};
pub use error::{Error, ErrorKind};
pub use loaded_song::LoadedSong;
pub use tracker::replay::{Score, Subsong};
