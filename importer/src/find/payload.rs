use unreal::Source;
use unreal::bulk::Payload;
use unreal::class::sound_node_wave::SpeakerChannel;

use crate::codec::{self, Described};
use crate::payload_reader::PayloadReader;
use crate::{Audio, Damage, Format, Sound, Status};

/// What the bytes of a payload tell.
pub(super) struct PayloadInfo {
    payload: Payload,
    channels: Vec<SpeakerChannel>,
    format: Option<Format>,
    audio: Option<Audio>,
    pub(super) status: Status,
    repairs: Vec<String>,
}

impl PayloadInfo {
    /// Of a payload that is one file.
    pub(super) fn of(payload: Payload, source: &dyn Source) -> Self {
        Self::look(payload, source, Vec::new(), codec::describe)
    }

    /// Of a payload that holds a file for each speaker.
    pub(super) fn of_channels(payload: Payload, source: &dyn Source, channels: Vec<SpeakerChannel>) -> Self {
        let trees = channels.clone();
        Self::look(payload, source, channels, |reader, _| codec::describe_channels(reader, &trees))
    }

    fn look(
        payload: Payload,
        source: &dyn Source,
        channels: Vec<SpeakerChannel>,
        describe: impl FnOnce(&PayloadReader<'_>, Option<Format>) -> Result<Described, Damage>,
    ) -> Self {
        let mut info =
            Self { payload, channels, format: None, audio: None, status: Status::Ok, repairs: Vec::new() };
        let looked = PayloadReader::open(source, payload, |reader| {
            info.format = Format::of(reader)?;
            describe(reader, info.format)
        });
        match looked {
            Ok(described) => {
                info.status = described.status();
                info.audio = described.audio;
                info.repairs = described.repairs;
            }
            Err(damage) => info.status = Status::Damaged(damage.to_string()),
        }
        info
    }

    pub(super) fn put_into(self, sound: &mut Sound) {
        sound.payload = Some(self.payload);
        sound.channels = self.channels;
        sound.format = self.format;
        sound.audio = self.audio;
        sound.status = self.status;
        sound.repairs = self.repairs;
    }
}
