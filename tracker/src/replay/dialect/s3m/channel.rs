use song::Key;
use song::module::{self, Cell, CellNote, Effect, EffectCommand, Level, Panning, VolumeCommand};

use super::tone_portamento::S3mTonePortamento;
use super::{S3mRules, fm};
use crate::replay::VoiceSound;
use crate::replay::dialect::arpeggio::Arpeggio;
use crate::replay::dialect::channels::MonophonicChannel;
use crate::replay::dialect::pattern_loop::PatternLoop;
use crate::replay::dialect::retrigger::{Retrigger, retriggered_volume};
use crate::replay::dialect::tremor::Tremor;
use crate::replay::flow::Clock;
use crate::replay::lfo::Lfo;
use crate::replay::nibbles::nibbles;
use crate::replay::period::{S3M_CLOCK, S3M_PARTS};
use crate::replay::random::Random;
use crate::replay::score::Score;
use crate::replay::voice::ReplayVoice;

/// What a channel of Scream Tracker 3 remembers.
#[derive(Clone, Debug)]
pub(super) struct S3mChannel {
    pub(super) voice: ReplayVoice,
    pub(super) sound: VoiceSound,
    pub(super) instrument: Option<usize>,
    pub(super) key: Option<i32>,
    pub(super) c4_rate: u32,
    pub(super) volume: i32,
    pub(super) channel_volume: i32,
    /// 0..=256.
    pub(super) pan: i32,
    pub(super) is_surround: bool,
    pub(super) is_muted: bool,
    /// In parts of [`S3M_PARTS`], without vibrato; 0 if nothing is to sound.
    pub(super) period: i32,
    pub(super) tone: S3mTonePortamento,
    /// Its note was cut: none sounds until one begins.
    is_cut: bool,
    pub(super) heard: TickEffects,
    pub(super) memory: S3mEffectMemory,
    /// The frame at which the sample begins.
    offset: u64,
    pub(super) vibrato: Lfo,
    pub(super) tremolo: Lfo,
    retrigger: Retrigger,
    tremor: Tremor,
    pub(super) pattern_loop: PatternLoop,
}

/// What effects make of the note in one tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TickEffects {
    /// What the vibrato adds to the period.
    added_period: i32,
    /// What the tremolo adds to the volume.
    added_volume: i32,
    /// The period that sounds in place of the note's, by an arpeggio.
    arpeggio: Option<i32>,
    /// The period that sounds in place of the note's, by a slide that goes by semitones.
    pub(super) semitone: Option<i32>,
    /// The tremor is in its turn of silence.
    is_silenced: bool,
}

/// The last parameters of effects.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct S3mEffectMemory {
    /// The one memory of most effects.
    pub(super) shared: u8,
    offset: u8,
    pub(super) global_slide: u8,
}

impl MonophonicChannel for S3mChannel {
    fn voice(&self) -> &ReplayVoice {
        &self.voice
    }

    fn voice_mut(&mut self) -> &mut ReplayVoice {
        &mut self.voice
    }

    fn sound(&self) -> VoiceSound {
        self.sound
    }

    fn instrument(&self) -> Option<usize> {
        self.instrument
    }

    fn pattern_loop(&self) -> &PatternLoop {
        &self.pattern_loop
    }
}

impl S3mChannel {
    pub(super) fn new(channel: &module::Channel) -> Self {
        let (pan, is_surround) = match channel.panning {
            Panning::At(pan) => (((pan.get() + 1.0) * 128.0).round() as i32, false),
            Panning::Surround => (128, true),
        };
        Self {
            voice: ReplayVoice::default(),
            sound: VoiceSound { hz: 0.0, volume: 0.0, pan: 0.0, is_surround, filter: None },
            instrument: None,
            key: None,
            c4_rate: 8363,
            volume: 0,
            channel_volume: level(channel.volume),
            pan,
            is_surround,
            is_muted: channel.is_muted,
            period: 0,
            tone: S3mTonePortamento::default(),
            is_cut: false,
            heard: TickEffects::default(),
            memory: S3mEffectMemory::default(),
            offset: 0,
            vibrato: Lfo::default(),
            tremolo: Lfo::default(),
            retrigger: Retrigger::default(),
            tremor: Tremor::default(),
            pattern_loop: PatternLoop::default(),
        }
    }

