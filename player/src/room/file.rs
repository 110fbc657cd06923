//! The room as the user left it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use exporter::{OutputFile, Overwrite};
use importer::read_regular_text;
use song::Scale;
use toml::Value;

use super::{Room, RoomParameter};
use crate::adjustments::is_absence;
use crate::{Error, ErrorKind};

/// Bytes of the file.
const MAX_BYTES: u64 = 1 << 16;

/// The file that the room is kept in: each parameter that was turned, by its key.
#[derive(Clone, Debug)]
pub struct RoomFile(PathBuf);

impl RoomFile {
    /// Returns the user's; none where the user has no home.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        let folders = ProjectDirs::from("", "", "usampler")?;
        Some(Self(folders.data_dir().join("room.toml")))
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
        Self(path.to_owned())
    }

    /// Reads the room; the default if there is no file.
    ///
    /// # Errors
    /// [`ErrorKind::Options`] for a file that makes no sense; it is left alone.
    pub fn load(&self) -> Result<Room, Error> {
        let failed = |error: &dyn std::fmt::Display| {
            let path = self.0.display();
            Error::new(ErrorKind::Options, format!("the room cannot be read: {path}: {error}"))
        };
        let text = match read_regular_text(&self.0, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if is_absence(&error) => return Ok(Room::default()),
            Err(error) => return Err(failed(&error)),
        };
        let stored: BTreeMap<String, Value> =
            toml::from_str(&text).map_err(|error| failed(&error.message()))?;
        let mut room = Room::default();
        for (key, value) in stored {
            let parameter = RoomParameter::ALL.into_iter().find(|parameter| parameter.names().1 == key);
            let parameter = parameter.ok_or_else(|| failed(&format!("no parameter `{key}`")))?;
            let value = match (parameter.scale(), &value) {
                (Scale::Choice(names), Value::String(name)) => {
                    names.iter().position(|own| own == name).map(|index| index as f64)
                }
                (Scale::Choice(_), _) => None,
                (_, Value::Integer(number)) => Some(*number as f64),
                (_, Value::Float(number)) => Some(*number),
                _ => None,
            };
            parameter.set(&mut room, value.ok_or_else(|| failed(&format!("{key} has no such value")))?);
        }
        Ok(room)
    }

    /// Writes the room.
    ///
    /// # Errors
    /// [`ErrorKind::Output`] if it cannot be written.
    pub fn save(&self, room: &Room) -> Result<(), Error> {
        let failed = |error: &dyn std::fmt::Display| {
            let path = self.0.display();
            Error::new(ErrorKind::Output, format!("the room cannot be written: {path}: {error}"))
        };
        if let Some(folder) = self.0.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        }
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
        let text = toml::to_string(&stored).map_err(|error| failed(&error))?;
        let mut output = OutputFile::create(&self.0, &Overwrite::forced(true))?;
        io::Write::write_all(&mut output, text.as_bytes()).map_err(|error| failed(&error))?;
        Ok(output.publish(&mut io::sink())?)
    }
}
