use std::fmt;

/// Which program wrote a module: decided once, by the reader of its format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ModuleWriter {
    /// In words, with its version: what the file says, or what its numbers stand for.
    pub name: String,
    /// The program, if modules of it play by rules of their own.
    pub program: Program,
    /// Its version; 0 where the file has none.
    pub version: Version,
}

/// Programs whose modules play otherwise than those of others in the same format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Program {
    /// Any other.
    #[default]
    Other,
    /// `NoiseTracker` (MOD).
    NoiseTracker,
    /// Scream Tracker 3 (S3M).
    ScreamTracker3,
    /// Imago Orpheus (S3M).
    ImagoOrpheus,
    /// `FastTracker` 2 (XM).
    FastTracker2,
    /// The clone of `FastTracker` 2 (XM).
    FastTracker2Clone,
    /// `ModPlug` Tracker, from which `OpenMPT` came (XM, IT, S3M).
    ModPlugTracker,
    /// `OpenMPT` (XM, IT, S3M).
    OpenMpt,
    /// `OpenMPT`, where it writes for other programs (IT).
    OpenMptExport,
    /// Impulse Tracker (IT).
    ImpulseTracker,
    /// Schism Tracker (IT).
    SchismTracker,
}

/// A version of up to four numbers, the major one first: 2.14 is `[2, 0x14, 0, 0]`.
///
/// Each pair of digits is a number in hexadecimal, as trackers store and count them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version([u8; 4]);

impl Version {
    /// Creates a version of its numbers.
    #[must_use]
    pub const fn new(numbers: [u8; 4]) -> Self {
        Self(numbers)
    }

    /// Creates a version of twelve bits, as an IT and an S3M store it below the program: 0x214 is 2.14.
    #[must_use]
    pub const fn of_12_bits(stored: u16) -> Self {
        let [major, minor] = (stored & 0x0FFF).to_be_bytes();
        Self([major, minor, 0, 0])
    }

    /// Returns the version that is written in pairs of digits with dots between them, such as `1.20.03.02`; what is not
    /// written is 0.
    #[must_use]
    pub fn parse(written: &str) -> Option<Self> {
        let mut numbers = [0; 4];
        for (number, digits) in numbers.iter_mut().zip(written.split('.')) {
            *number = u8::from_str_radix(digits, 16).ok()?;
        }
        Some(Self(numbers))
    }
}

/// As it is written, without numbers at the end that are 0: `2.14`, `1.20.03.02`.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, rest @ ..] = self.0;
        write!(f, "{major:x}.{minor:02x}")?;
        if rest != [0; 2] {
            let [patch, build] = rest;
            write!(f, ".{patch:02x}.{build:02x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_their_first_numbers() {
        let versions =
            ["1.17", "1.20.03.02", "1.22.07.19", "1.27.00.49"].map(|text| Version::parse(text).unwrap());
        assert!(versions.is_sorted());
        assert_eq!(versions[..2], [[1, 0x17, 0, 0], [1, 0x20, 3, 2]].map(Version::new));
        assert_eq!(Version::of_12_bits(0x1214), Version::new([2, 0x14, 0, 0]));
        assert_eq!(versions.map(|version| version.to_string())[..2], ["1.17", "1.20.03.02"]);
        assert_eq!(["", "x", "1.x"].map(Version::parse), [None; 3]);
    }
}
