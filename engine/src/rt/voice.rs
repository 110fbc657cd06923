mod render;

use std::sync::Arc;

use song::{Articulation, Choke, Hz, Key, NotePlayed, SampleIndex, Velocity};

use crate::bank::BankHandle;
use crate::config::Interpolation;
use crate::message::{
    Course, DrivenChange, DrivenStart, Glide, Micros, NoteId, Start, StripIndex, Tone, VoiceParams,
};
use crate::rt::envelope::{EnvelopePhase, VoiceEnvelope};
use crate::rt::kernel::{self, KernelKind};
use crate::rt::modulation::Modulation;
use crate::rt::modulation::drive::{Drive, RAMP, Swap};
use crate::rt::modulation::glide::PitchGlide;
use crate::rt::modulation::tone::VoiceTone;
use crate::rt::position::{Position, PositionStep};
use crate::rt::steal::Decay;
use crate::rt::strip::StripState;
pub(crate) use render::{Modulated, RenderOutcome};

/// The fade that hides a cut; also the shortest release.
const FADE: Micros = Micros::millis(5);

/// One sounding zone of one note.
#[derive(Debug)]
pub(crate) struct Voice {
    start: Start,
    sequence: u64,
    started: u64,
    interpolation: Interpolation,
    /// That of its strip's state, which its modulation has.
    strip_version: u32,
    step: PositionStep,
    position: Position,
    kernel: KernelKind,
    envelope: VoiceEnvelope,
    has_sounded: bool,
    /// Which parts of its modulation are its own, beside what its articulation and commands drive: those of a voice
    /// before it in its slot are not.
    has_followed: bool,
    is_toned: bool,
    is_filtered: bool,
    is_gliding: bool,
    /// Frames in which it may still be heard, once its recording has ended.
    remaining: Option<u32>,
}

