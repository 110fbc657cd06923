use song::module::BreakpointEnvelope;

/// Where a note is in an envelope.
///
/// The tick is counted before it is looked at, so a note that begins stands before the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct XmEnvelopeState {
    tick: u16,
    /// The point that is headed for.
    point: usize,
    /// In 256ths.
    value: i32,
    step: i32,
}

impl XmEnvelopeState {
    /// Goes back to before the first tick.
    pub(super) const fn restart(&mut self) {
        self.tick = u16::MAX;
        self.point = 0;
    }

    /// Goes on by a tick; returns the value there. `is_held` says whether the key is. `passes` says whether points are
    /// passed that are no later than the one before; else it waits there for ever.
    pub(super) fn step(&mut self, envelope: &BreakpointEnvelope, is_held: bool, passes: bool) -> f32 {
        let points = envelope.points();
        let at = |index: usize| points.get(index).map(|point| (point.tick, i32::from(point.value) << 8));
        let sustain = envelope.sustain().map(|span| usize::from(span.first));
        self.tick = self.tick.wrapping_add(1);
        let mut next = self.point;
        let reached = at(next).filter(|(tick, _)| *tick == self.tick);
        let Some((_, value)) = reached else {
            self.value += self.step;
            return self.value as f32 / 256.0;
        };
        self.value = value;
        if let Some(span) = envelope.loop_span()
            && next == usize::from(span.last)
            && (sustain != Some(next) || is_held)
            && let Some((tick, value)) = at(span.first.into())
        {
            next = span.first.into();
            (self.tick, self.value) = (tick, value);
        }
        next += 1;
        let heard = self.value as f32 / 256.0;
        self.step = 0;
        if next >= points.len() {
            return heard;
        }
        if is_held && sustain == Some(next - 1) {
            // It waits here: ticks go on, and the point is not come to again unless a release goes back before it.
            self.point = next - 1;
            return heard;
        }
        while let Some((tick, value)) = at(next)
            && passes
            && tick <= self.tick
            && next + 1 < points.len()
        {
            self.value = value;
            next += 1;
        }
        self.point = next;
        if let (Some((from, low)), Some((to, high))) = (at(next - 1), at(next))
            && to > from
        {
            self.step = (high - low) / i32::from(to - from);
        }
        heard
    }

    /// The key is released: what waits goes on.
    pub(super) fn release(&mut self, envelope: &BreakpointEnvelope) {
        let tick = envelope.points().get(self.point).map_or(0, |point| point.tick);
        if self.tick >= tick {
            self.tick = tick.wrapping_sub(1);
        }
    }

    /// Goes to a tick.
    pub(super) fn seek(&mut self, envelope: &BreakpointEnvelope, tick: u8) {
        let points = envelope.points();
        let sustain = envelope.sustain().map(|span| usize::from(span.first));
        let tick = u16::from(tick);
        self.tick = tick.wrapping_sub(1);
        let after = points.iter().skip(1).position(|point| tick < point.tick).map(|index| index + 1);
        let before = after.map_or(points.len() - 1, |after| after - 1);
        let Some(from) = points.get(before) else { return };
        let low = i32::from(from.value) << 8;
        (self.point, self.value, self.step) = (before, low, 0);
        if let Some(to) = after.and_then(|after| points.get(after))
            // One that is set right to a point waits there if it sustains, and does not turn there if it loops.
            && (tick > from.tick || (before > 0 && sustain != Some(before)))
        {
            self.step = ((i32::from(to.value) << 8) - low) / i32::from(to.tick - from.tick).max(1);
            self.value = low + self.step * (i32::from(tick - from.tick) - 1);
            self.point = before + 1;
        }
    }
}
