use super::NONE;

/// How the loudness of a voice in its release decays: on a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decay {
    /// Loudness at a frame.
    pub(crate) from: f64,
    /// What is added with each frame.
    pub(crate) slope: f64,
    /// That frame.
    pub(crate) at: u64,
    /// Of equally loud voices the one that began first comes first.
    pub(crate) started: u64,
}

impl Decay {
    fn loudness(&self, now: u64) -> f64 {
        self.from + self.slope * now.saturating_sub(self.at) as f64
    }

    fn is_before(&self, other: &Self, now: u64) -> bool {
        let (own, others) = (self.loudness(now), other.loudness(now));
        own < others || (own == others && self.started < other.started)
    }

    /// Returns a frame up to which this one is certainly before another, which it is at `now`.
    ///
    /// Certain is what rounding cannot turn round. When matches are played depends on how frames are cut into blocks;
    /// who wins at a frame must not.
    fn before_until(&self, other: &Self, now: u64) -> u64 {
        if self.is_as_loud_for_ever(other) {
            return u64::MAX;
        }
        // Either loudness may be off by so much, now and for each frame more; twice, as both ends of a span are looked
        // at.
        let slopes = self.slope.abs() + other.slope.abs();
        let rounding = 2.0 * f64::EPSILON * (self.terms(now) + other.terms(now));
        let apart = other.loudness(now) - self.loudness(now) - rounding;
        let closing = self.slope - other.slope + 2.0 * f64::EPSILON * slopes;
        if apart <= 0.0 {
            return now.saturating_add(1);
        }
        if closing <= 0.0 {
            return u64::MAX;
        }
        // The cast saturates.
        now.saturating_add(((apart / closing) as u64).saturating_sub(1).max(1))
    }

    /// Returns whether both are computed from the same numbers at every frame: most of all the notes of a chord.
    fn is_as_loud_for_ever(&self, other: &Self) -> bool {
        let same_line = self.from == other.from && self.slope == other.slope;
        same_line && (self.at == other.at || self.slope == 0.0)
    }

    /// Returns what its loudness is the sum of, without signs.
    fn terms(&self, now: u64) -> f64 {
        self.from.abs() + self.slope.abs() * now.saturating_sub(self.at) as f64
    }
}

/// Finds the quietest of many falling voices, without a look at each.
///
/// Two lines cross at most once. So each match of a tournament has a frame until which its winner stays the winner, and
/// only matches whose frame has come are played again.
///
/// ```text
///                 1: slot 5, until 900
///         2: slot 0, until 1200    3: slot 5, until 900
///           0   1   2   3            4   5   6   7
/// ```
///
/// Source: Basch, Guibas and Hershberger, *Data Structures for Mobile Data*, 1997 (the kinetic tournament).
#[derive(Debug)]
pub(super) struct Tournament {
    /// By slot; as many as a power of two.
    decays: Box<[Option<Decay>]>,
    /// The matches: the final is number 1, those before match n are 2n and 2n + 1, and then come the slots.
    matches: Box<[Match]>,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Match {
    winner: u32,
    /// From this frame on it has to be played again.
    until: u64,
}

impl Match {
    const EMPTY: Self = Self { winner: NONE, until: u64::MAX };
}

impl Tournament {
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(super) fn new(slots: usize) -> Self {
        let leaves = slots.next_power_of_two().max(2);
        Self {
            decays: (0..leaves).map(|_| None).collect(),
            matches: (0..leaves).map(|_| Match::EMPTY).collect(),
            count: 0,
        }
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// A voice begins to decay, or is no more.
    pub(super) fn set(&mut self, slot: usize, decay: Option<Decay>, now: u64) {
        let Some(place) = self.decays.get_mut(slot) else { return };
        let (was, is) = (place.is_some(), decay.is_some());
        if !was && !is {
            return;
        }
        *place = decay;
        self.count = self.count + usize::from(is) - usize::from(was);
        let mut number = (self.decays.len() + slot) / 2;
        while number > 0 {
            // The other side may have to be played again: then so has this one, and it says so.
            self.play(number, now);
            number /= 2;
        }
    }

    /// Returns the slot of the quietest.
    pub(super) fn first(&mut self, now: u64) -> Option<usize> {
        self.replay(1, now);
        let Match { winner, .. } = self.before(1);
        (winner != NONE).then_some(winner as usize)
    }

    /// Plays all matches again whose frame has come, below one and itself. At most sixteen deep.
    fn replay(&mut self, number: usize, now: u64) {
        if self.before(number).until <= now {
            self.replay(2 * number, now);
            self.replay(2 * number + 1, now);
            self.play(number, now);
        }
    }

    fn play(&mut self, number: usize, now: u64) {
        let (one, two) = (self.before(2 * number), self.before(2 * number + 1));
        let decay = |side: Match| self.decays.get(side.winner as usize).copied().flatten();
        let (winner, until) = match (decay(one), decay(two)) {
            (Some(first), Some(second)) if second.is_before(&first, now) => {
                (two.winner, second.before_until(&first, now))
            }
            (Some(first), Some(second)) => (one.winner, first.before_until(&second, now)),
            (Some(_), None) => (one.winner, u64::MAX),
            (None, Some(_)) => (two.winner, u64::MAX),
            (None, None) => (NONE, u64::MAX),
        };
        if let Some(played) = self.matches.get_mut(number) {
            *played = Match { winner, until: until.min(one.until).min(two.until) };
        }
    }

    /// Returns a match, or after these a slot, which is its own winner for ever.
    fn before(&self, number: usize) -> Match {
        match number.checked_sub(self.decays.len()) {
            None => self.matches.get(number).copied().unwrap_or(Match::EMPTY),
            Some(slot) => {
                let is_taken = self.decays.get(slot).is_some_and(Option::is_some);
                if is_taken { Match { winner: slot as u32, until: u64::MAX } } else { Match::EMPTY }
            }
        }
    }
}
