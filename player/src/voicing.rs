//! How a player has changed a sound: the same for the keys of the computer, for MIDI and for the screen.

use engine::{ChannelStrip, Note, Quality};
use song::{Cents, Decibels, Envelope, Pan};

/// What is changed about the notes of a sound; the default changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Voicing {
    /// Added to their gain.
    pub gain: Decibels,
    /// Added to their pan.
    pub pan: Pan,
    /// By how much they are higher.
    pub tune: Cents,
    /// Whether they repeat until they are released, if not as the sound says.
    pub looping: Option<bool>,
    /// How they begin and end, if not as the sound says.
    pub envelope: Option<Envelope>,
    /// How well they are interpolated, if not as the engine does.
    pub quality: Option<Quality>,
}

impl Voicing {
    /// Returns what a strip that only this sound's notes are on does for them, also while they sound.
    #[must_use]
    pub fn strip(&self) -> ChannelStrip {
        ChannelStrip { gain: self.gain, pan: self.pan, tune: self.tune, ..ChannelStrip::default() }
    }

    /// Returns a note on such a strip: with what no strip does.
    #[must_use]
    pub const fn on_strip(&self, note: Note) -> Note {
        Note { envelope: self.envelope, quality: self.quality, ..note }
    }

    /// Returns a note on a strip of others: with everything.
    #[must_use]
    pub fn alone(&self, note: Note) -> Note {
        let pan = (note.pan.get() + self.pan.get()).clamp(-1.0, 1.0);
        let pan = Pan::new(pan).unwrap_or_default();
        Note { gain: note.gain + self.gain, pan, tune: note.tune + self.tune, ..self.on_strip(note) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use song::{InstrumentIndex, Key, Velocity};

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
        };
        let plain = Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST);
        assert_eq!(voicing.on_strip(plain), Note { envelope, quality: Some(Quality::Draft), ..plain });
        let strip = voicing.strip();
        assert_eq!((strip.gain, strip.pan, strip.tune), (voicing.gain, voicing.pan, voicing.tune));
        let alone = voicing.alone(Note { pan: Pan::new(0.5).unwrap(), ..plain });
        assert_eq!((alone.gain, alone.pan.get(), alone.tune), (voicing.gain, 1.0, voicing.tune));
        assert_eq!((alone.envelope, alone.quality), (envelope, Some(Quality::Draft)));
        assert_eq!(Voicing::default().alone(plain), plain);
    }
}
