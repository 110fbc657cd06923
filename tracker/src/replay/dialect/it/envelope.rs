use song::TickEnvelope;
use song::module::{BreakpointEnvelope, Dialect, Instrument};

use crate::replay::tick_envelope;

/// The envelopes of an instrument, worked out.
#[derive(Clone, Debug)]
pub(super) struct InstrumentEnvelopes {
    pub(super) volume: Option<ItEnvelope>,
    pub(super) pan: Option<ItEnvelope>,
    /// Of the pitch, or of the filter.
    pub(super) pitch: Option<ItEnvelope>,
    pub(super) is_filter: bool,
}

#[derive(Clone, Debug)]
pub(super) struct ItEnvelope {
    pub(super) ticks: TickEnvelope,
    pub(super) is_on: bool,
    pub(super) carries: bool,
    pub(super) has_loop: bool,
}

impl ItEnvelope {
    fn new(envelope: &BreakpointEnvelope) -> Self {
        Self {
            ticks: tick_envelope(envelope, Dialect::ImpulseTracker),
            is_on: envelope.is_on(),
            carries: envelope.carries(),
            has_loop: envelope.loop_span().is_some(),
        }
    }
}

impl InstrumentEnvelopes {
    pub(super) fn new(instrument: &Instrument) -> Self {
        let of = |envelope: &Option<BreakpointEnvelope>| envelope.as_ref().map(ItEnvelope::new);
        Self {
            volume: of(&instrument.volume),
            pan: of(&instrument.pan),
            pitch: of(&instrument.pitch).or_else(|| of(&instrument.cutoff)),
            is_filter: instrument.cutoff.is_some(),
        }
    }
}

/// Where a note is in an envelope.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ItEnvelopeState {
    pub(super) is_on: bool,
    /// The next tick; none before the first.
    tick: Option<u16>,
}

impl ItEnvelopeState {
    /// Begins anew; one that carries goes on if it may.
    pub(super) fn restart(&mut self, envelope: Option<&ItEnvelope>, may_carry: bool) {
        self.is_on = envelope.is_some_and(|envelope| envelope.is_on);
        if !(may_carry && envelope.is_some_and(|envelope| envelope.carries)) {
            self.tick = None;
        }
    }

    /// Goes back to the beginning.
    pub(super) const fn rewind(&mut self) {
        self.tick = None;
    }

    /// Goes on in another envelope; one that is off begins anew where it is turned on.
    pub(super) fn switch(&mut self, envelope: Option<&ItEnvelope>) {
        self.is_on = envelope.is_some_and(|envelope| envelope.is_on);
        if !self.is_on {
            self.tick = None;
        }
    }

    /// Goes on by a tick; returns the value there, and whether it is over for good. One that is turned off while it
    /// runs stands still if it `holds`; else it is as if it were not there.
    pub(super) fn step(
        &mut self,
        envelope: Option<&ItEnvelope>,
        is_held: bool,
        holds: bool,
    ) -> Option<(f32, bool)> {
        let ticks = &envelope?.ticks;
        if !self.is_on {
            return self.tick.filter(|_| holds).map(|tick| (ticks.value(tick), false));
        }
        let tick = self.tick.map_or(0, |tick| ticks.next_tick(tick, is_held));
        self.tick = Some(tick);
        Some((ticks.value(tick), ticks.has_ended(tick, is_held)))
    }
}
