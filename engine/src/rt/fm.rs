//! Voices of a two-operator FM synthesiser, the OPL2 of sound cards: those of S3M songs.
//!
//! Each voice has a chip to itself, so that it can be muted, panned and faded like any other. They are no voices of the
//! pool: nothing steals them, and the polyphony does not count them.

use std::fmt;

use oplon::Opl2;
use song::Hz;

use crate::message::{DrivenChange, FmStart, NoteId, StripIndex, VoiceParams};
use crate::rt::modulation::drive::{Drive, RAMP};
use crate::rt::strip::{StripState, Strips};

/// Voices that sound at most: one for each channel of an S3M.
const VOICES: usize = 32;

/// Value of the chip that is full scale: the peak of an operator.
const FULL_SCALE: f32 = 4084.0;

/// The FM voices of an engine.
pub(crate) struct FmVoices {
    slots: Box<[Option<FmVoice>]>,
    occupied: usize,
}

struct FmVoice {
    note: NoteId,
    sequence: u64,
    strip: StripIndex,
    chip: Opl2,
    /// Cycles per second, without the detune of the strip.
    hz: f64,
    strip_state: StripState,
    drive: Drive,
    is_stopped: bool,
}

impl fmt::Debug for FmVoices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FmVoices").field("occupied", &self.occupied).finish_non_exhaustive()
    }
}

impl FmVoices {
    /// # Real-time
    /// Never: takes all its memory.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(crate) fn new() -> Self {
        Self { slots: (0..VOICES).map(|_| None).collect(), occupied: 0 }
    }

    /// Returns the number of voices that sound.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn occupied(&self) -> usize {
        self.occupied
    }

    /// Begins a voice; returns whether there was room for it.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn start(&mut self, start: &FmStart, sequence: u64, rate: Hz) -> bool {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.is_none()) else { return false };
        *slot = Some(FmVoice::new(start, sequence, rate));
        self.occupied += 1;
        true
    }

    /// Changes the voices of a note.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn change(&mut self, note: NoteId, change: DrivenChange, rate: Hz) {
        for voice in self.slots.iter_mut().flatten().filter(|voice| voice.note == note) {
            voice.change(change, rate);
        }
    }

    /// Fades all voices whose commands `chosen` picks by their numbers.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn fade_where(&mut self, rate: Hz, chosen: impl Fn(u64) -> bool) {
        for voice in self.slots.iter_mut().flatten().filter(|voice| chosen(voice.sequence)) {
            voice.change(DrivenChange::Stop, rate);
        }
    }

    /// Ends all voices in a fade: the chips run at the rate of the output.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set_rate(&mut self, rate: Hz) {
        self.fade_where(rate, |_| true);
    }

    /// Adds the next frames of all voices to both sides, or to the planes of their strips. Calls `ended` for each voice
    /// that is over, with the number of frames after which it is.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn render(
        &mut self,
        strips: &mut Strips,
        left: &mut [f32],
        right: &mut [f32],
        mut ended: impl FnMut(NoteId, usize),
    ) {
        if self.occupied == 0 {
            return;
        }
        for slot in &mut self.slots {
            let Some(voice) = slot else { continue };
            let (note, strip) = (voice.note, voice.strip);
            let (state, planes) = strips.of(strip);
            voice.follow(state);
            let over = match planes {
                Some(planes) => {
                    let (left, right) = planes.part(0, left.len());
                    voice.render(left, right)
                }
                None => voice.render(left, right),
            };
            if let Some(after) = over {
                *slot = None;
                self.occupied -= 1;
                strips.leave(strip, true);
                ended(note, after);
            }
        }
    }
}

/// Registers of the operators of the first channel, in the order of a patch.
const OPERATOR_REGISTERS: [u8; 10] = [0x20, 0x23, 0x40, 0x43, 0x60, 0x63, 0x80, 0x83, 0xE0, 0xE3];

impl FmVoice {
    fn new(start: &FmStart, sequence: u64, rate: Hz) -> Self {
        let mut chip = Opl2::new(rate.get());
        // Waveforms 4 to 7 are heard as well, as in libopenmpt, whose chip is an OPL3.
        chip.set_opl3_enabled(true);
        for (register, value) in OPERATOR_REGISTERS.into_iter().zip(start.patch.operators()) {
            chip.write_reg(register, value);
        }
        // To both sides.
        chip.write_reg(0xC0, start.patch.routing() | 0x30);
        let FmStart { note, hz, left, right, strip, .. } = *start;
        let params = VoiceParams { hz, left, right, filter: None };
        let drive = Drive::new(&params, false, rate);
        let mut voice = Self {
            note,
            sequence,
            strip,
            chip,
            hz,
            strip_state: StripState::NEUTRAL,
            drive,
            is_stopped: false,
        };
        voice.tune();
        voice.chip.key_on(0);
        voice
    }

    /// Sets the pitch of the chip: the lowest block that has a number for it.
    fn tune(&mut self) {
        const MOST: f64 = 1023.0;
        let unit = self.hz * self.strip_state.ratio * f64::from(1 << 20) / f64::from(oplon::OPL_NATIVE_RATE);
        let block = (0..7).find(|block| unit / f64::from(1 << block) < MOST + 0.5).unwrap_or(7);
        // The cast saturates.
        let number = (unit / f64::from(1 << block)).round().min(MOST) as u16;
        self.chip.set_frequency(0, number, block as u8);
    }

    fn follow(&mut self, state: StripState) {
        if self.strip_state.version != state.version {
            self.strip_state = state;
            self.tune();
        }
    }

    fn change(&mut self, change: DrivenChange, rate: Hz) {
        match change {
            DrivenChange::Params(params, glide) => {
                self.drive.change(&params, glide, rate);
                if self.hz != params.hz {
                    self.hz = params.hz;
                    self.tune();
                }
            }
            DrivenChange::LeaveSustain => self.chip.key_off(0),
            DrivenChange::Stop => {
                self.is_stopped = true;
                self.drive.change(&VoiceParams { hz: 0.0, left: 0.0, right: 0.0, filter: None }, RAMP, rate);
            }
            // It has no recording to change.
            DrivenChange::Swap { .. } => {}
        }
    }

    /// Adds frames to both sides; returns the number of frames after which it is over, if it is.
    fn render(&mut self, left: &mut [f32], right: &mut [f32]) -> Option<usize> {
        for (frame, (left, right)) in left.iter_mut().zip(right).enumerate() {
            if self.chip.channel_is_silent(0) || self.is_stopped && self.drive.is_silent() {
                return Some(frame);
            }
            let value = self.chip.render_frame().0 as f32 / FULL_SCALE;
            let [left_gain, right_gain] = self.drive.gains();
            *left += value * left_gain;
            *right += value * right_gain;
            self.drive.advance(1);
        }
        None
    }
}
