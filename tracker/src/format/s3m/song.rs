use song::module::{
    self, CellNote, Channel, CompatFlags, Dialect, Effect, EffectCommand, FrequencyMode, Globals, Level,
    Order, Panning, SampleSource, SampleTuning, VolumeCommand,
};
use song::{FmPatch, Invalid, Key, LoopMode, Pan};

use super::{CHANNELS, Cell, Header, Instrument, ROWS, S3mBody, S3mModule, Sample};
use crate::format::view::{ModuleHead, ModuleView, SampleSlot, TextEncoding, cells, looping, pan, text};

const DIALECT: Dialect = Dialect::ScreamTracker3;
/// Of the flags.
const AMIGA_LIMITS: u16 = 16;
const FAST_SLIDES: u16 = 64;
/// The version that always slides in the first tick.
const FAST_VERSION: u16 = 0x1300;
/// Of the master volume.
const STEREO: u8 = 128;
/// A channel that is not in use.
const UNUSED: u8 = 255;

impl From<Cell> for module::Cell {
    fn from(cell: Cell) -> Self {
        let Cell { note, instrument, volume, command, parameter } = cell;
        Self {
            note: match note {
                255 => CellNote::None,
                254 => CellNote::Cut,
                byte => key(byte).map_or(CellNote::Unknown(byte), CellNote::Key),
            },
            instrument: (instrument > 0).then_some(instrument.into()),
            volume: (volume != 255).then(|| VolumeCommand::from_byte(DIALECT, volume)),
            effect: (command > 0 || parameter > 0)
                .then(|| Effect { command: EffectCommand::from_number(DIALECT, command), parameter }),
        }
    }
}

/// Returns the octave and semitone; octave 4 has the middle C.
fn key(byte: u8) -> Option<Key> {
    let (octave, semitone) = (byte >> 4, byte & 15);
    let key = octave.checked_mul(12)?.checked_add(semitone)?.checked_add(12)?;
    if semitone < 12 { Key::new(key).ok() } else { None }
}

impl Cell {
    /// Returns the cell as it is stored; none if the format cannot store it.
    #[must_use]
    pub fn from_song(cell: module::Cell) -> Option<Self> {
        let note = match cell.note {
            CellNote::None => 255,
            CellNote::Cut => 254,
            CellNote::Unknown(byte) => byte,
            CellNote::Key(key) => {
                let key = key.get().checked_sub(12)?;
                key.checked_div(12)?.checked_mul(16)?.checked_add(key.checked_rem(12)?)?
            }
            CellNote::Period(_) | CellNote::Off | CellNote::Fade(_) => return None,
        };
        let volume = cell.volume.map_or(Some(255), |column| column.byte(DIALECT))?;
        let (command, parameter) = match cell.effect {
            Some(Effect { command, parameter }) => (command.number(DIALECT)?, parameter),
            None => (0, 0),
        };
        let instrument = u8::try_from(cell.instrument.unwrap_or(0)).ok()?;
        Some(Self { note, instrument, volume, command, parameter })
    }
}

impl ModuleView for S3mModule {
    fn head(&self) -> ModuleHead {
        let header = &self.header;
        let rules = CompatFlags {
            fast_volume_slides: header.creator == FAST_VERSION || header.flags & FAST_SLIDES != 0,
            amiga_limits: header.flags & AMIGA_LIMITS != 0,
            ..CompatFlags::default()
        };
        let globals = Globals {
            speed: header.speed.into(),
            tempo: header.tempo.into(),
            global_volume: Level::from_64(header.global_volume),
            mix_volume: Level::from_128(header.master_volume & !STEREO),
            is_stereo: header.master_volume & STEREO != 0,
            frequency_mode: FrequencyMode::Amiga,
            compat: rules,
            ..Globals::default()
        };
        ModuleHead {
            title: text(&header.title, TextEncoding::Dos),
            dialect: DIALECT,
            writer: header.writer(),
            globals,
            channels: header.channels(),
            orders: header.orders.iter().copied().map(Order::from_byte).collect(),
            restart: None,
            message: String::new(),
            macros: None,
        }
    }

