use song::Key;
use song::module::{BreakpointEnvelope, EffectCommand, Instrument, VolumeCommand};

use super::auto_vibrato::InstrumentVibrato;
use super::envelope::XmEnvelopeState;
use super::fadeout::Fadeout;
use super::filter_macros::ChannelFilter;
use super::memory::{XmEffectMemory, XmTonePortamento};
use super::row_cell::RowCell;
use super::rules::XmRules;
use crate::replay::VoiceSound;
use crate::replay::dialect::channels::MonophonicChannel;
use crate::replay::dialect::pattern_loop::PatternLoop;
use crate::replay::dialect::retrigger::Retrigger;
use crate::replay::dialect::tremor::Tremor;
use crate::replay::lfo::Lfo;
use crate::replay::period::{XM_NOTES, xm_amiga_period, xm_hz, xm_period};
use crate::replay::score::Score;
use crate::replay::voice::ReplayVoice;

/// How fast an instrument fades that is not there: as the tracker's empty one does.
const ABSENT_FADEOUT: i32 = 128;

/// The key of note 1.
const LOWEST: u8 = 12;

/// What a channel of `FastTracker` 2 remembers.
#[derive(Clone, Debug)]
pub(super) struct XmChannel {
    pub(super) voice: ReplayVoice,
    pub(super) sound: VoiceSound,
    /// As cells name it, from 0.
    pub(super) instrument: Option<usize>,
    /// That of the note that sounds.
    pub(super) playing: Option<usize>,
    /// Its sample, whether it sounds or not.
    pub(super) sample: Option<usize>,
    /// 1..=96.
    pub(super) note: u8,
    pub(super) tuned: Tuned,
    pub(super) volume: i32,
    /// With the tremolo.
    pub(super) heard_volume: i32,
    /// 0..=255.
    pub(super) pan: i32,
    pub(super) period: i32,
    pub(super) heard_period: i32,
    pub(super) tone: XmTonePortamento,
    /// Of the present row.
    pub(super) cell: RowCell,
    pub(super) memory: XmEffectMemory,
    pub(super) vibrato: Lfo,
    pub(super) tremolo: Lfo,
    pub(super) retrigger: Retrigger,
    pub(super) tremor: Tremor,
    /// How many ticks had a tremor, where no note begins it anew.
    pub(super) tremor_ticks: u8,
    /// The note is silent by its tremor, and its volume stays as it is.
    pub(super) is_silenced: bool,
    pub(super) pattern_loop: PatternLoop,
    pub(super) filter: ChannelFilter,
    is_released: bool,
    fade: Fadeout,
    envelopes: Envelopes,
    auto_vibrato: InstrumentVibrato,
}

/// What the sample of the note says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuned {
    /// In semitones.
    pub(super) relative: i32,
    /// In 128ths of a semitone.
    pub(super) finetune: i32,
    volume: i32,
    pan: i32,
}

/// Where the note is in its envelopes, and their values in this tick.
#[derive(Clone, Copy, Debug)]
struct Envelopes {
    volume: XmEnvelopeState,
    pan: XmEnvelopeState,
    /// 0..=64.
    heard_volume: f32,
    /// −32..=32.
    heard_pan: f32,
}

impl Default for XmChannel {
    fn default() -> Self {
        let sound = VoiceSound { hz: 0.0, volume: 0.0, pan: 0.0, is_surround: false, filter: None };
        Self {
            voice: ReplayVoice::default(),
            sound,
            instrument: None,
            playing: None,
            sample: None,
            note: 0,
            tuned: Tuned { relative: 0, finetune: 0, volume: 0, pan: 128 },
            volume: 0,
            heard_volume: 0,
            pan: 128,
            period: 0,
            heard_period: 0,
            tone: XmTonePortamento::default(),
            cell: RowCell::EMPTY,
            memory: XmEffectMemory::default(),
            vibrato: Lfo::default(),
            tremolo: Lfo::default(),
            retrigger: Retrigger::default(),
            tremor: Tremor::default(),
            tremor_ticks: 0,
            is_silenced: false,
            pattern_loop: PatternLoop::default(),
            filter: ChannelFilter::default(),
            is_released: false,
            fade: Fadeout { is_on: false, level: Fadeout::FULL, step: 0 },
            envelopes: Envelopes {
                volume: XmEnvelopeState::default(),
                pan: XmEnvelopeState::default(),
                heard_volume: 64.0,
                heard_pan: 0.0,
            },
            auto_vibrato: InstrumentVibrato::default(),
        }
    }
}

