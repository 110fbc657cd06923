use std::iter;

use song::module::{
    self, CellNote, Channel, CompatFlags, Dialect, DuplicateCheck, Effect, EffectCommand, FrequencyMode,
    Globals, InitialFilter, KeyMap, Level, LfoWave, MidiMacros, NewNoteAction, NoteMapping, Order, Panning,
    PitchPan, Point, Program, SampleSource, SampleTuning, Span, Vibrato, VibratoSweep, VolumeCommand,
};
use song::{Invalid, Key, LoopMode, LoopRange};

use super::{Cell, EnvelopeNodes, Instrument, ItInstrumentSettings, ItModule, MACRO_BYTES, New, Old, Sample};
use crate::format::view::{
    ModuleHead, ModuleView, SampleSlot, TextEncoding, cells, envelope, lines, looping, pan, text,
};

const DIALECT: Dialect = Dialect::ImpulseTracker;
const KEYS: u8 = 120;
/// Macros that belong to the song and to no parameter.
const SONG_MACROS: usize = 9;
/// Of the flags.
const STEREO: u16 = 1;
const INSTRUMENTS: u16 = 4;
const LINEAR: u16 = 8;
const OLD_EFFECTS: u16 = 16;
const COMPATIBLE_SLIDES: u16 = 32;
const EXTENDED_FILTER: u16 = 0x1000;
/// Of the flags of a sample.
const LOOP: u8 = 16;
const SUSTAIN: u8 = 32;
const PING_PONG: u8 = 64;
const PING_PONG_SUSTAIN: u8 = 128;

impl From<Cell> for module::Cell {
    fn from(cell: Cell) -> Self {
        Self {
            note: match cell.note {
                None => CellNote::None,
                Some(255) => CellNote::Off,
                Some(254) => CellNote::Cut,
                Some(note) if note < KEYS => Key::new(note).map_or(CellNote::Unknown(note), CellNote::Key),
                Some(note) => CellNote::Fade(note),
            },
            instrument: cell.instrument.map(u16::from),
            volume: cell.volume.map(|volume| VolumeCommand::from_byte(DIALECT, volume)),
            effect: cell.command.map(|(number, parameter)| Effect {
                command: EffectCommand::from_number(DIALECT, number),
                parameter,
            }),
        }
    }
}

impl Cell {
    /// Returns the cell as it is stored; none if the format cannot store it.
    #[must_use]
    pub fn from_song(cell: module::Cell) -> Option<Self> {
        let note = match cell.note {
            CellNote::None => None,
            CellNote::Off => Some(255),
            CellNote::Cut => Some(254),
            CellNote::Key(key) => Some(key.get()),
            CellNote::Fade(note) => Some(note),
            CellNote::Period(_) | CellNote::Unknown(_) => return None,
        };
        let volume = match cell.volume {
            Some(column) => Some(column.byte(DIALECT)?),
            None => None,
        };
        let command = match cell.effect {
            Some(Effect { command, parameter }) => Some((command.number(DIALECT)?, parameter)),
            None => None,
        };
        let instrument = match cell.instrument {
            Some(number) => Some(u8::try_from(number).ok()?),
            None => None,
        };
        Some(Self { note, instrument, volume, command })
    }
}

impl ModuleView for ItModule {
    fn head(&self) -> ModuleHead {
        let header = &self.header;
        let has = |flag: u16| header.flags & flag != 0;
        let rules = CompatFlags {
            old_effects: has(OLD_EFFECTS),
            compatible_tone_slides: has(COMPATIBLE_SLIDES),
            extended_filter: has(EXTENDED_FILTER),
            soft_pans: self.properties.pans_softly(),
            has_instruments: has(INSTRUMENTS),
            ..CompatFlags::default()
        };
        let globals = Globals {
            speed: header.speed.into(),
            tempo: header.tempo.into(),
            global_volume: Level::from_128(header.global_volume),
            mix_volume: Level::from_128(header.mix_volume),
            separation: Level::from_128(header.separation),
            is_stereo: has(STEREO),
            frequency_mode: if has(LINEAR) { FrequencyMode::Linear } else { FrequencyMode::Amiga },
            compat: rules,
        };
        ModuleHead {
            title: text(&header.title, TextEncoding::Dos),
            dialect: DIALECT,
            writer: self.writer(),
            globals,
            channels: self.channels(),
            orders: header.orders.iter().copied().map(Order::from_byte).collect(),
            restart: None,
            message: self.message.as_deref().map(lines).unwrap_or_default(),
            macros: self.macros.as_deref().map(macros),
        }
    }

