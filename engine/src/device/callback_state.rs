//! What a stream's callback owns.

use ringbuf::HeapCons;
use ringbuf::traits::Consumer;

use crate::device::ProcessorGuard;

/// A guard, once it has come through a one-slot ring: so a stream that could not be built has never had it.
pub(crate) struct CallbackState {
    guards: HeapCons<ProcessorGuard>,
    guard: Option<ProcessorGuard>,
}

impl CallbackState {
    /// Without a guard yet.
    pub(crate) const fn new(guards: HeapCons<ProcessorGuard>) -> Self {
        Self { guards, guard: None }
    }

    /// Returns the guard, if it has come.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn guard(&mut self) -> Option<&mut ProcessorGuard> {
        if self.guard.is_none() {
            self.guard = self.guards.try_pop();
        }
        self.guard.as_mut()
    }
}
