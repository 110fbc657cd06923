//! Reads sound banks of audio middleware: media, events, names. Decodes no audio, and believes no file.
//!
//! ```text
//! BankFile ─┬─► wwise  .bnk .wem .pck ─┬─► Project { media, events }
//!           ├─► fmod   .bank .fsb     ─┤     event ─► PlayNode: a tree whose leaves are media
//!           └─► cri    .acb .awb      ─┘
//! ```
//!
//! A bank lists only its own items; what an event plays may lie in another bank or beside it. The files of a folder
//! are therefore read together, as a [`Project`].
//!
//! Whatever the bytes are, reading them ends in a value or an [`Error`] that says where and why, never in a panic, and
//! takes no more memory than [`unreal::Limits`] allow.
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
        clippy::unwrap_used
    )
)]

pub mod cri;
mod error;
pub mod fmod;
mod play;
mod project;
mod reader;
pub mod wwise;

/// Bytes of a file that tell its kind.
pub const HEAD: usize = 12;

/// Returns the extension that files with these first [`HEAD`] bytes have: `bnk`, `pck`, `wem`, `acb` or `awb`; none of
/// others.
#[must_use]
pub fn extension_of_head(head: &[u8]) -> Option<&'static str> {
    wwise::extension_of_head(head).or_else(|| cri::extension_of_head(head))
}

pub use error::{Error, ErrorKind};
pub use play::{BranchKind, PlayKind, PlayNode, PlayParams, Varied};
pub use project::{
    BankFile, BankItems, Event, EventId, Media, MediaBytes, MediaId, Project, StatedHeader, StreamKind,
    SwitchGroup,
};
