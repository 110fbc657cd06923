use std::ops::Range;

use song::{Frames, Instrument, InstrumentIndex, LoopMode, SampleIndex, Zone};

use super::{Bank, ChannelPlanes, Channels, GUARD, Padded, PreparedSample};

/// What a recording looks like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waveform {
    /// How long the recording is.
    pub length: Frames,
    /// Its loop: the first frame, and the first after it.
    pub looping: Option<(Frames, Frames, LoopMode)>,
    /// The lowest and highest value in each of some equal parts, for each channel; 1.0 is full scale.
    pub channels: Vec<Vec<[f32; 2]>>,
    /// The first frame of each part at which the mean of the channels rises through zero, in order; none for a part
    /// without one.
    pub rising_crossings: Vec<Frames>,
}

impl Waveform {
    /// Returns the known frame nearest to another at which the mean of the channels rises through zero: the frame
    /// before it is below zero, and it is not, or it is the last of some silence before it rises. None if there is none
    /// within so many frames, or all is silent there.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn rising_crossing_near(&self, frame: Frames, within: Frames) -> Option<Frames> {
        if self.is_silent(frame) {
            return None;
        }
        let after = self.rising_crossings.partition_point(|crossing| *crossing < frame);
        let before = after.checked_sub(1).and_then(|index| self.rising_crossings.get(index));
        let distance = |crossing: &Frames| crossing.get().abs_diff(frame.get());
        let candidates = [before, self.rising_crossings.get(after)].into_iter().flatten().copied();
        candidates.min_by_key(distance).filter(|crossing| distance(crossing) <= within.get())
    }

    /// Returns whether the part that a frame is in is silent.
    fn is_silent(&self, frame: Frames) -> bool {
        let is_zero = |parts: &Vec<[f32; 2]>| {
            let part = u128::from(frame.get()) * parts.len() as u128 / u128::from(self.length.get().max(1));
            let part = usize::try_from(part).ok().and_then(|part| parts.get(part));
            part.is_some_and(|[low, high]| *low == 0.0 && *high == 0.0)
        };
        !self.channels.is_empty() && self.channels.iter().all(is_zero)
    }
}

impl Bank {
    /// Returns the recordings of an instrument, each once, in the order of its zones.
    #[must_use]
    pub fn recordings(&self, instrument: InstrumentIndex) -> Vec<SampleIndex> {
        let mut recordings = Vec::new();
        for recording in self.zones(instrument).into_iter().map(Zone::sample) {
            if !recordings.contains(&recording) {
                recordings.push(recording);
            }
        }
        recordings
    }

    fn zones(&self, instrument: InstrumentIndex) -> Vec<&Zone> {
        self.instruments.get(instrument.get()).map(Instrument::zones).unwrap_or_default()
    }

    /// Returns what an instrument sounds of one of its recordings, in so many parts; none if that is none of its. A
    /// part is never shorter than a frame: short recordings have fewer.
    ///
    /// # Real-time
    /// Never: looks at the whole recording.
    #[must_use]
    pub fn waveform(
        &self,
        instrument: InstrumentIndex,
        recording: SampleIndex,
        parts: usize,
    ) -> Option<Waveform> {
        let zone = self.zones(instrument).into_iter().find(|zone| zone.sample() == recording)?;
        // All of it is seen, with the loop that is heard.
        let track = self.tracks.get(recording.get())?;
        let played = self.track(self.track_of(instrument, zone)?)?;
        let channels = match &track.planes {
            Padded::I16(channels) => extremes(channels, track, parts, |value| f32::from(value) / 32_768.0),
            Padded::F32(channels) => extremes(channels, track, parts, |value| value),
        };
        let rising_crossings = match &track.planes {
            Padded::I16(channels) => rising_crossings(channels, track, parts, f32::from),
            Padded::F32(channels) => rising_crossings(channels, track, parts, |value| value),
        };
        let looping = played
            .loop_region
            .map(|region| (Frames::new(region.start.into()), Frames::new(region.end.into()), region.mode));
        Some(Waveform { length: Frames::new(track.length.into()), looping, channels, rising_crossings })
    }
}

/// Returns the frames of a recording without its guards.
fn recorded<'p, T>(planes: &'p ChannelPlanes<T>, track: &PreparedSample) -> &'p [T] {
    let end = (GUARD + track.length as usize).min(planes.main.len());
    planes.main.get(GUARD..end).unwrap_or_default()
}

/// Returns the ranges of frames that parts of a recording have; fewer where frames are fewer.
fn ranges(length: usize, parts: usize) -> impl Iterator<Item = Range<usize>> {
    let parts = parts.clamp(1, length.max(1));
    (0..parts).map(move |number| number * length / parts..(number + 1) * length / parts)
}

fn extremes<T: Copy>(
    channels: &Channels<T>,
    track: &PreparedSample,
    parts: usize,
    value: impl Fn(T) -> f32,
) -> Vec<Vec<[f32; 2]>> {
    let of = |planes: &ChannelPlanes<T>| {
        let recording = recorded(planes, track);
        let part = |range: Range<usize>| {
            let values = recording.get(range).unwrap_or_default().iter().map(|&frame| value(frame));
            values.fold([f32::MAX, f32::MIN], |[low, high], value| [low.min(value), high.max(value)])
        };
        ranges(track.length as usize, parts).map(part).collect()
    };
    match channels {
        Channels::Mono(planes) => vec![of(planes)],
        Channels::Stereo(left, right) => vec![of(left), of(right)],
    }
}

