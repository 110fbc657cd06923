use std::time::Duration;

use song::module::{BreakpointEnvelope, Dialect, Globals, InitialFilter, Instrument, ModuleWriter, Sample};
use song::{FadeStart, LowPass, TrackerArticulation};

use super::filter::FilterModel;
use super::{pitch_lfo, tick_envelope};

/// The tempo of a module that states none.
const DEFAULT_TEMPO: u16 = 125;
/// No tracker can be set to a slower one.
const MIN_TEMPO: u16 = 32;
/// Nor to a faster one.
const MAX_TEMPO: u16 = 1000;

/// Returns how notes of a sample move, on an instrument if they are played on one; none if they do not. The tempo is
/// the module's first.
#[must_use]
pub fn articulation(
    dialect: Dialect,
    writer: &ModuleWriter,
    globals: &Globals,
    instrument: Option<&Instrument>,
    sample: &Sample,
) -> Option<TrackerArticulation> {
    let tempo = if globals.tempo == 0 { DEFAULT_TEMPO } else { globals.tempo };
    let envelope = |of: fn(&Instrument) -> Option<&BreakpointEnvelope>| {
        let found = instrument.and_then(of).filter(|envelope| envelope.is_on());
        found.map(|envelope| tick_envelope(envelope, dialect))
    };
    let volume = envelope(|instrument| instrument.volume.as_ref());
    let fadeout = instrument.map_or(0, |instrument| instrument.fadeout);
    let tick = Duration::from_micros(2_500_000).checked_div(tempo.clamp(MIN_TEMPO, MAX_TEMPO).into());
    let articulation = TrackerArticulation {
        tick: tick.unwrap_or_default(),
        // Without a volume envelope FastTracker 2 cuts a released note.
        fadeout: if dialect == Dialect::FastTracker2 && volume.is_none() { 0 } else { fadeout },
        fade_start: fade_start(dialect),
        volume,
        pan: envelope(|instrument| instrument.pan.as_ref()),
        pitch: envelope(|instrument| instrument.pitch.as_ref()),
        cutoff: envelope(|instrument| instrument.cutoff.as_ref()),
        filter: instrument.map_or(LowPass::OPEN, |instrument| filter(instrument, writer, globals)),
        vibrato: sample.vibrato.and_then(|vibrato| pitch_lfo(dialect, vibrato)),
    };
    (!articulation.is_still()).then_some(articulation)
}

/// Returns the filter that an instrument begins with. One that says nothing has an open one, whatever the program.
fn filter(instrument: &Instrument, writer: &ModuleWriter, globals: &Globals) -> LowPass {
    let InitialFilter { cutoff, resonance } = instrument.filter;
    let resonance = resonance.unwrap_or(0);
    let cutoff = cutoff.unwrap_or(InitialFilter::OPEN);
    if cutoff >= InitialFilter::OPEN && resonance == 0 && instrument.cutoff.is_none() {
        return LowPass::OPEN;
    }
    FilterModel::of(writer, globals).low_pass(cutoff.into(), resonance.into())
}

/// Impulse Tracker lets a note fade when its volume envelope ends, and the others when its key is released.
const fn fade_start(dialect: Dialect) -> FadeStart {
    match dialect {
        Dialect::ImpulseTracker => FadeStart::AtEnvelopeEnd,
        _ => FadeStart::AtRelease,
    }
}

#[cfg(test)]
mod tests {
    use song::module::{KeyMap, NoteMapping, Point, SampleSource, Span};

    use super::*;

    fn instrument(volume: Option<BreakpointEnvelope>, fadeout: u32) -> Instrument {
        let keys = KeyMap::new([NoteMapping::default(); KeyMap::KEYS]);
        Instrument { volume, fadeout, ..Instrument::plain(keys) }
    }

    fn of(dialect: Dialect, instrument: &Instrument) -> Option<TrackerArticulation> {
        let (writer, sample) = (ModuleWriter::default(), Sample::silent(SampleSource::Silent));
        articulation(dialect, &writer, &Globals::default(), Some(instrument), &sample)
    }

    fn falling_to(value: i8, looping: Option<Span>) -> BreakpointEnvelope {
        let points = vec![Point { tick: 0, value: 64 }, Point { tick: 10, value }];
        BreakpointEnvelope::new(points, Some(Span { first: 0, last: 0 }), looping).unwrap()
    }

    #[test]
    fn what_does_not_move_has_no_articulation() {
        assert_eq!(of(Dialect::ImpulseTracker, &instrument(None, 0)), None);
        let off = falling_to(0, None).switched(false, false);
        assert_eq!(of(Dialect::ImpulseTracker, &instrument(Some(off), 0)), None);
        assert_eq!(of(Dialect::FastTracker2, &instrument(None, 100)), None);
        assert!(of(Dialect::ImpulseTracker, &instrument(None, 100)).is_some());
    }

    #[test]
    fn a_tick_is_two_and_a_half_seconds_by_the_tempo() {
        let with = |tempo| {
            let globals = Globals { tempo, ..Globals::default() };
            let sample = Sample::silent(SampleSource::Silent);
            let (writer, instrument) = (ModuleWriter::default(), instrument(None, 1));
            let made = articulation(Dialect::ImpulseTracker, &writer, &globals, Some(&instrument), &sample);
            made.unwrap().tick
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
