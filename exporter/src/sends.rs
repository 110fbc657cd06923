//! What an instrument sends to the effects of a sampler.

use song::Instrument;

/// Returns the part of an instrument's sound that goes to the reverb, 0 to 1; none if nothing does.
pub(crate) fn reverb(instrument: &Instrument) -> Option<f32> {
    instrument.sends.reverb.map(|gain| gain.gain().min(1.0))
}
