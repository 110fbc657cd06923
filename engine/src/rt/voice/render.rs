use song::{Articulation, Hz};

use super::{FADE, Voice};
use crate::bank::{PreparedSample, Tail};
use crate::message::Tone;
use crate::rt::bus::Bus;
use crate::rt::envelope::EnvelopePhase;
use crate::rt::kernel::{Gain, Kernels};
use crate::rt::modulation::Modulation;
use crate::rt::position::Run;
use crate::rt::ramp::LinearRamp;

/// What became of a voice while it was rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RenderOutcome {
    /// After how many frames its recording ended or it fell silent, if that was now. From there on it makes room.
    pub(crate) ended: Option<usize>,
    /// Whether nothing more will be heard of it.
    pub(crate) is_over: bool,
}

/// What a modulated voice is rendered with.
pub(crate) struct Modulated<'a> {
    /// Its modulation.
    pub(crate) modulation: &'a mut Modulation,
    /// The buffer in which it is rendered alone, before its gains.
    pub(crate) scratch: &'a mut Bus,
}

impl Voice {
    /// Adds its next frames to the bus, as many as both planes have, or fewer if it is over before.
    ///
    /// A stretch is broken where the ramp ends or the recording's plane does, and where the recording itself does: from
    /// the first frame after it the voice fades. Each frame follows from the position and the ramp's origin, so it does
    /// not matter where stretches and blocks begin.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn render(
        &mut self,
        kernels: Kernels,
        rate: Hz,
        modulated: Modulated<'_>,
        left: &mut [f32],
        right: &mut [f32],
    ) -> RenderOutcome {
        let Modulated { modulation, scratch } = modulated;
        let Some(before) = self.frames_to_swap(modulation).filter(|frames| *frames <= left.len()) else {
            return self.render_track(kernels, rate, Modulated { modulation, scratch }, left, right);
        };
        let (left, then_left) = left.split_at_mut(before);
        let (right, then_right) = right.split_at_mut(before);
        let outcome = self.render_track(kernels, rate, Modulated { modulation, scratch }, left, right);
        if outcome.is_over {
            return outcome;
        }
        // Also where nothing is left: the next block would find it beyond the seam, with a whole loop before it.
        self.swap(modulation, rate);
        let rest = Modulated { modulation, scratch };
        let RenderOutcome { ended, is_over } = self.render_track(kernels, rate, rest, then_left, then_right);
        RenderOutcome { ended: outcome.ended.or_else(|| ended.map(|frames| before + frames)), is_over }
    }

    /// Renders frames along which a voice stays in its track.
    fn render_track(
        &mut self,
        kernels: Kernels,
        rate: Hz,
        modulated: Modulated<'_>,
        left: &mut [f32],
        right: &mut [f32],
    ) -> RenderOutcome {
        let Modulated { modulation, scratch } = modulated;
        let mut outcome = RenderOutcome::default();
        let is_driven = self.is_driven();
        let (mut left, mut right) = (left, right);
        let mut done = 0;
        self.has_sounded |= !left.is_empty();
        while !left.is_empty() && !outcome.is_over {
            let (line, most) = self.envelope.segment(left.len());
            let most = self.remaining.map_or(most, |rest| most.min(rest as usize));
            let most =
                if self.is_gliding || self.is_toned { self.bend(most, rate, modulation) } else { most };
            let articulation = self.start.articulation.and_then(|index| self.start.bank.articulation(index));
            let Some(track) = self.start.bank.track(self.start.track) else {
                return RenderOutcome { ended: Some(done), is_over: true };
            };
            // Only here: of a voice that does not move the modulation is not even read.
            let (most, delayed) = match articulation {
                None if is_driven => (modulation.drive().segment(most), None),
                None => (most, None),
                Some(articulation) => {
                    if modulation.remaining() == 0 {
                        let tone = self.tone(modulation);
                        let ratio =
                            self.pitch(modulation) * modulation.begin_segment(articulation, rate, tone);
                        if modulation.stepped.replace((ratio, rate)) != Some((ratio, rate)) {
                            (self.step, self.kernel) = self.step_at(ratio, rate);
                        }
                    }
                    let is_delayed = modulation.is_delayed();
                    let is_run_whole =
                        modulation.keeps_pitch() && !modulation.is_long(articulation) && !is_delayed;
                    let most = if is_run_whole { most } else { most.min(modulation.remaining()) };
                    (most, is_delayed.then_some(articulation))
                }
            };
            if let Some(articulation) = delayed {
                let Some((now_left, then_left)) = left.split_at_mut_checked(most) else { break };
                let Some((now_right, then_right)) = right.split_at_mut_checked(most) else { break };
                scratch.clear(most);
                let (own_left, own_right) = scratch.part(0, most);
                modulation.mix(kernels, articulation, line, [own_left, own_right], [now_left, now_right]);
                self.envelope.advance(most);
                self.advance_bends(most, modulation);
                done += most;
                (left, right) = (then_left, then_right);
                outcome.is_over = self.envelope.phase() == EnvelopePhase::Over;
                continue;
            }
            let mut run = self.position.run(track, self.step, most);
            let (Some(now_left), Some(now_right)) = (left.get_mut(..run.frames), right.get_mut(..run.frames))
            else {
                break;
            };
            match articulation {
                None if is_driven => {
                    let drive = modulation.drive_mut();
                    if drive.is_silent() {
                        // Its position goes on, and it costs nothing.
                    } else if let Some(gain) = drive.gain_along(line) {
                        kernels.mix(self.kernel, &track.planes, run, self.step, gain, now_left, now_right);
                    } else {
                        let own = self.render_alone(kernels, track, run, scratch);
                        let is_mono = track.planes.is_mono();
                        drive.mix(is_mono, line, own, [now_left, now_right]);
                    }
                    drive.advance(run.frames);
                }
                None if self.is_filtered => {
                    let own = self.render_alone(kernels, track, run, scratch);
                    let gains = [self.start.left, self.start.right];
                    let is_mono = track.planes.is_mono();
                    modulation.mix_toned(kernels, is_mono, gains, line, own, [now_left, now_right]);
                }
                None => {
                    let gain =
                        Gain { left: line.scaled(self.start.left), right: line.scaled(self.start.right) };
                    kernels.mix(self.kernel, &track.planes, run, self.step, gain, now_left, now_right);
                }
                Some(articulation) => {
                    // Not by how many frames are wanted now, for in both ways sums are rounded differently.
                    let is_direct = modulation.is_long(articulation) && !self.is_filtered;
                    let gain = modulation.gain_along(articulation, line).filter(|_| is_direct);
                    if let Some(gain) = gain {
                        kernels.mix(self.kernel, &track.planes, run, self.step, gain, now_left, now_right);
                        modulation.go_on(articulation, run.frames);
                    } else {
                        let own = self.render_alone(kernels, track, run, scratch);
                        let toned = self.is_filtered.then(|| track.planes.is_mono());
                        let with = (kernels, rate, self.tone(modulation), toned);
                        let to = [now_left, now_right];
                        run.frames = mix_segments(modulation, articulation, with, line, own, to);
                    }
                }
            }
            self.position.advance(track, self.step, run.frames);
            self.envelope.advance(run.frames);
            self.advance_bends(run.frames, modulation);
            done += run.frames;
            match &mut self.remaining {
                Some(rest) => *rest = rest.saturating_sub(run.frames as u32),
                // What follows its end is not to fade.
                None if self.position.has_ended(track)
                    && !(is_driven && modulation.drive().swap().is_some()) =>
                {
                    outcome.ended = Some(done);
                    let rings = self.is_filtered
                        || articulation.is_some_and(Articulation::is_filtered)
                        || is_driven && modulation.drive().is_filtered();
                    self.remaining = Some(if rings { u32::MAX } else { self.rest_of(track) });
                    self.envelope.fade(FADE.frames(rate));
                }
                None if self.envelope.phase() == EnvelopePhase::Over => outcome.ended = Some(done),
                None if articulation.is_some() && modulation.is_over() => {
                    outcome.ended = Some(done);
                    self.remaining = Some(0);
                }
                None => {}
            }
            outcome.is_over = self.remaining == Some(0) || self.envelope.phase() == EnvelopePhase::Over;
            left = left.get_mut(run.frames..).unwrap_or_default();
            right = right.get_mut(run.frames..).unwrap_or_default();
        }
        outcome
    }

    /// Renders a run in a buffer of its own, before its gains; of a mono recording on the left only.
    fn render_alone<'a>(
        &self,
        kernels: Kernels,
        track: &PreparedSample,
        run: Run,
        scratch: &'a mut Bus,
    ) -> [&'a mut [f32]; 2] {
        let (left, right) = scratch.part(0, run.frames);
        kernels.write(self.kernel, &track.planes, run, self.step, [&mut *left, &mut *right]);
        [left, right]
    }

    /// Returns the number of frames in which it may be heard after the end of its recording, however long it fades:
    /// none if all that is left is silence, or as many as its kernel still sees some of the sound.
    fn rest_of(&self, track: &PreparedSample) -> u32 {
        let is_mute = self.start.left.max(self.start.right) * self.envelope.level() == 0.0;
        match track.tail {
            _ if is_mute => 0,
            Tail::Silence(from) => {
                let unseen = from.saturating_add(self.kernel.looks_back());
                u32::try_from(self.position.frames_to(unseen, self.step)).unwrap_or(u32::MAX)
            }
            Tail::Value | Tail::Looped => u32::MAX,
        }
    }
}

