use unreal::Source;
use unreal::bulk::Payload;
use unreal::class::sound_node_wave::Channel;

use crate::codec::{self, Described};
use crate::window::Window;
use crate::{Audio, Damage, Format, Sound, Status};

/// What the bytes of a payload tell.
pub(super) struct Told {
    payload: Payload,
    channels: Vec<Channel>,
    format: Option<Format>,
    audio: Option<Audio>,
    pub(super) status: Status,
    repairs: Vec<String>,
}

impl Told {
    /// Of a payload that is one file.
    pub(super) fn of(payload: Payload, source: &dyn Source) -> Self {
        Self::look(payload, source, Vec::new(), codec::describe)
    }

    /// Of a payload that holds a file for each speaker.
    pub(super) fn of_channels(payload: Payload, source: &dyn Source, channels: Vec<Channel>) -> Self {
        let parts = channels.clone();
        Self::look(payload, source, channels, |window, _| codec::describe_channels(window, &parts))
    }

    fn look(
        payload: Payload,
        source: &dyn Source,
        channels: Vec<Channel>,
        describe: impl FnOnce(&Window<'_>, Option<Format>) -> Result<Described, Damage>,
    ) -> Self {
        let mut told =
            Self { payload, channels, format: None, audio: None, status: Status::Ok, repairs: Vec::new() };
        let looked = Window::open(source, payload, |window| {
            told.format = Format::of(window)?;
            describe(window, told.format)
        });
        match looked {
            Ok(described) => {
                told.status = described.status();
                told.audio = described.audio;
                told.repairs = described.repairs;
            }
            Err(damage) => told.status = Status::Damaged(damage.to_string()),
        }
        told
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
