use super::Dialect;
use crate::Invalid;

/// A place of an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// When, in ticks from the beginning.
    pub tick: u16,
    /// How far: 0..=64 for a volume, −32..=32 for pan, pitch (half semitones) and cutoff.
    pub value: i8,
}

/// The points between which an envelope stays, both included; they may be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The point to go back to.
    pub first: u8,
    /// The point to go back from.
    pub last: u8,
}

/// Points in time with straight lines between them: at least one, none before the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    points: Vec<Point>,
    sustain: Option<Span>,
    looping: Option<Span>,
    is_on: bool,
    carries: bool,
}

impl Envelope {
    /// The most points that a dialect has.
    pub const MAX_POINTS: usize = 25;

    /// An envelope that is on.
    ///
    /// # Errors
    /// [`Invalid::Envelope`] if it has no points or more than 25, a point lies before the one before it, or a span is
    /// none of its points.
    pub fn new(points: Vec<Point>, sustain: Option<Span>, looping: Option<Span>) -> Result<Self, Invalid> {
        let is_ordered = points.is_sorted_by_key(|point| point.tick);
        let fits = |span: &Span| span.first <= span.last && usize::from(span.last) < points.len();
        let spans_fit = sustain.iter().chain(&looping).all(fits);
        if (1..=Self::MAX_POINTS).contains(&points.len()) && is_ordered && spans_fit {
            Ok(Self { points, sustain, looping, is_on: true, carries: false })
        } else {
            Err(Invalid::Envelope)
        }
    }

    /// On or not, and carried or not.
    #[must_use]
    pub const fn switched(mut self, is_on: bool, carries: bool) -> Self {
        (self.is_on, self.carries) = (is_on, carries);
        self
    }

