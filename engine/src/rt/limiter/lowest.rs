use super::{UNITY, WINDOW};

/// Gains among which the lowest is sought: one more than are averaged, so that a peak between two frames holds for
/// both.
const SPAN: u64 = WINDOW as u64 + 1;

/// Capacity of the ring, a power of two that holds the span.
const CAPACITY: usize = 64;
const _: () = assert!(CAPACITY as u64 >= SPAN);

/// The sliding minimum of the latest gains.
///
/// It remembers only those that can still become the lowest: each is lower than all before it that it remembers no
/// more, so they stand in rising order, the oldest being the lowest.
#[derive(Debug)]
pub(super) struct SlidingMinimum {
    /// A ring of gains, each with its number in the order they came.
    gains: [(u64, u32); CAPACITY],
    /// Where the oldest is, before [`CAPACITY`] is taken off.
    first: usize,
    count: usize,
    seen: u64,
}

impl SlidingMinimum {
    pub(super) const fn new() -> Self {
        Self { gains: [(0, UNITY); CAPACITY], first: 0, count: 0, seen: 0 }
    }

    /// Returns the lowest, once this one is among them.
    ///
    /// # Real-time
    /// Safe: steps over each gain once, in all.
    pub(super) fn after(&mut self, gain: u32) -> u32 {
        while self.count > 0 && self.at(self.count - 1).1 >= gain {
            self.count -= 1;
        }
        let index = (self.first + self.count) % CAPACITY;
        if let Some(entry) = self.gains.get_mut(index) {
            *entry = (self.seen, gain);
        }
        self.count += 1;
        self.seen += 1;
        let (oldest, _) = self.at(0);
        if oldest + SPAN < self.seen {
            self.first = (self.first + 1) % CAPACITY;
            self.count -= 1;
        }
        self.at(0).1
    }

    fn at(&self, index: usize) -> (u64, u32) {
        self.gains.get((self.first + index) % CAPACITY).copied().unwrap_or((0, UNITY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixtures::signal::Noise;

    #[test]
    fn it_is_the_lowest_of_the_span() {
        let mut noise = Noise::new(3);
        let gains: Vec<u32> =
            (0..2000).map(|_| (f64::from(UNITY) * (0.5 + noise.flat() * 0.4)) as u32).collect();
        let ramps = (0..300).map(|i| 1000 + i).chain((0..300).map(|i| 5000 - i));
        let gains: Vec<u32> = gains.into_iter().chain(ramps).collect();
        let mut lowest = SlidingMinimum::new();
        for end in 1..=gains.len() {
            let span = &gains[end.saturating_sub(SPAN as usize)..end];
            assert_eq!(Some(&lowest.after(gains[end - 1])), span.iter().min());
        }
    }
}
