//! Opening anything: what a path is, and all that belongs to it.
//!
//! ```text
//! path ──► walk          the packages, modules, games and files of audio below folders
//!      ├─► game          containers and loose packages, mounted as the engine would
//!      ├─► archive       a gzip or zip file with one file in it
//!      ├─► bank_folder   sound banks of middleware, and what belongs to them
//!      └─► audio_folder  files of audio below a folder
//! files    the disk, or bytes in memory by their paths
//! ```

mod archive;
mod audio_folder;
mod bank_folder;
pub mod files;
mod game;
mod keys;
mod named_game;
mod opened_file;
mod stream;
pub mod walk;

pub use audio_folder::AudioFolder;
pub use bank_folder::BankFolder;
#[cfg(any(unix, windows))]
pub use files::Disk;
pub use files::{FileType, Files, MemoryFiles};
pub use game::{GameBanks, GameError, GameMount, LeftOut, SetAside, unread_reason};
pub use keys::{KeyError, add_key, add_keys, bank_key, cri_key};
pub use named_game::NamedGame;
#[cfg(any(unix, windows))]
pub use opened_file::open;
pub use opened_file::{OpenError, OpenOptions, OpenedFile, ProbedFile};
pub use stream::read_stream;
pub use walk::Walk;
