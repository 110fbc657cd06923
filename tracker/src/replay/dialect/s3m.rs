//! Scream Tracker 3.

use song::Key;
use song::module::{Cell, EffectCommand, Level, Note, Panning, VolumeCommand};

use super::pattern_loop::PatternLoop;
use super::slides::{nibbles, retriggered_volume, towards};
use super::{Processor, SoundingVoice};
use crate::replay::VoiceSound;
use crate::replay::lfo::{Random, sine};
use crate::replay::period::{S3M_CLOCK, s3m_period};
use crate::replay::score::Score;
use crate::replay::transport::Transport;
use crate::replay::voice::{Sender, Voice, VoiceIds};

/// Rates at C4 of the sixteen finetunes.
///
/// Source: *ST3 TECH document*.
const FINETUNES: [u32; 16] =
    [7895, 7941, 7985, 8046, 8107, 8169, 8232, 8280, 8363, 8413, 8463, 8529, 8581, 8651, 8723, 8757];

/// Plays S3M modules.
pub(crate) struct S3mProcessor {
    channels: Vec<S3mChannel>,
    global_volume: i32,
    /// The one loop that the tracker has for all channels.
    pattern_loop: PatternLoop,
    loop_order: usize,
    random: Random,
    rules: Rules,
}

/// In what programs that write S3M modules differ.
#[derive(Clone, Copy, Debug)]
struct Rules {
    fast_slides: bool,
    amiga_limits: bool,
    /// Scream Tracker itself, and not one of those that followed it.
    is_original: bool,
}

#[derive(Clone, Debug)]
struct S3mChannel {
    voice: Voice,
    sound: VoiceSound,
    instrument: Option<usize>,
    key: Option<i32>,
    c4_rate: u32,
    volume: i32,
    channel_volume: i32,
    /// 0..=256.
    pan: i32,
    is_surround: bool,
    is_muted: bool,
    /// Without what swings; 0 if nothing is to sound.
    period: i32,
    target: i32,
    /// What this tick adds.
    vibrato: i32,
    tremolo: i32,
    /// Of an arpeggio, the period that sounds in its place.
    arpeggio: Option<i32>,
    is_silenced: bool,
    /// The one memory of most effects.
    memory: u8,
    tone_speed: u8,
    vibrato_memory: u8,
    offset_memory: u8,
    offset: u64,
    global_slide: u8,
    vibrato_position: u8,
    tremolo_position: u8,
    vibrato_wave: u8,
    tremolo_wave: u8,
    glissando: bool,
    retrigger_count: u8,
    tremor_count: u8,
    tremor_is_on: bool,
    pattern_loop: PatternLoop,
}

impl S3mProcessor {
    pub(crate) fn new(score: &Score, seed: u64) -> Self {
        let module = score.module();
        let created = module.tracker.created_with;
        let channels = module.channels.iter().map(|channel| {
            let (pan, is_surround) = match channel.panning {
                Panning::At(pan) => (((pan.get() + 1.0) * 128.0).round() as i32, false),
                Panning::Surround => (128, true),
            };
            S3mChannel {
                voice: Voice::default(),
                sound: VoiceSound { hz: 0.0, volume: 0.0, pan: 0.0, is_surround, filter: None },
                instrument: None,
                key: None,
                c4_rate: 8363,
                volume: 0,
                channel_volume: (channel.volume.get() / 2).into(),
                pan,
                is_surround,
                is_muted: channel.is_muted,
                period: 0,
                target: 0,
                vibrato: 0,
                tremolo: 0,
                arpeggio: None,
                is_silenced: false,
                memory: 0,
                tone_speed: 0,
                vibrato_memory: 0,
                offset_memory: 0,
                offset: 0,
                global_slide: 0,
                vibrato_position: 0,
                tremolo_position: 0,
                vibrato_wave: 0,
                tremolo_wave: 0,
                glissando: false,
                retrigger_count: 0,
                tremor_count: 0,
                tremor_is_on: true,
                pattern_loop: PatternLoop::default(),
            }
        });
        Self {
            channels: channels.collect(),
            global_volume: (module.globals.global_volume.get() / 2).into(),
            pattern_loop: PatternLoop::default(),
            loop_order: usize::MAX,
            random: Random::new(seed),
            rules: Rules {
                fast_slides: module.globals.compat.fast_volume_slides,
                amiga_limits: module.globals.compat.amiga_limits,
                is_original: created >> 12 == 1,
            },
        }
    }
}

