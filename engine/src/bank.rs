pub(crate) mod variant;
mod waveform;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use song::{Articulation, ArticulationIndex, Hz, Instrument, InstrumentIndex, LoopMode, SampleIndex, Zone};

pub use song::{LoopOverride, SampleOverride};
pub use waveform::{Waveform, ZeroCrossing};

use variant::Variant;

/// Silent frames on both sides of a recording, and right ones on both sides of a loop's seam: as far as any kernel
/// may look, so that no kernel ever asks where it is.
///
/// The longest filter decides: 32 taps, four times as long at two octaves up, one half on each side. A plane of 16 bits
/// takes 448 bytes more for it, one with a loop 960 and one with a loop of a few frames 1.5 kB: 6 MB for a bank of 4096
/// of those.
pub(crate) const GUARD: usize = 64;

/// Frames a voice may go on after the end of a recording that has no loop, until it goes [`HELD_LOOP`] back: so far
/// that no kernel looks at the recording any more, and all it sees is the last value.
pub(crate) const HOLD: usize = GUARD + HELD_LOOP;

/// As few as memory asks for, and enough that going back costs little: a held value lasts for 5 ms.
pub(crate) const HELD_LOOP: usize = 32;

/// A value below this is silence (−300 dB). Products of such values would soon be denormal, and those cost twenty times
/// as much to compute with.
pub(crate) const DENORMAL_FLOOR: f32 = 1e-15;

/// A value above this is no value but damage (+241 dB; integers of 32 bits that were never scaled have +187). All
/// voices at their loudest add up to a finite sum of such.
pub(crate) const MAX_MAGNITUDE: f32 = (1_u64 << 40) as f32;

/// The longest recording, in frames: six hours at 48 kHz. Unrolled and guarded it still fits 32 bits.
pub(crate) const MAX_FRAMES: u64 = 1 << 30;

/// A song's recordings and instruments, made ready to be played; never changed once built.
///
/// ```text
/// main   ····xxxxxxxxxxxxxxxxxxxxxxxx------    the recording; after its end the last value is held
/// looped              xxxx|xxxx                what follows the loop's end, as if the loop had been written out
/// ```
///
/// Built by [`Bank::prepare`], [`Bank::prepare_owned`] or [`Bank::of_recordings`], shared as an `Arc`, freed on the
/// control side.
#[derive(Debug, Default)]
pub struct Bank {
    /// By the index of their sample; after these their variants, and what comes after sustain loops.
    pub(crate) tracks: Arc<[PreparedSample]>,
    /// Tracks that play a sample otherwise than it was recorded.
    pub(crate) variants: BTreeMap<(SampleIndex, Variant), u32>,
    /// Instruments that play their samples otherwise than their zones and samples say.
    pub(crate) overrides: BTreeMap<InstrumentIndex, SampleOverride>,
    pub(crate) instruments: Vec<Instrument>,
    /// How the notes of some zones move.
    pub(crate) articulations: Arc<[Articulation]>,
}

impl Bank {
    /// The longest recording that can be played, in frames.
    pub const MAX_FRAMES: u64 = MAX_FRAMES;
    /// How many times as fast as the engine's rate a recording can be played: six octaves.
    pub const MAX_RATIO: f64 = 64.0;

    /// Returns the instruments notes can be played on, by `InstrumentIndex`.
    #[must_use]
    pub fn instruments(&self) -> &[Instrument] {
        &self.instruments
    }

    /// Returns whether a note on an instrument may go on until it is released: whether any of its zones repeats.
    #[must_use]
    pub fn is_looped(&self, instrument: InstrumentIndex) -> bool {
        let zones = self.instruments.get(instrument.get()).map(Instrument::zones).unwrap_or_default();
        zones.iter().any(|zone| self.track_of(instrument, zone).is_some_and(|track| self.repeats(track)))
    }

    /// Returns whether a released note of a zone that sounds a track comes to an end of its own: its articulation does,
    /// or what is after its sustain loop.
    pub(crate) fn ends(&self, zone: &Zone, track: u32) -> bool {
        let articulation = zone.articulation().and_then(|index| self.articulations.get(index.get()));
        let after = self.track(track).and_then(|track| track.release_track);
        // What does not know of keys goes on to the end of its recording.
        let plays_on =
            matches!(articulation, Some(Articulation::Sampler(of)) if of.amplitude.release().is_none());
        articulation.is_some_and(Articulation::ends)
            || after.is_some_and(|after| !self.repeats(after))
            || plays_on && !self.repeats(track)
    }

    /// Returns whether a track repeats.
    pub(crate) fn repeats(&self, track: u32) -> bool {
        self.track(track).is_some_and(|track| track.tail == Tail::Looped)
    }

    /// Returns which track a zone of an instrument sounds.
    pub(crate) fn track_of(&self, instrument: InstrumentIndex, zone: &Zone) -> Option<u32> {
        let how = self.overrides.get(&instrument).copied().unwrap_or_default();
        let recording = self.tracks.get(zone.sample().get());
        let variant =
            recording.and_then(|track| self.variants.get(&(zone.sample(), Variant::of(how, zone, track))));
        variant.copied().or_else(|| u32::try_from(zone.sample().get()).ok())
    }

    /// Returns a track; always there for a number that came from [`track_of`](Self::track_of).
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn track(&self, number: u32) -> Option<&PreparedSample> {
        self.tracks.get(number as usize)
    }
}

