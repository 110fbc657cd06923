use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use song::{
    Frames, Instrument, LoopMode, LoopRange, Origin, Planes, Recording, Sample, SampleIndex, Song, Zone,
};

use crate::bank::{
    Bank, Channels, Circuit, Ending, GUARD, HOLD, HUGE, Lanes, MAX_FRAMES, Padded, TINY, TURN, TooLong, Track,
};

/// A loop shorter than this is written out until it has at least as many frames, so that a voice does not turn round
/// every few frames.
const SHORT: usize = 256;

// A long loop goes back behind its first guard.
const _: () = assert!(SHORT >= GUARD);

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
        Self::of(song.samples().iter().cloned(), song.instruments().to_vec())
    }

    /// The same of a song that nobody needs any more: each of its samples is dropped as soon as it is copied, so at no
    /// time is there more in memory than the bank and one sample. What others share of the song they keep.
    ///
    /// # Errors
    /// [`TooLong`] for a recording of more than 2^30 frames. The song is gone all the same.
    ///
    /// # Real-time
    /// Never: takes time and memory in proportion to the song. Any thread but the audio thread will do.
    pub fn prepare_owned(song: Song) -> Result<Self, TooLong> {
        let (samples, instruments) = (song.samples().to_vec(), song.instruments().to_vec());
        // From here on the list is the song's last hold on its samples.
        drop(song);
        Self::of(samples.into_iter(), instruments)
    }

    fn of(samples: impl Iterator<Item = Arc<Sample>>, instruments: Vec<Instrument>) -> Result<Self, TooLong> {
        let zones = instruments.iter().flat_map(Instrument::zones);
        let wanted: BTreeSet<SampleIndex> =
            zones.filter(|zone| zone.is_endless()).map(Zone::sample).collect();
        let (mut tracks, mut repeating) = (Vec::new(), Vec::new());
        for (index, sample) in samples.enumerate() {
            let index = SampleIndex::new(index);
            let track = track(index, &sample)?;
            if wanted.contains(&index) && track.ending != Ending::Never {
                repeating.push((index, endless(&track)));
            }
            tracks.push(track);
        }
        let mut endless = BTreeMap::new();
        for (index, track) in repeating {
            if let Ok(number) = u32::try_from(tracks.len()) {
                endless.insert(index, number);
                tracks.push(track);
            }
        }
        Ok(Self { tracks: tracks.into(), instruments, endless })
    }
}

fn track(index: SampleIndex, sample: &Sample) -> Result<Track, TooLong> {
    let length = fitting(index, sample.origin(), sample.length())?;
    let unrolled = sample.loops().first().map(Unrolled::of);
    let planes = match sample.recording() {
        Recording::I16(planes) => Padded::I16(channels(planes, unrolled.as_ref(), |value| value)),
        Recording::F32(planes) => Padded::F32(channels(planes, unrolled.as_ref(), audible)),
    };
    let (circuit, ending) = match &unrolled {
        Some(unrolled) => (unrolled.circuit(), Ending::Never),
        None => (held(length), planes.ending(length)),
    };
    Ok(Track { rate: sample.rate(), length, circuit, ending, planes })
}

/// Around and around the last frame of a recording, in its main plane.
fn held(length: u32) -> Circuit {
    Circuit { enter: length, first: -(GUARD as i64), top: length + HOLD as u32, wrap: TURN as u32 }
}

/// The same recording, repeated from its first frame to its last.
fn endless(track: &Track) -> Track {
    let unrolled = Unrolled::forward(0, track.length.into());
    let planes = match &track.planes {
        Padded::I16(channels) => Padded::I16(channels.unrolled(&unrolled)),
        Padded::F32(channels) => Padded::F32(channels.unrolled(&unrolled)),
    };
    let (rate, length, circuit) = (track.rate, track.length, unrolled.circuit());
    Track { rate, length, circuit, ending: Ending::Never, planes }
}

impl Padded {
    /// How a recording of so many frames ends that has no loop.
    fn ending(&self, length: u32) -> Ending {
        let sounding = match self {
            Self::I16(channels) => channels.sounding(),
            Self::F32(channels) => channels.sounding(),
        };
        if sounding < length { Ending::Silence(sounding) } else { Ending::Value }
    }
}

impl<T: Copy + Default + PartialEq> Channels<T> {
    /// Frames up to the last that is no silence, in any channel; beyond the recording if that is the last.
    fn sounding(&self) -> u32 {
        match self {
            Self::Mono(lanes) => lanes.sounding(),
            Self::Stereo(left, right) => left.sounding().max(right.sounding()),
        }
    }

    fn unrolled(&self, unrolled: &Unrolled) -> Self {
        match self {
            Self::Mono(lanes) => Self::Mono(lanes.unrolled(unrolled)),
            Self::Stereo(left, right) => Self::Stereo(left.unrolled(unrolled), right.unrolled(unrolled)),
        }
    }
}

