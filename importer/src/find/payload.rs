use unreal::Source;
use unreal::bulk::Payload;
use unreal::class::sound_node_wave::SpeakerChannel;

use crate::codec::{self, Described};
use crate::payload_reader::PayloadReader;
use crate::{Damage, Format, Status, StoredRecording};

/// What the bytes of a payload say.
pub(super) struct PayloadInfo {
    pub(super) recording: StoredRecording,
    pub(super) status: Status,
    pub(super) repairs: Vec<String>,
}

impl PayloadInfo {
    /// Describes a payload that is one file.
    pub(super) fn of(payload: Payload, source: &dyn Source) -> Self {
        Self::read(payload, source, Vec::new(), codec::describe)
    }

    /// Describes a payload that holds a file for each speaker.
    pub(super) fn of_channels(payload: Payload, source: &dyn Source, channels: Vec<SpeakerChannel>) -> Self {
        let parts = channels.clone();
        Self::read(payload, source, channels, |reader, _| codec::describe_channels(reader, &parts))
    }

    fn read(
        payload: Payload,
        source: &dyn Source,
        channels: Vec<SpeakerChannel>,
        describe: impl FnOnce(&PayloadReader<'_>, Option<Format>) -> Result<Described, Damage>,
    ) -> Self {
        let mut recording =
            StoredRecording { payload: Some(payload), channels, ..StoredRecording::default() };
        let described = PayloadReader::open(source, payload, |reader| {
            recording.format = Format::of(reader)?;
            describe(reader, recording.format)
        });
        match described {
            Ok(described) => {
                let status = described.status();
                recording.audio = described.audio;
                Self { recording, status, repairs: described.repairs }
            }
            Err(damage) => Self { recording, status: Status::Damaged((&damage).into()), repairs: Vec::new() },
        }
    }
}
