use crate::Invalid;

/// A node of an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
pub struct BreakpointEnvelope {
    points: Vec<Point>,
    sustain: Option<Span>,
    loop_span: Option<Span>,
    is_on: bool,
    carries: bool,
}

impl BreakpointEnvelope {
    /// The most points that a dialect has.
    pub const MAX_POINTS: usize = 25;

    /// Creates an envelope that is on.
    ///
    /// # Errors
    /// [`Invalid::Envelope`] if it has no points or more than 25, a point lies before the one before it, or a span is
    /// none of its points.
    pub fn new(points: Vec<Point>, sustain: Option<Span>, loop_span: Option<Span>) -> Result<Self, Invalid> {
        let is_ordered = points.is_sorted_by_key(|point| point.tick);
        let fits = |span: &Span| span.first <= span.last && usize::from(span.last) < points.len();
        let spans_fit = sustain.iter().chain(&loop_span).all(fits);
        if (1..=Self::MAX_POINTS).contains(&points.len()) && is_ordered && spans_fit {
            Ok(Self { points, sustain, loop_span, is_on: true, carries: false })
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

    /// Returns whether notes begin with it; one that is off can be switched on by a cell.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.is_on
    }

    /// Returns whether a new note goes on where the last one was.
    #[must_use]
    pub const fn carries(&self) -> bool {
        self.carries
    }

    /// Returns its points, at least one.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Returns where it stays until the key is released.
    #[must_use]
    pub const fn sustain(&self) -> Option<Span> {
        self.sustain
    }

    /// Returns where it stays.
    #[must_use]
    pub const fn loop_span(&self) -> Option<Span> {
        self.loop_span
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
        assert!(BreakpointEnvelope::new(points(&[0, 5, 5]), None, None).is_ok());
        assert_eq!(BreakpointEnvelope::new(points(&[0, 5, 4]), None, None), Err(Invalid::Envelope));
        assert_eq!(BreakpointEnvelope::new(points(&[]), None, None), Err(Invalid::Envelope));
        assert_eq!(BreakpointEnvelope::new(points(&[0; 26]), None, None), Err(Invalid::Envelope));
    }

    #[test]
    fn a_span_lies_between_points_that_are_there() {
        let with = |first, last| BreakpointEnvelope::new(points(&[0, 1]), None, Some(Span { first, last }));
        assert!(with(1, 1).is_ok() && with(0, 1).is_ok());
        assert!(with(1, 0).is_err() && with(0, 2).is_err());
    }
}
