use crate::Invalid;
use crate::module::{BreakpointEnvelope, Point};

/// An envelope as a voice walks it: a value at each tick, straight lines in between, and plain rules for where it
/// repeats.
///
/// The rules of a tracker are worked out when it is made, so that nobody who plays it has to know trackers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickEnvelope {
    points: Vec<Point>,
    loops: TickLoops,
}

/// Where a [`TickEnvelope`] repeats or stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickLoops {
    /// The loop while the key is held.
    pub held: Option<TickLoop>,
    /// The loop once the key is released.
    pub released: Option<TickLoop>,
    /// The tick at which it waits for the release.
    pub wait_at: Option<u16>,
    /// Up to this tick it is not over while the key is held, even at its last point.
    pub sustained_until: Option<u16>,
}

/// A jump back in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickLoop {
    /// The tick it goes back to.
    pub start: u16,
    /// The first tick from which it jumps.
    pub jump_from: u16,
    /// The last tick from which it jumps.
    pub jump_to: u16,
}

impl TickEnvelope {
    /// Makes an envelope of points in the order of time.
    ///
    /// # Errors
    /// [`Invalid::Envelope`] if it has no points, more than [`BreakpointEnvelope::MAX_POINTS`], or a point lies before
    /// the one before it.
    pub fn new(points: Vec<Point>, loops: TickLoops) -> Result<Self, Invalid> {
        let is_ordered = points.is_sorted_by_key(|point| point.tick);
        if (1..=BreakpointEnvelope::MAX_POINTS).contains(&points.len()) && is_ordered {
            Ok(Self { points, loops })
        } else {
            Err(Invalid::Envelope)
        }
    }

    /// Makes an envelope of one point at 0.
    #[must_use]
    pub fn silent() -> Self {
        Self { points: vec![Point { tick: 0, value: 0 }], loops: TickLoops::default() }
    }

    /// Returns where it repeats or stays.
    #[must_use]
    pub const fn loops(&self) -> &TickLoops {
        &self.loops
    }

