//! How a voiced sound is played: the same for the keys of the computer, for MIDI and for the screen.
//!
//! ```text
//! song::Voicing ─┬─ in_bank          loops, trim and articulations, in the bank of the sound
//!                ├─ strip, on_strip  gain, pan, tune on a strip of its own, the rest in the note
//!                └─ alone            all of it in the note, but for what it sends: `sending`
//! ```

use engine::{ChannelStrip, Note};
use song::{
    Articulation, Cents, Decibels, Envelope, FilterKind, FilterShape, Instrument, Pan, SampleOverride, Sends,
    Shape, Voicing,
};

/// The cutoff of the filter that a bank has for a shape, in hertz: notes say how far they are from it, so that it can
/// be turned while they sound. Where the low-pass of a note without a filter is open, so that a low-pass that is
/// switched on takes hold of it as well.
const BANK_CUTOFF: f32 = FilterShape::MAX_CUTOFF;

/// What of a voicing a bank is made with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BankVoicing {
    /// How recordings loop and where they are trimmed, if not as the sound says.
    pub sample: Option<SampleOverride>,
    /// How notes move, and with which attack and release.
    shape: Option<(Shape, Option<Envelope>)>,
}

impl BankVoicing {
    /// Returns an instrument as a bank is to have it; new articulations, whose indices follow `first`, are added to
    /// `made`. None if it is as it is.
    #[must_use]
    pub fn instrument(
        &self,
        own: &Instrument,
        articulations: &[Articulation],
        (first, made): (usize, &mut Vec<Articulation>),
    ) -> Option<Instrument> {
        let (shape, envelope) = self.shape?;
        Some(shape.instrument(own, envelope.unwrap_or(own.envelope), articulations, (first, made)))
    }
}

/// Returns a strip that only sends to effects.
pub const fn sending(sends: Sends) -> ChannelStrip {
    let Sends { reverb, delay } = sends;
    ChannelStrip { reverb, delay, ..ChannelStrip::NEUTRAL }
}

/// What an engine is told of a voicing.
pub trait EngineVoicing {
    /// Returns what of it a bank is to be made with.
    #[must_use]
    fn in_bank(&self) -> BankVoicing;

    /// Returns what notes add to the cutoff and the resonance of the filter that their bank has.
    #[must_use]
    fn tone(&self) -> (Cents, Decibels);

    /// Returns the tone that a note is to go to that began with a filter, or with none; none if it keeps its own, as it
    /// would be heard through a filter of another kind.
    #[must_use]
    fn tone_of(&self, began_with: Option<FilterKind>) -> Option<(Cents, Decibels)>;

    /// Returns what a strip that only this sound's notes are on does for them, also while they sound. `own` is what
    /// the sound sends if it is not changed.
    #[must_use]
    fn strip(&self, own: Sends) -> ChannelStrip;

    /// Returns a note on such a strip: with what no strip does.
    #[must_use]
    fn on_strip(&self, note: Note) -> Note;

    /// Returns a note on a strip of others: with everything but what it sends.
    #[must_use]
    fn alone(&self, note: Note) -> Note;
}

impl EngineVoicing for Voicing {
    fn in_bank(&self) -> BankVoicing {
        let filter = match self.shape.filter.kind {
            Some(_) => FilterShape { cutoff: BANK_CUTOFF, resonance: Decibels::UNITY, ..self.shape.filter },
            None => FilterShape::default(),
        };
        let shape = Shape { filter, ..self.shape };
        let shape = (shape != Shape::default()).then_some((shape, self.envelope));
        BankVoicing { sample: self.sample_override(), shape }
    }

    fn tone(&self) -> (Cents, Decibels) {
        let FilterShape { kind, cutoff, resonance, .. } = self.shape.filter;
        if kind.is_none() {
            return (Cents::ZERO, Decibels::UNITY);
        }
        let cents = 1200.0 * f64::from(cutoff / BANK_CUTOFF).log2();
        (Cents::new(cents).unwrap_or_default(), resonance)
    }