impl<T: Copy + Default + PartialEq> Lanes<T> {
    fn sounding(&self) -> u32 {
        let last = self.main.iter().rposition(|value| *value != T::default());
        // Of a plane that fits 32 bits.
        last.map_or(0, |last| (last + 1 - GUARD) as u32)
    }

    /// The same main plane with another loop written out.
    fn unrolled(&self, unrolled: &Unrolled) -> Self {
        let at = |frame: i64| {
            let index = frame + GUARD as i64;
            usize::try_from(index).ok().and_then(|index| self.main.get(index)).copied().unwrap_or_default()
        };
        Self { main: Arc::clone(&self.main), looped: unrolled.frames().map(at).collect() }
    }
}

fn fitting(sample: SampleIndex, origin: &Origin, frames: Frames) -> Result<u32, TooLong> {
    match u32::try_from(frames.get()) {
        Ok(length) if frames.get() <= MAX_FRAMES => Ok(length),
        _ => Err(TooLong { sample, path: origin.path(), frames: frames.get() }),
    }
}

/// The value, or silence where it is none that can be heard: tiny, huge, infinite, or not a number.
fn audible(value: f32) -> f32 {
    if (TINY..=HUGE).contains(&value.abs()) { value } else { 0.0 }
}

fn channels<T: Copy + Default + PartialEq>(
    planes: &Planes<T>,
    unrolled: Option<&Unrolled>,
    clean: impl Fn(T) -> T,
) -> Channels<T> {
    let lanes = |plane: &[T]| {
        let silence = std::iter::repeat_n(T::default(), GUARD);
        let frames = plane.iter().map(|&value| clean(value));
        let behind = match (unrolled, plane.last()) {
            (None, Some(&last)) => std::iter::repeat_n(clean(last), HOLD + GUARD),
            _ => silence.clone(),
        };
        let main: Arc<[T]> = silence.chain(frames).chain(behind).collect();
        let plain = Lanes { looped: Arc::clone(&main), main };
        unrolled.map(|unrolled| plain.unrolled(unrolled)).unwrap_or(plain)
    };
    if planes.channels() == 1 {
        Channels::Mono(lanes(planes.left()))
    } else {
        Channels::Stereo(lanes(planes.left()), lanes(planes.right()))
    }
}

/// A loop written out.
struct Unrolled {
    start: i64,
    end: i64,
    mode: LoopMode,
    /// Frames of whole periods held beyond the seam; 0 for a long forward loop, which goes back to the main plane.
    extra: i64,
}

impl Unrolled {
    fn of(range: &LoopRange) -> Self {
        Self::new(range.start().get() as i64, range.end().get() as i64, range.mode())
    }

    fn forward(start: i64, end: i64) -> Self {
        Self::new(start, end, LoopMode::Forward)
    }

    fn new(start: i64, end: i64, mode: LoopMode) -> Self {
        let length = end - start;
        let period = match mode {
            LoopMode::Forward => length,
            LoopMode::PingPong => 2 * length,
        };
        let short = SHORT as i64;
        let extra = match mode {
            LoopMode::Forward if length >= short => 0,
            _ => period * ((short + period - 1) / period),
        };
        Self { start, end, mode, extra }
    }

    /// Which frame of the recording sounds at each frame of the looped plane.
    fn frames(&self) -> impl Iterator<Item = i64> {
        let guard = GUARD as i64;
        (self.end - 2 * guard..self.end + 2 * guard + self.extra).map(|frame| self.source(frame))
    }

    fn source(&self, frame: i64) -> i64 {
        if frame < self.end {
            return frame;
        }
        let (length, gone) = (self.end - self.start, frame - self.start);
        match self.mode {
            LoopMode::Forward => self.start + gone % length,
            LoopMode::PingPong => {
                let place = gone % (2 * length);
                if place < length { self.start + place } else { self.end - 1 - (place - length) }
            }
        }
    }