impl Processor for S3mProcessor {
    fn tick(&mut self, score: &Score, transport: &mut Transport) {
        transport.loops_before_jumps = true;
        if self.loop_order != transport.order && transport.is_row_start() {
            self.loop_order = transport.order;
            self.pattern_loop.start = 0;
            self.channels.iter_mut().for_each(|channel| channel.pattern_loop.start = 0);
        }
        for index in 0..self.channels.len() {
            let cell = score.cell(transport.order, transport.row, index);
            self.channel(score, transport, index, cell);
        }
    }

    fn send(&mut self, out: &mut Sender<'_>) {
        let global = self.global_volume as f32 / 64.0;
        for (index, channel) in self.channels.iter_mut().enumerate() {
            let Some(sound) = channel.sound(out.score, global, &self.rules) else {
                channel.voice.stop();
                channel.voice.send(out, index, channel.sound);
                continue;
            };
            channel.sound = sound;
            channel.voice.send(out, index, sound);
        }
    }

    fn advance(&mut self, score: &Score, ids: &mut VoiceIds, seconds: f64) {
        for channel in &mut self.channels {
            channel.voice.advance(score, ids, channel.sound.hz * seconds);
        }
    }

    fn loop_state(&self) -> u64 {
        let own = self.channels.iter().enumerate().map(|(index, channel)| channel.pattern_loop.state(index));
        own.fold(self.pattern_loop.state(0), u64::wrapping_add)
    }