    fn tone_of(&self, began_with: Option<FilterKind>) -> Option<(Cents, Decibels)> {
        let is_low_pass = |kind: Option<FilterKind>| {
            matches!(kind, None | Some(FilterKind::LowPass2 | FilterKind::LowPass4))
        };
        let kind = self.shape.filter.kind;
        (kind == began_with || is_low_pass(kind) && is_low_pass(began_with)).then(|| self.tone())
    }

    fn strip(&self, own: Sends) -> ChannelStrip {
        ChannelStrip { gain: self.gain, pan: self.pan, tune: self.tuning(), ..sending(self.sends(own)) }
    }

    fn on_strip(&self, note: Note) -> Note {
        let (cutoff, resonance) = self.tone();
        // What moves has attack and release in its bank.
        let envelope = self.envelope.filter(|_| !self.shape.is_moving());
        Note { envelope, quality: self.quality, cutoff, resonance, ..note }
    }

    fn alone(&self, note: Note) -> Note {
        let pan = (note.pan.get() + self.pan.get()).clamp(-1.0, 1.0);
        let pan = Pan::new(pan).unwrap_or_default();
        Note { gain: note.gain + self.gain, pan, tune: note.tune + self.tuning(), ..self.on_strip(note) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use song::{InstrumentIndex, Key, Quality, Velocity};

    use super::*;

    #[test]
    fn a_note_is_changed_by_a_strip_or_by_itself_and_never_by_both() {
        let envelope = Some(Envelope { attack: Duration::from_millis(5), ..Envelope::default() });
        let voicing = Voicing {
            gain: Decibels::new(-6.0).unwrap(),
            pan: Pan::new(0.75).unwrap(),
            tune: Cents::new(100.0).unwrap(),
            looping: Some(true),
            envelope,
            quality: Some(Quality::Draft),
            ..Voicing::default()
        };
        let plain = Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST);
        assert_eq!(voicing.on_strip(plain), Note { envelope, quality: Some(Quality::Draft), ..plain });
        let strip = voicing.strip(Sends::default());
        assert_eq!((strip.gain, strip.pan, strip.tune), (voicing.gain, voicing.pan, voicing.tune));
        let alone = voicing.alone(Note { pan: Pan::new(0.5).unwrap(), ..plain });
        assert_eq!((alone.gain, alone.pan.get(), alone.tune), (voicing.gain, 1.0, voicing.tune));
        assert_eq!((alone.envelope, alone.quality), (envelope, Some(Quality::Draft)));
        assert_eq!(Voicing::default().alone(plain), plain);
    }

    #[test]
    fn a_higher_root_key_plays_what_a_lower_one_played() {
        let voicing = Voicing { root_shift: 12, tune: Cents::new(5.0).unwrap(), ..Voicing::default() };
        assert_eq!(voicing.root(Key::C4).to_string(), "C5");
        assert_eq!(
            [voicing.strip(Sends::default()).tune.get(), voicing.alone(plain()).tune.get()],
            [-1195.0; 2]
        );
        assert_eq!(Voicing { root_shift: -128, ..voicing }.root(Key::C4), Key::LOWEST);
        assert_eq!(Voicing { root_shift: 127, ..voicing }.root(Key::C4), Key::HIGHEST);
    }

    #[test]
    fn notes_without_a_filter_follow_a_low_pass_that_is_switched_on_and_no_other() {
        let with = |kind| Voicing {
            shape: Shape {
                filter: FilterShape { kind, cutoff: 5000.0, ..FilterShape::default() },
                ..Shape::default()
            },
            ..Voicing::default()
        };
        let (low, high) = (Some(FilterKind::LowPass2), Some(FilterKind::HighPass2));
        let cents = |voicing: Voicing, began| voicing.tone_of(began).map(|(cutoff, _)| cutoff.get());
        // Two octaves below where it is open.
        assert_eq!([cents(with(low), None), cents(with(low), low)], [Some(-2400.0); 2]);
        assert_eq!([cents(with(high), None), cents(with(high), low), cents(with(None), high)], [None; 3]);
        assert_eq!([cents(with(high), high), cents(with(None), low)], [Some(-2400.0), Some(0.0)]);
    }

    fn plain() -> Note {
        Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST)
    }
}
