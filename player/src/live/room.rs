//! The room that all sounds are played in, live.

use std::time::Duration;

use engine::Controller;

use crate::Error;
use crate::clock::Instant;
use crate::room::{Room, RoomFile};

/// How long nothing is turned before what was turned is written.
const REST: Duration = Duration::from_secs(1);

/// The room, and where it is kept.
pub struct LiveRoom {
    room: Room,
    file: Option<RoomFile>,
    /// Whether the engine was told of it.
    is_applied: bool,
    /// When it was turned and has not been written since.
    touched: Option<Instant>,
}

impl LiveRoom {
    /// Creates a room, which is kept in a file if there is one.
    #[must_use]
    pub const fn new(room: Room, file: Option<RoomFile>) -> Self {
        Self { room, file, is_applied: false, touched: None }
    }

    /// Returns the room.
    pub(super) const fn get(&self) -> Room {
        self.room
    }

    /// Sets how it sounds from here on.
    pub(super) fn set(&mut self, controller: &mut Controller, room: Room) {
        (self.room, self.is_applied, self.touched) = (room, false, Some(Instant::now()));
        self.poll(controller);
    }

    /// Tells the engine what it had no room for.
    pub(super) fn poll(&mut self, controller: &mut Controller) {
        if !self.is_applied {
            self.is_applied = self.room.apply(controller, None);
        }
    }

    /// Writes the room once nothing was turned for a while, or now.
    ///
    /// # Errors
    /// If it cannot be written; that is tried again when it is turned again.
    pub(super) fn save(&mut self, now: bool) -> Result<(), Error> {
        let is_due = self.touched.take_if(|touched| now || touched.elapsed() >= REST).is_some();
        match &self.file {
            Some(file) if is_due => file.save(&self.room),
            _ => Ok(()),
        }
    }
}