    fn slots(&self) -> Vec<SampleSlot<'_>> {
        self.instruments.iter().map(Instrument::slot).collect()
    }

    fn slot(&self, index: usize) -> SampleSlot<'_> {
        self.instruments.get(index).map_or(SampleSlot::Empty, Instrument::slot)
    }

    fn samples(&self) -> Vec<module::Sample> {
        let samples = self.instruments.iter().map(|instrument| {
            let (voice, looping) = match &instrument.body {
                S3mBody::Empty => (SampleSource::Silent, None),
                S3mBody::Adlib(adlib) => (SampleSource::Synthesised(FmPatch::new(adlib.registers)), None),
                S3mBody::Sample(sample) => {
                    let [start, end] = [sample.loop_start, sample.loop_end].map(u64::from);
                    let length = sample.slot().length();
                    let looping =
                        looping(start, end, length, LoopMode::Forward).filter(|_| sample.flags & 1 != 0);
                    (SampleSource::Silent, looping)
                }
            };
            module::Sample {
                name: text(&instrument.name, TextEncoding::Dos),
                file_name: text(&instrument.file_name, TextEncoding::Dos),
                volume: Level::from_64(instrument.volume),
                tuning: SampleTuning::Rate(if instrument.rate == 0 { 8363 } else { instrument.rate }),
                loop_range: looping,
                ..module::Sample::silent(voice)
            }
        });
        samples.collect()
    }

    fn rows(&self) -> Vec<usize> {
        self.patterns.iter().map(|_| ROWS).collect()
    }

    fn pattern(&self, number: usize) -> Option<Result<module::Pattern, Invalid>> {
        let cells = cells(&self.patterns.get(number)?.cells);
        Some(module::Pattern::new(ROWS, CHANNELS, cells))
    }

    fn cells(&self) -> usize {
        self.patterns.iter().map(|pattern| pattern.cells.len()).fold(0, usize::saturating_add)
    }

    fn labels(&self) -> Vec<String> {
        (1..=self.instruments.len()).map(|number| format!("instrument {number}")).collect()
    }
}

impl Instrument {
    const fn slot(&self) -> SampleSlot<'_> {
        match &self.body {
            S3mBody::Empty => SampleSlot::Empty,
            S3mBody::Adlib(_) => {
                SampleSlot::Foreign("a sound of an OPL synthesiser, which plays in its song only")
            }
            S3mBody::Sample(sample) => sample.slot(),
        }
    }
}

impl Sample {
    const fn slot(&self) -> SampleSlot<'_> {
        match (&self.frames, self.packing) {
            (None, 1..=3 | 5..) => SampleSlot::Foreign("compressed in a way that is not decoded"),
            (frames, _) => SampleSlot::of(frames.as_ref(), self.length as u64),
        }
    }
}

impl Header {
    /// Up to the last that is in use.
    fn channels(&self) -> Vec<Channel> {
        let last = self.channels.iter().rposition(|setting| *setting != UNUSED);
        let in_use = last.map_or(0, |last| last.saturating_add(1));
        let channels = self.channels.iter().enumerate().take(in_use);
        channels.map(|(index, setting)| self.channel(index, *setting)).collect()
    }

    fn channel(&self, index: usize, setting: u8) -> Channel {
        let stated = self.pans.as_ref().and_then(|pans| pans.get(index)).filter(|pan| **pan & 32 != 0);
        let found = match (self.master_volume & STEREO != 0, stated, setting & 127) {
            // Programs play stated pans even in mono.
            (_, Some(stated), _) => pan(stated & 15, 15),
            (true, None, 0..=7) => pan(3, 15),
            (true, None, 8..=15) => pan(12, 15),
            (_, None, _) => Pan::CENTRE,
        };
        Channel { panning: Panning::At(found), volume: Level::FULL, is_muted: setting >= 128 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octave_four_has_the_middle_c_and_bytes_that_are_no_notes_are_kept() {
        let note = |note| module::Cell::from(Cell { note, ..Cell::default() }).note;
        assert_eq!(note(0x40), CellNote::Key(Key::C4));
        assert_eq!([note(0x4C), note(0xFD)], [CellNote::Unknown(0x4C), CellNote::Unknown(0xFD)]);
        assert_eq!([note(254), note(255)], [CellNote::Cut, CellNote::None]);
    }
}
