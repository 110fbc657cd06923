//! A file for each speaker, one after another in one payload; mixed down to two channels.

use dasp_sample::Sample as _;
use song::{Planes, Recording, Width};
use unreal::ue1to3::class::sound_node_wave::SpeakerChannel;

use super::mix::Matrix;
use super::{CodecParams, Described};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Damage, Error, Format};
use crate::{ChannelLimit, UnsupportedReason};

/// The files and how they become two channels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpeakerParams {
    parts: Vec<SpeakerPart>,
    /// The bits of the speakers that there are.
    mask: u32,
    /// Frames of the longest; none if that of one is not known.
    pub(super) frames: Option<u64>,
    pub(super) width: Width,
}

#[derive(Clone, Debug, PartialEq)]
struct SpeakerPart {
    at: u64,
    length: u64,
    coding: CodecParams,
}

/// Name and bit of each speaker, in the order of the engine. Their bits grow, as the matrix expects.
const SPEAKERS: [(&str, u32); 8] = [
    ("front left", 0x001),
    ("front right", 0x002),
    ("centre", 0x004),
    ("low frequencies", 0x008),
    ("side left", 0x010),
    ("side right", 0x020),
    ("back left", 0x200),
    ("back right", 0x400),
];

/// Describes a payload by the files in it.
///
/// # Errors
/// If a file lies outside of the payload, or they overlap, contradict themselves, or differ in rate.
pub(crate) fn describe(reader: &PayloadReader<'_>, channels: &[SpeakerChannel]) -> Result<Described, Damage> {
    let there: Vec<(usize, SpeakerChannel)> =
        channels.iter().copied().enumerate().filter(|(_, channel)| channel.size > 0).collect();
    check_places(reader, &there)?;
    let mut found = SpeakerScan::default();
    for (number, channel) in there {
        if let Err(reason) = found.add(reader, number, channel)? {
            let described = Described::unknown(reason);
            return Ok(Described { audio: found.audio, ..described });
        }
    }
    Ok(found.finish())
}

/// What was found up to a speaker.
#[derive(Default)]
struct SpeakerScan {
    audio: Option<Audio>,
    tuning: Option<super::RootTuning>,
    width: Option<Width>,
    parts: Vec<SpeakerPart>,
    mask: u32,
    /// The longest and the shortest, if all are known.
    frames: Option<(u64, u64)>,
    is_open: bool,
    repairs: Vec<String>,
}

impl SpeakerScan {
    /// Adds the file of a speaker. The inner error says why it is not decoded.
    fn add(
        &mut self,
        reader: &PayloadReader<'_>,
        number: usize,
        channel: SpeakerChannel,
    ) -> Result<Result<(), UnsupportedReason>, Damage> {
        let Some((name, bit)) = SPEAKERS.get(number) else {
            let (number, known) = (number.saturating_add(1), SPEAKERS.len());
            return Ok(Err(UnsupportedReason::Speakers { number, known }));
        };
        let refused = |reason| UnsupportedReason::Speaker { speaker: name, reason: Box::new(reason) };
        let part = reader.part(channel.offset, channel.size).ok_or_else(|| outside(reader, channel, name))?;
        let inside = |damage: Damage| match damage {
            Damage::Malformed { at, what } => {
                malformed(channel.offset.saturating_add(at), format!("the recording for {name}: {what}"))
            }
            other => other,
        };
        let format = Format::of(&part)?;
        let described = super::describe_one(&part, format).map_err(inside)?;
        let coding = match described.coding {
            Ok(coding) => coding,
            Err(reason) => return Ok(Err(refused(reason))),
        };
        let Some(audio) = described.audio else {
            return Ok(Err(refused(UnsupportedReason::NoAudio)));
        };
        if audio.channels != 1 {
            let limit = ChannelLimit::OfOneSpeaker(audio.channels);
            return Ok(Err(refused(UnsupportedReason::Channels(limit))));
        }
        if let Some(first) = self.audio.as_ref().filter(|first| first.rate != audio.rate) {
            let (first, other) = (first.rate, audio.rate);
            return Err(malformed(
                channel.offset,
                format!("the recording for {name} is of {other} Hz, others of {first}"),
            ));
        }
        match (audio.frames, self.frames) {
            (Some(frames), None) => self.frames = Some((frames, frames)),
            (Some(frames), Some((longest, shortest))) => {
                self.frames = Some((longest.max(frames), shortest.min(frames)));
            }
            (None, _) => self.is_open = true,
        }
        self.repairs.extend(described.repairs.into_iter().map(|repair| format!("{name}: {repair}")));
        if self.parts.is_empty() {
            (self.tuning, self.width) = (described.tuning, Some(coding.width()));
        }
        self.audio.get_or_insert(audio);
        self.mask |= bit;
        self.parts.push(SpeakerPart { at: channel.offset, length: channel.size, coding });
        Ok(Ok(()))
    }

