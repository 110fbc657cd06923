use song::module::{Channel, EffectCommand, NewNoteAction, Panning};

use super::level;
use super::note::ItNote;
use super::rules::{ItRules, LfoModel};
use crate::replay::dialect::pattern_loop::PatternLoop;
use crate::replay::dialect::retrigger::Retrigger;
use crate::replay::dialect::tremor::Tremor;
use crate::replay::lfo::Lfo;
use crate::replay::random::Random;

/// What a channel of Impulse Tracker remembers, apart from its note.
#[derive(Clone, Debug)]
pub(super) struct Host {
    pub(super) note: ItNote,
    pub(super) is_muted: bool,
    /// As cells name it, from 0.
    pub(super) instrument: Option<usize>,
    /// The last key; none after a note that is none.
    pub(super) last_key: Option<u8>,
    pub(super) channel_volume: i32,
    /// 0..=256.
    pub(super) pan: i32,
    pub(super) is_surround: bool,
    pub(super) pattern_loop: PatternLoop,
    pub(super) memory: ItEffectMemory,
    pub(super) steps: SlideSteps,
    pub(super) vibrato: Lfo,
    pub(super) tremolo: Lfo,
    pub(super) panbrello: Panbrello,
    pub(super) retrigger: Retrigger,
    pub(super) tremor: Tremor,
    pub(super) glissando: bool,
    pub(super) macro_number: u8,
    /// The cell is ignored: its key plays nothing.
    pub(super) is_ignored: bool,
    /// The row's note was played at the present tick.
    pub(super) was_played: bool,
    /// The row's note became the target of a slide at the present tick.
    pub(super) was_aimed: bool,
}

/// The oscillator of the pan, and what it adds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Panbrello {
    pub(super) lfo: Lfo,
    /// The random value that is held.
    held: i32,
    /// Ticks that it is held for.
    hold: u8,
    /// What it adds to the pan, in 256ths, until the pan is set or a note begins.
    pub(super) offset: i32,
}

impl Panbrello {
    /// Plays a tick as `ModPlug` Tracker does.
    pub(super) fn play_modplug(&mut self, random: &mut Random) {
        let lfo = &mut self.lfo;
        self.offset = (lfo.modplug(random) * i32::from(lfo.depth) + 2) >> 3;
        lfo.position = lfo.position.wrapping_add(lfo.speed);
    }

    /// Plays a tick. A random value is held for as many ticks as the speed says.
    ///
    /// Source: *OpenMPT*'s test cases `PanbrelloHold.it` and `RandomWaveform.it`.
    pub(super) fn play(&mut self, random: &mut Random) {
        let lfo = &mut self.lfo;
        let value = if lfo.wave & 3 == 3 {
            if self.hold == 0 {
                self.hold = lfo.speed;
                self.held = random.within(64);
            }
            self.hold = self.hold.saturating_sub(1);
            self.held
        } else {
            // A quarter of the speed of the others.
            lfo.position = lfo.position.wrapping_add(lfo.speed);
            lfo.impulse_tracker(random)
        };
        // Pans have 64 steps here; what is between them is rounded.
        self.offset = 4 * ((value * i32::from(lfo.depth) + 16) >> 5);
    }
}

/// How far slides of the effect column go, as the memories were when the tracker read each. What is read of a row
/// later changes memories that slides share; those of the volume column take them as they are then.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SlideSteps {
    pub(super) tone: u8,
    pub(super) slide: u8,
}

/// The last parameters of effects.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ItEffectMemory {
    /// D, K and L.
    pub(super) volume_slide: u8,
    /// E and F, and G if slides are not compatible.
    pub(super) slide: u8,
    pub(super) tone: u8,
    pub(super) tremor: u8,
    pub(super) arpeggio: u8,
    pub(super) channel_slide: u8,
    pub(super) offset: u8,
    pub(super) high_offset: u8,
    pub(super) pan_slide: u8,
    pub(super) retrigger: u8,
    pub(super) extended: u8,
    pub(super) tempo: u8,
    pub(super) global_slide: u8,
    /// Of slides in the volume column.
    pub(super) column: u8,
}

