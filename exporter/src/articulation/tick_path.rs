//! Where an envelope of ticks goes, as segments of time.

use song::{EnvelopeSegment, SegmentEnvelope, TickEnvelope};

use super::{Loss, Losses, linear};

/// The most segments that other programs read of an envelope.
const MOST: usize = 100;

/// How a value goes from one tick to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// In a straight line.
    Lines,
    /// It stays for the tick.
    Ticks,
}

/// Ticks that are gone through, one after the other, and where they end.
struct TickPath {
    ticks: Vec<u16>,
    /// Where the path goes on after its last tick: an index of `ticks`. None if it stays there.
    back_to: Option<usize>,
}

impl TickPath {
    fn walk(envelope: &TickEnvelope, first: u16, is_held: bool) -> Self {
        let mut ticks = vec![first];
        let mut visited = std::collections::HashMap::from([(first, 0)]);
        let mut last = first;
        loop {
            let next = envelope.next_tick(last, is_held);
            if next == last {
                return Self { ticks, back_to: None };
            }
            if let Some(index) = visited.get(&next) {
                return Self { ticks, back_to: Some(*index) };
            }
            visited.insert(next, ticks.len());
            ticks.push(next);
            last = next;
        }
    }
}

/// Returns an envelope of ticks as one of segments, with levels that `level` gives for its values.
pub(super) fn segment_envelope(
    envelope: &TickEnvelope,
    tick: f32,
    steps: Steps,
    level: impl Fn(f32) -> f32 + Copy,
    losses: &mut Losses,
) -> SegmentEnvelope {
    let made = made(envelope, tick, steps, level, losses);
    let made = match made {
        Some(made) if steps == Steps::Lines || made.segments().len() <= MOST => Some(made),
        _ => {
            losses.add(Loss::PitchSteps);
            self::made(envelope, tick, Steps::Lines, level, losses)
        }
    };
    made.unwrap_or_else(SegmentEnvelope::level)
}

fn made(
    envelope: &TickEnvelope,
    tick: f32,
    steps: Steps,
    level: impl Fn(f32) -> f32 + Copy,
    losses: &mut Losses,
) -> Option<SegmentEnvelope> {
    let held = TickPath::walk(envelope, 0, true);
    let last = *held.ticks.last()?;
    let released = TickPath::walk(envelope, last, false);
    let value = |tick: &u16| level(envelope.value(*tick));
    let mut line = Line { tick, steps, start: value(&0), segments: Vec::new() };
    let loop_start = held.back_to;
    let mut first_of_loop = 0;
    for (index, at) in held.ticks.iter().enumerate().skip(1) {
        if loop_start == index.checked_sub(1) {
            first_of_loop = line.turn();
        }
        line.to(value(at));
    }
    if let Some(start) = loop_start {
        if start + 1 == held.ticks.len() {
            first_of_loop = line.turn();
        }
        // The tick in which it goes back.
        let again = held.ticks.get(start)?;
        line.to(value(again));
        line.jump(value(again));
        let is_same =
            released.ticks.get(1) == Some(again) || released.ticks.len() == 1 && released.back_to.is_some();
        if is_same {
            let last = line.segments.len().checked_sub(1)?;
            return SegmentEnvelope::new(line.start, line.segments, None)
                .ok()?
                .looped(first_of_loop, last)
                .ok();
        }
        losses.add(Loss::EarlyRelease);
        let last = line.segments.len().checked_sub(1)?;
        let release = line.follow(&released, value, losses);
        return SegmentEnvelope::new(line.start, line.segments, Some(release))
            .ok()?
            .looped(first_of_loop, last)
            .ok();
    }
    if released.ticks.len() == 1 {
        return SegmentEnvelope::new(line.start, line.segments, None).ok();
    }
    if held.ticks.len() > 1 {
        losses.add(Loss::EarlyRelease);
    }
    let release = line.follow(&released, value, losses);
    SegmentEnvelope::new(line.start, line.segments, Some(release)).ok()
}

/// Segments while they are made, a tick at a time.
struct Line {
    tick: f32,
    steps: Steps,
    start: f32,
    segments: Vec<EnvelopeSegment>,
}

impl Line {
    fn level(&self) -> f32 {
        self.segments.last().map_or(self.start, |segment| segment.level)
    }

    /// Begins a new segment with the next tick; returns its index.
    fn turn(&mut self) -> usize {
        // What takes no time joins nothing.
        if self.segments.last().is_some_and(|segment| segment.time.base > 0.0) {
            let level = self.level();
            self.segments.push(linear(0.0, level));
        }
        self.segments.len()
    }

    /// Jumps to a level.
    fn jump(&mut self, level: f32) {
        if level != self.level() {
            self.segments.push(linear(0.0, level));
        }
    }

    /// Goes to a level within a tick.
    fn to(&mut self, level: f32) {
        match self.steps {
            Steps::Lines => self.line(level),
            Steps::Ticks => {
                self.line(self.level());
                self.jump(level);
            }
        }
    }

    fn line(&mut self, level: f32) {
        let before = self.segments.len().checked_sub(2).and_then(|index| self.segments.get(index));
        let from = before.map_or(self.start, |segment| segment.level);
        let tick = self.tick;
        if let Some(last) = self.segments.last_mut().filter(|last| last.time.base > 0.0) {
            let slope = (last.level - from) * tick / last.time.base;
            if ((level - last.level) - slope).abs() < 1e-5 {
                (last.level, last.time.base) = (level, last.time.base + tick);
                return;
            }
        }
        self.segments.push(linear(tick, level));
    }

    /// Adds the path of a released note; returns its first segment.
    fn follow(&mut self, path: &TickPath, value: impl Fn(&u16) -> f32, losses: &mut Losses) -> usize {
        let start = path.ticks.first().map_or(0.0, &value);
        let mut line = Self { tick: self.tick, steps: self.steps, start, segments: Vec::new() };
        for at in path.ticks.iter().skip(1) {
            line.to(value(at));
        }
        if path.back_to.is_some() {
            losses.add(Loss::LoopAfterRelease);
        }
        let release = self.segments.len();
        self.segments.append(&mut line.segments);
        release
    }
}
