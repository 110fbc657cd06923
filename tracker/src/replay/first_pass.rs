//! When a song plays its orders for the first time.

/// The time of a song without what it repeats: a pattern that is held, or all of it.
#[derive(Clone, Debug)]
pub(super) struct FirstPass {
    /// Seconds of the song at which each order begins; none before it was played.
    begun: Vec<Option<f64>>,
    /// Seconds that repeats have taken so far.
    repeated: f64,
}

impl FirstPass {
    /// Begins a song of so many orders.
    pub(super) fn new(orders: usize) -> Self {
        Self { begun: vec![None; orders], repeated: 0.0 }
    }

    /// Takes note of a tick of an order, after `elapsed` seconds. One that begins a repeat is as late as its order was.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn begin(&mut self, order: usize, elapsed: f64, is_again: bool) {
        match self.begun.get_mut(order) {
            Some(Some(begun)) if is_again => self.repeated = elapsed - *begun,
            Some(begun @ None) => *begun = Some(elapsed - self.repeated),
            _ => {}
        }
    }

    /// Returns the time of the song after `elapsed` seconds.
    pub(super) const fn time(&self, elapsed: f64) -> f64 {
        elapsed - self.repeated
    }
}
