//! What a stream's callback owns.

use ringbuf::HeapCons;
use ringbuf::traits::Consumer;

use crate::device::ProcessorGuard;

/// A lease, once it has come through a one-slot ring: so a stream that could not be built has never had it.
pub(crate) struct CallbackState {
    leases: HeapCons<ProcessorGuard>,
    lease: Option<ProcessorGuard>,
}

impl CallbackState {
    /// Without a lease yet.
    pub(crate) const fn new(leases: HeapCons<ProcessorGuard>) -> Self {
        Self { leases, lease: None }
    }

    /// Returns the lease, if it has come.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn lease(&mut self) -> Option<&mut ProcessorGuard> {
        if self.lease.is_none() {
            self.lease = self.leases.try_pop();
        }
        self.lease.as_mut()
    }
}
