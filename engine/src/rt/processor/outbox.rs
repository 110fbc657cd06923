use std::sync::Arc;

use ringbuf::HeapProd;
use ringbuf::traits::Producer;
use song::Frames;

use crate::message::{Event, NoteId};
use crate::rt::schedule::ScheduledCommand;
use crate::shared_state::SharedState;

/// Events on their way to the control side.
pub(super) struct Outbox {
    pub(super) ring: HeapProd<Event>,
    pub(super) shared: Arc<SharedState>,
}

fn send(ring: &mut HeapProd<Event>, shared: &SharedState, event: Event) {
    if ring.try_push(event).is_err() {
        shared.lose_event();
    }
}

impl Outbox {
    pub(super) fn send(&mut self, event: Event) {
        send(&mut self.ring, &self.shared, event);
    }

    /// Reports a voice that could not begin.
    pub(super) fn refuse(&mut self, note: NoteId, at: Frames) {
        let Self { ring, shared } = self;
        shared.refuse(|| send(ring, shared, Event::Refused { note, at }));
    }

    pub(super) fn ended(&mut self, note: NoteId, at: u64) {
        self.send(Event::Ended { note, at: Frames::new(at) });
    }

    /// Reports a voice that will never begin, if it was one.
    pub(super) fn report_dropped(&mut self, entry: &ScheduledCommand, now: u64) {
        if let Some(note) = entry.starts() {
            self.ended(note, now);
        }
    }
}
