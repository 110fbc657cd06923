//! What a musician changes about a sound: gain, pitch, loop, trim, envelope and shape.
//!
//! The same facts are played live (as the strip and the bank of its notes), rendered, kept, written to files, and read
//! with a saved instrument.

mod instrument;
mod samples;

use std::time::Duration;

use crate::{
    AfterRelease, Cents, Decibels, Envelope, Frames, Instrument, Key, LoopCount, LoopMode, LoopOverride,
    LoopRange, Pan, Quality, SampleIndex, SampleOverride, Sends, Shape, VoiceMode, Zone,
};
pub use instrument::VoicedSamples;

/// What is changed about the notes of a sound; the default changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Voicing {
    /// Added to their gain.
    pub gain: Decibels,
    /// Added to their pan.
    pub pan: Pan,
    /// By how much they are higher.
    pub tune: Cents,
    /// By how many semitones the key is higher that plays them at their own pitch.
    pub root_shift: i8,
    /// Whether they repeat until they are released, if not as the sound says.
    pub looping: Option<bool>,
    /// Which frames repeat forwards, if not as the sound says.
    pub loop_range: Option<FrameRange>,
    /// Which frames are played, if not all. A recording that ends before them is played whole.
    pub trim: Option<FrameRange>,
    /// How they begin and end, if not as the sound says.
    pub envelope: Option<Envelope>,
    /// How well they are interpolated, if not as the engine does.
    pub quality: Option<Quality>,
    /// How they move, and follow each other.
    pub shape: Shape,
    /// Gain to the reverb, if not as the sound says; [`Sends::OFF`] and less sends nothing.
    pub reverb: Option<Decibels>,
    /// Gain to the delay, if not as the sound says; [`Sends::OFF`] and less sends nothing.
    pub delay: Option<Decibels>,
}

/// What a sound says itself, to which it is voiced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoundDefaults {
    /// How its notes begin and end.
    pub envelope: Envelope,
    /// The key that plays it at its own pitch.
    pub root: Key,
    /// How its notes follow each other.
    pub voice_mode: VoiceMode,
    /// How long a mono or legato note takes to its pitch.
    pub glide: Duration,
    /// What its notes send to effects.
    pub sends: Sends,
}

impl SoundDefaults {
    /// Returns what an instrument says.
    #[must_use]
    pub fn of(own: &Instrument) -> Self {
        let root = own.root();
        let &Instrument { envelope, voice_mode, glide, sends, .. } = own;
        Self { envelope, root, voice_mode, glide, sends }
    }
}

impl Default for SoundDefaults {
    fn default() -> Self {
        Self::of(&Instrument::default())
    }
}

/// Frames of a recording: from the first to before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRange {
    /// The first frame.
    pub start: Frames,
    /// The first frame after them.
    pub end: Frames,
}

impl FrameRange {
    /// Returns how many frames it has.
    #[must_use]
    pub const fn length(&self) -> Frames {
        Frames::new(self.end.get().saturating_sub(self.start.get()))
    }

    /// Returns whether all of another range is in it.
    #[must_use]
    pub const fn contains(&self, other: &Self) -> bool {
        self.start.get() <= other.start.get() && other.end.get() <= self.end.get()
    }

    /// Returns a loop counted from the first of these frames; none if it is not wholly within.
    fn within(&self, range: &LoopRange) -> Option<LoopRange> {
        if !self.contains(&Self { start: range.start(), end: range.end() }) {
            return None;
        }
        let from_start = |frame: Frames| Frames::new(frame.get().saturating_sub(self.start.get()));
        let (start, end) = (from_start(range.start()), from_start(range.end()));
        let moved = LoopRange::new(start, end, self.length(), range.mode(), range.plays()).ok()?;
        Some(if range.is_sustaining() { moved.sustaining() } else { moved })
    }
}