    /// Begins a row: takes the parameter of its effect, and ends what the row before had.
    pub(super) fn begin_row(&mut self, effect: Option<Effect>) {
        let command = effect.map(|effect| effect.command);
        if let Some(Effect { parameter: parameter @ 1.., .. }) = effect {
            self.memory.shared = parameter;
        }
        // A slide goes on from the note of an arpeggio that was heard last.
        if let Some(period) = self.heard.arpeggio.take()
            && matches!(command, Some(EffectCommand::PortamentoDown | EffectCommand::PortamentoUp))
        {
            self.period = period;
        }
        if command != Some(EffectCommand::Tremor) {
            self.tremor = Tremor::default();
        }
        if matches!(command, None | Some(EffectCommand::VolumeSlide)) {
            self.retrigger.restart();
        }
    }

    /// Plays what a cell says: instrument, note and volume.
    pub(super) fn play(&mut self, score: &Score, cell: &Cell, rules: S3mRules) {
        let command = cell.effect.map(|effect| effect.command);
        let slides =
            matches!(command, Some(EffectCommand::TonePortamento | EffectCommand::TonePortamentoVolumeSlide));
        if let Some(number) = cell.instrument {
            let index = usize::from(number).wrapping_sub(1);
            // A slide goes on with the sample that sounds, at the volume and the rate of the other.
            if !(slides && self.voice.is_sounding()) {
                self.instrument = Some(index);
            }
            if let Some(sample) = score.sample(index) {
                self.volume = level(sample.volume);
                self.voice.jump();
                self.c4_rate = sample.tuning.c4_rate() as u32;
            }
            self.offset = 0;
        }
        if command == Some(EffectCommand::SampleOffset) {
            let parameter = cell.effect.map_or(0, |effect| effect.parameter);
            if parameter > 0 {
                self.memory.offset = parameter;
            }
            self.offset = u64::from(self.memory.offset) << 8;
        }
        match cell.note {
            CellNote::Key(key) => self.begin(score, key, slides, cell.instrument.is_some(), rules),
            // The synthesiser rings out.
            CellNote::Cut | CellNote::Off if self.is_synthesised(score) => self.voice.release(score),
            CellNote::Cut | CellNote::Off => {
                self.cut();
                // The next note has none either, unless it names an instrument or a volume.
                self.volume = 0;
            }
            _ => {}
        }
        if let Some(volume) = cell.volume {
            self.column(volume);
        }
    }

    /// Returns whether what sounds is no recording.
    fn is_synthesised(&self, score: &Score) -> bool {
        self.voice.sample().is_some_and(|sample| score.fm_patch(sample).is_some())
    }

    fn column(&mut self, command: VolumeCommand) {
        match command {
            VolumeCommand::Volume(volume) => {
                self.volume = volume.min(64).into();
                self.voice.jump();
            }
            VolumeCommand::Pan(pan) => self.set_pan(4 * i32::from(pan)),
            // The format has no byte for them.
            VolumeCommand::FineUp(_)
            | VolumeCommand::FineDown(_)
            | VolumeCommand::Up(_)
            | VolumeCommand::Down(_)
            | VolumeCommand::PortamentoDown(_)
            | VolumeCommand::PortamentoUp(_)
            | VolumeCommand::TonePortamento(_)
            | VolumeCommand::VibratoSpeed(_)
            | VolumeCommand::Vibrato(_)
            | VolumeCommand::PanLeft(_)
            | VolumeCommand::PanRight(_)
            | VolumeCommand::Unknown(_) => {}
        }
    }

    pub(super) fn begin(
        &mut self,
        score: &Score,
        key: Key,
        slides: bool,
        has_instrument: bool,
        rules: S3mRules,
    ) {
        let key = i32::from(key.get());
        let Some(sample) = self.instrument else { return };
        self.key = Some(key);
        let period = rules.limited(rules.note_period(key, self.c4_rate));
        self.tone.target = period;
        if slides && self.period > 0 {
            // Beside an instrument, a sample that has ended begins again, and slides from where the pitch was.
            if !self.voice.is_sounding() && has_instrument {
                self.start(score, sample);
            }
            return;
        }
        self.period = period;
        for lfo in [&mut self.vibrato, &mut self.tremolo] {
            if lfo.wave < 4 {
                lfo.position = 0;
            }
        }
        self.retrigger.restart();
        self.start(score, sample);
    }