    fn voices(&self, visit: &mut dyn FnMut(SoundingVoice<'_>)) {
        for (index, channel) in self.channels.iter().enumerate() {
            if channel.voice.is_sounding() {
                visit(SoundingVoice {
                    channel: index,
                    instrument: channel.instrument.unwrap_or_default(),
                    voice: &channel.voice,
                    sound: channel.sound,
                    is_background: false,
                });
            }
        }
    }
}

impl S3mProcessor {
    fn channel(&mut self, score: &Score, transport: &mut Transport, index: usize, cell: Cell) {
        let Some(channel) = self.channels.get_mut(index) else { return };
        let (command, parameter) =
            cell.effect.map_or((None, 0), |effect| (Some(effect.command), effect.parameter));
        let rules = self.rules;
        (channel.vibrato, channel.tremolo, channel.is_silenced) = (0, 0, false);
        if transport.is_row_start() {
            if parameter != 0 {
                channel.memory = parameter;
            }
            // A slide goes on from the note of an arpeggio that was heard last.
            let arpeggio = channel.arpeggio.take();
            if let Some(period) = arpeggio
                && matches!(command, Some(EffectCommand::PortamentoDown | EffectCommand::PortamentoUp))
            {
                channel.period = period;
            }
            if !matches!(command, Some(EffectCommand::Tremor)) {
                channel.tremor_count = 0;
                channel.tremor_is_on = true;
            }
        }
        channel.arpeggio = None;
        let memory = channel.memory;
        let delay = match command {
            Some(EffectCommand::Extended) if memory >> 4 == 0xD => Some(u32::from(memory & 15)),
            _ => None,
        };
        match delay {
            Some(delay) if delay > 0 && transport.tick == delay => {
                channel.play(score, &cell, rules);
            }
            _ if transport.is_row_start() => channel.play(score, &cell, rules),
            _ => {}
        }
        let Some(command) = command else { return };
        let first = transport.tick == 0;
        match command {
            EffectCommand::Speed if first && parameter > 0 => transport.speed = parameter.into(),
            EffectCommand::PositionJump if first => transport.jump = Some(parameter.into()),
            EffectCommand::PatternBreak if first => {
                let (tens, ones) = nibbles(parameter);
                let row = usize::from(tens) * 10 + usize::from(ones);
                transport.break_row = Some(if row > 63 { 0 } else { row });
            }
            EffectCommand::VolumeSlide => channel.slide_volume(memory, first, rules),
            EffectCommand::PortamentoDown => channel.slide_pitch(memory, 1, first, rules),
            EffectCommand::PortamentoUp => channel.slide_pitch(memory, -1, first, rules),
            EffectCommand::TonePortamento => {
                if first && parameter > 0 {
                    channel.tone_speed = parameter;
                }
                if !first {
                    channel.slide_to_target();
                }
            }
            EffectCommand::Vibrato | EffectCommand::FineVibrato => {
                if transport.is_row_start() {
                    channel.set_vibrato(parameter);
                }
                let attenuation = if command == EffectCommand::Vibrato { 5 } else { 7 };
                channel.swing_pitch(attenuation, first, &mut self.random);
            }
            EffectCommand::VibratoVolumeSlide => {
                channel.swing_pitch(5, first, &mut self.random);
                if !first || !rules.is_original {
                    channel.slide_volume(memory, first, rules);
                }
            }
            EffectCommand::TonePortamentoVolumeSlide => {
                if !first {
                    channel.slide_to_target();
                }
                if !first || !rules.is_original {
                    channel.slide_volume(memory, first, rules);
                }
            }
            EffectCommand::Tremor => channel.tremor(memory),
            EffectCommand::Arpeggio => channel.arpeggiate(memory, transport.tick),
            EffectCommand::ChannelVolume if first && parameter <= 64 => {
                channel.channel_volume = parameter.into();
            }
            EffectCommand::Retrigger => channel.retrigger(score, memory, first),
            EffectCommand::Tremolo => channel.swing_volume(memory, first, &mut self.random),
            EffectCommand::Tempo if first && parameter >= 0x20 => transport.tempo = parameter.into(),
            EffectCommand::GlobalVolume if first && parameter <= 64 => self.global_volume = parameter.into(),
            EffectCommand::GlobalVolumeSlide => {
                if parameter > 0 {
                    channel.global_slide = parameter;
                }
                let (up, down) = nibbles(channel.global_slide);
                let by = match (up, down, first) {
                    (up, 15, true) if up > 0 => i32::from(up),
                    (15, down, true) if down > 0 => -i32::from(down),
                    (up, 0, false) => i32::from(up),
                    (0, down, false) => -i32::from(down),
                    _ => 0,
                };
                self.global_volume = (self.global_volume + by).clamp(0, 64);
            }
            EffectCommand::SetPanning if first => match parameter {
                0..=0x80 => (channel.pan, channel.is_surround) = (2 * i32::from(parameter), false),
                0xA4 => channel.is_surround = true,
                _ => {}
            },
            EffectCommand::Extended => self.extended(transport, index, memory),
            _ => {}
        }
    }