impl Voicing {
    /// Returns how a bank is to play the sound's recordings; none if as the sound says.
    #[must_use]
    pub fn sample_override(&self) -> Option<SampleOverride> {
        let trim = self.trim.map(|FrameRange { start, end }| (start, end));
        let how = SampleOverride { looping: self.loop_override(), trim };
        (how != SampleOverride::default()).then_some(how)
    }

    /// Returns which frames are played of a recording of `length` frames; none if all are. As a bank with
    /// [`sample_override`](Self::sample_override) does: a trim beyond the recording changes nothing.
    #[must_use]
    pub fn trim_of(&self, length: Frames) -> Option<FrameRange> {
        let is_part =
            |trim: &FrameRange| trim.start < trim.end && trim.end <= length && trim.length() < length;
        self.trim.filter(is_part)
    }

    /// Returns how a bank is to play the sound's loop; none if as the sound says.
    #[must_use]
    pub fn loop_override(&self) -> Option<LoopOverride> {
        match (self.looping, self.loop_range) {
            _ if self.shape.is_one_shot => Some(LoopOverride::Off),
            (Some(false), _) => Some(LoopOverride::Off),
            (_, Some(FrameRange { start, end })) => Some(LoopOverride::Range(start, end)),
            (Some(true), None) => Some(LoopOverride::On),
            (None, None) => None,
        }
    }

    /// Returns the key that plays a sound at its own pitch, given the one that does if nothing is changed.
    #[must_use]
    pub fn root(&self, own: Key) -> Key {
        let highest = i32::from(Key::HIGHEST.get());
        let key = (i32::from(own.get()) + i32::from(self.root_shift)).clamp(0, highest);
        u8::try_from(key).ok().and_then(|key| Key::new(key).ok()).unwrap_or(own)
    }

    /// Returns the loops of a recording of `length` frames, given those that it has if nothing is changed, counted from
    /// the first frame that is played. As a bank with [`sample_override`](Self::sample_override) does: a range beyond
    /// the recording changes nothing, and a loop that is not wholly within the trim does not repeat.
    #[must_use]
    pub fn loops(&self, own: &[LoopRange], length: Frames) -> Vec<LoopRange> {
        let forward =
            |start, end| LoopRange::new(start, end, length, LoopMode::Forward, LoopCount::Forever).ok();
        let trim = self.trim_of(length);
        let loops = match self.loop_override() {
            Some(LoopOverride::Off) => Vec::new(),
            Some(LoopOverride::On) if own.is_empty() => {
                let FrameRange { start, end } =
                    trim.unwrap_or(FrameRange { start: Frames::ZERO, end: length });
                forward(start, end).into_iter().collect()
            }
            Some(LoopOverride::Range(start, end)) => {
                forward(start, end).map_or_else(|| own.to_vec(), |range| vec![range])
            }
            Some(LoopOverride::On) | None => own.to_vec(),
        };
        let Some(trim) = trim else { return loops };
        let first = loops.first().and_then(|first| trim.within(first));
        // A note goes on to the end if the loop that it would go on in is not there.
        let is_left = match AfterRelease::of(&loops) {
            AfterRelease::Loop(range) => trim.within(range).is_none(),
            AfterRelease::Same | AfterRelease::End => false,
        };
        let others = loops.get(1..).filter(|_| first.is_some() && !is_left).unwrap_or_default();
        first.into_iter().chain(others.iter().filter_map(|range| trim.within(range))).collect()
    }

    /// Returns the root key as [`root`](Self::root) does, and the tuning of every key that goes with it: the tune, and
    /// what of the shift leaves the keyboard.
    #[must_use]
    pub fn rooted(&self, own: Key) -> (Key, Cents) {
        let root = self.root(own);
        let rest = root.above(own).get() - 100.0 * f64::from(self.root_shift);
        (root, self.tune + Cents::new(rest).unwrap_or_default())
    }