    fn finish(mut self) -> Described {
        let frames = self.frames.map(|(longest, _)| longest).filter(|_| !self.is_open);
        let channels = u16::try_from(self.parts.len()).unwrap_or(u16::MAX);
        if let Some(audio) = &mut self.audio {
            (audio.channels, audio.frames) = (channels, frames);
        }
        if let Some((longest, shortest)) = self.frames
            && shortest < longest
        {
            let text = format!(
                "the recordings of its speakers have {shortest} to {longest} frames; the shorter end in silence"
            );
            self.repairs.push(text);
        }
        self.repairs.push(format!("{channels} channels are mixed down to two"));
        let width = self.width.unwrap_or(Width::Sixteen);
        let params = SpeakerParams { parts: self.parts, mask: self.mask, frames, width };
        Described {
            audio: self.audio,
            coding: Ok(CodecParams::Speakers(params)),
            tuning: self.tuning,
            repairs: self.repairs,
            notes: Vec::new(),
        }
    }
}

fn outside(reader: &PayloadReader<'_>, channel: SpeakerChannel, name: &str) -> Damage {
    let (size, length) = (channel.size, reader.length());
    malformed(
        channel.offset,
        format!("the recording for {name} claims {size} bytes, the payload has {length}"),
    )
}

/// Checks that no two files overlap: one that is meant for two speakers is stored twice.
fn check_places(reader: &PayloadReader<'_>, there: &[(usize, SpeakerChannel)]) -> Result<(), Damage> {
    let mut places: Vec<SpeakerChannel> = there.iter().map(|(_, channel)| *channel).collect();
    places.sort_unstable_by_key(|channel| channel.offset);
    for pair in places.windows(2) {
        if let [before, after] = pair
            && before.offset.saturating_add(before.size) > after.offset
            && after.offset < reader.length()
        {
            return Err(malformed(after.offset, "the recordings of two speakers overlap"));
        }
    }
    Ok(())
}

impl SpeakerParams {
    /// Decodes one file after another and adds each to both channels, so that no more than one of them is held.
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let matrix = Matrix::of(u16::try_from(self.parts.len()).unwrap_or(u16::MAX), self.mask);
        let mut mixed = [Vec::new(), Vec::new()];
        for (number, part) in self.parts.iter().enumerate() {
            if part.coding.frames() == Some(0) {
                continue;
            }
            let gone = || malformed(part.at, "a recording that was there is gone");
            let reader = reader.part(part.at, part.length).ok_or_else(gone)?;
            let before = budget.left();
            let recording = part.coding.decode(&reader, budget)?;
            let spent = before.saturating_sub(budget.left());
            make_room(&mut mixed, recording.length(), budget)?;
            let gains = matrix.gains(number).unwrap_or_default();
            match &recording {
                Recording::I16(planes) => add(&mut mixed, planes, gains, i16::to_sample),
                Recording::F32(planes) => add(&mut mixed, planes, gains, |value| value),
            }
            drop(recording);
            budget.give_back(spent);
        }
        let planes = Planes::new(mixed.into()).map_err(|invalid| malformed(0, invalid.to_string()))?;
        Ok(Recording::F32(planes))
    }
}

/// Lengthens both channels with silence to at least so many frames, which are paid for first.
fn make_room(
    mixed: &mut [Vec<f32>; 2],
    frames: song::Frames,
    budget: &mut DecodeBudget,
) -> Result<(), Error> {
    let frames = usize::try_from(frames.get()).unwrap_or(usize::MAX);
    for channel in mixed {
        let more = frames.saturating_sub(channel.len());
        let bytes = more.saturating_mul(size_of::<f32>());
        budget.take(u64::try_from(bytes).unwrap_or(u64::MAX))?;
        channel.reserve_exact(more);
        channel.resize(channel.len().saturating_add(more), 0.0);
    }
    Ok(())
}

fn add<T: Copy>(mixed: &mut [Vec<f32>; 2], planes: &Planes<T>, gains: [f32; 2], value: impl Fn(T) -> f32) {
    for (channel, gain) in mixed.iter_mut().zip(gains) {
        for (sum, added) in channel.iter_mut().zip(planes.iter().next().unwrap_or_default()) {
            *sum += value(*added) * gain;
        }
    }
}
