use std::ops::Range;

use song::{Articulation, Hz};

use super::{FADE, Voice};
use crate::bank::{PreparedSample, Tail};
use crate::rt::bus::Bus;
use crate::rt::envelope::EnvelopePhase;
use crate::rt::filter_queue::FilterQueue;
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
    /// Where it waits for its filter, if it has one.
    pub(crate) filters: &'a mut FilterQueue,
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
        let Modulated { modulation, scratch, filters } = modulated;
        let Some(before) = self.frames_to_swap(modulation).filter(|frames| *frames <= left.len()) else {
            return self.render_track(kernels, rate, Modulated { modulation, scratch, filters }, left, right);
        };
        let (left, then_left) = left.split_at_mut(before);
        let (right, then_right) = right.split_at_mut(before);
        let now = Modulated { modulation: &mut *modulation, scratch: &mut *scratch, filters: &mut *filters };
        let outcome = self.render_track(kernels, rate, now, left, right);
        if outcome.is_over {
            return outcome;
        }
        // Also where nothing is left: the next block would find it beyond the seam, with a whole loop before it.
        self.swap(modulation, rate);
        let rest = Modulated { modulation, scratch, filters };
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
        let Modulated { modulation, scratch, filters } = modulated;
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
                let Some((_, then_left)) = left.split_at_mut_checked(most) else { break };
                let Some((_, then_right)) = right.split_at_mut_checked(most) else { break };
                modulation.wait(articulation, most);
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
                    filters.open(track.planes.is_mono());
                    let frames = done..done + run.frames;
                    let own = filters.sides(frames.clone());
                    kernels.write(self.kernel, &track.planes, run, self.step, own);
                    let gains = [self.start.left, self.start.right].map(LinearRamp::level);
                    modulation.queue_level(filters, gains, line, frames);
                }
                None => {
                    let gain =
                        Gain { left: line.scaled(self.start.left), right: line.scaled(self.start.right) };
                    kernels.mix(self.kernel, &track.planes, run, self.step, gain, now_left, now_right);
                }
                Some(articulation) if self.is_filtered || modulation.is_filtered(articulation) => {
                    filters.open(track.planes.is_mono());
                    let own = filters.sides(done..done + run.frames);
                    kernels.write(self.kernel, &track.planes, run, self.step, own);
                    let with = (rate, run.frames);
                    run.frames = self.each_segment(modulation, articulation, with, |modulation, frames| {
                        let line = line.later(frames.start);
                        modulation.queue(articulation, filters, line, done + frames.start..done + frames.end);
                    });
                }
                Some(articulation) => {
                    // Not by how many frames are wanted now, for in both ways sums are rounded differently.
                    let is_direct = modulation.is_long(articulation);
                    let gain = modulation.gain_along(articulation, line).filter(|_| is_direct);
                    if let Some(gain) = gain {
                        kernels.mix(self.kernel, &track.planes, run, self.step, gain, now_left, now_right);
                        modulation.go_on(articulation, run.frames);
                    } else {
                        let [left, right] = self.render_alone(kernels, track, run, scratch);
                        let with = (rate, run.frames);
                        run.frames =
                            self.each_segment(modulation, articulation, with, |modulation, frames| {
                                let line = line.later(frames.start);
                                let sides = [&mut *left, right, now_left, now_right];
                                let [left, right, to_left, to_right] =
                                    sides.map(|side| side.get_mut(frames.clone()).unwrap_or_default());
                                modulation.mix(
                                    kernels,
                                    articulation,
                                    line,
                                    [left, right],
                                    [to_left, to_right],
                                );
                            });
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

    /// Visits some frames as far as each of their segments goes, and begins those that are due. Returns their number:
    /// fewer if nothing more of the run is to be heard, or a segment begins that is long.
    fn each_segment(
        &self,
        modulation: &mut Modulation,
        articulation: &Articulation,
        (rate, frames): (Hz, usize),
        mut visit: impl FnMut(&mut Modulation, Range<usize>),
    ) -> usize {
        let mut done = 0;
        while done < frames {
            if modulation.remaining() == 0 {
                let tone = self.tone(modulation);
                modulation.begin_segment(articulation, rate, tone);
                if modulation.is_long(articulation) {
                    break;
                }
            }
            let end = frames.min(done + modulation.remaining());
            visit(modulation, done..end);
            if end == done || modulation.is_over() || modulation.is_delayed() {
                return end;
            }
            done = end;
        }
        done
    }
}
