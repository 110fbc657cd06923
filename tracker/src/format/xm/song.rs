use song::module::{
    self, CellNote, Channel, CompatFlags, Dialect, Effect, EffectCommand, FrequencyMode, Globals, KeyMap,
    Level, LfoWave, NoteMapping, Order, Point, SampleSource, SampleTuning, Span, Vibrato, VibratoSweep,
    VolumeCommand,
};
use song::{Invalid, Key, LoopMode, LoopRange, Pan};

use super::{Cell, DeltaCoding, Instrument, Sample, XmEnvelope, XmInstrumentSettings, XmModule};
use crate::format::view::{
    ModuleHead, ModuleView, SampleSlot, TextEncoding, cells, envelope, lines, looping, text,
};

const DIALECT: Dialect = Dialect::FastTracker2;
/// The key of note 1.
const LOWEST: u8 = 12;
const NOTES: u8 = 96;
const OFF: u8 = 97;
const LINEAR: u16 = 1;
/// The tracker knows none that is slower.
const LEAST_TEMPO: u16 = 32;

impl From<Cell> for module::Cell {
    fn from(cell: Cell) -> Self {
        let Cell { note, instrument, volume, effect, parameter } = cell;
        Self {
            note: match note {
                0 => CellNote::None,
                OFF => CellNote::Off,
                note => key(note).map_or(CellNote::Unknown(note), CellNote::Key),
            },
            instrument: (instrument > 0).then_some(instrument.into()),
            volume: (volume > 0).then(|| VolumeCommand::from_byte(DIALECT, volume)),
            effect: (effect > 0 || parameter > 0)
                .then(|| Effect { command: EffectCommand::from_number(DIALECT, effect), parameter }),
        }
    }
}

fn key(note: u8) -> Option<Key> {
    if note > NOTES {
        return None;
    }
    Key::new(note.checked_add(LOWEST)?.checked_sub(1)?).ok()
}

impl Cell {
    /// Returns the cell as it is stored; none if the format cannot store it.
    #[must_use]
    pub fn from_song(cell: module::Cell) -> Option<Self> {
        let note = match cell.note {
            CellNote::None => 0,
            CellNote::Off => OFF,
            CellNote::Unknown(note) => note,
            CellNote::Key(key) => key.get().checked_add(1)?.checked_sub(LOWEST)?,
            CellNote::Period(_) | CellNote::Cut | CellNote::Fade(_) => return None,
        };
        let volume = cell.volume.map_or(Some(0), |column| column.byte(DIALECT))?;
        let (effect, parameter) = match cell.effect {
            Some(Effect { command, parameter }) => (command.number(DIALECT)?, parameter),
            None => (0, 0),
        };
        let instrument = u8::try_from(cell.instrument.unwrap_or(0)).ok()?;
        Some(Self { note, instrument, volume, effect, parameter })
    }
}

impl ModuleView for XmModule {
    fn head(&self) -> ModuleHead {
        let header = &self.header;
        let played = header.orders.get(..usize::from(header.length)).unwrap_or(&header.orders);
        ModuleHead {
            title: text(&header.title, TextEncoding::Dos),
            dialect: DIALECT,
            writer: self.writer(),
            globals: Globals {
                speed: header.speed,
                tempo: if header.tempo == 0 { 0 } else { header.tempo.max(LEAST_TEMPO) },
                frequency_mode: if header.flags & LINEAR != 0 {
                    FrequencyMode::Linear
                } else {
                    FrequencyMode::Amiga
                },
                compat: CompatFlags {
                    has_instruments: true,
                    soft_pans: self.properties.pans_softly(),
                    ..CompatFlags::default()
                },
                ..Globals::default()
            },
            channels: (0..header.channels).map(|_| Channel::at(Pan::CENTRE)).collect(),
            orders: played.iter().copied().map(Order::Pattern).collect(),
            restart: (header.restart > 0 && header.restart < header.length).then_some(header.restart),
            message: self.message.as_deref().map(lines).unwrap_or_default(),
            macros: None,
        }
    }

