//! Impulse Tracker modules of sounds.
//!
//! ```text
//! IMPM 192 ─ orders ─ offsets ─ IMPI 554 each ─ IMPS 80 each ─ frames ─ pattern ─ message
//! ```
//!
//! Frames are stored as values, signed, left channel before right. Version 2.14 knows no other coding.
//!
//! Source: Jeffrey Lim, *ITTECH.TXT*.

use crate::sound_module::names::{self, lines};
use crate::sound_module::stored::StoredSound;
use crate::sound_module::{LostDetail, ModuleError, ModuleFormat, ModuleOptions, SoundRefusal, pattern};

/// Instruments that the tracker itself can hold.
pub(crate) const MAX_INSTRUMENTS: usize = 99;
/// Rates that a sample may have, in hertz.
const RATES: std::ops::RangeInclusive<f64> = 1.0..=9_999_999.0;
/// Bytes of a name, of which the last is zero.
const NAME: usize = 26;
/// Bytes of a message, the zero at its end included.
const MAX_MESSAGE: usize = 8000;
/// The tracker that wrote it, and the one that can read it: 2.14.
const VERSION: u16 = 0x0214;

const HEADER: usize = 192;
const INSTRUMENT: usize = 554;
const SAMPLE: usize = 80;
/// Bytes of an offset.
const OFFSET: usize = 4;
/// The only pattern, and the end.
const ORDERS: [u8; 2] = [0, 255];

/// Flags of a module.
const STEREO: u16 = 1;
const INSTRUMENTS: u16 = 4;
const LINEAR: u16 = 8;
/// There is a message.
const MESSAGE: u16 = 1;

/// Flags of a sample.
mod flag {
    pub(super) const PRESENT: u8 = 1;
    pub(super) const WIDE: u8 = 2;
    pub(super) const STEREO: u8 = 4;
    pub(super) const LOOP: u8 = 16;
    pub(super) const SUSTAIN: u8 = 32;
    pub(super) const PING_PONG: u8 = 64;
    pub(super) const PING_PONG_SUSTAIN: u8 = 128;
}

/// Of a cell: the channel has a mask, which says that there is a note and an instrument.
const MASKED: u8 = 0x80;
const NOTE: u8 = 1;
const HAS_INSTRUMENT: u8 = 2;
const MIDDLE_C: u8 = 60;
/// Keys of an instrument.
const KEYS: u8 = 120;

/// The records of sounds that were added.
#[derive(Default)]
pub(crate) struct ItTables {
    samples: Vec<[u8; SAMPLE]>,
    names: Vec<[u8; NAME]>,
    paths: Vec<Vec<u8>>,
}

impl ItTables {
    /// Returns the bytes before the frames, with tables for so many sounds.
    pub(crate) const fn head_bytes(planned: usize) -> usize {
        HEADER + ORDERS.len() + OFFSET * (2 * planned + 1) + (INSTRUMENT + SAMPLE) * planned
    }

    pub(crate) const fn sounds(&self) -> usize {
        self.samples.len()
    }

    /// Adds a sound, the frames of which are at an offset.
    pub(crate) fn add(&mut self, sound: &StoredSound<'_>, at: u64) -> Result<LostDetail, SoundRefusal> {
        let rate = sound.c4_rate.round();
        if !RATES.contains(&rate) {
            return Err(SoundRefusal::Rate { rate: sound.c4_rate, format: ModuleFormat::It });
        }
        let fits = |number: u64| u32::try_from(number).map_err(|_| SoundRefusal::TooLong);
        let end = sound.bytes().and_then(|bytes| bytes.checked_add(at)).unwrap_or(u64::MAX);
        fits(end)?;
        let (at, frames) = (fits(at)?, fits(sound.frames())?);
        let loops = &sound.loops;
        let when = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let of_loop = |range: Option<&song::LoopRange>, set: u8, turning: u8| {
            let Some(range) = range else { return Ok((0, [0, 0])) };
            let turns = range.mode() != song::LoopMode::Forward;
            Ok((set | when(turns, turning), [fits(range.start().get())?, fits(range.end().get())?]))
        };
        let (loop_flags, loop_range) = of_loop(loops.looping, flag::LOOP, flag::PING_PONG)?;
        let (sustain_flags, sustain) = of_loop(loops.sustain, flag::SUSTAIN, flag::PING_PONG_SUSTAIN)?;
        let flags = flag::PRESENT
            | when(sound.is_wide, flag::WIDE)
            | when(sound.is_stereo(), flag::STEREO)
            | loop_flags
            | sustain_flags;
        let name: [u8; NAME] = sound.name.field(NAME - 1);
        let mut record = Record::<SAMPLE>::new(b"IMPS");
        record.skip(12).byte(0).byte(64).byte(flags).byte(64).put(&name);
        // Signed; at the pan of its channel.
        record.byte(1).byte(32).u32(frames);
        // The cast is of a whole number in range.
        loop_range.into_iter().chain([rate as u32]).chain(sustain).for_each(|number| {
            record.u32(number);
        });
        record.u32(at);
        self.samples.push(record.bytes);
        self.names.push(name);
        self.paths.push(sound.name.path().to_vec());
        Ok(LostDetail { loops: loops.has_others, width: false })
    }

