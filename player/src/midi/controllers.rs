//! Which MIDI controller sets which parameter of a sound or of the room: the numbers that are always there, and those
//! the user's knobs send.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Error;
use crate::room::RoomParameter;
use crate::user_file::UserFile;
use song::Parameter;

/// Controllers that cannot be learned, as they belong to others or to a pedal: bank select, data entry, pedals,
/// parameter numbers, and from 120 on channel modes.
const RESERVED: [u8; 12] = [0, 6, 32, 38, 64, 66, 96, 97, 98, 99, 100, 101];

/// What a key of the file begins with if its parameter is one of the room: some have names that those of sounds have
/// too.
const ROOM: &str = "room_";

/// A parameter that a controller can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ControlledParameter {
    /// Of the sound that the controller's channel plays.
    Sound(Parameter),
    /// Of the room that all sounds are played in.
    Room(RoomParameter),
}

impl ControlledParameter {
    /// Returns its key in the file.
    #[must_use]
    pub fn key(self) -> String {
        match self {
            Self::Sound(parameter) => parameter.names().1.to_owned(),
            Self::Room(parameter) => format!("{ROOM}{}", parameter.names().1),
        }
    }

    /// Returns the parameter of a key.
    fn of_key(key: &str) -> Option<Self> {
        match key.strip_prefix(ROOM) {
            Some(key) => RoomParameter::of_key(key).map(Self::Room),
            None => Parameter::of_key(key).map(Self::Sound),
        }
    }

    /// Returns the number of the controller that always sets it, if one does.
    #[must_use]
    pub const fn standard_controller(self) -> Option<u8> {
        match self {
            Self::Sound(parameter) => Some(parameter.controller()),
            Self::Room(_) => None,
        }
    }

    /// Returns its value where a controller is at 0..=127.
    #[must_use]
    pub fn at(self, value: u8) -> f64 {
        let scale = match self {
            Self::Sound(parameter) => parameter.scale(),
            Self::Room(parameter) => parameter.scale(),
        };
        scale.at(f64::from(value) / 127.0)
    }
}

/// Parameters by controller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControllerMap {
    /// Those that the user has set.
    learned: BTreeMap<u8, ControlledParameter>,
}

impl ControllerMap {
    /// Returns the parameter of a sound that a controller sets unless the user has set another: that of the standard.
    #[must_use]
    pub fn standard(number: u8) -> Option<Parameter> {
        Parameter::ALL.into_iter().find(|parameter| parameter.controller() == number)
    }

    /// Returns the parameter of a controller that the user has set: it does nothing else then.
    #[must_use]
    pub fn learned(&self, number: u8) -> Option<ControlledParameter> {
        self.learned.get(&number).copied()
    }

    /// Returns the number of the controller that sets a parameter: the user's, or the one that always does.
    #[must_use]
    pub fn number_of(&self, parameter: ControlledParameter) -> Option<u8> {
        let learned = self.learned.iter().find(|(_, other)| **other == parameter);
        learned.map(|(number, _)| *number).or_else(|| parameter.standard_controller())
    }

    /// Lets a controller set a parameter, and no other one; returns whether it can.
    pub fn learn(&mut self, number: u8, parameter: ControlledParameter) -> bool {
        if RESERVED.contains(&number) || number >= 120 {
            return false;
        }
        self.learned.retain(|_, other| *other != parameter);
        self.learned.insert(number, parameter);
        true
    }

    /// Lets no controller of the user's set a parameter; returns whether one did.
    pub fn forget(&mut self, parameter: ControlledParameter) -> bool {
        let before = self.learned.len();
        self.learned.retain(|_, other| *other != parameter);
        self.learned.len() < before
    }
}

/// The file that learned controllers are kept in: `21 = "cutoff"` or `22 = "room_decay"` for each.
#[derive(Clone, Debug)]
pub struct ControllerFile(UserFile);

const SUBJECT: &str = "MIDI controllers";