    fn extended(&mut self, transport: &mut Transport, index: usize, memory: u8) {
        let Some(channel) = self.channels.get_mut(index) else { return };
        let (what, value) = nibbles(memory);
        let first = transport.tick == 0;
        match what {
            1 if first => channel.glissando = value > 0,
            2 if first => channel.c4_rate = FINETUNES.get(usize::from(value)).copied().unwrap_or(8363),
            3 if first => channel.vibrato_wave = value,
            4 if first => channel.tremolo_wave = value,
            6 if transport.is_row_start() => transport.tick_delay += u32::from(value),
            8 if first => (channel.pan, channel.is_surround) = ((i32::from(value) * 256 + 8) / 15, false),
            0xB if transport.is_row_start() => {
                let row = transport.row;
                let own =
                    if self.rules.is_original { &mut self.pattern_loop } else { &mut channel.pattern_loop };
                if value == 0 {
                    own.start = row;
                } else if let Some(back) = own.turn(value.into()) {
                    transport.loop_row = Some(back);
                } else if self.rules.is_original {
                    own.start = row + 1;
                }
            }
            0xC if value > 0 && transport.tick == u32::from(value) => channel.cut(),
            0xE if transport.is_row_start() && transport.row_delay.is_none_or(|delay| delay == 0) => {
                transport.row_delay = Some(value.into());
            }
            _ => {}
        }
    }
}

impl S3mChannel {
    /// Plays what a cell says: instrument, note and volume.
    fn play(&mut self, score: &Score, cell: &Cell, rules: Rules) {
        let command = cell.effect.map(|effect| effect.command);
        let slides =
            matches!(command, Some(EffectCommand::TonePortamento | EffectCommand::TonePortamentoVolumeSlide));
        if let Some(number) = cell.instrument {
            let index = usize::from(number).wrapping_sub(1);
            self.instrument = Some(index);
            if let Some(sample) = score.sample(index) {
                self.volume = level(sample.volume);
                self.c4_rate = sample.tuning.c4_rate() as u32;
            }
            self.offset = 0;
        }
        if command == Some(EffectCommand::SampleOffset) {
            let parameter = cell.effect.map_or(0, |effect| effect.parameter);
            if parameter > 0 {
                self.offset_memory = parameter;
            }
            self.offset = u64::from(self.offset_memory) << 8;
        }
        match cell.note {
            Note::Key(key) => self.begin(score, key, slides, rules),
            Note::Cut | Note::Off => self.cut(),
            _ => {}
        }
        match cell.volume {
            Some(VolumeCommand::Volume(volume)) => self.volume = volume.min(64).into(),
            Some(VolumeCommand::Pan(pan)) => (self.pan, self.is_surround) = (4 * i32::from(pan), false),
            _ => {}
        }
    }

    fn begin(&mut self, score: &Score, key: Key, slides: bool, rules: Rules) {
        let key = i32::from(key.get());
        let Some(sample) = self.instrument else { return };
        self.key = Some(key);
        let period = rules.limited(s3m_period(key, self.c4_rate));
        self.target = period;
        if slides && self.voice.is_sounding() && self.period > 0 {
            return;
        }
        self.period = period;
        if self.vibrato_wave < 4 {
            self.vibrato_position = 0;
        }
        if self.tremolo_wave < 4 {
            self.tremolo_position = 0;
        }
        self.retrigger_count = 0;
        self.start(score, sample);
    }

    /// Begins its sample at the offset.
    fn start(&mut self, score: &Score, sample: usize) {
        let recording = score.recording(sample);
        let looped = recording.and_then(|recording| recording.held);
        let from = match looped {
            // As a GUS plays it.
            Some(active) if self.offset >= active.end => {
                active.start + (self.offset - active.start) % (active.end - active.start).max(1)
            }
            _ => self.offset,
        };
        self.voice.start(score, sample, from);
    }

    fn cut(&mut self) {
        self.voice.stop();
        self.period = 0;
    }

    fn slide_volume(&mut self, memory: u8, first: bool, rules: Rules) {
        let (up, down) = nibbles(memory);
        let is_slide = !first || rules.fast_slides;
        let by = match (up, down) {
            // As far as can be, and in the first tick as well.
            (0, 15) => -15,
            (15, 0) => 15,
            (up, 15) if up > 0 && first => i32::from(up),
            (15, down) if down > 0 && first => -i32::from(down),
            (up, 0) if is_slide => i32::from(up),
            (_, down) if is_slide => -i32::from(down),
            _ => 0,
        };
        self.volume = (self.volume + by).clamp(0, 64);
    }

    fn slide_pitch(&mut self, memory: u8, sign: i32, first: bool, rules: Rules) {
        if self.period == 0 {
            return;
        }
        let by = match (memory, first) {
            (0xF0.., true) => 4 * i32::from(memory & 15),
            (0xE0..=0xEF, true) => i32::from(memory & 15),
            (0..=0xDF, false) => 4 * i32::from(memory),
            _ => return,
        };
        self.period += sign * by;
        if self.period <= 0 {
            self.cut();
        } else {
            self.period = rules.limited(self.period);
        }
    }

    fn slide_to_target(&mut self) {
        if self.target > 0 && self.period > 0 {
            self.period = towards(self.period, self.target, 4 * i32::from(self.tone_speed));
        }
    }

