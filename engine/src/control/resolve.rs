//! A zone that was chosen for a note, looked up in a bank: what its voice needs to know, and no more.

use std::collections::BTreeMap;
use std::sync::Arc;

use song::{Cents, Decibels, Envelope, Instrument, InstrumentIndex, NotePlayed};

use crate::bank::{BankHandle, MAX_MAGNITUDE};
use crate::config::Config;
use crate::control::select::SelectedZone;
use crate::control::{ChannelStrip, Note, NoteError};
use crate::message::{Course, Micros, NoteId, Start, StripParams, Tone};
use crate::pan;
use crate::rt::kernel::Kernels;
use crate::rt::modulation::MAX_RAISE;

/// The loudest a voice or the output may be made, about +96 dB: far beyond use, and far from overflowing when thousands
/// add up.
const MAX_GAIN: f32 = 65_536.0;

/// Of the largest values, with every voice, strip and the output at their loudest; no kernel makes eight times as much
/// of a value, a voice's own filter rings, and a mono device gets the sum of both sides.
const MAX_SUM: f64 = MAX_MAGNITUDE as f64
    * 8.0
    * MAX_RAISE
    * MAX_GAIN as f64
    * (2 * Config::MAX_POLYPHONY) as f64
    * MAX_GAIN as f64
    * MAX_GAIN as f64
    * 2.0
    * (1.0 + 2.0 * (MAX_SEND * MAX_SEND * MAX_EFFECT) as f64);

const _: () = assert!(MAX_SUM < f32::MAX as f64);

/// The highest gain of a send and of a return, 12 dB.
const MAX_SEND: f32 = 4.0;

/// The most that an effect amplifies any sound: the delay 20 times, the reverb 78 times at a resonance of its longest
/// decay.
const MAX_EFFECT: f32 = 100.0;

/// Gains below this are silence (−200 dB); products of such gains would soon be denormal.
const MIN_GAIN: f32 = 1e-10;

/// The farthest a strip's notes are moved, in cents: ten octaves, beyond what steps can follow.
const FARTHEST: f64 = 12_000.0;

/// The most that the resonance of filters is raised or lowered by, in decibels.
const MAX_RESONANCE: f32 = 96.0;

/// An instrument, and the bank that it is lent with.
pub(super) struct LentInstrument<'l> {
    handle: &'l Arc<BankHandle>,
    /// Which one of the bank it is.
    index: InstrumentIndex,
    pub(super) instrument: &'l Instrument,
}

impl<'l> LentInstrument<'l> {
    /// Finds an instrument: the first one of a bank of its own, or that of the loaded bank.
    ///
    /// # Errors
    /// [`NoteError`] if nothing is loaded, or a bank without it.
    pub(super) fn find(
        own_banks: &'l BTreeMap<InstrumentIndex, Arc<BankHandle>>,
        bank: Option<&'l Arc<BankHandle>>,
        index: InstrumentIndex,
    ) -> Result<Self, NoteError> {
        let own = own_banks.get(&index).map(|handle| (handle, InstrumentIndex::new(0)));
        let (handle, of) = own.or_else(|| Some((bank?, index))).ok_or(NoteError::NoBank)?;
        let instrument = handle.bank().instruments().get(of.get());
        Ok(Self { handle, index: of, instrument: instrument.ok_or(NoteError::NoInstrument(index))? })
    }

    /// Returns what begins the voice of a zone that was chosen.
    pub(super) fn start(&self, chosen: &SelectedZone<'_>, note: &Note, id: NoteId) -> Option<Start> {
        let Self { handle, index, instrument } = *self;
        let zone = chosen.zone;
        let number = handle.bank().track_of(index, zone)?;
        let track = handle.track(number)?;
        let gain =
            zone.gain().gain() * zone.note_gain(note.key, note.velocity) * note.gain.gain() * chosen.gain;
        let (left, right) =
            pan::sides(zone.note_pan(note.key, note.velocity) + note.pan.get(), track.planes.is_mono());
        let envelope = note.envelope.unwrap_or(instrument.envelope);
        Some(Start {
            note: id,
            bank: Arc::clone(handle),
            track: number,
            hz: f64::from(track.rate.get())
                * zone.note_transposition(note.key, note.velocity).ratio()
                * note.tune.ratio()
                * chosen.pitch,
            left: bounded(gain * left),
            right: bounded(gain * right),
            attack: Micros::from_duration(envelope.attack),
            release: Micros::from_duration(envelope.release),
            strip: note.strip,
            articulation: zone.articulation(),
            played: NotePlayed { key: note.key, velocity: note.velocity },
            // A release that was set ends a note that would have its own end as well.
            course: if envelope.release == Envelope::default().release && handle.bank().ends(zone, number) {
                Course::PlaysOut
            } else {
                Course::Note
            },
            interpolation: note.quality.map(|quality| {
                let interpolation = quality.into();
                Kernels::prepare(interpolation);
                interpolation
            }),
        })
    }
}

/// Returns what the audio thread needs to know of a strip.
pub(super) fn setting(strip: &ChannelStrip) -> StripParams {
    let (left, right) = pan::sides(strip.pan.get(), true);
    let gain = strip.gain.gain();
    let within = |cents: Cents| cents.get().clamp(-FARTHEST, FARTHEST);
    StripParams {
        left: bounded(gain * left),
        right: bounded(gain * right),
        bend: (within(strip.tune) / 1200.0).exp2() as f32,
        vibrato: within(strip.vibrato) as f32,
        tone: tone(strip.cutoff, strip.resonance),
        reverb: strip.reverb.map_or(0.0, sent),
        delay: strip.delay.map_or(0.0, sent),
    }
}

/// Returns what is added to filters, within what they can follow.
pub(super) fn tone(cutoff: Cents, resonance: Decibels) -> Tone {
    let cutoff = cutoff.get().clamp(-FARTHEST, FARTHEST) as f32;
    Tone { cutoff, resonance: resonance.get().clamp(-MAX_RESONANCE, MAX_RESONANCE) }
}

/// Returns the linear gain to or from an effect.
pub(super) fn sent(gain: Decibels) -> f32 {
    bounded(gain.gain()).min(MAX_SEND)
}

/// Returns a gain between both limits, or 0.
pub(super) fn bounded(gain: f32) -> f32 {
    // Infinity times silence is not a number, and so not audible.
    if gain >= MIN_GAIN { gain.min(MAX_GAIN) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_that_are_no_gains_are_bounded() {
        assert_eq!([f32::INFINITY, f32::NAN, 1e-20, 0.5].map(bounded), [MAX_GAIN, 0.0, 0.0, 0.5]);
    }
}
