use song::TickEnvelope;

/// Where a voice is in an envelope: on the line from one tick's value to the next one's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EnvelopeCurve {
    tick: u16,
    from: f32,
    to: f32,
}

impl EnvelopeCurve {
    /// At its first tick, of a key that is held; level at a value where there is no envelope.
    pub(super) fn new(envelope: Option<&TickEnvelope>, neutral: f32) -> Self {
        match envelope {
            Some(envelope) => Self::at_tick(envelope, 0, true),
            None => Self { tick: 0, from: neutral, to: neutral },
        }
    }

    fn at_tick(envelope: &TickEnvelope, tick: u16, is_held: bool) -> Self {
        let next = envelope.next_tick(tick, is_held);
        Self { tick, from: envelope.value(tick), to: envelope.value(next) }
    }

    /// Goes on to the next tick.
    pub(super) fn step(&mut self, envelope: Option<&TickEnvelope>, is_held: bool) {
        if let Some(envelope) = envelope {
            let next = envelope.next_tick(self.tick, is_held);
            *self = Self::at_tick(envelope, next, is_held);
        }
    }

    /// Makes from its value at a part of the tick for where it goes now that the key is up.
    pub(super) fn release(&mut self, envelope: Option<&TickEnvelope>, part: f32) {
        if let Some(envelope) = envelope {
            *self = Self { from: self.at(part), ..Self::at_tick(envelope, self.tick, false) };
        }
    }

    /// Returns whether it has come to its end.
    pub(super) fn has_ended(&self, envelope: Option<&TickEnvelope>, is_held: bool) -> bool {
        envelope.is_some_and(|envelope| envelope.has_ended(self.tick, is_held))
    }

    /// Returns whether it is 0 and stays so while the key stays as it is.
    pub(super) fn stays_silent(&self, envelope: Option<&TickEnvelope>, is_held: bool) -> bool {
        envelope.is_some_and(|envelope| envelope.stays_silent(self.tick, is_held))
    }

    /// Returns its value at a part of the tick, 0..=1.
    pub(super) fn at(&self, part: f32) -> f32 {
        self.from + (self.to - self.from) * part
    }
}
