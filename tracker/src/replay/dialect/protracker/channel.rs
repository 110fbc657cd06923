use std::ops::RangeInclusive;

use song::module::{Cell, CellNote, Effect, EffectCommand, SampleTuning};

use super::inversion::LoopInversion;
use super::rules::ModRules;
use crate::replay::VoiceSound;
use crate::replay::dialect::channels::MonophonicChannel;
use crate::replay::dialect::pattern_loop::PatternLoop;
use crate::replay::dialect::slides::NO_EFFECT;
use crate::replay::flow::{Clock, RowFlow};
use crate::replay::lfo::Lfo;
use crate::replay::nibbles::nibbles;
use crate::replay::period::{
    AMIGA_CLOCK, AMIGA_NOTES, QUARTERS, amiga_limits, amiga_note, amiga_period, transposed,
};
use crate::replay::score::Score;
use crate::replay::voice::ReplayVoice;

/// What a channel of `ProTracker` remembers.
#[derive(Clone, Debug)]
pub(super) struct ModChannel {
    pub(super) voice: ReplayVoice,
    pub(super) sound: VoiceSound,
    pan: f32,
    is_surround: bool,
    /// The sample that was named last.
    pub(super) sample: Option<usize>,
    /// The frame that it begins at.
    pub(super) start: u64,
    pub(super) finetune: i8,
    pub(super) volume: i32,
    pub(super) heard_volume: i32,
    /// In [`QUARTERS`], as all periods here.
    pub(super) period: i32,
    /// As the hardware has it.
    pub(super) heard_period: i32,
    pub(super) target: i32,
    pub(super) tone_speed: u8,
    pub(super) glissando: bool,
    /// Of the present row.
    pub(super) has_note: bool,
    pub(super) effect: Effect,
    pub(super) offset: u8,
    pub(super) vibrato: Lfo,
    pub(super) tremolo: Lfo,
    pub(super) pattern_loop: PatternLoop,
    pub(super) inversion: LoopInversion,
}

impl MonophonicChannel for ModChannel {
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
        self.voice.sample()
    }

    fn pattern_loop(&self) -> &PatternLoop {
        &self.pattern_loop
    }
}

impl ModChannel {
    pub(super) fn new(pan: f32) -> Self {
        Self {
            voice: ReplayVoice::default(),
            sound: VoiceSound { hz: 0.0, volume: 0.0, pan, is_surround: false, filter: None },
            pan,
            is_surround: false,
            sample: None,
            start: 0,
            finetune: 0,
            volume: 0,
            heard_volume: 0,
            period: 0,
            heard_period: 0,
            target: 0,
            tone_speed: 0,
            glissando: false,
            has_note: false,
            effect: NO_EFFECT,
            offset: 0,
            vibrato: Lfo::default(),
            tremolo: Lfo::default(),
            pattern_loop: PatternLoop::default(),
            inversion: LoopInversion::default(),
        }
    }

    /// Reads a cell, in the first tick of its row.
    pub(super) fn row(
        &mut self,
        score: &Score,
        clock: Clock,
        cell: &Cell,
        rules: ModRules,
    ) -> Option<RowFlow> {
        self.effect = cell.effect.unwrap_or(NO_EFFECT);
        self.heard_volume = self.volume;
        let period = match cell.note {
            CellNote::Period(period) => i32::from(period.get()) * QUARTERS,
            _ => 0,
        };
        self.has_note = period > 0;
        if cell.effect.is_none() && period == 0 && cell.instrument.is_none() {
            self.heard_period = self.period;
        }
        if let Some(number) = cell.instrument {
            self.load(score, usize::from(number).wrapping_sub(1), period > 0, rules);
        }
        if period > 0 {
            self.play(score, period, rules);
        }
        self.first_tick(score, clock, rules)
    }

    /// Plays the note of the cell.
    fn play(&mut self, score: &Score, period: i32, rules: ModRules) {
        // With nothing to slide from, it is a note like any.
        if self.slides_to_note() && self.period > 0 {
            return self.aim(period, rules);
        }
        if let Some((5, finetune)) = self.extended() {
            self.finetune = signed(finetune);
        }
        if self.effect.command == EffectCommand::SampleOffset {
            self.set_offset();
        }
        self.period = self.tuned(period, rules);
        if !self.delays_note() {
            if self.vibrato.wave & 4 == 0 {
                self.vibrato.position = 0;
            }
            if self.tremolo.wave & 4 == 0 {
                self.tremolo.position = 0;
            }
            self.trigger(score);
        }
    }

    /// Returns the four bits of an extended effect and its value, if the cell has that.
    pub(super) const fn extended(&self) -> Option<(u8, u8)> {
        match self.effect {
            Effect { command: EffectCommand::Extended, parameter } => Some(nibbles(parameter)),
            _ => None,
        }
    }

    pub(super) const fn slides_to_note(&self) -> bool {
        matches!(
            self.effect.command,
            EffectCommand::TonePortamento | EffectCommand::TonePortamentoVolumeSlide
        )
    }

    const fn delays_note(&self) -> bool {
        matches!(self.extended(), Some((0xD, _)))
    }

