use std::collections::HashMap;

use unreal::Source;
use unreal::bulk::Payload;
use unreal::class::sound_node_wave::SpeakerChannel;

use crate::codec;
use crate::payload_reader::{PayloadBudget, PayloadReader};
use crate::{Format, Status, StoredRecording};

/// What the bytes of a payload say.
#[derive(Clone, Debug)]
pub(super) struct PayloadInfo {
    pub(super) recording: StoredRecording,
    pub(super) status: Status,
    pub(super) repairs: Vec<String>,
}

/// What the payloads of a package say, each of which is looked at once however many objects share it.
pub(super) struct Payloads<'p> {
    source: &'p dyn Source,
    budget: &'p PayloadBudget,
    known: HashMap<(Payload, Vec<SpeakerChannel>), PayloadInfo>,
}

impl<'p> Payloads<'p> {
    pub(super) fn new(source: &'p dyn Source, budget: &'p PayloadBudget) -> Self {
        Self { source, budget, known: HashMap::new() }
    }

    /// Describes a payload that is one file, or that holds a file for each speaker.
    pub(super) fn describe(&mut self, payload: Payload, channels: Vec<SpeakerChannel>) -> PayloadInfo {
        let (source, budget) = (self.source, self.budget);
        let describe = |(payload, channels): &(Payload, Vec<SpeakerChannel>)| {
            PayloadInfo::of(*payload, channels.clone(), source, budget)
        };
        self.known.entry((payload, channels)).or_insert_with_key(describe).clone()
    }
}

impl PayloadInfo {
    fn of(
        payload: Payload,
        channels: Vec<SpeakerChannel>,
        source: &dyn Source,
        budget: &PayloadBudget,
    ) -> Self {
        let mut recording =
            StoredRecording { payload: Some(payload), channels, ..StoredRecording::default() };
        let described = PayloadReader::open(source, payload, budget, |reader| {
            recording.format = Format::of(reader)?;
            codec::describe(reader, recording.format, &recording.channels)
        });
        match described {
            Ok(described) => {
                let status = described.status();
                recording.audio = described.audio;
                Self { recording, status, repairs: described.repairs }
            }
            Err(damage) => Self { recording, status: (&damage).into(), repairs: Vec::new() },
        }
    }
}
