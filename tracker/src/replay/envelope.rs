use song::module::{BreakpointEnvelope, Dialect, Span};
use song::{TickEnvelope, TickLoop, TickLoops};

/// Translates an envelope to ticks by the rules of a dialect.
///
/// `FastTracker` 2 never hears the tick in which a loop ends, waits at the first tick of its sustain, and leaves a loop
/// that ends where it sustains. Impulse Tracker follows one loop at a time: the sustain while the key is held, then the
/// loop.
#[must_use]
pub fn tick_envelope(envelope: &BreakpointEnvelope, dialect: Dialect) -> TickEnvelope {
    let tick = |point: u8| envelope.points().get(usize::from(point)).map_or(0, |point| point.tick);
    let (sustain, looping) = (envelope.sustain(), envelope.loop_span());
    let loops = match dialect {
        Dialect::FastTracker2 => {
            let as_loop = |span: Span| {
                let end = tick(span.last);
                TickLoop { start: tick(span.first), jump_from: end.saturating_sub(1), jump_to: end }
            };
            let goes_on = |span: &Span| sustain.is_none_or(|sustain| span.last != sustain.first);
            TickLoops {
                held: looping.map(as_loop),
                released: looping.filter(goes_on).map(as_loop),
                wait_at: sustain.map(|span| tick(span.first)),
                sustained_until: sustain.map(|span| tick(span.last)),
            }
        }
        _ => {
            let as_loop = |span: Span| TickLoop {
                start: tick(span.first),
                jump_from: tick(span.last),
                jump_to: u16::MAX,
            };
            TickLoops {
                held: sustain.or(looping).map(as_loop),
                released: looping.map(as_loop),
                wait_at: None,
                sustained_until: sustain.map(|span| tick(span.last)),
            }
        }
    };
    // Its points are those of a valid envelope, so they are valid here.
    TickEnvelope::new(envelope.points().to_vec(), loops).unwrap_or_else(|_| TickEnvelope::silent())
}

#[cfg(test)]
mod tests {
    use song::module::Point;

    use super::*;

    const IT: Dialect = Dialect::ImpulseTracker;
    const XM: Dialect = Dialect::FastTracker2;

    /// Returns the ticks it goes through, held for `held` of them.
    fn walk(envelope: &TickEnvelope, held: usize, count: usize) -> Vec<u16> {
        let ticks = (0..).scan(0, |tick, number| {
            let now = *tick;
            *tick = envelope.next_tick(now, number < held);
            Some(now)
        });
        ticks.take(count).collect()
    }

    fn with(
        dialect: Dialect,
        ticks: &[u16],
        sustain: Option<[u8; 2]>,
        looping: Option<[u8; 2]>,
    ) -> TickEnvelope {
        let points = ticks.iter().map(|tick| Point { tick: *tick, value: 0 }).collect();
        let span = |[first, last]: [u8; 2]| Span { first, last };
        tick_envelope(
            &BreakpointEnvelope::new(points, sustain.map(span), looping.map(span)).unwrap(),
            dialect,
        )
    }

    #[test]
    fn without_spans_it_goes_to_its_end_and_stays() {
        for dialect in [IT, XM] {
            let envelope = with(dialect, &[0, 2], None, None);
            assert_eq!(walk(&envelope, 9, 5), [0, 1, 2, 2, 2]);
            assert!(!envelope.has_ended(1, true) && envelope.has_ended(2, true));
        }
    }

    #[test]
    fn it_stays_where_it_sustains_until_the_key_is_let_go() {
        for dialect in [IT, XM] {
            let envelope = with(dialect, &[0, 2, 4], Some([1, 1]), None);
            assert_eq!(walk(&envelope, 4, 8), [0, 1, 2, 2, 2, 3, 4, 4]);
        }
        let at_the_end = with(IT, &[0, 2], Some([1, 1]), None);
        assert!(!at_the_end.has_ended(2, true) && at_the_end.has_ended(2, false));
    }

    #[test]
    fn the_last_tick_of_a_loop_is_heard_by_one_dialect_and_not_by_the_other() {
        let envelope = |dialect| with(dialect, &[0, 2, 4], None, Some([1, 2]));
        assert_eq!(walk(&envelope(IT), 0, 8), [0, 1, 2, 3, 4, 2, 3, 4]);
        assert_eq!(walk(&envelope(XM), 0, 8), [0, 1, 2, 3, 2, 3, 2, 3]);
        assert!(!envelope(IT).has_ended(4, false));
    }

    #[test]
    fn one_dialect_has_its_sustain_within_the_loop_and_the_other_instead_of_it() {
        let envelope = |dialect| with(dialect, &[0, 2, 4, 6], Some([2, 2]), Some([0, 1]));
        assert_eq!(walk(&envelope(IT), 6, 9), [0, 1, 2, 3, 4, 4, 4, 0, 1]);
        assert_eq!(walk(&envelope(XM), 6, 9), [0, 1, 0, 1, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn a_loop_that_ends_where_it_sustains_is_left_by_one_dialect() {
        let envelope = |dialect| with(dialect, &[0, 2, 4], Some([1, 1]), Some([0, 1]));
        assert_eq!(walk(&envelope(XM), 0, 6), [0, 1, 2, 3, 4, 4]);
        assert_eq!(walk(&envelope(IT), 0, 6), [0, 1, 2, 0, 1, 2]);
    }
}
