//! MIDI macros: what a Z effect makes of the texts of a module.

use super::ItProcessor;
use crate::replay::score::Score;

/// Bytes that a macro makes at most: two digits each.
const MOST: usize = 32;

/// What the letters of a macro stand for.
#[derive(Clone, Copy, Debug)]
struct MacroValues {
    note: u8,
    velocity: u8,
    volume: u8,
    pan: u8,
    parameter: u8,
    channel: u8,
    offset: u8,
    is_reversed: bool,
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

impl ItProcessor {
    /// Does what the macro of a parameter says.
    pub(super) fn play_macro(&mut self, score: &Score, index: usize, parameter: u8) {
        let Some(host) = self.hosts.get(index) else { return };
        let macros = &self.macros;
        let text = match parameter {
            0..=127 => macros.parametric.get(usize::from(host.macro_number)),
            _ => macros.fixed.get(usize::from(parameter - 128)),
        };
        let Some(text) = text else { return };
        let note = &host.note;
        let sample = note.tuned(score);
        let instrument = note.instrument(score);
        let volume =
            (note.volume * host.channel_volume * self.global_volume) as f32 / (64.0 * 64.0 * 128.0) * 127.0;
        let volume = volume
            * sample.map_or(1.0, |sample| sample.global_volume.gain())
            * instrument.map_or(1.0, |instrument| instrument.global_volume.gain());
        let velocity = (note.volume * 2) as f32
            * sample.map_or(1.0, |sample| sample.global_volume.gain())
            * instrument.map_or(1.0, |instrument| instrument.global_volume.gain());
        let seven_bits = |value: f32| (value as u8).clamp(1, 127);
        let letters = MacroValues {
            note: note.key,
            velocity: seven_bits(velocity),
            volume: seven_bits(volume),
            pan: (note.pan / 2).clamp(0, 127) as u8,
            parameter,
            channel: (index & 127) as u8,
            offset: host.memory.offset,
            is_reversed: note.voice.is_reversed(),
        };
        let mut bytes = [0; MOST];
        let count = expand(text, &letters, &mut bytes);
        let sent = bytes.get(..count).unwrap_or_default();
        self.receive(index, sent);
    }

    /// Takes messages as the tracker's own filter does.
    fn receive(&mut self, index: usize, mut sent: &[u8]) {
        while let Some((first, others)) = sent.split_first() {
            match (*first, others) {
                (0xF0, [0xF0, 0, value, rest @ ..]) => {
                    if let (Some(host), true) = (self.hosts.get_mut(index), *value < 0x80) {
                        host.note.cutoff = *value;
                    }
                    sent = rest;
                }
                (0xF0, [0xF0, 1, value, rest @ ..]) => {
                    if let (Some(host), true) = (self.hosts.get_mut(index), *value < 0x80) {
                        host.note.resonance = *value;
                    }
                    sent = rest;
                }
                (0xFA | 0xFC | 0xFF, rest) => {
                    for host in &mut self.hosts {
                        (host.note.cutoff, host.note.resonance) = (127, 0);
                    }
                    sent = rest;
                }
                (_, rest) => sent = rest,
            }
        }
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
