//! `FastTracker` 2 modules of sounds.
//!
//! ```text
//! header 336 ─ pattern ─ instrument 263, sample 40, frames ─ instrument 263, sample 40, frames ─ …
//! ```
//!
//! Frames are stored as differences from the frame before, all lengths in bytes. Two channels are an extension of other
//! trackers: left before right, as differences each from zero on.
//!
//! Source: the tracker's own *XM.TXT*, with the corrections in libxmp's *tracker notes*.

use crate::sound_module::names;
use crate::sound_module::stored::StoredSound;
use crate::sound_module::{LostDetail, ModuleFormat, ModuleOptions, SoundRefusal, pattern};

/// Instruments that the tracker can hold.
pub(crate) const MAX_INSTRUMENTS: usize = 128;
const VERSION: u16 = 0x0104;
/// Letters of the title, and of the name of the tracker.
const TITLE: usize = 20;
/// Letters of an instrument and of a sample.
const NAME: usize = 22;
/// Bytes of the header from the field on that says this.
const HEADER: u32 = 276;
/// Orders of it, whatever the song's length.
const ORDERS: usize = 256;
/// Bytes of everything up to the end of the orders.
const HEAD: usize = 60 + HEADER as usize;
const PATTERN: u32 = 9;
const INSTRUMENT: u32 = 263;
const SAMPLE: u32 = 40;
/// Keys of an instrument.
const KEYS: usize = 96;
/// Slides are linear, and with them the pitches of notes.
const LINEAR: u16 = 1;

/// Rate of a sample at middle C without a relative note, in hertz.
const C4_RATE: f64 = 8363.0;
/// Steps of a semitone.
const FINETUNE: i32 = 128;
/// The tracker's middle C.
const MIDDLE_C: u8 = 49;

/// Types of a sample.
const FORWARD: u8 = 1;
const PING_PONG: u8 = 2;
const WIDE: u8 = 16;
const STEREO: u8 = 32;

/// Of a cell: not all fields follow, but a note and an instrument.
const PACKED: u8 = 0x80;
const NOTE: u8 = 1;
const HAS_INSTRUMENT: u8 = 2;

/// What the header says of sounds that were added: how many.
#[derive(Default)]
pub(crate) struct XmTables {
    sounds: usize,
}

impl XmTables {
    /// Returns the bytes before the first instrument, with a pattern for so many sounds.
    pub(crate) fn head_bytes(planned: usize, options: ModuleOptions) -> usize {
        HEAD + PATTERN as usize + cells(planned, planned, options.has_notes).len()
    }

    pub(crate) const fn sounds(&self) -> usize {
        self.sounds
    }

    /// Adds a sound; returns what comes before its frames.
    pub(crate) fn add(&mut self, sound: &StoredSound<'_>) -> Result<(LostDetail, Vec<u8>), SoundRefusal> {
        let refusal = SoundRefusal::Rate { rate: sound.c4_rate, format: ModuleFormat::Xm };
        let (relative, finetune) = tuning(sound.c4_rate).ok_or(refusal)?;
        let fits = |bytes: Option<u64>| {
            bytes.and_then(|bytes| u32::try_from(bytes).ok()).ok_or(SoundRefusal::TooLong)
        };
        let length = fits(sound.bytes())?;
        let in_bytes = |frames: song::Frames| fits(frames.get().checked_mul(sound.frame_bytes()));
        let (loop_kind, loop_start, loop_length) = match sound.loops.looping {
            Some(range) if range.mode() == song::LoopMode::Forward => {
                (FORWARD, in_bytes(range.start())?, in_bytes(range.length())?)
            }
            Some(range) => (PING_PONG, in_bytes(range.start())?, in_bytes(range.length())?),
            None => (0, 0, 0),
        };
        let when = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let kind = loop_kind | when(sound.is_wide, WIDE) | when(sound.is_stereo(), STEREO);
        let name: [u8; NAME] = sound.name.field(NAME);

        let mut bytes = INSTRUMENT.to_le_bytes().to_vec();
        bytes.extend(name);
        // One sample; the size of its header; all keys play it.
        bytes.extend([0, 1, 0]);
        bytes.extend(SAMPLE.to_le_bytes());
        bytes.extend([0; KEYS]);
        // Envelopes, vibrato and fadeout are off.
        bytes.resize(INSTRUMENT as usize, 0);
        for number in [length, loop_start, loop_length] {
            bytes.extend(number.to_le_bytes());
        }
        // Full volume, in the middle.
        bytes.extend([64, finetune.cast_unsigned(), kind, 128, relative.cast_unsigned(), 0]);
        bytes.extend(name);
        self.sounds += 1;
        let loops = sound.loops.has_others || sound.loops.sustain.is_some();
        Ok((LostDetail { loops, width: false }, bytes))
    }

