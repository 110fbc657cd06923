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
    pub rising_crossings: Vec<ZeroCrossing>,
}

/// A frame at which the mean of the channels rises through zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ZeroCrossing {
    /// The first frame that is not below zero, or the last of some silence before it rises.
    pub frame: Frames,
    /// The left and right of the frame before it, and its own, alike if it is mono; 1.0 is full scale.
    pub values: [[f32; 2]; 2],
}

impl ZeroCrossing {
    /// Returns how far the recording is from going on smoothly from just before this to another, 0 if it does.
    fn step_to(&self, other: &Self) -> f32 {
        let pairs = self.values.as_flattened().iter().zip(other.values.as_flattened());
        pairs.map(|(own, other)| (own - other).abs()).sum()
    }
}

/// Crossings on either side of a frame that a loop may begin or end with: enough for a cycle of any recording.
const MAX_CANDIDATES: usize = 32;
/// What moving an end as far as it may go counts for, beside a step of the recording.
const DISTANCE_WEIGHT: f32 = 0.05;

impl Waveform {
    /// Returns the frame of the known [`ZeroCrossing`] nearest to another frame. None if there is none within so many
    /// frames, or all is silent there.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn rising_crossing_near(&self, frame: Frames, within: Frames) -> Option<Frames> {
        if self.is_silent(frame) {
            return None;
        }
        let frames = self.crossings_near(frame, within).iter().map(|crossing| crossing.frame);
        frames.min_by_key(|crossing| crossing.get().abs_diff(frame.get()))
    }

    /// Returns the loop whose ends are known crossings near those that are wanted, between which the recording goes on
    /// most smoothly in each channel: each end is given with how many frames it may move. None if there is none.
    ///
    /// # Real-time
    /// Never: compares some thousand pairs.
    #[must_use]
    pub fn smoothest_loop(&self, ends: [(Frames, Frames); 2]) -> Option<(Frames, Frames)> {
        let [starts, stops] = ends.map(|(frame, within)| self.crossings_near(frame, within));
        let pairs = starts.iter().flat_map(|start| stops.iter().map(move |end| (start, end)));
        let cost = |(start, end): &(&ZeroCrossing, &ZeroCrossing)| {
            let moved = [start, end].into_iter().zip(ends).map(|(crossing, (frame, within))| {
                crossing.frame.get().abs_diff(frame.get()) as f32 / within.get().max(1) as f32
            });
            end.step_to(start) + DISTANCE_WEIGHT * moved.sum::<f32>()
        };
        let loops = pairs.filter(|(start, end)| start.frame < end.frame);
        let best = loops.min_by(|one, other| cost(one).total_cmp(&cost(other)));
        best.map(|(start, end)| (start.frame, end.frame))
    }

    /// Returns the known crossings within so many frames of one, those nearest to it.
    fn crossings_near(&self, frame: Frames, within: Frames) -> &[ZeroCrossing] {
        let at = |frame: u64| self.rising_crossings.partition_point(|crossing| crossing.frame.get() < frame);
        let (first, last) =
            (frame.get().saturating_sub(within.get()), frame.get().saturating_add(within.get()));
        let middle = at(frame.get());
        let first = at(first).max(middle.saturating_sub(MAX_CANDIDATES));
        let last = at(last.saturating_add(1)).min(middle + MAX_CANDIDATES);
        self.rising_crossings.get(first..last).unwrap_or_default()
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
            Padded::I16(channels) => {
                rising_crossings(channels, track, parts, |value| f32::from(value) / 32_768.0)
            }
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
) -> Vec<ZeroCrossing> {
    let (left, right) = match channels {
        Channels::Mono(planes) => (recorded(planes, track), None),
        Channels::Stereo(left, right) => (recorded(left, track), Some(recorded(right, track))),
    };
    let values = |frame: usize| {
        let own = |plane: &[T]| plane.get(frame).map_or(0.0, |&frame| value(frame));
        [own(left), own(right.unwrap_or(left))]
    };
    // The sum has the sign of the mean.
    let at = |frame: usize| values(frame).iter().sum::<f32>();
    let first = |range: Range<usize>| {
        let mut before = range.start.checked_sub(1).map_or(0.0, at);
        let mut frames = range;
        frames.find(|frame| {
            let now = at(*frame);
            let previous = std::mem::replace(&mut before, now);
            (previous < 0.0 && now >= 0.0) || (now == 0.0 && at(*frame + 1) > 0.0)
        })
    };
    let crossing = |frame: usize| ZeroCrossing {
        frame: Frames::new(frame as u64),
        values: [frame.checked_sub(1).map_or([0.0; 2], values), values(frame)],
    };
    ranges(track.length as usize, parts).filter_map(first).map(crossing).collect()
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

    fn frames(waveform: &Waveform) -> Vec<u64> {
        waveform.rising_crossings.iter().map(|crossing| crossing.frame.get()).collect()
    }

    #[test]
    fn a_loop_ends_where_each_channel_goes_on_most_smoothly() {
        let crossing = |frame, [before, own]: [[f32; 2]; 2]| ZeroCrossing {
            frame: Frames::new(frame),
            values: [before, own],
        };
        // Their means are the same, their sides are not.
        let (start, apart) = ([[-0.2, 0.1], [0.0, 0.0]], [[0.3, -0.4], [0.5, -0.5]]);
        let waveform = Waveform {
            length: Frames::new(1000),
            rising_crossings: vec![
                crossing(100, start),
                crossing(500, start),
                crossing(520, apart),
                crossing(900, start),
            ],
            ..Waveform::default()
        };
        let found = |start, end, within| {
            let ends = [(start, within), (end, within)].map(|(frame, within)| (Frames::new(frame), within));
            waveform.smoothest_loop(ends).map(|(start, end)| (start.get(), end.get()))
        };
        assert_eq!(found(100, 522, Frames::new(50)), Some((100, 500)), "the nearest one would click");
        assert_eq!(found(110, 522, Frames::new(5)), None, "the start may not move so far");
        assert_eq!(found(98, 522, Frames::new(5)), Some((100, 520)));
        assert_eq!(found(520, 880, Frames::new(30)), Some((500, 900)));
        assert_eq!(found(900, 100, Frames::new(30)), None, "it ends after it begins");
    }

    #[test]
    fn the_first_rising_crossing_of_each_part_is_known() {
        let near = |waveform: &Waveform, frame, within| {
            waveform.rising_crossing_near(Frames::new(frame), Frames::new(within)).map(Frames::get)
        };
        let sample = mono([0, -5, 5, -5, 0, 5, -5, -5, 5, -5]);
        let bank = Bank::prepare(&of(vec![sample])).unwrap();
        let all = seen(&bank, 0, 100);
        assert_eq!(frames(&all), [2, 4, 8]);
        assert_eq!(frames(&seen(&bank, 0, 2)), [2, 8], "one of each half");
        assert_eq!([near(&all, 1, 2), near(&all, 2, 0), near(&all, 5, 9)], [Some(2), Some(2), Some(4)]);
        assert_eq!([near(&all, 7, 1), near(&all, 99, 91)], [Some(8); 2]);
        assert_eq!(near(&all, 0, 9), None, "it is silent there");
        assert_eq!([near(&all, 1, 0), near(&all, 6, 1), near(&all, 99, 90)], [None; 3]);
    }

    #[test]
    fn a_crossing_is_one_of_the_mean_of_the_channels() {
        let sample = stereo_float(vec![-0.5, 0.5, -0.5, 0.5], vec![0.0, -1.0, 0.25, -0.5]);
        let bank = Bank::prepare(&of(vec![sample])).unwrap();
        assert_eq!(frames(&seen(&bank, 0, 4)), [3]);
        assert_eq!(seen(&bank, 0, 4).rising_crossings[0].values, [[-0.5, 0.25], [0.5, -0.5]]);
        let bank = Bank::prepare(&of(vec![mono([5, 0, -5, -5])])).unwrap();
        assert_eq!(seen(&bank, 0, 4).rising_crossings, []);
        let bank = Bank::prepare(&of(vec![mono([0, 0, 5, 0, -5])])).unwrap();
        assert_eq!(frames(&seen(&bank, 0, 9)), [1], "the last of the silence");
        assert_eq!(Waveform::default().rising_crossing_near(Frames::ZERO, Frames::new(9)), None);
    }
}
