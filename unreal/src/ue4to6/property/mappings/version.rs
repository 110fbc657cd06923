//! Versions of mappings, and the only comparisons of them.
//!
//! Source: *packages-ue4-ue6*, §9; the names are those of `EUsmapVersion`.

use std::fmt;

/// The version that mappings state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MappingsVersion(u8);

/// The first version in which something is different.
pub(crate) mod rules {
    use super::MappingsVersion;
    use crate::base::threshold::thresholds;

    thresholds! {
        pub(crate) MappingsVersion = MappingsVersion;
        /// The head may state versions of the engine.
        ///
        /// Epic: `PackageVersioning`.
        ENGINE_VERSIONS = 1;
        /// The length of a name has two bytes.
        ///
        /// Epic: `LongFName`.
        LONG_NAMES = 2;
        /// The number of values of an enumeration has two bytes.
        ///
        /// Epic: `LargeEnums`.
        LARGE_ENUMS = 3;
        /// Each value of an enumeration states its number; no later version is known.
        ///
        /// Epic: `ExplicitEnumValues`.
        ENUM_NUMBERS = 4;
    }

    /// The last one that is known.
    pub(super) const LAST: MappingsVersion = ENUM_NUMBERS;
}

/// What depends on the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MappingsLayout {
    /// The head may state versions of the engine.
    pub(super) engine: bool,
    /// Names have a length of two bytes.
    pub(super) long_names: bool,
    /// The number of values of an enumeration has two bytes.
    pub(super) large_enums: bool,
    /// Each value of an enumeration has a number.
    pub(super) enum_numbers: bool,
}

impl MappingsVersion {
    const fn reaches(self, other: Self) -> bool {
        self.0 >= other.0
    }
}

impl fmt::Display for MappingsVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl MappingsLayout {
    /// Returns the layout of a version; none if it is not known.
    pub(super) const fn of(number: u8) -> Option<Self> {
        let version = MappingsVersion(number);
        if number > rules::LAST.0 {
            return None;
        }
        Some(Self {
            engine: version.reaches(rules::ENGINE_VERSIONS),
            long_names: version.reaches(rules::LONG_NAMES),
            large_enums: version.reaches(rules::LARGE_ENUMS),
            enum_numbers: version.reaches(rules::ENUM_NUMBERS),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_adds_one_fact_and_the_fifth_is_unknown() {
        let facts = |number| {
            let layout = MappingsLayout::of(number)?;
            Some([layout.engine, layout.long_names, layout.large_enums, layout.enum_numbers])
        };
        assert_eq!(facts(0), Some([false; 4]));
        assert_eq!(facts(1), Some([true, false, false, false]));
        assert_eq!(facts(2), Some([true, true, false, false]));
        assert_eq!(facts(3), Some([true, true, true, false]));
        assert_eq!(facts(4), Some([true; 4]));
        assert_eq!(facts(5), None);
    }
}