fn rising_crossings<T: Copy>(
    channels: &Channels<T>,
    track: &PreparedSample,
    parts: usize,
    value: impl Fn(T) -> f32,
) -> Vec<Frames> {
    let (left, right) = match channels {
        Channels::Mono(planes) => (recorded(planes, track), None),
        Channels::Stereo(left, right) => (recorded(left, track), Some(recorded(right, track))),
    };
    // The sum has the sign of the mean.
    let at = |frame: usize| {
        let other = right.and_then(|right| right.get(frame)).map_or(0.0, |&right| value(right));
        left.get(frame).map_or(0.0, |&left| value(left) + other)
    };
    let first = |range: Range<usize>| {
        let mut before = range.start.checked_sub(1).map_or(0.0, at);
        let mut frames = range;
        frames.find(|frame| {
            let now = at(*frame);
            let previous = std::mem::replace(&mut before, now);
            (previous < 0.0 && now >= 0.0) || (now == 0.0 && at(*frame + 1) > 0.0)
        })
    };
    ranges(track.length as usize, parts).filter_map(first).map(|frame| Frames::new(frame as u64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::LoopOverride;
    use fixtures::songs::{looped, mono, of, stereo_float};

    fn seen(bank: &Bank, index: usize, parts: usize) -> Waveform {
        bank.waveform(InstrumentIndex::new(index), SampleIndex::new(index), parts).unwrap()
    }

    #[test]
    fn each_part_has_its_extremes() {
        let sample = mono([0, 16_384, -16_384, 0, 8192, 0]);
        let bank = Bank::prepare(&of(vec![sample])).unwrap();
        let waveform = seen(&bank, 0, 3);
        assert_eq!(waveform.channels, [[[0.0, 0.5], [-0.5, 0.0], [0.0, 0.25]]]);
        assert_eq!((waveform.length, waveform.looping), (Frames::new(6), None));
        assert_eq!(seen(&bank, 0, 100).channels[0].len(), 6, "no part without a frame");
        for (instrument, recording) in [(1, 0), (0, 1)] {
            let (instrument, recording) = (InstrumentIndex::new(instrument), SampleIndex::new(recording));
            assert_eq!(bank.waveform(instrument, recording, 3), None);
        }
    }

    #[test]
    fn both_channels_and_the_loop_are_seen() {
        let sample = looped(stereo_float(vec![0.0, 0.5], vec![-0.25, 0.0]), 1, 2, LoopMode::Forward);
        let bank = Bank::prepare(&of(vec![sample])).unwrap();
        let waveform = seen(&bank, 0, 1);
        assert_eq!(waveform.channels, [[[0.0, 0.5]], [[-0.25, 0.0]]]);
        assert_eq!(waveform.looping, Some((Frames::new(1), Frames::new(2), LoopMode::Forward)));
        assert_eq!(seen(&bank.with_override(InstrumentIndex::new(0), LoopOverride::Off), 0, 1).looping, None);
    }

    #[test]
    fn the_first_rising_crossing_of_each_part_is_known() {
        let near = |waveform: &Waveform, frame, within| {
            waveform.rising_crossing_near(Frames::new(frame), Frames::new(within)).map(Frames::get)
        };
        let sample = mono([0, -5, 5, -5, 0, 5, -5, -5, 5, -5]);
        let bank = Bank::prepare(&of(vec![sample])).unwrap();
        let all = seen(&bank, 0, 100);
        assert_eq!(all.rising_crossings, [2, 4, 8].map(Frames::new));
        assert_eq!(seen(&bank, 0, 2).rising_crossings, [2, 8].map(Frames::new), "one of each half");
        assert_eq!([near(&all, 1, 2), near(&all, 2, 0), near(&all, 5, 9)], [Some(2), Some(2), Some(4)]);
        assert_eq!([near(&all, 7, 1), near(&all, 99, 91)], [Some(8); 2]);
        assert_eq!(near(&all, 0, 9), None, "it is silent there");
        assert_eq!([near(&all, 1, 0), near(&all, 6, 1), near(&all, 99, 90)], [None; 3]);
    }

    #[test]
    fn a_crossing_is_one_of_the_mean_of_the_channels() {
        let sample = stereo_float(vec![-0.5, 0.5, -0.5, 0.5], vec![0.0, -1.0, 0.25, -0.5]);
        let bank = Bank::prepare(&of(vec![sample])).unwrap();
        assert_eq!(seen(&bank, 0, 4).rising_crossings, [Frames::new(3)]);
        let bank = Bank::prepare(&of(vec![mono([5, 0, -5, -5])])).unwrap();
        assert_eq!(seen(&bank, 0, 4).rising_crossings, []);
        let bank = Bank::prepare(&of(vec![mono([0, 0, 5, 0, -5])])).unwrap();
        assert_eq!(seen(&bank, 0, 9).rising_crossings, [Frames::new(1)], "the last of the silence");
        assert_eq!(Waveform::default().rising_crossing_near(Frames::ZERO, Frames::new(9)), None);
    }
}
