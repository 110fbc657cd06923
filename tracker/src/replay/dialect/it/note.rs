use song::module::{Instrument, NewNoteAction, Sample, VibratoSweep};
use song::{LowPass, Pan};

use super::envelope::{InstrumentEnvelopes, ItEnvelopeState};
use super::mapping::EPSILON;
use super::rules::{ItRules, LfoModel, SwingRule};
use crate::replay::lfo;
use crate::replay::period::{C4_PERIOD, C4_RATE, S3M_CLOCK};
use crate::replay::random::Random;
use crate::replay::score::Score;
use crate::replay::voice::{ReplayVoice, Sender};
use crate::replay::{VoiceCommand, VoiceId, VoiceSound};

/// A note of Impulse Tracker: all that goes on when a new one leaves it behind.
#[derive(Clone, Debug)]
pub(super) struct ItNote {
    pub(super) voice: ReplayVoice,
    pub(super) sound: VoiceSound,
    pub(super) channel: usize,
    pub(super) instrument: Option<usize>,
    pub(super) sample: Option<usize>,
    /// As the pattern has it.
    pub(super) key: u8,
    /// As its sample plays it.
    pub(super) sounding: i32,
    /// Of its recording at C4, in frames per second.
    pub(super) c4_rate: f64,
    /// Frames per second, without vibrato.
    pub(super) hz: f64,
    /// Where a tone portamento goes; 0 for nowhere.
    pub(super) target: f64,
    /// What this tick does to the pitch, as a ratio.
    pub(super) ratio: f64,
    /// 0..=64.
    pub(super) volume: i32,
    /// What the tremolo adds to it in this tick.
    pub(super) tremolo: i32,
    pub(super) is_silenced: bool,
    /// Global volume of the instrument that it began on, as gain.
    pub(super) instrument_gain: f32,
    pub(super) channel_volume: i32,
    /// 0..=256.
    pub(super) pan: i32,
    pub(super) panbrello: i32,
    pub(super) is_surround: bool,
    pub(super) is_released: bool,
    /// In the tick before.
    was_released: bool,
    pub(super) is_fading: bool,
    /// 0..=32768.
    pub(super) fade: i32,
    pub(super) volume_envelope: ItEnvelopeState,
    pub(super) pan_envelope: ItEnvelopeState,
    pub(super) pitch_envelope: ItEnvelopeState,
    pub(super) new_note_action: NewNoteAction,
    pub(super) cutoff: u8,
    pub(super) resonance: u8,
    /// As it was tuned last: one that would take nothing away is not tuned anew.
    pub(super) filter: Option<LowPass>,
    /// The instrument's random part of the volume, first as a factor and then to be added, 1 for the whole.
    pub(super) volume_swing: (f32, f32),
    /// Of the pan, in 256ths.
    pub(super) pan_swing: i32,
    /// A voice that had to make room for it.
    pub(super) yielded: Option<VoiceId>,
    auto_position: u8,
    auto_depth: i32,
    heard: TickModulation,
}

/// What envelopes and vibrato make of a tick.
#[derive(Clone, Copy, Debug)]
struct TickModulation {
    volume: f32,
    pan: f32,
    ratio: f64,
    /// Of the cutoff.
    filter: Option<f32>,
}

impl TickModulation {
    const PLAIN: Self = Self { volume: 1.0, pan: 0.0, ratio: 1.0, filter: None };
}

impl ItNote {
    pub(super) fn silent(channel: usize) -> Self {
        Self {
            voice: ReplayVoice::default(),
            sound: VoiceSound { hz: 0.0, volume: 0.0, pan: 0.0, is_surround: false, filter: None },
            channel,
            instrument: None,
            instrument_gain: 1.0,
            sample: None,
            key: 0,
            sounding: 60,
            c4_rate: C4_RATE,
            hz: 0.0,
            target: 0.0,
            ratio: 1.0,
            volume: 0,
            tremolo: 0,
            is_silenced: false,
            channel_volume: 64,
            pan: 128,
            panbrello: 0,
            is_surround: false,
            is_released: false,
            was_released: false,
            is_fading: false,
            fade: 32_768,
            volume_envelope: ItEnvelopeState::default(),
            pan_envelope: ItEnvelopeState::default(),
            pitch_envelope: ItEnvelopeState::default(),
            new_note_action: NewNoteAction::Cut,
            cutoff: 127,
            resonance: 0,
            filter: None,
            volume_swing: (1.0, 0.0),
            pan_swing: 0,
            yielded: None,
            auto_position: 0,
            auto_depth: 0,
            heard: TickModulation::PLAIN,
        }
    }