impl ItEffectMemory {
    /// Returns what remembers the parameter of a command; none if it is remembered elsewhere, or not at all.
    pub(super) const fn of(&mut self, command: EffectCommand) -> Option<&mut u8> {
        Some(match command {
            EffectCommand::VolumeSlide
            | EffectCommand::VibratoVolumeSlide
            | EffectCommand::TonePortamentoVolumeSlide => &mut self.volume_slide,
            EffectCommand::PortamentoDown | EffectCommand::PortamentoUp => &mut self.slide,
            EffectCommand::Tremor => &mut self.tremor,
            EffectCommand::Arpeggio => &mut self.arpeggio,
            EffectCommand::ChannelVolumeSlide => &mut self.channel_slide,
            EffectCommand::SampleOffset => &mut self.offset,
            EffectCommand::PanSlide => &mut self.pan_slide,
            EffectCommand::Retrigger => &mut self.retrigger,
            EffectCommand::Extended => &mut self.extended,
            EffectCommand::Tempo => &mut self.tempo,
            EffectCommand::GlobalVolumeSlide => &mut self.global_slide,
            // They are remembered with what they move.
            EffectCommand::TonePortamento
            | EffectCommand::Vibrato
            | EffectCommand::FineVibrato
            | EffectCommand::Tremolo
            | EffectCommand::Panbrello => return None,
            // They have no memory.
            EffectCommand::Speed
            | EffectCommand::PositionJump
            | EffectCommand::PatternBreak
            | EffectCommand::ChannelVolume
            | EffectCommand::GlobalVolume
            | EffectCommand::SetPanning
            | EffectCommand::Macro => return None,
            // The format has no letter for them.
            EffectCommand::SetVolume
            | EffectCommand::SpeedOrTempo
            | EffectCommand::KeyOff
            | EffectCommand::EnvelopePosition
            | EffectCommand::ExtraFinePortamento
            | EffectCommand::Unknown(_) => return None,
        })
    }
}

/// A sixteenth of a cycle.
const SIXTEENTH: u8 = 16;

impl Host {
    /// Brings the oscillators to where they begin with a note, but for those that go on.
    pub(super) const fn restart_oscillators(&mut self, rules: ItRules) {
        let is_late = matches!(rules.lfo, LfoModel::ModPlug);
        if self.vibrato.wave < 4 {
            self.vibrato.position = if is_late && !rules.old_effects { 4 * SIXTEENTH } else { 0 };
        }
        if self.tremolo.wave < 4 {
            self.tremolo.position = 0;
        }
    }

    pub(super) fn new(index: usize, channel: &Channel, rules: ItRules) -> Self {
        let (pan, is_surround) = match channel.panning {
            Panning::At(pan) => (((pan.get() + 1.0) * 128.0).round() as i32, false),
            Panning::Surround => (128, true),
        };
        let pan_start = if rules.lfo == LfoModel::ModPlug { SIXTEENTH } else { 0 };
        Self {
            note: ItNote::silent(index),
            is_muted: channel.is_muted,
            instrument: None,
            last_key: Some(0),
            channel_volume: level(channel.volume),
            pan,
            is_surround,
            pattern_loop: PatternLoop::default(),
            memory: ItEffectMemory::default(),
            steps: SlideSteps::default(),
            vibrato: Lfo::default(),
            tremolo: Lfo::default(),
            panbrello: Panbrello {
                lfo: Lfo { position: pan_start, ..Lfo::default() },
                ..Panbrello::default()
            },
            retrigger: Retrigger::default(),
            tremor: Tremor::default(),
            glissando: false,
            macro_number: 0,
            is_ignored: false,
            was_played: false,
            was_aimed: false,
        }
    }

    /// Returns the note that sounds and may go on, leaving a silent one that takes over what belongs to the channel.
    pub(super) fn take_note(&mut self) -> ItNote {
        let mut next = ItNote::silent(self.note.channel);
        next.clone_channel(&self.note);
        std::mem::replace(&mut self.note, next)
    }
}

impl ItNote {
    /// Takes over what is the channel's, and not that of a note.
    fn clone_channel(&mut self, from: &Self) {
        (self.instrument, self.instrument_gain) = (from.instrument, from.instrument_gain);
        self.sample = from.sample;
        self.key = from.key;
        (self.c4_rate, self.hz) = (from.c4_rate, from.hz);
        self.volume = from.volume;
        self.channel_volume = from.channel_volume;
        self.pan = from.pan;
        self.is_surround = from.is_surround;
        self.volume_envelope = from.volume_envelope;
        self.pan_envelope = from.pan_envelope;
        self.pitch_envelope = from.pitch_envelope;
        self.new_note_action = NewNoteAction::Cut;
        self.cutoff = from.cutoff;
        self.resonance = from.resonance;
    }
}