    /// Begins its sample at the offset.
    pub(super) fn start(&mut self, score: &Score, sample: usize) {
        let recording = score.recording(sample);
        let looped = recording.and_then(|recording| recording.held);
        let from = match looped {
            // As a GUS plays it.
            Some(active) if self.offset >= active.end => {
                active.start + (self.offset - active.start) % (active.end - active.start).max(1)
            }
            _ => self.offset,
        };
        self.is_cut = false;
        self.voice.start(score, sample, from);
    }

    pub(super) const fn set_panning(&mut self, parameter: u8) {
        match parameter {
            0..=0x80 => self.set_pan(2 * parameter as i32),
            0xA4 => self.is_surround = true,
            _ => {}
        }
    }

    pub(super) const fn set_pan(&mut self, pan: i32) {
        (self.pan, self.is_surround) = (pan, false);
        self.voice.jump();
    }

    pub(super) fn cut(&mut self) {
        self.voice.stop();
        self.is_cut = true;
    }

    /// Takes the parameter in the first tick of a row, and moves the pitch by the vibrato, divided by 2 to the power of
    /// `shift`.
    pub(super) fn play_vibrato(&mut self, parameter: u8, shift: u32, clock: Clock, random: &mut Random) {
        if clock.is_row_start() {
            self.vibrato.set(parameter);
        }
        let value = self.vibrato.scream_tracker(random);
        self.heard.added_period = S3M_PARTS * ((value * i32::from(self.vibrato.depth)) >> shift);
        if clock.tick > 0 {
            self.vibrato.advance();
        }
    }

    pub(super) fn play_tremolo(&mut self, memory: u8, first: bool, random: &mut Random) {
        (self.tremolo.speed, self.tremolo.depth) = nibbles(memory);
        let value = self.tremolo.scream_tracker(random);
        self.heard.added_volume = (value * i32::from(self.tremolo.depth)) >> 7;
        if !first {
            self.tremolo.advance();
        }
    }

    pub(super) fn play_tremor(&mut self, memory: u8) {
        let (on, off) = nibbles(memory);
        self.heard.is_silenced = !self.tremor.step(on + 1, off + 1);
    }

    pub(super) fn arpeggiate(&mut self, memory: u8, tick: u32, rules: S3mRules) {
        let above = Arpeggio::new(memory).at(tick).unwrap_or(0);
        if let Some(key) = self.key.filter(|_| !self.is_cut && self.period > 0) {
            self.heard.arpeggio = Some(rules.note_period(key + i32::from(above), self.c4_rate));
        }
    }

    /// Counts all ticks, those between rows included.
    pub(super) fn play_retrigger(&mut self, score: &Score, memory: u8) {
        let (change, every) = nibbles(memory);
        if !self.retrigger.scream_tracker(every) || self.is_cut || self.period == 0 {
            return;
        }
        self.volume = retriggered_volume(self.volume, change);
        // Notes of the synthesiser go on.
        if let Some(sample) = self.voice.sample().filter(|_| !self.is_synthesised(score)) {
            self.start(score, sample);
        }
    }

    /// Returns how it sounds in this tick; none if it is silent.
    pub(super) fn compute_sound(&self, score: &Score, global: f32, rules: &S3mRules) -> Option<VoiceSound> {
        let period = self.heard.arpeggio.or(self.heard.semitone).unwrap_or(self.period);
        if period <= 0 {
            return None;
        }
        let period = rules.limited(period + self.heard.added_period).max(64 * S3M_PARTS);
        let index = self.voice.sample()?;
        let sample = score.sample(index)?;
        let volume = (self.volume + self.heard.added_volume).clamp(0, 64) as f32 / 64.0;
        let is_audible = !self.heard.is_silenced && !self.is_muted;
        let volume = volume * self.channel_volume as f32 / 64.0 * sample.global_volume.gain();
        let hz = S3M_CLOCK * f64::from(S3M_PARTS) / f64::from(period);
        let pan = if self.is_surround { 0.0 } else { self.pan as f32 / 128.0 - 1.0 };
        let (hz, volume, pan, is_surround) = match score.fm_patch(index) {
            Some(patch) => (fm::cycles(hz), fm::gain(patch, volume), fm::side(self.pan), false),
            None => (hz, volume, pan, self.is_surround),
        };
        let volume = if is_audible { volume * global } else { 0.0 };
        Some(VoiceSound { hz, volume, pan, is_surround, filter: None })
    }
}

fn level(level: Level) -> i32 {
    (level.get() / 2).into()
}
