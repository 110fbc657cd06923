//! Turns Unreal packages and tracker modules into songs: finds the sounds, recognises what their bytes are, decodes
//! what can be decoded, and says of everything else why not.
//!
//! ```text
//! Source ─► SoundFile ─┬─ sounds    what each sound is: found and described, nothing decoded yet
//!                      ├─ payload   a sound's bytes as stored
//!                      ├─ sample    a sound decoded
//!                      ├─ music     the module in a Music export, as if it were a file
//!                      └─ import ─► Imported { songs, report }
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used,
    )
)]

mod assemble;
mod audio_file;
pub mod budget;
mod codec;
pub mod collection;
mod error;
mod find;
mod format;
mod level;
pub mod open;
mod parallel;
mod payload_reader;
pub mod probe;
mod reason;
#[cfg(any(unix, windows))]
mod regular_file;
mod report;
mod sound;
mod sound_file;
mod stored_voicing;

pub use assemble::{ImportProgress, Imported};
pub use audio_file::AudioFile;
pub use budget::{Budget, DecodeBudget, HeldMemory, SharedBudget};
pub use codec::{Codec, VorbisStream};
pub use collection::audio_files::NameParts;
pub use collection::saved_instrument::{SavedInstrument, SavedZone};
pub use collection::sound_bank::{
    BankClass, BankId, BankOptions, BankRow, SoundBanks, SwitchChoice, SwitchValue,
};
pub use collection::{BankError, Collection};
pub use error::{Damage, Error};
pub use find::game::{BankInPackage, GameOptions, UnreadPackages};
pub use format::Format;
#[cfg(any(unix, windows))]
pub use open::open;
pub use parallel::for_each;
pub use probe::{FileKind, GameFileKind};
pub use reason::{ChannelLimit, DamageReason, EmptyReason, Status, UnsupportedReason, VoiceFileReason};
#[cfg(any(unix, windows))]
pub use regular_file::{read_regular_file, read_regular_text};
pub use report::{Remark, Report};
pub use sound::{Audio, Contents, Sound, SoundClass, StoredRecording};
pub use sound_file::{DecodedSound, ImportOptions, SoundFile};
pub use soundbank::BranchKind;
pub use stored_voicing::StoredVoicing;
pub use unreal::is_guarded;
pub use unreal::ue1to3::class::sound_node_wave::Platform;
