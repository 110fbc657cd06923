//! What was changed about a sound, in TOML: for the adjustments that are kept, and for saved instruments.

mod stored_shape;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use song::{Cents, Decibels, Envelope, FrameRange, Frames, Key, Pan, Quality, SoundDefaults, Voicing};
use stored_shape::StoredShape;

/// A voicing as a file has it: fields that are not there change nothing.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StoredVoicing {
    /// What the sound is called, for who reads the file, or by which it is found.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Decibels.
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<f32>,
    /// From -1 (left) to 1 (right).
    #[serde(skip_serializing_if = "Option::is_none")]
    pan: Option<f32>,
    /// Cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    tune: Option<f64>,
    /// The MIDI key that plays it at its own pitch; C4 is 60.
    #[serde(skip_serializing_if = "Option::is_none")]
    root_key: Option<u8>,
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    looping: Option<bool>,
    /// The first frame of the loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_start: Option<u64>,
    /// The first frame after the loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_end: Option<u64>,
    /// The first frame that is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    trim_start: Option<u64>,
    /// The first frame that is not played any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    trim_end: Option<u64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<u64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    release: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<String>,
    /// How notes move, and follow each other.
    #[serde(default, skip_serializing_if = "StoredShape::is_empty")]
    shape: StoredShape,
}

impl StoredVoicing {
    /// Returns what a file is to say of a sound of that name.
    #[must_use]
    pub fn of(voicing: &Voicing, name: &str, own: &SoundDefaults) -> Self {
        let &Voicing { gain, pan, tune, root_shift, looping, loop_range, trim, envelope, quality, .. } =
            voicing;
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self {
            name: name.to_owned(),
            gain: (gain.get() != 0.0).then(|| gain.get()),
            pan: (pan != Pan::CENTRE).then(|| pan.get()),
            tune: (tune.get() != 0.0).then(|| tune.get()),
            root_key: (root_shift != 0).then(|| voicing.root(own.root).get()),
            looping,
            loop_start: loop_range.map(|range| range.start.get()),
            loop_end: loop_range.map(|range| range.end.get()),
            trim_start: trim.map(|range| range.start.get()),
            trim_end: trim.map(|range| range.end.get()),
            attack: envelope.map(|envelope| ms(envelope.attack)),
            release: envelope.map(|envelope| ms(envelope.release)),
            quality: quality.map(|quality| quality.name().to_owned()),
            shape: StoredShape::of(voicing, own),
        }
    }

    /// Returns it without its shape, and that: a table of its own.
    pub(crate) fn without_shape(self) -> (Self, StoredShape) {
        let shape = self.shape.clone();
        (Self { shape: StoredShape::default(), ..self }, shape)
    }

    /// Returns a key or a name that means nothing, in words.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        self.shape.problem()
    }

    /// Returns what it says; a value that is out of range changes nothing.
    #[must_use]
    pub fn voicing(&self, defaults: &SoundDefaults) -> Voicing {
        let SoundDefaults { envelope: own, root, .. } = *defaults;
        let shift = self.root_key.filter(|key| Key::new(*key).is_ok());
        let shift = shift.and_then(|key| i8::try_from(i16::from(key).checked_sub(root.get().into())?).ok());
        let range = |start: Option<u64>, end: Option<u64>| {
            let (start, end) = start.zip(end).filter(|(start, end)| start < end)?;
            Some(FrameRange { start: Frames::new(start), end: Frames::new(end) })
        };
        let time = |ms: Option<u64>, own: Duration| ms.map_or(own, Duration::from_millis);
        let envelope =
            Envelope { attack: time(self.attack, own.attack), release: time(self.release, own.release) };
        let quality = |name: &str| Quality::ALL.into_iter().find(|quality| quality.name() == name);
        let mut voicing = Voicing {
            gain: self.gain.and_then(|gain| Decibels::new(gain).ok()).unwrap_or_default(),
            pan: self.pan.and_then(|pan| Pan::new(pan).ok()).unwrap_or_default(),
            tune: self.tune.and_then(|tune| Cents::new(tune).ok()).unwrap_or_default(),
            root_shift: shift.unwrap_or_default(),
            looping: self.looping,
            loop_range: range(self.loop_start, self.loop_end),
            trim: range(self.trim_start, self.trim_end),
            envelope: (envelope != own).then_some(envelope),
            quality: self.quality.as_deref().and_then(quality),
            ..Voicing::default()
        };
        self.shape.apply(&mut voicing, defaults);
        voicing
    }
}
