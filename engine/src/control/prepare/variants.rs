//! Recordings prepared to be played otherwise than they were recorded. All share the main planes.

use std::collections::BTreeMap;
use std::sync::Arc;

use song::{Articulation, Instrument, InstrumentIndex, SampleOverride};

use super::held;
use super::unrolled_loop::UnrolledLoop;
use crate::bank::variant::{Variant, VariantLoop};
use crate::bank::{Bank, LoopRegion, Padded, PreparedSample, Tail};

impl Bank {
    /// Returns a bank of the same recordings with one instrument, which moves as these articulations say; what it plays
    /// otherwise is to be stated again.
    #[must_use]
    pub fn with_instrument(&self, instrument: Instrument, articulations: Arc<[Articulation]>) -> Self {
        Self {
            tracks: Arc::clone(&self.tracks),
            variants: self.variants.clone(),
            overrides: BTreeMap::new(),
            instruments: vec![instrument],
            articulations,
        }
    }

    /// Returns the bank with the loops and the trim of one instrument changed; what was changed of it before counts no
    /// longer. Recordings are shared, so this takes little memory; a loop or an end that is not there yet is written
    /// out.
    ///
    /// # Real-time
    /// Never: takes time in proportion to the number of recordings.
    #[must_use]
    pub fn with_override(&self, instrument: InstrumentIndex, how: impl Into<SampleOverride>) -> Self {
        let how = how.into();
        let mut bank = Self {
            tracks: Arc::clone(&self.tracks),
            variants: self.variants.clone(),
            overrides: self.overrides.clone(),
            instruments: self.instruments.clone(),
            articulations: Arc::clone(&self.articulations),
        };
        bank.overrides.insert(instrument, how);
        let mut more = Vec::new();
        for zone in self.instruments.get(instrument.get()).map(Instrument::zones).unwrap_or_default() {
            let sample = zone.sample();
            let Some(track) = self.tracks.get(sample.get()) else { continue };
            let variant = Variant::of(how, zone, track);
            if variant == Variant::default() || bank.variants.contains_key(&(sample, variant)) {
                continue;
            }
            let Ok(number) = u32::try_from(self.tracks.len() + more.len()) else { continue };
            bank.variants.insert((sample, variant), number);
            let after = track.release_track.and_then(|number| self.track(number));
            let (track, after) = prepared(variant, track, after);
            let release_track = after.is_some().then(|| number.saturating_add(1));
            more.push(PreparedSample { release_track, ..track });
            more.extend(after);
        }
        if !more.is_empty() {
            bank.tracks = self.tracks.iter().cloned().chain(more).collect();
        }
        bank
    }
}

/// Returns a recording as a variant plays it, and what a voice goes on in when it leaves its sustain loop, given those
/// of the recording.
fn prepared(
    variant: Variant,
    track: &PreparedSample,
    after: Option<&PreparedSample>,
) -> (PreparedSample, Option<PreparedSample>) {
    let forward = |start: u32, end: u32| UnrolledLoop::forward(start.into(), end.into());
    let Some((first, end)) = variant.trim else {
        let track = match variant.looping {
            VariantLoop::Own => return (track.clone(), after.cloned()),
            VariantLoop::Plain => plain(track),
            VariantLoop::Whole => endless(track),
            VariantLoop::Range(start, end) => turning(track, &forward(start, end)),
        };
        return (track, None);
    };
    let is_within = |region: &LoopRegion| first <= region.start && region.end <= end;
    let own = |track: &PreparedSample| track.loop_region.filter(is_within);
    let looping = match variant.looping {
        VariantLoop::Own => own(track),
        VariantLoop::Plain => None,
        VariantLoop::Whole => Some(forward(first, end).region()),
        VariantLoop::Range(start, end) => Some(forward(start, end).region()).filter(is_within),
    };
    let after = after.filter(|_| variant.looping == VariantLoop::Own && looping.is_some());
    let after = after.map(|after| trimmed(after, first, end, own(after)));
    (trimmed(track, first, end, looping), after)
}

/// Returns the frames of a recording from one to before another, with a loop within.
fn trimmed(track: &PreparedSample, first: u32, end: u32, looping: Option<LoopRegion>) -> PreparedSample {
    let played = match looping {
        Some(region) => turning(track, &UnrolledLoop::of_region(region)),
        // Frames follow in the main plane; the last value is held in a loop.
        None => PreparedSample {
            loop_region: None,
            tail: track.planes.ending(end),
            ..turning(track, &UnrolledLoop::forward(i64::from(end) - 1, end.into()))
        },
    };
    PreparedSample { first, length: end, ..played }
}

/// Returns the recording repeated from its first frame to its last.
pub(super) fn endless(track: &PreparedSample) -> PreparedSample {
    turning(track, &UnrolledLoop::forward(0, track.length.into()))
}

/// Returns the recording with another loop.
pub(super) fn turning(track: &PreparedSample, unrolled: &UnrolledLoop) -> PreparedSample {
    let planes = match &track.planes {
        Padded::I16(channels) => Padded::I16(channels.unrolled(unrolled)),
        Padded::F32(channels) => Padded::F32(channels.unrolled(unrolled)),
    };
    let (region, loop_plan) = (Some(unrolled.region()), unrolled.loop_plan());
    PreparedSample {
        loop_region: region,
        loop_plan,
        tail: Tail::Looped,
        release_track: None,
        planes,
        ..track.clone()
    }
}

/// Returns the recording played through, without its loop.
pub(super) fn plain(track: &PreparedSample) -> PreparedSample {
    let (loop_plan, ending) = (held(track.length), track.planes.ending(track.length));
    PreparedSample {
        loop_region: None,
        loop_plan,
        tail: ending,
        release_track: None,
        planes: track.planes.unlooped(),
        ..track.clone()
    }
}

#[cfg(test)]
mod tests;