    /// Takes what a sample says; unless a note begins it now, it follows where the present one turns.
    fn load(&mut self, score: &Score, index: usize, has_note: bool, rules: ModRules) {
        if score.sample(index).is_none() {
            return;
        }
        self.sample = Some(index);
        self.start = 0;
        self.inversion.at = 0;
        if let Some(sample) = score.sample(index) {
            self.volume = i32::from(sample.volume.get()) / 2;
            self.heard_volume = self.volume;
            let is_other = self.voice.sample() != Some(index);
            let is_kept =
                is_other && if rules.keeps_finetune { !has_note } else { has_note && self.slides_to_note() };
            if let (SampleTuning::Finetune(finetune), false) = (sample.tuning, is_kept) {
                self.finetune = finetune;
            }
        }
        let waits = self.slides_to_note() || self.delays_note();
        if has_note && !waits || self.voice.sample() == Some(index) {
            return;
        }
        if !rules.swaps_samples {
            return;
        }
        if self.voice.is_sounding() {
            self.voice.swap_at_loop_end(index);
        } else if let Some(active) = score.recording(index).and_then(|recording| recording.held)
            && self.voice.sample().is_some()
        {
            self.voice.start(score, index, active.start);
        }
    }

    /// Returns whether the cell of the row says how fast its loop is inverted.
    pub(super) const fn sets_inversion(&self) -> bool {
        matches!(self.extended(), Some((0xF, _)))
    }

    /// Begins the sample.
    pub(super) fn trigger(&mut self, score: &Score) {
        self.heard_period = self.period;
        let Some(sample) = self.sample else { return };
        let recording = score.recording(sample);
        let looped = recording.and_then(|recording| recording.held);
        let from = match (recording, looped) {
            // Beyond the end there is its loop.
            (Some(recording), Some(active)) if self.start >= recording.length => active.start,
            _ => self.start,
        };
        self.voice.start(score, sample, from);
    }

    /// Returns the period that a note has with the finetune.
    fn tuned(&self, period: i32, rules: ModRules) -> i32 {
        match amiga_note(period, 0) {
            Some(note) if rules.looks_up_notes || (113 * QUARTERS..=856 * QUARTERS).contains(&period) => {
                amiga_period(note, self.finetune)
            }
            _ => (f64::from(period) * (-f64::from(self.finetune) / 96.0).exp2()).round() as i32,
        }
    }

    /// Sets the note that a tone portamento goes to.
    fn aim(&mut self, period: i32, rules: ModRules) {
        let target = match amiga_note(period, self.finetune) {
            Some(note) if rules.looks_up_notes => {
                // The tracker searches the tuned notes, and goes one up for those that are tuned down.
                let note = if self.finetune < 0 && note > 0 { note - 1 } else { note };
                amiga_period(note, self.finetune)
            }
            _ => self.tuned(period, rules),
        };
        self.target = if target == self.period { 0 } else { target };
    }

    pub(super) const fn set_offset(&mut self) {
        if self.effect.parameter > 0 {
            self.offset = self.effect.parameter;
        }
        self.start += (self.offset as u64) << 8;
    }

    /// Returns the period of a note some semitones above this one. Above the last note is one of no period, and above
    /// that the notes begin again.
    ///
    /// `ProTracker` goes on with the notes of the next finetune there; libopenmpt does not.
    pub(super) fn above(&self, semitones: u8, rules: ModRules) -> i32 {
        if !rules.looks_up_notes {
            return transposed(self.period, semitones.into());
        }
        amiga_note(self.period, self.finetune).map_or(self.period, |note| {
            amiga_period((note + usize::from(semitones)) % (AMIGA_NOTES + 1), self.finetune)
        })
    }

    /// Returns the shortest and the longest period that it sounds with.
    pub(super) fn limits(&self, rules: ModRules) -> RangeInclusive<i32> {
        if rules.limits_periods { amiga_limits(self.finetune) } else { 14 * QUARTERS..=6848 * QUARTERS }
    }

    /// Returns how it sounds in this tick.
    pub(super) fn compute_sound(&self, rules: ModRules) -> VoiceSound {
        let limits = self.limits(rules);
        let hz = if self.heard_period > 0 {
            let period = self.heard_period.clamp(*limits.start(), *limits.end());
            AMIGA_CLOCK * f64::from(QUARTERS) / f64::from(period)
        } else {
            0.0
        };
        VoiceSound {
            hz,
            volume: self.heard_volume.clamp(0, 64) as f32 / 64.0,
            pan: self.pan,
            is_surround: self.is_surround,
            filter: None,
        }
    }

    pub(super) const fn set_pan(&mut self, pan: u8) {
        self.pan = pan as f32 / 127.5 - 1.0;
        self.is_surround = false;
    }

    pub(super) const fn set_narrow_pan(&mut self, pan: u8) {
        self.is_surround = pan == SURROUND;
        self.pan = if self.is_surround { 0.0 } else { pan as f32 / 64.0 - 1.0 };
    }
}

/// The pan of a narrow range that stands for surround.
pub(super) const SURROUND: u8 = 0xA4;

/// Returns four bits with a sign.
pub(super) const fn signed(value: u8) -> i8 {
    ((value << 4) as i8) >> 4
}
