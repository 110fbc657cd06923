//! MIDI macros: what a Z effect makes of the texts of a module, and of that what the filters of the trackers take.

use std::ops::Range;

use song::module::MidiMacros;

/// Bytes that a macro makes at most: two digits each.
const MOST: usize = 32;

/// What the letters of a macro stand for.
#[derive(Clone, Copy, Debug)]
pub(super) struct MacroValues {
    pub(super) note: u8,
    pub(super) velocity: u8,
    pub(super) volume: u8,
    pub(super) pan: u8,
    pub(super) parameter: u8,
    pub(super) channel: u8,
    pub(super) offset: u8,
    pub(super) is_reversed: bool,
}

/// A message that a filter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterMessage {
    /// The cutoff of the channel, 0..=127.
    Cutoff(u8),
    /// The resonance of the channel, 0..=127.
    Resonance(u8),
    /// The filters of all channels are opened.
    Open,
}

impl FilterMessage {
    /// Returns which of so many channels take it, where `index` sends it.
    pub(super) const fn channels(self, index: usize, count: usize) -> Range<usize> {
        match self {
            Self::Cutoff(_) | Self::Resonance(_) => index..index + 1,
            Self::Open => 0..count,
        }
    }

    /// Moves a filter.
    pub(super) const fn apply(self, cutoff: &mut u8, resonance: &mut u8) {
        match self {
            Self::Cutoff(value) => *cutoff = value,
            Self::Resonance(value) => *resonance = value,
            Self::Open => (*cutoff, *resonance) = (127, 0),
        }
    }
}

impl MacroValues {
    fn value(&self, letter: u8) -> Option<u8> {
        Some(match letter {
            b'n' => self.note,
            b'v' => self.velocity,
            b'u' => self.volume,
            b'x' | b'y' => self.pan,
            b'z' => self.parameter,
            b'h' => self.channel,
            b'o' => self.offset,
            b'm' => self.is_reversed.into(),
            b'a' | b'b' | b'p' | b's' => 0,
            _ => return None,
        })
    }
}

/// Brings a velocity or a volume into what a message holds.
pub(super) fn seven_bits(value: f32) -> u8 {
    (value as u8).clamp(1, 127)
}

/// Calls `take` with each message for filters of the macro that a parameter chooses, `chosen` among those for
/// parameters to 127.
pub(super) fn filter_messages(
    macros: &MidiMacros,
    chosen: u8,
    values: &MacroValues,
    mut take: impl FnMut(FilterMessage),
) {
    let text = match values.parameter {
        0..=127 => macros.parametric.get(usize::from(chosen)),
        fixed => macros.fixed.get(usize::from(fixed - 128)),
    };
    let Some(text) = text else { return };
    let mut bytes = [0; MOST];
    let count = expand(text, values, &mut bytes);
    let mut sent = bytes.get(..count).unwrap_or_default();
    while let Some((first, others)) = sent.split_first() {
        sent = match (*first, others) {
            (0xF0, [0xF0, number @ (0 | 1), value, rest @ ..]) => {
                match (number, *value < 0x80) {
                    (0, true) => take(FilterMessage::Cutoff(*value)),
                    (_, true) => take(FilterMessage::Resonance(*value)),
                    (_, false) => {}
                }
                rest
            }
            (0xFA | 0xFC | 0xFF, rest) => {
                take(FilterMessage::Open);
                rest
            }
            (_, rest) => rest,
        };
    }
}

/// Writes the bytes that a text stands for; returns how many.
fn expand(text: &[u8], letters: &MacroValues, bytes: &mut [u8; MOST]) -> usize {
    let (mut count, mut half) = (0, None);
    for letter in text {
        let digit = match letter {
            b'0'..=b'9' => Some(letter - b'0'),
            b'A'..=b'F' => Some(letter - b'A' + 10),
            b'c' => Some(letters.channel & 15),
            _ => None,
        };
        let value = match (digit, half.take()) {
            (Some(digit), Some(high)) => (high << 4) | digit,
            (Some(digit), None) => {
                half = Some(digit & 15);
                continue;
            }
            (None, high) => match letters.value(*letter) {
                Some(value) => value,
                None => {
                    half = high;
                    continue;
                }
            },
        };
        let Some(byte) = bytes.get_mut(count) else { break };
        *byte = value;
        count += 1;
    }
    count
}
