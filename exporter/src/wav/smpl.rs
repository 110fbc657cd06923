//! The `smpl` RIFF chunk: root key, tuning and loops.
//!
//! Source: Microsoft and IBM, *Multimedia Programming Interface and Data Specifications 1.0* and its *New Multimedia
//! Data Types* revision.

use song::{Frames, Key, LoopCount, LoopMode, Sample};

use super::WavError;

/// Returns the chunk with its first word and size, or nothing for a sample that has neither loops nor a known root key.
pub(super) fn chunk(sample: &Sample) -> Result<Vec<u8>, WavError> {
    if sample.root().is_none() && sample.loops().is_empty() {
        return Ok(Vec::new());
    }
    let (key, fraction) = pitch(sample);
    let period = (1e9 / f64::from(sample.rate().get())).round() as u32;
    let (manufacturer, product, no_smpte, more) = (0, 0, 0, 0);
    let loops = u32::try_from(sample.loops().len()).map_err(|_| WavError::TooLarge)?;
    let mut fields = vec![manufacturer, product, period, key, fraction, no_smpte, no_smpte, loops, more];
    for (id, looping) in (0..).zip(sample.loops()) {
        let mode = match looping.mode() {
            LoopMode::Forward => 0,
            // The chunk knows one kind.
            LoopMode::PingPong | LoopMode::ShortPingPong => 1,
        };
        let plays = match looping.plays() {
            LoopCount::Forever => 0,
            LoopCount::Times(times) => times.get(),
        };
        let last = Frames::new(looping.end().get() - 1);
        let no_fraction = 0;
        fields.extend([id, mode, frame(looping.start())?, frame(last)?, no_fraction, plays]);
    }
    let size = u32::try_from(4 * fields.len()).map_err(|_| WavError::TooLarge)?;
    let words = [u32::from_le_bytes(*b"smpl"), size].into_iter().chain(fields);
    Ok(words.flat_map(u32::to_le_bytes).collect())
}

fn frame(frame: Frames) -> Result<u32, WavError> {
    u32::try_from(frame.get()).map_err(|_| WavError::TooLarge)
}

/// Returns the key at or below the sample's pitch, and how far above that key it is, in 2^-32 semitones.
fn pitch(sample: &Sample) -> (u32, u32) {
    let above = sample.tuning().get() / 100.0;
    let root = f64::from(sample.root().unwrap_or(Key::C4).get());
    let key = (root + above.floor()).clamp(0.0, 127.0);
    let fraction = (above - above.floor()) * (1_u64 << 32) as f64;
    // The casts saturate.
    (key as u32, fraction.round() as u32)
}
