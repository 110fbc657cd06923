//! The room as the user left it.

use std::collections::BTreeMap;
use std::path::Path;

use song::Scale;
use toml::Value;

use super::{Room, RoomParameter};
use crate::Error;
use crate::user_file::UserFile;

/// The file that the room is kept in: each parameter that was turned, by its key.
#[derive(Clone, Debug)]
pub struct RoomFile(UserFile);

const SUBJECT: &str = "the room";

impl RoomFile {
    /// Returns the user's; none where the user has no home.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        UserFile::named("room.toml", SUBJECT).map(Self)
    }

    /// Returns the room as the user left it, and where it is kept.
    ///
    /// # Errors
    /// As [`load`](Self::load): then there is no file to keep another in.
    pub fn kept() -> Result<(Room, Option<Self>), Error> {
        let file = Self::of_user();
        Ok((file.as_ref().map_or(Ok(Room::default()), Self::load)?, file))
    }

    /// Returns one at a path.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self(UserFile { path: path.to_owned(), subject: SUBJECT })
    }

    /// Reads the room; the default if there is no file.
    ///
    /// # Errors
    /// [`ErrorKind::Options`](crate::ErrorKind::Options) for a file that makes no sense; it is left alone.
    pub fn load(&self) -> Result<Room, Error> {
        let stored: BTreeMap<String, Value> = self.0.read()?.unwrap_or_default();
        let mut room = Room::default();
        for (key, value) in stored {
            let parameter = RoomParameter::of_key(&key);
            let parameter = parameter.ok_or_else(|| self.0.unreadable(&format!("no parameter `{key}`")))?;
            let value = match (parameter.scale(), &value) {
                (Scale::Choice(names), Value::String(name)) => {
                    names.iter().position(|own| own == name).map(|index| index as f64)
                }
                (Scale::Choice(_), _) => None,
                (_, Value::Integer(number)) => Some(*number as f64),
                (_, Value::Float(number)) => Some(*number),
                _ => None,
            };
            parameter
                .set(&mut room, value.ok_or_else(|| self.0.unreadable(&format!("{key} has no such value")))?);
        }
        Ok(room)
    }

    /// Writes the room.
    ///
    /// # Errors
    /// [`ErrorKind::Output`](crate::ErrorKind::Output) if it cannot be written.
    pub fn save(&self, room: &Room) -> Result<(), Error> {
        let turned = |parameter: &RoomParameter| parameter.get(room) != parameter.get(&Room::default());
        let value = |parameter: RoomParameter| {
            let value = parameter.get(room);
            match parameter.scale() {
                Scale::Choice(_) => Value::String(parameter.named(value).to_owned()),
                // Most are kept in single precision.
                _ => Value::Float((value * 1e6).round() / 1e6),
            }
        };
        let stored: BTreeMap<&str, Value> = RoomParameter::ALL
            .into_iter()
            .filter(turned)
            .map(|parameter| (parameter.names().1, value(parameter)))
            .collect();
        self.0.write(&stored)
    }
}