    pub(super) fn instrument<'s>(&self, score: &'s Score) -> Option<&'s Instrument> {
        score.module().instruments.get(self.instrument?)
    }

    pub(super) fn tuned<'s>(&self, score: &'s Score) -> Option<&'s Sample> {
        score.sample(self.sample?)
    }

    /// The key is released.
    pub(super) fn key_off(&mut self, score: &Score, envelopes: &[InstrumentEnvelopes]) {
        self.is_released = true;
        self.voice.release(score);
        let Some(instrument) = self.instrument.and_then(|index| envelopes.get(index)) else { return };
        let volume = instrument.volume.as_ref().filter(|_| self.volume_envelope.is_on);
        if volume.is_none_or(|envelope| envelope.has_loop) {
            self.is_fading = true;
        }
    }

    /// Begins envelopes anew; those that carry go on if they may.
    pub(super) fn restart_envelopes(&mut self, envelopes: &[InstrumentEnvelopes], may_carry: bool) {
        let instrument = self.instrument.and_then(|index| envelopes.get(index));
        self.volume_envelope.restart(instrument.and_then(|found| found.volume.as_ref()), may_carry);
        self.pan_envelope.restart(instrument.and_then(|found| found.pan.as_ref()), may_carry);
        self.pitch_envelope.restart(instrument.and_then(|found| found.pitch.as_ref()), may_carry);
    }

    /// Goes back to the beginning of the envelopes; what is off stays off.
    pub(super) const fn rewind_envelopes(&mut self) {
        self.volume_envelope.rewind();
        self.pan_envelope.rewind();
        self.pitch_envelope.rewind();
    }

    /// Goes on in the envelopes of another instrument, as far as it has any.
    pub(super) fn switch_envelopes(&mut self, envelopes: &[InstrumentEnvelopes]) {
        let instrument = self.instrument.and_then(|index| envelopes.get(index));
        self.volume_envelope.switch(instrument.and_then(|found| found.volume.as_ref()));
        self.pan_envelope.switch(instrument.and_then(|found| found.pan.as_ref()));
        self.pitch_envelope.switch(instrument.and_then(|found| found.pitch.as_ref()));
    }

    /// Takes the instrument that it begins on.
    pub(super) fn set_instrument(&mut self, score: &Score, instrument: Option<usize>) {
        self.instrument = instrument;
        self.instrument_gain =
            self.instrument(score).map_or(1.0, |instrument| instrument.global_volume.gain());
    }

    /// Takes the pan that its instrument and a sample have for its key.
    pub(super) fn take_pan(&mut self, score: &Score, sample: usize) {
        let of_sample = score.sample(sample).and_then(|sample| sample.pan);
        let Some(instrument) = self.instrument(score) else {
            return self.set_pan(of_sample);
        };
        self.set_pan(of_sample.or(instrument.default_pan));
        if instrument.pitch_pan.separation != 0 {
            let above = i32::from(self.key) - i32::from(instrument.pitch_pan.centre.get());
            self.pan = (self.pan + above * i32::from(instrument.pitch_pan.separation) / 2).clamp(0, 256);
        }
    }

    fn set_pan(&mut self, pan: Option<Pan>) {
        if let Some(pan) = pan {
            self.pan = ((pan.get() + 1.0) * 128.0).round() as i32;
            self.is_surround = false;
        }
    }

    /// Begins what a note begins besides: fade, key and vibrato.
    pub(super) const fn restart(&mut self) {
        self.is_released = false;
        self.was_released = false;
        self.is_fading = false;
        self.fade = 32_768;
        self.auto_depth = 0;
        self.auto_position = 0;
    }

    /// Draws the random parts of an instrument's volume and pan.
    pub(super) fn swing(&mut self, instrument: &Instrument, rule: SwingRule, random: &mut Random) {
        let mut draw = |most: u8| if most == 0 { 0 } else { random.within(most.into()) };
        let (volume, pan) = (instrument.volume_swing, instrument.pan_swing);
        (self.volume_swing, self.pan_swing) = match rule {
            SwingRule::ImpulseTracker => ((1.0 + draw(volume) as f32 / 100.0, 0.0), 4 * draw(pan)),
            SwingRule::ModPlug => ((1.0, draw(volume.min(64)) as f32 / 128.0), draw(pan)),
        };
    }

    pub(super) const fn set_volume(&mut self, volume: i32) {
        self.volume = volume;
        self.voice.jump();
    }

    /// Slides by so many 64ths of a semitone, or by periods.
    pub(super) fn slide(&mut self, steps: i32, rules: ItRules) {
        self.hz = slid(self.hz, steps, self.c4_rate, rules);
    }

    /// Slides towards the target.
    pub(super) fn slide_to_target(&mut self, steps: i32, rules: ItRules) {
        if self.target <= 0.0 || self.hz <= 0.0 {
            return;
        }
        if self.hz < self.target {
            self.hz = slid(self.hz, steps, self.c4_rate, rules).min(self.target);
        } else {
            self.hz = slid(self.hz, -steps, self.c4_rate, rules).max(self.target);
        }
        if self.hz == self.target {
            self.target = 0.0;
        }
    }

    /// Steps what moves of itself: envelopes, fade, vibrato of the sample.
    pub(super) fn modulate(
        &mut self,
        score: &Score,
        envelopes: &[InstrumentEnvelopes],
        rules: ItRules,
        random: &mut Random,
    ) {
        self.heard = TickModulation::PLAIN;
        if !self.voice.is_sounding() {
            return;
        }
        // What ends in this tick fades from the next one on, and so do envelopes leave their sustain.
        if self.is_fading
            && let Some(instrument) = self.instrument(score)
        {
            self.fade -= instrument.fadeout as i32;
            if self.fade <= 0 {
                self.fade = 0;
                self.voice.stop();
            }
        }
        let holds = rules.holds_envelopes;
        let is_held = !std::mem::replace(&mut self.was_released, self.is_released);
        if let Some(instrument) = self.instrument.and_then(|index| envelopes.get(index)) {
            if let Some((value, is_over)) =
                self.volume_envelope.step(instrument.volume.as_ref(), is_held, holds)
            {
                self.heard.volume = value / 64.0;
                if is_over {
                    if value == 0.0 {
                        self.voice.stop();
                    }
                    self.is_fading = true;
                }
            }
            if let Some((value, _)) = self.pan_envelope.step(instrument.pan.as_ref(), is_held, holds) {
                self.heard.pan = value / 32.0;
            }
            if let Some((value, _)) = self.pitch_envelope.step(instrument.pitch.as_ref(), is_held, holds) {
                if instrument.is_filter {
                    self.heard.filter = Some((value + 32.0) / 64.0);
                } else {
                    // In sixteenths of a semitone.
                    self.heard.ratio = ((8.0 * f64::from(value)).round() / 192.0).exp2();
                }
            }
        }
        self.heard.ratio *= self.auto_vibrato(score, rules, random);
    }

    fn auto_vibrato(&mut self, score: &Score, rules: ItRules, random: &mut Random) -> f64 {
        let Some(vibrato) = self.tuned(score).and_then(|sample| sample.vibrato) else { return 1.0 };
        if vibrato.speed == 0 {
            return 1.0;
        }
        let VibratoSweep::Rate(rate) = vibrato.sweep else { return 1.0 };
        let most = i32::from(vibrato.depth) << 8;
        if rules.lfo == LfoModel::ModPlug {
            // It is there at once without a rate, and comes twice as fast with one.
            let step = if rate == 0 { most } else { 2 * i32::from(rate) };
            self.auto_depth = (self.auto_depth + step).min(most);
            self.auto_position = self.auto_position.wrapping_add(vibrato.speed);
            let value = lfo::modplug_sample(vibrato.wave, self.auto_position, random);
            return (-value * f64::from(self.auto_depth) / 256.0 / 768.0).exp2();
        }
        self.auto_depth = (self.auto_depth + i32::from(rate)).min(most);
        let position = self.auto_position;
        self.auto_position = position.wrapping_add(vibrato.speed);
        let value = lfo::impulse_tracker(vibrato.wave, position, random);
        let steps = f64::from(value * (self.auto_depth >> 8)) / 64.0;
        (steps / 768.0).exp2()
    }

    /// Writes what becomes of it in this tick.
    pub(super) fn send(
        &mut self,
        out: &mut Sender<'_>,
        channel: usize,
        rules: ItRules,
        (global, is_muted): (f32, bool),
    ) {
        if let Some(voice) = self.yielded.take() {
            out.commands.push(VoiceCommand::Stop { voice });
            out.ids.give_back(voice);
        }
        self.sound = self.sound(out.score, rules, global, is_muted);
        if self.hz <= 0.0 {
            self.voice.stop();
        }
        self.voice.send(out, channel, self.sound);
    }

    fn sound(&mut self, score: &Score, rules: ItRules, global: f32, is_muted: bool) -> VoiceSound {
        let sample = self.tuned(score);
        let volume = (self.volume + self.tremolo).clamp(0, 64) as f32 / 64.0;
        let (factor, more) = self.volume_swing;
        let volume = volume.mul_add(factor, more).clamp(0.0, 1.0);
        let volume = volume * self.channel_volume as f32 / 64.0
            * sample.map_or(1.0, |sample| sample.global_volume.gain())
            * self.instrument_gain
            * self.heard.volume.clamp(0.0, 1.0)
            * self.fade as f32
            / 32_768.0
            * global;
        let pan = ((self.pan + self.pan_swing + self.panbrello) as f32).clamp(0.0, 256.0);
        let pan = pan + self.heard.pan * (128.0 - (pan - 128.0).abs());
        let cutoff = f32::from(self.cutoff) * self.heard.filter.unwrap_or(1.0);
        if cutoff < 127.0 || self.resonance > 0 {
            self.filter = Some(rules.filter.low_pass(cutoff, self.resonance.into()));
        }
        VoiceSound {
            hz: self.hz * self.ratio * self.heard.ratio,
            volume: if is_muted || self.is_silenced { 0.0 } else { volume },
            pan: if self.is_surround && !rules.surround_keeps_pan { 0.0 } else { (pan - 128.0) / 128.0 },
            is_surround: self.is_surround,
            filter: self.filter,
        }
    }
}

/// Returns a rate moved by 64ths of a semitone, or by periods of Scream Tracker. The recording has so many frames a
/// second at C4.
fn slid(hz: f64, steps: i32, c4_rate: f64, rules: ItRules) -> f64 {
    if hz <= 0.0 {
        return 0.0;
    }
    if rules.is_linear && rules.has_whole_periods {
        // Its periods are whole numbers: one is the least step.
        let before = (c4_rate * C4_PERIOD / hz).round();
        let after = (before * (-f64::from(steps) / 768.0).exp2()).round();
        let after = if after == before { before - f64::from(steps.signum()) } else { after };
        return c4_rate * C4_PERIOD / after.max(1.0);
    }
    if rules.is_linear {
        return (hz * (f64::from(steps) / 768.0).exp2()).round();
    }
    let period = S3M_CLOCK / hz - f64::from(steps);
    let hz = if period > 0.0 { S3M_CLOCK / period } else { 0.0 };
    if rules.rounds_amiga_periods || rules.has_uneven_notes { hz } else { (hz + EPSILON).floor() }
}
