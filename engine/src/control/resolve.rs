//! A zone that was chosen for a note, looked up in a bank: what its voice needs to know, and no more.

use std::sync::Arc;

use song::{Cents, Instrument};

use crate::bank::{HUGE, Lent};
use crate::config::Config;
use crate::control::choose::Chosen;
use crate::control::{Note, Strip};
use crate::message::{Micros, NoteId, Setting, Start};
use crate::pan;
use crate::rt::motion::MOST_RAISED;

/// The loudest a voice or the output may be made, about +96 dB: far beyond use, and far from overflowing when thousands add up.
const LOUDEST: f32 = 65_536.0;

/// Of the largest values, with every voice, strip and the output at their loudest; no kernel makes eight times as much of a value,
/// a voice's own filter rings, and a mono device gets the sum of both sides.
const LARGEST_SUM: f64 = HUGE as f64
    * 8.0
    * MOST_RAISED
    * LOUDEST as f64
    * (2 * Config::MAX_POLYPHONY) as f64
    * LOUDEST as f64
    * LOUDEST as f64
    * 2.0;

const _: () = assert!(LARGEST_SUM < f32::MAX as f64);

/// Gains below this are silence (−200 dB); products of such gains would soon be denormal.
const QUIETEST: f32 = 1e-10;

/// The farthest a strip's notes are moved, in cents: ten octaves, beyond what steps can follow.
const FARTHEST: f64 = 12_000.0;

/// What begins the voice of a zone that was chosen.
pub(super) fn start(
    lent: &Arc<Lent>,
    instrument: &Instrument,
    chosen: &Chosen<'_>,
    note: &Note,
    id: NoteId,
) -> Option<Start> {
    let zone = chosen.zone;
    let number = lent.bank().track_of(note.instrument, zone)?;
    let track = lent.track(number)?;
    let gain = zone.gain().gain() * note.velocity.gain() * note.gain.gain() * chosen.gain;
    let (left, right) = pan::sides(zone.pan().get() + note.pan.get(), track.planes.is_mono());
    let envelope = note.envelope.unwrap_or(instrument.envelope);
    Some(Start {
        note: id,
        bank: Arc::clone(lent),
        track: number,
        hz: f64::from(track.rate.get())
            * zone.transposition(note.key).ratio()
            * note.tune.ratio()
            * chosen.pitch,
        left: bounded(gain * left),
        right: bounded(gain * right),
        attack: Micros::of(envelope.attack),
        release: Micros::of(envelope.release),
        strip: note.strip,
        articulation: zone.articulation(),
        plays_out: envelope.release == instrument.envelope.release && lent.bank().ends(zone, number),
        interpolation: note.quality.map(Into::into),
    })
}

/// What the audio thread needs to know of a strip.
pub(super) fn setting(strip: &Strip) -> Setting {
    let (left, right) = pan::sides(strip.pan.get(), true);
    let gain = strip.gain.gain();
    let within = |cents: Cents| cents.get().clamp(-FARTHEST, FARTHEST);
    Setting {
        left: bounded(gain * left),
        right: bounded(gain * right),
        bend: (within(strip.tune) / 1200.0).exp2() as f32,
        vibrato: within(strip.vibrato) as f32,
    }
}

/// A gain between both limits, or 0.
pub(super) fn bounded(gain: f32) -> f32 {
    // Infinity times silence is not a number, and so not audible.
    if gain >= QUIETEST { gain.min(LOUDEST) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_that_are_no_gains_are_bounded() {
        assert_eq!([f32::INFINITY, f32::NAN, 1e-20, 0.5].map(bounded), [LOUDEST, 0.0, 0.0, 0.5]);
    }
}
