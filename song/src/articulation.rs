use std::time::Duration;

use crate::module::{Dialect, Envelope, Filter, Globals, Instrument, Sample, Vibrato};

/// How a note moves while it sounds, in volume, pan, pitch and timbre, as on the instruments of trackers.
///
/// ```text
/// ticks    0     1     2     3          each as long as the module's tempo says
/// curves   ·─────·─────·─────·          a value at each of them, and straight lines in between
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Articulation {
    /// By whose rules.
    pub dialect: Dialect,
    /// How long a tick is.
    pub tick: Duration,
    /// Of the volume, 0..=64.
    pub volume: Option<Envelope>,
    /// Of the pan, −32..=32: of what is left to each side.
    pub pan: Option<Envelope>,
    /// Of the pitch in half semitones, −32..=32.
    pub pitch: Option<Envelope>,
    /// Of the filter's cutoff, −32..=32; at the highest it is what the filter says.
    pub cutoff: Option<Envelope>,
    /// How much of a fading note goes in each tick, in 32,768ths of full.
    pub fadeout: u32,
    /// The filter it begins with.
    pub filter: Filter,
    /// A vibrato it has of itself.
    pub vibrato: Option<Vibrato>,
}

impl Articulation {
    /// The tempo of a module that states none.
    const TEMPO: u16 = 125;
    /// No tracker can be told a slower one.
    const MIN_TEMPO: u16 = 32;
    /// Nor a faster one.
    const MAX_TEMPO: u16 = 1000;

    /// How notes of a sample move, on an instrument if they are played on one; none if they do not. The tempo is the
    /// module's first.
    #[must_use]
    pub fn of(
        dialect: Dialect,
        globals: &Globals,
        instrument: Option<&Instrument>,
        sample: &Sample,
    ) -> Option<Self> {
        let tempo = if globals.tempo == 0 { Self::TEMPO } else { globals.tempo };
        let on = |envelope: Option<&Envelope>| envelope.filter(|envelope| envelope.is_on()).cloned();
        let envelope = |of: fn(&Instrument) -> Option<&Envelope>| on(instrument.and_then(of));
        let volume = envelope(|instrument| instrument.volume.as_ref());
        let fadeout = instrument.map_or(0, |instrument| instrument.fadeout);
        let articulation = Self {
            dialect,
            tick: Duration::from_micros(2_500_000) / u32::from(tempo.clamp(Self::MIN_TEMPO, Self::MAX_TEMPO)),
            fadeout: if dialect == Dialect::FastTracker2 && volume.is_none() { 0 } else { fadeout },
            volume,
            pan: envelope(|instrument| instrument.pan.as_ref()),
            pitch: envelope(|instrument| instrument.pitch.as_ref()),
            cutoff: envelope(|instrument| instrument.cutoff.as_ref()),
            filter: instrument.map(|instrument| instrument.filter).unwrap_or_default(),
            vibrato: sample.vibrato.filter(|vibrato| vibrato.depth > 0),
        };
        (!articulation.is_still()).then_some(articulation)
    }

    fn is_still(&self) -> bool {
        let curves = [&self.volume, &self.pan, &self.pitch, &self.cutoff];
        curves.iter().all(|curve| curve.is_none())
            && self.fadeout == 0
            && !self.is_filtered()
            && self.vibrato.is_none()
    }

    /// Whether it has a filter that may take something away.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        self.cutoff.is_some() || !self.filter.is_open()
    }

    /// Whether a note fades from where its key is let go: on an Impulse Tracker instrument if its volume would not come
    /// to an end.
    #[must_use]
    pub fn fades_when_released(&self) -> bool {
        match self.dialect {
            Dialect::ImpulseTracker => self.volume.as_ref().is_none_or(|volume| volume.looping().is_some()),
            _ => true,
        }
    }

    /// Whether a note fades from where its volume has come to an end, held or not.
    #[must_use]
    pub fn fades_at_the_end(&self) -> bool {
        self.dialect == Dialect::ImpulseTracker
    }

    /// Whether a note that is let go falls silent of itself, whatever its sample does.
    #[must_use]
    pub fn ends(&self) -> bool {
        let volume = self.volume.as_ref();
        let closes = volume.is_some_and(|volume| volume.closes(self.dialect));
        let comes_to_an_end = volume.is_some_and(|volume| volume.leaves(self.dialect));
        let fades = self.fades_when_released() || (self.fades_at_the_end() && comes_to_an_end);
        closes || (self.fadeout > 0 && fades)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{KeyMap, NoteMapping, Point, SampleSource, Span};

    fn instrument(volume: Option<Envelope>, fadeout: u32) -> Instrument {
        let keys = KeyMap::new([NoteMapping::default(); KeyMap::KEYS]);
        Instrument { volume, fadeout, ..Instrument::plain(keys) }
    }

    fn of(dialect: Dialect, instrument: &Instrument) -> Option<Articulation> {
        Articulation::of(
            dialect,
            &Globals::default(),
            Some(instrument),
            &Sample::silent(SampleSource::Silent),
        )
    }

    fn falling_to(value: i8, looping: Option<Span>) -> Envelope {
        let points = vec![Point { tick: 0, value: 64 }, Point { tick: 10, value }];
        Envelope::new(points, Some(Span { first: 0, last: 0 }), looping).unwrap()
    }

    #[test]
    fn what_does_not_move_has_no_articulation() {
        assert_eq!(of(Dialect::ImpulseTracker, &instrument(None, 0)), None);
        let off = falling_to(0, None).switched(false, false);
        assert_eq!(of(Dialect::ImpulseTracker, &instrument(Some(off), 0)), None);
        // Without an envelope FastTracker 2 cuts a note that is let go.
        assert_eq!(of(Dialect::FastTracker2, &instrument(None, 100)), None);
        assert!(of(Dialect::ImpulseTracker, &instrument(None, 100)).is_some());
    }

    #[test]
    fn a_tick_is_two_and_a_half_seconds_by_the_tempo() {
        let with = |tempo| {
            let globals = Globals { tempo, ..Globals::default() };
            let instrument = instrument(None, 1);
            let sample = Sample::silent(SampleSource::Silent);
            Articulation::of(Dialect::ImpulseTracker, &globals, Some(&instrument), &sample).unwrap().tick
        };
        assert_eq!(with(125), Duration::from_millis(20));
        assert_eq!(with(0), Duration::from_millis(20));
        assert_eq!(with(250), Duration::from_millis(10));
        assert_eq!((with(1), with(u16::MAX)), (with(32), Duration::from_micros(2500)));
    }

    #[test]
    fn a_released_note_ends_by_its_envelope_or_by_fading() {
        let it = |instrument: &Instrument| of(Dialect::ImpulseTracker, instrument).unwrap().ends();
        let xm = |instrument: &Instrument| of(Dialect::FastTracker2, instrument).unwrap().ends();
        let around = Some(Span { first: 0, last: 1 });
        let cases = [
            // Envelope, fadeout: IT, XM
            (falling_to(0, None), 0, true, true),
            (falling_to(9, None), 0, false, false),
            (falling_to(9, None), 1, true, true),
            (falling_to(0, around), 0, false, false),
            (falling_to(0, around), 1, true, true),
        ];
        for (envelope, fadeout, in_it, in_xm) in cases {
            let instrument = instrument(Some(envelope), fadeout);
            assert_eq!((it(&instrument), xm(&instrument)), (in_it, in_xm), "{instrument:?}");
        }
        assert!(it(&instrument(None, 1)));
    }
}
