use std::collections::HashMap;
use std::collections::hash_map::Entry;

use soundbank::StatedHeader;
use tracker::ModuleSummary;
use unreal::Source;
use unreal::ue1to3::bulk::Payload;
use unreal::ue1to3::class::sound_node_wave::SpeakerChannel;

use crate::budget::WorkBudget;
use crate::codec::{self, Described};
use crate::payload_reader::PayloadReader;
use crate::{Damage, Format, Status, StoredRecording};

/// What the bytes of a payload say.
#[derive(Clone, Debug)]
pub(crate) struct PayloadInfo {
    pub(crate) recording: StoredRecording,
    pub(crate) status: Status,
    pub(crate) repairs: Vec<String>,
    /// Facts that nothing plays by.
    pub(crate) notes: Vec<String>,
}

/// Whether a tracker module can be opened, and what it says of itself then.
pub(super) type ModuleLook = (Status, Option<Box<ModuleSummary>>);

/// What the payloads of a package say, each of which is looked at once however many objects share it.
pub(super) struct Payloads<'p> {
    source: &'p dyn Source,
    work: &'p WorkBudget,
    known: HashMap<(Payload, Vec<SpeakerChannel>), PayloadInfo>,
    summaries: HashMap<Payload, ModuleLook>,
}

impl<'p> Payloads<'p> {
    pub(super) fn new(source: &'p dyn Source, work: &'p WorkBudget) -> Self {
        Self { source, work, known: HashMap::new(), summaries: HashMap::new() }
    }

    /// Describes a payload that is one file, or that holds a file for each speaker.
    pub(super) fn describe(&mut self, payload: Payload, channels: Vec<SpeakerChannel>) -> PayloadInfo {
        let (source, work) = (self.source, self.work);
        let describe = |(payload, channels): &(Payload, Vec<SpeakerChannel>)| {
            PayloadInfo::of(*payload, channels.clone(), source, work)
        };
        self.known.entry((payload, channels)).or_insert_with_key(describe).clone()
    }

    /// Returns what a tracker module says of itself, read unless it is known.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn summarize<E>(
        &mut self,
        payload: Payload,
        read: impl FnOnce() -> Result<ModuleLook, E>,
    ) -> Result<ModuleLook, E> {
        Ok(match self.summaries.entry(payload) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => place.insert(read()?).clone(),
        })
    }
}

impl PayloadInfo {
    pub(crate) fn of(
        payload: Payload,
        channels: Vec<SpeakerChannel>,
        source: &dyn Source,
        work: &WorkBudget,
    ) -> Self {
        let mut recording =
            StoredRecording { payload: Some(payload), channels, ..StoredRecording::default() };
        let described = PayloadReader::open(source, payload, work, |reader| {
            recording.format = Format::of(reader)?;
            codec::describe(reader, recording.format, &recording.channels)
        });
        Self::described(recording, described)
    }

    /// Describes a payload of which its bank says more than its bytes do, or all.
    pub(crate) fn of_stated(
        payload: Payload,
        header: &StatedHeader,
        source: &dyn Source,
        work: &WorkBudget,
    ) -> Self {
        let mut recording = StoredRecording { payload: Some(payload), ..StoredRecording::default() };
        let described = PayloadReader::open(source, payload, work, |reader| {
            recording.format = Some(codec::stated_format(reader, header)?);
            codec::describe_stated(reader, header)
        });
        Self::described(recording, described)
    }

    fn described(mut recording: StoredRecording, described: Result<Described, Damage>) -> Self {
        match described {
            Ok(described) => {
                let status = described.status();
                recording.tuning = described.tuning;
                recording.width = Some(described.width());
                recording.audio = described.audio;
                Self { recording, status, repairs: described.repairs, notes: described.notes }
            }
            Err(damage) => {
                Self { recording, status: (&damage).into(), repairs: Vec::new(), notes: Vec::new() }
            }
        }
    }
}