    /// Returns what comes before the first instrument.
    pub(crate) fn head(&self, title: &str, planned: usize, options: ModuleOptions) -> Vec<u8> {
        let mut bytes = b"Extended Module: ".to_vec();
        bytes.extend(names::field::<TITLE>(title, TITLE));
        bytes.push(0x1A);
        bytes.extend(names::field::<TITLE>("usampler", TITLE));
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(HEADER.to_le_bytes());
        let instruments = u16::try_from(self.sounds).unwrap_or(u16::MAX);
        let channels = u16::try_from(channels(planned)).unwrap_or(u16::MAX);
        let speed = pattern::speed(options.has_notes).into();
        // One order, to which the song goes back, of one pattern.
        for number in [1, 0, channels, 1, instruments, LINEAR, speed, pattern::TEMPO.into()] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([0; ORDERS]);
        let cells = cells(planned, self.sounds, options.has_notes);
        bytes.extend(PATTERN.to_le_bytes());
        bytes.push(0);
        bytes.extend(pattern::ROWS.to_le_bytes());
        bytes.extend(u16::try_from(cells.len()).unwrap_or(u16::MAX).to_le_bytes());
        bytes.extend(cells);
        bytes
    }
}

/// Returns the relative note and the finetune whose rate is nearest; none if there is none so low or high.
fn tuning(rate: f64) -> Option<(i8, i8)> {
    const NOTES: std::ops::RangeInclusive<i32> = -96..=95;
    let steps = (12.0 * f64::from(FINETUNE) * (rate / C4_RATE).log2()).round();
    // The cast saturates.
    let steps = steps as i32;
    let note = steps.saturating_add(FINETUNE / 2).div_euclid(FINETUNE).clamp(*NOTES.start(), *NOTES.end());
    let finetune = i8::try_from(steps.checked_sub(note * FINETUNE)?).ok()?;
    // Below the lowest note there is nothing.
    (steps >= NOTES.start() * FINETUNE).then_some((i8::try_from(note).ok()?, finetune))
}

/// Returns the channels of a module of so many sounds: an even number.
fn channels(planned: usize) -> usize {
    pattern::rows(planned).first().map_or(0, Vec::len).next_multiple_of(2)
}

/// Returns the packed cells of a pattern for `planned` sounds, which has a field for each, also where only so many were
/// added: 0 is no instrument.
fn cells(planned: usize, sounds: usize, has_notes: bool) -> Vec<u8> {
    let channels = channels(planned);
    let mut bytes = Vec::new();
    for row in pattern::rows(planned) {
        let empty = channels.saturating_sub(row.len());
        for cell in row.into_iter().chain(std::iter::repeat_n(None, empty)) {
            let Some(instrument) = cell else {
                bytes.push(PACKED);
                continue;
            };
            let is_there = usize::from(instrument) <= sounds;
            let (note, instrument) = if is_there { (MIDDLE_C, instrument) } else { (0, 0) };
            if has_notes {
                bytes.extend([PACKED | NOTE | HAS_INSTRUMENT, note, instrument]);
            } else {
                bytes.extend([PACKED | HAS_INSTRUMENT, instrument]);
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_becomes_the_nearest_note_and_finetune() {
        assert_eq!(tuning(8363.0), Some((0, 0)));
        assert_eq!(tuning(16_726.0), Some((12, 0)));
        for rate in (33..200_000).step_by(97).chain([2_000_000]) {
            let rate = f64::from(rate);
            let (note, finetune) = tuning(rate).unwrap();
            let played = C4_RATE * ((f64::from(note) + f64::from(finetune) / 128.0) / 12.0).exp2();
            assert!((played / rate - 1.0).abs() <= 0.00023, "{rate}: {played}");
        }
        assert_eq!(tuning(C4_RATE / 256.0), Some((-96, 0)));
        assert_eq!([32.0, 2_200_000.0, 0.0, f64::INFINITY].map(tuning), [None; 4]);
    }
}
