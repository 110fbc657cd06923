mod unrolled_loop;
mod variants;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use song::{
    AfterRelease, Articulation, Frames, Instrument, Origin, Planes, Recording, Sample, SampleIndex, Song,
    Zone,
};

use crate::bank::variant::Variant;
use crate::bank::{
    Bank, ChannelPlanes, Channels, DENORMAL_FLOOR, GUARD, HELD_LOOP, HOLD, LoopPlan, MAX_FRAMES,
    MAX_MAGNITUDE, Padded, PreparedRecording, PreparedSample, Tail, TooLong,
};
use unrolled_loop::UnrolledLoop;
use variants::{endless, plain, turning};

impl PreparedRecording {
    /// Makes a sample ready to be played. Floats that are no values become silence, as [`Bank::prepare`] says.
    ///
    /// # Errors
    /// [`TooLong`] for a recording of more than 2^30 frames.
    ///
    /// # Real-time
    /// Never: takes time and memory in proportion to the sample.
    pub fn new(sample: &Sample) -> Result<Self, TooLong> {
        let track = track(sample)?;
        let after_release = after(sample, &track);
        Ok(Self { track, after_release })
    }

    /// Returns how many bytes its frames take, however many banks share them.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let tracks = [Some(&self.track), self.after_release.as_ref()];
        // What is played after the release shares its main planes.
        let main = self.track.planes.main_bytes();
        let looped: usize = tracks.into_iter().flatten().map(|track| track.planes.looped_bytes()).sum();
        (main + looped) as u64
    }
}

impl Bank {
    /// Makes a song ready to be played. Bank and song are in memory together from here on, each with all its frames;
    /// where the song is not needed any more, [`prepare_owned`](Self::prepare_owned) takes half of that.
    ///
    /// Floats that are no values become silence: those that are not finite, or beyond 2^40 times full scale.
    ///
    /// # Errors
    /// [`TooLong`] for a recording of more than 2^30 frames.
    ///
    /// # Real-time
    /// Never: takes time and memory in proportion to the song. Any thread but the audio thread will do.
    pub fn prepare(song: &Song) -> Result<Self, TooLong> {
        let samples = song.samples().iter().cloned();
        Self::of(samples, song.instruments().to_vec(), song.articulations().into())
    }

    /// Prepares a song that nobody needs any more: each of its samples is dropped as soon as it is copied, so at no
    /// time is there more in memory than the bank and one sample. What others share of the song they keep.
    ///
    /// # Errors
    /// [`TooLong`] for a recording of more than 2^30 frames. The song is gone all the same.
    ///
    /// # Real-time
    /// Never: takes time and memory in proportion to the song. Any thread but the audio thread will do.
    pub fn prepare_owned(song: Song) -> Result<Self, TooLong> {
        let (samples, instruments) = (song.samples().to_vec(), song.instruments().to_vec());
        let articulations = song.articulations().into();
        // From here on the list is the song's last hold on its samples.
        drop(song);
        Self::of(samples.into_iter(), instruments, articulations)
    }

    fn of(
        samples: impl Iterator<Item = Arc<Sample>>,
        instruments: Vec<Instrument>,
        articulations: Arc<[Articulation]>,
    ) -> Result<Self, TooLong> {
        let recordings = samples.map(|sample| PreparedRecording::new(&sample));
        Ok(Self::of_recordings(recordings.collect::<Result<_, _>>()?, instruments, articulations))
    }