    /// Returns a zone with all but its loops: with the root key, tuning, gain and pan, and another sample, in whose
    /// file `in_file` of the gain is applied already.
    #[must_use]
    pub fn zone(&self, own: &Zone, sample: SampleIndex, in_file: Decibels) -> Zone {
        let (root, tuning) = self.rooted(own.root());
        let rooted = own.clone().of_sample(sample, root, tuning);
        // Where keys are not a semitone apart another root would shift them by another interval.
        let is_right = |key| {
            let wanted = own.transposition(key) + self.tuning();
            (rooted.transposition(key).get() - wanted.get()).abs() < 1e-6
        };
        let is_rooted = is_right(Key::LOWEST) && is_right(Key::HIGHEST);
        let zone = if is_rooted { rooted } else { own.clone().of_sample(sample, own.root(), self.tuning()) };
        let added = Decibels::new(self.gain.get() - in_file.get()).unwrap_or_default();
        let pan = Pan::new((own.pan().get() + self.pan.get()).clamp(-1.0, 1.0)).unwrap_or_default();
        let zone = zone.at(own.gain() + added, pan);
        if self.loop_override().is_some() { zone.without_whole_loop() } else { zone }
    }

    /// Returns what notes send to effects, given what they send if nothing is changed.
    #[must_use]
    pub fn sends(&self, own: Sends) -> Sends {
        let sent = |voiced: Option<Decibels>, own: Option<Decibels>| {
            voiced.or(own).filter(|gain| gain.get() > Sends::OFF)
        };
        Sends { reverb: sent(self.reverb, own.reverb), delay: sent(self.delay, own.delay) }
    }

    /// Returns by how much notes are higher.
    #[must_use]
    pub fn tuning(&self) -> Cents {
        let root = Cents::new(-100.0 * f64::from(self.root_shift)).unwrap_or_default();
        self.tune + root
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ZoneResponse;

    #[test]
    fn a_range_repeats_unless_the_loop_is_off() {
        let range = FrameRange { start: Frames::new(3), end: Frames::new(7) };
        let how = |looping, loop_range| Voicing { looping, loop_range, ..Voicing::default() }.loop_override();
        let ranged = Some(LoopOverride::Range(range.start, range.end));
        assert_eq!([how(None, Some(range)), how(Some(true), Some(range))], [ranged; 2]);
        assert_eq!(how(Some(false), Some(range)), Some(LoopOverride::Off));
        assert_eq!([how(Some(true), None), how(None, None)], [Some(LoopOverride::On), None]);
    }

    #[test]
    fn sends_are_those_of_the_sound_unless_they_are_changed_or_switched_off() {
        let gain = |decibels| Some(Decibels::new(decibels).unwrap());
        let own = Sends { reverb: gain(-9.0), delay: None };
        let sends = |reverb, delay| Voicing { reverb, delay, ..Voicing::default() }.sends(own);
        assert_eq!(sends(None, None), own);
        assert_eq!(sends(gain(-3.0), gain(-4.0)), Sends { reverb: gain(-3.0), delay: gain(-4.0) });
        assert_eq!(sends(gain(Sends::OFF), None), Sends::default());
    }

    #[test]
    fn a_root_lowers_a_zone_by_as_much_as_its_notes_also_where_keys_are_less_than_a_semitone_apart() {
        let voicing = Voicing { root_shift: 4, tune: Cents::new(10.0).unwrap(), ..Voicing::default() };
        for cents in [100.0, 50.0, 0.0] {
            let response = Arc::new(ZoneResponse { pitch_by_key: cents, ..ZoneResponse::default() });
            let own = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, Cents::new(7.0).unwrap());
            let own = own.with_response(Some(response));
            let zone = voicing.zone(&own, SampleIndex::new(3), Decibels::UNITY);
            for key in [Key::LOWEST, Key::C4, Key::HIGHEST] {
                let lower = own.transposition(key).get() - zone.transposition(key).get();
                assert!((lower - 390.0).abs() < 1e-6, "{cents} {key} {lower}");
            }
        }
    }
}
