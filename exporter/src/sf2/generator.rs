//! Generators: what a value is for.
//!
//! Source: specification, §8.1.3.

pub(super) const OFFSET: u16 = 0;
pub(super) const COARSE_OFFSET: u16 = 4;
pub(super) const LFO_TO_PITCH: u16 = 5;
pub(super) const VIBRATO_TO_PITCH: u16 = 6;
pub(super) const MODULATION_TO_PITCH: u16 = 7;
pub(super) const CUTOFF: u16 = 8;
pub(super) const RESONANCE: u16 = 9;
pub(super) const LFO_TO_CUTOFF: u16 = 10;
pub(super) const MODULATION_TO_CUTOFF: u16 = 11;
pub(super) const LFO_TO_VOLUME: u16 = 13;
/// In 0.1 % of the sound.
pub(super) const REVERB_SEND: u16 = 16;
pub(super) const PAN: u16 = 17;
pub(super) const LFO_DELAY: u16 = 21;
pub(super) const LFO_FREQUENCY: u16 = 22;
pub(super) const VIBRATO_DELAY: u16 = 23;
pub(super) const VIBRATO_FREQUENCY: u16 = 24;
pub(super) const MODULATION_DELAY: u16 = 25;
pub(super) const MODULATION_ATTACK: u16 = 26;
pub(super) const MODULATION_HOLD: u16 = 27;
pub(super) const MODULATION_DECAY: u16 = 28;
pub(super) const MODULATION_SUSTAIN: u16 = 29;
pub(super) const MODULATION_RELEASE: u16 = 30;
pub(super) const KEY_TO_MODULATION_HOLD: u16 = 31;
pub(super) const KEY_TO_MODULATION_DECAY: u16 = 32;
pub(super) const DELAY: u16 = 33;
pub(super) const ATTACK: u16 = 34;
pub(super) const HOLD: u16 = 35;
pub(super) const DECAY: u16 = 36;
pub(super) const SUSTAIN: u16 = 37;
pub(super) const RELEASE: u16 = 38;
pub(super) const KEY_TO_HOLD: u16 = 39;
pub(super) const KEY_TO_DECAY: u16 = 40;
pub(super) const INSTRUMENT: u16 = 41;
pub(super) const KEYS: u16 = 43;
pub(super) const VELOCITIES: u16 = 44;
pub(super) const ATTENUATION: u16 = 48;
pub(super) const SEMITONES: u16 = 51;
pub(super) const CENTS: u16 = 52;
pub(super) const SAMPLE: u16 = 53;
pub(super) const LOOPS: u16 = 54;
pub(super) const SCALE: u16 = 56;
pub(super) const EXCLUSIVE_CLASS: u16 = 57;
pub(super) const ROOT: u16 = 58;

/// Returns the amount of a generator that is not written. None of those that are always.
pub(super) const fn default(kind: u16) -> Option<i16> {
    match kind {
        SAMPLE | ROOT | INSTRUMENT => None,
        KEYS | VELOCITIES => Some(i16::from_le_bytes([0, 127])),
        CUTOFF => Some(13_500),
        SCALE => Some(100),
        LFO_DELAY | VIBRATO_DELAY | MODULATION_DELAY | MODULATION_ATTACK | MODULATION_HOLD
        | MODULATION_DECAY | MODULATION_RELEASE | DELAY | ATTACK | HOLD | DECAY | RELEASE => Some(-12_000),
        _ => Some(0),
    }
}