    fn slots(&self) -> Vec<SampleSlot<'_>> {
        let stored = self.samples.iter().map(Sample::slot);
        stored.chain(iter::repeat_n(SampleSlot::Empty, self.unstored())).collect()
    }

    fn slot(&self, index: usize) -> SampleSlot<'_> {
        self.samples.get(index).map_or(SampleSlot::Empty, Sample::slot)
    }

    fn samples(&self) -> Vec<module::Sample> {
        let ping_pong = self.ping_pong();
        let stored = self.samples.iter().map(|sample| sample.to_song(ping_pong));
        let silent = module::Sample::silent(SampleSource::Silent);
        stored.chain(iter::repeat_n(silent, self.unstored())).collect()
    }

    fn instrument_count(&self) -> usize {
        if self.header.flags & INSTRUMENTS == 0 { 0 } else { self.instruments.len() }
    }

    fn instruments(&self) -> Vec<module::Instrument> {
        self.instruments.iter().take(self.instrument_count()).map(Instrument::to_song).collect()
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
}

impl ItModule {
    /// Returns the tracker's list of samples is never empty: a file that stores none has a silent one.
    fn unstored(&self) -> usize {
        usize::from(self.samples.is_empty())
    }

    /// Returns as many as a pattern has something for, or as another tracker says, and one at least; those beyond the
    /// 64 of the header are like any.
    fn channels(&self) -> Vec<Channel> {
        let used = self.patterns.iter().map(|pattern| pattern.channels);
        let count = used.fold(self.claimed_channels.max(1), u8::max);
        let settings = self.header.pans.iter().zip(&self.header.volumes);
        let settings = settings.map(|(setting, volume)| Channel {
            panning: match setting & 127 {
                100 => Panning::Surround,
                steps => Panning::At(pan(steps, 64)),
            },
            volume: Level::from_64(*volume),
            is_muted: setting & 128 != 0,
        });
        let others = iter::repeat(Channel::at(song::Pan::CENTRE));
        settings.chain(others).take(count.into()).collect()
    }
}

/// Returns the macros of parameters: each ends with a zero, or with its 32 bytes.
fn macros(stored: &[u8; MACRO_BYTES]) -> MidiMacros {
    let texts = stored
        .chunks(MidiMacros::STORED)
        .skip(SONG_MACROS)
        .map(|text| text.split(|byte| *byte == 0).next().unwrap_or_default().to_vec());
    let mut parametric: Vec<Vec<u8>> = texts.collect();
    let fixed = parametric.split_off(MidiMacros::PARAMETRIC.min(parametric.len()));
    MidiMacros { parametric, fixed }
}

impl ItModule {
    /// Returns how loops turn: beside the Amiga's slides, `ModPlug` Tracker and `OpenMPT` play the last frame twice.
    ///
    /// Source: made modules, as libopenmpt 0.6 plays them.
    fn ping_pong(&self) -> LoopMode {
        let is_linear = self.header.flags & LINEAR != 0;
        match self.writer().program {
            Program::ModPlugTracker | Program::OpenMpt if !is_linear => LoopMode::PingPong,
            _ => LoopMode::ShortPingPong,
        }
    }
}

impl Sample {
    const fn slot(&self) -> SampleSlot<'_> {
        let claimed = if self.flags & 1 == 0 { 0 } else { self.length as u64 };
        SampleSlot::of(self.frames.as_ref(), claimed)
    }

    fn to_song(&self, ping_pong: LoopMode) -> module::Sample {
        let has = |flag: u8| self.flags & flag != 0;
        let length = self.slot().length();
        let range = |[start, end]: [u32; 2], turns| {
            let [start, end] = [start, end].map(u64::from);
            let mode = if turns { ping_pong } else { LoopMode::Forward };
            looping(start, end, length, mode)
        };
        let loop_range = range([self.loop_start, self.loop_end], has(PING_PONG));
        let sustain = range([self.sustain_start, self.sustain_end], has(PING_PONG_SUSTAIN));
        let wave = match self.vibrato_wave {
            1 => LfoWave::RampDown,
            2 => LfoWave::Square,
            3 => LfoWave::Random,
            _ => LfoWave::Sine,
        };
        let vibrato = Vibrato {
            wave,
            speed: self.vibrato_speed,
            depth: self.vibrato_depth,
            sweep: VibratoSweep::Rate(self.vibrato_rate),
        };
        module::Sample {
            name: text(&self.name, TextEncoding::Dos),
            file_name: text(&self.file_name, TextEncoding::Dos),
            volume: Level::from_64(self.volume),
            global_volume: Level::from_64(self.global_volume),
            pan: (self.pan & 128 != 0).then(|| pan(self.pan & 127, 64)),
            tuning: SampleTuning::Rate(if self.rate == 0 { 8363 } else { self.rate }),
            loop_range: loop_range.filter(|_| has(LOOP)),
            sustain_loop: sustain.filter(|_| has(SUSTAIN)).map(LoopRange::sustaining),
            vibrato: (self.vibrato_depth > 0).then_some(vibrato),
            ..module::Sample::silent(SampleSource::Silent)
        }
    }
}

