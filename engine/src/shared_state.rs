use crate::atomic::{AtomicU64, Ordering};

/// Numbers both halves look at. None of them orders any other memory, so all are relaxed; but
/// [`SharedState::cancelled_before`].
#[derive(Debug, Default)]
pub(crate) struct SharedState {
    now: AtomicU64,
    lost_events: AtomicU64,
    refused: AtomicU64,
    cancelled_before: AtomicU64,
    paused: AtomicU64,
}

impl SharedState {
    /// Returns whether nothing is to be rendered for now.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed) != 0
    }

    pub(crate) fn set_paused(&self, paused: bool) {
        self.paused.store(paused.into(), Ordering::Relaxed);
    }

    /// Returns the first frame not yet rendered.
    pub(crate) fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn set_now(&self, frame: u64) {
        self.now.store(frame, Ordering::Relaxed);
    }

    /// Returns the number of events for which the queue had no room.
    pub(crate) fn lost_events(&self) -> u64 {
        self.lost_events.load(Ordering::Relaxed)
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn lose_event(&self) {
        self.lost_events.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of voices that could not begin.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Counts a voice that could not begin, and then has that reported: whoever hears of it finds it counted.
    ///
    /// # Real-time
    /// Safe, if reporting is.
    pub(crate) fn refuse(&self, report: impl FnOnce()) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        report();
    }

    /// Returns the sequence number before which every command is void; whatever those began is to be silenced. It
    /// stands outside the queue so that silence can always be had. Who sees it also sees the commands below it in the
    /// queue.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn cancelled_before(&self) -> u64 {
        self.cancelled_before.load(Ordering::Acquire)
    }

    /// Makes every command void that was sent so far.
    pub(crate) fn cancel_before(&self, sent: u64) {
        self.cancelled_before.store(sent, Ordering::Release);
    }
}
