//! What a stream's callback owns.

use ringbuf::HeapCons;
use ringbuf::traits::Consumer;

use crate::device::Lease;

/// A lease, once it has come through a one-slot ring: so a stream that could not be built has never had it.
pub(crate) struct Tenant {
    leases: HeapCons<Lease>,
    lease: Option<Lease>,
}

impl Tenant {
    /// Without a lease yet.
    pub(crate) const fn new(leases: HeapCons<Lease>) -> Self {
        Self { leases, lease: None }
    }

    /// The lease, if it has come.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn lease(&mut self) -> Option<&mut Lease> {
        if self.lease.is_none() {
            self.lease = self.leases.try_pop();
        }
        self.lease.as_mut()
    }
}