    const fn set_vibrato(&mut self, parameter: u8) {
        let (speed, depth) = nibbles(parameter);
        if speed > 0 {
            self.vibrato_memory = self.vibrato_memory & 0x0F | speed << 4;
        }
        if depth > 0 {
            self.vibrato_memory = self.vibrato_memory & 0xF0 | depth;
        }
    }

    fn swing_pitch(&mut self, attenuation: u32, first: bool, random: &mut Random) {
        let (speed, depth) = nibbles(self.vibrato_memory);
        if !first {
            self.vibrato_position = self.vibrato_position.wrapping_add(speed) & 63;
        }
        let value = wave(self.vibrato_wave, self.vibrato_position, random);
        self.vibrato = (value * i32::from(depth)) >> attenuation;
    }

    fn swing_volume(&mut self, memory: u8, first: bool, random: &mut Random) {
        let (speed, depth) = nibbles(memory);
        if !first {
            self.tremolo_position = self.tremolo_position.wrapping_add(speed) & 63;
        }
        let value = wave(self.tremolo_wave, self.tremolo_position, random);
        self.tremolo = (value * i32::from(depth)) >> 7;
    }

    fn tremor(&mut self, memory: u8) {
        let (on, off) = nibbles(memory);
        if self.tremor_count == 0 {
            self.tremor_count = 1 + if self.tremor_is_on { on } else { off };
            self.is_silenced = !self.tremor_is_on;
            self.tremor_is_on = !self.tremor_is_on;
        } else {
            self.is_silenced = self.tremor_is_on;
        }
        self.tremor_count -= 1;
    }

    fn arpeggiate(&mut self, memory: u8, tick: u32) {
        let (second, third) = nibbles(memory);
        let above = match tick % 3 {
            0 => 0,
            1 => second,
            _ => third,
        };
        if let Some(key) = self.key.filter(|_| self.period > 0) {
            self.arpeggio = Some(s3m_period(key + i32::from(above), self.c4_rate));
        }
    }

    fn retrigger(&mut self, score: &Score, memory: u8, first: bool) {
        let (change, every) = nibbles(memory);
        if every == 0 || first || self.period == 0 {
            return;
        }
        self.retrigger_count += 1;
        if self.retrigger_count < every {
            return;
        }
        self.retrigger_count = 0;
        self.volume = retriggered_volume(self.volume, change);
        if let Some(sample) = self.voice.sample() {
            self.start(score, sample);
        }
    }

    /// Returns how it sounds in this tick; none if it is silent.
    fn sound(&self, score: &Score, global: f32, rules: &Rules) -> Option<VoiceSound> {
        let period = self.arpeggio.unwrap_or(self.period);
        if period <= 0 {
            return None;
        }
        let period = rules.limited(period + self.vibrato).max(64);
        let sample = self.voice.sample().and_then(|sample| score.sample(sample))?;
        let volume = (self.volume + self.tremolo).clamp(0, 64) as f32 / 64.0;
        let is_audible = !self.is_silenced && !self.is_muted;
        let volume = volume * self.channel_volume as f32 / 64.0 * sample.global_volume.gain() * global;
        Some(VoiceSound {
            hz: S3M_CLOCK / f64::from(period),
            volume: if is_audible { volume } else { 0.0 },
            pan: self.pan as f32 / 128.0 - 1.0,
            is_surround: self.is_surround,
            filter: None,
        })
    }
}

impl Rules {
    fn limited(self, period: i32) -> i32 {
        if self.amiga_limits { period.clamp(113 * 4, 856 * 4) } else { period.min(32_767) }
    }
}

fn level(level: Level) -> i32 {
    (level.get() / 2).into()
}

/// Returns a wave at a position of 64, −255..=255.
fn wave(kind: u8, position: u8, random: &mut Random) -> i32 {
    match kind & 3 {
        0 => sine(position),
        1 => 255 - i32::from(position) * 8,
        2 => {
            if position < 32 {
                255
            } else {
                -255
            }
        }
        _ => random.within(255),
    }
}
