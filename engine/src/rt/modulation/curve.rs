use song::module::{Dialect, Envelope};

/// Where a voice is in an envelope: on the line from one tick's value to the next one's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EnvelopeCurve {
    tick: u16,
    from: f32,
    to: f32,
}

impl EnvelopeCurve {
    /// At its first tick, of a key that is held; level at a value where there is no envelope.
    pub(super) fn new(envelope: Option<&Envelope>, neutral: f32, dialect: Dialect) -> Self {
        match envelope {
            Some(envelope) => Self::at_tick(envelope, 0, true, dialect),
            None => Self { tick: 0, from: neutral, to: neutral },
        }
    }

    fn at_tick(envelope: &Envelope, tick: u16, is_held: bool, dialect: Dialect) -> Self {
        let next = envelope.after(tick, is_held, dialect);
        Self { tick, from: envelope.value(tick), to: envelope.value(next) }
    }

    /// Goes on to the next tick.
    pub(super) fn step(&mut self, envelope: Option<&Envelope>, is_held: bool, dialect: Dialect) {
        if let Some(envelope) = envelope {
            let next = envelope.after(self.tick, is_held, dialect);
            *self = Self::at_tick(envelope, next, is_held, dialect);
        }
    }

    /// Makes for where it goes now that the key is up.
    pub(super) fn release(&mut self, envelope: Option<&Envelope>, dialect: Dialect) {
        if let Some(envelope) = envelope {
            *self = Self::at_tick(envelope, self.tick, false, dialect);
        }
    }

    /// Whether it has come to its end, and what it is there.
    pub(super) fn end(&self, envelope: Option<&Envelope>, is_held: bool, dialect: Dialect) -> Option<f32> {
        envelope?.has_ended(self.tick, is_held, dialect).then_some(self.from)
    }

    /// Its value at a part of the tick, 0..=1.
    pub(super) fn at(&self, part: f32) -> f32 {
        self.from + (self.to - self.from) * part
    }
}