    /// Whether notes begin with it; one that is off can be switched on by a cell.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.is_on
    }

    /// Whether a new note goes on where the last one was.
    #[must_use]
    pub const fn carries(&self) -> bool {
        self.carries
    }

    /// Its points, at least one.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Where it stays until the key is let go.
    #[must_use]
    pub const fn sustain(&self) -> Option<Span> {
        self.sustain
    }

    /// Where it stays.
    #[must_use]
    pub const fn looping(&self) -> Option<Span> {
        self.looping
    }

    /// Its value in a tick; behind the last point that one's.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn value(&self, tick: u16) -> f32 {
        let next = self.points.partition_point(|point| point.tick <= tick);
        let before = next.checked_sub(1).and_then(|before| self.points.get(before));
        match (before, self.points.get(next)) {
            (Some(before), Some(next)) => {
                let gone = f32::from(tick - before.tick) / f32::from(next.tick - before.tick);
                f32::from(before.value) + (f32::from(next.value) - f32::from(before.value)) * gone
            }
            (Some(last), None) => last.value.into(),
            (None, first) => first.map_or(0.0, |first| first.value.into()),
        }
    }

    /// The tick that comes after one while the key is held, or after it was let go; the same where it stays.
    ///
    /// `FastTracker` 2 never hears the tick in which a loop ends, and leaves a loop that ends where it sustains. Impulse
    /// Tracker knows one loop at a time.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn after(&self, tick: u16, is_held: bool, dialect: Dialect) -> u16 {
        let span = self.span(is_held, dialect).map(|span| [self.tick(span.first), self.tick(span.last)]);
        let next = tick.saturating_add(1);
        match (dialect, span) {
            (Dialect::FastTracker2, _)
                if is_held && self.sustain.is_some_and(|at| self.tick(at.first) == tick) =>
            {
                tick
            }
            (Dialect::FastTracker2, Some([first, last])) if next == last || tick == last => first,
            (Dialect::ImpulseTracker, Some([first, last])) if tick >= last => first,
            _ => next.min(self.end()).max(tick.min(self.end())),
        }
    }

    /// Whether it has come to its last value, and stays there whatever happens.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn has_ended(&self, tick: u16, is_held: bool, dialect: Dialect) -> bool {
        let stays = is_held && self.sustain.is_some_and(|at| self.tick(at.last) >= tick);
        tick >= self.end() && !stays && self.span(is_held, dialect).is_none()
    }

    /// Whether it comes to an end once the key is let go.
    pub(crate) fn leaves(&self, dialect: Dialect) -> bool {
        self.span(false, dialect).is_none()
    }

    /// Whether that end is silence.
    pub(crate) fn closes(&self, dialect: Dialect) -> bool {
        self.leaves(dialect) && self.points.last().is_some_and(|point| point.value == 0)
    }

    /// What it goes round in.
    fn span(&self, is_held: bool, dialect: Dialect) -> Option<Span> {
        let ends_where_it_sustains =
            |span: &Span| self.sustain.is_some_and(|sustain| span.last == sustain.first);
        match dialect {
            Dialect::FastTracker2 => self.looping.filter(|span| is_held || !ends_where_it_sustains(span)),
            _ if is_held => self.sustain.or(self.looping),
            _ => self.looping,
        }
    }

    /// When a point is.
    fn tick(&self, point: u8) -> u16 {
        self.points.get(usize::from(point)).map_or(0, |point| point.tick)
    }

    /// When the last point is.
    fn end(&self) -> u16 {
        self.points.last().map_or(0, |point| point.tick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(ticks: &[u16]) -> Vec<Point> {
        ticks.iter().map(|tick| Point { tick: *tick, value: 0 }).collect()
    }

    #[test]
    fn points_come_in_the_order_of_time_and_may_coincide() {
        assert!(Envelope::new(points(&[0, 5, 5]), None, None).is_ok());
        assert_eq!(Envelope::new(points(&[0, 5, 4]), None, None), Err(Invalid::Envelope));
        assert_eq!(Envelope::new(points(&[]), None, None), Err(Invalid::Envelope));
        assert_eq!(Envelope::new(points(&[0; 26]), None, None), Err(Invalid::Envelope));
    }

    #[test]
    fn a_span_lies_between_points_that_are_there() {
        let with = |first, last| Envelope::new(points(&[0, 1]), None, Some(Span { first, last }));
        assert!(with(1, 1).is_ok() && with(0, 1).is_ok());
        assert!(with(1, 0).is_err() && with(0, 2).is_err());
    }

    const IT: Dialect = Dialect::ImpulseTracker;
    const XM: Dialect = Dialect::FastTracker2;

    /// The ticks it goes through, held for some of them.
    fn walk(envelope: &Envelope, dialect: Dialect, held: usize, count: usize) -> Vec<u16> {
        let ticks = (0..).scan(0, |tick, number| {
            let now = *tick;
            *tick = envelope.after(now, number < held, dialect);
            Some(now)
        });
        ticks.take(count).collect()
    }

    fn with(ticks: &[u16], sustain: Option<[u8; 2]>, looping: Option<[u8; 2]>) -> Envelope {
        let span = |[first, last]: [u8; 2]| Span { first, last };
        Envelope::new(points(ticks), sustain.map(span), looping.map(span)).unwrap()
    }

    #[test]
    fn values_lie_on_lines_between_points() {
        let points =
            vec![Point { tick: 2, value: 0 }, Point { tick: 6, value: 64 }, Point { tick: 6, value: 8 }];
        let envelope = Envelope::new(points, None, None).unwrap();
        assert_eq!([0, 2, 3, 5, 6, 99].map(|tick| envelope.value(tick)), [0.0, 0.0, 16.0, 48.0, 8.0, 8.0]);
    }

    #[test]
    fn without_spans_it_goes_to_its_end_and_stays() {
        for dialect in [IT, XM] {
            let envelope = with(&[0, 2], None, None);
            assert_eq!(walk(&envelope, dialect, 9, 5), [0, 1, 2, 2, 2]);
            assert!(!envelope.has_ended(1, true, dialect) && envelope.has_ended(2, true, dialect));
        }
    }

    #[test]
    fn it_stays_where_it_sustains_until_the_key_is_let_go() {
        for dialect in [IT, XM] {
            let envelope = with(&[0, 2, 4], Some([1, 1]), None);
            assert_eq!(walk(&envelope, dialect, 4, 8), [0, 1, 2, 2, 2, 3, 4, 4]);
        }
        let at_the_end = with(&[0, 2], Some([1, 1]), None);
        assert!(!at_the_end.has_ended(2, true, IT) && at_the_end.has_ended(2, false, IT));
    }

    #[test]
    fn the_last_tick_of_a_loop_is_heard_by_one_dialect_and_not_by_the_other() {
        let envelope = with(&[0, 2, 4], None, Some([1, 2]));
        assert_eq!(walk(&envelope, IT, 0, 8), [0, 1, 2, 3, 4, 2, 3, 4]);
        assert_eq!(walk(&envelope, XM, 0, 8), [0, 1, 2, 3, 2, 3, 2, 3]);
        assert!(!envelope.has_ended(4, false, IT));
    }

    #[test]
    fn one_dialect_has_its_sustain_within_the_loop_and_the_other_instead_of_it() {
        let envelope = with(&[0, 2, 4, 6], Some([2, 2]), Some([0, 1]));
        assert_eq!(walk(&envelope, IT, 6, 9), [0, 1, 2, 3, 4, 4, 4, 0, 1]);
        assert_eq!(walk(&envelope, XM, 6, 9), [0, 1, 0, 1, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn a_loop_that_ends_where_it_sustains_is_left_by_one_dialect() {
        let envelope = with(&[0, 2, 4], Some([1, 1]), Some([0, 1]));
        assert_eq!(walk(&envelope, XM, 0, 6), [0, 1, 2, 3, 4, 4]);
        assert_eq!(walk(&envelope, IT, 0, 6), [0, 1, 2, 0, 1, 2]);
    }
}