    /// Makes a bank of recordings that others may share, each known by its place among them. It takes little memory of
    /// its own.
    ///
    /// # Real-time
    /// Never: takes time in proportion to the number of recordings.
    #[must_use]
    pub fn of_recordings(
        recordings: Vec<PreparedRecording>,
        instruments: Vec<Instrument>,
        articulations: Arc<[Articulation]>,
    ) -> Self {
        let zones = instruments.iter().flat_map(Instrument::zones);
        let wanted: BTreeSet<SampleIndex> =
            zones.filter(|zone| zone.loops_whole()).map(Zone::sample).collect();
        let (mut tracks, mut repeating, mut left) = (Vec::new(), Vec::new(), Vec::new());
        for (index, PreparedRecording { track, after_release }) in recordings.into_iter().enumerate() {
            let sample = SampleIndex::new(index);
            let track = PreparedSample { sample, ..track };
            if wanted.contains(&sample) && track.tail != Tail::Looped {
                repeating.push((sample, endless(&track)));
            }
            if let Some(after) = after_release {
                left.push((tracks.len(), PreparedSample { sample, ..after }));
            }
            tracks.push(track);
        }
        for (held, after) in left {
            let number = u32::try_from(tracks.len()).ok();
            tracks.push(after);
            if let Some(held) = tracks.get_mut(held) {
                held.release_track = number;
            }
        }
        let mut variants = BTreeMap::new();
        for (index, track) in repeating {
            if let Ok(number) = u32::try_from(tracks.len()) {
                variants.insert((index, Variant::WHOLE), number);
                tracks.push(track);
            }
        }
        Self { tracks: tracks.into(), instruments, articulations, variants, ..Self::default() }
    }
}

/// Returns the track of a sample, whose index its bank decides.
fn track(sample: &Sample) -> Result<PreparedSample, TooLong> {
    let length = fitting(sample.origin(), sample.length())?;
    let unrolled = sample.loops().first().map(UnrolledLoop::of);
    let planes = match sample.recording() {
        Recording::I16(planes) => Padded::I16(channels(planes, unrolled.as_ref(), |value| value)),
        Recording::F32(planes) => Padded::F32(channels(planes, unrolled.as_ref(), audible)),
    };
    let (loop_plan, ending) = match &unrolled {
        Some(unrolled) => (unrolled.loop_plan(), Tail::Looped),
        None => (held(length), planes.ending(length)),
    };
    let region = unrolled.as_ref().map(UnrolledLoop::region);
    Ok(PreparedSample {
        sample: SampleIndex::new(0),
        rate: sample.rate(),
        first: 0,
        length,
        loop_region: region,
        loop_plan,
        tail: ending,
        release_track: None,
        planes,
    })
}

/// Returns what a voice goes on in when it leaves its sustain loop.
fn after(sample: &Sample, track: &PreparedSample) -> Option<PreparedSample> {
    match AfterRelease::of(sample.loops()) {
        AfterRelease::Same => None,
        AfterRelease::Loop(range) => Some(turning(track, &UnrolledLoop::of(range))),
        AfterRelease::End => Some(plain(track)),
    }
}

/// Creates a loop over the last frame of a recording, in its main plane.
fn held(length: u32) -> LoopPlan {
    LoopPlan {
        switch_at: length,
        base: -(GUARD as i64),
        jump_at: length + HOLD as u32,
        jump_by: HELD_LOOP as u32,
    }
}

impl Padded {
    /// Returns the bytes of its main planes.
    fn main_bytes(&self) -> usize {
        match self {
            Self::I16(channels) => channels.bytes(|planes| &planes.main),
            Self::F32(channels) => channels.bytes(|planes| &planes.main),
        }
    }

    /// Returns the bytes of its looped planes; none where these are the main ones.
    fn looped_bytes(&self) -> usize {
        match self {
            Self::I16(channels) => channels.bytes(ChannelPlanes::own_looped),
            Self::F32(channels) => channels.bytes(ChannelPlanes::own_looped),
        }
    }

    fn unlooped(&self) -> Self {
        match self {
            Self::I16(channels) => Self::I16(channels.unlooped()),
            Self::F32(channels) => Self::F32(channels.unlooped()),
        }
    }

    /// Returns how a recording ends of which `length` frames are played, without a loop.
    fn ending(&self, length: u32) -> Tail {
        let sounding = match self {
            Self::I16(channels) => channels.sounding(length),
            Self::F32(channels) => channels.sounding(length),
        };
        if sounding < length { Tail::Silence(sounding) } else { Tail::Value }
    }
}

