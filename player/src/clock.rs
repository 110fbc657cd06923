//! The time that has passed: of the system, or where a program cannot ask for it, of whoever runs it.

#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;

#[cfg(target_family = "wasm")]
pub(crate) use host::Instant;
#[cfg(target_family = "wasm")]
pub use host::set_time;

/// Returns a number that differs from one start of the program to the next, for choices at random.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos() as u64)
}

/// Returns a number that differs from one start of the program to the next, for choices at random.
#[cfg(target_family = "wasm")]
pub(crate) fn seed() -> u64 {
    Instant::now().since_epoch().as_nanos() as u64
}

#[cfg(target_family = "wasm")]
mod host {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    static MICROS: AtomicU64 = AtomicU64::new(0);

    /// Sets the time: since any point, but always the same. To be called before whatever takes note of time.
    pub fn set_time(time: Duration) {
        MICROS.store(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// A point of time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Self {
            Self(Duration::from_micros(MICROS.load(Ordering::Relaxed)))
        }

        pub(crate) fn elapsed(self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }

        pub(super) const fn since_epoch(self) -> Duration {
            self.0
        }
    }

    impl std::ops::Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }
}