impl ControllerFile {
    /// Returns the user's; none where the user has no home.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        UserFile::named("controllers.toml", SUBJECT).map(Self)
    }

    /// Returns one at a path.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self(UserFile { path: path.to_owned(), subject: SUBJECT })
    }

    /// Reads the controllers; none if there is no file.
    ///
    /// # Errors
    /// [`ErrorKind::Options`](crate::ErrorKind::Options) for a file that makes no sense; it is left alone.
    pub fn load(&self) -> Result<ControllerMap, Error> {
        let stored: BTreeMap<String, String> = self.0.read()?.unwrap_or_default();
        let mut map = ControllerMap::default();
        for (number, key) in stored {
            let parameter = ControlledParameter::of_key(&key);
            let parameter = parameter.ok_or_else(|| self.0.unreadable(&format!("no parameter `{key}`")))?;
            let is_learned = number.parse().is_ok_and(|number| map.learn(number, parameter));
            if !is_learned {
                return Err(self.0.unreadable(&format!("controller {number} cannot be used")));
            }
        }
        Ok(map)
    }

    /// Writes the controllers.
    ///
    /// # Errors
    /// [`ErrorKind::Output`](crate::ErrorKind::Output) if they cannot be written.
    pub fn save(&self, map: &ControllerMap) -> Result<(), Error> {
        let stored = map.learned.iter().map(|(number, parameter)| (number.to_string(), parameter.key()));
        self.0.write(&stored.collect::<BTreeMap<String, String>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUTOFF: ControlledParameter = ControlledParameter::Sound(Parameter::Cutoff);
    const ROOM_DECAY: ControlledParameter = ControlledParameter::Room(RoomParameter::Decay);

    #[test]
    fn each_parameter_has_a_controller_of_its_own_that_nothing_else_listens_to() {
        use crate::midi::message::Control;
        for parameter in Parameter::ALL {
            let number = parameter.controller();
            assert_eq!(ControllerMap::standard(number), Some(parameter));
            assert_eq!(Control::numbered(number), Some(Control::Other(number)), "{parameter:?}");
            assert!(!RESERVED.contains(&number), "{parameter:?}");
        }
    }

    #[test]
    fn a_controller_that_is_learned_does_that_and_a_parameter_has_one() {
        for parameter in [CUTOFF, ROOM_DECAY] {
            let mut map = ControllerMap::default();
            assert!(map.learn(1, parameter) && map.learn(2, parameter));
            assert_eq!([map.learned(1), map.learned(2)], [None, Some(parameter)]);
            assert!(![0, 64, 120].into_iter().any(|number| map.learn(number, parameter)));
            assert_eq!(map.number_of(parameter), Some(2));
            assert!(map.forget(parameter) && map == ControllerMap::default());
        }
        let map = ControllerMap::default();
        assert_eq!([CUTOFF, ROOM_DECAY].map(|parameter| map.number_of(parameter)), [Some(21), None]);
    }

    #[test]
    fn what_is_learned_is_kept_and_nonsense_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = ControllerFile::at(&folder.path().join("new/controllers.toml"));
        assert_eq!(file.load().unwrap(), ControllerMap::default());
        let mut map = ControllerMap::default();
        map.learn(21, CUTOFF);
        map.learn(7, ControlledParameter::Sound(Parameter::Decay));
        for (number, parameter) in (40..).zip(RoomParameter::ALL) {
            map.learn(number, ControlledParameter::Room(parameter));
        }
        file.save(&map).unwrap();
        assert_eq!(file.load().unwrap(), map);
        for text in [
            "21 = \"cutof\"",
            "21 = \"room_cutoff\"",
            "21 = \"room_\"",
            "64 = \"cutoff\"",
            "x = \"cutoff\"",
            "21 = 3",
            "[",
        ] {
            std::fs::write(&file.0.path, text).unwrap();
            assert!(file.load().is_err(), "{text}");
        }
    }
}