/// Adds frames of a run to both sides as its segments say, and begins those that are due. Where a tone has a low-pass,
/// `toned` says whether the run is mono. Returns the number of frames
/// that were added: fewer if nothing more of the run is to be heard, or a long segment begins.
fn mix_segments(
    modulation: &mut Modulation,
    articulation: &Articulation,
    (kernels, rate, tone, toned): (Kernels, Hz, Tone, Option<bool>),
    line: LinearRamp,
    own: [&mut [f32]; 2],
    to: [&mut [f32]; 2],
) -> usize {
    let ([mut left, mut right], [mut to_left, mut to_right]) = (own, to);
    let mut done = 0;
    while !left.is_empty() {
        if modulation.remaining() == 0 {
            modulation.begin_segment(articulation, rate, tone);
            if modulation.is_long(articulation) {
                break;
            }
        }
        let frames = left.len().min(modulation.remaining());
        let parts = [left, right, to_left, to_right].map(|side| side.split_at_mut(frames.min(side.len())));
        let [now_left, now_right, now_to_left, now_to_right] = parts;
        let line = LinearRamp { at: line.at.saturating_add(done as u32), ..line };
        if let Some(is_mono) = toned {
            modulation.filter_tone(kernels, [&mut *now_left.0, &mut *now_right.0], is_mono);
        }
        let (own, to) = ([now_left.0, now_right.0], [now_to_left.0, now_to_right.0]);
        modulation.mix(kernels, articulation, line, own, to);
        done += frames;
        if frames == 0 || modulation.is_over() || modulation.is_delayed() {
            break;
        }
        (left, right, to_left, to_right) = (now_left.1, now_right.1, now_to_left.1, now_to_right.1);
    }
    done
}
