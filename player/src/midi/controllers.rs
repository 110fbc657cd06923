//! Which MIDI controller sets which parameter of a sound: the numbers that are always there, and those the user's knobs
//! send.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Error;
use crate::user_file::UserFile;
use song::Parameter;

/// Controllers that cannot be learned, as they belong to others or to a pedal: bank select, data entry, pedals,
/// parameter numbers, and from 120 on channel modes.
const RESERVED: [u8; 12] = [0, 6, 32, 38, 64, 66, 96, 97, 98, 99, 100, 101];

/// Parameters by controller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControllerMap {
    /// Those that the user has set.
    learned: BTreeMap<u8, Parameter>,
}

impl ControllerMap {
    /// Returns the parameter that a controller sets.
    #[must_use]
    pub fn parameter(&self, number: u8) -> Option<Parameter> {
        let standard = || Parameter::ALL.into_iter().find(|parameter| parameter.controller() == number);
        self.learned.get(&number).copied().or_else(standard)
    }

    /// Returns the parameter of a controller that the user has set: it does nothing else then.
    #[must_use]
    pub fn learned(&self, number: u8) -> Option<Parameter> {
        self.learned.get(&number).copied()
    }

    /// Returns the number of the controller that sets a parameter: the user's, or the one that always does.
    #[must_use]
    pub fn number_of(&self, parameter: Parameter) -> u8 {
        let learned = self.learned.iter().find(|(_, other)| **other == parameter);
        learned.map_or(parameter.controller(), |(number, _)| *number)
    }

    /// Lets a controller set a parameter, and no other one; returns whether it can.
    pub fn learn(&mut self, number: u8, parameter: Parameter) -> bool {
        if RESERVED.contains(&number) || number >= 120 {
            return false;
        }
        self.learned.retain(|_, other| *other != parameter);
        self.learned.insert(number, parameter);
        true
    }

    /// Lets no controller of the user's set a parameter; returns whether one did.
    pub fn forget(&mut self, parameter: Parameter) -> bool {
        let before = self.learned.len();
        self.learned.retain(|_, other| *other != parameter);
        self.learned.len() < before
    }
}

/// The file that learned controllers are kept in: `21 = "cutoff"` for each.
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
            let parameter =
                Parameter::of_key(&key).ok_or_else(|| self.0.unreadable(&format!("no parameter `{key}`")))?;
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
        let stored: BTreeMap<String, &str> =
            map.learned.iter().map(|(number, parameter)| (number.to_string(), parameter.names().1)).collect();
        self.0.write(&stored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_has_a_controller_of_its_own_that_nothing_else_listens_to() {
        use crate::midi::message::Control;
        let map = ControllerMap::default();
        for parameter in Parameter::ALL {
            let number = parameter.controller();
            assert_eq!(map.parameter(number), Some(parameter));
            assert_eq!(Control::numbered(number), Some(Control::Other(number)), "{parameter:?}");
            assert!(!RESERVED.contains(&number), "{parameter:?}");
        }
    }

    #[test]
    fn a_controller_that_is_learned_does_that_and_a_parameter_has_one() {
        let mut map = ControllerMap::default();
        assert!(map.learn(1, Parameter::Cutoff) && map.learn(2, Parameter::Cutoff));
        assert_eq!([map.learned(1), map.learned(2)], [None, Some(Parameter::Cutoff)]);
        assert!(![0, 64, 120].into_iter().any(|number| map.learn(number, Parameter::Cutoff)));
        assert!(map.forget(Parameter::Cutoff) && map == ControllerMap::default());
    }

    #[test]
    fn what_is_learned_is_kept_and_nonsense_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = ControllerFile::at(&folder.path().join("new/controllers.toml"));
        assert_eq!(file.load().unwrap(), ControllerMap::default());
        let mut map = ControllerMap::default();
        map.learn(21, Parameter::Cutoff);
        map.learn(7, Parameter::LfoPitch);
        file.save(&map).unwrap();
        assert_eq!(file.load().unwrap(), map);
        for text in ["21 = \"cutof\"", "64 = \"cutoff\"", "x = \"cutoff\"", "21 = 3", "["] {
            std::fs::write(&file.0.path, text).unwrap();
            assert!(file.load().is_err(), "{text}");
        }
    }
}