    fn slots(&self) -> Vec<SampleSlot<'_>> {
        self.instruments.iter().flat_map(|instrument| &instrument.samples).map(Sample::slot).collect()
    }

    fn slot(&self, index: usize) -> SampleSlot<'_> {
        let mut samples = self.instruments.iter().flat_map(|instrument| &instrument.samples);
        samples.nth(index).map_or(SampleSlot::Empty, Sample::slot)
    }

    fn samples(&self) -> Vec<module::Sample> {
        let samples = self.instruments.iter().flat_map(|instrument| {
            let vibrato = instrument.settings.as_ref().and_then(XmInstrumentSettings::vibrato);
            instrument.samples.iter().map(move |sample| sample.to_song(vibrato))
        });
        samples.collect()
    }

    fn instrument_count(&self) -> usize {
        self.instruments.len()
    }

    fn instruments(&self) -> Vec<module::Instrument> {
        let mut first = 0;
        let instruments = self.instruments.iter().map(|instrument| {
            let made = instrument.to_song(first);
            first = first.saturating_add(instrument.samples.len());
            made
        });
        instruments.collect()
    }

    fn rows(&self) -> Vec<usize> {
        self.patterns.iter().map(|pattern| pattern.rows.into()).collect()
    }

    fn pattern(&self, number: usize) -> Option<Result<module::Pattern, Invalid>> {
        let pattern = self.patterns.get(number)?;
        Some(module::Pattern::new(pattern.rows.into(), pattern.channels.into(), cells(&pattern.cells)))
    }

    fn cells(&self) -> usize {
        self.patterns.iter().map(|pattern| pattern.cells.len()).fold(0, usize::saturating_add)
    }

    fn labels(&self) -> Vec<String> {
        let numbered = self.instruments.iter().zip(1_usize..);
        let labels = numbered.flat_map(|(instrument, number)| {
            let samples = 1..=instrument.samples.len();
            samples.map(move |sample| format!("sample {sample} of instrument {number}"))
        });
        labels.collect()
    }
}

impl Sample {
    const fn slot(&self) -> SampleSlot<'_> {
        match self.coding {
            DeltaCoding::Vorbis => SampleSlot::Foreign("Ogg Vorbis is not decoded in modules"),
            _ => SampleSlot::of(self.frames.as_ref(), self.length as u64),
        }
    }

    fn looping(&self) -> Option<LoopRange> {
        // Places are in bytes, of both channels.
        let doubled = (self.flags >> 4 & 1).saturating_add(self.flags >> 5 & 1);
        let frames = |bytes: u32| u64::from(bytes) >> doubled;
        let start = frames(self.loop_start);
        let end = start.saturating_add(frames(self.loop_length));
        let mode = if self.flags & 2 != 0 { LoopMode::PingPong } else { LoopMode::Forward };
        let range = looping(start, end, self.slot().length(), mode);
        range.filter(|_| self.flags & 3 != 0)
    }

    fn to_song(&self, vibrato: Option<Vibrato>) -> module::Sample {
        module::Sample {
            name: text(&self.name, TextEncoding::Dos),
            volume: Level::from_64(self.volume),
            // 128 of 256 is the centre.
            pan: Pan::new((f32::from(self.pan) - 128.0) / 128.0).ok(),
            tuning: SampleTuning::Relative { semitones: self.relative, finetune: self.finetune },
            loop_range: self.looping(),
            vibrato,
            ..module::Sample::silent(SampleSource::Silent)
        }
    }
}

impl XmInstrumentSettings {
    fn vibrato(&self) -> Option<Vibrato> {
        let wave = match self.vibrato_wave {
            1 => LfoWave::Square,
            2 => LfoWave::RampDown,
            3 => LfoWave::RampUp,
            _ => LfoWave::Sine,
        };
        let (speed, depth, onset) =
            (self.vibrato_rate, self.vibrato_depth, VibratoSweep::Ticks(self.vibrato_sweep));
        (depth > 0).then_some(Vibrato { wave, speed, depth, sweep: onset })
    }
}

impl Instrument {
    /// Converts the instrument; its first sample is the module's of that index.
    fn to_song(&self, first: usize) -> module::Instrument {
        let mut keys = [NoteMapping::default(); KeyMap::KEYS];
        let mapped = self.settings.iter().flat_map(|settings| settings.keys);
        for (key, sample) in keys.iter_mut().skip(LOWEST.into()).zip(mapped) {
            // One that it does not have would be a sample of the next instrument.
            let own = usize::from(sample);
            let index = (own < self.samples.len()).then(|| first.saturating_add(own));
            key.sample = index.and_then(|index| u16::try_from(index).ok());
        }
        let of = |choose: fn(&XmInstrumentSettings) -> &XmEnvelope, centre: i16| {
            self.settings.as_ref().and_then(|settings| choose(settings).to_song(centre))
        };
        module::Instrument {
            name: text(&self.name, TextEncoding::Dos),
            volume: of(|settings| &settings.volume, 0),
            pan: of(|settings| &settings.pan, 32),
            fadeout: self.settings.as_ref().map_or(0, |settings| settings.fadeout.into()),
            ..module::Instrument::plain(KeyMap::new(keys))
        }
    }
}

impl XmEnvelope {
    /// Of values around a centre.
    fn to_song(self, centre: i16) -> Option<module::BreakpointEnvelope> {
        let points = self.points.into_iter().take(self.count.into()).map(|(tick, value)| {
            let value = i16::try_from(value.min(64)).unwrap_or(64).saturating_sub(centre);
            Point { tick, value: i8::try_from(value).unwrap_or(0) }
        });
        let has = |flag: u8| self.flags & flag != 0;
        let sustain = has(2).then_some(Span { first: self.sustain, last: self.sustain });
        let looping = has(4).then_some(Span { first: self.loop_start, last: self.loop_end });
        Some(envelope(points, sustain, looping)?.switched(has(1), false))
    }
}