    fn circuit(&self) -> Circuit {
        let guard = GUARD as i64;
        // Lengths were checked to leave all of these far below 2^32.
        let frame = |frame: i64| u32::try_from(frame.max(0)).unwrap_or(u32::MAX);
        let wrap = if self.extra == 0 { self.end - self.start } else { self.extra };
        Circuit {
            enter: frame(self.end - guard),
            first: self.end - 2 * guard,
            top: frame(self.end + guard + self.extra),
            wrap: frame(wrap),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use song::{Hz, Plays, Width};

    fn looped(frames: Vec<i16>, start: u64, end: u64, mode: LoopMode) -> Track {
        let length = Frames::of(&frames);
        let recording = Recording::I16(Planes::new(vec![frames]).unwrap());
        let range =
            LoopRange::new(Frames::new(start), Frames::new(end), length, mode, Plays::Forever).unwrap();
        let sample = Sample::new(Origin::default(), recording, Width::Sixteen, Hz::new(1).unwrap())
            .with_loops(vec![range])
            .unwrap();
        track(SampleIndex::new(0), &sample).unwrap()
    }

    fn planes(track: &Track) -> (&[i16], &[i16]) {
        match &track.planes {
            Padded::I16(Channels::Mono(lanes)) => (&lanes.main, &lanes.looped),
            _ => panic!("made of one 16-bit plane"),
        }
    }

    #[test]
    fn a_recording_lies_between_silent_guards() {
        let track = looped(vec![1, 2, 3], 0, 3, LoopMode::Forward);
        let silence = [0; GUARD];
        assert_eq!(planes(&track).0, [&silence[..], &[1, 2, 3], &silence].concat());
    }

    fn unlooped(planes: Vec<Vec<i16>>) -> Track {
        let recording = Recording::I16(Planes::new(planes).unwrap());
        let sample = Sample::new(Origin::default(), recording, Width::Sixteen, Hz::new(1).unwrap());
        track(SampleIndex::new(0), &sample).unwrap()
    }

    #[test]
    fn without_a_loop_the_last_value_is_held_and_no_plane_is_there_twice() {
        let track = unlooped(vec![vec![1, 2, 3]]);
        let (main, looped) = planes(&track);
        assert_eq!(main, [&[0; GUARD][..], &[1, 2, 3], &[3; HOLD + GUARD]].concat());
        assert!(std::ptr::eq(main, looped));
    }

    #[test]
    fn an_end_is_silent_from_behind_the_last_value_of_any_channel() {
        let ending = |planes| unlooped(planes).ending;
        assert_eq!(ending(vec![vec![1, 2, 3]]), Ending::Value);
        assert_eq!(ending(vec![vec![1, 2, 0]]), Ending::Silence(2));
        assert_eq!(ending(vec![vec![0, 0, 0]]), Ending::Silence(0));
        assert_eq!(ending(vec![vec![1, 2, 0, 0], vec![1, 0, 0, 0]]), Ending::Silence(2));
        assert_eq!(ending(vec![vec![0, 0], vec![0, -1]]), Ending::Value);
        assert_eq!(looped(vec![1, 0], 0, 1, LoopMode::Forward).ending, Ending::Never);
    }

    #[test]
    fn a_long_loop_gets_a_seam_and_goes_back_to_the_recording() {
        let (start, end, guard) = (10, 910, GUARD as i16);
        let track = looped((0..1000).collect(), start as u64, end as u64, LoopMode::Forward);
        let seam: Vec<i16> = (end - 2 * guard..end).chain(start..start + 2 * guard).collect();
        assert_eq!(planes(&track).1, seam);
        let (end, guard) = (910, GUARD as u32);
        let first = i64::from(end - 2 * guard);
        assert_eq!(track.circuit, Circuit { enter: end - guard, first, top: end + guard, wrap: 900 });
    }

    #[test]
    fn a_short_loop_is_written_out_in_whole_periods() {
        let track = looped(vec![7, 8, 9], 1, 3, LoopMode::Forward);
        let looped = planes(&track).1;
        let end = 2 * GUARD;
        assert_eq!(looped[..end - 3], vec![0; end - 3]);
        assert_eq!(looped[end - 3..end + 4], [7, 8, 9, 8, 9, 8, 9]);
        assert_eq!(looped.len(), 4 * GUARD + SHORT);
        let (first, top) = (3 - 2 * GUARD as i64, (3 + GUARD + SHORT) as u32);
        assert_eq!(track.circuit, Circuit { enter: 0, first, top, wrap: SHORT as u32 });
    }

    #[test]
    fn a_ping_pong_loop_sounds_its_turning_frames_twice() {
        let track = looped(vec![1, 2, 3, 4], 1, 4, LoopMode::PingPong);
        let first = 2 * GUARD - 4;
        assert_eq!(planes(&track).1[first..first + 13], [1, 2, 3, 4, 4, 3, 2, 2, 3, 4, 4, 3, 2]);
    }

    #[test]
    fn values_nobody_can_hear_become_silence() {
        let clean = [f32::NAN, f32::INFINITY, f32::MIN, 1e-30, -1e-14, 2.0, -HUGE].map(audible);
        assert_eq!(clean, [0.0, 0.0, 0.0, 0.0, -1e-14, 2.0, -HUGE]);
    }

    #[test]
    fn a_recording_beyond_the_longest_is_refused_by_name() {
        let (sample, frames) = (SampleIndex::new(3), Frames::new);
        let drone =
            Origin { group: "Ambient.Wind".to_owned(), name: "Drone".to_owned(), ..Origin::default() };
        assert_eq!(fitting(sample, &drone, frames(MAX_FRAMES)), Ok(1 << 30));
        let refused =
            |origin: &Origin| fitting(sample, origin, frames(MAX_FRAMES + 1)).unwrap_err().to_string();
        let what = "has 1073741825 frames, 1073741824 can be played";
        assert_eq!(refused(&drone), format!("Ambient.Wind.Drone {what}"));
        assert_eq!(refused(&Origin::default()), format!("sample 3 {what}"));
    }
}