    /// Returns its value at a tick; after the last point, that point's.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn value(&self, tick: u16) -> f32 {
        let next = self.points.partition_point(|point| point.tick <= tick);
        let before = next.checked_sub(1).and_then(|before| self.points.get(before));
        match (before, self.points.get(next)) {
            (Some(before), Some(next)) => {
                let elapsed = f32::from(tick - before.tick) / f32::from(next.tick - before.tick);
                f32::from(before.value) + (f32::from(next.value) - f32::from(before.value)) * elapsed
            }
            (Some(last), None) => last.value.into(),
            (None, first) => first.map_or(0.0, |first| first.value.into()),
        }
    }

    /// Returns the tick after a tick, while the key is held or after its release; the same tick where it stays.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn next_tick(&self, tick: u16, is_held: bool) -> u16 {
        if is_held && self.loops.wait_at == Some(tick) {
            return tick;
        }
        match self.active_loop(is_held) {
            Some(active) if (active.jump_from..=active.jump_to).contains(&tick) => active.start,
            _ => tick.saturating_add(1).min(self.end()).max(tick.min(self.end())),
        }
    }

    /// Returns whether it has reached its last value and stays there whatever happens.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn has_ended(&self, tick: u16, is_held: bool) -> bool {
        let waits = is_held && self.loops.sustained_until.is_some_and(|until| until >= tick);
        tick >= self.end() && !waits && self.active_loop(is_held).is_none()
    }

    /// Returns whether it comes to an end once the key is released.
    #[must_use]
    pub const fn ends_after_release(&self) -> bool {
        self.loops.released.is_none()
    }

    /// Returns whether it is 0 from a tick on for as long as the key stays held or released: at its end, or in a loop
    /// in which all is 0.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn stays_silent(&self, tick: u16, is_held: bool) -> bool {
        match self.active_loop(is_held) {
            Some(active) => (active.start..=active.jump_to).contains(&tick) && self.is_silent_within(active),
            None => self.has_ended(tick, is_held) && self.value(tick) == 0.0,
        }
    }

    /// Returns whether it becomes 0 and stays so once the key is released, as the envelope of a volume.
    #[must_use]
    pub fn falls_silent(&self) -> bool {
        let ends_silent = self.points.last().is_some_and(|point| point.value == 0);
        self.loops.released.map_or(ends_silent, |active| {
            self.is_silent_within(active) && (ends_silent || active.jump_to >= self.end())
        })
    }

    fn is_silent_within(&self, active: TickLoop) -> bool {
        let range = active.start..=active.jump_from;
        let mut points = self.points.iter().filter(|point| range.contains(&point.tick));
        points.all(|point| point.value == 0)
            && self.value(active.start) == 0.0
            && self.value(active.jump_from) == 0.0
    }

    const fn active_loop(&self, is_held: bool) -> Option<TickLoop> {
        if is_held { self.loops.held } else { self.loops.released }
    }

    fn end(&self) -> u16 {
        self.points.last().map_or(0, |point| point.tick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(points: &[(u16, i8)]) -> Vec<Point> {
        points.iter().map(|&(tick, value)| Point { tick, value }).collect()
    }

    #[test]
    fn points_come_in_the_order_of_time_and_may_coincide() {
        let with = |ticks: &[(u16, i8)]| TickEnvelope::new(points(ticks), TickLoops::default());
        assert!(with(&[(0, 0), (5, 0), (5, 0)]).is_ok());
        assert_eq!(with(&[(0, 0), (5, 0), (4, 0)]), Err(Invalid::Envelope));
        assert_eq!(with(&[]), Err(Invalid::Envelope));
        assert_eq!(with(&[(0, 0); 26]), Err(Invalid::Envelope));
    }

    #[test]
    fn values_lie_on_lines_between_points() {
        let envelope = TickEnvelope::new(points(&[(2, 0), (6, 64), (6, 8)]), TickLoops::default()).unwrap();
        assert_eq!([0, 2, 3, 5, 6, 99].map(|tick| envelope.value(tick)), [0.0, 0.0, 16.0, 48.0, 8.0, 8.0]);
    }

    #[test]
    fn a_loop_is_left_when_the_key_is_released_unless_it_goes_on() {
        let held = Some(TickLoop { start: 1, jump_from: 2, jump_to: 2 });
        let of = |loops| TickEnvelope::new(points(&[(0, 64), (4, 0)]), loops).unwrap();
        let leaves = of(TickLoops { held, ..TickLoops::default() });
        assert_eq!((leaves.next_tick(2, true), leaves.next_tick(2, false)), (1, 3));
        assert!(leaves.falls_silent() && leaves.has_ended(4, false) && !leaves.has_ended(4, true));
        let goes_on = of(TickLoops { held, released: held, ..TickLoops::default() });
        assert_eq!(goes_on.next_tick(2, false), 1);
        assert!(!goes_on.ends_after_release());
    }

    #[test]
    fn a_loop_in_which_all_is_0_is_silence_and_one_that_touches_0_is_not() {
        let of = |start, jump_from| {
            let released = Some(TickLoop { start, jump_from, jump_to: u16::MAX });
            TickEnvelope::new(
                points(&[(0, 64), (4, 0), (6, 0)]),
                TickLoops { released, ..TickLoops::default() },
            )
            .unwrap()
        };
        for (start, jump_from) in [(6, 6), (4, 6), (5, 5)] {
            let silent = of(start, jump_from);
            assert!(silent.falls_silent() && !silent.ends_after_release());
            assert_eq!(
                [start - 1, start, jump_from].map(|tick| silent.stays_silent(tick, false)),
                [false, true, true]
            );
            assert_eq!(silent.stays_silent(start, true), start == 6, "held it goes on to its end");
        }
        let sounding = of(3, 6);
        assert!(!sounding.falls_silent() && !sounding.stays_silent(6, false));
    }

    #[test]
    fn it_waits_for_the_release_and_then_goes_on_to_its_end() {
        let loops = TickLoops { wait_at: Some(2), sustained_until: Some(2), ..TickLoops::default() };
        let envelope = TickEnvelope::new(points(&[(0, 0), (2, 64)]), loops).unwrap();
        assert_eq!((envelope.next_tick(2, true), envelope.next_tick(2, false)), (2, 2));
        assert!(!envelope.has_ended(2, true) && envelope.has_ended(2, false));
        assert_eq!(envelope.next_tick(1, true), 2);
    }
}