impl<T: Copy + Default + PartialEq> Channels<T> {
    fn bytes(&self, plane: impl Fn(&ChannelPlanes<T>) -> &[T]) -> usize {
        match self {
            Self::Mono(planes) => size_of_val(plane(planes)),
            Self::Stereo(left, right) => size_of_val(plane(left)) + size_of_val(plane(right)),
        }
    }

    /// Returns the number of the first `length` frames up to the last that is not silent, in any channel.
    fn sounding(&self, length: u32) -> u32 {
        match self {
            Self::Mono(lanes) => lanes.sounding(length),
            Self::Stereo(left, right) => left.sounding(length).max(right.sounding(length)),
        }
    }

    fn unlooped(&self) -> Self {
        match self {
            Self::Mono(lanes) => Self::Mono(ChannelPlanes::plain(&lanes.main)),
            Self::Stereo(left, right) => {
                Self::Stereo(ChannelPlanes::plain(&left.main), ChannelPlanes::plain(&right.main))
            }
        }
    }

    fn unrolled(&self, unrolled: &UnrolledLoop) -> Self {
        match self {
            Self::Mono(lanes) => Self::Mono(lanes.unrolled(unrolled)),
            Self::Stereo(left, right) => Self::Stereo(left.unrolled(unrolled), right.unrolled(unrolled)),
        }
    }
}

impl<T: Copy + Default + PartialEq> ChannelPlanes<T> {
    /// Returns the looped plane, if it is not the main one.
    fn own_looped(&self) -> &[T] {
        if Arc::ptr_eq(&self.main, &self.looped) { &[] } else { &self.looped }
    }

    fn sounding(&self, length: u32) -> u32 {
        let mut frames = self.main.get(GUARD..).unwrap_or_default().iter().take(length as usize);
        let last = frames.rposition(|value| *value != T::default());
        // Of a plane that fits 32 bits.
        last.map_or(0, |last| (last + 1) as u32)
    }

    /// Without a loop: the last value is held in the main plane.
    fn plain(main: &Arc<[T]>) -> Self {
        Self { main: Arc::clone(main), looped: Arc::clone(main) }
    }

    /// Returns the main plane with another loop unrolled after it.
    fn unrolled(&self, unrolled: &UnrolledLoop) -> Self {
        let at = |frame: i64| {
            let index = frame + GUARD as i64;
            usize::try_from(index).ok().and_then(|index| self.main.get(index)).copied().unwrap_or_default()
        };
        Self { main: Arc::clone(&self.main), looped: unrolled.frames().map(at).collect() }
    }
}

fn fitting(origin: &Origin, frames: Frames) -> Result<u32, TooLong> {
    match u32::try_from(frames.get()) {
        Ok(length) if frames.get() <= MAX_FRAMES => Ok(length),
        _ => Err(TooLong { path: origin.path(), frames: frames.get() }),
    }
}

/// Returns the value, or silence where it is none that can be heard: tiny, huge, infinite, or not a number.
fn audible(value: f32) -> f32 {
    if (DENORMAL_FLOOR..=MAX_MAGNITUDE).contains(&value.abs()) { value } else { 0.0 }
}

fn channels<T: Copy + Default + PartialEq>(
    planes: &Planes<T>,
    unrolled: Option<&UnrolledLoop>,
    clean: impl Fn(T) -> T,
) -> Channels<T> {
    let lanes = |plane: &[T]| {
        let silence = std::iter::repeat_n(T::default(), GUARD);
        let frames = plane.iter().map(|&value| clean(value));
        let last = plane.last().map_or(T::default(), |&last| clean(last));
        let hold = std::iter::repeat_n(last, HOLD + GUARD);
        let main: Arc<[T]> = silence.chain(frames).chain(hold).collect();
        let plain = ChannelPlanes::plain(&main);
        unrolled.map(|unrolled| plain.unrolled(unrolled)).unwrap_or(plain)
    };
    if planes.channels() == 1 {
        Channels::Mono(lanes(planes.left()))
    } else {
        Channels::Stereo(lanes(planes.left()), lanes(planes.right()))
    }
}

#[cfg(test)]
mod tests;