impl MonophonicChannel for XmChannel {
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

impl XmChannel {
    pub(super) fn playing<'s>(&self, score: &'s Score) -> Option<&'s Instrument> {
        score.module().instruments.get(self.playing?)
    }

    /// The key is released, and without an envelope nothing is heard any more.
    pub(super) fn key_off(&mut self, score: &Score) {
        self.release(score);
        if self.playing(score).and_then(on_volume).is_none() {
            (self.volume, self.heard_volume) = (0, 0);
        }
    }

    /// The key is released: envelopes go on, and the note begins to fade.
    pub(super) fn release(&mut self, score: &Score) {
        (self.is_released, self.fade.is_on) = (true, true);
        let instrument = self.playing(score);
        if let Some(envelope) = instrument.and_then(on_volume) {
            self.envelopes.volume.release(envelope);
        }
        // The tracker does this only where there is none that is on.
        if let Some(envelope) = instrument.and_then(|instrument| instrument.pan.as_ref())
            && !envelope.is_on()
        {
            self.envelopes.pan.release(envelope);
        }
    }

    /// The key is pressed again: the note fades no further.
    pub(super) const fn press(&mut self) {
        (self.is_released, self.fade.is_on) = (false, false);
    }

    /// A cell says that the key is released.
    pub(super) fn note_off(&mut self, score: &Score, rules: XmRules) {
        let before = (self.is_released, self.fade.is_on);
        self.key_off(score);
        let sets_volume = self.cell.has_instrument && !rules.key_off_silences
            || matches!(self.cell.volume, Some(VolumeCommand::Volume(_)))
            || self.cell.effect.command == EffectCommand::SetVolume;
        if !rules.fades_without_envelope && !sets_volume && self.playing(score).and_then(on_volume).is_none()
        {
            (self.is_released, self.fade.is_on) = before;
        }
    }

    /// Takes the volume of the sample.
    pub(super) const fn reset_volume(&mut self) {
        self.volume = self.tuned.volume;
        self.heard_volume = self.tuned.volume;
    }

    /// Takes volume and pan of the sample.
    pub(super) const fn reset_volumes(&mut self) {
        self.reset_volume();
        self.pan = self.tuned.pan;
        self.voice.jump();
    }

    /// Begins envelopes, fade and vibrato anew.
    pub(super) fn trigger_instrument(&mut self, score: &Score) {
        for lfo in [&mut self.vibrato, &mut self.tremolo] {
            if lfo.wave & 4 == 0 {
                lfo.position = 0;
            }
        }
        self.retrigger.restart();
        (self.tremor, self.is_silenced) = (Tremor::default(), false);
        self.press();
        self.fade.level = Fadeout::FULL;
        let Some(instrument) = self.playing(score) else {
            self.fade.step = ABSENT_FADEOUT;
            return;
        };
        if on_volume(instrument).is_some() {
            self.envelopes.volume.restart();
        }
        if on_pan(instrument).is_some() {
            self.envelopes.pan.restart();
        }
        self.fade.step = instrument.fadeout as i32;
        let vibrato = self.sample.and_then(|sample| score.sample(sample)).and_then(|sample| sample.vibrato);
        if let Some(vibrato) = vibrato {
            self.auto_vibrato.restart(vibrato);
        }
    }

    /// An instrument is named without a note.
    pub(super) fn recall_instrument(&mut self, score: &Score, rules: XmRules) {
        let (was_released, lfos) = (self.is_released, (self.vibrato.position, self.tremolo.position));
        self.trigger_instrument(score);
        if rules.recall_keeps_lfos {
            (self.vibrato.position, self.tremolo.position) = lfos;
        }
        self.is_released = was_released && !rules.fades_without_envelope;
    }

    /// Begins a note, 1..=96, or the last one again if it is 0.
    /// `finetune` replaces that of the sample.
    pub(super) fn trigger_note(
        &mut self,
        score: &Score,
        note: u8,
        finetune: Option<u8>,
        from: u64,
        rules: XmRules,
    ) {
        let note = if note == 0 { self.note } else { note };
        if note == 0 {
            return;
        }
        self.note = note;
        self.playing = self.instrument;
        let mapped = self.playing(score).and_then(|instrument| {
            let key = Key::new(note.min(96) + LOWEST - 1).ok()?;
            instrument.keys.get(key).sample.map(usize::from)
        });
        let tuned = mapped.and_then(|index| score.sample(index));
        self.sample = mapped;
        self.tuned.relative = match tuned.map(|sample| sample.tuning) {
            Some(song::module::SampleTuning::Relative { semitones, .. }) => semitones.into(),
            _ => 0,
        };
        let last = i32::from(note) + self.tuned.relative;
        if rules.limits_notes && !(0..120).contains(&last) {
            return;
        }
        self.tuned.volume = tuned.map_or(0, |sample| i32::from(sample.volume.get()) / 2);
        self.tuned.pan = tuned
            .and_then(|sample| sample.pan)
            .map_or(128, |pan| ((pan.get() * 128.0) as i32 + 128).min(255));
        self.tuned.finetune = match tuned.map(|sample| sample.tuning) {
            Some(song::module::SampleTuning::Relative { finetune, .. }) => finetune.into(),
            _ => 0,
        };
        if let Some(finetune) = finetune {
            self.tuned.finetune = i32::from(finetune) * 16 - 128;
        }
        if (last > 0 || rules.extends_periods)
            && let Some(period) = self.note_period(last, rules)
        {
            self.period = period;
            self.heard_period = period;
        }
        self.start(score, from);
    }

    /// Returns the period of a note from 1 on, with the finetune.
    pub(super) fn note_period(&self, note: i32, rules: XmRules) -> Option<i32> {
        let Tuned { finetune, .. } = self.tuned;
        let index = (note - 1) * 16 + (finetune >> 3) + 16;
        if !rules.extends_periods && !(0..XM_NOTES).contains(&index) {
            return None;
        }
        let period = match (rules.has_fine_finetune, rules.is_linear) {
            (false, is_linear) => xm_period(index, is_linear),
            (true, true) => 7680 - 64 * (note - 1) - finetune / 2,
            (true, false) => xm_amiga_period(((note - 1) * 16 + 16) * 8 + finetune),
        };
        Some(period.max(1))
    }

    /// Begins its sample at a frame.
    pub(super) fn start(&mut self, score: &Score, from: u64) {
        match self.sample {
            Some(sample) => {
                self.filter.begin_note();
                self.voice.start(score, sample, from);
            }
            None => self.voice.stop(),
        }
    }

    /// Goes to a tick of the envelopes.
    pub(super) fn seek_envelopes(&mut self, score: &Score, tick: u8) {
        let Some(instrument) = self.playing(score) else { return };
        if let Some(envelope) = on_volume(instrument) {
            self.envelopes.volume.seek(envelope, tick);
        }
        // The tracker looks at the sustain of the volume to know whether there is an envelope of the pan.
        let sustains = instrument.volume.as_ref().is_some_and(|envelope| envelope.sustain().is_some());
        if let Some(envelope) = instrument.pan.as_ref().filter(|_| sustains) {
            self.envelopes.pan.seek(envelope, tick);
        }
    }

    /// Steps what moves of itself: fade, envelopes and vibrato.
    pub(super) fn modulate(&mut self, score: &Score, rules: XmRules) {
        let instrument = self.playing(score);
        self.fade.step();
        let (is_held, passes) = (!self.is_released, rules.passes_points);
        self.envelopes.heard_volume = instrument
            .and_then(on_volume)
            .map_or(64.0, |envelope| self.envelopes.volume.step(envelope, is_held, passes).clamp(0.0, 64.0));
        self.envelopes.heard_pan = instrument
            .and_then(on_pan)
            .map_or(0.0, |envelope| self.envelopes.pan.step(envelope, is_held, passes).clamp(-32.0, 32.0));
        let sample = self.sample.and_then(|sample| score.sample(sample));
        self.auto_vibrato.step(sample.and_then(|sample| sample.vibrato), is_held);
    }

    /// Returns how it sounds in this tick.
    pub(super) fn compute_sound(&self, global: f32, rules: XmRules) -> VoiceSound {
        let volume = self.heard_volume as f32 / 64.0 * self.envelopes.heard_volume / 64.0;
        let volume = volume * self.fade.level as f32 / 32_768.0 * global;
        let volume = if self.is_silenced { 0.0 } else { volume };
        let pan = self.pan as f32 + self.envelopes.heard_pan * (128 - (self.pan - 128).abs()) as f32 / 32.0;
        let period = self.heard_period + self.auto_vibrato.added_period;
        let hz = if self.heard_period == 0 { 0.0 } else { xm_hz(period, rules.is_linear) };
        VoiceSound {
            hz,
            volume,
            pan: (pan.clamp(0.0, 255.0) - 128.0) / 128.0,
            is_surround: false,
            filter: self.filter.sound,
        }
    }

    /// Plays a tick of the vibrato around the period.
    pub(super) fn play_vibrato(&mut self, rules: XmRules) {
        self.hold_vibrato(rules);
        self.vibrato.advance();
    }

    /// Plays the vibrato where it is.
    pub(super) fn hold_vibrato(&mut self, rules: XmRules) {
        let value = self.vibrato.fast_tracker(self.vibrato.position, rules.is_modplug);
        self.heard_period = self.period + value * i32::from(self.vibrato.depth) / 32;
    }

    /// Plays a tick of the tremolo around the volume.
    pub(super) fn play_tremolo(&mut self, rules: XmRules) {
        let ramp = if rules.mixes_ramps { self.vibrato.position } else { self.tremolo.position };
        let value = self.tremolo.fast_tracker(ramp, rules.is_modplug);
        let volume = self.volume + value * i32::from(self.tremolo.depth) / 64;
        self.heard_volume = volume.clamp(0, 64);
        self.tremolo.advance();
    }

    /// Returns the period of a note so many semitones above the one that is nearest to a period.
    pub(super) fn nearest_note(&self, period: i32, above: u8, rules: XmRules) -> i32 {
        let fine = (self.tuned.finetune >> 3) + 16;
        let (mut low, mut high) = (0, 8 * 12);
        // As the tracker searches: periods fall with the note.
        for _ in 0..8 {
            let middle = (low + high) >> 1;
            let lookup = (middle * 16 + fine - 8).max(0);
            if period >= xm_period(lookup, rules.is_linear) {
                high = middle;
            } else {
                low = middle;
            }
        }
        let index = low * 16 + fine + i32::from(above) * 16;
        if index >= 8 * 12 * 16 + 15 {
            // What is too high is the first note above eight octaves, without a finetune.
            return xm_period(8 * 12 * 16 + 16, rules.is_linear);
        }
        let rest = if rules.has_fine_finetune && rules.is_linear { self.tuned.finetune & 7 } else { 0 };
        xm_period(index.max(0), rules.is_linear) - rest / 2
    }
}

fn on_volume(instrument: &Instrument) -> Option<&BreakpointEnvelope> {
    instrument.volume.as_ref().filter(|envelope| envelope.is_on())
}

fn on_pan(instrument: &Instrument) -> Option<&BreakpointEnvelope> {
    instrument.pan.as_ref().filter(|envelope| envelope.is_on())
}
