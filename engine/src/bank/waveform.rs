use song::{Frames, Instrument, InstrumentIndex, LoopMode, SampleIndex, Zone};

use super::{Bank, ChannelPlanes, Channels, GUARD, Padded, PreparedSample};

/// What a recording looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Waveform {
    /// How long the recording is.
    pub length: Frames,
    /// Its loop: the first frame, and the first after it.
    pub looping: Option<(Frames, Frames, LoopMode)>,
    /// The lowest and highest value in each of some equal parts, for each channel; 1.0 is full scale.
    pub channels: Vec<Vec<[f32; 2]>>,
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
        let track = self.track(self.track_of(instrument, zone)?)?;
        let channels = match &track.planes {
            Padded::I16(channels) => extremes(channels, track, parts, |value| f32::from(value) / 32_768.0),
            Padded::F32(channels) => extremes(channels, track, parts, |value| value),
        };
        let looping = track
            .loop_region
            .map(|region| (Frames::new(region.start.into()), Frames::new(region.end.into()), region.mode));
        Some(Waveform { length: Frames::new(track.length.into()), looping, channels })
    }
}

fn extremes<T: Copy>(
    channels: &Channels<T>,
    track: &PreparedSample,
    parts: usize,
    value: impl Fn(T) -> f32,
) -> Vec<Vec<[f32; 2]>> {
    let length = track.length as usize;
    let parts = parts.clamp(1, length.max(1));
    let of = |planes: &ChannelPlanes<T>| {
        let recording = planes.main.get(GUARD..(GUARD + length).min(planes.main.len())).unwrap_or_default();
        let part = |number: usize| {
            let range = number * length / parts..(number + 1) * length / parts;
            let values = recording.get(range).unwrap_or_default().iter().map(|&frame| value(frame));
            values.fold([f32::MAX, f32::MIN], |[low, high], value| [low.min(value), high.max(value)])
        };
        (0..parts).map(part).collect()
    };
    match channels {
        Channels::Mono(planes) => vec![of(planes)],
        Channels::Stereo(left, right) => vec![of(left), of(right)],
    }
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
        assert_eq!(seen(&bank.with_loop(InstrumentIndex::new(0), LoopOverride::Off), 0, 1).looping, None);
    }
}