/// A bank as one controller lends it to its audio thread. How many hold it says whether all voices have given it back,
/// whoever else holds the bank: another engine, say.
#[derive(Debug)]
pub(crate) struct BankHandle {
    /// Those of the bank, so that a voice comes to its track on as short a way as through the bank itself.
    tracks: Arc<[PreparedSample]>,
    bank: Arc<Bank>,
}

impl BankHandle {
    pub(crate) fn new(bank: Arc<Bank>) -> Self {
        Self { tracks: Arc::clone(&bank.tracks), bank }
    }

    pub(crate) const fn bank(&self) -> &Arc<Bank> {
        &self.bank
    }

    /// As [`Bank::track`].
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn track(&self, number: u32) -> Option<&PreparedSample> {
        self.tracks.get(number as usize)
    }

    /// Returns how notes of a zone move.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn articulation(&self, index: ArticulationIndex) -> Option<&Articulation> {
        self.bank.articulations.get(index.get())
    }
}

/// One recording, padded.
#[derive(Clone, Debug)]
pub(crate) struct PreparedSample {
    /// Of which sample.
    pub(crate) sample: SampleIndex,
    pub(crate) rate: Hz,
    /// The frame that notes begin with; 0 unless the recording is trimmed.
    pub(crate) first: u32,
    /// Frames without guards, 1..=[`MAX_FRAMES`]; those before its end if it is trimmed.
    pub(crate) length: u32,
    /// Its loop, as recorded.
    pub(crate) loop_region: Option<LoopRegion>,
    pub(crate) loop_plan: LoopPlan,
    pub(crate) tail: Tail,
    /// The track that a voice goes on in when its key is released; the same recording, and none for most.
    pub(crate) release_track: Option<u32>,
    pub(crate) planes: Padded,
}

/// A recording made ready for voices, which banks share: a clone takes no memory of its own.
#[derive(Clone, Debug)]
pub struct PreparedRecording {
    /// With the index of no sample: its bank decides that.
    pub(crate) track: PreparedSample,
    /// What a voice goes on in when it leaves a sustain loop.
    pub(crate) after_release: Option<PreparedSample>,
}

/// Which frames repeat, and in which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LoopRegion {
    pub(crate) start: u32,
    /// The first frame after it.
    pub(crate) end: u32,
    pub(crate) mode: LoopMode,
}

impl LoopRegion {
    /// Maps a frame of the unrolled loop to the recording; true if the pass is reversed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn fold(self, frame: u32) -> (u32, bool) {
        let (frame, is_reversed) = self.mode.fold(self.start as u64, self.end as u64, frame as u64);
        // A frame is folded to one that is not after it.
        (frame as u32, is_reversed)
    }
}

/// What comes after the last frame of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Tail {
    /// Its loop, over and over.
    Looped,
    /// Its last value, held.
    Value,
    /// Its last value, which is silence; from this frame on there has been nothing else.
    Silence(u32),
}

/// Where a loop takes a voice. Frames are counted as if the loop had been written out without end.
///
/// ```text
///            start            end
/// main   ──────┼───────────┬───┼────           a voice leaves the main plane at `enter`, GUARD before the end,
/// looped                 ┌─┴───┼───────┐       goes on in the looped plane,
///                   first      │      top      and at `top` goes `wrap` frames back
/// ```
///
/// A recording without a loop has one all the same, of its last frame: a voice enters it at the recording's end, and
/// what is looped lies in the main plane, or in a looped one if the recording is trimmed, since frames follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LoopPlan {
    /// The frame from which on the looped plane is to be read.
    pub(crate) switch_at: u32,
    /// The frame that lies at index 0 of the looped plane; before the recording's first for a loop that ends early.
    pub(crate) base: i64,
    /// The frame at which a voice goes back.
    pub(crate) jump_at: u32,
    /// How far back.
    pub(crate) jump_by: u32,
}

/// Planes with guards, as wide as they were recorded.
#[derive(Clone, Debug)]
pub(crate) enum Padded {
    I16(Channels<i16>),
    F32(Channels<f32>),
}

/// One or two channels.
#[derive(Clone, Debug)]
pub(crate) enum Channels<T> {
    Mono(ChannelPlanes<T>),
    Stereo(ChannelPlanes<T>, ChannelPlanes<T>),
}

/// The two planes of one channel.
#[derive(Clone)]
pub(crate) struct ChannelPlanes<T> {
    /// `GUARD + length + HOLD + GUARD` frames; shared by the tracks of one sample.
    pub(crate) main: Arc<[T]>,
    /// The main plane again for a track without a loop.
    pub(crate) looped: Arc<[T]>,
}

/// How long they are; nobody reads millions of values.
impl<T> fmt::Debug for ChannelPlanes<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + {} frames", self.main.len(), self.looped.len())
    }
}

impl Padded {
    pub(crate) const fn is_mono(&self) -> bool {
        matches!(self, Self::I16(Channels::Mono(_)) | Self::F32(Channels::Mono(_)))
    }
}

/// A recording with more frames than a bank can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// What it is called where it came from, groups included; empty if it has no name.
    pub path: String,
    /// Its frames.
    pub frames: u64,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, frames } = self;
        match path.as_str() {
            "" => f.write_str("a recording")?,
            path => f.write_str(path)?,
        }
        write!(f, " has {frames} frames, {MAX_FRAMES} can be played")
    }
}

impl std::error::Error for TooLong {}