    /// Returns what comes before the frames, and what comes after them, at `end`.
    pub(crate) fn finish(
        &self,
        title: &str,
        end: u32,
        options: ModuleOptions,
    ) -> Result<(Vec<u8>, Vec<u8>), ModuleError> {
        let cells = cells(self.sounds(), options.has_notes);
        let mut message = lines(self.paths.iter().map(Vec::as_slice), MAX_MESSAGE - 1);
        message.push(0);
        let short = |length: usize| u16::try_from(length).map_err(|_| ModuleError::TooLarge);
        let mut tail = short(cells.len())?.to_le_bytes().to_vec();
        tail.extend(pattern::ROWS.to_le_bytes());
        tail.extend([0; 4]);
        tail.extend(cells);
        let message_at = u32::try_from(tail.len()).ok().and_then(|length| end.checked_add(length));
        let message_at = message_at.ok_or(ModuleError::TooLarge)?;

        let count = short(self.sounds())?;
        let mut head = Record::<HEADER>::new(b"IMPM");
        head.put(&names::field::<NAME>(title, NAME - 1));
        // Rows of a beat and of a bar are brighter.
        head.put(&[4, 16]).u16(short(ORDERS.len())?).u16(count).u16(count).u16(1);
        head.u16(VERSION).u16(VERSION).u16(STEREO | INSTRUMENTS | LINEAR).u16(MESSAGE);
        // Global volume, the tracker's own mix volume, speed, tempo, separation, no pitch wheel.
        head.put(&[128, 48, pattern::speed(options.has_notes), pattern::TEMPO, 128, 0]);
        head.u16(short(message.len())?).u32(message_at).skip(4);
        // All channels in the middle, at full volume.
        head.put(&[32; 64]).put(&[64; 64]);
        tail.extend(message);

        let mut bytes = head.bytes.to_vec();
        bytes.extend(ORDERS);
        let instruments = HEADER + ORDERS.len() + OFFSET * (2 * self.sounds() + 1);
        let samples = instruments + INSTRUMENT * self.sounds();
        let offsets = (0..self.sounds()).map(|index| instruments + INSTRUMENT * index);
        for offset in offsets.chain((0..self.sounds()).map(|index| samples + SAMPLE * index)) {
            bytes.extend(u32::try_from(offset).map_err(|_| ModuleError::TooLarge)?.to_le_bytes());
        }
        bytes.extend(end.to_le_bytes());
        for (name, number) in self.names.iter().zip(1..) {
            bytes.extend(instrument(name, number));
        }
        self.samples.iter().for_each(|sample| bytes.extend(sample));
        Ok((bytes, tail))
    }
}

/// Returns an instrument that plays a sample on all keys, at the pan of the channel.
fn instrument(name: &[u8; NAME], sample: u8) -> [u8; INSTRUMENT] {
    let mut record = Record::<INSTRUMENT>::new(b"IMPI");
    // File name; a new note cuts the old one; no fadeout, no separation around middle C.
    record.skip(12).byte(0).put(&[0, 0, 0]).u16(0).put(&[0, MIDDLE_C]);
    // Global volume, no pan of its own, no variation.
    record.byte(128).byte(32 | 128).put(&[0, 0]).u16(VERSION).put(&[1, 0]).put(name);
    // No filter, no MIDI.
    record.put(&[0; 6]);
    for key in 0..KEYS {
        record.put(&[key, sample]);
    }
    // Three envelopes that are off, and are zero like all that follows.
    record.bytes
}

/// Returns the packed cells of the pattern.
fn cells(instruments: usize, has_notes: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in pattern::rows(instruments) {
        for (instrument, channel) in row.into_iter().zip(1_u8..) {
            let Some(instrument) = instrument else { continue };
            bytes.push(channel | MASKED);
            if has_notes {
                bytes.extend([NOTE | HAS_INSTRUMENT, MIDDLE_C, instrument]);
            } else {
                bytes.extend([HAS_INSTRUMENT, instrument]);
            }
        }
        bytes.push(0);
    }
    bytes
}

/// A record of a fixed size, filled from its first byte on.
struct Record<const N: usize> {
    bytes: [u8; N],
    at: usize,
}

impl<const N: usize> Record<N> {
    fn new(tag: &[u8; 4]) -> Self {
        let mut record = Self { bytes: [0; N], at: 0 };
        record.put(tag);
        record
    }

    fn put(&mut self, bytes: &[u8]) -> &mut Self {
        let rest = self.bytes.iter_mut().skip(self.at);
        rest.zip(bytes).for_each(|(to, byte)| *to = *byte);
        self.skip(bytes.len())
    }

    fn skip(&mut self, bytes: usize) -> &mut Self {
        self.at += bytes;
        self
    }

    fn byte(&mut self, byte: u8) -> &mut Self {
        self.put(&[byte])
    }

    fn u16(&mut self, number: u16) -> &mut Self {
        self.put(&number.to_le_bytes())
    }

    fn u32(&mut self, number: u32) -> &mut Self {
        self.put(&number.to_le_bytes())
    }
}
