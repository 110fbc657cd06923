use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::message::{Action, NoteId};

/// Orders that wait for their frame: earlier frames first, and those of one frame in the order they were sent.
///
/// Its room is fixed. While it is full, what comes after waits in the ring, and the control side learns of it when the
/// ring is full too.
#[derive(Debug)]
pub(crate) struct Schedule {
    entries: BinaryHeap<ScheduledCommand>,
    room: usize,
}

/// A command that waits.
#[derive(Debug)]
pub(crate) struct ScheduledCommand {
    /// The frame at which it applies.
    pub(crate) at: u64,
    /// Which command it was, counted from 0 in the order they were sent.
    pub(crate) sequence: u64,
    pub(crate) action: Action,
}

impl Schedule {
    /// # Real-time
    /// Never: takes all its memory.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(crate) fn new(room: usize) -> Self {
        Self { entries: BinaryHeap::with_capacity(room), room }
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= self.room
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// # Errors
    /// The entry, if it is full.
    ///
    /// # Real-time
    /// Safe.
    #[expect(clippy::disallowed_methods, reason = "there is room, so nothing grows")]
    pub(crate) fn insert(&mut self, entry: ScheduledCommand) -> Result<(), ScheduledCommand> {
        if self.is_full() {
            return Err(entry);
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Returns the frame of the next entry.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn next_at(&self) -> Option<u64> {
        self.entries.peek().map(|entry| entry.at)
    }

    /// Takes the next entry if its frame has come.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn take_due(&mut self, now: u64) -> Option<ScheduledCommand> {
        if self.next_at()? <= now { self.entries.pop() } else { None }
    }

    /// Keeps the entries for which the answer is yes.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&ScheduledCommand) -> bool) {
        self.entries.retain(keep);
    }
}

impl ScheduledCommand {
    const fn order(&self) -> (u64, u64) {
        (self.at, self.sequence)
    }

    /// Returns the note it begins, if it does.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn starts(&self) -> Option<NoteId> {
        match &self.action {
            Action::Start(start) => Some(start.note),
            Action::StartDriven(start) => Some(start.note),
            Action::StartFm(start) => Some(start.note),
            _ => None,
        }
    }

    /// Returns whether it is about notes, and so is dropped when they are.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn is_of_notes(&self) -> bool {
        match self.action {
            Action::Start(_)
            | Action::StartDriven(_)
            | Action::StartFm(_)
            | Action::Change(..)
            | Action::Alter(..)
            | Action::Replace(..)
            | Action::Release(_)
            | Action::Withdraw(_)
            | Action::ReleaseAll => true,
            Action::Gain(_)
            | Action::Set(..)
            | Action::Polyphony(_)
            | Action::Reverb(_)
            | Action::Delay(_) => false,
        }
    }
}

/// The heap gives its greatest first, so the earlier entry is the greater.
impl Ord for ScheduledCommand {
    fn cmp(&self, other: &Self) -> Ordering {
        other.order().cmp(&self.order())
    }
}

impl PartialOrd for ScheduledCommand {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ScheduledCommand {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl Eq for ScheduledCommand {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_come_out_by_frame_and_then_as_they_were_sent() {
        let mut schedule = Schedule::new(4);
        for (sent, at) in [(0, 5), (1, 3), (2, 5), (3, 9)] {
            schedule.insert(ScheduledCommand { at, sequence: sent, action: Action::ReleaseAll }).unwrap();
        }
        let due: Vec<_> = std::iter::from_fn(|| schedule.take_due(5)).map(|entry| entry.sequence).collect();
        assert_eq!((due, schedule.next_at()), (vec![1, 0, 2], Some(9)));
    }

    #[test]
    fn a_full_schedule_gives_the_order_back() {
        let mut schedule = Schedule::new(1);
        let entry = |sent| ScheduledCommand { at: 0, sequence: sent, action: Action::ReleaseAll };
        assert!(schedule.insert(entry(0)).is_ok());
        assert_eq!(schedule.insert(entry(1)).unwrap_err().sequence, 1);
    }
}
