//! Messages between the halves, one after another in a block of bytes.

use std::fmt;

use serde::{Deserialize, Serialize};
use song::{Articulation, Hz, SampleIndex};

use crate::Event;
use crate::bank::{LoopPlan, LoopRegion, Tail};
use crate::message::{Action, Command, DrivenStart, Start};

/// Number of a plane or a bank, never given twice.
pub(super) type Id = u32;

/// A message to the processor.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToProcessor {
    /// A plane begins: as many values, silent until they come.
    Plane { id: Id, width: ValueWidth, values: u32 },
    /// Values of a plane from an index on; as many bytes follow this message.
    Values { id: Id, from: u32, bytes: u32 },
    /// A bank, whose planes have come.
    Bank { id: Id, tracks: Vec<WireTrack>, articulations: Vec<Articulation> },
    /// A command; its bank has come.
    Command(Command<Id>),
    /// No further bank needs a plane.
    FreePlane(Id),
    /// No further command needs a bank.
    FreeBank(Id),
    /// Commands below a number are void.
    CancelBefore(u64),
    /// Nothing is to be rendered for now, or no longer nothing.
    Pause(bool),
}

/// A message from the processor.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum FromProcessor {
    /// What the controller polls.
    Event(Event),
    /// Numbers both halves look at, and how many commands were read.
    State { now: u64, read: u64, lost_events: u64, refused: u64 },
    /// Where voices are, by slot, up to the last one that sounds.
    Voices(Vec<u64>),
    /// Frames for the tap, left and right; eight bytes for each follow this message.
    Frames { frames: u32 },
}

/// What a plane is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ValueWidth {
    I16,
    F32,
}

impl ValueWidth {
    /// Bytes of a value.
    pub(super) const fn bytes(self) -> usize {
        match self {
            Self::I16 => 2,
            Self::F32 => 4,
        }
    }
}

/// A [`PreparedSample`](crate::bank::PreparedSample) whose planes have numbers: of each channel the main and the looped
/// one.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WireTrack {
    pub(super) sample: SampleIndex,
    pub(super) rate: Hz,
    pub(super) first: u32,
    pub(super) length: u32,
    pub(super) loop_region: Option<LoopRegion>,
    pub(super) loop_plan: LoopPlan,
    pub(super) tail: Tail,
    pub(super) release_track: Option<u32>,
    pub(super) channels: Vec<[Id; 2]>,
}

impl<B> Command<B> {
    /// Returns a command with another name of its bank; none if it has none there.
    pub(super) fn with_bank<C>(self, name: impl FnOnce(B) -> Option<C>) -> Option<Command<C>> {
        let action = match self.action {
            Action::Start(start) => Action::Start(Start {
                note: start.note,
                bank: name(start.bank)?,
                track: start.track,
                hz: start.hz,
                left: start.left,
                right: start.right,
                attack: start.attack,
                release: start.release,
                strip: start.strip,
                articulation: start.articulation,
                played: start.played,
                course: start.course,
                interpolation: start.interpolation,
            }),
            Action::StartDriven(start) => Action::StartDriven(DrivenStart {
                note: start.note,
                bank: name(start.bank)?,
                track: start.track,
                from: start.from,
                hz: start.hz,
                left: start.left,
                right: start.right,
                filter: start.filter,
                strip: start.strip,
            }),
            Action::Replace(note, bank, track) => Action::Replace(note, name(bank)?, track),
            Action::StartFm(start) => Action::StartFm(start),
            Action::Change(note, change) => Action::Change(note, change),
            Action::Alter(note, change) => Action::Alter(note, change),
            Action::Release(note) => Action::Release(note),
            Action::Withdraw(note) => Action::Withdraw(note),
            Action::ReleaseAll => Action::ReleaseAll,
            Action::Gain(gain) => Action::Gain(gain),
            Action::Polyphony(voices) => Action::Polyphony(voices),
            Action::Set(strip, params) => Action::Set(strip, params),
            Action::Reverb(setting) => Action::Reverb(setting),
            Action::Delay(setting) => Action::Delay(setting),
        };
        Some(Command { at: self.at, action })
    }
}

/// Bytes that no link or processor of this build has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireError;

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the audio thread and the program are of different builds")
    }
}

impl std::error::Error for WireError {}

/// Appends a message.
pub(super) fn write(message: &impl Serialize, mut out: Vec<u8>) -> Vec<u8> {
    let before = out.len();
    match postcard::to_extend(message, std::mem::take(&mut out)) {
        Ok(written) => written,
        // A vector takes whatever is written, and all messages can be written.
        Err(_) => {
            debug_assert!(false, "a message after {before} bytes cannot be written");
            Vec::new()
        }
    }
}

/// Takes a message from the front of some bytes.
pub(super) fn read<'b, T: Deserialize<'b>>(bytes: &mut &'b [u8]) -> Result<T, WireError> {
    let (message, rest) = postcard::take_from_bytes(bytes).map_err(|_| WireError)?;
    *bytes = rest;
    Ok(message)
}

/// Takes bytes that follow a message.
pub(super) fn following<'b>(bytes: &mut &'b [u8], length: usize) -> Result<&'b [u8], WireError> {
    let (taken, rest) = bytes.split_at_checked(length).ok_or(WireError)?;
    *bytes = rest;
    Ok(taken)
}
