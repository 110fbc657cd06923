//! A zone that was chosen for a note, looked up in a bank: what its voice needs to know, and no more.

use std::sync::Arc;

use song::{Cents, Instrument, Pan};

use crate::bank::{HUGE, Lent};
use crate::config::Config;
use crate::control::choose::Chosen;
use crate::control::{Note, Strip};
use crate::message::{Micros, NoteId, Setting, Start};

/// The loudest a voice or the output may be made, about +96 dB: far beyond use, and far from overflowing when thousands add up.
const LOUDEST: f32 = 65_536.0;

/// Of the largest values, with every voice, strip and the output at their loudest; no filter makes eight times as much of a value,
/// and a mono device gets the sum of both sides.
const LARGEST_SUM: f64 = HUGE as f64
    * 8.0
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
    let (left, right) = sides(zone.pan(), note.pan, track.planes.is_mono());
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
        interpolation: note.quality.map(Into::into),
    })
}

/// What the audio thread needs to know of a strip.
pub(super) fn setting(strip: &Strip) -> Setting {
    let (left, right) = sides(strip.pan, Pan::CENTRE, true);
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

/// Gains of both sides. A mono sound keeps its power wherever it stands: its squares add up to 2, so that the centre is
/// unity and a side 3 dB more. Of a stereo sound the side it turns away from becomes quieter.
fn sides(zone: Pan, note: Pan, mono: bool) -> (f32, f32) {
    let pan = (zone.get() + note.get()).clamp(-1.0, 1.0);
    if mono { ((1.0 - pan).sqrt(), (1.0 + pan).sqrt()) } else { ((1.0 - pan).min(1.0), (1.0 + pan).min(1.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(pan: f32, mono: bool) -> (f32, f32) {
        sides(Pan::CENTRE, Pan::new(pan).unwrap(), mono)
    }

    #[test]
    fn the_centre_is_unity_and_untouched() {
        assert_eq!(at(0.0, true), (1.0, 1.0));
        assert_eq!(at(0.0, false), (1.0, 1.0));
    }

    #[test]
    fn a_mono_sound_keeps_its_power_wherever_it_stands() {
        for pan in [-1.0, -0.5, 0.25, 1.0] {
            let (left, right) = at(pan, true);
            assert!((left * left + right * right - 2.0).abs() < 1e-6, "{pan}");
        }
        assert_eq!(at(1.0, true).0, 0.0);
        assert!((20.0 * at(1.0, true).1.log10() - 3.01).abs() < 0.01);
    }

    #[test]
    fn a_stereo_sound_loses_the_side_it_turns_away_from() {
        assert_eq!(at(-0.25, false), (1.0, 0.75));
        assert_eq!(at(1.0, false), (0.0, 1.0));
    }

    #[test]
    fn two_pans_add_up_to_a_side_at_most() {
        let pan = |pan| Pan::new(pan).unwrap();
        assert_eq!(sides(pan(0.75), pan(0.75), false), (0.0, 1.0));
    }

    #[test]
    fn gains_that_are_no_gains_are_bounded() {
        assert_eq!([f32::INFINITY, f32::NAN, 1e-20, 0.5].map(bounded), [LOUDEST, 0.0, 0.0, 0.5]);
    }
}
