//! Versions of `OpenMPT`, which played modules by other rules from one to the next.

use song::module::Tracker;

/// A version as `OpenMPT` writes it: four pairs of digits, read as hexadecimal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OpenMptVersion([u8; 4]);

impl OpenMptVersion {
    /// Returns the version 1.`minor`.`patch`.`build`.
    pub(super) const fn new(minor: u8, patch: u8, build: u8) -> Self {
        Self([1, minor, patch, build])
    }

    /// Returns the version that wrote a module, if `OpenMPT` did; what it does not say of it is 0.
    pub(super) fn of(tracker: &Tracker) -> Option<Self> {
        let version = tracker.name.trim().strip_prefix("OpenMPT ")?;
        let mut pairs = [0; 4];
        for (pair, digits) in pairs.iter_mut().zip(version.split('.')) {
            *pair = u8::from_str_radix(digits, 16).ok()?;
        }
        Some(Self(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(name: &str) -> Option<OpenMptVersion> {
        OpenMptVersion::of(&Tracker { name: name.to_owned(), ..Tracker::default() })
    }

    #[test]
    fn versions_are_read_by_name() {
        assert_eq!(version("OpenMPT 1.20.03.02"), Some(OpenMptVersion::new(0x20, 0x03, 0x02)));
        assert_eq!(version("OpenMPT 1.17"), Some(OpenMptVersion::new(0x17, 0, 0)));
        assert!(version("OpenMPT 1.27.00.49") > version("OpenMPT 1.22.07.19"));
        assert_eq!(version("OpenMPT x"), None);
        assert_eq!(version("FastTracker v2.00"), None);
    }
}