impl Instrument {
    fn to_song(&self) -> module::Instrument {
        let mut keys = [NoteMapping::default(); KeyMap::KEYS];
        for ((to, (note, sample)), key) in keys.iter_mut().zip(self.keys).zip(0_i8..) {
            // A note that there is none of sounds as the key itself.
            let note = i8::try_from(note).ok().filter(|note| *note < 120).unwrap_or(key);
            to.transpose = note.saturating_sub(key);
            to.sample = sample.checked_sub(1).map(u16::from);
        }
        let old_note = match self.new_note_action {
            1 => NewNoteAction::Continue,
            2 => NewNoteAction::Off,
            3 => NewNoteAction::Fade,
            _ => NewNoteAction::Cut,
        };
        let instrument = module::Instrument {
            name: text(&self.name, TextEncoding::Dos),
            file_name: text(&self.file_name, TextEncoding::Dos),
            new_note_action: old_note,
            ..module::Instrument::plain(KeyMap::new(keys))
        };
        match &self.envelopes {
            ItInstrumentSettings::Old(old) => old.complete(instrument, self.fadeout),
            ItInstrumentSettings::New(new) => new.complete(instrument, self.fadeout),
        }
    }
}

impl Old {
    fn complete(&self, instrument: module::Instrument, fadeout: u16) -> module::Instrument {
        let nodes = self.nodes.iter().take_while(|(tick, _)| *tick != 255);
        let points = nodes.map(|(tick, value)| Point { tick: (*tick).into(), value: clamped(*value) });
        let has = |flag: u8| self.flags & flag != 0;
        let sustain = has(4).then_some(Span { first: self.sustain_start, last: self.sustain_end });
        let looping = has(2).then_some(Span { first: self.loop_start, last: self.loop_end });
        let volume = envelope(points, sustain, looping);
        module::Instrument {
            volume: volume.map(|envelope| envelope.switched(has(1), false)),
            // Counted from 512.
            fadeout: u32::from(fadeout).saturating_mul(64),
            duplicate_check: if self.duplicate_check == 0 {
                DuplicateCheck::Never
            } else {
                DuplicateCheck::Note(NewNoteAction::Cut)
            },
            ..instrument
        }
    }
}

/// Returns the volume, 0 to 64.
fn clamped(value: u8) -> i8 {
    i8::try_from(value.min(64)).unwrap_or(64)
}

impl New {
    fn complete(&self, instrument: module::Instrument, fadeout: u16) -> module::Instrument {
        let action = match self.duplicate_action {
            1 => NewNoteAction::Off,
            2 => NewNoteAction::Fade,
            _ => NewNoteAction::Cut,
        };
        let [volume, pan_nodes, third] = &self.nodes;
        let (around, is_filter) = (-32..=32, third.flags & 128 != 0);
        let third = third.envelope(around.clone());
        let used = |value: u8| (value & 128 != 0).then_some(value & 127);
        module::Instrument {
            volume: volume.envelope(0..=64),
            pan: pan_nodes.envelope(around),
            pitch: third.clone().filter(|_| !is_filter),
            cutoff: third.filter(|_| is_filter),
            // Counted from 1024.
            fadeout: u32::from(fadeout).saturating_mul(32),
            duplicate_check: match self.duplicate_check {
                1 => DuplicateCheck::Note(action),
                2 => DuplicateCheck::Sample(action),
                3 => DuplicateCheck::Instrument(action),
                _ => DuplicateCheck::Never,
            },
            global_volume: Level::from_128(self.global_volume),
            default_pan: (self.pan & 128 == 0).then(|| pan(self.pan, 64)),
            volume_swing: self.volume_swing.min(100),
            pan_swing: self.pan_swing.min(64),
            pitch_pan: PitchPan {
                separation: self.pitch_pan_separation.clamp(-32, 32),
                centre: Key::new(self.pitch_pan_center).unwrap_or(Key::C4),
            },
            filter: InitialFilter { cutoff: used(self.cutoff), resonance: used(self.resonance) },
            ..instrument
        }
    }
}

impl EnvelopeNodes {
    fn envelope(&self, range: std::ops::RangeInclusive<i8>) -> Option<module::BreakpointEnvelope> {
        let nodes = self.nodes.iter().take(self.count.into());
        let points = nodes
            .map(|(value, tick)| Point { tick: *tick, value: (*value).clamp(*range.start(), *range.end()) });
        let has = |flag: u8| self.flags & flag != 0;
        let sustain = has(4).then_some(Span { first: self.sustain_start, last: self.sustain_end });
        let looping = has(2).then_some(Span { first: self.loop_start, last: self.loop_end });
        Some(envelope(points, sustain, looping)?.switched(has(1), has(8)))
    }
}