impl Voice {
    /// Creates a voice at its first frame. `sent` is the number of its command; `born` counts voices, so that the older
    /// of two is known.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn new(start: Start, sent: u64, born: u64, rate: Hz, interpolation: Interpolation) -> Self {
        let step = PositionStep::new(start.hz, rate);
        let (position, is_within) = first_position(&start);
        let interpolation = start.interpolation.unwrap_or(interpolation);
        // One that begins within its recording does not click. Where a trimmed one begins was chosen for how it sounds.
        let least = if is_within { RAMP } else { Micros::default() };
        Self {
            strip_version: StripState::NEUTRAL.version,
            step,
            position,
            interpolation,
            kernel: KernelKind::of(interpolation, step, position.is_on_frame()),
            envelope: VoiceEnvelope::new(start.attack.frames(rate).max(least.frames(rate))),
            has_sounded: false,
            has_followed: false,
            is_toned: false,
            is_filtered: false,
            is_gliding: false,
            remaining: None,
            start,
            sequence: sent,
            started: born,
        }
    }

    /// Creates a voice that commands drive, and how it begins.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn driven(
        start: DrivenStart,
        sequence: u64,
        started: u64,
        rate: Hz,
        interpolation: Interpolation,
    ) -> (Self, Modulation) {
        let DrivenStart { note, bank, track, from, hz, left, right, filter, strip } = start;
        let position = bank.track(track).map_or_else(Position::default, |track| Position::at(track, from));
        let start = Start {
            note,
            bank,
            track,
            hz,
            left,
            right,
            attack: Micros::default(),
            release: RAMP,
            strip,
            articulation: None,
            played: NotePlayed { key: Key::C4, velocity: Velocity::HIGHEST },
            course: Course::Driven,
            interpolation: None,
        };
        let mut voice = Self::new(start, sequence, started, rate, interpolation);
        voice.position = position;
        let params = VoiceParams { hz, left, right, filter };
        (voice, Modulation::driven(Drive::new(&params, from > 0, rate)))
    }

    pub(crate) const fn is_driven(&self) -> bool {
        matches!(self.start.course, Course::Driven)
    }

    pub(crate) const fn note(&self) -> NoteId {
        self.start.note
    }

    /// Returns the sample that it plays and its position there, in frames.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn position(&self) -> Option<(SampleIndex, u32)> {
        let track = self.start.bank.track(self.start.track)?;
        Some((track.sample, self.position.frame(track)))
    }

    pub(crate) const fn strip(&self) -> StripIndex {
        self.start.strip
    }

    pub(crate) const fn sequence(&self) -> u64 {
        self.sequence
    }

    pub(crate) const fn phase(&self) -> EnvelopePhase {
        self.envelope.phase()
    }

    /// Returns whether a frame of it has been heard.
    pub(crate) const fn has_sounded(&self) -> bool {
        self.has_sounded
    }

    /// Returns how it moves, and that from the beginning; none if it does not.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn modulation(&self) -> Option<Modulation> {
        let articulation = self.articulation()?;
        let is_mono = self.start.bank.track(self.start.track).is_none_or(|track| track.planes.is_mono());
        let sides = (self.start.left, self.start.right);
        Some(Modulation::new(articulation, self.start.played, sides, is_mono, self.start.note.get() as u32))
    }

    fn articulation(&self) -> Option<&Articulation> {
        self.start.bank.articulation(self.start.articulation?)
    }

    /// Returns which notes end it, and which it ends.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn choke(&self) -> Choke {
        match self.articulation() {
            Some(Articulation::Sampler(articulation)) => articulation.choke,
            _ => Choke::default(),
        }
    }

    /// Returns whether a note that begins ends this voice: another note on the same instruments and strip, or on any if
    /// all instruments share the group.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn is_choked_by(&self, group: u32, other: &Self) -> bool {
        self.choke().ended_by == group
            && self.note() != other.note()
            && (Choke::shared_number(group).is_some()
                || self.strip() == other.strip() && Arc::ptr_eq(&self.start.bank, &other.start.bank))
    }

    /// Returns how its loudness decays from the present frame on, whatever the recording does; level unless it is
    /// falling.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn decay(&self, modulation: &Modulation, now: u64) -> Decay {
        let (level, slope) = self.envelope.course();
        let (level, slope) = (f64::from(level), f64::from(slope));
        let (gain, own) = match self.start.articulation {
            Some(_) => modulation.course(),
            None if self.is_driven() => (modulation.drive().loudness(), 0.0),
            None => (self.start.left.max(self.start.right), 0.0),
        };
        let (gain, own) = (f64::from(gain), f64::from(own));
        Decay { from: gain * level, slope: gain * slope + own * level, at: now, started: self.started }
    }

    /// Sets the output rate; a fade keeps its number of frames.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set_rate(&mut self, rate: Hz, modulation: &mut Modulation) {
        (self.step, self.kernel) = self.step_at(self.pitch(modulation), rate);
        modulation.stepped = None;
        modulation.cut();
        self.tune(rate, modulation);
    }

    /// Returns the ratio of its pitch to its own, its articulation not counted.
    fn pitch(&self, modulation: &Modulation) -> f64 {
        let ratio = self.strip_state(modulation).ratio;
        if self.is_gliding { ratio * modulation.glide.ratio() } else { ratio }
    }

    /// Returns the step at a ratio of pitches, and the kernel for it.
    fn step_at(&self, ratio: f64, rate: Hz) -> (PositionStep, KernelKind) {
        let step = PositionStep::new(self.start.hz * ratio, rate);
        (step, KernelKind::of(self.interpolation, step, self.position.is_on_frame()))
    }

    /// Returns what its note and its strip add to its filter.
    fn tone(&self, modulation: &Modulation) -> Tone {
        let tone = self.strip_state(modulation).tone;
        if self.is_toned { tone.plus(modulation.tone.now()) } else { tone }
    }

    /// Returns the state of its strip that it follows.
    const fn strip_state(&self, modulation: &Modulation) -> StripState {
        if self.has_followed { modulation.strip_state } else { StripState::NEUTRAL }
    }

    /// Tunes the low-pass of a voice whose articulation has no filter; it has one from the first tone that takes
    /// something away on.
    fn tune(&mut self, rate: Hz, modulation: &mut Modulation) {
        let tone = self.tone(modulation);
        if !self.is_filtered {
            let is_neutral = tone.cutoff >= 0.0 && tone.resonance <= 0.0;
            let has_own =
                matches!(self.articulation(), Some(Articulation::Sampler(own)) if own.filter.is_some());
            if is_neutral || has_own || self.is_driven() {
                return;
            }
            self.is_filtered = true;
            if !std::mem::replace(&mut self.is_toned, true) {
                modulation.tone = VoiceTone::default();
            }
            modulation.begin_low_pass(self.has_sounded);
        }
        modulation.tune_low_pass(tone, rate.get().into());
    }

    /// Sets what its note adds to its filter.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set_tone(&mut self, tone: Tone, rate: Hz, modulation: &mut Modulation) {
        if !std::mem::replace(&mut self.is_toned, true) {
            modulation.tone = VoiceTone::default();
        }
        modulation.tone.set(tone, self.has_sounded);
        modulation.cut();
        self.tune(rate, modulation);
    }

    /// Goes to another pitch.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn glide(&mut self, glide: Glide, rate: Hz, modulation: &mut Modulation) {
        if !std::mem::replace(&mut self.is_gliding, true) {
            modulation.glide = PitchGlide::default();
        }
        modulation.glide.follow(glide, rate);
        self.set_rate(rate, modulation);
    }

    /// Takes the steps on the ways to other pitches and tones that are due at the present frame; returns the number of
    /// frames until the next one, at most `most`.
    fn bend(&mut self, most: usize, rate: Hz, modulation: &mut Modulation) -> usize {
        let mut most = most;
        if self.is_gliding {
            if modulation.glide.step() {
                self.set_rate(rate, modulation);
            }
            most = modulation.glide.segment(most);
        }
        if self.is_toned {
            if modulation.tone.step() {
                modulation.cut();
                self.tune(rate, modulation);
            }
            most = modulation.tone.segment(most);
        }
        most
    }

    /// Goes on by some frames on the ways to other pitches and tones.
    fn advance_bends(&self, frames: usize, modulation: &mut Modulation) {
        if self.is_gliding || self.is_toned {
            self.advance_present_bends(frames, modulation);
        }
    }

    /// As [`advance_bends`](Self::advance_bends). Inlined, the compiler reads the modulation before it asks whether
    /// there is any: a cache miss for each of thousands of voices.
    #[inline(never)]
    fn advance_present_bends(&self, frames: usize, modulation: &mut Modulation) {
        if self.is_gliding {
            modulation.glide.advance(frames);
        }
        if self.is_toned {
            modulation.tone.advance(frames);
        }
    }

    /// Follows its strip's pitch and tone, if they have changed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn follow(&mut self, state: StripState, rate: Hz, modulation: &mut Modulation) {
        if self.strip_version != state.version {
            (self.strip_version, self.has_followed) = (state.version, true);
            modulation.strip_state = state;
            self.set_rate(rate, modulation);
        }
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn release(&mut self, rate: Hz, modulation: &mut Modulation) {
        if self.start.course == Course::PlaysOut {
            self.envelope.play_out();
        } else {
            self.envelope.release(self.start.release.frames(rate).max(FADE.frames(rate)));
        }
        if let Some(articulation) = self.articulation() {
            modulation.release(articulation);
        }
        self.leave_sustain();
    }

    /// Goes on in what follows its sustain loop, if it has one.
    fn leave_sustain(&mut self) {
        if let Some(track) = self.start.bank.track(self.start.track)
            && let Some(number) = track.release_track
            && let Some(after) = self.start.bank.track(number)
        {
            self.position.leave(track, after);
            self.start.track = number;
            self.kernel = KernelKind::of(self.interpolation, self.step, self.position.is_on_frame());
        }
    }

    /// A driven voice changes at the present frame; others do not.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn change(&mut self, change: DrivenChange, rate: Hz, modulation: &mut Modulation) {
        if !self.is_driven() {
            return;
        }
        match change {
            DrivenChange::Params(params, glide) => {
                modulation.drive_mut().change(&params, glide, rate);
                (self.start.left, self.start.right) = (params.left, params.right);
                if self.start.hz != params.hz {
                    self.start.hz = params.hz;
                    self.set_rate(rate, modulation);
                }
            }
            DrivenChange::LeaveSustain => self.leave_sustain(),
            DrivenChange::Swap { track, from } => modulation.drive_mut().set_swap(Swap { track, from }),
            DrivenChange::Stop => self.envelope.fade(RAMP.frames(rate)),
        }
    }

    /// A driven voice goes on in a copy of what it plays, at the same place of it; others do not.
    ///
    /// # Real-time
    /// Safe: the bank it leaves has another owner.
    pub(crate) fn replace(&mut self, bank: Arc<BankHandle>, track: u32) {
        let shape = |bank: &BankHandle, track| bank.track(track).map(|track| (track.sample, track.length));
        if self.is_driven() && shape(&bank, track) == shape(&self.start.bank, self.start.track) {
            (self.start.bank, self.start.track) = (bank, track);
        }
    }

    /// Returns the number of frames of output until a driven voice goes on with another track, if it is to.
    fn frames_to_swap(&self, modulation: &Modulation) -> Option<usize> {
        if !self.is_driven() {
            return None;
        }
        modulation.drive().swap()?;
        let track = self.start.bank.track(self.start.track)?;
        let seam = self.position.next_seam(track);
        Some(usize::try_from(self.position.frames_to(seam, self.step)).unwrap_or(usize::MAX))
    }

    /// Goes on with the track that is to follow the present one.
    fn swap(&mut self, modulation: &mut Modulation, rate: Hz) {
        let Some(Swap { track: number, from }) = modulation.drive_mut().take_swap() else { return };
        let Some(track) = self.start.bank.track(number) else {
            // Nothing is to follow.
            self.envelope.fade(RAMP.frames(rate));
            return;
        };
        let beyond = self.start.bank.track(self.start.track).map_or(0, |old| self.position.beyond_seam(old));
        self.start.track = number;
        self.position = Position::at(track, from).plus(track, beyond);
        self.kernel = KernelKind::of(self.interpolation, self.step, self.position.is_on_frame());
    }

    /// Fades out quickly, without a click.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn fade(&mut self, rate: Hz) {
        self.envelope.fade(FADE.frames(rate));
    }

    /// Prefetches the frames it will read next: what thousands of voices read is in no cache.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn prefetch(&self, frames: usize) {
        if let Some(track) = self.start.bank.track(self.start.track) {
            let (plane, index) = self.position.place(track);
            kernel::prefetch(&track.planes, plane, index, self.step.reach(frames));
        }
    }
}

/// Returns where notes of a sample begin in it, and whether that is after the first frame they could begin with.
fn first_position(start: &Start) -> (Position, bool) {
    let Some(track) = start.bank.track(start.track) else { return (Position::default(), false) };
    let articulation = start.articulation.and_then(|index| start.bank.articulation(index));
    let offset = match articulation {
        Some(Articulation::Sampler(articulation)) => {
            u32::try_from(articulation.offset.get()).unwrap_or(u32::MAX)
        }
        _ => 0,
    };
    let first = Position::at(track, track.first);
    let position = Position::at(track, track.first.max(offset).min(track.length));
    (position, position != first)
}
